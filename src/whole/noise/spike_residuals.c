/* Residuals and their scales. See spike_residuals.h, and spikes.c for the rule. */
#include "whole/noise/spike_residuals.h"

#include "whole/noise/noise.h"
#include "whole/noise/rounding.h"

#include <math.h>
#include <string.h>

enum {
    CUBIC = SPIKE_CUBIC,
    NEAR = 5,     /* samples on each side of the judged samples whose residuals do not count in scales */
    NEAR_FEW = 2, /* the same in a window of fewer than SPIKES_MANY samples */
    FEWEST = 2    /* fewest residuals of a scale */
};

#define LONG 4.5 /* steps above this many mean steps are long gaps */
#define FAR  1e9 /* steps: times farther from the judged samples count as this far */

/* --- one residual --- */

bool spike_fits(const struct spike_view *view, size_t i, const struct spike_places *places)
{
    const ptrdiff_t first = (ptrdiff_t)i + places->at[0], last = (ptrdiff_t)i + places->at[places->n - 1];
    if (first < 0 || last >= (ptrdiff_t)view->n)
        return false;
    return view->even || (view->part[first] == view->part[i] && view->part[last] == view->part[i]);
}

/* The weights of the neighbours of sample i. even: what they are at even steps. room receives others. */
static const struct spike_weights *weigh_at(const struct spike_view *view, size_t i,
                                            const struct spike_places *places,
                                            const struct spike_weights *even, struct spike_weights *room)
{
    double at[CUBIC];
    bool is_even = true;
    if (view->even)
        return even;
    for (size_t k = 0; k < places->n; k++) {
        at[k] = view->at[(ptrdiff_t)i + places->at[k]] - view->at[i];
        is_even = is_even && at[k] == (double)places->at[k];
    }
    if (is_even)
        return even;
    *room = spike_weigh(at, places->n);
    return room;
}

/* How far the curve through the neighbours is from a sample, in one component. own: the sample. Of three
 * neighbours the fourth is the sample itself, and weighs nothing. */
static inline double find_component(const double *own, const struct spike_places *places,
                                    const struct spike_weights *weights)
{
    const ptrdiff_t *at = places->at;
    const double *of = weights->of;
    return of[0] * (own[at[0]] - *own) + of[1] * (own[at[1]] - *own) + of[2] * (own[at[2]] - *own) +
           of[3] * (own[at[3]] - *own);
}

/* The distance of a sample from the curve through its neighbours. */
static double find_length(const struct spike_view *view, const double *const *x, size_t i,
                          const struct spike_places *places, const struct spike_weights *weights)
{
    double square = 0;
    for (size_t c = 0; c < view->ncolumn; c++) {
        double way = find_component(x[c] + i, places, weights);
        square += way * way;
    }
    return isnan(square) ? INFINITY : sqrt(square);
}

/* --- scales --- */

/* The number of samples on each side of the judged samples whose residuals do not count in scales. */
static size_t count_near(const struct spike_view *view)
{
    return view->n < SPIKES_MANY ? NEAR_FEW : NEAR;
}

/* Finds the squares of the residuals of samples from to end - 1, as read, in an even window. Returns their
 * number. */
static size_t find_squares(const struct spike_view *view, const struct spike_pattern *pattern, size_t from,
                           size_t end, double *square)
{
    const size_t n = end > from ? end - from : 0;
    const struct spike_places places = pattern->places;
    const struct spike_weights weights = pattern->even;
    for (size_t i = 0; i < n; i++)
        square[i] = 0;
    for (size_t c = 0; c < view->ncolumn; c++)
        for (size_t i = 0; i < n; i++) {
            double way = find_component(view->read[c] + from + i, &places, &weights);
            square[i] += way * way;
        }
    for (size_t i = 0; i < n; i++)
        square[i] = isnan(square[i]) ? INFINITY : square[i];
    return n;
}

