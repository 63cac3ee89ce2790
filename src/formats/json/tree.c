/* The first record as a tree: what its members are called, in which order they stand, which of them are
 * columns. The text is known to be good. See json.h. */
#include "formats/json/json.h"

#include <stdio.h>
#include <stdlib.h>

enum { FEW = 8 }; /* so many children are found by looking at each */

struct builder {
    struct columns *t;
    bool columns;
    char *path;
    size_t npath, maxpath;
    struct json_scan *s;
    struct error *e;
};

void json_tree_free(struct json_node *n)
{
    if (!n)
        return;
    for (size_t i = 0; i < n->nchild; i++)
        json_tree_free(n->child[i]);
    free(n->child);
    free(n->slot);
    free(n->own);
    free(n);
}

/* --- names --- */

static size_t hash(const char *key, size_t nkey)
{
    uint64_t h = 14695981039346656037u; /* FNV-1a */
    char one[4];
    size_t none;
    for (const char *p = key, *end = key + nkey; p < end;) {
        p = json_character(p, one, &none);
        for (size_t i = 0; i < none; i++)
            h = (h ^ (unsigned char)one[i]) * 1099511628211u;
    }
    return (size_t)(h ^ h >> 32);
}

bool json_same_key(const char *a, size_t na, const char *b, size_t nb)
{
    if (na == nb && memcmp(a, b, na) == 0)
        return true;
    if (!memchr(a, '\\', na) && !memchr(b, '\\', nb))
        return false;
    const char *enda = a + na, *endb = b + nb;
    char x[4], y[4];
    size_t nx, ny, ix = 0, iy = 0;
    for (nx = ny = 0;; ix++, iy++) {
        if (ix == nx) {
            if (a == enda)
                return iy == ny && b == endb;
            a = json_character(a, x, &nx);
            ix = 0;
        }
        if (iy == ny) {
            if (b == endb)
                return false;
            b = json_character(b, y, &ny);
            iy = 0;
        }
        if (x[ix] != y[iy])
            return false;
    }
}

struct json_node *json_tree_find(const struct json_node *n, const char *key, size_t nkey)
{
    if (!n->slot) {
        for (size_t i = 0; i < n->nchild; i++)
            if (json_same_key(n->child[i]->key, n->child[i]->nkey, key, nkey))
                return n->child[i];
        return NULL;
    }
    for (size_t i = hash(key, nkey);; i++) {
        uint32_t found = n->slot[i & (n->nslot - 1)];
        if (!found)
            return NULL;
        struct json_node *child = n->child[found - 1];
        if (json_same_key(child->key, child->nkey, key, nkey))
            return child;
    }
}

static void enter_slot(struct json_node *n, size_t child)
{
    size_t i = hash(n->child[child]->key, n->child[child]->nkey);
    while (n->slot[i & (n->nslot - 1)])
        i++;
    n->slot[i & (n->nslot - 1)] = (uint32_t)child + 1;
}

static bool index_children(struct json_node *n, struct error *e)
{
    if (n->kind != JSON_OBJECT || n->nchild <= FEW)
        return true;
    if (n->slot && n->nchild <= n->nslot / 2) {
        enter_slot(n, n->nchild - 1);
        return true;
    }
    free(n->slot);
    n->nslot = n->nslot ? 2 * n->nslot : 4 * FEW;
    n->slot = calloc(n->nslot, sizeof *n->slot);
    if (!n->slot)
        return error_memory(e);
    for (size_t i = 0; i < n->nchild; i++)
        enter_slot(n, i);
    return true;
}

static struct json_node *add_child(struct json_node *n, const char *key, size_t nkey, struct error *e)
{
    if (n->nchild == n->maxchild) {
        size_t max = n->maxchild ? 2 * n->maxchild : 8;
        struct json_node **grown = realloc(n->child, max * sizeof *grown);
        if (!grown)
            return error_memory(e), NULL;
        n->child = grown;
        n->maxchild = max;
    }
    struct json_node *child = calloc(1, sizeof *child);
    if (!child)
        return error_memory(e), NULL;
    child->parent = n;
    child->key = key;
    child->nkey = nkey;
    child->column = child->anchor = COLUMN_NONE;
    child->index = n->nchild;
    n->child[n->nchild++] = child;
    return index_children(n, e) ? child : NULL;
}

bool json_tree_take(struct json_node *n, const char *key, size_t nkey, struct error *e)
{
    char *own = strndup(key, nkey);
    struct json_node *child = own ? add_child(n, own, nkey, e) : NULL;
    if (!child) {
        free(own);
        return error_memory(e);
    }
    child->own = own;
    child->taken = true;
    return true;
}

/* --- paths --- */

static bool put_path(struct builder *b, const char *text, size_t n)
{
    if (b->npath + n + 1 > b->maxpath) {
        size_t max = 2 * (b->npath + n + 1);
        char *grown = realloc(b->path, max);
        if (!grown)
            return error_memory(b->e);
        b->path = grown;
        b->maxpath = max;
    }
    memcpy(b->path + b->npath, text, n);
    b->npath += n;
    return true;
}

