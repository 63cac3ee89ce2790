/* Whether there is almost no noise, by the function of --cutoff auto. See table.h. */
#include "view/inspect/table.h"

#include "base/array.h"
#include "whole/choose_cutoff.h"

#include <math.h>
#include <stdlib.h>

/* A series of a unit: its samples at rising times, and the run from the first known one to the last. */
struct gathered {
    double *T, *value; /* room for all rows; owned, together */
    struct samples all;
    struct sample_run run;
    size_t known; /* samples */
};

static void gather(const struct inspect_rows *rows, const struct unit *unit, size_t first, size_t end,
                   struct gathered *series)
{
    const size_t width = unit_width(unit);
    size_t n = 0;
    double before = -INFINITY, part[4];
    series->known = 0;
    for (size_t i = first; i < end; i++) {
        if (!(rows->time[i] > before))
            continue;
        for (size_t k = 0; k < unit->n; k++)
            part[k] = inspect_value(rows, unit->channel[k])[i];
        unit_target(unit, part, series->value + n * width);
        series->T[n] = rows->time[i] - before;
        before = rows->time[i];
        if (!isnan(series->value[n * width])) {
            series->run.first = series->known++ > 0 ? series->run.first : n;
            series->run.last = n;
        }
        n++;
    }
    series->all = (struct samples){ .n = n, .width = width, .T = series->T, .value = series->value };
}

bool inspect_noise_find(struct inspect_table *table, struct error *e)
{
    const struct inspect_rows *rows = &table->rows;
    struct smoothing smoothing = { .n = 0 };
    struct cutoff_choice choice = { .quiet = false };
    struct gathered series = { .known = 0 };
    bool good = true;
    if (!arrays_make(e, ARRAY(series.T, rows->nrow + 1), ARRAY(series.value, 4 * (rows->nrow + 1))))
        return false;
    for (size_t u = 0; u < table->units.n; u++) {
        const struct unit *unit = &table->units.at[u];
        const size_t nrow = inspect_moves(table, unit) ? rows->nrow : 0;
        for (size_t first = 0, end; first < nrow && good && !table->noisy; first = end) {
            end = inspect_series_end(rows, first);
            gather(rows, unit, first, end, &series);
            if (series.known < CHOOSE_LEAST)
                continue;
            good = choose_cutoff(&smoothing, &series.all, &series.run, 1, &choice, e);
            table->noisy = !choice.quiet;
        }
    }
    smoothing_free(&smoothing);
    free(series.T);
    return good;
}
