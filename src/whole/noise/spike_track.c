/* Samples that wait to be judged. See spike_track.h. */
#include "whole/noise/spike_track.h"

#include "base/array.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* --- the arrays --- */

/* Are the samples something else than their numbers as read? */
static bool has_own_columns(const struct spike_kind *kind)
{
    return kind->rotation || kind->period > 0;
}

static size_t count_columns(const struct spike_kind *kind)
{
    return kind->rotation ? SPIKES_COMPONENTS : kind->nnumber;
}

/* Moves the samples from the first one of the window on to the beginning of the arrays `to`. */
static void move_samples(struct spike_track *to, const struct spike_track *from)
{
    const struct spikes_series *series = &from->series;
    size_t low = from->window.low, n = series->n - low;
    bool in_stretch = from->next < from->stretch.end;
    memmove(to->place, from->place + low, n * sizeof *to->place);
    memmove(to->t, from->t + low, n * sizeof *to->t);
    for (size_t k = 0; k < series->ncolumn; k++)
        memmove(to->column[k], from->column[k] + low, n * sizeof *to->column[k]);
    for (size_t k = 0; k < series->nnumber && series->number[0] != series->column[0]; k++)
        memmove(to->number[k], from->number[k] + low, n * sizeof *to->number[k]);
    for (size_t k = 0; k < SPIKES_LENGTHS; k++)
        memmove(to->series.measured[k], series->measured[k] + low, n * sizeof *series->measured[k]);
    to->series.n = n;
    to->next = from->next - low;
    to->stretch = from->stretch;
    to->stretch.first -= in_stretch ? low : to->stretch.first;
    to->stretch.end -= in_stretch ? low : to->stretch.end;
    to->nmeasured = from->nmeasured > low ? from->nmeasured - low : 0;
    to->window = (struct spikes_window){ 0, from->window.high > low ? from->window.high - low : 0 };
}

/* Makes the arrays of an empty track. */
static bool make_arrays(struct spike_track *track, const struct spike_kind *kind, size_t max, struct error *e)
{
    struct spikes_series *series = &track->series;
    size_t ncolumn = count_columns(kind), nown = has_own_columns(kind) ? ncolumn : 0;
    double *room;
    float *measured;
    if (!arrays_make(e, ARRAY(track->place, max), ARRAY(room, (1 + kind->nnumber + nown) * max),
                     ARRAY(measured, SPIKES_LENGTHS * max)))
        return false;
    track->max = max;
    track->t = room;
    for (size_t k = 0; k < kind->nnumber; k++)
        series->number[k] = track->number[k] = room + (1 + k) * max;
    for (size_t k = 0; k < ncolumn; k++)
        series->column[k] = track->column[k] = nown > 0 ? room + (1 + kind->nnumber + k) * max
                                                        : track->number[k];
    for (size_t k = 0; k < SPIKES_LENGTHS; k++)
        series->measured[k] = measured + k * max;
    series->t = track->t;
    series->place = track->place;
    series->ncolumn = ncolumn;
    series->nnumber = kind->nnumber;
    series->turn = kind->turn;
    return true;
}

bool spike_track_reserve(struct spike_track *track, const struct spike_kind *kind, size_t more,
                         struct error *e)
{
    struct spike_track larger = { 0 };
    if (track->series.n + more <= track->max)
        return true;
    size_t nkept = track->series.n - track->window.low;
    if (nkept + more <= track->max) {
        move_samples(track, track);
        return true;
    }
    if (!make_arrays(&larger, kind, 2 * (nkept + more), e))
        return false;
    if (track->place)
        move_samples(&larger, track);
    spike_track_free(track);
    *track = larger;
    return true;
}

void spike_track_free(struct spike_track *track)
{
    free(track->place);
}

/* --- samples --- */

/* Adds whole turns to an angle, so that it lies within half a turn of the angle before. */
static double unwrap(double before, double angle, double period)
{
    return angle - period * round((angle - before) / period);
}

void spike_track_add(struct spike_track *track, const struct spike_kind *kind, size_t place, double second,
                     const double *number, const double *target)
{
    size_t i = track->series.n++;
    track->place[i] = place;
    track->t[i] = second;
    for (size_t k = 0; k < kind->nnumber; k++)
        track->number[k][i] = number[k];
    if (kind->rotation) {
        double along = 0;
        for (size_t k = 0; k < SPIKES_COMPONENTS && i > 0; k++)
            along += target[k] * track->column[k][i - 1];
        for (size_t k = 0; k < SPIKES_COMPONENTS; k++)
            track->column[k][i] = along < 0 ? -target[k] : target[k];
    } else if (kind->period > 0) {
        track->column[0][i] = i > 0 ? unwrap(track->column[0][i - 1], number[0], kind->period) : number[0];
    }
}

