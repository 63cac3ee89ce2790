/* A spring that reaches a new goal a given time after it changed: an intermediate goal xi moves there at
 * constant velocity, and a critical spring follows the point where xi will be one lag later (Daniel Holden,
 * "Spring-Roll-Call", 2021). Invariant: xi stays between its old position and the goal. */
#include "filters/filter.h"
#include "filters/option_groups.h"
#include "filters/transition.h"

struct settings {
    double halflife, time, apprehension;
    int approx;
    double y; /* half damping, by check() */
};

struct state {
    double goal;
    double e, f;    /* x - goal, xi - goal */
    double v, left; /* left: time until xi reaches the goal */
};

struct step {
    double T, ahead; /* ahead: how far ahead of xi the spring aims, s */
    struct transition phi;
};

static bool check(void *settings, struct error *e)
{
    struct settings *set = settings;
    struct given_option needed[] = { { "halflife", set->halflife }, { "time", set->time } };
    if (!option_group_all("timed", needed, 2, e))
        return error_hint(e, "both are in seconds, for example -H 0.1 --time 0.5");
    set->y = 2 * M_LN2 / set->halflife;
    return option_in_range(&needed[0], set->y, e);
}

static void step(const void *settings, double T, double *step)
{
    const struct settings *set = settings;
    double lag = 2 / set->y;
    double ahead = isnan(set->apprehension) ? lag : T + set->apprehension * set->halflife;
    *(struct step *)step = (struct step){ T, ahead, transition_critical(set->y, T, set->approx).add };
}

static inline void row(const void *settings, const double *step, const struct sample *sample, double *state,
                       double *out)
{
    const struct settings *set = settings;
    const struct step *k = (const struct step *)step;
    struct state *s = (struct state *)state;
    double change = sample->goal - s->goal;

    s->goal = sample->goal;
    s->e -= change;
    s->f -= change;
    if (change != 0)
        s->left = set->time;
    s->left = s->left > k->T ? s->left - k->T : 0;

    bool last = s->left <= k->T; /* xi arrives with this row */
    double aim = k->ahead < s->left ? s->f * (1 - k->ahead / (last ? k->T : s->left)) : 0;
    double e = s->e - aim;
    transition_apply(&k->phi, &e, &s->v);
    s->e = aim + e;
    s->f = last ? 0 : s->f * (1 - k->T / s->left);

    out[0] = s->goal + s->e;
    out[1] = s->v;
    out[2] = -set->y * (set->y * e + 2 * s->v);
}

/* A start away from the goal counts as a change of the goal. */
static void start(const void *settings, double goal, double x, double *state, double *out)
{
    const struct settings *set = settings;
    *(struct state *)state = (struct state){ goal, x - goal, x - goal, 0, set->time };
    out[0] = x;
    out[1] = out[2] = 0;
}

static void run(const struct run *r)
{
    run_rows(r, row, start, DOUBLES(struct state), 3);
}

/* clang-format off */
static const struct param params[] = {
    { .name = "halflife", .letter = 'H', .kind = PARAM_NUMBER, .range = RANGE_POSITIVE, .value = "S",
      .offset = FIELD(halflife),
      .help = "half-life of the spring, in seconds" },
    { .name = "time", .kind = PARAM_NUMBER, .range = RANGE_POSITIVE, .value = "S", .offset = FIELD(time),
      .help = "time from a change of the goal until it is reached, in seconds" },
    { .name = "apprehension", .kind = PARAM_NUMBER, .range = RANGE_NOT_NEGATIVE, .value = "A",
      .offset = FIELD(apprehension),
      .help = "aim one step and A half-lives ahead, the older published form, instead of one lag" },
    APPROX_OPTION(FIELD(approx), APPROX_HELP),
};
/* clang-format on */

const struct filter filter_timed = {
    .name = "timed",
    .summary = "reaches each new goal a given time after it changed",
    .about = "For moves that must end at a given time: whenever the goal changes, the spring starts, and "
             "reaches it "
             "about the given time later. A distant goal is approached fast, a near one slowly. It starts "
             "and stops "
             "smoothly. Use it for goals that change in steps now and then, such as key poses, gaze targets "
             "or camera "
             "positions.\n\n"
             "The time S is counted from each change. The half-life H sets how soft the start and the stop "
             "are; in "
             "between, the spring moves at constant velocity and is aimed ahead by its own lag of 1.44 H, so "
             "that it "
             "does not arrive late. When the intermediate goal has arrived, what is left settles as in any "
             "critical "
             "spring, to one percent in 4.8 H. Keep H well under S/3. The intermediate goal moves once per "
             "row, so "
             "the row rate has a small effect.\n\n"
             "It is not for goals that move in every row: each change restarts the time, so it would lag by "
             "about S "
             "for as long as the motion lasts. Use critical or spring for these.",
    .params = params,
    .nparam = sizeof params / sizeof *params,
    .settings_size = sizeof(struct settings),
    .shape = { DOUBLES(struct state), DOUBLES(struct step), 3 },
    .points = 1U << 0,                     /* goal */
    .errors = 1U << 1 | 1U << 2,           /* e, f */
    .fading = 1U << 1 | 1U << 2 | 1U << 3, /* e, f, v */
    .check = check,
    .step = step,
    .start = start,
    .run = run,
};
