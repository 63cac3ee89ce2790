/* Knots, runs and settings of a series that is held whole. See whole.h. */
#include "offline/whole.h"

#include "base/array.h"
#include "filters/spring_step.h"
#include <math.h>
#include <stdlib.h>

#define FORGOTTEN 100   /* time scales */
#define ROUNDED   1e-10 /* steps that differ by this part are equal: their times are rounded */

char *whole_settings(const struct whole *w, size_t set, bool moving)
{
    size_t nset = w->s->c.overrides->n;
    return w->settings + (set + (moving ? nset : 0)) * w->s->c.filter->settings_size;
}

/* With uneven steps the goal moves, unless --hold says otherwise or the filter refuses that: then the weight
 * of a value does not depend on the length of the step before it. */
static bool copy_settings(struct whole *w, struct error *e)
{
    const struct filter *filter = w->s->c.filter;
    const struct overrides *all = w->s->c.overrides;
    size_t size = filter->settings_size;
    struct error refused;
    if (!arrays_make(e, ARRAY(w->fit, all->n), ARRAY(w->settings, 2 * all->n * size)))
        return false;
    for (size_t i = 0; i < all->n; i++) {
        char *settings = whole_settings(w, i, true);
        memcpy(settings, all->settings[i], size);
        memcpy(whole_settings(w, i, false), all->settings[i], size);
        w->s->steps.set[i].settings = whole_settings(w, i, false);
        w->automatic |= filter_automatic(filter, settings) != NULL;
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
        set->settings = whole_settings(w, i, !w->even);
        memset(set->cached_T, 0, sizeof set->cached_T);
    }
}

bool whole_open(struct whole *w, struct series *s, struct error *e)
{
    w->s = s;
    w->even = true;
    return odd_extension_open(&w->both, &s->steps, &s->shape, e) && copy_settings(w, e);
}

void whole_close(struct whole *w)
{
    free(w->first);
    free(w->fit);
    odd_extension_close(&w->both);
}

bool whole_take_group(struct whole *w, struct group *g, struct error *e)
{
    w->g = g;
    memset(w->fit, 0, w->s->c.overrides->n * sizeof *w->fit);
    w->both.set = NULL;
    /* Rows that stood behind a fault in the last block are none. */
    for (; g->nplace; g->nplace--) {
        struct spot last = whole_spot(w, g->nplace - 1);
        if (last.row < last.block->nrow)
            break;
    }
    if (g->nplace >= w->maxknot) {
        size_t n = g->nplace + 1, nrotation = w->s->c.rotations && w->s->c.rotations->n ? n : 0;
        struct whole_rotations *r = &w->rotations;
        free(w->first);
        w->first = NULL;
        w->maxknot = 0;
        if (!arrays_make(e, ARRAY(w->first, n), ARRAY(w->T, n), ARRAY(w->time, n), ARRAY(w->goal, n),
                         ARRAY(w->angle, w->s->c.period ? n : 0), ARRAY(w->turns, w->s->c.period ? n : 0),
                         ARRAY(w->read, w->automatic ? n : 0), ARRAY(r->target, nrotation),
                         ARRAY(r->h, nrotation), ARRAY(r->v[0], nrotation), ARRAY(r->v[1], nrotation),
                         ARRAY(r->v[2], nrotation)))
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

/* True if the gap between the knots a and b is longer than --max-gap. */
static bool long_gap(const struct whole *w, size_t a, size_t b)
{
    size_t row[] = { w->first[a], w->first[b] }, nmissing = 0;
    struct timestamp time[2];
    for (size_t i = 0; i < 2; i++) {
        struct spot at = whole_spot(w, row[i]);
        time[i] = w->s->c.rate != 0 ? timestamp_counted(row[i]) : at.block->time[at.row];
    }
    for (size_t i = w->first[a + 1]; i < row[1]; i++) {
        struct spot at = whole_spot(w, i);
        nmissing += block_row_read(at.block, at.row);
    }
    return gap_exceeds(&w->s->c.settings->max_gap, nmissing, &time[0], &time[1], steps_unit(&w->s->steps));
}

/* The last knot of the run that begins at a value; gaps within it are bridged. */
static size_t bridge(struct whole *w, const struct whole_kind *kind, size_t last)
{
    w->time[last] = 0;
    for (size_t next = last + 1; next < w->nknot; next++) {
        w->time[next] = w->time[next - 1] + w->T[next];
        if (isnan(w->goal[next]))
            continue;
        if (next > last + 1 && (w->s->c.settings->gaps >= GAPS_LINEAR || long_gap(w, last, next)))
            break;
        kind->bridge(w, last, next);
        last = next;
    }
    return last;
}

void whole_filter_runs(struct whole *w, const struct whole_kind *kind)
{
    bool begun = false;
    for (size_t k = 0; k < w->nknot; k++) {
        if (isnan(w->goal[k])) {
            if (kind->leave)
                kind->leave(w, k);
            continue;
        }
        w->s->count.restarts += begun ? kind->nchannel : 0;
        begun = true;
        size_t last = bridge(w, kind, k);
        kind->filter(w, k, last);
        k = last;
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
    double scale = w->s->c.filter->time_scale(set->settings);
    if (w->automatic) /* filters that have forgotten after so long */
        n = (size_t)fmin((double)n, FORGOTTEN * scale / (time * parts) + 2);
    struct odd_run lone = { .step = time * parts, .last = n };
    if (n > 1 && odd_extension_filter(&w->both, set, &lone, &bad, &ignored))
        for (size_t k = 0; k <= n; k++)
            noise += w->both.value[k] * w->both.value[k];
    double part = n > 1 ? w->both.value[n / 2] : 1;
    double twice = 1.25 / 4 * time * parts * (1 / noise - 1);
    *fit = (struct fit){ begin, last, fmax(twice, 0.4 * scale), part };
    return fit->reach;
}

double whole_prepare(struct whole *w, struct coefficients *set, size_t begin, size_t last)
{
    use_settings(w, begin, last);
    if (last > begin)
        return find_reach(w, set, begin, last);
    w->fit[set - w->s->steps.set] = (struct fit){ .part = 1 };
    return 0;
}

void whole_fail(struct whole *w, size_t c, size_t begin, size_t bad, struct error *e)
{
    error_column(e, columns_channel(w->s->c.columns, c)->name);
    series_fail(w->s, whole_spot(w, w->first[begin]), whole_spot(w, w->first[bad]), e);
}

void whole_fail_range(struct whole *w, size_t c, size_t begin, size_t bad)
{
    struct error e;
    error_data(&e, "the filtered value is too large for a number here");
    whole_fail(w, c, begin, bad, &e);
}
