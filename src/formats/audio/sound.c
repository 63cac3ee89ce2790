/* What the containers share: the table of them, checks of what a header says, and lists of chunks and cue
 * points. */
#include "formats/audio/sound.h"

#include "formats/audio/audio.h"
#include "formats/audio/chunks.h"

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

bool sound_read_header(struct sound *s, enum sound_kind kind, const struct sound_file *file, struct error *e)
{
    unsigned char head[12];
    if (file->size == 0)
        return error_data(e, "the file is empty");
    if (!sound_get(file, 0, head, sizeof head, e))
        return false;
    s->kind = kind;
    if (!sound_containers[kind].format->sniff(head, sizeof head))
        return refuse_kind(kind, head, sizeof head, e);
    return sound_containers[kind].read_header(s, file, e);
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

bool sound_is_real(enum sound_sample sample)
{
    return sample == SOUND_FLOAT || sample == SOUND_DOUBLE;
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

/* Makes room for one more in an array of n, which has room for a power of two. */
static bool grow(void *array, size_t n, size_t size, struct error *e)
{
    void **p = array;
    void *grown = n & (n - 1) ? *p : realloc(*p, (n ? 2 * n : 1) * size);
    if (!grown)
        return error_memory(e);
    *p = grown;
    return true;
}

bool sound_add_chunk(struct sound *s, const char *id, uint64_t at, uint64_t n, struct error *e)
{
    if (s->nchunk == SOUND_MAXCHUNK)
        return error_data(e, "more than %d chunks", SOUND_MAXCHUNK);
    if (!grow(&s->chunk, s->nchunk, sizeof *s->chunk, e))
        return false;
    s->chunk[s->nchunk] = (struct sound_chunk){ .at = at, .n = n };
    memcpy(s->chunk[s->nchunk++].id, id, 4);
    return true;
}

bool sound_add_cue(struct sound *s, uint32_t id, uint64_t frame, struct error *e)
{
    if (s->ncue == SOUND_MAXCUE)
        return error_data(e, "more than %d cue points", SOUND_MAXCUE);
    if (!grow(&s->cue, s->ncue, sizeof *s->cue, e))
        return false;
    s->cue[s->ncue++] = (struct sound_cue){ id, frame };
    return true;
}

bool sound_refuse(struct error *e, const char *what)
{
    error_data(e, "the samples are %s, and only PCM and IEEE float are read", what);
    return error_hint(e, "decode it first, as in: sox IN -b 16 -e signed OUT");
}

bool sound_refuse_type(struct error *e, const unsigned char *type)
{
    char text[17], what[32];
    error_escape((const char *)type, 4, text, sizeof text);
    snprintf(what, sizeof what, "of type \"%s\"", text);
    return sound_refuse(e, what);
}

bool sound_set_sample(struct sound *s, bool real, unsigned bits, struct error *e)
{
    if (real ? bits != 32 && bits != 64 : bits < 1 || bits > 32)
        return error_data(e, "samples of %u bit%s cannot be read", bits, error_plural(bits));
    if (real)
        s->sample = bits == 32 ? SOUND_FLOAT : SOUND_DOUBLE;
    else if (bits <= 8)
        s->sample = s->kind == SOUND_WAV ? SOUND_U8 : SOUND_S8;
    else
        s->sample = bits <= 16 ? SOUND_PCM16 : bits <= 24 ? SOUND_PCM24 : SOUND_PCM32;
    return true;
}

bool sound_check_frame(const struct sound *s, unsigned nbyte, unsigned bits, struct error *e)
{
    if (s->channels == 0 || s->channels > SOUND_MAXCHANNEL || nbyte == s->channels * sound_width(s->sample))
        return true;
    return error_data(e, "the header contradicts itself: %u bytes for %u channels of %u bits", nbyte,
                      s->channels, bits);
}

bool sound_check(struct sound *s, uint64_t npromised, uint64_t navailable, struct error *e)
{
    uint64_t frame = (uint64_t)s->channels * sound_width(s->sample);
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
    uint64_t odd = s->ndata % frame;
    if (odd)
        snprintf(s->remark, sizeof s->remark, "what follows the last whole frame, %u of %u bytes, is dropped",
                 (unsigned)odd, (unsigned)frame);
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

uint64_t sound_spec_bytes(const struct sound_spec *spec)
{
    const struct sound *s = spec->sound;
    return spec->nframe == SOUND_UNKNOWN ? 0 : spec->nframe * s->channels * sound_width(s->sample);
}

size_t sound_head(const struct sound_spec *spec, unsigned char *buf)
{
    return sound_containers[spec->sound->kind].head(spec, buf);
}

size_t sound_data_head(const struct sound_spec *spec, unsigned char *buf)
{
    const struct sound_container *container = &sound_containers[spec->sound->kind];
    uint64_t n = container->nextra + sound_spec_bytes(spec);
    if (!container->samples_id)
        return 0;
    size_t nhead = chunk_head(spec->sound, container->samples_id, riff_large(spec) ? UINT32_MAX : n, buf);
    memset(buf + nhead, 0, container->nextra);
    return nhead + container->nextra;
}
