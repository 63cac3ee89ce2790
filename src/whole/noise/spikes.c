/* The rule of --despike. See spikes.h.
 *
 * The residual of a sample is its distance from the curve through four neighbours, by Lagrange: two on each
 * side, or, at an end or a long gap, more on the side that has them. For a run of one, two or three samples
 * the neighbours lie outside the run. The scale of residuals is 1.4826 times the median of their absolute
 * values over the window (F. R. Hampel, "The influence curve and its role in robust estimation", JASA 69,
 * 1974), for each pattern of neighbours by itself. So a scale holds the noise and the bend of the motion, as
 * far as neighbours in these places show both. Residuals next to the judged samples do not count, so that a
 * spike does not raise the scale by which it is judged.
 *
 * A run whose residual exceeds the factor times the scale is a candidate. The candidate with the largest
 * score is tried first. It is a spike if
 * - each of its samples is off, by half as much as the sample that is most off;
 * - without it, the two samples on each side lie on one curve: the series returns. At a step, a corner or an
 *   impact they do not;
 * - neither side alone, continued, explains the nearest sample of the run, as it would at a step or a start.
 * A spike is repaired, which means that the curve takes its place, and the samples beside are judged again.
 * Two spikes close together hide each other: so a candidate is also tried with a second one repaired. */
#include "whole/noise/spikes.h"

#include "whole/noise/spike_residuals.h"

#include <math.h>
#include <string.h>

enum {
    CUBIC = SPIKE_CUBIC,
    REACH = 6,  /* samples on each side of the judged samples that may begin or end a run */
    APART = 3,  /* least distance of two spikes that are tried together */
    PAIR = 5,   /* largest distance of the samples of the second one */
    CURVES = 4, /* curves of one side that may explain a run */
    ROUNDS = 8, /* spikes that are repaired, at most, in and beside the judged samples */
    RUNS = SPIKES_LENGTHS * (2 * REACH + SPIKES_STRETCH)
};

#define EACH_OFF  0.5  /* least residual of a sample of a run, as a part of the largest */
#define RETURNS   0.1  /* a sample beside a run is on the curve if its residual is this part of the run's */
#define STAYS_OFF 0.5  /* and is not on the curve if its residual is a larger part than this */
#define EXPLAINED 0.5  /* a side that comes within this part of the run's residual may explain the run */
#define TELLING   0.25 /* a side whose scale is a larger part of the run's residual is ignored */

/* Samples that may be a spike. */
struct spike_run {
    ptrdiff_t first, last;
    double score; /* the largest residual of its samples, in scales */
    double off;   /* the largest residual of its samples */
};

/* A window on its way to a verdict. */
struct judging {
    struct spike_view view;
    double factor;
    struct spike_run spike[ROUNDS]; /* [nspike] those found, which are repaired */
    size_t nspike;
    /* [samples of a run - 1][place in the run] the patterns where both sides have two samples; NULL: not
     * found so far */
    struct spike_pattern *between[SPIKES_LENGTHS][SPIKES_LENGTHS];
    struct spike_pattern *wide; /* the second pattern of single samples; NULL: not found so far */
};

size_t spikes_rows(const struct spikes_settings *settings)
{
    if (isnan(settings->factor))
        return 0;
    return settings->window < 0 ? SPIKES_USUAL_ROWS : (size_t)settings->window;
}

/* --- neighbours --- */

/* The nearest sample before sample i that is outside of a run. */
static inline ptrdiff_t find_before(const struct spike_run *run, ptrdiff_t i)
{
    return i > run->first && i <= run->last + 1 ? run->first - 1 : i - 1;
}

/* The nearest sample after sample i that is outside of a run. */
static inline ptrdiff_t find_after(const struct spike_run *run, ptrdiff_t i)
{
    return i < run->last && i >= run->first - 1 ? run->last + 1 : i + 1;
}

/* The number of samples on one side of sample i, at most CUBIC, that are outside of a run and in the part of
 * sample i. place[] receives their distances from sample i. */
static size_t find_side(const struct spike_view *view, const struct spike_run *run, ptrdiff_t i, bool after,
                        ptrdiff_t place[CUBIC])
{
    size_t n = 0;
    for (ptrdiff_t k = i; n < CUBIC; n++) {
        k = after ? find_after(run, k) : find_before(run, k);
        if (k < 0 || k >= view->n || view->part[k] != view->part[i])
            break;
        place[n] = k - i;
    }
    return n;
}

/* The pattern of the neighbours that judge sample i, of a run or beside it: the nearest two on each side that
 * are outside of the run; where a side has fewer, more on the other side. NULL: the part of the window has
 * fewer than four. */
