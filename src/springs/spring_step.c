/* The effect of a moving goal on a spring's step. Behind a goal of slope u the spring settles at the distance
 * (d/s) (q - u), moving at u: Phi moves the difference between the state and that settled motion.
 * Coefficients are per change g_n - g_(n-1) of the goal, so that no large slope over a short step is ever
 * computed. */
#include "springs/spring_step.h"
#include "springs/run_rows.h"

#include <math.h>

const char *const hold_names[] = { [HOLD_STEP] = "step", [HOLD_LINEAR] = "linear", NULL };
const char *const goal_velocity_names[] = {
    [GOAL_VELOCITY_ZERO] = "zero", [GOAL_VELOCITY_DIFFERENCE] = "difference", NULL
};

struct spring_step spring_coefficients(struct continuous q, int hold, const struct transition_full *phi,
                                       double T)
{
    double s = q.s, d = q.d, feed = q.feed;
    const struct transition *add = &phi->add;
    struct spring_step step = { spring_part(phi->ee, add->e_e), spring_part(phi->vv, add->v_v), .s = s,
                                .d = d };
    step.e_v = add->e_v;
    step.v_e = add->v_e;
    if (hold == HOLD_LINEAR) {
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

/* After a gap of `gap` seconds and a step of T the goal has changed by `change`: its velocity is the change
 * over both times, where the step took it for the change over T. A constant velocity shifts the point where
 * the spring settles, and Phi moves the difference from that point. */
RUN_INLINE void slow_down(const struct spring_step *step, double feed, double change, double gap, double T,
                          struct spring_state *state, double *out)
{
    const double q = filter_finite(change / (gap + T)), less = change - q * T;
    const double lead = feed * step->d / step->s / T;
    state->e += (step->e_e.kept - 1 + step->e_e.rest) * lead * less;
    state->v += step->v_e * lead * less;
    out[0] = state->goal + state->e;
    out[1] = state->v;
    out[2] = step->s * (0 - state->e) + step->d * (feed * q - state->v);
}

RUN_INLINE void row(const void *settings, const double *step, const struct sample *sample, double *state,
                    double *out)
{
    struct spring_step k;
    struct spring_state s;
    memcpy(&k, step, sizeof k);
    memcpy(&s, state, sizeof s);
    const double feed = ((const struct spring_settings *)settings)->common.equation.feed;
    const double change = sample->goal - s.goal, e = s.e, v = s.v;
    s.goal = sample->goal;
    s.e = k.e_e.kept * e + (k.e_e.rest * e + (k.e_v * v + k.e_g * change));
    s.v = k.v_v.kept * v + (k.v_e * e + (k.v_v.rest * v + k.v_g * change));
    out[0] = s.goal + s.e;
    out[1] = s.v;
    out[2] = k.s * (0 - s.e) + (k.d_g * change - k.d * s.v);
    if (feed != 0 && s.gap > 0)
        slow_down(&k, feed, change, s.gap, sample->T, &s, out);
    s.gap = sample->flags & FLAG_GAP ? s.gap + sample->T : 0;
    memcpy(state, &s, sizeof s);
}

void spring_run(const struct run *run)
{
    run_rows(run, row, spring_start, DOUBLES(struct spring_state), 3);
}
