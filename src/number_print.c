/* Double -> text by integer arithmetic alone, so that no rounding mode, locale or excess precision can
 * matter. Eight digits are made at a time in a word; words are stored over each other's ends. Invariant:
 * every style is correctly rounded, by products that are exact, or whose error is known and cannot matter, or
 * else by exact integers. */
#include "number.h"

#include <string.h>

#include "number_exact.h"

static inline void store8(char *p, uint64_t x)
{
    x = little_endian(x);
    memcpy(p, &x, sizeof x);
}

/* The bytes of x < 10^8 are its decimal digits, the first lowest. After Khuong, "How to print integers really
 * fast" (2017). */
static inline uint64_t split_digits(uint64_t x)
{
    uint64_t fours = x / 10000 | (x % 10000) << 32;
    uint64_t hundreds = (fours * 10486) >> 20 & 0x0000007f0000007f;
    uint64_t pairs = hundreds | (fours - hundreds * 100) << 16;
    uint64_t tens = (pairs * 103) >> 10 & 0x000f000f000f000f;
    return tens | (pairs - tens * 10) << 8;
}

struct decimal {
    uint64_t digits; /* value = digits * 10^exp10 */
    int exp10;
};

/* The high 64 bits of the 192-bit product, the last bit set if the true product has more below. For x < 2^59
 * the power's error stays below the middle word; that a true rest does not is Giulietti's theorem. */
static inline uint64_t multiply_to_odd(uint64_t x, struct power power)
{
    uint128 product = (uint128)x * power.hi + ((uint128)x * power.lo >> 64);
    return (uint64_t)(product >> 64) | ((uint64_t)product != 0);
}

/* The shortest decimal that rounds to f * 2^e, and of those the closest; it may end in zeros.
 * Giulietti, "The Schubfach way to render doubles" (2020), sections 8 and 9. */
static struct decimal find_shortest(uint64_t f, int e)
{
    bool uneven = f == hidden_bit && e > LEAST_EXPONENT; /* the double below is only half as far away */
    int k = uneven ? floor_log10_of_three_quarters_of_2_to(e) : floor_log10_of_2_to(e);
    int h = e + floor_log2_of_10_to(-k) + 1;
    struct power power = power_of_10(-k);
    uint64_t v = multiply_to_odd(4 * f << h, power); /* in quarters of 10^k */
    uint64_t low = multiply_to_odd((4 * f - 2 + uneven) << h, power) + (f & 1);
    uint64_t high = multiply_to_odd((4 * f + 2) << h, power) - (f & 1);
    uint64_t tens = v / 40;
    bool tens_in = low <= 40 * tens;
    bool next_tens_in = 40 * tens + 40 <= high;
    if (tens_in != next_tens_in)
        return (struct decimal){ tens + next_tens_in, k + 1 };
    uint64_t ones = v / 4;
    bool in = low <= 4 * ones;
    bool next_in = 4 * ones + 4 <= high;
    if (in != next_in)
        return (struct decimal){ ones + next_in, k };
    uint64_t middle = 4 * ones + 2;
    return (struct decimal){ ones + (v > middle || (v == middle && (ones & 1))), k };
}

/* n significant digits of f * 2^e, f != 0. The product is that of round_scan, with its bounds. */
static struct decimal find_rounded(uint64_t f, int e, int n)
{
    int zeros = leading_zeros(f);
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
    if (digits == ten_to[n])
        return (struct decimal){ ten_to[n - 1], 1 - q };
    return (struct decimal){ digits, -q };
}

static inline int count_digits(uint64_t x)
{
    int n = ((64 - leading_zeros(x | 1)) * 1233) >> 12;
    return n + (x >= ten_to[n]);
}

/* x < 10^8, without zeros before it. Like all below, may write up to 8 bytes more than it counts. */
static inline size_t put_short(char *out, uint64_t x)
{
    uint64_t digits = split_digits(x);
    int skip = digits ? __builtin_ctzll(digits) / 8 : 7;
    store8(out, (digits + zero_digits) >> 8 * skip);
    return (size_t)(8 - skip);
}

static inline size_t put_8_more(char *out, size_t written, uint64_t x)
{
    store8(out + written, split_digits(x) + zero_digits);
    return written + 8;
}

static inline size_t put_integer(char *out, uint64_t x)
{
    if (x < ten_to[8])
        return put_short(out, x);
    if (x < ten_to[16])
        return put_8_more(out, put_short(out, x / ten_to[8]), x % ten_to[8]);
    size_t written = put_short(out, x / ten_to[16]);
    written = put_8_more(out, written, x / ten_to[8] % ten_to[8]);
    return put_8_more(out, written, x % ten_to[8]);
}

static size_t put_exponent(char *out, int exponent)
{
    uint64_t digits = split_digits((uint64_t)(exponent < 0 ? -exponent : exponent)) + zero_digits;
    int n = exponent > -100 && exponent < 100 ? 2 : 3;
    out[0] = 'e';
    out[1] = exponent < 0 ? '-' : '+';
    store8(out + 2, digits >> 8 * (8 - n));
    return (size_t)(2 + n);
}

/* A word of digits with the point after the first n < 8 of them, the last one pushed out. */
static inline uint64_t insert_point(uint64_t digits, int n, char point)
{
    uint64_t after = ~(uint64_t)0 << 8 * n;
    return (digits & ~after) | (uint64_t)(unsigned char)point << 8 * n | (digits & after) << 8;
}

/* Plain digits if least <= exponent of the first digit < limit, else with an exponent. The words of digits
 * are stored where they belong after the point, then over them the words that come before it. */
