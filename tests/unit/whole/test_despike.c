/* The rule of --despike: spikes that must be found, in the middle, at ends and beside gaps, and signals that
 * must come through. */
#include "unit/harness.h"
#include "whole/despike.h"
#include "whole/despike_plain.h"
#include "whole/noise.h"
#include "whole/rounding.h"

enum { ROWS = DESPIKE_USUAL_ROWS };

static const double tau = 6.283185307179586;

/* The n samples of a series, step seconds apart, NaN where a sample is missing; rows: rows of a window after
 * a sample, at most ROWS. */
struct test_series {
    const double *x;
    size_t n, rows;
    double step;
};

/* Judges the samples [first, end), and counts the spikes. */
static size_t judge_series(double factor, const struct test_series *series, size_t first, size_t end,
                           bool *spike)
{
    const double *x = series->x;
    size_t count = 0, before = despike_rows_before(series->rows);
    for (size_t i = first; i < end; i++) {
        double t[DESPIKE_USUAL_SAMPLES], known[DESPIKE_USUAL_SAMPLES];
        const double *column = known;
        struct despike_window window = { .t = t, .ncolumn = 1, .column = &column };
        for (size_t j = i < before ? 0 : i - before; j < series->n && j <= i + series->rows; j++) {
            if (isnan(x[j]))
                continue;
            window.own = j == i ? window.n : window.own;
            t[window.n] = 1000 + series->step * (double)j;
            known[window.n++] = x[j];
        }
        spike[i] = !isnan(x[i]) && despike_is_spike(factor, &window, rounding_error(known, window.n));
        count += spike[i];
    }
    return count;
}

static size_t judge(double factor, double step, const double *x, size_t n, bool *spike)
{
    return judge_series(factor, &(struct test_series){ x, n, ROWS, step }, 0, n, spike);
}

static double uniform(uint64_t *seed)
{
    *seed = *seed * 6364136223846793005u + 1442695040888963407u;
    return ((double)(*seed >> 11) + 0.5) * 0x1p-53;
}

static double deviate(uint64_t *seed)
{
    double radius = sqrt(-2 * log(uniform(seed)));
    return radius * cos(tau * uniform(seed));
}

static double at_rest(double i, double p)
{
    return p + 0 * i;
}

static double ramp(double i, double p)
{
    return p * i;
}

static double step(double i, double p)
{
    return i > 30 + p ? p : 1;
}

static double corner(double i, double p)
{
    return fabs(i - 40 - p / 10);
}

static double sine(double i, double p)
{
    return 100 * sin(tau * 0.8 * i / 120 + p);
}

static double fast_sine(double i, double p)
{
    return 1e6 + sin(tau * 10 * i / 120 + p);
}

static double decay(double i, double p)
{
    return exp(-i / (5 + p));
}

static double parabola(double i, double p)
{
    return 3 * (i - p) * (i - 20);
}

static double impulse_response(double i, double p)
{
    return i < 30 ? 0 : (i - 30) * exp((30 - i) / (2 + p));
}

static double step_response(double i, double p)
{
    return i < 30 ? 0 : 1 - exp((30 - i) / (3 + p));
}

static double rounded(double i, double p)
{
    return round(20 * sin(i / 20 + p));
}

static double slow(double i, double p)
{
    return floor((i + p + (fmod(i * i, 7) < 3 ? 2 : 0)) / 5) * 0.1;
}

static double large(double i, double p)
{
    return 1e9 + p * 1e-3 * i;
}

static void clean_signals_come_through(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        double (*at)(double i, double p);
    } signals[] = {
        { "constant", at_rest },
        { "ramp", ramp },
        { "step", step },
        { "corner", corner },
        { "sine", sine },
        { "fast sine", fast_sine },
        { "exponential", decay },
        { "parabola", parabola },
        { "impulse response", impulse_response },
        { "step response", step_response },
        { "rounded sine", rounded },
        { "slow steps", slow },
        { "large", large },
    };
    for (size_t k = 0; k < sizeof signals / sizeof *signals; k++) {
        size_t count = 0;
        for (double p = 0; p < 6.5; p += 0.1) {
            double x[100];
            bool spike[100];
            for (size_t i = 0; i < 100; i++)
                x[i] = signals[k].at((double)i, p);
            count += judge(6, 1. / 120, x, 100, spike);
        }
        if (count > 26) /* 0.4 % of the samples */
            fail_msg("%s: %zu samples", signals[k].name, count);
    }
}

