/* Derivatives, measured or of an earlier run: columns named after a channel. They are left alone. */
#include "rows/plan.h"

#include "base/text.h"

#include <stdlib.h>
#include <string.h>

/* Is a channel named as `name` is without the suffix at name + at, with `joint` in its place? */
static bool names_channel(const struct column_plan *plan, const char *name, size_t at, size_t nsuffix,
                          const char *joint)
{
    char *source = text_format("%.*s%s%s", (int)at, name, joint, name + at + nsuffix);
    const size_t column = source ? columns_lookup(plan->columns, source) : COLUMN_NONE;
    free(source);
    return column != COLUMN_NONE && plan_filters(plan, column);
}

/* Is this the name of a derivative of a channel: x_vel of x; q_vel_x, of a rotation, of q_x, q.x or qx;
 * p_vel.0, of an array in JSON, of p.0? */
static bool is_derivative(const struct column_plan *plan, const char *name)
{
    static const char *const suffixes[] = { "_vel", "_acc" };
    for (size_t i = 0; i < 2; i++) {
        const char *found = strstr(name, suffixes[i]);
        if (!found || found == name)
            continue;
        const size_t at = (size_t)(found - name), n = strlen(suffixes[i]);
        if (strchr("_.", found[n]) && names_channel(plan, name, at, n, ""))
            return true;
        if (found[n] == '_' &&
            (names_channel(plan, name, at, n + 1, ".") || names_channel(plan, name, at, n + 1, "")))
            return true;
    }
    return false;
}

void plan_leave_derivatives(struct column_plan *plan)
{
    for (size_t i = 0; i < plan->columns->ncolumn; i++) {
        struct column_use *use = plan_own(plan, i);
        if (use->role != ROLE_CHANNEL || use->reason == REASON_CHOSEN ||
            !is_derivative(plan, plan->columns->column[i].name))
            continue;
        use->role = ROLE_PASS;
        use->reason = REASON_DERIVATIVE;
    }
}
