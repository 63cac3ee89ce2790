/* Checks the options of a job against each other, before any input is opened: the filter must take the
 * options that are given. */
#include "run/stages.h"

#include "formats/input.h"
#include "springs/filter_words.h"

/* Refuses options that need --zero-phase. */
static bool check_one_pass(const struct job_filter *given, struct error *e)
{
    if (filter_automatic(given->settings)) {
        error_usage(e, "auto needs --zero-phase");
        return error_hint(e, "add --zero-phase, or give a number");
    }
    if (isnan(given->lookahead))
        return true;
    error_usage(e, "--lookahead works only with --zero-phase");
    return error_hint(e, "add --zero-phase, or leave out --lookahead");
}

/* Refuses --predict where the output has no place for the columns, or where a prediction has no meaning. */
static bool check_predictions(const struct filter_job_config *config, const struct job_filter *given,
                              struct error *e)
{
    if (!filter_predicts(given->filter, given->settings))
        return true;
    if (given->zero_phase) {
        error_usage(e, "--predict cannot be combined with --zero-phase");
        return error_hint(e, "leave out one of them");
    }
    if (config->output.in_place) {
        error_usage(e, "--predict adds columns, but --in-place keeps the columns of a file");
        return error_hint(e, "write to another file with --output or --output-dir");
    }
    if (!isnan(config->resample) && given->filter->cuts) {
        error_usage(e, "--predict with %s cannot be combined with --resample", given->filter->name);
        return error_hint(e, "resample first, then filter the result in a second run");
    }
    return true;
}

/* Checks that the filter can run with --zero-phase, and refuses options that have no meaning then. */
static bool check_zero_phase(const struct filter_job_config *config, const struct job_filter *given,
                             struct error *e)
{
    if (!filter_check_zero_phase(given->filter, given->settings, e))
        return false;
    if (filter_automatic(given->settings) && !isnan(config->resample)) {
        error_usage(e, "auto cannot be combined with --resample");
        return error_hint(
            e, "run it without --resample and with --verbose to see a cutoff, then give that number");
    }
    if (!config->series.start.given)
        return true;
    error_usage(e, "--start cannot be combined with --zero-phase");
    return error_hint(e, "leave out one of them");
}

bool filter_job_check(const struct filter_job_config *config, struct error *e)
{
    const struct job_filter *given = &config->filter;
    if (config->input.bad_rows == BAD_ROWS_SKIP && config->output.in_place && !*config->output.in_place) {
        error_usage(e, "--bad-rows skip with --in-place would lose rows");
        return error_hint(e, "keep a backup, as with --in-place=.orig, or use --output-dir");
    }
    return format_check(&config->input, e) &&
           (!config->input.from || input_format("--from", config->input.from, e)) &&
           (!config->output.to || input_format("--to", config->output.to, e)) &&
           (given->zero_phase ? check_zero_phase(config, given, e) : check_one_pass(given, e)) &&
           check_predictions(config, given, e);
}
