/* A look at the head of a file before libsndfile sees the file. The decoders of the library for compressed
 * samples have faults that hostile files reach; therefore encodings other than PCM and IEEE float are refused
 * here. A look also finds what the library does not tell: how many samples the head promises, rates that are
 * no whole numbers, and metadata that the library drops. */
#include "formats/audio/audio.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

/* The error of a type of four characters. */
static bool refuse_type(struct error *e, const unsigned char *type)
{
    char text[32] = "of type \"";
    error_escape((const char *)type, 4, text + 9, 17);
    return sound_refuse_sample(e, strcat(text, "\""));
}

/* Lets libsndfile see the number x, of n bytes, in place of a wrong size at a position of the file. */
static void patch_size(struct sound *sound, uint64_t at, unsigned n, uint64_t x, bool big)
{
    sound->patch = (struct sound_patch){ .at = at, .n = n };
    word_put(sound->patch.bytes, x, n, big);
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
    /* Refuses encodings other than PCM and float by the n bytes of the format chunk; sets channels and
     * rate. */
    bool (*check)(struct sound *sound, const unsigned char *format, size_t n, struct error *e);
};

/* Reads the format chunk. */
static bool look_format(struct sound *sound, const struct chunked *layout, const struct sound_chunk *chunk,
                        struct error *e)
{
    unsigned char format[SOUND_FORMAT_BYTES] = { 0 };
    size_t n = chunk->n < sizeof format ? (size_t)chunk->n : sizeof format;
    sound->format_at = chunk->at;
    if (n < layout->least)
        return error_data(e, "the \"%s\" chunk has only %zu bytes", layout->format_id, n);
    return sound_get(sound->file, chunk->at, format, n, e) && layout->check(sound, format, n, e) &&
           sound_check(sound, e);
}

/* Finds the samples, by the head of the chunk that holds the samples. */
static bool look_samples(struct sound *sound, const struct chunked *layout, const struct sound_chunk *chunk,
                         struct error *e)
{
    uint64_t room = sound->file->size - chunk->at;
    if (sound->data)
        return error_data(e, "there are two \"%s\" chunks", layout->samples_id);
    if (room < layout->extra)
        return error_data(e, "the \"%s\" chunk has only %d bytes", layout->samples_id, (int)room);
    sound->data = chunk->at + layout->extra;
    unsigned width = layout->form.size_bytes;
    unsigned head = layout->form.counts_head ? layout->form.id_bytes + width : 0;
    bool wide = width == sizeof(uint64_t);
    /* AIFF of a program that did not know the size may promise no sample. */
    bool open = sound_is_open(chunk->n) || chunk->n < layout->extra || (chunk->n == layout->extra && !wide);
    sound->nbyte = open ? SOUND_UNKNOWN : chunk->n - layout->extra;
    if ((open || chunk->n > room) && (wide || room < UINT32_MAX))
        patch_size(sound, chunk->at - width, width, head + room, layout->form.big);
    return true;
}

/* Counts the texts of a chunk that is neither format nor samples, or lists the chunk as not carried. */
static bool look_other(struct sound *sound, const struct chunked *layout, const struct sound_chunk *chunk,
                       struct error *e)
{
    unsigned char count[4];
    if (chunk_is(chunk->id, layout->texts)) {
        sound->ntext++;
        return true;
    }
    if (chunk_is(chunk->id, "info") && chunk->n >= sizeof count) { /* CAF: many texts in a chunk */
        if (!sound_get(sound->file, chunk->at, count, sizeof count, e))
            return false;
        sound->ntext += word_get(count, sizeof count, true);
        return true;
    }
    return chunk_is(chunk->id, layout->harmless) || sound_add_chunk(sound, chunk, e);
}

