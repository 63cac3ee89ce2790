/* The walks over AU, AIFF and CAF headers, and what all walks share. See sound.h. */
#include "sound.h"

#include "riff.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- shared ------------------------------------------------------------------------------------------------------- */

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

bool sound_read_memory(void *closure, uint64_t at, void *buf, size_t n, struct error *e)
{
    (void)e;
    memcpy(buf, (const char *)closure + at, n);
    return true;
}

/* All of n bytes at a place; the file ends before: words, and false. */
static bool get(const struct sound_file *f, uint64_t at, void *buf, size_t n, struct error *e)
{
    if (f->size < n || at > f->size - n)
        return error_data(e, "the file ends in its header, after %llu bytes", (unsigned long long)f->size);
    return f->read(f->closure, at, buf, n, e);
}

/* Room for one more in an array that doubles. */
static bool grow(void *array, size_t n, size_t *max, size_t size, struct error *e)
{
    void **p = array;
    if (n < *max)
        return true;
    size_t more = *max ? 2 * *max : 16;
    void *grown = realloc(*p, more * size);
    if (!grown)
        return error_memory(e);
    *p = grown;
    *max = more;
    return true;
}

bool sound_add_chunk(struct sound *s, const char *id, uint64_t at, uint64_t n, struct error *e)
{
    if (s->nchunk == SOUND_MAXCHUNK)
        return error_data(e, "more than %d chunks", SOUND_MAXCHUNK);
    if (!grow(&s->chunk, s->nchunk, &s->maxchunk, sizeof *s->chunk, e))
        return false;
    struct sound_chunk *chunk = &s->chunk[s->nchunk++];
    *chunk = (struct sound_chunk){ .at = at, .n = n };
    memcpy(chunk->id, id, sizeof chunk->id);
    return true;
}

bool sound_add_cue(struct sound *s, uint32_t id, uint64_t frame, struct error *e)
{
    if (s->ncue == SOUND_MAXCUE)
        return error_data(e, "more than %d cue points", SOUND_MAXCUE);
    if (!grow(&s->cue, s->ncue, &s->maxcue, sizeof *s->cue, e))
        return false;
    s->cue[s->ncue++] = (struct sound_cue){ id, frame };
    return true;
}

bool sound_refuse(struct error *e, const char *what)
{
    error_data(e, "the samples are %s, and only PCM and IEEE float are read", what);
    return error_hint(e, "decode it first, as in: sox IN -b 16 -e signed OUT");
}

bool sound_settle(struct sound *s, uint64_t npromised, uint64_t navailable, struct error *e)
{
    uint64_t frame = (uint64_t)s->channels * sound_width(s->sample);
    if (s->channels == 0)
        return error_data(e, "the header says 0 channels");
    if (s->channels > SOUND_MAXCHANNEL)
        return error_data(e, "%u channels; at most %d can be read", s->channels, SOUND_MAXCHANNEL);
    if (!(s->rate > 0) || !isfinite(s->rate))
        return error_data(e, "the header says 0 frames per second");
    s->promised = npromised == SOUND_UNKNOWN ? SOUND_UNKNOWN : npromised / frame;
    s->ndata = npromised < navailable ? npromised : navailable;
    if (s->ndata == SOUND_UNKNOWN)
        return true;
    uint64_t odd = s->ndata % frame;
    if (odd)
        snprintf(s->remark, sizeof s->remark, "%u bytes after the last whole frame are dropped", (unsigned)odd);
    s->ndata -= odd;
    return true;
}

/* --- AU ----------------------------------------------------------------------------------------------------------- */

static bool au_walk(struct sound *s, const struct sound_file *f, struct error *e)
{
    static const enum sound_sample samples[] = { SOUND_S8, SOUND_PCM16, SOUND_PCM24, SOUND_PCM32, SOUND_FLOAT,
                                                 SOUND_DOUBLE };
    unsigned char head[24];
    if (!get(f, 0, head, sizeof head, e))
        return false;
    s->big = head[0] == '.';
    s->data = sound_word(head + 4, 4, s->big);
    uint64_t n = sound_word(head + 8, 4, s->big);
    unsigned encoding = sound_word(head + 12, 4, s->big);
    s->rate = sound_word(head + 16, 4, s->big);
    s->channels = sound_word(head + 20, 4, s->big);
    if (encoding < 2 || encoding > 7)
        return sound_refuse(e, encoding == 1                     ? "mu-law"
                               : encoding == 27                  ? "A-law"
                               : encoding >= 23 && encoding < 27 ? "ADPCM"
                                                                 : "of an encoding that is not known");
    s->sample = samples[encoding - 2];
    if (s->data < sizeof head || s->data > f->size)
        return error_data(e, "the header says that samples begin at byte %llu", (unsigned long long)s->data);
    /* A file past 4 GiB, and one that was streamed, say all ones; some say 0. */
    uint64_t available = f->size == SOUND_UNKNOWN ? SOUND_UNKNOWN : f->size - s->data;
    return sound_settle(s, n == UINT32_MAX || n == 0 ? SOUND_UNKNOWN : n, available, e);
}

