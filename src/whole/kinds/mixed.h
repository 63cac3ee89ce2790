/* Are rows of several series mixed, such as those of several sensors in one file? A column of labels shows it
 * where the times of all rows together go backward or repeat, and those of each label do not; or where its
 * few labels take turns from row to row. */
#ifndef SPRUNG_WHOLE_KINDS_MIXED_H
#define SPRUNG_WHOLE_KINDS_MIXED_H

#include "base/name_table.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    MIXED_COLUMNS = 8,  /* most columns of labels */
    MIXED_LABELS = 1000 /* most different labels of a column */
};

/* A column of labels. */
struct mixed_column {
    struct name_table labels; /* finds the number of a label by the hash of the label */
    size_t nlabel;
    bool useless;     /* more labels than MIXED_LABELS */
    bool repeats;     /* a row has the time of the last row of its label */
    bool backward;    /* a row has a smaller time than the last row of its label */
    uint32_t now;     /* the number of the label in the last row, if the column is not useless */
    uint32_t nchange; /* rows with another label than the row before */
    double *time;     /* [nlabel] the time of the last row of each label; owned */
    size_t maxtime;
};

/* The rows taken so far. Zero-initialize, but for ncolumn. */
struct mixed {
    size_t ncolumn;
    struct mixed_column column[MIXED_COLUMNS]; /* [ncolumn] */
    size_t nrow;
    double time;     /* of the last row */
    uint64_t nequal; /* rows with the time of the row before */
    bool backward;   /* a row has a smaller time than the row before */
};

void mixed_free(struct mixed *mixed);

/* The hash of a label without blanks around it. */
uint64_t mixed_label(const char *text, size_t n);

/* Takes the next row. time: in seconds, or in rows where there are no times. label: [ncolumn] by mixed_label.
 * False: out of memory. */
bool mixed_take(struct mixed *mixed, double time, const uint64_t *label, struct error *e);

/* The column that distinguishes mixed series; MIXED_COLUMNS: none does. */
size_t mixed_judge(const struct mixed *mixed);

#endif
