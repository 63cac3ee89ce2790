/* What a linear filter does to tones: its recurrence is asked for its matrices, state by state, and these for
 * the answer to exp(i w n/rate) once all else has faded. It needs no fading, so that undamped springs are
 * fine. See response.h. */
#include "view/response.h"

#include <complex.h>
#include <math.h>
#include <stdlib.h>

/* One row from the state base + (1 at i), with this goal: the new state and the output. */
static double probe(struct response *r, const double *base, size_t i, double goal)
{
    memcpy(r->state, base, r->shape.nstate * sizeof *base);
    if (i < r->shape.nstate)
        r->state[i] += 1;
    response_row(r, goal);
    return r->out[0];
}

static void ask(struct frequency_response *t, struct response *r, double *base)
{
    size_t n = t->n;
    response_rest(r);
    for (int i = 0; i < 4; i++)
        response_row(r, 0);
    memcpy(base, r->state, n * sizeof *base);
    t->D = probe(r, base, n, 1);
    for (size_t k = 0; k < n; k++)
        t->B[k] = r->state[k] - base[k];
    for (size_t i = 0; i < n; i++) {
        t->C[i] = probe(r, base, i, 0);
        for (size_t k = 0; k < n; k++)
            t->A[k * n + i] = r->state[k] - base[k];
    }
}

bool frequency_response_open(struct frequency_response *t, const struct filter *filter, const void *settings, double rate,
                struct error *e)
{
    struct response r;
    size_t n = filter_shape(filter, settings).nstate;
    *t = (struct frequency_response){ .n = n, .rate = rate };
    double *base = calloc(n + 1, sizeof *base);
    t->A = calloc(n * n + 1, sizeof *t->A);
    t->B = calloc(n + 1, sizeof *t->B);
    t->C = calloc(n + 1, sizeof *t->C);
    t->work = calloc(n * n + n + 1, sizeof *t->work);
    bool good = response_open(&r, filter, settings, rate, e);
    if (good && !(base && t->A && t->B && t->C && t->work))
        good = error_memory(e);
    if (good)
        ask(t, &r, base);
    response_close(&r);
    free(base);
    return good;
}

void frequency_response_close(struct frequency_response *t)
{
    free(t->A);
    free(t->B);
    free(t->C);
    free(t->work);
}

/* x of (z - A) x = b, in place of b, by elimination with the largest pivot. m: room for n * n numbers. */
static void solve(const struct frequency_response *t, double _Complex z, double _Complex *m, double _Complex *b)
{
    size_t n = t->n;
    for (size_t k = 0; k < n * n; k++)
        m[k] = (k / n == k % n ? z : 0) - t->A[k];
    for (size_t col = 0; col < n; col++) {
        size_t pivot = col;
        for (size_t row = col + 1; row < n; row++)
            if (cabs(m[row * n + col]) > cabs(m[pivot * n + col]))
                pivot = row;
        for (size_t k = 0; k < n && pivot != col; k++) {
            double _Complex swap = m[col * n + k];
            m[col * n + k] = m[pivot * n + k];
            m[pivot * n + k] = swap;
        }
        double _Complex swap = b[col];
        b[col] = b[pivot];
        b[pivot] = swap;
        for (size_t row = col + 1; row < n; row++) {
            double _Complex f = m[row * n + col] / m[col * n + col];
            for (size_t k = col; k < n; k++)
                m[row * n + k] -= f * m[col * n + k];
            b[row] -= f * b[col];
        }
    }
    for (size_t row = n; row-- > 0;) {
        for (size_t k = row + 1; k < n; k++)
            b[row] -= m[row * n + k] * b[k];
        b[row] /= m[row * n + row];
    }
}

static double _Complex output_of(const struct frequency_response *t, const double _Complex *state)
{
    double _Complex x = 0;
    for (size_t i = 0; i < t->n; i++)
        x += t->C[i] * state[i];
    return x;
}

static double _Complex *driven(const struct frequency_response *t, double _Complex z)
{
    double _Complex *b = t->work + t->n * t->n;
    for (size_t i = 0; i < t->n; i++)
        b[i] = t->B[i];
    solve(t, z, t->work, b);
    return b;
}

double _Complex frequency_response_at(const struct frequency_response *t, double frequency)
{
    double _Complex z = cexp(2 * M_PI * I * (frequency / t->rate));
    return t->D + output_of(t, driven(t, z));
}

double frequency_response_lag(const struct frequency_response *t)
{
    /* Near z = 1 the gain is H(1) (1 - lag (z - 1)) with the lag in rows. */
    double _Complex *b = driven(t, 1), gain = t->D + output_of(t, b);
    solve(t, 1, t->work, b);
    return creal(output_of(t, b) / gain) / t->rate;
}

double frequency_response_corner(const struct frequency_response *t, double low)
{
    const double growth = 1.05;
    double level = cabs(frequency_response_at(t, 0)) * sqrt(0.5), high = low;
    while (cabs(frequency_response_at(t, high)) > level) {
        low = high;
        high *= growth;
        if (high > t->rate / 2)
            return (double)NAN;
    }
    for (int i = 0; i < 60; i++) {
        double middle = low + (high - low) / 2;
        if (cabs(frequency_response_at(t, middle)) > level)
            low = middle;
        else
            high = middle;
    }
    return high;
}
