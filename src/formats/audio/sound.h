/* What the header of an audio file says, found by a walk of our own: libsndfile, of which nothing is known
 * here, never sees a WAV, AU, AIFF or CAF file.
 * Invariant: a walk that succeeds names only bytes that are there: data and ndata lie inside the file, ndata
 * is whole frames, and channels, rate and sample are ones that can be read. */
#ifndef SPRUNG_SOUND_H
#define SPRUNG_SOUND_H

#include "base/error.h"

enum sound_kind { SOUND_WAV, SOUND_AU, SOUND_AIFF, SOUND_FLAC, SOUND_CAF };

enum sound_sample { SOUND_U8, SOUND_S8, SOUND_PCM16, SOUND_PCM24, SOUND_PCM32, SOUND_FLOAT, SOUND_DOUBLE };

enum {
    SOUND_MAXCHANNEL = 256,
    SOUND_MAXCHUNK = 4096, /* chunks in a file */
    SOUND_MAXCUE = 1 << 20,
    SOUND_FMT = 64,  /* bytes of a format chunk that are kept */
    SOUND_HEAD = 192 /* bytes that a head may take */
};

#define SOUND_UNKNOWN UINT64_MAX

/* A file to walk: bytes by position. */
struct sound_file {
    bool (*read)(void *closure, uint64_t at, void *buf, size_t n, struct error *e); /* all n, or an error */
    void *closure;
    uint64_t size;
};

struct sound_chunk {
    char id[4];
    uint64_t at, n; /* its bytes, without id and size */
};

struct sound_cue {
    uint32_t id;
    uint64_t frame;
};

struct sound {
    enum sound_kind kind;
    enum sound_sample sample;
    bool big; /* big-endian samples */
    unsigned channels;
    double rate;
    uint64_t data;  /* where samples begin in the file */
    uint64_t ndata; /* bytes of samples that are there, whole frames; SOUND_UNKNOWN: until the input ends */
    uint64_t promised; /* frames by the header; SOUND_UNKNOWN: it does not say */
    struct sound_cue *cue;
    size_t ncue, maxcue;
    bool labelled;             /* there are words about cue points: names, messages */
    struct sound_chunk *chunk; /* WAV, AIFF, CAF: those that are neither format nor samples, in order */
    size_t nchunk, maxchunk;
    unsigned char fmt[SOUND_FMT]; /* WAV, AIFF, CAF: the format chunk, for a file that is to be like it */
    size_t nfmt;
    char remark[160]; /* something odd that does no harm, or "" */
};

/* Walks a file that should be of that kind. The sound is empty (zeroes) before; sound_free after, also on an
 * error. AU needs only its first bytes: where the file is live, size is SOUND_UNKNOWN. FLAC: only its first
 * block is looked at; data and ndata are the file. */
bool sound_walk(struct sound *s, enum sound_kind kind, const struct sound_file *file, struct error *e);
void sound_free(struct sound *s);

/* Do these first bytes belong to a file of that kind? */
bool sound_looks_like(enum sound_kind kind, const unsigned char *head, size_t nhead);

unsigned sound_width(enum sound_sample sample); /* bytes of one sample */

/* A file in memory; closure is its first byte. */
bool sound_read_memory(void *closure, uint64_t at, void *buf, size_t n, struct error *e);

/* A file to write: head, other chunks, head of the samples, samples, other chunks. Not for FLAC. */
struct sound_plan {
    const struct sound *sound; /* kind, sample, big, channels, rate */
    const struct sound *like;  /* a file of the same kind, sample and channels to be like; NULL: none */
    uint64_t nframe;           /* SOUND_UNKNOWN: not known yet */
    uint64_t nbefore, nafter;  /* bytes of other chunks before and after the samples */
    bool reserve;              /* the frames were not known at first: a WAV head has room to become RF64 */
};

/* Write the heads into buf (SOUND_HEAD bytes) and return their length, which does not depend on the frames
 * but for a WAV file that is known to be RF64 at first. */
size_t sound_head(const struct sound_plan *p, unsigned char *buf);
size_t sound_data_head(const struct sound_plan *p, unsigned char *buf);

/* Of a further chunk of n bytes: its id and size (at most 12 bytes); and is there a padding byte after it? */
size_t sound_chunk_head(const struct sound *s, const char *id, uint64_t n, unsigned char *buf);
bool sound_chunk_pads(const struct sound *s, uint64_t n);

/* Is this chunk still right when samples have changed? */
bool sound_keeps(const struct sound_chunk *chunk);

bool sound_is_real(enum sound_sample sample);          /* float or double */
uint64_t sound_plan_bytes(const struct sound_plan *p); /* of samples; 0 while the frames are not known */
unsigned char *sound_put(unsigned char *p, uint64_t x, unsigned n,
                         bool big); /* n bytes; returns the place after them */

/* For the walks themselves. All of n bytes at a place; where the file ends before: words, and false. */
bool sound_get(const struct sound_file *f, uint64_t at, void *buf, size_t n, struct error *e);
bool sound_add_chunk(struct sound *s, const char *id, uint64_t at, uint64_t n, struct error *e);
void sound_drop_chunk(struct sound *s, uint64_t at);
bool sound_add_cue(struct sound *s, uint32_t id, uint64_t frame, struct error *e);

/* Checks channels and rate, and the samples against the bytes that are there: npromised bytes by the header
 * (SOUND_UNKNOWN: up to the end), navailable in the file. Sets ndata and promised. */
bool sound_settle(struct sound *s, uint64_t npromised, uint64_t navailable, struct error *e);

/* Words for samples of a kind that is not read; returns false. */
bool sound_refuse(struct error *e, const char *what);

/* The number in n bytes, at most 4. Written out, so that compilers see one load in it. */
static inline uint32_t sound_word(const unsigned char *p, unsigned n, bool big)
{
    uint32_t x = p[big ? n - 1 : 0];
    if (n > 1)
        x |= (uint32_t)p[big ? n - 2 : 1] << 8;
    if (n > 2)
        x |= (uint32_t)p[big ? n - 3 : 2] << 16;
    if (n > 3)
        x |= (uint32_t)p[big ? n - 4 : 3] << 24;
    return x;
}

static inline uint64_t sound_word64(const unsigned char *p, bool big)
{
    uint64_t low = sound_word(p + (big ? 4 : 0), 4, big), high = sound_word(p + (big ? 0 : 4), 4, big);
    return high << 32 | low;
}

#endif
