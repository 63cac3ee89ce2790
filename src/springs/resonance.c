/* A bank of resonators driven by a channel: each responds to its own frequency. Method amplitude is the
 * demodulator z' = (-d/2 + iw) z + d g, which settles at |z| = a for a sine of amplitude a at w; method
 * energy is that of a damped spring (Daniel Holden, "Spring-Roll-Call", 2021: Resonance). Invariant: both are
 * driven by the deviation from the channel's start, so they are 0 until the channel moves. */
#include "springs/filter.h"
#include "springs/transition.h"

enum method { AMPLITUDE, ENERGY };
static const char *const methods[] = { "amplitude", "energy", NULL };

struct settings {
    struct halflife_settings spring; /* y: its damping */
    int method;
    struct numbers frequencies;
};

/* clang-format off */
static const struct param params[] = {
    HALFLIFE_OPTION("half-life of the resonators, in seconds: a longer one separates closer frequencies"),
    { .name = "frequencies", NUMBERS(frequencies, RANGE_POSITIVE, "F,F,...|LO:HI:N"),
      .help = "frequencies of the resonators in hertz, a list, or N from LO to HI with a constant ratio" },
    { .name = "method", CHOICE(method, methods), .fallback = "amplitude",
      .help = "the amplitude of each frequency in the channel, in its unit, or the energy of a spring, as published" },
};
/* clang-format on */

/* State of a channel: its start, then per frequency a resonator, from there: a spring, or z. */
struct resonator {
    double x, v; /* position and velocity, or real and imaginary part */
};

union step {
    struct transition spring;
    struct {
        double re, im; /* of the factor of z, less 1 */
        double push;   /* added to z per deviation of the channel */
    } z;
};

static bool check_frequencies(const struct numbers *frequencies, struct error *e)
{
    if (frequencies->nvalue == 0) {
        error_usage(e, "resonance needs --frequencies");
        return error_hint(
            e, "hertz, for example --frequencies 1,2,4 or, 16 with a constant ratio, --frequencies "
               "0.5:8:16");
    }
    if (!option_list_check("frequencies", frequencies, RUN_MAXANY, e))
        return false;
    const struct param each = { .name = "frequencies" }; /* its field is a value of the list */
    for (size_t i = 0; i < frequencies->nvalue; i++)
        if (!option_in_range(&each, &frequencies->value[i], 2 * M_PI * frequencies->value[i], e))
            return false;
    return true;
}

static bool check(void *settings, struct error *e)
{
    struct settings *set = settings;
    return (isnan(set->spring.halflife) || check_frequencies(&set->frequencies, e)) &&
           halflife_check("resonance", &set->spring, 4,
                          "how long the springs oscillate, in seconds, for example -H 0.5", e);
}

/* The row's value is demodulated, g exp(-iwt), and held as such over the step. To hold g itself would lose
 * sin(x)/x of a sine, x = w T/2. */
static void step(const void *settings, double T, double *step)
{
    const struct settings *set = settings;
    for (size_t i = 0; i < set->frequencies.nvalue; i++) {
        double w = 2 * M_PI * set->frequencies.value[i], turn = fmin(w * T, 0x1p1000), half = sin(turn / 2),
               left_m1 = expm1(-set->spring.y / 2 * T);
        union step k;
        if (set->method == ENERGY) {
            k.spring = transition_spring(w * w, set->spring.y, T, APPROX_NONE).add;
        } else {
            k.spring = (struct transition){ 0 }; /* the doubles that z leaves */
            k.z.re = left_m1 * cos(turn) - 2 * half * half;
            k.z.im = (1 + left_m1) * sin(turn);
            k.z.push = -2 * left_m1;
        }
        memcpy(step + i * DOUBLES(union step), &k, sizeof k);
    }
}

