/* Numbers with more digits than a double: the sum of two doubles. The same on every machine, as long double
 * is not.
 *
 * Exact products make this possible without fma: the head of a double has 26 bits, so the product of two
 * heads has at most 52 bits and is exact. Exact sums are those of Knuth and Dekker (Dekker, "A floating-point
 * technique for extending the available precision", 1971). */
#ifndef SPRUNG_NUMBER_PAIR_H
#define SPRUNG_NUMBER_PAIR_H

#include <math.h>
#include <stdint.h>
#include <string.h>

/* The number high + low, where low is small against high. */
struct pair {
    double high, low;
};

static inline struct pair pair_of(double x)
{
    return (struct pair){ x, 0 };
}

static inline struct pair pair_negative(struct pair a)
{
    return (struct pair){ -a.high, -a.low };
}

/* The first 26 bits of x. */
static inline double pair_head(double x)
{
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    bits &= ~(uint64_t)0x7ffffff;
    memcpy(&x, &bits, sizeof x);
    return x;
}

/* a + b, exactly. */
static inline struct pair pair_sum(double a, double b)
{
    double sum = a + b, part = sum - a;
    return (struct pair){ sum, (a - (sum - part)) + (b - part) };
}

/* a + b for |a| >= |b|, or a = 0. */
static inline struct pair pair_ordered_sum(double a, double b)
{
    double sum = a + b;
    return (struct pair){ sum, b - (sum - a) };
}

/* a + b, with an error below 2^-100 of the larger of both. */
static inline struct pair pair_total(struct pair a, struct pair b)
{
    struct pair sum = pair_sum(a.high, b.high);
    return pair_ordered_sum(sum.high, sum.low + (a.low + b.low));
}

/* a b, with a relative error below 2^-75. */
static inline struct pair pair_product(struct pair a, struct pair b)
{
    double a_head = pair_head(a.high), b_head = pair_head(b.high);
    double rest = a_head * (b.high - b_head) + (a.high - a_head) * b.high;
    return pair_ordered_sum(a_head * b_head, rest + (a.high * b.low + a.low * b.high));
}

/* a / b, with a relative error below 2^-74. */
static inline struct pair pair_quotient(struct pair a, struct pair b)
{
    double quotient = a.high / b.high;
    struct pair back = pair_product(pair_of(quotient), b);
    return pair_ordered_sum(quotient, ((a.high - back.high) - back.low + a.low) / b.high);
}

/* The square root of a >= 0, with a relative error below 2^-74. */
static inline struct pair pair_root(struct pair a)
{
    double root = sqrt(a.high);
    struct pair back = pair_product(pair_of(root), pair_of(root));
    return pair_ordered_sum(root, root > 0 ? ((a.high - back.high) - back.low + a.low) / (2 * root) : 0);
}

/* A whole number, |n| <= 2^62. */
static inline struct pair pair_of_integer(int64_t n)
{
    double high = (double)n;
    return (struct pair){ high, (double)(n - (int64_t)high) };
}

#endif
