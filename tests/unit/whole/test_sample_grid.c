/* The grid: the positions of rows among the points and the times of the points, against fractions worked out
 * by hand. */
#include "whole/sample_grid.h"

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

static void times_are_rounded_once(void **state)
{
    (void)state;
    struct sample_grid g;
    struct timestamp zero = time("0.00"), half = time("0.5"), late = time("1700000000000"),
                     early = time("-2.000");
    for (int64_t k = 0; k < 100000; k++) {
        double n = (double)k;
        sample_grid_make(&g, 100, (struct time_unit){ 0, 0, 0 });
        assert_true(sample_grid_time(&g, &zero, k).t == n / 100);
        assert_true(sample_grid_time(&g, &early, k).t == (n - 200) / 100);
        sample_grid_make(&g, 60, (struct time_unit){ 0, 0, 0 });
        assert_true(sample_grid_time(&g, &half, k).t == (30 + n) / 60);
        sample_grid_make(&g, 29.97, (struct time_unit){ 0, 0, 0 });
        assert_true(sample_grid_time(&g, &zero, k).t == 100 * n / 2997);
        sample_grid_make(&g, 120, (struct time_unit){ -3, 0, 0 });
        assert_true(sample_grid_time(&g, &late, k).t == (3 * 1700000000000.0 + 25 * n) / 3);
        sample_grid_make(&g, 0.1, (struct time_unit){ -9, 0, 0 });
        assert_true(sample_grid_time(&g, &zero, k).t == n * 1e10);
        sample_grid_make(&g, 250, (struct time_unit){ 0, 44100, 0 }); /* rows by number */
        assert_true(sample_grid_time(&g, &zero, k).t == n / 250);
    }
}

static void times_of_many_digits_are_rounded_once(void **state)
{
    (void)state;
    struct sample_grid g;
    /* The sums, by fractions, up to digits that no longer matter. */
    struct timestamp first = time("1700000000.123456"), minus = time("-123456789.123456789");
    sample_grid_make(&g, 333333.333333, (struct time_unit){ 0, 0, 0 });
    assert_true(sample_grid_time(&g, &first, 1).t == 1700000000.123459000000000003);
    assert_true(sample_grid_time(&g, &first, 1000000).t == 1700000003.123456000003000000000003);
    sample_grid_make(&g, 1234567.890123456, (struct time_unit){ 0, 0, 0 });
    assert_true(sample_grid_time(&g, &minus, 0).t == -123456789.123456789);
    assert_true(sample_grid_time(&g, &minus, 1).t == -123456789.1234559789999927099941599);
}

static void positions_are_exact(void **state)
{
    (void)state;
    struct sample_grid g;
    struct timestamp first = time("0.1"), from = time("0.25"), to = time("0.400");
    int64_t last;
    bool at;
    sample_grid_make(&g, 10, (struct time_unit){ 0, 0, 0 });
    struct sample_grid_step s = sample_grid_step(&g, &first, &from, &to);
    assert_true(sample_grid_last(&s, &last, &at));
    assert_int_equal(last, 3);
    assert_true(at);
    assert_true(sample_grid_fraction(&s, 2) == 1.0 / 3); /* 0.3 between 0.25 and 0.4 */
    assert_true(sample_grid_fraction(&s, 3) == 1);

    struct timestamp row[] = { { 0, { 0, 0, true } }, { 7, { 7, 0, true } }, { 8, { 8, 0, true } } };
    sample_grid_make(&g, 59.94, (struct time_unit){ 0, 29.97, 0 });
    s = sample_grid_step(&g, &row[0], &row[1], &row[2]);
    assert_true(sample_grid_last(&s, &last, &at));
    assert_int_equal(last, 16);
    assert_true(at);
    assert_true(sample_grid_fraction(&s, 15) == 0.5);
}

