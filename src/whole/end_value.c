/* Polynomials that fit the samples next to an end: the end value is a choice between the values of such
 * polynomials and the end sample; the curvature is the curvature of a cubic. See end_value.h.
 *
 * The square error to be expected of a fit is its variance, which follows from the noise, and the square of
 * its bias. The bias shows further inside the run, where the same fit is made at the beginning of many
 * windows: on average
 *
 *     (fit - sample)^2 = bias^2 + variance of (fit - sample)
 *
 * at the first sample of a window, and the variance follows from the noise as well. The end sample has the
 * variance of the noise, and no bias. */
#include "whole/end_value.h"

#include <math.h>
#include <string.h>

enum {
    DEGREES = 3,  /* highest degree of a polynomial */
    SHORTEST = 5, /* fewest samples of a window */
    CURVED = 8,   /* fewest samples of a window that tell the curvature */
    MOST = 512,   /* most points of a window: in a longer window every point is the mean of several samples */
    WINDOWS = 64, /* most windows by which the bias of a fit is judged */
    WINDOWS_LEAST = 16, /* fewest windows of one length; long windows overlap */
    LOOKED_AT = 8192,   /* samples in all windows of one length, from WINDOWS_LEAST windows on */
    SPAN = 120 /* the windows of one length lie within so many samples of the end, or within twice their
                   length if that is more */
};

/* The longest window has so many reaches: a line fitted to the window keeps about as much white noise as the
 * result in the middle of the run. */
#define REACHES 4.5

/* The square of a curvature, divided by the variance that noise gives the curvature, below which the
 * curvature counts as noise. */
#define SIGNIFICANT 4.0

/* A shorter window or a higher degree is taken where its expected square error, divided by the least so far,
 * is below this. */
#define BETTER 0.7

#define LONGER 1.5  /* length of a window divided by the length of the window tried next */
#define EVEN   1e-9 /* largest relative difference of steps that count as equal */

/* Consecutive samples of a run, counted from the end that is looked at: the first sample is nearest to it. */
struct window {
    size_t npoint;               /* number of points */
    double mean_of;              /* number of samples in a point, which is their mean */
    double t[MOST];              /* [npoint] seconds since the first sample of the window */
    double y[END_COLUMNS][MOST]; /* [npoint] the points, by component, less the first sample of the window */
};

/* Polynomials that are orthonormal over the points of a window. */
struct basis {
    double at[DEGREES + 1][MOST]; /* values of the polynomials at the points */
    double at_start[DEGREES + 1]; /* values of the polynomials at the first sample */
    double slope[DEGREES + 1];    /* first derivatives of the polynomials at the first sample, per second */
    double bend[DEGREES + 1];     /* second derivatives of the polynomials at the first sample */
};

/* The fit of a polynomial to a window. */
struct fit {
    double off[END_COLUMNS]; /* by component: the fit at the first sample, less the first sample */
    double square;           /* the square of the length of `off` */
    double variance;         /* variance of the fit at the first sample, for noise of variance 1 */
    double apart;            /* variance of the fit less the first sample, for noise of variance 1 */
};

static double sample_at(const struct end_run *run, bool at_last, size_t column, size_t k)
{
    return run->column[column][at_last ? run->last - k : k];
}

/* The step from sample k to sample k + 1, counted from the end. */
static double step_after(const struct end_run *run, bool at_last, size_t k)
{
    return run->T[at_last ? run->last - k : k + 1];
}

static void take_window(const struct end_run *run, bool at_last, size_t start, size_t nsample,
                        struct window *window)
{
    size_t each = (nsample + MOST - 1) / MOST;
    double t = 0;
    window->npoint = nsample / each;
    window->mean_of = (double)each;
    for (size_t i = 0; i < window->npoint; i++) {
        window->t[i] = 0;
        for (size_t k = start + i * each; k < start + (i + 1) * each; k++) {
            window->t[i] += t / window->mean_of;
            if (k < run->last)
                t += step_after(run, at_last, k);
        }
    }
    for (size_t c = 0; c < run->ncolumn; c++) {
        double first = sample_at(run, at_last, c, start);
        for (size_t i = 0; i < window->npoint; i++) {
            window->y[c][i] = 0;
            for (size_t k = start + i * each; k < start + (i + 1) * each; k++)
                window->y[c][i] += (sample_at(run, at_last, c, k) - first) / window->mean_of;
        }
    }
}

