/* Do rows share times? Is a column of numbers a count of rows, or another clock, rather than motion? */
#ifndef SPRUNG_WHOLE_KINDS_CLOCK_H
#define SPRUNG_WHOLE_KINDS_CLOCK_H

#include <stdbool.h>
#include <stddef.h>

enum { CLOCK_LEAST = 8 /* fewest rows that show a count or a clock */ };

/* The rows that have the time of the row before. */
size_t clock_count_shared(const double *time, size_t n);

/* Are the times of n rows too coarse: do too many have the time of the row before? */
bool clock_is_coarse(size_t nshared, size_t n);

/* Rows per second, of the rows between the first and the last change of the time; 0: not known, as where a
 * time goes backward. time: in seconds. */
double clock_rate(const double *time, size_t n);

/* The step by which a column rises from row to row, as counts (1) and the times of rows at an even rate do,
 * to within the last digit of its numbers; 0: it does not. Number i is number[i * stride]. */
double clock_step(const double *number, size_t stride, size_t n);

#endif
