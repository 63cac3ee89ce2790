/* WAV out: a head, among the chunks of a WAV input; encoded samples; the chunks behind the samples; and the
 * head again, once the length is known. In a pipe the head has the length that the head of the input has, or
 * all ones. A file past 4 GiB becomes RF64. */
#include "base/port.h"
#include "formats/audio/audio.h"

#include <math.h>
#include <string.h>

enum {
    CHUNK_HEAD = 8, /* bytes of the head of a chunk */
    DS64 = 28,      /* bytes of a ds64 chunk, which holds sizes of 64 bits, without a table */
    FORMAT = 16,    /* bytes of a new format chunk of PCM */
    FACT = 4        /* bytes of a chunk "fact" */
};

/* --- the head --- */

bool wav_is_large(const struct sound *sound, uint64_t nframe)
{
    return nframe != SOUND_UNKNOWN &&
           nframe * sound_frame(sound) + sound->other_bytes > UINT32_MAX - SOUND_HEAD_BYTES - 1;
}

/* Writes the number x in n bytes, and returns the place behind the bytes. */
static unsigned char *put_word(const struct sound *sound, unsigned char *to, uint64_t x, unsigned n)
{
    word_put(to, x, n, sound->big);
    return to + n;
}

unsigned char *wav_put_chunk(const struct sound *sound, const char *id, uint64_t n, unsigned char *to)
{
    memcpy(to, id, 4);
    return put_word(sound, to + 4, n < UINT32_MAX ? n : UINT32_MAX, 4);
}

/* Bytes of the format chunk after its head, without padding. */
static size_t format_size(const struct sound *sound)
{
    if (sound->nformat > 0)
        return sound->nformat;
    /* Two more bytes, of zeros, say that no extension follows. */
    return sound->sample >= SOUND_FLOAT ? FORMAT + 2 : FORMAT;
}

/* Bytes of the format chunk with head and padding. */
static size_t format_bytes(const struct sound *sound)
{
    size_t n = format_size(sound);
    return CHUNK_HEAD + n + n % 2;
}

/* Writes the format chunk: the format chunk of the input with tag, channels, rate and width of the output, or
 * a new format chunk. */
static unsigned char *put_format(const struct sound *sound, unsigned char *to)
{
    unsigned width = sound_width(sound), tag = sound->sample >= SOUND_FLOAT ? WAV_FLOAT : WAV_PCM;
    uint64_t rate = (uint64_t)sound->rate;
    size_t n = format_size(sound);
    if (sound->nformat > 0 && word_get(sound->format, 2, sound->big) == WAV_EXTENSIBLE)
        tag = WAV_EXTENSIBLE;
    to = wav_put_chunk(sound, "fmt ", n, to);
    unsigned char *end = to + n + n % 2;
    memset(to, 0, n + 1);
    memcpy(to, sound->format, sound->nformat);
    to = put_word(sound, to, tag, 2);
    to = put_word(sound, to, sound->channels, 2);
    to = put_word(sound, to, rate, 4);
    to = put_word(sound, to, rate * sound->channels * width, 4);
    to = put_word(sound, to, sound->channels * width, 2);
    if (sound->nformat == 0)
        put_word(sound, to, 8 * width, 2);
    return end;
}

