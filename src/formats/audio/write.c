/* Audio out. Print makes frames, store hands them in order to the file. Where a column of times has to tell
 * the rate, frames wait in a temporary file until the last time is known. */
#include "formats/audio/file.h"
#include "formats/audio/rate.h"

#include <float.h>
#include <math.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PIECE = 64 * 1024 };

/* Where a channel of the output comes from. */
struct from {
    size_t out;    /* a block's out column, or COLUMN_NONE: */
    size_t column; /* a column that passes through */
};

struct recording {
    struct audio_file file;
    struct from *from; /* [channels] */
    struct rate rate;  /* while the file's is 0 */
    struct tempfile held; /* frames that wait for it */
    bool failed;       /* nothing sensible can be written any more */
    struct sound_cue *cue; /* of resampled rows */
    _Atomic uint64_t clipped;
};

/* --- can it be held? --- */

static bool choose_sample(struct recording *o, const struct writer *w, struct error *e)
{
    static const enum sound_sample subtypes[] = { SOUND_PCM16, SOUND_PCM24, SOUND_PCM32, SOUND_FLOAT,
                                                  SOUND_DOUBLE };
    struct sound *s = &o->file.sound;
    bool flac = s->kind == SOUND_FLAC;
    s->sample = w->subtype >= 0 ? subtypes[w->subtype]
                : o->file.input ? o->file.input->sound.sample
                                : SOUND_FLOAT;
    if (s->sample == SOUND_U8 || s->sample == SOUND_S8)
        s->sample = s->kind == SOUND_WAV ? SOUND_U8 : SOUND_S8;
    if (flac && w->subtype < 0 && sound_is_real(s->sample))
        s->sample = SOUND_PCM24;
    if (flac && (sound_is_real(s->sample) || s->sample == SOUND_PCM32)) {
        error_usage(e, "FLAC holds PCM of 8, 16 and 24 bits, not %s", audio_sample_names[s->sample]);
        return error_hint(e, "use --subtype pcm24, or --to wav");
    }
    return true;
}

static bool refuse_column(const struct writer *w, size_t i, struct error *e)
{
    const struct column *c = &w->reader->columns.column[i];
    if (c->role == ROLE_GROUP)
        error_data(e, "audio holds one series, not one for each value of a column");
    else
        error_data(e, "audio holds numbers, and this column is text");
    error_column(e, c->name);
    return error_hint(e, "use --to csv or --to json, or take the column out of the input");
}

static bool choose_channels(struct recording *o, const struct writer *w, struct error *e)
{
    const struct columns *t = &w->reader->columns;
    const struct output_columns *l = w->layout;
    size_t n = 0;
    o->from = malloc((t->ncolumn + l->nadded + 1) * sizeof *o->from);
    if (!o->from)
        return error_memory(e);
    for (size_t i = 0; i < t->ncolumn; i++) {
        const struct column *c = &t->column[i];
        if (c->role == ROLE_TIME || (i == t->passed && c->role != ROLE_CHANNEL))
            continue;
        if (c->role == ROLE_GROUP || (c->role != ROLE_CHANNEL && c->first == CELL_TEXT))
            return refuse_column(w, i, e);
        o->from[n++] = (struct from){ l->replace[i], i };
    }
    if (l->nadded && !sound_is_real(o->file.sound.sample)) {
        bool derived = format_derived(l), flac = o->file.sound.kind == SOUND_FLAC;
        error_usage(e, "%s do not fit into %s", derived ? "derivatives" : "columns that the filter adds",
                    audio_sample_names[o->file.sound.sample]);
        return error_hint(e, "%s%suse --to csv",
                          !derived ? ""
                          : flac   ? "leave them out with --derivatives 0, or "
                                   : "leave them out with --derivatives 0, ",
                          flac ? "" : "write them as channels with --subtype float, or ");
    }
    for (size_t i = 0; i < l->nadded; i++)
        o->from[n++] = (struct from){ l->added[i].out, l->added[i].column };
    if (n == 0) {
        error_data(e, "no column of numbers, and %s holds at least one", w->format->name);
        return error_hint(e, "use --to csv");
    }
    size_t most = o->file.sound.kind == SOUND_FLAC ? 8 : SOUND_MAXCHANNEL;
    if (n > most) {
        error_data(e, "%zu channels; %s holds at most %zu", n, w->format->name, most);
        return error_hint(e, "use --to csv");
    }
    o->file.sound.channels = (unsigned)n;
    return true;
}

static bool choose_rate(struct recording *o, const struct writer *w, struct error *e)
{
    double rate = w->rate > 0 ? w->rate : o->file.input ? w->reader->columns.rate : 0;
    o->file.sound.rate = rate;
    o->rate.unit = w->time_unit;
    bool any = o->file.sound.kind == SOUND_AIFF || o->file.sound.kind == SOUND_CAF;
    if (rate > 0 && (any ? rate > 1e9 : rate != floor(rate) || rate > INT32_MAX)) {
        error_data(e, "%.9g rows per second; audio needs a whole number", rate);
        return error_hint(e, "--rate HZ says another; --to caf, aiff and csv keep this one");
    }
    return true;
}

