/* Derivatives inserted into JSON, with the blanks of the first record: members after the value, `, "x_vel":
 * 2`; a vector after a vector; the last elements of a record that is an array. */
#include "formats/json/json.h"

#include "base/array.h"

#include <stdlib.h>

void json_add_piece(struct json_writer *jw, size_t cell, size_t out, struct error *e)
{
    struct splice_piece piece = { .cell = cell, .out = out, .ntext = jw->text.n - jw->ntext };
    jw->ntext = jw->text.n;
    splice_add(&jw->splice, piece, e);
}

/* --- the style of the first record --- */

static void put_between(struct text *text, const char *at, const char *end)
{
    text_add(text, at, (size_t)(end - at));
}

/* Puts the text between two elements of an array or two members of an object. */
static void put_separator(struct text *text, const struct json_node *n)
{
    const struct json_node *first = n->child;
    bool tight = n->kind == JSON_OBJECT && first->at <= first->key + first->nkey + 2;
    if (n->second)
        put_between(text, first->end, n->second);
    else
        text_put(text, tight ? "," : ", ");
}

/* Puts the opening bracket of an array with elements, and the following blanks. */
static void put_open(struct text *text, const struct json_node *n)
{
    if (n->child)
        put_between(text, n->child->before, n->child->at);
}

/* --- names --- */

/* Puts the name of an added member beside n: x_vel beside x. Beside the x of a rotation: hip_vel_x beside
 * hip_x, and vel_x beside x inside hip. */
static void put_key(const struct writer *w, struct text *text, const struct json_node *n,
                    const struct added *a)
{
    size_t column = n->kind == JSON_COLUMN ? n->child->column : n->column;
    bool vector = column != a->column; /* the elements stand for the letters of the axes */
    const char *rest = vector ? a->suffix : a->name + a->stem;
    size_t cut = vector ? 0 : strlen(w->reader->columns.column[a->column].name) - a->stem;
    if (cut == 0 || (cut < n->nkey && !memchr(n->key, '\\', n->nkey)))
        text_add(text, n->key, n->nkey - cut);
    else
        rest += *rest == '_';
    text_put(text, "%s", rest);
}

/* Puts `, "NAME_vel": ` for a member after n; it is an error if the object has a member with this name. */
static void put_name(const struct writer *w, const struct json_node *n, const struct added *a,
                     struct error *e)
{
    struct json *j = w->reader->state;
    struct text *text = &((struct json_writer *)w->state)->text;
    put_separator(text, n->parent);
    text_put(text, "\"");
    size_t start = text->n;
    put_key(w, text, n, a);
    const char *name = text->bytes + start;
    size_t nname = text->n - start;
    if (!text->failed && json_find(j, n->parent, name, nname)) {
        error_data(e, "a member named \"%.*s\" exists already", (int)(nname < 100 ? nname : 100), name);
        error_hint(e, "leave derivatives out with --derivatives 0, or rename that member");
    } else if (!text->failed) {
        json_add_node(j, n->parent, name, nname, true, e);
    }
    put_between(text, n->key + n->nkey, n->at);
}

/* --- values --- */

/* The value beside which the added columns of a leaf stand: the leaf, or the outermost array around the leaf
 * without an object in between. */
static const struct json_node *owner_of(const struct json_node *leaf)
{
    const struct json_node *owner = leaf;
    while (owner->parent && (owner->parent->kind == JSON_ARRAY || owner->parent->kind == JSON_COLUMN))
        owner = owner->parent;
    return owner;
}

/* Orders by owner, then by the order of the added columns. */
static int compare_owned(const void *one, const void *other)
{
    const struct json_owned *a = one, *b = other;
    uintptr_t first = (uintptr_t)a->owner, second = (uintptr_t)b->owner;
    if (first != second)
        return first < second ? -1 : 1;
    return (a->added > b->added) - (a->added < b->added);
}

/* The number of a column of one table, whose columns are column 0 and those from column `from` on. */
static size_t leaf_number(size_t column, size_t from)
{
    return column > 0 ? column + 1 - from : 0;
}

/* Sets jw->owned: which added columns belong to which leaf, and to which array. */
static bool collect_owned(const struct writer *w, struct error *e)
{
    const struct json *j = w->reader->state;
    const struct output_columns *layout = w->layout;
    struct json_writer *jw = w->state;
    const struct columns *t = &w->reader->columns;
    size_t from = t->table_end > 0 && t->table_first > 0 ? t->table_first : 1;
    size_t end = t->table_end > 0 ? t->table_end : t->ncolumn;
    const struct json_node **leaf;
    if (!arrays_make(e, ARRAY(leaf, end + 1 - from)))
        return false;
    for (size_t i = 0; i < j->nnode; i++)
        if (j->node[i]->column != COLUMN_NONE)
            leaf[leaf_number(j->node[i]->column, from)] = j->node[i];
    bool good = arrays_make(e, ARRAY(jw->owned, 2 * layout->nadded));
    for (size_t i = 0; good && i < layout->nadded; i++) {
        const struct added *added = &layout->added[i];
        const struct json_node *own = leaf[leaf_number(added->column, from)];
        if (!own)
            continue;
        jw->owned[jw->nowned++] = (struct json_owned){ own, added };
        if (owner_of(own) != own)
            jw->owned[jw->nowned++] = (struct json_owned){ owner_of(own), added };
    }
    if (good)
        qsort(jw->owned, jw->nowned, sizeof *jw->owned, compare_owned);
    free(leaf);
    return good;
}

