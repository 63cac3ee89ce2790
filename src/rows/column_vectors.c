/* Finds vectors: two or three columns that are the components of a position, a velocity or the like. The
 * columns are told by letters in the names, by the positions that the user gives, or by the format. */
#include "rows/columns.h"

#include "base/array.h"
#include "base/glob.h"
#include "base/text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { SHOWN = 80 }; /* bytes of a word in messages */

/* How the name of a column goes on after the name of its vector: separator, letter, tail. */
static const struct form {
    const char *separator, *tail;
} forms[] = { { "_", "" }, { ".", "" }, { "", "" }, { ".", "position" } };

enum { NFORM = sizeof forms / sizeof *forms };

/* The search for the vectors of a list, or of the format. */
struct picking {
    const struct columns *columns;
    struct column_vectors *vectors; /* receives the vectors */
    size_t *owner; /* [columns->ncolumn] 1 + the index in vectors->at of the column's vector; 0: no vector has
                      the column */
    struct error *e;
};

/* Adds a vector, unless the same vector is there already. */
static bool add(struct picking *picking, const struct column_vector *vector)
{
    struct column_vectors *vectors = picking->vectors;
    for (size_t k = 0; k < vector->n; k++) {
        size_t owner = picking->owner[vector->column[k]];
        const struct column_vector *old = owner ? &vectors->at[owner - 1] : NULL;
        if (!old)
            continue;
        if (old->n == vector->n && memcmp(old->column, vector->column, vector->n * sizeof *old->column) == 0)
            return true;
        error_usage(picking->e, "--vectors: two vectors share a column");
        return error_column(picking->e, picking->columns->column[vector->column[k]].name);
    }
    if (!array_reserve(&vectors->at, vectors->n + 1, &vectors->max, sizeof *vectors->at, picking->e))
        return false;
    vectors->at[vectors->n++] = *vector;
    for (size_t k = 0; k < vector->n; k++)
        picking->owner[vector->column[k]] = vectors->n;
    return true;
}

/* Finds the columns of a vector by its name and a form: x and y, and z if that column exists. vector->n is 0
 * if the column of x or y does not exist. False: several columns have one of the names, or memory is out. */
static bool find_components(struct picking *picking, const char *stem, const struct form *form,
                            struct column_vector *vector)
{
    vector->n = 0;
    for (size_t i = 0; i < 3; i++) {
        size_t column = COLUMN_NONE;
        for (size_t upper = 0; upper < 2 && column == COLUMN_NONE; upper++) {
            char letter = (upper ? "XYZ" : "xyz")[i];
            char *name = text_format("%s%s%c%s", stem, form->separator, letter, form->tail);
            bool good = name ? columns_by_name(picking->columns, name, "--vectors", &column, picking->e)
                             : error_memory(picking->e);
            free(name);
            if (!good)
                return false;
        }
        if (column == COLUMN_NONE)
            break;
        vector->column[vector->n++] = column;
    }
    vector->n = vector->n < 2 ? 0 : vector->n;
    return true;
}

static bool pick_name(struct picking *picking, const char *name, bool *any)
{
    for (size_t i = 0; i < NFORM && !*any; i++) {
        struct column_vector vector = { .n = 0 };
        if (!find_components(picking, name, &forms[i], &vector))
            return false;
        *any = vector.n > 0;
        if (*any && !add(picking, &vector))
            return false;
    }
    return true;
}

/* The form of a name whose letter is x, and *nstem, the bytes before the form; NULL: the name has no such
 * form. */
static const struct form *form_of(const char *name, size_t *nstem)
{
    size_t n = strlen(name);
    for (const struct form *form = forms; form < forms + NFORM; form++) {
        size_t nseparator = strlen(form->separator), ntail = strlen(form->tail);
        if (n < nseparator + 1 + ntail || strcmp(name + n - ntail, form->tail) != 0)
            continue;
        char letter = name[n - ntail - 1];
        *nstem = n - ntail - 1 - nseparator;
        if ((letter == 'x' || letter == 'X') && memcmp(name + *nstem, form->separator, nseparator) == 0)
            return form;
    }
    return NULL;
}

/* Adds a vector for each column whose name is a stem, which the glob matches, and x, if the column of y
 * exists.
 */
