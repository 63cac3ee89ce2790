/* Hampel's rule about the trend of the window. See despike.h.
 *
 * A sample is a spike if its distance from the median exceeds factor times 1.4826 times the median of all
 * distances (F. R. Hampel, "The influence curve and its role in robust estimation", JASA 69, 1974; as a
 * filter: R. K. Pearson, "Outliers in process modeling and identification", IEEE Trans. CST 10, 2002). Motion
 * through the window would hide spikes, so the window's trend is removed first (P. L. Davies, R. Fried,
 * U. Gather, "Robust signal extraction for on-line monitoring data", J. Stat. Plan. Inference 122, 2004): a
 * parabola whose coefficients are medians of slopes between pairs of samples, each sample in one pair only.
 *
 * The corner of two lines stands out about a parabola, so the scale is at least 2/3 of that about a line; and
 * distances about a line must exceed half the factor, which most samples do not, and are done. A sample with
 * few others on one side is judged about a line, and its scale is at least 2/3 of that without a trend. */
#include "whole/despike.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* A window while its sample is judged: copies of its members, which compilers keep in registers. */
struct window {
    const double *t, *const *x;
    size_t ncolumn, n, own;
    double *squared; /* [n] squared distances from the trend that was measured last */
};

size_t despike_rows(const struct despike_settings *settings)
{
    if (isnan(settings->factor))
        return 0;
    return settings->window < 0 ? DESPIKE_USUAL_ROWS : (size_t)settings->window;
}

/* Puts two elements in order; two comparisons, as compilers make branches of one. */
static inline void order(double *x, size_t i, size_t j)
{
    double a = x[i], b = x[j];
    x[i] = a < b ? a : b;
    x[j] = a > b ? a : b;
}

/* Runs a network; with constants the loop is unrolled. Returns the middle element. */
static inline double run_network(double *x, size_t n, const unsigned char *pair, size_t npair)
{
#pragma GCC unroll 28
    for (size_t k = 0; k < npair; k++)
        order(x, pair[k] / 16, pair[k] % 16);
    return x[n / 2];
}

/* Median of x, whose elements change places: by networks for the lengths in a default window (those of
 * 5 and 11 elements are the ones known to be shortest for sorting, less what a median does not need), else by
 * merge exchange (Knuth, The Art of Computer Programming, volume 3, algorithm 5.2.2M). */
static inline double median(double *x, size_t n)
{
    static const unsigned char five[] = { 0x01, 0x34, 0x03, 0x14, 0x12, 0x23, 0x12 };
    static const unsigned char eleven[] = { 0x09, 0x16, 0x24, 0x37, 0x58, 0x01, 0x35, 0x4A, 0x69, 0x78,
                                            0x13, 0x25, 0x47, 0x8A, 0x04, 0x12, 0x37, 0x59, 0x68, 0x26,
                                            0x45, 0x78, 0x24, 0x36, 0x57, 0x34, 0x56, 0x45 };
    if (n == 5 || n == 11)
        return n == 5 ? run_network(x, 5, five, sizeof five) : run_network(x, 11, eleven, sizeof eleven);
    size_t top = 1;
    while (2 * top < n)
        top *= 2;
    for (size_t p = top; p > 0; p /= 2)
        for (size_t q = top, r = 0, d = p;; d = q - p, q /= 2, r = p) {
            for (size_t i = 0; i + d < n; i++)
                if ((i & p) == r)
                    order(x, i, i + d);
            if (q == p)
                break;
        }
    return n % 2 ? x[n / 2] : (x[n / 2 - 1] + x[n / 2]) / 2;
}

/* Median of the slopes of y over the squared time from the middle, between samples half the window apart when
 * they are taken from the middle outwards, without the one to be judged. */
static double find_curvature(const struct window *w, const double *y, double middle)
{
    double slope[DESPIKE_MOST_SAMPLES];
    size_t at[DESPIKE_MOST_SAMPLES], count = 0, n = 0;
    for (size_t k = 0; k < w->n; k++) {
        size_t j = k % 2 == w->n % 2 ? (w->n + k) / 2 : (w->n - 1 - k) / 2;
        if (j != w->own)
            at[n++] = j;
    }
    for (size_t k = 0; k + (n + 1) / 2 < n; k++) {
        size_t near = at[k], far = at[k + (n + 1) / 2];
        double u = (w->t[far] - w->t[near]) * (w->t[far] - middle + (w->t[near] - middle));
        if (u != 0)
            slope[count++] = (y[far] - y[near]) / u;
    }
    return count ? median(slope, count) : 0;
}

/* Squared distances of samples from their median, about the trend of that degree. Returns that of the sample
 * to be judged. */
