/* Samples that wait to be judged. See spike_track.h. */
#include "whole/noise/spike_track.h"

#include "base/array.h"
#include "springs/rotations/rotation.h"

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
    const struct spikes_series *old = &from->series, *own = &to->series;
    const size_t low = from->window.low, n = old->n - low;
    const bool in_stretch = from->next < from->stretch.end;
    memmove(own->place, old->place + low, n * sizeof *own->place);
    memmove(own->t, old->t + low, n * sizeof *own->t);
    for (size_t k = 0; k < own->ncolumn; k++)
        memmove(own->column[k], old->column[k] + low, n * sizeof *own->column[k]);
    for (size_t k = 0; k < own->nnumber && own->number[0] != own->column[0]; k++)
        memmove(own->number[k], old->number[k] + low, n * sizeof *own->number[k]);
    for (size_t k = 0; k < SPIKES_LENGTHS; k++)
        memmove(own->measured[k], old->measured[k] + low, n * sizeof *own->measured[k]);
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
    if (!arrays_make(e, ARRAY(series->place, max), ARRAY(room, (1 + kind->nnumber + nown) * max),
                     ARRAY(measured, SPIKES_LENGTHS * max)))
        return false;
    track->max = max;
    series->t = room;
    for (size_t k = 0; k < kind->nnumber; k++)
        series->number[k] = room + (1 + k) * max;
    for (size_t k = 0; k < ncolumn; k++)
        series->column[k] = nown > 0 ? room + (1 + kind->nnumber + k) * max : series->number[k];
    for (size_t k = 0; k < SPIKES_LENGTHS; k++)
        series->measured[k] = measured + k * max;
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
    if (track->max > 0)
        move_samples(&larger, track);
    spike_track_free(track);
    *track = larger;
    return true;
}

void spike_track_free(struct spike_track *track)
{
    free(track->series.place);
}

/* --- samples --- */

void spike_track_add(struct spike_track *track, const struct spike_kind *kind, size_t place, double second,
                     const double *number, const double *target)
{
    struct spikes_series *series = &track->series;
    const size_t i = series->n++;
    series->place[i] = place;
    series->t[i] = second;
    for (size_t k = 0; k < kind->nnumber; k++)
        series->number[k][i] = number[k];
    if (kind->rotation) {
        double q[SPIKES_COMPONENTS], before[SPIKES_COMPONENTS] = { 0 };
        memcpy(q, target, sizeof q);
        for (size_t k = 0; k < SPIKES_COMPONENTS && i > 0; k++)
            before[k] = series->column[k][i - 1];
        rotation_follow(q, before);
        for (size_t k = 0; k < SPIKES_COMPONENTS; k++)
            series->column[k][i] = q[k];
    } else if (kind->period > 0) {
        double turns = i > 0 ? angle_turns(number[0] - series->column[0][i - 1], kind->period) : 0;
        series->column[0][i] = number[0] - kind->period * turns;
    }
}

bool spike_track_at(const struct spike_track *track, size_t end, size_t place, double second)
{
    const struct spikes_series *series = &track->series;
    return end > 0 && series->t[end - 1] == second && place - series->place[end - 1] < SPIKES_APART;
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
    const struct spikes_series *series = &track->series;
    if (track->next >= series->n || series->place[track->next] != place || track->next < track->stretch.end)
        return 0;
    size_t n = spikes_pass(series, settings, &track->window, track->next, most);
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
