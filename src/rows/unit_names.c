/* The columns of vectors and rotations: those that a list names, those that a format defines, and those that
 * names and the first row show. Columns whose names differ in the letter of a component alone are a stem:
 * hip_x to hip_z, or q_RS_w [] to q_RS_z []. */
#include "rows/units.h"

#include "base/array.h"
#include "base/glob.h"
#include "base/text.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { SHOWN = 80, MAXORDER = 8 }; /* bytes of a word in messages; letters of an order */

/* A kind of units that a list names. */
struct kind {
    const char *number; /* of columns, for messages */
    const char *hint;   /* after an entry that names no unit */
    const char *tail;   /* after the letter of a component, in some formats */
    size_t first;       /* first component: 0 for w, 1 for x */
    size_t least;       /* number of columns, at least; at most all from the first component to z */
};

/* clang-format off */
static const struct kind kinds[UNIT_KINDS] = {
    [UNIT_QUATERNION] = { "four", "hip means hip_w, hip_x, hip_y, hip_z (or hip.w, hipw); hip* means all that match; "
                          "or give positions and the order of the components, as in 3-6:xyzw", "rotation", 0, 4 },
    [UNIT_EULER] = { "three", "hip:ZXY means hip_z, hip_x, hip_y (or hip.z, hipz) and the matrix product Rz Rx Ry; "
                     "hip*:ZXY means all that match; or give positions, as in 3-5:ZXY or 3-5:ZXZ", "rotation", 1, 3 },
    [UNIT_VECTOR] = { "two or three", "wrist means wrist_x, wrist_y, wrist_z (or wrist.x, wristx); wrist* means all that "
                      "match; or give positions, as in 3-5", "position", 1, 2 },
};
/* clang-format on */

/* --- the list of what was found --- */

static bool unit_list_add(struct unit_list *list, const struct table *table, const struct unit_columns *found,
                          struct error *e)
{
    if (!list->owned && !arrays_make(e, ARRAY(list->owned, table->ncolumn)))
        return false;
    for (size_t k = 0; k < found->n; k++) {
        if (!list->owned[found->column[k]])
            continue;
        if (found->pattern)
            return true;
        error_usage(e, "%s names this column, but it is part of another rotation or vector",
                    unit_options[found->kind]);
        return error_column(e, table->column[found->column[k]].name);
    }
    if (!array_reserve(&list->at, list->n + 1, &list->max, sizeof *list->at, e))
        return false;
    list->at[list->n++] = *found;
    for (size_t k = 0; k < found->n; k++)
        list->owned[found->column[k]] = true;
    return true;
}

void unit_list_free(struct unit_list *list)
{
    free(list->at);
    free(list->owned);
}

/* --- stems --- */

struct stem {
    char *key;        /* owned; the kind of letters, and the name without the letter */
    char *word;       /* owned; what a LIST calls the stem: q_RS of q_RS_w [] */
    const char *tail; /* after the letter: "rotation", "position" or "" */
    bool digits;      /* the letters are digits */
    bool named;       /* something is before the letter, or above the names */
    unsigned seen;    /* bit k: column[k] was found */
    size_t column[5]; /* of w, x, y, z; of r, i, j, k; of the digits 0 to 4 */
};

struct stems {
    struct stem *at; /* [n] owned; in the order of their first columns */
    size_t n, max;
    struct name_table table; /* owned; the newest stem of each key */
};

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

/* The place of a component, a letter or a digit, in stem.column. */
static size_t slot_of(char component)
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
                               .digits = key[0] == '0',
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
    const size_t slot = slot_of(name[at]);
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

/* Finds the stems of a table. stems_free follows, also on error. */
static bool stems_make(struct stems *stems, const struct table *table, struct error *e)
{
    *stems = (struct stems){ 0 };
    bool good = true;
    for (size_t i = 0; good && i < table->ncolumn; i++)
        good = put_column(stems, &table->column[i], i, e);
    return good;
}

static void stems_free(struct stems *stems)
{
    for (size_t k = 0; k < stems->n; k++) {
        free(stems->at[k].key);
        free(stems->at[k].word);
    }
    free(stems->at);
    name_table_free(&stems->table);
}

