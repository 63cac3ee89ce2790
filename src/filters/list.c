/* The list of all filters, in the order in which help shows them. One line a filter. */
#include "filters/filter.h"

#include "base/text.h"

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
    const struct numbers *values = (const void *)((const char *)settings + filter->values);
    size_t n = filter->each.nout ? values->nvalue : 0;
    return (struct shape){ filter->shape.nstate + n * filter->each.nstate,
                           filter->shape.nstep + n * filter->each.nstep,
                           filter->shape.nout + n * filter->each.nout };
}

struct output filter_output(const struct filter *filter, const void *settings, size_t o)
{
    static const struct output outputs[] = { { "", 0 }, { "_vel", 1 }, { "_acc", 2 } };
    const struct numbers *values = (const void *)((const char *)settings + filter->values);
    if (o < filter->shape.nout)
        return outputs[o];
    size_t more = o - filter->shape.nout, each = filter->each.nout;
    char text[NUMBER_MAX];
    size_t length = number_print(text, values->value[more / each], &number_shortest);
    struct output output = outputs[more % each];
    text_append(output.suffix, sizeof output.suffix, "@%.*s", (int)length, text);
    return output;
}
