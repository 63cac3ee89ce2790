/* Core Audio Format files: sizes of 64 bits, big-endian, without padding. */
#include "formats/audio/audio.h"

#include <string.h>

enum { DESCRIPTION = 32, REAL = 1, LITTLE = 2 }; /* bytes of the format chunk; its flags */

static bool describe(struct chunks *c, struct error *e)
{
    struct sound *s = c->sound;
    uint64_t rate = sound_word64(s->fmt, true);
    uint32_t flags = sound_word(s->fmt + 12, 4, true), bits = sound_word(s->fmt + 28, 4, true);
    memcpy(&s->rate, &rate, sizeof s->rate);
    s->channels = sound_word(s->fmt + 24, 4, true);
    s->big = !(flags & LITTLE);
    if (memcmp(s->fmt + 8, "lpcm", 4) != 0)
        return sound_refuse_type(e, s->fmt + 8);
    return sound_set_sample(s, flags & REAL, bits, sound_word(s->fmt + 16, 4, true), e);
}

static bool locate(struct chunks *c, uint64_t at, uint64_t *n, struct error *e)
{
    if (c->file->size - at < 4 || *n < 4)
        return error_data(e, "the \"data\" chunk is too short");
    c->sound->data = at + 4;
    c->ndata = *n == SOUND_UNKNOWN ? *n : *n - 4; /* -1: up to the end */
    return true;
}

bool caf_read_header(struct sound *s, const struct sound_file *file, const unsigned char *head,
                     struct error *e)
{
    struct chunks c = {
        .sound = s, .file = file, .nleast = DESCRIPTION, .describe = describe, .locate = locate
    };
    (void)head;
    return chunks_read(&c, e) && sound_check(s, c.ndata, file->size - s->data, e);
}

size_t caf_head(const struct sound *s, unsigned char *buf)
{
    uint64_t rate;
    unsigned width = sound_width(s->sample), flags = s->big ? 0 : LITTLE;
    flags |= sound_is_real(s->sample) ? REAL : 0;
    memcpy(&rate, &s->rate, sizeof rate);
    memcpy(buf, "caff\0\1\0", 8);
    unsigned char *to = buf + 8 + chunk_head(s, "desc", DESCRIPTION, buf + 8);
    memcpy(sound_put(to, true, { 8, rate }), "lpcm", 4);
    to = sound_put(to + 12, true, { 4, flags }, { 4, s->channels * width }, { 4, 1 }, { 4, s->channels },
                   { 4, s->nfmt ? sound_word(s->fmt + 28, 4, true) : 8 * width });
    return (size_t)(to - buf);
}

static bool sniff(const unsigned char *head, size_t nhead)
{
    return nhead >= 12 && memcmp(head, "caff", 4) == 0;
}

const struct format format_caf = AUDIO_FORMAT("caf", "Core Audio Format", ".caf");