/* A marker at 120 rows a second, in mm: a gait of three tones under noise. */
static void make_gait(double noise, double *x, size_t n, uint64_t *seed)
{
    static const double size[] = { 300, 60, 15 }, frequency[] = { 0.8, 2.3, 4.7 };
    double phase[3];
    for (size_t k = 0; k < 3; k++)
        phase[k] = tau * uniform(seed);
    for (size_t i = 0; i < n; i++) {
        x[i] = noise * deviate(seed);
        for (size_t k = 0; k < 3; k++)
            x[i] += size[k] * sin(tau * frequency[k] * (double)i / 120 + phase[k]);
    }
}

enum place { MIDDLE, ENDS, LAST_ROWS, BESIDE_A_GAP, BESIDE_A_SHORT_GAP };

/* Spikes of some rows in motion with noise. */
struct test_spikes {
    enum place place;
    double size, noise;
    size_t run;    /* rows of a spike */
    size_t window; /* rows after a sample in its window */
};

/* The part of the spikes that are found whole, in TIMES trials, and the part of the other rows that are taken
 * for spikes. The other rows cost most, and are judged in one trial of EVERY. */
static double find_spikes(const struct test_spikes *test, double *others)
{
    enum { N = 90, TIMES = 200, EVERY = 5 };
    uint64_t seed = 17;
    size_t found = 0, other = 0, run = test->run;
    for (size_t k = 0; k < TIMES; k++) {
        double x[N];
        bool spike[N], whole = true, before = k % 2;
        size_t first = 20 + k % 40;
        make_gait(test->noise, x, N, &seed);
        if (test->place == ENDS || test->place == LAST_ROWS)
            first = before && test->place == ENDS ? k / 2 % 3 : N - run - k / 2 % 3;
        for (size_t i = first; i < first + run; i++)
            x[i] += k / 7 % 2 ? test->size : -test->size;
        size_t gap = test->place == BESIDE_A_GAP ? 1 + k % 11 : 0;
        if (test->place == BESIDE_A_SHORT_GAP)
            gap = 2 + k / 2 % 2;
        for (size_t i = 0; i < gap; i++)
            x[before ? first - 1 - i : first + run + i] = (double)NAN;
        const struct test_series series = { x, N, test->window, 1.0 / 120 };
        judge_series(6, &series, first, first + run, spike);
        for (size_t i = first; i < first + run; i++)
            whole &= spike[i];
        if (k % EVERY == 0) {
            other += judge_series(6, &series, 0, first, spike);
            other += judge_series(6, &series, first + run, N, spike);
        }
        found += whole;
    }
    *others = (double)other / ((double)TIMES / EVERY) / N;
    return (double)found / TIMES;
}

static void expect_found(const struct test_spikes *test, double least, double most_others)
{
    double others, found = find_spikes(test, &others);
    if (!(found >= least) || others > most_others)
        fail_msg("noise %g, place %d, %zu rows, window %zu: %g found, %g of others", test->noise, test->place,
                 test->run, test->window, found, others);
}

static const double sizes[] = { 10, 15, 25 }; /* of spikes of 1, 2 and 3 rows */

static void spikes_are_found(void **state)
{
    (void)state;
    for (size_t noisy = 0; noisy < 2; noisy++)
        for (size_t run = 1; run <= 3; run++) {
            double size = sizes[run - 1], noise = noisy ? 0.3 : 0;
            expect_found(&(struct test_spikes){ MIDDLE, size, noise, run, ROWS }, 0.98, 0.001);
            expect_found(&(struct test_spikes){ ENDS, size, noise, run, ROWS }, 0.98, 0.004);
            expect_found(&(struct test_spikes){ BESIDE_A_GAP, size, noise, run, ROWS }, 0.98, 0.002);
            expect_found(&(struct test_spikes){ BESIDE_A_SHORT_GAP, size, noise, run, ROWS }, 0.93, 0.002);
        }
}

/* A short look-ahead is enough, also in the last rows and beside gaps. In the first rows of a series a short
 * window has too few samples. */
