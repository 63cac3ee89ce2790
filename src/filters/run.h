/* The loops around a filter's row(): rows by columns, several channels side by side to hide the latency of the
 * recurrence. A filter's run() calls run_rows with constant arguments; everything is inlined there, and the state of
 * the channels under way lives in registers.
 * Invariant: a channel's numbers do not depend on the channels beside it, nor on how its rows were cut into runs. */
#ifndef SPRUNG_RUN_H
#define SPRUNG_RUN_H

#include <math.h>

#define RUN_INLINE static inline __attribute__((always_inline))

/* One row of an unmarked channel c. */
RUN_INLINE void run_row(const struct run *r, size_t c, size_t i, filter_row *row, double *state, size_t nout)
{
    struct sample sample = { r->goal[c][i], 0, 0, 0 };
    double out[FILTER_MAXOUT];
    if (r->ahead) {
        sample.next = r->goal[c][i + 1];
        sample.next_T = r->T[i + 1];
    }
    row(r->settings, r->step + i * r->step_stride, &sample, state, out);
    double *const *column = r->out + c * r->shape->nout;
    for (size_t k = 0; k < nout; k++)
        column[k][i] = out[k];
}

enum { RUN_ABREAST = 4 };

/* n unmarked channels from c on. n is a constant, so that every state becomes a variable of its own. */
RUN_INLINE void run_abreast(const struct run *r, size_t c, size_t n, filter_row *row, size_t nstate,
                            size_t nout)
{
    double state[RUN_ABREAST][FILTER_MAXSTATE];
    for (size_t k = 0; k < n; k++)
        memcpy(state[k], r->state + (c + k) * nstate, nstate * sizeof *state[k]);
    for (size_t i = 0; i < r->nrow; i++) {
#pragma GCC unroll 4
        for (size_t k = 0; k < n; k++)
            run_row(r, c + k, i, row, state[k], nout);
    }
    for (size_t k = 0; k < n; k++)
        memcpy(r->state + (c + k) * nstate, state[k], nstate * sizeof *state[k]);
}

/* One row of channel c that is neither void nor held: those are left to the driver, which knows their
 * outputs. */
RUN_INLINE void run_marked_row(const struct run *r, size_t c, size_t i, unsigned mark, filter_row *row,
                               filter_start *start, double *state, double *out)
{
    double goal = r->goal[c][i];
    if (mark & FLAG_START) {
        start(r->settings, goal, r->origin ? r->origin[c] : goal, state, out);
    } else {
        struct sample sample = { goal, goal, 0, mark };
        if (r->ahead && !(mark & FLAG_NO_NEXT)) {
            sample.next = r->goal[c][i + 1];
            sample.next_T = r->T[i + 1];
        }
        row(r->settings, r->step + i * r->step_stride, &sample, state, out);
    }
}

/* One channel with marks: the careful path. */
RUN_INLINE void run_marked(const struct run *r, size_t c, filter_row *row, filter_start *start, size_t nstate,
                           size_t nout)
{
    double *state = r->state + c * nstate;
    double *const *column = r->out + c * r->shape->nout;
    for (size_t i = 0; i < r->nrow; i++) {
        double out[FILTER_MAXOUT];
        unsigned mark = r->mark[c][i];
        if (mark & (FLAG_NO_VALUE | FLAG_ZERO_DT))
            continue;
        run_marked_row(r, c, i, mark, row, start, state, out);
        for (size_t k = 0; k < nout; k++)
            column[k][i] = out[k];
    }
}

RUN_INLINE void run_width(const struct run *r, filter_row *row, size_t nstate, size_t nout)
{
    size_t c = 0;
    for (; c + RUN_ABREAST <= r->nchannel; c += RUN_ABREAST)
        run_abreast(r, c, RUN_ABREAST, row, nstate, nout);
    for (; c + 2 <= r->nchannel; c += 2)
        run_abreast(r, c, 2, row, nstate, nout);
    if (c < r->nchannel)
        run_abreast(r, c, 1, row, nstate, nout);
}

/* Every channel over every row of r. nstate <= FILTER_MAXSTATE and nout <= FILTER_MAXOUT are the filter's constants;
 * row and start are its functions, known at compile time so that they are inlined. */
RUN_INLINE void run_rows(const struct run *r, filter_row *row, filter_start *start, size_t nstate, size_t nout)
{
    if (r->mark) {
        for (size_t c = 0; c < r->nchannel; c++)
            run_marked(r, c, row, start, nstate, nout);
    } else if (r->value_only) {
        run_width(r, row, nstate, 1);
    } else {
        run_width(r, row, nstate, nout);
    }
}

enum { RUN_MAXANY = 1024 }; /* outputs of a filter that uses run_any */

/* The same for filters whose settings say how many states and outputs they have: one plain loop, at most RUN_MAXANY
 * outputs. Every output is computed, also where only the value is wanted: their columns are always there. */
RUN_INLINE void run_any(const struct run *r, filter_row *row, filter_start *start)
{
    double out[RUN_MAXANY];
    size_t nout = r->shape->nout;
    for (size_t c = 0; c < r->nchannel; c++) {
        double *state = r->state + c * r->shape->nstate;
        double *const *column = r->out + c * nout;
        for (size_t i = 0; i < r->nrow; i++) {
            unsigned mark = r->mark ? r->mark[c][i] : 0;
            if (mark & (FLAG_NO_VALUE | FLAG_ZERO_DT))
                continue;
            run_marked_row(r, c, i, mark, row, start, state, out);
            for (size_t k = 0; k < nout; k++)
                column[k][i] = out[k];
        }
    }
}

#endif
