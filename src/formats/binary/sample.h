/* Samples: numbers as integers or floats of fixed width, in either order of bytes. Everything is inlined, so
 * that a loop over samples of one type has no branch on the type. */
#ifndef SPRUNG_FORMATS_BINARY_SAMPLE_H
#define SPRUNG_FORMATS_BINARY_SAMPLE_H

#include "number/word.h"

#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define SAMPLE_INLINE static inline __attribute__((always_inline))

/* How a sample holds its number. */
struct sample_type {
    char kind;      /* f: IEEE 754; i: in two's complement; u: without a sign; d: the F float of a VAX */
    unsigned width; /* bytes: 1, 2, 4 or 8 of an integer, 4 or 8 of f, 4 of d */
    bool big;       /* big-endian; not of d */
};

/* The words of 16 bits in the other order: those of a VAX F float become an IEEE float of four times the
 * number. Where the exponent is 0, a VAX float is 0. */
static inline uint32_t sample_swap(uint32_t bits)
{
    return bits << 16 | bits >> 16;
}

/* The number in a sample, as it is stored. */
SAMPLE_INLINE double sample_get(const unsigned char *at, struct sample_type type)
{
    const uint64_t word = word_get(at, type.width, type.big);
    const unsigned unused = 64 - 8 * type.width;
    const uint32_t low = type.kind == 'd' ? sample_swap((uint32_t)word) : (uint32_t)word;
    double x;
    float single;
    if (type.kind == 'u')
        return (double)word;
    if (type.kind == 'i')
        return (double)((int64_t)(word << unused) >> unused);
    memcpy(&single, &low, sizeof single);
    if (type.kind == 'd')
        return fabsf(single) < FLT_MIN ? 0 : (double)single / 4;
    memcpy(&x, &word, sizeof x);
    return type.width == 4 ? (double)single : x;
}

/* Stores a number in an integer of 1 or 2 bytes or a float, rounded to the nearest; NaN only in a float.
 * False: the number does not fit. */
SAMPLE_INLINE bool sample_put(unsigned char *at, struct sample_type type, double x)
{
    uint64_t word;
    uint32_t bits;
    x += 0; /* never -0 */
    if (type.width == sizeof x) {
        memcpy(&word, &x, sizeof word);
        word_put(at, word, type.width, type.big);
        return true;
    }
    if (type.kind == 'f' || type.kind == 'd') {
        const float rounded = (float)(type.kind == 'd' ? 4 * x : x);
        if (fabsf(rounded) > FLT_MAX)
            return false;
        memcpy(&bits, &rounded, sizeof bits);
        if (type.kind == 'd')
            bits = fabsf(rounded) < FLT_MIN ? 0 : sample_swap(bits);
    } else {
        const double span = 1 << (8 * type.width - (type.kind == 'i')), least = type.kind == 'i' ? -span : 0;
        x = nearbyint(x);
        if (!(x >= least && x < span))
            return false;
        bits = (uint32_t)(int32_t)x;
    }
    word_put(at, bits, type.width, type.big);
    return true;
}

#endif
