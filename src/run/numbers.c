/* How numbers are printed: --precision, --decimals, and the decimals of the input's first row. */
#include "base/array.h"
#include "run/filter_job.h"

enum { LEAST_DECIMALS = 6 }; /* of --decimals input */

/* A count as in the row's limits, or the word input. */
static bool parse_decimals(const struct param *p, const char *value, void *field, struct error *e)
{
    struct decimals *decimals = field;
    struct param count = *p;
    count.kind = PARAM_COUNT;
    count.offset = offsetof(struct decimals, n);
    decimals->way = strcmp(value, "input") == 0 ? DECIMALS_INPUT : DECIMALS_GIVEN;
    if (decimals->way == DECIMALS_INPUT || param_set(&count, decimals, value, e))
        return true;
    return error_hint(e, "or the word input: as many as the column has in the first data row, at least %d",
                      LEAST_DECIMALS);
}

const struct param_type decimals_type = { .size = sizeof(struct decimals), .parse = parse_decimals };

struct number_format numbers_format(const struct number_settings *settings, char point)
{
    if (settings->decimals.way == DECIMALS_GIVEN)
        return (struct number_format){ NUMBER_DECIMALS, (int)settings->decimals.n, point };
    if (settings->precision >= 0)
        return (struct number_format){ NUMBER_PRECISION, (int)settings->precision, point };
    return (struct number_format){ NUMBER_SHORTEST, 0, point };
}

bool numbers_keep_decimals(const struct number_settings *settings, bool usual, const struct columns *t,
                           struct output_columns *l, struct error *e)
{
    bool unsaid = settings->decimals.way == DECIMALS_UNSAID && settings->precision < 0;
    if (settings->decimals.way != DECIMALS_INPUT && !(unsaid && usual))
        return true;
    if (!arrays_make(e, ARRAY(l->decimals, l->nout)))
        return false;
    for (size_t out = 0; out < l->nout; out++)
        l->decimals[out] = -1;
    for (size_t i = 0; i < t->ncolumn; i++) {
        int n = t->column[i].decimals;
        if (l->replace[i] != COLUMN_NONE && n >= 0)
            l->decimals[l->replace[i]] = n > LEAST_DECIMALS ? n : LEAST_DECIMALS;
    }
    return true;
}
