/* The filters of one job. See chain.h. */
#include "run/chain.h"

#include "series/vectors.h"

#include "series/whole_series.h"
#include "whole/zero_phase.h"
#include <stdlib.h>

/* Is a half-life of the filter chosen (--halflife auto)? */
static bool automatic(const struct chained *k)
{
    bool any = filter_automatic(k->filter, k->settings);
    for (size_t i = 0; i < k->overrides.n && !any; i++)
        any = k->overrides.at[i].param->word && filter_automatic(k->filter, k->overrides.at[i].value);
    return any;
}

/* --halflife auto needs all rows, with measured values. */
static bool check_automatic(const struct chained *k, double resample, struct error *e)
{
    if (automatic(k) && !k->zero_phase) {
        error_usage(e, "--halflife auto needs --zero-phase: the lag of one pass would count as an error");
        return error_hint(e, "add --zero-phase, or give the half-life in seconds");
    }
    if (automatic(k) && !isnan(resample)) {
        error_usage(e, "--halflife auto cannot be combined with --resample, whose rows are not measured");
        return error_hint(e, "without --resample, --verbose says which half-life it chooses");
    }
    return true;
}

/* Has any option of the filter its values from a column, for all channels or by --set? */
static bool from_columns(const struct chained *k)
{
    bool any = filter_from_columns(k->settings);
    for (size_t i = 0; i < k->overrides.n; i++)
        any |= param_column(k->overrides.at[i].param, k->overrides.at[i].value) != NULL;
    return any;
}

bool chain_list_parameters(const struct filter_job_config *c, struct texts *names, struct error *e)
{
    for (size_t i = 0; i < c->filters.n; i++) {
        const struct chained *k = &c->filters.at[i];
        for (size_t j = 0; j < k->filter->nparam + k->overrides.n; j++) {
            const struct override *set = j < k->filter->nparam ? NULL
                                                               : &k->overrides.at[j - k->filter->nparam];
            const char *name = set ? param_column(set->param, set->value)
                                   : param_column(&k->filter->params[j], k->settings);
            if (name && !texts_add(names, name, e))
                return false;
        }
    }
    return true;
}

/* Refuses options with @COLUMN where no row has a value of its own. */
static bool check_from_columns(const struct filter_job_config *c, const struct chained *k, struct error *e)
{
    bool steps_over_rows = isnan(c->resample) || (k == c->filters.at && k->filter->cuts);
    if (!from_columns(k))
        return true;
    if (k->zero_phase) {
        error_usage(e, "--zero-phase takes the same settings in all rows, and a value of @COLUMN changes");
        return error_hint(e, "leave out one of them");
    }
    if (!steps_over_rows) {
        error_usage(e, "--resample makes rows of its own, which have no value of @COLUMN");
        return error_hint(e, "resample in a run of its own, and filter the result");
    }
    return true;
}

/* Refuses --predict where the columns have no place, or no row knows its future. */
static bool check_predictions(const struct filter_job_config *c, const struct chained *k, bool last,
                              struct error *e)
{
    if (!filter_predicts(k->filter, k->settings))
        return true;
    if (k->zero_phase) {
        error_usage(e, "--predict cannot be combined with --zero-phase, which knows the later rows");
        return error_hint(e, "leave one of them out");
    }
    if (!last)
        return error_usage(e, "--then: only the last filter predicts, and %s is followed by another",
                           k->filter->name);
    if (c->output.in_place) {
        error_usage(e, "--predict adds columns, and with --in-place a file keeps its columns");
        return error_hint(e, "--output or --output-dir writes another file");
    }
    if (!isnan(c->resample) && k->filter->cuts) {
        error_usage(
            e,
            "--predict cannot be combined with --resample: %s steps over rows, and the points between rows "
            "have no future",
            k->filter->name);
        return error_hint(e, "resample in a run of its own, and filter the result");
    }
    return true;
}

/* Checks the filter and the options that have no meaning with --zero-phase. */
static bool check_zero_phase(const struct filter_job_config *c, const struct chained *k, struct error *e)
{
    bool initial = !isnan(c->series.start);
    if (!zero_phase_check(k->filter, k->settings, k->overrides.n > 0, e))
        return false;
    if (!initial && c->series.start_velocity.kind == START_VELOCITY_NOT_GIVEN)
        return true;
    error_usage(e, "--%s has no meaning with --zero-phase, which comes to both ends from outside",
                initial ? "start" : "start-velocity");
    return error_hint(e, "leave one of them out");
}

