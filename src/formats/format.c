/* What all formats share: printing row by row, missing values, the plain text of cells. See format.h. */
#include "formats/format.h"

#include "base/array.h"
#include "base/text.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

void format_print_rows(const struct writer *writer, struct block *block,
                       bool (*put)(const struct writer *writer, struct block *block, size_t row))
{
    for (size_t row = 0; row < block->nrow; row++) {
        size_t start = block->nbyte;
        if (!put(writer, block, row)) {
            block->nbyte = start;
            block->nrow = row;
            return;
        }
    }
}

struct timestamp format_cell_time(const struct reader *reader, const struct block *block, size_t row,
                                  size_t column, struct cell_text *cell)
{
    const enum timestamp_form form = table_column(&reader->table, column)->form;
    const struct timestamp none = { .t = (double)NAN };
    struct timestamp time = none;
    if (!format_cell_text(reader, block, row, column, cell) || !cell->text)
        return none;
    const char *text = cell->text, *end = text + cell->n;
    while (text < end && *text == ' ')
        text++;
    if (form != TIMESTAMP_NUMBER)
        return timestamp_read(form, text, (size_t)(end - text), &time) ? time : none;
    return number_read_decimal(text, end, reader_point(reader), &time.t, &time.decimal) ? time : none;
}

/* Makes the time of a row of its date and its time of day. False: they are no time, or out of memory. */
static bool join_time(const struct reader *reader, struct block *block, size_t row, struct cell_text *cell,
                      struct error *e)
{
    const struct table *table = &reader->table;
    const size_t column[] = { table->date, table->time };
    char text[160] = "";
    for (size_t k = 0; k < 2; k++) {
        if (!format_cell_text(reader, block, row, column[k], cell))
            return error_memory(e);
        if (k > 0)
            text_append(text, sizeof text, " ");
        if (cell->text)
            text_append(text, sizeof text, "%.*s", (int)cell->n, cell->text);
    }
    const char *fault = timestamp_fault(table->form, text, strlen(text), &block->time[row]);
    if (!fault)
        return true;
    error_data(e, "%s", fault);
    error_excerpt(e, text, strlen(text));
    return error_column(e, table->column[table->time].name);
}

/* An entry of --missing. */
struct entry {
    const char *text; /* without blanks around it */
    size_t n;
    double number; /* NaN: the text is no number */
};

/* Takes the entry of a list that begins at *next, and moves *next to the following one; NULL: it was the
 * last. False: there is no entry. */
static bool next_entry(const char **next, struct entry *entry)
{
    if (!*next)
        return false;
    const char *text = *next + strspn(*next, " ");
    size_t n = strcspn(text, ",");
    *next = text[n] ? text + n + 1 : NULL;
    while (n > 0 && text[n - 1] == ' ')
        n--;
    *entry = (struct entry){ text, n, (double)NAN };
    double number;
    if (number_read(text, text + n, '.', &number) == text + n)
        entry->number = number;
    return true;
}

static void note_listed(const struct reader *reader)
{
    if (reader->listed)
        atomic_store_explicit(reader->listed, true, memory_order_relaxed);
}

/* --missing where rows are not text. */
static void empty_values(const struct reader *reader, struct block *block)
{
    const char *next = reader->options->missing;
    struct entry entry;
    while (next_entry(&next, &entry))
        for (size_t c = 0; c < reader->table.nchannel; c++) {
            const bool here = block_has_column(block, reader->table.channel[c]);
            double *value = block_value(block, c);
            for (size_t row = 0; here && row < block->nrow; row++)
                if (value[row] == entry.number) {
                    note_listed(reader);
                    value[row] = (double)NAN;
                }
        }
}

/* Leaves out a row with a fault, with --bad-rows skip, or cuts the block before it. Returns whether the row
 * is left out. */
static bool refuse_row(const struct reader *reader, struct block *block, size_t row, struct error *e)
{
    const bool skips = reader->options->bad_rows == BAD_ROWS_SKIP && e->kind == ERROR_DATA;
    error_place(e, block_line(block, row));
    return (skips && block_mark_bad(block, row, e, e)) || block_cut(block, row, e);
}

