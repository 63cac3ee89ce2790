/* Copies owner, extended attributes (ACLs are some of them) and mode from the file that is replaced to the
 * new one. In this order: a change of owner clears bits of the mode, and an ACL may change the mode. */
#include "io/output.h"

#include <errno.h>
#include <limits.h>
#include <string.h>
#include <sys/xattr.h>
#include <unistd.h>

static const char acl[] = "system.posix_acl_access";

/* Attributes that the kernel sets itself, and that an ordinary user may not set. */
static bool of_kernel(const char *name)
{
    return strncmp(name, "security.", 9) == 0 || strncmp(name, "trusted.", 8) == 0;
}

static bool unsupported(int errnum)
{
    return errnum == ENOTSUP || errnum == ENOSYS;
}

static bool copy_attribute(int fd, int old, const char *name)
{
    char bytes[XATTR_SIZE_MAX];
    ssize_t n = fgetxattr(old, name, bytes, sizeof bytes);
    return (n >= 0 && fsetxattr(fd, name, bytes, (size_t)n, 0) == 0) ||
           (of_kernel(name) && errno != ENOSPC && errno != ENOMEM);
}

static bool copy_attributes(int fd, int old, bool strict, struct error *e)
{
    char names[XATTR_LIST_MAX]; /* each with its NUL */
    ssize_t n = flistxattr(old, names, sizeof names);
    if (n < 0 && !unsupported(errno) && strict)
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

bool copy_metadata(int fd, int old, const struct stat *before, bool strict, struct error *e)
{
    mode_t mode = before->st_mode & 07777;
    if (!copy_owner(fd, before, strict, &mode, e) || (old >= 0 && !copy_attributes(fd, old, strict, e)))
        return false;
    return fchmod(fd, mode) == 0 || error_system(e, errno, "cannot keep its mode");
}
