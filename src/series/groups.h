/* What a series remembers between rows, for each group of --group-by; without --group-by there is one group.
 * Invariants: a group's memory does not grow with the number of its rows, except for what the caller keeps in
 * extra. A group is one allocation, since there may be millions of groups.
 *
 * --forget S: each row moves a clock to the latest time of all rows so far. A group is forgotten when the
 * clock is more than S seconds after the clock at the group's last row, or when a row of the group comes more
 * than S seconds after the group's last row; the next row with the key makes a new group. So a file with its
 * rows in order of time and the same file sorted by group give the same groups. Which rows are a group
 * depends on the order of rows alone, never on blocks. */
#ifndef SPRUNG_SERIES_GROUPS_H
#define SPRUNG_SERIES_GROUPS_H

#include "series/rotations.h"
#include "series/series.h"
#include "whole/jumps.h"

/* --detect-cuts, for one channel, or for a rotation or a vector in the state of its first channel. */
struct detect {
    struct jumps jumps;
    double before[4];  /* targets of the previous row, if before_known */
    bool before_known; /* the previous row had values */
};

/* The values of a channel as far as they tell an angle that wraps: see column_warnings.c. Zeroed before the
 * first value. */
struct wrap_watch {
    bool known;         /* there has been a value */
    double before;      /* the last value */
    double step;        /* the last step between two values */
    double least, most; /* of all values */
    unsigned nwrap[2];  /* steps of nearly a whole turn, in degrees and in radians */
    unsigned nhalf[2];  /* steps of about half a turn */
    bool fraction;      /* a value was no whole number */
};

/* A channel of one group. */
struct channel {
    double goal;                 /* last valid target */
    struct timestamp valid;      /* time of the last valid sample before the gap under way */
    uint64_t nmissing;           /* rows of the input in the gap under way */
    double waiting_goal;         /* target in the row that waits */
    double waiting_velocity;     /* measured velocity in the row that waits */
    double waiting_turns;        /* periods that were added to the angle in the row that waits */
    struct unwrap unwrap;        /* of an angle */
    bool running;                /* a run of the filter is under way */
    bool gap;                    /* the previous row was a gap */
    bool cut;                    /* the next row with a time step follows a cut */
    unsigned char waiting_flags; /* enum row_flag of the row that waits */
};

/* A rotation of one group. */
struct group_rotation {
    double part[4];  /* numbers of the last valid target, as rotations_follow leaves them */
    double print[4]; /* numbers that were printed last */
    struct rotation_state state;
};

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
    struct group *next;           /* next group in the same bucket */
    struct group *before, *after; /* neighbours in the order of appearance; with --forget in the order of the
                                     groups' last rows */
    uint64_t hash;
    uint64_t nseen;                  /* rows so far */
    struct cuts_passed cuts;         /* up to the last row */
    struct timestamp last;           /* time of the last row */
    struct channel *channel;         /* [nchannel] */
    struct detect *detect;           /* [nchannel] with groups.detects, else [0] */
    struct wrap_watch *watch;        /* [nchannel] of the first groups; NULL: of a later group */
    double *state;                   /* [nchannel * nstate] */
    struct group_rotation *rotation; /* [nrotation] */
    double *last_out;      /* [nchannel * nwant] outputs of the last row, also where the row is a gap */
    struct group_age *age; /* NULL: without --forget */
    void *extra; /* [groups.nextra] bytes for the caller, zeroed at first; groups.free_extra frees what
                    they own */
    struct spot waiting; /* the row that waits for the next row; waiting.block NULL: no row waits */
    double waiting_T;    /* seconds of the step into the row that waits */
    uint32_t firstrow;   /* where the group's rows in the block under way begin: an index into groups.row */
    uint32_t nrow;       /* the group's rows in the block under way */
    uint32_t nkey;       /* bytes of the key */
    bool begun;          /* the group has had a row before the block under way */
    bool eldest;         /* the group of the series' first row */
    char *key;           /* [nkey] */
};

struct groups {
    size_t nchannel, nstate, nwant, nrotation, nextra;
    bool detects;     /* --detect-cuts is given: groups have the array `detect` */
    uint64_t watched; /* this many groups, from the first on, are looked at for angles that wrap */
    double forget;    /* --forget, seconds; 0: groups are never forgotten */
    void (*free_extra)(void *extra); /* may be NULL */
    struct group **bucket;           /* [nbucket] hash table by key, chained; owned */
    size_t nbucket, ngroup;
    uint64_t nmade;               /* number of groups so far, with forgotten groups */
    struct group *first, *newest; /* the ends of the list of groups */
    struct group *forgotten; /* groups without a bucket, in a list by `after`, which groups_release frees */
    struct timestamp clock;  /* with --forget: the latest time so far, if has_clock */
    bool has_clock;          /* there has been a row */

    /* The block under way. One allocation, owned. */
    struct group **row_group; /* [nrow] the group of each row */
    struct group **touched;   /* [ntouched] groups with rows in the block, in order of their first rows */
    size_t *row;              /* [nrow] the rows of the block, group by group; see group.firstrow */
    size_t ntouched, maxrow;

    struct group_key key; /* the key of the last row that was looked up */
    struct group *last;   /* the group of the last row; the caller sets NULL when another block comes */
    size_t last_row;      /* number of the last row in the block */
};

/* The group with this key; a new key makes a group. NULL: memory is out. */
struct group *groups_get(struct groups *all, const char *key, size_t nkey);

/* The group of row i of block. The key is the plain text that the cells in the columns of --group-by mean, so
 * that the same rows are in one group in every format. An empty cell is a key, too. A new key makes a group.
 * NULL and *e: memory is out. Nothing is forgotten. */
struct group *groups_find(struct groups *all, const struct reader *reader, const struct block *block,
                          size_t i, struct error *e);

enum { GROUP_SHOWN = 64 }; /* bytes of a group's key in messages, with the NUL */

/* The error of a row of a group whose time is less than the time of the group's row before. Returns false. */
bool groups_backward(const struct columns *columns, const struct group *group, const struct timestamp *before,
                     const struct timestamp *now, struct error *e);

/* Sorts the rows of a block by group: sets touched, and firstrow and nrow of each touched group. A group that
 * is forgotten in the block is touched, too, if it has rows in the block. groups_release follows when the
 * block has been taken. */
bool groups_sort(struct groups *all, const struct series_rows *in, const struct block *block,
                 struct error *e);

/* The rows of a touched group in the block, ascending: [group->nrow]. */
static inline const size_t *groups_rows(const struct groups *all, const struct group *group)
{
    return all->row + group->firstrow;
}

/* Ends the block under way, and frees the groups that are forgotten. end: called with each of these groups
 * before, to decide the group's rows that wait. */
void groups_release(struct groups *all, const struct series_rows *in,
                    void (*end)(void *state, struct group *group), void *state);

void groups_free(struct groups *all);

#endif
