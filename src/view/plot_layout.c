/* What pictures in files and in the terminal share: ranges, tics and names. See plot.h. */
#include "view/plot.h"

#include <math.h>
#include <stdio.h>

size_t plot_legend(const struct plot *plot, const struct plot_line *legend[PLOT_COLORS])
{
    size_t n = 0;
    for (struct plot_line **l = plot->line; l < plot->line + plot->nline && plot->nline > plot->npanel; l++) {
        size_t entry = 0;
        while (entry < n && legend[entry]->color % PLOT_COLORS != (*l)->color % PLOT_COLORS)
            entry++;
        if (entry == n)
            legend[n++] = *l;
    }
    return n;
}

/* Sets range to the least and the greatest number in a panel, or with panel = PLOT_PANELS to the least and
 * the greatest time in the picture; to 0 and 1 if there are no points. */
static void find_range(double range[2], const struct plot *plot, size_t panel)
{
    bool times = panel == PLOT_PANELS;
    range[0] = INFINITY;
    range[1] = -INFINITY;
    for (struct plot_line **l = plot->line; l < plot->line + plot->nline; l++) {
        const struct envelope *envelope = &(*l)->envelope;
        for (const struct envelope_part *part = envelope->part; part < envelope->part + envelope->npart;
             part++)
            if (times || (*l)->panel == panel) {
                range[0] = fmin(range[0], times ? fmin(part->low_t, part->high_t) : part->low);
                range[1] = fmax(range[1], times ? fmax(part->low_t, part->high_t) : part->high);
            }
    }
    if (range[0] > range[1]) {
        range[0] = 0;
        range[1] = 1;
    }
}

double plot_times(const struct plot *plot, double x[2])
{
    find_range(x, plot, PLOT_PANELS);
    /* Times far from 0 compared with the duration, such as seconds since 1970, count from the first time. */
    double first = x[0];
    bool far = x[1] > x[0] && fmax(fabs(x[0]), fabs(x[1])) > 2000 * (x[1] - x[0]);
    if (!(x[1] > x[0])) {
        x[0] -= 0.5;
        x[1] += 0.5;
    }
    return far ? first : 0;
}

void plot_panel_range(const struct plot *plot, size_t panel, double range[2])
{
    find_range(range, plot, panel);
    double margin = (range[1] - range[0]) / 20, largest = fmax(fabs(range[0]), fabs(range[1]));
    if (!(margin > largest * 1e-9))
        margin = largest == 0 ? 1 : largest / 20;
    range[0] -= margin;
    range[1] += margin;
}

void plot_axis_name(double origin, char name[PLOT_NAME])
{
    snprintf(name, PLOT_NAME, "time (s)");
    if (origin != 0)
        text_append(name, PLOT_NAME, ", from %.12g on", origin);
}

double plot_tic_distance(double low, double high, double most)
{
    double least = (high - low) / most, power = pow(10, floor(log10(least))), share = least / power;
    if (share <= 1)
        return power * 1;
    if (share <= 2)
        return power * 2;
    return power * (share <= 5 ? 5 : 10);
}
