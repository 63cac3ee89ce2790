/* RIFF, RIFX and RF64 files. See riff.h. */
#include "formats/audio/riff.h"

#include <stdio.h>
#include <string.h>

enum { TAG_PCM = 1, TAG_FLOAT = 3, TAG_EXTENSIBLE = 0xFFFE };

/* --- reading --- */

struct walk {
    struct sound *s;
    const struct sound_file *file;
    bool large;                 /* RF64 */
    bool formatted, found;      /* the format chunk, the samples were seen */
    uint64_t riff_size, data64; /* sizes in the header, in ds64 */
    uint64_t ndata;             /* as promised; SOUND_UNKNOWN */
    struct sound_chunk cue;
};

static uint32_t word(const struct walk *w, const unsigned char *p, unsigned n)
{
    return sound_word(p, n, w->s->big);
}

static const char *tag_name(unsigned tag)
{
    static const struct {
        unsigned tag;
        const char *name;
    } names[] = {
        { 0x0002, "Microsoft ADPCM" },
        { 0x0006, "A-law" },
        { 0x0007, "mu-law" },
        { 0x0011, "IMA ADPCM" },
        { 0x0031, "GSM 6.10" },
        { 0x0040, "G.721 ADPCM" },
        { 0x0050, "MPEG" },
        { 0x0055, "MP3" },
        { 0x0161, "Windows Media" },
        { 0x2000, "AC-3" },
    };
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (names[i].tag == tag)
            return names[i].name;
    return NULL;
}

/* The tag that an extensible format chunk stands for; 0 when it is not one of Microsoft's. */
static unsigned extended_tag(const struct walk *w)
{
    static const unsigned char usual[] = { 0x80, 0x00, 0x00, 0xAA, 0x00, 0x38, 0x9B, 0x71 };
    const unsigned char *guid = w->s->fmt + 24;
    if (w->s->nfmt < 40 || memcmp(guid + 8, usual, sizeof usual) != 0 || word(w, guid + 4, 2) != 0 ||
        word(w, guid + 6, 2) != 0x10)
        return 0;
    return word(w, guid, 4);
}

static bool judge_samples(struct walk *w, unsigned tag, unsigned bits, unsigned align, struct error *e)
{
    static const enum sound_sample pcm[] = { SOUND_U8, SOUND_PCM16, SOUND_PCM24, SOUND_PCM32 };
    struct sound *s = w->s;
    if (tag != TAG_PCM && tag != TAG_FLOAT) {
        char what[32];
        snprintf(what, sizeof what, "of format 0x%04X", tag);
        return sound_refuse(e, tag_name(tag) ? tag_name(tag) : what);
    }
    if (tag == TAG_FLOAT ? bits != 32 && bits != 64 : bits < 1 || bits > 32)
        return error_data(e, "samples of %u bit%s cannot be read", bits, error_plural(bits));
    if (s->channels && align != s->channels * ((bits + 7) / 8))
        return error_data(e, "the header contradicts itself: %u bytes for %u channels of %u bits", align,
                          s->channels, bits);
    s->sample = tag == TAG_PCM ? pcm[(bits - 1) / 8] : bits == 32 ? SOUND_FLOAT : SOUND_DOUBLE;
    return true;
}

static bool read_format(struct walk *w, uint64_t at, uint64_t n, struct error *e)
{
    struct sound *s = w->s;
    if (w->formatted)
        return error_data(e, "there are two format chunks");
    if (n < 16)
        return error_data(e, "the format chunk has only %llu byte%s", (unsigned long long)n, error_plural(n));
    w->formatted = true;
    s->nfmt = n < SOUND_FMT ? (size_t)n : SOUND_FMT;
    if (!w->file->read(w->file->closure, at, s->fmt, s->nfmt, e))
        return false;
    unsigned tag = word(w, s->fmt, 2);
    s->channels = word(w, s->fmt + 2, 2);
    s->rate = word(w, s->fmt + 4, 4);
    if (tag == TAG_EXTENSIBLE && !(tag = extended_tag(w)))
        return sound_refuse(e, "of an extensible format of its own");
    return judge_samples(w, tag, word(w, s->fmt + 14, 2), word(w, s->fmt + 12, 2), e);
}