static void spikes_are_found_in_small_windows(void **state)
{
    (void)state;
    for (size_t run = 1; run <= 3; run++) {
        double size = sizes[run - 1];
        expect_found(&(struct test_spikes){ MIDDLE, size, 0.3, run, 5 }, 0.98, 0.001);
        expect_found(&(struct test_spikes){ LAST_ROWS, size, 0.3, run, 5 }, 0.98, 0.004);
        expect_found(&(struct test_spikes){ BESIDE_A_GAP, size, 0.3, run, 5 }, 0.97, 0.004);
    }
    expect_found(&(struct test_spikes){ MIDDLE, 10, 0.3, 1, 3 }, 0.98, 0.005);
}

/* Stairs of random heights, 8 to 20 rows long. */
static void make_stairs(double noise, double *x, size_t n, uint64_t *seed)
{
    double height = 0;
    size_t next = 0;
    for (size_t i = 0; i < n; i++) {
        if (i == next) {
            height += 10 * deviate(seed);
            next = i + 8 + (size_t)(12 * uniform(seed));
        }
        x[i] = height + noise * deviate(seed);
    }
}

/* Ranges of oscillations that die out. */
struct test_blows {
    double slowest, fastest;  /* Hz; 0: no oscillation, the blow only dies out */
    double shortest, longest; /* rows after which 1/e is left */
};

/* Gait with a blow about every 80 rows. */
static void make_blows(const struct test_blows *blows, double noise, double *x, size_t n, uint64_t *seed)
{
    make_gait(noise, x, n, seed);
    for (double blow = 20; blow < (double)n; blow += 80) {
        double first = blow + 20 * uniform(seed);
        double frequency = blows->slowest + (blows->fastest - blows->slowest) * uniform(seed);
        double size = 3 + 20 * uniform(seed);
        double decay = blows->shortest + (blows->longest - blows->shortest) * uniform(seed);
        for (size_t i = (size_t)first + 1; i < n; i++) {
            double after = (double)i - first, angle = tau * frequency * after / 120;
            x[i] += size * exp(-after / decay) * (frequency > 0 ? sin(angle) : 1);
        }
    }
}

/* The blows of heels die out in 15 to 45 ms. */
static void make_heel_strikes(double noise, double *x, size_t n, uint64_t *seed)
{
    make_blows(&(struct test_blows){ 12, 25, 1.8, 5.4 }, noise, x, n, seed);
}

/* Oscillations near half of the row rate that last hardly longer than a spike: hard to tell from spikes. */
static void make_rattles(double noise, double *x, size_t n, uint64_t *seed)
{
    make_blows(&(struct test_blows){ 30, 50, 2, 5 }, noise, x, n, seed);
}

static void make_pulses(double noise, double *x, size_t n, uint64_t *seed)
{
    make_blows(&(struct test_blows){ 0, 0, 2, 5 }, noise, x, n, seed);
}

/* Rest, and from one row on a motion: a ramp, a parabola or a cubic. */
static void make_start(double noise, double *x, size_t n, uint64_t *seed)
{
    double first = 60 + 60 * uniform(seed), size = 0.02 + uniform(seed),
           degree = floor(1 + 3 * uniform(seed));
    for (size_t i = 0; i < n; i++) {
        double after = (double)i - first;
        x[i] = noise * deviate(seed) + (after > 0 ? size * pow(after, degree) : 0);
    }
}

/* Gait, printed in units of 1, 2 or 5 times a power of ten, from 0.01 to 50 mm. */
static void make_quantised(double noise, double *x, size_t n, uint64_t *seed)
{
    double unit = pow(10, floor(4 * uniform(seed)) - 2) * (double[]){ 1, 2, 5 }[(size_t)(3 * uniform(seed))];
    make_gait(noise, x, n, seed);
    for (size_t i = 0; i < n; i++)
        x[i] = round(x[i] / unit) * unit;
}

/* Rest under noise, with 0 to 3 decimals. */
static void make_rest(double noise, double *x, size_t n, uint64_t *seed)
{
    double unit = pow(10, floor(4 * uniform(seed))), place = 50 * uniform(seed);
    for (size_t i = 0; i < n; i++)
        x[i] = round((place + noise * deviate(seed)) * unit) / unit;
}

