/* The file that audio is written to: heads, other chunks, samples, sizes. See audio_file.h. */
#include "formats/audio/file.h"

#include "formats/audio/riff.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool is_ours(const struct audio_file *f)
{
    return f->sound.kind != SOUND_FLAC;
}

bool audio_holds_cues(enum sound_kind kind)
{
    return kind == SOUND_WAV || kind == SOUND_AIFF;
}

/* Is this chunk of the input copied? */
static bool copies(const struct audio_file *f, const struct sound_chunk *chunk)
{
    static const char *const placed[] = { "cue ", "MARK", "plst", "smpl", "bext", "mark", "regn", "edct" };
    for (size_t i = 0; f->moved && i < sizeof placed / sizeof *placed; i++)
        if (memcmp(chunk->id, placed[i], 4) == 0)
            return false;
    return f->verbatim && sound_keeps(chunk);
}

/* Says what of the input is not in the output. */
static void tell_losses(const struct audio_file *f, const struct writer *w)
{
    char text[256] = "";
    const struct sound *in = f->input ? &f->input->sound : NULL;
    if (!in || !w->messages || (f->verbatim && !f->moved))
        return;
    for (size_t i = 0; i < in->nchunk && strlen(text) < 160; i++) {
        char id[17];
        error_escape(in->chunk[i].id, 4, id, sizeof id);
        bool lost = sound_keeps(&in->chunk[i]) && !copies(f, &in->chunk[i]);
        if (lost && strcmp(id, "cue ") && strcmp(id, "MARK") && !strstr(text, id))
            snprintf(text + strlen(text), sizeof text - strlen(text), "%s%s", *text ? ", " : "", id);
    }
    if (*text)
        messages_add(w->messages, w->reader->source->name, "metadata that is not kept: %s", text);
    if (in->ncue && !audio_holds_cues(f->sound.kind))
        messages_add(w->messages, w->reader->source->name, "%zu cue point%s not kept: %s has none", in->ncue,
                  in->ncue == 1 ? " is" : "s are", w->format->name);
    else if (in->labelled && !(f->verbatim && f->sound.kind == SOUND_WAV))
        messages_add(w->messages, w->reader->source->name, "the names of cue points are not kept");
}

static bool goes_before(const struct audio_file *f, const struct sound_chunk *chunk)
{
    return chunk->at < f->input->sound.data;
}

/* Are there cue points to write that are not in a chunk which is copied? */
static bool own_cues(const struct audio_file *f)
{
    const struct sound *in = f->verbatim ? &f->input->sound : NULL;
    for (size_t i = 0; in && i < in->nchunk; i++)
        if (copies(f, &in->chunk[i]) &&
            memcmp(in->chunk[i].id, f->sound.kind == SOUND_WAV ? "cue " : "MARK", 4) == 0)
            return false;
    return f->sound.ncue > 0;
}

/* Bytes of the other chunks before or after the samples. */
static uint64_t chunks_size(const struct audio_file *f, bool before)
{
    const struct sound *in = f->verbatim ? &f->input->sound : NULL;
    unsigned char head[12];
    uint64_t n = 0;
    for (size_t i = 0; in && i < in->nchunk; i++)
        if (copies(f, &in->chunk[i]) && goes_before(f, &in->chunk[i]) == before)
            n += sound_chunk_head(&f->sound, in->chunk[i].id, in->chunk[i].n, head) + in->chunk[i].n +
                 sound_chunk_pads(&f->sound, in->chunk[i].n);
    if (!before && own_cues(f))
        n += f->sound.kind == SOUND_WAV ? 12 + 24 * (uint64_t)f->sound.ncue
                                        : 10 + 8 * (uint64_t)f->sound.ncue;
    return n;
}

static struct sound_plan plan_of(const struct audio_file *f, uint64_t nframe)
{
    const struct sound *in = f->verbatim ? &f->input->sound : NULL;
    bool like = in && in->sample == f->sound.sample && in->channels == f->sound.channels;
    return (struct sound_plan){ .sound = &f->sound,
                                .like = like ? in : NULL,
                                .nframe = nframe,
                                .nbefore = chunks_size(f, true),
                                .nafter = chunks_size(f, false),
                                .reserve = f->reserve };
}

static bool put(struct audio_file *f, uint64_t *at, const void *bytes, size_t n, struct error *e)
{
    if (!(f->streamed ? tempfile_put(f->spool.out, bytes, n, e) : tempfile_write(&f->spool, *at, bytes, n, e)))
        return false;
    *at += n;
    return true;
}

static bool copy_chunk(struct audio_file *f, const struct sound_chunk *chunk, uint64_t *at, struct error *e)
{
    const struct sound_file *file = &f->input->file;
    unsigned char piece[4096];
    size_t n = sound_chunk_head(&f->sound, chunk->id, chunk->n, piece);
    if (!put(f, at, piece, n, e))
        return false;
    for (uint64_t done = 0; done < chunk->n; done += n) {
        n = chunk->n - done < sizeof piece ? (size_t)(chunk->n - done) : sizeof piece;
        if (!file->read(file->closure, chunk->at + done, piece, n, e) || !put(f, at, piece, n, e))
            return false;
    }
    return !sound_chunk_pads(&f->sound, chunk->n) || put(f, at, "", 1, e);
}

