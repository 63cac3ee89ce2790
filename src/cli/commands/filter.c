/* sprung FILTER [OPTION]... [FILE]...: filters files, or standard input. */
#include "cli/command.h"

#include "cli/commands/help.h"
#include "view/plot.h"
#include <unistd.h>

/* --plot draws one series, and in the terminal only if the series does not go to standard output. */
static bool check_plot(const struct output_settings *o, const struct texts *inputs, struct error *e)
{
    if (!o->plot)
        return true;
    bool elsewhere = o->in_place || o->output_dir || (o->output && strcmp(o->output, "-") != 0);
    if (inputs->ntext > 1) {
        error_usage(e, "--plot draws one series, and there are %zu files", inputs->ntext);
        return error_hint(e, "sprung plot draws several files");
    }
    if (strcmp(o->plot, "-") == 0 && !elsewhere) {
        error_usage(e, "--plot - and the filtered series would both go to standard output");
        return error_hint(e, "give the series a file with --output, or the picture one with --plot out.svg");
    }
    for (size_t i = 0; i < inputs->ntext; i++)
        if (plot_is(o->plot, inputs->text[i])) {
            error_usage(e, "the picture would replace the input");
            return error_hint(e, "give --plot another name");
        }
    if (o->output && plot_is(o->plot, o->output)) {
        error_usage(e, "the picture and the output would be one file");
        return error_hint(e, "give --plot another name");
    }
    return o->dry_run || plot_check(o->plot, "--plot", e);
}

/* --set begins with the options as they are given; the filter's check adds its coefficients to them. */
static bool check(struct filter_job_config *c, const struct texts *inputs, struct error *e)
{
    struct chained *first = &c->first;
    return override_list_parse(&first->overrides, first->filter, &first->sets, first->settings, e) &&
           first->filter->check(first->settings, e) && filter_job_check(c, e) &&
           check_plot(&c->output, inputs, e);
}

static enum status filter_files(const struct command_line *line, const struct texts *inputs,
                                struct messages *messages)
{
    struct filter_job_config *c = line->settings[0];
    struct error e;
    c->first.settings = line->own;
    if (!check(c, inputs, &e))
        return command_trouble(messages, NULL, &e);
    if (inputs->ntext == 0 && !c->output.in_place && isatty(STDIN_FILENO) == 1) {
        error_usage(&e, "%s: no file is named, and standard input is a terminal", line->filter->name);
        error_hint(&e, "name a file, or send rows to standard input; - reads them from the terminal");
        command_trouble(messages, NULL, &e);
        return help_short(messages);
    }
    return batch_run(c, inputs, messages) ? STATUS_DONE : STATUS_TROUBLE;
}

enum status filter_command(const struct filter *filter, int argc, char **argv, struct messages *messages)
{
    struct filter_job_config c = { .first.filter = filter };
    void *const settings[] = { &c, &c, &c.input, &c, &c };
    enum status status = command_run(
        (struct command_line){ argc, argv, NULL, filter, settings, filter_files, NULL }, messages);
    override_list_free(&c.first.overrides);
    return status;
}
