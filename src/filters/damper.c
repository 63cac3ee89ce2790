/* The damper: every second the same part of the way to the goal, x' = rate (g - x). Exact at any T; and
 * the ways in which engines and old code step it, for comparison. After Daniel Holden, "Spring-Roll-Call"
 * (2021): Damper, Exact Damper. Invariant: the state is the error e = x - goal, so that what has arrived
 * stays, and a slow damper does arrive. */
#include "filters/spring_step.h"
#include "filters/option_groups.h"

#include <float.h>
#include <stdio.h>

enum method { EXACT, LERP, EULER, EXPONENTIAL };

static const char *const methods[] = { "exact", "lerp", "euler", "exponential", NULL };

struct settings {
    double halflife, lag, decay_rate, remaining;
    double factor, damping, fixed_rate;
    int method, hold, approx;
    double rate; /* 1/s, by check(); lerp has none */
};

struct state {
    double goal, e;
};

struct step {
    struct chase_part e_e;
    double e_g;  /* what the goal's way over the step adds to it */
    double rate; /* of the velocity */
    double u_g;  /* the goal's velocity per its way, where it moves */
};

enum { NSTATE = sizeof(struct state) / sizeof(double), NOUT = 3 };

/* Behind a goal of slope u the damper settles at the distance -u/rate; exp(-rate T) moves what differs
 * from that. */
static void step(const void *settings, double T, double *step)
{
    const struct settings *set = settings;
    struct step *k = (struct step *)step;
    *k = (struct step){ .rate = set->rate };
    switch (set->method) {
    case LERP:
        k->e_e = (struct chase_part){ 1, -set->factor };
        k->rate = fmin(set->factor / T, DBL_MAX);
        break;
    case EULER:
        k->e_e = (struct chase_part){ 1, -fmin(set->damping * T, DBL_MAX) };
        break;
    default:
        k->e_e = chase_part(phi_decay(set->rate * T, set->approx), phi_decay_m1(set->rate * T, set->approx));
    }
    k->e_g = -k->e_e.kept - k->e_e.rest;
    if (set->hold == HOLD_LINEAR) {
        k->e_g = phi_decay_m1(set->rate * T, set->approx) / set->rate / T;
        k->u_g = fmin(1 / T, DBL_MAX);
    }
}

/* Velocity and acceleration are those of x' = rate (g - x) and of its derivative rate (g' - x'), at the
 * end of the step: a goal that is held has g' = 0, one that moves has its slope. The rate of a lerp is its
 * factor per step. */
RUN_INLINE void row(const void *settings, const double *step, const struct sample *sample, double *state,
                    double *out)
{
    (void)settings;
    const struct step *k = (const struct step *)step;
    struct state *s = (struct state *)state;
    double way = sample->goal - s->goal;
    s->goal = sample->goal;
    s->e = k->e_e.kept * s->e + (k->e_e.rest * s->e + k->e_g * way);
    out[0] = s->goal + s->e;
    out[1] = k->rate * (0 - s->e);
    out[2] = k->rate * (k->u_g * way - out[1]);
}

static void start(const void *settings, double goal, double x, double *state, double *out)
{
    const struct settings *set = settings;
    *(struct state *)state = (struct state){ goal, x - goal };
    out[0] = x;
    out[1] = set->rate * (goal - x);
    out[2] = set->rate * (0 - out[1]);
}

static void run(const struct run *r)
{
    run_rows(r, row, start, NSTATE, NOUT);
}

static struct shape shape(const void *settings)
{
    (void)settings;
    return (struct shape){ NSTATE, sizeof(struct step) / sizeof(double), NOUT };
}

static bool check_rate(struct settings *set, struct error *e)
{
    struct given rates[] = { { "halflife", set->halflife },
                             { "lag", set->lag },
                             { "decay-rate", set->decay_rate },
                             { "remaining", set->remaining } };
    size_t which;
    if (!given_one("damper", rates, 4, &which, e))
        return false;
    double rate[] = { 0x1.62e42fefa39efp-1 / set->halflife, 1 / set->lag, set->decay_rate,
                      -log(set->remaining) };
    set->rate = rate[which];
    return given_fits(&rates[which], set->rate, e);
}

/* By what a lerp at the fixed rate leaves; a damping near that rate keeps its digits in their difference. */
static double exponential_rate(double damping, double rate)
{
    return -rate * (damping < rate / 2 ? log1p(-damping / rate) : log((rate - damping) / rate));
}

