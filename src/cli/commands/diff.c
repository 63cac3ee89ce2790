/* sprung diff [OPTION]... EXPECTED ACTUAL: do two series agree within a tolerance? */
#include "cli/command.h"

#include "io/tempfile.h"

static bool check(const struct command_line *line, struct error *e)
{
    const struct diff_options *o = &line->diff;
    const struct texts *files = &line->operands;
    if (files->ntext != DIFF_SIDES) {
        error_usage(e, "diff takes two files, the expected one and the actual one, and %zu %s given",
                    files->ntext, files->ntext == 1 ? "is" : "are");
        return error_hint(e, "sprung diff EXPECTED ACTUAL");
    }
    if (strcmp(files->text[0], "-") == 0 && strcmp(files->text[1], "-") == 0)
        return error_usage(e, "only one of the two can be standard input");
    if (o->exact && o->abs.n + o->rel.n > 0)
        return error_usage(e, "--exact leaves no tolerance, and %s gives one", o->abs.n ? "--abs" : "--rel");
    return format_check(&line->job.input, e);
}

static bool run(struct command_line *line, struct error *e)
{
    const struct diff_options *o = &line->diff;
    struct diff d = { 0 };
    if (!check(line, e))
        return false;
    bool good = diff_open(&d, o, &line->job.input, line->operands.text, e) && diff_run(&d, e);
    if (!good && d.fault != DIFF_SIDES)
        line->file = d.side[d.fault].name;
    if (good && !o->quiet) {
        char *report = o->report == REPORT_JSON ? diff_json(&d) : diff_text(&d);
        good = tempfile_print(report, e);
    }
    if (good && d.compared == 0 && !o->quiet)
        messages_add(line->messages, d.side[DIFF_ACTUAL].name, "no row was compared");
    line->different = !d.same;
    diff_close(&d);
    return good;
}

const struct command command_diff = {
    .name = "diff",
    .summary = "compares two series within a tolerance",
    .operands = "EXPECTED ACTUAL",
    .about = "Compares two series, which may have different formats, column by column. It prints how many "
             "columns agree, and for each that does not how many rows differ, the first of them, and the "
             "largest absolute and relative difference with row, time and both values. Numbers agree "
             "within the tolerance of --abs and --rel, times and keys within --time-tolerance; a missing "
             "value agrees with a missing value only; "
             "other cells are compared as text. A column holds numbers if its first row does on both "
             "sides. Columns are paired by name, in any order, or by position if a side has no names. "
             "Rows are paired in order, or by --key. Columns and rows that only one side has are "
             "differences.\n\n"
             "The exit status is 0 if the series agree, 1 if they differ, and 2 after an error. Both "
             "sides are read once, in little memory.",
    .examples = "sprung diff --abs 0.001 expected.csv actual.csv\n"
                "sprung critical -H 0.1 take.csv | sprung diff --report json golden.csv -",
    .tables = (const struct option_table *const[]){ &options_diff, &options_input, &options_general, NULL },
    .run = run,
};
