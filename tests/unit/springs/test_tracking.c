/* The tracking filter: against its definition in 80 digits, and every promise it makes. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include "unit/harness.h"

#include "ref/tracking_table.h"

extern const struct filter filter_tracking;
static const struct filter *const tracking = &filter_tracking;

enum { X, V, A, NOUT, MAXROW = 10001 };

static double T[MAXROW], goal[MAXROW], x[MAXROW], v[MAXROW], a[MAXROW], x2[MAXROW], v2[MAXROW], a2[MAXROW];
static unsigned char mark[MAXROW];
static double *const out[NOUT] = { x, v, a }, *const out2[NOUT] = { x2, v2, a2 };

static const double rates[] = { 15, 24, 60, 240, 0 }; /* 0: irregular */

static void steps(size_t n, double rate, uint64_t *seed)
{
    double t = 0;
    for (size_t i = 0; i < n; i++) {
        double before = t;
        t = rate > 0 ? (double)i / rate : t + .001 + .1 * harness_noise(seed);
        T[i] = t - before;
    }
}

static double motion(double t)
{
    return 100 + 20 * sin(2.1 * t) + 3 * sin(31 * t + 1);
}

/* A motion with jumps in the marked rows, and a gap. */
static void jumpy(size_t n, double rate, uint64_t *seed)
{
    steps(n, rate, seed);
    double t = 0, jump = 0;
    memset(mark, 0, sizeof mark);
    for (size_t i = 0; i < n; i++) {
        t += T[i];
        if (i % 97 == 60 || i % 97 == 61 || i % 97 == 86)
            mark[i] = FLAG_CUT;
        if (i % 97 > 81 && i % 97 < 86)
            mark[i] = FLAG_GAP;
        if (mark[i] & FLAG_CUT)
            jump = 40 * harness_noise(seed) - 20;
        goal[i] = mark[i] & FLAG_GAP ? goal[i - 1] : motion(t) + jump;
    }
}

static void run(const char *words, size_t n, const unsigned char *marks, double *const *to)
{
    void *settings = harness_good(tracking, words);
    harness_run(tracking, settings, n, T, goal, marks, to);
    free(settings);
}

static void follows_its_definition(void **unused)
{
    (void)unused;
    double error[NOUT] = { 0 };
    for (size_t n = 0; n < sizeof tracking_cases / sizeof *tracking_cases; n++) {
        const size_t nrow = TRACKING_NROW;
        const double step = tracking_cases[n].step;
        for (size_t i = 0; i < nrow; i++)
            T[i] = step < 0 ? -step * tracking_uneven[i] : step;
        memcpy(goal, tracking_goal, sizeof tracking_goal);
        memcpy(mark, tracking_mark, sizeof tracking_mark);
        if (tracking_cases[n].first_cut)
            mark[1] = FLAG_CUT;
        run(tracking_cases[n].words, nrow, mark, out);
        double shortest = INFINITY;
        for (size_t i = 1; i < nrow; i++)
            shortest = fmin(shortest, T[i]);
        double scale[NOUT] = { harness_largest(goal, nrow),
                               fmax(harness_largest(v, nrow), 60 * harness_largest(goal, nrow)) };
        scale[A] = scale[V] / shortest;
        for (size_t i = 0, row = (TRACKING_EVERY - n % TRACKING_EVERY) % TRACKING_EVERY; row < nrow;
             i++, row += TRACKING_EVERY)
            for (size_t o = 0; o < NOUT; o++) {
                double e = fabs(out[o][row] - tracking_cases[n].expected[i][o]) / scale[o];
                if (!(e <= 1e-12))
                    fail_msg("%s: row %zu output %zu: %.17g, not %.17g", tracking_cases[n].words, row, o,
                             out[o][row], tracking_cases[n].expected[i][o]);
                error[o] = fmax(error[o], e);
            }
    }
    print_message("tracking: largest error, of the range: x %.2g v %.2g a %.2g\n", error[X], error[V],
                  error[A]);
}