static inline double energy(const struct transition *phi, double w, double g, struct resonator *r)
{
    double e = r->x - g, v = r->v;
    r->x += phi->e_e * e + phi->e_v * v;
    r->v += phi->v_e * e + phi->v_v * v;
    return (r->v * r->v + w * w * r->x * r->x) / 2;
}

static inline double amplitude(const union step *k, double g, struct resonator *r)
{
    double re = r->x, im = r->v;
    r->x += k->z.re * re - k->z.im * im + k->z.push * g;
    r->v += k->z.im * re + k->z.re * im;
    return hypot(r->x, r->v);
}

static inline void row(const void *settings, const double *step, const struct sample *sample, double *state,
                       double *out)
{
    const struct settings *set = settings;
    double g = sample->goal - state[0];
    for (size_t i = 0; i < set->frequencies.nvalue; i++) {
        double *own_state = state + 1 + i * DOUBLES(struct resonator);
        union step k;
        struct resonator r;
        memcpy(&k, step + i * DOUBLES(union step), sizeof k);
        memcpy(&r, own_state, sizeof r);
        if (set->method == ENERGY)
            out[i] = energy(&k.spring, 2 * M_PI * set->frequencies.value[i], g, &r);
        else
            out[i] = amplitude(&k, g, &r);
        memcpy(own_state, &r, sizeof r);
    }
}

static void start(const void *settings, const struct first_row *first, double *state, double *out)
{
    const struct settings *set = settings;
    size_t n = set->frequencies.nvalue;
    state[0] = first->x;
    memset(state + 1, 0, n * sizeof(struct resonator));
    memset(out, 0, n * sizeof *out);
}

static void run(const struct run *r)
{
    run_any(r, row, start);
}

const struct filter filter_resonance = {
    .name = "resonance",
    .summary = "how much of given frequencies a channel has now",
    .about =
        "A bank of resonators: each is excited when the channel moves at its frequency, and then decays. "
        "The output per frequency F is the amplitude, in the channel's unit: a sine of amplitude a at F "
        "reads a, whatever the row rate, as long as it is above 2 F. It shows when a body bounces, trembles "
        "or walks in rhythm, and how fast: to drive a secondary motion, find the rhythm of a gait, or "
        "detect shaking. The channel itself is not changed.\n\n"
        "Frequencies F are a list, or LO:HI:N for N with a constant ratio. The half-life H trades response "
        "time against frequency resolution: without input, the amplitude falls to a quarter after H, and a "
        "new sine is read to three quarters after H; the bandwidth is 0.44/H, in hertz. To separate 2 from "
        "2.5 hertz takes H near 1 s. On a steady sine the output varies by a part of 0.11/(H F), twice per "
        "period.\n\n"
        "It is not a spectrum: the resonators respond with a delay, their bands overlap, and a constant "
        "offset c of the channel counts as 0.44 c/(H F). Method energy gives the energy of a spring, in "
        "units of velocity squared, instead: on a steady sine (2 pi F)^4 a^2 H^2/15.4, so that it grows "
        "with the frequency.",
    .equation = "z <- E exp(i w T) z + 2 (1 - E) (g - first g)     output |z|     w = 2 pi F\n"
                "E = exp(-d T / 2)     d = 4 ln 2 / H\n"
                "--method energy: (v^2 + w^2 e^2) / 2 of a spring with stiffness w^2 and\n"
                "damping d, e from first g",
    .examples = "sprung resonance --halflife 0.5 --frequencies 4,6,8 take.csv > tremor.csv\n"
                "sprung resonance --halflife 1 --frequencies 50 sensor.csv > hum.csv",
    FILTER_OPTIONS(params),
    .fading = ~1U, /* all resonators */
    .keeps_cell = true,
    .no_start_velocity = "its resonators start at rest",
    .shape = { .nstate = 1 },
    .each = { DOUBLES(struct resonator), DOUBLES(union step), 1 },
    .values = FIELD(frequencies),
    .check = check,
    .step = step,
    .start = start,
    .run = run,
};