size_t wav_put_head(const struct sound *sound, uint64_t nframe, unsigned char *head)
{
    bool known = nframe != SOUND_UNKNOWN, large = wav_is_large(sound, nframe);
    unsigned char *to = head + 12, *sizes = to + CHUNK_HEAD;
    if (large || sound->reserve) {
        to = wav_put_chunk(sound, large ? "ds64" : "JUNK", DS64, to);
        memset(to, 0, DS64);
        to += DS64;
    }
    to = put_format(sound, to);
    if (sound->has_fact) {
        to = wav_put_chunk(sound, "fact", FACT, to);
        to = put_word(sound, to, known && !large ? nframe : UINT32_MAX, FACT);
    }
    uint64_t nsample = known ? nframe * sound_frame(sound) : 0;
    /* The size does not count the first 8 bytes of the file, but counts the 8 bytes of the head of "data",
     * which are not in `head`: the two differences cancel. */
    uint64_t size = (uint64_t)(to - head) + nsample + nsample % 2 + sound->other_bytes;
    const char *magic = sound->big ? "RIFX" : "RIFF";
    if (large)
        magic = "RF64";
    wav_put_chunk(sound, magic, known && !large ? size : UINT32_MAX, head);
    memcpy(head + CHUNK_HEAD, "WAVE", 4);
    if (large) {
        word_put(sizes, size, 8, false);
        word_put(sizes + 8, nsample, 8, false);
        word_put(sizes + 16, nframe, 8, false);
    }
    return (size_t)(to - head);
}

/* --- chunks --- */

bool wav_chunk_lasts(const struct sound_chunk *chunk, bool resampled)
{
    /* Chunks that the head has anew, and chunks that were computed from the samples. */
    if (chunk_is(chunk->id, "ds64factPEAKlevlMD5 "))
        return false;
    /* Chunks with numbers of frames. */
    return !resampled || !chunk_is(chunk->id, "plstsmplbextregnedct");
}

bool wav_write(struct recording *recording, const void *bytes, size_t n, struct error *e)
{
    uint64_t at = recording->at;
    recording->at += n;
    return recording->to_pipe ? tempfile_put(recording->file.out, bytes, n, e)
                              : tempfile_write(&recording->file, at, bytes, n, e);
}

/* Bytes of the cue chunk after its head. */
static uint64_t cue_bytes(const struct sound *sound)
{
    return 4 + (uint64_t)WAV_CUE * sound->ncue;
}

/* Is a chunk of the input the chunk of cue points, which is written anew? */
static bool is_new_cues(const struct recording *recording, const struct sound_chunk *chunk)
{
    return recording->resampled && recording->sound.ncue > 0 && chunk_is(chunk->id, "cue ");
}

/* Size of a chunk of the input in the output, in bytes, with head and padding. A chunk before the samples
 * that is not kept takes 0 bytes. A chunk behind the samples that is not kept becomes a "JUNK" chunk of the
 * same size, since the head, which may be in a pipe already, counts the chunk. */
static uint64_t chunk_bytes(const struct recording *recording, const struct sound_chunk *chunk)
{
    if (is_new_cues(recording, chunk))
        return CHUNK_HEAD + cue_bytes(&recording->sound);
    if (chunk->at < recording->input->sound.data && !wav_chunk_lasts(chunk, recording->resampled))
        return 0;
    return CHUNK_HEAD + chunk->n + chunk->n % 2;
}

/* Writes the chunk of the cue points anew, with the new numbers of frames. */
static bool write_cues(struct recording *recording, struct error *e)
{
    const struct sound *sound = &recording->sound;
    unsigned char head[CHUNK_HEAD + 4];
    put_word(sound, wav_put_chunk(sound, "cue ", cue_bytes(sound), head), sound->ncue, 4);
    if (!wav_write(recording, head, sizeof head, e))
        return false;
    double last = sound->promised == SOUND_UNKNOWN ? UINT32_MAX : fmin(UINT32_MAX, (double)sound->promised);
    for (size_t i = 0; i < sound->ncue; i++) {
        unsigned char point[WAV_CUE] = { 0 };
        uint64_t frame = (uint64_t)fmin(ceil((double)sound->cue[i].frame * recording->stretch), last);
        put_word(sound, point, sound->cue[i].id, 4);
        put_word(sound, point + 4, frame, 4);
        memcpy(point + 8, "data", 4);
        put_word(sound, point + WAV_CUE - 4, frame, 4);
        if (!wav_write(recording, point, WAV_CUE, e))
            return false;
    }
    return true;
}

