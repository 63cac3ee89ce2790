/* Patterns: * is any text, ? any byte, and every other byte itself. */
#ifndef SPRUNG_BASE_GLOB_H
#define SPRUNG_BASE_GLOB_H

#include <stdbool.h>

/* Does the pattern match the whole text? */
bool glob_matches(const char *glob, const char *text);

#endif
