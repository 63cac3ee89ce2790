/* WAV, AIFF, CAF and AU files: what is particular to each as it is read and written. libsndfile writes RF64
 * without cue points and with a PEAK chunk that holds the time of day, cannot write extensible big-endian
 * files, and drops other chunks. */
#include "formats/audio/audio.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* The error of a sample type that cannot be read: "of …"; false. */
static bool refuse_sample(struct error *e, const char *what)
{
    error_data(e, "the samples are %s, and only PCM and IEEE float are read", what);
    return error_hint(e, "decode it first, as in: sox IN -b 16 -e signed OUT");
}

/* The same for a type of four characters. */
static bool refuse_type(struct error *e, const unsigned char *type)
{
    char text[32] = "of type \"";
    error_escape((const char *)type, 4, text + 9, 17);
    return refuse_sample(e, strcat(text, "\""));
}

/* A number in the format chunk. */
static unsigned format_word(const struct sound *s, size_t at, unsigned n)
{
    return (unsigned)sound_word(s->fmt + at, n, chunk_is_big(s));
}

/* Writes a format chunk of n bytes, those that were read or zeros, and returns the place of these bytes. */
static unsigned char *put_format(const struct sound *s, size_t n, unsigned char *to)
{
    to += chunk_head(s, sound_containers[s->kind].format_id, n, to);
    memset(to, 0, n + 1);
    return memcpy(to, s->fmt, s->nfmt);
}

/* --- WAV: RIFF, RIFX (big-endian) and RF64 (past 4 GiB) --- */

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
    char text[32];
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (names[i].tag == tag)
            return refuse_sample(e, names[i].name);
    snprintf(text, sizeof text, "of format 0x%04X", tag);
    return refuse_sample(e, text);
}

/* The tag that an extensible format chunk stands for; 0 when it is not one of Microsoft's. */
static unsigned extended_tag(const struct sound *s)
{
    static const unsigned char usual[] = { 0x80, 0x00, 0x00, 0xAA, 0x00, 0x38, 0x9B, 0x71 };
    const unsigned char *guid = s->fmt + 24;
    bool known = s->nfmt >= 40 && memcmp(guid + 8, usual, sizeof usual) == 0 && format_word(s, 28, 2) == 0 &&
                 format_word(s, 30, 2) == 0x10;
    return known ? format_word(s, 24, 4) : 0;
}

static bool wav_describe(struct sound *s, uint64_t n, struct error *e)
{
    unsigned tag = format_word(s, 0, 2);
    (void)n;
    s->channels = format_word(s, 2, 2);
    s->rate = format_word(s, 4, 4);
    if (tag == TAG_EXTENSIBLE && !(tag = extended_tag(s)))
        return refuse_sample(e, "of an extensible format of its own");
    if (tag != TAG_PCM && tag != TAG_FLOAT)
        return refuse_tag(tag, e);
    return sound_set_sample(s, tag == TAG_FLOAT, format_word(s, 14, 2), format_word(s, 12, 2), e);
}

static bool wav_locate(struct sound *s, uint64_t at, uint64_t *n, struct error *e)
{
    const struct sound_chunk *large = s->large ? chunk_find(s, "ds64") : NULL;
    unsigned char sizes[16]; /* that do not fit into 32 bits: of the file and of the samples */
    if (large && large->n < sizeof sizes)
        return error_data(e, "the \"ds64\" chunk has only %llu byte%s", (unsigned long long)large->n,
                          error_plural(large->n));
    if (large && !sound_get(s->file, large->at, sizes, sizeof sizes, e))
        return false;
    if (large)
        s->exact = sound_is_exact(s->file, sound_word(sizes, 8, false));
    if (s->large && *n == UINT32_MAX)
        *n = large ? sound_word(sizes + 8, 8, false) : SOUND_UNKNOWN;
    /* Sizes that a program writes which does not know them yet. */
    if (*n == UINT32_MAX ||
        (!s->exact && ((*n == 0 && s->file->size > at) || (*n >= 0x7FFF0000 && *n <= 0x7FFFFFFF))))
        *n = SOUND_UNKNOWN;
    s->data = at;
    s->ndata = *n;
    return true;
}

