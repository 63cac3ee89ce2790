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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_kept_changes_no_result),
        cmocka_unit_test(the_result_of_a_sample_alone_is_that_of_all),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
