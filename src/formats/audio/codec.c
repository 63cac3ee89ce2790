/* The audio formats' descriptors, and libsndfile behind a small wall: the only file that knows it. See
 * audio.h. Invariant: the library never gets a descriptor, only calls of ours, so that every failed read or
 * write is seen here with its errno (sf_close reports none of them). */
#include "formats/audio/audio.h"

#include <sched.h>
#include <sndfile.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

const char *const audio_sample_names[] = { "8 bit PCM",  "8 bit PCM", "16 bit PCM", "24 bit PCM",
                                           "32 bit PCM", "float",     "double" };

struct codec {
    SNDFILE *library;
    const struct sound_file *file; /* to read */
    struct tempfile *spool;           /* to write */
    uint64_t at;
    struct error error; /* of a callback */
};

/* --- what the library calls --- */

static sf_count_t file_size(void *user)
{
    const struct codec *c = user;
    return (sf_count_t)(c->file ? c->file->size : c->spool->size);
}

static sf_count_t file_seek(sf_count_t offset, int whence, void *user)
{
    struct codec *c = user;
    sf_count_t from = whence == SEEK_SET ? 0 : whence == SEEK_CUR ? (sf_count_t)c->at : file_size(user);
    if (offset < -from || offset > ((sf_count_t)1 << 62) - from)
        return -1;
    c->at = (uint64_t)(from + offset);
    return from + offset;
}

static sf_count_t file_tell(void *user)
{
    return (sf_count_t)((const struct codec *)user)->at;
}

static sf_count_t file_read(void *buf, sf_count_t count, void *user)
{
    struct codec *c = user;
    if (!c->file || c->at >= c->file->size || count <= 0)
        return 0;
    uint64_t room = c->file->size - c->at, n = (uint64_t)count < room ? (uint64_t)count : room;
    if (!c->file->read(c->file->closure, c->at, buf, (size_t)n, &c->error))
        return 0;
    c->at += n;
    return (sf_count_t)n;
}

static sf_count_t file_write(const void *buf, sf_count_t count, void *user)
{
    struct codec *c = user;
    if (c->error.kind != ERROR_NONE || count < 0 ||
        !tempfile_write(c->spool, c->at, buf, (size_t)count, &c->error))
        return 0;
    c->at += (uint64_t)count;
    return count;
}

/* --- the library --- */

/* Words of the library for what went wrong, or the callback's own error. */
static bool explain(struct codec *c, const char *what, struct error *e)
{
    if (c->error.kind != ERROR_NONE) {
        *e = c->error;
        return false;
    }
    const char *words = sf_strerror(c->library);
    words += strncmp(words, "Error : ", 8) == 0 ? 8 : 0;
    size_t n = strlen(words);
    return error_data(e, "%s: %.*s", what, (int)(n && words[n - 1] == '.' ? n - 1 : n), words);
}

/* sf_open leaves its error in a variable of the whole process: one at a time opens. */
static struct codec *open_library(struct codec *c, SF_VIRTUAL_IO *io, int mode, SF_INFO *info,
                                  struct error *e)
{
    static atomic_flag busy = ATOMIC_FLAG_INIT;
    while (atomic_flag_test_and_set_explicit(&busy, memory_order_acquire))
        sched_yield();
    c->library = sf_open_virtual(io, mode, info, c);
    if (!c->library)
        explain(c, "libsndfile refuses it", e);
    atomic_flag_clear_explicit(&busy, memory_order_release);
    if (c->library)
        return c;
    free(c);
    return NULL;
}

static SF_VIRTUAL_IO file_io = { file_size, file_seek, file_read, file_write, file_tell };

static struct codec *make_codec(const struct codec *codec, int mode, SF_INFO *info, struct error *e)
{
    struct codec *c = malloc(sizeof *c);
    if (!c) {
        error_memory(e);
        return NULL;
    }
    *c = *codec;
    return open_library(c, &file_io, mode, info, e);
}

struct codec *codec_open(const struct sound_file *file, struct error *e)
{
    SF_INFO info = { 0 };
    return make_codec(&(struct codec){ .file = file }, SFM_READ, &info, e);
}

