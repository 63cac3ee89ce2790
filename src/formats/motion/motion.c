/* Reading motion capture: opening, blocks and cells. See motion.h. */
#include "formats/motion/motion.h"

#include <math.h>
#include <stdlib.h>

/* --- opening --- */

bool motion_open(struct reader *reader, struct error *e)
{
    const struct motion_kind *kind = reader->format->kind;
    struct motion *motion = calloc(1, sizeof *motion);
    reader->state = motion;
    struct csv *csv = reader->state;
    struct table *table = &reader->table;
    if (!motion)
        return error_memory(e);
    motion->nmarker = UINT64_MAX;
    csv->motion = true;
    csv_set_delimiter(csv, ' ');
    if (!csv_read_start(reader, e))
        return false;
    struct span row = { (uint32_t)csv->start, 0 };
    if (csv->nrest == row.at)
        return error_data(e, "the file is empty");
    table->named = true;
    if (!kind->read_head(reader, &row, e))
        return false;
    motion->promised = motion_count(motion, motion->field[MOTION_ROWS]);
    const char *p = csv->rest + row.at;
    if (!csv_set_kinds(reader, row.n ? p : NULL, p + row.n, e) || !csv_set_head(reader, row.at, e))
        return false;
    for (size_t i = 0; i < table->ncolumn; i++)
        if (table->counted) /* channels are numbers, whatever the first row holds */
            table->column[i].first = CELL_NUMBER;
        else if (table->column[i].frame)
            table->column[i].first = CELL_TEXT;
    table->even = table->counted && motion->seconds == 0;
    return true;
}

struct column *motion_add_column(struct reader *reader, char *name, struct error *e)
{
    bool good = name ? columns_add(&reader->table, name, strlen(name), e) : error_memory(e);
    free(name);
    return good ? &reader->table.column[reader->table.ncolumn - 1] : NULL;
}

bool motion_add_vector(struct reader *reader, const struct csv_cell *name, size_t number, const char *letters,
                       struct error *e)
{
    for (size_t i = 0; letters[i]; i++) {
        char *text = name->n ? text_format("%.*s.%c", (int)name->n, name->at, letters[i])
                             : text_format("%zu.%c", number, letters[i]);
        struct column *column = motion_add_column(reader, text, e);
        if (!column)
            return false;
        column->unlabelled = name->n == 0;
        if (strcasecmp(letters, "xyz") == 0)
            column->vector = number;
        if (*letters == 'w') {
            column->joint = number;
            column->axis = i ? i : 4;
        }
    }
    return true;
}

uint64_t motion_count(const struct motion *motion, struct span field)
{
    const char *p = motion->csv.rest + field.at;
    double x;
    bool whole = field.n && number_read(p, p + field.n, '.', &x) == p + field.n && x >= 0 && x <= 1e15;
    return whole && x == floor(x) ? (uint64_t)x : UINT64_MAX;
}

bool motion_error(const struct reader *reader, const char *at, size_t n, struct error *e)
{
    const struct csv *csv = reader->state;
    error_excerpt(e, at, n);
    return csv_error_place(csv, csv->rest, at, e);
}

bool motion_line(struct reader *reader, struct span *line, struct error *e)
{
    const struct csv *csv = reader->state;
    for (size_t start = line->at + line->n, end;; start = end) {
        if (start > FORMAT_MAXROW)
            return error_data(e, "a header of more than %d MiB", FORMAT_MAXROW >> 20);
        if (!csv_read_record(reader, start, &end, e))
            return false;
        const char *p = csv->rest + start, *stop = csv->rest + end;
        if (end > start && csv_is_blank_line(csv, p, stop))
            continue;
        *line = (struct span){ (uint32_t)start, (uint32_t)(csv_without_eol(csv, p, stop) - p) };
        return true;
    }
}

