/* The audio file that is written: heads of our own, the input's other chunks where it is of the same kind,
 * encoded samples, and the heads again once the length is known. Where a column of times has to tell the
 * rate, frames wait in a temporary file until the last time is known. Invariant: the bytes are the same
 * whether they go to an empty file or, through a temporary file, elsewhere; only the length in an AU head,
 * which streams, may be missing. */
#include "formats/audio/audio.h"

#include <float.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { PIECE = 64 * 1024 };

/* --- a rate from times --- */

#define HINT "give the rate with --rate HZ, or make the steps uniform with --resample HZ"

/* The value of one in the last digit of a time, in its unit. Times are taken to be printed with as many
 * decimals as the longest of them, or with as many digits in all; 0: a double without an exact decimal. */
static double last_digit(struct rate *r, const struct timestamp *time)
{
    int digits = 0;
    for (int64_t d = time->decimal.digits; d != 0; d /= 10)
        digits++;
    if (!time->decimal.exact || r->unit.rate > 0) /* frames are whole numbers */
        return 0;
    r->decimals = -time->decimal.exp10 > r->decimals ? -time->decimal.exp10 : r->decimals;
    r->digits = digits > r->digits ? digits : r->digits;
    int whole = digits ? digits + time->decimal.exp10 - r->digits : INT_MIN;
    return pow(10, whole > -r->decimals ? whole : -r->decimals);
}

bool rate_add(struct rate *r, const struct timestamp *time, struct error *e)
{
    double digit = last_digit(r, time);
    if (r->n++ == 0) {
        r->first = *time;
        r->most = (double)INFINITY;
        return true;
    }
    /* The last digit may be off by half a unit at both ends; a double by as much as it cannot hold. */
    double elapsed = timestamp_between(&r->first, time, r->unit), n = (double)(r->n - 1);
    double slack = (digit + 4 * DBL_EPSILON * fabs(time->t)) * time_unit_seconds(r->unit);
    r->least = fmax(r->least, (elapsed - slack) / n);
    r->most = fmin(r->most, (elapsed + slack) / n);
    r->last = elapsed;
    r->step = n == 1 ? elapsed : r->step;
    r->uneven = r->uneven || fabs(elapsed - n * r->step) > 1e-9 * elapsed;
    if (r->least <= r->most && r->most > 0)
        return true;
    error_data(e, "the steps of time are not uniform, and audio needs a rate");
    return error_hint(e, HINT);
}

bool rate_find(const struct rate *r, double *rate, struct error *e)
{
    double steps = (double)(r->n - 1), slowest = ceil(1 / r->most), fastest = floor(1 / r->least);
    *rate = round(steps / r->last);
    if (r->n < 2)
        error_data(e, "%s not tell the rate that audio needs", r->n ? "one row does" : "no rows do");
    else if (!(slowest <= fastest) || !(*rate >= slowest && *rate <= fastest) ||
             !(*rate >= 1 && *rate <= INT32_MAX))
        error_data(e, "%.6g rows per second; audio needs a whole number", steps / r->last);
    else if (slowest < fastest && (r->uneven || fabs(*rate * r->last - steps) > 1e-9 * steps))
        error_data(e, "the times do not tell whether there are %.0f or %.0f rows per second", slowest,
                   fastest);
    else
        return true;
    return error_hint(e, HINT);
}

/* --- chunks --- */

/* True if a chunk is still right when samples have changed; moved: and their number. */
static bool chunk_lasts(const struct sound_chunk *chunk, bool moved)
{
    /* Padding; what heads have anew; what was computed from the samples; and what has numbers of frames. */
    return !sound_has_id(chunk->id, "JUNKjunkPAD FLLRds64factPEAKlevlMD5 FVERfreepeakovvw") &&
           !(moved && sound_has_id(chunk->id, "cue MARKplstsmplbextmarkregnedct"));
}

