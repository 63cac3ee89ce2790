/* A series that is held whole, group by group: its knots, which are the rows of one time; the runs of a
 * channel or a rotation, which lie between known values; and what they are filtered with. Files of
 * --zero-phase share it. */
#ifndef SPRUNG_OFFLINE_WHOLE_H
#define SPRUNG_OFFLINE_WHOLE_H

#include "series/chunk.h"

/* The reflected rows that a pass is filtered over before it enters the run. */
struct lead_in {
    ptrdiff_t nrow;
    double left[FILTER_MAXSTATE * FILTER_MAXSTATE]; /* what these rows leave of a state: column i, of its
                                                       double i */
    bool forgotten;                                 /* nothing is left */
    bool still;                                     /* it hardly moves in a period */
};

/* A run of targets. */
struct odd_run {
    const double *T; /* the steps, T > 0; T[0] is not used. NULL: all are step */
    double step;
    const double *goal; /* [last + 1]; the first and the last one are 0. NULL: a lone 1 in the middle */
    ptrdiff_t last;
    ptrdiff_t width; /* 1, or 4: goal holds unit quaternions; the first and the last one are 1, 0, 0, 0 */
};

/* Zeroed, but for s and the arrays of fixed size. */
struct both_ways {
    struct series *s; /* its steps, shape and filter are used */
    struct coefficients *set;
    struct odd_run run;        /* set is to be NULL when the contents of T or the settings have changed */
    bool backward;             /* the backward pass is the first; rows are counted from the end of the run */
    struct lead_in lead_in[2]; /* of the pass forward and the one backward in time */
    double *value; /* [last + 1] rows, the result; room for 2 * last reflected rows of the second pass */
    double *other; /* [last + 1] rows, that of the other order, where both are needed */
    double *chunk, *result; /* [4 * s->maxrow] targets and results of the rows under way */
};

/* From rotation 0 to rotation 1 while a time goes from 0 to 1: exp(turns (t - 1/2)) exp(way t) middle. The
 * same for the reversed run. */
struct motion {
    double middle[4], way[3], turns[3];
};

/* The rows of one group, and what is made of one channel or rotation of them. Arrays are [nknot]. */
struct whole {
    struct series *s;
    struct group *g;
    char *settings; /* of the filter, for the run under way */
    bool automatic; /* a half-life is to be chosen, for any channel */
    size_t nknot;
    size_t *first;       /* [nknot + 1] the first of the group's rows at each knot */
    double *T;           /* since the knot before */
    double *time;        /* since the first one of the run under way */
    double *goal;        /* NaN: not known; in a run under way, less its line, and then room */
    double *turns;       /* of an angle */
    double *read;        /* goal before anything is bridged, for -H auto */
    double (*target)[4]; /* unit quaternions; not set where goal is NaN; bridged in a run under way */
    double (*h)[4];      /* in a run under way: less its motion; and then the result */
    double *v[3];        /* vectors by component */
    struct both_ways both;

    /* The channel or rotation under way. */
    const struct unit *unit;
    double part[4];    /* numbers of the last valid sample */
    double printed[4]; /* the numbers printed last */
    size_t set;        /* number of its coefficients */
    double halflife;   /* where it is to be chosen */
    bool trial;        /* runs are not printed, but judged */
    struct misfit {
        double square; /* of the distances of known values from the result, over all runs */
        double part;   /* of each value that stays in its own row, summed up */
        size_t n;      /* known values */
    } misfit;
    struct fit {            /* at the ends of a run */
        size_t begin, last; /* the run; 0, 0: none */
        double reach;       /* in seconds (spline_slopes.h) */
        double part;        /* of a value far from both ends that stays in its own row */
    } fit;

    /* The run under way. */
    size_t begin, last;
    bool even;           /* its steps are equal */
    double start, slope; /* of a channel's line */
    struct motion motion;
};

/* whole_units.c: sets w->goal of all knots, of a rotation to any number or NaN. */
void whole_gather(struct whole *w);

/* Finds the values of the knots between two. */
void whole_bridge(struct whole *w, size_t from, size_t to);

/* The targets of the run, less what a filter without lag would leave as it is: its line, or its motion.
 * reach: of fits at its ends. */
const double *whole_reduce(struct whole *w, double reach);

/* After the filter. */
void whole_take_result(struct whole *w);

/* Adds the distances of the run's result from its values to w->misfit; good: there is a result. */
void whole_add_misfit(struct whole *w, bool good);

/* Makes a derivative of the run in the place of what it is taken from, derivative n - 1. */
void whole_derive(struct whole *w, size_t n);

/* The numbers of a derivative at knot k; x: zeroed. */
void whole_give(struct whole *w, size_t derivative, size_t k, double x[4]);

/* Filters what gather left in w->goal, run by run. */
void whole_filter_runs(struct whole *w);

/* odd_extension.c: filters a run into m->value. On false *bad is a row without a finite result, or 0 where
 * the filter does not come to rest. */
bool odd_extension_filter(struct both_ways *m, struct coefficients *set, const struct odd_run *run,
                          size_t *bad, struct error *e);

/* choose_halflife.c: if --halflife auto asks for it, gives the set of the channel or rotation under way the
 * half-life that suits the values in w->goal. */
void whole_choose_halflife(struct whole *w);

#endif
