/* See port.h. Each function has up to three bodies: for Linux, for macOS, and the fallback. The body for
 * Linux works with glibc and with musl; a feature of one C library alone is tested by a macro of that
 * library. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#define _DARWIN_C_SOURCE
#include "base/port.h"

#if defined SPRUNG_PORT_FALLBACK
#elif defined __linux__
#define PORT_LINUX 1
#elif defined __APPLE__
#define PORT_MACOS 1
#endif

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>
#ifdef PORT_LINUX
#include <malloc.h>
#include <sys/random.h>
#include <sys/syscall.h>
#include <sys/xattr.h>
#elif defined PORT_MACOS
#include <copyfile.h>
#include <sys/random.h>
#endif

/* --- text and bytes --- */

void *port_memrchr(const void *bytes, int c, size_t n)
{
#ifdef PORT_LINUX
    return (void *)memrchr(bytes, c, n);
#else
    const unsigned char *first = bytes;
    for (size_t i = n; i > 0; i--)
        if (first[i - 1] == (unsigned char)c)
            return (void *)(first + i - 1);
    return NULL;
#endif
}

char *port_strcasestr(const char *text, const char *word)
{
    const int first = tolower((unsigned char)*word);
    size_t n = strlen(word);
    for (size_t left = strlen(text); left >= n; left--, text++) {
        bool begins = n == 0 || tolower((unsigned char)*text) == first;
        if (begins && strncasecmp(text, word, n) == 0)
            return (char *)text;
    }
    return NULL;
}

void *port_memmem(const void *bytes, size_t n, const void *word, size_t nword)
{
    const char *at = bytes, *end = at + n;
    if (nword == 0)
        return (void *)at;
    for (; at && (size_t)(end - at) >= nword; at++) {
        at = memchr(at, *(const char *)word, (size_t)(end - at) - nword + 1);
        if (!at || memcmp(at, word, nword) == 0)
            return (void *)at;
    }
    return NULL;
}

/* --- the machine --- */

bool port_random(void *bytes, size_t n)
{
#if defined PORT_LINUX || defined PORT_MACOS
    return getentropy(bytes, n) == 0;
#else
    int fd = open("/dev/urandom", O_RDONLY | O_CLOEXEC);
    unsigned char drawn[256];
    bool good = fd >= 0 && n <= sizeof drawn && read(fd, drawn, n) == (ssize_t)n;
    if (fd >= 0)
        close(fd);
    if (good)
        memcpy(bytes, drawn, n);
    return good;
#endif
}

unsigned port_processors(void)
{
    long n = -1;
#ifdef _SC_NPROCESSORS_ONLN
    n = sysconf(_SC_NPROCESSORS_ONLN);
#endif
    return n > 0 ? (unsigned)n : 1;
}

