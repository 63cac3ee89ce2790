/* Zero phase over arrays on the stack: numbers against the filter's gain, rotations against numbers, and what
 * holds for every filter. */
#include "unit/harness.h"
#include "whole/choose_halflife.h"
#include "whole/noise.h"
#include "whole/odd_extension.h"

extern const struct filter filter_critical, filter_damper, filter_spring;

enum { N = 60 };

/* Steps of so many lengths, as if drawn. */
static void make_steps(double T[N], bool even)
{
    static const double length[] = { 0.01, 0.03, 0.004, 0.017, 0.08 };
    T[0] = NAN; /* not used */
    for (int k = 1; k < N; k++)
        T[k] = even ? 1. / 60 : length[k * k % 7 % 5];
}

/* Noise between -1 and 1. */
static double draw(uint32_t *state)
{
    *state = *state * 1664525 + 1013904223;
    return (double)*state / 2147483648. - 1;
}

static void filter_array(const struct filter *filter, const char *words, const struct samples *run,
                         double x[3][N])
{
    struct error e;
    void *settings = harness_good(filter, words);
    struct zero_phase *z = zero_phase_make(filter, run->n, run->width, &e);
    zero_phase_use(z, settings, NAN);
    assert_int_equal(zero_phase_run(z, run).reason, ZERO_PHASE_GOOD);
    for (unsigned derivative = 0; derivative < 3; derivative++) {
        if (derivative > 0)
            zero_phase_derive(z, derivative);
        for (size_t k = 0; k < run->n; k++) {
            double got[4];
            zero_phase_get(z, derivative, k, got);
            x[derivative][k] = got[0];
        }
    }
    zero_phase_free(z);
    free(settings);
}

/* What a filter makes of a sine that goes on for ever: its impulse response, summed up. */
static double square_gain(const struct filter *filter, const char *words, double T, double omega)
{
    enum { LONG = 20000 };
    static double steps[LONG], goal[LONG], out[3][LONG];
    double *const outs[3] = { out[0], out[1], out[2] }, re = 0, im = 0;
    void *settings = harness_good(filter, words);
    for (size_t k = 0; k < LONG; k++) {
        steps[k] = T;
        goal[k] = k == 1; /* row 0 starts at 0 */
    }
    harness_run(filter, settings, LONG, steps, goal, NULL, outs);
    for (size_t k = 1; k < LONG; k++) {
        re += out[0][k] * cos(omega * T * (double)k);
        im += out[0][k] * sin(omega * T * (double)k);
    }
    free(settings);
    return re * re + im * im;
}

/* Sines that are 0 at both ends go on as sines when they are reflected, and two passes multiply each by the
 * square of the filter's gain. */
static void a_sine_is_multiplied_by_the_square_of_the_gain(void **state)
{
    (void)state;
    static const struct {
        const struct filter *filter;
        const char *words;
    } ways[] = { { &filter_critical, "halflife=0.02" },
                 { &filter_critical, "halflife=3" },
                 { &filter_damper, "halflife=0.1 hold=linear" },
                 { &filter_spring, "frequency=2 damping-ratio=0.05" } };
    const double T = 1. / 60;
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++)
        for (int waves = 1; waves < N - 1; waves = 2 * waves + 1) {
            struct error e;
            double goal[N], omega = M_PI * waves / (N - 1) / T, most = 0;
            void *settings = harness_good(ways[i].filter, ways[i].words);
            struct odd_extension *x = odd_extension_make(ways[i].filter, N, SAMPLE_NUMBER, &e);
            for (int k = 0; k < N; k++)
                goal[k] = k == 0 || k == N - 1 ? 0 : sin(omega * T * k);
            const struct odd_run run = { .step = T, .goal = goal, .last = N - 1, .width = SAMPLE_NUMBER };
            odd_extension_use(x, settings);
            assert_int_equal(odd_extension_filter(x, &run).reason, ZERO_PHASE_GOOD);
            double gain = square_gain(ways[i].filter, ways[i].words, T, omega);
            for (int k = 0; k < N; k++)
                most = fmax(most, fabs(odd_extension_value(x)[k] - gain * goal[k]));
            if (most > 1e-9 * fmax(1, gain))
                fail_msg("%s, %d half waves: off by %g, gain %g", ways[i].words, waves, most, gain);
            odd_extension_free(x);
            free(settings);
        }
}

