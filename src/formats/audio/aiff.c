/* AIFF files, and AIFC, whose format chunk names the type of the samples. Heads of chunks are big-endian. */
#include "formats/audio/audio.h"

#include <math.h>
#include <string.h>

enum { COMMON = 18, COMMON_TYPED = 22 }; /* least bytes of the format chunk: AIFF, AIFC */

static bool describe(struct chunks *c, struct error *e)
{
    static const struct {
        char type[4];
        bool real, little;
        unsigned bits; /* 0: as the header says */
    } types[] = { { "NONE", false, false, 0 },  { "twos", false, false, 0 },  { "sowt", false, true, 0 },
                  { "in16", false, false, 16 }, { "in24", false, false, 24 }, { "in32", false, false, 32 },
                  { "42ni", false, true, 24 },  { "23ni", false, true, 32 },  { "fl32", true, false, 32 },
                  { "FL32", true, false, 32 },  { "fl64", true, false, 64 },  { "FL64", true, false, 64 } };
    struct sound *s = c->sound;
    bool typed = c->nleast == COMMON_TYPED;
    size_t i = 0, ntype = sizeof types / sizeof *types;
    while (typed && i < ntype && memcmp(types[i].type, s->fmt + COMMON, 4) != 0)
        i++;
    if (i == ntype)
        return sound_refuse_type(e, s->fmt + COMMON);
    /* The name of the type is kept where it fits. */
    if (!typed || c->nformat > sizeof s->fmt)
        s->nfmt = c->nleast;
    s->channels = sound_word(s->fmt, 2, true);
    /* The 80-bit float of Apple's SANE: sign and exponent, then 64 bits with an integer bit. */
    int exponent = (int)sound_word(s->fmt + 8, 2, true) - 16383;
    s->rate = s->fmt[8] & 0x80 ? 0 : ldexp((double)sound_word64(s->fmt + 10, true), exponent - 63);
    s->big = !types[i].little;
    c->nframe = sound_word(s->fmt + 2, 4, true);
    c->optional = c->nframe == 0 && c->exact;
    return sound_set_sample(s, types[i].real, types[i].bits ? types[i].bits : sound_word(s->fmt + 6, 2, true),
                            SOUND_UNKNOWN, e);
}

static bool locate(struct chunks *c, uint64_t at, uint64_t *n, struct error *e)
{
    unsigned char head[8];
    if (!sound_get(c->file, at, head, sizeof head, e))
        return false;
    uint64_t offset = sizeof head + (uint64_t)sound_word(head, 4, true);
    c->sound->data = at + offset;
    c->ndata = *n > offset ? *n - offset : 0;
    if (c->sound->data > c->file->size)
        return error_data(e, "the header says that samples begin at byte %llu",
                          (unsigned long long)c->sound->data);
    if (c->ndata == 0 && !c->exact)
        *n = SOUND_UNKNOWN;
    return true;
}

bool aiff_read_header(struct sound *s, const struct sound_file *file, const unsigned char *head,
                      struct error *e)
{
    struct chunks c = { .sound = s,
                        .file = file,
                        .nleast = head[11] == 'C' ? COMMON_TYPED : COMMON,
                        .exact = chunks_are_exact(file, sound_word(head + 4, 4, true)),
                        .describe = describe,
                        .locate = locate };
    if (!chunks_read(&c, e))
        return false;
    uint64_t available = file->size - s->data, n = c.nframe * sound_frame(s);
    /* Writers that stream say 0 frames, or as many as make almost 2 GiB. */
    bool streamed = (n == 0 && c.ndata == 0 && available > 0 && !c.exact) ||
                    (n > 0x7EFF0000 && n <= 0x7FFFFFFF && n > available);
    uint64_t inside = c.ndata && c.ndata < available ? c.ndata : available;
    return sound_check(s, streamed ? SOUND_UNKNOWN : n, inside, e);
}

size_t aiff_head(const struct sound *s, unsigned char *buf)
{
    uint64_t n = sound_bytes(s);
    /* The type in AIFC; NULL: plain AIFF holds such samples. */
    const char *type = s->sample == SOUND_FLOAT    ? "fl32"
                       : s->sample == SOUND_DOUBLE ? "fl64"
                       : s->big                    ? NULL
                                                   : "sowt";
    bool typed = s->nfmt ? s->nfmt >= COMMON_TYPED : type != NULL;
    size_t ncommon = s->nfmt ? s->nfmt : typed ? COMMON_TYPED + 2 : COMMON;
    unsigned char *to = buf + 12;
    if (typed) {
        to += chunk_head(s, "FVER", 4, to);
        to = sound_put(to, true, { 4, 0xA2805140 });
    }
    to += chunk_head(s, "COMM", ncommon, to);
    if (s->nfmt)
        memcpy(to, s->fmt, ncommon);
    else if (typed)
        memcpy(memcpy(to + COMMON, type, 4) + 4, "\0", 2); /* an empty name */
    unsigned bits = s->nfmt ? sound_word(s->fmt + 6, 2, true) : 8 * sound_width(s->sample);
    int exponent;
    double fraction = frexp(s->rate, &exponent); /* in [1/2, 1) */
    sound_put(to, true, { 2, s->channels }, { 4, sound_frames(s) }, { 2, bits },
              { 2, (uint64_t)(exponent - 1 + 16383) }, { 8, (uint64_t)ldexp(fraction, 64) });
    to[ncommon] = 0;
    to += ncommon + (ncommon & 1);
    uint64_t size = (uint64_t)(to - buf) - 8 + s->nbefore + 16 + n + (n & 1) + s->nafter;
    chunk_head(s, "FORM", size, buf);
    memcpy(buf + 8, typed ? "AIFC" : "AIFF", 4);
    return (size_t)(to - buf);
}

static bool sniff(const unsigned char *head, size_t nhead)
{
    return nhead >= 12 && memcmp(head, "FORM", 4) == 0 &&
           (memcmp(head + 8, "AIFF", 4) == 0 || memcmp(head + 8, "AIFC", 4) == 0);
}

const struct format format_aiff = AUDIO_FORMAT("aiff", "AIFF and AIFC audio", ".aiff", ".aif", ".aifc");
