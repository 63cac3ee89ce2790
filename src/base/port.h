/* What POSIX.1-2008 does not have, behind small functions. Each has a fallback, so that the rest of the source
 * is the same for glibc, musl and macOS. A function returns 0 or an errno value unless its comment says
 * otherwise. */
#ifndef SPRUNG_BASE_PORT_H
#define SPRUNG_BASE_PORT_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

/* Opens a directory to reach files in it, which takes no permission to read it. path is relative to the open
 * directory at, which may be AT_FDCWD. follow: path may be a symbolic link to a directory. Returns the
 * descriptor, or -1 with errno. */
int port_open_directory(int at, const char *path, bool follow);

/* Opens a new file without a name in an open directory, for reading and writing. Returns the descriptor, or -1
 * where the system or the file system has no such files, or could not name them later. */
int port_open_unnamed(int directory, mode_t mode);

/* Gives a file of port_open_unnamed its name. EEXIST: the name is taken, and stays as it is. */
int port_link_unnamed(int fd, int directory, const char *name);

/* Renames a file, perhaps into another directory. EEXIST: the new name is taken, and stays as it is. */
int port_rename_new(int from_directory, const char *from, int to_directory, const char *to);

/* Copies extended attributes, and the access control list where that is separate from them, to another open
 * file. The destination loses an access control list that the source does not have. After a failure the other
 * attributes are copied all the same; failed receives the name of the first one that could not be. */
int port_copy_attributes(int from, int to, char *failed, size_t maxfailed);

#endif
