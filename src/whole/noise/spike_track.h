/* The samples of one number, angle, vector or rotation that wait to be judged by the rule of spikes.h, and
 * the samples that are needed to judge them: those of a window, and of the rows that came together.
 * Invariant: verdicts do not depend on how many samples come together. */
#ifndef SPRUNG_WHOLE_NOISE_SPIKE_TRACK_H
#define SPRUNG_WHOLE_NOISE_SPIKE_TRACK_H

#include "base/error.h"
#include "whole/noise/spikes.h"

#include <stdint.h>

/* What the samples of a track are. */
struct spike_kind {
    size_t nnumber; /* numbers of a sample as read: 1; of a vector 2 or 3; of a rotation 3 or 4 */
    double period;  /* one turn of an angle, in the unit of the numbers; 0: no angle */
    bool rotation;
    double turn; /* of a rotation by Euler angles: half of the radians of one unit of its numbers; else 0 */
};

/* The position of a row in spikes_series.place. row: number of the row. run: number of cuts up to the row. */
static inline size_t spike_place(size_t row, size_t run)
{
    return row + run * SPIKES_APART;
}

/* Zero-initialize. */
struct spike_track {
    struct spikes_series series;   /* the samples; owned, in the allocation of `place` */
    size_t max;                    /* room for samples */
    size_t next;                   /* index of the sample that is judged next */
    size_t nmeasured;              /* samples before this index are measured for good */
    struct spikes_window window;   /* of the first sample of the stretch that was judged last, or of the last
                                      sample that was passed over */
    struct spikes_stretch stretch; /* samples of the stretch before `next` are judged already */
};

/* Makes room for `more` samples; drops samples that are no longer needed. */
bool spike_track_reserve(struct spike_track *track, const struct spike_kind *kind, size_t more,
                         struct error *e);
void spike_track_free(struct spike_track *track);

/* Adds the next sample; there must be room. second: its time. number: [kind->nnumber] as read, all known.
 * target: of a rotation its unit quaternion w, x, y, z. */
void spike_track_add(struct spike_track *track, const struct spike_kind *kind, size_t place, double second,
                     const double *number, const double *target);

/* Prepares the samples that were added. Comes before samples are judged. */
void spike_track_measure(struct spike_track *track);

/* Passes over the next samples as long as they lie in consecutive rows, the first at `place`, and are cheaply
 * ruled out; at most `most` samples. All rows in their windows are there, or no more rows come. Returns the
 * number of samples. */
size_t spike_track_pass(struct spike_track *track, const struct spikes_settings *settings, size_t place,
                        size_t most);

/* Judges the next sample: *spike. The rows in its window are there, or no more rows come. known: as in
 * spikes_judge. False: further rows must be known before the sample has its verdict. */
bool spike_track_judge(struct spike_track *track, const struct spikes_settings *settings, size_t known,
                       bool *spike);

/* Does a row at this place and time have the time of sample end - 1, with no cut between? False without such
 * a sample. */
bool spike_track_at(const struct spike_track *track, size_t end, size_t place, double second);

/* --- what becomes of spikes, and whole series: spike_marks.c --- */

enum spike_mark {
    SPIKE_NONE,
    SPIKE_BRIDGED, /* a spike between good samples, which --despike bridges it with */
    SPIKE_LEFT,    /* a spike that has no such samples within a window: --despike leaves it as a gap */
    SPIKE_KEPT     /* a spike that the series begins or ends with: nothing tells it from a step, and --despike
                      keeps it */
};

#define SPIKE_NO_ROW SIZE_MAX

/* Rows side by side without a good sample: each is missing, or a spike. Rows are numbered in their run,
 * between cuts or ends of a series. */
struct spike_gap {
    size_t before, after; /* the rows of the good samples on both sides; SPIKE_NO_ROW: there is none */
    size_t opening;       /* the row after the spikes that the run begins with, or the first row of the run */
    size_t closing; /* the first of the spikes that the run ends with; SPIKE_NO_ROW: not known, or none */
    bool filled;    /* missing rows of the gap are filled, too */
};

/* What becomes of a spike in a row of the gap. window: what spikes_rows returns. */
enum spike_mark spike_mark_of(const struct spike_gap *gap, size_t window, size_t row);

/* Rows of one series without a cut. */
struct spike_rows {
    size_t n;
    const double *time;                      /* [n] seconds, not falling */
    const double *number[SPIKES_COMPONENTS]; /* [kind->nnumber][n] NaN: missing */
    const double *target;                    /* [n][4] of a rotation its unit quaternion w, x, y, z */
    size_t most_filled;                      /* rows of the longest gap that is filled; 0: gaps stay */
};

/* Sets mark[n] of each row (enum spike_mark). The first known one of several rows with the same time is
 * judged for all. False and *e: out of memory. */
bool spikes_find(const struct spikes_settings *settings, const struct spike_kind *kind,
                 const struct spike_rows *rows, unsigned char *mark, struct error *e);

#endif
