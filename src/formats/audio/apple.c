/* AIFF, AIFC and CAF. See sound_apple.h. */
#include "formats/audio/apple.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* --- AIFF and AIFC --- */

struct aiff {
    struct sound *s;
    const struct sound_file *file;
    bool compressed; /* AIFC: a format that names its samples */
    bool common, found;
    bool honest; /* the size of the whole is right */
    uint64_t nframe;
    uint64_t nsound; /* bytes of samples as their chunk says */
    struct sound_chunk mark;
};

/* The 80 bit float of Apple's SANE: sign and exponent, then 64 bits with an integer bit. */
static double extended(const unsigned char *p)
{
    int exponent = (int)sound_word(p, 2, true) - 16383;
    return ldexp((double)sound_word64(p + 2, true), exponent - 63);
}

static bool aiff_samples(struct aiff *a, const unsigned char *common, unsigned bits, struct error *e)
{
    static const enum sound_sample pcm[] = { SOUND_S8, SOUND_PCM16, SOUND_PCM24, SOUND_PCM32 };
    static const struct {
        char type[4];
        bool real, little;
        unsigned bits; /* 0: as the header says */
    } types[] = { { "NONE", false, false, 0 },  { "twos", false, false, 0 },  { "sowt", false, true, 0 },
                  { "in16", false, false, 16 }, { "in24", false, false, 24 }, { "in32", false, false, 32 },
                  { "42ni", false, true, 24 },  { "23ni", false, true, 32 },  { "fl32", true, false, 32 },
                  { "FL32", true, false, 32 },  { "fl64", true, false, 64 },  { "FL64", true, false, 64 } };
    size_t i = 0, ntype = sizeof types / sizeof *types;
    while (a->compressed && i < ntype && memcmp(types[i].type, common + 18, 4) != 0)
        i++;
    if (i == ntype) {
        char type[17], what[32];
        error_escape((const char *)common + 18, 4, type, sizeof type);
        snprintf(what, sizeof what, "of type \"%s\"", type);
        return sound_refuse(e, what);
    }
    bits = types[i].bits ? types[i].bits : bits;
    if (!types[i].real && (bits < 1 || bits > 32))
        return error_data(e, "samples of %u bit%s cannot be read", bits, error_plural(bits));
    a->s->big = !types[i].little;
    a->s->sample = !types[i].real ? pcm[(bits - 1) / 8] : bits == 32 ? SOUND_FLOAT : SOUND_DOUBLE;
    return true;
}

static bool aiff_common(struct aiff *a, uint64_t at, uint64_t n, struct error *e)
{
    unsigned char *common = a->s->fmt;
    size_t least = a->compressed ? 22 : 18;
    if (a->common)
        return error_data(e, "there are two COMM chunks");
    if (n < least)
        return error_data(e, "the COMM chunk has only %llu byte%s", (unsigned long long)n, error_plural(n));
    a->common = true;
    /* The name of a compression is kept where it fits. */
    a->s->nfmt = a->compressed && n <= sizeof a->s->fmt ? (size_t)n : least;
    if (!sound_get(a->file, at, common, a->s->nfmt, e))
        return false;
    a->s->channels = sound_word(common, 2, true);
    a->nframe = sound_word(common + 2, 4, true);
    a->s->rate = common[8] & 0x80 ? 0 : extended(common + 8);
    return aiff_samples(a, common, sound_word(common + 6, 2, true), e);
}

static bool aiff_sound(struct aiff *a, uint64_t at, uint64_t n, struct error *e)
{
    unsigned char head[8];
    if (a->found)
        return error_data(e, "there are two SSND chunks, and only one can be read");
    if (!sound_get(a->file, at, head, sizeof head, e))
        return false;
    uint64_t offset = sound_word(head, 4, true);
    a->found = true;
    a->s->data = at + 8 + offset;
    a->nsound = n > 8 + offset ? n - 8 - offset : 0;
    if (a->s->data > a->file->size)
        return error_data(e, "the header says that samples begin at byte %llu",
                          (unsigned long long)a->s->data);
    return true;
}

static bool aiff_chunk(struct aiff *a, const char *id, uint64_t at, uint64_t n, struct error *e)
{
    if (memcmp(id, "COMM", 4) == 0)
        return aiff_common(a, at, n, e);
    if (memcmp(id, "SSND", 4) == 0)
        return aiff_sound(a, at, n, e);
    if (memcmp(id, "MARK", 4) == 0 && !a->mark.n)
        a->mark = (struct sound_chunk){ "MARK", at, n };
    return sound_add_chunk(a->s, id, at, n, e);
}

/* Markers: a number, a frame, and a name of one length byte and as many characters, filled up to an even
 * size. */
