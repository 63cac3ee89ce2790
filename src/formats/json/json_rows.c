/* Records into cells and numbers. A record is first compared with the first record: the bytes between values
 * must be equal, and only wanted values are read. Where bytes differ, or after any fault, the record is read
 * along the shape: members are expected in the order of the first record, and looked up by name in any other
 * order. Invariant: both ways find the same cells.
 *
 * A record may lack most members of the first record. The cells of records are listed (block.present), so
 * that the next use of a block makes only these cells absent again, and work after parsing skips what is
 * absent. */
#include "formats/json/json.h"

#include "number/fast_read.h"
#include "number/little_endian.h"

#include <math.h>
#include <stdio.h>

/* The row that is being parsed. */
struct json_row {
    const struct reader *r;
    const struct json *j;
    struct block *b;
    size_t i;
    struct span *cell;            /* of this row */
    size_t nrow;                  /* most rows in the block */
    struct present_cell *present; /* [npresent] block.present.cell: the cells of this row and of rows before;
                                     NULL: cells are not listed (an object of columns) */
    size_t npresent;
    size_t before; /* npresent at the begin of this row */
    bool narrow;   /* the block holds the columns of its table only: narrow_block */
    bool cleared;  /* all cells and numbers of this row and of later rows were made absent before they are set
                    */
    struct json_scan s;
    const char *last; /* end of the last record, or of the head: the block can be cut there, or, after a bare
                         number, behind the following blanks */
};

/* --- values --- */

/* The number from p to q. */
static const char *number(struct json_row *row, const struct json_node *n, const char *p, const char *q)
{
    double x;
    if (n->time) {
        struct timestamp *time = &row->b->time[row->i];
        number_read_decimal(p, q, '.', &x, &time->decimal);
        time->t = x;
    } else {
        number_read(p, q, '.', &x);
    }
    if (isinf(x))
        return json_fail_showing(&row->s, p, (size_t)(q - p), "this number is too large", NULL);
    bool gap = !n->plain && format_gap(row->r->options, p, (size_t)(q - p));
    if (n->value != COLUMN_NONE)
        block_value(row->b, n->value)[row->i] = gap ? (double)NAN : x;
    return q;
}

/* Takes a value from p to q that is no number, in the place of a number or a time. A missing value is valid,
 * and to a lenient reader any value. */
static const char *no_number(struct json_row *row, const struct json_node *n, const char *p, const char *q)
{
    const enum timestamp_form form = row->r->columns.form;
    const bool string = *p == '"';
    const char *text = p + string, *hint = n->time ? NULL : "leave this column out with --exclude";
    const size_t ntext = (size_t)(q - p) - 2 * string;
    bool gap = *p == 'n' || (string && format_gap(row->r->options, text, ntext));
    if (n->time && gap)
        return json_fail_showing(&row->s, p, (size_t)(q - p), "the time is missing",
                                 "number the rows with --rate HZ");
    if (n->time && form != TIMESTAMP_NUMBER) {
        const char *fault = timestamp_fault(form, text, ntext, &row->b->time[row->i]);
        if (string && !fault)
            return q;
        return json_fail_showing(&row->s, text, ntext, fault,
                                 "--time COLUMN names another time column, --rate HZ does without");
    }
    if (n->value != COLUMN_NONE)
        block_value(row->b, n->value)[row->i] = (double)NAN;
    if (!n->time && (gap || row->r->lenient))
        return q;
    const char *what = "expected a number";
    if (string)
        what = "a string, where a number should be";
    else if (*p == '{')
        what = "an object, where a number should be";
    else if (*p == '[')
        what = "an array, where a number should be";
    return json_fail_showing(&row->s, text, ntext, what, hint);
}

/* Lists a cell of this row, before the cell and its number are set. */
static inline void add_present(struct json_row *row, size_t cell, size_t value)
{
    if (row->present)
        row->present[row->npresent++] = (struct present_cell){ (uint32_t)cell, (uint32_t)value };
}

