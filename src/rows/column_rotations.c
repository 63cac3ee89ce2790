/* Finds rotations: the columns of a quaternion, or of three Euler angles, and the component that each column
 * holds. The component is told by a letter in the name, by the user or by the format, and is never guessed.
 */
#include "rows/columns.h"

#include "base/array.h"
#include "base/glob.h"
#include "base/text.h"
#include "springs/rotation.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { SHOWN = 80, MAXORDER = 8 }; /* bytes of a word in messages; letters of an order */

/* The name of a component's column: the rotation's name, joint, the component's letter, tail. */
static const struct form {
    const char *joint, *tail;
} forms[] = { { "_", "" }, { ".", "" }, { "", "" }, { ".", "rotation" } };

/* The end of the third angle's name, in an order whose first axis is also the third: hip_z2; or hip_z_2, the
 * unique name of a second hip_z. */
static const char *const repeats[] = { "2", "_2", NULL };

enum { NFORM = sizeof forms / sizeof *forms };

/* A kind of rotations that a list names. */
struct kind {
    const char *option;  /* for messages, as the members below */
    const char *what;    /* the kind, with an article */
    const char *number;  /* of columns */
    const char *letters; /* the letters of an order */
    const char *order;   /* an example of an order */
    const char *hint;    /* after an entry that names no rotation */
    size_t first;        /* first component: 0 for w, 1 for x */
};

/* clang-format off */
static const struct kind kinds[] = { [QUATERNIONS] = {
    "--quaternions", "a quaternion", "four", "w, x, y and z", "xyzw",
    "hip stands for hip_w, hip_x, hip_y and hip_z, and hip* for all such four, also with a dot between or "
    "nothing; or give positions and the order, as in 3-6:xyzw", 0
}, [EULER_ANGLES] = {
    "--rotations", "a rotation", "three", "x, y and z", "ZXY",
    "hip:ZXY stands for hip_z, hip_x and hip_y, and hip*:ZXY for all such three, also with a dot between or "
    "nothing; or give positions and the order, as in 3-5:ZXY", 1
} };
/* clang-format on */

/* The search for the rotations of a list, or of the format. */
struct picking {
    const struct columns *columns;
    const struct kind *kind;
    bool ordered;                       /* a quaternion without an order is an error */
    const char *order;                  /* of the entry; "": the entry has no order */
    bool repeated;                      /* the order is of angles, and its first axis is also the third */
    struct column_rotation found;       /* the rotation that is being found */
    struct column_rotations *rotations; /* receives the rotations */
    struct error *e;
    size_t *owner; /* [columns->ncolumn] 1 + the index in rotations->at of the column's rotation; 0: no
                      rotation has the column */
};

/* The component that a letter in either case names, 0 to 3; 4: the letter names no component. */
static size_t component(char letter)
{
    const char *at = letter ? strchr("wxyzWXYZ", letter) : NULL;
    return at ? (size_t)(at - "wxyzWXYZ") % 4 : 4;
}

/* Adds the rotation picking->found to picking->rotations, unless an equal rotation is there. */
static bool add(struct picking *picking)
{
    struct column_rotations *rotations = picking->rotations;
    const size_t *column = picking->found.column;
    for (size_t k = 0; k < 4; k++) {
        size_t owner = column[k] == COLUMN_NONE ? 0 : picking->owner[column[k]];
        const struct column_rotation *old = owner ? &rotations->at[owner - 1] : NULL;
        if (!old)
            continue;
        if (memcmp(old->column, column, sizeof old->column) == 0 &&
            memcmp(old->axis, picking->found.axis, sizeof old->axis) == 0)
            return true;
        error_usage(picking->e, "%s: two rotations share a column", picking->kind->option);
        return error_column(picking->e, picking->columns->column[column[3]].name);
    }
    if (!array_reserve(&rotations->at, rotations->n + 1, &rotations->max, sizeof *rotations->at, picking->e))
        return false;
    rotations->at[rotations->n++] = picking->found;
    for (size_t k = 0; k < 4; k++)
        if (column[k] != COLUMN_NONE)
            picking->owner[column[k]] = rotations->n;
    return true;
}

/* *column becomes the column named STEM, joint, letter (in either case), tail, behind; COLUMN_NONE: no
 * column has the name. False: several columns have the name. */