static bool pick_glob(struct picking *picking, const char *glob, bool *any)
{
    bool good = true;
    for (size_t i = 0; good && i < picking->columns->ncolumn; i++) {
        struct column_vector vector = { .pattern = true };
        const char *name = picking->columns->column[i].name;
        size_t nstem;
        const struct form *form = form_of(name, &nstem);
        char *stem = form ? text_copy(name, nstem) : NULL;
        if (form && !stem)
            good = error_memory(picking->e);
        else if (form && glob_matches(glob, stem))
            good = find_components(picking, stem, form, &vector) && (vector.n == 0 || add(picking, &vector));
        *any |= vector.n > 0;
        free(stem);
    }
    return good;
}

/* Takes an entry of positions, 3-5 or 3-4, which are `apart`. */
static bool pick_positions(struct picking *picking, const char *text, unsigned apart)
{
    struct column_vector vector = { .n = apart + 1 };
    size_t first = 0, last = 0;
    if (apart == 1 || apart == 2)
        first = columns_find_range(picking->columns, text, "--vectors", &last, picking->e);
    if (first == COLUMN_NONE)
        return false;
    if (last == first || last != first + apart)
        return error_usage(picking->e,
                           "--vectors: a vector takes two or three columns, as in 3-5, and this is %s", text);
    for (size_t k = 0; k < vector.n; k++)
        vector.column[k] = first + k;
    return add(picking, &vector);
}

static bool pick_item(void *closure, const struct column_item *item)
{
    struct picking *picking = closure;
    const char *text = item->text;
    unsigned first, last;
    int n;
    bool digit = strchr("0123456789", text[0]); /* sscanf takes a sign, too */
    if (!item->is_name && digit && sscanf(text, "%8u-%8u%n", &first, &last, &n) == 2 && text[n] == 0)
        return pick_positions(picking, text, last - first);
    bool any = false, glob = !item->is_name && strpbrk(text, "*?[");
    if (!(glob ? pick_glob : pick_name)(picking, text, &any))
        return false;
    if (any)
        return true;
    error_data(picking->e, "--vectors: there are no two or three columns for \"%.*s\"", SHOWN, text);
    return error_hint(picking->e,
                      "wrist stands for wrist_x, wrist_y and, if it is there, wrist_z, and wrist* for all "
                      "such columns, also with a dot between or nothing; or give positions, as in 3-5");
}

/* The letter of a column of Motive's `Position`, by its name and the cell above the name; 0: another column.
 */
static char motive_letter(const struct column *column)
{
    static const char before[] = ".Position.";
    size_t n = column->role == ROLE_ABSENT ? 0 : strlen(column->original), nbefore = sizeof before - 1;
    if (n == 1 && column->above && strcasecmp(column->above, "Position") == 0)
        return *column->original;
    bool whole = n > nbefore && strncasecmp(column->original + n - 1 - nbefore, before, nbefore) == 0;
    return whole ? column->original[n - 1] : 0;
}

/* The number of columns of the vector of the format, or of Motive, that begins in column i; 0: no vector
 * begins there. */
static size_t known_at(const struct columns *columns, size_t i)
{
    const struct column *column = &columns->column[i];
    size_t n = 0;
    if (column->role == ROLE_ABSENT)
        return 0;
    while (n < 3 && i + n < columns->ncolumn && column->vector > 0 && column[n].vector == column->vector)
        n++;
    while (column->vector == 0 && n < 3 && i + n < columns->ncolumn && motive_letter(&column[n]) == "XYZ"[n])
        n++;
    return n >= 2 ? n : 0;
}

static bool pick_known(struct picking *picking)
{
    for (size_t i = 0; i < picking->columns->ncolumn; i = columns_after(picking->columns, i)) {
        struct column_vector vector = { .n = known_at(picking->columns, i), .pattern = true };
        for (size_t k = 0; k < vector.n; k++)
            vector.column[k] = i + k;
        if (vector.n > 0 && !add(picking, &vector))
            return false;
        i += vector.n > 0 ? vector.n - 1 : 0;
    }
    return true;
}

bool columns_vectors(const struct columns *columns, const char *list, struct column_vectors *vectors,
                     struct error *e)
{
    struct picking picking = { columns, vectors, calloc(columns->ncolumn + 1, sizeof(size_t)), e };
    if (!picking.owner)
        return error_memory(e);
    bool good = list ? columns_each_item(columns, list, "--vectors", pick_item, &picking, e)
                     : pick_known(&picking);
    free(picking.owner);
    return good;
}
