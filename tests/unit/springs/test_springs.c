/* damper, critical, spring, second-order, double: against their definitions in 50 digits, and what each of
 * them promises. */
#include "springs/spring_step.h"
#include "unit/harness.h"

#include "ref/springs_table.h"

#include <float.h>

extern const struct filter filter_damper, filter_critical, filter_spring, filter_second_order, filter_double;
static const struct filter *const filters[] = { &filter_damper, &filter_critical, &filter_spring,
                                                &filter_second_order, &filter_double };

enum { NFILTER = 5, X = 0, V, A, MAXROW = 20008, NCASE = sizeof springs_cases / sizeof *springs_cases };

static double T[MAXROW], goal[MAXROW], x[MAXROW], v[MAXROW], a[MAXROW], x2[MAXROW], v2[MAXROW], a2[MAXROW];
static double *const out[] = { x, v, a }, *const out2[] = { x2, v2, a2 };

/* One way to run a filter, and what is true of it. A filter that may start at a velocity, as the damper does, is
 * also in starts_where_it_is_told. */
struct way {
    const struct filter *filter;
    const char *words;
    bool exact;  /* at any rate, while the goal is held */
    bool smooth; /* exact also while the goal moves evenly: the goal does so within a step */
    double lag;  /* behind constant-velocity motion: seconds when smooth; else that and half a step */
    int derived; /* so many derivatives are those of the curve between rows */
};

#define LN2 0.693147180559945309
static const struct way ways[] = {
    { &filter_damper, "halflife=0.1", true, false, .1 / LN2, 1 },
    { &filter_damper, "halflife=0.1 hold=linear", true, true, .1 / LN2, 2 },
    { &filter_damper, "halflife=0.1 approx=holden", false, false, NAN, 0 },
    { &filter_damper, "halflife=0.1 approx=unreal", false, false, NAN, 0 },
    { &filter_damper, "method=lerp factor=0.3", false, false, NAN, 0 },
    { &filter_damper, "method=euler damping=9", false, false, NAN, 0 },
    { &filter_damper, "method=exponential damping=9", true, false, NAN, 1 },
    { &filter_damper, "method=exponential damping=9 fixed-rate=30 hold=linear", true, true, NAN, 2 },
    { &filter_critical, "halflife=0.1", true, false, .1 / LN2, 2 },
    { &filter_critical, "lag=0.1", true, false, .1, 2 },
    { &filter_critical, "halflife=0.1 hold=linear", true, true, .1 / LN2, 2 },
    { &filter_critical, "halflife=0.1 goal-velocity=difference", true, false, NAN, 0 },
    { &filter_critical, "halflife=0.1 goal-velocity=difference hold=linear", true, true, 0, 2 },
    { &filter_critical, "halflife=0.1 approx=holden", false, false, NAN, 0 },
    { &filter_critical, "halflife=0.1 approx=unreal hold=linear", false, false, NAN, 0 },
    { &filter_spring, "stiffness=100 damping=5", true, false, .05, 2 },
    { &filter_spring, "stiffness=100 damping=100", true, false, 1, 2 },
    { &filter_spring, "stiffness=100 damping=5 hold=linear", true, true, .05, 2 },
    { &filter_spring, "stiffness=100 damping=20 hold=linear", true, true, .2, 2 },
    { &filter_spring, "stiffness=100 damping=100 hold=linear", true, true, 1, 2 },
    { &filter_spring, "stiffness=100 damping=5 goal-velocity=difference", true, false, NAN, 0 },
    { &filter_spring, "stiffness=100 damping=5 goal-velocity=difference hold=linear", true, true, 0, 2 },
    { &filter_spring, "stiffness=100 damping=5 approx=holden", false, false, NAN, 0 },
    { &filter_spring, "stiffness=100 damping=50 approx=unreal", false, false, NAN, 0 },
    { &filter_spring, "stiffness=100 damping=5 method=euler", false, false, NAN, 0 },
    { &filter_spring, "stiffness=100 damping=5 method=euler goal-velocity=difference", false, false, NAN, 0 },
    { &filter_second_order, "frequency=2 damping-ratio=0.4 response=0", true, true, .4 / 6.283185307179586,
      2 },
    { &filter_second_order, "frequency=2 damping-ratio=1 response=2", true, true, 0, 2 },
    { &filter_second_order, "frequency=2 damping-ratio=2 response=-2", true, true, 4 / 6.283185307179586, 2 },
    { &filter_second_order, "frequency=2 damping-ratio=0.4 response=1 method=euler", false, false, NAN, 0 },
    { &filter_second_order, "frequency=2 damping-ratio=0.4 response=1 method=stable", false, false, NAN, 0 },
    { &filter_second_order, "frequency=2 damping-ratio=0.4 response=1 method=clamp", false, false, NAN, 0 },
    { &filter_second_order, "frequency=2.25 damping-ratio=0.35 response=0.4", true, true,
      .35 * 1.6 / (2 * M_PI * 2.25), 2 },
    { &filter_second_order, "frequency=2 damping-ratio=0.4 response=1 method=substep", false, false, NAN, 0 },
    { &filter_second_order, "frequency=2 damping-ratio=0.4 response=1 method=pole-zero", false, false, NAN,
      0 },
    { &filter_double, "halflife=0.1", true, false, .1 / LN2, 2 },
    { &filter_double, "halflife=0.1 hold=linear", true, true, .1 / LN2, 2 },
    { &filter_double, "halflife=0.1 method=published", false, false, NAN, 0 },
    { &filter_double, "halflife=0.1 method=published approx=unreal", false, false, NAN, 0 },
};
enum { NWAY = sizeof ways / sizeof *ways };

static void run(const struct way *w, size_t n, double *const *to)
{
    void *settings = harness_good(w->filter, w->words);
    harness_run(w->filter, settings, n, T, goal, NULL, to);
    free(settings);
}

static const char *name(const struct way *w)
{
    static char text[200];
    snprintf(text, sizeof text, "%s %s", w->filter->name, w->words);
    return text;
}

/* A square wave with noise, in parts of 2^-20 so that offsets are exact; rows of uneven length. */
static void jumpy(size_t n)
{
    uint64_t seed = 7;
    for (size_t i = 0; i < n; i++) {
        goal[i] = (double)(i / 40 % 2) + floor(harness_noise(&seed) * 0x1p18) * 0x1p-20;
        T[i] = 1. / 60 * (.5 + harness_noise(&seed));
    }
}

/* Value against the signal's range of 1.25 (or the output's own, where an undamped spring leaves it),
 * velocity and acceleration against their largest. */
