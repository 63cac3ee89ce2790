/* The nearest of some names to a mistyped word, for "did you mean". Knows nothing of what the names are.
 * Names come from a getter: name i, NULL after the last. */
#ifndef SPRUNG_SUGGEST_H
#define SPRUNG_SUGGEST_H

#include <stddef.h>

typedef const char *suggest_getter(size_t i, void *closure);

/* The nearest name, or NULL when none is near: letter case, a missing tail, or about one slip in three
 * letters apart. */
const char *suggest_name(const char *word, suggest_getter *name, void *closure);

/* A getter over a NULL-terminated array of strings (the closure). */
const char *suggest_string(size_t i, void *strings);

#endif
