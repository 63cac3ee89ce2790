/* WAV out: a head, chunks of the input where that is WAV too, encoded samples, more chunks, and the head
 * again once the length is known. To a pipe the head has the length by the head of the input, or all ones. A
 * file past 4 GiB becomes RF64. */
#include "formats/audio/audio.h"

#include <math.h>
#include <string.h>
#include <sys/stat.h>

enum {
    CHUNK_HEAD = 8, /* bytes of the head of a chunk */
    DS64 = 28,      /* bytes of a ds64 chunk, which holds sizes of 64 bits, without a table */
    FORMAT = 16,    /* bytes of a new format chunk of PCM */
    FACT = 4        /* bytes of a chunk "fact" */
};

/* --- the head --- */

bool wav_is_large(const struct sound *s, uint64_t nframe)
{
    return nframe != SOUND_UNKNOWN && nframe * sound_frame(s) + s->nother > UINT32_MAX - SOUND_HEAD_BYTES - 1;
}

/* Writes the number x in n bytes, and returns the place behind. */
static unsigned char *put_word(const struct sound *s, unsigned char *to, uint64_t x, unsigned n)
{
    sound_put_word(to, x, n, s->big);
    return to + n;
}

unsigned char *wav_put_chunk(const struct sound *s, const char *id, uint64_t n, unsigned char *to)
{
    memcpy(to, id, 4);
    return put_word(s, to + 4, n < UINT32_MAX ? n : UINT32_MAX, 4);
}

/* Writes the format chunk: that of the input with a new tag, channels, rate and width, or a new one. */
static unsigned char *put_format(const struct sound *s, unsigned char *to)
{
    bool real = s->sample >= SOUND_FLOAT;
    unsigned width = sound_width(s), tag = real ? WAV_FLOAT : WAV_PCM;
    uint64_t rate = (uint64_t)s->rate;
    size_t n = s->nformat;
    if (n == 0)
        n = real ? FORMAT + 2 : FORMAT; /* two bytes more say that no more follow */
    else if (sound_word(s->format, 2, s->big) == WAV_EXTENSIBLE)
        tag = WAV_EXTENSIBLE;
    to = wav_put_chunk(s, "fmt ", n, to);
    unsigned char *end = to + n + n % 2;
    memset(to, 0, n + 1);
    memcpy(to, s->format, s->nformat);
    to = put_word(s, to, tag, 2);
    to = put_word(s, to, s->channels, 2);
    to = put_word(s, to, rate, 4);
    to = put_word(s, to, rate * s->channels * width, 4);
    to = put_word(s, to, s->channels * width, 2);
    if (s->nformat == 0)
        put_word(s, to, 8 * width, 2);
    return end;
}

size_t wav_put_head(const struct sound *s, uint64_t nframe, unsigned char *head)
{
    bool known = nframe != SOUND_UNKNOWN, large = wav_is_large(s, nframe);
    unsigned char *to = head + 12, *sizes = to + CHUNK_HEAD;
    if (large || s->reserve) {
        to = wav_put_chunk(s, large ? "ds64" : "JUNK", DS64, to);
        memset(to, 0, DS64);
        to += DS64;
    }
    to = put_format(s, to);
    if (s->has_fact) {
        to = wav_put_chunk(s, "fact", FACT, to);
        to = put_word(s, to, known && !large ? nframe : UINT32_MAX, FACT);
    }
    uint64_t nsample = known ? nframe * sound_frame(s) : 0;
    /* The size of the file without its first 8 bytes, with the 8 bytes of the head of the samples. */
    uint64_t size = (uint64_t)(to - head) + nsample + nsample % 2 + s->nother;
    const char *magic = s->big ? "RIFX" : "RIFF";
    if (large)
        magic = "RF64";
    wav_put_chunk(s, magic, known && !large ? size : UINT32_MAX, head);
    memcpy(head + CHUNK_HEAD, "WAVE", 4);
    if (large) {
        sound_put_word(sizes, size, 8, false);
        sound_put_word(sizes + 8, nsample, 8, false);
        sound_put_word(sizes + 16, nframe, 8, false);
    }
    return (size_t)(to - head);
}

