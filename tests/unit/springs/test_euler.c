/* Euler angles to quaternions and back, against products of matrices in sixty digits. */
#include "springs/rotations/rotation.h"
#include "unit/harness.h"

#include "ref/euler_table.h"

enum { NCASE = sizeof euler_cases / sizeof *euler_cases };

static struct euler order_of(size_t i)
{
    const unsigned char *axis = euler_cases[i].axis;
    return (struct euler){ { axis[0], axis[1], axis[2] }, euler_cases[i].period };
}

/* Where the outer angles turn about nearly the same axis, their rounding errors add up. */
static double roundings(const struct euler *order)
{
    return order->axis[0] == order->axis[2] ? 2 : 1;
}

/* The angle between two rotations, in radians. */
static double apart(const double a[4], const double b[4])
{
    double way[4], v[3];
    rotation_between(a, b, way);
    rotation_log(way, v);
    return sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
}

static void angles_are_products_of_matrices(void **state)
{
    (void)state;
    for (size_t i = 0; i < NCASE; i++) {
        struct euler order = order_of(i);
        double q[4], square = 0;
        euler_to_rotation(&order, euler_cases[i].angle, q);
        for (int k = 0; k < 4; k++)
            square += q[k] * q[k];
        assert_true(fabs(square - 1) < 1e-15);
        assert_true(apart(q, euler_cases[i].q) < 1e-15);
    }
}

static void the_nearest_angles_come_back(void **state)
{
    (void)state;
    for (size_t i = 0; i < NCASE; i++) {
        struct euler order = order_of(i);
        double angle[3], q[4], room = euler_cases[i].room > 1e-15 ? euler_cases[i].room : 1;
        euler_from_rotation(&order, euler_cases[i].q, euler_cases[i].near, angle);
        for (int k = 0; k < 3; k++)
            assert_true(fabs(angle[k] - euler_cases[i].nearest[k]) <=
                        1e-15 * (order.period / room + fabs(angle[k])));
        euler_to_rotation(&order, angle, q);
        double size = fmax(fmax(fabs(angle[0]), fabs(angle[1])), fabs(angle[2])) / order.period;
        assert_true(apart(q, euler_cases[i].q) < roundings(&order) * 1e-15 * (1 + size));
    }
}

static void no_angle_is_no_rotation(void **state)
{
    (void)state;
    for (size_t i = 0; i < NCASE; i++) {
        struct euler order = order_of(i);
        const double none[3] = { 0, -0.0, 0 }, turns[3] = { 3 * order.period, -order.period, 0 };
        double q[4], angle[3];
        euler_to_rotation(&order, none, q);
        assert_true(q[0] == 1 && q[1] == 0 && q[2] == 0 && q[3] == 0);
        euler_from_rotation(&order, q, none, angle);
        assert_true(angle[0] == 0 && angle[1] == 0 && angle[2] == 0);
        euler_from_rotation(&order, q, turns, angle);
        assert_memory_equal(angle, turns, sizeof angle);
    }
}

/* There the sum of the outer angles is kept, and both move alike. */
static void the_pole_leaves_the_rest_to_what_is_near(void **state)
{
    (void)state;
    const struct euler zxy = { { 2, 0, 1 }, 360 };
    const double pole[3] = { 90, 20, 30 }, near[3] = { 80, 160, -100 }, expected[3] = { 90, 155, -105 };
    double q[4], angle[3];
    euler_to_rotation(&zxy, pole, q); /* Rz(30) Rx(90) Ry(20): z + y = 50 */
    euler_from_rotation(&zxy, q, near, angle);
    for (int k = 0; k < 3; k++)
        assert_true(fabs(angle[k] - expected[k]) < 1e-13);
}

/* Where the first axis stands again the poles are at 0 and 180: the sum, or the difference, is determined. */
static void the_poles_of_a_repeated_axis(void **state)
{
    (void)state;
    const struct euler yxy = { { 1, 0, 1 }, 360 };
    const double none[3] = { 20, 0, 30 }, half[3] = { 20, 180, 30 }, near[3] = { 160, 10, -100 };
    const double near_half[3] = { 160, 170, 150 };
    double q[4], angle[3];
    euler_to_rotation(&yxy, none, q); /* Ry(50) */
    euler_from_rotation(&yxy, q, near, angle);
    assert_true(fabs(angle[0] - 155) < 1e-13 && fabs(angle[1]) < 1e-13 && fabs(angle[2] + 105) < 1e-13);
    euler_to_rotation(&yxy, half, q); /* Ry(-10) Rx(180): the difference is -10 */
    euler_from_rotation(&yxy, q, near_half, angle);
    assert_true(fabs(angle[0] - 150) < 1e-13 && fabs(angle[1] - 180) < 1e-13 && fabs(angle[2] - 160) < 1e-13);
}

static void any_finite_angle_is_a_rotation(void **state)
{
    (void)state;
    const double sizes[] = { 1e-320, 1e-160, 1e10, 1e17, 1e100, 1e300 };
    for (size_t i = 0; i < NCASE; i++)
        for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
            struct euler order = order_of(i);
            double angle[3], q[4], back[3], again[4];
            for (int k = 0; k < 3; k++)
                angle[k] = euler_cases[i].angle[k] / order.period * sizes[s];
            euler_to_rotation(&order, angle, q);
            euler_from_rotation(&order, q, angle, back);
            euler_to_rotation(&order, back, again);
            bool repeated = order.axis[0] == order.axis[2];
            double middle = remainder(angle[repeated ? 1 : order.axis[1]], order.period) / order.period;
            double room = fmax(fabs(repeated ? sin(2 * M_PI * middle) : cos(2 * M_PI * middle)), 1e-9);
            for (int k = 0; k < 3; k++)
                assert_true(fabs(back[k] - angle[k]) <=
                            roundings(&order) * (1e-15 * order.period / room + 2.3e-16 * fabs(angle[k])));
            assert_true(sizes[s] > 1 || apart(q, again) < 1e-15);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(angles_are_products_of_matrices),
        cmocka_unit_test(the_nearest_angles_come_back),
        cmocka_unit_test(no_angle_is_no_rotation),
        cmocka_unit_test(the_pole_leaves_the_rest_to_what_is_near),
        cmocka_unit_test(the_poles_of_a_repeated_axis),
        cmocka_unit_test(any_finite_angle_is_a_rotation),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