/* Reads the value of leaf n at p: sets the span of the cell, which is absent so far, and the number or the
 * time. */
static const char *read_leaf(struct json_row *row, const struct json_node *n, const char *p)
{
    struct span *cell = &row->cell[n->cell];
    if (cell->at != SPLICE_ABSENT)
        return json_fail(&row->s, p, "this name stands twice in one object");
    add_present(row, n->cell, n->value);
    const bool digit = n->numeric && (json_digit(*p) || *p == '-');
    const char *q = json_value(p, n->depth, &row->s);
    if (q && (n->numeric || n->time))
        q = (digit ? number : no_number)(row, n, p, q);
    if (q && q - p > FORMAT_MAXCELL)
        return json_fail_showing(&row->s, p, 40, "a value longer than 1 MiB", NULL);
    if (q)
        *cell = (struct span){ (uint32_t)(p - row->b->text), (uint32_t)(q - p) };
    return q;
}

/* Makes all cells and numbers of rows first to end - 1 absent. */
static void clear_rows(const struct json_row *row, size_t first, size_t end)
{
    const struct block *b = row->b;
    for (size_t k = first * b->ncell; k < end * b->ncell; k++)
        b->cell[k] = (struct span){ SPLICE_ABSENT, 0 };
    for (size_t k = 0; k < row->r->columns.nvalue; k++) {
        double *value = block_value(b, k);
        for (size_t i = first; i < end; i++)
            value[i] = (double)NAN;
    }
}

/* For diff, in a document of several tables: tells that the block holds the columns of its table only, and
 * makes the cells and numbers of these columns absent in all rows. */
static void narrow_block(const struct json_row *row)
{
    const struct json_tables *tables = row->j->tables;
    const struct columns *t = &row->r->columns;
    struct block *b = row->b;
    b->firstcolumn = tables->table[b->part].first > 0 ? tables->table[b->part].first : 1;
    b->endcolumn = tables->table[b->part].end;
    for (size_t i = 0; i<b->endcolumn; i = i> 0 ? i + 1 : b->firstcolumn) {
        const struct column *c = &t->column[i];
        for (size_t k = 0; k < row->nrow; k++) {
            if (c->cell != COLUMN_NONE)
                b->cell[k * b->ncell + c->cell] = (struct span){ SPLICE_ABSENT, 0 };
            if (c->value != COLUMN_NONE)
                block_value(b, c->value)[k] = (double)NAN;
        }
    }
    for (size_t k = 0; k < row->nrow; k++)
        for (size_t anchor = t->ncell; anchor < b->ncell; anchor++)
            b->cell[k * b->ncell + anchor] = (struct span){ SPLICE_ABSENT, 0 };
}

/* Makes cells and numbers of row i absent: those of block.present.cell from number `first` to end - 1. */
static void clear_present(const struct block *b, size_t i, size_t first, size_t end)
{
    const struct present_cell *present = b->present.cell;
    for (size_t k = first; k < end; k++) {
        b->cell[i * b->ncell + present[k].cell] = (struct span){ SPLICE_ABSENT, 0 };
        if (present[k].value != BLOCK_NO_VALUE)
            block_value(b, present[k].value)[i] = (double)NAN;
    }
}

/* Before the rows of a block: makes absent what is left of the block's last use, where that is listed. */
static void begin_rows(struct json_row *row)
{
    struct block *b = row->b;
    size_t nblank = b->present.nblank;
    for (size_t i = 0, first = 0; i < b->present.nlisted; first = b->present.end[i++])
        clear_present(b, i, first, b->present.end[i]);
    b->present.nlisted = 0;
    row->cleared = row->narrow || nblank > 0;
    if (row->cleared && !row->narrow && nblank < row->nrow)
        clear_rows(row, nblank, row->nrow);
}

/* Makes all cells and numbers of the row absent: the first time with those of all later rows, as columns are
 * filled faster than rows. */