/* Writes a chunk of the input, or zeros in place of a chunk that is wrong now. */
static bool write_chunk(struct recording *recording, const struct sound_chunk *chunk, struct error *e)
{
    unsigned char piece[4096];
    if (chunk_bytes(recording, chunk) == 0)
        return true;
    if (is_new_cues(recording, chunk))
        return write_cues(recording, e);
    bool lasts = wav_chunk_lasts(chunk, recording->resampled);
    wav_put_chunk(&recording->sound, lasts ? chunk->id : "JUNK", chunk->n, piece);
    if (!wav_write(recording, piece, CHUNK_HEAD, e))
        return false;
    memset(piece, 0, sizeof piece);
    size_t n;
    for (uint64_t done = 0; done < chunk->n; done += n) {
        n = chunk->n - done < sizeof piece ? (size_t)(chunk->n - done) : sizeof piece;
        if (lasts && !sound_get(recording->input->sound.file, chunk->at + done, piece, n, e))
            return false;
        if (!wav_write(recording, piece, n, e))
            return false;
    }
    return chunk->n % 2 == 0 || wav_write(recording, "", 1, e);
}

/* Writes the chunks of a WAV input that begin from one position to another. */
static bool write_chunks(struct recording *recording, uint64_t from, uint64_t end, struct error *e)
{
    const struct sound *in = &recording->input->sound;
    for (size_t i = 0; i < in->nchunk; i++) {
        const struct sound_chunk *chunk = &in->chunk[i];
        if (chunk->at >= from && chunk->at < end && !write_chunk(recording, chunk, e))
            return false;
    }
    return true;
}

/* Sets other_bytes and has_fact of the written file. before_samples: the samples are not written yet, so that
 * the chunks behind the samples of an input from a pipe are not known; they count by the size of the file in
 * the head of the input. */
static void measure_chunks(struct recording *recording, bool before_samples)
{
    struct sound *sound = &recording->sound;
    const struct sound *in = recording->same ? &recording->input->sound : NULL;
    sound->has_fact = sound->sample >= SOUND_FLOAT && sound->nformat == 0;
    sound->other_bytes = in || sound->ncue == 0 ? 0 : CHUNK_HEAD + cue_bytes(sound);
    for (size_t i = 0; in && i < in->nchunk; i++) {
        sound->other_bytes += chunk_bytes(recording, &in->chunk[i]);
        sound->has_fact |= chunk_is(in->chunk[i].id, "fact") && in->chunk[i].at < in->data &&
                           sound->nformat > 0;
    }
    bool from_pipe = in && in->file->source;
    if (!before_samples || !from_pipe || in->promised == SOUND_UNKNOWN || in->total == SOUND_UNKNOWN)
        return;
    uint64_t nsample = in->promised * sound_frame(in), end = in->data + nsample + in->excess;
    sound->other_bytes += in->total > end ? in->total - end + (in->total - end) % 2 : 0;
}

/* --- the file --- */

/* The position in a WAV input at which the output has its chunk "fact": the position of the chunk "fact" of
 * the input, or else of the format chunk. */
static uint64_t fact_place(const struct sound *in)
{
    uint64_t place = in->format_at;
    for (size_t i = 0; i < in->nchunk; i++)
        if (chunk_is(in->chunk[i].id, "fact") && in->chunk[i].at < in->data && in->chunk[i].at > place)
            place = in->chunk[i].at;
    return place;
}

/* Writes a head of n bytes with the chunks of a WAV input that come before the samples, in the order of the
 * input. */
