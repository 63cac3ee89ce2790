/* Rows of rotations through a filter, one by one, as series/chunk.c takes them. See stream.h. */
#include "library/stream.h"

#define ROUNDED                                                                                              \
    1e-3 /* the length of a quaternion that is printed with three decimals differs from 1 by less */

/* Reads a quaternion, with the sign that is nearer to the one before. False: it is missing. */
static bool read_rotation(double last[4], const double given[4])
{
    double dot = 0, sum = 0;
    for (size_t k = 0; k < 4; k++) {
        dot += given[k] * last[k];
        sum += given[k] - given[k];
    }
    if (sum != 0)
        return false;
    for (size_t k = 0; k < 4; k++)
        last[k] = dot < 0 ? -given[k] : given[k];
    return true;
}

static void give_rates(double *to, const double rate[3], bool known)
{
    for (size_t k = 0; k < 3 && to; k++)
        to[k] = known ? rate[k] : (double)NAN;
}

/* Where the result is the goal, the numbers of the goal as read are given back. */
static void print_value(struct sprung *stream, size_t c, const double read[4])
{
    const struct rotation_result *result = &stream->result[c];
    double square = read[0] * read[0] + read[1] * read[1] + read[2] * read[2] + read[3] * read[3];
    bool as_read = result->at_goal && fabs(sqrt(square) - 1) <= ROUNDED;
    memcpy(stream->printed + 4 * c, as_read ? read : result->x, 4 * sizeof *read);
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

/* Filters a row of rotation c. */
static void filter_row_of(struct sprung *stream, const struct stream_rows *rows, size_t row, size_t c,
                          bool cut, bool next)
{
    const struct filter *filter = stream->own.filter;
    struct stream_channel *channel = &stream->channel[c];
    const double *given = rows->goal + 4 * (row * stream->n + c);
    bool same_time = stream_is_same_time(stream, rows, row);
    bool known = read_rotation(stream->read + 4 * c, given);
    double T[2] = { rows->step[row], next ? rows->step[row + 1] : 0 };
    struct rotation_row here = { .T = T, .flags = channel->running ? 0 : FLAG_START };
    memcpy(here.goal, known ? stream->read + 4 * c : stream->rotation[c].goal, sizeof here.goal);
    if (!channel->running && !known) {
        give(stream, rows, row, c, false);
        return;
    }
    if (known)
        rotation_unit(here.goal);
    if (channel->running && same_time) {
        bool counts = known && !channel->gap;
        if (!counts)
            memcpy(here.goal, stream->rotation[c].goal, sizeof here.goal);
        if (filter->same_time) {
            rotation_same_time(&stream->rotation[c], here.goal, &stream->result[c]);
            print_value(stream, c, (counts ? stream->read : stream->last) + 4 * c);
        }
        channel->gap = channel->gap || !known;
        give(stream, rows, row, c, known);
        return;
    }
    if (channel->running && !known)
        here.flags = FLAG_GAP;
    if (channel->running && (cut || (known && channel->gap)))
        here.flags |= FLAG_CUT;
    double after[4] = { 0 };
    memcpy(after, stream->read + 4 * c, sizeof after);
    bool hidden = !known || !next || rows->step[row + 1] == 0 || stream->cut ||
                  (filter->cuts && rows->cut && rows->cut[row + 1]);
    if (hidden || !read_rotation(after, given + 4 * stream->n))
        here.flags |= FLAG_NO_NEXT;
    rotation_unit(after);
    memcpy(here.next, after, sizeof here.next);
    here.step = here.flags & FLAG_START ? stream->last_step : stream_coefficients(stream, T[0]);
    const struct rotation_filter rotation_filter = {
        .filter = filter,
        .settings = stream->own.settings,
        .shape = &filter->shape,
        .derivatives = rows->acceleration ? 2
                       : rows->velocity   ? 1
                                          : 0,
    };
    rotation_step(&rotation_filter, &stream->rotation[c], &here, &stream->result[c]);
    channel->running = true;
    channel->gap = !known;
    if (known)
        memcpy(stream->last + 4 * c, stream->read + 4 * c, 4 * sizeof *stream->last);
    print_value(stream, c, stream->last + 4 * c);
    give(stream, rows, row, c, known);
}

void stream_filter_rotations(struct sprung *stream, const struct stream_rows *rows, bool next)
{
    for (size_t i = 0; i < rows->n; i++) {
        bool cut = stream_takes_cut(stream, rows, i);
        for (size_t c = 0; c < stream->n; c++)
            filter_row_of(stream, rows, i, c, cut, next || i + 1 < rows->n);
        stream->begun = true;
    }
}
