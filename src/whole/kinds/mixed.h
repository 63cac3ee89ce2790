/* Are the rows of several series mixed, and which column of labels tells the series apart? Rows are taken one
 * by one; the verdict is about the rows taken so far. Two kinds of evidence count:
 *
 * - times: they go backward or are shared by many rows, but not among the rows of one label;
 * - values: most rows have another label than the row before, and a value that is much farther from the row
 *   before than from the last row of its label. A state of one series, such as "swing" and "stance", lasts
 *   for many rows or does not set the values apart.
 *
 *     struct mixed mixed = { 0 };
 *     good = mixed_open(&mixed, 1, nchannel, e);
 *     good = good && mixed_take(&mixed, time, &label, value, 1, e); // of each row
 *     if (mixed_judge(&mixed).evidence != MIXED_NOT) ...
 *     mixed_free(&mixed);
 */
#ifndef SPRUNG_WHOLE_KINDS_MIXED_H
#define SPRUNG_WHOLE_KINDS_MIXED_H

#include "base/name_table.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    MIXED_COLUMNS = 8,    /* most columns of labels */
    MIXED_LABELS = 1000,  /* most different labels of a column */
    MIXED_VALUES = 200000 /* most values kept for a column: a value per channel and label */
};

enum mixed_evidence { MIXED_NOT, MIXED_BY_TIMES, MIXED_BY_VALUES };

struct mixed_verdict {
    enum mixed_evidence evidence;
    size_t column; /* the column of labels, below ncolumn; of MIXED_NOT: 0 */
};

/* How far the values of a channel are from the row before, and from the last row of the same label. */
struct mixed_distance {
    uint32_t n;   /* rows with another label than the row before, where both distances are known */
    uint32_t far; /* the part of n much farther from the row before than from the last row of the label */
};

/* A column of labels. */
struct mixed_column {
    struct name_table labels; /* finds the number of a label by the hash of the label */
    size_t nlabel;
    bool useless;     /* more labels than MIXED_LABELS, or a cell without a text */
    bool repeats;     /* a row has the time of the last row of its label */
    bool backward;    /* a row has a smaller time than the last row of its label */
    uint32_t now;     /* the number of the label in the last row, if the column is not useless */
    uint32_t nchange; /* rows with another label than the row before */
    double *time;     /* [nlabel] the time of the last row of each label; owned */
    size_t maxtime;
    double *value; /* [nlabel][nchannel] the last known values of each label, NaN: none; NULL: there would be
                      more than MIXED_VALUES; owned */
    size_t maxvalue;
    struct mixed_distance *distance; /* [nchannel] */
};

/* The rows taken so far. */
struct mixed {
    size_t ncolumn, nchannel;
    struct mixed_column column[MIXED_COLUMNS]; /* [ncolumn] */
    size_t nrow;
    double time;     /* of the last row */
    double *before;  /* [nchannel] the values of the last row; owned, in one allocation with all distances */
    uint64_t nequal; /* rows with the time of the row before */
    bool backward;   /* a row has a smaller time than the row before */
};

/* The hash of a label without blanks around it. */
uint64_t mixed_label(const char *text, size_t n);

/* Makes room for ncolumn columns of labels, at most MIXED_COLUMNS, and nchannel channels; either may be 0.
 * *mixed is zeroed. mixed_free follows, also on error. */
bool mixed_open(struct mixed *mixed, size_t ncolumn, size_t nchannel, struct error *e);
void mixed_free(struct mixed *mixed);

/* The next row has a cell without a text in the column, which then distinguishes no series. */
void mixed_drop(struct mixed *mixed, size_t column);

/* Takes the next row. time: in seconds, or in rows where there are no times. label: [ncolumn] by mixed_label.
 * value: of the channels, `stride` numbers apart; NaN: missing. False: out of memory. */
bool mixed_take(struct mixed *mixed, double time, const uint64_t *label, const double *value, size_t stride,
                struct error *e);

struct mixed_verdict mixed_judge(const struct mixed *mixed);

/* The first column with several labels that each last for one stretch of rows, as numbers of takes do;
 * MIXED_COLUMNS: no such column. */
size_t mixed_stretches(const struct mixed *mixed);

#endif