bool spike_track_at(const struct spike_track *track, size_t end, size_t place, double second)
{
    return end > 0 && track->t[end - 1] == second && place - track->place[end - 1] < SPIKES_APART;
}

void spike_track_measure(struct spike_track *track)
{
    const struct spikes_series *series = &track->series;
    spikes_measure(series, track->nmeasured, series->n);
    track->nmeasured = series->n > SPIKES_BESIDE ? series->n - SPIKES_BESIDE : 0;
}

/* --- verdicts --- */

size_t spike_track_pass(struct spike_track *track, const struct spikes_settings *settings, size_t place,
                        size_t most)
{
    if (track->next >= track->series.n || track->place[track->next] != place ||
        track->next < track->stretch.end)
        return 0;
    size_t n = spikes_pass(&track->series, settings, &track->window, track->next, most);
    track->next += n;
    return n;
}

bool spike_track_judge(struct spike_track *track, const struct spikes_settings *settings, size_t known,
                       bool *spike)
{
    struct spikes_stretch *stretch = &track->stretch;
    if (track->next >= stretch->end &&
        !spikes_judge(&track->series, settings, &track->window, track->next, known, stretch)) {
        stretch->end = 0;
        return false;
    }
    *spike = stretch->spike[track->next - stretch->first];
    track->next++;
    return true;
}

/* --- whole series --- */

/* Reads the numbers of a row. False: a number is missing. */
static bool read_row(const struct spike_kind *kind, const struct spike_rows *rows, size_t i,
                     double number[SPIKES_COMPONENTS])
{
    bool known = true;
    for (size_t k = 0; k < kind->nnumber; k++) {
        number[k] = rows->number[k][i];
        known = known && !isnan(number[k]);
    }
    return known;
}

static bool is_row_known(const struct spike_kind *kind, const struct spike_rows *rows, size_t i)
{
    double number[SPIKES_COMPONENTS];
    return read_row(kind, rows, i, number);
}

/* Tells the spikes that can be bridged from the others: within `window` rows on each side is a known sample
 * that is no spike. */
static void mark_left(const struct spike_kind *kind, const struct spike_rows *rows, size_t window,
                      unsigned char *mark)
{
    size_t before = rows->n, after = rows->n; /* the nearest samples that are no spikes; rows->n: none */
    for (size_t i = 0; i < rows->n; i++) {
        if (mark[i] == SPIKE_NONE && is_row_known(kind, rows, i))
            before = i;
        else if (mark[i] != SPIKE_NONE && (before == rows->n || i - before > window))
            mark[i] = SPIKE_LEFT;
    }
    for (size_t i = rows->n; i-- > 0;) {
        if (mark[i] == SPIKE_NONE && is_row_known(kind, rows, i))
            after = i;
        else if (mark[i] != SPIKE_NONE && (after == rows->n || after - i > window))
            mark[i] = SPIKE_LEFT;
    }
}

/* Marks the spikes that the rows begin or end with: nothing tells them from a step. */
static void mark_kept(size_t n, unsigned char *mark)
{
    for (size_t i = 0; i < n && mark[i] != SPIKE_NONE; i++)
        mark[i] = SPIKE_KEPT;
    for (size_t i = n; i > 0 && mark[i - 1] != SPIKE_NONE; i--)
        mark[i - 1] = SPIKE_KEPT;
}

bool spikes_find(const struct spikes_settings *settings, const struct spike_kind *kind,
                 const struct spike_rows *rows, unsigned char *mark, struct error *e)
{
    struct spike_track track = { 0 };
    double number[SPIKES_COMPONENTS];
    memset(mark, SPIKE_NONE, rows->n);
    if (!spike_track_reserve(&track, kind, rows->n, e))
        return false;
    for (size_t i = 0; i < rows->n; i++)
        if (read_row(kind, rows, i, number) && !spike_track_at(&track, track.series.n, i, rows->time[i]))
            spike_track_add(&track, kind, i, rows->time[i], number,
                            kind->rotation ? rows->target + SPIKES_COMPONENTS * i : NULL);
    spike_track_measure(&track);
    while (track.next < track.series.n) {
        size_t place = track.place[track.next];
        bool spike = false;
        if (spike_track_pass(&track, settings, place, rows->n) == 0)
            spike_track_judge(&track, settings, SIZE_MAX, &spike);
        if (!spike)
            continue;
        for (size_t i = place; i < rows->n && rows->time[i] == rows->time[place]; i++)
            mark[i] = is_row_known(kind, rows, i) ? SPIKE_BRIDGED : SPIKE_NONE;
    }
    mark_left(kind, rows, spikes_rows(settings), mark);
    mark_kept(rows->n, mark);
    spike_track_free(&track);
    return true;
}
