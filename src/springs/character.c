/* A character steered by a desired velocity: the channel is the desired velocity, a critical spring moves the
 * real velocity toward the desired velocity, and the position is the exact integral of the real velocity
 * (Daniel Holden, "Spring-Roll-Call", 2021; "Code vs Data Driven Displacement", 2021). A prediction is a step
 * of the given length with the desired velocity held. Invariant: velocity and acceleration are the
 * derivatives of the position at any T; a row does not depend on predictions; the position of a slow
 * character is as accurate as the position of a quick character, although the slow character goes only a
 * small part of the way at the desired velocity. */
#include "springs/filter_words.h"
#include "springs/option_groups.h"
#include "springs/run_rows.h"
#include "springs/transition.h"

struct settings {
    struct filter_common common;
    double halflife; /* option, s */
    double y;        /* half the damping of a critical spring, 1/s, by check() */
};

/* A sum of many parts, value + low: low holds the digits that value has no room for. */
struct sum {
    double value, low;
};

struct state {
    double goal;
    struct sum x, v; /* position and velocity; v may be a small part of the goal, or nearly equal to it */
    double a;        /* acceleration */
};

/* A step of T. With e = v - g: x += v T - x_e e + x_a a, then Phi moves (e, a). */
struct step {
    double T, x_e, x_a;
    struct transition phi;
};

static bool check(void *settings, struct error *e)
{
    struct settings *set = settings;
    (void)e;
    set->y = 2 * M_LN2 / set->halflife;
    set->common.time_scale = 2 / set->y;
    return true;
}

/* x_a, x_e: integrals of t exp(-yt), 1 - (1 + yt) exp(-yt) from 0 to T. */
static void step(const void *settings, double T, void *to)
{
    const struct settings *set = settings;
    struct step *step = to;
    const double y = set->y, passed = transition_passed(2, y * T, set->common.approx),
                 third = transition_passed(3, y * T, set->common.approx);
    *step = (struct step){
        .T = T,
        .x_e = T * passed - 2 * third / y,
        .x_a = passed / (y * y),
        .phi = transition_critical(y, T, set->common.approx).add,
    };
}

/* Adds x to the sum. The rounding error of the addition is computed exactly, and kept in sum->low (Knuth,
 * "The Art of Computer Programming", 4.2.2). */
static inline void add(struct sum *sum, double x)
{
    double part = sum->low + x, value = sum->value + part, added = value - sum->value;
    sum->low = (sum->value - (value - added)) + (part - added);
    sum->value = value;
}

RUN_INLINE void row(const void *settings, const void *of_step, const struct sample *sample, void *of_channel,
                    double *out)
{
    const struct step *step = of_step;
    struct state *state = of_channel;
    (void)settings;
    state->goal = sample->goal;
    double e = state->v.value - state->goal + state->v.low;
    add(&state->x, state->v.value * step->T + (step->x_a * state->a - step->x_e * e));
    add(&state->v, step->phi.e_e * e + step->phi.e_v * state->a);
    transition_apply(&step->phi, &e, &state->a);
    filter_put(out, state->x.value, state->v.value, state->a);
}

/* The character starts at rest or with the initial velocity. The desired velocity of the first row acts from
 * the next row on, but in the predictions of the first row already. */
static void start(const void *settings, const struct first_row *first, void *of_channel, double *out)
{
    struct state *state = of_channel;
    (void)settings;
    *state = (struct state){ .goal = first->goal, .x = { first->x, 0 }, .v = { first->velocity, 0 } };
    filter_put(out, first->x, first->velocity, 0);
}

static void run(const struct run *r)
{
    run_rows(r, row, start, DOUBLES(struct state), 3);
}

/* clang-format off */
static const struct param params[] = {
    HALFLIFE_OPTION("half-life of the approach to the desired velocity in seconds, such as 0.1",
                    "how fast the desired velocity is reached, in seconds, for example -H 0.2"),
    { .name = "predict", NUMBERS(common.values, RANGE_POSITIVE, "S,S,..."),
      .help = "also predict position, velocity and acceleration S seconds ahead",
      .more = "Assumes a constant desired velocity" },
    APPROX_OPTION(APPROX_HELP, EACH_METHOD),
};
/* clang-format on */

static const struct filter_words words = {
    .summary = "turns a desired velocity into a position, and predicts it",
    .about = "The input is a desired velocity, as a stick or a planner gives it; each channel is one axis. "
             "The character's velocity approaches it smoothly. The output is the position that results, with "
             "velocity and acceleration. It starts at rest, at 0 or at --start.\n\n"
             "The half-life H is the agility: 0.1 s is nimble, 0.5 s a heavy walker. The velocity lags by "
             "1.44 H seconds and is within one percent of a new desired velocity after 4.8 H. If the desired "
             "velocity drops from v to 0, the character still moves 1.44 H v. --predict adds the trajectory "
             "that motion matching and foot placement need.\n\n"
             "Do not give it positions: it would integrate them. Use critical or spring.",
    .equation = "v: velocity toward the desired velocity g, a: acceleration, p: position\n"
                "y = 2 ln 2 / H     j = v - g     k = a + y j     E = exp(-y T)\n"
                "p <- p + g T + k / y^2 + j / y - E (k / y^2 + (j + k T) / y)\n"
                "v <- g + E (j + k T)     a <- E (a - k y T)",
    .examples = "sprung character --halflife 0.1 stick.csv > path.csv\n"
                "sprung character --halflife 0.1 --predict 0.2,0.5 stick.csv > path.csv",
};

const struct filter filter_character = {
    .name = "character",
    .words = &words,
    FILTER_OPTIONS(params),
    .other_unit = true,
    .shape = { DOUBLES(struct state), DOUBLES(struct step), 3 },
    .each = { .nout = 3 },
    .check = check,
    .step = step,
    .start = start,
    .run = run,
};
