/* Units that names show: the names of the columns differ in the letter of a component alone, as those of
 * hip_x to hip_z, q_RS_w [] to q_RS_z [], or qx_world to qz_world. See units.h. */
#include "rows/units.h"

#include "base/glob.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

enum { LONGEST_NAME = 1024 /* bytes; a longer name shows no unit */ };

/* Does the last word of a name's first n bytes mean a rotation, so that a digit after it can be a component?
 */
static bool ends_in_rotation(const char *name, size_t n)
{
    static const char *const words[] = {
        "quat", "quaternion", "rot", "rotation", "ori", "orientation", "att"
    };
    while (n > 0 && strchr("_.- [(", name[n - 1]))
        n--;
    for (size_t k = 0; k < sizeof words / sizeof *words; k++) {
        const size_t nword = strlen(words[k]);
        if (n >= nword && strncasecmp(name + n - nword, words[k], nword) == 0)
            return true;
    }
    return n > 0 && strchr("qQ", name[n - 1]) && (n == 1 || strchr("_.- :/", name[n - 2]));
}

/* Can the byte of a name at this place be a component of the kind? */
static bool is_component(const struct unit_kind *kind, const char *name, size_t at)
{
    const int letter = tolower((unsigned char)name[at]);
    for (const char *const *letters = kind->letters; *letters; letters++)
        if (letter && strchr(*letters, letter))
            return !isdigit(letter) || ends_in_rotation(name, at);
    return false;
}

/* Is the name qx_world or such, with the letter after the first q? */
static bool begins_with_q(const char *name)
{
    return strchr("qQ", name[0]) && name[0] && name[1] && name[2] && strchr("_. ", name[2]);
}

/* Where the letter of a component is in a name: at its end, before the kind's tail, before a unit in brackets
 * or a closing bracket, or after a q at its beginning. SIZE_MAX: nowhere. */
static size_t place_of_letter(const struct unit_kind *kind, const char *name)
{
    const char *dot = strrchr(name, '.');
    size_t end = strlen(name);
    if (kind->tail && dot && dot > name && dot[1] && strcmp(dot + 2, kind->tail) == 0)
        end = (size_t)(dot + 2 - name);
    const char *open = end > 2 && name[end - 1] == ']' ? strrchr(name, '[') : NULL;
    if (open) {
        const bool index = open + 3 == name + end && isdigit((unsigned char)open[1]);
        end = index ? end - 1 : (size_t)(open - name);
    }
    while (end > 0 && name[end - 1] == ' ')
        end--;
    if (end > 0 && is_component(kind, name, end - 1))
        return end - 1;
    return begins_with_q(name) && is_component(kind, name, 1) ? 1 : SIZE_MAX;
}

bool unit_is_called(const struct unit *unit, const char *name, const char *word)
{
    const size_t at = place_of_letter(unit->kind, name);
    if (at == SIZE_MAX)
        return false;
    const size_t n = at - (at > 0 && strchr("_.", name[at - 1]));
    const bool after = at == 1 && begins_with_q(name);
    char own[LONGEST_NAME];
    snprintf(own, sizeof own, "%.*s%s", (int)n, name, after ? name + 2 : "");
    return unit->pattern ? glob_matches(word, own) : strcmp(word, own) == 0;
}

size_t columns_with_letter(const struct table *table, size_t i, size_t at, char letter)
{
    const struct column *column = &table->column[i];
    char name[LONGEST_NAME];
    if (strlen(column->name) >= sizeof name)
        return COLUMN_NONE;
    strcpy(name, column->name);
    name[at] = isupper((unsigned char)name[at]) ? (char)toupper((unsigned char)letter) : letter;
    return columns_lookup(table, name);
}