static void follows_its_definition(void **unused)
{
    (void)unused;
    static const double irregular[] = { 1, 2, .5, 1 };
    double most[NFILTER][3] = { 0 };
    for (size_t c = 0; c < NCASE; c++) {
        size_t f = 0, n = (size_t)springs_cases[c].nrow, rows[] = { 1, n / 2 + 7, n - 1 };
        while (strcmp(filters[f]->name, springs_cases[c].filter))
            f++;
        uint64_t seed = (uint64_t)springs_cases[c].seed;
        for (size_t i = 0; i < n; i++) {
            goal[i] = 100 + ((double)(i / 40 % 2) + .25 * harness_noise(&seed));
            T[i] = springs_cases[c].irregular ? springs_cases[c].T * irregular[i % 4] : springs_cases[c].T;
        }
        struct way w = { .filter = filters[f], .words = springs_cases[c].words };
        run(&w, n, out);
        for (size_t r = 0; r < 3; r++)
            for (size_t o = 0; o < 3; o++) {
                double range = o == X ? fmax(1.25, springs_cases[c].most[X]) : springs_cases[c].most[o];
                double error = fabs(out[o][rows[r]] - springs_cases[c].expected[r][o]);
                if (o == X) /* the last digit of what is printed, around 100, is not an error of the filter */
                    error = fmax(0, error - 0x1p-47);
                error = range > 0 ? error / range : error;
                if (!(error < 1e-12))
                    fail_msg("%s %s T %g row %zu output %zu: %.17g, not %.17g: %g of %g", filters[f]->name,
                             springs_cases[c].words, springs_cases[c].T, rows[r], o, out[o][rows[r]],
                             springs_cases[c].expected[r][o], error, range);
                most[f][o] = fmax(most[f][o], error);
            }
    }
    for (size_t f = 0; f < NFILTER; f++)
        print_message("%-12s largest error: value %.2g of the range, velocity %.2g, acceleration %.2g\n",
                      filters[f]->name, most[f][X], most[f][V], most[f][A]);
}

static const double extreme_T[] = { 5e-324,   1e-310,  1e-300, 1e-160, 1e-100, 1e-30, 1e-9,
                                    1. / 240, 1. / 60, 1,      1e6,    1e30,   1e160, 1e300 };
static const char *const extreme_number[] = { "1e-30", "1e-20", "1e-9", ".1", "1", "1e9", "1e20", "1e30" };
enum { NT = sizeof extreme_T / sizeof *extreme_T, NNUMBER = sizeof extreme_number / sizeof *extreme_number };

/* Runs f over every extreme T; the derivatives may overflow only where T is beyond any use. */
static void stays_finite(const struct filter *f, const char *words)
{
    struct error e;
    void *settings = harness_settings(f, words, &e);
    if (!settings) {
        assert_int_equal(e.kind, ERROR_USAGE);
        assert_true(strstr(e.text, "--") != NULL);
        return;
    }
    for (size_t t = 0; t < NT; t++) {
        size_t n = 30;
        for (size_t i = 0; i < n; i++) {
            T[i] = extreme_T[t];
            goal[i] = (double)(i * i % 7) - 3;
        }
        harness_run(f, settings, n, T, goal, NULL, out);
        for (size_t i = 0; i < n; i++) {
            if (isnan(x[i]) || (extreme_T[t] > 1e-150 && (isnan(v[i]) || isnan(a[i]))))
                fail_msg("%s %s T %g row %zu: %g %g %g", f->name, words, extreme_T[t], i, x[i], v[i], a[i]);
            if (extreme_T[t] >= 1e-30 && !(fabs(x[i]) < 1e12 && isfinite(v[i]) && isfinite(a[i])))
                if (!strstr(words, "e1") && !strstr(words, "e3") && !strstr(words, "e-1") &&
                    !strstr(words, "e-2"))
                    fail_msg("%s %s T %g row %zu: %g %g %g", f->name, words, extreme_T[t], i, x[i], v[i],
                             a[i]);
        }
    }
    free(settings);
}

static void is_finite_everywhere(void **unused)
{
    (void)unused;
    static const char *const one[][2] = {
        { "damper", "halflife=%s" },
        { "damper", "lag=%s hold=linear" },
        { "damper", "lag=%s approx=holden" },
        { "damper", "halflife=%s approx=unreal" },
        { "damper", "method=exponential fixed-rate=2e30 damping=%s" },
        { "critical", "halflife=%s" },
        { "critical", "lag=%s hold=linear" },
        { "critical", "halflife=%s goal-velocity=difference" },
        { "critical", "halflife=%s approx=holden" },
        { "critical", "halflife=%s approx=unreal hold=linear goal-velocity=difference" },
        { "double", "halflife=%s" },
        { "double", "halflife=%s hold=linear" },
        { "double", "halflife=%s method=published" },
        { "double", "halflife=%s method=published approx=unreal" },
    };
    static const char *const two[][2] = {
        { "spring", "stiffness=%s damping=%s" },
        { "spring", "stiffness=%s damping=%s hold=linear" },
        { "spring", "frequency=%s damping-ratio=%s goal-velocity=difference" },
        { "spring", "halflife=%s damping-ratio=%s approx=holden" },
        { "spring", "frequency=%s damping-ratio=%s approx=unreal hold=linear" },
        { "second-order", "frequency=%s damping-ratio=%s response=0" },
        { "second-order", "frequency=%s damping-ratio=%s response=-2" },
        { "second-order", "frequency=%s damping-ratio=%s response=1e9" },
        { "second-order", "frequency=%s damping-ratio=%s response=1 method=stable" },
        { "second-order", "frequency=%s damping-ratio=%s response=1 method=clamp" },
        { "second-order", "frequency=%s damping-ratio=%s response=1 method=pole-zero" },
    };
    char words[200];
    for (size_t i = 0; i < NNUMBER; i++) {
        for (size_t k = 0; k < sizeof one / sizeof *one; k++) {
            snprintf(words, sizeof words, one[k][1], extreme_number[i]);
            for (size_t f = 0; f < NFILTER; f++)
                if (strcmp(filters[f]->name, one[k][0]) == 0)
                    stays_finite(filters[f], words);
        }
        for (size_t j = 0; j < NNUMBER; j++)
            for (size_t k = 0; k < sizeof two / sizeof *two; k++) {
                snprintf(words, sizeof words, two[k][1], extreme_number[i], extreme_number[j]);
                for (size_t f = 0; f < NFILTER; f++)
                    if (strcmp(filters[f]->name, two[k][0]) == 0)
                        stays_finite(filters[f], words);
            }
    }
}

