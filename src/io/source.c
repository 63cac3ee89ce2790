/* Input bytes. See source.h. */
#include "io/source.h"
#include "base/port.h"

#include "base/array.h"
#include "base/text.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

bool source_refuse_directory(const char *name, struct error *e)
{
    char word[TEXT_WORD];
    error_system(e, EISDIR, "cannot read");
    return error_hint(
        e, "to look at its files: find %s -type f -exec sprung inspect {} +; to filter them: --recursive",
        text_quoted(word, name));
}

const char *source_shown(const char *name)
{
    return strcmp(name, "-") == 0 ? "(standard input)" : name;
}

bool source_is_file(const struct source *source, int fd)
{
    struct port_status own, other;
    return port_status(source->fd, &own) == 0 && port_status(fd, &other) == 0 && own.kind == PORT_REGULAR &&
           port_same_file(&own, &other);
}

bool source_open(struct source *source, const char *name, struct error *e)
{
    memset(source, 0, sizeof *source);
    source->name = source_shown(name);
    source->fd = strcmp(name, "-") == 0 ? PORT_STDIN : port_open_read(name);
    if (source->fd < 0)
        return error_system(e, errno, "cannot open");
    struct port_status status;
    if (port_status(source->fd, &status) != 0)
        return error_system(e, errno, "cannot read");
    if (status.kind == PORT_DIRECTORY)
        return source_refuse_directory(name, e);
    source->regular = status.kind == PORT_REGULAR;
    return true;
}

void source_close(struct source *source)
{
    if (source->fd > PORT_STDERR)
        port_close(source->fd);
    source->fd = -1;
}

/* One read, repeated after an interruption or, on a non-blocking descriptor, when input has arrived. */
static bool read_once(struct source *source, void *buf, size_t max, size_t *n, struct error *e)
{
    for (;;) {
        int64_t got = port_read(source->fd, buf, max);
        if (got >= 0) {
            *n = (size_t)got;
            source->nread += (size_t)got;
            source->ended = got == 0;
            return true;
        }
        if (errno == EAGAIN || errno == EWOULDBLOCK) {
            port_wait(source->fd, false);
        } else if (errno != EINTR) {
            return error_system(e, errno, "cannot read");
        }
    }
}

bool source_peek(struct source *source, size_t atleast, struct error *e)
{
    while (source->nhead < atleast && !source->ended) {
        size_t n = 0;
        if (!read_once(source, source->head + source->nhead, sizeof source->head - source->nhead, &n, e))
            return false;
        source->nhead += n;
    }
    return true;
}

bool source_read(struct source *source, char *buf, size_t max, size_t *n, struct error *e)
{
    if (source->athead < source->nhead) {
        *n = source->nhead - source->athead < max ? source->nhead - source->athead : max;
        memcpy(buf, source->head + source->athead, *n);
        source->athead += *n;
        return true;
    }
    *n = 0;
    for (size_t got = 1; got > 0 && *n < max && !source->ended && (*n == 0 || source->whole); *n += got)
        if (!read_once(source, buf + *n, max - *n, &got, e))
            return false;
    return true;
}

char *source_text(const char *name, size_t most, size_t *n, struct error *e)
{
    struct source source;
    char *bytes = NULL;
    size_t max = 0, got = 1;
    bool good = source_open(&source, name, e);
    for (*n = 0; good && got > 0 && *n <= most; *n += got)
        good = array_reserve(&bytes, *n + (1 << 16), &max, 1, e) &&
               source_read(&source, bytes + *n, max - *n - 1, &got, e);
    source_close(&source);
    if (good)
        bytes[*n] = 0;
    else
        free(bytes);
    return good ? bytes : NULL;
}

bool source_ready(const struct source *source)
{
    if (source->regular || source->ended || source->athead < source->nhead)
        return true;
    return port_can_read(source->fd);
}
