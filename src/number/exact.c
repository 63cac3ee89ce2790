/* Exact integers of up to a few thousand bits, and the table of powers of ten. */
#include "number/exact.h"
#include "number/powers.h"

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

static void multiply_by_5_to(struct exact *a, int n)
{
    static const uint64_t five_to_27 = 7450580596923828125U;
    for (; n >= 27; n -= 27)
        exact_multiply(a, five_to_27, 0);
    for (; n > 0; n--)
        exact_multiply(a, 5, 0);
}

void exact_shift(struct exact *a, int bits)
{
    if (bits % 64)
        exact_multiply(a, (uint64_t)1 << bits % 64, 0);
    int limbs = bits / 64;
    memmove(a->limb + limbs, a->limb, (size_t)a->n * sizeof a->limb[0]);
    memset(a->limb, 0, (size_t)limbs * sizeof a->limb[0]);
    a->n += limbs;
}

uint64_t exact_divide(struct exact *a)
{
    uint64_t r = 0;
    for (int i = a->n - 1; i >= 0; i--) {
        uint64_t high = r << 32 | a->limb[i] >> 32;
        uint64_t low = (high % 100000000) << 32 | (a->limb[i] & 0xffffffff);
        a->limb[i] = (high / 100000000) << 32 | low / 100000000;
        r = low % 100000000;
    }
    while (a->n > 0 && a->limb[a->n - 1] == 0)
        a->n--;
    return r;
}

int exact_compare(struct exact *a, int q, uint64_t b, int e)
{
    struct exact right;
    exact_set(&right, b);
    if (q > 0)
        multiply_by_5_to(a, q);
    else
        multiply_by_5_to(&right, -q);
    if (q > e)
        exact_shift(a, q - e);
    else
        exact_shift(&right, e - q);
    if (a->n != right.n)
        return a->n < right.n ? -1 : 1;
    for (int i = a->n - 1; i >= 0; i--)
        if (a->limb[i] != right.limb[i])
            return a->limb[i] < right.limb[i] ? -1 : 1;
    return 0;
}
