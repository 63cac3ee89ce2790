/* Groups by key: a chained hash table. See groups.h. */
#include "series/groups.h"

#include "base/array.h"
#include "base/hash.h"

#include <stdlib.h>

static bool grow(struct groups *all)
{
    size_t nbucket = all->nbucket ? 2 * all->nbucket : 64;
    struct group **bucket, **touched;
    if (!arrays_make(NULL, ARRAY(bucket, nbucket), ARRAY(touched, nbucket)))
        return false;
    if (all->ntouched)
        memcpy(touched, all->touched, all->ntouched * sizeof *touched);
    for (struct group *g = all->first; g; g = g->after) {
        g->next = bucket[g->hash % nbucket];
        bucket[g->hash % nbucket] = g;
    }
    free(all->bucket);
    all->bucket = bucket;
    all->touched = touched;
    all->nbucket = nbucket;
    return true;
}

static bool is_key(const struct group *g, const char *key, size_t nkey)
{
    return g->nkey == nkey && memcmp(g->key, key, nkey) == 0;
}

/* Groups often take turns: the one that appeared after the last is tried first. */
struct group *groups_get(struct groups *all, const char *key, size_t nkey)
{
    struct group *likely = all->last && all->last->after ? all->last->after : all->first;
    if (likely && is_key(likely, key, nkey))
        return likely;
    uint64_t hash = hash_bytes(key, nkey);
    if (all->nbucket)
        for (struct group *g = all->bucket[hash % all->nbucket]; g; g = g->next)
            if (g->hash == hash && is_key(g, key, nkey))
                return g;
    if (all->ngroup == all->nbucket && !grow(all))
        return NULL;
    size_t n = all->nchannel;
    struct group *g = calloc(1, sizeof *g + nkey);
    if (!g ||
        !arrays_make(NULL, ARRAY(g->channel, n), ARRAY(g->detect, all->detects ? n : 0),
                     ARRAY(g->state, n * all->nstate), ARRAY(g->last_out, n * all->nwant),
                     ARRAY(g->rotation, all->nrotation), (struct array_part){ &g->extra, all->nextra, 1 })) {
        free(g);
        return NULL;
    }
    memcpy(g->key, key, nkey);
    g->nkey = nkey;
    g->hash = hash;
    g->next = all->bucket[hash % all->nbucket];
    all->bucket[hash % all->nbucket] = g;
    *(all->newest ? &all->newest->after : &all->first) = g;
    all->newest = g;
    all->ngroup++;
    return g;
}

/* True if the cells of two rows of a block have the same bytes in all columns of --group-by, and none is empty:
 * what an empty cell stands for, its format tells. */
static bool same_cells(const struct columns *t, const struct block *b, size_t one, size_t other)
{
    for (size_t i = 0; i < t->ngroup; i++) {
        size_t cell = t->column[t->group[i]].cell;
        struct span x = b->cell[one * b->ncell + cell], y = b->cell[other * b->ncell + cell];
        if (x.n == 0 || x.n != y.n || memcmp(b->text + x.at, b->text + y.at, x.n) != 0)
            return false;
    }
    return true;
}

struct group *groups_find(struct groups *all, const struct reader *r, const struct block *b, size_t i,
                          struct error *e)
{
    size_t ngroup = r ? r->columns.ngroup : 0;
    if (all->last && (ngroup == 0 || same_cells(&r->columns, b, i, all->last_row)))
        return all->last;
    if (ngroup > 0 && !format_group(r, b, i, &all->key, e))
        return NULL;
    all->last = groups_get(all, ngroup > 0 ? all->key.text : "", all->key.n);
    all->last_row = i;
    if (!all->last)
        error_memory(e);
    return all->last;
}

bool groups_backward(const struct columns *t, const struct group *g, const struct timestamp *before,
                     const struct timestamp *now, struct error *e)
{
    char key[GROUP_SHOWN];
    error_escape(g->key, g->nkey, key, sizeof key);
    return columns_backward(t, before, now, key, e);
}

bool groups_sort(struct groups *all, const struct reader *r, const struct block *b, struct error *e)
{
    for (size_t i = 0; i < all->ntouched; i++)
        all->touched[i]->nrow = 0;
    all->ntouched = 0;
    all->last = NULL;
    for (size_t i = 0; i < b->nrow; i++) {
        struct group *g = groups_find(all, r, b, i, e);
        if (!g || !array_reserve(&g->row, g->nrow + 1, &g->maxrow, sizeof *g->row, e))
            return false;
        if (g->nrow == 0)
            all->touched[all->ntouched++] = g;
        g->row[g->nrow++] = i;
    }
    return true;
}

void groups_free(struct groups *all)
{
    for (struct group *g = all->first, *after; g; g = after) {
        after = g->after;
        if (all->free_extra)
            all->free_extra(g->extra);
        free(g->channel);
        free(g->row);
        free(g);
    }
    free(all->bucket);
    format_group_free(&all->key);
    memset(all, 0, sizeof *all);
}
