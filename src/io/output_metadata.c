/* Gives the new file the metadata of the file that it replaces: owner, extended attributes, mode, in this
 * order, since a change of owner clears bits of the mode, and an access control list may change the mode. */
#include "base/port.h"
#include "io/output.h"

#include <errno.h>

/* Gives fd the old file's owner and group. If the owner cannot be kept, set-id bits are dropped from *mode;
 * if the group cannot be kept either, the new group gets no more rights than everybody has. */
static bool copy_owner(int fd, const struct port_status *old, bool strict, unsigned *mode, struct error *e)
{
    struct port_status own;
    if (port_status(fd, &own) != 0)
        return error_system(e, errno, "cannot stat the new file");
    if ((own.owner == old->owner && own.group == old->group) || port_set_owner(fd, old, false) == 0)
        return true;
    if (strict) {
        error_system(e, errno, "cannot keep its owner and group");
        return error_hint(e, "write to a file of your own with --output");
    }
    *mode &= 0777;
    if (port_set_owner(fd, old, true) != 0)
        *mode &= 0707 | (*mode & 07) << 3;
    return true;
}

static bool copy_attributes(int fd, int directory, const char *name, bool strict, struct error *e)
{
    char failed[256];
    int old = port_open_old(directory, name);
    if (old < 0)
        return !strict || error_system(e, errno, "cannot read its extended attributes");
    int errnum = port_copy_attributes(old, fd, failed, sizeof failed);
    port_close(old);
    if (errnum == 0 || !strict)
        return true;
    error_system(e, errnum, "cannot keep its extended attribute %s", failed);
    return error_hint(e, "write to another file with --output");
}

bool output_copy_metadata(int fd, int directory, const char *name, bool strict, struct error *e)
{
    struct port_status old;
    if (port_status_at(directory, name, false, &old) != 0)
        return error_system(e, errno, "the file has disappeared");
    unsigned mode = old.mode;
    if (!copy_owner(fd, &old, strict, &mode, e) || !copy_attributes(fd, directory, name, strict, e))
        return false;
    return port_set_mode(fd, mode) == 0 || error_system(e, errno, "cannot keep its mode");
}
