/* one-euro: against its definition in long double (both methods, both speeds), and the damper. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include "unit/harness.h"

extern const struct filter filter_damper, filter_one_euro;

enum { MAXROW = 48001, VALUE = 0, VELOCITY, ACCELERATION, NOUT };

static double T[MAXROW + 1], goal[MAXROW + 1], columns[2][NOUT][MAXROW];
static double *const out[NOUT] = { columns[0][0], columns[0][1], columns[0][2] };
static double *const out2[NOUT] = { columns[1][0], columns[1][1], columns[1][2] };

struct cutoffs {
    double min, beta, derivative;
    bool published, input_speed;
};

static void run(const struct filter *f, const char *words, size_t n, double *const *to)
{
    void *settings = harness_good(f, words);
    harness_run(f, settings, n, T, goal, NULL, to);
    free(settings);
}

static void run_one_euro(struct cutoffs c, size_t n, double *const *to)
{
    char words[200];
    snprintf(words, sizeof words, "min-cutoff=%.17g beta=%.17g derivative-cutoff=%.17g method=%s speed=%s",
             c.min, c.beta, c.derivative, c.published ? "published" : "exact",
             c.input_speed ? "input" : "output");
    run(&filter_one_euro, words, n, to);
}

/* A slow and a fast sine, with noise, at so many rows per second; uneven rows are about as many, and jump. */
static void make_input(size_t n, double rate, double noise, bool even)
{
    uint64_t seed = 5;
    double t = 0;
    for (size_t i = 0; i <= n; i++) {
        double gap = even ? 1 : .2 + 3 * harness_noise(&seed);
        t += T[i] = gap / rate;
        goal[i] = sin(t) + .1 * sin(20 * t) + (t > 2 && !even ? 3 : 0) + noise * (harness_noise(&seed) - .5);
    }
}

/* Algorithm 1 of the paper: the value after each row, with the given factor of a damper's step. */
typedef long double factor_of_step(long double cutoff, long double step);

static long double published(long double cutoff, long double step)
{
    return 1 / (1 + 1 / (2 * acosl(-1) * cutoff * step));
}

static long double exact(long double cutoff, long double step)
{
    return -expm1l(-2 * acosl(-1) * cutoff * step);
}

static void reference(struct cutoffs c, factor_of_step *factor, size_t n, double *const *to)
{
    long double value = goal[0], derivative = 0, velocity = 0;
    to[VALUE][0] = goal[0];
    to[VELOCITY][0] = to[ACCELERATION][0] = 0;
    for (size_t i = 1; i < n; i++) {
        long double h = T[i], last = velocity;
        long double raw = (goal[i] - (c.input_speed ? (long double)goal[i - 1] : value)) / h;
        long double a = factor(c.derivative, h);
        derivative = a * raw + (1 - a) * derivative;
        long double cutoff = c.min + c.beta * fabsl(derivative);
        a = factor(cutoff, h);
        value = a * goal[i] + (1 - a) * value;
        velocity = 2 * acosl(-1) * cutoff * (goal[i] - value);
        to[VALUE][i] = (double)value;
        to[VELOCITY][i] = (double)velocity;
        to[ACCELERATION][i] = (double)((velocity - last) / h);
    }
}

static double largest_difference(const double *a, const double *b, size_t n)
{
    double most = 0;
    for (size_t i = 0; i < n; i++)
        most = fmax(most, fabs(a[i] - b[i]));
    return most;
}

static void follows_its_definition(void **unused)
{
    (void)unused;
    enum { N = 3000 };
    static const double cutoffs[] = { 1e-6, .01, 1, 20 }, betas[] = { 0, .007, 1, 100 };
    double miss[NOUT] = { 0 };
    make_input(N, 120, .05, false);
    for (size_t m = 0; m < 4; m++)
        for (size_t b = 0; b < 4; b++)
            for (size_t d = 1; d < 4; d++) {
                for (int form = 0; form < 4; form++) {
                    struct cutoffs c = { cutoffs[m], betas[b], cutoffs[d], form & 1, form & 2 };
                    run_one_euro(c, N, out);
                    reference(c, c.published ? published : exact, N, out2);
                    for (size_t o = 0; o < NOUT; o++)
                        miss[o] = fmax(miss[o], largest_difference(out[o], out2[o], N) /
                                                    (o == 0 ? 4 : harness_largest(out2[o], N)));
                }
            }
    print_message("largest error: value %.2g velocity %.2g acceleration %.2g\n", miss[0], miss[1], miss[2]);
    for (size_t o = 0; o < NOUT; o++)
        assert_true(miss[o] <= 1e-12);
}