static void a_line_stays(void **state)
{
    (void)state;
    for (int even = 0; even < 2; even++) {
        double T[N], value[N], x[3][N], t = 0;
        make_steps(T, even);
        for (int k = 0; k < N; k++) {
            t += k ? T[k] : 0;
            value[k] = 3 - 7 * t;
        }
        const struct samples run = { N, SAMPLE_NUMBER, T, value, NULL };
        filter_array(&filter_critical, "halflife=0.1", &run, x);
        for (int k = 0; k < N; k++) {
            assert_true(fabs(x[0][k] - value[k]) < 1e-12);
            assert_true(fabs(x[1][k] + 7) < 1e-10 && fabs(x[2][k]) < 1e-7);
        }
    }
}

static void the_reversed_run_has_the_reversed_result(void **state)
{
    (void)state;
    uint32_t seed = 7;
    double T[N], T_back[N] = { NAN }, value[N], back[N], x[3][N], y[3][N];
    make_steps(T, false);
    for (int k = 0; k < N; k++)
        value[k] = back[N - 1 - k] = sin(k / 5.) + draw(&seed);
    for (int k = 1; k < N; k++)
        T_back[k] = T[N - k];
    const struct samples run = { N, SAMPLE_NUMBER, T, value, NULL },
                         reversed = { N, SAMPLE_NUMBER, T_back, back, NULL };
    static const char *const springs[] = { "frequency=3 damping-ratio=0.5",
                                           "frequency=12 damping-ratio=0.7" };
    for (int i = 0; i < 2; i++) {
        filter_array(&filter_spring, springs[i], &run, x);
        filter_array(&filter_spring, springs[i], &reversed, y);
        for (int k = 0; k < N; k++) {
            assert_true(fabs(x[0][k] - y[0][N - 1 - k]) < 1e-11);
            assert_true(fabs(x[1][k] + y[1][N - 1 - k]) < 1e-8);
        }
    }
}

/* Butterworth's spring, damping ratio 1/sqrt 2, leaves a parabola as it is, but for what the hold adds at
 * even steps: c T^2 / 12 or a little less. Odd reflection alone leaves ten times that next to the ends, and
 * so do runs that are too short for more. */
static void a_parabola_stays_up_to_its_ends(void **state)
{
    (void)state;
    double T[N], value[N], x[3][N];
    make_steps(T, true);
    for (int k = 0; k < N; k++)
        value[k] = 3 - 7 * k * T[1] + 100 * (k * T[1]) * (k * T[1]);
    double hold = 200 * T[1] * T[1] / 12;
    for (size_t n = 12; n <= N; n++) {
        const struct samples run = { n, SAMPLE_NUMBER, T, value, NULL };
        double most = 0;
        filter_array(&filter_spring, "frequency=6 damping-ratio=0.7071067811865476", &run, x);
        for (size_t k = 0; k < n; k++)
            most = fmax(most, fabs(x[0][k] - value[k]));
        if (!(most < (n < 30 ? 11 : n < 50 ? 3.5 : 2) * hold))
            fail_msg("%zu samples: off by %g, the hold adds %g", n, most, hold);
        if (n == N)
            assert_true(fabs(x[0][N / 2] - value[N / 2] - hold) < 0.1 * hold);
    }
}

static void missing_samples_are_on_the_line_between_their_neighbours(void **state)
{
    (void)state;
    uint32_t seed = 9;
    double T[N], value[N], filled[N], t[N] = { 0 }, x[3][N], y[3][N];
    make_steps(T, false);
    for (int k = 0; k < N; k++) {
        t[k] = k ? t[k - 1] + T[k] : 0;
        value[k] = filled[k] = draw(&seed);
    }
    for (int k = 20; k < 25; k++) {
        value[k] = NAN;
        filled[k] = value[19] + (filled[25] - value[19]) * (t[k] - t[19]) / (t[25] - t[19]);
    }
    const struct samples gap = { N, SAMPLE_NUMBER, T, value, NULL },
                         full = { N, SAMPLE_NUMBER, T, filled, NULL };
    filter_array(&filter_critical, "halflife=0.05", &gap, x);
    filter_array(&filter_critical, "halflife=0.05", &full, y);
    for (int k = 0; k < N; k++)
        assert_true(fabs(x[0][k] - y[0][k]) < 1e-13);
}

