/* Records into cells and numbers. A record is first read as one that is laid out as the first one (fast.c).
 * If it is not, it is read along the shape: its members are expected in the order of the first record, and
 * looked up by name where they are in another. */
#include "formats/json/json.h"

#include <math.h>
#include <stdio.h>

/* --- values --- */

/* The number at p; JSON's grammar is narrower than that of number_read. */
static const char *number(struct json_row *row, const struct json_node *n, const char *p)
{
    const char *digit = p + (*p == '-'), *q = digit;
    while (json_digit(*q))
        q++;
    if (q == digit || (*digit == '0' && q > digit + 1) || (*q == '.' && !json_digit(q[1])))
        return json_value(p, 0, &row->s);
    double x;
    if (n->time) {
        struct timestamp *time = &row->b->time[row->i];
        q = number_read_decimal(p, row->s.end, '.', &x, &time->decimal);
        time->t = x;
    } else {
        q = number_read(p, row->s.end, '.', &x);
    }
    if ((*q | 0x20) == 'e' || *q == '.')
        return json_value(p, 0, &row->s);
    if (isinf(x))
        return json_fail_showing(&row->s, p, (size_t)(q - p), "this number is too large", NULL);
    if (n->value != COLUMN_NONE)
        block_value(row->b, n->value)[row->i] = x;
    return q;
}

/* The time of the row from a value that is no number. */
static const char *text_time(struct json_row *row, const char *p, const char *q)
{
    const enum timestamp_form form = row->r->columns.form;
    bool string = *p == '"';
    size_t n = (size_t)(q - p) - 2 * string;
    if (string && timestamp_read_as(form, p + 1, n, &row->b->time[row->i]))
        return q;
    return json_fail_showing(&row->s, p + string, n, timestamp_fault(p + string, n, form),
                             "--time COLUMN names another time column, --rate HZ does without");
}

/* The value from p to q stands where a number should be. A missing value is valid, and any other value if the
 * reader is lenient. */
static const char *no_number(struct json_row *row, const struct json_node *n, const char *p, const char *q)
{
    size_t length = (size_t)(q - p);
    bool gap = *p == 'n' || (*p == '"' && format_gap(row->r->options, p + 1, length - 2));
    if (n->time && gap)
        return json_fail_showing(&row->s, p, length, "the time is missing", "number the rows with --rate HZ");
    if (n->time && row->r->columns.form != TIMESTAMP_NUMBER)
        return text_time(row, p, q);
    if (n->value != COLUMN_NONE)
        block_value(row->b, n->value)[row->i] = (double)NAN;
    if (!n->time && (gap || row->r->lenient))
        return q;
    if (*p == '"')
        return json_fail_showing(&row->s, p + 1, length - 2, "a string, where a number should be",
                                 n->time ? NULL : "leave this column out with --exclude");
    return json_fail_showing(&row->s, p, length,
                             *p == '{'   ? "an object, where a number should be"
                             : *p == '[' ? "an array, where a number should be"
                                         : "expected a number",
                             n->time ? NULL : "leave this column out with --exclude");
}

const char *json_read_leaf(struct json_row *row, const struct json_node *n, const char *p)
{
    struct span *cell = &row->cell[n->cell];
    const char *q;
    if (cell->at != SPLICE_ABSENT)
        return json_fail(&row->s, p, "this name stands twice in one object");
    if (n->numeric && (json_digit(*p) || *p == '-')) {
        q = number(row, n, p);
        if (q && row->j->missing && !n->time && format_gap(row->r->options, p, (size_t)(q - p)))
            block_value(row->b, n->value)[row->i] = (double)NAN;
    } else {
        q = json_value(p, n->depth, &row->s);
        if (q && (n->numeric || n->time))
            q = no_number(row, n, p, q);
    }
    if (!q)
        return NULL;
    if (q - p > FORMAT_MAXCELL)
        return json_fail_showing(&row->s, p, 40, "a value longer than 1 MiB", NULL);
    *cell = (struct span){ (uint32_t)(p - row->b->text), (uint32_t)(q - p) };
    return q;
}

