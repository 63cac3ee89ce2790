/* Derivatives and predictions that an earlier run added: columns named after a channel, whose numbers in the
 * first rows are those that a filter makes. They are not filtered again. */
#include "rows/plan.h"

#include "base/text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Of a velocity: how far the mean velocity of a step may lie from that of its rows. */
#define SAME_SPEED    0.02
#define MANY_DECIMALS 1e-9 /* the last digit of numbers that people and devices write */

/* --- names --- */

/* Are there three columns with this name, once with each of the letters x, y and z as last letter? */
static bool has_three_axes(const struct columns *columns, const char *name)
{
    char *sibling = strdup(name);
    bool found = sibling != NULL;
    for (const char *axis = "xyz"; found && *axis; axis++) {
        sibling[strlen(sibling) - 1] = *axis;
        found = columns_lookup(columns, sibling) != COLUMN_NONE;
    }
    free(sibling);
    return found;
}

/* The column that a column with this name is a derivative of, by the names that --derivatives gives: x for
 * x_vel and x_acc; q_x, q.x or qx for q_vel_x, of a rotation; p.0 for p_vel.0, of an array in JSON.
 * COLUMN_NONE: the name is not the name of a derivative. */
static size_t find_source(const struct columns *columns, const char *name)
{
    static const char *const suffixes[] = { "_vel", "_acc" };
    enum { SUFFIX = 4 /* bytes of "_vel" and "_acc" */ };
    size_t n = strlen(name);
    char *stem = malloc(n + 1);
    size_t source = COLUMN_NONE;
    for (size_t i = 0; stem && i < 2 && source == COLUMN_NONE; i++) {
        const char *at = strstr(name, suffixes[i]), *next;
        while (at && (next = strstr(at + 1, suffixes[i])))
            at = next;
        if (!at || at == name || (at[SUFFIX] && at[SUFFIX] != '_' && at[SUFFIX] != '.'))
            continue;
        memcpy(stem, name, (size_t)(at - name));
        memcpy(stem + (at - name), at + SUFFIX, n + 1 - (size_t)(at - name) - SUFFIX);
        source = columns_lookup(columns, stem);
        if (at[SUFFIX] == '_' && !has_three_axes(columns, name)) {
            source = COLUMN_NONE;
            continue;
        }
        if (source == COLUMN_NONE && at[SUFFIX] == '_') { /* q.x, or else qx */
            char *joint = stem + (at - name);
            *joint = '.';
            source = columns_lookup(columns, stem);
            if (source == COLUMN_NONE) {
                memmove(joint, joint + 1, strlen(joint));
                source = columns_lookup(columns, stem);
            }
        }
    }
    free(stem);
    return source;
}

/* Is there a column with the predicted velocity for a column NAME@S: NAME_vel@S, or, if NAME is a component
 * STEM_x of a rotation, STEM_vel_x@S? name: the text NAME@S; nname: bytes of NAME. */
static bool has_predicted_velocity(const struct columns *columns, const char *name, size_t nname)
{
    bool found = false;
    for (int of_rotation = 0; of_rotation < 2 && !found; of_rotation++) {
        size_t nstem = nname;
        while (of_rotation && nstem > 0 && !strchr("_.", name[nstem - 1]))
            nstem--;
        nstem -= of_rotation && nstem > 0;
        char *velocity = text_format("%.*s_vel%s%s", (int)nstem, name, of_rotation ? "_x" : "", name + nname);
        found = velocity && columns_lookup(columns, velocity) != COLUMN_NONE;
        free(velocity);
    }
    return found;
}

/* The channel that a column predicts, by the names that --predict gives: x for x@0.1 beside x_vel@0.1, and
 * for x_vel@0.1. COLUMN_NONE: the column is not a prediction. */
static size_t find_predicted(const struct columns *columns, const char *name)
{
    const char *at = strrchr(name, '@'), *end = name + strlen(name);
    double seconds;
    size_t source = COLUMN_NONE;
    if (!at || at == name || number_read(at + 1, end, '.', &seconds) != end)
        return COLUMN_NONE;
    char *now = text_format("%.*s", (int)(at - name), name);
    if (now && has_predicted_velocity(columns, name, (size_t)(at - name)))
        source = columns_lookup(columns, now);
    if (now && source == COLUMN_NONE)
        source = find_source(columns, now);
    free(now);
    return source;
}

size_t columns_find_source(const struct columns *columns, const char *name)
{
    const size_t source = find_source(columns, name);
    return source == COLUMN_NONE ? find_predicted(columns, name) : source;
}

