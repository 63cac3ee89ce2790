/* What the containers share: checks of headers, the walk over chunks of WAV, AIFF and CAF, and cue points. */
#include "formats/audio/audio.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

bool sound_has_id(const void *id, const char *ids)
{
    for (; *ids; ids += 4)
        if (memcmp(id, ids, 4) == 0)
            return true;
    return false;
}

void sound_free(struct sound *s)
{
    free(s->cue);
    free(s->chunk);
}

bool sound_get(const struct sound_file *f, uint64_t at, void *buf, size_t n, struct error *e)
{
    if (f->size < n || at > f->size - n)
        return error_data(e, "the file ends in its header, after %llu byte%s", (unsigned long long)f->size,
                          error_plural(f->size));
    if (f->bytes) {
        memcpy(buf, f->bytes + at, n);
        return true;
    }
    for (ssize_t got; n > 0; n -= (size_t)got, at += (size_t)got) {
        got = pread(f->fd, buf, n, (off_t)(f->base + at));
        if (got == 0)
            return error_data(e, "the file became shorter while it was read");
        if (got < 0 && errno != EINTR)
            return error_system(e, errno, "cannot read");
        got = got < 0 ? 0 : got;
        buf = (char *)buf + got;
    }
    return true;
}

bool sound_add_chunk(struct sound *s, const char *id, uint64_t at, uint64_t n, struct error *e)
{
    if (s->nchunk == SOUND_MAXCHUNK)
        return error_data(e, "more than %d chunks", SOUND_MAXCHUNK);
    if (!array_reserve(&s->chunk, s->nchunk + 1, &s->maxchunk, sizeof *s->chunk, e))
        return false;
    s->chunk[s->nchunk] = (struct sound_chunk){ .at = at, .n = n };
    memcpy(s->chunk[s->nchunk++].id, id, 4);
    return true;
}

bool sound_set_sample(struct sound *s, bool real, unsigned bits, uint64_t nframe, struct error *e)
{
    if (real ? bits != 32 && bits != 64 : bits < 1 || bits > 32)
        return error_data(e, "samples of %u bit%s cannot be read", bits, error_plural(bits));
    s->sample = real ? (bits == 32 ? SOUND_FLOAT : SOUND_DOUBLE) : SOUND_PCM8 + (bits - 1) / 8;
    if (s->channels == 0 || s->channels > SOUND_MAXCHANNEL || nframe == SOUND_UNKNOWN ||
        nframe == sound_frame(s))
        return true;
    return error_data(e, "the header contradicts itself: %u bytes for %u channels of %u bits",
                      (unsigned)nframe, s->channels, bits);
}

bool sound_check(struct sound *s, uint64_t npromised, uint64_t navailable, struct error *e)
{
    size_t frame = sound_frame(s);
    if (s->channels == 0)
        return error_data(e, "the header says 0 channels");
    if (s->channels > SOUND_MAXCHANNEL)
        return error_data(e, "%u channels; at most %d can be read", s->channels, SOUND_MAXCHANNEL);
    if (!(s->rate >= 1e-6 && s->rate <= 1e12)) /* so that times are finite numbers */
        return error_data(e, "the header says %g frames per second", s->rate);
    s->promised = npromised == SOUND_UNKNOWN ? SOUND_UNKNOWN : npromised / frame;
    s->ndata = npromised < navailable ? npromised : navailable;
    if (s->ndata == SOUND_UNKNOWN)
        return true;
    size_t odd = (size_t)(s->ndata % frame);
    if (odd)
        snprintf(s->remark, sizeof s->remark,
                 "what follows the last whole frame, %zu of %zu bytes, is dropped", odd, frame);
    s->ndata -= odd;
    return true;
}

unsigned char *sound_put_fields(unsigned char *to, bool big, const struct sound_field *field, size_t nfield)
{
    for (; nfield > 0; to += field->width, nfield--, field++)
        sound_put_word(to, field->x, field->width, big);
    return to;
}

