/* Patterns. See glob.h. The rules are those of fnmatch() of POSIX without flags, but for classes such as
 * [:alpha:]. */
#include "base/glob.h"

#include <stddef.h>

/* Matches c against the text after a [. Returns the text after the closing bracket, and sets *found; NULL:
 * no closing bracket. */
static const char *match_bracket(const char *text, unsigned char c, bool *found)
{
    bool inverted = *text == '!' || *text == '^';
    const char *first = text + inverted;
    *found = false;
    for (text = first; *text && (*text != ']' || text == first);) {
        text += *text == '\\' && text[1];
        unsigned char low = (unsigned char)*text++, high = low;
        if (text[0] == '-' && text[1] && text[1] != ']') {
            text += text[1] == '\\' && text[2] ? 2 : 1;
            high = (unsigned char)*text++;
        }
        *found = *found || (low <= c && c <= high);
    }
    *found = *found != inverted;
    return *text ? text + 1 : NULL;
}

/* Matches c, no NUL, against the first part of the pattern, no star. Returns the pattern after the part;
 * NULL: c does not match. */
static const char *match_byte(const char *glob, unsigned char c)
{
    bool found = false;
    if (*glob == '?')
        return glob + 1;
    if (*glob == '[') {
        const char *after = match_bracket(glob + 1, c, &found);
        if (after)
            return found ? after : NULL;
    }
    glob += *glob == '\\' && glob[1];
    return (unsigned char)*glob == c ? glob + 1 : NULL;
}

bool glob_matches(const char *glob, const char *text)
{
    const char *star = NULL; /* the pattern after the last star */
    const char *from = NULL; /* the star matches the text up to here */
    while (*text || *glob == '*') {
        if (*glob == '*') {
            star = ++glob;
            from = text;
            continue;
        }
        const char *after = match_byte(glob, (unsigned char)*text);
        if (after) {
            glob = after;
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
