/* The 1 Euro filter: a damper whose cutoff frequency grows with the speed of its input. After Casiez, Roussel
 * and Vogel, "1 Euro Filter: A Simple Speed-based Low-pass Filter for Noisy Input in Interactive Systems"
 * (CHI 2012), algorithm 1. There, a step of T moves a damper of cutoff f by the part
 * 1 / (1 + 1 / (2 pi f T)) of the distance to its goal; method exact moves the damper by 1 - exp(-2 pi f T).
 * The published speed is the slope from the last output to the new goal, (g_n - x_(n-1)) / T; copies of the
 * algorithm also take the slope of the goal itself, (g_n - g_(n-1)) / T. Invariant: the state is the error
 * x - goal, so an error of 0 stays 0. */
#include "springs/filter_words.h"
#include "springs/option_groups.h"
#include "springs/run_rows.h"

#include <math.h>

enum method { EXACT, PUBLISHED };
static const char *const methods[] = { "exact", "published", NULL };

/* Where the slope that ends at the new goal begins. */
enum speed { OUTPUT, INPUT };
static const char *const speeds[] = { "output", "input", NULL };

struct settings {
    struct filter_common common;
    double min_cutoff, beta, derivative_cutoff; /* options */
    int method, speed;                          /* options: enum method, enum speed */
};

/* clang-format off */
static const struct param params[] = {
    { .name = "min-cutoff", NUMBER(min_cutoff, RANGE_POSITIVE, "HZ"),
      .fallback = "1",
      .help = "cutoff at rest: lower removes more noise, but lags more, up to 0.16/HZ seconds" },
    { .name = "beta", NUMBER(beta, RANGE_NOT_NEGATIVE, "B"), .fallback = "0",
      .help = "how much the cutoff rises with speed: Hz for each unit per second",
      .more = "A larger value means less lag in fast motion" },
    { .name = "derivative-cutoff", NUMBER(derivative_cutoff, RANGE_POSITIVE, "HZ"),
      .fallback = "1",
      .help = "cutoff of the damper that smooths the speed, in hertz" },
    { .name = "method", CHOICE(method, methods), .fallback = "exact",
      .help = "exact for any time step, or as in the paper" },
    { .name = "speed", CHOICE(speed, speeds), .fallback = "output",
      .help = "speed that sets the cutoff: from the last output (as published) or the last input",
      .more = "output: (input - last output) / step. input: (input - last input) / step" },
};
/* clang-format on */

struct state {
    double goal;
    double error;        /* output - goal */
    double velocity;     /* of the output, as printed */
    double smooth_slope; /* the speed with its sign, after the damper of derivative_cutoff */
    double gap;          /* seconds without a goal up to the last row; 0: the last row had a goal */
};

struct step {
    double slope_change; /* factor: added to smooth_slope per smooth_slope */
    double slope_gain;   /* 1/s: added to smooth_slope per distance of the new slope */
    double per_T;        /* 1 / T */
};

/* The change of the distance to the goal in T seconds, as a part of the distance, by a damper of this decay
 * (1/s): from -1 to 0. */
static inline double change_of_distance(const struct settings *set, double decay, double T)
{
    if (set->method == PUBLISHED)
        return -1 / (1 + 1 / (decay * T));
    return expm1(-decay * T);
}

static bool check(void *settings, struct error *e)
{
    struct settings *set = settings;
    (void)e;
    set->common.time_scale = 1 / (2 * M_PI * set->min_cutoff); /* at rest */
    set->common.linear = set->beta == 0;
    set->common.moves = true;
    set->common.no_limit = set->beta != 0 && set->speed == OUTPUT;
    return true;
}

static void step(const void *settings, double T, void *to)
{
    const struct settings *set = settings;
    struct step *step = to;
    double change = change_of_distance(set, 2 * M_PI * set->derivative_cutoff, T);
    *step = (struct step){ change, -change / T, fmin(1 / T, DBL_MAX) };
}

/* The decay of the damper for this speed: velocity per distance to the goal, 1/s. */
static double decay_at(const struct settings *set, double speed)
{
    return fmin(2 * M_PI * (set->min_cutoff + set->beta * fabs(speed)), DBL_MAX);
}

