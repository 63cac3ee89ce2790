/* What columns of numbers are, of numbers that were made as such. */
#include "whole/kinds/angle.h"
#include "whole/kinds/clock.h"
#include "whole/kinds/count.h"
#include "whole/kinds/mixed.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { N = 200 };

static bool counts(const double *x, size_t n, const bool *begins)
{
    return count_is(&(struct count_rows){ x, 1, n, begins });
}

static void counts_of_rows(void **state)
{
    (void)state;
    double x[N];
    bool begins[N] = { true };
    for (size_t i = 0; i < N; i++)
        x[i] = 17 + (double)i;
    assert_true(counts(x, N, NULL));
    assert_true(counts(x, COUNT_LEAST, NULL));
    assert_false(counts(x, COUNT_LEAST - 1, NULL));
    for (size_t i = 0; i < N; i++) /* one frame in twenty is dropped, then every other frame */
        x[i] = (double)(i + i / 20);
    assert_true(counts(x, N, NULL));
    for (size_t i = 0; i < N; i++)
        x[i] = (double)(i + i / 2);
    assert_false(counts(x, N, NULL));
    for (size_t i = 0; i < N; i++) /* two series, each with a count of its own */
        x[i] = (double)(i % 100);
    assert_false(counts(x, N, NULL));
    begins[100] = true;
    assert_true(counts(x, N, begins));
    x[50] = NAN;
    assert_false(counts(x, N, begins));
    for (size_t i = 0; i < N; i++)
        x[i] = -3 + (double)i;
    assert_false(counts(x, N, NULL));
}

static bool rises_evenly(const double *x, double digit)
{
    double written[N];
    for (size_t i = 0; i < N; i++)
        written[i] = digit > 0 ? round(x[i] / digit) * digit : x[i];
    return count_rises_evenly(&(struct count_rows){ written, 1, N, NULL });
}

static void even_rises(void **state)
{
    (void)state;
    double x[N];
    for (size_t i = 0; i < N; i++)
        x[i] = 5 + (double)i / 60;
    assert_true(rises_evenly(x, 0.001));
    assert_true(rises_evenly(x, 0));
    for (size_t i = 0; i < N; i++)
        x[i] += 0.004 * sin((double)i);
    assert_false(rises_evenly(x, 0.001));
    for (size_t i = 0; i < N; i++)
        x[i] = -(double)i;
    assert_false(rises_evenly(x, 0));
}

/* The period that is told by n numbers that rise by step from a start, within a turn of `period` from `low`
 * on. *row: the first row that tells. */
static double told(double low, double period, double start, double step, size_t *row)
{
    struct angle_watch watch = { .known = false };
    double first = 0;
    for (size_t i = 0; i < N; i++) {
        const double x = start + step * (double)i - low;
        const double found = angle_watch_take(&watch, low + x - period * floor(x / period));
        if (found > 0 && first == 0) {
            first = found;
            *row = i;
        }
    }
    assert_true(first == angle_watch_period(&watch));
    return first;
}

static void angles_by_their_wraps(void **state)
{
    (void)state;
    size_t row = 0;
    assert_true(told(-180, 360, 100.3, 3.7, &row) == ANGLE_DEGREES);
    assert_int_equal(row, ceil((180 - 100.3) / 3.7));
    assert_true(told(0, 360, 10.5, -3.7, &row) == ANGLE_DEGREES);
    assert_int_equal(row, ceil(10.5 / 3.7));
    assert_true(told(-M_PI, 2 * M_PI, 1.3, 0.1, &row) == ANGLE_RADIANS);
    assert_true(told(0, 100, 10, 3, &row) == 0);
    /* Noise from end to end of a turn. */
    struct angle_watch watch = { .known = false };
    double spread = 0.5;
    for (size_t i = 0; i < 20 * N; i++) {
        spread = fmod(spread * 1103.515 + 0.12345, 1);
        angle_watch_take(&watch, 360 * spread);
    }
    assert_true(angle_watch_period(&watch) == 0 && !angle_watch_is_over(&watch));
    angle_watch_take(&watch, 1000);
    assert_true(angle_watch_is_over(&watch));
}

/* Does a coordinate from -180 to 180 that turns by 7 a row, with a step of `jump` at row 30, show an angle?
 * *row: the first row that shows it. */
