/* Files of options: read, and split into words in place. See options.h. */
#include "cli/options.h"

#include "base/array.h"

#include <stdlib.h>

enum { MAXBYTES = 1 << 20 };

static const char blanks[] = " \t\n\r";

/* Copies the word that begins at `at` to *to, where *to <= at, without quotes and backslashes; ends the copy
 * with NUL, and moves *to after the NUL. Returns the first byte after the word and one blank; NULL: a quote
 * is not closed. *line: the line of `at`; becomes the line of the returned byte. */
static char *copy_word(char *at, char **to, uint64_t *line, struct error *e)
{
    char quote = 0;
    uint64_t opened = 0;
    for (; *at && (quote || !strchr(blanks, *at)); at++) {
        if (*at == quote) {
            quote = 0;
        } else if (!quote && (*at == '\'' || *at == '"')) {
            quote = *at;
            opened = *line;
        } else if (*at == '\\' && at[1] && (!quote || (quote == '"' && strchr("$`\"\\\n", at[1])))) {
            if (*++at != '\n')
                *(*to)++ = *at;
        } else {
            *(*to)++ = *at;
        }
        *line += *at == '\n';
    }
    if (quote) {
        error_usage(e, "the quote %c is not closed", quote);
        error_place(e, opened);
        return NULL;
    }
    *line += *at == '\n';
    at += *at != 0;
    *(*to)++ = 0;
    return at;
}

static bool add_word(struct option_words *words, char *word, const char *file, uint64_t line, struct error *e)
{
    if (!array_reserve(&words->word, words->n + 2, &words->maxword, sizeof *words->word, e) ||
        !array_reserve(&words->place, words->n + 1, &words->maxplace, sizeof *words->place, e))
        return false;
    words->place[words->n] = (struct option_place){ file, line };
    words->word[words->n++] = word;
    words->word[words->n] = NULL;
    return true;
}

bool option_words_split(struct option_words *words, const char *file, char *bytes, struct error *e)
{
    char *to = bytes, *at = strncmp(to, "\xEF\xBB\xBF", 3) == 0 ? to + 3 : to;
    uint64_t line = 1;
    while (*at) {
        if (*at == '#') {
            at += strcspn(at, "\n");
        } else if (strchr(blanks, *at) || (at[0] == '\\' && at[1] == '\n')) {
            at += *at == '\\';
            line += *at++ == '\n';
        } else {
            if (!add_word(words, to, file, line, e))
                return false;
            at = copy_word(at, &to, &line, e);
            if (!at)
                return false;
        }
    }
    return true;
}

/* Adds the words of a file. */
static bool add_file(struct option_words *words, const char *name, struct error *e)
{
    size_t n; /* bytes of the file */
    if (!texts_add(&words->files, name, e))
        return false;
    if (strcmp(name, "-") == 0)
        return error_usage(e, "cannot read options from standard input");
    char *bytes = source_text(name, MAXBYTES, &n, e);
    if (!bytes) {
        e->hint[0] = 0; /* the hint is about files of series */
        return false;
    }
    if (!texts_add(&words->bytes, bytes, e)) {
        free(bytes);
        return false;
    }
    if (n > MAXBYTES)
        return error_usage(e, "an options file can be at most 1 MiB");
    if (memchr(bytes, 0, n))
        return error_usage(e, "contains a NUL byte");
    /* CR LF is LF */
    char *to = bytes;
    for (const char *at = bytes; *at; at++)
        if (at[0] != '\r' || at[1] != '\n')
            *to++ = *at;
    *to = 0;
    return option_words_split(words, name, bytes, e);
}

/* The name of the file if argv[*at] is --options, and moves *at to its last word; NULL: another word. */
static const char *file_named(char *const *argv, int *at)
{
    if (strncmp(argv[*at], "--options=", 10) == 0)
        return argv[*at] + 10;
    return strcmp(argv[*at], "--options") == 0 && argv[*at + 1] ? argv[++*at] : NULL;
}

bool option_words_make(struct option_words *words, int argc, char *const *argv, const char **file,
                       struct error *e)
{
    int end = 1; /* options end here */
    while (end < argc && strcmp(argv[end], "--") != 0)
        end++;
    if (!add_word(words, argv[0], NULL, 0, e))
        return false;
    for (int at = 1; at < end; at++) {
        const char *name = file_named(argv, &at);
        if (name && !name[0])
            return error_usage(e, "--options: the value is empty");
        *file = name;
        if (name && !add_file(words, name, e))
            return false;
    }
    *file = NULL;
    for (int at = 1; at < argc; at++)
        if ((at >= end || !file_named(argv, &at)) && !add_word(words, argv[at], NULL, 0, e))
            return false;
    return true;
}

void option_words_free(struct option_words *words)
{
    for (size_t i = 0; i < words->bytes.ntext; i++)
        free((char *)words->bytes.text[i]);
    free(words->bytes.text);
    free(words->files.text);
    free(words->word);
    free(words->place);
}
