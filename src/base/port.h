/* The system: files, processes, signals and terminals. port_posix.c and port_windows.c have a body of each
 * function, for their systems. Other files of src call only ISO C and what mingw-w64 shares with POSIX:
 * threads, clocks, getopt_long, strcasecmp, strdup and their kin. port_posix.c may use names of Linux, of a
 * C library, or of macOS, and has a fallback that only needs POSIX.1-2008; -DSPRUNG_PORT_FALLBACK forces the
 * fallbacks, for tests. port.c has what is the same everywhere.
 *
 * Paths are UTF-8 on Windows, and bytes elsewhere. A function returns 0, or -1 with errno, unless its comment
 * says otherwise. */
#ifndef SPRUNG_BASE_PORT_H
#define SPRUNG_BASE_PORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <time.h>

/* --- text and bytes --- */

/* The last byte c in bytes[n], or NULL. */
void *port_memrchr(const void *bytes, int c, size_t n);

/* The first place of the text word within text, whatever the case of ASCII letters, or NULL. */
char *port_strcasestr(const char *text, const char *word);

/* --- the process --- */

/* Prepares the standard descriptors: no data file gets the number of one that is closed, and no byte is
 * changed on its way. False: it cannot be done. To be called before any file is opened. */
bool port_open_standard(void);

/* Makes the calling thread's stack as large as the program needs, before a limit of memory could stop it from
 * growing. False: the limit of memory leaves no room. To be called first in main. */
bool port_reserve_stack(void);

/* From now on, where a signal (Ctrl-C, another process, a pipe closed by its reader) ends the program,
 * clean_up is called first. It may call async-signal-safe functions and those of this file that say so. */
void port_watch_signals(void (*clean_up)(void));

/* No signal is handled in this thread between the two calls. The calls cannot be nested. A thread that is
 * created between them never handles a signal. */
void port_hold_signals(void);
void port_release_signals(void);

/* Runs a program that is found by its name; argv ends with NULL. fd: its descriptors 0 to 2; -1: nothing is
 * read, and what is written goes nowhere. *status is the exit status, or -N if signal N has killed it.
 * Returns 0 or an errno value; ENOENT: no such program. */
int port_run(char *const argv[], const int fd[3], int *status);

/* --- the machine --- */

/* Processors that are online, at least 1. */
unsigned port_processors(void);

/* --- terminals --- */

enum { PORT_STDIN, PORT_STDOUT, PORT_STDERR }; /* the standard descriptors */

bool port_is_terminal(int fd);

/* Writes the path of the file that fd is open on into path, with a NUL. False: it is no file, or the system
 * does not say which. */
bool port_file_of(int fd, char *path, size_t max);

/* Columns of the terminal at fd; 0: fd is not a terminal, or the width is unknown. */
unsigned port_terminal_columns(int fd);

/* --- files --- */

enum port_kind {
    PORT_NOTHING, /* the struct port_status has not been filled */
    PORT_REGULAR,
    PORT_DIRECTORY,
    PORT_LINK, /* a symbolic link */
    PORT_OTHER /* a pipe, a terminal or a device */
};

struct port_status {
    enum port_kind kind;
    unsigned mode;            /* permissions, and the bits of set-id and sticky */
    uint64_t device, inode;   /* together they identify a file */
    uint64_t nlink;           /* number of hard links */
    uint64_t owner, group;    /* 0 where the system has other owners */
    uint64_t size;            /* bytes; undefined unless the file is regular */
    struct timespec modified; /* when the content last changed */
};

int port_status(int fd, struct port_status *status);

/* Of the file at a path, links followed; of a symbolic link itself. */
int port_status_of(const char *path, struct port_status *status);
int port_status_of_link(const char *path, struct port_status *status);

bool port_exists(const char *path);

/* Is the path that of a directory, links followed? */
bool port_is_directory(const char *path);

/* Do both describe the same file? */
static inline bool port_same_file(const struct port_status *a, const struct port_status *b)
{
    return a->device == b->device && a->inode == b->inode;
}

/* May this process write to the file? */
int port_may_write(const char *path);

/* Opens a file to read; to write; a new file to read and write. All are closed in programs that are run.
 * Returns the descriptor, or -1 with errno. */
int port_open_read(const char *path);
int port_open_write(const char *path);
int port_create(const char *path, unsigned mode);

/* Async-signal-safe. The descriptor is closed also if the result is -1: the last bytes were not written. */
int port_close(int fd);

/* Read and write up to n bytes, at the descriptor's position or at `at`. Return the number of bytes, or -1
 * with errno; EINTR and, on a descriptor that does not block, EAGAIN are no failures. port_write is
 * async-signal-safe. */
int64_t port_read(int fd, void *bytes, size_t n);
int64_t port_read_at(int fd, void *bytes, size_t n, uint64_t at);
int64_t port_write(int fd, const void *bytes, size_t n);
int64_t port_write_at(int fd, const void *bytes, size_t n, uint64_t at);

/* Sets the position; whence as in fseek. Returns the new position, or -1 with errno. */
int64_t port_seek(int fd, int64_t offset, int whence);

/* Would port_read return without waiting? */
bool port_can_read(int fd);

/* Waits until port_write, or port_read, can continue. */
void port_wait(int fd, bool to_write);

/* Brings the bytes of a file to the disk, where the file system can. */
int port_sync(int fd);

/* Opens a new temporary file in the directory at path, for reading and writing, mode 0600, close-on-exec. The
 * file has no name and cannot get a name. Returns the descriptor, or -1 with errno. */
int port_open_temporary(const char *path);

/* The directory of temporary files, and the environment's variable that chooses it. */
const char *port_temporary_directory(void);
extern const char port_temporary_variable[];

/* --- directories and names --- */

int port_make_directory(const char *path);

/* Async-signal-safe. */
int port_remove(const char *path);

/* Calls take(closure, name) for each name in a directory but "." and "..", in no order, until take returns
 * false. */
int port_list_directory(const char *path, bool (*take)(void *closure, const char *name), void *closure);

/* Changes the path in place so that '/' alone is between its parts, and returns the path. */
char *port_slashes(char *path);

/* Bytes of the path's root, that of '/' or, on Windows, C:/ or //server/share/; 0: the path has none. */
size_t port_root(const char *path);

/* The path without symbolic links, from the root, malloc'ed. NULL, with errno. */
char *port_real_path(const char *path);

/* Gives the file a second name. */
int port_link(const char *path, const char *second);

/* Gives a file the name `to`, also of another file, which is then gone. The name exists at every moment. */
int port_replace(const char *from, const char *to);

/* Renames a file. EEXIST: a file of the new name exists, and is not changed. */
int port_rename_new(const char *from, const char *to);

/* --- metadata --- */

/* Gives an open file the owner and group of another file; permissions, and the bits of set-id and sticky. */
int port_set_owner(int fd, const struct port_status *other);
int port_set_mode(int fd, unsigned mode);

#endif
