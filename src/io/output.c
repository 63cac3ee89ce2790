/* Output files: checks, opening, committing. Names and metadata are given in atomic_rename.c. */
#include "io/output.h"
#include "base/signals.h"
#include "base/text.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

enum { TRIES = 100 };

char *output_directory(const char *path)
{
    const char *slash = strrchr(path, '/');
    if (!slash)
        return strdup(".");
    return strndup(path, slash == path ? 1 : (size_t)(slash - path));
}

/* --- checks --- */

/* Checks what is there: a regular file or something else. */
static bool check_there(const struct outfile *o, struct error *e)
{
    if (S_ISDIR(o->st.st_mode)) {
        error_system(e, EISDIR, o->in_place ? "cannot edit in place" : "cannot write");
        return error_hint(e, o->in_place ? "give the files in it" : "--output-dir writes files into it");
    }
    if (!S_ISREG(o->st.st_mode))
        return !o->in_place || error_data(e, "only a regular file can be edited in place");
    bool writable = (o->st.st_mode & 0222) && faccessat(AT_FDCWD, o->path, W_OK, AT_EACCESS) == 0;
    if (!writable && !o->force) {
        error_system(e, (o->st.st_mode & 0222) ? errno : EACCES, "the file is read-only");
        return error_hint(e, "--force replaces it");
    }
    if (o->in_place && o->st.st_nlink > 1) {
        error_data(e, "the file has %llu hard links; in place would leave the others as they are",
                   (unsigned long long)o->st.st_nlink);
        return error_hint(e, "write to another file with --output, or copy it to break the links");
    }
    return true;
}

bool output_look(struct outfile *o, struct error *e)
{
    struct stat out;
    o->kind = OUTPUT_STDOUT;
    if (strcmp(o->path, "-") == 0)
        return o->in_place ? error_usage(e, "standard input cannot be edited in place") : true;
    if (stat(o->path, &o->st) != 0) {
        o->kind = OUTPUT_NOTHING;
        if (errno != ENOENT || o->in_place)
            return error_system(e, errno, o->in_place ? "cannot open" : "cannot write");
        if (lstat(o->path, &out) == 0)
            return error_system(e, ENOENT, "a symbolic link that leads nowhere");
        o->real = strdup(o->path);
        return o->real || error_memory(e);
    }
    /* /dev/stdout and the like: the open file is written to, not replaced. */
    if (!o->in_place && fstat(STDOUT_FILENO, &out) == 0 && out.st_dev == o->st.st_dev &&
        out.st_ino == o->st.st_ino)
        return true;
    o->kind = S_ISREG(o->st.st_mode) ? OUTPUT_FILE : OUTPUT_STREAM;
    if (!check_there(o, e))
        return false;
    o->real = o->kind == OUTPUT_FILE ? realpath(o->path, NULL) : strdup(o->path);
    return o->real || (errno == ENOMEM ? error_memory(e) : error_system(e, errno, "cannot write"));
}

bool output_look_with(struct outfile *o, const char *path, struct error *e)
{
    struct stat st;
    struct outfile *w = o->with = calloc(1, sizeof *w);
    if (!w || !(w->path = strdup(path)))
        return error_memory(e);
    w->force = o->force;
    w->in_place = o->in_place;
    w->fd = -1;
    if (!output_look(w, e))
        return error_excerpt(e, path, strlen(path));
    if (w->kind != OUTPUT_NOTHING && w->kind != OUTPUT_FILE)
        return error_usage(e, "its %s is no regular file", path);
    if (w->kind != OUTPUT_NOTHING && !o->in_place && o->kind == OUTPUT_NOTHING && !o->force) {
        error_usage(e, "its %s exists already", path);
        return error_hint(e, "--force replaces it");
    }
    w->backup = o->backup ? text_format("%s%s", w->real, o->backup + strlen(o->real))
                          : atomic_rename_hidden(w->real);
    if (!w->backup)
        return error_memory(e);
    if (!o->backup || o->force || lstat(w->backup, &st) != 0)
        return true;
    error_usage(e, "the old file would be kept as %s, which exists already", w->backup);
    return error_hint(e, "choose another suffix; --force replaces it");
}

