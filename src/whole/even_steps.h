/* Times that are even but for the rounding of their last decimal. */
#ifndef SPRUNG_WHOLE_EVEN_STEPS_H
#define SPRUNG_WHOLE_EVEN_STEPS_H

#include <stddef.h>

/* The step of an even grid with which n times agree: with the times rounded to the decimals in which the
 * steps T are exact, each time is at most half a unit of the last decimal from the grid. NaN: no even grid
 * agrees, the steps have more than 9 decimals, or n < 5. T: [n] seconds, > 0; T[0] is not used. */
double even_steps_find(const double *T, size_t n);

#endif
