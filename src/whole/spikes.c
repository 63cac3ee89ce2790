/* The rule of --despike. See spikes.h.
 *
 * The residual of a sample is its distance from the curve through four neighbours, by Lagrange: two on each
 * side, or, at an end or a long gap, more on the side that has them. For a run of one, two or three samples
 * the neighbours lie outside the run. The scale of residuals is 1.4826 times the median of their absolute
 * values over the window (F. R. Hampel, "The influence curve and its role in robust estimation", JASA 69,
 * 1974), for each pattern of neighbours by itself. So a scale holds the noise and the bend of the motion, as
 * far as neighbours in these places show both. Residuals next to the judged sample do not count, so that a
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
#include "whole/spikes.h"

#include "whole/noise.h"
#include "whole/rounding.h"
#include "whole/spike_screen.h"

#include <math.h>
#include <string.h>

enum {
    CUBIC = SPIKE_CUBIC,
    REACH = 6,     /* samples on each side of the judged sample that may begin or end a run */
    NEAR = 5,      /* samples on each side of the judged sample whose residuals do not count in scales */
    NEAR_FEW = 2,  /* the same in a window of fewer than SPIKES_MANY samples */
    PAIR = 5,      /* largest distance of two spikes that are tried together */
    ROUNDS = 4,    /* spikes that are repaired, at most, before the judged sample has its verdict */
    PATTERNS = 48, /* patterns of neighbours that one verdict can need */
    RUNS = 3 * (2 * REACH + 1),
    FEWEST = 2 /* fewest residuals of a scale */
};

#define LONG      4.5  /* steps above this many mean steps are long gaps */
#define EACH_OFF  0.5  /* least residual of a sample of a run, as a part of the largest */
#define RETURNS   0.1  /* a sample beside a run is on the curve if its residual is this part of the run's */
#define STAYS_OFF 0.5  /* and is not on the curve if its residual is a larger part than this */
#define EXPLAINED 0.5  /* a side that comes within this part of the run's residual may explain the run */
#define POSSIBLE  0.7  /* a residual below this part of the factor, by noise and bend, is none of a spike */
#define TELLING   0.25 /* a side whose scale is a larger part of the run's residual tells nothing */

/* Neighbours of a sample, by their distance in samples. */
struct places {
    size_t n;
    ptrdiff_t at[CUBIC];
};

struct pattern {
    struct places places;
    struct spike_weights even; /* at even steps */
    double scale;              /* scale of residuals at even steps; NaN: too few residuals */
};

/* A window on its way to a verdict. */
struct view {
    size_t n, own, ncolumn;
    double factor, rounding;
    const double *read[SPIKES_COMPONENTS];            /* [ncolumn][n] the samples */
    double x[SPIKES_COMPONENTS][SPIKES_MOST_SAMPLES]; /* [ncolumn][n] the samples, spikes repaired */
    double at[SPIKES_MOST_SAMPLES];                   /* [n] times, in steps since the judged sample */
    unsigned part[SPIKES_MOST_SAMPLES];               /* [n] number of long gaps and cuts before */
    double noise, bend;                 /* variance by noise; by bend, where weights.bend is 1 */
    bool repaired[SPIKES_MOST_SAMPLES]; /* [n] the sample was a spike */
    struct pattern pattern[PATTERNS];
    size_t npattern;
};

/* Samples that may be a spike. */
struct run {
    size_t first, last;
    double score; /* the largest residual of its samples, in scales */
    double off;   /* the largest residual of its samples */
};

size_t spikes_rows(const struct spikes_settings *settings)
{
    if (isnan(settings->factor))
        return 0;
    return settings->window < 0 ? SPIKES_USUAL_ROWS : (size_t)settings->window;
}

/* --- residuals --- */

static bool fits(const struct view *view, size_t i, const struct places *places)
{
    for (size_t k = 0; k < places->n; k++) {
        ptrdiff_t place = (ptrdiff_t)i + places->at[k];
        if (place < 0 || place >= (ptrdiff_t)view->n || view->part[place] != view->part[i])
            return false;
    }
    return true;
}

