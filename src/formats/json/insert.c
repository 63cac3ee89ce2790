/* Derivatives inserted into JSON, with the blanks of the first record: members after the value, `, "x_vel":
 * 2`; a vector after a vector; the last elements of a record that is an array. */
#include "formats/json/json.h"

#include "base/array.h"

#include <stdlib.h>

void json_add_piece(struct json_writer *writer, size_t cell, size_t out, struct error *e)
{
    struct splice_piece piece = { .cell = cell, .out = out, .ntext = writer->text.n - writer->ntext };
    writer->ntext = writer->text.n;
    splice_add(&writer->splice, piece, e);
}

/* --- the style of the first record --- */

static void put_between(struct text *text, const char *at, const char *end)
{
    text_add(text, at, (size_t)(end - at));
}

/* Puts the text between two elements of an array or two members of an object. */
static void put_separator(struct text *text, const struct json_node *node)
{
    const struct json_node *first = node->child;
    bool tight = node->kind == JSON_OBJECT && first->at <= first->key + first->nkey + 2;
    if (node->second)
        put_between(text, first->end, node->second);
    else
        text_put(text, tight ? "," : ", ");
}

/* Puts the opening bracket of an array with elements, and the following blanks. */
static void put_open(struct text *text, const struct json_node *node)
{
    if (node->child)
        put_between(text, node->child->before, node->child->at);
}

/* --- names --- */

/* Puts the name of an added member beside `node`: x_vel beside x. For the velocity of a rotation: hip_vel_x
 * beside hip_x, and vel_x beside x inside hip. */
static void put_key(const struct writer *writer, struct text *text, const struct json_node *node,
                    const struct added *added)
{
    size_t column = node->kind == JSON_COLUMN ? node->child->column : node->column;
    /* In a vector the elements take the place of the letters of the axes. */
    bool vector = column != added->column;
    const char *rest = vector ? added->suffix : added->name + added->stem;
    size_t cut = vector ? 0 : strlen(columns_at(&writer->reader->columns, added->column)->name) - added->stem;
    if (cut == 0 || (cut < node->nkey && !memchr(node->key, '\\', node->nkey)))
        text_add(text, node->key, node->nkey - cut);
    else
        rest += *rest == '_';
    text_put(text, "%s", rest);
}

/* Puts `, "NAME_vel": ` for a member after `node`. An error: the object has a member with this name. */
static void put_name(const struct writer *writer, const struct json_node *node, const struct added *added,
                     struct error *e)
{
    struct json *json = writer->reader->state;
    struct text *text = &((struct json_writer *)writer->state)->text;
    put_separator(text, node->parent);
    text_put(text, "\"");
    size_t start = text->n;
    put_key(writer, text, node, added);
    const char *name = text->bytes + start;
    size_t nname = text->n - start;
    if (!text->failed && json_find(json, node->parent, name, nname)) {
        error_data(e, "a member named \"%.*s\" already exists", (int)(nname < 100 ? nname : 100), name);
        error_hint(e, "leave derivatives out with --derivatives 0, or rename that member");
    } else if (!text->failed) {
        json_add_node(json, node->parent, name, nname, true, e);
    }
    put_between(text, node->key + node->nkey, node->at);
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

/* Sorts by owner, then by the order of the added columns. */
static int compare_owned(const void *one, const void *other)
{
    const struct json_owned *a = one, *b = other;
    uintptr_t first = (uintptr_t)a->owner, second = (uintptr_t)b->owner;
    if (first != second)
        return first < second ? -1 : 1;
    return (a->added > b->added) - (a->added < b->added);
}

/* Sets json_writer->owned: for each added column the leaf that it belongs to, and the array around the
 * leaf. */
static bool collect_owned(const struct writer *writer, struct error *e)
{
    const struct json *json = writer->reader->state;
    const struct output_columns *layout = writer->layout;
    struct json_writer *json_writer = writer->state;
    const struct json_node **leaf; /* by column */
    if (!arrays_make(e, ARRAY(leaf, writer->reader->columns.ncolumn)))
        return false;
    for (size_t i = 0; i < json->nnode; i++)
        if (json->node[i]->column != COLUMN_NONE)
            leaf[json->node[i]->column] = json->node[i];
    bool good = arrays_make(e, ARRAY(json_writer->owned, 2 * layout->nadded));
    for (size_t i = 0; good && i < layout->nadded; i++) {
        const struct added *added = &layout->added[i];
        const struct json_node *own = leaf[added->column];
        if (!own)
            continue;
        json_writer->owned[json_writer->nowned++] = (struct json_owned){ own, added };
        if (owner_of(own) != own)
            json_writer->owned[json_writer->nowned++] = (struct json_owned){ owner_of(own), added };
    }
    if (good)
        qsort(json_writer->owned, json_writer->nowned, sizeof *json_writer->owned, compare_owned);
    free(leaf);
    return good;
}

/* The added columns that belong to `node`, in order: returns the first element, and sets *end behind the
 * last. */
static const struct json_owned *owned_by(const struct json_writer *writer, const struct json_node *node,
                                         const struct json_owned **end)
{
    size_t low = 0, high = writer->nowned; /* the index of the first element lies in [low, high] */
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if ((uintptr_t)writer->owned[middle].owner < (uintptr_t)node)
            low = middle + 1;
        else
            high = middle;
    }
    while (high < writer->nowned && writer->owned[high].owner == node)
        high++;
    *end = writer->owned + high;
    return writer->owned + low;
}