/* After a few rows of motion one step of T, and n of T/n, end alike: with the goal held, or moving evenly. */
static void steps_compose(void **unused)
{
    (void)unused;
    double most = 0;
    for (size_t k = 0; k < NWAY; k++) {
        const struct way *w = &ways[k];
        for (int moving = 0; moving <= w->smooth; moving++)
            for (int part = 0; w->exact && part < 3; part++)
                for (double step = 1. / 240; step < 3; step *= 5) {
                    size_t n = (size_t[]){ 2, 7, 1000 }[part];
                    jumpy(10);
                    double from = goal[9], to = moving ? from + 1 : from;
                    T[10] = step;
                    goal[10] = to;
                    run(w, 11, out);
                    for (size_t i = 0; i < n; i++) {
                        T[10 + i] = step / (double)n;
                        goal[10 + i] = from + (to - from) * ((double)(i + 1) / (double)n);
                    }
                    run(w, 10 + n, out2);
                    for (size_t o = 0; o < 3; o++) {
                        if ((int)o > w->derived)
                            continue;
                        double error = fabs(out[o][10] - out2[o][9 + n]) /
                                       fmax(1, harness_largest(out[o], 11));
                        if (!(error < 1e-12))
                            fail_msg("%s: %zu steps of %g/%zu, output %zu: %g", name(w), n, step, n, o,
                                     error);
                        most = fmax(most, error);
                    }
                }
    }
    print_message("steps compose: largest error %.2g\n", most);
}

/* Twice the input and the mirrored one to the bit; three times it, and the sum with an offset, to rounding;
 * what is added to the input is not even seen by velocity and acceleration. Later is the same. */
static void is_linear(void **unused)
{
    (void)unused;
    enum { N = 500 };
    double most = 0;
    for (size_t k = 0; k < NWAY; k++) {
        jumpy(N);
        run(&ways[k], N, out);
        double range[] = { 1.25, harness_largest(v, N), harness_largest(a, N) };
        static const double scales[] = { 2, -1, 3, 0x1p-30 };
        for (size_t s = 0; s < 4; s++) {
            jumpy(N);
            for (size_t i = 0; i < N; i++)
                goal[i] *= scales[s];
            run(&ways[k], N, out2);
            for (size_t o = 0; o < 3; o++)
                for (size_t i = 0; i < N; i++) {
                    double error = fabs(out2[o][i] - scales[s] * out[o][i]) / range[o];
                    if (s == 2 ? !(error < 1e-13) : error != 0)
                        fail_msg("%s: scaled by %g row %zu output %zu: %g", name(&ways[k]), scales[s], i, o,
                                 error);
                    most = fmax(most, error);
                }
        }
        jumpy(N);
        for (size_t i = 0; i < N; i++)
            goal[i] += 4096;
        run(&ways[k], N, out2);
        for (size_t i = 0; i < N; i++)
            if (v2[i] != v[i] || a2[i] != a[i] || fabs(x2[i] - x[i] - 4096) > 0x1p-40)
                fail_msg("%s: offset, row %zu: %a is not %a", name(&ways[k]), i, x2[i], x[i]);

        jumpy(N); /* later: ten rows of waiting before */
        memmove(goal + 10, goal, (N - 10) * sizeof *goal);
        memmove(T + 10, T, (N - 10) * sizeof *T);
        for (size_t i = 0; i < 10; i++)
            goal[i] = goal[10];
        run(&ways[k], N, out2);
        for (size_t o = 0; o < 3; o++)
            assert_memory_equal(out2[o] + 10, out[o], (N - 10) * sizeof *goal);
    }
    print_message("linear: largest error of a scaled input %.2g\n", most);
}

/* To the bit, and no negative zeros. */
static void keeps_a_constant(void **unused)
{
    (void)unused;
    static const double constants[] = { 0, 1, -.1, 1e-310, 123456789.123, 1e300 }, zero = 0;
    enum { N = 100 };
    for (size_t k = 0; k < NWAY; k++)
        for (size_t c = 0; c < sizeof constants / sizeof *constants; c++) {
            jumpy(N);
            for (size_t i = 0; i < N; i++)
                goal[i] = constants[c];
            run(&ways[k], N, out);
            for (size_t i = 0; i < N; i++) {
                assert_memory_equal(&x[i], &constants[c], sizeof *x);
                assert_memory_equal(&v[i], &zero, sizeof *v);
                assert_memory_equal(&a[i], &zero, sizeof *a);
            }
        }
}

/* A slow filter far from 0 arrives exactly as well, where one whose state is x stops short by 1/(rate T) last
 * digits. */
static void what_has_arrived_stays(void **unused)
{
    (void)unused;
    static const struct way slow[] = {
        { .filter = &filter_damper, .words = "halflife=0.02" },
        { .filter = &filter_critical, .words = "halflife=0.01" },
        { .filter = &filter_spring, .words = "frequency=60 damping-ratio=0.7" },
        { .filter = &filter_second_order, .words = "frequency=40 damping-ratio=1 response=1" },
        { .filter = &filter_double, .words = "halflife=0.02" }
    };
    enum { N = MAXROW };
    for (size_t k = 0; k < sizeof slow / sizeof *slow; k++) {
        for (size_t i = 0; i < N; i++) {
            T[i] = 1e-4;
            goal[i] = i ? 1000.1 : 999;
        }
        run(&slow[k], N, out);
        if (x[N - 1] != 1000.1 || x[N - 2] != 1000.1)
            fail_msg("%s: %a", name(&slow[k]), x[N - 1] - 1000.1);
    }
}

/* Audio: many short steps of a slow filter lose no more digits than a long one. */
static void long_runs_keep_their_digits(void **unused)
{
    (void)unused;
    enum { N = MAXROW };
    static const struct way slow[] = { { .filter = &filter_damper, .words = "halflife=10" },
                                       { .filter = &filter_critical, .words = "halflife=10" },
                                       { .filter = &filter_double, .words = "halflife=10" } };
    double most = 0;
    for (size_t k = 0; k < 3; k++) {
        for (size_t i = 0; i < N; i++) {
            T[i] = 0x1p-16;
            goal[i] = i > 0;
        }
        run(&slow[k], N, out);
        double u = LN2 / 10 * (double)(1 << k) * (N - 1) * 0x1p-16;
        double left = k == 0 ? 1 : k == 1 ? 1 + u : 1 + u + u * u / 2 + u * u * u / 6;
        double error = fabs(x[N - 1] - (1 - left * exp(-u)));
        if (!(error < 3e-14))
            fail_msg("%s: %g", name(&slow[k]), error);
        most = fmax(most, error);
    }
    print_message("20000 steps of 15 us, half-life 10 s: largest error %.2g\n", most);
}

