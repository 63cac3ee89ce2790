/* Each function works in three steps. A table brings the argument near a point where the function is simple:
 * what is left of it is at most 2^-6. There a few terms of the Taylor series are enough, and all but the
 * first are so small that rounding them does no harm. The first terms are added as pairs of doubles. */
#include "number/elementary.h"

#include "number/pair.h"

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

__extension__ typedef unsigned __int128 uint128;

#include "number/elementary_tables.h"

static inline uint64_t bits_of(double x)
{
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

static inline double of_bits(uint64_t bits)
{
    double x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

/* The nearest integer, |x| < 2^51: at 2^52 and above doubles have no fraction. */
static inline double nearest(double x)
{
    return (x + 0x1.8p52) - 0x1.8p52;
}

/* x 2^power, -2000 < power < 2000. */
static double scaled(double x, int power)
{
    int half = power / 2;
    return x * of_bits((uint64_t)(1023 + half) << 52) * of_bits((uint64_t)(1023 + power - half) << 52);
}

/* --- exp, expm1, log, log1p, log10, pow --- */

/* Beyond it exp overflows, or is 0. */
static const double most_exponent = 800;

/* exp(x + low) without the factor 2^*power, |x| <= most_exponent. The high part is from 1 to 2. */
static struct pair exp_mantissa(double x, double low, int *power)
{
    double n = nearest(x * steps_of_exp[0]);
    struct pair r = pair_sum(x - n * exp_step[0], low - n * exp_step[1]); /* at most 2^-8.5 */
    int64_t step = (int64_t)n;
    const struct pair *table = &two_to[step & 127];
    *power = (int)((step - (step & 127)) / 128);

    double x1 = r.high, x1_head = pair_head(x1);
    double series = x1 * x1 * (1. / 2 + x1 * (1. / 6 + x1 * (1. / 24 + x1 * (1. / 120 + x1 * (1. / 720)))));
    double beyond = r.low + series;
    struct pair sum = pair_ordered_sum(table->high, table->high * x1_head);
    sum.low += table->high * (x1 - x1_head + beyond) + table->low * (1 + x1 + beyond);
    return sum;
}

/* exp(x + low) */
static double exp_of_pair(double x, double low)
{
    if (isnan(x))
        return x;
    if (fabs(x) > most_exponent)
        return x > 0 ? HUGE_VAL : 0;
    int power;
    struct pair mantissa = exp_mantissa(x, low, &power);
    return scaled(mantissa.high + mantissa.low, power);
}

double elementary_exp(double x)
{
    return exp_of_pair(x, 0);
}

double elementary_expm1(double x)
{
    if (fabs(x) < 0x1p-54)
        return x;
    if (fabs(x) < 0x1p-5) {
        double x_head = pair_head(x), square = x_head * x_head / 2;
        double series = 1. / 362880 + x * (1. / 3628800);
        series = 1. / 120 + x * (1. / 720 + x * (1. / 5040 + x * (1. / 40320 + x * series)));
        series = x * x * x * (1. / 6 + x * (1. / 24 + x * series));
        struct pair sum = pair_ordered_sum(x, square);
        return sum.high + (sum.low + ((x - x_head) * (x + x_head) / 2 + series));
    }
    if (!(x < 60)) /* exp(x) - 1 is exp(x) */
        return elementary_exp(x);
    int power;
    struct pair mantissa = exp_mantissa(fmax(x, -60), 0, &power);
    struct pair sum = pair_sum(scaled(mantissa.high, power), -1);
    return sum.high + (sum.low + scaled(mantissa.low, power));
}

/* log(x + low) for finite x > 0 and |low| below the last digit of x. */
static struct pair log_pair(double x, double low)
{
    int power = -1023;
    if (x < 0x1p-1022) {
        x *= 0x1p54;
        power -= 54;
    }
    uint64_t bits = bits_of(x), fraction = bits & 0xfffffffffffff;
    double m = of_bits(fraction | (uint64_t)1023 << 52); /* from 1 to 2 */
    power += (int)(bits >> 52);
    int row = (int)nearest((m - 1) * 128);
    const struct log_row *table = &near_log[row];

    /* r = m factor - 1, at most 2^-8 */
    double m_head = pair_head(m);
    struct pair exact = pair_sum(m_head * table->factor - 1, (m - m_head) * table->factor);
    struct pair r = pair_sum(exact.high, low != 0 ? scaled(low, -power) * table->factor : 0);
    r.low += exact.low;

    double x1 = r.high, x1_head = pair_head(x1), x1_tail = x1 - x1_head + r.low;
    double series = 1. / 3 - x1 * (1. / 4 - x1 * (1. / 5 - x1 * (1. / 6 - x1 * (1. / 7 - x1 * (1. / 8)))));
    series *= x1 * x1 * x1;

    double n = power + (row >= LOG_FOLD);
    struct pair sum = pair_sum(n * log_2[0] + table->log.high, x1);
    struct pair less = pair_sum(sum.high, -x1_head * x1_head / 2);
    double rest = r.low - x1_tail * (x1 + x1_head) / 2 + series;
    return pair_ordered_sum(less.high, less.low + sum.low + (n * log_2[1] + table->log.low) + rest);
}

/* Is log(x) a limit? Sets *limit. */
static bool log_limit(double x, double *limit)
{
    *limit = x > 0 ? x : (double)NAN;
    if (x == 0)
        *limit = -HUGE_VAL;
    return !(x > 0 && x < HUGE_VAL);
}

double elementary_log(double x)
{
    double limit;
    if (log_limit(x, &limit))
        return limit;
    struct pair log = log_pair(x, 0);
    return log.high + log.low;
}

double elementary_log1p(double x)
{
    double limit;
    if (fabs(x) < 0x1p-54)
        return x;
    if (log_limit(1 + x, &limit))
        return isnan(x) ? x : limit;
    struct pair argument = pair_sum(1, x);
    struct pair log = log_pair(argument.high, x < 0x1p60 ? argument.low : 0);
    return log.high + log.low;
}

double elementary_log10(double x)
{
    double limit;
    if (log_limit(x, &limit))
        return limit;
    struct pair log = pair_product(log_pair(x, 0), (struct pair){ log_10_inverse[0], log_10_inverse[1] });
    return log.high + log.low;
}

double elementary_pow(double x, double y)
{
    double limit;
    if (y == 0 || x == 1)
        return 1;
    if (log_limit(x, &limit) || isnan(y))
        return elementary_exp(limit * y);
    struct pair log = log_pair(x, 0);
    if (fabs(log.high * y) > most_exponent)
        return elementary_exp(log.high * y);
    log = pair_product(log, (struct pair){ y, 0 });
    return exp_of_pair(log.high, log.low);
}

/* --- hypot --- */

double elementary_hypot(double x, double y)
{
    double large = fmax(fabs(x), fabs(y)), small = fmin(fabs(x), fabs(y));
    if (isinf(large))
        return large;
    if (isnan(x) || isnan(y))
        return x + y;
    if (small <= large * 0x1p-60)
        return large;
    int power = 0; /* squares neither overflow nor lose digits */
    if (!(large > 0x1p-400 && large < 0x1p500))
        power = large < 1 ? 600 : -600;
    if (power) {
        large = scaled(large, power);
        small = scaled(small, power);
    }

    double large_head = pair_head(large), small_head = pair_head(small);
    struct pair square = pair_ordered_sum(large_head * large_head, small_head * small_head);
    square.low += (large - large_head) * (large + large_head) + (small - small_head) * (small + small_head);
    square = pair_ordered_sum(square.high, square.low);

    /* One step of Newton's method. */
    double root = sqrt(square.high), root_head = pair_head(root);
    double rest = square.high - root_head * root_head - (root - root_head) * (root + root_head) + square.low;
    root += rest / (2 * root);
    return power ? scaled(root, -power) : root;
}

/* --- sin, cos, atan2 --- */

/* An angle: a number of steps, each 1/256 of a turn, and the rest in radians, at most 2^-6.3. */
struct angle {
    int64_t steps;
    struct pair rest;
};

/* The angle of any x >= 2^-6, by integers (Payne and Hanek, "Radian reduction for trigonometric functions",
 * 1983): x is a mantissa of 53 bits times 2^exponent. It is multiplied by 192 bits of 1 / (2 pi); the bits
 * before them yield whole turns. */
static struct angle large_angle(double x)
{
    uint64_t bits = bits_of(x), mantissa = (bits & 0xfffffffffffff) | (uint64_t)1 << 52;
    int exponent = (int)(bits >> 52) - 1075, first = exponent + 64, shift = first % 64;
    const uint64_t *word = turns_of_radian + first / 64;
    uint64_t window[3];
    for (int i = 0; i < 3; i++)
        window[i] = shift ? word[i] << shift | word[i + 1] >> (64 - shift) : word[i];
    uint128 low = (uint128)mantissa * window[2];
    uint128 middle = (uint128)mantissa * window[1] + (low >> 64);
    uint64_t high = mantissa * window[0] + (uint64_t)(middle >> 64); /* a turn is 2^64 */

    /* The digits of the rest are summed from the last to the first. Only the first digit has a sign. */
    uint64_t steps = (high + ((uint64_t)1 << 55)) >> 56, rest = high - (steps << 56);
    const uint32_t digits[] = { (uint32_t)low, (uint32_t)(low >> 32), (uint32_t)middle,
                                (uint32_t)(middle >> 32), (uint32_t)rest };
    struct pair turns = { 0, 0 };
    double unit = 0x1p-192;
    for (int i = 0; i < 5; i++, unit *= 0x1p32) {
        struct pair sum = pair_sum(digits[i] * unit, turns.high);
        turns = (struct pair){ sum.high, turns.low + sum.low };
    }
    struct pair sum = pair_sum((double)((int64_t)rest >> 32) * unit, turns.high);
    turns = pair_ordered_sum(sum.high, turns.low + sum.low);
    return (struct angle){ (int64_t)steps, pair_product(turns, (struct pair){ turn[0], turn[1] }) };
}

/* The angle of finite x. */
static struct angle angle_of(double x)
{
    if (fabs(x) < 20000) {
        double n = nearest(x * steps_of_turn[0]);
        struct pair rest = pair_sum(x - n * turn_step[0], -n * turn_step[1]);
        rest = pair_ordered_sum(rest.high, rest.low - n * turn_step[2]);
        if (n == 0 || fabs(rest.high) > 0x1p-20) /* digits enough are left */
            return (struct angle){ (int64_t)n, rest };
    }
    struct angle angle = large_angle(fabs(x));
    if (x < 0)
        angle = (struct angle){ -angle.steps, { -angle.rest.high, -angle.rest.low } };
    return angle;
}

/* By the sine of a sum. */
static double sine(struct angle angle)
{
    const struct pair *s = &circle[angle.steps & 255], *c = &circle[(angle.steps + 64) & 255];
    double x = angle.rest.high, x_head = pair_head(x), square = x * x;
    double x_tail = (x - x_head) + angle.rest.low;
    double sin_rest = x * square * (-1. / 6 + square * (1. / 120 + square * (-1. / 5040)));
    double cos_m1 = square * square * (1. / 24 + square * (-1. / 720 + square * (1. / 40320)));
    cos_m1 -= square / 2 + x * angle.rest.low;

    struct pair sum = pair_ordered_sum(s->high, c->high * x_head);
    double rest = (s->high + s->low) * cos_m1 + c->high * (x_tail + sin_rest) + c->low * (x + sin_rest);
    return sum.high + (sum.low + (s->low + rest));
}

double elementary_sin(double x)
{
    if (fabs(x) < 0x1p-33)
        return x;
    return isfinite(x) ? sine(angle_of(x)) : x - x;
}

double elementary_cos(double x)
{
    if (!isfinite(x))
        return x - x;
    struct angle angle = angle_of(x);
    angle.steps += 64;
    return sine(angle);
}

/* atan(small / large), 0 <= small <= large, in an eighth of a turn: a row of the table, and the angle between
 * it and the point, by the tangent of a difference. */
struct eighth {
    struct pair row;
    double rest, tail; /* rest: the head of the angle beyond the row */
};

static struct eighth eighth_of(double ratio, double small, double large)
{
    double n = nearest(ratio * 64), c = n / 64;
    double large_head = pair_head(large), small_head = pair_head(small);
    struct pair opposite = pair_sum(small, -c * large_head);
    struct pair exact = pair_sum(opposite.high, -c * (large - large_head));
    opposite = (struct pair){ exact.high, opposite.low + exact.low };
    struct pair adjacent = pair_ordered_sum(large, c * small_head);
    adjacent.low += c * (small - small_head);

    double inverse = 1 / adjacent.high, adjacent_head = pair_head(adjacent.high);
    double quotient = pair_head(opposite.high * inverse);
    double left = opposite.high - quotient * adjacent_head - quotient * (adjacent.high - adjacent_head);
    double tail = (left + (opposite.low - quotient * adjacent.low)) * inverse;
    double tangent = quotient + tail, square = tangent * tangent;
    double series = -1. / 3 + square * (1. / 5 + square * (-1. / 7 + square * (1. / 9)));
    return (struct eighth){ arc[(int)n], quotient, tail + tangent * square * series };
}

struct elementary_angle elementary_atan2_parts(double y, double x)
{
    if (isnan(x) || isnan(y))
        return (struct elementary_angle){ x + y, 0 };
    bool steep = fabs(y) > fabs(x), back = signbit(x);
    double large = fmax(fabs(x), fabs(y));
    double small = fmin(fabs(x), fabs(y));
    if (isinf(large)) {
        small = isinf(small) ? 1 : 0;
        large = 1;
    }
    double ratio = large > 0 ? small / large : 0;
    if (ratio < 0x1p-70) { /* the angle is the ratio */
        if (!steep && !back)
            return (struct elementary_angle){ copysign(ratio, y), 0 };
        small = ratio;
        large = 1;
    } else if (!(large > 0x1p-400 && large < 0x1p500)) {
        int power = large < 1 ? 600 : -600;
        small = scaled(small, power);
        large = scaled(large, power);
    }

    struct eighth eighth = eighth_of(ratio, small, large);
    const int turns = back ? 2 : 0;
    const double *from = quarter_turns + 2 * (steep ? 1 : turns);
    double sign = steep == back ? 1 : -1;
    struct pair row = pair_sum(from[0], sign * eighth.row.high);
    struct pair sum = pair_sum(row.high, sign * eighth.rest);
    double rest = row.low + (from[1] + sign * (eighth.row.low + eighth.tail));
    sum = pair_ordered_sum(copysign(sum.high, y), copysign(1, y) * (sum.low + rest));
    return (struct elementary_angle){ sum.high, sum.low };
}

double elementary_atan2(double y, double x)
{
    return elementary_atan2_parts(y, x).high;
}
