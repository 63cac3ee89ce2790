/* Stems of names. See units.h. */
#include "rows/units.h"

#include "base/array.h"
#include "base/text.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* Does the last word of a stem mean a rotation, so that digits can name components? */
static bool ends_in_rotation(const char *stem, size_t n)
{
    static const char *const words[] = {
        "quat", "quaternion", "rot", "rotation", "ori", "orientation", "att"
    };
    while (n > 0 && strchr("_.- [(", stem[n - 1]))
        n--;
    for (size_t k = 0; k < sizeof words / sizeof *words; k++) {
        const size_t nword = strlen(words[k]);
        if (n >= nword && strncasecmp(stem + n - nword, words[k], nword) == 0)
            return true;
    }
    return n > 0 && strchr("qQ", stem[n - 1]) && (n == 1 || strchr("_.- :/", stem[n - 2]));
}

/* The end of a name such as hip.Xrotation, after the letter; "": another name. */
static const char *tail_of(const char *name)
{
    static const char *const tails[] = { "rotation", "position" };
    const char *dot = strrchr(name, '.');
    for (size_t k = 0; dot && k < sizeof tails / sizeof *tails; k++)
        if (dot > name && dot[1] && strcmp(dot + 2, tails[k]) == 0)
            return dot + 2;
    return "";
}

size_t stem_slot(char component)
{
    static const char letters[] = "wxyzWXYZrijk";
    const char *at = strchr(letters, component);
    return at ? (size_t)(at - letters) % 4 : (size_t)(component - '0');
}

/* Where the letter of a component is in a name: at its end, before a unit in brackets or a closing
 * bracket, or after a q at its beginning, as in qx_world. n: nowhere. */
static size_t place_of_letter(const char *name, size_t n)
{
    size_t end = n - strlen(tail_of(name));
    if (end > 2 && name[end - 1] == ']' && memchr(name, '[', end)) {
        const size_t open = (size_t)(strrchr(name, '[') - name);
        const bool index = end - open == 3 && strchr("01234", name[open + 1]);
        end = index ? end - 1 : open;
    }
    while (end > 0 && name[end - 1] == ' ')
        end--;
    if (end > 0 && strchr("wxyzijkrWXYZ01234", name[end - 1]))
        return end - 1;
    const bool first = n > 3 && strchr("qQ", name[0]) && strchr("wxyzWXYZ", name[1]);
    return first && strchr("_. ", name[2]) ? 1 : n;
}

/* Puts column i into a slot of the stem with the same key; another column in the slot begins another stem.
 * The key and the word are freed or owned by the stems. */
static bool put_column(struct stems *stems, const struct stem *stem, size_t slot, size_t i, struct error *e)
{
    const struct name_key key = name_key(stem->key, stem->key ? strlen(stem->key) : 0);
    size_t place = stem->key ? name_table_find(&stems->table, key) : NAME_TABLE_NONE;
    const bool known = place != NAME_TABLE_NONE && !(stems->at[place].seen & 1U << slot);
    const bool good = known || (stem->key && stem->word &&
                                array_reserve(&stems->at, stems->n + 1, &stems->max, sizeof *stem, e) &&
                                name_table_put(&stems->table, key, stems->n, e));
    if (!good || known) {
        free(stem->key);
        free(stem->word);
    }
    if (!good)
        return error_memory(e);
    if (!known) {
        place = stems->n++;
        stems->at[place] = *stem;
    }
    stems->at[place].seen |= 1U << slot;
    stems->at[place].column[slot] = i;
    return true;
}

/* Puts column i into the stem of its name, if the name has one. */
static bool put_by_name(struct stems *stems, const struct column *column, size_t i, struct error *e)
{
    const char *name = column->original, *above = column->above ? column->above : "";
    const size_t n = strlen(name), at = place_of_letter(name, n);
    const bool digit = at < n && strchr("01234", name[at]);
    if (at == n || (digit && !ends_in_rotation(name, at)))
        return true;
    const char letters = strchr("rijk", name[at]) ? 'r' : 'w';       /* letters of one kind belong together */
    const bool first = at == 1 && name[2] && strchr("_. ", name[2]); /* qx_world is of q_world */
    const char *after = first ? name + 2 : "";
    const size_t nword = at - (at > 0 && strchr("_.", name[at - 1]));
    struct stem stem = { .word = text_format("%.*s%s", (int)nword, name, after),
                         .tail = tail_of(name),
                         .letters = digit ? '0' : letters,
                         .named = at > 0 || column->above };
    stem.key = text_format("%c%.*s%s\n%s", stem.letters, (int)at, name, name + at + 1, above);
    return put_column(stems, &stem, stem_slot(name[at]), i, e);
}

/* How many columns before column i are of the same joint or vector; they are side by side. */
static size_t count_before(const struct column *column, size_t i)
{
    size_t n = 0;
    while (n < i && column[i - n - 1].joint == column[i].joint &&
           column[i - n - 1].vector == column[i].vector)
        n++;
    return n;
}

/* Puts column i into the stem of the joint or the vector that the format says it is of. */
static bool put_by_format(struct stems *stems, const struct column *all, size_t i, struct error *e)
{
    const struct column *column = &all[i];
    const bool joint = column->joint && column->axis;
    if (!joint && !column->vector)
        return true;
    const size_t nbefore = count_before(all, i);
    size_t slot = joint ? column->axis % 4 : 1 + nbefore;
    if (slot > 4)
        return true;
    if (joint && nbefore == 2 && all[i - 2].axis == column->axis) /* as in ZXZ: the free slot */
        slot = 6 - column->axis - all[i - 1].axis;
    struct stem stem = { .word = text_copy("", 0), .tail = "", .letters = joint ? 'j' : 'v' };
    stem.key = text_format("%c%zu", stem.letters, joint ? column->joint : column->vector);
    return put_column(stems, &stem, slot, i, e);
}

bool stems_make(struct stems *stems, const struct table *table, struct error *e)
{
    *stems = (struct stems){ 0 };
    bool good = true;
    for (size_t i = 0; good && i < table->ncolumn; i++)
        good = put_by_name(stems, &table->column[i], i, e) && put_by_format(stems, table->column, i, e);
    return good;
}

void stems_free(struct stems *stems)
{
    for (size_t k = 0; k < stems->n; k++) {
        free(stems->at[k].key);
        free(stems->at[k].word);
    }
    free(stems->at);
    name_table_free(&stems->table);
}

bool stem_take(const struct stem *stem, struct unit *unit)
{
    const size_t skipped = stem->letters == '0' && !(stem->seen & 1); /* digits 1 to 4 */
    const size_t first = unit->kind->first, most = 4 - first;
    unit->n = 0;
    while (unit->n < most && stem->seen >> (first + skipped + unit->n) & 1) {
        unit->column[unit->n] = stem->column[first + skipped + unit->n];
        unit->n++;
    }
    return unit->n >= unit->kind->least;
}
