/* How large a sine of each of a few frequencies is in a channel.
 *
 * Method amplitude fits c + Re(A exp(iw (t - now))) to the rows by least squares, with weights that fade by
 * exp(-d/2 (now - t)), and prints |A|: neither a constant nor the wave that turns the other way counts, at
 * any row rate above 2 F. With b = exp(iw (now - t)) and weights of sum 1, the means that the fit takes are
 *
 *     p1 = <b>    p2 = <b^2>    G0 = <g>    G1 = <g b>
 *
 * and with a = 1 - |p1|^2, h = p2 - p1^2, Y = 2 (G1 - G0 p1) the solution is A = (a Y - h Y*) / (a^2 -
 * |h|^2). Where the rows of a half-life do not tell a sine from a constant, a exceeds |h| by almost nothing;
 * RIDGE is always added to a, and makes such an A small.
 *
 * Method energy is the energy of a damped spring (Daniel Holden, "Spring-Roll-Call", 2021: Resonance).
 *
 * Invariant: g is the deviation from the channel's first value, which the channel is taken to have had for
 * ever before, so that both outputs are 0 until the channel moves. */
#include "springs/filter_words.h"
#include "springs/option_groups.h"
#include "springs/run_rows.h"
#include "springs/transition.h"

#include <complex.h>
#include <math.h>

enum method { AMPLITUDE, ENERGY };
static const char *const methods[] = { "amplitude", "energy", NULL };

struct settings {
    struct filter_common common;
    double halflife; /* option, s */
    double d;        /* damping, 1/s, by check() */
    int method;
};

/* clang-format off */
static const struct param params[] = {
    HALFLIFE_OPTION("half-life in seconds, such as 0.5; a longer one separates closer frequencies",
                    "how long the springs oscillate, in seconds, for example -H 0.5"),
    { .name = "frequencies", NUMBERS(common.values, RANGE_POSITIVE, "F,F,...|LO:HI:N"),
      .help = "frequencies in hertz: a list, or N log-spaced from LO to HI",
      .if_missing =
          "for example --frequencies 1,2,4, or --frequencies 0.5:8:16 for 16 from 0.5 to 8 Hz" },
    { .name = "method", CHOICE(method, methods), .fallback = "amplitude",
      .help = "amplitude of each frequency in the channel's unit, or energy as published" },
};
/* clang-format on */

#define RIDGE 1e-3

/* State of a resonator: of method energy a spring, else the means of method amplitude. */
union resonator {
    struct {
        double x, v; /* position from the start, velocity */
    } spring;
    struct {
        double _Complex g_b, b, b_2; /* G1, p1, p2 */
    } fit;
};

/* State of a channel. */
struct channel {
    double start;
    double mean; /* G0 */
    union resonator resonator[];
};

/* Coefficients of a step, for each resonator. */
union step {
    struct transition spring;
    struct {
        double _Complex turn, turn_2; /* the factors of g_b and b, and of b_2, each less 1 */
        double gain;                  /* weight of the new row */
    } fit;
};

static bool check(void *settings, struct error *e)
{
    struct settings *set = settings;
    (void)e;
    set->d = 4 * M_LN2 / set->halflife;
    set->common.time_scale = 2 / set->d;
    return true;
}

/* exp(-loss + i angle) - 1, where loss_m1 is exp(-loss) - 1. */
static double _Complex turn_m1(double loss_m1, double angle)
{
    const double half = sin(angle / 2);
    return loss_m1 * cos(angle) - 2 * half * half + I * ((1 + loss_m1) * sin(angle));
}

static void step(const void *settings, double T, void *to)
{
    const struct settings *set = settings;
    union step *step = to;
    double loss_m1 = expm1(-set->d / 2 * T);
    for (size_t i = 0; i < set->common.values.nvalue; i++) {
        double w = 2 * M_PI * set->common.values.value[i], angle = fmin(w * T, 0x1p1000);
        if (set->method == ENERGY) {
            step[i].spring = transition_spring(w * w, set->d, T, APPROX_NONE).add;
        } else {
            step[i].fit.turn = turn_m1(loss_m1, angle);
            step[i].fit.turn_2 = turn_m1(loss_m1, 2 * angle);
            step[i].fit.gain = -loss_m1;
        }
    }
}

static inline double energy(const struct transition *phi, double w, double g, union resonator *resonator)
{
    double x = resonator->spring.x, v = resonator->spring.v, e = x - g;
    x += phi->e_e * e + phi->e_v * v;
    v += phi->v_e * e + phi->v_v * v;
    resonator->spring.x = x;
    resonator->spring.v = v;
    return (v * v + w * w * x * x) / 2;
}

/* The amplitude after a row with the goal g, by the formula of method amplitude at the head of the file.
 * mean: G0 of this row. */
