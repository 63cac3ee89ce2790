/* Which output of which channel goes where. See output_columns.h. */
#include "series/output_columns.h"

#include "base/array.h"
#include "base/text.h"

#include <stdlib.h>

/* Adds column a, named STEM SUFFIX LETTER. A column of the input that has this name already is an error. */
static bool add(struct output_columns *l, const struct columns *t, struct added a, const char *stem,
                const char *letter, struct error *e)
{
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

/* Which outputs are wanted. */
struct wanted {
    struct output *output; /* [n] */
    size_t n;
    long printed; /* their highest derivative that is printed */
};

/* Adds the printed outputs of channel i from the first on. Those of a rotation, where q is one, have three
 * columns, the out columns of its last three components. */
static bool add_outputs(struct output_columns *l, const struct columns *t, size_t i, const struct rotation *q,
                        const struct wanted *want, size_t first, struct error *e)
{
    static const char *const letters[] = { "_x", "_y", "_z" };
    const char *stem = q ? q->name : t->column[i].name;
    for (size_t k = first; k < want->n; k++)
        for (size_t axis = 0; axis < (q ? 3 : 1) && want->output[k].derivative <= want->printed; axis++) {
            struct added a = { .column = q ? q->column[q->ncolumn - 3 + axis] : i,
                               .stem = q ? q->stem : strlen(stem),
                               .derivative = want->output[k].derivative };
            a.out = t->column[a.column].value * want->n + k;
            memcpy(a.suffix, want->output[k].suffix, sizeof a.suffix);
            if (!add(l, t, a, stem, q ? letters[axis] : "", e))
                return false;
        }
    return true;
}

bool output_columns_make(struct output_columns *l, const struct columns *t, const struct rotations *q,
                         const struct filter *filter, const void *settings, struct derivatives derivatives,
                         const bool *left_out, struct error *e)
{
    size_t nout = filter_shape(filter, settings).nout;
    struct wanted want = { .printed = derivatives.printed };
    *l = (struct output_columns){ .time = COLUMN_NONE };
    if (!arrays_make(e, ARRAY(want.output, nout)))
        return false;
    for (size_t o = 0; o < nout; o++) {
        want.output[want.n] = filter_output(filter, settings, o);
        want.n += want.output[want.n].derivative <= derivatives.computed;
    }
    l->nout = t->nchannel * want.n;
    bool good = arrays_make(e, ARRAY(l->replace, t->ncolumn), ARRAY(l->added, l->nout));
    for (size_t i = 0; good && i < t->ncolumn; i++) {
        const struct column *c = &t->column[i];
        bool channel = c->role == ROLE_CHANNEL;
        const struct rotation *rotation = channel ? rotations_of(q, c->value) : NULL;
        bool replaced = channel && (rotation || !filter->keeps_cell);
        l->replace[i] = replaced ? c->value * want.n : COLUMN_NONE;
        if (channel && !(left_out && left_out[c->value]) && (!rotation || rotation->first == i))
            good = add_outputs(l, t, i, rotation, &want, replaced, e);
    }
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