void json_clear_row(const struct json_row *row)
{
    for (size_t k = 0; k < row->j->ncell; k++)
        row->cell[k] = (struct span){ SPLICE_ABSENT, 0 };
    for (size_t k = 0; k < row->r->columns.nvalue; k++)
        block_value(row->b, k)[row->i] = (double)NAN;
}

/* --- along the shape --- */

/* The child of n that the value belongs to, or NULL; next is the one that follows the value before. */
static const struct json_node *find_child(const struct json *j, const struct json_node *n,
                                          const struct json_items *items, const struct json_node *next)
{
    bool expected = !items->object ||
                    (next && next->nkey == items->nkey && memcmp(next->key, items->key, items->nkey) == 0);
    return expected ? next : json_find(j, n, items->key, items->nkey);
}

/* The array from start to end was read; its last element ended at last. */
static const char *end_array(struct json_row *row, const struct json_node *n, const char *start,
                             const char *last, const struct json_items *items)
{
    if (!n->parent && items->count != n->nchild)
        return json_fail_showing(&row->s, start, (size_t)(items->end - start),
                                 "not as many elements as in the first array", NULL);
    if (n->anchor == COLUMN_NONE)
        return items->end;
    struct span *anchor = &row->cell[n->anchor];
    if (anchor->at != SPLICE_ABSENT)
        return json_fail(&row->s, start, "this name stands twice in one object");
    anchor->at = (uint32_t)((n->parent ? start : last) - row->b->text);
    anchor->n = n->parent ? (uint32_t)(items->end - start) : 0;
    return items->end;
}

/* Reads the object or array at start. */
static const char *read_items(struct json_row *row, const struct json_node *n, const char *start)
{
    struct json_items items = { .object = *start == '{' };
    const struct json_node *next = n->child;
    const char *p = start, *last = start + 1;
    while ((p = json_next(&items, p, &row->s))) {
        const struct json_node *child = find_child(row->j, n, &items, next);
        if (child && child->reserved)
            return json_fail_showing(
                &row->s, p, 0, "a derivative is added under this name, and the first record has none such",
                "leave derivatives out with --derivatives 0, or rename that member");
        next = child ? child->next : next;
        last = p = child && child->wanted ? json_read_node(row, child, p)
                                          : json_value(p, n->depth + 1, &row->s);
        if (!p)
            return NULL;
    }
    return items.end && !items.object ? end_array(row, n, start, last, &items) : items.end;
}

const char *json_read_node(struct json_row *row, const struct json_node *n, const char *p)
{
    if (n->kind == JSON_LEAF)
        return json_read_leaf(row, n, p);
    if (n->depth == JSON_DEPTH)
        return json_fail(&row->s, p, "more than 1000 arrays and objects in each other");
    if (*p == (n->kind == JSON_OBJECT ? '{' : '['))
        return read_items(row, n, p);
    /* null in the place of an object or array: every value in it is missing. */
    const char *q = json_value(p, n->depth, &row->s);
    if (q && *p == 'n')
        ((struct json *)row->r->state)->hollow = true;
    if (!q || *p == 'n' || row->r->lenient)
        return q;
    return json_fail_showing(&row->s, p, (size_t)(q - p),
                             n->kind == JSON_OBJECT ? "expected an object, as in the first row"
                                                    : "expected an array, as in the first row",
                             "leave what is in it out with --exclude");
}

/* --- records --- */

/* Reads the record at p along the shape. */
static const char *read_record(struct json_row *row, const char *p)
{
    const struct json *j = row->j;
    if (j->rows == JSON_RECORDS && *p != '{')
        return json_fail(&row->s, p, "expected a record: an object in braces");
    if (j->rows == JSON_ARRAYS && *p != '[')
        return json_fail(&row->s, p, "expected an array");
    json_clear_row(row);
    const char *q = json_read_node(row, j->node[0], p);
    size_t time = row->r->columns.time;
    if (q && time != COLUMN_NONE && row->cell[row->r->columns.column[time].cell].at == SPLICE_ABSENT)
        return json_fail(&row->s, p, "a record without the time");
    return q;
}

