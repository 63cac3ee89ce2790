/* See hash.h. Inline is for hash_bytes. */
#include "base/hash.h"

#include <endian.h>
#include <string.h>

uint64_t hash_key[2];

static inline uint64_t rotated(uint64_t x, int n)
{
    return x << n | x >> (64 - n);
}

static inline void sip_round(uint64_t *v)
{
    v[0] += v[1];
    v[2] += v[3];
    v[1] = rotated(v[1], 13) ^ v[0];
    v[3] = rotated(v[3], 16) ^ v[2];
    v[0] = rotated(v[0], 32) + v[3];
    v[2] += v[1];
    v[3] = rotated(v[3], 21) ^ v[0];
    v[1] = rotated(v[1], 17) ^ v[2];
    v[2] = rotated(v[2], 32);
}

static inline void add_word(uint64_t *v, uint64_t word)
{
    v[3] ^= word;
    sip_round(v);
    v[0] ^= word;
}

inline struct hash hash_start(void)
{
    return (struct hash){ .v = { hash_key[0] ^ 0x736f6d6570736575, hash_key[1] ^ 0x646f72616e646f6d,
                                 hash_key[0] ^ 0x6c7967656e657261, hash_key[1] ^ 0x7465646279746573 } };
}

inline void hash_add(struct hash *h, const char *bytes, size_t n)
{
    while (n > 0) {
        size_t at = h->n % 8, take = n < 8 - at ? n : 8 - at;
        memcpy((char *)&h->word + at, bytes, take);
        bytes += take;
        n -= take;
        h->n += take;
        if (h->n % 8 == 0) {
            add_word(h->v, le64toh(h->word));
            h->word = 0;
        }
    }
}

inline uint64_t hash_end(struct hash h)
{
    add_word(h.v, le64toh(h.word) | h.n << 56);
    h.v[2] ^= 0xff;
    for (int i = 0; i < 3; i++)
        sip_round(h.v);
    return h.v[0] ^ h.v[1] ^ h.v[2] ^ h.v[3];
}

uint64_t hash_bytes(const char *bytes, size_t n)
{
    struct hash h = hash_start();
    hash_add(&h, bytes, n);
    return hash_end(h);
}