/* The weights of the neighbours of sample i; even: what they are at even steps, or NULL. */
static struct spike_weights weigh_at(const struct view *view, size_t i, const struct places *places,
                                     const struct spike_weights *even)
{
    double at[CUBIC];
    bool is_even = true;
    for (size_t k = 0; k < places->n; k++) {
        at[k] = view->at[(ptrdiff_t)i + places->at[k]] - view->at[i];
        is_even = is_even && at[k] == (double)places->at[k];
    }
    return even && is_even ? *even : spike_weigh(at, places->n);
}

/* The way from a sample to the curve through its neighbours. Returns its length. */
static double find_way(const struct view *view, const double *const *x, size_t i, const struct places *places,
                       const struct spike_weights *weights, double way[SPIKES_COMPONENTS])
{
    double square = 0;
    for (size_t c = 0; c < view->ncolumn; c++) {
        const double *own = x[c] + i;
        way[c] = 0;
        for (size_t k = 0; k < places->n; k++)
            way[c] += weights->of[k] * (own[places->at[k]] - *own);
        square += way[c] * way[c];
    }
    return isnan(square) ? INFINITY : sqrt(square);
}

/* The number of samples on each side of the judged sample whose residuals do not count in scales. */
static size_t count_near(const struct view *view)
{
    return view->n < SPIKES_MANY ? NEAR_FEW : NEAR;
}

/* The scale of the residuals of a pattern over the window, as at even steps. */
static double find_scale(const struct view *view, const struct pattern *pattern)
{
    double residual[SPIKES_MOST_SAMPLES], way[SPIKES_COMPONENTS];
    size_t n = 0, near = count_near(view);
    for (size_t i = 0; i < view->n; i++) {
        if ((i + near >= view->own && i <= view->own + near) || !fits(view, i, &pattern->places))
            continue;
        struct spike_weights weights = weigh_at(view, i, &pattern->places, &pattern->even);
        double length = find_way(view, view->read, i, &pattern->places, &weights, way);
        residual[n++] = length * sqrt(pattern->even.noise / weights.noise);
    }
    return n < FEWEST ? (double)NAN : spike_median_to_scale(view->ncolumn) * noise_median(residual, n);
}

/* Are the places of a pattern these, or these in the other direction of time? */
static bool is_pattern(const struct pattern *pattern, const struct places *places)
{
    bool same = pattern->places.n == places->n, mirrored = same;
    for (size_t k = 0; k < places->n && (same || mirrored); k++) {
        same = same && pattern->places.at[k] == places->at[k];
        mirrored = mirrored && pattern->places.at[k] == -places->at[places->n - 1 - k];
    }
    return same || mirrored;
}

static const struct pattern *find_pattern(struct view *view, const struct places *places)
{
    double at[CUBIC];
    for (size_t k = 0; k < view->npattern; k++)
        if (is_pattern(&view->pattern[k], places))
            return &view->pattern[k];
    for (size_t k = 0; k < places->n; k++)
        at[k] = (double)places->at[k];
    size_t last = view->npattern < PATTERNS ? view->npattern++ : PATTERNS - 1;
    struct pattern *pattern = &view->pattern[last];
    *pattern = (struct pattern){ .places = *places, .even = spike_weigh(at, places->n) };
    pattern->scale = find_scale(view, pattern);
    return pattern;
}

/* How much larger residuals are where the neighbours lie farther or less evenly than at even steps; at
 * least 1. */
static double find_strain(const struct view *view, const struct spike_weights *even,
                          const struct spike_weights *here)
{
    double usual = view->noise * even->noise + view->bend * even->bend * even->bend;
    double strained = view->noise * here->noise + view->bend * here->bend * here->bend;
    if (!(usual > 0)) {
        usual = even->noise;
        strained = here->noise;
    }
    return fmax(1, sqrt(strained / usual));
}

/* A residual, and its scale; in `off` what rounding explains is left out. */
struct residual {
    double off, scale;
};

