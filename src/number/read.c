/* Reads numbers by integer arithmetic only; short ones are read by fast_read.h. A scan takes eight digits at
 * a time. The product with a power of ten of 128 bits has a known error; only if a rounding boundary lies
 * within that error, exact integers decide. Invariant: the result is the double nearest to the text, ties to
 * even, for any number of digits and in any locale. */
#include "number/exact.h"
#include "number/fast_read.h"

/* The midpoint of two doubles has at most 768 digits: of what follows, it only matters whether it is 0. */
enum { KEPT_DIGITS = 769 };

static const uint64_t infinity = (uint64_t)0x7ff << 52;

const double number_power_of_10[23] = { 1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                        1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                        1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22 };

/* The number whose decimal digits are the bytes of x: neighbours are joined to pairs, fours, all eight. */
static inline uint64_t join_digits(uint64_t x)
{
    x = (x * (1 + (10 << 8))) >> 8 & 0x00ff00ff00ff00ff;
    x = (x * (1 + (100 << 16))) >> 16 & 0x0000ffff0000ffff;
    return (x * (1 + ((uint64_t)10000 << 32))) >> 32;
}

/* The number in the text: w * 10^q; if cut, between that and (w + 1) * 10^q, and w has 19 digits. */
struct scan {
    uint64_t w;
    int64_t q;
    bool cut, negative;
    const char *digits, *digits_end; /* the text of all digits, with the point */
};

static inline bool is_digit(char c)
{
    return (unsigned char)(c - '0') < 10;
}

/* Appends the run of digits at p to *w, modulo 2^64, and returns its end. */
static inline const char *take_digits(const char *p, const char *end, uint64_t *w)
{
    for (uint64_t x; end - p >= 8; p += 8) {
        x = little_endian_load(p) ^ zero_digits;
        if (((x + 0x7676767676767676) | x) & 0x8080808080808080)
            break;
        *w = *w * 100000000 + join_digits(x);
    }
    for (; p < end && is_digit(*p); p++)
        *w = *w * 10 + (uint64_t)(*p - '0');
    return p;
}

/* Takes more digits than fit in w: the first 19 from the first that is not 0, and whether others are not. */
static void take_long(struct scan *s)
{
    bool fraction = false;
    int n = 0;
    s->w = 0;
    for (const char *p = s->digits; p < s->digits_end; p++) {
        if (!is_digit(*p)) {
            fraction = true;
        } else if (n < 19) {
            s->w = s->w * 10 + (uint64_t)(*p - '0');
            n += s->w != 0;
            s->q -= fraction;
        } else {
            s->cut |= *p != '0';
            s->q += !fraction;
        }
    }
}

/* Adds an exponent to *q, if a complete one is at p; at most what no digits in a text can balance. */
static const char *take_exponent(const char *p, const char *end, int64_t *q)
{
    const char *digits = p + 1;
    bool negative = false;
    if (digits < end && (*digits == '+' || *digits == '-'))
        negative = *digits++ == '-';
    int64_t n = 0;
    const char *t = digits;
    for (; t < end && is_digit(*t); t++)
        if (n < (int64_t)1e17)
            n = n * 10 + (*t - '0');
    *q += negative ? -n : n;
    return t > digits ? t : p;
}

/* Returns the end of the number, or NULL if there is none. */
static inline const char *scan_number(const char *p, const char *end, char point, struct scan *s)
{
    bool negative = p < end && *p == '-';
    p += p < end && (*p == '-' || *p == '+');
    *s = (struct scan){ .negative = negative, .digits = p };
    int64_t fraction = 0;
    p = take_digits(p, end, &s->w);
    int64_t n = p - s->digits;
    if (p < end && *p == point) {
        const char *start = p + 1;
        p = take_digits(start, end, &s->w);
        fraction = p - start;
        n += fraction;
    }
    if (n == 0)
        return NULL;
    s->digits_end = p;
    if (n > 19)
        take_long(s);
    else
        s->q = -fraction;
    if (p < end && (*p == 'e' || *p == 'E'))
        p = take_exponent(p, end, &s->q);
    return p;
}