static bool look_chunks(struct sound *sound, const struct chunked *layout, struct error *e)
{
    struct sound_chunk chunk;
    bool found, good;
    for (uint64_t at = layout->first;; at = chunk_end(&layout->form, &chunk)) {
        if (!chunk_read_head(sound->file, &layout->form, at, &chunk, &found, e))
            return false;
        if (!found)
            break;
        if (chunk_is(chunk.id, layout->format_id))
            good = look_format(sound, layout, &chunk, e);
        else if (chunk_is(chunk.id, layout->samples_id))
            good = look_samples(sound, layout, &chunk, e);
        else
            good = look_other(sound, layout, &chunk, e);
        if (!good)
            return false;
        bool open = sound->data && sound->nbyte == SOUND_UNKNOWN;
        if (open || chunk.n > sound->file->size - chunk.at)
            break;
    }
    return (sound->format_at && sound->data) ||
           error_data(e, "there is no \"%s\" chunk",
                      sound->format_at ? layout->samples_id : layout->format_id);
}

static bool check_aiff(struct sound *sound, const unsigned char *format, size_t n, struct error *e)
{
    unsigned char form[4];
    (void)n; /* behind the n bytes are zeros: a chunk without a type has a type of zeros */
    if (!sound_get(sound->file, 8, form, sizeof form, e))
        return false;
    if (chunk_is(form, "AIFC") && !chunk_is(format + 18, "NONEtwossowtin24in3242ni23nifl32FL32fl64FL64"))
        return refuse_type(e, format + 18);
    sound->channels = (unsigned)word_get(format, 2, true);
    /* The 80-bit float of Apple's SANE: sign and exponent, then 64 bits with an integer bit. */
    int exponent = (int)word_get(format + 8, 2, true) - 16383;
    sound->rate = format[8] & 0x80 ? 0 : ldexp((double)word_get(format + 10, 8, true), exponent - 63);
    return true;
}

bool look_aiff(struct sound *sound, struct error *e)
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
        .check = check_aiff,
    };
    return look_chunks(sound, &aiff, e);
}

static bool check_caf(struct sound *sound, const unsigned char *format, size_t n, struct error *e)
{
    uint64_t rate = word_get(format, 8, true);
    (void)n;
    memcpy(&sound->rate, &rate, sizeof sound->rate);
    sound->channels = (unsigned)word_get(format + 24, 4, true);
    return chunk_is(format + 8, "lpcm") || refuse_type(e, format + 8);
}

bool look_caf(struct sound *sound, struct error *e)
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
        .check = check_caf,
    };
    return look_chunks(sound, &caf, e);
}

static bool check_w64(struct sound *sound, const unsigned char *format, size_t n, struct error *e)
{
    return wav_read_format(sound, format, n, false, e);
}

bool look_w64(struct sound *sound, struct error *e)
{
    static const struct chunked w64 = {
        .form = { .id_bytes = 16, .size_bytes = 8, .align = 8, .counts_head = true },
        .first = 40,
        .least = 16,
        .format_id = "fmt ",
        .samples_id = "data",
        .texts = "",
        .harmless = "fact",
        .check = check_w64,
    };
    return look_chunks(sound, &w64, e);
}

/* --- AU: 24 bytes, an annotation, samples --- */

