/* The effect of a moving goal on a spring's step. Behind a goal of slope u the spring settles at the distance
 * (d/s) (q - u), moving at u: Phi moves the difference between the state and that settled motion.
 * Coefficients are per change g_n - g_(n-1) of the goal, so that no large slope over a short step is ever
 * computed. */
#include "springs/spring_step.h"
#include "springs/run_rows.h"

#include <complex.h>
#include <math.h>

const char *const hold_names[] = { [HOLD_STEP] = "step", [HOLD_LINEAR] = "linear", NULL };
const char *const goal_velocity_names[] = {
    [GOAL_VELOCITY_ZERO] = "zero", [GOAL_VELOCITY_DIFFERENCE] = "difference", NULL
};

struct spring_step spring_coefficients(const struct spring_settings *set, const struct transition_full *phi,
                                       double T)
{
    struct continuous q = set->common.equation;
    double s = q.s, d = q.d, feed = q.feed;
    const struct transition *add = &phi->add;
    struct spring_step step = { spring_part(phi->ee, add->e_e), spring_part(phi->vv, add->v_v), .s = s,
                                .d = d };
    step.e_v = add->e_v;
    step.v_e = add->v_e;
    if (set->hold == HOLD_LINEAR) {
        double lag = (1 - feed) * d / s;
        step.e_g = (add->e_e * lag - add->e_v) / T;
        step.v_g = (feed * d * add->e_v - add->e_e) / T; /* (v_e lag - v_v) / T, with v_v = e_e - d e_v */
    } else if (feed == 0) {                              /* the usual case, without divisions */
        step.e_g = -phi->ee;
        step.v_g = -add->v_e;
    } else {
        double lead = feed * d / s;
        step.e_g = -phi->ee - add->e_e * lead / T;
        step.v_g = -add->v_e - add->v_e * lead / T;
    }
    if (feed != 0)
        step.d_g = filter_finite(feed * d / T);
    return step;
}

/* By the z-transform of the rows: with q = 1/z, the states E and V and the goal G are related by
 *     E = q (e_e E + e_v V) + e_g (1 - q) G,    V = q (v_e E + v_v V) + v_g (1 - q) G,
 * and the output is G + E. */
double spring_gain(const struct spring_step *step, double angle)
{
    double _Complex q = cexp(-I * angle);
    double e_e = step->e_e.kept + step->e_e.rest, v_v = step->v_v.kept + step->v_v.rest;
    double _Complex own = 1 - v_v * q, determinant = (1 - e_e * q) * own - step->e_v * step->v_e * q * q;
    return cabs(1 + (1 - q) * (step->e_g * own + step->v_g * step->e_v * q) / determinant);
}

void spring_start(const void *settings, const struct first_row *first, double *state, double *out)
{
    struct continuous q = ((const struct spring_settings *)settings)->common.equation;
    struct spring_state spring_state = { .goal = first->goal,
                                         .e = first->x - first->goal,
                                         .v = first->velocity };
    memcpy(state, &spring_state, sizeof spring_state);
    out[0] = first->x;
    out[1] = spring_state.v;
    out[2] = q.s * (0 - spring_state.e) + q.d * (0 - spring_state.v);
}

/* Two channels in one register. */
typedef double pair __attribute__((vector_size(2 * sizeof(double))));

struct pair_state {
    pair goal, e, v;
};

enum {
    PAIRS = 2, /* side by side, to hide the latency of the recurrence */
    NOUT = 3
};

/* A row of two channels. moving false: the goal jumps and nothing is fed forward, so that e_g, v_g and d_g
 * are not needed. */
RUN_INLINE void pair_row(const struct spring_step *step, pair goal, struct pair_state *state, pair *out,
                         bool moving)
{
    pair change = goal - state->goal, e = moving ? state->e : state->e - change, v = state->v;
    state->goal = goal;
    state->e = step->e_e.kept * e +
               (step->e_e.rest * e + (moving ? step->e_v * v + step->e_g * change : step->e_v * v));
    state->v = step->v_v.kept * v +
               (step->v_e * e + (moving ? step->v_v.rest * v + step->v_g * change : step->v_v.rest * v));
    out[0] = goal + state->e;
    out[1] = state->v;
    out[2] = step->s * (0 - state->e) +
             (moving ? step->d_g * change - step->d * state->v : step->d * (0 - state->v));
}

