/* Any words on the command line of any filter: parsed or refused with a message, settings always usable. The
 * first byte chooses the filter, newlines part the words. */
#include "cli/options.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

enum { MAXWORD = 64 };

/* What a filter that took these words makes of a few rows. */
static void try_filter(const struct filter *filter, void *settings)
{
    static const double T[] = { 1e-9, 1.0 / 60, 1, 1e6 };
    struct shape shape = filter_shape(filter, settings);
    double *step = calloc(shape.nstep + 1, sizeof *step), *state = calloc(shape.nstate + 1, sizeof *state),
           *out = calloc(shape.nout + 1, sizeof *out);
    if (!step || !state || !out)
        abort();
    filter->start(settings, 1, 1, state, out);
    for (size_t i = 0; i < shape.nout && !filter->keeps_cell && !filter->output; i++)
        if (!isfinite(out[i]))
            abort();
    for (size_t i = 0; i < sizeof T / sizeof *T; i++)
        filter->step(settings, T[i], step);
    free(step);
    free(state);
    free(out);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
    size_t nfilter = 0, nshared = 0, nword = 1;
    struct filter_job_config job = { 0 };
    struct general_options general = { 0 };
    void *const settings[] = { &job, &job, &job.input, &job, &job, &general };
    struct option_table tables[8];
    struct texts operands = { NULL, 0 };
    const char *file;
    struct error e;
    char *argv[MAXWORD + 1];

    while (filter_list[nfilter])
        nfilter++;
    if (n == 0)
        return 0;
    const struct filter *filter = filter_list[data[0] % nfilter];
    void *own = calloc(1, filter->settings_size + 1);
    char *text = malloc(n);
    if (!own || !text)
        abort();
    memcpy(text, data + 1, n - 1);
    text[n - 1] = 0;
    argv[0] = (char *)(uintptr_t)filter->name;
    for (char *p = text; p && nword < MAXWORD; nword++) {
        argv[nword] = p;
        p = strchr(p, '\n');
        if (p)
            *p++ = 0;
    }
    argv[nword] = NULL;

    tables[0] = (struct option_table){ "Filter", filter->params, filter->nparam, own, filter, false };
    for (; options_shared[nshared]; nshared++) {
        tables[nshared + 1] = *options_shared[nshared];
        tables[nshared + 1].settings = settings[nshared];
    }
    if (nshared != sizeof settings / sizeof *settings || !options_defaults(tables, nshared + 1, &e))
        abort();
    if (options_parse((int)nword, argv, tables, nshared + 1, &operands, &file, &e) && !general.help &&
        !general.version && filter->check(own, &e))
        try_filter(filter, own);
    options_free(tables, nshared + 1, &operands);
    free(own);
    free(text);
    return 0;
}
