/* Output files, from the look at the path to the name. See output.h. */
#include "io/output.h"

#include "base/hash.h"
#include "base/port.h"
#include "base/signals.h"
#include "base/text.h"

#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* --- looking --- */

/* Checks that the file at the path, regular or not, may be replaced or written to. */
static bool check_existing(const struct outfile *out, struct error *e)
{
    if (out->status.kind == PORT_DIRECTORY) {
        error_system(e, EISDIR, out->in_place ? "cannot edit in place" : "cannot write");
        return error_hint(e, out->in_place ? "this is a folder: add --recursive, or name the files in it"
                                           : "use --output-dir to write files into it");
    }
    if (out->status.kind != PORT_REGULAR)
        return !out->in_place || error_data(e, "only a regular file can be edited in place");
    const bool writable = (out->status.mode & 0222) && port_may_write(out->path) == 0;
    if (!writable && !out->force) {
        error_system(e, EACCES, "the file is read-only");
        return error_hint(e, "add --force to replace it");
    }
    if (out->in_place && out->status.nlink > 1) {
        error_data(e, "the file has %llu hard links, and --in-place would change only this one",
                   (unsigned long long)out->status.nlink);
        return error_hint(e, "write to another file with --output, or copy the file first");
    }
    return true;
}

/* Sets the path of the file to be replaced, and that of its backup. */
static bool resolve(struct outfile *out, struct error *e)
{
    out->real = port_real_path(out->path);
    if (!out->real)
        return error_system(e, errno, "cannot write");
    if (!out->suffix)
        return true;
    out->backup = text_format("%s%s", out->real, out->suffix);
    if (!out->backup)
        return error_memory(e);
    if (out->force || !port_exists(out->backup))
        return true;
    error_usage(e, "the backup %s already exists", out->backup);
    return error_hint(e, "choose another suffix, or add --force to replace it");
}

bool output_look(struct outfile *out, struct error *e)
{
    struct port_status other;
    out->kind = OUTPUT_STDOUT;
    if (strcmp(out->path, "-") == 0)
        return !out->in_place || error_usage(e, "standard input cannot be edited in place");
    if (port_status_of(out->path, &out->status) != 0) {
        out->kind = OUTPUT_NOTHING;
        if (errno != ENOENT || out->in_place)
            return error_system(e, errno, out->in_place ? "cannot open" : "cannot write");
        out->real = strdup(out->path);
        return out->real || error_memory(e);
    }
    /* /dev/stdout and the like: the open file is written to, not replaced. */
    if (!out->in_place && port_status(PORT_STDOUT, &other) == 0 && port_same_file(&other, &out->status))
        return true;
    out->kind = out->status.kind == PORT_REGULAR ? OUTPUT_FILE : OUTPUT_STREAM;
    return check_existing(out, e) && (out->kind == OUTPUT_STREAM || resolve(out, e));
}

static void close_companion(struct outfile *out)
{
    if (!out->companion)
        return;
    output_close(out->companion);
    free((char *)out->companion->path);
    free(out->companion);
    out->companion = NULL;
}

static bool look_at_companion(const struct outfile *out, struct outfile *companion, struct error *e)
{
    if (!output_look(companion, e))
        return error_excerpt(e, companion->path, strlen(companion->path));
    if (companion->kind == OUTPUT_NOTHING)
        return true;
    if (companion->kind != OUTPUT_FILE)
        return error_usage(e, "the file %s is not a regular file", companion->path);
    if (out->kind == OUTPUT_FILE || out->force)
        return true;
    error_usage(e, "the file %s already exists", companion->path);
    return error_hint(e, "add --force to replace it");
}

bool output_look_companion(struct outfile *out, const char *path, struct error *e)
{
    struct outfile *companion = out->companion = calloc(1, sizeof *companion);
    if (!companion || !(companion->path = strdup(path)))
        return error_memory(e);
    companion->force = out->force;
    companion->in_place = out->in_place;
    companion->suffix = out->suffix;
    if (look_at_companion(out, companion, e))
        return true;
    close_companion(out);
    return false;
}

