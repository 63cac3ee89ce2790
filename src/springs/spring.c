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

extern const struct filter filter_spring;

struct settings {
    struct spring_settings spring;
    double stiffness, frequency, cutoff;
    double damping, halflife;
    double damping_ratio;
    int method;
    struct numbers predict; /* option, s */
};

/* The rows of params. */
enum {
    OPTION_STIFFNESS,
    OPTION_FREQUENCY,
    OPTION_CUTOFF,
    OPTION_DAMPING,
    OPTION_HALFLIFE,
    OPTION_DAMPING_RATIO,
    OPTION_GOAL_VELOCITY,
    OPTION_HOLD,
    OPTION_APPROX,
    OPTION_METHOD,
    OPTION_PREDICT,
};

static const char needs_two[] = "for example --frequency 1 --damping-ratio 0.7";

/* clang-format off */
static const struct param params[] = {
    [OPTION_STIFFNESS] =
    { .name = "stiffness", .letter = 'k', NUMBER(stiffness, RANGE_POSITIVE, "K"),
      .exclusive_group = 1,
      .help = "acceleration per distance in 1/s^2",
      .more = "It is the square of the angular frequency" },
    [OPTION_FREQUENCY] =
    { .name = "frequency", .letter = 'f', NUMBER(frequency, RANGE_POSITIVE, "HZ"),
      .exclusive_group = 1,
      .help = "undamped natural frequency, in hertz",
      .if_missing = "add --frequency 1" },
    [OPTION_CUTOFF] = CUTOFF_OPTION(cutoff, CUTOFF_MORE ". Also give --damping-ratio", EACH_METHOD),
    [OPTION_DAMPING] =
    { .name = "damping", .letter = 'b', NUMBER(damping, RANGE_NOT_NEGATIVE, "D"),
      .exclusive_group = 2,
      .help = "deceleration per velocity, in 1/s; not the ratio" },
    [OPTION_HALFLIFE] =
    { .name = "halflife", .letter = 'H', NUMBER(halflife, RANGE_POSITIVE, "S"),
      .exclusive_group = 2,
      .help = "half-life in seconds, defined as for critical",
      .more = "The amplitude of an oscillation falls to a quarter, not to a half, in one half-life" },
    [OPTION_DAMPING_RATIO] =
    { .name = "damping-ratio", .letter = 'z', NUMBER(damping_ratio, RANGE_NOT_NEGATIVE, "Z"),
      .exclusive_group = 3,
      .help = "damping ratio: below 1 it oscillates, above 1 it is slower",
      .if_missing = "add --damping-ratio 0.7" },
    [OPTION_GOAL_VELOCITY] = GOAL_VELOCITY_OPTION(spring.goal_velocity),
    [OPTION_HOLD] = HOLD_OPTION(spring.hold, METHOD(EXACT)),
    [OPTION_APPROX] = APPROX_OPTION(spring.approx, APPROX_HELP, METHOD(EXACT)),
    [OPTION_METHOD] =
    { .name = "method", CHOICE(method, methods), .fallback = "exact",
      .help = "exact for any time step, or Euler integration" },
    [OPTION_PREDICT] = PREDICT_OPTION(predict, METHOD(EXACT)),
};
/* clang-format on */

/* The error that not exactly two of stiffness, damping and damping ratio are given. Each parameter is the
 * option that gives it; NULL: not given. */
static bool not_two(const struct param *stiffness, const struct param *damping, const struct param *ratio,
                    struct error *e)
{
    const struct param *either = stiffness ? stiffness : damping;
    if (stiffness && damping && ratio) {
        error_usage(e, "spring: --%s cannot be combined with both --%s and --%s", ratio->name,
                    stiffness->name, damping->name);
        return error_hint(e, "leave one of them out");
    }
    if (!either && !ratio) {
        error_usage(e, "spring needs two options");
        return error_hint(e, "%s", needs_two);
    }
    error_usage(e, "spring needs one more option besides --%s", either ? either->name : ratio->name);
    return error_hint(e, "%s", params[ratio ? OPTION_FREQUENCY : OPTION_DAMPING_RATIO].if_missing);
}

/* Checks that the given options go together; a parameter NULL: not given. */
static bool check_given(const struct param *stiffness, const struct param *damping, const struct param *ratio,
                        struct error *e)
{
    if ((stiffness != NULL) + (damping != NULL) + (ratio != NULL) != 2)
        return not_two(stiffness, damping, ratio, e);
    if (stiffness == &params[OPTION_CUTOFF] && !ratio)
        return error_usage(e, "spring: --cutoff cannot be combined with --%s, only with --damping-ratio",
                           damping->name);
    return true;
}