void format_parse(const struct reader *reader, struct block *block)
{
    struct cell_text cell = { .text = NULL };
    struct error e;
    block->firstcolumn = 1;
    block->endcolumn = reader->table.ncolumn;
    reader->format->parse(reader, block);
    if (reader->options->missing && block->ncell == 0)
        empty_values(reader, block);
    const bool joins = reader->table.date != COLUMN_NONE && reader->table.time != COLUMN_NONE;
    for (size_t row = 0; joins && row < block->nrow; row++)
        if (!block_is_bad(block, row) && !join_time(reader, block, row, &cell, &e))
            refuse_row(reader, block, row, &e);
    free(cell.room);
}

/* The fault that a cell in a column of numbers holds a text. Returns false. */
static bool text_fault(const struct reader *reader, size_t column, const struct cell_text *cell,
                       struct error *e)
{
    error_data(e, "not a number");
    error_excerpt(e, cell->text, cell->n);
    format_hint_cell(reader, column, cell->text, cell->n, e);
    return error_column(e, reader->table.column[column].name);
}

/* Takes the cells of a channel. */
static bool take_texts(const struct reader *reader, struct block *block, size_t channel, enum held *held)
{
    const size_t column = reader->table.channel[channel];
    const size_t index = table_channel(&reader->table, channel)->cell;
    double *value = block_value(block, channel);
    struct cell_text cell = { .text = NULL };
    struct error e;
    bool good = true;
    for (size_t row = 0; good && row < block->nrow; row++) {
        const bool empty = index == COLUMN_NONE || block->cell[row * block->ncell + index].n == 0;
        if (empty || block_is_bad(block, row))
            continue;
        if (*held == HELD_TEXTS) {
            block->changed |= !isnan(value[row]);
            value[row] = (double)NAN;
        } else if (!isnan(value[row]))
            *held = HELD_NUMBERS;
        else if (!format_cell_text(reader, block, row, column, &cell))
            good = error_memory(&e) || block_cut(block, row, &e);
        else if (!cell.text || format_gap(reader, cell.text, cell.n))
            continue;
        else if (*held == HELD_GAPS)
            *held = HELD_TEXTS;
        else
            good = !text_fault(reader, column, &cell, &e) && refuse_row(reader, block, row, &e);
    }
    free(cell.room);
    return good;
}

bool format_take_texts(const struct reader *reader, struct block *block, enum held *held)
{
    bool good = true;
    for (size_t c = 0; c < reader->table.nchannel && block->ncell > 0; c++)
        if (table_channel(&reader->table, c)->first == CELL_GAP)
            good = take_texts(reader, block, c, &held[c]) && good;
    return good;
}

bool format_parse_again(const struct reader *reader, struct block *block, struct error *e)
{
    const size_t n = block->nrow;
    const struct error fault = block->error;
    if (!block->forgot)
        return true;
    if (!block_remember(block, reader_shape(reader).times, e))
        return false;
    format_parse(reader, block);
    REQUIRE(block->nrow >= n);
    block->nrow = n; /* a fault may have cut the block since */
    block->error = fault;
    return true;
}

bool format_owns_time(struct reader *reader, struct error *e)
{
    const struct table *table = &reader->table;
    bool grouped = table->ngroup > 0, timed = table->time != COLUMN_NONE && table->time != 0;
    if (!grouped && !timed && (table->unused_time == COLUMN_NONE || table->unused_time == 0))
        return table->cut != 0 || error_usage(e, "--cut-column: this is the time column");
    error_usage(e, "%s does not apply to %s files, which have their own time and hold one series",
                grouped ? "--group-by" : "--time", reader->format->name);
    return error_hint(e, "convert it with --to csv first");
}

static bool refuse_column(const struct column *column, struct error *e)
{
    char word[TEXT_WORD];
    error_column(e, column->name);
    return error_hint(e,
                      "use --to csv, or take the column out first: mlr --csv cut -x -f %s FILE | sprung ...",
                      text_quoted(word, column->name));
}