static void clear_row(struct json_row *row)
{
    if (row->cleared)
        clear_present(row->b, row->i, row->before, row->npresent);
    else
        clear_rows(row, row->i, row->nrow);
    row->npresent = row->before;
    row->cleared = true;
}

/* After the rows of a block: tells which columns have cells, if most cells are absent. */
static void end_rows(struct json_row *row)
{
    struct block *b = row->b;
    struct present_cells *p = &b->present;
    size_t nblank = p->nblank;
    p->known = row->cleared && !row->narrow && row->npresent < b->nrow * b->ncell / 2 &&
               b->error.kind == ERROR_NONE;
    p->nblank = 0;
    if (!p->known)
        return;
    p->nblank = nblank > row->nrow ? nblank : row->nrow;
    p->nlisted = b->nrow;
    memset(p->filled, 0, (b->nvalue / 64 + 1) * sizeof *p->filled);
    for (size_t i = 0; i < row->npresent; i++)
        if (p->cell[i].value != BLOCK_NO_VALUE)
            p->filled[p->cell[i].value / 64] |= (uint64_t)1 << p->cell[i].value % 64;
}

/* --- along the shape --- */

static const char *read_node(struct json_row *row, const struct json_node *n, const char *p);

/* Reads the object or array at start. */
static const char *read_items(struct json_row *row, const struct json_node *n, const char *start)
{
    struct json_items items = { .object = *start == '{' };
    const struct json_node *next = n->child; /* the member that is expected next */
    const char *p = start, *last = start + 1;
    while ((p = json_next(&items, p, &row->s))) {
        const struct json_node *child = next;
        if (items.object &&
            (!next || next->nkey != items.nkey || memcmp(next->key, items.key, items.nkey) != 0))
            child = json_find(row->j, n, items.key, items.nkey);
        if (child && child->reserved)
            return json_fail_showing(
                &row->s, p, 0, "a derivative is added under this name, and the first record has none such",
                "leave derivatives out with --derivatives 0, or rename that member");
        next = child ? child->next : next;
        last = p = child && child->wanted ? read_node(row, child, p) : json_value(p, n->depth + 1, &row->s);
        if (!p)
            return NULL;
    }
    if (items.end && !items.object && !n->parent && items.count != n->count)
        return json_fail_showing(&row->s, start, (size_t)(items.end - start),
                                 "not as many elements as in the first array", NULL);
    if (!items.end || n->anchor == COLUMN_NONE)
        return items.end;
    if (row->cell[n->anchor].at != SPLICE_ABSENT)
        return json_fail(&row->s, start, "this name stands twice in one object");
    add_present(row, n->anchor, COLUMN_NONE);
    row->cell[n->anchor].at = (uint32_t)((n->parent ? items.end : last) - row->b->text);
    return items.end;
}

/* Reads the value of node n at p: all leaves of the node. */
static const char *read_node(struct json_row *row, const struct json_node *n, const char *p)
{
    if (n->kind == JSON_LEAF)
        return read_leaf(row, n, p);
    if (*p == (n->kind == JSON_OBJECT ? '{' : '['))
        return read_items(row, n, p);
    /* null in the place of an object or array: all values inside are missing. */
    const char *q = json_value(p, n->depth, &row->s);
    if (q && *p == 'n')
        ((struct json *)row->j)->null_nodes = true;
    if (!q || *p == 'n' || row->r->lenient)
        return q;
    return json_fail_showing(&row->s, p, (size_t)(q - p),
                             n->kind == JSON_OBJECT ? "expected an object, as in the first row"
                                                    : "expected an array, as in the first row",
                             "leave what is in it out with --exclude");
}

/* --- as laid out in the first record --- */

/* True if the text at p is that from `from` to `to` in the first record, one byte at least. */
static inline bool is_same(const char *p, const char *end, const char *from, const char *to)
{
    size_t n = (size_t)(to - from);
    if (n <= 8)
        return (little_endian_load(p) ^ little_endian_load(from)) << (64 - 8 * n) == 0;
    if (n <= 16)
        return little_endian_load(p) == little_endian_load(from) &&
               little_endian_load(p + n - 8) == little_endian_load(to - 8);
    return (size_t)(end - p) >= n && memcmp(p, from, n) == 0;
}

