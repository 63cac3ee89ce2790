/* A look at the head of each container that libsndfile reads. Its decoders of compressed samples
 * have faults that hostile files reach, so that other encodings are refused before. A look also finds what
 * the library does not tell: the number of frames that the head promises, rates that are no whole numbers,
 * and metadata that the library drops. */
#include "formats/audio/audio.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

bool sound_refuse_sample(struct error *e, const char *what)
{
    error_data(e, "the samples are %s, and only PCM and IEEE float are read", what);
    return error_hint(e, "decode it first, as in: sox IN -b 16 -e signed OUT");
}

/* The same for a type of four characters. */
static bool refuse_type(struct error *e, const unsigned char *type)
{
    char text[32] = "of type \"";
    error_escape((const char *)type, 4, text + 9, 17);
    return sound_refuse_sample(e, strcat(text, "\""));
}

unsigned sound_file_width(const struct sound *s)
{
    static const unsigned char width[] = { 1, 2, 3, 4, 4, 8 };
    return width[s->sample];
}

unsigned sound_width(const struct sound *s)
{
    return s->words && s->sample < SOUND_FLOAT ? sizeof(int32_t) : sound_file_width(s);
}

size_t sound_frame(const struct sound *s)
{
    return (size_t)s->channels * sound_width(s);
}

bool sound_set_sample(struct sound *s, bool real, unsigned bits, uint64_t frame_bytes, struct error *e)
{
    if (real ? bits != 32 && bits != 64 : bits < 1 || bits > 32)
        return error_data(e, "samples of %u bit%s cannot be read", bits, error_plural(bits));
    s->sample = SOUND_PCM8 + (bits - 1) / 8;
    if (real)
        s->sample = bits == 32 ? SOUND_FLOAT : SOUND_DOUBLE;
    if (s->channels == 0)
        return error_data(e, "the header says 0 channels");
    if (s->channels > SOUND_MAXCHANNEL)
        return error_data(e, "%u channels; at most %d can be read", s->channels, SOUND_MAXCHANNEL);
    if (!(s->rate >= 1e-6 && s->rate <= 1e12)) /* other rates make infinite times */
        return error_data(e, "the header says %g frames per second", s->rate);
    if (frame_bytes == SOUND_UNKNOWN || frame_bytes == (uint64_t)s->channels * sound_file_width(s))
        return true;
    return error_data(e, "the header contradicts itself: %u bytes for %u channels of %u bits",
                      (unsigned)frame_bytes, s->channels, bits);
}

void sound_set_length(struct sound *s, uint64_t promised, uint64_t available)
{
    uint64_t frame = (uint64_t)s->channels * sound_file_width(s);
    uint64_t n = promised < available ? promised : available;
    s->promised = promised == SOUND_UNKNOWN ? SOUND_UNKNOWN : promised / frame;
    s->present = available == SOUND_UNKNOWN ? SOUND_UNKNOWN : n / frame;
    if (n != SOUND_UNKNOWN && n % frame != 0)
        snprintf(s->remark, sizeof s->remark, "what follows the last whole frame, %u of %u bytes, is dropped",
                 (unsigned)(n % frame), (unsigned)frame);
}

/* Lets libsndfile see the number x, of n bytes, in place of a wrong size in the file. */
static void patch(struct sound *s, uint64_t at, unsigned n, uint64_t x, bool big)
{
    struct sound_patch *p = &s->patch[s->npatch++];
    p->at = at;
    p->n = n;
    sound_put_word(p->bytes, x, n, big);
}

/* --- containers of chunks: AIFF, CAF, W64 --- */

struct chunked {
    struct chunk_form form;
    unsigned first; /* position of the first chunk */
    unsigned extra; /* bytes before the samples in the chunk of the samples */
    unsigned least; /* bytes of the shortest format chunk */
    const char *format_id, *samples_id;
    const char *texts;    /* ids of chunks that hold a text and that libsndfile carries */
    const char *harmless; /* ids of chunks that are written anew, or hold no information */
    /* Reads the first n bytes of the format chunk, n <= SOUND_FORMAT_BYTES, from s->format. Sets *promised to
     * the bytes of samples if the format chunk tells the number. */
    bool (*describe)(struct sound *s, size_t n, uint64_t *promised, struct error *e);
};

