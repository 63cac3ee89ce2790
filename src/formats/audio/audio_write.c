/* Audio out: which samples, channels and rate a file gets, and frames from rows. wav_write.c and library.c
 * make the file. Where a column of times has to tell the rate, frames wait in a temporary file until the last
 * time is known. */
#include "formats/audio/audio.h"

#include "base/text.h"
#include "io/output.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { PIECE = 64 * 1024 /* bytes that are copied at once */ };

/* The source of a channel of the output. */
struct channel_source {
    size_t out;    /* block->out column; COLUMN_NONE: the channel passes through */
    size_t column; /* the column that passes through */
};

static const char *const sample_names[] = { "8 bit PCM",  "16 bit PCM", "24 bit PCM",
                                            "32 bit PCM", "float",      "double" };

/* --- what the file will be --- */

static bool choose_sample(struct recording *o, const struct writer *w, struct error *e)
{
    struct sound *s = &o->sound;
    if (!o->input)
        s->sample = SOUND_FLOAT;
    if (w->subtype >= 0)
        s->sample = SOUND_PCM16 + (unsigned)w->subtype;
    if (s->container->real)
        return true;
    if (w->subtype < 0 && s->sample >= SOUND_FLOAT)
        s->sample = SOUND_PCM24;
    if (s->sample < SOUND_PCM32)
        return true;
    error_usage(e, "%s holds PCM of 8, 16 and 24 bits, not %s", s->container->name, sample_names[s->sample]);
    return error_hint(e, "use --subtype pcm24, or --to wav");
}

static bool refuse_added(const struct recording *o, const struct output_columns *layout, struct error *e)
{
    bool derived = format_derived(layout), real = o->sound.container->real;
    error_usage(e, "%s do not fit into %s", derived ? "derivatives" : "columns that the filter adds",
                sample_names[o->sound.sample]);
    char hint[160] = "";
    if (derived)
        text_append(hint, sizeof hint, "leave them out with --derivatives 0, ");
    if (real)
        text_append(hint, sizeof hint, "write them as channels with --subtype float, ");
    return error_hint(e, "%s%suse --to csv", hint, *hint ? "or " : "");
}

static bool choose_channels(struct recording *o, const struct writer *w, struct error *e)
{
    const struct columns *columns = &w->reader->columns;
    const struct output_columns *layout = w->layout;
    size_t n = 0, most = o->sound.container->most_channels;
    o->source = malloc((columns->ncolumn + layout->nadded + 1) * sizeof *o->source);
    if (!o->source)
        return error_memory(e);
    for (size_t i = 0; i < columns->ncolumn; i++) {
        const struct column *column = &columns->column[i];
        bool untimed = i == columns->passed && column->role != ROLE_CHANNEL;
        if (column->role == ROLE_TIME || column_passes_numbers(column) || untimed)
            continue;
        if (!format_takes_numbers("audio", column, e))
            return false;
        o->source[n++] = (struct channel_source){ layout->replace[i], i };
    }
    if (layout->nadded && o->sound.sample < SOUND_FLOAT)
        return refuse_added(o, layout, e);
    for (size_t i = 0; i < layout->nadded; i++)
        o->source[n++] = (struct channel_source){ layout->added[i].out, layout->added[i].column };
    o->sound.channels = (unsigned)n;
    if (n > 0 && n <= most)
        return true;
    if (n == 0)
        error_data(e, "no column of numbers, and %s holds at least one", w->format->name);
    else
        error_data(e, "%zu channels; %s holds at most %zu", n, w->format->name, most);
    return error_hint(e, "use --to csv");
}

static bool choose_rate(struct recording *o, const struct writer *w, struct error *e)
{
    double rate = w->rate;
    if (!(rate > 0) && o->input)
        rate = w->reader->columns.rate;
    o->sound.rate = rate > 0 ? rate : 0;
    o->rate.unit = w->reader->columns.unit;
    if (!(rate > 0) || (rate == floor(rate) && rate <= INT32_MAX))
        return true;
    error_data(e, "%.9g rows per second; audio needs a whole number", rate);
    return error_hint(e, "give another with --rate HZ or --resample HZ; --to csv keeps this one");
}

