/* Samples between bytes and numbers: loops that are written once, and compiled for each kind of sample. See
 * samples.h. */
#include "formats/audio/samples.h"

#include <float.h>
#include <math.h>
#include <string.h>

#define INLINE static inline __attribute__((always_inline))

size_t samples_encoded_size(const struct sound *s)
{
    return s->kind == SOUND_FLAC ? sizeof(int32_t) : sound_width(s->sample);
}

/* --- from bytes --- */

INLINE double pcm_number(const unsigned char *p, unsigned width, bool big)
{
    return (double)(int32_t)(sound_word(p, width, big) << (32 - 8 * width)) * 0x1p-31;
}

INLINE double number(const unsigned char *p, enum sound_sample sample, bool big)
{
    uint64_t bits;
    uint32_t word;
    double d = 0;
    float f;
    switch (sample) {
    case SOUND_U8:
        return (p[0] - 128) * 0x1p-7;
    case SOUND_S8:
        return pcm_number(p, 1, big);
    case SOUND_PCM16:
        return pcm_number(p, 2, big);
    case SOUND_PCM24:
        return pcm_number(p, 3, big);
    case SOUND_PCM32:
        return pcm_number(p, 4, big);
    case SOUND_FLOAT:
        word = sound_word(p, 4, big);
        memcpy(&f, &word, sizeof f);
        return (double)f;
    case SOUND_DOUBLE:
        bits = sound_word64(p, big);
        memcpy(&d, &bits, sizeof d);
    }
    return d;
}

INLINE void numbers(const unsigned char *from, size_t stride, size_t n, double *to, enum sound_sample sample,
                    bool big)
{
    if (big)
        for (size_t i = 0; i < n; i++)
            to[i] = number(from + i * stride, sample, true);
    else
        for (size_t i = 0; i < n; i++)
            to[i] = number(from + i * stride, sample, false);
}

void samples_decode(const struct sound *s, const unsigned char *from, size_t n, double *to)
{
    size_t stride = s->channels * sound_width(s->sample);
    switch (s->sample) {
    case SOUND_U8:
        numbers(from, stride, n, to, SOUND_U8, false);
        break;
    case SOUND_S8:
        numbers(from, stride, n, to, SOUND_S8, false);
        break;
    case SOUND_PCM16:
        numbers(from, stride, n, to, SOUND_PCM16, s->big);
        break;
    case SOUND_PCM24:
        numbers(from, stride, n, to, SOUND_PCM24, s->big);
        break;
    case SOUND_PCM32:
        numbers(from, stride, n, to, SOUND_PCM32, s->big);
        break;
    case SOUND_FLOAT:
        numbers(from, stride, n, to, SOUND_FLOAT, s->big);
        break;
    case SOUND_DOUBLE:
        numbers(from, stride, n, to, SOUND_DOUBLE, s->big);
        break;
    }
}

/* --- to bytes --- */

enum order { LITTLE, BIG, ENCODER };

/* How PCM is written. */
struct form {
    unsigned bits;
    bool offset; /* counted from the least one */
    enum order order;
};

