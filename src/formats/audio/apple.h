/* AIFF, AIFC and CAF: the walks over their chunks, and their heads. See sound_walk, sound_head and
 * sound_data_head. */
#ifndef SPRUNG_SOUND_APPLE_H
#define SPRUNG_SOUND_APPLE_H

#include "formats/audio/sound.h"

bool aiff_walk(struct sound *s, const struct sound_file *file, struct error *e);
size_t aiff_head(const struct sound_plan *p, unsigned char *buf);
size_t aiff_data_head(const struct sound_plan *p, unsigned char *buf);

bool caf_walk(struct sound *s, const struct sound_file *file, struct error *e);
size_t caf_head(const struct sound_plan *p, unsigned char *buf);
size_t caf_data_head(const struct sound_plan *p, unsigned char *buf);

#endif
