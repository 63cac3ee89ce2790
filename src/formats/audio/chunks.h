/* Containers made of chunks (WAV, AIFF, CAF), each with an id of four characters and its size: the walk over
 * them, and the functions of the single containers. */
#ifndef SPRUNG_AUDIO_CHUNKS_H
#define SPRUNG_AUDIO_CHUNKS_H

#include "formats/audio/sound.h"

/* A walk. The container sets what comes first; the walk sets the rest, or the container's two functions do.
 */
struct chunks {
    struct sound *sound;
    const struct sound_file *file;
    uint64_t start;  /* where the first chunk begins */
    unsigned nleast; /* bytes that the format chunk has at least */
    bool exact;      /* the size of the whole file in its head is right */
    bool large;      /* RF64 */

    /* The format chunk is in sound->fmt. */
    bool (*describe)(struct chunks *c, struct error *e);
    /* The samples' chunk of *n bytes is at that place: sets sound->data and ndata; *n becomes its true size,
     * or SOUND_UNKNOWN where nothing can follow. */
    bool (*locate)(struct chunks *c, uint64_t at, uint64_t *n, struct error *e);

    bool described, found; /* the format chunk, the samples' chunk were seen */
    bool optional;         /* the samples' chunk may be missing, as there are no samples */
    uint64_t ndata;        /* bytes of samples by their chunk; SOUND_UNKNOWN: up to the end */
    uint64_t nformat;      /* bytes of the format chunk */
    uint64_t nframe;       /* AIFF: by the format chunk */
};

/* Reads all chunks up to the end of the file, or of what is intact once the samples were seen. */
bool chunks_read(struct chunks *c, struct error *e);

/* Reads the cue points. Where fewer are present than promised, their chunk is not copied but made new. */
bool chunks_read_cues(struct sound *s, const struct sound_file *file, struct error *e);

/* True if that is the size of the whole file in its head, with or without a last padding byte. */
bool chunks_are_exact(const struct sound_file *file, uint64_t size);

/* The first chunk of that id that has bytes, or NULL. */
struct sound_chunk *chunk_find(const struct sound *s, const char *id);

/* The order of bytes of all that is in chunks but samples: AIFF and CAF have big-endian heads around samples
 * of either order. */
bool chunk_is_big(const struct sound *s);

/* Writes id and size of a chunk of n bytes, and returns their length, at most 12 bytes. */
size_t chunk_head(const struct sound *s, const char *id, uint64_t n, unsigned char *buf);
bool chunk_pads(const struct sound *s, uint64_t n); /* a padding byte follows it */

/* True if a chunk is still right when samples have changed; moved: and their number. */
bool chunk_lasts(const struct sound_chunk *chunk, bool moved);

/* See struct sound_container. */
bool riff_read_header(struct sound *s, const struct sound_file *file, struct error *e);
bool aiff_read_header(struct sound *s, const struct sound_file *file, struct error *e);
bool caf_read_header(struct sound *s, const struct sound_file *file, struct error *e);
bool au_read_header(struct sound *s, const struct sound_file *file, struct error *e);
bool flac_read_header(struct sound *s, const struct sound_file *file, struct error *e);
size_t riff_head(const struct sound_spec *spec, unsigned char *buf);
size_t aiff_head(const struct sound_spec *spec, unsigned char *buf);
size_t caf_head(const struct sound_spec *spec, unsigned char *buf);
size_t au_head(const struct sound_spec *spec, unsigned char *buf);

/* True if the file is a WAV file that needs RF64. */
bool riff_large(const struct sound_spec *spec);

#endif
