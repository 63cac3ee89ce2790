/* What the containers share: the table of them, checks of what a header says, and lists of chunks and cue
 * points. */
#include "formats/audio/sound.h"

#include "base/array.h"
#include "formats/format.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

extern const struct format format_wav, format_au, format_aiff, format_flac, format_caf;

/* clang-format off */
const struct sound_container sound_containers[] = {
    [SOUND_WAV]  = { "WAV",  &format_wav,  riff_read_header, riff_head, "fmt ", "data", "cue ", 0, 4, 20, 24 },
    [SOUND_AU]   = { "AU",   &format_au,   au_read_header,   au_head,   NULL,   NULL,   NULL,   0, 0, 0,  0 },
    [SOUND_AIFF] = { "AIFF", &format_aiff, aiff_read_header, aiff_head, "COMM", "SSND", "MARK", 8, 2, 2,  8 },
    [SOUND_FLAC] = { "FLAC", &format_flac, flac_read_header, NULL,      NULL,   NULL,   NULL,   0, 0, 0,  0 },
    [SOUND_CAF]  = { "CAF",  &format_caf,  caf_read_header,  caf_head,  "desc", "data", NULL,   4, 0, 0,  0 },
};
/* clang-format on */

enum sound_kind sound_kind_of(const struct format *format)
{
    int kind = SOUND_WAV;
    while (kind < SOUND_CAF && sound_containers[kind].format != format)
        kind++;
    return (enum sound_kind)kind;
}

/* The error of a file of another kind; the hint names the kind where the first bytes tell it. */
static bool refuse_kind(enum sound_kind kind, const unsigned char *head, size_t nhead, struct error *e)
{
    error_data(e, "this is no %s file", sound_containers[kind].name);
    for (int i = SOUND_WAV; i <= SOUND_CAF; i++) {
        const struct sound_container *other = &sound_containers[i];
        if (other->format->sniff(head, nhead))
            return error_hint(e, "it begins like %s: --from %s", other->name, other->format->name);
    }
    if (memcmp(head, "RIFF", 4) == 0)
        return error_hint(e, "it is a RIFF file of another kind");
    if (memcmp(head, "ID3", 3) == 0 || (head[0] == 0xFF && (head[1] & 0xE0) == 0xE0))
        return error_hint(e, "it begins like MP3, and only PCM and IEEE float are read");
    return false;
}

/* Reads the cue points. Where fewer are present than promised, their chunk is not copied but made new. */
static bool read_cues(struct sound *s, const struct sound_file *file, struct error *e)
{
    const struct sound_container *container = &sound_containers[s->kind];
    struct sound_chunk *chunk = chunk_find(s, container->cue_id);
    /* In AIFF a length byte and a name follow, together of even size. */
    bool named = s->kind == SOUND_AIFF, big = chunk_is_big(s);
    unsigned char cue[24];
    unsigned nword = container->cue_word, size = named ? 7 : container->cue_size;
    if (!chunk || chunk->n < nword)
        return true;
    if (!sound_get(file, chunk->at, cue, nword, e))
        return false;
    uint64_t n = sound_word(cue, nword, big), at = chunk->at + nword, end = chunk->at + chunk->n;
    for (; n > 0 && at <= end && end - at >= size; n--) {
        if (!sound_get(file, at, cue, size, e))
            return false;
        if (s->ncue == SOUND_MAXCUE)
            return error_data(e, "more than %d cue points", SOUND_MAXCUE);
        if (!array_reserve(&s->cue, s->ncue + 1, &s->maxcue, sizeof *s->cue, e))
            return false;
        s->cue[s->ncue++] = (struct sound_cue){ sound_word(cue, nword, big),
                                                sound_word(cue + container->cue_frame, 4, big) };
        s->labelled = s->labelled || (named && cue[6]);
        at += named ? (8u + cue[6]) & ~1u : size;
    }
    if (n > 0) {
        snprintf(s->remark, sizeof s->remark, "%llu cue point%s promised, %zu present",
                 (unsigned long long)n + s->ncue, error_plural(n + s->ncue), s->ncue);
        memcpy(chunk->id, "JUNK", 4);
    }
    return true;
}

bool sound_read_header(struct sound *s, enum sound_kind kind, const struct sound_file *file, struct error *e)
{
    const struct sound_container *container = &sound_containers[kind];
    unsigned char head[12];
    if (file->size == 0)
        return error_data(e, "the file is empty");
    if (!sound_get(file, 0, head, sizeof head, e))
        return false;
    s->kind = kind;
    if (!container->format->sniff(head, sizeof head))
        return refuse_kind(kind, head, sizeof head, e);
    return container->read_header(s, file, head, e) && (!container->cue_id || read_cues(s, file, e));
}

void sound_free(struct sound *s)
{
    free(s->cue);
    free(s->chunk);
    memset(s, 0, sizeof *s);
}

