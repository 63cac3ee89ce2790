/* Checks the options that say where outputs go. See targets.h. */
#include "run/targets.h"

#include "base/port.h"
#include "base/text.h"
#include "formats/input.h"
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* Bytes of a suffix that may be a format's, as the help says. Suffixes of mktemp are longer. */
enum { MAXSUFFIX = 7 };

/* The first operand without a file; NULL: every operand has one. */
static const char *find_missing(const struct texts *operands)
{
    for (size_t i = 0; i < operands->ntext; i++)
        if (strcmp(operands->text[i], "-") != 0 && !port_exists(operands->text[i]))
            return operands->text[i];
    return NULL;
}

/* The error of several inputs without a place for each. A word that was meant as something else is named
 * first. Returns false. */
static bool refuse_several(const struct texts *operands, struct error *e)
{
    const char *missing = find_missing(operands);
    if (missing) {
        error_usage(e, "there is no such file");
        error_excerpt(e, missing, strlen(missing));
        if (operands->ntext == 2 && missing == operands->text[1] && format_by_file(missing)) {
            char word[TEXT_WORD];
            return error_hint(e, "if it is the output: -o %s", text_quoted(word, missing));
        }
        return error_hint(e, "check the spelling; options begin with --, lists have commas: -c x,y");
    }
    error_usage(e, "%zu inputs, 1 output", operands->ntext);
    return error_hint(e, "use --output-dir DIR or --in-place");
}

/* Checks that the options name one place for the output, and a place for every input. */
static bool check_places(const struct output_settings *settings, const struct texts *operands,
                         struct error *e)
{
    const char *first = settings->output ? "--output" : "--output-dir";
    const char *second = settings->in_place ? "--in-place" : "--output-dir";
    if ((settings->output != NULL) + (settings->output_dir != NULL) + (settings->in_place != NULL) > 1)
        return error_usage(e, "%s cannot be combined with %s", first, second);
    if ((operands->ntext > 1 || settings->recursive) && !settings->output_dir && !settings->in_place) {
        if (!settings->recursive)
            return refuse_several(operands, e);
        error_usage(e, "--recursive can name several inputs, but there is only one output");
        return error_hint(e, "use --output-dir DIR or --in-place");
    }
    return operands->ntext > 0 || !settings->in_place || error_usage(e, "--in-place needs a file");
}

static bool check_together(const struct output_settings *settings, const struct texts *operands,
                           struct error *e)
{
    if (!check_places(settings, operands, e))
        return false;
    if (settings->suffix && !settings->output_dir) {
        error_usage(e, "--suffix needs --output-dir");
        return settings->in_place ? error_hint(e, "to keep a backup, use --in-place=SUFFIX") : false;
    }
    if (settings->update && !settings->output_dir)
        return error_usage(e, "--update needs --output-dir");
    if (settings->include.ntext && !settings->recursive)
        return error_usage(e, "--include needs --recursive");
    if ((settings->suffix && strchr(settings->suffix, '/')) ||
        (settings->in_place && strchr(settings->in_place, '/')))
        return error_usage(e, "a suffix cannot contain a slash");
    if (settings->in_place && settings->to) {
        error_usage(e, "--to cannot be combined with --in-place: the file name would not match the format");
        return error_hint(e, "use --output-dir DIR, which changes the suffix too");
    }
    return true;
}

/* Refuses a name for the output with a suffix that looks like a format's but is unknown: a short word,
 * neither the input's own suffix nor usual for text. */
static bool check_suffix(const char *output, const struct texts *inputs, struct error *e)
{
    static const char *const usual[] = { ".txt", ".dat", ".out", ".log", ".tmp", ".asc" };
    const char *suffix = output ? format_suffix(output) : NULL;
    const char *same = suffix && inputs->ntext ? format_suffix(inputs->text[0]) : NULL;
    if (!suffix || suffix == output || suffix[-1] == '/' || format_by_file(output) ||
        (same && strcasecmp(suffix, same) == 0))
        return true;
    for (size_t i = 0; i < sizeof usual / sizeof *usual; i++)
        if (strcasecmp(suffix, usual[i]) == 0)
            return true;
    const char *name = suffix + 1;
    size_t n = 0, ndigit = strspn(name, "0123456789");
    while (isalnum((unsigned char)name[n]))
        n++;
    if (name[n] || n == ndigit || n > MAXSUFFIX)
        return true;
    const char *known = same && format_by_file(inputs->text[0]) ? same : ".csv";
    char way_out[TEXT_WORD + 120], word[TEXT_WORD];
    char *other = text_format("%.*s%s", (int)(suffix - output), output, known);
    snprintf(way_out, sizeof way_out,
             "try -o %s; to keep this name, add --to FORMAT; for all formats: sprung help formats",
             text_quoted(word, other ? other : "FILE"));
    free(other);
    return input_refuse_format("--output", name, way_out, e);
}

bool output_options_check(const struct output_settings *settings, const struct texts *operands,
                          struct error *e)
{
    return check_together(settings, operands, e) &&
           (settings->to || check_suffix(settings->output, operands, e));
}