/* Warns of metadata of the input that is not in the output. */
static void warn_losses(const struct recording *o, const struct writer *w)
{
    char text[256] = "";
    const struct sound *in = o->input ? &o->input->sound : NULL;
    const char *name = w->reader->source->name;
    bool moved = o->unmoved_rate > 0;
    if (!in || !w->messages || (o->verbatim && !moved))
        return;
    for (size_t i = 0; i < in->nchunk && strlen(text) < 160; i++) {
        char id[17];
        error_escape(in->chunk[i].id, 4, id, sizeof id);
        bool lost = chunk_lasts(&in->chunk[i], false) && !(o->verbatim && chunk_lasts(&in->chunk[i], moved));
        if (lost && strcmp(id, "cue ") && strcmp(id, "MARK") && !strstr(text, id))
            text_append(text, sizeof text, "%s%s", *text ? ", " : "", id);
    }
    if (*text)
        messages_add(w->messages, name, "metadata that is not kept: %s", text);
    if (in->ncue && !sound_containers[o->sound.kind].cue_id)
        messages_add(w->messages, name, "%zu cue point%s not kept: %s has none", in->ncue,
                     in->ncue == 1 ? " is" : "s are", w->format->name);
    else if (in->labelled && !(o->verbatim && o->sound.kind == SOUND_WAV))
        messages_add(w->messages, name, "the names of cue points are not kept");
}

static bool put(struct recording *o, const void *bytes, size_t n, struct error *e)
{
    uint64_t at = o->at;
    o->at += n;
    if (o->measuring)
        return true;
    return o->file.fd < 0 ? tempfile_put(o->file.out, bytes, n, e)
                          : tempfile_write(&o->file, at, bytes, n, e);
}

static bool copy_chunk(struct recording *o, const struct sound_chunk *chunk, struct error *e)
{
    unsigned char piece[4096];
    size_t n = chunk_head(&o->sound, chunk->id, chunk->n, piece);
    if (!put(o, piece, n, e))
        return false;
    for (uint64_t done = 0; done < chunk->n; done += n) {
        n = chunk->n - done < sizeof piece ? (size_t)(chunk->n - done) : sizeof piece;
        if (!o->measuring && !sound_get(o->sound.file, chunk->at + done, piece, n, e))
            return false;
        if (!put(o, piece, n, e))
            return false;
    }
    return !chunk_pads(&o->sound, chunk->n) || put(o, "", 1, e);
}

/* Writes the cue points, unless they are in a chunk that is copied; in AIFF with new numbers and no names. */
static bool write_cues(struct recording *o, struct error *e)
{
    const struct sound *s = &o->sound;
    const struct sound_container *container = &sound_containers[s->kind];
    const struct sound_chunk *copied = s->ncue ? chunk_find(s, container->cue_id) : NULL;
    unsigned word = container->cue_word, size = container->cue_size;
    bool wav = s->kind == SOUND_WAV, big = chunk_is_big(s), moved = o->unmoved_rate > 0;
    unsigned char point[24];
    if (s->ncue == 0 || (copied && chunk_lasts(copied, moved)))
        return true;
    size_t n = chunk_head(s, container->cue_id, word + (uint64_t)size * s->ncue, point);
    sound_put(point + n, big, { word, s->ncue });
    if (!put(o, point, n + word, e))
        return false;
    for (size_t i = 0; i < s->ncue; i++) {
        uint64_t frame = s->cue[i].frame;
        if (moved) /* to the frame at or after its time */
            frame = (uint64_t)fmin(ceil((double)frame * s->rate / o->unmoved_rate),
                                   fmin(UINT32_MAX, (double)s->promised));
        memset(point, 0, sizeof point);
        sound_put(point, big, { word, wav ? s->cue[i].id : i + 1 }, { 4, frame });
        sound_put(point + 20, big, { 4, frame });
        if (wav)
            memcpy(point + 8, "data", 4);
        if (!put(o, point, size, e))
            return false;
    }
    return true;
}

/* Writes the chunks of the input that come before or after the samples, and after them the cue points. */
static bool write_chunks(struct recording *o, bool before, struct error *e)
{
    const struct sound *s = &o->sound;
    for (size_t i = 0; i < s->nchunk; i++)
        if ((s->chunk[i].at < s->data) == before && chunk_lasts(&s->chunk[i], o->unmoved_rate > 0) &&
            !copy_chunk(o, &s->chunk[i], e))
            return false;
    return before || write_cues(o, e);
}

/* Writes all that is before the samples; again when the length is known, with as many bytes. */
static bool write_heads(struct recording *o, struct error *e)
{
    const struct sound *s = &o->sound;
    unsigned char head[SOUND_HEAD];
    o->at = 0;
    return put(o, head, sound_containers[s->kind].head(s, head), e) && write_chunks(o, true, e) &&
           put(o, head, sound_data_head(s, head), e);
}

