/* What is the same on every system, and needs more than ISO C. See port.h. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "base/port.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

/* --- text and bytes --- */

void *port_memrchr(const void *bytes, int c, size_t n)
{
    const unsigned char *first = bytes;
    for (size_t i = n; i > 0; i--)
        if (first[i - 1] == (unsigned char)c)
            return (void *)(first + i - 1);
    return NULL;
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

/* --- files and directories --- */

bool port_exists(const char *path)
{
    struct port_status status;
    return port_status_of(path, &status) == 0;
}

bool port_is_directory(const char *path)
{
    struct port_status status;
    return port_status_of(path, &status) == 0 && status.kind == PORT_DIRECTORY;
}

int port_close(int fd)
{
    return close(fd);
}

int port_remove(const char *path)
{
    return unlink(path);
}

int port_list_directory(const char *path, bool (*take)(void *closure, const char *name), void *closure)
{
    DIR *directory = opendir(path);
    if (!directory)
        return -1;
    bool more = true;
    errno = 0;
    for (const struct dirent *entry; more && (entry = readdir(directory)); errno = 0)
        if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0)
            more = take(closure, entry->d_name);
    const int errnum = more ? errno : 0;
    closedir(directory);
    errno = errnum;
    return errnum ? -1 : 0;
}

#ifdef _WIN32
const char port_temporary_variable[] = "TMP";
static const char usual_directory[] = ".";
#else
const char port_temporary_variable[] = "TMPDIR";
static const char usual_directory[] = "/tmp";
#endif

const char *port_temporary_directory(void)
{
    const char *directory = getenv(port_temporary_variable);
    return directory && *directory ? directory : usual_directory;
}
