/* Linux, macOS and other systems with POSIX.1-2008. See port.h. A function has up to three bodies: for Linux,
 * for macOS, and the fallback. The body for Linux works with glibc and with musl; a feature of one C library
 * alone is tested by a macro of that library. On Windows this file is empty. */
#ifndef _WIN32
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#define _DARWIN_C_SOURCE
#include "base/port.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#ifdef __linux__
#include <sys/syscall.h>
#endif
#include <sys/wait.h>
#include <unistd.h>

/* --- the process --- */

bool port_open_standard(void)
{
    /* /dev/null is opened in the wrong direction, so that using a closed descriptor is still an error. */
    for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
        if (fcntl(fd, F_GETFD) < 0 && errno == EBADF &&
            open("/dev/null", fd == STDIN_FILENO ? O_WRONLY : O_RDONLY) != fd)
            return false;
    return true;
}

enum { STACK = 512 * 1024, PAGE = 4096 };

/* Touches each page of a large frame, from the top down, as a stack grows. */
static __attribute__((noinline)) void touch_stack(void)
{
    volatile char frame[STACK];
    for (size_t i = STACK; i > 0; i -= PAGE)
        frame[i - 1] = 0;
    (void)frame[0];
}

bool port_reserve_stack(void)
{
    struct rlimit limit;
    if (getrlimit(RLIMIT_STACK, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY && limit.rlim_cur < 2 * STACK)
        return true; /* another limit, chosen on purpose: the stack may still be large enough */
    void *room = mmap(NULL, STACK, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (room == MAP_FAILED)
        return false;
    munmap(room, STACK);
    touch_stack();
    return true;
}

static void (*clean_up)(void);

static void handle_signal(int signal_number)
{
    clean_up();
    signal(signal_number, SIG_DFL);
    raise(signal_number); /* blocked here; it is delivered when the handler returns */
}

void port_watch_signals(void (*clean)(void))
{
    static const int watched[] = { SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGPIPE };
    struct sigaction act = { .sa_handler = handle_signal, .sa_flags = SA_RESTART }, old;
    clean_up = clean;
    sigfillset(&act.sa_mask);
    for (size_t i = 0; i < sizeof watched / sizeof *watched; i++)
        if (sigaction(watched[i], NULL, &old) == 0 && old.sa_handler == SIG_DFL)
            sigaction(watched[i], &act, NULL);
    signal(SIGXFSZ, SIG_IGN); /* a file size limit is an error of write */
    signal(SIGCHLD, SIG_DFL); /* with SIGCHLD ignored, as a parent may leave it, waitpid fails */
}

static _Thread_local sigset_t before_hold; /* the thread's blocked signals before port_hold_signals */

void port_hold_signals(void)
{
    sigset_t all;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before_hold);
}

void port_release_signals(void)
{
    pthread_sigmask(SIG_SETMASK, &before_hold, NULL);
}

int port_run(char *const argv[], const int fd[3], int *status)
{
    enum { MISSING = 127 };
    pid_t child = fork();
    if (child == 0) {
        for (int to = 0; to < 3; to++)
            if (dup2(fd[to] < 0 ? open("/dev/null", O_RDWR) : fd[to], to) < 0)
                _exit(EXIT_FAILURE);
        execvp(argv[0], argv);
        _exit(MISSING);
    }
    int end = 0;
    while (child > 0 && waitpid(child, &end, 0) < 0)
        if (errno != EINTR)
            child = -1;
    if (child < 0)
        return errno;
    *status = WIFEXITED(end) ? WEXITSTATUS(end) : -WTERMSIG(end);
    return *status == MISSING ? ENOENT : 0;
}

/* --- the machine --- */

unsigned port_processors(void)
{
    long n = -1;
#ifdef _SC_NPROCESSORS_ONLN
    n = sysconf(_SC_NPROCESSORS_ONLN);
#endif
    return n > 0 ? (unsigned)n : 1;
}

/* --- terminals --- */

bool port_is_terminal(int fd)
{
    return isatty(fd) == 1;
}

bool port_file_of(int fd, char *path, size_t max)
{
    char self[32];
    struct stat st;
    if (fstat(fd, &st) != 0 || !S_ISREG(st.st_mode))
        return false;
    snprintf(self, sizeof self, "/proc/self/fd/%d", fd);
    const ssize_t n = readlink(self, path, max - 1);
    path[n > 0 ? n : 0] = 0;
    return path[0] == '/';
}

unsigned port_terminal_columns(int fd)
{
#if defined TIOCGWINSZ && !defined SPRUNG_PORT_FALLBACK
    struct winsize size;
    return ioctl(fd, TIOCGWINSZ, &size) == 0 ? size.ws_col : 0;
#else
    const char *columns = isatty(fd) ? getenv("COLUMNS") : NULL;
    return columns ? (unsigned)strtoul(columns, NULL, 10) : 0;
#endif
}

/* --- files --- */

static enum port_kind kind_of(mode_t mode)
{
    if (S_ISREG(mode))
        return PORT_REGULAR;
    if (S_ISDIR(mode))
        return PORT_DIRECTORY;
    return S_ISLNK(mode) ? PORT_LINK : PORT_OTHER;
}

/* Takes the return value and the result of fstat and the like. */
static int take_status(int result, const struct stat *st, struct port_status *status)
{
    if (result != 0)
        return -1;
    *status = (struct port_status){
        .kind = kind_of(st->st_mode),
        .mode = st->st_mode & 07777,
        .device = (uint64_t)st->st_dev,
        .inode = (uint64_t)st->st_ino,
        .nlink = (uint64_t)st->st_nlink,
        .owner = st->st_uid,
        .group = st->st_gid,
        .size = (uint64_t)st->st_size,
#ifdef __APPLE__
        .modified = st->st_mtimespec,
#else
        .modified = st->st_mtim,
#endif
    };
    return 0;
}

int port_status(int fd, struct port_status *status)
{
    struct stat st;
    return take_status(fstat(fd, &st), &st, status);
}

int port_status_of(const char *path, struct port_status *status)
{
    struct stat st;
    return take_status(stat(path, &st), &st, status);
}

int port_status_of_link(const char *path, struct port_status *status)
{
    struct stat st;
    return take_status(lstat(path, &st), &st, status);
}

int port_may_write(const char *path)
{
    return faccessat(AT_FDCWD, path, W_OK, AT_EACCESS);
}

int port_open_read(const char *path)
{
    return open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY);
}