/* --- opening --- */

/* The bytes of the path of the directory of a path, with the '/' at its end, if there is one. */
static size_t directory_length(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? (size_t)(slash + 1 - path) : port_root(path);
}

/* Makes the missing folders above the file. Returns 0 or an errno value. */
static int make_folders(const char *path)
{
    const size_t n = directory_length(path);
    if (n <= port_root(path))
        return 0;
    char *folder = text_copy(path, n - 1);
    int errnum = folder ? 0 : ENOMEM;
    if (folder && !port_is_directory(folder)) {
        errnum = make_folders(folder);
        if (errnum == 0 && port_make_directory(folder) != 0 && errno != EEXIST)
            errnum = errno;
    }
    free(folder);
    return errnum;
}

/* A hidden path in the directory of a path, different at every call, malloc'ed; NULL: out of memory. */
static char *hidden_path(const char *path)
{
    static atomic_uint count;
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    const int64_t seed[] = { now.tv_sec, now.tv_nsec, atomic_fetch_add(&count, 1) };
    return text_format("%.*s.sprung-%016llx", (int)directory_length(path), path,
                       (unsigned long long)hash_bytes(seed, sizeof seed));
}

static bool open_hidden(struct outfile *out, struct error *e)
{
    /* Only the owner may read a file that has not yet got the mode of the file to be replaced. */
    const unsigned mode = out->kind == OUTPUT_FILE ? 0600 : 0666;
    out->hidden = hidden_path(out->real);
    if (!out->hidden)
        return error_memory(e);
    signals_hold();
    out->fd = port_create(out->hidden, mode);
    const int errnum = out->fd < 0 ? errno : 0;
    const bool kept = errnum || signals_keep(out->hidden);
    signals_release();
    if (errnum) {
        free(out->hidden);
        out->hidden = NULL;
        return error_system(e, errnum, "cannot write");
    }
    return kept || error_memory(e);
}

bool output_open(struct outfile *out, bool makes_folders, struct error *e)
{
    if (out->kind == OUTPUT_STDOUT || out->kind == OUTPUT_STREAM) {
        out->fd = out->kind == OUTPUT_STDOUT ? PORT_STDOUT : port_open_write(out->path);
        return out->fd >= 0 || error_system(e, errno, "cannot open");
    }
    const int errnum = makes_folders ? make_folders(out->real) : 0;
    return errnum ? error_system(e, errnum, "cannot write") : open_hidden(out, e);
}

/* --- committing --- */

/* Refuses to replace a file that is not as it was when the program read it. */
static bool check_unchanged(const struct outfile *out, struct error *e)
{
    struct port_status now;
    const struct port_status *old = &out->status;
    if (port_status_of_link(out->real, &now) == 0 && port_same_file(&now, old) && now.size == old->size &&
        now.modified.tv_sec == old->modified.tv_sec && now.modified.tv_nsec == old->modified.tv_nsec)
        return true;
    error_data(e, "this file changed while it was being filtered: it is left as it is now");
    return error_hint(e, "filter it again");
}

/* Gives the new file owner, group and mode of the old file. In place, an owner that cannot be kept is an
 * error; else the new owner gets no set-id bits, and another group no rights. */
static bool keep_metadata(const struct outfile *out, struct error *e)
{
    struct port_status own;
    const struct port_status *old = &out->status;
    unsigned mode = old->mode;
    if (port_status(out->fd, &own) != 0)
        return error_system(e, errno, "cannot stat the new file");
    const bool kept = (own.owner == old->owner && own.group == old->group) ||
                      port_set_owner(out->fd, old) == 0;
    if (!kept && out->in_place) {
        error_system(e, errno, "cannot keep its owner and group");
        return error_hint(e, "write to another file: --output FILE");
    }
    if (!kept)
        mode &= own.group == old->group ? 0777 : 0707;
    return port_set_mode(out->fd, mode) == 0 || error_system(e, errno, "cannot keep its mode");
}

