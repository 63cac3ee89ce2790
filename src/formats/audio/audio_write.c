/* Audio out: what the file will be, and frames from rows. */
#include "formats/audio/audio.h"
#include "io/output.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>

/* --- what the file will be --- */

static bool choose_sample(struct recording *recording, struct error *e)
{
    struct sound *sound = &recording->sound;
    if (!recording->input)
        sound->sample = SOUND_FLOAT;
    if (!sound->container->real && sound->sample >= SOUND_FLOAT)
        sound->sample = SOUND_PCM24;
    if (sound->container->real || sound->sample < SOUND_PCM32)
        return true;
    error_usage(e, "%s can hold PCM of 8, 16 or 24 bits, not %s", sound->container->name,
                sound_types[sound->sample].name);
    return error_hint(e, "use --to wav");
}

static bool choose_channels(struct recording *recording, const struct writer *writer, struct error *e)
{
    const struct table *table = &writer->reader->table;
    const struct output_columns *layout = writer->layout;
    size_t n = 0, most = recording->sound.container->most_channels;
    recording->source = malloc((table->ncolumn + layout->nadded + 1) * sizeof *recording->source);
    if (!recording->source)
        return error_memory(e);
    for (size_t i = 0; i < table->ncolumn; i++) {
        const struct column *use = table_column(table, i);
        bool untimed = i == table->unused_time && use->role != ROLE_CHANNEL;
        if (use->role == ROLE_TIME || use->alone || untimed)
            continue;
        if (!format_takes_numbers("audio", table, i, e))
            return false;
        recording->source[n++] = (struct channel_source){ layout->replace[i], i };
    }
    if (layout->nadded && recording->sound.sample < SOUND_FLOAT) {
        error_usage(e, "derivatives do not fit into %s", sound_types[recording->sound.sample].name);
        return error_hint(e, "use --derivatives 0, or --to csv");
    }
    for (size_t i = 0; i < layout->nadded; i++)
        recording->source[n++] = (struct channel_source){ layout->added[i].out, layout->added[i].column };
    recording->sound.channels = (unsigned)n;
    if (n > 0 && n <= most)
        return true;
    error_data(e, "%s holds 1 to %zu columns of numbers, not %zu", writer->format->name, most, n);
    return error_hint(e, "use --to csv");
}

static bool choose_rate(struct recording *recording, const struct writer *writer, struct error *e)
{
    const double rate = recording->sound.rate = writer->rate;
    if (!(rate > 0)) {
        error_usage(e, "audio needs a row rate");
        return error_hint(
            e, "give it with --rate (sprung inspect shows the rate of the times); from uneven times, "
               "make even rows, as in --resample 48000");
    }
    if (rate == floor(rate) && rate <= INT32_MAX)
        return true;
    error_data(e, "%.9g rows per second; audio needs a whole number", rate);
    return error_hint(e, "give another rate with --rate or --resample; --to csv keeps this one");
}

/* Refuses to replace a file, without --force, by a file that lacks metadata, or may lack metadata: of most
 * containers libsndfile does not say what it leaves out. */
static bool check_losses(struct recording *recording, const struct writer *writer, struct error *e)
{
    const bool known = !recording->input || library_list_losses(recording);
    if ((known && !*recording->losses) || !writer->out || !writer->out->in_place || writer->out->force)
        return true;
    if (*recording->losses)
        error_data(e, "metadata would not be kept: %s", recording->losses);
    else
        error_data(e, "metadata of %s may be lost", recording->input->sound.container->name);
    return error_hint(e, "add --force to replace the file anyway, or write to another with --output");
}

bool audio_accept(struct writer *writer, struct error *e)
{
    struct recording *recording = calloc(1, sizeof *recording);
    writer->state = recording;
    if (!recording)
        return error_memory(e);
    recording->file.fd = -1;
    if (writer->reader->format->family == FAMILY_AUDIO) {
        recording->input = writer->reader->state;
        recording->sound = recording->input->sound;
        recording->same = writer->format == writer->reader->format;
        recording->resampled = writer->resampled;
    }
    recording->sound.container = writer->format->kind;
    return choose_sample(recording, e) && choose_channels(recording, writer, e) &&
           choose_rate(recording, writer, e) && check_losses(recording, writer, e);
}

/* --- frames to the file --- */

