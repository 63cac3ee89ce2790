/* The smoothing spline against the normal equations in 60 digits (tests/ref/smooth.py), several channels at
 * once, and a single sample. */
#include "whole/smooth.h"

#include "../../ref/smooth_table.h"
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

enum { CASES = sizeof smooth_table / sizeof *smooth_table, N = SMOOTH_ROWS, WIDE = 7 };

static struct smooth_rows rows_of_case(size_t i, const double *ends)
{
    return (struct smooth_rows){
        .n = N,
        .nchannel = 1,
        .T = smooth_table[i].T,
        .weight = smooth_table[i].weight,
        .ease = smooth_table[i].ease,
        .value = smooth_table[i].value,
        .first = ends,
        .last = ends + 1,
    };
}

static double largest(const double *x, size_t n)
{
    double most = 0;
    for (size_t i = 0; i < n; i++)
        most = fmax(most, fabs(x[i]));
    return most;
}

static void assert_near(const double *got, const double *want, size_t n, double part)
{
    double scale = largest(want, n);
    for (size_t i = 0; i < n; i++)
        if (!(fabs(got[i] - want[i]) <= part * scale))
            fail_msg("at row %zu: %.17g, not %.17g", i, got[i], want[i]);
}

static void the_curve_is_the_solution_of_the_normal_equations(void **state)
{
    (void)state;
    for (size_t i = 0; i < CASES; i++) {
        struct smooth_gain gain[N];
        struct smooth_gains gains = { .row = gain };
        double x[N], v[N], a[N], trace = 0;
        const struct smooth_penalty penalty = { smooth_table[i].a1, smooth_table[i].a2 };
        const struct smooth_curve curve = { .value = x, .velocity = v, .acceleration = a };
        struct smooth_rows rows = rows_of_case(i, smooth_table[i].end);
        smooth_find_gains(penalty, &rows, &gains);
        smooth_run(penalty, &rows, &gains, &curve);
        assert_near(x, smooth_table[i].x, N, 2e-15);
        if (penalty.a2 > 0)
            assert_near(v, smooth_table[i].v, N, 2e-11);
        for (size_t k = 0; k < N; k++)
            trace += smooth_table[i].leverage[k];
        assert_true(fabs(smooth_trace(penalty, &rows, &gains) - trace) < 1e-9 * trace);
    }
}

static void channels_do_not_influence_each_other(void **state)
{
    (void)state;
    for (size_t i = 0; i < CASES; i++) {
        struct smooth_gain gain[N];
        struct smooth_gains gains = { .row = gain };
        double value[N * WIDE], x[N * WIDE], v[N * WIDE], a[N * WIDE], ends[2][WIDE];
        const struct smooth_penalty penalty = { smooth_table[i].a1, smooth_table[i].a2 };
        const struct smooth_curve curve = { .value = x, .velocity = v, .acceleration = a };
        struct smooth_rows rows = rows_of_case(i, smooth_table[i].end);
        for (size_t c = 0; c < WIDE; c++) {
            double scale = 1.0 + (double)c;
            for (size_t k = 0; k < N; k++)
                value[k * WIDE + c] = scale * smooth_table[i].value[k];
            ends[0][c] = scale * smooth_table[i].end[0];
            ends[1][c] = scale * smooth_table[i].end[1];
        }
        rows.nchannel = WIDE;
        rows.value = value;
        rows.first = ends[0];
        rows.last = ends[1];
        smooth_find_gains(penalty, &rows, &gains);
        smooth_run(penalty, &rows, &gains, &curve);
        for (size_t c = 0; c < WIDE; c++)
            for (size_t k = 0; k < N; k++)
                assert_true(fabs(x[k * WIDE + c] - (1.0 + (double)c) * smooth_table[i].x[k]) <
                            1e-14 * largest(smooth_table[i].x, N));
    }
}

/* The rows from row m on, of rows whose far ones, up to row m, were gone over. */
static struct smooth_rows rows_from(const struct smooth_rows *rows, size_t m,
                                    const struct smooth_curve *before)
{
    struct smooth_rows near = *rows;
    near.n -= m;
    near.T += m;
    near.weight += m;
    near.ease = rows->ease ? rows->ease + m : NULL;
    near.value += m;
    near.before = before;
    return near;
}

