/* Loops around a filter's row(): rows by columns. A filter's run() calls run_rows with constant arguments;
 * everything is inlined there, and the state of a channel is kept in registers. Invariant: a channel's
 * numbers do not depend on the other channels, unless the channels are the components of a vector. */
#ifndef SPRUNG_SPRINGS_RUN_ROWS_H
#define SPRUNG_SPRINGS_RUN_ROWS_H

#include "springs/filter.h"

#include <limits.h>
#include <math.h>

#define RUN_INLINE static inline __attribute__((always_inline))

/* Runs channel c over rows first to end - 1, which have no flags. */
RUN_INLINE void run_plain(const struct run *run, size_t c, size_t first, size_t end, filter_row *row,
                          size_t nstate, size_t nout)
{
    double state[FILTER_MAXSTATE], out[FILTER_MAXOUT];
    double *const *column = run->out + c * run->shape->nout;
    memcpy(state, run->state + c * nstate, nstate * sizeof *state);
    for (size_t i = first; i < end; i++) {
        struct sample sample = { .goal = run->goal[c][i], .T = run->T[i] };
        if (run->ahead) {
            sample.next = run->goal[c][i + 1];
            sample.next_T = run->T[i + 1];
        }
        row(run->settings, run->step + i * run->step_stride, &sample, state, out);
#pragma GCC unroll 3
        for (size_t o = 0; o < nout; o++)
            column[o][i] = out[o];
    }
    memcpy(run->state + c * nstate, state, nstate * sizeof *state);
}

/* Takes channel c through row i. A row without a value is left alone. Otherwise all
 * outputs are written, even if only the value is wanted: a column for each output always exists. size: as in
 * struct sample. */
RUN_INLINE void run_one(const struct run *run, size_t c, size_t i, filter_row *row, filter_start *start,
                        const double *size)
{
    double *state = run->state + c * run->shape->nstate, out[RUN_MAXANY];
    unsigned flags = run->flags ? run->flags[c][i] : 0;
    double goal = run->goal[c][i];
    struct sample sample = { .goal = goal, .T = run->T[i], .next = goal, .flags = flags, .size = size };
    if (flags & FLAG_NO_VALUE)
        return;
    if (run->ahead && !(flags & (FLAG_NO_NEXT | FLAG_START))) {
        sample.next = run->goal[c][i + 1];
        sample.next_T = run->T[i + 1];
    }
    if (flags & FLAG_START) {
        const struct filter_common *common = run->settings;
        const double usual = common->filter->other_unit ? 0 : goal;
        const struct first_row first = { .goal = goal, .x = run->origin ? run->origin[c] : usual };
        start(run->settings, &first, state, out);
    } else {
        row(run->settings, run->step + i * run->step_stride, &sample, state, out);
    }
    for (size_t o = 0; o < run->shape->nout; o++)
        run->out[c * run->shape->nout + o][i] = out[o];
}

/* Takes every channel through every row of run, with or without flags, also for filters whose settings decide
 * how many states and outputs there are. */
RUN_INLINE void run_any(const struct run *run, filter_row *row, filter_start *start)
{
    for (size_t c = 0; c < run->nchannel; c++)
        for (size_t i = 0; i < run->nrow; i++)
            run_one(run, c, i, row, start, NULL);
}

/* Takes the components of a vector through every row of run, side by side. Each size of a row is the length
 * of the vector of the components' parts. */
RUN_INLINE void run_vector(const struct run *run, filter_row *row, filter_start *start)
{
    for (size_t i = 0; i < run->nrow; i++) {
        double size[FILTER_SIZES] = { 0 };
        for (size_t c = 0; c < run->nchannel; c++) {
            unsigned flags = run->flags ? run->flags[c][i] : 0;
            struct sample sample = { .goal = run->goal[c][i], .T = run->T[i], .flags = flags };
            double part[FILTER_SIZES] = { 0 };
            if (!(flags & (FLAG_NO_VALUE | FLAG_START)))
                run->sizes(run->settings, &sample, run->state + c * run->shape->nstate, part);
            for (size_t k = 0; k < FILTER_SIZES; k++)
                size[k] = hypot(size[k], part[k]);
        }
        for (size_t c = 0; c < run->nchannel; c++)
            run_one(run, c, i, row, start, size);
    }
}

/* Takes channel c through every row: stretches of rows whose flags change nothing as run_plain does, other
 * rows singly. */
RUN_INLINE void run_channel(const struct run *run, size_t c, filter_row *row, filter_start *start,
                            size_t nstate, size_t nout)
{
    const struct continuous *equation = &((const struct filter_common *)run->settings)->equation;
    /* In a gap such a filter moves as if the last goal were read again. */
    const bool ignores_gaps = equation->count > 0 && equation->feed == 0;
    const unsigned char counts = ignores_gaps ? (unsigned char)~FLAG_GAP : UCHAR_MAX;
    const unsigned char *flags = run->flags ? run->flags[c] : NULL;
    if (!flags) {
        run_plain(run, c, 0, run->nrow, row, nstate, nout);
        return;
    }
    for (size_t i = 0, end; i < run->nrow; i = end + 1) {
        end = i;
        while (end < run->nrow && !(flags[end] & counts))
            end++;
        if (end > i)
            run_plain(run, c, i, end, row, nstate, nout);
        if (end < run->nrow)
            run_one(run, c, end, row, start, NULL);
    }
}

/* Takes every channel through every row, for filters with constant nstate <= FILTER_MAXSTATE and nout <=
 * FILTER_MAXOUT. */
RUN_INLINE void run_rows(const struct run *run, filter_row *row, filter_start *start, size_t nstate,
                         size_t nout)
{
    if (run->sizes)
        run_vector(run, row, start);
    for (size_t c = 0; c < run->nchannel && !run->sizes; c++)
        if (run->value_only)
            run_channel(run, c, row, start, nstate, 1);
        else
            run_channel(run, c, row, start, nstate, nout);
}

#endif