/* Counts the texts of a chunk that is neither format nor samples, or lists the chunk as not carried. */
static bool look_other(struct sound *s, const struct chunked *c, const struct sound_chunk *chunk,
                       struct error *e)
{
    unsigned char count[4];
    if (chunk_is(chunk->id, c->texts)) {
        s->ntext++;
        return true;
    }
    if (chunk_is(chunk->id, "info") && chunk->n >= sizeof count) { /* CAF: many texts in a chunk */
        if (!sound_get(s->file, chunk->at, count, sizeof count, e))
            return false;
        s->ntext += sound_word(count, sizeof count, true);
        return true;
    }
    return chunk_is(chunk->id, c->harmless) || sound_add_chunk(s, chunk, e);
}

static bool look_chunks(struct sound *s, const struct chunked *c, struct error *e)
{
    struct sound_chunk format = { .at = 0 }, samples = { .at = 0 }, chunk;
    uint64_t promised = SOUND_UNKNOWN, size = s->file->size;
    bool found = true;
    for (uint64_t at = c->first; found; at = chunk_end(&c->form, &chunk)) {
        if (!chunk_read_head(s->file, &c->form, at, &chunk, &found, e))
            return false;
        if (!found)
            break;
        bool is_samples = chunk_is(chunk.id, c->samples_id), is_format = chunk_is(chunk.id, c->format_id);
        if ((is_samples && samples.at) || (is_format && format.at))
            return error_data(e, "there are two \"%.4s\" chunks", chunk.id);
        if (is_samples)
            samples = chunk;
        if (is_format)
            format = chunk;
        if (!is_samples && !is_format && !look_other(s, c, &chunk, e))
            return false;
        if (chunk.n > size - chunk.at)
            break;
    }
    s->nformat = format.n < sizeof s->format ? (size_t)format.n : sizeof s->format;
    if (!format.at || s->nformat < c->least)
        return error_data(e, "there is no \"%s\" chunk, or it is too short", c->format_id);
    if (!sound_get(s->file, format.at, s->format, s->nformat, e) || !c->describe(s, s->nformat, &promised, e))
        return false;
    if (!samples.at || size - samples.at < c->extra)
        return error_data(e, "there is no \"%s\" chunk, or it is too short", c->samples_id);
    s->data = samples.at + c->extra;
    uint64_t available = size - s->data, held = samples.n - c->extra;
    /* A program that streams writes the size 0, all ones, or nearly 2 GiB, whatever the size of the file. */
    bool open = samples.n <= c->extra || held > INT64_MAX || (held >= 0x7EFF0000 && held <= INT32_MAX);
    available = open || held > available ? available : held;
    if (promised == SOUND_UNKNOWN || (promised >= 0x7EFF0000 && promised <= INT32_MAX))
        promised = open && held != available ? SOUND_UNKNOWN : held;
    if (promised == 0 && available > 0)
        promised = SOUND_UNKNOWN;
    sound_set_length(s, promised, available);
    uint64_t frame = (uint64_t)s->channels * sound_file_width(s);
    if (s->present == s->promised)
        return true;
    uint64_t head = c->form.counts_head ? c->form.id_bytes + c->form.size_bytes : 0;
    patch(s, samples.at - c->form.size_bytes, c->form.size_bytes, head + c->extra + s->present * frame,
          c->form.big);
    if (chunk_is(c->format_id, "COMM"))
        patch(s, format.at + 2, 4, s->present, true);
    return true;
}

