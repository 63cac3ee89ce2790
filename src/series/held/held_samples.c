/* Rows to samples. See held_samples.h. */
#include "series/held/held_samples.h"

#include "base/array.h"
#include "series/series_state.h"
#include "whole/live_smoother.h"

#include <math.h>
#include <stdlib.h>

#define SAME_TIME 1e-6 /* of the step before: a row that is nearer to the row before has its time */

bool held_begin(struct held_samples *held, const struct series_rows *in, const struct operator_rows *rows,
                struct error *e)
{
    if (held->in)
        return true;
    if (!arrays_make(e, ARRAY(held->unwrap, in->plan->nchannel), ARRAY(held->print, in->units->n),
                     ARRAY(held->live, in->units->n)))
        return false;
    held->in = in;
    held->rows = rows;
    return true;
}

void held_free(struct held_samples *held)
{
    for (size_t i = 0; held->in && i < held->in->units->n; i++)
        live_free(&held->live[i]);
    free(held->unwrap);
    free(held->T);
    *held = (struct held_samples){ .in = NULL };
}

/* Do runs depend on the times of rows, by --max-gap in seconds? */
static bool needs_stamps(const struct series_rows *in)
{
    return series_gaps(in).limit.kind == GAP_SECONDS;
}

/* Copies all samples from sample `first` on. */
static void copy_samples(struct held_samples *to, const struct held_samples *from, size_t first)
{
    const size_t n = from->n - first;
    memmove(to->T, from->T + first, n * sizeof *to->T);
    memmove(to->counted, from->counted + first, n * sizeof *to->counted);
    memmove(to->row, from->row + first, n * sizeof *to->row);
    if (needs_stamps(from->in))
        memmove(to->stamp, from->stamp + first, n * sizeof *to->stamp);
    for (size_t c = 0; c < from->in->plan->nchannel; c++)
        memmove(held_value(to, c), held_value(from, c) + first, n * sizeof *to->value);
}

/* Makes room for n more samples. */
static bool reserve(struct held_samples *held, size_t n, struct error *e)
{
    struct held_samples larger = *held;
    if (held->n + n <= held->max)
        return true;
    const size_t max = larger.max = held->n + n + held->n / 4;
    if (!arrays_make(e, ARRAY(larger.T, max), ARRAY(larger.counted, max), ARRAY(larger.row, max),
                     ARRAY(larger.stamp, needs_stamps(held->in) ? max : 0),
                     ARRAY(larger.value, max * held->in->plan->nchannel)))
        return false;
    copy_samples(&larger, held, 0);
    free(held->T);
    *held = larger;
    return true;
}

void held_drop(struct held_samples *held, size_t first)
{
    first = first < held->n ? first : held->n - 1;
    if (first == 0 || first < held->n / 2)
        return;
    copy_samples(held, held, first);
    held->n -= first;
    held->ngiven -= first;
    held->dropped = true;
}

/* Takes a row T seconds after the row before. Returns the index of its sample. */
static size_t add_row(struct held_samples *held, double T, struct timestamp stamp)
{
    const uint64_t row = held->nrow++;
    const bool first = held->n == 0;
    const struct stretch_time *time = &held->time;
    const double last = time->n > 0 ? time->step[(time->n - 1) % STRETCH_STEPS] : 0;
    held->waiting += first ? 0 : T;
    if (!first && !(held->waiting > SAME_TIME * last))
        return held->n - 1;
    const size_t k = held->n++;
    held->T[k] = held->waiting;
    held->counted[k] = first ? 0 : stretch_time_take(&held->time, held->waiting);
    held->row[k] = row;
    if (needs_stamps(held->in))
        held->stamp[k] = stamp;
    held->waiting = 0;
    for (size_t c = 0; c < held->in->plan->nchannel; c++)
        held_value(held, c)[k] = (double)NAN;
    return k;
}

/* Copies the goals of a channel in the new rows of a chunk. */
static void copy_goals(const struct chunk *chunk, size_t channel, double *goal)
{
    if (!chunk->index) {
        block_copy_goals(chunk->block, channel, chunk->first, chunk->n, goal);
        return;
    }
    for (size_t j = 0; j < chunk->n; j++)
        block_copy_goals(chunk->block, channel, chunk->index[j], 1, &goal[j]);
}

bool held_take(struct held_samples *held, const struct series *series, const struct filter_group *group,
               const struct chunk *chunk, struct error *e)
{
    const size_t nbefore = held->n;
    size_t sample[CHUNK_ROWS + 1];
    double goal[CHUNK_ROWS + 1], turns[CHUNK_ROWS + 1];
    if (!reserve(held, chunk->n, e))
        return false;
    for (size_t j = 0; j < chunk->n; j++)
        sample[j] = add_row(held, series->T[j], steps_time(series, group, chunk, j));
    for (size_t i = 0; i < held->in->units->n; i++) {
        const struct unit *unit = &held->in->units->at[i];
        for (size_t k = 0; k < unit->n; k++) {
            const size_t channel = unit->channel[k];
            double *value = held_value(held, channel);
            copy_goals(chunk, channel, goal);
            if (unit->kind == UNIT_ANGLE)
                angles_unwrap(&held->unwrap[channel], unit->period, goal, turns, chunk->n);
            for (size_t j = 0; j < chunk->n; j++) {
                const bool joins = sample[j] < nbefore || (j > 0 && sample[j] == sample[j - 1]);
                if (!joins || (!held->lives && isnan(value[sample[j]])))
                    value[sample[j]] = goal[j];
            }
        }
    }
    return true;
}

void held_leave_faulty(struct held_samples *held)
{
    while (held->nrow > held->nrow_given) {
        const struct spot last = held_spot(held, held->nrow - 1);
        if (last.row < last.block->nrow)
            break;
        held->nrow--;
    }
    while (held->n > held->ngiven && held->row[held->n - 1] >= held->nrow)
        held->n--;
}
