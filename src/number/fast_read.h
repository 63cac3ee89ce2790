/* Reads short numbers, [-]digits[.digits] in at most 15 bytes, as most files have them: inline and without a
 * loop. The result is that of number_read_decimal, bit for bit; any other text is refused, and
 * number_read_decimal reads it. Without SSE2 all texts are refused, or with SPRUNG_PLAIN, for tests. */
#ifndef SPRUNG_NUMBER_FAST_READ_H
#define SPRUNG_NUMBER_FAST_READ_H

#include "number/number.h"

#include <float.h>
#include <string.h>

struct number_short {
    uint64_t digits;   /* below 10^15: the number is +-digits / 10^after */
    uint64_t negative; /* 1 or 0 */
    unsigned after;
};

extern const double number_power_of_10[23]; /* exact */
extern uint64_t number_short_inverse[17];   /* of 5^k, modulo 2^64; made before main() */

enum { NUMBER_SHORT_BYTES = 17 }; /* bytes that may be read from the first byte of the number on */

/* number_read_decimal without the fast way for short numbers. */
const char *number_read_long(const char *p, const char *end, char point, double *x, struct number_decimal *d);

#if defined __SSE2__ && FLT_EVAL_METHOD == 0 && !defined SPRUNG_PLAIN

#include <emmintrin.h>

/* Ones in the first n bytes, n <= 16, zeros in the others. */
static inline __m128i number_short_mask(unsigned n)
{
    static const uint64_t ones[4] = { UINT64_MAX, UINT64_MAX, 0, 0 };
    return _mm_loadu_si128((const __m128i *)(const void *)((const char *)ones + 16 - n));
}

/* The number with the sixteen bytes of x, each below ten, as digits. They are joined to pairs, fours and
 * eights. */
static inline uint64_t number_short_join(__m128i x)
{
    const __m128i hundreds = _mm_set1_epi32(100 | 1 << 16), myriads = _mm_set1_epi32(10000 | 1 << 16);
    __m128i pairs = _mm_srli_epi16(_mm_mullo_epi16(x, _mm_set1_epi16(10 << 8 | 1)), 8);
    __m128i fours = _mm_madd_epi16(pairs, hundreds);
    uint64_t eights = (uint64_t)_mm_cvtsi128_si64(_mm_madd_epi16(_mm_packs_epi32(fours, fours), myriads));
    return (uint32_t)eights * (uint64_t)100000000 + (eights >> 32);
}

/* Reads the number at p like number_read; returns NULL also if it is not short. The caller must look for an
 * exponent behind it. NUMBER_SHORT_BYTES bytes from p on must be readable. A sign counts as a digit 0. The n
 * digits without the point are joined as the first of sixteen, to digits * 10^k; division by 2^k and
 * multiplication by the inverse of 5^k give the digits exactly. */
static inline const char *number_short_read(const char *p, char point, struct number_short *s)
{
    uint64_t negative = *p == '-';
    __m128i text = _mm_sub_epi8(_mm_loadu_si128((const __m128i *)(const void *)p), _mm_set1_epi8('0'));
    __m128i is_digit = _mm_cmpeq_epi8(_mm_min_epu8(text, _mm_set1_epi8(9)), text);
    unsigned others = (unsigned)_mm_movemask_epi8(is_digit) ^ (unsigned)(0x1ffff - negative);
    unsigned before = (unsigned)__builtin_ctz(others), length = before, n = before, after = 0;
    if (p[before] == point) {
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
    s->digits = (w >> (16 - n)) * number_short_inverse[16 - n];
    s->negative = negative;
    s->after = after;
    return p + length;
}

#else

static inline const char *number_short_read(const char *p, char point, struct number_short *s)
{
    (void)p, (void)point, (void)s;
    return NULL;
}

#endif

/* Digits and power of ten are both exact, so that only the division rounds: correctly. */
static inline double number_short_double(struct number_short s)
{
    static const double one[] = { 1, -1 };
    return (double)(int64_t)s.digits / number_power_of_10[s.after] * one[s.negative];
}

static inline struct number_decimal number_short_decimal(struct number_short s)
{
    int64_t digits = (int64_t)((s.digits ^ (0 - s.negative)) + s.negative);
    return (struct number_decimal){ digits, -(int)s.after, true };
}

#endif
