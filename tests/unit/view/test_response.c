/* Responses against closed forms of the continuous filters, and against the rows themselves. */
#include "unit/harness.h"

#include "view/plot.h"
#include "view/response.h"
#include <complex.h>

enum { FINE = 1 << 16 };

static const struct filter *find(const char *name)
{
    const struct filter *f = filter_find(name);
    if (!f)
        fail_msg("no filter %s", name);
    return f;
}

static struct response_summary summary(const char *name, const char *words)
{
    const struct filter *f = find(name);
    struct response_summary s;
    struct response rows;
    struct error e;
    void *settings = harness_good(f, words);
    rows = (struct response){ .filter = f, .settings = settings };
    assert_true(response_extent(&rows, 60));
    rows.fine = FINE / rows.extent;
    rows.limit = true;
    assert_true(response_summarise(&rows, &s, &e));
    free(rows.settings);
    response_close(&rows);
    return s;
}

static void near(double got, double want, double tolerance, const char *what)
{
    if (!(fabs(got - want) <= tolerance * fabs(want)))
        fail_msg("%s: %.12g, not %.12g", what, got, want);
}

/* The x where f grows past level between low and high. */
static double root(double (*f)(double x), double level, double low, double high)
{
    for (int i = 0; i < 200; i++) {
        double x = (low + high) / 2;
        if (f(x) < level)
            low = x;
        else
            high = x;
    }
    return high;
}

static void damper_has_its_closed_form(void **state)
{
    (void)state;
    static const double halflives[] = { 1e-6, 0.1, 3, 1e6 };
    for (size_t i = 0; i < 4; i++) {
        char words[64];
        snprintf(words, sizeof words, "halflife=%.17g", halflives[i]);
        double rate = log(2) / halflives[i];
        struct response_summary s = summary("damper", words);
        near(s.lag, 1 / rate, 1e-7, "lag");
        near(s.rise, log(9) / rate, 1e-7, "rise time");
        near(s.settling, log(50) / rate, 1e-7, "settling time");
        near(s.frequency, rate / (2 * M_PI), 1e-7, "-3 dB frequency");
        assert_true(s.overshoot == 0);
    }
}

/* The critical step response in y t. Its inverse is Lambert's W: y t = -1 - W(-(1 - x)/e), branch -1. */
static double critical_step(double u)
{
    return 1 - (1 + u) * exp(-u);
}

static void critical_has_its_closed_form(void **state)
{
    (void)state;
    static const double halflives[] = { 1e-6, 0.1, 1e6 };
    double rise = root(critical_step, 0.9, 0, 50) - root(critical_step, 0.1, 0, 50);
    double settling = root(critical_step, 0.98, 0, 50);
    near(settling, 5.833920, 1e-6, "Lambert"); /* -1 - W(-0.02/e) */
    for (size_t i = 0; i < 3; i++) {
        char words[64];
        snprintf(words, sizeof words, "halflife=%.17g", halflives[i]);
        double y = 2 * log(2) / halflives[i];
        struct response_summary s = summary("critical", words);
        near(s.lag, 2 / y, 1e-7, "lag");
        near(s.rise, rise / y, 1e-7, "rise time");
        near(s.settling, settling / y, 1e-7, "settling time");
        near(s.frequency, y * sqrt(sqrt(2) - 1) / (2 * M_PI), 1e-7, "-3 dB frequency");
        assert_true(s.overshoot == 0);
    }
}

static double w, z, r; /* of the second-order filter under test */

static double second_order_step(double t)
{
    double wd = w * sqrt(1 - z * z);
    return 1 - exp(-z * w * t) * (cos(wd * t) + (z * w - r * z * w) / wd * sin(wd * t));
}

static void second_order_has_its_closed_form(void **state)
{
    (void)state;
    static const double all[][3] = {
        { 2, 0.5, 0 }, { 1, 0.3, 0 }, { 3, 0.7, 0 }, { 2, 0.5, -2 }, { 0.01, 0.6, 1 }
    };
    for (size_t i = 0; i < 5; i++) {
        char words[96];
        snprintf(words, sizeof words, "frequency=%g damping-ratio=%g response=%g", all[i][0], all[i][1],
                 all[i][2]);
        w = 2 * M_PI * all[i][0];
        z = all[i][1];
        r = all[i][2];
        struct response_summary s = summary("second-order", words);
        double k1 = 2 * z / w, k3 = r * z / w, end = 30 / (z * w), top = 0, before = 0, outside = 0;
        for (double t = 0; t < end; t += end / 1e6) {
            double x = second_order_step(t);
            top = fmax(top, x);
            if (fabs(x - 1) > 0.02)
                outside = t;
            before = x;
        }
        near(before, 1, 1e-6, "rest");
        near(s.lag, k1 - k3, 1e-6, "lag");
        near(s.overshoot, top - 1, 1e-6, "overshoot");
        near(s.settling, outside, 2e-4, "settling time");
        if (r == 0) {
            near(s.overshoot, exp(-M_PI * z / sqrt(1 - z * z)), 1e-6, "overshoot");
            double q = 1 - 2 * z * z;
            near(s.frequency, w * sqrt(q + sqrt(q * q + 1)) / (2 * M_PI), 1e-6, "-3 dB frequency");
            double peak = M_PI / (w * sqrt(1 - z * z));
            near(s.rise, root(second_order_step, 0.9, 0, peak) - root(second_order_step, 0.1, 0, peak), 1e-4,
                 "rise time");
        }
    }
}

