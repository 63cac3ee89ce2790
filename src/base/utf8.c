/* Characters in UTF-8. */
#include "base/utf8.h"

#include <string.h>

size_t utf8_decode(const char *bytes, size_t n, uint32_t *code)
{
    /* The least code point of each length; smaller code points must have a shorter sequence. */
    static const uint32_t least[] = { 0, 0, 0x80, 0x800, 0x10000 };
    unsigned char first = (unsigned char)bytes[0];
    *code = first;
    /* The number of leading 1 bits: 0 for ASCII, 1 for a second or later byte of a character, else the length
     * of the character. */
    size_t length = (size_t)__builtin_clz(~((uint32_t)first << 24));
    if (length < 2 || length > 4)
        return length == 0;
    uint32_t c = first & (0x7FU >> length);
    for (size_t i = 1; i < length; i++) {
        if (i == n || !utf8_continues(bytes[i]))
            return 0;
        c = c << 6 | ((unsigned char)bytes[i] & 0x3FU);
    }
    bool surrogate = c >= 0xD800 && c <= 0xDFFF;
    if (c < least[length] || c > 0x10FFFF || surrogate)
        return 0;
    *code = c;
    return length;
}

bool utf8_is_shown(uint32_t code)
{
    bool control = code < 0x20 || (code >= 0x7F && code < 0xA0); /* terminals obey U+0080 to U+009F, too */
    bool separator = code == 0x2028 || code == 0x2029;
    bool direction = code == 0x061C || code == 0x200E || code == 0x200F ||
                     (code >= 0x202A && code <= 0x202E) || (code >= 0x2066 && code <= 0x2069);
    return !control && !separator && !direction;
}

size_t utf8_count(const char *bytes, size_t n)
{
    size_t count = 0;
    for (size_t i = 0; i < n; i++)
        count += !utf8_continues(bytes[i]);
    return count;
}

size_t utf8_floor(const char *bytes, size_t n)
{
    while (n > 0 && utf8_continues(bytes[n]))
        n--;
    return n;
}

/* The index at which character k begins, counted from 0. */
static size_t index_of(const char *string, size_t k)
{
    size_t i = 0;
    for (; string[i]; i++)
        if (!utf8_continues(string[i]) && k-- == 0)
            break;
    return i;
}

size_t utf8_cut(char *string, size_t most)
{
    static const char ellipsis[] = "\xE2\x80\xA6";
    const size_t n = strlen(string), count = utf8_count(string, n), first = most / 3, last = most - 1 - first;
    if (count <= most)
        return count;
    const size_t begin = index_of(string, first), end = index_of(string, count - last);
    memmove(string + begin + strlen(ellipsis), string + end, n - end + 1);
    memcpy(string + begin, ellipsis, strlen(ellipsis));
    return most;
}
