/* A spring that makes for its goal at a given speed: an intermediate goal xi moves there at that speed, and a
 * critical spring chases the place where xi will be a lag later (Daniel Holden, "Spring-Roll-Call", 2021).
 * Invariant: neither xi nor the place aimed at ever passes the goal. */
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
    double stride, ahead; /* how far xi moves in this step, and how far before it the spring aims */
    struct phi phi;
};

static void step(const void *settings, double T, double *step)
{
    const struct settings *set = settings;
    double lag = 2 / set->y;
    double ahead = isnan(set->apprehension) ? lag : T + set->apprehension * set->halflife;
    *(struct step *)step = (struct step){ set->speed * T, set->speed * ahead,
                                          phi_critical(set->y, T, set->approx) };
}

/* A distance of which at most a length is taken away. */
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
    double way = sample->goal - s->goal;

    s->goal = sample->goal;
    s->e -= way;
    s->f -= way;
    double aim = shorter(s->f, k->ahead), e = s->e - aim;
    phi_apply(&k->phi, &e, &s->v);
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
    struct given needed[] = { { "halflife", set->halflife }, { "speed", set->speed } };
    if (!given_all("velocity", needed, 2, e))
        return error_hint(e, "seconds, and units per second, for example -H 0.1 --speed 2");
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
    { .name = "speed",
      .kind = PARAM_NUMBER,
      .range = RANGE_POSITIVE,
      .value = "U/S",
      .offset = FIELD(speed),
      .help = "speed at which the goal is approached, in units of the channel per second" },
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
    "A spring with a cruising speed. Toward a distant goal it gets going softly, travels at the given "
    "speed whatever the distance, and settles softly at the end: a lift, a camera dolly, a pointer with "
    "a motor. An ordinary spring leaps at a distant goal and crawls up to a near one; here a way twice "
    "as long takes twice the time.\n\n"
    "The speed is in units of the channel per second. The half-life H is the softness of starting and "
    "stopping. The spring is aimed ahead by its own lag of 1.44 H: at first it runs up to 14 percent "
    "faster, and 27 where it turns round at full speed, to get abreast of a point moving at the speed, and "
    "arrives after about distance/speed "
    "seconds; starting, stopping and turning take 4.8 H to settle to one percent. With a speed so large "
    "that it never matters this is the critical spring. The point moves once a row, so the rate of the rows "
    "shows a little.\n\n"
    "It is no limit on every velocity: small quick motions of the goal pass as through a critical "
    "spring. While the goal runs away faster than the speed it is left behind, to be caught up with "
    "later.";

const struct filter filter_velocity = {
    .name = "velocity",
    .summary = "approaches the goal at a given speed",
    .about = about,
    .params = params,
    .nparam = sizeof params / sizeof *params,
    .settings_size = sizeof(struct settings),
    .points = 1U << 0,           /* goal */
    .errors = 1U << 1 | 1U << 2, /* e, f */
    .fading = 1U << 1 | 1U << 3, /* e, v */
    .check = check,
    .shape = shape,
    .step = step,
    .start = start,
    .run = run,
};
