/* Windows of a long series. The rows that a window gives follow each other, and what it reaches beyond them
 * is faded. */
#include "whole/smooth_window.h"

#include "whole/smooth_runs.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

enum { ROWS = 40000 };

/* Steps of T seconds, with a few of ten times as long, and rows of one time. */
static void make_times(double T, double *time)
{
    time[0] = 0;
    for (size_t row = 1; row < ROWS; row++)
        time[row] = time[row - 1] + (row % 97 == 0 ? 10 * T : row % 31 == 0 ? 0 : T);
}

/* The rows that are left behind `first` rows, where every channel has samples but in the gap. */
static struct window_rows rows_behind(double *time, size_t first)
{
    static double sampled[ROWS], begun[ROWS], number[ROWS];
    for (size_t row = 0; row < ROWS; row++) {
        sampled[row] = time[row];
        begun[row] = -INFINITY;
        number[row] = (double)row;
    }
    return (struct window_rows){ .n = ROWS - first,
                                 .time = time + first,
                                 .sampled = sampled + first,
                                 .begun = begun + first,
                                 .nread = number + first };
}

static void windows_follow_each_other_and_reach_far_enough(void **state)
{
    (void)state;
    static double all[ROWS];
    const double step[] = { 1e-5, 1e-3, 1e-2, 1 }, period[] = { 1e-3, 0.02, 1.0 / 6, 3 };
    for (size_t k = 0; k < 4; k++) {
        size_t first = 0, given = 0, nwindow = 0;
        struct smooth_window window;
        make_times(step[k], all);
        for (;; nwindow++) {
            const struct window_rows rows = rows_behind(all, first);
            const double *time = rows.time;
            if (!smooth_window_next(period[k], &rows, given, &window))
                break;
            assert_int_equal(window.from, given);
            assert_true(window.to >= given + 128 && window.n > window.to + 64);
            assert_true(time[window.to] - time[given] >= 10 * period[k] * (1 - 1e-12));
            assert_true(time[window.n - 1] - time[window.to] >= SMOOTH_FADED * period[k] * (1 - 1e-12));
            assert_true(time[window.to] > time[window.to - 1] && !window.ends);
            size_t keep = smooth_window_keep(period[k], &rows, window.to);
            assert_true(keep == 0 || (keep + 64 <= window.to && time[window.to - 1] - time[keep] >=
                                                                    SMOOTH_FADED * period[k] * (1 - 1e-12)));
            first += keep;
            given = window.to - keep;
        }
        assert_true(nwindow >= 1);
    }
    const struct window_rows rows = rows_behind(all, 0);
    assert_false(smooth_window_next(INFINITY, &rows, 0, &(struct smooth_window){ 0 }));
}

/* 100 rows a period. */
static void gaps_are_waited_for_until_they_end_a_run(void **state)
{
    (void)state;
    static double value[ROWS];
    for (size_t gap = 0; gap <= 1400; gap += 200) {
        struct window_channel channel = { .last = 0 };
        struct window_rows rows = { .n = 0 };
        assert_true(window_rows_reserve(&rows, ROWS, NULL));
        for (size_t row = 0; row < ROWS; row++) {
            rows.T[row] = 1;
            rows.point[row] = false;
            value[row] = row < 1100 || row >= 1100 + gap ? 0 : (double)NAN;
        }
        window_rows_begin(&rows, ROWS);
        window_rows_count(&rows, ROWS, 100, &channel, value, 1);
        window_rows_end(&rows, ROWS);
        size_t missed = gap <= 700 ? gap : 700;
        struct smooth_window window;
        assert_true(smooth_window_next(100, &rows, 0, &window));
        assert_true(window.to == 1000 && window.n >= 1700 + missed && window.n <= 1702 + missed);
        /* Behind the gap the same rows are kept as are waited for, and more next to the begin of a run. */
        size_t behind = 1100 + gap + 600, next = 1100 + gap + 100;
        size_t kept = behind - smooth_window_keep(100, &rows, behind);
        if (gap <= 700)
            assert_true(kept >= 700 + (gap > 100 ? gap : 0) && kept <= 718 + gap);
        kept = next - smooth_window_keep(100, &rows, next);
        assert_true(gap <= 700 ? kept >= 700 + gap : kept >= 1400);
        window_rows_free(&rows);
    }
}

static void fast_rows_wait_a_quarter_of_a_second_for_a_large_part(void **state)
{
    (void)state;
    static double time[ROWS];
    struct smooth_window window;
    for (size_t row = 0; row < ROWS; row++)
        time[row] = (double)row / 48000;
    struct window_rows rows = rows_behind(time, 0);
    assert_true(smooth_window_next(1e-3, &rows, 0, &window));
    assert_int_equal(window.to, 8192);
    for (size_t row = 0; row < ROWS; row++)
        time[row] = (double)row / 10000;
    rows = rows_behind(time, 0);
    assert_true(smooth_window_next(1e-3, &rows, 0, &window));
    assert_int_equal(window.to, 2500);
}

