/* Records into cells and numbers, along the shape of the first record. A record that is laid out as the first
 * one, as most are, has the same bytes between its values, and only these are read. Else members are looked
 * up by name. A record may lack members of the first record, whose cells are then absent (SPLICE_ABSENT). */
#include "formats/json/json.h"

#include "number/fast_read.h"
#include "number/word.h"

#include <math.h>

/* The row that is being parsed. */
struct json_row {
    const struct reader *reader;
    const struct json *json;
    struct block *block;
    size_t i;          /* number of the row in the block */
    struct span *cell; /* cells of row i */
    size_t nrow;       /* most rows in the block */
    struct json_scan scan;
    const char *last; /* end of the last record, or of the head: the block can be cut there */
};

/* --- values --- */

/* Stores the number or time of a leaf. */
static inline void store(struct json_row *row, const struct json_node *node, struct timestamp number)
{
    if (node->time)
        row->block->time[row->i] = number;
    if (node->value != COLUMN_NONE)
        block_value(row->block, node->value)[row->i] = number.t;
}

static inline struct span span_of(const struct json_row *row, const char *p, const char *q)
{
    return (struct span){ (uint32_t)(p - row->block->text), (uint32_t)(q - p) };
}

/* Reads the value from p to q, of a channel or a time: a number, a date, a missing value of a channel, or any
 * value of a channel where reader_takes_text. Returns q; NULL: a fault. */
static const char *read_number(struct json_row *row, const struct json_node *node, const char *p,
                               const char *q)
{
    const struct reader *reader = row->reader;
    const bool string = *p == '"', number = node->numeric && json_is_number(p);
    const char *text = p + string, *fault = NULL;
    const size_t ntext = (size_t)(q - p) - 2 * string;
    const bool gap = *p == 'n' ||
                     (node->time ? format_no_value(text, ntext) : format_gap(reader, text, ntext));
    struct timestamp time = { .t = (double)NAN };
    if (number && !gap)
        number_read_decimal(p, q, '.', &time.t, &time.decimal);
    if (isinf(time.t))
        fault = "this number is too large";
    else if (node->time && gap)
        fault = "the time is missing";
    else if (node->time && reader->table.form != TIMESTAMP_NUMBER)
        fault = timestamp_fault(reader->table.form, text, ntext, &time);
    else if (!number && (node->time || (!gap && !reader_takes_text(reader, node->column))))
        fault = string ? "expected a number, found a string" : "expected a number";
    if (fault) {
        json_fail_showing(&row->scan, text, ntext, fault, NULL);
        row->scan.leaf = node;
        return NULL;
    }
    store(row, node, time);
    return q;
}

/* Reads the number of the leaf `node` at p into the cell; NULL: the number is not short, or breaks JSON's
 * grammar (digits on both sides of the point, no leading zeros). */
static inline const char *read_short(struct json_row *row, const struct json_node *node, const char *p)
{
    struct number_short number;
    const char *first = p + (*p == '-'), *q = number_short_read(p, '.', &number);
    if (!q || *first == '.' || (*first == '0' && json_digit(first[1])) || q[-1] == '.' || *q == '.' ||
        (*q | 0x20) == 'e')
        return NULL;
    store(row, node, (struct timestamp){ number_short_double(number), number_short_decimal(number) });
    row->cell[node->cell] = span_of(row, p, q);
    return q;
}

/* Reads the value of the leaf `node` at p: sets the cell, which is absent so far, and the number or time. */
static const char *read_leaf(struct json_row *row, const struct json_node *node, const char *p)
{
    struct span *cell = &row->cell[node->cell];
    if (cell->at != SPLICE_ABSENT)
        return json_fail(&row->scan, p, "this name occurs twice in one object");
    const char *q = json_value(p, &row->scan);
    if (q && (node->numeric || node->time))
        q = read_number(row, node, p, q);
    if (q && q - p > FORMAT_MAXCELL)
        return json_fail_showing(&row->scan, p, 40, "a value longer than 1 MiB", NULL);
    if (q)
        *cell = span_of(row, p, q);
    return q;
}

/* --- records like the first --- */

/* True if the text at p is the same as the text from `from` to `to` in the first record, one byte at
 * least. */
static inline bool is_same(const char *p, const char *end, const char *from, const char *to)
{
    size_t n = (size_t)(to - from);
    if (n <= 8)
        return (word_get(p, 8, false) ^ word_get(from, 8, false)) << (64 - 8 * n) == 0;
    return (size_t)(end - p) >= n && memcmp(p, from, n) == 0;
}

