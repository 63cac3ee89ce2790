/* Runs a filter over arrays, as the driver would, without the driver: for unit tests only.
 * Settings come from words such as "halflife=0.1 method=euler" by the filter's own parameter table. */
#ifndef SPRUNG_HARNESS_H
#define SPRUNG_HARNESS_H

#include "springs/filter.h"
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h> /* needs those above */

static inline void *harness_alloc(size_t n, size_t size)
{
    void *p = calloc(n ? n : 1, size);
    if (!p)
        abort();
    return p;
}

static inline double harness_number(const char *s, char **end)
{
    double x = strtod(s, end);
    if (*end == s)
        fail_msg("not a number: %s", s);
    return x;
}

/* "1,2,3" or "LO:HI:N", geometric. */
static inline struct numbers harness_numbers(const char *s)
{
    struct numbers list = { harness_alloc(1000, sizeof(double)), 0 };
    char *end;
    list.value[list.nvalue++] = harness_number(s, &end);
    if (*end == ':') {
        double low = list.value[0], high = harness_number(end + 1, &end), n = harness_number(end + 1, &end);
        for (; (double)list.nvalue < n; list.nvalue++)
            list.value[list.nvalue] = low * pow(high / low, (double)list.nvalue / (n - 1));
    }
    while (*end == ',')
        list.value[list.nvalue++] = harness_number(end + 1, &end);
    return list;
}

/* Gives one field its value; text NULL: "not given". Lists and texts live as long as the test. */
static inline void harness_field(const struct param *p, char *settings, const char *text)
{
    void *field = settings + p->offset;
    char *end;
    switch (p->kind) {
    case PARAM_FLAG:
        *(bool *)field = text;
        break;
    case PARAM_NUMBER:
        if (text && p->word && strcmp(text, p->word) == 0)
            assert_true(param_set(p, settings, text, &(struct error){ 0 }));
        else
            *(double *)field = text ? harness_number(text, &end) : (double)NAN;
        break;
    case PARAM_COUNT:
        *(long *)field = text ? strtol(text, &end, 10) : -1;
        break;
    case PARAM_CHOICE: {
        int found = -1;
        for (int i = 0; text && p->choices[i]; i++)
            if (strcmp(p->choices[i], text) == 0)
                found = i;
        if (text && found < 0)
            fail_msg("--%s has no choice %s", p->name, text);
        *(int *)field = found;
        break;
    }
    case PARAM_TEXT:
    case PARAM_OPTIONAL_TEXT:
        *(const char **)field = text ? strdup(text) : NULL;
        break;
    case PARAM_NUMBERS:
        *(struct numbers *)field = text ? harness_numbers(text) : (struct numbers){ 0 };
        break;
    case PARAM_TEXTS:
    case PARAM_PARSED: /* no filter has one */
        break;
    }
}

/* Settings of f from words "name=value ..." (a flag is a name alone), checked. NULL and *e when check()
 * refuses. To be freed. */
static inline void *harness_settings(const struct filter *f, const char *words, struct error *e)
{
    char *settings = harness_alloc(1, f->settings_size), *copy = strdup(words), *rest = copy, *word;
    for (size_t i = 0; i < f->nparam; i++)
        harness_field(&f->params[i], settings, f->params[i].fallback);
    while ((word = strtok_r(rest, " ", &rest))) {
        char *value = strchr(word, '=');
        if (value)
            *value++ = 0;
        size_t i = 0;
        while (i < f->nparam && strcmp(f->params[i].name, word))
            i++;
        if (i == f->nparam)
            fail_msg("%s has no --%s", f->name, word);
        harness_field(&f->params[i], settings, value ? value : "");
    }
    free(copy);
    memset(e, 0, sizeof *e);
    if (filter_check(f, settings, false, e))
        return settings;
    free(settings);
    return NULL;
}

