/* AU files: 24 bytes, an annotation, samples. They need no seeking, and so stream. */
#include "formats/audio/audio.h"

#include <stdio.h>
#include <string.h>

enum { HEAD = 24 };

bool au_read_header(struct sound *s, const struct sound_file *file, const unsigned char *start,
                    struct error *e)
{
    static const unsigned char zeros[8];
    unsigned char head[HEAD], note[sizeof zeros] = { 1 };
    (void)start;
    if (!sound_get(file, 0, head, sizeof head, e))
        return false;
    s->big = head[0] == '.';
    s->data = sound_word(head + 4, 4, s->big);
    uint64_t n = sound_word(head + 8, 4, s->big);
    unsigned encoding = sound_word(head + 12, 4, s->big);
    s->rate = sound_word(head + 16, 4, s->big);
    s->channels = sound_word(head + 20, 4, s->big);
    if (encoding < 2 || encoding > 7)
        return sound_refuse(e, "%s",
                            encoding == 1                     ? "mu-law"
                            : encoding == 27                  ? "A-law"
                            : encoding >= 23 && encoding < 27 ? "ADPCM"
                                                              : "of an encoding that is not known");
    s->sample = SOUND_S8 + (encoding - 2); /* encodings are in the order of enum sound_sample */
    if (s->data < HEAD)
        return error_data(e, "the header says that samples begin at byte %llu", (unsigned long long)s->data);
    if (s->data > file->size)
        return error_data(e, "the file ends in its header");
    /* The annotation between the head and the samples is lost. Many programs write a short one of zeros. */
    uint64_t nnote = s->data - HEAD;
    if ((nnote <= sizeof note && !sound_get(file, HEAD, note, (size_t)nnote, e)) ||
        (nnote > 0 && memcmp(note, zeros, nnote < sizeof note ? (size_t)nnote : sizeof note) != 0 &&
         !sound_add_chunk(s, "info", HEAD, nnote, e)))
        return false;
    /* A file past 4 GiB, and one that was streamed, say all ones; some say 0. */
    bool told = n != UINT32_MAX && n != 0, live = file->size == SOUND_UNKNOWN;
    uint64_t available = live ? SOUND_UNKNOWN : file->size - s->data;
    if (!sound_check(s, told ? n : SOUND_UNKNOWN, available, e))
        return false;
    if (told && !live && available > n)
        snprintf(s->remark, sizeof s->remark, "what follows the samples, %llu byte%s, is dropped",
                 (unsigned long long)(available - n), error_plural(available - n));
    return true;
}

size_t au_head(const struct sound *s, unsigned char *buf)
{
    uint64_t n = sound_bytes(s);
    bool told = s->promised != SOUND_UNKNOWN && n < UINT32_MAX;
    memcpy(buf, s->big ? ".snd" : "dns.", 4);
    sound_put(buf + 4, s->big, { 4, HEAD }, { 4, told ? n : UINT32_MAX }, { 4, s->sample - SOUND_S8 + 2 },
              { 4, (uint64_t)s->rate }, { 4, s->channels });
    return HEAD;
}

static bool sniff(const unsigned char *head, size_t nhead)
{
    return nhead >= 4 && (memcmp(head, ".snd", 4) == 0 || memcmp(head, "dns.", 4) == 0);
}

const struct format format_au = AUDIO_FORMAT("au", "AU audio, which needs no seeking and so streams", ".au",
                                             ".snd");