/* A first row at rest, where the driver puts it. */
static void starts_where_it_is_told(void **unused)
{
    (void)unused;
    for (size_t k = 0; k < NWAY; k++) {
        const struct filter *f = ways[k].filter;
        void *settings = harness_good(f, ways[k].words);
        double state[FILTER_MAXSTATE], first[3];
        const struct first_row at_goal = { .goal = .3, .x = .3 }, away = { .goal = .3, .x = .1 };
        f->start(settings, &at_goal, state, first);
        assert_true(first[X] == .3 && first[V] == 0 && first[A] == 0);
        f->start(settings, &away, state, first);
        assert_true(first[X] == .1);
        assert_true(f == &filter_damper ? first[V] >= 0 : first[V] == 0);
        free(settings);
    }
}

/* Velocity and acceleration are the differences of a run with steps 1000 times finer. */
static void derivatives_agree_with_a_finer_run(void **unused)
{
    (void)unused;
    enum { N = 20, FINE = 1000 };
    double most = 0, step = 1. / 30, dt = step / FINE;
    for (size_t k = 0; k < NWAY; k++) {
        const struct way *w = &ways[k];
        if (!w->derived)
            continue;
        double coarse[N];
        jumpy(N);
        memcpy(coarse, goal, sizeof coarse);
        for (size_t i = 0; i < N; i++)
            T[i] = step;
        run(w, N, out2);
        for (size_t i = 1; i < N; i++)
            for (size_t j = 1; j <= FINE; j++) {
                size_t row = (i - 1) * FINE + j;
                T[row] = dt;
                goal[row] = w->smooth ? coarse[i - 1] + (coarse[i] - coarse[i - 1]) * ((double)j / FINE)
                                      : coarse[i];
            }
        run(w, (N - 1) * FINE + 1, out);
        double v_range = harness_largest(v2, N), a_range = harness_largest(a2, N);
        for (size_t i = 1; i < N; i++) {
            size_t r = i * FINE;
            double v_is = (3 * x[r] - 4 * x[r - 1] + x[r - 2]) / (2 * dt);
            double a_is = (3 * v[r] - 4 * v[r - 1] + v[r - 2]) / (2 * dt);
            double error = fmax(fabs(v_is - v2[i]) / v_range,
                                w->derived > 1 ? fabs(a_is - a2[i]) / a_range : 0);
            if (!(error < 1e-5))
                fail_msg("%s row %zu: velocity %g is printed as %g, acceleration %g as %g", name(w), i, v_is,
                         v2[i], a_is, a2[i]);
            most = fmax(most, error);
        }
    }
    print_message("derivatives: largest difference from a finer run %.2g\n", most);
}

/* Where the goal jumps, a damper's velocity does: its acceleration is the change of the velocity over a step.
 * The velocities are those of 1000 times as many steps, in which the goal jumps once. On a ramp the damper
 * ends up moving at constant velocity, whatever the spacing of the rows. */
static void damper_accelerates_with_its_goal(void **unused)
{
    (void)unused;
    enum { N = 20, FINE = 1000, RAMP = 4000 };
    static const struct way dampers[] = {
        { .filter = &filter_damper, .words = "halflife=0.1", .exact = true },
        { .filter = &filter_damper, .words = "method=exponential damping=9", .exact = true },
        { .filter = &filter_damper, .words = "method=lerp factor=0.3" },
        { .filter = &filter_damper, .words = "method=euler damping=9" },
        { .filter = &filter_damper, .words = "halflife=0.1 approx=unreal" },
    };
    double coarse_goal[N], coarse_T[N];
    for (size_t k = 0; k < sizeof dampers / sizeof *dampers; k++) {
        const struct way *w = &dampers[k];
        jumpy(N);
        memcpy(coarse_goal, goal, sizeof coarse_goal);
        memcpy(coarse_T, T, sizeof coarse_T);
        run(w, N, out2);
        for (size_t row = 1; w->exact && row <= (N - 1) * FINE; row++) {
            T[row] = coarse_T[(row - 1) / FINE + 1] / FINE;
            goal[row] = coarse_goal[(row - 1) / FINE + 1];
        }
        if (w->exact)
            run(w, (N - 1) * FINE + 1, out);
        for (size_t i = 1; i < N; i++) {
            double before = w->exact ? v[(i - 1) * FINE] : v2[i - 1], after = w->exact ? v[i * FINE] : v2[i];
            double want = (after - before) / coarse_T[i];
            if (!(fabs(a2[i] - want) < 1e-12 * harness_largest(a2, N)))
                fail_msg("%s row %zu: acceleration %.17g, not %.17g", name(w), i, a2[i], want);
        }
        for (size_t i = 0; i < RAMP; i++) {
            T[i] = 1. / 60;
            goal[i] = 3. / 60 * (double)i;
        }
        run(w, RAMP, out);
        if (!(fabs(a[RAMP - 1]) < 1e-9))
            fail_msg("%s: on a ramp of 3 per second the acceleration is %g", name(w), a[RAMP - 1]);
    }
}

/* A spring by its equation x'' = s (g - x) + d (feed q - x'), which is integrated in small steps; or Euler's
 * steps of it. The goal jumps to its new value, or moves there at constant velocity. */
struct equation {
    const char *words;
    const struct filter *filter;
    double s, d, feed;
    bool difference, linear, velocity_first, position_first;
};

static void integrate(const struct equation *o, double from, double to, double q, double step, double *state)
{
    enum { PARTS = 200 };
    double x0 = state[0], v0 = state[1], h = step / PARTS;
    if (o->velocity_first) {
        state[1] = v0 + step * (o->s * (to - x0) + o->d * (o->feed * q - v0));
        state[0] = x0 + step * state[1];
        return;
    }
    if (o->position_first) {
        state[0] = x0 + step * v0;
        state[1] = v0 + step * (o->s * (to - state[0]) + o->d * (o->feed * q - v0));
        return;
    }
    for (int i = 0; i < PARTS; i++) { /* Runge and Kutta */
        double dx[4], dv[4];
        for (int k = 0; k < 4; k++) {
            static const double ahead[] = { 0, .5, .5, 1 };
            double xk = x0 + (k ? ahead[k] * h * dx[k - 1] : 0), vk = v0 + (k ? ahead[k] * h * dv[k - 1] : 0);
            double g = o->linear ? from + (to - from) * ((i + ahead[k]) / PARTS) : to;
            dx[k] = vk;
            dv[k] = o->s * (g - xk) + o->d * (o->feed * q - vk);
        }
        x0 += h / 6 * (dx[0] + 2 * dx[1] + 2 * dx[2] + dx[3]);
        v0 += h / 6 * (dv[0] + 2 * dv[1] + 2 * dv[2] + dv[3]);
    }
    state[0] = x0;
    state[1] = v0;
}

