/* The critical spring: the fastest that comes to rest without a swing, y = d/2 = sqrt s = 2 ln 2 /
 * halflife. After Daniel Holden, "Spring-Roll-Call" (2021): Critical Spring Damper; the half-life is that
 * of its damping, the lag is smoothTime of Unity's SmoothDamp and Unreal's SmoothingTime. */
#include "filters/spring_step.h"
#include "filters/option_groups.h"

struct settings {
    double halflife, lag, frequency;
    int goal_velocity, hold, approx;
    double y; /* 1/s, by check() */
};

static void step(const void *settings, double T, double *step)
{
    const struct settings *set = settings;
    struct phi_full phi = phi_critical_full(set->y, T, set->approx);
    double s = set->y * set->y, d = 2 * set->y, feed = set->goal_velocity == GOAL_VELOCITY_DIFFERENCE ? 1 : 0;
    *(struct chase_step *)step = set->hold == HOLD_LINEAR ? chase_moving(&phi, s, d, feed, T)
                                                          : chase_held(&phi, s, d, feed, T);
}

static void start(const void *settings, double goal, double x, double *state, double *out)
{
    const struct settings *set = settings;
    chase_start(set->y * set->y, goal, x, state, out);
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

static bool check(void *settings, struct error *e)
{
    struct settings *set = settings;
    struct given speeds[] = { { "halflife", set->halflife },
                              { "lag", set->lag },
                              { "frequency", set->frequency } };
    size_t which;
    if (!given_one("critical", speeds, 3, &which, e))
        return false;
    double y[] = { 0x1.62e42fefa39efp+0 / set->halflife, 2 / set->lag,
                   0x1.921fb54442d18p+2 * set->frequency };
    set->y = y[which];
    return given_fits(&speeds[which], set->y, e);
}

#define FIELD(name) offsetof(struct settings, name)

static const struct param params[] = {
    { .name = "halflife",
      .letter = 'H',
      .kind = PARAM_NUMBER,
      .range = RANGE_POSITIVE,
      .value = "S",
      .offset = FIELD(halflife),
      .exclusive_group = 1,
      .help = "half-life of the damping, in seconds: half of a step is done after 1.21 of it" },
    { .name = "lag",
      .kind = PARAM_NUMBER,
      .range = RANGE_POSITIVE,
      .value = "S",
      .offset = FIELD(lag),
      .exclusive_group = 1,
      .help = "how far it stays behind an even motion, in seconds: the half-life over ln 2, smoothTime in "
              "Unity" },
    { .name = "frequency",
      .letter = 'f',
      .kind = PARAM_NUMBER,
      .range = RANGE_POSITIVE,
      .value = "HZ",
      .offset = FIELD(frequency),
      .exclusive_group = 1,
      .help = "natural frequency, in hertz: 2 ln 2 / (2 pi half-life)" },
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
};

static const char about[] =
    "The critical spring pulls toward its goal and is damped just so much that it does not swing. It "
    "starts softly, is fastest early on and comes to rest softly: position and velocity are both "
    "continuous, so it looks like something with weight. It is what game engines call SmoothDamp. From "
    "rest it never overshoots; with speed toward the goal it may pass it once. Choose it for cameras, "
    "cursors and limbs, and for any noisy signal whose velocity is wanted too: the printed velocity is "
    "smooth.\n\n"
    "After a jump of the goal half of the way is done after 1.21 H, 90 percent after 2.81 H, 99 percent "
    "after 4.79 H. It follows an even motion at a distance of lag = H / ln 2 = 1.44 H seconds with --hold "
    "linear, and of about half a row less with --hold step; --goal-velocity difference takes that away, "
    "and lets more noise through in exchange.";

const struct filter filter_critical = {
    .name = "critical",
    .summary = "the fastest spring that does not swing: smooth start, smooth stop",
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
};
