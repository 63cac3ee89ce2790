/* Output files, from the first byte to the name. See output.h; output_look.c looks at the paths before the
 * first byte. */
#include "io/output.h"

#include "base/hash.h"
#include "base/port.h"
#include "base/signals.h"
#include "base/text.h"

#include <errno.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum {
    TRIES = 100,         /* hidden names that are tried while names are taken */
    NAME_ROOM = 255 - 16 /* bytes of a file's own name in its hidden name */
};

/* --- opening --- */

/* Removes the hidden name, if any. */
static void drop_hidden(struct outfile *out)
{
    if (out->hidden) {
        signals_hold();
        port_remove(out->hidden);
        signals_forget(out->hidden);
        signals_release();
    }
    free(out->hidden);
    out->hidden = NULL;
}

int output_make_directory(const char *path)
{
    if (port_is_directory(path))
        return 0;
    char *above = output_directory(path);
    int errnum = above ? 0 : ENOMEM;
    if (above && !port_is_directory(above) && strcmp(above, path) != 0)
        errnum = output_make_directory(above);
    free(above);
    if (errnum == 0 && port_make_directory(path) != 0 && errno != EEXIST)
        errnum = errno;
    return errnum;
}

/* Makes the missing folders above the file. */
static bool make_folders(const struct outfile *out, struct error *e)
{
    char *directory = output_directory(out->real);
    int errnum = directory ? output_make_directory(directory) : ENOMEM;
    free(directory);
    return errnum == 0 || error_system(e, errnum, "cannot write");
}

/* A hidden path next to a path, different at every call: .NAME.sprung-XXXXXX, the name at most 255 bytes.
 * malloc'ed; NULL when out of memory. */
static char *hidden_path(const char *path)
{
    static atomic_uint count;
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    const int64_t seed[] = { now.tv_sec, now.tv_nsec, atomic_fetch_add(&count, 1) };
    const char *name = output_last_part(path);
    return text_format("%.*s.%.*s.sprung-%06x", (int)(name - path), path, NAME_ROOM, name,
                       (unsigned)(hash_bytes(seed, sizeof seed) & 0xffffff));
}

static bool open_hidden(struct outfile *out, struct error *e)
{
    /* Only the owner may read a file that has not yet got the mode of the file to be replaced. */
    const unsigned mode = out->kind == OUTPUT_FILE ? 0600 : 0666;
    int errnum = EEXIST;
    for (int i = 0; i < TRIES && errnum == EEXIST; i++) {
        char *path = hidden_path(out->real);
        if (!path)
            return error_memory(e);
        signals_hold();
        out->fd = port_create(path, mode);
        errnum = out->fd < 0 ? errno : 0;
        bool kept = errnum || signals_keep(path);
        signals_release();
        if (errnum == 0)
            out->hidden = path;
        else
            free(path);
        if (!kept)
            return error_memory(e);
    }
    return errnum == 0 || error_system(e, errnum, "cannot write");
}

bool output_open(struct outfile *out, struct error *e)
{
    if (out->kind == OUTPUT_STDOUT || out->kind == OUTPUT_STREAM) {
        out->fd = out->kind == OUTPUT_STDOUT ? PORT_STDOUT : port_open_write(out->path);
        return out->fd >= 0 || error_system(e, errno, "cannot open");
    }
    bool makes = out->makes_folders && out->kind == OUTPUT_NOTHING;
    return (!makes || make_folders(out, e)) && open_hidden(out, e);
}

/* --- committing --- */

/* Is the file unchanged since the program read it? */
static bool same_state(const struct port_status *a, const struct port_status *b)
{
    return port_same_file(a, b) && a->size == b->size && a->modified.tv_sec == b->modified.tv_sec &&
           a->modified.tv_nsec == b->modified.tv_nsec;
}

static bool refuse_changed(const struct outfile *out, struct error *e)
{
    error_data(e, "another program %s this file in the meantime; it is unchanged",
               out->kind == OUTPUT_NOTHING ? "created" : "changed");
    return error_hint(e, out->in_place ? "run the command again" : "add --force to replace it");
}

/* Compares the file at the output's path with the file that output_look saw. A difference is an error without
 * `force`; with `force`, kind and status are updated. */
static bool check_place(struct outfile *out, struct error *e)
{
    struct port_status now;
    if (port_status_of_link(out->real, &now) != 0) {
        if (errno != ENOENT || out->in_place)
            return error_system(e, errno, errno == ENOENT ? "the file has disappeared" : "cannot write");
        out->kind = OUTPUT_NOTHING;
        return true;
    }
    if (out->kind == OUTPUT_FILE && same_state(&now, &out->status))
        return true;
    if (out->in_place || !out->force)
        return refuse_changed(out, e);
    if (now.kind != PORT_REGULAR)
        return error_system(e, EEXIST, "cannot write");
    if (output_is_input(out, &now))
        return error_data(e, "not written: another program has replaced this file with one of the inputs");
    out->kind = OUTPUT_FILE;
    out->status = now;
    return true;
}

