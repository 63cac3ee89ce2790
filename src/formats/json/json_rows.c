/* Records into cells and numbers. A record is first compared with the first record: the bytes between values
 * must be equal, and only wanted values are read. Where bytes differ, or after any fault, the record is read
 * along the shape: members are expected in the order of the first record, and looked up by name in any other
 * order. Invariant: both ways find the same cells.
 *
 * A record may lack members of the first record, whose cells are then absent (SPLICE_ABSENT). */
#include "formats/json/json.h"

#include "number/fast_read.h"
#include "number/word.h"

#include <math.h>
#include <stdio.h>

/* --- values --- */

/* The fault of n bytes in the place of a number or a time. */
static const char *fail_cell(struct json_row *row, const struct json_node *node, const char *p, size_t n,
                             const char *what)
{
    json_fail_showing(&row->scan, p, n, what, NULL);
    row->scan.leaf = node;
    return NULL;
}

/* Stores the number from p to q, of a channel or a time. Returns q; NULL: a fault. */
static const char *number(struct json_row *row, const struct json_node *node, const char *p, const char *q)
{
    double x;
    if (node->time) {
        struct timestamp *time = &row->block->time[row->i];
        number_read_decimal(p, q, '.', &x, &time->decimal);
        time->t = x;
    } else {
        number_read(p, q, '.', &x);
    }
    const bool gap = !node->plain && format_gap(row->reader, p, (size_t)(q - p));
    if (isinf(x) && !gap)
        return fail_cell(row, node, p, (size_t)(q - p), "this number is too large");
    if (node->value != COLUMN_NONE)
        block_value(row->block, node->value)[row->i] = gap ? (double)NAN : x;
    return q;
}

/* Takes a value from p to q that is no number, in the place of a number or a time. A missing value is valid
 * in the place of a number, any value for a lenient reader, and a date in the place of a date. Returns q;
 * NULL: a fault. */
static const char *no_number(struct json_row *row, const struct json_node *node, const char *p, const char *q)
{
    const enum timestamp_form form = row->reader->table.form;
    const bool string = *p == '"';
    const char *text = p + string;
    const size_t ntext = (size_t)(q - p) - 2 * string;
    const bool gap = *p == 'n' ||
                     (node->time ? format_no_value(text, ntext) : format_gap(row->reader, text, ntext));
    const char *fault = string ? "expected a number, found a string" : "expected a number";
    if (node->value != COLUMN_NONE)
        block_value(row->block, node->value)[row->i] = (double)NAN;
    if (node->time && gap)
        fault = "the time is missing";
    else if (node->time && form != TIMESTAMP_NUMBER)
        fault = timestamp_fault(form, text, ntext, &row->block->time[row->i]);
    else if (!node->time && (gap || row->reader->lenient))
        fault = NULL;
    return fault ? fail_cell(row, node, text, ntext, fault) : q;
}

/* Reads the value of the leaf `node` at p: sets the span of the cell, which is absent so far, and the number
 * or the time. */
static const char *read_leaf(struct json_row *row, const struct json_node *node, const char *p)
{
    struct span *cell = &row->cell[node->cell];
    if (cell->at != SPLICE_ABSENT)
        return json_fail(&row->scan, p, "this name occurs twice in one object");
    const bool digit = node->numeric && (json_digit(*p) || *p == '-');
    const char *q = json_value(p, &row->scan);
    if (q && (node->numeric || node->time))
        q = (digit ? number : no_number)(row, node, p, q);
    if (q && q - p > FORMAT_MAXCELL)
        return json_fail_showing(&row->scan, p, 40, "a value longer than 1 MiB", NULL);
    if (q)
        *cell = (struct span){ (uint32_t)(p - row->block->text), (uint32_t)(q - p) };
    return q;
}

/* --- along the shape --- */

void json_clear_row(const struct json_row *row)
{
    const struct block *block = row->block;
    for (size_t k = 0; k < block->ncell; k++)
        row->cell[k] = (struct span){ SPLICE_ABSENT, 0 };
    for (size_t k = 0; k < row->reader->table.nvalue; k++)
        block_value(block, k)[row->i] = (double)NAN;
}

/* Notes the end of the last value of a record, after which members and elements are added. */
static inline void set_anchor(struct json_row *row, const char *end)
{
    row->cell[row->json->anchor] = (struct span){ (uint32_t)(end - row->block->text), 0 };
}

