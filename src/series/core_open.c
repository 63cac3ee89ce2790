/* The passes of a job. See core.h. */
#include "series/core.h"

#include "base/array.h"
#include "series/filter_pass.h"
#include "series/smooth_pass.h"
#include "springs/filter_words.h"

#include <math.h>
#include <stdlib.h>

/* Finds which outputs of the filter are computed. */
static bool find_wanted(struct core *core, long derivatives, struct error *e)
{
    struct wanted_outputs *wanted = &core->wanted;
    const size_t nout = filter_shape(core->filter, core->settings).nout;
    if (!arrays_make(e, ARRAY(wanted->output, nout)))
        return false;
    for (size_t o = 0; o < nout; o++) {
        wanted->output[wanted->n] = o;
        wanted->n += filter_output(core->filter, core->settings, o).derivative <= derivatives;
    }
    return true;
}

/* Says what the core needs of the rows, by the passes that it will have. */
static void set_up(struct core *core, const struct core_config *config)
{
    const bool fills = gaps_pass_needed(config->input.settings);
    const bool ahead = config->filter->ahead > 0 || !isnan(config->detect);
    core->input = config->input;
    core->filter = config->filter;
    core->settings = config->settings;
    core->nchannel = config->input.table->nchannel;
    core->count = config->count;
    core->warnings = config->warnings;
    core->joins = core->input.rate == 0;
    core->hz = isnan(config->resample) ? 0 : config->resample;
    core->curves = core->hz > 0 && (config->zero_phase || config->filter->cuts);
    core->cleans = config->input.settings->gaps == GAPS_LINEAR || !isnan(config->despike);
    const bool holds = core->cleans || fills || config->zero_phase;
    core->whole = config->zero_phase && smooth_needs_all(config->settings, &config->input);
    core->timed = holds || core->hz > 0 || config->input.settings->max_gap.kind == GAP_SECONDS ||
                  (config->verbose && !isnan(config->detect));
    core->waits = holds || ahead ||
                  (core->joins && (core->hz > 0 || config->input.settings->gaps == GAPS_FILL));
}

bool core_open(struct core *core, const struct core_config *config, struct error *e)
{
    set_up(core, config);
    if (!find_wanted(core, config->derivatives.computed, e))
        return false;
    if (!isnan(config->despike) && !despike_pass_open(core, config->despike, e))
        return false;
    if (gaps_pass_needed(config->input.settings))
        gaps_pass_open(core);
    const bool good = config->zero_phase ? smooth_pass_open(core, config, e) != NULL
                                         : filter_pass_open(core, config, e) != NULL;
    core->end = UINT64_MAX;
    core->place = groups_reserve(core->input.groups, sizeof(struct series));
    return good;
}
