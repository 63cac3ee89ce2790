/* Slopes of a cubic spline. See spline_slopes.h.
 *
 * The second derivative is the same on both sides of a knot with a step h before it and k after it if its
 * slope v and the slopes p and q of the chords before and after it satisfy
 *
 *     a v[i - 1] + 2 v[i] + b v[i + 1] = 3 (a p + b q),   a = k / (h + k),   b = 1 - a
 *
 * At a straight end only the chord on one side counts: a = 0 or b = 0. At a level end no chord counts: a = b
 * = 0. The equations are solved by elimination, forward and then back; the matrix is diagonally dominant, so
 * rounding errors do not grow. */
#include "whole/spline_slopes.h"

#include <math.h>

/* A step below this part of the mean step is too short: the rounding of the values is larger than their
 * change. The knots at both ends of such a step are taken as a single knot. */
#define TOO_SHORT 0x1p-40

void spline_slopes(const double *T, double *value, size_t n, bool level, double *room)
{
    double time = 0;
    for (size_t i = n - 1; i > 0; i--) {
        value[i] = (value[i] - value[i - 1]) / T[i];
        time += T[i];
    }
    double shortest = TOO_SHORT * time / (double)n;
    for (size_t i = 0, next; i < n; i = next) {
        double chord = value[i], known = 0, own = 2;
        for (next = i + 1; next < n && T[next] < shortest; next++) {
            value[next - 1] = 0;
            room[next - 1] = -1;
        }
        bool first = i == 0, last = next == n;
        double a = first ? 0 : 1;
        if (!first && !last)
            a = T[next] / (T[i] + T[next]);
        double b = 1 - a;
        if ((first || last) && level)
            a = b = 0;
        if (!first) {
            known += a * (3 * chord - value[i - 1]);
            own -= a * room[i - 1];
        }
        if (!last)
            known += b * 3 * value[next];
        value[next - 1] = known / own;
        room[next - 1] = b / own;
    }
    for (size_t i = n - 1; i-- > 0;)
        value[i] -= room[i] * value[i + 1];
}

/* The slope at u, 0 to 1, of the cubic between two values with given slopes, T apart. */
static double slope_between(double T, const double x[2], const double slope[2], double u)
{
    double rest = 1 - u;
    return 6 * u * rest * (x[1] - x[0]) / T + rest * (1 - 3 * u) * slope[0] + u * (3 * u - 2) * slope[1];
}

void spline_slopes_with_points(const double *T, const bool *point, double *value, size_t n, bool level,
                               double *const room[4])
{
    double *x = room[1], *slope = room[2], *steps = room[3], since = 0;
    size_t nknot = 0;
    if (!point) {
        spline_slopes(T, value, n, level, room[0]);
        return;
    }
    for (size_t k = 0; k < n; k++) {
        since += k > 0 ? T[k] : 0;
        if (point[k])
            continue;
        steps[nknot] = since;
        slope[nknot] = x[nknot] = value[k];
        nknot++;
        since = 0;
    }
    spline_slopes(steps, slope, nknot, level, room[0]);
    size_t next = 0; /* the knot at or behind row k */
    for (size_t k = 0; k < n; k++) {
        if (point[k]) {
            since += T[k];
            value[k] = slope_between(steps[next], x + next - 1, slope + next - 1, since / steps[next]);
            continue;
        }
        since = 0;
        value[k] = slope[next++];
    }
}