static inline double amplitude(const union step *k, double g, double mean, union resonator *resonator)
{
    resonator->fit.g_b += k->fit.turn * resonator->fit.g_b + k->fit.gain * g;
    resonator->fit.b += k->fit.turn * resonator->fit.b + k->fit.gain;
    resonator->fit.b_2 += k->fit.turn_2 * resonator->fit.b_2 + k->fit.gain;
    const double _Complex b = resonator->fit.b, h = resonator->fit.b_2 - b * b;
    const double _Complex Y = 2 * (resonator->fit.g_b - mean * b);
    const double a = 1 - creal(b * conj(b)) + RIDGE, size = cabs(h);
    return filter_finite(cabs(a * Y - h * conj(Y)) / ((a - size) * (a + size)));
}

static inline void row(const void *settings, const void *of_step, const struct sample *sample,
                       void *of_channel, double *out)
{
    const struct settings *set = settings;
    const union step *step = of_step;
    struct channel *channel = of_channel;
    double g = sample->goal - channel->start;
    if (set->method == AMPLITUDE)
        channel->mean += step->fit.gain * (g - channel->mean);
    for (size_t i = 0; i < set->common.values.nvalue; i++)
        if (set->method == ENERGY)
            out[i] = energy(&step[i].spring, 2 * M_PI * set->common.values.value[i], g,
                            &channel->resonator[i]);
        else
            out[i] = amplitude(&step[i], g, channel->mean, &channel->resonator[i]);
}

/* The mean of exp(iw (now - t)) over all times before, for w as a multiple of d/2: 1 / (1 - i ratio). */
static double _Complex mean_of_past(double ratio)
{
    return 1 / (1 + ratio * ratio) + I / (ratio + 1 / ratio);
}

static void start(const void *settings, const struct first_row *first, void *of_channel, double *out)
{
    const struct settings *set = settings;
    const size_t n = set->common.values.nvalue;
    struct channel *channel = of_channel;
    channel->start = first->x;
    channel->mean = 0;
    memset(channel->resonator, 0, n * sizeof *channel->resonator);
    memset(out, 0, n * sizeof *out);
    for (size_t i = 0; i < n && set->method == AMPLITUDE; i++) {
        double ratio = 2 * M_PI * set->common.values.value[i] / (set->d / 2);
        channel->resonator[i].fit.b = mean_of_past(ratio);
        channel->resonator[i].fit.b_2 = mean_of_past(2 * ratio);
    }
}

static void run(const struct run *r)
{
    run_any(r, row, start);
}

static const struct filter_words words = {
    .summary = "shows the amplitude of each given frequency over time",
    .about =
        "For each frequency F the output is the amplitude, in the channel's unit, of the sine at F that best "
        "fits the recent rows. A sine of amplitude A at F gives A within 0.5 percent, for any phase, offset "
        "and row spacing, if there are more than 2.2 rows a period. Use it to detect shaking, find the "
        "rhythm of a gait, or drive a secondary motion. The channel itself is not changed.\n\n"
        "A longer half-life H separates closer frequencies, but responds later: the bandwidth is 0.44/H "
        "hertz. When a sine stops, its amplitude falls to a quarter after H; a new sine reaches three "
        "quarters after H. Separating 2 from 2.5 hertz needs H near 1 s. If H times F is below 0.3, noise is "
        "hardly reduced.\n\n"
        "It is not a spectrum: the output is late, and the bands overlap. Method energy gives the energy of "
        "a spring, in units of velocity squared. For a steady sine it is (2 pi F)^4 A^2 H^2/15.4, so it "
        "grows with the frequency. Both methods subtract the channel's first value.",
    .equation = "b = exp(i w (now - t)), which rotates at F     w = 2 pi F\n"
                "E = exp(-d T / 2)     d = 4 ln 2 / H     weighted means of b, b^2, g, g b:\n"
                "P <- E exp(i w T) P + 1 - E     Q <- E exp(2 i w T) Q + 1 - E\n"
                "M <- E M + (1 - E) g     Z <- E exp(i w T) Z + (1 - E) g\n"
                "from P = 1 / (1 - 2 i w / d), Q = 1 / (1 - 4 i w / d), M = Z = 0\n"
                "a = 1 - |P|^2 + 0.001     h = Q - P^2     Y = 2 (Z - M P)\n"
                "amplitude |a Y - h conj(Y)| / (a^2 - |h|^2)     g less its first value\n"
                "--method energy: (v^2 + w^2 e^2) / 2 of a spring of stiffness w^2, damping d",
    .examples = "sprung resonance --halflife 0.5 --frequencies 4,6,8 take.csv > tremor.csv\n"
                "sprung resonance --halflife 1 --frequencies 50 sensor.csv > hum.csv",
};

const struct filter filter_resonance = {
    .name = "resonance",
    .words = &words,
    FILTER_OPTIONS(params),
    .keeps_cell = true,
    .shape = { .nstate = DOUBLES(struct channel) },
    .each = { DOUBLES(union resonator), DOUBLES(union step), 1 },
    .check = check,
    .step = step,
    .start = start,
    .run = run,
};
