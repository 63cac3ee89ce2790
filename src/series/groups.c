/* Groups by key: a chained hash table, and a list of the groups. See groups.h. */
#include "series/groups.h"

#include "base/array.h"
#include "base/hash.h"

#include <stdlib.h>

/* --- the list --- */

static void append(struct groups *all, struct group *group)
{
    if (all->newest)
        all->newest->after = group;
    else
        all->first = group;
    all->newest = group;
}

/* --- the table --- */

static bool grow(struct groups *all)
{
    size_t nbucket = all->nbucket ? 2 * all->nbucket : 64;
    struct group **bucket = calloc(nbucket, sizeof(struct group *));
    if (!bucket)
        return false;
    for (struct group *group = all->first; group; group = group->after) {
        if (group->closed)
            continue;
        group->next = bucket[group->hash % nbucket];
        bucket[group->hash % nbucket] = group;
    }
    free(all->bucket);
    all->bucket = bucket;
    all->nbucket = nbucket;
    return true;
}

/* A group in one allocation with its state and its key. NULL: out of memory. */
static struct group *make_group(const struct groups *all, const char *key, size_t nkey)
{
    size_t size = sizeof(struct group);
    size_t state = array_place(&size, all->nstate, 1);
    size_t text = size;
    char *bytes = nkey <= UINT32_MAX ? calloc(1, size + nkey) : NULL;
    if (!bytes)
        return NULL;
    struct group *group = (struct group *)bytes;
    *group = (struct group){
        .number = all->ngroup,
        .state = (unsigned char *)bytes + state,
        .key = bytes + text,
        .nkey = (uint32_t)nkey,
    };
    memcpy(group->key, key, nkey);
    return group;
}

size_t groups_reserve(struct groups *all, size_t n)
{
    return array_place(&all->nstate, n, 1);
}

static bool is_key(const struct group *group, const char *key, size_t nkey)
{
    return !group->closed && group->nkey == nkey && memcmp(group->key, key, nkey) == 0;
}

/* Groups often take turns: the next group in the list is tried first. */
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
    struct group *g = make_group(all, key, nkey);
    if (!g)
        return NULL;
    g->hash = hash;
    g->next = all->bucket[hash % all->nbucket];
    all->bucket[hash % all->nbucket] = g;
    append(all, g);
    all->ngroup++;
    return g;
}

struct group *groups_renew(struct groups *all, struct group *old)
{
    struct group *group = make_group(all, old->key, old->nkey);
    struct group **place = &all->bucket[old->hash % all->nbucket];
    if (!group)
        return NULL;
    while (*place != old)
        place = &(*place)->next;
    group->hash = old->hash;
    group->next = old->next;
    *place = group;
    append(all, group);
    all->ngroup++;
    old->closed = true;
    old->next = all->closing;
    all->closing = old;
    if (all->last == old)
        all->last = group;
    return group;
}

/* --- the group of a row --- */

/* Do the cells of two rows of a block have the same bytes in all columns of --group-by, and is no cell empty?
 * What an empty cell means, and what number a cell of a row is that is not text, is for the format to say. */
static bool same_cells(const struct column_plan *plan, const struct block *block, size_t one, size_t other)
{
    const struct span *one_cell = block->cell + one * block->ncell;
    const struct span *other_cell = block->cell + other * block->ncell;
    if (!block->eol)
        return false;
    for (size_t i = 0; i < plan->ngroup; i++) {
        size_t cell = plan_use(plan, plan->group[i])->cell;
        struct span a = one_cell[cell], b = other_cell[cell];
        if (a.n == 0 || a.n != b.n || memcmp(block->text + a.at, block->text + b.at, a.n) != 0)
            return false;
    }
    return true;
}

struct group *groups_find(struct groups *all, const struct reader *reader, const struct block *block,
                          size_t i, struct error *e)
{
    size_t ngroup = reader->plan->ngroup;
    if (all->last && (ngroup == 0 || same_cells(reader->plan, block, i, all->last_row)))
        return all->last;
    if (ngroup > 0 && !format_group(reader, block, i, &all->key, e))
        return NULL;
    all->last = groups_get(all, ngroup > 0 ? all->key.text : "", all->key.n);
    all->last_row = i;
    if (!all->last)
        error_memory(e);
    return all->last;
}

void groups_free(struct groups *all)
{
    for (struct group *group = all->first, *after; group; group = after) {
        after = group->after;
        free(group);
    }
    free(all->bucket);
    format_group_free(&all->key);
    memset(all, 0, sizeof *all);
}

/* --- the rows of a block, group by group --- */

static bool make_room(struct sorted_rows *sorted, size_t nrow, struct error *e)
{
    if (nrow <= sorted->maxrow)
        return true;
    size_t maxrow = nrow + nrow / 2, *row;
    struct group_rows *part;
    if (!arrays_make(e, ARRAY(part, maxrow), ARRAY(row, maxrow)))
        return false;
    free(sorted->part);
    sorted->part = part;
    sorted->row = row;
    sorted->maxrow = maxrow;
    return true;
}

bool groups_sort(struct sorted_rows *sorted, const struct groups *all, struct block *block, struct error *e)
{
    size_t *row;
    sorted->npart = 0;
    if (block->nrow == 0)
        return true;
    if (!make_room(sorted, block->nrow, e))
        return false;
    if (!block->group) {
        sorted->part[sorted->npart++] = (struct group_rows){ all->first, block, NULL, 0, block->nrow };
        return true;
    }
    for (size_t i = 0; i < block->nrow; i++) {
        struct group *group = block->group[i];
        if (group->part == 0) {
            sorted->part[sorted->npart] = (struct group_rows){ .group = group, .block = block, .first = i };
            group->part = (uint32_t)++sorted->npart;
        }
        sorted->part[group->part - 1].n++;
    }
    row = sorted->row;
    for (size_t k = 0; k < sorted->npart; k++) {
        sorted->part[k].index = row;
        row += sorted->part[k].n;
        sorted->part[k].n = 0;
    }
    for (size_t i = 0; i < block->nrow; i++) {
        struct group_rows *part = &sorted->part[block->group[i]->part - 1];
        sorted->row[part->index - sorted->row + (ptrdiff_t)part->n++] = i;
    }
    for (size_t k = 0; k < sorted->npart; k++) {
        struct group_rows *part = &sorted->part[k];
        part->group->part = 0;
        if (part->index[part->n - 1] - part->first == part->n - 1)
            part->index = NULL;
    }
    return true;
}

void sorted_rows_free(struct sorted_rows *sorted)
{
    free(sorted->part);
}