static bool find_component(struct picking *picking, const char *stem, const struct form *form, size_t letter,
                           const char *behind, size_t *column)
{
    *column = COLUMN_NONE;
    for (size_t k = letter; k < 8 && *column == COLUMN_NONE; k += 4) {
        char *name = text_format("%s%s%c%s%s", stem, form->joint, "wxyzWXYZ"[k], form -> tail, behind);
        bool good = name ? columns_by_name(picking->columns, name, picking->kind->option, column, picking->e)
                         : error_memory(picking->e);
        free(name);
        if (!good)
            return false;
    }
    return true;
}

/* As find_columns, for an order whose first axis is also the third. */
static bool find_repeated(struct picking *picking, const char *stem, const struct form *form, bool *whole)
{
    const unsigned char *axis = picking->found.axis;
    size_t *column = picking->found.column;
    column[0] = column[3] = COLUMN_NONE;
    if (!find_component(picking, stem, form, axis[0] + 1U, "", &column[1]))
        return false;
    if (column[1] == COLUMN_NONE && !find_component(picking, stem, form, axis[0] + 1U, "1", &column[1]))
        return false;
    if (!find_component(picking, stem, form, axis[1] + 1U, "", &column[2]))
        return false;
    for (const char *const *behind = repeats; *behind && column[3] == COLUMN_NONE; behind++)
        if (!find_component(picking, stem, form, axis[2] + 1U, *behind, &column[3]))
            return false;
    *whole = column[1] != COLUMN_NONE && column[2] != COLUMN_NONE && column[3] != COLUMN_NONE;
    return true;
}

/* Finds the columns named STEM and a form; *whole: all components are found. False: several columns have one
 * of the names. */
static bool find_columns(struct picking *picking, const char *stem, const struct form *form, bool *whole)
{
    size_t *column = picking->found.column;
    if (picking->repeated)
        return find_repeated(picking, stem, form, whole);
    *whole = true;
    for (size_t i = 0; i < 4; i++)
        column[i] = COLUMN_NONE;
    for (size_t i = picking->kind->first; i < 4; i++) {
        if (!find_component(picking, stem, form, i, "", &column[i]))
            return false;
        *whole &= column[i] != COLUMN_NONE;
    }
    return true;
}

static bool pick_name(struct picking *picking, const char *name, bool *any)
{
    for (size_t i = 0; i < NFORM && !*any; i++)
        if (!find_columns(picking, name, &forms[i], any))
            return false;
    return !*any || add(picking);
}

/* The form of a name with the letter of the component `letter`, and the bytes before the form; NULL: the name
 * has no such form. */
static const struct form *form_of(const char *name, size_t letter, size_t *nstem)
{
    size_t n = strlen(name);
    for (const struct form *form = forms; form < forms + NFORM; form++) {
        size_t njoint = strlen(form->joint), ntail = strlen(form->tail);
        if (n < njoint + 1 + ntail || strcmp(name + n - ntail, form->tail) != 0 ||
            component(name[n - ntail - 1]) != letter)
            continue;
        *nstem = n - ntail - 1 - njoint;
        if (memcmp(name + *nstem, form->joint, njoint) == 0)
            return form;
    }
    return NULL;
}

/* Adds a rotation for each column that is a first component, where the columns of the other components have
 * the same stem. */
static bool pick_glob(struct picking *picking, const char *glob, bool *any)
{
    bool good = true;
    picking->found.pattern = true;
    for (size_t i = 0; good && i < picking->columns->ncolumn; i++) {
        size_t n;
        const char *name = picking->columns->column[i].name;
        /* In an order whose first axis is also the third, only one column has the letter of the second axis.
         */
        const struct form *form = form_of(
            name, picking->repeated ? picking->found.axis[1] + 1U : picking->kind->first, &n);
        char *stem = form ? text_copy(name, n) : NULL;
        bool whole = stem && glob_matches(glob, stem);
        if (form && !stem)
            good = error_memory(picking->e);
        else if (whole)
            good = find_columns(picking, stem, form, &whole) && (!whole || add(picking));
        *any |= whole;
        free(stem);
    }
    return good;
}

/* Is this an order of angles whose first axis is also the third, such as ZXZ? */
static bool is_repeated(const struct picking *picking, const char *order)
{
    return picking->kind->first && strlen(order) == 3 && component(order[0]) == component(order[2]) &&
           component(order[1]) != component(order[0]) && component(order[0]) % 4 && component(order[1]) % 4;
}

