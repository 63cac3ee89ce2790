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

/* The tag that the n bytes of an extensible format chunk stand for; 0: no tag of Microsoft's. */
static unsigned extended_tag(const unsigned char *format, size_t n, bool big)
{
    static const unsigned char usual[] = { 0x80, 0x00, 0x00, 0xAA, 0x00, 0x38, 0x9B, 0x71 };
    if (n < EXTENSIBLE || memcmp(format + 32, usual, sizeof usual) != 0)
        return 0;
    if (sound_word(format + 28, 2, big) != 0 || sound_word(format + 30, 2, big) != 0x10)
        return 0;
    return (unsigned)sound_word(format + 24, 4, big);
}

bool wav_read_format(struct sound *s, const unsigned char *format, size_t n, bool big, struct error *e)
{
    unsigned tag = (unsigned)sound_word(format, 2, big), bits = (unsigned)sound_word(format + 14, 2, big);
    unsigned frame = (unsigned)sound_word(format + 12, 2, big);
    s->channels = (unsigned)sound_word(format + 2, 2, big);
    s->rate = (double)sound_word(format + 4, 4, big);
    if (tag == WAV_EXTENSIBLE)
        tag = extended_tag(format, n, big);
    if (tag == 0)
        return sound_refuse_sample(e, "of an extensible format of its own");
    if (tag != WAV_PCM && tag != WAV_FLOAT)
        return refuse_tag(tag, e);
    bool real = tag == WAV_FLOAT;
    if (real ? bits != 32 && bits != 64 : bits < 1 || bits > 32)
        return error_data(e, "samples of %u bit%s cannot be read", bits, error_plural(bits));
    s->sample = SOUND_PCM8 + (bits - 1) / 8;
    if (real)
        s->sample = bits == 32 ? SOUND_FLOAT : SOUND_DOUBLE;
    if (!sound_check(s, e))
        return false;
    return frame == s->channels * sound_file_width(s) ||
           error_data(e, "the header contradicts itself: %u bytes for %u channels of %u bits", frame,
                      s->channels, bits);
}

static bool read_format_chunk(struct sound *s, const struct sound_chunk *chunk, struct error *e)
{
    if (s->nformat > 0)
        return error_data(e, "there are two \"fmt \" chunks");
    if (chunk->n < LEAST_FORMAT)
        return error_data(e, "the \"fmt \" chunk has only %llu bytes", (unsigned long long)chunk->n);
    s->nformat = chunk->n < sizeof s->format ? (size_t)chunk->n : sizeof s->format;
    return sound_get(s->file, chunk->at, s->format, s->nformat, e) &&
           wav_read_format(s, s->format, s->nformat, s->big, e);
}

/* --- other chunks --- */

/* Reads the sizes of the file and of the samples from the chunk "ds64" of an RF64 file, if there is one. */
static bool read_sizes(struct sound *s, uint64_t *nsample, struct error *e)
{
    unsigned char sizes[16];
    for (size_t i = 0; i < s->nchunk; i++) {
        const struct sound_chunk *chunk = &s->chunk[i];
        if (!chunk_is(chunk->id, "ds64"))
            continue;
        if (chunk->n < sizeof sizes)
            return error_data(e, "the \"ds64\" chunk has only %llu bytes", (unsigned long long)chunk->n);
        if (!sound_get(s->file, chunk->at, sizes, sizeof sizes, e))
            return false;
        s->total = sound_word(sizes, 8, false) + 8;
        if (*nsample == UINT32_MAX)
            *nsample = sound_word(sizes + 8, 8, false);
    }
    return true;
}

/* Finds where the samples are, from the head of the chunk of the samples. */
static bool read_samples(struct sound *s, struct sound_chunk *chunk, struct error *e)
{
    uint64_t promised = chunk->n;
    if (s->rf64 && !read_sizes(s, &promised, e))
        return false;
    /* With a size of 0 the samples end here, unless the file goes on and its head does not say so. */
    bool told = s->total != SOUND_UNKNOWN && s->total > chunk->at;
    if (promised == 0 && !told && !sound_fetch(s->file, chunk->at + 1, e))
        return false;
    bool more = promised == 0 && !told && s->file->size > chunk->at;
    bool exact = s->file->size != SOUND_UNKNOWN &&
                 (s->total == s->file->size || s->total == s->file->size + 1); /* a last padding byte */
    if (more || promised == UINT32_MAX || (sound_is_open(promised) && !exact))
        promised = SOUND_UNKNOWN;
    bool live = s->file->source != NULL;
    uint64_t available = live ? SOUND_UNKNOWN : s->file->size - chunk->at;
    s->data = chunk->at;
    sound_set_length(s, promised, available);
    chunk->n = promised == SOUND_UNKNOWN ? available : promised;
    s->excess = chunk->n % sound_frame(s) + chunk->n % 2;
    return true;
}

