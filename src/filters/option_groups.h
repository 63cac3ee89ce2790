/* Which of several options were given, for the relations between them that a filter's check() tests.
 * Ranges of single options are not its business: the parameter table states them. */
#ifndef SPRUNG_GIVEN_H
#define SPRUNG_GIVEN_H

#include "base/error.h"

struct given {
    const char *name; /* without dashes */
    double value;     /* NaN: not given */
};

/* Exactly one of the n must be given: sets *which. */
bool given_one(const char *filter, const struct given *option, size_t n, size_t *which, struct error *e);

/* All of the n must be given. who: "second-order", "damper --method lerp". */
bool given_all(const char *who, const struct given *option, size_t n, struct error *e);

/* None of the n may be given, as what ("--method euler") has no use for them. */
bool given_none(const char *what, const struct given *option, size_t n, struct error *e);

/* What the option was turned into must be positive and finite, and its square too, or else it is out of
 * range. */
bool given_fits(const struct given *option, double derived, struct error *e);

#endif
