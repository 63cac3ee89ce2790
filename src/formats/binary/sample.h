/* Samples: numbers as integers or floats of fixed width, in either order of bytes. Everything is inlined, so
 * that a loop over samples of one type has no branch on the type. */
#ifndef SPRUNG_FORMATS_BINARY_SAMPLE_H
#define SPRUNG_FORMATS_BINARY_SAMPLE_H

#include "formats/word.h"

#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define SAMPLE_INLINE static inline __attribute__((always_inline))

enum sample_type {
    SAMPLE_INT8,
    SAMPLE_UINT8,
    SAMPLE_INT16,
    SAMPLE_UINT16,
    SAMPLE_FLOAT,
    SAMPLE_FLOAT_DEC, /* the F float of a VAX, in DEC's words of 16 bits */
    SAMPLE_INT64      /* times; never stored */
};

static const struct {
    size_t width;       /* bytes of a sample */
    double least, most; /* least and largest integer; 0 for floats and SAMPLE_INT64 */
} sample_types[] = {
    [SAMPLE_INT8] = { 1, INT8_MIN, INT8_MAX },
    [SAMPLE_UINT8] = { 1, 0, UINT8_MAX },
    [SAMPLE_INT16] = { 2, INT16_MIN, INT16_MAX },
    [SAMPLE_UINT16] = { 2, 0, UINT16_MAX },
    [SAMPLE_FLOAT] = { 4, 0, 0 },
    [SAMPLE_FLOAT_DEC] = { 4, 0, 0 },
    [SAMPLE_INT64] = { 8, 0, 0 },
};

/* Bytes of a sample. */
static inline size_t sample_width(enum sample_type type)
{
    return sample_types[type].width;
}

/* Returns the number `flip`: byte i of a sample, counted from the least significant byte, is byte i ^ flip in
 * the file. A DEC float is two words of 16 bits, the more significant word first. */
SAMPLE_INLINE size_t sample_flip(enum sample_type type, bool big)
{
    if (type == SAMPLE_FLOAT_DEC)
        return 2;
    return big ? sample_types[type].width - 1 : 0;
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

/* The number in a sample, without scale, offset and divisor. */
SAMPLE_INLINE double sample_get(const unsigned char *at, enum sample_type type, bool big)
{
    if (type == SAMPLE_INT64)
        return (double)(int64_t)word_get(at, 8, big);
    size_t flip = sample_flip(type, big);
    uint32_t bits = at[flip];
    float x;
    if (sample_types[type].width > 1)
        bits |= (uint32_t)at[1 ^ flip] << 8;
    if (sample_types[type].width > 2)
        bits |= (uint32_t)at[2 ^ flip] << 16 | (uint32_t)at[3 ^ flip] << 24;
    memcpy(&x, &bits, sizeof x);
    if (type == SAMPLE_FLOAT)
        return (double)x;
    if (type == SAMPLE_FLOAT_DEC)
        return sample_dec(bits);
    if (type == SAMPLE_INT16)
        return (int16_t)bits;
    if (type == SAMPLE_INT8)
        return (int8_t)bits;
    return bits;
}

/* Stores a number, rounded to the nearest integer or float. False: the number does not fit. */
SAMPLE_INLINE bool sample_put(unsigned char *at, enum sample_type type, bool big, double x)
{
    uint32_t bits;
    if (type == SAMPLE_INT64)
        return false;
    if (type >= SAMPLE_FLOAT) {
        const float most = type == SAMPLE_FLOAT ? FLT_MAX : 0x1.fffffep126f;
        float rounded = (float)x + 0; /* never -0 */
        if (!(fabsf(rounded) <= most))
            return false;
        /* A VAX has 2 more in the exponent than IEEE 754: the bits of 4 x, which is too large for a float
         * where x is large. Numbers without a normal exponent become 0. */
        bool small = type == SAMPLE_FLOAT_DEC && fabs(x) < 1;
        if (small)
            rounded = (float)(4 * x) + 0;
        memcpy(&bits, &rounded, sizeof bits);
        if (type == SAMPLE_FLOAT_DEC)
            bits = !(bits & 0x7F800000) ? 0 : small ? bits : bits + (2U << 23);
    } else {
        x = nearbyint(x);
        if (!(x >= sample_types[type].least && x <= sample_types[type].most))
            return false;
        bits = (uint32_t)(int32_t)x;
    }
    for (size_t i = 0, flip = sample_flip(type, big); i < 4 && i < sample_types[type].width; i++)
        at[i ^ flip] = (unsigned char)(bits >> 8 * i);
    return true;
}

#endif