/* --- what of the input is lost --- */

/* True if the output lacks a chunk of the input, and the chunk is worth naming. */
static bool loses_chunk(const struct recording *o, const struct sound_chunk *chunk)
{
    const struct sound *in = &o->input->sound;
    bool wav = !in->container->library, copied = wav && o->same;
    /* After samples of an unknown number, nothing can follow in a pipe. */
    bool cut = copied && o->live && o->head_frames == SOUND_UNKNOWN && chunk->at > in->data;
    if (copied && !cut && wav_chunk_lasts(chunk, o->moved))
        return false;
    if (wav && (chunk_is(chunk->id, "JUNKjunkPAD FLLR") || !wav_chunk_lasts(chunk, false)))
        return false;
    return cut || in->ncue == 0 || !chunk_is(chunk->id, "cue MARK");
}

/* What stands before an item of a list. */
static const char *comma(const char *list)
{
    return *list ? ", " : "";
}

/* Prints which metadata of the input the output lacks; "": the output has all metadata. */
static void list_losses(const struct recording *o, char *text, size_t maxtext)
{
    const struct sound *in = &o->input->sound;
    const struct sound_container *to = o->sound.container;
    bool wav = !in->container->library;
    for (size_t i = 0; i < in->nchunk && strlen(text) + 80 < maxtext; i++) {
        char id[17];
        error_escape(in->chunk[i].id, 4, id, sizeof id);
        if (loses_chunk(o, &in->chunk[i]) && !strstr(text, id))
            text_append(text, maxtext, "%s%s", comma(text), id);
    }
    size_t kept = wav ? 0 : library_count_texts(&o->input->codec, to);
    if (in->ntext > kept)
        text_append(text, maxtext, "%s%zu of %zu texts", comma(text), in->ntext - kept, in->ntext);
    if (in->ncue > 0 && !to->cues)
        text_append(text, maxtext, "%s%zu cue point%s", comma(text), in->ncue, error_plural(in->ncue));
    if (in->ncue > 0 && to->cues && in->labelled && !(wav && o->same))
        text_append(text, maxtext, "%sthe names of cue points", comma(text));
    if (in->ncue > LIBRARY_MAXCUE && to->library && to->cues)
        text_append(text, maxtext, "%scue points after the first %d", comma(text), LIBRARY_MAXCUE);
}

/* Refuses to replace a file by one that lacks metadata. */
static bool keeps_metadata(const struct recording *o, const struct writer *w, struct error *e)
{
    char losses[256] = "";
    if (!o->input || !w->out || !w->out->in_place || w->out->force)
        return true;
    list_losses(o, losses, sizeof losses);
    if (!*losses)
        return true;
    error_data(e, "metadata would be lost: %s", losses);
    return error_hint(e, "--force replaces the file without them; --output keeps the old one");
}

bool audio_accept(struct writer *w, struct error *e)
{
    struct recording *o = calloc(1, sizeof *o);
    if (!(w->state = o))
        return error_memory(e);
    struct sound *s = &o->sound;
    o->file.fd = o->held.fd = -1;
    o->input = w->reader->format->family == FAMILY_AUDIO ? w->reader->state : NULL;
    const struct sound *in = o->input ? &o->input->sound : NULL;
    if (in)
        *s = *in;
    s->container = w->format->kind;
    o->same = in && in->container == s->container;
    if (s->container->read_only) {
        error_usage(e, "%s is read, not written: its encoders lose, and draw numbers at random",
                    s->container->name);
        return error_hint(e, "use --to flac, or --to wav");
    }
    if (!choose_sample(o, w, e) || !choose_channels(o, w, e) || !choose_rate(o, w, e))
        return false;
    s->words = s->container->library != 0;
    if (s->words)
        s->big = __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__;
    else if (!o->same)
        s->big = false;
    if (!o->same || in->sample != s->sample || in->channels != s->channels)
        s->nformat = 0;
    o->moved = in && w->resampled;
    o->stretch = o->moved ? s->rate / w->reader->columns.rate : 1;
    return keeps_metadata(o, w, e);
}

/* --- the file --- */

