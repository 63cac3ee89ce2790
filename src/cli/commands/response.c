/* sprung response FILTER [OPTION]...: the answer of a filter to a step or to tones. */
#include "base/port.h"
#include "cli/command.h"

#include "springs/cutoff.h"
#include "springs/filter_words.h"
#include "springs/option_groups.h"
#include "view/plot.h"

#include <math.h>

/* Checks settings of the filter, and refuses options that have no meaning for a response. */
static bool check_settings(const struct response_options *options, const struct filter *filter,
                           const void *settings, struct error *e)
{
    if (!filter_is_linear(settings) && (options->bode || options->zero_phase)) {
        error_usage(e, "%s is not linear with these options: %s does not apply", filter->name,
                    options->bode ? "--bode" : "--zero-phase");
        return error_hint(e, "for its response to a step: --step");
    }
    if (filter_predicts(filter, settings))
        return error_usage(e, "--predict does not apply to response");
    if (filter_automatic(settings)) {
        error_usage(e, "auto needs a file to measure, but response reads none");
        return error_hint(e, "to see what auto chooses, filter a file with --verbose");
    }
    return (!options->zero_phase || filter_check_zero_phase(filter, settings, e)) &&
           (isnan(options->rate) ||
            cutoff_check(((const struct filter_common *)settings)->cutoff, options->rate, e));
}

static bool check_request(const struct response_options *options, const struct filter *filter,
                          const struct texts *operands, struct error *e)
{
    if (operands->ntext) {
        error_usage(e, "response reads no file: its input is a step or a tone");
        return error_excerpt(e, operands->text[0], strlen(operands->text[0]));
    }
    if (options->step && options->bode)
        return error_usage(e, "give only one of --step and --bode");
    if (filter->keeps_cell || filter->other_unit) {
        error_usage(e, "%s has no response: its output does not follow its input", filter->name);
        return error_hint(e, "see sprung help %s", filter->name);
    }
    if (options->output && plot_draws(options->output)) {
        error_usage(e, "response writes numbers, not pictures");
        return error_hint(e, "sprung response ... -o step.csv, then sprung plot step.csv -o %.200s",
                          options->output);
    }
    return true;
}

static bool run_response(struct command_line *line, struct error *e)
{
    const struct filter *filter = line->job.filter.filter;
    void *settings = line->job.filter.settings;
    struct response_request request = {
        .options = line->response,
        .response = { .filter = filter, .settings = settings, .both = line->response.zero_phase },
    };
    if (!request.options.output && request.options.to == RESPONSE_TEXT && port_is_terminal(PORT_STDOUT) &&
        !request.options.step && !request.options.bode)
        request.options.summary = true;
    const bool good = check_request(&request.options, filter, &line->operands, e) &&
                      filter_check(filter, settings, request.options.zero_phase, e) &&
                      check_settings(&request.options, filter, settings, e) && response_choose(&request, e) &&
                      response_show(&request, e);
    response_close(&request.response);
    return good;
}

const struct command command_response = {
    .name = "response",
    .summary = "shows what a filter does to a step or to tones",
    .usage = "FILTER [OPTION]...",
    .about = "Shows the filter's response to a step. On a terminal it prints the summary; to a file, to a "
             "pipe, or with --to csv, it prints csv with the columns time, input, output, output_vel and "
             "output_acc. With --bode the columns are frequency, gain_db and phase_deg, drawn by sprung plot "
             "-t frequency. Filtering the column \"input\" gives the same output; with --zero-phase only "
             "far from the first and last row.\n\n"
             "For filters that are not linear it shows only a step: timed, velocity, tracking with limits, "
             "one-euro with a beta, and inertialize, whose step is a cut. character and resonance have no "
             "response, because their output does not follow the input.",
    .examples = "sprung response critical --halflife 0.1 --summary\n"
                "sprung response second-order -f 2 -z 0.5 -r -2 | sprung plot -",
    .tables = (const struct option_table *const[]){ &options_response, &options_general, NULL },
    .takes_filter = true,
    .run = run_response,
};
