/* A ladder of splines whose penalty is eased toward the end. See smoother_ends.h.
 *
 * On rung j the penalty at the time t from the end counts f^(1 - u^2 (3 - 2 u)), u = t / EASED, f =
 * part[j - 1], and fully from u = 1 on. With less penalty the curve is nearer to the motion where it bends,
 * and nearer to the noise. So the differences of each rung from the rung before are added as far as they are
 * more than noise makes, after W. James and C. Stein, "Estimation with quadratic loss" (1961): the difference
 * times max(0, 1 - noise energy / energy), and never more of it than of the difference before. */
#include "whole/smoother_ends.h"

#include "base/array.h"
#include "whole/smoother_table.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* In periods of the cutoff, from the end. */
#define REACH   5.0      /* samples that a rung smooths again */
#define EASED   1.5      /* the penalty is eased */
#define DECIDES 0.600001 /* samples that decide; exactly 0.6 is within, however times are rounded */

/* How many times its energy noise is taken for. James and Stein have about 1. Measured with 100 motions in
 * each of 35 conditions, the 12 rows next to an end are nearer to the truth with 2 in all but two. */
#define CAUTION 2.0

static const double part[SMOOTHER_RUNGS] = { 0.3, 0.1, 0.03, 0.01, 0.003, 0.001, 1e-4, 1e-6 };

void smoother_ends_free(struct smoother_ends *ends)
{
    for (size_t r = 0; r <= SMOOTHER_RUNGS; r++)
        smoother_free(&ends->gains[r]);
    free(ends->room);
    *ends = (struct smoother_ends){ .room = NULL };
}

/* The number of samples within some seconds of an end of a run. */
static size_t count_within(const struct smoother_run *run, bool first, double seconds)
{
    double time = 0;
    size_t n = 1;
    while (n < run->n && (time += run->T[first ? n : run->n - n]) <= seconds)
        n++;
    return n;
}

/* At least two of the samples next to an end have values, the farthest one too. */
static size_t count_near(const struct smoother_run *run, bool first, double seconds)
{
    size_t n = count_within(run, first, seconds);
    while (n < run->n && !(run->weight[first ? n - 1 : run->n - n] > 0))
        n++;
    return n;
}

static bool make_room(struct smoother_ends *ends, size_t n, size_t width, struct error *e)
{
    if (!array_reserve(&ends->room, n * (3 + 7 * width), &ends->max, sizeof *ends->room, e))
        return false;
    double *at = ends->room;
    ends->T = at;
    ends->weight = at + n;
    ends->ease = at + 2 * n;
    ends->value = at += 3 * n;
    for (size_t k = 0; k < 2; k++) {
        ends->curve[k].x = at += n * width;
        ends->curve[k].velocity = at += n * width;
        ends->curve[k].bend = at += n * width;
    }
    return true;
}

/* Copies the samples next to an end, so that the end comes last. */
static void copy_near(const struct smoother_ends *ends, const struct smoother_run *run, bool first, size_t n)
{
    const size_t bytes = run->width * sizeof *run->value;
    for (size_t i = 0; i < n; i++) {
        const size_t from = first ? n - 1 - i : run->n - n + i;
        ends->T[i] = first && i > 0 ? run->T[from + 1] : run->T[from];
        ends->weight[i] = run->weight[from];
        memcpy(ends->value + i * run->width, run->value + from * run->width, bytes);
    }
}

static void set_ease(const struct smoother_ends *ends, size_t n, double period, double f)
{
    double time = 0;
    for (size_t i = n; i-- > 0;) {
        const double u = (time + ends->T[i] / 2) / (EASED * period);
        ends->ease[i] = u < 1 ? pow(f, 1 - u * u * (3 - 2 * u)) : 1;
        time += ends->T[i];
    }
}

/* Smooths the samples next to the end on rung r; rungs are climbed in order. False: out of memory. */
static bool climb(struct smoother_ends *ends, struct smoother_run *near, double period, size_t r,
                  struct error *e)
{
    near->ease = r > 0 ? ends->ease : NULL;
    if (r > 0)
        set_ease(ends, near->n, period, part[r - 1]);
    if (r >= ends->nrung) {
        if (!smoother_find_gains(near, &ends->gains[r], e))
            return false;
        ends->nrung = r + 1;
    }
    smoother_smooth(near, &ends->gains[r], &ends->curve[r % 2]);
    return true;
}