/* The same where check() must agree. */
static inline void *harness_good(const struct filter *f, const char *words)
{
    struct error e;
    void *settings = harness_settings(f, words, &e);
    if (!settings)
        fail_msg("%s %s: %s", f->name, words, e.text);
    return settings;
}

/* Coefficients of nrow steps; row 0 is a start and has none. To be freed. */
static inline double *harness_steps(const struct filter *f, const void *settings, size_t nrow,
                                    const double *T)
{
    size_t nstep = filter_shape(f, settings).nstep;
    double *step = harness_alloc(nrow * nstep, sizeof *step);
    for (size_t i = 1; i < nrow; i++) {
        if (i > 1 && T[i] == T[i - 1])
            memcpy(step + i * nstep, step + (i - 1) * nstep, nstep * sizeof *step);
        else
            f->step(settings, T[i], step + i * nstep);
    }
    return step;
}

/* One series of one channel. T[i]: the step into row i (T[0] is not looked at); mark NULL: row 0 starts and
 * nothing else is special, else nrow bytes of enum row_flag, the first with FLAG_START. The last row of a
 * filter with look-ahead is FLAG_NO_NEXT. out: an array of nrow for each output (3 for most filters). */
static inline void harness_run(const struct filter *f, const void *settings, size_t nrow, const double *T,
                               const double *goal, const unsigned char *mark, double *const *out)
{
    struct shape shape = filter_shape(f, settings);
    double *step = harness_steps(f, settings, nrow, T), *state = harness_alloc(shape.nstate, sizeof *state);
    double *goal_ahead = harness_alloc(nrow + 1, sizeof *goal), *T_ahead = harness_alloc(nrow + 1, sizeof *T);
    unsigned char *marks = harness_alloc(nrow + 1, 1);
    memcpy(goal_ahead, goal, nrow * sizeof *goal);
    memcpy(T_ahead, T, nrow * sizeof *T);
    if (mark)
        memcpy(marks, mark, nrow);
    marks[0] |= FLAG_START;
    if (f->ahead)
        marks[nrow - 1] |= FLAG_NO_NEXT;

    bool special = mark || f->ahead;
    const double *one_goal = goal_ahead;
    const unsigned char *one_mark = marks;
    struct run run = { .settings = settings,
                       .shape = &shape,
                       .nrow = special ? nrow : 1,
                       .nchannel = 1,
                       .T = T_ahead,
                       .step = step,
                       .step_stride = shape.nstep,
                       .goal = &one_goal,
                       .flags = &one_mark,
                       .out = out,
                       .state = state,
                       .ahead = f->ahead };
    f->run(&run);
    if (!special && nrow > 1) {
        double **rest = harness_alloc(shape.nout, sizeof *rest);
        for (size_t o = 0; o < shape.nout; o++)
            rest[o] = out[o] + 1;
        one_goal++;
        run.nrow = nrow - 1;
        run.T++;
        run.step += shape.nstep;
        run.flags = NULL;
        run.out = rest;
        f->run(&run);
        free(rest);
    }
    free(marks);
    free(T_ahead);
    free(goal_ahead);
    free(state);
    free(step);
}

/* The largest magnitude of n numbers, and the largest distance of two columns; infinite where one is not a
 * number. */
static inline double harness_largest(const double *y, size_t n)
{
    double most = 0;
    for (size_t i = 0; i < n; i++)
        most = fmax(most, fabs(y[i]));
    return most;
}

static inline double harness_worst(const double *y, const double *z, size_t n)
{
    double most = 0;
    for (size_t i = 0; i < n; i++)
        most = isfinite(y[i]) && isfinite(z[i]) ? fmax(most, fabs(y[i] - z[i])) : (double)INFINITY;
    return most;
}

/* Numbers anyone can make again: the top 53 bits of Knuth's generator, in 0..1. */
static inline double harness_noise(uint64_t *seed)
{
    *seed = *seed * 6364136223846793005u + 1442695040888963407u;
    return (double)(*seed >> 11) * 0x1p-53;
}

#endif
