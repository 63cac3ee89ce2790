/* The audio formats: libsndfile reads and writes all of them. library.c alone calls it, and holds the table
 * of formats. wav_head.c checks the head of a WAV file before libsndfile sees it, audio_read.c reads rows,
 * audio_accept.c chooses what the output will be, and audio_write.c writes rows. The frames of a block are
 * doubles: of float samples the number itself, of PCM the whole number that the sample holds. */
#ifndef SPRUNG_FORMATS_AUDIO_AUDIO_H
#define SPRUNG_FORMATS_AUDIO_AUDIO_H

#include "formats/format.h"
#include "io/tempfile.h"
#include "rows/row_rate.h"
#include <stdatomic.h>

/* A PCM sample of b bits is the number k / 2^(b - 1); a float or double sample is the number itself. */
enum sound_sample { SOUND_PCM8, SOUND_PCM16, SOUND_PCM24, SOUND_PCM32, SOUND_FLOAT, SOUND_DOUBLE };

enum { SOUND_MAXCHANNEL = 256 };

/* A number of frames that the head does not say. */
#define SOUND_UNKNOWN UINT64_MAX

/* A container: a row of the table of formats. */
struct sound_container {
    const char *name;       /* name in messages */
    int library;            /* libsndfile's number of the container */
    unsigned most_channels; /* most channels of a file */
    int last_text;          /* the last of libsndfile's kinds of text that a file holds; 0: no kind */
    bool real;              /* holds float and double samples, and PCM of 32 bits */
    bool cues;              /* holds cue points */
    bool small;             /* holds at most 4 GiB; a WAV file that holds more is RF64 */
    bool rounds_up;         /* a file of an odd number of bytes gets one more */
};

/* What a file holds. */
struct sound {
    const struct sound_container *container;
    enum sound_sample sample;
    unsigned channels;
    double rate;     /* frames per second */
    uint64_t frames; /* in the file; SOUND_UNKNOWN: known at the end. Of a file being written: so far */
};

/* --- wav_head.c --- */

/* A regular file that libsndfile reads, and a size in its head that is read as another number. */
struct sound_file {
    int fd;
    uint64_t base; /* position in fd of the first byte of the file */
    uint64_t size; /* bytes of the file */
    struct sound_patch {
        uint64_t at; /* position in the file */
        size_t n;    /* bytes replaced; 0: no patch */
        unsigned char bytes[8];
    } patch;
};

/* Reads nbyte bytes from position `at`, with the patch; an error if the file ends before. */
bool sound_get(const struct sound_file *file, uint64_t at, void *to, size_t nbyte, struct error *e);

/* Checks the head of a WAV file, and refuses what libsndfile should not see. Patches a size that the writer
 * of the file did not know. *nframe receives the number of frames that the head promises, or SOUND_UNKNOWN.
 */
bool wav_check(struct sound_file *file, uint64_t *nframe, struct error *e);

/* The error of samples that cannot be read: "cannot read samples that are …". Returns false. */
bool sound_refuse_sample(struct error *e, const char *what);

/* The type of the samples in messages: "16 bit PCM". */
const char *sound_sample_name(const struct sound *sound);

/* Bytes of a frame in the file. */
size_t sound_file_frame(const struct sound *sound);

/* The number in a block that stands for 1. */
double sound_full(const struct sound *sound);

/* --- library.c --- */

struct recording;

/* A file that libsndfile reads or writes. Zero-initialize. */
struct codec {
    void *library; /* NULL: not open */
    const struct sound *sound;
    const struct sound_file *input; /* the file that is read; NULL: output is written */
    struct tempfile *output;
    uint64_t at;        /* position in the file */
    struct error error; /* error of a read or write that the library asked for */
};

/* Opens a file to read, and describes it in *sound. */
bool library_open(struct codec *codec, const struct sound_file *file, struct sound *sound, struct error *e);

/* Starts recording->file, described by recording->sound, with the metadata of recording->input. */
bool library_create(struct recording *recording, struct error *e);

/* Reads *nframe frames, at most maxframe; 0 at the end. Writes nframe frames. */
bool library_read(struct codec *codec, double *frames, size_t maxframe, size_t *nframe, struct error *e);
bool library_write(struct codec *codec, const double *frames, size_t nframe, struct error *e);

/* Writes which metadata of recording->input the output lacks; "": it has all of them. Returns false if the
 * library cannot know. */
bool library_list_losses(const struct recording *recording, char *text, size_t maxtext);

/* Ends and closes the file, if it is open. e NULL: errors are ignored. */
bool library_close(struct codec *codec, struct error *e);

/* --- audio_read.c --- */

/* A reader. */
struct audio {
    struct sound sound;
    struct sound_file file; /* the file of the source, or a temporary copy of a pipe */
    struct codec codec;
    uint64_t promised; /* frames by the head, or SOUND_UNKNOWN */
    uint64_t nframe;   /* frames read so far */
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
    struct sound sound;            /* the written file */
    const struct audio *input;     /* the reader of the rows; NULL: the rows are not audio */
    bool same;                     /* the input has the same container */
    bool resampled;                /* audio rows are resampled: numbers of frames in metadata change */
    struct channel_source *source; /* [sound.channels] owned */
    struct row_rate rate;          /* finds the rate by the times of rows, while sound.rate is 0 */
    struct tempfile held;          /* frames that wait for the rate */
    struct tempfile file;          /* the written file */
    struct codec codec;
    uint64_t most;            /* most frames that the file holds */
    bool started;             /* the file is begun */
    bool ended;               /* the file is complete, or cannot be completed */
    _Atomic uint64_t clipped; /* number of clipped samples */
};

#endif
