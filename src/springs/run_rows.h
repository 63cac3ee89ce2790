/* Loops around a filter's row(): rows by columns, several channels side by side to hide the latency of the
 * recurrence. A filter's run() calls run_rows with constant arguments; everything is inlined there, and the
 * state of the channels in progress is kept in registers. Invariant: a channel's numbers do not depend on the
 * other channels, unless the channels are the components of a vector. */
#ifndef SPRUNG_SPRINGS_RUN_ROWS_H
#define SPRUNG_SPRINGS_RUN_ROWS_H

#include "springs/filter.h"

#include <limits.h>
#include <math.h>

#define RUN_INLINE static inline __attribute__((always_inline))

enum {
    RUN_ABREAST = 4 /* channels side by side */
};

/* Takes n channels from channel c on through all rows, without flags. n is a constant, so that every state
 * becomes a variable of its own. */
RUN_INLINE void run_abreast(const struct run *run, size_t c, size_t n, filter_row *row, size_t nstate,
                            size_t nout)
{
    double state[RUN_ABREAST][FILTER_MAXSTATE];
    for (size_t k = 0; k < n; k++)
        memcpy(state[k], run->state + (c + k) * nstate, nstate * sizeof *state[k]);
    for (size_t i = 0; i < run->nrow; i++) {
#pragma GCC unroll 4
        for (size_t k = 0; k < n; k++) {
            struct sample sample = { .goal = run->goal[c + k][i], .T = run->T[i] };
            double out[FILTER_MAXOUT];
            if (run->ahead) {
                sample.next = run->goal[c + k][i + 1];
                sample.next_T = run->T[i + 1];
            }
            row(run->settings, run->step + i * run->step_stride, &sample, state[k], out);
            double *const *column = run->out + (c + k) * run->shape->nout;
            for (size_t o = 0; o < nout; o++)
                column[o][i] = out[o];
        }
    }
    for (size_t k = 0; k < n; k++)
        memcpy(run->state + (c + k) * nstate, state[k], nstate * sizeof *state[k]);
}

/* Computes the predictions from the state after a row: each is one more row, in a copy of the state, S
 * seconds later with the same goal. step: the coefficients of the predictions; NULL: they follow a first
 * row, which has no coefficients. Sets the first each.nout outputs of each. */
RUN_INLINE void run_predictions(const struct run *run, filter_row *row, double goal, const double *step,
                                const double *state, double *out)
{
    const struct filter *filter = run->predicts;
    const struct numbers *seconds = filter_values(filter, run->settings);
    const size_t nstep = filter->shape.nstep, nout = filter->each.nout;
    double own_step[FILTER_MAXSTEP], later_state[FILTER_MAXSTATE], later[FILTER_MAXOUT];
    for (size_t i = 0; i < seconds->nvalue; i++) {
        const double S = seconds->value[i];
        const struct sample sample = {
            .goal = goal, .T = S, .next = goal, .next_T = S, .flags = FLAG_NO_NEXT
        };
        if (!step)
            filter->step(run->settings, S, own_step);
        memcpy(later_state, state, filter->shape.nstate * sizeof *state);
        row(run->settings, step ? step + i * nstep : own_step, &sample, later_state, later);
        memcpy(out + i * nout, later, nout * sizeof *out);
    }
}

/* Takes channel c through row i. In a row without a value or with a time step of 0 only the result of
 * same_time is written: the caller knows the other outputs. Otherwise all outputs are written, even if only
 * the value is wanted: a column for each output always exists. size: as in struct sample. */