static void free_curve_in_two_parts(size_t i, size_t m)
{
    struct smooth_gain gain[N], near_gain[N];
    struct smooth_gains gains = { .row = gain }, near_gains = { .row = near_gain };
    double x[N], v[N], a[N], whole_v[N], whole_a[N], at_m[3], adjoint[2] = { 0, 0 };
    const struct smooth_penalty penalty = { smooth_table[i].a1, smooth_table[i].a2 };
    struct smooth_curve far = { .value = x, .velocity = v, .acceleration = a, .from = m + 1 };
    const struct smooth_curve before = { .value = at_m, .velocity = at_m + 1, .acceleration = at_m + 2 };
    const struct smooth_curve last = {
        .value = x + m, .velocity = v + m, .acceleration = a + m, .adjoint = adjoint
    };
    const struct smooth_curve whole = { .value = x, .velocity = whole_v, .acceleration = whole_a };
    const struct smooth_rows rows = rows_of_case(i, smooth_table[i].end);
    struct smooth_rows part = rows, near = rows_from(&rows, m, &before);
    smooth_find_gains(penalty, &rows, &gains);
    smooth_run(penalty, &rows, &gains, &whole);
    part.n = m + 1;
    smooth_find_gains(penalty, &part, &gains);
    smooth_run(penalty, &part, &gains, &far);
    at_m[0] = x[m];
    at_m[1] = v[m];
    at_m[2] = a[m];
    near_gain[0] = *smooth_gain_of(&gains, m);
    smooth_find_gains(penalty, &near, &near_gains);
    smooth_run(penalty, &near, &near_gains, &last);
    part.n = m;
    far.from = 0;
    far.adjoint = adjoint;
    smooth_run(penalty, &part, &gains, &far);
    assert_near(x, smooth_table[i].x, N, 2e-15);
    assert_near(v, whole_v, N, 1e-11);
    /* The acceleration at row m - 1 depends on the ease of the step to row m. */
    assert_near(a, whole_a, m - 1, 1e-11);
    assert_near(a + m, whole_a + m, N - m, 1e-11);
}

static void a_curve_in_two_parts_is_that_of_all_rows(void **state)
{
    (void)state;
    size_t nfree = 0;
    for (size_t i = 0; i < CASES; i++) {
        nfree += smooth_table[i].a1 == 0;
        for (size_t m = N / 2; m < N - 1 && smooth_table[i].a1 == 0; m++)
            free_curve_in_two_parts(i, m);
    }
    assert_true(nfree > 0);
}

static void one_sample_stands_still(void **state)
{
    (void)state;
    const double T[4] = { 1, 1, 1, 1 }, weight[4] = { 1, 0, 0, 0 }, value[4] = { 7, 0, 0, 0 };
    const struct smooth_penalty penalty = { 0, 1 };
    struct smooth_gain gain[4];
    struct smooth_gains gains = { .row = gain };
    double x[4], v[4], a[4];
    for (size_t n = 1; n < 5; n += 3) {
        const struct smooth_rows rows = { .n = n, .nchannel = 1, .T = T, .weight = weight, .value = value };
        const struct smooth_curve curve = { .value = x, .velocity = v, .acceleration = a };
        smooth_find_gains(penalty, &rows, &gains);
        smooth_run(penalty, &rows, &gains, &curve);
        for (size_t k = 0; k < n; k++)
            assert_true(x[k] == 7 && v[k] == 0 && a[k] == 0);
    }
}

/* In a long series on even rows all rows but those at the ends have the same gain. */
static void the_trace_is_the_sum_of_the_answers_to_impulses(void **state)
{
    (void)state;
    enum { LONG = 400 };
    static const struct smooth_penalty penalty[] = { { 0, 3e-6 }, { 1e-3, 0 }, { 1e-3, 2e-7 } };
    static double T[LONG], weight[LONG], value[LONG], x[LONG], v[LONG], a[LONG];
    static struct smooth_gain gain[LONG];
    const double zero = 0;
    const struct smooth_curve curve = { .value = x, .velocity = v, .acceleration = a };
    const struct smooth_rows rows = {
        .n = LONG, .nchannel = 1, .T = T, .weight = weight, .value = value, .first = &zero, .last = &zero
    };
    for (size_t k = 0; k < LONG; k++)
        T[k] = weight[k] = 0.01;
    for (size_t i = 0; i < sizeof penalty / sizeof *penalty; i++) {
        struct smooth_gains gains = { .row = gain };
        double sum = 0;
        smooth_find_gains(penalty[i], &rows, &gains);
        for (size_t k = 0; k < LONG; k++) {
            value[k] = 1;
            smooth_run(penalty[i], &rows, &gains, &curve);
            sum += x[k];
            value[k] = 0;
        }
        assert_true(gains.n < LONG / 2);
        assert_true(fabs(smooth_trace(penalty[i], &rows, &gains) - sum) < 1e-12 * sum);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_curve_is_the_solution_of_the_normal_equations),
        cmocka_unit_test(channels_do_not_influence_each_other),
        cmocka_unit_test(a_curve_in_two_parts_is_that_of_all_rows),
        cmocka_unit_test(one_sample_stands_still),
        cmocka_unit_test(the_trace_is_the_sum_of_the_answers_to_impulses),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
