/* The tracking spring: a clean signal passes bit for bit, a discontinuity is bridged. Position, velocity and
 * acceleration of the goal each pull with a gain (Daniel Holden, "Spring-Roll-Call", 2021: Tracking Spring).
 * The gains are those of one step G; method exact moves the error and its rate by a real power of that step's
 * matrix, so it holds at any T. Invariant: no error, no arithmetic: while e = u = 0 the output is the goal
 * itself. */
#include "filters/filter.h"
#include "filters/option_groups.h"
#include "filters/transition.h"
#include "filters/matrix_power.h"

#include <float.h>
#include <stdio.h>

enum method { EXACT, GAIN, HALFLIFE, SPRING_DAMPER };

static const char *const methods[] = { "exact", "gain", "halflife", "spring-damper", NULL };

struct gains {
    double position, velocity, acceleration;
};

struct settings {
    struct gains given, given_halflife; /* NaN: not given */
    double given_rate, given_velocity, given_acceleration;
    int method;
    struct gains gain, halflife; /* from here on by check() */
    double gain_rate;
    struct power step, step_at_cut;
    double max_velocity, max_acceleration; /* infinite: no limit */
};

/* What is known of the goal's motion decides how the next row is taken. */
enum known { NOTHING, POSITION, VELOCITY };

struct state {
    double goal, x; /* of the last row */
    double e, u;    /* x - goal and v - q */
    double q, v;    /* velocity target of the last row that had one, and velocity */
    double known;   /* enum known */
};

struct step {
    double T;
    struct phi pull, pull_at_cut; /* exact: powers of M and M0; spring-damper: the two springs */
    double reach;                 /* spring-damper: distance per acceleration */
    struct gains gain;            /* gain, halflife */
};

/* How far a constant acceleration of 1 carries x'' = 1 - s x - d x' from rest: the integral of phi->e_v. */
static double reach(double s, double d, double T, const struct phi *phi)
{
    if (d * T < 1 && s * T * T < 1) { /* a power series in T; 26 terms are past the last digit */
        double a = 0, b = 0.5, sum = 0.5;
        for (int n = 1; n < 26; n++) {
            double c = -(d * T * b / (n + 2) + s * T * T * a / ((n + 1) * (n + 2)));
            sum += c;
            a = b;
            b = c;
        }
        return T * T * sum;
    }
    if (s < d * d / 16) { /* two rates far apart; the slow one may be 0 */
        double h = sqrt(d * d / 4 - s), fast = d / 2 + h, slow = s / fast;
        return ((slow > 0 ? -expm1(-slow * T) / slow : T) + expm1(-fast * T) / fast) / (fast - slow);
    }
    return -phi->e_e / s;
}

static void step(const void *settings, double T, double *step)
{
    const struct settings *set = settings;
    struct step *k = (struct step *)step;
    const struct gains *gain = &set->gain;
    double x = gain->position, v = gain->velocity;

    memset(k, 0, sizeof *k);
    k->T = T;
    switch (set->method) {
    case EXACT:
        k->pull = power_raise(&set->step, T);
        k->pull_at_cut = power_raise(&set->step_at_cut, T);
        break;
    case GAIN:
        k->gain = *gain;
        break;
    case HALFLIFE:
        k->gain.position = -expm1(-M_LN2 * T / set->halflife.position);
        k->gain.velocity = -expm1(-M_LN2 * T / set->halflife.velocity);
        k->gain.acceleration = -expm1(-M_LN2 * T / set->halflife.acceleration);
        break;
    default: {
        double rate = set->gain_rate, s = x * rate * rate, d = (v + x * (1 - v)) * rate;
        k->pull = phi_spring(s, d, T);
        k->pull_at_cut = phi_spring(s, x * rate, T);
        k->reach = reach(s, d, T, &k->pull);
    }
    }
}

static inline double lerp(double x, double y, double a)
{
    return (1 - a) * x + a * y;
}

static inline double clip(double x, double max)
{
    return x > max ? max : x < -max ? -max : x;
}

/* What the goal's motion into this row asks for: velocity q, and the change of velocity a T since the last
 * row. What the limits took away is exactly 0 where they did not bite. */
struct target {
    double q, way_lost;
    double change, change_lost;
};

