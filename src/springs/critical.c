/* The critical spring: the fastest that comes to rest without oscillating, y = d/2 = sqrt s = 2 ln 2 /
 * halflife. After Daniel Holden, "Spring-Roll-Call" (2021): Critical Spring Damper; the half-life is that
 * of its damping, the lag is smoothTime of Unity's SmoothDamp and Unreal's SmoothingTime. */
#include "springs/cutoff.h"
#include "springs/filter_words.h"
#include "springs/option_groups.h"
#include "springs/run_rows.h"
#include "springs/spring_step.h"

struct settings {
    struct filter_common common;
    double halflife, lag;
    int goal_velocity;
};

/* clang-format off */
static const struct param params[] = {
    { .name = "halflife", .letter = 'H', NUMBER(halflife, RANGE_POSITIVE, "S"),
      .help = "half-life in seconds, such as 0.1",
      .more = "Half of a step is done after 1.21 half-lives" },
    { .name = "lag", NUMBER(lag, RANGE_POSITIVE, "S"),
      .help = "lag behind constant-velocity motion in s; Unity's smoothTime" },
    CUTOFF_OPTION(CUTOFF_MORE, EACH_METHOD),
    GOAL_VELOCITY_OPTION(goal_velocity),
    HOLD_OPTION(EACH_METHOD),
    APPROX_OPTION(APPROX_HELP, EACH_METHOD),
    PREDICT_OPTION(EACH_METHOD),
};
/* clang-format on */

static bool check(void *settings, struct error *e)
{
    struct settings *set = settings;
    double feed = set->goal_velocity == GOAL_VELOCITY_DIFFERENCE;
    double natural = set->common.cutoff / filter_cutoff(1, feed, 1, false);
    const struct alternative half_dampings[] = {
        { "halflife", 2 * M_LN2 / set->halflife },
        { "lag", 2 / set->lag },
        { "cutoff", 2 * M_PI * natural },
        { NULL, 0 },
    };
    double y;
    if (!option_group_one(set, half_dampings, &y, e))
        return false;
    set->common.equation = (struct continuous){ y * y, 2 * y, feed, 1 };
    set->common.linear = true;
    return true;
}

static void step(const void *settings, double T, void *to)
{
    const struct settings *set = settings;
    const struct continuous q = cutoff_equation(set, T);
    struct transition_full phi = transition_critical(q.d / 2, T, set->common.approx);
    spring_coefficients(to, q, set->common.hold, &phi, T);
}

static const struct filter_words words = {
    .summary = "critically damped spring: fastest without overshoot, smooth start and stop",
    .about =
        "The critical spring accelerates toward its goal, the input, and is damped just enough not to "
        "oscillate. It is a second-order low-pass, and with --lag T --approx holden the SmoothDamp of game "
        "engines, but for its clamp. From rest it never overshoots; with an initial velocity toward the goal "
        "it may overshoot once. Use it for cameras, cursors and limbs, and for noisy signals whose velocity "
        "is needed too: the printed velocity is smooth.\n\n"
        "Its half-life H is that of a damper with the same lag. After a step the output has covered 50 "
        "percent of the distance after 1.21 H, 90 percent after 2.81 H, 99 percent after 4.79 H. It follows "
        "constant-velocity motion with a lag of H / ln 2 = 1.44 H seconds, or about half a row less with "
        "--hold step. --goal-velocity difference removes the lag, but passes more noise.",
    .equation = "y = 2 ln 2 / H     e = x - g     j = v + y e     E = exp(-y T)\n"
                "x <- g + E (e + j T)\n"
                "v <- E (v - j y T)     acceleration -y (y e + 2 v), with the new e, v\n"
                "H = lag ln 2     lag = smoothTime = 2 / y     frequency = y / (2 pi)\n"
                "stiffness = y^2     damping = 2 y     cutoff of one pass = 0.6436 frequency",
    .examples = "sprung critical --cutoff 6 take.csv > clean.csv\n"
                "tail -n +1 -f tracker.csv | sprung critical --halflife 0.05",
};

const struct filter filter_critical = {
    .name = "critical",
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