/* The residual of sample i. scale NaN: the window cannot tell it. */
static struct residual find_residual(struct view *view, size_t i, const struct places *places)
{
    double way[SPIKES_COMPONENTS];
    const double *const x[SPIKES_COMPONENTS] = { view->x[0], view->x[1], view->x[2], view->x[3] };
    const struct pattern *pattern = find_pattern(view, places);
    double at[CUBIC];
    for (size_t k = 0; k < places->n; k++)
        at[k] = (double)places->at[k];
    struct spike_weights even = spike_weigh(at, places->n);
    struct spike_weights here = weigh_at(view, i, places, &even);
    double length = find_way(view, x, i, places, &here, way);
    return (struct residual){ .off = fmax(0, length - here.sum * view->rounding),
                              .scale = pattern->scale * find_strain(view, &even, &here) };
}

/* --- runs --- */

/* Finds the nearest samples, at most CUBIC, on one side of sample i that are outside of a run: place[] tells
 * how far from sample i. step: -1 before, 1 after. Returns their number. */
static size_t find_side(const struct view *view, const struct run *run, size_t i, ptrdiff_t step,
                        ptrdiff_t place[CUBIC])
{
    size_t n = 0;
    for (ptrdiff_t k = (ptrdiff_t)i + step; k >= 0 && k < (ptrdiff_t)view->n && n < CUBIC; k += step) {
        if (view->part[k] != view->part[i])
            break;
        if (k < (ptrdiff_t)run->first || k > (ptrdiff_t)run->last)
            place[n++] = k - (ptrdiff_t)i;
    }
    return n;
}

/* Sets the places of the neighbours by which sample i, of a run or beside it, is judged: the nearest two on
 * each side that are outside of the run; where a side has fewer, more on the other side. False: there are
 * fewer than four in the part of the window. */
static bool find_neighbours(const struct view *view, const struct run *run, size_t i, struct places *places)
{
    ptrdiff_t before[CUBIC], after[CUBIC];
    size_t nbefore = find_side(view, run, i, -1, before), nafter = find_side(view, run, i, 1, after);
    if (nbefore + nafter < CUBIC)
        return false;
    size_t first = nbefore < CUBIC / 2 ? nbefore : CUBIC / 2;
    first = CUBIC - first > nafter ? CUBIC - nafter : first;
    places->n = CUBIC;
    for (size_t k = 0; k < CUBIC; k++)
        places->at[k] = k < first ? before[first - 1 - k] : after[k - first];
    return true;
}

/* The residual of sample i of a run. A single sample has two curves with neighbours on both sides; the curve
 * with the smaller scale tells more. False: too few neighbours. */
static bool judge_sample(struct view *view, const struct run *run, size_t i, struct residual *residual)
{
    static const struct places wide = { CUBIC, { -3, -1, 1, 3 } };
    struct places places;
    if (!find_neighbours(view, run, i, &places))
        return false;
    *residual = find_residual(view, i, &places);
    if (run->first == run->last && fits(view, i, &wide)) {
        struct residual other = find_residual(view, i, &wide);
        if (other.scale < residual->scale)
            *residual = other;
    }
    return !isnan(residual->scale);
}

/* Is a sample of a run, or the sample before or after it, a spike already? */
static bool touches_spike(const struct view *view, const struct run *run)
{
    size_t first = run->first > 0 ? run->first - 1 : 0;
    for (size_t i = first; i <= run->last + 1 && i < view->n; i++)
        if (view->repaired[i])
            return true;
    return false;
}

/* Sets score and off of a run. False: the run is no candidate. */
static bool score_run(struct view *view, struct run *run)
{
    double least = INFINITY;
    if (touches_spike(view, run))
        return false;
    run->score = run->off = 0;
    for (size_t i = run->first; i <= run->last; i++) {
        struct residual here;
        if (view->part[i] != view->part[run->first] || !judge_sample(view, run, i, &here) || here.off == 0)
            return false;
        run->score = fmax(run->score, here.off / here.scale);
        run->off = fmax(run->off, here.off);
        least = fmin(least, here.off);
    }
    return run->score > view->factor && least >= EACH_OFF * run->off;
}