static inline struct target target_of(const struct settings *set, const struct state *s, double goal,
                                      double T)
{
    double way = goal - s->goal, slope = way / T, q = clip(slope, set->max_velocity);
    double change = q - s->q, kept = clip(change, set->max_acceleration * T);
    return (struct target){ q, q == slope ? 0 : way - q * T, change, change - kept };
}

static inline void finish(struct state *s, const struct step *k, double goal, double v, enum known known,
                          double *out)
{
    out[0] = s->x;
    out[1] = v;
    out[2] = (v - s->v) / k->T;
    s->goal = goal;
    s->v = v;
    s->known = known;
}

/* By definition an ordinary row takes e = x - (g - q T) and u = v + A a T - q, where A is the acceleration
 * gain, moves them, and puts back x = g + e, v = q + u. Here e and u are carried over from the last row,
 * whose x was g' + e and whose v was q' + u; that is to take, before the move,
 *
 * - ordinary: e - (g - g' - q T), u - (1 - A) (q - q') - A (q - q' - a T);
 * - after a start: the same e, u = 0: the goal's velocity is taken over;
 * - after a cut: the same e, u - q: there is no q', thus no a;
 * - at a cut: e = x - g, u = v: no q is known, and any number of cuts in a row are alike;
 * - in a gap: the same, but e stays as the goal does.
 *
 * q is (g - g')/T and a is (q - q')/T, up to the limits: on a clean signal every term beside e and u is 0. */
static inline void row_exact(const void *settings, const double *step, const struct sample *sample,
                             double *state, double *out)
{
    const struct settings *set = settings;
    const struct step *k = (const struct step *)step;
    struct state *s = (struct state *)state;
    double g = sample->goal;

    if (sample->mark & (FLAG_CUT | FLAG_GAP)) {
        if (!(sample->mark & FLAG_GAP))
            s->e = s->x - g;
        s->u = s->v;
        phi_apply(&k->pull_at_cut, &s->e, &s->u);
        s->x = g + s->e;
        finish(s, k, g, s->u, POSITION, out);
        return;
    }
    struct target target = target_of(set, s, g, k->T);
    double A = set->gain.acceleration;
    s->e -= target.way_lost;
    if (s->known == VELOCITY)
        s->u -= (1 - A) * target.change + A * target.change_lost;
    else
        s->u = s->known == NOTHING ? 0 : s->u - target.q;
    s->q = target.q;
    phi_apply(&k->pull, &s->e, &s->u);
    s->x = g + s->e;
    finish(s, k, g, s->q + s->u, VELOCITY, out);
}

/* The published update, in its order: acceleration, velocity, position, then the step. */
static inline void row_lerp(const void *settings, const double *step, const struct sample *sample,
                            double *state, double *out)
{
    const struct step *k = (const struct step *)step;
    struct state *s = (struct state *)state;
    double g = sample->goal, v = s->v;
    bool cut = sample->mark & (FLAG_CUT | FLAG_GAP);

    if (!cut) {
        struct target target = target_of(settings, s, g, k->T);
        if (s->known == VELOCITY)
            v = lerp(v, v + (target.change - target.change_lost), k->gain.acceleration);
        v = lerp(s->known == NOTHING ? target.q : v, target.q, k->gain.velocity);
        s->q = target.q;
    }
    v = lerp(v, clip((g - s->x) / k->T, DBL_MAX / 4), k->gain.position);
    s->x += k->T * v;
    finish(s, k, g, v, cut ? POSITION : VELOCITY, out);
}

/* The published appendix: the gains as a spring, stepped exactly. The velocity and acceleration targets push
 * it with the constant acceleration f, which is its damping times its goal velocity; kept undivided, as the
 * damping may be 0. */
static inline void row_spring(const void *settings, const double *step, const struct sample *sample,
                              double *state, double *out)
{
    const struct settings *set = settings;
    const struct step *k = (const struct step *)step;
    struct state *s = (struct state *)state;
    double g = sample->goal, e = s->x - g, v = s->v;
    bool cut = sample->mark & (FLAG_CUT | FLAG_GAP);

    if (cut) {
        phi_apply(&k->pull_at_cut, &e, &v);
    } else {
        const struct gains *gain = &set->gain;
        struct target target = target_of(set, s, g, k->T);
        double f = gain->velocity * (1 - gain->position) * set->gain_rate * target.q;
        if (s->known == VELOCITY)
            f += gain->acceleration * (1 - gain->velocity) * (1 - gain->position) *
                 (target.change - target.change_lost) / k->T;
        if (s->known == NOTHING)
            v = target.q;
        phi_apply(&k->pull, &e, &v);
        e += k->reach * f;
        v += k->pull.e_v * f;
        s->q = target.q;
    }
    s->x = g + e;
    finish(s, k, g, v, cut ? POSITION : VELOCITY, out);
}

