/* The layout that connects a filter's outputs, a block's out columns and a writer's columns. A layout is made
 * once for each input, after the input's columns are known. Invariant: the computed outputs of a channel are
 * consecutive out columns, channel after channel. */
#include "series/series.h"

#include "base/array.h"
#include "base/name_table.h"
#include "base/text.h"
#include "springs/filter_words.h"

#include <stdlib.h>

/* A layout that is made, and the names of its added columns so far. */
struct making {
    struct output_columns *layout;
    const struct table *table;
    struct name_table names;
};

/* The name of an added column: x_vel, or 3_vel of a channel without a name. Of a component of a rotation,
 * hip_w@0.1; its velocity has the name of the rotation and an axis, hip_vel_x or hip_vel_x@0.1. malloc'ed;
 * NULL: out of memory. */
static char *name_of(const struct column *column, const struct added *added, const struct unit *rotation,
                     char axis)
{
    const size_t kind = strcspn(added->suffix, "@");
    if (rotation && added->derivative > 0)
        return text_format("%s%.*s_%c%s", rotation->name, (int)kind, added->suffix, axis,
                           added->suffix + kind);
    if (!column->name[0])
        return text_format("%zu%s", column->position, added->suffix);
    return text_format("%s%s", column->name, added->suffix);
}

/* Appends an added column. Where its name is that of a column of the input, or of an added one, it gets _2,
 * _3 and so on: a measured x_vel stays, and x@1_vel of a channel x@1 may also be the prediction of x. */
static bool append(struct making *making, struct added added, const char *base, struct error *e)
{
    added.name = text_copy(base, strlen(base));
    for (size_t again = 2; added.name; again++) {
        const struct name_key key = name_key(added.name, strlen(added.name));
        if (columns_lookup(making->table, added.name) == COLUMN_NONE &&
            name_table_find(&making->names, key) == NAME_TABLE_NONE)
            break;
        free(added.name);
        added.name = text_format("%s_%zu", base, again);
    }
    if (!added.name)
        return error_memory(e);
    making->layout->added[making->layout->nadded++] = added;
    return name_table_put(&making->names, name_key(added.name, strlen(added.name)), 0, e);
}

/* Adds the columns of an output of the channel in column added.column. added.out: number of the output among
 * the nwant computed outputs of a channel. rotation: the rotation whose first component the channel is; the
 * output gets a column for each component, a velocity for each of the last three. NULL: the channel is a
 * number. */
static bool add_output(struct making *making, struct added added, const struct unit *rotation, size_t nwant,
                       struct error *e)
{
    const struct table *table = making->table;
    const size_t n = rotation ? rotation->n : 1, k = added.out;
    for (size_t i = rotation && added.derivative > 0 ? n - 3 : 0; i < n; i++) {
        added.column = rotation ? table->channel[rotation->channel[i]] : added.column;
        const struct column *column = table_column(table, added.column);
        char *base = name_of(column, &added, rotation, "wxyz"[4 - n + i]);
        added.out = column->value * nwant + k;
        const bool good = base ? append(making, added, base, e) : error_memory(e);
        free(base);
        if (!good)
            return false;
    }
    return true;
}

/* Lays out more out columns for time and frame numbers, which are new in each row of --resample and printed
 * in full. */
static void add_grid(struct output_columns *layout, const struct table *table)
{
    for (size_t i = 0; i < table->ncolumn; i++) {
        const struct column *column = table_column(table, i);
        const bool computed = i == 0 && table->owns_time &&
                              table->rate > 0; /* by the format, from its rate */
        const bool time = i == table->time || computed;
        if (column->role != ROLE_CHANNEL && (time || column->frame)) {
            layout->time = time ? layout->nout : layout->time;
            layout->replace[i] = layout->nout++;
            layout->ngrid++;
        }
    }
}

bool output_columns_make(struct output_columns *layout, const struct output_columns_config *config,
                         struct error *e)
{
    const struct table *table = config->table;
    const struct filter *filter = config->filter;
    const size_t nout = filter_shape(filter, config->settings).nout;
    struct making making = { .layout = layout, .table = table };
    size_t nwant = 0;
    for (size_t o = 0; o < nout; o++)
        nwant += filter_output(filter, config->settings, o).derivative <= config->derivatives.computed;
    *layout = (struct output_columns){ .time = COLUMN_NONE, .nout = table->nchannel * nwant };
    bool good = arrays_make(e, ARRAY(layout->replace, table->ncolumn), ARRAY(layout->added, layout->nout));
    for (size_t i = 0; good && i < table->ncolumn; i++) {
        const struct column *use = table_column(table, i);
        const bool channel = use->role == ROLE_CHANNEL;
        const struct unit *unit = channel ? units_of(config->units, use->value) : NULL;
        const struct unit *rotation = unit && unit_is_rotation(unit) ? unit : NULL;
        const bool replaced = channel && (rotation || !filter->keeps_cell);
        const bool adds = channel && (!rotation || rotation->channel[0] == use->value);
        layout->replace[i] = replaced ? use->value * nwant : COLUMN_NONE;
        for (size_t o = 0, k = 0; good && adds && o < nout; o++) {
            const struct output output = filter_output(filter, config->settings, o);
            struct added added = { .column = i, .out = k, .derivative = output.derivative };
            memcpy(added.suffix, output.suffix, sizeof added.suffix);
            k += output.derivative <= config->derivatives.computed;
            if (output.derivative <= config->derivatives.printed && (o > 0 || !replaced))
                good = add_output(&making, added, rotation, nwant, e);
        }
    }
    if (good && config->grid)
        add_grid(layout, table);
    name_table_free(&making.names);
    return good;
}

void output_columns_free(struct output_columns *layout)
{
    for (size_t i = 0; i < layout->nadded; i++)
        free(layout->added[i].name);
    free(layout->replace);
    *layout = (struct output_columns){ 0 };
}
