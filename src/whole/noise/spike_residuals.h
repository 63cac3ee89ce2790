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

/* A pattern of neighbours. */
struct spike_pattern {
    struct spike_places places;
    struct spike_weights even; /* at even steps */
    double scale;              /* scale of residuals at even steps; NaN: too few residuals */
};

enum { SPIKE_PATTERNS = 256 /* a verdict needs at most 114: see find_neighbours and is_explained */ };

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
    struct spike_pattern pattern[SPIKE_PATTERNS];     /* by a hash of the places */
    bool known[SPIKE_PATTERNS];                       /* is the pattern there? */
};

/* A residual, and its scale; in `off` what rounding explains is left out. */
struct spike_residual {
    double off, scale;
};

/* Sets up the window of a stretch of a series, which is judged. */
void spike_view_open(struct spike_view *view, const struct spikes_series *series,
                     const struct spikes_window *window, const struct spikes_stretch *stretch);

/* Are all neighbours of sample i in its part of the window? */
bool spike_fits(const struct spike_view *view, ptrdiff_t i, struct spike_places places);

/* The residual of sample i. scale NaN: the window does not show it. */
struct spike_residual spike_find_residual(struct spike_view *view, ptrdiff_t i, struct spike_places places);

/* The way from sample i, by component, to the curve through its neighbours in the repaired samples. */
void spike_find_way(struct spike_view *view, ptrdiff_t i, struct spike_places places,
                    double way[SPIKES_COMPONENTS]);

#endif
