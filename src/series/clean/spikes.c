/* The samples that --despike judges. See spikes.h. */
#include "series/clean/spikes.h"

#include "base/array.h"
#include "whole/despike_plain.h"
#include "whole/gap_curve.h"
#include "whole/rounding.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    NEAR = 2 * DESPIKE_AROUND + 1, /* samples that a plain residual is found from */
    STRETCH = 8                    /* samples that are looked at together: more have larger residuals among
                                      them, fewer cost more for a sample */
};

/* Is the way between two samples another thing than the difference of their numbers? */
static bool has_ways(const struct unit *unit)
{
    return unit->rotation || unit->period > 0;
}

/* Components of a sample in a window: a rotation has the three of the way to another rotation. */
static size_t count_columns(const struct unit *unit)
{
    return unit->rotation ? 3 : unit->nchannel;
}

/* --- the arrays --- */

static size_t count_targets(const struct unit *unit)
{
    return unit->rotation ? SAMPLE_ROTATION : SAMPLE_NUMBER;
}

/* Copies the samples from index `low` on to the beginning of the arrays `to`. */
static void move_samples(struct spike_samples *to, const struct spike_samples *from, const struct unit *unit)
{
    size_t low = from->low, n = from->n - low;
    if (n > 0) {
        memmove(to->position, from->position + low, n * sizeof *to->position);
        memmove(to->t, from->t + low, n * sizeof *to->t);
        memmove(to->plain, from->plain + low, n * sizeof *to->plain);
        for (size_t k = 0; k < unit->nchannel; k++)
            memmove(to->number[k], from->number[k] + low, n * sizeof *to->number[k]);
        for (size_t k = 0; unit->rotation && k < count_targets(unit); k++)
            memmove(to->target[k], from->target[k] + low, n * sizeof *to->target[k]);
    }
    to->n = n;
    to->next = from->next - low;
    to->high = from->high - low;
    to->nmeasured = from->nmeasured > low ? from->nmeasured - low : 0;
    to->low = 0;
}

bool spike_samples_reserve(struct spike_samples *samples, const struct unit *unit, size_t more,
                           struct error *e)
{
    struct spike_samples larger = { 0 };
    if (samples->n + more <= samples->max)
        return true;
    size_t nkept = samples->n - samples->low;
    if (nkept + more <= samples->max) {
        move_samples(samples, samples, unit);
        return true;
    }
    larger.max = 2 * (nkept + more);
    double *room;
    size_t ntarget = unit->rotation ? count_targets(unit) : 0, narray = 2 + unit->nchannel + ntarget;
    if (!arrays_make(e, ARRAY(larger.position, larger.max), ARRAY(room, narray * larger.max)))
        return false;
    larger.t = room;
    larger.plain = room + larger.max;
    for (size_t k = 0; k < unit->nchannel; k++)
        larger.number[k] = room + (2 + k) * larger.max;
    for (size_t k = 0; k < ntarget; k++)
        larger.target[k] = room + (2 + unit->nchannel + k) * larger.max;
    if (!unit->rotation)
        larger.target[0] = larger.number[0];
    move_samples(&larger, samples, unit);
    spike_samples_free(samples);
    *samples = larger;
    return true;
}

void spike_samples_free(struct spike_samples *samples)
{
    free(samples->position);
}

void spike_samples_add(struct spike_samples *samples, const struct unit *unit, size_t position, double second,
                       const double *number)
{
    size_t i = samples->n++;
    samples->position[i] = position;
    samples->t[i] = second;
    samples->plain[i] = (double)NAN;
    for (size_t k = 0; k < unit->nchannel; k++)
        samples->number[k][i] = number[k];
    if (unit->rotation) {
        double target[SAMPLE_ROTATION];
        rotations_target(unit->rotation, number, target);
        for (size_t k = 0; k < SAMPLE_ROTATION; k++)
            samples->target[k][i] = target[k];
    }
}

bool spike_samples_at(const struct spike_samples *samples, size_t end, size_t position, double second)
{
    return end > 0 && samples->t[end - 1] == second && position - samples->position[end - 1] < SPIKE_APART;
}

/* --- windows --- */

/* Room for the columns of a window. */
struct window_columns {
    const double *column[3];
    double way[3][DESPIKE_MOST_SAMPLES]; /* of an angle or a rotation */
};

/* Sets way[k][i] of the columns, i < n, to the way from sample `own` to sample first + i. */
static void find_ways(const struct spike_samples *samples, const struct unit *unit,
                      const struct despike_window *window, size_t first, struct window_columns *columns)
{
    const struct sample_kind kind = rotations_kind(unit);
    double own[4] = { 0 }, other[4] = { 0 }, way[3];
    for (size_t k = 0; k < count_targets(unit); k++)
        own[k] = samples->target[k][first + window->own];
    for (size_t i = 0; i < window->n; i++) {
        for (size_t k = 0; k < count_targets(unit); k++)
            other[k] = samples->target[k][first + i];
        sample_way(kind, own, other, way);
        for (size_t k = 0; k < 3; k++)
            columns->way[k][i] = way[k];
    }
}

/* Sets the times and columns of a window of which n and own are set. first: index of its first sample. */
static void set_columns(const struct spike_samples *samples, const struct unit *unit, size_t first,
                        struct despike_window *window, struct window_columns *columns)
{
    bool ways = has_ways(unit);
    window->t = samples->t + first;
    window->ncolumn = count_columns(unit);
    window->column = columns->column;
    if (ways)
        find_ways(samples, unit, window, first, columns);
    for (size_t k = 0; k < window->ncolumn; k++)
        columns->column[k] = ways ? columns->way[k] : samples->number[k] + first;
}

