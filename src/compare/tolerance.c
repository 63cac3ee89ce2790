/* Tolerances: how far two numbers may be apart and still agree. See diff.h. */
#include "compare/diff.h"

#include "base/array.h"
#include "base/text.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>

/* --- the options --abs and --rel --- */

/* Parses A or LIST:A. A list may contain colons and a number has no colon, so the last colon separates list
 * and number. */
static bool parse_tolerance(const struct param *param, const char *value, void *field, struct error *e)
{
    struct tolerances *tolerances = field;
    const char *colon = strrchr(value, ':');
    const char *number = colon ? colon + 1 : value, *end = number + strlen(number);
    struct tolerance read = { NULL, 0 };
    bool good = number_read(number, end, '.', &read.value) == end && end > number && read.value >= 0 &&
                isfinite(read.value) && colon != value;
    if (!good) {
        error_usage(e, "--%s must be a number of at least 0, or LIST:NUMBER for some columns", param->name);
        error_excerpt(e, value, strlen(value));
        return error_hint(e, "for 1 %% of the larger number: --rel 0.01");
    }
    if (!array_reserve(&tolerances->at, tolerances->n + 1, &tolerances->max, sizeof *tolerances->at, e))
        return false;
    if (colon) {
        read.list = text_copy(value, (size_t)(colon - value));
        if (!read.list)
            return error_memory(e);
    }
    tolerances->at[tolerances->n++] = read;
    return true;
}

static void free_tolerances(void *field)
{
    struct tolerances *tolerances = field;
    for (size_t i = 0; i < tolerances->n; i++)
        free(tolerances->at[i].list);
    free(tolerances->at);
    *tolerances = (struct tolerances){ 0 };
}

const struct param_type tolerance_type = {
    .parse = parse_tolerance,
    .free = free_tolerances,
};

/* --- the tolerances of the columns --- */

/* The last tolerance that is given without a list of columns; `usual` if no such tolerance is given. */
static double general_tolerance(const struct tolerances *tolerances, double usual)
{
    double value = usual;
    for (size_t i = 0; i < tolerances->n; i++)
        if (!tolerances->at[i].list)
            value = tolerances->at[i].value;
    return value;
}

/* Gives each column in a LIST:A the tolerance A, of --rel if `relative`, else of --abs. */
static bool give_listed(struct diff *diff, const struct tolerances *tolerances, bool relative,
                        struct error *e)
{
    const struct table *expected = diff->side[DIFF_EXPECTED].table;
    unsigned char *pick = calloc(expected->ncolumn + 1, 1);
    bool good = pick || error_memory(e);
    for (size_t i = 0; good && i < tolerances->n; i++) {
        const struct tolerance *tolerance = &tolerances->at[i];
        if (!tolerance->list)
            continue;
        memset(pick, PICK_NONE, expected->ncolumn);
        good = columns_pick_list(expected, tolerance->list, relative ? "--rel" : "--abs", pick, e);
        if (!good && strchr(tolerance->list, ':'))
            error_hint(e, "one tolerance per option: --abs 'hip*:0.05' --abs 'knee*:0.001'");
        if (good && !relative && diff->side[0].key != COLUMN_NONE && pick[diff->side[0].key] != PICK_NONE)
            diff->key_abs = tolerance->value;
        for (size_t k = 0; good && k < diff->ncolumn; k++) {
            struct diff_column *column = &diff->column[k];
            if (pick[column->column[DIFF_EXPECTED]] == PICK_NONE)
                continue;
            if (relative)
                column->rel = tolerance->value;
            else
                column->abs = tolerance->value;
        }
    }
    free(pick);
    return good;
}

bool diff_give_tolerances(struct diff *diff, struct error *e)
{
    const struct diff_options *options = diff->options;
    diff->abs = general_tolerance(&options->abs, 0);
    diff->rel = general_tolerance(&options->rel, 1e-9);
    diff->key_abs = (double)NAN;
    for (size_t i = 0; i < diff->ncolumn; i++) {
        diff->column[i].abs = diff->column[i].time ? (double)NAN : diff->abs;
        diff->column[i].rel = diff->rel;
    }
    return give_listed(diff, &options->abs, false, e) && give_listed(diff, &options->rel, true, e);
}

/* --- times and keys --- */

/* Half a unit of the last digit of the number in a cell, if the number has a decimal sign, a point or a
 * comma; else 0. */
static double half_unit(const struct cell_text *cell)
{
    char sign = cell->text && memchr(cell->text, ',', cell->n) ? ',' : '.';
    int decimals = cell->text ? number_decimals(cell->text, cell->n, sign) : 0;
    return decimals > 0 ? 0.5 * pow(10, -decimals) : 0;
}

bool diff_times_agree(struct diff *diff, const size_t column[DIFF_SIDES], const double time[DIFF_SIDES],
                      double abs, size_t row)
{
    double apart = fabs(time[0] - time[1]), tolerance = 0;
    /* Times that are computed, or read from decimals, differ by rounding. */
    double rounding = 4 * DBL_EPSILON * fmax(fabs(time[0]), fabs(time[1]));
    if (apart == 0)
        return true;
    if (!isnan(abs))
        return apart <= abs + (abs > 0 ? rounding : 0);
    for (int side = 0; side < DIFF_SIDES; side++)
        if (!diff_computed(diff->side[side].table, column[side]))
            tolerance = fmax(tolerance, half_unit(diff_cell_text(diff, side, column[side], row)));
    return apart <= tolerance + rounding;
}
