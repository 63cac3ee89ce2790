/* inertialize, timed, velocity, character, resonance: against 80 digits, closed forms, fine integration, and
 * each other; and what they share with tracking: no number depends on blocks, neighbours or what was before a
 * start. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include "springs/filter_words.h"
#include "unit/harness.h"

#include "ref/motion_table.h"

extern const struct filter filter_tracking, filter_inertialize, filter_timed, filter_velocity,
    filter_character, filter_resonance;

static const struct subject {
    const struct filter *filter;
    const char *words;
} subjects[] = {
    { &filter_tracking, "" },
    { &filter_tracking, "max-velocity=3 max-acceleration=40" },
    { &filter_tracking, "method=gain" },
    { &filter_tracking, "method=halflife" },
    { &filter_tracking, "method=spring-damper" },
    { &filter_inertialize, "halflife=.1" },
    { &filter_timed, "halflife=.1 time=.4" },
    { &filter_velocity, "halflife=.1 speed=2" },
    { &filter_character, "halflife=.1" },
    { &filter_resonance, "halflife=.3 frequencies=1:8:4" },
    { &filter_resonance, "halflife=.3 method=energy frequencies=1:8:4" },
};
enum { NSUBJECT = sizeof subjects / sizeof *subjects, MAXROW = 20001, MAXOUT = 9 };

static double T[MAXROW + 1], goal[MAXROW + 1], columns[2][MAXOUT][MAXROW];
static double *out[MAXOUT], *out2[MAXOUT];
static double *const x = columns[0][0], *const v = columns[0][1], *const a = columns[0][2];
static double *const x2 = columns[1][0], *const v2 = columns[1][1];
static unsigned char mark[MAXROW];

static int setup(void **unused)
{
    (void)unused;
    for (size_t o = 0; o < MAXOUT; o++) {
        out[o] = columns[0][o];
        out2[o] = columns[1][o];
    }
    return 0;
}

/* The list of a filter that has one. */
static struct numbers *list_of(const struct filter *f, void *settings)
{
    for (size_t i = 0; i < f->nparam; i++)
        if (f->params[i].kind == PARAM_NUMBERS)
            return (struct numbers *)((char *)settings + f->params[i].offset);
    return NULL;
}

static void dispose(const struct filter *f, void *settings)
{
    struct numbers *list = list_of(f, settings);
    if (list)
        free(list->value);
    free(settings);
}

static void run(const struct filter *f, const char *words, size_t n, const unsigned char *marks,
                double *const *to)
{
    void *settings = harness_good(f, words);
    harness_run(f, settings, n, T, goal, marks, to);
    dispose(f, settings);
}

static size_t nout(const struct subject *subject)
{
    void *settings = harness_good(subject->filter, subject->words);
    size_t n = filter_shape(subject->filter, settings).nout;
    dispose(subject->filter, settings);
    return n;
}

static void even(size_t n, double step)
{
    for (size_t i = 0; i <= n; i++)
        T[i] = step;
    memset(mark, 0, sizeof mark);
}

/* Irregular rows of a motion with steps and jumps; marked as the driver would. */
static void rough(size_t n)
{
    uint64_t seed = 7;
    double t = 0, jump = 0;
    memset(mark, 0, sizeof mark);
    for (size_t i = 0; i < n; i++) {
        t += T[i] = .002 + .05 * harness_noise(&seed);
        if (i % 61 == 40 || i % 61 == 55 || i % 61 == 56)
            mark[i] = FLAG_CUT;
        if (i % 61 > 50 && i % 61 < 55)
            mark[i] = FLAG_GAP;
        if (i % 61 == 55)
            mark[i] |= FLAG_NO_NEXT;
        if (mark[i] & FLAG_CUT)
            jump = 6 * harness_noise(&seed) - 3;
        goal[i] = mark[i] & FLAG_GAP ? goal[i - 1] : sin(3 * t) + jump;
    }
    T[n] = T[n - 1];
    goal[n] = goal[n - 1];
}

static void follow_their_definitions(void **unused)
{
    (void)unused;
    const struct filter *filters[] = { &filter_inertialize, &filter_timed, &filter_velocity,
                                       &filter_character, &filter_resonance };
    double error[5] = { 0 };
    for (size_t n = 0; n < sizeof motion_cases / sizeof *motion_cases; n++) {
        const size_t nrow = MOTION_NROW;
        size_t which = 0;
        while (strcmp(filters[which]->name, motion_cases[n].filter))
            which++;
        const double step = motion_cases[n].step;
        for (size_t i = 0; i < nrow; i++)
            T[i] = step < 0 ? -step * motion_uneven[i] : step;
        memcpy(goal, which == 0 ? motion_jumps : motion_steps, sizeof motion_steps);
        run(filters[which], motion_cases[n].words, nrow, which == 0 ? motion_marks : NULL, out);

        /* A last digit of a position is that much of a velocity: by the spring's own time, or by the
         * row's. */
        double y = 2 * M_LN2 / strtod(strchr(motion_cases[n].words, '=') + 1, NULL);
        const size_t nout = which == 3 ? 3 : motion_cases[n].nout; /* series/filter_pass.c predicts */
        for (size_t o = 0; o < nout; o++) {
            double range = harness_largest(goal, nrow), scale = 0;
            if (which == 4)
                scale = harness_largest(out[o], nrow);
            else if (which == 3)
                scale = fmax(o % 3 == 2 ? range * y : 0, harness_largest(out[o], nrow));
            else
                scale = o == 0 ? range
                               : fmax(range * (o == 1 ? fmin(y, 1 / T[1]) : y * y),
                                      harness_largest(out[o], nrow));
            for (size_t i = 0, row = (MOTION_EVERY - n % MOTION_EVERY) % MOTION_EVERY; row < nrow;
                 i++, row += MOTION_EVERY) {
                double miss = fabs(out[o][row] - motion_cases[n].expected[i][o]);
                if (!(miss <= 1e-12 * scale))
                    fail_msg("%s %s: T %g row %zu output %zu: %.17g, not %.17g", motion_cases[n].filter,
                             motion_cases[n].words, T[1], row, o, out[o][row],
                             motion_cases[n].expected[i][o]);
                if (scale > 0)
                    error[which] = fmax(error[which], miss / scale);
            }
        }
    }
    for (size_t i = 0; i < 5; i++)
        print_message("%s: largest error, of the range: %.2g\n", filters[i]->name, error[i]);
}

