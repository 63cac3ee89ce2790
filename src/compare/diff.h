/* Compares two series row by row, in one pass and in bounded memory, whatever formats they come in.
 * Invariant: each side is read once, to the end; one block of a side is in memory. */
#ifndef SPRUNG_COMPARE_DIFF_H
#define SPRUNG_COMPARE_DIFF_H

#include "formats/input.h"

#include <math.h>

enum report_style { REPORT_TEXT, REPORT_JSON, REPORT_JUNIT };

/* What --abs or --rel says: a number for all columns, or for the columns of a list. */
struct tolerance {
    char *list;   /* a list of columns, as for --columns; owned; NULL: all columns */
    double value; /* not negative */
};

/* In the order of the command line. */
struct tolerances {
    struct tolerance *at; /* [n] owned */
    size_t n, max;
};
extern const struct param_type tolerance_type;

struct diff_options {
    struct tolerances abs, rel; /* numbers agree if |a - b| <= abs + rel * max(|a|, |b|) */
    const char *columns;        /* the columns to compare, a list; NULL: all columns */
    const char *exclude;        /* the columns to leave out, a list; NULL: no column */
    const char *key;            /* the column that pairs the rows; NULL: rows pair in order */
    const char *angles;         /* the columns of angles, a list; NULL: no column */
    const char *quaternions;    /* the quaternions, a list as for --quaternions; NULL: no quaternion */
    struct list_uses *uses;     /* of two folders: what the lists name in the files; NULL: two files, where an
                                   entry that names nothing is an error */
    int report;                 /* enum report_style */
    bool quiet;                 /* only the status is wanted */
    bool verbose; /* lists every column that differs; of two folders also the files that agree */
};

enum { DIFF_EXPECTED, DIFF_ACTUAL, DIFF_SIDES };

/* A cell for the report. */
struct diff_cell {
    enum { DIFF_GAP, DIFF_NUMBER, DIFF_TEXT } kind;
    double x;      /* the number of a DIFF_NUMBER */
    char text[64]; /* the first bytes of a DIFF_TEXT, cut at a whole character */
    bool cut;      /* the cell has more bytes than text shows */
};

/* Two cells of a column, in a pair of rows. */
struct diff_pair {
    uint64_t row[DIFF_SIDES];  /* number of the row, from 1 */
    uint64_t line[DIFF_SIDES]; /* physical line, from 1; 0: not known */
    double key;                /* key of the expected row; without --key the time; NaN: no key and no time */
    double apart;              /* difference of the two numbers; 0: one of them is no number */
    struct diff_cell cell[DIFF_SIDES];
    bool negated; /* the number of the actual cell is negated: its quaternion has the opposite sign */
};

/* A column that both sides have. */
struct diff_column {
    const char *name;          /* for reports; not owned */
    size_t column[DIFF_SIDES]; /* index into the columns of each side */
    bool number;            /* both sides hold numbers: two numbers compare as numbers; other cells as text */
    bool angle;             /* numbers compare modulo 360 */
    bool time;              /* times or keys */
    double abs, rel;        /* tolerance of the numbers; abs of times NaN: half a unit of the last digit */
    size_t rotation;        /* index into diff.rotation; COLUMN_NONE: not of a quaternion */
    uint64_t beyond;        /* number of rows that differ */
    struct diff_pair worst; /* the largest absolute difference of the rows that differ, else the first of
                               these; where none differs, of all rows; row 0: all numbers are equal */
};

/* One of the two series, and how far it was read. */
struct diff_side {
    const char *name; /* of the file, for messages; not owned */
    struct input in;
    const struct table *table; /* of the input: &in.reader.table */
    struct block block;        /* the current block */
    bool ended;                /* no more blocks come */
    size_t row;                /* the current row, in the block */
    uint64_t nrow;             /* number of rows before the block */
    size_t key;                /* column of --key, or COLUMN_NONE */
    size_t shown;              /* column of keys or else of times, which reports show, or COLUMN_NONE */
    double last_key; /* key of the row before the current row; -INFINITY: the current row is the first */
    size_t *only;    /* [nonly] columns without a partner */
    size_t nonly;
    uint64_t nalone;       /* number of rows without a partner */
    uint64_t alone;        /* number of the first row without a partner, from 1 */
    double alone_key;      /* key or time of the first row without a partner; NaN: no key and no time */
    struct cell_text cell; /* the cell that was looked at last; owns its room */
};