/* Did a program write this size that did not know it yet? */
static bool streamed(const struct walk *w, uint64_t n, uint64_t navailable)
{
    bool honest = w->riff_size + 8 == w->file->size || w->riff_size + 9 == w->file->size;
    return n == SOUND_UNKNOWN || n == UINT32_MAX || (n == 0 && navailable > 0 && !honest) ||
           (n >= 0x7FFF0000 && n <= 0x7FFFFFFF && !honest);
}

static bool find_samples(struct walk *w, uint64_t at, uint64_t n, struct error *e)
{
    if (w->found)
        return error_data(e, "there are two data chunks, and only one can be read");
    if (!w->formatted)
        return error_data(e, "the samples come before the format chunk");
    w->found = true;
    w->s->data = at;
    w->ndata = streamed(w, n, w->file->size - at) ? SOUND_UNKNOWN : n;
    return true;
}

/* The sizes that do not fit into 32 bits. */
static bool read_sizes(struct walk *w, uint64_t at, uint64_t n, struct error *e)
{
    unsigned char bytes[16];
    if (n < sizeof bytes)
        return error_data(e, "the ds64 chunk has only %llu byte%s", (unsigned long long)n, error_plural(n));
    if (!w->file->read(w->file->closure, at, bytes, sizeof bytes, e))
        return false;
    w->riff_size = sound_word64(bytes, false);
    w->data64 = sound_word64(bytes + 8, false);
    return true;
}

static bool read_list(struct walk *w, uint64_t at, uint64_t n, struct error *e)
{
    unsigned char type[4];
    if (n < sizeof type)
        return true;
    if (!w->file->read(w->file->closure, at, type, sizeof type, e))
        return false;
    w->s->labelled = w->s->labelled || memcmp(type, "adtl", 4) == 0;
    return true;
}

static bool read_chunk(struct walk *w, const char *id, uint64_t at, uint64_t n, struct error *e)
{
    if (memcmp(id, "fmt ", 4) == 0)
        return read_format(w, at, n, e);
    if (memcmp(id, "data", 4) == 0)
        return find_samples(w, at, n, e);
    if (w->large && memcmp(id, "ds64", 4) == 0)
        return read_sizes(w, at, n, e);
    if (memcmp(id, "LIST", 4) == 0 && !read_list(w, at, n, e))
        return false;
    if (memcmp(id, "cue ", 4) == 0 && !w->cue.n)
        w->cue = (struct sound_chunk){ "cue ", at, n };
    return sound_add_chunk(w->s, id, at, n, e);
}

/* Chunk after chunk up to the end of the file, or of what makes sense once the samples were seen. */
static bool read_chunks(struct walk *w, struct error *e)
{
    uint64_t size = w->file->size, at = 12;
    while (size - at >= 8) {
        unsigned char head[8];
        char id[17];
        if (!w->file->read(w->file->closure, at, head, sizeof head, e))
            return false;
        uint64_t n = word(w, head + 4, 4), room = size - at - 8;
        bool data = memcmp(head, "data", 4) == 0;
        if (data && w->large && n == UINT32_MAX)
            n = w->data64;
        if (n > room && !data) {
            error_escape((const char *)head, 4, id, sizeof id);
            if (!w->found)
                return error_data(e, "the chunk \"%s\" promises %llu byte%s and has %llu", id,
                                  (unsigned long long)n, error_plural(n), (unsigned long long)room);
            snprintf(w->s->remark, sizeof w->s->remark,
                     "what follows the samples is damaged, and is dropped");
            return true;
        }
        if (!read_chunk(w, (const char *)head, at + 8, n, e))
            return false;
        if (data && (w->ndata == SOUND_UNKNOWN || n > room))
            return true;
        n += n & 1;
        if (n >= room)
            return true;
        at += 8 + n;
    }
    return true;
}

static bool read_cues(struct walk *w, struct error *e)
{
    unsigned char bytes[24];
    if (w->cue.n < 4)
        return true;
    if (!w->file->read(w->file->closure, w->cue.at, bytes, 4, e))
        return false;
    uint64_t n = word(w, bytes, 4), room = (w->cue.n - 4) / sizeof bytes;
    if (n > room) {
        snprintf(w->s->remark, sizeof w->s->remark, "%llu cue point%s promised, %llu present",
                 (unsigned long long)n, error_plural(n), (unsigned long long)room);
        sound_drop_chunk(w->s, w->cue.at);
    }
    for (uint64_t i = 0; i < n && i < room; i++)
        if (!w->file->read(w->file->closure, w->cue.at + 4 + i * sizeof bytes, bytes, sizeof bytes, e) ||
            !sound_add_cue(w->s, word(w, bytes, 4), word(w, bytes + 20, 4), e))
            return false;
    return true;
}

