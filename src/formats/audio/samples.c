/* Samples between bytes and numbers. Loops are written once and compiled for each form of a sample.
 * Invariant: a PCM sample that was decoded and not changed is encoded as it was: numbers are rounded to the
 * nearest k. */
#include "formats/audio/audio.h"

#include <float.h>
#include <math.h>
#include <string.h>

#define INLINE static inline __attribute__((always_inline))

enum order { LITTLE, BIG, ENCODER };

/* How samples are written. In each loop it is a constant. */
struct form {
    unsigned bits;
    bool real;
    bool offset; /* PCM counted from the least one */
    enum order order;
};

/* The forms: X(sample, bits, real, offset). */
#define EACH_FORM(X)                                                                                         \
    X(SOUND_U8, 8, false, true)                                                                              \
    X(SOUND_S8, 8, false, false)                                                                             \
    X(SOUND_PCM16, 16, false, false)                                                                         \
    X(SOUND_PCM24, 24, false, false)                                                                         \
    X(SOUND_PCM32, 32, false, false)                                                                         \
    X(SOUND_FLOAT, 32, true, false)                                                                          \
    X(SOUND_DOUBLE, 64, true, false)

INLINE double read_number(const unsigned char *p, struct form f)
{
    if (f.bits == 64) {
        uint64_t bits = sound_word64(p, f.order == BIG);
        double d;
        memcpy(&d, &bits, sizeof d);
        return d;
    }
    uint32_t word = sound_word(p, f.bits / 8, f.order == BIG);
    if (f.real) {
        float x;
        memcpy(&x, &word, sizeof x);
        return (double)x;
    }
    word ^= f.offset ? UINT32_C(1) << (f.bits - 1) : 0;
    return (double)(int32_t)(word << (32 - f.bits)) * 0x1p-31;
}

INLINE void decode(const unsigned char *from, size_t stride, size_t n, double *to, struct form f)
{
    for (size_t i = 0; i < n; i++)
        to[i] = read_number(from + i * stride, f);
}

#define DECODE(sample, ...)                                                                                  \
    case 2 * sample + LITTLE:                                                                                \
        decode(from, stride, n, to, (struct form){ __VA_ARGS__, LITTLE });                                   \
        break;                                                                                               \
    case 2 * sample + BIG:                                                                                   \
        decode(from, stride, n, to, (struct form){ __VA_ARGS__, BIG });                                      \
        break;

void samples_decode(const struct sound *s, const unsigned char *from, size_t n, double *to)
{
    size_t stride = s->channels * sound_width(s->sample);
    switch (2 * (int)s->sample + s->big) {
        EACH_FORM(DECODE)
    }
}

INLINE uint64_t bits_of(double x)
{
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

/* The integer of a PCM sample, counted from the smallest one; 2^bits or more: x does not fit, or is NaN.
 * Adding 1.5 * 2^52 to a smaller number rounds it to the nearest integer, half to even, and leaves that in
 * the low bits of the sum; numbers out of range change the bits above. */
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

/* Writes one number, clipped; false: it is NaN or infinite. */
INLINE bool put_number(unsigned char *to, double x, struct form f, uint64_t *clipped)
{
    uint64_t step = step_of(x, f.bits), past = UINT64_C(1) << f.bits;
    if (!(fabs(x) <= DBL_MAX))
        return false;
    *clipped += step >= past;
    put_step(to, step < past ? step : x < 0 ? 0 : past - 1, f);
    return true;
}

enum { LANES = 8 }; /* numbers converted together: a constant, so that compilers can use vectors */

/* Writes LANES numbers; false: one of them does not fit, and nothing is written. */
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

INLINE size_t real(const double *x, size_t n, unsigned char *to, size_t stride, bool any, struct form f)
{
    double most = f.bits == 32 ? (double)FLT_MAX : DBL_MAX;
    for (size_t i = 0; i < n; i++) {
        float single = (float)x[i];
        uint32_t word;
        memcpy(&word, &single, sizeof word);
        if (!(fabs(x[i]) <= most) && !any)
            return i;
        put_word(to + i * stride, f.bits == 32 ? word : bits_of(x[i]), f.bits / 8, f.order == BIG);
    }
    return n;
}

INLINE size_t encode(const double *x, size_t n, unsigned char *to, size_t stride, bool any, uint64_t *clipped,
                     struct form f)
{
    if (f.real)
        return real(x, n, to, stride, any, f);
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

#define ENCODE(sample, ...)                                                                                  \
    case 2 * sample + LITTLE:                                                                                \
        return encode(x, n, to, stride, any, clipped, (struct form){ __VA_ARGS__, LITTLE });                 \
    case 2 * sample + BIG:                                                                                   \
        return encode(x, n, to, stride, any, clipped, (struct form){ __VA_ARGS__, BIG });

size_t samples_encode(const struct sound *s, const double *x, size_t n, unsigned char *to, bool any,
                      uint64_t *clipped)
{
    size_t stride = s->channels * samples_encoded_size(s);
    if (s->kind == SOUND_FLAC)
        return encode(x, n, to, stride, any, clipped,
                      (struct form){ 8 * sound_width(s->sample), false, false, ENCODER });
    switch (2 * (int)s->sample + s->big) {
        EACH_FORM(ENCODE)
    }
    return 0;
}