bool audio_begin(struct writer *writer, struct block *block, struct error *e)
{
    struct recording *recording = writer->state;
    (void)block;
    recording->sound.frames = 0;
    return tempfile_open(&recording->file, writer->fd, e) && library_create(recording, e);
}

bool audio_store(struct writer *writer, struct block *block, struct error *e)
{
    struct recording *recording = writer->state;
    struct sound *sound = &recording->sound;
    const double *frames = (const double *)(const void *)block->bytes;
    const size_t nframe = block->nbyte / (sound->channels * sizeof *frames);
    sound->frames += nframe;
    if (sound->frames <= recording->most && library_write(&recording->codec, frames, nframe, e))
        return true;
    if (sound->frames > recording->most) {
        error_data(e, "%s can hold at most 4 GiB", sound->container->name);
        error_hint(e, "use --to w64, or --to caf");
    }
    library_close(&recording->codec, NULL); /* the file cannot be completed */
    return false;
}

bool audio_finish(struct writer *writer, struct block *block, struct error *e)
{
    struct recording *recording = writer->state;
    const unsigned long long clipped = atomic_load(&recording->clipped);
    (void)block;
    if (*recording->losses)
        reader_tell(writer->reader, "metadata not kept: %s", recording->losses);
    if (clipped)
        reader_tell(writer->reader, "warning: %llu sample%s clipped", clipped,
                    clipped == 1 ? " was" : "s were");
    return library_close(&recording->codec, e) && tempfile_finish(&recording->file, e);
}

void audio_end(struct writer *writer)
{
    struct recording *recording = writer->state;
    struct error ignored;
    if (!recording)
        return;
    /* After an error in the input the rows before the error still make a file. */
    if (recording->codec.library && library_close(&recording->codec, &ignored))
        tempfile_finish(&recording->file, &ignored);
    tempfile_close(&recording->file);
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
        error_data(e, "%g at frame %llu is too large for %s", x, frame,
                   sound_types[recording->sound.sample].name);
    }
    error_column(e, writer->reader->table.column[column].name);
    if (!recording->input)
        error_place(e, block_line(block, row));
}

/* Writes channel k of all rows into the frames. Returns how many rows were written; fewer than block->nrow:
 * block->error is the error of the next row. */
static size_t print_channel(const struct writer *writer, struct block *block, size_t k, uint64_t *clipped)
{
    const struct recording *recording = writer->state;
    const struct channel_source source = recording->source[k];
    const double *out = source.out == COLUMN_NONE ? NULL : block_out(block, source.out);
    const size_t stride = recording->sound.channels, nrow = block->nrow;
    const double full = sound_types[recording->sound.sample].full;
    const double limit = recording->sound.sample == SOUND_FLOAT ? (double)FLT_MAX : DBL_MAX;
    const bool pcm = recording->sound.sample < SOUND_FLOAT;
    const bool any = !pcm && !out && recording->input; /* NaN and infinity pass, too */
    double *to = (double *)(void *)block->bytes + k;
    uint64_t nclipped = 0;
    size_t row;
    for (row = 0; row < nrow; row++, to += stride) {
        double x;
        if (out)
            x = out[row];
        else if (recording->input)
            x = audio_number(writer->reader, block, row, source.column);
        else if (!format_cell_number(writer->reader, block, row, source.column, "audio", &x))
            break;
        if (!(fabs(x) <= limit) && !any) {
            refuse_number(writer, block, source.column, row, x);
            break;
        }
        if (pcm) {
            x *= full;
            nclipped += x >= full - 0.5 || x < -full - 0.5;
            x = x > full - 1 ? full - 1 : x;
            x = x < -full ? -full : x;
        }
        *to = x;
    }
    *clipped += nclipped;
    return row;
}

void audio_print(const struct writer *writer, struct block *block)
{
    struct recording *recording = writer->state;
    size_t frame = recording->sound.channels * sizeof(double);
    uint64_t clipped = 0;
    block->nbyte = 0;
    if (block->nrow == 0 || !block_room(block, block->nrow * frame))
        return;
    /* After an error in a channel, the other channels are printed up to the row of the error, so that only
     * the error of an earlier row takes its place. */
    for (size_t k = 0; k < recording->sound.channels && block->nrow > 0; k++)
        block->nrow = print_channel(writer, block, k, &clipped);
    block->nbyte = block->nrow * frame;
    atomic_fetch_add_explicit(&recording->clipped, clipped, memory_order_relaxed);
}
