/* A spring that also responds to the goal's velocity: y + k1 y' + k2 y'' = x + k3 x', by frequency, damping
 * ratio and response. After t3ssel8r, "Giving Personality to Procedural Animations using Math" (2022), which
 * shows five ways of stepping the spring. Method euler is Euler's step; stable (the first) and clamp raise
 * k2, and substep divides the step, to keep Euler's step stable; pole-zero matches the spring's poles. */
#include "springs/filter_words.h"
#include "springs/option_groups.h"
#include "springs/run_rows.h"
#include "springs/spring_step.h"

#include <math.h>

enum method { EXACT, EULER, STABLE, CLAMP, SUBSTEP, POLE_ZERO };
static const char *const methods[] = { "exact", "euler", "stable", "clamp", "substep", "pole-zero", NULL };

struct settings {
    struct filter_common common;
    double frequency, damping_ratio, response; /* options */
    int method;
    double w;          /* undamped angular frequency, rad/s, by check() */
    double k1, k2, k3; /* coefficients of the equation, by check() */
    double stable;     /* longest stable step of Euler's method, s, by check() */
};

#define SHAPE_HINT "for example -f 2 -z 0.5 -r 0"

/* clang-format off */
static const struct param params[] = {
    { .name = "frequency", .letter = 'f', NUMBER(frequency, RANGE_POSITIVE, "HZ"),
      .help = "natural frequency in hertz, such as 2: how fast it responds", .if_missing = SHAPE_HINT },
    { .name = "damping-ratio", .letter = 'z', NUMBER(damping_ratio, RANGE_NOT_NEGATIVE, "Z"),
      .help = "damping ratio: below 1 it oscillates, at 0 it never settles", .if_missing = SHAPE_HINT },
    { .name = "response", .letter = 'r', NUMBER(response, RANGE_ANY, "R"),
      .help = "initial response: 0 gradual, 1 immediate, 2 overshoots, -1 anticipates",
      .if_missing = SHAPE_HINT },
    { .name = "method", CHOICE(method, methods), .fallback = "exact",
      .help = "exact for any time step, or a published integration method" },
    PREDICT_OPTION(METHOD(EXACT)),
};
/* clang-format on */

/* A row of a discrete method. */
struct discrete {
    struct transition phi;
    double e_g, v_g; /* added by the goal's velocity, per change of the goal */
};

/* One Euler step of T, the n-th part of a row: y += T y', then y' += (T/k2) (x + k3 x' - y - k1 y'), for the
 * error from a goal that has already jumped. Over n steps k3 x' is k3 / (n T) per change of the goal. */
static struct discrete euler(double k1, double k2, double k3, double T, double n)
{
    return (struct discrete){ .phi = { 0, T, -T / k2, -(T / k2) * (T + k1) }, .v_g = k3 / k2 / n };
}

/* The step b after the step a, with the same goal velocity. */
static struct discrete after(const struct discrete *a, const struct discrete *b)
{
    const struct transition *p = &a->phi, *q = &b->phi;
    double e = a->e_g, v = a->v_g;
    transition_apply(q, &e, &v);
    return (struct discrete){
        .phi = { .e_e = p->e_e + (q->e_e + (q->e_e * p->e_e + q->e_v * p->v_e)),
                 .e_v = p->e_v + (q->e_v + (q->e_e * p->e_v + q->e_v * p->v_v)),
                 .v_e = p->v_e + (q->v_e + (q->v_e * p->e_e + q->v_v * p->v_e)),
                 .v_v = p->v_v + (q->v_v + (q->v_e * p->e_v + q->v_v * p->v_v)) },
        .e_g = e + b->e_g,
        .v_g = v + b->v_g,
    };
}

/* The step, n times in a row, by repeated squaring, as n may be huge. */
static struct discrete repeat(struct discrete step, double n)
{
    struct discrete repeated = { 0 };
    for (; n >= 1; n = floor(n / 2)) {
        if (fmod(n, 2) >= 1)
            repeated = after(&repeated, &step);
        step = after(&step, &step);
    }
    return repeated;
}

/* Euler's step with k1 and k2 such that a free oscillation ends where the exact oscillation ends: k1 = (1-b)
 * t2 and k2 = T t2, where t2 = T/(1 + b - a), and a and b are the sum and the product of the two poles p1 and
 * p2 over T. 1 + b - a = (1 - p1)(1 - p2). */
static struct discrete pole_zero(const struct settings *set, double T)
{
    double z = set->damping_ratio, y = z * set->w, one_b_a;
    if (z > 1) {
        double f = y + set->w * sqrt((z - 1) * (z + 1)), m = set->w / f * set->w;
        one_b_a = expm1(-m * T) * expm1(-f * T);
    } else {
        double sine = sin(fmin(T * set->w * sqrt((1 - z) * (1 + z)), 0x1p1000) / 2), m1 = expm1(-y * T);
        one_b_a = m1 * m1 + 4 * exp(-y * T) * sine * sine;
    }
    double one_b = -expm1(-2 * y * T);
    return (struct discrete){ .phi = { 0, T, -one_b_a / T, -(one_b_a + one_b) },
                              .v_g = one_b_a / T * (set->k3 / T) };
}

