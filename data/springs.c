/* Filters of sprung as functions, to copy into a program: the numbers of the program, to rounding. T: seconds since the
 * last step, which may differ from step to step. g: the goal. H: the half-life. Start at rest at the first goal.
 * MIT licence; for all filters at full speed link libsprung, sprung.h. */

/* --- Numbers --- */

#include <math.h>

struct spring { double x, v; }; /* position and velocity */

double damper(double x, double g, double H, double T)
{
    return g + (x - g) * exp2(-T / H);
}

void critical(struct spring *p, double g, double H, double T)
{
    double y = 2 * log(2) / H, e = p->x - g, j = p->v + y * e;
    double E = exp(-y * T);
    p->x = g + E * (e + j * T);
    p->v = E * (p->v - j * y * T);
}

/* Stiffness s, damping d; the goal moves at q, or q is 0. */
void spring(struct spring *p, double g, double q, double s, double d,
            double T)
{
    double y = d / 2, w = sqrt(fabs(s - y * y)), C = exp(-y * T), S = T * C;
    double goal = g + d * q / s, e = p->x - goal, v = p->v;
    if (s > y * y) { /* oscillates */
        S = C * sin(w * T) / w;
        C = C * cos(w * T);
    } else if (s < y * y) { /* two decays, the slower one first */
        double slow = exp(-s / (w + y) * T), fast = exp(-(w + y) * T);
        S = slow * -expm1(-2 * w * T) / (2 * w);
        C = (slow + fast) / 2;
    }
    p->x = goal + (C + y * S) * e + S * v;
    p->v = (C - y * S) * v - s * S * e;
}

/* x: the last input. Frequency f, damping ratio z, response r. */
struct second_order { struct spring y; double x; };

void second_order(struct second_order *p, double x, double f, double z,
                  double r, double T)
{
    double w = 8 * atan(1) * f, u = (x - p->x) / T, o = (r - 2) * z / w * u;
    struct spring e = { p->y.x - (p->x + o), p->y.v - u };
    spring(&e, 0, 0, w * w, 2 * z * w, T);
    p->y = (struct spring){ x + o + e.x, u + e.v };
    p->x = x;
}

/* --- Jumps --- */

/* g, q: the last goal and its velocity. known: 0 at the start, 1 in the
   row behind a cut, else 2. */
struct tracking { struct spring x; double g, q; int known; };

/* Position gain a, velocity gain b, each per gain step of 1 / R s. */
void tracking(struct tracking *p, double g, int cut, double a, double b,
              double R, double T)
{
    double q = cut ? 0 : (g - p->g) / T, e = p->x.x - (g - q * T);
    double u = p->x.v - (p->known == 2 && !cut ? p->q : q);
    u = p->known == 0 && !cut ? 0 : u / R;
    /* (e, u) becomes M^n (e, u): M has half trace h and determinant t. */
    double t = (1 - a) * (cut ? 1 : 1 - b), h = (1 - a + t) / 2, n = T * R;
    double r = sqrt(fabs(h * h - t)), C = pow(h, n), S = n * pow(h, n - 1);
    if (h * h < t) {
        C = pow(t, n / 2) * cos(n * atan2(r, h));
        S = pow(t, n / 2) * sin(n * atan2(r, h)) / r;
    } else if (h * h > t) {
        C = (pow(h + r, n) + pow(h - r, n)) / 2;
        S = (pow(h + r, n) - pow(h - r, n)) / (2 * r);
    }
    double e_next = C * e + S * ((1 - a - h) * e + t * u);
    u = C * u + S * ((t - h) * u - a * e);
    p->x = (struct spring){ g + e_next, q + u * R };
    p->g = g, p->q = q, p->known = cut ? 1 : 2;
}

/* The last goal, its velocity, and the offset of the output from it. */
struct inertialize { double g, q; struct spring offset; };

/* q: velocity of the goal, at a cut that of the new motion. */
double inertialize(struct inertialize *p, double g, double q, int cut,
                   double H, double T)
{
    critical(&p->offset, 0, H, T);
    if (cut) {
        p->offset.x += p->g + p->q * T - g;
        p->offset.v += p->q - q;
    }
    p->g = g, p->q = q;
    return g + p->offset.x;
}

/* --- Rotations --- */

/* A unit quaternion w, x, y, z, and the angular velocity in radians per
   second about the axes of the world. */
struct turn { double q[4], v[3]; };

void multiply(const double a[4], const double b[4], double out[4])
{
    out[0] = a[0] * b[0] - a[1] * b[1] - a[2] * b[2] - a[3] * b[3];
    out[1] = a[0] * b[1] + a[1] * b[0] + a[2] * b[3] - a[3] * b[2];
    out[2] = a[0] * b[2] - a[1] * b[3] + a[2] * b[0] + a[3] * b[1];
    out[3] = a[0] * b[3] + a[1] * b[2] - a[2] * b[1] + a[3] * b[0];
}

/* v += A e x v + B e x (e x v) */
void add_crosses(const double e[3], double A, double B, double v[3])
{
    double c[3], w[3] = { v[0], v[1], v[2] };
    for (int i = 0; i < 3; i++)
        c[i] = e[(i + 1) % 3] * w[(i + 2) % 3] - e[(i + 2) % 3] * w[(i + 1) % 3];
    for (int i = 0; i < 3; i++)
        v[i] += A * c[i] + B * (e[(i + 1) % 3] * c[(i + 2) % 3] -
                                e[(i + 2) % 3] * c[(i + 1) % 3]);
}

/* The rotation vector e from the goal to the output is moved as three
   numbers; J e' is the angular velocity, J the left Jacobian of SO(3). */
void critical_turn(struct turn *p, const double g[4], double H, double T)
{
    const double back[4] = { g[0], -g[1], -g[2], -g[3] };
    double way[4], e[3];
    multiply(p->q, back, way);
    double n = hypot(hypot(way[1], way[2]), way[3]);
    double a = 2 * atan2(n, fabs(way[0])), sign = way[0] < 0 ? -1 : 1;
    for (int i = 0; i < 3; i++)
        e[i] = n > 0 ? sign * a * way[i + 1] / n : 0;
    add_crosses(e, -.5, a > 1e-4 ? (1 - a / 2 / tan(a / 2)) / (a * a) : 1. / 12,
                p->v);
    for (int i = 0; i < 3; i++) {
        struct spring one = { e[i], p->v[i] };
        critical(&one, 0, H, T);
        e[i] = one.x;
        p->v[i] = one.v;
    }
    a = hypot(hypot(e[0], e[1]), e[2]);
    double half = a > 1e-4 ? sin(a / 2) / a : .5;
    add_crosses(e, 2 * half * half,
                a > 1e-4 ? (a - sin(a)) / (a * a * a) : 1. / 6, p->v);
    const double turn[4] = { cos(a / 2), half * e[0], half * e[1], half * e[2] };
    multiply(turn, g, p->q);
}
