/* The state of a linear filter whose targets repeat themselves: the state at the beginning of a period that
 * the filter has again at the end of the period. A period that begins with state s ends with A s + b: A is
 * the transition matrix of the period, and b the end of a period that began with state 0. A matrix of n x n
 * is stored by columns, n <= FILTER_MAXSTATE: column i is the state at the end if double i of the state was 1
 * at the beginning, all others 0, and every target 0. Doubles of a state may have different units. */
#ifndef SPRUNG_WHOLE_PERIODIC_STATE_H
#define SPRUNG_WHOLE_PERIODIC_STATE_H

#include <stdbool.h>
#include <stddef.h>

/* Does the matrix leave nothing of a state, but for rounding? */
bool periodic_state_forgotten(const double *matrix, size_t n);

/* Does the filter forget within some 67 million periods? After that many, rounding errors are about 1e-9 of
 * the range of the targets. */
bool periodic_state_comes_to_rest(const double *matrix, size_t n);

/* Sets state[n], which is b on entry, to the solution s of (I - A) s = b. */
void periodic_state_solve(const double *matrix, double *state, size_t n);

#endif
