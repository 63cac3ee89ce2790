/* Audio in. The text of a block is its frames. The columns are time, ch1, ch2, … A
 * regular file is read by position; a pipe is copied to a temporary file first. */
#include "base/port.h"
#include "formats/audio/audio.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BLOCK_SAMPLES = 16 * 1024 }; /* samples of a block; with SOUND_MAXCHANNEL channels 64 frames */

/* Makes audio->file of the reader's source: the file itself, or a temporary copy. */
static bool open_file(struct audio *audio, const struct reader *reader, struct error *e)
{
    struct source *source = reader->source;
    struct sound_file *file = &audio->file;
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
static bool check_kind(const struct reader *reader, const struct audio *audio, struct error *e)
{
    unsigned char head[12];
    if (audio->file.size == 0)
        return error_data(e, "the file is empty");
    if (!sound_get(&audio->file, 0, head, sizeof head, e))
        return false;
    if (reader->format->sniff(head, sizeof head))
        return true;
    const struct format *other = format_by_bytes(head, sizeof head);
    error_data(e, "this is not a %s file", audio->sound.container->name);
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

static bool add_columns(struct reader *reader, struct audio *audio, struct error *e)
{
    const struct sound *sound = &audio->sound;
    reader->table.rate = sound->rate;
    reader->table.even = true;
    reader->table.owns_time = true;
    reader->table.named = true;
    for (unsigned i = 0; i <= sound->channels; i++) {
        char name[16];
        int n = snprintf(name, sizeof name, i ? "ch%u" : "time", i);
        if (!columns_add(&reader->table, name, (size_t)n, e))
            return false;
        reader->table.column[i].first = CELL_NUMBER;
    }
    return true;
}

bool audio_open(struct reader *reader, struct error *e)
{
    struct audio *audio = calloc(1, sizeof *audio);
    reader->state = audio;
    if (!audio)
        return error_memory(e);
    audio->sound.container = reader->format->kind;
    audio->file.fd = -1;
    bool wav = strcmp(reader->format->name, "wav") == 0;
    if (!open_file(audio, reader, e) || !check_kind(reader, audio, e) ||
        (wav && !wav_check(&audio->file, &audio->promised, e)) ||
        !library_open(&audio->codec, &audio->file, &audio->sound, e))
        return false;
    if (!wav)
        audio->promised = audio->sound.frames;
    return add_columns(reader, audio, e);
}

bool audio_bind(struct reader *reader, struct error *e)
{
    return format_owns_time(reader, e);
}

enum loaded audio_load(struct reader *reader, struct block *block, struct error *e)
{
    struct audio *audio = reader->state;
    const struct sound *sound = &audio->sound;
    size_t frame = sound->channels * sizeof(double), maxframe = BLOCK_SAMPLES / sound->channels, nframe = 0;
    if (!block_reserve_text(block, maxframe * frame, e) ||
        !library_read(&audio->codec, (double *)(void *)block->text, maxframe, &nframe, e) ||
        !format_reserve_frames(block, nframe, reader_shape(reader), e))
        return LOAD_ERROR;
    block->ntext = nframe * frame;
    block->nrow = nframe;
    block->nline = 0;
    block->firstrow = audio->nframe;
    audio->nframe += nframe;
    if (reader->source->regular) /* the file is read by position */
        reader->source->nread = audio->codec.at;
    if (nframe > 0)
        return LOAD_ROWS;
    if (audio->promised != SOUND_UNKNOWN)
        format_warn_truncated(reader, "frame", audio->promised, audio->nframe);
    return LOAD_END;
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
                   (double)(block->firstrow + i) / reader->table.rate);
        error_column(&block->error, reader->table.column[column].name);
    }
}

void audio_numbers(const struct reader *reader, const struct block *block, size_t column,
                   struct row_range rows, double *to)
{
    const struct sound *sound = &((const struct audio *)reader->state)->sound;
    const double *frames = (const double *)(const void *)block->text + rows.first * sound->channels;
    const double unit = 1 / sound_full(sound);
    for (size_t i = 0; column > 0 && i < rows.n; i++)
        to[i] = frames[i * sound->channels + column - 1] * unit;
    if (column > 0)
        return;
    for (size_t i = 0; i < rows.n; i++)
        to[i] = (double)(block->firstrow + rows.first + i) / reader->table.rate;
}

void audio_parse(const struct reader *reader, struct block *block)
{
    const struct audio *audio = reader->state;
    for (size_t i = 0; i < reader->table.ncolumn; i++) {
        if (table_column(&reader->table, i)->value == COLUMN_NONE)
            continue;
        double *value = block_value(block, table_column(&reader->table, i)->value);
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
    library_close(&audio->codec, NULL);
    if (audio->file.fd >= 0 && audio->file.fd != reader->source->fd)
        port_close(audio->file.fd);
    free(audio);
    reader->state = NULL;
}
