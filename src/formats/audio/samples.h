/* Samples between bytes and numbers. PCM of b bits is k / 2^(b - 1), a real sample is itself.
 * Invariant: a PCM sample that was decoded and not changed is encoded as it was: numbers are rounded to the
 * nearest k. */
#ifndef SPRUNG_SOUND_SAMPLE_H
#define SPRUNG_SOUND_SAMPLE_H

#include "formats/audio/sound.h"

/* Bytes of one sample on its way to a file: its own, but for FLAC, whose encoder takes PCM as int32_t with
 * the sample's bits at the top. */
size_t sound_encoded_size(const struct sound *s);

/* n numbers of one channel from the sample at from on, in frames as the file has them. */
void sound_decode(const struct sound *s, const unsigned char *from, size_t n, double *to);

/* n numbers into one channel of frames, from the sample at to on. What does not fit into PCM is clipped and
 * counted. Returns the first number that cannot be a sample, or n. With any, a real sample may be a gap or
 * infinite. */
size_t sound_encode(const struct sound *s, const double *x, size_t n, unsigned char *to, bool any,
                    uint64_t *clipped);

#endif
