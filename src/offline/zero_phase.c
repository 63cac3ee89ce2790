/* Whole series: held block by block, and filtered when no more rows come. See zero_phase.h.
 *
 * Group by group the rows are gathered, those of one time as one knot with the first valid value among them.
 * Then, channel by channel, the knots fall into runs. A gap within a run is bridged by a straight line, which
 * is the same in both directions. The line from the first value of a run to the last one is subtracted, as a
 * filter without lag would leave it as it is; the rest is filtered both ways (odd_extension.c), and the line
 * added again. The derivatives of the backward pass use rows of one side only: velocity and acceleration are
 * those of the spline through the values (take_slopes). */
#include "offline/zero_phase.h"

#include "base/array.h"
#include "base/text.h"
#include "offline/odd_extension.h"
#include "series/chunk.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* A step below this part of the mean step is too short: the rounding of the values is larger than their
 * change. The knots at both its ends are taken as one. */
#define TOO_SHORT 0x1p-40

/* The rows of one group, and what is made of one channel of them. Arrays are [nknot]. */
struct whole {
    struct series *s;
    struct group *g;
    size_t nknot, maxknot;
    size_t *first; /* [nknot + 1] the first of the group's rows at each knot */
    double *T;     /* since the knot before */
    double *time;  /* since the first one of the run under way */
    double *goal;  /* NaN: not known; in a run under way, less its line, and then room */
    double *angle; /* as read */
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
    if (filter->linear && !filter->cuts) {
        if (isnan(start))
            return overridden || rests(filter, settings, e);
        error_usage(e, "--start has no meaning with --zero-phase, which comes to both ends from outside");
        return error_hint(e, "leave one of them out");
    }
    for (size_t i = 0; filter_list[i]; i++)
        if (filter_list[i]->linear && !filter_list[i]->cuts)
            text_append(names, sizeof names, "%s%s", names[0] ? ", " : "", filter_list[i]->name);
    error_usage(e, "--zero-phase takes a linear filter without cuts, and %s is none", filter->name);
    return error_hint(e, "these are: %s", names);
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
                         ARRAY(w->angle, w->s->c.period ? n : 0), ARRAY(w->turns, w->s->c.period ? n : 0)))
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
            w->s->count.gaps += isnan(value) && block_row_read(at.block, at.row);
            if (isnan(w->goal[k]))
                w->goal[k] = value;
        }
    }
    if (s->c.period && s->c.period[c] > 0) {
        memcpy(w->angle, w->goal, w->nknot * sizeof *w->angle);
        angles_unwrap(&unwrap, s->c.period[c], w->goal, w->turns, w->nknot);
    }
}

/* True if the gap between the knots a and b is longer than --max-gap. */
static bool long_gap(const struct whole *w, size_t a, size_t b)
{
    struct spot from = spot_at(w, w->first[a]), to = spot_at(w, w->first[b]);
    double most = w->s->c.settings->max_gap;
    if (w->s->c.rate != 0)
        return (double)(w->first[b] - w->first[a]) / w->s->c.rate > most;
    return steps_exceed(&w->s->steps, &from.block->time[from.row], &to.block->time[to.row], most);
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
        if (next > last + 1 && (o->gaps == GAPS_RESTART || long_gap(w, last, next)))
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
            x = angles_wrap(x, w->angle[k], w->turns[k], s->c.period[c]);
        put(w, c, o, k, x);
    }
    return true;
}

/* Replaces the values at n knots by the slopes there of the cubic spline through them; the result for the
 * reversed knots is the same, but for rounding. At its ends the curve is straight, as odd reflection makes
 * it, or level, as even reflection does. room: n doubles.
 *
 * The second derivative is the same on both sides of a knot with a step h before it and k after it if its
 * slope v and the slopes p and q of the chords before and after it satisfy
 *
 *     a v[i - 1] + 2 v[i] + b v[i + 1] = 3 (a p + b q),   a = k / (h + k),   b = 1 - a
 *
 * At a straight end there is only the chord on one side, a = 0 or b = 0, and at a level end there is none.
 * The equations are solved by elimination, forward and then back; the matrix is diagonally dominant, so
 * rounding errors do not grow. */
static void take_slopes(const double *T, double *value, size_t n, bool level, double *room)
{
    double time = 0;
    for (size_t i = n - 1; i > 0; i--) {
        value[i] = (value[i] - value[i - 1]) / T[i];
        time += T[i];
    }
    double shortest = TOO_SHORT * time / (double)n;
    for (size_t i = 0, next; i < n; i = next) {
        double chord = value[i], known = 0, own = 2;
        for (next = i + 1; next < n && T[next] < shortest; next++) {
            value[next - 1] = 0;
            room[next - 1] = -1;
        }
        bool first = i == 0, last = next == n;
        double a = first ? 0 : last ? 1 : T[next] / (T[i] + T[next]), b = 1 - a;
        if ((first || last) && level)
            a = b = 0;
        if (!first) {
            known += a * (3 * chord - value[i - 1]);
            own -= a * room[i - 1];
        }
        if (!last)
            known += b * 3 * value[next];
        value[next - 1] = known / own;
        room[next - 1] = b / own;
    }
    for (size_t i = n - 1; i-- > 0;)
        value[i] -= room[i] * value[i + 1];
}

/* Prints the outputs of a run, each derivative made in the place of what it is taken from. The run, less its
 * line, goes on through its end points, and so its slopes are level there. */
static void put_outputs(struct whole *w, size_t c, const struct line *line, size_t begin, size_t last)
{
    const struct series *s = w->s;
    size_t taken = 0;
    for (size_t o = 0; o < s->out.nwant; o++) {
        for (; taken < s->out.want[o]; taken++)
            take_slopes(w->T + begin, w->both.value, last - begin + 1, taken > 0, w->goal + begin);
        if (!put_output(w, c, o, line, begin, last))
            return;
    }
}

/* Filters the run of channel c from knot begin to knot last. */
static void filter_run(struct whole *w, size_t c, size_t begin, size_t last)
{
    struct line line = line_of(w, begin, last);
    struct error e;
    size_t bad;
    for (size_t k = begin; k <= last; k++)
        w->goal[k] -= line_at(&line, w, k);
    w->goal[last] = 0;
    if (odd_extension_filter(&w->both, &w->s->steps.set[w->s->c.overrides->of[c]], w->T + begin,
                             w->goal + begin, last - begin, &bad, &e))
        put_outputs(w, c, &line, begin, last);
    else
        fail_run(w, c, begin, begin + bad, &e);
}

static void filter_group(struct whole *w)
{
    w->both.T = NULL;
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
    struct whole w = { .s = s };
    struct error e;
    bool good = odd_extension_open(&w.both, &s->steps, &s->shape, &e);
    for (w.g = s->groups.first; good && w.g; w.g = w.g->after) {
        good = gather_knots(&w, &e);
        if (good)
            filter_group(&w);
    }
    if (!good && s->nblock > 0)
        series_fail(s, (struct spot){ s->block[0], 0 }, (struct spot){ s->block[0], 0 }, &e);
    free(w.first);
    odd_extension_close(&w.both);
}
