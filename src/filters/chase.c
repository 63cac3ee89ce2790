/* What a moving goal adds to a spring's step. Behind a goal of slope u the spring settles at the distance
 * (d/s) (q - u), moving at u: Phi moves what differs from that. Taken together per way g_n - g_(n-1) of
 * the goal, so that no large slope of a short step is ever formed. */
#include "chase.h"

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
