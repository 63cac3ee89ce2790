/* Characters in UTF-8. */
#ifndef SPRUNG_BASE_UTF8_H
#define SPRUNG_BASE_UTF8_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Returns the length in bytes of the character at bytes[0] and sets *code to the code point. If bytes is
 * not valid UTF-8, returns 0 and sets *code to the first byte. Reads at most n bytes, n > 0, and no byte
 * after the first wrong byte, so that n = 4 is safe in a string that ends with NUL. */
size_t utf8_decode(const char *bytes, size_t n, uint32_t *code);

/* False for characters that a terminal obeys instead of showing them: controls, line separators, and changes
 * of the direction of text. */
bool utf8_is_shown(uint32_t code);

/* True if c is the second or a later byte of a character. */
static inline bool utf8_continues(char c)
{
    return ((unsigned char)c & 0xC0) == 0x80;
}

/* Number of characters in bytes[n]. */
size_t utf8_count(const char *bytes, size_t n);

/* The greatest index <= n at which a character begins; bytes[n] may be read. */
size_t utf8_floor(const char *bytes, size_t n);

/* Cuts a string in the middle to at most `most` characters, with an ellipsis in place of what is left out:
 * the end of a name says more than the middle. The string needs room for one byte more. Returns its number of
 * characters. */
size_t utf8_cut(char *string, size_t most);

#endif
