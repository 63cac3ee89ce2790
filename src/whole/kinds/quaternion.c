/* See quaternion.h. */
#include "whole/kinds/quaternion.h"

#include <math.h>

enum {
    COMPONENTS = 4,
    LEAST_ROWS = 2 /* fewest rows whose four numbers are known */
};

#define UNIT  1e-3 /* error of the length of a quaternion that is printed with three decimals */
#define ROUGH 0.02 /* error of the length of any quaternion, with how few decimals it may be printed */
#define EXACT 1e-6 /* of a digit: how far a double may lie from a decimal */

static double number_at(const struct number_table *table, size_t row, size_t column)
{
    return table->value[row * table->row_step + column * table->column_step];
}

/* The error that printing makes in the length: the last digit of the numbers. */
static double length_error(const struct number_table *table, size_t first)
{
    double digit = ROUGH;
    for (size_t i = 0; i < table->nrow && digit > UNIT; i++)
        for (size_t k = 0; k < COMPONENTS && digit > UNIT; k++) {
            const double x = number_at(table, i, first + k) / 0.01;
            digit = fabs(x - round(x)) > EXACT ? UNIT : digit;
        }
    return digit;
}

bool quaternion_is(const struct number_table *table, size_t first, bool named)
{
    const double most = length_error(table, first);
    size_t nknown = 0;
    bool moves[COMPONENTS] = { false };
    double before[COMPONENTS] = { 0 };
    for (size_t i = 0; i < table->nrow; i++) {
        double part[COMPONENTS], square = 0;
        for (size_t k = 0; k < COMPONENTS; k++) {
            part[k] = number_at(table, i, first + k);
            square += part[k] * part[k];
        }
        if (isnan(square) || square == 0) /* tracking was lost */
            continue;
        if (!(fabs(sqrt(square) - 1) < most))
            return false;
        for (size_t k = 0; k < COMPONENTS; k++) {
            moves[k] = moves[k] || (nknown > 0 && part[k] != before[k]);
            before[k] = part[k];
        }
        nknown++;
    }
    const bool all_move = moves[0] && moves[1] && moves[2] && moves[3];
    return nknown >= LEAST_ROWS && (named || (all_move && !rotation_matrix_has(table, first, COMPONENTS)));
}