static void holds_for_ten_thousand_rows(void **unused)
{
    (void)unused;
    double error = 0;
    memset(goal, 0, sizeof goal);
    memset(mark, 0, sizeof mark);
    goal[0] = 1;
    mark[1] = FLAG_CUT;
    for (size_t n = 0; n < sizeof tracking_long / sizeof *tracking_long; n++) {
        for (size_t i = 0; i < MAXROW; i++)
            T[i] = tracking_long[n].T;
        run(tracking_long[n].words, MAXROW, mark, out);
        for (size_t i = 0; i < sizeof tracking_counts / sizeof *tracking_counts; i++) {
            size_t row = tracking_counts[i];
            const double *expected = tracking_long[n].expected[i];
            double e = fmax(fabs(x[row] - expected[0]), fabs(v[row] - expected[1]) / 60);
            /* A step of 1e6 seconds may turn by thousands of radians. */
            if (!(e <= (T[1] < 1e6 ? 1e-12 : 1e-11)))
                fail_msg("%s T %g row %zu: %.17g %.17g, not %.17g %.17g", tracking_long[n].words, T[1], row,
                         x[row], v[row], expected[0], expected[1]);
            error = fmax(error, e);
        }
    }
    print_message("tracking: largest error over 10^4 rows: %.2g\n", error);
}

static void passes_a_clean_signal_bit_for_bit(void **unused)
{
    (void)unused;
    static const char *const gains[] = { "",
                                         "position-gain=0 velocity-gain=0",
                                         "position-gain=1 velocity-gain=1",
                                         "position-gain=1 velocity-gain=0",
                                         "position-gain=0 velocity-gain=1",
                                         "position-gain=.5 velocity-gain=1e-9 gain-rate=7",
                                         "max-velocity=1e6 max-acceleration=1e9" };
    uint64_t seed = 3;
    for (size_t r = 0; r < 5; r++) {
        steps(2000, rates[r], &seed);
        double t = 0;
        for (size_t i = 0; i < 2000; i++)
            goal[i] = motion(t += T[i]) + .01 * harness_noise(&seed);
        goal[7] = 0;
        goal[8] = 1e-300;
        for (size_t n = 0; n < sizeof gains / sizeof *gains; n++) {
            run(gains[n], 2000, NULL, out);
            assert_memory_equal(x, goal, 2000 * sizeof *x);
            for (size_t i = 1; i < 2000; i++) {
                assert_true(v[i] == (goal[i] - goal[i - 1]) / T[i]);
                assert_true(a[i] == (v[i] - v[i - 1]) / T[i]);
            }
            assert_true(v[0] == 0 && a[0] == 0);
        }
    }
}

struct published {
    double position, velocity, acceleration, rate, max_velocity, max_acceleration;
};

static double clip(double y, double most)
{
    return fmax(-most, fmin(y, most));
}

/* The published update, into x2 and v2. Both targets come from the goals: the acceleration from slopes that
 * are not clipped. Behind a start or a cut no acceleration is known before a slope is within its limit; from
 * the start to there the changes of the clipped slope are taken over. */
static void publish(const struct published *p, size_t n)
{
    double at = goal[0], speed = 0, asked = 0;
    bool fresh = true, known = false;
    x2[0] = at;
    v2[0] = 0;
    for (size_t i = 1; i < n; i++) {
        double slope = (goal[i] - goal[i - 1]) / T[i], target = clip(slope, p->max_velocity);
        if (mark[i]) {
            fresh = known = false;
        } else {
            double change = known ? slope - (goal[i - 1] - goal[i - 2]) / T[i - 1] : 0;
            speed += fresh ? target - asked : 0;
            speed += p->acceleration * clip(change, p->max_acceleration * T[i]);
            speed += p->velocity * (target - speed);
            asked = target;
            known |= target == slope;
            fresh &= !known;
        }
        speed += p->position * ((goal[i] - at) / T[i] - speed);
        at += speed * T[i];
        x2[i] = at;
        v2[i] = speed;
    }
}

