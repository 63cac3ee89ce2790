/* The name that is most like a mistyped word, for "did you mean". Names come from a getter: name i, NULL
 * after the last. */
#ifndef SPRUNG_BASE_SUGGEST_H
#define SPRUNG_BASE_SUGGEST_H

#include <stddef.h>

typedef const char *suggest_getter(size_t i, void *closure);

/* The nearest name, or NULL when none is near: names may differ in letter case, by a missing end, or by about
 * one mistake in three letters. */
const char *suggest_name(const char *word, suggest_getter *name, void *closure);

/* A getter over a NULL-terminated array of strings (the closure). */
const char *suggest_string(size_t i, void *strings);

#endif
