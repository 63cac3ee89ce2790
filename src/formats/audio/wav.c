/* WAV: RIFF, RIFX (big-endian) and RF64 (past 4 GiB). libsndfile drops unknown chunks, writes RF64 without
 * cue points and does not stream. */
#include "formats/audio/audio.h"

#include <stdio.h>
#include <string.h>

enum { TAG_PCM = 1, TAG_FLOAT = 3, TAG_EXTENSIBLE = 0xFFFE };

enum {
    FIRST = 12,        /* position of the first chunk */
    LEAST_FORMAT = 16, /* bytes of the shortest format chunk */
    DS64 = 28,         /* bytes of a ds64 chunk, which holds sizes of 64 bits, without a table */
    CUE = 24,          /* bytes of a cue point */
    CUE_FRAME = 20,    /* offset of the frame in a cue point */
    OPEN = 0x7FFF0000  /* sizes from OPEN to 2 GiB are written by programs that do not know the size yet */
};

static struct chunk_form form_of(const struct sound *s)
{
    return (struct chunk_form){ .id_bytes = 4, .size_bytes = 4, .align = 2, .big = s->big };
}

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

/* A number in the format chunk. */
static unsigned format_word(const struct sound *s, bool big, size_t at, unsigned n)
{
    return (unsigned)sound_word(s->format + at, n, big);
}

/* The tag that an extensible format chunk stands for; 0 if it is not one of Microsoft's. */
static unsigned extended_tag(const struct sound *s, bool big)
{
    static const unsigned char usual[] = { 0x80, 0x00, 0x00, 0xAA, 0x00, 0x38, 0x9B, 0x71 };
    if (s->nformat < 40 || memcmp(s->format + 32, usual, sizeof usual) != 0 ||
        format_word(s, big, 28, 2) != 0 || format_word(s, big, 30, 2) != 0x10)
        return 0;
    return format_word(s, big, 24, 4);
}

bool wav_read_format(struct sound *s, bool big, struct error *e)
{
    unsigned tag = format_word(s, big, 0, 2);
    s->channels = format_word(s, big, 2, 2);
    s->rate = format_word(s, big, 4, 4);
    if (tag == TAG_EXTENSIBLE)
        tag = extended_tag(s, big);
    if (tag == 0)
        return sound_refuse_sample(e, "of an extensible format of its own");
    if (tag != TAG_PCM && tag != TAG_FLOAT)
        return refuse_tag(tag, e);
    return sound_set_sample(s, tag == TAG_FLOAT, format_word(s, big, 14, 2), format_word(s, big, 12, 2), e);
}

/* --- other chunks --- */

/* A size of 32 bits that tells nothing. */
static bool is_open(uint64_t size)
{
    return size == UINT32_MAX || (size >= OPEN && size <= INT32_MAX);
}

/* Finds where the samples are, from the head of their chunk. */
static bool read_samples(struct sound *s, struct sound_chunk *chunk, struct error *e)
{
    unsigned char sizes[16]; /* of the file and of the samples */
    uint64_t promised = chunk->n;
    for (size_t i = 0; s->rf64 && i < s->nchunk; i++) {
        if (!chunk_is(s->chunk[i].id, "ds64"))
            continue;
        if (s->chunk[i].n < sizeof sizes)
            return error_data(e, "the \"ds64\" chunk has only %llu bytes", (unsigned long long)s->chunk[i].n);
        if (!sound_get(s->file, s->chunk[i].at, sizes, sizeof sizes, e))
            return false;
        s->total = sound_word(sizes, 8, false) + 8;
        promised = promised == UINT32_MAX ? sound_word(sizes + 8, 8, false) : promised;
    }
    /* With a size of 0 the samples end here, unless the file goes on and its head does not say so. */
    bool told = s->total != SOUND_UNKNOWN && s->total > chunk->at;
    if (promised == 0 && !told && !sound_fetch(s->file, chunk->at + 1, e))
        return false;
    bool more = promised == 0 && !told && s->file->size > chunk->at;
    bool exact = s->file->size != SOUND_UNKNOWN &&
                 (s->total == s->file->size || s->total == s->file->size + 1); /* a last padding byte */
    if (more || promised == UINT32_MAX || (is_open(promised) && !exact))
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
    unsigned char point[CUE];
    uint64_t at = chunk->at + 4, end = chunk->at + chunk->n;
    if (chunk->n < 4 || s->ncue > 0)
        return true;
    if (!sound_get(s->file, chunk->at, point, 4, e))
        return false;
    uint64_t npoint = sound_word(point, 4, s->big);
    for (; s->ncue < npoint && end - at >= CUE; at += CUE) {
        if (!sound_get(s->file, at, point, CUE, e) ||
            !sound_add_cue(s,
                           (struct sound_cue){ (uint32_t)sound_word(point, 4, s->big),
                                               sound_word(point + CUE_FRAME, 4, s->big) },
                           e))
            return false;
    }
    s->cue_lies = s->ncue < npoint;
    if (s->cue_lies)
        snprintf(s->remark, sizeof s->remark, "%llu cue point%s promised, %zu present",
                 (unsigned long long)npoint, error_plural(npoint), s->ncue);
    return true;
}