static bool start(struct recording *o, const struct writer *w, struct error *e)
{
    struct sound *s = &o->sound;
    o->file.out = w->fd;
    if (!s->container->library) {
        o->started = wav_start(o, w, e);
    } else {
        /* The output may be open for writing alone, and an AIFF file is read again at its end. */
        bool open = s->container->small ? tempfile_hold(&o->file, w->fd, e)
                                        : tempfile_open(&o->file, w->fd, e);
        o->started = open && library_create(o, e);
    }
    s->promised = 0;
    return o->started;
}

/* Adds nbyte bytes of frames made by samples_encode. */
static bool add(struct recording *o, const void *frames, size_t nbyte, struct error *e)
{
    struct sound *s = &o->sound;
    size_t nframe = nbyte / sound_frame(s);
    s->promised += nframe;
    if (!s->container->library)
        return wav_write(o, frames, nbyte, e);
    uint64_t size = s->promised * s->channels * sound_file_width(s);
    if (s->container->small && size > UINT32_MAX - (1 << 20)) {
        error_data(e, "more than 4 GiB do not fit into %s", s->container->name);
        return error_hint(e, "use --to wav, or --to caf");
    }
    return library_write(&o->codec, frames, nframe, e);
}

/* Ends the file after any number of frames. */
static bool end(struct recording *o, struct error *e)
{
    if (!o->sound.container->library)
        return wav_end(o, e);
    return library_close(&o->codec, e) && tempfile_finish(&o->file, e);
}

/* Writes the held frames, after all times are known. */
static bool release(struct recording *o, const struct writer *w, struct error *e)
{
    int32_t frames[PIECE / sizeof(int32_t)];
    size_t frame = sound_frame(&o->sound), n;
    if (!row_rate_find(&o->rate, &o->sound.rate, e) || !start(o, w, e))
        return false;
    for (uint64_t at = 0; at < o->held.size; at += n) {
        n = sizeof frames / frame * frame;
        n = o->held.size - at < n ? (size_t)(o->held.size - at) : n;
        if (!tempfile_read(&o->held, at, frames, n, e) || !add(o, frames, n, e))
            return false;
    }
    return true;
}

bool audio_begin(struct writer *w, struct block *b, struct error *e)
{
    struct recording *o = w->state;
    (void)b;
    return o->sound.rate > 0 ? start(o, w, e) : tempfile_open(&o->held, -1, e);
}

bool audio_store(struct writer *w, struct block *b, struct error *e)
{
    struct recording *o = w->state;
    bool good = true, held = !(o->sound.rate > 0); /* until the rate is known */
    for (size_t i = 0; good && held && i < b->nrow; i++)
        if (!row_rate_add(&o->rate, &b->time[i], e)) {
            error_column(e, w->reader->columns.column[w->reader->columns.time].name);
            good = error_place(e, b->firstline - 1 + block_line(b, i));
        }
    if (good && b->nbyte > 0)
        good = held ? tempfile_write(&o->held, o->held.size, b->bytes, b->nbyte, e)
                    : add(o, b->bytes, b->nbyte, e);
    o->ended = o->ended || !good;
    return good;
}

static void warn(const struct recording *o, const struct writer *w)
{
    char losses[256] = "";
    unsigned long long clipped = atomic_load(&o->clipped);
    if (!w->messages)
        return;
    if (o->input)
        list_losses(o, losses, sizeof losses);
    if (*losses)
        messages_add(w->messages, w->reader->source->name, "metadata that is not kept: %s", losses);
    if (clipped)
        messages_add(w->messages, w->reader->source->name, "warning: %llu sample%s clipped", clipped,
                     clipped == 1 ? " was" : "s were");
}

bool audio_finish(struct writer *w, struct block *b, struct error *e)
{
    struct recording *o = w->state;
    (void)b;
    o->ended = true;
    if (!(o->sound.rate > 0) && !release(o, w, e))
        return false;
    warn(o, w);
    return end(o, e);
}

void audio_end(struct writer *w)
{
    struct recording *o = w->state;
    struct error ignored;
    if (!o)
        return;
    /* After an error in the input the rows before the error still make a file, if the rows tell the rate. */
    if (!o->ended && (o->started || (o->held.size > 0 && release(o, w, &ignored))))
        end(o, &ignored);
    library_close(&o->codec, NULL);
    tempfile_close(&o->file);
    tempfile_close(&o->held);
    free(o->source);
    free(o);
    w->state = NULL;
}