#define W4PI 12.566370614359172 /* 2 pi 2 Hz */
static const struct equation equations[] = {
    { "lag=0.1", &filter_critical, 400, 40, 1, false, false, false, false },
    { "lag=0.1 hold=linear", &filter_critical, 400, 40, 1, false, true, false, false },
    { "lag=0.1 goal-velocity=difference", &filter_critical, 400, 40, 1, true, false, false, false },
    { "lag=0.1 goal-velocity=difference hold=linear", &filter_critical, 400, 40, 1, true, true, false,
      false },
    { "stiffness=300 damping=9 goal-velocity=difference", &filter_spring, 300, 9, 1, true, false, false,
      false },
    { "stiffness=300 damping=60 goal-velocity=difference hold=linear", &filter_spring, 300, 60, 1, true, true,
      false, false },
    { "stiffness=300 damping=9 method=euler", &filter_spring, 300, 9, 1, false, false, true, false },
    { "stiffness=300 damping=9 goal-velocity=difference method=euler", &filter_spring, 300, 9, 1, true, false,
      true, false },
    { "frequency=2 damping-ratio=.5 response=-3", &filter_second_order, W4PI *W4PI, W4PI, -1.5, true, true,
      false, false },
    { "frequency=2 damping-ratio=2 response=1", &filter_second_order, W4PI *W4PI, 4 * W4PI, .5, true, true,
      false, false },
    { "frequency=3.183098861837907 damping-ratio=0.2 response=-1.0", &filter_second_order, 400, 8, -.5, true,
      true, false, false },
    { "frequency=2 damping-ratio=.5 response=1 method=euler", &filter_second_order, W4PI *W4PI, W4PI, .5,
      true, false, false, true },
};
enum { NEQUATION = sizeof equations / sizeof *equations };

/* Rows with flags. */
static void run_special(const struct filter *f, const char *words, size_t n, const unsigned char *marks)
{
    void *settings = harness_good(f, words);
    struct shape shape = filter_shape(f, settings);
    double *step = harness_steps(f, settings, n, T), *state = harness_alloc(shape.nstate, sizeof *state);
    const double *one_goal = goal;
    struct run r = { .settings = settings,
                     .shape = &shape,
                     .nrow = n,
                     .nchannel = 1,
                     .T = T,
                     .step = step,
                     .step_stride = shape.nstep,
                     .goal = &one_goal,
                     .flags = &marks,
                     .out = out,
                     .state = state };
    f->run(&r);
    free(state);
    free(step);
    free(settings);
}

/* The velocity of the goal is its change over the time since the last goal; in a gap 0, as the goal stays. */
static void velocities_of_goals(void **unused)
{
    (void)unused;
    enum { N = 400 };
    unsigned char marks[N] = { FLAG_START };
    double most = 0;
    for (size_t k = 0; k < NEQUATION; k++) {
        const struct equation *o = &equations[k];
        uint64_t seed = k;
        jumpy(N);
        for (size_t i = 1; i < N; i++) {
            bool gap = harness_noise(&seed) < (i % 50 < 25 ? .3 : .9);
            marks[i] = gap ? FLAG_GAP : marks[i - 1] & FLAG_GAP ? FLAG_CUT : 0;
            goal[i] = gap ? goal[i - 1] : goal[i];
        }
        run_special(o->filter, o->words, N, marks);
        double state[2] = { goal[0], 0 }, since = 0;
        for (size_t i = 1; i < N; i++) {
            since += T[i];
            double q = o->difference ? (goal[i] - goal[i - 1]) / since : 0;
            integrate(o, goal[i - 1], goal[i], q, T[i], state);
            double want[] = { state[0], state[1],
                              o->s * (goal[i] - state[0]) + o->d * (o->feed * q - state[1]) };
            for (size_t n = 0; n < 3; n++) {
                double error = fabs(out[n][i] - want[n]) / fmax(1, harness_largest(out[n], N));
                if (!(error < 1e-10))
                    fail_msg("%s %s row %zu output %zu: %.17g, not %.17g", o->filter->name, o->words, i, n,
                             out[n][i], want[n]);
                most = fmax(most, error);
            }
            since = marks[i] & FLAG_GAP ? since : 0;
        }
    }
    print_message("velocities of goals: largest error %.2g\n", most);
}

/* Bytes do not depend on how rows are cut into runs, on channels beside, on marks, on wanting only the value;
 * and a start forgets what was before. */
static void runs_are_alike(void **unused)
{
    (void)unused;
    enum { N = 203, C = 11, AGAIN = 77 };
    static double in[C][N], results[C * 3][N];
    static unsigned char marks[N];
    for (size_t k = 0; k < NWAY; k++) {
        const struct filter *f = ways[k].filter;
        void *settings = harness_good(f, ways[k].words);
        struct shape shape = filter_shape(f, settings);
        assert_true(shape.nout == 3 && shape.nstate <= FILTER_MAXSTATE);
        jumpy(N);
        double *step = harness_steps(f, settings, N, T), state[C * FILTER_MAXSTATE];
        for (int value_only = 0; value_only < 2; value_only++)
            for (size_t chunk = 1; chunk < 2 * N; chunk = chunk * 3 + 1) {
                const double *goals[C];
                const unsigned char *mark[C];
                double *outs[C * 3];
                memset(marks, 0, sizeof marks);
                marks[0] = marks[AGAIN] = FLAG_START;
                for (size_t at = 0, n; at < N; at += n) {
                    bool marked = at == 0 || (at <= AGAIN && AGAIN < at + chunk);
                    n = at == 0 ? 1 : at + chunk > N ? N - at : chunk;
                    for (size_t c = 0; c < C; c++) {
                        for (size_t i = 0; at == 0 && i < N; i++)
                            in[c][i] = goal[i] * (double)(1 + c);
                        goals[c] = in[c] + at;
                        mark[c] = marks + at;
                        for (size_t o = 0; o < 3; o++)
                            outs[c * 3 + o] = results[c * 3 + o] + at;
                    }
                    struct run r = { .settings = settings,
                                     .shape = &shape,
                                     .nrow = n,
                                     .nchannel = C,
                                     .T = T + at,
                                     .step = step + at * shape.nstep,
                                     .step_stride = shape.nstep,
                                     .goal = goals,
                                     .flags = marked ? mark : NULL,
                                     .out = outs,
                                     .value_only = value_only,
                                     .state = state };
                    f->run(&r);
                }
                for (size_t c = 0; c < C; c++) {
                    harness_run(f, settings, AGAIN, T, in[c], NULL, out);
                    double *const rest[] = { x + AGAIN, v + AGAIN, a + AGAIN };
                    harness_run(f, settings, N - AGAIN, T + AGAIN, in[c] + AGAIN, NULL, rest);
                    for (size_t o = 0; o < (value_only ? 1 : 3); o++)
                        assert_memory_equal(results[c * 3 + o], out[o], sizeof *results);
                }
            }
        free(step);
        free(settings);
    }
}

