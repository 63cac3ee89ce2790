/* Relations between the options of a filter, for its check(). A list of options ends with NULL; an option is
 * of the kind PARAM_NUMBER. The range of an option by itself is stated in the option's row. Each function
 * returns true, or false and a usage error, whose hint stands in the option's row. */
#ifndef SPRUNG_SPRINGS_OPTION_GROUPS_H
#define SPRUNG_SPRINGS_OPTION_GROUPS_H

#include "springs/filter.h"

/* One of several options that set the same coefficient, and the coefficient that the option's value gives. A
 * list ends with option NULL. */
struct alternative {
    const struct param *option;
    double coefficient;
};

/* At most one option of the list may be given. *given: the alternative of the given option, or the end of the
 * list. */
bool option_group_optional(const struct filter *filter, const struct alternative *list, const void *settings,
                           const struct alternative **given, struct error *e);

/* Exactly one option of the list must be given, and its coefficient must be in range (option_in_range). *to:
 * the coefficient. */
bool option_group_one(const struct filter *filter, const struct alternative *list, const void *settings,
                      double *to, struct error *e);

/* All options of the list must be given. */
bool option_group_all(const struct filter *filter, const struct param *const *list, const void *settings,
                      struct error *e);

/* The error that the option is missing; returns false. */
bool option_missing(const struct filter *filter, const void *settings, const struct param *option,
                    struct error *e);

/* No option of the list may be given. who: options that exclude these, such as "--k1 and --k2". */
bool option_group_none(const char *who, const struct param *const *list, const void *settings,
                       struct error *e);

/* The coefficient that the option's value gives must be positive, and the square and the inverse of the
 * square must be finite; otherwise the option is out of range. NaN: the value is not known. */
bool option_in_range(const struct param *option, const void *settings, double coefficient, struct error *e);

/* The error that the option's value is out of range; returns false. */
bool option_out_of_range(const struct param *option, const void *settings, struct error *e);

/* A list must hold at most `most` values, and no value twice. */
bool option_list_check(const char *name, const struct numbers *list, size_t most, struct error *e);

/* --predict: no value twice, and no more values than RUN_MAXANY has room for. */
bool option_predict_check(const struct numbers *predict, struct error *e);

/* Each option that is given must go with the method in the settings (param.methods). */
bool option_method_check(const struct filter *filter, const void *settings, struct error *e);

/* clang-format off */
#define PREDICT_OPTION(field, with)                                                                          \
    { .name = "predict", NUMBERS(field, RANGE_POSITIVE, "S,S,..."), .methods = with,                         \
      .help = "add x@S: value in S seconds if the input is constant", .more = "See sprung help predict" }
/* For the descriptor of a filter with --predict. */
#define FILTER_PREDICTS(field, step_type)                                                                    \
    .each = { 0, DOUBLES(step_type), 2 }, .values = FIELD(field)
/* clang-format on */

/* The first member of the settings of a filter with one half-life; its name there is `spring`, which
 * HALFLIFE_OPTION takes. */
struct halflife_settings {
    struct filter_common common;
    double halflife; /* option, s */
    int approx;      /* --approx, where the filter has the option */
    double y;        /* n ln 2 / halflife, 1/s, by check(); for n = 2 half the damping of a critical spring */
};

#define HALFLIFE_OPTION(text, missing)                                                                       \
    {                                                                                                        \
        .name = "halflife", .letter = 'H', NUMBER(spring.halflife, RANGE_POSITIVE, "S"), .help = text,       \
        .if_missing = missing                                                                                \
    }

/* Sets y = n ln 2 / halflife and the time scale 2 / y, for n = 2 the lag. The half-life must be given, and y
 * must be in range. */
bool halflife_check(const struct filter *filter, struct halflife_settings *set, int n, struct error *e);

#endif
