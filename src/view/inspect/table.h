/* A table of a file as inspect sees it, stage by stage: the first rows (rows.c), what their times show
 * (times.c), what the channels are (channels.c), how the advised command reads the table (reading.c), the
 * faults that this command meets (faults.c), and whether there is almost no noise (quiet.c). Each stage makes
 * its own part of struct inspect_table, from the parts before it. */
#ifndef SPRUNG_VIEW_INSPECT_TABLE_H
#define SPRUNG_VIEW_INSPECT_TABLE_H

#include "formats/input.h"
#include "rows/units.h"

enum {
    INSPECT_ROWS = 200000,     /* most rows that are read of a table */
    INSPECT_LEAST_ROWS = 100,  /* rows of a table that are read, however many channels it has */
    INSPECT_NUMBERS = 4000000, /* most numbers kept of a table beyond INSPECT_LEAST_ROWS */
    INSPECT_DESPIKE = 10,      /* spikes are counted by the rule of --despike with this K */
    INSPECT_SENTINELS = 4,     /* most values that are found to mean a gap */
    INSPECT_JUMP = 30          /* jumps are counted by the rule of --detect-cuts with this K */
};

/* --- rows.c --- */

/* The cells of a column that hold text instead of a number; in a format of numbers alone: infinite samples,
 * whose text is "inf". */
struct inspect_texts {
    uint64_t n;
    char first[40]; /* the first text, cut */
    size_t row;     /* row of the first text, from 1 */
    bool differ;    /* some text differs from the first text, or the first text was cut */
};

/* A column that says how sure a detection is, and is no channel. */
struct inspect_quality {
    size_t column; /* number among the columns */
    struct inspect_texts texts;
};

/* The first rows of a table, series after series. Rows of several series that are mixed in the file are
 * sorted by series; the rows of a series keep the order of the file. */
struct inspect_rows {
    size_t nrow, maxrow;
    bool whole;                  /* all rows of the table were read */
    size_t nchannel;             /* channels of the table */
    double *value;               /* [nchannel][maxrow], channel by channel; NaN is a missing value; owned */
    struct inspect_texts *texts; /* [nchannel] the texts of each channel; owned */
    double *time;     /* [maxrow] seconds since the first row of the file; rows without a time count from 0 at
                         the rate, or at 1 row per second where no rate is known; owned */
    uint32_t *number; /* [maxrow] the number of the row in the table, from 1; owned */
    bool *begins;     /* [maxrow] the row is the first of a series, or has a smaller time than the row before;
                         owned */
    size_t grouped;   /* where rows of several series are mixed: the column of the series; COLUMN_NONE: no
                         column */
    size_t nseries;   /* number of series in the column `grouped`; 1: no column `grouped` */
    size_t lasting;   /* where no series are mixed: a column of labels that each last for one stretch of rows;
                         COLUMN_NONE: no column */
    uint32_t *label;  /* [nrow] with lasting: the number of the label in each row; owned */
    bool timed;       /* times come from a column, from the format or from --rate; else rows are counted */
    size_t nquality;
    struct inspect_quality *quality; /* [nquality] owned */
    double *sure;                    /* [nquality][maxrow] values of the qualities; NaN: missing; owned */
    double digit;     /* seconds of a unit in the last digit of the largest time; 0: times are not decimals */
    bool whole_times; /* each time is a whole number */
};

/* Reads the first rows of a table that is planned and bound. On false *e is set, and the rows before the
 * fault are kept. rate: rows per second where rows have no times; 0: not known. */
bool inspect_rows_read(struct inspect_rows *rows, struct input *in, double rate, struct error *e);
void inspect_rows_free(struct inspect_rows *rows);

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

/* --- times.c --- */

struct inspect_times {
    double rate;         /* rows per second: of the format, of --rate, or of even times; 0: not known */
    bool stated;         /* the rate is stated by the header or by --rate, and rows are numbered */
    bool even;           /* steps are equal, except for rounding, long steps and steps of 0 */
    double span;         /* seconds from the first row to the last row */
    double usual;        /* the median step in seconds; NaN: no step is known */
    double least, most;  /* the smallest and the largest step greater than 0 */
    size_t most_row;     /* the row after the largest step, from 1 */
    uint64_t nlong;      /* steps longer than 1.5 usual steps */
    uint64_t nequal;     /* rows with the time of the row before */
    uint64_t nbackward;  /* rows with a time before the time of the row before */
    size_t backward_row; /* the first row with a time before the time of the row before, from 1 */
};

/* False if out of memory. rate: rows per second where rows are numbered, else 0. */
bool inspect_times_find(struct inspect_times *times, const struct inspect_rows *rows, double rate,
                        struct error *e);

/* --- channels.c --- */

