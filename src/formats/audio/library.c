/* Files that libsndfile reads and writes, which only this file calls. Invariant: the library never gets a
 * descriptor, only functions of this file, so that every failed read or write is seen here with its errno
 * (sf_close reports no errno), and the library closes no descriptor. */
#include "formats/audio/audio.h"

#include <math.h>
#include <sched.h>
#include <sndfile.h>
#include <stdlib.h>
#include <string.h>

/* The encodings of samples: first the encodings that are written, by the type of the sample, then further
 * encodings that are read. */
static const struct {
    int subtype; /* libsndfile's number */
    enum sound_sample sample;
} encodings[] = {
    [SOUND_PCM8] = { SF_FORMAT_PCM_S8, SOUND_PCM8 },
    [SOUND_PCM16] = { SF_FORMAT_PCM_16, SOUND_PCM16 },
    [SOUND_PCM24] = { SF_FORMAT_PCM_24, SOUND_PCM24 },
    [SOUND_PCM32] = { SF_FORMAT_PCM_32, SOUND_PCM32 },
    [SOUND_FLOAT] = { SF_FORMAT_FLOAT, SOUND_FLOAT },
    [SOUND_DOUBLE] = { SF_FORMAT_DOUBLE, SOUND_DOUBLE },
    { SF_FORMAT_PCM_U8, SOUND_PCM8 },
    { SF_FORMAT_VORBIS, SOUND_FLOAT },
    { SF_FORMAT_OPUS, SOUND_FLOAT },
};

/* The kinds of text that are copied. SF_STR_SOFTWARE is not copied: the library adds its own version to
 * it. */
static const int texts[] = { SF_STR_TITLE, SF_STR_COPYRIGHT, SF_STR_ARTIST,      SF_STR_COMMENT, SF_STR_DATE,
                             SF_STR_ALBUM, SF_STR_LICENSE,   SF_STR_TRACKNUMBER, SF_STR_GENRE };

/* --- the functions that the library calls --- */

static sf_count_t file_size(void *user)
{
    const struct codec *codec = user;
    return (sf_count_t)(codec->output ? codec->output->size : codec->sound->file->size);
}

static sf_count_t file_seek(sf_count_t offset, int whence, void *user)
{
    struct codec *codec = user;
    sf_count_t from = 0;
    if (whence != SEEK_SET)
        from = whence == SEEK_CUR ? (sf_count_t)codec->at : file_size(user);
    if (offset < -from || offset > ((sf_count_t)1 << 62) - from)
        return -1;
    codec->at = (uint64_t)(from + offset);
    return from + offset;
}

static sf_count_t file_tell(void *user)
{
    return (sf_count_t)((const struct codec *)user)->at;
}

static sf_count_t file_read(void *buf, sf_count_t count, void *user)
{
    struct codec *codec = user;
    const struct sound *sound = codec->sound;
    if (codec->output || codec->at >= sound->file->size || count <= 0)
        return 0;
    uint64_t room = sound->file->size - codec->at, n = (uint64_t)count < room ? (uint64_t)count : room;
    if (!sound_get(sound->file, codec->at, buf, (size_t)n, &codec->error))
        return 0;
    codec->at += n;
    return (sf_count_t)n;
}

static sf_count_t file_write(const void *buf, sf_count_t count, void *user)
{
    struct codec *codec = user;
    if (codec->error.kind != ERROR_NONE || count < 0 ||
        !tempfile_write(codec->output, codec->at, buf, (size_t)count, &codec->error))
        return 0;
    codec->at += (uint64_t)count;
    return count;
}

/* Sets *e to the error of a read or write, or else to an error in the library's words, after `what`. Returns
 * false. */
static bool explain(struct codec *codec, const char *what, struct error *e)
{
    if (codec->error.kind != ERROR_NONE) {
        *e = codec->error;
        return false;
    }
    const char *words = sf_strerror(codec->library);
    words += strncmp(words, "Error : ", 8) == 0 ? 8 : 0;
    size_t n = strlen(words);
    n -= n > 0 && words[n - 1] == '.';
    return error_data(e, "%s: %.*s", what, (int)n, words);
}

static bool open_file(struct codec *codec, SF_INFO *info, struct error *e)
{
    static SF_VIRTUAL_IO io = { file_size, file_seek, file_read, file_write, file_tell };
    static atomic_flag busy = ATOMIC_FLAG_INIT;
    /* sf_open leaves its error in a variable of the whole process: one thread at a time opens. */
    while (atomic_flag_test_and_set_explicit(&busy, memory_order_acquire))
        sched_yield();
    codec->library = sf_open_virtual(&io, codec->output ? SFM_WRITE : SFM_READ, info, codec);
    if (!codec->library)
        explain(codec, "libsndfile refuses the file", e);
    atomic_flag_clear_explicit(&busy, memory_order_release);
    return codec->library != NULL;
}

