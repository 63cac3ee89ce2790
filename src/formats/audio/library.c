/* libsndfile, which only this file calls, and the table of audio formats. Invariant: the library never gets a
 * descriptor, only functions of this file, so that every failed read or write is seen here with its errno
 * (sf_close reports no errno), and the library closes no descriptor. */
#include "formats/audio/audio.h"

#include "base/text.h"
#include "number/word.h"

#include <pthread.h>
#include <sndfile.h>
#include <stdlib.h>
#include <string.h>

const struct sound_type sound_types[] = {
    [SOUND_PCM8] = { "8 bit PCM", SF_FORMAT_PCM_S8, 1, 0x1p7 },
    [SOUND_PCM16] = { "16 bit PCM", SF_FORMAT_PCM_16, 2, 0x1p15 },
    [SOUND_PCM24] = { "24 bit PCM", SF_FORMAT_PCM_24, 3, 0x1p23 },
    [SOUND_PCM32] = { "32 bit PCM", SF_FORMAT_PCM_32, 4, 0x1p31 },
    [SOUND_FLOAT] = { "float", SF_FORMAT_FLOAT, 4, 1 },
    [SOUND_DOUBLE] = { "double", SF_FORMAT_DOUBLE, 8, 1 },
};

/* The kinds of text that are copied. SF_STR_SOFTWARE is not copied: the library adds its own version to
 * it. */
static const int texts[] = { SF_STR_TITLE, SF_STR_COPYRIGHT, SF_STR_ARTIST,      SF_STR_COMMENT, SF_STR_DATE,
                             SF_STR_ALBUM, SF_STR_LICENSE,   SF_STR_TRACKNUMBER, SF_STR_GENRE };

/* Limits of the library's heads. A WAV file whose head passes 64 KiB is written without its samples; the
 * head grows in steps, which half of the size never lets fail. */
enum {
    CUE_BYTES = 24,        /* bytes of a cue point */
    MAXCHUNK = 20,         /* with 32 chunks the library writes outside its memory */
    MAXCARRIED = 48 * 1024 /* bytes of carried chunks and cue points */
};

/* Bytes of samples that a file with sizes of 32 bits can hold, with room for metadata. */
#define MOST_BYTES (UINT32_MAX - (1 << 20))

/* --- the functions that the library calls --- */

static sf_count_t file_size(void *user)
{
    return (sf_count_t)((const struct codec *)user)->file->size;
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
    if (codec->at >= codec->file->size || count <= 0)
        return 0;
    uint64_t room = codec->file->size - codec->at, n = (uint64_t)count < room ? (uint64_t)count : room;
    if (!tempfile_read(codec->file, codec->at, buf, (size_t)n, &codec->error))
        return 0;
    codec->at += n;
    return (sf_count_t)n;
}

static sf_count_t file_write(const void *buf, sf_count_t count, void *user)
{
    struct codec *codec = user;
    if (codec->error.kind != ERROR_NONE || count < 0 ||
        !tempfile_write(codec->file, codec->at, buf, (size_t)count, &codec->error))
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
    return error_data(e, "%s: %s", what, sf_strerror(codec->library));
}

static bool open_file(struct codec *codec, int mode, SF_INFO *info, struct error *e)
{
    static SF_VIRTUAL_IO io = { file_size, file_seek, file_read, file_write, file_tell };
    /* The library leaves the error of sf_open in a variable of the whole process. */
    static pthread_mutex_t opening = PTHREAD_MUTEX_INITIALIZER;
    pthread_mutex_lock(&opening);
    codec->library = sf_open_virtual(&io, mode, info, codec);
    if (!codec->library)
        explain(codec, "libsndfile refuses the file", e);
    pthread_mutex_unlock(&opening);
    /* PCM is read and written as whole numbers: the library's own scale for writing is not that for
     * reading. */
    if (codec->library)
        sf_command(codec->library, SFC_SET_NORM_DOUBLE, NULL, SF_FALSE);
    return codec->library != NULL;
}

