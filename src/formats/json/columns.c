/* An object of columns: row i is element i of each array. It is held whole, as the text of one block, in
 * which the nodes of the tree know their places; parse and print go along the arrays. Invariant: after a
 * fault nothing of it is written, since its first row ends where its last one does. */
#include "formats/json/write.h"

#include "base/messages.h"
#include <math.h>
#include <stdlib.h>

/* --- reading --- */

/* The column of the table that an array is, or its first. */
static size_t column_of(const struct json_node *n)
{
    return n->nchild ? n->child[0]->column : n->column;
}

/* Looks for a filtered column that has not as many elements as count says, and returns it, or NULL. Others of
 * that kind are no rows: they are not wanted. */
static const struct json_node *uneven(const struct reader *r, struct json_node *n, size_t count)
{
    if (n->kind == JSON_COLUMN && n->wanted && n->count != count) {
        bool pass = column_of(n) == COLUMN_NONE || r->columns.column[column_of(n)].role == ROLE_PASS;
        for (size_t i = 0; i < n->nchild; i++)
            pass &= n->child[i]->column == COLUMN_NONE ||
                    r->columns.column[n->child[i]->column].role == ROLE_PASS;
        n->wanted = !pass;
        if (pass && r->messages)
            messages_add(r->messages, r->source->name,
                      "\"%s\" has %zu element%s and the series %zu row%s: it is left empty",
                      r->columns.column[column_of(n)].name, n->count, error_plural(n->count), count,
                      error_plural(count));
        return pass ? NULL : n;
    }
    for (size_t i = 0; i < n->nchild; i++) {
        const struct json_node *found = uneven(r, n->child[i], count);
        if (found)
            return found;
    }
    return NULL;
}

/* The array that a column of the table comes from. */
static const struct json_node *array_of(const struct json_node *n, size_t column)
{
    for (size_t i = 0; i < n->nchild; i++) {
        const struct json_node *found = array_of(n->child[i], column);
        if (found)
            return n->kind == JSON_COLUMN ? n : found;
    }
    return n->column == column ? n : NULL;
}

/* The column whose rows count: the time, or else the first channel. */
static size_t leading_column(const struct columns *t)
{
    for (size_t i = 0; i < t->ncolumn && t->time == COLUMN_NONE; i++)
        if (t->column[i].role == ROLE_CHANNEL)
            return i;
    return t->time;
}

/* A wanted member whose name stands twice in its object, or NULL. */
static const struct json_node *repeated(const struct json_node *n)
{
    const struct json_node *found = n->wanted && n->again ? n : NULL;
    for (size_t i = 0; i < n->nchild && !found; i++)
        found = repeated(n->child[i]);
    return found;
}

bool json_columns_check(struct reader *r, struct error *e)
{
    struct json *j = r->state;
    const struct columns *t = &r->columns;
    const struct json_node *twice = repeated(j->root);
    if (twice) {
        struct json_scan s = json_scan_rest(j);
        json_fail(&s, twice->again, "this name stands twice in one object");
        return json_explain_rest(j, &s, j->rest, "$", e);
    }
    size_t leader = leading_column(t);
    j->nrow = array_of(j->root, leader)->count;
    const struct json_node *odd = uneven(r, j->root, (size_t)j->nrow);
    if (!odd)
        return true;
    error_data(
        e,
        "the arrays of an object of columns differ in length: this one has %zu element%s, \"%.100s\" has %zu",
        odd->count, error_plural(odd->count), t->column[leader].name, (size_t)j->nrow);
    error_column(e, t->column[column_of(odd)].name);
    return error_hint(e, "choose the columns to filter with --columns or --exclude");
}

enum loaded json_columns_load(struct reader *r, struct block *b, struct error *e)
{
    struct json *j = r->state;
    const struct columns *t = &r->columns;
    size_t nrow = (size_t)j->nrow;
    if (j->nrest == 0)
        return LOAD_END;
    free(b->text);
    b->text = j->rest;
    b->ntext = j->nrest;
    b->maxtext = j->maxrest;
    j->rest = NULL;
    j->nrest = j->maxrest = 0;
    if (!block_reserve(b, nrow, j->ncell, t->nvalue, r->nout, t->time != COLUMN_NONE, e))
        return LOAD_ERROR;
    b->nrow = nrow;
    return LOAD_ROWS;
}

