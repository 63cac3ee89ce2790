/* The steps in time of the rows of a chunk. */
#include "series/series_state.h"

#include "base/array.h"
#include <math.h>
#include <stdlib.h>

/* With a rate all steps in own_T but the first are set when the steps are opened. */
void steps_take(struct series *series, const struct filter_group *group, const struct chunk *chunk)
{
    const double *T = chunk->block->T;
    double *own = series->own_T + chunk->nwaiting;
    if (T && chunk->nwaiting == 0 && !chunk->index) {
        series->T = T + chunk->first;
        return;
    }
    series->T = series->own_T;
    series->own_T[0] = group->waiting_T;
    if (!T)
        own[0] = group->nseen > 0 ? 1 / series->config.in.rate : 0;
    for (size_t j = 0; T && j < chunk->n - chunk->nwaiting; j++)
        own[j] = T[new_row(chunk, j)];
}

bool steps_open(struct series *series, struct error *e)
{
    if (!arrays_make(e, ARRAY(series->own_T, series->maxrow)))
        return false;
    for (size_t j = 0; series->config.in.rate != 0 && j < series->maxrow; j++)
        series->own_T[j] = 1 / series->config.in.rate;
    return true;
}

void steps_close(struct series *series)
{
    free(series->own_T);
}
