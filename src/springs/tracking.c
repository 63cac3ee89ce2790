/* The tracking spring: a clean signal passes bit for bit, and a discontinuity is bridged. Position, velocity
 * and acceleration of the goal each act with a gain (Daniel Holden, "Spring-Roll-Call", 2021: Tracking
 * Spring). The gains hold for one gain step, whose matrix is M. Method exact moves the error and its rate by
 * a real power of M, so that the method holds at any T, and prints the slope of the curve on which the output
 * moves. Invariant: without an error there is no arithmetic: while e = u = 0 the output is the goal. */
#include "springs/filter_words.h"
#include "springs/option_groups.h"
#include "springs/run_rows.h"
#include "springs/transition.h"

#include <math.h>

enum method { EXACT, GAIN, HALFLIFE, SPRING_DAMPER };
static const char *const methods[] = { "exact", "gain", "halflife", "spring-damper", NULL };

struct gains {
    double position, velocity, acceleration;
};

/* Defaults. */
#define POSITION_GAIN 0.01
#define VELOCITY_GAIN 0.2
#define GAIN_RATE     60.0

#define LEAST_GAIN 0x1p-100 /* of the position, in place of 0: acts on no digit, and can be divided by */

struct settings {
    struct filter_common common;
    struct gains gain;         /* parts, 0 to 1; NaN: not given, or the method takes half-lives */
    struct gains halflife;     /* s; NaN: not given, or the method takes gains */
    double gain_rate;          /* gain steps per second; NaN: not given */
    double max_velocity;       /* units per second; NaN: no limit */
    double max_acceleration;   /* units per squared second; NaN: no limit */
    int method;                /* enum method */
    struct matrix_power power; /* powers of M, by check() */
};

#define OF_GAINS     METHOD(EXACT) | METHOD(GAIN) | METHOD(SPRING_DAMPER)
#define OF_HALFLIVES METHOD(HALFLIFE)

/* clang-format off */
static const struct param params[] = {
    { .name = "method", CHOICE(method, methods), .fallback = "exact",
      .help = "exact for any step, or as published" },
    { .name = "position-gain", NUMBER(gain.position, RANGE_FRACTION, "P"),
      .methods = OF_GAINS,
      .help = "fraction of position error removed (default 0.01)" },
    { .name = "velocity-gain", NUMBER(gain.velocity, RANGE_FRACTION, "V"),
      .methods = OF_GAINS,
      .help = "fraction of velocity error removed (default 0.2)" },
    { .name = "acceleration-gain", NUMBER(gain.acceleration, RANGE_FRACTION, "A"),
      .methods = OF_GAINS,
      .help = "fraction of the acceleration followed (default 1)",
      .more = "Below 1 even a clean signal changes" },
    { .name = "gain-rate", NUMBER(gain_rate, RANGE_POSITIVE, "HZ"),
      .help = "how often the gains apply each second (default 60)",
      .more = "With --method gain they apply once per row",
      .methods = METHOD(EXACT) | METHOD(SPRING_DAMPER) },
    { .name = "position-halflife", NUMBER(halflife.position, RANGE_NOT_NEGATIVE, "S"),
      .methods = OF_HALFLIVES,
      .help = "half-life of the position error (default 1 s)",
      .more = "For --method halflife" },
    { .name = "velocity-halflife", NUMBER(halflife.velocity, RANGE_NOT_NEGATIVE, "S"),
      .methods = OF_HALFLIVES,
      .help = "half-life of the velocity error (default 0.05 s)",
      .more = "For --method halflife" },
    { .name = "acceleration-halflife", NUMBER(halflife.acceleration, RANGE_NOT_NEGATIVE, "S"),
      .methods = OF_HALFLIVES,
      .help = "half-life of the acceleration error (default 0 s)",
      .more = "For --method halflife" },
    { .name = "max-velocity", NUMBER(max_velocity, RANGE_NOT_NEGATIVE, "V"), .in_unit = true,
      .help = "limit of the input's velocity, units per second",
      .more = "To bridge jumps, limit the acceleration, too" },
    { .name = "max-acceleration", NUMBER(max_acceleration, RANGE_NOT_NEGATIVE, "A"), .in_unit = true,
      .help = "limit of the input's acceleration, units per s^2",
      .more = "It is applied to the input before --max-velocity" },
    APPROX_OPTION("for spring-damper: approximate exp() as Holden or Unreal do",
                                     METHOD(SPRING_DAMPER)),
    PREDICT_OPTION(METHOD(EXACT)),
};
/* clang-format on */

/* The facts that are known about the goal's motion before a row; they select the case of the row. Behind a
 * start or a cut a velocity beyond max_velocity is not known: the output has taken over a part of it at most,
 * so that the acceleration from there would throw the output as far to the other side. */
enum known { NOTHING, POSITION, VELOCITY };

