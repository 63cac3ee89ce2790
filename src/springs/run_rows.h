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
        const struct first_row first = { .goal = goal, .x = run->origin ? run->origin[c] : goal };
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
    const struct filter_common *common = run->settings;
    const unsigned char counts = common->ignores_gaps ? (unsigned char)~FLAG_GAP : UCHAR_MAX;
    const unsigned char *flags = run->flags ? run->flags[c] : NULL;
    for (size_t i = 0, end; i < run->nrow; i = end + 1) {
        end = flags ? i : run->nrow;
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
    else if (run->value_only)
        for (size_t c = 0; c < run->nchannel; c++)
            run_channel(run, c, row, start, nstate, 1);
    else
        for (size_t c = 0; c < run->nchannel; c++)
            run_channel(run, c, row, start, nstate, nout);
}

/* Defines name_check and name_step, which a descriptor names, by
 *
 *     bool check(struct settings *set, struct error *e)
 *     struct of_step step(const struct settings *set, double T) */
#define FILTER_STEP(name, own_check, own_step, of_step)                                                      \
    static bool name##_check(void *settings, struct error *e)                                                \
    {                                                                                                        \
        return own_check(settings, e);                                                                       \
    }                                                                                                        \
    static void name##_step(const void *settings, double T, double *to)                                      \
    {                                                                                                        \
        struct of_step computed = own_step(settings, T);                                                     \
        memcpy(to, &computed, sizeof computed);                                                              \
    }

/* Defines name_check, name_step, name_start and name_run by check() and step(), which returns a struct step,
 * and by
 *
 *     struct movement row(const struct settings *set, const struct step *k, const struct sample *sample,
 *                         struct state *s)
 *     struct movement start(const struct settings *set, const struct first_row *first, struct state *s)
 *
 * The structs are copied from and to the arrays of doubles, which have no struct type; the compiler elides
 * the copies. */
#define FILTER_FUNCTIONS(name, own_check, own_step, own_row, own_start)                                      \
    FILTER_STEP(name, own_check, own_step, step)                                                             \
    RUN_INLINE void name##_row(const void *settings, const double *from, const struct sample *sample,        \
                               double *state, double *out)                                                   \
    {                                                                                                        \
        struct step k;                                                                                       \
        struct state s;                                                                                      \
        memcpy(&k, from, sizeof k);                                                                          \
        memcpy(&s, state, sizeof s);                                                                         \
        struct movement moved = own_row(settings, &k, sample, &s);                                           \
        memcpy(state, &s, sizeof s);                                                                         \
        memcpy(out, &moved, sizeof moved);                                                                   \
    }                                                                                                        \
    static void name##_start(const void *settings, const struct first_row *first, double *state,             \
                             double *out)                                                                    \
    {                                                                                                        \
        struct state s;                                                                                      \
        struct movement moved = own_start(settings, first, &s);                                              \
        memcpy(state, &s, sizeof s);                                                                         \
        memcpy(out, &moved, sizeof moved);                                                                   \
    }                                                                                                        \
    static void name##_run(const struct run *of_rows)                                                        \
    {                                                                                                        \
        run_rows(of_rows, name##_row, name##_start, DOUBLES(struct state), 3);                               \
    }

#endif
