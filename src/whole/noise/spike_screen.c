/* Cheaply rules out most samples. See spike_screen.h.
 *
 * A sample can be in a spike only if a residual of a run that holds it is large beside the median of such
 * residuals. No median is computed: the median is at least a number where more than half of the residuals
 * are. The residual of a sample from the cubic through four neighbours is the divided difference of the five
 * samples times the product of the four distances in time (C. de Boor, "A Practical Guide to Splines",
 * chapter I), at any steps. */
#include "whole/noise/spike_screen.h"

#include "number/number.h"

#include <math.h>
#include <string.h>

enum {
    FIRST_STRETCH = 2, /* samples that are looked at together first: the next one is often in doubt, too */
    STRETCH = 8,       /* and at most */
    AROUND = SPIKES_BESIDE,
    LANES = 8 /* numbers that are compared at once */
};

#define PART 0.7 /* a sample is ruled out where all its residuals are below this part of the factor */

double spike_median_to_scale(size_t ncolumn)
{
    /* Quantiles of the chi distribution with 1, 2 and 3 degrees of freedom: of 0.9973, over 3 times the
     * median: 3 / (3 x 0.6745), 3.4395 / (3 x 1.1774), 3.7625 / (3 x 1.5382). */
    static const double numbers[] = { 1.4826, 0.9737, 0.8153, 0.8153 };
    return numbers[ncolumn - 1];
}

struct spike_weights spike_weigh(const double *at, size_t n)
{
    struct spike_weights weights = { .noise = 1, .sum = 1, .bend = 1 };
    for (size_t k = 0; k < n; k++) {
        double above = 1, below = 1;
        for (size_t j = 0; j < n; j++) {
            above *= j == k ? 1 : at[j];
            below *= j == k ? 1 : at[j] - at[k];
        }
        weights.of[k] = above / below;
        weights.noise += weights.of[k] * weights.of[k];
        weights.sum += fabs(weights.of[k]);
        weights.bend *= fabs(at[k]);
    }
    return weights;
}

double spike_strain(const struct spike_weights *weights, double even_noise, double even_bend)
{
    return sqrt(sqrt(weights->noise / even_noise) * (weights->bend / even_bend));
}

/* --- even rows --- */

/* The unit of the last decimal of a time step: at most 1, at least 1e-9. */
static double last_decimal(double step)
{
    return fmax(number_unit(&step, 1, 1, 9, 1e-4), 1e-9);
}

bool spike_steps_even(const double *t, const size_t *place, size_t n)
{
    double row = (t[n - 1] - t[0]) / (double)(place[n - 1] - place[0]), most = 0, unit = 1;
    const double rounding = SPIKE_ROUNDING * row;
    for (size_t i = 1; i < n; i++)
        most = fmax(most, fabs(t[i] - t[0] - row * (double)(place[i] - place[0])));
    if (most < 1e-3 * row + rounding)
        return true;
    if (most > row / 4 + rounding)
        return false;
    for (size_t i = 1; i < n && most <= unit + rounding; i++)
        unit = fmin(unit, last_decimal(t[i] - t[i - 1]));
    return most <= unit + rounding && unit <= row / 4 + rounding;
}

/* --- residuals --- */

/* Does a step equal the step before to the printed digits: do they differ by one unit that divides both? */
static bool is_same_step(double before, double step)
{
    double unit = fabs(step - before);
    if (unit < 1e-3 * step)
        return true;
    double units = step / unit;
    return unit <= (0.25 + SPIKE_ROUNDING) * step && fabs(units - floor(units + 0.5)) < 1e-3;
}

static double larger(double a, double b)
{
    return a > b ? a : b;
}

/* The weights of the neighbours of the sample whose time is *t. */
static struct spike_weights weigh_times(const double *t, const ptrdiff_t at[4])
{
    double times[4];
    for (size_t k = 0; k < 4; k++)
        times[k] = t[at[k]] - t[0];
    return spike_weigh(times, 4);
}

/* The distance of sample i from the curve. */
static double find_distance(const struct spikes_series *series, size_t i, const ptrdiff_t at[4],
                            const double weight[4])
{
    double square = 0;
    for (size_t c = 0; c < series->ncolumn; c++) {
        const double *x = series->column[c] + i;
        double off = weight[0] * (x[at[0]] - *x) + weight[1] * (x[at[1]] - *x) + weight[2] * (x[at[2]] - *x) +
                     weight[3] * (x[at[3]] - *x);
        square += off * off;
    }
    return sqrt(square);
}

/* Neighbours of a run of one sample, of the first and the second sample of a run of two, and of the middle
 * sample of a run of three. */
