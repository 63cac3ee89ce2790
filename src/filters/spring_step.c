/* What a moving goal adds to a spring's step. Behind a goal of slope u the spring settles at the distance
 * (d/s) (q - u), moving at u: Phi moves what differs from that. Taken together per way g_n - g_(n-1) of
 * the goal, so that no large slope of a short step is ever formed. */
#include "filters/spring_step.h"

#include <float.h>

const char *const chase_holds[] = { [HOLD_STEP] = "step", [HOLD_LINEAR] = "linear", NULL };
const char *const chase_goal_velocities[] = {
    [GOAL_VELOCITY_ZERO] = "zero", [GOAL_VELOCITY_DIFFERENCE] = "difference", NULL
};

static struct chase_step step_of(const struct phi_full *phi, double s, double d)
{
    return (struct chase_step){ .e_e = chase_part(phi->ee, phi->add.e_e),
                                .v_v = chase_part(phi->vv, phi->add.v_v),
                                .e_v = phi->add.e_v,
                                .v_e = phi->add.v_e,
                                .s = s,
                                .d = d };
}

struct chase_step chase_held(const struct phi_full *phi, double s, double d, double feed, double T)
{
    struct chase_step k = step_of(phi, s, d);
    if (feed == 0) {
        k.e_g = -phi->ee;
        k.v_g = -phi->add.v_e;
        return k;
    }
    double lead = feed * d / s;
    k.e_g = -phi->ee - phi->add.e_e * lead / T;
    k.v_g = -phi->add.v_e - phi->add.v_e * lead / T;
    k.d_g = fmin(feed * d / T, DBL_MAX);
    return k;
}

struct chase_step chase_moving(const struct phi_full *phi, double s, double d, double feed, double T)
{
    struct chase_step k = step_of(phi, s, d);
    double lag = (1 - feed) * d / s;
    k.e_g = (phi->add.e_e * lag - phi->add.e_v) / T;
    k.v_g = (feed * d * phi->add.e_v - phi->add.e_e) / T; /* v_e lag - v_v: as v_v is e_e - d e_v */
    k.d_g = fmax(fmin(feed * d / T, DBL_MAX), -DBL_MAX);
    return k;
}

/* Two channels in one register. */
typedef double pair __attribute__((vector_size(2 * sizeof(double))));

struct pair_state {
    pair goal, e, v;
};

enum { PAIRS = 2 }; /* side by side, to hide the latency of the recurrence */

RUN_INLINE void row(const struct chase_step *k, pair goal, struct pair_state *s, pair *out, bool moving)
{
    pair way = goal - s->goal, e = moving ? s->e : s->e - way, v = s->v;
    s->goal = goal;
    s->e = k->e_e.kept * e + (k->e_e.rest * e + (moving ? k->e_v * v + k->e_g * way : k->e_v * v));
    s->v = k->v_v.kept * v + (k->v_e * e + (moving ? k->v_v.rest * v + k->v_g * way : k->v_v.rest * v));
    out[0] = goal + s->e;
    out[1] = s->v;
    out[2] = k->s * (0 - s->e) + (moving ? k->d_g * way - k->d * s->v : k->d * (0 - s->v));
}

RUN_INLINE void load(struct pair_state *s, const struct chase_state *a, const struct chase_state *b)
{
    *s = (struct pair_state){ { a->goal, b->goal }, { a->e, b->e }, { a->v, b->v } };
}

RUN_INLINE void save(const struct pair_state *s, int half, struct chase_state *to)
{
    *to = (struct chase_state){ s->goal[half], s->e[half], s->v[half] };
}

/* A channel by itself, as run_marked takes it: it stands in both halves. */
RUN_INLINE void row_of_one(const double *step, double goal, double *state, double *out, bool moving)
{
    struct chase_state *s = (struct chase_state *)state;
    struct pair_state both;
    pair outs[CHASE_NOUT];
    load(&both, s, s);
    row((const struct chase_step *)step, (pair){ goal, goal }, &both, outs, moving);
    save(&both, 0, s);
    for (size_t k = 0; k < CHASE_NOUT; k++)
        out[k] = outs[k][0];
}

static inline void row_held(const void *settings, const double *step, const struct sample *sample,
                            double *state, double *out)
{
    (void)settings;
    row_of_one(step, sample->goal, state, out, false);
}

static inline void row_moving(const void *settings, const double *step, const struct sample *sample,
                              double *state, double *out)
{
    (void)settings;
    row_of_one(step, sample->goal, state, out, true);
}

/* npair pairs of channels from c on; where channels run out, one stands in both halves. even: one step serves
 * all rows, and stays in registers. */
RUN_INLINE void run_pairs(const struct run *r, size_t c, size_t npair, size_t nout, bool even, bool moving)
{
    const struct chase_step *step = (const struct chase_step *)r->step, fixed = *step;
    struct chase_state *state = (struct chase_state *)r->state;
    struct pair_state s[PAIRS];
    size_t a[PAIRS], b[PAIRS];
    for (size_t p = 0; p < npair; p++) {
        a[p] = c + 2 * p;
        b[p] = a[p] + 1 < r->nchannel ? a[p] + 1 : a[p];
        load(&s[p], &state[a[p]], &state[b[p]]);
    }
    for (size_t i = 0; i < r->nrow; i++) {
#pragma GCC unroll 2
        for (size_t p = 0; p < npair; p++) {
            pair out[CHASE_NOUT];
            row(even ? &fixed : &step[i], (pair){ r->goal[a[p]][i], r->goal[b[p]][i] }, &s[p], out, moving);
            for (size_t k = 0; k < nout; k++) {
                r->out[a[p] * CHASE_NOUT + k][i] = out[k][0];
                r->out[b[p] * CHASE_NOUT + k][i] = out[k][1];
            }
        }
    }
    for (size_t p = 0; p < npair; p++) {
        save(&s[p], 0, &state[a[p]]);
        save(&s[p], 1, &state[b[p]]);
    }
}

RUN_INLINE void run_unmarked(const struct run *r, size_t nout, bool even, bool moving)
{
    size_t c = 0;
    for (; c + 2 < r->nchannel; c += 2 * PAIRS)
        run_pairs(r, c, PAIRS, nout, even, moving);
    if (c < r->nchannel)
        run_pairs(r, c, 1, nout, even, moving);
}

RUN_INLINE void run(const struct run *r, filter_start *start, bool moving)
{
    bool even = r->step_stride == 0;
    if (r->mark)
        for (size_t c = 0; c < r->nchannel; c++)
            run_marked(r, c, moving ? row_moving : row_held, start, CHASE_NSTATE, CHASE_NOUT);
    else if (r->value_only && even)
        run_unmarked(r, 1, true, moving);
    else if (r->value_only)
        run_unmarked(r, 1, false, moving);
    else if (even)
        run_unmarked(r, CHASE_NOUT, true, moving);
    else
        run_unmarked(r, CHASE_NOUT, false, moving);
}

void chase_run(const struct run *r, filter_start *start, bool moving)
{
    if (moving)
        run(r, start, true);
    else
        run(r, start, false);
}