/* Cue points of the input at the frames that now come at or after their times. */
static bool move_cues(struct recording *o, const struct writer *w, struct error *e)
{
    const struct sound *in = &o->file.input->sound;
    o->file.moved = true;
    o->file.sound.promised = SOUND_UNKNOWN;
    o->cue = malloc((in->ncue + 1) * sizeof *o->cue);
    if (!o->cue)
        return error_memory(e);
    for (size_t i = 0; i < in->ncue; i++) {
        double frame = ceil((double)in->cue[i].frame * w->rate / w->reader->columns.rate);
        o->cue[i] = (struct sound_cue){ in->cue[i].id, frame < UINT32_MAX ? (uint64_t)frame : UINT32_MAX };
    }
    o->file.sound.cue = o->cue;
    return true;
}

bool audio_accept(struct writer *w, struct error *e)
{
    struct recording *o = calloc(1, sizeof *o);
    if (!(w->state = o))
        return error_memory(e);
    o->file.spool.fd = o->held.fd = -1;
    o->file.input = audio_of(w->reader);
    o->file.sound.kind = audio_kind(w->format);
    if (!choose_sample(o, w, e) || !choose_channels(o, w, e) || !choose_rate(o, w, e))
        return false;
    const struct sound *in = o->file.input ? &o->file.input->sound : NULL;
    bool same = in && in->kind == o->file.sound.kind;
    /* In AIFF the order of bytes is a part of the type of the samples: another type has the usual order. */
    bool retyped = same && o->file.sound.kind == SOUND_AIFF && in->sample != o->file.sound.sample;
    o->file.sound.big = same && !retyped ? in->big : o->file.sound.kind != SOUND_WAV;
    o->file.sound.promised = in && in->rate == o->file.sound.rate ? in->promised : SOUND_UNKNOWN;
    o->file.verbatim = same && o->file.sound.kind != SOUND_AU && o->file.sound.kind != SOUND_FLAC;
    if (in && audio_holds_cues(o->file.sound.kind)) {
        o->file.sound.cue = in->cue;
        o->file.sound.ncue = o->file.sound.kind == SOUND_AIFF && in->ncue > UINT16_MAX ? UINT16_MAX
                                                                                       : in->ncue;
    }
    return !in || !w->resampled || move_cues(o, w, e);
}

bool audio_begin(struct writer *w, struct block *b, struct error *e)
{
    struct recording *o = w->state;
    (void)b;
    return o->file.sound.rate > 0 ? audio_file_start(&o->file, w, e) : tempfile_open(&o->held, -1, e);
}

/* --- samples --- */

static void refuse_number(const struct recording *o, const struct writer *w, struct block *b, size_t column,
                          size_t row, double x)
{
    uint64_t frame = b->firstrow + row;
    struct error *e = &b->error;
    if (isnan(x)) {
        error_data(e, "a gap at frame %llu, and audio holds none", (unsigned long long)frame);
        error_hint(e, "--gaps fill puts the filter's value there; --to csv keeps gaps");
    } else {
        error_data(e, "%g at frame %llu is too large for %s", x, (unsigned long long)frame,
                   audio_sample_names[o->file.sound.sample]);
    }
    error_column(e, w->reader->columns.column[column].name);
    if (!o->file.input)
        error_place(e, block_line(b, row), 0);
}

/* The number in a cell of a column that passes through; NaN is a gap. */
static bool read_cell(const struct writer *w, struct block *b, size_t row, size_t column, double *x)
{
    const struct reader *r = w->reader;
    char buf[NUMBER_MAX];
    size_t n = 0;
    const char *text = r->format->cell(r, b, row, column, buf, sizeof buf, &n);
    *x = (double)NAN;
    if (!text || format_gap(r->options, text, n))
        return true;
    const char point = r->options->decimal ? r->options->decimal[0] : '.';
    if (number_read(text, text + n, point, x) == text + n)
        return true;
    error_data(&b->error, "audio holds numbers, and this is none");
    error_excerpt(&b->error, text, n);
    error_column(&b->error, r->columns.column[column].name);
    error_place(&b->error, block_line(b, row), 0);
    return false;
}

/* Rows of one channel; returns how many are good, and has told of the one behind them. */
static size_t print_cells(struct recording *o, const struct writer *w, struct block *b, size_t column,
                          unsigned char *to, size_t frame, uint64_t *clipped)
{
    for (size_t i = 0; i < b->nrow; i++) {
        double x;
        if (!read_cell(w, b, i, column, &x))
            return i;
        if (sound_encode(&o->file.sound, &x, 1, to + i * frame, false, clipped) < 1) {
            refuse_number(o, w, b, column, i, x);
            return i;
        }
    }
    return b->nrow;
}

/* Numbers from row first on into one channel; returns how many are good. A channel of audio that passes
 * through may hold what it likes. */
