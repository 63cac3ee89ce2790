/* What the header of an audio file says, the table of containers, and what containers share: chunks, each
 * with an id of four characters and its size, and cue points. Headers are read by code of our own: libsndfile
 * sees FLAC files only. Invariant: after sound_read_header, data and ndata lie inside the file, ndata is
 * whole frames, and channels, rate and sample are ones that can be read. */
#ifndef SPRUNG_FORMATS_AUDIO_SOUND_H
#define SPRUNG_FORMATS_AUDIO_SOUND_H

#include "base/error.h"

enum sound_kind { SOUND_WAV, SOUND_AU, SOUND_AIFF, SOUND_FLAC, SOUND_CAF };

enum sound_sample { SOUND_U8, SOUND_S8, SOUND_PCM16, SOUND_PCM24, SOUND_PCM32, SOUND_FLOAT, SOUND_DOUBLE };

enum {
    SOUND_MAXCHANNEL = 256,
    SOUND_MAXCHUNK = 4096, /* chunks in a file */
    SOUND_MAXCUE = 1 << 20,
    SOUND_FMT = 64,  /* bytes of a format chunk that are kept */
    SOUND_HEAD = 192 /* room for a container's head */
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

/* The header of a file that is read or written. */
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
    size_t ncue, maxcue;
    bool labelled;             /* cue points have names or texts */
    struct sound_chunk *chunk; /* all but format and samples; of AU and FLAC: metadata that is lost */
    size_t nchunk, maxchunk;
    unsigned char
        fmt[SOUND_FMT]; /* the format chunk; to write (nfmt > 0): it and "fact" are to be like this */
    size_t nfmt;
    char remark[160]; /* a harmless irregularity, or "" */

    /* To write. */
    uint64_t nbefore, nafter; /* bytes of other chunks before and after the samples */
    bool reserve;             /* promised was not known at first: a WAV head has room to become RF64 */
};

/* Reads the header of a file that should be of that kind. *s is zeroed before; sound_free after, also on an
 * error. AU needs only its first bytes: where the file is live, size is SOUND_UNKNOWN. FLAC: data and ndata
 * are the whole file. */
bool sound_read_header(struct sound *s, enum sound_kind kind, const struct sound_file *file, struct error *e);
void sound_free(struct sound *s);

unsigned sound_width(enum sound_sample sample); /* bytes of one sample */

static inline bool sound_is_real(enum sound_sample sample)
{
    return sample >= SOUND_FLOAT;
}

/* Bytes of one frame. */
static inline size_t sound_frame(const struct sound *s)
{
    return (size_t)s->channels * sound_width(s->sample);
}

/* A sound_file's read for a file in memory; closure is its first byte. */
bool sound_read_memory(void *closure, uint64_t at, void *buf, size_t n, struct error *e);

/* Reads n bytes at a place; an error where the file ends before. */
bool sound_get(const struct sound_file *f, uint64_t at, void *buf, size_t n, struct error *e);

/* Reads the header, whose first 12 bytes are in head. */
typedef bool sound_reader(struct sound *s, const struct sound_file *file, const unsigned char *head,
                          struct error *e);

/* Writes the head of the file into buf (SOUND_HEAD bytes) and returns its length, which does not depend on
 * promised unless a WAV file is known to be RF64 at first. */
typedef size_t sound_writer(const struct sound *s, unsigned char *buf);

/* A container: its functions, and the chunks that are read and written by it. A file to write is: head, other
 * chunks, head of the samples, samples, other chunks. */
struct sound_container {
    const char *name; /* as messages have it */
    const struct format *format;
    sound_reader *read_header;
    sound_writer *head;                          /* NULL: libsndfile writes the file */
    const char *format_id, *samples_id, *cue_id; /* NULL: there is none */
    unsigned nextra;                             /* bytes of the samples' chunk before the samples */
    unsigned cue_word;            /* bytes of the count of cue points, and of the number of each */
    unsigned cue_frame, cue_size; /* where a cue point has its frame; its size with an empty name */
};

extern const struct sound_container sound_containers[]; /* by enum sound_kind */

enum sound_kind sound_kind_of(const struct format *format);

/* Writes the head of the samples. */
sound_writer sound_data_head;