static bool coordinate_shows_angle(double jump, size_t *row)
{
    struct angle_watch watch = { .coordinate = true };
    bool shown = false;
    for (size_t i = 0; i < N; i++) {
        const double x = 100 + 7 * (double)i - 360 * floor((280 + 7 * (double)i) / 360);
        const bool wraps = angle_watch_take(&watch, i == 30 ? x + jump : x) > 0;
        if (wraps && !shown)
            *row = i;
        shown = shown || wraps;
    }
    return shown;
}

static void coordinates_that_wrap_often(void **state)
{
    (void)state;
    size_t row = 0;
    assert_true(coordinate_shows_angle(0, &row));
    assert_int_equal(row, ceil((80 + 2 * 360) / 7.0)); /* the third wrap */
    assert_false(coordinate_shows_angle(120, &row));
}

static void times_that_are_shared(void **state)
{
    (void)state;
    double time[N];
    for (size_t i = 0; i < N; i++)
        time[i] = floor((double)i / 10);
    assert_int_equal(clock_count_shared(time, N), N - N / 10);
    assert_true(clock_is_coarse(N - N / 10, N));
    assert_false(clock_is_coarse(N / 10, N));
    assert_false(clock_is_coarse(2, 4));
    assert_true(fabs(clock_rate(time, N) - 10) < 1e-12);
    assert_true(clock_rate(time, 10) == 0 && clock_rate(time, 0) == 0);
}

/* Are N rows or fewer with times and the labels 'a', 'b', ... those of several series? */
static bool are_mixed(size_t n, const double *time, const char *label)
{
    struct mixed mixed = { .ncolumn = 1 };
    for (size_t i = 0; i < n; i++) {
        const uint64_t hash = mixed_label(&label[i], 1);
        assert_true(mixed_take(&mixed, time[i], &hash, NULL));
    }
    const bool any = mixed_judge(&mixed) == 0;
    mixed_free(&mixed);
    return any;
}

static void series_mixed_by_their_times(void **state)
{
    (void)state;
    double time[N];
    char label[N], own[N];
    for (size_t i = 0; i < N; i++) {
        time[i] = floor((double)i / 3);
        label[i] = (char)('a' + i % 3);
        own[i] = (char)i;
    }
    assert_true(are_mixed(N, time, label));
    assert_false(are_mixed(5, time, label)); /* two rows a label are needed */
    assert_false(are_mixed(N, time, own));
    for (size_t i = 0; i < N; i++) { /* one series after the other, whose times begin anew and may be equal */
        time[i] = floor((double)(i % (N / 2)) / 2);
        label[i] = i < N / 2 ? 'a' : 'b';
    }
    assert_true(are_mixed(N, time, label));
    label[N - 1] = 'a';
    assert_true(are_mixed(N, time, label));
    time[N - 1] = 0; /* before the last row of its label */
    assert_false(are_mixed(N, time, label));
}

static void series_that_take_turns(void **state)
{
    (void)state;
    double time[N];
    char label[N];
    for (size_t i = 0; i < N; i++) {
        time[i] = (double)i;
        label[i] = (char)('a' + i % 3);
    }
    assert_true(are_mixed(N, time, label));
    assert_false(are_mixed(11, time, label)); /* too few rows */
    for (size_t i = 0; i < N; i++)
        label[i] = i / 2 % 2 ? 'a' : 'b'; /* phases of one series */
    assert_false(are_mixed(N, time, label));
    memset(label, 'a', sizeof label);
    assert_false(are_mixed(N, time, label)); /* one label */
}

static void labels_that_show_nothing(void **state)
{
    (void)state;
    struct mixed mixed = { .ncolumn = 1 };
    assert_true(mixed_label(" a ", 3) == mixed_label("a", 1));
    for (uint64_t i = 0; i < 4 * MIXED_LABELS; i++) { /* more labels than any column has */
        const uint64_t some = i % (MIXED_LABELS + 1);
        assert_true(mixed_take(&mixed, (double)(i / (MIXED_LABELS + 1)), &some, NULL));
    }
    assert_int_equal(mixed_judge(&mixed), MIXED_COLUMNS);
    mixed_free(&mixed);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(counts_of_rows),
        cmocka_unit_test(even_rises),
        cmocka_unit_test(angles_by_their_wraps),
        cmocka_unit_test(coordinates_that_wrap_often),
        cmocka_unit_test(times_that_are_shared),
        cmocka_unit_test(series_mixed_by_their_times),
        cmocka_unit_test(series_that_take_turns),
        cmocka_unit_test(labels_that_show_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
