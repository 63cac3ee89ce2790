/* Arrays that grow. */
#ifndef SPRUNG_ARRAY_H
#define SPRUNG_ARRAY_H

#include "base/error.h"

bool array_grow(void *array, size_t n, size_t *max, size_t size, struct error *e);

/* Makes room for n elements of size bytes in an array that has room for *max; its elements stay. array is the
 * address of the pointer to it, which may be NULL. Grows to twice n. e may be NULL. */
static inline bool array_reserve(void *array, size_t n, size_t *max, size_t size, struct error *e)
{
    return n <= *max || array_grow(array, n, max, size, e);
}

#endif
