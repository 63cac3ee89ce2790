/* The window of a sample that is judged: how far its samples are from the curves through their neighbours,
 * and the scale of such residuals. */
#ifndef SPRUNG_WHOLE_NOISE_SPIKE_RESIDUALS_H
#define SPRUNG_WHOLE_NOISE_SPIKE_RESIDUALS_H

#include "whole/noise/spike_screen.h"

#include <stdint.h>

/* Three or four neighbours of a sample, by their distances in samples: rising; the fourth of three is 0. */
struct spike_places {
    int8_t at[SPIKE_CUBIC];
};

static inline struct spike_places spike_places_at(ptrdiff_t a, ptrdiff_t b, ptrdiff_t c, ptrdiff_t d)
{
    return (struct spike_places){ { (int8_t)a, (int8_t)b, (int8_t)c, (int8_t)d } };
}

/* A pattern of neighbours. It shares a scale with its mirror image in time. */
struct spike_pattern {
    struct spike_places places;
    struct spike_weights even;   /* at even steps */
    struct spike_pattern *owner; /* of the scale: the one of the two that came first */
    bool scaled;                 /* the scale was found */
    double scale;                /* scale of residuals at even steps; NaN: too few residuals */
};

enum { SPIKE_PATTERNS = 100 /* more than there are: see find_pattern, choose_pattern and is_explained */ };

struct spike_view {
    ptrdiff_t n;
    size_t ncolumn;
    ptrdiff_t first, last;                            /* the first and the last of the judged samples */
    double rounding;                                  /* error of a sample by its rounding in print */
    const double *read[SPIKES_COMPONENTS];            /* [ncolumn][n] the samples */
    const double *repaired[SPIKES_COMPONENTS];        /* [ncolumn] x, by component */
    double x[SPIKES_COMPONENTS][SPIKES_MOST_SAMPLES]; /* [ncolumn][n] the samples, spikes repaired */
    double at[SPIKES_MOST_SAMPLES];                   /* [n] times, in steps since sample `first` */
    unsigned part[SPIKES_MOST_SAMPLES];               /* [n] number of long gaps and cuts before */
    bool even;                                        /* a single part, with steps of 1 between samples */
    struct spike_pattern pattern[SPIKE_PATTERNS];     /* [npattern] */
    size_t npattern;
};

/* Sets up the window of a stretch of a series, which is judged. */
void spike_view_open(struct spike_view *view, const struct spikes_series *series,
                     const struct spikes_window *window, const struct spikes_stretch *stretch);

/* Are all neighbours of sample i in its part of the window? */
bool spike_fits(const struct spike_view *view, ptrdiff_t i, struct spike_places places);

/* The pattern of these places. */
struct spike_pattern *spike_find_pattern(struct spike_view *view, struct spike_places places);

/* The residual of sample i; what rounding explains is left out. */
double spike_find_off(const struct spike_view *view, const struct spike_pattern *pattern, ptrdiff_t i);

/* The scale of the residual of sample i. NaN: the window does not show it. */
double spike_find_scale(const struct spike_view *view, struct spike_pattern *pattern, ptrdiff_t i);

/* The way from sample i, by component, to the curve through its neighbours in the repaired samples. */
void spike_find_way(const struct spike_view *view, const struct spike_pattern *pattern, ptrdiff_t i,
                    double way[SPIKES_COMPONENTS]);

#endif
