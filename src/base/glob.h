/* Patterns as in shells: * any text, ? any byte, [a-c] one of some bytes, [!a-c] none of them, \ before a
 * byte that means itself. */
#ifndef SPRUNG_BASE_GLOB_H
#define SPRUNG_BASE_GLOB_H

#include <stdbool.h>

/* Does the pattern match the whole text? A bracket without its end means itself. */
bool glob_matches(const char *glob, const char *text);

#endif
