/* The name nearest to a mistyped word, for "did you mean". */
#ifndef SPRUNG_BASE_SUGGEST_H
#define SPRUNG_BASE_SUGGEST_H

#include <stddef.h>

/* The caller sets word, leaves the other members zero, and offers every name. */
struct suggestion {
    const char *word; /* the mistyped word */
    const char *best; /* the nearest name so far, of equally near names the first; NULL: no name is near */
    size_t apart;     /* edit distance of word and best */
};

/* Sets best and apart if the name is near the word and nearer than best. A name is near the word if they
 * differ in letter case only, if the word has three letters or more and is the beginning of the name, or if
 * there is at most about one mistake in three letters. */
void suggest_offer(struct suggestion *suggestion, const char *name);

#endif