static inline double measure_rows(struct window *w, unsigned degree, size_t n)
{
    double y[DESPIKE_MOST_SAMPLES], sorted[DESPIKE_MOST_SAMPLES], middle = (w->t[0] + w->t[w->n - 1]) / 2;
    size_t half = (n + 1) / 2;
    for (size_t c = 0; c < w->ncolumn; c++) {
        const double *t = w->t, *x = w->x[c];
        size_t count = 0;
#pragma GCC unroll 11
        for (size_t j = 0; j + half < n; j++)
            if (t[j + half] > t[j])
                sorted[count++] = (x[j + half] - x[j]) / (t[j + half] - t[j]);
        double slope = degree && count ? median(sorted, count) : 0;
#pragma GCC unroll 11
        for (size_t j = 0; j < n; j++)
            y[j] = x[j] - slope * (t[j] - middle);
        if (degree == 2) {
            double curvature = find_curvature(w, y, middle);
#pragma GCC unroll 11
            for (size_t j = 0; j < n; j++)
                y[j] -= curvature * (t[j] - middle) * (t[j] - middle);
        }
        memcpy(sorted, y, n * sizeof *y);
        double m = median(sorted, n);
#pragma GCC unroll 11
        for (size_t j = 0; j < n; j++)
            w->squared[j] = (c ? w->squared[j] : 0) + (y[j] - m) * (y[j] - m);
    }
    return w->squared[w->own];
}

/* Nearly all calls are for a line and a default window: with these as constants the loops are unrolled. */
static double measure(struct window *w, unsigned degree)
{
    return degree == 1 && w->n == 11 ? measure_rows(w, 1, 11) : measure_rows(w, degree, w->n);
}

/* Median distance in standard deviations of normal noise. */
static double scale(const struct window *w)
{
    double distance[DESPIKE_MOST_SAMPLES];
    for (size_t j = 0; j < w->n; j++)
        distance[j] = sqrt(w->squared[j]);
    return 1.4826 * median(distance, w->n);
}

/* The whole rule, for a sample that may be a spike. */
static bool judge(const struct despike_memory *memory, double factor, struct window *w, double rounding)
{
    size_t before = w->own, after = w->n - 1 - before;
    unsigned degree = 2 * before < after || 2 * after < before ? 1 : 2;
    double least = measure(w, degree - 1) >= 0 ? scale(w) * 2 / 3 : 0;
    double distance = sqrt(measure(w, degree)), own = fmax(scale(w), least);
    /* Of normal noise, the mean absolute second difference is sqrt(12 / pi) standard deviations. */
    if (own <= rounding && memory->n)
        own = memory->sum / (double)memory->n / 1.9544;
    else if (own <= rounding && degree == 1)
        return false;
    return distance > factor * fmax(own, memory->resolution / 2) + rounding;
}

/* Adds an accepted sample to what is known of the channel. */
static void remember(struct despike_memory *memory, const struct window *w, double rounding)
{
    double bend = 0;
    memory->accepted++;
    for (size_t c = 0; c < w->ncolumn && memory->accepted > 2 && w->own > 1; c++) {
        const double *x = w->x[c] + w->own;
        bend += (x[0] - 2 * x[-1] + x[-2]) * (x[0] - 2 * x[-1] + x[-2]);
    }
    bend = sqrt(bend);
    if (bend > rounding) {
        memory->sum += bend;
        memory->n++;
        memory->resolution = memory->n == 1 || bend < memory->resolution ? bend : memory->resolution;
    }
}

bool despike_judge(struct despike_memory *memory, double factor, const struct despike_window *window)
{
    double most = 0, squared[DESPIKE_MOST_SAMPLES];
    struct window w = { window->t, window->column, window->ncolumn, window->n, window->own, squared };
    if (w.n < 3)
        return false;
    for (size_t c = 0; c < w.ncolumn; c++)
        most = fmax(most, fmax(fabs(w.x[c][0]), fmax(fabs(w.x[c][w.own]), fabs(w.x[c][w.n - 1]))));
    double rounding = 16 * DBL_EPSILON * most, distance = measure(&w, 1);
    /* Is the median distance less than the distance of the sample by half the factor? */
    double small = distance / (1.4826 * 1.4826 / 4 * factor * factor);
    size_t below = 0;
    for (size_t j = 0; j < w.n; j++)
        below += w.squared[j] < small;
    bool spike = below >= (w.n + 1) / 2 && judge(memory, factor, &w, rounding);
    if (spike)
        memory->accepted = 0;
    else
        remember(memory, &w, rounding);
    return spike;
}
