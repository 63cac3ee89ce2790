/* sprung diff [OPTION]... EXPECTED ACTUAL: do two series agree within a tolerance? */
#include "cli/command.h"

#include "base/port.h"
#include "compare/diff_folders.h"
#include "io/tempfile.h"

#include <stdlib.h>

static bool check_files(const struct command_line *line, struct error *e)
{
    const struct texts *files = &line->operands;
    if (files->ntext != DIFF_SIDES) {
        error_usage(e, "diff needs two files, the expected and the actual one");
        return error_hint(e, "sprung diff EXPECTED ACTUAL");
    }
    if (strcmp(files->text[0], "-") == 0 && strcmp(files->text[1], "-") == 0)
        return error_usage(e, "only one of the two files can be standard input");
    return format_check(&line->job.input, e);
}

static bool compare_folders(struct command_line *line, struct error *e)
{
    struct list_uses uses = { 0 };
    line->diff.uses = &uses;
    struct diff_folders all = {
        .options = &line->diff,
        .input = &line->job.input,
        .folder = { line->operands.text[0], line->operands.text[1] },
        .messages = line->messages,
    };
    const bool good = diff_folders_run(&all, e);
    free(uses.at);
    if (!good)
        return false;
    line->different = all.count[DIFF_SAME] + all.count[DIFF_NOTHING] < all.nfile;
    const size_t nfailed = all.count[DIFF_TROUBLE];
    return nfailed == 0 || error_data(e, "%zu of %zu file%s could not be compared", nfailed, all.nfile,
                                      error_plural(all.nfile));
}

/* The report in the style of --report. NULL: out of memory. */
static char *report_of(const struct diff *diff)
{
    struct json_out json;
    switch (diff->options->report) {
    case REPORT_JSON:
        json_out_open(&json);
        diff_add_json(&json, json.root, diff);
        return json_out_take(&json, false);
    case REPORT_JUNIT:
        return diff_junit(diff);
    default:
        return diff_text(diff, diff->options->verbose);
    }
}

static bool compare_files(struct command_line *line, struct error *e)
{
    const struct diff_options *options = &line->diff;
    struct diff diff = { 0 };
    bool good = diff_open(&diff, options, &line->job.input, line->operands.text, e) && diff_run(&diff, e);
    if (!good && diff.fault != DIFF_SIDES)
        line->file = diff.side[diff.fault].name;
    if (good && !options->quiet)
        good = tempfile_print(report_of(&diff), e);
    if (good && diff.compared == 0 && !options->quiet)
        messages_add(line->messages, diff.side[DIFF_ACTUAL].name, "no row was compared");
    line->different = !diff.same;
    diff_close(&diff);
    return good;
}

static bool run_diff(struct command_line *line, struct error *e)
{
    if (!check_files(line, e))
        return false;
    const bool expected = port_is_directory(line->operands.text[DIFF_EXPECTED]);
    const bool actual = port_is_directory(line->operands.text[DIFF_ACTUAL]);
    if (expected == actual)
        return (expected ? compare_folders : compare_files)(line, e);
    error_usage(e, "cannot compare a folder with a file");
    return error_hint(e, "give two files or two folders");
}

const struct command command_diff = {
    .name = "diff",
    .summary = "compares two series within a tolerance",
    .usage = "[OPTION]... EXPECTED ACTUAL",
    .about = "Compares two series, which may have different formats, column by column. For each column that "
             "differs (the first 10 without -v) it prints how many rows differ, and the largest difference "
             "with row, time and both values. A missing value agrees only with a missing value. Columns pair "
             "by name, or by position if a file has no names. Columns and rows that only one file has are "
             "differences. Files without a series agree if they are identical. Given two folders, diff pairs "
             "files of known formats by relative path, and names pairs that have nothing to compare.\n\n"
             "The exit status is 0 if the series agree, 1 if they differ, and 2 after an error.",
    .examples = "sprung diff --abs 0.001 expected.csv actual.csv\n"
                "sprung critical -H 0.1 take.csv | sprung diff --report json golden.csv -",
    .tables = (const struct option_table *const[]){ &options_diff, &options_input, &options_general, NULL },
    .run = run_diff,
};
