/* What a linear filter does to tones. See frequency_response.h. A, B, C and D of the recurrence are found by
 * running the filter for a row from rest and from unit states. The steady response to the tone g = z^n, z =
 * exp(i w / rate), is x = H(z) z^n with H(z) = D + C (z - A)^-1 B. No row is run for the response, so springs
 * without damping, whose start never fades, have a response, too. */
#include "springs/frequency_response.h"

#include <complex.h>
#include <math.h>

/* Moves the state by a row; returns the output. */
static double run_row(struct run *run, const struct filter *filter, const double *state, double goal,
                      double *to)
{
    const double goals[2] = { goal, goal }, *goal_at = goals;
    double out[FILTER_MAXOUT], *column[FILTER_MAXOUT];
    for (size_t o = 0; o < FILTER_MAXOUT; o++)
        column[o] = &out[o];
    memmove(to, state, run->shape->nstate * sizeof *to);
    run->goal = &goal_at;
    run->out = column;
    run->state = to;
    filter->run(run);
    return out[0];
}

void frequency_response_make(struct frequency_response *recurrence, const struct filter *filter,
                             const void *settings, double T)
{
    const double steps[2] = { T, T };
    const struct first_row first = { .goal = 0 };
    const size_t n = filter->shape.nstate;
    double step[FILTER_MAXSTEP], rest[FILTER_MAXSTATE], state[FILTER_MAXSTATE], out[FILTER_MAXOUT];
    struct run run = { .settings = settings,
                       .shape = &filter->shape,
                       .nrow = 1,
                       .nchannel = 1,
                       .T = steps,
                       .step = step,
                       .ahead = filter->ahead };
    recurrence->n = n;
    recurrence->T = T;
    filter->step(settings, T, step);
    filter->start(settings, &first, rest, out);
    /* After some rows at 0, filters that look at changes of the goal see no change. */
    for (int i = 0; i < 4; i++)
        run_row(&run, filter, rest, 0, rest);
    recurrence->D = run_row(&run, filter, rest, 1, state);
    for (size_t k = 0; k < n; k++)
        recurrence->B[k] = state[k] - rest[k];
    for (size_t i = 0; i < n; i++) {
        double from[FILTER_MAXSTATE];
        memcpy(from, rest, sizeof from);
        from[i] += 1;
        recurrence->C[i] = run_row(&run, filter, from, 0, state);
        for (size_t k = 0; k < n; k++)
            recurrence->A[k][i] = state[k] - rest[k];
    }
    /* An element of the state that neither x nor another element depends on, such as the last output, is set
     * to 0: otherwise the solution for the other elements would lose digits. */
    for (size_t i = 0; i < n; i++) {
        bool used = recurrence->C[i] != 0;
        for (size_t k = 0; k < n; k++)
            used |= k != i && recurrence->A[k][i] != 0;
        for (size_t k = 0; k < n && !used; k++)
            recurrence->A[i][k] = recurrence->B[i] = 0;
    }
}

/* Replaces x by s = (z - A)^-1 x, by elimination with row pivots. Returns C s. */
static double _Complex output_at(const struct frequency_response *recurrence, double _Complex z,
                                 double _Complex *x)
{
    size_t n = recurrence->n;
    double _Complex output = 0, m[FILTER_MAXSTATE][FILTER_MAXSTATE + 1]; /* z - A, and x as column n */
    for (size_t row = 0; row < n; row++) {
        for (size_t k = 0; k < n; k++)
            m[row][k] = (k == row ? z : 0) - recurrence->A[row][k];
        m[row][n] = x[row];
    }
    for (size_t column = 0; column < n; column++) {
        size_t pivot = column;
        for (size_t row = column + 1; row < n; row++)
            if (cabs(m[row][column]) > cabs(m[pivot][column]))
                pivot = row;
        for (size_t k = 0; k <= n; k++) {
            double _Complex swap = m[column][k];
            m[column][k] = m[pivot][k];
            m[pivot][k] = swap;
        }
        for (size_t row = column + 1; row < n && m[column][column] != 0; row++) {
            double _Complex factor = m[row][column] / m[column][column];
            for (size_t k = column; k <= n; k++)
                m[row][k] -= factor * m[column][k];
        }
    }
    for (size_t row = n; row-- > 0;) {
        x[row] = m[row][n];
        for (size_t k = row + 1; k < n; k++)
            x[row] -= m[row][k] * x[k];
        /* The divisor may be 0 for an element that is always 0 and has a pole at z. */
        if (x[row] != 0)
            x[row] = x[row] / m[row][row];
    }
    for (size_t i = 0; i < n; i++)
        output += recurrence->C[i] * x[i];
    return output;
}

/* Returns H(z); x becomes (z - A)^-1 B. */
static double _Complex gain_at(const struct frequency_response *recurrence, double _Complex z,
                               double _Complex *x)
{
    for (size_t i = 0; i < recurrence->n; i++)
        x[i] = recurrence->B[i];
    return recurrence->D + output_at(recurrence, z, x);
}

double _Complex frequency_response_at(const struct frequency_response *recurrence, double frequency)
{
    double _Complex x[FILTER_MAXSTATE];
    return gain_at(recurrence, cexp(I * 2 * M_PI * (frequency * recurrence->T)), x);
}

double frequency_response_lag(const struct frequency_response *recurrence)
{
    /* H(z) = H(1) (1 - lag (z - 1)) + O((z - 1)^2) with the lag in rows, so lag = -H'(1) / H(1), and H'(1) is
     * -C (1 - A)^-2 B. */
    double _Complex x[FILTER_MAXSTATE], gain = gain_at(recurrence, 1, x);
    const double rows = creal(output_at(recurrence, 1, x) / gain);
    return fabs(rows) < 1e-6 ? 0 : rows * recurrence->T; /* a lag of rounding errors is 0 */
}

double frequency_response_corner(const struct frequency_response *recurrence, double low, double part)
{
    const double growth = 1.05;
    double level = cabs(frequency_response_at(recurrence, 0)) * part, high = low;
    while (cabs(frequency_response_at(recurrence, high)) > level) {
        low = high;
        high *= growth;
        if (high * recurrence->T > 0.5)
            return (double)NAN;
    }
    for (int i = 0; i < 60; i++) {
        double middle = low + (high - low) / 2;
        if (cabs(frequency_response_at(recurrence, middle)) > level)
            low = middle;
        else
            high = middle;
    }
    return high;
}
