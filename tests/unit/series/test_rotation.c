/* Rotations: logarithm and exponential against matrices in sixty digits, filters of quaternions against their
 * equations on matrices, against the filter of the angle about a fixed axis, and against themselves turned,
 * split and negated. */
#include "series/core.h"
#include "springs/rotations/rotation.h"
#include "unit/harness.h"

#include "ref/rotation_table.h"

#include <float.h>

/* The quaternion of a rotation vector. */
static void exponential(const double v[3], double q[4])
{
    struct rotation_point p;
    rotation_point_exp(v, &p);
    memcpy(q, p.q, sizeof p.q);
}

enum { MAXROW = 512, NPAIR = sizeof rotation_pairs / sizeof *rotation_pairs };

/* What goes in, row by row, and what comes out of the series: the quaternion in columns 0 to 3, an angle in
 * column 4 with derivatives of its own. */
struct motion {
    size_t n, split; /* rows in all, and in the first block; 0: one block */
    double t[MAXROW], goal[MAXROW][4], angle[MAXROW];
    bool cut[MAXROW];
    double x[MAXROW][4], rate[MAXROW][2][3], own[MAXROW][3];
};

static const char *const names[] = { "q_w", "q_x", "q_y", "q_z", "angle", "time", "cut" };

static void fill(struct block *b, const struct motion *m, size_t first, size_t n, const struct table *table)
{
    struct error e;
    *b = (struct block){ 0 };
    struct block_shape shape = { .ncell = table->ncell, .nvalue = table->nvalue, .nout = 15, .times = true };
    assert_true(block_reserve(b, n, shape, &e));
    b->nrow = n;
    for (size_t i = 0; i < n; i++) {
        for (size_t k = 0; k < 4; k++)
            block_value(b, k)[i] = m->goal[first + i][k];
        block_value(b, 4)[i] = m->angle[first + i];
        block_value(b, 5)[i] = m->cut[first + i];
        b->time[i] = (struct timestamp){ .t = m->t[first + i] };
    }
}

static void take_out(const struct block *b, struct motion *m, size_t first)
{
    for (size_t i = 0; i < b->nrow; i++) {
        for (size_t k = 0; k < 4; k++)
            m->x[first + i][k] = block_out(b, 3 * k)[i];
        for (size_t o = 0; o < 3; o++)
            m->own[first + i][o] = block_out(b, 12 + o)[i];
        for (size_t k = 0; k < 6; k++)
            m->rate[first + i][k / 3][k % 3] = block_out(b, 3 * (1 + k % 3) + 1 + k / 3)[i];
    }
}

/* Runs the whole motion through the driver. */
static void run(const char *name, const char *words, struct motion *m)
{
    struct error e;
    struct table t = { 0 };
    struct column_choice choice = { .time = "time", .cut = "cut" };
    const struct filter *filter = filter_find(name);
    void *settings = harness_good(filter, words);
    struct series_settings series = { 0 };
    struct groups groups = { 0 };
    struct units units = { 0 };
    struct numbers cuts = { 0 };
    struct unit_settings lists = { .quaternions = "q", .period = (double)NAN };
    struct input_options options = { 0 };
    struct reader reader = { .format = format_find("csv"), .options = &options };
    struct block block[2], *faulty;
    for (size_t i = 0; i < 7; i++) {
        assert_true(columns_add(&t, names[i], strlen(names[i]), &e));
        t.column[i].first = CELL_NUMBER;
    }
    assert_true(table_plan(&t, &choice, &e) && units_make(&units, &t, &lists, filter, series.start, &e));
    reader.table = t;
    struct channel_count count[5] = { 0 };
    struct core core = { .input = { &reader, &t, &series, 0, &cuts, &units, &groups },
                         .filter = filter,
                         .settings = settings,
                         .derivatives = { 2, 2 },
                         .despike = (double)NAN,
                         .detect = (double)NAN,
                         .count = count };
    assert_true(core_open(&core, &e));
    const struct stage stage = core_stage(&core);
    fill(&block[0], m, 0, m->split ? m->split : m->n, &t);
    fill(&block[1], m, block[0].nrow, m->n - block[0].nrow, &t);
    for (int i = 0; i < 2; i++)
        if ((faulty = stage.take(&core, &block[i])))
            fail_msg("%s %s: %s", name, words, faulty->error.text);
    assert_null(stage.finish(&core, true));
    take_out(&block[0], m, 0);
    take_out(&block[1], m, block[0].nrow);
    block_free(&block[0]);
    block_free(&block[1]);
    core_close(&core);
    groups_free(&groups);
    units_free(&units);
    table_free(&t);
    free(settings);
}

