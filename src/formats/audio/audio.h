/* The audio formats. sound.c and containers.c read and write the heads of files, samples.c samples; read.c
 * and write.c are the two directions, recording.c makes the file that is written. WAV, AU, AIFF and CAF files
 * are read and written without libsndfile, which only flac.c knows: its parsers see no hostile files but
 * FLAC, and its errors in RF64 and AIFF do not matter. */
#ifndef SPRUNG_FORMATS_AUDIO_AUDIO_H
#define SPRUNG_FORMATS_AUDIO_AUDIO_H

#include "formats/format.h"
#include "io/tempfile.h"
#include <stdatomic.h>

enum sound_kind { SOUND_WAV, SOUND_AU, SOUND_AIFF, SOUND_FLAC, SOUND_CAF };

/* PCM of b bits is k / 2^(b - 1), a real sample is itself. 8 bits of WAV count from the least sample. */
enum sound_sample { SOUND_PCM8, SOUND_PCM16, SOUND_PCM24, SOUND_PCM32, SOUND_FLOAT, SOUND_DOUBLE };

enum {
    SOUND_MAXCHANNEL = 256,
    SOUND_MAXCHUNK = 4096, /* chunks in a file */
    SOUND_MAXCUE = 1 << 20,
    SOUND_FMT = 64,   /* bytes of a format chunk that are kept */
    SOUND_HEAD = 192, /* room for a container's head */
    AU_HEAD = 24,     /* of an AU file: then comes an annotation, of which AU_NOTE bytes are looked at */
    AU_NOTE = 8
};

#define SOUND_UNKNOWN UINT64_MAX

/* A file to read by position. */
struct sound_file {
    int fd;        /* a regular file; -1: in memory, or AU from a pipe */
    uint64_t base; /* where the file begins in fd */
    const unsigned char *bytes;
    uint64_t size;
};

/* Reads n bytes at a place; an error where the file ends before. */
bool sound_get(const struct sound_file *f, uint64_t at, void *buf, size_t n, struct error *e);

struct sound_chunk {
    char id[4];
    uint64_t at, n; /* its bytes, without id and size */
};

struct sound_cue {
    uint32_t id;
    uint64_t frame;
};

/* The header of a file that is read or written. Invariant: after sound_read_header, data and ndata lie inside
 * the file, ndata is whole frames, and channels, rate and sample are ones that can be read. */
struct sound {
    enum sound_kind kind;
    const struct sound_file *file; /* that is read; to write: that other chunks come from */
    bool exact, large, typed;      /* the size in its head is that of the file; it is RF64; it is AIFC */
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
    unsigned char fmt[SOUND_FMT]; /* the format chunk; to write: it and "fact" are to be like this */
    size_t nfmt;                  /* to write: 0: there is none */
    char remark[160];             /* a harmless irregularity, or "" */

    /* To write. */
    uint64_t nother; /* bytes of other chunks */
    bool reserve;    /* promised was not known at first: a WAV head has room to become RF64 */
};

/* Reads the header of a file that should be of that kind, and that stays; sound_free after, also on an error.
 * AU needs only its first bytes: where the file is live, size is SOUND_UNKNOWN. FLAC: data and ndata
 * are the whole file. */
bool sound_read_header(struct sound *s, enum sound_kind kind, const struct sound_file *file, struct error *e);
void sound_free(struct sound *s);

/* A container: its functions, and the chunks that are read and written by it. A file to write is: head, other
 * chunks, head of the samples, samples, other chunks. */
struct sound_container {
    const char *name; /* as messages have it */
    const struct format *format;
    /* Reads the header. NULL: it is chunks, of which others are kept, and */
    bool (*read_header)(struct sound *s, struct error *e);
    /* the format chunk of n bytes is in s->fmt; */
    bool (*describe)(struct sound *s, uint64_t n, struct error *e);
    /* that of the samples, of *n bytes, is at a place. Sets s->data, and s->ndata to the bytes that it
     * promises, SOUND_UNKNOWN: up to the end; *n becomes its true size, or SOUND_UNKNOWN where nothing can
     * follow. */
    bool (*locate)(struct sound *s, uint64_t at, uint64_t *n, struct error *e);
    /* Writes the head of the file into buf (SOUND_HEAD bytes) and returns its length, which does not depend
     * on promised unless a WAV file is known to be RF64 at first. NULL: libsndfile writes the file. */
    size_t (*head)(const struct sound *s, unsigned char *buf);
    const char *format_id, *samples_id, *cue_id; /* NULL: there is none */
    unsigned nformat;                            /* least bytes of the format chunk; AIFC: 4 more */
    unsigned nextra;                             /* bytes of the samples' chunk before the samples */
    unsigned cue_word;            /* bytes of the count of cue points, and of the number of each */
    unsigned cue_frame, cue_size; /* where a cue point has its frame; its size with an empty name */
};

