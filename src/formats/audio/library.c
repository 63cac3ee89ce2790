/* libsndfile, which only this file calls, and the table of audio formats. Invariant: the library never gets a
 * descriptor, only functions of this file, so that every failed read or write is seen here with its errno
 * (sf_close reports no errno), and the library closes no descriptor. */
#include "formats/audio/audio.h"

#include "base/text.h"
#include <pthread.h>
#include <sndfile.h>
#include <stdlib.h>
#include <string.h>

/* What is known of a type of samples. */
static const struct {
    const char *name;
    int subtype;    /* libsndfile's number */
    unsigned bytes; /* bytes of a sample in the file */
    double full;    /* the number in a block that stands for 1 */
} types[] = {
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
    MAXCUE = 2500,         /* with more cue points, the library reads and writes none */
    CUE_BYTES = 24,        /* bytes of a cue point */
    MAXCHUNK = 20,         /* with 32 chunks the library writes outside its memory */
    MAXCARRIED = 48 * 1024 /* bytes of carried chunks and cue points */
};

/* Bytes of samples that a file with sizes of 32 bits can hold, with room for metadata. */
#define MOST_BYTES (UINT32_MAX - (1 << 20))

const char *sound_sample_name(const struct sound *sound)
{
    return types[sound->sample].name;
}

size_t sound_file_frame(const struct sound *sound)
{
    return sound->channels * types[sound->sample].bytes;
}

double sound_full(const struct sound *sound)
{
    return types[sound->sample].full;
}

/* --- the functions that the library calls --- */

static sf_count_t file_size(void *user)
{
    const struct codec *codec = user;
    return (sf_count_t)(codec->input ? codec->input->size : codec->output->size);
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
    if (!codec->input || codec->at >= codec->input->size || count <= 0)
        return 0;
    uint64_t room = codec->input->size - codec->at, n = (uint64_t)count < room ? (uint64_t)count : room;
    if (!sound_get(codec->input, codec->at, buf, (size_t)n, &codec->error))
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
    /* The library leaves the error of sf_open in a variable of the whole process. */
    static pthread_mutex_t opening = PTHREAD_MUTEX_INITIALIZER;
    pthread_mutex_lock(&opening);
    codec->library = sf_open_virtual(&io, codec->input ? SFM_READ : SFM_WRITE, info, codec);
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
    for (*sample = 0; *sample < sizeof types / sizeof *types; ++*sample)
        if (types[*sample].subtype == subtype)
            return true;
    bool known = sf_command(codec->library, SFC_GET_FORMAT_INFO, &encoding, sizeof encoding) == 0;
    return sound_refuse_sample(e, known && encoding.name ? encoding.name : "in an unknown encoding");
}

bool library_open(struct codec *codec, const struct sound_file *file, struct sound *sound, struct error *e)
{
    SF_INFO info = { 0 };
    *codec = (struct codec){ .sound = sound, .input = file };
    if (!open_file(codec, &info, e))
        return false;
    if (!find_sample(codec, info.format & SF_FORMAT_SUBMASK, &sound->sample, e))
        return false;
    sound->channels = (unsigned)info.channels;
    sound->rate = info.samplerate;
    if (info.channels < 1 || info.channels > SOUND_MAXCHANNEL)
        return error_data(e, "the header says %d channels, not 1 to %d", info.channels, SOUND_MAXCHANNEL);
    if (info.samplerate < 1)
        return error_data(e, "invalid sample rate in the header: %d", info.samplerate);
    /* The decoders of Ogg know the number at the end. */
    bool counted = sound->container->library != SF_FORMAT_OGG && info.frames < SF_COUNT_MAX;
    sound->frames = counted ? (uint64_t)info.frames : SOUND_UNKNOWN;
    return true;
}

bool library_read(struct codec *codec, double *frames, size_t maxframe, size_t *nframe, struct error *e)
{
    sf_count_t got = sf_readf_double(codec->library, frames, (sf_count_t)maxframe);
    *nframe = got > 0 ? (size_t)got : 0;
    if (codec->error.kind != ERROR_NONE)
        return explain(codec, "damaged", e);
    /* Where the file ends too early, the caller has the better message. */
    return *nframe == maxframe || sf_error(codec->library) == SF_ERR_NO_ERROR ||
           codec->at >= codec->input->size || explain(codec, "damaged", e);
}

/* --- metadata --- */

/* Is the written file RF64, which holds more than 4 GiB and no cue points? Only a file that was RF64 and that
 * long is. */
static bool stays_rf64(const struct recording *recording)
{
    const struct sound *in = recording->same ? &recording->input->sound : NULL;
    SF_INFO info = { 0 };
    if (!in || in->container->library != SF_FORMAT_WAV || in->frames <= MOST_BYTES / sound_file_frame(in))
        return false;
    sf_command(recording->input->codec.library, SFC_GET_CURRENT_SF_INFO, &info, sizeof info);
    return (info.format & SF_FORMAT_TYPEMASK) == SF_FORMAT_RF64;
}

