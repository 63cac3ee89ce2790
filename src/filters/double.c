/* The double spring: a critical spring chases a critical spring that chases the goal, each of half the
 * half-life. After Daniel Holden, "Spring-Roll-Call" (2021): Double Spring; that is method published, in
 * which the second spring sees where the first one ends its step. Method exact solves both together, so
 * that steps compose. Invariant: the state is two errors, of the first spring from the goal and of the
 * second from the first, and their rates. */
#include "filters/spring_step.h"
#include "filters/option_groups.h"

#include <float.h>

enum method { EXACT, PUBLISHED };

static const char *const methods[] = { "exact", "published", NULL };

struct settings {
    double halflife;
    int method, hold, approx;
    double y; /* half damping of either spring, 1/s, by check() */
};

struct both {
    double e1, v1; /* the first spring, from the goal */
    double e, v;   /* the second one, which is printed, from the first */
};

struct state {
    double goal;
    struct both at;
};

struct step {
    struct chase_part e_e, v_v; /* of either spring by itself */
    double e_v, v_e;
    double e_e1, e_v1, v_e1, v_v1; /* what the first spring's way adds to the second one's state */
    struct both g;                 /* what the goal's way over the step adds */
    double y;
};

enum { NSTATE = sizeof(struct state) / sizeof(double), NOUT = 3 };

/* 1 - exp(-u) (1 + u + ... u^(k-1)/(k-1)!): the part of a step of the goal, or of its velocity, that k
 * equal lags in a row have passed on after u of their times. For small u the rest of the sum is taken, as
 * the difference would cancel. */
static double passed(int k, double u)
{
    double E = exp(-u), term = E, sum = 0, rest = 0;
    if (u > 1) {
        for (int i = 0; i < k; term *= fmin(u, 1000) / ++i)
            sum += term;
        return 1 - sum;
    }
    for (int i = 0; i < k + 20; term *= u / ++i)
        if (i >= k)
            rest += term;
    return rest;
}

/* Solved together: e1 = exp(-yt) (e1 + (v1 + y e1) t) drives the second spring. u = yT. */
static void exact(struct step *k, double y, double T, int hold)
{
    double u = fmin(y * T, 1000), E = exp(-u); /* past 1000 nothing is left, and u^3 must not overflow */
    k->e_e1 = E * (u * u / 2 * (1 + u / 3));
    k->e_v1 = T * (E * (u * u / 6 - 1));
    k->v_e1 = -y * (E * (u * u * u / 6));
    k->v_v1 = E * (u * u / 2 * (1 - u / 3));
    if (hold == HOLD_STEP) {
        k->g = (struct both){ -E * (1 + u), y * (E * u), -k->e_e1, -k->v_e1 };
    } else {
        double first = passed(2, y * T), both = passed(4, y * T), over_u = 1 / fmax(y * T, DBL_MIN);
        k->g.e1 = y * T > DBL_MIN ? -(passed(1, y * T) + first) * over_u : -1;
        k->g.v1 = first / T;
        k->g.e = -(passed(3, y * T) + both) * over_u;
        k->g.v = both / T;
    }
}

/* One after the other: the second spring's goal is where the first one ends its step. */
static void published(struct step *k, const struct phi_full *phi)
{
    k->e_e1 = -phi->ee * phi->add.e_e;
    k->e_v1 = -phi->ee * phi->add.e_v;
    k->v_e1 = -phi->add.v_e * phi->add.e_e;
    k->v_v1 = -phi->add.v_e * phi->add.e_v;
    k->g = (struct both){ -phi->ee, -phi->add.v_e, -k->e_e1, -k->v_e1 };
}

static void step(const void *settings, double T, double *step)
{
    const struct settings *set = settings;
    struct step *k = (struct step *)step;
    struct phi_full phi = phi_critical_full(set->y, T, set->approx);
    *k = (struct step){ .e_e = chase_part(phi.ee, phi.add.e_e),
                        .v_v = chase_part(phi.vv, phi.add.v_v),
                        .e_v = phi.add.e_v,
                        .v_e = phi.add.v_e,
                        .y = set->y };
    if (set->method == EXACT)
        exact(k, set->y, T, set->hold);
    else
        published(k, &phi);
}

