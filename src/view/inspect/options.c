/* The options of the command line that would clean a file. See advice.h. */
#include "view/inspect/advice.h"

#include <stdlib.h>
#include <string.h>

const char *const inspect_option_names[INSPECT_OPTIONS] = {
    "from",       "delimiter", "header",   "decimal",     "records",    "time",    "columns",
    "no-header",  "time-unit", "analog",   "rate",        "group-by",   "missing", "exclude",
    "mask",       "angles",    "period",   "quaternions", "despike",    "gaps",    "max-gap",
    "zero-phase", "cutoff",    "halflife", "derivatives", "output-dir",
};

/* Adds an entry to a list, if it is not in it yet. */
static void join(struct text *list, const char *separator, const char *entry)
{
    const size_t n = strlen(entry), between = strlen(separator);
    for (const char *at = list->bytes; at;) {
        if (strncmp(at, entry, n) == 0 && (at[n] == 0 || strncmp(at + n, separator, between) == 0))
            return;
        at = strstr(at, separator);
        at = at ? at + between : NULL;
    }
    text_put(list, "%s%s", list->n > 0 ? separator : "", entry);
}

struct inspect_option *inspect_option_of(struct inspect_advice *advice, const char *name)
{
    size_t k = 0;
    while (strcmp(inspect_option_names[k], name) != 0)
        k++;
    return &advice->option[k];
}

void inspect_advise(struct inspect_advice *advice, const char *name, const char *value, const char *why)
{
    struct inspect_option *option = inspect_option_of(advice, name);
    if (value)
        join(&option->value, ",", value);
    join(&option->why, ", ", why);
}

bool inspect_is_advised(struct inspect_advice *advice, const char *name)
{
    return inspect_option_of(advice, name)->why.n > 0;
}

void inspect_drop_option(struct inspect_advice *advice, const char *name)
{
    struct inspect_option *option = inspect_option_of(advice, name);
    free(option->value.bytes);
    free(option->why.bytes);
    *option = (struct inspect_option){ 0 };
}

void inspect_advice_free(struct inspect_advice *advice)
{
    for (size_t k = 0; k < INSPECT_OPTIONS; k++)
        inspect_drop_option(advice, inspect_option_names[k]);
}
