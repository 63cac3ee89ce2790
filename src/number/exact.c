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
    for (int k; n > 0; n -= k) {
        k = n < 19 ? n : 19;
        exact_multiply(a, ten_to[k] >> k, 0);
    }
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
    uint128 r = 0;
    for (int i = a->n - 1; i >= 0; i--) {
        r = r % ten_to[8] << 64 | a->limb[i];
        a->limb[i] = (uint64_t)(r / ten_to[8]);
    }
    while (a->n > 0 && a->limb[a->n - 1] == 0)
        a->n--;
    return (uint64_t)(r % ten_to[8]);
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
