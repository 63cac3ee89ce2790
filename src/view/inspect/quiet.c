/* Does a table need no filter, as its channels have almost no noise? By the choice that the advised command
 * makes. See table.h. */
#include "base/array.h"
#include "view/inspect/table.h"
#include "whole/choose_cutoff.h"

#include <math.h>
#include <stdlib.h>

/* Room for the samples of a series, and for the choice. */
struct chooser {
    struct smoothing smoothing; /* owned */
    double *value, *step;       /* [nrow]; one allocation */
};

static void chooser_free(struct chooser *chooser)
{
    smoothing_free(&chooser->smoothing);
    free(chooser->value);
}

/* Copies the known values of a series at rising times, and the steps before them. Returns their number. */
static size_t gather_known(const struct chooser *chooser, const struct inspect_rows *rows, const double *x,
                           size_t first, size_t end)
{
    size_t n = 0;
    double since = 0;
    for (size_t i = first; i < end; i++) {
        since += i > first ? rows->time[i] - rows->time[i - 1] : 0;
        if (isnan(x[i]) || (n > 0 && !(since > 0)))
            continue;
        chooser->step[n] = since;
        chooser->value[n++] = x[i];
        since = 0;
    }
    return n;
}

/* Sets *quiet to whether a series, rows first to end - 1 of a channel, has almost no noise. */
static bool judge_quiet(struct chooser *chooser, const struct inspect_rows *rows, const double *x,
                        size_t first, size_t end, bool *quiet, struct error *e)
{
    const size_t n = gather_known(chooser, rows, x, first, end);
    const struct samples all = {
        .n = n, .width = SAMPLE_NUMBER, .T = chooser->step, .value = chooser->value
    };
    const struct sample_run run = { 0, n - 1 };
    struct cutoff_choice choice;
    *quiet = false;
    if (n < CHOOSE_LEAST)
        return true;
    if (!choose_cutoff(&chooser->smoothing, &all, &run, 1, &choice, e))
        return false;
    *quiet = choice.quiet;
    return true;
}

bool inspect_quiet_find(const struct inspect_table *table, bool *all_quiet, struct error *e)
{
    const struct inspect_rows *rows = &table->rows;
    struct chooser chooser = { .value = NULL };
    bool good = arrays_make(e, ARRAY(chooser.value, rows->nrow + 1), ARRAY(chooser.step, rows->nrow + 1));
    bool quiet = good;
    size_t nquiet = 0;
    for (size_t k = 0; k < rows->nchannel && quiet; k++) {
        if (!inspect_filters(table, k) || table->channel[k].meaning.kind == INSPECT_CONSTANT)
            continue;
        for (size_t first = 0, end; first < rows->nrow && quiet; first = end) {
            end = inspect_series_end(rows, first);
            good = judge_quiet(&chooser, rows, inspect_value(rows, k), first, end, &quiet, e);
            quiet = good && quiet;
        }
        nquiet += quiet;
    }
    *all_quiet = quiet && nquiet > 0;
    chooser_free(&chooser);
    return good;
}
