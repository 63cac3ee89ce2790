/* The kind of numbers in a column, by its name: angles, components of a quaternion, or other numbers, such as
 * coordinates of points and scales. */
#include "rows/table.h"

#include "base/port.h"

#include <string.h>

/* Does the name of a column, or the cell above the name, contain one of the words? */
static bool has_word(const struct column *column, const char *const *words)
{
    for (; *words; words++)
        if (port_strcasestr(column->name, *words) ||
            (column->above && port_strcasestr(column->above, *words)))
            return true;
    return false;
}

static bool tells_rotation(const struct column *column)
{
    static const char *const words[] = { "rot",   "ang", "euler",  "yaw",  "pitch",   "roll",
                                         "head",  "deg", "rad",    "azim", "bearing", "hdg",
                                         "phase", "dir", "orient", "quat", NULL };
    return has_word(column, words);
}

static bool tells_other(const struct column *column)
{
    static const char *const words[] = { "pos",   "scal",  "trans", "loc",   "size", "vel",
                                         "accel", "force", "color", "coord", NULL };
    return has_word(column, words);
}

/* Does the name end in a separate letter of an axis, as in hip.x, hip_x, hipX and x? */
static bool ends_in_axis(const char *name)
{
    size_t n = strlen(name);
    if (n == 0 || !strchr("xyzXYZ", name[n - 1]))
        return false;
    if (n == 1 || strchr("._:- ", name[n - 2]))
        return true;
    bool upper = strchr("XYZ", name[n - 1]) != NULL;
    return upper && name[n - 2] >= 'a' && name[n - 2] <= 'z';
}

enum angle_name columns_angle_name(const struct table *table, size_t i)
{
    const struct column *column = &table->column[i];
    if (tells_rotation(column))
        return POSSIBLE_ANGLE;
    if (tells_other(column))
        return NO_ANGLE;
    if (!ends_in_axis(column->name))
        return POSSIBLE_ANGLE;
    return column->vector > 0 ? NO_ANGLE : UNLIKELY_ANGLE;
}

/* The bytes of a name before the letter of a component of a quaternion at its end, or n: the name has
 * no such letter. *letter: the number of the letter, 0 for w or s, then x, y, z. */
static size_t stem_of_component(const char *name, size_t n, size_t *letter)
{
    static const char letters[] = "wxyzWXYZsxyzSXYZ";
    const char *at = n > 0 ? strchr(letters, name[n - 1]) : NULL;
    if (!at)
        return n;
    *letter = (size_t)(at - letters) % 4;
    return n - 1;
}

bool columns_may_be_quaternion(const struct table *table, const size_t column[4])
{
    unsigned letters = 0;
    bool axes = false, alike = true; /* a name ends in an axis; the names are equal without their letters */
    const char *first = NULL;
    size_t nfirst = 0;
    for (size_t k = 0; k < 4; k++) {
        const struct column *c = &table->column[column[k]];
        const char *name = c->original ? c->original : c->name;
        size_t letter = 0, n = strlen(name), stem = stem_of_component(name, n, &letter);
        if (tells_other(c) && !tells_rotation(c))
            return false;
        letters |= stem < n ? 1U << letter : 0;
        axes = axes || ends_in_axis(name);
        if (k == 0) {
            first = name;
            nfirst = stem;
        }
        alike = alike && stem == nfirst && strncmp(name, first, stem) == 0;
    }
    return (letters == 15 && alike) || !axes;
}
