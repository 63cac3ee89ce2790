/* The bytes of an audio file that is written. See recording.h. */
#include "formats/audio/recording.h"

#include "formats/audio/chunks.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Warns of metadata of the input that is not in the output. */
static void warn_losses(const struct recording *o, const struct writer *w)
{
    char text[256] = "";
    const struct sound *in = o->input ? &o->input->sound : NULL;
    const char *name = w->reader->source->name;
    if (!in || !w->messages || (o->verbatim && !o->moved))
        return;
    for (size_t i = 0; i < in->nchunk && strlen(text) < 160; i++) {
        char id[17];
        error_escape(in->chunk[i].id, 4, id, sizeof id);
        bool lost = chunk_lasts(&in->chunk[i], false) &&
                    !(o->verbatim && chunk_lasts(&in->chunk[i], o->moved));
        if (lost && strcmp(id, "cue ") && strcmp(id, "MARK") && !strstr(text, id))
            snprintf(text + strlen(text), sizeof text - strlen(text), "%s%s", *text ? ", " : "", id);
    }
    if (*text)
        messages_add(w->messages, name, "metadata that is not kept: %s", text);
    if (in->ncue && !sound_containers[o->sound.kind].cue_id)
        messages_add(w->messages, name, "%zu cue point%s not kept: %s has none", in->ncue,
                     in->ncue == 1 ? " is" : "s are", w->format->name);
    else if (in->labelled && !(o->verbatim && o->sound.kind == SOUND_WAV))
        messages_add(w->messages, name, "the names of cue points are not kept");
}

static bool put(struct recording *o, const void *bytes, size_t n, struct error *e)
{
    uint64_t at = o->at;
    o->at += n;
    if (o->measuring)
        return true;
    return o->streamed ? tempfile_put(o->file.out, bytes, n, e) : tempfile_write(&o->file, at, bytes, n, e);
}

static bool copy_chunk(struct recording *o, const struct sound_chunk *chunk, struct error *e)
{
    const struct sound_file *file = &o->input->file;
    unsigned char piece[4096];
    size_t n = chunk_head(&o->sound, chunk->id, chunk->n, piece);
    if (!put(o, piece, n, e))
        return false;
    for (uint64_t done = 0; done < chunk->n; done += n) {
        n = chunk->n - done < sizeof piece ? (size_t)(chunk->n - done) : sizeof piece;
        if (!o->measuring && !file->read(file->closure, chunk->at + done, piece, n, e))
            return false;
        if (!put(o, piece, n, e))
            return false;
    }
    return !chunk_pads(&o->sound, chunk->n) || put(o, "", 1, e);
}

/* Writes the cue points, unless they are in a chunk that is copied. AIFF numbers them from 1, with an empty
 * name of two bytes. */
static bool write_cues(struct recording *o, struct error *e)
{
    const struct sound *s = &o->sound;
    const struct sound_container *container = &sound_containers[s->kind];
    const struct sound_chunk *copied = s->ncue ? chunk_find(s, container->cue_id) : NULL;
    unsigned word = container->cue_word, size = container->cue_size;
    bool wav = s->kind == SOUND_WAV, big = chunk_is_big(s);
    unsigned char point[24];
    if (s->ncue == 0 || (copied && chunk_lasts(copied, o->moved)))
        return true;
    size_t n = chunk_head(s, container->cue_id, word + (uint64_t)size * s->ncue, point);
    sound_put(point + n, big, { word, s->ncue });
    if (!put(o, point, n + word, e))
        return false;
    for (size_t i = 0; i < s->ncue; i++) {
        uint64_t frame = o->moved && s->cue[i].frame > o->spec.nframe ? o->spec.nframe : s->cue[i].frame;
        memset(point, 0, sizeof point);
        sound_put(point, big, { word, wav ? s->cue[i].id : i + 1 }, { 4, frame });
        sound_put(point + 20, big, { 4, frame });
        if (wav)
            memcpy(point + 8, "data", 4);
        if (!put(o, point, size, e))
            return false;
    }
    return true;
}

