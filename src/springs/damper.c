/* The damper: first-order decay toward the goal, x' = decay (g - x). Method exact holds at any T; the other
 * methods step the damper as engines and older code do, for comparison. After Daniel Holden,
 * "Spring-Roll-Call" (2021): Damper, Exact Damper.
 * Invariant: the state is the error e = x - goal, so that a slow damper reaches its goal and stays there. */
#include "springs/cutoff.h"
#include "springs/filter_words.h"
#include "springs/option_groups.h"
#include "springs/run_rows.h"
#include "springs/spring_step.h"

#include <math.h>

enum method { EXACT, LERP, EULER, EXPONENTIAL };
static const char *const methods[] = { "exact", "lerp", "euler", "exponential", NULL };

struct settings {
    struct filter_common common;
    double halflife, lag, remaining;
    double factor, damping, fixed_rate;
    int method;
    double decay; /* velocity per distance to the goal, 1/s, by check(); method lerp: not used */
};

/* clang-format off */
static const struct param params[] = {
    { .name = "halflife", .letter = 'H', NUMBER(halflife, RANGE_POSITIVE, "S"),
      .methods = METHOD(EXACT),
      .help = "half-life in seconds, such as 0.1" },
    { .name = "lag", NUMBER(lag, RANGE_POSITIVE, "S"),
      .methods = METHOD(EXACT),
      .help = "lag behind constant-velocity motion in seconds" },
    { .name = "remaining", NUMBER(remaining, RANGE_INSIDE, "R"),
      .methods = METHOD(EXACT),
      .help = "fraction of the distance left after 1 s, such as 0.1" },
    CUTOFF_OPTION(CUTOFF_MORE, METHOD(EXACT)),
    HOLD_OPTION(METHOD(EXACT) | METHOD(EXPONENTIAL)),
    APPROX_OPTION(APPROX_HELP, METHOD(EXACT)),
    { .name = "method", CHOICE(method, methods), .fallback = "exact",
      .help = "exact for any time step, or a simpler form",
      .more = "lerp: a fixed fraction per row, whatever the time between rows. exponential: a lerp that is "
              "corrected for the time step" },
    { .name = "factor", NUMBER(factor, RANGE_FRACTION, "A"), .methods = METHOD(LERP),
      .if_missing = "for example --factor 0.1",
      .help = "for lerp: fraction of the distance covered per row" },
    { .name = "damping", .letter = 'b', NUMBER(damping, RANGE_POSITIVE, "D"),
      .methods = METHOD(EULER) | METHOD(EXPONENTIAL), .if_missing = "for example --damping 5",
      .help = "for euler, exponential: fraction of the distance covered per second" },
    { .name = "fixed-rate", NUMBER(fixed_rate, RANGE_POSITIVE, "HZ"),
      .methods = METHOD(EXPONENTIAL),
      .help = "for exponential: frame rate that --damping was tuned for (default 60)" },
    PREDICT_OPTION(METHOD(EXACT) | METHOD(EXPONENTIAL)),
};
/* clang-format on */

struct state {
    double goal, e, v;
};

struct step {
    struct spring_part e_e;
    double e_g;   /* added to e per change of the goal over the step */
    double decay; /* velocity per distance to the goal, 1/s */
    double per_T; /* 1 / T */
};

/* Sets the decay of method exact, from the option that is given. */
static bool find_exact_decay(struct settings *set, struct error *e)
{
    const struct alternative decays[] = {
        { "halflife", M_LN2 / set->halflife },
        { "lag", 1 / set->lag },
        { "remaining", -log(set->remaining) },
        { "cutoff", 2 * M_PI * set->common.cutoff / filter_cutoff(1, 0, 0.5, false) },
        { NULL, 0 },
    };
    return option_group_one(set, decays, &set->decay, e);
}

/* Sets the decay of method euler or exponential, from --damping. */
static bool find_damping_decay(struct settings *set, struct error *e)
{
    set->decay = set->damping;
    if (set->method == EULER)
        return true;
    if (isnan(set->fixed_rate))
        set->fixed_rate = 60;
    if (!(set->damping < set->fixed_rate))
        return error_usage(e, "--damping %g must be less than --fixed-rate %g", set->damping,
                           set->fixed_rate);
    /* A lerp at the fixed rate leaves 1 - damping / rate of the distance per row. */
    set->decay = -set->fixed_rate * log1p(-set->damping / set->fixed_rate);
    return true;
}