static bool describe_aiff(struct sound *s, size_t n, uint64_t *promised, struct error *e)
{
    static const struct {
        char type[4];
        bool real;
        unsigned bits; /* 0: as the head says */
    } types[] = { { "NONE", false, 0 },  { "twos", false, 0 },  { "sowt", false, 0 },  { "in24", false, 24 },
                  { "in32", false, 32 }, { "42ni", false, 24 }, { "23ni", false, 32 }, { "fl32", true, 32 },
                  { "FL32", true, 32 },  { "fl64", true, 64 },  { "FL64", true, 64 } };
    unsigned char form[4];
    if (!sound_get(s->file, 8, form, sizeof form, e))
        return false;
    size_t i = 0, ntype = sizeof types / sizeof *types;
    bool typed = chunk_is(form, "AIFC");
    while (typed && n >= 22 && i < ntype && memcmp(types[i].type, s->format + 18, 4) != 0)
        i++;
    if (i == ntype)
        return refuse_type(e, s->format + 18);
    unsigned bits = types[i].bits ? types[i].bits : (unsigned)sound_word(s->format + 6, 2, true);
    s->channels = (unsigned)sound_word(s->format, 2, true);
    /* The 80-bit float of Apple's SANE: sign and exponent, then 64 bits with an integer bit. */
    int exponent = (int)sound_word(s->format + 8, 2, true) - 16383;
    s->rate = s->format[8] & 0x80 ? 0 : ldexp((double)sound_word(s->format + 10, 8, true), exponent - 63);
    if (!sound_set_sample(s, types[i].real, bits, SOUND_UNKNOWN, e))
        return false;
    *promised = sound_word(s->format + 2, 4, true) * s->channels * sound_file_width(s);
    return true;
}

bool look_aiff(struct sound *s, struct error *e)
{
    static const struct chunked aiff = {
        .form = { .id_bytes = 4, .size_bytes = 4, .align = 2, .big = true },
        .first = 12,
        .extra = 8,
        .least = 18,
        .format_id = "COMM",
        .samples_id = "SSND",
        .texts = "NAMEAUTHANNO(c) ",
        .harmless = "FVERPEAKCHAN",
        .describe = describe_aiff,
    };
    return look_chunks(s, &aiff, e);
}

static bool describe_caf(struct sound *s, size_t n, uint64_t *promised, struct error *e)
{
    enum { REAL = 1 }; /* a flag */
    uint64_t rate = sound_word(s->format, 8, true);
    (void)n;
    (void)promised;
    memcpy(&s->rate, &rate, sizeof s->rate);
    s->channels = (unsigned)sound_word(s->format + 24, 4, true);
    if (memcmp(s->format + 8, "lpcm", 4) != 0)
        return refuse_type(e, s->format + 8);
    return sound_set_sample(s, sound_word(s->format + 12, 4, true) & REAL,
                            (unsigned)sound_word(s->format + 28, 4, true),
                            sound_word(s->format + 16, 4, true), e);
}

bool look_caf(struct sound *s, struct error *e)
{
    static const struct chunked caf = {
        .form = { .id_bytes = 4, .size_bytes = 8, .align = 1, .big = true },
        .first = 8,
        .extra = 4,
        .least = 32,
        .format_id = "desc",
        .samples_id = "data",
        .texts = "",
        .harmless = "freepeakchan",
        .describe = describe_caf,
    };
    return look_chunks(s, &caf, e);
}

static bool describe_w64(struct sound *s, size_t n, uint64_t *promised, struct error *e)
{
    (void)n;
    (void)promised;
    return wav_read_format(s, false, e);
}

bool look_w64(struct sound *s, struct error *e)
{
    static const struct chunked w64 = {
        .form = { .id_bytes = 16, .size_bytes = 8, .align = 8, .counts_head = true },
        .first = 40,
        .least = 16,
        .format_id = "fmt ",
        .samples_id = "data",
        .texts = "",
        .harmless = "fact",
        .describe = describe_w64,
    };
    return look_chunks(s, &w64, e);
}

/* --- AU: 24 bytes, an annotation, samples --- */

