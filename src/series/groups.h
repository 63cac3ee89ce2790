/* What a series remembers between rows, for each group of --group-by; without it there is one group.
 * Invariant: a group's memory does not grow with its rows, but for those of the block under way and for what
 * the caller keeps in extra. */
#ifndef SPRUNG_SERIES_GROUPS_H
#define SPRUNG_SERIES_GROUPS_H

#include "formats/format.h"
#include "series/rotations.h"

enum { DETECT_PAST = 63 }; /* rows the median is taken over, at most */

/* How finely the numbers of a channel or rotation are written, as far as the rows so far show. */
struct resolution {
    int decimals;    /* most digits after the point */
    int digits;      /* most significant digits, beyond RESOLUTION_DIGITS */
    bool not_floats; /* a number is no float of 32 bits */
};
enum { RESOLUTION_DIGITS = 3 }; /* fewer significant digits are not told from numbers that end in zeros */

struct detect { /* --detect-cuts, of one channel or the first one of a rotation */
    struct resolution resolution;
    double before[4];         /* targets of the row before, */
    bool before_known;        /* if that had values */
    double past[DETECT_PAST]; /* absolute changes of slope; the oldest is overwritten first */
    double sorted[DETECT_PAST];
    size_t n, oldest;
    double bend[3]; /* change of slope at the row before, */
    bool known;     /* if that is known */
    bool alone;     /* the row before looks like a spike, */
    bool spike;     /* and there is a cut before it */
    bool doubtful;  /* the row after it may be one: a filter does not look ahead to its value */
};

struct channel {                  /* of one group */
    double goal;                  /* last valid target */
    struct timestamp valid;       /* time of the last valid sample before the gap under way */
    uint64_t nmissing;            /* rows of the input in that gap */
    bool live;                    /* a run is under way */
    bool gap;                     /* the row before was a gap */
    bool cut;                     /* the next row with a time step follows a cut */
    double held_goal, held_turns; /* of the row that waits, */
    unsigned char held_flags;     /* and its flags */
    struct unwrap unwrap;         /* of an angle */
};

struct group_rotation { /* of one group */
    double part[4];     /* numbers of its last valid target, as rotations_follow leaves them */
    double print[4];    /* those printed last */
    struct rotation_state state;
};

/* One row. */
struct spot {
    struct block *block;
    size_t row;
};

struct group {
    struct group *next;  /* in its bucket */
    struct group *after; /* the next one in order of appearance */
    uint64_t hash;
    uint64_t nseen;        /* rows so far */
    size_t ncut;           /* cut times that are past */
    struct timestamp last; /* time of the row before */
    bool begun;
    struct channel *channel;         /* [nchannel] */
    struct detect *detect;           /* [nchannel] where groups.detects is set */
    double *state;                   /* [nchannel * nstate] */
    struct group_rotation *rotation; /* [nrotation] */
    double *last_out;                /* [nchannel * nwant] outputs of the row before, also under a gap */
    struct spot held;                /* the row that waits for the one after it; block NULL: none does */
    double held_T;
    size_t *row; /* [nrow] rows of this group in the block under way */
    size_t nrow, maxrow;
    void *extra; /* [groups.nextra] bytes of the caller's, zeroed; what it owns is freed by free_extra */
    size_t nkey;
    char key[];
};

struct groups {
    size_t nchannel, nstate, nwant, nrotation, nextra;
    bool detects;                    /* --detect-cuts is given: groups have what it takes */
    void (*free_extra)(void *extra); /* may be NULL */
    struct group **bucket;           /* hash table by key, chained; owned, with touched */
    size_t nbucket, ngroup;
    struct group *first, *newest; /* of all, in order of appearance */
    struct group **touched;       /* groups with rows in the block under way, in order of appearance */
    size_t ntouched;
    struct plain cell;  /* the key of the row under way */
    struct span key;    /* its bytes in the block, and its group, which the next row may share */
    struct group *last; /* to be NULL when another block comes */
};

/* The group of that key, made when it is new. NULL: memory is out. */
struct group *groups_get(struct groups *all, const char *key, size_t nkey);

/* The group of row i of b, by what the cell in the table's group column says, however it is spelled: rows are
 * in the same groups in every format. A gap is a group as well, that of the empty cell. A new key makes a
 * group. NULL and *e: memory is out. */
struct group *groups_find(struct groups *all, const struct reader *r, const struct block *b, size_t i,
                          struct error *e);

/* Sorts the rows of a block by group: sets touched, and row and nrow of each of these. */
bool groups_sort(struct groups *all, const struct reader *r, const struct block *b, struct error *e);

void groups_free(struct groups *all);

#endif
