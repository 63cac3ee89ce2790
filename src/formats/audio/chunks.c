/* The walk over the chunks of WAV, AIFF and CAF files, and their cue points. See chunks.h. */
#include "formats/audio/chunks.h"

#include <stdio.h>
#include <string.h>

bool chunk_is_big(const struct sound *s)
{
    return s->big || s->kind != SOUND_WAV;
}

static bool read_format(struct chunks *c, uint64_t at, uint64_t n, struct error *e)
{
    struct sound *s = c->sound;
    const char *id = sound_containers[s->kind].format_id;
    if (c->described)
        return error_data(e, "there are two \"%s\" chunks", id);
    if (n < c->nleast)
        return error_data(e, "the \"%s\" chunk has only %llu byte%s", id, (unsigned long long)n,
                          error_plural(n));
    c->described = true;
    c->nformat = n;
    s->nfmt = n < sizeof s->fmt ? (size_t)n : sizeof s->fmt;
    return sound_get(c->file, at, s->fmt, s->nfmt, e) && c->describe(c, e);
}

static bool read_samples(struct chunks *c, uint64_t at, uint64_t *n, struct error *e)
{
    const struct sound_container *container = &sound_containers[c->sound->kind];
    if (c->found)
        return error_data(e, "there are two \"%s\" chunks, and only one can be read", container->samples_id);
    if (!c->described && c->sound->kind != SOUND_AIFF)
        return error_data(e, "the samples come before the \"%s\" chunk", container->format_id);
    c->found = true;
    return c->locate(c, at, n, e);
}

/* A chunk promises more than the file has: after the samples it is dropped, before them it is an error. */
static bool drop_cut(struct chunks *c, const unsigned char *id, uint64_t n, uint64_t room, struct error *e)
{
    char text[17];
    if (c->found && c->sound->kind != SOUND_CAF) {
        snprintf(c->sound->remark, sizeof c->sound->remark,
                 "what follows the samples is damaged, and is dropped");
        return true;
    }
    error_escape((const char *)id, 4, text, sizeof text);
    return error_data(e, "the chunk \"%s\" promises %llu byte%s and has %llu", text, (unsigned long long)n,
                      error_plural(n), (unsigned long long)room);
}

bool chunks_read(struct chunks *c, struct error *e)
{
    const struct sound_container *container = &sound_containers[c->sound->kind];
    bool wide = c->sound->kind == SOUND_CAF;
    unsigned char head[12];
    uint64_t nhead = wide ? 12 : 8;
    c->sound->data = c->file->size;
    for (uint64_t at = c->start; c->file->size - at >= nhead;) {
        if (!sound_get(c->file, at, head, (size_t)nhead, e))
            return false;
        at += nhead;
        uint64_t n = wide ? sound_word64(head + 4, true) : sound_word(head + 4, 4, chunk_is_big(c->sound));
        uint64_t room = c->file->size - at;
        if (memcmp(head, container->samples_id, 4) == 0) {
            if (!read_samples(c, at, &n, e))
                return false;
        } else if (n > room) {
            if (!drop_cut(c, head, n, room, e))
                return false;
        } else if (!(memcmp(head, container->format_id, 4) == 0
                         ? read_format(c, at, n, e)
                         : sound_add_chunk(c->sound, (const char *)head, at, n, e))) {
            return false;
        }
        if (n >= room)
            break;
        at += n + chunk_pads(c->sound, n);
    }
    if (c->described && (c->found || c->optional))
        return true;
    return error_data(e, "there is no \"%s\" chunk",
                      c->described ? container->samples_id : container->format_id);
}

bool chunks_read_cues(struct sound *s, const struct sound_file *file, struct error *e)
{
    const struct sound_container *container = &sound_containers[s->kind];
    struct sound_chunk *chunk = chunk_find(s, container->cue_id);
    bool named = s->kind == SOUND_AIFF; /* a length byte and a name follow, together of even size */
    size_t nword = container->cue_word, size = named ? 7 : container->cue_size;
    unsigned char cue[24];
    if (!chunk || chunk->n < nword)
        return true;
    if (!sound_get(file, chunk->at, cue, nword, e))
        return false;
    uint64_t n = sound_word(cue, (unsigned)nword, chunk_is_big(s)), at = chunk->at + nword,
             end = chunk->at + chunk->n;
    for (; n > 0 && at <= end && end - at >= size; n--) {
        if (!sound_get(file, at, cue, size, e) ||
            !sound_add_cue(s, sound_word(cue, (unsigned)nword, chunk_is_big(s)),
                           sound_word(cue + container->cue_frame, 4, chunk_is_big(s)), e))
            return false;
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

bool chunks_are_exact(const struct sound_file *file, uint64_t size)
{
    return size + 8 == file->size || size + 9 == file->size;
}

struct sound_chunk *chunk_find(const struct sound *s, const char *id)
{
    for (size_t i = 0; i < s->nchunk; i++)
        if (memcmp(s->chunk[i].id, id, 4) == 0 && s->chunk[i].n > 0)
            return &s->chunk[i];
    return NULL;
}

size_t chunk_head(const struct sound *s, const char *id, uint64_t n, unsigned char *buf)
{
    memcpy(buf, id, 4);
    return (size_t)(sound_put(buf + 4, chunk_is_big(s), { s->kind == SOUND_CAF ? 8 : 4, n }) - buf);
}

bool chunk_pads(const struct sound *s, uint64_t n)
{
    return s->kind != SOUND_CAF && n & 1;
}

bool chunk_lasts(const struct sound_chunk *chunk, bool moved)
{
    /* Padding; what heads have anew; what was computed from the samples; and with numbers of frames. */
    static const char ids[][5] = { "JUNK", "junk", "PAD ", "FLLR", "ds64", "fact", "PEAK",
                                   "levl", "MD5 ", "FVER", "free", "peak", "ovvw", "cue ",
                                   "MARK", "plst", "smpl", "bext", "mark", "regn", "edct" };
    enum { ALWAYS = 13 }; /* those before "cue " */
    for (size_t i = 0; i < (moved ? sizeof ids / sizeof *ids : ALWAYS); i++)
        if (memcmp(chunk->id, ids[i], 4) == 0)
            return false;
    return true;
}