/* --- AIFF and AIFC ------------------------------------------------------------------------------------------------ */

struct aiff {
    struct sound *s;
    const struct sound_file *file;
    bool compressed; /* AIFC: a format that names its samples */
    bool common, found;
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
    } types[] = { { "NONE", false, false, 0 }, { "twos", false, false, 0 }, { "sowt", false, true, 0 },
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
        return error_data(e, "samples of %u bits cannot be read", bits);
    a->s->big = !types[i].little;
    a->s->sample = !types[i].real ? pcm[(bits - 1) / 8] : bits == 32 ? SOUND_FLOAT : SOUND_DOUBLE;
    return true;
}

static bool aiff_common(struct aiff *a, uint64_t at, uint64_t n, struct error *e)
{
    unsigned char common[22] = { 0 };
    size_t least = a->compressed ? 22 : 18;
    if (a->common)
        return error_data(e, "there are two COMM chunks");
    if (n < least)
        return error_data(e, "the COMM chunk has only %llu bytes", (unsigned long long)n);
    a->common = true;
    if (!get(a->file, at, common, least, e))
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
    if (!get(a->file, at, head, sizeof head, e))
        return false;
    uint64_t offset = sound_word(head, 4, true);
    a->found = true;
    a->s->data = at + 8 + offset;
    a->nsound = n > 8 + offset ? n - 8 - offset : 0;
    if (a->s->data > a->file->size)
        return error_data(e, "the header says that samples begin at byte %llu", (unsigned long long)a->s->data);
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

/* Markers: a number, a frame, and a name of one length byte and as many characters, filled up to an even size. */
static bool aiff_marks(struct aiff *a, struct error *e)
{
    unsigned char mark[7];
    uint64_t at = a->mark.at + 2, end = a->mark.at + a->mark.n;
    if (a->mark.n < 2)
        return true;
    if (!get(a->file, a->mark.at, mark, 2, e))
        return false;
    for (unsigned n = sound_word(mark, 2, true); n > 0 && end - at >= sizeof mark; n--) {
        if (!get(a->file, at, mark, sizeof mark, e) ||
            !sound_add_cue(a->s, sound_word(mark, 2, true), sound_word(mark + 2, 4, true), e))
            return false;
        a->s->labelled = a->s->labelled || mark[6];
        at += (8u + mark[6]) & ~1u;
        if (at > end)
            break;
    }
    return true;
}

static bool aiff_settle(struct aiff *a, struct error *e)
{
    struct sound *s = a->s;
    uint64_t available = a->file->size - s->data, frame = (uint64_t)s->channels * sound_width(s->sample);
    uint64_t n = a->nframe * frame;
    /* Writers that stream say 0 frames, or as many as make almost 2 GiB. */
    bool streamed = (n == 0 && a->nsound == 0) || (n > 0x7EFF0000 && n <= 0x7FFFFFFF && n > available);
    uint64_t inside = a->nsound && a->nsound < available ? a->nsound : available;
    return sound_settle(s, streamed ? SOUND_UNKNOWN : n, inside, e);
}

static bool aiff_walk(struct sound *s, const struct sound_file *f, struct error *e)
{
    unsigned char head[12];
    struct aiff a = { .s = s, .file = f };
    if (!get(f, 0, head, sizeof head, e))
        return false;
    a.compressed = head[11] == 'C';
    for (uint64_t at = 12; f->size - at >= 8;) {
        if (!get(f, at, head, 8, e))
            return false;
        uint64_t n = sound_word(head + 4, 4, true), room = f->size - at - 8;
        bool samples = memcmp(head, "SSND", 4) == 0;
        if (n > room && !samples && a.found) {
            snprintf(s->remark, sizeof s->remark, "what follows the samples is damaged, and is dropped");
            break;
        }
        if (n > room && !samples)
            return error_data(e, "a chunk promises %llu bytes, %llu are there", (unsigned long long)n,
                              (unsigned long long)room);
        if (!aiff_chunk(&a, (const char *)head, at + 8, n, e))
            return false;
        if (n + (n & 1) >= room)
            break;
        at += 8 + n + (n & 1);
    }
    if (!a.common || !a.found)
        return error_data(e, "there is no %s chunk", a.common ? "SSND" : "COMM");
    return aiff_settle(&a, e) && aiff_marks(&a, e);
}

/* --- CAF ---------------------------------------------------------------------------------------------------------- */

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
        return error_data(e, "samples of %lu bits cannot be read", (unsigned long)bits);
    s->sample = !(flags & 1) ? pcm[(bits - 1) / 8] : bits == 32 ? SOUND_FLOAT : SOUND_DOUBLE;
    if (s->channels && s->channels <= SOUND_MAXCHANNEL && bytes != s->channels * sound_width(s->sample))
        return error_data(e, "the header contradicts itself: %lu bytes for %u channels of %lu bits",
                          (unsigned long)bytes, s->channels, (unsigned long)bits);
    return true;
}

