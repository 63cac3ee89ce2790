/* Finds the name with the smallest edit distance from a mistyped word. Letters may be inserted, left out,
 * changed, or swapped with a neighbour. */
#include "base/suggest.h"

#include <ctype.h>
#include <stdbool.h>
#include <string.h>
#include <strings.h>

enum { LONGEST = 63, FAR = 1000 }; /* letters of a word that is compared; distance of longer words */

static size_t smaller(size_t a, size_t b)
{
    return a < b ? a : b;
}

static bool same_letter(char a, char b)
{
    return tolower((unsigned char)a) == tolower((unsigned char)b);
}

/* The edit distance of a and b with swaps (optimal string alignment), without regard to letter case. */
static size_t distance(const char *a, const char *b)
{
    size_t na = strlen(a), nb = strlen(b);
    if (na > LONGEST || nb > LONGEST)
        return FAR;
    /* d[i][j]: distance of the first i letters of a and the first j letters of b */
    size_t d[LONGEST + 1][LONGEST + 1];
    for (size_t i = 0; i <= na; i++)
        for (size_t j = 0; j <= nb; j++) {
            d[i][j] = i + j;
            if (i == 0 || j == 0)
                continue;
            d[i][j] = smaller(smaller(d[i][j - 1], d[i - 1][j]) + 1,
                              d[i - 1][j - 1] + !same_letter(a[i - 1], b[j - 1]));
            if (i > 1 && j > 1 && same_letter(a[i - 1], b[j - 2]) && same_letter(a[i - 2], b[j - 1]))
                d[i][j] = smaller(d[i][j], d[i - 2][j - 2] + 1);
        }
    return d[na][nb];
}

void suggest_offer(struct suggestion *suggestion, const char *name)
{
    size_t nword = strlen(suggestion->word), n = distance(suggestion->word, name);
    const bool begins = strncasecmp(name, suggestion->word, nword) == 0;
    if (n > 1 && nword >= 3 && begins)
        n = 1;
    if (nword && n <= (nword + 1) / 3 && n < strlen(name) && (!suggestion->best || n < suggestion->apart)) {
        suggestion->best = name;
        suggestion->apart = n;
    }
}
