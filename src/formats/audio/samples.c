/* Samples between frames of libsndfile and numbers. Invariant: a PCM sample that was decoded and not changed
 * is encoded as it was. See audio.h. */
#include "formats/audio/audio.h"

#include <float.h>
#include <math.h>

const char *sound_sample_name(const struct sound *sound)
{
    static const char *const names[] = { "8 bit PCM",  "16 bit PCM", "24 bit PCM",
                                         "32 bit PCM", "float",      "double" };
    return names[sound->sample];
}

size_t sound_width(const struct sound *sound)
{
    static const unsigned char width[] = { 2, 2, 4, 4, 4, 8 };
    return width[sound->sample];
}

size_t sound_frame(const struct sound *sound)
{
    return sound->channels * sound_width(sound);
}

size_t sound_file_frame(const struct sound *sound)
{
    return sound->channels * (sound->sample < SOUND_FLOAT ? sound->sample + 1U : sound_width(sound));
}

void samples_decode(const struct sound *sound, const void *from, size_t n, double *to)
{
    const size_t stride = sound->channels;
    const double *doubles = from;
    const float *floats = from;
    const int32_t *words = from;
    const int16_t *shorts = from;
    if (sound->sample == SOUND_DOUBLE)
        for (size_t i = 0; i < n; i++)
            to[i] = doubles[i * stride];
    else if (sound->sample == SOUND_FLOAT)
        for (size_t i = 0; i < n; i++)
            to[i] = (double)floats[i * stride];
    else if (sound->sample >= SOUND_PCM24)
        for (size_t i = 0; i < n; i++)
            to[i] = words[i * stride] * 0x1p-31;
    else
        for (size_t i = 0; i < n; i++)
            to[i] = shorts[i * stride] * 0x1p-15;
}

/* The index of the first number that is NaN or has a magnitude above `most`, or n. */
static size_t find_unfit(const double *x, size_t n, double most)
{
    for (size_t i = 0; i < n; i++)
        if (!(fabs(x[i]) <= most))
            return i;
    return n;
}

/* The integer of a PCM sample, where full is 1: rounded half to even, and clipped, which *clipped counts. */
static inline int32_t step_of(double x, double full, uint64_t *clipped)
{
    /* Adding the rounder to a number of less than 2^51 leaves no place for a fraction. */
    const double rounder = 0x1.8p52, scaled = x * full;
    double limited = scaled > full - 1 ? full - 1 : scaled;
    limited = limited < -full ? -full : limited;
    *clipped += scaled >= full - 0.5 || scaled < -full - 0.5;
    return (int32_t)((limited + rounder) - rounder);
}

static uint64_t encode_shorts(const double *x, size_t n, int16_t *to, size_t stride, int unused)
{
    const double full = (double)(1 << (15 - unused));
    uint64_t clipped = 0;
    for (size_t i = 0; i < n; i++)
        to[i * stride] = (int16_t)(step_of(x[i], full, &clipped) * (1 << unused));
    return clipped;
}

static uint64_t encode_words(const double *x, size_t n, int32_t *to, size_t stride, int unused)
{
    const double full = (double)(UINT32_C(1) << (31 - unused));
    uint64_t clipped = 0;
    for (size_t i = 0; i < n; i++)
        to[i * stride] = step_of(x[i], full, &clipped) * (1 << unused);
    return clipped;
}

size_t samples_encode(const struct sound *sound, const double *x, size_t n, struct sample_output *out)
{
    const size_t stride = sound->channels;
    double *doubles = out->to;
    float *floats = out->to;
    bool any = out->nonfinite && sound->sample >= SOUND_FLOAT;
    size_t fit = any ? n : find_unfit(x, n, sound->sample == SOUND_FLOAT ? (double)FLT_MAX : DBL_MAX);
    if (sound->sample == SOUND_DOUBLE)
        for (size_t i = 0; i < fit; i++)
            doubles[i * stride] = x[i];
    else if (sound->sample == SOUND_FLOAT)
        for (size_t i = 0; i < fit; i++)
            floats[i * stride] = (float)x[i];
    else if (sound->sample >= SOUND_PCM24)
        out->clipped += encode_words(x, fit, out->to, stride, sound->sample == SOUND_PCM24 ? 8 : 0);
    else
        out->clipped += encode_shorts(x, fit, out->to, stride, sound->sample == SOUND_PCM8 ? 8 : 0);
    return fit;
}
