/* Angular velocity and acceleration: their matrices against differences of rotations, and those of every
 * filter for rotations against differences of its output, a Runge-Kutta integration, and across jumps and
 * cuts. */
#include "springs/rotations/rotation.h"
#include "unit/harness.h"

static const double still[3] = { 0 };

/* The quaternion of a rotation vector. */
static void exponential(const double v[3], double q[4])
{
    struct rotation_point p;
    rotation_point_exp(v, &p);
    memcpy(q, p.q, sizeof p.q);
}

enum { MAXROW = 4096 };

/* Quaternions in, and what comes out of rotation_step for rows T apart; a row with a cut is flagged so. */
struct series {
    size_t n, cut; /* cut 0: none */
    double T, goal[MAXROW][4];
    struct rotation_result out[MAXROW];
};

static const struct {
    const char *name, *words;
} filters[] = {
    { "damper", "halflife=0.1 hold=linear" },
    { "critical", "halflife=0.1" },
    { "critical", "halflife=0.1 goal-velocity=difference" },
    { "spring", "frequency=2 damping-ratio=0.3 hold=linear" },
    { "second-order", "frequency=2 damping-ratio=0.4 response=1.5" },
    { "tracking", "" },
    { "inertialize", "halflife=0.1" },
};
enum { NFILTER = sizeof filters / sizeof *filters };

static double norm(const double v[3])
{
    return sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
}

static double apart(const double a[3], const double b[3])
{
    const double d[3] = { a[0] - b[0], a[1] - b[1], a[2] - b[2] };
    return norm(d);
}

static void run(const char *name, const char *words, struct series *m)
{
    struct rotation_filter f = { .filter = filter_find(name), .derivatives = 2 };
    struct rotation_state state;
    void *settings = harness_good(f.filter, words);
    struct shape shape = filter_shape(f.filter, settings);
    double step[64], T[2] = { m->T, m->T };
    assert_true(shape.nstep <= 64 && f.filter->rotations);
    f.settings = settings;
    f.shape = &shape;
    f.filter->step(settings, m->T, step);
    for (size_t i = 0; i < m->n; i++) {
        bool last = i + 1 == m->n;
        struct rotation_row row = { .T = T, .step = step };
        row.flags = (unsigned char)(i == 0 ? FLAG_START : i == m->cut ? FLAG_CUT : 0);
        row.flags |= last && f.filter->ahead ? FLAG_NO_NEXT : 0;
        memcpy(row.goal, m->goal[i], sizeof row.goal);
        memcpy(row.next, m->goal[last ? i : i + 1], sizeof row.next);
        rotation_step(&f, &state, &row, &m->out[i]);
    }
    free(settings);
}

/* The angular velocity from rotation a to b in T. */
static void difference(const double a[4], const double b[4], double T, double w[3])
{
    double way[4];
    rotation_between(b, a, way);
    rotation_log(way, w);
    for (int k = 0; k < 3; k++)
        w[k] /= T;
}

/* Turns about two axes at different speeds, by up to 2.4 rad/s, and from row `jump` on by another rotation.
 */
static void swing(struct series *m, double rate, size_t n, size_t jump, const double by[3])
{
    m->n = n;
    m->T = 1 / rate;
    m->cut = 0;
    for (size_t i = 0; i < n; i++) {
        double t = (double)i / rate, a[3] = { sin(2 * t), 0, 0 }, b[3] = { 0, 0, 1.4 * sin(t) }, p[4], q[4];
        exponential(a, p);
        exponential(b, q);
        rotation_multiply(q, p, m->goal[i]);
        if (jump && i >= jump) {
            exponential(by, p);
            memcpy(q, m->goal[i], sizeof q);
            rotation_multiply(p, q, m->goal[i]);
        }
        rotation_unit(m->goal[i]);
    }
}

/* The rotation vector y + t v + t^2/2 a. */
static void along(const double y[3], const double v[3], const double a[3], double t, double out[3])
{
    for (int k = 0; k < 3; k++)
        out[k] = y[k] + t * (v[k] + t / 2 * a[k]);
}

