/* A struct param is a row of a table and describes one option. getopt_long's table, validation, --help, the
 * man page's option lists and the shell completions are made from the rows. Every filter and every
 * command has a table. */
#ifndef SPRUNG_BASE_PARAM_H
#define SPRUNG_BASE_PARAM_H

#include "base/error.h"

/* clang-format off */
/* The kind decides the type of the row's field in the settings struct. "Absent" is the value of the field
 * when the option is not given and the row has no default. */
enum param_kind {
    PARAM_FLAG,          /* bool; the option takes no argument; absent: false */
    PARAM_NUMBER,        /* double; absent: NaN */
    PARAM_COUNT,         /* long; absent: -1 */
    PARAM_CHOICE,        /* int: index into choices; absent: -1 */
    PARAM_TEXT,          /* const char *: the argument; absent: NULL */
    PARAM_OPTIONAL_TEXT, /* const char *: --name[=VALUE], "" without a value; absent: NULL. If the row has
                          * choices, the value must be a choice, and may also be the next word */
    PARAM_NUMBERS,       /* struct numbers: comma separated list, or LO:HI:N where the range is
                          * RANGE_POSITIVE; absent: an empty list */
    PARAM_TEXTS,         /* struct texts: the option may be repeated, and each argument is appended; absent:
                          * an empty list */
    PARAM_PARSED         /* a type with its own syntax, see struct param_type; absent: all bytes 0 */
};

enum { PARAM_WORD = -2 }; /* a PARAM_COUNT whose word was given */

/* A number is 0 or, by magnitude, between these, so that no product of a few of them overflows or vanishes. */
#define PARAM_LEAST 1e-30
#define PARAM_MOST  1e30

/* The numbers that PARAM_NUMBER, PARAM_NUMBERS and PARAM_COUNT accept. */
enum param_range {
    RANGE_ANY,           /* any finite number */
    RANGE_POSITIVE,      /* > 0 */
    RANGE_NOT_NEGATIVE,  /* >= 0 */
    RANGE_FRACTION,      /* 0 <= x <= 1 */
    RANGE_INSIDE,        /* 0 < x < 1 */
    RANGE_LIMITS         /* min <= x <= max, with min and max of the row */
};
/* clang-format on */

struct numbers {
    double *value; /* [nvalue]; owned, freed by param_free */
    size_t nvalue;
};

struct texts {
    const char **text; /* [ntext]; the array is owned, the strings are not */
    size_t ntext;
};

struct param;

/* A value with its own syntax. */
struct param_type {
    /* Sets the field, or adds to the field if the option may be repeated, from an argument that is not "". */
    bool (*parse)(const struct param *param, const char *value, void *field, struct error *e);
    void (*free)(void *field); /* frees what the field owns; NULL: the field owns nothing */
};

struct param {
    const char *name;       /* long option without dashes */
    char letter;            /* short option; 0: no short option */
    enum param_kind kind;   /* what the argument is, and the type of the field */
    enum param_range range; /* PARAM_NUMBER, PARAM_NUMBERS, PARAM_COUNT: the numbers that are accepted */
    double min, max;        /* RANGE_LIMITS: the least and the greatest number accepted */

    /* What help shows for the argument, such as "LIST"; NULL for flags and choices. "S" and "HZ" mean seconds
     * and hertz, and the user may type a unit after the number: 20ms, 6kHz. */
    const char *value;
    const char *const *choices;    /* PARAM_CHOICE, PARAM_OPTIONAL_TEXT: the names, NULL-terminated */
    const struct param_type *type; /* PARAM_PARSED: parser and destructor of the field */
    const char *fallback;          /* the default, as the user would type it; NULL: no default */
    size_t offset;                 /* of the field in the settings struct of the table */

    /* PARAM_NUMBER, PARAM_COUNT: a word that is accepted in place of a number, and makes the field infinite
     * or PARAM_WORD; NULL: no word. */
    const char *word;
    /* A PARAM_NUMBER of a filter with `rotations`: the number is in the unit of the channel, or in this unit
     * per second or per squared second, and is converted for Euler angles, which are filtered in radians. */
    bool in_unit;
    /* A filter's row of numbers or choices: the bits METHOD(i) of the choices i of --method that the option
     * goes with; EACH_METHOD: all. */
    unsigned methods;
    const char *if_missing; /* a filter's row: the option must be given, with its methods; the hint of the
                             * error that it is missing. NULL: the option may be missing */
    bool ends;              /* parsing ends with this option: later words are not read */
    bool common;            /* row of a shared table: the short help of each filter has the option, too */
    const char
        *help; /* a phrase in lower case, without final dot, with the unit: at most two lines of help */
    const char *more; /* what the manual adds: sentences without the last dot; NULL: nothing */
};

/* Initialisers of rows: the kind and the members that the kind needs. A file with rows defines FIELD(field)
 * as the offset of a field of its settings struct. */
/* clang-format off */
#define FLAG(field)                  .kind = PARAM_FLAG, .offset = FIELD(field)
#define METHOD(choice)               (1U << (choice))
#define EACH_METHOD                  0
#define CHOICE(field, names)         .kind = PARAM_CHOICE, .choices = names, .offset = FIELD(field)
#define TEXT(field, word)            .kind = PARAM_TEXT, .value = word, .offset = FIELD(field)
#define PARSED(field, how, word) \
    .kind = PARAM_PARSED, .type = &(how), .value = word, .offset = FIELD(field)
#define NUMBER(field, limits, unit) \
    .kind = PARAM_NUMBER, .range = limits, .value = unit, .offset = FIELD(field)
#define NUMBERS(field, limits, unit) \
    .kind = PARAM_NUMBERS, .range = limits, .value = unit, .offset = FIELD(field)
#define COUNT(field, least, most) \
    .kind = PARAM_COUNT, .range = RANGE_LIMITS, .min = least, .max = most, .value = "N", \
    .offset = FIELD(field)
/* clang-format on */

/* True if letter is the row's short option, or name[n] is the row's long option. A letter of 0 and an n of 0
 * match no row. */
bool param_is(const struct param *param, const char *name, size_t n, int letter);

/* The first row for which param_is is true; NULL: no row. */
const struct param *param_find(const struct param *params, size_t nparam, const char *name, size_t n,
                               int letter);

/* Writes what the row accepts ("greater than 0", "from 0 to 2", "s, ms, us or ns"; "" where anything goes)
 * into buf, NUL-terminated and cut. */
void param_range_text(const struct param *param, char *buf, size_t maxbuf);

/* Sets the row's field from an argument. value is NULL for a flag, and for an optional value that is not
 * given. On false *e names the option and the values that the option takes, and the field has no meaning. */
bool param_set(const struct param *param, void *settings, const char *value, struct error *e);

/* Reads all of text as a time in seconds: a number, or a number and a unit of time ("20ms", "5 min"). False:
 * text is not a time. */
bool param_seconds(const char *text, double *x);

/* Sets the row's field, all bytes 0 so far, as if the option were not given. Fails only when out of memory or
 * the default is not valid. */
bool param_default(const struct param *param, void *settings, struct error *e);

/* Frees the memory that the fields of the rows own; safe on settings of zeroes. */
void param_free(const struct param *params, size_t nparam, void *settings);

/* Appends text to a list; the string is not copied. */
bool texts_add(struct texts *texts, const char *text, struct error *e);

#endif
