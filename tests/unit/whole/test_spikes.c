/* The rule of --despike on motion whose spikes are known: how many are found, what is taken for a spike and
 * is none, and laws that hold for any series. */
#include "unit/harness.h"
#include "whole/noise/noise.h"
#include "whole/noise/spike_screen.h"
#include "whole/noise/spike_track.h"

enum { N = 300 };

static const double tau = 6.283185307179586;
static const double rates[] = { 30, 50, 60, 75, 120 };

/* A series of numbers at rising times; NaN where a number is missing. */
struct test_series {
    double t[N], x[N];
    unsigned char mark[N];
};

static const struct spikes_settings usual = { .factor = 6, .window = -1 };

/* Marks the spikes of the first n rows. Returns their number. */
static size_t mark_spikes(struct test_series *series, size_t n)
{
    const struct spike_kind kind = { .nnumber = 1 };
    const struct spike_rows rows = { .n = n, .time = series->t, .number = { series->x } };
    struct error e;
    size_t count = 0;
    assert_true(spikes_find(&usual, &kind, &rows, series->mark, &e));
    for (size_t i = 0; i < n; i++)
        count += series->mark[i] != SPIKE_NONE;
    return count;
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

/* --- motions, in mm --- */

/* Sets the times: `rate` rows per second, uneven by a part of a step. */
static void make_times(struct test_series *series, double rate, double uneven, uint64_t *seed)
{
    double t = 0;
    for (size_t i = 0; i < N; i++) {
        series->t[i] = t;
        t += (1 + uneven * (2 * uniform(seed) - 1)) / rate;
    }
}

/* Three tones, as a marker on a foot. */
static void make_gait(struct test_series *series, double noise, uint64_t *seed)
{
    static const double size[] = { 300, 60, 15 }, frequency[] = { 0.8, 2.3, 4.7 };
    double phase[3];
    for (size_t k = 0; k < 3; k++)
        phase[k] = tau * uniform(seed);
    for (size_t i = 0; i < N; i++) {
        series->x[i] = noise * deviate(seed);
        for (size_t k = 0; k < 3; k++)
            series->x[i] += size[k] * sin(tau * frequency[k] * series->t[i] + phase[k]);
    }
}

/* A reach of 300 mm, from rest to rest. */
static void make_reach(struct test_series *series, double noise, uint64_t *seed)
{
    double first = 0.5 + uniform(seed), length = 0.2 + 0.5 * uniform(seed);
    for (size_t i = 0; i < N; i++) {
        double a = fmin(1, fmax(0, (series->t[i] - first) / length));
        series->x[i] = 300 * a * a * a * (10 + a * (-15 + 6 * a)) + noise * deviate(seed);
    }
}

static void make_noise(struct test_series *series, double noise, uint64_t *seed)
{
    for (size_t i = 0; i < N; i++)
        series->x[i] = 100 + (noise > 0 ? 30 * noise : 1) * deviate(seed);
}

/* Gait that jumps once, by 2 to 500 mm. */
static void make_step(struct test_series *series, double noise, uint64_t *seed)
{
    double at = 50 + 200 * uniform(seed), size = 2 * exp(uniform(seed) * log(250));
    make_gait(series, noise, seed);
    for (size_t i = (size_t)at; i < N; i++)
        series->x[i] += size;
}

/* A speed that changes at once. */
static void make_corner(struct test_series *series, double noise, uint64_t *seed)
{
    size_t at = 50 + (size_t)(200 * uniform(seed));
    double speed = 5 * exp(uniform(seed) * log(100));
    for (size_t i = 0; i < N; i++)
        series->x[i] = noise * deviate(seed) + 100 * sin(tau * 0.8 * series->t[i]) +
                       (i > at ? speed * (series->t[i] - series->t[at]) : 0);
}

/* Rest, and from one row on a ramp, a parabola or a cubic. */
static void make_start(struct test_series *series, double noise, uint64_t *seed)
{
    double first = 60 + 60 * uniform(seed), size = 0.02 + uniform(seed);
    double degree = floor(1 + 3 * uniform(seed));
    for (size_t i = 0; i < N; i++) {
        double after = (double)i - first;
        series->x[i] = noise * deviate(seed) + (after > 0 ? size * pow(after, degree) : 0);
    }
}

/* Gait, printed in units of 1, 2 or 5 times a power of ten, from 0.01 to 50 mm. */
static void make_rounded(struct test_series *series, double noise, uint64_t *seed)
{
    double unit = pow(10, floor(4 * uniform(seed)) - 2) * (double[]){ 1, 2, 5 }[(size_t)(3 * uniform(seed))];
    make_gait(series, noise, seed);
    for (size_t i = 0; i < N; i++)
        series->x[i] = round(series->x[i] / unit) * unit;
}

/* An encoder of unit 1, which stays on one number for many rows. */
static void make_encoder(struct test_series *series, double noise, uint64_t *seed)
{
    double phase = tau * uniform(seed);
    for (size_t i = 0; i < N; i++)
        series->x[i] = round(20 * sin(1.1 * series->t[i] + phase) + 0.3 * noise * deviate(seed));
}

/* Gait with a blow every 1.2 seconds, which dies out in 15 to 45 ms. */
static void make_impacts(struct test_series *series, double noise, uint64_t *seed)
{
    make_gait(series, noise, seed);
    for (double blow = 0.2; blow < series->t[N - 1]; blow += 1.2) {
        double first = blow + 0.3 * uniform(seed), size = 3 + 20 * uniform(seed);
        double frequency = 12 + 13 * uniform(seed), decay = 0.015 + 0.03 * uniform(seed);
        for (size_t i = 0; i < N; i++) {
            double after = series->t[i] - first;
            if (after > 0)
                series->x[i] += size * exp(-after / decay) * sin(tau * frequency * after);
        }
    }
}

/* Stairs of random heights, 8 to 20 rows long. */
static void make_stairs(struct test_series *series, double noise, uint64_t *seed)
{
    double height = 0;
    for (size_t i = 0, next = 0; i < N; i++) {
        if (i == next) {
            height += 10 * deviate(seed);
            next = i + 8 + (size_t)(12 * uniform(seed));
        }
        series->x[i] = height + noise * deviate(seed);
    }
}

/* Gait under noise by Student's distribution with three degrees of freedom. */
static void make_heavy_tails(struct test_series *series, double noise, uint64_t *seed)
{
    make_gait(series, 0, seed);
    for (size_t i = 0; i < N; i++) {
        double square = 0, top = deviate(seed);
        for (size_t k = 0; k < 3; k++)
            square += pow(deviate(seed), 2);
        series->x[i] += noise * top / sqrt(square / 3);
    }
}

/* A ball that bounces, and is thrown again when it rests. */
static void make_bounces(struct test_series *series, double noise, uint64_t *seed)
{
    double part = 0.6 + 0.3 * uniform(seed), speed = 2000 + 2000 * uniform(seed), first = 0;
    for (size_t i = 0; i < N; i++) {
        while (series->t[i] - first > 2 * speed / 9810) {
            first += 2 * speed / 9810;
            speed = part * speed < 100 ? 2000 + 2000 * uniform(seed) : part * speed;
        }
        double after = series->t[i] - first;
        series->x[i] = speed * after - 9810 / 2.0 * after * after + noise * deviate(seed);
    }
}

/* --- spikes that are found --- */

/* Spikes of `run` rows; with `apart` a second one of one row, so many rows behind the beginning of the first.
 */
struct test_spikes {
    size_t run, apart;
    double size, size_at_30;   /* mm */
    double least, least_at_30; /* part of the spikes that is found, at least */
    double uneven;             /* of the times */
};

/* The part of the spikes, in gait with noise, that are found whole. */
static double find_part(const struct test_spikes *test, double rate)
{
    enum { TIMES = 200 };
    static struct test_series series;
    uint64_t seed = 17;
    size_t found = 0;
    for (size_t k = 0; k < TIMES; k++) {
        double size = rate == 30 ? test->size_at_30 : test->size;
        size_t first = 50 + k, n = 0;
        make_times(&series, rate, test->uneven, &seed);
        make_gait(&series, 0.3, &seed);
        for (size_t i = first; i < first + test->run; i++)
            series.x[i] += k % 2 ? size : -size;
        series.x[first + test->apart] += test->apart == 0 ? 0 : k % 3 ? size : -size;
        mark_spikes(&series, N);
        for (size_t i = first; i < first + test->run; i++)
            n += series.mark[i] == SPIKE_BRIDGED;
        n += test->apart > 0 && series.mark[first + test->apart] == SPIKE_BRIDGED;
        found += n == test->run + (test->apart > 0);
    }
    return (double)found / TIMES;
}

static void spikes_are_found(void **state)
{
    (void)state;
    static const struct test_spikes tests[] = {
        { .run = 1, .size = 15, .size_at_30 = 40, .least = 0.97, .least_at_30 = 0.97 },
        { .run = 2, .size = 15, .size_at_30 = 60, .least = 0.97, .least_at_30 = 0.97 },
        { .run = 3, .size = 25, .size_at_30 = 100, .least = 0.97, .least_at_30 = 0.97 },
        { .run = 1, .apart = 3, .size = 15, .size_at_30 = 40, .least = 0.96, .least_at_30 = 0.95 },
        { .run = 1, .size = 15, .size_at_30 = 60, .least = 0.95, .least_at_30 = 0.95, .uneven = 0.4 },
        { .run = 2, .size = 25, .size_at_30 = 100, .least = 0.9, .least_at_30 = 0.9, .uneven = 0.4 },
        { .run = 1, .size = 15, .size_at_30 = 40, .least = 0.95, .least_at_30 = 0.9, .uneven = 0.6 },
        /* ten standard deviations of a residual, of which noise gives 1.4 times its own */
        { .run = 1, .size = 4.2, .size_at_30 = 15, .least = 0.9, .least_at_30 = 0.4 },
    };
    for (size_t k = 0; k < sizeof tests / sizeof *tests; k++)
        for (size_t r = 0; r < sizeof rates / sizeof *rates; r++) {
            double part = find_part(&tests[k], rates[r]);
            if (part < (rates[r] == 30 ? tests[k].least_at_30 : tests[k].least))
                fail_msg("spikes %zu at %g Hz: %g", k, rates[r], part);
        }
}

/* A spike that nothing follows can be judged, but not bridged. */
static void spikes_at_ends_are_kept(void **state)
{
    (void)state;
    static struct test_series series;
    uint64_t seed = 3;
    size_t first = 0, last = 0;
    for (size_t k = 0; k < 40; k++) {
        make_times(&series, 120, 0, &seed);
        make_gait(&series, 0.3, &seed);
        series.x[0] += 100;
        series.x[N - 1] -= 100;
        mark_spikes(&series, N);
        first += series.mark[0] == SPIKE_KEPT;
        last += series.mark[N - 1] == SPIKE_KEPT;
    }
    assert_in_range(first, 36, 40);
    assert_in_range(last, 36, 40);
}

/* --- what is no spike --- */

static void motion_has_no_spikes(void **state)
{
    (void)state;
    enum { TIMES = 30 };
    static const struct {
        const char *name;
        void (*make)(struct test_series *series, double noise, uint64_t *seed);
        double most; /* part of the rows that may be taken for spikes */
    } motions[] = { { "gait", make_gait, 0.001 },        { "reach", make_reach, 0.002 },
                    { "noise", make_noise, 0.002 },      { "step", make_step, 0.004 },
                    { "corner", make_corner, 0.004 },    { "start", make_start, 0.004 },
                    { "rounded", make_rounded, 0.004 },  { "encoder", make_encoder, 0.001 },
                    { "impacts", make_impacts, 0.01 },   { "stairs", make_stairs, 0.01 },
                    { "tails", make_heavy_tails, 0.01 }, { "bounces", make_bounces, 0.02 } };
    static struct test_series series;
    for (size_t k = 0; k < sizeof motions / sizeof *motions; k++)
        for (size_t r = 0; r < sizeof rates / sizeof *rates; r++)
            for (size_t noisy = 0; noisy < 2; noisy++) {
                uint64_t seed = 99;
                size_t count = 0;
                for (size_t i = 0; i < TIMES; i++) {
                    make_times(&series, rates[r], 0, &seed);
                    motions[k].make(&series, noisy ? 0.3 : 0, &seed);
                    count += mark_spikes(&series, N);
                }
                if ((double)count > motions[k].most * N * TIMES)
                    fail_msg("%s at %g Hz, noise %zu: %zu rows", motions[k].name, rates[r], noisy, count);
            }
}

/* Printed with so many decimals, or as a float, a smooth motion has no spikes, nor has a series at rest. */
static void rounding_is_no_spike(void **state)
{
    (void)state;
    static struct test_series series;
    uint64_t seed = 4;
    for (int decimals = -1; decimals < 7; decimals++)
        for (size_t k = 0; k < 40; k++) {
            double unit = pow(10, decimals);
            make_times(&series, 120, 0, &seed);
            make_gait(&series, 0, &seed);
            for (size_t i = 0; i < N; i++) {
                double slow = k % 3 == 0   ? series.x[i]
                              : k % 3 == 1 ? series.x[i] / 300
                                           : 41 + (double)i * 0.0173;
                series.x[i] = decimals < 0 ? (double)(float)slow : round(slow * unit) / unit;
            }
            if (mark_spikes(&series, N) > 1)
                fail_msg("%d decimals, %zu", decimals, k);
        }
}

/* At rest the scale of residuals is 0, and one sample that is off is a spike, however small. */
static void spikes_at_rest_are_found(void **state)
{
    (void)state;
    static struct test_series series;
    uint64_t seed = 1;
    make_times(&series, 10, 0, &seed);
    for (size_t run = 1; run <= SPIKES_LENGTHS; run++) {
        for (size_t i = 0; i < 40; i++)
            series.x[i] = 7 + (i >= 17 && i < 17 + run ? 9e-5 : 0);
        assert_int_equal(mark_spikes(&series, 40), run);
        assert_true(series.mark[17] == SPIKE_BRIDGED && series.mark[16 + run] == SPIKE_BRIDGED);
    }
}

static void few_samples_have_no_spikes(void **state)
{
    (void)state;
    static struct test_series series = { .x = { 1, 50, 1, 0.1, 0.2, 0.30000001, 0.4, 7 } };
    for (size_t n = 1; n < SPIKES_LEAST; n++) {
        for (size_t i = 0; i < n; i++)
            series.t[i] = (double)i;
        assert_int_equal(mark_spikes(&series, n), 0);
    }
}

/* Of rows at one time the first is judged, and the verdict holds for all of them. */
static void rows_at_one_time(void **state)
{
    (void)state;
    static struct test_series series, doubled;
    uint64_t seed = 6;
    make_times(&series, 100, 0, &seed);
    make_gait(&series, 0.3, &seed);
    series.x[60] += 50;
    for (size_t i = 0; i < N; i++) {
        doubled.t[i] = series.t[i / 2];
        doubled.x[i] = series.x[i / 2] + (i % 2 ? 20 : 0);
    }
    mark_spikes(&doubled, N);
    assert_true(doubled.mark[120] == SPIKE_BRIDGED && doubled.mark[121] == SPIKE_BRIDGED);
    for (size_t i = 0; i < N; i++) {
        doubled.t[i] = 0;
        doubled.x[i] = i == 20 ? 50 : (double)(i % 3);
    }
    assert_int_equal(mark_spikes(&doubled, N), 0);
}

/* --- laws --- */

/* Times with four decimals, as capture programs print them, give the verdicts of exact times. */
static void printed_times_are_even(void **state)
{
    (void)state;
    static struct test_series series, printed;
    static const double units[] = { 1e-4, 1e-3 };
    uint64_t seed = 12;
    for (size_t k = 0; k < 40; k++) {
        make_times(&series, 120, 0, &seed);
        make_gait(&series, 0.3, &seed);
        series.x[100] += 5;
        series.x[200] -= 20;
        printed = series;
        for (size_t i = 0; i < N; i++)
            printed.t[i] = round(series.t[i] / units[k % 2]) * units[k % 2];
        mark_spikes(&series, N);
        mark_spikes(&printed, N);
        assert_memory_equal(series.mark, printed.mark, N);
    }
}

/* A clock that is set, a mangled time, and two times next to each other hide no spike and make none. */
static void steps_of_any_length(void **state)
{
    (void)state;
    enum { SPIKE = 92, LATER = 112, JUMP = 100 };
    static const double jumps[] = { 10, 86400, 1.7e9, 1e-9, 1e-12 };
    static struct test_series series;
    uint64_t seed = 21;
    for (size_t k = 0; k < 2 * (1 + sizeof jumps / sizeof *jumps); k++) {
        const size_t jump = k / 2;
        make_times(&series, 100, k % 2 ? 0.2 : 0, &seed);
        make_gait(&series, 0.3, &seed);
        series.x[SPIKE] += 8;
        series.x[LATER] += 8;
        for (size_t i = JUMP; i < N && jump < 3; i++)
            series.t[i] += jumps[jump];
        if (jump == 3 || jump == 4)
            series.t[JUMP] = series.t[JUMP - 1] + jumps[jump];
        if (jump == 5)
            series.t[N - 1] = 1e300;
        size_t count = mark_spikes(&series, N);
        if (series.mark[SPIKE] != SPIKE_BRIDGED || series.mark[LATER] != SPIKE_BRIDGED || count > 3)
            fail_msg("case %zu: %zu spikes", k, count);
    }
}

/* A mirrored, scaled or moved series has the same spikes. */
static void mirrored_and_scaled(void **state)
{
    (void)state;
    static struct test_series series, other;
    uint64_t seed = 8;
    for (size_t k = 0; k < 20; k++) {
        make_times(&series, 60, k % 2 ? 0.3 : 0, &seed);
        make_heavy_tails(&series, 2, &seed);
        other = series;
        for (size_t i = 0; i < N; i++) {
            other.x[i] = -0x1p-40 * series.x[i];
            other.t[i] = 8 * series.t[i];
        }
        mark_spikes(&series, N);
        mark_spikes(&other, N);
        assert_memory_equal(series.mark, other.mark, N);
    }
}

/* Verdicts do not depend on how many samples come together. */
static void samples_one_by_one(void **state)
{
    (void)state;
    static struct test_series series;
    const struct spike_kind kind = { .nnumber = 1 };
    uint64_t seed = 2;
    for (size_t batch = 1; batch < 60; batch += 7) {
        struct spike_track track = { 0 };
        unsigned char mark[N] = { 0 };
        struct error e;
        make_times(&series, 75, batch % 2 ? 0.3 : 0, &seed);
        make_heavy_tails(&series, 2, &seed);
        mark_spikes(&series, N);
        for (size_t n = 0, judged = 0; judged < N;) {
            size_t more = n + batch < N ? batch : N - n;
            assert_true(spike_track_reserve(&track, &kind, more, &e));
            for (size_t end = n + more; n < end; n++)
                spike_track_add(&track, &kind, n, series.t[n], &series.x[n], NULL);
            spike_track_measure(&track);
            size_t end = n == N ? N : n > SPIKES_USUAL_ROWS ? n - SPIKES_USUAL_ROWS : 0;
            while (judged < end) {
                size_t passed = spike_track_pass(&track, &usual, judged, end - judged);
                bool spike = false;
                if (passed == 0 && !spike_track_judge(&track, &usual, n == N ? SIZE_MAX : end, &spike))
                    break;
                mark[judged] = spike;
                judged += passed == 0 ? 1 : passed;
            }
        }
        assert_true(track.max <= 4 * (SPIKES_USUAL_ROWS + SPIKES_ROWS_BEFORE + batch + 1));
        for (size_t i = 0; i < N; i++)
            assert_int_equal(mark[i], series.mark[i] != SPIKE_NONE);
        spike_track_free(&track);
    }
}

/* --- vectors, rotations, angles --- */

/* A spike in one component of a vector with noise in all components is found as in a number. */
static void spikes_of_vectors(void **state)
{
    (void)state;
    static const double size[] = { 15, 20, 30 };
    static struct test_series series[3];
    const struct spike_kind kind = { .nnumber = 3 };
    uint64_t seed = 11;
    size_t nfalse = 0;
    for (size_t run = 1; run <= SPIKES_LENGTHS; run++) {
        size_t found = 0, times = 60;
        for (size_t k = 0; k < times; k++) {
            struct spike_rows rows = { .n = N, .time = series[0].t };
            struct error e;
            for (size_t c = 0; c < 3; c++) {
                make_times(&series[c], 120, 0, &seed);
                make_gait(&series[c], 0.3, &seed);
                rows.number[c] = series[c].x;
            }
            for (size_t i = 100; i < 100 + run; i++)
                series[k % 3].x[i] += size[run - 1];
            assert_true(spikes_find(&usual, &kind, &rows, series[0].mark, &e));
            for (size_t i = 0; i < N; i++) {
                bool inside = i >= 100 && i < 100 + run, spike = series[0].mark[i] != SPIKE_NONE;
                found += inside && spike;
                nfalse += !inside && spike;
            }
        }
        assert_in_range(found, 97 * times * run / 100, times * run);
    }
    assert_in_range(nfalse, 0, 3 * 60 * N / 500);
}

/* A rotation turns by 3 degrees a row about an axis that moves; one row is 4 degrees off, and the quaternion
 * of another has the other sign. */
static void a_rotation_that_is_off(void **state)
{
    (void)state;
    const struct spike_kind kind = { .nnumber = 4, .rotation = true };
    for (size_t bad = 20; bad < 40; bad++) {
        double q[4][60] = { { 0 } }, target[60][4], t[60];
        unsigned char mark[60];
        struct error e;
        for (size_t i = 0; i < 60; i++) {
            double half = tau / 720 * (3 * (double)i + (i == bad ? 4 : 0)), lean = (double)i / 60;
            double sign = i == 30 ? -1 : 1;
            q[0][i] = sign * cos(half);
            q[1][i] = sign * sin(half) * cos(lean);
            q[2][i] = sign * sin(half) * sin(lean);
            for (size_t k = 0; k < 4; k++)
                target[i][k] = q[k][i];
            t[i] = (double)i / 60;
        }
        const struct spike_rows rows = {
            .n = 60, .time = t, .number = { q[0], q[1], q[2], q[3] }, .target = target[0]
        };
        assert_true(spikes_find(&usual, &kind, &rows, mark, &e));
        for (size_t i = 0; i < 60; i++)
            if ((mark[i] != SPIKE_NONE) != (i == bad))
                fail_msg("spike at %zu: row %zu", bad, i);
    }
}

/* An angle of 20 degrees a row wraps at 180; a row beside the wrap is off. */
static void an_angle_that_is_off(void **state)
{
    (void)state;
    const struct spike_kind kind = { .nnumber = 1, .period = 360 };
    static struct test_series series;
    uint64_t seed = 1;
    make_times(&series, 100, 0, &seed);
    for (size_t i = 0; i < 60; i++)
        series.x[i] = remainder(20 * (double)i + (i == 26 ? 15 : 0), 360);
    const struct spike_rows rows = { .n = 60, .time = series.t, .number = { series.x } };
    struct error e;
    assert_true(spikes_find(&usual, &kind, &rows, series.mark, &e));
    for (size_t i = 0; i < 60; i++)
        assert_int_equal(series.mark[i], i == 26 ? SPIKE_BRIDGED : SPIKE_NONE);
}

/* Sets a vector in gait, of which some components of some rows are off. */
static void make_vectors(struct test_series vector[3], uint64_t *seed)
{
    for (size_t c = 0; c < 3; c++) {
        make_times(&vector[c], 60, 0, seed);
        make_gait(&vector[c], 0.3, seed);
        for (size_t i = 0; i < N; i++)
            vector[c].x[i] += uniform(seed) < 0.03 ? 4 * deviate(seed) : 0;
    }
}

/* A sample that is ruled out at little cost is no spike to the verdict either. So the spikes do not depend on
 * which of the two is asked: the filter asks for the verdict alone while a gap is open. */
static void samples_that_are_ruled_out(void **state)
{
    (void)state;
    enum { TIMES = 300 };
    static struct test_series vector[3];
    uint64_t seed = 29;
    for (size_t k = 0; k < TIMES; k++) {
        const struct spike_kind kind = { .nnumber = k % 2 ? 1 : 3 };
        struct spike_track track = { 0 };
        struct error e;
        make_vectors(vector, &seed);
        assert_true(spike_track_reserve(&track, &kind, N, &e));
        for (size_t i = 0; i < N; i++) {
            const double number[] = { vector[0].x[i], vector[1].x[i], vector[2].x[i] };
            spike_track_add(&track, &kind, i, vector[0].t[i], number, NULL);
        }
        spike_track_measure(&track);
        for (size_t i = 0; i < N; i++) {
            struct spikes_window window = track.window;
            struct spikes_stretch stretch;
            bool spike;
            if (spike_track_pass(&track, &usual, i, 1) == 0) {
                assert_true(spike_track_judge(&track, &usual, SIZE_MAX, &spike));
                continue;
            }
            assert_true(spikes_judge(&track.series, &usual, &window, i, SIZE_MAX, &stretch));
            assert_true(stretch.end == i + 1 && !stretch.spike[0]);
        }
        spike_track_free(&track);
    }
}

/* 3 times the scale of distances holds 99.73 percent of the distances of normal noise. */
static void the_scale_of_distances(void **state)
{
    (void)state;
    enum { MANY = 200000 };
    uint64_t seed = 3;
    for (size_t ncolumn = 1; ncolumn <= 3; ncolumn++) {
        static double distance[MANY], copy[MANY];
        size_t beyond = 0;
        for (size_t i = 0; i < MANY; i++) {
            double square = 0;
            for (size_t c = 0; c < ncolumn; c++)
                square += pow(deviate(&seed), 2);
            copy[i] = distance[i] = sqrt(square);
        }
        double scale = spike_median_to_scale(ncolumn) * noise_median(copy, MANY);
        for (size_t i = 0; i < MANY; i++)
            beyond += distance[i] > 3 * scale;
        assert_true(fabs((double)beyond / MANY - 0.0027) < 0.0004); /* 3 standard deviations of the count */
    }
}

/* A spike is bridged from good samples within the window on both sides, or where its gap is filled; of the
 * others those that begin or end a run are kept. */
static void what_becomes_of_a_spike(void **state)
{
    (void)state;
    enum { WINDOW = 5 };
    struct spike_gap gap = { .before = 10, .after = 18, .closing = SPIKE_NO_ROW };
    for (size_t row = 11; row < 18; row++)
        assert_int_equal(spike_mark_of(&gap, WINDOW, row),
                         row <= 10 + WINDOW && row >= 18 - WINDOW ? SPIKE_BRIDGED : SPIKE_LEFT);
    gap.filled = true;
    assert_int_equal(spike_mark_of(&gap, WINDOW, 11), SPIKE_BRIDGED);
    gap = (struct spike_gap){ SPIKE_NO_ROW, 10, .opening = 2, .closing = SPIKE_NO_ROW };
    for (size_t row = 0; row < 10; row++)
        assert_int_equal(spike_mark_of(&gap, WINDOW, row), row < 2 ? SPIKE_KEPT : SPIKE_LEFT);
    gap = (struct spike_gap){ 10, SPIKE_NO_ROW, .closing = 14 };
    for (size_t row = 11; row < 16; row++)
        assert_int_equal(spike_mark_of(&gap, WINDOW, row), row < 14 ? SPIKE_LEFT : SPIKE_KEPT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(spikes_are_found),         cmocka_unit_test(spikes_at_ends_are_kept),
        cmocka_unit_test(motion_has_no_spikes),     cmocka_unit_test(rounding_is_no_spike),
        cmocka_unit_test(spikes_at_rest_are_found), cmocka_unit_test(few_samples_have_no_spikes),
        cmocka_unit_test(rows_at_one_time),         cmocka_unit_test(printed_times_are_even),
        cmocka_unit_test(steps_of_any_length),      cmocka_unit_test(mirrored_and_scaled),
        cmocka_unit_test(samples_one_by_one),       cmocka_unit_test(spikes_of_vectors),
        cmocka_unit_test(a_rotation_that_is_off),   cmocka_unit_test(an_angle_that_is_off),
        cmocka_unit_test(the_scale_of_distances),   cmocka_unit_test(samples_that_are_ruled_out),
        cmocka_unit_test(what_becomes_of_a_spike),
    };
    return cmocka_run_group_tests_name("spikes", tests, NULL, NULL);
}