static bool aiff_marks(struct aiff *a, struct error *e)
{
    unsigned char mark[7];
    uint64_t at = a->mark.at + 2, end = a->mark.at + a->mark.n;
    if (a->mark.n < 2)
        return true;
    if (!sound_get(a->file, a->mark.at, mark, 2, e))
        return false;
    unsigned n = sound_word(mark, 2, true);
    for (; n > 0 && end - at >= sizeof mark; n--) {
        if (!sound_get(a->file, at, mark, sizeof mark, e) ||
            !sound_add_cue(a->s, sound_word(mark, 2, true), sound_word(mark + 2, 4, true), e))
            return false;
        a->s->labelled = a->s->labelled || mark[6];
        at += (8u + mark[6]) & ~1u;
        if (at > end)
            at = end;
    }
    if (n > 0) {
        snprintf(a->s->remark, sizeof a->s->remark, "%u marker%s promised, %zu present",
                 n + (unsigned)a->s->ncue, error_plural(n + a->s->ncue), a->s->ncue);
        sound_drop_chunk(a->s, a->mark.at);
    }
    return true;
}

static bool aiff_settle(struct aiff *a, struct error *e)
{
    struct sound *s = a->s;
    uint64_t available = a->file->size - s->data, frame = (uint64_t)s->channels * sound_width(s->sample);
    uint64_t n = a->nframe * frame;
    /* Writers that stream say 0 frames, or as many as make almost 2 GiB. */
    bool streamed = (n == 0 && a->nsound == 0 && available > 0 && !a->honest) ||
                    (n > 0x7EFF0000 && n <= 0x7FFFFFFF && n > available);
    uint64_t inside = a->nsound && a->nsound < available ? a->nsound : available;
    return sound_settle(s, streamed ? SOUND_UNKNOWN : n, inside, e);
}

bool aiff_walk(struct sound *s, const struct sound_file *f, struct error *e)
{
    unsigned char head[12];
    struct aiff a = { .s = s, .file = f };
    if (!sound_get(f, 0, head, sizeof head, e))
        return false;
    a.compressed = head[11] == 'C';
    uint64_t whole = sound_word(head + 4, 4, true) + (uint64_t)8;
    a.honest = whole == f->size || whole + 1 == f->size;
    for (uint64_t at = 12; f->size - at >= 8;) {
        if (!sound_get(f, at, head, 8, e))
            return false;
        uint64_t n = sound_word(head + 4, 4, true), room = f->size - at - 8;
        bool samples = memcmp(head, "SSND", 4) == 0;
        if (n > room && !samples && a.found) {
            snprintf(s->remark, sizeof s->remark, "what follows the samples is damaged, and is dropped");
            break;
        }
        if (n > room && !samples)
            return error_data(e, "a chunk promises %llu byte%s and has %llu", (unsigned long long)n,
                              error_plural(n), (unsigned long long)room);
        if (!aiff_chunk(&a, (const char *)head, at + 8, n, e))
            return false;
        if (n + (n & 1) >= room || (samples && a.nsound == 0 && !a.honest))
            break;
        at += 8 + n + (n & 1);
    }
    /* Without frames there need be no chunk for them. */
    if (a.common && !a.found && a.nframe == 0 && a.honest) {
        a.found = true;
        s->data = f->size;
    }
    if (!a.common || !a.found)
        return error_data(e, "there is no %s chunk", a.common ? "SSND" : "COMM");
    return aiff_settle(&a, e) && aiff_marks(&a, e);
}

/* A positive number as an 80 bit float. */
static unsigned char *put_extended(unsigned char *p, double x)
{
    int exponent;
    double fraction = frexp(x, &exponent); /* in [1/2, 1) */
    p = sound_put(p, (uint64_t)(exponent - 1 + 16383), 2, true);
    return sound_put(p, (uint64_t)ldexp(fraction, 64), 8, true);
}

/* The type of samples in AIFC; NULL: plain AIFF holds them. */
static const char *aiff_type(const struct sound *s)
{
    return s->sample == SOUND_FLOAT ? "fl32" : s->sample == SOUND_DOUBLE ? "fl64" : s->big ? NULL : "sowt";
}

size_t aiff_head(const struct sound_plan *p, unsigned char *buf)
{
    const struct sound *s = p->sound;
    unsigned char head[16], *to = buf + 12;
    uint64_t n = sound_plan_bytes(p), nframe = p->nframe == SOUND_UNKNOWN ? 0 : p->nframe;
    const char *type = aiff_type(s);
    bool compressed = p->like ? p->like->nfmt >= 22 : type != NULL;
    if (compressed) {
        to += sound_chunk_head(s, "FVER", 4, to);
        to = sound_put(to, 0xA2805140, 4, true);
    }
    size_t ncommon = p->like ? p->like->nfmt : compressed ? 24 : 18;
    to += sound_chunk_head(s, "COMM", ncommon, to);
    if (p->like)
        memcpy(to, p->like->fmt, ncommon);
    else if (compressed)
        memcpy(memcpy(to + 18, type, 4) + 4, "\0", 2);
    unsigned bits = p->like ? sound_word(p->like->fmt + 6, 2, true) : 8 * sound_width(s->sample);
    unsigned char *common = sound_put(to, s->channels, 2, true);
    put_extended(sound_put(sound_put(common, nframe, 4, true), bits, 2, true), s->rate);
    to += ncommon;
    if (ncommon & 1)
        *to++ = 0;
    size_t nhead = (size_t)(to - buf), ndata = aiff_data_head(p, head);
    memcpy(buf, "FORM", 4);
    sound_put(buf + 4, nhead - 8 + p->nbefore + ndata + n + (n & 1) + p->nafter, 4, true);
    memcpy(buf + 8, compressed ? "AIFC" : "AIFF", 4);
    return nhead;
}

