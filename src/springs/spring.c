/* The damped spring, given by any two of stiffness, damping and damping ratio. x'' = s (g - x) + d (q - v);
 * after Daniel Holden, "Spring-It-On" and "Spring-Roll-Call" (2021). Method euler steps the same equation as
 * small programs do: velocity first, then position with the new velocity. */
#include "springs/cutoff.h"
#include "springs/filter_words.h"
#include "springs/option_groups.h"
#include "springs/run_rows.h"
#include "springs/spring_step.h"

enum method { EXACT, EULER };
static const char *const methods[] = { "exact", "euler", NULL };

struct settings {
    struct filter_common common;
    double stiffness, frequency;
    double damping, halflife;
    double damping_ratio;
    int method, goal_velocity;
};

/* clang-format off */
static const struct param params[] = {
    { .name = "stiffness", .letter = 'k', NUMBER(stiffness, RANGE_POSITIVE, "K"),
      .help = "acceleration per distance in 1/s^2",
      .more = "It is the square of the angular frequency" },
    { .name = "frequency", .letter = 'f', NUMBER(frequency, RANGE_POSITIVE, "HZ"),
      .help = "undamped natural frequency, in hertz" },
    CUTOFF_OPTION(CUTOFF_MORE ". Also give --damping-ratio", EACH_METHOD),
    { .name = "damping", .letter = 'b', NUMBER(damping, RANGE_NOT_NEGATIVE, "D"),
      .help = "deceleration per velocity, in 1/s; not the ratio" },
    { .name = "halflife", .letter = 'H', NUMBER(halflife, RANGE_POSITIVE, "S"),
      .help = "half-life in seconds, defined as for critical",
      .more = "The amplitude of an oscillation falls to a quarter, not to a half, in one half-life" },
    { .name = "damping-ratio", .letter = 'z', NUMBER(damping_ratio, RANGE_NOT_NEGATIVE, "Z"),
      .help = "damping ratio: below 1 it oscillates, above 1 it is slower" },
    GOAL_VELOCITY_OPTION(goal_velocity),
    HOLD_OPTION(METHOD(EXACT)),
    APPROX_OPTION(APPROX_HELP, METHOD(EXACT)),
    { .name = "method", CHOICE(method, methods), .fallback = "exact",
      .help = "exact for any time step, or Euler integration" },
    PREDICT_OPTION(METHOD(EXACT)),
};
/* clang-format on */

/* Checks that exactly two of stiffness, damping and damping ratio are given, and go together. stiffness,
 * damping: the options that give them, or NULL. */
static bool check_given(const struct settings *set, const char *stiffness, const char *damping,
                        struct error *e)
{
    const double z = set->damping_ratio;
    const int given = (stiffness != NULL) + (damping != NULL) + !isnan(z);
    const char *hint = "for example --frequency 1 --damping-ratio 0.7";
    if (given == 1)
        hint = isnan(z) ? "add --damping-ratio 0.7, or a damping, as in -b 10" : "add --frequency 1";
    if (given == 3)
        hint = "leave one of them out";
    if (given != 2) {
        error_usage(e,
                    "spring needs two of --stiffness (or --frequency, --cutoff), --damping (or --halflife), "
                    "--damping-ratio");
        return error_hint(e, "%s", hint);
    }
    if (!isnan(set->common.cutoff) && isnan(z))
        return error_usage(e, "spring: --cutoff cannot be combined with --%s, only with --damping-ratio",
                           damping);
    if (!stiffness && (z == 0 || set->damping == 0))
        return error_usage(e, "spring: --%s and --damping-ratio must be greater than 0 to give a stiffness",
                           damping);
    return true;
}

