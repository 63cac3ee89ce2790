/* What a series remembers between rows, for each group of --group-by; without --group-by there is one group.
 * Invariant: a group's memory does not grow with the number of its rows, except for the rows of the block
 * under way and for what the caller keeps in extra. */
#ifndef SPRUNG_SERIES_GROUPS_H
#define SPRUNG_SERIES_GROUPS_H

#include "formats/format.h"
#include "series/rotations.h"

enum { DETECT_PAST = 63 }; /* most changes of slope that the median is taken over */

/* How finely the numbers of a channel or rotation are written, as far as the rows so far show. */
struct resolution {
    int decimals;    /* most digits after the point */
    int digits;      /* most significant digits, beyond RESOLUTION_DIGITS */
    bool not_floats; /* a number is no float of 32 bits */
};
enum { RESOLUTION_DIGITS = 3 }; /* fewer significant digits are not told from numbers that end in zeros */

/* --detect-cuts, for one channel, or for a rotation in the state of its first channel. */
struct detect {
    struct resolution resolution;
    double before[4];         /* targets of the previous row, if before_known */
    bool before_known;        /* the previous row had values */
    double past[DETECT_PAST]; /* [n] lengths of the last changes of slope; past[oldest] is overwritten next */
    double sorted[DETECT_PAST]; /* [n] the same lengths, ascending */
    size_t n, oldest;
    double bend[3];   /* change of slope at the previous row, if bend_known */
    bool bend_known;  /* the change of slope at the previous row could be computed */
    bool spike_shape; /* the changes of slope around the previous row have the shape of a spike */
    bool spike;       /* the previous row is a spike: it has the shape, and there is a cut before it */
    bool may_jump;    /* the next row may follow a cut: a filter must not look ahead to its value */
};

/* A channel of one group. */
struct channel {
    double goal;              /* last valid target */
    struct timestamp valid;   /* time of the last valid sample before the gap under way */
    uint64_t nmissing;        /* rows of the input in the gap under way */
    bool live;                /* a run of the filter is under way */
    bool gap;                 /* the previous row was a gap */
    bool cut;                 /* the next row with a time step follows a cut */
    double held_goal;         /* target in the row that waits */
    double held_velocity;     /* measured velocity in the row that waits */
    double held_turns;        /* periods that were added to the angle in the row that waits */
    unsigned char held_flags; /* enum row_flag of the row that waits */
    struct unwrap unwrap;     /* of an angle */
};

/* A rotation of one group. */
struct group_rotation {
    double part[4];  /* numbers of the last valid target, as rotations_follow leaves them */
    double print[4]; /* numbers that were printed last */
    struct rotation_state state;
};

/* One row of a block. */
struct spot {
    struct block *block;
    size_t row;
};

struct group {
    struct group *next;  /* next group in the same bucket */
    struct group *after; /* next group in order of appearance */
    uint64_t hash;
    uint64_t nseen;                  /* rows so far */
    size_t ncut;                     /* number of cut times up to the last row */
    struct timestamp last;           /* time of the last row */
    bool begun;                      /* the group has had a row */
    struct channel *channel;         /* [nchannel] */
    struct detect *detect;           /* [nchannel] where groups.detects is set */
    double *state;                   /* [nchannel * nstate] */
    struct group_rotation *rotation; /* [nrotation] */
    double *last_out; /* [nchannel * nwant] outputs of the last row, also where the row is a gap */
    struct spot held; /* the row that waits for the next row; held.block NULL: no row waits */
    double held_T;    /* seconds of the step into the row that waits */
    size_t *row;      /* [nrow] rows of this group in the block under way */
    size_t nrow, maxrow;
    void *extra; /* [groups.nextra] bytes for the caller, zeroed at first; groups.free_extra frees their
                    contents */
    size_t nkey;
    char key[];
};

struct groups {
    size_t nchannel, nstate, nwant, nrotation, nextra;
    bool detects;                    /* --detect-cuts is given: groups have what it takes */
    void (*free_extra)(void *extra); /* may be NULL */
    struct group **bucket; /* [nbucket] hash table by key, chained; one allocation with touched, owned */
    size_t nbucket, ngroup;
    struct group *first, *newest; /* the first and the last group in order of appearance */
    struct group **touched;       /* groups with rows in the block under way, in order of appearance */
    size_t ntouched;
    struct group_key key; /* the key of the last row that was looked up */
    struct group *last;   /* the group of the last row; the caller sets NULL when another block comes */
    size_t last_row;      /* number of the last row in the block */
};

/* The group with this key; a new key makes a group. NULL: memory is out. */
struct group *groups_get(struct groups *all, const char *key, size_t nkey);

/* The group of row i of b. The key is the plain text that the cells in the columns of --group-by mean, so
 * that the same rows are in one group in every format. An empty cell is a key, too. A new key makes a group.
 * NULL and *e: memory is out. */
struct group *groups_find(struct groups *all, const struct reader *r, const struct block *b, size_t i,
                          struct error *e);

enum { GROUP_SHOWN = 64 }; /* bytes of a group's key in messages, with the NUL */

/* The error of a row of a group whose time is less than the time of the group's row before. Returns false. */
bool groups_backward(const struct columns *t, const struct group *g, const struct timestamp *before,
                     const struct timestamp *now, struct error *e);

/* Sorts the rows of a block by group: sets touched, and row and nrow of each touched group. */
bool groups_sort(struct groups *all, const struct reader *r, const struct block *b, struct error *e);

void groups_free(struct groups *all);

#endif
