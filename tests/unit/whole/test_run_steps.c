/* Even times in print: the grid is found again; and times that no rounding explains are not even. */
#include "whole/run_steps.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
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
                double step = run_steps_even(T, NULL, n);
                assert_true(fabs(step * rates[i] - 1) <=
                            rates[i] * pow(10, -decimals) / (double)(n - 1) * 1.01);
            }
}

static void times_off_every_grid_are_not_even(void **state)
{
    (void)state;
    double T[N];
    make_steps(60, 0, 3, T, N);
    T[250] += 0.002;
    assert_true(isnan(run_steps_even(T, NULL, N)));
    make_steps(60, 0, 3, T, N);
    for (size_t k = 250; k < N; k++)
        T[k] += 0.001;
    assert_true(isnan(run_steps_even(T, NULL, N)));
    for (size_t k = 1; k < N; k++)
        T[k] = 1.0 / 60 + 1e-4 * sin((double)k);
    assert_true(isnan(run_steps_even(T, NULL, N)));
    assert_true(isnan(run_steps_even(T, NULL, 4)));
}

/* Steps of one unit of the last decimal: few longer ones are rows that are missing, many regular ones a grid
 * of 60 to 90 rows a second in hundredths. */
static void missing_rows_are_no_rounded_grid(void **state)
{
    (void)state;
    static const double unit[] = { 0.001, 0.01, 0.1, 1 };
    static const double rates[] = { 60, 72, 75, 90 };
    double T[N];
    for (size_t i = 0; i < 4; i++)
        for (size_t every = 2; every <= N; every = 4 * every / 3 + 1) {
            for (size_t k = 1; k < N; k++)
                T[k] = k % every == every / 2 ? 2 * unit[i] : unit[i];
            const bool missing = N / every < 10 || every > 12;
            assert_true(isnan(run_steps_even(T, NULL, N)) == missing);
        }
    for (size_t i = 0; i < 4; i++) {
        make_steps(rates[i], 0, 2, T, N);
        assert_true(fabs(run_steps_even(T, NULL, N) * rates[i] - 1) < 1e-3);
    }
}

/* Steps between the times and the times themselves, as a reader has them. */
struct timed {
    double time[N], T[N];
};

/* Times of a grid as float32. step: in the unit of the times; seconds: the same step in seconds; digits:
 * significant digits in which the times are printed, 0: the times are not printed. */
static void make_floats(struct timed *all, double start, double step, double seconds, int digits)
{
    for (size_t k = 0; k < N; k++) {
        char text[40];
        all->time[k] = (double)(float)(start + (double)k * step);
        snprintf(text, sizeof text, "%.*g", digits, all->time[k]);
        if (digits > 0)
            all->time[k] = strtod(text, NULL);
        all->T[k] = k > 0 ? (all->time[k] - all->time[k - 1]) * (seconds / step) : 0;
    }
}

static void float_times_are_even(void **state)
{
    (void)state;
    static const double rates[] = { 24, 30, 59.94, 120 };
    static const double starts[] = { 0, 0.7, 250 };
    static struct timed all;
    for (size_t i = 0; i < sizeof rates / sizeof *rates; i++)
        for (size_t k = 0; k < sizeof starts / sizeof *starts; k++)
            for (int digits = 0; digits <= 9; digits += 9) {
                double second = 1 / rates[i], millisecond = 1000 / rates[i];
                make_floats(&all, starts[k], second, second, digits);
                assert_true(fabs(run_steps_even(all.T, all.time, N) * rates[i] - 1) < 1e-5);
                assert_true(isnan(run_steps_even(all.T, NULL, N)));
                make_floats(&all, 1000 * starts[k], millisecond, second, digits);
                assert_true(fabs(run_steps_even(all.T, all.time, N) * rates[i] - 1) < 1e-5);
            }
}

/* A time two units in the last place off; and the same distances in doubles, which are no float32. */
static void floats_off_every_grid_are_not_even(void **state)
{
    (void)state;
    static struct timed all;
    make_floats(&all, 0, 1.0 / 30, 1.0 / 30, 0);
    double off = 2 * 0x1p-20; /* from 8 to 16 s the last place is 2^-20 s */
    all.time[300] += off;
    all.T[300] += off;
    all.T[301] -= off;
    assert_true(isnan(run_steps_even(all.T, all.time, N)));
    make_floats(&all, 0, 1.0 / 30, 1.0 / 30, 0);
    for (size_t k = 0; k < N; k++)
        all.time[k] += 1e-8;
    assert_true(isnan(run_steps_even(all.T, all.time, N)));
}