static bool read_format_chunk(struct sound *s, const struct sound_chunk *chunk, struct error *e)
{
    if (s->nformat > 0)
        return error_data(e, "there are two \"fmt \" chunks");
    if (chunk->n < LEAST_FORMAT)
        return error_data(e, "the \"fmt \" chunk has only %llu bytes", (unsigned long long)chunk->n);
    s->nformat = chunk->n < sizeof s->format ? (size_t)chunk->n : sizeof s->format;
    return sound_get(s->file, chunk->at, s->format, s->nformat, e) && wav_read_format(s, s->big, e);
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
    const struct chunk_form form = form_of(s);
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
    s->total = is_open(size) ? SOUND_UNKNOWN : size + 8;
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

/* --- to write --- */

bool wav_is_large(const struct sound *s, uint64_t nframe)
{
    return nframe != SOUND_UNKNOWN && nframe * sound_frame(s) + s->nother > UINT32_MAX - SOUND_HEAD_BYTES - 1;
}

/* A field of a head. */
struct field {
    unsigned width; /* bytes */
    uint64_t x;
};

static unsigned char *put_fields(unsigned char *to, bool big, const struct field *field, size_t nfield)
{
    for (size_t i = 0; i < nfield; to += field[i].width, i++)
        sound_put_word(to, field[i].x, field[i].width, big);
    return to;
}

#define PUT(to, big, ...)                                                                                    \
    put_fields(to, big, (const struct field[]){ __VA_ARGS__ },                                               \
               sizeof((const struct field[]){ __VA_ARGS__ }) / sizeof(struct field))

size_t wav_put_chunk(const struct sound *s, const char *id, uint64_t n, unsigned char *buf)
{
    memcpy(buf, id, 4);
    PUT(buf + 4, s->big, { 4, n < UINT32_MAX ? n : UINT32_MAX });
    return 8;
}

/* Writes the format chunk: that of the input with a new tag, channels, rate and width, or a new one. */
static unsigned char *put_format(const struct sound *s, unsigned char *to)
{
    bool real = s->sample >= SOUND_FLOAT;
    unsigned width = sound_width(s), tag = real ? TAG_FLOAT : TAG_PCM;
    uint64_t rate = (uint64_t)s->rate;
    size_t n = s->nformat;
    if (n == 0)
        n = real ? LEAST_FORMAT + 2 : LEAST_FORMAT; /* two bytes more say that no more follow */
    else if (format_word(s, s->big, 0, 2) == TAG_EXTENSIBLE)
        tag = TAG_EXTENSIBLE;
    to += wav_put_chunk(s, "fmt ", n, to);
    memset(to, 0, n + 1);
    memcpy(to, s->format, s->nformat);
    if (s->nformat == 0)
        PUT(to + 14, s->big, { 2, 8 * width });
    PUT(to, s->big, { 2, tag }, { 2, s->channels }, { 4, rate }, { 4, rate * s->channels * width },
        { 2, s->channels * width });
    return to + n + n % 2;
}

size_t wav_put_head(const struct sound *s, uint64_t nframe, unsigned char *buf)
{
    bool known = nframe != SOUND_UNKNOWN, large = wav_is_large(s, nframe);
    unsigned char *to = buf + FIRST, *sizes = to + 8;
    if (large || s->reserve) {
        to += wav_put_chunk(s, large ? "ds64" : "JUNK", DS64, to);
        memset(to, 0, DS64);
        to += DS64;
    }
    to = put_format(s, to);
    if (s->has_fact) {
        to += wav_put_chunk(s, "fact", 4, to);
        to = PUT(to, s->big, { 4, known && !large ? nframe : UINT32_MAX });
    }
    uint64_t nsample = known ? nframe * sound_frame(s) : 0;
    /* The size of the file without its first 8 bytes, with the 8 bytes of the head of the samples. */
    uint64_t size = (uint64_t)(to - buf) + nsample + nsample % 2 + s->nother;
    const char *magic = s->big ? "RIFX" : "RIFF";
    if (large)
        magic = "RF64";
    wav_put_chunk(s, magic, known && !large ? size : UINT32_MAX, buf);
    memcpy(buf + 8, "WAVE", 4);
    if (large)
        PUT(sizes, false, { 8, size }, { 8, nsample }, { 8, nframe });
    return (size_t)(to - buf);
}
