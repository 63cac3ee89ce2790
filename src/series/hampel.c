/* Hampel's rule about the trend of the window. See hampel.h.
 *
 * A sample is a spike if its distance from the median exceeds factor times 1.4826 times the median of these
 * distances (F. R. Hampel, "The influence curve and its role in robust estimation", JASA 69, 1974; as a
 * filter: R. K. Pearson, "Outliers in process modeling and identification", IEEE Trans. CST 10, 2002). In
 * fast motion the window's own slope hides spikes, so it is removed first (P. L. Davies, R. Fried, U. Gather,
 * "Robust signal extraction for on-line monitoring data", J. Stat. Plan. Inference 122, 2004): the median
 * slope of the pairs of samples half a window apart. */
#include "series/hampel.h"

#include <float.h>
#include <math.h>

enum { WINDOW = 2 * HAMPEL_MOST + 1, COLUMNS = 4 };

/* Merge exchange (Knuth, The Art of Computer Programming, volume 3, algorithm 5.2.2M): its comparisons do not
 * depend on the values, so no branch is mispredicted. */
static void sort(double *x, size_t n)
{
    size_t top = 1;
    while (2 * top < n)
        top *= 2;
    for (size_t p = top; p > 0; p /= 2)
        for (size_t q = top, r = 0, d = p;; d = q - p, q /= 2, r = p) {
            for (size_t i = 0; i + d < n; i++)
                if ((i & p) == r) {
                    double a = x[i], b = x[i + d];
                    x[i] = a < b ? a : b;
                    x[i + d] = a < b ? b : a;
                }
            if (q == p)
                break;
        }
}

static double median(double *x, size_t n)
{
    sort(x, n);
    return n % 2 ? x[n / 2] : (x[n / 2 - 1] + x[n / 2]) / 2;
}

/* Puts x[0..n) less its trend and the median of that into r; returns what rounding can make of r. */
static double detrend(const double *t, const double *x, size_t n, double *r)
{
    double sorted[WINDOW], most = 0;
    size_t half = (n + 1) / 2, npair = 0;
    for (size_t j = 0; j + half < n; j++)
        if (t[j + half] > t[j])
            sorted[npair++] = (x[j + half] - x[j]) / (t[j + half] - t[j]);
    double slope = npair ? median(sorted, npair) : 0;
    for (size_t j = 0; j < n; j++) {
        sorted[j] = r[j] = x[j] - slope * (t[j] - t[n / 2]);
        most = fmax(most, fabs(x[j]));
    }
    double m = median(sorted, n);
    for (size_t j = 0; j < n; j++)
        r[j] -= m;
    return 8 * DBL_EPSILON * most;
}

bool hampel_spike(struct hampel *noise, double factor, const double *t, const double *const x[],
                  size_t ncolumn, size_t n, size_t i)
{
    double time[WINDOW], value[WINDOW], r[WINDOW], square[WINDOW] = { 0 };
    double difference = 0, rounding = 0;
    size_t count = 0, own = 0;
    for (size_t c = 0; c < ncolumn; c++) {
        count = 0;
        for (size_t j = 0; j < n; j++) {
            if (isnan(x[0][j]))
                continue;
            if (j == i)
                own = count;
            time[count] = t[j];
            value[count++] = x[c][j];
        }
        if (count < 3)
            return noise->rejected = false;
        rounding += detrend(time, value, count, r);
        for (size_t j = 0; j < count; j++)
            square[j] += r[j] * r[j];
        if (i)
            difference += (x[c][i] - x[c][i - 1]) * (x[c][i] - x[c][i - 1]);
    }
    for (size_t j = 0; j < count; j++)
        square[j] = sqrt(square[j]);
    double distance = square[own], scale = 1.4826 * median(square, count);
    /* A mean distance is 0.8 standard deviations, as a median one is 1 / 1.4826 of them. */
    if (scale <= rounding)
        scale = fmax(noise->n ? 1.2533 * noise->sum / (double)noise->n : 0, noise->least);
    bool was = noise->rejected;
    noise->rejected = distance > factor * scale + rounding;
    if (noise->rejected)
        return true;
    if (distance > rounding) {
        noise->sum += distance;
        noise->n++;
    }
    difference = sqrt(difference);
    if (!was && difference > rounding && (noise->least == 0 || difference < noise->least))
        noise->least = difference;
    return false;
}