RUN_INLINE void run_one(const struct run *run, size_t c, size_t i, filter_row *row, filter_start *start,
                        const double *size)
{
    size_t nstate = run->shape->nstate, nout = run->shape->nout;
    double *state = run->state + c * nstate, out[RUN_MAXANY];
    double *const *column = run->out + c * nout;
    unsigned flags = run->flags ? run->flags[c][i] : 0;
    double goal = run->goal[c][i];
    struct sample sample = { .goal = goal, .T = run->T[i], .next = goal, .flags = flags, .size = size };
    if (flags & FLAG_ZERO_DT && !(flags & FLAG_NO_VALUE) && run->same_time)
        column[0][i] = run->same_time(state, goal);
    if (flags & (FLAG_NO_VALUE | FLAG_ZERO_DT))
        return;
    if (run->ahead && !(flags & (FLAG_NO_NEXT | FLAG_START))) {
        sample.next = run->goal[c][i + 1];
        sample.next_T = run->T[i + 1];
    }
    const double *predictions = NULL; /* coefficients */
    if (flags & FLAG_START) {
        const struct first_row first = { .goal = goal, .x = run->origin ? run->origin[c] : goal };
        start(run->settings, &first, state, out);
    } else {
        const double *step = run->step + i * run->step_stride;
        row(run->settings, step, &sample, state, out);
        predictions = run->predicts ? step + run->predicts->shape.nstep : NULL;
    }
    if (run->predicts && !size)
        run_predictions(run, row, goal, predictions, state, out + run->predicts->shape.nout);
    else if (run->predicts)
        nout = run->predicts->shape.nout; /* run_vector_predictions computes the predictions of components */
    for (size_t o = 0; o < nout; o++)
        column[o][i] = out[o];
}

/* Takes every channel through every row of run, with or without flags, also for filters whose settings decide
 * how many states and outputs there are. */
RUN_INLINE void run_any(const struct run *run, filter_row *row, filter_start *start)
{
    for (size_t c = 0; c < run->nchannel; c++)
        for (size_t i = 0; i < run->nrow; i++)
            run_one(run, c, i, row, start, NULL);
}

/* Computes the predictions from row i for the components of a vector, whose goal stays where it is. */
RUN_INLINE void run_vector_predictions(const struct run *run, size_t i, filter_row *row)
{
    const struct filter *filter = run->predicts;
    const struct numbers *seconds = filter_values(filter, run->settings);
    unsigned flags = run->flags ? run->flags[0][i] : 0;
    for (size_t p = 0; p < seconds->nvalue && !(flags & (FLAG_NO_VALUE | FLAG_ZERO_DT)); p++) {
        double own_step[FILTER_MAXSTEP], size[FILTER_SIZES] = { 0 };
        const double *step = run->step + i * run->step_stride + (p + 1) * filter->shape.nstep;
        if (flags & FLAG_START) {
            filter->step(run->settings, seconds->value[p], own_step);
            step = own_step;
        }
        for (size_t c = 0; c < run->nchannel; c++) {
            struct sample sample = { .goal = run->goal[c][i], .T = seconds->value[p] };
            double part[FILTER_SIZES] = { 0 };
            run->sizes(run->settings, &sample, run->state + c * run->shape->nstate, part);
            for (size_t k = 0; k < FILTER_SIZES; k++)
                size[k] = hypot(size[k], part[k]);
        }
        for (size_t c = 0; c < run->nchannel; c++) {
            struct sample sample = {
                .goal = run->goal[c][i], .T = seconds->value[p], .size = size, .flags = FLAG_NO_NEXT
            };
            double state[FILTER_MAXSTATE], later[FILTER_MAXOUT];
            double *const *column = run->out + c * run->shape->nout + filter->shape.nout + 2 * p;
            memcpy(state, run->state + c * run->shape->nstate, filter->shape.nstate * sizeof *state);
            row(run->settings, step, &sample, state, later);
            column[0][i] = later[0];
            column[1][i] = later[1];
        }
    }
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
            if (!(flags & (FLAG_NO_VALUE | FLAG_ZERO_DT | FLAG_START)))
                run->sizes(run->settings, &sample, run->state + c * run->shape->nstate, part);
            for (size_t k = 0; k < FILTER_SIZES; k++)
                size[k] = hypot(size[k], part[k]);
        }
        for (size_t c = 0; c < run->nchannel; c++)
            run_one(run, c, i, row, start, size);
        if (run->predicts)
            run_vector_predictions(run, i, row);
    }
}

RUN_INLINE void run_unflagged(const struct run *run, filter_row *row, size_t nstate, size_t nout)
{
    size_t c = 0;
    for (; c + RUN_ABREAST <= run->nchannel; c += RUN_ABREAST)
        run_abreast(run, c, RUN_ABREAST, row, nstate, nout);
    for (; c + 2 <= run->nchannel; c += 2)
        run_abreast(run, c, 2, row, nstate, nout);
    if (c < run->nchannel)
        run_abreast(run, c, 1, row, nstate, nout);
}