static void start(const void *settings, double goal, double x, double *state, double *out)
{
    (void)settings;
    *(struct state *)state = (struct state){ .goal = goal, .x = x, .e = x - goal, .known = NOTHING };
    out[0] = x;
    out[1] = out[2] = 0;
}

static void run(const struct run *r)
{
    const struct settings *set = r->settings;
    if (set->method == EXACT)
        run_rows(r, row_exact, start, sizeof(struct state) / sizeof(double), 3);
    else if (set->method == SPRING_DAMPER)
        run_rows(r, row_spring, start, sizeof(struct state) / sizeof(double), 3);
    else
        run_rows(r, row_lerp, start, sizeof(struct state) / sizeof(double), 3);
}

static struct shape shape(const void *settings)
{
    (void)settings;
    return (struct shape){ sizeof(struct state) / sizeof(double), sizeof(struct step) / sizeof(double), 3 };
}

static double or_else(double given, double fallback)
{
    return isnan(given) ? fallback : given;
}

static bool check(void *settings, struct error *e)
{
    struct settings *set = settings;
    const struct gains *gain = &set->given, *halflife = &set->given_halflife;
    struct given rate = { "gain-rate", set->given_rate };
    struct given gains[] = { { "position-gain", gain->position },
                             { "velocity-gain", gain->velocity },
                             { "acceleration-gain", gain->acceleration } };
    struct given halflives[] = { { "position-halflife", halflife->position },
                                 { "velocity-halflife", halflife->velocity },
                                 { "acceleration-halflife", halflife->acceleration } };
    char who[60];
    snprintf(who, sizeof who, "tracking --method %s", methods[set->method]);
    if (!given_none(who, set->method == HALFLIFE ? gains : halflives, 3, e))
        return error_hint(e, set->method == HALFLIFE ? "it takes --position-halflife and the like"
                                                     : "it takes --position-gain and the like");
    if ((set->method == HALFLIFE || set->method == GAIN) && !given_none(who, &rate, 1, e))
        return error_hint(e, set->method == GAIN ? "it applies the gains once per row, whatever its rate"
                                                 : "half-lives are in seconds and know no rate");
    if (!isnan(rate.value) && !given_fits(&rate, rate.value, e))
        return false;
    set->gain = (struct gains){ or_else(gain->position, .01), or_else(gain->velocity, .2),
                                or_else(gain->acceleration, 1) };
    set->halflife = (struct gains){ or_else(halflife->position, 1), or_else(halflife->velocity, .05),
                                    or_else(halflife->acceleration, 0) };
    set->gain_rate = or_else(set->given_rate, 60);
    set->step = power_of(set->gain.position, set->gain.velocity, set->gain_rate);
    set->step_at_cut = power_of(set->gain.position, 0, set->gain_rate);
    /* What holds by default is told by --verbose, too. */
    if (set->method == HALFLIFE)
        set->given_halflife = set->halflife;
    else
        set->given = set->gain;
    if (set->method == EXACT || set->method == SPRING_DAMPER)
        set->given_rate = set->gain_rate;
    set->max_velocity = or_else(set->given_velocity, INFINITY);
    set->max_acceleration = or_else(set->given_acceleration, INFINITY);
    return true;
}

#define FIELD(name) offsetof(struct settings, name)

