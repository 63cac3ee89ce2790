/* Values of options that come from columns (@COLUMN). Each row has settings of its own: those of the command
 * line, with the row's numbers. In place of a missing number the last number of the group counts. Prepare
 * (prepare.h) checks the numbers of all rows before a filter sees the rows. */
#ifndef SPRUNG_SERIES_PARAMETERS_H
#define SPRUNG_SERIES_PARAMETERS_H

#include "series/groups.h"
#include "series/overrides.h"

/* An option whose values come from a column. */
struct parameter {
    const struct param *param;
    size_t set;    /* index into overrides.settings of the settings whose option takes the column */
    size_t column; /* of the table */
};

/* The options of a filter with @COLUMN. */
struct parameters {
    struct parameters *next;           /* of another filter of the job; NULL: the last */
    const struct overrides *overrides; /* of the filter */
    struct parameter *at;              /* [n], owned */
    size_t n;
    size_t place;   /* in a group's state: of [n] struct last_value, those of the last row checked */
    char *settings; /* [settings_size] room for the settings of the row that is checked; owned, with `at` */
};

/* The last value of a parameter in a group. */
struct last_value {
    double value;
    bool known; /* there has been a value */
};

/* Finds the columns of a filter's options. *all is zeroed before; parameters_close follows in any case. What
 * overrides points to must outlive *all. */
bool parameters_open(struct parameters *all, const struct overrides *overrides, struct groups *groups,
                     struct error *e);
void parameters_close(struct parameters *all);

/* Checks the parameters in the rows of a block whose groups are known. Returns the first row with a value
 * that is out of range, or missing without a value before it in the group, and sets *e; block->nrow: there is
 * no such row. */
size_t parameters_check(struct parameters *all, const struct groups *groups, const struct block *block,
                        struct error *e);

/* Reads the parameters in a row that has been checked. last: [n] of the row before in the group. Returns
 * whether a value is another one than in that row. */
bool parameters_read(const struct parameters *all, struct spot at, struct last_value *last);

/* Makes the settings of a row from settings number `set`. False: the values do not go together. */
bool parameters_make(const struct parameters *all, size_t set, const struct last_value *last, void *settings,
                     struct error *e);

#endif