/* Brings the bytes of one file to the disk, with the metadata of the file that it replaces. */
static bool prepare(struct outfile *out, struct error *e)
{
    if (out->kind == OUTPUT_FILE && !keep_metadata(out, e))
        return false;
    bool good = port_sync(out->fd) == 0;
    int errnum = errno;
    const int fd = out->fd;
    out->fd = -1; /* Windows does not put an open file in the place of another */
    if (port_close(fd) != 0 && good && errno != EINTR) {
        good = false;
        errnum = errno;
    }
    return good || error_system(e, errnum, "cannot write");
}

/* Gives the old file the name of its backup as a second name. Where the file system has no hard links, the
 * old file loses its own name. */
static bool keep_old(const struct outfile *out)
{
    if (out->force)
        port_remove(out->backup);
    return port_link(out->real, out->backup) == 0 || port_rename_new(out->real, out->backup) == 0;
}

/* Undoes keep_old. If both names are of the same file, port_replace succeeds and does nothing. */
static void take_back_old(const struct outfile *out)
{
    if (port_replace(out->backup, out->real) == 0)
        port_remove(out->backup);
}

/* Gives the file its own name. Returns 0 or an errno value. */
static int rename_hidden(const struct outfile *out)
{
    if (out->kind == OUTPUT_NOTHING && !out->force)
        return port_rename_new(out->hidden, out->real) == 0 ? 0 : errno;
    if (out->backup && !keep_old(out))
        return errno;
    const int errnum = port_replace(out->hidden, out->real) == 0 ? 0 : errno;
    if (errnum && out->backup)
        take_back_old(out);
    return errnum;
}

static bool move(struct outfile *out, struct error *e)
{
    const int errnum = rename_hidden(out);
    if (errnum == EEXIST && !out->backup) {
        error_data(e, "another program created this file meanwhile: it is left as it is now");
        return error_hint(e, "add --force to replace it");
    }
    if (errnum && out->backup)
        return error_system(e, errnum, "cannot back the file up as %s and replace it", out->backup);
    if (errnum)
        return error_system(e, errnum, "cannot move the new file into place");
    signals_forget(out->hidden);
    free(out->hidden);
    out->hidden = NULL;
    return true;
}

/* Of two outputs of a run that have one companion, the second sees what the first has done. */
static bool move_both(struct outfile *out, struct error *e)
{
    static pthread_mutex_t moving = PTHREAD_MUTEX_INITIALIZER;
    struct outfile *companion = out->companion;
    pthread_mutex_lock(&moving);
    const bool same = !out->in_place ||
                      (check_unchanged(out, e) && (!companion || check_unchanged(companion, e)));
    const bool good = same && (!companion || move(companion, e)) && move(out, e);
    pthread_mutex_unlock(&moving);
    return good;
}

bool output_commit(struct outfile *out, struct error *e)
{
    if (out->kind == OUTPUT_STDOUT)
        return true;
    if (out->kind == OUTPUT_STREAM) {
        const int fd = out->fd;
        out->fd = -1;
        return port_close(fd) == 0 || errno == EINTR || error_system(e, errno, "cannot write");
    }
    if (!prepare(out, e) || (out->companion && !prepare(out->companion, e)))
        return false;
    signals_hold();
    const bool good = move_both(out, e);
    signals_release();
    return good;
}

void output_close(struct outfile *out)
{
    close_companion(out);
    if (out->hidden) {
        signals_hold();
        port_remove(out->hidden);
        signals_forget(out->hidden);
        signals_release();
    }
    if (out->fd > PORT_STDERR)
        port_close(out->fd);
    out->fd = -1;
    free(out->hidden);
    free(out->real);
    free(out->backup);
    out->hidden = out->real = out->backup = NULL;
}