size_t aiff_data_head(const struct sound_plan *p, unsigned char *buf)
{
    size_t n = sound_chunk_head(p->sound, "SSND", 8 + sound_plan_bytes(p), buf);
    memset(buf + n, 0, 8);
    return n + 8;
}

/* --- CAF --- */

static bool caf_describe(struct sound *s, const unsigned char *p, struct error *e)
{
    static const enum sound_sample pcm[] = { SOUND_S8, SOUND_PCM16, SOUND_PCM24, SOUND_PCM32 };
    uint64_t rate = sound_word64(p, true);
    uint32_t flags = sound_word(p + 12, 4, true), bytes = sound_word(p + 16, 4, true);
    uint32_t bits = sound_word(p + 28, 4, true);
    memcpy(&s->rate, &rate, sizeof s->rate);
    s->channels = sound_word(p + 24, 4, true);
    s->big = !(flags & 2);
    if (memcmp(p + 8, "lpcm", 4) != 0) {
        char type[17], what[32];
        error_escape((const char *)p + 8, 4, type, sizeof type);
        snprintf(what, sizeof what, "of type \"%s\"", type);
        return sound_refuse(e, what);
    }
    if (flags & 1 ? bits != 32 && bits != 64 : bits < 1 || bits > 32)
        return error_data(e, "samples of %lu bit%s cannot be read", (unsigned long)bits, error_plural(bits));
    s->sample = !(flags & 1) ? pcm[(bits - 1) / 8] : bits == 32 ? SOUND_FLOAT : SOUND_DOUBLE;
    if (s->channels && s->channels <= SOUND_MAXCHANNEL && bytes != s->channels * sound_width(s->sample))
        return error_data(e, "the header contradicts itself: %lu bytes for %u channels of %lu bits",
                          (unsigned long)bytes, s->channels, (unsigned long)bits);
    return true;
}

bool caf_walk(struct sound *s, const struct sound_file *f, struct error *e)
{
    unsigned char head[32];
    bool described = false, found = false;
    uint64_t ndata = 0;
    for (uint64_t at = 8; f->size - at >= 12;) {
        if (!sound_get(f, at, head, 12, e))
            return false;
        uint64_t n = sound_word64(head + 4, true), room = f->size - at - 12;
        bool samples = memcmp(head, "data", 4) == 0;
        if (n > room && !samples)
            return error_data(e, "a chunk promises %llu byte%s and has %llu", (unsigned long long)n,
                              error_plural(n), (unsigned long long)room);
        if (memcmp(head, "desc", 4) == 0) {
            if (described || n < sizeof head)
                return error_data(e, described ? "there are two desc chunks" : "the desc chunk is too short");
            described = true;
            s->nfmt = 32;
            if (!sound_get(f, at + 12, s->fmt, s->nfmt, e) || !caf_describe(s, s->fmt, e))
                return false;
        } else if (samples) {
            if (found || !described)
                return error_data(e, found ? "there are two data chunks"
                                           : "the samples come before the desc chunk");
            if (room < 4 || n < 4)
                return error_data(e, "the data chunk is too short");
            found = true;
            s->data = at + 16;
            ndata = n == SOUND_UNKNOWN ? n : n - 4; /* -1: up to the end */
        } else if (!sound_add_chunk(s, (const char *)head, at + 12, n, e)) {
            return false;
        }
        if (n >= room)
            break;
        at += 12 + n;
    }
    if (!described || !found)
        return error_data(e, "there is no %s chunk", described ? "data" : "desc");
    return sound_settle(s, ndata, f->size - s->data, e);
}

size_t caf_head(const struct sound_plan *p, unsigned char *buf)
{
    const struct sound *s = p->sound;
    uint64_t rate;
    unsigned width = sound_width(s->sample);
    memcpy(&rate, &s->rate, sizeof rate);
    memcpy(buf, "caff\0\1\0", 8);
    unsigned char *to = buf + 8 + sound_chunk_head(s, "desc", 32, buf + 8);
    to = sound_put(to, rate, 8, true);
    memcpy(to, "lpcm", 4);
    to = sound_put(to + 4, (sound_is_real(s->sample) ? 1u : 0) | (s->big ? 0 : 2u), 4, true);
    to = sound_put(to, (uint64_t)s->channels * width, 4, true);
    to = sound_put(to, 1, 4, true);
    to = sound_put(to, s->channels, 4, true);
    to = sound_put(to, p->like ? sound_word(p->like->fmt + 28, 4, true) : 8 * width, 4, true);
    return (size_t)(to - buf);
}

size_t caf_data_head(const struct sound_plan *p, unsigned char *buf)
{
    size_t n = sound_chunk_head(p->sound, "data", 4 + sound_plan_bytes(p), buf);
    memset(buf + n, 0, 4); /* how often it was edited */
    return n + 4;
}
