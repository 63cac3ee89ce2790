/* Which output of which channel goes where. See layout.h. */
#include "layout.h"

#include <stdlib.h>

struct output layout_output(const struct filter *filter, const void *settings, size_t o)
{
    static const struct output usual[] = { { "", 0 }, { "_vel", 1 }, { "_acc", 2 } };
    struct output output;
    if (!filter->output)
        return usual[o];
    memset(&output, 0, sizeof output);
    filter->output(settings, o, &output);
    return output;
}

/* A column of the input that has this name already is an error. */
static bool unique(const struct table *t, const char *name, struct error *e)
{
    for (size_t i = 0; i < t->ncolumn; i++)
        if (strcmp(t->column[i].name, name) == 0) {
            error_data(e, "a column named \"%s\" exists already", name);
            return error_hint(e, "leave derivatives out with --derivatives 0, or rename that column");
        }
    return true;
}

static bool add(struct layout *l, const struct table *t, size_t column, const char *suffix, size_t out, struct error *e)
{
    const char *name = t->column[column].name;
    struct added *a = &l->added[l->nadded];
    size_t max = strlen(name) + strlen(suffix) + 1;
    *a = (struct added){ .column = column, .out = out, .name = malloc(max) };
    if (!a->name)
        return error_memory(e);
    memcpy(a->name, name, strlen(name));
    memcpy(a->name + strlen(name), suffix, strlen(suffix) + 1);
    l->nadded++;
    return unique(t, a->name, e);
}

bool layout_make(struct layout *l, const struct table *t, const struct filter *filter, const void *settings,
                 struct derivatives derivatives, struct error *e)
{
    size_t nout = filter->shape(settings).nout;
    memset(l, 0, sizeof *l);
    l->replace = malloc((t->ncolumn + 1) * sizeof *l->replace);
    l->added = calloc(t->nchannel * nout + 1, sizeof *l->added);
    if (!l->replace || !l->added)
        return error_memory(e);
    for (size_t i = 0; i < t->ncolumn; i++) {
        l->replace[i] = TABLE_NONE;
        if (t->column[i].role != ROLE_CHANNEL)
            continue;
        for (size_t o = 0; o < nout; o++) {
            struct output output = layout_output(filter, settings, o);
            if (output.derivative > derivatives.computed)
                continue;
            if (o == 0 && !filter->keeps_cell)
                l->replace[i] = l->nout;
            else if (output.derivative <= derivatives.printed && !add(l, t, i, output.suffix, l->nout, e))
                return false;
            l->nout++;
        }
    }
    return true;
}

void layout_free(struct layout *l)
{
    for (size_t i = 0; i < l->nadded; i++)
        free(l->added[i].name);
    free(l->added);
    free(l->replace);
    memset(l, 0, sizeof *l);
}
