/* What columns of numbers are, of numbers that were made as such. */
#include "whole/kinds/angle.h"
#include "whole/kinds/clock.h"
#include "whole/kinds/mixed.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { N = 200 };

/* The step of N numbers written to a digit; 0: in full. */
static double step_of(const double *x, double digit)
{
    double written[N];
    for (size_t i = 0; i < N; i++)
        written[i] = digit > 0 ? round(x[i] / digit) * digit : x[i];
    return clock_step(written, 1, N);
}

static void even_rises(void **state)
{
    (void)state;
    double x[N];
    for (size_t i = 0; i < N; i++)
        x[i] = 17 + (double)i;
    assert_true(step_of(x, 0) == 1);
    assert_true(clock_step(x, 1, CLOCK_LEAST) == 1 && clock_step(x, 1, CLOCK_LEAST - 1) == 0);
    assert_true(clock_step(x, 2, N / 2) == 2);
    x[50] = NAN;
    assert_true(step_of(x, 0) == 0);
    for (size_t i = 0; i < N; i++)
        x[i] = 5 + (double)i / 60;
    assert_true(fabs(step_of(x, 0.001) - 1 / 60.0) < 1e-5 && step_of(x, 0) > 0);
    for (size_t i = 0; i < N; i++)
        x[i] += 0.004 * sin((double)i);
    assert_true(step_of(x, 0.001) == 0);
    for (size_t i = 0; i < N; i++)
        x[i] = -(double)i;
    assert_true(step_of(x, 0) == 0);
}

/* The period of n numbers that rise by step from a start, within a turn of `period` from `low` on. */
static double told(double low, double period, double start, double step, size_t n)
{
    const bool begins[N] = { true };
    double x[N];
    for (size_t i = 0; i < n; i++) {
        const double from_low = start + step * (double)i - low;
        x[i] = low + from_low - period * floor(from_low / period);
    }
    return angle_watch(&(struct angle_watch){ .moves = true }, x, begins, n);
}

static void angles_by_their_wraps(void **state)
{
    (void)state;
    const size_t first = (size_t)ceil((180 - 100.3) / 3.7); /* the row that wraps */
    assert_true(told(-180, 360, 100.3, 3.7, N) == 360);
    assert_true(told(-180, 360, 100.3, 3.7, first + 1) == 360);
    assert_true(told(-180, 360, 100.3, 3.7, first) == 0);
    assert_true(told(0, 360, 10.5, -3.7, N) == 360);
    assert_true(told(-M_PI, 2 * M_PI, 1.3, 0.1, N) == ANGLE_RADIANS);
    assert_true(told(0, 100, 10, 3, N) == 0);
    /* Noise from end to end of a turn, a switch, whole numbers from 0 to 6. */
    bool begins[20 * N] = { true };
    double x[20 * N], spread = 0.5;
    for (size_t i = 0; i < 20 * N; i++) {
        spread = fmod(spread * 1103.515 + 0.12345, 1);
        x[i] = 360 * spread;
    }
    assert_true(angle_watch(&(struct angle_watch){ .moves = true }, x, begins, 20 * N) == 0);
    for (size_t i = 0; i < N; i++)
        x[i] = i % 20 < 10 ? 0 : 350;
    assert_true(angle_watch(&(struct angle_watch){ .moves = true }, x, begins, N) == 0);
    assert_true(angle_watch(&(struct angle_watch){ .moves = false }, x, begins, N) == 360);
    for (size_t i = 0; i < N; i++)
        x[i] = (double)(i % 7);
    assert_true(angle_watch(&(struct angle_watch){ .moves = true }, x, begins, N) == 0);
    /* Two series, one on each side of the turn. */
    for (size_t i = 0; i < N; i++)
        x[i] = (i < N / 2 ? 170 : -170) + sin((double)i);
    assert_true(angle_watch(&(struct angle_watch){ .moves = true }, x, begins, N) == 360);
    begins[N / 2] = true;
    assert_true(angle_watch(&(struct angle_watch){ .moves = true }, x, begins, N) == 0);
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

static void series_mixed_by_their_times(void **state)
{
    (void)state;
    double time[N], last[N];
    uint32_t label[N], own[N];
    for (uint32_t i = 0; i < N; i++) {
        time[i] = floor((double)i / 3);
        label[i] = i % 3;
        own[i] = i;
    }
    assert_true(mixed_by(time, label, N, 3, last));
    assert_false(mixed_by(time, label, 5, 3, last)); /* two rows a label are needed */
    assert_false(mixed_by(time, own, N, N, last));
    for (size_t i = 0; i < N; i++) { /* one series after the other, whose times begin anew and may be equal */
        time[i] = floor((double)(i % (N / 2)) / 2);
        label[i] = i < N / 2 ? 0 : 1;
    }
    assert_true(mixed_by(time, label, N, 2, last));
    label[N - 1] = 0;
    assert_true(mixed_by(time, label, N, 2, last));
    time[N - 1] = 0; /* before the last row of its label */
    assert_false(mixed_by(time, label, N, 2, last));
}

static void series_that_take_turns(void **state)
{
    (void)state;
    double time[N], last[N];
    uint32_t label[N];
    for (uint32_t i = 0; i < N; i++) {
        time[i] = (double)i;
        label[i] = i % 3;
    }
    assert_true(mixed_by(time, label, N, 3, last));
    assert_false(mixed_by(time, label, 11, 3, last)); /* too few rows */
    for (uint32_t i = 0; i < N; i++)
        label[i] = i / 2 % 2; /* phases of one series */
    assert_false(mixed_by(time, label, N, 2, last));
    memset(label, 0, sizeof label);
    assert_false(mixed_by(time, label, N, 1, last)); /* one label */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(even_rises),
        cmocka_unit_test(angles_by_their_wraps),
        cmocka_unit_test(times_that_are_shared),
        cmocka_unit_test(series_mixed_by_their_times),
        cmocka_unit_test(series_that_take_turns),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
