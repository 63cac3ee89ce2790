/* sprung diff [OPTION]... EXPECTED ACTUAL: do two series agree within a tolerance? */
#include "cli/commands/command.h"

#include "cli/commands/help.h"
#include "compare/diff.h"
#include "io/tempfile.h"
#include <math.h>
#include <stdlib.h>
#include <unistd.h>

static bool check(const struct diff_options *o, const struct input_options *input, const struct texts *files,
                  struct error *e)
{
    if (files->ntext != DIFF_SIDES) {
        error_usage(e, "diff takes two files, the expected one and the actual one, and %zu %s given",
                    files->ntext, files->ntext == 1 ? "is" : "are");
        return error_hint(e, "sprung diff EXPECTED ACTUAL");
    }
    if (strcmp(files->text[0], "-") == 0 && strcmp(files->text[1], "-") == 0)
        return error_usage(e, "only one of the two can be standard input");
    if (o->exact && (!isnan(o->abs) || !isnan(o->rel)))
        return error_usage(e, "--exact leaves no tolerance, and %s gives one",
                           isnan(o->abs) ? "--rel" : "--abs");
    return format_check(input, e);
}

static enum status compare(const struct diff_options *o, const struct input_options *input,
                           const struct texts *files, struct messages *messages)
{
    struct diff d = { 0 };
    struct error e;
    bool good = diff_open(&d, o, input, (const char *const[]){ files->text[0], files->text[1] }, &e) &&
                diff_run(&d, &e);
    const char *file = good || d.fault == DIFF_SIDES ? NULL : d.side[d.fault].name;
    enum status status = good ? diff_same(&d) ? STATUS_DONE : STATUS_DIFFERENT
                              : command_trouble(messages, file, &e);
    if (good && !o->quiet) {
        char *report = o->report == REPORT_JSON ? diff_json(&d) : diff_text(&d);
        if (!report ? !error_memory(&e) : !tempfile_put(STDOUT_FILENO, report, strlen(report), &e))
            status = command_trouble(messages, NULL, &e);
        free(report);
    }
    diff_close(&d);
    return status;
}

static enum status run(int argc, char **argv, struct messages *messages)
{
    struct diff_options o = { 0 };
    struct input_options input = { 0 };
    struct general_options general = { 0 };
    struct option_table tables[] = { options_diff, options_input, options_general };
    void *const settings[] = { &o, &input, &general };
    enum { NTABLE = sizeof tables / sizeof *tables };
    struct texts files = { 0 };
    struct error e;
    enum status status;
    for (size_t i = 0; i < NTABLE; i++)
        tables[i].settings = settings[i];
    if (!options_defaults(tables, NTABLE, &e) || !options_parse(argc, argv, tables, NTABLE, &files, &e))
        status = command_trouble(messages, NULL, &e);
    else if (general.help || general.version)
        status = help_command("diff", &general, messages);
    else
        status = check(&o, &input, &files, &e) ? compare(&o, &input, &files, messages)
                                               : command_trouble(messages, NULL, &e);
    options_free(tables, NTABLE, &files);
    return status;
}

const struct command command_diff = { .name = "diff",
                                      .summary = "compares two series within a tolerance",
                                      .run = run };