/* The velocity is decay (goal - x) with either method: the published step from x to y is an implicit Euler
 * step, with the slope (y - x) / T = decay (goal - y). */
RUN_INLINE void row(const void *settings, const void *of_step, const struct sample *sample, void *of_channel,
                    double *out)
{
    const struct settings *set = settings;
    const struct step *step = of_step;
    struct state *state = of_channel;
    double moved = sample->goal - state->goal, error = state->error - moved, last_velocity = state->velocity;
    double distance = -error;
    if (set->speed == INPUT && state->gap > 0) /* the goal has moved in the time of the gap, too */
        distance = moved * (sample->T / (state->gap + sample->T));
    else if (set->speed == INPUT)
        distance = moved;
    state->smooth_slope = filter_finite(
        state->smooth_slope + (step->slope_change * state->smooth_slope + step->slope_gain * distance));
    double decay = decay_at(set, state->smooth_slope);
    state->goal = sample->goal;
    state->error = error + change_of_distance(set, decay, sample->T) * error;
    state->velocity = filter_finite(decay * (0 - state->error));
    state->gap = sample->flags & FLAG_GAP ? state->gap + sample->T : 0;
    const double acceleration = filter_finite(step->per_T * (state->velocity - last_velocity));
    filter_put(out, state->goal + state->error, state->velocity, acceleration);
}

static void start(const void *settings, const struct first_row *first, void *of_channel, double *out)
{
    struct state *state = of_channel;
    const double decay = decay_at(settings, 0), error = first->x - first->goal;
    const double velocity = filter_finite(decay * (0 - error));
    *state = (struct state){ .goal = first->goal, .error = error, .velocity = velocity };
    filter_put(out, first->x, velocity, filter_finite(decay * (0 - velocity)));
}

static void run(const struct run *r)
{
    run_rows(r, row, start, DOUBLES(struct state), 3);
}

static const struct filter_words words = {
    .summary = "damper whose cutoff grows with speed: little noise at rest, little lag in motion",
    .about =
        "The 1 Euro filter (Casiez, Roussel and Vogel, 2012) is a damper whose cutoff is --min-cutoff plus "
        "beta times the speed. It smooths slow motion, where noise is seen, and lags little in fast motion, "
        "where lag is seen. Use it for live pointers, hands and heads. To tune it, leave beta at 0 and lower "
        "--min-cutoff until an object at rest does not jitter. Then move it fast and raise --beta until the "
        "lag is small enough. Beta depends on the unit: for millimetres it is a thousandth of that for "
        "metres.\n\n"
        "Behind motion of constant speed V it lags by at most 1 / (2 pi (min-cutoff + beta V)) seconds, "
        "which is 0.16 s for a cutoff of 1 Hz. Its velocity jumps with the input. It is not linear, so it "
        "has no --zero-phase, and its step response depends on the size of the step. It does not filter "
        "rotations. For recorded files, butterworth --zero-phase has no lag at all.\n\n"
        "As published, the speed is measured from the last output to the new input, and grows with the row "
        "rate: tune beta at your row rate. With --speed input one beta works at every rate: use it to tune "
        "from scratch. --method published gives the numbers of the authors' code, which smooths a little "
        "more where time steps are long.",
    .equation = "q = (g - x) / T          with --speed input the slope of the goal\n"
                "d <- d + a(D) (q - d)\n"
                "x <- x + a(M + B |d|) (g - x)\n"
                "a(F) = 1 - exp(-2 pi F T), or published 1 / (1 + 1 / (2 pi F T))\n"
                "M min-cutoff     B beta     D derivative-cutoff",
    .examples = "tail -n +1 -f pointer.csv | sprung one-euro --min-cutoff 1 --beta 0.01\n"
                "sprung one-euro --min-cutoff 1 --beta 0.01 pointer.csv > steady.csv",
};

const struct filter filter_one_euro = {
    .name = "one-euro",
    .words = &words,
    FILTER_OPTIONS(params),
    .shape = { DOUBLES(struct state), DOUBLES(struct step), 3 },
    .check = check,
    .step = step,
    .start = start,
    .run = run,
};
