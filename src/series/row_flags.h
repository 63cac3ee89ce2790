/* The targets of each channel in the rows of a chunk, without gaps, and what is special about each row (enum
 * row_flag): gaps, first values, cuts, steps of no length. Invariant: what is found for a row depends on the
 * rows before it in its group, and with look-ahead on the one after it. */
#ifndef SPRUNG_ROW_FLAGS_H
#define SPRUNG_ROW_FLAGS_H

#include "series/series.h"
#include "series/steps.h"

/* Rows of a group that are filtered at once: one that waited, if any, then new ones. */
struct chunk {
    const struct group_rows *rows; /* the new ones */
    size_t nheld;                  /* 0 or 1 rows that waited */
    size_t n;                      /* rows in all, with a last one that may have to wait */
    size_t nrun;                   /* rows decided now */
    bool direct;                   /* block columns are used in place */
};

struct row_flags {
    const struct series_config *config;
    const struct steps *steps; /* steps->T: the steps of the chunk's rows */
    struct series_count *count;
    size_t nchannel, stride; /* stride: numbers of a channel in the next arrays */
    double *goal;            /* [nchannel * stride] targets of special channels */
    double *turns;           /* periods added to each angle; without angles no room */
    unsigned char *flags;
    unsigned char *cut; /* [stride] */

    const double **goal_at; /* [nchannel] where each channel's targets are: above, or in the block */
    const unsigned char **flags_at;
    bool *special;   /* the channel has flags */
    uint64_t *found; /* cuts found by --detect-cuts */
};

/* The first four fields are set. False: memory is out; row_flags_close follows in any case. */
bool row_flags_open(struct row_flags *f);
void row_flags_close(struct row_flags *f);

/* Finds or makes the targets of every channel in a chunk, and its flags. */
void row_flags_prepare(struct row_flags *f, struct group *g, const struct chunk *c);

/* With look-ahead, after row_flags_prepare: tells each row whether the next one is known, finds cuts, and
 * puts the last row of the chunk aside. */
void row_flags_look_ahead(struct row_flags *f, struct group *g, const struct chunk *c);

/* Are all n numbers finite? */
bool row_flags_finite(const double *x, size_t n);

#endif