/* Rounds to nearest the number s, which lies between the double below and the one after the next. */
static uint64_t round_exact(const struct scan *s, uint64_t below)
{
    struct exact a;
    int q = (int)s->q;
    exact_set(&a, s->cut ? 0 : s->w);
    if (s->cut) {
        int n = 0;
        for (const char *p = s->digits; p < s->digits_end && n <= KEPT_DIGITS; p++)
            if (is_digit(*p) && (*p != '0' || (n > 0 && n < KEPT_DIGITS))) {
                exact_multiply(&a, 10, (uint64_t)(*p - '0'));
                n++;
            }
        q -= n - 19;
    }
    int biased = (int)(below >> 52);
    uint64_t f = biased ? (below & (hidden_bit - 1)) | hidden_bit : below;
    int e = biased ? biased - 1075 : LEAST_EXPONENT;
    int sign = exact_compare(&a, q, 2 * f + 1, e - 1);
    return below + (sign > 0 || (sign == 0 && (f & 1)));
}

/* The bits of the double nearest to |s|. The product is that of Eisel and Lemire (Lemire, "Number parsing at
 * a gigabyte per second", 2021); how its error is judged is our own. With hi:lo = w * power.hi the true
 * product, in units of hi, is more than hi - 2^-64 and less than hi + 2, or if cut hi + 2 + 2^zeros. With
 * power.lo added, hi:lo is known to +-1 in the last place of lo: only lo == 0 at the middle is open. */
static inline uint64_t round_scan(const struct scan *s)
{
    if (s->w == 0 || s->q < LEAST_POWER)
        return 0;
    if (s->q > 308)
        return infinity;
    int q = (int)s->q;
    struct power power = power_of_10(q);
    int zeros = __builtin_clzll(s->w);
    uint64_t w = s->w << zeros;
    uint128 product = (uint128)w * power.hi;
    uint64_t hi = (uint64_t)(product >> 64);
    int shift = 10 + (int)(hi >> 63); /* hi = f * 2^shift + rest */
    int e = floor_log2_of_10_to(q) + 1 - zeros + shift;
    if (e < LEAST_EXPONENT) {
        shift += LEAST_EXPONENT - e;
        e = LEAST_EXPONENT;
        if (shift > 64)
            return 0;
    }
    if (e > MOST_EXPONENT)
        return infinity;
    uint64_t half = (uint64_t)1 << (shift - 1);
    uint64_t rest = hi & (2 * half - 1);
    uint64_t below = (hi >> (shift - 1) >> 1) + ((uint64_t)(e - LEAST_EXPONENT) << 52);
    uint64_t slack = s->cut ? 2 + ((uint64_t)1 << zeros) : 2;
    if (half - rest >= slack) /* also when rest > half: the difference wraps */
        return below + (rest > half);
    if (!s->cut) {
        product += (uint64_t)((uint128)w * power.lo >> 64);
        rest = (uint64_t)(product >> 64) & (2 * half - 1);
        if (rest != half || (uint64_t)product != 0)
            return below + (rest >= half);
    }
    return round_exact(s, below);
}

const char *number_read_long(const char *p, const char *end, char point, double *x, struct number_decimal *d)
{
    struct scan s;
    p = scan_number(p, end, point, &s);
    if (!p)
        return NULL;
    uint64_t bits = round_scan(&s) | (uint64_t)s.negative << 63;
    memcpy(x, &bits, sizeof bits);
    d->exact = !s.cut && s.w < (uint64_t)NUMBER_EXACT && s.q >= -99 && s.q <= 99;
    int64_t digits = d->exact ? (int64_t)s.w : 0;
    d->digits = s.negative ? -digits : digits;
    d->exp10 = d->exact ? (int)s.q : 0;
    return p;
}

const char *number_read_decimal(const char *p, const char *end, char point, double *x,
                                struct number_decimal *d)
{
    struct number_short s;
    const char *after = end - p >= NUMBER_SHORT_BYTES ? number_short_read(p, point, &s) : NULL;
    if (!after || *after == 'e' || *after == 'E')
        return number_read_long(p, end, point, x, d);
    *x = number_short_double(s);
    *d = number_short_decimal(s);
    return after;
}

const char *number_read(const char *p, const char *end, char point, double *x)
{
    struct number_decimal unused;
    return number_read_decimal(p, end, point, x, &unused);
}

int number_decimals(const char *text, size_t n, char point)
{
    const char *end = text + n, *at = memchr(text, point, n);
    bool exponent = memchr(text, 'e', n) || memchr(text, 'E', n);
    ptrdiff_t decimals = at ? end - at - 1 : 0;
    return exponent || decimals > 17 ? -1 : (int)decimals;
}