enum { SIZES = 28 }; /* bytes of a ds64 chunk without a table */

static size_t wav_head(const struct sound *s, unsigned char *buf)
{
    uint64_t n = sound_bytes(s), nframe = sound_frames(s), rate = (uint64_t)s->rate;
    bool large = sound_is_large(s), real = s->sample >= SOUND_FLOAT;
    unsigned width = sound_width(s), tag = real ? TAG_FLOAT : TAG_PCM;
    unsigned char *to = buf + 12;
    if (large || s->reserve) {
        to += chunk_head(s, large ? "ds64" : "JUNK", SIZES, to);
        memset(to, 0, SIZES);
        to += SIZES;
    }
    size_t nfmt = s->nfmt ? s->nfmt : real ? 18 : 16; /* two bytes more say that no more follow */
    to = put_format(s, nfmt, to);
    if (!s->nfmt)
        sound_put(to + 14, s->big, { 2, 8 * width });
    else if (format_word(s, 0, 2) == TAG_EXTENSIBLE)
        tag = TAG_EXTENSIBLE;
    sound_put(to, s->big, { 2, tag }, { 2, s->channels }, { 4, rate }, { 4, rate * s->channels * width },
              { 2, s->channels * width });
    to += nfmt + (nfmt & 1);
    if (s->nfmt ? chunk_find(s, "fact") != NULL : real) {
        to += chunk_head(s, "fact", 4, to);
        to = sound_put(to, s->big, { 4, large ? UINT32_MAX : nframe });
    }
    uint64_t size = (uint64_t)(to - buf) + n + (n & 1) + s->nother;
    chunk_head(s, large ? "RF64" : s->big ? "RIFX" : "RIFF", large ? UINT32_MAX : size, buf);
    memcpy(buf + 8, "WAVE", 4);
    if (large)
        sound_put(buf + 20, false, { 8, size }, { 8, n }, { 8, nframe });
    return (size_t)(to - buf);
}

AUDIO_FORMAT(wav, SOUND_WAV, "WAV, RIFX and RF64 audio", 12, "RIFFRIFXRF64", "WAVE", ".wav", ".wave", ".rf64")

/* --- AIFF, and AIFC, whose format chunk names the type of the samples --- */

enum { COMMON = 18, COMMON_TYPED = 22 }; /* least bytes of the format chunk: AIFF, AIFC */

static bool aiff_describe(struct sound *s, uint64_t n, struct error *e)
{
    static const struct {
        char type[4];
        bool real, little;
        unsigned bits; /* 0: as the header says */
    } types[] = { { "NONE", false, false, 0 },  { "twos", false, false, 0 },  { "sowt", false, true, 0 },
                  { "in16", false, false, 16 }, { "in24", false, false, 24 }, { "in32", false, false, 32 },
                  { "42ni", false, true, 24 },  { "23ni", false, true, 32 },  { "fl32", true, false, 32 },
                  { "FL32", true, false, 32 },  { "fl64", true, false, 64 },  { "FL64", true, false, 64 } };
    size_t i = 0, ntype = sizeof types / sizeof *types;
    while (s->typed && i < ntype && memcmp(types[i].type, s->fmt + COMMON, 4) != 0)
        i++;
    if (i == ntype)
        return refuse_type(e, s->fmt + COMMON);
    /* The name of the type is kept where it fits. */
    if (!s->typed || n > sizeof s->fmt)
        s->nfmt = s->typed ? COMMON_TYPED : COMMON;
    s->channels = format_word(s, 0, 2);
    /* The 80-bit float of Apple's SANE: sign and exponent, then 64 bits with an integer bit. */
    int exponent = (int)format_word(s, 8, 2) - 16383;
    s->rate = s->fmt[8] & 0x80 ? 0 : ldexp((double)sound_word(s->fmt + 10, 8, true), exponent - 63);
    s->big = !types[i].little;
    return sound_set_sample(s, types[i].real, types[i].bits ? types[i].bits : format_word(s, 6, 2),
                            SOUND_UNKNOWN, e);
}