/* Gives the component that letter i of an order names to column first + i. False: the text is not an order.
 */
static bool set_by_order(struct picking *picking, const char *order, size_t first)
{
    size_t seen = 0, n = 4 - picking->kind->first;
    picking->found.column[0] = COLUMN_NONE;
    for (size_t i = 0; i < n && is_repeated(picking, order); i++)
        picking->found.column[1 + i] = first + i;
    if (is_repeated(picking, order))
        return true;
    for (size_t i = 0; i < n; i++) {
        size_t c = component(order[i]);
        if (c == 4)
            return false;
        picking->found.column[c] = first + i;
        seen |= (size_t)1 << c;
    }
    return seen >> picking->kind->first == ((size_t)1 << n) - 1 && order[n] == 0;
}

/* As set_by_order, with the last letters of neighbouring names, or the letters before "rotation", as the
 * order.
 */
static bool set_by_letters(struct picking *picking, size_t first)
{
    static const char tail[] = "rotation";
    const struct column *column = &picking->columns->column[first];
    char order[5] = "";
    for (size_t i = 0; i < 4 - picking->kind->first; i++) {
        size_t n = strlen(column[i].original);
        n -= n >= sizeof tail && strcmp(column[i].original + n + 1 - sizeof tail, tail) == 0 ? sizeof tail - 1
                                                                                             : 0;
        if (n == 0 || strncmp(column[i].original, column->original, n - 1) != 0)
            return false;
        order[i] = column[i].original[n - 1];
    }
    return set_by_order(picking, order, first);
}

static bool no_order(const struct picking *picking, const char *whose)
{
    error_usage(picking->e, "%s: not an order of components", picking->kind->option);
    error_excerpt(picking->e, picking->order, strlen(picking->order));
    return error_hint(picking->e, "an order has the letters %s once each%s, as in %.*s:%s",
                      picking->kind->letters,
                      picking->kind->first ? ", or the first one again in the third place" : "", SHOWN, whose,
                      picking->kind->order);
}

/* Takes an entry of positions, 3-6 or 3-6:xyzw, which are `apart`. end: the byte after the positions. */
static bool pick_positions(struct picking *picking, char *text, char *end, unsigned apart)
{
    const struct kind *kind = picking->kind;
    unsigned more = 3 - (unsigned)kind->first;
    size_t first = 0, last = 0;
    if (apart == more)
        first = columns_find_range(picking->columns, text, kind->option, &last, picking->e);
    if (first == COLUMN_NONE)
        return false;
    if (last != first + more)
        return error_usage(picking->e, "%s: %s takes %s columns, as in 3-%u, and this is %s", kind->option,
                           kind->what, kind->number, 3 + more, text);
    if (*end) {
        picking->order = end + 1;
        *end = 0;
    }
    if (!picking->repeated && (kind->first || !picking->order[0]) && set_by_letters(picking, first))
        return add(picking);
    if (picking->order[0] || !picking->ordered) {
        const char *order = picking->order[0] ? picking->order : "wxyz";
        return set_by_order(picking, order, first) ? add(picking) : no_order(picking, text);
    }
    error_usage(picking->e, "%s: the order of w, x, y and z in columns %s is unknown", picking->kind->option,
                text);
    return error_hint(picking->e, "add the order, for example %s:xyzw or %s:wxyz", text, text);
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
        return error_hint(picking->e, "ZXY means the product Rz Rx Ry of matrices, as in %.*s:ZXY", SHOWN,
                          item->text);
    }
    for (size_t i = 0; i < 3; i++)
        picking->found.axis[i] = (unsigned char)(component(order[i]) - 1);
    picking->repeated = is_repeated(picking, order);
    return set_by_order(picking, order, 0) || no_order(picking, item->text);
}

static bool pick_item(void *closure, const struct column_item *item)
{
    struct picking *picking = closure;
    char order[MAXORDER] = "", *text = item->text;
    unsigned first, last;
    int n;
    picking->order = order;
    picking->found = (struct column_rotation){ 0 };
    if (picking->kind->first && !take_order(picking, item, order))
        return false;
    bool digit = strchr("0123456789", text[0]); /* sscanf takes a sign, too */
    if (!item->is_name && digit && sscanf(text, "%8u-%8u%n", &first, &last, &n) == 2 &&
        (text[n] == 0 || text[n] == ':'))
        return pick_positions(picking, text, text + n, last - first);
    bool any = false, glob = !item->is_name && strpbrk(text, "*?[");
    if (!(glob ? pick_glob : pick_name)(picking, text, &any))
        return false;
    if (any)
        return true;
    error_data(picking->e, "%s: no %s columns for \"%.*s\"", picking->kind->option, picking->kind->number,
               SHOWN, text);
    return error_hint(picking->e, "%s", picking->kind->hint);
}

