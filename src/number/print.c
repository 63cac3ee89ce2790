/* Prints doubles by integer arithmetic only, so that rounding mode, locale and excess precision do not
 * matter. Choices that a processor cannot predict, such as the last digit, are computed without a branch.
 * Invariant: every style is correctly rounded: products are exact, or have a known error that does not
 * matter; else exact integers decide. */
#include "number/exact.h"
#include "number/number.h"

#define APART __attribute__((noinline)) /* so that each style saves only the registers it needs */

struct decimal {
    uint64_t digits; /* 17 of them */
    int exponent;    /* of the first */
};

static inline int count_digits(uint64_t x)
{
    int n = ((64 - __builtin_clzll(x | 1)) * 1233) >> 12;
    return n + (x >= ten_to[n]);
}

/* The number digits * 10^exp10, 0 < digits < 10^17. */
static inline struct decimal decimal_of(uint64_t digits, int exp10)
{
    int length = count_digits(digits);
    return (struct decimal){ digits * ten_to[17 - length], exp10 + length - 1 };
}

/* The high 64 bits of the 192-bit product, the last bit set if the true product has more below. For x < 2^59
 * the power's error stays below the middle word; that a true rest does not is Giulietti's theorem. */
static inline uint64_t multiply_to_odd(uint64_t x, struct power power)
{
    uint128 product = (uint128)x * power.hi + ((uint128)x * power.lo >> 64);
    return (uint64_t)(product >> 64) | ((uint64_t)product != 0);
}

/* The shortest decimal that rounds to f * 2^e, and of those the closest.
 * Giulietti, "The Schubfach way to render doubles" (2020), sections 8 and 9. */
static APART struct decimal find_shortest_exact(uint64_t f, int e)
{
    bool uneven = f == hidden_bit && e > LEAST_EXPONENT; /* the double below is only half as far away */
    int k = uneven ? floor_log10_of_three_quarters_of_2_to(e) : floor_log10_of_2_to(e);
    int h = e + floor_log2_of_10_to(-k) + 1;
    struct power power = power_of_10(-k);
    uint64_t v = multiply_to_odd(4 * f << h, power); /* in quarters of 10^k */
    uint64_t low = multiply_to_odd((4 * f - 2 + uneven) << h, power) + (f & 1);
    uint64_t high = multiply_to_odd((4 * f + 2) << h, power) - (f & 1);
    for (uint64_t unit = 40; unit >= 4; unit /= 10) { /* 10^(k + 1), then 10^k */
        uint64_t below = v / unit * unit;
        bool in = low <= below, next_in = below + unit <= high;
        if (in != next_in)
            return decimal_of(v / unit + next_in, k + (unit == 40));
    }
    uint64_t ones = v / 4, middle = 4 * ones + 2;
    return decimal_of(ones + (v > middle || (v == middle && (ones & 1))), k);
}

/* All ones, or zero: for a choice without a branch. */
static inline uint64_t only_if(bool condition)
{
    return 0 - (uint64_t)condition;
}

/* True if a is within 4 of b. */
static inline unsigned is_near(uint64_t a, uint64_t b)
{
    return a - b + 4 <= 8;
}

/* The same by one product. In units of 10^k, where the next double is 1 to 10 away, the number lies between
 * ones and ones + 1, and `below` and `above` from the multiples of ten around it: either, but not both, may
 * be less than half of the way to the next double. `part` is known to +-1, all that is counted in 2^-60 to
 * +-2; when that leaves anything undecided, the exact way is taken. */
static inline struct decimal find_shortest(uint64_t f, int e)
{
    static const uint64_t half = (uint64_t)1 << 63;
    if (f <= hidden_bit)
        return find_shortest_exact(f, e);
    int k = floor_log10_of_2_to(e);
    int h = e + floor_log2_of_10_to(-k) + 1;
    struct power power = power_of_10(-k);
    uint128 product = (uint128)(f << h) * power.hi + ((uint128)(f << h) * power.lo >> 64);
    uint64_t ones = (uint64_t)(product >> 64), part = (uint64_t)product, unit = ones % 10;
    uint64_t below = unit << 60 | part >> 4, above = ((uint64_t)10 << 60) - below,
             reach = power.hi >> (5 - h);
    if (is_near(below, reach) | is_near(above, reach) | is_near(part, half))
        return find_shortest_exact(f, e);
    uint64_t tens = ones - unit + (only_if(above < reach) & 10), digits = ones + (part > half);
    digits += only_if((below < reach) | (above < reach)) & (tens - digits);
    bool short_of_17 = digits < ten_to[16];
    digits += only_if(short_of_17) & (9 * digits);
    return (struct decimal){ digits, k + 16 - short_of_17 };
}