/* The goal goes from 0 to 1 in row 1 and stays; closed forms in long double, 10^4 rows later. timed and
 * velocity are then a critical spring, if they are not to hurry; inertialize is one upside down. */
static void hold_for_ten_thousand_rows(void **unused)
{
    (void)unused;
    enum { N = 10001 };
    static const double halflives[] = { 1e-9, .1, 1e9 }, lengths[] = { 1e-9, 1. / 240, 1. / 60, 1, 1e6 };
    double error[5] = { 0 };
    for (size_t h = 0; h < 3; h++)
        for (size_t l = 0; l < 5; l++) {
            const double step = lengths[l], F = .01 / step;
            const long double y = 2 * M_LN2 / (long double)halflives[h], w = 2 * M_PIl * (long double)F;
            const long double k = w * w - y * y, f = y + sqrtl(fabsl(k)),
                              m = w * w / f; /* f, m: if it does not swing */
            static char words[5][100];
            snprintf(words[0], sizeof words[0], "halflife=%.17g", halflives[h]);
            snprintf(words[1], sizeof words[1], "halflife=%.17g time=1e-300", halflives[h]);
            snprintf(words[2], sizeof words[2], "halflife=%.17g speed=1e300", halflives[h]);
            snprintf(words[3], sizeof words[3], "halflife=%.17g", halflives[h]);
            snprintf(words[4], sizeof words[4], "halflife=%.17g method=energy frequencies=%.17g",
                     halflives[h], F);
            static const struct filter *const filters[] = { &filter_inertialize, &filter_timed,
                                                            &filter_velocity, &filter_character,
                                                            &filter_resonance };
            for (size_t n = 0; n < 5; n++) {
                even(N, step);
                for (size_t i = 0; i <= N; i++)
                    goal[i] = i > 0;
                mark[1] = n == 0 ? FLAG_CUT : 0;
                run(filters[n], words[n], N, mark, out);
                for (size_t i = 1; i < N; i += i < 10 ? 1 : i < 100 ? 33 : 99) {
                    long double t = step * (long double)i, u = y * t, e = expl(-u), expected, scale = 1;
                    if (n == 0) { /* begins to decay a row later */
                        u -= y * step;
                        expected = -expm1l(-u) - u * expl(-u);
                    } else if (n == 3) {
                        long double part = 1 + e - 2 * -expm1l(-u) / u, term = -u / 2;
                        if (u < 1) { /* as a series: (-u)^k (k - 1)/(k + 1)! */
                            part = 0;
                            for (int j = 2; j < 30; j++)
                                part += (j - 1) * (term *= -u / (j + 1));
                        }
                        expected = t * part;
                        scale = expected;
                    } else if (n == 4) {
                        long double x_, v_;
                        if (k > 0) {
                            long double q = sqrtl(k);
                            x_ = 1 - e * (cosl(q * t) + y / q * sinl(q * t));
                            v_ = w * w / q * e * sinl(q * t);
                        } else {
                            x_ = (-f * expm1l(-m * t) + m * expm1l(-f * t)) / (f - m);
                            v_ = w * w * (expl(-m * t) - expl(-f * t)) / (f - m);
                        }
                        expected = (v_ * v_ + w * w * x_ * x_) / 2;
                        scale = w * w;
                    } else {
                        expected = -expm1l(-u) - u * e;
                    }
                    double miss = (double)fabsl((out[0][i] - expected) / scale);
                    if (!(miss <= 1e-12))
                        fail_msg("%s %s T %g row %zu: %.17g, not %.17Lg", filters[n]->name, words[n], step, i,
                                 out[0][i], expected);
                    error[n] = fmax(error[n], miss);
                }
            }
        }
    print_message("largest error over 10^4 rows: inertialize %.2g timed %.2g velocity %.2g character %.2g "
                  "resonance %.2g\n",
                  error[0], error[1], error[2], error[3], error[4]);
}

/* Five channels at once, and in runs of odd lengths, and with or without a table of marks: the same bytes. */
static void numbers_do_not_depend_on_company(void **unused)
{
    (void)unused;
    enum { N = 400, NCHANNEL = 5 };
    static double goals[NCHANNEL][N + 1], results[NCHANNEL * MAXOUT][N], alone[MAXOUT][N];
    for (size_t n = 0; n < NSUBJECT; n++)
        for (int marked = 0; marked < 2; marked++) {
            const struct filter *f = subjects[n].filter;
            void *settings = harness_good(f, subjects[n].words);
            struct shape shape = filter_shape(f, settings);
            rough(N);
            for (size_t c = 0; c < NCHANNEL; c++)
                for (size_t i = 0; i <= N; i++)
                    goals[c][i] = goal[i] * (double)(c + 1) - (double)c;
            double *step = harness_steps(f, settings, N, T);
            double *state = harness_alloc(NCHANNEL * shape.nstate, sizeof *state);
            unsigned char begin = FLAG_START;

            for (size_t at = 0, length; at < N; at += length) {
                length = at ? 1 + at % 37 : 1;
                if (at + length > N)
                    length = N - at;
                const double *goal_at[NCHANNEL];
                const unsigned char *mark_at[NCHANNEL];
                double *out_at[NCHANNEL * MAXOUT];
                for (size_t c = 0; c < NCHANNEL; c++) {
                    goal_at[c] = goals[c] + at;
                    mark_at[c] = at ? mark + at : &begin;
                    for (size_t o = 0; o < shape.nout; o++)
                        out_at[c * shape.nout + o] = results[c * shape.nout + o] + at;
                }
                struct run r = { .settings = settings,
                                 .shape = &shape,
                                 .nrow = length,
                                 .nchannel = NCHANNEL,
                                 .T = T + at,
                                 .step = step + at * shape.nstep,
                                 .step_stride = shape.nstep,
                                 .goal = goal_at,
                                 .flags = marked || !at ? mark_at : NULL,
                                 .out = out_at,
                                 .state = state,
                                 .ahead = f->ahead };
                f->run(&r);
            }
            for (size_t c = 0; c < NCHANNEL; c++) {
                double *alone_at[MAXOUT];
                for (size_t o = 0; o < shape.nout; o++)
                    alone_at[o] = alone[o];
                if (!marked)
                    memset(mark, 0, N);
                harness_run(f, settings, N, T, goals[c], mark, alone_at);
                size_t same = f->ahead ? N - 1 : N; /* the harness knows no row after the last */
                for (size_t o = 0; o < shape.nout; o++)
                    if (memcmp(alone[o], results[c * shape.nout + o], same * sizeof(double)))
                        fail_msg("%s %s: channel %zu output %zu differs", f->name, subjects[n].words, c, o);
            }
            free(state);
            free(step);
            dispose(f, settings);
        }
}

