/* Arrays that grow. */
#include "base/array.h"

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