/* The median of the residuals of a pattern over an even window; NaN: too few. */
static double find_even_median(const struct spike_view *view, const struct spike_pattern *pattern,
                               size_t before, size_t after)
{
    double square[SPIKES_MOST_SAMPLES];
    const struct spike_places *places = &pattern->places;
    const size_t first = places->at[0] < 0 ? (size_t)-places->at[0] : 0;
    const size_t beyond = places->at[places->n - 1] > 0 ? (size_t)places->at[places->n - 1] : 0;
    const size_t end = view->n > beyond ? view->n - beyond : 0;
    size_t n = find_squares(view, pattern, first, before < end ? before : end, square);
    n += find_squares(view, pattern, after > first ? after : first, end, square + n);
    return n < FEWEST ? (double)NAN : sqrt(noise_median(square, n));
}

/* Finds the residuals of samples from to end - 1, as read, that have all neighbours of a pattern, each as
 * large as it would be at even steps. Returns their number. */
static size_t find_residuals(const struct spike_view *view, const struct spike_pattern *pattern, size_t from,
                             size_t end, double *residual)
{
    size_t n = 0;
    for (size_t i = from; i < end; i++) {
        struct spike_weights room;
        if (!spike_fits(view, i, &pattern->places))
            continue;
        const struct spike_weights *weights = weigh_at(view, i, &pattern->places, &pattern->even, &room);
        double length = find_length(view, view->read, i, &pattern->places, weights);
        residual[n++] = length * sqrt(pattern->even.noise / weights->noise);
    }
    return n;
}

/* The median of the residuals of a pattern, as at even steps; NaN: too few. */
static double find_median(const struct spike_view *view, const struct spike_pattern *pattern, size_t before,
                          size_t after)
{
    double residual[SPIKES_MOST_SAMPLES];
    size_t n = find_residuals(view, pattern, 0, before, residual);
    n += find_residuals(view, pattern, after, view->n, residual + n);
    return n < FEWEST ? (double)NAN : noise_median(residual, n);
}

/* The scale of the residuals of a pattern over the window, as at even steps. Those of samples near to the
 * judged samples do not count. */
static double find_scale(const struct spike_view *view, const struct spike_pattern *pattern)
{
    const size_t near = count_near(view), after = view->last + near + 1;
    const size_t before = view->first > near ? view->first - near : 0;
    double median = view->even ? find_even_median(view, pattern, before, after)
                               : find_median(view, pattern, before, after);
    return spike_median_to_scale(view->ncolumn) * median;
}

/* Distances are at most some ten samples. */
static uint32_t make_key(const struct spike_places *places)
{
    uint32_t key = 0;
    for (size_t k = 0; k < places->n; k++)
        key = key << 8 | (uint8_t)places->at[k];
    return key;
}

static const struct spike_pattern *search_pattern(const struct spike_view *view, uint32_t key)
{
    for (size_t k = 0; k < view->npattern; k++)
        if (view->key[k] == key)
            return &view->pattern[k];
    return NULL;
}

/* Finds or adds a pattern. A pattern and its mirror image in time share a scale. */
static const struct spike_pattern *find_pattern(struct spike_view *view, const struct spike_places *places)
{
    const uint32_t key = make_key(places);
    const struct spike_pattern *known = search_pattern(view, key);
    if (known)
        return known;
    double at[CUBIC];
    struct spike_places mirrored = { .n = places->n };
    for (size_t k = 0; k < places->n; k++) {
        at[k] = (double)places->at[k];
        mirrored.at[k] = -places->at[places->n - 1 - k];
    }
    const struct spike_pattern *other = search_pattern(view, make_key(&mirrored));
    size_t last = view->npattern < SPIKE_PATTERNS ? view->npattern++ : SPIKE_PATTERNS - 1;
    struct spike_pattern *pattern = &view->pattern[last];
    const double scale = other ? other->scale : (double)NAN;
    view->key[last] = key;
    *pattern = (struct spike_pattern){ .places = *places, .even = spike_weigh(at, places->n) };
    pattern->scale = other ? scale : find_scale(view, pattern);
    return pattern;
}

/* How much larger residuals are where the neighbours lie farther or less evenly than at even steps; at
 * least 1. */
