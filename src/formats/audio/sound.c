/* The description of a recording, whatever the container. See audio.h. */
#include "formats/audio/audio.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A program that does not know a size yet writes all ones, or a size between these bounds. */
enum {
    NEARLY = 0x7FFF0000,     /* up to 2 GiB */
    NEARLY_SOX = 0x7EFF0000, /* sox in AIFF: the bytes of the whole frames in 0x7F000000 bytes, and 8 bytes */
    NEARLY_SOX_END = 0x7F000010
};

bool sound_is_open(uint64_t size)
{
    bool nearly = size >= NEARLY && size <= INT32_MAX;
    bool by_sox = size >= NEARLY_SOX && size < NEARLY_SOX_END;
    return size == UINT32_MAX || size > INT64_MAX || nearly || by_sox;
}

unsigned sound_file_width(const struct sound *s)
{
    static const unsigned char width[] = { 1, 2, 3, 4, 4, 8 };
    return width[s->sample];
}

unsigned sound_width(const struct sound *s)
{
    return s->words && s->sample < SOUND_FLOAT ? sizeof(int32_t) : sound_file_width(s);
}

size_t sound_frame(const struct sound *s)
{
    return (size_t)s->channels * sound_width(s);
}

bool sound_refuse_sample(struct error *e, const char *what)
{
    error_data(e, "the samples are %s, and only PCM and IEEE float are read", what);
    return error_hint(e, "decode it first, as in: sox IN -b 16 -e signed OUT");
}

bool sound_check(const struct sound *s, struct error *e)
{
    if (s->channels == 0)
        return error_data(e, "the header says 0 channels");
    if (s->channels > SOUND_MAXCHANNEL)
        return error_data(e, "%u channels; at most %d can be read", s->channels, SOUND_MAXCHANNEL);
    /* Other rates make infinite times. */
    return (s->rate >= 1e-6 && s->rate <= 1e12) ||
           error_data(e, "the header says %g frames per second", s->rate);
}

void sound_set_length(struct sound *s, uint64_t promised, uint64_t available)
{
    uint64_t frame = (uint64_t)s->channels * sound_file_width(s);
    uint64_t n = promised < available ? promised : available;
    s->promised = promised == SOUND_UNKNOWN ? SOUND_UNKNOWN : promised / frame;
    s->present = available == SOUND_UNKNOWN ? SOUND_UNKNOWN : n / frame;
    if (n != SOUND_UNKNOWN && n % frame != 0)
        snprintf(s->remark, sizeof s->remark, "what follows the last whole frame, %u of %u bytes, is dropped",
                 (unsigned)(n % frame), (unsigned)frame);
}

bool sound_add_chunk(struct sound *s, const struct sound_chunk *chunk, struct error *e)
{
    if (s->nchunk == SOUND_MAXCHUNK)
        return error_data(e, "more than %d chunks", SOUND_MAXCHUNK);
    if (!array_reserve(&s->chunk, s->nchunk + 1, &s->maxchunk, sizeof *s->chunk, e))
        return false;
    s->chunk[s->nchunk++] = *chunk;
    return true;
}

bool sound_add_cue(struct sound *s, struct sound_cue cue, struct error *e)
{
    if (s->ncue == SOUND_MAXCUE)
        return error_data(e, "more than %d cue points", SOUND_MAXCUE);
    if (!array_reserve(&s->cue, s->ncue + 1, &s->maxcue, sizeof *s->cue, e))
        return false;
    s->cue[s->ncue++] = cue;
    return true;
}

void sound_free(struct sound *s)
{
    free(s->cue);
    free(s->chunk);
}