/* --- chunks --- */

bool wav_chunk_lasts(const struct sound_chunk *chunk, bool moved)
{
    /* What the head has anew, what was computed from the samples, and what has numbers of frames. */
    return !chunk_is(chunk->id, "ds64factPEAKlevlMD5 ") &&
           !(moved && chunk_is(chunk->id, "plstsmplbextregnedct"));
}

bool wav_write(struct recording *o, const void *bytes, size_t n, struct error *e)
{
    uint64_t at = o->at;
    o->at += n;
    return o->live ? tempfile_put(o->file.out, bytes, n, e) : tempfile_write(&o->file, at, bytes, n, e);
}

/* Bytes of the cue chunk after its head. */
static uint64_t cue_bytes(const struct sound *s)
{
    return 4 + (uint64_t)WAV_CUE * s->ncue;
}

/* Is the chunk that of the cue points, which is written anew? */
static bool is_new_cues(const struct recording *o, const struct sound_chunk *chunk)
{
    return o->moved && o->sound.ncue > 0 && chunk_is(chunk->id, "cue ");
}

/* Bytes of a chunk of the input in the output, with head and padding. A chunk that is dropped after the
 * samples leaves one of its size, since the size of the file may have been told. */
static uint64_t chunk_bytes(const struct recording *o, const struct sound_chunk *chunk)
{
    if (is_new_cues(o, chunk))
        return CHUNK_HEAD + cue_bytes(&o->sound);
    if (chunk->at < o->input->sound.data && !wav_chunk_lasts(chunk, o->moved))
        return 0;
    return CHUNK_HEAD + chunk->n + chunk->n % 2;
}

static bool write_cues(struct recording *o, struct error *e)
{
    const struct sound *s = &o->sound;
    unsigned char head[CHUNK_HEAD + 4];
    put_word(s, wav_put_chunk(s, "cue ", cue_bytes(s), head), s->ncue, 4);
    if (!wav_write(o, head, sizeof head, e))
        return false;
    double last = s->promised == SOUND_UNKNOWN ? UINT32_MAX : fmin(UINT32_MAX, (double)s->promised);
    for (size_t i = 0; i < s->ncue; i++) {
        unsigned char point[WAV_CUE] = { 0 };
        uint64_t frame = (uint64_t)fmin(ceil((double)s->cue[i].frame * o->stretch), last);
        put_word(s, point, s->cue[i].id, 4);
        put_word(s, point + 4, frame, 4);
        memcpy(point + 8, "data", 4);
        put_word(s, point + WAV_CUE - 4, frame, 4);
        if (!wav_write(o, point, WAV_CUE, e))
            return false;
    }
    return true;
}

/* Writes a chunk of the input, or zeros in place of a chunk that is wrong now. */
static bool write_chunk(struct recording *o, const struct sound_chunk *chunk, struct error *e)
{
    unsigned char piece[4096];
    if (chunk_bytes(o, chunk) == 0)
        return true;
    if (is_new_cues(o, chunk))
        return write_cues(o, e);
    bool lasts = wav_chunk_lasts(chunk, o->moved);
    wav_put_chunk(&o->sound, lasts ? chunk->id : "JUNK", chunk->n, piece);
    if (!wav_write(o, piece, CHUNK_HEAD, e))
        return false;
    memset(piece, 0, sizeof piece);
    size_t n;
    for (uint64_t done = 0; done < chunk->n; done += n) {
        n = chunk->n - done < sizeof piece ? (size_t)(chunk->n - done) : sizeof piece;
        if (lasts && !sound_get(o->input->sound.file, chunk->at + done, piece, n, e))
            return false;
        if (!wav_write(o, piece, n, e))
            return false;
    }
    return chunk->n % 2 == 0 || wav_write(o, "", 1, e);
}

