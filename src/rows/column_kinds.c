/* The kind of numbers in a column, by its name: angles, components of a quaternion, or other numbers, such as
 * coordinates of points and scales. */
#include "rows/table.h"

#include "base/port.h"

#include <ctype.h>
#include <stdio.h>
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

bool columns_may_be_quaternion(const struct table *table, const size_t column[4], bool *named)
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
    *named = letters == 15 && alike;
    return *named || !axes;
}

void columns_component_letters(const struct table *table, size_t first, char letters[5])
{
    for (size_t k = 0; k < 4; k++) {
        const char *name = table->column[first + k].original;
        size_t n = strlen(name);
        char letter = n > 0 ? (char)tolower((unsigned char)name[n - 1]) : ' ';
        letters[k] = letter == 's' ? 'w' : letter;
        if (!strchr("wxyz", letters[k]))
            letters[k] = ' ';
    }
    letters[4] = '\0';
}

void columns_quaternion_entry(const struct table *table, size_t first, char entry[COLUMNS_QUATERNION])
{
    char letters[5];
    const char *stem = table->column[first].name;
    size_t nstem = strlen(stem) < 2 ? 0 : strlen(stem) - 2;
    bool alike = nstem > 0 && nstem < COLUMNS_QUATERNION && strchr("_.", stem[nstem]) &&
                 !table->column[first].above;
    for (size_t k = 0; k < 4; k++) {
        const char *name = table->column[first + k].name;
        size_t n = strlen(name);
        alike = alike && n == nstem + 2 && strncmp(name, stem, nstem + 1) == 0 &&
                strchr("wxyzWXYZ", name[n - 1]);
    }
    columns_component_letters(table, first, letters);
    for (size_t k = 0; k < nstem; k++)
        alike = alike && (isalnum((unsigned char)stem[k]) || strchr("_.", stem[k]));
    if (alike && isalpha((unsigned char)stem[0]))
        snprintf(entry, COLUMNS_QUATERNION, "%.*s", (int)nstem, stem);
    else
        snprintf(entry, COLUMNS_QUATERNION, "%zu-%zu:%s", table->column[first].position,
                 table->column[first + 3].position, letters);
}
