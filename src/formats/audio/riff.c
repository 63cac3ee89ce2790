/* WAV files: RIFF, RIFX (big-endian) and RF64 (past 4 GiB). libsndfile writes RF64 without cue points and
 * with a PEAK chunk that holds the time of day, cannot write extensible big-endian files, and drops other
 * chunks. */
#include "formats/audio/audio.h"

#include <string.h>

enum { TAG_PCM = 1, TAG_FLOAT = 3, TAG_EXTENSIBLE = 0xFFFE };

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
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (names[i].tag == tag)
            return sound_refuse(e, "%s", names[i].name);
    return sound_refuse(e, "of format 0x%04X", tag);
}

/* The tag that an extensible format chunk stands for; 0 when it is not one of Microsoft's. */
static unsigned extended_tag(const struct sound *s)
{
    static const unsigned char usual[] = { 0x80, 0x00, 0x00, 0xAA, 0x00, 0x38, 0x9B, 0x71 };
    const unsigned char *guid = s->fmt + 24;
    if (s->nfmt < 40 || memcmp(guid + 8, usual, sizeof usual) != 0 || sound_word(guid + 4, 2, s->big) != 0 ||
        sound_word(guid + 6, 2, s->big) != 0x10)
        return 0;
    return sound_word(guid, 4, s->big);
}

static bool describe(struct chunks *c, struct error *e)
{
    struct sound *s = c->sound;
    unsigned tag = sound_word(s->fmt, 2, s->big), bits = sound_word(s->fmt + 14, 2, s->big);
    s->channels = sound_word(s->fmt + 2, 2, s->big);
    s->rate = sound_word(s->fmt + 4, 4, s->big);
    if (tag == TAG_EXTENSIBLE && !(tag = extended_tag(s)))
        return sound_refuse(e, "%s", "of an extensible format of its own");
    if (tag != TAG_PCM && tag != TAG_FLOAT)
        return refuse_tag(tag, e);
    return sound_set_sample(s, tag == TAG_FLOAT, bits, sound_word(s->fmt + 12, 2, s->big), e);
}

static bool locate(struct chunks *c, uint64_t at, uint64_t *n, struct error *e)
{
    const struct sound_chunk *large = c->large ? chunk_find(c->sound, "ds64") : NULL;
    unsigned char sizes[16]; /* that do not fit into 32 bits: of the file and of the samples */
    if (large && large->n < sizeof sizes)
        return error_data(e, "the \"ds64\" chunk has only %llu byte%s", (unsigned long long)large->n,
                          error_plural(large->n));
    if (large && !sound_get(c->file, large->at, sizes, sizeof sizes, e))
        return false;
    if (large)
        c->exact = chunks_are_exact(c->file, sound_word64(sizes, false));
    if (c->large && *n == UINT32_MAX)
        *n = large ? sound_word64(sizes + 8, false) : SOUND_UNKNOWN;
    /* Sizes that a program writes which does not know them yet. */
    if (*n == UINT32_MAX ||
        (!c->exact && ((*n == 0 && c->file->size > at) || (*n >= 0x7FFF0000 && *n <= 0x7FFFFFFF))))
        *n = SOUND_UNKNOWN;
    c->sound->data = at;
    c->ndata = *n;
    return true;
}

bool riff_read_header(struct sound *s, const struct sound_file *file, const unsigned char *head,
                      struct error *e)
{
    struct chunks c = { .sound = s, .file = file, .nleast = 16, .describe = describe, .locate = locate };
    s->big = memcmp(head, "RIFX", 4) == 0;
    c.large = memcmp(head, "RF64", 4) == 0;
    c.exact = chunks_are_exact(file, sound_word(head + 4, 4, s->big));
    if (!chunks_read(&c, e) || !sound_check(s, c.ndata, file->size - s->data, e))
        return false;
    for (size_t i = 0; i < s->nchunk; i++) {
        unsigned char type[4];
        if (memcmp(s->chunk[i].id, "LIST", 4) != 0 || s->chunk[i].n < sizeof type)
            continue;
        if (!sound_get(file, s->chunk[i].at, type, sizeof type, e))
            return false;
        s->labelled = s->labelled || memcmp(type, "adtl", 4) == 0; /* texts for cue points */
    }
    return true;
}

enum { SIZES = 28 }; /* bytes of a ds64 chunk without a table */

static unsigned char *put_format(unsigned char *to, const struct sound *s)
{
    bool real = sound_is_real(s->sample);
    unsigned width = sound_width(s->sample), tag = real ? TAG_FLOAT : TAG_PCM;
    uint64_t rate = (uint64_t)s->rate;
    unsigned n = s->nfmt ? (unsigned)s->nfmt : real ? 18 : 16; /* two bytes more say that no more follow */
    to += chunk_head(s, "fmt ", n, to);
    if (s->nfmt && sound_word(s->fmt, 2, s->big) == TAG_EXTENSIBLE)
        tag = TAG_EXTENSIBLE;
    if (s->nfmt)
        memcpy(to, s->fmt, n);
    else
        sound_put(to + 14, s->big, { 2, 8 * width }, { n - 16, 0 });
    sound_put(to, s->big, { 2, tag }, { 2, s->channels }, { 4, rate }, { 4, rate * s->channels * width },
              { 2, s->channels * width });
    to[n] = 0;
    return to + n + (n & 1);
}

size_t riff_head(const struct sound *s, unsigned char *buf)
{
    uint64_t n = sound_bytes(s), nframe = sound_frames(s);
    bool large = sound_is_large(s);
    unsigned char *to = buf + 12;
    if (large || s->reserve) {
        to += chunk_head(s, large ? "ds64" : "JUNK", SIZES, to);
        memset(to, 0, SIZES);
        to += SIZES;
    }
    to = put_format(to, s);
    if (s->nfmt ? chunk_find(s, "fact") != NULL : sound_is_real(s->sample)) {
        to += chunk_head(s, "fact", 4, to);
        to = sound_put(to, s->big, { 4, large ? UINT32_MAX : nframe });
    }
    uint64_t size = (uint64_t)(to - buf) + s->nbefore + 8 + n + (n & 1) + s->nafter - 8;
    chunk_head(s, large ? "RF64" : s->big ? "RIFX" : "RIFF", large ? UINT32_MAX : size, buf);
    memcpy(buf + 8, "WAVE", 4);
    if (large)
        sound_put(buf + 20, false, { 8, size }, { 8, n }, { 8, nframe });
    return (size_t)(to - buf);
}

static bool sniff(const unsigned char *head, size_t nhead)
{
    return nhead >= 12 && memcmp(head + 8, "WAVE", 4) == 0 &&
           (memcmp(head, "RIFF", 4) == 0 || memcmp(head, "RIFX", 4) == 0 || memcmp(head, "RF64", 4) == 0);
}

const struct format format_wav = AUDIO_FORMAT("wav", "WAV, RIFX and RF64 audio", ".wav", ".wave", ".rf64");
