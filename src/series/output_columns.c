/* The layout that connects a filter's outputs, a block's out columns and a writer's columns. A layout is made
 * once for each input, after the input's columns are known. Invariant: the computed outputs of a channel are
 * consecutive out columns, channel after channel. */
#include "series/series.h"

#include "base/array.h"
#include "base/name_table.h"
#include "base/text.h"
#include "springs/filter_words.h"

#include <stdlib.h>

/* The names of the added columns so far, and how they are counted. */
struct names {
    struct name_table table;
    size_t *last; /* [outputs of the filter] for channels without a name, whose added columns are called _vel,
                     _vel_2, _vel_3 and so on: the number that was used last */
};

/* Is this the name of a column of the input, or of an added column? */
static bool is_used(const struct names *names, const struct table *table, const char *name)
{
    return columns_lookup(table, name) != COLUMN_NONE ||
           name_table_find(&names->table, name_key(name, strlen(name))) != NAME_TABLE_NONE;
}

/* The first unused name among base, base_2, base_3 and so on; *last: the number that was used last for this
 * base, which is moved on. malloc'ed; NULL: out of memory. */
static char *first_unused(const struct names *names, const struct table *table, const char *base,
                          size_t *last)
{
    for (;;) {
        size_t number = ++*last;
        char *name = number < 2 ? text_format("%s", base) : text_format("%s_%zu", base, number);
        if (!name || !is_used(names, table, name))
            return name;
        free(name);
    }
}

/* The name of an added column of a component of a rotation. A predicted value is named after the component's
 * column, hip_w@0.1; a velocity after the rotation and an axis, hip_vel_x or hip_vel_x@0.1. malloc'ed; NULL:
 * out of memory. */
static char *name_of_component(const struct table *table, const struct added *added,
                               const struct unit *rotation, const char *axis)
{
    size_t kind = strcspn(added->suffix, "@");
    if (added->derivative == 0)
        return text_format("%s%s", table_column(table, added->column)->name, added->suffix);
    return text_format("%s%.*s_%c%s", rotation->name, (int)kind, added->suffix, *axis, added->suffix + kind);
}

/* Adds columns for an output of the channel in column added.column, or replaces the columns that an earlier
 * run added for the output. added.out: number of the output among the computed outputs of a channel.
 * rotation: the rotation that begins with the channel; the output gets a column for each component; a
 * velocity gets three columns, which are the out columns of the last three components. NULL: the channel is a
 * number. */
static bool add_output(struct output_columns *layout, const struct table *table, struct added added,
                       const struct unit *rotation, struct names *names, struct error *e)
{
    const char *stem = table_column(table, added.column)->name;
    size_t nwant = layout->nout / table->nchannel, k = added.out;
    size_t ncolumn = rotation ? rotation->n : 1;
    size_t first = rotation && added.derivative > 0 ? ncolumn - 3 : 0;
    for (size_t i = first; i < ncolumn; i++) {
        added.column = rotation ? table->channel[rotation->channel[i]] : added.column;
        added.stem = rotation && added.derivative > 0 ? rotation->nstem
                                                      : strlen(table_column(table, added.column)->name);
        added.out = table_column(table, added.column)->value * nwant + k;
        if (rotation)
            added.name = name_of_component(table, &added, rotation, &"wxyz"[4 - ncolumn + i]);
        else if (stem[0])
            added.name = text_format("%s%s", stem, added.suffix);
        else
            added.name = first_unused(names, table, added.suffix, &names->last[k]);
        if (!added.name)
            return error_memory(e);
        /* A measured x_vel stays; x@1_vel of a channel x@1 may also be the prediction of a channel x. */
        if (is_used(names, table, added.name)) {
            char *base = added.name;
            size_t again = 1;
            added.name = first_unused(names, table, base, &again);
            free(base);
        }
        if (!added.name ||
            !name_table_put(&names->table, name_key(added.name, strlen(added.name)), layout->nadded, NULL)) {
            free(added.name);
            return error_memory(e);
        }
        layout->added[layout->nadded++] = added;
    }
    return true;
}

/* The first of a rotation's columns in the order of the table. */
static size_t first_column(const struct table *table, const struct unit *rotation)
{
    size_t first = rotation->channel[0];
    for (size_t k = 1; k < rotation->n; k++)
        first = rotation->channel[k] < first ? rotation->channel[k] : first;
    return table->channel[first];
}

bool output_columns_make(struct output_columns *layout, const struct output_columns_config *config,
                         struct error *e)
{
    const struct table *table = config->table;
    const struct filter *filter = config->filter;
    const void *settings = config->settings;
    const struct derivatives derivatives = config->derivatives;
    size_t nout = filter_shape(filter, settings).nout, nwant = 0;
    for (size_t o = 0; o < nout; o++)
        nwant += filter_output(filter, settings, o).derivative <= derivatives.computed;
    *layout = (struct output_columns){ .time = COLUMN_NONE, .nout = table->nchannel * nwant };
    layout->replace = malloc((table->ncolumn + 1) * sizeof *layout->replace);
    bool good = layout->replace ? arrays_make(e, ARRAY(layout->added, layout->nout)) : error_memory(e);
    if (good)
        memset(layout->replace, 0xFF, table->ncolumn * sizeof *layout->replace); /* COLUMN_NONE */
    struct names names = { .last = good ? calloc(nout, sizeof *names.last) : NULL };
    good = good && (names.last || error_memory(e));
    for (size_t i = 0; good && i < table->ncolumn; i++) {
        const struct column *use = table_column(table, i);
        bool channel = use->role == ROLE_CHANNEL;
        const struct unit *rotation = channel ? units_rotation(config->units, use->value) : NULL;
        bool replaced = channel && (rotation || !filter->keeps_cell);
        bool adds = channel && (!rotation || first_column(table, rotation) == i);
        if (replaced)
            layout->replace[i] = use->value * nwant;
        for (size_t o = 0, k = 0; good && adds && o < nout; o++) {
            struct output output = filter_output(filter, settings, o);
            struct added added = { .column = i, .out = k, .derivative = output.derivative };
            memcpy(added.suffix, output.suffix, sizeof added.suffix);
            k += output.derivative <= derivatives.computed;
            if (output.derivative <= derivatives.printed && (o > 0 || !replaced))
                good = add_output(layout, table, added, rotation, &names, e);
        }
    }
    name_table_free(&names.table);
    free(names.last);
    return good;
}

void output_columns_add_grid(struct output_columns *layout, const struct table *table)
{
    for (size_t i = 0; i < table->ncolumn; i++) {
        const struct column *column = &table->column[i];
        const struct column *use = table_column(table, i);
        bool time = i == table->time || (i == 0 && table->owns_time &&
                                         table->rate > 0); /* the format computes times from its rate */
        if (use->role != ROLE_CHANNEL && (time || column->frame || use->role == ROLE_CUT)) {
            layout->time = time ? layout->nout : layout->time;
            layout->replace[i] = layout->nout++;
            layout->ngrid++;
        }
    }
}

void output_columns_free(struct output_columns *layout)
{
    for (size_t i = 0; i < layout->nadded; i++)
        free(layout->added[i].name);
    free(layout->replace);
    free(layout->added);
    memset(layout, 0, sizeof *layout);
}