/* Of first order in the step without beta; with it a little less, as the cutoff grows with the row rate. */
static void agrees_with_the_published_form_for_short_steps(void **unused)
{
    (void)unused;
    static const struct cutoffs settings[] = { { 1, 0, 1, false, false },
                                               { 1, .1, 1, false, false },
                                               { .5, 2, 3, false, false } };
    for (size_t s = 0; s < 3; s++) {
        double last = 0;
        for (double rate = 120; rate <= 12000; rate *= 10) {
            size_t n = (size_t)(4 * rate);
            make_input(n, rate, 0, true);
            run_one_euro(settings[s], n, out);
            reference(settings[s], published, n, out2);
            double miss = largest_difference(out[VALUE], out2[VALUE], n);
            print_message("beta %g at %g Hz: %.2g from the published form\n", settings[s].beta, rate, miss);
            assert_true(miss > 0 && (last == 0 || miss < last / 5));
            last = miss;
        }
        assert_true(last < 1e-3);
    }
}

/* What the authors show: 10 seconds of a noisy sine at 120 Hz. */
static void smooths_a_tracker_as_published(void **unused)
{
    (void)unused;
    enum { N = 1200 };
    const struct cutoffs c = { 1, .1, 1, false, false };
    uint64_t seed = 3;
    double clean[N], error = 0, noise = 0;
    for (size_t i = 0; i <= N; i++) {
        T[i] = 1. / 120;
        double at = sin((double)i / 120);
        goal[i] = at + .2 * (harness_noise(&seed) - .5);
        if (i < N)
            clean[i] = at;
    }
    run_one_euro(c, N, out);
    reference(c, published, N, out2);
    assert_true(largest_difference(out[VALUE], out2[VALUE], N) < .005);
    for (size_t i = 0; i < N; i++) { /* jitter, as the change from row to row */
        noise = fmax(noise, i ? fabs(goal[i] - goal[i - 1]) : 0);
        error = fmax(error, i ? fabs(out[VALUE][i] - out[VALUE][i - 1] - (clean[i] - clean[i - 1])) : 0);
    }
    assert_true(error < noise / 8);
}

/* The same input at more rows per second: with the speed of the input the output tends to a limit. The rows
 * of all rates have the rows of the first among them. */
static void the_speed_of_the_input_does_not_depend_on_the_row_rate(void **unused)
{
    (void)unused;
    double moved[2][2]; /* by 10 times as many rows: [speed][finer] */
    for (int speed = 0; speed < 2; speed++) {
        double before[4 * 120], miss = 0;
        for (int k = 0; k < 3; k++) {
            size_t every = (size_t)lround(pow(10, k)), n = 4 * 120 * every;
            make_input(n, 120. * (double)every, 0, true);
            run_one_euro((struct cutoffs){ 1, 1, 1, false, speed }, n, out);
            miss = 0;
            for (size_t i = 0; i < 4 * 120; i++) {
                double x = out[VALUE][(i + 1) * every - 1]; /* row 0 is at 1/rate */
                miss = k > 0 && i > 10 ? fmax(miss, fabs(x - before[i])) : miss;
                before[i] = x;
            }
            if (k > 0)
                moved[speed][k - 1] = miss;
        }
    }
    print_message("10 and 100 times the rows: output %.2g %.2g, input %.2g %.2g\n", moved[0][0], moved[0][1],
                  moved[1][0], moved[1][1]);
    assert_true(moved[0][1] > .02);             /* the published speed goes on growing */
    assert_true(moved[1][1] < moved[1][0] / 5); /* of first order in the time step */
}

/* In a gap the goal stands still, and behind it the speed is the way over the whole gap. */
static void the_speed_behind_a_gap_is_that_over_the_gap(void **unused)
{
    (void)unused;
    enum { N = 6 };
    unsigned char flags[N] = { FLAG_START, 0, FLAG_GAP, FLAG_GAP, 0, 0 };
    const double goals[N + 1] = { 0, 1, 1, 1, 9, 10, 10 };
    const double speeds[N] = { 0, 10, 0, 0, 8 / .3, 10 }; /* steps of 0.1 s */
    long double value = 0, smooth = 0;
    void *settings = harness_good(&filter_one_euro, "min-cutoff=1 beta=0.5 derivative-cutoff=2 speed=input");
    for (size_t i = 0; i <= N; i++) {
        T[i] = .1;
        goal[i] = goals[i];
    }
    harness_run(&filter_one_euro, settings, N, T, goal, flags, out);
    free(settings);
    for (size_t i = 1; i < N; i++) {
        smooth += exact(2, .1L) * (speeds[i] - smooth);
        value += exact(1 + .5L * fabsl(smooth), .1L) * (goals[i] - value);
        assert_true(fabs(out[VALUE][i] - (double)value) < 1e-14 * 10);
    }
}

