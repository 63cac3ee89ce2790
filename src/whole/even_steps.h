/* Times that are even but for the rounding of their last decimal, or to float32. */
#ifndef SPRUNG_WHOLE_EVEN_STEPS_H
#define SPRUNG_WHOLE_EVEN_STEPS_H

#include <stddef.h>

/* The step, in seconds, of an even grid with which n times agree: each time is at most half a unit in its
 * last place from the grid. The last place is the last decimal of the steps T, if all steps are exact in at
 * most 9 decimals; where all times are numbers of float32, or numbers of float32 in print (6 to 9 digits),
 * the last place is the last bit of a float32. NaN: no even grid agrees, or n < 5. T: [n] seconds, > 0; T[0]
 * is not used. time: [n] the times in the unit in which they were stored; NULL: not known, only decimals are
 * tried. */
double even_steps_find(const double *T, const double *time, size_t n);

/* The step of the whole number of steps a second that is nearest to those of this step. */
double even_steps_of_rate(double step);

#endif
