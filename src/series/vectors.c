/* Which channels are the components of vectors. See vectors.h. */
#include "series/vectors.h"

#include "base/array.h"
#include "base/text.h"
#include "base/utf8.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The name of a vector: the common beginning of its columns' names, without a separator at the end; the name
 * of the first column where the names have no common beginning. malloc'ed; NULL: memory is out. */
static char *name_of(const struct columns *columns, const struct column_vector *found)
{
    const char *name = columns->column[found->column[0]].name;
    size_t n = strlen(name);
    for (size_t i = 1; i < found->n; i++)
        for (size_t k = 0; k < n; k++)
            if (columns->column[found->column[i]].name[k] != name[k])
                n = k;
    while (n > 0 && strchr("_.- ", name[n - 1]))
        n--;
    n = utf8_floor(name, n);
    return n > 0 ? text_format("%.*s", (int)n, name) : strdup(name);
}

/* Why the columns are no vector; NULL: the columns are a vector. Sets *column to the column that the reason
 * is about. */
static const char *why_not(const struct rotations *rotations, const struct columns *columns,
                           const struct column_vector *found, const struct overrides *overrides,
                           const struct column **column)
{
    const struct column *first = &columns->column[found->column[0]];
    for (size_t k = 0; k < found->n; k++) {
        const struct column *c = *column = &columns->column[found->column[k]];
        if (c->role != ROLE_CHANNEL)
            return "it is not filtered, and --vectors names it as a component";
        if (rotations_of(rotations, c->value))
            return "it is the component of a rotation, and --vectors names it as one of a vector";
        if (rotations->period[c->value] > 0)
            return "it is an angle, and --vectors names it as a component";
        if (overrides->of[c->value] != overrides->of[first->value])
            return "--set: it is set apart from the other components of its vector";
    }
    return NULL;
}

/* Is a column of the vector in another table, or not filtered by this filter? */
static bool is_elsewhere(const struct columns *columns, const struct column_vector *found,
                         const bool *left_out)
{
    for (size_t k = 0; k < found->n; k++) {
        const struct column *column = &columns->column[found->column[k]];
        if (column->role == ROLE_ABSENT ||
            (column->role == ROLE_CHANNEL && left_out && left_out[column->value]))
            return true;
    }
    return false;
}

/* Is no column of the vector a channel? */
static bool is_unfiltered(const struct columns *columns, const struct column_vector *found)
{
    for (size_t k = 0; k < found->n; k++)
        if (columns->column[found->column[k]].role == ROLE_CHANNEL)
            return false;
    return true;
}

bool vectors_collect(struct rotations *rotations, const struct columns *columns, const char *list,
                     const struct overrides *overrides, const bool *left_out, struct error *e)
{
    struct column_vectors found = { 0 };
    bool none = list && strcmp(list, "none") == 0;
    if (none || columns->ncolumn == 0)
        return true;
    bool good = columns_vectors(columns, list, &found, e) &&
                arrays_make(e, ARRAY(rotations->vector, found.n),
                            ARRAY(rotations->vector_of, columns->nchannel));
    for (size_t c = 0; good && c < columns->nchannel; c++)
        rotations->vector_of[c] = COLUMN_NONE;
    for (size_t i = 0; good && i < found.n; i++) {
        const struct column_vector *one = &found.at[i];
        struct vector *new = &rotations->vector[rotations->nvector];
        const struct column *column;
        if (is_elsewhere(columns, one, left_out) || (one->pattern && is_unfiltered(columns, one)))
            continue;
        const char *reason = why_not(rotations, columns, one, overrides, &column);
        if (reason && list) {
            error_usage(e, "%s", reason);
            good = error_column(e, column->name);
        }
        if (reason)
            continue;
        *new = (struct vector){ .unit.nchannel = one->n, .name = name_of(columns, one) };
        if (!new->name) {
            good = error_memory(e);
            continue;
        }
        for (size_t k = 0; k < one->n; k++) {
            new->unit.channel[k] = columns->column[one->column[k]].value;
            rotations->vector_of[new->unit.channel[k]] = rotations->nvector;
        }
        rotations->nvector++;
    }
    free(found.at);
    return good;
}

void vectors_complete(const struct rotations *rotations, const struct block *block, bool goals)
{
    for (size_t n = 0; n < rotations->nvector; n++) {
        const struct unit *unit = &rotations->vector[n].unit;
        double *number[3]; /* the components in all rows */
        for (size_t k = 0; k < unit->nchannel; k++) {
            size_t channel = unit->channel[k];
            number[k] = goals ? block_goal(block, channel) : block_value(block, channel);
        }
        for (size_t i = 0; i < block->nrow; i++) {
            bool missing = false;
            for (size_t k = 0; k < unit->nchannel; k++)
                missing |= isnan(number[k][i]) != 0;
            for (size_t k = 0; missing && k < unit->nchannel; k++)
                number[k][i] = (double)NAN;
        }
    }
}
