/* Finds the columns of vectors and rotations that a list names, and the component that each column holds. The
 * component is given by a letter in the name or by the user, never guessed. */
#include "rows/units.h"

#include "base/array.h"
#include "base/glob.h"
#include "base/text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SHOWN = 80, MAXORDER = 8 }; /* bytes of a word in messages; letters of an order */

/* The end of the third angle's name, in an order whose first axis is also the third: hip_z2; or hip_z_2, the
 * unique name of a second hip_z. */
static const char *const repeats[] = { "2", "_2", NULL };

/* A kind of units that a list names. */
struct kind {
    const char *what;    /* the kind, with an article, for messages as the members below */
    const char *number;  /* of columns */
    const char *letters; /* the letters of an order */
    const char *order;   /* an example of an order */
    const char *hint;    /* after an entry that names no unit */
    const char *tail;    /* after the letter of a component, in some formats */
    size_t first;        /* first component: 0 for w, 1 for x */
    size_t least;        /* number of columns, at least; at most all from the first component to z */
};

/* clang-format off */
static const struct kind kinds[UNIT_KINDS] = { [UNIT_QUATERNION] = {
    "a quaternion", "four", "w, x, y and z", "xyzw",
    "hip means hip_w, hip_x, hip_y, hip_z (or hip.w, hipw); hip* means all that match; or give positions, as in 3-6:xyzw", "rotation", 0, 4
}, [UNIT_EULER] = {
    "a rotation", "three", "x, y and z", "ZXY",
    "hip:ZXY means hip_z, hip_x, hip_y (or hip.z, hipz); hip*:ZXY means all that match; or give positions, as in 3-5:ZXY", "rotation", 1, 3
}, [UNIT_VECTOR] = {
    "a vector", "two or three", "x, y and z", "xyz",
    "wrist means wrist_x, wrist_y, wrist_z (or wrist.x, wristx); wrist* means all that match; or give positions, as in 3-5", "position", 1, 2
} };
/* clang-format on */

/* The search for the units of a list. */
struct picking {
    const struct table *table;
    const struct kind *kind;
    const struct unit_stems *stems;
    const char *option;
    bool ordered;              /* a quaternion without an order is an error */
    const char *order;         /* of the entry; "": the entry has no order */
    bool repeated;             /* the order is of angles, and its first axis is also the third */
    struct unit_columns found; /* the unit that is being found */
    struct unit_list *list;    /* receives the units */
    struct error *e;
};

size_t unit_component(char letter)
{
    const char *at = letter ? strchr("wxyzWXYZ", letter) : NULL;
    return at ? (size_t)(at - "wxyzWXYZ") % 4 : 4;
}

/* --- the list of what was found --- */

bool unit_list_add(struct unit_list *list, const struct table *table, const struct unit_columns *found,
                   struct error *e)
{
    if (!list->owner && !arrays_make(e, ARRAY(list->owner, table->ncolumn)))
        return false;
    for (size_t k = 0; k < found->n; k++) {
        size_t owner = list->owner[found->column[k]];
        const struct unit_columns *old = owner ? &list->at[owner - 1] : NULL;
        if (!old)
            continue;
        if (old->n == found->n && memcmp(old->column, found->column, found->n * sizeof *old->column) == 0 &&
            memcmp(old->axis, found->axis, sizeof old->axis) == 0)
            return true;
        error_usage(e, "%s: two %s share a column", unit_ops[found->kind].option,
                    found->kind == UNIT_VECTOR ? "vectors" : "rotations");
        return error_column(e, table->column[found->column[k]].name);
    }
    if (!array_reserve(&list->at, list->n + 1, &list->max, sizeof *list->at, e))
        return false;
    list->at[list->n++] = *found;
    for (size_t k = 0; k < found->n; k++)
        list->owner[found->column[k]] = list->n;
    return true;
}

void unit_list_free(struct unit_list *list)
{
    free(list->at);
    free(list->owner);
}

static bool add(struct picking *picking)
{
    return unit_list_add(picking->list, picking->table, &picking->found, picking->e);
}

/* --- by names --- */

/* Sets *column to that of a component, whose name is the prefix of the stem, the letter in either case, and
 * `after`; COLUMN_NONE: no column has the name. False: several columns have the name. */
static bool find_component(struct picking *picking, const struct unit_stem *stem, size_t letter,
                           const char *after, size_t *column)
{
    *column = COLUMN_NONE;
    for (size_t k = letter; k < 8 && *column == COLUMN_NONE; k += 4) {
        char *name = text_format("%.*s%c%s", (int)stem->nprefix, stem->prefix, "wxyzWXYZ"[k], after);
        bool good = name ? columns_by_name(picking->table, name, picking->option, column, picking->e)
                         : error_memory(picking->e);
        free(name);
        if (!good)
            return false;
    }
    return true;
}