static const struct {
    const char *name, *words;
} filters[] = {
    { "damper", "halflife=0.1" },
    { "damper", "halflife=0.1 hold=linear" },
    { "damper", "method=lerp factor=0.2" },
    { "critical", "halflife=0.1" },
    { "critical", "halflife=0.1 approx=unreal" },
    { "critical", "halflife=0.1 goal-velocity=difference" },
    { "spring", "frequency=2 damping-ratio=0.3" },
    { "spring", "frequency=2 damping-ratio=0.3 hold=linear" },
    { "spring", "frequency=2 damping-ratio=0.3 method=euler" },
    { "second-order", "frequency=2 damping-ratio=0.4 response=1.5" },
    { "second-order", "frequency=2 damping-ratio=0.4 response=-1 method=pole-zero" },
    { "tracking", "" },
    { "tracking", "method=gain" },
    { "tracking", "method=halflife" },
    { "tracking", "method=spring-damper" },
    { "inertialize", "halflife=0.1" },
};
enum { NFILTER = sizeof filters / sizeof *filters };

static double norm(const double *v, int n)
{
    double sum = 0;
    for (int i = 0; i < n; i++)
        sum += v[i] * v[i];
    return sqrt(sum);
}

static double apart(const double *a, const double *b, int n)
{
    double d[4];
    for (int i = 0; i < n; i++)
        d[i] = a[i] - b[i];
    return norm(d, n);
}

/* v turned by q, as q v q*. */
static void turn(const double q[4], const double v[3], double out[3])
{
    const double pure[4] = { 0, v[0], v[1], v[2] };
    double half[4], whole[4];
    rotation_multiply(q, pure, half);
    rotation_between(half, q, whole);
    memcpy(out, whole + 1, 3 * sizeof *out);
}

/* Tumbling: turns about a wandering axis, at uneven times; with jumps where the cuts are. */
static void tumble(struct motion *m, uint64_t seed)
{
    double q[4] = { 1, 0, 0, 0 }, w[3] = { 3, -1, 2 }, t = 0;
    memset(m, 0, sizeof *m);
    m->n = 400;
    for (size_t i = 0; i < m->n; i++) {
        double T = (.2 + harness_noise(&seed)) / 60, v[3], step[4], next[4];
        m->cut[i] = i % 90 == 60;
        for (int k = 0; k < 3; k++) {
            w[k] += harness_noise(&seed) - .5;
            v[k] = w[k] * T + (m->cut[i] ? 1.5 * harness_noise(&seed) : 0);
        }
        exponential(v, step);
        rotation_multiply(step, q, next);
        rotation_unit(next);
        memcpy(q, next, sizeof q);
        memcpy(m->goal[i], q, sizeof q);
        m->t[i] = t += T;
    }
}

static void logarithm_and_exponential_are_those_of_matrices(void **state)
{
    (void)state;
    const double zero = 1e-60; /* is what the reference has for some */
    for (size_t i = 0; i < NPAIR; i++) {
        const double *v = rotation_pairs[i].v, *q = rotation_pairs[i].q;
        double got[4], minus[4] = { -q[0], -q[1], -q[2], -q[3] }, other[3];
        exponential(v, got);
        assert_true(fabs(got[0] - q[0]) <= DBL_EPSILON);
        for (int k = 0; k < 3; k++)
            assert_true(fabs(got[k + 1] - q[k + 1]) <= 4 * DBL_EPSILON * fabs(v[k]) + (v[k] == 0 ? zero : 0));
        rotation_log(q, got);
        for (int k = 0; k < 3; k++)
            assert_true(fabs(got[k] - v[k]) <= 4 * DBL_EPSILON * fabs(v[k]) + (v[k] == 0 ? zero : 0));
        rotation_log(minus, other);
        assert_memory_equal(got, other, sizeof other);
    }
}