/* One element of a column of vectors. */
static const char *take_vector(struct json_row *row, const struct json_node *n, const char *p)
{
    if (*p != '[') {
        const char *q = json_value(p, 0, &row->s);
        return !q || *p == 'n' || row->r->lenient
                   ? q
                   : json_fail(&row->s, p, "expected an array, as in the first row");
    }
    p = json_space(p + 1);
    for (size_t i = 0; *p != ']'; i++) {
        const struct json_node *child = i < n->nchild && n->child[i]->wanted ? n->child[i] : NULL;
        p = child ? json_take(row, child, p, 0) : json_value(p, 0, &row->s);
        if (!p)
            return NULL;
        p = json_space(p);
        p = json_space(p + (*p == ','));
    }
    return p + 1;
}

static bool take_array(struct json_row *row, const struct json_node *n, size_t nrow)
{
    const char *p = json_space(n->at + 1);
    for (row->i = 0; row->i < nrow; row->i++) {
        row->cell = row->b->cell + row->i * row->b->ncell;
        p = n->nchild ? take_vector(row, n, p) : json_take(row, n, p, 0);
        if (!p)
            return false;
        p = json_space(p);
        p = json_space(p + (*p == ','));
    }
    return true;
}

static bool take_arrays(struct json_row *row, const struct json_node *n, size_t nrow)
{
    if (n->kind == JSON_COLUMN)
        return !n->wanted || take_array(row, n, nrow);
    for (size_t i = 0; i < n->nchild; i++)
        if (!take_arrays(row, n->child[i], nrow))
            return false;
    return true;
}

void json_columns_parse(const struct reader *r, struct block *b)
{
    const struct json *j = r->state;
    struct json_row row = { r, j, b, 0, b->cell, { .end = b->text + b->ntext } };
    size_t nrow = (size_t)j->nrow, leader = r->columns.column[leading_column(&r->columns)].cell;
    for (; row.i < nrow; row.i++) {
        row.cell = b->cell + row.i * b->ncell;
        json_clear(&row);
    }
    if (!take_arrays(&row, j->root, nrow)) {
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

/* The array of node n with its numbers replaced; *from is what was not yet copied. */
static bool put_array(const struct writer *w, struct block *b, const struct json_node *n, const char **from)
{
    size_t nleaf = n->nchild ? n->nchild : 1;
    for (size_t i = 0; i < b->nrow * nleaf; i++) {
        const struct json_node *leaf = n->nchild ? n->child[i % nleaf] : n;
        size_t row = i / nleaf,
               out = leaf->column != COLUMN_NONE ? w->layout->replace[leaf->column] : COLUMN_NONE;
        if (out == COLUMN_NONE || isnan(block_out(b, out)[row]))
            continue;
        struct span cell = b->cell[row * b->ncell + leaf->cell];
        if (cell.n == 0)
            continue;
        if (!block_put(b, *from, (size_t)(b->text + cell.at - *from)) || !json_put_number(w, b, row, out))
            return false;
        *from = b->text + cell.at + cell.n;
    }
    return true;
}

static bool put_text(struct block *b, const char *text)
{
    return block_put(b, text, strlen(text));
}

static bool put_added(const struct writer *w, struct block *b, const struct json_added *a)
{
    if (!put_text(b, a->before))
        return false;
    for (size_t i = 0; i < b->nrow; i++) {
        if ((i > 0 && !put_text(b, a->between)) || !put_text(b, a->inner))
            return false;
        for (size_t k = 0; k < a->nout; k++)
            if ((k > 0 && !put_text(b, a->comma)) || !json_put_number(w, b, i, a->out[k]))
                return false;
        if (!put_text(b, a->close))
            return false;
    }
    return put_text(b, a->after);
}

void json_columns_print(const struct writer *w, struct block *b)
{
    const struct json *j = w->reader->state;
    const struct json_writer *jw = w->state;
    const char *from = b->text;
    if (b->ntext < j->whole)
        return;
    for (size_t i = 0; i < jw->narray; i++) {
        const struct json_array *array = &jw->array[i];
        if (!put_array(w, b, array->node, &from) || !block_put(b, from, (size_t)(array->node->end - from)))
            return;
        from = array->node->end;
        for (size_t k = 0; k < array->nadded; k++)
            if (!put_added(w, b, &array->added[k]))
                return;
    }
    block_put(b, from, (size_t)(b->text + b->ntext - from));
}
