/* A series that is held whole, group by group: its knots, which are the rows of one time; the runs of a
 * channel or a rotation, which lie between known values; and what they are filtered with. Files of
 * --zero-phase share it. */
#ifndef SPRUNG_OFFLINE_WHOLE_H
#define SPRUNG_OFFLINE_WHOLE_H

#include "offline/odd_extension.h"
#include "series/chunk.h"

/* How far a fit at an end of a run reaches, in seconds (end_value.h), with one set of coefficients. */
struct fit {
    size_t begin, last; /* the run; 0, 0: none */
    double reach;
    double part; /* of a value far from both ends that stays in its own row */
};

/* How far values are from the result, over the runs of a channel or a rotation: what -H auto goes by. */
struct misfit {
    double square; /* sum over known values */
    double part;   /* sum of how much of them stays in their own row */
    size_t n;      /* known values */
};

/* Rotations of the knots; [nknot] unit quaternions, and vectors by component. */
struct whole_rotations {
    double (*target)[4]; /* not set where goal is NaN; bridged in a run under way */
    double (*h)[4];      /* in a run under way: less its motion; and then the result */
    double *v[3];
    double part[4]; /* as rotations_follow leaves them */
};

/* The rows of one group, and what is made of one channel or rotation of them. Arrays are [nknot]. */
struct whole {
    struct series *s;
    struct group *g;
    char *settings; /* copies of each set's, and of each set's with a goal that moves */
    struct fit *fit;       /* [sets] */
    bool automatic;        /* a half-life is to be chosen */
    bool even;             /* the steps of the run under way are equal */
    size_t nknot, maxknot;
    size_t *first; /* [nknot + 1] the first of the group's rows at each knot */
    double *T;     /* since the knot before */
    double *time;  /* since the first one of the run under way */
    double *goal;  /* NaN: not known; in a run under way, less its line, and then room */
    double *angle; /* as read */
    double *turns; /* of an angle */
    double *read;  /* goal before anything is bridged, for -H auto; else NULL */
    struct misfit misfit;
    struct whole_rotations rotations;
    struct both_ways both;
    size_t at; /* the channel or rotation under way */
};

/* What is done with the knots of a channel or a rotation. */
struct whole_kind {
    void (*bridge)(struct whole *w, size_t from, size_t to); /* finds the values of the knots between two */
    void (*filter)(struct whole *w, size_t begin, size_t last); /* filters a run and prints it */
    void (*leave)(struct whole *w, size_t k); /* prints a knot outside of all runs; may be NULL */
    size_t nchannel;                                            /* that it has */
};

/* The settings of set number i, as given or with a goal that moves. */
char *whole_settings(const struct whole *w, size_t i, bool moving);

/* Zeroed before; whole_close in any case. */
bool whole_open(struct whole *w, struct series *s, struct error *e);
void whole_close(struct whole *w);

/* Takes a group. */
bool whole_take_group(struct whole *w, struct group *g, struct error *e);

/* Filters what lies in w->goal, run by run; of a rotation only whether it is NaN counts. */
void whole_filter_runs(struct whole *w, const struct whole_kind *kind);

/* choose_halflife.c: if --halflife auto asks for it, gives the set the half-life that suits the values in
 * w->goal, which are those of a channel or of a rotation's n channels. trial filters a run and calls
 * whole_add_misfit for each knot with the squared distance of its result from its value. */
void whole_choose_halflife(struct whole *w, struct coefficients *set, const struct whole_kind *trial,
                           const size_t *channel, size_t n);
void whole_add_misfit(struct whole *w, const struct coefficients *set, size_t k, double square);

/* Gives each set the settings for the steps of a run, and returns how far a fit at its ends reaches. */
double whole_prepare(struct whole *w, struct coefficients *set, size_t begin, size_t last);

/* A row of the group. */
static inline struct spot whole_spot(const struct whole *w, size_t row)
{
    struct place place = w->g->place[row];
    return (struct spot){ w->s->block[place.block], place.row };
}

/* Channel c is faulty in a run that begins at a knot; bad: the knot that shows it. */
void whole_fail(struct whole *w, size_t c, size_t begin, size_t bad, struct error *e);

/* The number of a channel for one output is too large at a knot. */
void whole_fail_range(struct whole *w, size_t c, size_t begin, size_t bad);

/* whole_channels.c, whole_rotations.c: filter a channel or a rotation of the group. */
void whole_filter_channel(struct whole *w, size_t channel);
void whole_filter_rotation(struct whole *w, size_t rotation);

#endif