RUN_INLINE void load(struct pair_state *pair_state, const struct spring_state *a,
                     const struct spring_state *b)
{
    *pair_state = (struct pair_state){ { a->goal, b->goal }, { a->e, b->e }, { a->v, b->v } };
}

RUN_INLINE void save(const struct pair_state *state, int half, struct spring_state *to)
{
    *to = (struct spring_state){ state->goal[half], state->e[half], state->v[half], 0 };
}

static inline bool is_moving(const struct spring_settings *set)
{
    return set->hold == HOLD_LINEAR || set->common.equation.feed != 0;
}

/* A goal velocity that takes the place of another goal velocity in a step. */
struct new_velocity {
    double T;    /* seconds of the step */
    double fed;  /* goal velocity of the step times T */
    double q;    /* goal velocity in its place */
    double feed; /* the part of q that counts */
};

/* Changes the state and outputs after a step with the goal velocity fed / T to the state and outputs of a
 * step with the goal velocity q. A constant q shifts the point where the spring settles by lead q, and Phi
 * moves the difference from that point. */
static void replace_velocity(const struct spring_step *step, const struct new_velocity *given,
                             struct spring_state *state, double *out)
{
    double lead = given->feed * step->d / step->s, less = given->fed - given->q * given->T;
    state->e += (step->e_e.kept - 1 + step->e_e.rest) * lead / given->T * less;
    state->v += step->v_e * lead / given->T * less;
    out[0] = state->goal + state->e;
    out[1] = state->v;
    out[2] = step->s * (0 - state->e) + step->d * (given->feed * given->q - state->v);
}

double spring_goal_velocity(const void *settings, const double *state, const struct sample *sample)
{
    const struct spring_settings *set = settings;
    struct spring_state spring_state;
    memcpy(&spring_state, state, sizeof spring_state);
    if (set->goal_velocity != GOAL_VELOCITY_DIFFERENCE || sample->flags & FLAG_GAP)
        return 0;
    if (sample->measured && !isnan(sample->velocity))
        return sample->velocity;
    return filter_finite((sample->goal - spring_state.goal) / (spring_state.gap + sample->T));
}

/* One channel, for run_any: both halves of the pair hold the channel. The goal's velocity is the measured
 * velocity; where the measurement is missing, the difference of the goals over the time; in a gap 0. */
RUN_INLINE void row(const void *settings, const double *step, const struct sample *sample, double *state,
                    double *out)
{
    const struct spring_settings *set = settings;
    struct spring_state spring_state;
    struct spring_step spring_step;
    memcpy(&spring_state, state, sizeof spring_state);
    memcpy(&spring_step, step, sizeof spring_step);
    double change = sample->goal - spring_state.goal, T = sample->T, gap = spring_state.gap,
           feed = set->common.equation.feed;
    bool missing = sample->flags & FLAG_GAP, measured = sample->measured, fed = feed != 0;
    struct pair_state both;
    pair outs[NOUT];
    load(&both, &spring_state, &spring_state);
    pair_row(&spring_step, (pair){ sample->goal, sample->goal }, &both, outs, is_moving(set));
    save(&both, 0, &spring_state);
    for (size_t o = 0; o < NOUT; o++)
        out[o] = outs[o][0];
    if (measured || (fed && gap > 0)) {
        bool known = measured && !missing && !isnan(sample->velocity);
        struct new_velocity given = { .T = T, .feed = feed };
        given.q = known ? sample->velocity : filter_finite(change / (gap + T));
        if (set->goal_velocity == GOAL_VELOCITY_ZERO)
            given.feed = 1;
        if (fed)
            given.fed = change;
        replace_velocity(&spring_step, &given, &spring_state, out);
    }
    spring_state.gap = missing ? gap + T : 0;
    memcpy(state, &spring_state, sizeof spring_state);
}

/* npair pairs of channels from channel c on; both halves of the last pair hold an odd last channel. uniform:
 * one step serves all rows, and is kept in registers. */