static void steps_impacts_and_starts_are_no_spikes(void **state)
{
    (void)state;
    enum { N = 240, TIMES = 40 };
    static const struct {
        const char *name;
        void (*make)(double noise, double *x, size_t n, uint64_t *seed);
        double most; /* part of the rows that may be taken for spikes */
    } signals[] = { { "stairs", make_stairs, 0.004 }, { "heel strikes", make_heel_strikes, 0.004 },
                    { "start", make_start, 0.004 },   { "quantised", make_quantised, 0.004 },
                    { "rest", make_rest, 0.004 },     { "rattles", make_rattles, 0.006 },
                    { "pulses", make_pulses, 0.004 } };
    static const double noises[] = { 0, 0.3, 1 };
    for (size_t k = 0; k < sizeof signals / sizeof *signals; k++)
        for (size_t noise = 0; noise < 3; noise++) {
            uint64_t seed = 5;
            size_t count = 0;
            for (size_t i = 0; i < TIMES; i++) {
                double x[N];
                bool spike[N];
                signals[k].make(noises[noise], x, N, &seed);
                count += judge(6, 1.0 / 120, x, N, spike);
            }
            if ((double)count > signals[k].most * N * TIMES)
                fail_msg("%s, noise %g: %zu rows", signals[k].name, noises[noise], count);
        }
}

static void small_spikes_on_clean_motion_are_found(void **state)
{
    (void)state;
    expect_found(&(struct test_spikes){ MIDDLE, 1, 0, 1, ROWS }, 1, 0);
}

static void spikes_on_a_constant_are_found(void **state)
{
    (void)state;
    double x[40];
    bool spike[40];
    for (size_t i = 0; i < 40; i++)
        x[i] = 7 + (i == 1 || i == 20 || i == 30 ? 5 : 0);
    assert_int_equal(judge(6, 0.1, x, 40, spike), 3);
    assert_true(spike[1] && spike[20] && spike[30]);
    for (size_t run = 1; run < 4; run++) {
        for (size_t i = 0; i < 40; i++)
            x[i] = 7 + (i >= 17 && i < 17 + run ? 9e-5 : 0);
        assert_int_equal(judge(1000, 0.1, x, 40, spike), run);
        assert_true(spike[17] && spike[16 + run]);
    }
}

/* Printed with so many decimals, or as a float, a smooth motion has no spikes, nor has a series at rest. */
static void rounding_is_no_spike(void **state)
{
    (void)state;
    uint64_t seed = 4;
    for (int decimals = -1; decimals < 7; decimals++)
        for (size_t k = 0; k < 40; k++) {
            double x[200], unit = pow(10, decimals);
            bool spike[200];
            make_gait(0, x, 200, &seed);
            for (size_t i = 0; i < 200; i++) {
                double slow = k % 3 == 0 ? x[i] : k % 3 == 1 ? x[i] / 300 : 41 + (double)i * 0.0173;
                x[i] = decimals < 0 ? (double)(float)slow : round(slow * unit) / unit;
            }
            if (judge(6, 1.0 / 120, x, 200, spike) > 1)
                fail_msg("%d decimals, %zu", decimals, k);
        }
}

/* A sample that despike_near_cubic or despike_plain_calm takes for no spike is no spike by the whole rule. */
static void near_samples_are_no_spikes(void **state)
{
    (void)state;
    enum { N = DESPIKE_USUAL_SAMPLES, OWN = DESPIKE_ROWS_BEFORE };
    uint64_t seed = 9;
    size_t near_at[2] = { 0 };
    for (size_t k = 0; k < 600; k++) {
        double t[N], x[N], plain[N] = { 0 };
        const double *column = x;
        struct despike_window window = { .n = N, .own = OWN, .t = t, .ncolumn = 1, .column = &column };
        make_gait(0.3, x, N, &seed);
        for (size_t i = 0; i < N; i++)
            t[i] = (double)i / 120;
        for (size_t i = OWN; i < OWN + k % 4; i++)
            x[i] += 5 * deviate(&seed);
        struct despike_view view;
        despike_plain_measure(&window, plain);
        window.plain = plain;
        assert_true(despike_look(&view, 6, &window));
        bool near = despike_near_cubic(&view), spike = despike_judge(&view, 0);
        near_at[k % 4 > 0] += near;
        if (near && spike)
            fail_msg("window %zu", k);
    }
    assert_in_range(near_at[0], 145, 150);
    assert_in_range(near_at[1], 20, 400);
}

/* Samples that are looked at together are calm only if each of them alone is calm. The noise grows from one
 * row on, so that the residuals of the windows differ. */
