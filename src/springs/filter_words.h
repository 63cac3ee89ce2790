/* Words about a filter, for help, manual, messages and names of columns: texts, abilities, outputs, and
 * options that would give an equal filter. */
#ifndef SPRUNG_SPRINGS_FILTER_WORDS_H
#define SPRUNG_SPRINGS_FILTER_WORDS_H

#include "springs/filter.h"

struct filter_words {
    const char *summary;  /* one line for lists, lower case, no dot */
    const char *about;    /* paragraphs for help and manual: what it does, when to use it and when not */
    const char *equation; /* the update by a step of T seconds, and how options are converted to its
                           * symbols: lines of at most 76 columns */
    const char *examples; /* two command lines, the second on a new line, on files that help.bats makes */
};

/* One output column of a channel: its name is the channel's name followed by suffix. */
struct output {
    char suffix[48]; /* "" for the filtered value itself, "_vel", "_acc", "@2.5", "_vel@0.1" */
    int derivative;  /* 0, 1, 2: columns above --derivatives are left out */
};

/* The filter's output o with these settings. */
struct output filter_output(const struct filter *filter, const void *settings, size_t o);

/* The values of other options that give a filter of the same width. */
struct equivalents {
    double halflife, lag; /* seconds, of one pass */
    double cutoff;        /* Hz, with zero phase of both passes together */
};

/* Sets *to from checked settings. False: the filter has no continuous equation, or a value is not known. */
bool filter_equivalents(const void *settings, bool zero_phase, struct equivalents *to);

/* Refuses --zero-phase for a filter other than butterworth; the hint names the cutoff that the checked
 * settings have. */
bool filter_check_zero_phase(const struct filter *filter, const void *settings, struct error *e);

/* The options of a filter in words, for --verbose and --report. */
enum { PARAMETERS_LINE = 1000 }; /* bytes of a line */

/* Writes checked settings as given, with defaults: "critical: halflife 0.1, goal-velocity zero". */
void parameters_given(const struct filter *filter, const void *settings, char line[PARAMETERS_LINE]);

/* Writes the options that would give the same filter: "equivalent to halflife 0.1 s, lag 0.14427 s, cutoff
 * …". False: there are none. */
bool parameters_equivalent(const struct filter *filter, const void *settings, bool zero_phase,
                           char line[PARAMETERS_LINE]);

#endif