/* The result at half a second, of a smooth motion seen in steps of T, nears its limit as T^2 with --hold
 * linear, and as T with --hold step. */
static double difference_of_rates(const struct way *w, double step)
{
    double end[2];
    for (size_t k = 0; k < 2; k++) {
        double t = step / (double)(k + 1);
        size_t n = (size_t)lround(.5 / t);
        for (size_t i = 0; i <= n; i++) {
            T[i] = t;
            goal[i] = cos(5 * (double)i * t) + .3 * sin(11 * (double)i * t);
        }
        run(w, n + 1, out);
        end[k] = x[n];
    }
    return fabs(end[0] - end[1]);
}

static void rates_agree(void **unused)
{
    (void)unused;
    for (size_t k = 0; k < NWAY; k++) {
        const struct way *w = &ways[k];
        if (!w->smooth && isnan(w->lag))
            continue;
        double coarse = difference_of_rates(w, 1. / 50), fine = difference_of_rates(w, 1. / 200);
        double order = log(coarse / fine) / log(4);
        if (fabs(order - (w->smooth ? 2 : 1)) > .2)
            fail_msg("%s: order %g (%g, %g)", name(w), order, coarse, fine);
        if (w->smooth && !(difference_of_rates(w, 1. / 500) < 1e-4))
            fail_msg("%s: rates of 500 and 1000 differ by %g", name(w), difference_of_rates(w, 1. / 500));
    }
}

static void lags_behind_a_ramp(void **unused)
{
    (void)unused;
    enum { N = 6000 };
    double slope = 3, step = 1. / 100, exact = 0, held = 0;
    for (size_t k = 0; k < NWAY; k++) {
        const struct way *w = &ways[k];
        if (isnan(w->lag))
            continue;
        for (size_t i = 0; i < N; i++) {
            T[i] = step;
            goal[i] = slope * step * (double)i;
        }
        run(w, N, out);
        double lag = (goal[N - 1] - x[N - 1]) / slope,
               error = fabs(lag - (w->smooth ? w->lag : w->lag - step / 2));
        if (!(error < (w->smooth ? 1e-13 : step * step / w->lag)))
            fail_msg("%s: lag %.15g, not %.15g", name(w), lag, w->lag);
        *(w->smooth ? &exact : &held) = fmax(w->smooth ? exact : held, error);
        if (w->smooth)
            assert_true(fabs(v[N - 1] - slope) < 1e-11 && fabs(a[N - 1]) < 1e-9);
    }
    /* The published double spring sees each spring's goal at its end: half a step ahead of the exact one. */
    double end[2];
    for (size_t k = 0; k < 2; k++) {
        struct way w = { .filter = &filter_double,
                         .words = k ? "halflife=0.1 method=published" : "halflife=0.1" };
        run(&w, N, out);
        end[k] = x[N - 1];
    }
    assert_true(fabs((end[1] - end[0]) / slope - step / 2) < step / 20);
    print_message("lag: largest error %.2g s; with --hold step %.2g s, of steps of %g s\n", exact, held,
                  step);
}

/* Time after which a jump is done to this part, when rows are T apart. */
static double done(const struct filter *f, const char *words, double part, double step)
{
    size_t n = 0;
    for (size_t i = 0; i < MAXROW; i++) {
        T[i] = step;
        goal[i] = i > 0;
    }
    struct way w = { .filter = f, .words = words };
    run(&w, MAXROW, out);
    while (n < MAXROW && x[n] < part)
        n++;
    assert_true(n > 0 && n < MAXROW);
    return step * ((double)n - 1 + (part - x[n - 1]) / (x[n] - x[n - 1]));
}

/* The times are roots of (1 + u) exp(-u) = 1 - part and of (1 + u + u^2/2 + u^3/6) exp(-u) = 1 - part, over 2
 * ln 2 and 4 ln 2. */
static void half_lives(void **unused)
{
    (void)unused;
    T[1] = .37;
    goal[0] = 0;
    goal[1] = 1;
    static const struct way same[] = { { .filter = &filter_damper, .words = "halflife=0.37" },
                                       { .filter = &filter_damper, .words = "lag=0.5337971651289165" },
                                       { .filter = &filter_damper,
                                         .words = "remaining=0.15360502280188318" } };
    for (size_t k = 0; k < 3; k++) {
        run(&same[k], 2, out);
        if (fabs(x[1] - .5) > (k == 1 ? 1e-14 : 2e-16))
            fail_msg("%s: %.17g after a half-life", name(&same[k]), x[1]);
    }
    static const struct {
        const struct filter *filter;
        double part, halflives;
    } times[] = { { &filter_damper, .5, 1 },
                  { &filter_damper, .75, 2 },
                  { &filter_critical, .5, 1.21067143969398 },
                  { &filter_critical, .9, 2.80583999975676 },
                  { &filter_critical, .99, 4.78855880408483 },
                  { &filter_double, .5, 1.32441595805255 },
                  { &filter_double, .9, 2.40958315045692 },
                  { &filter_double, .99, 3.62301030594861 } };
    for (size_t k = 0; k < sizeof times / sizeof *times; k++) {
        double t = done(times[k].filter, "halflife=0.2", times[k].part, 1e-4) / .2;
        if (fabs(t - times[k].halflives) > 1e-6)
            fail_msg("%s: %g done after %.9g half-lives, not %.9g", times[k].filter->name, times[k].part, t,
                     times[k].halflives);
    }
}

static double highest(const char *words, const struct filter *f, double *lowest)
{
    double most = 0;
    done(f, words, .5, 2e-4);
    *lowest = 0;
    for (size_t i = 0; i < MAXROW; i++) {
        most = fmax(most, x[i]);
        *lowest = fmin(*lowest, x[i]);
    }
    return most;
}

