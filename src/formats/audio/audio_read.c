/* Audio in. The text of a block is its frames. The columns are time, ch1, ch2, … A regular file is read by
 * position; a pipe is copied to a temporary file first. */
#include "base/port.h"
#include "formats/audio/audio.h"
#include "number/word.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BLOCK_SAMPLES = 16 * 1024 }; /* samples of a block; with SOUND_MAXCHANNEL channels 64 frames */

/* Makes audio->file of the reader's source: the file itself, or a temporary copy. */
static bool open_file(struct audio *audio, struct source *source, struct error *e)
{
    struct tempfile *file = &audio->file;
    const bool whole = source->regular && port_seek(source->fd, 0, SEEK_CUR) == (int64_t)source->nhead;
    const int64_t end = whole ? port_seek(source->fd, 0, SEEK_END) : -1;
    if (end < 0)
        return tempfile_take(file, source, e);
    *file = (struct tempfile){ .out = source->fd, .fd = source->fd, .size = (uint64_t)end };
    return true;
}

/* Checks the first bytes of the input. */
static bool check_kind(const struct reader *reader, struct error *e)
{
    enum { MAGIC = 12 };
    struct source *source = reader->source;
    if (!source_peek(source, MAGIC, e))
        return false;
    if (source->nhead == 0)
        return error_data(e, "the file is empty");
    if (reader->format->sniff(source->head, source->nhead))
        return true;
    const struct format *other = format_by_bytes(source->head, source->nhead);
    const struct sound_container *container = reader->format->kind;
    error_data(e, "this file is not %s", container->name);
    return other->family == FAMILY_AUDIO && error_hint(e, "try --from %s", other->name);
}

/* Sets the number of frames by the head of a WAV file: libsndfile counts those that are there. */
static bool read_wav_head(struct audio *audio, struct error *e)
{
    enum { FIRST = 12, OPEN = 0x7FFF0000 };
    const struct tempfile *file = &audio->file;
    struct sound *sound = &audio->sound;
    unsigned char head[8];
    if (!tempfile_read(file, 0, head, sizeof head, e))
        return false;
    if (sound->frames == 0 && 8 + word_get(head + 4, 4, false) != file->size) {
        error_data(e, "the header says that there are no samples, and is wrong about the size of the file");
        return error_hint(e, "correct it first, as in: sox --ignore-length IN.wav OUT.wav");
    }
    uint64_t n = 0;
    sound->frames = 0;
    for (uint64_t at = FIRST; at + sizeof head <= file->size; at += sizeof head + n + n % 2) {
        if (!tempfile_read(file, at, head, sizeof head, e))
            return false;
        n = word_get(head + 4, 4, false);
        if (memcmp(head, "data", 4) != 0)
            continue;
        if (n < OPEN) /* else the writer left the size open */
            sound->frames = n / (sound->channels * sound_types[sound->sample].bytes);
        break;
    }
    return true;
}

static bool add_columns(struct reader *reader, const struct sound *sound, struct error *e)
{
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
        reader->table.column[i].position = i; /* the number of the channel */
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
    const bool is_wav = strcmp(reader->format->name, "wav") == 0;
    return check_kind(reader, e) && open_file(audio, reader->source, e) && library_open(audio, e) &&
           (!is_wav || read_wav_head(audio, e)) && add_columns(reader, &audio->sound, e);
}

enum loaded audio_load(struct reader *reader, struct block *block, struct error *e)
{
    struct audio *audio = reader->state;
    const struct sound *sound = &audio->sound;
    size_t frame = sound->channels * sizeof(double), maxframe = BLOCK_SAMPLES / sound->channels, nframe = 0;
    if (!block_reserve_text(block, maxframe * frame, e) ||
        !library_read(&audio->codec, (double *)(void *)block->text, maxframe, &nframe, e) ||
        !format_make_frames(reader, block, nframe, frame, e))
        return LOAD_ERROR;
    block->firstrow = audio->nframe;
    audio->nframe += nframe;
    if (reader->source->regular) /* the file is read by position */
        reader->source->nread = audio->codec.at;
    if (nframe > 0)
        return LOAD_ROWS;
    format_warn_truncated(reader, "frame", sound->frames, audio->nframe);
    return LOAD_END;
}

double audio_number(const struct reader *reader, const struct block *block, size_t row, size_t column)
{
    const struct sound *sound = &((const struct audio *)reader->state)->sound;
    const double *frames = (const double *)(const void *)block->text;
    if (column == 0)
        return (double)(block->firstrow + row) / reader->table.rate;
    return frames[row * sound->channels + column - 1] / sound_types[sound->sample].full;
}

void audio_parse(const struct reader *reader, struct block *block)
{
    for (size_t column = 0; column < reader->table.ncolumn; column++) {
        const size_t k = table_column(&reader->table, column)->value;
        double *value = k == COLUMN_NONE ? NULL : block_value(block, k);
        for (size_t row = 0; value && row < block->nrow; row++) {
            value[row] = audio_number(reader, block, row, column);
            if (!isinf(value[row]))
                continue;
            value[row] = (double)NAN;
            if (reader->lenient)
                continue;
            error_data(&block->error, "the sample of frame %llu is infinite",
                       (unsigned long long)(block->firstrow + row));
            error_column(&block->error, reader->table.column[column].name);
            block_end_before(block, row);
        }
    }
}

void audio_cell(const struct reader *reader, const struct block *block, size_t row, size_t column,
                struct cell_text *cell)
{
    format_number_cell(reader, audio_number(reader, block, row, column), cell);
}

void audio_close(struct reader *reader)
{
    struct audio *audio = reader->state;
    if (!audio)
        return;
    library_close(&audio->codec, NULL);
    tempfile_close(&audio->file);
    free(audio);
    reader->state = NULL;
}
