/* The grid: the positions of rows among the points, and the times of the points. */
#include "whole/sample_grid.h"

#include <float.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

static struct timestamp time(const char *text)
{
    struct timestamp s;
    assert_non_null(number_read_decimal(text, text + strlen(text), '.', &s.t, &s.decimal));
    return s;
}

static void times_are_short_where_they_can_be(void **state)
{
    (void)state;
    struct timestamp zero = time("0.00"), early = time("-2.000"), tenths = time("0.7");
    for (int64_t k = 0; k < 100000; k++) {
        double n = (double)k;
        assert_true(sample_grid_time(&(struct sample_grid){ .hz = 100 }, &zero, k).t == n / 100);
        assert_true(sample_grid_time(&(struct sample_grid){ .hz = 100 }, &early, k).t == (n - 200) / 100);
        assert_true(sample_grid_time(&(struct sample_grid){ .hz = 10 }, &tenths, k).t == (n + 7) / 10);
        struct sample_grid nanoseconds = { .hz = 0.1, .unit = { -9, 0, 0 } };
        assert_true(sample_grid_time(&nanoseconds, &zero, k).t == n * 1e10);
        struct sample_grid frames = { .hz = 250, .unit = { 0, 44100, 0 } };
        assert_true(sample_grid_time(&frames, &zero, k).t == n / 250);
    }
}

static void times_are_as_close_as_doubles(void **state)
{
    (void)state;
    struct timestamp half = time("0.5"), late = time("1700000000000");
    for (int64_t k = 0; k < 100000; k++) {
        double n = (double)k, odd = 100 * n / 2997;
        assert_true(fabs(sample_grid_time(&(struct sample_grid){ .hz = 60 }, &half, k).t - (30 + n) / 60) <=
                    DBL_EPSILON * (30 + n) / 60);
        assert_true(fabs(sample_grid_time(&(struct sample_grid){ .hz = 29.97 }, &half, k).t - 0.5 - odd) <=
                    2 * DBL_EPSILON * (odd + 1));
        struct sample_grid milliseconds = { .hz = 120, .unit = { -3, 0, 0 } };
        double expected = (3 * 1700000000000.0 + 25 * n) / 3;
        assert_true(fabs(sample_grid_time(&milliseconds, &late, k).t - expected) <= DBL_EPSILON * expected);
    }
}

static void times_that_doubles_cannot_tell_apart_are_decimals(void **state)
{
    (void)state;
    struct timestamp first = time("1700000000000000001");
    struct sample_grid nanoseconds = { .hz = 60, .unit = { -9, 0, 0 } };
    struct timestamp at = sample_grid_time(&nanoseconds, &first, 1);
    assert_true(at.decimal.exact);
    assert_true(at.decimal.digits == 1700000000016666668);
    assert_true(sample_grid_time(&nanoseconds, &first, 60).decimal.digits == 1700000001000000001);
    assert_false(sample_grid_time(&nanoseconds, &first, INT64_MAX / 2).decimal.exact);
}

static void rows_at_points_have_whole_positions(void **state)
{
    (void)state;
    struct timestamp first = time("0.1"), between = time("0.25"), at = time("0.400");
    struct sample_grid grid = { .hz = 10 };
    assert_true(sample_grid_position(&grid, &first, &between) == 1.5);
    assert_true(sample_grid_position(&grid, &first, &at) == 3);
    struct timestamp zero = time("0");
    for (int64_t k = 0; k < 100000; k++) { /* 2 and 1.001 points a row */
        struct timestamp row = { (double)k, { k, 0, true } };
        struct sample_grid twice = { .hz = 59.94, .unit = { 0, 29.97, 0 } };
        assert_true(sample_grid_position(&twice, &zero, &row) == 2 * (double)k);
        struct sample_grid slower = { .hz = 30, .unit = { 0, 29.97, 0 } };
        double position = sample_grid_position(&slower, &zero, &row);
        assert_true((position == round(position)) == (k % 999 == 0));
    }
}

static void late_times_keep_their_steps(void **state)
{
    (void)state;
    /* The doubles of these times are 2.4e-7 apart. */
    struct timestamp first = time("1700000000.000"), row = time("1700000001.004");
    struct sample_grid grid = { .hz = 29.97 };
    assert_true(fabs(sample_grid_position(&grid, &first, &row) - 29.97 * 1.004) < 1e-14);
    struct timestamp start = time("1700000000000"), ms = time("1700000001004");
    struct sample_grid milliseconds = { .hz = 29.97, .unit = { -3, 0, 0 } };
    assert_true(fabs(sample_grid_position(&milliseconds, &start, &ms) - 29.97 * 1.004) < 1e-14);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(times_are_short_where_they_can_be),
        cmocka_unit_test(times_are_as_close_as_doubles),
        cmocka_unit_test(times_that_doubles_cannot_tell_apart_are_decimals),
        cmocka_unit_test(rows_at_points_have_whole_positions),
        cmocka_unit_test(late_times_keep_their_steps),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
