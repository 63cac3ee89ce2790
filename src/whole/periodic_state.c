/* Powers of a transition matrix, and a few linear equations. See periodic_state.h. */
#include "whole/periodic_state.h"

#include "springs/filter.h"

/* 2^26 periods are enough for a filter that remembers about a million periods to forget. Rounding errors grow
 * with the number of periods. */
enum { MOST_PERIODS = 26 };

#define FORGOTTEN 0x1p-140 /* the square of the part of a state that counts as nothing */

/* The product of two elements that mirror each other across the diagonal has no unit. */
bool periodic_state_forgotten(const double *matrix, size_t n)
{
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j <= i; j++)
            if (!(fabs(matrix[i * n + j] * matrix[j * n + i]) < FORGOTTEN))
                return false;
    return true;
}

/* The matrix of a period is squared in every round. */
bool periodic_state_comes_to_rest(const double *matrix, size_t n)
{
    double A[FILTER_MAXSTATE * FILTER_MAXSTATE], square[FILTER_MAXSTATE * FILTER_MAXSTATE];
    memcpy(A, matrix, n * n * sizeof *A);
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

/* The pivot row of column c: the row whose element in column c is largest relative to the rest of the row, as
 * rows have different units. */
static size_t find_pivot(const double *A, size_t n, size_t c)
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

/* Elimination with row pivots. */
void periodic_state_solve(const double *matrix, double *state, size_t n)
{
    double A[FILTER_MAXSTATE * FILTER_MAXSTATE];
    for (size_t i = 0; i < n * n; i++)
        A[i] = (i % (n + 1) == 0) - matrix[i];
    for (size_t c = 0; c < n; c++) {
        size_t pivot = find_pivot(A, n, c);
        for (size_t k = 0; k <= n; k++) {
            double *at = k < n ? &A[k * n] : state, swap = at[c];
            at[c] = at[pivot];
            at[pivot] = swap;
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
