/* A damped spring after a moving goal: what critical, spring and second-order share. x'' = s (g - x) + d (q -
 * v), where the goal's velocity q may be fed forward, in whole or in part: q = feed (g_n - g_(n-1)) / T.
 * Invariant: the state is the error e = x - goal, not x. So an error of exactly 0 stays 0, an offset of
 * the signal costs no digits, and a slow spring does not stop short of its goal. */
#ifndef SPRUNG_CHASE_H
#define SPRUNG_CHASE_H

#include "filters/filter.h"
#include "filters/transition.h"

enum hold { HOLD_STEP, HOLD_LINEAR };                                /* --hold */
enum goal_velocity { GOAL_VELOCITY_ZERO, GOAL_VELOCITY_DIFFERENCE }; /* --goal-velocity */
extern const char *const chase_holds[], *const chase_goal_velocities[];

struct chase_state {
    double goal, e, v;
};

/* A diagonal element of Phi in two parts: kept, 0 or 1, and the rest. Phi is the rest after a long step,
 * and 1 and the rest after a short one: so neither loses digits. */
struct chase_part {
    double kept, rest;
};

static inline struct chase_part chase_part(double phi, double phi_m1)
{
    return phi < .5 ? (struct chase_part){ 0, phi } : (struct chase_part){ 1, phi_m1 };
}

struct chase_step {
    struct chase_part e_e, v_v;
    double e_v, v_e;
    double e_g, v_g; /* what the goal's way over the step adds to e and v */
    double s, d;     /* of the printed acceleration */
    double d_g;      /* d q per way of the goal */
};

enum { CHASE_NSTATE = 3, CHASE_NOUT = 3 };

/* The step of a goal that jumps to its new place at once, and of one that moves there evenly. phi: of s
 * and d over T. */
struct chase_step chase_held(const struct phi_full *phi, double s, double d, double feed, double T);
struct chase_step chase_moving(const struct phi_full *phi, double s, double d, double feed, double T);

/* At rest at x. */
RUN_INLINE void chase_start(double s, double goal, double x, double *state, double *out)
{
    *(struct chase_state *)state = (struct chase_state){ goal, x - goal, 0 };
    out[0] = x;
    out[1] = 0;
    out[2] = s * (goal - x);
}

/* All of a filter's run(). moving false: the goal jumps and nothing is fed forward, so that e_g, v_g and d_g
 * are not looked at, which is faster. */
void chase_run(const struct run *r, filter_start *start, bool moving);

#endif