static void a_start_forgets(void **unused)
{
    (void)unused;
    for (size_t n = 0; n < NSUBJECT; n++) {
        size_t count = nout(&subjects[n]);
        rough(300);
        mark[122] = FLAG_START;
        run(subjects[n].filter, subjects[n].words, 300, mark, out);
        memmove(goal, goal + 122, 178 * sizeof *goal);
        memmove(T, T + 122, 178 * sizeof *T);
        memmove(mark, mark + 122, 178);
        run(subjects[n].filter, subjects[n].words, 178, mark, out2);
        for (size_t o = 0; o < count; o++)
            assert_memory_equal(out[o] + 122, out2[o], 178 * sizeof(double));
    }
}

/* A start away from the goal: where a goal that was there and then left would have brought it; where a filter
 * has no such thing, by its equation. */
static void a_start_may_be_elsewhere(void **unused)
{
    (void)unused;
    enum { N = 50 };
    const double origin = 10;
    for (size_t n = 0; n < NSUBJECT; n++) {
        const struct filter *f = subjects[n].filter;
        void *settings = harness_good(f, subjects[n].words);
        struct shape shape = filter_shape(f, settings);
        even(N, 1. / 60);
        mark[0] = FLAG_START;
        mark[N - 1] = FLAG_NO_NEXT;
        memset(goal, 0, sizeof goal);
        double *step = harness_steps(f, settings, N, T), *state = harness_alloc(shape.nstate, sizeof *state);
        const double *goals = goal;
        const unsigned char *marks = mark;
        struct run r = { .settings = settings,
                         .shape = &shape,
                         .nrow = N,
                         .nchannel = 1,
                         .T = T,
                         .step = step,
                         .step_stride = shape.nstep,
                         .goal = &goals,
                         .flags = &marks,
                         .out = out,
                         .state = state,
                         .origin = &origin,
                         .ahead = f->ahead };
        f->run(&r);
        if (f == &filter_tracking && n != 1) {
            assert_true(x[0] == 10 && v[0] == 0 && a[0] == 0);
            if (n == 0 || n == 2) /* gains, at their rate */
                assert_true(fabs(x[1] - 9.9) < 1e-13 && fabs(x[2] - (9.801 - .0792)) < 1e-13);
            if (n == 2)
                assert_true(fabs(v[1] + 6) < 1e-11);
            assert_true(x[N - 1] < 9 && x[N - 1] > -5);
        } else if (f == &filter_inertialize) {
            for (size_t i = 0; i < N; i++) {
                double u = 2 * M_LN2 / .1 / 60 * (double)i;
                assert_true(fabs(x[i] - 10 * (1 + u) * exp(-u)) < 1e-13);
            }
        } else if (f == &filter_character) { /* the wish is 0 */
            for (size_t o = 0; o < shape.nout; o++)
                for (size_t i = 0; i < N; i++)
                    assert_true(out[o][i] == (o % 3 ? 0 : origin));
        } else if (f != &filter_tracking) {
            goal[0] = origin;
            harness_run(f, settings, N, T, goal, NULL, out2);
            for (size_t o = 0; o < shape.nout; o++)
                assert_memory_equal(out[o], out2[o], N * sizeof(double));
        }
        free(state);
        free(step);
        dispose(f, settings);
    }
}

static void void_rows_are_left_alone(void **unused)
{
    (void)unused;
    for (size_t n = 0; n < NSUBJECT; n++) {
        size_t count = nout(&subjects[n]);
        rough(100);
        mark[30] = mark[31] = FLAG_NO_VALUE;
        mark[29] |= FLAG_NO_NEXT;
        for (size_t o = 0; o < count; o++)
            out[o][30] = out[o][31] = 42;
        run(subjects[n].filter, subjects[n].words, 100, mark, out);
        for (size_t o = 0; o < count; o++)
            assert_true(out[o][30] == 42 && out[o][31] == 42);
        memmove(goal + 30, goal + 32, 68 * sizeof *goal);
        memmove(T + 30, T + 32, 68 * sizeof *T);
        memmove(mark + 30, mark + 32, 68);
        run(subjects[n].filter, subjects[n].words, 98, mark, out2);
        for (size_t o = 0; o < count; o++)
            assert_memory_equal(out[o] + 32, out2[o] + 30, 66 * sizeof(double));
    }
}

static void constants_stay(void **unused)
{
    (void)unused;
    for (size_t n = 0; n < NSUBJECT; n++) {
        if (subjects[n].filter == &filter_character)
            continue; /* there a constant is a lasting speed */
        size_t count = nout(&subjects[n]);
        rough(500);
        for (size_t i = 0; i <= 500; i++)
            goal[i] = .1;
        run(subjects[n].filter, subjects[n].words, 500, mark, out);
        for (size_t o = 0; o < count; o++)
            for (size_t i = 0; i < 500; i++)
                assert_true(out[o][i] == (o || subjects[n].filter->keeps_cell ? 0 : .1));
    }
}