void spike_samples_measure(struct spike_samples *samples, const struct unit *unit)
{
    struct window_columns columns;
    size_t first = samples->nmeasured > DESPIKE_AROUND ? samples->nmeasured - DESPIKE_AROUND : 0;
    samples->ncolumn = count_columns(unit);
    if (first + NEAR > samples->n)
        return;
    size_t end = samples->n - DESPIKE_AROUND;
    if (!has_ways(unit)) {
        struct despike_window window = { .n = samples->n - first };
        set_columns(samples, unit, first, &window, &columns);
        despike_plain_measure(&window, samples->plain + first);
    }
    for (size_t i = first + DESPIKE_AROUND; i < end; i++) {
        const size_t *position = samples->position + i;
        if (position[DESPIKE_AROUND] - position[-DESPIKE_AROUND] >= SPIKE_APART) {
            samples->plain[i] = (double)NAN;
        } else if (has_ways(unit)) {
            struct despike_window window = { .n = NEAR, .own = DESPIKE_AROUND };
            set_columns(samples, unit, i - DESPIKE_AROUND, &window, &columns);
            despike_plain_measure(&window, samples->plain + i - DESPIKE_AROUND);
        }
    }
    samples->nmeasured = end;
}

/* Moves the window to a sample. rows: rows after the sample. */
static void move_window(struct spike_samples *samples, size_t own, size_t rows)
{
    const size_t *position = samples->position;
    size_t low = samples->low, high = samples->high > own ? samples->high : own + 1;
    while (position[low] + despike_rows_before(rows) < position[own])
        low++;
    while (high < samples->n && position[high] <= position[own] + rows)
        high++;
    samples->low = low;
    samples->high = high;
}

/* The number of the next samples, at most `most`, that lie in consecutive rows, the first at `position`. */
static size_t count_consecutive(const struct spike_samples *samples, size_t position, size_t most)
{
    size_t n = 0, known = samples->n - samples->next;
    most = most < known ? most : known;
    while (n < most && samples->position[samples->next + n] == position + n)
        n++;
    return n;
}

/* Are the next n samples, in consecutive rows, calm? Moves the window to the last of these samples if they
 * are calm, else to the first. */
static bool are_calm(struct spike_samples *samples, const struct spike_rule *rule, size_t n)
{
    const size_t *position = samples->position;
    move_window(samples, samples->next, rule->rows);
    const size_t low = samples->low, high = samples->high;
    move_window(samples, samples->next + n - 1, rule->rows);
    size_t end = samples->high, nfirst = high - low, nlast = end - samples->low;
    /* Where no value is missing, windows between the first and the last are not smaller than both. */
    size_t least = nfirst < nlast ? nfirst : nlast;
    if (position[end - 1] - position[low] != end - 1 - low)
        least = high - samples->low;
    const struct despike_stretch stretch = { .n = end - low,
                                             .own = samples->next - low,
                                             .nown = n,
                                             .least = least,
                                             .ncolumn = samples->ncolumn,
                                             .plain = samples->plain + low };
    if (despike_plain_calm(rule->factor, &stretch))
        return true;
    samples->low = low;
    samples->high = high;
    return false;
}

size_t spike_samples_pass(struct spike_samples *samples, const struct spike_rule *rule, size_t position,
                          size_t most)
{
    size_t count = 0, size = STRETCH;
    for (;;) {
        size_t n = count_consecutive(samples, position + count, most - count < size ? most - count : size);
        if (n == 0)
            return count;
        if (are_calm(samples, rule, n)) {
            samples->next += n;
            count += n;
            size = 2 * n < STRETCH ? 2 * n : STRETCH;
        } else if (n == 1) {
            return count;
        } else {
            size = n / 2;
        }
    }
}

/* --- verdicts --- */

/* The largest error of a sample that the rounding of the numbers in the window explains. Of a vector: the
 * length of the error. Of a rotation: an error of a quaternion turns by twice that error, an error of an
 * angle turns by the angle. */
static double find_rounding(const struct spike_samples *samples, const struct unit *unit)
{
    double square = 0, sum = 0;
    for (size_t k = 0; k < unit->nchannel; k++) {
        double rounding = rounding_error(samples->number[k] + samples->low, samples->high - samples->low);
        square += rounding * rounding;
        sum += rounding;
    }
    if (unit->rotation && unit->nchannel == 4)
        return 2 * sqrt(square);
    if (unit->rotation)
        return sum / rotations_unit(unit->rotation);
    return unit->nchannel > 1 ? sqrt(square) : sum;
}

bool spike_samples_judge(struct spike_samples *samples, const struct unit *unit,
                         const struct spike_rule *rule)
{
    struct window_columns columns;
    struct despike_view view;
    bool calm = are_calm(samples, rule, 1);
    size_t own = samples->next++, low = samples->low;
    if (calm)
        return false;
    struct despike_window window = { .n = samples->high - low,
                                     .own = own - low,
                                     .plain = samples->plain + low };
    set_columns(samples, unit, low, &window, &columns);
    if (!despike_look(&view, rule->factor, &window) || despike_near_cubic(&view))
        return false;
    return despike_judge(&view, find_rounding(samples, unit));
}
