/* Conversion between text and double, correctly rounded both ways, without locale, allocation or library
 * call. Invariant: with the shortest format number_read(number_print(x)) == x bit for bit, for every finite x
 * except -0. */
#ifndef SPRUNG_NUMBER_NUMBER_H
#define SPRUNG_NUMBER_NUMBER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { NUMBER_SHORTEST = -1 };

struct number_format {
    int decimals; /* digits after the point, 0..17, as printf %.*f; NUMBER_SHORTEST: the shortest decimal that
                     reads back to the same double */
    char point;   /* '.' or ',' */
};

extern const struct number_format number_shortest; /* with the point '.' */

enum {
    NUMBER_MAX = 352 /* bytes that number_print may write: 309 digits, sign, point, 17 decimals, and slack */
};

/* Reads the longest number [+-]digits[.digits][e[+-]digits] (also ".5" and "5.") that begins at `next`,
 * next < end, with any number of digits. point is '.' or ','. Stores the correctly rounded double in *x and
 * returns the first byte after the number; NULL: no number begins at `next`. Blanks are not skipped. A number
 * too large for a double stores infinity (which the caller must refuse); a number too small stores 0 or a
 * denormal double. No byte at or after end is read. */
const char *number_read(const char *next, const char *end, char point, double *x);

/* The limit of |digits| in a struct number_decimal. The limit is above the nanoseconds from 1970 to any time
 * of this century, and the difference of two `digits` below the limit does not overflow. */
#define NUMBER_EXACT ((int64_t)1 << 62)

/* A number as an exact decimal, digits * 10^exp10. Zeros at the end of the text count: "1.50" is 150 * 10^-2,
 * so numbers with equally many decimals have equal exp10. */
struct number_decimal {
    int64_t digits; /* below NUMBER_EXACT in magnitude; has no meaning if exact is false */
    int exp10;      /* from -18 to 0; has no meaning if exact is false */
    bool exact;     /* digits and exp10 are the number */
};

/* As number_read; also sets *decimal. */
const char *number_read_decimal(const char *next, const char *end, char point, double *x,
                                struct number_decimal *decimal);

/* Digits after the point of the number in text[n]; 0 without a point or a digit; NUMBER_SHORTEST: the number
 * has an exponent. */
int number_decimals(const char *text, size_t n, char point);

/* Prints finite x into buf (at least NUMBER_MAX bytes) without NUL; returns the length. Rounding is correct:
 * half to even, of decimals on the exact binary value. -0, and numbers that round to 0, print as 0
 * without a sign ("0", "0.00"). NUMBER_SHORTEST: plain digits for 1e-5 <= |x| < 1e17, else an exponent with
 * at least two digits ("1e-07", "1.5e+300"). Decimals: plain digits for |x| < 2^64, else as NUMBER_SHORTEST.
 */
size_t number_print(char *buf, double x, const struct number_format *format);

extern const double number_power_of_10[23]; /* every power is exact */

/* x * 10^exp10. Rounds once if x is exact and |exp10| <= 22, because powers of ten up to 10^22 are exact. */
double number_scale(double x, int exp10);

/* The double nearest to x rounded to `digits` significant decimal digits, for ordinary sizes of x. */
double number_round(double x, int digits);

/* The unit of the last decimal that n numbers show: 0.01 where the one with the most decimals has two. 0: a
 * number has more than `most` decimals. Number i is number[i * stride]. Decimals count to the rounding of a
 * double. NaN is left out. */
double number_unit(const double *number, size_t stride, size_t n, int most);

/* As number_print, for an exact decimal: plain digits, without zeros at the end of a fraction. */
size_t number_print_decimal(char *buf, const struct number_decimal *decimal, char point);

#endif