/* Scaled and mirrored input: scaled and mirrored output, to the bit for powers of two; moved: moved. */
static void are_as_linear_as_they_can_be(void **unused)
{
    (void)unused;
    for (size_t n = 0; n < NSUBJECT; n++) {
        const struct filter *f = subjects[n].filter;
        const char *words = subjects[n].words, *scaled = words;
        if (strstr(words, "speed=2"))
            scaled = "halflife=.1 speed=8"; /* a speed or a limit is to be scaled as well */
        if (strstr(words, "max-velocity"))
            scaled = "max-velocity=12 max-acceleration=160";
        size_t count = nout(&subjects[n]);
        rough(600);
        run(f, words, 600, mark, out);
        for (size_t i = 0; i < 600; i++)
            goal[i] *= -4;
        run(f, scaled, 600, mark, out2);
        double factor = strstr(words, "energy") ? 16 : f == &filter_resonance ? 4 : -4;
        for (size_t o = 0; o < count; o++)
            for (size_t i = 0; i < 600; i++)
                assert_true(out2[o][i] == factor * out[o][i]);

        if (f == &filter_character)
            continue; /* a moved wish is another wish */
        for (size_t i = 0; i < 600; i++)
            goal[i] = goal[i] / -4 + 64;
        run(f, words, 600, mark, out2);
        for (size_t o = 0; o < count; o++)
            for (size_t i = 0; i < 600; i++) {
                double moved = o || f->keeps_cell ? 0 : 64;
                assert_true(fabs(out2[o][i] - moved - out[o][i]) <=
                            1e-10 * fmax(1, harness_largest(out[o], 600)));
            }
    }
}

static void nothing_on_the_grid_is_not_a_number(void **unused)
{
    (void)unused;
    static const double halflives[] = { 1e-9, .1, 1e9 }, lengths[] = { 1e-9, 1. / 240, 1. / 60, 1, 1e6 };
    static const char *const approximations[] = { "", " approx=holden", " approx=unreal" };
    for (size_t h = 0; h < 3; h++)
        for (size_t l = 0; l < 5; l++)
            for (size_t p = 0; p < 3; p++)
                for (size_t n = 5; n < NSUBJECT; n++) {
                    const struct filter *f = subjects[n].filter;
                    char words[200];
                    if (f == &filter_resonance && p)
                        continue;
                    snprintf(words, sizeof words, "halflife=%g%s%s", halflives[h],
                             strchr(subjects[n].words, ' ') ? strchr(subjects[n].words, ' ') : "",
                             approximations[p]);
                    size_t count = nout(&subjects[n]);
                    rough(150);
                    for (size_t i = 0; i <= 150; i++)
                        T[i] = lengths[l];
                    run(f, words, 150, mark, out);
                    for (size_t o = 0; o < count; o++)
                        for (size_t i = 0; i < 150; i++)
                            if (!isfinite(out[o][i]))
                                fail_msg("%s %s T %g: row %zu output %zu is %g", f->name, words, T[1], i, o,
                                         out[o][i]);
                }
}

/* Velocity and acceleration are the slopes of position and velocity: on fine rows, where nothing changes
 * abruptly. */
static void derivatives_are_slopes(void **unused)
{
    (void)unused;
    enum { N = 20000 };
    const double fine = 1e-4;
    even(N, fine);
    for (size_t n = 5; n < 9; n++) {
        const struct filter *f = subjects[n].filter;
        for (size_t i = 0; i <= N; i++)
            goal[i] = f == &filter_inertialize ? sin((double)i * fine) + (i > 3000 ? 1 : 0)
                      : i > 3000               ? 1.5
                                               : 0;
        memset(mark, 0, N);
        mark[3001] = FLAG_CUT;
        run(f, subjects[n].words, N, mark, out);
        double error_v = 0, error_a = 0;
        for (size_t i = 3010; i < N - 1; i++) {
            /* an even goal is a staircase to the spring: slopes are taken over a step at the middle of which
             * v is v[i] */
            error_v = fmax(error_v, fabs((x[i + 1] - x[i - 1]) / (2 * fine) - v[i]));
            if (f != &filter_timed && f != &filter_velocity)
                error_a = fmax(error_a, fabs((v[i + 1] - v[i - 1]) / (2 * fine) - a[i]));
        }
        if (error_v > 2e-3 * harness_largest(v, N) || error_a > 2e-3 * harness_largest(a, N) ||
            harness_largest(v, N) < .1)
            fail_msg("%s: slopes differ by %g and %g", f->name, error_v, error_a);
    }
}

static void inertialize_passes_a_clean_signal_bit_for_bit(void **unused)
{
    (void)unused;
    rough(1000);
    memset(mark, 0, sizeof mark);
    mark[700] = FLAG_CUT;
    run(&filter_inertialize, "halflife=.1", 1000, mark, out);
    assert_memory_equal(x, goal, 700 * sizeof *x);
    assert_true(x[700] != goal[700]);
    for (size_t i = 1; i < 700; i++)
        assert_true(v[i] == (goal[i] - goal[i - 1]) / T[i]);
}

/* At a cut position and velocity go on; from there the offset is (j0 + j1 t) e^-yt; a cut within it adds to
 * it. */
static void inertialize_goes_on_smoothly_and_decays_as_it_should(void **unused)
{
    (void)unused;
    const double y = 2 * M_LN2 / .2;
    double error = 0;
    for (int n = 0; n < 3; n++) {
        even(400, (const double[]){ 1. / 30, 1. / 60, .25 }[n]);
        for (size_t i = 0; i <= 400; i++) {
            double t = (double)i * T[1];
            goal[i] = i < 100 ? 3 * t : i < 106 ? 7 - 2 * t : sin(t);
        }
        mark[100] = mark[106] = FLAG_CUT;
        run(&filter_inertialize, "halflife=.2", 400, mark, out);

        double source = 3, destination = (goal[101] - goal[100]) / T[1];
        double j0 = goal[99] + source * T[1] - goal[100], j1 = source - destination + y * j0, t = 0;
        assert_true(fabs(x[100] - (x[99] + v[99] * T[1])) < 1e-12);
        assert_true(fabs(v[100] - v[99]) < 1e-11);
        assert_true(fabs(a[100] - -y * (y * j0 + 2 * (source - destination))) < 1e-9 * fabs(a[100]));
        for (size_t i = 100; i < 106; i++, t += T[1]) {
            error = fmax(error, fabs(x[i] - goal[i] - exp(-y * t) * (j0 + j1 * t)));
            error = fmax(error, fabs(v[i] - destination - exp(-y * t) * (j1 - y * (j0 + j1 * t))));
        }
        destination = (goal[107] - goal[106]) / T[1];
        j1 = exp(-y * t) * (j1 - y * (j0 + j1 * t)) + -2 -
             destination; /* of the old offset; j0 needs the old j1 */
        double old1 = source - (goal[101] - goal[100]) / T[1] + y * j0;
        j0 = exp(-y * t) * (j0 + old1 * t) + goal[105] + -2 * T[1] - goal[106];
        j1 += y * j0;
        t = 0;
        for (size_t i = 106; i < 400; i++, t += T[1])
            error = fmax(error, fabs(x[i] - goal[i] - exp(-y * t) * (j0 + j1 * t)));
    }
    print_message("inertialize: largest difference from the closed form: %.2g\n", error);
    assert_true(error < 1e-11);
}

