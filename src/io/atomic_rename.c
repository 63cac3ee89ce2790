/* How a written file gets its name, and the metadata of the file that it replaces. A file without a name that
 * replaces nothing gets it in one step. To replace another it needs a hidden name for a moment, since only
 * rename replaces. That is done in a child process in a session of its own, with signals blocked: even
 * SIGKILL to the program does not kill the child, so that no hidden name stays. (If the child itself is
 * killed, or power fails, one may stay; output_sync removes it in the next run.) */
#include "base/hash.h"
#include "base/signals.h"
#include "base/text.h"
#include "io/output.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <sys/xattr.h>
#include <unistd.h>

enum { NAME_ROOM = 255 - 16 }; /* bytes of the path's name in a hidden name */

char *atomic_rename_hidden(const char *path)
{
    static atomic_uint count;
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
    unsigned number = atomic_fetch_add(&count, 1);
    uint64_t seed = hash_bytes((const char *)&number, sizeof number); /* its key differs from run to run */
    return text_format("%.*s.%.*s.sprung-%06x", (int)(name - path), path, NAME_ROOM, name,
                       (unsigned)(seed & 0xffffff));
}

static int done(int result)
{
    return result == 0 ? 0 : errno;
}

static int link_fd(int fd, const char *path)
{
    char self[32];
    snprintf(self, sizeof self, "/proc/self/fd/%d", fd);
    return done(linkat(AT_FDCWD, self, AT_FDCWD, path, AT_SYMLINK_FOLLOW));
}

/* Keeps the old file under its backup's name. Where there are no hard links, nothing is at its path for a
 * moment. */
static int keep_old(const struct outfile *o)
{
    if (unlink(o->backup) != 0 && errno != ENOENT)
        return errno;
    int errnum = done(link(o->real, o->backup));
    bool unknown = errnum == EPERM || errnum == ENOTSUP || errnum == ENOSYS;
    return unknown ? done(rename(o->real, o->backup)) : errnum;
}

static int move_one(const struct outfile *o)
{
    int errnum = o->named ? 0 : link_fd(o->fd, o->temp);
    if (errnum)
        return errnum;
    const char *backup = o->kind == OUTPUT_FILE ? o->backup : NULL;
    errnum = backup ? keep_old(o) : 0;
    if (errnum == 0 && (errnum = done(rename(o->temp, o->real))) && backup && rename(backup, o->real) == 0)
        unlink(backup); /* rename leaves two names of one file */
    if (errnum && !o->named)
        unlink(o->temp);
    return errnum;
}

/* Makes only system calls that are safe in a child of a process with threads. */
static int move(const struct outfile *o)
{
    const struct outfile *with = o->with;
    int errnum = with ? move_one(with) : 0;
    if (errnum)
        return errnum;
    errnum = move_one(o);
    bool replaced = with && with->kind == OUTPUT_FILE;
    if (errnum && replaced)
        rename(with->backup, with->real);
    else if (errnum && with)
        unlink(with->real);
    else if (replaced && !o->backup)
        unlink(with->backup);
    return errnum;
}

static int move_in_child(const struct outfile *o)
{
    pid_t child = vfork();
    if (child == 0) {
        setsid();
        _exit(move(o));
    }
    if (child < 0)
        return move(o);
    int status;
    pid_t got;
    while ((got = waitpid(child, &status, 0)) < 0 && errno == EINTR)
        continue;
    if (got == child && WIFEXITED(status))
        return WEXITSTATUS(status);
    unlink(o->temp); /* the child was killed */
    return EINTR;
}

int atomic_rename_move(const struct outfile *o)
{
    sigset_t held = signals_hold();
    int errnum = o->kind == OUTPUT_NOTHING && !o->named && !o->with ? link_fd(o->fd, o->real)
                                                                    : move_in_child(o);
    signals_release(&held);
    return errnum;
}

/* --- metadata ---
 *
 * Owner, extended attributes (ACLs are some of them) and mode, in this order: a change of owner clears bits
 * of the mode, and an ACL may change the mode. */

static const char acl[] = "system.posix_acl_access";

static bool unsupported(int errnum)
{
    return errnum == ENOTSUP || errnum == ENOSYS;
}

static bool copy_attribute(int fd, const char *old, const char *name)
{
    char bytes[XATTR_SIZE_MAX];
    ssize_t n = lgetxattr(old, name, bytes, sizeof bytes);
    if (n >= 0 && fsetxattr(fd, name, bytes, (size_t)n, 0) == 0)
        return true;
    /* The kernel sets these itself; an ordinary user may not. */
    bool of_kernel = strncmp(name, "security.", 9) == 0 || strncmp(name, "trusted.", 8) == 0;
    return of_kernel && errno != ENOSPC && errno != ENOMEM;
}

static bool copy_attributes(int fd, const char *old, bool strict, struct error *e)
{
    char names[XATTR_LIST_MAX]; /* each with its NUL */
    ssize_t n = llistxattr(old, names, sizeof names);
    if (n < 0 && errno != ENOENT && !unsupported(errno) && strict) /* one that is gone is found later */
        return error_system(e, errno, "cannot read its extended attributes");
    bool has_acl = false;
    for (const char *name = names; name - names < n; name += strlen(name) + 1) {
        has_acl = has_acl || strcmp(name, acl) == 0;
        if (!copy_attribute(fd, old, name) && strict) {
            error_system(e, errno, "cannot keep its extended attribute %s", name);
            return error_hint(e, "--output writes to another file");
        }
    }
    /* The directory may have given the new file an ACL that the old one does not have. */
    if (!has_acl && fremovexattr(fd, acl) != 0 && errno != ENODATA && !unsupported(errno) && strict)
        return error_system(e, errno, "cannot keep its access control list");
    return true;
}

/* Where the owner cannot be kept, set-id bits are dropped from *mode, and where the group cannot be kept, the
 * new group may do no more than all others. */
static bool copy_owner(int fd, const struct stat *before, bool strict, mode_t *mode, struct error *e)
{
    struct stat now;
    if (fstat(fd, &now) != 0)
        return error_system(e, errno, "cannot look at the new file");
    if ((now.st_uid == before->st_uid && now.st_gid == before->st_gid) ||
        fchown(fd, before->st_uid, before->st_gid) == 0)
        return true;
    if (strict) {
        error_system(e, errno, "cannot keep its owner and group");
        return error_hint(e, "--output writes to another file, which is yours");
    }
    *mode &= 0777;
    if (fchown(fd, (uid_t)-1, before->st_gid) != 0)
        *mode &= 0707 | (*mode & 07) << 3;
    return true;
}

bool copy_metadata(int fd, const char *old, const struct stat *before, bool strict, struct error *e)
{
    mode_t mode = before->st_mode & 07777;
    if (!copy_owner(fd, before, strict, &mode, e) || !copy_attributes(fd, old, strict, e))
        return false;
    return fchmod(fd, mode) == 0 || error_system(e, errno, "cannot keep its mode");
}
