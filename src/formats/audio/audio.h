/* The audio formats. WAV (RIFF, RIFX, RF64) is read by wav_read.c and written by wav_write.c, which keep
 * every chunk byte for byte and stream. All other containers are read and written by libsndfile, which only
 * library.c knows. samples.c turns samples into numbers and back. For all containers audio_read.c reads rows,
 * audio_accept.c chooses what the output will be, and audio_write.c writes rows. */
#ifndef SPRUNG_FORMATS_AUDIO_AUDIO_H
#define SPRUNG_FORMATS_AUDIO_AUDIO_H

#include "base/array.h"
#include "formats/format.h"
#include "formats/word.h"
#include "io/tempfile.h"
#include "rows/row_rate.h"
#include <stdatomic.h>

/* A PCM sample of b bits is the number k / 2^(b - 1); a float or double sample is the number itself. */
enum sound_sample { SOUND_PCM8, SOUND_PCM16, SOUND_PCM24, SOUND_PCM32, SOUND_FLOAT, SOUND_DOUBLE };

enum {
    SOUND_MAXCHANNEL = 256,
    SOUND_MAXCHUNK = 4096,    /* chunks in a file */
    SOUND_MAXCUE = 1 << 20,   /* cue points in a file */
    SOUND_MAXHELD = 64 << 20, /* most bytes of chunks of a WAV file from a pipe that are held in memory */
    SOUND_FORMAT_BYTES = 64,  /* most bytes of a format chunk that are kept */
    SOUND_HEAD_BYTES = 192    /* room for the head of a WAV file */
};

/* Most cue points of an AIFF file: with more, libsndfile reads no cue point at all. */
enum { LIBRARY_MAXCUE = 2500 };

/* A number of bytes or frames that is not known. */
#define SOUND_UNKNOWN UINT64_MAX

/* Encodings in the format chunk of WAV, and the bytes of a cue point. */
enum { WAV_PCM = 1, WAV_FLOAT = 3, WAV_EXTENSIBLE = 0xFFFE, WAV_CUE = 24 };

/* --- bytes.c: the bytes of a file, and its chunks --- */

/* A file to read by position. The samples of a WAV file from a pipe are read from source directly and are not
 * part of the sound_file: positions count only the bytes before and after the samples. */
struct sound_file {
    int fd;                /* a regular file; -1: bytes */
    uint64_t base;         /* position in fd of the first byte of the file */
    uint64_t size;         /* bytes of the file; SOUND_UNKNOWN: from a pipe, and the end has not been seen */
    struct source *source; /* the pipe, a source of further bytes; NULL: the file is not from a pipe */
    unsigned char *bytes;  /* the bytes of the file. From a pipe: [nbyte] owned; else [size] not owned. NULL:
                              the  bytes are in fd, or no byte has come from the pipe yet */
    size_t nbyte, maxbyte; /* from a pipe: bytes that were read so far, and the room in `bytes` */
};

/* Waits until the first `end` bytes of a file from a pipe have arrived, or the input has ended, which sets
 * size. */
bool sound_fetch(struct sound_file *file, uint64_t end, struct error *e);

/* Reads nbyte bytes from position at; an error if the file ends before. */
bool sound_get(struct sound_file *file, uint64_t at, void *to, size_t nbyte, struct error *e);

/* A part of a file with an identifier of four characters. */
struct sound_chunk {
    char id[4];
    uint64_t at; /* position of the first byte after the head of the chunk */
    uint64_t n;  /* number of bytes after the head */
};

/* Reads the head of the chunk of WAV or AIFF that begins at a position; big: its size is big-endian. *found
 * is false at the end of the file. */
bool chunk_read_head(struct sound_file *file, uint64_t at, bool big, struct sound_chunk *chunk, bool *found,
                     struct error *e);

/* The position after the chunk and its padding byte. */
static inline uint64_t chunk_end(const struct sound_chunk *chunk)
{
    return chunk->at + chunk->n + chunk->n % 2;
}

/* True if the four characters at id are one of the ids in a text of ids without separators: "fmt data". */
bool chunk_is(const void *id, const char *ids);

/* --- a recording's description --- */

struct sound_cue {
    uint32_t id; /* number of the cue point in its file */
    uint64_t frame;
};

/* A container. */
struct sound_container {
    const char *name;       /* name in messages */
    int library;            /* libsndfile's number of the container; 0: WAV */
    unsigned most_channels; /* most channels of a file */
    int last_text;          /* the last of libsndfile's kinds of text that a file holds; 0: no kind */
    bool real;              /* holds float and double samples, and PCM of 32 bits */
    bool cues;              /* holds cue points */
    bool small;             /* holds at most 4 GiB */
    bool read_only;         /* is read, never written */
};

