/* Unit quaternions, rotation vectors, angular velocities and Euler angles. See rotation.h. */
#include "springs/rotations/rotation.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* A square of a length between these limits is a sum of squares without overflow, and without a loss of
 * digits that counts. */
#define LEAST_SQUARE 1e-200
#define MOST_SQUARE  1e200

static bool is_plain(double square)
{
    return square > LEAST_SQUARE && square < MOST_SQUARE;
}

bool rotation_is_unit(const double q[4])
{
    static const double rounded = 1e-3; /* three decimals change the length by less */
    double square = q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3];
    return fabs(sqrt(square) - 1) <= rounded;
}

bool rotation_read(double last[4], double q[4])
{
    rotation_follow(q, last);
    if (!(fabs(q[0]) + fabs(q[1]) + fabs(q[2]) + fabs(q[3]) > 0))
        return false;
    memcpy(last, q, 4 * sizeof *last);
    return true;
}

bool rotation_unit(double q[4])
{
    double square = q[0] * q[0] + rotation_dot(q + 1, q + 1);
    if (!is_plain(square)) {
        double scale = fmax(fmax(fabs(q[0]), fabs(q[1])), fmax(fabs(q[2]), fabs(q[3])));
        if (!(scale > 0) || isinf(scale) || isnan(q[0] + q[1] + q[2] + q[3]))
            return false;
        for (int i = 0; i < 4; i++)
            q[i] /= scale;
        square = q[0] * q[0] + rotation_dot(q + 1, q + 1);
    }
    double n = sqrt(square);
    for (int i = 0; i < 4; i++)
        q[i] /= n;
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

/* The rotation angle over the length of q's vector part; q has a length. atan2 keeps its digits at every
 * angle; acos(w) loses half of them near 0. A small angle takes the power series of atan. */
static double angle_over_length(const double q[4])
{
    double square = rotation_dot(q + 1, q + 1), w = fabs(q[0]), tan2 = square / (w * w), sum = 0;
    if (tan2 < 1. / 64) {
#pragma GCC unroll 9
        for (int k = 8; k >= 0; k--)
            sum = 1. / (2 * k + 1) - tan2 * sum;
        return 2 * sum / q[0];
    }
    double n = sqrt(square), angle = 2 * atan2(n, w);
    return (q[0] < 0 ? -angle : angle) / n;
}

void rotation_log(const double q[4], double v[3])
{
    double unit[4] = { q[0], q[1], q[2], q[3] };
    bool has_length = is_plain(q[0] * q[0] + rotation_dot(q + 1, q + 1)) || rotation_unit(unit);
    double scale = has_length ? angle_over_length(unit) : 0;
    for (int i = 0; i < 3; i++)
        v[i] = scale * unit[i + 1];
}

void rotation_vector(const double a[4], const double b[4], double v[3])
{
    double way[4];
    rotation_between(a, b, way);
    rotation_log(way, v);
}

void rotation_turn(double q[4], const double v[3], double part)
{
    const double scaled[3] = { part * v[0], part * v[1], part * v[2] }, from[4] = { q[0], q[1], q[2], q[3] };
    struct rotation_point turn;
    rotation_point_exp(scaled, &turn);
    rotation_multiply(turn.q, from, q);
}

void rotation_point_exp(const double y[3], struct rotation_point *point)
{
    point->square = rotation_dot(y, y);
    double half = sqrt(point->square) / 2;
    if (!(point->square < MOST_SQUARE))
        half = hypot(hypot(y[0] / 2, y[1] / 2), y[2] / 2);
    /* sin(h)/h by its series where h^4 is past the last digit. */
    point->part = half < 1e-4 ? 1 - half * half / 6 : sin(half) / half;
    point->q[0] = cos(half);
    for (int i = 0; i < 3; i++) {
        point->y[i] = y[i];
        point->q[i + 1] = point->part * (y[i] / 2);
    }
}

void rotation_point_log(const double q[4], struct rotation_point *point)
{
    double scale = angle_over_length(q), sign = q[0] < 0 ? -1 : 1;
    point->part = 2 / (sign * scale);
    point->q[0] = sign * q[0];
    for (int i = 0; i < 3; i++) {
        point->y[i] = scale * q[i + 1];
        point->q[i + 1] = sign * q[i + 1];
    }
    point->square = rotation_dot(point->y, point->y);
}

static void cross(const double a[3], const double b[3], double out[3])
{
    out[0] = a[1] * b[2] - a[2] * b[1];
    out[1] = a[2] * b[0] - a[0] * b[2];
    out[2] = a[0] * b[1] - a[1] * b[0];
}

/* out += f y x v + g y x (y x v). At y = 0 out stays, to the last bit. */
static void add_crosses(const double y[3], double f, double g, const double v[3], double out[3])
{
    double once[3], twice[3];
    cross(y, v, once);
    cross(y, once, twice);
    for (int i = 0; i < 3; i++)
        out[i] += f * once[i] + g * twice[i];
}

/* The coefficients of the matrices, with a = |y|: series where the closed forms lose digits that count. */
#define SERIES_SQUARE 1e-3

/* sin a / a */
static double turn_first(const struct rotation_point *point)
{
    return point->part * point->q[0];
}

/* (1 - cos a) / a^2, also of the Jacobian's first power */
static double turn_second(const struct rotation_point *point)
{
    return point->part * point->part / 2;
}

/* (a - sin a) / a^3 */
static double jacobian_second(const struct rotation_point *point)
{
    double x = point->square;
    return x < SERIES_SQUARE ? 1. / 6 - x / 120 + x * x / 5040 : (1 - turn_first(point)) / x;
}

/* (1 - (a/2) cot(a/2)) / a^2 */
static double inverse_second(const struct rotation_point *point)
{
    double x = point->square;
    return x < SERIES_SQUARE ? 1. / 12 + x / 720 + x * x / 30240 : (1 - point->q[0] / point->part) / x;
}

void rotation_velocity(const struct rotation_point *at, const double rate[3], const double drift[3],
                       double w[3])
{
    double own[3];
    for (int i = 0; i < 3; i++) {
        own[i] = rate[i] - drift[i];
        w[i] = rate[i];
    }
    add_crosses(at->y, turn_second(at), jacobian_second(at), own, w);
    add_crosses(at->y, turn_first(at), turn_second(at), drift, w);
}

void rotation_rate(const struct rotation_point *at, const double w[3], const double drift[3], double rate[3])
{
    double turned[3] = { 0 }, own[3];
    add_crosses(at->y, turn_first(at), turn_second(at), drift, turned);
    for (int i = 0; i < 3; i++) {
        rate[i] = w[i] - turned[i];
        own[i] = rate[i] - drift[i];
    }
    add_crosses(at->y, -.5, inverse_second(at), own, rate);
}

/* d/dt (J y') = J y'' + J' y'. J' has a part by the change of [y], and a part by the change of J's
 * coefficients a and b: a_1 and b_1 are the derivatives of a and b by |y|, over |y|. */
void rotation_acceleration(const struct rotation_point *at, const double rate[3], const double change[3],
                           double out[3])
{
    double x = at->square, a = turn_second(at), b = jacobian_second(at), along = rotation_dot(at->y, rate),
           once[3], twice[3];
    double a_1 = x < SERIES_SQUARE ? -1. / 12 + x / 180 - x * x / 6720 : (turn_first(at) - 2 * a) / x;
    double b_1 = x < SERIES_SQUARE ? -1. / 60 + x / 1260 - x * x / 60480 : (a - 3 * b) / x;
    cross(at->y, rate, once);
    cross(rate, once, twice);
    for (int i = 0; i < 3; i++)
        out[i] = change[i] + b * twice[i];
    add_crosses(at->y, a, b, change, out);
    add_crosses(at->y, along * a_1, along * b_1, rate, out);
}

/* --- Euler angles ---
 *
 * With half angles a, b, c of the factors qa, qb, qc, and e = 1 where the first two axes are followed by the
 * remaining axis r in an even permutation of x, y, z, else -1, the product q = qa qb qc has, where each axis
 * comes once,
 *     w + e q[b] = k cos(a + c)    q[a] + q[c] = k sin(a + c)    k = cos b + e sin b
 *     w - e q[b] = m cos(a - c)    q[a] - q[c] = m sin(a - c)    m = cos b - e sin b
 * and where c's axis is a's,
 *     w    = k cos(a + c)    q[a]   = k sin(a + c)    k = cos b
 *     q[b] = m cos(a - c)    e q[r] = m sin(a - c)    m = sin b
 * so that each of a + c and a - c keeps its digits where the other is not determined. After E. Bernardes and
 * S. Viollet, "Quaternion to Euler angles conversion", PLoS ONE 17(11), 2022. */

#define UNDETERMINED (4 * DBL_EPSILON) /* rounding errors of k and m */

static double parity(const struct euler *order)
{
    return (order->axis[0] + 1) % 3 == order->axis[1] ? 1 : -1;
}

static bool is_repeated(const struct euler *order)
{
    return order->axis[0] == order->axis[2];
}

void euler_to_rotation(const struct euler *order, const double angle[3], double q[4])
{
    double s[3], c[3], e = parity(order), period = order->period;
    for (size_t i = 0; i < 3; i++) {
        double x = angle[euler_index(order->axis, i)];
        double half = (fabs(x) > period ? remainder(x, period) : x) * (M_PI / period);
        s[i] = sin(half);
        c[i] = cos(half);
    }
    size_t first = 1 + order->axis[0], second = 1 + order->axis[1], third = 1 + order->axis[2];
    if (is_repeated(order)) {
        third = 6 - first - second; /* the remaining axis */
        q[0] = c[1] * (c[0] * c[2] - s[0] * s[2]);
        q[first] = c[1] * (s[0] * c[2] + c[0] * s[2]);
        q[second] = s[1] * (c[0] * c[2] + s[0] * s[2]);
        q[third] = e * s[1] * (s[0] * c[2] - c[0] * s[2]);
        return;
    }
    q[0] = c[0] * c[1] * c[2] - e * (s[0] * s[1] * s[2]);
    q[first] = s[0] * c[1] * c[2] + e * (c[0] * s[1] * s[2]);
    q[second] = c[0] * s[1] * c[2] - e * (s[0] * c[1] * s[2]);
    q[third] = c[0] * c[1] * s[2] + e * (s[0] * s[1] * c[2]);
}

/* Moves each angle by whole turns, as near to near[i] as whole turns allow. Returns the sum of squared
 * differences. */
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
    double first = remainder(near[euler_index(order->axis, 0)], order->period);
    double third = remainder(near[euler_index(order->axis, 2)], order->period);
    return (first + sign * third) / 2;
}

