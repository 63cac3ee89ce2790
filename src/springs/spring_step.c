/* The effect of a moving goal on a spring's step. Behind a goal of slope u the spring settles at the distance
 * (d/s) (q - u), moving at u: Phi moves the difference between the state and that settled motion.
 * Coefficients are per change g_n - g_(n-1) of the goal, so that no large slope over a short step is ever
 * computed. */
#include "springs/spring_step.h"
#include "springs/run_rows.h"

#include <complex.h>

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
    struct spring_step k = { spring_part(phi->ee, add->e_e), spring_part(phi->vv, add->v_v), .s = s, .d = d };
    k.e_v = add->e_v;
    k.v_e = add->v_e;
    if (set->hold == HOLD_LINEAR) {
        double lag = (1 - feed) * d / s;
        k.e_g = (add->e_e * lag - add->e_v) / T;
        k.v_g = (feed * d * add->e_v - add->e_e) / T; /* v_e lag - v_v: as v_v is e_e - d e_v */
    } else if (feed == 0) {                           /* the usual case, without divisions */
        k.e_g = -phi->ee;
        k.v_g = -add->v_e;
    } else {
        double lead = feed * d / s;
        k.e_g = -phi->ee - add->e_e * lead / T;
        k.v_g = -add->v_e - add->v_e * lead / T;
    }
    if (feed != 0)
        k.d_g = filter_finite(feed * d / T);
    return k;
}

/* By the z-transform of the rows: with q = 1/z, the states E and V and the goal G are related by
 *     E = q (e_e E + e_v V) + e_g (1 - q) G,    V = q (v_e E + v_v V) + v_g (1 - q) G,
 * and the output is G + E. */
double spring_gain(const struct spring_step *k, double angle)
{
    double _Complex q = cexp(-I * angle);
    double e_e = k->e_e.kept + k->e_e.rest, v_v = k->v_v.kept + k->v_v.rest;
    double _Complex own = 1 - v_v * q, determinant = (1 - e_e * q) * own - k->e_v * k->v_e * q * q;
    return cabs(1 + (1 - q) * (k->e_g * own + k->v_g * k->e_v * q) / determinant);
}

