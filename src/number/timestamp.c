/* Times as exact decimals. See timestamp.h. */
#include "number/timestamp.h"

#include "number/fast_read.h"

__extension__ typedef __int128 int128;

/* x * 10^exp10; rounds once while x has at most 53 bits and |exp10| <= 22, where the powers are exact. */
static double scale(double x, int exp10)
{
    for (; exp10 < -22; exp10 += 22)
        x /= number_power_of_10[22];
    for (; exp10 > 22; exp10 -= 22)
        x *= number_power_of_10[22];
    return exp10 < 0 ? x / number_power_of_10[-exp10] : x * number_power_of_10[exp10];
}

double timestamp_difference(const struct timestamp *a, const struct timestamp *b, int unit)
{
    const struct number_decimal *p = &a->decimal, *q = &b->decimal;
    int apart = p->exp10 - q->exp10;
    if (!p->exact || !q->exact || apart > 18 || apart < -18)
        return scale(b->t - a->t, unit);
    int128 from = p->digits, to = q->digits;
    for (int i = apart; i > 0; i--)
        from *= 10;
    for (int i = apart; i < 0; i++)
        to *= 10;
    return scale((double)(to - from), (apart > 0 ? q->exp10 : p->exp10) + unit);
}

double timestamp_seconds(const struct timestamp *s, int unit)
{
    static const struct timestamp zero = { 0, { 0, 0, true } };
    return timestamp_difference(&zero, s, unit);
}

double timestamp_between(const struct timestamp *a, const struct timestamp *b, struct time_unit unit)
{
    double units = a ? timestamp_difference(a, b, unit.exp10) : timestamp_seconds(b, unit.exp10);
    return unit.rate > 0 ? units / unit.rate : units;
}

size_t timestamp_print(char *buf, const struct timestamp *s)
{
    return s->decimal.exact ? number_print_decimal(buf, &s->decimal, '.')
                            : number_print(buf, s->t, &number_shortest);
}
