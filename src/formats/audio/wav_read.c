/* WAV in: RIFF, RIFX (big-endian) and RF64 (past 4 GiB). libsndfile drops unknown chunks, writes RF64 without
 * cue points and does not stream. */
#include "formats/audio/audio.h"

#include <stdio.h>
#include <string.h>

enum {
    FIRST = 12,        /* position of the first chunk */
    LEAST_FORMAT = 16, /* bytes of the shortest format chunk */
    EXTENSIBLE = 40,   /* bytes of an extensible format chunk */
    CUE_FRAME = 20     /* offset of the frame in a cue point */
};

/* --- the format chunk --- */

/* The error of an encoding that is not read. Returns false. */
static bool refuse_tag(unsigned tag, struct error *e)
{
    static const struct {
        unsigned tag;
        const char *name;
    } names[] = { { 0x0002, "Microsoft ADPCM" },
                  { 0x0006, "A-law" },
                  { 0x0007, "mu-law" },
                  { 0x0011, "IMA ADPCM" },
                  { 0x0031, "GSM 6.10" },
                  { 0x0040, "G.721 ADPCM" },
                  { 0x0050, "MPEG" },
                  { 0x0055, "MP3" },
                  { 0x0161, "Windows Media" },
                  { 0x2000, "AC-3" } };
    char text[32];
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (names[i].tag == tag)
            return sound_refuse_sample(e, names[i].name);
    snprintf(text, sizeof text, "of format 0x%04X", tag);
    return sound_refuse_sample(e, text);
}

/* The tag in the n bytes of an extensible format chunk; 0: the subformat is not a tag of Microsoft's. */
static unsigned extended_tag(const unsigned char *format, size_t n, bool big)
{
    static const unsigned char usual[] = { 0x80, 0x00, 0x00, 0xAA, 0x00, 0x38, 0x9B, 0x71 };
    if (n < EXTENSIBLE || memcmp(format + 32, usual, sizeof usual) != 0)
        return 0;
    if (word_get(format + 28, 2, big) != 0 || word_get(format + 30, 2, big) != 0x10)
        return 0;
    return (unsigned)word_get(format + 24, 4, big);
}

/* Reads sample, channels and rate from the format chunk. */
static bool read_format(struct sound *sound, struct error *e)
{
    const unsigned char *format = sound->format;
    const bool big = sound->big;
    unsigned tag = (unsigned)word_get(format, 2, big), bits = (unsigned)word_get(format + 14, 2, big);
    unsigned frame = (unsigned)word_get(format + 12, 2, big);
    sound->channels = (unsigned)word_get(format + 2, 2, big);
    sound->rate = (double)word_get(format + 4, 4, big);
    if (tag == WAV_EXTENSIBLE)
        tag = extended_tag(format, sound->nformat, big);
    if (tag == 0)
        return sound_refuse_sample(e, "in a vendor-specific extensible format");
    if (tag != WAV_PCM && tag != WAV_FLOAT)
        return refuse_tag(tag, e);
    bool real = tag == WAV_FLOAT;
    if (real ? bits != 32 && bits != 64 : bits < 1 || bits > 32)
        return error_data(e, "samples of %u bit%s cannot be read", bits, error_plural(bits));
    sound->sample = SOUND_PCM8 + (bits - 1) / 8;
    if (real)
        sound->sample = bits == 32 ? SOUND_FLOAT : SOUND_DOUBLE;
    if (!sound_check(sound, e))
        return false;
    return frame == sound->channels * sound_file_width(sound) ||
           error_data(e, "bad header: %u bytes for %u channels of %u bits", frame, sound->channels, bits);
}

static bool read_format_chunk(struct sound *sound, const struct sound_chunk *chunk, struct error *e)
{
    if (sound->nformat > 0)
        return error_data(e, "the file has two \"fmt \" chunks");
    if (chunk->n < LEAST_FORMAT)
        return error_data(e, "the \"fmt \" chunk has only %llu bytes", (unsigned long long)chunk->n);
    sound->nformat = chunk->n < sizeof sound->format ? (size_t)chunk->n : sizeof sound->format;
    sound->format_at = chunk->at;
    return sound_get(sound->file, chunk->at, sound->format, sound->nformat, e) && read_format(sound, e);
}

