/* Prints doubles by integer arithmetic only, so that rounding mode, locale and excess precision do not
 * matter. Choices that a processor cannot predict, such as the last digit, are computed without a branch.
 * Invariant: the shortest decimal and a fixed number of decimals are correctly rounded. A product is exact,
 * or its known error cannot change the result. */
#include "number/exact.h"
#include "number/number.h"

/* Not inlined, so that a style does not save the registers of another style. */
#define NOINLINE __attribute__((noinline))

/* --- decimal digits as text: eight digits in a word, with the first digit in the lowest byte. Functions that
 * return the length of a text may write up to 8 bytes after the text. --- */

/* A word with the eight decimal digits of x < 10^8, the first digit in the lowest byte. After Khuong, "How to
 * print integers really fast" (2017). Each step puts a / m in the place of a and a % m = a - m (a / m) above
 * it, in one subtraction; 109951163 / 2^40 gives x / 10000 for each such x. */
static inline uint64_t split_digits(uint64_t x)
{
    const uint64_t high = (x * 109951163) >> 40;
    const uint64_t fours = (x << 32) - high * (((uint64_t)10000 << 32) - 1);
    const uint64_t hundreds = (fours * 10486) >> 20 & 0x0000007f0000007f;
    const uint64_t pairs = (fours << 16) - hundreds * ((100 << 16) - 1);
    const uint64_t tens = (pairs * 103) >> 10 & 0x000f000f000f000f;
    return (pairs << 8) - tens * ((10 << 8) - 1);
}

/* Puts x < 10^8 without leading zeros. */
static inline size_t put_short(char *out, uint64_t x)
{
    const uint64_t digits = split_digits(x), last = (uint64_t)1 << 56;
    const unsigned skip = (unsigned)__builtin_ctzll(digits | last) & 56; /* bits of zeros before the number */
    word_put(out, (digits + zero_digits) >> skip, 8, false);
    return 8 - skip / 8;
}

/* Puts x without leading zeros. */
static inline size_t put_integer(char *out, uint64_t x)
{
    if (x < ten_to[8])
        return put_short(out, x);
    size_t written = put_integer(out, x / ten_to[8]);
    word_put(out + written, split_digits(x % ten_to[8]) + zero_digits, 8, false);
    return written + 8;
}

/* Puts part < 10^n as n > 0 digits, with leading zeros. */
static inline void put_fraction(char *out, uint64_t part, int n)
{
    for (; n > 8; part /= 10)
        out[--n] = (char)('0' + part % 10);
    word_put(out, (split_digits(part) + zero_digits) >> 8 * (8 - n), 8, false);
}

struct decimal {
    uint64_t digits; /* 17 digits: 10^16 <= digits < 10^17 */
    int exponent;    /* the number is digits * 10^(exponent - 16) */
};

/* digits * 10^exp10 as a struct decimal; 0 < digits < 10^17. */
static inline struct decimal decimal_of(uint64_t digits, int exp10)
{
    int length = ((64 - __builtin_clzll(digits)) * 1233) >> 12;
    length += digits >= ten_to[length];
    return (struct decimal){ digits * ten_to[17 - length], exp10 + length - 1 };
}

/* The high 64 bits of the 192-bit product x * power, with the lowest bit set if the true product has lower
 * bits that are not 0. For x < 2^59 the error of the power changes only the low word; by Giulietti's theorem
 * lower bits of the true product show in the middle word. */
static inline uint64_t multiply_to_odd(uint64_t x, struct power power)
{
    uint128 product = (uint128)x * power.hi + ((uint128)x * power.lo >> 64);
    return (uint64_t)(product >> 64) | ((uint64_t)product != 0);
}

/* The shortest decimal that rounds to f * 2^e; of several, the decimal closest to f * 2^e. Giulietti, "The
 * Schubfach way to render doubles" (2020), sections 8 and 9. */
