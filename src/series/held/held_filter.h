/* Filters the held rows of a group, window by window: unit by unit (numbers, angles, vectors, rotations) the
 * runs of samples at knots (knots.h) are smoothed by whole/zero_phase.c, and the results go into the rows.
 * The units are shared among the threads of the job. Invariant: results, messages and errors do not depend
 * on the number of threads. */
#ifndef SPRUNG_SERIES_HELD_HELD_FILTER_H
#define SPRUNG_SERIES_HELD_HELD_FILTER_H

#include "series/held/knots.h"
#include "springs/filter_words.h"
#include "whole/choose_halflife.h"

/* A unit and the settings that it is filtered with. */
struct held_unit {
    const struct unit *unit;
    const void *settings;
    double period; /* seconds of a wave at the cutoff */

    /* Where the settings leave a value to be chosen, of the group that was chosen for last. */
    bool chosen;          /* a value was chosen; false also where an error has ended the series */
    bool few;             /* too few values for a choice: the unit is left as it is */
    struct choice choice; /* choice.value NaN: none */
    struct equivalent equivalent[MAXEQUIVALENT]; /* of the value that was chosen */
};

struct held_filter {
    struct series *series;
    size_t nunit;
    struct held_unit *unit;     /* [nunit] in the order of messages; owned */
    size_t nworker;             /* threads that filter units at once */
    struct held_worker *worker; /* [nworker] owned, in the allocation of unit */
    size_t most;                /* room for rows of a window */

    /* The window under way. */
    struct held_rows *held;
    struct smooth_window window;
    size_t keep; /* the first row that the next window needs */
};

/* Lists the units of the series. held_filter_close may be called also where held_filter_open failed or was
 * not called; *filter is zeroed before. */
bool held_filter_open(struct held_filter *filter, struct series *series, struct error *e);
void held_filter_close(struct held_filter *filter);

/* Rows per second of a window, as knots_row_rate. False and *e: out of memory. */
bool held_filter_row_rate(struct held_filter *filter, struct held_rows *held,
                          const struct smooth_window *window, double *rate, struct error *e);

/* Chooses the half-lives and cutoffs by all rows of a group. On an error the series ends. Units with too few
 * values are left as they are if another unit of the group is filtered, or with may_leave_all; else they
 * are an error. */
void held_filter_choose(struct held_filter *filter, struct held_rows *held);

/* Filters a window of a group. keep: the first row that the next window needs. On an error the series ends.
 */
void held_filter_smooth(struct held_filter *filter, struct held_rows *held,
                        const struct smooth_window *window, size_t keep);

#endif