static struct spike_pattern *find_pattern(struct spike_view *view, const struct spike_run *run, ptrdiff_t i)
{
    const ptrdiff_t last = find_before(run, i), before = find_before(run, last);
    const ptrdiff_t next = find_after(run, i), after = find_after(run, next);
    ptrdiff_t early[CUBIC], late[CUBIC], at[CUBIC];
    if (before >= 0 && after < view->n && view->part[before] == view->part[after])
        return spike_find_pattern(view, spike_places_at(before - i, last - i, next - i, after - i));
    const size_t nearly = find_side(view, run, i, false, early), nlate = find_side(view, run, i, true, late);
    if (nearly + nlate < CUBIC)
        return NULL;
    size_t n = nearly < CUBIC / 2 ? nearly : CUBIC / 2;
    if (nlate < CUBIC / 2)
        n = CUBIC - nlate;
    for (size_t k = 0; k < CUBIC; k++)
        at[k] = k < n ? early[n - 1 - k] : late[k - n];
    return spike_find_pattern(view, spike_places_at(at[0], at[1], at[2], at[3]));
}

/* --- scores --- */

/* The pattern of the neighbours that judge sample i of a run. A single sample has two curves with neighbours
 * on both sides; the curve with the smaller scale is the better one. NULL: as in find_pattern. */
static struct spike_pattern *choose_pattern(struct judging *judging, const struct spike_run *run, ptrdiff_t i)
{
    struct spike_view *view = &judging->view;
    const struct spike_places places = spike_places_at(-3, -1, 1, 3);
    const ptrdiff_t before = run->first - 2, after = run->last + 2;
    struct spike_pattern **between = &judging->between[run->last - run->first][i - run->first];
    if (before < 0 || after >= view->n || view->part[before] != view->part[after])
        return find_pattern(view, run, i);
    if (!*between)
        *between = find_pattern(view, run, i);
    if (run->first < run->last || !spike_fits(view, i, places))
        return *between;
    if (!judging->wide)
        judging->wide = spike_find_pattern(view, places);
    const double near = spike_find_scale(view, *between, i), wide = spike_find_scale(view, judging->wide, i);
    return wide < near ? judging->wide : *between;
}

/* Is a sample of a run, or the sample before or after it, a spike already? */
static bool touches_spike(const struct judging *judging, const struct spike_run *run)
{
    for (size_t k = 0; k < judging->nspike; k++)
        if (run->first <= judging->spike[k].last + 1 && run->last + 1 >= judging->spike[k].first)
            return true;
    return false;
}

/* Sets score and off of a run. False: the run is no candidate. */
static bool score_run(struct judging *judging, struct spike_run *run)
{
    struct spike_view *view = &judging->view;
    struct spike_pattern *pattern[SPIKES_LENGTHS];
    double off[SPIKES_LENGTHS], least = INFINITY;
    const ptrdiff_t n = run->last - run->first + 1;
    run->score = run->off = 0;
    if (view->part[run->first] != view->part[run->last] || touches_spike(judging, run))
        return false;
    for (ptrdiff_t k = 0; k < n; k++) {
        pattern[k] = choose_pattern(judging, run, run->first + k);
        off[k] = pattern[k] ? spike_find_off(view, pattern[k], run->first + k) : 0;
        run->off = off[k] > run->off ? off[k] : run->off;
        least = off[k] < least ? off[k] : least;
        if (least == 0 || least < EACH_OFF * run->off)
            return false;
    }
    for (ptrdiff_t k = 0; k < n; k++) {
        const double score = off[k] / spike_find_scale(view, pattern[k], run->first + k);
        if (isnan(score))
            return false;
        run->score = score > run->score ? score : run->score;
    }
    return run->score > judging->factor;
}

/* Is a judged sample in a candidate? */
static bool is_in_candidate(struct judging *judging)
{
    const struct spike_view *view = &judging->view;
    for (ptrdiff_t length = 1; length <= SPIKES_LENGTHS; length++)
        for (ptrdiff_t first = view->first + 1 - length; first <= view->last; first++) {
            struct spike_run run = { .first = first, .last = first + length - 1 };
            if (first >= 0 && run.last < view->n && score_run(judging, &run))
                return true;
        }
    return false;
}

/* Lists the candidates from sample low to sample high, the largest score first. Returns their number. */
static size_t list_runs(struct judging *judging, ptrdiff_t low, ptrdiff_t high, struct spike_run run[RUNS])
{
    const struct spike_view *view = &judging->view;
    const ptrdiff_t begin = low > 0 ? low : 0;
    const ptrdiff_t end = high < view->n ? high + 1 : view->n;
    size_t n = 0;
    for (ptrdiff_t length = 1; length <= SPIKES_LENGTHS; length++)
        for (ptrdiff_t first = begin; first + length <= end; first++) {
            struct spike_run next = { .first = first, .last = first + length - 1 };
            if (!score_run(judging, &next))
                continue;
            size_t at = n++;
            for (; at > 0 && run[at - 1].score < next.score; at--)
                run[at] = run[at - 1];
            run[at] = next;
        }
    return n;
}

