/* Values of options that come from columns (@COLUMN): each row has its own settings, which parameters_take
 * makes from the settings of the command line and the row's numbers. What is computed from them goes on as
 * always: coefficients_find asks the filter for the coefficients of each row, and the loops of
 * springs/run_rows.h hand the row's settings to the filter. Kept between chunks: the last value of each
 * column, by group, as far as rows were checked, and as far as they were taken. */
#include "series/streamed.h"

#include "base/array.h"
#include <math.h>
#include <stdlib.h>

/* The last value of a parameter in a group. */
struct last_value {
    double value;
    bool known; /* there has been a value */
};

size_t parameters_group_bytes(const struct series *series)
{
    return 2 * streamed_of(series)->parameters.n * sizeof(struct last_value);
}

bool parameters_open(struct series *series, struct error *e)
{
    const struct filter *filter = series->config.filter;
    const struct column_plan *plan = series->config.in.plan;
    const struct columns *columns = plan->columns;
    size_t nset = series->config.overrides->n;
    struct parameters *all = &streamed_of(series)->parameters;
    if (!arrays_make(e, ARRAY(all->at, nset * FILTER_MAXCOLUMN)))
        return false;
    for (size_t set = 0; set < nset; set++)
        for (size_t i = 0; i < filter->nparam; i++) {
            const struct param *param = &filter->params[i];
            const char *name = param_column(param, series->config.overrides->settings[set]);
            if (!name)
                continue;
            if (((const struct filter_common *)series->config.overrides->settings[set])->cutoff > 0) {
                error_usage(e, "--%s @%s cannot be combined with --cutoff", param->name, name);
                return error_hint(e, "give --frequency or --halflife instead");
            }
            size_t column = columns_find(columns, name, param->name, e);
            if (column == COLUMN_NONE)
                return false;
            all->at[all->n++] = (struct parameter){ param, set, column };
        }
    return true;
}

void parameters_close(struct series *series)
{
    free(streamed_of(series)->parameters.at);
}

/* Reads a parameter in a row, where a missing value is the last one. *changed is set if the value is another
 * one. */
static bool read_parameter(const struct series *series, const struct parameter *parameter, struct spot at,
                           struct last_value *last, bool *changed, struct error *e)
{
    const size_t of_column = plan_use(series->config.in.plan, parameter->column)->value;
    double value = block_value(at.block, of_column)[at.row];
    if (isnan(value) && last->known)
        return true;
    if (isnan(value)) {
        error_data(e, "--%s: the first row has no value for it", parameter->param->name);
        return false;
    }
    if (!param_accepts(parameter->param, value, e))
        return false;
    *changed |= !last->known || last->value != value;
    *last = (struct last_value){ value, true };
    return true;
}

/* Makes settings from one set of settings and the values of a row. False: the values do not go together. */
static bool make_settings(const struct series *series, size_t set, const struct last_value *last,
                          char *settings, struct error *e)
{
    const struct streamed *streamed = streamed_of(series);
    const struct parameters *all = &streamed->parameters;
    memcpy(settings, streamed->set[set].settings, series->config.filter->settings_size);
    for (size_t i = 0; i < all->n; i++)
        if (all->at[i].set == set)
            param_set_number(all->at[i].param, settings, last[i].value);
    return filter_check(series->config.filter, settings, series->config.zero_phase, e);
}

/* Reads the values of a row. False: one is missing or out of range, or the values do not go together; *bad is
 * the parameter to name. */
static bool check_row(const struct series *series, struct spot at, struct last_value *last, size_t *bad,
                      struct error *e)
{
    const struct streamed *streamed = streamed_of(series);
    const struct parameters *all = &streamed->parameters;
    bool changed = false, good = true;
    for (size_t i = 0; good && i < all->n; i++) {
        good = read_parameter(series, &all->at[i], at, &last[i], &changed, e);
        *bad = i;
    }
    for (size_t set = 0; good && changed && set < series->config.overrides->n; set++)
        if (streamed->set[set].row_settings)
            good = make_settings(series, set, last, streamed->set[set].row_settings, e);
    return good;
}

void parameters_check(struct series *series, struct block *block)
{
    const struct parameters *all = &streamed_of(series)->parameters;
    for (size_t i = 0; all->n > 0 && i < block->nrow; i++) {
        const struct group *group = block->group ? block->group[i] : series->config.in.groups->first;
        struct last_value *last = (struct last_value *)series_group(series, group)->own + all->n;
        const struct spot at = { block, i };
        struct error e;
        size_t bad = 0;
        if (check_row(series, at, last, &bad, &e))
            continue;
        e.kind = ERROR_DATA;
        error_column(&e, series->config.in.plan->columns->column[all->at[bad].column].name);
        operator_fail(&series->operator, at, at, &e);
    }
}

void parameters_take(struct series *series, struct filter_group *group, const struct chunk *chunk)
{
    const struct streamed *streamed = streamed_of(series);
    const struct parameters *all = &streamed->parameters;
    struct last_value *last = group->own; /* [all->n], then as many of parameters_check */
    size_t size = series->config.filter->settings_size;
    struct error e; /* parameters_check has found no fault */
    for (size_t p = 0; all->n > 0 && p < chunk->n; p++) {
        struct spot at = chunk_row(group, chunk, p);
        bool changed = p == 0;
        for (size_t i = 0; p >= chunk->nwaiting && i < all->n; i++)
            read_parameter(series, &all->at[i], at, &last[i], &changed, &e);
        for (size_t set = 0; set < series->config.overrides->n; set++) {
            char *settings = streamed->set[set].row_settings;
            if (settings && changed)
                make_settings(series, set, last, settings + p * size, &e);
            else if (settings)
                memcpy(settings + p * size, settings + (p - 1) * size, size);
        }
    }
}