static void no_damping_no_rest(void **state)
{
    (void)state;
    struct response_summary s = summary("spring", "frequency=1 damping-ratio=0");
    assert_true(isnan(s.settling));
    near(s.overshoot, 1, 1e-6, "overshoot");
    near(s.frequency, sqrt(1 + sqrt(2)), 1e-6, "-3 dB frequency");
}

static double _Complex transfer(const char *name, double f)
{
    double _Complex p = 2 * M_PI * f * I;
    double rate = log(2) / 0.1, y = 2 * log(2) / 0.1, wn = 2 * M_PI * 2, k1 = 2 * 0.5 / wn,
           k2 = 1 / (wn * wn);
    if (strcmp(name, "damper") == 0)
        return rate / (rate + p);
    if (strcmp(name, "critical") == 0)
        return y * y / ((p + y) * (p + y));
    if (strcmp(name, "double") == 0)
        return cpow(2 * y / (p + 2 * y), 4);
    return (1 - 2 * (0.5 / wn) * p) / (1 + k1 * p + k2 * p * p);
}

static void tones_have_their_closed_form(void **state)
{
    (void)state;
    static const char *const all[][2] = { { "damper", "halflife=0.1" },
                                          { "critical", "halflife=0.1" },
                                          { "double", "halflife=0.1" },
                                          { "second-order", "frequency=2 damping-ratio=0.5 response=-2" } };
    for (size_t i = 0; i < 4; i++) {
        const struct filter *filter = find(all[i][0]);
        void *settings = harness_good(filter, all[i][1]);
        struct response rows;
        struct frequency_response t;
        rows = (struct response){ .filter = filter, .settings = settings };
        frequency_response_make(&t, filter, settings, 1e-7);
        for (double f = 0.01; f < 200; f *= 1.5) {
            double _Complex got = frequency_response_at(&t, f), want = transfer(all[i][0], f);
            /* rows of 1e-7 s turn a tone of 200 Hz by 1e-4; rounding is 1e-16 f/rate less */
            if (cabs(got - want) > 1.3e-6 * f * cabs(want) + 1e-7)
                fail_msg("%s at %g Hz: %g%+gi, not %g%+gi", all[i][0], f, creal(got), cimag(got), creal(want),
                         cimag(want));
        }
        free(rows.settings);
        response_close(&rows);
    }
}

static const char *const linear[][2] = { { "damper", "halflife=0.1" },
                                         { "damper", "method=lerp factor=0.1" },
                                         { "critical", "halflife=0.1" },
                                         { "critical", "halflife=0.1 goal-velocity=difference" },
                                         { "critical", "halflife=0.1 hold=linear" },
                                         { "spring", "frequency=1 damping-ratio=0.2" },
                                         { "second-order", "frequency=2 damping-ratio=0.5 response=-2" },
                                         { "second-order",
                                           "frequency=2 damping-ratio=0.5 response=1 method=pole-zero" },
                                         { "double", "halflife=0.1" },
                                         { "tracking", "" },
                                         { "tracking", "acceleration-gain=.5 position-gain=.1" },
                                         { "tracking", "method=gain acceleration-gain=.5" },
                                         { "tracking", "method=halflife" },
                                         { "tracking", "method=spring-damper" } };
enum { NLINEAR = sizeof linear / sizeof *linear };

