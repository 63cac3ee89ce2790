/* The curve between two rows, against the cubic written with Hermite's basis, and for rotations against
 * differences of the curve itself and against a steady turn. */
#include "whole/step_curve.h"

#include "springs/rotations/rotation.h"
#include "unit/harness.h"

static const double T = 0.25;

static void a_number_is_on_the_cubic(void **state)
{
    (void)state;
    const struct step_end from = { { 3 }, { -2 } }, to = { { 4.5 }, { 7 } };
    struct step_curve curve = step_curve_make(false, &from, &to, T);
    for (int i = 0; i <= 16; i++) {
        double s = i / 16., s2 = s * s, s3 = s2 * s;
        struct step_point p = step_curve_at(&curve, s);
        double x = (2 * s3 - 3 * s2 + 1) * 3 + (s3 - 2 * s2 + s) * T * -2 + (3 * s2 - 2 * s3) * 4.5 +
                   (s3 - s2) * T * 7;
        double v = (6 * s2 - 6 * s) * (3 - 4.5) / T + (3 * s2 - 4 * s + 1) * -2 + (3 * s2 - 2 * s) * 7;
        double a = (12 * s - 6) * (3 - 4.5) / T / T + ((6 * s - 4) * -2 + (6 * s - 2) * 7) / T;
        assert_true(fabs(p.x[0] - x) < 1e-14 && fabs(p.velocity[0] - v) < 1e-12 &&
                    fabs(p.acceleration[0] - a) < 1e-11);
    }
}

static void a_number_at_rest_or_in_even_motion_stays_so(void **state)
{
    (void)state;
    const struct step_end rest = { { 0.1 }, { 0 } }, from = { { 1 }, { 12 } }, to = { { 4 }, { 12 } };
    struct step_curve still = step_curve_make(false, &rest, &rest, T),
                      even = step_curve_make(false, &from, &to, T);
    for (int i = 0; i <= 10; i++) {
        struct step_point p = step_curve_at(&still, i / 10.), q = step_curve_at(&even, i / 10.);
        assert_true(p.x[0] == 0.1 && p.velocity[0] == 0 && p.acceleration[0] == 0 && p.still);
        assert_true(q.x[0] == 1 + 3 * (i / 10.) && q.velocity[0] == 12 && q.acceleration[0] == 0);
    }
}

static struct step_end turned(const double axis[3], double angle, double rate)
{
    double y[3], w[3];
    struct step_end end;
    struct rotation_point p;
    for (int i = 0; i < 3; i++) {
        y[i] = axis[i] * angle;
        w[i] = axis[i] * rate;
    }
    rotation_point_exp(y, &p);
    memcpy(end.x, p.q, sizeof end.x);
    memcpy(end.velocity, w, sizeof end.velocity);
    return end;
}

static void a_steady_turn_stays_steady(void **state)
{
    (void)state;
    const double axis[3] = { 2. / 3, -1. / 3, 2. / 3 };
    struct step_end from = turned(axis, 0.3, 8), to = turned(axis, 0.3 + 8 * T, 8);
    struct step_curve curve = step_curve_make(true, &from, &to, T);
    for (int i = 0; i <= 10; i++) {
        struct step_point p = step_curve_at(&curve, i / 10.);
        struct step_end want = turned(axis, 0.3 + 8 * T * i / 10, 8);
        for (int k = 0; k < 4; k++)
            assert_true(fabs(p.x[k] - want.x[k]) < 1e-14);
        for (int k = 0; k < 3; k++)
            assert_true(fabs(p.velocity[k] - want.velocity[k]) < 1e-12 && fabs(p.acceleration[k]) < 1e-10);
    }
}

/* The ends have their values and velocities; velocity and acceleration are the derivatives of the rotation.
 */
static void a_rotation_keeps_its_ends_and_its_derivatives(void **state)
{
    (void)state;
    const double one[3] = { 0, 0.6, 0.8 }, other[3] = { 1, 0, 0 };
    struct step_end from = turned(one, 0.4, 3), to = turned(other, 1.1, -2);
    struct step_curve curve = step_curve_make(true, &from, &to, T);
    struct step_point first = step_curve_at(&curve, 0), last = step_curve_at(&curve, 1);
    double sign = last.x[0] * to.x[0] < 0 ? -1 : 1;
    for (int k = 0; k < 4; k++)
        assert_true(first.x[k] == from.x[k] && fabs(sign * last.x[k] - to.x[k]) < 1e-14);
    for (int k = 0; k < 3; k++)
        assert_true(fabs(first.velocity[k] - from.velocity[k]) < 1e-12 &&
                    fabs(last.velocity[k] - to.velocity[k]) < 1e-12);
    assert_true(first.still && !last.still);
    for (int i = 1; i < 10; i++) {
        const double h = 1e-4;
        struct step_point before = step_curve_at(&curve, i / 10. - h), here = step_curve_at(&curve, i / 10.),
                          after = step_curve_at(&curve, i / 10. + h);
        double way[3];
        rotation_vector(after.x, before.x, way);
        for (int k = 0; k < 3; k++) {
            double change = (after.velocity[k] - before.velocity[k]) / (2 * h * T);
            assert_true(fabs(way[k] / (2 * h * T) - here.velocity[k]) < 1e-4);
            assert_true(fabs(change - here.acceleration[k]) < 1e-3);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_number_is_on_the_cubic),
        cmocka_unit_test(a_number_at_rest_or_in_even_motion_stays_so),
        cmocka_unit_test(a_steady_turn_stays_steady),
        cmocka_unit_test(a_rotation_keeps_its_ends_and_its_derivatives),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
