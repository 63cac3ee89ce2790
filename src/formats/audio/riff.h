/* RIFF files, RIFX (big-endian) and RF64 (past 4 GiB): the walk over their chunks, and their heads.
 * libsndfile writes RF64 without cue points and with a PEAK chunk that holds the time of day; it cannot write
 * extensible big-endian files, nor leave other chunks alone. Knows nothing of libsndfile. */
#ifndef SPRUNG_RIFF_H
#define SPRUNG_RIFF_H

#include "formats/audio/sound.h"

/* See sound_walk, sound_head and sound_data_head. */
bool riff_walk(struct sound *s, const struct sound_file *file, struct error *e);
size_t riff_head(const struct sound_plan *p, unsigned char *buf);
size_t riff_data_head(const struct sound_plan *p, unsigned char *buf);

/* Does a file of this plan need RF64? */
bool riff_large(const struct sound_plan *p);

#endif