/* --- other chunks --- */

/* True if a size in a head shows that the program that wrote the head did not know the size yet: all ones, or
 * somewhat less than 2 GiB. */
static bool is_open(uint64_t size)
{
    enum { NEARLY = 0x7FFF0000 }; /* the least size of most programs */
    return size == UINT32_MAX || size > INT64_MAX || (size >= NEARLY && size <= INT32_MAX);
}

/* Reads the sizes of the file and of the samples from the chunk "ds64" of an RF64 file, if there is one. */
static bool read_sizes(struct sound *sound, uint64_t *nsample, struct error *e)
{
    unsigned char sizes[16];
    for (size_t i = 0; i < sound->nchunk; i++) {
        const struct sound_chunk *chunk = &sound->chunk[i];
        if (!chunk_is(chunk->id, "ds64"))
            continue;
        if (chunk->n < sizeof sizes)
            return error_data(e, "the \"ds64\" chunk has only %llu bytes", (unsigned long long)chunk->n);
        if (!sound_get(sound->file, chunk->at, sizes, sizeof sizes, e))
            return false;
        sound->total = word_get(sizes, 8, false) + 8;
        if (*nsample == UINT32_MAX)
            *nsample = word_get(sizes + 8, 8, false);
    }
    return true;
}

/* Finds where the samples are, from the head of the chunk of the samples. */
static bool read_samples(struct sound *sound, struct sound_chunk *chunk, struct error *e)
{
    uint64_t promised = chunk->n;
    if (sound->rf64 && !read_sizes(sound, &promised, e))
        return false;
    /* A size of 0 means no samples where the size of the file in its head counts further bytes; else bytes
     * that follow are samples, of a program that did not know the size. */
    bool told = sound->total != SOUND_UNKNOWN && sound->total > chunk->at;
    if (promised == 0 && !told && !sound_fetch(sound->file, chunk->at + 1, e))
        return false;
    bool unpromised = promised == 0 && !told && sound->file->size > chunk->at;
    /* The size in the head may count a last padding byte that is not there. */
    bool exact = sound->file->size != SOUND_UNKNOWN &&
                 (sound->total == sound->file->size || sound->total == sound->file->size + 1);
    /* A size in 64 bits is unknown if all of its bits are 1. */
    bool broken = promised > INT64_MAX && promised != UINT64_MAX;
    if (unpromised || promised == UINT32_MAX || (is_open(promised) && !exact && !broken))
        promised = SOUND_UNKNOWN;
    bool from_pipe = sound->file->source != NULL;
    uint64_t available = from_pipe ? SOUND_UNKNOWN : sound->file->size - chunk->at;
    sound->data = chunk->at;
    sound_set_length(sound, promised, available);
    chunk->n = promised == SOUND_UNKNOWN ? available : promised;
    sound->excess = chunk->n % sound_frame(sound) + chunk->n % 2;
    return true;
}

/* Reads the cue points of the first chunk of cue points. */
static bool read_cues(struct sound *sound, const struct sound_chunk *chunk, struct error *e)
{
    unsigned char point[WAV_CUE];
    uint64_t at = chunk->at + 4, end = chunk->at + chunk->n;
    if (chunk->n < 4 || sound->ncue > 0)
        return true;
    if (!sound_get(sound->file, chunk->at, point, 4, e))
        return false;
    uint64_t npoint = word_get(point, 4, sound->big);
    for (; sound->ncue < npoint && end - at >= WAV_CUE; at += WAV_CUE) {
        if (!sound_get(sound->file, at, point, WAV_CUE, e))
            return false;
        uint32_t id = (uint32_t)word_get(point, 4, sound->big);
        uint64_t frame = word_get(point + CUE_FRAME, 4, sound->big);
        if (!sound_add_cue(sound, (struct sound_cue){ id, frame }, e))
            return false;
    }
    if (sound->ncue < npoint)
        snprintf(sound->remark, sizeof sound->remark, "%llu cue point%s expected, %zu found",
                 (unsigned long long)npoint, error_plural(npoint), sound->ncue);
    return true;
}

