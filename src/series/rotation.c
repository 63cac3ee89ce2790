/* Unit quaternions and rotation vectors. See rotation.h. */
#include "series/rotation.h"

#include <math.h>

/* The length of n numbers, without overflow or loss on the way. */
static double length(const double *x, int n)
{
    double most = 0, sum = 0;
    for (int i = 0; i < n; i++)
        most = fmax(most, fabs(x[i]));
    if (most == 0 || isinf(most))
        return most;
    for (int i = 0; i < n; i++)
        sum += (x[i] / most) * (x[i] / most);
    return most * sqrt(sum);
}

bool rotation_unit(double q[4])
{
    double scale = fmax(fmax(fabs(q[0]), fabs(q[1])), fmax(fabs(q[2]), fabs(q[3])));
    if (!(scale > 0) || isinf(scale) || isnan(q[0] + q[1] + q[2] + q[3]))
        return false;
    /* Dividing by the largest first keeps the digits of denormals. */
    double unit[4] = { q[0] / scale, q[1] / scale, q[2] / scale, q[3] / scale }, n = length(unit, 4);
    for (int i = 0; i < 4; i++)
        q[i] = unit[i] / n;
    return true;
}

void rotation_multiply(const double a[4], const double b[4], double out[4])
{
    out[0] = a[0] * b[0] - a[1] * b[1] - a[2] * b[2] - a[3] * b[3];
    out[1] = a[0] * b[1] + a[1] * b[0] + a[2] * b[3] - a[3] * b[2];
    out[2] = a[0] * b[2] + a[2] * b[0] + a[3] * b[1] - a[1] * b[3];
    out[3] = a[0] * b[3] + a[3] * b[0] + a[1] * b[2] - a[2] * b[1];
}

void rotation_between(const double a[4], const double b[4], double out[4])
{
    const double conjugate[4] = { b[0], -b[1], -b[2], -b[3] };
    rotation_multiply(a, conjugate, out);
}

/* atan2 keeps its digits at every angle; acos(w) loses half of them near 0. */
void rotation_log(const double q[4], double v[3])
{
    double n = length(q + 1, 3), w = fabs(q[0]);
    double angle = q[0] < 0 ? -2 * atan2(n, w) : 2 * atan2(n, w);
    for (int i = 0; i < 3; i++)
        v[i] = n > 0 ? angle * (q[i + 1] / n) : 0;
}

void rotation_exp(const double v[3], double q[4])
{
    double half = length(v, 3) / 2;
    /* sin(h)/h by its series where h^4 is past the last digit. */
    double part = half < 1e-4 ? 1 - half * half / 6 : sin(half) / half;
    q[0] = cos(half);
    for (int i = 0; i < 3; i++)
        q[i + 1] = part * (v[i] / 2);
}