static struct discrete discrete(const struct settings *set, double T)
{
    double k1 = set->k1, k2 = set->k2, k3 = set->k3;
    double safe_k2 = fmax(k2, fmax(T * T / 2 + T * k1 / 2, T * k1));
    double stable_k2 = fmax(k2, 1.1 * (T * T / 4 + T * k1 / 2));
    double n = floor(T / set->stable) + 1;
    if (set->method == EULER)
        return euler(k1, k2, k3, T, 1);
    if (set->method == STABLE)
        return euler(k1, stable_k2, k3, T, 1);
    if (set->method == SUBSTEP)
        return repeat(euler(k1, k2, k3, T / n, n), n);
    if (set->method == POLE_ZERO && set->w * T >= set->damping_ratio)
        return pole_zero(set, T);
    return euler(k1, safe_k2, k3, T, 1);
}

/* In the exact step the goal moves at constant velocity, and the part k3/k1 = r/2 of the velocity is fed
 * forward. In the other methods the goal jumps, and the goal's velocity acts in addition. */
static void step(const void *settings, double T, void *to)
{
    const struct settings *set = settings;
    const struct continuous *q = &set->common.equation;
    struct transition_full phi = transition_spring(q->s, q->d, T, APPROX_NONE);
    struct spring_step *step = to;
    spring_coefficients(step, *q, HOLD_LINEAR, &phi, T);
    if (set->method == EXACT)
        return;
    struct discrete other = discrete(set, T);
    step->kept = (spring_pair){ 1, 1 };
    step->by_e = (spring_pair){ other.phi.e_e, other.phi.v_e };
    step->by_v = (spring_pair){ other.phi.e_v, other.phi.v_v };
    step->by_goal = (spring_pair){ other.e_g - 1 - other.phi.e_e, other.v_g - other.phi.v_e };
}

static bool check(void *settings, struct error *e)
{
    struct settings *set = settings;
    (void)e;
    double w = set->w = 2 * M_PI * set->frequency, z = set->damping_ratio;
    set->common.equation = (struct continuous){ w * w, 2 * z * w, set->response / 2, 1 };
    set->k1 = 2 * z / w;
    set->k2 = 1 / w / w;
    set->k3 = set->response * z / w;
    set->common.linear = true;
    set->common.moves = true;
    set->stable = 4 * set->k2 / (sqrt(4 * set->k2 + set->k1 * set->k1) + set->k1);
    set->common.longest = set->method == EULER ? set->stable : 0;
    return true;
}

static const struct filter_words words = {
    .summary = "spring by frequency, damping and initial response: may anticipate or overshoot",
    .about =
        "A second-order system with three parameters. The frequency sets how fast it responds, the damping "
        "ratio how it settles, the response how it starts: at 0 it accelerates gradually, at 1 it moves at "
        "once, well above 1 it overshoots whatever the damping ratio, and below 0 it first moves in the "
        "opposite direction (anticipation). Use it to make mechanical motion lively: a follower, a limb, a "
        "pointer. A robot arm is like -f 1 -z 1 -r 2; playful motion is -f 3 -z 0.3 -r 0; anticipation is -f "
        "2 -z 0.7 -r -2.\n\n"
        "It follows constant-velocity motion with a lag of z (2 - r) / (2 pi f) seconds, so r = 2 has no "
        "lag. It responds to the input's velocity, so it passes more noise the further r is from 0: use r = "
        "0, or the critical spring, to remove noise.\n\n"
        "The code of t3ssel8r's video is --method stable, and his other methods are here, too. The default, "
        "exact, gives other numbers: it assumes that the input moves at constant velocity from row to row, "
        "is "
        "stable at every rate, and its results at different rates agree to second order in the time step. "
        "euler diverges when steps are long. stable, with k2 at least 1.1 (T^2/4 + T k1/2), and clamp, with "
        "k2 at least T^2/2 + T k1/2 and T k1, slow the spring down, but can still diverge on long, uneven "
        "steps. substep makes more, shorter steps; pole-zero keeps frequency and damping.",
    .equation = "y + k1 y' + k2 y'' = x + k3 x', over a row x' = u = (x_n - x_(n-1)) / T:\n"
                "o = (k3 - k1) u     e = y - x_(n-1) - o     q = y' - u\n"
                "(e, q) <- a step of spring with stiffness 1 / k2, damping k1 / k2, goal 0\n"
                "y <- x_n + o + e     y' <- u + q\n"
                "k1 = z / (pi f)     k2 = 1 / (2 pi f)^2     k3 = r z / (2 pi f)\n"
                "f = 1 / (2 pi sqrt(k2))     z = k1 / (2 sqrt(k2))     r = 2 k3 / k1",
    .examples = "sprung second-order -f 2 -z 0.5 -r 0 take.csv > follow.csv\n"
                "sprung second-order -f 2 -z 0.7 -r -1 take.csv > anticipate.csv",
};

const struct filter filter_second_order = {
    .name = "second-order",
    .words = &words,
    FILTER_OPTIONS(params),
    .shape = { DOUBLES(struct spring_state), DOUBLES(struct spring_step), 3 },
    .rotations = "g-ev",
    .check = check,
    .step = step,
    .start = spring_start,
    .run = spring_run,
    .each = { .nout = 2 },
};
