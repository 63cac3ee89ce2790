/* Which output of which channel goes where. See output_columns.h. */
#include "series/output_columns.h"

#include "base/array.h"
#include "base/text.h"

#include <stdlib.h>

struct output output_columns_output(const struct filter *filter, const void *settings, size_t o)
{
    static const struct output usual[] = { { "", 0 }, { "_vel", 1 }, { "_acc", 2 } };
    struct output output;
    if (!filter->output)
        return usual[o];
    memset(&output, 0, sizeof output);
    filter->output(settings, o, &output);
    return output;
}

/* Which outputs are wanted. */
struct wanted {
    struct output *output; /* [n] */
    size_t n;
    long printed; /* their highest derivative that is printed */
    bool keeps_cell;
    const bool *left_out;
};

/* Adds the column of wanted output k of channel c: STEM SUFFIX LETTER. A column of the input that has this
 * name already is an error. a: the rest of what is added. */
static bool add(struct output_columns *l, const struct columns *t, struct added a, const struct wanted *want,
                size_t c, size_t k, const char *stem, const char *letter, struct error *e)
{
    const struct output *output = &want->output[k];
    a.out = c * want->n + k;
    a.derivative = output->derivative;
    memcpy(a.suffix, output->suffix, sizeof a.suffix);
    a.name = text_format("%s%s%s", stem, a.suffix, letter);
    if (!a.name)
        return error_memory(e);
    l->added[l->nadded++] = a;
    for (size_t i = 0; i < t->ncolumn; i++)
        if (strcmp(t->column[i].name, a.name) == 0) {
            error_data(e, "a column named \"%s\" exists already", a.name);
            return error_hint(e, a.derivative
                                     ? "leave derivatives out with --derivatives 0, or rename that column"
                                     : "rename that column, or the filtered one");
        }
    return true;
}

static bool add_channel(struct output_columns *l, const struct columns *t, size_t i,
                        const struct wanted *want, struct error *e)
{
    const struct column *c = &t->column[i];
    bool left_out = want->left_out && want->left_out[c->value];
    for (size_t k = 0; k < (left_out ? 1 : want->n); k++)
        if (k == 0 && !want->keeps_cell)
            l->replace[i] = c->value * want->n;
        else if (!left_out && want->output[k].derivative <= want->printed &&
                 !add(l, t, (struct added){ .column = i, .stem = strlen(c->name) }, want, c->value, k,
                      c->name, "", e))
            return false;
    return true;
}

/* Angular velocity and acceleration have three columns, the out columns of the last three components. */
static bool add_rates(struct output_columns *l, const struct columns *t, const struct rotation *q,
                      const struct wanted *want, struct error *e)
{
    static const char *const letters[] = { "_x", "_y", "_z" };
    size_t first = q->ncolumn - 3;
    if (want->left_out && want->left_out[q->channel[0]])
        return true;
    for (size_t k = 1; k < want->n && want->output[k].derivative <= want->printed; k++)
        for (size_t i = 0; i < 3; i++)
            if (!add(l, t, (struct added){ .column = q->column[first + i], .stem = q->stem }, want,
                     q->channel[first + i], k, q->name, letters[i], e))
                return false;
    return true;
}

static bool add_all(struct output_columns *l, const struct columns *t, const struct rotations *q,
                    const struct wanted *want, struct error *e)
{
    for (size_t i = 0; i < t->ncolumn; i++) {
        const struct column *c = &t->column[i];
        const struct rotation *rotation = c->role == ROLE_CHANNEL ? rotations_of(q, c->value) : NULL;
        l->replace[i] = rotation ? c->value * want->n : COLUMN_NONE;
        if (rotation && rotation->first == i && !add_rates(l, t, rotation, want, e))
            return false;
        if (!rotation && c->role == ROLE_CHANNEL && !add_channel(l, t, i, want, e))
            return false;
    }
    return true;
}

bool output_columns_make(struct output_columns *l, const struct columns *t, const struct rotations *q,
                         const struct filter *filter, const void *settings, struct derivatives derivatives,
                         const bool *left_out, struct error *e)
{
    size_t nout = filter_shape(filter, settings).nout;
    struct wanted want = { .printed = derivatives.printed,
                           .keeps_cell = filter->keeps_cell,
                           .left_out = left_out };
    *l = (struct output_columns){ .time = COLUMN_NONE };
    if (!arrays_make(e, ARRAY(want.output, nout)))
        return false;
    for (size_t o = 0; o < nout; o++) {
        want.output[want.n] = output_columns_output(filter, settings, o);
        want.n += want.output[want.n].derivative <= derivatives.computed;
    }
    l->nout = t->nchannel * want.n;
    bool good = arrays_make(e, ARRAY(l->replace, t->ncolumn), ARRAY(l->added, l->nout)) &&
                add_all(l, t, q, &want, e);
    free(want.output);
    return good;
}

void output_columns_add_cells(struct output_columns *l, const struct columns *t)
{
    for (size_t i = 0; i < t->ncolumn; i++)
        if (t->column[i].role == ROLE_CHANNEL && l->replace[i] == COLUMN_NONE)
            l->replace[i] = l->nout++;
}

void output_columns_add_grid(struct output_columns *l, const struct columns *t)
{
    output_columns_add_cells(l, t);
    for (size_t i = 0; i < t->ncolumn; i++) {
        const struct column *c = &t->column[i];
        bool time = i == t->time ||
                    (i == 0 && t->rate > 0); /* a format that knows its rate makes times of it */
        if (c->role != ROLE_CHANNEL && (time || c->frame || c->role == ROLE_CUT)) {
            l->time = time ? l->nout : l->time;
            l->replace[i] = l->nout++;
            l->ngrid++;
        }
    }
}

void output_columns_free(struct output_columns *l)
{
    for (size_t i = 0; i < l->nadded; i++)
        free(l->added[i].name);
    free(l->replace);
    free(l->decimals);
    memset(l, 0, sizeof *l);
}
