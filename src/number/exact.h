/* Used by read.c and print.c only: the parts of a double, powers of ten, and exact integers for the cases
 * that 128 bits do not decide. Other folders include number.h. */
#ifndef SPRUNG_NUMBER_EXACT_H
#define SPRUNG_NUMBER_EXACT_H

#include "number/word.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

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

#endif