static double length(const double vector[2])
{
    return sqrt(vector[0] * vector[0] + vector[1] * vector[1]);
}

void euler_from_rotation(const struct euler *order, const double q[4], const double near[3], double angle[3])
{
    const unsigned char *axis = order->axis;
    size_t a = euler_index(axis, 0), b = euler_index(axis, 1), c = euler_index(axis, 2);
    double e = parity(order), period = order->period, unit = period / (2 * M_PI);
    double first = q[1 + axis[0]], second = q[1 + axis[1]], third = q[1 + axis[2]], middle, opposite;
    double plus[2] = { q[0] + e * second, first + third };  /* k times cosine and sine of a + c */
    double minus[2] = { q[0] - e * second, first - third }; /* m times cosine and sine of a - c */
    if (is_repeated(order)) {
        plus[0] = q[0];
        plus[1] = first;
        minus[0] = second;
        minus[1] = e * q[6 - (1 + axis[0]) - (1 + axis[1])];
    }
    double k = length(plus), m = length(minus);
    if (is_repeated(order)) {
        middle = 2 * unit * atan2(m, k);
        opposite = -middle;
    } else {
        middle = unit * atan2(2 * (q[0] * second + e * (first * third)), k * m);
        opposite = period / 2 - middle;
    }
    double sum = k > UNDETERMINED ? unit * atan2(plus[1], plus[0]) : half_of(order, near, 1);
    double difference = m > UNDETERMINED ? unit * atan2(minus[1], minus[0]) : half_of(order, near, -1);
    angle[a] = sum + difference;
    angle[b] = middle;
    angle[c] = sum - difference;
    double other[3];
    other[a] = angle[a] + period / 2;
    other[b] = opposite;
    other[c] = angle[c] + period / 2;
    double nearest = turn_near(angle, near, period);
    if (turn_near(other, near, period) < nearest)
        for (int i = 0; i < 3; i++)
            angle[i] = other[i];
}
