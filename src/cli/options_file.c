/* Files of options: read, and split into words in place. See options.h. */
#include "cli/options.h"

#include "base/array.h"

#include <stdlib.h>

enum { MAXBYTES = 1 << 20 };

static const char blanks[] = " \t\r\n";

/* Copies the word that begins at `at` to *to, where *to <= at, without its quotes, and moves *to to the end
 * of the copy. Returns the first byte after the word; NULL: a quote is not closed on its line. */
static char *copy_word(char *at, char **to)
{
    char quote = 0;
    for (; *at && (quote ? *at != '\n' : !strchr(blanks, *at)); at++) {
        if (*at == quote)
            quote = 0;
        else if (!quote && (*at == '\'' || *at == '"'))
            quote = *at;
        else
            *(*to)++ = *at;
    }
    return quote ? NULL : at;
}

/* Splits words->bytes, which is changed in place, into words. */
static bool split_words(struct option_words *words, struct error *e)
{
    char *to = words->bytes, *at = to;
    uint64_t line = 1;
    const size_t most = strlen(to) / 2 + 3; /* words have blanks between; one more word, and NULL */
    if (!arrays_make(e, ARRAY(words->word, most), ARRAY(words->line, most)))
        return false;
    words->n = 1;
    while (*at) {
        if (strchr(blanks, *at)) {
            line += *at++ == '\n';
        } else if (*at == '#') {
            at += strcspn(at, "\n");
        } else {
            words->line[words->n] = line;
            words->word[words->n++] = to;
            at = copy_word(at, &to);
            if (!at) {
                error_usage(e, "a quote is not closed on this line");
                return error_place(e, line);
            }
            line += *at == '\n';
            at += *at != 0;
            *to++ = 0;
        }
    }
    return true;
}

bool option_words_read(struct option_words *words, const char *name, struct error *e)
{
    size_t n;
    words->bytes = source_text(name, MAXBYTES, &n, e);
    if (!words->bytes) {
        e->hint[0] = 0; /* the hint is about files of series */
        return false;
    }
    if (n > MAXBYTES)
        return error_usage(e, "an options file can be at most 1 MiB");
    return split_words(words, e);
}
