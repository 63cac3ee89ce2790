/* An object of columns: row i is element i of each array. The whole document is the text of one block, in
 * which the nodes of the shape have their places; parse (rows.c) and print go along the arrays. Invariant:
 * after a fault nothing of it is written, since its first row ends where its last one does. */
#include "formats/json/json.h"

#include "base/messages.h"

#include <math.h>

/* --- reading --- */

/* The node of an element's first value: of a vector its first element. */
static const struct json_node *first_leaf(const struct json_node *array)
{
    return array->child->child ? array->child->child : array->child;
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

/* Rows are counted by the time, or else the first channel, or else the first column. */
bool json_columns_bind(struct reader *r, struct error *e)
{
    struct json *j = r->state;
    const struct columns *t = &r->columns;
    size_t leading = t->time == COLUMN_NONE ? 0 : t->time;
    while (t->time == COLUMN_NONE && leading < t->ncolumn && t->column[leading].role != ROLE_CHANNEL)
        leading++;
    leading = leading < t->ncolumn ? leading : 0;
    for (size_t i = 0; i < j->nnode; i++)
        if (j->node[i]->column == leading)
            j->leader = j->node[i];
    const struct json_node *array = j->leader;
    while (array->kind != JSON_COLUMN)
        array = array->parent;
    j->nrow = array->count;
    for (size_t i = 0; i < j->nnode; i++) {
        struct json_node *n = j->node[i];
        if (n->kind == JSON_COLUMN && n->wanted && n->count != array->count &&
            !allow_length(r, n, array->count, t->column[leading].name, e))
            return false;
    }
    return true;
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
            double x = block_out(b, out)[row];
            struct span cell = b->cell[row * b->ncell + leaf->cell];
            if (isnan(x) || x == block_value(b, leaf->value)[row] || cell.n == 0)
                continue;
            if (!block_put(b, *from, (size_t)(b->text + cell.at - *from)) || !writer_put(w, b, row, out, '.'))
                return false;
            *from = b->text + cell.at + cell.n;
        }
    return block_put(b, *from, (size_t)(n->end - *from));
}

static bool put_added(const struct writer *w, struct block *b, const struct json_added *a)
{
    bool good = json_put_pieces(w, b, a->first, a->first + 1, 0);
    for (size_t row = 0; row < b->nrow && good; row++)
        good = json_put_pieces(w, b, a->first + (row > 0 ? 1 : 2), a->end - 1, row);
    return good && json_put_pieces(w, b, a->end - 1, a->end, 0);
}

void json_columns_print(const struct writer *w, struct block *b)
{
    const struct json *j = w->reader->state;
    const struct json_writer *jw = w->state;
    const char *from = b->text;
    size_t k = 0;
    if (b->nrow < j->nrow)
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