struct codec *codec_create(const struct sound *sound, struct tempfile *spool, struct error *e)
{
    int subtype = sound->sample == SOUND_S8      ? SF_FORMAT_PCM_S8
                  : sound->sample == SOUND_PCM16 ? SF_FORMAT_PCM_16
                                                 : SF_FORMAT_PCM_24;
    SF_INFO info = { .samplerate = (int)sound->rate,
                     .channels = (int)sound->channels,
                     .format = SF_FORMAT_FLAC | subtype };
    return make_codec(&(struct codec){ .spool = spool }, SFM_WRITE, &info, e);
}

bool codec_read(struct codec *c, double *to, size_t maxframe, size_t *n, struct error *e)
{
    sf_count_t got = sf_readf_double(c->library, to, (sf_count_t)maxframe);
    *n = got > 0 ? (size_t)got : 0;
    if (*n == maxframe || (c->error.kind == ERROR_NONE && sf_error(c->library) == SF_ERR_NO_ERROR))
        return true;
    /* Where the file ends too early, the caller knows better words. */
    return (c->error.kind == ERROR_NONE && c->at >= c->file->size) || explain(c, "damaged", e);
}

bool codec_write(struct codec *c, const void *frames, size_t nframe, struct error *e)
{
    bool good = sf_writef_int(c->library, frames, (sf_count_t)nframe) == (sf_count_t)nframe;
    return (good && c->error.kind == ERROR_NONE) || explain(c, "cannot write samples", e);
}

bool codec_close(struct codec *c, struct error *e)
{
    if (!c)
        return true;
    bool good = sf_close(c->library) == 0;
    c->library = NULL;
    if (e && (!good || c->error.kind != ERROR_NONE))
        good = explain(c, "cannot end the file", e);
    free(c);
    return good;
}

/* --- descriptors --- */

extern const struct format format_wav, format_au, format_aiff, format_flac, format_caf;

enum sound_kind audio_kind(const struct format *format)
{
    return format == &format_au     ? SOUND_AU
           : format == &format_aiff ? SOUND_AIFF
           : format == &format_flac ? SOUND_FLAC
           : format == &format_caf  ? SOUND_CAF
                                    : SOUND_WAV;
}

static bool sniff_wav(const unsigned char *head, size_t nhead)
{
    return sound_looks_like(SOUND_WAV, head, nhead);
}

static bool sniff_au(const unsigned char *head, size_t nhead)
{
    return sound_looks_like(SOUND_AU, head, nhead);
}

static bool sniff_aiff(const unsigned char *head, size_t nhead)
{
    return sound_looks_like(SOUND_AIFF, head, nhead);
}

static bool sniff_flac(const unsigned char *head, size_t nhead)
{
    return sound_looks_like(SOUND_FLAC, head, nhead);
}

static bool sniff_caf(const unsigned char *head, size_t nhead)
{
    return sound_looks_like(SOUND_CAF, head, nhead);
}

static const char *const wav_suffixes[] = { ".wav", ".wave", ".rf64", NULL };
static const char *const au_suffixes[] = { ".au", ".snd", NULL };
static const char *const aiff_suffixes[] = { ".aiff", ".aif", ".aifc", NULL };
static const char *const flac_suffixes[] = { ".flac", NULL };
static const char *const caf_suffixes[] = { ".caf", NULL };

/* All but name, suffixes, summary and sniff. */
#define AUDIO                                                                                                \
    .family = FAMILY_AUDIO, .open = audio_open, .bind = audio_bind, .load = audio_load, .parse = audio_parse, .cell = audio_cell,    \
    .close = audio_close, .accept = audio_accept, .begin = audio_begin, .print = audio_print,                \
    .store = audio_store, .finish = audio_finish, .end = audio_end, .keeps_shape = true

const struct format format_wav = {
    .name = "wav", .suffixes = wav_suffixes, .summary = "WAV, RIFX and RF64 audio", .sniff = sniff_wav, AUDIO
};
const struct format format_au = { .name = "au",
                                  .suffixes = au_suffixes,
                                  .summary = "AU audio, which needs no seeking and so streams",
                                  .sniff = sniff_au,
                                  AUDIO };
const struct format format_aiff = {
    .name = "aiff", .suffixes = aiff_suffixes, .summary = "AIFF and AIFC audio", .sniff = sniff_aiff, AUDIO
};
const struct format format_flac = { .name = "flac",
                                    .suffixes = flac_suffixes,
                                    .summary = "FLAC audio, compressed without loss",
                                    .sniff = sniff_flac,
                                    AUDIO };
const struct format format_caf = {
    .name = "caf", .suffixes = caf_suffixes, .summary = "Core Audio Format", .sniff = sniff_caf, AUDIO
};