static inline size_t put_decimal(char *out, struct decimal d, int least, int limit, char point)
{
    int length = count_digits(d.digits);
    int exponent = d.exp10 + length - 1;
    uint64_t all = d.digits * ten_to[17 - length];
    uint64_t a = split_digits(all / ten_to[8] % ten_to[8]);
    uint64_t b = split_digits(all % ten_to[8]);
    uint64_t first = all / ten_to[16] + '0';
    int n = b ? 17 - leading_zeros(b) / 8 : a ? 9 - leading_zeros(a) / 8 : 1; /* without zeros at the end */
    a += zero_digits;
    b += zero_digits;
    bool plain = least <= exponent && exponent < limit;
    int before = plain ? exponent + 1 : 1; /* digits before the point */
    char *digits = before > 0 ? out + 1 : out + 2 - before;
    store8(out, zero_digits);
    out[1] = point;
    digits[0] = (char)first;
    store8(digits + 1, a);
    store8(digits + 9, b);
    if (before <= 0)
        return (size_t)(2 - before + n);
    uint64_t head = first | a << 8;
    uint64_t tail = a >> 56 | b << 8;
    if (before < 8) {
        store8(out, insert_point(head, before, point));
    } else {
        store8(out, head);
        store8(out + 8, before < 16 ? insert_point(tail, before - 8, point) : tail);
        if (before >= 16)
            out[16] = before == 16 ? point : (char)(b >> 56);
    }
    size_t written = (size_t)(n > before ? n + 1 : before);
    return plain ? written : written + put_exponent(out + written, exponent);
}

/* f * 2^e, e >= 0, f != 0, whose digits do not fit in a word: at most 309 of them. */
static size_t put_big(char *out, uint64_t f, int e)
{
    struct exact a;
    uint64_t eight[40];
    int n = 0;
    exact_set(&a, f);
    exact_shift(&a, e);
    while (a.n > 0)
        eight[n++] = exact_divide(&a);
    size_t written = put_short(out, eight[--n]);
    while (n > 0)
        written = put_8_more(out, written, eight[--n]);
    return written;
}

/* The fraction of f * 2^e, e < 0, times 10^n: its integer part, and in *rest what is left, in 2^64ths, the
 * last bit also set for anything below. Nothing is lost: a fraction of up to 64 bits is multiplied as it is;
 * a longer one is f itself, and f * 10^17 < 2^110. */
static inline uint64_t scale_fraction(uint64_t f, int e, int n, uint64_t *rest)
{
    if (e >= -64) {
        uint128 scaled = (uint128)(f << (64 + e)) * ten_to[n];
        *rest = (uint64_t)scaled;
        return (uint64_t)(scaled >> 64);
    }
    *rest = f != 0;
    if (e < -127)
        return 0;
    uint128 scaled = (uint128)f * ten_to[n];
    int drop = -e - 64;
    *rest = (uint64_t)(scaled >> drop) | ((scaled & (((uint128)1 << drop) - 1)) != 0);
    return (uint64_t)(scaled >> drop >> 64);
}

/* part < 10^n as n digits, zeros before it. */
static inline size_t put_fraction(char *out, uint64_t part, int n)
{
    if (n <= 8) {
        store8(out, split_digits(part * ten_to[8 - n]) + zero_digits);
        return (size_t)n;
    }
    uint64_t all = part * ten_to[17 - n];
    out[0] = (char)(all / ten_to[16] + '0');
    put_8_more(out, 1, all / ten_to[8] % ten_to[8]);
    put_8_more(out, 9, all % ten_to[8]);
    return (size_t)n;
}

static inline size_t put_decimals(char *out, bool negative, uint64_t f, int e, int n, char point)
{
    static const uint64_t half = (uint64_t)1 << 63;
    uint64_t whole = 0, part = 0, rest = 0;
    if (e < 0) {
        part = scale_fraction(f, e, n, &rest);
        whole = e > -64 ? f >> -e : 0;
        part += rest > half || (rest == half && ((n ? part : whole) & 1));
        if (part == ten_to[n]) {
            part = 0;
            whole++;
        }
    } else if (e <= 11) {
        whole = f << e;
    }
    char *p = out;
    *p = '-';
    p += negative && (whole | part || e > 11);
    p += e > 11 ? put_big(p, f, e) : put_integer(p, whole);
    if (n > 0) {
        *p++ = point;
        p += put_fraction(p, part, n);
    }
    return (size_t)(p - out);
}

size_t number_print(char *buf, double x, const struct number_format *format)
{
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    bool negative = bits >> 63;
    int biased = (int)(bits >> 52) & 0x7ff;
    uint64_t f = bits & (hidden_bit - 1);
    int e = LEAST_EXPONENT;
    if (biased) {
        f |= hidden_bit;
        e = biased - 1075;
    }
    int n = format->digits;
    char point = format->point;
    if (format->style == NUMBER_DECIMALS)
        return put_decimals(buf, negative, f, e, n, point);
    if (f == 0) {
        *buf = '0';
        return 1;
    }
    *buf = '-';
    buf += negative;
    if (format->style == NUMBER_PRECISION)
        return negative + put_decimal(buf, find_rounded(f, e, n), -4, n, point);
    bool integer = -52 <= e && e < 0 &&
                   f << (64 + e) == 0; /* below 2^53: no other decimal is as near as 1/2 */
    if (integer)
        return negative + put_integer(buf, f >> -e);
    return negative + put_decimal(buf, find_shortest(f, e), -5, 17, point);
}