/* What the head of a file says. After wav_read_head or library_open: channels, rate and sample can be read,
 * and the samples that are present lie in the file. */
struct sound {
    const struct sound_container *container;
    struct sound_file *file;  /* the file that is read; not owned */
    enum sound_sample sample; /* type of the samples in the file */
    bool big;                 /* samples in a block are big-endian; WAV: numbers in the head, too */
    bool words;               /* PCM samples in a block are words of libsndfile: int32_t, bits at the top */
    unsigned channels;
    double rate;           /* frames per second */
    uint64_t promised;     /* frames by the head; SOUND_UNKNOWN: the head does not say */
    uint64_t present;      /* frames in the file; SOUND_UNKNOWN until the input ends */
    struct sound_cue *cue; /* [ncue] owned */
    size_t ncue, maxcue;
    char remark[160]; /* text of a message about a harmless irregularity, or "" */

    /* WAV */
    bool labelled;             /* cue points have names or texts */
    uint64_t data;             /* position of the first sample; 0: not found yet */
    uint64_t format_at;        /* position of the first byte after the head of the format chunk */
    struct sound_chunk *chunk; /* [nchunk] owned; all chunks except format and samples */
    size_t nchunk, maxchunk;
    unsigned char format[SOUND_FORMAT_BYTES]; /* the format chunk */
    size_t nformat;  /* bytes of the format chunk; 0 on writing: the format chunk is rebuilt */
    bool rf64;       /* the file is RF64 */
    uint64_t excess; /* of the input's "data" chunk: bytes after the last whole frame, and the padding byte */
    uint64_t total;  /* bytes of the file by its head; SOUND_UNKNOWN: the head does not say */
    uint64_t other_bytes; /* to write: bytes of chunks other than format and samples */
    bool has_fact;        /* to write: a chunk "fact" with the number of frames follows the format chunk */
    bool reserve;         /* to write: the head has room to become RF64 */
};

/* --- sound.c --- */

void sound_free(struct sound *sound);
bool sound_add_chunk(struct sound *sound, const struct sound_chunk *chunk, struct error *e);
bool sound_add_cue(struct sound *sound, struct sound_cue cue, struct error *e);

/* The type of the samples in messages: "16 bit PCM". */
const char *sound_sample_name(const struct sound *sound);

/* Bytes of a sample in the file, of a sample in a block, and of a frame in a block. */
unsigned sound_file_width(const struct sound *sound);
unsigned sound_width(const struct sound *sound);
size_t sound_frame(const struct sound *sound);

/* The error of samples that cannot be read: "the samples are …". Returns false. */
bool sound_refuse_sample(struct error *e, const char *what);

/* An error if channels or rate of the head make no sense. */
bool sound_check(const struct sound *sound, struct error *e);

/* Sets promised and present. promised: bytes of samples by the head (SOUND_UNKNOWN: up to the end);
 * available: bytes of samples in the file (SOUND_UNKNOWN: the input has not ended). */
void sound_set_length(struct sound *sound, uint64_t promised, uint64_t available);

/* --- wav_read.c --- */

/* Reads all chunks of a file; of a file from a pipe the chunks before the samples. Call sound_free
 * afterwards, also after an error. */
bool wav_read_head(struct sound *sound, struct error *e);

/* Reads the chunks after the samples of a file from a pipe. All samples have been read. */
bool wav_read_tail(struct sound *sound, struct error *e);

/* --- samples.c --- */

/* Reads n numbers of a channel in frames of a block. from: first sample of the channel. */
void samples_decode(const struct sound *sound, const unsigned char *from, size_t n, double *to);

/* Where numbers are written as samples. */
struct sample_output {
    unsigned char *to; /* first sample of the channel, in frames of a block */
    bool nonfinite;    /* a float or double sample may be NaN or infinite */
    uint64_t clipped;  /* count of numbers too large for PCM, which were clipped; samples_encode adds to the
                          count */
};

/* Writes n numbers into a channel. Returns the index of the first number that cannot be a sample, or n. */
size_t samples_encode(const struct sound *sound, const double *x, size_t n, struct sample_output *out);

/* --- library.c --- */

struct recording;

/* A file that libsndfile reads or writes. All zero at first. */
struct codec {
    void *library; /* NULL: not open */
    const struct sound *sound;
    struct tempfile *output; /* to write; NULL: to read sound->file */
    void *cues;              /* SF_CUES of a file that is read; owned; NULL: not read yet */
    uint64_t at;             /* position in the file */
    struct error error;      /* error of a read or write requested by the library */
};

