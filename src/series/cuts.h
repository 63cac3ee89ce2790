/* The times at which a goal jumps, as the user gives them: a list, a file of times, or the cue points of a recording.
 * Invariant: times are seconds in the series' own time, ascending, none twice. */
#ifndef SPRUNG_CUTS_H
#define SPRUNG_CUTS_H

#include "formats/format.h"
#include "cli/options.h"

struct cuts {
    double *time;   /* [ncut], owned */
    size_t ncut, maxcut;
};

/* Is --cuts a list of times or the word, if it is given? */
bool cuts_check(const struct cut_options *options, struct error *e);

/* Collects what --cuts and --cuts-from say; input is the table of the series, whose cue points "cue" means. *c is empty
 * before, and freed by cuts_free after, also on error. An error in the file of --cuts-from names it in its text. */
bool cuts_collect(struct cuts *c, const struct cut_options *options, const struct columns *input, struct error *e);
void cuts_free(struct cuts *c);

#endif