bool look_au(struct sound *s, struct error *e)
{
    enum { HEAD = 24, NOTE = 8 }; /* many programs write an annotation of 4 or 8 zeros */
    static const unsigned char zeros[NOTE];
    unsigned char head[HEAD], note[NOTE] = { 1 };
    if (!sound_get(s->file, 0, head, sizeof head, e))
        return false;
    bool big = head[0] == '.';
    s->data = sound_word(head + 4, 4, big);
    uint64_t promised = sound_word(head + 8, 4, big), encoding = sound_word(head + 12, 4, big);
    s->rate = (double)sound_word(head + 16, 4, big);
    s->channels = (unsigned)sound_word(head + 20, 4, big);
    static const unsigned char bits[] = { [2] = 8, [3] = 16, [4] = 24, [5] = 32, [6] = 32, [7] = 64 };
    if (encoding == 1 || encoding == 27)
        return sound_refuse_sample(e, encoding == 1 ? "mu-law" : "A-law");
    if (encoding < 2 || encoding > 7)
        return sound_refuse_sample(e, encoding >= 23 && encoding < 27 ? "ADPCM"
                                                                      : "of an encoding that is not known");
    if (!sound_set_sample(s, encoding >= 6, bits[encoding], SOUND_UNKNOWN, e))
        return false;
    if (s->data < HEAD || s->data > s->file->size)
        return error_data(e, "the header says that samples begin at byte %llu", (unsigned long long)s->data);
    struct sound_chunk info = { .id = "info", .at = HEAD, .n = s->data - HEAD };
    if (info.n <= NOTE && !sound_get(s->file, HEAD, note, (size_t)info.n, e))
        return false;
    bool blank = info.n <= NOTE && memcmp(note, zeros, (size_t)info.n) == 0;
    if (!blank && !sound_add_chunk(s, &info, e))
        return false;
    uint64_t available = s->file->size - s->data;
    if (promised == UINT32_MAX || promised == 0)
        promised = SOUND_UNKNOWN;
    sound_set_length(s, promised, available);
    if (promised < available)
        snprintf(s->remark, sizeof s->remark, "what follows the samples, %llu byte%s, is dropped",
                 (unsigned long long)(available - promised), error_plural(available - promised));
    if (promised == SOUND_UNKNOWN && available < UINT32_MAX)
        patch(s, 8, 4, available, big);
    return true;
}

/* --- FLAC: blocks of metadata --- */

/* Counts the texts in the block of n bytes; the name of the encoder is no loss. */
static bool count_tags(struct sound *s, uint64_t at, uint64_t n, struct error *e)
{
    unsigned char size[4];
    char key[8];
    uint64_t end = at + n;
    for (uint64_t i = 0, ntag = 1; i <= ntag && end - at >= sizeof size; i++) {
        if (!sound_get(s->file, at, size, sizeof size, e))
            return false;
        at += sizeof size;
        uint64_t length = sound_word(size, sizeof size, false);
        if (length > end - at)
            return true;
        bool encoder = length >= sizeof key && sound_get(s->file, at, key, sizeof key, e) &&
                       strncasecmp(key, "encoder=", sizeof key) == 0;
        at += length;
        if (i > 0 && !encoder)
            s->ntext++;
        if (i > 0 || end - at < sizeof size)
            continue;
        if (!sound_get(s->file, at, size, sizeof size, e)) /* after the first text, the vendor */
            return false;
        ntag = sound_word(size, sizeof size, false);
        at += sizeof size;
    }
    return true;
}

bool look_flac(struct sound *s, struct error *e)
{
    static const char lost[][5] = {
        "", "", "APPL", "", "", "CUES", "PICT"
    }; /* types of blocks that are lost */
    enum { DESCRIPTION = 26, TAGS = 4 };
    unsigned char head[DESCRIPTION];
    if (!sound_get(s->file, 0, head, sizeof head, e))
        return false;
    if ((head[4] & 0x7F) != 0)
        return error_data(e, "the header does not begin with its description");
    unsigned bits = ((head[20] & 1u) << 4 | head[21] >> 4) + 1u;
    if (bits != 8 && bits != 16 && bits != 24)
        return error_data(e, "FLAC of %u bit%s cannot be read, only of 8, 16 and 24", bits,
                          error_plural(bits));
    uint64_t nframe = (uint64_t)(head[21] & 15) << 32 | sound_word(head + 22, 4, true);
    s->promised = nframe ? nframe : SOUND_UNKNOWN;
    uint64_t size = s->file->size;
    bool last = false;
    for (uint64_t at = 4; !last && size - at >= 4;) {
        if (!sound_get(s->file, at, head, 4, e))
            return false;
        struct sound_chunk block = { .at = at + 4, .n = sound_word(head + 1, 3, true) };
        unsigned type = head[0] & 0x7F;
        last = head[0] >> 7 || block.n > size - block.at;
        const char *name = type < sizeof lost / sizeof *lost ? lost[type] : "";
        memcpy(block.id, name, *name ? sizeof block.id : 0);
        if ((*name && !sound_add_chunk(s, &block, e)) ||
            (type == TAGS && !last && !count_tags(s, block.at, block.n, e)))
            return false;
        at = block.at + block.n;
    }
    return true;
}
