/* The rule of --detect-cuts. See jumps.h. */
#include "whole/jumps.h"

#include "springs/rotations/rotation.h"
#include "whole/noise/spikes.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum {
    JUMPS_LEAST = 5,      /* least number of changes of slope for a median */
    RESOLUTION_DIGITS = 3 /* fewer significant digits cannot be distinguished from numbers that end in
                           * zeros */
};

/* --- how finely numbers are written --- */

#define NEAR_POWER (1 - 1e-9) /* of the next power of ten: above, the logarithm decides */

enum { POWERS = 23 }; /* powers of ten that a double holds exactly: up to 22 */

static const double power[POWERS] = { 1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
                                      1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22 };

/* Ten to the n, n >= 0. */
static double power_of_ten(int n)
{
    return n < POWERS ? power[n] : pow(10, n);
}

/* x times ten to the n. */
static double scaled(double x, int n)
{
    return n < 0 ? x / power_of_ten(-n) : x * power_of_ten(n);
}

/* Is x >= 0 an integer to rounding? */
static bool is_integer(double x)
{
    return fabs(x - rint(x)) <= 4 * DBL_EPSILON * x;
}

/* The place of the first digit of x > 0: 0 for 1 to 9.9, -1 for 0.1 to 0.99. */
static int first_place(double x)
{
    for (int place = 0; x >= 1 && place + 1 < POWERS; place++)
        if (x < NEAR_POWER * power[place + 1])
            return place;
    return (int)floor(log10(x));
}

/* The least difference between two numbers whose first digit stands at that place: numbers are written with
 * this many decimals or significant digits, whichever is coarser. */
static double last_digit(const struct jumps_resolution *resolution, int place)
{
    double rounded = scaled(1, -resolution->decimals),
           shown = scaled(1, place + 1 - RESOLUTION_DIGITS - resolution->digits);
    return fmax(rounded, shown);
}

void jumps_take_number(struct jumps *jumps, double x)
{
    struct jumps_resolution *resolution = &jumps->resolution;
    enum { DIGITS_OF_DOUBLE = 17, MOST_DECIMALS = 300 };
    x = fabs(x);
    if (!(x > 0) || x > FLT_MAX)
        return;
    int place = first_place(x);
    while (resolution->digits < DIGITS_OF_DOUBLE - RESOLUTION_DIGITS &&
           !is_integer(scaled(x, RESOLUTION_DIGITS + resolution->digits - 1 - place)))
        resolution->digits++;
    while (resolution->decimals < MOST_DECIMALS && !is_integer(scaled(x, resolution->decimals)))
        resolution->decimals++;
    resolution->not_floats |= fabs(x - (double)(float)x) > 0.51 * last_digit(resolution, place);
}

/* The least difference between two numbers of this size, as finely as the numbers so far are written. A float
 * of 32 bits is printed with up to nine digits; with more, each number must be a float by its digits. */
static double least_difference(const struct jumps *jumps, double size)
{
    const struct jumps_resolution *resolution = &jumps->resolution;
    enum { DIGITS_OF_FLOAT = 9 };
    if (!(size > 0 && size <= DBL_MAX))
        return 0;
    double least = last_digit(resolution, first_place(size));
    if (RESOLUTION_DIGITS + resolution->digits <= DIGITS_OF_FLOAT || !resolution->not_floats)
        least = fmax(least, size * FLT_EPSILON);
    return least;
}

/* --- corners --- */

/* The way from one target to another: of a rotation the rotation vector of the short way. */
static void find_way(const struct spike_kind *kind, const double from[4], const double to[4], double way[3])
{
    if (kind->rotation) {
        rotation_vector(to, from, way);
        return;
    }
    for (size_t k = 0; k < 3; k++)
        way[k] = k < kind->nnumber ? to[k] - from[k] : 0;
}

/* How far rounding alone can move a target: what half the resolutions of its numbers sum up to; of a rotation
 * in radians. A quaternion turns by twice what a component of its length 1 changes. */
static double target_rounding(const struct jumps *jumps, const struct spike_kind *kind,
                              const struct jumps_corner *corner)
{
    double size = 0, turn = 1;
    for (size_t i = 0; i < 3; i++)
        for (size_t k = 0; k < kind->nnumber; k++)
            size = fmax(size, fabs(corner->number[i][k]));
    if (kind->rotation)
        turn = kind->turn > 0 ? 2 * kind->turn : 2;
    return (double)kind->nnumber * (least_difference(jumps, size) / 2) * turn;
}

/* A bound of the lengths of the three targets, which bounds errors of computation. */
static double target_size(const struct spike_kind *kind, const struct jumps_corner *corner)
{
    double size = 0;
    if (kind->rotation)
        return 3;
    for (size_t k = 0; k < kind->nnumber; k++)
        size += fabs(corner->target[0][k]) + fabs(corner->target[1][k]) + fabs(corner->target[2][k]);
    return size;
}

/* --- jumps --- */

