/* Audio out: frames from rows. Where the rate must be found in a column of times, frames wait in a temporary
 * file until the last time is known. */
#include "formats/audio/audio.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>

enum { PIECE = 64 * 1024 /* bytes that are copied at once */ };

/* Starts the written file, after the rate is known. */
static bool start_file(struct recording *recording, const struct writer *writer, struct error *e)
{
    recording->sound.frames = 0;
    recording->started = tempfile_open(&recording->file, writer->fd, e) && library_create(recording, e);
    return recording->started;
}

/* Adds nbyte bytes of frames. */
static bool add_frames(struct recording *recording, const double *frames, size_t nbyte, struct error *e)
{
    struct sound *sound = &recording->sound;
    size_t nframe = nbyte / (sound->channels * sizeof *frames);
    sound->frames += nframe;
    if (sound->frames > recording->most) {
        error_data(e, "%s can hold at most 4 GiB", sound->container->name);
        return error_hint(e, "use --to w64, or --to caf");
    }
    return library_write(&recording->codec, frames, nframe, e);
}

/* Ends the file after any number of frames. */
static bool end_file(struct recording *recording, struct error *e)
{
    const struct sound *sound = &recording->sound;
    /* libsndfile takes the byte that fills an AIFF file up to an even length for a sample. */
    if (sound->container->rounds_up && sound_file_frame(sound) == 1 && sound->frames % 2 == 1) {
        error_data(e, "an odd number of single bytes cannot be written as %s", sound->container->name);
        return error_hint(e, "use --to wav");
    }
    return library_close(&recording->codec, e) && tempfile_finish(&recording->file, e);
}

/* Writes the held frames, after all times are known. */
static bool write_held(struct recording *recording, const struct writer *writer, struct error *e)
{
    double frames[PIECE / sizeof(double)];
    size_t frame = recording->sound.channels * sizeof *frames, n;
    if (!row_rate_find(&recording->rate, &recording->sound.rate, e) || !start_file(recording, writer, e))
        return false;
    for (uint64_t at = 0; at < recording->held.size; at += n) {
        n = sizeof frames / frame * frame;
        n = recording->held.size - at < n ? (size_t)(recording->held.size - at) : n;
        if (!tempfile_read(&recording->held, at, frames, n, e) || !add_frames(recording, frames, n, e))
            return false;
    }
    return true;
}

bool audio_begin(struct writer *writer, struct block *block, struct error *e)
{
    struct recording *recording = writer->state;
    (void)block;
    return recording->sound.rate > 0 ? start_file(recording, writer, e)
                                     : tempfile_open(&recording->held, -1, e);
}

/* Takes the times of a block; the rate is computed from them. */
static bool add_times(struct recording *recording, const struct writer *writer, const struct block *block,
                      struct error *e)
{
    const struct table *table = &writer->reader->table;
    for (size_t i = 0; i < block->nrow; i++)
        if (!row_rate_add(&recording->rate, &block->time[i], e)) {
            error_column(e, table_column(table, table->time)->name);
            return error_place(e, block->firstline - 1 + block_line(block, i));
        }
    return true;
}

bool audio_store(struct writer *writer, struct block *block, struct error *e)
{
    struct recording *recording = writer->state;
    bool rate_known = recording->sound.rate > 0;
    bool good = rate_known || add_times(recording, writer, block, e);
    if (good && block->nbyte > 0 && rate_known)
        good = add_frames(recording, (const double *)(const void *)block->bytes, block->nbyte, e);
    else if (good && block->nbyte > 0)
        good = tempfile_write(&recording->held, recording->held.size, block->bytes, block->nbyte, e);
    recording->ended = recording->ended || !good;
    return good;
}

/* Tells which metadata is lost, and how many samples were clipped. */
static void report_losses(const struct recording *recording, const struct writer *writer)
{
    char losses[256] = "";
    unsigned long long clipped = atomic_load(&recording->clipped);
    if (!writer->reader->messages)
        return;
    if (recording->input)
        library_list_losses(recording, losses, sizeof losses);
    if (*losses)
        reader_tell(writer->reader, "metadata not kept: %s", losses);
    if (clipped)
        reader_tell(writer->reader, "warning: %llu sample%s clipped", clipped,
                    clipped == 1 ? " was" : "s were");
}

bool audio_finish(struct writer *writer, struct block *block, struct error *e)
{
    struct recording *recording = writer->state;
    (void)block;
    recording->ended = true;
    if (!(recording->sound.rate > 0) && !write_held(recording, writer, e))
        return false;
    report_losses(recording, writer);
    return end_file(recording, e);
}

