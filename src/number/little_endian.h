/* Eight bytes of memory as a number with the first byte as the lowest, on machines of either byte order. */
#ifndef SPRUNG_NUMBER_LITTLE_ENDIAN_H
#define SPRUNG_NUMBER_LITTLE_ENDIAN_H

#include <stdint.h>
#include <string.h>

/* Converts between x and the number whose first byte in memory is the lowest byte of x, in either
 * direction. */
static inline uint64_t little_endian(uint64_t x)
{
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ && !defined SPRUNG_PORT_FALLBACK
    return x;
#else
    unsigned char byte[sizeof x];
    memcpy(byte, &x, sizeof x);
    uint64_t result = 0;
    for (unsigned i = 0; i < sizeof x; i++)
        result |= (uint64_t)byte[i] << 8 * i;
    return result;
#endif
}

/* The number in 8 bytes of memory, the first byte the lowest. */
static inline uint64_t little_endian_load(const char *bytes)
{
    uint64_t x;
    memcpy(&x, bytes, sizeof x);
    return little_endian(x);
}

/* Stores x in 8 bytes of memory, the lowest byte first. */
static inline void little_endian_store(char *bytes, uint64_t x)
{
    x = little_endian(x);
    memcpy(bytes, &x, sizeof x);
}

#endif
