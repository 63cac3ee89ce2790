/* Where records end, at the speed of memory: quotes, backslashes and brackets are found 64 bytes at a time as
 * bits, and strings are masked out by a running exclusive or of the quotes' bits (as in Langdale and Lemire,
 * "Parsing gigabytes of JSON per second", 2019). Nothing is checked here: the parser goes over each record
 * strictly, and as long as it finds no fault, it sees the same strings and brackets. Invariant: what is found
 * does not depend on how the text came in. */
#include "json.h"

#ifdef __SSE2__
#include <emmintrin.h>
#endif

static const uint64_t ones = 0x0101010101010101;

/* Bit i: byte i of x is c. */
static inline uint64_t equal8(uint64_t x, unsigned char c)
{
    const uint64_t low = 0x7f * ones;
    x ^= c * ones;
    x = ~(((x & low) + low) | x | low) >> 7;
    return x * 0x0102040810204080 >> 56;
}

void json_masks_plain(const char *text, struct json_masks *m)
{
    memset(m, 0, sizeof *m);
    for (int i = 0; i < 64; i += 8) {
        uint64_t x = 0;
        for (int k = 7; k >= 0; k--)
            x = x << 8 | (unsigned char)text[i + k];
        uint64_t folded = x | 0x20 * ones;
        m->quote |= equal8(x, '"') << i;
        m->backslash |= equal8(x, '\\') << i;
        m->open |= equal8(folded, '{') << i;
        m->close |= equal8(folded, '}') << i;
        m->comma |= equal8(x, ',') << i;
    }
}

#ifdef __SSE2__
static inline uint64_t equal16(__m128i x, char c)
{
    return (uint64_t)(unsigned)_mm_movemask_epi8(_mm_cmpeq_epi8(x, _mm_set1_epi8(c)));
}
#endif

static inline void find_masks(const char *text, struct json_masks *m)
{
#ifdef __SSE2__
    *m = (struct json_masks){ 0 };
    for (int i = 0; i < 64; i += 16) {
        __m128i x = _mm_loadu_si128((const __m128i *)(const void *)(text + i));
        __m128i folded = _mm_or_si128(x, _mm_set1_epi8(0x20));
        m->quote |= equal16(x, '"') << i;
        m->backslash |= equal16(x, '\\') << i;
        m->open |= equal16(folded, '{') << i;
        m->close |= equal16(folded, '}') << i;
        m->comma |= equal16(x, ',') << i;
    }
#else
    json_masks_plain(text, m);
#endif
}

void json_masks(const char *text, struct json_masks *m)
{
    find_masks(text, m);
}

/* One byte outside of strings: a bracket, or a comma where it counts. */
static inline void take(struct json_cut *c, size_t at, bool open, bool close)
{
    c->depth += open;
    c->depth -= close;
    if (c->depth < 0) {
        c->closed = true;
        c->n = at;
    } else if (c->depth == 0 && !open && close == (c->rows == JSON_BRACKETS)) {
        c->nrow++;
        c->last = at + close;
    }
}

/* The slow way: where escapes are, and for the last few bytes. */
static void look_at_bytes(struct json_cut *c, const char *text, size_t n)
{
    for (; c->n < n && !c->closed; c->n += !c->closed) {
        char x = text[c->n];
        if (c->string) {
            c->string = x != '"' || c->escape;
            c->escape = x == '\\' && !c->escape;
        } else if (x == '"') {
            c->string = true;
        } else if ((x | 0x20) == '{' || (x | 0x20) == '}' || (x == ',' && c->rows == JSON_COMMAS)) {
            take(c, c->n, (x | 0x20) == '{', (x | 0x20) == '}');
        }
    }
}

/* Bit i of the result: an odd number of bits 0..i are set. */
static inline uint64_t running_xor(uint64_t x)
{
    for (int shift = 1; shift < 64; shift *= 2)
        x ^= x << shift;
    return x;
}

static void look_at_lines(struct json_cut *c, const char *text, size_t n)
{
    for (size_t few; c->n < n && c->nrow < JSON_MAXROWS; c->n += few) {
        few = n - c->n < JSON_MAXROWS ? n - c->n : JSON_MAXROWS;
        const char *last = memrchr(text + c->n, '\n', few);
        if (last) {
            c->nrow += block_count(text + c->n, few, '\n');
            c->last = (size_t)(last - text) + 1;
        }
    }
}

void json_cut(struct json_cut *c, const char *text, size_t n)
{
    if (c->rows == JSON_LINES) {
        look_at_lines(c, text, n);
        return;
    }
    while (c->n + 64 <= n && !c->closed && c->nrow < JSON_MAXROWS) {
        size_t at = c->n;
        struct json_masks m;
        find_masks(text + at, &m);
        if (m.backslash || c->escape) {
            look_at_bytes(c, text, at + 64);
            continue;
        }
        uint64_t outside = ~running_xor(m.quote) ^ (c->string ? ~(uint64_t)0 : 0);
        uint64_t found = (m.open | m.close | (c->rows == JSON_COMMAS ? m.comma : 0)) & outside;
        c->n = at + 64;
        for (; found && !c->closed; found &= found - 1) {
            unsigned i = (unsigned)__builtin_ctzll(found);
            take(c, at + i, m.open >> i & 1, m.close >> i & 1);
        }
        c->string = !(outside >> 63);
    }
    if (c->nrow < JSON_MAXROWS)
        look_at_bytes(c, text, n);
}