struct diff {
    const struct diff_options *options;
    double abs, rel; /* tolerance of columns without their own tolerance */
    double key_abs;  /* tolerance of keys, as of times in struct diff_column */
    struct diff_side side[DIFF_SIDES];
    struct diff_column *column; /* [ncolumn] in the order of the expected side; owned, together with pair
                                   and the array only of both sides */
    size_t ncolumn;
    size_t *pair; /* index into column of each column of the expected side; COLUMN_NONE: not compared */
    size_t (*rotation)[4]; /* [nrotation] the columns of each quaternion: indices into column; owned */
    size_t nrotation;
    size_t agreeing;   /* number of columns that agree */
    size_t ntotal;     /* number of compared columns, plus the columns without a partner */
    bool same;         /* the two series agree: all columns agree, and all rows have a partner */
    bool no_series;    /* the two files hold no series, and the same bytes */
    uint64_t compared; /* number of pairs of rows */
    int fault;         /* the side that an error is about; DIFF_SIDES: no side */
    bool failed;       /* ran out of memory while rows were compared */
};

/* Opens both sides and pairs their columns. Files without a series can be opened if their bytes are the same:
 * they agree, without rows. *diff must be zeroed before and must not move. The caller calls
 * diff_close after true and after false. */
bool diff_open(struct diff *diff, const struct diff_options *options, const struct input_options *input,
               const char *const name[DIFF_SIDES], struct error *e);

/* Reads and compares all rows. On false diff->fault is the side of *e. */
bool diff_run(struct diff *diff, struct error *e);
void diff_close(struct diff *diff);

/* Reports, malloc'ed; NULL: out of memory. */
char *diff_text(const struct diff *diff,
                bool all); /* for people; all: every column that differs, not the first 10 */

/* A line without a line end: the worst difference with column, row and both values. Numbers count by their
 * absolute difference, and more than other cells. */
char *diff_summary(const struct diff *diff);

struct json_out;
struct cJSON;

/* Adds the report in JSON to an object. */
void diff_add_json(struct json_out *json, struct cJSON *to, const struct diff *diff);

/* --- used in this folder only --- */

/* pair_columns.c: pairs the columns of both sides by name, and finds times, angles, rotations and the key. */
bool diff_pair_columns(struct diff *diff, struct error *e);

/* compare_cells.c: compares a column in n rows, from the current ones on. diff->failed: out of memory. */
void diff_compare(struct diff *diff, struct diff_column *column, size_t n);

/* The plain text of a cell in the row-th row after the current row, valid until the next call for the side.
 * diff->failed: out of memory. */
const struct cell_text *diff_cell_text(struct diff *diff, int side, size_t column, size_t row);

/* tolerance.c: gives each pair of columns its tolerances. False and *e where a list names no column. */
bool diff_give_tolerances(struct diff *diff, struct error *e);

/* True if two times or keys agree: they differ by at most the tolerance `abs`, or if this is NaN, by half a
 * unit of the last digit that either cell has after the decimal sign. column, time: of each side. row: the
 * cells are in the row-th row after the current row of each side. */
bool diff_times_agree(struct diff *diff, const size_t column[DIFF_SIDES], const double time[DIFF_SIDES],
                      double abs, size_t row);

/* True if two numbers of a column agree. apart: the absolute difference of the numbers. */
static inline bool diff_agree(const struct diff_column *column, double a, double b, double apart)
{
    return apart <= column->abs + column->rel * fmax(fabs(a), fabs(b));
}

/* The physical line of the k-th row after the current row; 0: rows are not lines. */
static inline uint64_t diff_line(const struct diff_side *side, size_t k)
{
    const struct block *block = &side->block;
    return block->nline ? block->firstline - 1 + block_line(block, side->row + k) : 0;
}

/* True if the format computes the numbers of a column: the times of a format whose rows have no times. */
static inline bool diff_computed(const struct table *table, size_t column)
{
    return column == 0 && (table->owns_time || table->counted);
}

/* True if a column holds numbers. */
static inline bool diff_numeric(const struct diff_side *side, size_t column)
{
    return table_column(side->table, column)->value != COLUMN_NONE || column == side->table->time;
}

/* The number in a column in the k-th row after the current row. NaN: no number, or column is COLUMN_NONE. */
static inline double diff_number(const struct diff_side *side, size_t column, size_t k)
{
    if (column == COLUMN_NONE || !block_has_column(&side->block, column))
        return (double)NAN;
    const size_t value = table_column(side->table, column)->value, row = side->row + k;
    if (value != COLUMN_NONE)
        return block_value(&side->block, value)[row];
    return column == side->table->time ? side->block.time[row].t : (double)NAN;
}

#endif
