/* What a moving goal adds to a spring's step. Behind a goal of slope u the spring settles at the distance
 * (d/s) (q - u), moving at u: Phi moves what differs from that. Taken together per way g_n - g_(n-1) of the
 * goal, so that no large slope of a short step is ever formed. */
#include "chase.h"

#include <float.h>

const char *const chase_holds[] = { [HOLD_STEP] = "step", [HOLD_LINEAR] = "linear", NULL };
const char *const chase_goal_velocities[] = {
    [GOAL_VELOCITY_ZERO] = "zero", [GOAL_VELOCITY_DIFFERENCE] = "difference", NULL
};

struct chase_step chase_held(struct phi phi, double s, double d, double feed, double T)
{
    double lead = feed * d / s;
    return (struct chase_step){ .phi = phi,
                                .e_g = -1 - phi.e_e - phi.e_e * lead / T,
                                .v_g = -phi.v_e - phi.v_e * lead / T,
                                .s = s,
                                .d = d,
                                .d_g = fmin(feed * d / T, DBL_MAX) };
}

struct chase_step chase_moving(struct phi phi, double s, double d, double feed, double T)
{
    double lag = (1 - feed) * d / s;
    return (struct chase_step){ .phi = phi,
                                .e_g = (phi.e_e * lag - phi.e_v) / T,
                                .v_g = (phi.v_e * lag - phi.v_v) / T,
                                .s = s,
                                .d = d,
                                .d_g = fmax(fmin(feed * d / T, DBL_MAX), -DBL_MAX) };
}
