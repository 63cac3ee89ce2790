/* What a file keeps when its bytes are replaced: owner, extended attributes (ACLs are some of them), mode; in
 * this order, for a change of owner clears bits of the mode, and an ACL holds others. */
#include "io/output.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/xattr.h>
#include <unistd.h>

static const char acl[] = "system.posix_acl_access";

/* Names in the kernel's keeping: it sets them itself, and an ordinary user may not. */
static bool of_kernel(const char *name)
{
    return strncmp(name, "security.", 9) == 0 || strncmp(name, "trusted.", 8) == 0;
}

/* All names, each ending in NUL; *n bytes. NULL: none, or errno. */
static char *list(int fd, size_t *n)
{
    for (;;) {
        ssize_t size = flistxattr(fd, NULL, 0);
        *n = 0;
        if (size <= 0)
            return NULL;
        char *names = malloc((size_t)size);
        if (!names)
            return NULL;
        ssize_t got = flistxattr(fd, names, (size_t)size);
        if (got >= 0) {
            *n = (size_t)got;
            return names;
        }
        int errnum = errno;
        free(names);
        errno = errnum;
        if (errnum != ERANGE)
            return NULL;
    }
}

/* The value of one attribute, malloc'ed, or NULL and errno. */
static char *value(int fd, const char *name, size_t *n)
{
    for (;;) {
        ssize_t size = fgetxattr(fd, name, NULL, 0);
        char *bytes = size >= 0 ? malloc((size_t)size + 1) : NULL;
        if (!bytes)
            return NULL;
        ssize_t got = fgetxattr(fd, name, bytes, (size_t)size);
        if (got >= 0) {
            *n = (size_t)got;
            return bytes;
        }
        int errnum = errno;
        free(bytes);
        errno = errnum;
        if (errnum != ERANGE)
            return NULL;
    }
}

static bool copy(int fd, int old, const char *name)
{
    size_t n;
    char *bytes = value(old, name, &n);
    bool good = bytes && fsetxattr(fd, name, bytes, n, 0) == 0;
    int errnum = errno;
    free(bytes);
    errno = errnum;
    return good || (of_kernel(name) && errno != ENOSPC && errno != ENOMEM);
}

static bool copy_all(int fd, int old, bool strict, struct error *e)
{
    size_t n;
    errno = 0;
    char *names = list(old, &n);
    if (!names && errno && errno != ENOTSUP && errno != ENOSYS && strict)
        return error_system(e, errno, "cannot read its extended attributes");
    bool has_acl = false;
    for (const char *name = names; name && name < names + n; name += strlen(name) + 1) {
        has_acl = has_acl || strcmp(name, acl) == 0;
        if (!copy(fd, old, name) && strict) {
            error_system(e, errno, "cannot keep its extended attribute %s", name);
            free(names);
            return error_hint(e, "--output writes to another file");
        }
    }
    free(names);
    /* The directory may have given the new file an ACL that the old one does not have. */
    if (!has_acl && fremovexattr(fd, acl) != 0 && errno != ENODATA && errno != ENOTSUP && errno != ENOSYS &&
        strict)
        return error_system(e, errno, "cannot keep its access control list");
    return true;
}

static bool keep_owner(int fd, const struct stat *now, const struct stat *before, bool strict, mode_t *mode,
                       struct error *e)
{
    if (now->st_uid == before->st_uid && now->st_gid == before->st_gid)
        return true;
    if (fchown(fd, before->st_uid, before->st_gid) == 0)
        return true;
    if (strict) {
        error_system(e, errno, "cannot keep its owner and group");
        return error_hint(e, "--output writes to another file, which is yours");
    }
    *mode &= 0777;
    if (fchown(fd, (uid_t)-1, before->st_gid) != 0)
        *mode &= (mode_t) ~(mode_t)((*mode & 070) &
                                    ~((*mode & 07) << 3)); /* a strange group gets what all get */
    return true;
}

bool copy_metadata(int fd, int old, const struct stat *before, bool strict, struct error *e)
{
    struct stat now;
    mode_t mode = before->st_mode & 07777;
    if (fstat(fd, &now) != 0)
        return error_system(e, errno, "cannot look at the new file");
    if (!keep_owner(fd, &now, before, strict, &mode, e))
        return false;
    if (old >= 0 && !copy_all(fd, old, strict, e))
        return false;
    if (fchmod(fd, mode) != 0)
        return error_system(e, errno, "cannot keep its mode");
    return true;
}