/* Takes every channel through every row, where some rows have flags: stretches of rows whose flags change
 * nothing as run_abreast does, other rows singly. */
RUN_INLINE void run_flagged(const struct run *run, filter_row *row, filter_start *start, size_t nstate,
                            size_t nout)
{
    const struct filter_common *common = run->settings;
    const unsigned char counts = common->ignores_gaps ? (unsigned char)~FLAG_GAP : UCHAR_MAX;
    for (size_t c = 0; c < run->nchannel; c++) {
        const unsigned char *flags = run->flags[c];
        for (size_t i = 0, n; i < run->nrow; i += n) {
            for (n = 0; i + n < run->nrow && !(flags[i + n] & counts);)
                n++;
            const double *goal = run->goal[c] + i;
            double *out[FILTER_MAXOUT];
            struct run stretch = *run;
            stretch.nrow = n;
            stretch.T += i;
            stretch.step += i * run->step_stride;
            stretch.goal = &goal;
            stretch.out = out;
            stretch.state += c * nstate;
            for (size_t o = 0; o < nout; o++)
                out[o] = run->out[c * run->shape->nout + o] + i;
            if (n > 0)
                run_abreast(&stretch, 0, 1, row, nstate, nout);
            if (i + n < run->nrow)
                run_one(run, c, i + n++, row, start, NULL);
        }
    }
}

/* Takes every channel through every row, for filters with constant nstate <= FILTER_MAXSTATE and nout <=
 * FILTER_MAXOUT. */
RUN_INLINE void run_rows(const struct run *run, filter_row *row, filter_start *start, size_t nstate,
                         size_t nout)
{
    if (run->sizes)
        run_vector(run, row, start);
    else if (run->predicts)
        run_any(run, row, start);
    else if (run->flags)
        run_flagged(run, row, start, nstate, nout);
    else if (run->value_only)
        run_unflagged(run, row, nstate, 1);
    else
        run_unflagged(run, row, nstate, nout);
}

/* Defines the functions of the descriptor by functions of the filter's file, which take the types of the
 * file:
 *
 *     bool check(struct settings *set, struct error *e)
 *     struct step step(const struct settings *set, double T) */
#define FILTER_STEP(step_type)                                                                               \
    static bool check_any(void *settings, struct error *e)                                                   \
    {                                                                                                        \
        return check(settings, e);                                                                           \
    }                                                                                                        \
    static void step_any(const void *settings, double T, double *to)                                         \
    {                                                                                                        \
        step_type computed = step(settings, T);                                                              \
        memcpy(to, &computed, sizeof computed);                                                              \
    }

/* Defines all functions that FILTER_STATE names, by check() and step(), as FILTER_STEP does, and by
 *
 *     struct movement row(const struct settings *set, const struct step *k, const struct sample *sample,
 *                         struct state *s)
 *     struct movement start(const struct settings *set, const struct first_row *first, struct state *s)
 *
 * The structs are copied from and to the arrays of doubles, which have no struct type; the compiler leaves
 * the copies out. */
#define FILTER_RUN                                                                                           \
    FILTER_STEP(struct step)                                                                                 \
    RUN_INLINE void row_any(const void *settings, const double *step, const struct sample *sample,           \
                            double *state, double *out)                                                      \
    {                                                                                                        \
        struct step k;                                                                                       \
        struct state s;                                                                                      \
        memcpy(&k, step, sizeof k);                                                                          \
        memcpy(&s, state, sizeof s);                                                                         \
        struct movement moved = row(settings, &k, sample, &s);                                               \
        memcpy(state, &s, sizeof s);                                                                         \
        memcpy(out, &moved, sizeof moved);                                                                   \
    }                                                                                                        \
    static void start_any(const void *settings, const struct first_row *first, double *state, double *out)   \
    {                                                                                                        \
        struct state s;                                                                                      \
        struct movement moved = start(settings, first, &s);                                                  \
        memcpy(state, &s, sizeof s);                                                                         \
        memcpy(out, &moved, sizeof moved);                                                                   \
    }                                                                                                        \
    static void run(const struct run *r)                                                                     \
    {                                                                                                        \
        run_rows(r, row_any, start_any, DOUBLES(struct state), 3);                                           \
    }

#endif