static void equals_the_published_update_at_the_gain_rate(void **unused)
{
    (void)unused;
    static const struct published all[] = {
        { .01, .2, 1, 60, 1e9, 1e9 }, { .05, .01, 1, 30, 1e9, 1e9 }, { .3, .9, .4, 24, 1e9, 1e9 },
        { .01, .2, 1, 60, 30, 900 },  { .05, .2, .7, 60, 20, 1e9 },  { .01, .2, 1, 60, 1e9, 300 },
        { 1, 1, 1, 60, 1e9, 1e9 },    { 1, 0, 1, 60, 1e9, 1e9 },     { 0, .1, 1, 60, 1e9, 1e9 },
    };
    double error = 0;
    uint64_t seed = 5;
    for (size_t n = 0; n < sizeof all / sizeof *all; n++) {
        const struct published *p = &all[n];
        char words[200], exact[240];
        snprintf(words, sizeof words,
                 "position-gain=%g velocity-gain=%g acceleration-gain=%g max-velocity=%g max-acceleration=%g",
                 p->position, p->velocity, p->acceleration, p->max_velocity, p->max_acceleration);
        snprintf(exact, sizeof exact, "%s gain-rate=%g", words, p->rate);
        strcat(words, " method=gain");
        jumpy(MAXROW, p->rate, &seed);
        for (size_t i = 1; i < MAXROW; i++)
            T[i] = 1 / p->rate;
        publish(p, MAXROW);
        double range = harness_largest(x2, MAXROW), speeds = harness_largest(v2, MAXROW);
        range = fmax(range, 140) * (p->position == 0 ? 100 : 1); /* no pull: thrown positions drift on */
        run(words, MAXROW, mark, out);
        error = fmax(error, harness_worst(x, x2, MAXROW) / range);
        error = fmax(error, harness_worst(v, v2, MAXROW) / speeds);
        run(exact, MAXROW, mark, out);
        error = fmax(error, harness_worst(x, x2, MAXROW) / range);
        if (!(error < 1e-12))
            fail_msg("%s differs from the published update by %g", exact, error);
    }
    print_message("tracking: largest difference from the published update at its rate: %.2g\n", error);
}

/* What is not given is as published, and as the help lines say. */
static void defaults_are_the_published_ones(void **unused)
{
    (void)unused;
    static const char *const said[][2] = {
        { "", "position-gain=.01 velocity-gain=.2 acceleration-gain=1 gain-rate=60" },
        { "method=gain", "method=gain position-gain=.01 velocity-gain=.2 acceleration-gain=1" },
        { "method=halflife",
          "method=halflife position-halflife=1 velocity-halflife=.05 acceleration-halflife=0" },
        { "method=spring-damper",
          "method=spring-damper position-gain=.01 velocity-gain=.2 acceleration-gain=1 gain-rate=60" },
    };
    uint64_t seed = 21;
    jumpy(500, 0, &seed);
    for (size_t n = 0; n < sizeof said / sizeof *said; n++) {
        run(said[n][0], 500, mark, out);
        run(said[n][1], 500, mark, out2);
        for (size_t o = 0; o < NOUT; o++)
            assert_memory_equal(out[o], out2[o], 500 * sizeof(double));
    }
}

/* An error left by a cut, then a goal that stands or runs on. */
static void after_a_cut(double rate, size_t n, double slope)
{
    memset(mark, 0, sizeof mark);
    mark[1] = FLAG_CUT;
    for (size_t i = 0; i < n; i++) {
        T[i] = i > 1 ? 1 / rate : 1. / 60;
        goal[i] = i ? (i > 1 ? goal[i - 1] + slope * T[i] : 0) : 10;
    }
}