/* Reads the object or array at start. */
static const char *read_items(struct json_row *row, const struct json_node *node, const char *start)
{
    struct json_items items = { .object = *start == '{' };
    const struct json_node *next = node->child; /* the member that is expected next */
    const char *p = start, *last = start;
    while ((p = json_next(&items, p, &row->scan))) {
        const struct json_node *child = next;
        if (items.object &&
            (!next || next->nname != items.nkey || memcmp(next->name, items.key, items.nkey) != 0))
            child = json_find(row->json, node, items.key, items.nkey);
        if (child && child->added)
            return json_fail_showing(&row->scan, p, 1, "this name is already taken by a derivative column",
                                     "leave derivatives out with --derivatives 0, or rename that member");
        next = child ? child->next : next;
        last = child && child->wanted ? json_read_node(row, child, p) : json_value(p, &row->scan);
        if (!last)
            return NULL;
        if (!child && !row->unread && json_holds_channel(p, items.key ? items.key : "", items.nkey))
            row->unread = p;
        p = last;
    }
    if (items.end && !items.object && !node->parent && items.count != node->count)
        return json_fail_showing(&row->scan, start, (size_t)(items.end - start),
                                 "not the same number of elements as in the first array", NULL);
    if (items.end && !node->parent && items.count > 0)
        set_anchor(row, last);
    return items.end;
}

const char *json_read_node(struct json_row *row, const struct json_node *node, const char *p)
{
    if (node->kind == JSON_LEAF)
        return read_leaf(row, node, p);
    if (*p == (node->kind == JSON_OBJECT ? '{' : '['))
        return read_items(row, node, p);
    /* null in the place of an object or array: all values inside are missing. */
    const char *q = json_value(p, &row->scan);
    if (!q || *p == 'n' || row->reader->lenient)
        return q;
    const char *what = node->kind == JSON_OBJECT ? "expected an object, as in the first row"
                                                 : "expected an array, as in the first row";
    return json_fail_showing(&row->scan, p, (size_t)(q - p), what,
                             node->parent ? "leave out its members with --exclude" : NULL);
}

/* --- as laid out in the first record --- */

/* True if the text at p is the same as the text from `from` to `to` in the first record, one byte at
 * least. */
static inline bool is_same(const char *p, const char *end, const char *from, const char *to)
{
    size_t n = (size_t)(to - from);
    if (n <= 8)
        return (word_get(p, 8, false) ^ word_get(from, 8, false)) << (64 - 8 * n) == 0;
    if (n <= 16)
        return word_get(p, 8, false) == word_get(from, 8, false) &&
               word_get(p + n - 8, 8, false) == word_get(to - 8, 8, false);
    return (size_t)(end - p) >= n && memcmp(p, from, n) == 0;
}

/* Reads the number of the leaf `node` at p; NULL: the number is not short, or breaks JSON's grammar (digits
 * on both sides of the point, no leading zeros). */
static inline const char *read_short(struct json_row *row, const struct json_node *node, const char *p)
{
    struct number_short number;
    const char *first = p + (*p == '-'), *q = number_short_read(p, '.', &number);
    if (!q || !json_digit(*first) || (*first == '0' && json_digit(first[1])) || !json_digit(q[-1]) ||
        *q == '.' || (*q | 0x20) == 'e')
        return NULL;
    double x = number_short_double(number);
    if (node->time)
        row->block->time[row->i] = (struct timestamp){ x, number_short_decimal(number) };
    if (node->value != COLUMN_NONE)
        block_value(row->block, node->value)[row->i] = x;
    row->cell[node->cell] = (struct span){ (uint32_t)(p - row->block->text), (uint32_t)(q - p) };
    return q;
}

/* Reads the value of `node` at p if the value is laid out as in the first record, where no name is twice.
 * NULL: the layout differs, or there is a fault; the cells of the row are then in any state. */
static const char *read_same(struct json_row *row, const struct json_node *node, const char *p)
{
    const char *last = p;
    if (node->kind == JSON_LEAF) {
        row->cell[node->cell].at = SPLICE_ABSENT;
        return read_leaf(row, node, p);
    }
    for (const struct json_node *child = node->child; child; child = child->next) {
        if (!is_same(p, row->scan.end, child->before, child->at))
            return NULL;
        p += child->at - child->before;
        last = NULL;
        if (!child->wanted)
            last = json_value(p, &row->scan);
        else if (child->plain)
            last = read_short(row, child, p);
        if (!last && child->wanted)
            last = read_same(row, child, p);
        if (!last)
            return NULL;
        p = last;
    }
    if (!is_same(p, row->scan.end, node->after, node->end))
        return NULL;
    if (!node->parent)
        set_anchor(row, last);
    return p + (node->end - node->after);
}

/* --- messages --- */

/* Makes the fault of the row, whose record begins at p, an error. */
static void explain_row(const struct json_row *row, const char *p, struct error *e)
{
    json_explain_record(row->reader, &row->scan, p, row->block->firstrow + row->i, e);
}

/* Says once, of the first block, that the record at p has a number that is not read. Where --columns names
 * the channels, the user knows. */