extern const struct sound_container sound_containers[]; /* by enum sound_kind */

static inline enum sound_kind sound_kind_of(const struct format *format)
{
    return (enum sound_kind)((const struct sound_container *)format->kind - sound_containers);
}

/* Writes the head of the samples. */
size_t sound_data_head(const struct sound *s, unsigned char *buf);

/* Bytes of one sample in a block: as the file has it, but for FLAC, of which the library takes and gives
 * int32_t with the sample's bits at the top. */
static inline unsigned sound_width(const struct sound *s)
{
    static const unsigned char width[] = { 1, 2, 3, 4, 4, 8 };
    return s->kind == SOUND_FLAC ? 4 : width[s->sample];
}

/* Bytes of one frame. */
static inline size_t sound_frame(const struct sound *s)
{
    return (size_t)s->channels * sound_width(s);
}

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
    return s->kind == SOUND_WAV && sound_bytes(s) + s->nother > UINT32_MAX - SOUND_HEAD - 1;
}

/* The first chunk of that id that has bytes, or NULL. */
struct sound_chunk *chunk_find(const struct sound *s, const char *id);

/* Writes id and size of a chunk of n bytes, and returns their length, at most 12 bytes. */
size_t chunk_head(const struct sound *s, const char *id, uint64_t n, unsigned char *buf);

/* True if a padding byte follows a chunk of n bytes. */
static inline bool chunk_pads(const struct sound *s, uint64_t n)
{
    return s->kind != SOUND_CAF && s->kind != SOUND_AU && n & 1;
}

/* The order of bytes in chunks but for samples, which have either order in AIFF and CAF. */
static inline bool chunk_is_big(const struct sound *s)
{
    return s->big || s->kind != SOUND_WAV;
}

/* The number in n bytes, at most 8, and back. Loops that compilers turn into one load or store. */
static inline uint64_t sound_word(const unsigned char *p, unsigned n, bool big)
{
    uint64_t x = 0;
#pragma GCC unroll 8
    for (unsigned i = 0; i < n; i++)
        x |= (uint64_t)p[big ? n - 1 - i : i] << 8 * i;
    return x;
}

static inline void sound_put_word(unsigned char *to, uint64_t x, unsigned n, bool big)
{
#pragma GCC unroll 8
    for (unsigned i = 0; i < n; i++)
        to[i] = (unsigned char)(x >> 8 * (big ? n - 1 - i : i));
}

/* Writes fields, and returns the place behind them: sound_put(to, big, { width, number }, …). */
struct sound_field {
    unsigned width; /* bytes */
    uint64_t x;
};
unsigned char *sound_put_fields(unsigned char *to, bool big, const struct sound_field *field, size_t nfield);
#define sound_put(to, big, ...)                                                                              \
    sound_put_fields(to, big, (const struct sound_field[]){ __VA_ARGS__ },                                   \
                     sizeof((const struct sound_field[]){ __VA_ARGS__ }) / sizeof(struct sound_field))

/* --- for the containers --- */

bool sound_add_chunk(struct sound *s, const char *id, uint64_t at, uint64_t n, struct error *e);

bool flac_read_header(struct sound *s, struct error *e);

/* Sets the sample type from its bits, and checks the header's bytes of a frame, if not SOUND_UNKNOWN. */
bool sound_set_sample(struct sound *s, bool real, unsigned bits, uint64_t nframe, struct error *e);

/* Checks channels and rate, and sets ndata and promised: npromised bytes of samples by the header
 * (SOUND_UNKNOWN: up to the end), navailable in the file. */
bool sound_check(struct sound *s, uint64_t npromised, uint64_t navailable, struct error *e);

/* True if that is the size of the whole file in its head, with or without a last padding byte. */
static inline bool sound_is_exact(const struct sound_file *file, uint64_t size)
{
    return size + 8 == file->size || size + 9 == file->size;
}

/* Sets the bytes that the format chunk of AIFF promises; *available: those in the file. */
void aiff_settle(struct sound *s, uint64_t *available);

