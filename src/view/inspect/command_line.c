/* The command line that would clean a file, with a reason for each option, and what to check before. See
 * advice.h. */
#include "view/inspect/advice.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define STEPS       3   /* half-life in usual steps, where the noise does not decide it */
#define MUCH_MEMORY 2e9 /* most bytes of memory that a suggested --zero-phase may need */

static const char given[] = "as given";

/* --- options --- */

/* Adds the options that were given to inspect. */
static void repeat_options(struct inspect_advice *advice, const struct column_choice *choice,
                           const struct input_options *in)
{
    static const char *const units[] = { "s", "ms", "us", "ns", "min", "h", "frames" };
    const struct {
        const char *name;
        const char *value;
    } texts[] = {
        { "from", in->from },           { "delimiter", in->delimiter }, { "header", in->header },
        { "records", in->records },     { "decimal", in->decimal },     { "time", choice->time },
        { "columns", choice->columns }, { "missing", in->missing },     { "exclude", choice->exclude },
    };
    for (size_t k = 0; k < sizeof texts / sizeof *texts; k++)
        if (texts[k].value)
            inspect_advise(advice, texts[k].name, texts[k].value, given);
    if (in->no_header)
        inspect_advise(advice, "no-header", NULL, given);
    if (in->analog)
        inspect_advise(advice, "analog", NULL, given);
    if (choice->time_unit != TIME_UNIT_NONE)
        inspect_advise(advice, "time-unit", units[choice->time_unit], given);
    if (choice->rate > 0) {
        char rate[40];
        snprintf(rate, sizeof rate, "%.15g", choice->rate);
        inspect_advise(advice, "rate", rate, given);
    }
}

/* Leaves --time out, which --rate contradicts; the column stays as it is. */
static void leave_out_time(struct inspect_advice *advice)
{
    const struct inspect_option *time = inspect_option_of(advice, "time");
    if (time->value.bytes)
        inspect_advise(advice, "exclude", time->value.bytes, "times, replaced by the row rate");
    inspect_drop_option(advice, "time");
    inspect_drop_option(advice, "time-unit");
}

static void advise_rate(struct inspect_advice *advice)
{
    char value[40], why[200];
    if (inspect_is_advised(advice, "rate"))
        return;
    if (advice->untimed && advice->dates > 0) {
        snprintf(value, sizeof value, "%zu", advice->dates);
        inspect_advise(advice, "time", value, "this column holds dates or times of day that rise");
    } else if (advice->untimed) {
        inspect_advise(advice, "rate", "1", "no time column found: put your rows per second here");
    }
    if (advice->untimed || advice->rate == 0 || inspect_is_advised(advice, "group-by"))
        return;
    snprintf(value, sizeof value, "%.10g", advice->rate);
    if (advice->nshared > 0)
        snprintf(why, sizeof why,
                 "%llu rows share their time with the row before: use this row rate instead of the times",
                 (unsigned long long)advice->nshared);
    else
        snprintf(why, sizeof why, "time goes backward in %llu row%s: %s",
                 (unsigned long long)advice->nbackward, error_plural(advice->nbackward),
                 advice->step > 0 ? "use this row rate instead of the times"
                                  : "put your rows per second here");
    inspect_advise(advice, "rate", value, why);
    leave_out_time(advice);
}

static void advise_values(struct inspect_advice *advice)
{
    char value[40], why[200];
    if (advice->period > 0 && advice->period != 360) {
        snprintf(value, sizeof value, "%.16g", advice->period);
        inspect_advise(advice, "period", value, "a full turn, in radians");
    }
    if (advice->nspike > 0 && !advice->audio) {
        snprintf(value, sizeof value, "%d", INSPECT_DESPIKE);
        snprintf(why, sizeof why,
                 "bridges %llu spike%s: large ones only, never noise; 6 finds smaller ones, too",
                 (unsigned long long)advice->nspike, error_plural(advice->nspike));
        inspect_advise(advice, "despike", value, why);
    }
    if (advice->fill_rows > 0) {
        if (advice->bytes < MUCH_MEMORY)
            inspect_advise(advice, "gaps", "fill", "fills gaps with the smoothed curve");
        else
            inspect_advise(advice, "gaps", "linear", "fills gaps with straight lines");
        snprintf(value, sizeof value, "%llurows", (unsigned long long)advice->fill_rows);
        inspect_advise(advice, "max-gap", value, "leaves longer gaps empty");
    }
}