/* Sets *w to sqrt s of a spring that is given by half the damping, y, and the damping ratio. damping: the
 * option that gives the damping. */
static bool find_frequency(const struct settings *set, const struct param *damping, double y, double *w,
                           struct error *e)
{
    const struct param *ratio = &params[OPTION_DAMPING_RATIO];
    const struct param *zero = set->damping_ratio == 0 ? ratio : damping;
    const struct param *other = zero == ratio ? damping : ratio;
    if (set->damping_ratio == 0 || y == 0)
        return error_usage(e, "--%s 0 with --%s gives no stiffness: use more than 0", zero->name,
                           other->name);
    *w = y / set->damping_ratio;
    return option_in_range(ratio, set, *w, e);
}

static bool check(struct settings *set, const struct filter_use *use, struct error *e)
{
    /* w = sqrt s and the half damping y: y = z w. */
    double z = set->damping_ratio, feed = set->spring.goal_velocity == GOAL_VELOCITY_DIFFERENCE;
    double natural = set->cutoff / filter_cutoff(z, feed, 1, use->zero_phase);
    const struct alternative stiffnesses[] = {
        { &params[OPTION_STIFFNESS], sqrt(set->stiffness) },
        { &params[OPTION_FREQUENCY], 2 * M_PI * set->frequency },
        { &params[OPTION_CUTOFF], 2 * M_PI * natural },
        { NULL, NAN },
    };
    const struct alternative dampings[] = {
        { &params[OPTION_DAMPING], set->damping / 2 },
        { &params[OPTION_HALFLIFE], 2 * M_LN2 / set->halflife },
        { NULL, NAN },
    };
    const struct alternative *stiffness, *damping;
    if (!option_group_optional(use->filter, stiffnesses, set, &stiffness, e) ||
        !option_group_optional(use->filter, dampings, set, &damping, e))
        return false;
    const struct param *given_stiffness = stiffness->option, *given_damping = damping->option;
    const struct param *given_ratio = NULL;
    if (param_is_given(&params[OPTION_DAMPING_RATIO], set))
        given_ratio = &params[OPTION_DAMPING_RATIO];
    if (!check_given(given_stiffness, given_damping, given_ratio, e) ||
        !option_method_check(use->filter, set, e) || !option_predict_check(&set->predict, e))
        return false;
    double w = stiffness->coefficient, y = damping->coefficient;
    if (given_stiffness && !option_in_range(given_stiffness, set, w, e))
        return false;
    if (given_damping && !(y == 0 && set->damping == 0) && !option_in_range(given_damping, set, y, e))
        return false;
    if (!given_stiffness && !find_frequency(set, given_damping, y, &w, e))
        return false;
    if (!given_damping)
        y = z * w;
    double s = isnan(set->stiffness) ? w * w : set->stiffness;
    double d = isnan(set->damping) ? 2 * y : set->damping;
    set->spring.common.equation = (struct continuous){ s, d, feed, 1 };
    set->spring.common.ignores_gaps = set->spring.goal_velocity == GOAL_VELOCITY_ZERO;
    cutoff_set(&set->spring.common, set->method == EXACT ? set->cutoff : NAN, use->zero_phase);
    /* The T at which s T^2 + 2 d T is 4. */
    set->spring.common.longest = set->method == EULER ? 4 / (sqrt(4 * s + d * d) + d) : 0;
    return (!isinf(d * d) && !isinf(d / s)) ||
           option_out_of_range(given_ratio ? given_ratio : given_damping, set, e);
}

static struct spring_step step(const struct settings *set, double T)
{
    const struct continuous q = cutoff_equation(&filter_spring, set, T);
    struct transition_full phi = transition_spring(q.s, q.d, T, set->spring.approx);
    if (set->method == EXACT)
        return spring_coefficients(q, set->spring.hold, &phi, T);
    const double e_e = -q.s * T * T, v_v = -q.d * T, push = q.feed * q.d;
    const struct continuous unfed = { q.s, q.d, 0, q.count };
    phi = (struct transition_full){ { e_e, T + T * v_v, -q.s * T, v_v }, 1 + e_e, 1 + v_v };
    struct spring_step step = spring_coefficients(unfed, HOLD_STEP, &phi, T);
    step.v_g += push;
    step.e_g += push * T;
    step.d_g = push / T;
    return step;
}

FILTER_STEP(struct spring_step)

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
    SPRING_FILTER,
    FILTER_PREDICTS(predict, struct spring_step),
};