/* Reads a chunk other than the samples, which lies in the file. */
static bool read_chunk(struct sound *sound, const struct sound_chunk *chunk, struct error *e)
{
    char type[4];
    if (chunk_is(chunk->id, "fmt "))
        return read_format_chunk(sound, chunk, e);
    if (chunk_is(chunk->id, "LIST") && chunk->n >= sizeof type) {
        if (!sound_get(sound->file, chunk->at, type, sizeof type, e))
            return false;
        sound->labelled = sound->labelled || chunk_is(type, "adtl"); /* texts for cue points */
    }
    return (!chunk_is(chunk->id, "cue ") || read_cues(sound, chunk, e)) && sound_add_chunk(sound, chunk, e);
}

/* Handles a chunk that promises more bytes than the file has: an error before the samples; dropped with a
 * remark after the samples. */
static bool read_damaged(struct sound *sound, const struct sound_chunk *chunk, struct error *e)
{
    char id[17];
    uint64_t room = sound->file->size - chunk->at;
    if (sound->data) {
        snprintf(sound->remark, sizeof sound->remark, "the data after the samples are damaged and dropped");
        return true;
    }
    error_escape(chunk->id, 4, id, sizeof id);
    return error_data(e, "the chunk \"%s\" should have %llu byte%s, but has %llu", id,
                      (unsigned long long)chunk->n, error_plural(chunk->n), (unsigned long long)room);
}

/* Reads chunks from a position on, up to the end of the file, or, from a pipe, to the samples. */
static bool read_chunks(struct sound *sound, uint64_t at, struct error *e)
{
    struct sound_chunk chunk;
    for (bool found;; at = chunk_end(&chunk)) {
        if (!chunk_read_head(sound->file, at, sound->big, &chunk, &found, e))
            return false;
        if (!found)
            return true;
        if (chunk_is(chunk.id, "data")) {
            if (sound->data)
                return error_data(e, "the file has two \"data\" chunks; only one can be read");
            if (sound->nformat == 0)
                return error_data(e, "the samples come before the \"fmt \" chunk");
            if (!read_samples(sound, &chunk, e))
                return false;
            if (sound->file->source || chunk.n >= sound->file->size - chunk.at)
                return true;
            continue;
        }
        if (!sound_fetch(sound->file, chunk.at + chunk.n, e))
            return false;
        if (chunk.n > sound->file->size - chunk.at)
            return read_damaged(sound, &chunk, e);
        if (!read_chunk(sound, &chunk, e))
            return false;
    }
}

bool wav_read_head(struct sound *sound, struct error *e)
{
    unsigned char head[FIRST];
    if (!sound_get(sound->file, 0, head, sizeof head, e))
        return false;
    sound->big = chunk_is(head, "RIFX");
    sound->rf64 = chunk_is(head, "RF64");
    uint64_t size = word_get(head + 4, 4, sound->big);
    sound->total = is_open(size) ? SOUND_UNKNOWN : size + 8;
    if (!read_chunks(sound, sizeof head, e))
        return false;
    if (sound->nformat == 0 || !sound->data)
        return error_data(e, "the file has no \"%s\" chunk", sound->nformat ? "data" : "fmt ");
    return true;
}

bool wav_read_tail(struct sound *sound, struct error *e)
{
    char dropped;
    size_t got = 1;
    for (uint64_t i = 0; i < sound->excess && got > 0; i++)
        if (!source_read(sound->file->source, &dropped, 1, &got, e))
            return false;
    return read_chunks(sound, sound->data, e);
}