static bool write_head_among_chunks(struct recording *recording, const unsigned char *head, size_t n,
                                    struct error *e)
{
    const struct sound *in = &recording->input->sound;
    uint64_t fact_at = fact_place(in);
    size_t fact = n - (recording->sound.has_fact ? CHUNK_HEAD + FACT : 0);
    size_t format = fact - format_bytes(&recording->sound);
    return wav_write(recording, head, format, e) && write_chunks(recording, 0, in->format_at, e) &&
           wav_write(recording, head + format, fact - format, e) &&
           write_chunks(recording, in->format_at, fact_at, e) &&
           wav_write(recording, head + fact, n - fact, e) && write_chunks(recording, fact_at, in->data, e);
}

/* Writes the head and the chunks before the samples. A second call, when the length is known, writes as many
 * bytes as the first. */
static bool write_head(struct recording *recording, uint64_t nframe, struct error *e)
{
    const struct sound *sound = &recording->sound;
    unsigned char head[SOUND_HEAD_BYTES];
    size_t n = wav_put_head(sound, nframe, head);
    recording->at = 0;
    if (recording->same && !write_head_among_chunks(recording, head, n, e))
        return false;
    if (!recording->same &&
        (!wav_write(recording, head, n, e) || (sound->ncue > 0 && !write_cues(recording, e))))
        return false;
    wav_put_chunk(sound, "data", nframe == SOUND_UNKNOWN ? UINT32_MAX : nframe * sound_frame(sound), head);
    return wav_write(recording, head, CHUNK_HEAD, e);
}

/* The number of frames that the output will have; SOUND_UNKNOWN: not known yet. */
static uint64_t expected_frames(const struct recording *recording, const struct writer *writer)
{
    if (recording->held.fd >= 0)
        return recording->held.size / sound_frame(&recording->sound);
    if (!recording->input || recording->resampled)
        return SOUND_UNKNOWN;
    const struct sound *in = &recording->input->sound;
    bool allowed = writer->reader->options->allow_truncated;
    /* The frames of a truncated file end with an error, and the head is the same as from a pipe, where the
     * end is not known yet. */
    bool truncated = in->promised != SOUND_UNKNOWN && in->present < in->promised;
    if (in->present != SOUND_UNKNOWN && (allowed || !truncated))
        return in->present;
    return allowed ? SOUND_UNKNOWN : in->promised;
}

bool wav_start(struct recording *recording, const struct writer *writer, struct error *e)
{
    struct sound *sound = &recording->sound;
    struct port_status st;
    recording->head_frames = expected_frames(recording, writer);
    recording->to_pipe = port_status(writer->fd, &st) == 0 && st.kind != PORT_REGULAR;
    if (!recording->to_pipe && !tempfile_open(&recording->file, writer->fd, e))
        return false;
    measure_chunks(recording, true);
    bool counted = recording->head_frames != SOUND_UNKNOWN;
    sound->reserve = wav_is_large(sound, recording->head_frames) ||
                     (!counted && !recording->input && !recording->to_pipe);
    sound->promised = recording->head_frames;
    return write_head(recording, recording->head_frames, e);
}

bool wav_end(struct recording *recording, struct error *e)
{
    struct sound *sound = &recording->sound;
    bool odd = sound->promised * sound_frame(sound) % 2 != 0;
    if (recording->to_pipe && recording->head_frames == SOUND_UNKNOWN)
        return true;
    if (recording->to_pipe && sound->promised != recording->head_frames)
        return error_data(e, "wrote %llu frames, but the header says %llu",
                          (unsigned long long)sound->promised, (unsigned long long)recording->head_frames);
    if (odd && !wav_write(recording, "", 1, e))
        return false;
    if (recording->same && !write_chunks(recording, recording->input->sound.data, UINT64_MAX, e))
        return false;
    if (recording->to_pipe)
        return true;
    measure_chunks(recording, false);
    /* A head without room for sizes of 64 bits says of a file past 4 GiB that samples go on up to the end. */
    bool fits = sound->reserve || !wav_is_large(sound, sound->promised);
    return write_head(recording, fits ? sound->promised : SOUND_UNKNOWN, e) &&
           tempfile_finish(&recording->file, e);
}