/* --- cue points --- */

/* Room for n cue points, malloc'ed; sets *nbyte to the bytes of the room. libsndfile declares 100 points, and
 * reads and writes as many points as there is room for. */
static SF_CUES *make_cues(size_t n, int *nbyte)
{
    *nbyte = (int)(sizeof(SF_CUES) + n * sizeof(SF_CUE_POINT));
    SF_CUES *cues = calloc(1, (size_t)*nbyte);
    if (cues)
        cues->cue_count = (uint32_t)n;
    return cues;
}

/* Reads the cue points of an open file into the codec and the description. */
static bool read_cues(struct codec *codec, struct sound *sound, struct error *e)
{
    uint32_t n = 0;
    int nbyte;
    if (!sf_command(codec->library, SFC_GET_CUE_COUNT, &n, sizeof n) || n > SOUND_MAXCUE)
        return true;
    SF_CUES *cues = codec->cues = make_cues(n, &nbyte);
    if (!cues)
        return error_memory(e);
    if (!sf_command(codec->library, SFC_GET_CUE, cues, nbyte))
        cues->cue_count = 0;
    const SF_CUE_POINT *points = cues->cue_points;
    for (uint32_t i = 0; i < cues->cue_count; i++)
        if (!sound_add_cue(sound, (struct sound_cue){ i + 1, points[i].sample_offset }, e))
            return false;
    return true;
}

static bool write_cues(struct recording *recording, struct error *e)
{
    const struct sound *sound = &recording->sound;
    const SF_CUES *named = recording->input ? recording->input->codec.cues : NULL;
    size_t n = sound->ncue < LIBRARY_MAXCUE ? sound->ncue : LIBRARY_MAXCUE;
    int nbyte;
    SF_CUES *cues = make_cues(n, &nbyte);
    if (!cues)
        return error_memory(e);
    SF_CUE_POINT *points = cues->cue_points;
    const SF_CUE_POINT *named_points = named ? named->cue_points : NULL;
    for (size_t i = 0; i < n; i++) {
        double frame = ceil((double)sound->cue[i].frame * recording->stretch);
        points[i].indx = (int32_t)i + 1;
        points[i].position = points[i].sample_offset = (uint32_t)fmin(frame, UINT32_MAX);
        if (named)
            memcpy(points[i].name, named_points[i].name, sizeof points[i].name);
    }
    bool good = n == 0 || sf_command(recording->codec.library, SFC_SET_CUE, cues, nbyte);
    free(cues);
    return good || explain(&recording->codec, "cannot write cue points", e);
}

/* --- to read --- */

/* The error of samples in an encoding, by libsndfile's name. Returns false. */
static bool refuse_encoding(struct codec *codec, int subtype, struct error *e)
{
    SF_FORMAT_INFO encoding = { .format = subtype };
    bool known = sf_command(codec->library, SFC_GET_FORMAT_INFO, &encoding, sizeof encoding) == 0;
    return sound_refuse_sample(e, known && encoding.name ? encoding.name : "in an unknown encoding");
}

bool library_open(struct codec *codec, struct sound *sound, struct error *e)
{
    SF_INFO info = { 0 };
    *codec = (struct codec){ .sound = sound };
    sound->words = true;
    sound->big = __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__;
    if (!open_file(codec, &info, e))
        return false;
    size_t i = 0, nencoding = sizeof encodings / sizeof *encodings;
    while (i < nencoding && encodings[i].subtype != (info.format & SF_FORMAT_SUBMASK))
        i++;
    if (i == nencoding)
        return refuse_encoding(codec, info.format & SF_FORMAT_SUBMASK, e);
    sound->sample = encodings[i].sample;
    sound->channels = (unsigned)info.channels;
    sound->rate = info.samplerate;
    if (!sound_check(sound, e))
        return false;
    /* The decoders of Ogg know the number at the end. */
    if (!sound->container->read_only && info.frames < SF_COUNT_MAX)
        sound->promised = (uint64_t)info.frames;
    return read_cues(codec, sound, e);
}

bool library_read(struct codec *codec, void *frames, size_t maxframe, size_t *nframe, struct error *e)
{
    sf_count_t got, max = (sf_count_t)maxframe;
    if (codec->sound->sample == SOUND_DOUBLE)
        got = sf_readf_double(codec->library, frames, max);
    else if (codec->sound->sample == SOUND_FLOAT)
        got = sf_readf_float(codec->library, frames, max);
    else
        got = sf_readf_int(codec->library, frames, max);
    *nframe = got > 0 ? (size_t)got : 0;
    if (codec->error.kind != ERROR_NONE)
        return explain(codec, "damaged", e);
    /* Where the file ends too early, the caller has the better message. */
    return *nframe == maxframe || sf_error(codec->library) == SF_ERR_NO_ERROR ||
           codec->at >= codec->sound->file->size || explain(codec, "damaged", e);
}

