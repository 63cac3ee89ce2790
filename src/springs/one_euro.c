/* The 1 Euro filter: a damper whose cutoff frequency grows with the speed of its input. After Casiez, Roussel
 * and Vogel, "1 Euro Filter: A Simple Speed-based Low-pass Filter for Noisy Input in Interactive Systems"
 * (CHI 2012), algorithm 1. As there, the derivative is that from the last output to the goal, (g_n - x_(n-1))
 * / T; the first code of the authors, and many copies of it, have the last goal in place of the output. Both
 * steps decay exactly: a factor of exp(-2 pi cutoff T), where the paper has 1 / (1 + 2 pi cutoff T).
 * Invariant: the state is the error e = x - goal. */
#include "springs/filter.h"

struct settings {
    struct filter_common common;
    double min_cutoff, beta, derivative_cutoff; /* options */
};

/* The rows of params. */
enum {
    OPTION_MIN_CUTOFF,
    OPTION_BETA,
    OPTION_DERIVATIVE_CUTOFF,
};

/* clang-format off */
static const struct param params[] = {
    [OPTION_MIN_CUTOFF] =
    { .name = "min-cutoff", NUMBER(min_cutoff, RANGE_POSITIVE, "HZ"), .fallback = "1",
      .help = "cutoff frequency where the input does not move, in hertz: lower removes more noise" },
    [OPTION_BETA] =
    { .name = "beta", NUMBER(beta, RANGE_NOT_NEGATIVE, "B"), .fallback = "0",
      .help = "growth of the cutoff with speed, in hertz per unit per second: larger lags less in fast motion" },
    [OPTION_DERIVATIVE_CUTOFF] =
    { .name = "derivative-cutoff", NUMBER(derivative_cutoff, RANGE_POSITIVE, "HZ"), .fallback = "1",
      .help = "cutoff frequency of the damper that smooths the speed, in hertz" },
};
/* clang-format on */

struct state {
    double goal, e, v;
    double derivative; /* damped */
};

struct step {
    double kept;  /* of the derivative, less 1 */
    double moved; /* of the derivative, per distance to the goal: its new part is (1 - kept) / T of that */
    double per_T; /* 1 / T */
};

static bool check(struct settings *set, struct error *e)
{
    set->common.time_scale = 1 / fmin(2 * M_PI * set->min_cutoff, DBL_MAX); /* at rest */
    return option_in_range(&params[OPTION_MIN_CUTOFF], set, 2 * M_PI * set->min_cutoff, e) &&
           option_in_range(&params[OPTION_DERIVATIVE_CUTOFF], set, 2 * M_PI * set->derivative_cutoff, e);
}

static struct step step(const struct settings *set, double T)
{
    double decay_m1 = expm1(-2 * M_PI * set->derivative_cutoff * T);
    return (struct step){ decay_m1, -decay_m1 / T, fmin(1 / T, DBL_MAX) };
}

/* The rate of the damper, at most what its speed may be. */
static double rate_at(const struct settings *set, double derivative)
{
    return fmin(2 * M_PI * (set->min_cutoff + set->beta * fabs(derivative)), DBL_MAX);
}

/* Velocity and acceleration are those of the damper. */
RUN_INLINE struct movement row(const struct settings *set, const struct step *k, const struct sample *sample,
                               struct state *s)
{
    double e = s->e - (sample->goal - s->goal), last = s->v;
    s->derivative = filter_finite(s->derivative + (k->kept * s->derivative - k->moved * e));
    double rate = rate_at(set, s->derivative);
    s->goal = sample->goal;
    s->e = e + expm1(-rate * sample->T) * e;
    s->v = filter_finite(rate * (0 - s->e));
    return (struct movement){ s->goal + s->e, s->v, filter_finite(k->per_T * (s->v - last)) };
}

static struct movement start(const struct settings *set, double goal, double x, struct state *s)
{
    double rate = rate_at(set, 0);
    *s = (struct state){ goal, x - goal, filter_finite(rate * (goal - x)), 0 };
    return (struct movement){ x, s->v, filter_finite(rate * (0 - s->v)) };
}

FILTER_RUN

const struct filter filter_one_euro = {
    .name = "one-euro",
    .summary = "damper whose cutoff grows with speed: little noise at rest, little lag in motion",
    .about =
        "The 1 Euro filter (Casiez, Roussel and Vogel, 2012) is a damper whose cutoff frequency is the "
        "minimum plus beta times the speed: it smooths slow motion, where noise is seen, and lags little "
        "in fast motion, where lag is seen. Use it for live pointers, hands, heads and other trackers. To "
        "tune it, leave beta at 0 and lower --min-cutoff until an object at rest does not jitter; then "
        "move it fast and raise --beta until the lag is small enough. Beta depends on the unit: for "
        "millimetres it is a thousandth of that for metres.\n\n"
        "It always lags, behind motion of constant velocity by at most 1 / (2 pi min-cutoff) seconds. It "
        "is no spring: its velocity jumps with the goal; use critical where that is seen. Recorded files "
        "can do without lag: filter them with a spring and --zero-phase, which this filter does not take, "
        "as it is not linear. It does not filter rotations.\n\n"
        "The speed is measured as published, from the last output to the new target, and smoothed. It "
        "contains the noise and grows with the lag and with the row rate, so tune beta at the row rate of "
        "use. Both dampers take exact steps: with short time steps the output approaches that of the "
        "published form, with long ones it smooths a little less.",
    .examples = "tail -f pointer.csv | sprung one-euro --min-cutoff 1 --beta 0.01\n"
                "sprung one-euro --min-cutoff 1 --beta 0.01 pointer.csv > steady.csv",
    FILTER_OPTIONS(params),
    FILTER_STATE,
};