/* Reads the record at p, an object or array. NULL: it is laid out in another way, or has a fault. */
static const char *read_alike(struct json_row *row, const char *p)
{
    const struct json *json = row->json;
    for (size_t i = 0; i < json->nnode; i++) {
        const struct json_node *node = json->node[i];
        if (node->column == COLUMN_NONE)
            continue;
        if (!is_same(p, row->scan.end, node->before, node->at))
            return NULL;
        p += node->at - node->before;
        const char *q = node->plain ? read_short(row, node, p) : NULL;
        if (!q)
            q = node->cell == COLUMN_NONE ? json_value(p, &row->scan) : read_leaf(row, node, p);
        if (!q)
            return NULL;
        p = q;
    }
    return is_same(p, row->scan.end, json->last, json->end) ? p + (json->end - json->last) : NULL;
}

/* --- other records, and objects of columns --- */

/* Reads the column of an object of columns at p: each element is in another row. */
static const char *read_series(struct json_row *row, const struct json_node *node, const char *p)
{
    const char *start = p;
    const struct block *block = row->block;
    struct json_items items = { .count = 0 };
    while ((p = json_next(&items, p, &row->scan))) {
        row->i = items.count - 1;
        row->cell = block->cell + row->i * block->ncell;
        p = row->i < row->nrow ? read_leaf(row, node, p)
                               : json_value(p, &row->scan); /* a column that passes through may be longer */
        if (!p)
            return NULL;
    }
    if (!items.end || !node->full || items.count == row->nrow)
        return items.end;
    return json_fail_showing(&row->scan, start, 1, "columns differ in length",
                             "choose the columns to filter with --columns or --exclude");
}

/* Reads the value of `node` at p: all cells in the value. */
static const char *read_value(struct json_row *row, const struct json_node *node, const char *p)
{
    const bool record = node == row->json->node[0];
    const char *start = p;
    struct json_items items = { .count = 0 };
    if (node->added)
        return json_fail_showing(&row->scan, p, 1, "this name is already taken by a derivative column",
                                 "leave derivatives out with --derivatives 0, or rename that member");
    if (node->cell != COLUMN_NONE)
        return row->json->columns ? read_series(row, node, p) : read_leaf(row, node, p);
    if (node->column != COLUMN_NONE || *p != *node->at) {
        p = json_value(p, &row->scan);
        if (!p || node->column != COLUMN_NONE)
            return p;
        if (!record && (*start == 'n' || row->reader->lenient)) /* all values inside are missing */
            return p;
        return json_fail_showing(&row->scan, start, (size_t)(p - start),
                                 "expected an object or array, as in the first row", NULL);
    }
    while ((p = json_next(&items, p, &row->scan))) {
        const struct json_node *child = json_find(row->json, node, &items);
        p = child ? read_value(row, child, p) : json_value(p, &row->scan);
        if (!p)
            return NULL;
    }
    if (!items.end || !record || items.object || items.count == node->count)
        return items.end;
    return json_fail_showing(&row->scan, start, (size_t)(items.end - start),
                             "not the same number of elements as in the first array", NULL);
}

/* --- records --- */

/* Makes the cells and numbers of the row absent. */
static void clear_row(struct json_row *row)
{
    for (size_t k = 0; k <= row->json->anchor; k++)
        row->cell[k] = (struct span){ SPLICE_ABSENT, 0 };
    for (size_t k = 0; k < row->block->nvalue; k++)
        block_value(row->block, k)[row->i] = (double)NAN;
}

/* Reads the record at p. Its cells begin at row->cell. */
static const char *read_record(struct json_row *row, const char *p)
{
    const struct json *json = row->json;
    const char *q = json->node[0]->column == COLUMN_NONE ? read_alike(row, p) : NULL;
    if (!q) {
        clear_row(row);
        q = read_value(row, json->node[0], p);
        if (q && json->time != COLUMN_NONE && row->cell[json->time].at == SPLICE_ABSENT)
            return json_fail(&row->scan, p, "this record has no time");
    }
    if (!q)
        return NULL;
    if (q - p > FORMAT_MAXROW)
        return json_fail(&row->scan, p, "a record is longer than 64 MiB");
    const char *last = json_last(p, q);
    if (*p == *json->node[0]->at && last > p + 1) /* added members follow the last member */
        row->cell[json->anchor] = span_of(row, last, last);
    return q;
}

