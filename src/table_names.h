/* Between the files of the table only: how a word that a user typed becomes a column. */
#ifndef SPRUNG_TABLE_NAMES_H
#define SPRUNG_TABLE_NAMES_H

#include "table.h"

/* Does the input spell several columns like this? */
bool table_repeats(const struct table *t, const char *name);

/* Adds "columns: time, x, y and 7 more" to an error as a hint, after "did you mean …?" where word is near a
 * name. */
bool table_hint(const struct table *t, const char *word, struct error *e);

#endif
