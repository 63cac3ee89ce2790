/* Masks, vectors, and the faults of rows. See prepare.h. */
#include "series/prepare.h"

#include <math.h>

/* --- masks --- */

bool prepare_check_masks(const struct texts *masks, struct error *e)
{
    struct column_mask mask;
    for (size_t i = 0; i < masks->ntext; i++)
        if (!plan_mask_read(masks->text[i], &mask, e))
            return false;
    return true;
}

/* The number in row j of the condition column of a mask. A time is in the unit of the input. */
static double condition(const struct series_rows *in, const struct block *block, size_t teller, size_t j)
{
    const struct column_use *use = plan_use(in->plan, teller);
    if (use->role != ROLE_TIME)
        return block_value(block, use->value)[j];
    return in->plan->time == teller ? block->time[j].t : (double)(block->firstrow + j) / in->rate;
}

/* Masked values become missing goals. */
static void mask(const struct prepare *prepare, const struct block *block)
{
    const struct column_plan *plan = prepare->in.plan;
    for (size_t i = 0; i < plan->nmask; i++) {
        size_t channel = plan_use(plan, plan->mask[i].column)->value;
        double *goal = block_goal(block, channel);
        for (size_t j = 0; j < block->nrow; j++)
            if (plan_masks(&plan->mask[i], condition(&prepare->in, block, plan->mask[i].teller, j))) {
                prepare->count[channel].masked += isnan(goal[j]) == 0;
                goal[j] = (double)NAN;
            }
    }
    for (size_t i = 0; i < plan->nmask; i++) {
        size_t channel = plan_use(plan, plan->mask[i].column)->value;
        const double *goal = block_goal(block, channel);
        for (size_t j = 0; j < block->nrow && !prepare->count[channel].left; j++)
            prepare->count[channel].left = isnan(goal[j]) == 0;
    }
}

/* --- faults --- */

/* The first fault of a block. Of several faults of a row the one that was noted first counts. */
struct fault {
    size_t row; /* block->nrow: there is none */
    struct error error;
};

static void note(struct fault *fault, size_t row, const struct error *e)
{
    if (row < fault->row)
        *fault = (struct fault){ row, *e };
}

/* Are the four numbers of row j of a quaternion known, and no rotation? */
static bool is_no_rotation(const struct unit *unit, const struct block *block, size_t j)
{
    double most = 0;
    bool gap = false;
    for (size_t k = 0; k < 4; k++) {
        double x = block_goal(block, unit->channel[k])[j];
        most = fmax(most, fabs(x));
        gap |= isnan(x);
    }
    return !gap && !(most > 0 && isfinite(most));
}

/* Notes the first row whose numbers are no rotation. */
static void find_no_rotation(const struct series_rows *in, const struct block *block, struct fault *fault)
{
    for (size_t i = 0; i < in->units->n && in->units->nrotation > 0; i++) {
        const struct unit *unit = &in->units->at[i];
        bool judged = unit->kind == UNIT_QUATERNION;
        for (size_t j = 0; judged && j < fault->row; j++) {
            struct error e;
            if (!is_no_rotation(unit, block, j))
                continue;
            error_data(&e, "not a rotation: the four components are 0 or not finite");
            error_column(&e, plan_channel(in->plan, unit->channel[0])->name);
            error_hint(&e, "empty the four cells in each row where the rotation is unknown");
            note(fault, j, &e);
        }
    }
}

/* Ends the block before a fault. Returns the block; NULL: there is no fault. */
static struct block *end_before(const struct fault *fault, struct block *block)
{
    if (fault->row >= block->nrow)
        return NULL;
    block_cut(block, fault->row, &fault->error);
    return block;
}

/* --- the stage --- */

static struct block *take(void *state, struct block *block)
{
    const struct prepare *prepare = state;
    const struct series_rows *in = &prepare->in;
    struct fault fault = { .row = block->nrow };
    block->pending = 0;
    if (prepare->count && !block_make_goals(block, in->plan->nchannel, &fault.error)) {
        fault.row = 0;
        return end_before(&fault, block);
    }
    if (prepare->count)
        mask(prepare, block);
    units_complete(in->units, block);
    find_no_rotation(in, block, &fault);
    return end_before(&fault, block);
}

struct stage prepare_stage(struct prepare *prepare)
{
    const struct units *units = prepare->in.units;
    const bool wanted = prepare->count || units->nvector + units->nrotation > 0;
    return (struct stage){ wanted ? take : NULL, .state = prepare };
}