RUN_INLINE void run_pairs(const struct run *run, size_t c, size_t npair, size_t nout, bool uniform,
                          bool moving)
{
    struct spring_step step;
    struct spring_state first, second;
    struct pair_state s[PAIRS];
    size_t a[PAIRS], b[PAIRS];
    for (size_t p = 0; p < npair; p++) {
        a[p] = c + 2 * p;
        b[p] = a[p] + 1 < run->nchannel ? a[p] + 1 : a[p];
        memcpy(&first, run->state + a[p] * run->shape->nstate, sizeof first);
        memcpy(&second, run->state + b[p] * run->shape->nstate, sizeof second);
        load(&s[p], &first, &second);
    }
    memcpy(&step, run->step, sizeof step);
    for (size_t i = 0; i < run->nrow; i++) {
        if (!uniform)
            memcpy(&step, run->step + i * run->step_stride, sizeof step);
#pragma GCC unroll 2
        for (size_t p = 0; p < npair; p++) {
            pair goal = { run->goal[a[p]][i], run->goal[b[p]][i] }, out[NOUT];
            pair_row(&step, goal, &s[p], out, moving);
            for (size_t o = 0; o < nout; o++) {
                run->out[a[p] * NOUT + o][i] = out[o][0];
                run->out[b[p] * NOUT + o][i] = out[o][1];
            }
        }
    }
    for (size_t p = 0; p < npair; p++) {
        save(&s[p], 0, &first);
        save(&s[p], 1, &second);
        memcpy(run->state + a[p] * run->shape->nstate, &first, sizeof first);
        memcpy(run->state + b[p] * run->shape->nstate, &second, sizeof second);
    }
}

/* A single row: the step stays in registers from pair to pair. */
RUN_INLINE void run_row(const struct run *run, size_t nout, bool moving)
{
    struct spring_step step;
    memcpy(&step, run->step, sizeof step);
    for (size_t a = 0; a < run->nchannel; a += 2) {
        size_t b = a + 1 < run->nchannel ? a + 1 : a;
        double *first = run->state + a * run->shape->nstate, *second = run->state + b * run->shape->nstate;
        struct spring_state one, other;
        struct pair_state s;
        pair goal = { run->goal[a][0], run->goal[b][0] }, out[NOUT];
        memcpy(&one, first, sizeof one);
        memcpy(&other, second, sizeof other);
        load(&s, &one, &other);
        pair_row(&step, goal, &s, out, moving);
        save(&s, 0, &one);
        save(&s, 1, &other);
        memcpy(first, &one, sizeof one);
        memcpy(second, &other, sizeof other);
        for (size_t o = 0; o < nout; o++) {
            run->out[a * NOUT + o][0] = out[o][0];
            run->out[b * NOUT + o][0] = out[o][1];
        }
    }
}

RUN_INLINE void run_channels(const struct run *run, size_t nout, bool uniform, bool moving)
{
    size_t c = 0;
    for (; c + 2 < run->nchannel; c += 2 * PAIRS)
        run_pairs(run, c, PAIRS, nout, uniform, moving);
    if (c < run->nchannel)
        run_pairs(run, c, 1, nout, uniform, moving);
}

RUN_INLINE void run_constant(const struct run *run, bool moving)
{
    bool uniform = run->step_stride == 0;
    if (run->value_only && uniform)
        run_channels(run, 1, true, moving);
    else if (run->value_only)
        run_channels(run, 1, false, moving);
    else if (uniform)
        run_channels(run, NOUT, true, moving);
    else
        run_channels(run, NOUT, false, moving);
}

__attribute__((noinline)) static void run_rows_of_all(const struct run *run)
{
    if (run->velocity || run->predicts)
        run_any(run, row, spring_start);
    else if (run->flags)
        run_flagged(run, row, spring_start, DOUBLES(struct spring_state), NOUT);
    else if (is_moving(run->settings))
        run_constant(run, true);
    else
        run_constant(run, false);
}

/* A single row of a game must be quick: it stays out of the large function above. */
void spring_run(const struct run *run)
{
    bool plain = !run->velocity && !run->predicts && !run->flags;
    if (run->nrow != 1 || !plain)
        run_rows_of_all(run);
    else if (is_moving(run->settings))
        run_row(run, NOUT, true);
    else
        run_row(run, NOUT, false);
}
