/* One row describes one option: the single truth from which getopt_long, validation, --help, the man page's option
 * lists and the shell completions are derived. Filters, formats and commands each bring a table of such rows. */
#ifndef SPRUNG_PARAM_H
#define SPRUNG_PARAM_H

#include <stdbool.h>
#include <stddef.h>

enum param_kind {           /* type of the field at offset */
    PARAM_FLAG,             /* bool; no argument */
    PARAM_NUMBER,           /* double; NaN while not given and without default */
    PARAM_COUNT,            /* long; -1 while not given and without default */
    PARAM_CHOICE,           /* int: index into choices; -1 while not given and without default */
    PARAM_TEXT,             /* const char *: the argument itself; NULL while not given */
    PARAM_OPTIONAL_TEXT,    /* const char *: --name[=VALUE]; "" when given without value; NULL while not given. Where the row
                             * has choices the value is one of them, and may be a word of its own: --name VALUE */
    PARAM_NUMBERS,          /* struct numbers: comma separated list, or LO:HI:N geometric where RANGE allows it */
    PARAM_TEXTS             /* struct texts: the option may be repeated; each argument is one more */
};

enum param_range {          /* what PARAM_NUMBER, NUMBERS and COUNT accept; always finite */
    RANGE_ANY,              /* any finite number */
    RANGE_POSITIVE,         /* > 0 */
    RANGE_NOT_NEGATIVE,     /* >= 0 */
    RANGE_FRACTION,         /* 0 <= x <= 1 */
    RANGE_INSIDE,           /* 0 < x < 1 */
    RANGE_LIMITS            /* min <= x <= max, the row's own */
};

struct numbers {
    double *value;          /* owned by the settings (options_free) */
    size_t nvalue;
};

struct texts {
    const char **text;
    size_t ntext;
};

struct param {
    const char *name;             /* long option without dashes */
    char letter;                  /* short option or 0 */
    enum param_kind kind;
    enum param_range range;
    double min, max;              /* RANGE_LIMITS */
    const char *value;            /* what help shows for the argument: "S", "HZ", "LIST"; NULL for flags and choices */
    const char *const *choices;   /* PARAM_CHOICE, PARAM_OPTIONAL_TEXT: names, NULL-terminated */
    const char *fallback;         /* default as the user would type it, parsed like an argument; NULL: none */
    size_t offset;                /* of the field in the table's settings struct */
    int exclusive_group;                   /* options of a filter with the same number say the same thing in different ways: with
                                   * --set one takes the place of the others; 0: it has none */
    const char *help;             /* one sentence in lower case, without final dot, units said */
};

#endif