/* Opens sound->file. */
bool library_open(struct codec *codec, struct sound *sound, struct error *e);

/* Starts recording->file, described by recording->sound, with cue points, texts and the map of channels of
 * recording->input. */
bool library_create(struct recording *recording, struct error *e);

/* Number of texts in an open file that a container keeps. */
size_t library_count_texts(const struct codec *codec, const struct sound_container *container);

/* Reads *nframe frames, at most maxframe; 0 at the end. Writes nframe frames. */
bool library_read(struct codec *codec, void *frames, size_t maxframe, size_t *nframe, struct error *e);
bool library_write(struct codec *codec, const void *frames, size_t nframe, struct error *e);

/* Ends and closes the file, if it is open. e NULL: errors are ignored, and the head of an AIFF
 * file is not corrected. */
bool library_close(struct codec *codec, struct error *e);

/* --- audio_read.c --- */

/* A reader. */
struct audio {
    struct sound sound;
    struct sound_file file; /* the file of the source, a temporary copy, or a pipe */
    struct codec codec;     /* containers other than WAV */
    uint64_t nframe;        /* number of frames read so far */
    unsigned char rest[SOUND_MAXCHANNEL * sizeof(double)]; /* [nrest] the first bytes of a frame whose other
                                                              bytes have not arrived */
    size_t nrest;
    double *cue; /* [sound.ncue] owned; frames of the cue points, for columns.cue */
};

/* Consecutive rows of a block. */
struct row_range {
    size_t first, n;
};

/* Sets to[rows.n] to the numbers of a column in some rows of a block. */
void audio_numbers(const struct reader *reader, const struct block *block, size_t column,
                   struct row_range rows, double *to);

void audio_cell(const struct reader *reader, const struct block *block, size_t row, size_t column,
                struct cell_text *cell);

FORMAT_FUNCTIONS(audio);

/* --- audio_accept.c and audio_write.c --- */

/* The source of a channel of the output. */
struct channel_source {
    size_t out;    /* block->out column; COLUMN_NONE: the channel passes through */
    size_t column; /* the column that passes through */
};

/* A writer. */
struct recording {
    struct sound sound;        /* the written file; sound.cue is owned by the reader */
    const struct audio *input; /* the reader of the rows; NULL: the rows are not audio */
    bool same;                 /* the input has the same container */
    bool resampled; /* audio rows are resampled: numbers of frames in chunks of the input are wrong */
    double stretch; /* new number of a frame = old number * stretch, rounded up */
    struct channel_source *source; /* [sound.channels] owned */
    struct row_rate rate;          /* finds the rate by the times of rows, while sound.rate is 0 */
    struct tempfile held;          /* frames that wait for the rate */
    struct tempfile file;          /* the written file, unless WAV goes to a pipe */
    bool started;                  /* the head is written, and sound.promised counts frames */
    bool ended;                    /* the file is complete, or cannot be completed */
    _Atomic uint64_t clipped;      /* number of clipped samples */
    struct codec codec;            /* containers other than WAV */
    bool to_pipe;                  /* WAV goes straight to a pipe: the head cannot be corrected later */
    uint64_t head_frames;          /* WAV: number of frames in the head sent to a pipe, or SOUND_UNKNOWN */
    uint64_t at;                   /* WAV: position of the next bytes */
};

/* Prints which metadata of the input the output lacks; "": the output has all metadata. */
void recording_list_losses(const struct recording *recording, char *text, size_t maxtext);

/* --- wav_write.c --- */

/* Starts the file with its head, adds bytes at the end, and ends the file after any number of frames. */
bool wav_start(struct recording *recording, const struct writer *writer, struct error *e);
bool wav_write(struct recording *recording, const void *bytes, size_t n, struct error *e);
bool wav_end(struct recording *recording, struct error *e);

/* True if a chunk stays valid when the samples change; resampled: when the number of frames changes, too. */
bool wav_chunk_lasts(const struct sound_chunk *chunk, bool resampled);

/* Writes the head up to the chunk "fact" (room: SOUND_HEAD_BYTES) and returns its length. nframe is
 * SOUND_UNKNOWN to leave the number of frames open. The length does not depend on nframe, except where the
 * first call already shows that the file needs RF64. */
size_t wav_put_head(const struct sound *sound, uint64_t nframe, unsigned char *head);

/* Writes the head (8 bytes) of a chunk of n bytes, and returns the place behind; an n that does not fit into
 * 32 bits is written as all ones. */
unsigned char *wav_put_chunk(const struct sound *sound, const char *id, uint64_t n, unsigned char *to);

/* True if a file of nframe frames needs RF64. */
bool wav_is_large(const struct sound *sound, uint64_t nframe);

#endif