size_t sound_data_head(const struct sound *s, unsigned char *buf)
{
    const struct sound_container *container = &sound_containers[s->kind];
    uint64_t n = container->nextra + sound_bytes(s);
    if (!container->samples_id)
        return 0;
    size_t nhead = chunk_head(s, container->samples_id, sound_is_large(s) ? UINT32_MAX : n, buf);
    memset(buf + nhead, 0, container->nextra);
    return nhead + container->nextra;
}

struct sound_chunk *chunk_find(const struct sound *s, const char *id)
{
    for (size_t i = 0; i < s->nchunk; i++)
        if (sound_has_id(s->chunk[i].id, id) && s->chunk[i].n > 0)
            return &s->chunk[i];
    return NULL;
}

size_t chunk_head(const struct sound *s, const char *id, uint64_t n, unsigned char *buf)
{
    memcpy(buf, id, 4);
    return (size_t)(sound_put(buf + 4, chunk_is_big(s), { s->kind == SOUND_CAF ? 8 : 4, n }) - buf);
}

/* The error of a file of another kind; the hint names the kind where the first bytes tell it. */
static bool refuse_kind(enum sound_kind kind, const unsigned char *head, size_t nhead, struct error *e)
{
    error_data(e, "this is no %s file", sound_containers[kind].name);
    for (int i = SOUND_WAV; i <= SOUND_CAF; i++) {
        const struct sound_container *other = &sound_containers[i];
        if (other->format->sniff(head, nhead))
            return error_hint(e, "it begins like %s: --from %s", other->name, other->format->name);
    }
    if (memcmp(head, "RIFF", 4) == 0)
        return error_hint(e, "it is a RIFF file of another kind");
    if (memcmp(head, "ID3", 3) == 0 || (head[0] == 0xFF && (head[1] & 0xE0) == 0xE0))
        return error_hint(e, "it begins like MP3, and only PCM and IEEE float are read");
    return false;
}

/* Reads the cue points. Where fewer are present than promised, their chunk is not copied but made new. */
static bool read_cues(struct sound *s, struct error *e)
{
    const struct sound_container *container = &sound_containers[s->kind];
    struct sound_chunk *chunk = chunk_find(s, container->cue_id);
    /* In AIFF a length byte and a name follow, together of even size. */
    bool named = s->kind == SOUND_AIFF, big = chunk_is_big(s);
    unsigned char cue[24];
    unsigned nword = container->cue_word, size = named ? 7 : container->cue_size;
    if (!chunk || chunk->n < nword)
        return true;
    if (!sound_get(s->file, chunk->at, cue, nword, e))
        return false;
    uint64_t n = sound_word(cue, nword, big), at = chunk->at + nword, end = chunk->at + chunk->n;
    for (; n > 0 && at <= end && end - at >= size; n--) {
        if (!sound_get(s->file, at, cue, size, e))
            return false;
        if (s->ncue == SOUND_MAXCUE)
            return error_data(e, "more than %d cue points", SOUND_MAXCUE);
        if (!array_reserve(&s->cue, s->ncue + 1, &s->maxcue, sizeof *s->cue, e))
            return false;
        s->cue[s->ncue++] = (struct sound_cue){ (uint32_t)sound_word(cue, nword, big),
                                                sound_word(cue + container->cue_frame, 4, big) };
        s->labelled = s->labelled || (named && cue[6]);
        at += named ? (8u + cue[6]) & ~1u : size;
    }
    if (n > 0) {
        snprintf(s->remark, sizeof s->remark, "%llu cue point%s promised, %zu present",
                 (unsigned long long)n + s->ncue, error_plural(n + s->ncue), s->ncue);
        memcpy(chunk->id, "JUNK", 4);
    }
    return true;
}

static bool read_format(struct sound *s, uint64_t at, uint64_t n, struct error *e)
{
    const struct sound_container *container = &sound_containers[s->kind];
    if (s->nfmt > 0)
        return error_data(e, "there are two \"%s\" chunks", container->format_id);
    if (n < container->nformat + 4 * s->typed)
        return error_data(e, "the \"%s\" chunk has only %llu byte%s", container->format_id,
                          (unsigned long long)n, error_plural(n));
    s->nfmt = n < sizeof s->fmt ? (size_t)n : sizeof s->fmt;
    return sound_get(s->file, at, s->fmt, s->nfmt, e) && container->describe(s, n, e);
}

