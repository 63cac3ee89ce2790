/* Can the times of rows be what the user wants: do rows share times? Times are seconds by row. */
#ifndef SPRUNG_WHOLE_KINDS_CLOCK_H
#define SPRUNG_WHOLE_KINDS_CLOCK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The rows that have the time of the row before. */
size_t clock_count_shared(const double *time, size_t n);

/* Are the times of n rows too coarse: do too many have the time of the row before? */
bool clock_is_coarse(uint64_t nshared, size_t n);

/* Rows per second, of the rows between the first and the last change of the time; 0: not known. */
double clock_rate(const double *time, size_t n);

#endif
