/* The stages of one job. See stages.h. */
#include "run/stages.h"

#include "base/array.h"
#include "series/smooth_pass.h"
#include <stdlib.h>

bool stages_bind(struct stages *stages, const struct filter_job_config *config, struct reader *reader,
                 struct error *e)
{
    stages->config = config;
    stages->reader = reader;
    return units_make(&stages->units, &reader->table, &config->units, config->filter.filter,
                      config->series.start, e);
}

bool stages_take_curves(const struct filter_job_config *config)
{
    return !isnan(config->resample) && (config->filter.filter->cuts || config->filter.zero_phase);
}

bool stages_clean(const struct stages *stages)
{
    const struct filter_job_config *job = stages->config;
    const int gaps = job->series.gaps;
    return stages->reader->table.nmask > 0 || gaps == GAPS_LINEAR || gaps == GAPS_FILL ||
           !isnan(job->despike);
}

static struct series_rows rows_of(struct stages *stages)
{
    const struct table *table = &stages->reader->table;
    return (struct series_rows){
        .reader = stages->reader,
        .table = table,
        .settings = &stages->config->series,
        .rate = table->row_rate,
        .cuts = &stages->config->cuts.given,
        .units = &stages->units,
        .groups = &stages->groups,
    };
}

/* --- the list of stages --- */

/* The place of another stage. */
static struct stage *add_stage(struct stages *stages)
{
    REQUIRE(stages->n < STAGES_MAX);
    return &stages->at[stages->n++];
}

static bool add_core(struct stages *stages, struct pool *pool, struct error *e)
{
    const struct filter_job_config *job = stages->config;
    stages->core = (struct core){
        .input = rows_of(stages),
        .filter = job->filter.filter,
        .settings = job->filter.settings,
        .derivatives = stages->derivatives,
        .despike = job->despike,
        .detect = job->filter.filter->cuts ? job->cuts.detect : (double)NAN,
        .hz = isnan(job->resample) ? 0 : job->resample,
        .lookahead = job->filter.lookahead,
        .zero_phase = job->filter.zero_phase,
        .verbose = job->output.verbose,
        .count = stages->channel_count,
        .warnings = &stages->warnings,
        .pool = pool,
    };
    if (!core_open(&stages->core, e) || !warnings_open(&stages->warnings, &stages->core, e))
        return false;
    stages->reader->row_by_row = stages->core.waits && !stages->core.whole;
    *add_stage(stages) = core_stage(&stages->core);
    return true;
}

static bool add_grid(struct stages *stages, struct error *e)
{
    if (isnan(stages->config->resample))
        return true;
    stages->grid = grid_open(add_stage(stages), &stages->core, &stages->layout, e);
    return stages->grid != NULL;
}

/* Where no row can leave before the last row has come, the input is read in large pieces, and --lookahead is
 * refused. */
static bool check_waiting(struct stages *stages, struct error *e)
{
    const struct series_rows in = rows_of(stages);
    const char *why = smooth_needs_all(stages->config->filter.settings, &in);
    stages->reader->source->whole |= why != NULL;
    if (!why || isnan(stages->config->filter.lookahead))
        return true;
    error_usage(e, "--lookahead does not work here: %s", why);
    return error_hint(e, "leave out --lookahead");
}

bool stages_open(struct stages *stages, const struct filter_job_task *task, struct error *e)
{
    const struct filter_job_config *config = stages->config;
    const struct table *table = &stages->reader->table;
    if ((config->filter.zero_phase && !check_waiting(stages, e)) ||
        !arrays_make(e, ARRAY(stages->channel_count, table->nchannel)))
        return false;
    return add_core(stages, task->pool, e) && add_grid(stages, e);
}

void stages_close(struct stages *stages)
{
    grid_close(stages->grid);
    core_close(&stages->core);
    warnings_close(&stages->warnings);
    units_free(&stages->units);
    free(stages->channel_count);
    groups_free(&stages->groups);
    output_columns_free(&stages->layout);
}