struct state {
    double goal, x; /* goal and output of the last row */
    double e, u;    /* errors of the last row: e = x - goal, u = v - q */
    double slope;   /* slope of the goal into the last row; without limits equal to the velocity target q */
    double v;       /* velocity at the start of the next row */
    double printed; /* velocity that was printed for the last row */
    double known;   /* enum known */
};

struct step {
    double T;
    struct transition pull;        /* exact: power of M; spring-damper: the spring */
    struct transition pull_at_cut; /* spring-damper: the spring without velocity gain, at a cut */
    double reach;                  /* spring-damper: distance per acceleration */
    struct gains gain;             /* gains of this step; spring-damper: 0 */
};

static void set_default(double *number, double fallback)
{
    if (isnan(*number))
        *number = fallback;
}

/* Sets what follows from the half-lives: method halflife. */
static void use_halflives(struct settings *set)
{
    struct gains *halflife = &set->halflife;
    set_default(&halflife->position, 1);
    set_default(&halflife->velocity, .05);
    set_default(&halflife->acceleration, 0);
    double longest = fmax(halflife->position, fmax(halflife->velocity, halflife->acceleration));
    set->common.time_scale = longest / M_LN2;
}

/* Sets what follows from the gains: the methods except halflife. */
static void use_gains(struct settings *set)
{
    struct gains *gain = &set->gain;
    set_default(&gain->position, POSITION_GAIN);
    set_default(&gain->velocity, VELOCITY_GAIN);
    set_default(&gain->acceleration, 1);
    set->common.time_scale = (double)NAN;
    if (set->method == GAIN)
        return;
    set_default(&set->gain_rate, GAIN_RATE);
    set->power = matrix_power_of(gain->position, gain->velocity, set->gain_rate);
    set->common.time_scale = -1 / (set->power.log * set->power.rate);
}

static bool check(void *settings, struct error *e)
{
    struct settings *set = settings;
    bool limited = !isnan(set->max_velocity) || !isnan(set->max_acceleration);
    (void)e;
    set->common.linear = !limited;
    set->common.limited = limited;
    set->common.sized = limited;
    if (set->method == HALFLIFE)
        use_halflives(set);
    else
        use_gains(set);
    return true;
}

static void step(const void *settings, double T, void *to)
{
    const struct settings *set = settings;
    double x = set->gain.position, v = set->gain.velocity, rate = set->gain_rate;
    struct step *step = to;
    *step = (struct step){ .T = T };
    if (set->method == EXACT || set->method == GAIN)
        step->gain = set->gain;
    if (set->method == EXACT) {
        step->pull = matrix_power_raise(&set->power, T);
    } else if (set->method == HALFLIFE) {
        step->gain.position = -expm1(-M_LN2 * T / set->halflife.position);
        step->gain.velocity = -expm1(-M_LN2 * T / set->halflife.velocity);
        step->gain.acceleration = -expm1(-M_LN2 * T / set->halflife.acceleration);
    } else if (set->method == SPRING_DAMPER) {
        double s = fmax(x, LEAST_GAIN) * rate * rate, d = (v + x * (1 - v)) * rate;
        step->pull = transition_spring(s, d, T, set->common.approx).add;
        step->pull_at_cut = transition_spring(s, x * rate, T, set->common.approx).add;
        step->reach = -step->pull.e_e / s;
    }
}

static inline double lerp(double x, double y, double a)
{
    return (1 - a) * x + a * y;
}

/* x, limited to -max and max; max NaN: no limit. */
static inline double clip(double x, double max)
{
    double below = x > max ? max : x;
    return below < -max ? -max : below;
}

/* The component x of a vector of length *size, which is limited to length max and keeps its direction; size
 * NULL: x is a number. */
static inline double clip_size(double x, double max, const double *size)
{
    if (!size)
        return clip(x, max);
    return *size > max ? x * (max / *size) : x;
}

/* The vectors that are limited in a row, as indices of sample.size. */
enum { SIZE_SLOPE, SIZE_SLOPE_BEFORE, SIZE_CHANGE };

static void sizes(const void *settings, const struct sample *sample, const void *of_channel, double *part)
{
    const struct state *state = of_channel;
    double slope = (sample->goal - state->goal) / sample->T;
    (void)settings;
    part[SIZE_SLOPE] = slope;
    part[SIZE_SLOPE_BEFORE] = state->slope;
    part[SIZE_CHANGE] = slope - state->slope;
}

/* Motion of the goal into a row. At a cut and in a gap no motion is known: slope is the last slope, and q,
 * a_T and lost are 0. */
struct motion {
    bool cut;         /* the row is at a cut or in a gap */
    enum known known; /* facts about the motion before this row */
    enum known next;  /* and before the next row */
    double slope;     /* velocity of the goal, without limit */
    double q;         /* velocity target: the slope, limited by max_velocity */
    double a_T;  /* acceleration target times T: the change of the slope, limited by max_acceleration T */
    double lost; /* distance (slope - q) T beyond the limit; exactly 0 within the limit */
};

