/* The audio formats: what they share as readers and writers. read.c and write.c are the two directions, one
 * file each has a container's header (sound.h) and descriptor, samples.c the samples, flac.c libsndfile. WAV,
 * AU, AIFF and CAF files are read and written without the library: its parsers see no hostile files but FLAC,
 * and its errors in RF64 and AIFF do not matter. */
#ifndef SPRUNG_FORMATS_AUDIO_AUDIO_H
#define SPRUNG_FORMATS_AUDIO_AUDIO_H

#include "formats/audio/sound.h"
#include "formats/format.h"
#include "io/tempfile.h"
#include <stdatomic.h>

/* --- samples: PCM of b bits is k / 2^(b - 1), a real sample is itself --- */

/* Bytes of one encoded sample: its own, but for FLAC, whose encoder takes PCM as int32_t with the sample's
 * bits at the top. */
static inline size_t samples_encoded_size(const struct sound *s)
{
    return s->kind == SOUND_FLAC ? sizeof(int32_t) : sound_width(s->sample);
}

/* Reads n numbers of one channel, in frames as the file has them; from: its first sample. */
void samples_decode(const struct sound *s, const unsigned char *from, size_t n, double *to);

/* Writes n numbers into one channel of frames; to: its first sample. What does not fit into PCM is clipped
 * and counted. Returns the index of the first number that cannot be a sample, or n. With any, a real sample
 * may be NaN or infinite. */
size_t samples_encode(const struct sound *s, const double *x, size_t n, unsigned char *to, bool any,
                      uint64_t *clipped);

/* --- a FLAC file through libsndfile --- */

struct codec;

/* Opens a file to read, or (file is NULL) one like sound to write; the file or tempfile must stay. */
struct codec *codec_open(const struct sound_file *file, const struct sound *sound, struct tempfile *to,
                         struct error *e);

/* *n frames of at most maxframe, channels side by side; 0: the end. */
bool codec_read(struct codec *c, double *to, size_t maxframe, size_t *n, struct error *e);

/* Writes frames as samples_encode makes them. */
bool codec_write(struct codec *c, const void *frames, size_t nframe, struct error *e);

/* Ends the file. c and e may be NULL. */
bool codec_close(struct codec *c, struct error *e);

/* --- a rate from times: row n is at the first time + n / rate, to within the rounding of the decimals it was
 * printed with --- */

struct rate { /* all zero at first, except unit */
    struct time_unit unit;
    uint64_t n; /* rows seen */
    struct timestamp first;
    int decimals, digits; /* most decimals, and most digits, that a time has */
    double last;          /* seconds from the first to the last row */
    double step;          /* seconds from the first to the second */
    bool uneven;          /* some row is no multiple of that step after the first */
    double least, most;   /* seconds that a step can have */
};

/* Adds a row. An error if no step fits it and the rows before. */
bool rate_add(struct rate *r, const struct timestamp *time, struct error *e);

/* Finds the whole number of rows per second that fits all rows, or an error. */
bool rate_find(const struct rate *r, double *rate, struct error *e);

/* --- a reader --- */

struct audio {
    struct sound sound;
    struct sound_file file;
    int fd;        /* a regular file: the source's, or one of its own; -1: AU from a pipe, read as it comes */
    uint64_t base; /* where the file begins in fd */
    uint64_t at;   /* bytes of samples read */
    uint64_t nframe; /* frames read */

    struct codec *codec;                                   /* FLAC */
    unsigned char rest[SOUND_MAXCHANNEL * sizeof(double)]; /* the beginning of a frame, from a pipe */
    size_t nrest;
    double *cue; /* times of cue points, in order */
};

/* Reads n numbers of a channel, from row first of the block on. */
void audio_numbers(const struct audio *a, const struct block *b, size_t channel, size_t first, size_t n,
                   double *to);

bool audio_open(struct reader *r, struct error *e);
bool audio_bind(struct reader *r, struct error *e);
enum loaded audio_load(struct reader *r, struct block *b, struct error *e);
void audio_parse(const struct reader *r, struct block *b);
const char *audio_cell(const struct reader *r, const struct block *b, size_t row, size_t column, char *buf,
                       size_t maxbuf, size_t *ntext);
void audio_close(struct reader *r);

/* --- a writer --- */

/* Where a channel of the output comes from. */
struct channel_source {
    size_t out;    /* a block's out column, or COLUMN_NONE: */
    size_t column; /* a column that passes through */
};

struct recording {
    struct sound sound;        /* of the file; its chunks and cue points are the reader's */
    const struct audio *input; /* where rows come from, when that is audio too */
    bool verbatim;             /* and of the same kind: its other chunks are copied, */
    double
        unmoved_rate; /* > 0: except those with numbers of frames, as rows had this rate before resampling */

    struct channel_source *source; /* [channels] */
    struct rate rate;              /* while that of sound is 0 */
    struct tempfile held;          /* frames that wait for the rate */
    _Atomic uint64_t clipped;      /* samples */

    struct tempfile file;
    struct codec *codec; /* FLAC */
    uint64_t at;         /* where the next bytes go */
    uint64_t nhead;      /* bytes before the samples; once they are written, sound.promised counts frames */
    bool ended;          /* complete, or cannot be completed */
    bool measuring;      /* bytes are counted, not written */
    bool streamed;       /* straight to the output, without a temporary file */
};

bool audio_accept(struct writer *w, struct error *e);
bool audio_begin(struct writer *w, struct block *b, struct error *e);
void audio_print(const struct writer *w, struct block *b);
bool audio_store(struct writer *w, struct block *b, struct error *e);
bool audio_finish(struct writer *w, struct block *b, struct error *e);
void audio_end(struct writer *w);

/* A descriptor; sniff is a function of the file. */
#define AUDIO_FORMAT(name_, summary_, ...)                                                                   \
    {                                                                                                        \
        .name = name_, .summary = summary_, .suffixes = (const char *const[]){ __VA_ARGS__, NULL },          \
        .sniff = sniff, .open = audio_open, .bind = audio_bind, .load = audio_load, .parse = audio_parse,    \
        .cell = audio_cell, .close = audio_close, .accept = audio_accept, .begin = audio_begin,              \
        .print = audio_print, .store = audio_store, .finish = audio_finish, .end = audio_end,                \
        .keeps_shape = true, .family = FAMILY_AUDIO                                                          \
    }

#endif