/* Sets the columns of a unit of the kind to those of the stem. False: the stem has too few. */
static bool take_stem(const struct stem *stem, enum unit_kind kind, struct unit_columns *found)
{
    const size_t skipped = stem->digits && !(stem->seen & 1); /* digits 1 to 4 */
    const size_t first = kinds[kind].first, most = 4 - first;
    found->n = 0;
    while (found->n < most && stem->seen >> (first + skipped + found->n) & 1) {
        found->column[found->n] = stem->column[first + skipped + found->n];
        found->n++;
    }
    return found->n >= kinds[kind].least;
}

/* --- units of a list --- */

struct picking {
    const struct table *table, *input; /* the units are of `table`; the list names columns of `input` */
    struct stems stems;                /* of the input */
    const char *option;
    char order[MAXORDER];      /* of the entry; "": the entry has no order */
    struct unit_columns found; /* the unit that is being found */
    struct unit_list *list;    /* receives the units */
    struct error *e;
};

/* Adds the unit of the input, if it is of the table. Columns of several tables, whose times differ, are no
 * unit. */
static bool add(const struct picking *picking)
{
    struct unit_columns own = picking->found;
    size_t elsewhere = 0;
    for (size_t k = 0; k < own.n; k++) {
        own.column[k] = table_place(picking->table, own.column[k]);
        elsewhere += own.column[k] == COLUMN_NONE;
    }
    if (elsewhere == 0)
        return unit_list_add(picking->list, picking->table, &own, picking->e);
    if (elsewhere == own.n || own.pattern)
        return true;
    error_data(picking->e, "%s names columns whose times differ", picking->option);
    return error_column(picking->e, picking->input->column[picking->found.column[0]].name);
}

/* Reads the order: each component once, or angles whose first axis is also the third. */
static bool read_order(struct picking *picking)
{
    struct unit_columns *found = &picking->found;
    const size_t first = kinds[found->kind].first, n = strlen(picking->order);
    unsigned seen = 0;
    if (n != 4 - first)
        return false;
    for (size_t i = 0; i < n; i++) {
        const size_t slot = slot_of(picking->order[i]);
        seen |= 1U << slot;
        if (found->kind == UNIT_EULER)
            found->axis[i] = (unsigned char)(slot - first);
    }
    return !(seen & first) && (seen == (15U << first & 15) || unit_repeats_axis(found));
}

/* Copies the first order in a text, the letters between a colon and one of the bytes in ends. Returns the
 * colon; NULL: the text has no order. */
static char *find_order(char *text, const char *ends, char order[MAXORDER])
{
    for (char *colon = text; colon && (colon = strchr(colon, ':')); colon++) {
        const size_t n = strspn(colon + 1, "wxyzWXYZ");
        if (n == 0 || n >= MAXORDER || !strchr(ends, colon[1 + n]))
            continue;
        snprintf(order, MAXORDER, "%.*s", (int)n, colon + 1);
        return colon;
    }
    return NULL;
}

/* Adds the hint of the kind to an error. Returns false. */
static bool hint(const struct picking *picking)
{
    return error_hint(picking->e, "%s", kinds[picking->found.kind].hint);
}

static bool no_match(const struct picking *picking, const char *text)
{
    error_data(picking->e, "%s: \"%.*s\" does not match %s columns", picking->option, SHOWN, text,
               kinds[picking->found.kind].number);
    return hint(picking);
}

/* Takes the order of an entry and cuts it off. An entry of angles without one has that of a later entry. */
static bool take_order(struct picking *picking, const struct column_item *item)
{
    const enum unit_kind kind = picking->found.kind;
    picking->order[0] = 0;
    char *own = kind == UNIT_VECTOR ? NULL : find_order(item->text, "", picking->order);
    if (own)
        *own = 0;
    else if (kind == UNIT_EULER)
        find_order(item->rest, ",\" \t", picking->order);
    if (picking->order[0] ? read_order(picking) : kind != UNIT_EULER)
        return true;
    if (picking->order[0]) {
        error_usage(picking->e, "%s: not a valid order", picking->option);
        error_excerpt(picking->e, picking->order, strlen(picking->order));
    } else {
        error_usage(picking->e, "%s: the order of the angles is missing after \"%.*s\"", picking->option,
                    SHOWN, item->text);
    }
    return hint(picking);
}

