/* Derivatives, measured or of an earlier run: columns named after a channel. They are left alone. */
#include "rows/table.h"

#include "base/text.h"

#include <stdlib.h>
#include <string.h>

/* Is a channel named as `name` is without the suffix at name + at, with `joint` in its place? */
static bool names_channel(const struct table *table, const char *name, size_t at, size_t nsuffix,
                          const char *joint)
{
    char *source = text_format("%.*s%s%s", (int)at, name, joint, name + at + nsuffix);
    const size_t column = source ? columns_lookup(table, source) : COLUMN_NONE;
    free(source);
    return column != COLUMN_NONE && table_filters(table, column);
}

/* Is this the name of a derivative of a channel: x_vel of x; q_vel_x, of a rotation, of q_x, q.x or qx;
 * p_vel.0, of an array in JSON, of p.0? */
static bool is_derivative(const struct table *table, const char *name)
{
    static const char *const suffixes[] = { "_vel", "_acc" };
    for (size_t i = 0; i < 2; i++) {
        const char *found = strstr(name, suffixes[i]);
        if (!found || found == name)
            continue;
        const size_t at = (size_t)(found - name), n = strlen(suffixes[i]);
        if (strchr("_.", found[n]) && names_channel(table, name, at, n, ""))
            return true;
        if (found[n] == '_' &&
            (names_channel(table, name, at, n + 1, ".") || names_channel(table, name, at, n + 1, "")))
            return true;
    }
    return false;
}

void table_leave_derivatives(struct table *table)
{
    for (size_t i = 0; i < table->ncolumn; i++) {
        struct column *column = &table->column[i];
        if (column->role != ROLE_CHANNEL || column->asked || !is_derivative(table, table->column[i].name))
            continue;
        column->role = ROLE_PASS;
        column->alone = true;
        column->why = "derivative";
    }
}
