/* Is a number such as -9999 a missing value in a column? */
#ifndef SPRUNG_WHOLE_KINDS_SENTINEL_H
#define SPRUNG_WHOLE_KINDS_SENTINEL_H

#include <stdbool.h>
#include <stddef.h>

/* Does x, which is not 0, mean a missing value by custom: a few nines, 65535, -1, a whole number far below 0?
 */
bool sentinel_is_usual(double x);

/* Do the n columns value[k][nrow], at most 4, jump to x and back, always together? */
bool sentinel_in(const double *const *value, size_t n, size_t nrow, double x);

#endif
