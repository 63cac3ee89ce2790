/* The description of a recording, whatever the container. See audio.h. */
#include "formats/audio/audio.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *sound_sample_name(const struct sound *sound)
{
    static const char *const names[] = { "8 bit PCM",  "16 bit PCM", "24 bit PCM",
                                         "32 bit PCM", "float",      "double" };
    return names[sound->sample];
}

unsigned sound_file_width(const struct sound *sound)
{
    static const unsigned char width[] = { 1, 2, 3, 4, 4, 8 };
    return width[sound->sample];
}

unsigned sound_width(const struct sound *sound)
{
    return sound->words && sound->sample < SOUND_FLOAT ? sizeof(int32_t) : sound_file_width(sound);
}

size_t sound_frame(const struct sound *sound)
{
    return (size_t)sound->channels * sound_width(sound);
}

bool sound_refuse_sample(struct error *e, const char *what)
{
    error_data(e, "cannot read samples that are %s: only PCM and IEEE float", what);
    return error_hint(e, "decode it first, as in: sox IN -b 16 -e signed OUT");
}

bool sound_check(const struct sound *sound, struct error *e)
{
    if (sound->channels == 0)
        return error_data(e, "the header says 0 channels");
    if (sound->channels > SOUND_MAXCHANNEL)
        return error_data(e, "%u channels; at most %d can be read", sound->channels, SOUND_MAXCHANNEL);
    /* Rates near 0 make infinite times; larger rates are no rates of recordings. */
    return (sound->rate >= 1e-6 && sound->rate <= 1e12) ||
           error_data(e, "invalid sample rate in the header: %g", sound->rate);
}

void sound_set_length(struct sound *sound, uint64_t promised, uint64_t available)
{
    uint64_t frame = (uint64_t)sound->channels * sound_file_width(sound);
    uint64_t n = promised < available ? promised : available;
    sound->promised = promised == SOUND_UNKNOWN ? SOUND_UNKNOWN : promised / frame;
    sound->present = available == SOUND_UNKNOWN ? SOUND_UNKNOWN : n / frame;
    if (n != SOUND_UNKNOWN && n % frame != 0)
        snprintf(sound->remark, sizeof sound->remark, "an incomplete last frame, %u of %u bytes, is dropped",
                 (unsigned)(n % frame), (unsigned)frame);
}

bool sound_add_chunk(struct sound *sound, const struct sound_chunk *chunk, struct error *e)
{
    if (sound->nchunk == SOUND_MAXCHUNK)
        return error_data(e, "more than %d chunks", SOUND_MAXCHUNK);
    if (!array_reserve(&sound->chunk, sound->nchunk + 1, &sound->maxchunk, sizeof *sound->chunk, e))
        return false;
    sound->chunk[sound->nchunk++] = *chunk;
    return true;
}

bool sound_add_cue(struct sound *sound, struct sound_cue cue, struct error *e)
{
    if (sound->ncue == SOUND_MAXCUE)
        return error_data(e, "more than %d cue points", SOUND_MAXCUE);
    if (!array_reserve(&sound->cue, sound->ncue + 1, &sound->maxcue, sizeof *sound->cue, e))
        return false;
    sound->cue[sound->ncue++] = cue;
    return true;
}

void sound_free(struct sound *sound)
{
    free(sound->cue);
    free(sound->chunk);
}
