/* Where records end, at the speed of memory: quotes, backslashes and brackets are found 64 bytes at a time as
 * bits, and strings are masked out by a running exclusive or of the quotes' bits (as in Langdale and Lemire,
 * "Parsing gigabytes of JSON per second", 2019). Nothing is checked here: the parser reads each record
 * strictly, and as long as it finds no fault, it sees the same strings and brackets.
 * Invariant: the result does not depend on the pieces in which the text came. */
#include "formats/json/json.h"

/* One byte outside of strings. */
static inline void count_byte(struct json_split *c, size_t at, char byte)
{
    if ((byte | 0x20) == '{') {
        c->depth++;
    } else if ((byte | 0x20) == '}') {
        c->closed = --c->depth < 0;
        if (c->closed) {
            c->n = at;
        } else if (c->depth == 0 && c->row_end == JSON_BRACKETS) {
            c->nrow++;
            c->last = at + 1;
        }
    } else if (byte == ',' && c->depth == 0 && c->row_end == JSON_COMMAS) {
        c->nrow++;
        c->last = at;
    }
}

/* Byte by byte: where escapes are, for the last few bytes, and on machines without SSE2. */
static void split_bytes(struct json_split *c, const char *text, size_t n)
{
    for (; c->n < n && !c->closed; c->n += !c->closed) {
        char x = text[c->n];
        if (c->string) {
            c->string = x != '"' || c->escape;
            c->escape = x == '\\' && !c->escape;
        } else if (x == '"') {
            c->string = true;
        } else {
            count_byte(c, c->n, x);
        }
    }
}

static void split_lines(struct json_split *c, const char *text, size_t n)
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

#if defined __SSE2__ && !defined SPRUNG_PLAIN

static inline uint64_t bits(__m128i equal)
{
    return (uint64_t)(unsigned)_mm_movemask_epi8(equal);
}

/* Bit i of the result: an odd number of bits 0..i are set. */
static inline uint64_t running_xor(uint64_t x)
{
#pragma GCC unroll 6
    for (int shift = 1; shift < 64; shift *= 2)
        x ^= x << shift;
    return x;
}

/* As far as there are 64 bytes without an escape. */
static void split_masks(struct json_split *split, const char *text, size_t n)
{
    struct json_split c = *split; /* in registers */
    const __m128i comma = _mm_set1_epi8(c.row_end == JSON_COMMAS ? ',' : '{');
    while (c.n + 64 <= n && !c.closed && c.nrow < JSON_MAXROWS) {
        size_t at = c.n;
        uint64_t quotes = 0, found = 0; /* bit i: text[at + i] is such a byte */
        __m128i escape = _mm_setzero_si128();
#pragma GCC unroll 4
        for (int i = 0; i < 64; i += 16) {
            __m128i x = _mm_loadu_si128((const __m128i *)(const void *)(text + at + i));
            /* a bracket, or one of Y y _ DEL, which only occur in strings */
            __m128i bracket = _mm_cmpeq_epi8(_mm_or_si128(x, _mm_set1_epi8(0x26)), _mm_set1_epi8(0x7F));
            escape = _mm_or_si128(escape, _mm_cmpeq_epi8(x, _mm_set1_epi8('\\')));
            quotes |= bits(_mm_cmpeq_epi8(x, _mm_set1_epi8('"'))) << i;
            found |= bits(_mm_or_si128(bracket, _mm_cmpeq_epi8(x, comma))) << i;
        }
        if (bits(escape) || c.escape)
            break;
        uint64_t outside = ~running_xor(quotes) ^ (c.string ? ~(uint64_t)0 : 0);
        c.n = at + 64;
        for (found &= outside; found && !c.closed; found &= found - 1) {
            size_t i = at + (unsigned)__builtin_ctzll(found);
            count_byte(&c, i, text[i]);
        }
        c.string = !(outside >> 63);
    }
    *split = c;
}

#endif

void json_split(struct json_split *c, const char *text, size_t n)
{
    if (c->row_end == JSON_LINES) {
        split_lines(c, text, n);
        return;
    }
    while (c->n < n && !c->closed && c->nrow < JSON_MAXROWS) {
#if defined __SSE2__ && !defined SPRUNG_PLAIN
        split_masks(c, text, n);
#endif
        if (!c->closed && c->nrow < JSON_MAXROWS)
            split_bytes(c, text, n - c->n < 64 ? n : c->n + 64);
    }
}
