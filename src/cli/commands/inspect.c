/* sprung inspect [OPTION]... FILE...: reports about files, with command lines that would clean the files. */
#include "cli/command.h"

#include "base/port.h"
#include "io/source.h"
#include "io/tempfile.h"
#include "run/targets.h"
#include "view/inspect/inspect.h"

#include <errno.h>
#include <stdlib.h>

/* Prints the report of a file; first: of the first file. An error about the file is added to the messages,
 * and sets *failed. False: standard output cannot be written to. */
static bool inspect_one(struct command_line *line, const struct tree_file *file, bool first, bool *failed,
                        struct error *e)
{
    enum inspect_report form = (enum inspect_report)line->inspect.report;
    struct error fault = { 0 };
    bool good = false;
    char *report = NULL;
    if (form == INSPECT_TEXT && line->job.output.verbose)
        form = INSPECT_ALL;
    if (file->errnum)
        error_system(&fault, file->errnum, "cannot read the folder");
    else
        report = inspect_file(file->path,
                              &(struct inspect_request){ &line->job.columns, &line->job.input,
                                                         line->inspect.given, line->inspect.ngiven, form },
                              &good, &fault);
    if (!good) {
        if (fault.kind == ERROR_SYSTEM && fault.errnum == EISDIR)
            source_refuse_directory(file->path, true, &fault);
        messages_error(line->messages, source_shown(file->path), &fault);
        *failed = true;
    }
    if (!report)
        return true;
    const bool pages = form == INSPECT_TEXT || form == INSPECT_ALL;
    char *text = text_format("%s%s", pages && !first ? "\n" : "", report);
    free(report);
    return tempfile_print(text, e);
}

static bool check(struct command_line *line, struct error *e)
{
    const struct output_settings *settings = &line->job.output;
    if (line->operands.ntext == 0 && port_is_terminal(PORT_STDIN))
        return error_usage(e, "inspect needs a file; - is standard input");
    if (settings->include.ntext > 0 && !settings->recursive)
        return error_usage(e, "--include needs --recursive");
    return format_check(&line->job.input, e);
}

static bool run(struct command_line *line, struct error *e)
{
    struct tree inputs = { 0 };
    bool failed = false;
    bool good = check(line, e) && targets_list_inputs(&inputs, &line->job.output, &line->operands, NULL, e);
    for (size_t i = 0; good && i < inputs.nfile; i++)
        good = inspect_one(line, &inputs.file[i], i == 0, &failed, e);
    tree_free(&inputs);
    if (failed && good)
        e->kind = ERROR_NONE; /* the messages have the errors of files already */
    return good && !failed;
}

const struct command command_inspect = {
    .name = "inspect",
    .summary = "shows what is in a file, and a command that cleans it",
    .usage = "[OPTION]... FILE...",
    .about = "Shows how a file is read: its format, the time column with its unit, rate and span, the role "
             "of each column and the reason for it. Each channel has its range, missing values and spikes "
             "(as --despike 10 finds them, so noise is not counted). It ends with a command that would "
             "clean the file, and a reason for each option. Where times go backward, or no channel has 20 "
             "values, it gives no command. At most 200,000 rows and 4 million numbers of a table are read.",
    .examples = "sprung inspect take.csv\n"
                "sprung inspect --report json take.csv | jq -r .command\n"
                "sprung inspect --recursive takes",
    .tables = (const struct option_table *const[]){ &options_inspect, &options_columns, &options_input,
                                                    &options_general, NULL },
    .run = run,
};
