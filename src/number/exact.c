/* Exact integers of up to a few thousand bits, and the table of powers of ten. */
#include "number/exact.h"
#include "number/fast_read.h"

#include <stdlib.h>

void exact_set(struct exact *a, uint64_t x)
{
    a->n = x != 0;
    a->limb[0] = x;
}

void exact_multiply(struct exact *a, uint64_t factor, uint64_t term)
{
    uint64_t carry = term;
    for (int i = 0; i < a->n; i++) {
        uint128 t = (uint128)a->limb[i] * factor + carry;
        a->limb[i] = (uint64_t)t;
        carry = (uint64_t)(t >> 64);
    }
    if (carry)
        a->limb[a->n++] = carry;
}

/* a = a * 2^bits */
static void exact_shift(struct exact *a, int bits)
{
    if (bits % 64)
        exact_multiply(a, (uint64_t)1 << bits % 64, 0);
    int limbs = bits / 64;
    memmove(a->limb + limbs, a->limb, (size_t)a->n * sizeof a->limb[0]);
    memset(a->limb, 0, (size_t)limbs * sizeof a->limb[0]);
    a->n += limbs;
}

/* a = a / divisor, rounded down; divisor >= 1 */
static void exact_divide(struct exact *a, uint64_t divisor)
{
    uint128 r = 0;
    for (int i = a->n - 1; i >= 0; i--) {
        r = r % divisor << 64 | a->limb[i];
        a->limb[i] = (uint64_t)(r / divisor);
    }
    while (a->n > 0 && a->limb[a->n - 1] == 0)
        a->n--;
}

/* --- powers of ten, without their powers of two --- */

struct power exact_powers[MOST_POWER - LEAST_POWER + 1];
uint64_t number_short_inverse[17];

/* The first 128 bits of a, beginning with the highest bit that is 1, rounded up. a has at least 3 limbs.
 * more: the true number has bits below the lowest bit of a. */
static struct power leading_bits(const struct exact *a, bool more)
{
    const uint64_t *limb = a->limb + a->n - 3;
    int left = __builtin_clzll(limb[2]);
    uint128 high = (uint128)limb[2] << 64 | limb[1], bits = high << left | (limb[0] >> (63 - left)) >> 1;
    more |= (limb[0] << left) != 0;
    for (int i = 0; i < a->n - 3; i++)
        more |= a->limb[i] != 0;
    bits += more;
    return (struct power){ (uint64_t)(bits >> 64), (uint64_t)bits };
}

/* Runs before main() and takes a tenth of a millisecond. Quotients are rounded down, and floor(floor(x / 5) /
 * 5) = floor(x / 25), so the error does not grow. */
__attribute__((constructor)) static void make_powers(void)
{
    struct exact power;
    exact_set(&power, 1);
    exact_shift(&power, 2 * 64);
    for (int q = 0; q <= MOST_POWER; q++) {
        exact_powers[q - LEAST_POWER] = leading_bits(&power, false);
        exact_multiply(&power, 5, 0);
    }
    exact_set(&power, 1);
    exact_shift(&power, 15 * 64); /* 5^-LEAST_POWER has 795 bits */
    for (int q = -1; q >= LEAST_POWER; q--) {
        exact_divide(&power, 5);
        exact_powers[q - LEAST_POWER] = leading_bits(&power, true);
    }
    number_short_inverse[0] = 1;
    for (int k = 1; k < 17; k++)
        number_short_inverse[k] = number_short_inverse[k - 1] *
                                  0xcccccccccccccccd; /* 0xcccccccccccccccd * 5 = 1 modulo 2^64 */
}

int exact_compare(struct exact *a, int q, uint64_t b, int e)
{
    struct exact right;
    exact_set(&right, b);
    for (int k, n = abs(q); n > 0; n -= k) {
        k = n < 19 ? n : 19;
        exact_multiply(q > 0 ? a : &right, ten_to[k] >> k, 0);
    }
    exact_shift(q > e ? a : &right, abs(q - e));
    if (a->n != right.n)
        return a->n < right.n ? -1 : 1;
    for (int i = a->n - 1; i >= 0; i--)
        if (a->limb[i] != right.limb[i])
            return a->limb[i] < right.limb[i] ? -1 : 1;
    return 0;
}
