/* Whether there is almost no noise, by the function of --cutoff auto. See table.h. */
#include "view/inspect/table.h"

#include "base/array.h"
#include "whole/choose_cutoff.h"

#include <math.h>
#include <stdlib.h>

/* Gathers the samples of rows first to end - 1 at rising times, and the run from the first known one to the
 * last. T, value: room for them. Returns how many are known. */
static size_t gather(const struct inspect_rows *rows, const struct unit *unit, size_t first, size_t end,
                     double *T, double *value, struct samples *all, struct sample_run *run)
{
    const size_t width = unit_width(unit);
    size_t n = 0, known = 0;
    double before = -INFINITY, part[4];
    for (size_t i = first; i < end; i++) {
        if (!(rows->time[i] > before))
            continue;
        for (size_t k = 0; k < unit->n; k++)
            part[k] = inspect_value(rows, unit->channel[k])[i];
        unit_target(unit, part, value + n * width);
        T[n] = rows->time[i] - before;
        before = rows->time[i];
        if (!isnan(value[n * width])) {
            run->first = known++ > 0 ? run->first : n;
            run->last = n;
        }
        n++;
    }
    *all = (struct samples){ .n = n, .width = width, .T = T, .value = value };
    return known;
}

bool inspect_noise_find(struct inspect_table *table, struct error *e)
{
    const struct inspect_rows *rows = &table->rows;
    struct smoothing smoothing = { .n = 0 };
    struct cutoff_choice choice = { .quiet = false };
    struct samples all;
    struct sample_run run = { 0, 0 };
    double *T, *value;
    bool good = true;
    if (!arrays_make(e, ARRAY(T, rows->nrow + 1), ARRAY(value, 4 * (rows->nrow + 1))))
        return false;
    for (const struct unit *unit = table->units.at; unit < table->units.at + table->units.n; unit++)
        for (size_t first = 0, end; first < rows->nrow && good && !table->noisy; first = end) {
            end = inspect_series_end(rows, first);
            if (!inspect_moves(table, unit) ||
                gather(rows, unit, first, end, T, value, &all, &run) < CHOOSE_LEAST)
                continue;
            good = choose_cutoff(&smoothing, &all, &run, 1, &choice, e);
            table->noisy = !choice.quiet;
        }
    smoothing_free(&smoothing);
    free(T);
    return good;
}