static void matrices_are_derivatives_of_the_exponential(void **state)
{
    (void)state;
    const double sizes[] = { 0, 1e-170, 1e-9, 1e-4, .03, .0316, .0317, .2, 1, 2, 3, M_PI, 3.5, 5 };
    uint64_t seed = 1;
    for (size_t i = 0; i < 20 * sizeof sizes / sizeof *sizes; i++) {
        double y[3], v[3], a[3], at[3], w[3], back[3], ends[2][4], want[3], rates[2][3], h = 1e-4;
        for (int k = 0; k < 3; k++) {
            y[k] = harness_noise(&seed) - .5;
            v[k] = harness_noise(&seed) - .5;
            a[k] = harness_noise(&seed) - .5;
        }
        double scale = sizes[i / 20] / norm(y);
        for (int k = 0; k < 3; k++)
            y[k] *= scale;
        struct rotation_point p, q;
        rotation_point_exp(y, &p);
        rotation_velocity(&p, v, still, w);
        for (int e = 0; e < 2; e++) {
            double t = e ? h : -h, rate[3];
            along(y, v, a, t, at);
            exponential(at, ends[e]);
            for (int k = 0; k < 3; k++)
                rate[k] = v[k] + t * a[k];
            rotation_point_exp(at, &q);
            rotation_velocity(&q, rate, still, rates[e]);
        }
        difference(ends[0], ends[1], 2 * h, want);
        if (!(apart(w, want) <= 1e-8))
            fail_msg("|y| %g: velocity is off by %g", sizes[i / 20], apart(w, want));
        rotation_rate(&p, w, still, back);
        if (!(apart(back, v) <= 1e-14))
            fail_msg("|y| %g: its inverse is off by %g", sizes[i / 20], apart(back, v));
        rotation_acceleration(&p, v, a, at);
        for (int k = 0; k < 3; k++)
            want[k] = (rates[1][k] - rates[0][k]) / (2 * h);
        if (!(apart(at, want) <= 1e-8))
            fail_msg("|y| %g: acceleration is off by %g", sizes[i / 20], apart(at, want));
        /* With a goal that turns at a, exp(y + t (v - a)) exp(t a). */
        double own[3], turn[3], x[4], g[4];
        for (int e = 0; e < 2; e++) {
            double t = e ? h : -h;
            for (int k = 0; k < 3; k++) {
                own[k] = y[k] + t * (v[k] - a[k]);
                turn[k] = t * a[k];
            }
            exponential(own, x);
            exponential(turn, g);
            rotation_multiply(x, g, ends[e]);
        }
        difference(ends[0], ends[1], 2 * h, want);
        rotation_velocity(&p, v, a, w);
        rotation_rate(&p, w, a, back);
        assert_true(apart(w, want) <= 1e-8 && apart(back, v) <= 1e-14);
    }
}

static void derivatives_are_those_of_the_output(void **state)
{
    (void)state;
    static struct series m;
    swing(&m, 1200, 2400, 0, NULL);
    for (size_t f = 0; f < NFILTER; f++) {
        double most[2] = { 0 }, worst[2] = { 0 };
        run(filters[f].name, filters[f].words, &m);
        /* From rest, the output is not smooth at its start. */
        for (size_t i = 3; i + 1 < m.n; i++) {
            double w[3], a[3];
            difference(m.out[i - 1].x, m.out[i + 1].x, 2 * m.T, w);
            for (int k = 0; k < 3; k++)
                a[k] = (m.out[i + 1].velocity[k] - m.out[i - 1].velocity[k]) / (2 * m.T);
            most[0] = fmax(most[0], norm(w));
            most[1] = fmax(most[1], norm(a));
            worst[0] = fmax(worst[0], apart(m.out[i].velocity, w));
            worst[1] = fmax(worst[1], apart(m.out[i].acceleration, a));
        }
        /* The acceleration of a goal that jumps from row to row is that at a row's end. */
        if (!(worst[0] <= 1e-3 * most[0] && worst[1] <= .02 * most[1]))
            fail_msg("%s %s: velocity is off by %g, acceleration by %g", filters[f].name, filters[f].words,
                     worst[0] / most[0], worst[1] / most[1]);
    }
}

