/* Conversion between text and double, correctly rounded both ways, without locale, allocation or library
 * call. Invariant: number_read(number_print(x)) == x bit for bit with the shortest format, for finite x but
 * -0. */
#ifndef SPRUNG_NUMBER_NUMBER_H
#define SPRUNG_NUMBER_NUMBER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum number_style {
    NUMBER_SHORTEST,  /* the shortest decimal that reads back to the same double */
    NUMBER_PRECISION, /* digits significant digits, as printf %.*g: without the zeros at the end */
    NUMBER_DECIMALS   /* digits after the point, as printf %.*f */
};

struct number_format {
    enum number_style style;
    int digits; /* PRECISION: 1..17; DECIMALS: 0..17 */
    char point; /* '.' or ',' */
};

extern const struct number_format number_shortest; /* with '.' */

enum {
    NUMBER_MAX = 352 /* bytes that number_print may write: 309 digits, sign, point, 17 decimals, and slack */
};

/* Reads the longest number [+-]digits[.digits][e[+-]digits] (also ".5" and "5.") that begins at p, p < end;
 * point is '.' or ','. Returns the first byte after it and stores the correctly rounded double in *x; NULL
 * when there is none at p. No blanks are skipped. A value too large for a double stores infinity (the
 * caller's error); one too small stores 0 or a denormal. Any number of digits. May read no byte at or past
 * end. */
const char *number_read(const char *p, const char *end, char point, double *x);

/* The same number also as an exact decimal: *x == digits * 10^exp10 before rounding. The digits are those of
 * the text with its zeros at the end, up to 19: "1.50" is 150, -2; so rows written with as many decimals have
 * the same exp10. exact is false when they make NUMBER_EXACT or more, or exp10 is outside -99..99; then only
 * *x holds. The nanoseconds of this century are less; no difference of two overflows. */
#define NUMBER_EXACT ((int64_t)1 << 62)

struct number_decimal {
    int64_t digits;
    int exp10;
    bool exact;
};
const char *number_read_decimal(const char *p, const char *end, char point, double *x,
                                struct number_decimal *d);

/* Digits after the point of a number of n bytes, as it is spelled; -1 if it has an exponent, or more digits
 * than NUMBER_DECIMALS prints. */
int number_decimals(const char *text, size_t n, char point);

/* Prints finite x into buf (at least NUMBER_MAX bytes), no NUL; returns the length. -0 and what rounds to it
 * print as 0, without sign ("0", "0.00"). SHORTEST: plain digits for 1e-5 <= |x| < 1e17, else d.ddde-07 style
 * with at least two exponent digits ("1e-07", "1.5e+300"). PRECISION: the same two notations, but where
 * printf %.*g changes over: plain digits for 1e-4 <= |x| < 10^digits. DECIMALS: always plain. Correct
 * rounding (half to even on the exact binary value). */
size_t number_print(char *buf, double x, const struct number_format *format);

/* x rounded to so many significant digits: the double that these stand for. */
double number_round(double x, int digits);

/* Prints an exact decimal, with as much room: plain digits, no zeros at the end of a fraction. */
size_t number_print_decimal(char *buf, const struct number_decimal *d, char point);

#endif
