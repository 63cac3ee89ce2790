/* The damped spring, given by any two of: how stiff, how damped, and the ratio of the two. x'' = s (g - x)
 * + d (q - v); after Daniel Holden, "Spring-It-On" and "Spring-Roll-Call" (2021). Method euler steps the
 * same equation as small programs do: velocity first, then position with the new velocity. */
#include "filters/spring_step.h"
#include "filters/option_groups.h"

#include <stdio.h>

enum method { EXACT, EULER };

static const char *const methods[] = { "exact", "euler", NULL };

struct settings {
    double stiffness, frequency, angular_frequency;
    double damping, halflife;
    double damping_ratio;
    int goal_velocity, hold, method, approx;
    double s, d; /* by check() */
};

static void step(const void *settings, double T, double *step)
{
    const struct settings *set = settings;
    struct chase_step *k = (struct chase_step *)step;
    double s = set->s, d = set->d, feed = set->goal_velocity == GOAL_VELOCITY_DIFFERENCE ? 1 : 0;
    if (set->method == EULER) {
        double e_e = -s * T * T, v_v = -d * T;
        struct phi_full euler = { { e_e, T + T * v_v, -s * T, v_v }, 1 + e_e, 1 + v_v };
        *k = chase_held(&euler, s, d, 0, T);
        k->v_g += feed * d;
        k->e_g += feed * d * T;
        k->d_g = feed * d / T;
        return;
    }
    struct phi_full phi = phi_spring_full(s, d, T, set->approx);
    *k = set->hold == HOLD_LINEAR ? chase_moving(&phi, s, d, feed, T) : chase_held(&phi, s, d, feed, T);
}

static void start(const void *settings, double goal, double x, double *state, double *out)
{
    const struct settings *set = settings;
    chase_start(set->s, goal, x, state, out);
}

static void run(const struct run *r)
{
    const struct settings *set = r->settings;
    chase_run(r, start, set->hold == HOLD_LINEAR || set->goal_velocity == GOAL_VELOCITY_DIFFERENCE);
}

static struct shape shape(const void *settings)
{
    (void)settings;
    return (struct shape){ CHASE_NSTATE, sizeof(struct chase_step) / sizeof(double), CHASE_NOUT };
}

/* Any of a group's n options given? Then which; more than one is an error. */
static bool group(const struct given *option, size_t n, bool *any, size_t *which, struct error *e)
{
    *any = false;
    for (size_t i = 0; i < n; i++)
        *any |= !isnan(option[i].value);
    return !*any || given_one("spring", option, n, which, e);
}

/* What of the three is given, by name or NULL, is not two of them. */
static bool not_two(const char *pull, const char *brake, const char *ratio, struct error *e)
{
    const char *one = pull ? pull : brake ? brake : ratio;
    if (pull && brake && ratio)
        error_usage(e, "spring: --%s is surplus beside --%s and --%s", ratio, pull, brake);
    else if (one)
        error_usage(e, "spring needs one more beside --%s: it tells only %s", one,
                    pull    ? "how stiff it is"
                    : brake ? "how damped it is"
                            : "the ratio");
    else
        error_usage(e, "spring needs two parameters");
    return error_hint(e,
                      "give two of: how stiff (--stiffness, --frequency or --angular-frequency), how damped "
                      "(--damping or --halflife), --damping-ratio");
}

static bool check(void *settings, struct error *e)
{
    struct settings *set = settings;
    struct given pulls[] = { { "stiffness", set->stiffness },
                             { "frequency", set->frequency },
                             { "angular-frequency", set->angular_frequency } };
    struct given brakes[] = { { "damping", set->damping }, { "halflife", set->halflife } };
    struct given ratio = { "damping-ratio", set->damping_ratio };
    bool pull, brake, has_ratio = !isnan(ratio.value);
    size_t p = 0, b = 0;
    if (!group(pulls, 3, &pull, &p, e) || !group(brakes, 2, &brake, &b, e))
        return false;
    if (pull + brake + has_ratio != 2)
        return not_two(pull ? pulls[p].name : NULL, brake ? brakes[b].name : NULL,
                       has_ratio ? ratio.name : NULL, e);
    if (set->method == EULER && (set->hold == HOLD_LINEAR || set->approx != PHI_EXACT))
        return error_usage(e, "spring --method euler has no use for %s",
                           set->hold == HOLD_LINEAR ? "--hold linear" : "--approx");

    /* w = sqrt s and the half damping y: y = z w. */
    double w_of[] = { sqrt(set->stiffness), 0x1.921fb54442d18p+2 * set->frequency, set->angular_frequency };
    double y_of[] = { set->damping / 2, 0x1.62e42fefa39efp+0 / set->halflife };
    double w = w_of[p], y = y_of[b], z = set->damping_ratio;
    if (pull && !given_fits(&pulls[p], w, e))
        return false;
    if (brake && !(y == 0 && set->damping == 0) && !given_fits(&brakes[b], y, e))
        return false;
    if (!pull) {
        if (z == 0 || y == 0)
            return error_usage(e, "--%s 0 beside --%s does not tell the stiffness: valid is more than 0",
                               z == 0 ? ratio.name : brakes[b].name, z == 0 ? brakes[b].name : ratio.name);
        w = y / z;
        if (!given_fits(&ratio, w, e))
            return false;
    }
    if (!brake)
        y = z * w;
    set->s = pull && p == 0 ? set->stiffness : w * w;
    set->d = brake && b == 0 ? set->damping : 2 * y;
    if (!isfinite(set->d * set->d) || !isfinite(set->d / set->s))
        return given_fits(has_ratio ? &ratio : &brakes[b], INFINITY, e);
    return true;
}

