/* Audio in. The text of a block is frames: of WAV as the file has them, else as libsndfile gives them. The
 * columns are time, ch1, ch2, … A regular file is read by position. WAV from a pipe leaves as it comes;
 * another container, and a WAV file whose cue points are needed at once, is copied to a temporary file. */
#include "base/port.h"
#include "formats/audio/audio.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BLOCK_SAMPLES = 16 * 1024 }; /* samples of a block; with SOUND_MAXCHANNEL channels 64 frames */

/* Makes audio->file of the reader's source: the file itself, the pipe, or a temporary copy. */
static bool open_file(struct audio *audio, struct reader *reader, struct error *e)
{
    struct source *source = reader->source;
    struct sound_file *file = &audio->file;
    if (!audio->sound.container->library && !source->regular && !reader->options->needs_cues) {
        file->source = source;
        file->size = SOUND_UNKNOWN;
        return true;
    }
    if (!source->regular) {
        file->fd = tempfile_temporary(e);
        return file->fd >= 0 && tempfile_take(file->fd, source, &file->size, e);
    }
    int64_t at = port_seek(source->fd, 0, SEEK_CUR), end = port_seek(source->fd, 0, SEEK_END);
    if (at < 0 || end < 0 || port_seek(source->fd, at, SEEK_SET) < 0)
        return error_system(e, errno, "cannot read");
    file->fd = source->fd;
    file->base = (uint64_t)at - source->nhead;
    file->size = (uint64_t)end > file->base ? (uint64_t)end - file->base : 0;
    return true;
}

/* Checks the first bytes of a file. */
static bool check_kind(const struct reader *reader, struct sound *sound, struct error *e)
{
    unsigned char head[12];
    if (!sound_fetch(sound->file, sizeof head, e))
        return false;
    if (sound->file->size == 0)
        return error_data(e, "the file is empty");
    if (!sound_get(sound->file, 0, head, sizeof head, e))
        return false;
    if (reader->format->sniff(head, sizeof head))
        return true;
    const struct format *other = format_by_bytes(head, sizeof head);
    error_data(e, "this is not a %s file", sound->container->name);
    if (other && other->family == FAMILY_AUDIO)
        return error_hint(e, "it looks like %s: try --from %s",
                          ((const struct sound_container *)other->kind)->name, other->name);
    if (memcmp(head, "RIFF", 4) == 0)
        return error_hint(e, "it is another kind of RIFF file (AVI?); to extract its audio: ffmpeg -i IN "
                             "OUT.wav");
    if (memcmp(head, "ID3", 3) == 0 || (head[0] == 0xFF && (head[1] & 0xE0) == 0xE0))
        return error_hint(e, "it looks like MP3: convert it first, as in: sox IN.mp3 OUT.wav");
    return false;
}

/* Checks that the file has as many frames as the head promises. */
static bool check_present(const struct reader *reader, uint64_t present, struct error *e)
{
    const struct sound *sound = &((const struct audio *)reader->state)->sound;
    return sound->promised == SOUND_UNKNOWN || format_is_whole(reader, "frame", sound->promised, present, e);
}

static bool add_columns(struct reader *reader, struct audio *audio, struct error *e)
{
    const struct sound *sound = &audio->sound;
    reader->columns.rate = sound->rate;
    reader->columns.even = true;
    reader->columns.owns_time = true;
    reader->columns.named = true;
    for (unsigned i = 0; i <= sound->channels; i++) {
        char name[16];
        int n = snprintf(name, sizeof name, i ? "ch%u" : "time", i);
        if (!columns_add(&reader->columns, name, (size_t)n, e))
            return false;
        reader->columns.column[i].first = CELL_NUMBER;
    }
    audio->cue = malloc((sound->ncue + 1) * sizeof *audio->cue);
    if (!audio->cue)
        return error_memory(e);
    for (size_t i = 0; i < sound->ncue; i++)
        audio->cue[i] = (double)sound->cue[i].frame;
    reader->columns.cue = audio->cue;
    reader->columns.ncue = sound->ncue;
    return true;
}