/* Points behind the last sample have steps of their own, and nothing behind them is read or written. */
static void points_may_end_a_run(void **state)
{
    (void)state;
    double T[] = { 0, 0.1, 0.1, 0.05, 0.05 }, value[5] = { 0 };
    const bool point[] = { false, false, false, true, true };
    const struct samples run = { .n = 5, .width = 1, .T = T, .value = value, .point = point };
    struct run_steps steps = { .n = 0 };
    struct error e;
    assert_true(run_steps_make(&steps, 5, &e));
    run_steps_take(&steps, &run, (struct usual_step){ 0 });
    assert_true(fabs(steps.usual.seconds - 0.1) < 1e-12 && fabs(steps.T[1] - 0.1) < 1e-12);
    assert_true(fabs(steps.T[3] + steps.T[4] - 0.1) < 1e-12);
    assert_true(steps.standing[3] == 0 && steps.standing[4] == 0);
    run_steps_free(&steps);
}

/* Half of the steps are 10, half `other` ms. */
static double usual_step(double other, double before)
{
    double T[101], value[101] = { 0 };
    for (size_t k = 0; k < 101; k++)
        T[k] = k % 2 == 0 ? 0.0101 : other + 1e-5 * (double)(k % 7);
    const struct samples run = { .n = 101, .width = 1, .T = T, .value = value };
    struct run_steps steps = { .n = 0 };
    struct error e;
    assert_true(run_steps_make(&steps, 101, &e));
    run_steps_take(&steps, &run, (struct usual_step){ before, false });
    double usual = steps.usual.seconds;
    run_steps_free(&steps);
    return usual;
}

/* So the weights of the same rows do not change from part to part of a series. */
static void parts_keep_the_usual_step_where_it_is_near(void **state)
{
    (void)state;
    double own = usual_step(0.0112, 0);
    assert_true(own >= 0.0101 && own < 0.0113);
    assert_true(usual_step(0.0112, 0.0105) == 0.0105);
    assert_true(usual_step(0.0112, 0.009) == 0.009);
    assert_true(usual_step(0.0112, 0.02) == own && usual_step(0.0112, 0.006) == own);
}

/* Takes steps in ms. Returns what row `row` stands for, in ms. */
static double standing_of(const double *milliseconds, size_t n, size_t row)
{
    double T[N], value[N] = { 0 };
    for (size_t k = 0; k < n; k++)
        T[k] = milliseconds[k] / 1000;
    const struct samples run = { .n = n, .width = 1, .T = T, .value = value };
    struct run_steps steps = { .n = 0 };
    struct error e;
    assert_true(run_steps_make(&steps, n, &e));
    run_steps_take(&steps, &run, (struct usual_step){ 0 });
    const double standing = 1000 * steps.standing[row];
    run_steps_free(&steps);
    return standing;
}

/* A row beside missing rows stands for no longer than the others; where steps of any length are mixed, each
 * row stands for half of both steps beside it. */
static void steps_over_missing_rows_do_not_count(void **state)
{
    (void)state;
    enum { ROWS = 60, HERE = 30 };
    double dropped[ROWS], mixed[ROWS];
    for (size_t k = 0; k < ROWS; k++) {
        dropped[k] = k % 10 == 0 ? 20.01 : 10;
        mixed[k] = k % 2 ? 20.01 : 10;
    }
    assert_true(fabs(standing_of(dropped, ROWS, HERE) - 10) < 1e-9);
    assert_true(fabs(standing_of(dropped, ROWS, HERE + 4) - 10) < 1e-9);
    assert_true(fabs(standing_of(mixed, ROWS, HERE) - 15.005) < 1e-9);
    assert_true(fabs(standing_of(mixed, 4, 1) - 15.005) < 1e-9); /* too few steps to tell */
}

/* Steps are uneven where they differ much, on either side of the mean; missing rows do not make them so. */
static void steps_of_any_length_are_uneven(void **state)
{
    (void)state;
    static const double apart[] = { 0, 0.04, 0.15 };
    for (size_t i = 0; i < 3; i++) {
        double T[N], value[N] = { 0 };
        for (size_t k = 0; k < N; k++)
            T[k] = (1 + apart[i] * (k % 2 ? 1 : -1) + 1e-6 * (double)(k % 7)) * (k % 12 == 5 ? 0.02 : 0.01);
        const struct samples run = { .n = N, .width = 1, .T = T, .value = value };
        struct run_steps steps = { .n = 0 };
        struct error e;
        assert_true(run_steps_make(&steps, N, &e));
        run_steps_take(&steps, &run, (struct usual_step){ 0 });
        assert_true(fabs(steps.usual.seconds - 0.01) < 0.0005);
        assert_true(steps.usual.uneven == (i == 2));
        run_steps_free(&steps);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(rounded_grids_are_even),
                                        cmocka_unit_test(times_off_every_grid_are_not_even),
                                        cmocka_unit_test(missing_rows_are_no_rounded_grid),
                                        cmocka_unit_test(float_times_are_even),
                                        cmocka_unit_test(floats_off_every_grid_are_not_even),
                                        cmocka_unit_test(points_may_end_a_run),
                                        cmocka_unit_test(parts_keep_the_usual_step_where_it_is_near),
                                        cmocka_unit_test(steps_over_missing_rows_do_not_count),
                                        cmocka_unit_test(steps_of_any_length_are_uneven) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