static void inertialize_repeats_the_goal_in_a_gap(void **unused)
{
    (void)unused;
    even(200, 1. / 60);
    for (size_t i = 0; i <= 200; i++)
        goal[i] = i < 100 ? (double)i : i < 110 ? 99 : 300 - (double)i;
    for (size_t i = 100; i < 110; i++)
        mark[i] = FLAG_GAP;
    mark[110] = FLAG_CUT;
    run(&filter_inertialize, "halflife=.1", 200, mark, out);
    for (size_t i = 100; i < 110; i++)
        assert_true(x[i] == 99 && v[i] == 0);
    assert_true(fabs(x[110] - 99) < 1e-12 && fabs(v[110]) < 1e-12); /* on from where it stood */
    assert_true(fabs(x[199] - goal[199]) < 1e-4);
}

/* From the start of the last lag on the spring aims at the goal itself: what is missing at the time asked for
 * is known. */
static void timed_is_there_in_time(void **unused)
{
    (void)unused;
    const double S = 1, H = .05, lag = H / M_LN2;
    double missing[2];
    for (int n = 0; n < 2; n++) {
        size_t last = n ? 20000 : 2000;
        double rate = n ? 10000 : 1000;
        even(last, 1 / rate);
        for (size_t i = 0; i <= last; i++)
            goal[i] = i ? 5 : 2;
        run(&filter_timed, "halflife=.05 time=1", last, NULL, out);
        size_t at = (size_t)rate;
        missing[n] = (5 - x[at]) / 3;
        double expected = 2 * exp(-2.) * lag / S;
        assert_true(fabs(missing[n] - expected) < 2 / rate);
        assert_true(fabs(v[at / 2] - 3 / S) < 20 / rate); /* on the way: even speed, abreast */
        assert_true(fabs(x[at / 2] - (2 + 3 * .5)) < 10 / rate);
        for (size_t i = 1; i < last; i++)
            assert_true(x[i] >= x[i - 1] - 1e-12 && x[i] <= 5 + 1e-12);
        assert_true(fabs(x[last - 1] - 5) < 1e-4);
    }
    assert_true(fabs(missing[1] - 2 * exp(-2.) * lag / S) < fabs(missing[0] - 2 * exp(-2.) * lag / S) / 5);

    even(4000,
         .001); /* a second goal under way starts the clock again; the way back is given its own second */
    for (size_t i = 0; i <= 4000; i++)
        goal[i] = i == 0 ? 0 : i < 500 ? 5 : -5;
    run(&filter_timed, "halflife=.01 time=1", 4000, NULL, out);
    assert_true(fabs(x[490] - 5 * .49) < .02);
    assert_true(fabs(x[1000] - (2.5 - 7.5 * .5)) < .05);
    assert_true(fabs(x[1500] - -5) < .05 && x[1400] > -4.5);
}

static void velocity_keeps_its_speed(void **unused)
{
    (void)unused;
    even(6000, .001);
    for (size_t i = 0; i <= 6000; i++)
        goal[i] = i == 0 ? 0 : i < 4000 ? 6 : 5.9;
    run(&filter_velocity, "halflife=.05 speed=2", 6000, NULL, out);
    for (size_t i = 1; i < 4000; i++)
        assert_true(v[i] <= 2 + 2 * exp(-2.) && x[i] <= 6 + 1e-9 && x[i] >= x[i - 1] - 1e-12);
    for (size_t i = 1000; i < 2900; i++) {
        assert_true(fabs(v[i] - 2) < 1e-3); /* it sees a staircase */
        assert_true(fabs(x[i] - 2 * .001 * (double)i) <=
                    2 * .001); /* abreast of the point that moves at that speed */
    }
    assert_true(fabs(x[3000] - (6 - 2 * exp(-2.) * .05 / M_LN2 * 2)) < .005);
    assert_true(fabs(x[3999] - 6) < 1e-8 && fabs(x[5999] - 5.9) < 1e-8);

    /* with a speed that never matters: the critical spring */
    rough(300);
    run(&filter_velocity, "halflife=.1 speed=1e12", 300, NULL, out);
    run(&filter_timed, "halflife=.1 time=1e-12", 300, NULL, out2);
    for (size_t i = 0; i < 300; i++)
        assert_true(fabs(x[i] - x2[i]) < 1e-13 && fabs(v[i] - v2[i]) < 1e-11);
}

/* The older published form aims dt + A H ahead instead of one lag. */
static void apprehension_aims_further(void **unused)
{
    (void)unused;
    even(1000, .001);
    for (size_t i = 0; i <= 1000; i++)
        goal[i] = i ? 1 : 0;
    char words[100];
    double A = (.05 / M_LN2 - .001) / .05; /* one lag, said that way */
    const struct filter *const filters[] = { &filter_timed, &filter_velocity };
    const char *const other[] = { "time=.8", "speed=1.25" };
    for (int n = 0; n < 2; n++) {
        snprintf(words, sizeof words, "halflife=.05 %s", other[n]);
        run(filters[n], words, 1000, NULL, out);
        snprintf(words, sizeof words, "halflife=.05 %s apprehension=%.17g", other[n], A);
        run(filters[n], words, 1000, NULL, out2);
        for (size_t i = 0; i < 1000; i++)
            assert_true(fabs(x[i] - x2[i]) < 1e-13);
        snprintf(words, sizeof words, "halflife=.05 %s apprehension=2", other[n]);
        run(filters[n], words, 1000, NULL, out2);
        assert_true(fabs(x2[500] - x[500] - 1.25 * (.1 + .001 - .05 / M_LN2)) < 1e-3);
    }
}

