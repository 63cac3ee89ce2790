/* The units of held rows (numbers, angles, vectors, rotations): each is smoothed on its own, by several
 * threads at once, and the results go into the rows. Invariant: results, messages and errors do not depend on
 * the number of threads. */
#ifndef SPRUNG_SERIES_HELD_HELD_UNITS_H
#define SPRUNG_SERIES_HELD_HELD_UNITS_H

#include "series/held/held_samples.h"
#include "whole/choose_cutoff.h"

/* A unit and the settings that it is smoothed with. */
struct held_unit {
    const struct unit *unit;
    const struct filter_common *settings;
    double cutoff;               /* in Hz; INFINITY: the unit stays as it is */
    struct cutoff_choice choice; /* with --cutoff auto, of the group that was chosen for last */
};

struct held_units {
    struct series *series;
    size_t n;
    struct held_unit *at;       /* [n] in the order of messages; owned, with worker */
    size_t nworker;             /* threads that work on units at once */
    struct held_worker *worker; /* [nworker] */
    bool loop;                  /* --loop */

    /* The stretch under way. */
    struct held_samples *held;
    struct stretch stretch;
};

/* Lists the units of the series. held_units_close may be called also where held_units_open failed or was not
 * called; *units is zeroed before. */
bool held_units_open(struct held_units *units, struct series *series, struct error *e);
void held_units_close(struct held_units *units);

/* Chooses the cutoffs by all samples of a group. On an error the series ends. */
void held_units_choose(struct held_units *units, struct held_samples *held);

/* Smooths a stretch of a group, and notes that its results are given. On an error the series ends. */
void held_units_smooth(struct held_units *units, struct held_samples *held, struct stretch stretch);

/* With --lookahead: takes sample k of a group, and gives the results of the samples that are `lookahead`
 * seconds old. On an error the series ends. */
void held_units_take_live(struct held_units *units, struct held_samples *held, size_t k, double lookahead);

/* With --lookahead: gives the results of all samples that are left. */
void held_units_end_live(struct held_units *units, struct held_samples *held);

#endif