/* True if an id of four characters is one of those. */
bool sound_has_id(const void *id, const char *ids);

/* --- samples.c --- */

/* Reads n numbers of one channel, in frames of a block; from: its first sample. */
void samples_decode(const struct sound *s, const unsigned char *from, size_t n, double *to);

/* Writes n numbers into one channel of frames; to: its first sample. What does not fit into PCM is clipped
 * and counted. Returns the index of the first number that cannot be a sample, or n. With any, a real sample
 * may be NaN or infinite. */
size_t samples_encode(const struct sound *s, const double *x, size_t n, unsigned char *to, bool any,
                      uint64_t *clipped);

/* --- flac.c --- */

struct codec {                     /* all zero at first */
    void *library;                 /* NULL: not open */
    const struct sound_file *file; /* to read */
    struct tempfile *to;           /* to write */
    uint64_t at;
    struct error error; /* of a callback */
};

/* Opens the file of a header to read, or (to is not NULL) one like it to write; all of them must stay. */
bool codec_open(struct codec *c, const struct sound *s, struct tempfile *to, struct error *e);

/* *n frames of at most maxframe; 0: the end. */
bool codec_read(struct codec *c, void *frames, size_t maxframe, size_t *n, struct error *e);
bool codec_write(struct codec *c, const void *frames, size_t nframe, struct error *e);

/* Ends the file, if it is open. e may be NULL. */
bool codec_close(struct codec *c, struct error *e);

/* --- recording.c: row n is at the first time + n / rate, to within the rounding of its decimals --- */

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
    struct sound_file file; /* the source's, or a temporary one; AU from a pipe is read as it comes */
    uint64_t at;            /* bytes of samples read */
    uint64_t nframe;        /* frames read */
    struct codec codec;     /* FLAC */
    unsigned char rest[SOUND_MAXCHANNEL * sizeof(double)]; /* the beginning of a frame, from a pipe */
    size_t nrest;
    bool ended;  /* AU has been read to its end: close prints the remark */
    double *cue; /* frames of cue points */
};

/* Reads n numbers of a column, from row first of the block on. */
void audio_numbers(const struct reader *r, const struct block *b, size_t column, size_t first, size_t n,
                   double *to);

FORMAT_FUNCTIONS(audio);
const char *audio_cell(const struct reader *r, const struct block *b, size_t row, size_t column, char *buf,
                       size_t maxbuf, size_t *ntext);

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
    double unmoved_rate;       /* > 0: but not those with frame numbers: the rate before resampling */

    struct channel_source *source; /* [channels] */
    struct rate rate;              /* while that of sound is 0 */
    struct tempfile held;          /* frames that wait for the rate */
    _Atomic uint64_t clipped;      /* samples */

    struct tempfile file; /* its fd is -1: straight to the output, without a temporary file */
    struct codec codec;   /* FLAC */
    uint64_t at;          /* where the next bytes go */
    bool started;         /* heads are written, and sound.promised counts frames */
    bool ended;           /* complete, or cannot be completed */
    bool measuring;       /* bytes are counted, not written */
};

/* The descriptor of a format: of nleast bytes the first 4 are one of ids, those at 8 one of types, if any. */
#define AUDIO_FORMAT(name_, kind_, summary_, nleast, ids, types, ...)                                        \
    static bool sniff_##name_(const unsigned char *head, size_t nhead)                                       \
    {                                                                                                        \
        return nhead >= nleast && sound_has_id(head, ids) && (!*types || sound_has_id(head + 8, types));     \
    }                                                                                                        \
    const struct format format_##name_ = { .name = #name_,                                                   \
                                           .summary = summary_,                                              \
                                           .suffixes = (const char *const[]){ __VA_ARGS__, NULL },           \
                                           .sniff = sniff_##name_,                                           \
                                           .kind = &sound_containers[kind_],                                 \
                                           AUDIO };

#define AUDIO                                                                                                \
    .open = audio_open, .bind = audio_bind, .load = audio_load, .parse = audio_parse, .cell = audio_cell,    \
    .close = audio_close, .accept = audio_accept, .begin = audio_begin, .print = audio_print,                \
    .store = audio_store, .finish = audio_finish, .end = audio_end, .keeps_shape = true,                     \
    .family = FAMILY_AUDIO,                                                                                  \
    .keeps = "Keeps samples that do not change, their type, and chunks; chunks that another format or rate " \
             "cannot hold are dropped with a warning."

#endif