/* The kind of a channel's numbers, as the rows show the kind. */
enum inspect_kind {
    INSPECT_VALUE,    /* any numbers */
    INSPECT_CONSTANT, /* one number in all rows */
    INSPECT_COUNT,    /* counts rows */
    INSPECT_CLOCK,    /* rises evenly, in rows that are numbered */
    INSPECT_MARK,     /* 0 and 1 and no other number */
    INSPECT_STATE,    /* few whole numbers that stay for some rows: a gear */
    INSPECT_QUALITY,  /* 0 to 1, named as the confidence of a detection, beside the coordinates of a point */
    INSPECT_ANGLE,    /* an angle, by the format or because it wraps */
    INSPECT_ROTATION  /* a component of a quaternion */
};

/* What the numbers of a channel are. */
struct inspect_meaning {
    enum inspect_kind kind;
    bool by_format;  /* the format states that the channel is an angle or part of a rotation */
    bool plain;      /* an angle or part of a rotation that the advised command filters as a number */
    double period;   /* of an angle: the full turn, by the format or by the rows; else 0 */
    uint64_t nwrap;  /* steps of an angle from one end of the turn to the other */
    size_t rotation; /* of a component: the first column of the rotation; else COLUMN_NONE */
    size_t lost_row; /* of a component that is not plain: the first row, from 1, where all four are 0, which a
                        filter refuses; 0: no such row */
};

struct inspect_range {
    double least, most; /* the smallest and the largest value; NaN: every value is missing */
};

/* The missing values of a channel; a gap is a run of them in a series. */
struct inspect_missing {
    uint64_t n;         /* missing values */
    uint64_t ngap;      /* gaps */
    uint64_t longest;   /* rows of the longest gap; 0: no gap */
    size_t longest_row; /* the first row of the longest gap, from 1 */
};

struct inspect_channel {
    size_t column; /* index in struct columns */
    struct inspect_range range;
    struct inspect_missing missing;
    struct inspect_meaning meaning;
};

struct inspect_table;

/* Makes table->channel and period. Changes rows->value: angles lose their full turns, quaternions
 * of four zeros are missing, and each quaternion gets the sign of the quaternion before. */
bool inspect_channels_find(struct inspect_table *table, struct error *e);

/* The least and the most of a channel's values; NAN: no value is known. */
struct inspect_range inspect_range_of(const struct inspect_rows *rows, const double *x);

/* Bytes of a name before its last separator, as in hip_x; 0: the name has none, or begins with it. */
size_t inspect_stem(const char *name);

/* Bytes of a name before the number at its end, as in x12 and x_2. */
size_t inspect_numbered(const char *name);

/* Is the name x, y or z, with or without a number: x, y3, z_2? */
bool inspect_is_coordinate(const char *name);

/* --- reading.c --- */

/* How the advised command reads a table, where this differs from how inspect read it. */
struct inspect_reading {
    bool *excluded;   /* [nchannel] the command leaves the channel out, as a filter cannot read each of its
                         cells, or of those of another part of its rotation, or a rotation is 0; owned */
    double rate;      /* --rate, as too many rows share their times; 0: the times are used */
    size_t fill_rows; /* --max-gap, in rows; 0: no gap is filled */
    char mask[200];   /* --mask; "": no mask */
    char header[40];  /* --header, without which columns do not have the names in mask; "": not needed */
    double sentinel[INSPECT_SENTINELS]; /* [nsentinel] values that mean a gap: --missing */
    size_t nsentinel;
};

/* Makes table->reading, and the rows such that they have been read so: times by the rate, masked values
 * missing. */
bool inspect_reading_find(struct inspect_table *table, struct error *e);

/* Does the advised command filter the channel? */
bool inspect_filters(const struct inspect_table *table, size_t channel);

/* --- faults.c --- */

/* The faults of a channel that is filtered; of another channel no fault is known. */
struct inspect_faults {
    double noise;     /* standard deviation of the noise; NaN: too few values */
    uint64_t nspike;  /* spikes */
    size_t spike_row; /* row of the first spike, from 1; 0: no spike */
    uint64_t njump;   /* jumps */
    size_t jump_row;  /* row of the first jump, from 1; 0: no jump */
    bool follows;     /* judged as a whole with channels before, whose spikes and jumps are the same */
    bool marker;      /* the spikes are those of a point */
};

/* Makes table->faults and takes. */
bool inspect_faults_find(struct inspect_table *table, struct error *e);

/* --- quiet.c --- */

/* Sets *quiet to whether channels move, and none of them has more than almost no noise. */
bool inspect_quiet_find(const struct inspect_table *table, bool *quiet, struct error *e);

/* --- */

/* A table of a file. */
struct inspect_table {
    const struct reader *reader;
    struct inspect_rows rows;
    struct inspect_times times;
    struct inspect_channel *channel; /* [rows.nchannel] owned */
    double period;                   /* --period of the angles for --angles; 0: no angles */
    struct units units; /* made by inspect_channels_find, with the rotations alone; from inspect_faults_find
                           on all units of a filter without options; owned */
    struct inspect_reading reading;
    struct inspect_faults *faults; /* [rows.nchannel] owned */
    bool takes; /* the rows behind jumps are those where the label of rows.lasting changes */
    bool quiet;
};

#endif
