/* Even times in print: the grid is found again; and times that no rounding explains are not even. */
#include "whole/even_steps.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

enum { N = 500 };

/* Steps between n times that are a grid from start on, rounded to so many decimals. */
static void make_steps(double rate, double start, int decimals, double *T, size_t n)
{
    double unit = pow(10, decimals);
    for (size_t k = 1; k < n; k++)
        T[k] = (rint((start + (double)k / rate) * unit) - rint((start + (double)(k - 1) / rate) * unit)) /
               unit;
}

static void rounded_grids_are_even(void **state)
{
    (void)state;
    static const double rates[] = { 24, 30, 59.94, 60, 100, 119.88, 120, 240 };
    for (size_t i = 0; i < sizeof rates / sizeof *rates; i++)
        for (int decimals = 3; decimals < 7; decimals++)
            for (size_t n = 5; n <= N; n *= 3) {
                double T[N + 1];
                make_steps(rates[i], 0.123456789, decimals, T, n);
                double step = even_steps_find(T, n);
                assert_true(fabs(step * rates[i] - 1) <=
                            rates[i] * pow(10, -decimals) / (double)(n - 1) * 1.01);
            }
}

static void other_times_are_not(void **state)
{
    (void)state;
    double T[N];
    make_steps(60, 0, 3, T, N);
    T[250] += 0.002;
    assert_true(isnan(even_steps_find(T, N)));
    make_steps(60, 0, 3, T, N);
    for (size_t k = 250; k < N; k++)
        T[k] += 0.001;
    assert_true(isnan(even_steps_find(T, N)));
    for (size_t k = 1; k < N; k++)
        T[k] = 1.0 / 60 + 1e-4 * sin((double)k);
    assert_true(isnan(even_steps_find(T, N)));
    assert_true(isnan(even_steps_find(T, 4)));
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(rounded_grids_are_even),
                                        cmocka_unit_test(other_times_are_not) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
