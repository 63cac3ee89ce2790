/* The value at an end: exact on lines, the same for the reversed samples, and nearer to a known motion than
 * the end sample is. The curvature at an end: exact on parabolas and cubics, and next to nothing on noise. */
#include "whole/end_value.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

enum { N = 240 };

static double T[N], x[N];

static double at_end(double reach, double noise, bool at_last)
{
    const struct end_run run = { T, { x }, 1, N - 1, reach, noise };
    double value;
    end_value(&run, at_last, &value);
    return value;
}

static double uniform(uint64_t *seed)
{
    *seed = *seed * 6364136223846793005u + 1442695040888963407u;
    return ((double)(*seed >> 11) + 0.5) * 0x1p-53;
}

static double deviate(uint64_t *seed)
{
    double radius = sqrt(-2 * log(uniform(seed)));
    return radius * cos(6.283185307179586 * uniform(seed));
}

static void make_steps(bool uneven)
{
    uint64_t seed = 3;
    for (int i = 0; i < N; i++)
        T[i] = uneven ? 1e-3 + 0.02 * uniform(&seed) : 1.0 / 120;
}

static void a_line_is_kept(void **state)
{
    (void)state;
    for (int uneven = 0; uneven < 2; uneven++) {
        make_steps(uneven);
        for (double reach = 1e-9; reach < 1e18; reach *= 3) {
            double t = 0;
            for (int i = 0; i < N; i++)
                x[i] = 2.7;
            assert_true(at_end(reach, 1, false) == 2.7 && at_end(reach, 1, true) == 2.7);
            for (int i = 0; i < N; i++)
                x[i] = 3 - 7 * (t += T[i]);
            assert_true(fabs(at_end(reach, 1, false) - x[0]) < 1e-12);
            assert_true(fabs(at_end(reach, 1, true) - x[N - 1]) < 1e-12);
        }
    }
}

static void ends_mirror(void **state)
{
    (void)state;
    for (int uneven = 0; uneven < 2; uneven++)
        for (double noise = 1e-6; noise < 1e3; noise *= 30) {
            uint64_t seed = 8;
            make_steps(uneven);
            for (int i = 0; i < N; i++)
                x[i] = 20 * sin(i / 9.0) + deviate(&seed);
            double first = at_end(0.1, noise, false), last = at_end(0.1, noise, true);
            for (int i = 0, j = N - 1; i < j; i++, j--) {
                double swap = x[i];
                x[i] = x[j];
                x[j] = swap;
            }
            for (int i = 1, j = N - 1; i < j; i++, j--) {
                double swap = T[i];
                T[i] = T[j];
                T[j] = swap;
            }
            assert_true(at_end(0.1, noise, true) == first && at_end(0.1, noise, false) == last);
        }
}

/* RMS distance of the end value from motions of up to 4 Hz and some 25 units, over the size of the noise. */
static double error_of(double sigma, double size)
{
    uint64_t seed = 77;
    double squares = 0;
    for (int k = 0; k < 200; k++) {
        double f[4], phase[4], truth = 0, t = 0;
        for (int j = 0; j < 4; j++) {
            f[j] = 0.2 + 3.8 * uniform(&seed);
            phase[j] = 6.2831853 * uniform(&seed);
            truth += size * sin(phase[j]);
        }
        for (int i = 0; i < N; i++, t += T[1]) {
            x[i] = sigma * deviate(&seed);
            for (int j = 0; j < 4; j++)
                x[i] += size * sin(6.283185307179586 * f[j] * t + phase[j]);
        }
        double off = at_end(0.05, sigma * sigma, false) - truth;
        squares += off * off;
    }
    return sqrt(squares / 200) / sigma;
}

/* The sample itself is as far off as the noise. A line through the 28 samples within 4.5 reaches of 0.05 s
 * leaves sqrt(4/28) = 0.38 of the noise at the end. */
static void the_motion_is_nearer_than_the_sample(void **state)
{
    (void)state;
    make_steps(false);
    for (double sigma = 0.1; sigma < 20; sigma *= 3)
        assert_true(error_of(sigma, 18) < 0.95);
    assert_true(error_of(10, 18) < 0.7);
    assert_true(error_of(10, 0) < 0.65);
}

