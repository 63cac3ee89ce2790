/* Private to the audio formats. audio_read.c and audio_write.c are their two directions; audio.c stands
 * between them and libsndfile, and is the only file that knows it.
 *
 * WAV, AU, AIFF and CAF files are read and written by code of our own (sound.h, sound_sample.h); the library
 * is there for FLAC. So its parsers see no file from outside but FLAC, and what it writes around samples,
 * wrongly at times (RF64 with the clock and without cue points; AIFF of 8 bits with a frame too many), is not
 * used. */
#ifndef SPRUNG_AUDIO_H
#define SPRUNG_AUDIO_H

#include "io/tempfile.h"
#include "formats/format.h"
#include "formats/audio/samples.h"

/* A FLAC file through libsndfile. */
struct codec;

/* To read; the file must stay. *n frames of at most maxframe, channels side by side; 0: the end. */
struct codec *codec_open(const struct sound_file *file, struct error *e);
bool codec_read(struct codec *c, double *to, size_t maxframe, size_t *n, struct error *e);

/* To write; the spool must stay. Frames are as sound_encode makes them. */
struct codec *codec_create(const struct sound *sound, struct tempfile *spool, struct error *e);
bool codec_write(struct codec *c, const void *frames, size_t nframe, struct error *e);

/* Ends the file. Safe on NULL; e may be NULL. */
bool codec_close(struct codec *c, struct error *e);

/* The state of a reader. */
struct audio {
    struct sound sound;
    struct sound_file file;
    int fd;             /* regular: the source's own or a spool */
    bool spooled, live; /* live: AU from a pipe, read as it comes */
    uint64_t base;      /* where the file begins in fd */
    uint64_t at;        /* bytes of samples read */
    uint64_t nframe;    /* frames read */
    struct codec *codec;                                   /* FLAC */
    unsigned char rest[SOUND_MAXCHANNEL * sizeof(double)]; /* live: the beginning of a frame */
    size_t nrest;
    double *cue;
};

extern const char *const audio_sample_names[]; /* by enum sound_sample, for messages */

enum sound_kind audio_kind(const struct format *format);

bool audio_open(struct reader *r, struct error *e);
bool audio_bind(struct reader *r, struct error *e);
enum loaded audio_load(struct reader *r, struct block *b, struct error *e);
void audio_parse(const struct reader *r, struct block *b);
const char *audio_cell(const struct reader *r, const struct block *b, size_t row, size_t column, char *buf,
                       size_t maxbuf, size_t *ntext);
void audio_close(struct reader *r);

/* n numbers of a channel, from row first of the block on. */
void audio_take(const struct audio *a, const struct block *b, size_t channel, size_t first, size_t n,
                double *to);

/* The reader's state where a reader is one of audio, else NULL. */
const struct audio *audio_of(const struct reader *r);

bool audio_accept(struct writer *w, struct error *e);
bool audio_begin(struct writer *w, struct block *b, struct error *e);
void audio_print(const struct writer *w, struct block *b);
bool audio_store(struct writer *w, struct block *b, struct error *e);
bool audio_finish(struct writer *w, struct block *b, struct error *e);
void audio_end(struct writer *w);

#endif
