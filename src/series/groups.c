/* Groups by key: a chained hash table, and a list of the groups. See groups.h. */
#include "series/groups.h"

#include "base/array.h"
#include "base/hash.h"

#include <stdlib.h>

/* --- the list --- */

static void append(struct groups *all, struct group *g)
{
    g->before = all->newest;
    g->after = NULL;
    if (all->newest)
        all->newest->after = g;
    else
        all->first = g;
    all->newest = g;
}

static void take_out(struct groups *all, const struct group *g)
{
    if (g->before)
        g->before->after = g->after;
    else
        all->first = g->after;
    if (g->after)
        g->after->before = g->before;
    else
        all->newest = g->before;
}

/* --- the table --- */

static bool grow(struct groups *all)
{
    size_t nbucket = all->nbucket ? 2 * all->nbucket : 64;
    struct group **bucket = calloc(nbucket, sizeof(struct group *));
    if (!bucket)
        return false;
    for (struct group *g = all->first; g; g = g->after) {
        g->next = bucket[g->hash % nbucket];
        bucket[g->hash % nbucket] = g;
    }
    free(all->bucket);
    all->bucket = bucket;
    all->nbucket = nbucket;
    return true;
}

/* Adds n elements to an allocation of *size bytes. Returns where the elements begin. */
static size_t add_part(size_t *size, size_t n, size_t element)
{
    enum {
        UNIT = 8
    }; /* bytes: no element has a member of a wider alignment than double, int64_t or a pointer */
    size_t at = *size;
    *size += (n * element + UNIT - 1) / UNIT * UNIT;
    return at;
}

/* A group in one allocation with its arrays and its key. NULL: memory is out. */
static struct group *make_group(const struct groups *all, const char *key, size_t nkey)
{
    size_t size = sizeof(struct group), nchannel = all->nchannel;
    size_t channel = add_part(&size, nchannel, sizeof(struct channel));
    size_t detect = add_part(&size, all->detects ? nchannel : 0, sizeof(struct detect));
    const bool watched = all->nmade < all->watched;
    size_t watch = add_part(&size, watched ? nchannel : 0, sizeof(struct wrap_watch));
    size_t state = add_part(&size, nchannel * all->nstate, sizeof(double));
    size_t rotation = add_part(&size, all->nrotation, sizeof(struct group_rotation));
    size_t last_out = add_part(&size, nchannel * all->nwant, sizeof(double));
    size_t idle = add_part(&size, all->nidle, sizeof(uint64_t));
    size_t age = add_part(&size, all->forget > 0, sizeof(struct group_age));
    size_t extra = add_part(&size, all->nextra, 1);
    size_t text = size;
    char *bytes = nkey <= UINT32_MAX ? calloc(1, size + nkey) : NULL;
    if (!bytes)
        return NULL;
    struct group *g = (struct group *)bytes;
    *g = (struct group){
        .channel = (struct channel *)(bytes + channel),
        .detect = (struct detect *)(bytes + detect),
        .watch = watched ? (struct wrap_watch *)(bytes + watch) : NULL,
        .state = (double *)(bytes + state),
        .rotation = (struct group_rotation *)(bytes + rotation),
        .last_out = (double *)(bytes + last_out),
        .idle = (uint64_t *)(bytes + idle),
        .age = all->forget > 0 ? (struct group_age *)(bytes + age) : NULL,
        .extra = bytes + extra,
        .key = bytes + text,
        .nkey = (uint32_t)nkey,
        .eldest = all->nmade == 0,
    };
    memcpy(g->key, key, nkey);
    return g;
}

static bool is_key(const struct group *g, const char *key, size_t nkey)
{
    return g->nkey == nkey && memcmp(g->key, key, nkey) == 0;
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
    all->nmade++;
    return g;
}

/* --- the group of a row --- */

/* True if the cells of two rows of a block have the same bytes in all columns of --group-by, and none is
 * empty: what an empty cell stands for, its format tells. */
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

/* --- --forget --- */

/* Takes a group out of the table; groups_release frees the group. */
static void forget(struct groups *all, struct group *g)
{
    struct group **link = &all->bucket[g->hash % all->nbucket];
    while (*link != g)
        link = &(*link)->next;
    *link = g->next;
    take_out(all, g);
    all->ngroup--;
    g->after = all->forgotten;
    all->forgotten = g;
    all->last = NULL;
}

/* Is the time `now` so long after `before` that a group is forgotten? */
static bool too_late(const struct groups *all, const struct series_rows *in, const struct timestamp *before,
                     const struct timestamp *now)
{
    return timestamp_between(before, now, in->columns->unit) > all->forget;
}

