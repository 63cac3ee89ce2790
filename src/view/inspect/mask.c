/* A mask by the names of columns: of the detections that a column says are unsure, or of the rows that it
 * says are not valid. See table.h. */
#include "view/inspect/table.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#define DOUBTFUL 0.6 /* smallest confidence of a detection that is not masked */

/* Bytes of a name before its last separator, as in hip_x; 0: the name has none, or begins with it. */
static size_t stem_of(const char *name)
{
    const char *last = name;
    for (const char *p = name; *p; p++)
        last = strchr("._:", *p) ? p : last;
    return (size_t)(last - name);
}

/* Bytes of a name before the number at its end, as in x12 and x_2. */
static size_t before_number(const char *name)
{
    size_t n = strlen(name);
    while (n > 1 && isdigit((unsigned char)name[n - 1]))
        n--;
    return n > 1 && name[n] && name[n - 1] == '_' ? n - 1 : n;
}

/* Is the name x, y or z, with or without a number: x, y3, z_2? */
static bool is_coordinate(const char *name)
{
    return *name && strchr("xyzXYZ", *name) && before_number(name) == 1;
}

/* Lists the channels of the column's point: their names have the same start, as in nose_x and nose_score, or
 * the same end, as in x_2 and likelihood_2. The list has patterns, for all points. */
static void list_coordinates(const struct table *columns, const char *name, char list[120])
{
    const size_t stem = stem_of(name), kind = before_number(name);
    const bool starts = stem > 0 && kind == strlen(name);
    for (size_t k = 0; k < columns->nchannel; k++) {
        const char *other = table_channel(columns, k)->name, *comma = list[0] ? "," : "";
        if (strcmp(other, name) == 0)
            continue;
        if (starts && strncmp(other, name, stem + 1) == 0)
            text_append(list, 120, "%s*%s", comma, other + stem);
        else if (!starts && is_coordinate(other) && strcmp(other + 1, name + kind) == 0)
            text_append(list, 120, "%s%c*", comma, *other);
    }
}

/* The mask where column `name` is below a limit: of the columns of its point, else, where the name has no
 * point, of all. */
static void mask_below(const struct table *columns, const char *name, double limit, bool of_all,
                       char mask[INSPECT_MASK])
{
    const size_t stem = stem_of(name), kind = before_number(name);
    char list[120] = "";
    if (stem > 0 || !of_all)
        list_coordinates(columns, name, list);
    if (list[0] && stem > 0 && kind == strlen(name))
        snprintf(mask, INSPECT_MASK, "%s:*%s<%g", list, name + stem, limit);
    else if (list[0])
        snprintf(mask, INSPECT_MASK, "%s:%.*s*<%g", list, (int)kind, name, limit);
    else if (of_all && !strpbrk(name, "*,:\""))
        snprintf(mask, INSPECT_MASK, "*:%s<%g", name, limit);
}

void inspect_mask_find(const struct table *columns, char mask[INSPECT_MASK])
{
    mask[0] = 0;
    for (size_t i = 0; i < columns->ncolumn && !mask[0]; i++) {
        const struct column *column = &columns->column[i];
        const size_t stem = stem_of(column->name);
        const char *end = column->name + (stem > 0 ? stem + 1 : 0), *last = columns_last_line(columns, i);
        const bool valid = strcasecmp(end, "valid") == 0 || strcasecmp(end, "validity") == 0;
        const bool error = columns_name_means(last, strlen(last), NAME_ERROR);
        if (column->why == why_quality && !error && column->number >= 0 && column->number <= 1)
            mask_below(columns, column->name, DOUBTFUL, false, mask);
        else if (column->why != why_quality && valid && (column->number == 0 || column->number == 1))
            mask_below(columns, column->name, 1, true, mask);
    }
}
