/* Arrays that grow, several arrays in one allocation, arrays of numbers. */
#ifndef SPRUNG_BASE_ARRAY_H
#define SPRUNG_BASE_ARRAY_H

#include "base/error.h"

/* array_reserve where the array has no room for n elements. */
bool array_grow(void *array, size_t n, size_t *max, size_t size, struct error *e);

/* Makes room for n elements of size bytes each in a malloc'ed array. array is the address of the pointer to
 * the first element; this pointer may be NULL. *max is the number of elements that have room. If the array
 * moves, the elements move too, and the array gets room for at least 2 * n elements. False: out of memory,
 * and array and *max are as before; e may be NULL. */
static inline bool array_reserve(void *array, size_t n, size_t *max, size_t size, struct error *e)
{
    return n <= *max || array_grow(array, n, max, size, e);
}

/* One of several arrays in one allocation. */
struct array_part {
    void *array; /* the address of the pointer that receives the array */
    size_t n;    /* elements */
    size_t size; /* bytes of an element */
};
#define ARRAY(array, n)                                                                                      \
    (struct array_part)                                                                                      \
    {                                                                                                        \
        &(array), n, sizeof *(array)                                                                         \
    }

/* Makes several arrays of zeroes in one allocation: arrays_make(e, ARRAY(time, 3), ARRAY(value, n)) sets the
 * pointers time and value. Freeing the first array frees all of them. False: out of memory, and no pointer
 * has changed. e may be NULL. */
#define arrays_make(e, ...)                                                                                  \
    array_make_parts((const struct array_part[]){ __VA_ARGS__ },                                             \
                     sizeof((const struct array_part[]){ __VA_ARGS__ }) / sizeof(struct array_part), e)
bool array_make_parts(const struct array_part *part, size_t npart, struct error *e);

/* Are all n numbers finite? */
bool array_is_finite(const double *x, size_t n);

/* Adds n elements of `size` bytes to an allocation of *total bytes. Returns where they begin: at a multiple
 * of 8 bytes, as no element has a member of a wider alignment than double, int64_t or a pointer. */
size_t array_place(size_t *total, size_t n, size_t size);

#endif