unsigned sound_width(enum sound_sample sample)
{
    static const unsigned width[] = { 1, 1, 2, 3, 4, 4, 8 };
    return width[sample];
}

size_t sound_frame(const struct sound *s)
{
    return (size_t)s->channels * sound_width(s->sample);
}

bool sound_read_memory(void *closure, uint64_t at, void *buf, size_t n, struct error *e)
{
    (void)e;
    memcpy(buf, (const char *)closure + at, n);
    return true;
}

bool sound_get(const struct sound_file *f, uint64_t at, void *buf, size_t n, struct error *e)
{
    if (f->size < n || at > f->size - n)
        return error_data(e, "the file ends in its header, after %llu byte%s", (unsigned long long)f->size,
                          error_plural(f->size));
    return f->read(f->closure, at, buf, n, e);
}

bool sound_add_chunk(struct sound *s, const char *id, uint64_t at, uint64_t n, struct error *e)
{
    if (s->nchunk == SOUND_MAXCHUNK)
        return error_data(e, "more than %d chunks", SOUND_MAXCHUNK);
    if (!array_reserve(&s->chunk, s->nchunk + 1, &s->maxchunk, sizeof *s->chunk, e))
        return false;
    s->chunk[s->nchunk] = (struct sound_chunk){ .at = at, .n = n };
    memcpy(s->chunk[s->nchunk++].id, id, 4);
    return true;
}

bool sound_refuse_type(struct error *e, const unsigned char *type)
{
    char text[17];
    error_escape((const char *)type, 4, text, sizeof text);
    return sound_refuse(e, "of type \"%s\"", text);
}

bool sound_set_sample(struct sound *s, bool real, unsigned bits, uint64_t nframe, struct error *e)
{
    if (real ? bits != 32 && bits != 64 : bits < 1 || bits > 32)
        return error_data(e, "samples of %u bit%s cannot be read", bits, error_plural(bits));
    if (real)
        s->sample = bits == 32 ? SOUND_FLOAT : SOUND_DOUBLE;
    else if (bits <= 8)
        s->sample = s->kind == SOUND_WAV ? SOUND_U8 : SOUND_S8;
    else
        s->sample = bits <= 16 ? SOUND_PCM16 : bits <= 24 ? SOUND_PCM24 : SOUND_PCM32;
    if (s->channels == 0 || s->channels > SOUND_MAXCHANNEL || nframe == SOUND_UNKNOWN ||
        nframe == sound_frame(s))
        return true;
    return error_data(e, "the header contradicts itself: %u bytes for %u channels of %u bits",
                      (unsigned)nframe, s->channels, bits);
}

bool sound_check(struct sound *s, uint64_t npromised, uint64_t navailable, struct error *e)
{
    size_t frame = sound_frame(s);
    if (s->channels == 0)
        return error_data(e, "the header says 0 channels");
    if (s->channels > SOUND_MAXCHANNEL)
        return error_data(e, "%u channels; at most %d can be read", s->channels, SOUND_MAXCHANNEL);
    if (!(s->rate >= 1e-6 && s->rate <= 1e12)) /* so that times are finite numbers */
        return error_data(e, "the header says %g frames per second", s->rate);
    s->promised = npromised == SOUND_UNKNOWN ? SOUND_UNKNOWN : npromised / frame;
    s->ndata = npromised < navailable ? npromised : navailable;
    if (s->ndata == SOUND_UNKNOWN)
        return true;
    size_t odd = (size_t)(s->ndata % frame);
    if (odd)
        snprintf(s->remark, sizeof s->remark,
                 "what follows the last whole frame, %zu of %zu bytes, is dropped", odd, frame);
    s->ndata -= odd;
    return true;
}

unsigned char *sound_put_fields(unsigned char *to, bool big, const struct sound_field *field, size_t nfield)
{
    for (; nfield > 0; nfield--, field++)
        for (unsigned i = 0; i < field->width; i++)
            *to++ = (unsigned char)(field->x >> 8 * (big ? field->width - 1 - i : i));
    return to;
}

uint64_t sound_frames(const struct sound *s)
{
    return s->promised == SOUND_UNKNOWN ? 0 : s->promised;
}

uint64_t sound_bytes(const struct sound *s)
{
    return sound_frames(s) * sound_frame(s);
}

bool sound_is_large(const struct sound *s)
{
    return s->kind == SOUND_WAV && sound_bytes(s) + s->nbefore + s->nafter > UINT32_MAX - SOUND_HEAD - 1;
}

size_t sound_data_head(const struct sound *s, unsigned char *buf)
{
    const struct sound_container *container = &sound_containers[s->kind];
    uint64_t n = container->nextra + sound_bytes(s);
    if (!container->samples_id)
        return 0;
    size_t nhead = chunk_head(s, container->samples_id, sound_is_large(s) ? UINT32_MAX : n, buf);
    memset(buf + nhead, 0, container->nextra);
    return nhead + container->nextra;
}