/* Turns about one axis: the angle is filtered like a number. */
static void compare_rotations(const struct filter *filter, const char *words)
{
    const double axis[3] = { 2. / 3, -1. / 3, 2. / 3 };
    for (int even = 0; even < 2; even++) {
        uint32_t seed = 3;
        struct error e;
        double T[N], angle[N], q[N][4], x[3][N];
        make_steps(T, even);
        for (int k = 0; k < N; k++) {
            angle[k] = k == 30 || k == 31 ? (double)NAN : 2 * sin(k / 9.) + 0.02 * draw(&seed);
            q[k][0] = cos(angle[k] / 2);
            for (int c = 0; c < 3; c++)
                q[k][c + 1] = sin(angle[k] / 2) * axis[c];
        }
        const struct samples number = { N, SAMPLE_NUMBER, T, angle, NULL },
                             rotation = { N, SAMPLE_ROTATION, T, q[0], NULL };
        filter_array(filter, words, &number, x);
        void *settings = harness_good(filter, words);
        struct zero_phase *z = zero_phase_make(filter, N, SAMPLE_ROTATION, &e);
        zero_phase_use(z, settings, NAN);
        assert_int_equal(zero_phase_run(z, &rotation).reason, ZERO_PHASE_GOOD);
        for (size_t k = 0; k < N; k++) {
            double got[4];
            zero_phase_get(z, 0, k, got);
            double sine = got[1] * axis[0] + got[2] * axis[1] + got[3] * axis[2];
            assert_true(fabs(2 * atan2(sine, got[0]) - x[0][k]) < 1e-9);
            assert_false(zero_phase_unchanged(z, k));
        }
        for (unsigned derivative = 1; derivative < 3; derivative++) {
            zero_phase_derive(z, derivative);
            for (size_t k = 0; k < N; k++) {
                double got[4];
                zero_phase_get(z, derivative, k, got);
                for (int c = 0; c < 3; c++)
                    assert_true(fabs(got[c] - x[derivative][k] * axis[c]) < (derivative == 1 ? 1e-6 : 1e-3));
            }
        }
        zero_phase_free(z);
        free(settings);
    }
}

static void rotations_about_one_axis_are_numbers(void **state)
{
    (void)state;
    compare_rotations(&filter_critical, "halflife=0.1");
    compare_rotations(&filter_spring, "frequency=5 damping-ratio=0.7071067811865476");
}

/* A motion about two axes: next to the ends the result is nearer to the motion than in the middle (0.67).
 * Without the bend of the extension it is 1.45 times as far, and with the product of bend and reflection
 * instead of the sum of their vectors 0.77 times. */
static void rotations_about_two_axes_keep_their_ends(void **state)
{
    (void)state;
    enum { NEAR = 10 };
    double squares[2] = { 0 }, T[N];
    make_steps(T, true);
    void *settings = harness_good(&filter_spring, "frequency=6 damping-ratio=0.7071067811865476");
    for (int i = 0; i < 8; i++) {
        struct error e;
        double q[N][4];
        for (int k = 0; k < N; k++) {
            double a = 0.3 * sin(k / 5. + i), b = 0.3 * cos(k / 6. - i);
            const double motion[4] = { cos(a) * cos(b), sin(a) * cos(b), cos(a) * sin(b), sin(a) * sin(b) };
            memcpy(q[k], motion, sizeof motion);
        }
        const struct samples run = { N, SAMPLE_ROTATION, T, q[0], NULL };
        struct zero_phase *z = zero_phase_make(&filter_spring, N, SAMPLE_ROTATION, &e);
        zero_phase_use(z, settings, NAN);
        assert_int_equal(zero_phase_run(z, &run).reason, ZERO_PHASE_GOOD);
        for (size_t k = 0; k < NEAR; k++) {
            squares[0] += zero_phase_square(z, k) + zero_phase_square(z, N - 1 - k);
            squares[1] += 2 * zero_phase_square(z, N / 2 - NEAR / 2 + k);
        }
        zero_phase_free(z);
    }
    free(settings);
    assert_true(sqrt(squares[0] / squares[1]) < 0.72);
}