/* --- what tells a spike from a candidate --- */

/* Does sample i beside a run lie on the curve through its neighbours, without the run? A sample that is not
 * there, or has too few neighbours, does. */
static bool is_on_curve(struct judging *judging, const struct spike_run *run, ptrdiff_t i)
{
    struct spike_view *view = &judging->view;
    if (i < 0 || i >= view->n || view->part[i] != view->part[run->first])
        return true;
    struct spike_pattern *pattern = find_pattern(view, run, i);
    if (!pattern)
        return true;
    const double off = spike_find_off(view, pattern, i);
    if (off <= RETURNS * run->off || !(off <= STAYS_OFF * run->off))
        return off <= RETURNS * run->off;
    const bool between = pattern->places.at[CUBIC / 2 - 1] < 0 && pattern->places.at[CUBIC / 2] > 0;
    const double scales = between ? judging->factor / 2 : judging->factor; /* less sure beside an end */
    return !(off > scales * spike_find_scale(view, pattern, i));
}

/* Do the samples on one side of a run, continued, explain the nearest sample of the run? Of several curves
 * the one with the smallest scale is the best. after: the side after the run. */
static bool is_explained(struct judging *judging, const struct spike_run *run, bool after)
{
    static const struct spike_places curves[2][CURVES] = {
        { { { -3, -2, -1 } }, { { -5, -3, -1 } }, { { -4, -3, -2, -1 } }, { { -7, -5, -3, -1 } } },
        { { { 1, 2, 3 } }, { { 1, 3, 5 } }, { { 1, 2, 3, 4 } }, { { 1, 3, 5, 7 } } }
    };
    struct spike_view *view = &judging->view;
    struct spike_pattern *pattern[CURVES];
    const ptrdiff_t i = after ? run->last : run->first;
    double off[CURVES], least = INFINITY, best = INFINITY, scale = INFINITY;
    size_t n = 0;
    for (size_t k = 0; k < CURVES; k++) {
        if (!spike_fits(view, i, curves[after][k]))
            continue;
        pattern[n] = spike_find_pattern(view, curves[after][k]);
        off[n] = spike_find_off(view, pattern[n], i);
        least = off[n] < least ? off[n] : least;
        n++;
    }
    for (size_t k = 0; k < n && least <= EXPLAINED * run->off; k++) {
        const double own = spike_find_scale(view, pattern[k], i);
        best = own < scale || (own == scale && off[k] < best) ? off[k] : best;
        scale = own < scale ? own : scale;
    }
    return scale <= TELLING * run->off && best <= fmin(EXPLAINED * run->off, judging->factor / 2 * scale);
}

enum side { NEITHER, BEFORE, AFTER };

/* The side whose samples tell that a run is no spike: one of the two beside the run is off the curve, or they
 * explain the run. */
static enum side find_fault(struct judging *judging, const struct spike_run *run)
{
    for (ptrdiff_t k = 1; k <= CUBIC / 2; k++) {
        if (!is_on_curve(judging, run, run->first - k))
            return BEFORE;
        if (!is_on_curve(judging, run, run->last + k))
            return AFTER;
    }
    if (is_explained(judging, run, false))
        return BEFORE;
    return is_explained(judging, run, true) ? AFTER : NEITHER;
}

/* --- repairs --- */

/* The samples of a run before it was repaired. */
struct repair {
    struct spike_run run;
    double x[SPIKES_LENGTHS][SPIKES_COMPONENTS];
};

/* Puts the curve in the place of a candidate. */
static struct repair repair_run(struct spike_view *view, const struct spike_run *run)
{
    struct repair repair = { .run = *run };
    double way[SPIKES_LENGTHS][SPIKES_COMPONENTS];
    for (ptrdiff_t i = run->first; i <= run->last; i++)
        spike_find_way(view, find_pattern(view, run, i), i, way[i - run->first]);
    for (ptrdiff_t i = run->first; i <= run->last; i++)
        for (size_t c = 0; c < view->ncolumn; c++) {
            repair.x[i - run->first][c] = view->x[c][i];
            view->x[c][i] += way[i - run->first][c];
        }
    return repair;
}

static void undo_repair(struct spike_view *view, const struct repair *repair)
{
    for (ptrdiff_t i = repair->run.first; i <= repair->run.last; i++)
        for (size_t c = 0; c < view->ncolumn; c++)
            view->x[c][i] = repair->x[i - repair->run.first][c];
}

