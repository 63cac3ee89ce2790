/* Between the files of the table only: how a word that a user typed becomes a column. */
#ifndef SPRUNG_COLUMN_NAMES_H
#define SPRUNG_COLUMN_NAMES_H

#include "rows/columns.h"

/* Does the input spell several columns like this? */
bool columns_repeats(const struct columns *t, const char *name);

/* Adds "columns: time, x, y and 7 more" to an error as a hint, after "did you mean …?" where word is near a
 * name. */
bool columns_hint(const struct columns *t, const char *word, struct error *e);

/* A column by its name, exactly; *column is COLUMN_NONE where there is none. False: the name stands for several. */
bool columns_by_name(const struct columns *t, const char *name, const char *option, size_t *column, struct error *e);

/* One entry of a list. text points into the caller's copy. */
struct column_item {
    char *text;
    bool name; /* in quotes, or after =: a name, whatever it looks like */
};

/* Cuts the entry at *at and moves on; *at is NULL after the last. */
bool columns_next_item(const struct columns *t, char **at, const char *option, struct column_item *item, struct error *e);

#endif
