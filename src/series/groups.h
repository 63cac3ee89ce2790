/* The groups of --group-by, found once for a job; without --group-by there is one group. What is
 * remembered of a group lies behind it (core.h: struct series). Invariants: a group's memory does not grow
 * with the number of its rows, except for what a stage keeps there. A group is one allocation, since there
 * may be millions of groups. */
#ifndef SPRUNG_SERIES_GROUPS_H
#define SPRUNG_SERIES_GROUPS_H

#include "base/name_table.h"
#include "formats/format.h"

struct group {
    size_t number;         /* number of the group among all groups of the job, from 0 */
    uint64_t nrow;         /* rows that split.c has seen since the series began */
    struct timestamp last; /* the last new time, which a row nearly at the same time leaves */
    double step;           /* seconds from the time before to it */
    unsigned nback;        /* --bad-rows skip: consecutive rows, up to the last, whose time went back */
    size_t ncut;           /* number of cut times up to the last row that split.c has seen */
    uint32_t nkey;         /* bytes of the key */
    char *key;             /* [nkey] */
};

struct groups {
    size_t size;       /* bytes that begin with a struct group, zeroed at first; 0: of that alone */
    struct group **at; /* [ngroup] in the order of appearance; owned, with the groups */
    size_t ngroup, maxgroup;
    struct name_table by_key; /* number of the group with the key */

    struct group_key key; /* the key of the last row that was looked up */
    struct group *last;   /* the group of the last row */
};

/* The group with this key; a new key makes a group. NULL: out of memory. */
struct group *groups_get(struct groups *all, const char *key, size_t nkey);

/* The group of row i of block. The key is the plain text that the cells in the columns of --group-by mean, so
 * that the same rows are in one group in every format. An empty cell is a key, too. NULL and *e: out of
 * memory. */
struct group *groups_find(struct groups *all, const struct reader *reader, const struct block *block,
                          size_t i, struct error *e);

/* Finds the groups of the rows of a block, where rows may be of several. False and *e: out of memory. */
bool groups_take(struct groups *all, const struct reader *reader, struct block *block, struct error *e);

void groups_free(struct groups *all);

#endif
