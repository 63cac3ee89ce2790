/* One row describes one option: the single truth from which getopt_long, validation, --help, the man page's
 * option lists and the shell completions are derived. Filters, formats and commands each bring a table of
 * such rows. */
#ifndef SPRUNG_BASE_PARAM_H
#define SPRUNG_BASE_PARAM_H

#include "base/error.h"

/* clang-format off */
enum param_kind {        /* type of the field at offset; what it holds when not given, without default */
    PARAM_FLAG,          /* bool; no argument */
    PARAM_NUMBER,        /* double; NaN */
    PARAM_COUNT,         /* long; -1 */
    PARAM_CHOICE,        /* int: index into choices; -1 */
    PARAM_TEXT,          /* const char *: the argument itself; NULL */
    PARAM_OPTIONAL_TEXT, /* const char *: --name[=VALUE]; "" when given without value; NULL. Where the row
                          * has choices the value is one of them, and may be a word of its own */
    PARAM_NUMBERS,       /* struct numbers: comma separated list, or LO:HI:N where the range allows it */
    PARAM_TEXTS,         /* struct texts: the option may be repeated; each argument is one more */
    PARAM_PARSED         /* what the row's type says: it parses the argument; all bytes 0 */
};

enum param_range {       /* what PARAM_NUMBER, NUMBERS and COUNT accept; always finite */
    RANGE_ANY,           /* any finite number */
    RANGE_POSITIVE,      /* > 0 */
    RANGE_NOT_NEGATIVE,  /* >= 0 */
    RANGE_FRACTION,      /* 0 <= x <= 1 */
    RANGE_INSIDE,        /* 0 < x < 1 */
    RANGE_LIMITS         /* min <= x <= max, the row's own */
};
/* clang-format on */

struct numbers {
    double *value; /* owned by the settings (options_free) */
    size_t nvalue;
};

struct texts {
    const char **text;
    size_t ntext;
};

struct param;

/* A value with a syntax of its own. */
struct param_type {
    size_t size; /* of the field */
    bool (*parse)(const struct param *p, const char *value, void *field, struct error *e);
    void (*free)(void *field); /* NULL: the field owns nothing */
};

struct param {
    const char *name; /* long option without dashes */
    char letter;      /* short option or 0 */
    enum param_kind kind;
    enum param_range range;
    double min, max;   /* RANGE_LIMITS */
    const char *value; /* what help shows for the argument, such as "LIST"; NULL for flags and choices. S, HZ and
                          ROWS are seconds, hertz and rows, which the argument may name: 20ms, 6Hz, 30rows */
    const char *const *choices;    /* PARAM_CHOICE, PARAM_OPTIONAL_TEXT: names, NULL-terminated */
    const struct param_type *type; /* PARAM_PARSED */
    const char *fallback; /* default as the user would type it, parsed like an argument; NULL: none */
    size_t offset;        /* of the field in the table's settings struct */
    int exclusive_group;  /* options of the same settings with the same number say the same thing in different
                             ways: with --set, and on the command line after a file of --options, one takes
                             the place of the others; 0: no group */
    const char *word;     /* PARAM_NUMBER, PARAM_COUNT: also taken, as INFINITY or LONG_MAX; NULL: none */
    bool in_unit; /* a filter's PARAM_NUMBER in the unit of the channel, or per second or squared second */
    bool each_filter; /* of a shared table: a filter inside --then takes the option for itself, too */
    bool ends;        /* ends parsing: what follows on the command line is not read */
    const char *help; /* one sentence in lower case, without final dot, units said */
};

/* The kind of a row and what belongs to it; FIELD(field), defined beside the rows, is offsetof. */
/* clang-format off */
#define FLAG(field)                  .kind = PARAM_FLAG, .offset = FIELD(field)
#define NUMBER(field, limits, unit)  .kind = PARAM_NUMBER, .range = limits, .value = unit, .offset = FIELD(field)
#define NUMBERS(field, limits, unit) .kind = PARAM_NUMBERS, .range = limits, .value = unit, .offset = FIELD(field)
#define COUNT(field, least, most) \
    .kind = PARAM_COUNT, .range = RANGE_LIMITS, .min = least, .max = most, .value = "N", .offset = FIELD(field)
#define ROWS(field, least, most) \
    .kind = PARAM_COUNT, .range = RANGE_LIMITS, .min = least, .max = most, .value = "ROWS", .offset = FIELD(field)
#define CHOICE(field, names)         .kind = PARAM_CHOICE, .choices = names, .offset = FIELD(field)
#define TEXT(field, word)            .kind = PARAM_TEXT, .value = word, .offset = FIELD(field)
#define PARSED(field, how, word)     .kind = PARAM_PARSED, .type = &(how), .value = word, .offset = FIELD(field)
/* clang-format on */

/* True if letter is the row's short option, or the n bytes of name are its long one. 0 is no letter. */
bool param_is(const struct param *p, const char *name, size_t n, int letter);

/* The first row for which param_is is true; NULL: there is none. */
const struct param *param_find(const struct param *params, size_t nparam, const char *name, size_t n,
                               int letter);

/* Writes what the row accepts ("greater than 0", "from 0 to 2", "s, ms, us or ns"; "" where anything goes)
 * into buf, NUL-terminated and cut. */
void param_range_text(const struct param *p, char *buf, size_t maxbuf);

/* Sets the row's field from an argument; value is NULL for a flag, and where an optional value is not given.
 * The error of a wrong value names the option and what it takes. */
bool param_set(const struct param *p, void *settings, const char *value, struct error *e);

/* Reads a text that is a time in seconds, or in another unit where that follows ("20ms", "5 min"). */
bool param_seconds(const char *text, double *x);

/* Sets the row's field as if the option were not given. A list it held is not freed. Fails only when memory
 * is out or the default is not valid. */
bool param_default(const struct param *p, void *settings, struct error *e);

/* Copies the row's field between two settings; not for kinds that own memory. */
void param_copy(const struct param *p, void *to, const void *from);

/* True if two settings have the same value in the row's field. Two options that are not given are the same; values of
 * PARAM_TEXTS and PARAM_PARSED are not compared: false. */
bool param_equal(const struct param *p, const void *a, const void *b);

/* Frees what parsing made; safe on settings of zeroes. */
void param_free(const struct param *params, size_t nparam, void *settings);

/* Appends to a list; text is not copied. */
bool texts_add(struct texts *texts, const char *text, struct error *e);

#endif