/* The power series of atan ends, and atan2 begins, where the tangent of half the angle is 1/8. */
static void logarithm_keeps_its_digits(void **state)
{
    (void)state;
    for (int i = 1; i <= 200; i++) {
        const double half = atan(1. / 8) * (i / 100.), q[4] = { cos(half), 0, sin(half), 0 };
        double v[3];
        rotation_log(q, v);
        assert_true(fabs(v[1] - 2 * half) <= 8e-16 * half);
        assert_true(v[0] == 0 && v[2] == 0);
    }
}

static void any_quaternion_has_a_direction(void **state)
{
    (void)state;
    const double sizes[] = { 5e-324, 1e-310, 1e-200, 1, 1e200, DBL_MAX };
    for (size_t i = 0; i < 6; i++) {
        double q[4] = { sizes[i], 0, -sizes[i], 0 }, none[4] = { 0 }, endless[4] = { 1, INFINITY, 0, 0 },
               v[3];
        rotation_log(q, v);
        assert_true(fabs(v[1] + M_PI / 2) <= 4 * DBL_EPSILON && v[0] == 0 && v[2] == 0);
        assert_true(rotation_unit(q) && fabs(q[0] - M_SQRT1_2) <= DBL_EPSILON && q[2] == -q[0]);
        assert_false(rotation_unit(none));
        assert_false(rotation_unit(endless));
    }
}

static void filters_follow_their_equations(void **state)
{
    (void)state;
    for (size_t c = 0; c < sizeof rotation_cases / sizeof *rotation_cases; c++) {
        static struct motion m;
        const size_t which = rotation_cases[c].motion;
        double worst = 0, rate = 0, most[2] = { 0 };
        memset(&m, 0, sizeof m);
        m.n = ROTATION_NROW;
        for (size_t i = 0; i < m.n; i++) {
            m.t[i] = rotation_motions[which].T[i] + (i ? m.t[i - 1] : 0);
            m.cut[i] = rotation_motions[which].cut[i];
            memcpy(m.goal[i], rotation_motions[which].goal[i], sizeof m.goal[i]);
        }
        run(rotation_cases[c].filter, rotation_cases[c].words, &m);
        for (size_t i = 0; i < m.n; i += ROTATION_EVERY)
            for (int o = 0; o < 2; o++)
                most[o] = fmax(most[o], norm(rotation_cases[c].expected[i / ROTATION_EVERY] + 4 + 3 * o, 3));
        for (size_t i = 0; i < m.n; i += ROTATION_EVERY) {
            const double *want = rotation_cases[c].expected[i / ROTATION_EVERY];
            double minus[4] = { -want[0], -want[1], -want[2], -want[3] };
            worst = fmax(worst, fmin(apart(m.x[i], want, 4), apart(m.x[i], minus, 4)));
            for (int o = 0; o < 2; o++)
                rate = fmax(rate, apart(m.rate[i][o], want + 4 + 3 * o, 3) / most[o]);
        }
        if (!(worst <= 1e-13 && rate <= 1e-12))
            fail_msg("%s %s: off by %g, rates by %g", rotation_cases[c].filter, rotation_cases[c].words,
                     worst, rate);
    }
}