/* What is kept from run to run belongs to the steps of the run: runs of several steps in turn have the
 * results that each run alone has. The second even run has steps of its own in another array. */
static void runs_in_turn_have_their_own_steps(void **state)
{
    (void)state;
    enum { RUNS = 5 };
    uint32_t seed = 8;
    struct error e;
    double steps[RUNS][N], value[N], x[3][N], got[4];
    make_steps(steps[0], false);
    make_steps(steps[1], true);
    make_steps(steps[2], true);
    for (int k = 0; k < N; k++) {
        steps[3][k] = 1. / 30;
        steps[4][k] = steps[0][N - 1 - k] + 0.001;
        value[k] = draw(&seed);
    }
    steps[4][N - 1] = 0.01;
    void *settings = harness_good(&filter_critical, "halflife=0.05");
    struct zero_phase *z = zero_phase_make(&filter_critical, N, SAMPLE_NUMBER, &e);
    zero_phase_use(z, settings, NAN);
    for (int i = 0; i < RUNS * RUNS; i++) {
        const struct samples run = { N, SAMPLE_NUMBER, steps[i % 2 ? i / RUNS : i % RUNS], value, NULL };
        filter_array(&filter_critical, "halflife=0.05", &run, x);
        assert_int_equal(zero_phase_run(z, &run).reason, ZERO_PHASE_GOOD);
        for (size_t k = 0; k < N; k++) {
            zero_phase_get(z, 0, k, got);
            assert_true(got[0] == x[0][k]);
        }
    }
    zero_phase_free(z);
    free(settings);
}

static void faults_tell_the_sample(void **state)
{
    (void)state;
    struct error e;
    double T[N], value[N];
    make_steps(T, false);
    for (int k = 0; k < N; k++)
        value[k] = k == 40 ? 1.7e308 : k == 41 ? -1.7e308 : 0;
    const struct samples run = { N, SAMPLE_NUMBER, T, value, NULL };
    void *settings = harness_good(&filter_critical, "halflife=0.01");
    struct zero_phase *z = zero_phase_make(&filter_critical, N, SAMPLE_NUMBER, &e);
    zero_phase_use(z, settings, NAN);
    struct zero_phase_fault fault = zero_phase_run(z, &run);
    assert_int_equal(fault.reason, ZERO_PHASE_TOO_LARGE);
    assert_true(fault.sample < N);
    value[40] = value[41] = 1;
    assert_int_equal(zero_phase_run(z, &run).reason, ZERO_PHASE_GOOD);
    zero_phase_free(z);
    free(settings);

    settings = harness_good(&filter_spring, "stiffness=1000000 damping=0.001 method=euler");
    z = zero_phase_make(&filter_spring, N, SAMPLE_NUMBER, &e);
    zero_phase_use(z, settings, NAN);
    assert_int_equal(zero_phase_run(z, &run).reason, ZERO_PHASE_NO_REST);
    zero_phase_free(z);
    free(settings);
}

/* One sample, and two: nothing is left to filter. */
static void short_runs_stay(void **state)
{
    (void)state;
    const double T[2] = { NAN, 0.1 }, value[2] = { 4, -3 };
    double x[3][N];
    for (size_t n = 1; n <= 2; n++) {
        const struct samples run = { n, SAMPLE_NUMBER, T, value, NULL };
        filter_array(&filter_critical, "halflife=0.1", &run, x);
        for (size_t k = 0; k < n; k++) {
            assert_true(x[0][k] == value[k] && x[2][k] == 0);
            assert_true(fabs(x[1][k] - (n == 2 ? -70 : 0)) < 1e-12);
        }
    }
}

/* --- --halflife auto --- */

enum { LONG = 600 };

/* RMS error of the result with that half-life over two runs. */
static double error_of(struct zero_phase *z, const void *settings, const struct samples *all,
                       const double truth[LONG], double halflife)
{
    const struct sample_run runs[2] = { { 0, 299 }, { 310, LONG - 1 } };
    double square = 0;
    zero_phase_use(z, settings, halflife);
    for (int i = 0; i < 2; i++) {
        const struct samples run = samples_of_run(all, runs[i]);
        assert_int_equal(zero_phase_run(z, &run).reason, ZERO_PHASE_GOOD);
        for (size_t k = 0; k < run.n; k++) {
            double x[4];
            zero_phase_get(z, 0, k, x);
            square += pow(x[0] - truth[runs[i].first + k], 2);
        }
    }
    return sqrt(square / LONG);
}

