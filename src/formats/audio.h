/* Private to the audio formats. audio_read.c and audio_write.c are their two directions; audio.c stands
 * between them and libsndfile, and is the only file that knows it.
 *
 * What WAV, AU, AIFF and CAF files hold around their samples is read and written by code of our own
 * (sound.h), and the library is handed bare samples; FLAC files are its own. So its parsers see no file from
 * outside but FLAC, and what it writes around samples, wrongly at times (RF64 with the clock and without cue
 * points; AIFF of 8 bits with a frame too many), is not used. */
#ifndef SPRUNG_AUDIO_H
#define SPRUNG_AUDIO_H

#include "../spool.h"
#include "format.h"
#include "sound.h"

/* Samples through libsndfile: in memory, or in a file of the library's own making. */
struct codec;

/* Bare samples, to decode or to encode. */
struct codec *codec_samples(enum sound_sample sample, bool big, unsigned channels, bool encode,
                            struct error *e);

/* nframe frames of bare samples <-> numbers: channels side by side. */
bool codec_decode(struct codec *c, const unsigned char *bytes, size_t nframe, double *to, struct error *e);
bool codec_encode(struct codec *c, const void *frames, size_t nframe, unsigned char *bytes, struct error *e);

/* A file that the library reads (FLAC); the file must stay. *n frames of at most maxframe; 0: the end. */
struct codec *codec_open(const struct sound_file *file, struct error *e);
bool codec_read(struct codec *c, double *to, size_t maxframe, size_t *n, struct error *e);

/* A file that the library writes (FLAC); the spool must stay. */
struct codec *codec_create(const struct sound *sound, struct spool *spool, struct error *e);
bool codec_write(struct codec *c, const void *frames, size_t nframe, struct error *e);

/* Ends the file. Safe on NULL; e may be NULL. */
bool codec_close(struct codec *c, struct error *e);

/* What an encoder takes: int32_t with the sample's bits at the top for PCM, float, or double. */
static inline size_t codec_size(enum sound_sample sample)
{
    return sample == SOUND_DOUBLE ? sizeof(double) : sizeof(int32_t);
}

/* The state of a reader. */
struct audio {
    struct sound sound;
    struct sound_file file;
    int fd;             /* regular: the source's own or a spool */
    bool spooled, live; /* live: AU from a pipe, read as it comes */
    uint64_t base;      /* where the file begins in fd */
    uint64_t at;        /* bytes of samples read */
    uint64_t nframe;    /* frames read */
    struct codec *codec;
    unsigned char *raw; /* bytes of samples on their way to the codec */
    size_t nraw, maxraw;
    double *cue;
};

extern const char *const audio_sample_names[]; /* by enum sound_sample, for messages */

enum sound_kind audio_kind(const struct format *format);

bool audio_open(struct reader *r, struct error *e);
bool audio_plan(struct reader *r, struct error *e);
enum loaded audio_load(struct reader *r, struct block *b, struct error *e);
void audio_parse(const struct reader *r, struct block *b);
const char *audio_cell(const struct reader *r, const struct block *b, size_t row, size_t column, char *buf,
                       size_t maxbuf, size_t *ntext);
void audio_close(struct reader *r);

/* The reader's state where a reader is one of audio, else NULL. */
const struct audio *audio_of(const struct reader *r);

bool audio_accept(struct writer *w, struct error *e);
bool audio_begin(struct writer *w, struct block *b, struct error *e);
void audio_print(const struct writer *w, struct block *b);
bool audio_store(struct writer *w, struct block *b, struct error *e);
bool audio_finish(struct writer *w, struct block *b, struct error *e);
void audio_end(struct writer *w);

#endif
