/* Whole series: held block by block, and filtered when no more rows come. See zero_phase.h.
 *
 * Group by group the rows are gathered, those of one time as one knot with the first valid value among them.
 * Then, channel by channel and rotation by rotation, the knots fall into runs, which are filtered (whole.h).
 */
#include "offline/zero_phase.h"

#include "base/array.h"
#include "base/text.h"
#include "springs/spring_step.h"
#include "offline/whole.h"
#include <math.h>
#include <stdlib.h>

#define FORGOTTEN 100   /* time scales */
#define ROUNDED   1e-10 /* steps that differ by this part are equal: their times are rounded */

/* Refuses settings that bring the filter to rest with no steps at all; those of the input are not known. */
static bool rests(const void *settings, struct error *e)
{
    if (((const struct filter_common *)settings)->equation.d != 0)
        return true;
    error_usage(e, "--zero-phase takes a filter that comes to rest, and with these settings it never does");
    return error_hint(e, "more damping brings it to rest, or with --method lerp a larger --factor");
}

bool zero_phase_check(const struct filter *filter, const void *settings, double start, bool overridden,
                      struct error *e)
{
    char names[128] = "";
    if (filter->linear && !filter->cuts) {
        if (isnan(start))
            return overridden || rests(settings, e);
        error_usage(e, "--start has no meaning with --zero-phase, which comes to both ends from outside");
        return error_hint(e, "leave one of them out");
    }
    for (size_t i = 0; filter_list[i]; i++)
        if (filter_list[i]->linear && !filter_list[i]->cuts)
            text_append(names, sizeof names, "%s%s", names[0] ? ", " : "", filter_list[i]->name);
    error_usage(e, "--zero-phase takes a linear filter without cuts, and %s is none", filter->name);
    return error_hint(e, "these are: %s", names);
}

bool zero_phase_fits(const struct overrides *overrides, const struct columns *t, struct error *e)
{
    for (size_t i = 0; i < t->ncolumn; i++) {
        const struct column *c = &t->column[i];
        if (c->role == ROLE_CHANNEL && !rests(overrides->settings[overrides->of[c->value]], e))
            return error_column(e, c->name);
    }
    return true;
}

/* Makes the arrays, with room for the largest group. */
static bool open_whole(struct whole *w, struct error *e)
{
    const struct filter *filter = w->s->c.filter;
    const struct overrides *all = w->s->c.overrides;
    size_t nrow = w->s->maxrow, width = w->s->c.in.rotations->n > 0 ? 4 : 1;
    struct both_ways *m = &w->both;
    size_t n = 1; /* what is not used takes no memory */
    for (const struct group *g = w->s->groups.first; g; g = g->after)
        n = g->nplace < n ? n : g->nplace + 1;
    if (!arrays_make(e, ARRAY(w->first, n), ARRAY(w->T, n), ARRAY(w->time, n), ARRAY(w->goal, n),
                     ARRAY(w->turns, n), ARRAY(w->read, n), ARRAY(w->target, n), ARRAY(w->h, n),
                     ARRAY(w->v[0], n), ARRAY(w->v[1], n), ARRAY(w->v[2], n),
                     ARRAY(w->settings, filter->settings_size), ARRAY(m->value, 3 * width * n),
                     ARRAY(m->other, width * n), ARRAY(m->chunk, 4 * nrow), ARRAY(m->result, 4 * nrow)))
        return false;
    for (size_t i = 0; i < all->n; i++) {
        w->s->steps.set[i].settings = w->settings;
        w->automatic |= filter_automatic(filter, all->settings[i]) != NULL;
    }
    return true;
}

/* Makes the settings for the run. With uneven steps the goal moves, unless --hold says otherwise or the
 * filter refuses that: then the weight of a value does not depend on the length of the step before it. */
static void make_settings(struct whole *w, struct coefficients *set)
{
    const struct filter *filter = w->s->c.filter;
    struct error refused;
    for (bool moving = !w->even, good = false; !good; moving = false) {
        memcpy(w->settings, w->s->c.overrides->settings[w->set], filter->settings_size);
        double *halflife = filter_automatic(filter, w->settings);
        if (halflife)
            *halflife = w->halflife;
        for (size_t k = 0; k < filter->nparam; k++) {
            int *field = (int *)(w->settings + filter->params[k].offset);
            if (moving && strcmp(filter->params[k].name, "hold") == 0 && *field == HOLD_NOT_GIVEN)
                *field = HOLD_LINEAR;
        }
        good = filter->check(w->settings, &refused) || !moving;
    }
    memset(set->cached_T, 0, sizeof set->cached_T);
    w->fit = (struct fit){ 0 };
    w->both.set = NULL;
}

