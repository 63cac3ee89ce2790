/* A hash of bytes: SipHash-1-3 (Jean-Philippe Aumasson, Daniel J. Bernstein, "SipHash: a fast short-input
 * PRF", 2012), with a random key that is drawn when the program starts. The key is secret, so an input cannot
 * be written whose names collide in a table. No output may depend on a hash. */
#ifndef SPRUNG_BASE_HASH_H
#define SPRUNG_BASE_HASH_H

#include <stddef.h>
#include <stdint.h>

extern uint64_t hash_key[2]; /* set by main() before there are threads or hashes */

/* The hash of bytes[n]. */
uint64_t hash_bytes(const char *bytes, size_t n);

#endif
