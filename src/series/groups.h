/* The groups of --group-by, found once for a job; without --group-by there is one group. What a stage
 * remembers of a group lies in the group's state. Invariants: a group's memory does not grow with the number
 * of its rows, except for what a stage keeps there. A group is one allocation, since there may be millions of
 * groups.
 *
 * --forget S: each row moves a clock to the latest time of all rows so far. A group is forgotten when the
 * clock is more than S seconds after the clock at the group's last row, or when a row of the group comes more
 * than S seconds after the group's last row; the next row with the key makes a new group. So a file with its
 * rows in order of time and the same file sorted by group give the same groups. Which rows are a group
 * depends on the order of rows alone, never on blocks. */
#ifndef SPRUNG_SERIES_GROUPS_H
#define SPRUNG_SERIES_GROUPS_H

#include "formats/format.h"

/* Which cuts lie before or at the last row of a group. Zeroed before the first row. */
struct cuts_passed {
    size_t ncut;  /* number of cut times up to the last row */
    size_t input; /* of several joined inputs: the input of the last row, from 1; 0: no row, or one input */
};

/* One row of a block. */
struct spot {
    struct block *block;
    size_t row;
};

/* With --forget: when a group had its last row. */
struct group_age {
    struct timestamp clock; /* the clock of the groups at the group's last row */
    struct timestamp last;  /* the time of the group's last row */
    bool known;             /* the group has had a row; else the times have no meaning */
};

struct group {
    struct group *next; /* next group in the same bucket */
    struct group *before,
        *after; /* neighbours in the order of appearance; with --forget in the order of the
                   groups' last rows; of groups that have ended in the order of their ends */
    uint64_t hash;
    uint64_t number;         /* number of the group among all groups of the job, from 0 */
    uint64_t nrow;           /* rows that split has seen */
    struct timestamp last;   /* time of the last row that split has seen */
    struct cuts_passed cuts; /* cuts up to the last row that split has seen */
    struct group_age *age;   /* NULL: without --forget */
    unsigned char *state;    /* [groups.nstate] what the stages remember, zeroed at first; see group_state */
    uint32_t part;           /* while groups_sort works: 1 + the group's index in sorted_rows.part; else 0 */
    uint32_t nkey;           /* bytes of the key */
    char *key;               /* [nkey] */
};

struct groups {
    size_t nstate;         /* bytes of state of a group; see groups_reserve */
    double forget;         /* --forget, seconds; 0: groups are never forgotten */
    struct group **bucket; /* [nbucket] hash table by key, chained; owned */
    size_t nbucket, ngroup;
    uint64_t nmade;                         /* number of groups so far, with forgotten groups */
    struct group *first, *newest;           /* the ends of the list of groups */
    struct group *first_ended, *last_ended; /* groups without a bucket, which groups_release frees */
    size_t nended;                          /* number of groups without a bucket */
    struct timestamp clock;                 /* with --forget: the latest time so far, if has_clock */
    bool has_clock;                         /* there has been a row */

    struct group_key key; /* the key of the last row that was looked up */
    struct group *last;   /* the group of the last row; the caller sets NULL when another block comes */
    size_t last_row;      /* number of the last row in the block */
};

/* Makes room for n bytes in the state of each group, before there are groups. Returns their place, for
 * group_state. */
size_t groups_reserve(struct groups *all, size_t n);

/* What a stage remembers of a group, at the place that groups_reserve gave. */
static inline void *group_state(const struct group *group, size_t place)
{
    return group->state + place;
}

/* The group with this key; a new key makes a group. NULL: out of memory. */
struct group *groups_get(struct groups *all, const char *key, size_t nkey);

/* The group of row i of block; with --forget a new group where the row comes too late for the group that has
 * the row's key. The key is the plain text that the cells in the columns of --group-by mean, so that the same
 * rows are in one group in every format. An empty cell is a key, too. NULL and *e: out of memory. */
struct group *groups_find(struct groups *all, const struct reader *reader, const struct block *block,
                          size_t i, struct error *e);

/* Forgets the groups that have had no row for too long, by their clocks. */
void groups_forget(struct groups *all, const struct column_plan *plan);

/* Frees the first n groups that have ended. */
void groups_release(struct groups *all, size_t n);

/* Goes through all groups, ended groups included. Returns the group after `group`, or the first group if
 * `group` is NULL. NULL: no more groups. */
struct group *groups_each(const struct groups *all, const struct group *group);

void groups_free(struct groups *all);

enum { GROUP_SHOWN = 64 }; /* bytes of a group's key in messages, with the NUL */

/* The rows of a group in a block. */
struct group_rows {
    struct group *group;
    struct block *block;
    const size_t
        *index;      /* [n] numbers of the rows in the block, ascending; NULL: the rows lie side by side */
    size_t first, n; /* the first row, and how many rows there are */
};

/* The number in the block of row k of the rows. */
static inline size_t group_row(const struct group_rows *rows, size_t k)
{
    return rows->index ? rows->index[k] : rows->first + k;
}

/* The rows of a block, group by group. Zero-initialize. */
struct sorted_rows {
    struct group_rows *part; /* [npart] in the order of the groups' first rows; owned, with row */
    size_t npart, maxrow;
    size_t *row; /* what the parts point to */
};

/* Sorts the rows of a block by group. */
bool groups_sort(struct sorted_rows *sorted, const struct groups *all, struct block *block, struct error *e);
void sorted_rows_free(struct sorted_rows *sorted);

#endif
