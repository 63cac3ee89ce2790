/* Warnings of what the user can hardly have meant: times in another unit, columns that hold something else
 * than what they are filtered as, missing cuts. They are judged once, by the first rows of the input or, if
 * it is shorter, at its end; no row waits for them. Invariant: what is said depends on the rows, never on how
 * they arrive. */
#ifndef SPRUNG_SERIES_WARNINGS_H
#define SPRUNG_SERIES_WARNINGS_H

#include "series/core.h"
#include "whole/kinds/angle.h"
#include "whole/kinds/count.h"

enum {
    WARNINGS_ROWS = 4096,         /* rows that the warnings go by */
    WARNINGS_FIRST = COUNT_LEAST, /* rows whose values are kept */
    WATCHED_GROUPS = 1000         /* first groups that are looked at for angles that wrap */
};

struct warnings_config {
    bool zero_phase; /* the filter is a smoother */
    bool cleaned;    /* gaps or spikes are filled, or values masked */
    bool finds_cuts; /* --detect-cuts */
    bool keyed;      /* each channel has times of its own, as keys of a curve have */
    bool verbose;    /* say the time steps */
};

/* The time steps of rows, in seconds. */
struct step_range {
    uint64_t n;
    double shortest, longest, sum;
};

struct warnings {
    struct core *core;
    struct warnings_config config;
    uint64_t nrow; /* rows so far */
    bool judged;
    struct step_range first; /* the first steps of the first group */
    struct step_range all;   /* with --verbose: of all rows */
    double span;             /* seconds from the first row to the last of those judged, of the first group */
    bool diverges;           /* a step was too long for --method euler */
    double *value; /* [WARNINGS_FIRST * nchannel] values of the first rows; owned, as are the arrays below */
    struct time_watch *times;
    struct angle_watch *watch; /* [nwatch] of each channel in the first groups */
    size_t nwatch, maxwatch;
    bool *may_wrap;    /* [nchannel] the channel is filtered as a number, and can be an angle */
    struct wrap *wrap; /* [nchannel] where a channel wraps first */
};

/* What the config holds must outlive the warnings. warnings_close follows, also on error. */
bool warnings_open(struct warnings *warnings, struct core *core, const struct warnings_config *config,
                   struct error *e);
void warnings_close(struct warnings *warnings);

/* Looks at the rows of a block, before the passes take them. */
void warnings_take(struct warnings *warnings, const struct block *block);

/* Says the warnings when they are due: after the passes have taken a block, and at the end. rows, gaps: of
 * the series so far. */
void warnings_say(struct warnings *warnings, bool end, uint64_t gaps);

/* The rows per second, if they are even but for the rounding of times, and with --verbose; else NaN. */
double warnings_row_rate(const struct warnings *warnings);

#endif
