/* Checks of which options were given, for the relations between options that a filter's check() tests.
 * Ranges of single options are in the option rows. */
#ifndef SPRUNG_OPTION_GROUPS_H
#define SPRUNG_OPTION_GROUPS_H

#include "base/error.h"
#include "base/param.h"

struct given_option {
    const char *name; /* without dashes */
    double value;     /* NaN: not given */
};

/* Exactly one of the n must be given: sets *which. */
bool option_group_one(const char *filter, const struct given_option *option, size_t n, size_t *which,
                      struct error *e);

/* All of the n must be given. who: "second-order", "damper --method lerp". */
bool option_group_all(const char *who, const struct given_option *option, size_t n, struct error *e);

/* None of the n may be given, as who ("damper --method euler") does not take them. */
bool option_group_none(const char *who, const struct given_option *option, size_t n, struct error *e);

/* The coefficient computed from the option must be positive, and it and its square finite and not 0; or else
 * the option is out of range. */
bool option_in_range(const struct given_option *option, double derived, struct error *e);

/* A list must hold at most so many values, each once. */
bool option_list_check(const char *name, const struct numbers *list, size_t most, struct error *e);

#endif