enum { ONE, FIRST, SECOND, MIDDLE, PLACES };
static const ptrdiff_t places[PLACES][4] = {
    { -2, -1, 1, 2 }, { -2, -1, 2, 3 }, { -3, -2, 1, 2 }, { -3, -2, 2, 3 }
};

static void measure_nothing(const struct spikes_series *series, size_t from, size_t end)
{
    for (size_t i = from; i < end; i++)
        series->measured[0][i] = series->measured[1][i] = series->measured[2][i] = NAN;
}

static void measure_uneven(const struct spikes_series *series, size_t i)
{
    static const double even_noise[PLACES] = { 1 + 34.0 / 36, 2.38, 2.38, 2.94 };
    static const double even_bend[PLACES] = { 4, 12, 12, 36 };
    double distance[PLACES];
    for (size_t k = 0; k < PLACES; k++) {
        size_t own = k == SECOND ? i + 1 : i;
        struct spike_weights weights = weigh_times(series->t + own, places[k]);
        double step = (series->t[i + AROUND] - series->t[i - AROUND]) / (2 * AROUND);
        weights.bend /= step * step * step * step;
        distance[k] = find_distance(series, own, places[k], weights.of) /
                      spike_strain(&weights, even_noise[k], even_bend[k]);
    }
    series->measured[0][i] = (float)distance[ONE];
    series->measured[1][i] = (float)fmax(distance[FIRST], distance[SECOND]);
    series->measured[2][i] = (float)distance[MIDDLE];
}

/* The ways to the curves at even steps, by one component of the samples around *x. */
static inline void find_ways(const double *x, double way[PLACES])
{
    double early = x[-3] - x[0], before = x[-2] - x[0], last = x[-1] - x[0];
    double next = x[1] - x[0], after = x[2] - x[0], far = x[3] - x[0];
    way[ONE] = (4 * (last + next) - (before + after)) / 6;
    way[FIRST] = last - 0.3 * before + 0.5 * after - 0.2 * far;
    way[SECOND] = after - 0.3 * far + 0.5 * last - 0.2 * before - next;
    way[MIDDLE] = 0.9 * (before + after) - 0.4 * (early + far);
}

/* Measures samples from to end - 1, whose steps are even. */
static void measure_even(const struct spikes_series *series, size_t from, size_t end)
{
    double way[PLACES];
    for (size_t i = from; i < end; i++) {
        double square[PLACES] = { 0 };
        if (series->ncolumn == 1) {
            find_ways(series->column[0] + i, way);
            series->measured[0][i] = (float)fabs(way[ONE]);
            series->measured[1][i] = (float)larger(fabs(way[FIRST]), fabs(way[SECOND]));
            series->measured[2][i] = (float)fabs(way[MIDDLE]);
            continue;
        }
        for (size_t c = 0; c < series->ncolumn; c++) {
            find_ways(series->column[c] + i, way);
            for (size_t k = 0; k < PLACES; k++)
                square[k] += way[k] * way[k];
        }
        series->measured[0][i] = (float)sqrt(square[ONE]);
        series->measured[1][i] = (float)sqrt(larger(square[FIRST], square[SECOND]));
        series->measured[2][i] = (float)sqrt(square[MIDDLE]);
    }
}

/* The steps around a sample: whether they are even is asked sample after sample. */
struct even_steps {
    size_t known; /* the steps up to this sample have been looked at */
    size_t same;  /* number of steps, the last of them at `known`, that each are the step before */
};

/* Are the steps around sample i, AROUND on each side, even to the printed digits, without a missing
 * sample? */
static bool is_even(const struct spikes_series *series, struct even_steps *steps, size_t i)
{
    const double *t = series->t;
    const size_t *place = series->place;
    for (; steps->known < i + AROUND; steps->known++) {
        size_t next = steps->known + 1;
        bool same = place[next] - place[next - 2] == 2 &&
                    is_same_step(t[next - 1] - t[next - 2], t[next] - t[next - 1]);
        steps->same = same ? steps->same + 1 : 0;
    }
    return steps->same >= 2 * AROUND - 1;
}

void spikes_measure(const struct spikes_series *series, size_t from, size_t end)
{
    size_t last = series->n > AROUND ? series->n - AROUND
                                     : 0; /* samples from here on have too few after them */
    size_t first = from < AROUND ? AROUND : from;
    last = last < end ? last : end;
    measure_nothing(series, from, first < end ? first : end);
    measure_nothing(series, first > last ? first : last, end);
    struct even_steps steps = { .known = first - 2 };
    for (size_t i = first; i < last;) {
        size_t even = i;
        while (even < last && is_even(series, &steps, even))
            even++;
        measure_even(series, i, even);
        if (even < last && series->place[even + AROUND] - series->place[even - AROUND] >= SPIKES_APART)
            measure_nothing(series, even, even + 1);
        else if (even < last)
            measure_uneven(series, even);
        i = even + 1;
    }
}

