/* The plan of one table of an input of several: what the plan of the input says of the table's columns.
 * Options are read, and their errors found, when the plan of the input is made. */
#include "rows/plan.h"

#include "base/array.h"

size_t plan_here(const struct column_plan *plan, size_t i, const char *option, struct error *e)
{
    const size_t here = columns_here(plan->columns, i);
    if (here == COLUMN_NONE) {
        error_data(e, "%s names this column, but it is in another table", option);
        error_column(e, columns_at(plan->input, i)->name);
    }
    return here;
}

bool plan_allows_none(const struct column_plan *plan, struct error *e)
{
    const bool one_of_several = plan->input != plan->columns;
    if (one_of_several)
        e->kind = ERROR_NONE;
    return one_of_several;
}

/* Makes *teller, a column of the input that is read for a channel, a column of the table: only there its rows
 * are those of the channel. */
static bool take_teller(const struct column_plan *plan, size_t channel, size_t *teller, const char *option,
                        struct error *e)
{
    const size_t here = columns_here(plan->columns, *teller);
    if (here == COLUMN_NONE) {
        error_data(e, "%s names this column, but its times differ from those of \"%s\"", option,
                   columns_at(plan->columns, channel)->name);
        return error_column(e, columns_at(plan->input, *teller)->name);
    }
    *teller = here;
    return true;
}

/* Copies the use of every column from the plan of the input. */
static bool take_uses(struct column_plan *plan, const struct column_plan *input, struct error *e)
{
    const struct columns *columns = plan->columns;
    if (!arrays_make(e, ARRAY(plan->use, columns->ncolumn)))
        return false;
    for (size_t i = 0; i < columns->ncolumn; i++) {
        struct column_use *use = plan_own(plan, i);
        *use = *plan_use(input, columns->column[i].position - 1);
    }
    return true;
}

/* Takes the masks of the table's channels. */
static bool take_masks(struct column_plan *plan, const struct column_plan *input, struct error *e)
{
    for (size_t k = 0; k < input->nmask; k++) {
        struct column_mask mask = input->mask[k];
        mask.column = columns_here(plan->columns, mask.column);
        if (mask.column == COLUMN_NONE)
            continue;
        if (!take_teller(plan, mask.column, &mask.teller, "--mask", e) ||
            !array_reserve(&plan->mask, plan->nmask + 1, &plan->maxmask, sizeof *plan->mask, e))
            return false;
        plan->mask[plan->nmask++] = mask;
    }
    return true;
}

bool plan_of_table(struct column_plan *plan, const struct column_plan *input, const struct columns *columns,
                   struct error *e)
{
    REQUIRE(input->ngroup == 0);
    plan_free(plan);
    *plan = (struct column_plan){
        .columns = columns,
        .input = input->columns,
        .time = columns_here(columns, input->time),
        .unit = input->unit,
        .unit_reason = input->unit_reason,
        .form = input->form,
        .rate = input->rate,
        .row_rate = input->row_rate,
        .unused_time = columns_here(columns, input->unused_time),
        .cut = COLUMN_NONE,
        .all_cells = input->all_cells,
    };
    if (input->cut != COLUMN_NONE) {
        plan->cut = plan_here(plan, input->cut, "--cut-column", e);
        if (plan->cut == COLUMN_NONE)
            return false;
    }
    return take_uses(plan, input, e) && take_masks(plan, input, e) && plan_count(plan, e);
}
