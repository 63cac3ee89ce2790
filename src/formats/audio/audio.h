/* The audio formats: libsndfile reads and writes all of them. library.c alone calls it, and holds the tables
 * of formats and of types of samples. audio_read.c reads rows, audio_write.c chooses what the output will be
 * and writes rows. The frames of a block are doubles: of float samples the number itself, of
 * PCM the whole number that the sample holds. */
#ifndef SPRUNG_FORMATS_AUDIO_AUDIO_H
#define SPRUNG_FORMATS_AUDIO_AUDIO_H

#include "formats/format.h"
#include "io/tempfile.h"
#include <stdatomic.h>

/* A PCM sample of b bits is the number k / 2^(b - 1); a float or double sample is the number itself. */
enum sound_sample { SOUND_PCM8, SOUND_PCM16, SOUND_PCM24, SOUND_PCM32, SOUND_FLOAT, SOUND_DOUBLE };

enum { SOUND_MAXCHANNEL = 256 };

/* A type of samples. */
struct sound_type {
    const char *name; /* in messages: "16 bit PCM" */
    int library;      /* libsndfile's number */
    unsigned bytes;   /* bytes of a sample in the file */
    double full;      /* the number in a block that stands for 1 */
};

extern const struct sound_type sound_types[]; /* by enum sound_sample */

/* A container: a row of the table of formats. */
struct sound_container {
    const char *name;       /* name in messages */
    int library;            /* libsndfile's number of the container */
    unsigned most_channels; /* most channels of a file */
    int last_text;          /* the last of libsndfile's kinds of text that a file holds; 0: no kind */
    bool real;              /* holds float and double samples, and PCM of 32 bits */
    bool cues;              /* holds cue points */
    bool small;             /* holds at most 4 GiB */
};

/* What a file holds. */
struct sound {
    const struct sound_container *container;
    enum sound_sample sample;
    unsigned channels;
    double rate;     /* frames per second */
    uint64_t frames; /* by the head; 0: known at the end. Of a file being written: so far */
};

/* A file that libsndfile reads or writes. Zero-initialize. */
struct codec {
    void *library;         /* NULL: not open */
    struct tempfile *file; /* not owned */
    uint64_t at;           /* position in the file */
    struct error error;    /* error of a read or write that the library asked for */
};

/* A reader. */
struct audio {
    struct sound sound;
    struct tempfile file; /* the file of the source, or a copy of a pipe */
    struct codec codec;
    uint64_t nframe; /* frames read so far */
};

/* A writer. */
struct recording {
    struct sound sound;        /* the written file */
    const struct audio *input; /* the reader of the rows; NULL: the rows are not audio */
    bool same;                 /* the input has the same container */
    bool resampled;            /* audio rows are resampled: numbers of frames in metadata change */
    struct channel_source {    /* [sound.channels] owned */
        size_t out;            /* block->out column; COLUMN_NONE: the channel passes through */
        size_t column;         /* the column that passes through */
    } * source;
    struct tempfile file; /* the written file */
    struct codec codec;
    uint64_t most;            /* most frames that the file holds */
    char losses[256];         /* which metadata of the input the output lacks; "": none that is known */
    _Atomic uint64_t clipped; /* number of clipped samples */
};

/* --- library.c --- */

/* Opens audio->file to read, and describes it in audio->sound, whose container is set. */
bool library_open(struct audio *audio, struct error *e);

/* Starts recording->file, described by recording->sound, with the metadata of recording->input. */
bool library_create(struct recording *recording, struct error *e);

/* Reads *nframe frames, at most maxframe; 0 at the end. Writes nframe frames. */
bool library_read(struct codec *codec, double *frames, size_t maxframe, size_t *nframe, struct error *e);
bool library_write(struct codec *codec, const double *frames, size_t nframe, struct error *e);

/* Sets recording->losses. Returns false if the library cannot know what the output lacks. */
bool library_list_losses(struct recording *recording);

/* Ends and closes the file, if it is open. e NULL: errors are ignored. */
bool library_close(struct codec *codec, struct error *e);

/* --- audio_read.c --- */

/* The number in a row and column. */
double audio_number(const struct reader *reader, const struct block *block, size_t row, size_t column);

void audio_cell(const struct reader *reader, const struct block *block, size_t row, size_t column,
                struct cell_text *cell);

FORMAT_FUNCTIONS(audio);

#endif