/* y'' = -s y - d y' in the vectors from the goal, by Runge and Kutta's fourth-order rule in n parts of T. */
static void integrate(double s, double d, double T, int n, double y[3], double v[3])
{
    const double part[] = { 0, .5, .5, 1 }, weight[] = { 1 / 6., 1 / 3., 1 / 3., 1 / 6. };
    for (int i = 0; i < n; i++)
        for (int k = 0; k < 3; k++) {
            double h = T / n, y_rate = 0, v_rate = 0, y_sum = 0, v_sum = 0;
            for (int j = 0; j < 4; j++) {
                double yj = y[k] + part[j] * h * y_rate, vj = v[k] + part[j] * h * v_rate;
                y_rate = vj;
                v_rate = -s * yj - d * vj;
                y_sum += weight[j] * y_rate;
                v_sum += weight[j] * v_rate;
            }
            y[k] += h * y_sum;
            v[k] += h * v_sum;
        }
}

/* The angular velocity of exp(y) g where y' = v, by a central difference. */
static void velocity_of(const double y[3], const double v[3], double w[3])
{
    const double h = 1e-4, none[3] = { 0 };
    double at[3], ends[2][4];
    along(y, v, none, -h, at);
    exponential(at, ends[0]);
    along(y, v, none, h, at);
    exponential(at, ends[1]);
    difference(ends[0], ends[1], 2 * h, w);
}

static void a_jump_of_the_goal_does_not_change_the_velocity(void **state)
{
    (void)state;
    enum { JUMP = 600, AFTER = 240 };
    const double by[3] = { 1.2, -1.1, 1.3 }, k = 2 * M_LN2 / .1; /* 119.5 degrees */
    static struct series m;
    swing(&m, 1200, JUMP + AFTER, JUMP, by);
    for (size_t i = JUMP; i < m.n; i++)
        memcpy(m.goal[i], m.goal[JUMP], sizeof m.goal[i]);
    run("critical", "halflife=0.1", &m);
    const struct rotation_result *last = &m.out[JUMP - 1];
    double way[4], y[3], v[3], w[3];
    struct rotation_point p;
    rotation_between(last->x, m.goal[JUMP], way);
    rotation_point_log(way, &p);
    assert_true(norm(p.y) > 2);
    memcpy(y, p.y, sizeof y);
    rotation_rate(&p, last->velocity, still, v);
    velocity_of(y, v, w);
    assert_true(apart(w, last->velocity) <= 1e-6);
    for (size_t i = JUMP; i < m.n; i++) {
        double x[4], a[3];
        integrate(k * k, 2 * k, m.T, 20, y, v);
        velocity_of(y, v, w);
        exponential(y, way);
        rotation_multiply(way, m.goal[i], x);
        difference(x, m.out[i].x, 1, a);
        assert_true(norm(a) <= 1e-12);
        assert_true(apart(w, m.out[i].velocity) <= 1e-5);
        /* The acceleration begins at k^2 |y|. */
        assert_true(apart(m.out[i].velocity, m.out[i - 1].velocity) <= 1.2 * k * k * norm(p.y) * m.T);
    }
    for (size_t i = JUMP + 1; i + 1 < m.n; i++) {
        double a[3];
        for (int c = 0; c < 3; c++)
            a[c] = (m.out[i + 1].velocity[c] - m.out[i - 1].velocity[c]) / (2 * m.T);
        assert_true(apart(a, m.out[i].acceleration) <= 1e-4 * k * k * norm(p.y));
    }
}

/* At a cut the output of inertialize goes on where it was, as fast as it was. */
static void a_cut_does_not_change_the_velocity(void **state)
{
    (void)state;
    enum { CUT = 2000 };
    const double by[3] = { .8, -.9, 1.2 };
    static struct series m;
    swing(&m, 12000, 4000, CUT, by);
    m.cut = CUT;
    run("inertialize", "halflife=0.1", &m);
    for (size_t i = CUT - 2; i < CUT + 6; i++) {
        double w[3];
        difference(m.out[i - 1].x, m.out[i].x, m.T, w);
        assert_true(apart(m.out[i].velocity, m.out[i - 1].velocity) <= .03);
        assert_true(apart(m.out[i].velocity, w) <= .02);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(matrices_are_derivatives_of_the_exponential),
        cmocka_unit_test(derivatives_are_those_of_the_output),
        cmocka_unit_test(a_jump_of_the_goal_does_not_change_the_velocity),
        cmocka_unit_test(a_cut_does_not_change_the_velocity),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
