/* Columns whose names have a common stem and the letters of components, hip_x to hip_z or q_RS_w [] to q_RS_z
 * [], and the vectors and rotations that need no list: a format defines them, or names and the first row show
 * quaternions, or Motive names positions. */
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

/* Does the last word of a stem mean a rotation, so that digits can name components? */
static bool ends_in_rotation(const char *stem, size_t n)
{
    static const char *const words[] = { "q",        "quat", "quaternion",  "rot",
                                         "rotation", "ori",  "orientation", "att" };
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

/* The end of a name such as hip.Xrotation, after the letter; "": another name. */
static const char *tail_of(const char *name, size_t n)
{
    static const char *const tails[] = { "rotation", "position" };
    for (size_t k = 0; k < sizeof tails / sizeof *tails; k++) {
        const size_t at = n - strlen(tails[k]);
        if (n > strlen(tails[k]) + 2 && strcmp(name + at, tails[k]) == 0 && name[at - 2] == '.')
            return tails[k];
    }
    return "";
}

/* Where the letter of a component is in a name: at its end, before a unit in brackets or a closing
 * bracket, or after a q at its beginning, as in qx_world. n: nowhere. */
static size_t place_of_letter(const char *name, size_t n)
{
    size_t end = n - strlen(tail_of(name, n));
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

/* Adds a stem with the key, which it owns, for a name whose letter is at `at`. */
static struct unit_stem *add_stem(struct unit_stems *stems, char *key, const struct column *column, size_t at,
                                  struct error *e)
{
    const char *name = column->original;
    const bool first = at == 1 && name[2] && strchr("_. ", name[2]); /* qx_world is of q_world */
    const size_t nword = at - (at > 0 && strchr("_.", name[at - 1]));
    char *word = text_format("%.*s%s", (int)nword, name, first ? name + 2 : "");
    if (!word || !array_reserve(&stems->at, stems->n + 1, &stems->max, sizeof *stems->at, e) ||
        !name_table_put(&stems->table, name_key(key, strlen(key)), stems->n, e)) {
        free(key);
        free(word);
        error_memory(e);
        return NULL;
    }
    struct unit_stem *stem = &stems->at[stems->n++];
    *stem = (struct unit_stem){ .key = key,
                                .word = word,
                                .prefix = name,
                                .nprefix = at,
                                .tail = tail_of(name, strlen(name)),
                                .letters = *key,
                                .named = at > 0 || column->above,
                                .free = true };
    return stem;
}

/* Puts column i into the stem of its name, if the name has a stem. */
static bool put_column(struct unit_stems *stems, const struct column *column, size_t i, struct error *e)
{
    static const char letters[] = "wxyzWXYZrijk";
    const char *name = column->original;
    const size_t n = strlen(name), at = place_of_letter(name, n);
    const bool digit = at < n && name[at] >= '0' && name[at] <= '4';
    if (at == n || (digit && !ends_in_rotation(name, at)))
        return true;
    const size_t slot = digit ? (size_t)(name[at] - '0') : (size_t)(strchr(letters, name[at]) - letters) % 4;
    char kind = strchr("rijk", name[at]) ? 'r' : 'w'; /* letters of one kind belong together */
    if (digit)
        kind = '0';
    char *key = text_format("%c%.*s%s\n%s", kind, (int)at, name, name + at + 1,
                            column->above ? column->above : "");
    if (!key)
        return error_memory(e);
    const size_t place = name_table_find(&stems->table, name_key(key, strlen(key)));
    struct unit_stem *stem = place == NAME_TABLE_NONE ? NULL : &stems->at[place];
    if (stem && !(stem->seen & 1U << slot))
        free(key);
    else
        stem = add_stem(stems, key, column, at, e);
    if (!stem)
        return false;
    stem->seen |= 1U << slot;
    stem->column[slot] = i;
    stem->free = stem->free && !column->joint && column->first != CELL_TEXT;
    return true;
}

bool unit_stems_make(struct unit_stems *stems, const struct table *table, struct error *e)
{
    for (size_t i = 0; i < table->ncolumn; i++)
        if (!put_column(stems, &table->column[i], i, e))
            return false;
    return true;
}

void unit_stems_free(struct unit_stems *stems)
{
    for (size_t k = 0; k < stems->n; k++) {
        free(stems->at[k].key);
        free(stems->at[k].word);
    }
    free(stems->at);
    name_table_free(&stems->table);
}

/* Does the first row show a quaternion: a length of 1, or, below letters, gaps or four zeros? */
static bool shows_quaternion(const struct table *table, const struct unit_stem *stem, const size_t column[4])
{
    double sum = 0;
    if (!columns_may_be_quaternion(table, column)) /* such as pos.x to pos.w */
        return false;
    for (size_t k = 0; k < 4; k++)
        sum += table->column[column[k]].number * table->column[column[k]].number;
    if (fabs(sqrt(sum) - 1) <= 0.01)
        return true;
    return stem->letters != '0' && stem->named && (isnan(sum) || sum == 0);
}

/* Adds the quaternions that names and the first row show. */
static bool add_named(const struct table *table, struct unit_list *list, struct error *e)
{
    struct unit_stems stems = { 0 };
    bool good = unit_stems_make(&stems, table, e);
    for (size_t k = 0; good && k < stems.n; k++) {
        const struct unit_stem *stem = &stems.at[k];
        const size_t skipped = stem->letters == '0' && !(stem->seen & 1);
        const size_t *column = stem->column + skipped;
        struct unit_columns found = { .kind = UNIT_QUATERNION, .n = 4, .pattern = true };
        if (!stem->free || (stem->seen >> skipped & 0xF) != 0xF || !shows_quaternion(table, stem, column))
            continue;
        memcpy(found.column, column, sizeof found.column);
        good = unit_list_add(list, table, &found, e);
    }
    unit_stems_free(&stems);
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
