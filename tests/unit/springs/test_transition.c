/* Phi against the matrix exponential in fifty digits, at its extremes, and composed with itself. */
#include "springs/transition.h"
#include "unit/harness.h"

#include "ref/phi_table.h"

#include <float.h>

enum { NCASE = sizeof phi_cases / sizeof *phi_cases };

/* How far apart two are, each element by what it does to a state whose error is 1 and whose rate is w. */
static double distance(const struct transition *a, const struct transition *b, double w)
{
    double over_w = w > 0 ? 1 / w : 0;
    return fmax(fmax(fabs(a->e_e - b->e_e), fabs(a->v_v - b->v_v)),
                fmax(fabs(a->e_v - b->e_v) * w, fabs(a->v_e - b->v_e) * over_w));
}

static double frequency(double s, double d)
{
    return fmax(sqrt(s), d / 2);
}

static bool is_finite(const struct transition *p)
{
    return isfinite(p->e_e) && isfinite(p->e_v) && isfinite(p->v_e) && isfinite(p->v_v);
}

static struct transition compose(const struct transition *a, const struct transition *b)
{
    return (struct transition){ a->e_e + (b->e_e + (b->e_e * a->e_e + b->e_v * a->v_e)),
                                a->e_v + (b->e_v + (b->e_e * a->e_v + b->e_v * a->v_v)),
                                a->v_e + (b->v_e + (b->v_e * a->e_e + b->v_v * a->v_e)),
                                a->v_v + (b->v_v + (b->v_e * a->e_v + b->v_v * a->v_v)) };
}

/* Absolute: a part of the state. Of the whole: a part of what the step does, which is small when the step is
 * short. */
static void is_the_matrix_exponential(void **unused)
{
    (void)unused;
    double absolute = 0, of_the_whole = 0;
    for (size_t i = 0; i < NCASE; i++) {
        const double *c = phi_cases[i];
        struct transition want = { c[3], c[4], c[5], c[6] },
                          phi = transition_spring(c[0], c[1], c[2], APPROX_NONE).add;
        double w = frequency(c[0], c[1]), error = distance(&phi, &want, w), short_step = fmin(1, w * c[2]);
        struct transition_full full = transition_spring(c[0], c[1], c[2], APPROX_NONE);
        error = fmax(error, fmax(fabs(full.ee - 1 - want.e_e), fabs(full.vv - 1 - want.v_v)) - DBL_EPSILON);
        if (!(error <= 4 * DBL_EPSILON * short_step))
            fail_msg("s %a d %a T %a: %g of the state, %g of the step", c[0], c[1], c[2], error,
                     error / short_step);
        absolute = fmax(absolute, error);
        of_the_whole = fmax(of_the_whole, error / short_step);
        if (c[0] == 0)
            assert_true(fabs(phi.e_v - want.e_v) <= 2 * DBL_EPSILON * want.e_v);
    }
    print_message("phi: %d springs, largest error %.2g of the state, %.2g of the step\n", NCASE, absolute,
                  of_the_whole);
}

/* A slow mode beside a fast one: its decay is known to as many digits, though it is small beside a step's
 * size. */
static void keeps_the_digits_of_a_slow_mode(void **unused)
{
    (void)unused;
    double worst = 0;
    for (double z = 10; z < 1e12; z *= 7) {
        double w = 3, T = 1 / (z * w);
        struct transition phi = transition_spring(w * w, 2 * z * w, T, APPROX_NONE).add;
        double slow = w / (z + sqrt(z * z - 1)); /* of e = 1, v = -slow: a pure decay */
        double decay = phi.e_e - phi.e_v * slow;
        worst = fmax(worst, fabs(decay / expm1(-slow * T) - 1));
    }
    print_message("phi: slow mode, largest relative error %.2g\n", worst);
    assert_true(worst < 1e-12);
}