/* --- to write --- */

size_t library_count_texts(const struct codec *codec, const struct sound_container *container)
{
    if (container->last_text == 0)
        return 0;
    size_t n = 0;
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        n += texts[i] <= container->last_text && sf_get_string(codec->library, texts[i]);
    return n;
}

static void copy_texts(struct codec *codec, const struct codec *from)
{
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        const char *text = sf_get_string(from->library, texts[i]);
        if (text)
            sf_set_string(codec->library, texts[i], text);
    }
}

static void copy_channel_map(struct codec *codec, const struct codec *from)
{
    int map[SOUND_MAXCHANNEL];
    int size = (int)(codec->sound->channels * sizeof *map);
    if (from->sound->channels == codec->sound->channels &&
        sf_command(from->library, SFC_GET_CHANNEL_MAP_INFO, map, size))
        sf_command(codec->library, SFC_SET_CHANNEL_MAP_INFO, map, size);
}

bool library_create(struct recording *recording, struct error *e)
{
    const struct sound *sound = &recording->sound;
    const struct codec *from = recording->input && recording->input->codec.library ? &recording->input->codec
                                                                                   : NULL;
    SF_INFO info = { .samplerate = (int)sound->rate,
                     .channels = (int)sound->channels,
                     .format = sound->container->library | encodings[sound->sample].subtype };
    if (sound->sample == SOUND_PCM8 && sound->container->library == SF_FORMAT_W64)
        info.format = SF_FORMAT_W64 | SF_FORMAT_PCM_U8;
    /* Where container and type of the samples stay, the order of bytes stays, too. */
    bool same = from && recording->same && sound->sample == from->sound->sample &&
                sound->sample != SOUND_PCM8;
    SF_INFO read = { 0 };
    if (same && !sf_command(from->library, SFC_GET_CURRENT_SF_INFO, &read, sizeof read))
        info.format |= read.format & SF_FORMAT_ENDMASK;
    recording->codec = (struct codec){ .sound = sound, .output = &recording->file };
    if (!open_file(&recording->codec, &info, e))
        return false;
    /* A PEAK chunk would hold the time of day. */
    sf_command(recording->codec.library, SFC_SET_ADD_PEAK_CHUNK, NULL, SF_FALSE);
    if (from) {
        copy_texts(&recording->codec, from);
        copy_channel_map(&recording->codec, from);
    }
    return write_cues(recording, e);
}

bool library_write(struct codec *codec, const void *frames, size_t nframe, struct error *e)
{
    sf_count_t done, n = (sf_count_t)nframe;
    if (codec->sound->sample == SOUND_DOUBLE)
        done = sf_writef_double(codec->library, frames, n);
    else if (codec->sound->sample == SOUND_FLOAT)
        done = sf_writef_float(codec->library, frames, n);
    else
        done = sf_writef_int(codec->library, frames, n);
    return (done == n && codec->error.kind == ERROR_NONE) || explain(codec, "cannot write samples", e);
}

/* Finds a chunk of an AIFF file that is complete. */
static bool find_chunk(struct sound_file *file, const char *id, struct sound_chunk *chunk, struct error *e)
{
    enum { FIRST = 12 }; /* position of the first chunk */
    bool found;
    for (uint64_t at = FIRST; chunk_read_head(file, at, true, chunk, &found, e); at = chunk_end(chunk)) {
        if (!found)
            return error_data(e, "cannot finish the file: no \"%s\" chunk", id);
        if (chunk_is(chunk->id, id))
            return true;
    }
    return false;
}

/* Corrects the number of frames and the size of the samples in the head of an AIFF file: libsndfile counts
 * the padding byte after an odd number of bytes as a sample. The file was opened for reading and writing. */
static bool mend_aiff(struct codec *codec, struct error *e)
{
    const struct sound *sound = codec->sound;
    uint64_t nbyte = sound->promised * sound->channels * sound_file_width(sound);
    if (sound->container->library != SF_FORMAT_AIFF || nbyte % 2 == 0)
        return true;
    struct sound_file file = { .fd = codec->output->fd, .size = codec->output->size };
    struct sound_chunk description, samples;
    unsigned char nframe[4], size[4];
    word_put(nframe, sound->promised, sizeof nframe, true);
    word_put(size, nbyte + 8, sizeof size, true);
    return find_chunk(&file, "COMM", &description, e) && find_chunk(&file, "SSND", &samples, e) &&
           tempfile_write(codec->output, description.at + 2, nframe, sizeof nframe, e) &&
           tempfile_write(codec->output, samples.at - sizeof size, size, sizeof size, e);
}

