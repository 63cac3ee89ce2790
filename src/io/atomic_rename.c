/* How a written file gets its name. A file without a name that replaces nothing gets it in one step. To
 * replace another it needs a hidden name for a moment, since only rename replaces. That is done in a child
 * process in a session of its own, with signals blocked: even SIGKILL to the program does not kill the child,
 * so that no hidden name stays. (If the child itself is killed, or power fails, one may stay; output_clean
 * removes it in the next run.) */
#include "base/signals.h"
#include "base/text.h"
#include "io/output.h"

#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#ifndef RENAME_NOREPLACE
#define RENAME_NOREPLACE 1
#define RENAME_EXCHANGE  2
static int renameat2(int a, const char *from, int b, const char *to, unsigned flags)
{
    (void)a, (void)b, (void)from, (void)to, (void)flags;
    errno = ENOSYS;
    return -1;
}
#endif

/* Hidden names are .NAME.sprung-XXXXXX; NAME is cut to NAME_ROOM bytes. */
static const char mark[] = ".sprung-", digits[] = "0123456789abcdefghijklmnopqrstuvwxyz";
enum { NRANDOM = 6, NAME_ROOM = 255 - 16 };

char *atomic_rename_hidden(const char *path)
{
    static atomic_uint count;
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    unsigned long long seed = (unsigned long long)now.tv_nsec ^ (unsigned long long)now.tv_sec << 30 ^
                              (unsigned long long)getpid() << 17 ^
                              (unsigned long long)atomic_fetch_add(&count, 1) << 8;
    seed *= 0x9E3779B97F4A7C15u;
    seed ^= seed >> 29;
    char random[NRANDOM + 1] = "";
    for (int i = 0; i < NRANDOM; i++, seed /= 36)
        random[i] = digits[seed % 36];
    return text_format("%.*s.%.*s%s%s", (int)(name - path), path, NAME_ROOM, name, mark, random);
}

bool atomic_rename_is_hidden(const char *name)
{
    size_t n = strlen(name), tail = sizeof mark - 1 + NRANDOM;
    return name[0] == '.' && n >= tail + 2 && strncmp(name + n - tail, mark, sizeof mark - 1) == 0 &&
           strspn(name + n - NRANDOM, digits) == NRANDOM;
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

static bool unknown_call(int errnum)
{
    return errnum == EINVAL || errnum == ENOSYS || errnum == ENOTSUP;
}

/* Moves the old file to its backup's name and the new one to the path, where at every moment one of them is.
 */
static int move_with_backup(const struct atomic_rename_move *m)
{
    int errnum = done(renameat2(AT_FDCWD, m->temp, AT_FDCWD, m->path, RENAME_EXCHANGE));
    if (errnum == 0) {
        errnum = done(rename(m->temp, m->backup));
        if (errnum)
            renameat2(AT_FDCWD, m->temp, AT_FDCWD, m->path, RENAME_EXCHANGE);
        return errnum;
    }
    if (!unknown_call(errnum))
        return errnum;
    errnum = done(link(m->path, m->backup_temp));
    if (errnum == 0 && (errnum = done(rename(m->backup_temp, m->backup))))
        unlink(m->backup_temp);
    if (errnum == 0 && (errnum = done(rename(m->temp, m->path))))
        unlink(m->backup);
    return errnum;
}

/* Moves the hidden file to a path where nothing is. */
static int move_fresh(const struct atomic_rename_move *m)
{
    int errnum = done(renameat2(AT_FDCWD, m->temp, AT_FDCWD, m->path, RENAME_NOREPLACE));
    if (!unknown_call(errnum))
        return errnum;
    errnum = done(link(m->temp, m->path));
    if (errnum == 0)
        return done(unlink(m->temp));
    /* The file system has no hard links: a file that appears now is replaced. */
    return errnum == EEXIST ? errnum : done(rename(m->temp, m->path));
}

/* Makes only system calls that are safe in a child of a process with threads. */
static int move(const struct atomic_rename_move *m)
{
    int errnum = m->fd >= 0 ? link_fd(m->fd, m->temp) : 0;
    if (errnum)
        return errnum;
    errnum = m->backup ? move_with_backup(m) : m->fresh ? move_fresh(m) : done(rename(m->temp, m->path));
    if (errnum)
        unlink(m->temp);
    return errnum;
}

/* The child was killed. The hidden name belongs to the new file or, if they were exchanged, to the old one.
 */
static int repair(const struct atomic_rename_move *m)
{
    struct stat st;
    if (lstat(m->temp, &st) == 0) {
        if (m->backup && st.st_ino == m->old)
            return done(rename(m->temp, m->backup));
        unlink(m->temp);
    }
    return EINTR;
}

static int move_in_child(const struct atomic_rename_move *m)
{
    pid_t child = vfork();
    if (child == 0) {
        setsid();
        _exit(move(m));
    }
    if (child < 0)
        return move(m);
    int status;
    pid_t got;
    while ((got = waitpid(child, &status, 0)) < 0 && errno == EINTR)
        continue;
    return got == child && WIFEXITED(status) ? WEXITSTATUS(status) : repair(m);
}

int atomic_rename_move(const struct atomic_rename_move *m)
{
    struct signals_held held = signals_hold();
    int errnum = m->fresh && m->fd >= 0 ? link_fd(m->fd, m->path) : move_in_child(m);
    signals_release(&held);
    return errnum;
}
