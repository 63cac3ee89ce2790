/* What the times of rows show: the rate, whether steps are even, and odd steps. See table.h. */
#include "view/inspect/table.h"

#include "whole/noise/noise.h"
#include "whole/smoothing.h"

#include <math.h>
#include <stdlib.h>

#define MOST_OFF 0.13 /* of a step: how far times may lie from a line, where steps are even */

/* The shortest decimal that lies within slack of x. */
static double shortest_within(double x, double slack)
{
    for (int digits = 1; digits < 15; digits++) {
        double rounded = number_round(x, digits);
        if (fabs(rounded - x) <= slack)
            return rounded;
    }
    return x;
}

/* Counts the long steps, and finds whether the other steps are even and which rate they have. room: the steps
 * again, which are reordered. */
static void find_rate(struct inspect_times *times, const double *step, double *room, size_t nstep)
{
    const double rate = smoothing_row_rate(room, nstep);
    double since = 0, off = 0; /* how far a time lies from the line since the last long step, in steps */
    for (size_t k = 0; k < nstep; k++) {
        const bool is_long = smoothing_is_long(step[k], times->usual);
        times->nlong += is_long;
        since = is_long ? 0 : since + step[k] * rate - 1;
        off = fmax(off, fabs(since));
    }
    times->even = off <= MOST_OFF;
    if (times->even)
        times->rate = shortest_within(rate, rate * (2 * off / (double)(nstep - times->nlong) + 1e-6));
}

bool inspect_times_find(struct inspect_times *times, const struct inspect_rows *rows, double rate,
                        struct error *e)
{
    size_t nstep = 0;
    double *step, *sorted;
    *times = (struct inspect_times){ .usual = NAN, .least = NAN, .most = NAN };
    if (!arrays_make(e, ARRAY(step, rows->nrow + 1), ARRAY(sorted, rows->nrow + 1)))
        return false;
    double first = (double)INFINITY, last = -(double)INFINITY;
    for (size_t i = 0; i < rows->nrow; i++) {
        double T = i > 0 ? rows->time[i] - rows->time[i - 1] : 0;
        first = fmin(first, rows->time[i]);
        last = fmax(last, rows->time[i]);
        if (rows->begins[i])
            continue;
        times->nequal += T == 0;
        if (T > 0) {
            times->least = fmin(times->least, T);
            times->most_row = T <= times->most ? times->most_row : rows->number[i];
            times->most = fmax(times->most, T);
            step[nstep] = sorted[nstep] = T;
            nstep++;
        }
    }
    times->span = rows->nrow > 0 ? last - first : 0;
    if (nstep > 0) {
        times->usual = noise_median(sorted, nstep);
        find_rate(times, step, sorted, nstep);
    }
    if (!rows->timed)
        times->rate = 0;
    if (rate > 0) {
        times->rate = rate;
        times->stated = times->even = true;
    }
    free(step);
    return true;
}
