/* An audio file that is being written: heads of our own, the input's other chunks where it is of the same
 * kind, encoded samples, and the heads again once the length is known. Invariant: the bytes are the same
 * whether they go to an empty file or, through a temporary file, elsewhere; only the length in an AU head,
 * which streams, may be missing. */
#ifndef SPRUNG_AUDIO_RECORDING_H
#define SPRUNG_AUDIO_RECORDING_H

#include "formats/audio/audio.h"
#include "formats/audio/rate.h"
#include <stdatomic.h>

/* Where a channel of the output comes from. */
struct channel_source {
    size_t out;    /* a block's out column, or COLUMN_NONE: */
    size_t column; /* a column that passes through */
};

/* The state of a writer. */
struct recording {
    struct sound sound;        /* of the file; its chunks and cue points are the reader's, or moved_cue */
    const struct audio *input; /* where rows come from, when that is audio too */
    bool verbatim;             /* and of the same kind: its other chunks are copied, */
    bool moved;                /* except those with numbers of frames, after resampling */
    struct sound_cue *moved_cue;

    struct channel_source *source; /* [channels] */
    struct rate rate;              /* while that of sound is 0 */
    struct tempfile held;          /* frames that wait for the rate */
    bool failed;                   /* the file cannot be completed */
    _Atomic uint64_t clipped;      /* samples */

    struct sound_spec spec; /* from recording_start on; nframe counts the frames written */
    struct tempfile file;
    struct codec *codec; /* FLAC */
    uint64_t at;         /* where the next bytes go */
    uint64_t nhead;      /* bytes before the samples */
    bool started, ended;
    bool measuring; /* bytes are counted, not written */
    bool streamed;  /* straight to the output, without a temporary file */
};

/* Starts the file on w->fd; sound and input are set. Warns of metadata of the input that is lost. */
bool recording_start(struct recording *o, const struct writer *w, struct error *e);

/* Adds frames as samples_encode makes them. */
bool recording_add(struct recording *o, const void *frames, size_t nframe, struct error *e);

/* Ends the file, however many frames were added. */
bool recording_end(struct recording *o, struct error *e);

#endif