/* With --approx it is the published update to the letter, with its exponential. */
static void approximate_character_is_the_published_one(void **unused)
{
    (void)unused;
    static const double coefficients[2][3] = { { 1, .48, .235 }, { 1.00746054, .45053901, .25724632 } };
    const double y = 2 * M_LN2 / .2;
    uint64_t seed = 8;
    for (size_t i = 0; i <= 200; i++) {
        T[i] = harness_noise(&seed) * (i % 3 ? .02 : 1);
        goal[i] = 4 * harness_noise(&seed) - 2;
    }
    for (int n = 0; n < 2; n++) {
        const double *c = coefficients[n];
        double at = 0, speed = 0, rate = 0;
        run(&filter_character, n ? "halflife=.2 approx=unreal" : "halflife=.2 approx=holden", 200, NULL, out);
        for (size_t i = 1; i < 200; i++) {
            double u = y * T[i], E = 1 / (1 + c[0] * u + c[1] * u * u + c[2] * u * u * u);
            double j0 = speed - goal[i], j1 = rate + j0 * y;
            at += E * (-j1 / (y * y) + (-j0 - j1 * T[i]) / y) + j1 / (y * y) + j0 / y + goal[i] * T[i];
            speed = E * (j0 + j1 * T[i]) + goal[i];
            rate = E * (rate - j1 * y * T[i]);
            assert_true(fabs(x[i] - at) < 1e-12 && fabs(v[i] - speed) < 1e-13 && fabs(a[i] - rate) < 1e-12);
        }
    }
}

/* The position is the integral of the velocity, against Runge-Kutta. */
static void character_goes_where_its_velocity_takes_it(void **unused)
{
    (void)unused;
    const double y = 2 * M_LN2 / .2;
    uint64_t seed = 4;
    for (size_t i = 0; i <= 60; i++) {
        T[i] = .01 + .2 * harness_noise(&seed);
        goal[i] = 4 * harness_noise(&seed) - 2;
    }
    run(&filter_character, "halflife=.2", 60, NULL, out);
    double s[3] = { 0 }, error = 0;
    for (size_t i = 1; i < 60; i++) {
        const int parts = 400;
        double h = T[i] / parts;
        for (int n = 0; n < parts; n++) {
            double k[4][3], at[3];
            for (int r = 0; r < 4; r++) {
                for (int j = 0; j < 3; j++)
                    at[j] = s[j] + (r == 0 ? 0 : r == 3 ? h * k[2][j] : h / 2 * k[r - 1][j]);
                k[r][0] = at[1];
                k[r][1] = at[2];
                k[r][2] = y * y * (goal[i] - at[1]) - 2 * y * at[2];
            }
            for (int j = 0; j < 3; j++)
                s[j] += h / 6 * (k[0][j] + 2 * k[1][j] + 2 * k[2][j] + k[3][j]);
        }
        error = fmax(error, fmax(fabs(x[i] - s[0]), fmax(fabs(v[i] - s[1]), fabs(a[i] - s[2]) / y)));
    }
    print_message("character: largest difference from Runge-Kutta: %.2g\n", error);
    assert_true(error < 1e-10);
}

static void resonance_has_the_energy_of_its_spring(void **unused)
{
    (void)unused;
    const double w = 2 * M_PI * 2, c = 1.5;
    even(2000, .003);
    for (size_t i = 0; i <= 2000; i++)
        goal[i] = i ? 10 + c : 10;
    run(&filter_resonance, "halflife=1e12 method=energy frequencies=2", 2000, NULL,
        out); /* hardly damped: c^2 w^2 (1 - cos wt) */
    double error = 0;
    for (size_t i = 0; i < 2000; i++)
        error = fmax(error, fabs(x[i] - c * c * w * w * (1 - cos(w * .003 * (double)i))));
    assert_true(error < 1e-8 * c * c * w * w);

    /* a step, damped: x = c (1 - e^-yt (cos kt + y/k sin kt)), v = c s/k e^-yt sin kt */
    const double y = 2 * M_LN2 / .4, s = w * w, k = sqrt(s - y * y);
    run(&filter_resonance, "halflife=.4 method=energy frequencies=2", 2000, NULL, out);
    error = 0;
    for (size_t i = 0; i < 2000; i++) {
        double t = .003 * (double)i, e = exp(-y * t);
        double px = c * (1 - e * (cos(k * t) + y / k * sin(k * t))), pv = c * s / k * e * sin(k * t);
        error = fmax(error, fabs(x[i] - (pv * pv + s * px * px) / 2) / (c * c * s));
    }
    print_message("resonance: largest difference from the closed form: %.2g\n", error);
    assert_true(error < 1e-12);

    even(20000, 1e-3); /* a tone: the spring of its frequency has most, and as much as it must */
    for (size_t i = 0; i <= 20000; i++)
        goal[i] = .1 * sin(w * 1e-3 * (double)i);
    run(&filter_resonance, "halflife=2 method=energy frequencies=1,1.6,2,2.4,4", 20000, NULL, out);
    double d = 4 * M_LN2 / 2, expected = pow(w, 4) * .01 / (2 * d * d);
    assert_true(fabs(out[2][19999] / expected - 1) < .01);
    for (size_t o = 0; o < 5; o++)
        assert_true(o == 2 || out[o][19999] < out[2][19999] / 4);
}

/* The mean of n outputs before row end, and how far they are from it at most. */
static double mean(const double *y, size_t end, size_t n, double *off)
{
    double sum = 0;
    for (size_t i = end - n; i < end; i++)
        sum += y[i] / (double)n;
    *off = 0;
    for (size_t i = end - n; i < end; i++)
        *off = fmax(*off, fabs(y[i] - sum));
    return sum;
}

/* A sine of amplitude 1 reads 1 at its frequency, and less elsewhere, wherever it starts and whatever
 * constant it stands on, at any rate of more than 2.2 rows a period. */