/* Writes the chunks of the input that come before or after the samples, and after them the cue points. */
static bool write_chunks(struct recording *o, bool before, struct error *e)
{
    const struct sound *s = &o->sound;
    for (size_t i = 0; i < s->nchunk; i++)
        if ((s->chunk[i].at < s->data) == before && chunk_lasts(&s->chunk[i], o->moved) &&
            !copy_chunk(o, &s->chunk[i], e))
            return false;
    return before || write_cues(o, e);
}

/* The bytes that write_chunks will write. */
static uint64_t measure_chunks(struct recording *o, bool before)
{
    struct error none;
    o->at = 0;
    o->measuring = true;
    write_chunks(o, before, &none);
    o->measuring = false;
    return o->at;
}

bool recording_start(struct recording *o, const struct writer *w, struct error *e)
{
    unsigned char head[SOUND_HEAD];
    warn_losses(o, w);
    o->streamed = o->sound.kind == SOUND_AU && !tempfile_is_direct(w->fd);
    o->file.out = w->fd;
    if (!o->streamed && !tempfile_open(&o->file, w->fd, e))
        return false;
    o->spec = (struct sound_spec){ .sound = &o->sound, .nframe = o->sound.promised };
    if (o->sound.kind == SOUND_FLAC) {
        o->spec.nframe = 0;
        o->codec = codec_create(&o->sound, &o->file, e);
        return o->started = o->codec != NULL;
    }
    o->started = true;
    o->spec.nbefore = measure_chunks(o, true);
    o->spec.nafter = measure_chunks(o, false);
    o->at = 0;
    o->spec.reserve = o->spec.nframe == SOUND_UNKNOWN || riff_large(&o->spec);
    if (!put(o, head, sound_head(&o->spec, head), e) || !write_chunks(o, true, e) ||
        !put(o, head, sound_data_head(&o->spec, head), e))
        return false;
    o->nhead = o->at;
    o->spec.nframe = 0;
    return true;
}

/* Checks that the file may grow by n bytes. */
static bool check_size(const struct recording *o, uint64_t n, struct error *e)
{
    const struct sound *s = &o->sound;
    bool small = s->kind == SOUND_AIFF || (s->kind == SOUND_WAV && (s->big || !o->spec.reserve));
    if (!small || o->at + n + o->spec.nafter <= UINT32_MAX - SOUND_HEAD)
        return true;
    error_data(e, "more than 4 GiB do not fit into this file");
    return error_hint(e, "use --to caf or --to au%s", s->kind == SOUND_AIFF ? ", or --to wav" : "");
}

bool recording_add(struct recording *o, const void *frames, size_t nframe, struct error *e)
{
    size_t n = nframe * o->sound.channels * sound_width(o->sound.sample);
    o->spec.nframe += nframe;
    if (!check_size(o, n, e))
        return false;
    return o->codec ? codec_write(o->codec, frames, nframe, e) : put(o, frames, n, e);
}

/* Writes what follows the samples, and the heads again with the length that is known now. */
static bool complete(struct recording *o, struct error *e)
{
    unsigned char head[SOUND_HEAD];
    bool pad = o->sound.kind != SOUND_AU && chunk_pads(&o->sound, sound_spec_bytes(&o->spec));
    if ((pad && !put(o, "", 1, e)) || !write_chunks(o, false, e))
        return false;
    o->at = 0;
    if (!put(o, head, sound_head(&o->spec, head), e))
        return false;
    size_t n = sound_data_head(&o->spec, head);
    o->at = o->nhead - n;
    return put(o, head, n, e);
}

bool recording_end(struct recording *o, struct error *e)
{
    struct codec *codec = o->codec;
    bool complete_here = !codec && !o->streamed;
    o->codec = NULL;
    o->ended = true;
    if (!codec_close(codec, e) || (complete_here && !complete(o, e)))
        return false;
    return o->streamed || tempfile_finish(&o->file, e);
}
