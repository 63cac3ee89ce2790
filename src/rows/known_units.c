/* Finds the columns of vectors and rotations that need no list: a format defines them, or the names that
 * OptiTrack's Motive and trajectories of TUM give. */
#include "rows/units.h"

#include <string.h>
#include <strings.h>

/* The letter of column i of Motive's `Position` or `Rotation`, by its name and the cell above the name; 0:
 * another column. */
static char motive_letter(const struct column_plan *plan, size_t i, const char *what)
{
    const struct column *column = &plan->columns->column[i];
    size_t n = strlen(column->original), nwhat = strlen(what);
    if (n == 1 && column->above && strcasecmp(column->above, what) == 0)
        return *column->original;
    if (n <= nwhat + 2) /* the name ends in .Rotation.X */
        return 0;
    const char *end = column->original + n - nwhat - 3;
    bool same = end[0] == '.' && strncasecmp(end + 1, what, nwhat) == 0 && end[nwhat + 1] == '.';
    return same ? column->original[n - 1] : 0;
}

/* --- rotations --- */

/* Adds the rotation of a joint with n columns that have an axis, if these are a quaternion or three angles.
 */
static bool add_joint(const struct columns *columns, enum unit_kind kind, const size_t column[4], size_t n,
                      struct unit_list *list, struct error *e)
{
    const bool angles = kind == UNIT_EULER;
    struct unit_columns found = { .kind = kind, .n = angles ? 3 : 4, .pattern = true };
    size_t seen = 0;
    if (n != found.n)
        return true;
    for (size_t k = 0; k < n; k++) {
        const struct column *c = &columns->column[column[k]];
        const size_t component = angles ? c->axis - 1 : c->axis % 4;
        if (component < n)
            found.column[component] = column[k];
        seen |= (size_t)1 << component;
        if (angles)
            found.axis[c->turn ? c->turn - 1 : k] = (unsigned char)component;
    }
    if (angles && found.axis[0] == found.axis[2] && found.axis[0] != found.axis[1])
        memcpy(found.column, column, n * sizeof *column);
    else if (seen != ((size_t)1 << n) - 1)
        return true;
    return unit_list_add(list, columns, &found, e);
}

static bool add_joints(const struct column_plan *plan, enum unit_kind kind, struct unit_list *list,
                       struct error *e)
{
    const struct columns *columns = plan->columns;
    size_t n = 0, column[4];
    for (size_t i = 0; i < columns->ncolumn; i++) {
        const struct column *c = &columns->column[i];
        if (c->axis && c->joint) {
            column[n % 4] = i;
            n++;
        }
        if (i + 1 < columns->ncolumn && c[1].joint == c->joint)
            continue;
        if (!add_joint(columns, kind, column, n, list, e))
            return false;
        n = 0;
    }
    return true;
}

/* The letter of column i of a quaternion that Motive or a trajectory of TUM names; 0: the column is no such
 * column. TUM: qx, qy, qz and qw in a remark. */
static char known_letter(const struct column_plan *plan, size_t i)
{
    const struct column *column = &plan->columns->column[i];
    if (column->joint)
        return 0;
    const char *name = column->original;
    if (plan->columns->remarked && name[0] == 'q' && strlen(name) == 2)
        return name[1];
    return motive_letter(plan, i, "Rotation");
}

/* Adds the quaternions by their names. */
static bool add_named(const struct column_plan *plan, struct unit_list *list, struct error *e)
{
    const struct columns *columns = plan->columns;
    for (size_t i = 0; i + 4 <= columns->ncolumn; i++) {
        struct unit_columns found = { .kind = UNIT_QUATERNION, .n = 4, .pattern = true };
        size_t seen = 0;
        for (size_t k = 0; k < 4; k++) {
            size_t component = unit_component(known_letter(plan, i + k));
            found.column[component % 4] = i + k;
            seen |= (size_t)1 << component;
        }
        if (seen != 0xF)
            continue;
        if (!unit_list_add(list, columns, &found, e))
            return false;
        i += 3;
    }
    return true;
}

/* --- vectors --- */

/* The number of columns of the vector of the format, or of Motive, that begins in column i; 0: no vector
 * begins there. */
static size_t vector_at(const struct column_plan *plan, size_t i)
{
    const struct columns *columns = plan->columns;
    const struct column *column = &columns->column[i];
    size_t n = 0;
    while (n < 3 && i + n < columns->ncolumn && column->vector > 0 && column[n].vector == column->vector)
        n++;
    while (column->vector == 0 && n < 3 && i + n < columns->ncolumn &&
           motive_letter(plan, i + n, "Position") == "XYZ"[n])
        n++;
    return n >= 2 ? n : 0;
}

static bool add_vectors(const struct column_plan *plan, struct unit_list *list, struct error *e)
{
    const struct columns *columns = plan->columns;
    for (size_t i = 0; i < columns->ncolumn; i++) {
        struct unit_columns found = { .kind = UNIT_VECTOR, .n = vector_at(plan, i), .pattern = true };
        for (size_t k = 0; k < found.n; k++)
            found.column[k] = i + k;
        if (found.n > 0 && !unit_list_add(list, columns, &found, e))
            return false;
        i += found.n > 0 ? found.n - 1 : 0;
    }
    return true;
}

bool units_known(const struct column_plan *plan, enum unit_kind kind, struct unit_list *found,
                 struct error *e)
{
    if (kind == UNIT_VECTOR)
        return add_vectors(plan, found, e);
    return (kind != UNIT_QUATERNION || add_named(plan, found, e)) && add_joints(plan, kind, found, e);
}