bool audio_open(struct reader *reader, struct error *e)
{
    struct audio *audio = calloc(1, sizeof *audio);
    reader->state = audio;
    if (!audio)
        return error_memory(e);
    struct sound *sound = &audio->sound;
    sound->container = reader->format->kind;
    sound->file = &audio->file;
    sound->present = sound->promised = SOUND_UNKNOWN;
    audio->file.fd = -1;
    if (!open_file(audio, reader, e) || !check_kind(reader, sound, e))
        return false;
    bool good = sound->container->library ? library_open(&audio->codec, sound, e) : wav_read_head(sound, e);
    if (!good)
        return false;
    /* Where the head of WAV from a pipe promises 0 bytes of samples, wav_read_head read a byte to see whether
     * samples follow. */
    audio->nrest = audio->file.source && audio->file.nbyte > sound->data;
    if (audio->nrest > 0)
        memcpy(audio->rest, audio->file.bytes + sound->data, audio->nrest);
    return add_columns(reader, audio, e);
}

bool audio_bind(struct reader *reader, struct error *e)
{
    return format_owns_time(reader, e);
}

/* At the end of a WAV file from a pipe: reads the chunks after the samples. */
static bool end_from_pipe(struct reader *reader, struct audio *audio, struct error *e)
{
    struct sound *sound = &audio->sound;
    if (!check_present(reader, audio->nframe, e))
        return false;
    if (audio->nrest > 0)
        sound_set_length(sound, SOUND_UNKNOWN, audio->nframe * sound_frame(sound) + audio->nrest);
    bool chunks_follow = sound->promised != SOUND_UNKNOWN && audio->nframe == sound->promised &&
                         sound->present == SOUND_UNKNOWN;
    sound->present = audio->nframe;
    return !chunks_follow || wav_read_tail(sound, e);
}

/* Loads up to maxframe frames of a WAV file by position; sets *nframe to their number, 0 at the end. As from
 * a pipe, the frames of a truncated file are loaded before the error. */
static bool load_file(const struct reader *reader, struct block *block, size_t maxframe, size_t *nframe,
                      struct error *e)
{
    struct audio *audio = reader->state;
    const struct sound *sound = &audio->sound;
    size_t frame = sound_frame(sound);
    uint64_t left = sound->present - audio->nframe;
    *nframe = left < maxframe ? (size_t)left : maxframe;
    if (*nframe == 0)
        return check_present(reader, audio->nframe, e);
    return sound_get(&audio->file, sound->data + audio->nframe * frame, block->text, *nframe * frame, e);
}

/* Loads the whole frames of WAV that a pipe brings in one read, at least one frame unless the samples have
 * ended. The first bytes of a further frame wait in audio->rest. */
static bool load_pipe(struct reader *reader, struct block *block, size_t maxframe, size_t *nframe,
                      struct error *e)
{
    struct audio *audio = reader->state;
    size_t frame = sound_frame(&audio->sound), nbyte = audio->nrest, got = 1;
    uint64_t left = audio->sound.promised -
                    audio->nframe; /* more than any file has, if promised is unknown */
    size_t maxbyte = (left < maxframe ? (size_t)left : maxframe) * frame;
    memcpy(block->text, audio->rest, audio->nrest);
    while (nbyte < frame && nbyte < maxbyte && got > 0) {
        if (!source_read(reader->source, block->text + nbyte, maxbyte - nbyte, &got, e))
            return false;
        nbyte += got;
    }
    *nframe = nbyte / frame;
    audio->nrest = nbyte % frame;
    memcpy(audio->rest, block->text + *nframe * frame, audio->nrest);
    return *nframe > 0 || end_from_pipe(reader, audio, e);
}

/* Loads frames through libsndfile. */
static bool load_library(struct reader *reader, struct block *block, size_t maxframe, size_t *nframe,
                         struct error *e)
{
    struct audio *audio = reader->state;
    return library_read(&audio->codec, block->text, maxframe, nframe, e) &&
           (*nframe > 0 || check_present(reader, audio->nframe, e));
}

