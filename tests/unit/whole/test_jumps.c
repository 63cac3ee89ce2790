/* The rule of --detect-cuts over plain arrays: curves whose jumps and spikes are known. */
#include "whole/jumps.h"
#include "whole/noise/spikes.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { N = 200 };

/* What the rule finds at each sample. */
struct found {
    bool jump[N], spike[N];
    size_t njump, nspike;
};

/* Judges a curve of numbers at equal steps of T seconds. A sample that is NaN interrupts the curve. */
static struct found judge(const double *x, double T, double factor)
{
    const struct spike_kind number = { .nnumber = 1 };
    struct found found = { .njump = 0 };
    struct jumps jumps = { .n = 0 };
    for (size_t i = 1; i + 1 < N; i++) {
        if (isnan(x[i - 1]) || isnan(x[i]) || isnan(x[i + 1])) {
            jumps_interrupt(&jumps);
            continue;
        }
        jumps_take(&jumps, &number, &x[i]);
        struct jumps_corner corner = { .T_in = T, .T_out = T };
        for (size_t k = 0; k < 3; k++)
            corner.number[k][0] = corner.target[k][0] = x[i - 1 + k];
        found.jump[i] = jumps_judge(&jumps, factor, &number, &corner);
        found.spike[i] = jumps.spike;
        found.njump += found.jump[i];
        found.nspike += found.spike[i];
    }
    return found;
}

static void make_curve(double *x)
{
    for (size_t i = 0; i < N; i++)
        x[i] = 10 * sin((double)i / 17) + sin((double)i / 5);
}

static void a_jump_and_a_spike(void **state)
{
    (void)state;
    double x[N];
    for (double size = -40; size <= 40; size += 80)
        for (double T = 0.001; T < 10; T *= 10) {
            make_curve(x);
            assert_int_equal(judge(x, T, 8).njump, 0);
            for (size_t i = 80; i < N; i++)
                x[i] += size;
            struct found found = judge(x, T, 8);
            assert_true(found.jump[80] && !found.spike[80]);
            assert_int_equal(found.njump, 1);
            make_curve(x);
            x[120] += size;
            found = judge(x, T, 8);
            assert_true(found.jump[120] && found.spike[120] && found.jump[121]); /* there, and back */
            assert_int_equal(found.njump, 2);
            assert_int_equal(found.nspike, 1);
        }
}

/* A jump of k median changes of slope is found by factors below k alone. */
static void the_factor_is_the_least_jump(void **state)
{
    (void)state;
    double x[N];
    for (size_t i = 0; i < N; i++)
        x[i] = i % 2 ? 1 : 0; /* each change of slope is 2 */
    for (size_t i = 100; i < N; i++)
        x[i] += 41;
    assert_int_equal(judge(x, 1, 15).njump, 1);
    assert_int_equal(judge(x, 1, 25).njump, 0);
}

/* Neither a corner nor rounding is a jump, and nothing is found where a curve begins. */
static void corners_and_rounding_are_no_jumps(void **state)
{
    (void)state;
    double x[N];
    for (size_t i = 0; i < N; i++)
        x[i] = i < 100 ? 0.25 * (double)i : 25 - 3 * ((double)i - 100);
    assert_int_equal(judge(x, 1, 8).njump, 0);
    for (size_t i = 0; i < N; i++)
        x[i] = round(1000 * sin((double)i / 900)) / 1000; /* at most steps of one unit in the last decimal */
    assert_int_equal(judge(x, 1, 8).njump, 0);
    make_curve(x);
    for (size_t i = 4; i < N; i++)
        x[i] += 100;
    assert_int_equal(judge(x, 1, 8).njump, 0); /* too few steps to know what is usual */
    make_curve(x);
    for (size_t i = 100; i < N; i++)
        x[i] += 50 + 100 * ((double)i - 100);
    assert_int_equal(judge(x, 1, 8).njump, 0); /* the slope changes twice in the same direction */
}

/* A quaternion at rest whose x is near to half a hundredth, of numbers with two decimals, may read 0 or 0.01.
 * A step of three hundredths is more. */
static void a_rotation_at_rest_has_no_jumps_by_rounding(void **state)
{
    (void)state;
    const struct spike_kind rotation = { .nnumber = 4, .rotation = true };
    for (int step = 0; step < 2; step++) {
        struct jumps jumps = { .n = 0 };
        size_t njump = 0;
        double number[N][4] = { 0 };
        for (size_t i = 0; i < N; i++) {
            number[i][0] = 1;
            number[i][1] = step ? (i < 100 ? 0 : 0.03) : (i == 100 || i == 102 ? 0.01 : 0);
        }
        for (size_t i = 1; i + 1 < N; i++) {
            struct jumps_corner corner = { .T_in = 1, .T_out = 1 };
            for (size_t k = 0; k < 3; k++) {
                const double *q = number[i - 1 + k], length = hypot(q[0], q[1]);
                memcpy(corner.number[k], q, sizeof number[0]);
                corner.target[k][0] = q[0] / length;
                corner.target[k][1] = q[1] / length;
            }
            jumps_take(&jumps, &rotation, number[i]);
            njump += jumps_judge(&jumps, 8, &rotation, &corner);
        }
        assert_int_equal(njump, step);
    }
}

static void a_missing_sample_interrupts_the_curve(void **state)
{
    (void)state;
    double x[N];
    make_curve(x);
    for (size_t i = 80; i < N; i++)
        x[i] += 40;
    x[79] = NAN;
    assert_int_equal(judge(x, 1, 8).njump, 0);
    x[150] += 40;
    assert_int_equal(judge(x, 1, 8).nspike, 1);
    /* The change of slope before a missing sample says nothing about the samples behind. */
    make_curve(x);
    for (size_t i = 80; i < 84; i++)
        x[i] += 40;
    x[81] = NAN;
    struct found found = judge(x, 1, 8);
    assert_true(found.jump[84] && found.njump == 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(a_jump_and_a_spike),
                                        cmocka_unit_test(the_factor_is_the_least_jump),
                                        cmocka_unit_test(corners_and_rounding_are_no_jumps),
                                        cmocka_unit_test(a_rotation_at_rest_has_no_jumps_by_rounding),
                                        cmocka_unit_test(a_missing_sample_interrupts_the_curve) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
