/* Whole numbers of 1 to 8 bytes in a file, in either order of bytes. Compilers turn the loops into a single
 * load or store where n is a constant. */
#ifndef SPRUNG_FORMATS_WORD_H
#define SPRUNG_FORMATS_WORD_H

#include <stdbool.h>
#include <stdint.h>

/* The unsigned number in n bytes. */
static inline uint64_t word_get(const unsigned char *from, unsigned n, bool big_endian)
{
    uint64_t x = 0;
#pragma GCC unroll 8
    for (unsigned i = 0; i < n; i++)
        x |= (uint64_t)from[big_endian ? n - 1 - i : i] << 8 * i;
    return x;
}

/* Writes the low n bytes of x. */
static inline void word_put(unsigned char *to, uint64_t x, unsigned n, bool big_endian)
{
#pragma GCC unroll 8
    for (unsigned i = 0; i < n; i++)
        to[i] = (unsigned char)(x >> 8 * (big_endian ? n - 1 - i : i));
}

#endif
