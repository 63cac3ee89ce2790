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
    FEWEST = 2,   /* fewest residuals of a scale */
    LANES = 2     /* residuals that are computed at once */
};

#define LONG 4.5 /* steps above this many mean steps are long gaps */
#define FAR  1e9 /* steps: times farther from the judged samples count as this far */

/* --- one residual --- */

static size_t count_places(struct spike_places places)
{
    return places.at[CUBIC - 1] == 0 ? CUBIC - 1 : CUBIC;
}

/* The distance of the last neighbour. */
static ptrdiff_t last_place(struct spike_places places)
{
    return places.at[count_places(places) - 1];
}

/* Are sample i and its neighbours in one part of the window? All are in the window. */
static bool is_one_part(const struct spike_view *view, ptrdiff_t i, struct spike_places places)
{
    const unsigned *part = view->part + i;
    return part[places.at[0]] == *part && part[last_place(places)] == *part;
}

bool spike_fits(const struct spike_view *view, ptrdiff_t i, struct spike_places places)
{
    return i + places.at[0] >= 0 && i + last_place(places) < view->n && is_one_part(view, i, places);
}

/* The weights of the neighbours of sample i. room receives weights at uneven steps. */
static const struct spike_weights *weigh_at(const struct spike_view *view, ptrdiff_t i,
                                            const struct spike_pattern *pattern, struct spike_weights *room)
{
    double at[CUBIC];
    bool even = true;
    for (size_t k = 0; k < CUBIC; k++) {
        at[k] = view->at[i + pattern->places.at[k]] - view->at[i];
        even = even && at[k] == pattern->places.at[k];
    }
    if (even)
        return &pattern->even;
    *room = spike_weigh(at, count_places(pattern->places));
    return room;
}

/* How far the curve through the neighbours is from a sample, in one component. own: the sample. Of three
 * neighbours the fourth is the sample itself, and weighs nothing. */
static inline double find_component(const double *own, struct spike_places places,
                                    const struct spike_weights *weights)
{
    const int8_t *at = places.at;
    const double *of = weights->of;
    return of[0] * (own[at[0]] - *own) + of[1] * (own[at[1]] - *own) + of[2] * (own[at[2]] - *own) +
           of[3] * (own[at[3]] - *own);
}

/* The square of the distance of a sample from the curve through its neighbours. */
static inline double find_square(const struct spike_view *view, const double *const *x, ptrdiff_t i,
                                 struct spike_places places, const struct spike_weights *weights)
{
    double square = 0;
    for (size_t c = 0; c < view->ncolumn; c++) {
        double way = find_component(x[c] + i, places, weights);
        square += way * way;
    }
    return isnan(square) ? INFINITY : square;
}

/* --- scales --- */

/* The number of samples on each side of the judged samples whose residuals do not count in scales. */
static ptrdiff_t count_near(const struct spike_view *view)
{
    return view->n < SPIKES_MANY ? NEAR_FEW : NEAR;
}

/* Finds the squares of the residuals of n samples from `first` on, as read, in an even window. Several sums
 * go on side by side, so that compilers compute several at once. */
static void find_even_squares(const struct spike_view *view, const struct spike_pattern *pattern,
                              ptrdiff_t first, size_t n, double *square)
{
    const struct spike_places places = pattern->places;
    const struct spike_weights weights = pattern->even;
    size_t i = 0;
    for (; i + LANES <= n; i += LANES) {
        double sum[LANES] = { 0 };
        for (size_t c = 0; c < view->ncolumn; c++)
            for (size_t k = 0; k < LANES; k++) {
                const double way = find_component(view->read[c] + first + i + k, places, &weights);
                sum[k] += way * way;
            }
        for (size_t k = 0; k < LANES; k++)
            square[i + k] = isnan(sum[k]) ? INFINITY : sum[k];
    }
    for (; i < n; i++)
        square[i] = find_square(view, view->read, first + (ptrdiff_t)i, places, &weights);
}

/* Finds the squares of the residuals of samples from to end - 1, as read, that have all neighbours of a
 * pattern, each as large as it would be at even steps. Returns their number. */
static size_t find_squares(const struct spike_view *view, const struct spike_pattern *pattern, ptrdiff_t from,
                           ptrdiff_t end, double *square)
{
    const struct spike_places places = pattern->places;
    const ptrdiff_t low = -places.at[0], high = view->n - last_place(places);
    const ptrdiff_t first = from > low ? from : low;
    const ptrdiff_t last = end < high ? end : high;
    size_t n = 0;
    if (view->even && first < last) {
        n = (size_t)(last - first);
        find_even_squares(view, pattern, first, n, square);
        return n;
    }
    for (ptrdiff_t i = first; i < last; i++) {
        struct spike_weights room;
        if (!is_one_part(view, i, places))
            continue;
        const struct spike_weights *here = weigh_at(view, i, pattern, &room);
        square[n++] = find_square(view, view->read, i, places, here) * (pattern->even.noise / here->noise);
    }
    return n;
}

