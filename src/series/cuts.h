/* Cuts: the times at which the target jumps, as the user gives them: a list, a file of times, or the cue
 * points of a recording. Invariant: times are seconds in the series' own time, ascending, none twice. */
#ifndef SPRUNG_SERIES_CUTS_H
#define SPRUNG_SERIES_CUTS_H

#include "base/param.h"
#include "formats/format.h"

struct cuts {
    double *time; /* [ncut], owned */
    size_t ncut, maxcut;
};

/* --cuts: a list of times, or the cue points of a recording. */
struct cut_times {
    bool cue;
    struct cuts list; /* seconds */
};
extern const struct param_type cut_times_type;

/* Where the target jumps, as the command line says; the cut column is a column's role. For filters that take
 * cuts. */
struct cut_settings {
    struct cut_times given;
    const char *from; /* a file; NULL: not given */
    double detect;    /* --detect-cuts K; NaN: not given */
};

/* Collects the times of --cuts and --cuts-from; input is the columns of the series, whose cue points "cue"
 * means. *c is empty before, and freed by cuts_free after, also on error. An error in the file of --cuts-from
 * names it in its text. */
bool cuts_collect(struct cuts *c, const struct cut_settings *settings, const struct columns *input,
                  struct error *e);
void cuts_free(struct cuts *c);

#endif