static void is_finite_everywhere(void **unused)
{
    (void)unused;
    /* Stiffness and damping are products of numbers that an option takes (base/param.h); a step may be any.
     */
    static const double rates[] = { 0, 1e-65, 1e-31, 1e-9, 1e-3, .3, 1, 3, 1e3, 1e9, 1e31, 1e65 };
    static const double times[] = { 0,  5e-324, 1e-310, DBL_MIN, 1e-200, 1e-30, 1e-9,     1e-3, .3,
                                    1., 3,      1e3,    1e9,     1e30,   1e200, 0x1p1000, 1e308 };
    enum { NRATE = sizeof rates / sizeof *rates, NTIME = sizeof times / sizeof *times };
    for (size_t i = 0; i < NRATE; i++)
        for (size_t j = 0; j < NRATE; j++)
            for (size_t k = 0; k < NTIME; k++)
                for (int near = -1; near <= 1; near++) {
                    double s = rates[i], d = rates[j], T = times[k];
                    if (near) /* at critical damping and beside it */
                        d = 2 * sqrt(s) * (1 + near * 1e-9);
                    for (int approx = APPROX_NONE; approx <= APPROX_UNREAL; approx++) {
                        struct transition_full full = transition_spring(s, d, T, approx);
                        struct transition phi = full.add;
                        assert_true(isfinite(full.ee) && isfinite(full.vv));
                        if (!is_finite(&phi))
                            fail_msg("s %g d %g T %g approx %d", s, d, T, approx);
                        if (T > 0 &&
                            approx == APPROX_NONE) { /* a damped spring's error never grows past its energy */
                            assert_true(phi.e_e >= -2 - 1e-9 && phi.e_e <= 1e-9);
                            assert_true(phi.v_v >= -2 - 1e-9 && phi.v_v <= 1e-9);
                        }
                        phi = transition_critical(d / 2, T, approx).add;
                        if (!is_finite(&phi))
                            fail_msg("y %g T %g approx %d", d / 2, T, approx);
                    }
                }
}

static void steps_compose(void **unused)
{
    (void)unused;
    static const int parts[] = { 2, 3, 1000 };
    double worst = 0;
    for (size_t i = 0; i < NCASE; i++) {
        const double *c = phi_cases[i];
        double w = frequency(c[0], c[1]);
        if (sqrt(c[0]) * c[2] > 1e3 && c[1] * c[2] < 1e3)
            continue; /* the phase of T/n times n is not that of T, as T/n is rounded */
        for (size_t k = 0; k < 3; k++) {
            int n = parts[k];
            struct transition whole = transition_spring(c[0], c[1], c[2], APPROX_NONE).add,
                              part = transition_spring(c[0], c[1], c[2] / n, APPROX_NONE).add, all = { 0 };
            for (int j = 0; j < n; j++)
                all = compose(&all, &part);
            double error = distance(&whole, &all, w);
            if (!(error < 1e-12))
                fail_msg("s %a d %a T %a in %d: %g", c[0], c[1], c[2], n, error);
            worst = fmax(worst, error);
        }
    }
    print_message("phi: steps compose, largest error %.2g\n", worst);
}

/* Across critical damping nothing jumps: neighbours by one part in 1e15 differ by a few such parts. */
static void regimes_join(void **unused)
{
    (void)unused;
    double worst = 0;
    for (double scale = 1e-30; scale < 1e35; scale *= 1e5)
        for (double u = 1e-6; u < 100; u *= 1.7) {
            double T = u / scale;
            for (int i = -40; i < 40; i++) {
                double d = 2 * scale * (1 + i * 1e-15), next = 2 * scale * (1 + (i + 1) * 1e-15);
                struct transition a = transition_spring(scale * scale, d, T, APPROX_NONE).add,
                                  b = transition_spring(scale * scale, next, T, APPROX_NONE).add;
                struct transition c = transition_critical(scale, T, APPROX_NONE).add;
                worst = fmax(worst, fmax(distance(&a, &b, scale), distance(&a, &c, scale) / 40));
            }
        }
    print_message("phi: regimes join, largest difference of neighbours %.2g\n", worst);
    assert_true(worst < 20e-16);
}

