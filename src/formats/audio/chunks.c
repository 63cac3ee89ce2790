/* The walk over the chunks of WAV, AIFF and CAF files. */
#include "formats/audio/sound.h"

#include <stdio.h>
#include <string.h>

static bool read_format(struct chunks *c, uint64_t at, uint64_t n, struct error *e)
{
    struct sound *s = c->sound;
    const char *id = sound_containers[s->kind].format_id;
    if (c->nformat > 0)
        return error_data(e, "there are two \"%s\" chunks", id);
    if (n < c->nleast)
        return error_data(e, "the \"%s\" chunk has only %llu byte%s", id, (unsigned long long)n,
                          error_plural(n));
    c->nformat = n;
    s->nfmt = n < sizeof s->fmt ? (size_t)n : sizeof s->fmt;
    return sound_get(c->file, at, s->fmt, s->nfmt, e) && c->describe(c, e);
}

/* Reads the chunk of *n bytes at that place; *n becomes SOUND_UNKNOWN where nothing can follow. One that
 * promises more than the file has is dropped after the samples, and an error before them. */
static bool read_chunk(struct chunks *c, const char *id, uint64_t at, uint64_t *n, struct error *e)
{
    struct sound *s = c->sound;
    const struct sound_container *container = &sound_containers[s->kind];
    uint64_t room = c->file->size - at;
    char text[17];
    if (memcmp(id, container->samples_id, 4) == 0) {
        if (c->found)
            return error_data(e, "there are two \"%s\" chunks, and only one can be read",
                              container->samples_id);
        if (c->nformat == 0 && s->kind != SOUND_AIFF)
            return error_data(e, "the samples come before the \"%s\" chunk", container->format_id);
        c->found = true;
        return c->locate(c, at, n, e);
    }
    if (*n > room && c->found && s->kind != SOUND_CAF) {
        snprintf(s->remark, sizeof s->remark, "what follows the samples is damaged, and is dropped");
        return true;
    }
    if (*n > room) {
        error_escape(id, 4, text, sizeof text);
        return error_data(e, "the chunk \"%s\" promises %llu byte%s and has %llu", text,
                          (unsigned long long)*n, error_plural(*n), (unsigned long long)room);
    }
    return memcmp(id, container->format_id, 4) == 0 ? read_format(c, at, *n, e)
                                                    : sound_add_chunk(s, id, at, *n, e);
}

bool chunks_read(struct chunks *c, struct error *e)
{
    const struct sound_container *container = &sound_containers[c->sound->kind];
    bool wide = c->sound->kind == SOUND_CAF;
    size_t nhead = wide ? 12 : 8;
    unsigned char head[12];
    uint64_t at = wide ? 8 : 12, size = c->file->size;
    c->sound->data = size;
    while (size - at >= nhead) {
        if (!sound_get(c->file, at, head, nhead, e))
            return false;
        at += nhead;
        uint64_t n = wide ? sound_word64(head + 4, true) : sound_word(head + 4, 4, chunk_is_big(c->sound));
        if (!read_chunk(c, (const char *)head, at, &n, e))
            return false;
        if (n >= size - at)
            break;
        at += n + chunk_pads(c->sound, n);
    }
    if (c->nformat > 0 && (c->found || c->optional))
        return true;
    return error_data(e, "there is no \"%s\" chunk",
                      c->nformat > 0 ? container->samples_id : container->format_id);
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

/* True if the id is among those in the string, four characters each. */
static bool is_one_of(const char *id, const char *ids)
{
    while (*ids && memcmp(id, ids, 4) != 0)
        ids += 4;
    return *ids;
}

bool chunk_lasts(const struct sound_chunk *chunk, bool moved)
{
    /* Padding; what heads have anew; and what was computed from the samples. */
    static const char made[] = "JUNKjunkPAD FLLRds64factPEAKlevlMD5 FVERfreepeakovvw";
    static const char placed[] = "cue MARKplstsmplbextmarkregnedct"; /* with numbers of frames */
    return !is_one_of(chunk->id, made) && !(moved && is_one_of(chunk->id, placed));
}