/* Gram and Schmidt's method: polynomial d is t times polynomial d - 1, less the parts along the polynomials 0
 * to d - 1. */
static void make_basis(const struct window *window, struct basis *basis)
{
    size_t n = window->npoint;
    double end = window->t[n - 1];
    basis->at_start[0] = 1 / sqrt((double)n);
    basis->slope[0] = basis->bend[0] = 0;
    for (size_t i = 0; i < n; i++)
        basis->at[0][i] = basis->at_start[0];
    for (size_t d = 1; d <= DEGREES; d++) {
        double *p = basis->at[d], before = 0, after = 0;
        for (size_t i = 0; i < n; i++) {
            p[i] = window->t[i] / end * basis->at[d - 1][i];
            before += p[i] * p[i];
        }
        basis->at_start[d] = 0;
        basis->slope[d] = basis->at_start[d - 1] / end;
        basis->bend[d] = 2 * basis->slope[d - 1] / end;
        for (size_t k = 0; k < d; k++) {
            double along = 0;
            for (size_t i = 0; i < n; i++)
                along += p[i] * basis->at[k][i];
            for (size_t i = 0; i < n; i++)
                p[i] -= along * basis->at[k][i];
            basis->at_start[d] -= along * basis->at_start[k];
            basis->slope[d] -= along * basis->slope[k];
            basis->bend[d] -= along * basis->bend[k];
        }
        for (size_t i = 0; i < n; i++)
            after += p[i] * p[i];
        /* With d or fewer different times there is no polynomial of degree d. */
        double scale = after > 1e-20 * before ? 1 / sqrt(after) : 0;
        for (size_t i = 0; i < n; i++)
            p[i] *= scale;
        basis->at_start[d] *= scale;
        basis->slope[d] *= scale;
        basis->bend[d] *= scale;
    }
}

/* Fits polynomials of all degrees to a window: fit[d] is the fit of degree d. */
static void fit_polynomials(const struct window *window, size_t ncolumn, const struct basis *basis,
                            struct fit fit[DEGREES + 1])
{
    double squares = 0, first = 0, off[END_COLUMNS] = { 0 };
    for (size_t d = 0; d <= DEGREES; d++) {
        fit[d].square = 0;
        for (size_t c = 0; c < ncolumn; c++) {
            double along = 0;
            for (size_t i = 0; i < window->npoint; i++)
                along += basis->at[d][i] * window->y[c][i];
            off[c] += basis->at_start[d] * along;
            fit[d].square += off[c] * off[c];
        }
        squares += basis->at_start[d] * basis->at_start[d];
        first += basis->at_start[d] * basis->at[d][0];
        memcpy(fit[d].off, off, sizeof off);
        fit[d].variance = squares / window->mean_of;
        fit[d].apart = 1 + (squares - 2 * first) / window->mean_of;
    }
}

/* --- the end value --- */

/* Are the steps of the n samples next to the end equal? */
static bool is_even(const struct end_run *run, bool at_last, size_t n)
{
    double first = step_after(run, at_last, 0);
    for (size_t k = 1; k + 1 < n; k++)
        if (!(fabs(step_after(run, at_last, k) - first) <= EVEN * first))
            return false;
    return true;
}

/* The best value so far. */
struct choice {
    double error;            /* expected square error of the value */
    double off[END_COLUMNS]; /* the value less the end sample */
};