/* Finds out whether the steps of the run are even, and makes its settings, unless they are there. */
static void use_settings(struct whole *w)
{
    const double *T = w->T + w->begin;
    struct coefficients *set = &w->s->steps.set[w->set];
    bool was_even = w->even;
    w->even = true;
    for (size_t k = 2; k <= w->last - w->begin; k++)
        w->even &= fabs(T[k] - T[1]) <= ROUNDED * T[1];
    if (w->even != was_even || w->both.set != set)
        make_settings(w, set);
}

/* Finds the knots of a group. */
static void take_group(struct whole *w, struct group *g)
{
    w->g = g;
    w->both.set = NULL;
    /* Rows that stood behind a fault in the last block are none. */
    for (; g->nplace; g->nplace--) {
        struct spot last = w->g->place[g->nplace - 1].at;
        if (last.row < last.block->nrow)
            break;
    }
    w->nknot = 0;
    for (size_t row = 0; row < g->nplace; row++)
        if (row == 0 || g->place[row].T > 0) {
            w->first[w->nknot] = row;
            w->T[w->nknot++] = g->place[row].T;
        }
    w->first[w->nknot] = g->nplace;
}

/* True if the gap between the knots a and b is longer than --max-gap. */
static bool long_gap(const struct whole *w, size_t a, size_t b)
{
    const struct series_rows *in = &w->s->c.in;
    struct spot from = w->g->place[w->first[a]].at, to = w->g->place[w->first[b]].at;
    struct timestamp start = series_time(in, from.block, from.row, w->first[a]),
                     end = series_time(in, to.block, to.row, w->first[b]);
    size_t nmissing = 0;
    for (size_t i = w->first[a + 1]; i < w->first[b]; i++) {
        struct spot at = w->g->place[i].at;
        nmissing += block_row_read(at.block, at.row);
    }
    return series_long_gap(in, nmissing, &start, &end);
}

/* Finds the last knot of the run that begins at w->begin; gaps within it are bridged. */
static void find_last(struct whole *w)
{
    size_t last = w->begin;
    w->time[last] = 0;
    for (size_t next = last + 1; next < w->nknot; next++) {
        w->time[next] = w->time[next - 1] + w->T[next];
        if (isnan(w->goal[next]))
            continue;
        if (next > last + 1 && (w->s->c.in.settings->gaps >= GAPS_LINEAR || long_gap(w, last, next)))
            break;
        whole_bridge(w, last, next);
        last = next;
    }
    w->last = last;
}

/* The reach of the fit at an end of a run, such that the end is at most twice as noisy as the middle. White
 * noise of variance 1 leaves about 1.25 T / reach of the fit, less for short reaches, and in the middle the
 * sum of the squares of what becomes of a lone 1; T is the mean step, where long ones weigh more. A spring
 * that oscillates amplifies the noise of its middle, and near its end also that of the fit: so the reach is
 * not much shorter than its period. */
static double find_reach(struct whole *w)
{
    struct coefficients *set = &w->s->steps.set[w->set];
    struct fit *fit = &w->fit;
    double time = 0, parts = 0, noise = 0;
    struct error ignored; /* the run itself has it as well */
    if (w->last == w->begin) {
        *fit = (struct fit){ .part = 1 };
        return 0;
    }
    if (fit->begin == w->begin && fit->last == w->last)
        return fit->reach;
    for (size_t k = w->begin + 1; k <= w->last; k++)
        time += w->T[k];
    for (size_t k = w->begin + 1; k <= w->last; k++)
        parts += w->T[k] / time * (w->T[k] / time);
    size_t n = (size_t)fmin(round(1 / parts), (double)(w->last - w->begin)), bad;
    double scale = filter_time_scale(set->settings);
    if (w->automatic) /* filters that have forgotten after so long */
        n = (size_t)fmin((double)n, FORGOTTEN * scale / (time * parts) + 2);
    struct odd_run lone = { .step = time * parts, .last = (ptrdiff_t)n, .width = 1 };
    if (n > 1 && odd_extension_filter(&w->both, set, &lone, &bad, &ignored))
        for (size_t k = 0; k <= n; k++)
            noise += w->both.value[k] * w->both.value[k];
    double part = n > 1 ? w->both.value[n / 2] : 1;
    double twice = 1.25 / 4 * time * parts * (1 / noise - 1);
    *fit = (struct fit){ w->begin, w->last, fmax(twice, 0.4 * scale), part };
    return fit->reach;
}