/* Moves the clock to the time of a row. */
static void pass_time(struct groups *all, const struct series_rows *in, struct timestamp time)
{
    if (in->columns->form == TIMESTAMP_CLOCK && all->has_clock)
        timestamp_pass_midnight(&time, &all->clock);
    if (!all->has_clock || timestamp_between(&all->clock, &time, in->columns->unit) > 0)
        all->clock = time;
    all->has_clock = true;
}

/* Takes a row at this time as the last row of group g. False: the row comes too late for the group, which is
 * to be forgotten, and nothing is changed. */
static bool renew_age(struct groups *all, const struct series_rows *in, struct group *g,
                      struct timestamp time)
{
    const struct group_age *age = g->age;
    if (in->columns->form == TIMESTAMP_CLOCK && age->known)
        timestamp_pass_midnight(&time, &age->last);
    if (age->known && (too_late(all, in, &age->clock, &all->clock) || too_late(all, in, &age->last, &time)))
        return false;
    *g->age = (struct group_age){ all->clock, time, true };
    take_out(all, g);
    append(all, g);
    return true;
}

/* The group of row i of b; with --forget a new group with the same key where the row comes too late for the
 * last one. NULL: memory is out. */
static struct group *find_in_time(struct groups *all, const struct series_rows *in, const struct block *b,
                                  size_t i, struct error *e)
{
    struct group *g = groups_find(all, in->reader, b, i, e);
    if (!g || all->forget == 0)
        return g;
    pass_time(all, in, b->time[i]);
    if (renew_age(all, in, g, b->time[i]))
        return g;
    forget(all, g);
    g = groups_find(all, in->reader, b, i, e);
    if (g)
        renew_age(all, in, g, b->time[i]);
    return g;
}

/* --- blocks --- */

/* Makes room for the rows of a block. */
static bool make_room(struct groups *all, size_t nrow, struct error *e)
{
    if (nrow <= all->maxrow)
        return true;
    size_t maxrow = nrow + nrow / 2;
    struct group **row_group, **touched;
    size_t *row;
    if (!arrays_make(e, ARRAY(row_group, maxrow), ARRAY(touched, maxrow), ARRAY(row, maxrow)))
        return false;
    free(all->row_group);
    all->row_group = row_group;
    all->touched = touched;
    all->row = row;
    all->maxrow = maxrow;
    return true;
}

bool groups_sort(struct groups *all, const struct series_rows *in, const struct block *b, struct error *e)
{
    uint32_t first = 0;
    all->last = NULL;
    all->ntouched = 0;
    if (!make_room(all, b->nrow, e))
        return false;
    for (size_t i = 0; i < b->nrow; i++) {
        struct group *g = find_in_time(all, in, b, i, e);
        if (!g)
            return false;
        if (g->nrow == 0)
            all->touched[all->ntouched++] = g;
        g->nrow++;
        all->row_group[i] = g;
    }
    for (size_t i = 0; i < all->ntouched; i++) {
        struct group *g = all->touched[i];
        g->firstrow = first;
        first += g->nrow;
        g->nrow = 0;
    }
    for (size_t i = 0; i < b->nrow; i++) {
        struct group *g = all->row_group[i];
        all->row[g->firstrow + g->nrow++] = i;
    }
    return true;
}

static void free_group(const struct groups *all, struct group *g)
{
    if (all->free_extra)
        all->free_extra(g->extra);
    free(g);
}

void groups_release(struct groups *all, const struct series_rows *in,
                    void (*end)(void *state, struct group *g), void *state)
{
    for (size_t i = 0; i < all->ntouched; i++)
        all->touched[i]->nrow = 0;
    all->ntouched = 0;
    all->last = NULL;
    while (all->forget > 0 && all->first && too_late(all, in, &all->first->age->clock, &all->clock))
        forget(all, all->first);
    for (struct group *g; (g = all->forgotten);) {
        all->forgotten = g->after;
        end(state, g);
        free_group(all, g);
    }
}

static void free_list(const struct groups *all, struct group *first)
{
    for (struct group *g = first, *after; g; g = after) {
        after = g->after;
        free_group(all, g);
    }
}

void groups_free(struct groups *all)
{
    free_list(all, all->first);
    free_list(all, all->forgotten);
    free(all->bucket);
    free(all->row_group);
    format_group_free(&all->key);
    memset(all, 0, sizeof *all);
}