static const struct param params[] = {
    { .name = "method",
      .kind = PARAM_CHOICE,
      .choices = methods,
      .fallback = "exact",
      .offset = FIELD(method),
      .help = "exact at any rate, the published gains per row, half-lives, or the published spring" },
    { .name = "position-gain",
      .kind = PARAM_NUMBER,
      .range = RANGE_FRACTION,
      .value = "A",
      .offset = FIELD(given.position),
      .exclusive_group = 1,
      .help = "part of the position error removed per gain step, 0 to 1, default 0.01" },
    { .name = "velocity-gain",
      .kind = PARAM_NUMBER,
      .range = RANGE_FRACTION,
      .value = "A",
      .offset = FIELD(given.velocity),
      .exclusive_group = 2,
      .help = "part of the velocity error removed per gain step, 0 to 1, default 0.2" },
    { .name = "acceleration-gain",
      .kind = PARAM_NUMBER,
      .range = RANGE_FRACTION,
      .value = "A",
      .offset = FIELD(given.acceleration),
      .exclusive_group = 3,
      .help = "part of the goal's acceleration that is followed, 0 to 1, default 1; less no longer passes a "
              "clean signal" },
    { .name = "gain-rate",
      .kind = PARAM_NUMBER,
      .range = RANGE_POSITIVE,
      .value = "HZ",
      .offset = FIELD(given_rate),
      .exclusive_group = 4,
      .help = "rate for which the gains are meant, in gain steps per second, default 60" },
    { .name = "position-halflife",
      .kind = PARAM_NUMBER,
      .range = RANGE_NOT_NEGATIVE,
      .value = "S",
      .offset = FIELD(given_halflife.position),
      .exclusive_group = 1,
      .help = "half-life of the position error in seconds, method halflife, default 1" },
    { .name = "velocity-halflife",
      .kind = PARAM_NUMBER,
      .range = RANGE_NOT_NEGATIVE,
      .value = "S",
      .offset = FIELD(given_halflife.velocity),
      .exclusive_group = 2,
      .help = "half-life of the velocity error in seconds, method halflife, default 0.05" },
    { .name = "acceleration-halflife",
      .kind = PARAM_NUMBER,
      .range = RANGE_NOT_NEGATIVE,
      .value = "S",
      .offset = FIELD(given_halflife.acceleration),
      .exclusive_group = 3,
      .help = "half-life with which the goal's acceleration is taken up, in seconds, method halflife, "
              "default 0" },
    { .name = "max-velocity",
      .kind = PARAM_NUMBER,
      .range = RANGE_NOT_NEGATIVE,
      .value = "V",
      .offset = FIELD(given_velocity),
      .help = "limit of the velocity target, units per second; faster motion is taken for a jump" },
    { .name = "max-acceleration",
      .kind = PARAM_NUMBER,
      .range = RANGE_NOT_NEGATIVE,
      .value = "A",
      .offset = FIELD(given_acceleration),
      .help = "limit of the acceleration target, units per second squared" },
};

static const char about[] =
    "An actor who copies your every move without delay, and when the film jumps does not jump with it "
    "but walks over and falls in step. While the input is smooth the output is the input, bit for bit, "
    "at any frame rate: no lag, no softening. At a cut it goes on with the velocity it has and is drawn "
    "to the new motion. Choose it for stitched takes, tracker dropouts and pose switches, where the "
    "faults are jumps and the rest must stay.\n\n"
    "The position gain A closes the gap: with velocity gain V and gain rate R its half-life nears 0.69 "
    "V/(A R) seconds while A is far below V^2/4; by default, at just V^2/4, it is 0.17 s. Above that it "
    "overshoots the new motion, the more the larger it is. The velocity gain matches speed, in 0.69/(V R) "
    "seconds; larger is quicker. Leave the acceleration gain at 1. Give the cuts, have "
    "them detected, or limit velocity and acceleration, which needs no marks: what goes beyond is "
    "caught up with.\n\n"
    "It is not a smoother: noise passes as motion does. Of the methods only exact passes a clean signal "
    "at every rate. Gain is the published update, right at one rate; halflife does it by time; "
    "spring-damper is its published continuous form.";

const struct filter filter_tracking = {
    .name = "tracking",
    .summary = "passes a clean signal unchanged and bridges its jumps",
    .about = about,
    .params = params,
    .nparam = sizeof params / sizeof *params,
    .settings_size = sizeof(struct settings),
    .points = 1U << 0 | 1U << 1, /* goal, x */
    .fading = 1U << 2 | 1U << 3, /* e, u */
    .rotations = true,
    .cuts = true,
    .check = check,
    .shape = shape,
    .step = step,
    .start = start,
    .run = run,
};
