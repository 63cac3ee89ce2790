/* Whole numbers of 1 to 8 bytes in memory, in either order of bytes, on machines of either order. */
#ifndef SPRUNG_NUMBER_WORD_H
#define SPRUNG_NUMBER_WORD_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

/* Converts between x and the number whose first byte in memory is the lowest byte of x. */
static inline uint64_t word_swap(uint64_t x)
{
    return __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ ? x : __builtin_bswap64(x);
}

/* The unsigned number in n bytes. */
static inline uint64_t word_get(const void *from, unsigned n, bool big_endian)
{
    uint64_t x = 0;
    memcpy(&x, from, n);
    x = word_swap(x);
    return big_endian ? __builtin_bswap64(x) >> (64 - 8 * n) : x;
}

/* Writes the low n bytes of x. */
static inline void word_put(void *to, uint64_t x, unsigned n, bool big_endian)
{
    x = word_swap(big_endian ? __builtin_bswap64(x) >> (64 - 8 * n) : x);
    memcpy(to, &x, n);
}

#endif
