/* A file of audio that is being written: heads of our own, the input's other chunks where it is of the same
 * kind, encoded samples, and the heads again once the length is known. Private to the audio formats.
 * Invariant: the bytes are the same whether they go to an empty file or, through a spool, elsewhere; only the
 * length in an AU head, which streams, may be missing. */
#ifndef SPRUNG_AUDIO_FILE_H
#define SPRUNG_AUDIO_FILE_H

#include "formats/audio/audio.h"

struct audio_file {
    struct sound sound; /* kind, sample, big, channels, rate, promised, cue points (the reader's own) */
    const struct audio *input; /* where rows come from, when that is audio too */
    bool verbatim;             /* and of the same kind: its other chunks are copied, */
    bool moved;                /* but for those with numbers of frames, which are others now */
    struct tempfile spool;
    struct codec *codec; /* FLAC */
    uint64_t nhead;  /* bytes before the samples */
    uint64_t nframe; /* written */
    bool begun, finished;
    bool streamed; /* straight to the output, without a spool */
    bool reserve;  /* there is room to become RF64 */
};

/* Begins the file on w->fd; sound and input are set. Says what of the input is lost. */
bool audio_file_start(struct audio_file *f, const struct writer *w, struct error *e);

/* Adds frames as sound_encode makes them. */
bool audio_file_put(struct audio_file *f, const void *frames, size_t nframe, struct error *e);

/* Ends the file, whatever has been put into it. */
bool audio_file_end(struct audio_file *f, struct error *e);
void audio_file_free(struct audio_file *f);

bool audio_holds_cues(enum sound_kind kind);

#endif