/* n significant digits of f * 2^e, f != 0. The product is that of round_scan, with its bounds. */
static struct decimal find_rounded(uint64_t f, int e, int n)
{
    int zeros = __builtin_clzll(f);
    uint64_t w = f << zeros;
    int top = e - zeros + 63; /* 2^top <= value < 2^(top + 1) */
    int k = floor_log10_of_2_to(top);
    struct power next = power_of_10(k + 1);
    k += (floor_log2_of_10_to(k + 1) <= top) & (w > next.hi); /* 10^k <= value <= 10^(k + 1) */
    int q = n - 1 - k;
    struct power power = power_of_10(q);
    uint128 product = (uint128)w * power.hi + ((uint128)w * power.lo >> 64);
    uint64_t hi = (uint64_t)(product >> 64);
    int shift = -(e - zeros + floor_log2_of_10_to(q) + 1);
    uint64_t half = (uint64_t)1 << (shift - 1);
    uint64_t rest = hi & (2 * half - 1);
    uint64_t digits = hi >> shift;
    bool up = rest >= half;
    if (rest == half && (uint64_t)product == 0) {
        struct exact middle;
        exact_set(&middle, 2 * digits + 1);
        int sign = exact_compare(&middle, -q, f, e + 1);
        up = sign < 0 || (sign == 0 && (digits & 1));
    }
    digits += up;
    return digits == ten_to[n] ? decimal_of(ten_to[n - 1], 1 - q) : decimal_of(digits, -q);
}

static APART size_t put_exponent(char *out, int exponent)
{
    uint64_t digits = split_digits((uint64_t)(exponent < 0 ? -exponent : exponent)) + zero_digits;
    int n = exponent > -100 && exponent < 100 ? 2 : 3;
    out[0] = 'e';
    out[1] = exponent < 0 ? '-' : '+';
    little_endian_store(out + 2, digits >> 8 * (8 - n));
    return (size_t)(2 + n);
}

/* Plain digits if least <= exponent < limit, else with an exponent. */
static inline size_t put_decimal(char *out, struct decimal d, int least, int limit, char point)
{
    uint64_t first = d.digits / ten_to[16];
    struct digits16 rest = split_16_digits(d.digits - first * ten_to[16]);
    uint64_t a = rest.first + zero_digits, b = rest.last + zero_digits;
    /* without zeros at the end */
    int n = rest.last    ? 17 - __builtin_clzll(rest.last) / 8
            : rest.first ? 9 - __builtin_clzll(rest.first) / 8
                         : 1;
    bool plain = least <= d.exponent && d.exponent < limit;
    int before = plain ? d.exponent + 1 : 1; /* digits before the point */
    uint64_t last = b >> 56;
    struct digits16 head = { (first + '0') | a << 8, a >> 56 | b << 8 };
    if (before <= 0) {
        little_endian_store(out, zero_digits);
        out[1] = point;
        out += 2 - before;
        little_endian_store(out, head.first);
        little_endian_store(out + 8, head.last);
        out[16] = (char)last;
        return (size_t)(2 - before + n);
    }
    put_with_point(out, head, before, point);
    out[17] = (char)last;
    if (before >= 16)
        out[16] = before == 16 ? point : (char)last;
    size_t written = (size_t)(n > before ? n + 1 : before);
    return plain ? written : written + put_exponent(out + written, d.exponent);
}

/* a != 0, which does not fit in a word; a is lost. */
static size_t put_exact(char *out, struct exact *a)
{
    uint64_t last = exact_divide(a, ten_to[8]);
    return a->n == 0 ? put_short(out, last) : put_8_more(out, put_exact(out, a), last);
}

/* part < 10^n as n digits, zeros before it. */
static void put_fraction(char *out, uint64_t part, int n)
{
    for (; n-- > 0; part /= 10)
        out[n] = (char)('0' + part % 10);
}

/* scaled / 10^n, scaled < 10^16, 0 < n <= 15, without zeros at the front but for the one before the point. */
static APART size_t put_scaled_wide(char *out, uint64_t scaled, int n, char point)
{
    struct digits16 digits = split_16_digits(scaled);
    uint128 all = (uint128)digits.last << 64 | digits.first, ones = (uint128)zero_digits << 64 | zero_digits;
    uint128 least = all | (uint128)1 << 8 * (15 - n);
    int skip = (uint64_t)least ? __builtin_ctzll((uint64_t)least) / 8
                               : 8 + __builtin_ctzll((uint64_t)(least >> 64)) / 8;
    all = (all + ones) >> 8 * skip;
    digits = (struct digits16){ (uint64_t)all, (uint64_t)(all >> 64) };
    put_with_point(out, digits, 16 - skip - n, point);
    return (size_t)(17 - skip);
}

/* The same for scaled < 10^8, n < 8. */
static inline size_t put_scaled(char *out, uint64_t scaled, int n, char point)
{
    uint64_t digits = split_digits(scaled);
    int skip = __builtin_ctzll(digits | (uint64_t)1 << 8 * (7 - n)) / 8;
    little_endian_store(out, insert_point((digits + zero_digits) >> 8 * skip, 8 - skip - n, point));
    out[8 - skip] = (char)('0' + (digits >> 56));
    return (size_t)(9 - skip);
}

/* |x| = f * 2^e */
struct parts {
    uint64_t f;
    int e;
    bool negative;
};