/* The motion of the goal into the row of the sample. T: seconds of the step. */
static inline struct motion motion_of(const struct settings *set, const struct state *state,
                                      const struct sample *sample, double T)
{
    if (sample->flags & (FLAG_CUT | FLAG_GAP))
        return (struct motion){ .cut = true, .known = POSITION, .next = POSITION, .slope = state->slope };
    const double *size = sample->size, *change = size ? size + SIZE_CHANGE : NULL;
    double distance = sample->goal - state->goal, slope = distance / T,
           q = clip_size(slope, set->max_velocity, size);
    const enum known known = (enum known)state->known;
    const bool beyond = (size ? size[SIZE_SLOPE] : fabs(slope)) > set->max_velocity;
    struct motion motion = { .known = known, .next = VELOCITY, .slope = slope, .q = q };
    if (beyond)
        motion.next = known;
    if (q != slope)
        motion.lost = distance - q * T;
    motion.a_T = clip_size(slope - state->slope, set->max_acceleration * T, change);
    return motion;
}

/* The methods: each moves x, v and u = v - q, and returns the velocity that is printed.
 *
 * By definition an ordinary row computes e = x - (g - q T) and u = v + A a T - q, where A is the acceleration
 * gain, moves e and u by Phi, and sets x = g + e, v = q + u. The state holds e and u of the last row, where
 * x = g' + e and v = q' + u. In terms of that e and u, Phi moves
 *
 * - in an ordinary row: e - (g - g' - q T), u - (q - q' - A a T);
 * - after a start: e - (g - g' - q T), u: the goal's velocity is taken over;
 * - after a cut: e - (g - g' - q T), v - q: q' is not known, nor is a;
 * - at a cut: x - g, v: q is not known, in any number of consecutive cuts;
 * - in a gap: e, v: the goal stays, and with the goal e.
 *
 * q is (g - g')/T, within its limit, and a is (q - q')/T, within its limit: on a clean signal both subtracted
 * terms are 0. The published update carries v from row to row. The printed velocity is the slope of the curve
 * x(t) at the end of the step, q + e', where e' comes from e and u by the generator of Phi. */
static inline double move_exact(const struct settings *set, const struct step *step, struct state *state,
                                const struct sample *sample, const struct motion *motion)
{
    const struct matrix_power *power = &set->power;
    const struct transition *pull = &step->pull;
    struct matrix_power power_at_cut;
    struct transition pull_at_cut;
    if (motion->cut) { /* a cut is rare: the power is computed here, in the row with the cut */
        power_at_cut = matrix_power_of(set->gain.position, 0, set->gain_rate);
        pull_at_cut = matrix_power_raise(&power_at_cut, step->T);
        power = &power_at_cut;
        pull = &pull_at_cut;
    }
    bool at_cut = motion->cut && !(sample->flags & FLAG_GAP);
    state->e = at_cut ? state->x - sample->goal : state->e - motion->lost;
    const double *before = sample->size ? sample->size + SIZE_SLOPE_BEFORE : NULL;
    if (motion->known == VELOCITY)
        state->u -= motion->q - clip_size(state->slope, set->max_velocity, before) -
                    step->gain.acceleration * motion->a_T;
    else
        state->u = state->v - motion->q;
    transition_apply(pull, &state->e, &state->u);
    state->x = sample->goal + state->e;
    state->v = motion->q + state->u;
    return motion->q + (power->slope_e * state->e + power->slope_v * state->u);
}

/* The published update, in its order: acceleration, velocity, position, then Euler's step. */
static inline double move_lerp(const struct step *step, struct state *state, double goal,
                               const struct motion *motion)
{
    double v = state->v;
    if (motion->known == VELOCITY)
        v = lerp(v, v + motion->a_T, step->gain.acceleration);
    if (!motion->cut)
        v = lerp(v, motion->q, step->gain.velocity);
    state->v = lerp(v, clip((goal - state->x) / step->T, DBL_MAX / 4), step->gain.position);
    state->u = state->v - motion->q;
    state->x += step->T * state->v;
    return state->v;
}

/* The published appendix: the gains as a spring, stepped exactly. Velocity and acceleration of the goal act
 * on the spring as a constant acceleration f, the damping (which may be 0) times the goal velocity. */