double port_memory(void)
{
#if defined _SC_PHYS_PAGES && !defined SPRUNG_PORT_FALLBACK
    static atomic_long known; /* pages of memory; 0 before the first call, which makes a system call */
    long pages = known;
    if (pages == 0)
        known = pages = sysconf(_SC_PHYS_PAGES);
    return pages > 0 ? (double)pages * (double)sysconf(_SC_PAGESIZE) : 0;
#else
    return 0;
#endif
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

void port_keep_memory(size_t size)
{
#if defined PORT_LINUX && defined __GLIBC__
    mallopt(M_TRIM_THRESHOLD, (int)size);
    mallopt(M_MMAP_THRESHOLD, (int)size);
#else
    (void)size;
#endif
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

void port_read_ahead(int fd)
{
#if defined POSIX_FADV_SEQUENTIAL && !defined SPRUNG_PORT_FALLBACK /* an option of POSIX */
    posix_fadvise(fd, 0, 0, POSIX_FADV_SEQUENTIAL);
#else
    (void)fd;
#endif
}

struct timespec port_modified(const struct stat *st)
{
#ifdef __APPLE__
    return st->st_mtimespec;
#else
    return st->st_mtim;
#endif
}

struct timespec port_changed(const struct stat *st)
{
#ifdef __APPLE__
    return st->st_ctimespec;
#else
    return st->st_ctim;
#endif
}

/* 0, or the error number of a system call that has just returned `result`. */
static int error_number(int result)
{
    return result == 0 ? 0 : errno;
}

/* --- files without names --- */

int port_open_directory(int at, const char *path, bool follow)
{
#if defined O_PATH && defined PORT_LINUX
    int flags = O_PATH;
#elif defined O_SEARCH
    int flags = O_SEARCH;
#else
    int flags = O_RDONLY;
#endif
    return openat(at, path, flags | O_DIRECTORY | O_CLOEXEC | (follow ? 0 : O_NOFOLLOW));
}

int port_open_unnamed(int directory, mode_t mode)
{
#ifdef PORT_LINUX
    if (access("/proc/self/fd", F_OK) == 0) /* port_link_unnamed needs /proc */
        return openat(directory, ".", O_TMPFILE | O_RDWR | O_CLOEXEC, mode);
#else
    (void)directory;
    (void)mode;
#endif
    errno = ENOTSUP;
    return -1;
}

int port_link_unnamed(int fd, int directory, const char *name)
{
    char self[32];
    snprintf(self, sizeof self, "/proc/self/fd/%d", fd);
    return error_number(linkat(AT_FDCWD, self, directory, name, AT_SYMLINK_FOLLOW));
}

int port_open_temporary(const char *path)
{
#ifdef PORT_LINUX
    int unnamed = open(path, O_TMPFILE | O_EXCL | O_RDWR | O_CLOEXEC, 0600);
    if (unnamed >= 0)
        return unnamed;
#endif
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

/* --- names --- */

/* Gives the file a second name by a hard link, and then removes the first name. Where the file system has no
 * hard links, an empty file is made under the new name, which fails if that name is taken, and is replaced.
 */
static int rename_by_link(int from_directory, const char *from, int to_directory, const char *to)
{
    if (linkat(from_directory, from, to_directory, to, 0) == 0) {
        unlinkat(from_directory, from, 0);
        return 0;
    }
    if (errno != EPERM && errno != ENOTSUP && errno != ENOSYS && errno != EMLINK)
        return errno;
    int fd = openat(to_directory, to, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    if (fd < 0)
        return errno;
    close(fd);
    int errnum = error_number(renameat(from_directory, from, to_directory, to));
    if (errnum)
        unlinkat(to_directory, to, 0);
    return errnum;
}

int port_rename_new(int from_directory, const char *from, int to_directory, const char *to)
{
#if defined PORT_LINUX && defined SYS_renameat2
    enum { NO_REPLACE = 1 }; /* RENAME_NOREPLACE, which not every C library names */
    if (syscall(SYS_renameat2, from_directory, from, to_directory, to, NO_REPLACE) == 0)
        return 0;
    if (errno != EINVAL && errno != ENOSYS)
        return errno;
#elif defined PORT_MACOS
    if (renameatx_np(from_directory, from, to_directory, to, RENAME_EXCL) == 0)
        return 0;
    if (errno != EINVAL && errno != ENOTSUP)
        return errno;
#endif
    return rename_by_link(from_directory, from, to_directory, to);
}

/* --- extended attributes --- */

#ifdef PORT_LINUX

enum { MAX_ATTRIBUTE = 65536 }; /* bytes: the kernel's limit of one value, and of all names together */

static const char access_list[] = "system.posix_acl_access";

static int copy_attribute(int from, int to, const char *name)
{
    char bytes[MAX_ATTRIBUTE];
    ssize_t n = fgetxattr(from, name, bytes, sizeof bytes);
    if (n >= 0 && fsetxattr(to, name, bytes, (size_t)n, 0) == 0)
        return 0;
    /* The kernel sets these attributes; an ordinary user may not set them. */
    bool of_kernel = strncmp(name, "security.", 9) == 0 || strncmp(name, "trusted.", 8) == 0;
    bool full = errno == ENOSPC || errno == ENOMEM;
    return of_kernel && !full ? 0 : errno;
}

int port_copy_attributes(int from, int to, char *failed, size_t maxfailed)
{
    char names[MAX_ATTRIBUTE]; /* each name ends with a NUL */
    bool has_list = false;
    int first = 0;
    ssize_t n = flistxattr(from, names, sizeof names);
    snprintf(failed, maxfailed, "list");
    if (n < 0 && errno != ENOTSUP && errno != ENOSYS)
        return errno;
    for (const char *name = names; name - names < n; name += strlen(name) + 1) {
        bool list = strcmp(name, access_list) == 0;
        int errnum = list ? 0 : copy_attribute(from, to, name);
        has_list = has_list || list;
        if (errnum && !first) {
            first = errnum;
            snprintf(failed, maxfailed, "%s", name);
        }
    }
    /* The list comes last: it sets the mode, and a read-only file takes no further attributes. */
    int errnum = has_list ? copy_attribute(from, to, access_list) : 0;
    if (errnum && !first) {
        first = errnum;
        snprintf(failed, maxfailed, "%s", access_list);
    }
    /* The new file may have an access control list from its directory that the old file does not have. */
    if (!has_list && fremovexattr(to, access_list) != 0 && errno != ENODATA && errno != ENOTSUP &&
        errno != ENOSYS && !first) {
        first = errno;
        snprintf(failed, maxfailed, "%s", access_list);
    }
    return first;
}

#elif defined PORT_MACOS

int port_copy_attributes(int from, int to, char *failed, size_t maxfailed)
{
    snprintf(failed, maxfailed, "list");
    return error_number(fcopyfile(from, to, NULL, COPYFILE_XATTR | COPYFILE_ACL));
}

#else

int port_copy_attributes(int from, int to, char *failed, size_t maxfailed)
{
    (void)from;
    (void)to;
    (void)failed;
    (void)maxfailed;
    return 0;
}

#endif
