/* A spring that approaches its goal at a given speed: an intermediate goal xi moves there at that speed, and
 * a critical spring follows the point where xi will be one lag later (Daniel Holden, "Spring-Roll-Call",
 * 2021). Invariant: neither xi nor the point aimed at ever passes the goal. */
#include "filters/filter.h"
#include "filters/option_groups.h"
#include "filters/transition.h"

struct settings {
    double halflife, speed, apprehension;
    int approx;
    double y; /* half damping, by check() */
};

struct state {
    double goal;
    double e, f; /* x - goal, xi - goal */
    double v;
};

struct step {
    double stride, ahead; /* distance that xi moves in this step, and by which the spring aims ahead of it */
    struct transition phi;
};

static bool check(void *settings, struct error *e)
{
    struct settings *set = settings;
    struct given_option needed[] = { { "halflife", set->halflife }, { "speed", set->speed } };
    if (!option_group_all("velocity", needed, 2, e))
        return error_hint(e, "seconds, and units per second, for example -H 0.1 --speed 2");
    set->y = 2 * M_LN2 / set->halflife;
    return option_in_range(&needed[0], set->y, e);
}

static void step(const void *settings, double T, double *step)
{
    const struct settings *set = settings;
    double lag = 2 / set->y;
    double ahead = isnan(set->apprehension) ? lag : T + set->apprehension * set->halflife;
    *(struct step *)step = (struct step){ set->speed * T, set->speed * ahead,
                                          transition_critical(set->y, T, set->approx).add };
}

/* The distance moved toward 0 by at most length. */
static inline double shorter(double distance, double length)
{
    double taken = distance > length ? length : distance;
    return distance - (taken < -length ? -length : taken);
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
    double aim = shorter(s->f, k->ahead), e = s->e - aim;
    transition_apply(&k->phi, &e, &s->v);
    s->e = aim + e;
    s->f = shorter(s->f, k->stride);

    out[0] = s->goal + s->e;
    out[1] = s->v;
    out[2] = -set->y * (set->y * e + 2 * s->v);
}

static void start(const void *settings, double goal, double x, double *state, double *out)
{
    (void)settings;
    *(struct state *)state = (struct state){ goal, x - goal, x - goal, 0 };
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
    { .name = "speed", .kind = PARAM_NUMBER, .range = RANGE_POSITIVE, .value = "U/S", .offset = FIELD(speed),
      .help = "speed at which the goal is approached, in units of the channel per second" },
    { .name = "apprehension", .kind = PARAM_NUMBER, .range = RANGE_NOT_NEGATIVE, .value = "A",
      .offset = FIELD(apprehension),
      .help = "aim one step and A half-lives ahead, the older published form, instead of one lag" },
    APPROX_OPTION(FIELD(approx), APPROX_HELP),
};
/* clang-format on */

const struct filter filter_velocity = {
    .name = "velocity",
    .summary = "approaches the goal at a given speed",
    .about =
        "A spring that approaches a distant goal at a constant speed: it starts softly, moves at the given "
        "speed "
        "whatever the distance, and settles softly at the end, as a lift, a camera dolly or a motorized "
        "pointer "
        "does. An ordinary spring approaches a distant goal faster than a near one; here twice the distance "
        "takes twice the time.\n\n"
        "The speed is in units of the channel per second. The half-life H sets how soft the start and the "
        "stop "
        "are. The spring is aimed ahead by its own lag of 1.44 H: at first it is up to 14 percent faster "
        "than "
        "the speed, and 27 where it reverses at full speed, until it is level with a point that moves at the "
        "speed, and it arrives after about distance/speed seconds; starting, stopping and reversing take 4.8 "
        "H "
        "to settle to one percent. With a very large speed this is the critical spring. The point moves once "
        "per "
        "row, so the row rate has a small effect.\n\n"
        "It does not limit every velocity: small fast motion of the goal passes as through a critical "
        "spring. "
        "While the goal moves faster than the speed, the distance to it grows, and is made up later.",
    .params = params,
    .nparam = sizeof params / sizeof *params,
    .settings_size = sizeof(struct settings),
    .shape = { DOUBLES(struct state), DOUBLES(struct step), 3 },
    .points = 1U << 0,           /* goal */
    .errors = 1U << 1 | 1U << 2, /* e, f */
    .fading = 1U << 1 | 1U << 3, /* e, v */
    .check = check,
    .step = step,
    .start = start,
    .run = run,
};
