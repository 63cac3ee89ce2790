/* The matrix Phi that moves a damped spring's error e = x - goal and its rate v over a step: one place for
 * all filters. Kept as Phi - I, what a step adds, so that ten thousand short steps lose no more digits
 * than a long one does. Invariant: Phi(a) Phi(b) = Phi(a + b) to rounding, below, at and above critical
 * damping; never NaN nor infinite. It is the closed form of x'' = -s x - d x'; Daniel Holden's
 * "Spring-Roll-Call" (2021) derives it for games. */
#ifndef SPRUNG_PHI_H
#define SPRUNG_PHI_H

struct phi {
    double e_e, e_v; /* e += e_e e + e_v v */
    double v_e, v_v; /* v += v_e e + v_v v */
};

/* The same, and the diagonal of Phi itself, to its last digit also where a long step leaves little. */
struct phi_full {
    struct phi add;
    double ee, vv;
};

/* How exp(-u) is taken: the real one, or as game engines approximate it. Choices of --approx; -1 is "not
 * given". */
enum phi_approx { PHI_EXACT = -1, PHI_HOLDEN, PHI_UNREAL };
extern const char *const phi_approximations[];

/* exp(-u), and exp(-u) - 1, for u >= 0 (infinity too), by the given method. */
double phi_decay(double u, int approx);
double phi_decay_m1(double u, int approx);

/* x'' = -s x - d x' over T: stiffness s >= 0 (1/s^2), damping d >= 0 (1/s), T >= 0 (s), all finite. */
struct phi phi_spring(double s, double d, double T);

/* The critical spring of half damping y = d/2 = sqrt s (1/s), exp by the given method. */
struct phi phi_critical(double y, double T, int approx);

/* Both in full, and any spring with exp by the given method, as engines have it. */
struct phi_full phi_spring_full(double s, double d, double T, int approx);
struct phi_full phi_critical_full(double y, double T, int approx);

static inline void phi_apply(const struct phi *phi, double *e, double *v)
{
    double moved = *e + (phi->e_e * *e + phi->e_v * *v);
    *v = *v + (phi->v_e * *e + phi->v_v * *v);
    *e = moved;
}

#endif
