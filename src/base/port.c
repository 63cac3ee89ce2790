/* What POSIX.1-2008 does not have. See port.h. */
#include "base/port.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#if defined __linux__
#include <sys/syscall.h>
#include <sys/xattr.h>
#elif defined __APPLE__
#include <copyfile.h>
#endif

static int result_of(int result)
{
    return result == 0 ? 0 : errno;
}

/* --- files without names --- */

int port_open_directory(int at, const char *path, bool follow)
{
#if defined O_PATH
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
#if defined __linux__ && defined O_TMPFILE
    if (access("/proc/self/fd", F_OK) == 0) /* port_link_unnamed needs it */
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
    return result_of(linkat(AT_FDCWD, self, directory, name, AT_SYMLINK_FOLLOW));
}

/* --- names --- */

/* A second name, then one name less; the name is made with O_EXCL where the file system has no hard links. */
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
    int errnum = result_of(renameat(from_directory, from, to_directory, to));
    if (errnum)
        unlinkat(to_directory, to, 0);
    return errnum;
}

int port_rename_new(int from_directory, const char *from, int to_directory, const char *to)
{
#if defined __linux__ && defined SYS_renameat2
    enum { NO_REPLACE = 1 }; /* RENAME_NOREPLACE, which not every C library names */
    if (syscall(SYS_renameat2, from_directory, from, to_directory, to, NO_REPLACE) == 0)
        return 0;
    if (errno != EINVAL && errno != ENOSYS)
        return errno;
#elif defined __APPLE__
    if (renameatx_np(from_directory, from, to_directory, to, RENAME_EXCL) == 0)
        return 0;
    if (errno != EINVAL && errno != ENOTSUP)
        return errno;
#endif
    return rename_by_link(from_directory, from, to_directory, to);
}

/* --- extended attributes --- */

#if defined __linux__

enum { MAX_ATTRIBUTE = 65536 }; /* bytes: the kernel's limit for a value, and for all names together */

static const char access_list[] = "system.posix_acl_access";

static int copy_attribute(int from, int to, const char *name)
{
    char bytes[MAX_ATTRIBUTE];
    ssize_t n = fgetxattr(from, name, bytes, sizeof bytes);
    if (n >= 0 && fsetxattr(to, name, bytes, (size_t)n, 0) == 0)
        return 0;
    /* The kernel sets these itself; an ordinary user may not. */
    bool of_kernel = strncmp(name, "security.", 9) == 0 || strncmp(name, "trusted.", 8) == 0;
    return of_kernel && errno != ENOSPC && errno != ENOMEM ? 0 : errno;
}

int port_copy_attributes(int from, int to, char *failed, size_t maxfailed)
{
    char names[MAX_ATTRIBUTE]; /* each with its NUL */
    bool has_list = false;
    int first = 0;
    ssize_t n = flistxattr(from, names, sizeof names);
    snprintf(failed, maxfailed, "list");
    if (n < 0 && errno != ENOTSUP && errno != ENOSYS)
        return errno;
    for (const char *name = names; name - names < n; name += strlen(name) + 1) {
        int errnum = copy_attribute(from, to, name);
        has_list = has_list || strcmp(name, access_list) == 0;
        if (errnum && !first) {
            first = errnum;
            snprintf(failed, maxfailed, "%s", name);
        }
    }
    /* The directory may have given the new file an access control list that the old one does not have. */
    if (!has_list && fremovexattr(to, access_list) != 0 && errno != ENODATA && errno != ENOTSUP &&
        errno != ENOSYS && !first) {
        first = errno;
        snprintf(failed, maxfailed, "%s", access_list);
    }
    return first;
}

#elif defined __APPLE__

int port_copy_attributes(int from, int to, char *failed, size_t maxfailed)
{
    snprintf(failed, maxfailed, "list");
    return result_of(fcopyfile(from, to, NULL, COPYFILE_XATTR | COPYFILE_ACL));
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