static double find_strain(const struct spike_weights *even, const struct spike_weights *here)
{
    return here == even ? 1 : fmax(1, spike_strain(here, even->noise, even->bend));
}

struct spike_residual spike_find_residual(struct spike_view *view, size_t i,
                                          const struct spike_places *places)
{
    struct spike_weights room;
    const struct spike_pattern *pattern = find_pattern(view, places);
    const struct spike_weights *here = weigh_at(view, i, places, &pattern->even, &room);
    double off = find_length(view, view->repaired, i, places, here) - here->sum * view->rounding;
    return (struct spike_residual){ .off = off > 0 ? off : 0,
                                    .scale = pattern->scale * find_strain(&pattern->even, here) };
}

/* The weights of the neighbours of sample i, whether or not their pattern is known. */
static struct spike_weights weigh_times(const struct spike_view *view, size_t i,
                                        const struct spike_places *places)
{
    double at[CUBIC];
    for (size_t k = 0; k < places->n; k++)
        at[k] = view->at[(ptrdiff_t)i + places->at[k]] - view->at[i];
    return spike_weigh(at, places->n);
}

void spike_find_way(const struct spike_view *view, size_t i, const struct spike_places *places,
                    double way[SPIKES_COMPONENTS])
{
    const struct spike_weights weights = weigh_times(view, i, places);
    for (size_t c = 0; c < view->ncolumn; c++)
        way[c] = find_component(view->x[c] + i, places, &weights);
}

/* --- windows --- */

/* Sets the times and the parts of the window, whose first sample is sample low. Times that differ from even
 * rows by print alone count as even. Times are rounded, so that their differences are exact; each is later
 * than the time before. */
static void set_times(struct spike_view *view, const struct spikes_series *series, size_t low)
{
    const double *t = series->t + low;
    const size_t *place = series->place + low;
    size_t n = view->n;
    double step = (t[n - 1] - t[0]) / (double)(n - 1);
    size_t rows = SPIKES_APART; /* from sample to sample, where none is missing: some times come twice */
    for (size_t i = 1; i < n; i++)
        rows = place[i] - place[i - 1] < rows ? place[i] - place[i - 1] : rows;
    bool even = place[n - 1] - place[0] < SPIKES_APART && spike_steps_even(t, place, n);
    if (even)
        step = (t[n - 1] - t[0]) * (double)rows / (double)(place[n - 1] - place[0]);
    view->part[0] = 0;
    view->even = true;
    for (size_t i = 0; i < n; i++) {
        double away = ((double)place[i] - (double)place[view->first]) / (double)rows;
        double steps = even ? away : fmin(fmax((t[i] - t[view->first]) / step, -FAR), FAR);
        view->at[i] = rint(steps / SPIKE_ROUNDING) * SPIKE_ROUNDING;
        if (i == 0)
            continue;
        bool cut = place[i] - place[i - 1] >= SPIKES_APART;
        if (!cut && view->at[i] <= view->at[i - 1])
            view->at[i] = view->at[i - 1] + SPIKE_ROUNDING;
        const double since = view->at[i] - view->at[i - 1];
        view->part[i] = view->part[i - 1] + (cut || since > LONG);
        view->even = view->even && view->part[i] == 0 && since == 1;
    }
}

/* The largest error of a sample that the rounding of its numbers explains. For a vector: the length of the
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

void spike_view_open(struct spike_view *view, const struct spikes_series *series,
                     const struct spikes_window *window, const struct spikes_stretch *stretch)
{
    const size_t low = window->low;
    view->n = window->high - low;
    view->first = stretch->first - low;
    view->last = stretch->end - 1 - low;
    view->ncolumn = series->ncolumn;
    view->npattern = 0;
    for (size_t c = 0; c < view->ncolumn; c++) {
        view->read[c] = series->column[c] + low;
        view->repaired[c] = view->x[c];
        memcpy(view->x[c], view->read[c], view->n * sizeof *view->x[c]);
    }
    set_times(view, series, low);
    view->rounding = find_rounding(series, window);
}