static void resonance_reads_the_amplitude(void **unused)
{
    (void)unused;
    static const double rates[] = { 2.25, 3, 10, 300 }, phases[] = { 0, 1, M_PI / 2, 4 };
    for (size_t r = 0; r < 4; r++)
        for (size_t f = 0; f < 4; f++) {
            double H = 2, off, rate = rates[r];
            size_t nrow = (size_t)(24 * rate), last = nrow / 2; /* 2 millionths are missing after 12 s */
            even(nrow, 1 / rate);
            for (size_t i = 0; i <= nrow; i++)
                goal[i] = 5 + sin(2 * M_PI * (double)i / rate + phases[f]);
            run(&filter_resonance, "halflife=2 frequencies=.6,.9,1,1.2", nrow, NULL, out);
            double read = mean(out[2], nrow, last, &off);
            if (!(fabs(read - 1) < .005 && off < .005))
                fail_msg("%g rows a period, phase %g: reads %g, and varies by %g", rate, phases[f], read,
                         off);
            for (size_t o = 0; o < 4; o++)
                if (rate > 2.4 && o != 2 && !(mean(out[o], nrow, last, &off) < .9))
                    fail_msg("%g rows a period: output %zu of H %g reads %g", rate, o, H,
                             mean(out[o], nrow, last, &off));
        }
}

/* Solves the 3 equations with the right-hand sides in column 3, by elimination. */
static void solve(long double m[3][4])
{
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++) {
            long double factor = k == i ? 0 : m[k][i] / m[i][i];
            for (int j = i; j < 4; j++)
                m[k][j] -= factor * m[i][j];
        }
    for (int i = 0; i < 3; i++)
        m[i][3] /= m[i][i];
}

/* The fit of a constant, a cosine and a sine, by its normal equations, summed over all rows at each row; the
 * past before the first row is integrated in closed form. Uneven rows with noise. */
static void resonance_is_a_fit_of_least_squares(void **unused)
{
    (void)unused;
    enum { N = 200 };
    const long double H = .4L, w = 2 * M_PIl * 3, rate = 2 * M_LN2l / H, ridge = 1e-3L;
    uint64_t seed = 9;
    long double t[N] = { 0 };
    memset(mark, 0, sizeof mark);
    for (size_t i = 0; i < N; i++) {
        T[i] = .001 + .1 * harness_noise(&seed);
        t[i] = i ? t[i - 1] + T[i] : 0;
        goal[i] = 7 + (i ? (double)sinl(w * t[i]) + harness_noise(&seed) : 0);
    }
    run(&filter_resonance, "halflife=.4 frequencies=3", N, NULL, out);
    for (size_t i = 0; i < N; i++) {
        long double m[3][4] = { { 0 } };
        /* Mean of exp(-2 i w s) and exp(-i w s) over the past s > 0, turned by the time since the first row.
         */
        long double past = expl(-rate * t[i]), one = 1 / (1 + w * w / rate / rate),
                    two = 1 / (1 + 4 * w * w / rate / rate), u = -w * t[i];
        long double cos_1 = one * (cosl(u) + w / rate * sinl(u)),
                    sin_1 = one * (sinl(u) - w / rate * cosl(u));
        long double cos_2 = two * (cosl(2 * u) + 2 * w / rate * sinl(2 * u));
        long double sin_2 = two * (sinl(2 * u) - 2 * w / rate * cosl(2 * u));
        m[0][0] = past;
        m[0][1] = m[1][0] = past * cos_1;
        m[0][2] = m[2][0] = past * sin_1;
        m[1][1] = past * (1 + cos_2) / 2;
        m[2][2] = past * (1 - cos_2) / 2;
        m[1][2] = m[2][1] = past * sin_2 / 2;
        for (size_t k = 1; k <= i; k++) {
            long double weight = expl(-rate * (t[i] - t[k])) * -expm1l(-rate * T[k]), at = w * (t[k] - t[i]);
            const long double basis[3] = { 1, cosl(at), sinl(at) };
            for (int a_ = 0; a_ < 3; a_++) {
                for (int b_ = 0; b_ < 3; b_++)
                    m[a_][b_] += weight * basis[a_] * basis[b_];
                m[a_][3] += weight * basis[a_] * (goal[k] - 7);
            }
        }
        m[1][1] += ridge / 2;
        m[2][2] += ridge / 2;
        solve(m);
        if (!(fabs(x[i] - (double)hypotl(m[1][3], m[2][3])) < 1e-12))
            fail_msg("row %zu: %.17g, not %.17Lg", i, x[i], hypotl(m[1][3], m[2][3]));
    }
}

/* A constant reads exactly 0; after a step the reading fades; a new sine is read to three quarters after H.
 */
static void resonance_forgets(void **unused)
{
    (void)unused;
    enum { N = 6000 };
    even(N, 1e-3);
    for (size_t i = 0; i <= N; i++)
        goal[i] = i < 1000 ? 4 : 9;
    run(&filter_resonance, "halflife=.5 frequencies=8", N, NULL, out);
    for (size_t i = 0; i < 1000; i++)
        assert_true(x[i] == 0);
    assert_true(x[1010] > .01 && x[N - 1] < 1e-5);
    for (size_t i = 0; i <= N; i++)
        goal[i] = i < 1000 ? 4 : 4 + sin(2 * M_PI * 8 * 1e-3 * (double)(i - 1000));
    run(&filter_resonance, "halflife=.5 frequencies=8", N, NULL, out);
    assert_true(fabs(x[1500] - .75) < .02);
}

