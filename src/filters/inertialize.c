/* Inertialization: at a cut the jump in position and velocity becomes an offset from the new motion, which
 * decays as a critical spring (David Bollo, "Inertialization", GDC 2018; the decay as in Daniel Holden,
 * "Spring-Roll-Call"). Invariant: out = goal + offset; until the first cut the offset is exactly 0. */
#include "filters/filter.h"
#include "filters/transition.h"

struct settings {
    double halflife;
    int approx;
    double y; /* half damping, by check() */
};

struct state {
    double goal, x;      /* of the last row */
    double offset, rate; /* x - goal, and its velocity */
    double q;            /* the goal's velocity at the last row: 0 at the start and in a gap */
};

struct step {
    double T;
    struct transition phi;
};

static bool check(void *settings, struct error *e)
{
    struct settings *set = settings;
    struct given_option needed = { "halflife", set->halflife };
    if (!option_group_all("inertialize", &needed, 1, e))
        return error_hint(e, "how fast the offset decays, in seconds, for example -H 0.1");
    set->y = 2 * M_LN2 / set->halflife;
    return option_in_range(&needed, set->y, e);
}

static void step(const void *settings, double T, double *step)
{
    const struct settings *set = settings;
    *(struct step *)step = (struct step){ T, transition_critical(set->y, T, set->approx).add };
}

/* At a cut into this row the old motion is known up to the last row, and extrapolated over T with its
 * velocity q. The velocity of the new motion is that from here to the next row; when no next row is known
 * (the last row, or another cut) both velocities are assumed equal. The old position is x, not goal + offset:
 * the same number, but for rotations only the point is exact across a large jump. */
static inline void row(const void *settings, const double *step, const struct sample *sample, double *state,
                       double *out)
{
    const struct settings *set = settings;
    const struct step *k = (const struct step *)step;
    struct state *s = (struct state *)state;
    double g = sample->goal, before = s->offset, q = (g - s->goal) / k->T, acc = (q - s->q) / k->T;

    transition_apply(&k->phi, &s->offset, &s->rate);
    if (sample->flags & FLAG_GAP) {
        acc = 0; /* as q is, where the goal is repeated */
    } else if (sample->flags & FLAG_CUT) {
        q = sample->flags & FLAG_NO_NEXT ? s->q : (sample->next - g) / sample->next_T;
        s->offset = (s->x - g) + s->q * k->T + (s->offset - before);
        s->rate += s->q - q;
        acc = 0;
    }
    s->x = g + s->offset;
    s->q = q;
    s->goal = g;
    out[0] = s->x;
    out[1] = q + s->rate;
    out[2] = acc - set->y * (set->y * s->offset + 2 * s->rate);
}

static void start(const void *settings, double goal, double x, double *state, double *out)
{
    (void)settings;
    *(struct state *)state = (struct state){ .goal = goal, .x = x, .offset = x - goal };
    filter_start_at(x, out);
}

static double time_scale(const void *settings)
{
    const struct settings *set = settings;
    return 2 / set->y;
}

static const char *passes(const void *settings)
{
    (void)settings;
    return "--cuts, --cut-column and --detect-cuts say where they are";
}

static void run(const struct run *r)
{
    run_rows(r, row, start, DOUBLES(struct state), 3);
}

/* clang-format off */
static const struct param params[] = {
    { .name = "halflife", .letter = 'H', NUMBER(halflife, RANGE_POSITIVE, "S"),
      .help = "half-life of the offset after a cut, in seconds" },
    APPROX_OPTION(approx, APPROX_HELP),
};
/* clang-format on */

const struct filter filter_inertialize = {
    .name = "inertialize",
    .summary = "turns the jump at a cut into an offset that decays",
    .about =
        "When a clip is switched, inertialization plays the new clip at once and keeps only the difference "
        "between the old and the new pose and velocity. This offset is added to the new motion and decays, "
        "so that position and velocity are both continuous and two poses are never blended. Use it where "
        "the cuts are known and exact, as in stitched animation, and where the result should be the new "
        "motion itself: between cuts, once the offset has decayed, the input passes unchanged, and before "
        "the first cut bit for bit.\n\n"
        "The half-life H sets how fast the offset decays: a jump of position is down to a half after 1.2 H, "
        "to one percent after 4.8 H, with no lag behind the new motion. A jump of velocity dv first grows "
        "to an offset of 0.27 H dv, at 0.72 H. A short half-life may still look like a jump; a long one "
        "floats. Without marked or detected cuts it changes nothing: it does not smooth. It looks one row "
        "ahead, for the velocity of the new motion.",
    FILTER_OPTIONS(params),
    FILTER_STATE,
    .time_scale = time_scale,
    .ahead = 1,
    .points = 1U << 0 | 1U << 1, /* goal, x */
    .fading = 1U << 2 | 1U << 3, /* offset, rate */
    .rotations = true,
    .cuts = true,
    .passes = passes,
};