static void steps_to_and_from_points_are_rounded_once(void **state)
{
    (void)state;
    struct sample_grid g;
    struct timestamp row[] = { { 0, { 0, 0, true } }, { 7, { 7, 0, true } }, { 8, { 8, 0, true } } };
    /* 7/44100 and 8/44100 with points at n/48000: the next point after 7/44100 is 8/48000. */
    sample_grid_make(&g, 48000, (struct time_unit){ 0, 44100, 0 });
    struct sample_grid_step s = sample_grid_step(&g, &row[0], &row[1], &row[2]);
    assert_true(g.step == 1.0 / 48000);
    assert_true(sample_grid_seconds(&g, &s, 8, false) == (8.0 * 441 - 7 * 480) / (480.0 * 44100));
    assert_true(sample_grid_seconds(&g, &s, 8, true) == (8.0 * 480 - 8 * 441) / (480.0 * 44100));

    /* Late times: their doubles are 2.4e-7 apart. */
    struct timestamp first = time("1700000000.000"), from = time("1700000001.004"),
                     to = time("1700000001.0355");
    sample_grid_make(&g, 29.97, (struct time_unit){ 0, 0, 0 });
    s = sample_grid_step(&g, &first, &from, &to);
    assert_true(sample_grid_seconds(&g, &s, 31, false) == 0.0303677010343677); /* 31/29.97 - 1.004 */
    assert_true(sample_grid_seconds(&g, &s, 31, true) == 0.001132298965632299);
    struct timestamp ms = time("1700000001004"), later = time("1700000001036"), start = time("1700000000000");
    sample_grid_make(&g, 29.97, (struct time_unit){ -3, 0, 0 });
    s = sample_grid_step(&g, &start, &ms, &later);
    assert_true(sample_grid_seconds(&g, &s, 31, false) == 0.0303677010343677);

    /* More digits than a division of doubles holds: 1e-18 and a rate of 15 digits. */
    struct timestamp zero = time("0"), near = time("0.000000000000000001"), one = time("1");
    sample_grid_make(&g, 123456.789123456, (struct time_unit){ 0, 0, 0 });
    s = sample_grid_step(&g, &zero, &near, &one);
    assert_true(sample_grid_seconds(&g, &s, 1, false) == 8.100000065609053e-06);
}

static void what_does_not_fit_is_nearly_right(void **state)
{
    (void)state;
    struct sample_grid g;
    /* More digits than are kept exactly, and rates that 128 bits do not hold together with them. */
    struct timestamp first = time("0.1234567890123456789012"), to = time("10.1234567890123456789012");
    int64_t last;
    bool at;
    sample_grid_make(&g, 10, (struct time_unit){ 0, 0, 0 });
    struct sample_grid_step s = sample_grid_step(&g, &first, &first, &to);
    assert_true(sample_grid_last(&s, &last, &at));
    assert_in_range(last, 99, 100);
    assert_true(fabs(sample_grid_fraction(&s, 50) - 0.5) < 1e-14);
    assert_true(fabs(sample_grid_time(&g, &first, 50).t - 5.1234567890123456) < 1e-14);
    sample_grid_make(&g, 1.2345678901234567e-200, (struct time_unit){ 0, 0, 0 });
    s = sample_grid_step(&g, &first, &first, &to);
    assert_true(sample_grid_last(&s, &last, &at));
    assert_int_equal(last, 0);
    sample_grid_make(&g, 1e300, (struct time_unit){ 0, 0, 0 });
    s = sample_grid_step(&g, &first, &first, &to);
    assert_false(sample_grid_last(&s, &last, &at));
    struct timestamp zero = time("0"), one = time("1");
    sample_grid_make(&g, 1e30, (struct time_unit){ 0, 0, 0 });
    s = sample_grid_step(&g, &zero, &zero, &one);
    assert_false(sample_grid_last(&s, &last, &at));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(times_are_rounded_once),
        cmocka_unit_test(times_of_many_digits_are_rounded_once),
        cmocka_unit_test(positions_are_exact),
        cmocka_unit_test(steps_to_and_from_points_are_rounded_once),
        cmocka_unit_test(what_does_not_fit_is_nearly_right),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
