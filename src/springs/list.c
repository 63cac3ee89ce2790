/* The list of all filters, in the order of help, one line a filter. And facts that follow from a descriptor
 * and settings: outputs and time scale. */
#include "base/text.h"
#include "springs/filter_words.h"
#include "springs/option_groups.h"
#include "springs/spring_step.h"

#include <math.h>

#define FILTERS                                                                                              \
    X(filter_damper)                                                                                         \
    X(filter_one_euro)                                                                                       \
    X(filter_critical)                                                                                       \
    X(filter_spring)                                                                                         \
    X(filter_butterworth)                                                                                    \
    X(filter_second_order)                                                                                   \
    X(filter_tracking)                                                                                       \
    X(filter_inertialize)                                                                                    \
    X(filter_double)                                                                                         \
    X(filter_timed)                                                                                          \
    X(filter_velocity)                                                                                       \
    X(filter_character)                                                                                      \
    X(filter_resonance)

#define X(name) extern const struct filter name;
FILTERS
#undef X

#define X(name) &name,
const struct filter *const filter_list[] = { FILTERS NULL };
#undef X

const struct filter *filter_find(const char *name)
{
    for (const struct filter *const *f = filter_list; *f; f++)
        if (strcmp((*f)->name, name) == 0)
            return *f;
    return NULL;
}

const struct param *filter_option(const struct filter *filter, const char *name)
{
    for (size_t i = 0; i < filter->nparam; i++)
        if (strcmp(filter->params[i].name, name) == 0)
            return &filter->params[i];
    return NULL;
}

bool filter_check(const struct filter *filter, void *settings, bool zero_phase, struct error *e)
{
    struct filter_common *common = settings;
    common->filter = filter;
    common->zero_phase = zero_phase;
    if (!option_check(settings, e) || !filter->check(settings, e))
        return false;
    common->moves |= common->hold == HOLD_LINEAR || common->equation.feed != 0;
    return true;
}

struct shape filter_shape(const struct filter *filter, const void *settings)
{
    size_t n = filter_values(settings)->nvalue;
    return (struct shape){ filter->shape.nstate + n * filter->each.nstate,
                           filter->shape.nstep + n * filter->each.nstep,
                           filter->shape.nout + n * filter->each.nout };
}

bool filter_is_linear(const void *settings)
{
    return ((const struct filter_common *)settings)->linear;
}

double filter_time_scale(const void *settings)
{
    const struct filter_common *common = settings;
    struct continuous q = common->equation;
    if (q.count == 0)
        return common->time_scale;
    /* Where d^2 = 4 s one quotient suffices: the result is 1 / rate of the damper, 4 / y of the double
     * spring. */
    return q.count == 1 ? fmax(q.d / q.s, 1 / sqrt(q.s)) : 4 * q.count / q.d;
}

/* With W = (w^2)/s and q = 2^(1/p) for p springs, |G|^2 = (1 + 4 z^2 feed^2 W) / ((1 - W)^2 + 4 z^2 W) = 1/q
 * is W^2 - 2 b W = q - 1. The positive solution is computed without a difference of nearly equal numbers. */
double filter_cutoff(double z, double feed, double count, bool zero_phase)
{
    double more = expm1(M_LN2 / (zero_phase ? 2 * count : count));
    double b = 1 - 2 * z * z * (1 - (1 + more) * feed * feed), root = hypot(b, sqrt(more));
    return sqrt(b > 0 ? b + root : more / (root - b));
}
