/* Masks and vectors. See prepare.h. */
#include "series/prepare.h"

#include <math.h>

/* --- masks --- */

bool prepare_check_masks(const struct texts *masks, struct error *e)
{
    struct column_mask mask;
    for (size_t i = 0; i < masks->ntext; i++)
        if (!table_mask_read(masks->text[i], &mask, e))
            return false;
    return true;
}

/* The number in row j of the condition column of a mask. A time is in the unit of the input. */
static double condition(const struct series_rows *input, const struct block *block, size_t teller, size_t j)
{
    const struct column *use = table_column(input->table, teller);
    if (use->role != ROLE_TIME)
        return block_value(block, use->value)[j];
    return input->table->time == teller ? block->time[j].t : (double)(block->firstrow + j) / input->rate;
}

/* Masked values become missing goals. */
static void mask(const struct prepare *prepare, const struct block *block)
{
    const struct table *table = prepare->input.table;
    for (size_t i = 0; i < table->nmask; i++) {
        size_t channel = table_column(table, table->mask[i].column)->value;
        double *goal = block_goal(block, channel);
        for (size_t j = 0; j < block->nrow; j++)
            if (table_masks(&table->mask[i], condition(&prepare->input, block, table->mask[i].teller, j))) {
                prepare->count[channel].masked += isnan(goal[j]) == 0;
                goal[j] = (double)NAN;
            }
    }
}

/* --- the stage --- */

static struct block *take(void *state, struct block *block)
{
    const struct prepare *prepare = state;
    const struct series_rows *input = &prepare->input;
    struct error e;
    block->pending = 0;
    if (prepare->count && !block_make_goals(block, input->table->nchannel, &e)) {
        block_cut(block, 0, &e);
        return block;
    }
    if (prepare->count)
        mask(prepare, block);
    units_complete(input->units, block);
    return NULL;
}

struct stage prepare_stage(struct prepare *prepare)
{
    const struct units *units = prepare->input.units;
    const bool wanted = prepare->count || units->nvector + units->nrotation > 0;
    return (struct stage){ wanted ? take : NULL, .state = prepare };
}