/* An engine's exponential in place of the real one: one step of each, by hand; and near the exact one. */
static void approximations_are_the_published_ones(void **unused)
{
    (void)unused;
    static const char *const names[] = { "holden", "unreal" };
    const double y = 2 * M_LN2 / .1, h = 1. / 60, u = y * h;
    const double e[] = { 1 / (1 + u + .48 * u * u + .235 * u * u * u),
                         1 / (1 + 1.00746054 * u + .45053901 * u * u + .25724632 * u * u * u) };
    for (int n = 0; n < 2; n++) {
        char words[100];
        even(3, h);
        goal[0] = 0;
        goal[1] = goal[2] = goal[3] = 1;
        snprintf(words, sizeof words, "halflife=.1 speed=1e9 approx=%s", names[n]);
        run(&filter_velocity, words, 2, NULL, out);
        assert_true(fabs(x[1] - (1 - e[n] * (1 + u))) < 1e-14 && fabs(v[1] - e[n] * y * u) < 1e-12);
        snprintf(words, sizeof words, "halflife=.1 time=1e-9 approx=%s", names[n]);
        run(&filter_timed, words, 2, NULL, out);
        assert_true(fabs(x[1] - (1 - e[n] * (1 + u))) < 1e-14);
        snprintf(words, sizeof words, "halflife=.1 approx=%s", names[n]);
        run(&filter_character, words, 2, NULL, out);
        double position = h - 1 / y - 1 / y +
                          e[n] * (1 / y + (1 + u) / y); /* g T + j1/y^2 + j0/y - e (...) */
        assert_true(fabs(x[1] - position) < 1e-14 && fabs(v[1] - (1 - e[n] * (1 + u))) < 1e-14);
        mark[1] = FLAG_CUT;
        run(&filter_inertialize, words, 3, mark, out);
        assert_true(x[1] == 0 && fabs(x[2] - (1 - e[n] * (1 + u))) < 1e-14);
    }
}

static void columns_are_named(void **unused)
{
    (void)unused;
    static const char *const names[] = { "",         "_vel", "_acc",     "@0.1",    "_vel@0.1",
                                         "_acc@0.1", "@2.5", "_vel@2.5", "_acc@2.5" };
    void *settings = harness_good(&filter_character, "halflife=.1 predict=.1,2.5");
    assert_int_equal(filter_shape(&filter_character, settings).nout, 9);
    struct output output;
    for (size_t o = 0; o < 9; o++) {
        output = filter_output(&filter_character, settings, o);
        assert_string_equal(output.suffix, names[o]);
        assert_int_equal(output.derivative, o % 3);
    }
    dispose(&filter_character, settings);
    settings = harness_good(&filter_resonance, "halflife=.1 frequencies=1:100:3");
    assert_int_equal(filter_shape(&filter_resonance, settings).nout, 3);
    output = filter_output(&filter_resonance, settings, 1);
    assert_string_equal(output.suffix, "@10");
    assert_int_equal(output.derivative, 0);
    dispose(&filter_resonance, settings);
}

static void refused(const struct filter *f, const char *words, const char *name)
{
    struct error e;
    if (harness_settings(f, words, &e))
        fail_msg("%s %s was taken", f->name, words);
    assert_int_equal(e.kind, ERROR_USAGE);
    if (!strstr(e.text, name))
        fail_msg("%s %s: \"%s\" does not name %s", f->name, words, e.text, name);
}

static void what_is_missing_is_named(void **unused)
{
    (void)unused;
    refused(&filter_inertialize, "", "--halflife");
    refused(&filter_timed, "time=1", "--halflife");
    refused(&filter_timed, "halflife=1", "--time");
    refused(&filter_velocity, "speed=1", "--halflife");
    refused(&filter_velocity, "halflife=1", "--speed");
    refused(&filter_character, "", "--halflife");
    refused(&filter_resonance, "", "--halflife");
    refused(&filter_resonance, "halflife=1", "--frequencies");
}

/* What is wrong with a list: a number twice, or too many. */
static void lists_are_looked_at(void **unused)
{
    (void)unused;
    static const struct {
        const struct filter *filter;
        const char *words, *name;
        size_t most;
    } lists[] = { { &filter_character, "halflife=1 predict=1,2,3", "--predict", 340 },
                  { &filter_resonance, "halflife=1 frequencies=1,2,3", "--frequencies", 1024 } };
    for (size_t n = 0; n < 2; n++) {
        const struct filter *f = lists[n].filter;
        void *settings = harness_good(f, lists[n].words);
        struct numbers *list = list_of(f, settings);
        struct error e = { 0 };
        list->value[2] = 2;
        assert_false(filter_check(f, settings, false, &e));
        assert_true(e.kind == ERROR_USAGE && strstr(e.text, lists[n].name));
        double *value = list->value;
        list->value = harness_alloc(lists[n].most + 1, sizeof *value);
        for (list->nvalue = 0; list->nvalue < lists[n].most; list->nvalue++)
            list->value[list->nvalue] = 1 + (double)list->nvalue;
        assert_true(filter_check(f, settings, false, &e));
        list->value[list->nvalue++] = .5;
        assert_false(filter_check(f, settings, false, &e));
        assert_true(strstr(e.text, lists[n].name));
        free(value);
        dispose(f, settings);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(follow_their_definitions),
        cmocka_unit_test(hold_for_ten_thousand_rows),
        cmocka_unit_test(numbers_do_not_depend_on_company),
        cmocka_unit_test(a_start_forgets),
        cmocka_unit_test(a_start_may_be_elsewhere),
        cmocka_unit_test(void_rows_are_left_alone),
        cmocka_unit_test(constants_stay),
        cmocka_unit_test(are_as_linear_as_they_can_be),
        cmocka_unit_test(nothing_on_the_grid_is_not_a_number),
        cmocka_unit_test(derivatives_are_slopes),
        cmocka_unit_test(inertialize_passes_a_clean_signal_bit_for_bit),
        cmocka_unit_test(inertialize_goes_on_smoothly_and_decays_as_it_should),
        cmocka_unit_test(inertialize_repeats_the_goal_in_a_gap),
        cmocka_unit_test(timed_is_there_in_time),
        cmocka_unit_test(velocity_keeps_its_speed),
        cmocka_unit_test(apprehension_aims_further),
        cmocka_unit_test(character_goes_where_its_velocity_takes_it),
        cmocka_unit_test(approximate_character_is_the_published_one),
        cmocka_unit_test(resonance_has_the_energy_of_its_spring),
        cmocka_unit_test(resonance_reads_the_amplitude),
        cmocka_unit_test(resonance_is_a_fit_of_least_squares),
        cmocka_unit_test(resonance_forgets),
        cmocka_unit_test(approximations_are_the_published_ones),
        cmocka_unit_test(columns_are_named),
        cmocka_unit_test(what_is_missing_is_named),
        cmocka_unit_test(lists_are_looked_at),
    };
    return cmocka_run_group_tests_name("motion filters", tests, setup, NULL);
}