static bool aiff_locate(struct sound *s, uint64_t at, uint64_t *n, struct error *e)
{
    unsigned char head[8];
    if (!sound_get(s->file, at, head, sizeof head, e))
        return false;
    uint64_t offset = sizeof head + sound_word(head, 4, true);
    s->data = at + offset;
    s->ndata = *n > offset ? *n - offset : 0;
    if (s->data > s->file->size)
        return error_data(e, "the header says that samples begin at byte %llu", (unsigned long long)s->data);
    if (s->ndata == 0 && !s->exact)
        *n = SOUND_UNKNOWN;
    return true;
}

void aiff_settle(struct sound *s, uint64_t *available)
{
    uint64_t n = (uint64_t)format_word(s, 2, 4) * sound_frame(s);
    /* Writers that stream say 0 frames, or as many as make almost 2 GiB. */
    bool streamed = (n == 0 && s->ndata == 0 && *available > 0 && !s->exact) ||
                    (n > 0x7EFF0000 && n <= 0x7FFFFFFF && n > *available);
    *available = s->ndata && s->ndata < *available ? s->ndata : *available;
    s->ndata = streamed ? SOUND_UNKNOWN : n;
}

static size_t aiff_head(const struct sound *s, unsigned char *buf)
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
    to = put_format(s, ncommon, to);
    if (typed && !s->nfmt)
        memcpy(to + COMMON, type, 4); /* and an empty name */
    unsigned bits = s->nfmt ? format_word(s, 6, 2) : 8 * sound_width(s);
    int exponent;
    double fraction = frexp(s->rate, &exponent); /* in [1/2, 1) */
    sound_put(to, true, { 2, s->channels }, { 4, sound_frames(s) }, { 2, bits },
              { 2, (uint64_t)(exponent - 1 + 16383) }, { 8, (uint64_t)ldexp(fraction, 64) });
    to += ncommon + (ncommon & 1);
    chunk_head(s, "FORM", (uint64_t)(to - buf) + 8 + n + (n & 1) + s->nother, buf);
    memcpy(buf + 8, typed ? "AIFC" : "AIFF", 4);
    return (size_t)(to - buf);
}

AUDIO_FORMAT(aiff, SOUND_AIFF, "AIFF and AIFC audio", 12, "FORM", "AIFFAIFC", ".aiff", ".aif", ".aifc")

/* --- Core Audio Format: sizes of 64 bits, without padding --- */

enum { DESCRIPTION = 32, REAL = 1, LITTLE = 2 }; /* bytes of the format chunk; its flags */

static bool caf_describe(struct sound *s, uint64_t n, struct error *e)
{
    uint64_t rate = sound_word(s->fmt, 8, true);
    unsigned flags = format_word(s, 12, 4);
    (void)n;
    memcpy(&s->rate, &rate, sizeof s->rate);
    s->channels = format_word(s, 24, 4);
    s->big = !(flags & LITTLE);
    if (memcmp(s->fmt + 8, "lpcm", 4) != 0)
        return refuse_type(e, s->fmt + 8);
    return sound_set_sample(s, flags & REAL, format_word(s, 28, 4), format_word(s, 16, 4), e);
}

static bool caf_locate(struct sound *s, uint64_t at, uint64_t *n, struct error *e)
{
    if (s->file->size - at < 4 || *n < 4)
        return error_data(e, "the \"data\" chunk is too short");
    s->data = at + 4;
    s->ndata = *n == SOUND_UNKNOWN ? *n : *n - 4; /* -1: up to the end */
    return true;
}

static size_t caf_head(const struct sound *s, unsigned char *buf)
{
    uint64_t rate;
    unsigned width = sound_width(s), flags = (s->big ? 0 : LITTLE) | (s->sample >= SOUND_FLOAT ? REAL : 0);
    memcpy(&rate, &s->rate, sizeof rate);
    memcpy(buf, "caff\0\1\0\0", 8);
    unsigned char *to = buf + 8 + chunk_head(s, "desc", DESCRIPTION, buf + 8);
    memcpy(sound_put(to, true, { 8, rate }), "lpcm", 4);
    to = sound_put(to + 12, true, { 4, flags }, { 4, s->channels * width }, { 4, 1 }, { 4, s->channels },
                   { 4, s->nfmt ? format_word(s, 28, 4) : 8 * width });
    return (size_t)(to - buf);
}