bool chain_check(const struct filter_job_config *c, struct error *e)
{
    for (size_t i = 0; i < c->filters.n; i++) {
        const struct chained *k = &c->filters.at[i];
        const struct filter *f = k->filter;
        if (i + 1 < c->filters.n && (f->keeps_cell || f->other_unit)) {
            error_usage(e, "--then: %s can only be the last filter", f->name);
            return error_hint(e, f->keeps_cell ? "its outputs are columns of their own"
                                               : "what it prints is another kind of number than it reads");
        }
        if (!check_automatic(k, c->resample, e) || (k->zero_phase && !check_zero_phase(c, k, e)) ||
            !rotations_check(f, &c->rotations, c->series.start, e) ||
            !series_check_start_velocity(f, &c->series.start_velocity, e) ||
            !check_predictions(c, k, i + 1 == c->filters.n, e) || !check_from_columns(c, k, e))
            return false;
    }
    return true;
}

/* --columns inside --then: leaves out the channels that the list does not name. A channel that is left out
 * keeps its number, but no --set can name the channel. */
static bool leave_out(struct link *k, const struct columns *t, struct error *e)
{
    const char *list = k->given->columns;
    struct column *own = NULL;
    if (!arrays_make(e, ARRAY(k->left_out, t->nchannel), ARRAY(own, t->ncolumn)))
        return false;
    k->columns.column = memcpy(own, t->column, t->ncolumn * sizeof *own);
    if (!columns_pick_channels(t, list, "--then: --columns", k->left_out, e))
        return false;
    if (!t->partial && !memchr(k->left_out, true, t->nchannel))
        return error_data(e, "--then: no filtered column is like \"%s\"", list);
    for (struct column *c = own; c < own + t->ncolumn; c++)
        if (c->role == ROLE_CHANNEL && (k->left_out[c->value] = !k->left_out[c->value]))
            c->role = ROLE_READ;
    return true;
}

static bool leaves(const struct link *k, size_t channel)
{
    return k->left_out && k->left_out[channel];
}

/* A rotation is filtered as a whole or not at all. */
static bool check_rotations(const struct link *k, const struct columns *t, struct error *e)
{
    for (size_t i = 0; i < k->rotations.n; i++) {
        const struct rotation *r = &k->rotations.at[i];
        for (size_t c = 1; c < r->ncolumn; c++)
            if (leaves(k, r->channel[c]) != leaves(k, r->channel[0])) {
                error_usage(e, "--then: --columns names only a part of the rotation");
                return error_column(e, t->column[r->column[c]].name);
            }
    }
    return true;
}

bool chain_bind(struct chain *h, const struct filter_job_config *c, struct reader *reader, struct error *e)
{
    const struct columns *t = &reader->columns;
    h->c = c;
    h->reader = reader;
    h->n = c->filters.n;
    for (size_t i = 0; i < h->n; i++) {
        struct link *k = &h->link[i];
        k->chain = h;
        k->given = &c->filters.at[i];
        k->hz = i == 0 ? c->resample : (double)NAN;
        k->columns = *t;
        /* Velocities are measured of the input, so only the first filter uses measured velocities. */
        k->columns.measured = t->measured && i == 0;
        bool unasked = rotations_able(k->given->filter, c->series.start);
        if ((k->given->columns && !leave_out(k, t, e)) ||
            (!c->angles.list &&
             !rotations_check_known(&k->columns, &c->rotations, k->given->filter, c->series.start, e)) ||
            !rotations_collect(&k->rotations, t, &c->rotations, &c->angles, unasked, e) ||
            !check_rotations(k, t, e))
            return false;
    }
    return true;
}

size_t chain_resampled_outputs(const struct chain *h)
{
    const struct link *first = h->link;
    if (isnan(first->hz) || !first->given->filter->cuts)
        return 0;
    return h->n > 1 ? 2 : (size_t)h->derivatives.computed + 1;
}

bool chain_aliases(const struct chain *h)
{
    return chain_resampled_outputs(h) > 0 && resample_thins(h->grid);
}

/* --- a filter as a stage --- */

static struct block *take(void *state, struct block *b)
{
    return series_take(((struct link *)state)->series, b);
}

static struct block *finish(void *state)
{
    return series_finish(((struct link *)state)->series);
}

/* After a filter with a filter behind: outputs become the goals of the next filter. Where an output is
 * missing, because the rotation has a gap, the goal stays, as the cell stays in text. The points of
 * --resample become ordinary rows, at even steps, and all other rows are dropped. */