/* Tries the fits to the nsample samples next to the end. */
static void try_fits(const struct end_run *run, bool at_last, size_t nsample, struct choice *best)
{
    struct window window;
    struct basis basis;
    struct fit end[DEGREES + 1], here[DEGREES + 1];
    double square[DEGREES + 1] = { 0 }, apart[DEGREES + 1] = { 0 };
    size_t farthest = nsample < SPAN / 2 ? SPAN - nsample : nsample;
    farthest = farthest > run->last + 1 - nsample ? run->last + 1 - nsample : farthest;
    size_t nwindow = LOOKED_AT / nsample;
    nwindow = nwindow < WINDOWS_LEAST ? WINDOWS_LEAST : nwindow;
    nwindow = nwindow > WINDOWS ? WINDOWS : nwindow;
    nwindow = nwindow > farthest + 1 ? farthest + 1 : nwindow;
    bool even = is_even(run, at_last, farthest + nsample);
    for (size_t i = 0; i < nwindow; i++) {
        size_t start = nwindow > 1 ? farthest * i / (nwindow - 1) : 0;
        take_window(run, at_last, start, nsample, &window);
        if (i == 0 || !even)
            make_basis(&window, &basis);
        fit_polynomials(&window, run->ncolumn, &basis, here);
        if (i == 0)
            memcpy(end, here, sizeof end);
        for (size_t d = 1; d <= DEGREES; d++) {
            square[d] += here[d].square / (double)nwindow;
            apart[d] += here[d].apart / (double)nwindow;
        }
    }
    for (size_t d = 1; d <= DEGREES; d++) {
        double bias = fmax(square[d] - run->noise * apart[d], 0);
        double error = run->noise * end[d].variance + bias;
        if (error < BETTER * best->error) {
            best->error = error;
            memcpy(best->off, end[d].off, sizeof best->off);
        }
    }
}

/* The number of samples within so many reaches of the end. */
static size_t samples_within(const struct end_run *run, bool at_last, double reaches)
{
    double t = 0;
    size_t n = 1;
    while (n <= run->last && t <= reaches * run->reach)
        t += step_after(run, at_last, n++ - 1);
    return n;
}

void end_value(const struct end_run *run, bool at_last, double *value)
{
    struct choice best = { .error = INFINITY };
    size_t most = run->noise > 0 ? samples_within(run, at_last, REACHES) : 0;
    for (size_t n = most; n >= SHORTEST; n = (size_t)((double)n / LONGER))
        try_fits(run, at_last, n, &best);
    for (size_t c = 0; c < run->ncolumn; c++) {
        double off = best.error < run->noise ? best.off[c] : 0;
        value[c] = sample_at(run, at_last, c, 0) + off;
    }
}

/* --- the curvature --- */

/* The samples are those of a motion and white noise; the variance of the noise follows from the distances of
 * the samples from the cubic, of which four are taken up by the cubic's coefficients. Misfit of the cubic
 * counts as noise. */
void end_curvature(const struct end_run *run, bool at_last, double *curvature)
{
    struct window window;
    struct basis basis;
    double squares = 0, rest = 0, variance = 0, square = 0;
    size_t nsample = samples_within(run, at_last, END_CURVATURE_REACHES);
    for (size_t c = 0; c < run->ncolumn; c++)
        curvature[c] = 0;
    if (nsample < CURVED)
        return;
    take_window(run, at_last, 0, nsample, &window);
    make_basis(&window, &basis);
    for (size_t d = 0; d <= DEGREES; d++)
        variance += basis.bend[d] * basis.bend[d];
    for (size_t c = 0; c < run->ncolumn; c++) {
        for (size_t i = 0; i < window.npoint; i++)
            squares += window.y[c][i] * window.y[c][i];
        for (size_t d = 0; d <= DEGREES; d++) {
            double along = 0;
            for (size_t i = 0; i < window.npoint; i++)
                along += basis.at[d][i] * window.y[c][i];
            rest -= along * along;
            curvature[c] += basis.bend[d] * along;
        }
        square += curvature[c] * curvature[c];
    }
    rest = fmax(rest + squares, 0);
    double noise = SIGNIFICANT * variance * rest / (double)(window.npoint - DEGREES - 1);
    double part = square > noise && isfinite(square) ? 1 - noise / square : 0;
    for (size_t c = 0; c < run->ncolumn; c++)
        curvature[c] = part > 0 ? part * curvature[c] : 0;
}
