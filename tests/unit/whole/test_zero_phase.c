/* A smoother keeps steps, gains and splines from run to run. Whatever runs came before, the result of a run
 * has the bits of a new smoother. What of a run is wanted does not change the results, either. */
#include "springs/filter_words.h"
#include "whole/zero_phase.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { ROWS = 400 };

struct drawn {
    size_t n;
    double rate;    /* rows per second */
    size_t missing; /* a row without a sample; 0: none */
    size_t late;    /* a row that comes late; 0: none */
};

static void *settings_of(const struct filter *filter, const char *cutoff)
{
    struct error e;
    void *settings = calloc(1, filter->settings_size);
    for (size_t i = 0; i < filter->nparam; i++)
        assert_true(param_default(&filter->params[i], settings, &e));
    assert_true(param_set(filter_option(filter, "cutoff"), settings, cutoff, &e));
    assert_true(filter_check(filter, settings, true, &e));
    return settings;
}

/* Smooths a run into result[2 * run->n]: values and velocities. */
static void smooth(struct zero_phase *phase, const struct drawn *run, struct zero_phase_part part,
                   double *result)
{
    static double T[ROWS], value[ROWS];
    const struct samples samples = { .n = run->n, .width = SAMPLE_NUMBER, .T = T, .value = value };
    for (size_t k = 0; k < run->n; k++) {
        T[k] = 1 / run->rate * (run->late > 0 && k == run->late ? 1.3 : 1) * (k % 2 ? 1 : 1 + 1e-12);
        value[k] = k > 0 && k == run->missing ? (double)NAN : sin((double)k / 7) + (double)(k * 37 % 11) / 50;
    }
    assert_true(zero_phase_run(phase, &samples, part, NULL));
    zero_phase_derive(phase, 1);
    memcpy(result, zero_phase_numbers(phase, 0), run->n * sizeof *result);
    memcpy(result + run->n, zero_phase_numbers(phase, 1), run->n * sizeof *result);
}

static void what_is_kept_changes_no_result(void **state)
{
    (void)state;
    static const char *const names[] = { "butterworth", "critical", "damper", "double" };
    static const struct drawn runs[] = { { 3, 120, 0, 0 },   { 300, 120, 0, 0 },  { 301, 120, 0, 0 },
                                         { 20, 120, 0, 0 },  { 40, 120, 0, 0 },   { 40, 100, 0, 0 },
                                         { 41, 100, 9, 0 },  { 300, 100, 0, 30 }, { 300, 100, 0, 0 },
                                         { 300, 120, 5, 0 }, { 1, 120, 0, 0 },    { 300, 120, 0, 0 } };
    static double got[2 * ROWS], want[2 * ROWS];
    for (size_t f = 0; f < sizeof names / sizeof *names; f++) {
        const struct filter *filter = filter_find(names[f]);
        void *settings[] = { settings_of(filter, "2"), settings_of(filter, "6") };
        struct zero_phase *used = zero_phase_make(filter, ROWS, SAMPLE_NUMBER, NULL);
        for (size_t i = 0; i < 4 * sizeof runs / sizeof *runs; i++) {
            const struct drawn *run = &runs[i % (sizeof runs / sizeof *runs)];
            struct zero_phase *new = zero_phase_make(filter, ROWS, SAMPLE_NUMBER, NULL);
            zero_phase_use(used, settings[i / 5 % 2], (double)NAN);
            zero_phase_use(new, settings[i / 5 % 2], (double)NAN);
            const struct zero_phase_part part = { .begun = i % 3 > 0, .goes_on = i % 3 > 0 };
            smooth(used, run, part, got);
            smooth(new, run, part, want);
            assert_memory_equal(got, want, 2 * run->n * sizeof *got);
            zero_phase_free(new);
        }
        zero_phase_free(used);
        free(settings[0]);
        free(settings[1]);
    }
}

static void the_result_of_a_sample_alone_is_that_of_all(void **state)
{
    (void)state;
    static const char *const names[] = { "butterworth", "critical", "damper", "double" };
    static const struct drawn runs[] = { { 300, 120, 0, 0 }, { 300, 120, 1, 0 }, { 20, 120, 1, 0 } };
    static double got[2 * ROWS], want[2 * ROWS];
    for (size_t i = 0; i < sizeof names / sizeof *names * 3; i++) {
        const struct filter *filter = filter_find(names[i / 3]);
        const struct drawn *run = &runs[i % 3];
        void *settings = settings_of(filter, "6");
        struct zero_phase *phase = zero_phase_make(filter, ROWS, SAMPLE_NUMBER, NULL);
        zero_phase_use(phase, settings, (double)NAN);
        smooth(phase, run, (struct zero_phase_part){ .from = 0 }, want);
        for (size_t k = 0; k < run->n; k++) {
            smooth(phase, run, (struct zero_phase_part){ .from = k, .ahead = run->n - 1 - k }, got);
            assert_true(got[k] == want[k]);
            assert_true(fabs(got[run->n + k] - want[run->n + k]) < 1e-9);
            smooth(phase, run, (struct zero_phase_part){ .from = k, .values_only = true }, got);
            assert_true(got[k] == want[k]);
        }
        zero_phase_free(phase);
        free(settings);
    }
}