static void hand_on(void *state, struct block *b)
{
    const struct link *k = state;
    size_t nchannel = k->columns.nchannel;
    for (size_t c = 0; c < nchannel; c++)
        for (size_t i = 0; i < b->nrow && !leaves(k, c); i++) {
            double out = block_out(b, c)[i], *goal = block_goal(b, c) + i;
            *goal = isnan(out) ? *goal : out;
        }
    if (isnan(k->hz) || !b->nrow)
        return;
    block_drop_hidden(b);
    for (size_t i = 0; i < b->nrow; i++) {
        bool cut = block_value(b, nchannel)[i] != 0, first = b->grid[i].T == 0;
        b->grid[i] = (struct grid_row){ first ? 0 : 1 / k->hz, GRID_ROW, cut };
    }
}

/* After the last of several filters: a channel that the last filter does not filter gets the result of the
 * filters before. */
static void pass_others(void *state, struct block *b)
{
    const struct link *last = state;
    const struct columns *t = &last->chain->reader->columns;
    for (size_t i = 0; i < t->ncolumn; i++) {
        const struct column *c = &t->column[i];
        if (c->role == ROLE_CHANNEL && (leaves(last, c->value) || last->given->filter->keeps_cell))
            memcpy(block_out(b, last->chain->layout.replace[i]), block_goal(b, c->value),
                   b->nrow * sizeof(double));
    }
}

static bool same_options(const struct chained *a, const struct chained *b)
{
    bool same = a->filter == b->filter && a->overrides.n + b->overrides.n == 0;
    for (size_t i = 0; same && i < a->filter->nparam; i++)
        same = param_equal(&a->filter->params[i], a->overrides.given, b->overrides.given);
    return same;
}

/* True if an earlier filter with the same options gives the same warnings. */
static bool repeats(const struct chain *h, size_t i)
{
    const struct chained *own = h->link[i].given;
    for (size_t j = 0; j < i; j++)
        if (same_options(h->link[j].given, own))
            return true;
    return false;
}

static struct series_rows rows_of(const struct chain *h, const struct link *k)
{
    return (struct series_rows){ h->reader, &k->columns, &h->c->series, h->rate, &h->cuts, &k->rotations };
}

static bool open_link(struct chain *h, size_t i, struct error *e)
{
    struct link *k = &h->link[i];
    const struct filter_job_config *c = h->c;
    bool last = i + 1 == h->n;
    struct series_config config = {
        .in = rows_of(h, k),
        .filter = k->given->filter,
        .overrides = &k->overrides,
        .left_out = k->left_out,
        .zero_phase = k->given->zero_phase,
        .detect = k->given->filter->cuts ? c->cuts.detect : (double)NAN,
        .first = i == 0,
        .numbers_meant = c->rotations.quaternions != NULL,
        .cleaned = h->clean != NULL,
        .verbose = c->output.verbose,
        .derivatives = last ? h->derivatives : (struct derivatives){ 0, 0 },
        .endless = i == 0 && !h->reader->source->regular,
        .messages = i == 0 ? h->reader->messages : &k->messages,
        .file = h->reader->source->name,
    };
    if (i > 0 && repeats(h, i))
        config.messages = NULL;
    bool sees_points = !isnan(c->resample) && (i > 0 || chain_resampled_outputs(h) == 0);
    config.in.rate = sees_points ? 0 : h->rate;
    if (!last && i == 0 && chain_resampled_outputs(h) > 0)
        config.derivatives.computed = 1;
    k->series = series_open(&config, e);
    return k->series != NULL;
}

/* --- the list of stages --- */

static struct block *complete_vectors(void *state, struct block *b)
{
    vectors_complete(state, b, false);
    b->pending = 0;
    return NULL;
}

/* A vector with a missing component is missing. */
static void add_vectors(struct chain *h)
{
    struct rotations *first = &h->link[0].rotations;
    if (first->nvector > 0)
        h->stage[h->nstage++] = (struct stage){ complete_vectors, .state = first };
}

/* The stage for --mask, --despike, and --gaps linear and cubic. */
static bool add_clean(struct chain *h, struct error *e)
{
    struct series_rows in = rows_of(h, h->link);
    if (!clean_wanted(&h->c->series, &h->c->despike, &h->reader->columns))
        return true;
    h->clean = clean_open(&in, &h->c->despike, &h->clean_count, e);
    h->stage[h->nstage++] = (struct stage){ clean_take, clean_finish, .changes_goals = true,
                                            .state = h->clean };
    return h->clean != NULL;
}

static bool add_resample(struct chain *h, struct error *e)
{
    const struct link *first = h->link;
    struct resample_config config = {
        .in = rows_of(h, first),
        .layout = &h->layout,
        .hz = first->hz,
        .fills_channels = first->given->filter->keeps_cell,
        .nfiltered = chain_resampled_outputs(h),
        .followed = chain_resampled_outputs(h) > 0 && h->n > 1,
    };
    if (isnan(h->c->resample))
        return true;
    h->grid = resample_open(&h->stage[h->nstage++], &config, e);
    return h->grid != NULL;
}