/* --- rows to frames --- */

static void refuse_number(const struct writer *w, struct block *b, size_t column, size_t row, double x)
{
    const struct recording *o = w->state;
    unsigned long long frame = b->firstrow + row;
    struct error *e = &b->error;
    if (isnan(x)) {
        error_data(e, "a gap at frame %llu, and audio holds none", frame);
        error_hint(e, "--gaps fill or linear puts a value there; --to csv keeps gaps");
    } else {
        error_data(e, "%g at frame %llu is too large for %s", x, frame, sample_names[o->sound.sample]);
    }
    error_column(e, w->reader->columns.column[column].name);
    if (!o->input)
        error_place(e, block_line(b, row));
}

/* Reads the number in a cell of a column that passes through; NaN is a gap. */
static bool read_cell(const struct writer *w, struct block *b, size_t row, size_t column, double *x)
{
    const struct reader *r = w->reader;
    char room[NUMBER_MAX];
    struct cell_text cell = { .room = room, .maxroom = sizeof room };
    r->format->cell(r, b, row, column, &cell);
    *x = (double)NAN;
    if (!cell.text || format_gap(r->options, cell.text, cell.n))
        return true;
    const char *end = cell.text + cell.n;
    if (number_read(cell.text, end, reader_point(r), x) == end)
        return true;
    error_data(&b->error, "audio holds numbers, and this is not one");
    error_excerpt(&b->error, cell.text, cell.n);
    error_column(&b->error, r->columns.column[column].name);
    error_place(&b->error, block_line(b, row));
    return false;
}

/* Reads numbers of a column that passes through, and returns how many; fewer than rows.n: the error of the
 * next is in the block. */
static size_t read_passing(const struct writer *w, struct block *b, size_t column, struct some_rows rows,
                           double *x)
{
    const struct recording *o = w->state;
    if (o->input) {
        audio_numbers(w->reader, b, column, rows, x);
        return rows.n;
    }
    for (size_t i = 0; i < rows.n; i++)
        if (!read_cell(w, b, rows.first + i, column, &x[i]))
            return i;
    return rows.n;
}

/* Encodes one channel of all rows, and returns how many are good; the error of the next is in the block. */
static size_t print_channel(const struct writer *w, struct block *b, struct channel_source source,
                            struct sample_output *out)
{
    enum { ROOM = 256 };
    const struct recording *o = w->state;
    double room[ROOM];
    unsigned char *first = out->to;
    bool passes = source.out == COLUMN_NONE;
    out->any = passes && o->input; /* NaN and infinite samples of the input pass through */
    for (size_t i = 0, n; i < b->nrow; i += n) {
        n = b->nrow - i;
        n = passes && n > ROOM ? ROOM : n;
        const double *x = passes ? room : block_out(b, source.out) + i;
        size_t nread = n;
        if (passes)
            nread = read_passing(w, b, source.column, (struct some_rows){ i, n }, room);
        out->to = first + i * sound_frame(&o->sound);
        size_t ngood = samples_encode(&o->sound, x, nread, out);
        if (ngood < nread)
            refuse_number(w, b, source.column, i + ngood, x[ngood]);
        if (ngood < n)
            return i + ngood;
    }
    return b->nrow;
}

void audio_print(const struct writer *w, struct block *b)
{
    struct recording *o = w->state;
    size_t width = sound_width(&o->sound), frame = sound_frame(&o->sound);
    struct sample_output out = { .clipped = 0 };
    b->nbyte = 0;
    if (b->nrow == 0 || !block_room(b, b->nrow * frame))
        return;
    /* After an error in one channel, rows of the others are printed up to it: only an earlier error replaces
     * it. */
    for (size_t i = 0; i < o->sound.channels && b->nrow > 0; i++) {
        out.to = (unsigned char *)b->bytes + i * width;
        b->nrow = print_channel(w, b, o->source[i], &out);
    }
    b->nbyte = b->nrow * frame;
    atomic_fetch_add_explicit(&o->clipped, out.clipped, memory_order_relaxed);
}