/* Puts the columns from `first` on in the order of the unit, if they are those of one stem. */
static bool order_by_letters(struct picking *picking, size_t first)
{
    const size_t n = picking->found.n;
    for (size_t s = 0; s < picking->stems.n; s++) {
        struct unit_columns found = picking->found;
        bool alike = !picking->stems.at[s].digits && take_stem(&picking->stems.at[s], found.kind, &found);
        for (size_t k = 0; k < found.n; k++)
            alike = alike && found.column[k] >= first && found.column[k] < first + n;
        if (alike && found.n == n) {
            picking->found = found;
            return true;
        }
    }
    return false;
}

/* Takes an entry of positions, such as 3-6. The order names the components of a quaternion; those of angles,
 * and without an order, the letters of the names, where these show them. */
static bool pick_positions(struct picking *picking, const char *text)
{
    struct unit_columns *found = &picking->found;
    const bool ordered = picking->order[0] != 0;
    size_t first, last;
    if (!columns_find_range(picking->input, text, picking->option, &first, &last, picking->e))
        return false;
    found->n = last - first + 1;
    if (found->n < kinds[found->kind].least || found->n > 4 - kinds[found->kind].first)
        return no_match(picking, text);
    for (size_t k = 0; k < found->n; k++)
        found->column[k] = first + k;
    if (found->kind == UNIT_VECTOR || unit_repeats_axis(found))
        return add(picking);
    if ((found->kind == UNIT_EULER || !ordered) && order_by_letters(picking, first))
        return add(picking);
    if (!ordered) {
        error_usage(picking->e, "%s: the order of w, x, y and z in columns %s is unknown", picking->option,
                    text);
        return hint(picking);
    }
    for (size_t k = 0; k < found->n; k++)
        found->column[slot_of(picking->order[k]) - kinds[found->kind].first] = first + k;
    return add(picking);
}

/* Does an entry of the list call the stem so? */
static bool is_called(const struct picking *picking, const struct stem *stem, const char *text)
{
    const bool letters = stem->key[0] == 'w' || picking->found.kind == UNIT_QUATERNION;
    if (!letters || (stem->tail[0] && strcmp(stem->tail, kinds[picking->found.kind].tail) != 0))
        return false;
    return picking->found.pattern ? glob_matches(text, stem->word) : strcmp(text, stem->word) == 0;
}

/* Takes the stem with a name, or all stems whose names match a glob. */
static bool pick_stems(struct picking *picking, const char *text)
{
    const struct unit_columns *found = &picking->found;
    bool any = false;
    for (size_t s = 0; s < picking->stems.n && (!any || found->pattern); s++) {
        const struct stem *stem = &picking->stems.at[s];
        if (!is_called(picking, stem, text) || unit_repeats_axis(found) ||
            !take_stem(stem, found->kind, &picking->found))
            continue;
        for (size_t k = 0; k < found->n; k++) {
            size_t column;
            const char *name = picking->input->column[found->column[k]].original;
            if (!columns_by_name(picking->input, name, picking->option, &column, picking->e))
                return false;
        }
        if (!add(picking))
            return false;
        any = true;
    }
    return any || picking->input->lists || no_match(picking, text);
}

static bool pick_item(struct picking *picking, const struct column_item *item)
{
    static const char digits[] = "0123456789";
    const bool glob = !item->is_name && strpbrk(item->text, "*?");
    picking->found = (struct unit_columns){ .kind = picking->found.kind, .pattern = glob, .listed = true };
    if (!take_order(picking, item))
        return false;
    const size_t n = strspn(item->text, digits), dash = item->text[n] == '-';
    const size_t nlast = strspn(item->text + n + dash, digits);
    const bool range = n > 0 && dash && nlast > 0 && !item->text[n + dash + nlast];
    return range && !item->is_name ? pick_positions(picking, item->text) : pick_stems(picking, item->text);
}