/* --- to read --- */

/* Sets *sample to the type of samples in libsndfile's encoding. */
static bool find_sample(struct codec *codec, int subtype, enum sound_sample *sample, struct error *e)
{
    SF_FORMAT_INFO encoding = { .format = subtype };
    if (subtype == SF_FORMAT_PCM_U8)
        subtype = SF_FORMAT_PCM_S8;
    if (subtype == SF_FORMAT_VORBIS || subtype == SF_FORMAT_OPUS)
        subtype = SF_FORMAT_FLOAT;
    for (*sample = 0; *sample < sizeof sound_types / sizeof *sound_types; ++*sample)
        if (sound_types[*sample].library == subtype)
            return true;
    sf_command(codec->library, SFC_GET_FORMAT_INFO, &encoding, sizeof encoding);
    error_data(e, "cannot read samples that are %s",
               encoding.name ? encoding.name : "in an unknown encoding");
    return error_hint(e, "decode it first, as in: sox IN -b 16 -e signed OUT");
}

bool library_open(struct audio *audio, struct error *e)
{
    struct sound *sound = &audio->sound;
    SF_INFO info = { 0 };
    audio->codec.file = &audio->file;
    if (!open_file(&audio->codec, SFM_READ, &info, e) ||
        !find_sample(&audio->codec, info.format & SF_FORMAT_SUBMASK, &sound->sample, e))
        return false;
    sound->channels = (unsigned)info.channels;
    sound->rate = info.samplerate;
    if (info.channels > SOUND_MAXCHANNEL)
        return error_data(e, "the header says %d channels; at most %d can be read", info.channels,
                          SOUND_MAXCHANNEL);
    /* The decoders of Ogg know the number at the end. */
    bool counted = sound->container->library != SF_FORMAT_OGG && info.frames < SF_COUNT_MAX;
    sound->frames = counted ? (uint64_t)info.frames : 0;
    return true;
}

bool library_read(struct codec *codec, double *frames, size_t maxframe, size_t *nframe, struct error *e)
{
    sf_count_t got = sf_readf_double(codec->library, frames, (sf_count_t)maxframe);
    *nframe = got > 0 ? (size_t)got : 0;
    /* Where the file ends too early, the caller has the better message. */
    const bool damaged = *nframe < maxframe && sf_error(codec->library) != SF_ERR_NO_ERROR &&
                         codec->at < codec->file->size;
    return (!damaged && codec->error.kind == ERROR_NONE) || explain(codec, "damaged", e);
}

/* --- metadata --- */

/* The number of libsndfile for container, encoding and order of bytes: where the input has the same
 * container, those of the input. */
static int choose_format(const struct recording *recording)
{
    const struct sound *sound = &recording->sound;
    const int container = sound->container->library;
    const bool biased = container == SF_FORMAT_WAV || container == SF_FORMAT_W64; /* 8 bits have no sign */
    SF_INFO in = { 0 };
    if (recording->same &&
        !sf_command(recording->input->codec.library, SFC_GET_CURRENT_SF_INFO, &in, sizeof in))
        return in.format;
    if (container == SF_FORMAT_OGG)
        return container | SF_FORMAT_VORBIS;
    if (sound->sample == SOUND_PCM8 && biased)
        return container | SF_FORMAT_PCM_U8;
    return container | sound_types[sound->sample].library;
}

static bool is_rf64(const struct recording *recording)
{
    return (choose_format(recording) & SF_FORMAT_TYPEMASK) == SF_FORMAT_RF64;
}

/* Number of cue points of the file that is read; of more than 2,500 the library reads none. */
static uint32_t count_cues(const struct recording *recording)
{
    uint32_t n = 0;
    sf_command(recording->input->codec.library, SFC_GET_CUE_COUNT, &n, sizeof n);
    return n;
}

/* Number of cue points in the written file: all, or none where rows are others than in the input. */
static uint32_t count_kept_cues(const struct recording *recording)
{
    uint32_t n = count_cues(recording);
    bool kept = recording->sound.container->cues && !is_rf64(recording) && !recording->resampled;
    return kept ? n : 0;
}

