/* The bytes of an audio file by position, and the chunks of a container. See audio.h. */
#include "base/port.h"
#include "formats/audio/audio.h"

#include <errno.h>
#include <string.h>

enum { PIECE = 4096 }; /* bytes of room for one read from a pipe */

bool sound_fetch(struct sound_file *file, uint64_t end, struct error *e)
{
    while (file->size == SOUND_UNKNOWN && file->nbyte < end) {
        if (file->nbyte >= SOUND_MAXHELD)
            return error_data(e, "the metadata chunks exceed %d MiB", SOUND_MAXHELD >> 20);
        uint64_t missing = end - file->nbyte;
        size_t want = missing < PIECE ? (size_t)missing : PIECE, got;
        if (!array_reserve(&file->bytes, file->nbyte + want, &file->maxbyte, 1, e) ||
            !source_read(file->source, (char *)file->bytes + file->nbyte, want, &got, e))
            return false;
        file->nbyte += got;
        if (got == 0)
            file->size = file->nbyte;
    }
    return true;
}

bool sound_get(struct sound_file *file, uint64_t at, void *to, size_t nbyte, struct error *e)
{
    if (!sound_fetch(file, at + nbyte, e))
        return false;
    if (file->size < nbyte || at > file->size - nbyte)
        return error_data(e, "the file ends inside its header, after %llu byte%s",
                          (unsigned long long)file->size, error_plural(file->size));
    if (file->bytes) {
        memcpy(to, file->bytes + at, nbyte);
        return true;
    }
    while (nbyte > 0) {
        int64_t got = port_read_at(file->fd, to, nbyte, file->base + at);
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0)
            return error_system(e, errno, "cannot read");
        if (got == 0)
            return error_data(e, "the file became shorter while it was read");
        to = (char *)to + got;
        at += (size_t)got;
        nbyte -= (size_t)got;
    }
    return true;
}

bool chunk_read_head(struct sound_file *file, uint64_t at, bool big, struct sound_chunk *chunk, bool *found,
                     struct error *e)
{
    unsigned char head[8];
    *found = false;
    if (!sound_fetch(file, at + sizeof head, e))
        return false;
    if (at > file->size || file->size - at < sizeof head)
        return true;
    if (!sound_get(file, at, head, sizeof head, e))
        return false;
    *found = true;
    memcpy(chunk->id, head, sizeof chunk->id);
    chunk->at = at + sizeof head;
    chunk->n = word_get(head + 4, 4, big);
    return true;
}

bool chunk_is(const void *id, const char *ids)
{
    for (; *ids; ids += 4)
        if (memcmp(id, ids, 4) == 0)
            return true;
    return false;
}
