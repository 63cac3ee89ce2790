/* The rule of --despike: against a table of its definition, small windows by hand, signals that must come
 * through, and spikes that must be found. */
#include "ref/despike_table.h"
#include "unit/harness.h"
#include "whole/despike.h"

enum { MAXROW = 400, ROWS = DESPIKE_USUAL_ROWS };

static const double tau = 6.283185307179586;

/* Sample i of n, among those that are not missing. */
static bool is_spike(struct despike_memory *h, double factor, const double *t, const double *x, size_t n,
                     size_t i)
{
    double known_t[DESPIKE_MOST_SAMPLES], known[DESPIKE_MOST_SAMPLES];
    const double *column = known;
    size_t m = 0, own = 0;
    for (size_t j = 0; j < n; j++)
        if (!isnan(x[j])) {
            own = j == i ? m : own;
            known_t[m] = t[j];
            known[m++] = x[j];
        }
    return despike_judge(h, factor, &(struct despike_window){ m, own, known_t, 1, &column });
}

/* Judges the n samples of x, steps seconds apart, and counts the spikes. */
static size_t judge(double factor, double step, const double *x, size_t n, bool *spike)
{
    struct despike_memory h = { 0 };
    double t[MAXROW];
    size_t count = 0;
    for (size_t i = 0; i < n; i++)
        t[i] = 1000 + step * (double)i;
    for (size_t i = 0; i < n; i++) {
        size_t first = i < ROWS ? 0 : i - ROWS, last = i + ROWS < n ? i + ROWS : n - 1;
        spike[i] = !isnan(x[i]) && is_spike(&h, factor, t + first, x + first, last + 1 - first, i - first);
        count += spike[i];
    }
    return count;
}

static void follows_its_definition(void **state)
{
    (void)state;
    for (size_t k = 0; k < sizeof despike_table / sizeof *despike_table; k++) {
        const double *x = despike_table[k].x, factor = despike_table[k].factor;
        for (int high = factor == 0; high < 2; high++) {
            struct despike_memory h = { 0 };
            if (is_spike(&h, factor * (high ? 1 + 1e-9 : 1 - 1e-9) + high * 1e-9, despike_table[k].t, x,
                         despike_table[k].n, despike_table[k].own) != !high)
                fail_msg("window %zu: factor %g, %s", k, factor, high ? "spike" : "none");
        }
    }
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
    for (size_t k = 0; k < sizeof signals / sizeof *signals; k++)
        for (double p = 0; p < 6.5; p += 0.1) {
            double x[100];
            bool spike[100];
            for (size_t i = 0; i < 100; i++)
                x[i] = signals[k].at((double)i, p);
            if (judge(3, 1. / 120, x, 100, spike))
                for (size_t i = 0; i < 100; i++)
                    if (spike[i])
                        fail_msg("%s, %g: row %zu", signals[k].name, p, i);
        }
}

/* Spikes of the given size in rows 20 to 20 + run of a 100 mm sine, at every phase. */
static void find_spikes(double factor, double size, size_t run)
{
    for (double phase = 0; phase < tau; phase += 0.1) {
        double x[60];
        bool spike[60];
        for (size_t i = 0; i < 60; i++)
            x[i] = sine((double)i, phase) + (i >= 20 && i < 20 + run ? size : 0);
        size_t count = judge(factor, 1. / 120, x, 60, spike);
        for (size_t i = 20; i < 20 + run; i++)
            if (!spike[i])
                fail_msg("size %g, factor %g, phase %g: row %zu is missed", size, factor, phase, i);
        assert_int_equal(count, run);
    }
}

static void spikes_are_found(void **state)
{
    (void)state;
    find_spikes(3, 5, 1);
    find_spikes(3, -5, 1);
    find_spikes(8, 5, 1);
    find_spikes(8, -5, 1);
    find_spikes(5, 25, 2);
    find_spikes(5, -25, 3);
    find_spikes(5, 80, 3);
}

static void a_spike_on_a_constant_is_found(void **state)
{
    (void)state;
    double x[40];
    bool spike[40];
    for (size_t run = 1; run < 4; run++) {
        for (size_t i = 0; i < 40; i++)
            x[i] = 7 + (i >= 17 && i < 17 + run ? 1e-6 : 0);
        assert_int_equal(judge(1000, 0.1, x, 40, spike), run);
        assert_true(spike[17] && spike[16 + run]);
    }
    /* With the noise of the channel known, a constant part is judged by it. */
    double noisy[MAXROW];
    bool found[MAXROW];
    for (size_t i = 0; i < MAXROW; i++)
        noisy[i] = i < 200 ? sin((double)(i * i)) : i == 300 ? 2 : i == 350 ? 10 : 0;
    judge(5, 0.1, noisy, MAXROW, found);
    assert_false(found[300]);
    assert_true(found[350]);
}

static void few_samples_and_equal_times(void **state)
{
    (void)state;
    const double t[] = { 0, 1, 2, 3, 4 }, same[5] = { 0 };
    const double two[] = { 1, 50 }, three[] = { 1, 50, 1 };
    const double five[] = { 1, 2, 50, 2, 1 }, *x = two;
    struct despike_memory h = { 0 };
    assert_false(despike_judge(&h, 3, &(struct despike_window){ 2, 1, t, 1, &x }));
    x = three;
    assert_true(despike_judge(&h, 3, &(struct despike_window){ 3, 1, t, 1, &x }));
    x = five;
    assert_true(despike_judge(&h, 3, &(struct despike_window){ 5, 2, t, 1, &x }));
    assert_true(despike_judge(&h, 3, &(struct despike_window){ 5, 2, same, 1, &x }));
    assert_false(despike_judge(&h, 3, &(struct despike_window){ 1, 0, t, 1, &x }));
}

/* A rotation turns by 3 degrees a row about an axis that moves; one row is 4 degrees off. */
static void rotations(void **state)
{
    (void)state;
    for (size_t bad = 15; bad < 30; bad++) {
        double q[4][60];
        struct despike_memory h = { 0 };
        for (size_t i = 0; i < 60; i++) {
            double half = tau / 720 * (3 * (double)i + (i == bad ? 4 : 0)), lean = (double)i / 60;
            q[0][i] = cos(half);
            q[1][i] = sin(half) * cos(lean);
            q[2][i] = sin(half) * sin(lean);
            q[3][i] = 0;
        }
        double t[60];
        for (size_t i = 0; i < 60; i++)
            t[i] = (double)i / 60;
        for (size_t i = ROWS; i + ROWS < 60; i++) {
            const double *x[4] = { q[0] + i - ROWS, q[1] + i - ROWS, q[2] + i - ROWS, q[3] + i - ROWS };
            if (despike_judge(&h, 5, &(struct despike_window){ 2 * ROWS + 1, ROWS, t + i - ROWS, 4, x }) !=
                (i == bad))
                fail_msg("spike at %zu: row %zu", bad, i);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(follows_its_definition),
        cmocka_unit_test(clean_signals_come_through),
        cmocka_unit_test(spikes_are_found),
        cmocka_unit_test(a_spike_on_a_constant_is_found),
        cmocka_unit_test(few_samples_and_equal_times),
        cmocka_unit_test(rotations),
    };
    return cmocka_run_group_tests_name("despike", tests, NULL, NULL);
}