/* The record at p as row i. */
static inline const char *read_row(struct json_row *row, const char *p)
{
    row->cell = row->b->cell + row->i * row->b->ncell;
    const char *q = row->j->nslot ? json_fast_record(row, p) : NULL;
    if (!q)
        q = read_record(row, p);
    if (q && q - p > FORMAT_MAXROW)
        return json_fail(&row->s, p, "a record is longer than 64 MiB");
    return q;
}

/* --- blocks --- */

/* Row i, whose record begins at p, has a fault: the block ends before it. */
static void fail_row(struct json_row *row, const char *p)
{
    struct block *b = row->b;
    const struct json *j = row->j;
    char prefix[sizeof j->prefix + 32];
    snprintf(prefix, sizeof prefix, j->lines ? "%s" : "%s[%llu]", j->prefix,
             (unsigned long long)(b->firstrow + row->i));
    json_explain(&row->s, b->text, p, prefix, &b->error);
    /* The text's first line may have begun in another block. */
    if (b->error.line == 1 && b->firstrow > 0 && !j->lines)
        b->error.at = 0;
    b->nrow = row->i;
    /* Where a block could end: before the record, or after the one before it; a bare number keeps its
     * blanks. */
    const char *last = row->i ? b->text + b->row[row->i - 1].at + b->row[row->i - 1].n : b->text;
    last = row->i && j->rows == JSON_NUMBERS ? json_space(last) : last;
    b->ntext = (size_t)((j->lines ? p : last) - b->text);
}

bool json_in_line(const char *start, const char *end, struct json_scan *s)
{
    const char *last = end ? end : s->at, *eol = memchr(start, '\n', (size_t)(last - start));
    if (eol)
        json_fail_showing(s, eol, 0, "a record is not whole at the end of its line",
                          "--from json reads a document of many lines");
    return !eol;
}

/* The end of the line of the record of jsonl from start to p (NULL: it has a fault), or NULL. */
static const char *end_line(struct json_row *row, const char *start, const char *p)
{
    if (!p) {
        /* That the line ends within the record is reported before any other fault. */
        struct json_scan s = row->s;
        if (!json_in_line(start, json_value(start, row->j->depth, &s), &s))
            row->s = s;
        return NULL;
    }
    if (!json_in_line(start, p, &row->s))
        return NULL;
    while (*p == ' ' || *p == '\t' || *p == '\r')
        p++;
    return *p == '\n' || p == row->s.end ? p
                                         : json_fail(&row->s, p, "text after the record, in the same line");
}

static void parse_rows(struct json_row *row, size_t nrow)
{
    struct block *b = row->b;
    const bool lines = row->j->lines;
    bool comma = !lines && b->firstrow > 0; /* before the next row */
    const char *p = json_space(b->text), *start = p, *end;
    for (; lines ? p < row->s.end : row->i < nrow; p = json_space(p)) {
        start = comma && *p == ',' ? json_space(p + 1) : p;
        if (comma && start == p)
            end = json_fail(&row->s, p, "expected ',' or ']'");
        else
            end = read_row(row, start);
        p = lines ? end_line(row, start, end) : end;
        if (!p) {
            fail_row(row, start);
            return;
        }
        b->row[row->i++] = (struct span){ (uint32_t)(start - b->text), (uint32_t)(end - start) };
        comma = !lines;
    }
    b->nrow = row->i;
    if (p < b->text + b->ntext) {
        json_fail(&row->s, p, "expected ',' or ']'");
        fail_row(row, p);
    }
}

void json_parse(const struct reader *r, struct block *b)
{
    struct json_row row = { r, r->state, b, 0, b->cell, { .end = b->text + b->ntext } };
    size_t nrow = b->nrow;
    row.s.end += *row.s.end != 0;
    b->eol = '\n';
    b->nline = block_count(b->text, b->ntext, b->eol);
    b->nrow = 0;
    if (b->error.kind != ERROR_NONE || nrow == 0)
        return;
    if (row.j->rows == JSON_COLUMNS)
        json_columns_parse(r, b);
    else
        parse_rows(&row, nrow);
}
