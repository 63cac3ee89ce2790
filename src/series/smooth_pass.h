/* The pass of --zero-phase: the knots of a series are held and smoothed stretch by stretch
 * (whole/stretches.h). A knot is decided when its stretch and 14 periods of the cutoff more have come. Where
 * the whole series counts there is one stretch, when no more rows come. Each unit is smoothed separately, on
 * several threads. With --lookahead S a knot is decided when one S seconds later has come. Invariants:
 * results, messages and errors do not depend on the number of threads, nor on how rows arrive. */
#ifndef SPRUNG_SERIES_SMOOTH_PASS_H
#define SPRUNG_SERIES_SMOOTH_PASS_H

#include "series/core.h"
#include "whole/choose_cutoff.h"
#include "whole/live_smoother.h"
#include "whole/stretches.h"

/* A unit of a series. Zero-initialize. */
struct smooth_unit {
    struct unit_before before;   /* of a rotation or an angle that is printed */
    double printed[4];           /* numbers that were printed last */
    double cutoff;               /* Hz; INFINITY: the unit stays as it is */
    struct cutoff_choice choice; /* with auto */
    /* With --lookahead. */
    struct live_smoother live;
    struct unit_before newest; /* of the knots that `live` has taken */
};

/* What the pass remembers of a series, in the state of the group. */
struct smooth_series {
    uint64_t begin;    /* the first knot that the next stretch may need */
    uint64_t at;       /* the first knot without a result */
    uint64_t ncounted; /* knots that have their counted time */
    struct stretch_time time;
    struct smooth_unit unit[]; /* [units.n] */
};

/* The memory of a thread. */
struct smooth_worker {
    struct smoothing smoothing;
    double *value;          /* [maxvalue] samples; owned */
    struct sample_run *run; /* [maxrun] owned */
    size_t maxvalue, maxrun;
    bool failed; /* out of memory */
};

struct smooth_pass {
    struct core *core;
    const struct filter_common *settings; /* of the filter */
    double cutoff;                        /* Hz; NaN: auto */
    size_t counted;                       /* column of knots.extra: counted seconds up to each knot */
    struct stretch_reach reach;
    struct smooth_worker *worker; /* [nworker] owned */
    size_t nworker;

    /* The stretch under way: indices in the knots. */
    struct series *series;
    struct smooth_series *memory;
    struct stretch stretch;
    bool choosing; /* cutoffs are chosen; false: the stretch is smoothed */
};

/* Why no row leaves with these settings of a filter before the last row has come; NULL: a row leaves when
 * enough rows have come after it. */
const char *smooth_needs_all(const struct filter_common *settings, const struct series_rows *input);

/* What is said of a unit that stays for this reason, or, STAYS_NOT, of a doubtful choice; NULL: nothing. */
const char *smooth_stays_words(enum cutoff_stays stays);

/* Appends the pass to core->pass. False and *e: out of memory. */
bool smooth_pass_open(struct core *core, struct error *e);

/* At the end: names the channels that are copied unchanged, and those whose cutoff is doubtful. */
void smooth_pass_say(const struct smooth_pass *pass);

/* --- smooth_units.c --- */

/* Works on a unit in the stretch under way. pass->choosing: chooses its cutoff, in a stretch that is the
 * whole series. Else sets the results of the knots `from` to `to` - 1. False and *e: out of memory. */
bool smooth_unit_run(const struct smooth_pass *pass, struct smooth_worker *worker, size_t unit,
                     struct error *e);

/* Smoothed targets of a unit, sample by sample, and their rates, where they are wanted. */
struct smooth_result {
    double *x, *velocity, *acceleration;
};

/* Sets n results of a unit, from the knot at index `at` on. The targets become the numbers to print. */
void smooth_units_put(const struct smooth_pass *pass, size_t unit, size_t at, size_t n,
                      struct smooth_result result);

/* The target of a unit in the knot at index i, NaN where a number is missing. */
void smooth_target(const struct smooth_pass *pass, const struct unit *unit, size_t i,
                   struct unit_before *before, double target[4]);

#endif
