/* Time steps between the rows of a group, and the filter's coefficients for them, computed once per distinct
 * step. Invariant: a step is the exact difference of two times as they are written, rounded once. */
#ifndef SPRUNG_STEPS_H
#define SPRUNG_STEPS_H

#include "filters/filter.h"
#include "series/groups.h"
#include "series/overrides.h"

enum { STEPS_CACHE = 16 }; /* coefficients remembered by T; a power of two */

/* The coefficients of channels that share settings. */
struct coefficients {
    const void *settings;
    double cached_T[STEPS_CACHE];
    double *cache; /* [STEPS_CACHE * nstep] */
    double *step;  /* [maxrow * nstep] those of the rows under way */
};

struct steps {
    /* set by the caller before steps_open */
    const struct filter *filter;
    const struct columns *columns; /* the time column's name is for messages */
    double rate;                   /* rows per second; 0: by the time column */
    int unit;                      /* times are in units of 10^unit seconds */
    struct messages *messages;     /* takes the filter's warning, once, about that file */
    const char *file;
    size_t nstep, maxrow;

    struct coefficients *set; /* [nset], one for each settings of the overrides */
    size_t nset;
    const size_t *set_of; /* [nchannel] */
    double *T;            /* [maxrow] seconds since the row before */
    bool warned;
};

/* Rows of one group in a block: from first on of index, or of the block where index is NULL. */
struct group_rows {
    struct block *block;
    const size_t *index;
    size_t first;
};

static inline size_t group_row(const struct group_rows *r, size_t j)
{
    return r->index ? r->index[r->first + j] : r->first + j;
}

/* The overrides must stay. False: memory is out; steps_close follows in any case. */
bool steps_open(struct steps *s, const struct overrides *overrides);
void steps_close(struct steps *s);

/* The time of row j; with a rate, its number in the group. */
struct timestamp steps_time(const struct steps *s, const struct group *g, const struct group_rows *r,
                            size_t j);

/* Seconds from a to b, and from 0 to a. */
double steps_between(const struct steps *s, const struct timestamp *a, const struct timestamp *b);
double steps_seconds(const struct steps *s, const struct timestamp *a);

/* Sets T[j] for *n rows; the group's first step is 0. Where time goes backward: false, and *n becomes the
 * rows before it. */
bool steps_take(const struct steps *s, const struct group *g, const struct group_rows *r, double *T,
                size_t *n, struct error *e);

/* How many of n steps one has to look at to know all: with a rate only the first two may differ from the
 * last. */
static inline size_t steps_distinct(const struct steps *s, size_t n)
{
    return s->rate != 0 && n > 3 ? 3 : n;
}

/* Sets set->step for n <= maxrow rows. Returns the stride from row to row: 0 when one T serves all. Rows with
 * T = 0 need none. */
size_t steps_coefficients(struct steps *s, struct coefficients *set, const double *T, size_t n);

#endif