/* The index of a length that is among the sorted ones. */
static size_t find_sorted(const struct jumps *jumps, double bend)
{
    size_t low = 0, high = jumps->n - 1;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (jumps->sorted[middle] < bend)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* Adds the length of a change of slope; it takes the place of the oldest when JUMPS_PAST are there. */
static void remember(struct jumps *jumps, double bend)
{
    double *sorted = jumps->sorted;
    size_t at = jumps->n == JUMPS_PAST ? find_sorted(jumps, jumps->past[jumps->oldest]) : jumps->n++;
    for (; at > 0 && sorted[at - 1] > bend; at--)
        sorted[at] = sorted[at - 1];
    for (; at + 1 < jumps->n && sorted[at + 1] < bend; at++)
        sorted[at] = sorted[at + 1];
    sorted[at] = bend;
    jumps->past[jumps->oldest] = bend;
    jumps->oldest = (jumps->oldest + 1) % JUMPS_PAST;
}

/* With equal steps a spike of size A changes the slope by A, -2 A and A at three samples, and a jump by A and
 * -A at two samples. So the sample is a spike if the second change is 1.4 to 4 times the first, and there is
 * no jump if the second change is less than 0.7 times the first. The step back from a spike is a jump if and
 * only if the step to the spike is a jump.
 *
 * The rounding of each of the three samples moves a slope; the sample in the middle counts in both slopes.
 * Besides, numbers of this size cannot be closer to a straight line than some units in their last bit. */
bool jumps_judge(struct jumps *jumps, double factor, const struct spike_kind *kind,
                 const struct jumps_corner *corner)
{
    double in[3], out[3], bend[3];
    find_way(kind, corner->target[0], corner->target[1], in);
    find_way(kind, corner->target[1], corner->target[2], out);
    for (size_t i = 0; i < 3; i++)
        bend[i] = out[i] / corner->T_out - in[i] / corner->T_in;
    double rounding = (2 * target_rounding(jumps, kind, corner) +
                       4 * DBL_EPSILON * target_size(kind, corner)) *
                      (1 / corner->T_in + 1 / corner->T_out);
    double here = sqrt(rotation_dot(bend, bend)), before = sqrt(rotation_dot(jumps->bend, jumps->bend));
    double most = (double)INFINITY;
    if (jumps->n >= JUMPS_LEAST)
        most = factor * jumps->sorted[jumps->n / 2] + rounding;
    bool back = jumps->bend_known && rotation_dot(bend, jumps->bend) < 0;
    bool jump = back && here > most && before > most && here > 0.7 * before;
    if (jumps->spike_shape)
        jump = jumps->spike && back && here > before / 3;
    /* The change of slope at a spike that would explain the change at the previous sample. */
    double at_spike = (1 + corner->T_in / corner->T_out) * before;
    bool spike_shape = back && !jumps->spike_shape && jumps->may_jump && here > 0.7 * at_spike &&
                       here < 2 * at_spike;
    jumps->spike = jump && spike_shape;
    jumps->spike_shape = spike_shape;
    jumps->bend_known = true;
    jumps->may_jump = here > most / 2 && !jump;
    memcpy(jumps->bend, bend, sizeof jumps->bend);
    if (isfinite(here))
        remember(jumps, here);
    return jump;
}

void jumps_interrupt(struct jumps *jumps)
{
    jumps->bend_known = jumps->spike_shape = jumps->spike = jumps->may_jump = false;
}

/* --- whole series --- */

/* Reads a row. False: a number is missing. */
static bool read_row(const struct spike_kind *kind, const struct spike_rows *rows, size_t row,
                     double number[4], double target[4])
{
    bool known = true;
    for (size_t k = 0; k < kind->nnumber; k++) {
        number[k] = rows->number[k][row];
        known = known && !isnan(number[k]);
    }
    memcpy(target, kind->rotation ? rows->target + 4 * row : number, 4 * sizeof *target);
    return known;
}

/* Reads the rows around row i. before: the first row with the time of row i - 1. False: row i is no corner.
 */
static bool read_corner(const struct spike_kind *kind, const struct spike_rows *rows, size_t before, size_t i,
                        struct jumps_corner *corner)
{
    const size_t row[] = { before, i, i + 1 };
    bool known = true;
    *corner = (struct jumps_corner){ .T_in = rows->time[i] - rows->time[before],
                                     .T_out = rows->time[i + 1] - rows->time[i] };
    for (size_t k = 0; k < 3; k++)
        known = read_row(kind, rows, row[k], corner->number[k], corner->target[k]) && known;
    return known && corner->T_in > 0 && corner->T_out > 0;
}

static void take_row(struct jumps *jumps, const struct spike_kind *kind, const struct spike_rows *rows,
                     size_t row)
{
    double number[4] = { 0 }, target[4];
    bool known = read_row(kind, rows, row, number, target);
    for (size_t k = 0; k < kind->nnumber && known; k++)
        jumps_take_number(jumps, number[k]);
}

size_t jumps_mark(double factor, const struct spike_kind *kind, const struct spike_rows *rows,
                  unsigned char *mark)
{
    struct jumps jumps = { .n = 0 };
    size_t count = 0, before = 0;
    if (rows->n > 0)
        memset(mark, 0, rows->n);
    for (size_t i = 0; i < rows->n && i < 2; i++)
        take_row(&jumps, kind, rows, i);
    for (size_t i = 1; i + 1 < rows->n; i++) {
        struct jumps_corner corner;
        const bool back = jumps.spike;
        take_row(&jumps, kind, rows, i + 1);
        if (read_corner(kind, rows, before, i, &corner))
            mark[i] = jumps_judge(&jumps, factor, kind, &corner) && !back && !jumps.spike;
        else
            jumps_interrupt(&jumps);
        count += mark[i];
        before = rows->time[i] > rows->time[before] ? i : before;
    }
    return count;
}

size_t jumps_find(double factor, size_t n, const double *time, const double *x, unsigned char *mark)
{
    const struct spike_kind number = { .nnumber = 1 };
    const struct spike_rows rows = { .n = n, .time = time, .number = { x } };
    return jumps_mark(factor, &number, &rows, mark);
}
