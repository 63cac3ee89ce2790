/* Reads numbers by integer arithmetic only; fast_read.h reads short numbers. The digits are scanned eight at
 * a time. The product with a power of ten of 128 bits has a known error; only if a rounding boundary lies
 * within the error, exact integers decide. Invariant: the result is the double nearest to the text, ties to
 * even, for any number of digits and in any locale. */
#include "number/exact.h"
#include "number/fast_read.h"

/* The midpoint of two doubles has at most 768 digits. After these it only matters whether any digit is not
 * 0. */
enum { KEPT_DIGITS = 769 };

static const uint64_t infinity = (uint64_t)0x7ff << 52;

const double number_power_of_10[23] = { 1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                        1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                        1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22 };

/* The number whose decimal digits are the bytes of x: digits are joined to pairs, fours, and eight. */
static inline uint64_t join_digits(uint64_t x)
{
    x = (x * (1 + (10 << 8))) >> 8 & 0x00ff00ff00ff00ff;
    x = (x * (1 + (100 << 16))) >> 16 & 0x0000ffff0000ffff;
    return (x * (1 + ((uint64_t)10000 << 32))) >> 32;
}

/* The number in the text, without the sign. cut false: w * 10^q. cut true: w has 19 digits, and the number is
 * greater than w * 10^q and less than (w + 1) * 10^q. */
struct scan {
    uint64_t w;
    int64_t q;
    bool cut, negative;
    const char *digits, *digits_end; /* the text from the first digit to the last, with the point */
};

static inline bool is_digit(char c)
{
    return (unsigned char)(c - '0') < 10;
}

/* Appends the digits at `next` to *w, modulo 2^64. Returns the end of the digits. */
static inline const char *take_digits(const char *next, const char *end, uint64_t *w)
{
    for (uint64_t x; end - next >= 8; next += 8) {
        x = word_get(next, 8, false) ^ zero_digits;
        if (((x + 0x7676767676767676) | x) & 0x8080808080808080)
            break;
        *w = *w * 100000000 + join_digits(x);
    }
    for (; next < end && is_digit(*next); next++)
        *w = *w * 10 + (uint64_t)(*next - '0');
    return next;
}

/* For a number with more digits than w can hold: takes the first 19 digits, beginning with the first that is
 * not 0, and sets cut if a later digit is not 0. */
static void take_long(struct scan *scan)
{
    bool fraction = false;
    int n = 0;
    scan->w = 0;
    for (const char *next = scan->digits; next < scan->digits_end; next++) {
        if (!is_digit(*next)) {
            fraction = true;
        } else if (n < 19) {
            scan->w = scan->w * 10 + (uint64_t)(*next - '0');
            n += scan->w != 0;
            scan->q -= fraction;
        } else {
            scan->cut |= *next != '0';
            scan->q += !fraction;
        }
    }
}

/* Adds the exponent at `next` to *q. Returns the end of the exponent; or next, and *q stays, if no digit
 * follows the letter. Exponents are limited to about 10^18, which no digits of a text can balance. */
static const char *take_exponent(const char *next, const char *end, int64_t *q)
{
    const char *digits = next + 1;
    bool negative = false;
    if (digits < end && (*digits == '+' || *digits == '-'))
        negative = *digits++ == '-';
    int64_t n = 0;
    const char *digits_end = digits;
    for (; digits_end < end && is_digit(*digits_end); digits_end++)
        if (n < (int64_t)1e17)
            n = n * 10 + (*digits_end - '0');
    *q += negative ? -n : n;
    return digits_end > digits ? digits_end : next;
}

/* Returns the end of the number at `next`; NULL: no number. */
static inline const char *scan_number(const char *next, const char *end, char point, struct scan *scan)
{
    bool negative = next < end && *next == '-';
    next += next < end && (*next == '-' || *next == '+');
    *scan = (struct scan){ .negative = negative, .digits = next };
    int64_t fraction = 0;
    next = take_digits(next, end, &scan->w);
    int64_t n = next - scan->digits;
    if (next < end && *next == point) {
        const char *start = next + 1;
        next = take_digits(start, end, &scan->w);
        fraction = next - start;
        n += fraction;
    }
    if (n == 0)
        return NULL;
    scan->digits_end = next;
    if (n > 19)
        take_long(scan);
    else
        scan->q = -fraction;
    if (next < end && (*next == 'e' || *next == 'E'))
        next = take_exponent(next, end, &scan->q);
    return next;
}

/* The bits of the double nearest to |*scan|, by exact integers. |*scan| must lie between the doubles whose
 * bits are below and below + 2. */
static uint64_t round_exact(const struct scan *scan, uint64_t below)
{
    struct exact a;
    int q = (int)scan->q;
    exact_set(&a, scan->cut ? 0 : scan->w);
    if (scan->cut) {
        int n = 0;
        for (const char *next = scan->digits; next < scan->digits_end && n <= KEPT_DIGITS; next++)
            if (is_digit(*next) && (*next != '0' || (n > 0 && n < KEPT_DIGITS))) {
                exact_multiply(&a, 10, (uint64_t)(*next - '0'));
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

/* The bits of the double nearest to |*scan|. The product is from Eisel and Lemire (Lemire, "Number parsing at
 * a gigabyte per second", 2021); the use of the error bounds is our own. The product hi:lo is known to +-1 in
 * the last place of lo, so only lo == 0 at a midpoint is undecided. If cut is set, the true product is less
 * than hi + 2 + 2^zeros, and exact integers decide. */
static inline uint64_t round_scan(const struct scan *scan)
{
    if (scan->w == 0 || scan->q < LEAST_POWER)
        return 0;
    if (scan->q > 308)
        return infinity;
    int q = (int)scan->q;
    struct power power = power_of_10(q);
    int zeros = __builtin_clzll(scan->w);
    uint64_t w = scan->w << zeros;
    uint128 product = (uint128)w * power.hi + ((uint128)w * power.lo >> 64);
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
    bool unsure = scan->cut || (rest == half && (uint64_t)product == 0);
    return unsure ? round_exact(scan, below) : below + (rest >= half);
}

const char *number_read_decimal(const char *next, const char *end, char point, double *x,
                                struct number_decimal *decimal)
{
    struct scan scan;
    next = scan_number(next, end, point, &scan);
    if (!next)
        return NULL;
    uint64_t bits = round_scan(&scan) | (uint64_t)scan.negative << 63;
    memcpy(x, &bits, sizeof bits);
    decimal->exact = !scan.cut && scan.w < (uint64_t)NUMBER_EXACT && scan.q >= -18 && scan.q <= 0;
    int64_t digits = decimal->exact ? (int64_t)scan.w : 0;
    decimal->digits = scan.negative ? -digits : digits;
    decimal->exp10 = decimal->exact ? (int)scan.q : 0;
    return next;
}

const char *number_read(const char *next, const char *end, char point, double *x)
{
    struct number_decimal unused;
    return number_read_decimal(next, end, point, x, &unused);
}

int number_decimals(const char *text, size_t n, char point)
{
    const char *end = text + n, *at = text;
    int decimals = 0;
    bool after_point = false;
    if (at < end && (*at == '+' || *at == '-'))
        at++;
    for (; at < end && (is_digit(*at) || *at == point); at++) {
        decimals += after_point && is_digit(*at);
        after_point |= *at == point;
    }
    bool exponent = at < end && (*at == 'e' || *at == 'E');
    return exponent ? NUMBER_SHORTEST : decimals;
}
