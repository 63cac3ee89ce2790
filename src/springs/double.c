/* The double spring: a first critical spring follows the goal, and a second critical spring follows the
 * first, each with half of the half-life. After Daniel Holden, "Spring-Roll-Call" (2021): Double Spring. In
 * method published, which is Holden's, the goal of the second spring is the position of the first spring at
 * the end of the step. Method exact solves both springs together, so that steps compose. Invariant: the state
 * is the error of the first spring from the goal, the error of the second spring from the first, and both
 * rates. */
#include "springs/cutoff.h"
#include "springs/filter_words.h"
#include "springs/option_groups.h"
#include "springs/run_rows.h"
#include "springs/spring_step.h"

#include <math.h>

enum method { EXACT, PUBLISHED };
static const char *const methods[] = { "exact", "published", NULL };

struct settings {
    struct filter_common common;
    double halflife;
    int method;
    double y; /* half damping of either spring, 1/s, by check() */
};

/* clang-format off */
static const struct param params[] = {
    { .name = "halflife", .letter = 'H', NUMBER(halflife, RANGE_POSITIVE, "S"),
      .help = "total half-life in seconds, such as 0.1",
      .more = "Each of the two springs has half of it" },
    CUTOFF_OPTION(CUTOFF_MORE, EACH_METHOD),
    HOLD_OPTION(METHOD(EXACT)),
    APPROX_OPTION("for published: approximate exp() as Holden or Unreal do", METHOD(PUBLISHED)),
    { .name = "method", CHOICE(method, methods), .fallback = "exact",
      .help = "exact for any time step, or as published" },
    PREDICT_OPTION(METHOD(EXACT)),
};
/* clang-format on */

struct both {
    double e1, v1; /* first spring: position less goal, and velocity */
    double e, v;   /* second spring, the output: position less position of the first spring, and velocity */
};

struct state {
    double goal;
    struct both at;
};

struct step {
    /* Each spring separately: its error and velocity after the step per error and velocity before it. */
    struct spring_part e_e, v_v;
    double e_v, v_e;
    /* Added to error and velocity of the second spring, per error and velocity of the first spring. */
    double e_e1, e_v1, v_e1, v_v1;
    struct both both; /* added to both springs per change of the goal over the step */
    double y;         /* half damping of either spring, 1/s */
};

static bool check(void *settings, struct error *e)
{
    struct settings *set = settings;
    double natural = set->common.cutoff / filter_cutoff(1, 0, 2, false);
    const struct alternative half_dampings[] = {
        { "halflife", 4 * M_LN2 / set->halflife },
        { "cutoff", 2 * M_PI * natural },
        { NULL, 0 },
    };
    if (!option_group_one(set, half_dampings, &set->y, e))
        return false;
    set->common.equation = (struct continuous){ set->y * set->y, 2 * set->y, 0, 2 };
    set->common.linear = true;
    return true;
}

/* Coefficients of both springs solved together: the first spring's error, exp(-yt) (e1 + (v1 + y e1) t),
 * drives the second spring all through the step. u = yT. */
static void set_exact(struct step *step, double y, double T, int hold)
{
    double u = fmin(y * T, 1000), E = exp(-u); /* above 1000 E is 0, and u^3 must not overflow */
    step->e_e1 = E * (u * u / 2 * (1 + u / 3));
    step->e_v1 = T * (E * (u * u / 6 - 1));
    step->v_e1 = -y * (E * (u * u * u / 6));
    step->v_v1 = E * (u * u / 2 * (1 - u / 3));
    if (hold != HOLD_LINEAR) {
        step->both = (struct both){ -E * (1 + u), y * (E * u), -step->e_e1, -step->v_e1 };
    } else {
        double passed[5], over_u = 1 / fmax(y * T, DBL_MIN);
        for (int i = 1; i < 5; i++)
            passed[i] = transition_passed(i, y * T, APPROX_NONE);
        step->both.e1 = y * T > DBL_MIN ? -(passed[1] + passed[2]) * over_u : -1;
        step->both.v1 = passed[2] / T;
        step->both.e = -(passed[3] + passed[4]) * over_u;
        step->both.v = passed[4] / T;
    }
}

/* The first spring makes a step, then the second spring makes a step toward the new position of the first. */
static void set_published(struct step *step, const struct transition_full *phi)
{
    step->e_e1 = -phi->ee * phi->add.e_e;
    step->e_v1 = -phi->ee * phi->add.e_v;
    step->v_e1 = -phi->add.v_e * phi->add.e_e;
    step->v_v1 = -phi->add.v_e * phi->add.e_v;
    step->both = (struct both){ -phi->ee, -phi->add.v_e, -step->e_e1, -step->v_e1 };
}

