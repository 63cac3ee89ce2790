/* Finds the name with the least edit distance from a mistyped word: letters inserted, left out, changed, or
 * swapped with the next. */
#include "base/suggest.h"

#include <ctype.h>
#include <stdbool.h>
#include <string.h>
#include <strings.h>

enum { LONGEST = 63, FAR = 1000 };

static size_t least(size_t a, size_t b)
{
    return a < b ? a : b;
}

/* The edit distance of a and b with swaps (optimal string alignment), without regard to letter case. */
static size_t distance(const char *a, const char *b)
{
    size_t na = strlen(a), nb = strlen(b);
    if (na > LONGEST || nb > LONGEST)
        return FAR;
    size_t rows[3][LONGEST + 1], *before = rows[0], *last = rows[1], *now = rows[2];
    for (size_t j = 0; j <= nb; j++)
        last[j] = before[j] = j;
    for (size_t i = 1; i <= na; i++) {
        now[0] = i;
        for (size_t j = 1; j <= nb; j++) {
            bool same = tolower((unsigned char)a[i - 1]) == tolower((unsigned char)b[j - 1]);
            now[j] = least(least(now[j - 1], last[j]) + 1, last[j - 1] + !same);
            if (i > 1 && j > 1 && tolower((unsigned char)a[i - 1]) == tolower((unsigned char)b[j - 2]) &&
                tolower((unsigned char)a[i - 2]) == tolower((unsigned char)b[j - 1]))
                now[j] = least(now[j], before[j - 2] + 1);
        }
        size_t *spare = before;
        before = last;
        last = now;
        now = spare;
    }
    return last[nb];
}

void suggest_offer(struct suggestion *s, const char *name)
{
    size_t nword = strlen(s->word), n = distance(s->word, name);
    if (nword >= 2 && n > 1 && strncasecmp(name, s->word, nword) == 0)
        n = 1;
    if (nword && n <= (nword + 2) / 3 && n < strlen(name) && (!s->best || n < s->apart)) {
        s->best = name;
        s->apart = n;
    }
}
