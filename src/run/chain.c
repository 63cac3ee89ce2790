/* The filters of one job. See chain.h. */
#include "run/chain.h"

#include "series/held/whole_series.h"
#include <stdlib.h>

bool chain_is_automatic(const struct chained *given)
{
    bool any = filter_automatic(given->settings);
    for (size_t i = 0; i < given->overrides.n && !any; i++)
        any = filter_automatic(given->overrides.at[i].value);
    return any;
}

/* --columns inside --then: leaves out the channels that the list does not name. A left-out channel keeps its
 * number, but no --set can name the channel. */
static bool leave_out(struct link *link, const struct column_plan *plan, struct error *e)
{
    const char *list = link->given->columns;
    if (!arrays_make(e, ARRAY(link->left_out, plan->nchannel)) ||
        !plan_pick_channels(plan, list, "--then: --columns", link->left_out, e))
        return false;
    if (!memchr(link->left_out, true, plan->nchannel)) {
        error_data(e, "--then: no filtered column matches \"%s\"", list);
        if (!plan_allows_none(plan, e))
            return false;
    }
    /* So far the array marks the channels that the list names. */
    for (size_t c = 0; c < plan->nchannel; c++)
        link->left_out[c] = !link->left_out[c];
    return true;
}

/* Does the filter leave the channel unchanged, by --columns inside --then? */
static bool leaves(const struct link *link, size_t channel)
{
    return link->left_out && link->left_out[channel];
}

/* A rotation is filtered as a whole or not at all. */
static bool check_rotations(const struct link *link, const struct column_plan *plan, struct error *e)
{
    for (size_t i = 0; i < link->units.nrotation; i++) {
        const struct unit *rotation = &link->units.at[i];
        for (size_t k = 1; k < rotation->n; k++)
            if (leaves(link, rotation->channel[k]) != leaves(link, rotation->channel[0])) {
                error_usage(e, "--then: --columns names only part of the rotation");
                return error_column(e, plan_channel(plan, rotation->channel[k])->name);
            }
    }
    return true;
}

bool chain_bind(struct chain *chain, const struct filter_job_config *config, struct reader *reader,
                struct error *e)
{
    const struct column_plan *plan = reader->plan;
    chain->config = config;
    chain->reader = reader;
    chain->n = config->filters.n;
    for (size_t i = 0; i < chain->n; i++) {
        struct link *link = &chain->link[i];
        link->chain = chain;
        link->given = &config->filters.at[i];
        bool unasked = units_rotations_able(link->given->filter, config->series.start);
        if ((link->given->columns && !leave_out(link, plan, e)) ||
            !plan_of_filter(&link->plan, plan, i == 0, link->left_out, e) ||
            (!config->units.angles &&
             !units_check_known(&link->plan, &config->units, link->given->filter, config->series.start, e)) ||
            !units_collect(&link->units, plan, &config->units, unasked, e) || !check_rotations(link, plan, e))
            return false;
    }
    return true;
}

size_t chain_resampled_outputs(const struct chain *chain)
{
    const struct link *first = chain->link;
    if (isnan(chain->config->resample) || !first->given->filter->cuts)
        return 0;
    return chain->n > 1 ? 2 : (size_t)chain->derivatives.computed + 1;
}

bool chain_aliases(const struct chain *chain)
{
    return chain_resampled_outputs(chain) > 0 && resample_thins(chain->grid);
}

static struct series_rows rows_of(struct chain *chain, const struct link *link)
{
    const double rate = chain->reader->plan->row_rate;
    return (struct series_rows){ chain->reader, &link->plan,  &chain->config->series, rate,
                                 &chain->cuts,  &link->units, &chain->split.groups };
}

/* The stage behind each of several filters. The outputs become the goals of the next filter. A channel that
 * the filter leaves alone keeps its goals. So does a row without an output, as in a gap of a rotation: a pipe
 * of two programs would pass the cell on, too. */
static struct block *hand_on(void *state, struct block *block)
{
    const struct link *link = state;
    struct chain *chain = link->chain;
    const bool last = link == chain_last(chain);
    const struct series_rows next = rows_of(chain, last ? link : link + 1);
    block->pending = 0;
    for (size_t c = 0; c < link->plan.nchannel; c++) {
        const size_t column = link->plan.channel[c];
        double *out = block_out(block, last ? chain->layout.replace[column] : c),
               *goal = block_goal(block, c);
        if (leaves(link, c) || link->given->filter->keeps_cell)
            memcpy(out, goal, block->nrow * sizeof *goal);
        for (size_t i = 0; i < block->nrow && !last && !leaves(link, c); i++)
            goal[i] = isnan(out[i]) ? goal[i] : out[i];
    }
    if (link == chain->link && chain->grid)
        resample_end(chain->grid, block);
    return last ? NULL : prepare_rotations(&next, link[1].left_out, block);
}

/* --- opening --- */

