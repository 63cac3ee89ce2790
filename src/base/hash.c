/* See hash.h. */
#include "base/hash.h"

#include "number/little_endian.h"

#include <string.h>

uint64_t hash_key[2];

static inline uint64_t rotate_left(uint64_t x, int n)
{
    return x << n | x >> (64 - n);
}

static inline void sip_round(uint64_t *v)
{
    v[0] += v[1];
    v[2] += v[3];
    v[1] = rotate_left(v[1], 13) ^ v[0];
    v[3] = rotate_left(v[3], 16) ^ v[2];
    v[0] = rotate_left(v[0], 32) + v[3];
    v[2] += v[1];
    v[3] = rotate_left(v[3], 21) ^ v[0];
    v[1] = rotate_left(v[1], 17) ^ v[2];
    v[2] = rotate_left(v[2], 32);
}

static inline void add_word(uint64_t *v, uint64_t word)
{
    v[3] ^= word;
    sip_round(v);
    v[0] ^= word;
}

uint64_t hash_bytes(const char *bytes, size_t n)
{
    uint64_t v[] = { hash_key[0] ^ 0x736f6d6570736575, hash_key[1] ^ 0x646f72616e646f6d,
                     hash_key[0] ^ 0x6c7967656e657261, hash_key[1] ^ 0x7465646279746573 };
    for (size_t left = n / 8; left > 0; left--, bytes += 8)
        add_word(v, little_endian_load(bytes));
    uint64_t word = 0;
    if (n % 8 > 0)
        memcpy(&word, bytes, n % 8);
    add_word(v, little_endian(word) | (uint64_t)n << 56);
    v[2] ^= 0xff;
    for (int i = 0; i < 3; i++)
        sip_round(v);
    return v[0] ^ v[1] ^ v[2] ^ v[3];
}
