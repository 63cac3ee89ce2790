/* The state of a linear filter whose input repeats itself: at the end of a period it is what it was at the
 * beginning, and so the solution of a few equations. What some rows leave of a state of n doubles is a
 * matrix: column i, of double i. */
#ifndef SPRUNG_OFFLINE_PERIODIC_STATE_H
#define SPRUNG_OFFLINE_PERIODIC_STATE_H

#include "filters/filter.h"

enum { PERIODIC_STATE_MATRIX = FILTER_MAXSTATE * FILTER_MAXSTATE };

/* Is nothing left? */
bool periodic_state_forgotten(const double *left, size_t n);

/* Is nothing left after as many periods as the state can be computed for? */
bool periodic_state_rests(const double *left, size_t n);

/* A period that began with the state 0 ended with `state`, and of a state s it leaves A s. Solves (I - A) s =
 * state for the periodic state s. */
void periodic_state_solve(const double *left, double *state, size_t n);

#endif