static bool caf_walk(struct sound *s, const struct sound_file *f, struct error *e)
{
    unsigned char head[32];
    bool described = false, found = false;
    uint64_t ndata = 0;
    for (uint64_t at = 8; f->size - at >= 12;) {
        if (!get(f, at, head, 12, e))
            return false;
        uint64_t n = sound_word64(head + 4, true), room = f->size - at - 12;
        bool samples = memcmp(head, "data", 4) == 0;
        if (n > room && !samples)
            return error_data(e, "a chunk promises %llu bytes, %llu are there", (unsigned long long)n,
                              (unsigned long long)room);
        if (memcmp(head, "desc", 4) == 0) {
            if (described || n < sizeof head)
                return error_data(e, described ? "there are two desc chunks" : "the desc chunk is too short");
            described = true;
            if (!get(f, at + 12, head, sizeof head, e) || !caf_describe(s, head, e))
                return false;
        } else if (samples) {
            if (found || !described)
                return error_data(e, found ? "there are two data chunks" : "the samples come before the desc chunk");
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

/* --- FLAC --------------------------------------------------------------------------------------------------------- */

static bool flac_walk(struct sound *s, const struct sound_file *f, struct error *e)
{
    unsigned char head[26];
    if (!get(f, 0, head, sizeof head, e))
        return false;
    if ((head[4] & 0x7F) != 0)
        return error_data(e, "the header does not begin with its description");
    s->rate = sound_word(head + 18, 3, true) >> 4;
    s->channels = (head[20] >> 1 & 7) + 1u;
    unsigned bits = ((head[20] & 1u) << 4 | head[21] >> 4) + 1u;
    uint64_t n = (uint64_t)(head[21] & 15) << 32 | sound_word(head + 22, 4, true);
    if (bits != 8 && bits != 16 && bits != 24)
        return error_data(e, "FLAC of %u bits cannot be read, only of 8, 16 and 24", bits);
    s->sample = bits == 8 ? SOUND_S8 : bits == 16 ? SOUND_PCM16 : SOUND_PCM24;
    if (!sound_settle(s, SOUND_UNKNOWN, f->size, e))
        return false;
    s->remark[0] = 0;
    s->ndata = f->size;
    s->promised = n ? n : SOUND_UNKNOWN;
    return true;
}

/* --- all ---------------------------------------------------------------------------------------------------------- */

static bool begins(const unsigned char *head, const char *magic)
{
    return memcmp(head, magic, 4) == 0;
}

bool sound_looks_like(enum sound_kind kind, const unsigned char *head, size_t nhead)
{
    if (nhead < 12)
        return false;
    switch (kind) {
    case SOUND_WAV:
        return (begins(head, "RIFF") || begins(head, "RIFX") || begins(head, "RF64")) && begins(head + 8, "WAVE");
    case SOUND_AIFF:
        return begins(head, "FORM") && (begins(head + 8, "AIFF") || begins(head + 8, "AIFC"));
    case SOUND_AU:
        return begins(head, ".snd") || begins(head, "dns.");
    case SOUND_FLAC:
        return begins(head, "fLaC");
    case SOUND_CAF:
        return begins(head, "caff");
    }
    return false;
}

static const char *const kind_names[] = { "WAV", "AU", "AIFF", "FLAC", "CAF" };
static const char *const format_names[] = { "wav", "au", "aiff", "flac", "caf" };

/* What the file is instead, where that can be told. */
static bool wrong_kind(enum sound_kind kind, const unsigned char *head, size_t nhead, struct error *e)
{
    error_data(e, "this is no %s file", kind_names[kind]);
    for (int other = SOUND_WAV; other <= SOUND_CAF; other++)
        if (sound_looks_like((enum sound_kind)other, head, nhead))
            return error_hint(e, "it begins like %s: --from %s", kind_names[other], format_names[other]);
    if (begins(head, "RIFF"))
        return error_hint(e, "it is a RIFF file of another kind");
    if (begins(head, "ID3") || (head[0] == 0xFF && (head[1] & 0xE0) == 0xE0))
        return error_hint(e, "it begins like MP3, and only PCM and IEEE float are read");
    return false;
}

bool sound_walk(struct sound *s, enum sound_kind kind, const struct sound_file *file, struct error *e)
{
    static bool (*const walk[])(struct sound *, const struct sound_file *, struct error *) = {
        riff_walk, au_walk, aiff_walk, flac_walk, caf_walk
    };
    unsigned char head[12];
    if (file->size == 0)
        return error_data(e, "the file is empty");
    if (!get(file, 0, head, sizeof head, e))
        return false;
    s->kind = kind;
    return sound_looks_like(kind, head, sizeof head) ? walk[kind](s, file, e)
                                                     : wrong_kind(kind, head, sizeof head, e);
}