static size_t print_numbers(struct recording *o, const struct writer *w, struct block *b,
                            const struct from *from, const double *x, size_t first, size_t n,
                            unsigned char *to, uint64_t *clipped)
{
    size_t bad = sound_encode(&o->file.sound, x, n, to, from->out == COLUMN_NONE, clipped);
    if (bad < n)
        refuse_number(o, w, b, from->column, first + bad, x[bad]);
    return bad;
}

/* One channel of all rows, its first sample at to, frames so many bytes apart; returns how many are good. */
static size_t print_channel(struct recording *o, const struct writer *w, struct block *b,
                            const struct from *from, unsigned char *to, size_t frame, uint64_t *clipped)
{
    if (from->out != COLUMN_NONE)
        return print_numbers(o, w, b, from, block_out(b, from->out), 0, b->nrow, to, clipped);
    if (!o->file.input)
        return print_cells(o, w, b, from->column, to, frame, clipped);
    double x[256];
    for (size_t i = 0, n; i < b->nrow; i += n) {
        n = b->nrow - i < sizeof x / sizeof *x ? b->nrow - i : sizeof x / sizeof *x;
        audio_take(o->file.input, b, from->column - 1, i, n, x);
        size_t good = print_numbers(o, w, b, from, x, i, n, to + i * frame, clipped);
        if (good < n)
            return i + good;
    }
    return b->nrow;
}

static size_t frame_size(const struct recording *o)
{
    return o->file.sound.channels * sound_encoded_size(&o->file.sound);
}

void audio_print(const struct writer *w, struct block *b)
{
    struct recording *o = w->state;
    size_t frame = frame_size(o);
    uint64_t clipped = 0;
    b->nbyte = 0;
    if (!block_room(b, b->nrow * frame))
        return;
    /* After a fault in one channel, others have theirs only if they are earlier. */
    for (size_t i = 0; i < o->file.sound.channels; i++)
        b->nrow = print_channel(o, w, b, &o->from[i],
                                (unsigned char *)b->bytes + i * sound_encoded_size(&o->file.sound), frame,
                                &clipped);
    b->nbyte = b->nrow * frame;
    atomic_fetch_add_explicit(&o->clipped, clipped, memory_order_relaxed);
}

/* --- to the file --- */

/* Keeps a block until the rate is known. */
static bool hold(struct recording *o, const struct writer *w, struct block *b, struct error *e)
{
    for (size_t i = 0; i < b->nrow; i++)
        if (!rate_take(&o->rate, &b->stamp[i], e)) {
            error_column(e, w->reader->columns.column[w->reader->columns.time].name);
            return error_place(e, b->firstline - 1 + block_line(b, i), 0);
        }
    return tempfile_write(&o->held, o->held.size, b->bytes, b->nbyte, e);
}

bool audio_store(struct writer *w, struct block *b, struct error *e)
{
    struct recording *o = w->state;
    if (b->nbyte == 0)
        return true;
    bool good = o->file.sound.rate > 0 ? audio_file_put(&o->file, b->bytes, b->nbyte / frame_size(o), e)
                                       : hold(o, w, b, e);
    o->failed = o->failed || !good;
    return good;
}

/* Writes what was held, now that there is a rate. */
static bool release(struct recording *o, const struct writer *w, struct error *e)
{
    size_t frame = frame_size(o), piece = PIECE / frame * frame + frame;
    if (!rate_settle(&o->rate, &o->file.sound.rate, e))
        return false;
    o->file.sound.promised = o->held.size / frame;
    if (!audio_file_start(&o->file, w, e))
        return false;
    void *frames = malloc(piece);
    bool good = frames || error_memory(e);
    for (uint64_t at = 0; good && at < o->held.size; at += piece) {
        size_t n = o->held.size - at < piece ? (size_t)(o->held.size - at) : piece;
        good = tempfile_read(&o->held, at, frames, n, e) && audio_file_put(&o->file, frames, n / frame, e);
    }
    free(frames);
    return good;
}

bool audio_finish(struct writer *w, struct block *b, struct error *e)
{
    struct recording *o = w->state;
    (void)b;
    if (!(o->file.sound.rate > 0) && !release(o, w, e)) {
        o->failed = true;
        return false;
    }
    uint64_t clipped = atomic_load(&o->clipped);
    if (clipped && w->messages)
        messages_add(w->messages, w->reader->source->name, "warning: %llu sample%s clipped",
                  (unsigned long long)clipped, clipped == 1 ? " was" : "s were");
    return audio_file_end(&o->file, e);
}

void audio_end(struct writer *w)
{
    struct recording *o = w->state;
    struct error ignored;
    if (!o)
        return;
    /* After an error in the input the rows before it still make a file, if they tell its rate. */
    bool wanted = !o->failed && !o->file.finished;
    if (wanted && (o->file.begun || (o->held.size > 0 && release(o, w, &ignored))))
        audio_file_end(&o->file, &ignored);
    audio_file_free(&o->file);
    tempfile_close(&o->held);
    free(o->from);
    free(o->cue);
    free(o);
    w->state = NULL;
}