bool units_listed(const struct table *table, enum unit_kind kind, const char *list, struct unit_list *found,
                  struct error *e)
{
    char *copy = strdup(list), *at = copy;
    struct column_item item;
    struct picking picking = { .table = table,
                               .input = table->input ? table->input : table,
                               .option = unit_options[kind],
                               .found = { .kind = kind },
                               .list = found,
                               .e = e };
    bool good = stems_make(&picking.stems, picking.input, e) && (copy || error_memory(e));
    while (good && at)
        good = columns_next_item(picking.input, &at, picking.option, &item, e) && pick_item(&picking, &item);
    if (good && found->n > 0 && picking.input->lists)
        good = texts_add(picking.input->lists, list, e);
    stems_free(&picking.stems);
    free(copy);
    return good;
}

/* --- units that need no list --- */

/* Fills in the columns of a joint's rotation, column[0] to column[n - 1], which are a quaternion or three
 * angles. False: they are neither. */
static bool take_joint(struct unit_columns *found, const struct column *column, size_t first)
{
    const bool angles = found->kind == UNIT_EULER;
    const size_t n = found->n;
    unsigned seen = 0;
    if (n != (angles ? 3 : 4))
        return false;
    for (size_t k = 0; k < n; k++) {
        const size_t component = angles ? column[k].axis - 1 : column[k].axis % 4;
        seen |= 1U << component;
        found->column[component % n] = first + k;
        if (angles)
            found->axis[column[k].turn ? column[k].turn - 1 : k] = (unsigned char)component;
    }
    for (size_t k = 0; k < n && unit_repeats_axis(found); k++)
        found->column[k] = first + k;
    return seen == (1U << n) - 1 || unit_repeats_axis(found);
}

/* The joint or vector of the format that a column is part of; 0: none. */
static size_t whole_of(const struct column *column, enum unit_kind kind)
{
    if (kind == UNIT_VECTOR)
        return column->vector;
    return column->axis > 0 ? column->joint : 0;
}

/* Adds the units that the format defines, whose columns are side by side. */
static bool add_of_format(const struct table *table, enum unit_kind kind, struct unit_list *list,
                          struct error *e)
{
    const struct column *column = table->column;
    for (size_t i = 0, end; i < table->ncolumn; i = end) {
        const size_t whole = whole_of(&column[i], kind);
        for (end = i + 1; end < table->ncolumn && whole_of(&column[end], kind) == whole;)
            end++;
        struct unit_columns found = { .kind = kind, .n = end - i, .pattern = true };
        if (whole == 0 || found.n < 2 || found.n > 4)
            continue;
        for (size_t k = 0; k < found.n; k++)
            found.column[k] = i + k;
        if ((kind == UNIT_VECTOR || take_joint(&found, &column[i], i)) &&
            !unit_list_add(list, table, &found, e))
            return false;
    }
    return true;
}

/* Does the first row show a quaternion: a length of 1, or, below letters, gaps or four zeros? */
static bool shows_quaternion(const struct table *table, const struct stem *stem, const size_t column[4])
{
    double sum = 0;
    for (size_t k = 0; k < 4; k++) {
        const struct column *c = &table->column[column[k]];
        if (c->joint || c->first == CELL_TEXT || columns_angle_name(table, column[k]) == NO_ANGLE)
            return false;
        sum += c->number * c->number;
    }
    return fabs(sqrt(sum) - 1) <= 0.01 || (!stem->digits && stem->named && (isnan(sum) || sum == 0));
}

/* Adds the quaternions that names and the first row show. */
static bool add_named(const struct table *table, struct unit_list *list, struct error *e)
{
    struct stems stems;
    bool good = stems_make(&stems, table, e);
    for (size_t k = 0; good && k < stems.n; k++) {
        struct unit_columns found = { .kind = UNIT_QUATERNION, .pattern = true };
        if (take_stem(&stems.at[k], UNIT_QUATERNION, &found) &&
            shows_quaternion(table, &stems.at[k], found.column))
            good = unit_list_add(list, table, &found, e);
    }
    stems_free(&stems);
    return good;
}

bool units_known(const struct table *table, enum unit_kind kind, struct unit_list *found, struct error *e)
{
    return (kind != UNIT_QUATERNION || add_named(table, found, e)) && add_of_format(table, kind, found, e);
}
