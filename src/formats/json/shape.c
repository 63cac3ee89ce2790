/* The shape of the first record: a tree of its values in the order of the text, with the table's column that
 * each is, and what of it is wanted. The text it is made from is valid. See json.h. */
#include "formats/json/json.h"

#include "base/array.h"
#include "base/hash.h"
#include "base/text.h"

#include <stdlib.h>

void json_shape_free(struct json *j)
{
    for (size_t i = 0; i < j->nnode; i++)
        free(j->node[i]);
    free(j->node);
    free(j->bucket);
}

/* --- members by name --- */

static size_t hash(const struct json_node *parent, const char *key, size_t nkey)
{
    uint64_t h = hash_add(HASH_START, (const char *)&parent, sizeof parent);
    char one[4];
    size_t n;
    for (const char *p = key; p < key + nkey;) {
        p = json_character(p, one, &n);
        h = hash_add(h, one, n);
    }
    return (size_t)(h ^ h >> 32);
}

bool json_same_key(const char *a, size_t na, const char *b, size_t nb)
{
    if (!memchr(a, '\\', na) && !memchr(b, '\\', nb))
        return na == nb && memcmp(a, b, na) == 0;
    const char *enda = a + na, *endb = b + nb;
    char x[4], y[4];
    size_t nx = 0, ny = 0, ix = 0, iy = 0;
    for (;; ix++, iy++) {
        if ((ix == nx && a == enda) || (iy == ny && b == endb))
            return ix == nx && a == enda && iy == ny && b == endb;
        if (ix == nx) {
            a = json_character(a, x, &nx);
            ix = 0;
        }
        if (iy == ny) {
            b = json_character(b, y, &ny);
            iy = 0;
        }
        if (x[ix] != y[iy])
            return false;
    }
}

struct json_node *json_find(const struct json *j, const struct json_node *parent, const char *key,
                            size_t nkey)
{
    for (size_t i = j->nbucket ? hash(parent, key, nkey) : 0; j->nbucket; i++) {
        struct json_node *n = j->bucket[i & (j->nbucket - 1)];
        if (!n || (n->parent == parent && json_same_key(n->key, n->nkey, key, nkey)))
            return n;
    }
    return NULL;
}

static void enter_bucket(struct json *j, struct json_node *n)
{
    size_t i = hash(n->parent, n->key, n->nkey);
    while (j->bucket[i & (j->nbucket - 1)])
        i++;
    j->bucket[i & (j->nbucket - 1)] = n;
}

/* Enters the last node; at most half of the buckets are in use. */
static bool index_member(struct json *j, struct error *e)
{
    if (2 * j->nnode <= j->nbucket) {
        enter_bucket(j, j->node[j->nnode - 1]);
        return true;
    }
    free(j->bucket);
    j->nbucket = j->nbucket ? 2 * j->nbucket : 64;
    while (j->nbucket < 2 * j->nnode)
        j->nbucket *= 2;
    j->bucket = calloc(j->nbucket, sizeof *j->bucket);
    if (!j->bucket) {
        j->nbucket = 0;
        return error_memory(e);
    }
    for (size_t i = 0; i < j->nnode; i++)
        if (j->node[i]->parent && j->node[i]->parent->kind == JSON_OBJECT)
            enter_bucket(j, j->node[i]);
    return true;
}

/* Adds a leaf whose key is followed by room bytes of its own. */
static struct json_node *add_node(struct json *j, struct json_node *parent, const char *key, size_t nkey,
                                  size_t room, struct error *e)
{
    struct json_node *n = calloc(1, sizeof *n + room);
    if (!n || !array_reserve(&j->node, j->nnode + 1, &j->maxnode, sizeof *j->node, NULL)) {
        free(n);
        error_memory(e);
        return NULL;
    }
    n->parent = parent;
    n->depth = parent ? parent->depth + 1 : j->depth;
    n->key = key;
    n->nkey = nkey;
    n->column = n->anchor = COLUMN_NONE;
    j->node[j->nnode++] = n;
    if (room > 0)
        n->key = memcpy(n + 1, key, nkey);
    return parent && parent->kind == JSON_OBJECT && !index_member(j, e) ? NULL : n;
}

bool json_reserve(struct json *j, struct json_node *parent, const char *key, size_t nkey, struct error *e)
{
    struct json_node *n = add_node(j, parent, key, nkey, nkey, e);
    if (n)
        n->reserved = true;
    return n != NULL;
}

/* --- the tree --- */

struct builder {
    struct json *j;
    struct columns *t;
    bool columns;
    struct text path; /* of the node that is built */
    struct json_scan s;
    struct error *e;
};

static const char *build(struct builder *b, struct json_node *n, const char *p);

/* Adds the key to the path without escapes; a key with \u0000 is added as it is spelled. */
static void put_key(struct text *path, struct json_node *n)
{
    size_t start = path->n, nbyte;
    char one[4];
    for (const char *p = n->key; p < n->key + n->nkey && !n->nul;) {
        p = json_character(p, one, &nbyte);
        n->nul = one[0] == 0;
        text_add(path, one, nbyte);
    }
    if (n->nul) {
        path->n = start;
        text_add(path, n->key, n->nkey);
    }
}

