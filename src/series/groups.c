/* Groups by key: a chained hash table. See groups.h. */
#include "series/groups.h"

#include "base/array.h"
#include "base/hash.h"

#include <stdlib.h>
#include <string.h>

static bool grow(struct groups *all)
{
    size_t nbucket = all->nbucket ? 2 * all->nbucket : 64;
    struct group **bucket = calloc(nbucket, sizeof *bucket);
    struct group **touched = realloc(all->touched, nbucket * sizeof *touched);
    if (touched)
        all->touched = touched;
    if (!bucket || !touched) {
        free(bucket);
        return false;
    }
    for (size_t i = 0; i < all->nbucket; i++)
        for (struct group *g = all->bucket[i], *next; g; g = next) {
            next = g->next;
            g->next = bucket[g->hash % nbucket];
            bucket[g->hash % nbucket] = g;
        }
    free(all->bucket);
    all->bucket = bucket;
    all->nbucket = nbucket;
    return true;
}

static void free_group(struct group *g)
{
    free(g->channel);
    free(g->state);
    free(g->last_out);
    free(g->held_goal);
    free(g->held_mark);
    free(g->held_turns);
    free(g->place);
    free(g->place_T);
    free(g->row);
    free(g);
}

static struct group *make(const struct groups *all, const char *key, size_t nkey)
{
    struct group *g = calloc(1, sizeof *g + nkey);
    if (!g)
        return NULL;
    memcpy(g->key, key, nkey);
    g->nkey = nkey;
    g->channel = calloc(all->nchannel + 1, sizeof *g->channel);
    g->state = calloc(all->nchannel * all->nstate + 1, sizeof *g->state);
    g->last_out = calloc(all->nchannel * all->nwant + 1, sizeof *g->last_out);
    g->held_goal = calloc(all->nchannel + 1, sizeof *g->held_goal);
    g->held_mark = calloc(all->nchannel + 1, 1);
    g->held_turns = calloc(all->nchannel + 1, sizeof *g->held_turns);
    if (!g->channel || !g->state || !g->last_out || !g->held_goal || !g->held_mark || !g->held_turns) {
        free_group(g);
        return NULL;
    }
    return g;
}

struct group *groups_get(struct groups *all, const char *key, size_t nkey)
{
    uint64_t hash = hash_add(HASH_START, key, nkey);
    if (all->nbucket)
        for (struct group *g = all->bucket[hash % all->nbucket]; g; g = g->next)
            if (g->hash == hash && g->nkey == nkey && memcmp(g->key, key, nkey) == 0)
                return g;
    if (all->ngroup == all->nbucket && !grow(all))
        return NULL;
    struct group *g = make(all, key, nkey);
    if (!g)
        return NULL;
    g->hash = hash;
    g->next = all->bucket[hash % all->nbucket];
    all->bucket[hash % all->nbucket] = g;
    g->number = all->ngroup++;
    return g;
}

bool groups_touch(struct groups *all, struct group *g, size_t row)
{
    if (!array_reserve(&g->row, g->nrow + 1, &g->maxrow, sizeof *g->row, NULL))
        return false;
    g->row[g->nrow++] = row;
    if (!g->touched)
        all->touched[all->ntouched++] = g;
    g->touched = true;
    return true;
}

void groups_rest(struct groups *all)
{
    for (size_t i = 0; i < all->ntouched; i++) {
        all->touched[i]->touched = false;
        all->touched[i]->nrow = 0;
    }
    all->ntouched = 0;
}

void groups_free(struct groups *all)
{
    for (size_t i = 0; i < all->nbucket; i++)
        for (struct group *g = all->bucket[i], *next; g; g = next) {
            next = g->next;
            free_group(g);
        }
    free(all->bucket);
    free(all->touched);
    memset(all, 0, sizeof *all);
}
