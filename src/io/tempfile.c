/* Unlinked temporary files. See tempfile.h. */
#include "io/tempfile.h"

#include "base/port.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PIECE = 128 * 1024 };

/* The error of a temporary file; returns false. */
static bool blame_directory(int errnum, struct error *e)
{
    error_system(e, errnum, "cannot write a temporary file in %s", port_temporary_directory());
    return error_hint(e, "set %s to another directory", port_temporary_variable);
}

/* Writes n bytes at the position `at`; at < 0: at the descriptor's own position. */
static bool put(int fd, const char *bytes, size_t n, int64_t at, struct error *e)
{
    while (n > 0) {
        int64_t done = at < 0 ? port_write(fd, bytes, n) : port_write_at(fd, bytes, n, (uint64_t)at);
        if (done >= 0) {
            bytes += done;
            n -= (size_t)done;
            at += at < 0 ? 0 : done;
        } else if (errno == EAGAIN || errno == EWOULDBLOCK) {
            port_wait(fd, true);
        } else if (errno != EINTR) {
            error_system(e, errno, "cannot write");
            e->at_output = true;
            return false;
        }
    }
    return true;
}

bool tempfile_put(int fd, const void *bytes, size_t n, struct error *e)
{
    return put(fd, bytes, n, -1, e);
}

bool tempfile_print(char *text, struct error *e)
{
    bool good = text ? put(PORT_STDOUT, text, strlen(text), -1, e) : error_memory(e);
    free(text);
    return good;
}

bool tempfile_copy(int fd, struct source *source, struct error *e)
{
    char piece[PIECE];
    for (size_t got = 1; got > 0;)
        if (!source_read(source, piece, sizeof piece, &got, e) || !tempfile_put(fd, piece, got, e))
            return false;
    return true;
}

bool tempfile_open(struct tempfile *tempfile, int out, struct error *e)
{
    struct port_status status;
    const bool direct = out > PORT_STDERR && port_status(out, &status) == 0 && status.kind == PORT_REGULAR;
    *tempfile = (struct tempfile){ .out = out, .fd = out };
    if (!direct)
        tempfile->fd = port_open_temporary(port_temporary_directory());
    return tempfile->fd >= 0 || blame_directory(errno, e);
}

bool tempfile_take(struct tempfile *tempfile, struct source *source, struct error *e)
{
    if (!tempfile_open(tempfile, -1, e))
        return false;
    if (!tempfile_copy(tempfile->fd, source, e))
        return e->at_output ? blame_directory(e->errnum, e) : false;
    tempfile->size = source->nread;
    return true;
}

bool tempfile_write(struct tempfile *tempfile, uint64_t at, const void *bytes, size_t n, struct error *e)
{
    if (!put(tempfile->fd, bytes, n, (int64_t)at, e))
        return tempfile->fd == tempfile->out ? false : blame_directory(e->errnum, e);
    tempfile->size = at + n > tempfile->size ? at + n : tempfile->size;
    return true;
}

bool tempfile_read(const struct tempfile *tempfile, uint64_t at, void *bytes, size_t n, struct error *e)
{
    for (char *to = bytes; n > 0;) {
        int64_t got = port_read_at(tempfile->fd, to, n, at);
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            return error_system(e, got < 0 ? errno : EIO, "cannot read a temporary file");
        to += got;
        at += (uint64_t)got;
        n -= (size_t)got;
    }
    return true;
}

bool tempfile_finish(struct tempfile *tempfile, struct error *e)
{
    if (tempfile->fd == tempfile->out)
        return true;
    if (port_seek(tempfile->fd, 0, SEEK_SET) < 0)
        return error_system(e, errno, "cannot read a temporary file");
    return tempfile_copy(tempfile->out, &(struct source){ .fd = tempfile->fd }, e);
}

void tempfile_close(struct tempfile *tempfile)
{
    if (tempfile->fd >= 0 && tempfile->fd != tempfile->out)
        port_close(tempfile->fd);
    tempfile->fd = -1;
}
