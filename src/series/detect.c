/* --detect-cuts: finds cuts in a curve without markers. A cut is a step that differs from the previous and
 * the next step by far more than steps usually differ, measured by the running median of the lengths of
 * changes of slope, and than the rounding of the numbers can make them differ. Invariant: the result at a row
 * depends on the values up to the next row only. */
#include "series/chunk.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum { DETECT_LEAST = 5 }; /* least number of changes of slope for a median */

/* --- how finely numbers are written --- */

/* x times ten to the n. */
static double scaled(double x, int n)
{
    return n < 0 ? x / pow(10, -n) : x * pow(10, n);
}

/* Is x >= 0 an integer, but for the rounding of the computations that led to x? */
static bool is_integer(double x)
{
    return fabs(x - rint(x)) <= 4 * DBL_EPSILON * x;
}

/* The place of the first digit of x > 0: 0 for 1 to 9.9, -1 for 0.1 to 0.99. */
static int first_place(double x)
{
    return (int)floor(log10(x));
}

/* The least difference between two numbers whose first digit stands at that place: numbers are written with
 * so many decimals, or with so many significant digits, whichever is coarser. */
static double last_digit(const struct resolution *r, int place)
{
    double rounded = scaled(1, -r->decimals), shown = scaled(1, place + 1 - RESOLUTION_DIGITS - r->digits);
    return fmax(rounded, shown);
}

/* Takes one more number into account. */
static void resolution_take(struct resolution *r, double x)
{
    enum { DIGITS_OF_DOUBLE = 17, MOST_DECIMALS = 300 };
    x = fabs(x);
    if (!(x > 0) || x > FLT_MAX)
        return;
    int place = first_place(x);
    while (r->digits < DIGITS_OF_DOUBLE - RESOLUTION_DIGITS &&
           !is_integer(scaled(x, RESOLUTION_DIGITS + r->digits - 1 - place)))
        r->digits++;
    while (r->decimals < MOST_DECIMALS && !is_integer(scaled(x, r->decimals)))
        r->decimals++;
    r->not_floats |= fabs(x - (double)(float)x) > 0.51 * last_digit(r, place);
}

/* The least difference between two numbers of this size. A float of 32 bits is printed with up to nine
 * digits; with more, each number must be a float, as far as its digits tell. */
static double resolution_at(const struct resolution *r, double size)
{
    enum { DIGITS_OF_FLOAT = 9 };
    if (!(size > 0))
        return 0;
    double least = last_digit(r, first_place(size));
    if (RESOLUTION_DIGITS + r->digits <= DIGITS_OF_FLOAT || !r->not_floats)
        least = fmax(least, size * FLT_EPSILON);
    return least;
}

/* --- jumps --- */

/* Adds the length of a change of slope; the oldest length goes when DETECT_PAST are there. */
static void remember(struct detect *d, double bend)
{
    size_t at = 0;
    if (d->n == DETECT_PAST) {
        while (d->sorted[at] != d->past[d->oldest])
            at++;
        d->n--;
        memmove(d->sorted + at, d->sorted + at + 1, (d->n - at) * sizeof *d->sorted);
    }
    for (at = d->n++; at > 0 && d->sorted[at - 1] > bend; at--)
        d->sorted[at] = d->sorted[at - 1];
    d->sorted[at] = bend;
    d->past[d->oldest] = bend;
    d->oldest = (d->oldest + 1) % DETECT_PAST;
}

/* Is there a cut between the previous row and this row? bend: the change of slope at this row; rounding: the
 * error of bend; ratio: the step into this row over the step out of this row, both in seconds.
 *
 * There is a cut if the slope changes at both ends of the step into this row, in opposite directions, by more
 * than factor times the median of earlier changes, and by more than the rounding of the numbers can make.
 * With equal steps a spike of size A changes the slope by A, -2 A and A at three rows, and a jump by A and -A
 * at two rows. So this row is a spike if the second change is 1.4 to 4 times the first, and there is no cut
 * if the second change is less than 0.7 times the first. The step back from a spike is a cut if and only if
 * the step to the spike is a cut. Adds bend to the past changes. */
static bool is_jump(struct detect *d, double factor, const double bend[3], double rounding, double ratio)
{
    double here = sqrt(rotation_dot(bend, bend)), before = sqrt(rotation_dot(d->bend, d->bend));
    double most = d->n < DETECT_LEAST ? (double)INFINITY : factor * d->sorted[d->n / 2] + rounding;
    bool back = d->bend_known && rotation_dot(bend, d->bend) < 0;
    bool jump;
    if (d->spike_shape)
        jump = d->spike && back && here > before / 3;
    else
        jump = back && here > most && before > most && here > 0.7 * before;
    double way_back = (1 + ratio) *
                      before; /* change of slope at a spike, from the change at the previous row */
    bool spike_shape = back && !d->spike_shape && d->may_jump && here > 0.7 * way_back && here < 2 * way_back;
    d->spike = jump && spike_shape;
    d->spike_shape = spike_shape;
    d->bend_known = true;
    d->may_jump = here > most / 2 && !jump;
    memcpy(d->bend, bend, sizeof d->bend);
    if (isfinite(here))
        remember(d, here);
    return jump;
}

