/* Audio out: what the file will hold, and its frames. recording.c makes the file. */
#include "formats/audio/audio.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char *const sample_names[] = { "8 bit PCM",  "16 bit PCM", "24 bit PCM",
                                            "32 bit PCM", "float",      "double" };

static bool choose_sample(struct recording *o, const struct writer *w, struct error *e)
{
    struct sound *s = &o->sound;
    bool flac = s->kind == SOUND_FLAC;
    if (w->subtype >= 0 || !o->input)
        s->sample = w->subtype >= 0 ? SOUND_PCM16 + (unsigned)w->subtype : SOUND_FLOAT;
    if (flac && w->subtype < 0 && s->sample >= SOUND_FLOAT)
        s->sample = SOUND_PCM24;
    if (flac && (s->sample >= SOUND_FLOAT || s->sample == SOUND_PCM32)) {
        error_usage(e, "FLAC holds PCM of 8, 16 and 24 bits, not %s", sample_names[s->sample]);
        return error_hint(e, "use --subtype pcm24, or --to wav");
    }
    return true;
}

static bool refuse_added(const struct recording *o, const struct output_columns *l, struct error *e)
{
    bool derived = format_derived(l), flac = o->sound.kind == SOUND_FLAC;
    error_usage(e, "%s do not fit into %s", derived ? "derivatives" : "columns that the filter adds",
                sample_names[o->sound.sample]);
    return error_hint(e, "%s%s%suse --to csv", derived ? "leave them out with --derivatives 0, " : "",
                      derived && flac ? "or " : "",
                      flac ? "" : "write them as channels with --subtype float, or ");
}

static bool choose_channels(struct recording *o, const struct writer *w, struct error *e)
{
    const struct columns *t = &w->reader->columns;
    const struct output_columns *l = w->layout;
    size_t n = 0, most = o->sound.kind == SOUND_FLAC ? 8 : SOUND_MAXCHANNEL;
    o->source = malloc((t->ncolumn + l->nadded + 1) * sizeof *o->source);
    if (!o->source)
        return error_memory(e);
    for (size_t i = 0; i < t->ncolumn; i++) {
        const struct column *c = &t->column[i];
        if (c->role == ROLE_TIME || column_left_alone(c) || (i == t->passed && c->role != ROLE_CHANNEL))
            continue;
        if (!format_takes_numbers("audio", c, e))
            return false;
        o->source[n++] = (struct channel_source){ l->replace[i], i };
    }
    if (l->nadded && o->sound.sample < SOUND_FLOAT)
        return refuse_added(o, l, e);
    for (size_t i = 0; i < l->nadded; i++)
        o->source[n++] = (struct channel_source){ l->added[i].out, l->added[i].column };
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
    double rate = w->rate > 0 ? w->rate : o->input ? w->reader->columns.rate : 0;
    o->sound.rate = rate;
    o->rate.unit = w->reader->columns.unit;
    bool any = o->sound.kind == SOUND_AIFF || o->sound.kind == SOUND_CAF;
    if (rate > 0 && (any ? rate > 1e9 : rate != floor(rate) || rate > INT32_MAX)) {
        error_data(e, "%.9g rows per second; audio needs a whole number", rate);
        return error_hint(e, "give another with --rate HZ; --to caf, aiff and csv keep this one");
    }
    return true;
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
    s->kind = sound_kind_of(w->format);
    if (!choose_sample(o, w, e) || !choose_channels(o, w, e) || !choose_rate(o, w, e))
        return false;
    bool same = in && in->kind == s->kind, retyped = !in || in->sample != s->sample;
    /* In AIFF the order of bytes is a part of the type of the samples: another type has the usual order. */
    s->big = same && !(retyped && s->kind == SOUND_AIFF) ? in->big : s->kind != SOUND_WAV;
    s->promised = in && in->rate == s->rate && !w->resampled ? in->promised : SOUND_UNKNOWN;
    o->unmoved_rate = in && w->resampled ? w->reader->columns.rate : 0;
    o->verbatim = same && s->kind != SOUND_AU && s->kind != SOUND_FLAC;
    if (!o->verbatim)
        s->nchunk = 0;
    if (!o->verbatim || retyped || in->channels != s->channels)
        s->nfmt = 0;
    if (!sound_containers[s->kind].cue_id)
        s->ncue = 0;
    s->ncue = s->kind == SOUND_AIFF && s->ncue > UINT16_MAX ? UINT16_MAX : s->ncue;
    return true;
}

static void refuse_number(const struct recording *o, const struct writer *w, struct block *b, size_t column,
                          size_t row, double x)
{
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
    char buf[NUMBER_MAX];
    size_t n = 0;
    const char *text = r->format->cell(r, b, row, column, buf, sizeof buf, &n);
    *x = (double)NAN;
    if (!text || format_gap(r->options, text, n))
        return true;
    const char point = r->options->decimal ? r->options->decimal[0] : '.';
    if (number_read(text, text + n, point, x) == text + n)
        return true;
    error_data(&b->error, "audio holds numbers, and this is not one");
    error_excerpt(&b->error, text, n);
    error_column(&b->error, r->columns.column[column].name);
    error_place(&b->error, block_line(b, row));
    return false;
}

/* Encodes one channel of all rows, its first sample at to, and returns how many are good; the error of the
 * next is in the block. A channel of audio that passes through may hold any real sample. */
static size_t print_channel(const struct recording *o, const struct writer *w, struct block *b,
                            struct channel_source source, unsigned char *to, size_t frame, uint64_t *clipped)
{
    bool passes = source.out == COLUMN_NONE;
    double room[256];
    for (size_t i = 0, n; i < b->nrow; i += n) {
        const double *x = passes ? room : block_out(b, source.out) + i;
        n = b->nrow - i;
        n = passes && n > sizeof room / sizeof *room ? sizeof room / sizeof *room : n;
        size_t nread = n;
        if (passes && o->input)
            audio_numbers(w->reader, b, source.column, i, n, room);
        else if (passes)
            for (nread = 0; nread < n && read_cell(w, b, i + nread, source.column, &room[nread]);)
                nread++;
        size_t ngood = samples_encode(&o->sound, x, nread, to + i * frame, passes && o->input, clipped);
        if (ngood < nread)
            refuse_number(o, w, b, source.column, i + ngood, x[ngood]);
        if (ngood < n)
            return i + ngood;
    }
    return b->nrow;
}

void audio_print(const struct writer *w, struct block *b)
{
    struct recording *o = w->state;
    size_t width = sound_width(&o->sound), frame = sound_frame(&o->sound);
    uint64_t clipped = 0;
    b->nbyte = 0;
    if (!block_room(b, b->nrow * frame))
        return;
    /* After an error in one channel, rows of the others are printed up to it: only an earlier error replaces
     * it. */
    for (size_t i = 0; i < o->sound.channels; i++)
        b->nrow = print_channel(o, w, b, o->source[i], (unsigned char *)b->bytes + i * width, frame,
                                &clipped);
    b->nbyte = b->nrow * frame;
    atomic_fetch_add_explicit(&o->clipped, clipped, memory_order_relaxed);
}
