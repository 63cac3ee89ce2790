/* The value at an end, against sums worked out by hand. */
#include "whole/spline_slopes.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

enum { N = 9 };
static const double T[N] = { 0, 1, 1, 0.5, 0.25, 2, 1, 1e-17, 1 };

static void a_line_is_kept(void **state)
{
    (void)state;
    double level[N], line[N], t = 0;
    for (int k = 0; k < N; k++) {
        t += k ? T[k] : 0;
        level[k] = 2.7;
        line[k] = 3 - 7 * t;
    }
    for (double reach = 1e-9; reach < 1e18; reach *= 3) {
        assert_true(end_value(T, level, N - 1, false, reach) == 2.7);
        assert_true(end_value(T, level, N - 1, true, reach) == 2.7);
        assert_true(fabs(end_value(T, line, N - 1, false, reach) - line[0]) < 1e-13);
        assert_true(fabs(end_value(T, line, N - 1, true, reach) - line[N - 1]) < 1e-13);
    }
}

static void ends_mirror(void **state)
{
    (void)state;
    double x[N] = { 4, -1, 7, 7, 0.1, 3, 2, 2, -5 }, back[N], T_back[N] = { 0 };
    for (int k = 0; k < N; k++) {
        back[k] = x[N - 1 - k];
        T_back[k] = k ? T[N - k] : 0;
    }
    for (double reach = 1e-9; reach < 1e18; reach *= 3)
        assert_true(end_value(T, x, N - 1, true, reach) == end_value(T_back, back, N - 1, false, reach));
}

/* Three samples 1 apart that weigh 1/4, q/2, q^2/4 with q = 1/e, and 1/4, 1/2, 1/4 without end. */
static void short_runs(void **state)
{
    (void)state;
    double even[3] = { 0, 1, 1 }, x[3] = { 0, 3, 1 }, q = exp(-1);
    double w = 1.0 / 4 + q / 2 + q * q / 4, wt = q / 2 + q * q / 2, wtt = q / 2 + q * q;
    double wx = 3 * q / 2 + q * q / 4, wtx = 3 * q / 2 + q * q / 2;
    double want = (wtt * wx - wt * wtx) / (w * wtt - wt * wt);
    assert_true(fabs(end_value(even, x, 2, false, 1) - want) < 1e-15);
    assert_true(fabs(end_value(even, x, 2, false, INFINITY) - 1.25) < 1e-15);
    assert_true(fabs(end_value(even, x, 2, true, 1e300) - 2.25) < 1e-15);
    assert_true(end_value(even, x, 1, false, 5) == 0 && end_value(even, x, 1, true, 5) == 3);
    assert_true(end_value(even, x, 2, false, 0) == 0 && end_value(even, x, 2, true, 1e-3) == 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(a_line_is_kept), cmocka_unit_test(ends_mirror),
                                        cmocka_unit_test(short_runs) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