static struct json_node *add_child(struct builder *b, struct json_node *n, const char *key, size_t nkey)
{
    struct json_node *child = add_node(b->j, n, key, nkey, 0, b->e);
    if (!child)
        return NULL;
    *(n->last ? &n->last->next : &n->child) = child;
    n->last = child;
    n->nchild++;
    return child;
}

/* Builds the members or elements of the value at p. */
static const char *build_items(struct builder *b, struct json_node *n, const char *p)
{
    struct json_items items = { .object = *p == '{' };
    const size_t npath = b->path.n;
    n->kind = items.object ? JSON_OBJECT : JSON_ARRAY;
    while ((p = json_next(&items, p, &b->s))) {
        struct json_node *child = items.object ? json_find(b->j, n, items.key, items.nkey) : NULL;
        if (child) {
            child->again = p;
            p = json_value(p, 0, &b->s);
            continue;
        }
        child = add_child(b, n, items.object ? items.key : "", items.nkey);
        if (!child)
            return NULL;
        if (n->parent)
            text_add(&b->path, ".", 1);
        if (items.object)
            put_key(&b->path, child);
        else
            text_put(&b->path, "%zu", n->parent ? items.count - 1 : items.count);
        child->start = items.object ? items.key - 1 : p;
        p = build(b, child, p);
        b->path.n = npath;
        if (!p)
            return NULL;
    }
    return items.end;
}

/* The value at p is a column, named by the path. */
static bool add_column(struct builder *b, struct json_node *n, const char *p)
{
    bool named = n->parent && b->path.n > 0;
    if (!columns_add(b->t,
                     named       ? b->path.bytes
                     : n->parent ? ""
                                 : "1",
                     named ? b->path.n : !n->parent, b->e))
        return false;
    n->column = b->t->ncolumn - 1;
    b->t->column[n->column].first = json_digit(*p) || *p == '-' ? CELL_NUMBER
                                    : *p == 'n' || *p == ']'    ? CELL_GAP
                                                                : CELL_TEXT;
    return true;
}

/* True if no element of the array at p is an array or an object. */
static bool is_flat(const char *p, struct json_scan *s)
{
    struct json_items items = { .object = false };
    while ((p = json_next(&items, p, s))) {
        if (*p == '[' || *p == '{')
            return false;
        p = json_value(p, 0, s);
    }
    return true;
}

/* An array in an object of columns: its elements are scalars, vectors, or of no use as rows. */
static const char *build_column(struct builder *b, struct json_node *n, const char *p)
{
    struct json_items items = { .object = false };
    const char *first = NULL;
    while ((p = json_next(&items, p, &b->s))) {
        first = first ? first : p;
        p = json_value(p, 0, &b->s);
    }
    if (first && (*first == '{' || (*first == '[' && !is_flat(first, &b->s))))
        return items.end;
    n->kind = JSON_COLUMN;
    n->count = items.count;
    struct json_node *element = add_child(b, n, "", 0);
    if (!element || !(first ? build(b, element, first) != NULL : add_column(b, element, "]")))
        return NULL;
    return items.end;
}

static const char *build(struct builder *b, struct json_node *n, const char *p)
{
    bool row = !b->columns || (n->parent && n->parent->kind != JSON_OBJECT);
    n->at = p;
    if (*p == '{' || (*p == '[' && row))
        n->end = build_items(b, n, p);
    else if (*p == '[')
        n->end = build_column(b, n, p);
    else
        n->end = !row || add_column(b, n, p) ? json_value(p, 0, &b->s) : NULL;
    return n->end;
}

bool json_shape(struct json *j, struct columns *t, const char *p, bool columns, struct error *e)
{
    struct builder b = { .j = j, .t = t, .columns = columns, .e = e };
    struct json_node *root = add_node(j, NULL, "", 0, 0, e);
    if (!root)
        return false;
    root->start = p;
    bool good = build(&b, root, p) != NULL;
    if (good && b.path.failed)
        good = error_memory(e);
    free(b.path.bytes);
    return good;
}

/* --- what is wanted --- */

bool json_bind(struct reader *r, struct error *e)
{
    struct json *j = r->state;
    const struct columns *t = &r->columns;
    for (size_t i = 0; i < j->nnode; i++) {
        struct json_node *n = j->node[i];
        const struct column *c = n->column == COLUMN_NONE ? NULL : &t->column[n->column];
        n->wanted = false;
        n->anchor = COLUMN_NONE;
        n->cell = c ? c->cell : COLUMN_NONE;
        n->value = c ? c->value : COLUMN_NONE;
        n->time = c && n->column == t->time;
        n->numeric = n->time || n->value != COLUMN_NONE;
        for (struct json_node *up = n; n->cell != COLUMN_NONE && up && !up->wanted; up = up->parent)
            up->wanted = true;
    }
    j->ncell = t->ncell;
    for (size_t i = 0; i < j->nnode; i++) {
        struct json_node *n = j->node[i];
        if (n->wanted && n->nul) {
            error_data(e, "a name with \\u0000 in it cannot be used");
            error_excerpt(e, n->key, n->nkey);
            return error_hint(e, "leave it out with --exclude");
        }
        if (n->wanted && n->kind == JSON_ARRAY && (!n->parent || n->parent->kind == JSON_OBJECT))
            n->anchor = j->ncell++;
    }
    if (j->nnode == 0)
        return true;
    return j->rows == JSON_COLUMNS ? json_columns_check(r, e) : json_fast_bind(j, e);
}