static inline struct parts parts_of(double x)
{
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    uint64_t f = bits & (hidden_bit - 1);
    int biased = (int)(bits >> 52) & 0x7ff;
    return (struct parts){ biased ? f | hidden_bit : f, biased ? biased - 1075 : LEAST_EXPONENT, bits >> 63 };
}

/* The digits before the point of a number d, d.e < 0, and n after it, rounded: 10^n is one more before it.
 * The product is exact: a fraction of up to 64 bits is multiplied as it is; a longer one is f itself, and f *
 * 10^17 < 2^110. */
static inline uint64_t split(struct parts d, int n, uint64_t *part)
{
    uint64_t whole = 0, rest = d.f != 0; /* in units of 2^-64, the last bit set for anything less */
    *part = 0;
    if (d.e > -64) {
        uint128 scaled = (uint128)(d.f << (64 + d.e)) * ten_to[n];
        whole = d.f >> -d.e;
        *part = (uint64_t)(scaled >> 64);
        rest = (uint64_t)scaled;
    } else if (d.e >= -127) {
        uint128 scaled = (uint128)d.f * ten_to[n];
        int drop = -d.e - 64;
        *part = (uint64_t)(scaled >> drop >> 64);
        rest = (uint64_t)(scaled >> drop) | ((scaled & (((uint128)1 << drop) - 1)) != 0);
    }
    *part += (rest >> 63) & ((rest << 1 | ((n ? *part : whole) & 1)) != 0);
    return whole;
}

/* A sign is in out[0]. */
static APART size_t put_decimals_long(char *out, struct parts d, int n, char point)
{
    uint64_t part = 0, whole = d.e < 0 ? split(d, n, &part) : d.e <= 11 ? d.f << d.e : 0;
    bool carry = part == ten_to[n];
    whole += carry;
    char *p = out + (d.negative && (whole | part || d.e > 11));
    struct exact big;
    exact_set(&big, d.f);
    exact_shift(&big, d.e > 11 ? d.e : 0);
    p += d.e > 11 ? put_exact(p, &big) : put_integer(p, whole);
    if (n == 0)
        return (size_t)(p - out);
    *p++ = point;
    put_fraction(p, carry ? 0 : part, n);
    return (size_t)(p - out + n);
}

static APART size_t print_decimals(char *out, double x, int n, char point)
{
    struct parts d = parts_of(x);
    *out = '-';
    if (d.e >= 0 || n == 0 || n > 15)
        return put_decimals_long(out, d, n, point);
    uint64_t part, whole = split(d, n, &part), scaled = whole * ten_to[n] + part;
    if (whole + 1 >= ten_to[16 - n])
        return put_decimals_long(out, d, n, point);
    size_t sign = d.negative & (scaled != 0);
    out += sign;
    if (n > 7 || scaled >= ten_to[8])
        return sign + put_scaled_wide(out, scaled, n, point);
    return sign + put_scaled(out, scaled, n, point);
}

static APART size_t print_precision(char *out, double x, int n, char point)
{
    struct parts d = parts_of(x);
    *out = '-';
    return d.negative + put_decimal(out + d.negative, find_rounded(d.f, d.e, n), -4, n, point);
}

static APART size_t print_shortest(char *out, double x, char point)
{
    struct parts d = parts_of(x);
    size_t sign = d.negative;
    *out = '-';
    out += sign;
    bool integer = -52 <= d.e && d.e < 0 && d.f << (64 + d.e) == 0;
    if (integer) /* below 2^53: no other decimal is as near as 1/2 */
        return sign + put_integer(out, d.f >> -d.e);
    return sign + put_decimal(out, find_shortest(d.f, d.e), -5, 17, point);
}

const struct number_format number_shortest = { NUMBER_SHORTEST, 0, '.' };

size_t number_print(char *buf, double x, const struct number_format *format)
{
    if (format->style == NUMBER_DECIMALS)
        return print_decimals(buf, x, format->digits, format->point);
    if (x == 0) {
        *buf = '0';
        return 1;
    }
    if (format->style == NUMBER_PRECISION)
        return print_precision(buf, x, format->digits, format->point);
    return print_shortest(buf, x, format->point);
}

double number_round(double x, int digits)
{
    const struct number_format format = { NUMBER_PRECISION, digits, '.' };
    char text[NUMBER_MAX];
    number_read(text, text + number_print(text, x, &format), '.', &x);
    return x;
}

size_t number_print_decimal(char *buf, const struct number_decimal *d, char point)
{
    uint64_t digits = d->digits < 0 ? 0 - (uint64_t)d->digits : (uint64_t)d->digits;
    int n = -d->exp10; /* decimals */
    char *p = buf;
    *p = '-';
    p += d->digits < 0;
    for (; n > 0 && digits % 10 == 0; n--)
        digits /= 10;
    uint64_t unit = n <= 0 ? 1 : n <= 18 ? ten_to[n] : UINT64_MAX, part = digits % unit;
    p += put_integer(p, digits / unit);
    for (; n < 0 && digits > 0; n++)
        *p++ = '0';
    if (n > 0)
        *p++ = point;
    put_fraction(p, part, n);
    return (size_t)(p - buf) + (size_t)(n > 0 ? n : 0);
}
