/* FLAC files: the header by code of our own, samples through libsndfile, which only this file knows.
 * Invariant: the library never gets a descriptor, only functions of ours, so that every failed read or write
 * is seen here with its errno (sf_close reports none of them). */
#include "formats/audio/audio.h"

#include <sched.h>
#include <sndfile.h>
#include <string.h>

/* Notes the blocks of metadata, which are not kept. */
static bool note_metadata(struct sound *s, struct error *e)
{
    const struct sound_file *f = s->file;
    static const char *const names[] = { NULL, NULL, "APPL", NULL, "TAGS", "CUES", "PICT" };
    unsigned char head[4], count[4];
    bool last = false;
    for (uint64_t at = 4; !last && f->size - at >= sizeof head;) {
        if (!sound_get(f, at, head, sizeof head, e))
            return false;
        uint64_t n = sound_word(head + 1, 3, true), room = f->size - at - sizeof head;
        unsigned type = head[0] & 0x7F;
        last = head[0] >> 7 || n > room;
        const char *name = type < sizeof names / sizeof *names ? names[type] : NULL;
        if (type == 4 && n >= 8 && n <= room) { /* the encoder's name alone is no loss */
            if (!sound_get(f, at + 4, count, sizeof count, e))
                return false;
            name = sound_word(count, 4, false) == n - 8 ? NULL : name;
        }
        if (name && !sound_add_chunk(s, name, at, n, e))
            return false;
        at += sizeof head + n;
    }
    return true;
}

bool flac_read_header(struct sound *s, struct error *e)
{
    unsigned char head[26];
    if (!sound_get(s->file, 0, head, sizeof head, e))
        return false;
    if ((head[4] & 0x7F) != 0)
        return error_data(e, "the header does not begin with its description");
    s->rate = (double)(sound_word(head + 18, 3, true) >> 4);
    s->channels = (head[20] >> 1 & 7) + 1u;
    unsigned bits = ((head[20] & 1u) << 4 | head[21] >> 4) + 1u;
    uint64_t n = (uint64_t)(head[21] & 15) << 32 | sound_word(head + 22, 4, true);
    if (bits != 8 && bits != 16 && bits != 24)
        return error_data(e, "FLAC of %u bit%s cannot be read, only of 8, 16 and 24", bits,
                          error_plural(bits));
    s->sample = SOUND_PCM8 + (bits - 1) / 8;
    if (!sound_check(s, SOUND_UNKNOWN, SOUND_UNKNOWN, e))
        return false;
    s->ndata = s->file->size;
    s->promised = n ? n : SOUND_UNKNOWN;
    return note_metadata(s, e);
}

/* The functions that the library calls. */
static sf_count_t file_size(void *user)
{
    const struct codec *c = user;
    return (sf_count_t)(c->to ? c->to->size : c->file->size);
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
    if (c->to || c->at >= c->file->size || count <= 0)
        return 0;
    uint64_t room = c->file->size - c->at, n = (uint64_t)count < room ? (uint64_t)count : room;
    if (!sound_get(c->file, c->at, buf, (size_t)n, &c->error))
        return 0;
    c->at += n;
    return (sf_count_t)n;
}

static sf_count_t file_write(const void *buf, sf_count_t count, void *user)
{
    struct codec *c = user;
    if (c->error.kind != ERROR_NONE || count < 0 ||
        !tempfile_write(c->to, c->at, buf, (size_t)count, &c->error))
        return 0;
    c->at += (uint64_t)count;
    return count;
}

/* The error of a callback, or of the library in its words. */
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

bool codec_open(struct codec *c, const struct sound *s, struct tempfile *to, struct error *e)
{
    static SF_VIRTUAL_IO io = { file_size, file_seek, file_read, file_write, file_tell };
    static atomic_flag busy = ATOMIC_FLAG_INIT;
    static const int subtypes[] = { SF_FORMAT_PCM_S8, SF_FORMAT_PCM_16, SF_FORMAT_PCM_24 };
    SF_INFO info = { 0 };
    *c = (struct codec){ .file = s->file, .to = to };
    if (to)
        info = (SF_INFO){ .samplerate = (int)s->rate,
                          .channels = (int)s->channels,
                          .format = SF_FORMAT_FLAC | subtypes[s->sample] };
    /* sf_open leaves its error in a variable of the whole process: one at a time opens. */
    while (atomic_flag_test_and_set_explicit(&busy, memory_order_acquire))
        sched_yield();
    c->library = sf_open_virtual(&io, to ? SFM_WRITE : SFM_READ, &info, c);
    if (!c->library)
        explain(c, "libsndfile refuses it", e);
    atomic_flag_clear_explicit(&busy, memory_order_release);
    return c->library != NULL;
}

bool codec_read(struct codec *c, void *frames, size_t maxframe, size_t *n, struct error *e)
{
    sf_count_t got = sf_readf_int(c->library, frames, (sf_count_t)maxframe);
    *n = got > 0 ? (size_t)got : 0;
    if (*n == maxframe || (c->error.kind == ERROR_NONE && sf_error(c->library) == SF_ERR_NO_ERROR))
        return true;
    /* Where the file ends too early, the caller has the better message. */
    return (c->error.kind == ERROR_NONE && c->at >= c->file->size) || explain(c, "damaged", e);
}

bool codec_write(struct codec *c, const void *frames, size_t nframe, struct error *e)
{
    bool good = sf_writef_int(c->library, frames, (sf_count_t)nframe) == (sf_count_t)nframe;
    return (good && c->error.kind == ERROR_NONE) || explain(c, "cannot write samples", e);
}

bool codec_close(struct codec *c, struct error *e)
{
    bool good = !c->library || sf_close(c->library) == 0;
    c->library = NULL;
    return (good && c->error.kind == ERROR_NONE) || !e || explain(c, "cannot end the file", e);
}

AUDIO_FORMAT(flac, SOUND_FLAC, "FLAC audio, compressed without loss", 12, "fLaC", "", ".flac")
