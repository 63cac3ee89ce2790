/* Used by read.c and print.c only: the parts of a double, powers of ten, and exact integers for the cases
 * that 128 bits do not decide. Other folders include number.h. */
#ifndef SPRUNG_NUMBER_EXACT_H
#define SPRUNG_NUMBER_EXACT_H

#include "number/little_endian.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#if defined __SSE2__ && !defined SPRUNG_PLAIN
#include <emmintrin.h>
#endif

__extension__ typedef unsigned __int128 uint128;

/* A finite double >= 0 is f * 2^e with f < 2^53, LEAST_EXPONENT <= e <= MOST_EXPONENT, and f >= 2^52 unless e
 * is LEAST_EXPONENT. The bits of the double are f + (e - LEAST_EXPONENT) * 2^52. The bits plus 1 are the next
 * double, also at a power of two. */
enum { LEAST_EXPONENT = -1074, MOST_EXPONENT = 971 };

static const uint64_t hidden_bit = (uint64_t)1 << 52;

/* 10^q = (hi * 2^64 + lo - d) * 2^(floor_log2_of_10_to(q) - 127) with hi >= 2^63 and 0 <= d < 1; d = 0 for q
 * from 0 to 55. */
struct power {
    uint64_t hi, lo;
};

enum { LEAST_POWER = -342, MOST_POWER = 340 };

extern struct power exact_powers[MOST_POWER - LEAST_POWER + 1]; /* computed before main() */

static inline struct power power_of_10(int q)
{
    return exact_powers[q - LEAST_POWER];
}

/* clang-format off */
static const uint64_t ten_to[20] = {
    1, 10, 100, 1000, 10000, 100000, 1000000, 10000000, 100000000, 1000000000, 10000000000, 100000000000,
    1000000000000, 10000000000000, 100000000000000, 1000000000000000, 10000000000000000, 100000000000000000,
    1000000000000000000, 10000000000000000000U
};
/* clang-format on */

/* tests/ref/number_table.py checks the next three functions for every argument that is used. */
static inline int floor_log2_of_10_to(int q)
{
    return (q * 1741647) >> 19;
}

static inline int floor_log10_of_2_to(int e)
{
    return (e * 1262611) >> 22;
}

static inline int floor_log10_of_three_quarters_of_2_to(int e)
{
    return (e * 1262611 - 524031) >> 22;
}

static const uint64_t zero_digits = 0x3030303030303030; /* "00000000" */

/* The greatest numbers that are compared have 770 digits, or are 5^1093 * 2^54: under 2600 bits. */
enum { EXACT_LIMBS = 48 };

struct exact {
    int n;                      /* limbs in use; 0: the number is 0 */
    uint64_t limb[EXACT_LIMBS]; /* sum of limb[i] * 2^(64 i); limb[n - 1] != 0 */
};

/* a = x */
void exact_set(struct exact *a, uint64_t x);

/* a = a * factor + term */
void exact_multiply(struct exact *a, uint64_t factor, uint64_t term);

/* The sign of a * 10^q - b * 2^e. Both products must be within a factor of two of each other, since other
 * products may not fit into struct exact. Overwrites *a. */
int exact_compare(struct exact *a, int q, uint64_t b, int e);

/* --- decimal digits as text, for print.c: eight digits in a word, with the first digit in the lowest byte.
 * Functions that return the length of a text may write up to 8 bytes after the text. --- */

/* A word with the eight decimal digits of x < 10^8, the first digit in the lowest byte. After Khuong, "How to
 * print integers really fast" (2017). */
static inline uint64_t split_digits(uint64_t x)
{
    uint64_t fours = x / 10000 | (x % 10000) << 32;
    uint64_t hundreds = (fours * 10486) >> 20 & 0x0000007f0000007f;
    uint64_t pairs = hundreds | (fours - hundreds * 100) << 16;
    uint64_t tens = (pairs * 103) >> 10 & 0x000f000f000f000f;
    return tens | (pairs - tens * 10) << 8;
}

struct digits16 {
    uint64_t first, last; /* the first eight and the last eight digits, as by split_digits */
};

/* The 16 decimal digits of x < 10^16. */
static inline struct digits16 split_16_digits(uint64_t x)
{
    uint64_t high = x / ten_to[8], low = x % ten_to[8];
#if defined __SSE2__ && !defined SPRUNG_PLAIN
    const __m128i myriad = _mm_set1_epi32(10000), hundred = _mm_set1_epi16(100), ten = _mm_set1_epi16(10);
    __m128i eights = _mm_set_epi64x((int64_t)low, (int64_t)high);
    __m128i quotients = _mm_srli_epi64(_mm_mul_epu32(eights, _mm_set1_epi32((int)0xd1b71759)),
                                       45); /* / 10^4 */
    __m128i fours = _mm_or_si128(quotients,
                                 _mm_slli_epi64(_mm_sub_epi64(eights, _mm_mul_epu32(quotients, myriad)), 32));
    quotients = _mm_srli_epi16(_mm_mulhi_epu16(fours, _mm_set1_epi16(5243)), 3); /* / 100 */
    __m128i pairs = _mm_or_si128(
        quotients, _mm_slli_epi32(_mm_sub_epi16(fours, _mm_mullo_epi16(quotients, hundred)), 16));
    quotients = _mm_mulhi_epu16(pairs, _mm_set1_epi16(6554)); /* / 10 */
    __m128i ones = _mm_or_si128(quotients,
                                _mm_slli_epi16(_mm_sub_epi16(pairs, _mm_mullo_epi16(quotients, ten)), 8));
    return (struct digits16){ (uint64_t)_mm_cvtsi128_si64(ones),
                              (uint64_t)_mm_cvtsi128_si64(_mm_srli_si128(ones, 8)) };
#else
    return (struct digits16){ split_digits(high), split_digits(low) };
#endif
}

/* Puts x < 10^8 without leading zeros. */
static inline size_t put_short(char *out, uint64_t x)
{
    uint64_t digits = split_digits(x);
    int skip = digits ? __builtin_ctzll(digits) / 8 : 7;
    little_endian_store(out, (digits + zero_digits) >> 8 * skip);
    return (size_t)(8 - skip);
}

/* Puts x without leading zeros. */
static inline size_t put_integer(char *out, uint64_t x)
{
    if (x < ten_to[8])
        return put_short(out, x);
    size_t written = put_integer(out, x / ten_to[8]);
    little_endian_store(out + written, split_digits(x % ten_to[8]) + zero_digits);
    return written + 8;
}

/* A word of text with the point after the first n < 8 digits; the last digit is pushed out. */
static inline uint64_t insert_point(uint64_t digits, int n, char point)
{
    uint64_t after = ~(uint64_t)0 << 8 * n;
    return (digits & ~after) | (uint64_t)(unsigned char)point << 8 * n | (digits & after) << 8;
}

/* Writes 16 digits, as text, with the point after the first n digits, if n < 16: up to 17 bytes. Both words
 * are stored one byte to the right, as for digits after the point, and then the digits before the point and
 * the point are stored over them. */
static inline void put_with_point(char *out, struct digits16 digits, int n, char point)
{
    little_endian_store(out + 1, digits.first);
    little_endian_store(out + 9, digits.last);
    little_endian_store(out, n < 8 ? insert_point(digits.first, n, point) : digits.first);
    if (n >= 8)
        little_endian_store(out + 8, n < 16 ? insert_point(digits.last, n - 8, point) : digits.last);
}

#endif
