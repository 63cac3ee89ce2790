/* The samples that --despike judges. See spikes.h. */
#include "series/spikes.h"

#include "base/array.h"
#include "whole/gap_curve.h"
#include "whole/noise.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { NEAR = 2 * DESPIKE_AROUND + 1 /* samples that a plain residual is found from */ };

/* The level of a count, as a part of the median of the plain residuals, which are squares: of normal noise
 * 0.6 of the residuals are above the level. */
#define LEVEL 0.6

/* Is the way between two samples another thing than the difference of their numbers? */
static bool has_ways(const struct unit *unit)
{
    return unit->rotation || unit->period > 0;
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
        memmove(to->place, from->place + low, n * sizeof *to->place);
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
    to->low = 0;
    to->count = (struct spike_count){ .level = from->count.level, .limit = from->count.limit };
}

bool spike_samples_reserve(struct spike_samples *s, const struct unit *unit, size_t more, struct error *e)
{
    struct spike_samples larger = { 0 };
    if (s->n + more <= s->max)
        return true;
    if (s->n - s->low + more <= s->max) {
        move_samples(s, s, unit);
        return true;
    }
    larger.max = 2 * (s->n - s->low + more);
    double *room;
    size_t ntarget = unit->rotation ? count_targets(unit) : 0, narray = 2 + unit->nchannel + ntarget;
    if (!arrays_make(e, ARRAY(larger.place, larger.max), ARRAY(room, narray * larger.max)))
        return false;
    larger.t = room;
    larger.plain = room + larger.max;
    for (size_t k = 0; k < unit->nchannel; k++)
        larger.number[k] = room + (2 + k) * larger.max;
    for (size_t k = 0; k < ntarget; k++)
        larger.target[k] = room + (2 + unit->nchannel + k) * larger.max;
    if (!unit->rotation)
        larger.target[0] = larger.number[0];
    move_samples(&larger, s, unit);
    spike_samples_free(s);
    *s = larger;
    return true;
}

void spike_samples_free(struct spike_samples *s)
{
    free(s->place);
}

/* --- residuals --- */

/* Sets column[k][i - first], of the samples first to first + n - 1, to the ways from sample `from` to each
 * sample. */
static void find_ways(const struct spike_samples *s, const struct unit *unit, size_t from, size_t first,
                      size_t n, double *const column[3])
{
    const struct sample_kind kind = rotations_kind(unit);
    double own[4] = { 0 }, other[4] = { 0 }, way[3];
    for (size_t k = 0; k < count_targets(unit); k++)
        own[k] = s->target[k][from];
    for (size_t i = 0; i < n; i++) {
        for (size_t k = 0; k < count_targets(unit); k++)
            other[k] = s->target[k][first + i];
        sample_way(kind, own, other, way);
        for (size_t k = 0; k < 3; k++)
            column[k][i] = way[k];
    }
}

/* Sets column[unit->nchannel] to the numbers of a channel or vector, from a sample on. */
static void point_at_numbers(const struct spike_samples *s, const struct unit *unit, size_t first,
                             const double *column[3])
{
    for (size_t k = 0; k < unit->nchannel; k++)
        column[k] = s->number[k] + first;
}

/* Sets the plain residual of the sample before the last DESPIKE_AROUND samples. */
static void measure_plain(struct spike_samples *s, const struct unit *unit)
{
    size_t i = s->n - 1 - DESPIKE_AROUND, first = i - DESPIKE_AROUND;
    if (!has_ways(unit)) {
        const double *column[3];
        point_at_numbers(s, unit, first, column);
        s->plain[i] = despike_plain(s->t + first, unit->nchannel, column);
    } else {
        double way[3][NEAR];
        find_ways(s, unit, i, first, NEAR, (double *const[]){ way[0], way[1], way[2] });
        s->plain[i] = despike_plain(s->t + first, unit->rotation ? 3 : 1,
                                    (const double *const[]){ way[0], way[1], way[2] });
    }
}

void spike_samples_add(struct spike_samples *s, const struct unit *unit, const struct spike_place *place,
                       const double *number)
{
    size_t i = s->n++;
    s->place[i] = *place;
    s->t[i] = place->second;
    s->plain[i] = (double)NAN;
    for (size_t k = 0; k < unit->nchannel; k++)
        s->number[k][i] = number[k];
    if (unit->rotation) {
        double target[SAMPLE_ROTATION];
        rotations_target(unit->rotation, number, target);
        for (size_t k = 0; k < SAMPLE_ROTATION; k++)
            s->target[k][i] = target[k];
    }
    if (i + 1 >= NEAR && s->place[i + 1 - NEAR].run == place->run)
        measure_plain(s, unit);
}