/* The energy of noise in the difference of rung r from the rung before, for each sample that decides. rows:
 * samples in a period. */
static double noise_energy(double rows, size_t r)
{
    size_t k = 1;
    while (k + 1 < ENERGY_COLUMNS && energy_rows[k] < rows)
        k++;
    const double before = energy_rows[k - 1], after = energy_rows[k];
    const double u = log(fmin(fmax(rows, before), after) / before) / log(after / before);
    const double within = energy[k - 1][r - 1] * pow(energy[k][r - 1] / energy[k - 1][r - 1], u);
    return within * fmin(1, after / rows); /* from this sample on the energy hardly changes */
}

/* Seconds from sample to known sample. */
static double mean_step(const struct smoother_run *near)
{
    double time = 0, known = 0;
    for (size_t i = 1; i < near->n; i++) {
        time += near->T[i];
        known += near->weight[i] > 0;
    }
    return time / known;
}

/* The part of the difference of rung r from the rung before that is added. */
static double shrink(const struct smoother_ends *ends, const struct smoother_run *near, double period,
                     double noise, size_t r)
{
    const double *now = ends->curve[r % 2].x, *before = ends->curve[(r + 1) % 2].x;
    const size_t decide = count_within(near, false, DECIDES * period);
    double sum = 0, known = 0;
    for (size_t i = near->n - decide; i < near->n; i++) {
        known += near->weight[i] > 0;
        for (size_t c = i * near->width; c < (i + 1) * near->width && near->weight[i] > 0; c++)
            sum += (now[c] - before[c]) * (now[c] - before[c]);
    }
    const double made = CAUTION * noise * noise_energy(period / mean_step(near), r) * known;
    if (!(sum > 0))
        return 0;
    return fmax(0, 1 - made / sum);
}

/* Adds a part of the difference of rung r from the rung before to the curve. */
static void add_rung(const struct smoother_ends *ends, const struct smoother_run *run, bool first, size_t n,
                     double theta, size_t r, const struct smoother_curve *curve)
{
    const struct smoother_curve now = ends->curve[r % 2], before = ends->curve[(r + 1) % 2];
    for (size_t i = 0; i < n; i++) {
        const size_t row = first ? n - 1 - i : run->n - n + i;
        for (size_t c = 0; c < run->width; c++) {
            const size_t at = row * run->width + c, from = i * run->width + c;
            const double turned = first ? -theta : theta;
            curve->x[at] += theta * (now.x[from] - before.x[from]);
            if (!curve->velocity)
                continue;
            curve->velocity[at] += turned * (now.velocity[from] - before.velocity[from]);
            curve->bend[at] += theta * (now.bend[from] - before.bend[from]);
        }
    }
}

bool smoother_mend(struct smoother_ends *ends, const struct smoother_run *run, bool first, double cutoff,
                   double noise, const struct smoother_curve *curve, struct error *e)
{
    const double period = 1 / cutoff;
    const size_t n = count_near(run, first, REACH * period);
    if (n < 3)
        return true;
    if (!make_room(ends, n, run->width, e))
        return false;
    copy_near(ends, run, first, n);
    if (!(run->even && ends->n == n && ends->step == run->T[1] && ends->a2 == run->a2))
        ends->nrung = 0;
    ends->n = run->even ? n : 0;
    ends->step = run->T[1];
    ends->a2 = run->a2;
    struct smoother_run near = {
        n, run->width, ends->T, ends->weight, NULL, ends->value, run->a2, run->even
    };
    double theta = 1;
    if (!climb(ends, &near, period, 0, e))
        return false;
    for (size_t r = 1; r <= SMOOTHER_RUNGS && theta > 0; r++) {
        if (!climb(ends, &near, period, r, e))
            return false;
        theta = fmin(theta, shrink(ends, &near, period, noise, r));
        add_rung(ends, run, first, n, theta, r, curve);
    }
    return true;
}
