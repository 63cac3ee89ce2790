/* sprung inspect: what a file holds, as the program reads it, before it is filtered: its format, its times,
 * each column's role and the reason for it, what is wrong with the values of each channel, and a command line
 * that would clean the file. Invariant: of each table the first rows are read, never more than
 * INSPECT_NUMBERS numbers and INSPECT_ROWS rows, so that memory is bounded; the report says when there is
 * more. */
#ifndef SPRUNG_VIEW_INSPECT_H
#define SPRUNG_VIEW_INSPECT_H

#include "base/json_out.h"
#include "formats/input.h"

enum {
    INSPECT_ROWS = 200000,     /* rows of a table that are read, at most */
    INSPECT_LEAST_ROWS = 100,  /* rows of a table that are read in any case, if it has as many */
    INSPECT_NUMBERS = 4000000, /* numbers of a table that are kept, at most, beyond INSPECT_LEAST_ROWS */
    INSPECT_DESPIKE = 10,      /* the K of --despike by which spikes are counted */
    INSPECT_JUMP = 30          /* the K of --detect-cuts by which jumps are counted */
};

/* The report of one file, malloc'ed: text for people, or one line of JSON. *good is set to false where the
 * file could not be read to the end of what was asked for, and *e says why; then the report covers what came
 * before, and is NULL where nothing is known of the file. name: "-" is standard input. */
char *inspect_file(const char *name, const struct column_choice *choice, const struct input_options *options,
                   bool json, bool *good, struct error *e);

/* --- used by the files of inspect only --- */

/* The first rows of a table. Rows stand series after series: where the rows of several series are mixed, they
 * are sorted by series, and in each as in the file. */
struct inspect_rows {
    size_t nrow, maxrow;
    bool whole;       /* all rows of the table were read */
    size_t nchannel;  /* channels of the table */
    double *value;    /* [nchannel][maxrow], channel by channel; NaN is a missing value; owned */
    double *time;     /* [maxrow] seconds since the first row of the file; rows without a time count from 0 at
                         the rate, or at 1 row per second where no rate is known; owned */
    uint32_t *number; /* [maxrow] the number of the row in the table, from 1; owned */
    bool *begins;     /* [maxrow] the row is the first of a series, or its time is before the time of the row
                         before; owned */
    size_t grouped;   /* the column that tells series apart, found since times go backward; or COLUMN_NONE */
    size_t nseries;   /* number of series that the column `grouped` tells apart; 1: no such column */
    bool timed;       /* times come from a column, from the format or from --rate; else rows are counted */
    double digit; /* seconds of one unit in the last digit of the largest time, as times are printed; 0: the
                     times are no decimals */
    bool whole_times; /* each time is a whole number */
};

struct inspect_times {
    double rate;         /* rows per second: of the format, of --rate, or of even times; 0: none is known */
    bool stated;         /* the rate is stated by the header or by --rate, and rows are numbered */
    bool even;           /* all steps are equal, but for rounding, long steps and steps of 0 */
    double span;         /* seconds from the first row to the last one */
    double usual;        /* the median step in seconds; NaN: there is no step */
    double least, most;  /* the smallest and the largest step greater than 0 */
    size_t most_row;     /* the row after the largest step, from 1 */
    uint64_t nlong;      /* steps longer than 1.5 usual steps */
    uint64_t nequal;     /* rows with the time of the row before */
    uint64_t nbackward;  /* rows with a time before the time of the row before */
    size_t backward_row; /* the first row with a time before the time of the row before, from 1 */
};

/* What the rows show of a channel, besides its role. */
enum inspect_kind {
    INSPECT_VALUE,    /* any numbers */
    INSPECT_CONSTANT, /* one number in all rows */
    INSPECT_COUNT,    /* counts rows: each row has one more than the row before */
    INSPECT_MARK,     /* both 0 and 1, and no other number */
    INSPECT_QUALITY, /* 0 to 1, named as the confidence of a detection, beside the coordinates of one point */
    INSPECT_ANGLE,   /* consecutive rows differ by nearly a full turn, in numbers that stay within one turn */
    INSPECT_ROTATION /* one of the components of a quaternion */
};

struct inspect_channel {
    size_t column;                    /* in struct columns */
    enum inspect_kind kind;           /* what the rows show */
    double period;                    /* of an angle: the full turn, by the format or by the rows; else 0 */
    size_t rotation;                  /* of a component: the first column of its rotation; else COLUMN_NONE */
    bool by_format;                   /* the format says that it is an angle or a component of a rotation */
    uint64_t nmissing, ngap, longest; /* missing values, gaps, and rows of the longest gap */
    size_t longest_row;               /* the first row of the longest gap, from 1 */
    uint64_t ntext;                   /* cells that hold text instead of a number */
    char text[40];                    /* the first text, cut */
    size_t text_row;                  /* row of the first text, from 1 */
    bool texts_differ;                /* there are other texts */
    uint64_t nspike, njump, nwrap;    /* spikes, jumps, and steps of nearly a full turn */
    size_t spike_row, jump_row; /* rows of the first spike and of the first jump, from 1; 0: no such row */
    double least, most;         /* of the values; NaN: all are missing */
    double noise;               /* standard deviation of the noise; NaN: too few values to tell */
};