/* Writes the chunks of a WAV input that come before or after the samples. */
static bool write_chunks(struct recording *o, bool before, struct error *e)
{
    const struct sound *in = &o->input->sound;
    for (size_t i = 0; i < in->nchunk; i++)
        if ((in->chunk[i].at < in->data) == before && !write_chunk(o, &in->chunk[i], e))
            return false;
    return true;
}

/* Finds the bytes of other chunks, and whether one of them is "fact". After the samples of a file from a
 * pipe follow as many bytes as its head says. */
static void measure_chunks(struct recording *o)
{
    struct sound *s = &o->sound;
    const struct sound *in = o->same ? &o->input->sound : NULL;
    s->has_fact = s->sample >= SOUND_FLOAT && s->nformat == 0;
    s->nother = in || s->ncue == 0 ? 0 : CHUNK_HEAD + cue_bytes(s);
    for (size_t i = 0; in && i < in->nchunk; i++) {
        s->nother += chunk_bytes(o, &in->chunk[i]);
        s->has_fact |= chunk_is(in->chunk[i].id, "fact") && in->chunk[i].at < in->data && s->nformat > 0;
    }
    if (!in || !in->file->source || in->promised == SOUND_UNKNOWN || in->total == SOUND_UNKNOWN)
        return;
    uint64_t nsample = in->promised * sound_frame(in), end = in->data + nsample + in->excess;
    s->nother += in->total > end ? in->total - end + (in->total - end) % 2 : 0;
}

/* --- the file --- */

/* Writes the head and the chunks before the samples. Called again, when the length is known, writes equally
 * many bytes. */
static bool write_head(struct recording *o, uint64_t nframe, struct error *e)
{
    const struct sound *s = &o->sound;
    unsigned char head[SOUND_HEAD_BYTES];
    o->at = 0;
    if (!wav_write(o, head, wav_put_head(s, nframe, head), e))
        return false;
    if (o->same && !write_chunks(o, true, e))
        return false;
    if (!o->same && s->ncue > 0 && !write_cues(o, e))
        return false;
    wav_put_chunk(s, "data", nframe == SOUND_UNKNOWN ? UINT32_MAX : nframe * sound_frame(s), head);
    return wav_write(o, head, CHUNK_HEAD, e);
}

/* The number of frames that the output will have; SOUND_UNKNOWN: not known yet. */
static uint64_t expected_frames(const struct recording *o, const struct writer *w)
{
    if (o->held.fd >= 0)
        return o->held.size / sound_frame(&o->sound);
    if (!o->input || o->moved)
        return SOUND_UNKNOWN;
    const struct sound *in = &o->input->sound;
    if (in->present != SOUND_UNKNOWN)
        return in->present;
    return w->reader->options->allow_truncated ? SOUND_UNKNOWN : in->promised;
}

bool wav_start(struct recording *o, const struct writer *w, struct error *e)
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
    return write_head(o, o->head_frames, e);
}

bool wav_end(struct recording *o, struct error *e)
{
    struct sound *s = &o->sound;
    bool odd = s->promised * sound_frame(s) % 2 != 0;
    if (o->live && o->head_frames == SOUND_UNKNOWN)
        return true;
    if (o->live && s->promised != o->head_frames)
        return error_data(e, "%llu frames are written, and the head says %llu",
                          (unsigned long long)s->promised, (unsigned long long)o->head_frames);
    if ((odd && !wav_write(o, "", 1, e)) || (o->same && !write_chunks(o, false, e)))
        return false;
    if (o->live)
        return true;
    measure_chunks(o);
    /* Past 4 GiB without room for sizes of 64 bits the head says that samples go on up to the end. */
    bool fits = s->reserve || !wav_is_large(s, s->promised);
    return write_head(o, fits ? s->promised : SOUND_UNKNOWN, e) && tempfile_finish(&o->file, e);
}
