/* Any bytes as an audio file: the walks, and where one accepts, all samples.
 * FLAC, which libsndfile parses, is a part of it. The first byte says which kind the rest is taken
 * for. */
#include "formats/audio/audio.h"

#include <stdlib.h>
#include <string.h>

static void decode(const struct sound *s, const unsigned char *bytes, double *to, size_t max)
{
    size_t width = sound_width(s), frame = sound_frame(s);
    for (uint64_t at = 0; at < s->ndata;) {
        size_t n = (size_t)(s->ndata - at) / frame;
        n = n < max ? n : max;
        for (size_t c = 0; c < s->channels; c++)
            samples_decode(s, bytes + s->data + at + c * width, n, to);
        at += n * frame;
    }
}

static void decode_file(const struct sound *s, double *to, size_t max)
{
    struct error e;
    size_t n = 1;
    struct codec c = { 0 };
    bool open = codec_open(&c, s, NULL, &e);
    for (int i = 0; open && i < 1000 && n > 0; i++)
        if (!codec_read(&c, to, max / 8, &n, &e))
            break;
    codec_close(&c, NULL);
}

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size);

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size)
{
    static double samples[4096];
    if (size == 0)
        return 0;
    enum sound_kind kind = (enum sound_kind)(data[0] % 5);
    struct sound_file file = { .fd = -1, .bytes = data + 1, .size = size - 1 };
    struct sound s = { 0 };
    struct error e;
    if (sound_read_header(&s, kind, &file, &e)) {
        if (s.data > file.size || s.ndata > file.size - s.data || s.channels == 0 ||
            s.channels > SOUND_MAXCHANNEL)
            abort();
        if (kind == SOUND_FLAC)
            decode_file(&s, samples, sizeof samples / sizeof *samples);
        else
            decode(&s, data + 1, samples, sizeof samples / sizeof *samples);
    }
    sound_free(&s);
    return 0;
}
