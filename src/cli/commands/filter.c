/* sprung FILTER [OPTION]... [FILE]...: filters files, or standard input. */
#include "cli/command.h"

#include "base/port.h"
#include "run/batch.h"
#include "view/plot.h"
#include <stdlib.h>

/* Checks --plot: the job has one series, the picture goes to the terminal only if the series does not go to
 * standard output, and the picture does not replace the input or the output. */
static bool check_plot(const struct output_settings *settings, const struct texts *inputs, struct error *e)
{
    if (!settings->plot)
        return true;
    bool elsewhere = settings->in_place || settings->output_dir ||
                     (settings->output && strcmp(settings->output, "-") != 0);
    if ((inputs->ntext > 1 && !settings->join) || settings->files_from || settings->recursive) {
        error_usage(e, "--plot draws one file, but several are given");
        return error_hint(e, "use sprung plot to draw several files");
    }
    if (strcmp(settings->plot, "-") == 0 && !elsewhere) {
        error_usage(e, "--plot - and the filtered series would both go to standard output");
        return error_hint(e, "write the series to a file with --output, or the picture with --plot out.svg");
    }
    bool input = false;
    for (size_t i = 0; i < settings->reads.ntext; i++)
        if (plot_is(settings->plot, settings->reads.text[i]))
            return error_usage(e, "the picture would replace %s, which this command reads",
                               settings->reads.text[i]);
    for (size_t i = 0; i < inputs->ntext; i++) /* more than one with --join */
        input |= plot_is(settings->plot, inputs->text[i]);
    if (input || (settings->output && plot_is(settings->plot, settings->output))) {
        error_usage(e, input ? "the picture would replace the input"
                             : "the picture and the output have the same name");
        return error_hint(e, "give --plot another name");
    }
    return settings->dry_run || plot_check(settings->plot, "--plot", e);
}

static bool filter_files(struct command_line *line, struct error *e)
{
    struct filter_job_config *config = &line->job;
    const struct texts *inputs = &line->operands;
    const struct job_filter *given = &config->filter;
    if (!filter_check(given->filter, given->settings, given->zero_phase, e))
        return command_example(given->filter, given->settings, "", inputs->ntext ? inputs->text[0] : "FILE", e);
    if (!filter_job_check(config, e) || !check_plot(&config->output, inputs, e))
        return false;
    config->input.needs_cues = config->cuts.given.cue;
    config->input.seeks_time = column_choice_seeks_time(&config->columns);
    e->kind = ERROR_NONE; /* batch_run reports errors itself */
    if (inputs->ntext || config->output.files_from || config->output.in_place ||
        !port_is_terminal(PORT_STDIN))
        return batch_run(config, inputs, line->messages);
    struct error terminal;
    error_usage(&terminal, "%s needs a file, or data on standard input", given->filter->name);
    error_hint(&terminal, "name a file, or pipe data in (- reads from the terminal)");
    messages_error(line->messages, NULL, &terminal);
    command_usage(line->messages);
    return false;
}

static bool run_filter(struct command_line *line, struct error *e)
{
    struct texts *reads = &line->job.output.reads;
    bool good = options_list_reads(line, reads, e) && filter_files(line, e);
    free(reads->text);
    *reads = (struct texts){ 0 };
    return good;
}

const struct command command_filter = {
    .name = "",
    .operands = "[FILE]...",
    .tables = options_shared,
    .run = run_filter,
};
