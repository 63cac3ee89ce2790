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
    char kind; /* f: IEEE 754; i: in two's complement; u: without a sign; d: the F float of a VAX, two words
                  of 16 bits, the more significant first */
    unsigned width; /* bytes: 1, 2, 4 or 8 of an integer, 4 or 8 of f, 4 of d */
    bool big;       /* big-endian; not of d */
};

/* The floats of glTF and FBX. */
#define SAMPLE_FLOAT ((struct sample_type){ 'f', 4, false })

/* The words of a VAX float in the other order. */
static inline uint32_t sample_swap(uint32_t bits)
{
    return bits << 16 | bits >> 16;
}

/* VAX Architecture Reference Manual, F_floating: a sign, 8 bits of an exponent with an excess of 128, and 23
 * bits of a fraction 0.1...; an exponent of 0 means 0, or, with the sign, no number. */
static inline double sample_dec(uint32_t bits)
{
    int exponent = bits >> 23 & 255;
    bool negative = bits >> 31;
    if (exponent == 0)
        return negative ? (double)NAN : 0;
    double magnitude = ldexp(0x800000 | (bits & 0x7FFFFF), exponent - 128 - 24);
    return negative ? -magnitude : magnitude;
}

/* The number in a sample, as it is stored. */
SAMPLE_INLINE double sample_get(const unsigned char *at, struct sample_type type)
{
    const uint64_t word = word_get(at, type.width, type.big);
    const unsigned unused = 64 - 8 * type.width;
    const uint32_t low = (uint32_t)word;
    double x;
    float single;
    if (type.kind == 'u')
        return (double)word;
    if (type.kind == 'i')
        return (double)((int64_t)(word << unused) >> unused);
    if (type.kind == 'd')
        return sample_dec(sample_swap(low));
    memcpy(&single, &low, sizeof single);
    memcpy(&x, &word, sizeof x);
    return type.width == 4 ? (double)single : x;
}

/* Stores a number in an integer of 1 or 2 bytes or a float of 4, rounded to the nearest. False: the number
 * does not fit. */
SAMPLE_INLINE bool sample_put(unsigned char *at, struct sample_type type, double x)
{
    uint32_t bits;
    if (type.kind == 'f' || type.kind == 'd') {
        const float most = type.kind == 'f' ? FLT_MAX : 0x1.fffffep126f;
        float rounded = (float)x + 0; /* never -0 */
        if (!(fabsf(rounded) <= most))
            return false;
        /* A VAX has 2 more in the exponent than IEEE 754: the bits of 4 x, which is too large for a float
         * where x is large. Numbers without a normal exponent become 0. */
        bool small = type.kind == 'd' && fabs(x) < 1;
        if (small)
            rounded = (float)(4 * x) + 0;
        memcpy(&bits, &rounded, sizeof bits);
        if (type.kind == 'd') {
            const uint32_t four = small ? bits : bits + (2U << 23); /* of 4 x */
            bits = sample_swap(bits & 0x7F800000 ? four : 0);
        }
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
