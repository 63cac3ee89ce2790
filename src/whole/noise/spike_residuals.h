/* The window of a sample that is judged: how far its samples are from the curves through their neighbours,
 * and the scale of such residuals. */
#ifndef SPRUNG_WHOLE_NOISE_SPIKE_RESIDUALS_H
#define SPRUNG_WHOLE_NOISE_SPIKE_RESIDUALS_H

#include "whole/noise/spike_screen.h"

#include <stdint.h>

enum {
    SPIKE_PATTERNS = 96 /* most patterns of neighbours for a verdict */
};

/* Neighbours of a sample, by their distance in samples. */
struct spike_places {
    size_t n;
    ptrdiff_t at[SPIKE_CUBIC]; /* [n] rising; behind them 0 */
};

struct spike_pattern {
    struct spike_places places;
    struct spike_weights even; /* at even steps */
    double scale;              /* scale of residuals at even steps; NaN: too few residuals */
};

struct spike_view {
    size_t n, ncolumn;
    size_t first, last;                               /* the first and the last of the judged samples */
    double rounding;                                  /* error of a sample by its rounding in print */
    const double *read[SPIKES_COMPONENTS];            /* [ncolumn][n] the samples */
    const double *repaired[SPIKES_COMPONENTS];        /* [ncolumn] x, by component */
    double x[SPIKES_COMPONENTS][SPIKES_MOST_SAMPLES]; /* [ncolumn][n] the samples, spikes repaired */
    double at[SPIKES_MOST_SAMPLES];                   /* [n] times, in steps since sample `first` */
    unsigned part[SPIKES_MOST_SAMPLES];               /* [n] number of long gaps and cuts before */
    bool even;                                        /* a single part, with steps of 1 between samples */
    uint32_t key[SPIKE_PATTERNS];                     /* [npattern] tells the places of patterns apart */
    struct spike_pattern pattern[SPIKE_PATTERNS];
    size_t npattern;
};

/* A residual, and its scale; in `off` what rounding explains is left out. */
struct spike_residual {
    double off, scale;
};

/* Sets up the window of a stretch of a series, which is judged. */
void spike_view_open(struct spike_view *view, const struct spikes_series *series,
                     const struct spikes_window *window, const struct spikes_stretch *stretch);

/* Are all neighbours of sample i in its part of the window? */
bool spike_fits(const struct spike_view *view, size_t i, const struct spike_places *places);

/* The residual of sample i. scale NaN: the window does not show it. */
struct spike_residual spike_find_residual(struct spike_view *view, size_t i,
                                          const struct spike_places *places);

/* The way from sample i, by component, to the curve through its neighbours in the repaired samples. */
void spike_find_way(const struct spike_view *view, size_t i, const struct spike_places *places,
                    double way[SPIKES_COMPONENTS]);

#endif