static void a_row_alone_ends_with_its_lookahead(void **state)
{
    (void)state;
    static double time[ROWS];
    struct smooth_window window;
    for (size_t row = 0; row < ROWS; row++)
        time[row] = 0.1 * (double)row;
    const struct window_rows rows = rows_behind(time, 0);
    assert_true(smooth_window_of_row(0.3, &rows, 20000, &window));
    assert_true(window.from == 20000 && window.to == 20001 && window.n == 20004 && window.ends);
    assert_true(smooth_window_of_row(0.35, &rows, 20000, &window));
    assert_int_equal(window.n, 20004);
    assert_false(smooth_window_of_row(0.3, &rows, ROWS - 3, &window));
}

/* A window may begin and end with points. A run that began with a point had a weight of chance in its last
 * row. */
static void points_at_both_ends_are_in_no_run(void **state)
{
    (void)state;
    enum { N = 8 };
    const double T[N] = { 1, 1, 1, 1, 1, 1, 1, 1 };
    const bool point[N] = { true, true, false, true, false, false, true, false };
    const size_t nread[N] = { 0, 0, 1, 0, 1, 1, 0, 1 };
    const struct run_ends ends = { .gaps = { .way = gaps_way(GAPS_KEEP) }, .longest = 10, .nread = nread };
    for (size_t nmissing = 0; nmissing < 2; nmissing++)
        for (size_t n = 0; n <= N; n++) {
            double value[N] = { 3, 3, 3, 3, 4, 5, 5, 5 };
            struct sample_run run[N];
            if (nmissing > 0)
                value[4] = (double)NAN;
            const struct samples all = { .n = n, .width = 1, .T = T, .value = value, .point = point };
            const size_t last[N + 1] = { 0, 0, 0, 2, 2, nmissing > 0 ? 2 : 4, 5, 5, 7 };
            assert_int_equal(smooth_runs_find(&all, &ends, run), n > 2);
            if (n > 2)
                assert_true(run[0].first == 2 && run[0].last == last[n]);
        }
}

/* A row of the window with the sample of a run shows that the next run begins; a point does not. */
static void points_show_no_begin_and_no_end_of_a_run(void **state)
{
    (void)state;
    enum { N = 9 };
    const double T[N] = { 1, 1, 1, 1, 1, 1, 1, 1, 1 };
    const double value[N] = { 3, 3, 3, 4, 4, 4, 5, 5, 5 };
    const bool point[N] = { true, true, false, true, false, true, false, true, true };
    const struct samples all = { .n = N, .width = 1, .T = T, .value = value, .point = point };
    const struct smooth_window window = { .from = 4, .to = 5, .n = N };
    const struct sample_run run = { 2, 6 }, behind = { 4, 6 };
    struct zero_phase_part part = smooth_window_part(&window, &all, run, false, 100);
    assert_true(part.begun && part.goes_on);
    part = smooth_window_part(&window, &all, behind, false, 100);
    assert_false(part.begun);
}

/* Every third row or point is a row. */
static void points_in_a_gap_count_no_time_with_samples(void **state)
{
    (void)state;
    enum { N = 600 };
    struct window_rows rows[2] = { { .n = 0 }, { .n = 0 } };
    for (size_t i = 0; i < 2; i++) {
        const size_t every = i == 0 ? 1 : 3, n = every * N;
        struct window_channel channel = { .last = 0 };
        static double value[3 * N];
        assert_true(window_rows_reserve(&rows[i], n, NULL));
        for (size_t row = 0; row < n; row++) {
            const size_t number = row / every;
            rows[i].point[row] = row % every != 0;
            rows[i].T[row] = i == 0 ? 1 : 0.25 + 0.25 * (row % every == 0);
            value[row] = rows[i].point[row] || number % 100 >= 40 ? 0 : (double)NAN;
        }
        window_rows_begin(&rows[i], n);
        window_rows_count(&rows[i], n, 1000, &channel, value, 1);
        window_rows_end(&rows[i], n);
    }
    for (size_t row = 1; row < N; row++)
        assert_true(rows[1].sampled[3 * row] - rows[1].sampled[0] ==
                    rows[0].sampled[row] - rows[0].sampled[0]);
    window_rows_free(&rows[0]);
    window_rows_free(&rows[1]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(windows_follow_each_other_and_reach_far_enough),
        cmocka_unit_test(gaps_are_waited_for_until_they_end_a_run),
        cmocka_unit_test(fast_rows_wait_a_quarter_of_a_second_for_a_large_part),
        cmocka_unit_test(a_row_alone_ends_with_its_lookahead),
        cmocka_unit_test(points_at_both_ends_are_in_no_run),
        cmocka_unit_test(points_show_no_begin_and_no_end_of_a_run),
        cmocka_unit_test(points_in_a_gap_count_no_time_with_samples),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