/* One table of a file. */
struct inspect_table {
    const struct reader *reader;
    struct inspect_rows rows;
    struct inspect_times times;
    struct inspect_channel *channel; /* [rows.nchannel] owned */
};

/* The command line that would clean a file, with the reason for each of its options. */
struct inspect_option {
    char *words; /* as typed: "--despike 6"; owned */
    char *why;   /* owned */
};

struct inspect_advice {
    struct inspect_option option[32];
    size_t noption;
    char *command; /* the whole line, quoted for a shell; NULL: no command can clean the file; owned */
    bool failed;   /* memory was out */
};

/* What the advice needs to know of all tables of a file. */
struct inspect_findings {
    uint64_t nrow; /* of all tables */
    bool hopeless; /* every channel of a table has text among its numbers, or is no motion */
    uint64_t nspike, ngap, longest, njump, nbackward;
    uint64_t fill_rows; /* rows of the longest gap that is worth filling */
    size_t fewest;      /* the fewest values of a channel in a series, of those that have two or more */
    double step;        /* the smallest usual step of a table, in seconds; 0: there is none */
    bool untimed;       /* nothing tells the rate of rows */
    bool assumed_ms;    /* the times would be usual in milliseconds, and are read as seconds */
    char group[120];    /* the column for --group-by; "": none is needed */
    double bytes;       /* of memory that --zero-phase takes for all rows, about; INFINITY: not known */
    bool audio;
    struct text angles;      /* lists of columns for --angles, */
    double period;           /* with this --period; 0: 360 */
    struct text quaternions; /* for --quaternions, */
    struct text exclude;     /* for --exclude, and why: */
    bool exclude_counts, exclude_marks, exclude_texts;
    struct text missing; /* texts for --missing */
    char mask[200];      /* for --mask; "": nothing */
    char header[40];     /* the lines for --header, so that the names in mask are whole; "": as they are */
};

/* inspect_rows.c: reads the first rows of a table whose columns are selected and bound. On false *e says why,
 * and the rows before the fault are kept. channel: [nchannel] gets the texts in its cells. */
bool inspect_rows_read(struct inspect_rows *rows, struct inspect_channel *channel, struct input *in,
                       double rate, struct error *e);
void inspect_rows_free(struct inspect_rows *rows);

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

/* inspect_times.c: false if memory is out. rate: rows per second where rows are numbered, else 0. */
bool inspect_times_find(struct inspect_times *times, const struct inspect_rows *rows, double rate,
                        struct error *e);

/* inspect_channels.c: fills channel[] but for texts; components of quaternions get one sign. */
bool inspect_channels_find(struct inspect_table *table, struct error *e);

/* The letters of four columns that may be a quaternion, in their order, as --quaternions takes them: the ends
 * of their names, S as in "scalar" for w. ' ' where a name ends otherwise. */
void inspect_component_letters(const struct columns *t, size_t first, char letters[5]);

/* inspect_advice.c */
void inspect_findings_add(struct inspect_findings *all, const struct inspect_table *table);
void inspect_advise(struct inspect_advice *advice, const struct inspect_findings *all, const char *name,
                    const struct column_choice *choice, const struct input_options *options);
void inspect_findings_free(struct inspect_findings *all);
void inspect_advice_free(struct inspect_advice *advice);

/* What the rows show of a channel, in words; "" where there is nothing to say. */
void inspect_describe_kind(const struct columns *t, const struct inspect_channel *c, char *buf,
                           size_t maxbuf);

/* inspect_text.c */
struct inspect_head {
    const char *name; /* of the file, as given */
    const struct reader *reader;
    uint64_t nread, nbyte; /* bytes read so far, and of the file; 0: not known */
};
void inspect_text_head(struct text *t, const struct inspect_head *head);
void inspect_text_table(struct text *t, const struct inspect_table *table);
void inspect_text_advice(struct text *t, const struct inspect_advice *advice,
                         const struct inspect_findings *all);

/* inspect_json.c */
void inspect_json_head(struct json_out *out, const struct inspect_head *head);
void inspect_json_table(struct json_out *out, struct cJSON *tables, const struct inspect_table *table);
void inspect_json_advice(struct json_out *out, const struct inspect_advice *advice);

/* inspect.c: the character between cells of a table of text, in words; NULL: the format says it. */
const char *inspect_delimiter(const struct reader *reader, char buf[8]);

#endif