bool format_has_no_text(const char *what, const struct table *table, size_t i, struct error *e)
{
    const struct column *column = &table->column[i];
    if (table_column(table, i)->role == ROLE_CHANNEL || column->first != CELL_TEXT)
        return true;
    error_data(e, "%s holds numbers, but this column is text", what);
    return refuse_column(column, e);
}

bool format_takes_numbers(const char *what, const struct table *table, size_t i, struct error *e)
{
    if (table_column(table, i)->role != ROLE_GROUP)
        return format_has_no_text(what, table, i, e);
    error_data(e, "%s holds one series: --group-by does not apply", what);
    return refuse_column(&table->column[i], e);
}

static bool is_listed(const struct reader *reader, const char *text, size_t ntext)
{
    const char *next = reader->options->missing;
    struct entry entry;
    double number;
    if (!next || number_read(text, text + ntext, reader_point(reader), &number) != text + ntext)
        number = (double)NAN;
    while (next_entry(&next, &entry))
        if (number == entry.number || (entry.n == ntext && memcmp(entry.text, text, ntext) == 0)) {
            note_listed(reader);
            return true;
        }
    return false;
}

bool format_gap(const struct reader *reader, const char *text, size_t ntext)
{
    return format_no_value(text, ntext) || is_listed(reader, text, ntext);
}

void format_hint_cell(const struct reader *reader, size_t column, const char *text, size_t ntext,
                      struct error *e)
{
    enum { LONGEST = 20 };
    const enum role role = table_column(&reader->table, column)->role;
    char name[TEXT_WORD], missing[TEXT_WORD], entry[COLUMNS_NUMBER], gap[LONGEST + 1] = "TEXT";
    if (ntext <= LONGEST && !memchr(text, ',', ntext))
        snprintf(gap, sizeof gap, "%.*s", (int)ntext, text);
    text_quoted(missing, gap);
    if (table_is_time(&reader->table, column))
        error_hint(e, "for another time column, try -t COLUMN; to ignore the times, give the row rate, as in "
                      "--rate 100");
    else if (role == ROLE_CUT)
        error_hint(e, "a cut column holds numbers: 0 means no cut");
    else if (role == ROLE_READ)
        error_hint(e, "if this text means a gap: --missing %s", missing);
    else
        error_hint(e, "if this text means a gap: --missing %s; to leave the column unchanged: -x %s", missing,
                   text_quoted(name, columns_entry(&reader->table, column, entry)));
}

bool format_no_value(const char *text, size_t ntext)
{
    /* The words that pandas takes for missing values, in any letter case. */
    static const char *const words[] = {
        "na",  "nan",  "null",     "n/a",     "none",   "<na>",     "#n/a",
        "#na", "-nan", "#n/a n/a", "-1.#ind", "1.#ind", "-1.#qnan", "1.#qnan",
    };
    if (ntext == 0)
        return true;
    /* Every word of the list begins with one of these bytes; most cells begin with another byte and need no
     * search. */
    bool may_be_word = strchr("nN<#-1", *text) && *text;
    for (size_t i = 0; may_be_word && ntext > 1 && ntext < 9 && i < sizeof words / sizeof *words; i++)
        if (strlen(words[i]) == ntext && strncasecmp(text, words[i], ntext) == 0)
            return true;
    return false;
}

bool format_cell_number(const struct reader *reader, struct block *block, size_t row, size_t column,
                        const char *what, double *x)
{
    char room[NUMBER_MAX];
    struct cell_text cell = { .room = room, .maxroom = sizeof room };
    reader->format->cell(reader, block, row, column, &cell);
    *x = (double)NAN;
    if (!cell.text || format_gap(reader, cell.text, cell.n))
        return true;
    const char *end = cell.text + cell.n;
    if (number_read(cell.text, end, reader_point(reader), x) == end)
        return true;
    error_data(&block->error, "%s can hold only numbers, and this is not a number", what);
    error_excerpt(&block->error, cell.text, cell.n);
    error_column(&block->error, reader->table.column[column].name);
    error_place(&block->error, block_line(block, row));
    return false;
}