/* Number of cue points of the file that is read. */
static uint32_t count_cues(const struct recording *recording)
{
    uint32_t n = 0;
    sf_command(recording->input->codec.library, SFC_GET_CUE_COUNT, &n, sizeof n);
    return n;
}

/* Does the written file get the cue points? Those of other rows would be wrong. */
static bool keeps_cues(const struct recording *recording)
{
    return recording->sound.container->cues && !stays_rf64(recording) && !recording->resampled &&
           count_cues(recording) <= MAXCUE;
}

static void copy_cues(struct recording *recording)
{
    uint32_t n = keeps_cues(recording) ? count_cues(recording) : 0;
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

/* Number of texts in a file that is read which a container keeps. */
static size_t count_texts(const struct codec *codec, const struct sound_container *container)
{
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

/* Is the id one of the ids of four characters in a text without separators? */
static bool chunk_is(const void *id, const char *ids)
{
    for (; *ids; ids += 4)
        if (memcmp(id, ids, 4) == 0)
            return true;
    return false;
}

/* Are chunks of the input copied as they are? */
static bool carries_chunks(const struct recording *recording)
{
    return recording->same && recording->sound.container->library == SF_FORMAT_WAV;
}

/* Copies a chunk of a file that is read. */
static bool copy_chunk(struct codec *codec, SF_CHUNK_ITERATOR *at, SF_CHUNK_INFO chunk, unsigned nbyte)
{
    chunk.data = calloc(1, nbyte + 1);
    chunk.datalen = nbyte;
    bool good = chunk.data && sf_get_chunk_data(at, &chunk) == 0;
    chunk.datalen = nbyte;
    chunk.id_size = 4;
    good = good && sf_set_chunk(codec->library, &chunk) == 0;
    free(chunk.data);
    return good;
}

/* Handles the chunks of a WAV file that the library does not write by itself. codec: chunks that stay correct
 * are copied into it, as many as it can take; NULL: those that are lost are added to the list `lost`. */
static void visit_chunks(const struct recording *recording, struct codec *codec, char *lost, size_t maxlost)
{
    const struct codec *from = &recording->input->codec;
    uint32_t ncue = count_cues(recording);
    size_t nchunk = 0, total = keeps_cues(recording) ? (size_t)ncue * CUE_BYTES : 0;
    SF_CHUNK_ITERATOR *at = sf_get_chunk_iterator(from->library, NULL);
    for (; at; at = sf_next_chunk_iterator(at)) {
        char start[4] = "", id[17];
        SF_CHUNK_INFO chunk = { .data = start };
        /* Of a chunk without bytes sf_get_chunk_data divides by 0. */
        if (sf_get_chunk_size(at, &chunk) != 0 || chunk.datalen == 0)
            continue;
        const unsigned nbyte = chunk.datalen;
        chunk.datalen = sizeof start;
        if (sf_get_chunk_data(at, &chunk) != 0 ||
            chunk_is(chunk.id, "RIFFRIFXRF64ds64fmt factdataPEAKMD5 JUNKjunkPAD FLLR") ||
            (ncue > 0 && chunk_is(chunk.id, "cue ")))
            continue;
        /* These have numbers of frames. */
        bool wrong = recording->resampled && chunk_is(chunk.id, "plstsmplbextregnedct");
        /* Cue points that the library could not read. */
        wrong |= chunk_is(chunk.id, "cue ");
        bool carried = carries_chunks(recording) && !wrong && nchunk < MAXCHUNK && nbyte < MAXCARRIED - total;
        nchunk += carried;
        total += carried ? nbyte : 0;
        if (carried && codec)
            copy_chunk(codec, at, chunk, nbyte);
        bool texts_copied = chunk_is(chunk.id, "LIST") && chunk_is(start, "INFO") &&
                            !carries_chunks(recording);
        if (carried || codec || texts_copied)
            continue;
        error_escape(chunk.id, 4, id, sizeof id);
        if (!strstr(lost, id) && strlen(lost) + 80 < maxlost)
            text_append(lost, maxlost, "%s%s", *lost ? ", " : "", id);
    }
}

bool library_list_losses(const struct recording *recording, char *text, size_t maxtext)
{
    const struct codec *from = &recording->input->codec;
    const struct sound_container *in = recording->input->sound.container, *to = recording->sound.container;
    bool wav = in->library == SF_FORMAT_WAV;
    uint32_t ncue = count_cues(recording);
    if (wav)
        visit_chunks(recording, NULL, text, maxtext);
    size_t all = count_texts(from, in), kept = count_texts(from, to);
    if (all > kept && !carries_chunks(recording))
        text_append(text, maxtext, "%s%zu of %zu tags", *text ? ", " : "", all - kept, all);
    if (ncue > 0 && !keeps_cues(recording))
        text_append(text, maxtext, "%s%u cue point%s", *text ? ", " : "", ncue, error_plural(ncue));
    return wav;
}

/* --- to write --- */

/* The number of libsndfile for container, encoding and order of bytes. Where the input has the same container
 * they stay as they are. */
static int choose_format(const struct recording *recording)
{
    const struct sound *sound = &recording->sound;
    int container = sound->container->library, subtype = types[sound->sample].subtype, order = 0;
    bool wav = container == SF_FORMAT_WAV;
    SF_INFO in = { 0 };
    if (recording->same)
        sf_command(recording->input->codec.library, SFC_GET_CURRENT_SF_INFO, &in, sizeof in);
    if (recording->same && sound->sample == recording->input->sound.sample) {
        subtype = in.format & SF_FORMAT_SUBMASK;
        order = in.format & SF_FORMAT_ENDMASK;
    } else if (sound->sample == SOUND_PCM8 && (wav || container == SF_FORMAT_W64)) {
        subtype = SF_FORMAT_PCM_U8;
    } else if (container == SF_FORMAT_OGG) {
        subtype = SF_FORMAT_VORBIS;
    }
    bool rf64 = (in.format & SF_FORMAT_TYPEMASK) == SF_FORMAT_RF64;
    if (recording->same && wav && (!rf64 || stays_rf64(recording)))
        container = in.format & SF_FORMAT_TYPEMASK;
    return container | subtype | order;
}

bool library_create(struct recording *recording, struct error *e)
{
    const struct sound *sound = &recording->sound;
    struct codec *codec = &recording->codec;
    SF_INFO info = { .samplerate = (int)sound->rate,
                     .channels = (int)sound->channels,
                     .format = choose_format(recording) };
    *codec = (struct codec){ .sound = sound, .output = &recording->file };
    if (!open_file(codec, &info, e))
        return false;
    bool small = sound->container->small && !stays_rf64(recording);
    recording->most = small ? MOST_BYTES / sound_file_frame(sound) : UINT64_MAX;
    /* A PEAK chunk would hold the time of day. */
    sf_command(codec->library, SFC_SET_ADD_PEAK_CHUNK, NULL, SF_FALSE);
    if (!recording->input)
        return true;
    copy_channel_map(codec, &recording->input->codec);
    copy_cues(recording);
    if (carries_chunks(recording))
        visit_chunks(recording, codec, NULL, 0);
    else if (sound->container->last_text > 0)
        copy_texts(codec, &recording->input->codec);
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
    bool open = codec->library != NULL;
    bool good = !open || sf_close(codec->library) == 0;
    codec->library = NULL;
    if (!e)
        return true;
    return (good && codec->error.kind == ERROR_NONE) || explain(codec, "cannot finish the file", e);
}

/* --- the formats --- */

/* The descriptor of a format. The first four bytes of a file are one of the four characters in magics; the
 * four bytes at byte 8 are one of those in types, unless types is empty. least: bytes that sniff needs. */
#define AUDIO_FORMAT(name_, suffixes_, least, magics, types, ...)                                            \
    static bool sniff_##name_(const unsigned char *head, size_t nhead)                                       \
    {                                                                                                        \
        return nhead >= (least) && chunk_is(head, magics) && (!*(types) || chunk_is(head + 8, types));       \
    }                                                                                                        \
    const struct format format_##name_ = {                                                                   \
        .name = #name_,                                                                                      \
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

/* clang-format off */
AUDIO_FORMAT(wav, SUFFIXES(".wav", ".wave", ".rf64"), 12, "RIFFRIFXRF64", "WAVE",
             .name = "WAV", .library = SF_FORMAT_WAV, .most_channels = SOUND_MAXCHANNEL,
             .real = true, .cues = true, .small = true, .last_text = SF_STR_LAST)
AUDIO_FORMAT(au, SUFFIXES(".au", ".snd"), 4, ".snddns.", "",
             .name = "AU", .library = SF_FORMAT_AU, .most_channels = SOUND_MAXCHANNEL,
             .real = true)
AUDIO_FORMAT(aiff, SUFFIXES(".aiff", ".aif", ".aifc"), 12, "FORM", "AIFFAIFC",
             .name = "AIFF", .library = SF_FORMAT_AIFF, .most_channels = SOUND_MAXCHANNEL,
             .real = true, .cues = true, .small = true, .rounds_up = true,
             .last_text = SF_STR_COMMENT)
AUDIO_FORMAT(flac, SUFFIXES(".flac"), 12, "fLaC", "",
             .name = "FLAC", .library = SF_FORMAT_FLAC, .most_channels = 8,
             .last_text = SF_STR_LAST)
AUDIO_FORMAT(caf, SUFFIXES(".caf"), 12, "caff", "",
             .name = "CAF", .library = SF_FORMAT_CAF, .most_channels = SOUND_MAXCHANNEL,
             .real = true, .last_text = SF_STR_LAST)
AUDIO_FORMAT(w64, SUFFIXES(".w64"), 12, "riff", "\xA5\xD6\x28\xDB",
             .name = "W64", .library = SF_FORMAT_W64, .most_channels = SOUND_MAXCHANNEL,
             .real = true)
AUDIO_FORMAT(ogg, SUFFIXES(".ogg", ".oga", ".opus"), 4, "OggS", "",
             .name = "Ogg", .library = SF_FORMAT_OGG, .most_channels = SOUND_MAXCHANNEL,
             .real = true, .last_text = SF_STR_LAST)
/* clang-format on */
