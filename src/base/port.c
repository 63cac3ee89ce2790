/* What is the same on every system. See port.h. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "base/port.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

bool port_is_directory(const char *path)
{
    struct port_status status;
    return port_status_of(path, &status) == 0 && status.kind == PORT_DIRECTORY;
}

void *port_memrchr(const void *bytes, int c, size_t n)
{
#if defined __linux__ && !defined SPRUNG_PORT_FALLBACK
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
