/* An object of columns: row i is element i of each array. The whole document is the text of one block, in
 * which the nodes of the shape have their places; parse and print go along the arrays. Invariant: after a
 * fault nothing of it is written, since its first row ends where its last one does. */
#include "formats/json/json.h"

#include "base/messages.h"

#include <math.h>

/* --- reading --- */

/* The node of an element's first value: of a vector its first element. */
static const struct json_node *first_leaf(const struct json_node *array)
{
    return array->child->child ? array->child->child : array->child;
}

/* The leaf whose elements are counted as rows: the time, or else the first channel, or else the first leaf.
 */
static const struct json_node *leading_leaf(const struct reader *r)
{
    const struct json *j = r->state;
    const struct columns *t = &r->columns;
    const struct json_node *first = NULL;
    for (size_t i = 0; i < j->nnode; i++) {
        size_t column = j->node[i]->column;
        if (column == COLUMN_NONE)
            continue;
        if (t->time == COLUMN_NONE ? t->column[column].role == ROLE_CHANNEL : column == t->time)
            return j->node[i];
        first = first ? first : j->node[i];
    }
    return first;
}

/* The array n has another length than the series, which has nrow rows by the leading column. One that is only
 * passed through is kept, and its cells are empty. */
static bool allow_length(const struct reader *r, struct json_node *n, size_t nrow, const char *leading,
                         struct error *e)
{
    const struct column *column = r->columns.column;
    const char *name = column[first_leaf(n)->column].name;
    n->wanted = false;
    for (const struct json_node *leaf = first_leaf(n); leaf; leaf = leaf->next)
        n->wanted |= column[leaf->column].role != ROLE_PASS;
    if (!n->wanted && r->messages)
        messages_add(r->messages, r->source->name,
                     "\"%s\" has %zu element%s and the series %zu row%s: it is left empty", name, n->count,
                     error_plural(n->count), nrow, error_plural(nrow));
    if (!n->wanted)
        return true;
    error_data(
        e,
        "the arrays of an object of columns differ in length: this one has %zu element%s, \"%.100s\" has %zu",
        n->count, error_plural(n->count), leading, nrow);
    error_column(e, name);
    return error_hint(e, "choose the columns to filter with --columns or --exclude");
}

bool json_columns_bind(struct reader *r, struct error *e)
{
    struct json *j = r->state;
    const struct json_node *leaf = leading_leaf(r), *leader = leaf;
    while (leader->kind != JSON_COLUMN)
        leader = leader->parent;
    j->nrow = leader->count;
    for (size_t i = 0; i < j->nnode; i++) {
        struct json_node *n = j->node[i];
        if (n->kind == JSON_COLUMN && n->wanted && n->count != leader->count &&
            !allow_length(r, n, leader->count, r->columns.column[leaf->column].name, e))
            return false;
    }
    return true;
}

static bool read_array(struct json_row *row, const struct json_node *n)
{
    struct json_items items = { .object = false };
    const char *p = n->at;
    row->cell = row->b->cell;
    for (row->i = 0; (p = json_next(&items, p, &row->s)); row->i++, row->cell += row->b->ncell) {
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
    size_t nrow = (size_t)j->nrow, leader = leading_leaf(r)->cell;
    for (; row.i < nrow; row.i++, row.cell += b->ncell)
        json_clear_row(&row);
    for (size_t i = 0; i < j->nnode; i++)
        if (j->node[i]->kind == JSON_COLUMN && j->node[i]->wanted && !read_array(&row, j->node[i])) {
            json_explain(&row.s, b->text, b->text, "$", &b->error);
            b->ntext = 0;
            return;
        }
    for (b->nrow = 0; b->nrow < nrow; b->nrow++) {
        struct span cell = b->cell[b->nrow * b->ncell + leader];
        b->row[b->nrow] = cell.n ? cell : (struct span){ 0, 0 };
    }
}

/* --- writing --- */

/* Puts the array n with its numbers replaced; *from: the text from here on was not yet copied. */
static bool put_array(const struct writer *w, struct block *b, const struct json_node *n, const char **from)
{
    for (size_t row = 0; row < b->nrow; row++)
        for (const struct json_node *leaf = first_leaf(n); leaf; leaf = leaf->next) {
            size_t out = leaf->column != COLUMN_NONE ? w->layout->replace[leaf->column] : COLUMN_NONE;
            if (out == COLUMN_NONE)
                continue;
            struct span cell = b->cell[row * b->ncell + leaf->cell];
            if (!writer_replaces(w, b, row, leaf->column) || cell.n == 0 ||
                block_out(b, out)[row] == block_value(b, leaf->value)[row])
                continue;
            if (!block_put(b, *from, (size_t)(b->text + cell.at - *from)) || !json_put_number(w, b, row, out))
                return false;
            *from = b->text + cell.at + cell.n;
        }
    return block_put(b, *from, (size_t)(n->end - *from));
}

static bool put_added(const struct writer *w, struct block *b, const struct json_added *a)
{
    const struct json_writer *jw = w->state;
    if (!json_put_text(b, a->open))
        return false;
    for (size_t i = 0; i < b->nrow; i++) {
        if (i > 0 && !json_put_text(b, a->next))
            return false;
        for (const struct splice_piece *p = jw->splice.piece + a->first; p < jw->splice.piece + a->end; p++)
            if (!block_put(b, p->text, p->ntext) ||
                (p->out != COLUMN_NONE && !json_put_number(w, b, i, p->out)))
                return false;
    }
    return json_put_text(b, a->close);
}

void json_columns_print(const struct writer *w, struct block *b)
{
    const struct json *j = w->reader->state;
    const struct json_writer *jw = w->state;
    const char *from = b->text;
    size_t k = 0;
    if (b->ntext < j->whole)
        return;
    for (size_t i = 0; i < j->nnode; i++) {
        const struct json_node *n = j->node[i];
        if (n->kind != JSON_COLUMN || !n->wanted)
            continue;
        if (!put_array(w, b, n, &from))
            return;
        from = n->end;
        for (; k < jw->nadded && jw->added[k].array == n; k++)
            if (!put_added(w, b, &jw->added[k]))
                return;
    }
    block_put(b, from, (size_t)(b->text + b->ntext - from));
}