/* Is a run a spike beside another one, which lies from sample low to sample high? */
static bool is_beside_spike(struct judging *judging, const struct spike_run *run, ptrdiff_t low,
                            ptrdiff_t high)
{
    struct spike_view *view = &judging->view;
    struct spike_run other[RUNS];
    struct repair repair = repair_run(view, run);
    const size_t n = list_runs(judging, low, high, other);
    bool found = false;
    for (size_t k = 0; k < n && !found; k++) {
        if (find_fault(judging, &other[k]) != NEITHER)
            continue;
        undo_repair(view, &repair);
        struct repair second = repair_run(view, &other[k]);
        found = find_fault(judging, run) == NEITHER;
        undo_repair(view, &second);
        repair_run(view, run);
    }
    undo_repair(view, &repair);
    return found;
}

/* Is a run a spike, by itself or beside another one on the side of the fault? Near an end or a long gap the
 * samples of the other side are neighbours, too, so both sides are tried. */
static bool is_spike(struct judging *judging, const struct spike_run *run)
{
    const struct spike_view *view = &judging->view;
    const ptrdiff_t before = run->first - CUBIC, after = run->last + CUBIC;
    const bool inside = before >= 0 && after < view->n && view->part[before] == view->part[after];
    const enum side fault = find_fault(judging, run);
    if (fault == NEITHER)
        return true;
    if ((fault == BEFORE || !inside) && is_beside_spike(judging, run, run->first - PAIR, run->first - APART))
        return true;
    return (fault == AFTER || !inside) && is_beside_spike(judging, run, run->last + APART, run->last + PAIR);
}

/* Repairs the first candidate, in and beside the judged samples, that is a spike. False: none is. */
static bool repair_spike(struct judging *judging)
{
    const struct spike_view *view = &judging->view;
    struct spike_run run[RUNS];
    const size_t n = list_runs(judging, view->first - REACH, view->last + REACH, run);
    for (size_t k = 0; k < n; k++)
        if (is_spike(judging, &run[k])) {
            repair_run(&judging->view, &run[k]);
            judging->spike[judging->nspike++] = run[k];
            return true;
        }
    return false;
}

/* --- stretches --- */

static bool is_ruled_out(const struct spikes_series *series, const struct spikes_settings *settings,
                         size_t own, const struct spikes_window *window)
{
    return window->high - window->low < SPIKES_LEAST ||
           spike_ruled_out(series, settings->factor, own, *window);
}

/* Adds the samples after the first to a stretch, and the samples of their windows to *window. In a window of
 * few samples each is judged by itself, as the residuals of the others tell the scale. known: as in
 * spikes_judge. False: the end is not known yet. */
static bool find_end(const struct spikes_series *series, const struct spikes_settings *settings, size_t known,
                     struct spikes_stretch *stretch, struct spikes_window *window)
{
    struct spikes_window last = *window;
    if (window->high - window->low < SPIKES_MANY)
        return true;
    while (stretch->end - stretch->first < SPIKES_STRETCH) {
        const size_t next = stretch->end, place = series->place[next - 1] + 1;
        if (place >= known)
            return false;
        if (next == series->n || series->place[next] != place)
            return true;
        spikes_move_window(series, &last, next, spikes_rows(settings));
        if (is_ruled_out(series, settings, next, &last))
            return true;
        window->high = last.high;
        stretch->end++;
    }
    return true;
}

/* Is sample i of the window in a spike that was found? */
static bool is_repaired(const struct judging *judging, ptrdiff_t i)
{
    for (size_t k = 0; k < judging->nspike; k++)
        if (i >= judging->spike[k].first && i <= judging->spike[k].last)
            return true;
    return false;
}

bool spikes_judge(const struct spikes_series *series, const struct spikes_settings *settings,
                  struct spikes_window *window, size_t own, size_t known, struct spikes_stretch *stretch)
{
    struct judging judging;
    spikes_move_window(series, window, own, spikes_rows(settings));
    *stretch = (struct spikes_stretch){ .first = own, .end = own + 1 };
    if (is_ruled_out(series, settings, own, window))
        return true;
    struct spikes_window all = *window;
    if (!find_end(series, settings, known, stretch, &all))
        return false;
    judging.factor = settings->factor;
    judging.nspike = 0;
    judging.wide = NULL;
    memset(judging.between, 0, sizeof judging.between);
    spike_view_open(&judging.view, series, &all, stretch);
    while (judging.nspike < ROUNDS && is_in_candidate(&judging) && repair_spike(&judging))
        continue;
    for (size_t i = stretch->first; i < stretch->end; i++)
        stretch->spike[i - stretch->first] = is_repaired(&judging, (ptrdiff_t)(i - all.low));
    return true;
}
