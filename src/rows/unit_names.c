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

/* Adds a stem for a name whose letter is at `at`. The stem owns the key. */
static bool add_stem(struct stems *stems, char *key, const struct column *column, size_t at, struct error *e)
{
    const char *name = column->original;
    const bool first = at == 1 && name[2] && strchr("_. ", name[2]); /* qx_world is of q_world */
    const size_t nword = at - (at > 0 && strchr("_.", name[at - 1]));
    const struct stem stem = { .key = key,
                               .word = text_format("%.*s%s", (int)nword, name, first ? name + 2 : ""),
                               .tail = tail_of(name),
                               .letters = key[0],
                               .named = at > 0 || column->above };
    if (!stem.word || !array_reserve(&stems->at, stems->n + 1, &stems->max, sizeof stem, e) ||
        !name_table_put(&stems->table, name_key(key, strlen(key)), stems->n, e)) {
        free(stem.word);
        free(key);
        return error_memory(e);
    }
    stems->at[stems->n++] = stem;
    return true;
}

/* Puts column i into the stem of its name, if the name has a stem. A second column for one letter begins
 * another stem. */
static bool put_column(struct stems *stems, const struct column *column, size_t i, struct error *e)
{
    const char *name = column->original;
    const size_t n = strlen(name), at = place_of_letter(name, n);
    const bool digit = at < n && strchr("01234", name[at]);
    if (at == n || (digit && !ends_in_rotation(name, at)))
        return true;
    const size_t slot = stem_slot(name[at]);
    char kind = strchr("rijk", name[at]) ? 'r' : 'w'; /* letters of one kind belong together */
    if (digit)
        kind = '0';
    char *key = text_format("%c%.*s%s\n%s", kind, (int)at, name, name + at + 1,
                            column->above ? column->above : "");
    if (!key)
        return error_memory(e);
    size_t place = name_table_find(&stems->table, name_key(key, strlen(key)));
    if (place != NAME_TABLE_NONE && !(stems->at[place].seen & 1U << slot))
        free(key);
    else if (!add_stem(stems, key, column, at, e))
        return false;
    else
        place = stems->n - 1;
    struct stem *stem = &stems->at[place];
    stem->seen |= 1U << slot;
    stem->column[slot] = i;
    return true;
}

bool stems_make(struct stems *stems, const struct table *table, struct error *e)
{
    *stems = (struct stems){ 0 };
    bool good = true;
    for (size_t i = 0; good && i < table->ncolumn; i++)
        good = put_column(stems, &table->column[i], i, e);
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