/* Starts the file on w->fd. AU goes straight to an output that is no file. */
static bool start(struct recording *o, const struct writer *w, struct error *e)
{
    struct sound *s = &o->sound;
    warn_losses(o, w);
    o->file.out = w->fd;
    if ((s->kind != SOUND_AU || tempfile_is_direct(w->fd)) && !tempfile_open(&o->file, w->fd, e))
        return false;
    o->measuring = true;
    write_chunks(o, true, e);
    write_chunks(o, false, e);
    s->nother = o->at;
    o->measuring = false;
    s->reserve = s->promised == SOUND_UNKNOWN || sound_is_large(s);
    o->started = s->kind == SOUND_FLAC ? codec_open(&o->codec, s, &o->file, e) : write_heads(o, e);
    s->promised = 0;
    return o->started;
}

/* Adds nbyte bytes of frames as samples_encode makes them. */
static bool add(struct recording *o, const void *frames, size_t nbyte, struct error *e)
{
    struct sound *s = &o->sound;
    size_t nframe = nbyte / sound_frame(s);
    bool small = s->kind == SOUND_AIFF || (s->kind == SOUND_WAV && (s->big || !s->reserve));
    s->promised += nframe;
    if (small && sound_bytes(s) + s->nother > UINT32_MAX - SOUND_HEAD) {
        error_data(e, "more than 4 GiB do not fit into this file");
        return error_hint(e, "use --to caf or --to au%s", s->kind == SOUND_AIFF ? ", or --to wav" : "");
    }
    return s->kind == SOUND_FLAC ? codec_write(&o->codec, frames, nframe, e) : put(o, frames, nbyte, e);
}

/* Ends the file, however many frames were added. */
static bool end(struct recording *o, struct error *e)
{
    if (o->sound.kind == SOUND_FLAC)
        return codec_close(&o->codec, e) && tempfile_finish(&o->file, e);
    if (o->file.fd < 0)
        return true;
    bool pad = chunk_pads(&o->sound, sound_bytes(&o->sound));
    return (!pad || put(o, "", 1, e)) && write_chunks(o, false, e) && write_heads(o, e) &&
           tempfile_finish(&o->file, e);
}

/* Writes the frames that were held, now that all times are known. */
static bool release(struct recording *o, const struct writer *w, struct error *e)
{
    int32_t frames[PIECE / sizeof(int32_t)];
    size_t frame = sound_frame(&o->sound), n;
    if (!rate_find(&o->rate, &o->sound.rate, e))
        return false;
    o->sound.promised = o->held.size / frame;
    if (!start(o, w, e))
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
        if (!rate_add(&o->rate, &b->time[i], e)) {
            error_column(e, w->reader->columns.column[w->reader->columns.time].name);
            good = error_place(e, b->firstline - 1 + block_line(b, i));
        }
    if (good && b->nbyte > 0)
        good = held ? tempfile_write(&o->held, o->held.size, b->bytes, b->nbyte, e)
                    : add(o, b->bytes, b->nbyte, e);
    o->ended = o->ended || !good;
    return good;
}

bool audio_finish(struct writer *w, struct block *b, struct error *e)
{
    struct recording *o = w->state;
    (void)b;
    o->ended = true;
    if (!(o->sound.rate > 0) && !release(o, w, e))
        return false;
    unsigned long long clipped = atomic_load(&o->clipped);
    if (clipped && w->messages)
        messages_add(w->messages, w->reader->source->name, "warning: %llu sample%s clipped", clipped,
                     clipped == 1 ? " was" : "s were");
    return end(o, e);
}

void audio_end(struct writer *w)
{
    struct recording *o = w->state;
    struct error ignored;
    if (!o)
        return;
    /* After an error in the input the rows before it still make a file, if they tell its rate. */
    if (!o->ended && (o->started || (o->held.size > 0 && release(o, w, &ignored))))
        end(o, &ignored);
    codec_close(&o->codec, NULL);
    tempfile_close(&o->file);
    tempfile_close(&o->held);
    free(o->source);
    free(o);
    w->state = NULL;
}