static void is_a_damper_without_beta(void **unused)
{
    (void)unused;
    enum { N = 3000 };
    make_input(N, 60, .05, false);
    run_one_euro((struct cutoffs){ 1.5, 0, 1, false, false }, N, out);
    char words[40];
    snprintf(words, sizeof words, "lag=%.17g", 1 / (2 * M_PI * 1.5));
    run(&filter_damper, words, N, out2);
    for (size_t o = 0; o < NOUT; o++)
        assert_true(largest_difference(out[o], out2[o], N) <= 1e-12 * fmax(1, harness_largest(out2[o], N)));
}

/* A larger unit, and beta by as much: the same; to the bit for powers of two. */
static void scaled_input_needs_scaled_beta(void **unused)
{
    (void)unused;
    enum { N = 3000 };
    make_input(N, 120, .05, false);
    run_one_euro((struct cutoffs){ .5, .25, 1, false, false }, N, out);
    for (size_t i = 0; i <= N; i++)
        goal[i] *= -1024;
    run_one_euro((struct cutoffs){ .5, .25 / 1024, 1, false, false }, N, out2);
    for (size_t o = 0; o < NOUT; o++)
        for (size_t i = 0; i < N; i++)
            assert_true(out2[o][i] == -1024 * out[o][i]);
    run_one_euro((struct cutoffs){ .5, .25, 1, false, false }, N, out2);
    assert_true(largest_difference(out2[VALUE], goal, N) < 1024 * largest_difference(out[VALUE], goal, N));
}

static void constants_stay(void **unused)
{
    (void)unused;
    enum { N = 500 };
    make_input(N, 120, 0, false);
    for (size_t i = 0; i <= N; i++)
        goal[i] = .1;
    run_one_euro((struct cutoffs){ 1, 5, 1, false, false }, N, out);
    for (size_t i = 0; i < N; i++)
        assert_true(out[VALUE][i] == .1 && out[VELOCITY][i] == 0 && out[ACCELERATION][i] == 0);
}

static void is_finite_everywhere(void **unused)
{
    (void)unused;
    enum { N = 100 };
    static const double cutoffs[] = { 1e-140, 1e-9, 1, 1e9, 1e140 }, betas[] = { 0, 1e-9, 1, 1e308 };
    static const double steps[] = { 1e-300, 1e-9, 1. / 60, 1e6, 1e300 }, sizes[] = { 1e-300, 1, 1e300 };
    for (size_t n = 0; n < 5 * 5 * 4 * 5 * 3 * 4; n++) {
        struct cutoffs c = { cutoffs[n % 5], betas[n / 25 % 4], cutoffs[n / 5 % 5], n / 1500 & 1,
                             n / 1500 & 2 };
        double step = steps[n / 100 % 5], size = sizes[n / 500 % 3];
        for (size_t i = 0; i <= N; i++) {
            T[i] = step;
            goal[i] = size * sin((double)(i * i));
        }
        run_one_euro(c, N, out);
        for (size_t o = 0; o < NOUT; o++)
            for (size_t i = 0; i < N; i++)
                if (!isfinite(out[o][i]) || (o == VALUE && fabs(out[o][i]) > size * (1 + 1e-12)))
                    fail_msg("min %g beta %g derivative %g step %g size %g: row %zu output %zu is %g", c.min,
                             c.beta, c.derivative, step, size, i, o, out[o][i]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(follows_its_definition),
        cmocka_unit_test(agrees_with_the_published_form_for_short_steps),
        cmocka_unit_test(smooths_a_tracker_as_published),
        cmocka_unit_test(the_speed_of_the_input_does_not_depend_on_the_row_rate),
        cmocka_unit_test(the_speed_behind_a_gap_is_that_over_the_gap),
        cmocka_unit_test(is_a_damper_without_beta),
        cmocka_unit_test(scaled_input_needs_scaled_beta),
        cmocka_unit_test(constants_stay),
        cmocka_unit_test(is_finite_everywhere),
    };
    return cmocka_run_group_tests_name("one-euro", tests, NULL, NULL);
}
