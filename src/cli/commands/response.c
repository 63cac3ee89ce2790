/* sprung response FILTER [OPTION]...: the answer of a filter to a step or to tones. */
#include "base/port.h"
#include "cli/command.h"

#include "springs/cutoff.h"
#include "springs/filter_words.h"
#include "springs/option_groups.h"
#include "view/plot.h"
#include <math.h>
#include <stdlib.h>

enum {
    MAXROW = 10000000, /* of a curve */
    ROW_RATE = 60      /* rows per second for a filter whose equations contain no time */
};

/* The least number not below x that is an allowed digit times a power of ten. digits: the allowed
 * digits, ascending; '+' means 1.5. */
static double round_up(double x, const char *digits)
{
    double power = pow(10, floor(log10(x)));
    for (const char *d = digits; *d; d++) {
        double step = (*d == '+' ? 1.5 : *d - '0') * power;
        if (step >= x * (1 - 1e-9))
            return step;
    }
    return 10 * power;
}

/* Sets the range of frequencies of --bode by the duration and the rate of a curve. A duration that is chosen
 * to suit the filter is too short for the lowest frequency. */
static bool choose_frequencies(struct response_request *request, struct error *e)
{
    const double longest = isnan(request->options.duration) ? 10 * request->duration : request->duration;
    request->low = number_round(1 / longest, 3);
    request->high = request->rate / 2;
    request->bode_rate = request->response.limit ? 1e5 * request->high : request->rate;
    if (request->low < request->high)
        return true;
    error_usage(e,
                "--bode: the lowest frequency (1/duration, %g Hz) must be below the highest (rate/2, %g Hz)",
                request->low, request->high);
    return error_hint(e, "use a longer --duration or a higher --rate");
}

/* Chooses the duration and the rate, unless they are given. Sets limit and fine of the response. */
static void choose_rows(struct response_request *request, struct response *response)
{
    bool timed = response_extent(response, isnan(request->options.rate) ? ROW_RATE : request->options.rate);
    double duration = isnan(request->options.duration)
                          ? number_round(round_up(response->extent, "1+234568"), 3)
                          : request->options.duration;
    double rate = timed ? number_round(round_up(400 / duration, "125"), 3) : ROW_RATE;
    if (!isnan(request->options.rate))
        rate = request->options.rate;
    response->limit = isnan(request->options.rate) && timed;
    response->fine = response->limit ? (1 << 16) / response->extent : rate;
    request->duration = duration;
    request->rate = rate;
}

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

/* Makes the response, and chooses its rows. */
static bool open_settings(struct response_request *request, const struct command_line *line, struct error *e)
{
    const struct filter *filter = line->job.filter.filter;
    struct response *response = &request->response;
    response->settings = malloc(filter->settings_size + 1);
    if (!response->settings)
        return error_memory(e);
    memcpy(response->settings, line->job.filter.settings, filter->settings_size);
    if (!filter_check(filter, response->settings, request->options.zero_phase, e) ||
        !check_settings(&request->options, filter, response->settings, e))
        return false;
    response->filter = filter;
    response->both = request->options.zero_phase;
    choose_rows(request, response);
    if (request->duration * request->rate > MAXROW) {
        error_usage(e, "%g s at %g rows per second are more than %d rows", request->duration, request->rate,
                    MAXROW);
        return error_hint(e, "use a shorter --duration or a lower --rate");
    }
    return !request->options.bode || choose_frequencies(request, e);
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
        error_usage(e, "%s has no response: its output has a different unit from its input", filter->name);
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
    struct response_request request = { .options = line->response };
    const struct filter *filter = line->job.filter.filter;
    if (!request.options.output && request.options.to == RESPONSE_TEXT && port_is_terminal(PORT_STDOUT) &&
        !request.options.step && !request.options.bode)
        request.options.summary = true;
    const bool good = check_request(&request.options, filter, &line->operands, e) &&
                      open_settings(&request, line, e) && response_show(&request, e);
    response_close(&request.response);
    return good;
}

const struct command command_response = {
    .name = "response",
    .summary = "shows what a filter does to a step or to tones",
    .usage = "FILTER [OPTION]...",
    .about = "Shows the filter's response to a step. On a terminal it prints the summary; to a file or a "
             "pipe, and with --to csv, csv with the columns time, input, output, output_vel and output_acc. "
             "With --bode the columns are frequency, gain_db and phase_deg. Filtering the column \"input\" "
             "gives the same output; with --zero-phase only far from the first and last row.\n\n"
             "Of filters that are not linear (timed, velocity, tracking with limits, one-euro with a beta) "
             "it shows only a step; inertialize has a cut there. character and resonance have no response: "
             "their output has another unit.",
    .examples = "sprung response critical --halflife 0.1 --summary\n"
                "sprung response second-order -f 2 -z 0.5 -r -2 | sprung plot -",
    .tables = (const struct option_table *const[]){ &options_response, &options_general, NULL },
    .takes_filter = true,
    .run = run_response,
};