static void decays_alike_at_any_rate(void **unused)
{
    (void)unused;
    static const char *const words[] = { "", "position-gain=.3 velocity-gain=.01",
                                         "position-gain=1e-4 velocity-gain=.5",
                                         "position-gain=.111111111111111 velocity-gain=.5",
                                         "position-gain=.02 velocity-gain=1" };
    double error = 0;
    for (size_t n = 0; n < sizeof words / sizeof *words; n++)
        for (int slope = 0; slope < 2; slope++) {
            double end_x[3], end_v[3];
            for (size_t r = 0; r < 3; r++) {
                double rate = (const double[]){ 15, 60, 240 }[r];
                size_t last = 1 + (size_t)rate;
                after_a_cut(rate, last + 1, slope);
                run(words[n], last + 1, mark, out);
                end_x[r] = x[last] - goal[last];
                end_v[r] = v[last];
            }
            error = fmax(error, fmax(fabs(end_x[0] - end_x[1]), fabs(end_x[2] - end_x[1])) / 10);
            error = fmax(error, fmax(fabs(end_v[0] - end_v[1]), fabs(end_v[2] - end_v[1])) / 600);
        }
    print_message("tracking: largest difference of one second at 15, 60 and 240 Hz: %.2g\n", error);
    assert_true(error < 1e-12);
}

static void steps_compose(void **unused)
{
    (void)unused;
    double error = 0;
    for (int ax = 0; ax <= 10; ax++)
        for (int av = 0; av <= 10; av++) {
            char words[80];
            snprintf(words, sizeof words, "position-gain=%g velocity-gain=%g", ax / 10., av / 10.);
            if (ax == 10) /* no powers: see its own test */
                continue;
            after_a_cut(3, 3, 0);
            run(words, 3, mark, out);
            after_a_cut(3 * 1000, 1002, 0);
            run(words, 1002, mark, out2);
            error = fmax(error, fmax(fabs(x[2] - x2[1001]) / 10, fabs(v[2] - v2[1001]) / 600));
        }
    print_message("tracking: largest difference of one step from a thousand parts: %.2g\n", error);
    assert_true(error < 1e-12);
}

/* Between oscillation and decay a last digit of a gain must not matter more than a last digit. */
static void regimes_join_smoothly(void **unused)
{
    (void)unused;
    for (int i = 1; i < 40; i++) {
        double av = i / 40., meet = av / (2 - av) * (av / (2 - av)), ends[17];
        for (int k = -8; k <= 8; k++) {
            char words[100];
            snprintf(words, sizeof words, "position-gain=%.17g velocity-gain=%.17g", meet * (1 + k * 0x1p-52),
                     av);
            after_a_cut(7, 3, 0);
            run(words, 3, mark, out);
            ends[k + 8] = x[2] / 10 + v[2] / 600;
        }
        for (int k = 1; k < 17; k++)
            assert_true(fabs(ends[k] - ends[k - 1]) < 1e-14);
    }
}

/* What is said of a position gain of 1: the error goes at once, and the curve stands. */
static void whole_gains_do_it_in_one_row(void **unused)
{
    (void)unused;
    for (int av = 0; av < 3; av++)
        for (size_t r = 0; r < 3; r++) {
            char words[60];
            snprintf(words, sizeof words, "position-gain=1 velocity-gain=%g", av / 2.);
            double rate = (const double[]){ 15, 60, 240 }[r];
            after_a_cut(rate, 4, 0);
            T[1] = 1 / rate;
            run(words, 4, mark, out);
            assert_true(x[1] == 0 && x[2] == 0 && x[3] == 0);
            assert_true(v[1] == 0 && v[2] == 0 && v[3] == 0);
        }
}