static void calm_stretches(void **state)
{
    (void)state;
    enum { N = 120, MOST = 8 };
    uint64_t seed = 21;
    size_t ncalm = 0, nmissed = 0;
    for (size_t k = 0; k < 60; k++) {
        double t[N], x[N], plain[N] = { 0 };
        const double *column = x;
        const struct despike_window all = { .n = N, .t = t, .ncolumn = 1, .column = &column };
        for (size_t i = 0; i < N; i++) {
            t[i] = (double)i / 120;
            x[i] = (i < 60 ? 0.3 : 0.6 + (double)(k % 5)) * deviate(&seed);
        }
        despike_plain_measure(&all, plain);
        for (size_t first = DESPIKE_ROWS_BEFORE; first + MOST + ROWS < N; first++) {
            size_t nown = 2 + (first + k) % (MOST - 1);
            struct despike_stretch stretch = { .own = DESPIKE_ROWS_BEFORE, .nown = nown, .ncolumn = 1 };
            stretch.n = DESPIKE_ROWS_BEFORE + nown + ROWS;
            stretch.least = DESPIKE_USUAL_SAMPLES;
            stretch.plain = plain + first - DESPIKE_ROWS_BEFORE;
            bool together = despike_plain_calm(6, &stretch), each = true;
            for (size_t i = 0; i < nown; i++) {
                const struct despike_stretch own = {
                    DESPIKE_USUAL_SAMPLES, DESPIKE_ROWS_BEFORE, 1, DESPIKE_USUAL_SAMPLES, 1, stretch.plain + i
                };
                each &= despike_plain_calm(6, &own);
            }
            if (together && !each)
                fail_msg("series %zu, %zu samples at %zu", k, nown, first);
            ncalm += together;
            nmissed += each && !together;
        }
    }
    assert_true(ncalm > 2 * nmissed);
}

static void few_samples_have_no_spikes(void **state)
{
    (void)state;
    double x[] = { 1, 50, 1, 0.1, 0.2, 0.30000001, 0.4, 7 };
    bool spike[8];
    for (size_t n = 1; n <= 8; n++)
        assert_int_equal(judge(6, 1, x, n, spike), 0);
}

/* No curve leads through samples that all have the same time. */
static void equal_times_have_no_spikes(void **state)
{
    (void)state;
    double x[40];
    bool spike[40];
    for (size_t i = 0; i < 40; i++)
        x[i] = i == 20 ? 50 : (double)(i % 3);
    judge(6, 0, x, 40, spike);
    for (size_t i = 0; i < 40; i++)
        assert_false(spike[i]);
}

/* There is no cubic through two samples at one time, whatever the signs of the distances between the samples.
 */
static void equal_times_have_no_residual(void **state)
{
    (void)state;
    static const double t[] = { 0, 0.01, 0.01, 0.02, 0.03, 0.05, 0.06, 0.08 };
    enum { SAMPLES = sizeof t / sizeof *t };
    for (int sign = -1; sign <= 1; sign += 2) {
        double x[SAMPLES] = { 1, 2, 2.0 + sign, 7, 7.0 - sign, 3, 3, 4 }, plain[SAMPLES] = { 0 };
        const double *column = x;
        const struct despike_window window = { .t = t, .n = SAMPLES, .ncolumn = 1, .column = &column };
        despike_plain_measure(&window, plain);
        assert_true(isnan(plain[3]) && isfinite(plain[4]));
        assert_true(isfinite(plain[5]));
    }
}

/* A rotation turns by 3 degrees a row about an axis that moves; one row is 4 degrees off. */
static void a_rotation_that_is_off_is_a_spike(void **state)
{
    (void)state;
    for (size_t bad = 20; bad < 40; bad++) {
        double q[3][60], t[60];
        for (size_t i = 0; i < 60; i++) {
            double half = tau / 720 * (3 * (double)i + (i == bad ? 4 : 0)), lean = (double)i / 60;
            q[0][i] = cos(half);
            q[1][i] = sin(half) * cos(lean);
            q[2][i] = sin(half) * sin(lean);
            t[i] = (double)i / 60;
        }
        for (size_t i = ROWS; i + ROWS < 60; i++) {
            const double *x[3] = { q[0] + i - ROWS, q[1] + i - ROWS, q[2] + i - ROWS };
            struct despike_window window = { 2 * ROWS + 1, ROWS, NULL, t + i - ROWS, 3, x };
            if (despike_is_spike(5, &window, 0) != (i == bad))
                fail_msg("spike at %zu: row %zu", bad, i);
        }
    }
}