/* Have two filters equal options, and no --set? */
static bool same_options(const struct chained *a, const struct chained *b)
{
    bool same = a->filter == b->filter && a->overrides.n + b->overrides.n == 0;
    for (size_t i = 0; same && i < a->filter->nparam; i++)
        same = param_equal(&a->filter->params[i], a->overrides.given, b->overrides.given);
    return same;
}

/* True if an earlier filter has the same options, and so gives the same warnings as filter i. */
static bool repeats(const struct chain *chain, size_t i)
{
    const struct chained *own = chain->link[i].given;
    for (size_t j = 0; j < i; j++)
        if (same_options(chain->link[j].given, own))
            return true;
    return false;
}

static bool open_link(struct chain *chain, size_t i, struct error *e)
{
    struct link *link = &chain->link[i];
    const struct filter_job_config *job = chain->config;
    const struct format *format = chain->reader->format;
    bool last = i + 1 == chain->n;
    struct series_config config = {
        .in = rows_of(chain, link),
        .filter = link->given->filter,
        .overrides = &link->overrides,
        .left_out = link->left_out,
        .lookahead = link->given->lookahead,
        .detect = link->given->filter->cuts ? job->cuts.detect : (double)NAN,
        .first = i == 0,
        .numbers_meant = job->units.quaternions != NULL,
        .cleaned = chain->clean_count != NULL,
        .pool = chain->pool,
        .verbose = job->output.verbose,
        .derivatives = last ? chain->derivatives : (struct derivatives){ 0, 0 },
        .endless = i == 0 && !chain->reader->source->regular,
        .keyed = format->next && family_states_counts(format->family),
        .may_leave_all = chain->reader->part != NULL, /* another table may have more values */
        .messages = i == 0 ? chain->reader->messages : &link->messages,
        .file = chain->reader->source->name,
    };
    if (i > 0 && repeats(chain, i))
        config.messages = NULL;
    config.points = !isnan(job->resample) && chain_resampled_outputs(chain) == 0;
    bool sees_points = config.points || (!isnan(job->resample) && i > 0);
    config.in.rate = sees_points ? 0 : chain->reader->plan->row_rate;
    if (!last && i == 0 && chain_resampled_outputs(chain) > 0)
        config.derivatives.computed = 1;
    link->filter = series_open(&config, e);
    if (link->filter)
        link->filter->last = last;
    return link->filter != NULL;
}

/* --- the list of stages --- */

/* The place of a further stage. */
static struct stage *add_stage(struct chain *chain)
{
    REQUIRE(chain->nstage < STAGES_MAX);
    return &chain->stage[chain->nstage++];
}

static void add_split(struct chain *chain)
{
    struct series_rows in = rows_of(chain, chain->link);
    in.plan = chain->reader->plan;
    split_open(&chain->split, &in);
    *add_stage(chain) = (struct stage){ split_take, .state = &chain->split };
}

/* The stage for masks, vectors, and what is refused of all filters. */
static void add_prepare(struct chain *chain)
{
    struct prepare *prepare = &chain->prepare;
    prepare->in = rows_of(chain, chain->link);
    prepare->count = prepare->in.plan->nmask > 0 ? chain->clean_count : NULL;
    const struct stage stage = prepare_stage(prepare);
    if (stage.take)
        *add_stage(chain) = stage;
}

/* Is a spike or a gap filled? */
static bool fills(const struct filter_job_config *job)
{
    return gaps_way(job->series.gaps)->bridged || !isnan(job->despike.factor);
}

/* The operators for --despike, and for the ways of --gaps that bridge. */
static bool add_clean(struct chain *chain, struct error *e)
{
    const struct filter_job_config *job = chain->config;
    const struct series_rows *in = &chain->prepare.in;
    if (!fills(job))
        return true;
    chain->fill = fill_open(in, spikes_rows(&job->despike), chain->clean_count, e);
    if (!chain->fill)
        return false;
    if (!isnan(job->despike.factor)) {
        chain->despike = despike_open(in, &job->despike, chain->fill, e);
        if (!chain->despike)
            return false;
        *add_stage(chain) = operator_stage(chain->despike);
    }
    struct stage *stage = add_stage(chain);
    *stage = operator_stage(chain->fill);
    stage->changes_goals = true;
    if (gaps_way(job->series.gaps)->refused)
        *add_stage(chain) = prepare_gaps_stage(&chain->prepare.in);
    return true;
}

static bool add_resample(struct chain *chain, struct error *e)
{
    const struct link *first = chain->link;
    struct resample_config config = {
        .in = rows_of(chain, first),
        .layout = &chain->layout,
        .hz = chain->config->resample,
        .fills_channels = first->given->filter->keeps_cell,
        .nfiltered = chain_resampled_outputs(chain),
        .nmade = chain->n > 1 ? 1 : chain_resampled_outputs(chain),
    };
    if (isnan(chain->config->resample))
        return true;
    chain->grid = resample_open(add_stage(chain), &config, e);
    return chain->grid != NULL;
}