INLINE uint64_t bits_of(double x)
{
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

/* The step of a number, counted from the least one; at or past 2^bits it does not fit. Adding 1.5 * 2^52 to a
 * number that is not larger rounds it to the nearest whole number, half to even, and leaves that in the low
 * bits; all that does not fit, and what is no number, has others above them. */
INLINE uint64_t step_of(double x, unsigned bits)
{
    const double rounder = 0x1.8p52, full = (double)(UINT32_C(1) << (bits - 1));
    return bits_of(x * full + rounder) - bits_of(rounder - full);
}

INLINE void put_word(unsigned char *to, uint64_t word, unsigned width, bool big)
{
#pragma GCC unroll 8
    for (unsigned i = 0; i < width; i++)
        to[i] = (unsigned char)(word >> 8 * (big ? width - 1 - i : i));
}

INLINE void put_step(unsigned char *to, uint64_t step, struct form f)
{
    uint64_t word = f.offset ? step : step ^ UINT64_C(1) << (f.bits - 1);
    int32_t top = (int32_t)((uint32_t)word << (32 - f.bits));
    if (f.order == ENCODER)
        memcpy(to, &top, sizeof top);
    else
        put_word(to, word, f.bits / 8, f.order == BIG);
}

/* One number; false: it is none. */
INLINE bool put_number(unsigned char *to, double x, struct form f, uint64_t *clipped)
{
    uint64_t step = step_of(x, f.bits), past = UINT64_C(1) << f.bits;
    if (!(fabs(x) <= DBL_MAX))
        return false;
    *clipped += step >= past;
    put_step(to, step < past ? step : x < 0 ? 0 : past - 1, f);
    return true;
}

enum { LANES = 8 }; /* numbers taken together: a count that compilers know */

/* LANES numbers; false: one of them does not fit, and nothing is written. */
INLINE bool put_lanes(unsigned char *to, size_t stride, const double *x, struct form f)
{
    uint64_t step[LANES], all = 0;
    for (size_t k = 0; k < LANES; k++) {
        step[k] = step_of(x[k], f.bits);
        all |= step[k];
    }
    if (all >> f.bits != 0)
        return false;
#pragma GCC unroll 8
    for (size_t k = 0; k < LANES; k++)
        put_step(to + k * stride, step[k], f);
    return true;
}

INLINE size_t pcm(const double *x, size_t n, unsigned char *to, size_t stride, uint64_t *clipped,
                  struct form f)
{
    for (size_t i = 0, end; i < n; i = end) {
        end = n - i < LANES ? n : i + LANES;
        if (end - i == LANES && put_lanes(to + i * stride, stride, x + i, f))
            continue;
        for (size_t k = i; k < end; k++)
            if (!put_number(to + k * stride, x[k], f, clipped))
                return k;
    }
    return n;
}

INLINE size_t real(const double *x, size_t n, unsigned char *to, size_t stride, bool any, unsigned width,
                   bool big)
{
    double most = width == 4 ? (double)FLT_MAX : DBL_MAX;
    for (size_t i = 0; i < n; i++) {
        float f = (float)x[i];
        uint32_t word;
        memcpy(&word, &f, sizeof word);
        if (!(fabs(x[i]) <= most) && !any)
            return i;
        put_word(to + i * stride, width == 4 ? word : bits_of(x[i]), width, big);
    }
    return n;
}

size_t samples_encode(const struct sound *s, const double *x, size_t n, unsigned char *to, bool any,
                    uint64_t *clipped)
{
    size_t stride = s->channels * samples_encoded_size(s);
    if (s->kind == SOUND_FLAC)
        return pcm(x, n, to, stride, clipped, (struct form){ 8 * sound_width(s->sample), false, ENCODER });
    switch (s->sample) {
    case SOUND_U8:
        return pcm(x, n, to, stride, clipped, (struct form){ 8, true, LITTLE });
    case SOUND_S8:
        return pcm(x, n, to, stride, clipped, (struct form){ 8, false, LITTLE });
    case SOUND_PCM16:
        return s->big ? pcm(x, n, to, stride, clipped, (struct form){ 16, false, BIG })
                      : pcm(x, n, to, stride, clipped, (struct form){ 16, false, LITTLE });
    case SOUND_PCM24:
        return s->big ? pcm(x, n, to, stride, clipped, (struct form){ 24, false, BIG })
                      : pcm(x, n, to, stride, clipped, (struct form){ 24, false, LITTLE });
    case SOUND_PCM32:
        return s->big ? pcm(x, n, to, stride, clipped, (struct form){ 32, false, BIG })
                      : pcm(x, n, to, stride, clipped, (struct form){ 32, false, LITTLE });
    case SOUND_FLOAT:
        return s->big ? real(x, n, to, stride, any, 4, true) : real(x, n, to, stride, any, 4, false);
    case SOUND_DOUBLE:
        return s->big ? real(x, n, to, stride, any, 8, true) : real(x, n, to, stride, any, 8, false);
    }
    return 0;
}
