/* elementary.h for complex numbers. */
#ifndef SPRUNG_NUMBER_ELEMENTARY_COMPLEX_H
#define SPRUNG_NUMBER_ELEMENTARY_COMPLEX_H

#include "number/elementary.h"

#include <complex.h>

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

#endif