void format_number_cell(const struct reader *reader, double x, struct cell_text *cell)
{
    const struct number_format format = { NUMBER_SHORTEST, reader_point(reader) };
    cell->text = isnan(x) ? NULL : cell->room;
    cell->n = 0;
    if (isinf(x))
        cell->n = (size_t)snprintf(cell->room, cell->maxroom, "%g", x);
    else if (!isnan(x))
        cell->n = number_print(cell->room, x, &format);
}

void format_warn_truncated(const struct reader *reader, const char *what, uint64_t promised, uint64_t found)
{
    if (found < promised)
        reader_tell(reader, "warning: truncated: %llu %s%s expected, %llu found: the others are missing",
                    (unsigned long long)promised, what, error_plural(promised), (unsigned long long)found);
}

bool format_make_frames(const struct reader *reader, struct block *block, size_t nrow, size_t bytes,
                        struct error *e)
{
    struct block_shape shape = reader_shape(reader);
    shape.ncell = 0;
    if (!block_reserve(block, nrow, shape, e))
        return false;
    for (size_t row = 0; row < nrow; row++)
        block->row[row] = (struct span){ (uint32_t)(row * bytes), (uint32_t)bytes };
    block->nrow = nrow;
    block->ntext = nrow * bytes;
    return true;
}

bool format_cell_behind(const struct reader *reader, struct block *block, size_t row, size_t column,
                        size_t times, struct cell_text *cell)
{
    size_t index = table_column(&reader->table, column)->cell;
    *cell = (struct cell_text){ .text = NULL };
    if (!reader->format->cell || index == COLUMN_NONE)
        return true;
    cell->maxroom = block_cell_most(block, row, index) + NUMBER_MAX;
    if (!block_room(block, (times + 1) * cell->maxroom + 2))
        return false;
    cell->room = block->bytes + block->nbyte + times * cell->maxroom + 2;
    reader->format->cell(reader, block, row, column, cell);
    return true;
}

bool format_cell_text(const struct reader *reader, const struct block *block, size_t row, size_t column,
                      struct cell_text *cell)
{
    size_t index = table_column(&reader->table, column)->cell;
    cell->text = NULL;
    cell->n = 0;
    if (!reader->format->cell || index == COLUMN_NONE)
        return true;
    size_t need = block_cell_most(block, row, index) + NUMBER_MAX;
    if (!array_reserve(&cell->room, need, &cell->maxroom, 1, NULL))
        return false;
    reader->format->cell(reader, block, row, column, cell);
    return true;
}

bool format_same_group(const struct reader *reader, const struct block *block, size_t row)
{
    const struct table *table = &reader->table;
    bool same = block->ncell > 0;
    for (size_t i = 0; i < table->ngroup && same; i++) {
        const size_t cell = table_column(table, table->group[i])->cell;
        const struct span *now = &block->cell[row * block->ncell + cell], *before = now - block->ncell;
        same = now->n > 0 && now->n == before->n &&
               memcmp(block->text + now->at, block->text + before->at, now->n) == 0;
    }
    return same;
}

bool format_group(const struct reader *reader, const struct block *block, size_t row, struct group_key *key,
                  struct error *e)
{
    const struct table *table = &reader->table;
    const struct cell_text *cell = &key->cell;
    key->text.n = key->lengths.n = 0;
    for (size_t i = 0; i < table->ngroup; i++) {
        if (!format_cell_text(reader, block, row, table->group[i], &key->cell))
            return error_memory(e);
        if (i > 0)
            text_add(&key->text, ",", 1);
        text_add(&key->text, cell->text ? cell->text : "", cell->n);
        text_add(&key->lengths, (const char *)&cell->n, sizeof cell->n);
    }
    key->nshown = key->text.n;
    if (table->ngroup > 1)
        text_add(&key->text, key->lengths.bytes ? key->lengths.bytes : "", key->lengths.n);
    return (!key->text.failed && !key->lengths.failed) || error_memory(e);
}

void format_group_free(struct group_key *key)
{
    free(key->cell.room);
    free(key->text.bytes);
    free(key->lengths.bytes);
}