static bool rests(const void *settings)
{
    const struct settings *set = settings;
    return set->d > 0;
}

static bool warn(const void *settings, double T, char *text, size_t maxtext)
{
    const struct settings *set = settings;
    double sum = set->s * T * T + 2 * set->d * T;
    if (set->method != EULER || !(sum > 4))
        return false;
    snprintf(
        text, maxtext,
        "a step of %g s: stiffness T^2 + 2 damping T is %g: past 4, --method euler swings out without end", T,
        sum);
    return true;
}

#define FIELD(name) offsetof(struct settings, name)

static const struct param params[] = {
    { .name = "stiffness",
      .letter = 'k',
      .kind = PARAM_NUMBER,
      .range = RANGE_POSITIVE,
      .value = "S",
      .offset = FIELD(stiffness),
      .exclusive_group = 1,
      .help = "pull per distance, in 1/s^2: the square of the angular frequency" },
    { .name = "frequency",
      .letter = 'f',
      .kind = PARAM_NUMBER,
      .range = RANGE_POSITIVE,
      .value = "HZ",
      .offset = FIELD(frequency),
      .exclusive_group = 1,
      .help = "swings per second when undamped, in hertz" },
    { .name = "angular-frequency",
      .letter = 'w',
      .kind = PARAM_NUMBER,
      .range = RANGE_POSITIVE,
      .value = "RAD/S",
      .offset = FIELD(angular_frequency),
      .exclusive_group = 1,
      .help = "the same, in radians per second" },
    { .name = "damping",
      .letter = 'b',
      .kind = PARAM_NUMBER,
      .range = RANGE_NOT_NEGATIVE,
      .value = "D",
      .offset = FIELD(damping),
      .exclusive_group = 2,
      .help = "braking per velocity, in 1/s" },
    { .name = "halflife",
      .letter = 'H',
      .kind = PARAM_NUMBER,
      .range = RANGE_POSITIVE,
      .value = "S",
      .offset = FIELD(halflife),
      .exclusive_group = 2,
      .help = "half-life of the damping, in seconds: a swing shrinks by half in half of it" },
    { .name = "damping-ratio",
      .letter = 'z',
      .kind = PARAM_NUMBER,
      .range = RANGE_NOT_NEGATIVE,
      .value = "Z",
      .offset = FIELD(damping_ratio),
      .exclusive_group = 3,
      .help = "below 1 it swings, at 1 it is critical, above 1 it crawls" },
    { .name = "goal-velocity",
      .kind = PARAM_CHOICE,
      .choices = chase_goal_velocities,
      .fallback = "zero",
      .offset = FIELD(goal_velocity),
      .help = "what the damping brakes against: rest, or the goal's own velocity, which takes the lag away" },
    { .name = "hold",
      .kind = PARAM_CHOICE,
      .choices = chase_holds,
      .fallback = "step",
      .offset = FIELD(hold),
      .help = "the goal jumps to a row's value at the start of its step, or moves there evenly" },
    { .name = "approx",
      .kind = PARAM_CHOICE,
      .choices = phi_approximations,
      .offset = FIELD(approx),
      .help = "take the exponential as game engines approximate it" },
    { .name = "method",
      .kind = PARAM_CHOICE,
      .choices = methods,
      .fallback = "exact",
      .offset = FIELD(method),
      .help = "exact at any rate, or Euler's step, which is not" },
};

static const char about[] =
    "The spring pulls toward its goal and is braked; how much it is braked is its character. With a "
    "damping ratio below 1 it overshoots and swings, like a tail, an antenna or a camera boom; at 1 it is "
    "the critical spring; above 1 it comes slowly and never passes its goal from rest. With a ratio of 0 "
    "it swings for ever. It is a low-pass of second order: take 0.7 for a flat response, 0.2 to 0.5 for "
    "play, 1 for calm.\n\n"
    "Give two of three: how stiff it is, how damped it is, the ratio. The frequency says how fast, the "
    "half-life how soon it is over, the ratio how lively. It overshoots a jump by exp(-pi z / sqrt(1 - "
    "z^2)): 37 percent at z = 0.3, 16 at 0.5, 5 at 0.7. It follows an even motion at a distance of "
    "damping / stiffness seconds with --hold linear, and of about half a row less with --hold step; "
    "--goal-velocity difference takes that away.\n\n"
    "The exact method holds at any rate and for any parameters. Method euler is what small programs do; "
    "it changes with the rate and swings out without end where stiffness T^2 + 2 damping T is past 4, T "
    "being a step.";

const struct filter filter_spring = {
    .name = "spring",
    .summary = "a damped spring: may swing, overshoot or crawl",
    .about = about,
    .params = params,
    .nparam = sizeof params / sizeof *params,
    .settings_size = sizeof(struct settings),
    .points = 1U << 0,           /* goal */
    .errors = 1U << 1,           /* e */
    .fading = 1U << 1 | 1U << 2, /* e, v */
    .linear = true,
    .rotations = true,
    .check = check,
    .shape = shape,
    .step = step,
    .start = start,
    .run = run,
    .rests = rests,
    .warn = warn,
};
