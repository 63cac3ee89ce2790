/* The state that a period reproduces, against the filter stepped over many periods by hand; whether a matrix
 * leaves anything. */
#include "unit/harness.h"
#include "whole/periodic_state.h"

enum { STATES = 3 };

/* By columns; the second double has a unit a million times the first. I less the matrix has 0 in its first
 * place. */
static const double matrix[STATES * STATES] = { 1, 0.5e6, 0.1, -0.5e-6, 0.2, 0.1e-6, 0.1, 0.1e6, -0.2 };

/* With the second row as its pivot row the first column would leave 6 of 16 digits. */
static const double small_pivot[STATES * STATES] = { 0, -1e-10, 0, -1, 0, 0, 0, 0, 0 };

static void compare_state(const double *left, const double *end)
{
    double solved[STATES], s[STATES] = { 0 };
    memcpy(solved, end, sizeof solved);
    periodic_state_solve(left, solved, STATES);
    for (int period = 0; period < 2000; period++) {
        double next[STATES];
        for (int r = 0; r < STATES; r++) {
            next[r] = end[r];
            for (int c = 0; c < STATES; c++)
                next[r] += left[c * STATES + r] * s[c];
        }
        memcpy(s, next, sizeof s);
    }
    for (int r = 0; r < STATES; r++)
        assert_true(fabs(s[r] - solved[r]) < 1e-12 * fabs(s[r]));
}

static void the_state_returns(void **state)
{
    (void)state;
    compare_state(matrix, (double[STATES]){ 3, -2e6, 5 });
    compare_state(small_pivot, (double[STATES]){ 1, 2, 5 });
}

/* exp(-p) of a state is left after a period: its square is below 2^-140 from p = 48.52 on. After 2^26 periods
 * p has grown by 2^26. */
static void small_is_forgotten(void **state)
{
    (void)state;
    for (double p = 40; p < 60; p += 0.25) {
        const double left = exp(-p), later = exp(-p * 0x1p-26);
        const double two[4] = { left, 1e9, 0, left };
        assert_true(periodic_state_forgotten(&left, 1) == (p > 70 * M_LN2));
        assert_true(periodic_state_forgotten(two, 2) == (p > 70 * M_LN2));
        assert_true(periodic_state_comes_to_rest(&later, 1) == (p > 70 * M_LN2));
    }
    assert_true(periodic_state_comes_to_rest(matrix, STATES));
    const double turn[4] = { 0, 1, -1, 0 };
    assert_false(periodic_state_comes_to_rest(turn, 2));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_state_returns),
        cmocka_unit_test(small_is_forgotten),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
