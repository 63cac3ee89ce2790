/* sprung FILTER [OPTION]... [FILE]...: filters files, or standard input. */
#include "cli/command.h"

#include "base/port.h"
#include "run/batch.h"

static bool run_filter(struct command_line *line, struct error *e)
{
    struct filter_job_config *config = &line->job;
    const struct texts *inputs = &line->operands;
    const struct job_filter *given = &config->filter;
    if (!filter_check(given->filter, given->settings, given->zero_phase, e))
        return false;
    if (!filter_job_check(config, e))
        return false;
    config->output.reads = line->files;
    e->kind = ERROR_NONE; /* batch_run reports errors itself */
    if (inputs->ntext || config->output.in_place || !port_is_terminal(PORT_STDIN))
        return batch_run(config, inputs, line->messages);
    struct error terminal;
    error_usage(&terminal, "%s needs a file, or data on standard input", given->filter->name);
    error_hint(&terminal, "name a file, or pipe data in (- reads from the terminal)");
    messages_error(line->messages, NULL, &terminal);
    command_usage(line->messages);
    return false;
}

const struct command command_filter = {
    .name = "",
    .usage = "[OPTION]... [FILE]...",
    .tables = options_shared,
    .run = run_filter,
};
