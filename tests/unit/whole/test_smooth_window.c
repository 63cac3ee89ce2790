/* Windows of a long series. The rows that a window gives follow each other, and what it reaches beyond them
 * is faded. */
#include "whole/smooth_window.h"

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

static void windows_follow_each_other_and_reach_far_enough(void **state)
{
    (void)state;
    static double all[ROWS];
    const double step[] = { 1e-5, 1e-3, 1e-2, 1 }, period[] = { 1e-3, 0.02, 1.0 / 6, 3 };
    for (size_t k = 0; k < 4; k++) {
        const double *time = all;
        size_t n = ROWS, given = 0, nwindow = 0;
        struct smooth_window window;
        make_times(step[k], all);
        for (; smooth_window_next(period[k], time, n, given, &window); nwindow++) {
            assert_int_equal(window.from, given);
            assert_true(window.to >= given + 256 && window.n > window.to + 64);
            assert_true(time[window.to] - time[given] >= 20 * period[k] * (1 - 1e-12));
            assert_true(time[window.n - 1] - time[window.to] >= SMOOTH_FADED * period[k] * (1 - 1e-12));
            assert_true(time[window.to] > time[window.to - 1] && !window.ends);
            size_t keep = smooth_window_keep(period[k], time, window.to);
            assert_true(keep == 0 || (keep + 64 <= window.to && time[window.to - 1] - time[keep] >=
                                                                    SMOOTH_FADED * period[k] * (1 - 1e-12)));
            time += keep;
            n -= keep;
            given = window.to - keep;
        }
        assert_true(nwindow >= 1);
    }
    assert_false(smooth_window_next(INFINITY, all, ROWS, 0, &(struct smooth_window){ 0 }));
}

static void fast_rows_wait_a_quarter_of_a_second_for_a_large_part(void **state)
{
    (void)state;
    static double time[ROWS];
    struct smooth_window window;
    for (size_t row = 0; row < ROWS; row++)
        time[row] = (double)row / 48000;
    assert_true(smooth_window_next(1e-3, time, ROWS, 0, &window));
    assert_int_equal(window.to, 8192);
    for (size_t row = 0; row < ROWS; row++)
        time[row] = (double)row / 10000;
    assert_true(smooth_window_next(1e-3, time, ROWS, 0, &window));
    assert_int_equal(window.to, 2500);
}

static void a_row_alone_ends_with_its_lookahead(void **state)
{
    (void)state;
    static double time[ROWS];
    struct smooth_window window;
    for (size_t row = 0; row < ROWS; row++)
        time[row] = 0.1 * (double)row;
    assert_true(smooth_window_of_row(0.3, time, ROWS, 20000, &window));
    assert_true(window.from == 20000 && window.to == 20001 && window.n == 20004 && window.ends);
    assert_true(smooth_window_of_row(0.35, time, ROWS, 20000, &window));
    assert_int_equal(window.n, 20004);
    assert_false(smooth_window_of_row(0.3, time, ROWS, ROWS - 3, &window));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(windows_follow_each_other_and_reach_far_enough),
        cmocka_unit_test(fast_rows_wait_a_quarter_of_a_second_for_a_large_part),
        cmocka_unit_test(a_row_alone_ends_with_its_lookahead),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