/* Returns the filter. */
static const char *advise_filter(struct inspect_advice *advice)
{
    char value[40];
    if (advice->bytes < MUCH_MEMORY) {
        inspect_advise(advice, "zero-phase", NULL, "no lag, as the whole file is known");
        inspect_advise(advice, "cutoff", "auto", "chooses the cutoff of each channel from its noise");
        return "butterworth";
    }
    snprintf(value, sizeof value, "%.3g", STEPS * (advice->step > 0 ? advice->step : 1));
    inspect_advise(advice, "halflife", value,
                   "3 time steps, because auto would need too much memory for this file");
    return "critical";
}

/* The folder for the result, which must not be the folder of the file. */
static const char *output_folder(const char *name)
{
    const char *slash = strrchr(name, '/');
    size_t n = slash ? (size_t)(slash - name) : 0;
    bool same = n >= 5 && strncmp(slash - 5, "clean", 5) == 0;
    return same ? "cleaned" : "clean";
}

/* --- facts --- */

static void say_checks(struct facts *facts, const struct inspect_advice *advice)
{
    if (advice->nrow > 0 && !advice->noisy && !advice->audio)
        facts_say(facts, "\ncheck",
                  advice->nspike > 0 || advice->fill_rows > 0
                      ? "almost no noise: smoothing changes little, apart from the spikes and gaps"
                      : "almost no noise: this file needs no filter, and the command changes little");
    if (advice->kept_row > 0 && !advice->audio)
        facts_say(facts, "\ncheck",
                  "row %zu of \"%s\" may be a spike: --despike keeps it, as it has fewer than two values on "
                  "one side; "
                  "correct the value by hand if it is wrong",
                  advice->kept_row, advice->kept);
    if (advice->assumed_count)
        facts_say(facts, "\ncheck",
                  "the times count 1, 2, 3: if they are frame numbers, add --time-unit frames --rate HZ");
    if (advice->assumed_ms)
        facts_say(facts, "\ncheck", "steps of %g s look like milliseconds: if they are, add --time-unit ms",
                  advice->step);
    if (advice->flicker[0])
        facts_say(facts, "\ncheck", "\"%s\" flickers between two places: do two markers share its name?",
                  advice->flicker);
}

/* Adds option k of the command. */
static void put_option(struct text *text, const struct inspect_advice *advice, size_t k)
{
    const struct text *value = &advice->option[k].value;
    text_put(text, "--%s", inspect_option_names[k]);
    if (value->bytes) {
        text_put(text, " ");
        text_word(text, value->bytes);
    }
}

static void put_name(struct text *line, const char *name)
{
    if (strcmp(name, "-") == 0)
        return;
    text_put(line, name[0] == '-' ? " -- " : " ");
    text_word(line, name);
}

/* The command that smooths jumps alone; NULL: out of memory. After a gap tracking would smooth, too, so gaps
 * restart it. */
static char *write_tracking(const struct inspect_advice *advice, const char *name)
{
    struct text line = { 0 };
    text_put(&line, "sprung tracking");
    for (size_t k = 0; strcmp(inspect_option_names[k], "despike") != 0; k++)
        if (advice->option[k].why.n > 0) {
            text_put(&line, " ");
            put_option(&line, advice, k);
        }
    if (advice->cut[0]) {
        text_put(&line, " --cut-column ");
        text_word(&line, advice->cut);
    } else {
        text_put(&line, " --detect-cuts %d", INSPECT_JUMP);
    }
    text_put(&line, "%s -d 0", advice->longest > 0 ? " --gaps restart" : "");
    put_name(&line, name);
    return text_take(&line);
}

