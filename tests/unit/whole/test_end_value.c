/* The value at an end: exact on lines, the same for the reversed samples, and nearer to a known motion than
 * the end sample is. */
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_line_is_kept),
        cmocka_unit_test(ends_mirror),
        cmocka_unit_test(the_motion_is_nearer_than_the_sample),
        cmocka_unit_test(without_noise_the_sample_is_left),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