/* --- verdicts --- */

/* The largest error of a sample that the rounding of the numbers in the window explains. Of a vector: the
 * length of the error. Of a rotation: an error of a quaternion turns by twice that error, an error of an angle
 * turns by the angle. */
static double find_rounding(const struct spike_samples *s, const struct unit *unit)
{
    double square = 0, sum = 0;
    for (size_t k = 0; k < unit->nchannel; k++) {
        double rounding = despike_rounding(s->number[k] + s->low, s->high - s->low);
        square += rounding * rounding;
        sum += rounding;
    }
    if (unit->rotation && unit->nchannel == 4)
        return 2 * sqrt(square);
    if (unit->rotation)
        return sum / rotations_unit(unit->rotation);
    return unit->nchannel > 1 ? sqrt(square) : sum;
}

/* Moves the window to the next sample. rows: rows after the sample. */
static void move_window(struct spike_samples *s, size_t rows)
{
    const struct spike_place *own = &s->place[s->next];
    while (s->place[s->low].run != own->run || s->place[s->low].row + despike_rows_before(rows) < own->row)
        s->low++;
    if (s->high <= s->next)
        s->high = s->next + 1;
    while (s->high < s->n && s->place[s->high].run == own->run && s->place[s->high].row <= own->row + rows)
        s->high++;
}

/* Moves the count to the window of the next sample, which has DESPIKE_MANY samples or more. */
static void move_count(struct spike_samples *s)
{
    struct spike_count count = s->count;
    const double *plain = s->plain;
    size_t low = s->low + DESPIKE_AROUND, high = s->high - DESPIKE_AROUND;
    if (count.high < low) {
        count.low = count.high = low;
        count.above = 0;
    }
    for (; count.low < low; count.low++)
        count.above -= plain[count.low] >= count.level;
    for (; count.high < high; count.high++)
        count.above += plain[count.high] >= count.level;
    for (; count.seen <= s->next + DESPIKE_AROUND; count.seen++)
        if (!(plain[count.seen] <= count.limit))
            count.loud_end = count.seen + 1;
    s->count = count;
}

/* Does the count tell that the next sample is calm (despike_calm)? False where the count tells nothing. */
static bool is_quiet(struct spike_samples *s)
{
    struct spike_count *count = &s->count;
    size_t own = s->next, first = own - DESPIKE_AROUND;
    if (s->high - s->low < DESPIKE_MANY || own < s->low + 2 * DESPIKE_AROUND ||
        own + 2 * DESPIKE_AROUND >= s->high)
        return false;
    if (count->seen < first)
        count->seen = first;
    move_count(s);
    return count->loud_end <= first && 2 * count->above > count->high - count->low;
}

/* Chooses a new level where the count of the window, in which the next sample is calm, is far from what the
 * level is chosen for. */
static void choose_level(struct spike_samples *s, double factor)
{
    double plain[DESPIKE_MOST_SAMPLES];
    size_t n = s->count.high - s->count.low, nknown = 0;
    if (2 * s->count.above > n && 4 * s->count.above <= 3 * n)
        return;
    for (size_t i = s->count.low; i < s->count.high; i++)
        if (!isnan(s->plain[i]))
            plain[nknown++] = s->plain[i];
    double level = LEVEL * noise_median(plain, nknown);
    s->count = (struct spike_count){ .level = level, .limit = despike_calm_limit(factor, level) };
}

bool spike_samples_judge(struct spike_samples *s, const struct unit *unit, double factor, size_t rows)
{
    move_window(s, rows);
    if (is_quiet(s)) {
        s->next++;
        return false;
    }
    size_t own = s->next++, low = s->low;
    struct despike_window window = { .n = s->high - low, .own = own - low, .plain = s->plain + low };
    if (despike_calm(factor, &window)) {
        choose_level(s, factor);
        return false;
    }
    const double *number[3];
    double way[3][DESPIKE_MOST_SAMPLES];
    const double *const ways[] = { way[0], way[1], way[2] };
    window.t = s->t + low;
    window.ncolumn = unit->nchannel;
    window.column = number;
    if (!has_ways(unit)) {
        point_at_numbers(s, unit, low, number);
    } else {
        find_ways(s, unit, own, low, window.n, (double *const[]){ way[0], way[1], way[2] });
        window.ncolumn = unit->rotation ? 3 : 1;
        window.column = ways;
    }
    if (despike_near(factor, &window))
        return false;
    window.rounding = find_rounding(s, unit);
    return despike_judge(factor, &window);
}