/* What the rows themselves do to a sampled tone, once it has lasted, is what the matrices say. */
static void tones_are_those_of_the_rows(void **state)
{
    (void)state;
    for (size_t i = 0; i < NLINEAR; i++) {
        const struct filter *filter = find(linear[i][0]);
        void *settings = harness_good(filter, linear[i][1]);
        struct response rows;
        struct frequency_response t;
        rows = (struct response){ .filter = filter, .settings = settings };
        frequency_response_make(&t, filter, settings, 1. / 60);
        for (double f = 0.5; f < 30; f += 3.5) {
            double _Complex sum = 0;
            enum { WARM = 6000, LAST = 1200 }; /* whole turns: f is a multiple of 0.05 Hz */
            response_start(&rows, 60);
            for (int n = 1; n <= WARM + LAST; n++) {
                response_row(&rows, cos(2 * M_PI * f * n / 60));
                if (n > WARM)
                    sum += rows.out[0] * cexp(-2 * M_PI * f * n / 60 * I) * 2 / LAST;
            }
            if (cabs(sum - frequency_response_at(&t, f)) > 1e-9)
                fail_msg("%s %s at %g Hz", linear[i][0], linear[i][1], f);
        }
        free(rows.settings);
        response_close(&rows);
    }
}

/* The lag behind a ramp that has lasted. */
static void ramp_agrees_with_the_rest(void **state)
{
    (void)state;
    for (size_t i = 0; i < NLINEAR; i++) {
        const struct filter *filter = find(linear[i][0]);
        void *settings = harness_good(filter, linear[i][1]);
        struct response a = { .filter = filter, .settings = settings };
        struct frequency_response t;
        frequency_response_make(&t, filter, settings, 1. / 60);
        response_start(&a, 60);
        for (double n = 1; n <= 3000; n++)
            response_row(&a, n / 60);
        if (fabs(3000.0 / 60 - a.out[0] - frequency_response_lag(&t)) > 1e-10)
            fail_msg("%s %s: lag %.12g, not %.12g", linear[i][0], linear[i][1], frequency_response_lag(&t),
                     3000.0 / 60 - a.out[0]);
        free(a.settings);
        response_close(&a);
    }
}

static void what_has_no_time_of_its_own_goes_by_rows(void **state)
{
    (void)state;
    const struct filter *filter = find("damper");
    void *settings = harness_good(filter, "method=lerp factor=0.1");
    struct response rows;
    rows = (struct response){ .filter = filter, .settings = settings };
    assert_false(response_extent(&rows, 60));
    near(rows.extent, 1.5 * 38 / 60, 1e-9, "38 rows"); /* 0.9^38 < 0.02 */
    free(rows.settings);
    response_close(&rows);
}

/* A response has room for every linear filter. */
static void linear_filters_are_small(void **state)
{
    (void)state;
    for (size_t i = 0; i < NLINEAR; i++) {
        const struct filter *filter = find(linear[i][0]);
        void *settings = harness_good(filter, linear[i][1]);
        struct shape shape = filter_shape(filter, settings);
        assert_true(shape.nstate <= FILTER_MAXSTATE && shape.nout <= FILTER_MAXOUT);
        assert_true(shape.nstep <= FILTER_MAXSTEP);
        free(settings);
    }
}

/* A long curve keeps its extremes, in order, and its gaps. */
static void curves_keep_their_extremes(void **state)
{
    (void)state;
    struct envelope c = { 0 };
    uint64_t seed = 1;
    double low = INFINITY, high = -INFINITY;
    for (int i = 0; i < 1000003; i++) {
        double y = i >= 400000 && i < 500000 ? (double)NAN : harness_noise(&seed) * (i % 1000 == 7 ? 5 : 1);
        envelope_add(&c, i, y);
        low = fmin(low, y);
        high = fmax(high, y);
    }
    assert_true(c.npart <= ENVELOPE_PARTS && c.npart > ENVELOPE_PARTS / 3);
    double found_low = INFINITY, found_high = -INFINITY;
    size_t gaps = 0;
    for (size_t i = 0; i < c.npart; i++) {
        found_low = fmin(found_low, c.part[i].low);
        found_high = fmax(found_high, c.part[i].high);
        gaps += isnan(c.part[i].low) != 0;
        assert_true(i == 0 || c.part[i].low_t > fmin(c.part[i - 1].low_t, c.part[i - 1].high_t));
    }
    assert_true(found_low == low && found_high == high);
    assert_true(gaps > c.npart / 12 && gaps < c.npart / 8);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(damper_has_its_closed_form),
        cmocka_unit_test(critical_has_its_closed_form),
        cmocka_unit_test(second_order_has_its_closed_form),
        cmocka_unit_test(no_damping_no_rest),
        cmocka_unit_test(tones_have_their_closed_form),
        cmocka_unit_test(tones_are_those_of_the_rows),
        cmocka_unit_test(ramp_agrees_with_the_rest),
        cmocka_unit_test(what_has_no_time_of_its_own_goes_by_rows),
        cmocka_unit_test(linear_filters_are_small),
        cmocka_unit_test(curves_keep_their_extremes),
    };
    return cmocka_run_group_tests_name("response", tests, NULL, NULL);
}
