/* Records into spans and numbers. A record is first tried by the layout of the first one (json_layout.c). One
 * that is laid out otherwise is read along the tree: its members are expected in the order of the first
 * record's, and looked up when they are not there (along_tree). */
#include "formats/json/json.h"

#include "formats/splice.h"
#include <math.h>
#include <stdio.h>

/* --- values --- */

static const char *too_large(struct json_row *row, const char *p, const char *end)
{
    json_fail(&row->s, p, "this number is too large");
    row->s.nexcerpt = (size_t)(end - p);
    return NULL;
}

/* The number at p, by JSON's grammar, which is narrower than number_read's. */
static const char *number(struct json_row *row, const struct json_node *n, const char *p)
{
    const char *digit = p + (*p == '-'), *q = digit;
    while (json_digit(*q))
        q++;
    if (q == digit || (*digit == '0' && q > digit + 1) || (*q == '.' && !json_digit(q[1])))
        return json_value(p, 0, &row->s);
    double x;
    if (n->time) {
        struct timestamp *stamp = &row->b->stamp[row->i];
        q = number_read_decimal(p, row->s.end, '.', &x, &stamp->decimal);
        stamp->t = x;
    } else {
        q = number_read(p, row->s.end, '.', &x);
    }
    if ((*q | 0x20) == 'e' || *q == '.')
        return json_value(p, 0, &row->s);
    if (isinf(x))
        return too_large(row, p, q);
    if (n->value != COLUMN_NONE)
        block_value(row->b, n->value)[row->i] = x;
    return q;
}

static const char *fail_showing(struct json_row *row, const char *p, size_t n, const char *what,
                                const char *hint)
{
    json_fail(&row->s, p, what);
    row->s.nexcerpt = n;
    row->s.hint = hint;
    return NULL;
}

/* What stands at p where a number should be; up to q. A gap is good, and whatever else when rows are only
 * compared. */
static const char *no_number(struct json_row *row, const struct json_node *n, const char *p, const char *q)
{
    size_t length = (size_t)(q - p);
    bool gap = *p == 'n' || (*p == '"' && format_gap(row->r->options, p + 1, length - 2));
    if (n->time && gap)
        return fail_showing(row, p, length, "the time is missing", "number the rows with --rate HZ");
    if (n->value != COLUMN_NONE)
        block_value(row->b, n->value)[row->i] = (double)NAN;
    if (!n->time && (gap || row->r->lenient))
        return q;
    if (*p == '"')
        return fail_showing(row, p + 1, length - 2, "a string, where a number should be",
                            n->time ? NULL : "leave this column out with --exclude");
    return fail_showing(row, p, length,
                        *p == '{'   ? "an object, where a number should be"
                        : *p == '[' ? "an array, where a number should be"
                                    : "expected a number",
                        n->time ? NULL : "leave this column out with --exclude");
}

const char *json_take(struct json_row *row, const struct json_node *n, const char *p, size_t depth)
{
    struct span *cell = &row->cell[n->cell];
    bool numeric = n->time || n->value != COLUMN_NONE;
    const char *q;
    if (cell->at != SPLICE_ABSENT)
        return json_fail(&row->s, p, "this name stands twice in one object");
    if (numeric && (json_digit(*p) || *p == '-')) {
        q = number(row, n, p);
        if (q && row->j->missing && !n->time && format_gap(row->r->options, p, (size_t)(q - p)))
            block_value(row->b, n->value)[row->i] = (double)NAN;
    } else {
        q = json_value(p, depth, &row->s);
        if (q && numeric)
            q = no_number(row, n, p, q);
    }
    if (!q)
        return NULL;
    if (q - p > FORMAT_MAXCELL)
        return fail_showing(row, p, 40, "a value longer than 1 MiB", NULL);
    *cell = (struct span){ (uint32_t)(p - row->b->text), (uint32_t)(q - p) };
    return q;
}

void json_clear(const struct json_row *row)
{
    for (size_t k = 0; k < row->j->ncell; k++)
        row->cell[k] = (struct span){ SPLICE_ABSENT, 0 };
    for (size_t k = 0; k < row->r->columns.nvalue; k++)
        block_value(row->b, k)[row->i] = (double)NAN;
}

