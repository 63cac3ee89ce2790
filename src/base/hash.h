/* A hash of bytes: FNV-1a, 64 bits (Fowler, Noll, Vo). */
#ifndef SPRUNG_BASE_HASH_H
#define SPRUNG_BASE_HASH_H

#include <stddef.h>
#include <stdint.h>

#define HASH_START 0xcbf29ce484222325u

/* The hash of n bytes more. The first bytes are added to HASH_START. */
static inline uint64_t hash_add(uint64_t hash, const char *bytes, size_t n)
{
    for (size_t i = 0; i < n; i++)
        hash = (hash ^ (unsigned char)bytes[i]) * 0x100000001b3u;
    return hash;
}

#endif