/* Counts a cut that was found at row p, and for --verbose says where. */
static void report_cut(struct series *s, const struct group *g, const struct unit *u, const struct chunk *w,
                       size_t p)
{
    struct spot at = chunk_row(g, w, p), next = chunk_row(g, w, p + 1);
    const char *name = u->rotation ? u->rotation->name
                                   : columns_channel(s->c.in.columns, u->channel[0])->name;
    s->count.cuts++;
    if (!s->c.verbose)
        return;
    struct timestamp t = series_time(&s->c.in, at.block, at.row, g->nseen + p - w->nheld);
    messages_add(warnings_note(s, at, next, false), s->c.file, "cut found at %.6g s in channel \"%s\"",
                 timestamp_between(NULL, &t, series_unit(&s->c.in)), name);
}

/* Replaces the target in row p, which is a spike, by a target between the previous row and the next row.
 * target: the targets of rows p - 1, p and p + 1; before: the numbers of row p - 1. */
static void bridge_spike(struct series *s, const struct unit *u, const double before[4], double target[3][4],
                         size_t p)
{
    const double *T = s->steps.T;
    double way[3], bridge[4];
    rotations_way(u->rotation, target[0], target[2], way);
    rotations_move(u->rotation, target[0], way, T[p] / (T[p] + T[p + 1]));
    rotations_print(u->rotation, before, target[0], false, bridge);
    for (size_t i = 0; i < u->nchannel; i++)
        s->flags.goal[u->channel[i] * s->maxrow + p] = bridge[i];
}

/* How far rounding alone can move a target: half the resolution of a number; of a rotation, in radians, what
 * half the resolutions of its numbers sum up to. numbers: [3][nchannel] of three rows. */
static double target_rounding(const struct detect *d, const struct unit *u, double numbers[3][4])
{
    double size = 0;
    for (size_t row = 0; row < 3; row++)
        for (size_t i = 0; i < u->nchannel; i++)
            size = fmax(size, fabs(numbers[row][i]));
    double half = resolution_at(&d->resolution, size) / 2;
    if (!u->rotation)
        return half;
    /* A quaternion turns by twice what a component of its length 1 changes. */
    double radians = u->nchannel == 4 ? 2 : 1 / rotations_unit(u->rotation);
    return (double)u->nchannel * half * radians;
}

/* Is there a cut between the previous row and row p? If row p is a spike, the spike is bridged. */
static bool jumps(struct series *s, struct detect *d, const struct unit *u, size_t p)
{
    double read[3][4], target[3][4], in[3], out[3], bend[3], T_in = s->steps.T[p], T_out = s->steps.T[p + 1];
    memcpy(read[0], d->before, sizeof read[0]);
    chunk_targets(s, u, p, read[1]);
    chunk_targets(s, u, p + 1, read[2]);
    for (size_t i = 0; i < 3; i++)
        rotations_target(u->rotation, read[i], target[i]);
    for (size_t i = 0; i < u->nchannel; i++)
        resolution_take(&d->resolution, read[2][i]);
    rotations_way(u->rotation, target[0], target[1], in);
    rotations_way(u->rotation, target[1], target[2], out);
    for (size_t i = 0; i < 3; i++)
        bend[i] = out[i] / T_out - in[i] / T_in;
    double size = u->rotation ? 3 : fabs(target[0][0]) + fabs(target[1][0]) + fabs(target[2][0]);
    /* Each of the three rows is rounded, the middle row counts in both slopes. Besides, numbers of this size
     * cannot be closer to a straight line than the last term. */
    double rounding = (2 * target_rounding(d, u, read) + 4 * DBL_EPSILON * size) * (1 / T_in + 1 / T_out);
    bool jump = is_jump(d, s->c.detect, bend, rounding, T_in / T_out);
    if (d->spike)
        bridge_spike(s, u, d->before, target, p);
    return jump;
}

/* The channels of a rotation have the same flags. */
void detect_cuts(struct series *s, struct group *g, const struct unit *u, const struct chunk *w)
{
    struct row_flags *f = &s->flags;
    const unsigned char *flags = f->flags[u->channel[0]];
    struct detect *d = &g->detect[u->channel[0]];
    for (size_t p = 0; p < w->nrun; p++) {
        bool judged = !(flags[p] &
                        (FLAG_START | FLAG_NO_VALUE | FLAG_GAP | FLAG_CUT | FLAG_ZERO_DT | FLAG_NO_NEXT)) &&
                      d->before_known;
        double here[4] = { 0 };
        chunk_targets(s, u, p, here);
        for (size_t i = 0; i < u->nchannel && !(flags[p] & (FLAG_NO_VALUE | FLAG_GAP)); i++)
            resolution_take(&d->resolution, here[i]);
        bool back = d->spike, jump = judged && jumps(s, d, u, p);
        if (!judged)
            d->bend_known = d->spike_shape = d->spike = d->may_jump = false;
        if (jump)
            report_cut(s, g, u, w, p);
        d->before_known = !(flags[p] & (FLAG_NO_VALUE | FLAG_GAP));
        if (d->before_known && !(flags[p] & FLAG_ZERO_DT))
            memcpy(d->before, here, sizeof here);
        unsigned char found = d->may_jump ? FLAG_NO_NEXT : 0;
        if (jump && !back && !d->spike)
            found |= FLAG_CUT;
        for (size_t i = 0; i < u->nchannel; i++) {
            f->flags[u->channel[i]][p] |= found;
            s->count.channel_cuts[u->channel[i]] += jump;
        }
    }
}