/* Reads the number of leaf n at p; NULL: the number is not short, or breaks JSON's grammar (digits on both
 * sides of the point, no leading zeros). */
static inline const char *read_short(struct json_row *row, const struct json_node *n, const char *p)
{
    struct number_short number;
    const char *first = p + (*p == '-'), *q = number_short_read(p, '.', &number);
    if (!q || !json_digit(*first) || (*first == '0' && json_digit(first[1])) || !json_digit(q[-1]) ||
        *q == '.' || (*q | 0x20) == 'e')
        return NULL;
    double x = number_short_double(number);
    add_present(row, n->cell, n->value);
    if (n->time)
        row->b->time[row->i] = (struct timestamp){ x, number_short_decimal(number) };
    if (n->value != COLUMN_NONE)
        block_value(row->b, n->value)[row->i] = x;
    row->cell[n->cell] = (struct span){ (uint32_t)(p - row->b->text), (uint32_t)(q - p) };
    return q;
}

/* Reads the value of node n at p if the value is laid out as in the first record, where no name stands twice.
 * NULL: the layout differs, or there is a fault; the cells of the row are then in any state. */
static const char *read_same(struct json_row *row, const struct json_node *n, const char *p)
{
    const char *last = p;
    if (n->kind == JSON_LEAF) {
        row->cell[n->cell].at = SPLICE_ABSENT;
        return read_leaf(row, n, p);
    }
    for (const struct json_node *child = n->child; child; child = child->next) {
        if (!is_same(p, row->s.end, child->before, child->at))
            return NULL;
        p += child->at - child->before;
        last = NULL;
        if (!child->wanted)
            last = json_value(p, child->depth, &row->s);
        else if (child->plain)
            last = read_short(row, child, p);
        if (!last && child->wanted)
            last = read_same(row, child, p);
        if (!last)
            return NULL;
        p = last;
    }
    if (!is_same(p, row->s.end, n->after, n->end))
        return NULL;
    p += n->end - n->after;
    if (n->anchor == COLUMN_NONE)
        return p;
    add_present(row, n->anchor, COLUMN_NONE);
    row->cell[n->anchor] = (struct span){ (uint32_t)((n->parent ? p : last) - row->b->text), 0 };
    return p;
}

