/* The rule of --detect-cuts. See jumps.h. */
#include "whole/jumps.h"

#include "springs/rotations/rotation.h"
#include "whole/noise/noise.h"
#include "whole/noise/spikes.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum { JUMPS_LEAST = 5 /* least number of changes of slope for a median */ };

void jumps_take(struct jumps *jumps, const struct spike_kind *kind, const double number[4])
{
    const size_t at = jumps->ntaken++ % JUMPS_SEEN;
    for (size_t k = 0; k < kind->nnumber; k++)
        jumps->seen[k][at] = number[k];
}

/* --- corners --- */

/* The way from one target to another: of a rotation the rotation vector of the short way. */
static void find_way(const struct spike_kind *kind, const double from[4], const double to[4], double way[3])
{
    if (kind->rotation) {
        rotation_vector(to, from, way);
        return;
    }
    for (size_t k = 0; k < kind->nnumber; k++)
        way[k] = to[k] - from[k];
}

/* How far rounding alone can move a target: the sum of the rounding errors of its numbers; of a rotation in
 * radians. A quaternion turns by twice what a component of its length 1 changes. */
static double target_rounding(const struct jumps *jumps, const struct spike_kind *kind,
                              const struct jumps_corner *corner)
{
    const size_t n = jumps->ntaken < JUMPS_SEEN ? jumps->ntaken : JUMPS_SEEN;
    double sum = 0, number[JUMPS_SEEN + 1];
    for (size_t k = 0; k < kind->nnumber; k++) {
        const double near[3] = { corner->number[0][k], corner->number[1][k], corner->number[2][k] };
        memcpy(number, jumps->seen[k], n * sizeof *number);
        number[n] = near[2];
        /* Where a power of ten is passed, the numbers before may have had more decimals. */
        sum += fmax(rounding_error(number, n + 1), rounding_error(near, 3));
    }
    if (!kind->rotation)
        return sum;
    return sum * (kind->turn > 0 ? 2 * kind->turn : 2);
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

/* Do more than half of the last changes of slope have less than a length? From sample to sample one change
 * leaves: so a count serves several samples. */
static bool exceeds_most(struct jumps *jumps, double length)
{
    size_t others = 0;
    if (jumps->left > 0 && length <= jumps->usual)
        return false;
    for (size_t i = 0; i < jumps->n; i++)
        others += jumps->past[i] >= length;
    jumps->usual = length;
    jumps->left = jumps->n == JUMPS_PAST && 2 * others > JUMPS_PAST ? others - JUMPS_PAST / 2 : 0;
    return jumps->n >= JUMPS_LEAST && 2 * others < jumps->n;
}

/* The change of slope that a jump exceeds, without rounding. */
static double jump_limit(const struct jumps *jumps, double factor)
{
    double past[JUMPS_PAST];
    memcpy(past, jumps->past, jumps->n * sizeof *past);
    return factor * noise_median(past, jumps->n);
}

/* Adds the length of a change of slope; it takes the place of the oldest when JUMPS_PAST are there. */
static void remember(struct jumps *jumps, double bend)
{
    jumps->past[jumps->oldest] = bend;
    jumps->oldest = (jumps->oldest + 1) % JUMPS_PAST;
    jumps->n += jumps->n < JUMPS_PAST;
    jumps->left -= jumps->left > 0;
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
    const size_t width = kind->rotation ? 3 : kind->nnumber;
    double in[3], out[3], bend[3], square = 0, onward = 0;
    find_way(kind, corner->target[0], corner->target[1], in);
    find_way(kind, corner->target[1], corner->target[2], out);
    for (size_t i = 0; i < width; i++) {
        bend[i] = out[i] / corner->T_out - in[i] / corner->T_in;
        square += bend[i] * bend[i];
        onward += bend[i] * jumps->bend[i];
    }
    const double here = sqrt(square), before = jumps->length;
    double most = (double)INFINITY;
    if (exceeds_most(jumps, 2 * here / factor))
        most = jump_limit(jumps, factor) +
               (2 * target_rounding(jumps, kind, corner) + 4 * DBL_EPSILON * target_size(kind, corner)) *
                   (1 / corner->T_in + 1 / corner->T_out);
    bool back = jumps->bend_known && onward < 0;
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
    memcpy(jumps->bend, bend, width * sizeof *bend);
    jumps->length = here;
    if (isfinite(here))
        remember(jumps, here);
    return jump;
}

void jumps_interrupt(struct jumps *jumps)
{
    jumps->bend_known = jumps->spike_shape = jumps->spike = jumps->may_jump = false;
}

/* --- whole series --- */

size_t jumps_find(double factor, size_t n, const double *time, const double *x, unsigned char *mark)
{
    const struct spike_kind kind = { .nnumber = 1 };
    struct jumps jumps = { .n = 0 };
    size_t count = 0, before = 0; /* before: the first row with the time of row i - 1 */
    for (size_t i = 0; i < n; i++) {
        const bool back = jumps.spike;
        mark[i] = 0;
        if (!isnan(x[i]))
            jumps_take(&jumps, &kind, (const double[4]){ x[i] });
        if (i == 0 || i + 1 == n)
            continue;
        const struct jumps_corner corner = {
            .number = { { x[before] }, { x[i] }, { x[i + 1] } },
            .target = { { x[before] }, { x[i] }, { x[i + 1] } },
            .T_in = time[i] - time[before],
            .T_out = time[i + 1] - time[i],
        };
        const bool known = !isnan(x[before]) && !isnan(x[i]) && !isnan(x[i + 1]);
        if (known && corner.T_in > 0 && corner.T_out > 0)
            mark[i] = jumps_judge(&jumps, factor, &kind, &corner) && !back && !jumps.spike;
        else
            jumps_interrupt(&jumps);
        count += mark[i];
        before = time[i] > time[before] ? i : before;
    }
    return count;
}
