/* Filters rows of rotations, one row at a time, as series/chunk.c does. See stream.h. */
#include "library/stream.h"

static void give_rates(double *to, const double rate[3], bool known)
{
    for (size_t k = 0; k < 3 && to; k++)
        to[k] = known ? rate[k] : (double)NAN;
}

/* Puts the result of a row into the arrays. */
static void give(const struct sprung *stream, const struct stream_rows *rows, size_t row, size_t c,
                 bool known)
{
    const struct rotation_result *result = &stream->result[c];
    size_t at = row * stream->n + c;
    for (size_t k = 0; k < 4; k++)
        rows->value[4 * at + k] = known ? stream->printed[4 * c + k] : (double)NAN;
    give_rates(rows->velocity ? rows->velocity + 3 * at : NULL, result->velocity, known);
    give_rates(rows->acceleration ? rows->acceleration + 3 * at : NULL, result->acceleration, known);
}

/* Reads the next row's goal into here->next. Without a goal in the next row, sets FLAG_NO_NEXT. */
static void look_ahead(const struct sprung *stream, const struct stream_rows *rows, size_t row, size_t c,
                       bool next, struct rotation_row *here)
{
    const double *given = rows->goal + 4 * ((row + 1) * stream->n + c);
    double last[4];
    bool seen = false;
    if (next) {
        memcpy(last, stream->read + 4 * c, sizeof last);
        memcpy(here->next, given, sizeof here->next);
        bool known = rotation_read(last, here->next) && rotation_unit(here->next);
        seen = gaps_are_passed(&stream->gaps[c], !known, rows->step[row + 1],
                               stream_is_cut(stream, rows, row + 1));
    }
    here->flags |= seen ? 0 : FLAG_NO_NEXT;
}

/* Filters a row of rotation c. next: a row follows. */
static void filter_row_of(struct sprung *stream, const struct stream_rows *rows, size_t row, size_t c,
                          bool next)
{
    const struct gap_rule rule = settings_gaps();
    double given[4];
    memcpy(given, rows->goal + 4 * (row * stream->n + c), sizeof given);
    const bool known = rotation_read(stream->read + 4 * c, given);
    const struct gap_row gap_row = {
        .missing = !known,
        .same_time = stream_is_same_time(stream, rows, row),
        .cut = stream_is_cut(stream, rows, row),
    };
    const double T[2] = { rows->step[row], next ? rows->step[row + 1] : 0 };
    const unsigned flags = gaps_take(&stream->gaps[c], &rule, &gap_row);
    struct rotation_row here = { .T = T, .flags = (unsigned char)flags };
    bool repeats = gaps_repeat_goal(&stream->gaps[c], flags);
    memcpy(here.goal, repeats ? stream->rotation[c].goal : stream->read + 4 * c, sizeof here.goal);
    if (!repeats)
        rotation_unit(here.goal);
    look_ahead(stream, rows, row, c, next, &here);
    bool steps = !(flags & (FLAG_START | FLAG_ZERO_DT | FLAG_NO_VALUE));
    here.step = steps ? stream_coefficients(stream, T[0]) : stream->last_step;
    const struct rotation_filter rotation_filter = stream_rotation_filter(stream);
    bool taken = rotation_take(&rotation_filter, &stream->rotation[c], &here, &stream->result[c]);
    if (known && !(flags & FLAG_ZERO_DT))
        memcpy(stream->last + 4 * c, stream->read + 4 * c, 4 * sizeof *stream->last);
    if (taken)
        rotation_print((repeats ? stream->last : stream->read) + 4 * c, stream->result[c].x,
                       stream->result[c].at_goal, stream->printed + 4 * c);
    give(stream, rows, row, c, !(flags & (FLAG_GAP | FLAG_NO_VALUE)));
}

void stream_filter_rotations(struct sprung *stream, const struct stream_rows *rows, bool next)
{
    for (size_t i = 0; i < rows->n; i++) {
        for (size_t c = 0; c < stream->n; c++)
            filter_row_of(stream, rows, i, c, next || i + 1 < rows->n);
        stream->begun = true;
    }
}