static void the_half_life_suits_the_noise(void **state)
{
    (void)state;
    struct error e;
    static double T[LONG], truth[LONG], value[LONG];
    struct zero_phase *z = zero_phase_make(&filter_critical, LONG, SAMPLE_NUMBER, &e);
    void *settings = harness_good(&filter_critical, "halflife=inf");
    double before = 0;
    for (double noise = 0.02; noise < 1; noise *= 5) {
        const struct sample_run runs[2] = { { 0, 299 }, { 310, LONG - 1 } };
        uint32_t seed = 12;
        for (int k = 0; k < LONG; k++) {
            T[k] = 1. / 60;
            truth[k] = sin(k / 60. * 2 * M_PI * 0.8) + 0.3 * sin(k / 60. * 2 * M_PI * 1.9);
            double sum = 0;
            for (int i = 0; i < 12; i++)
                sum += draw(&seed) / 2; /* standard deviation 1 */
            value[k] = k >= 300 && k < 310 ? (double)NAN : truth[k] + noise * sum;
        }
        const struct samples all = { LONG, SAMPLE_NUMBER, T, value, NULL };
        double chosen = choose_halflife(z, settings, &all, runs, 2), best = INFINITY;
        for (double halflife = 0.001; halflife < 1; halflife *= 1.05)
            best = fmin(best, error_of(z, settings, &all, truth, halflife));
        assert_true(chosen > before);
        before = chosen;
        if (error_of(z, settings, &all, truth, chosen) > 1.15 * best)
            fail_msg("noise %g: half-life %g, error %g times the least", noise, chosen,
                     error_of(z, settings, &all, truth, chosen) / best);
    }
    zero_phase_free(z);
    free(settings);
}

/* Mallows' Cp of a half-life, without a limit on distances. */
static double score_of(struct zero_phase *z, const void *settings, const struct samples *run, double noise,
                       double halflife)
{
    double square = 0;
    zero_phase_use(z, settings, halflife);
    assert_int_equal(zero_phase_run(z, run).reason, ZERO_PHASE_GOOD);
    for (size_t k = 0; k < run->n; k++)
        square += zero_phase_square(z, k);
    return square / (double)run->n + 2 * noise * zero_phase_own_part(z);
}

/* The score of the chosen half-life against the scores of half-lives in steps of 7 percent; noise small and
 * large, so that the shortest half-life of the search is chosen, too. */
static void the_choice_has_the_least_score(void **state)
{
    (void)state;
    struct error e;
    enum { SHORT = 200 };
    static double steps[2][SHORT], value[SHORT], room[SHORT];
    struct zero_phase *z = zero_phase_make(&filter_critical, SHORT, SAMPLE_NUMBER, &e);
    void *settings = harness_good(&filter_critical, "halflife=inf");
    for (int k = 0; k < SHORT; k++) {
        steps[0][k] = (1 + k * k % 3) / 120.;
        steps[1][k] = 1. / 60;
    }
    for (double noise = 1e-4; noise < 20; noise *= 10)
        for (int even = 0; even < 2; even++) {
            const double *T = steps[even];
            uint32_t seed = 4;
            for (int k = 0; k < SHORT; k++) {
                value[k] = sin(k / 9.) + 0.5 * sin(k / 31.) + noise * draw(&seed);
            }
            const struct samples all = { SHORT, SAMPLE_NUMBER, T, value, NULL };
            const struct sample_run run = { 0, SHORT - 1 };
            double variance = noise_variance(&(struct noise_samples){ T, { value }, 1, SHORT }, room);
            double chosen = choose_halflife(z, settings, &all, &run, 1), least = INFINITY;
            for (double halflife = 0.0064; halflife < 4; halflife *= 1.07)
                least = fmin(least, score_of(z, settings, &all, variance, halflife));
            double score = score_of(z, settings, &all, variance, chosen);
            if (!(score < 1.003 * least))
                fail_msg("noise %g: half-life %g has the score %g, and the least is %g", noise, chosen, score,
                         least);
        }
    zero_phase_free(z);
    free(settings);
}