enum loaded audio_load(struct reader *reader, struct block *block, struct error *e)
{
    struct audio *audio = reader->state;
    const struct sound *sound = &audio->sound;
    size_t frame = sound_frame(sound), maxframe = BLOCK_SAMPLES / sound->channels, nframe = 0;
    bool good = block_reserve_text(block, maxframe * frame, e);
    if (good && audio->codec.library)
        good = load_library(reader, block, maxframe, &nframe, e);
    else if (good && audio->file.source)
        good = load_pipe(reader, block, maxframe, &nframe, e);
    else if (good)
        good = load_file(reader, block, maxframe, &nframe, e);
    if (!good || !format_reserve_frames(block, nframe, reader_shape(reader), e))
        return LOAD_ERROR;
    block->ntext = nframe * frame;
    block->nrow = nframe;
    block->nline = 0;
    block->firstrow = audio->nframe;
    audio->nframe += nframe;
    if (reader->source->regular) /* the file is read by position */
        reader->source->nread = audio->codec.library ? audio->codec.at : sound->data + audio->nframe * frame;
    return nframe > 0 ? LOAD_ROWS : LOAD_END;
}

/* Makes infinite samples of a float file gaps; without `lenient` the first infinite sample is an error, which
 * ends the rows. */
static void check_samples(const struct reader *reader, struct block *block, size_t column, double *value)
{
    for (size_t i = 0; i < block->nrow; i++) {
        if (!isinf(value[i]))
            continue;
        value[i] = (double)NAN;
        if (reader->lenient)
            continue;
        block->nrow = i;
        error_data(&block->error, "the sample of frame %llu, at %.9g s, is infinite",
                   (unsigned long long)(block->firstrow + i),
                   (double)(block->firstrow + i) / reader->plan->rate);
        error_column(&block->error, reader->columns.column[column].name);
    }
}

void audio_numbers(const struct reader *reader, const struct block *block, size_t column,
                   struct row_range rows, double *to)
{
    const struct sound *sound = &((const struct audio *)reader->state)->sound;
    const unsigned char *bytes = (const unsigned char *)block->text + rows.first * sound_frame(sound);
    if (column > 0) {
        samples_decode(sound, bytes + (column - 1) * sound_width(sound), rows.n, to);
        return;
    }
    for (size_t i = 0; i < rows.n; i++)
        to[i] = (double)(block->firstrow + rows.first + i) / reader->plan->rate;
}

void audio_parse(const struct reader *reader, struct block *block)
{
    const struct audio *audio = reader->state;
    for (size_t i = 0; i < reader->columns.ncolumn; i++) {
        if (plan_use(reader->plan, i)->value == COLUMN_NONE)
            continue;
        double *value = block_value(block, plan_use(reader->plan, i)->value);
        audio_numbers(reader, block, i, (struct row_range){ 0, block->nrow }, value);
        if (i > 0 && audio->sound.sample >= SOUND_FLOAT)
            check_samples(reader, block, i, value);
    }
}

void audio_cell(const struct reader *reader, const struct block *block, size_t row, size_t column,
                struct cell_text *cell)
{
    double x;
    audio_numbers(reader, block, column, (struct row_range){ row, 1 }, &x);
    format_number_cell(reader, x, cell);
}

void audio_close(struct reader *reader)
{
    struct audio *audio = reader->state;
    if (!audio)
        return;
    /* The remark about a file from a pipe is known only at the end. */
    if (audio->sound.remark[0] && reader->messages)
        reader_tell(reader, "%s", audio->sound.remark);
    library_close(&audio->codec, NULL);
    sound_free(&audio->sound);
    if (audio->file.source)
        free(audio->file.bytes);
    if (audio->file.fd >= 0 && audio->file.fd != reader->source->fd)
        port_close(audio->file.fd);
    free(audio->cue);
    free(audio);
    reader->state = NULL;
}