static NOINLINE struct decimal find_shortest_exact(uint64_t f, int e)
{
    bool uneven = f == hidden_bit && e > LEAST_EXPONENT; /* the double below is half as far away as the
                                                          * next */
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

/* All bits 1 if the condition holds, else 0: a mask for a choice without a branch. */
static inline uint64_t only_if(bool condition)
{
    return 0 - (uint64_t)condition;
}

/* True if a is within 4 of b. */
static inline unsigned is_near(uint64_t a, uint64_t b)
{
    return a - b + 4 <= 8;
}

/* As find_shortest_exact, by one product. The unit is 10^k, where the distance to the next double is 1 to 10.
 * The number is ones + part * 2^-64. In units of 2^-60, the number is `below` above the lower multiple of ten
 * and `above` below the higher multiple of ten, and half of the distance to the next double is `reach`.
 * `below`, `above` or both are at least `reach`. `part` is known to +-1; below, above and reach are known to
 * +-2. When these errors matter, find_shortest_exact decides. */
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

static NOINLINE size_t put_exponent(char *out, int exponent)
{
    uint64_t digits = split_digits((uint64_t)(exponent < 0 ? -exponent : exponent)) + zero_digits;
    int n = exponent > -100 && exponent < 100 ? 2 : 3;
    out[0] = 'e';
    out[1] = exponent < 0 ? '-' : '+';
    word_put(out + 2, digits >> 8 * (8 - n), 8, false);
    return (size_t)(2 + n);
}

/* Puts a decimal as plain digits if 1e-5 <= decimal < 1e17, else with an exponent. Zeros at the end of a
 * fraction are left out. */
static inline size_t put_decimal(char *out, struct decimal decimal, char point)
{
    uint64_t first = decimal.digits / ten_to[16], rest = decimal.digits % ten_to[16];
    uint64_t middle = split_digits(rest / ten_to[8]), last = split_digits(rest % ten_to[8]);
    int n = 1; /* digits without zeros at the end */
    if (last)
        n = 17 - __builtin_clzll(last) / 8;
    else if (middle)
        n = 9 - __builtin_clzll(middle) / 8;
    bool plain = -5 <= decimal.exponent && decimal.exponent < 17;
    int before = plain ? decimal.exponent + 1 : 1; /* digits before the point */
    if (before <= 0) {
        word_put(out, zero_digits, 8, false);
        out[1] = point;
        out += 2 - before;
    }
    out[0] = (char)('0' + first);
    word_put(out + 1, middle + zero_digits, 8, false);
    word_put(out + 9, last + zero_digits, 8, false);
    if (before <= 0)
        return (size_t)(2 - before + n);
    memmove(out + before + 1, out + before, 16);
    out[before] = point;
    size_t written = (size_t)(n > before ? n + 1 : before);
    return plain ? written : written + put_exponent(out + written, decimal.exponent);
}

/* A finite double x: |x| = f * 2^e, as in exact.h. */
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
    int e = LEAST_EXPONENT;
    if (biased) {
        f |= hidden_bit;
        e = biased - 1075;
    }
    return (struct parts){ f, e, bits >> 63 };
}

/* |x| = f * 2^e, e < 0, rounded to n decimals: |x| = whole + *part / 10^n, 0 <= *part <= 10^n. Returns whole.
 * The product with 10^n is exact: a fraction of up to 64 bits times 10^17 fits in 128 bits; a longer fraction
 * is f itself, and f * 10^17 < 2^110. */
static inline uint64_t split_at_point(struct parts parts, int n, uint64_t *part)
{
    uint64_t whole = 0, rest = parts.f != 0; /* in units of 2^-64; the lowest bit is set for a smaller rest */
    *part = 0;
    if (parts.e > -64) {
        uint128 scaled = (uint128)(parts.f << (64 + parts.e)) * ten_to[n];
        whole = parts.f >> -parts.e;
        *part = (uint64_t)(scaled >> 64);
        rest = (uint64_t)scaled;
    } else if (parts.e >= -127) {
        uint128 scaled = (uint128)parts.f * ten_to[n];
        int drop = -parts.e - 64;
        *part = (uint64_t)(scaled >> drop >> 64);
        rest = (uint64_t)(scaled >> drop) | ((scaled & (((uint128)1 << drop) - 1)) != 0);
    }
    *part += rest > ((uint64_t)1 << 63) - ((n ? *part : whole) & 1); /* half to even */
    return whole;
}

static NOINLINE size_t print_shortest(char *out, double x, char point)
{
    struct parts parts = parts_of(x);
    size_t sign = parts.negative;
    *out = '-';
    out += sign;
    bool integer = -52 <= parts.e && parts.e < 0 && parts.f << (64 + parts.e) == 0;
    /* Below 2^53 a decimal that reads back to x is at most 1/2 away from x: no shorter decimal than the
     * integer itself reads back. */
    if (integer)
        return sign + put_integer(out, parts.f >> -parts.e);
    return sign + put_decimal(out, find_shortest(parts.f, parts.e), point);
}

/* Puts whole + part / 10^n with n digits after the point. */
static inline size_t put_fixed(char *out, uint64_t whole, uint64_t part, int n, char point)
{
    size_t written = put_integer(out, whole);
    if (n == 0)
        return written;
    out[written++] = point;
    put_fraction(out + written, part, n);
    return written + (size_t)n;
}

static NOINLINE size_t print_decimals(char *out, double x, int n, char point)
{
    struct parts parts = parts_of(x);
    if (parts.e > 11) /* 2^64 and above: a double shows no decimals */
        return print_shortest(out, x, point);
    uint64_t part = 0, whole = parts.e < 0 ? split_at_point(parts, n, &part) : parts.f << parts.e;
    if (part == ten_to[n]) {
        part = 0;
        whole++;
    }
    size_t sign = parts.negative & ((whole | part) != 0);
    *out = '-';
    return sign + put_fixed(out + sign, whole, part, n, point);
}

const struct number_format number_shortest = { NUMBER_SHORTEST, '.' };

size_t number_print(char *buf, double x, const struct number_format *format)
{
    if (format->decimals != NUMBER_SHORTEST)
        return print_decimals(buf, x, format->decimals, format->point);
    if (x == 0) {
        *buf = '0';
        return 1;
    }
    return print_shortest(buf, x, format->point);
}

size_t number_print_decimal(char *buf, const struct number_decimal *decimal, char point)
{
    size_t sign = decimal->digits < 0;
    uint64_t digits = sign ? 0 - (uint64_t)decimal->digits : (uint64_t)decimal->digits;
    int n = -decimal->exp10;
    for (; n > 0 && digits % 10 == 0; n--)
        digits /= 10;
    *buf = '-';
    return sign + put_fixed(buf + sign, digits / ten_to[n], digits % ten_to[n], n, point);
}
