/* Characters in UTF-8. */
#ifndef SPRUNG_BASE_UTF8_H
#define SPRUNG_BASE_UTF8_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Length of the character at p, whose first n > 0 bytes may be read, and its code point; 0 and the first byte
 * where p is not valid UTF-8. Stops at the first wrong byte, so that n = 4 is safe in a string that ends in
 * NUL. */
size_t utf8_decode(const char *p, size_t n, uint32_t *code);

/* True if c is a byte of a character after its first. */
static inline bool utf8_continues(char c)
{
    return ((unsigned char)c & 0xC0) == 0x80;
}

/* Number of characters in n bytes. */
size_t utf8_count(const char *bytes, size_t n);

/* The last place up to n at which a character begins; bytes[n] may be read. */
size_t utf8_floor(const char *bytes, size_t n);

#endif
