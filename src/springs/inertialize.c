/* Inertialization: at a cut the jump in position and velocity becomes an offset from the new motion, which
 * decays as a critical spring (David Bollo, "Inertialization", GDC 2018; the decay as in Daniel Holden,
 * "Spring-Roll-Call"). Invariant: out = goal + offset; until the first cut the offset is exactly 0. */
#include "springs/filter_words.h"
#include "springs/option_groups.h"
#include "springs/run_rows.h"
#include "springs/transition.h"

struct settings {
    struct filter_common common;
    double halflife; /* option, s */
    double y;        /* half the damping of a critical spring, 1/s, by check() */
};

struct state {
    double goal, x; /* goal and output of the last row */
    double offset;  /* x - goal */
    double rate;    /* velocity of the offset */
    double q;       /* velocity of the goal at the last row; 0 at the start and in a gap */
    double v;       /* velocity of the output at the last row */
};

struct step {
    double T;
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

static void step(const void *settings, double T, void *to)
{
    const struct settings *set = settings;
    struct step *step = to;
    *step = (struct step){ T, transition_critical(set->y, T, set->common.approx).add };
}

/* The goal's velocity in this row. old: the goal's velocity at the last row; slope: from the last row to this
 * row. After a cut the goal's velocity is the slope to the next row; when no next row is known (the last row,
 * or another cut) the old velocity is assumed. */
static inline double goal_velocity(double old, const struct sample *sample, double slope)
{
    if (!(sample->flags & FLAG_CUT) || sample->flags & FLAG_GAP)
        return slope; /* 0 in a gap, where the goal is repeated */
    return sample->flags & FLAG_NO_NEXT ? old : (sample->next - sample->goal) / sample->next_T;
}

static double drift(const void *settings, const void *of_channel, const struct sample *sample, double slope)
{
    const struct state *state = of_channel;
    (void)settings;
    return goal_velocity(state->q, sample, slope);
}

/* At a cut into this row the old motion is known up to the last row, and extrapolated over T with the
 * velocity v - rate. The position and the velocity of the old motion are taken from x and v. For
 * numbers goal + offset and q + rate are equal to x and v, but not for rotations across a large jump. */
static inline void row(const void *settings, const void *of_step, const struct sample *sample,
                       void *of_channel, double *out)
{
    const struct step *step = of_step;
    struct state *state = of_channel;
    const double y = ((const struct settings *)settings)->y;
    double g = sample->goal, offset = state->offset, rate = state->rate;
    double q = goal_velocity(state->q, sample, (g - state->goal) / step->T), acc = (q - state->q) / step->T;

    transition_apply(&step->phi, &state->offset, &state->rate);
    if (sample->flags & FLAG_GAP) {
        acc = 0;
    } else if (sample->flags & FLAG_CUT) {
        state->offset = (state->x - g) + (state->v - rate) * step->T + (state->offset - offset);
        state->rate = (state->v - q) + (state->rate - rate);
        acc = 0;
    }
    state->x = g + state->offset;
    state->v = q + state->rate;
    state->q = q;
    state->goal = g;
    filter_put(out, state->x, state->v, acc - y * (y * state->offset + 2 * state->rate));
}

static void start(const void *settings, const struct first_row *first, void *of_channel, double *out)
{
    struct state *state = of_channel;
    const double v = first->velocity, offset = first->x - first->goal;
    (void)settings;
    *state = (struct state){ .goal = first->goal, .x = first->x, .offset = offset, .rate = v, .v = v };
    filter_put(out, first->x, v, 0);
}

static void run(const struct run *r)
{
    run_rows(r, row, start, DOUBLES(struct state), 3);
}

/* clang-format off */
static const struct param params[] = {
    HALFLIFE_OPTION("half-life of the offset after a cut in seconds, such as 0.1",
                    "how fast the offset decays, in seconds, for example -H 0.1"),
    APPROX_OPTION(APPROX_HELP, EACH_METHOD),
};
/* clang-format on */

static const struct filter_words words = {
    .summary = "turns the jump at a cut into an offset that decays",
    .about =
        "Inertialization plays the new clip immediately and keeps only the difference from the old pose and "
        "velocity. This offset is added to the new motion and decays, so position and velocity are "
        "continuous and two poses are never blended. Use it where the cuts are known, as in stitched "
        "animation. Before the first cut or gap the output is the input, bit for bit. Once the offset has "
        "decayed, the input passes unchanged again.\n\n"
        "A jump of position is down to a half after 1.2 half-lives H and to one percent after 4.8 H, with no "
        "lag behind the new motion. After a velocity jump dv the offset grows to 0.27 H dv at 0.72 H after "
        "the cut, then decays. A short half-life may still look like a jump; a long one floats. A gap counts "
        "as a cut: the output eases to the values after it. It does not smooth: without cuts and gaps it "
        "changes nothing. It looks one row ahead, for the velocity of the new motion.",
    .equation = "x = g + o     (o, r) <- a step of critical toward 0 (r: rate of o); at a cut\n"
                "o <- o + (g_before + q_before T) - g     r <- r + q_before - q\n"
                "q: velocity of the goal (at a cut: of the new motion)",
    .examples = "sprung inertialize --halflife 0.1 --cuts 2.5,4 take.csv > joined.csv\n"
                "sprung inertialize --halflife 0.1 --detect-cuts 30 take.csv > joined.csv",
};

const struct filter filter_inertialize = {
    .name = "inertialize",
    .words = &words,
    FILTER_OPTIONS(params),
    .shape = { DOUBLES(struct state), DOUBLES(struct step), 3 },
    .check = check,
    .step = step,
    .start = start,
    .run = run,
    .ahead = 1,
    .drift = drift,
    .rotations = "gx---v",
    .cuts = true,
};
