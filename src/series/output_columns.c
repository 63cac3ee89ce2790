/* The layout that connects a filter's outputs, a block's out columns and a writer's columns. Made once for
 * each input, after its columns are known. Invariant: the computed outputs of a channel are consecutive out
 * columns, channel after channel. */
#include "series/series.h"

#include "base/array.h"
#include "base/text.h"

#include <stdlib.h>

/* The name of an added column of a channel without a name: the suffix alone, and from the second nameless
 * channel on the suffix with a number, as in repeated names. count: number of nameless channels up to this
 * channel. */
static char *name_of_nameless(const struct columns *t, const char *suffix, size_t count)
{
    char *name = NULL;
    for (size_t number = count;; number++) {
        name = number < 2 ? text_format("%s", suffix) : text_format("%s_%zu", suffix, number);
        if (!name || columns_lookup(t, name) == COLUMN_NONE)
            return name;
        free(name);
    }
}

/* If the input has a column named a->name that an earlier run added as this derivative, out column a->out
 * replaces the column, and *taken is true. Any other column with the name is an error. */
static bool take_existing(struct output_columns *l, const struct columns *t, const struct added *a,
                          bool *taken, struct error *e)
{
    size_t existing = columns_lookup(t, a->name);
    const char *stem = t->column[a->column].name, *dot = strrchr(stem, '.');
    if (existing == COLUMN_NONE && dot) { /* p.0 of an array in JSON: p_vel.0 */
        char *name = text_format("%.*s%s%s", (int)(dot - stem), stem, a->suffix, dot);
        if (!name)
            return error_memory(e);
        existing = columns_lookup(t, name);
        free(name);
    }
    *taken = existing != COLUMN_NONE && t->column[existing].role == ROLE_PASS &&
             t->column[existing].reason == REASON_DERIVATIVE;
    if (*taken)
        l->replace[existing] = a->out;
    if (existing == COLUMN_NONE || *taken)
        return true;
    error_data(e, "a column named \"%s\" exists already", a->name);
    return error_hint(e, a->derivative ? "leave derivatives out with --derivatives 0, or rename that column"
                                       : "rename that column, or the filtered one");
}

/* The name of an added column of a component of a rotation. Predictions are named after their column,
 * hip_w@0.1; velocities after the rotation and an axis: hip_vel_x, hip_vel_x@0.1. */
static char *name_of_component(const struct columns *t, const struct added *a, const struct rotation *q,
                               const char *axis)
{
    size_t kind = strcspn(a->suffix, "@");
    if (a->derivative == 0)
        return text_format("%s%s", t->column[a->column].name, a->suffix);
    return text_format("%s%.*s_%c%s", q->name, (int)kind, a->suffix, *axis, a->suffix + kind);
}

/* Adds the wanted output a.out of the channel in column a.column, or replaces the column that an earlier run
 * added for the output. q: the rotation that the channel begins, whose velocities have three columns, which
 * are the out columns of the last three components; NULL: a number. nameless: number of channels without a
 * name up to this channel. */
static bool add_output(struct output_columns *l, const struct columns *t, struct added a,
                       const struct rotation *q, size_t nameless, struct error *e)
{
    const char *stem = t->column[a.column].name;
    size_t nwant = l->nout / t->nchannel, k = a.out, ncolumn = q ? q->ncolumn : 1;
    size_t first = q && a.derivative > 0 ? ncolumn - 3 : 0;
    for (size_t i = first; i < ncolumn; i++) {
        bool taken;
        a.column = q ? q->column[i] : a.column;
        a.stem = q && a.derivative > 0 ? q->stem : strlen(t->column[a.column].name);
        a.out = t->column[a.column].value * nwant + k;
        if (q)
            a.name = name_of_component(t, &a, q, &"wxyz"[4 - ncolumn + i]);
        else if (stem[0])
            a.name = text_format("%s%s", stem, a.suffix);
        else
            a.name = name_of_nameless(t, a.suffix, nameless);
        if (!a.name)
            return error_memory(e);
        bool good = take_existing(l, t, &a, &taken, e);
        if (!good || taken) {
            free(a.name);
            if (!good)
                return false;
            l->ntaken++;
        } else {
            l->added[l->nadded++] = a;
        }
    }
    return true;
}

bool output_columns_make(struct output_columns *l, const struct output_columns_config *config,
                         struct error *e)
{
    const struct columns *t = config->columns;
    const struct filter *filter = config->filter;
    const void *settings = config->settings;
    const struct derivatives derivatives = config->derivatives;
    const bool *left_out = config->left_out;
    size_t nout = filter_shape(filter, settings).nout, nwant = 0;
    for (size_t o = 0; o < nout; o++)
        nwant += filter_output(filter, settings, o).derivative <= derivatives.computed;
    *l = (struct output_columns){ .time = COLUMN_NONE, .nout = t->nchannel * nwant };
    /* Written once: of 10,000 tables each has room for the columns of all. */
    l->replace = malloc((t->ncolumn + 1) * sizeof *l->replace);
    bool good = l->replace ? arrays_make(e, ARRAY(l->added, l->nout)) : error_memory(e);
    if (good)
        memset(l->replace, 0xFF, t->ncolumn * sizeof *l->replace); /* COLUMN_NONE */
    size_t nameless = 0;
    for (size_t i = 0; good && i < t->ncolumn; i = columns_after(t, i)) {
        const struct column *c = &t->column[i];
        bool channel = c->role == ROLE_CHANNEL;
        const struct rotation *rotation = channel ? rotations_of(config->rotations, c->value) : NULL;
        bool replaced = channel && (rotation || !filter->keeps_cell);
        bool adds = channel && !(left_out && left_out[c->value]) && (!rotation || rotation->first == i);
        nameless += channel && !c->name[0];
        if (replaced)
            l->replace[i] = c->value * nwant;
        for (size_t o = 0, k = 0; good && adds && o < nout; o++) {
            struct output output = filter_output(filter, settings, o);
            struct added a = { .column = i, .out = k, .derivative = output.derivative };
            memcpy(a.suffix, output.suffix, sizeof a.suffix);
            k += output.derivative <= derivatives.computed;
            if (output.derivative <= derivatives.printed && (o > 0 || !replaced))
                good = add_output(l, t, a, rotation, nameless, e);
        }
    }
    return good;
}

void output_columns_add(struct output_columns *l, const struct columns *t, bool grid)
{
    for (size_t i = 0; i < t->ncolumn; i++)
        if (t->column[i].role == ROLE_CHANNEL && l->replace[i] == COLUMN_NONE)
            l->replace[i] = l->nout++;
    for (size_t i = 0; grid && i < t->ncolumn; i++) {
        const struct column *c = &t->column[i];
        bool time = i == t->time ||
                    (i == 0 && t->owns_time && t->rate > 0); /* the format computes times from its rate */
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
    free(l->added);
    free(l->digits);
    memset(l, 0, sizeof *l);
}
