/* The list of all filters, in the order in which help shows them. One line a filter. */
#include "filters/filter.h"

#define FILTERS                                                                                              \
    X(filter_damper)                                                                                         \
    X(filter_one_euro)                                                                                       \
    X(filter_critical)                                                                                       \
    X(filter_spring)                                                                                         \
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

double *filter_automatic(const struct filter *filter, const void *settings)
{
    for (size_t i = 0; i < filter->nparam; i++) {
        double *field = (double *)((char *)settings + filter->params[i].offset);
        if (filter->params[i].automatic && isinf(*field))
            return field;
    }
    return NULL;
}

struct shape filter_shape(const struct filter *filter, const void *settings)
{
    return filter->shape_of ? filter->shape_of(settings) : filter->shape;
}