/* The scale of the residuals of a pattern over the window, as at even steps. Those of samples near to the
 * judged samples do not count. NaN: too few residuals. */
static double find_scale(const struct spike_view *view, const struct spike_pattern *pattern)
{
    double square[SPIKES_MOST_SAMPLES];
    size_t n = find_squares(view, pattern, 0, view->first - count_near(view), square);
    n += find_squares(view, pattern, view->last + count_near(view) + 1, view->n, square + n);
    return n < FEWEST ? (double)NAN : spike_median_to_scale(view->ncolumn) * sqrt(noise_median(square, n));
}

static struct spike_pattern *search_pattern(struct spike_view *view, struct spike_places places)
{
    for (size_t k = 0; k < view->npattern; k++)
        if (memcmp(&view->pattern[k].places, &places, sizeof places) == 0)
            return &view->pattern[k];
    return NULL;
}

struct spike_pattern *spike_find_pattern(struct spike_view *view, struct spike_places places)
{
    struct spike_pattern *known = search_pattern(view, places);
    if (known)
        return known;
    const size_t n = count_places(places);
    struct spike_places mirrored = { { 0 } };
    double at[CUBIC];
    for (size_t k = 0; k < n; k++) {
        at[k] = places.at[k];
        mirrored.at[k] = (int8_t)-places.at[n - 1 - k];
    }
    struct spike_pattern *other = search_pattern(view, mirrored);
    struct spike_pattern *pattern = &view->pattern[view->npattern++];
    *pattern = (struct spike_pattern){ .places = places, .even = spike_weigh(at, n) };
    pattern->owner = other ? other->owner : pattern;
    return pattern;
}

double spike_find_off(const struct spike_view *view, const struct spike_pattern *pattern, ptrdiff_t i)
{
    struct spike_weights room;
    const struct spike_weights *here = view->even ? &pattern->even : weigh_at(view, i, pattern, &room);
    const double way = sqrt(find_square(view, view->repaired, i, pattern->places, here));
    const double off = way - here->sum * view->rounding;
    return off > 0 ? off : 0;
}

double spike_find_scale(const struct spike_view *view, struct spike_pattern *pattern, ptrdiff_t i)
{
    struct spike_pattern *owner = pattern->owner;
    struct spike_weights room;
    if (!owner->scaled)
        owner->scale = find_scale(view, owner);
    owner->scaled = true;
    if (view->even)
        return owner->scale;
    const struct spike_weights *even = &pattern->even, *here = weigh_at(view, i, pattern, &room);
    /* Residuals are larger where the neighbours lie farther or less evenly. */
    return here == even ? owner->scale : owner->scale * fmax(1, spike_strain(here, even->noise, even->bend));
}

void spike_find_way(const struct spike_view *view, const struct spike_pattern *pattern, ptrdiff_t i,
                    double way[SPIKES_COMPONENTS])
{
    struct spike_weights room;
    const struct spike_weights *weights = weigh_at(view, i, pattern, &room);
    for (size_t c = 0; c < view->ncolumn; c++)
        way[c] = find_component(view->x[c] + i, pattern->places, weights);
}

/* --- windows --- */

/* Sets the times and the parts of the window, whose first sample is sample low. Times that differ from even
 * rows by print alone count as even. Times are rounded, so that their differences are exact; each is later
 * than the time before. */
static void set_times(struct spike_view *view, const struct spikes_series *series, size_t low)
{
    const double *t = series->t + low;
    const size_t *place = series->place + low;
    const size_t n = (size_t)view->n;
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
    const size_t n = window->high - low;
    view->n = (ptrdiff_t)n;
    view->first = (ptrdiff_t)(stretch->first - low);
    view->last = (ptrdiff_t)(stretch->end - 1 - low);
    view->ncolumn = series->ncolumn;
    view->npattern = 0;
    for (size_t c = 0; c < view->ncolumn; c++) {
        view->read[c] = series->column[c] + low;
        view->repaired[c] = view->x[c];
        memcpy(view->x[c], view->read[c], n * sizeof *view->x[c]);
    }
    set_times(view, series, low);
    view->rounding = find_rounding(series, window);
}