void spring_start(const void *settings, const struct first_row *first, double *state, double *out)
{
    struct continuous q = ((const struct spring_settings *)settings)->common.equation;
    struct spring_state s = { .goal = first->goal, .e = first->x - first->goal, .v = first->velocity };
    memcpy(state, &s, sizeof s);
    out[0] = first->x;
    out[1] = s.v;
    out[2] = q.s * (0 - s.e) + q.d * (0 - s.v);
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
RUN_INLINE void pair_row(const struct spring_step *k, pair goal, struct pair_state *s, pair *out, bool moving)
{
    pair change = goal - s->goal, e = moving ? s->e : s->e - change, v = s->v;
    s->goal = goal;
    s->e = k->e_e.kept * e + (k->e_e.rest * e + (moving ? k->e_v * v + k->e_g * change : k->e_v * v));
    s->v = k->v_v.kept * v + (k->v_e * e + (moving ? k->v_v.rest * v + k->v_g * change : k->v_v.rest * v));
    out[0] = goal + s->e;
    out[1] = s->v;
    out[2] = k->s * (0 - s->e) + (moving ? k->d_g * change - k->d * s->v : k->d * (0 - s->v));
}

RUN_INLINE void load(struct pair_state *s, const struct spring_state *a, const struct spring_state *b)
{
    *s = (struct pair_state){ { a->goal, b->goal }, { a->e, b->e }, { a->v, b->v } };
}

RUN_INLINE void save(const struct pair_state *s, int half, struct spring_state *to)
{
    *to = (struct spring_state){ s->goal[half], s->e[half], s->v[half], 0 };
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
static void replace_velocity(const struct spring_step *k, const struct new_velocity *new,
                             struct spring_state *s, double *out)
{
    double lead = new->feed * k->d / k->s, less = new->fed - new->q *new->T;
    s->e += (k->e_e.kept - 1 + k->e_e.rest) * lead / new->T *less;
    s->v += k->v_e * lead / new->T *less;
    out[0] = s->goal + s->e;
    out[1] = s->v;
    out[2] = k->s * (0 - s->e) + k->d * (new->feed *new->q - s->v);
}

double spring_goal_velocity(const void *settings, const double *state, const struct sample *sample)
{
    const struct spring_settings *set = settings;
    struct spring_state s;
    memcpy(&s, state, sizeof s);
    if (set->goal_velocity != GOAL_VELOCITY_DIFFERENCE || sample->flags & FLAG_GAP)
        return 0;
    if (sample->measured && !isnan(sample->velocity))
        return sample->velocity;
    return filter_finite((sample->goal - s.goal) / (s.gap + sample->T));
}

/* One channel, for run_any: both halves of the pair hold the channel. The goal's velocity is the measured
 * one; where the measurement is missing, the difference of the goals; in a gap 0. */
RUN_INLINE void row(const void *settings, const double *step, const struct sample *sample, double *state,
                    double *out)
{
    const struct spring_settings *set = settings;
    struct spring_state s;
    struct spring_step k;
    memcpy(&s, state, sizeof s);
    memcpy(&k, step, sizeof k);
    double change = sample->goal - s.goal, T = sample->T, gap = s.gap, feed = set->common.equation.feed;
    bool missing = sample->flags & FLAG_GAP, measured = sample->measured, fed = feed != 0;
    struct pair_state both;
    pair outs[NOUT];
    load(&both, &s, &s);
    pair_row(&k, (pair){ sample->goal, sample->goal }, &both, outs, is_moving(set));
    save(&both, 0, &s);
    for (size_t o = 0; o < NOUT; o++)
        out[o] = outs[o][0];
    if (measured || (fed && gap > 0)) {
        bool known = measured && !missing && !isnan(sample->velocity);
        struct new_velocity new = { .T = T, .feed = feed };
        new.q = known ? sample->velocity : filter_finite(change / (gap + T));
        if (set->goal_velocity == GOAL_VELOCITY_ZERO)
            new.feed = 1;
        if (fed)
            new.fed = change;
        replace_velocity(&k, &new, &s, out);
    }
    s.gap = missing ? gap + T : 0;
    memcpy(state, &s, sizeof s);
}

/* npair pairs of channels from channel c on; both halves of the last pair hold an odd last channel. uniform:
 * one step serves all rows, and is kept in registers. */
RUN_INLINE void run_pairs(const struct run *r, size_t c, size_t npair, size_t nout, bool uniform, bool moving)
{
    struct spring_step step;
    struct spring_state first, second;
    struct pair_state s[PAIRS];
    size_t a[PAIRS], b[PAIRS];
    for (size_t p = 0; p < npair; p++) {
        a[p] = c + 2 * p;
        b[p] = a[p] + 1 < r->nchannel ? a[p] + 1 : a[p];
        memcpy(&first, r->state + a[p] * r->shape->nstate, sizeof first);
        memcpy(&second, r->state + b[p] * r->shape->nstate, sizeof second);
        load(&s[p], &first, &second);
    }
    memcpy(&step, r->step, sizeof step);
    for (size_t i = 0; i < r->nrow; i++) {
        if (!uniform)
            memcpy(&step, r->step + i * r->step_stride, sizeof step);
#pragma GCC unroll 2
        for (size_t p = 0; p < npair; p++) {
            pair goal = { r->goal[a[p]][i], r->goal[b[p]][i] }, out[NOUT];
            pair_row(&step, goal, &s[p], out, moving);
            for (size_t o = 0; o < nout; o++) {
                r->out[a[p] * NOUT + o][i] = out[o][0];
                r->out[b[p] * NOUT + o][i] = out[o][1];
            }
        }
    }
    for (size_t p = 0; p < npair; p++) {
        save(&s[p], 0, &first);
        save(&s[p], 1, &second);
        memcpy(r->state + a[p] * r->shape->nstate, &first, sizeof first);
        memcpy(r->state + b[p] * r->shape->nstate, &second, sizeof second);
    }
}

RUN_INLINE void run_channels(const struct run *r, size_t nout, bool uniform, bool moving)
{
    size_t c = 0;
    for (; c + 2 < r->nchannel; c += 2 * PAIRS)
        run_pairs(r, c, PAIRS, nout, uniform, moving);
    if (c < r->nchannel)
        run_pairs(r, c, 1, nout, uniform, moving);
}

RUN_INLINE void run_constant(const struct run *r, bool moving)
{
    bool uniform = r->step_stride == 0;
    if (r->value_only && uniform)
        run_channels(r, 1, true, moving);
    else if (r->value_only)
        run_channels(r, 1, false, moving);
    else if (uniform)
        run_channels(r, NOUT, true, moving);
    else
        run_channels(r, NOUT, false, moving);
}

void spring_run(const struct run *r)
{
    if (r->velocity || r->flags || r->predicts || r->settings_stride > 0)
        run_any(r, row, spring_start);
    else if (is_moving(r->settings))
        run_constant(r, true);
    else
        run_constant(r, false);
}
