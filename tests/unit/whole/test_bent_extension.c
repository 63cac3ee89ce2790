/* How much the extension is bent, against sums written out, and the shape of the bend. */
#include "unit/harness.h"
#include "whole/bent_extension.h"

enum { LAST = 200, MIDDLE = LAST / 2 };

/* Sum of r(u) (u - t)^2 over u > t. */
static double corner(const double *response, int t)
{
    double sum = 0;
    for (int u = t + 1; u <= MIDDLE; u++)
        sum += response[MIDDLE + u] * (u - t) * (u - t);
    return sum;
}

static double part_by_sums(const double *response)
{
    double most = 0;
    for (int t = 0; t < MIDDLE; t++)
        most = fmax(most, fabs(corner(response, t)));
    return 1 - fabs(corner(response, 0)) / most;
}

/* A filter that keeps parabolas has a response whose second moment is 0. Of a response that is nowhere
 * negative the sum is largest at the end. */
static void what_keeps_parabolas_is_bent(void **state)
{
    (void)state;
    double kept[LAST + 1] = { 0 }, smooth[LAST + 1] = { 0 };
    const double weights[5] = { -1. / 16, 4. / 16, 10. / 16, 4. / 16, -1. / 16 };
    for (int i = 0; i < 5; i++)
        kept[MIDDLE - 2 + i] = weights[i];
    assert_true(fabs(bent_extension_part(kept, LAST) - 1) < 1e-15);
    for (int i = 0; i <= LAST; i++)
        smooth[i] = pow(0.8, abs(i - MIDDLE)) / 9;
    assert_true(bent_extension_part(smooth, LAST) == 0);
    const double nothing[LAST + 1] = { 0 };
    assert_true(bent_extension_part(nothing, LAST) == 0);
}

/* Both passes of springs of damping ratio z, which decay as exp(-z w u), in closed form: the continuous
 * response is exp(-z w |u|) (cos(v u) + z w / v sin(v |u|)), v = w sqrt(1 - z^2), up to a factor. */
static void the_part_agrees_with_the_sums(void **state)
{
    (void)state;
    double before = -1;
    for (double z = 0.5; z < 0.72; z += 0.02) {
        double response[LAST + 1], w = 0.4, v = w * sqrt(1 - z * z);
        for (int i = 0; i <= LAST; i++) {
            double u = abs(i - MIDDLE);
            response[i] = exp(-z * w * u) * (cos(v * u) + z * w / v * sin(v * u));
        }
        double part = bent_extension_part(response, LAST);
        assert_true(fabs(part - part_by_sums(response)) < 1e-12);
        assert_true(part >= before);
        before = part;
    }
    assert_true(before > 0.85);
}

static void the_bend_is_a_parabola_that_fades(void **state)
{
    (void)state;
    enum { N = 101 };
    double time[N], bend[N] = { 0 }, back[N] = { 0 }, rest[N] = { 0 }, lifted[N];
    for (int k = 0; k < N; k++)
        time[k] = 0.01 * k;
    struct bent_ends ends = { time, N, 0.5, 0.4, { { 3 }, { -7 } } };
    bent_extension_of_numbers(&ends, rest, bend);
    ends.curvature[0][0] = -7;
    ends.curvature[1][0] = 3;
    bent_extension_of_numbers(&ends, rest, back);
    assert_true(bend[0] == 0 && bend[N - 1] == 0 && bend[50] == 0);
    for (int k = 0; k < N; k++)
        assert_true(fabs(bend[k] - back[N - 1 - k]) < 1e-15);
    for (int k = 1; k < 10; k++) {
        double t = 0.01 * k;
        assert_true(fabs(bend[k] / (0.5 * 3 * t * t) - 1) < 0.008);
        assert_true(fabs(bend[N - 1 - k] / (0.5 * -7 * t * t) - 1) < 0.008);
    }
    /* Half way the factor is (1 - 1/16)^2. */
    assert_true(fabs(bend[20] - 0.5 * 3 * 0.04 * 225 / 256) < 1e-15);
    for (int k = 0; k < N; k++) {
        rest[k] = sin(k);
        lifted[k] = NAN;
    }
    bent_extension_of_numbers(&ends, rest, lifted);
    assert_int_equal(bent_extension_count(&ends, false), 40);
    assert_int_equal(bent_extension_count(&ends, true), 40);
    for (int k = 0; k < N; k++) {
        if (k < 40 || k > 60)
            assert_true(fabs(lifted[k] - (back[k] - rest[k])) < 1e-15);
        else
            assert_true(isnan(lifted[k]) && bend[k] == 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_keeps_parabolas_is_bent),
        cmocka_unit_test(the_part_agrees_with_the_sums),
        cmocka_unit_test(the_bend_is_a_parabola_that_fades),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
