/* A table of a file as inspect sees it, stage by stage: the first rows (rows.c), what their times show
 * (times.c), what the channels are and which of them the advised command filters (channels.c), which of their
 * values mean a gap (sentinels.c), and their spikes and what stays (samples.c). Each stage makes its own part
 * of struct inspect_table, from the parts before it. Roles, units, masks and spikes are found by the
 * functions that a filter uses. */
#ifndef SPRUNG_VIEW_INSPECT_TABLE_H
#define SPRUNG_VIEW_INSPECT_TABLE_H

#include "formats/input.h"
#include "rows/units.h"
#include "whole/choose_cutoff.h"

enum {
    INSPECT_ROWS = 200000,     /* most rows that are read of a table */
    INSPECT_NUMBERS = 4000000, /* most numbers that are kept of a table, but for a row */
    INSPECT_DESPIKE = 10,      /* spikes are counted by the rule of --despike with this K */
    INSPECT_SENTINELS = 4,     /* most values that are found to mean a gap */
    INSPECT_MASK = 200         /* bytes of a mask */
};

/* The cells of a column that hold text instead of a number; in a format of numbers alone: infinite samples,
 * whose text is "inf". */
struct inspect_texts {
    uint64_t n;
    char first[40]; /* the first text, cut */
    size_t row;     /* row of the first text, from 1 */
};

/* The first rows of a table, series after series. Rows of several series that are mixed in the file are
 * sorted by series; the rows of a series keep the order of the file. The arrays are in one allocation, which
 * is owned. */
struct inspect_rows {
    size_t nrow, maxrow;
    bool whole;    /* all rows of the table were read */
    size_t nvalue; /* columns of numbers as in blocks: channels, then condition columns of masks */
    double *value; /* [nvalue][maxrow], column by column; NaN is a missing value */
    struct inspect_texts *texts; /* [nvalue] */
    double *time;     /* [maxrow] seconds since the first row of the file; rows without a time count
                         from 0 at the rate, or at 1 row per second where the rate is unknown */
    uint32_t *number; /* [maxrow] the number of the row in the table, from 1 */
    bool *begins; /* [maxrow] the row is the first of a series, or has a smaller time than the row before */
    uint64_t nbackward;  /* rows of a series with a time before the time of the row before */
    size_t backward_row; /* the first of them, from 1 */
    size_t nseries;      /* series of --group-by, or of the column `grouped`; 1: one series */
    size_t grouped;      /* the column that distinguishes the series, without --group-by; COLUMN_NONE: none */
    size_t joined;       /* the column where a channel jumps as the text changes, if joined_row > 0 */
    size_t joined_row;   /* the row of the longest jump, from 1; 0: there is none */
    bool alternate;      /* that column changes in many rows */
    bool timed;          /* times come from a column, from the format or from --rate; else rows are counted */
    bool whole_times;    /* each time is a whole number */
};

struct inspect_times {
    double rate;        /* rows per second: of the format, of --rate, or of even times; 0: not known */
    bool stated;        /* the rate is stated by the header or by --rate, and rows are numbered */
    bool even;          /* steps are equal, except for rounding, long steps and steps of 0 */
    double span;        /* seconds from the first row to the last row */
    double usual;       /* the median step in seconds; NaN: no step */
    double least, most; /* the smallest and the largest step greater than 0 */
    size_t most_row;    /* the row after the largest step, from 1 */
    uint64_t nlong;     /* steps longer than 1.5 usual steps */
    uint64_t nequal;    /* rows with the time of the row before */
};

struct inspect_channel {
    const struct column *column;
    const char *out;         /* why the advised command excludes the channel; NULL: the command filters it */
    double least, most;      /* NaN: every value is missing */
    bool wraps;              /* an angle by its rows alone, for --angles */
    uint64_t nmissing, ngap; /* missing values; gaps, which are runs of them in a series */
    size_t longest;          /* rows of the longest gap; 0: no gap */
    size_t longest_row;      /* the first row of the longest gap, from 1 */
    uint64_t nspike;         /* of its unit */
    size_t spike_row;        /* row of the first spike, from 1; 0: none */
};

/* The channels that --cutoff auto copies unchanged for a reason. */
struct inspect_stays {
    size_t n, first; /* channels; the first of them */
};

/* A table of a file. Zero-initialize all but the reader, which is bound, and the mask. */
struct inspect_table {
    const struct reader *reader;
    const char *found_mask; /* the mask that inspect found; "": no mask */
    struct inspect_rows rows;
    struct inspect_times times;
    struct inspect_channel *channel; /* [nchannel] owned, with room */
    double *room;                    /* [nrow] for a function that needs it */
    size_t nchannel;
    struct units units;                 /* of the filtered channels, with the angles that wrap; owned */
    double period;                      /* --period of the wrapping angles; 0: no angle wraps */
    double sentinel[INSPECT_SENTINELS]; /* [nsentinel] values that mean a gap: --missing */
    size_t nsentinel;
    bool gaps;                                          /* a filtered channel has gaps */
    struct inspect_stays stays[STAYS_STANDING_OUT + 1]; /* by enum cutoff_stays, of each series; STAYS_NOT:
                                                          doubtful choices */
    size_t nsmoothed; /* channels that --cutoff auto smooths without doubt, of each series */
};

/* mask.c: sets mask to the argument of --mask by the columns that say how sure a detection is, or how valid;
 * "" if there is none. */
void inspect_mask_find(const struct table *columns, char mask[INSPECT_MASK]);

/* rows.c: reads the first rows of a table. On false *e is set, and the rows before the fault are kept. */
bool inspect_rows_read(struct inspect_rows *rows, struct input *in, struct error *e);

/* times.c: false if out of memory. rate: rows per second where rows are numbered, else 0. */
bool inspect_times_find(struct inspect_times *times, const struct inspect_rows *rows, double rate,
                        struct error *e);

/* channels.c: makes the channels and units. Applies the masks of the plan; angles lose their full
 * turns, quaternions of four zeros are missing, and each quaternion gets the sign of the one before. */
bool inspect_channels_find(struct inspect_table *table, struct error *e);

/* sentinels.c: makes the sentinels, which become missing, then the gaps of channels. */
void inspect_gaps_find(struct inspect_table *table);

/* Is the channel of a marker, where a spike is an error of the cameras, and 0 0 0 a lost marker? Elsewhere a
 * spike may be a heel strike. */
bool inspect_is_marker(const struct inspect_table *table, size_t channel);

/* samples.c: makes the spikes of the channels, and finds what stays. */
bool inspect_samples_find(struct inspect_table *table, struct error *e);

/* The numbers of a channel, by row. */
static inline double *inspect_value(const struct inspect_rows *rows, size_t channel)
{
    return rows->value + channel * rows->maxrow;
}

/* The end of the series that begins at row `first`. */
static inline size_t inspect_series_end(const struct inspect_rows *rows, size_t first)
{
    size_t end = first + 1;
    while (end < rows->nrow && !rows->begins[end])
        end++;
    return end;
}

#endif
