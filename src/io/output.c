/* Output files, from the first byte to the name. See output.h; output_look.c looks at the paths before the
 * first byte, output_metadata.c copies metadata.
 *
 * A new file is named in one step, by a link that fails if the name is taken. A file that replaces another
 * file gets a hidden name first, since a link cannot replace a file, and rename needs a name.
 *
 * The place of an output is the directory, as a descriptor, in which the file gets its name. */
#include "io/output.h"

#include "base/port.h"
#include "base/signals.h"
#include "base/text.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { TRIES = 100 }; /* hidden names that are tried while names are taken */

/* --- opening --- */

/* Removes the hidden name, if any. */
static void drop_hidden(struct outfile *out)
{
    if (out->hidden) {
        signals_hold();
        port_remove(out->directory, output_last_part(out->hidden));
        signals_forget(out->hidden);
        signals_release();
    }
    free(out->hidden);
    out->hidden = NULL;
}

/* Opens the directory that holds the file before output_commit: the folder, or the directory of its path. */
static bool open_directory(struct outfile *out, struct error *e)
{
    if (out->in_folder) {
        out->directory = out->folder->fd;
        return true;
    }
    char *path = output_directory(out->real);
    if (!path)
        return error_memory(e);
    int fd = port_open_directory(PORT_HERE, path, true);
    free(path);
    if (fd < 0)
        return error_system(e, errno, "cannot write");
    out->directory = fd;
    return true;
}

/* The path of a new hidden name, malloc'ed; NULL when out of memory. A path, since the signal handler knows
 * no descriptors. */
static char *make_hidden_path(const struct outfile *out)
{
    char *name = output_hidden_name(output_last_part(out->real));
    char *directory = out->in_folder ? strdup(out->folder->path) : output_directory(out->real);
    char *path = name && directory ? text_format("%s/%s", directory, name) : NULL;
    free(name);
    free(directory);
    return path;
}

