/* What all walks and heads share, and those of AU and FLAC. See sound.h. */
#include "formats/audio/sound.h"

#include "formats/audio/riff.h"
#include "formats/audio/apple.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- shared --- */

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

bool sound_get(const struct sound_file *f, uint64_t at, void *buf, size_t n, struct error *e)
{
    if (f->size < n || at > f->size - n)
        return error_data(e, "the file ends in its header, after %llu byte%s", (unsigned long long)f->size,
                          error_plural(f->size));
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

/* Forgets the chunk at that place: what it says is not to be said again. */
void sound_drop_chunk(struct sound *s, uint64_t at)
{
    for (size_t i = 0; i < s->nchunk; i++)
        if (s->chunk[i].at == at) {
            memmove(s->chunk + i, s->chunk + i + 1, (s->nchunk - i - 1) * sizeof *s->chunk);
            s->nchunk--;
            return;
        }
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
    if (!(s->rate >= 1e-6 && s->rate <= 1e12)) /* so that times are numbers */
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

/* --- AU --- */

/* Notes the annotation between the head and the samples, unless it is short and nothing but zeros, as many
 * programs write it. */
static bool au_annotation(struct sound *s, const struct sound_file *f, uint64_t at, struct error *e)
{
    static const unsigned char zeros[8];
    unsigned char bytes[sizeof zeros];
    uint64_t n = s->data - at;
    if (n <= sizeof zeros) {
        if (!sound_get(f, at, bytes, (size_t)n, e))
            return false;
        if (memcmp(bytes, zeros, (size_t)n) == 0)
            return true;
    }
    return sound_add_chunk(s, "info", at, n, e);
}

static bool au_walk(struct sound *s, const struct sound_file *f, struct error *e)
{
    static const enum sound_sample samples[] = { SOUND_S8,    SOUND_PCM16, SOUND_PCM24,
                                                 SOUND_PCM32, SOUND_FLOAT, SOUND_DOUBLE };
    unsigned char head[24];
    if (!sound_get(f, 0, head, sizeof head, e))
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
    if (!au_annotation(s, f, sizeof head, e))
        return false;
    /* A file past 4 GiB, and one that was streamed, say all ones; some say 0. */
    uint64_t available = f->size == SOUND_UNKNOWN ? SOUND_UNKNOWN : f->size - s->data;
    bool told = n != UINT32_MAX && n != 0;
    if (!sound_settle(s, told ? n : SOUND_UNKNOWN, available, e))
        return false;
    if (told && available != SOUND_UNKNOWN && available > n)
        snprintf(s->remark, sizeof s->remark, "what follows the samples, %llu byte%s, is dropped",
                 (unsigned long long)(available - n), error_plural(available - n));
    return true;
}

static size_t au_head(const struct sound_plan *p, unsigned char *buf)
{
    static const unsigned char encoding[] = { 0, 2, 3, 4, 5, 6, 7 };
    const struct sound *s = p->sound;
    uint64_t n = sound_plan_bytes(p);
    memcpy(buf, s->big ? ".snd" : "dns.", 4);
    buf = sound_put(buf + 4, 24, 4, s->big);
    buf = sound_put(buf, p->nframe != SOUND_UNKNOWN && n < UINT32_MAX ? n : UINT32_MAX, 4, s->big);
    buf = sound_put(buf, encoding[s->sample], 4, s->big);
    buf = sound_put(buf, (uint64_t)s->rate, 4, s->big);
    sound_put(buf, s->channels, 4, s->big);
    return 24;
}

/* --- FLAC --- */

/* Notes the blocks of words and pictures, which are not kept. */
static bool flac_blocks(struct sound *s, const struct sound_file *f, struct error *e)
{
    static const char *const names[] = { NULL, NULL, "APPL", NULL, "TAGS", "CUES", "PICT" };
    unsigned char head[4];
    bool last = false;
    for (uint64_t at = 4; !last && f->size - at >= sizeof head;) {
        if (!sound_get(f, at, head, sizeof head, e))
            return false;
        uint64_t n = sound_word(head + 1, 3, true), room = f->size - at - sizeof head;
        unsigned type = head[0] & 0x7F;
        last = head[0] >> 7 || n > room;
        bool empty = false;
        if (type == 4 && n >= 8 && n <= room) { /* the encoder's name alone is no loss */
            unsigned char count[4];
            if (!sound_get(f, at + 4, count, 4, e))
                return false;
            empty = sound_word(count, 4, false) == n - 8;
        }
        if (type < sizeof names / sizeof *names && names[type] && !empty &&
            !sound_add_chunk(s, names[type], at, n, e))
            return false;
        at += sizeof head + n;
    }
    return true;
}

static bool flac_walk(struct sound *s, const struct sound_file *f, struct error *e)
{
    unsigned char head[26];
    if (!sound_get(f, 0, head, sizeof head, e))
        return false;
    if ((head[4] & 0x7F) != 0)
        return error_data(e, "the header does not begin with its description");
    s->rate = sound_word(head + 18, 3, true) >> 4;
    s->channels = (head[20] >> 1 & 7) + 1u;
    unsigned bits = ((head[20] & 1u) << 4 | head[21] >> 4) + 1u;
    uint64_t n = (uint64_t)(head[21] & 15) << 32 | sound_word(head + 22, 4, true);
    if (bits != 8 && bits != 16 && bits != 24)
        return error_data(e, "FLAC of %u bit%s cannot be read, only of 8, 16 and 24", bits,
                          error_plural(bits));
    s->sample = bits == 8 ? SOUND_S8 : bits == 16 ? SOUND_PCM16 : SOUND_PCM24;
    if (!sound_settle(s, SOUND_UNKNOWN, f->size, e))
        return false;
    s->remark[0] = 0;
    s->ndata = f->size;
    s->promised = n ? n : SOUND_UNKNOWN;
    return flac_blocks(s, f, e);
}

/* --- all --- */

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
        return (begins(head, "RIFF") || begins(head, "RIFX") || begins(head, "RF64")) &&
               begins(head + 8, "WAVE");
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
    static bool (*const walk[])(struct sound *, const struct sound_file *,
                                struct error *) = { riff_walk, au_walk, aiff_walk, flac_walk, caf_walk };
    unsigned char head[12];
    if (file->size == 0)
        return error_data(e, "the file is empty");
    if (!sound_get(file, 0, head, sizeof head, e))
        return false;
    s->kind = kind;
    return sound_looks_like(kind, head, sizeof head) ? walk[kind](s, file, e)
                                                     : wrong_kind(kind, head, sizeof head, e);
}

bool sound_is_real(enum sound_sample sample)
{
    return sample == SOUND_FLOAT || sample == SOUND_DOUBLE;
}

unsigned char *sound_put(unsigned char *p, uint64_t x, unsigned n, bool big)
{
    for (unsigned i = 0; i < n; i++)
        p[i] = (unsigned char)(x >> 8 * (big ? n - 1 - i : i));
    return p + n;
}

uint64_t sound_plan_bytes(const struct sound_plan *p)
{
    return p->nframe == SOUND_UNKNOWN ? 0 : p->nframe * p->sound->channels * sound_width(p->sound->sample);
}

size_t sound_head(const struct sound_plan *p, unsigned char *buf)
{
    return p->sound->kind == SOUND_WAV    ? riff_head(p, buf)
           : p->sound->kind == SOUND_AIFF ? aiff_head(p, buf)
           : p->sound->kind == SOUND_CAF  ? caf_head(p, buf)
                                          : au_head(p, buf);
}

size_t sound_data_head(const struct sound_plan *p, unsigned char *buf)
{
    return p->sound->kind == SOUND_WAV    ? riff_data_head(p, buf)
           : p->sound->kind == SOUND_AIFF ? aiff_data_head(p, buf)
           : p->sound->kind == SOUND_CAF  ? caf_data_head(p, buf)
                                          : 0;
}

size_t sound_chunk_head(const struct sound *s, const char *id, uint64_t n, unsigned char *buf)
{
    memcpy(buf, id, 4);
    return (size_t)(sound_put(buf + 4, n, s->kind == SOUND_CAF ? 8 : 4, s->big || s->kind != SOUND_WAV) -
                    buf);
}

bool sound_chunk_pads(const struct sound *s, uint64_t n)
{
    return s->kind != SOUND_CAF && n & 1;
}

bool sound_keeps(const struct sound_chunk *chunk)
{
    /* Padding; what heads have anew; and what was computed from the samples. */
    static const char *const drop[] = { "JUNK", "junk", "PAD ", "FLLR", "ds64", "fact", "PEAK",
                                        "levl", "MD5 ", "FVER", "free", "peak", "ovvw" };
    for (size_t i = 0; i < sizeof drop / sizeof *drop; i++)
        if (memcmp(chunk->id, drop[i], 4) == 0)
            return false;
    return true;
}