int port_open_write(const char *path)
{
    return open(path, O_WRONLY | O_CLOEXEC | O_NOCTTY);
}

int port_create(const char *path, unsigned mode)
{
    return open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, (mode_t)mode);
}

int64_t port_read(int fd, void *bytes, size_t n)
{
    return read(fd, bytes, n);
}

int64_t port_read_at(int fd, void *bytes, size_t n, uint64_t at)
{
    return pread(fd, bytes, n, (off_t)at);
}

int64_t port_write(int fd, const void *bytes, size_t n)
{
    return write(fd, bytes, n);
}

int64_t port_write_at(int fd, const void *bytes, size_t n, uint64_t at)
{
    return pwrite(fd, bytes, n, (off_t)at);
}

int64_t port_seek(int fd, int64_t offset, int whence)
{
    return lseek(fd, (off_t)offset, whence);
}

bool port_can_read(int fd)
{
    struct pollfd look = { fd, POLLIN, 0 };
    return poll(&look, 1, 0) != 0;
}

void port_wait(int fd, bool to_write)
{
    struct pollfd wait = { fd, to_write ? POLLOUT : POLLIN, 0 };
    poll(&wait, 1, -1);
}

int port_sync(int fd)
{
    while (fsync(fd) != 0)
        if (errno != EINTR)
            return errno == EINVAL || errno == ENOTSUP ? 0 : -1; /* the file system does not know fsync */
    return 0;
}

int port_open_temporary(const char *path)
{
    static const char pattern[] = "/sprung.XXXXXX";
    char *name = malloc(strlen(path) + sizeof pattern);
    if (!name)
        return -1;
    strcpy(name, path);
    strcat(name, pattern);
    int fd = mkstemp(name);
    int errnum = errno;
    if (fd >= 0) {
        unlink(name);
        fcntl(fd, F_SETFD, FD_CLOEXEC);
    }
    free(name);
    errno = errnum;
    return fd;
}

/* --- directories and names --- */

int port_make_directory(const char *path)
{
    return mkdir(path, 0777);
}

char *port_slashes(char *path)
{
    return path;
}

size_t port_root(const char *path)
{
    return path[0] == '/';
}

char *port_real_path(const char *path)
{
    return realpath(path, NULL);
}

int port_link(const char *path, const char *second)
{
    return link(path, second);
}

int port_replace(const char *from, const char *to)
{
    return rename(from, to);
}

/* Where the system call or the file system knows no such rename, the file gets a second name by a hard link,
 * and loses the first. */
int port_rename_new(const char *from, const char *to)
{
#if defined SYS_renameat2 && !defined SPRUNG_PORT_FALLBACK
    const unsigned no_replace = 1;
    if (syscall(SYS_renameat2, AT_FDCWD, from, AT_FDCWD, to, no_replace) == 0)
        return 0;
    if (errno != EINVAL && errno != ENOSYS)
        return -1;
#endif
    return link(from, to) == 0 ? unlink(from) : -1;
}

/* --- metadata --- */

int port_set_owner(int fd, const struct port_status *other)
{
    return fchown(fd, (uid_t)other->owner, (gid_t)other->group);
}

int port_set_mode(int fd, unsigned mode)
{
    return fchmod(fd, (mode_t)mode);
}
#endif
