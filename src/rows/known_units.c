/* Finds the columns of vectors and rotations that need no list: a format defines them, or names and the first
 * row show quaternions, or Motive names positions. */
#include "rows/units.h"

#include "base/array.h"
#include "base/name_table.h"
#include "base/text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* The letter of column i of Motive's `Position`, by its name and the cell above the name; 0: another column.
 */
static char motive_letter(const struct table *table, size_t i)
{
    static const char what[] = "Position";
    const struct column *column = &table->column[i];
    size_t n = strlen(column->original), nwhat = sizeof what - 1;
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
static bool add_joint(const struct table *table, enum unit_kind kind, const size_t column[4], size_t n,
                      struct unit_list *list, struct error *e)
{
    const bool angles = kind == UNIT_EULER;
    struct unit_columns found = { .kind = kind, .n = angles ? 3 : 4, .pattern = true };
    size_t seen = 0;
    if (n != found.n)
        return true;
    for (size_t k = 0; k < n; k++) {
        const struct column *c = &table->column[column[k]];
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
    return unit_list_add(list, table, &found, e);
}

static bool add_joints(const struct table *table, enum unit_kind kind, struct unit_list *list,
                       struct error *e)
{
    size_t n = 0, column[4];
    for (size_t i = 0; i < table->ncolumn; i++) {
        const struct column *c = &table->column[i];
        if (c->axis && c->joint) {
            column[n % 4] = i;
            n++;
        }
        if (i + 1 < table->ncolumn && c[1].joint == c->joint)
            continue;
        if (!add_joint(table, kind, column, n, list, e))
            return false;
        n = 0;
    }
    return true;
}

/* Columns of one stem, by the place of their letter or digit. */
struct stem {
    char *key;        /* owned; the stem with a mark for the kind of letters */
    bool digits;      /* 0-3 or 1-4, w first; else letters, column[0] to column[3] are w, x, y, z */
    bool named;       /* the stem is not empty */
    unsigned seen;    /* bit k: column[k] is known */
    size_t column[5];
};

struct stems {
    struct stem *at; /* [n] owned */
    size_t n, max;
    struct name_table table; /* the newest stem of each key */
};

/* Does the last word of a stem mean a rotation, so that digits can name components? */
static bool ends_in_rotation(const char *stem, size_t n)
{
    static const char *const words[] = { "q",   "quat",     "quaternion", "rot",
                                         "rotation", "ori", "orientation", "att" };
    while (n > 0 && strchr("_.- [(", stem[n - 1]))
        n--;
    for (size_t k = 0; k < sizeof words / sizeof *words; k++) {
        const size_t nword = strlen(words[k]);
        if (n >= nword && strncasecmp(stem + n - nword, words[k], nword) == 0 &&
            (n == nword || strchr("_.- :/", stem[n - nword - 1]) || words[k][1]))
            return true;
    }
    return false;
}

/* Where the letter of a component stands in a name: at its end, before a unit in brackets or a closing bracket, or
 * after a q at its beginning, as in qx_world. n: nowhere. */
static size_t place_of_letter(const char *name, size_t n)
{
    size_t end = n;
    if (end > 2 && name[end - 1] == ']' && memchr(name, '[', end)) {
        const size_t open = (size_t)(strrchr(name, '[') - name);
        const bool index = end - open == 3 && name[open + 1] >= '0' && name[open + 1] <= '4';
        end = index ? end - 1 : open;
    }
    while (end > 0 && name[end - 1] == ' ')
        end--;
    if (end > 0 && strchr("wxyzijkrWXYZ01234", name[end - 1]))
        return end - 1;
    const bool first = n > 3 && (name[0] == 'q' || name[0] == 'Q') && strchr("wxyzWXYZ", name[1]);
    return first && strchr("_. ", name[2]) ? 1 : n;
}

/* Puts column i into the stem of the name, if the name has a stem. */
static bool put_column(struct stems *stems, const struct column *column, size_t i, struct error *e)
{
    static const char letters[] = "wxyzWXYZrijk";
    const char *name = column->original;
    const size_t n = strlen(name), at = place_of_letter(name, n);
    if (at == n || column->joint || column->first == CELL_TEXT)
        return true;
    const bool digit = name[at] >= '0' && name[at] <= '4';
    const size_t slot = digit ? (size_t)(name[at] - '0') : (size_t)(strchr(letters, name[at]) - letters) % 4;
    if (digit && !ends_in_rotation(name, at))
        return true;
    char kind = strchr("rijk", name[at]) ? 'r' : 'w'; /* letters of one kind belong together */
    if (digit)
        kind = '0';
    char *key = text_format("%c%.*s%s\n%s", kind, (int)at, name, name + at + 1,
                            column->above ? column->above : "");
    if (!key)
        return error_memory(e);
    size_t place = name_table_find(&stems->table, name_key(key, strlen(key)));
    if (place == NAME_TABLE_NONE || (stems->at[place].seen & 1U << slot)) {
        if (!array_reserve(&stems->at, stems->n + 1, &stems->max, sizeof *stems->at, e) ||
            !name_table_put(&stems->table, name_key(key, strlen(key)), stems->n, e)) {
            free(key);
            return false;
        }
        place = stems->n++;
        stems->at[place] = (struct stem){ .key = key, .digits = digit, .named = at > 0 || column->above };
    } else {
        free(key);
    }
    stems->at[place].seen |= 1U << slot;
    stems->at[place].column[slot] = i;
    return true;
}

/* Does the first row show a quaternion: a length of 1, or, below letters, gaps or four zeros? */
static bool shows_quaternion(const struct table *table, const struct stem *stem, const size_t column[4])
{
    double sum = 0;
    bool named;
    if (!columns_may_be_quaternion(table, column, &named)) /* such as pos.x to pos.w */
        return false;
    for (size_t k = 0; k < 4; k++)
        sum += table->column[column[k]].number * table->column[column[k]].number;
    if (fabs(sqrt(sum) - 1) <= 0.01)
        return true;
    return !stem->digits && stem->named && (isnan(sum) || sum == 0);
}

/* Adds the quaternions that names and the first row show. */
static bool add_named(const struct table *table, struct unit_list *list, struct error *e)
{
    struct stems stems = { 0 };
    bool good = true;
    for (size_t i = 0; good && i < table->ncolumn; i++)
        good = put_column(&stems, &table->column[i], i, e);
    for (size_t k = 0; good && k < stems.n; k++) {
        const struct stem *stem = &stems.at[k];
        const size_t skipped = stem->digits && !(stem->seen & 1);
        const size_t *column = stem->column + skipped;
        struct unit_columns found = { .kind = UNIT_QUATERNION, .n = 4, .pattern = true };
        if ((stem->seen >> skipped & 0xF) != 0xF || !shows_quaternion(table, stem, column))
            continue;
        memcpy(found.column, column, sizeof found.column);
        good = unit_list_add(list, table, &found, e);
    }
    for (size_t k = 0; k < stems.n; k++)
        free(stems.at[k].key);
    free(stems.at);
    name_table_free(&stems.table);
    return good;
}

/* --- vectors --- */

/* The number of columns of the vector of the format, or of Motive, that begins in column i; 0: no vector
 * begins there. */
static size_t vector_at(const struct table *table, size_t i)
{
    const struct column *column = &table->column[i];
    size_t n = 0;
    while (n < 3 && i + n < table->ncolumn && column->vector > 0 && column[n].vector == column->vector)
        n++;
    while (column->vector == 0 && n < 3 && i + n < table->ncolumn && motive_letter(table, i + n) == "XYZ"[n])
        n++;
    return n >= 2 ? n : 0;
}

static bool add_vectors(const struct table *table, struct unit_list *list, struct error *e)
{
    for (size_t i = 0; i < table->ncolumn; i++) {
        struct unit_columns found = { .kind = UNIT_VECTOR, .n = vector_at(table, i), .pattern = true };
        for (size_t k = 0; k < found.n; k++)
            found.column[k] = i + k;
        if (found.n > 0 && !unit_list_add(list, table, &found, e))
            return false;
        i += found.n > 0 ? found.n - 1 : 0;
    }
    return true;
}

bool units_known(const struct table *table, enum unit_kind kind, struct unit_list *found, struct error *e)
{
    if (kind == UNIT_VECTOR)
        return add_vectors(table, found, e);
    return (kind != UNIT_QUATERNION || add_named(table, found, e)) && add_joints(table, kind, found, e);
}