bool riff_walk(struct sound *s, const struct sound_file *file, struct error *e)
{
    unsigned char head[12];
    struct walk w = { .s = s, .file = file, .data64 = SOUND_UNKNOWN };
    if (!file->read(file->closure, 0, head, sizeof head, e))
        return false;
    s->big = memcmp(head, "RIFX", 4) == 0;
    w.large = memcmp(head, "RF64", 4) == 0;
    w.riff_size = word(&w, head + 4, 4);
    if (!read_chunks(&w, e))
        return false;
    if (!w.formatted)
        return error_data(e, "there is no format chunk");
    if (!w.found)
        return error_data(e, "there is no data chunk");
    return sound_settle(s, w.ndata, file->size - s->data, e) && read_cues(&w, e);
}

/* --- writing --- */

static unsigned char *put_format(unsigned char *p, const struct sound_plan *plan)
{
    const struct sound *s = plan->sound;
    unsigned width = sound_width(s->sample), tag = sound_is_real(s->sample) ? TAG_FLOAT : TAG_PCM;
    const struct sound *like = plan->like;
    bool extensible = like && sound_word(like->fmt, 2, s->big) == TAG_EXTENSIBLE;
    size_t n = like ? like->nfmt : tag == TAG_FLOAT ? 18 : 16; /* two bytes more say that there are no more */
    unsigned char *start = p + sound_chunk_head(s, "fmt ", n, p);
    if (like)
        memcpy(start, like->fmt, n);
    p = sound_put(start, extensible ? TAG_EXTENSIBLE : tag, 2, s->big);
    p = sound_put(p, s->channels, 2, s->big);
    p = sound_put(p, (uint64_t)s->rate, 4, s->big);
    p = sound_put(p, (uint64_t)s->rate * s->channels * width, 4, s->big);
    p = sound_put(p, s->channels * width, 2, s->big);
    if (!like)
        sound_put(sound_put(p, 8 * width, 2, s->big), 0, (unsigned)n - 16, s->big);
    p = start + n;
    if (n & 1)
        *p++ = 0;
    return p;
}

static bool has_fact(const struct sound_plan *p)
{
    for (size_t i = 0; p->like && i < p->like->nchunk; i++)
        if (memcmp(p->like->chunk[i].id, "fact", 4) == 0)
            return true;
    return !p->like && sound_is_real(p->sound->sample);
}

enum { SIZES = 28 }; /* bytes of a ds64 chunk without a table */

bool riff_large(const struct sound_plan *p)
{
    return sound_plan_bytes(p) + p->nbefore + p->nafter > UINT32_MAX - SOUND_HEAD - 1;
}

size_t riff_data_head(const struct sound_plan *p, unsigned char *buf)
{
    return sound_chunk_head(p->sound, "data", riff_large(p) ? UINT32_MAX : sound_plan_bytes(p), buf);
}

size_t riff_head(const struct sound_plan *p, unsigned char *buf)
{
    const struct sound *s = p->sound;
    uint64_t n = sound_plan_bytes(p), nframe = p->nframe == SOUND_UNKNOWN ? 0 : p->nframe;
    bool large = riff_large(p);
    unsigned char *to = buf + 12;
    if (large || p->reserve) {
        to += sound_chunk_head(s, large ? "ds64" : "JUNK", SIZES, to);
        memset(to, 0, SIZES);
        to += SIZES;
    }
    to = put_format(to, p);
    if (has_fact(p)) {
        to += sound_chunk_head(s, "fact", 4, to);
        to = sound_put(to, large ? UINT32_MAX : nframe, 4, s->big);
    }
    uint64_t size = (uint64_t)(to - buf) + p->nbefore + 8 + n + (n & 1) + p->nafter - 8;
    sound_chunk_head(s, large ? "RF64" : s->big ? "RIFX" : "RIFF", large ? UINT32_MAX : size, buf);
    memcpy(buf + 8, "WAVE", 4);
    if (large)
        sound_put(sound_put(sound_put(buf + 20, size, 8, false), n, 8, false), nframe, 8, false);
    return (size_t)(to - buf);
}
