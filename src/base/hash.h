/* A hash of bytes for tables: FNV-1a (Glenn Fowler, Landon Curt Noll, Kiem-Phong Vo). No output may depend on
 * a hash. */
#ifndef SPRUNG_BASE_HASH_H
#define SPRUNG_BASE_HASH_H

#include <stddef.h>
#include <stdint.h>

/* The hash of bytes[n]. */
static inline uint64_t hash_bytes(const void *bytes, size_t n)
{
    const unsigned char *byte = bytes;
    uint64_t hash = 0xcbf29ce484222325;
    for (size_t i = 0; i < n; i++)
        hash = (hash ^ byte[i]) * 0x100000001b3;
    return hash ^ hash >> 32;
}

#endif