/* The published formulas, term by term; and that they are within two hundredths of the exponential. */
static void approximations(void **unused)
{
    (void)unused;
    double most[2] = { 0, 0 };
    for (double u = 1e-9; u < 1e3; u *= 1.01) {
        double holden = 1 / (1 + u + .48 * u * u + .235 * u * u * u);
        double unreal = 1 / (1 + 1.00746054 * u + .45053901 * u * u + .25724632 * u * u * u);
        assert_true(fabs(transition_decay(u, APPROX_HOLDEN).E - holden) < 4e-16);
        assert_true(fabs(transition_decay(u, APPROX_UNREAL).E - unreal) < 4e-16);
        assert_true(fabs(transition_decay(u, APPROX_HOLDEN).m1 - (holden - 1)) < 4e-16);
        assert_true(fabs(transition_decay(u, APPROX_UNREAL).m1 - (unreal - 1)) < 4e-16);
        most[0] = fmax(most[0], fabs(holden - exp(-u)));
        most[1] = fmax(most[1], fabs(unreal - exp(-u)));
    }
    assert_true(most[0] < .02 && most[1] < .02);

    /* The three published springs, as code: over, under and critically damped; x = 1, v = -2 toward 0. */
    static const double dampings[] = { .5, 2, 5.9, 6.1, 8, 50 };
    double s = 9, T = .1, worst = 0;
    for (size_t i = 0; i < sizeof dampings / sizeof *dampings; i++) {
        double d = dampings[i], y = d / 2, e = 1, v = -2;
        struct transition phi = transition_spring(s, d, T, APPROX_HOLDEN).add;
        transition_apply(&phi, &e, &v);
        double want_e, want_v;
        if (s > y * y) {
            double w = sqrt(s - y * y), j = sqrt(pow(-2 + y, 2) / (w * w) + 1), p = atan((-2 + y) / -w);
            double decay = transition_decay(y * T, APPROX_HOLDEN).E;
            want_e = j * decay * cos(w * T + p);
            want_v = -y * j * decay * cos(w * T + p) - w * j * decay * sin(w * T + p);
        } else {
            double y0 = y + sqrt(y * y - s), y1 = y - sqrt(y * y - s), j1 = (-2 + y0) / (y0 - y1),
                   j0 = 1 - j1;
            double d0 = transition_decay(y0 * T, APPROX_HOLDEN).E,
                   d1 = transition_decay(y1 * T, APPROX_HOLDEN).E;
            want_e = j0 * d0 + j1 * d1;
            want_v = -y0 * j0 * d0 - y1 * j1 * d1;
        }
        worst = fmax(worst, fmax(fabs(e - want_e), fabs(v - want_v)));
    }
    print_message("phi: published approximate springs, largest difference %.2g\n", worst);
    assert_true(worst < 1e-14);
}

/* Of two rates close together: the kick's answer after a step so long that their approximations have nearly
 * no difference left. */
static void approximations_keep_their_digits(void **unused)
{
    (void)unused;
    static const double lengths[] = { 1e-3, 1, 30, 1e3, 1e6, 1e12 };
    double worst = 0;
    for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++)
        for (double gap = 0x1p-20; gap < 100; gap *= 8) { /* rates 1 and 1 + gap, exact in s and d */
            struct transition phi = transition_spring(1 + gap, 2 + gap, lengths[i], APPROX_HOLDEN).add;
            long double a = lengths[i], b = a * (1 + (long double)gap);
            long double series_a = a * (1 + a * (.48L + a * .235L)),
                        series_b = b * (1 + b * (.48L + b * .235L));
            long double quotient = 1 + .48L * (a + b) + .235L * (a * a + a * b + b * b);
            long double S = a * quotient / (1 + series_a) / (1 + series_b);
            worst = fmax(worst, (double)fabsl(phi.e_v / S - 1));
        }
    print_message("phi: kicks of approximate springs, largest relative error %.2g\n", worst);
    assert_true(worst < 1e-14);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(is_the_matrix_exponential),
        cmocka_unit_test(keeps_the_digits_of_a_slow_mode),
        cmocka_unit_test(is_finite_everywhere),
        cmocka_unit_test(steps_compose),
        cmocka_unit_test(regimes_join),
        cmocka_unit_test(approximations),
        cmocka_unit_test(approximations_keep_their_digits),
    };
    return cmocka_run_group_tests_name("phi", tests, NULL, NULL);
}