/* A long step next to an end counts the same from both sides. */
static void a_reversed_run_has_the_reversed_result(void **state)
{
    (void)state;
    enum { N = 17 };
    static const double time[N] = { 0,     0.251, 0.261, 0.278, 0.288, 0.289, 6.379, 6.380, 6.381,
                                    6.382, 6.383, 6.400, 6.417, 6.434, 6.451, 6.461, 8.447 };
    static const double x[N] = { -2,  -1,  -50, -48, -50, -50, -53, -52, -52,
                                 -52, -53, -53, -53, -53, -52, -53, -44 };
    static const char *const names[] = { "butterworth", "critical", "double" };
    for (size_t f = 0; f < sizeof names / sizeof *names; f++) {
        const struct filter *filter = filter_find(names[f]);
        void *settings = settings_of(filter, "1.7");
        double T[N], back_T[N], back[N];
        struct zero_phase *there = zero_phase_make(filter, N, SAMPLE_NUMBER, NULL);
        struct zero_phase *from_end = zero_phase_make(filter, N, SAMPLE_NUMBER, NULL);
        for (size_t k = 0; k < N; k++) {
            T[k] = k > 0 ? time[k] - time[k - 1] : 0;
            back[k] = x[N - 1 - k];
            back_T[k] = k > 0 ? time[N - k] - time[N - 1 - k] : 0;
        }
        const struct samples run = { .n = N, .width = SAMPLE_NUMBER, .T = T, .value = x };
        const struct samples reversed = { .n = N, .width = SAMPLE_NUMBER, .T = back_T, .value = back };
        zero_phase_use(there, settings, (double)NAN);
        zero_phase_use(from_end, settings, (double)NAN);
        assert_true(zero_phase_run(there, &run, (struct zero_phase_part){ .from = 0 }, NULL));
        assert_true(zero_phase_run(from_end, &reversed, (struct zero_phase_part){ .from = 0 }, NULL));
        const double *got = zero_phase_numbers(there, 0), *want = zero_phase_numbers(from_end, 0);
        for (size_t k = 0; k < N; k++)
            assert_true(fabs(got[k] - want[N - 1 - k]) < 1e-9);
        zero_phase_free(there);
        zero_phase_free(from_end);
        free(settings);
    }
}

/* 0.6 periods of 3 Hz are exactly 20 rows of 100 Hz: the row there decides at the end, with points and
 * without. */
static void points_between_samples_change_no_sample(void **state)
{
    (void)state;
    enum { N = 70, MANY = 3 * (N - 1) + 1 };
    const struct filter *filter = filter_find("butterworth");
    void *settings = settings_of(filter, "3");
    double T[MANY], x[MANY], alone[N];
    bool point[MANY];
    struct zero_phase *phase = zero_phase_make(filter, MANY, SAMPLE_NUMBER, NULL);
    zero_phase_use(phase, settings, (double)NAN);
    for (size_t k = 0; k < N; k++) {
        T[k] = 0.01;
        x[k] = 50 * sin((double)k / 12) + (double)(k * 37 % 11) / 10;
    }
    const struct samples few = { .n = N, .width = SAMPLE_NUMBER, .T = T, .value = x };
    assert_true(zero_phase_run(phase, &few, (struct zero_phase_part){ .from = 0 }, NULL));
    memcpy(alone, zero_phase_numbers(phase, 0), sizeof alone);
    for (size_t k = MANY; k-- > 0;) {
        T[k] = 0.01 / 3;
        x[k] = x[k / 3];
        point[k] = k % 3 > 0;
    }
    const struct samples many = { .n = MANY, .width = SAMPLE_NUMBER, .T = T, .value = x, .point = point };
    assert_true(zero_phase_run(phase, &many, (struct zero_phase_part){ .from = 0 }, NULL));
    for (size_t k = 0; k < N; k++)
        assert_true(fabs(zero_phase_numbers(phase, 0)[3 * k] - alone[k]) < 1e-9);
    zero_phase_free(phase);
    free(settings);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_kept_changes_no_result),
        cmocka_unit_test(the_result_of_a_sample_alone_is_that_of_all),
        cmocka_unit_test(a_reversed_run_has_the_reversed_result),
        cmocka_unit_test(points_between_samples_change_no_sample),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
