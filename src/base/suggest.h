/* The name that is most like a mistyped word, for "did you mean". */
#ifndef SPRUNG_BASE_SUGGEST_H
#define SPRUNG_BASE_SUGGEST_H

#include <stddef.h>

/* Only the word is set before the names are offered. */
struct suggestion {
    const char *word;
    const char *best; /* the nearest name so far, the first of equals; NULL: none is near */
    size_t apart;     /* its distance */
};

/* Names are near that differ in letter case, by a missing end, or by about one mistake in three letters. */
void suggest_offer(struct suggestion *s, const char *name);

#endif