static bool check(void *settings, struct error *e)
{
    struct settings *set = settings;
    struct given rates[] = { { "halflife", set->halflife },
                             { "lag", set->lag },
                             { "decay-rate", set->decay_rate },
                             { "remaining", set->remaining } };
    struct given factor = { "factor", set->factor }, damping = { "damping", set->damping };
    struct given fixed_rate = { "fixed-rate", set->fixed_rate };
    char what[40];
    snprintf(what, sizeof what, "damper --method %s", methods[set->method]);

    if (set->method != EXACT && !given_none(what, rates, 4, e))
        return false;
    if (set->method != LERP && !given_none(what, &factor, 1, e))
        return false;
    if (set->method != EULER && set->method != EXPONENTIAL && !given_none(what, &damping, 1, e))
        return false;
    if (set->method != EXPONENTIAL && !given_none(what, &fixed_rate, 1, e))
        return false;
    if (set->method != EXACT && set->approx != PHI_EXACT)
        return error_usage(e, "%s has no use for --approx", what);
    if ((set->method == LERP || set->method == EULER) && set->hold == HOLD_LINEAR)
        return error_usage(e, "%s has no use for --hold linear", what);

    switch (set->method) {
    case LERP:
        return given_all(what, &factor, 1, e);
    case EULER:
        set->rate = set->damping;
        return given_all(what, &damping, 1, e) && given_fits(&damping, set->rate, e);
    case EXPONENTIAL:
        if (!given_all(what, &damping, 1, e))
            return false;
        if (isnan(set->fixed_rate))
            set->fixed_rate = 60;
        if (!(set->damping < set->fixed_rate))
            return error_usage(e, "--damping %g with --fixed-rate %g: valid is less than the rate",
                               set->damping, set->fixed_rate);
        set->rate = exponential_rate(set->damping, set->fixed_rate);
        return given_fits(&damping, set->rate, e);
    default:
        return check_rate(set, e);
    }
}

static bool rests(const void *settings)
{
    const struct settings *set = settings;
    return set->method != LERP || set->factor > 0;
}

static bool warn(const void *settings, double T, char *text, size_t maxtext)
{
    const struct settings *set = settings;
    if (set->method != EULER || !(set->damping * T > 2))
        return false;
    snprintf(text, maxtext,
             "--damping %g over a step of %g s is %g: past 2, --method euler swings out without end",
             set->damping, T, set->damping * T);
    return true;
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
      .help = "half of the way to the goal is done in this time, in seconds" },
    { .name = "lag",
      .kind = PARAM_NUMBER,
      .range = RANGE_POSITIVE,
      .value = "S",
      .offset = FIELD(lag),
      .exclusive_group = 1,
      .help = "how far it stays behind an even motion, in seconds: the half-life over ln 2" },
    { .name = "decay-rate",
      .kind = PARAM_NUMBER,
      .range = RANGE_POSITIVE,
      .value = "1/S",
      .offset = FIELD(decay_rate),
      .exclusive_group = 1,
      .help = "rate of the exponential decay, per second: ln 2 over the half-life" },
    { .name = "remaining",
      .kind = PARAM_NUMBER,
      .range = RANGE_INSIDE,
      .value = "R",
      .offset = FIELD(remaining),
      .exclusive_group = 1,
      .help = "part of the way that is left after one second, between 0 and 1" },
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
      .help = "exact at any rate, or as found in the wild: lerp per row, Euler's step, or a lerp corrected "
              "for time" },
    { .name = "factor",
      .kind = PARAM_NUMBER,
      .range = RANGE_FRACTION,
      .value = "A",
      .offset = FIELD(factor),
      .exclusive_group = 2,
      .help = "for lerp: part of the way done per row, 0 to 1, whatever the time between rows" },
    { .name = "damping",
      .letter = 'b',
      .kind = PARAM_NUMBER,
      .range = RANGE_POSITIVE,
      .value = "D",
      .offset = FIELD(damping),
      .exclusive_group = 3,
      .help = "for euler and exponential: part of the way per second of a step, per second" },
    { .name = "fixed-rate",
      .kind = PARAM_NUMBER,
      .range = RANGE_POSITIVE,
      .value = "HZ",
      .offset = FIELD(fixed_rate),
      .exclusive_group = 4,
      .help = "for exponential: the frame rate at which its damping was tuned, in hertz; 60 when not given" },
};

static const char about[] =
    "The damper goes the same part of the way to its goal in every moment: half of it in each half-life. "
    "It starts at once and at full speed, then slows down; it never overshoots. It is exponential "
    "smoothing, a low-pass of first order, done right for any spacing of rows. Choose it to take noise "
    "off a signal, or where a reaction must be immediate. Its velocity jumps when the goal does, which "
    "eyes notice in motion: there take critical.\n\n"
    "It follows an even motion at a distance of lag = H / ln 2 = 1.44 H seconds with --hold linear, and "
    "of about half a row less with --hold step. Longer half-lives smooth more and lag more. Noise from "
    "row to row comes out smaller by about the square root of 0.35 T / H, T being the time between rows.\n\n"
    "The other methods are there to compare with: lerp depends on the rate of the rows, euler swings out "
    "without end once damping times step is past 2, and exponential is euler's damping at one rate made "
    "to hold at all of them.";

const struct filter filter_damper = {
    .name = "damper",
    .summary = "exponential smoothing: half of the way in each half-life",
    .about = about,
    .params = params,
    .nparam = sizeof params / sizeof *params,
    .settings_size = sizeof(struct settings),
    .points = 1U << 0, /* goal */
    .errors = 1U << 1, /* e */
    .fading = 1U << 1, /* e */
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
