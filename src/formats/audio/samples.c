/* Samples between bytes and numbers. Loops are written once and compiled for each form of a sample.
 * Invariant: a PCM sample that was decoded and not changed is encoded as it was. */
#include "formats/audio/audio.h"

#include <float.h>
#include <math.h>
#include <string.h>

#define INLINE static inline __attribute__((always_inline))

/* How samples are written, PCM at the top of a word. Each loop is compiled for a constant form. */
struct form {
    unsigned bits;  /* bits of a sample */
    unsigned width; /* bytes of the word */
    bool real;      /* float or double; else PCM */
    bool offset;    /* PCM counted from the least sample; else in two's complement */
    bool big;       /* big-endian */
};

/* The forms: X(sample, bits, width, real, offset). */
#define EACH_FORM(X)                                                                                         \
    X(SOUND_PCM8, 8, 1, false, true)                                                                         \
    X(SOUND_PCM16, 16, 2, false, false)                                                                      \
    X(SOUND_PCM24, 24, 3, false, false)                                                                      \
    X(SOUND_PCM32, 32, 4, false, false)                                                                      \
    X(SOUND_FLOAT, 32, 4, true, false)                                                                       \
    X(SOUND_DOUBLE, 64, 8, true, false)

/* PCM in the words of libsndfile, in the order of bytes of the machine. */
#define WORD_FORM(bits) ((struct form){ bits, 4, false, false, __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__ })

INLINE void decode(const unsigned char *from, size_t stride, size_t n, double *to, struct form form)
{
    for (size_t i = 0; i < n; i++) {
        uint64_t word = word_get(from + i * stride, form.width, form.big);
        uint32_t low = (uint32_t)word;
        float x;
        memcpy(&x, &low, sizeof x);
        if (form.bits == 64)
            memcpy(&to[i], &word, sizeof word);
        else if (form.real)
            to[i] = (double)x;
        else
            to[i] = (double)(int32_t)((low ^ (uint32_t)form.offset << (form.bits - 1)) << (32 - form.bits)) *
                    0x1p-31;
    }
}

#define DECODE(sample, ...)                                                                                  \
    case sample:                                                                                             \
        sound->big ? decode(from, stride, n, to, (struct form){ __VA_ARGS__, true })                         \
                   : decode(from, stride, n, to, (struct form){ __VA_ARGS__, false });                       \
        break;

void samples_decode(const struct sound *sound, const unsigned char *from, size_t n, double *to)
{
    size_t stride = sound_frame(sound);
    if (sound->words && sound->sample < SOUND_FLOAT)
        decode(from, stride, n, to, WORD_FORM(32));
    else
        switch (sound->sample) {
            EACH_FORM(DECODE)
        }
}

INLINE uint64_t bits_of(double x)
{
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

/* The integer of a PCM sample, counted from the smallest sample; 2^bits or more: x does not fit, or is NaN.
 * Adding 1.5 * 2^52 to a smaller number rounds the number to the nearest integer, half to even, which stands
 * in the low bits of the sum; numbers out of range change the bits above. */
INLINE uint64_t step_of(double x, unsigned bits)
{
    const double rounder = 0x1.8p52, full = (double)(UINT32_C(1) << (bits - 1));
    return bits_of(x * full + rounder) - bits_of(rounder - full);
}

INLINE void put_step(unsigned char *to, uint64_t step, struct form form)
{
    uint64_t word = form.offset ? step : step ^ UINT64_C(1) << (form.bits - 1);
    word_put(to, word << (8 * form.width - form.bits), form.width, form.big);
}

enum { LANES = 8 }; /* numbers converted together: a constant, so that compilers can use vectors */

/* Writes LANES numbers as PCM; false: a number does not fit, and nothing is written. */
INLINE bool put_lanes(unsigned char *to, size_t stride, const double *x, struct form form)
{
    uint64_t step[LANES], used_bits = 0;
    for (size_t k = 0; k < LANES; k++) {
        step[k] = step_of(x[k], form.bits);
        used_bits |= step[k];
    }
    if (used_bits >> form.bits != 0)
        return false;
#pragma GCC unroll 8
    for (size_t k = 0; k < LANES; k++)
        put_step(to + k * stride, step[k], form);
    return true;
}

/* Writes a number, clipped for PCM; false: the number cannot be a sample. */
INLINE bool put_number(unsigned char *to, double x, struct sample_output *out, struct form form)
{
    /* False for NaN and infinity as well. */
    bool fits_type = fabs(x) <= (form.real && form.bits == 32 ? (double)FLT_MAX : DBL_MAX);
    if (form.real) {
        float single = (float)x;
        uint32_t word;
        memcpy(&word, &single, sizeof word);
        word_put(to, form.bits == 32 ? word : bits_of(x), form.width, form.big);
        return fits_type || out->nonfinite;
    }
    uint64_t step = step_of(x, form.bits), past = UINT64_C(1) << form.bits;
    if (step >= past) {
        out->clipped += fits_type;
        step = x < 0 ? 0 : past - 1;
    }
    put_step(to, step, form);
    return fits_type;
}

INLINE size_t encode(const double *x, size_t n, struct sample_output *out, size_t stride, struct form form)
{
    unsigned char *to = out->to;
    for (size_t i = 0, end; i < n; i = end) {
        end = form.real || n - i < LANES ? n : i + LANES;
        if (!form.real && end - i == LANES && put_lanes(to + i * stride, stride, x + i, form))
            continue;
        for (size_t k = i; k < end; k++)
            if (!put_number(to + k * stride, x[k], out, form))
                return k;
    }
    return n;
}

#define ENCODE(sample, ...)                                                                                  \
    case sample:                                                                                             \
        return sound->big ? encode(x, n, out, stride, (struct form){ __VA_ARGS__, true })                    \
                          : encode(x, n, out, stride, (struct form){ __VA_ARGS__, false });

size_t samples_encode(const struct sound *sound, const double *x, size_t n, struct sample_output *out)
{
    size_t stride = sound_frame(sound);
    if (sound->words && sound->sample < SOUND_FLOAT)
        return encode(x, n, out, stride, WORD_FORM(8 * (sound->sample + 1)));
    switch (sound->sample) {
        EACH_FORM(ENCODE)
    }
    return 0;
}
