/* A spring that is to be at a new goal a given time after it changed: an intermediate goal xi moves there in
 * a straight line, and a critical spring chases the place where xi will be a lag later (Daniel Holden,
 * "Spring-Roll-Call", 2021). Invariant: xi lies between where it was and the goal; never past the goal. */
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
    double v, left; /* left: time until xi is to be at the goal */
};

struct step {
    double T, ahead; /* ahead: how far before xi the spring aims, s */
    struct phi phi;
};

static void step(const void *settings, double T, double *step)
{
    const struct settings *set = settings;
    double lag = 2 / set->y;
    double ahead = isnan(set->apprehension) ? lag : T + set->apprehension * set->halflife;
    *(struct step *)step = (struct step){ T, ahead, phi_critical(set->y, T, set->approx) };
}

static inline void row(const void *settings, const double *step, const struct sample *sample, double *state,
                       double *out)
{
    const struct settings *set = settings;
    const struct step *k = (const struct step *)step;
    struct state *s = (struct state *)state;
    double way = sample->goal - s->goal;

    s->goal = sample->goal;
    s->e -= way;
    s->f -= way;
    if (way != 0)
        s->left = set->time;
    s->left = s->left > k->T ? s->left - k->T : 0;

    bool last = s->left <= k->T; /* xi arrives with this row */
    double aim = k->ahead < s->left ? s->f * (1 - k->ahead / (last ? k->T : s->left)) : 0;
    double e = s->e - aim;
    phi_apply(&k->phi, &e, &s->v);
    s->e = aim + e;
    s->f = last ? 0 : s->f * (1 - k->T / s->left);

    out[0] = s->goal + s->e;
    out[1] = s->v;
    out[2] = -set->y * (set->y * e + 2 * s->v);
}

/* A start elsewhere than at the goal is a goal that has just changed. */
static void start(const void *settings, double goal, double x, double *state, double *out)
{
    const struct settings *set = settings;
    *(struct state *)state = (struct state){ goal, x - goal, x - goal, 0, set->time };
    out[0] = x;
    out[1] = out[2] = 0;
}

static void run(const struct run *r)
{
    run_rows(r, row, start, sizeof(struct state) / sizeof(double), 3);
}

static struct shape shape(const void *settings)
{
    (void)settings;
    return (struct shape){ sizeof(struct state) / sizeof(double), sizeof(struct step) / sizeof(double), 3 };
}

static bool check(void *settings, struct error *e)
{
    struct settings *set = settings;
    struct given needed[] = { { "halflife", set->halflife }, { "time", set->time } };
    if (!given_all("timed", needed, 2, e))
        return error_hint(e, "both are in seconds, for example -H 0.1 --time 0.5");
    set->y = 2 * M_LN2 / set->halflife;
    return given_fits(&needed[0], set->y, e);
}

#define FIELD(name) offsetof(struct settings, name)

static const struct param params[] = {
    { .name = "halflife",
      .letter = 'H',
      .kind = PARAM_NUMBER,
      .range = RANGE_POSITIVE,
      .value = "S",
      .offset = FIELD(halflife),
      .help = "half-life of the spring, in seconds" },
    { .name = "time",
      .kind = PARAM_NUMBER,
      .range = RANGE_POSITIVE,
      .value = "S",
      .offset = FIELD(time),
      .help = "seconds from a change of the goal until it is to be reached" },
    { .name = "apprehension",
      .kind = PARAM_NUMBER,
      .range = RANGE_NOT_NEGATIVE,
      .value = "A",
      .offset = FIELD(apprehension),
      .help = "aim one step and A half-lives ahead, the older published form, instead of one lag" },
    { .name = "approx",
      .kind = PARAM_CHOICE,
      .choices = phi_approximations,
      .offset = FIELD(approx),
      .help = "take the exponential as game engines approximate it" },
};

static const char about[] =
    "For moves that must end on the beat: whenever the goal changes, the spring sets off and is there, "
    "give or take its softness, the given time later. A far goal is approached fast, a near one gently, "
    "like a hand that has to be on the button when the clock strikes. It eases in at the start and "
    "settles in at the end. Choose it for goals that change in steps now and then, such as key poses, "
    "targets of a gaze, a camera's stations.\n\n"
    "The time S is counted from each change. The half-life H is the softness of both ends: in between "
    "the spring moves at constant speed, aimed ahead by its own lag of 1.44 H, so that it does not come "
    "late; of that last lag it takes out the rest like any critical spring, to one percent in 4.8 H. "
    "Keep H well under S/3. The inner goal moves once a row, so the rate of the rows "
    "shows a little.\n\n"
    "It is not for goals that move in every row: each change starts the clock again, so it would trail "
    "behind by about S for as long as the motion lasts. Use critical or spring for these.";

const struct filter filter_timed = {
    .name = "timed",
    .summary = "reaches each new goal a given time after it changed",
    .about = about,
    .params = params,
    .nparam = sizeof params / sizeof *params,
    .settings_size = sizeof(struct settings),
    .points = 1U << 0,                     /* goal */
    .errors = 1U << 1 | 1U << 2,           /* e, f */
    .fading = 1U << 1 | 1U << 2 | 1U << 3, /* e, f, v */
    .check = check,
    .shape = shape,
    .step = step,
    .start = start,
    .run = run,
};
