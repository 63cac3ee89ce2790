/* RIFF files, RIFX (big-endian) and RF64 (past 4 GiB): the walk over their chunks, and their headers as we write them.
 * libsndfile writes RF64 without cue points and with a PEAK chunk that holds the clock; it cannot write extensible
 * big-endian files, nor leave other chunks alone. Knows nothing of libsndfile. */
#ifndef SPRUNG_RIFF_H
#define SPRUNG_RIFF_H

#include "sound.h"

/* See sound_walk. */
bool riff_walk(struct sound *s, const struct sound_file *file, struct error *e);

/* A WAV file to write. */
struct riff {
    enum sound_sample sample;
    bool big;
    unsigned channels;
    uint32_t rate;
    uint64_t nframe; /* SOUND_UNKNOWN: not known before the end; the header then has room for the sizes of RF64 */
    uint64_t ntail;  /* bytes after the samples and their padding byte */
    /* A format chunk of the same sample to be like, extensible or not; NULL: none */
    const unsigned char *fmt;
    size_t nfmt;
};

enum { RIFF_HEAD = 128 };

/* Writes the header up to the first sample into buf (RIFF_HEAD bytes) and returns its length, which depends on whether
 * the frames are known, but not on how many unknown ones it turns out to be: reserve says that they were not known
 * at first. */
size_t riff_head(const struct riff *r, bool reserve, unsigned char *buf);

/* Does a file of so many frames need RF64? */
bool riff_large(const struct riff *r);

/* Is this chunk still right when samples have changed? */
bool riff_keeps(const struct sound_chunk *chunk);

#endif