static bool copy_chunks(struct audio_file *f, bool before, uint64_t *at, struct error *e)
{
    const struct sound *in = &f->input->sound;
    for (size_t i = 0; i < in->nchunk; i++)
        if (copies(f, &in->chunk[i]) && goes_before(f, &in->chunk[i]) == before &&
            !copy_chunk(f, &in->chunk[i], at, e))
            return false;
    return true;
}

/* Cue points of another kind of file. AIFF numbers them up from 1, with an empty name of two bytes. */
static bool write_cues(struct audio_file *f, uint64_t *at, struct error *e)
{
    unsigned char point[24], *end;
    const struct sound *s = &f->sound;
    bool wav = s->kind == SOUND_WAV;
    size_t size = wav ? 24 : 8;
    end = point + sound_chunk_head(s, wav ? "cue " : "MARK", (wav ? 4 : 2) + size * s->ncue, point);
    end = sound_put(end, s->ncue, wav ? 4 : 2, s->big);
    if (!put(f, at, point, (size_t)(end - point), e))
        return false;
    for (size_t i = 0; i < s->ncue; i++) {
        uint64_t frame = f->moved && s->cue[i].frame > f->nframe ? f->nframe : s->cue[i].frame;
        memset(point, 0, sizeof point);
        sound_put(point, wav ? s->cue[i].id : i + 1, wav ? 4 : 2, s->big);
        sound_put(point + (wav ? 4 : 2), frame, 4, s->big);
        sound_put(point + 20, frame, 4, s->big);
        if (wav)
            memcpy(point + 8, "data", 4);
        if (!put(f, at, point, size, e))
            return false;
    }
    return true;
}

bool audio_file_start(struct audio_file *f, const struct writer *w, struct error *e)
{
    unsigned char head[SOUND_HEAD];
    uint64_t at = 0;
    tell_losses(f, w);
    f->streamed = f->sound.kind == SOUND_AU && !tempfile_is_direct(w->fd);
    f->spool.out = w->fd;
    if (!f->streamed && !tempfile_open(&f->spool, w->fd, e))
        return false;
    if (!is_ours(f) && !(f->codec = codec_create(&f->sound, &f->spool, e)))
        return false;
    f->reserve = f->sound.promised == SOUND_UNKNOWN;
    f->begun = true;
    if (!is_ours(f))
        return true;
    struct sound_plan plan = plan_of(f, f->sound.promised);
    f->reserve = plan.reserve = f->reserve || riff_large(&plan);
    if (!put(f, &at, head, sound_head(&plan, head), e) || (f->verbatim && !copy_chunks(f, true, &at, e)) ||
        !put(f, &at, head, sound_data_head(&plan, head), e))
        return false;
    f->nhead = at;
    return true;
}

/* May the file grow to so many bytes? */
static bool fits(const struct audio_file *f, uint64_t n, struct error *e)
{
    bool small = f->sound.kind == SOUND_AIFF || (f->sound.kind == SOUND_WAV && (f->sound.big || !f->reserve));
    if (!small || n + chunks_size(f, false) <= UINT32_MAX - SOUND_HEAD)
        return true;
    error_data(e, "more than 4 GiB do not fit into this file");
    return error_hint(e, "use --to caf or --to au%s", f->sound.kind == SOUND_AIFF ? ", or --to wav" : "");
}

bool audio_file_put(struct audio_file *f, const void *frames, size_t nframe, struct error *e)
{
    size_t n = nframe * f->sound.channels * sound_width(f->sound.sample);
    uint64_t at = f->nhead + f->nframe * f->sound.channels * sound_width(f->sound.sample);
    f->nframe += nframe;
    if (!fits(f, at + n, e))
        return false;
    return is_ours(f) ? put(f, &at, frames, n, e) : codec_write(f->codec, frames, nframe, e);
}

/* What follows the samples, and the heads again with the length that it came to. */
static bool complete(struct audio_file *f, struct error *e)
{
    unsigned char head[SOUND_HEAD];
    struct sound_plan plan = plan_of(f, f->nframe);
    uint64_t at = f->nhead + sound_plan_bytes(&plan), start = 0;
    if (sound_chunk_pads(&f->sound, sound_plan_bytes(&plan)) && f->sound.kind != SOUND_AU &&
        !put(f, &at, "", 1, e))
        return false;
    if ((f->verbatim && !copy_chunks(f, false, &at, e)) || (own_cues(f) && !write_cues(f, &at, e)))
        return false;
    if (!put(f, &start, head, sound_head(&plan, head), e))
        return false;
    size_t n = sound_data_head(&plan, head);
    at = f->nhead - n;
    return put(f, &at, head, n, e);
}

bool audio_file_end(struct audio_file *f, struct error *e)
{
    struct codec *codec = f->codec;
    f->codec = NULL;
    f->finished = true;
    if (!codec_close(codec, e))
        return false;
    return f->streamed || ((!is_ours(f) || complete(f, e)) && tempfile_finish(&f->spool, e));
}

void audio_file_free(struct audio_file *f)
{
    codec_close(f->codec, NULL);
    tempfile_close(&f->spool);
}