bool unit_by_names(struct unit *unit, const struct table *table, size_t i)
{
    const char *name = table->column[i].original;
    const size_t at = place_of_letter(unit->kind, name);
    for (const char *const *letters = unit->kind->letters; at != SIZE_MAX && *letters; letters++) {
        if ((*letters)[0] != tolower((unsigned char)name[at]))
            continue;
        unit->n = 0;
        for (const char *letter = *letters; *letter; letter++) {
            const size_t column = columns_with_letter(table, i, at, *letter);
            if (column == COLUMN_NONE)
                break;
            unit->column[unit->n++] = column;
        }
        if (unit->n >= unit->kind->least)
            return true;
    }
    return false;
}

/* --- units that need no list --- */

/* Does the first row show the unit whose first column is i? Not with text or a joint. */
static bool is_shown(const struct unit *unit, const struct table *table, size_t i)
{
    const struct column *first = &table->column[i];
    const size_t at = place_of_letter(unit->kind, first->original);
    double number[4] = { 0 };
    for (size_t k = 0; k < unit->n; k++) {
        const struct column *column = &table->column[unit->column[k]];
        if (column->joint || column->first == CELL_TEXT)
            return false;
        number[k] = column->number;
    }
    const bool named = at > 0 && !isdigit((unsigned char)first->original[at]);
    return unit->kind->shows(number, named);
}

/* The number of the joint or vector of the format that a column of the kind belongs to; 0: none. */
static size_t number_in_format(const struct unit_kind *kind, const struct column *column)
{
    if (kind->rotation)
        return column->axis > 0 ? column->joint : 0;
    return kind->least > 1 ? column->vector : 0;
}

/* Puts the n columns of a joint from `first` on into the order of the unit. False: an axis is there twice,
 * and not as in ZXZ. */
static bool order_joint(struct unit *unit, const struct table *table, size_t first)
{
    const char *letters = unit->kind->letters[0];
    unsigned seen = 0;
    for (size_t k = 0; k < unit->n; k++) {
        const struct column *column = &table->column[first + k];
        const char *letter = strchr(letters, "xyzw"[column->axis - 1]);
        if (!letter)
            return false;
        if (unit->kind->angles)
            unit->euler.axis[column->turn ? column->turn - 1 : k] = (unsigned char)(letter - letters);
        unit->column[letter - letters] = first + k;
        seen |= 1U << (letter - letters);
    }
    if (seen == (1U << unit->n) - 1)
        return true;
    for (size_t k = 0; k < unit->n; k++)
        unit->column[k] = first + k;
    return unit->kind->angles && unit_repeats_axis(unit);
}

/* Sets the unit's columns to those of the joint or vector of the format that begins with column i. False:
 * none of the kind begins there. */
static bool is_stated(struct unit *unit, const struct table *table, size_t i)
{
    const size_t number = number_in_format(unit->kind, &table->column[i]);
    if (!number || (i > 0 && number_in_format(unit->kind, &table->column[i - 1]) == number))
        return false;
    const size_t most = strlen(unit->kind->letters[0]);
    unit->n = 0;
    for (size_t k = i; k < table->ncolumn && number_in_format(unit->kind, &table->column[k]) == number; k++) {
        if (unit->n == most)
            return false;
        unit->column[unit->n++] = k;
    }
    return unit->n >= unit->kind->least && (!unit->kind->rotation || order_joint(unit, table, i));
}

bool units_known(struct units *units, const struct table *table, const struct unit_settings *settings,
                 struct error *e)
{
    for (const struct unit_kind *const *kind = unit_kinds; *kind; kind++)
        for (size_t i = 0; i < table->ncolumn && !unit_list(*kind, settings); i++) {
            struct unit unit = { .kind = *kind, .pattern = true };
            const bool stated = is_stated(&unit, table, i);
            unit.shown = !stated && (*kind)->shows && unit_by_names(&unit, table, i) &&
                         is_shown(&unit, table, i);
            if ((stated || unit.shown) && !units_add(units, table, &unit, e))
                return false;
        }
    return true;
}