static void copy_cues(struct recording *recording)
{
    uint32_t n = count_kept_cues(recording);
    /* SF_CUES declares 100 points; the library reads and writes as many as there is room for. */
    int nbyte = (int)(sizeof(SF_CUES) + n * sizeof(SF_CUE_POINT));
    SF_CUES *cues = n > 0 ? calloc(1, (size_t)nbyte) : NULL;
    if (!cues)
        return;
    cues->cue_count = n;
    if (sf_command(recording->input->codec.library, SFC_GET_CUE, cues, nbyte))
        sf_command(recording->codec.library, SFC_SET_CUE, cues, nbyte);
    free(cues);
}

/* Handles the texts of the file that is read: copies those that the written file holds. Returns the number of
 * the others. */
static unsigned visit_texts(struct recording *recording, bool copies)
{
    unsigned nlost = 0;
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        const char *text = sf_get_string(recording->input->codec.library, texts[i]);
        const bool kept = texts[i] <= recording->sound.container->last_text;
        nlost += text && !kept;
        if (text && kept && copies)
            sf_set_string(recording->codec.library, texts[i], text);
    }
    return nlost;
}

static void copy_channel_map(struct recording *recording)
{
    int map[SOUND_MAXCHANNEL];
    int size = (int)(recording->sound.channels * sizeof *map);
    if (recording->input->sound.channels == recording->sound.channels &&
        sf_command(recording->input->codec.library, SFC_GET_CHANNEL_MAP_INFO, map, size))
        sf_command(recording->codec.library, SFC_SET_CHANNEL_MAP_INFO, map, size);
}

/* Is the id one of the ids of four characters in a text without separators? */
static bool chunk_is(const void *id, const char *ids)
{
    for (; *ids; ids += 4)
        if (memcmp(id, ids, 4) == 0)
            return true;
    return false;
}

/* Are chunks of the input copied as they are? Some have numbers of frames, which --resample changes. */
static bool carries_chunks(const struct recording *recording)
{
    return recording->same && !recording->resampled && recording->sound.container->library == SF_FORMAT_WAV;
}

/* The library writes a chunk in steps of 4 bytes, and refuses a list with stray bytes at its end: its last
 * item takes the zeros between n bytes and `padded`. */
static void pad_list(unsigned char *list, unsigned n, unsigned padded)
{
    unsigned char *item = NULL;
    uint64_t at = 4;
    while (at + 8 <= n) {
        item = list + at;
        at += 8 + word_get(item + 4, 4, false);
        at += at % 2;
    }
    if (item && at <= padded)
        word_put(item + 4, padded - (uint64_t)(item + 8 - list), 4, false);
}

/* Copies a chunk of a file that is read. */
static void copy_chunk(struct recording *recording, SF_CHUNK_ITERATOR *at, SF_CHUNK_INFO chunk,
                       unsigned nbyte)
{
    const unsigned padded = (nbyte + 3) / 4 * 4;
    chunk.data = calloc(1, padded);
    chunk.datalen = nbyte;
    if (chunk.data && sf_get_chunk_data(at, &chunk) == 0) {
        chunk.datalen = padded;
        chunk.id_size = 4;
        if (padded > nbyte && chunk_is(chunk.id, "LIST"))
            pad_list(chunk.data, nbyte, padded);
        sf_set_chunk(recording->codec.library, &chunk);
    }
    free(chunk.data);
}

/* Does the library itself read and write what is in a chunk, or is it about samples as they were? start: its
 * first bytes. The id of an empty chunk is not known: it may be that of the samples. */
static bool is_written(const struct recording *recording, const char *id, const char *start)
{
    if (!id[0])
        return recording->input->sound.frames == 0;
    return chunk_is(id, "RIFFRF64ds64fmt factdataPEAKMD5 ") ||
           (chunk_is(id, "cue ") && count_cues(recording) > 0) ||
           (chunk_is(id, "LIST") && chunk_is(start, "INFO") && !carries_chunks(recording));
}

