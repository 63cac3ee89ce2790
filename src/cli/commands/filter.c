/* sprung FILTER [OPTION]... [FILE]...: filters files, or standard input. */
#include "cli/command.h"

#include "cli/commands/help.h"
#include "cli/manual.h"
#include "view/plot.h"
#include <math.h>
#include <stdlib.h>
#include <unistd.h>

enum { NTABLE = 7 };

static void tables_of(struct filter_job_config *c, struct general_options *general,
                      struct option_table tables[NTABLE])
{
    void *const settings[] = { c, c, &c->input, c, c, general };
    tables[0] = (struct option_table){ "Filter", c->filter->params, c->filter->nparam, c->settings };
    for (size_t i = 0; options_shared[i]; i++) {
        tables[i + 1] = *options_shared[i];
        tables[i + 1].settings = settings[i];
        if (!options_taken(c->filter, options_shared[i]))
            tables[i + 1].nparam = 0;
    }
}

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
    return override_list_parse(&c->overrides, c->filter, &c->sets, c->settings, e) &&
           c->filter->check(c->settings, e) && filter_job_check(c, e) && check_plot(&c->output, inputs, e);
}

static enum status filter_files(const struct filter_job_config *c, const struct texts *inputs,
                                struct messages *messages)
{
    if (inputs->ntext == 0 && !c->output.in_place && isatty(STDIN_FILENO) == 1)
        return help_short(messages);
    return batch_run(c, inputs, messages) ? STATUS_DONE : STATUS_TROUBLE;
}

enum status filter_command(const struct filter *filter, int argc, char **argv, struct messages *messages)
{
    struct filter_job_config c = { .filter = filter,
                                   .cuts.detect = (double)NAN,
                                   .settings = calloc(1, filter->settings_size + 1) };
    struct general_options general = { 0 };
    struct option_table tables[NTABLE];
    struct texts inputs = { NULL, 0 };
    struct error e;
    enum status status = STATUS_TROUBLE;
    tables_of(&c, &general, tables);
    if (!c.settings)
        error_memory(&e), messages_error(messages, NULL, &e);
    else if (!options_defaults(tables, NTABLE, &e) ||
             !options_parse(argc, argv, tables, NTABLE, &inputs, &e) ||
             (!general.help && !general.version && !check(&c, &inputs, &e)))
        messages_error(messages, NULL, &e);
    else if (general.help || general.version)
        status = help_print(general.help ? manual_filter(filter) : manual_version(), messages);
    else
        status = filter_files(&c, &inputs, messages);
    options_free(tables, NTABLE, &inputs);
    free(c.settings);
    override_list_free(&c.overrides);
    return status;
}
