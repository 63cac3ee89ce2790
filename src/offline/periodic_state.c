/* What a filter remembers over a period, and the state that returns. See periodic_state.h. */
#include "offline/periodic_state.h"

#include <math.h>
#include <string.h>

/* As a power of two: a filter that remembers about a million periods takes so many to forget. Rounding errors
 * grow with that number, and are then about 1e-9 of the range. */
enum { MOST_PERIODS = 26 };
#define FORGOTTEN 0x1p-140 /* the square of what is left of a state */

/* Elements have units; their products with the elements across the diagonal have none. */
bool periodic_state_forgotten(const double *A, size_t n)
{
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j <= i; j++)
            if (!(fabs(A[i * n + j] * A[j * n + i]) < FORGOTTEN))
                return false;
    return true;
}

/* Twice as many periods each time. */
bool periodic_state_rests(const double *left, size_t n)
{
    double A[PERIODIC_STATE_MATRIX], square[PERIODIC_STATE_MATRIX];
    memcpy(A, left, n * n * sizeof *A);
    for (int i = 0; i < MOST_PERIODS && !periodic_state_forgotten(A, n); i++) {
        for (size_t c = 0; c < n; c++)
            for (size_t r = 0; r < n; r++) {
                square[c * n + r] = 0;
                for (size_t k = 0; k < n; k++)
                    square[c * n + r] += A[k * n + r] * A[c * n + k];
            }
        memcpy(A, square, n * n * sizeof *A);
    }
    return periodic_state_forgotten(A, n);
}

/* The pivot row of column c: the one where it is largest relative to the rest of its row, as rows have
 * different units. */
static size_t pivot(const double *A, size_t n, size_t c)
{
    size_t best = c;
    double most = -1;
    for (size_t r = c; r < n; r++) {
        double row = 0;
        for (size_t k = c; k < n; k++)
            row = fmax(row, fabs(A[k * n + r]));
        if (row > 0 && fabs(A[c * n + r]) / row > most) {
            most = fabs(A[c * n + r]) / row;
            best = r;
        }
    }
    return best;
}

/* By elimination. */
void periodic_state_solve(const double *left, double *state, size_t n)
{
    double A[PERIODIC_STATE_MATRIX];
    for (size_t i = 0; i < n * n; i++)
        A[i] = (i % (n + 1) == 0) - left[i];
    for (size_t c = 0; c < n; c++) {
        size_t p = pivot(A, n, c);
        for (size_t k = 0; k <= n; k++) {
            double *at = k < n ? &A[k * n] : state, swap = at[c];
            at[c] = at[p];
            at[p] = swap;
        }
        for (size_t r = c + 1; r < n; r++) {
            double part = A[c * n + r] / A[c * n + c];
            for (size_t k = c; k < n; k++)
                A[k * n + r] -= part * A[k * n + c];
            state[r] -= part * state[c];
        }
    }
    for (size_t c = n; c-- > 0;) {
        state[c] /= A[c * n + c];
        for (size_t r = 0; r < c; r++)
            state[r] -= A[c * n + r] * state[c];
    }
}
