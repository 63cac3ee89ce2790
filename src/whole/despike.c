/* Samples that lie off the curve through their neighbours. See despike.h.
 *
 * The residual of a sample is its distance from the cubic through four neighbours, two on each side. Three
 * questions find the verdict, and each costs more than the question before:
 * - Do the residuals alone tell that nothing stands out here (despike_plain.c)?
 * - Does the sample lie near the cubic, whichever samples around are left out as spikes (despike_near_cubic)?
 * - Is the sample in a set of samples that stand out together (despike_sets.c)? */
#include "whole/despike.h"

#include "whole/despike_curve.h"
#include "whole/despike_plain.h"
#include "whole/despike_sets.h"
#include "whole/noise.h"
#include "whole/rounding.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum {
    LEAST = 2,  /* fewest residuals of a median */
    FEWEST = 9, /* fewest samples of a window that can show a spike */
    SPAN = DESPIKE_SPAN
};

#define LONG 4.5 /* steps above this many median steps are long gaps */

size_t despike_rows(const struct despike_settings *settings)
{
    if (isnan(settings->factor))
        return 0;
    return settings->window < 0 ? DESPIKE_USUAL_ROWS : (size_t)settings->window;
}

/* --- facts about a window --- */

static bool is_even(const struct despike_window *window)
{
    double step = (window->t[window->n - 1] - window->t[0]) / (double)(window->n - 1);
    bool even = step > 0;
    for (size_t i = 1; i < window->n && even; i++)
        even = fabs(window->t[i] - window->t[i - 1] - step) < DESPIKE_EVEN * step;
    return even;
}

/* Sets part[n] to the number of long gaps before each sample: of steps longer than LONG times the median. */
static void find_parts(const struct despike_window *window, bool even, unsigned *part)
{
    double step[DESPIKE_MOST_SAMPLES];
    if (even) {
        memset(part, 0, window->n * sizeof *part);
        return;
    }
    for (size_t i = 1; i < window->n; i++)
        step[i - 1] = window->t[i] - window->t[i - 1];
    double limit = LONG * noise_median(step, window->n - 1);
    part[0] = 0;
    for (size_t i = 1; i < window->n; i++)
        part[i] = part[i - 1] + (window->t[i] - window->t[i - 1] > limit);
}

/* The scale of the plain residuals; 0: the window has fewer than DESPIKE_MANY samples. */
static double find_plain_scale(const struct despike_view *view)
{
    const struct despike_window *window = view->window;
    double square[DESPIKE_MOST_SAMPLES];
    size_t n = 0;
    for (size_t i = DESPIKE_AROUND; i + DESPIKE_AROUND < window->n; i++)
        if (!isnan(window->plain[i]) && view->part[i - DESPIKE_AROUND] == view->part[i + DESPIKE_AROUND])
            square[n++] = window->plain[i];
    if (window->n < DESPIKE_MANY || n < LEAST)
        return 0;
    return despike_median_to_scale(window->ncolumn) * sqrt(noise_median(square, n));
}

static double find_largest(const struct despike_window *window)
{
    double most = 0;
    for (size_t c = 0; c < window->ncolumn; c++)
        for (size_t i = 0; i < window->n; i++)
            most = fabs(window->column[c][i]) > most ? fabs(window->column[c][i]) : most;
    return most;
}

bool despike_look(struct despike_view *view, double factor, const struct despike_window *window)
{
    if (window->n < FEWEST)
        return false;
    view->window = window;
    view->factor = factor;
    view->even = is_even(window);
    find_parts(window, view->even, view->part);
    view->scale = find_plain_scale(view);
    view->rounding = 0;
    view->last_bit = ROUNDING_DOUBLES * DBL_EPSILON * find_largest(window);
    return true;
}

/* --- samples near the cubic --- */

/* Weight of the neighbour at a steps in the value at 0 of the cubic through neighbours at a, b, c and d steps
 * (Lagrange), and the cubic with all its weights. */
#define WEIGHT(a, b, c, d) ((double)((b) * (c) * (d)) / (((b) - (a)) * ((c) - (a)) * ((d) - (a))))
#define CUBIC(a, b, c, d)                                                                                    \
    {                                                                                                        \
        { a, b, c, d },                                                                                      \
        {                                                                                                    \
            WEIGHT(a, b, c, d), WEIGHT(b, a, c, d), WEIGHT(c, a, b, d), WEIGHT(d, a, b, c)                   \
        }                                                                                                    \
    }

bool despike_near_cubic(const struct despike_view *view)
{
    /* The cubics through the nearest two samples on each side that are outside a set, for every set of three
     * samples among SPAN that holds the judged sample: on the two sides together, two are left out. */
    static const struct {
        ptrdiff_t place[DESPIKE_CUBIC];
        double weight[DESPIKE_CUBIC];
    } cubics[] = {
        CUBIC(-2, -1, 1, 2), CUBIC(-2, -1, 1, 3), CUBIC(-2, -1, 2, 3), CUBIC(-2, -1, 1, 4),
        CUBIC(-2, -1, 2, 4), CUBIC(-2, -1, 3, 4), CUBIC(-3, -1, 1, 2), CUBIC(-3, -2, 1, 2),
        CUBIC(-4, -1, 1, 2), CUBIC(-4, -2, 1, 2), CUBIC(-4, -3, 1, 2), CUBIC(-3, -1, 1, 3),
        CUBIC(-3, -1, 2, 3), CUBIC(-3, -2, 1, 3), CUBIC(-3, -2, 2, 3),
    };
    const struct despike_window *window = view->window;
    if (window->n < DESPIKE_MANY || window->own < SPAN - 1 || window->own + SPAN > window->n)
        return false;
    double limit = view->factor * view->scale + view->last_bit;
    bool near = view->even;
    for (size_t i = 0; i < sizeof cubics / sizeof *cubics && near; i++) {
        double square = 0;
        for (size_t c = 0; c < window->ncolumn; c++) {
            const double *x = window->column[c] + window->own;
            double off = 0;
            for (size_t k = 0; k < DESPIKE_CUBIC; k++)
                off += cubics[i].weight[k] * (x[cubics[i].place[k]] - *x);
            square += off * off;
        }
        near = square <= limit * limit;
    }
    return near;
}

/* --- verdicts --- */

/* Is an end of the window or a long gap so near that a sample beside a set may have neighbours on one side
 * only? */
static bool is_near_end(const struct despike_view *view)
{
    size_t own = view->window->own, reach = 2 * SPAN;
    return own < reach || own + reach >= view->window->n ||
           view->part[own - reach] != view->part[own + reach];
}

bool despike_judge(struct despike_view *view, double rounding)
{
    view->rounding = rounding;
    view->end_factor = view->factor / 2;
    if (despike_sets_find(view))
        return true;
    view->end_factor = view->factor;
    return is_near_end(view) && despike_sets_find(view);
}

bool despike_is_spike(double factor, const struct despike_window *window, double rounding)
{
    double plain[DESPIKE_MOST_SAMPLES];
    struct despike_window measured = *window;
    struct despike_view view;
    for (size_t i = 0; i < window->n; i++)
        plain[i] = (double)NAN;
    despike_plain_measure(window, plain);
    measured.plain = plain;
    const struct despike_stretch stretch = { .n = window->n,
                                             .own = window->own,
                                             .nown = 1,
                                             .least = window->n,
                                             .ncolumn = window->ncolumn,
                                             .plain = plain };
    return !despike_plain_calm(factor, &stretch) && despike_look(&view, factor, &measured) &&
           !despike_near_cubic(&view) && despike_judge(&view, rounding);
}