static void about_a_fixed_axis_it_is_the_filter_of_the_angle(void **state)
{
    (void)state;
    static struct motion m;
    for (size_t f = 0; f < NFILTER; f++) {
        const double axis[3] = { .48, -.6, .64 };
        uint64_t seed = f;
        memset(&m, 0, sizeof m);
        m.n = 400;
        m.split = 177;
        double jump = 0, t = 0, most[3] = { 1, 0, 0 };
        for (size_t i = 0; i < m.n; i++) {
            m.t[i] = t += (.2 + harness_noise(&seed)) / 60;
            m.cut[i] = i % 90 == 60;
            jump += m.cut[i] ? 1.5 : 0;
            m.angle[i] = 6 * sin(t) + .1 * harness_noise(&seed) + jump;
            double v[3] = { m.angle[i] * axis[0], m.angle[i] * axis[1], m.angle[i] * axis[2] };
            exponential(v, m.goal[i]);
        }
        run(filters[f].name, filters[f].words, &m);
        for (size_t i = 0; i < m.n; i++)
            for (int o = 0; o < 3; o++)
                most[o] = fmax(most[o], fabs(m.own[i][o]));
        for (size_t i = 0; i < m.n; i++) {
            double v[3], want[4], got[4], off[3];
            for (int k = 0; k < 3; k++)
                v[k] = m.own[i][0] * axis[k];
            exponential(v, want);
            rotation_between(m.x[i], want, got);
            rotation_log(got, off);
            double worst = norm(off, 3) / most[0];
            for (int o = 1; o < 3; o++) {
                for (int k = 0; k < 3; k++)
                    v[k] = m.own[i][o] * axis[k];
                /* inertialize's acceleration of a rotation is the change of its velocity. */
                bool same = o == 1 || strcmp(filters[f].name, "inertialize") != 0;
                worst = fmax(worst, same && most[o] > 0 ? apart(m.rate[i][o - 1], v, 3) / most[o] : 0);
            }
            /* The acceleration of tracking and inertialize is a second difference of the input over steps of
             * 4 ms, where the angle is known to 1e-15. */
            if (!(worst <= (most[2] > 1e4 ? 1e-11 : 1e-12)))
                fail_msg("%s %s: row %zu is off by %g", filters[f].name, filters[f].words, i, worst);
        }
    }
}

/* x at the end of m's rows, where the steps between are cut into parts and the goal is held, or on its
 * way. */
static void one_step_is_many(void **state)
{
    (void)state;
    static struct motion whole, parts;
    for (size_t f = 0; f < NFILTER; f++) {
        bool linear = strstr(filters[f].words, "hold=linear") || strcmp(filters[f].name, "second-order") == 0;
        if (strcmp(filters[f].words, "") == 0 || strstr(filters[f].words, "method") ||
            strstr(filters[f].words, "approx") || strstr(filters[f].words, "goal-velocity") ||
            strcmp(filters[f].name, "inertialize") == 0)
            continue;
        memset(&whole, 0, sizeof whole);
        memset(&parts, 0, sizeof parts);
        const double way[3] = { .7, -1.1, .4 }, other[3] = { -.3, .5, 1.9 };
        whole.n = linear ? 2 : 4;
        whole.goal[0][0] = parts.goal[0][0] = 1;
        exponential(way, whole.goal[1]);
        exponential(other, whole.goal[2]);
        memcpy(whole.goal[3], whole.goal[2], sizeof whole.goal[3]);
        for (size_t i = 1; i < whole.n; i++) {
            whole.t[i] = .07 * (double)i;
            for (size_t k = 1; k <= 16; k++) {
                double part = (double)k / 16, v[3] = { part * way[0], part * way[1], part * way[2] };
                parts.t[++parts.n] = whole.t[i - 1] + .07 * part;
                if (linear)
                    exponential(v, parts.goal[parts.n]);
                else
                    memcpy(parts.goal[parts.n], whole.goal[i], sizeof whole.goal[i]);
            }
        }
        parts.n++;
        run(filters[f].name, filters[f].words, &whole);
        run(filters[f].name, filters[f].words, &parts);
        double off = apart(whole.x[whole.n - 1], parts.x[parts.n - 1], 4);
        off = fmax(off, apart(whole.rate[whole.n - 1][0], parts.rate[parts.n - 1][0], 3) / 10);
        /* The acceleration of a damper whose goal jumps is a mean over the step. */
        if (linear || strcmp(filters[f].name, "damper") != 0)
            off = fmax(off, apart(whole.rate[whole.n - 1][1], parts.rate[parts.n - 1][1], 3) / 1000);
        if (!(off <= 1e-14))
            fail_msg("%s %s: off by %g", filters[f].name, filters[f].words, off);
    }
}

