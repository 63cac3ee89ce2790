/* Patterns. See glob.h. */
#include "base/glob.h"

#include <stddef.h>

bool glob_matches(const char *glob, const char *text)
{
    const char *star = NULL; /* the pattern after the last star */
    const char *from = NULL; /* the star matches the text up to here */
    while (*text || *glob == '*') {
        if (*glob == '*') {
            star = ++glob;
            from = text;
        } else if (*glob && (*glob == '?' || *glob == *text)) {
            glob++;
            text++;
        } else if (star) {
            glob = star;
            text = ++from;
        } else {
            return false;
        }
    }
    return *glob == 0;
}
