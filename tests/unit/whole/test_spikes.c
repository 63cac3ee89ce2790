/* The rule of --despike on series whose spikes are known: what is found, what is taken for a spike and is
 * none, what replaces a spike, and that pieces give what the whole series gives. */
#include "unit/harness.h"
#include "whole/noise/noise.h"
#include "whole/noise/spikes.h"

enum { N = 1200 };

static const double tau = 6.283185307179586;

static const struct spike_kind number_kind = { .nnumber = 1 };

/* A series of numbers, which its test fills. */
static double t[N], x[N], y[N], z[N], quaternion[N][4];
static unsigned char mark[N];

/* Marks the spikes of the first n rows of a unit. Returns their number. */
static size_t find(const struct spike_kind *kind, double K, size_t n)
{
    const struct spike_rows rows = { .n = n, .time = t, .number = { x, y, z }, .target = quaternion[0] };
    struct error e;
    size_t count = 0;
    assert_true(spikes_find(K, kind, &rows, mark, &e));
    for (size_t i = 0; i < n; i++)
        count += mark[i] == SPIKE;
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

/* Times of `rate` rows per second, uneven by a part of a step. */
static void make_times(double rate, double uneven, uint64_t *seed)
{
    double now = 0;
    for (size_t i = 0; i < N; i++) {
        t[i] = now;
        now += (1 + uneven * (2 * uniform(seed) - 1)) / rate;
    }
}

/* Three tones, as a marker on a foot, in mm. */
static double gait(double time)
{
    return 200 * sin(tau * 0.9 * time) + 60 * sin(tau * 1.8 * time + 1) + 25 * sin(tau * 3.6 * time + 2);
}

static void make_gait(double rate, double uneven, double noise, uint64_t *seed)
{
    make_times(rate, uneven, seed);
    for (size_t i = 0; i < N; i++)
        x[i] = gait(t[i]) + noise * deviate(seed);
}

/* Adds `size` to `length` rows from each 40th row on. */
static size_t add_spikes(double size, size_t length)
{
    size_t n = 0;
    for (size_t i = 40; i + 40 < N; i += 40)
        for (size_t k = 0; k < length; k++, n++)
            x[i + k] += size;
    return n;
}

static size_t count_found(size_t length)
{
    size_t n = 0;
    for (size_t i = 40; i + 40 < N; i += 40)
        for (size_t k = 0; k < length; k++)
            n += mark[i + k] == SPIKE;
    return n;
}

static void gait_with_spikes_of_30_deviations_and_without(void **state)
{
    static const double rates[] = { 50, 60, 120 };
    uint64_t seed = 5;
    (void)state;
    for (size_t r = 0; r < 3; r++)
        for (size_t length = 1; length <= SPIKES_LENGTHS; length++)
            for (double uneven = 0; uneven < 0.5; uneven += 0.4) {
                make_gait(rates[r], uneven, 1, &seed);
                assert_true(find(&number_kind, 6, N) <= 2);
                /* A longer spike is more like motion. */
                const size_t all = add_spikes(length == 1 ? 30 : 80, length),
                             total = find(&number_kind, 6, N);
                if (rates[r] < 100 && length > 1)
                    continue;
                assert_true(100 * count_found(length) >= 90 * all);
                assert_true(total <= all + 4);
            }
}

static void a_constant_with_an_early_spike(void **state)
{
    uint64_t seed = 1;
    (void)state;
    make_times(100, 0, &seed);
    for (size_t i = 0; i < N; i++)
        x[i] = 5;
    x[2] = 50;
    assert_int_equal(find(&number_kind, 6, N), 1);
    assert_int_equal(mark[2], SPIKE);
    assert_int_equal(mark[0], SPIKE_NONE);
}

static void spikes_three_rows_apart(void **state)
{
    uint64_t seed = 2;
    (void)state;
    make_gait(120, 0, 1, &seed);
    for (size_t i = 300; i < 309; i += 3)
        x[i] += 40;
    assert_int_equal(find(&number_kind, 6, N), 3);
    for (size_t i = 300; i < 309; i += 3)
        assert_int_equal(mark[i], SPIKE);
}

/* Two pauses with a step between: the row between is no spike. */
static void nothing_is_invented_at_steps_corners_and_impacts(void **state)
{
    uint64_t seed = 3;
    (void)state;
    make_times(100, 0, &seed);
    for (size_t i = 0; i < N; i++)
        x[i] = i < 400 ? 0 : i == 400 ? -0.005 : i < 800 ? -0.2 : -0.2 + 0.03 * (double)(i - 800);
    assert_int_equal(find(&number_kind, 6, N), 0);
    for (size_t i = 0; i < N; i++)
        x[i] = 5 * (double)(i / 100 % 3) + deviate(&seed);
    assert_true(find(&number_kind, 6, N) <= 1);
}

static void rounded_numbers_have_no_spikes_of_one_unit(void **state)
{
    uint64_t seed = 4;
    (void)state;
    make_times(100, 0, &seed);
    for (size_t i = 0; i < N; i++)
        x[i] = 20 + (i % 37 == 0);
    assert_int_equal(find(&number_kind, 6, N), 0);
}

/* A cubic is its own curve, so that the least spike stands out: by uneven times, which even ones are not
 * near. */
static void a_small_spike_on_a_cubic_by_uneven_times(void **state)
{
    (void)state;
    for (size_t i = 0; i < N; i++) {
        t[i] = ((double)i + (i % 2 ? 0.25 : 0)) / 100;
        x[i] = 3 * pow(t[i] - 6, 3) + 50 * (t[i] - 6);
    }
    x[600] += 0.01;
    assert_int_equal(find(&number_kind, 6, N), 1);
    assert_int_equal(mark[600], SPIKE);
}

/* Two good rows on both sides are needed; without them a spike is kept, and said to be one perhaps. */
static void at_ends_and_gaps_spikes_are_kept(void **state)
{
    static const size_t unsure[] = { 0, 1, N - 2, N - 1, 499, 503 };
    uint64_t seed = 6;
    (void)state;
    for (size_t k = 0; k < sizeof unsure / sizeof *unsure; k++) {
        make_gait(120, 0, 1, &seed);
        x[500] = x[501] = x[502] = (double)NAN;
        x[unsure[k]] += 60;
        const size_t n = find(&number_kind, 6, N);
        if (unsure[k] == 503) {
            assert_int_equal(n, 1); /* two good rows before the gap are near enough */
            continue;
        }
        assert_int_equal(n, 0);
        assert_int_equal(mark[unsure[k]], SPIKE_UNSURE);
    }
    make_gait(120, 0, 1, &seed);
    x[2] += 60;
    x[N - 3] += 60;
    assert_int_equal(find(&number_kind, 6, N), 2);
}

static void a_vector_is_judged_by_length_and_a_rotation_by_either_sign(void **state)
{
    const struct spike_kind vector = { .nnumber = 3 };
    const struct spike_kind rotation = { .nnumber = 3, .rotation = true, .turn = 0.5 * tau / 360 };
    uint64_t seed = 7;
    (void)state;
    make_gait(120, 0, 1, &seed);
    for (size_t i = 0; i < N; i++) {
        y[i] = gait(t[i] + 1) + deviate(&seed);
        z[i] = gait(t[i] + 2) + deviate(&seed);
    }
    y[300] += 40;
    assert_int_equal(find(&vector, 6, N), 1);
    assert_int_equal(mark[300], SPIKE);
    y[600] = (double)NAN; /* the whole vector is missing */
    assert_int_equal(find(&vector, 6, N), 1);
    assert_int_equal(mark[600], SPIKE_NONE);
    for (size_t i = 0; i < N; i++) {
        const double half = 0.5 * sin(t[i]) + (i == 700 ? 0.2 : 0) + 1e-4 * deviate(&seed);
        const double sign = i / 50 % 2 == 0 ? 1 : -1;
        x[i] = 2 * half * 360 / tau;
        y[i] = z[i] = 0;
        quaternion[i][0] = sign * cos(half);
        quaternion[i][1] = sign * sin(half);
        quaternion[i][2] = sign * 1e-4 * deviate(&seed);
        quaternion[i][3] = sign * 1e-4 * deviate(&seed);
    }
    assert_int_equal(find(&rotation, 6, N), 1);
    assert_int_equal(mark[700], SPIKE);
}

static void an_angle_that_wraps_is_no_spike(void **state)
{
    const struct spike_kind angle = { .nnumber = 1, .period = 360 };
    uint64_t seed = 8;
    (void)state;
    make_times(100, 0, &seed);
    for (size_t i = 0; i < N; i++)
        x[i] = fmod(7 * (double)i + 0.1 * deviate(&seed), 360) + (i == 500 ? 20 : 0);
    assert_int_equal(find(&angle, 6, N), 1);
    assert_int_equal(mark[500], SPIKE);
}

/* The arrays of a series that comes in pieces. */
static double off[SPIKES_LENGTHS][N];
static unsigned char part[N], out[N], cut[N];
static struct spike_unit unit = {
    .kind = { .nnumber = 1 }, .column = { x }, .number = { x }, .off = { off[0], off[1], off[2] }, .out = out
};

static struct spikes begin_series(void)
{
    memset(out, SPIKE_NONE, sizeof out);
    for (size_t i = 1; i < N; i++)
        part[i] = (unsigned char)(part[i - 1] + (cut[i] || spikes_long_step(t, i)));
    return (struct spikes){ .factor = 6, .t = t, .part = part };
}

/* Random series with gaps, spikes, cuts and pauses, in pieces of any size: the verdicts and bridges of the
 * whole. */
static void pieces_give_what_the_whole_gives(void **state)
{
    static double bridge[N];
    static unsigned char verdict[N];
    static const size_t pieces[] = { N, 1, 7, 64 };
    uint64_t seed = 9;
    size_t nspike = 0;
    (void)state;
    for (size_t round = 0; round < 30; round++) {
        make_gait(60, round % 3 == 0 ? 0 : 0.3, 1, &seed);
        for (size_t i = 0; i < N; i++) {
            cut[i] = uniform(&seed) < 0.004;
            x[i] = uniform(&seed) < 0.05 ? (double)NAN : x[i] + (uniform(&seed) < 0.08 ? 90 : 0);
            for (size_t k = i; uniform(&seed) < 0.002 && k < N; k++)
                t[k] += 1;
        }
        for (size_t p = 0; p < sizeof pieces / sizeof *pieces; p++) {
            struct spikes spikes = begin_series();
            for (size_t decided = 0; spikes.n < N;) {
                spikes.n = N - spikes.n < pieces[p] ? N : spikes.n + pieces[p];
                unit.rounded_at = 0;
                spikes_judge(&spikes, &unit, 1, spikes.n == N);
                for (; decided < spikes.decided; decided++) {
                    double near[4], to[4] = { 0 };
                    if (out[decided] == SPIKE && !spikes_bridge(&spikes, &unit, decided, to, near))
                        to[0] = 1e9;
                    nspike += p == 0 && out[decided] == SPIKE;
                    verdict[decided] = p == 0 ? out[decided] : verdict[decided];
                    bridge[decided] = p == 0 ? to[0] : bridge[decided];
                    assert_int_equal(out[decided], verdict[decided]);
                    assert_true(to[0] == bridge[decided]);
                }
                if (pieces[p] == 1 && spikes.n > 400 && spikes.n < N)
                    assert_true(decided + SPIKES_AHEAD + 30 > spikes.n); /* no row waits for long */
            }
            assert_int_equal(spikes.decided, N);
        }
    }
    assert_true(nspike > 200);
}

static void a_bridge_is_the_cubic_within_its_neighbours(void **state)
{
    double near[4], to[4];
    uint64_t seed = 1;
    (void)state;
    make_times(10, 0.5, &seed);
    memset(cut, 0, sizeof cut);
    for (size_t i = 0; i < N; i++)
        x[i] = t[i] * t[i] * t[i] - 300 * t[i];
    x[100] = x[101] = 1e6;
    struct spikes spikes = begin_series();
    spikes.n = N;
    spikes_judge(&spikes, &unit, 1, true);
    assert_int_equal(spikes.decided, N);
    for (size_t i = 100; i < 102; i++) {
        const double want = t[i] * t[i] * t[i] - 300 * t[i];
        assert_int_equal(out[i], SPIKE);
        assert_true(spikes_bridge(&spikes, &unit, i, to, near));
        assert_true(fabs(to[0] - fmin(fmax(want, fmin(x[99], x[102])), fmax(x[98], x[103]))) < 1);
        assert_true(near[0] == x[99]);
    }
}

static void rows_of_one_time_are_one_sample(void **state)
{
    uint64_t seed = 10;
    (void)state;
    make_gait(120, 0, 1, &seed);
    for (size_t i = N; i-- > 0;) {
        t[i] = t[i / 2];
        x[i] = i % 2 ? -1e6 : x[i / 2]; /* the first counts */
    }
    x[600] += 60;
    assert_int_equal(find(&number_kind, 6, N), 2);
    assert_true(mark[600] == SPIKE && mark[601] == SPIKE);
}

static void rounding_skips_missing_numbers(void **state)
{
    const double cents[] = { NAN, 1.25, NAN, 1.5, 1.26, NAN }, none[] = { NAN, NAN };
    (void)state;
    assert_true(fabs(rounding_error(cents, 6) - 0.005) < 1e-12);
    assert_true(rounding_error(none, 2) == 0);
    assert_true(rounding_error(none, 0) == 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(gait_with_spikes_of_30_deviations_and_without),
        cmocka_unit_test(a_constant_with_an_early_spike),
        cmocka_unit_test(spikes_three_rows_apart),
        cmocka_unit_test(nothing_is_invented_at_steps_corners_and_impacts),
        cmocka_unit_test(rounded_numbers_have_no_spikes_of_one_unit),
        cmocka_unit_test(a_small_spike_on_a_cubic_by_uneven_times),
        cmocka_unit_test(at_ends_and_gaps_spikes_are_kept),
        cmocka_unit_test(a_vector_is_judged_by_length_and_a_rotation_by_either_sign),
        cmocka_unit_test(an_angle_that_wraps_is_no_spike),
        cmocka_unit_test(pieces_give_what_the_whole_gives),
        cmocka_unit_test(a_bridge_is_the_cubic_within_its_neighbours),
        cmocka_unit_test(rows_of_one_time_are_one_sample),
        cmocka_unit_test(rounding_skips_missing_numbers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