static void characters(void **unused)
{
    (void)unused;
    double low;
    static const double ratios[] = { .3, .5, .7 };
    for (size_t k = 0; k < 3; k++) {
        char words[80];
        double z = ratios[k];
        snprintf(words, sizeof words, "frequency=3 damping-ratio=%g", z);
        assert_true(fabs(highest(words, &filter_spring, &low) - 1 - exp(-acos(-1) * z / sqrt(1 - z * z))) <
                    1e-5);
        assert_true(low == 0);
    }
    assert_true(highest("frequency=3 damping-ratio=1", &filter_spring, &low) <= 1);
    assert_true(highest("halflife=0.1", &filter_critical, &low) <= 1 && low == 0);
    assert_true(highest("halflife=0.1", &filter_double, &low) <= 1 && low == 0);

    /* Below 0 the response anticipates: it sets out the other way. Above 1 it overshoots, though z is 1. */
    assert_true(highest("frequency=3 damping-ratio=1 response=-2", &filter_second_order, &low) <= 1);
    assert_true(low < -.2);
    assert_true(highest("frequency=3 damping-ratio=1 response=0", &filter_second_order, &low) <= 1 &&
                low == 0);
    assert_true(highest("frequency=3 damping-ratio=1 response=1", &filter_second_order, &low) < 1 + 1e-12);
    assert_true(low == 0);
    assert_true(highest("frequency=3 damping-ratio=1 response=1.2", &filter_second_order, &low) > 1.0004);
    assert_true(highest("frequency=3 damping-ratio=1 response=3", &filter_second_order, &low) > 1.2);
}

/* With the input at rest the energy of what is left never grows. */
static void second_order_is_stable(void **unused)
{
    (void)unused;
    static const char *const f[] = { "1e-9", "0.01", "1", "60", "1e9" };
    static const char *const z[] = { "0", "1e-9", "0.3", "1", "1.000000001", "3", "1e3", "1e6" };
    static const char *const r[] = { "-100", "-2", "0", "1", "100" };
    static const double steps[] = { 1e-9, 1. / 240, 1. / 60, 1, 1e6 };
    enum { N = 400, MOVING = 5 };
    for (size_t i = 0; i < 5 * 8 * 5 * 5; i++) {
        char words[100];
        double step = steps[i % 5], w = 6.283185307179586 * strtod(f[i / 5 % 5], NULL);
        snprintf(words, sizeof words, "frequency=%s damping-ratio=%s response=%s", f[i / 5 % 5],
                 z[i / 25 % 8], r[i / 200]);
        for (size_t k = 0; k < N; k++) {
            T[k] = step;
            goal[k] = k < MOVING ? (double)(k * k % 3) : 0;
        }
        struct way way = { .filter = &filter_second_order, .words = words };
        run(&way, N, out);
        double before = INFINITY;
        for (size_t k = MOVING; k < N; k++) {
            double energy = hypot(w * x[k], v[k]);
            if (!(energy <= before * (1 + 4 * DBL_EPSILON) + DBL_MIN))
                fail_msg("second-order %s T %g row %zu: %g grows to %g", words, step, k, before, energy);
            before = energy;
        }
    }
}

/* Every pair of parameters of a spring of s = 400, d = 8: z = 0.2. */
static void parameters_agree(void **unused)
{
    (void)unused;
    static const char *const same[] = {
        "stiffness=400 damping=8",
        "stiffness=400 halflife=0.34657359027997264",
        "stiffness=400 damping-ratio=0.2",
        "frequency=3.183098861837907 damping=8",
        "frequency=3.183098861837907 halflife=0.34657359027997264",
        "frequency=3.183098861837907 damping-ratio=0.2",
        "damping=8 damping-ratio=0.2",
        "halflife=0.34657359027997264 damping-ratio=0.2",
    };
    enum { N = 300 };
    for (size_t k = 0; k < sizeof same / sizeof *same; k++) {
        struct way w = { .filter = &filter_spring, .words = same[k] };
        jumpy(N);
        run(&w, N, k ? out2 : out);
        if (k && !(harness_worst(x, x2, N) < 1e-14 && harness_worst(v, v2, N) < 1e-12))
            fail_msg("spring %s: %g", same[k], harness_worst(x, x2, N));
    }
    /* A critical spring four ways, one of them as a spring, one as a second order without response. */
    static const struct way critical[] = {
        { .filter = &filter_critical, .words = "halflife=0.1 hold=linear" },
        { .filter = &filter_critical, .words = "lag=0.14426950408889633 hold=linear" },
        { .filter = &filter_spring, .words = "halflife=0.1 damping-ratio=1 hold=linear" },
        { .filter = &filter_second_order, .words = "frequency=2.206356001526516 damping-ratio=1 response=0" },
    };
    for (size_t k = 0; k < sizeof critical / sizeof *critical; k++) {
        jumpy(N);
        run(&critical[k], N, k ? out2 : out);
        if (k && !(harness_worst(x, x2, N) < 1e-14 && harness_worst(v, v2, N) < 1e-12))
            fail_msg("%s: %g", name(&critical[k]), harness_worst(x, x2, N));
    }
    /* Approximated too, on either side of critical damping by a rounding. */
    for (double H = .05; H < .5; H *= 1.03) {
        char critical_words[80], spring_words[100];
        snprintf(critical_words, sizeof critical_words, "halflife=%.17g approx=holden", H);
        snprintf(spring_words, sizeof spring_words, "%s damping-ratio=1", critical_words);
        struct way one = { .filter = &filter_critical, .words = critical_words };
        struct way other = { .filter = &filter_spring, .words = spring_words };
        jumpy(N);
        run(&one, N, out);
        run(&other, N, out2);
        if (!(harness_worst(x, x2, N) < 1e-13))
            fail_msg("%s: %g", name(&other), harness_worst(x, x2, N));
    }
    /* Zero damping is allowed where it means something. */
    free(harness_good(&filter_spring, "frequency=1 damping-ratio=0"));
    free(harness_good(&filter_spring, "stiffness=1 damping=0"));
    free(harness_good(&filter_second_order, "frequency=1 damping-ratio=0 response=-3"));
}