/* As take_stem, for an order whose first axis is also the third. */
static bool take_repeated(struct picking *picking, const struct unit_stem *stem, bool *whole)
{
    const unsigned char *axis = picking->found.axis;
    size_t *column = picking->found.column;
    column[2] = COLUMN_NONE;
    if (!find_component(picking, stem, axis[0] + 1U, "", &column[0]))
        return false;
    if (column[0] == COLUMN_NONE && !find_component(picking, stem, axis[0] + 1U, "1", &column[0]))
        return false;
    if (!find_component(picking, stem, axis[1] + 1U, "", &column[1]))
        return false;
    for (const char *const *after = repeats; *after && column[2] == COLUMN_NONE; after++)
        if (!find_component(picking, stem, axis[2] + 1U, *after, &column[2]))
            return false;
    *whole = column[0] != COLUMN_NONE && column[1] != COLUMN_NONE && column[2] != COLUMN_NONE;
    picking->found.n = 3;
    return true;
}

/* Sets the columns of the unit to those of the stem; *whole: there are as many as the kind needs. False:
 * several columns have one of the names. */
static bool take_stem(struct picking *picking, const struct unit_stem *stem, bool *whole)
{
    struct unit_columns *found = &picking->found;
    if (picking->repeated)
        return take_repeated(picking, stem, whole);
    found->n = 0;
    for (size_t k = picking->kind->first; k < 4 && stem->seen & 1U << k; k++)
        found->column[found->n++] = stem->column[k];
    *whole = found->n >= picking->kind->least;
    for (size_t k = 0; k < found->n && *whole; k++) {
        size_t column;
        const char *name = picking->table->column[found->column[k]].original;
        if (!columns_by_name(picking->table, name, picking->option, &column, picking->e))
            return false;
    }
    return true;
}

/* Does an entry of the list call the stem so? */
static bool is_called(const struct picking *picking, const struct unit_stem *stem, const char *text)
{
    const bool letters = stem->letters == 'w' ||
                         (stem->letters == 'r' && picking->found.kind == UNIT_QUATERNION);
    if (!letters || (stem->tail[0] && strcmp(stem->tail, picking->kind->tail) != 0))
        return false;
    if (picking->found.pattern)
        return glob_matches(text, stem->word);
    return strcmp(text, stem->word) == 0 ||
           (strlen(text) == stem->nprefix && memcmp(text, stem->prefix, stem->nprefix) == 0);
}

/* Adds the unit of the stem with a name, or the units of all stems whose names match a glob. */
static bool pick_stems(struct picking *picking, const char *text, bool *any)
{
    for (size_t k = 0; k < picking->stems->n; k++) {
        const struct unit_stem *stem = &picking->stems->at[k];
        bool whole = false;
        if (!is_called(picking, stem, text))
            continue;
        if (!take_stem(picking, stem, &whole) || (whole && !add(picking)))
            return false;
        *any |= whole;
        if (whole && !picking->found.pattern)
            return true;
    }
    return true;
}

/* --- by positions and orders --- */

/* Is this an order of angles whose first axis is also the third, such as ZXZ? */
static bool is_repeated(const struct picking *picking, const char *order)
{
    return picking->found.kind == UNIT_EULER && strlen(order) == 3 &&
           unit_component(order[0]) == unit_component(order[2]) &&
           unit_component(order[1]) != unit_component(order[0]) && unit_component(order[0]) % 4 &&
           unit_component(order[1]) % 4;
}

/* Gives the component that letter i of an order names to column first + i. False: the text is not an order.
 */
static bool set_by_order(struct picking *picking, const char *order, size_t first)
{
    const size_t skipped = picking->kind->first, n = 4 - skipped;
    size_t seen = 0;
    picking->found.n = n;
    for (size_t i = 0; i < n && is_repeated(picking, order); i++)
        picking->found.column[i] = first + i;
    if (is_repeated(picking, order))
        return true;
    for (size_t i = 0; i < n; i++) {
        size_t c = unit_component(order[i]);
        if (c == 4 || c < skipped)
            return false;
        picking->found.column[c - skipped] = first + i;
        seen |= (size_t)1 << (c - skipped);
    }
    return seen == ((size_t)1 << n) - 1 && order[n] == 0;
}

/* As set_by_order, with the last letters of neighbouring names, or the letters before the tail, as the order.
 */
static bool set_by_letters(struct picking *picking, size_t first)
{
    const char *tail = picking->kind->tail;
    const struct column *column = &picking->table->column[first];
    const size_t ntail = strlen(tail);
    char order[5] = "";
    for (size_t i = 0; i < 4 - picking->kind->first; i++) {
        size_t n = strlen(column[i].original);
        n -= n > ntail && strcmp(column[i].original + n - ntail, tail) == 0 ? ntail : 0;
        if (n == 0 || strncmp(column[i].original, column->original, n - 1) != 0)
            return false;
        order[i] = column[i].original[n - 1];
    }
    return set_by_order(picking, order, first);
}

static bool no_order(const struct picking *picking, const char *whose)
{
    error_usage(picking->e, "%s: not a valid order", picking->option);
    error_excerpt(picking->e, picking->order, strlen(picking->order));
    return error_hint(picking->e, "use the letters %s once each%s, as in %.*s:%s", picking->kind->letters,
                      picking->kind->first ? " (the third may repeat the first)" : "", SHOWN, whose,
                      picking->kind->order);
}

