/* sprung FILTER [OPTION]... [FILE]...: filters files, or standard input. */
#include "cli/command.h"

#include "view/plot.h"
#include <unistd.h>

/* --plot draws one series. The picture may go to the terminal only if the series does not go to standard
 * output, and must not replace the input or the output. */
static bool check_plot(const struct output_settings *o, const struct texts *inputs, struct error *e)
{
    if (!o->plot)
        return true;
    bool elsewhere = o->in_place || o->output_dir || (o->output && strcmp(o->output, "-") != 0);
    if ((inputs->ntext > 1 && !o->join) || o->files_from) {
        error_usage(e, "--plot draws one series, and several files are given");
        return error_hint(e, "sprung plot draws several files");
    }
    if (strcmp(o->plot, "-") == 0 && !elsewhere) {
        error_usage(e, "--plot - and the filtered series would both go to standard output");
        return error_hint(e, "give the series a file with --output, or the picture one with --plot out.svg");
    }
    bool input = inputs->ntext && plot_is(o->plot, inputs->text[0]);
    if (input || (o->output && plot_is(o->plot, o->output))) {
        error_usage(e, input ? "the picture would replace the input"
                             : "the picture and the output would be one file");
        return error_hint(e, "give --plot another name");
    }
    return o->dry_run || plot_check(o->plot, "--plot", e);
}

static bool run_filter(struct command_line *line, struct error *e)
{
    struct filter_job_config *c = &line->job;
    const struct texts *inputs = &line->operands;
    if (!chained_check(c->filters.at, e) || !filter_job_check(c, e) || !check_plot(&c->output, inputs, e))
        return false;
    c->input.needs_cues = c->cuts.given.cue;
    e->kind = ERROR_NONE; /* batch_run reports errors itself */
    if (inputs->ntext || c->output.files_from || c->output.in_place || isatty(STDIN_FILENO) != 1)
        return batch_run(c, inputs, line->messages);
    struct error terminal;
    error_usage(&terminal, "%s: no file is named, and standard input is a terminal",
                c->filters.at[0].filter->name);
    error_hint(&terminal, "name a file, or send rows to standard input; - reads them from the terminal");
    messages_error(line->messages, NULL, &terminal);
    command_usage(line->messages);
    return false;
}

const struct command command_filter = {
    .name = "",
    .operands = "[FILE]...",
    .tables = options_shared,
    .run = run_filter,
};
