/* Relations between the options of a filter, for its check(). The settings are those of a filter, an
 * option is named as in its rows and of the kind PARAM_NUMBER, and a list ends with NULL. The range of an
 * single option is stated in the option's row. Each function returns true, or false and a usage error,
 * whose hint is in the option's row. */
#ifndef SPRUNG_SPRINGS_OPTION_GROUPS_H
#define SPRUNG_SPRINGS_OPTION_GROUPS_H

#include "springs/filter.h"

/* One of several options that set the same coefficient, and the coefficient that the option's value gives. A
 * list ends with option NULL. */
struct alternative {
    const char *option;
    double coefficient;
};

/* At most one option of the list may be given. *given: the alternative of the given option, or the end of the
 * list. */
bool option_group_optional(const void *settings, const struct alternative *list,
                           const struct alternative **given, struct error *e);

/* Exactly one option of the list must be given. *to: the coefficient. */
bool option_group_one(const void *settings, const struct alternative *list, double *to, struct error *e);

/* The option must be given. */
bool option_needed(const void *settings, const char *option, struct error *e);

/* A list must hold at most `most` values, and no value twice. */
bool option_list_check(const char *name, const struct numbers *list, size_t most, struct error *e);

/* --predict: no value twice, and no more values than RUN_MAXANY has room for. */
bool option_predict_check(const struct numbers *predict, struct error *e);

/* Each option that is given must go with the method in the settings (param.methods). */
bool option_method_check(const void *settings, struct error *e);

/* clang-format off */
#define PREDICT_OPTION(field, with)                                                                          \
    { .name = "predict", NUMBERS(field, RANGE_POSITIVE, "S,S,..."), .methods = with,                         \
      .help = "add x@S: value in S seconds if the input is constant", .more = "See sprung help predict" }
/* For the descriptor of a filter with --predict. */
#define FILTER_PREDICTS(field)                                                                    \
    .each = { .nout = 2 }, .values = FIELD(field)
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

/* Sets y = n ln 2 / halflife and the time scale 2 / y, for n = 2 the lag. The half-life must be given. */
bool halflife_check(struct halflife_settings *set, int n, struct error *e);

#endif