bool look_au(struct sound *sound, struct error *e)
{
    enum { HEAD = 24 };
    unsigned char head[HEAD], first = 0;
    if (!sound_get(sound->file, 0, head, sizeof head, e))
        return false;
    bool big = head[0] == '.';
    uint64_t encoding = word_get(head + 12, 4, big);
    if (encoding == 1 || encoding == 27)
        return sound_refuse_sample(e, encoding == 1 ? "mu-law" : "A-law");
    if (encoding >= 23 && encoding < 27)
        return sound_refuse_sample(e, "ADPCM");
    if (encoding < 2 || encoding > 7)
        return sound_refuse_sample(e, "of an encoding that is not known");
    sound->rate = (double)word_get(head + 16, 4, big);
    sound->channels = (unsigned)word_get(head + 20, 4, big);
    if (!sound_check(sound, e))
        return false;
    sound->data = word_get(head + 4, 4, big);
    if (sound->data < HEAD || sound->data > sound->file->size)
        return error_data(e, "the header says that samples begin at byte %llu",
                          (unsigned long long)sound->data);
    /* The annotation is a text that ends with a NUL: many programs write an empty text of 4 or 8 zeros. */
    struct sound_chunk annotation = { .id = "info", .at = HEAD, .n = sound->data - HEAD };
    if (annotation.n > 0 && !sound_get(sound->file, HEAD, &first, 1, e))
        return false;
    if (first && !sound_add_chunk(sound, &annotation, e))
        return false;
    uint64_t available = sound->file->size - sound->data, promised = word_get(head + 8, 4, big);
    sound->nbyte = promised == 0 || promised == UINT32_MAX ? SOUND_UNKNOWN : promised;
    if (sound->nbyte < available)
        snprintf(sound->remark, sizeof sound->remark, "what follows the samples, %llu byte%s, is dropped",
                 (unsigned long long)(available - promised), error_plural(available - promised));
    if (promised == 0 && available < UINT32_MAX)
        patch_size(sound, 8, 4, available, big);
    return true;
}

/* --- FLAC: blocks of metadata --- */

/* Reads a length of 4 bytes at *at, and moves *at behind the length; false where the block ends. */
static bool read_length(struct sound *sound, uint64_t *at, uint64_t end, uint64_t *length)
{
    unsigned char bytes[4];
    struct error ignored; /* libsndfile reads the same bytes, and reports the error */
    if (end - *at < sizeof bytes || !sound_get(sound->file, *at, bytes, sizeof bytes, &ignored))
        return false;
    *at += sizeof bytes;
    *length = word_get(bytes, sizeof bytes, false);
    return true;
}

/* Counts the texts in the block of tags from `at` to `end`: a name of the encoder, the number of texts, and
 * the texts, each after its length. The tag "encoder" is not counted: another program writes the file now. */
static void count_tags(struct sound *sound, uint64_t at, uint64_t end)
{
    uint64_t length, ntag;
    char key[8];
    struct error ignored;
    if (!read_length(sound, &at, end, &length) || length > end - at)
        return;
    at += length;
    if (!read_length(sound, &at, end, &ntag))
        return;
    for (; ntag > 0 && read_length(sound, &at, end, &length) && length <= end - at; ntag--, at += length) {
        bool read = length >= sizeof key && sound_get(sound->file, at, key, sizeof key, &ignored);
        sound->ntext += !read || strncasecmp(key, "encoder=", sizeof key) != 0;
    }
}

bool look_flac(struct sound *sound, struct error *e)
{
    enum {
        FIRST = 4,   /* position of the first block */
        HEAD = 4,    /* bytes of the head of a block: the type, and a length of 3 bytes */
        LAST = 0x80, /* set in the type of the last block */
        TAGS = 4     /* type of a block of tags */
    };
    /* By the type of a block: a name for the block, if libsndfile does not carry it. */
    static const char lost[][5] = { [2] = "APPL", [5] = "CUES", [6] = "PICT" };
    unsigned char head[HEAD] = { 0 };
    uint64_t size = sound->file->size;
    for (uint64_t at = FIRST; head[0] < LAST && size - at >= HEAD;) {
        if (!sound_get(sound->file, at, head, HEAD, e))
            return false;
        struct sound_chunk block = { .at = at + HEAD, .n = word_get(head + 1, 3, true) };
        unsigned type = head[0] & (LAST - 1);
        if (block.n > size - block.at)
            return true;
        at = block.at + block.n;
        if (type == TAGS)
            count_tags(sound, block.at, at);
        if (type >= sizeof lost / sizeof *lost || !*lost[type])
            continue;
        memcpy(block.id, lost[type], sizeof block.id);
        if (!sound_add_chunk(sound, &block, e))
            return false;
    }
    return true;
}
