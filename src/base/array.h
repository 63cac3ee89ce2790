/* Arrays that grow. */
#ifndef SPRUNG_BASE_ARRAY_H
#define SPRUNG_BASE_ARRAY_H

#include "base/error.h"

bool array_grow(void *array, size_t n, size_t *max, size_t size, struct error *e);

/* Makes room for n elements of size bytes in an array that has room for *max; its elements stay. array is the
 * address of the pointer to it, which may be NULL. Grows to twice n. e may be NULL. */
static inline bool array_reserve(void *array, size_t n, size_t *max, size_t size, struct error *e)
{
    return n <= *max || array_grow(array, n, max, size, e);
}

/* One of several arrays in one allocation. */
struct array_part {
    void *array; /* the address of the pointer to it */
    size_t n, size;
};
#define ARRAY(array, n)                                                                                      \
    (struct array_part)                                                                                      \
    {                                                                                                        \
        &(array), n, sizeof *(array)                                                                         \
    }

/* arrays_make(e, ARRAY(a, 3), ARRAY(b, n)) makes several arrays of zeroes in one allocation; free the first,
 * which frees all. On false memory is out, and they are as they were. e may be NULL. */
#define arrays_make(e, ...)                                                                                  \
    array_make_parts((const struct array_part[]){ __VA_ARGS__ },                                             \
                     sizeof((const struct array_part[]){ __VA_ARGS__ }) / sizeof(struct array_part), e)
bool array_make_parts(const struct array_part *part, size_t npart, struct error *e);

#endif