bool library_close(struct codec *codec, struct error *e)
{
    bool open = codec->library != NULL;
    bool good = !open || sf_close(codec->library) == 0;
    codec->library = NULL;
    free(codec->cues);
    codec->cues = NULL;
    if (!e)
        return true;
    if (!good || codec->error.kind != ERROR_NONE)
        return explain(codec, "cannot finish the file", e);
    return !open || !codec->output || mend_aiff(codec, e);
}

/* --- the formats --- */

/* The descriptor of a format. The first four bytes of a file are one of the four characters in magics; the
 * four bytes at byte 8 are one of those in types, unless types is empty. least: bytes that sniff needs. */
#define AUDIO_FORMAT(name_, summary_, keeps_, suffixes_, least, magics, types, ...)                          \
    static bool sniff_##name_(const unsigned char *head, size_t nhead)                                       \
    {                                                                                                        \
        return nhead >= (least) && chunk_is(head, magics) && (!*(types) || chunk_is(head + 8, types));       \
    }                                                                                                        \
    const struct format format_##name_ = {                                                                   \
        .name = #name_,                                                                                      \
        .summary = summary_,                                                                                 \
        .keeps = keeps_,                                                                                     \
        .suffixes = suffixes_,                                                                               \
        .sniff = sniff_##name_,                                                                              \
        .kind = &(const struct sound_container){ __VA_ARGS__ },                                              \
        AUDIO,                                                                                               \
    };

#define SUFFIXES(...)                                                                                        \
    (const char *const[])                                                                                    \
    {                                                                                                        \
        __VA_ARGS__, NULL                                                                                    \
    }

#define AUDIO                                                                                                \
    .open = audio_open, .bind = audio_bind, .load = audio_load, .parse = audio_parse, .cell = audio_cell,    \
    .close = audio_close, .accept = audio_accept, .begin = audio_begin, .print = audio_print,                \
    .store = audio_store, .finish = audio_finish, .end = audio_end, .keeps_shape = true,                     \
    .family = FAMILY_AUDIO

#define KEEPS(also)                                                                                          \
    "Keeps samples that do not change and their type" also                                                   \
    "; other metadata may be lost, so --in-place needs --force."

/* clang-format off */
AUDIO_FORMAT(wav, "WAV, RIFX and RF64 audio",
             "Keeps samples that do not change, their type, and every chunk that is still correct. Chunks "
             "that no longer match the samples are dropped, with a warning unless they only summarized the "
             "samples.",
             SUFFIXES(".wav", ".wave", ".rf64"), 12, "RIFFRIFXRF64", "WAVE",
             .name = "WAV", .most_channels = SOUND_MAXCHANNEL, .real = true, .cues = true)
AUDIO_FORMAT(au, "AU audio", KEEPS(""),
             SUFFIXES(".au", ".snd"), 4, ".snddns.", "",
             .name = "AU", .library = SF_FORMAT_AU, .most_channels = SOUND_MAXCHANNEL,
             .real = true)
AUDIO_FORMAT(aiff, "AIFF and AIFC audio",
             KEEPS(", cue points, title, author, copyright and annotation"),
             SUFFIXES(".aiff", ".aif", ".aifc"), 12, "FORM", "AIFFAIFC",
             .name = "AIFF", .library = SF_FORMAT_AIFF, .most_channels = SOUND_MAXCHANNEL,
             .real = true, .cues = true, .small = true, .last_text = SF_STR_COMMENT)
AUDIO_FORMAT(flac, "FLAC audio, compressed without loss", KEEPS(", and the usual tags"),
             SUFFIXES(".flac"), 12, "fLaC", "",
             .name = "FLAC", .library = SF_FORMAT_FLAC, .most_channels = 8,
             .last_text = SF_STR_LAST)
AUDIO_FORMAT(caf, "Core Audio Format", KEEPS(", and the usual tags"),
             SUFFIXES(".caf"), 12, "caff", "",
             .name = "CAF", .library = SF_FORMAT_CAF, .most_channels = SOUND_MAXCHANNEL,
             .real = true, .last_text = SF_STR_LAST)
AUDIO_FORMAT(w64, "Sony Wave64 audio", KEEPS(""),
             SUFFIXES(".w64"), 12, "riff", "\xA5\xD6\x28\xDB",
             .name = "W64", .library = SF_FORMAT_W64, .most_channels = SOUND_MAXCHANNEL,
             .real = true)
AUDIO_FORMAT(ogg, "Ogg audio: Vorbis, Opus or FLAC", "Can be read, not written.",
             SUFFIXES(".ogg", ".oga", ".opus"), 4, "OggS", "",
             .name = "Ogg", .library = SF_FORMAT_OGG, .most_channels = SOUND_MAXCHANNEL, .read_only = true)
/* clang-format on */