static void refuses(void **unused)
{
    (void)unused;
    static const struct {
        const struct filter *filter;
        const char *words, *text;
    } cases[] = {
        { &filter_damper, "", "damper needs --halflife, --lag, --remaining or --cutoff" },
        { &filter_damper, "lag=1 halflife=2", "damper: --halflife cannot be combined with --lag" },
        { &filter_damper, "halflife=1 factor=.1", "damper --method exact cannot be combined with --factor" },
        { &filter_damper, "halflife=1 damping=.1",
          "damper --method exact cannot be combined with --damping" },
        { &filter_damper, "halflife=1 fixed-rate=30",
          "damper --method exact cannot be combined with --fixed-rate" },
        { &filter_damper, "method=lerp", "damper needs --factor" },
        { &filter_damper, "method=lerp factor=.1 lag=1",
          "damper --method lerp cannot be combined with --lag" },
        { &filter_damper, "method=lerp factor=.1 hold=linear",
          "damper --method lerp cannot be combined with --hold" },
        { &filter_damper, "method=euler", "damper needs --damping" },
        { &filter_damper, "method=euler damping=1 fixed-rate=9",
          "damper --method euler cannot be combined with --fixed-rate" },
        { &filter_damper, "method=euler damping=1 approx=holden",
          "damper --method euler cannot be combined with --approx" },
        { &filter_damper, "method=exponential", "damper needs --damping" },
        { &filter_damper, "method=exponential damping=60", "--damping 60 must be less than --fixed-rate 60" },
        { &filter_critical, "", "critical needs --halflife, --lag or --cutoff" },
        { &filter_critical, "lag=1 cutoff=2", "critical: --lag cannot be combined with --cutoff" },
        { &filter_spring, "", "spring needs two of --stiffness" },
        { &filter_spring, "frequency=1 stiffness=2 damping=1",
          "--stiffness cannot be combined with --frequency" },
        { &filter_spring, "frequency=1 halflife=2 damping=1",
          "--damping cannot be combined with --halflife" },
        { &filter_spring, "frequency=1 halflife=2 damping-ratio=1",
          "spring needs two of --stiffness" },
        { &filter_spring, "halflife=2 damping-ratio=0", "--halflife and --damping-ratio must be greater than 0" },
        { &filter_spring, "damping=0 damping-ratio=1", "--damping and --damping-ratio must be greater than 0" },
        { &filter_spring, "stiffness=1 damping=1 method=euler hold=linear",
          "spring --method euler cannot be combined with --hold" },
        { &filter_spring, "stiffness=1 damping=1 method=euler approx=unreal",
          "spring --method euler cannot be combined with --approx" },
        { &filter_second_order, "frequency=1 response=2", "second-order needs --damping-ratio" },
        { &filter_second_order, "damping-ratio=1 response=2", "second-order needs --frequency" },
        { &filter_second_order, "frequency=1 damping-ratio=2", "second-order needs --response" },
        { &filter_double, "", "double needs --halflife or --cutoff" },
        { &filter_double, "halflife=1 cutoff=1", "double: --halflife cannot be combined with --cutoff" },
        { &filter_damper, "lag=1 cutoff=1", "damper: --lag cannot be combined with --cutoff" },
        { &filter_damper, "method=lerp cutoff=1", "damper --method lerp cannot be combined with --cutoff" },
        { &filter_spring, "cutoff=1", "spring needs two of --stiffness" },
        { &filter_spring, "cutoff=1 frequency=2 damping-ratio=1",
          "--frequency cannot be combined with --cutoff" },
        { &filter_spring, "cutoff=1 damping=2",
          "--cutoff cannot be combined with --damping, only with --damp" },
        { &filter_spring, "cutoff=1 halflife=2", "--cutoff cannot be combined with --halflife, only with" },
        { &filter_double, "halflife=1 method=exact approx=holden",
          "double --method exact cannot be combined with --approx" },
        { &filter_double, "halflife=1 hold=linear method=published",
          "double --method published cannot be combined with --hold" },
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct error e;
        void *settings = harness_settings(cases[i].filter, cases[i].words, &e);
        if (settings)
            fail_msg("%s %s was not refused", cases[i].filter->name, cases[i].words);
        assert_int_equal(e.kind, ERROR_USAGE);
        if (!strstr(e.text, cases[i].text))
            fail_msg("%s %s: \"%s\", not \"%s\"", cases[i].filter->name, cases[i].words, e.text,
                     cases[i].text);
    }
}

/* A warning comes exactly where the method stops being stable. */
static void warns_of_unstable_steps(void **unused)
{
    (void)unused;
    static const struct way unstable[] = {
        { .filter = &filter_damper, .words = "method=euler damping=10" },
        { .filter = &filter_spring, .words = "method=euler stiffness=100 damping=3" },
        { .filter = &filter_second_order, .words = "method=euler frequency=1 damping-ratio=0.3 response=0" },
        { .filter = &filter_damper, .words = "halflife=0.1" },
        { .filter = &filter_second_order,
          .words = "method=substep frequency=1 damping-ratio=0.3 response=0" },
    };
    enum { N = 4000 };
    for (size_t k = 0; k < 5; k++) {
        const struct filter *f = unstable[k].filter;
        void *settings = harness_good(f, unstable[k].words);
        int nwarned = 0;
        for (double step = .01; step < .5; step *= 1.1) {
            double longest = ((struct filter_common *)settings)->longest;
            bool warned = longest > 0 && step > longest;
            nwarned += warned;
            for (size_t i = 0; i < N; i++) {
                T[i] = step;
                goal[i] = i < 3;
            }
            harness_run(f, settings, N, T, goal, NULL, out);
            bool grew = !(fabs(x[N - 1]) < 10);
            if (grew != warned)
                fail_msg("%s: a step of %g ends at %g, the longest is %g", name(&unstable[k]), step, x[N - 1],
                         longest);
        }
        assert_int_equal(nwarned > 0, k < 3);
        free(settings);
    }
}

static void settings_fit_their_room(void **state)
{
    (void)state;
    for (const struct filter *const *filter = filter_list; *filter; filter++)
        assert_in_range((*filter)->settings_size, sizeof(struct filter_common), FILTER_MAXSETTINGS);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(settings_fit_their_room),
        cmocka_unit_test(follows_its_definition),
        cmocka_unit_test(is_finite_everywhere),
        cmocka_unit_test(steps_compose),
        cmocka_unit_test(is_linear),
        cmocka_unit_test(keeps_a_constant),
        cmocka_unit_test(what_has_arrived_stays),
        cmocka_unit_test(long_runs_keep_their_digits),
        cmocka_unit_test(starts_where_it_is_told),
        cmocka_unit_test(derivatives_agree_with_a_finer_run),
        cmocka_unit_test(damper_accelerates_with_its_goal),
        cmocka_unit_test(velocities_of_goals),
        cmocka_unit_test(runs_are_alike),
        cmocka_unit_test(rates_agree),
        cmocka_unit_test(lags_behind_a_ramp),
        cmocka_unit_test(half_lives),
        cmocka_unit_test(characters),
        cmocka_unit_test(second_order_is_stable),
        cmocka_unit_test(parameters_agree),
        cmocka_unit_test(refuses),
        cmocka_unit_test(warns_of_unstable_steps),
    };
    return cmocka_run_group_tests_name("filters", tests, NULL, NULL);
}