static void limits_bridge_jumps_without_marks(void **unused)
{
    (void)unused;
    uint64_t seed = 9;
    steps(3000, 60, &seed);
    for (size_t i = 0; i < 3000; i++)
        goal[i] = 5 * sin((double)i / 40) + (i >= 1000 ? 50 : 0); /* at most 7.5 a second, and one jump */
    run("max-velocity=10 max-acceleration=60", 3000, NULL, out);
    assert_memory_equal(x, goal, 1000 * sizeof *x);
    for (size_t i = 1000; i < 3000; i++)
        assert_true(fabs(x[i] - x[i - 1]) < 5); /* the jump was one of 50 */
    assert_true(fabs(x[1000] - goal[1000]) > 45);
    assert_true(fabs(x[2999] - goal[2999]) < 1e-9); /* and is caught up with */

    run("max-acceleration=60 position-gain=.05", 3000, NULL, out); /* the motion needs 11 */
    for (size_t i = 1000; i < 3000; i++)
        assert_true(fabs(x[i] - x[i - 1]) < 60);
    assert_true(fabs(x[2999] - goal[2999]) < 1e-9);

    run("max-velocity=0", 3000, NULL, out); /* no velocity asked for: only the pull, which lags */
    assert_true(fabs(x[900] - goal[900]) > .01);
}

/* Rows of 1/60 s, the goal jumps in row 2, beyond limits of its velocity; from row 4 on a thousand rows for
 * each of these. */
static void after_a_clip(size_t n)
{
    memset(mark, 0, sizeof mark);
    for (size_t i = 0; i < n; i++) {
        T[i] = i < 4 ? 1. / 60 : 1. / 60000;
        goal[i] = i < 2 ? 0 : 10;
    }
}

/* The slope of x at row i, from its neighbours. */
static double slope_at(size_t i)
{
    return (x[i + 1] - x[i - 1]) / (T[i] + T[i + 1]);
}

static void velocity_is_the_slope_of_the_position(void **unused)
{
    (void)unused;
    static const char *const words[] = { "",
                                         "acceleration-gain=.3 position-gain=.2",
                                         "position-gain=1e-4 velocity-gain=.5",
                                         "position-gain=.111111111111111 velocity-gain=.5",
                                         "position-gain=.02 velocity-gain=1",
                                         "position-gain=.3 velocity-gain=0 gain-rate=24",
                                         "method=spring-damper" };
    for (size_t n = 0; n < sizeof words / sizeof *words; n++)
        for (int clipped = 0; clipped < 2; clipped++) {
            char all[120];
            double error = 0;
            snprintf(all, sizeof all, "%s%s", words[n], clipped ? " max-velocity=2 max-acceleration=50" : "");
            if (clipped)
                after_a_clip(MAXROW);
            else
                after_a_cut(60000, MAXROW, 3);
            run(all, MAXROW, mark, out);
            assert_true(fabs(x[5] - goal[5]) > 5);
            for (size_t i = 5; i < MAXROW - 1; i++)
                error = fmax(error, fabs(slope_at(i) - v[i]));
            if (!(error < 1e-6 * harness_largest(v + 5, MAXROW - 5)))
                fail_msg("%s: velocity is %g beside the slope", all, error);
        }

    /* At a cut and in a gap the curve is that of the gains without velocity target. */
    after_a_cut(60000, MAXROW, 0);
    memset(mark + 2, FLAG_GAP, MAXROW - 2);
    run("", MAXROW, mark, out);
    for (size_t i = 3; i < MAXROW - 1; i++)
        assert_true(fabs(slope_at(i) - v[i]) < 1e-6 * harness_largest(v, MAXROW));

    run("method=gain", MAXROW, mark, out);
    for (size_t i = 1; i < MAXROW; i++)
        assert_true(fabs((x[i] - x[i - 1]) - v[i] * T[i]) < 1e-13);
}