static void without_noise_the_sample_is_left(void **state)
{
    (void)state;
    make_steps(false);
    for (int i = 0; i < N; i++)
        x[i] = (i * 7919) % 101;
    assert_true(at_end(1, 0, false) == x[0] && at_end(1, 0, true) == x[N - 1]);
    assert_true(at_end(1e-9, 1, false) == x[0] && at_end(0, 1, true) == x[N - 1]);
}

/* --- the curvature --- */

static double curvature_at(double reach, bool at_last)
{
    const struct end_run run = { T, { x }, 1, N - 1, reach, 0 };
    double curvature;
    end_curvature(&run, at_last, &curvature);
    return curvature;
}

static void the_curvature_of_a_cubic_is_found(void **state)
{
    (void)state;
    for (int uneven = 0; uneven < 2; uneven++) {
        double t = 0;
        make_steps(uneven);
        for (int i = 0; i < N; i++) {
            t += i ? T[i] : 0;
            x[i] = 3 - 7 * t + 5 * t * t - 2 * t * t * t;
        }
        assert_true(fabs(curvature_at(0.05, false) - 10) < 1e-6);
        assert_true(fabs(curvature_at(0.05, true) - (10 - 12 * t)) < 1e-6);
        t = 0;
        for (int i = 0; i < N; i++)
            x[i] = 3 - 7 * (t += T[i]);
        assert_true(fabs(curvature_at(0.05, false)) < 1e-9 && fabs(curvature_at(0.05, true)) < 1e-9);
        for (int i = 0; i < N; i++)
            x[i] = 2.7;
        assert_true(curvature_at(0.05, false) == 0 && curvature_at(0.05, true) == 0);
    }
}

/* White noise alone, and a parabola of curvature 40 under some noise. */
static void noise_has_hardly_any_curvature(void **state)
{
    (void)state;
    enum { RUNS = 400 };
    uint64_t seed = 21;
    int curved = 0;
    double sum = 0;
    make_steps(false);
    for (int k = 0; k < RUNS; k++) {
        for (int i = 0; i < N; i++)
            x[i] = deviate(&seed);
        curved += curvature_at(0.05, false) != 0;
        for (int i = 0; i < N; i++)
            x[i] = 0.01 * x[i] + 20 * (i * T[1]) * (i * T[1]);
        sum += curvature_at(0.05, false) / RUNS;
    }
    /* Beyond two standard deviations lie 4.6 percent of all normal variables. */
    assert_in_range(curved, 1, RUNS / 10);
    assert_true(fabs(sum - 40) < 4);
}

/* Turned vectors have the turned curvature. */
static void the_curvature_turns_with_the_vector(void **state)
{
    (void)state;
    static double y[N], turned[2][N];
    uint64_t seed = 5;
    make_steps(true);
    for (int i = 0; i < N; i++) {
        x[i] = 20 * sin(i / 9.0) + deviate(&seed);
        y[i] = 10 * cos(i / 14.0) + deviate(&seed);
        turned[0][i] = 0.6 * x[i] - 0.8 * y[i];
        turned[1][i] = 0.8 * x[i] + 0.6 * y[i];
    }
    const struct end_run run = { T, { x, y }, 2, N - 1, 0.05, 0 };
    const struct end_run other = { T, { turned[0], turned[1] }, 2, N - 1, 0.05, 0 };
    double a[2], b[2];
    end_curvature(&run, true, a);
    end_curvature(&other, true, b);
    assert_true(a[0] != 0 && a[1] != 0);
    assert_true(fabs(b[0] - (0.6 * a[0] - 0.8 * a[1])) < 1e-9 * fabs(a[0]));
    assert_true(fabs(b[1] - (0.8 * a[0] + 0.6 * a[1])) < 1e-9 * fabs(a[0]));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_line_is_kept),
        cmocka_unit_test(ends_mirror),
        cmocka_unit_test(the_motion_is_nearer_than_the_sample),
        cmocka_unit_test(without_noise_the_sample_is_left),
        cmocka_unit_test(the_curvature_of_a_cubic_is_found),
        cmocka_unit_test(noise_has_hardly_any_curvature),
        cmocka_unit_test(the_curvature_turns_with_the_vector),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