static inline double move_spring(const struct settings *set, const struct step *step, struct state *state,
                                 const struct sample *sample, const struct motion *motion)
{
    const struct gains *gain = &set->gain;
    double e = state->x - sample->goal, v = state->v;
    double f = gain->velocity * (1 - gain->position) * set->gain_rate * motion->q;
    if (motion->known == VELOCITY)
        f += gain->acceleration * (1 - gain->velocity) * (1 - gain->position) * motion->a_T / step->T;
    transition_apply(motion->cut ? &step->pull_at_cut : &step->pull, &e, &v);
    state->x = sample->goal + (e + step->reach * f);
    state->v = v + step->pull.e_v * f;
    state->u = state->v - motion->q;
    return state->v;
}

static inline void row(const void *settings, const void *of_step, const struct sample *sample,
                       void *of_channel, double *out)
{
    const struct settings *set = settings;
    const struct step *step = of_step;
    struct state *state = of_channel;
    struct motion motion = motion_of(set, state, sample, step->T);
    double printed;
    if (motion.known == NOTHING)
        state->v = motion.q + state->u;
    if (set->method == EXACT)
        printed = move_exact(set, step, state, sample, &motion);
    else if (set->method == SPRING_DAMPER)
        printed = move_spring(set, step, state, sample, &motion);
    else
        printed = move_lerp(step, state, sample->goal, &motion);
    double acceleration = (printed - state->printed) / step->T;
    state->goal = sample->goal;
    state->slope = motion.slope;
    state->printed = printed;
    state->known = motion.next;
    filter_put(out, state->x, printed, acceleration);
}

/* With a velocity that is given as a number, the next row is as after a cut. */
static void start(const void *settings, const struct first_row *first, void *of_channel, double *out)
{
    struct state *state = of_channel;
    (void)settings;
    *state = (struct state){
        .goal = first->goal,
        .x = first->x,
        .e = first->x - first->goal,
        .v = first->velocity,
        .printed = first->velocity,
        .known = first->moving ? POSITION : NOTHING,
    };
    filter_put(out, first->x, first->velocity, 0);
}

static void run(const struct run *r)
{
    run_rows(r, row, start, DOUBLES(struct state), 3);
}

/* The output moves along with the goal; method spring-damper pulls it to a goal that does not move. */
static double drift(const void *settings, const void *state, const struct sample *sample, double slope)
{
    const struct settings *set = settings;
    bool still = set->method == SPRING_DAMPER || sample->flags & (FLAG_CUT | FLAG_GAP);
    (void)state;
    return still ? 0 : clip(slope, set->max_velocity);
}

static const struct filter_words words = {
    .summary = "passes a clean signal unchanged and bridges its jumps and gaps",
    .about =
        "The tracking spring follows smooth motion exactly: the output is the input, bit for bit, at any "
        "frame rate. At a cut it continues with its current velocity and then approaches the new motion. Use "
        "it for stitched takes, tracker dropouts and pose switches, where only the jumps are wrong. It does "
        "not smooth: noise passes as motion does.\n\n"
        "Give the cuts, have them detected, or limit velocity and acceleration. With limits, the output "
        "falls behind faster motion and catches up later. A gap counts as a cut: the output continues "
        "through it and approaches the values after it, unless --gaps or --max-gap says otherwise.\n\n"
        "By default half of a jump is gone after 0.27 s, 90 percent after 0.7 s. The velocity gain V brings "
        "the output to the velocity of the new motion, with a half-life of 0.69/(V R) seconds at a gain rate "
        "R. The position gain P closes the distance; with another V, give V^2/4. A larger P overshoots "
        "the new motion; with a much smaller P the distance has a half-life near 0.69 V/(P R) seconds. Leave "
        "the acceleration gain at 1.\n\n"
        "Only method exact passes a clean signal at every rate. Method gain is the published update, correct "
        "at one rate; halflife is the same with half-lives in seconds; spring-damper is the published "
        "continuous form of gain. The velocity of exact and spring-damper is the slope of the output between "
        "rows.",
    .equation = "q = (g_n - g_(n-1)) / T     gains P position, V velocity, A acceleration\n"
                "e = x - (g_n - q T)     u = v + A (q - q_before) - q\n"
                "(e, u) <- M^(T R) (e, u)  M = [ 1-P, t/R ; -P R, t ]  t = (1-P) (1-V)\n"
                "x <- g_n + e     v <- q + u     R gain-rate\n"
                "at a cut q = 0, e = x - g_n, u = v, t = 1-P; one row later u = v - q",
    .examples = "sprung tracking --cut-column cut -d 0 take.csv > joined.csv\n"
                "sprung tracking --despike 6 --gaps linear --max-gap 10rows -d 0 a.csv > b.csv",
};

const struct filter filter_tracking = {
    .name = "tracking",
    .words = &words,
    FILTER_OPTIONS(params),
    .shape = { DOUBLES(struct state), DOUBLES(struct step), 3 },
    .check = check,
    .step = step,
    .start = start,
    .run = run,
    .each = { .nout = 2 },
    .drift = drift,
    .sizes = sizes,
    .rotations = "gx---v--",
    .cuts = true,
};
