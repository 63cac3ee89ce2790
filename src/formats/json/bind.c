/* What is wanted of a record, once the columns have their roles; and the first record as a sequence of slots:
 * what stands between its values, and what to do with each value. */
#include "formats/json/json.h"

#include <stdlib.h>

struct planner {
    struct json *j;
    const struct columns *t;
    struct json_scan s;
    const char *from; /* what follows the last slot */
    size_t maxslot;
    bool repeated; /* a wanted member stands twice: such a record is a fault */
    struct error *e;
};

static bool want(struct planner *p, struct json_node *n)
{
    n->wanted = n->time = false;
    n->cell = n->value = n->anchor = COLUMN_NONE;
    if (n->column != COLUMN_NONE) {
        const struct column *c = &p->t->column[n->column];
        n->cell = c->cell;
        n->value = c->value;
        n->time = n->column == p->t->time;
        n->wanted = c->cell != COLUMN_NONE;
    }
    for (size_t i = 0; i < n->nchild; i++) {
        if (!want(p, n->child[i]))
            return false;
        n->wanted |= n->child[i]->wanted;
    }
    if (n->wanted && n->nul) {
        error_data(p->e, "a name with \\u0000 in it cannot be used");
        error_excerpt(p->e, n->key, n->nkey);
        return error_hint(p->e, "leave it out with --exclude");
    }
    if (n->wanted && n->kind == JSON_ARRAY && (!n->parent || n->parent->kind == JSON_OBJECT))
        n->anchor = p->j->ncell++;
    return true;
}

static bool add_slot(struct planner *p, const char *to, unsigned kind, const struct json_node *node)
{
    struct json *j = p->j;
    if (j->nslot == p->maxslot) {
        size_t max = p->maxslot ? 2 * p->maxslot : 16;
        struct json_slot *grown = realloc(j->slot, max * sizeof *grown);
        if (!grown)
            return error_memory(p->e);
        j->slot = grown;
        p->maxslot = max;
    }
    struct json_slot *slot = &j->slot[j->nslot++];
    *slot = (struct json_slot){ .literal = p->from, .nliteral = (size_t)(to - p->from), .node = node };
    slot->depth = j->depth;
    for (; node && node->parent; node = node->parent)
        slot->depth++;
    size_t n = slot->nliteral < 8 ? slot->nliteral : 8;
    memcpy(&slot->word, p->from, n);
    memset(&slot->mask, 0xFF, n);
    slot->kind = kind;
    p->from = to;
    return true;
}

static const char *slots(struct planner *p, const struct json_node *n, const char *at);

static const char *members(struct planner *p, const struct json_node *n, const char *at)
{
    for (at = json_space(at + 1); *at != '}'; at = json_space(at + (*at == ','))) {
        const char *key = at + 1;
        at = json_string(at, &p->s);
        const struct json_node *child = json_tree_find(n, key, (size_t)(at - key) - 1);
        at = json_space(json_space(at) + 1);
        p->repeated |= child->wanted && child->again;
        at = slots(p, child, at);
        if (!at)
            return NULL;
        at = json_space(at);
    }
    return at + 1;
}

static const char *elements(struct planner *p, const struct json_node *n, const char *at)
{
    if (n->parent && n->anchor != COLUMN_NONE && !add_slot(p, at, JSON_OPEN, n))
        return NULL;
    at++;
    for (size_t i = 0; i < n->nchild; i++) {
        at = slots(p, n->child[i], json_space(at));
        if (!at)
            return NULL;
        bool end = !n->parent && n->anchor != COLUMN_NONE && i + 1 == n->nchild;
        if (end && !add_slot(p, at, JSON_HERE, n))
            return NULL;
        at = json_space(at) + (i + 1 < n->nchild);
    }
    at = json_space(at) + 1;
    return n->parent && n->anchor != COLUMN_NONE && !add_slot(p, at, JSON_CLOSE, n) ? NULL : at;
}

/* Slots of the value at p. */
static const char *slots(struct planner *p, const struct json_node *n, const char *at)
{
    /* What a record is counts, even where nothing of it is wanted. */
    bool inside = (n->wanted || !n->parent) && n->at == at;
    if (inside && n->kind == JSON_OBJECT)
        return members(p, n, at);
    if (inside && n->kind == JSON_ARRAY)
        return elements(p, n, at);
    bool number = n->wanted && (n->time || n->value != COLUMN_NONE) && !(p->j->missing && !n->time);
    if (!add_slot(p, at, number ? JSON_NUMBER : n->wanted ? JSON_TAKE : JSON_SKIP, n))
        return NULL;
    p->from = json_value(at, 0, &p->s);
    return p->from;
}

bool json_bind(struct reader *r, struct error *e)
{
    struct json *j = r->state;
    struct planner p = { .j = j, .t = &r->columns, .e = e };
    free(j->slot);
    j->slot = NULL;
    j->nslot = 0;
    j->ncell = r->columns.ncell;
    if (!j->root)
        return true;
    if (!want(&p, j->root))
        return false;
    if (j->shape == JSON_COLUMNS)
        return json_columns_check(r, e);
    p.from = j->first;
    p.s.end = j->root->end;
    const char *end = slots(&p, j->root, j->root->at);
    if (!end || (end > p.from && !add_slot(&p, end, JSON_LAST, NULL)))
        return false;
    if (p.repeated)
        j->nslot = 0;
    return true;
}