static bool check(void *settings, struct error *e)
{
    struct settings *set = settings;
    set->common.longest = set->method == EULER ? 2 / set->damping : 0;
    set->common.time_scale = (double)NAN;
    set->common.linear = true;
    set->common.equation = (struct continuous){ .count = 0 }; /* lerp steps row by row, whatever the time */
    if (set->method == LERP)
        return true;
    if (!(set->method == EXACT ? find_exact_decay(set, e) : find_damping_decay(set, e)))
        return false;
    set->common.equation = (struct continuous){ set->decay * set->decay, 2 * set->decay, 0, 0.5 };
    return true;
}

/* Behind a goal of slope u the damper settles at the error -u/decay; a step multiplies the difference from
 * -u/decay by exp(-decay T). */
static void step(const void *settings, double T, void *to)
{
    const struct settings *set = settings;
    struct step *step = to;
    const double decay = cutoff_equation(set, T).d / 2, u = decay * T;
    const struct decay left = transition_decay(u, set->common.approx);
    step->e_e = spring_part(left.E, left.m1);
    step->decay = decay;
    step->per_T = fmin(1 / T, DBL_MAX);
    if (set->method == LERP) {
        step->e_e = (struct spring_part){ 1, -set->factor };
        step->decay = fmin(set->factor / T, DBL_MAX);
    } else if (set->method == EULER) {
        step->e_e = (struct spring_part){ 1, -fmin(u, DBL_MAX) };
    }
    step->e_g = -step->e_e.kept - step->e_e.rest;
    if (set->common.hold == HOLD_LINEAR)
        step->e_g = left.m1 / decay / T;
}

/* The velocity is x' = decay (g - x) at the end of the step; the decay of a lerp is its factor per step.
 * Where the goal moves (hold linear), the acceleration is the derivative, decay (g' - x'). Where the goal
 * jumps (hold step), the derivative would leave out what the jumps add to the velocity; there the
 * acceleration is the change of the velocity over the step, divided by T. */
RUN_INLINE void row(const void *settings, const void *of_step, const struct sample *sample, void *of_channel,
                    double *out)
{
    const struct settings *set = settings;
    const struct step *step = of_step;
    struct state *state = of_channel;
    double change = sample->goal - state->goal, last = state->v;
    state->goal = sample->goal;
    state->e = step->e_e.kept * state->e + (step->e_e.rest * state->e + step->e_g * change);
    state->v = step->decay * (0 - state->e);
    double a = set->common.hold == HOLD_LINEAR ? step->decay * (step->per_T * change - state->v)
                                               : step->per_T * (state->v - last);
    filter_put(out, state->goal + state->e, state->v, a);
}

static void start(const void *settings, const struct first_row *first, void *of_channel, double *out)
{
    const struct settings *set = settings;
    struct state *state = of_channel;
    double e = first->x - first->goal;
    *state = (struct state){ first->goal, e, set->decay * (0 - e) };
    filter_put(out, first->x, state->v, set->decay * (0 - state->v));
}

static void run(const struct run *r)
{
    run_rows(r, row, start, DOUBLES(struct state), 3);
}

static const struct filter_words words = {
    .summary = "exponential smoothing: the distance to the input halves every half-life",
    .about =
        "The damper covers half of the remaining distance to its goal, the input, in each half-life H. It is "
        "exponential smoothing, a first-order low-pass. It responds immediately, is fastest at the start and "
        "never overshoots. Use it to remove noise, or where the response must be immediate. Its velocity "
        "jumps with the input; where the eye would see that, use critical.\n\n"
        "It follows constant-velocity motion with a lag of H / ln 2 = 1.44 H seconds, or about half a row "
        "less with --hold step. It reduces white noise to about sqrt(0.35 T / H) of its size, for rows T "
        "apart. With --hold step the acceleration is the change of the velocity since the last row, per "
        "second.\n\n"
        "The other methods: lerp depends on the row rate. euler diverges if damping times step is above 2. "
        "exponential matches euler at --fixed-rate, and gives the same motion at every other rate.",
    .equation = "x <- g + (x - g) exp(-L T)          velocity L (g - x)\n"
                "L = ln 2 / H = 1 / lag = -ln(remaining) = 2 pi cutoff (of one pass)",
    .examples = "sprung damper --halflife 0.05 take.csv > clean.csv\n"
                "tail -n +1 -f tracker.csv | sprung damper --halflife 0.02",
};

const struct filter filter_damper = {
    .name = "damper",
    .words = &words,
    FILTER_OPTIONS(params),
    .shape = { DOUBLES(struct state), DOUBLES(struct step), 3 },
    .check = check,
    .step = step,
    .start = start,
    .run = run,
    .each = { .nout = 2 },
    .rotations = "gev",
};