static bool add_filter(struct chain *chain, size_t i, struct error *e)
{
    struct link *link = &chain->link[i];
    if (!open_link(chain, i, e))
        return false;
    *add_stage(chain) = operator_stage(link->filter);
    if (i == 0 && chain_resampled_outputs(chain) > 0 && !add_resample(chain, e))
        return false;
    if (chain->n > 1)
        *add_stage(chain) = (struct stage){ hand_on, .changes_goals = true, .state = link };
    return true;
}

/* Where no row can leave before the last row has come, the input is read in large pieces, and --lookahead is
 * refused. */
static bool check_waiting(struct chain *chain, const struct link *link, struct error *e)
{
    const struct series_rows in = rows_of(chain, link);
    const char *why = whole_series_needs_all(&link->overrides, &in);
    chain->reader->source->whole |= why != NULL;
    if (!why || isnan(link->given->lookahead))
        return true;
    error_usage(e, "--lookahead does not work here: %s", why);
    return error_hint(e, "leave out --lookahead");
}

/* The stages of a job, in the order of the manual. A filter that takes cuts steps over the rows of the input,
 * and the points of --resample are made from the filtered rows afterwards. */
static bool list_stages(struct chain *chain, struct error *e)
{
    add_split(chain);
    add_prepare(chain);
    bool good = add_clean(chain, e) &&
                (chain_resampled_outputs(chain) > 0 || add_resample(chain, e));
    for (size_t i = 0; good && i < chain->n; i++)
        good = add_filter(chain, i, e);
    return good;
}

bool chain_open(struct chain *chain, const struct filter_job_task *task, struct error *e)
{
    chain->pool = task->pool;
    const struct filter_job_config *config = chain->config;
    const struct column_plan *plan = chain->reader->plan;
    if (!isnan(config->series.forget) && plan->row_rate > 0) {
        error_usage(e, "--forget needs a time column, but with --rate the times come from the row numbers");
        return error_hint(e, "name the column with -t instead of --rate, or add --time-unit frames");
    }
    for (size_t i = 0; i < chain->n; i++) {
        struct link *link = &chain->link[i];
        const struct filter *filter = link->given->filter;
        const struct overrides_source source = {
            .plan = &link->plan,
            .filter = filter,
            .zero_phase = link->given->zero_phase,
            .list = &link->given->overrides,
            .settings = link->given->settings,
            .several = task->several,
            .messages = chain->reader->messages,
            .file = chain->reader->source->name,
        };
        if (!overrides_collect(&link->overrides, &source, e) ||
            (link->given->zero_phase &&
             !whole_series_check(link->given->filter, &link->overrides, &link->plan, e)) ||
            (i == 0 && !cuts_collect(&chain->cuts, &config->cuts, plan, e)) ||
            !units_fit(&link->units, plan, &config->units, link->overrides.of, link->left_out, e))
            return false;
        if (link->given->zero_phase && !check_waiting(chain, link, e))
            return false;
    }
    if ((plan->nmask > 0 || fills(config)) && !arrays_make(e, ARRAY(chain->clean_count, plan->nchannel)))
        return false;
    return list_stages(chain, e);
}

void chain_close(struct chain *chain)
{
    for (size_t i = chain->n; i-- > 0;) {
        struct link *link = &chain->link[i];
        operator_close(link->filter);
        free(link->overrides.settings);
        units_free(&link->units);
        messages_free(&link->messages);
        free(link->left_out);
        free(link->plan.use);
    }
    resample_close(chain->grid);
    operator_close(chain->fill);
    operator_close(chain->despike);
    free(chain->clean_count);
    split_close(&chain->split);
    free(chain->cuts.time);
    output_columns_free(&chain->layout);
}

struct series_count chain_counted(const struct chain *chain)
{
    struct series_count count = series_counted(chain->link[0].filter);
    bool cuts = false;
    for (const struct link *link = chain->link; link < chain->link + chain->n; link++) {
        const struct series_count own = series_counted(link->filter);
        if (link->given->filter->cuts && !cuts) {
            count.cuts = own.cuts;
            count.channel_cuts = own.channel_cuts;
            cuts = true;
        }
    }
    return count;
}

bool chain_leaves_all(const struct chain *chain)
{
    for (size_t i = 0; i < chain->n; i++)
        if (!whole_series_leaves_all(chain->link[i].filter))
            return false;
    return true;
}

const struct halflife_range *chain_chosen_halflives(const struct chain *chain)
{
    for (size_t i = chain->n; i-- > 0;)
        if (chain_is_automatic(chain->link[i].given))
            return whole_series_halflives(chain->link[i].filter);
    return NULL;
}

void chain_take_messages(struct chain *chain)
{
    for (size_t i = 0; i < chain->n; i++)
        messages_move(chain->reader->messages, &chain->link[i].messages);
}
