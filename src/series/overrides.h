/* Settings that differ by channel: --set LIST:option=value.
 * Invariant: the settings of all channels in a series have equal shapes. Therefore all channels have equal
 * sets of outputs. */
#ifndef SPRUNG_SERIES_OVERRIDES_H
#define SPRUNG_SERIES_OVERRIDES_H

#include "base/messages.h"
#include "rows/plan.h"
#include "springs/filter.h"

#include <stdatomic.h>

/* One --set. */
struct override {
    char *list;                /* the column list before the colon; owned */
    const struct param *param; /* the filter's option that is set */
    void *value;               /* settings of the filter; only the field of param is set */
    atomic_bool used;          /* true once the list has named a channel of an input */
};

/* Every --set of a filter, as given. */
struct override_list {
    struct override *at; /* [n]; owned; all values and `given` lie in the same allocation */
    size_t n;
    void *given; /* the filter's settings from the command line, before the filter's check */
};

/* Parses each --set. settings: from the command line, not checked yet; the list keeps a copy. *list is zeroed
 * before, and freed by override_list_free after, also on error. */
bool override_list_parse(struct override_list *list, const struct filter *filter, const struct texts *sets,
                         const void *settings, struct error *e);
void override_list_free(struct override_list *list);

/* The settings of every channel. */
struct overrides {
    const struct filter *filter;
    const struct column_plan *plan;
    bool zero_phase;       /* the filter runs with --zero-phase */
    size_t n;              /* number of different settings */
    const void **settings; /* [n] checked; settings[0] are of the command line. Owned, with `of` and the
                              settings of channels in the same allocation */
    size_t *of;            /* [nchannel] index into settings for each channel */
};

/* What the settings of an input's channels are made from. */
struct overrides_source {
    const struct column_plan *plan; /* of the input */
    const struct filter *filter;
    bool zero_phase;                  /* the filter runs with --zero-phase */
    const struct override_list *list; /* every --set */
    const void *settings;             /* of the command line, checked */
    bool several;              /* the input is one of several: a --set may name no channel of this input */
    struct messages *messages; /* with several inputs, receives a note on each --set that names no channel */
    const char *file;          /* name of the input in the notes */
};

/* Applies every --set to the channels of an input. *overrides is zeroed before; the caller frees
 * overrides->settings after, also on error. What the source points to must outlive *overrides. A --set that
 * names no channel is an error, or with several inputs a note. */
bool overrides_collect(struct overrides *overrides, const struct overrides_source *source, struct error *e);

/* --- in words, for --verbose and --report --- */

enum { PARAMETERS_LINE = 1000 }; /* bytes of a line; the names of channels are cut */

/* Writes settings k as given, with defaults: "critical: halflife 0.1, goal-velocity zero; channels "x", "y"".
 * The channels are listed only where there are several settings. */
void parameters_given(const struct overrides *sets, size_t k, char line[PARAMETERS_LINE]);

/* Writes the other options that would give the same filter: "equivalent to halflife 0.1 s, lag 0.14427 s, …".
 * row_lag: seconds of lag on the rows, which stands beside the lag that the option would have; NaN: unknown.
 * False where the filter has no other options. */
bool parameters_equivalent(const struct overrides *sets, size_t k, double row_lag,
                           char line[PARAMETERS_LINE]);

#endif
