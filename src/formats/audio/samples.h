/* Samples between bytes and numbers. PCM of b bits is k / 2^(b - 1), a real sample is itself.
 * Invariant: a PCM sample that was decoded and not changed is encoded as it was: numbers are rounded to the
 * nearest k. */
#ifndef SPRUNG_AUDIO_SAMPLES_H
#define SPRUNG_AUDIO_SAMPLES_H

#include "formats/audio/sound.h"

/* Bytes of one encoded sample: its own, but for FLAC, whose encoder takes PCM as int32_t with the sample's
 * bits at the top. */
size_t samples_encoded_size(const struct sound *s);

/* Reads n numbers of one channel, in frames as the file has them; from: its first sample. */
void samples_decode(const struct sound *s, const unsigned char *from, size_t n, double *to);

/* Writes n numbers into one channel of frames; to: its first sample. What does not fit into PCM is clipped
 * and counted. Returns the index of the first number that cannot be a sample, or n. With any, a real sample
 * may be NaN or infinite. */
size_t samples_encode(const struct sound *s, const double *x, size_t n, unsigned char *to, bool any,
                      uint64_t *clipped);

#endif