static void nothing_on_the_grid_is_not_a_number(void **unused)
{
    (void)unused;
    static const double gains[] = { 0, 1e-300, 1e-9, .2, 1 - 0x1p-53, 1 };
    static const double lengths[] = { 1e-9, 1. / 240, 1. / 60, 1, 1e6 };
    static const char *const methods[] = { "exact", "gain", "spring-damper" };
    uint64_t seed = 17;
    jumpy(120, 60, &seed);
    for (size_t m = 0; m < 3; m++)
        for (size_t p = 0; p < 6; p++)
            for (size_t q = 0; q < 6; q++)
                for (size_t n = 0; n < 5; n++) {
                    char words[200];
                    snprintf(words, sizeof words, "method=%s position-gain=%.17g velocity-gain=%.17g",
                             methods[m], gains[p], gains[q]);
                    for (size_t i = 0; i < 120; i++)
                        T[i] = lengths[n];
                    run(words, 120, mark, out);
                    for (size_t i = 0; i < 120; i++)
                        if (!isfinite(x[i]) || !isfinite(v[i]) || !isfinite(a[i]))
                            fail_msg("%s T %g: row %zu is %g %g %g", words, T[1], i, x[i], v[i], a[i]);
                }
}

static void refused(const char *words, const char *name)
{
    struct error e;
    void *settings = harness_settings(tracking, words, &e);
    if (settings)
        fail_msg("%s was taken", words);
    assert_int_equal(e.kind, ERROR_USAGE);
    if (!strstr(e.text, name) || !e.hint[0])
        fail_msg("%s: \"%s\" does not name %s, or has no hint", words, e.text, name);
}

/* In a gap each short step may move the error by less than a last digit of the position; none of them is
 * lost. */
static void slow_moves_in_a_gap_add_up(void **unused)
{
    (void)unused;
    const size_t n = MAXROW;
    for (int parts = 0; parts < 2; parts++) {
        size_t last = parts ? n : 3;
        memset(mark, 0, sizeof mark);
        for (size_t i = 0; i < last; i++) {
            T[i] = parts && i > 1 ? 1e-2 / (double)(n - 2) : 1e-2;
            goal[i] = 1e12 + (i > 0);
            mark[i] = i > 1 ? FLAG_GAP : i == 1 ? FLAG_CUT : 0;
        }
        goal[0] = 1e12;
        run("", last, mark, parts ? out2 : out);
    }
    assert_true(fabs(x[2] - x[1]) > 1e-3);
    assert_true(fabs(x2[n - 1] - x[2]) < 2e-4 && fabs(v2[n - 1] - v[2]) < 1e-12);
}

static void unsuitable_options_are_named(void **unused)
{
    (void)unused;
    refused("position-halflife=1", "--position-halflife");
    refused("method=gain velocity-halflife=1", "--velocity-halflife");
    refused("method=spring-damper acceleration-halflife=1", "--acceleration-halflife");
    refused("method=halflife position-gain=.1", "--position-gain");
    refused("method=halflife velocity-gain=.1", "--velocity-gain");
    refused("method=halflife acceleration-gain=.1", "--acceleration-gain");
    refused("method=halflife gain-rate=60", "--gain-rate");
    refused("method=gain gain-rate=60", "--gain-rate");
    for (size_t i = 0; i < 3; i++) {
        static const char *const others[] = { "", "method=gain ", "method=halflife " };
        char words[40];
        snprintf(words, sizeof words, "%sapprox=holden", others[i]);
        refused(words, "--approx");
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(follows_its_definition),
        cmocka_unit_test(holds_for_ten_thousand_rows),
        cmocka_unit_test(passes_a_clean_signal_bit_for_bit),
        cmocka_unit_test(equals_the_published_update_at_the_gain_rate),
        cmocka_unit_test(defaults_are_the_published_ones),
        cmocka_unit_test(decays_alike_at_any_rate),
        cmocka_unit_test(steps_compose),
        cmocka_unit_test(regimes_join_smoothly),
        cmocka_unit_test(whole_gains_do_it_in_one_row),
        cmocka_unit_test(limits_bridge_jumps_without_marks),
        cmocka_unit_test(velocity_is_the_slope_of_the_position),
        cmocka_unit_test(nothing_on_the_grid_is_not_a_number),
        cmocka_unit_test(slow_moves_in_a_gap_add_up),
        cmocka_unit_test(unsuitable_options_are_named),
    };
    return cmocka_run_group_tests_name("tracking", tests, NULL, NULL);
}
