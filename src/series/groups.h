/* What a series remembers between rows, for each group of --group-by (one group without it).
 * Invariant: a group's memory does not grow with its rows, unless a mode holds them; their number bounds the
 * memory of a stream. */
#ifndef SPRUNG_GROUPS_H
#define SPRUNG_GROUPS_H

#include "rows/block.h"
#include "series/detect.h"

struct channel {        /* of one group */
    double goal;        /* last valid goal */
    struct timestamp valid; /* time of the last valid sample before the gap under way */
    bool live;          /* a run is under way */
    bool gap;           /* the row before was a gap */
    bool cut;           /* a cut is due at the next row */
    double before;      /* goal of the row before, where bent */
    bool bent;          /* before is known */
    struct detect detect;
    double angle, turns; /* last valid angle, unwrapped, and the turns that took */
    bool wound;          /* there is one */
    double part;         /* of a quaternion: the goal's component at the last row that was filtered, of length 1 */
};

struct place {             /* of a row that is held */
    uint32_t block, row;
};

struct group {
    struct group *next; /* in its bucket */
    uint64_t hash;
    size_t number;     /* from 0, in order of appearance */
    uint64_t nseen;    /* rows so far */
    size_t ncut;       /* cut times that are past */
    struct timestamp last; /* time of the row before */
    bool begun;
    bool touched;            /* it has rows in the block under way */
    struct channel *channel; /* [nchannel] */
    double *state;           /* [nchannel * nstate] */
    double *last_out;        /* [nchannel * nwant] what the row before gave, also under a gap */
    struct block *held;      /* look-ahead: the block of the row that waits; NULL: none waits */
    size_t held_row;
    double held_T;
    double *held_goal;        /* [nchannel] */
    double *held_turns;       /* [nchannel] */
    unsigned char *held_mark; /* [nchannel] */
    struct place *place;      /* [nplace] whole series: its rows, and the time since the one before each */
    double *place_T;
    size_t nplace, maxplace;
    size_t *row;              /* rows of this group in the block under way */
    size_t nrow, maxrow;
    size_t nkey;
    char key[];
};

struct groups {
    size_t nchannel, nstate, nwant;
    struct group **bucket; /* hash table by key, chained */
    size_t nbucket, ngroup;
    struct group **touched; /* groups of the block under way, in order of appearance */
    size_t ntouched;
};

/* The group of that key, made when it is new; NULL when memory is out. */
struct group *groups_get(struct groups *all, const char *key, size_t nkey);

/* Appends a row of the block under way to a group's rows; false when memory is out. */
bool groups_touch(struct groups *all, struct group *g, size_t row);

/* Forgets the rows of the block under way. */
void groups_rest(struct groups *all);

void groups_free(struct groups *all);

#endif
