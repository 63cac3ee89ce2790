/* The noise of a series, against the variance that a generator gave the samples. */
#include "whole/noise/noise.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

enum { N = 4000 };

/* A normal deviate, by Box and Muller, from a generator of Knuth's (MMIX). */
static double deviate(uint64_t *seed)
{
    double part[2];
    for (int i = 0; i < 2; i++) {
        *seed = *seed * 6364136223846793005u + 1442695040888963407u;
        part[i] = ((double)(*seed >> 11) + 0.5) * 0x1p-53;
    }
    return sqrt(-2 * log(part[0])) * cos(6.283185307179586 * part[1]);
}

static int compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static void the_median_is_the_middle_of_the_sorted_numbers(void **state)
{
    (void)state;
    uint64_t seed = 5;
    for (size_t n = 1; n < 60; n++)
        for (int kinds = 1; kinds < 40; kinds += 3) {
            double x[60], sorted[60];
            for (size_t i = 0; i < n; i++)
                sorted[i] = x[i] = floor(fabs(deviate(&seed)) * kinds);
            qsort(sorted, n, sizeof *sorted, compare);
            assert_true(noise_median(x, n) == sorted[n / 2]);
        }
    double unknown[] = { 3, NAN, 1, NAN, 2, 2, NAN };
    const double found = noise_median(unknown, sizeof unknown / sizeof *unknown);
    assert_true(isnan(found) || (found >= 1 && found <= 3));
}

/* Samples of a motion of 100 units, rows 10 ms apart or uneven, under noise of that size. */
static double measure(double sigma, bool uneven, double spike)
{
    static double T[N], x[N], room[N];
    uint64_t seed = 11;
    double t = 0;
    for (int i = 0; i < N; i++) {
        T[i] = uneven ? 0.004 + 0.012 * fabs(fmod(sin((double)i * 12.9898) * 43758.5453, 1)) : 0.01;
        t += T[i];
        x[i] = 100 * sin(3 * t) + sigma * deviate(&seed) + (i % 400 == 50 ? spike : 0);
    }
    const struct noise_samples samples = { uneven ? T : NULL, { x }, 1, N };
    return sqrt(noise_variance(&samples, room));
}

static void noise_below_motion_is_measured(void **state)
{
    (void)state;
    for (int uneven = 0; uneven < 2; uneven++)
        for (double sigma = 0.1; sigma < 50; sigma *= 3)
            assert_true(fabs(measure(sigma, uneven, 0) / sigma - 1) < 0.05);
}

static void spikes_change_little(void **state)
{
    (void)state;
    assert_true(measure(1, false, 500) < 1.1 * measure(1, false, 0));
}

/* Turned by any angle, vectors have the same noise; white noise in all three components counts three times.
 */
static void vectors_have_the_noise_of_their_components(void **state)
{
    (void)state;
    static double x[3][N], turned[3][N], room[N];
    uint64_t seed = 2;
    const double c = cos(0.7), s = sin(0.7);
    for (int i = 0; i < N; i++) {
        for (int k = 0; k < 3; k++)
            x[k][i] = 2 * deviate(&seed);
        turned[0][i] = c * x[0][i] + s * x[1][i];
        turned[1][i] = c * x[1][i] - s * x[0][i];
        turned[2][i] = x[2][i];
    }
    const struct noise_samples samples = { NULL, { x[0], x[1], x[2] }, 3, N },
                               same = { NULL, { turned[0], turned[1], turned[2] }, 3, N };
    double variance = noise_variance(&samples, room);
    assert_true(fabs(variance / 12 - 1) < 0.1);
    assert_true(fabs(noise_variance(&same, room) / variance - 1) < 1e-12);
}

static void no_noise_no_variance(void **state)
{
    (void)state;
    double cubic[50], room[50], wild[9] = { 0, 1e308, -1e308, 1e308, -1e308, 1e308, 0, 1, 2 };
    for (int i = 0; i < 50; i++)
        cubic[i] = 1e6 + i * (3 + i * (0.25 - i / 64.0));
    struct noise_samples samples = { .column = { cubic }, .ncolumn = 1, .n = 50 };
    assert_true(noise_variance(&samples, room) == 0);
    samples = (struct noise_samples){ .column = { wild }, .ncolumn = 1, .n = NOISE_LEAST - 1 };
    assert_true(noise_variance(&samples, room) == 0);
    samples.n = 9;
    assert_true(isfinite(noise_variance(&samples, room)));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_median_is_the_middle_of_the_sorted_numbers),
        cmocka_unit_test(noise_below_motion_is_measured),
        cmocka_unit_test(spikes_change_little),
        cmocka_unit_test(vectors_have_the_noise_of_their_components),
        cmocka_unit_test(no_noise_no_variance),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
