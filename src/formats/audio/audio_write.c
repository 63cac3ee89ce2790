/* Audio out. A WAV file is made here: a head, chunks of the input where that is WAV too, encoded samples,
 * more chunks, and the head again once the length is known. To a pipe the head has the length by the head of
 * the input, or all ones. Other containers are made by libsndfile in a file. Where a column of times has to
 * tell the rate, frames wait in a temporary file until the last time is known. */
#include "formats/audio/audio.h"

#include "base/text.h"
#include "io/output.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum {
    CUE = 24,         /* bytes of a cue point of WAV */
    CHUNK_HEAD = 8,   /* bytes of the head of a chunk of WAV */
    PIECE = 64 * 1024 /* bytes that are copied at once */
};

/* The source of a channel of the output. */
struct channel_source {
    size_t out;    /* block->out column; COLUMN_NONE: the channel passes through */
    size_t column; /* the column that passes through */
};

/* A writer. */
struct recording {
    struct sound sound;        /* the written file; sound.cue is owned by the reader */
    const struct audio *input; /* the reader of the rows; NULL: the rows are not audio */
    bool same;                 /* the input has the same container */
    bool moved;                /* rows are resampled: numbers of frames in chunks of the input are wrong */
    double stretch;            /* new number of a frame = old number * stretch, rounded up */
    struct channel_source *source; /* [sound.channels] owned */
    struct row_rate rate;          /* finds the rate by the times of rows, while sound.rate is 0 */
    struct tempfile held;          /* frames that wait for the rate */
    struct tempfile file;          /* the written file, if not live */
    struct codec codec;            /* containers other than WAV */
    bool live;                     /* WAV goes straight to a pipe: the head cannot be corrected later */
    uint64_t head_frames;          /* number of frames in the head of a live file, or SOUND_UNKNOWN */
    uint64_t at;                   /* position of the next bytes of WAV */
    bool started;                  /* the head is written, and sound.promised counts frames */
    bool ended;                    /* the file is complete, or cannot be completed */
    _Atomic uint64_t clipped;      /* number of clipped samples */
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

/* True if a chunk of WAV stays valid when the samples change; moved: when the number of frames changes, too.
 */
static bool chunk_lasts(const struct sound_chunk *chunk, bool moved)
{
    /* What the head has anew, what was computed from the samples, and what has numbers of frames. */
    return !chunk_is(chunk->id, "ds64factPEAKlevlMD5 ") &&
           !(moved && chunk_is(chunk->id, "plstsmplbextregnedct"));
}

/* Prints which metadata of the input the output lacks; "": the output has all metadata. */
static void list_losses(const struct recording *o, char *text, size_t maxtext)
{
    const struct sound *in = &o->input->sound;
    const struct sound_container *to = o->sound.container;
    bool wav = !in->container->library, copied = wav && o->same;
    for (size_t i = 0; i < in->nchunk && strlen(text) + 80 < maxtext; i++) {
        const struct sound_chunk *chunk = &in->chunk[i];
        bool cues = in->ncue > 0 && chunk_is(chunk->id, "cue MARK");
        bool padding = chunk_is(chunk->id, "JUNKjunkPAD FLLR") || !chunk_lasts(chunk, false);
        bool after = copied && o->live && o->head_frames == SOUND_UNKNOWN && chunk->at > in->data;
        bool lost = !copied || after || !chunk_lasts(chunk, o->moved);
        char id[17];
        error_escape(chunk->id, 4, id, sizeof id);
        if (lost && !(wav && padding) && (!cues || after) && !strstr(text, id))
            text_append(text, maxtext, "%s%s", *text ? ", " : "", id);
    }
    size_t kept = wav ? 0 : library_count_texts(&o->input->codec, to);
    if (in->ntext > kept)
        text_append(text, maxtext, "%s%zu of %zu texts", *text ? ", " : "", in->ntext - kept, in->ntext);
    if (in->ncue > 0 && !to->cues)
        text_append(text, maxtext, "%s%zu cue point%s", *text ? ", " : "", in->ncue, error_plural(in->ncue));
    if (in->ncue > 0 && to->cues && in->labelled && !copied)
        text_append(text, maxtext, "%sthe names of cue points", *text ? ", " : "");
    if (in->ncue > LIBRARY_MAXCUE && to->library && to->cues)
        text_append(text, maxtext, "%scue points after the first %d", *text ? ", " : "", LIBRARY_MAXCUE);
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
    bool wav = !s->container->library, alike = o->same && wav;
    s->words = !wav;
    if (wav && !o->same)
        s->big = false;
    if (!wav)
        s->big = __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__;
    if (!alike || in->sample != s->sample || in->channels != s->channels)
        s->nformat = 0;
    o->moved = in && w->resampled;
    o->stretch = o->moved ? s->rate / w->reader->columns.rate : 1;
    if (!in || !w->out || !w->out->in_place || w->out->force)
        return true;
    char losses[256] = "";
    list_losses(o, losses, sizeof losses);
    if (!*losses)
        return true;
    error_data(e, "metadata would be lost: %s", losses);
    return error_hint(e, "--force replaces the file without them; --output keeps the old one");
}

/* --- WAV --- */

static bool put(struct recording *o, const void *bytes, size_t n, struct error *e)
{
    uint64_t at = o->at;
    o->at += n;
    return o->live ? tempfile_put(o->file.out, bytes, n, e) : tempfile_write(&o->file, at, bytes, n, e);
}

/* True if the cue points are written anew in place of the cue chunk, which is not copied. */
static bool remakes_cues(const struct recording *o)
{
    return o->moved || !o->same || o->input->sound.cue_lies;
}

/* Bytes of a chunk of the input in the output, with head and padding. A chunk that is dropped after the
 * samples leaves one of its size, since the size of the file may have been told. */
static uint64_t chunk_bytes(const struct recording *o, const struct sound_chunk *chunk)
{
    const struct sound *s = &o->sound;
    if (chunk_is(chunk->id, "cue ") && s->ncue > 0 && remakes_cues(o))
        return CHUNK_HEAD + 4 + (uint64_t)CUE * s->ncue;
    if (chunk->at < o->input->sound.data && !chunk_lasts(chunk, o->moved))
        return 0;
    return CHUNK_HEAD + chunk->n + chunk->n % 2;
}

static bool put_cues(struct recording *o, struct error *e)
{
    const struct sound *s = &o->sound;
    unsigned char point[CUE];
    sound_put_word(point + CHUNK_HEAD, s->ncue, 4, s->big);
    if (!put(o, point, wav_put_chunk(s, "cue ", 4 + (uint64_t)CUE * s->ncue, point) + 4, e))
        return false;
    double last = s->promised == SOUND_UNKNOWN ? UINT32_MAX : fmin(UINT32_MAX, (double)s->promised);
    for (size_t i = 0; i < s->ncue; i++) {
        uint64_t frame = (uint64_t)fmin(ceil((double)s->cue[i].frame * o->stretch), last);
        memset(point, 0, sizeof point);
        sound_put_word(point, s->cue[i].id, 4, s->big);
        sound_put_word(point + 4, frame, 4, s->big);
        memcpy(point + 8, "data", 4);
        sound_put_word(point + CUE - 4, frame, 4, s->big);
        if (!put(o, point, CUE, e))
            return false;
    }
    return true;
}

static bool put_chunk(struct recording *o, const struct sound_chunk *chunk, struct error *e)
{
    unsigned char piece[4096];
    struct sound_file *file = o->input->sound.file;
    uint64_t nbyte = chunk_bytes(o, chunk);
    if (nbyte == 0)
        return true;
    if (chunk_is(chunk->id, "cue ") && o->sound.ncue > 0 && remakes_cues(o))
        return put_cues(o, e);
    bool lasts = chunk_lasts(chunk, o->moved);
    size_t n = wav_put_chunk(&o->sound, lasts ? chunk->id : "JUNK", chunk->n, piece);
    if (!put(o, piece, n, e))
        return false;
    memset(piece, 0, sizeof piece);
    for (uint64_t done = 0; done < chunk->n; done += n) {
        n = chunk->n - done < sizeof piece ? (size_t)(chunk->n - done) : sizeof piece;
        if (lasts && !sound_get(file, chunk->at + done, piece, n, e))
            return false;
        if (!put(o, piece, n, e))
            return false;
    }
    return chunk->n % 2 == 0 || put(o, "", 1, e);
}

/* Writes the chunks of a WAV input that come before or after the samples. */
static bool put_chunks(struct recording *o, bool before, struct error *e)
{
    const struct sound *in = &o->input->sound;
    for (size_t i = 0; i < in->nchunk; i++)
        if ((in->chunk[i].at < in->data) == before && !put_chunk(o, &in->chunk[i], e))
            return false;
    return true;
}

/* Writes the head and the chunks before the samples. Called again, when the length is known, writes equally
 * many bytes. */
static bool put_head(struct recording *o, uint64_t nframe, struct error *e)
{
    const struct sound *s = &o->sound;
    unsigned char head[SOUND_HEAD_BYTES];
    o->at = 0;
    if (!put(o, head, wav_put_head(s, nframe, head), e))
        return false;
    if (o->same && !put_chunks(o, true, e))
        return false;
    if (!o->same && s->ncue > 0 && !put_cues(o, e))
        return false;
    uint64_t nbyte = nframe == SOUND_UNKNOWN ? UINT32_MAX : nframe * sound_frame(s);
    return put(o, head, wav_put_chunk(s, "data", nbyte, head), e);
}

/* Finds the bytes of other chunks, and whether one of them is "fact". After the samples of a file from a
 * pipe follow as many bytes as its head says. */
static void measure_chunks(struct recording *o)
{
    struct sound *s = &o->sound;
    const struct sound *in = o->same ? &o->input->sound : NULL;
    s->has_fact = s->sample >= SOUND_FLOAT && s->nformat == 0;
    s->nother = in || s->ncue == 0 ? 0 : CHUNK_HEAD + 4 + (uint64_t)CUE * s->ncue;
    for (size_t i = 0; in && i < in->nchunk; i++) {
        s->nother += chunk_bytes(o, &in->chunk[i]);
        s->has_fact |= chunk_is(in->chunk[i].id, "fact") && in->chunk[i].at < in->data && s->nformat > 0;
    }
    if (!in || !in->file->source || in->promised == SOUND_UNKNOWN || in->total == SOUND_UNKNOWN)
        return;
    uint64_t nsample = in->promised * sound_frame(in), end = in->data + nsample + in->excess;
    s->nother += in->total > end ? in->total - end + (in->total - end) % 2 : 0;
}

/* The number of frames that the output will have; SOUND_UNKNOWN: not known yet. */
static uint64_t expected_frames(const struct recording *o, const struct writer *w)
{
    if (!o->input || o->moved || o->held.fd >= 0)
        return o->held.fd >= 0 ? o->held.size / sound_frame(&o->sound) : SOUND_UNKNOWN;
    const struct sound *in = &o->input->sound;
    if (in->present != SOUND_UNKNOWN)
        return in->present;
    return w->reader->options->allow_truncated ? SOUND_UNKNOWN : in->promised;
}

static bool start_wav(struct recording *o, const struct writer *w, struct error *e)
{
    struct sound *s = &o->sound;
    struct stat st;
    o->head_frames = expected_frames(o, w);
    o->live = fstat(w->fd, &st) == 0 && !S_ISREG(st.st_mode);
    if (!o->live && !tempfile_open(&o->file, w->fd, e))
        return false;
    measure_chunks(o);
    bool counted = o->head_frames != SOUND_UNKNOWN;
    s->reserve = wav_is_large(s, o->head_frames) || (!counted && !o->input && !o->live);
    s->promised = o->head_frames;
    return put_head(o, o->head_frames, e);
}

static bool end_wav(struct recording *o, struct error *e)
{
    struct sound *s = &o->sound;
    bool odd = s->promised * sound_frame(s) % 2 != 0, open = o->live && o->head_frames == SOUND_UNKNOWN;
    if (open)
        return true;
    if (o->live && s->promised != o->head_frames)
        return error_data(e, "%llu frames are written, and the head says %llu",
                          (unsigned long long)s->promised, (unsigned long long)o->head_frames);
    if ((odd && !put(o, "", 1, e)) || (o->same && !put_chunks(o, false, e)))
        return false;
    if (o->live)
        return true;
    measure_chunks(o);
    /* Past 4 GiB without room for sizes of 64 bits the head says that samples go on up to the end. */
    bool fits = s->reserve || !wav_is_large(s, s->promised);
    return put_head(o, fits ? s->promised : SOUND_UNKNOWN, e) && tempfile_finish(&o->file, e);
}

/* --- all containers --- */

static bool start(struct recording *o, const struct writer *w, struct error *e)
{
    struct sound *s = &o->sound;
    o->file.out = w->fd;
    if (!s->container->library) {
        o->started = start_wav(o, w, e);
    } else {
        const struct codec *from = o->input && o->input->codec.library ? &o->input->codec : NULL;
        struct library_metadata metadata = { from, false, o->stretch };
        metadata.same = o->same && o->input->sound.sample == s->sample;
        /* The file is readable as well: libsndfile may read bytes that were written. */
        bool open = s->container->small ? tempfile_hold(&o->file, w->fd, e)
                                        : tempfile_open(&o->file, w->fd, e);
        o->started = open && library_create(&o->codec, s, &o->file, &metadata, e);
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
        return put(o, frames, nbyte, e);
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
        return end_wav(o, e);
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

/* Reads at most n numbers of a column that passes through, from a row on; less than n: the error of the next
 * is in the block. */
static size_t read_passing(const struct recording *o, const struct writer *w, struct block *b, size_t column,
                           size_t row, size_t n, double *x)
{
    if (o->input) {
        audio_numbers(w->reader, b, column, row, n, x);
        return n;
    }
    for (size_t i = 0; i < n; i++)
        if (!read_cell(w, b, row + i, column, &x[i]))
            return i;
    return n;
}

/* Encodes one channel of all rows, and returns how many are good; the error of the next is in the block. */
static size_t print_channel(const struct recording *o, const struct writer *w, struct block *b,
                            struct channel_source source, struct sample_output *out)
{
    enum { ROOM = 256 };
    double room[ROOM];
    unsigned char *first = out->to;
    bool passes = source.out == COLUMN_NONE;
    out->any = passes &&
               o->input; /* a channel of audio may hold NaN and infinite samples, which pass through */
    for (size_t i = 0, n; i < b->nrow; i += n) {
        n = b->nrow - i;
        n = passes && n > ROOM ? ROOM : n;
        const double *x = passes ? room : block_out(b, source.out) + i;
        size_t nread = passes ? read_passing(o, w, b, source.column, i, n, room) : n;
        out->to = first + i * sound_frame(&o->sound);
        size_t ngood = samples_encode(&o->sound, x, nread, out);
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
    struct sample_output out = { .clipped = 0 };
    b->nbyte = 0;
    if (b->nrow == 0 || !block_room(b, b->nrow * frame))
        return;
    /* After an error in one channel, rows of the others are printed up to it: only an earlier error replaces
     * it. */
    for (size_t i = 0; i < o->sound.channels && b->nrow > 0; i++) {
        out.to = (unsigned char *)b->bytes + i * width;
        b->nrow = print_channel(o, w, b, o->source[i], &out);
    }
    b->nbyte = b->nrow * frame;
    atomic_fetch_add_explicit(&o->clipped, out.clipped, memory_order_relaxed);
}