/* Does sample i beside a run lie on the curve through its neighbours, without the run? */
static bool is_on_curve(struct view *view, const struct run *run, size_t i)
{
    struct places places;
    if (view->part[i] != view->part[run->first] || !find_neighbours(view, run, i, &places))
        return true;
    struct residual here = find_residual(view, i, &places);
    bool between = places.at[CUBIC / 2 - 1] < 0 && places.at[CUBIC / 2] > 0;
    double scales = between ? view->factor / 2 : view->factor; /* beside an end the curve tells less */
    double limit = fmin(STAYS_OFF * run->off, scales * here.scale);
    return !(here.off > fmax(RETURNS * run->off, limit));
}

/* Do the two samples on each side of a run lie on one curve? */
static bool returns(struct view *view, const struct run *run)
{
    for (size_t k = 1; k <= CUBIC / 2; k++) {
        if (run->first >= k && !is_on_curve(view, run, run->first - k))
            return false;
        if (run->last + k < view->n && !is_on_curve(view, run, run->last + k))
            return false;
    }
    return true;
}

/* Do the samples on one side of a run, continued, explain the nearest sample of the run? Of several curves
 * the curve with the smallest scale tells most. after: the side after the run. */
static bool is_explained(struct view *view, const struct run *run, bool after)
{
    static const struct places curves[] = {
        { 3, { 1, 2, 3 } }, { 3, { 1, 3, 5 } }, { 4, { 1, 2, 3, 4 } }, { 4, { 1, 3, 5, 7 } }
    };
    size_t i = after ? run->last : run->first;
    struct residual best = { .scale = INFINITY };
    for (size_t k = 0; k < sizeof curves / sizeof *curves; k++) {
        struct places places = curves[k];
        for (size_t j = 0; j < places.n && !after; j++)
            places.at[j] = -curves[k].at[places.n - 1 - j];
        if (!fits(view, i, &places))
            continue;
        struct residual here = find_residual(view, i, &places);
        if (here.scale < best.scale || (here.scale == best.scale && here.off < best.off))
            best = here;
    }
    return best.scale <= TELLING * run->off &&
           best.off <= fmin(EXPLAINED * run->off, view->factor / 2 * best.scale);
}

static bool stands_alone(struct view *view, const struct run *run)
{
    return returns(view, run) && !is_explained(view, run, false) && !is_explained(view, run, true);
}

/* --- repairs --- */

/* The samples of a run before it was repaired. */
struct repair {
    struct run run;
    double x[SPIKES_LENGTHS][SPIKES_COMPONENTS];
};

/* Puts the curve in the place of a run. */
static struct repair repair_run(struct view *view, const struct run *run)
{
    struct repair repair = { .run = *run };
    double way[SPIKES_LENGTHS][SPIKES_COMPONENTS] = { { 0 } };
    const double *const x[SPIKES_COMPONENTS] = { view->x[0], view->x[1], view->x[2], view->x[3] };
    for (size_t i = run->first; i <= run->last; i++) {
        struct places places;
        double at[CUBIC];
        if (!find_neighbours(view, run, i, &places))
            continue;
        for (size_t k = 0; k < CUBIC; k++)
            at[k] = view->at[(ptrdiff_t)i + places.at[k]] - view->at[i];
        struct spike_weights weights = spike_weigh(at, CUBIC);
        find_way(view, x, i, &places, &weights, way[i - run->first]);
    }
    for (size_t i = run->first; i <= run->last; i++)
        for (size_t c = 0; c < view->ncolumn; c++) {
            repair.x[i - run->first][c] = view->x[c][i];
            view->x[c][i] += way[i - run->first][c];
        }
    return repair;
}

static void undo_repair(struct view *view, const struct repair *repair)
{
    for (size_t i = repair->run.first; i <= repair->run.last; i++)
        for (size_t c = 0; c < view->ncolumn; c++)
            view->x[c][i] = repair->x[i - repair->run.first][c];
}