/* Reads the record at p along the shape. */
static const char *read_record(struct json_row *row, const char *p)
{
    const struct json *j = row->j;
    if (j->rows == JSON_RECORDS && *p != '{')
        return json_fail(&row->s, p, "expected a record: an object in braces");
    if (j->rows == JSON_ARRAYS && *p != '[')
        return json_fail(&row->s, p, "expected an array");
    clear_row(row);
    const char *q = read_node(row, j->node[0], p);
    size_t time = row->r->columns.time;
    if (q && time != COLUMN_NONE && row->cell[row->r->columns.column[time].cell].at == SPLICE_ABSENT)
        return json_fail(&row->s, p, "a record without the time");
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
    b->nrow = row->i;
    const char *last = row->i && j->rows == JSON_NUMBERS ? json_space(row->last) : row->last;
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

/* The end of the line of a record of jsonl from start to p; p NULL: the record has a fault. NULL: there is a
 * fault. */
static const char *end_line(struct json_row *row, const char *start, const char *p)
{
    /* That the line ends within the record is reported before any other fault. */
    struct json_scan s = row->s;
    if (!json_in_line(start, p ? p : json_value(start, 0, &s), &s)) {
        row->s = s;
        return NULL;
    }
    if (!p)
        return NULL;
    while (*p == ' ' || *p == '\t' || *p == '\r')
        p++;
    return *p == '\n' || p == row->s.end ? p
                                         : json_fail(&row->s, p, "text after the record, in the same line");
}

static void parse_rows(struct json_row *row)
{
    struct block *b = row->b;
    const bool lines = row->j->lines;
    bool comma = !lines && b->firstrow > 0; /* before the next row */
    const char *p = json_space(row->last), *start = p, *end;
    for (; lines ? p < row->s.end : row->i < row->nrow; p = json_space(p)) {
        start = comma && *p == ',' ? json_space(p + 1) : p;
        row->cell = b->cell + row->i * b->ncell;
        row->before = row->npresent;
        end = row->j->same_layout && !(comma && start == p) ? read_same(row, row->j->node[0], start) : NULL;
        if (comma && start == p)
            json_fail(&row->s, p, "expected ',' or ']'");
        else if (!end)
            end = read_record(row, start);
        if (end && end - start > FORMAT_MAXROW)
            end = json_fail(&row->s, start, "a record is longer than 64 MiB");
        p = lines ? end_line(row, start, end) : end;
        if (!p) {
            fail_row(row, start);
            return;
        }
        row->last = end;
        b->present.end[row->i] = (uint32_t)row->npresent;
        b->row[row->i++] = (struct span){ (uint32_t)(start - b->text), (uint32_t)(end - start) };
        comma = !lines;
    }
    b->nrow = row->i;
    if (p < b->text + b->ntext) {
        json_fail(&row->s, p, "expected ',' or ']'");
        fail_row(row, p);
    }
}

/* Reads an object of columns, array by array. */
static void parse_columns(struct json_row *row)
{
    const struct json *j = row->j;
    struct block *b = row->b;
    b->present.nblank = 0;
    if (!row->narrow)
        clear_rows(row, 0, row->nrow);
    for (size_t i = 0; i < row->nrow && row->r->columns.time != COLUMN_NONE; i++)
        b->time[i] = (struct timestamp){ 0 }; /* a table that is only looked at may have no times */
    for (size_t i = 0; i < j->nnode; i++) {
        const struct json_node *n = j->node[i];
        struct json_items items = { .object = false };
        if (n->kind != JSON_COLUMN || !n->wanted)
            continue;
        const char *p = json_place(j, b, n->at);
        const bool components = json_has_components(n);
        const struct json_node *first = components ? n->child->child : n->child, *value = first;
        row->i = 0;
        for (row->cell = b->cell; p && (p = json_next(&items, p, &row->s));) {
            p = value->wanted ? read_node(row, value, p) : json_value(p, value->depth, &row->s);
            value = value->next;
            if (!value) {
                value = first;
                row->cell += b->ncell;
                row->i++;
            }
        }
        if (!items.end) {
            const char *top = j->tables ? json_place(j, b, j->node[0]->at) : b->text;
            const char *prefix = j->tables ? j->prefix : "$";
            json_explain(&row->s, b->text, top, prefix, &b->error);
            b->ntext = 0;
            return;
        }
    }
    for (b->nrow = 0; b->nrow < row->nrow; b->nrow++) {
        struct span cell = b->cell[b->nrow * b->ncell + j->leader];
        b->row[b->nrow] = cell.n ? cell : (struct span){ 0, 0 };
    }
}

void json_parse(const struct reader *r, struct block *b)
{
    struct json_row row = {
        .r = r,
        .j = json_of_block(r, b),
        .b = b,
        .cell = b->cell,
        .nrow = b->nrow,
        .s = { .end = b->text + b->ntext },
        .last = b->text,
    };
    row.last += b->firstrow == 0 ? row.j->nhead : 0;
    row.s.end += *row.s.end != 0;
    b->eol = '\n';
    b->nline = block_count(b->text, b->ntext, b->eol);
    b->nrow = 0;
    b->present.known = false;
    if (b->error.kind != ERROR_NONE || row.nrow == 0)
        return;
    row.narrow = r->own_columns && row.j->tables;
    if (row.narrow)
        narrow_block(&row);
    if (row.j->rows == JSON_COLUMNS) {
        parse_columns(&row);
        return;
    }
    row.present = b->present.cell;
    begin_rows(&row);
    parse_rows(&row);
    end_rows(&row);
}