/* Takes the components of a rotation in columns first, first + 1, and so on. text: the positions. */
static bool pick_order(struct picking *picking, size_t first, const char *text)
{
    bool letters = picking->found.kind == UNIT_EULER || !picking->order[0];
    if (!picking->repeated && letters && set_by_letters(picking, first))
        return add(picking);
    if (picking->order[0] || !picking->ordered) {
        const char *order = picking->order[0] ? picking->order : "wxyz";
        return set_by_order(picking, order, first) ? add(picking) : no_order(picking, text);
    }
    error_usage(picking->e, "%s: the order of w, x, y and z in columns %s is unknown", picking->option, text);
    return error_hint(picking->e, "add the order, for example %s:xyzw or %s:wxyz", text, text);
}

/* Takes an entry of positions, 3-6 or 3-6:xyzw, which are `apart`. end: the byte after the positions. */
static bool pick_positions(struct picking *picking, char *text, char *end, unsigned apart)
{
    const struct kind *kind = picking->kind;
    const unsigned most = 3 - (unsigned)kind->first;
    size_t first = 0, last = 0;
    bool fits = apart <= most && apart + 1U >= kind->least;
    if (fits)
        first = columns_find_range(picking->table, text, picking->option, &last, picking->e);
    if (first == COLUMN_NONE)
        return false;
    if (!fits || last != first + apart)
        return error_usage(picking->e, "%s: %s has %s columns, as in 3-%u, but this is %s", picking->option,
                           kind->what, kind->number, 3 + most, text);
    if (picking->found.kind == UNIT_VECTOR) {
        picking->found.n = apart + 1U;
        for (size_t k = 0; k <= apart; k++)
            picking->found.column[k] = first + k;
        return add(picking);
    }
    if (*end) {
        picking->order = end + 1;
        *end = 0;
    }
    return pick_order(picking, first, text);
}

/* Copies the first order in a text: the letters between a colon and one of the bytes in ends. Returns the
 * colon; NULL: the text has no order. */
static char *find_order(const char *text, const char *ends, char order[MAXORDER])
{
    for (const char *colon = text; colon && (colon = strchr(colon, ':')); colon++) {
        size_t n = strspn(colon + 1, "xyzXYZ");
        if (n == 0 || n >= MAXORDER || !strchr(ends, colon[1 + n]))
            continue;
        snprintf(order, MAXORDER, "%.*s", (int)n, colon + 1);
        return (char *)colon;
    }
    return NULL;
}

/* Takes the order of angles from the end of the entry, which is cut off, or else from a later entry. */
static bool take_order(struct picking *picking, const struct column_item *item, char order[MAXORDER])
{
    char *own = find_order(item->text, "", order);
    if (own)
        *own = 0;
    else if (!find_order(item->rest, ",\" \t", order)) {
        error_usage(picking->e, "--rotations: the order of the angles is missing after \"%.*s\"", SHOWN,
                    item->text);
        return error_hint(picking->e, "for example %.*s:ZXY, which means the matrix product Rz Rx Ry", SHOWN,
                          item->text);
    }
    for (size_t i = 0; i < 3; i++)
        picking->found.axis[i] = (unsigned char)(unit_component(order[i]) - 1);
    picking->repeated = is_repeated(picking, order);
    return set_by_order(picking, order, 0) || no_order(picking, item->text);
}

/* --- an entry --- */

static bool pick_item(void *closure, const struct column_item *item)
{
    struct picking *picking = closure;
    char order[MAXORDER] = "", *text = item->text;
    unsigned first, last;
    int n;
    const enum unit_kind kind = picking->found.kind;
    picking->order = order;
    picking->found = (struct unit_columns){ .kind = kind };
    if (kind == UNIT_EULER && !take_order(picking, item, order))
        return false;
    bool digit = strchr("0123456789", text[0]); /* sscanf takes a sign, too */
    if (!item->is_name && digit && sscanf(text, "%8u-%8u%n", &first, &last, &n) == 2 &&
        (text[n] == 0 || (text[n] == ':' && kind != UNIT_VECTOR)))
        return pick_positions(picking, text, text + n, last - first);
    bool any = false, glob = !item->is_name && strpbrk(text, "*?[");
    picking->found.pattern = glob;
    if (!pick_stems(picking, text, &any))
        return false;
    if (any)
        return true;
    error_data(picking->e, "%s: \"%.*s\" does not match %s columns", picking->option, SHOWN, text,
               picking->kind->number);
    return error_hint(picking->e, "%s", picking->kind->hint);
}

bool units_listed(const struct table *table, enum unit_kind kind, const char *list, bool ordered,
                  struct unit_list *found, struct error *e)
{
    struct unit_stems stems = { 0 };
    struct picking picking = { .table = table,
                               .kind = &kinds[kind],
                               .stems = &stems,
                               .option = unit_ops[kind].option,
                               .ordered = ordered,
                               .order = "",
                               .found = { .kind = kind },
                               .list = found,
                               .e = e };
    const bool good = unit_stems_make(&stems, table, e) &&
                      columns_each_item(table, list, picking.option, pick_item, &picking, e);
    unit_stems_free(&stems);
    return good;
}
