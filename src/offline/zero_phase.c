/* Whole series: held block by block, and filtered when no more rows come. See zero_phase.h.
 *
 * Group by group the rows are gathered, those of one time as one knot with the first valid value among them.
 * Then, channel by channel, the knots fall into runs. A gap within a run is bridged by a straight line, which
 * is the same in both directions. The line from the first value of a run to the last one is subtracted, as a
 * filter without lag would leave it as it is; the rest is filtered both ways (odd_extension.c), and the line
 * added again. The derivatives of the backward pass use rows of one side only: velocity and acceleration are
 * those of the spline through the values (spline_slopes). */
#include "offline/zero_phase.h"

#include "base/array.h"
#include "base/text.h"
#include "filters/spring_step.h"
#include "offline/end_value.h"
#include "offline/odd_extension.h"
#include "offline/spline_slopes.h"
#include "series/chunk.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define ROUNDED 1e-10 /* steps that differ by this part are equal: their times are rounded */

/* How far a fit at an end of a run reaches, in seconds (end_value.h), with one set of coefficients. */
struct fit {
    size_t begin, last; /* the run; 0, 0: none */
    double reach;
};

/* The rows of one group, and what is made of one channel of them. Arrays are [nknot]. */
struct whole {
    struct series *s;
    struct group *g;
    unsigned char *moving; /* copies of the settings of each set, with a goal that moves */
    struct fit *fit;       /* [sets] */
    bool even;             /* the steps of the run under way are equal */
    size_t nknot, maxknot;
    size_t *first; /* [nknot + 1] the first of the group's rows at each knot */
    double *T;     /* since the knot before */
    double *time;  /* since the first one of the run under way */
    double *goal;  /* NaN: not known; in a run under way, less its line, and then room */
    double *turns; /* of an angle */
    struct both_ways both;
};

/* Refuses settings that bring the filter to rest with no steps at all; those of the input are not known. */
static bool rests(const struct filter *filter, const void *settings, struct error *e)
{
    if (!filter->rests || filter->rests(settings))
        return true;
    error_usage(e, "--zero-phase takes a filter that comes to rest, and with these settings it never does");
    return error_hint(e, "more damping brings it to rest, or with --method lerp a larger --factor");
}

bool zero_phase_check(const struct filter *filter, const void *settings, double start, bool overridden,
                      struct error *e)
{
    char names[128] = "";
    if (filter->linear) {
        if (isnan(start))
            return overridden || rests(filter, settings, e);
        error_usage(e, "--start has no meaning with --zero-phase, which comes to both ends from outside");
        return error_hint(e, "leave one of them out");
    }
    for (size_t i = 0; filter_list[i]; i++)
        if (filter_list[i]->linear)
            text_append(names, sizeof names, "%s%s", names[0] ? ", " : "", filter_list[i]->name);
    error_usage(e, "--zero-phase takes a linear filter, and %s is none", filter->name);
    return error_hint(e, "linear are: %s", names);
}

bool zero_phase_fits(const struct filter *filter, const struct overrides *overrides, const struct columns *t,
                     struct error *e)
{
    for (size_t i = 0; i < t->ncolumn; i++) {
        const struct column *c = &t->column[i];
        if (c->role == ROLE_CHANNEL && !rests(filter, overrides->settings[overrides->of[c->value]], e))
            return error_column(e, c->name);
    }
    return true;
}

static struct spot spot_at(const struct whole *w, size_t row)
{
    struct place place = w->g->place[row];
    return (struct spot){ w->s->block[place.block], place.row };
}

/* The filter of channel c cannot do a run that begins at a knot; bad: the knot that shows it. */
static void fail_run(struct whole *w, size_t c, size_t begin, size_t bad, struct error *e)
{
    error_column(e, columns_channel(w->s->c.columns, c)->name);
    series_fail(w->s, spot_at(w, w->first[begin]), spot_at(w, w->first[bad]), e);
}

/* With uneven steps the goal moves, unless --hold says otherwise or the filter refuses that: then the weight
 * of a value does not depend on the length of the step before it. */
static bool make_moving(struct whole *w, struct error *e)
{
    const struct filter *filter = w->s->c.filter;
    const struct overrides *all = w->s->c.overrides;
    size_t size = filter->settings_size;
    struct error refused;
    if (!arrays_make(e, ARRAY(w->fit, all->n), ARRAY(w->moving, all->n * size)))
        return false;
    for (size_t i = 0; i < all->n; i++) {
        unsigned char *settings = w->moving + i * size;
        memcpy(settings, all->settings[i], size);
        for (size_t k = 0; k < filter->nparam; k++) {
            int *hold = (int *)(settings + filter->params[k].offset);
            if (strcmp(filter->params[k].name, "hold") == 0 && *hold == HOLD_NOT_GIVEN)
                *hold = HOLD_LINEAR;
        }
        if (!filter->check(settings, &refused))
            memcpy(settings, all->settings[i], size);
    }
    return true;
}