static bool read_cues(struct sound *s, const struct sound_chunk *chunk, struct error *e)
{
    unsigned char point[WAV_CUE];
    uint64_t at = chunk->at + 4, end = chunk->at + chunk->n;
    if (chunk->n < 4 || s->ncue > 0)
        return true;
    if (!sound_get(s->file, chunk->at, point, 4, e))
        return false;
    uint64_t npoint = sound_word(point, 4, s->big);
    for (; s->ncue < npoint && end - at >= WAV_CUE; at += WAV_CUE) {
        if (!sound_get(s->file, at, point, WAV_CUE, e))
            return false;
        uint32_t id = (uint32_t)sound_word(point, 4, s->big);
        uint64_t frame = sound_word(point + CUE_FRAME, 4, s->big);
        if (!sound_add_cue(s, (struct sound_cue){ id, frame }, e))
            return false;
    }
    if (s->ncue < npoint)
        snprintf(s->remark, sizeof s->remark, "%llu cue point%s promised, %zu present",
                 (unsigned long long)npoint, error_plural(npoint), s->ncue);
    return true;
}

/* Reads a chunk other than the samples, which lies in the file. */
static bool read_chunk(struct sound *s, const struct sound_chunk *chunk, struct error *e)
{
    char type[4];
    if (chunk_is(chunk->id, "fmt "))
        return read_format_chunk(s, chunk, e);
    if (chunk_is(chunk->id, "LIST") && chunk->n >= sizeof type) {
        if (!sound_get(s->file, chunk->at, type, sizeof type, e))
            return false;
        s->labelled = s->labelled || chunk_is(type, "adtl"); /* texts for cue points */
    }
    return (!chunk_is(chunk->id, "cue ") || read_cues(s, chunk, e)) && sound_add_chunk(s, chunk, e);
}

/* A chunk that promises more than the file has is an error before the samples, and is dropped after. */
static bool read_damaged(struct sound *s, const struct sound_chunk *chunk, struct error *e)
{
    char id[17];
    uint64_t room = s->file->size - chunk->at;
    if (s->data) {
        snprintf(s->remark, sizeof s->remark, "what follows the samples is damaged, and is dropped");
        return true;
    }
    error_escape(chunk->id, 4, id, sizeof id);
    return error_data(e, "the chunk \"%s\" promises %llu byte%s and has %llu", id,
                      (unsigned long long)chunk->n, error_plural(chunk->n), (unsigned long long)room);
}

/* Reads chunks from a position on, up to the end of the file, or to the samples of a live file. */
static bool read_chunks(struct sound *s, uint64_t at, struct error *e)
{
    const struct chunk_form form = { .id_bytes = 4, .size_bytes = 4, .align = 2, .big = s->big };
    struct sound_chunk chunk;
    for (bool found;; at = chunk_end(&form, &chunk)) {
        if (!chunk_read_head(s->file, &form, at, &chunk, &found, e))
            return false;
        if (!found)
            return true;
        if (chunk_is(chunk.id, "data")) {
            if (s->data)
                return error_data(e, "there are two \"data\" chunks, and only one can be read");
            if (s->nformat == 0)
                return error_data(e, "the samples come before the \"fmt \" chunk");
            if (!read_samples(s, &chunk, e))
                return false;
            if (s->file->source || chunk.n >= s->file->size - chunk.at)
                return true;
            continue;
        }
        if (!sound_fetch(s->file, chunk.at + chunk.n, e))
            return false;
        if (chunk.n > s->file->size - chunk.at)
            return read_damaged(s, &chunk, e);
        if (!read_chunk(s, &chunk, e))
            return false;
    }
}

bool wav_read_head(struct sound *s, struct error *e)
{
    unsigned char head[FIRST];
    if (!sound_get(s->file, 0, head, sizeof head, e))
        return false;
    s->big = chunk_is(head, "RIFX");
    s->rf64 = chunk_is(head, "RF64");
    uint64_t size = sound_word(head + 4, 4, s->big);
    s->total = sound_is_open(size) ? SOUND_UNKNOWN : size + 8;
    if (!read_chunks(s, sizeof head, e))
        return false;
    if (s->nformat == 0 || !s->data)
        return error_data(e, "there is no \"%s\" chunk", s->nformat ? "data" : "fmt ");
    return true;
}

bool wav_read_tail(struct sound *s, struct error *e)
{
    char dropped;
    size_t got = 1;
    for (uint64_t i = 0; i < s->excess && got > 0; i++)
        if (!source_read(s->file->source, &dropped, 1, &got, e))
            return false;
    return read_chunks(s, s->data, e);
}