static void the_world_may_be_turned(void **state)
{
    (void)state;
    static struct motion m, left, right;
    double q[4] = { .3, -.7, .2, .9 };
    rotation_unit(q);
    for (size_t f = 0; f < NFILTER; f++) {
        tumble(&m, f);
        memcpy(&left, &m, sizeof m);
        memcpy(&right, &m, sizeof m);
        for (size_t i = 0; i < m.n; i++) {
            rotation_multiply(q, m.goal[i], left.goal[i]);
            rotation_multiply(m.goal[i], q, right.goal[i]);
        }
        run(filters[f].name, filters[f].words, &m);
        run(filters[f].name, filters[f].words, &left);
        run(filters[f].name, filters[f].words, &right);
        for (size_t i = 0; i < m.n; i++) {
            double want[4], v[3];
            rotation_multiply(q, m.x[i], want);
            double off = apart(left.x[i], want, 4);
            rotation_multiply(m.x[i], q, want);
            off = fmax(off, apart(right.x[i], want, 4));
            for (int o = 0; o < 2; o++) {
                double size = o ? 1e5 : 1e2;
                turn(q, m.rate[i][o], v);
                off = fmax(off, fmax(apart(left.rate[i][o], v, 3), apart(right.rate[i][o], m.rate[i][o], 3)) /
                                    size);
            }
            if (!(off <= 1e-13))
                fail_msg("%s %s: row %zu is off by %g", filters[f].name, filters[f].words, i, off);
        }
    }
}

static void signs_do_not_matter(void **state)
{
    (void)state;
    static struct motion m, flipped;
    for (size_t f = 0; f < NFILTER; f++) {
        uint64_t seed = 7;
        tumble(&m, f);
        memcpy(&flipped, &m, sizeof m);
        flipped.split = 100;
        for (size_t i = 1; i < m.n; i++)
            for (int k = 0; k < 4 && (k || harness_noise(&seed) < .5); k++)
                flipped.goal[i][k] = -m.goal[i][k];
        run(filters[f].name, filters[f].words, &m);
        run(filters[f].name, filters[f].words, &flipped);
        assert_memory_equal(m.x, flipped.x, sizeof m.x);
        assert_memory_equal(m.rate, flipped.rate, sizeof m.rate);
        for (size_t i = 0; i < m.n; i++)
            for (int k = 0; k < 4; k++)
                flipped.goal[i][k] = -m.goal[i][k];
        run(filters[f].name, filters[f].words, &flipped);
        for (size_t i = 0; i < m.n; i++) {
            double length = 1 - norm(m.x[i], 4);
            assert_true(fabs(length) <= 1e-15);
            for (int k = 0; k < 4; k++)
                assert_true(flipped.x[i][k] == -m.x[i][k]);
        }
        assert_memory_equal(m.rate, flipped.rate, sizeof m.rate);
    }
}

static void what_does_not_move_is_exact(void **state)
{
    (void)state;
    static const double goals[][4] = { { -1, 0, 0, 0 },
                                       { .5, -.5, .5, .5 },
                                       { -0.999999, .000012, .000035, -.001234 },
                                       { .707, 0, -.707, 0 },
                                       { 0, .6, .8, 0 } };
    static struct motion m;
    for (size_t f = 0; f < NFILTER; f++)
        for (size_t g = 0; g < sizeof goals / sizeof *goals; g++) {
            memset(&m, 0, sizeof m);
            m.n = 50;
            for (size_t i = 0; i < m.n; i++) {
                m.t[i] = (double)i / 60;
                memcpy(m.goal[i], goals[g], sizeof m.goal[i]);
            }
            run(filters[f].name, filters[f].words, &m);
            for (size_t i = 0; i < m.n; i++) {
                assert_memory_equal(m.x[i], m.goal[i], sizeof m.x[i]);
                assert_true(norm(m.rate[i][0], 3) == 0 && norm(m.rate[i][1], 3) == 0);
            }
        }
}

