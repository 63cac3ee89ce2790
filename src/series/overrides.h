/* Other parameters of the same filter for some channels: --set LIST:option=value.
 * Invariant: all overrides of a series have one shape, so that every channel has the same columns. */
#ifndef SPRUNG_SERIES_OVERRIDES_H
#define SPRUNG_SERIES_OVERRIDES_H

#include "base/messages.h"
#include "rows/columns.h"
#include "springs/filter.h"

#include <stdatomic.h>

/* One --set. */
struct override {
    char *list;                /* of columns; owned */
    const struct param *param; /* of the filter */
    void *value;               /* settings of which only the parameter's field counts */
    atomic_bool used;          /* it named a channel of an input */
};

struct override_list {
    struct override *at; /* owned, with values and given */
    size_t n;
    void *given; /* the filter's settings as the command line gives them, before the filter's check */
};

/* Parses each --set. settings are not checked yet; a copy is kept. *list is zeroed before, and freed by
 * override_list_free after, also on error. */
bool override_list_parse(struct override_list *list, const struct filter *filter, const struct texts *sets,
                         const void *settings, struct error *e);
void override_list_free(struct override_list *list);

/* The settings of every channel. */
struct overrides {
    const struct filter *filter;
    const struct columns *columns;
    size_t n;
    const void **settings; /* [n] checked; the first are the command line's own. Owned, with what is below */
    size_t *of;            /* [nchannel] which of them a channel has */
};

/* Applies the list to the channels of an input; settings are the command line's, checked. *s is zeroed
 * before; its settings are to be freed after, also on error. An override that names no channel is an error,
 * or with several inputs a note in messages. */
bool overrides_collect(struct overrides *s, const struct columns *t, const struct filter *filter,
                       const struct override_list *list, const void *settings, bool several,
                       struct messages *messages, const char *file, struct error *e);

/* --- in words, for --verbose and --report --- */

enum { PARAMETERS_LINE = 1000 }; /* bytes of a line; the names of channels are cut */

/* Set k as given, with defaults: "critical: halflife 0.1, goal-velocity zero; channels "x", "y"" (these where
 * there are several sets). */
void parameters_given(const struct overrides *sets, size_t k, char line[PARAMETERS_LINE]);

/* The other options that would set the same: "equivalent to halflife 0.1 s, lag 0.14427 s, …". False where
 * the filter has none. */
bool parameters_equivalent(const struct overrides *sets, size_t k, char line[PARAMETERS_LINE]);

#endif
