/* A bank of springs driven by a channel: each responds to its own frequency, and its energy measures how much
 * of that frequency is present now (Daniel Holden, "Spring-Roll-Call", 2021: Resonance). Invariant: the
 * energy is that of the deviation from the channel's start, so it is 0 until the channel moves. */
#include "filters/filter.h"
#include "filters/transition.h"
#include "number/number.h"

#include <stdio.h>

struct settings {
    double halflife;
    struct numbers frequencies;
    double d; /* damping, 1/s, by check() */
};

/* State of a channel: its start, then per frequency a spring, x from there. */
struct spring {
    double x, v;
};

static bool check(void *settings, struct error *e)
{
    struct settings *set = settings;
    const struct numbers *frequencies = &set->frequencies;
    struct given_option needed = { "halflife", set->halflife };
    if (!option_group_all("resonance", &needed, 1, e))
        return error_hint(e, "how long the springs oscillate, in seconds, for example -H 0.5");
    if (frequencies->nvalue == 0) {
        error_usage(e, "resonance needs --frequencies");
        return error_hint(
            e, "hertz, for example --frequencies 1,2,4 or, 16 with a constant ratio, --frequencies "
               "0.5:8:16");
    }
    if (!option_list_check("frequencies", frequencies, RUN_MAXANY, e))
        return false;
    for (size_t i = 0; i < frequencies->nvalue; i++) {
        struct given_option frequency = { "frequencies", frequencies->value[i] };
        if (!option_in_range(&frequency, 2 * M_PI * frequency.value, e))
            return false;
    }
    set->d = 4 * M_LN2 / set->halflife;
    return option_in_range(&needed, set->d, e);
}

static inline double stiffness(const struct settings *set, size_t i)
{
    double w = 2 * M_PI * set->frequencies.value[i];
    return w * w;
}

static void step(const void *settings, double T, double *step)
{
    const struct settings *set = settings;
    struct transition *phi = (struct transition *)step;
    for (size_t i = 0; i < set->frequencies.nvalue; i++)
        phi[i] = transition_spring(stiffness(set, i), set->d, T, APPROX_NONE).add;
}

static inline void row(const void *settings, const double *step, const struct sample *sample, double *state,
                       double *out)
{
    const struct settings *set = settings;
    const struct transition *phi = (const struct transition *)step;
    struct spring *spring = (struct spring *)(state + 1);
    double g = sample->goal - state[0];
    for (size_t i = 0; i < set->frequencies.nvalue; i++) {
        double x = spring[i].x, v = spring[i].v, e = x - g;
        x += phi[i].e_e * e + phi[i].e_v * v;
        v += phi[i].v_e * e + phi[i].v_v * v;
        spring[i] = (struct spring){ x, v };
        out[i] = (v * v + stiffness(set, i) * x * x) / 2;
    }
}

static void start(const void *settings, double goal, double x, double *state, double *out)
{
    const struct settings *set = settings;
    size_t n = set->frequencies.nvalue;
    (void)goal;
    state[0] = x;
    memset(state + 1, 0, n * sizeof(struct spring));
    memset(out, 0, n * sizeof *out);
}

static double time_scale(const void *settings)
{
    const struct settings *set = settings;
    return 2 / set->d;
}

static void run(const struct run *r)
{
    run_any(r, row, start);
}

static struct shape shape_of(const void *settings)
{
    const struct settings *set = settings;
    size_t n = set->frequencies.nvalue;
    return (struct shape){ 1 + n * DOUBLES(struct spring), n * DOUBLES(struct transition), n };
}

static void output(const void *settings, size_t o, struct output *output)
{
    const struct settings *set = settings;
    char text[NUMBER_MAX];
    size_t length = number_print(text, set->frequencies.value[o], &number_shortest);
    output->derivative = 0;
    snprintf(output->suffix, sizeof output->suffix, "@%.*s", (int)length, text);
}

/* clang-format off */
static const struct param params[] = {
    { .name = "halflife", .letter = 'H', NUMBER(halflife, RANGE_POSITIVE, "S"),
      .help = "half-life of the springs, in seconds: a longer one separates closer frequencies" },
    { .name = "frequencies", NUMBERS(frequencies, RANGE_POSITIVE, "F,F,...|LO:HI:N"),
      .help = "frequencies of the springs in hertz, a list, or N from LO to HI with a constant ratio" },
};
/* clang-format on */

const struct filter filter_resonance = {
    .name = "resonance",
    .summary = "how strongly a channel excites springs of given frequencies",
    .about =
        "A bank of resonators: each spring is excited when the channel moves at its frequency, and then "
        "decays. The output per frequency is the energy of its oscillation, which shows when a body "
        "bounces, trembles or walks in rhythm, and how fast: to drive a secondary motion, find the rhythm "
        "of a gait, or detect shaking. The channel itself is not changed.\n\n"
        "Frequencies F are a list, or LO:HI:N for N with a constant ratio. The half-life H trades response "
        "time against frequency resolution: without input, a spring has a quarter of its amplitude after H "
        "and one percent of its energy after 1.66 H; its bandwidth is 0.44/H, in hertz. To separate 2 from "
        "2.5 hertz takes H near 1 s. A steady sine of amplitude a at F reaches the energy (2 pi F)^4 a^2 "
        "H^2/15.4, in units of velocity squared, so compare channels rather than frequencies.\n\n"
        "It is not a spectrum: the springs respond with a delay, their bands overlap, and a constant offset "
        "c of the channel counts as (2 pi F)^2 c^2/2.",
    FILTER_OPTIONS(params),
    .fading = ~1U, /* all springs */
    .keeps_cell = true,
    .shape_of = shape_of,
    .output = output,
    .start = start,
    .time_scale = time_scale,
    .run = run,
};
