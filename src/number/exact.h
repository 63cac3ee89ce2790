/* What reading and printing of numbers share: the shape of doubles, powers of ten, and exact integers for
 * what 128 bits leave undecided. For number_read.c and number_print.c only; everyone else sees number.h. */
#ifndef SPRUNG_EXACT_H
#define SPRUNG_EXACT_H

#include <stdint.h>

__extension__ typedef unsigned __int128 uint128;

/* A double is f * 2^e, f < 2^53, LEAST_EXPONENT <= e <= MOST_EXPONENT, f >= 2^52 unless e is the least. Its
 * bits are f + (e - LEAST_EXPONENT) * 2^52: one more is the next double, also at a power of two. */
enum { LEAST_EXPONENT = -1074, MOST_EXPONENT = 971 };

static const uint64_t hidden_bit = (uint64_t)1 << 52;

/* 10^q = (hi * 2^64 + lo - d) * 2^(floor_log2_of_10_to(q) - 127), hi >= 2^63, 0 <= d < 1, d = 0 in 0..55. */
struct power {
    uint64_t hi, lo;
};

enum { LEAST_POWER = -342, MOST_POWER = 340 };

extern const struct power exact_powers[MOST_POWER - LEAST_POWER + 1];

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

/* These three are checked over the whole range of their arguments by tests/ref/number_table.py. */
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

static inline int leading_zeros(uint64_t x)
{
    return __builtin_clzll(x);
}

/* As words of text are stored: the first byte lowest. */
static inline uint64_t little_endian(uint64_t x)
{
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    return __builtin_bswap64(x);
#else
    return x;
#endif
}

static const uint64_t zero_digits = 0x3030303030303030; /* "00000000" */

/* The greatest number compared has 770 digits, or is 5^1093 * 2^54: under 2600 bits. */
enum { EXACT_LIMBS = 48 };

struct exact {
    int n;
    uint64_t limb[EXACT_LIMBS]; /* least first; limb[n - 1] != 0 */
};

void exact_set(struct exact *a, uint64_t x);

/* a = a * factor + term */
void exact_multiply(struct exact *a, uint64_t factor, uint64_t term);

/* a = a * 2^bits */
void exact_shift(struct exact *a, int bits);

/* a = a / 10^8; returns the remainder */
uint64_t exact_divide(struct exact *a);

/* The sign of a * 10^q - b * 2^e; a is used up. They must be within a factor of two, or they do not fit. */
int exact_compare(struct exact *a, int q, uint64_t b, int e);

#endif