static void note_unread(struct json_row *row, const char *p)
{
    struct json *json = row->reader->state;
    const struct table *table = &row->reader->table;
    struct json_row unread = *row;
    struct error e;
    const bool asked = table->nchannel > 0 && table_channel(table, 0)->asked;
    if (row->block->firstrow > 0 || json->noted || asked)
        return;
    json->noted = true;
    json_fail(&unread.scan, row->unread, "");
    explain_row(&unread, p, &e);
    reader_tell(row->reader, "not read: %s: the first record with a number has no value there, not even null",
                e.column);
}

/* --- records --- */

/* Reads the record at p along the shape. */
static const char *read_record(struct json_row *row, const char *p)
{
    json_clear_row(row);
    row->unread = NULL;
    const char *q = json_read_node(row, row->json->node[0], p);
    if (q && row->unread)
        note_unread(row, p);
    size_t time = row->reader->table.time;
    if (q && time != COLUMN_NONE &&
        row->cell[table_column(&row->reader->table, time)->cell].at == SPLICE_ABSENT)
        return json_fail(&row->scan, p, "this record has no time");
    return q;
}

/* Notes that the row of jsonl that begins at p and has a fault cannot be used. Returns the end of its line.
 * NULL: rows are not skipped. */
static const char *skip_row(struct json_row *row, const char *p)
{
    struct block *block = row->block;
    struct error why;
    if (!row->json->lines || row->reader->options->bad_rows != BAD_ROWS_SKIP)
        return NULL;
    explain_row(row, p, &why);
    const char *eol = memchr(p, '\n', (size_t)(row->scan.end - p)), *end = eol ? eol : row->scan.end;
    block->row[row->i] = (struct span){ (uint32_t)(p - block->text), (uint32_t)(end - p) };
    return block_mark_bad(block, row->i, &why, &block->error) ? end : NULL;
}

const char *json_end_line(struct json_scan *scan, const char *start, const char *end, bool first)
{
    struct json_scan again = *scan;
    const char *last = end ? end : json_value(start, &again);
    const char *eol = memchr(start, '\n', (size_t)((last ? last : again.at) - start));
    if (eol) /* reported rather than any other fault, as the record may be in two blocks */
        return json_fail_showing(scan, eol, 1, "this record is not complete at the end of its line",
                                 first ? "for a document of many lines, try --from json" : NULL);
    while (end && (*end == ' ' || *end == '\t' || *end == '\r'))
        end++;
    if (!end || *end == '\n' || end == scan->end)
        return end;
    return json_fail_showing(scan, end, 1, "text after the record on the same line",
                             "jq -c . puts each record on its own line, and jq -c '.[]' those of arrays");
}

/* Parses the record at start, and to the end of its line in jsonl. *last: its end. Returns where the next
 * record may be; NULL: a fault. */
static const char *parse_row(struct json_row *row, const char *start, const char **last)
{
    const char *end = row->json->same_layout ? read_same(row, row->json->node[0], start) : NULL;
    if (!end)
        end = read_record(row, start);
    if (end && end - start > FORMAT_MAXROW)
        end = json_fail(&row->scan, start, "a record is longer than 64 MiB");
    *last = end;
    return row->json->lines ? json_end_line(&row->scan, start, end, row->block->firstrow + row->i == 0) : end;
}

/* Reads records, up to the first fault: there the block ends. */
static void parse_rows(struct json_row *row)
{
    struct block *block = row->block;
    const bool lines = row->json->lines;
    bool comma = !lines && block->firstrow > 0; /* a comma must be before the next row */
    const char *p = json_space(row->last), *start = p, *last = p;
    for (; lines ? p < row->scan.end : row->i < row->nrow; p = json_space(p)) {
        if (comma && *p != ',')
            break;
        start = comma ? json_space(p + 1) : p;
        row->cell = block->cell + row->i * block->ncell;
        p = parse_row(row, start, &last);
        if (!p && (p = skip_row(row, start))) {
            row->i++;
            continue;
        }
        if (!p)
            break;
        row->last = last;
        block->row[row->i++] = (struct span){ (uint32_t)(start - block->text), (uint32_t)(last - start) };
        comma = !lines;
    }
    block->nrow = row->i;
    if (p == row->scan.end && (lines || row->i == row->nrow))
        return;
    if (p) {
        json_fail(&row->scan, p, "expected ',' or ']'");
        start = p;
    }
    explain_row(row, start, &block->error);
    block->ntext = (size_t)((lines ? start : row->last) - block->text);
}

void json_parse(const struct reader *reader, struct block *block)
{
    struct json_row row = {
        .reader = reader,
        .json = reader->state,
        .block = block,
        .cell = block->cell,
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
        json_parse_columns(&row);
    else
        parse_rows(&row);
}