bool motion_begins(const char *p, const char *end, const char *word)
{
    size_t n = strlen(word);
    p += end - p >= 3 && memcmp(p, "\xEF\xBB\xBF", 3) == 0 ? 3 : 0;
    return (size_t)(end - p) > n && strncasecmp(p, word, n) == 0 && strchr(" \t\r\n,", p[n]) && p[n];
}

/* --- blocks --- */

/* The time of a row, where rows are counted. */
static struct timestamp time_of_row(const struct reader *reader, uint64_t row)
{
    const struct motion *motion = reader->state;
    if (motion->seconds == 0)
        return (struct timestamp){ (double)row / reader->table.rate, { 0, 0, false } };
    struct timestamp s = { (double)row * motion->seconds, { 0, motion->step.exp10, false } };
    if (motion->step.exact && (row == 0 || motion->step.digits <= INT64_MAX / (int64_t)row)) {
        s.decimal.digits = (int64_t)row * motion->step.digits;
        s.decimal.exact = true;
        s.t = timestamp_between(NULL, &s, (struct time_unit){ 0 });
    }
    return s;
}

bool motion_bind(struct reader *reader, struct error *e)
{
    const struct table *table = &reader->table;
    if (table->counted && !format_owns_time(reader, e))
        return false;
    if (table->counted && table_column(&reader->table, 0)->value != COLUMN_NONE)
        return error_usage(e, "the time of a %s file cannot be filtered", reader->format->name);
    return csv_bind(reader, e);
}

enum loaded motion_load(struct reader *reader, struct block *block, struct error *e)
{
    struct motion *motion = reader->state;
    enum loaded loaded = csv_load(reader, block, e);
    if (loaded != LOAD_ROWS)
        return loaded;
    block->firstrow = motion->nrow;
    const char *p = block->text, *end = p + block->ntext;
    while (p < end) {
        motion->nrow += !csv_is_blank_line(&motion->csv, p, end);
        p = memchr(p, motion->csv.eol, (size_t)(end - p));
        p = p ? p + 1 : end;
    }
    return LOAD_ROWS;
}

/* Warns at the end of an input if the header promises another number of rows, or has a text that is no number
 * of rows, and all rows were loaded without an error. */
static void warn_of_count(const struct reader *reader)
{
    enum { LONGEST = 20 }; /* bytes of the text that are shown */
    const struct motion *motion = reader->state;
    bool ended = motion && motion->csv.ended && motion->csv.nrest == 0;
    if (!ended || motion->field[MOTION_ROWS].n == 0 || motion->nrow == motion->promised)
        return;
    const struct span field = motion->field[MOTION_ROWS];
    reader_tell(reader, "warning: the header says %.*s frame%s, but the file has %llu: all are used",
                field.n < LONGEST ? (int)field.n : LONGEST, motion->csv.head + field.at,
                error_plural(motion->promised), (unsigned long long)motion->nrow);
}

void motion_close(struct reader *reader)
{
    warn_of_count(reader);
    csv_close(reader);
}

/* A counted time is not in the text: its cell only says that a number needs at most NUMBER_MAX bytes. */
void motion_parse(const struct reader *reader, struct block *block)
{
    const struct table *table = &reader->table;
    csv_parse(reader, block);
    for (size_t i = 0; table->counted && i < block->nrow; i++) {
        if (table_column(table, 0)->cell != COLUMN_NONE)
            block->cell[i * block->ncell] = (struct span){ 0, NUMBER_MAX };
        if (table->time != COLUMN_NONE)
            block->time[i] = time_of_row(reader, block->firstrow + i);
    }
}

void motion_cell(const struct reader *reader, const struct block *block, size_t row, size_t column,
                 struct cell_text *cell)
{
    if (!reader->table.counted || column > 0 || table_column(&reader->table, 0)->cell == COLUMN_NONE) {
        csv_cell_text(reader, block, row, column, cell);
        return;
    }
    format_number_cell(reader, time_of_row(reader, block->firstrow + row).t, cell);
}