/* --- along the tree --- */

static const char *along_tree(struct json_row *row, const struct json_node *n, const char *p, size_t depth);

static const char *member(struct json_row *row, const struct json_node *n, const char *p, size_t depth,
                          size_t *next)
{
    const struct json_node *child = *next < n->nchild ? n->child[*next] : NULL;
    if (*p != '"')
        return json_fail(&row->s, p, "expected a name in quotes");
    if (child && child->nkey + 2 < (size_t)(row->s.end - p) && memcmp(p + 1, child->key, child->nkey) == 0 &&
        p[child->nkey + 1] == '"') {
        p += child->nkey + 2;
        ++*next;
    } else {
        const char *key = p + 1;
        p = json_string(p, &row->s);
        if (!p)
            return NULL;
        child = json_tree_find(n, key, (size_t)(p - key) - 1);
        *next = child ? child->index + 1 : *next;
    }
    p = json_space(p);
    if (*p != ':')
        return json_fail(&row->s, p, "expected ':'");
    p = json_space(p + 1);
    if (child && child->taken)
        return fail_showing(row, p, 0,
                            "a derivative is added under this name, and the first record has none such",
                            "leave derivatives out with --derivatives 0, or rename that member");
    return child && child->wanted ? along_tree(row, child, p, depth) : json_value(p, depth, &row->s);
}

static const char *members(struct json_row *row, const struct json_node *n, const char *p, size_t depth)
{
    size_t next = 0;
    p = json_space(p + 1);
    if (*p == '}')
        return p + 1;
    for (;;) {
        p = member(row, n, p, depth, &next);
        if (!p)
            return NULL;
        p = json_space(p);
        if (*p == '}')
            return p + 1;
        if (*p != ',')
            return json_fail(&row->s, p, "expected ',' or '}'");
        p = json_space(p + 1);
    }
}

static const char *elements(struct json_row *row, const struct json_node *n, const char *start, size_t depth)
{
    const char *p = json_space(start + 1), *end = start + 1;
    size_t i = 0;
    for (bool more = *p != ']'; more; i++) {
        const struct json_node *child = i < n->nchild ? n->child[i] : NULL;
        end = p = child && child->wanted ? along_tree(row, child, p, depth) : json_value(p, depth, &row->s);
        if (!p)
            return NULL;
        p = json_space(p);
        more = *p == ',';
        if (!more && *p != ']')
            return json_fail(&row->s, p, "expected ',' or ']'");
        p = more ? json_space(p + 1) : p;
    }
    if (!n->parent && i != n->nchild)
        return fail_showing(row, start, (size_t)(p + 1 - start), "not as many elements as in the first array",
                            NULL);
    if (n->anchor != COLUMN_NONE) {
        const char *at = n->parent ? start : end;
        if (row->cell[n->anchor].at != SPLICE_ABSENT)
            return json_fail(&row->s, start, "this name stands twice in one object");
        row->cell[n->anchor] = (struct span){ (uint32_t)(at - row->b->text),
                                              (uint32_t)(n->parent ? p + 1 - start : 0) };
    }
    return p + 1;
}

static const char *along_tree(struct json_row *row, const struct json_node *n, const char *p, size_t depth)
{
    if (n->kind == JSON_LEAF)
        return json_take(row, n, p, depth);
    if (depth == JSON_DEPTH)
        return json_fail(&row->s, p, "more than 1000 arrays and objects in each other");
    if (n->kind == JSON_OBJECT && *p == '{')
        return members(row, n, p, depth + 1);
    if (n->kind == JSON_ARRAY && *p == '[')
        return elements(row, n, p, depth + 1);
    /* null, where the first record has more: everything in it is a gap. */
    const char *q = json_value(p, depth, &row->s);
    if (q && *p == 'n')
        ((struct json *)row->r->state)->hollow = true;
    if (!q || *p == 'n' || row->r->lenient)
        return q;
    return fail_showing(row, p, (size_t)(q - p),
                        n->kind == JSON_OBJECT ? "expected an object, as in the first record"
                                               : "expected an array, as in the first record",
                        "leave what is in it out with --exclude");
}

/* --- records --- */