/* The first added column with a suffix that belongs to `node`, or NULL. */
static const struct added *find_added(const struct json_writer *writer, const struct json_node *node,
                                      const char *suffix)
{
    const struct json_owned *end, *owned = owned_by(writer, node, &end);
    while (owned < end && strcmp(owned->added->suffix, suffix) != 0)
        owned++;
    return owned < end ? owned->added : NULL;
}

/* Puts a value of the form of `node`, with the numbers of the added columns with a suffix, and null where no
 * column is added. Each number ends a piece behind the cell. */
static void put_value(const struct writer *writer, const struct json_node *node, const char *suffix,
                      size_t cell, struct error *e)
{
    struct json_writer *json_writer = writer->state;
    const struct added *added = node->kind == JSON_LEAF ? find_added(json_writer, node, suffix) : NULL;
    if (added) {
        json_add_piece(json_writer, cell, added->out, e);
    } else if (node->kind != JSON_ARRAY) {
        text_put(&json_writer->text, "null");
    } else {
        put_open(&json_writer->text, node);
        for (const struct json_node *child = node->child; child; child = child->next) {
            if (child != node->child)
                put_separator(&json_writer->text, node);
            put_value(writer, child, suffix, cell, e);
        }
        put_between(&json_writer->text, node->after, node->end);
    }
}

/* --- rows --- */

/* Puts an array beside the array `node` of an object of columns, with all added columns with a suffix. */
static void put_array(const struct writer *writer, const struct json_node *node, const char *suffix,
                      struct error *e)
{
    struct json_writer *json_writer = writer->state;
    size_t first = json_writer->splice.npiece;
    put_open(&json_writer->text, node);
    json_add_piece(json_writer, 0, COLUMN_NONE, e);
    put_separator(&json_writer->text, node);
    json_add_piece(json_writer, 0, COLUMN_NONE, e);
    put_value(writer, node->child, suffix, 0, e);
    json_add_piece(json_writer, 0, COLUMN_NONE, e);
    put_between(&json_writer->text, node->after, node->end);
    if (array_reserve(&json_writer->added, json_writer->nadded + 1, &json_writer->maxadded,
                      sizeof *json_writer->added, e))
        json_writer->added[json_writer->nadded++] = (struct json_added){ node, first,
                                                                         json_writer->splice.npiece + 1 };
}

/* Inserts the added columns of `node` behind a cell: as members after `node`, or as elements at the end if
 * `node` is the record. */
static void insert_added(const struct writer *writer, const struct json_node *node, size_t cell,
                         struct error *e)
{
    struct json_writer *json_writer = writer->state;
    const struct json_owned *end, *owned = owned_by(json_writer, node, &end);
    for (; owned < end && e->kind == ERROR_NONE; owned++) {
        const struct added *added = owned->added;
        if (!node->parent) {
            put_separator(&json_writer->text, node);
            json_add_piece(json_writer, cell, added->out, e);
        } else if (find_added(json_writer, node, added->suffix) == added) {
            put_name(writer, node, added, e);
            if (node->kind == JSON_COLUMN)
                put_array(writer, node, added->suffix, e);
            else
                put_value(writer, node, added->suffix, cell, e);
            if (json_writer->text.n > json_writer->ntext)
                json_add_piece(json_writer, cell, COLUMN_NONE, e);
        }
    }
}

/* Makes the pieces of `node` and of the values inside. */
static void insert_node(const struct writer *writer, const struct json_node *node, struct error *e)
{
    struct json_writer *json_writer = writer->state;
    size_t out = node->column != COLUMN_NONE ? writer->layout->replace[node->column] : COLUMN_NONE;
    size_t cell = node->kind == JSON_LEAF && node->parent && node->parent->kind == JSON_OBJECT ? node->cell
                                                                                               : node->anchor;
    struct splice_piece piece = { .cell = node->cell,
                                  .replace = true,
                                  .out = out,
                                  .value = node->value,
                                  .anew = node->value == COLUMN_NONE };
    if (!node->wanted)
        return;
    if (out != COLUMN_NONE)
        splice_add(&json_writer->splice, piece, e);
    for (const struct json_node *child = node->kind == JSON_COLUMN ? NULL : node->child; child;
         child = child->next)
        insert_node(writer, child, e);
    if (node->kind == JSON_COLUMN || cell != COLUMN_NONE)
        insert_added(writer, node, cell, e);
}

void json_insert(const struct writer *writer, const struct json_node *node, struct error *e)
{
    if (collect_owned(writer, e))
        insert_node(writer, node, e);
}