bool output_allowed(const struct outfile *o, bool make_directory, struct error *e)
{
    if (o->kind != OUTPUT_NOTHING && o->kind != OUTPUT_FILE)
        return true;
    char *directory = output_directory(o->real);
    for (char *parent; directory && make_directory && access(directory, F_OK) != 0 && errno == ENOENT;
         directory = parent) {
        parent = output_directory(directory);
        free(directory);
    }
    if (!directory)
        return error_memory(e);
    bool good = faccessat(AT_FDCWD, directory, W_OK | X_OK, AT_EACCESS) == 0 ||
                error_system(e, errno, "cannot write");
    free(directory);
    return good;
}

/* --- opening --- */

/* Removes the hidden name, if there is one. */
static void drop_name(struct outfile *o)
{
    if (o->named) {
        sigset_t held = signals_hold();
        unlink(o->temp);
        signals_forget(o->temp);
        o->named = false;
        signals_release(&held);
    }
    free(o->temp);
    o->temp = NULL;
}

/* Locks the file for as long as it is open: output_sync leaves locked ones alone. False if it was removed
 * before. */
static bool lock(int fd)
{
    struct stat st;
    while (flock(fd, LOCK_EX) != 0 && errno == EINTR)
        continue;
    return fstat(fd, &st) != 0 || st.st_nlink > 0;
}

static bool open_named(struct outfile *o, mode_t mode, struct error *e)
{
    for (int i = 0; i < TRIES; i++) {
        o->temp = atomic_rename_hidden(o->real);
        if (!o->temp)
            return error_memory(e);
        sigset_t held = signals_hold();
        o->fd = open(o->temp, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, mode);
        int errnum = errno;
        o->named = o->fd >= 0;
        bool kept = !o->named || signals_keep(o->temp);
        signals_release(&held);
        if (o->named && kept && lock(o->fd))
            return true;
        if (o->named)
            close(o->fd);
        drop_name(o);
        o->fd = -1;
        if (!kept || errnum != EEXIST)
            return kept ? error_system(e, errnum, "cannot write") : error_memory(e);
    }
    return error_system(e, EEXIST, "cannot write");
}

bool output_open(struct outfile *o, struct error *e)
{
    if (o->kind == OUTPUT_STDOUT || o->kind == OUTPUT_STREAM) {
        o->fd = o->kind == OUTPUT_STDOUT ? STDOUT_FILENO : open(o->path, O_WRONLY | O_CLOEXEC | O_NOCTTY);
        return o->fd >= 0 || error_system(e, errno, "cannot open");
    }
    /* A file that replaces another may be read by its owner only until it gets the mode of the other. */
    mode_t mode = o->kind == OUTPUT_FILE ? 0600 : 0666;
    char *directory = output_directory(o->real);
    if (!directory)
        return error_memory(e);
    /* Through /proc such a file gets its name; some file systems have no files without one. */
    o->fd = access("/proc/self/fd", F_OK) == 0 ? open(directory, O_TMPFILE | O_RDWR | O_CLOEXEC, mode) : -1;
    free(directory);
    if (o->fd < 0)
        return open_named(o, mode, e);
    lock(o->fd);
    return true;
}

/* --- committing --- */

static bool sync_fd(int fd)
{
    while (fsync(fd) != 0)
        if (errno != EINTR)
            return errno == EINVAL || errno == ENOTSUP; /* the file system has no such thing */
    return true;
}

/* Checks that the file to be replaced has not changed since it was opened. Its change time cannot be set
 * back, but some file systems have none. */
