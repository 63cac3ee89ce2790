/* The effect of a moving goal on a spring's step. Behind a goal of slope u the spring settles at the distance
 * (d/s) (q - u), moving at u: Phi moves the difference between the state and that settled motion.
 * Coefficients are per change g_n - g_(n-1) of the goal, so that no large slope over a short step is ever
 * computed. */
#include "springs/spring_step.h"
#include "springs/run_rows.h"

const char *const hold_names[] = { [HOLD_STEP] = "step", [HOLD_LINEAR] = "linear", NULL };
const char *const goal_velocity_names[] = {
    [GOAL_VELOCITY_ZERO] = "zero", [GOAL_VELOCITY_DIFFERENCE] = "difference", NULL
};

void spring_coefficients(struct spring_step *step, struct continuous q, int hold,
                         const struct transition_full *phi, double T)
{
    double s = q.s, d = q.d, feed = q.feed;
    const struct transition *add = &phi->add;
    const struct spring_part e_e = spring_part(phi->ee, add->e_e), v_v = spring_part(phi->vv, add->v_v);
    *step = (struct spring_step){
        .kept = { e_e.kept, v_v.kept },
        .by_e = { e_e.rest, add->v_e },
        .by_v = { add->e_v, v_v.rest },
        .s = s,
        .d = d,
    };
    if (hold == HOLD_LINEAR) {
        double lag = (1 - feed) * d / s;
        /* v: (v_e lag - v_v) / T, with v_v = e_e - d e_v */
        step->by_goal = (spring_pair){ (add->e_e * lag - add->e_v) / T,
                                       (feed * d * add->e_v - add->e_e) / T };
    } else if (feed == 0) { /* the usual case, without divisions */
        step->by_goal = (spring_pair){ -phi->ee, -add->v_e };
    } else {
        double lead = feed * d / s;
        step->by_goal = (spring_pair){ -phi->ee - add->e_e * lead / T, -add->v_e - add->v_e * lead / T };
    }
    if (feed != 0)
        step->d_g = filter_finite(feed * d / T);
}

void spring_start(const void *settings, const struct first_row *first, void *of_channel, double *out)
{
    const struct continuous *q = &((const struct filter_common *)settings)->equation;
    struct spring_state *state = of_channel;
    const double e = first->x - first->goal, v = first->velocity;
    *state = (struct spring_state){ .goal = first->goal, .at = { e, v } };
    filter_put(out, first->x, v, q->s * (0 - e) + q->d * (0 - v));
}

/* After a gap of `gap` seconds and a step of T the goal has changed by `change`: its velocity is the change
 * over both times, where the step took it for the change over T. A constant velocity shifts the point where
 * the spring settles, and Phi moves the difference from that point. */
RUN_INLINE void slow_down(const struct spring_step *step, double feed, double change, double gap, double T,
                          struct spring_state *state, double *out)
{
    const double q = filter_finite(change / (gap + T)), less = change - q * T;
    const double lead = feed * step->d / step->s / T;
    state->at[0] += (step->kept[0] - 1 + step->by_e[0]) * lead * less;
    state->at[1] += step->by_e[1] * lead * less;
    const double a = step->s * (0 - state->at[0]) + step->d * (feed * q - state->at[1]);
    filter_put(out, state->goal + state->at[0], state->at[1], a);
}

RUN_INLINE void row(const void *settings, const void *of_step, const struct sample *sample, void *of_channel,
                    double *out)
{
    const struct spring_step *step = of_step;
    struct spring_state *state = of_channel;
    const double change = sample->goal - state->goal;
    const spring_pair at = state->at;
    (void)settings;
    state->goal = sample->goal;
    state->at = step->kept * at + (step->by_e * at[0] + (step->by_v * at[1] + step->by_goal * change));
    const double a = step->s * (0 - state->at[0]) + (step->d_g * change - step->d * state->at[1]);
    filter_put(out, state->goal + state->at[0], state->at[1], a);
}

/* A row of a filter that feeds the goal's velocity forward. */
RUN_INLINE void fed_row(const void *settings, const void *of_step, const struct sample *sample,
                        void *of_channel, double *out)
{
    struct spring_state *state = of_channel;
    const double feed = ((const struct filter_common *)settings)->equation.feed;
    const double change = sample->goal - state->goal;
    row(settings, of_step, sample, state, out);
    if (state->gap > 0)
        slow_down(of_step, feed, change, state->gap, sample->T, state, out);
    state->gap = sample->flags & FLAG_GAP ? state->gap + sample->T : 0;
}

void spring_run(const struct run *run)
{
    if (((const struct filter_common *)run->settings)->equation.feed == 0)
        run_rows(run, row, spring_start, DOUBLES(struct spring_state), 3);
    else
        run_rows(run, fed_row, spring_start, DOUBLES(struct spring_state), 3);
}
