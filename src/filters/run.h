/* The loops around a filter's row(): rows by columns, several channels side by side to hide the latency of
 * the recurrence. A filter's run() calls run_rows with constant arguments; everything is inlined there, and
 * the state of the channels in progress is kept in registers. Invariant: a channel's numbers do not depend on
 * the other channels, nor on how its rows are split into runs. */
#ifndef SPRUNG_RUN_H
#define SPRUNG_RUN_H

#include <math.h>

#define RUN_INLINE static inline __attribute__((always_inline))

enum {
    RUN_ABREAST = 4,  /* channels side by side */
    RUN_MAXANY = 1024 /* outputs of a filter that uses run_any */
};

/* n channels from c on, without flags. n is a constant, so that every state becomes a variable of its own. */
RUN_INLINE void run_abreast(const struct run *r, size_t c, size_t n, filter_row *row, size_t nstate,
                            size_t nout)
{
    double state[RUN_ABREAST][FILTER_MAXSTATE];
    for (size_t k = 0; k < n; k++)
        memcpy(state[k], r->state + (c + k) * nstate, nstate * sizeof *state[k]);
    for (size_t i = 0; i < r->nrow; i++) {
#pragma GCC unroll 4
        for (size_t k = 0; k < n; k++) {
            struct sample sample = { r->goal[c + k][i], 0, 0, 0 };
            double out[FILTER_MAXOUT];
            if (r->ahead) {
                sample.next = r->goal[c + k][i + 1];
                sample.next_T = r->T[i + 1];
            }
            row(r->settings, r->step + i * r->step_stride, &sample, state[k], out);
            double *const *column = r->out + (c + k) * r->shape->nout;
            for (size_t o = 0; o < nout; o++)
                column[o][i] = out[o];
        }
    }
    for (size_t k = 0; k < n; k++)
        memcpy(r->state + (c + k) * nstate, state[k], nstate * sizeof *state[k]);
}

/* One channel, with or without flags. Rows without a value or with a time step of 0 are left to the caller,
 * which knows their outputs. out: room for nout numbers. */
RUN_INLINE void run_flagged(const struct run *r, size_t c, filter_row *row, filter_start *start,
                            size_t nstate, size_t nout, double *out)
{
    double *state = r->state + c * nstate;
    double *const *column = r->out + c * nout;
    for (size_t i = 0; i < r->nrow; i++) {
        unsigned flags = r->flags ? r->flags[c][i] : 0;
        struct sample sample = { r->goal[c][i], r->goal[c][i], 0, flags };
        if (flags & (FLAG_NO_VALUE | FLAG_ZERO_DT))
            continue;
        if (r->ahead && !(flags & (FLAG_NO_NEXT | FLAG_START))) {
            sample.next = r->goal[c][i + 1];
            sample.next_T = r->T[i + 1];
        }
        if (flags & FLAG_START)
            start(r->settings, sample.goal, r->origin ? r->origin[c] : sample.goal, state, out);
        else
            row(r->settings, r->step + i * r->step_stride, &sample, state, out);
        for (size_t o = 0; o < nout; o++)
            column[o][i] = out[o];
    }
}

RUN_INLINE void run_unflagged(const struct run *r, filter_row *row, size_t nstate, size_t nout)
{
    size_t c = 0;
    for (; c + RUN_ABREAST <= r->nchannel; c += RUN_ABREAST)
        run_abreast(r, c, RUN_ABREAST, row, nstate, nout);
    for (; c + 2 <= r->nchannel; c += 2)
        run_abreast(r, c, 2, row, nstate, nout);
    if (c < r->nchannel)
        run_abreast(r, c, 1, row, nstate, nout);
}

/* Every channel over every row of r. nstate <= FILTER_MAXSTATE and nout <= FILTER_MAXOUT are the filter's
 * constants; row and start are its functions, known at compile time so that they are inlined. */
RUN_INLINE void run_rows(const struct run *r, filter_row *row, filter_start *start, size_t nstate,
                         size_t nout)
{
    double out[FILTER_MAXOUT];
    if (r->flags) {
        for (size_t c = 0; c < r->nchannel; c++)
            run_flagged(r, c, row, start, nstate, nout, out);
    } else if (r->value_only) {
        run_unflagged(r, row, nstate, 1);
    } else {
        run_unflagged(r, row, nstate, nout);
    }
}

/* The same for filters whose settings say how many states and outputs they have, at most RUN_MAXANY outputs.
 * All are computed, even if only the value is wanted: their columns always exist. */
RUN_INLINE void run_any(const struct run *r, filter_row *row, filter_start *start)
{
    double out[RUN_MAXANY];
    for (size_t c = 0; c < r->nchannel; c++)
        run_flagged(r, c, row, start, r->shape->nstate, r->shape->nout, out);
}

#endif