/* Says how to keep or to smooth jumps. */
static void say_jumps(struct facts *facts, const struct inspect_advice *advice, const char *name)
{
    const unsigned long long n = advice->njump;
    char word[TEXT_WORD];
    if (n == 0)
        return;
    char *command = write_tracking(advice, name);
    if (!command)
        facts->failed = true;
    else if (advice->cut[0])
        facts_say(facts, "\ncheck",
                  "%llu jump%s will be smoothed. To change only the jumps that \"%s\" marks: %s", n,
                  error_plural(n), advice->cut, command);
    else if (advice->takes[0])
        facts_say(facts, "\ncheck",
                  "%llu jump%s will be smoothed, where \"%s\" changes. To keep %s, add --group-by %s. To "
                  "change only the jumps: %s",
                  n, error_plural(n), advice->takes, n == 1 ? "it" : "them", text_quoted(word, advice->takes),
                  command);
    else
        facts_say(
            facts, "\ncheck",
            "%llu jump%s will be smoothed. To keep cuts between takes, number the takes in a column and "
            "give --group-by COLUMN. To change only the jumps: %s",
            n, error_plural(n), command);
    free(command);
}

/* Adds the command and its options. */
static void add_command(struct facts *facts, const struct inspect_advice *advice, const char *filter,
                        const char *name)
{
    struct text line = { 0 }, words[INSPECT_OPTIONS] = { { 0 } };
    text_put(&line, "sprung %s", filter);
    for (size_t k = 0; k < INSPECT_OPTIONS; k++) {
        if (advice->option[k].why.n == 0)
            continue;
        put_option(&words[k], advice, k);
        text_put(&line, " %s", words[k].bytes ? words[k].bytes : "");
    }
    put_name(&line, name);
    facts_text(facts, "command", line.bytes ? line.bytes : "");
    facts_open(facts, FACT_ARRAY, "options");
    for (size_t k = 0; k < INSPECT_OPTIONS; k++) {
        const struct inspect_option *option = &advice->option[k];
        if (!words[k].bytes || !option->why.bytes)
            continue;
        facts_open(facts, FACT_OBJECT, NULL);
        facts_text(facts, "option", words[k].bytes);
        facts_text(facts, "reason", option->why.bytes);
        facts_close(facts);
        facts->failed = facts->failed || words[k].failed || option->value.failed || option->why.failed;
        free(words[k].bytes);
    }
    facts_close(facts);
    facts->failed = facts->failed || line.failed;
    free(line.bytes);
}

void inspect_facts_of_advice(struct facts *facts, struct inspect_advice *advice, const char *name,
                             const struct column_choice *choice, const struct input_options *options)
{
    say_checks(facts, advice);
    if (advice->nrow == 0)
        facts_say(facts, "\nadvice", "there are no rows to filter");
    else if (advice->hopeless && advice->infinite)
        facts_say(facts, "\nadvice", "no column can be filtered: correct the infinite values first");
    else if (advice->hopeless && advice->lost_row > 0)
        facts_say(
            facts, "\nadvice",
            "no column can be filtered: four zeros, as in row %zu, are no rotation; empty these cells and "
            "run inspect again",
            advice->lost_row);
    else if (advice->hopeless)
        facts_say(
            facts, "\nadvice",
            "no column can be filtered: give --columns, or --missing for texts that mean a missing value");
    if (advice->nrow == 0 || advice->hopeless) {
        facts_open(facts, FACT_ARRAY, "options");
        facts_close(facts);
        return;
    }
    repeat_options(advice, choice, options);
    advise_rate(advice);
    advise_values(advice);
    say_jumps(facts, advice, name);
    const char *filter = advise_filter(advice);
    if (strcmp(name, "-") == 0)
        inspect_advise(advice, "derivatives", "0", "adds no columns");
    else
        inspect_advise(advice, "output-dir", output_folder(name),
                       "writes the result there, under the same name and with the same columns");
    add_command(facts, advice, filter, name);
}
