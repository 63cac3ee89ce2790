/* Inertialization: at a cut the jump in position and velocity becomes an offset on the new motion, which a
 * critical spring lets decay (David Bollo, "Inertialization", GDC 2018; the decay as in Daniel Holden,
 * "Spring-Roll-Call"). Invariant: out = goal + offset; until the first cut the offset is exactly 0. */
#include "filters/filter.h"
#include "filters/option_groups.h"
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
    struct phi phi;
};

static void step(const void *settings, double T, double *step)
{
    const struct settings *set = settings;
    *(struct step *)step = (struct step){ T, phi_critical(set->y, T, set->approx) };
}

/* At a cut into this row the old motion is known up to the last row: it is taken on for T with its velocity
 * q, and so are its place and speed here. The new motion's speed is that from here to the next row; when no
 * next row is known (the last row, or one more cut) the speeds are taken to be alike. x, not goal + offset,
 * is the old place: it is the same number, but of rotations only the point is exact across a large jump. */
static inline void row(const void *settings, const double *step, const struct sample *sample, double *state,
                       double *out)
{
    const struct settings *set = settings;
    const struct step *k = (const struct step *)step;
    struct state *s = (struct state *)state;
    double g = sample->goal, before = s->offset, q = (g - s->goal) / k->T, acc = (q - s->q) / k->T;

    phi_apply(&k->phi, &s->offset, &s->rate);
    if (sample->mark & FLAG_GAP) {
        acc = 0; /* as q is, where the goal is repeated */
    } else if (sample->mark & FLAG_CUT) {
        q = sample->mark & FLAG_NO_NEXT ? s->q : (sample->next - g) / sample->next_T;
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
    out[0] = x;
    out[1] = out[2] = 0;
}

static void run(const struct run *r)
{
    run_rows(r, row, start, sizeof(struct state) / sizeof(double), 3);
}

static struct shape shape(const void *settings)
{
    (void)settings;
    return (struct shape){ sizeof(struct state) / sizeof(double), sizeof(struct step) / sizeof(double), 3 };
}

static bool check(void *settings, struct error *e)
{
    struct settings *set = settings;
    struct given needed = { "halflife", set->halflife };
    if (!given_all("inertialize", &needed, 1, e))
        return error_hint(e, "how fast a jump fades, in seconds, for example -H 0.1");
    set->y = 2 * M_LN2 / set->halflife;
    return given_fits(&needed, set->y, e);
}

#define FIELD(name) offsetof(struct settings, name)

static const struct param params[] = {
    { .name = "halflife",
      .letter = 'H',
      .kind = PARAM_NUMBER,
      .range = RANGE_POSITIVE,
      .value = "S",
      .offset = FIELD(halflife),
      .help = "half-life of the offset that a cut leaves, in seconds" },
    { .name = "approx",
      .kind = PARAM_CHOICE,
      .choices = phi_approximations,
      .offset = FIELD(approx),
      .help = "take the exponential as game engines approximate it" },
};

static const char about[] =
    "When a clip is switched, inertialization plays the new clip at once and only remembers by how much "
    "the old pose and its speed differ. That difference is laid over the new motion and fades. The body "
    "seems to have weight: it leaves the old motion smoothly, position and velocity both continue, and "
    "it never blends two poses. Choose it where the cuts are known and exact, as in stitched animation, "
    "and where what follows should be the new motion itself; between cuts, once the offset is gone, the "
    "input passes unchanged, and before the first cut it does so bit for bit.\n\n"
    "The half-life H says how fast the offset fades: a jump of position is down to a half after 1.2 H, "
    "to one percent after 4.8 H, with no lag at all behind the new motion. A jump of velocity dv first "
    "grows to an offset of 0.27 H dv, at 0.72 H. Short is snappy and may look like a pop; long floats. "
    "Without marked or detected cuts it does nothing: it is no smoother. It looks one row ahead, for "
    "the speed of the new motion.";

const struct filter filter_inertialize = {
    .name = "inertialize",
    .summary = "turns the jump at a cut into an offset that fades",
    .about = about,
    .params = params,
    .nparam = sizeof params / sizeof *params,
    .settings_size = sizeof(struct settings),
    .ahead = 1,
    .points = 1U << 0 | 1U << 1, /* goal, x */
    .fading = 1U << 2 | 1U << 3, /* offset, rate */
    .rotations = true,
    .cuts = true,
    .check = check,
    .shape = shape,
    .step = step,
    .start = start,
    .run = run,
};