/* Adds the rotation of a joint with n columns that have an axis, if these are a quaternion or three angles.
 */
static bool add_joint(struct picking *picking, const size_t column[4], size_t n)
{
    unsigned char *axis = picking->found.axis;
    bool angles = picking->kind->first;
    size_t seen = 0;
    if (n != 4 - picking->kind->first)
        return true;
    picking->found.column[0] = COLUMN_NONE;
    for (size_t k = 0; k < n; k++) {
        const struct column *c = &picking->columns->column[column[k]];
        picking->found.column[c->axis % 4] = column[k];
        seen |= (size_t)1 << c->axis % 4;
        if (angles)
            axis[c->turn ? c->turn - 1 : k] = (unsigned char)(c->axis - 1);
    }
    if (angles && axis[0] == axis[2] && axis[0] != axis[1]) {
        memcpy(picking->found.column + 1, column, 3 * sizeof *column);
        return add(picking);
    }
    return seen >> picking->kind->first != ((size_t)1 << n) - 1 || add(picking);
}

static bool add_joints(struct picking *picking)
{
    size_t n = 0, column[4];
    for (size_t i = 0; i < picking->columns->ncolumn; i = columns_after(picking->columns, i)) {
        const struct column *c = &picking->columns->column[i];
        if (c->axis && c->joint && c->role != ROLE_ABSENT) {
            column[n % 4] = i;
            n++;
        }
        if (i + 1 < picking->columns->ncolumn && c[1].joint == c->joint)
            continue;
        if (!add_joint(picking, column, n))
            return false;
        n = 0;
    }
    return true;
}

/* The letter of a column of a quaternion that Motive or a trajectory of TUM names, by the name and the cell
 * above the name; 0: the column is no such column. Motive: X, Y, Z and W below `Rotation`. TUM: qx, qy, qz
 * and qw in a remark. */
static char known_letter(const struct columns *columns, const struct column *column)
{
    static const char before[] = ".Rotation.";
    size_t n = column->joint || column->role == ROLE_ABSENT ? 0 : strlen(column->original),
           nbefore = sizeof before - 1;
    if (n == 1 && column->above && strcasecmp(column->above, "Rotation") == 0)
        return *column->original;
    if (n == 2 && columns->remarked && column->original[0] == 'q')
        return column->original[1];
    return n > nbefore && strncasecmp(column->original + n - 1 - nbefore, before, nbefore) == 0
               ? column->original[n - 1]
               : 0;
}

static bool add_known(struct picking *picking)
{
    for (size_t i = 0; i + 4 <= picking->columns->ncolumn; i = columns_after(picking->columns, i)) {
        char order[5] = "";
        for (size_t k = 0; k < 4; k++)
            order[k] = known_letter(picking->columns, &picking->columns->column[i + k]);
        if (!set_by_order(picking, order, i))
            continue;
        if (!add(picking))
            return false;
        i += 3;
    }
    return true;
}

bool columns_rotations(const struct columns *columns, enum rotation_kind kind, const char *list, bool ordered,
                       struct column_rotations *rotations, struct error *e)
{
    struct picking picking = { .columns = columns,
                               .kind = &kinds[kind],
                               .ordered = ordered,
                               .order = "",
                               .found = { .pattern = true },
                               .rotations = rotations,
                               .e = e };
    picking.owner = calloc(columns->ncolumn + 1, sizeof *picking.owner);
    if (!picking.owner)
        return error_memory(e);
    for (size_t i = 0; i < rotations->n; i++)
        for (size_t k = 0; k < 4; k++)
            if (rotations->at[i].column[k] != COLUMN_NONE)
                picking.owner[rotations->at[i].column[k]] = i + 1;
    bool good = list ? columns_each_item(columns, list, picking.kind->option, pick_item, &picking, e)
                     : (kind != QUATERNIONS || add_known(&picking)) && add_joints(&picking);
    free(picking.owner);
    return good;
}
