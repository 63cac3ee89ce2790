/* A loop is smoothed with copies that reach 14 periods to both sides. See sample_loop.h. */
#include "whole/sample_loop.h"

#include "base/array.h"
#include "springs/rotations/rotation.h"
#include "whole/noise/noise.h"
#include "whole/stretches.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_COPIES = 1000 };

#define NEAR_ROTATION 1e-5 /* radians, in which the decimals of quaternions repeat */

/* Half a unit of the last digit of component c. room: [all->n] */
static double half_unit(const struct samples *all, size_t c, double *room)
{
    size_t n = 0;
    for (size_t i = 0; i < all->n; i++)
        if (samples_known(all, i))
            room[n++] = all->value[i * all->width + c];
    return rounding_error(room, n);
}

/* Does the last sample repeat the first, within its decimals? room: [all->n] */
static bool repeats(const struct samples *all, double period, double *room)
{
    const size_t last = all->n - 1;
    const double *from = all->value, *to = all->value + last * all->width;
    double way[3];
    if (!samples_known(all, 0) || !samples_known(all, last))
        return false;
    if (all->width == SAMPLE_ROTATION) {
        rotation_vector(to, from, way);
        return rotation_dot(way, way) <= NEAR_ROTATION * NEAR_ROTATION;
    }
    bool same = true;
    for (size_t c = 0; c < all->width && same; c++) {
        const double off = period > 0 ? remainder(to[c] - from[c], period) : to[c] - from[c];
        same = fabs(off) <= 2.000001 * half_unit(all, c, room);
    }
    return same;
}

bool sample_loop_smooth(struct smoothing *smoothing, const struct samples *all, double period, double cutoff,
                        bool rates, size_t *first, struct error *e)
{
    const size_t width = all->width;
    double *T, *value, *room;
    if (!arrays_make(e, ARRAY(room, all->n)))
        return false;
    const bool shared = all->n > 2 && repeats(all, period, room);
    const double usual = all->n > 1 ? smoothing_find_steps(all->T, all->n, room).usual : 1;
    free(room);
    const size_t n = shared ? all->n - 1 : all->n;
    const double seam = shared ? all->T[n] : usual;
    const double duration = samples_between(all, 0, n - 1) + seam;
    const double wanted = isinf(cutoff) ? 1 : ceil(stretch_seconds(cutoff) / duration);
    const size_t copies = wanted < MOST_COPIES ? (size_t)wanted : MOST_COPIES,
                 total = (2 * copies + 1) * n + 1;
    /* A whole number of turns, that an angle gains from copy to copy. */
    double turn = 0;
    size_t from = 0, to = all->n - 1;
    while (from < to && !samples_known(all, from))
        from++;
    while (to > from && !samples_known(all, to))
        to--;
    if (period > 0 && from < to)
        turn = period * rint((all->value[to] - all->value[from]) / period);
    if (!arrays_make(e, ARRAY(T, total), ARRAY(value, total * width)))
        return false;
    for (size_t i = 0; i < total; i++) {
        T[i] = i % n > 0 ? all->T[i % n] : seam;
        memcpy(value + i * width, all->value + i % n * width, width * sizeof *value);
        if (turn != 0)
            value[i] += turn * ((double)(i / n) - (double)copies);
    }
    struct samples looped = { .n = total, .width = width, .T = T, .value = value };
    size_t begin = 0;
    while (begin < copies * n && !samples_known(&looped, begin))
        begin++;
    while (looped.n > begin + 1 && !samples_known(&looped, looped.n - 1))
        looped.n--;
    const struct samples run = samples_of_run(&looped, (struct sample_run){ begin, looped.n - 1 });
    const bool good = smoothing_run(smoothing, &run, cutoff, (struct smoothing_wish){ .rates = rates }, e);
    *first = copies * n - begin;
    free(T);
    return good;
}
