/* Checks the options that say where outputs go. See targets.h. */
#include "run/targets.h"

#include "formats/input.h"
#include <ctype.h>
#include <string.h>
#include <strings.h>

enum { MAXSUFFIX = 7 /* bytes of a suffix that may be a format's; suffixes of mktemp are longer */ };

/* Checks that --join has a single output, that the order of the inputs is given, and that standard input is
 * named once at most. */
static bool check_join(const struct output_settings *o, const struct texts *operands, struct error *e)
{
    const char *other = o->files_from ? "--files-from" : "--recursive";
    size_t nstandard = 0;
    if (o->in_place || o->output_dir) {
        error_usage(e, "--join makes one output of all inputs, and %s one of each",
                    o->in_place ? "--in-place" : "--output-dir");
        return error_hint(e, "name the output with --output FILE");
    }
    if (o->files_from || o->recursive) {
        error_usage(e, "--join takes the inputs in the order of the command line, and %s names others",
                    other);
        return error_hint(e, "name all inputs on the command line");
    }
    for (size_t i = 0; i < operands->ntext; i++)
        nstandard += strcmp(operands->text[i], "-") == 0;
    return nstandard < 2 ||
           error_usage(e, "--join: standard input can be read once, and is named %zu times", nstandard);
}

/* Checks that the options name one place for the output, and a place for every input. */
static bool check_places(const struct output_settings *o, const struct texts *operands, struct error *e)
{
    const char *first = o->output ? "--output" : "--output-dir";
    const char *second = o->in_place ? "--in-place" : "--output-dir";
    if ((o->output != NULL) + (o->output_dir != NULL) + (o->in_place != NULL) > 1)
        return error_usage(e, "%s and %s: one place for the output is enough", first, second);
    bool list = o->files_from != NULL;
    if (o->join && !check_join(o, operands, e))
        return false;
    size_t noperand = o->join ? 1 : operands->ntext;
    if ((noperand > 1 || list || o->recursive) && !o->output_dir && !o->in_place) {
        if (list || o->recursive)
            error_usage(e, "%s names several inputs, and there is one output",
                        list ? "--files-from" : "--recursive");
        else
            error_usage(e, "%zu inputs, and one output", noperand);
        return error_hint(e, "give --output-dir DIR for a file each, or --in-place to replace the files");
    }
    return noperand > 0 || list || !o->in_place || error_usage(e, "--in-place: no file is given");
}

static bool check_together(const struct output_settings *o, const struct texts *operands, struct error *e)
{
    if (!check_places(o, operands, e))
        return false;
    if (o->suffix && !o->output_dir) {
        error_usage(e, "--suffix belongs to --output-dir");
        return o->in_place ? error_hint(e, "to keep the old file: --in-place=SUFFIX") : false;
    }
    if (o->null && !o->files_from)
        return error_usage(e, "--null belongs to --files-from");
    if ((o->update || o->parents) && !o->output_dir)
        return error_usage(e, "%s belongs to --output-dir", o->update ? "--update" : "--parents");
    if (o->include.ntext && !o->recursive)
        return error_usage(e, "--include belongs to --recursive");
    if ((o->suffix && strchr(o->suffix, '/')) || (o->in_place && strchr(o->in_place, '/')))
        return error_usage(e, "a suffix is a part of a name: it has no slash");
    if (o->in_place && o->to) {
        error_usage(e, "--to with --in-place: the file's name would not match its format");
        return error_hint(e, "--output-dir writes files with matching names");
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
    return name[n] || n == ndigit || n > MAXSUFFIX ||
           input_refuse_format("--output", name, "; --to writes any of them under this name", e);
}

bool output_options_check(const struct output_settings *o, const struct texts *operands, struct error *e)
{
    return check_together(o, operands, e) && (o->to || check_suffix(o->output, operands, e));
}
