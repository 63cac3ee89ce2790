/* Does a table need no filter, as its channels have almost no noise? By the choice that the advised command
 * makes. See table.h. */
#include "base/array.h"
#include "view/inspect/table.h"
#include "whole/choose_halflife.h"
#include "whole/run_steps.h"

#include <math.h>
#include <stdlib.h>

/* The filter of the advised command, with --cutoff auto, and room for the samples of a series. */
struct chooser {
    const struct filter *filter;
    void *settings;           /* owned */
    struct zero_phase *phase; /* owned */
    double *value, *step;     /* [nrow]; one allocation */
    struct sample_run run;    /* the samples that are read */
};

static void chooser_free(struct chooser *chooser)
{
    zero_phase_free(chooser->phase);
    if (chooser->settings)
        param_free(chooser->filter->params, chooser->filter->nparam, chooser->settings);
    free(chooser->settings);
    free(chooser->value);
}

static bool chooser_make(struct chooser *chooser, size_t nrow, struct error *e)
{
    const struct filter *filter = chooser->filter = filter_find("butterworth");
    chooser->settings = calloc(1, filter->settings_size);
    if (!chooser->settings)
        return error_memory(e);
    for (size_t i = 0; i < filter->nparam; i++)
        if (!param_default(&filter->params[i], chooser->settings, e))
            return false;
    if (!param_set(filter_option(filter, "cutoff"), chooser->settings, "auto", e) ||
        !filter_check(filter, chooser->settings, true, e) ||
        !arrays_make(e, ARRAY(chooser->value, nrow), ARRAY(chooser->step, nrow)))
        return false;
    chooser->phase = zero_phase_make(filter, nrow, SAMPLE_NUMBER, e);
    return chooser->phase != NULL;
}

/* The even step of the rows of a series at rising times, first to end - 1; NaN: the steps are not even. */
static double find_even_step(const struct chooser *chooser, const struct inspect_rows *rows, size_t first,
                             size_t end)
{
    size_t n = 1;
    for (size_t i = first + 1; i < end; i++) {
        chooser->step[n] = rows->time[i] - rows->time[i - 1];
        n += chooser->step[n] > 0;
    }
    return run_steps_even(chooser->step, NULL, n);
}

/* Copies the known values of a series at rising times, and the steps before them. Returns their number. */
static size_t gather_known(const struct chooser *chooser, const struct inspect_rows *rows, const double *x,
                           size_t first, size_t end)
{
    const double even = find_even_step(chooser, rows, first, end);
    size_t n = 0;
    double since = 0;
    for (size_t i = first; i < end; i++) {
        const double T = i > first ? rows->time[i] - rows->time[i - 1] : 0;
        since += T > 0 && even > 0 ? even : T;
        if (isnan(x[i]) || (n > 0 && !(since > 0)))
            continue;
        chooser->step[n] = since;
        chooser->value[n++] = x[i];
        since = 0;
    }
    return n;
}

/* Reads known samples. */
static struct choice_part read_part(void *closure, size_t first, size_t n)
{
    struct chooser *chooser = closure;
    const struct samples part = {
        .n = n, .width = SAMPLE_NUMBER, .T = chooser->step + first, .value = chooser->value + first
    };
    chooser->run = (struct sample_run){ 0, n - 1 };
    return (struct choice_part){ part, &chooser->run, 1 };
}

/* Sets *quiet to whether a series, rows first to end - 1 of a channel, has almost no noise. */
static bool judge_quiet(struct chooser *chooser, const struct inspect_rows *rows, const double *x,
                        size_t first, size_t end, bool *quiet, struct error *e)
{
    const size_t n = gather_known(chooser, rows, x, first, end);
    struct choice choice;
    *quiet = false;
    if (n < CHOOSE_LEAST)
        return true;
    const struct choice_series series = { n, SAMPLE_NUMBER, read_part, chooser };
    if (!choose_halflife(chooser->phase, chooser->settings, &series, &choice, e))
        return false;
    *quiet = choice.quiet;
    return true;
}

bool inspect_quiet_find(const struct inspect_table *table, bool *all_quiet, struct error *e)
{
    const struct inspect_rows *rows = &table->rows;
    struct chooser chooser = { .filter = NULL };
    bool good = chooser_make(&chooser, rows->nrow + 1, e), quiet = good;
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