/* Adds a chunk to the list of chunks that are not copied. */
static void add_lost(struct recording *recording, const char id[4])
{
    char *losses = recording->losses;
    char text[17] = "an empty chunk";
    if (id[0])
        error_escape(id, 4, text, sizeof text);
    if (!strstr(losses, text) && strlen(losses) + 80 < sizeof recording->losses)
        text_append(losses, sizeof recording->losses, "%s%s", *losses ? ", " : "", text);
}

/* Handles the chunks of a WAV file that the library does not write: copies those that stay correct, as many
 * as the library takes, or else lists the others as lost. */
static void visit_chunks(struct recording *recording, bool copies)
{
    size_t nchunk = 0, total = (size_t)count_kept_cues(recording) * CUE_BYTES;
    SF_CHUNK_ITERATOR *at = sf_get_chunk_iterator(recording->input->codec.library, NULL);
    for (; at; at = sf_next_chunk_iterator(at)) {
        char start[4] = "";
        SF_CHUNK_INFO chunk = { .data = start };
        if (sf_get_chunk_size(at, &chunk) != 0)
            continue;
        const unsigned nbyte = chunk.datalen;
        chunk.datalen = sizeof start;
        /* Of an empty chunk sf_get_chunk_data divides by 0. */
        if ((nbyte > 0 && sf_get_chunk_data(at, &chunk) != 0) || is_written(recording, chunk.id, start))
            continue;
        /* Cue points that are still here the library could not read. Of an id with a NUL the library does not
         * write the bytes after it. */
        const bool wrong = chunk_is(chunk.id, "cue ") || memchr(chunk.id, 0, 4);
        const bool kept = carries_chunks(recording) && !wrong && nchunk < MAXCHUNK &&
                          total + nbyte < MAXCARRIED;
        nchunk += kept;
        total += kept ? nbyte : 0;
        if (kept && copies)
            copy_chunk(recording, at, chunk, nbyte);
        else if (!kept && !copies)
            add_lost(recording, chunk.id);
    }
}

bool library_list_losses(struct recording *recording)
{
    char *losses = recording->losses;
    const size_t most = sizeof recording->losses;
    const bool wav = recording->input->sound.container->library == SF_FORMAT_WAV;
    const unsigned ncue = count_cues(recording), ntext = visit_texts(recording, false);
    if (wav)
        visit_chunks(recording, false);
    if (ntext > 0)
        text_append(losses, most, "%s%u tag%s", *losses ? ", " : "", ntext, error_plural(ntext));
    if (ncue > count_kept_cues(recording))
        text_append(losses, most, "%s%u cue point%s", *losses ? ", " : "", ncue, error_plural(ncue));
    return wav;
}

/* --- to write --- */

bool library_create(struct recording *recording, struct error *e)
{
    const struct sound *sound = &recording->sound;
    SF_INFO info = { .samplerate = (int)sound->rate,
                     .channels = (int)sound->channels,
                     .format = choose_format(recording) };
    recording->codec.file = &recording->file;
    if (!open_file(&recording->codec, SFM_WRITE, &info, e))
        return false;
    const size_t frame = sound->channels * sound_types[sound->sample].bytes;
    recording->most = sound->container->small && !is_rf64(recording) ? MOST_BYTES / frame : UINT64_MAX;
    /* A PEAK chunk would hold the time of day. */
    sf_command(recording->codec.library, SFC_SET_ADD_PEAK_CHUNK, NULL, SF_FALSE);
    if (!recording->input)
        return true;
    copy_channel_map(recording);
    copy_cues(recording);
    if (carries_chunks(recording))
        visit_chunks(recording, true);
    else
        visit_texts(recording, true);
    return true;
}

bool library_write(struct codec *codec, const double *frames, size_t nframe, struct error *e)
{
    sf_count_t done = sf_writef_double(codec->library, frames, (sf_count_t)nframe);
    return (done == (sf_count_t)nframe && codec->error.kind == ERROR_NONE) ||
           explain(codec, "cannot write samples", e);
}