/* Gives the new file owner, group and mode of the old file. In place, an owner that cannot be kept is an
 * error; else set-id bits go, and where the group cannot be kept either, the new group gets no more rights
 * than everybody has. */
static bool keep_metadata(const struct outfile *out, struct error *e)
{
    struct port_status own;
    const struct port_status *old = &out->status;
    unsigned mode = old->mode;
    if (port_status(out->fd, &own) != 0)
        return error_system(e, errno, "cannot stat the new file");
    bool kept = (own.owner == old->owner && own.group == old->group) ||
                port_set_owner(out->fd, old, false) == 0;
    if (!kept && out->in_place) {
        error_system(e, errno, "cannot keep its owner and group");
        return error_hint(e, "write to a file of your own with --output");
    }
    if (!kept) {
        mode &= 0777;
        if (port_set_owner(out->fd, old, true) != 0)
            mode &= 0707 | (mode & 07) << 3;
    }
    return port_set_mode(out->fd, mode) == 0 || error_system(e, errno, "cannot keep its mode");
}

/* Brings the bytes of one file to the disk, with the metadata of the file that it replaces. */
static bool prepare(struct outfile *out, struct error *e)
{
    if (!check_place(out, e) || (out->kind == OUTPUT_FILE && !keep_metadata(out, e)))
        return false;
    bool good = port_sync(out->fd) == 0;
    int errnum = errno, fd = out->fd;
    out->fd = -1; /* Windows does not put an open file in the place of another */
    if (port_close(fd) != 0 && good && errno != EINTR) {
        good = false;
        errnum = errno;
    }
    return good || error_system(e, errnum, "cannot write");
}

static bool refuse_move(const struct outfile *out, int errnum, struct error *e)
{
    if (out->backup)
        return error_system(e, errnum, "cannot move the new file into place, with %s as backup", out->backup);
    return error_system(e, errnum, "cannot move the new file into place");
}

/* Gives the old file the name of its backup as a second name. Where the file system has no hard links, the
 * old file loses its own name. */
static bool keep_old(const struct outfile *out, struct error *e)
{
    struct port_status status;
    bool exists = port_status_of_link(out->backup, &status) == 0;
    if (exists && (!out->force || output_is_input(out, &status))) {
        error_data(e, "another program created the backup file %s in the meantime", out->backup);
        return error_hint(e, "choose another suffix%s", out->force ? "" : ", or add --force to replace it");
    }
    if (exists && port_remove(out->backup) != 0)
        return refuse_move(out, errno, e);
    return port_link(out->real, out->backup) == 0 || port_rename_new(out->real, out->backup) == 0 ||
           refuse_move(out, errno, e);
}

/* Undoes keep_old. */
static void take_back_old(const struct outfile *out)
{
    /* If both names are of the same file, rename succeeds and does nothing. */
    if (port_replace(out->backup, out->real) == 0)
        port_remove(out->backup);
}

/* Puts the file in the place of the old file. */
static bool replace_old(const struct outfile *out, struct error *e)
{
    if (out->backup && !keep_old(out, e))
        return false;
    if (port_replace(out->hidden, out->real) == 0)
        return true;
    refuse_move(out, errno, e);
    if (out->backup)
        take_back_old(out);
    return false;
}

/* Gives the file its own name. */
static bool move(struct outfile *out, struct error *e)
{
    bool good = out->kind == OUTPUT_FILE ? replace_old(out, e) : port_rename_new(out->hidden, out->real) == 0;
    if (!good && out->kind == OUTPUT_NOTHING)
        good = errno == EEXIST ? refuse_changed(out, e) : refuse_move(out, errno, e);
    if (!good)
        return false;
    signals_forget(out->hidden);
    free(out->hidden);
    out->hidden = NULL;
    return true;
}

bool output_commit(struct outfile *out, struct error *e)
{
    if (out->kind == OUTPUT_STDOUT)
        return true;
    if (out->kind == OUTPUT_STREAM) {
        int fd = out->fd;
        out->fd = -1;
        return port_close(fd) == 0 || errno == EINTR || error_system(e, errno, "cannot write");
    }
    struct outfile *companion = out->companion;
    if (!prepare(out, e) || (companion && !prepare(companion, e)))
        return false;
    signals_hold();
    bool good = check_place(out, e) && (!companion || check_place(companion, e)) &&
                (!companion || move(companion, e)) && move(out, e);
    signals_release();
    return good;
}

void output_close(struct outfile *out)
{
    if (out->companion) {
        output_close(out->companion);
        free((char *)out->companion->path);
        free(out->companion);
        out->companion = NULL;
    }
    drop_hidden(out);
    if (out->fd > PORT_STDERR)
        port_close(out->fd);
    out->fd = -1;
    free(out->real);
    out->real = NULL;
    free(out->backup);
    out->backup = NULL;
}