static bool is_gap(const struct whole *w, struct spot at)
{
    bool gap = false;
    for (size_t i = 0; i < w->unit->nchannel; i++)
        gap |= isnan(block_goal(at.block, w->unit->channel[i])[at.row]);
    return gap;
}

/* Prints output o at a knot. */
static void put(struct whole *w, size_t o, size_t k, const double x[4])
{
    const struct series *s = w->s;
    for (size_t row = w->first[k]; row < w->first[k + 1]; row++) {
        struct spot at = w->g->place[row].at;
        bool gap = s->c.in.settings->gaps != GAPS_FILL && is_gap(w, at);
        for (size_t i = 0; i < w->unit->nchannel; i++)
            block_out(at.block, w->unit->channel[i] * s->out.nwant + o)[at.row] = gap ? (double)NAN : x[i];
    }
}

/* Channel c is faulty at knot bad of the run. */
static void fail(struct whole *w, size_t c, size_t bad, struct error *e)
{
    error_column(e, columns_channel(w->s->c.in.columns, c)->name);
    series_fail(w->s, w->g->place[w->first[w->begin]].at, w->g->place[w->first[bad]].at, e);
}

/* Prints the outputs along the run. */
static void put_outputs(struct whole *w)
{
    struct error e;
    size_t taken = 0;
    for (size_t o = 0; o < w->s->out.nwant; o++) {
        while (taken < w->s->out.want[o])
            whole_derive(w, ++taken);
        for (size_t k = w->begin; k <= w->last; k++) {
            double x[4] = { 0 };
            whole_give(w, w->s->out.want[o], k, x);
            for (size_t i = 0; i < w->unit->nchannel; i++)
                if (!isfinite(x[i]) && w->s->out.prints[o]) {
                    error_data(&e, "the filtered value is too large for a number here");
                    fail(w, w->unit->channel[i], k, &e);
                    return;
                }
            put(w, o, k, x);
        }
    }
}

/* Filters the run, and prints or judges it. */
static void filter_run(struct whole *w)
{
    struct error e;
    size_t bad;
    use_settings(w);
    const double *goal = whole_reduce(w, find_reach(w));
    struct odd_run run = { w->even ? NULL : w->T + w->begin, w->last > w->begin ? w->T[w->begin + 1] : 0,
                           goal, (ptrdiff_t)(w->last - w->begin), w->unit->rotation ? 4 : 1 };
    bool good = odd_extension_filter(&w->both, &w->s->steps.set[w->set], &run, &bad, &e);
    if (good)
        whole_take_result(w);
    if (w->trial)
        whole_add_misfit(w, good);
    else if (good)
        put_outputs(w);
    else
        fail(w, w->unit->channel[0], w->begin + bad, &e);
}

void whole_filter_runs(struct whole *w)
{
    static const double gap[4] = { NAN, NAN, NAN, NAN };
    for (size_t k = 0; k < w->nknot; k++) {
        if (isnan(w->goal[k])) {
            for (size_t o = 0; o < w->s->out.nwant && !w->trial; o++)
                put(w, o, k, gap);
            continue;
        }
        w->begin = k;
        find_last(w);
        filter_run(w);
        k = w->last;
    }
}

/* Filters and prints a channel or a rotation. */
static void filter_unit(struct whole *w, const struct unit *u)
{
    if (series_leaves(w->s, u->channel[0]))
        return;
    w->unit = u;
    w->set = w->s->c.overrides->of[u->channel[0]];
    for (size_t row = 0; row < w->g->nplace; row++) {
        struct spot at = w->g->place[row].at;
        w->s->count.gaps += is_gap(w, at) && block_row_read(at.block, at.row) ? u->nchannel : 0;
    }
    whole_gather(w);
    whole_choose_halflife(w);
    whole_filter_runs(w);
}

void zero_phase_filter(struct series *s)
{
    struct whole w = { .s = s, .even = true, .both.s = s };
    struct error e;
    const struct rotations *all = s->c.in.rotations;
    bool good = open_whole(&w, &e);
    for (struct group *g = s->groups.first; g && good; g = g->after) {
        take_group(&w, g);
        /* Numbers first, and then rotations in their order. */
        for (size_t i = 0; i <= all->n; i++)
            for (const struct unit *u = all->unit; u < all->unit + all->nunit; u++)
                if (u->rotation == (i ? &all->at[i - 1] : NULL))
                    filter_unit(&w, u);
    }
    if (!good && s->groups.first && s->groups.first->nplace)
        series_fail(s, s->groups.first->place[0].at, s->groups.first->place[0].at, &e);
    free(w.first);
}
