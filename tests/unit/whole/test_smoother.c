/* The smoothing spline against the normal equations in 60 digits (tests/ref/smooth.py): one and several
 * components, gaps, uneven steps, eased penalties, an even run whose gains settle, and its trace. */
#include "whole/smoother.h"

#include "../../ref/smooth_table.h"
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

enum { CASES = sizeof smooth_table / sizeof *smooth_table, N = SMOOTH_ROWS, WIDE = 3 };

static struct smoother_run run_of_case(size_t i)
{
    return (struct smoother_run){
        .n = N,
        .width = 1,
        .T = smooth_table[i].T,
        .weight = smooth_table[i].weight,
        .ease = smooth_table[i].ease,
        .value = smooth_table[i].value,
        .a2 = smooth_table[i].a2,
    };
}

static void assert_near(const double *got, size_t width, const double *want, double part)
{
    double most = 0;
    for (size_t i = 0; i < N; i++)
        most = fmax(most, fabs(want[i]));
    for (size_t i = 0; i < N; i++)
        if (!(fabs(got[i * width] - want[i]) <= part * most))
            fail_msg("at sample %zu: %.17g, not %.17g", i, got[i * width], want[i]);
}

static void the_curve_solves_the_normal_equations(void **state)
{
    (void)state;
    for (size_t i = 0; i < CASES; i++) {
        struct smoother_gains gains = { .at = NULL };
        double x[N], v[N], a[N], trace = 0;
        const struct smoother_run run = run_of_case(i);
        assert_true(smoother_find_gains(&run, &gains, NULL));
        smoother_smooth(&run, &gains, &(struct smoother_curve){ x, v, a });
        assert_near(x, 1, smooth_table[i].x, 2e-15);
        assert_near(v, 1, smooth_table[i].v, 2e-11);
        for (size_t k = 1; k < N; k++)
            trace += smooth_table[i].leverage[k];
        assert_true(fabs(smoother_trace(&run, &gains) - 1 - trace) < 1e-9 * trace);
        smoother_free(&gains);
    }
}

static void components_do_not_influence_each_other(void **state)
{
    (void)state;
    for (size_t i = 0; i < CASES; i++) {
        struct smoother_gains gains = { .at = NULL };
        double value[N * WIDE], x[N * WIDE], v[N * WIDE], a[N * WIDE];
        struct smoother_run run = run_of_case(i);
        for (size_t k = 0; k < N * WIDE; k++)
            value[k] = k % WIDE == 1 ? smooth_table[i].value[k / WIDE] : (double)(k % 7);
        run.value = value;
        run.width = WIDE;
        assert_true(smoother_find_gains(&run, &gains, NULL));
        smoother_smooth(&run, &gains, &(struct smoother_curve){ x, v, a });
        assert_near(x + 1, WIDE, smooth_table[i].x, 2e-15);
        smoother_free(&gains);
    }
}

/* An even run is smoothed with settled gains: the curve is that of gains found for each sample. */
static void settled_gains_are_those_of_every_sample(void **state)
{
    (void)state;
    enum { ROWS = 5000 };
    static double T[ROWS], value[ROWS], curve[2][3][ROWS];
    struct smoother_run run = { ROWS, 1, T, T, NULL, value, smoother_penalty(6, 1 / 120.0), false };
    double scale[3] = { 1, 40, 1600 };
    for (size_t k = 0; k < ROWS; k++) {
        T[k] = 1 / 120.0;
        value[k] = sin((double)k / 20) + (double)(k * 7919 % 101) / 1000;
    }
    for (size_t even = 0; even < 2; even++) {
        struct smoother_gains gains = { .at = NULL };
        run.even = even;
        assert_true(smoother_find_gains(&run, &gains, NULL));
        assert_true(!even || gains.nkept < 200);
        smoother_smooth(&run, &gains,
                        &(struct smoother_curve){ curve[even][0], curve[even][1], curve[even][2] });
        smoother_free(&gains);
    }
    for (size_t o = 0; o < 3; o++)
        for (size_t k = 0; k < ROWS; k++)
            assert_true(fabs(curve[0][o][k] - curve[1][o][k]) < 1e-13 * scale[o]);
}

static void a_wave_at_the_cutoff_loses_3_dB(void **state)
{
    (void)state;
    enum { ROWS = 4096 };
    static double T[ROWS], value[ROWS], x[ROWS], v[ROWS], a[ROWS];
    for (size_t k = 0; k < ROWS; k++) {
        T[k] = 0.01;
        value[k] = cos(2 * M_PI * 20 * 0.01 * (double)k);
    }
    const struct smoother_run run = { ROWS, 1, T, T, NULL, value, smoother_penalty(20, 0.01), true };
    struct smoother_gains gains = { .at = NULL };
    assert_true(smoother_find_gains(&run, &gains, NULL));
    smoother_smooth(&run, &gains, &(struct smoother_curve){ x, v, a });
    for (size_t k = ROWS / 2; k < ROWS / 2 + 50; k++)
        assert_true(fabs(x[k] - M_SQRT1_2 * value[k]) < 1e-12);
    smoother_free(&gains);
}

static void one_sample_stands_still(void **state)
{
    (void)state;
    double x, v, a, one = 1, seven = 7;
    const struct smoother_run run = { 1, 1, &one, &one, NULL, &seven, 1, true };
    struct smoother_gains gains = { .at = NULL };
    assert_true(smoother_find_gains(&run, &gains, NULL));
    smoother_smooth(&run, &gains, &(struct smoother_curve){ &x, &v, &a });
    assert_true(x == 7 && v == 0 && a == 0);
    smoother_free(&gains);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_curve_solves_the_normal_equations),
        cmocka_unit_test(components_do_not_influence_each_other),
        cmocka_unit_test(settled_gains_are_those_of_every_sample),
        cmocka_unit_test(a_wave_at_the_cutoff_loses_3_dB),
        cmocka_unit_test(one_sample_stands_still),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
