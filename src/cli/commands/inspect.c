/* sprung inspect [OPTION]... FILE...: reports about files, with command lines that would clean the files. */
#include "cli/command.h"

#include "base/port.h"
#include "io/source.h"
#include "io/tempfile.h"
#include "view/inspect/inspect.h"

#include <stdlib.h>

/* Prints the report of a file; first: of the first file. An error about the file is added to the messages,
 * and sets *failed. False: standard output cannot be written to. */
static bool inspect_one(struct command_line *line, const char *name, bool first, bool *failed,
                        struct error *e)
{
    const struct inspect_request request = { &line->job.columns, &line->job.input, &line->inspect,
                                             line->job.output.verbose };
    struct error fault;
    bool good;
    char *report = inspect_file(name, &request, &good, &fault);
    if (!good) {
        messages_error(line->messages, source_shown(name), &fault);
        *failed = true;
    }
    if (!report)
        return true;
    const bool page = line->inspect.report == INSPECT_TEXT;
    char *text = text_format("%s%s", page && !first ? "\n" : "", report);
    free(report);
    return tempfile_print(text, e);
}

static bool run(struct command_line *line, struct error *e)
{
    struct texts *files = &line->operands;
    bool failed = false;
    if (files->ntext == 0 && port_is_terminal(PORT_STDIN))
        return error_usage(e, "inspect needs a file; - is standard input");
    if (!format_check(&line->job.input, e) || (files->ntext == 0 && !texts_add(files, "-", e)))
        return false;
    for (size_t i = 0; i < files->ntext; i++)
        if (!inspect_one(line, files->text[i], i == 0, &failed, e))
            return false;
    if (failed)
        e->kind = ERROR_NONE; /* the messages have the errors of files already */
    return !failed;
}

const struct command command_inspect = {
    .name = "inspect",
    .summary = "shows what is in a file, and a command that cleans it",
    .usage = "[OPTION]... FILE...",
    .about = "Shows how a file is read: its format, the time column with its unit, rate and span, the role "
             "of each column and the reason for it. Each channel has its range, missing values and spikes "
             "(as --despike 10 finds them, so noise is not counted). It ends with a command that would "
             "clean the file, and a reason for each option. Where times go backward, or nothing needs "
             "cleaning, it gives no command. At most 200,000 rows and 4 million numbers of a table are read.",
    .examples = "sprung inspect take.csv\n"
                "sprung inspect --report json take.csv | jq -r .command\n"
                "find takes -name '*.csv' -exec sprung inspect {} +",
    .tables = (const struct option_table *const[]){ &options_inspect, &options_columns, &options_input,
                                                    &options_general, NULL },
    .run = run,
};