static size_t rows_filtered;

static void run_and_count(const struct run *run)
{
    rows_filtered += run->nrow * run->nchannel;
    filter_critical.run(run);
}

/* The choice of a half-life for a long series filters at most 12 times the rows that a given half-life takes;
 * its pieces are no longer in a longer series. */
static void the_choice_filters_few_rows(void **state)
{
    (void)state;
    enum { MOST = 400000 };
    static double T[MOST], value[MOST];
    struct error e;
    struct filter counting = filter_critical;
    uint32_t seed = 5;
    size_t before = 0;
    counting.run = run_and_count;
    void *automatic = harness_good(&filter_critical, "halflife=inf");
    void *given = harness_good(&filter_critical, "halflife=0.05");
    struct zero_phase *z = zero_phase_make(&counting, MOST, SAMPLE_NUMBER, &e);
    for (int k = 0; k < MOST; k++) {
        T[k] = 1. / 60;
        value[k] = sin(k / 20.) + draw(&seed);
    }
    for (size_t n = MOST / 4; n <= MOST; n *= 4) {
        const struct samples all = { n, SAMPLE_NUMBER, T, value, NULL };
        const struct sample_run run = { 0, n - 1 };
        rows_filtered = 0;
        assert_true(choose_halflife(z, automatic, &all, &run, 1) > 0);
        size_t choosing = rows_filtered;
        rows_filtered = 0;
        zero_phase_use(z, given, NAN);
        assert_int_equal(zero_phase_run(z, &all).reason, ZERO_PHASE_GOOD);
        assert_true(choosing > 0 && choosing + rows_filtered <= 12 * rows_filtered);
        assert_true(before == 0 || choosing < 2 * before);
        before = choosing;
    }
    zero_phase_free(z);
    free(automatic);
    free(given);
}

static size_t settings_made;

static bool check_and_count(void *settings, struct error *e)
{
    settings_made++;
    return filter_critical.check(settings, e);
}

/* Every half-life that is tried makes settings of its own. */
static void the_choice_tries_few_halflives(void **state)
{
    (void)state;
    static double T[LONG], value[LONG];
    struct error e;
    struct filter counting = filter_critical;
    counting.check = check_and_count;
    void *automatic = harness_good(&filter_critical, "halflife=inf");
    struct zero_phase *z = zero_phase_make(&counting, LONG, SAMPLE_NUMBER, &e);
    for (int k = 0; k < LONG; k++)
        T[k] = 1. / 60;
    for (double noise = 0.02; noise < 10; noise *= 3) {
        uint32_t seed = 6;
        for (int k = 0; k < LONG; k++)
            value[k] = sin(k / 20.) + noise * draw(&seed);
        const struct samples all = { LONG, SAMPLE_NUMBER, T, value, NULL };
        const struct sample_run run = { 0, LONG - 1 };
        settings_made = 0;
        assert_true(choose_halflife(z, automatic, &all, &run, 1) > 0);
        assert_true(settings_made > 3 && settings_made <= 12);
    }
    zero_phase_free(z);
    free(automatic);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_sine_is_multiplied_by_the_square_of_the_gain),
        cmocka_unit_test(a_line_stays),
        cmocka_unit_test(the_reversed_run_has_the_reversed_result),
        cmocka_unit_test(a_parabola_stays_up_to_its_ends),
        cmocka_unit_test(missing_samples_are_on_the_line_between_their_neighbours),
        cmocka_unit_test(rotations_about_one_axis_are_numbers),
        cmocka_unit_test(rotations_about_two_axes_keep_their_ends),
        cmocka_unit_test(runs_in_turn_have_their_own_steps),
        cmocka_unit_test(faults_tell_the_sample),
        cmocka_unit_test(short_runs_stay),
        cmocka_unit_test(the_half_life_suits_the_noise),
        cmocka_unit_test(the_choice_has_the_least_score),
        cmocka_unit_test(the_choice_filters_few_rows),
        cmocka_unit_test(the_choice_tries_few_halflives),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
