/* What the header of an audio file says, and the table of containers. Headers are read by code of our own:
 * libsndfile sees FLAC files only. Invariant: after sound_read_header, data and ndata lie inside the file,
 * ndata is whole frames, and channels, rate and sample are ones that can be read. */
#ifndef SPRUNG_AUDIO_SOUND_H
#define SPRUNG_AUDIO_SOUND_H

#include "base/error.h"

enum sound_kind { SOUND_WAV, SOUND_AU, SOUND_AIFF, SOUND_FLAC, SOUND_CAF };

enum sound_sample { SOUND_U8, SOUND_S8, SOUND_PCM16, SOUND_PCM24, SOUND_PCM32, SOUND_FLOAT, SOUND_DOUBLE };

enum {
    SOUND_MAXCHANNEL = 256,
    SOUND_MAXCHUNK = 4096, /* chunks in a file */
    SOUND_MAXCUE = 1 << 20,
    SOUND_FMT = 64,  /* bytes of a format chunk that are kept */
    SOUND_HEAD = 192 /* room for sound_head */
};

#define SOUND_UNKNOWN UINT64_MAX

/* A file to read: bytes by position. */
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
    uint64_t data;     /* where samples begin in the file */
    uint64_t ndata;    /* bytes of samples present, whole frames; SOUND_UNKNOWN: until the input ends */
    uint64_t promised; /* frames by the header; SOUND_UNKNOWN: it does not say */
    struct sound_cue *cue;
    size_t ncue;
    bool labelled;             /* cue points have names or texts */
    struct sound_chunk *chunk; /* all but format and samples; of AU and FLAC: metadata that is lost */
    size_t nchunk;
    unsigned char fmt[SOUND_FMT]; /* the format chunk, for a file that is to be like it */
    size_t nfmt;
    char remark[160]; /* a harmless irregularity, or "" */
};

/* Reads the header of a file that should be of that kind. *s is zeroed before; sound_free after, also on an
 * error. AU needs only its first bytes: where the file is live, size is SOUND_UNKNOWN. FLAC: data and ndata
 * are the whole file. */
bool sound_read_header(struct sound *s, enum sound_kind kind, const struct sound_file *file, struct error *e);
void sound_free(struct sound *s);

unsigned sound_width(enum sound_sample sample); /* bytes of one sample */
bool sound_is_real(enum sound_sample sample);   /* float or double */

/* A sound_file's read for a file in memory; closure is its first byte. */
bool sound_read_memory(void *closure, uint64_t at, void *buf, size_t n, struct error *e);

/* A file to write: head, other chunks, head of the samples, samples, other chunks. Not for FLAC. */
struct sound_spec {
    const struct sound *sound; /* nfmt > 0: the format chunk and "fact" are to be like fmt and chunk */
    uint64_t nframe;           /* SOUND_UNKNOWN: not known yet */
    uint64_t nbefore, nafter;  /* bytes of other chunks before and after the samples */
    bool reserve;              /* nframe was not known at first: a WAV head has room to become RF64 */
};

/* Write the heads into buf (SOUND_HEAD bytes) and return their length, which does not depend on nframe
 * unless a WAV file is known to be RF64 at first. */
size_t sound_head(const struct sound_spec *spec, unsigned char *buf);
size_t sound_data_head(const struct sound_spec *spec, unsigned char *buf);

uint64_t sound_spec_bytes(const struct sound_spec *spec); /* of samples; 0 while nframe is not known */

/* A container: its functions, and the chunks that are read and written by it. */
struct sound_container {
    const char *name; /* as messages have it */
    const struct format *format;
    bool (*read_header)(struct sound *s, const struct sound_file *file, struct error *e);
    size_t (*head)(const struct sound_spec *spec, unsigned char *buf); /* NULL: libsndfile writes the file */
    const char *format_id, *samples_id, *cue_id;                       /* NULL: there is none */
    unsigned nextra;              /* bytes of the samples' chunk before the samples */
    unsigned cue_word;            /* bytes of the count of cue points, and of the number of each */
    unsigned cue_frame, cue_size; /* where a cue point has its frame; its size with an empty name */
};

extern const struct sound_container sound_containers[]; /* by enum sound_kind */

enum sound_kind sound_kind_of(const struct format *format);

/* --- for the containers --- */

/* Reads n bytes at a place; an error where the file ends before. */
bool sound_get(const struct sound_file *f, uint64_t at, void *buf, size_t n, struct error *e);

bool sound_add_chunk(struct sound *s, const char *id, uint64_t at, uint64_t n, struct error *e);
bool sound_add_cue(struct sound *s, uint32_t id, uint64_t frame, struct error *e);

/* Sets the sample type from its bits, or an error. */
bool sound_set_sample(struct sound *s, bool real, unsigned bits, struct error *e);

/* Checks the bytes of a frame that the header names. */
bool sound_check_frame(const struct sound *s, unsigned nbyte, unsigned bits, struct error *e);

/* Checks channels and rate, and sets ndata and promised: npromised bytes of samples by the header
 * (SOUND_UNKNOWN: up to the end), navailable in the file. */
bool sound_check(struct sound *s, uint64_t npromised, uint64_t navailable, struct error *e);

/* The error of a sample type that cannot be read; returns false. */
bool sound_refuse(struct error *e, const char *what);
bool sound_refuse_type(struct error *e, const unsigned char *type); /* four characters */

/* Writes fields one after the other and returns the place behind them: sound_put(to, big, { width, number },
 * …). */
struct sound_field {
    unsigned width; /* bytes */
    uint64_t x;
};
unsigned char *sound_put_fields(unsigned char *to, bool big, const struct sound_field *field, size_t nfield);
#define sound_put(to, big, ...)                                                                              \
    sound_put_fields(to, big, (const struct sound_field[]){ __VA_ARGS__ },                                   \
                     sizeof((const struct sound_field[]){ __VA_ARGS__ }) / sizeof(struct sound_field))

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
