/* The command line that would clean a file, with a reason for each option, and what to look at before. See
 * advice.h. */
#include "view/inspect/advice.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- options --- */

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

struct inspect_option *inspect_advised(struct inspect_advice *advice, const char *name)
{
    for (size_t k = 0; k < advice->noption; k++)
        if (strcmp(advice->option[k].name, name) == 0 && !advice->option[k].dropped)
            return &advice->option[k];
    return NULL;
}

void inspect_advise(struct inspect_advice *advice, const char *name, const char *value, const char *why)
{
    struct inspect_option *option = inspect_advised(advice, name);
    if (!option && advice->noption == INSPECT_OPTIONS)
        return;
    if (!option) {
        option = &advice->option[advice->noption++];
        option->name = name;
    }
    if (value)
        join(&option->value, ",", value);
    join(&option->why, ", ", why);
}

void inspect_advice_free(struct inspect_advice *advice)
{
    for (size_t k = 0; k < advice->noption; k++) {
        free(advice->option[k].value.bytes);
        free(advice->option[k].why.bytes);
    }
    for (size_t k = 0; k < advice->nnote; k++)
        free(advice->note[k].bytes);
    free(advice->command.bytes);
    free(advice->why_not.bytes);
}

/* Shared times are replaced by the rate. A column that --time names stays as it is. */
static void advise_rate(struct inspect_advice *advice)
{
    char value[40], why[120];
    struct inspect_option *time = inspect_advised(advice, "time");
    struct inspect_option *unit = inspect_advised(advice, "time-unit");
    if (inspect_advised(advice, "rate"))
        return;
    if (advice->untimed)
        inspect_advise(advice, "rate", "1", "no time column found: put your rows per second here");
    if (advice->untimed || advice->rate == 0 || inspect_advised(advice, "group-by"))
        return;
    snprintf(value, sizeof value, "%.10g", advice->rate);
    snprintf(why, sizeof why,
             "%llu rows share their time with the row before: use this row rate instead of the times",
             (unsigned long long)advice->nshared);
    inspect_advise(advice, "rate", value, why);
    if (time && time->value.bytes)
        inspect_advise(advice, "exclude", time->value.bytes, "times, replaced by the row rate");
    if (time)
        time->dropped = true;
    if (unit)
        unit->dropped = true;
}

static void advise_values(struct inspect_advice *advice)
{
    char value[40], why[120];
    if (advice->period > 0 && advice->period != 360) {
        snprintf(value, sizeof value, "%.16g", advice->period);
        inspect_advise(advice, "period", value, "a full turn, in radians");
    }
    if (advice->nspike > 0 && !advice->other_spikes) {
        snprintf(value, sizeof value, "%d", INSPECT_DESPIKE);
        snprintf(why, sizeof why,
                 "bridges %llu spike%s: large ones only, never noise; 6 finds smaller ones, too",
                 (unsigned long long)advice->nspike, error_plural(advice->nspike));
        inspect_advise(advice, "despike", value, why);
    }
    if (advice->fill_rows > 0) {
        inspect_advise(advice, "gaps", "fill", "fills gaps with the smoothed curve");
        snprintf(value, sizeof value, "%zurows", advice->fill_rows);
        inspect_advise(advice, "max-gap", value, "leaves longer gaps empty");
    }
}

/* The folder for the result, which must not be the folder of the file. */
static const char *output_folder(const char *name)
{
    const char *slash = strrchr(name, '/');
    size_t n = slash ? (size_t)(slash - name) : 0;
    bool same = n >= 5 && strncmp(slash - 5, "clean", 5) == 0;
    return same ? "cleaned" : "clean";
}

/* --- the command --- */

void inspect_put_option(struct text *line, const struct inspect_option *option)
{
    text_put(line, "--%s", option->name);
    if (option->value.bytes) {
        text_put(line, " ");
        text_word(line, option->value.bytes);
    }
}

static void write_command(struct inspect_advice *advice, const char *name)
{
    struct text *line = &advice->command;
    text_put(line, "sprung butterworth");
    for (size_t k = 0; k < advice->noption; k++) {
        if (advice->option[k].dropped)
            continue;
        text_put(line, " ");
        inspect_put_option(line, &advice->option[k]);
    }
    if (strcmp(name, "-") == 0)
        return;
    text_put(line, name[0] == '-' ? " -- " : " ");
    text_word(line, name);
}

/* Says why no command is advised. */
static void say_why_not(struct inspect_advice *advice)
{
    struct text *text = &advice->why_not;
    if (advice->nrow == 0)
        text_put(text, "there are no rows to filter");
    else if (advice->hopeless && advice->infinite)
        text_put(text, "no column can be filtered: correct the infinite values first");
    else if (advice->hopeless && advice->lost_row > 0)
        text_put(text,
                 "no column can be filtered: four zeros, as in row %zu, are no rotation; empty these cells "
                 "and run inspect again",
                 advice->lost_row);
    else if (advice->hopeless)
        text_put(text,
                 "no column can be filtered: give --columns, or --missing for texts that mean a missing "
                 "value");
    else if (advice->nbackward > 0)
        text_put(text,
                 "time goes backward in %llu row%s (first: row %zu): where a column names the series of a "
                 "row, give --group-by COLUMN; else --rate HZ numbers the rows",
                 (unsigned long long)advice->nbackward, error_plural(advice->nbackward),
                 advice->backward_row);
}

/* --- notes --- */

static struct text *new_note(struct inspect_advice *advice)
{
    return &advice->note[advice->nnote++];
}

static void say_notes(struct inspect_advice *advice)
{
    char word[TEXT_WORD];
    const bool more = inspect_advised(advice, "despike") || advice->fill_rows > 0;
    if (!advice->noisy && !advice->audio)
        text_put(new_note(advice),
                 more ? "almost no noise: smoothing changes little, apart from the spikes and gaps"
                      : "almost no noise: this file needs no filter, and the command changes little");
    if (advice->count_step == 1)
        text_put(new_note(advice),
                 "the times count 1, 2, 3: if they are frame numbers, add --time-unit frames --rate HZ");
    else if (advice->count_step > 0)
        text_put(new_note(advice), "steps of %g s look like milliseconds: if they are, add --time-unit ms",
                 advice->count_step);
    if (advice->njump > 0)
        text_put(new_note(advice),
                 "%llu jump%s will be smoothed, where \"%s\" changes; to keep %s, add --group-by %s",
                 (unsigned long long)advice->njump, error_plural(advice->njump), advice->takes,
                 advice->njump == 1 ? "it" : "them", text_quoted(word, advice->takes));
}

void inspect_advice_finish(struct inspect_advice *advice, const char *name,
                           const struct inspect_request *request)
{
    say_why_not(advice);
    if (advice->why_not.n > 0)
        return;
    for (size_t k = 0; k < request->ngiven; k++)
        inspect_advise(advice, request->given[k].option, request->given[k].value, "as given");
    advise_rate(advice);
    advise_values(advice);
    inspect_advise(advice, "zero-phase", NULL, "no lag, as the whole file is known");
    inspect_advise(advice, "cutoff", "auto", "chooses the cutoff of each channel from its noise");
    say_notes(advice);
    if (strcmp(name, "-") == 0)
        inspect_advise(advice, "derivatives", "0", "adds no columns");
    else
        inspect_advise(advice, "output-dir", output_folder(name),
                       "writes the result there, under the same name and with the same columns");
    write_command(advice, name);
}
