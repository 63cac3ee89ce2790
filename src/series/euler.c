/* Euler angles from and to unit quaternions. See euler.h.
 *
 * With half angles a, b, c of the factors, and e = 1 where their axes are an even permutation of x, y, z,
 * else -1, the product q = qa qb qc has
 *     w + e q[b] = k cos(a + c)    q[a] + q[c] = k sin(a + c)    k = cos b + e sin b
 *     w - e q[b] = m cos(a - c)    q[a] - q[c] = m sin(a - c)    m = cos b - e sin b
 * so that each of a + c and a - c keeps its digits where the other is not determined. After E. Bernardes and
 * S. Viollet, "Quaternion to Euler angles conversion", PLoS ONE 17(11), 2022. */
#include "series/euler.h"

#include <float.h>
#include <math.h>

#define UNDETERMINED (4 * DBL_EPSILON) /* rounding errors of k and m */

static double parity(const struct euler *order)
{
    return (order->axis[0] + 1) % 3 == order->axis[1] ? 1 : -1;
}

void euler_to_rotation(const struct euler *order, const double angle[3], double q[4])
{
    double s[3], c[3], e = parity(order), period = order->period;
    for (int i = 0; i < 3; i++) {
        double x = angle[order->axis[i]],
               half = (fabs(x) > period ? remainder(x, period) : x) * (M_PI / period);
        s[i] = sin(half);
        c[i] = cos(half);
    }
    q[0] = c[0] * c[1] * c[2] - e * (s[0] * s[1] * s[2]);
    q[1 + order->axis[0]] = s[0] * c[1] * c[2] + e * (c[0] * s[1] * s[2]);
    q[1 + order->axis[1]] = c[0] * s[1] * c[2] - e * (s[0] * c[1] * s[2]);
    q[1 + order->axis[2]] = c[0] * c[1] * s[2] + e * (s[0] * s[1] * c[2]);
}

/* Moves each angle by whole turns as near to near as it gets; returns the sum of squared differences. */
static double turn_near(double angle[3], const double near[3], double period)
{
    double sum = 0;
    for (int i = 0; i < 3; i++) {
        double way = near[i] - angle[i];
        if (fabs(way) > period / 2) {
            angle[i] += round(way / period) * period;
            way = near[i] - angle[i];
        }
        sum += way * way;
    }
    return sum;
}

/* The sum (sign 1) or difference (-1) of the outer angles in near, halved. */
static double half_of(const struct euler *order, const double near[3], double sign)
{
    double first = remainder(near[order->axis[0]], order->period);
    return (first + sign * remainder(near[order->axis[2]], order->period)) / 2;
}

void euler_from_rotation(const struct euler *order, const double q[4], const double near[3], double angle[3])
{
    int a = order->axis[0], b = order->axis[1], c = order->axis[2];
    double e = parity(order), period = order->period, unit = period / (2 * M_PI);
    double plus[2] = { q[0] + e * q[1 + b], q[1 + a] + q[1 + c] };
    double minus[2] = { q[0] - e * q[1 + b], q[1 + a] - q[1 + c] };
    double k = sqrt(plus[0] * plus[0] + plus[1] * plus[1]);
    double m = sqrt(minus[0] * minus[0] + minus[1] * minus[1]);
    double sum = k > UNDETERMINED ? unit * atan2(plus[1], plus[0]) : half_of(order, near, 1);
    double difference = m > UNDETERMINED ? unit * atan2(minus[1], minus[0]) : half_of(order, near, -1);
    angle[a] = sum + difference;
    angle[b] = unit * atan2(2 * (q[0] * q[1 + b] + e * (q[1 + a] * q[1 + c])), k * m);
    angle[c] = sum - difference;
    double other[3];
    other[a] = angle[a] + period / 2;
    other[b] = period / 2 - angle[b];
    other[c] = angle[c] + period / 2;
    double nearest = turn_near(angle, near, period);
    /* The outer angles of the two solutions are half a turn apart: here the other one cannot be nearer. */
    if (nearest <= period * period / 8)
        return;
    if (turn_near(other, near, period) < nearest)
        for (int i = 0; i < 3; i++)
            angle[i] = other[i];
}
