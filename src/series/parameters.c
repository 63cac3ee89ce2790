/* Each row has its own settings, from the settings of the command line and the row's numbers. What is
 * computed from them goes on as always: coefficients_find asks the filter for the coefficients of each row,
 * and the loops of springs/run_rows.h hand the row's settings to the filter. See parameters.h. */
#include "series/parameters.h"

#include "base/array.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Adds the options of settings number `set` that take a column. */
static bool add_options(struct parameters *all, size_t set, struct error *e)
{
    const struct filter *filter = all->overrides->filter;
    const void *settings = all->overrides->settings[set];
    for (size_t i = 0; i < filter->nparam; i++) {
        const struct param *param = &filter->params[i];
        const char *name = param_column(param, settings);
        if (!name)
            continue;
        if (((const struct filter_common *)settings)->cutoff > 0) {
            error_usage(e, "--%s @%s cannot be combined with --cutoff", param->name, name);
            return error_hint(e, "give --frequency or --halflife instead");
        }
        const struct column_plan *plan = all->overrides->plan;
        size_t column = columns_find(plan->input, name, param->name, e);
        if (column != COLUMN_NONE)
            column = plan_here(plan, column, "@COLUMN", e);
        if (column == COLUMN_NONE)
            return false;
        all->at[all->n++] = (struct parameter){ param, set, column };
    }
    return true;
}

bool parameters_open(struct parameters *all, const struct overrides *overrides, struct groups *groups,
                     struct error *e)
{
    all->overrides = overrides;
    if (!arrays_make(e, ARRAY(all->at, overrides->n * FILTER_MAXCOLUMN),
                     ARRAY(all->settings, overrides->filter->settings_size)))
        return false;
    for (size_t set = 0; set < overrides->n; set++)
        if (!add_options(all, set, e))
            return false;
    all->place = groups_reserve(groups, all->n * sizeof(struct last_value));
    return true;
}

void parameters_close(struct parameters *all)
{
    free(all->at);
}

/* The value of a parameter in a row; NaN: missing. */
static double value_at(const struct parameters *all, const struct parameter *parameter, struct spot at)
{
    const size_t of_column = plan_use(all->overrides->plan, parameter->column)->value;
    return block_value(at.block, of_column)[at.row];
}

/* Takes the value of a row as the last one, unless it is missing. Returns whether it is another value. */
static bool take_value(struct last_value *last, double value)
{
    if (isnan(value))
        return false;
    bool changed = !last->known || last->value != value;
    *last = (struct last_value){ value, true };
    return changed;
}

bool parameters_read(const struct parameters *all, struct spot at, struct last_value *last)
{
    bool changed = false;
    for (size_t i = 0; i < all->n; i++)
        changed |= take_value(&last[i], value_at(all, &all->at[i], at));
    return changed;
}

bool parameters_make(const struct parameters *all, size_t set, const struct last_value *last, void *settings,
                     struct error *e)
{
    const struct filter *filter = all->overrides->filter;
    memcpy(settings, all->overrides->settings[set], filter->settings_size);
    for (size_t i = 0; i < all->n; i++)
        if (all->at[i].set == set)
            param_set_number(all->at[i].param, settings, last[i].value);
    return filter_check(filter, settings, all->overrides->zero_phase, e);
}

/* --- checks --- */

/* Is the value of a parameter in a row in range, or missing with a value before it? */
static bool check_value(const struct parameter *parameter, double value, const struct last_value *last,
                        struct error *e)
{
    if (!isnan(value))
        return param_accepts(parameter->param, value, e);
    return last->known || error_data(e, "--%s: the first row has no value for it", parameter->param->name);
}

/* Checks a row; *bad is the parameter to name. */
static bool check_row(struct parameters *all, struct spot at, struct last_value *last, size_t *bad,
                      struct error *e)
{
    const struct overrides *overrides = all->overrides;
    bool changed = false, good = true;
    for (size_t i = 0; i < all->n; i++) {
        double value = value_at(all, &all->at[i], at);
        *bad = i;
        if (!check_value(&all->at[i], value, &last[i], e))
            return false;
        changed |= take_value(&last[i], value);
    }
    for (size_t set = 0; good && changed && set < overrides->n; set++)
        if (filter_from_columns(overrides->settings[set]))
            good = parameters_make(all, set, last, all->settings, e);
    return good;
}

size_t parameters_check(struct parameters *all, const struct groups *groups, const struct block *block,
                        struct error *e)
{
    for (size_t i = 0; all->n > 0 && i < block->nrow; i++) {
        const struct group *group = block->group ? block->group[i] : groups->first;
        struct last_value *last = group_state(group, all->place);
        size_t bad = 0;
        if (check_row(all, (struct spot){ (struct block *)block, i }, last, &bad, e))
            continue;
        e->kind = ERROR_DATA;
        error_column(e, all->overrides->plan->columns->column[all->at[bad].column].name);
        return i;
    }
    return block->nrow;
}
