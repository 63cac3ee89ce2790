/* Curves over gaps: against polynomials, and rotations against numbers. */
#include "unit/harness.h"
#include "whole/gap_curve.h"

static const struct sample_kind number = { false, 0 }, angle = { false, 360 }, rotation = { true, 0 };
static const double times[4] = { -0.3, 0, 1.7, 2.9 };

static double parabola(double t)
{
    return 4 - 3 * t + 2 * t * t;
}

static void two_samples_make_a_line(void **state)
{
    (void)state;
    const double sample[4][4] = { { 99 }, { 2 }, { 5 }, { 99 } }, time[4] = { NAN, 0, 1.5, NAN };
    struct gap_curve c = gap_curve_make(number, sample, time);
    for (double t = 0; t <= 1.5; t += 0.125) {
        double x[4];
        gap_curve_at(&c, t, x);
        assert_true(fabs(x[0] - (2 + 2 * t)) < 1e-14);
    }
}

/* A parabola comes back with one outer sample or with both. */
static void outer_samples_bend_the_curve(void **state)
{
    (void)state;
    for (int outer = 1; outer < 4; outer++) {
        double sample[4][4] = { { 0 } }, time[4], x[4];
        for (int i = 0; i < 4; i++) {
            time[i] = times[i];
            sample[i][0] = parabola(times[i]);
        }
        time[0] = outer & 1 ? time[0] : (double)NAN;
        time[3] = outer & 2 ? time[3] : (double)NAN;
        struct gap_curve c = gap_curve_make(number, sample, time);
        for (double t = 0; t <= times[2]; t += 0.1) {
            gap_curve_at(&c, t, x);
            assert_true(fabs(x[0] - parabola(t)) < 1e-13);
        }
        gap_curve_at(&c, times[2], x);
        assert_true(x[0] == sample[2][0]);
    }
}

static void an_angle_goes_the_short_way(void **state)
{
    (void)state;
    const double sample[4][4] = { { 0 }, { 170 }, { -170 }, { 0 } }, time[4] = { NAN, 0, 1, NAN };
    struct gap_curve c = gap_curve_make(angle, sample, time);
    double x[4], way[3];
    gap_curve_at(&c, 0.25, x);
    assert_true(fabs(x[0] - 175) < 1e-12);
    gap_curve_at(&c, 0.75, x);
    assert_true(fabs(x[0] + 175) < 1e-12);
    sample_way(angle, sample[1], sample[2], way);
    assert_true(way[0] == 20 && way[1] == 0 && way[2] == 0);
    assert_true(isnan(sample_between(NAN, 1, 0.5, 0)) && isnan(sample_between(1, NAN, 0, 0)));
    assert_true(isfinite(sample_between(-1.7e308, 1.7e308, 0.5, 0)));
}

/* About one axis the rotation vectors are numbers, and so are the curves. */
static void a_rotation_about_one_axis_is_a_number(void **state)
{
    (void)state;
    double q[4][4], x[4][4] = { { 0 } };
    for (int i = 0; i < 4; i++) {
        x[i][0] = parabola(times[i]) / 9;
        q[i][0] = cos(x[i][0] / 2);
        q[i][1] = q[i][3] = 0;
        q[i][2] = sin(x[i][0] / 2);
    }
    struct gap_curve c = gap_curve_make(rotation, q, times);
    for (double t = 0; t <= times[2]; t += 0.1) {
        double got[4];
        bool still = gap_curve_at(&c, t, got);
        assert_true(still == (t == 0));
        assert_true(fabs(2 * atan2(got[2], got[0]) - parabola(t) / 9) < 1e-13);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(two_samples_make_a_line),
        cmocka_unit_test(outer_samples_bend_the_curve),
        cmocka_unit_test(an_angle_goes_the_short_way),
        cmocka_unit_test(a_rotation_about_one_axis_is_a_number),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
