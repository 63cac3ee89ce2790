/* One group as it is cleaned: the rows that are kept (history.c), the verdicts on their samples (judge.c) and
 * the gaps that are bridged (bridge.c). Private to this folder. Rows are numbered within the group, from 0.
 *
 * A track is a unit: it is judged as a whole, and its gaps are bridged. A row is judged to be a valid sample,
 * a gap or a spike when the next --despike-window rows are there. A judged row is final unless the row is in
 * a gap that may still be filled. A row of a block is decided when the row is final in all tracks. */
#ifndef SPRUNG_SERIES_CLEAN_HISTORY_H
#define SPRUNG_SERIES_CLEAN_HISTORY_H

#include "rows/units.h"
#include "series/clean/clean.h"
#include "series/operator.h"
#include "whole/noise/spike_track.h"

/* How far the judging of a unit is in the rows of a group. */
struct judging {
    size_t row;                 /* number of the row that is judged next */
    struct spike_track samples; /* with --despike */
    bool spike;                 /* the sample that was judged last is a spike */
};

/* How far a unit is in the rows of a group. */
struct track {
    const struct unit *unit;
    struct judging judging;
    size_t final;     /* number of rows whose goals are final; judged rows from here on are a gap, and the
                         sample at its end */
    size_t last;      /* if has_sample: row of the last valid sample */
    size_t earlier;   /* if has_sample: row of the last valid sample at an earlier time than `last`; equal to
                         `last` where no earlier sample is known */
    size_t end;       /* if ended: row of the valid sample after the gap */
    size_t spike_end; /* number of the row after the last spike; 0: there was no spike */
    size_t opening;   /* number of the row after the spikes that the run begins with; without these, of the
                         first row of the run */
    bool has_sample;  /* a gap can be bridged from a known valid sample */
    bool ended;       /* the gap has ended, and waits for the row after its end */
    bool unfilled;    /* the rows after the last valid sample are not filled */
    struct gap gap;   /* the gap under way, of missing values and spikes */
};

/* A row of a group. */
struct kept_row {
    struct timestamp time; /* time of the row, in the unit of the input */
    double second;         /* seconds since the first row of the group, rounded once */
    size_t instant;        /* number of different earlier times in the group */
    size_t run;     /* number of cuts up to the row: rows with the same number may be judged together */
    double value[]; /* [nchannel] values, also of spikes; NaN where missing or masked */
};

/* The kept rows of one group: the rows that are not final, and before them the rows that are needed to judge
 * them. Zeroed before history_begin. */
struct history {
    const struct operator_rows *rows; /* places of the rows that are not final; NULL: history_begin has not
                                         been called */
    struct timestamp begin;           /* time of the first row of the group */
    size_t first, n;                  /* rows [first, n) are kept */
    size_t done;                      /* rows that are final in all tracks */
    size_t run_first;                 /* number of the first row after the last cut */
    char *row;                        /* [max] struct kept_row of `size` bytes each; owned */
    size_t size, max;
    size_t ntrack;
    struct track track[]; /* [ntrack] of each unit */
};

struct clean {
    struct operator operator;
    struct series_rows in;
    struct spikes_settings despike;
    size_t nwindow;            /* rows after a row that are needed to judge it; 0: spikes are not looked
                                * for */
    struct clean_count *count; /* [nchannel] */
    struct clean_kept kept;
    size_t place; /* of the struct history, with its tracks, in a group's state */
};

/* A kept row. */
static inline struct kept_row *history_row(const struct history *history, size_t row)
{
    return (struct kept_row *)(history->row + (row - history->first) * history->size);
}

/* Reads the numbers of a unit in a row: number[unit->n]. False: a number is missing. */
static inline bool history_numbers(const struct history *history, const struct unit *unit, size_t row,
                                   double number[4])
{
    const struct kept_row *kept = history_row(history, row);
    bool known = true;
    for (size_t k = 0; k < unit->n; k++) {
        number[k] = kept->value[unit->channel[k]];
        known &= !isnan(number[k]);
    }
    return known;
}

/* --- the rows: history.c --- */

/* Bytes of a history with its tracks. */
size_t history_size(const struct clean *clean);

/* Prepares the zeroed history of a group, history_size bytes. history_free frees what the history owns, and
 * makes it empty: rows, which must be final, are forgotten. */
void history_begin(struct history *history, const struct clean *clean, const struct operator_rows *rows);
void history_free(struct history *history);

/* Makes room for more rows; drops rows that are no longer needed. The last row is always kept. */
bool history_reserve(struct history *history, size_t more, struct error *e);

/* Adds row i of a block, whose goals are set; there must be room. */
void history_add(struct history *history, const struct series_rows *in, struct block *block, size_t i);

/* Sets the goals of a unit in a row that is not final: number[unit->n]. */
void history_set_goals(const struct history *history, const struct unit *unit, size_t row,
                       const double number[4]);

/* --- verdicts: judge.c --- */

/* With --despike: keeps the samples of the rows from `first` on. */
bool judge_keep_samples(struct history *history, size_t first, struct error *e);

/* Judges the rows of a track before row `end`; stops at a row whose verdict needs later rows. The rows up to
 * `end` and their windows are there; end is history->n where no more rows come. */
void judge_rows(struct clean *clean, struct history *history, struct track *track, size_t end);

/* --- gaps: bridge.c --- */

/* Takes the next row of a track, which has been judged. valid: the row has a sample that is no spike. */
void bridge_take(struct clean *clean, struct history *history, struct track *track, size_t row, bool valid);

/* Takes the next n > 0 rows, which are in one run and have valid samples. No gap is waiting to be filled. */
void bridge_take_valid(const struct history *history, struct track *track, size_t row, size_t n);

/* No more rows come: fills the gap whose end is known. */
void bridge_finish(struct clean *clean, struct history *history, struct track *track);

#endif
