/* Reads short numbers, [-]digits[.digits] in at most 15 bytes, as most numbers in files are, inline and
 * without a loop. The result equals the result of number_read_decimal bit for bit. Other texts are refused,
 * and the caller falls back on number_read_decimal. Every text is refused without SSE2, and, for tests, with
 * SPRUNG_PLAIN. */
#ifndef SPRUNG_NUMBER_FAST_READ_H
#define SPRUNG_NUMBER_FAST_READ_H

#include "number/number.h"

#include <float.h>
#include <string.h>

struct number_short {
    uint64_t digits;   /* below 10^15; |number| = digits / 10^after */
    uint64_t negative; /* 1: the number is negative; 0: not */
    unsigned after;    /* digits after the point */
};

extern uint64_t number_short_inverse[17]; /* [k]: inverse of 5^k modulo 2^64; computed before main() */

enum { NUMBER_SHORT_BYTES = 17 }; /* bytes that are read, counted from the first byte of the number */

#if defined __SSE2__ && FLT_EVAL_METHOD == 0 && !defined SPRUNG_PLAIN

#include <emmintrin.h>

/* All bits 1 in the first n bytes, n <= 16, and all bits 0 in later bytes. */
static inline __m128i number_short_mask(unsigned n)
{
    static const uint64_t ones[4] = { UINT64_MAX, UINT64_MAX, 0, 0 };
    return _mm_loadu_si128((const __m128i *)(const void *)((const char *)ones + 16 - n));
}

/* The number whose decimal digits are the sixteen bytes of x, every byte below ten. Digits are joined to
 * pairs, pairs to fours, and fours to eights. */
static inline uint64_t number_short_join(__m128i x)
{
    const __m128i hundreds = _mm_set1_epi32(100 | 1 << 16), myriads = _mm_set1_epi32(10000 | 1 << 16);
    __m128i pairs = _mm_srli_epi16(_mm_mullo_epi16(x, _mm_set1_epi16(10 << 8 | 1)), 8);
    __m128i fours = _mm_madd_epi16(pairs, hundreds);
    uint64_t eights = (uint64_t)_mm_cvtsi128_si64(_mm_madd_epi16(_mm_packs_epi32(fours, fours), myriads));
    return (uint32_t)eights * (uint64_t)100000000 + (eights >> 32);
}

/* Reads the number at `next`. Returns the first byte after the number; NULL: no number begins at `next`, or
 * the number is not short. The caller must look for an exponent after the number. NUMBER_SHORT_BYTES bytes
 * from `next` on must be readable.
 *
 * A sign counts as a digit 0. The n digits without the point are joined as the first n of sixteen digits,
 * which gives digits * 10^k with k = 16 - n; division by 2^k and multiplication by the inverse of 5^k modulo
 * 2^64 give the digits exactly. */
static inline const char *number_short_read(const char *next, char point, struct number_short *number_short)
{
    uint64_t negative = *next == '-';
    __m128i text = _mm_sub_epi8(_mm_loadu_si128((const __m128i *)(const void *)next), _mm_set1_epi8('0'));
    __m128i is_digit = _mm_cmpeq_epi8(_mm_min_epu8(text, _mm_set1_epi8(9)), text);
    unsigned others = (unsigned)_mm_movemask_epi8(is_digit) ^ (unsigned)(0x1ffff - negative);
    unsigned before = (unsigned)__builtin_ctz(others), length = before, n = before, after = 0;
    if (next[before] == point) {
        length = (unsigned)__builtin_ctz((others & (others - 1)) | 0x10000);
        n = length - 1;
        after = n - before;
    }
    if (length == 16 || n == negative)
        return NULL;
    __m128i digits = _mm_and_si128(text, is_digit), first = number_short_mask(before),
            all = number_short_mask(n);
    __m128i moved = _mm_and_si128(_mm_andnot_si128(first, _mm_srli_si128(digits, 1)), all);
    uint64_t w = number_short_join(_mm_or_si128(_mm_and_si128(digits, first), moved));
    number_short->digits = (w >> (16 - n)) * number_short_inverse[16 - n];
    number_short->negative = negative;
    number_short->after = after;
    return next + length;
}

#else

static inline const char *number_short_read(const char *next, char point, struct number_short *number_short)
{
    (void)next, (void)point, (void)number_short;
    return NULL;
}

#endif

/* The double nearest to the number. The digits and the power of ten are exact doubles, so only the division
 * rounds. */
static inline double number_short_double(struct number_short number)
{
    static const double sign[] = { 1, -1 };
    return (double)(int64_t)number.digits / number_power_of_10[number.after] * sign[number.negative];
}

static inline struct number_decimal number_short_decimal(struct number_short number)
{
    /* -digits for negative = 1, digits for negative = 0, without a branch */
    int64_t digits = (int64_t)((number.digits ^ (0 - number.negative)) + number.negative);
    return (struct number_decimal){ digits, -(int)number.after, true };
}

#endif
