/* Arrays that grow. */
#include "base/array.h"

#include <stdint.h>
#include <stdlib.h>

enum { LEAST = 16 };

bool array_grow(void *array, size_t n, size_t *max, size_t size, struct error *e)
{
    void **p = array;
    size_t more = n < LEAST / 2 ? LEAST : 2 * n;
    void *grown = n <= SIZE_MAX / 2 / size ? realloc(*p, more * size) : NULL;
    if (!grown)
        return e ? error_memory(e) : false;
    *p = grown;
    *max = more;
    return true;
}

enum { PART_UNIT = 16 }; /* bytes: keeps every part aligned */

static size_t units(const struct array_part *part)
{
    return part->n * part->size / PART_UNIT + 1;
}

bool array_make_parts(const struct array_part *part, size_t npart, struct error *e)
{
    size_t n = 0;
    bool fits = true;
    for (size_t i = 0; i < npart; i++) {
        fits = fits && part[i].n <= SIZE_MAX / part[i].size && units(&part[i]) <= SIZE_MAX / PART_UNIT - n;
        n += units(&part[i]);
    }
    char *at = fits ? calloc(n, PART_UNIT) : NULL;
    if (!at)
        return e ? error_memory(e) : false;
    for (size_t i = 0; i < npart; i++) {
        *(void **)part[i].array = at;
        at += units(&part[i]) * PART_UNIT;
    }
    return true;
}

size_t array_place(size_t *total, size_t n, size_t size)
{
    enum { UNIT = 8 };
    size_t at = *total;
    *total += (n * size + UNIT - 1) / UNIT * UNIT;
    return at;
}

bool array_is_finite(const double *x, size_t n)
{
    enum { LANES = 8 }; /* sums side by side; x - x is not 0 where x is not finite */
    double sum[LANES] = { 0 }, all = 0;
    size_t i = 0;
    for (; i + LANES <= n; i += LANES)
#pragma GCC unroll 8
        for (size_t k = 0; k < LANES; k++)
            sum[k] += x[i + k] - x[i + k];
    for (; i < n; i++)
        all += x[i] - x[i];
    for (size_t k = 0; k < LANES && n >= LANES; k++)
        all += sum[k];
    return all == 0;
}
