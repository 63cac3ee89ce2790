/* Relations between the options of a filter, for its check(). The settings are those of a filter, an
 * option is named as in its rows and of the kind PARAM_NUMBER, PARAM_NUMBERS or PARAM_CHOICE, and a list ends
 * with NULL. The range of a single option is stated in the option's row. Each function returns true, or false
 * and a usage error with a hint. */
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

/* Exactly one option of the list, of numbers greater than 0, must be given. *to: the coefficient. */
bool option_group_one(const void *settings, const struct alternative *list, double *to, struct error *e);

/* What the filter's rows say: each option that is given goes with the method in the settings (param.methods),
 * each option with param.if_missing is given, and a list has no value twice and no more than RUN_MAXANY has
 * room for. */
bool option_check(const void *settings, struct error *e);

/* Rows of options that several filters have. The first member of the filter's settings is `common`. */
/* clang-format off */
#define PREDICT_OPTION(with)                                                                                 \
    { .name = "predict", NUMBERS(common.values, RANGE_POSITIVE, "S,S,..."), .methods = with,                 \
      .help = "add x@S: value in S seconds if the input is constant", .more = "It hides part of the lag: see sprung help predict" }
#define HALFLIFE_OPTION(text, missing)                                                                       \
    { .name = "halflife", .letter = 'H', NUMBER(halflife, RANGE_POSITIVE, "S"),                              \
      .help = text, .if_missing = missing }
/* clang-format on */

#endif
