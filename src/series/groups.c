/* Groups by key: a chained hash table, and a list of the groups. See groups.h. */
#include "series/groups.h"

#include "base/array.h"
#include "base/hash.h"

#include <stdlib.h>

/* --- the list --- */

static void append(struct groups *all, struct group *group)
{
    group->before = all->newest;
    group->after = NULL;
    if (all->newest)
        all->newest->after = group;
    else
        all->first = group;
    all->newest = group;
}

static void take_out(struct groups *all, const struct group *group)
{
    if (group->before)
        group->before->after = group->after;
    else
        all->first = group->after;
    if (group->after)
        group->after->before = group->before;
    else
        all->newest = group->before;
}

/* --- the table --- */

static bool grow(struct groups *all)
{
    size_t nbucket = all->nbucket ? 2 * all->nbucket : 64;
    struct group **bucket = calloc(nbucket, sizeof(struct group *));
    if (!bucket)
        return false;
    for (struct group *group = all->first; group; group = group->after) {
        group->next = bucket[group->hash % nbucket];
        bucket[group->hash % nbucket] = group;
    }
    free(all->bucket);
    all->bucket = bucket;
    all->nbucket = nbucket;
    return true;
}

/* Adds n elements to an allocation of *size bytes. Returns where the elements begin. */
static size_t add_part(size_t *size, size_t n, size_t element)
{
    /* In bytes: no element has a member of a wider alignment than double, int64_t or a pointer. */
    enum { UNIT = 8 };
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
    size_t age = add_part(&size, all->forget > 0, sizeof(struct group_age));
    size_t extra = add_part(&size, all->nextra, 1);
    size_t text = size;
    char *bytes = nkey <= UINT32_MAX ? calloc(1, size + nkey) : NULL;
    if (!bytes)
        return NULL;
    struct group *group = (struct group *)bytes;
    *group = (struct group){
        .channel = (struct channel *)(bytes + channel),
        .detect = (struct detect *)(bytes + detect),
        .watch = watched ? (struct wrap_watch *)(bytes + watch) : NULL,
        .state = (double *)(bytes + state),
        .rotation = (struct group_rotation *)(bytes + rotation),
        .last_out = (double *)(bytes + last_out),
        .age = all->forget > 0 ? (struct group_age *)(bytes + age) : NULL,
        .extra = bytes + extra,
        .key = bytes + text,
        .nkey = (uint32_t)nkey,
        .eldest = all->nmade == 0,
    };
    memcpy(group->key, key, nkey);
    return group;
}

static bool is_key(const struct group *group, const char *key, size_t nkey)
{
    return group->nkey == nkey && memcmp(group->key, key, nkey) == 0;
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

/* Do the cells of two rows of a block have the same bytes in all columns of --group-by, and is no cell empty?
 * What an empty cell means is for the format to say. */
static bool same_cells(const struct columns *columns, const struct block *block, size_t one, size_t other)
{
    const struct span *one_cell = block->cell + one * block->ncell;
    const struct span *other_cell = block->cell + other * block->ncell;
    for (size_t i = 0; i < columns->ngroup; i++) {
        size_t cell = columns->column[columns->group[i]].cell;
        struct span a = one_cell[cell], b = other_cell[cell];
        if (a.n == 0 || a.n != b.n || memcmp(block->text + a.at, block->text + b.at, a.n) != 0)
            return false;
    }
    return true;
}

struct group *groups_find(struct groups *all, const struct reader *reader, const struct block *block,
                          size_t i, struct error *e)
{
    size_t ngroup = reader ? reader->columns.ngroup : 0;
    if (all->last && (ngroup == 0 || same_cells(&reader->columns, block, i, all->last_row)))
        return all->last;
    if (ngroup > 0 && !format_group(reader, block, i, &all->key, e))
        return NULL;
    all->last = groups_get(all, ngroup > 0 ? all->key.text : "", all->key.n);
    all->last_row = i;
    if (!all->last)
        error_memory(e);
    return all->last;
}

bool groups_backward(const struct columns *columns, const struct group *group, const struct timestamp *before,
                     const struct timestamp *now, struct error *e)
{
    char key[GROUP_SHOWN];
    error_escape(group->key, group->nkey, key, sizeof key);
    return columns_backward(columns, before, now, key, e);
}

/* --- --forget --- */

/* Takes a group out of the table; groups_release frees the group. */
static void forget(struct groups *all, struct group *group)
{
    struct group **link = &all->bucket[group->hash % all->nbucket];
    while (*link != group)
        link = &(*link)->next;
    *link = group->next;
    take_out(all, group);
    all->ngroup--;
    group->after = all->forgotten;
    all->forgotten = group;
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

/* Takes a row at this time as the last row of a group. False: the row comes too late, so that the group is to
 * be forgotten; nothing is changed. */
static bool renew_age(struct groups *all, const struct series_rows *in, struct group *group,
                      struct timestamp time)
{
    const struct group_age *age = group->age;
    if (in->columns->form == TIMESTAMP_CLOCK && age->known)
        timestamp_pass_midnight(&time, &age->last);
    if (age->known && (too_late(all, in, &age->clock, &all->clock) || too_late(all, in, &age->last, &time)))
        return false;
    *group->age = (struct group_age){ all->clock, time, true };
    take_out(all, group);
    append(all, group);
    return true;
}

/* The group of row i of a block; with --forget a new group where the row comes too late for the group that
 * has the row's key. NULL: memory is out. */
static struct group *find_in_time(struct groups *all, const struct series_rows *in, const struct block *block,
                                  size_t i, struct error *e)
{
    struct group *group = groups_find(all, in->reader, block, i, e);
    if (!group || all->forget == 0)
        return group;
    pass_time(all, in, block->time[i]);
    if (renew_age(all, in, group, block->time[i]))
        return group;
    forget(all, group);
    group = groups_find(all, in->reader, block, i, e);
    if (group)
        renew_age(all, in, group, block->time[i]);
    return group;
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

bool groups_sort(struct groups *all, const struct series_rows *in, const struct block *block, struct error *e)
{
    uint32_t first = 0;
    all->last = NULL;
    all->ntouched = 0;
    if (!make_room(all, block->nrow, e))
        return false;
    for (size_t i = 0; i < block->nrow; i++) {
        struct group *group = find_in_time(all, in, block, i, e);
        if (!group)
            return false;
        if (group->nrow == 0)
            all->touched[all->ntouched++] = group;
        group->nrow++;
        all->row_group[i] = group;
    }
    for (size_t i = 0; i < all->ntouched; i++) {
        struct group *group = all->touched[i];
        group->firstrow = first;
        first += group->nrow;
        group->nrow = 0;
    }
    for (size_t i = 0; i < block->nrow; i++) {
        struct group *group = all->row_group[i];
        all->row[group->firstrow + group->nrow++] = i;
    }
    return true;
}

static void free_group(const struct groups *all, struct group *group)
{
    if (all->free_extra)
        all->free_extra(group->extra);
    free(group);
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
    for (struct group *group = first, *after; group; group = after) {
        after = group->after;
        free_group(all, group);
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