void audio_end(struct writer *writer)
{
    struct recording *recording = writer->state;
    struct error ignored;
    if (!recording)
        return;
    /* After an error in the input the rows before the error still make a file, if the rows show the rate. */
    if (!recording->ended &&
        (recording->started || (recording->held.size > 0 && write_held(recording, writer, &ignored))))
        end_file(recording, &ignored);
    library_close(&recording->codec, NULL);
    tempfile_close(&recording->file);
    tempfile_close(&recording->held);
    free(recording->source);
    free(recording);
    writer->state = NULL;
}

/* --- rows to frames --- */

/* The error of a number that cannot be a sample. */
static void refuse_number(const struct writer *writer, struct block *block, size_t column, size_t row,
                          double x)
{
    const struct recording *recording = writer->state;
    unsigned long long frame = block->firstrow + row;
    struct error *e = &block->error;
    if (isnan(x)) {
        error_data(e, "audio cannot hold a gap, but frame %llu is missing", frame);
        error_hint(e, "fill it with --gaps linear, or keep it with --to csv");
    } else {
        error_data(e, "%g at frame %llu is too large for %s", x, frame, sound_sample_name(&recording->sound));
    }
    error_column(e, writer->reader->table.column[column].name);
    if (!recording->input)
        error_place(e, block_line(block, row));
}

/* Reads the numbers of a column that passes through. Returns how many numbers were read; fewer than rows.n:
 * block->error is the error of the next number. */
static size_t read_passing(const struct writer *writer, struct block *block, size_t column,
                           struct row_range rows, double *x)
{
    const struct recording *recording = writer->state;
    if (recording->input) {
        audio_numbers(writer->reader, block, column, rows, x);
        return rows.n;
    }
    for (size_t i = 0; i < rows.n; i++)
        if (!format_cell_number(writer->reader, block, rows.first + i, column, "audio", &x[i]))
            return i;
    return rows.n;
}

/* Writes n numbers of a channel into frames. any: a float or double sample may be NaN or infinite. Returns
 * the index of the first number that cannot be a sample, or n. */
static size_t encode(const struct sound *sound, const double *x, size_t n, bool any, double *to,
                     uint64_t *clipped)
{
    const bool pcm = sound->sample < SOUND_FLOAT;
    const double full = sound_full(sound), limit = sound->sample == SOUND_FLOAT ? (double)FLT_MAX : DBL_MAX;
    const size_t stride = sound->channels;
    for (size_t i = 0; i < n; i++) {
        double sample = x[i];
        if (!(fabs(sample) <= limit) && (pcm || !any))
            return i;
        if (pcm) {
            sample *= full;
            *clipped += sample >= full - 0.5 || sample < -full - 0.5;
            sample = sample > full - 1 ? full - 1 : sample;
            sample = sample < -full ? -full : sample;
        }
        to[i * stride] = sample;
    }
    return n;
}

/* Encodes channel k of all rows. Returns how many rows were encoded; fewer than block->nrow: block->error is
 * the error of the next row. */
static size_t print_channel(const struct writer *writer, struct block *block, size_t k, uint64_t *clipped)
{
    enum { ROOM = 256 };
    const struct recording *recording = writer->state;
    const struct channel_source source = recording->source[k];
    double room[ROOM], *frames = (double *)(void *)block->bytes + k;
    bool passes = source.out == COLUMN_NONE;
    bool any = passes && recording->input; /* NaN and infinite samples of the input pass through */
    for (size_t i = 0, n; i < block->nrow; i += n) {
        n = block->nrow - i;
        n = passes && n > ROOM ? ROOM : n;
        const double *x = passes ? room : block_out(block, source.out) + i;
        size_t nread = n;
        if (passes)
            nread = read_passing(writer, block, source.column, (struct row_range){ i, n }, room);
        double *to = frames + i * recording->sound.channels;
        size_t ngood = encode(&recording->sound, x, nread, any, to, clipped);
        if (ngood < nread)
            refuse_number(writer, block, source.column, i + ngood, x[ngood]);
        if (ngood < n)
            return i + ngood;
    }
    return block->nrow;
}

void audio_print(const struct writer *writer, struct block *block)
{
    struct recording *recording = writer->state;
    size_t frame = recording->sound.channels * sizeof(double);
    uint64_t clipped = 0;
    block->nbyte = 0;
    if (block->nrow == 0 || !block_room(block, block->nrow * frame))
        return;
    /* After an error in a channel, further channels are printed up to the row of the error, so that only the
     * error of an earlier row takes its place. */
    for (size_t k = 0; k < recording->sound.channels && block->nrow > 0; k++)
        block->nrow = print_channel(writer, block, k, &clipped);
    block->nbyte = block->nrow * frame;
    atomic_fetch_add_explicit(&recording->clipped, clipped, memory_order_relaxed);
}
