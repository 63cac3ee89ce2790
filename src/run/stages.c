/* The stages of one job. See stages.h. */
#include "run/stages.h"

#include "series/held/whole_series.h"
#include <stdlib.h>

bool stages_bind(struct stages *stages, const struct filter_job_config *config, struct reader *reader,
                 struct error *e)
{
    const struct filter *filter = config->filter.filter;
    const bool unasked = units_rotations_able(filter, config->series.start);
    stages->config = config;
    stages->reader = reader;
    return (config->units.angles ||
            units_check_known(reader->plan, &config->units, filter, config->series.start, e)) &&
           units_collect(&stages->units, reader->plan, &config->units, unasked, e);
}

size_t stages_resampled_outputs(const struct stages *stages)
{
    const struct job_filter *given = &stages->config->filter;
    if (isnan(stages->config->resample) || !(given->filter->cuts || given->zero_phase))
        return 0;
    return (size_t)stages->derivatives.computed + 1;
}

bool stages_alias(const struct stages *stages)
{
    return stages->config->filter.filter->cuts && stages_resampled_outputs(stages) > 0 &&
           resample_thins(stages->grid);
}

static struct series_rows rows_of(struct stages *stages)
{
    const struct column_plan *plan = stages->reader->plan;
    return (struct series_rows){ stages->reader,
                                 plan,
                                 &stages->config->series,
                                 plan->row_rate,
                                 &stages->config->cuts.given,
                                 &stages->units,
                                 &stages->split.groups };
}

/* --- the list of stages --- */

/* The place of a further stage. */
static struct stage *add_stage(struct stages *stages)
{
    REQUIRE(stages->n < STAGES_MAX);
    return &stages->at[stages->n++];
}

static void add_split(struct stages *stages)
{
    const struct series_rows in = rows_of(stages);
    split_open(&stages->split, &in);
    *add_stage(stages) = (struct stage){ split_take, .state = &stages->split };
}

/* The stage for masks, vectors, and rows that are refused. */
static void add_prepare(struct stages *stages)
{
    stages->prepare = (struct prepare){ rows_of(stages), stages->clean_count };
    const struct stage stage = prepare_stage(&stages->prepare);
    if (stage.take)
        *add_stage(stages) = stage;
}

/* Is a spike or a gap replaced? */
static bool cleans(const struct filter_job_config *job)
{
    return gaps_way(job->series.gaps)->bridged || !isnan(job->despike);
}

/* The operators for --despike, and for the way of --gaps that bridges. */
static bool add_clean(struct stages *stages, struct error *e)
{
    const struct filter_job_config *job = stages->config;
    const struct series_rows *in = &stages->prepare.in;
    if (!isnan(job->despike)) {
        stages->despike = despike_open(in, job->despike, stages->clean_count, e);
        if (!stages->despike)
            return false;
        *add_stage(stages) = operator_stage(stages->despike);
    }
    if (gaps_way(job->series.gaps)->bridged) {
        stages->fill = fill_open(in, stages->clean_count, e);
        if (!stages->fill)
            return false;
        *add_stage(stages) = operator_stage(stages->fill);
    }
    return true;
}

static bool add_resample(struct stages *stages, struct error *e)
{
    const struct resample_config config = {
        .in = rows_of(stages),
        .layout = &stages->layout,
        .hz = stages->config->resample,
        .fills_channels = stages->config->filter.filter->keeps_cell,
        .nfiltered = stages_resampled_outputs(stages),
    };
    if (isnan(stages->config->resample))
        return true;
    stages->grid = resample_open(add_stage(stages), &config, e);
    return stages->grid != NULL;
}

static bool add_filter(struct stages *stages, struct error *e)
{
    const struct filter_job_config *job = stages->config;
    const struct job_filter *given = &job->filter;
    const struct format *format = stages->reader->format;
    struct series_config config = {
        .in = rows_of(stages),
        .filter = given->filter,
        .settings = given->settings,
        .zero_phase = given->zero_phase,
        .lookahead = given->lookahead,
        .detect = given->filter->cuts ? job->cuts.detect : (double)NAN,
        .numbers_meant = job->units.quaternions != NULL,
        .cleaned = stages->clean_count != NULL,
        .pool = stages->pool,
        .verbose = job->output.verbose,
        .derivatives = stages->derivatives,
        .keyed = format->next && family_states_counts(format->family),
        .messages = stages->reader->messages,
        .file = stages->reader->source->name,
        .points = !isnan(job->resample) && stages_resampled_outputs(stages) == 0,
    };
    if (config.points)
        config.in.rate = 0;
    stages->filter = series_open(&config, e);
    if (!stages->filter)
        return false;
    *add_stage(stages) = operator_stage(stages->filter);
    return true;
}

/* The stages of a job, in the order of the manual. A filter that takes cuts steps over the rows of the input,
 * and the points of --resample are made from the filtered rows afterwards. */
static bool list_stages(struct stages *stages, struct error *e)
{
    const bool points_after = stages_resampled_outputs(stages) > 0;
    add_split(stages);
    add_prepare(stages);
    return add_clean(stages, e) && (points_after || add_resample(stages, e)) && add_filter(stages, e) &&
           (!points_after || add_resample(stages, e));
}

/* Where no row can leave before the last row has come, the input is read in large pieces, and --lookahead is
 * refused. */
static bool check_waiting(struct stages *stages, struct error *e)
{
    const struct series_rows in = rows_of(stages);
    const char *why = whole_series_needs_all(stages->config->filter.settings, &in);
    stages->reader->source->whole |= why != NULL;
    if (!why || isnan(stages->config->filter.lookahead))
        return true;
    error_usage(e, "--lookahead does not work here: %s", why);
    return error_hint(e, "leave out --lookahead");
}

bool stages_open(struct stages *stages, const struct filter_job_task *task, struct error *e)
{
    const struct filter_job_config *config = stages->config;
    const struct column_plan *plan = stages->reader->plan;
    stages->pool = task->pool;
    if (!units_fit(&stages->units, plan, &config->units, NULL, e) ||
        (config->filter.zero_phase && !check_waiting(stages, e)))
        return false;
    if ((plan->nmask > 0 || cleans(config)) && !arrays_make(e, ARRAY(stages->clean_count, plan->nchannel)))
        return false;
    return list_stages(stages, e);
}

void stages_close(struct stages *stages)
{
    operator_close(stages->filter);
    resample_close(stages->grid);
    operator_close(stages->fill);
    operator_close(stages->despike);
    units_free(&stages->units);
    free(stages->clean_count);
    split_close(&stages->split);
    output_columns_free(&stages->layout);
}
