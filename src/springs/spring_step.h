/* The damped spring that the filters critical, spring and second-order share. A spring follows a moving goal:
 *     x'' = s (g - x) + d (feed q - v),
 * where the goal's velocity q is 0, measured, or the difference (g_n - g_(n-1)) / T; after a gap T is the
 * time since the last goal. Invariant: the state is the error e = x - goal, not x: an error of 0 stays 0, an
 * offset of the signal costs no digits, and a slow spring reaches its goal. */
#ifndef SPRUNG_SPRINGS_SPRING_STEP_H
#define SPRUNG_SPRINGS_SPRING_STEP_H

#include "springs/filter.h"
#include "springs/transition.h"

enum hold { HOLD_STEP, HOLD_LINEAR };                                /* --hold; not given, or -1: step */
enum goal_velocity { GOAL_VELOCITY_ZERO, GOAL_VELOCITY_DIFFERENCE }; /* --goal-velocity */
extern const char *const hold_names[], *const goal_velocity_names[];

/* clang-format off */
#define HOLD_OPTION(with)                                                                                    \
    { .name = "hold", CHOICE(common.hold, hold_names), .methods = with,                                      \
      .help = "between rows: step holds the input, linear interpolates",                                     \
      .more = "Default: step: the output already moves in the row where the input jumps. See sprung help "     \
              "rates" }
#define GOAL_VELOCITY_OPTION(field)                                                                          \
    { .name = "goal-velocity", CHOICE(field, goal_velocity_names), .fallback = "zero",                       \
      .help = "input velocity: assume zero, or take row differences (no lag, more noise)" }
#define CUTOFF_HELP "-3 dB frequency: 6 for walking"
#define CUTOFF_MORE "Throws and impacts need 10 to 20 Hz: see sprung help smoothing"
#define CUTOFF_OPTION(text, with)                                                                            \
    { .name = "cutoff", NUMBER(common.cutoff, RANGE_POSITIVE, "HZ"),                                         \
      .help = CUTOFF_HELP, .more = text, .methods = with }
/* clang-format on */

/* A number for e and one for v, computed by one instruction each. */
typedef double spring_pair __attribute__((vector_size(2 * sizeof(double)), aligned(sizeof(double))));

struct spring_state {
    double goal;    /* of the last row */
    double gap;     /* seconds without a goal up to the last row; 0: the last row had a goal */
    spring_pair at; /* error e = x - goal, and velocity v = x' per second */
};

/* A diagonal element of Phi as kept + rest. kept is 0 or 1, the nearer of the two, so that rest loses no
 * digits. */
struct spring_part {
    double kept, rest;
};

static inline struct spring_part spring_part(double phi, double phi_m1)
{
    return phi < .5 ? (struct spring_part){ 0, phi } : (struct spring_part){ 1, phi_m1 };
}

/* Coefficients of a step: (e, v) <- kept (e, v) + by_e e + by_v v + by_goal change, where change is
 * g_n - g_(n-1); the printed acceleration is d_g change - s e - d v. */
struct spring_step {
    spring_pair kept, by_e, by_v; /* Phi by columns, its diagonal in parts */
    spring_pair by_goal;          /* added per change of the goal over the step */
    double s, d;                  /* stiffness (1/s^2) and damping (1/s) */
    double d_g;                   /* d feed / T; 0: nothing is fed forward */
};

/* Sets the coefficients of a step of T; phi is the transition of the equation over T, hold of enum hold. */
void spring_coefficients(struct spring_step *step, struct continuous q, int hold,
                         const struct transition_full *phi, double T);

/* start and run of a filter whose step is that of spring_coefficients and whose state is a spring_state. The
 * feed of filter_common.equation is the part of the goal's difference that counts as velocity. */
void spring_start(const void *settings, const struct first_row *first, void *state, double *out);
void spring_run(const struct run *run);

#endif