/* Reads the chunk of *n bytes at that place; *n becomes SOUND_UNKNOWN where nothing can follow. One that
 * promises more than the file has is dropped after the samples, and an error before them. */
static bool read_chunk(struct sound *s, const char *id, uint64_t at, uint64_t *n, struct error *e)
{
    const struct sound_container *container = &sound_containers[s->kind];
    uint64_t room = s->file->size - at;
    char text[17], type[4];
    if (sound_has_id(id, container->samples_id)) {
        if (s->data)
            return error_data(e, "there are two \"%s\" chunks, and only one can be read",
                              container->samples_id);
        if (s->nfmt == 0 && s->kind != SOUND_AIFF)
            return error_data(e, "the samples come before the \"%s\" chunk", container->format_id);
        return container->locate(s, at, n, e);
    }
    if (*n > room && s->data && s->kind != SOUND_CAF) {
        snprintf(s->remark, sizeof s->remark, "what follows the samples is damaged, and is dropped");
        return true;
    }
    if (*n > room) {
        error_escape(id, 4, text, sizeof text);
        return error_data(e, "the chunk \"%s\" promises %llu byte%s and has %llu", text,
                          (unsigned long long)*n, error_plural(*n), (unsigned long long)room);
    }
    if (sound_has_id(id, container->format_id))
        return read_format(s, at, *n, e);
    if (s->kind == SOUND_WAV && *n >= sizeof type && sound_has_id(id, "LIST")) {
        if (!sound_get(s->file, at, type, sizeof type, e))
            return false;
        s->labelled = s->labelled || sound_has_id(type, "adtl"); /* texts for cue points */
    }
    return sound_add_chunk(s, id, at, *n, e);
}

/* Reads all chunks up to the end of the file, or of what is intact once the samples were seen. */
static bool read_chunks(struct sound *s, struct error *e)
{
    const struct sound_container *container = &sound_containers[s->kind];
    unsigned nhead = s->kind == SOUND_CAF ? 12 : 8;
    unsigned char head[12];
    uint64_t size = s->file->size, n;
    for (uint64_t at = 20 - nhead; size - at >= nhead; at += n + chunk_pads(s, n)) {
        if (!sound_get(s->file, at, head, nhead, e))
            return false;
        at += nhead;
        n = sound_word(head + 4, nhead - 4, chunk_is_big(s));
        if (!read_chunk(s, (const char *)head, at, &n, e))
            return false;
        if (n >= size - at)
            break;
    }
    bool none = s->kind == SOUND_AIFF && s->exact && sound_word(s->fmt + 2, 4, true) == 0;
    if (s->nfmt == 0 || (!s->data && !none))
        return error_data(e, "there is no \"%s\" chunk",
                          s->nfmt > 0 ? container->samples_id : container->format_id);
    s->data = s->data ? s->data : size;
    return true;
}

bool sound_read_header(struct sound *s, enum sound_kind kind, const struct sound_file *file, struct error *e)
{
    const struct sound_container *container = &sound_containers[kind];
    unsigned char head[12];
    *s = (struct sound){ .kind = kind, .file = file };
    if (file->size == 0)
        return error_data(e, "the file is empty");
    if (!sound_get(file, 0, head, sizeof head, e))
        return false;
    if (!container->format->sniff(head, sizeof head))
        return refuse_kind(kind, head, sizeof head, e);
    if (container->read_header)
        return container->read_header(s, e);
    s->big = sound_has_id(head, "RIFX");
    s->exact = sound_is_exact(file, sound_word(head + 4, 4, chunk_is_big(s)));
    s->large = sound_has_id(head, "RF64");
    s->typed = sound_has_id(head + 8, "AIFC");
    if (!read_chunks(s, e))
        return false;
    uint64_t available = file->size - s->data;
    if (kind == SOUND_AIFF)
        aiff_settle(s, &available);
    return sound_check(s, s->ndata, available, e) && (!container->cue_id || read_cues(s, e));
}