/* Gives each set the settings for the steps of a run. */
static void use_settings(struct whole *w, size_t begin, size_t last)
{
    const struct overrides *all = w->s->c.overrides;
    bool was_even = w->even;
    w->even = true;
    for (size_t k = begin + 2; k <= last; k++)
        w->even &= fabs(w->T[k] - w->T[begin + 1]) <= ROUNDED * w->T[begin + 1];
    if (w->even == was_even)
        return;
    w->both.set = NULL;
    for (size_t i = 0; i < all->n; i++) {
        struct coefficients *set = &w->s->steps.set[i];
        set->settings = w->even ? all->settings[i] : w->moving + i * w->s->c.filter->settings_size;
        memset(set->cached_T, 0, sizeof set->cached_T);
    }
}

static bool gather_knots(struct whole *w, struct error *e)
{
    struct group *g = w->g;
    /* Rows that stood behind a fault in the last block are none. */
    for (; g->nplace; g->nplace--) {
        struct spot last = spot_at(w, g->nplace - 1);
        if (last.row < last.block->nrow)
            break;
    }
    if (g->nplace >= w->maxknot) {
        size_t n = g->nplace + 1;
        free(w->first);
        w->first = NULL;
        w->maxknot = 0;
        if (!arrays_make(e, ARRAY(w->first, n), ARRAY(w->T, n), ARRAY(w->time, n), ARRAY(w->goal, n),
                         ARRAY(w->turns, w->s->c.period ? n : 0)))
            return false;
        w->maxknot = n;
    }
    w->nknot = 0;
    for (size_t row = 0; row < g->nplace; row++)
        if (row == 0 || g->place[row].T > 0) {
            w->first[w->nknot] = row;
            w->T[w->nknot++] = g->place[row].T;
        }
    w->first[w->nknot] = g->nplace;
    return true;
}

static void gather_goals(struct whole *w, size_t c)
{
    const struct series *s = w->s;
    struct unwrap unwrap = { 0 };
    for (size_t k = 0; k < w->nknot; k++) {
        w->goal[k] = (double)NAN;
        for (size_t row = w->first[k]; row < w->first[k + 1]; row++) {
            struct spot at = spot_at(w, row);
            double value = block_value(at.block, c)[at.row];
            w->s->count.gaps += isnan(value) != 0;
            if (isnan(w->goal[k]))
                w->goal[k] = value;
        }
    }
    if (s->c.period && s->c.period[c] > 0)
        angles_unwrap(&unwrap, s->c.period[c], w->goal, w->turns, w->nknot);
}

/* Seconds from knot a to knot b. */
static double elapsed(const struct whole *w, size_t a, size_t b)
{
    struct spot from = spot_at(w, w->first[a]), to = spot_at(w, w->first[b]);
    if (w->s->c.rate != 0)
        return (double)(w->first[b] - w->first[a]) / w->s->c.rate;
    return steps_between(&w->s->steps, &from.block->time[from.row], &to.block->time[to.row]);
}

/* Through two knots. */
struct line {
    double start, slope;
    size_t from;
};

static struct line line_of(const struct whole *w, size_t from, size_t to)
{
    double slope = to > from ? (w->goal[to] - w->goal[from]) / (w->time[to] - w->time[from]) : 0;
    return (struct line){ w->goal[from], slope, from };
}

static double line_at(const struct line *line, const struct whole *w, size_t k)
{
    return line->start + line->slope * (w->time[k] - w->time[line->from]);
}

/* The last knot of the run that begins at a value; gaps within it are bridged. */
static size_t bridge(struct whole *w, size_t last)
{
    const struct series_settings *o = w->s->c.settings;
    w->time[last] = 0;
    for (size_t next = last + 1; next < w->nknot; next++) {
        w->time[next] = w->time[next - 1] + w->T[next];
        if (isnan(w->goal[next]))
            continue;
        if (next > last + 1 && (o->gaps == GAPS_RESTART || elapsed(w, last, next) > o->max_gap))
            break;
        struct line line = line_of(w, last, next);
        for (size_t k = last + 1; k < next; k++)
            w->goal[k] = line_at(&line, w, k);
        last = next;
    }
    return last;
}

/* Prints one output of a channel in all rows of a knot. */
static void put(struct whole *w, size_t c, size_t o, size_t k, double x)
{
    const struct series *s = w->s;
    for (size_t row = w->first[k]; row < w->first[k + 1]; row++) {
        struct spot at = spot_at(w, row);
        bool gap = s->c.settings->gaps != GAPS_FILL && isnan(block_value(at.block, c)[at.row]);
        block_out(at.block, c * s->out.nwant + o)[at.row] = gap ? (double)NAN : x;
    }
}

/* Prints output o of channel c along a run: what came out of it, and the line. */
static bool put_output(struct whole *w, size_t c, size_t o, const struct line *line, size_t begin,
                       size_t last)
{
    const struct series *s = w->s;
    size_t derivative = s->out.want[o];
    for (size_t k = begin; k <= last; k++) {
        double x = w->both.value[k - begin];
        x += derivative == 0 ? line_at(line, w, k) : derivative == 1 ? line->slope : 0;
        if (!isfinite(x) && s->out.prints[o]) {
            struct error e;
            error_data(&e, "the filtered value is too large for a number here");
            fail_run(w, c, begin, k, &e);
            return false;
        }
        if (derivative == 0 && s->c.wrap && s->c.period && s->c.period[c] > 0)
            x -= w->turns[k] * s->c.period[c];
        put(w, c, o, k, x);
    }
    return true;
}

