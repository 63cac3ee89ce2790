/* Other parameters of the same filter for some channels: --set LIST:option=value.
 * Invariant: all overrides of a series have one shape, so that every channel has the same columns. */
#ifndef SPRUNG_TUNINGS_H
#define SPRUNG_TUNINGS_H

#include "cli/options.h"
#include "rows/columns.h"

struct overrides {
    size_t n;
    const void **settings; /* [n] checked; the first are the command line's own, the others are owned */
    size_t *of;            /* [nchannel] which one a channel has */
};

/* Judges what can be judged of each --set before there are columns: its form, the option, the value. */
bool overrides_check(const struct filter *filter, const struct texts *sets, struct error *e);

/* The settings of every channel. given are those of the command line as they were before the filter's check,
 * settings the same after it. A zeroed *s is filled; overrides_free in any case. */
bool overrides_collect(struct overrides *s, const struct columns *t, const struct filter *filter,
                     const struct texts *sets, const void *given, const void *settings, struct error *e);
void overrides_free(struct overrides *s);

#endif