AUDIO_FORMAT(caf, SOUND_CAF, "Core Audio Format", 12, "caff", "", ".caf")

/* --- AU: 24 bytes, an annotation, samples; it needs no seeking, and so streams --- */

static bool au_read_header(struct sound *s, struct error *e)
{
    static const unsigned char zeros[AU_NOTE];
    const struct sound_file *file = s->file;
    unsigned char head[AU_HEAD], note[sizeof zeros] = { 1 };
    if (!sound_get(file, 0, head, sizeof head, e))
        return false;
    s->big = head[0] == '.';
    s->data = sound_word(head + 4, 4, s->big);
    uint64_t n = sound_word(head + 8, 4, s->big), encoding = sound_word(head + 12, 4, s->big);
    s->rate = (double)sound_word(head + 16, 4, s->big);
    s->channels = (unsigned)sound_word(head + 20, 4, s->big);
    if (encoding < 2 || encoding > 7)
        return refuse_sample(e, encoding == 1                     ? "mu-law"
                                : encoding == 27                  ? "A-law"
                                : encoding >= 23 && encoding < 27 ? "ADPCM"
                                                                  : "of an encoding that is not known");
    s->sample = (enum sound_sample)(encoding - 2); /* encodings are in the order of enum sound_sample */
    if (s->data < AU_HEAD)
        return error_data(e, "the header says that samples begin at byte %llu", (unsigned long long)s->data);
    if (s->data > file->size)
        return error_data(e, "the file ends in its header");
    /* The annotation between the head and the samples is lost. Many programs write a short one of zeros. */
    uint64_t nnote = s->data - AU_HEAD;
    if ((nnote <= sizeof note && !sound_get(file, AU_HEAD, note, (size_t)nnote, e)) ||
        (memcmp(note, zeros, nnote < sizeof note ? (size_t)nnote : sizeof note) != 0 &&
         !sound_add_chunk(s, "info", AU_HEAD, nnote, e)))
        return false;
    /* A file past 4 GiB, and one that was streamed, say all ones; some say 0. */
    bool told = n != UINT32_MAX && n != 0, live = file->size == SOUND_UNKNOWN;
    uint64_t available = live ? SOUND_UNKNOWN : file->size - s->data;
    return sound_check(s, told ? n : SOUND_UNKNOWN, available, e);
}

static size_t au_head(const struct sound *s, unsigned char *buf)
{
    uint64_t n = sound_bytes(s);
    bool told = s->promised != SOUND_UNKNOWN && n < UINT32_MAX;
    memcpy(buf, s->big ? ".snd" : "dns.", 4);
    sound_put(buf + 4, s->big, { 4, AU_HEAD }, { 4, told ? n : UINT32_MAX }, { 4, s->sample + 2 },
              { 4, (uint64_t)s->rate }, { 4, s->channels });
    return AU_HEAD;
}

AUDIO_FORMAT(au, SOUND_AU, "AU audio, which needs no seeking and so streams", 4, ".snddns.", "", ".au",
             ".snd")

extern const struct format format_flac;

/* clang-format off */
const struct sound_container sound_containers[] = {
    [SOUND_WAV]  = { "WAV",  &format_wav,  NULL, wav_describe, wav_locate, wav_head, "fmt ", "data", "cue ", 16, 0, 4, 20, 24 },
    [SOUND_AU]   = { "AU",   &format_au,   au_read_header, .head = au_head },
    [SOUND_AIFF] = { "AIFF", &format_aiff, NULL, aiff_describe, aiff_locate, aiff_head, "COMM", "SSND", "MARK", COMMON, 8, 2, 2, 8 },
    [SOUND_FLAC] = { "FLAC", &format_flac, .read_header = flac_read_header },
    [SOUND_CAF]  = { "CAF",  &format_caf,  NULL, caf_describe, caf_locate, caf_head, "desc", "data", .nformat = DESCRIPTION, .nextra = 4 },
};
/* clang-format on */
