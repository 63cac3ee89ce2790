/* Everything the program takes from the system beyond POSIX.1-2008 (with its XSI option) and ISO C. port.c is
 * the only file of src that may use names of Linux, of a C library, or of macOS. Each function of port.c has
 * a fallback that needs POSIX alone. -DSPRUNG_PORT_FALLBACK forces the fallbacks, for tests. */
#ifndef SPRUNG_BASE_PORT_H
#define SPRUNG_BASE_PORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/stat.h>
#include <sys/types.h>

/* --- text and bytes --- */

/* The last byte c in bytes[n], or NULL. */
void *port_memrchr(const void *bytes, int c, size_t n);

/* The first place of the text word within text, whatever the case of ASCII letters, or NULL. */
char *port_strcasestr(const char *text, const char *word);

/* The first place of word[nword] within bytes[n], or NULL. An empty word is found at the start. */
void *port_memmem(const void *bytes, size_t n, const void *word, size_t nword);

/* --- the machine --- */

/* Fills bytes[n], n <= 256, at random. False where the system has no random numbers; bytes are as before. */
bool port_random(void *bytes, size_t n);

/* Processors that are online, at least 1. */
unsigned port_processors(void);

/* Bytes of main memory; 0: unknown. */
double port_memory(void);

/* Makes the calling thread's stack as large as the program needs, before a limit of memory could stop it from
 * growing. False: the limit of memory leaves no room. To be called first in main. */
bool port_reserve_stack(void);

/* Asks malloc to keep blocks of up to size bytes for reuse instead of giving them back to the system. */
void port_keep_memory(size_t size);

/* Columns of the terminal at fd; 0: fd is not a terminal, or the width is unknown. */
unsigned port_terminal_columns(int fd);

/* --- files. A function returns 0 or an errno value unless its comment says otherwise. --- */

/* Tells the system that the file at fd is read from here to its end. */
void port_read_ahead(int fd);

/* When the content of a file last changed. */
struct timespec port_modified(const struct stat *st);

/* When the content or the metadata of a file last changed. */
struct timespec port_changed(const struct stat *st);

/* Opens a new temporary file in the directory at path, for reading and writing, mode 0600, close-on-exec. The
 * file has no name and cannot get a name. Returns the descriptor, or -1 with errno. */
int port_open_temporary(const char *path);

/* Opens a directory for reaching the files inside; permission to read the directory is not needed where the
 * system has O_PATH or O_SEARCH. path is relative to the open directory `at`, which may be AT_FDCWD. follow:
 * path may be a symbolic link to a directory. Returns the descriptor, or -1 with errno. */
int port_open_directory(int at, const char *path, bool follow);

/* Opens a new file without a name in an open directory, for reading and writing; port_link_unnamed names the
 * file. Returns the descriptor, or -1 where the system or the file system cannot make or name such files. */
int port_open_unnamed(int directory, mode_t mode);

/* Gives a file of port_open_unnamed a name. EEXIST: a file of that name exists, and is not changed. */
int port_link_unnamed(int fd, int directory, const char *name);

/* Renames a file, perhaps into another directory. EEXIST: a file of the new name exists, and is not changed.
 */
int port_rename_new(int from_directory, const char *from, int to_directory, const char *to);

/* Copies the extended attributes of an open file to another open file, and the access control list where the
 * system keeps the list elsewhere. The destination loses an access control list that the source does not
 * have. If an attribute cannot be copied, the other attributes are copied nevertheless; failed receives the
 * name of the first attribute that was not copied. */
int port_copy_attributes(int from, int to, char *failed, size_t maxfailed);

#endif