/* The number of spikes among the samples of a window's width around each of n samples of three components. */
static size_t judge_vectors(double *const x[3], size_t n, size_t first, size_t end)
{
    size_t count = 0;
    for (size_t i = first; i < end; i++) {
        double t[DESPIKE_USUAL_SAMPLES];
        size_t low = i < DESPIKE_ROWS_BEFORE ? 0 : i - DESPIKE_ROWS_BEFORE,
               high = i + ROWS < n ? i + ROWS : n - 1;
        const double *column[3] = { x[0] + low, x[1] + low, x[2] + low };
        struct despike_window window = {
            .n = high - low + 1, .own = i - low, .t = t, .ncolumn = 3, .column = column
        };
        for (size_t k = 0; k < window.n; k++)
            t[k] = (double)(low + k) / 120;
        count += despike_is_spike(6, &window, 0);
    }
    return count;
}

/* A spike in one component of a vector with noise in all components is found as in a number with that noise.
 */
static void spikes_of_vectors_are_found(void **state)
{
    (void)state;
    enum { N = 240, TRIALS = 60, AT = 100 };
    static const double size[] = { 10, 15, 25 };
    static double memory[3][N];
    double *x[3] = { memory[0], memory[1], memory[2] };
    uint64_t seed = 11;
    size_t nfalse = 0;
    for (size_t length = 1; length <= 3; length++) {
        size_t found = 0;
        for (size_t trial = 0; trial < TRIALS; trial++) {
            for (size_t c = 0; c < 3; c++) {
                double phase[] = { tau * uniform(&seed), tau * uniform(&seed), tau * uniform(&seed) };
                for (size_t i = 0; i < N; i++) {
                    double at = tau * (double)i / 120;
                    x[c][i] = 300 * sin(0.8 * at + phase[0]) + 60 * sin(2.3 * at + phase[1]) +
                              15 * sin(4.7 * at + phase[2]) + 0.3 * deviate(&seed);
                }
            }
            nfalse += judge_vectors(x, N, 0, N);
            for (size_t k = 0; k < length; k++)
                x[trial % 3][AT + k] += size[length - 1];
            found += judge_vectors(x, N, AT, AT + length);
        }
        if ((double)found < 0.98 * (double)(TRIALS * length))
            fail_msg("%zu of %zu rows of spikes of %zu rows are found", found, TRIALS * length, length);
    }
    assert_true((double)nfalse <= 0.004 * 3 * TRIALS * N);
}

/* 3 times the scale of distances holds 99.73 percent of the distances of normal noise. */
static void the_scale_of_distances(void **state)
{
    (void)state;
    enum { N = 200000 };
    uint64_t seed = 3;
    for (size_t ncolumn = 1; ncolumn <= 3; ncolumn++) {
        static double distance[N], copy[N];
        size_t beyond = 0;
        for (size_t i = 0; i < N; i++) {
            double square = 0;
            for (size_t c = 0; c < ncolumn; c++)
                square += pow(deviate(&seed), 2);
            copy[i] = distance[i] = sqrt(square);
        }
        double scale = despike_median_to_scale(ncolumn) * noise_median(copy, N);
        for (size_t i = 0; i < N; i++)
            beyond += distance[i] > 3 * scale;
        assert_true(fabs((double)beyond / N - 0.0027) < 0.0004); /* 3 standard deviations of the count */
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(clean_signals_come_through),
        cmocka_unit_test(spikes_are_found),
        cmocka_unit_test(steps_impacts_and_starts_are_no_spikes),
        cmocka_unit_test(spikes_are_found_in_small_windows),
        cmocka_unit_test(small_spikes_on_clean_motion_are_found),
        cmocka_unit_test(spikes_on_a_constant_are_found),
        cmocka_unit_test(rounding_is_no_spike),
        cmocka_unit_test(near_samples_are_no_spikes),
        cmocka_unit_test(calm_stretches),
        cmocka_unit_test(few_samples_have_no_spikes),
        cmocka_unit_test(equal_times_have_no_spikes),
        cmocka_unit_test(equal_times_have_no_residual),
        cmocka_unit_test(a_rotation_that_is_off_is_a_spike),
        cmocka_unit_test(spikes_of_vectors_are_found),
        cmocka_unit_test(the_scale_of_distances),
    };
    return cmocka_run_group_tests_name("despike", tests, NULL, NULL);
}
