/* The head of a WAV file (RIFF, RIFX, RF64), checked before libsndfile sees it: its decoders run already
 * while it opens a file, and it reads some heads of streaming writers as files without samples. */
#include "formats/audio/audio.h"

#include "base/port.h"
#include "formats/word.h"
#include <errno.h>
#include <stdio.h>
#include <string.h>

enum {
    FIRST = 12,        /* position of the first chunk */
    CHUNK_HEAD = 8,    /* bytes of the head of a chunk */
    MAXCHUNK = 4096,   /* most chunks of a file */
    LEAST_FORMAT = 16, /* bytes of the shortest format chunk */
    EXTENSIBLE = 40,   /* bytes of an extensible format chunk */
    TAG_PCM = 1,
    TAG_FLOAT = 3,
    TAG_EXTENSIBLE = 0xFFFE
};

/* What the chunks have shown so far. */
struct wav {
    bool big;          /* numbers are big-endian */
    bool rf64;         /* sizes of 64 bits are in the chunk "ds64" */
    uint64_t total;    /* bytes of the file by its head */
    uint64_t sizes_at; /* position of the sizes in "ds64"; 0: no such chunk */
    unsigned frame;    /* bytes of a frame; 0: the format chunk has not come */
    bool has_samples;  /* the chunk "data" has come */
};

bool sound_get(const struct sound_file *file, uint64_t at, void *to, size_t nbyte, struct error *e)
{
    unsigned char *bytes = to;
    if (file->size < nbyte || at > file->size - nbyte)
        return error_data(e, "the file ends inside its header, after %llu byte%s",
                          (unsigned long long)file->size, error_plural(file->size));
    for (size_t done = 0; done < nbyte;) {
        int64_t got = port_read_at(file->fd, bytes + done, nbyte - done, file->base + at + done);
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0)
            return error_system(e, errno, "cannot read");
        if (got == 0)
            return error_data(e, "the file became shorter while it was read");
        done += (size_t)got;
    }
    const struct sound_patch *patch = &file->patch;
    for (size_t i = 0; i < patch->n; i++)
        if (patch->at + i >= at && patch->at + i - at < nbyte)
            bytes[patch->at + i - at] = patch->bytes[i];
    return true;
}

/* --- the format chunk --- */

bool sound_refuse_sample(struct error *e, const char *what)
{
    error_data(e, "cannot read samples that are %s: only PCM and IEEE float", what);
    return error_hint(e, "decode it first, as in: sox IN -b 16 -e signed OUT");
}

/* The error of an encoding that is not read. Returns false. */
static bool refuse_tag(unsigned tag, struct error *e)
{
    static const struct {
        unsigned tag;
        const char *name;
    } names[] = { { 0x0002, "Microsoft ADPCM" }, { 0x0006, "A-law" },    { 0x0007, "mu-law" },
                  { 0x0011, "IMA ADPCM" },       { 0x0031, "GSM 6.10" }, { 0x0055, "MP3" } };
    char text[32];
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (names[i].tag == tag)
            return sound_refuse_sample(e, names[i].name);
    snprintf(text, sizeof text, "of format 0x%04X", tag);
    return sound_refuse_sample(e, text);
}

/* The tag in the n bytes of an extensible format chunk; 0: the subformat is not a tag of Microsoft's. */
static unsigned extended_tag(const unsigned char *format, size_t n, bool big)
{
    static const unsigned char usual[] = { 0x80, 0x00, 0x00, 0xAA, 0x00, 0x38, 0x9B, 0x71 };
    if (n < EXTENSIBLE || memcmp(format + 32, usual, sizeof usual) != 0)
        return 0;
    return (unsigned)word_get(format + 24, 4, big);
}

static bool check_format(struct wav *wav, const struct sound_file *file, uint64_t at, uint64_t n,
                         struct error *e)
{
    unsigned char format[EXTENSIBLE];
    size_t nformat = n < sizeof format ? (size_t)n : sizeof format;
    if (wav->frame > 0)
        return error_data(e, "the file has two \"fmt \" chunks");
    if (n < LEAST_FORMAT)
        return error_data(e, "the \"fmt \" chunk has only %llu bytes", (unsigned long long)n);
    if (!sound_get(file, at, format, nformat, e))
        return false;
    unsigned tag = (unsigned)word_get(format, 2, wav->big);
    unsigned channels = (unsigned)word_get(format + 2, 2, wav->big);
    unsigned bits = (unsigned)word_get(format + 14, 2, wav->big);
    wav->frame = (unsigned)word_get(format + 12, 2, wav->big);
    if (tag == TAG_EXTENSIBLE)
        tag = extended_tag(format, nformat, wav->big);
    if (tag == 0)
        return sound_refuse_sample(e, "in a vendor-specific extensible format");
    if (tag != TAG_PCM && tag != TAG_FLOAT)
        return refuse_tag(tag, e);
    if (tag == TAG_FLOAT ? bits != 32 && bits != 64 : bits < 1 || bits > 32)
        return error_data(e, "samples of %u bit%s cannot be read", bits, error_plural(bits));
    if (channels == 0 || channels > SOUND_MAXCHANNEL)
        return error_data(e, "the header says %u channels, not 1 to %d", channels, SOUND_MAXCHANNEL);
    if (word_get(format + 4, 4, wav->big) == 0)
        return error_data(e, "invalid sample rate in the header: 0");
    return wav->frame == channels * ((bits + 7) / 8) ||
           error_data(e, "bad header: %u bytes for %u channels of %u bits", wav->frame, channels, bits);
}

