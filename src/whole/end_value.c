/* A choice between the end sample and polynomials that fit the samples next to it. See end_value.h.
 *
 * The square error to be expected of a fit is its variance, which follows from the noise, and the square of
 * its bias. The bias shows further inside the run, where the same fit is made at the begin of many windows:
 * the square of its distance from the sample there is, on average, the square of the bias and the variance of
 * that distance, which follows from the noise as well. The end sample has the variance of the noise, and no
 * bias. */
#include "whole/end_value.h"

#include <math.h>
#include <string.h>

enum {
    DEGREES = 3,  /* of polynomials */
    SHORTEST = 5, /* samples of a window */
    MOST = 512,   /* points of a window: longer ones are fitted to means of so many samples each that they fit
                     in */
    WINDOWS = 64, /* by which the bias of a fit is judged, at most */
    SPAN = 120    /* samples from the end in which they lie, unless they are long themselves */
};

#define LONGER 1.5 /* than the window tried next */
#define BETTER                                                                                               \
    0.7 /* part of the expected error by which a shorter window or a higher degree must be better */
#define REACHES                                                                                              \
    4.5 /* the longest window: white noise leaves about as much of a line over it as in the middle */
#define EVEN 1e-9 /* steps that differ by this part are equal */

/* Part of a run, counted from the end at which the value is looked for. */
struct window {
    size_t npoint;
    double mean_of;              /* samples in each point */
    double t[MOST];              /* seconds since the first sample of the window */
    double y[END_COLUMNS][MOST]; /* samples less the first one */
};

/* Polynomials that are orthonormal over the points of a window. */
struct basis {
    double at[DEGREES + 1][MOST]; /* their values at the points, */
    double at_start[DEGREES + 1]; /* and at the first sample */
};

struct fits {
    double off[DEGREES + 1]
              [END_COLUMNS];      /* value of the fit of each degree at the first sample, less that sample */
    double square[DEGREES + 1];   /* of that */
    double variance[DEGREES + 1]; /* of the fit's value, for a noise of variance 1 */
    double apart[DEGREES + 1];    /* variance of its distance from the sample */
};

static double sample_at(const struct end_run *run, bool at_last, size_t column, size_t k)
{
    return run->column[column][at_last ? run->last - k : k];
}

/* From sample k to sample k + 1, counted from the end. */
static double step_after(const struct end_run *run, bool at_last, size_t k)
{
    return run->T[at_last ? run->last - k : k + 1];
}

static void take_window(const struct end_run *run, bool at_last, size_t start, size_t nsample,
                        struct window *w)
{
    size_t each = (nsample + MOST - 1) / MOST;
    double t = 0;
    w->npoint = nsample / each;
    w->mean_of = (double)each;
    for (size_t i = 0; i < w->npoint; i++) {
        w->t[i] = 0;
        for (size_t k = start + i * each; k < start + (i + 1) * each; k++) {
            w->t[i] += t / w->mean_of;
            if (k < run->last)
                t += step_after(run, at_last, k);
        }
    }
    for (size_t c = 0; c < run->ncolumn; c++) {
        double first = sample_at(run, at_last, c, start);
        for (size_t i = 0; i < w->npoint; i++) {
            w->y[c][i] = 0;
            for (size_t k = start + i * each; k < start + (i + 1) * each; k++)
                w->y[c][i] += (sample_at(run, at_last, c, k) - first) / w->mean_of;
        }
    }
}

/* Gram and Schmidt's method: each polynomial is t times the one before, less its parts along all before it.
 */
static void make_basis(const struct window *w, struct basis *b)
{
    size_t n = w->npoint;
    double end = w->t[n - 1];
    b->at_start[0] = 1 / sqrt((double)n);
    for (size_t i = 0; i < n; i++)
        b->at[0][i] = b->at_start[0];
    for (size_t d = 1; d <= DEGREES; d++) {
        double *p = b->at[d], before = 0, after = 0;
        for (size_t i = 0; i < n; i++) {
            p[i] = w->t[i] / end * b->at[d - 1][i];
            before += p[i] * p[i];
        }
        b->at_start[d] = 0;
        for (size_t k = 0; k < d; k++) {
            double along = 0;
            for (size_t i = 0; i < n; i++)
                along += p[i] * b->at[k][i];
            for (size_t i = 0; i < n; i++)
                p[i] -= along * b->at[k][i];
            b->at_start[d] -= along * b->at_start[k];
        }
        for (size_t i = 0; i < n; i++)
            after += p[i] * p[i];
        /* Where the times of too few samples differ there is no polynomial of this degree. */
        double scale = after > 1e-20 * before ? 1 / sqrt(after) : 0;
        for (size_t i = 0; i < n; i++)
            p[i] *= scale;
        b->at_start[d] *= scale;
    }
}