/* Appends a part that names child; \u0000 stays as it is spelled. */
static bool put_name(struct builder *b, struct json_node *child, const char *key, size_t nkey)
{
    size_t start = b->npath;
    if (child->parent->parent && !put_path(b, ".", 1))
        return false;
    start = b->npath;
    if (!put_path(b, key, nkey) || !memchr(key, '\\', nkey))
        return b->npath >= start + nkey;
    size_t n = json_unescape(key, nkey, b->path + start, nkey);
    child->nul = memchr(b->path + start, 0, n);
    if (child->nul)
        memcpy(b->path + start, key, nkey);
    else
        b->npath = start + n;
    return true;
}

static bool put_index(struct builder *b, struct json_node *child, size_t i)
{
    char text[32];
    int n = snprintf(text, sizeof text, "%zu", child->parent->parent || b->columns ? i : i + 1);
    return put_name(b, child, text, (size_t)n);
}

/* --- values --- */

static const char *build(struct builder *b, struct json_node *n, const char *p);

/* The value at p is a column, named by the path. */
static bool add_column(struct builder *b, struct json_node *n, const char *p)
{
    const char *name = n->parent ? b->path : "1";
    size_t nname = n->parent ? b->npath : 1;
    if (!columns_add(b->t, nname ? name : "", nname, b->e))
        return false;
    n->column = b->t->ncolumn - 1;
    b->t->column[n->column].first = json_digit(*p) || *p == '-' ? CELL_NUMBER
                                    : *p == 'n' || *p == ']'    ? CELL_GAP
                                                                : CELL_TEXT;
    return true;
}

static const char *members(struct builder *b, struct json_node *n, const char *p)
{
    size_t npath = b->npath;
    n->kind = JSON_OBJECT;
    for (p = json_space(p + 1); *p != '}'; p = json_space(p + (*p == ','))) {
        const char *start = p, *key = p + 1;
        p = json_string(p, b->s);
        size_t nkey = (size_t)(p - key) - 1;
        p = json_space(json_space(p) + 1);
        struct json_node *child = json_tree_find(n, key, nkey);
        if (child) {
            child->again = p;
            p = json_space(json_value(p, 0, b->s));
            continue;
        }
        child = add_child(n, key, nkey, b->e);
        if (!child || !put_name(b, child, key, nkey))
            return NULL;
        child->start = start;
        p = build(b, child, p);
        b->npath = npath;
        if (!p)
            return NULL;
        p = json_space(p);
    }
    return p + 1;
}

static const char *elements(struct builder *b, struct json_node *n, const char *p)
{
    size_t npath = b->npath;
    n->kind = JSON_ARRAY;
    for (p = json_space(p + 1); *p != ']'; p = json_space(p + (*p == ','))) {
        struct json_node *child = add_child(n, "", 0, b->e);
        if (!child || !put_index(b, child, n->nchild - 1))
            return NULL;
        child->start = p;
        p = build(b, child, p);
        b->npath = npath;
        if (!p)
            return NULL;
        p = json_space(p);
    }
    return p + 1;
}

static size_t count_elements(const char *p, struct json_scan *s)
{
    size_t n = 0;
    for (p = json_space(p + 1); *p != ']'; n++) {
        p = json_space(json_value(p, 0, s));
        p = json_space(p + (*p == ','));
    }
    return n;
}

/* Are the elements of the array at p neither arrays nor objects? */
static bool is_flat(const char *p, struct json_scan *s)
{
    for (p = json_space(p + 1); *p != ']'; p = json_space(p + (*p == ','))) {
        if (*p == '[' || *p == '{')
            return false;
        p = json_space(json_value(p, 0, s));
    }
    return true;
}

/* An array in an object of columns: of scalars, of vectors, or of no use as a column. */
static const char *column_array(struct builder *b, struct json_node *n, const char *p)
{
    const char *first = json_space(p + 1);
    n->kind = JSON_COLUMN;
    n->count = count_elements(p, b->s);
    if (*first == '[' && is_flat(first, b->s)) {
        if (!elements(b, n, first))
            return NULL;
        n->kind = JSON_COLUMN;
    } else if (*first == '[' || *first == '{') {
        n->kind = JSON_LEAF;
    } else if (!add_column(b, n, first)) {
        return NULL;
    }
    return json_value(p, 0, b->s);
}

static const char *build(struct builder *b, struct json_node *n, const char *p)
{
    n->at = p;
    bool inside = n->parent && n->parent->kind == JSON_ARRAY;
    if (*p == '{')
        p = members(b, n, p);
    else if (*p == '[' && b->columns && !inside)
        p = column_array(b, n, p);
    else if (*p == '[')
        p = elements(b, n, p);
    else if ((b->columns && !inside) || add_column(b, n, p))
        p = json_value(p, 0, b->s);
    else
        p = NULL;
    n->end = p;
    return p;
}

struct json_node *json_tree(struct columns *t, const char *p, bool columns, struct json_scan *s,
                            struct error *e)
{
    struct builder b = { .t = t, .columns = columns, .s = s, .e = e };
    struct json_node *root = calloc(1, sizeof *root);
    if (!root) {
        error_memory(e);
        return NULL;
    }
    root->start = p;
    root->column = root->anchor = COLUMN_NONE;
    p = build(&b, root, p);
    free(b.path);
    if (p)
        return root;
    json_tree_free(root);
    return NULL;
}