/* --- the samples --- */

/* Has a writer left this size of the samples open? Most write all ones, or somewhat less than 2 GiB. */
static bool is_open(uint64_t size)
{
    return size == UINT32_MAX || size == UINT64_MAX || (size >= 0x7FFF0000 && size <= INT32_MAX);
}

/* Finds how many frames the head promises, and makes libsndfile see how many bytes there are where it would
 * see none, or too many. n: the size of the chunk "data", which begins at `at`. */
static bool check_samples(struct wav *wav, struct sound_file *file, uint64_t at, uint64_t n, uint64_t *nframe,
                          struct error *e)
{
    struct sound_patch *patch = &file->patch;
    uint64_t available = file->size - at, promised = n;
    unsigned char sizes[16];
    if (wav->frame == 0)
        return error_data(e, "the samples come before the \"fmt \" chunk");
    if (wav->has_samples)
        return error_data(e, "the file has two \"data\" chunks; only one can be read");
    wav->has_samples = true;
    *patch = (struct sound_patch){ .at = at - 4, .n = 4 };
    if (wav->rf64 && wav->sizes_at) {
        if (!sound_get(file, wav->sizes_at, sizes, sizeof sizes, e))
            return false;
        wav->total = word_get(sizes, 8, false) + CHUNK_HEAD;
        promised = word_get(sizes + 8, 8, false);
        *patch = (struct sound_patch){ .at = wav->sizes_at + 8, .n = 8 };
    }
    /* A size of 0 means no samples if the size of the whole file counts bytes that follow. */
    bool open = promised == 0 ? wav->total <= at : is_open(promised) && wav->total != file->size;
    *nframe = open ? SOUND_UNKNOWN : promised / wav->frame;
    bool misread = open ? promised < available : wav->rf64 && promised > available;
    if (misread)
        word_put(patch->bytes, available, (unsigned)patch->n, wav->big);
    else
        patch->n = 0;
    if (misread && !wav->rf64 && available > UINT32_MAX) {
        error_data(e, "the header leaves the number of samples open, and they go on after 4 GiB");
        return error_hint(e, "convert it first: sox --ignore-length IN OUT.w64");
    }
    return true;
}

/* --- the file --- */

bool wav_check(struct sound_file *file, uint64_t *nframe, struct error *e)
{
    unsigned char head[FIRST];
    struct wav wav = { .frame = 0 };
    if (!sound_get(file, 0, head, sizeof head, e))
        return false;
    wav.big = memcmp(head, "RIFX", 4) == 0;
    wav.rf64 = memcmp(head, "RF64", 4) == 0;
    wav.total = word_get(head + 4, 4, wav.big) + CHUNK_HEAD;
    uint64_t n = 0;
    size_t nchunk = 0;
    for (uint64_t at = FIRST; at + CHUNK_HEAD <= file->size; at += n + n % 2) {
        if (nchunk++ == MAXCHUNK)
            return error_data(e, "more than %d chunks", MAXCHUNK);
        if (!sound_get(file, at, head, CHUNK_HEAD, e))
            return false;
        at += CHUNK_HEAD;
        n = word_get(head + 4, 4, wav.big);
        if (memcmp(head, "fmt ", 4) == 0 && !check_format(&wav, file, at, n, e))
            return false;
        if (memcmp(head, "ds64", 4) == 0)
            wav.sizes_at = at;
        /* After cue points of a RIFX file libsndfile reads the other numbers as little-endian. */
        if (memcmp(head, "cue ", 4) == 0 && wav.big) {
            error_data(e, "cue points of a RIFX file cannot be read");
            return error_hint(e, "convert it first, as in: sox IN.wav -L OUT.wav");
        }
        if (memcmp(head, "data", 4) == 0) {
            if (!check_samples(&wav, file, at, n, nframe, e))
                return false;
            n = *nframe == SOUND_UNKNOWN ? file->size - at : *nframe * wav.frame;
        }
        if (n > file->size - at)
            break;
    }
    if (wav.frame == 0 || !wav.has_samples)
        return error_data(e, "the file has no \"%s\" chunk", wav.frame ? "data" : "fmt ");
    return true;
}
