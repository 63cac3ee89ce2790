/* An object of columns: row i is element i of each array. The whole document is the text of one block, in
 * which the nodes of the shape have their places; parse and print go along the arrays. Invariant: after a
 * fault nothing of it is written, since its first row ends where its last one does. */
#include "formats/json/write.h"

#include "base/messages.h"

#include <math.h>

/* --- reading --- */

/* True if a column of the node is more than passed through. */
static bool is_used(const struct columns *t, const struct json_node *n)
{
    bool used = n->column != COLUMN_NONE && t->column[n->column].role != ROLE_PASS;
    for (const struct json_node *child = n->child; child; child = child->next)
        used |= is_used(t, child);
    return used;
}

/* The node of an element's first value: of a vector its first element. */
static const struct json_node *first_leaf(const struct json_node *array)
{
    return array->child->child ? array->child->child : array->child;
}

/* The array that a column of the table comes from. */
static const struct json_node *find_array(const struct json *j, size_t column)
{
    const struct json_node *n = j->node[0];
    for (size_t i = 0; i < j->nnode; i++)
        if (j->node[i]->column == column)
            n = j->node[i];
    while (n->kind != JSON_COLUMN)
        n = n->parent;
    return n;
}

/* The column whose elements are counted as rows: the time, or else the first channel. */
static size_t leading_column(const struct columns *t)
{
    for (size_t i = 0; i < t->ncolumn && t->time == COLUMN_NONE; i++)
        if (t->column[i].role == ROLE_CHANNEL)
            return i;
    return t->time;
}

/* The array n has another length than the series. One that is passed through is left as it is, and its cells
 * are empty. */
static bool allow_length(const struct reader *r, struct json_node *n, size_t leader, struct error *e)
{
    const struct columns *t = &r->columns;
    const struct json *j = r->state;
    const char *name = t->column[first_leaf(n)->column].name;
    size_t nrow = (size_t)j->nrow;
    n->wanted = is_used(t, n);
    if (!n->wanted && r->messages)
        messages_add(r->messages, r->source->name,
                     "\"%s\" has %zu element%s and the series %zu row%s: it is left empty", name, n->count,
                     error_plural(n->count), nrow, error_plural(nrow));
    if (!n->wanted)
        return true;
    error_data(
        e,
        "the arrays of an object of columns differ in length: this one has %zu element%s, \"%.100s\" has %zu",
        n->count, error_plural(n->count), t->column[leader].name, nrow);
    error_column(e, name);
    return error_hint(e, "choose the columns to filter with --columns or --exclude");
}

bool json_columns_check(struct reader *r, struct error *e)
{
    struct json *j = r->state;
    size_t leader = leading_column(&r->columns);
    for (size_t i = 0; i < j->nnode; i++)
        if (j->node[i]->wanted && j->node[i]->again) {
            struct json_scan s = json_scan_rest(j);
            json_fail(&s, j->node[i]->again, "this name stands twice in one object");
            return json_explain_rest(j, &s, j->rest, "$", e);
        }
    j->nrow = find_array(j, leader)->count;
    for (size_t i = 0; i < j->nnode; i++) {
        struct json_node *n = j->node[i];
        if (n->kind == JSON_COLUMN && n->wanted && n->count != j->nrow && !allow_length(r, n, leader, e))
            return false;
    }
    return true;
}

static bool read_array(struct json_row *row, const struct json_node *n)
{
    struct json_items items = { .object = false };
    const char *p = n->at;
    for (row->i = 0; (p = json_next(&items, p, &row->s)); row->i++) {
        row->cell = row->b->cell + row->i * row->b->ncell;
        p = json_read_node(row, n->child, p);
        if (!p)
            return false;
    }
    return true;
}

void json_columns_parse(const struct reader *r, struct block *b)
{
    const struct json *j = r->state;
    struct json_row row = { r, j, b, 0, b->cell, { .end = b->text + b->ntext } };
    size_t nrow = (size_t)j->nrow, leader = r->columns.column[leading_column(&r->columns)].cell;
    for (; row.i < nrow; row.i++) {
        row.cell = b->cell + row.i * b->ncell;
        json_clear_row(&row);
    }
    for (size_t i = 0; i < j->nnode; i++)
        if (j->node[i]->kind == JSON_COLUMN && j->node[i]->wanted && !read_array(&row, j->node[i])) {
            json_explain(&row.s, b->text, b->text, "$", &b->error);
            b->ntext = 0;
            return;
        }
    for (size_t i = 0; i < nrow; i++) {
        struct span cell = b->cell[i * b->ncell + leader];
        b->row[i] = cell.n ? cell : (struct span){ 0, 0 };
    }
    b->nrow = nrow;
}

/* --- writing --- */

/* Puts the array n with its numbers replaced; *from: the text from here on was not yet copied. */
static bool put_array(const struct writer *w, struct block *b, const struct json_node *n, const char **from)
{
    for (size_t row = 0; row < b->nrow; row++)
        for (const struct json_node *leaf = first_leaf(n); leaf; leaf = leaf->next) {
            size_t out = leaf->column != COLUMN_NONE ? w->layout->replace[leaf->column] : COLUMN_NONE;
            if (out == COLUMN_NONE || isnan(block_out(b, out)[row]))
                continue;
            struct span cell = b->cell[row * b->ncell + leaf->cell];
            if (cell.n == 0)
                continue;
            if (!block_put(b, *from, (size_t)(b->text + cell.at - *from)) || !json_put_number(w, b, row, out))
                return false;
            *from = b->text + cell.at + cell.n;
        }
    return block_put(b, *from, (size_t)(n->end - *from));
}

static bool put_added(const struct writer *w, struct block *b, const struct json_added *a)
{
    if (!json_put_text(b, a->open))
        return false;
    for (size_t i = 0; i < b->nrow; i++)
        for (size_t k = 0; k < a->nout; k++)
            if (!json_put_text(b, k > 0   ? a->comma
                                  : i > 0 ? a->next
                                          : "") ||
                !json_put_number(w, b, i, a->out[k]))
                return false;
    return json_put_text(b, a->close);
}

void json_columns_print(const struct writer *w, struct block *b)
{
    const struct json *j = w->reader->state;
    const struct json_writer *jw = w->state;
    const struct json_added *a = jw->added, *end = a + jw->nadded;
    const char *from = b->text;
    if (b->ntext < j->whole)
        return;
    for (size_t i = 0; i < j->nnode; i++) {
        const struct json_node *n = j->node[i];
        if (n->kind != JSON_COLUMN || !n->wanted)
            continue;
        if (!put_array(w, b, n, &from))
            return;
        from = n->end;
        for (; a < end && a->array == n; a++)
            if (!put_added(w, b, a))
                return;
    }
    block_put(b, from, (size_t)(b->text + b->ntext - from));
}