size_t columns_first_added(const struct columns *columns)
{
    size_t first = columns->ncolumn;
    while (columns->delimiter && first > 0 &&
           columns_find_source(columns, columns->column[first - 1].name) != COLUMN_NONE)
        first--;
    return columns->delimiter ? first : 0;
}

/* The column of the velocity or the acceleration of a column; COLUMN_NONE: no such column. */
static size_t find_derivative(const struct columns *columns, size_t source, const char *suffix)
{
    char *name = text_format("%s%s", columns->column[source].name, suffix);
    const size_t found = name ? columns_lookup(columns, name) : COLUMN_NONE;
    free(name);
    return found;
}

/* Does a number of the column have more decimals than people and devices write? */
static bool has_all_digits(const struct columns *columns, size_t i)
{
    for (size_t row = 0; row < columns->nearly; row++)
        if (fabs(remainder(columns_early(columns, row, i), MANY_DECIMALS)) > MANY_DECIMALS * 1e-4)
            return true;
    return false;
}

/* Is v the velocity of x in each step of the rows known? A filter begins at rest and moves on with
 * the goal from row to row, so that the mean velocity of a step lies about those of its rows. Without rest it
 * is that of the rows. */
static bool is_velocity(const struct column_plan *plan, size_t v, size_t x)
{
    const struct columns *columns = plan->columns;
    const bool rest = columns_early(columns, 0, v) == 0;
    for (size_t row = 1; row < columns->nearly; row++) {
        double step = plan->row_rate > 0 ? 1 / plan->row_rate : 0;
        if (plan->time != COLUMN_NONE)
            step = (columns_early(columns, row, plan->time) - columns_early(columns, row - 1, plan->time)) *
                   time_unit_seconds(plan->unit);
        const double before = columns_early(columns, row - 1, v), after = columns_early(columns, row, v);
        const double mean = (columns_early(columns, row, x) - columns_early(columns, row - 1, x)) / step;
        const double off = fabs(mean - (before + after) / 2);
        const double about = rest ? fmax(fabs(before), fabs(after)) : 0;
        if (step > 0 && off > about + SAME_SPEED * fabs(mean))
            return false;
    }
    return true;
}

/* Do the first rows show that column i is the derivative of column `source` that a filter wrote, or that it
 * is not? Roles, the time and its unit must be known. */
enum derived { NOT_DERIVED, MAY_BE_DERIVED, DERIVED };
static enum derived was_derived(const struct column_plan *plan, size_t i, size_t source)
{
    const struct columns *columns = plan->columns;
    const size_t velocity = find_derivative(columns, source, "_vel");
    const size_t acceleration = find_derivative(columns, source, "_acc");
    const size_t judged = i == acceleration && velocity != COLUMN_NONE ? velocity : i;
    const double first = columns->column[judged].number;
    const bool rest = first == 0 || isnan(first);
    if (strchr(columns->column[i].name, '@'))
        return DERIVED;
    if (judged != velocity || columns->nearly < 2 || plan->ngroup > 0)
        return rest ? DERIVED : NOT_DERIVED;
    if (!columns_moves(columns, source))
        return rest && !columns_moves(columns, velocity) ? MAY_BE_DERIVED : NOT_DERIVED;
    if (!is_velocity(plan, velocity, source))
        return NOT_DERIVED;
    return acceleration != COLUMN_NONE || has_all_digits(columns, velocity) ? DERIVED : NOT_DERIVED;
}

/* Is column i named as a derivative or prediction of a channel? *source: the channel. */
static bool is_named_after_channel(const struct column_plan *plan, size_t i, size_t *source)
{
    const struct column_use *use = plan_use(plan, i);
    *source = COLUMN_NONE;
    if (use->role == ROLE_CHANNEL && use->reason != REASON_CHOSEN)
        *source = columns_find_source(plan->columns, plan->columns->column[i].name);
    return *source != COLUMN_NONE && plan_filters(plan, *source);
}

void plan_leave_derivatives(struct column_plan *plan)
{
    const size_t first = columns_first_added(plan->columns), end = plan->columns->ncolumn;
    bool added = false;
    for (size_t i = first, source; i < end && !added; i++)
        added = is_named_after_channel(plan, i, &source) && was_derived(plan, i, source) == DERIVED;
    for (size_t i = first, source; i < end && added; i++)
        if (is_named_after_channel(plan, i, &source) && was_derived(plan, i, source) != NOT_DERIVED) {
            struct column_use *use = plan_own(plan, i);
            use->role = ROLE_PASS;
            use->reason = REASON_DERIVATIVE;
            use->source = source;
        }
}