static bool open_hidden(struct outfile *out, unsigned mode, struct error *e)
{
    int errnum = EEXIST;
    for (int i = 0; i < TRIES && errnum == EEXIST; i++) {
        char *path = make_hidden_path(out);
        if (!path)
            return error_memory(e);
        signals_hold();
        out->fd = port_create(out->directory, output_last_part(path), mode);
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

static void announce_unchanged(struct outfile *out)
{
    char name[1024];
    error_escape(out->path, strlen(out->path), name, sizeof name);
    out->unchanged = text_format("sprung: interrupted: %s is unchanged\n", name);
    if (out->unchanged)
        signals_announce(out->unchanged);
}

bool output_open(struct outfile *out, struct error *e)
{
    if (out->kind == OUTPUT_STDOUT || out->kind == OUTPUT_STREAM) {
        out->fd = out->kind == OUTPUT_STDOUT ? PORT_STDOUT : port_open_write(out->path);
        return out->fd >= 0 || error_system(e, errno, "cannot open");
    }
    if (!open_directory(out, e))
        return false;
    /* Only the owner may read a file that has not yet got the mode of the file to be replaced. */
    unsigned mode = out->kind == OUTPUT_FILE ? 0600 : 0666;
    if (out->kind == OUTPUT_FILE)
        announce_unchanged(out);
    out->fd = port_open_unnamed(out->directory, mode);
    return out->fd >= 0 || open_hidden(out, mode, e);
}

/* --- preparing --- */

/* Makes and opens the folders between the folder and the file. Returns a descriptor, or -1 with errno. */
static int open_below(const struct outfile *out)
{
    int directory = out->folder->fd;
    const char *part = output_below_folder(out);
    for (const char *slash; (slash = strchr(part, '/')); part = slash + strspn(slash, "/")) {
        char *name = text_copy(part, (size_t)(slash - part));
        int next = -1;
        if (name && (port_make_directory(directory, name) == 0 || errno == EEXIST))
            next = port_open_directory(directory, name, false);
        int errnum = name ? errno : ENOMEM;
        free(name);
        if (directory != out->folder->fd)
            port_close(directory);
        errno = errnum;
        if (next < 0)
            return -1;
        directory = next;
    }
    return directory;
}

/* Opens the output's place. The caller calls close_place. */
static bool open_place(const struct outfile *out, int *place, struct error *e)
{
    *place = out->in_folder ? open_below(out) : out->directory;
    return *place >= 0 || error_system(e, errno, "cannot write");
}

static void close_place(const struct outfile *out, int place)
{
    if (place >= 0 && place != out->directory)
        port_close(place);
}

static bool same_time(struct timespec a, struct timespec b)
{
    return a.tv_sec == b.tv_sec && a.tv_nsec == b.tv_nsec;
}

/* Is the file the same, and its content unchanged? The change time alone would do, since it cannot be set
 * back, but some file systems have no change time. */
static bool same_state(const struct port_status *a, const struct port_status *b)
{
    return port_same_file(a, b) && a->size == b->size && same_time(a->modified, b->modified) &&
           same_time(a->changed, b->changed);
}

static bool refuse_changed(const struct outfile *out, struct error *e)
{
    if (out->kind == OUTPUT_NOTHING)
        error_data(e, "another program created this file in the meantime; it is unchanged");
    else
        error_data(e, "another program changed this file in the meantime; it is unchanged");
    return error_hint(e, out->in_place ? "run the command again" : "add --force to replace it");
}

/* Compares the file at the output's place with the file that output_look saw. A difference is an error
 * without `force`; with `force`, kind and st are updated. */
static bool check_place(struct outfile *out, int place, struct error *e)
{
    struct port_status now;
    if (port_status_at(place, output_last_part(out->real), false, &now) != 0) {
        if (errno != ENOENT || out->in_place)
            return error_system(e, errno, errno == ENOENT ? "the file has disappeared" : "cannot write");
        out->kind = OUTPUT_NOTHING;
        return true;
    }
    if (out->kind == OUTPUT_FILE && same_state(&now, &out->st))
        return true;
    if (out->in_place || !out->force)
        return refuse_changed(out, e);
    if (now.kind != PORT_REGULAR)
        return error_system(e, EEXIST, "cannot write");
    if (output_is_input(out, &now))
        return error_data(e, "not written: another program has replaced this file with one of the inputs");
    out->kind = OUTPUT_FILE;
    out->st = now;
    return true;
}

static bool prepare_one(struct outfile *out, struct error *e)
{
    int place = -1;
    bool good = true;
    if (out->kind == OUTPUT_FILE) {
        good = open_place(out, &place, e) && check_place(out, place, e);
        if (good && out->kind == OUTPUT_FILE)
            good = output_copy_metadata(out->fd, place, output_last_part(out->real), out->in_place, e);
        close_place(out, place);
    }
    return good && (port_sync(out->fd) == 0 || error_system(e, errno, "cannot write"));
}

bool output_prepare(struct outfile *out, struct error *e)
{
    bool stream = out->kind == OUTPUT_STDOUT || out->kind == OUTPUT_STREAM;
    out->prepared = stream || (prepare_one(out, e) && (!out->companion || prepare_one(out->companion, e)));
    return out->prepared;
}

/* --- committing --- */

static bool refuse_move(const struct outfile *out, int errnum, struct error *e)
{
    if (out->backup)
        return error_system(e, errnum, "cannot move the new file into place, with %s as backup", out->backup);
    return error_system(e, errnum, "cannot move the new file into place");
}

/* Gives the old file the name of its backup as a second name. Where the file system has no hard links, the
 * old file loses its own name. */
static bool keep_old(const struct outfile *out, int place, struct error *e)
{
    struct port_status st;
    const char *name = output_last_part(out->real);
    const char *backup = output_last_part(out->backup);
    bool exists = port_status_at(place, backup, false, &st) == 0;
    if (exists && (!out->force || output_is_input(out, &st))) {
        error_data(e, "another program created the backup file %s in the meantime", out->backup);
        return error_hint(e, "choose another suffix%s", out->force ? "" : ", or add --force to replace it");
    }
    if (exists && port_remove(place, backup) != 0)
        return refuse_move(out, errno, e);
    if (port_link(place, name, backup) == 0)
        return true;
    int errnum = errno;
    if (errnum == EPERM || errnum == ENOTSUP || errnum == ENOSYS)
        errnum = port_rename_new(place, name, place, backup);
    return errnum == 0 || refuse_move(out, errnum, e);
}

/* Undoes keep_old. */
static void take_back_old(const struct outfile *out, int place)
{
    const char *backup = output_last_part(out->backup);
    /* If both names are of the same file, rename succeeds and does nothing. */
    if (port_replace(place, backup, place, output_last_part(out->real)) == 0)
        port_remove(place, backup);
}

/* Names a new file. A name that is taken is an error. */
static bool make_new(struct outfile *out, int place, struct error *e)
{
    const char *name = output_last_part(out->real);
    int errnum = out->hidden ? port_rename_new(out->directory, output_last_part(out->hidden), place, name)
                             : port_link_unnamed(out->fd, place, name);
    if (errnum == EEXIST)
        return refuse_changed(out, e);
    return errnum == 0 || refuse_move(out, errnum, e);
}

/* Gives a file without a name the hidden name *name, malloc'ed. Returns 0 or an errno value. */
static int make_hidden(const struct outfile *out, int place, char **name)
{
    int errnum = EEXIST;
    for (int i = 0; i < TRIES && errnum == EEXIST; i++) {
        free(*name);
        *name = output_hidden_name(output_last_part(out->real));
        errnum = *name ? port_link_unnamed(out->fd, place, *name) : ENOMEM;
    }
    return errnum;
}

/* Puts the file in the place of the old file. */
static bool replace_old(struct outfile *out, int place, struct error *e)
{
    char *fresh = NULL; /* a hidden name made in this function */
    int errnum = out->hidden ? 0 : make_hidden(out, place, &fresh);
    int from = out->hidden ? out->directory : place;
    if (errnum) {
        free(fresh);
        return refuse_move(out, errnum, e);
    }
    bool good = !out->backup || keep_old(out, place, e);
    if (good && port_replace(from, fresh ? fresh : output_last_part(out->hidden), place,
                             output_last_part(out->real)) != 0) {
        good = refuse_move(out, errno, e);
        if (out->backup)
            take_back_old(out, place);
    }
    if (!good && fresh)
        port_remove(place, fresh);
    free(fresh);
    return good;
}

/* Closes a file with a hidden name, since Windows does not put an open file in the place of another. */
static bool close_hidden(struct outfile *out, struct error *e)
{
    int fd = out->fd;
    if (!out->hidden || fd < 0)
        return true;
    out->fd = -1;
    return port_close(fd) == 0 || errno == EINTR || error_system(e, errno, "cannot write");
}

/* Gives the file its own name. */
static bool move(struct outfile *out, int place, struct error *e)
{
    if (!close_hidden(out, e))
        return false;
    bool good = out->kind == OUTPUT_NOTHING ? make_new(out, place, e) : replace_old(out, place, e);
    if (good && out->hidden) {
        signals_forget(out->hidden);
        free(out->hidden);
        out->hidden = NULL;
    }
    return good;
}

/* Moves the companion first. If the file itself cannot be moved, the companion's old file is put back. */
static bool move_both(struct outfile *out, const int place[2], struct error *e)
{
    struct outfile *companion = out->companion;
    if (companion && !move(companion, place[1], e))
        return false;
    bool good = move(out, place[0], e);
    if (!companion)
        return good;
    bool replaced = companion->kind == OUTPUT_FILE;
    if (!good && replaced)
        take_back_old(companion, place[1]);
    else if (!good)
        port_remove(place[1], output_last_part(companion->real));
    else if (replaced && !out->backup)
        port_remove(place[1], output_last_part(companion->backup));
    return good;
}

/* Only one file is moved at a time: SIGKILL leaves at most one hidden name. */
static pthread_mutex_t moving = PTHREAD_MUTEX_INITIALIZER;

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
    int place[2] = { -1, -1 };
    bool good = (out->prepared || output_prepare(out, e)) && open_place(out, &place[0], e) &&
                (!companion || open_place(companion, &place[1], e));
    if (good) {
        signals_hold();
        pthread_mutex_lock(&moving);
        good = check_place(out, place[0], e) && (!companion || check_place(companion, place[1], e)) &&
               move_both(out, place, e);
        if (good)
            signals_retract(out->unchanged);
        pthread_mutex_unlock(&moving);
        signals_release();
    }
    close_place(out, place[0]);
    if (companion)
        close_place(companion, place[1]);
    return good;
}

void output_close(struct outfile *out)
{
    if (out->companion) {
        free((char *)out->companion->path);
        free(out->companion->backup);
        output_close(out->companion);
        free(out->companion);
    }
    drop_hidden(out);
    if (out->fd > PORT_STDERR)
        port_close(out->fd);
    if (out->directory && !out->in_folder)
        port_close(out->directory);
    signals_retract(out->unchanged);
    free(out->unchanged);
    free(out->real);
    *out = (struct outfile){ .fd = -1 };
}

bool output_sync(const char *directory, struct error *e)
{
    return port_sync_directory(directory) == 0 ||
           error_system(e, errno, "the new files are in place, but the folder cannot be synced to disk");
}
