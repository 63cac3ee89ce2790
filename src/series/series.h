/* Rows of a series, before and after the core (core.h): its settings, the layout of what is printed, counts.
 */
#ifndef SPRUNG_SERIES_SERIES_H
#define SPRUNG_SERIES_SERIES_H

#include "formats/format.h"
#include "rows/units.h"
#include "series/gap_options.h"
#include "whole/choose_cutoff.h"

/* Where the target jumps, as the command line says, for filters that take cuts. (The cut column is the role
 * of a column.) */
struct cut_settings {
    struct numbers given; /* --cuts: seconds, as the times are written */
    double detect;        /* --detect-cuts K; NaN: not given */
};

/* --- where outputs go: output_columns.c --- */

/* The highest derivative of a channel that the series computes, and the highest that is printed. */
struct derivatives {
    long computed, printed; /* 0, 1 or 2; printed <= computed */
};

struct output_columns_config {
    const struct table *table; /* of the input */
    const struct units *units;
    const struct filter *filter;
    const void *settings; /* of the filter, checked */
    struct derivatives derivatives;
    bool grid; /* --resample: rows have new times */
};

/* Lays out the filter's outputs for every channel. Each component of a quaternion has its own outputs; the
 * added columns of a quaternion are the x, y and z of its rates: hip_vel_x. A name that exists already gets
 * a number: x_vel_2. output_columns_free follows, also on error. */
bool output_columns_make(struct output_columns *layout, const struct output_columns_config *config,
                         struct error *e);
void output_columns_free(struct output_columns *layout);

/* --- rows --- */

/* What stages must know to judge a row by the earlier rows: times, cuts, groups and units. */
struct series_rows {
    const struct reader *reader; /* of the input; reads the cells of the group column */
    const struct table *table;   /* of the input, for this filter */
    const struct series_settings *settings;
    double rate;                /* rows per second; 0: by the blocks' times */
    const struct numbers *cuts; /* times of cuts */
    const struct units *units;  /* of the channels */
    struct groups *groups;      /* which split.c fills */
};

/* The time of a row of a block that is row n of its group. With a rate the time is n, counted in rows. */
static inline struct timestamp series_time(const struct series_rows *input, const struct block *block,
                                           size_t row, uint64_t n)
{
    return input->rate == 0 ? block->time[row] : (struct timestamp){ (double)n, { (int64_t)n, 0, true } };
}

/* The unit of the times that series_time returns. */
static inline struct time_unit series_unit(const struct series_rows *input)
{
    return input->rate == 0 ? input->table->time_unit : (struct time_unit){ 0, input->rate, 0 };
}

/* The outputs of each channel that are wanted, among the outputs of the filter. */
struct wanted_outputs {
    size_t n;
    size_t *output; /* [n] number of the output among the filter's outputs; owned */
};

/* What was done in a channel, for --verbose, --report and warnings. */
struct channel_count {
    uint64_t masked;  /* values that --mask made missing */
    uint64_t spikes;  /* spikes that were found */
    uint64_t emptied; /* of these, spikes that became gaps */
    uint64_t kept;    /* values that may be spikes, and were kept: see whole/noise/spikes.h */
    uint64_t kept_at; /* the first row of these, from 1 */
    uint64_t filled;  /* missing values that were filled */
    uint64_t cuts;    /* given and found */
    /* What --cutoff auto noted of the first group with a note: why the channel stays, or, STAYS_NOT, that the
     * choice is doubtful, and the row that stands out most, from 1. */
    bool noted;
    enum cutoff_stays stays;
    uint64_t noted_at;
    /* The least and the largest cutoff that --cutoff auto chose among the groups, in Hz; 0: none. */
    double least_cutoff, largest_cutoff;
};

#endif
