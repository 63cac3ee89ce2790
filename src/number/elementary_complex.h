/* elementary.h for complex numbers. */
#ifndef SPRUNG_NUMBER_ELEMENTARY_COMPLEX_H
#define SPRUNG_NUMBER_ELEMENTARY_COMPLEX_H

#include "number/elementary.h"

#include <complex.h>
#include <math.h>

/* exp(i angle) */
static inline double _Complex elementary_turn(double angle)
{
    return elementary_cos(angle) + I * elementary_sin(angle);
}

static inline double elementary_cabs(double _Complex z)
{
    return elementary_hypot(creal(z), cimag(z));
}

static inline double elementary_carg(double _Complex z)
{
    return elementary_atan2(cimag(z), creal(z));
}

/* a / b without overflow in between (Smith, "Algorithm 116: Complex division", 1962). That of the compiler is
 * a function of its library, which uses fma where the processor has it. */
static inline double _Complex elementary_quotient(double _Complex a, double _Complex b)
{
    double re = creal(b), im = cimag(b);
    if (fabs(re) >= fabs(im)) {
        double ratio = im / re, divisor = re + im * ratio;
        return (creal(a) + cimag(a) * ratio) / divisor + I * ((cimag(a) - creal(a) * ratio) / divisor);
    }
    double ratio = re / im, divisor = re * ratio + im;
    return (creal(a) * ratio + cimag(a)) / divisor + I * ((cimag(a) * ratio - creal(a)) / divisor);
}

#endif