/* Notes that the row of jsonl that begins at p and has a fault cannot be used. Returns the end of its line.
 * NULL: rows are not skipped. */
static const char *skip_row(struct json_row *row, const char *p)
{
    struct block *block = row->block;
    if (!row->json->split.lines || row->reader->options->bad_rows != BAD_ROWS_SKIP)
        return NULL;
    json_explain_record(row->reader, &row->scan, p, block->firstrow + row->i, &block->error);
    const char *eol = memchr(p, '\n', (size_t)(row->scan.end - p)), *end = eol ? eol : row->scan.end;
    block->row[row->i] = span_of(row, p, end);
    if (!block_mark_bad(block, row->i, &block->error, &block->error))
        return NULL;
    block->error.kind = ERROR_NONE;
    return end;
}

const char *json_end_line(struct json_scan *scan, const char *start, const char *end)
{
    const char *last = end;
    if (!end) {
        struct json_scan again = *scan;
        last = json_value(start, &again);
        last = last ? last : again.at;
    }
    const char *eol = memchr(start, '\n', (size_t)(last - start));
    if (eol) /* reported rather than any other fault, as the record may be in two blocks */
        return json_fail_showing(scan, eol, 1, "this record is not complete at the end of its line",
                                 "for a document of many lines, try --from json");
    while (end && (*end == ' ' || *end == '\t' || *end == '\r'))
        end++;
    if (!end || *end == '\n' || end == scan->end)
        return end;
    return json_fail_showing(scan, end, 1, "text after the record on the same line",
                             "jq -c . puts each record on its own line, and jq -c '.[]' those of arrays");
}

/* Reads records, up to the first fault: there the block ends. */
static void parse_rows(struct json_row *row)
{
    struct block *block = row->block;
    const bool lines = row->json->split.lines;
    const char *p = json_space(row->last), *start = p, *last = p;
    for (; lines ? p < row->scan.end : row->i < row->nrow; p = json_space(p)) {
        const bool comma = !lines && block->firstrow + row->i > 0; /* it must be before the row */
        if (comma && *p != ',')
            break;
        start = comma ? json_space(p + 1) : p;
        row->cell = block->cell + row->i * block->ncell;
        p = last = read_record(row, start);
        if (lines)
            p = json_end_line(&row->scan, start, p);
        if (!p && (p = skip_row(row, start))) {
            row->i++;
            continue;
        }
        if (!p)
            break;
        row->last = last;
        block->row[row->i++] = span_of(row, start, last);
    }
    block->nrow = row->i;
    if (p != row->scan.end || (!lines && row->i < row->nrow)) {
        if (p)
            json_fail(&row->scan, p, "expected ',' or ']'");
        start = p ? p : start;
        json_explain_record(row->reader, &row->scan, start, block->firstrow + row->i, &block->error);
        block->ntext = (size_t)((lines ? start : row->last) - block->text);
    }
}

/* Reads the object of columns, or the array of numbers, into row->nrow rows. */
static void parse_columns(struct json_row *row)
{
    const struct json *json = row->json;
    struct block *block = row->block;
    const size_t place = json->time == COLUMN_NONE ? 0 : json->time; /* the cell that shows where a row is */
    for (row->i = 0; row->i < row->nrow; row->i++) {
        row->cell = block->cell + row->i * block->ncell;
        clear_row(row);
    }
    if (!read_value(row, json->node[0], row->last)) {
        json_explain(&row->scan, block->text, "$", &block->error);
        block->ntext = 0;
        return;
    }
    block->nrow = row->nrow;
    block->changed = true; /* a fault cuts the text within the columns */
    for (size_t i = 0; i < block->nrow; i++) {
        const struct span cell = block->cell[i * block->ncell + place];
        block->row[i] = cell.n > 0 ? cell : (struct span){ 0, 0 };
    }
}

void json_parse(const struct reader *reader, struct block *block)
{
    struct json_row row = {
        .reader = reader,
        .json = reader->state,
        .block = block,
        .nrow = block->nrow,
        .scan = { .text = block->text, .end = block->text + block->ntext },
        .last = block->text,
    };
    row.last += block->firstrow == 0 ? row.json->nhead : 0;
    block->eol = '\n';
    block->nline = block_count(block->text, block->ntext, block->eol);
    block->nrow = 0;
    if (block->error.kind != ERROR_NONE || row.nrow == 0)
        return;
    if (row.json->columns)
        parse_columns(&row);
    else
        parse_rows(&row);
}