/* To write: frames, and bytes of samples; 0 while they are not known. */
static inline uint64_t sound_frames(const struct sound *s)
{
    return s->promised == SOUND_UNKNOWN ? 0 : s->promised;
}

static inline uint64_t sound_bytes(const struct sound *s)
{
    return sound_frames(s) * sound_frame(s);
}

/* True if the file is a WAV file that needs RF64. */
static inline bool sound_is_large(const struct sound *s)
{
    return s->kind == SOUND_WAV && sound_bytes(s) + s->nbefore + s->nafter > UINT32_MAX - SOUND_HEAD - 1;
}

/* --- for the containers --- */

sound_reader riff_read_header, aiff_read_header, caf_read_header, au_read_header, flac_read_header;
sound_writer riff_head, aiff_head, caf_head, au_head;

bool sound_add_chunk(struct sound *s, const char *id, uint64_t at, uint64_t n, struct error *e);

/* Sets the sample type from its bits, and checks the bytes of a frame by the header; SOUND_UNKNOWN: it does
 * not say. */
bool sound_set_sample(struct sound *s, bool real, unsigned bits, uint64_t nframe, struct error *e);

/* Checks channels and rate, and sets ndata and promised: npromised bytes of samples by the header
 * (SOUND_UNKNOWN: up to the end), navailable in the file. */
bool sound_check(struct sound *s, uint64_t npromised, uint64_t navailable, struct error *e);

/* The error of a sample type that cannot be read: "of …"; false. The type has four characters. */
#define sound_refuse(e, what, ...)                                                                           \
    (error_data(e, "the samples are " what ", and only PCM and IEEE float are read", __VA_ARGS__),           \
     error_hint(e, "decode it first, as in: sox IN -b 16 -e signed OUT"))
bool sound_refuse_type(struct error *e, const unsigned char *type);

/* A walk over the chunks of WAV, AIFF and CAF. The container sets what comes first and the first two results;
 * the walk sets the rest. */
struct chunks {
    struct sound *sound;
    const struct sound_file *file;
    unsigned nleast; /* bytes that the format chunk has at least */
    bool exact;      /* the size of the whole file in its head is right; CAF has none */
    bool large;      /* RF64 */

    /* The format chunk is in sound->fmt. */
    bool (*describe)(struct chunks *c, struct error *e);
    /* The samples' chunk of *n bytes is at that place: sets sound->data and ndata; *n becomes its true size,
     * or SOUND_UNKNOWN where nothing can follow. */
    bool (*locate)(struct chunks *c, uint64_t at, uint64_t *n, struct error *e);

    uint64_t ndata;   /* bytes of samples by their chunk; SOUND_UNKNOWN: up to the end */
    uint64_t nframe;  /* AIFF: by the format chunk */
    bool optional;    /* the samples' chunk may be missing, as there are no samples */
    bool found;       /* the samples' chunk was seen */
    uint64_t nformat; /* bytes of the format chunk; 0: not seen yet */
};

/* Reads all chunks up to the end of the file, or of what is intact once the samples were seen. */
bool chunks_read(struct chunks *c, struct error *e);

/* True if that is the size of the whole file in its head, with or without a last padding byte. */
static inline bool chunks_are_exact(const struct sound_file *file, uint64_t size)
{
    return size + 8 == file->size || size + 9 == file->size;
}

/* The first chunk of that id that has bytes, or NULL. */
struct sound_chunk *chunk_find(const struct sound *s, const char *id);

/* True if a chunk is still right when samples have changed; moved: and their number. */
bool chunk_lasts(const struct sound_chunk *chunk, bool moved);

/* Writes id and size of a chunk of n bytes, and returns their length, at most 12 bytes. */
size_t chunk_head(const struct sound *s, const char *id, uint64_t n, unsigned char *buf);

/* True if a padding byte follows a chunk of n bytes. */
static inline bool chunk_pads(const struct sound *s, uint64_t n)
{
    return s->kind != SOUND_CAF && n & 1;
}

/* The order of bytes of all that is in chunks but samples: AIFF and CAF have big-endian heads around samples
 * of either order. */
static inline bool chunk_is_big(const struct sound *s)
{
    return s->big || s->kind != SOUND_WAV;
}

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