/* The record at p, laid out in its own way, as row i. */
static const char *other_record(struct json_row *row, const char *p)
{
    const struct json *j = row->j;
    if (j->shape == JSON_RECORDS && *p != '{')
        return json_fail(&row->s, p, "expected a record: an object in braces");
    if (j->shape == JSON_ARRAYS && *p != '[')
        return json_fail(&row->s, p, "expected an array");
    json_clear(row);
    const char *q = along_tree(row, j->root, p, j->depth);
    size_t time = row->r->columns.time;
    if (q && time != COLUMN_NONE && row->cell[row->r->columns.column[time].cell].at == SPLICE_ABSENT)
        return json_fail(&row->s, p, "a record without the time");
    return q;
}

/* The record at p as row i. */
static inline const char *record(struct json_row *row, const char *p)
{
    const char *q = row->j->nslot ? json_by_layout(row, p) : NULL;
    if (!q)
        q = other_record(row, p);
    if (q && q - p > FORMAT_MAXROW)
        return json_fail(&row->s, p, "a record is longer than 64 MiB");
    return q;
}

/* --- blocks --- */

/* Row i has a fault; its record begins at p. */
static void fail(struct json_row *row, const char *p)
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
    last = row->i && j->shape == JSON_NUMBERS ? json_space(last) : last;
    b->ntext = (size_t)((j->lines ? p : last) - b->text);
}

/* Records between commas. */
static void parse_array(struct json_row *row, size_t nrow)
{
    struct block *b = row->b;
    const char *p = b->text, *start;
    for (; row->i < nrow; row->i++) {
        start = p = json_space(p);
        bool comma = b->firstrow + row->i > 0;
        if (!comma || *p == ',') {
            start = p = json_space(p + comma);
            row->cell = b->cell + row->i * b->ncell;
            p = record(row, p);
        } else {
            p = json_fail(&row->s, p, "expected ',' or ']'");
        }
        if (!p) {
            fail(row, start);
            return;
        }
        b->row[row->i] = (struct span){ (uint32_t)(start - b->text), (uint32_t)(p - start) };
    }
    p = json_space(p);
    if (p >= b->text + b->ntext) {
        b->nrow = row->i;
        return;
    }
    json_fail(&row->s, p, "expected ',' or ']'");
    fail(row, p);
}

/* The record that begins at p must end in its line. */
static const char *end_line(struct json_row *row, const char *start, const char *p)
{
    /* What follows the line must not matter to what is said: a value that goes on there is that fault before
     * others. */
    struct json_scan s = row->s;
    const char *to = p ? p : json_value(start, row->j->depth, &s);
    to = to ? to : s.at;
    const char *eol = memchr(start, '\n', (size_t)(to - start));
    if (eol)
        return fail_showing(row, eol, 0, "a record is not whole at the end of its line",
                            "--from json reads a document of many lines");
    if (!p)
        return NULL;
    while (*p == ' ' || *p == '\t' || *p == '\r')
        p++;
    return *p == '\n' || p == row->s.end ? p
                                         : json_fail(&row->s, p, "text after the record, in the same line");
}

static void parse_lines(struct json_row *row)
{
    struct block *b = row->b;
    for (const char *start = json_space(b->text), *p; start < row->s.end; start = json_space(p)) {
        row->cell = b->cell + row->i * b->ncell;
        const char *end = record(row, start);
        p = end_line(row, start, end);
        if (!p) {
            fail(row, start);
            return;
        }
        b->row[row->i++] = (struct span){ (uint32_t)(start - b->text), (uint32_t)(end - start) };
    }
    b->nrow = row->i;
}

void json_parse(const struct reader *r, struct block *b)
{
    struct json_row row = { r, r->state, b, 0, b->cell, { .end = b->text + b->ntext } };
    size_t nrow = b->nrow;
    row.s.end += *row.s.end != 0;
    b->nline = block_count(b->text, b->ntext, '\n');
    b->nrow = 0;
    if (b->error.kind != ERROR_NONE || nrow == 0)
        return;
    if (row.j->shape == JSON_COLUMNS)
        json_columns_parse(r, b);
    else if (row.j->lines)
        parse_lines(&row);
    else
        parse_array(&row, nrow);
}
