/* Stretches of a long series. See stretches.h. */
#include "whole/stretches.h"

#define PERIODS 14.0 /* of the cutoff, that a stretch reaches to both sides */
#define PAUSE   3.0  /* usual steps: a longer step counts as these */

enum { LEAST = 1024 /* fewest samples of a stretch, unless the series ends */ };

/* The median of the last steps. */
static double usual_step(const struct stretch_time *time)
{
    double sorted[STRETCH_STEPS];
    const size_t n = time->n < STRETCH_STEPS ? time->n : STRETCH_STEPS;
    for (size_t i = 0; i < n; i++) {
        size_t at = i;
        for (; at > 0 && sorted[at - 1] > time->step[i]; at--)
            sorted[at] = sorted[at - 1];
        sorted[at] = time->step[i];
    }
    return sorted[n / 2];
}

double stretch_time_take(struct stretch_time *time, double T)
{
    const double last = time->n > 0 ? time->step[(time->n - 1) % STRETCH_STEPS] : T;
    time->step[time->n++ % STRETCH_STEPS] = T;
    double counts = T;
    if (T > PAUSE * last) {
        const double most = PAUSE * usual_step(time);
        counts = T < most ? T : most;
    }
    return time->now += counts;
}

double stretch_seconds(double cutoff)
{
    return PERIODS / cutoff;
}

/* The first sample, from `from` on, that counts at least `seconds`; n: none. */
static size_t sample_at(const double *counted, size_t n, size_t from, double seconds)
{
    size_t end = n;
    while (from < end) {
        const size_t middle = from + (end - from) / 2;
        if (counted[middle] >= seconds)
            end = middle;
        else
            from = middle + 1;
    }
    return from;
}

bool stretch_find(const double *counted, size_t n, bool all, size_t from, struct stretch_reach reach,
                  struct stretch *stretch)
{
    size_t begin = sample_at(counted, from, 0, counted[from] - reach.seconds), to = n, end = n;
    begin = begin > reach.samples + 1 ? begin - reach.samples - 1 : 0;
    if (n - from > LEAST)
        to = sample_at(counted, n, from + LEAST, counted[from] + 2 * reach.seconds);
    if (to < n)
        end = sample_at(counted, n, to, counted[to] + reach.seconds) + 1 + reach.samples;
    if (end >= n)
        to = end = n;
    *stretch = (struct stretch){ begin, from, to, end };
    return end < n || all;
}