static struct fits fit(const struct window *w, size_t ncolumn, const struct basis *b)
{
    struct fits f = { 0 };
    double squares = 0, first = 0;
    for (size_t d = 0; d <= DEGREES; d++) {
        for (size_t c = 0; c < ncolumn; c++) {
            double along = 0;
            for (size_t i = 0; i < w->npoint; i++)
                along += b->at[d][i] * w->y[c][i];
            f.off[d][c] = b->at_start[d] * along + (d > 0 ? f.off[d - 1][c] : 0);
            f.square[d] += f.off[d][c] * f.off[d][c];
        }
        squares += b->at_start[d] * b->at_start[d];
        first += b->at_start[d] * b->at[d][0];
        f.variance[d] = squares / w->mean_of;
        f.apart[d] = 1 + (squares - 2 * first) / w->mean_of;
    }
    return f;
}

/* Are the steps of the n samples next to the end equal? */
static bool is_even(const struct end_run *run, bool at_last, size_t n)
{
    double first = step_after(run, at_last, 0);
    for (size_t k = 1; k + 1 < n; k++)
        if (!(fabs(step_after(run, at_last, k) - first) <= EVEN * first))
            return false;
    return true;
}

/* The choice so far. */
struct choice {
    double error;            /* expected square error of the value */
    double off[END_COLUMNS]; /* the value less the end sample */
};

/* Tries the fits to the nsample samples next to the end. */
static void try_fits(const struct end_run *run, bool at_last, size_t nsample, struct choice *best)
{
    struct window w;
    struct basis basis;
    struct fits end = { 0 };
    double square[DEGREES + 1] = { 0 }, apart[DEGREES + 1] = { 0 };
    size_t farthest = nsample < SPAN / 2 ? SPAN - nsample : nsample;
    farthest = farthest > run->last + 1 - nsample ? run->last + 1 - nsample : farthest;
    size_t nwindow = farthest + 1 < WINDOWS ? farthest + 1 : WINDOWS;
    bool even = is_even(run, at_last, farthest + nsample);
    for (size_t i = 0; i < nwindow; i++) {
        size_t start = nwindow > 1 ? farthest * i / (nwindow - 1) : 0;
        take_window(run, at_last, start, nsample, &w);
        if (i == 0 || !even)
            make_basis(&w, &basis);
        struct fits here = fit(&w, run->ncolumn, &basis);
        if (i == 0)
            end = here;
        for (size_t d = 1; d <= DEGREES; d++) {
            square[d] += here.square[d] / (double)nwindow;
            apart[d] += here.apart[d] / (double)nwindow;
        }
    }
    for (size_t d = 1; d <= DEGREES; d++) {
        double bias = fmax(square[d] - run->noise * apart[d], 0);
        double error = run->noise * end.variance[d] + bias;
        if (error < BETTER * best->error) {
            best->error = error;
            memcpy(best->off, end.off[d], sizeof best->off);
        }
    }
}

/* How many samples lie within some reaches of the end. */
static size_t longest_window(const struct end_run *run, bool at_last)
{
    double t = 0;
    size_t n = 1;
    while (n <= run->last && t <= REACHES * run->reach)
        t += step_after(run, at_last, n++ - 1);
    return n;
}

void end_value(const struct end_run *run, bool at_last, double *value)
{
    struct choice best = { .error = INFINITY };
    size_t most = run->noise > 0 ? longest_window(run, at_last) : 0;
    for (size_t n = most; n >= SHORTEST; n = (size_t)((double)n / LONGER))
        try_fits(run, at_last, n, &best);
    for (size_t c = 0; c < run->ncolumn; c++) {
        double off = best.error < run->noise ? best.off[c] : 0;
        value[c] = sample_at(run, at_last, c, 0) + off;
    }
}