static bool add_filter(struct chain *h, size_t i, struct error *e)
{
    struct stage stage = { take, finish, .state = &h->link[i] };
    bool resampled_next = i == 0 && chain_resampled_outputs(h) > 0;
    if (i + 1 < h->n && !resampled_next) {
        stage.leave = hand_on;
        stage.changes_goals = true;
    } else if (i > 0) {
        stage.leave = pass_others;
    }
    h->stage[h->nstage++] = stage;
    return open_link(h, i, e);
}

/* The stages of a job, in the order of the manual. A filter that takes cuts steps over the rows alone; then
 * the points of --resample are made from the filtered rows. */
static bool list_stages(struct chain *h, struct error *e)
{
    bool behind = chain_resampled_outputs(h) > 0;
    add_vectors(h);
    bool good = add_clean(h, e) && (behind || add_resample(h, e)) && add_filter(h, 0, e) &&
                (!behind || add_resample(h, e));
    for (size_t i = 1; good && i < h->n; i++)
        good = add_filter(h, i, e);
    return good;
}

bool chain_open(struct chain *h, bool several, struct error *e)
{
    const struct filter_job_config *c = h->c;
    const struct columns *t = &h->reader->columns;
    if (!isnan(c->series.forget) && h->rate > 0) {
        error_usage(
            e, "--forget needs a column of times: with a rate each series has a time of its own, row by row");
        return error_hint(e, "--time names the column, and --rate with --time-unit frames counts its frames");
    }
    for (size_t i = 0; i < h->n; i++) {
        struct link *k = &h->link[i];
        const struct filter *filter = k->given->filter;
        const struct overrides_source source = {
            .columns = &k->columns,
            .filter = filter,
            .list = &k->given->overrides,
            .settings = k->given->settings,
            .several = several,
            .messages = h->reader->messages,
            .file = h->reader->source->name,
        };
        if (!overrides_collect(&k->overrides, &source, e) ||
            (k->given->zero_phase && !whole_series_check(&k->overrides, &k->columns, e)) ||
            (i == 0 && !cuts_collect(&h->cuts, &c->cuts, t, e)) ||
            !rotations_fit(&k->rotations, t, &c->angles, filter, &k->overrides, e) ||
            !vectors_collect(&k->rotations, &k->columns, c->vectors, &k->overrides, k->left_out, e))
            return false;
        h->reader->source->whole |= k->given->zero_phase;
    }
    return list_stages(h, e);
}

void chain_close(struct chain *h)
{
    for (size_t i = h->n; i-- > 0;) {
        struct link *k = &h->link[i];
        series_close(k->series);
        free(k->overrides.settings);
        rotations_free(&k->rotations);
        messages_free(&k->messages);
        free(k->left_out);
    }
    resample_close(h->grid);
    clean_close(h->clean);
    free(h->cuts.time);
    output_columns_free(&h->layout);
}

struct series_count chain_counted(const struct chain *h)
{
    struct series_count n = series_counted(h->link[0].series);
    bool cuts = false;
    for (const struct link *k = h->link; k < h->link + h->n; k++) {
        const struct series_count own = series_counted(k->series);
        if (k->given->filter->cuts && !cuts) {
            n.cuts = own.cuts;
            n.channel_cuts = own.channel_cuts;
            cuts = true;
        }
        n.halflife = automatic(k->given) ? own.halflife : n.halflife;
    }
    return n;
}

const struct rotations *chain_sized(const struct chain *h)
{
    for (const struct link *k = h->link; k < h->link + h->n; k++) {
        bool sized = k->given->filter->cuts && !isnan(h->c->cuts.detect);
        for (size_t i = 0; i < k->rotations.nvector && !sized; i++) {
            size_t channel = k->rotations.vector[i].unit.channel[0];
            const struct filter_common *common = k->overrides.settings[k->overrides.of[channel]];
            sized = common->sized;
        }
        if (sized && k->rotations.nvector > 0)
            return &k->rotations;
    }
    return NULL;
}

void chain_say(struct chain *h, bool verbose)
{
    char line[PARAMETERS_LINE];
    for (size_t i = 0; i < h->n; i++)
        messages_move(h->reader->messages, &h->link[i].messages);
    for (const struct link *k = h->link; k < h->link + h->n && verbose; k++)
        for (size_t set = 0; set < k->overrides.n; set++) {
            parameters_given(&k->overrides, set, line);
            messages_add(h->reader->messages, h->reader->source->name, "%s", line);
            if (parameters_equivalent(&k->overrides, set, line))
                messages_add(h->reader->messages, h->reader->source->name, "%s", line);
        }
}