/* Prints the outputs of a run, each derivative made in the place of what it is taken from. The run, less its
 * line, goes on through its end points, and so its slopes are level there. */
static void put_outputs(struct whole *w, size_t c, const struct line *line, size_t begin, size_t last)
{
    const struct series *s = w->s;
    size_t taken = 0;
    for (size_t o = 0; o < s->out.nwant; o++) {
        for (; taken < s->out.want[o]; taken++)
            spline_slopes(w->T + begin, w->both.value, last - begin + 1, taken > 0, w->goal + begin);
        if (!put_output(w, c, o, line, begin, last))
            return;
    }
}

/* The reach of the fit at an end of a run, such that the end is at most twice as noisy as the middle. White
 * noise of variance 1 leaves about 1.25 T / reach of the fit, less for short reaches, and in the middle the
 * sum of the squares of what becomes of a lone 1; T is the mean step, where long ones weigh more. A spring
 * that oscillates amplifies the noise of its middle, and near its end also that of the fit: so the reach is
 * not much shorter than its period. */
static double find_reach(struct whole *w, struct coefficients *set, size_t begin, size_t last)
{
    struct fit *fit = &w->fit[set - w->s->steps.set];
    double time = 0, parts = 0, noise = 0;
    struct error ignored; /* the run itself has it as well */
    if (fit->begin == begin && fit->last == last)
        return fit->reach;
    for (size_t k = begin + 1; k <= last; k++)
        time += w->T[k];
    for (size_t k = begin + 1; k <= last; k++)
        parts += w->T[k] / time * (w->T[k] / time);
    size_t n = (size_t)fmin(round(1 / parts), (double)(last - begin)), bad;
    if (n > 1 && odd_extension_filter(&w->both, set, NULL, time * parts, NULL, n, &bad, &ignored))
        for (size_t k = 0; k <= n; k++)
            noise += w->both.value[k] * w->both.value[k];
    double twice = 1.25 / 4 * time * parts * (1 / noise - 1);
    *fit = (struct fit){ begin, last, fmax(twice, 0.4 * w->s->c.filter->time_scale(set->settings)) };
    return fit->reach;
}

/* Filters the run of channel c from knot begin to knot last. What is left of its samples at both ends is
 * noise, and taken as 0. */
static void filter_run(struct whole *w, size_t c, size_t begin, size_t last)
{
    struct coefficients *set = &w->s->steps.set[w->s->c.overrides->of[c]];
    double *T = w->T + begin, *goal = w->goal + begin;
    size_t n = last - begin, bad;
    struct error e;
    use_settings(w, begin, last);
    if (n > 0) {
        double reach = find_reach(w, set, begin, last), first = end_value(T, goal, n, false, reach);
        goal[n] = end_value(T, goal, n, true, reach);
        goal[0] = first;
    }
    struct line line = line_of(w, begin, last);
    for (size_t k = begin; k <= last; k++)
        w->goal[k] -= line_at(&line, w, k);
    w->goal[last] = 0;
    if (odd_extension_filter(&w->both, set, w->even ? NULL : T, n > 0 ? T[1] : 0, goal, n, &bad, &e))
        put_outputs(w, c, &line, begin, last);
    else
        fail_run(w, c, begin, begin + bad, &e);
}

static void filter_group(struct whole *w)
{
    memset(w->fit, 0, w->s->c.overrides->n * sizeof *w->fit);
    w->both.set = NULL;
    for (size_t c = 0; c < w->s->nchannel; c++) {
        bool begun = false;
        gather_goals(w, c);
        for (size_t k = 0, last; k < w->nknot; k++) {
            if (isnan(w->goal[k])) {
                for (size_t o = 0; o < w->s->out.nwant; o++)
                    put(w, c, o, k, (double)NAN);
                continue;
            }
            w->s->count.restarts += begun;
            begun = true;
            last = bridge(w, k);
            filter_run(w, c, k, last);
            k = last;
        }
    }
}

void zero_phase_filter(struct series *s)
{
    struct whole w = { .s = s, .even = true };
    struct error e;
    bool good = odd_extension_open(&w.both, &s->steps, &s->shape, &e) && make_moving(&w, &e);
    for (w.g = groups_each(&s->groups, NULL); good && w.g; w.g = groups_each(&s->groups, w.g)) {
        good = gather_knots(&w, &e);
        if (good)
            filter_group(&w);
    }
    if (!good && s->nblock > 0)
        series_fail(s, (struct spot){ s->block[0], 0 }, (struct spot){ s->block[0], 0 }, &e);
    free(w.first);
    free(w.fit);
    odd_extension_close(&w.both);
}
