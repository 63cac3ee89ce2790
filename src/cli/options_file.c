/* Files of options: read, and split into words in place. See options.h. */
#include "cli/options.h"

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

bool option_file_split(struct option_file *file, struct error *e)
{
    char *to = file->bytes, *at = strncmp(to, "\xEF\xBB\xBF", 3) == 0 ? to + 3 : to;
    uint64_t line = 1;
    /* Words have a blank between them. Two more are for the file's name and NULL, one for rounding. */
    size_t most = strlen(at) / 2 + 3;
    if (!arrays_make(e, ARRAY(file->word, most), ARRAY(file->line, most)))
        return false;
    file->word[file->nword++] = (char *)file->name;
    while (*at) {
        if (*at == '#') {
            at += strcspn(at, "\n");
        } else if (strchr(blanks, *at) || (at[0] == '\\' && at[1] == '\n')) {
            at += *at == '\\';
            line += *at++ == '\n';
        } else {
            file->line[file->nword] = line;
            file->word[file->nword++] = to;
            at = copy_word(at, &to, &line, e);
            if (!at)
                return false;
        }
    }
    return true;
}

/* Reads and splits a file; see struct param_type. */
static bool parse_option_file(const struct param *param, const char *value, void *field, struct error *e)
{
    (void)param;
    size_t n; /* bytes of the file */
    struct option_files *files = field;
    if (!array_reserve(&files->file, files->n + 1, &files->max, sizeof *files->file, e))
        return false;
    struct option_file *file = &files->file[files->n++];
    *file = (struct option_file){ .name = value };
    files->failed = true;
    if (strcmp(file->name, "-") == 0)
        return error_usage(e, "cannot read options from standard input");
    file->bytes = source_text(file->name, MAXBYTES, &n, e);
    if (!file->bytes) {
        e->hint[0] = 0; /* the hint is about files of series */
        return false;
    }
    if (n > MAXBYTES)
        return error_usage(e, "an options file can be at most 1 MiB");
    if (memchr(file->bytes, 0, n))
        return error_usage(e, "contains a NUL byte");
    /* CR LF is LF */
    char *to = file->bytes;
    for (const char *at = file->bytes; *at; at++)
        if (at[0] != '\r' || at[1] != '\n')
            *to++ = *at;
    *to = 0;
    files->failed = !option_file_split(file, e);
    return !files->failed;
}

static void free_files(void *field)
{
    struct option_files *files = field;
    for (size_t i = 0; i < files->n; i++) {
        free(files->file[i].bytes);
        free(files->file[i].word);
    }
    free(files->file);
}

const struct param_type option_files_type = { sizeof(struct option_files), parse_option_file, free_files };
