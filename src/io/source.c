/* Input bytes. See source.h. */
#include "io/source.h"
#include "base/port.h"

#include "base/array.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

bool source_refuse_directory(const char *name, struct error *e)
{
    size_t n = strlen(name);
    error_system(e, EISDIR, "cannot read");
    return error_hint(e, "give the files in it, as in %s%s*.csv", name, n && name[n - 1] == '/' ? "" : "/");
}

bool source_open(struct source *s, const char *name, struct error *e)
{
    memset(s, 0, sizeof *s);
    bool standard = strcmp(name, "-") == 0;
    s->name = standard ? "(standard input)" : name;
    s->fd = standard ? STDIN_FILENO : open(name, O_RDONLY | O_CLOEXEC | O_NOCTTY);
    if (s->fd < 0)
        return error_system(e, errno, "cannot open");
    struct stat st;
    if (fstat(s->fd, &st) != 0)
        return error_system(e, errno, "cannot read");
    if (S_ISDIR(st.st_mode))
        return source_refuse_directory(name, e);
    s->regular = S_ISREG(st.st_mode);
    if (s->regular)
        port_read_ahead(s->fd);
    return true;
}

void source_close(struct source *s)
{
    if (s->fd > STDERR_FILENO)
        close(s->fd);
    s->fd = -1;
}

/* One read, repeated after an interruption or, on a non-blocking descriptor, when input has arrived. */
static bool read_once(struct source *s, void *buf, size_t max, size_t *n, struct error *e)
{
    for (;;) {
        ssize_t got = read(s->fd, buf, max);
        if (got >= 0) {
            *n = (size_t)got;
            s->nread += (size_t)got;
            s->ended = got == 0;
            return true;
        }
        if (errno == EAGAIN || errno == EWOULDBLOCK) {
            struct pollfd wait = { s->fd, POLLIN, 0 };
            poll(&wait, 1, -1);
        } else if (errno != EINTR) {
            return error_system(e, errno, "cannot read");
        }
    }
}

bool source_peek(struct source *s, size_t atleast, struct error *e)
{
    while (s->nhead < atleast && !s->ended) {
        size_t n = 0;
        if (!read_once(s, s->head + s->nhead, sizeof s->head - s->nhead, &n, e))
            return false;
        s->nhead += n;
    }
    return true;
}

bool source_read(struct source *s, char *buf, size_t max, size_t *n, struct error *e)
{
    if (s->athead < s->nhead) {
        *n = s->nhead - s->athead < max ? s->nhead - s->athead : max;
        memcpy(buf, s->head + s->athead, *n);
        s->athead += *n;
        return true;
    }
    *n = 0;
    for (size_t got = 1; got > 0 && *n < max && !s->ended && (*n == 0 || s->whole); *n += got)
        if (!read_once(s, buf + *n, max - *n, &got, e))
            return false;
    return true;
}

char *source_text(const char *name, size_t most, size_t *n, struct error *e)
{
    struct source s;
    char *bytes = NULL;
    size_t max = 0, got = 1;
    bool good = source_open(&s, name, e);
    for (*n = 0; good && got > 0 && *n <= most; *n += got)
        good = array_reserve(&bytes, *n + (1 << 16), &max, 1, e) &&
               source_read(&s, bytes + *n, max - *n - 1, &got, e);
    source_close(&s);
    if (good)
        bytes[*n] = 0;
    else
        free(bytes);
    return good ? bytes : NULL;
}

bool source_ready(const struct source *s)
{
    if (s->regular || s->ended || s->athead < s->nhead)
        return true;
    struct pollfd look = { s->fd, POLLIN, 0 };
    return poll(&look, 1, 0) != 0;
}