bool library_close(struct codec *codec, struct error *e)
{
    bool good = !codec->library || sf_close(codec->library) == 0;
    codec->library = NULL;
    if (!e)
        return true;
    return (good && codec->error.kind == ERROR_NONE) || explain(codec, "cannot finish the file", e);
}

/* --- the formats --- */

/* The descriptor of a format. The first four bytes of a file are one of the four characters in magics; the
 * four bytes at byte 8 are one of those in types, unless types is empty. */
#define AUDIO_FORMAT(name_, suffixes_, magics, types, ...)                                                   \
    static bool sniff_##name_(const unsigned char *head, size_t nhead)                                       \
    {                                                                                                        \
        const bool magic = nhead >= 12 && chunk_is(head, magics);                                            \
        return magic && (!*(types) || chunk_is(head + 8, types));                                            \
    }                                                                                                        \
    const struct format format_##name_ = {                                                                   \
        .name = #name_,                                                                                      \
        .family = FAMILY_AUDIO,                                                                              \
        .kind = &(const struct sound_container){ __VA_ARGS__ },                                              \
        .suffixes = suffixes_,                                                                               \
        .sniff = sniff_##name_,                                                                              \
        .open = audio_open,                                                                                  \
        .bind = format_owns_time,                                                                            \
        .load = audio_load,                                                                                  \
        .parse = audio_parse,                                                                                \
        .cell = audio_cell,                                                                                  \
        .close = audio_close,                                                                                \
        .accept = audio_accept,                                                                              \
        .begin = audio_begin,                                                                                \
        .print = audio_print,                                                                                \
        .finish = audio_finish,                                                                              \
        .store = audio_store,                                                                                \
        .end = audio_end,                                                                                    \
        .keeps_shape = true,                                                                                 \
    };

/* clang-format off */
#define SUFFIXES(...) (const char *const[]){ __VA_ARGS__, NULL }

AUDIO_FORMAT(wav, SUFFIXES(".wav", ".wave", ".rf64"), "RIFFRF64", "WAVE",
             .name = "WAV", .library = SF_FORMAT_WAV, .most_channels = SOUND_MAXCHANNEL,
             .real = true, .cues = true, .small = true, .last_text = SF_STR_LAST)
AUDIO_FORMAT(au, SUFFIXES(".au", ".snd"), ".snddns.", "",
             .name = "AU", .library = SF_FORMAT_AU, .most_channels = SOUND_MAXCHANNEL, .real = true)
AUDIO_FORMAT(aiff, SUFFIXES(".aiff", ".aif", ".aifc"), "FORM", "AIFFAIFC",
             .name = "AIFF", .library = SF_FORMAT_AIFF, .most_channels = SOUND_MAXCHANNEL,
             .real = true, .cues = true, .small = true, .last_text = SF_STR_COMMENT)
AUDIO_FORMAT(flac, SUFFIXES(".flac"), "fLaC", "",
             .name = "FLAC", .library = SF_FORMAT_FLAC, .most_channels = 8, .last_text = SF_STR_LAST)
AUDIO_FORMAT(caf, SUFFIXES(".caf"), "caff", "",
             .name = "CAF", .library = SF_FORMAT_CAF, .most_channels = SOUND_MAXCHANNEL,
             .real = true, .last_text = SF_STR_LAST)
AUDIO_FORMAT(w64, SUFFIXES(".w64"), "riff", "\xA5\xD6\x28\xDB",
             .name = "W64", .library = SF_FORMAT_W64, .most_channels = SOUND_MAXCHANNEL, .real = true)
AUDIO_FORMAT(ogg, SUFFIXES(".ogg", ".oga", ".opus"), "OggS", "",
             .name = "Ogg", .library = SF_FORMAT_OGG, .most_channels = SOUND_MAXCHANNEL,
             .real = true, .last_text = SF_STR_LAST)
/* clang-format on */