/* Lists the candidates between samples low and high that lie outside `without`, the largest score first. */
static size_t list_runs(struct view *view, size_t low, size_t high, const struct run *without,
                        struct run run[RUNS])
{
    size_t n = 0;
    for (size_t length = 1; length <= SPIKES_LENGTHS; length++)
        for (size_t first = low; first + length <= high + 1; first++) {
            struct run next = { .first = first, .last = first + length - 1 };
            bool apart = !without || next.last + 2 < without->first || next.first > without->last + 2;
            if (!apart || n == RUNS || !score_run(view, &next))
                continue;
            size_t at = n++;
            for (; at > 0 && run[at - 1].score < next.score; at--)
                run[at] = run[at - 1];
            run[at] = next;
        }
    return n;
}

/* Is a run a spike, alone or beside a second spike that hides the return to the curve? */
static bool is_spike(struct view *view, const struct run *run)
{
    struct run other[RUNS];
    if (stands_alone(view, run))
        return true;
    size_t low = run->first > PAIR ? run->first - PAIR : 0;
    size_t high = run->last + PAIR < view->n ? run->last + PAIR : view->n - 1;
    struct repair repair = repair_run(view, run);
    size_t n = list_runs(view, low, high, run, other);
    bool found = false;
    for (size_t k = 0; k < n && !found; k++) {
        if (!stands_alone(view, &other[k]))
            continue;
        undo_repair(view, &repair);
        struct repair second = repair_run(view, &other[k]);
        found = stands_alone(view, run);
        undo_repair(view, &second);
        repair_run(view, run);
    }
    undo_repair(view, &repair);
    return found;
}

/* Is some residual of a run that holds the judged sample large beside noise and bend? Most samples that are
 * looked at are ruled out here, before the scale of each pattern is measured. */
static bool is_possible(const struct view *view)
{
    const double *const *x = view->read;
    double way[SPIKES_COMPONENTS];
    for (size_t length = 1; length <= SPIKES_LENGTHS; length++)
        for (size_t k = 0; k < length * length && k / length <= view->own; k++) {
            struct run run = { .first = view->own - k / length, .last = view->own - k / length + length - 1 };
            size_t i = run.first + k % length;
            struct places places;
            if (run.last >= view->n || view->part[i] != view->part[view->own] ||
                !find_neighbours(view, &run, i, &places))
                continue;
            struct spike_weights weights = weigh_at(view, i, &places, NULL);
            double limit = POSSIBLE * view->factor *
                           sqrt(view->noise * weights.noise + view->bend * weights.bend * weights.bend);
            if (find_way(view, x, i, &places, &weights, way) > limit)
                return true;
        }
    return false;
}

/* Is the judged sample in a candidate? */
static bool is_in_candidate(struct view *view)
{
    for (size_t length = 1; length <= SPIKES_LENGTHS; length++)
        for (size_t k = 0; k < length && k <= view->own; k++) {
            struct run run = { .first = view->own - k, .last = view->own - k + length - 1 };
            if (run.last < view->n && score_run(view, &run))
                return true;
        }
    return false;
}

static bool find_verdict(struct view *view)
{
    size_t low = view->own > REACH ? view->own - REACH : 0;
    size_t high = view->own + REACH < view->n ? view->own + REACH : view->n - 1;
    bool more = is_in_candidate(view);
    for (size_t round = 0; round < ROUNDS && more; round++) {
        struct run run[RUNS];
        size_t n = list_runs(view, low, high, NULL, run);
        more = false;
        for (size_t k = 0; k < n && !more; k++) {
            if (!is_spike(view, &run[k]))
                continue;
            if (run[k].first <= view->own && view->own <= run[k].last)
                return true;
            repair_run(view, &run[k]);
            for (size_t i = run[k].first; i <= run[k].last; i++)
                view->repaired[i] = true;
            more = true;
        }
    }
    return false;
}

/* --- windows --- */

/* Sets the times and the parts of the window, whose first sample is sample low. Times that differ from even
 * rows by print alone count as even. */
