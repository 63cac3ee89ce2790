/* The audio formats: what they share as readers and writers. read.c and write.c are the two directions, one
 * file each has a container's header (sound.h, chunks.h) and descriptor, samples.c the samples, flac.c
 * libsndfile. WAV, AU, AIFF and CAF files are read and written without the library: its parsers see no
 * hostile files but FLAC, and its errors in RF64 and AIFF do not matter. */
#ifndef SPRUNG_AUDIO_H
#define SPRUNG_AUDIO_H

#include "formats/audio/samples.h"
#include "formats/format.h"
#include "io/tempfile.h"

/* A FLAC file through libsndfile. */
struct codec;

/* To read; the file must stay. *n frames of at most maxframe, channels side by side; 0: the end. */
struct codec *codec_open(const struct sound_file *file, struct error *e);
bool codec_read(struct codec *c, double *to, size_t maxframe, size_t *n, struct error *e);

/* To write; the tempfile must stay. Frames are as samples_encode makes them. */
struct codec *codec_create(const struct sound *sound, struct tempfile *to, struct error *e);
bool codec_write(struct codec *c, const void *frames, size_t nframe, struct error *e);

/* Ends the file. c and e may be NULL. */
bool codec_close(struct codec *c, struct error *e);

/* The state of a reader. */
struct audio {
    struct sound sound;
    struct sound_file file;
    int fd;                                                /* a regular file: the source's, or */
    bool temporary;                                        /* one of its own */
    bool live;                                             /* AU from a pipe, read as it comes, without fd */
    uint64_t base;                                         /* where the file begins in fd */
    uint64_t at;                                           /* bytes of samples read */
    uint64_t nframe;                                       /* frames read */
    struct codec *codec;                                   /* FLAC */
    unsigned char rest[SOUND_MAXCHANNEL * sizeof(double)]; /* live: the beginning of a frame */
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

bool audio_accept(struct writer *w, struct error *e);
bool audio_begin(struct writer *w, struct block *b, struct error *e);
void audio_print(const struct writer *w, struct block *b);
bool audio_store(struct writer *w, struct block *b, struct error *e);
bool audio_finish(struct writer *w, struct block *b, struct error *e);
void audio_end(struct writer *w);

/* Of a descriptor: all but name, suffixes, summary and sniff. */
#define AUDIO_FORMAT                                                                                         \
    .open = audio_open, .bind = audio_bind, .load = audio_load, .parse = audio_parse, .cell = audio_cell,    \
    .close = audio_close, .accept = audio_accept, .begin = audio_begin, .print = audio_print,                \
    .store = audio_store, .finish = audio_finish, .end = audio_end, .keeps_shape = true, .samples = true

#endif
