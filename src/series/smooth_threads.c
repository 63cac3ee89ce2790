/* The units of a stretch, shared among threads. See smooth_pass.h. */
#include "series/smooth_pass.h"

#include "base/array.h"
#include "base/pool.h"

#include <stdlib.h>

enum { SHARED_SAMPLES = 4096 /* shortest stretch, in samples, whose units are shared by several threads */ };

bool smooth_threads_open(struct smooth_pass *pass, struct error *e)
{
    pass->nworker = pool_workers(pass->core->pool);
    return arrays_make(e, ARRAY(pass->worker, pass->nworker));
}

void smooth_threads_close(struct smooth_pass *pass)
{
    for (size_t i = 0; i < pass->nworker && pass->worker; i++) {
        smoothing_free(&pass->worker[i].smoothing);
        free(pass->worker[i].value);
    }
    free(pass->worker);
}

static void take_unit(void *closure, size_t unit, size_t at)
{
    const struct smooth_pass *pass = closure;
    struct error e;
    if (!smooth_unit_run(pass, &pass->worker[at], unit, &e))
        pass->worker[at].failed = true;
}

void smooth_threads_run(struct smooth_pass *pass, bool choosing)
{
    const size_t nunit = pass->core->input.units->n;
    const bool much = (pass->stretch.end - pass->stretch.begin) * nunit >= SHARED_SAMPLES;
    struct error e;
    pass->choosing = choosing;
    pool_each(much ? pass->core->pool : NULL, nunit, take_unit, pass);
    for (size_t i = 0; i < pass->nworker; i++) {
        if (pass->worker[i].failed && !error_memory(&e))
            core_fail(pass->core, pass->series, pass->series->given, &e);
        pass->worker[i].failed = false;
    }
}
