/* What a linear filter does to tones. The matrices of its recurrence are found by stepping it from unit
 * states, and solved for the response to exp(i w n/rate) after all else has faded. No time has to pass for
 * that, so springs without damping have a response too. See response.h. */
#include "view/response.h"

#include <complex.h>
#include <math.h>

/* The output of one row with this goal, from the state base, with 1 added to its element i unless i is n.
 * r->state is the new state. */
static double probe(struct response *r, const double *base, size_t i, double goal)
{
    memcpy(r->state, base, sizeof r->state);
    if (i < r->filter->shape.nstate)
        r->state[i] += 1;
    return response_row(r, goal);
}

void frequency_response_make(struct frequency_response *f, struct response *r, double rate)
{
    double base[FILTER_MAXSTATE]; /* rest */
    size_t n = f->n = r->filter->shape.nstate;
    f->rate = rate;
    response_start(r, rate);
    for (int i = 0; i < 4; i++)
        response_row(r, 0);
    memcpy(base, r->state, sizeof base);
    f->D = probe(r, base, n, 1);
    for (size_t k = 0; k < n; k++)
        f->B[k] = r->state[k] - base[k];
    for (size_t i = 0; i < n; i++) {
        f->C[i] = probe(r, base, i, 0);
        for (size_t k = 0; k < n; k++)
            f->A[k][i] = r->state[k] - base[k];
    }
    /* What only itself reads, such as the last output, is left out: the others would lose digits to it. */
    for (size_t i = 0; i < n; i++) {
        bool read = f->C[i] != 0;
        for (size_t k = 0; k < n; k++)
            read |= k != i && f->A[k][i] != 0;
        for (size_t k = 0; k < n && !read; k++)
            f->A[i][k] = f->B[i] = 0;
    }
}

/* Replaces x by the solution s of (z - A) s = x, by elimination with row pivots; returns C s. */
static double _Complex output_at(const struct frequency_response *f, double _Complex z, double _Complex *x)
{
    size_t n = f->n;
    double _Complex output = 0, m[FILTER_MAXSTATE][FILTER_MAXSTATE + 1]; /* column n is x */
    for (size_t row = 0; row < n; row++) {
        for (size_t k = 0; k < n; k++)
            m[row][k] = (k == row ? z : 0) - f->A[row][k];
        m[row][n] = x[row];
    }
    for (size_t col = 0; col < n; col++) {
        size_t pivot = col;
        for (size_t row = col + 1; row < n; row++)
            if (cabs(m[row][col]) > cabs(m[pivot][col]))
                pivot = row;
        for (size_t k = 0; k <= n; k++) {
            double _Complex swap = m[col][k];
            m[col][k] = m[pivot][k];
            m[pivot][k] = swap;
        }
        for (size_t row = col + 1; row < n && m[col][col] != 0; row++) {
            double _Complex factor = m[row][col] / m[col][col];
            for (size_t k = col; k <= n; k++)
                m[row][k] -= factor * m[col][k];
        }
    }
    for (size_t row = n; row-- > 0;) {
        x[row] = m[row][n];
        for (size_t k = row + 1; k < n; k++)
            x[row] -= m[row][k] * x[k];
        if (x[row] != 0) /* what nothing moves may have its pole at z */
            x[row] /= m[row][row];
    }
    for (size_t i = 0; i < n; i++)
        output += f->C[i] * x[i];
    return output;
}

/* The gain at z; x is then the state at z. */
static double _Complex gain_at(const struct frequency_response *f, double _Complex z, double _Complex *x)
{
    for (size_t i = 0; i < f->n; i++)
        x[i] = f->B[i];
    return f->D + output_at(f, z, x);
}

double _Complex frequency_response_at(const struct frequency_response *f, double frequency)
{
    double _Complex x[FILTER_MAXSTATE];
    return gain_at(f, cexp(2 * M_PI * I * (frequency / f->rate)), x);
}

double frequency_response_lag(const struct frequency_response *f)
{
    /* Near z = 1 the gain is H(1) (1 - lag (z - 1)) with the lag in rows. */
    double _Complex x[FILTER_MAXSTATE], gain = gain_at(f, 1, x);
    return creal(output_at(f, 1, x) / gain) / f->rate;
}

double frequency_response_corner(const struct frequency_response *f, double low, double part)
{
    const double growth = 1.05;
    double level = cabs(frequency_response_at(f, 0)) * part, high = low;
    while (cabs(frequency_response_at(f, high)) > level) {
        low = high;
        high *= growth;
        if (high > f->rate / 2)
            return (double)NAN;
    }
    for (int i = 0; i < 60; i++) {
        double middle = low + (high - low) / 2;
        if (cabs(frequency_response_at(f, middle)) > level)
            low = middle;
        else
            high = middle;
    }
    return high;
}
