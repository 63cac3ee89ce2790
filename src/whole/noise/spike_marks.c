/* Which spikes are bridged, left or kept, and the spikes of whole series. See spike_track.h. */
#include "whole/noise/spike_track.h"

#include <math.h>
#include <string.h>

enum spike_mark spike_mark_of(const struct spike_gap *gap, size_t window, size_t row)
{
    const bool between = gap->before != SPIKE_NO_ROW && gap->after != SPIKE_NO_ROW;
    if (between && (gap->filled || (row - gap->before <= window && gap->after - row <= window)))
        return SPIKE_BRIDGED;
    return row < gap->opening || row >= gap->closing ? SPIKE_KEPT : SPIKE_LEFT;
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

/* The rows of spikes have a mark. Replaces every mark by the fate of the spike: bridged, left as a gap, or
 * kept. */
static void mark_gaps(const struct spike_kind *kind, const struct spike_rows *rows, size_t window,
                      unsigned char *mark)
{
    struct spike_gap gap = { .before = SPIKE_NO_ROW, .closing = rows->n };
    while (gap.opening < rows->n && mark[gap.opening] != SPIKE_NONE)
        gap.opening++;
    while (gap.closing > 0 && mark[gap.closing - 1] != SPIKE_NONE)
        gap.closing--;
    for (size_t i = 0, end; i < rows->n; i = end) {
        end = i;
        while (end < rows->n && (mark[end] != SPIKE_NONE || !is_row_known(kind, rows, end)))
            end++;
        gap.after = end < rows->n ? end : SPIKE_NO_ROW;
        gap.filled = end - i <= rows->most_filled;
        for (size_t row = i; row < end; row++)
            if (mark[row] != SPIKE_NONE)
                mark[row] = (unsigned char)spike_mark_of(&gap, window, row);
        gap.before = end;
        end += end < rows->n;
    }
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
        size_t place = track.series.place[track.next];
        bool spike = false;
        if (spike_track_pass(&track, settings, place, rows->n) == 0)
            spike_track_judge(&track, settings, SIZE_MAX, &spike);
        if (!spike)
            continue;
        for (size_t i = place; i < rows->n && rows->time[i] == rows->time[place]; i++)
            mark[i] = is_row_known(kind, rows, i) ? SPIKE_LEFT : SPIKE_NONE;
    }
    mark_gaps(kind, rows, spikes_rows(settings), mark);
    spike_track_free(&track);
    return true;
}
