/* Times as exact decimals. See stamp.h. */
#include "number/timestamp.h"

__extension__ typedef __int128 int128;

static const double power[] = { 1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
                                1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22 };

/* x * 10^exp10; rounds once while x has at most 53 bits and |exp10| <= 22, where the powers are exact. */
static double scale(double x, int exp10)
{
    for (; exp10 < -22; exp10 += 22)
        x /= power[22];
    for (; exp10 > 22; exp10 -= 22)
        x *= power[22];
    return exp10 < 0 ? x / power[-exp10] : x * power[exp10];
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

static void print(const struct timestamp *s, char *text)
{
    text[s->decimal.exact ? number_print_decimal(text, &s->decimal, '.')
                          : number_print(text, s->t, &number_shortest)] = 0;
}

bool timestamp_backward(const struct timestamp *before, const struct timestamp *now, const char *column, bool grouped,
                    struct error *e)
{
    char a[NUMBER_MAX + 1], b[NUMBER_MAX + 1];
    print(before, a);
    print(now, b);
    error_data(e, "time goes backward: %s after %s", b, a);
    error_column(e, column);
    return error_hint(e, "%s; to number the rows use --rate HZ",
                      grouped ? "the rows of a group stand in the order of their times"
                              : "for several series in one file use --group-by COLUMN");
}