static void tracking_passes_what_is_clean(void **state)
{
    (void)state;
    static struct motion m;
    tumble(&m, 3);
    memset(m.cut, 0, sizeof m.cut);
    for (size_t i = 0; i < m.n; i++)
        for (int k = 0; k < 4; k++) /* as files have them */
            m.goal[i][k] = i < 200 ? round(m.goal[i][k] * 1e6) / 1e6 : m.goal[i][k];
    run("tracking", "", &m);
    assert_memory_equal(m.x, m.goal, sizeof m.x);
    for (size_t i = 1; i < m.n; i++) {
        double T = m.t[i] - m.t[i - 1], way[4], w[3];
        rotation_between(m.goal[i], m.goal[i - 1], way);
        rotation_log(way, w);
        for (int k = 0; k < 3; k++)
            w[k] /= T;
        assert_true(apart(m.rate[i][0], w, 3) <= 1e-12 * norm(w, 3));
    }
    static struct motion other;
    for (int k = 0; k < 2; k++) { /* methods that add in another order */
        memcpy(&other, &m, sizeof m);
        run("tracking", k ? "method=halflife" : "method=gain", &other);
        for (size_t i = 0; i < m.n; i++)
            assert_true(apart(other.x[i], m.goal[i], 4) <= 1e-6 &&
                        apart(other.rate[i][0], m.rate[i][0], 3) <= 1e-10);
    }
    for (size_t i = 0; i < m.n; i++)
        for (int k = 0; k < 4; k++)
            m.goal[i][k] *= 3;
    run("tracking", "", &m);
    for (size_t i = 0; i < m.n; i++) {
        double third[4] = { m.goal[i][0], m.goal[i][1], m.goal[i][2], m.goal[i][3] };
        assert_true(rotation_unit(third));
        assert_memory_equal(m.x[i], third, sizeof third);
    }
}

static void half_a_turn_is_no_trap(void **state)
{
    (void)state;
    static struct motion m;
    for (size_t f = 0; f < NFILTER; f++)
        for (int k = -2; k <= 2; k++) {
            memset(&m, 0, sizeof m);
            m.n = 200;
            for (size_t i = 0; i < m.n; i++) {
                double angle = i < 10 ? 0 : M_PI + k * 1e-9, v[3] = { .6 * angle, .8 * angle, 0 };
                exponential(v, m.goal[i]);
                m.t[i] = (double)i / 60;
                m.cut[i] = i == 10;
            }
            run(filters[f].name, filters[f].words, &m);
            for (size_t i = 1; i < m.n; i++) {
                double way[4], v[3];
                rotation_between(m.x[i], m.x[i - 1], way);
                rotation_log(way, v);
                /* It goes there, about that axis, and never turns over. */
                assert_true(fabs(v[2]) < 1e-12 && fabs(v[0] * .8 - v[1] * .6) < 1e-6);
                assert_true(norm(v, 3) < 2 && fabs(norm(m.x[i], 4) - 1) <= 1e-15);
            }
            if (strcmp(filters[f].name, "spring") != 0)
                assert_true(apart(m.x[m.n - 1], m.goal[m.n - 1], 4) < .15 ||
                            apart(m.x[m.n - 1], m.goal[m.n - 1], 4) > 1.85);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(logarithm_and_exponential_are_those_of_matrices),
        cmocka_unit_test(logarithm_keeps_its_digits),
        cmocka_unit_test(any_quaternion_has_a_direction),
        cmocka_unit_test(filters_follow_their_equations),
        cmocka_unit_test(about_a_fixed_axis_it_is_the_filter_of_the_angle),
        cmocka_unit_test(one_step_is_many),
        cmocka_unit_test(the_world_may_be_turned),
        cmocka_unit_test(signs_do_not_matter),
        cmocka_unit_test(what_does_not_move_is_exact),
        cmocka_unit_test(tracking_passes_what_is_clean),
        cmocka_unit_test(half_a_turn_is_no_trap),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