static void set_times(struct view *view, const struct spikes_series *series, size_t low)
{
    const double *t = series->t + low;
    const size_t *place = series->place + low;
    size_t n = view->n, own = view->own;
    double step = (t[n - 1] - t[0]) / (double)(n - 1);
    size_t rows = SPIKES_APART; /* from sample to sample, where none is missing: some times come twice */
    for (size_t i = 1; i < n; i++)
        rows = place[i] - place[i - 1] < rows ? place[i] - place[i - 1] : rows;
    bool even = place[n - 1] - place[0] < SPIKES_APART && spike_steps_even(t, place, n);
    if (even)
        step = (t[n - 1] - t[0]) * (double)rows / (double)(place[n - 1] - place[0]);
    view->part[0] = 0;
    for (size_t i = 0; i < n; i++) {
        double away = ((double)place[i] - (double)place[own]) / (double)rows;
        view->at[i] = even ? away : (t[i] - t[own]) / step;
        if (i == 0)
            continue;
        bool cut = place[i] - place[i - 1] >= SPIKES_APART;
        view->part[i] = view->part[i - 1] + (cut || t[i] - t[i - 1] > LONG * step);
    }
}

/* The largest error of a sample that the rounding of its numbers explains. Of a vector: the length of the
 * error. */
static double find_rounding(const struct spikes_series *series, const struct spikes_window *window)
{
    double square = 0, sum = 0;
    for (size_t k = 0; k < series->nnumber; k++) {
        double error = rounding_error(series->number[k] + window->low, window->high - window->low);
        square += error * error;
        sum += error;
    }
    return series->turn > 0 ? sum * series->turn : sqrt(square);
}

/* The scale of the residuals of a pattern, by what spikes_measure found for samples that have enough others
 * beside them; NaN: too few residuals. */
static double find_measured_scale(struct view *view, const struct places *places, const float *measured)
{
    double residual[SPIKES_MOST_SAMPLES];
    size_t n = 0, near = count_near(view);
    if (view->n < SPIKES_MANY)
        return find_pattern(view, places)->scale;
    for (size_t i = SPIKES_BESIDE; i + SPIKES_BESIDE < view->n; i++)
        if ((i + near < view->own || i > view->own + near) && !isnan(measured[i]))
            residual[n++] = (double)measured[i];
    return n < FEWEST ? (double)NAN : spike_median_to_scale(view->ncolumn) * noise_median(residual, n);
}

/* Tells how much of the scales is noise and how much the bend of the motion, by two patterns. False: there
 * are too few residuals. */
static bool split_scales(struct view *view, const struct spikes_series *series, size_t low)
{
    static const struct places close = { CUBIC, { -2, -1, 1, 2 } }, far = { CUBIC, { -3, -2, 2, 3 } };
    /* Variance that noise, and bend, of 1 have in the residuals: by the weights, and the products of the
     * distances, of the two patterns. */
    const double close_noise = 1 + 34.0 / 36, far_noise = 2.94, close_bend = 4 * 4, far_bend = 36 * 36;
    double close_scale = find_measured_scale(view, &close, series->measured[0] + low);
    double far_scale = find_measured_scale(view, &far, series->measured[2] + low);
    double close_part = close_scale * close_scale / close_noise, far_part = far_scale * far_scale / far_noise;
    view->bend = 0;
    if (far_part > close_part)
        view->bend = (far_part - close_part) / (far_bend / far_noise - close_bend / close_noise);
    view->noise = fmax(0, close_part - close_bend / close_noise * view->bend);
    return !isnan(close_part);
}

bool spikes_judge(const struct spikes_series *series, const struct spikes_settings *settings,
                  struct spikes_window *window, size_t own)
{
    struct view view;
    spikes_move_window(series, window, own, spikes_rows(settings));
    size_t low = window->low;
    view.n = window->high - low;
    view.own = own - low;
    view.ncolumn = series->ncolumn;
    view.factor = settings->factor;
    view.npattern = 0;
    if (view.n < SPIKES_LEAST || spike_ruled_out(series, settings->factor, own, *window))
        return false;
    for (size_t c = 0; c < view.ncolumn; c++) {
        view.read[c] = series->column[c] + low;
        memcpy(view.x[c], view.read[c], view.n * sizeof *view.x[c]);
    }
    memset(view.repaired, 0, view.n * sizeof *view.repaired);
    set_times(&view, series, low);
    if (!split_scales(&view, series, low) || !is_possible(&view))
        return false;
    view.rounding = find_rounding(series, window);
    return find_verdict(&view);
}
