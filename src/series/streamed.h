/* Rows are filtered as they come, chunk by chunk. For each chunk streamed.c
 * finds the steps of the rows, then the targets without gaps and the flags of
 * the rows (row_flags.c, detect.c), then runs the filter (chunk.c) and puts the outputs into the blocks.
 * Invariants: the results for a row depend on the earlier rows of its group, and with look-ahead on the next
 * row; a channel without flags is filtered straight from the block's column into the block's out column. */
#ifndef SPRUNG_SERIES_STREAMED_H
#define SPRUNG_SERIES_STREAMED_H

#include "series/series_state.h"
#include "springs/coefficients.h"

/* The targets of each channel in the rows of a chunk, without gaps, and what is special about each row. */
struct row_targets {
    double *goal; /* [nchannel * maxrow] targets of the channels with flags; owned, like all arrays of the
                     struct */
    unsigned char *own_flags; /* [nchannel * maxrow] flags of the channels that have flags, enum row_flag */
    double *turns;            /* [nchannel * maxrow] periods added to the angle of the channel in the row */

    /* For the new rows of the chunk. */
    unsigned char *cut; /* [maxrow] 1 where the row follows a cut of the command line or of the cut column */
    unsigned char *point;       /* [maxrow] 1 where the row is a point of --resample */
    struct timestamp *own_time; /* [maxrow] with --max-gap in seconds: times, where the block's cannot be used
                                   in place */
    struct gap_rows gap_rows;   /* steps, cuts, points and times, the same for every channel */

    unsigned char **flags;  /* [nchannel] pointer into own_flags; NULL: all flags of the channel are 0 */
    const double **goal_at; /* [nchannel] the channel's targets: pointer into goal, or into the block */
};

/* Where the outputs of a chunk go, and where channels start. */
struct chunk_outputs {
    double *own; /* [nchannel * wanted.n * maxrow] outputs, where the block's columns cannot be used in place;
                    owned, with all other arrays */
    double *scratch;  /* [maxrow] takes the outputs that are not wanted */
    double **at;      /* [nchannel * nout] where each output of the filter goes */
    double *start;    /* [nchannel] start positions */
    char *per_radian; /* [filter->settings_size] room for the settings of Euler angles */
};

/* The operator's own memory, series->own. */
struct streamed {
    struct coefficients coefficients; /* for the steps of the chunk; its arrays are owned */
    struct row_targets targets;
    struct chunk_outputs out;
};

static inline struct streamed *streamed_of(const struct series *series)
{
    return series->own;
}

/* Row p of a chunk of a group. */
static inline struct spot chunk_row(const struct filter_group *group, const struct chunk *chunk, size_t p)
{
    return p < chunk->nwaiting ? operator_spot(group->rows, group->nseen - 1)
                               : (struct spot){ chunk->block, new_row(chunk, p - chunk->nwaiting) };
}

/* The targets of a number (one channel) or of a rotation (its channels) in row p. */
static inline void chunk_targets(const struct series *series, const struct unit *unit, size_t p,
                                 double target[4])
{
    for (size_t i = 0; i < unit->n; i++)
        target[i] = streamed_of(series)->targets.goal_at[unit->channel[i]][p];
}

/* Each open function makes a part of series->own. Its close function may be called also where the
 * open function was not, or failed. */
bool row_flags_open(struct series *series, struct error *e);
void row_flags_close(struct series *series);

/* Sets the targets and flags of all channels in a chunk. With look-ahead the last row of the chunk is
 * kept for the next chunk. */
void row_flags_prepare(struct series *series, struct filter_group *group, const struct chunk *chunk);

/* --detect-cuts: sets FLAG_CUT in the rows after a jump, among the chunk->nrun rows that are decided now. */
void detect_cuts(struct series *series, struct filter_group *group, const struct unit *unit,
                 const struct chunk *chunk);

/* Runs the filter over the chunk->nrun rows that are decided now: numbers, then rotations, then vectors whose
 * components run together. Targets, flags and coefficients are known, and out.at says where the outputs go.
 */
void chunk_run(struct series *series, struct filter_group *group, const struct chunk *chunk);

#endif
