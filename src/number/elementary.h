/* Elementary functions that give the same bytes on every machine. The C library's do not: their last digit
 * depends on the library, its version and the processor. These use IEEE +, -, *, / and square roots alone.
 * Their error is below 0.502 units in the last place, so nearly all results are correctly rounded. NaN,
 * infinities and zeros are those of C17 Annex F. */
#ifndef SPRUNG_NUMBER_ELEMENTARY_H
#define SPRUNG_NUMBER_ELEMENTARY_H

double elementary_exp(double x);
double elementary_expm1(double x);
double elementary_log(double x);
double elementary_log1p(double x);
double elementary_log10(double x);

/* x^y for x >= 0; NaN for x < 0. Its error is below 0.51 units in the last place. */
double elementary_pow(double x, double y);

/* A result below 2^-1022 is rounded twice. */
double elementary_hypot(double x, double y);

/* x in radians: any finite x, however large. */
double elementary_sin(double x);
double elementary_cos(double x);

double elementary_atan2(double y, double x);

/* atan2 to 70 bits, as the sum of both parts. */
struct elementary_angle {
    double high, low;
};

struct elementary_angle elementary_atan2_parts(double y, double x);

#endif