static bool check(void *settings, struct error *e)
{
    struct settings *set = settings;
    /* w = sqrt s and the half damping y: y = z w. */
    double z = set->damping_ratio, feed = set->goal_velocity == GOAL_VELOCITY_DIFFERENCE;
    const struct alternative stiffnesses[] = {
        { "stiffness", sqrt(set->stiffness) },
        { "frequency", 2 * M_PI * set->frequency },
        { "cutoff", 2 * M_PI * set->common.cutoff / filter_cutoff(z, feed, 1, false) },
        { NULL, 0 },
    };
    const struct alternative dampings[] = {
        { "damping", set->damping / 2 },
        { "halflife", 2 * M_LN2 / set->halflife },
        { NULL, 0 },
    };
    const struct alternative *stiffness, *damping;
    if (!option_group_optional(set, stiffnesses, &stiffness, e) ||
        !option_group_optional(set, dampings, &damping, e))
        return false;
    if (!check_given(set, stiffness->option, damping->option, e))
        return false;
    double w = stiffness->option ? stiffness->coefficient : damping->coefficient / z;
    double y = damping->option ? damping->coefficient : z * w;
    double s = isnan(set->stiffness) ? w * w : set->stiffness;
    double d = isnan(set->damping) ? 2 * y : set->damping;
    set->common.equation = (struct continuous){ s, d, feed, 1 };
    set->common.linear = true;
    /* The T at which s T^2 + 2 d T is 4. */
    set->common.longest = set->method == EULER ? 4 / (sqrt(4 * s + d * d) + d) : 0;
    return true;
}

/* Euler's step; the goal's velocity, its change over T, is one more acceleration. */
static void euler(const struct continuous *q, double T, struct spring_step *step)
{
    const double e_e = -q->s * T * T, v_v = -q->d * T, push = q->feed * q->d;
    const struct continuous unfed = { q->s, q->d, 0, q->count };
    const struct transition_full phi = { { e_e, T + T * v_v, -q->s * T, v_v }, 1 + e_e, 1 + v_v };
    spring_coefficients(step, unfed, HOLD_STEP, &phi, T);
    step->by_goal += (spring_pair){ push * T, push };
    step->d_g = push / T;
}

static void step(const void *settings, double T, void *to)
{
    const struct settings *set = settings;
    if (set->method == EULER) {
        euler(&set->common.equation, T, to);
        return;
    }
    const struct continuous q = cutoff_equation(set, T);
    const struct transition_full phi = transition_spring(q.s, q.d, T, set->common.approx);
    spring_coefficients(to, q, set->common.hold, &phi, T);
}

static const struct filter_words words = {
    .summary = "damped spring: may oscillate and overshoot, or approach slowly",
    .about =
        "The spring accelerates toward its goal, the input, and is damped; the damping ratio sets its "
        "character. Below 1 it overshoots and oscillates, like a tail or an antenna; at 0 it never settles. "
        "At 1 it is the critical spring. Above 1 it is slow, and never overshoots from rest. Use a ratio of "
        "0.7 for a flat frequency response, 0.2 to 0.5 for lively motion, 1 for calm motion.\n\n"
        "Give two of three: stiffness (or frequency), damping (or half-life), damping ratio. The frequency "
        "sets how fast it is, the half-life how soon it settles, the ratio how much it oscillates. The "
        "overshoot after a step is exp(-pi z / sqrt(1 - z^2)): 37 percent at z = 0.3, 16 at 0.5, 5 at 0.7. "
        "It follows constant-velocity motion with a lag of damping / stiffness seconds, or about half a row "
        "less with --hold step. --goal-velocity difference removes the lag.\n\n"
        "Method euler is what small programs use. It depends on the rate, and diverges if stiffness T^2 + 2 "
        "damping T is above 4 for a step T.",
    .equation = "e = x - g     e <- (C + y S) e + S v     v <- (C - y S) v - s S e\n"
                "s stiffness     d damping     y = d / 2\n"
                "s > y^2, w = sqrt(s - y^2): C = exp(-yT) cos(wT)  S = exp(-yT) sin(wT) / w\n"
                "s = y^2, critical:          C = exp(-yT)          S = T exp(-yT)\n"
                "s < y^2, h = sqrt(y^2 - s): C = (E + F) / 2       S = (E - F) / (2 h)\n"
                "                            E = exp((h - y) T)    F = exp(-(h + y) T)\n"
                "s = (2 pi frequency)^2     d = 2 damping-ratio sqrt(s) = 4 ln 2 / H\n"
                "with the velocity q of the goal: e = x - g - d q / s",
    .examples = "sprung spring --cutoff 6 --damping-ratio 0.7071 a.csv > b.csv\n"
                "sprung spring --frequency 2 --damping-ratio 0.3 take.csv > lively.csv",
};

const struct filter filter_spring = {
    .name = "spring",
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