/* --- samples that are ruled out --- */

void spikes_move_window(const struct spikes_series *series, struct spikes_window *window, size_t own,
                        size_t rows)
{
    const size_t *place = series->place;
    window->high = window->high > own ? window->high : own + 1;
    while (place[window->low] + spikes_rows_before(rows) < place[own])
        window->low++;
    while (window->high < series->n && place[window->high] <= place[own] + rows)
        window->high++;
}

/* How many of n numbers are at least `least`? Several counts go on side by side, so that compilers compare
 * several numbers at once. */
static size_t count_above(const float *number, size_t n, float least)
{
    int count[LANES] = { 0 };
    size_t i = 0, sum = 0;
    for (; i + LANES <= n; i += LANES)
        for (size_t k = 0; k < LANES; k++)
            count[k] += number[i + k] >= least;
    for (; i < n; i++)
        count[0] += number[i] >= least;
    for (size_t k = 0; k < LANES; k++)
        sum += (size_t)count[k];
    return sum;
}

/* The largest of n measured residuals; NaN: one is not known. */
static float find_most(const float *measured, size_t n)
{
    float most = 0, sum = 0; /* a NaN makes the sum a NaN */
    for (size_t i = 0; i < n; i++) {
        most = measured[i] > most ? measured[i] : most;
        sum += measured[i];
    }
    return isnan(sum) ? sum : most;
}

/* Is the median of the measured residuals in each of several windows at least a number? all: the samples of
 * all the windows; each: the samples that all the windows have. */
static bool is_median_above(const float *measured, struct spikes_window all, struct spikes_window each,
                            float least)
{
    return 2 * count_above(measured + each.low, each.high - each.low, least) > all.high - all.low;
}

/* Are samples own to end - 1 ruled out? first, last: the windows of the first and the last of them. */
static bool are_ruled_out(const struct spikes_series *series, double factor, size_t own, size_t end,
                          struct spikes_window first, struct spikes_window last)
{
    /* Residuals that depend on samples outside of a window do not count in it. */
    struct spikes_window all = { first.low + AROUND, last.high - AROUND };
    struct spikes_window each = { last.low + AROUND, first.high - AROUND };
    double limit = PART * factor * spike_median_to_scale(series->ncolumn);
    bool few = first.high - first.low < SPIKES_MANY || last.high - last.low < SPIKES_MANY;
    if (few || own < each.low + 1 || end + 1 > each.high || first.high < AROUND)
        return false;
    const size_t begins[SPIKES_LENGTHS] = { own, own - 1, own - 1 };
    const size_t ends[SPIKES_LENGTHS] = { end, end, end + 1 };
    for (size_t k = 0; k < SPIKES_LENGTHS; k++) {
        float most = find_most(series->measured[k] + begins[k], ends[k] - begins[k]);
        if (!is_median_above(series->measured[k], all, each, (float)(most / limit)))
            return false;
    }
    return true;
}

bool spike_ruled_out(const struct spikes_series *series, double factor, size_t own,
                     struct spikes_window window)
{
    return are_ruled_out(series, factor, own, own + 1, window, window);
}

/* The number of the samples from `own` on, at most `most`, that lie in consecutive rows. */
static size_t count_consecutive(const struct spikes_series *series, size_t own, size_t most)
{
    size_t n = 0;
    while (n < most && own + n < series->n && series->place[own + n] == series->place[own] + n)
        n++;
    return n;
}

size_t spikes_pass(const struct spikes_series *series, const struct spikes_settings *settings,
                   struct spikes_window *window, size_t own, size_t most)
{
    size_t rows = spikes_rows(settings), count = 0, size = FIRST_STRETCH;
    most = count_consecutive(series, own, most);
    while (count < most) {
        size_t n = most - count < size ? most - count : size;
        spikes_move_window(series, window, own + count, rows);
        struct spikes_window last = *window;
        spikes_move_window(series, &last, own + count + n - 1, rows);
        if (are_ruled_out(series, settings->factor, own + count, own + count + n, *window, last)) {
            *window = last;
            count += n;
            size = 2 * n < STRETCH ? 2 * n : STRETCH;
        } else if (n == 1) {
            break;
        } else {
            size = n / 2;
        }
    }
    return count;
}
