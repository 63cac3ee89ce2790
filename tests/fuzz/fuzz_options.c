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
    const struct first_row first = { .goal = 1, .x = 1 };
    filter->start(settings, &first, state, out);
    for (size_t i = 0; i < shape.nout && !filter->keeps_cell && !filter->each.nout; i++)
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
    size_t nfilter = 0, nword = 1;
    struct error e;
    char *argv[MAXWORD + 1];

    while (filter_list[nfilter])
        nfilter++;
    if (n == 0)
        return 0;
    const struct filter *filter = filter_list[data[0] % nfilter];
    char *text = malloc(n);
    if (!text)
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

    struct command_line line = {
        .argc = (int)nword, .argv = argv, .tables = options_shared, .job.filter.filter = filter
    };
    if (options_parse(&line, &e) && !line.help && !line.version &&
        filter_check(filter, line.job.filter.settings, false, &e))
        try_filter(filter, line.job.filter.settings);
    options_free(&line);
    free(text);
    return 0;
}