/* The added columns that belong to n, in order: from the element that is returned up to *end. */
static const struct json_owned *owned_by(const struct json_writer *jw, const struct json_node *n,
                                         const struct json_owned **end)
{
    size_t low = 0, high = jw->nowned; /* the first is in [low, high] */
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if ((uintptr_t)jw->owned[middle].owner < (uintptr_t)n)
            low = middle + 1;
        else
            high = middle;
    }
    while (high < jw->nowned && jw->owned[high].owner == n)
        high++;
    *end = jw->owned + high;
    return jw->owned + low;
}

/* The first added column of that suffix that belongs to n, or NULL. */
static const struct added *find_added(const struct json_writer *jw, const struct json_node *n,
                                      const char *suffix)
{
    const struct json_owned *end, *owned = owned_by(jw, n, &end);
    while (owned < end && strcmp(owned->added->suffix, suffix) != 0)
        owned++;
    return owned < end ? owned->added : NULL;
}

/* Puts a value of the form of n, with the numbers of the added columns of this suffix, and null where no
 * column is added. A number ends a piece after the cell. */
static void put_value(const struct writer *w, const struct json_node *n, const char *suffix, size_t cell,
                      struct error *e)
{
    struct json_writer *jw = w->state;
    const struct added *a = n->kind == JSON_LEAF ? find_added(jw, n, suffix) : NULL;
    if (a) {
        json_add_piece(jw, cell, a->out, e);
    } else if (n->kind != JSON_ARRAY) {
        text_put(&jw->text, "null");
    } else {
        put_open(&jw->text, n);
        for (const struct json_node *child = n->child; child; child = child->next) {
            if (child != n->child)
                put_separator(&jw->text, n);
            put_value(w, child, suffix, cell, e);
        }
        put_between(&jw->text, n->after, n->end);
    }
}

/* --- rows --- */

/* Puts an array beside the array n of an object of columns, with all added columns of this suffix. */
static void put_array(const struct writer *w, const struct json_node *n, const char *suffix, struct error *e)
{
    struct json_writer *jw = w->state;
    size_t first = jw->splice.npiece;
    put_open(&jw->text, n);
    json_add_piece(jw, 0, COLUMN_NONE, e);
    put_separator(&jw->text, n);
    json_add_piece(jw, 0, COLUMN_NONE, e);
    put_value(w, n->child, suffix, 0, e);
    json_add_piece(jw, 0, COLUMN_NONE, e);
    put_between(&jw->text, n->after, n->end);
    if (array_reserve(&jw->added, jw->nadded + 1, &jw->maxadded, sizeof *jw->added, e))
        jw->added[jw->nadded++] = (struct json_added){ n, first, jw->splice.npiece + 1 };
}

/* Inserts the added columns of n after the cell: members after n, or elements at the end of the record n. */
static void insert_added(const struct writer *w, const struct json_node *n, size_t cell, struct error *e)
{
    struct json_writer *jw = w->state;
    const struct json_owned *end, *owned = owned_by(jw, n, &end);
    for (; owned < end && e->kind == ERROR_NONE; owned++) {
        const struct added *a = owned->added;
        if (!n->parent) {
            put_separator(&jw->text, n);
            json_add_piece(jw, cell, a->out, e);
        } else if (find_added(jw, n, a->suffix) == a) {
            put_name(w, n, a, e);
            if (n->kind == JSON_COLUMN)
                put_array(w, n, a->suffix, e);
            else
                put_value(w, n, a->suffix, cell, e);
            if (jw->text.n > jw->ntext)
                json_add_piece(jw, cell, COLUMN_NONE, e);
        }
    }
}

static void insert_node(const struct writer *w, const struct json_node *n, struct error *e)
{
    struct json_writer *jw = w->state;
    size_t out = n->column != COLUMN_NONE ? w->layout->replace[n->column] : COLUMN_NONE;
    size_t cell = n->kind == JSON_LEAF && n->parent && n->parent->kind == JSON_OBJECT ? n->cell : n->anchor;
    struct splice_piece piece = {
        .cell = n->cell, .replace = true, .out = out, .value = n->value, .anew = n->value == COLUMN_NONE
    };
    if (!n->wanted)
        return;
    if (out != COLUMN_NONE)
        splice_add(&jw->splice, piece, e);
    for (const struct json_node *child = n->kind == JSON_COLUMN ? NULL : n->child; child; child = child->next)
        insert_node(w, child, e);
    if (n->kind == JSON_COLUMN || cell != COLUMN_NONE)
        insert_added(w, n, cell, e);
}

void json_insert(const struct writer *w, const struct json_node *n, struct error *e)
{
    if (collect_owned(w, e))
        insert_node(w, n, e);
}
