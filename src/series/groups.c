/* Groups by key. See groups.h. */
#include "series/groups.h"

#include "base/array.h"

#include <stdlib.h>

/* Adds a group, in one allocation with its key. NULL: out of memory. */
static struct group *add_group(struct groups *all, const char *key, size_t nkey)
{
    const size_t size = all->size > 0 ? all->size : sizeof(struct group);
    char *bytes = nkey <= UINT32_MAX ? calloc(1, size + nkey) : NULL;
    struct group *group = (struct group *)bytes;
    if (!group)
        return NULL;
    *group = (struct group){ .number = all->ngroup, .key = bytes + size, .nkey = (uint32_t)nkey };
    memcpy(group->key, key, nkey);
    if (!array_reserve(&all->at, all->ngroup + 1, &all->maxgroup, sizeof(struct group *), NULL) ||
        !name_table_put(&all->by_key, name_key(group->key, nkey), all->ngroup, NULL)) {
        free(group);
        return NULL;
    }
    all->at[all->ngroup++] = group;
    return group;
}

/* Looks first at the group of the last row, and at the next group, as groups may take turns. */
struct group *groups_get(struct groups *all, const char *key, size_t nkey)
{
    for (size_t i = 0; i < 2 && all->last; i++) {
        const size_t number = all->last->number + i;
        struct group *group = all->at[number < all->ngroup ? number : 0];
        if (group->nkey == nkey && memcmp(group->key, key, nkey) == 0)
            return all->last = group;
    }
    const size_t number = name_table_find(&all->by_key, name_key(key, nkey));
    all->last = number == NAME_TABLE_NONE ? add_group(all, key, nkey) : all->at[number];
    return all->last;
}

struct group *groups_find(struct groups *all, const struct reader *reader, const struct block *block,
                          size_t i, struct error *e)
{
    if (all->last && reader->table.ngroup == 0)
        return all->last;
    if (!format_group(reader, block, i, &all->key, e))
        return NULL;
    struct group *group = groups_get(all, all->key.text.bytes ? all->key.text.bytes : "", all->key.text.n);
    if (!group)
        error_memory(e);
    return group;
}

bool groups_take(struct groups *all, const struct reader *reader, struct block *block, struct error *e)
{
    const size_t n = block->grouped ? block->nrow : 1;
    struct group *group = NULL;
    for (size_t i = 0; i < n; i++) {
        const bool bad = block_is_bad(block, i);
        const bool same = group && !bad && !block_is_bad(block, i - 1) && format_same_group(reader, block, i);
        if (!bad && !same && !(group = groups_find(all, reader, block, i, e)))
            return false;
        if (block->grouped)
            block->group[i] = group;
    }
    return true;
}

void groups_free(struct groups *all)
{
    for (size_t i = 0; i < all->ngroup; i++)
        free(all->at[i]);
    free(all->at);
    name_table_free(&all->by_key);
    format_group_free(&all->key);
    memset(all, 0, sizeof *all);
}