static bool unchanged(const struct outfile *o, struct error *e)
{
    struct stat now;
    const struct stat *st = &o->st;
    if (stat(o->real, &now) != 0)
        return error_system(e, errno, "the file is gone");
    if (now.st_dev == st->st_dev && now.st_ino == st->st_ino && now.st_size == st->st_size &&
        now.st_mtim.tv_sec == st->st_mtim.tv_sec && now.st_mtim.tv_nsec == st->st_mtim.tv_nsec &&
        now.st_ctim.tv_sec == st->st_ctim.tv_sec && now.st_ctim.tv_nsec == st->st_ctim.tv_nsec)
        return true;
    error_data(e, "somebody else changed the file meanwhile; it is left as they made it");
    return error_hint(e, "run it again");
}

/* Gives the file its name; tries again with other hidden names while they are taken. */
static bool move(struct outfile *o, struct error *e)
{
    int errnum = EEXIST;
    for (int i = 0; i < TRIES && errnum == EEXIST; i++) {
        for (struct outfile *f = o; f; f = f->with)
            if (!f->named) {
                free(f->temp);
                f->temp = atomic_rename_hidden(f->real);
                if (!f->temp)
                    return error_memory(e);
            }
        errnum = atomic_rename_move(o);
        o->kind = OUTPUT_FILE; /* if one has appeared there, it is replaced */
    }
    if (errnum == 0)
        return true;
    error_system(e, errnum, "cannot put the new file in its place");
    return o->backup ? error_hint(e, "the old one would be kept as %s", o->backup) : false;
}

/* Does all but the moving. */
static bool prepare(const struct outfile *o, struct error *e)
{
    if (o->kind == OUTPUT_FILE && !copy_metadata(o->fd, o->real, &o->st, o->in_place, e))
        return false;
    if (!sync_fd(o->fd))
        return error_system(e, errno, "cannot write");
    return !o->in_place || unchanged(o, e);
}

bool output_commit(struct outfile *o, struct error *e)
{
    if (o->kind == OUTPUT_STDOUT)
        return true;
    if (o->kind == OUTPUT_STREAM) {
        int fd = o->fd;
        o->fd = -1;
        return close(fd) == 0 || errno == EINTR || error_system(e, errno, "cannot write");
    }
    return prepare(o, e) && (!o->with || prepare(o->with, e)) && move(o, e);
}

void output_close(struct outfile *o)
{
    if (o->with) {
        free((char *)o->with->path);
        free(o->with->backup);
        output_close(o->with);
        free(o->with);
    }
    drop_name(o);
    if (o->fd > STDERR_FILENO)
        close(o->fd);
    free(o->real);
    *o = (struct outfile){ .fd = -1 };
}

/* --- directories --- */

static void clean_one(int directory, const char *name)
{
    struct stat st, same;
    int flags = O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY;
    int fd = openat(directory, name, flags | O_RDWR);
    if (fd < 0)
        fd = openat(directory, name, flags | O_RDONLY);
    if (fd < 0)
        return;
    if (fstat(fd, &st) == 0 && S_ISREG(st.st_mode) && (st.st_uid == geteuid() || geteuid() == 0) &&
        flock(fd, LOCK_EX | LOCK_NB) == 0 && fstatat(directory, name, &same, AT_SYMLINK_NOFOLLOW) == 0 &&
        same.st_ino == st.st_ino)
        unlinkat(directory, name, 0);
    close(fd);
}

bool output_sync(const char *directory, struct error *e)
{
    static const char hidden[] = ".?*.sprung-[0-9a-z][0-9a-z][0-9a-z][0-9a-z][0-9a-z][0-9a-z]";
    DIR *d = opendir(directory);
    if (!d && errno == EACCES)
        return true; /* the directory may be written to, not read */
    for (struct dirent *entry; d && (entry = readdir(d));)
        if (fnmatch(hidden, entry->d_name, 0) == 0)
            clean_one(dirfd(d), entry->d_name);
    bool good = d && sync_fd(dirfd(d));
    int errnum = errno;
    if (d)
        closedir(d);
    return good ||
           error_system(e, errnum,
                        "new files are in their places, but the directory cannot be brought to the disk");
}