RUN_INLINE void row(const void *settings, const double *step, const struct sample *sample, double *state,
                    double *out)
{
    (void)settings;
    const struct step *k = (const struct step *)step;
    struct state *s = (struct state *)state;
    struct both b = s->at;
    double way = sample->goal - s->goal;
    s->goal = sample->goal;
    s->at.e1 = k->e_e.kept * b.e1 + (k->e_e.rest * b.e1 + (k->e_v * b.v1 + k->g.e1 * way));
    s->at.v1 = k->v_v.kept * b.v1 + (k->v_v.rest * b.v1 + (k->v_e * b.e1 + k->g.v1 * way));
    s->at.e = k->e_e.kept * b.e +
              ((k->e_e.rest * b.e + k->e_v * b.v) + (k->e_e1 * b.e1 + (k->e_v1 * b.v1 + k->g.e * way)));
    s->at.v = k->v_v.kept * b.v +
              ((k->v_v.rest * b.v + k->v_e * b.e) + (k->v_e1 * b.e1 + (k->v_v1 * b.v1 + k->g.v * way)));
    out[0] = s->goal + (s->at.e1 + s->at.e);
    out[1] = s->at.v;
    out[2] = k->y * (k->y * (0 - s->at.e) + 2 * (0 - s->at.v));
}

/* Both springs are at rest at x. */
static void start(const void *settings, double goal, double x, double *state, double *out)
{
    (void)settings;
    *(struct state *)state = (struct state){ goal, { x - goal, 0, 0, 0 } };
    out[0] = x;
    out[1] = out[2] = 0;
}

static void run(const struct run *r)
{
    run_rows(r, row, start, NSTATE, NOUT);
}

static struct shape shape(const void *settings)
{
    (void)settings;
    return (struct shape){ NSTATE, sizeof(struct step) / sizeof(double), NOUT };
}

static bool check(void *settings, struct error *e)
{
    struct settings *set = settings;
    struct given halflife = { "halflife", set->halflife };
    if (!given_all("double", &halflife, 1, e))
        return error_hint(e, "seconds, for example -H 0.2");
    if (set->method < 0)
        set->method = set->approx == PHI_EXACT ? EXACT : PUBLISHED;
    if (set->method == EXACT && set->approx != PHI_EXACT)
        return error_usage(e, "double --method exact has no use for --approx");
    if (set->method == PUBLISHED && set->hold == HOLD_LINEAR)
        return error_usage(e, "double --method published has no use for --hold linear");
    set->y = 0x1.62e42fefa39efp+1 / set->halflife;
    return given_fits(&halflife, set->y, e);
}

#define FIELD(name) offsetof(struct settings, name)

static const struct param params[] = {
    { .name = "halflife",
      .letter = 'H',
      .kind = PARAM_NUMBER,
      .range = RANGE_POSITIVE,
      .value = "S",
      .offset = FIELD(halflife),
      .help = "half-life of both springs together, in seconds: each has half of it" },
    { .name = "hold",
      .kind = PARAM_CHOICE,
      .choices = chase_holds,
      .fallback = "step",
      .offset = FIELD(hold),
      .help = "the goal jumps to a row's value at the start of its step, or moves there evenly" },
    { .name = "approx",
      .kind = PARAM_CHOICE,
      .choices = phi_approximations,
      .offset = FIELD(approx),
      .help = "take the exponential as game engines approximate it; implies --method published" },
    { .name = "method",
      .kind = PARAM_CHOICE,
      .choices = methods,
      .offset = FIELD(method),
      .help = "exact (the default) at any rate, or as published: one spring after the other in each row" },
};

static const char about[] =
    "A spring chasing a spring. Where one critical spring leaves at full pull and arrives slowly, two in "
    "a row also leave softly: the curve to a new goal is S-shaped, close to what an animator draws, and "
    "even the acceleration is continuous when the goal jumps. Choose it for eased transitions, camera "
    "moves and interface elements; and as a low-pass of fourth order, steeper against noise than critical "
    "at the same lag.\n\n"
    "After a jump of the goal half of the way is done after 1.32 H, 90 percent after 2.41 H, 99 percent "
    "after 3.62 H: later than critical at first, sooner at the end. It follows an even motion at the same "
    "distance as critical, H / ln 2 = 1.44 H seconds with --hold linear and about half a row less with "
    "--hold step.\n\n"
    "Method exact solves both springs together and gives the same curve at any rate. The published form "
    "steps the first spring, then lets the second one chase where that came to stand; it runs ahead by "
    "about half a row.";

const struct filter filter_double = {
    .name = "double",
    .summary = "a critical spring chasing another: an S-shaped way, soft at both ends",
    .about = about,
    .params = params,
    .nparam = sizeof params / sizeof *params,
    .settings_size = sizeof(struct settings),
    .points = 1U << 0,                               /* goal */
    .errors = 1U << 1,                               /* e1 */
    .fading = 1U << 1 | 1U << 2 | 1U << 3 | 1U << 4, /* e1, v1, e, v */
    .linear = true,
    .check = check,
    .shape = shape,
    .step = step,
    .start = start,
    .run = run,
};