static void step(const void *settings, double T, void *to)
{
    const struct settings *set = settings;
    struct step *step = to;
    const double y = cutoff_equation(set, T).d / 2;
    struct transition_full phi = transition_critical(y, T, set->common.approx);
    *step = (struct step){
        .e_e = spring_part(phi.ee, phi.add.e_e),
        .v_v = spring_part(phi.vv, phi.add.v_v),
        .e_v = phi.add.e_v,
        .v_e = phi.add.v_e,
        .y = y,
    };
    if (set->method == EXACT)
        set_exact(step, y, T, set->common.hold);
    else
        set_published(step, &phi);
}

RUN_INLINE void row(const void *settings, const void *of_step, const struct sample *sample, void *of_channel,
                    double *out)
{
    const struct step *step = of_step;
    struct state *state = of_channel;
    const struct both both = state->at;
    (void)settings;
    double change = sample->goal - state->goal;
    state->goal = sample->goal;
    state->at.e1 = step->e_e.kept * both.e1 +
                   (step->e_e.rest * both.e1 + (step->e_v * both.v1 + step->both.e1 * change));
    state->at.v1 = step->v_v.kept * both.v1 +
                   (step->v_v.rest * both.v1 + (step->v_e * both.e1 + step->both.v1 * change));
    state->at.e = step->e_e.kept * both.e +
                  ((step->e_e.rest * both.e + step->e_v * both.v) +
                   (step->e_e1 * both.e1 + (step->e_v1 * both.v1 + step->both.e * change)));
    state->at.v = step->v_v.kept * both.v +
                  ((step->v_v.rest * both.v + step->v_e * both.e) +
                   (step->v_e1 * both.e1 + (step->v_v1 * both.v1 + step->both.v * change)));
    double a = step->y * (step->y * (0 - state->at.e) + 2 * (0 - state->at.v));
    filter_put(out, state->goal + (state->at.e1 + state->at.e), state->at.v, a);
}

/* Both springs are at the initial position and move with the initial velocity. */
static void start(const void *settings, const struct first_row *first, void *of_channel, double *out)
{
    const struct settings *set = settings;
    struct state *state = of_channel;
    double v = first->velocity;
    *state = (struct state){ first->goal, { first->x - first->goal, v, 0, v } };
    filter_put(out, first->x, v, 2 * set->y * (0 - v));
}

static void run(const struct run *r)
{
    run_rows(r, row, start, DOUBLES(struct state), 3);
}

static const struct filter_words words = {
    .summary = "two critical springs in series: S-shaped response, soft start and stop",
    .about =
        "Two critical springs: the second follows the first. The response to a step is S-shaped, close to "
        "what an animator draws, and even the acceleration is continuous when the input jumps. Use it for "
        "eased transitions, camera moves and interface elements, and as a fourth-order low-pass, which "
        "removes more noise than critical at the same lag.\n\n"
        "After a step it has covered 50 percent of the distance after 1.32 half-lives H, 90 percent after "
        "2.41 H, 99 percent after 3.62 H: later than critical at first, sooner at the end. Its lag behind "
        "constant-velocity motion is that of critical.\n\n"
        "Method exact solves both springs together. The published form steps the first spring, then the "
        "second one toward its new position; it is about half a row ahead.",
    .equation = "two critical springs in series, half-life H / 2: e1 = x1 - g, e = x - x1\n"
                "y = 4 ln 2 / H    E = exp(-y T)    j = v1 + y e1    k = v + y e    u = y T\n"
                "e  <- E (e + k T) + E u^2 (1/2 + u/6) e1 + T E (u^2/6 - 1) v1\n"
                "v  <- E (v - k u) - y E u^3/6 e1 + E u^2 (1/2 - u/6) v1\n"
                "e1 <- E (e1 + j T)     v1 <- E (v1 - j u)     x = g + e1 + e\n"
                "stiffness y^2, damping 2 y of each     cutoff of one pass = 0.4350 y / (2 pi)",
    .examples = "sprung double --halflife 0.2 take.csv > eased.csv\n"
                "sprung double --cutoff 6 take.csv > clean.csv",
};

const struct filter filter_double = {
    .name = "double",
    .words = &words,
    FILTER_OPTIONS(params),
    .shape = { DOUBLES(struct state), DOUBLES(struct step), 3 },
    .check = check,
    .step = step,
    .start = start,
    .run = run,
    .each = { .nout = 2 },
};
