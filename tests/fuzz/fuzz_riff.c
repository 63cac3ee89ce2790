/* Any bytes as an audio file: the walk over WAV, or libsndfile for another container, and where the head is
 * accepted, all samples. The first byte says which container the rest is taken for. WAV is read as a file,
 * and as it comes from a pipe. */
#include "formats/audio/audio.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* "ogg" is read by libsndfile alone. */
static const char *const formats[] = { "wav", "au", "aiff", "flac", "caf", "w64" };

static void decode_wav(const struct sound *s, double *to, size_t max)
{
    size_t width = sound_width(s), frame = sound_frame(s);
    for (uint64_t at = 0; at < s->present;) {
        size_t n = (size_t)(s->present - at);
        n = n < max ? n : max;
        for (size_t c = 0; c < s->channels; c++)
            samples_decode(s, s->file->bytes + s->data + at * frame + c * width, n, to);
        at += n;
    }
}

static void read_wav(struct sound *s, double *to, size_t max)
{
    struct error e;
    if (!wav_read_head(s, &e))
        return;
    uint64_t size = s->file->size;
    if (s->data > size || s->present > (size - s->data) / sound_frame(s))
        abort();
    decode_wav(s, to, max);
}

/* The same bytes as they come through a pipe: heads before and after samples, which are skipped. */
static void read_live(const struct sound_container *container, const unsigned char *data, size_t size)
{
    int ends[2];
    struct error e;
    if (size > 60000 || pipe(ends) != 0) /* as much as a pipe takes at once */
        return;
    if (write(ends[1], data, size) != (ssize_t)size)
        abort();
    close(ends[1]);
    struct source source = { .fd = ends[0], .name = "pipe" };
    struct sound_file file = { .fd = -1, .size = SOUND_UNKNOWN, .source = &source };
    struct sound s = { .container = container, .file = &file };
    char rest[4096];
    size_t got = 1;
    if (wav_read_head(&s, &e) && s.promised != SOUND_UNKNOWN && s.present == SOUND_UNKNOWN) {
        uint64_t left = s.promised * sound_frame(&s);
        for (; left > 0 && got > 0; left -= got)
            if (!source_read(&source, rest, left < sizeof rest ? (size_t)left : sizeof rest, &got, &e))
                abort();
        if (left == 0)
            wav_read_tail(&s, &e);
    }
    sound_free(&s);
    free(file.bytes);
    close(ends[0]);
}

static void read_library(struct sound *s, void *to, size_t nbyte)
{
    struct error e;
    struct codec codec = { .at = 0 };
    size_t n = 1;
    bool open = library_open(&codec, s, &e);
    if (open)
        library_count_texts(&codec, s->container);
    for (int i = 0; open && i < 1000 && n > 0; i++)
        if (!library_read(&codec, to, nbyte / sound_frame(s), &n, &e))
            break;
    library_close(&codec, NULL);
}

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size);

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size)
{
    static double samples[4096];
    if (size == 0)
        return 0;
    const struct format *format = format_find(formats[data[0] % (sizeof formats / sizeof *formats)]);
    struct sound_file file = { .fd = -1, .bytes = (unsigned char *)data + 1, .size = size - 1 };
    struct sound s = { .container = format->kind, .file = &file, .present = SOUND_UNKNOWN };
    if (size > 12 && format->sniff(data + 1, size - 1)) {
        if (s.container->library) {
            read_library(&s, samples, sizeof samples);
        } else {
            read_wav(&s, samples, sizeof samples / sizeof *samples);
            read_live(s.container, data + 1, size - 1);
        }
    }
    sound_free(&s);
    return 0;
}
