/* Where records end, at the speed of memory: quotes, backslashes and brackets are found 64 bytes at a time as
 * bits, and strings are masked out by a running exclusive or of the quotes' bits (as in Langdale and Lemire,
 * "Parsing gigabytes of JSON per second", 2019). Nothing is checked here: the parser goes over each record
 * strictly, and as long as it finds no fault, it sees the same strings and brackets. Invariant: what is found
 * does not depend on how the text came in. */
#include "formats/json/json.h"

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
        m->escape |= equal8(x, '\\') != 0;
        m->quote |= equal8(x, '"') << i;
        m->bracket |= equal8(x | 0x26 * ones, 0x7F) << i;
        m->comma |= equal8(x, ',') << i;
    }
}

#if defined __SSE2__ && !defined SPRUNG_PLAIN
static inline uint64_t bits(__m128i equal)
{
    return (uint64_t)(unsigned)_mm_movemask_epi8(equal);
}
#endif

/* commas: they are wanted as well. */
static inline void find_masks(const char *text, struct json_masks *m, bool commas)
{
#if defined __SSE2__ && !defined SPRUNG_PLAIN
    __m128i escape = _mm_setzero_si128();
    *m = (struct json_masks){ 0 };
#pragma GCC unroll 4
    for (int i = 0; i < 64; i += 16) {
        __m128i x = _mm_loadu_si128((const __m128i *)(const void *)(text + i));
        __m128i folded = _mm_or_si128(x, _mm_set1_epi8(0x26));
        escape = _mm_or_si128(escape, _mm_cmpeq_epi8(x, _mm_set1_epi8('\\')));
        m->quote |= bits(_mm_cmpeq_epi8(x, _mm_set1_epi8('"'))) << i;
        m->bracket |= bits(_mm_cmpeq_epi8(folded, _mm_set1_epi8(0x7F))) << i;
        if (commas)
            m->comma |= bits(_mm_cmpeq_epi8(x, _mm_set1_epi8(','))) << i;
    }
    m->escape = bits(escape) != 0;
#else
    (void)commas;
    json_masks_plain(text, m);
#endif
}

void json_masks(const char *text, struct json_masks *m)
{
    find_masks(text, m, true);
}

/* One byte outside of strings, which may be a bracket, or a comma where it counts. */
static inline void take(struct json_cut *c, size_t at, char byte)
{
    if ((byte | 0x20) == '{') {
        c->depth++;
    } else if ((byte | 0x20) == '}') {
        c->closed = --c->depth < 0;
        if (c->closed) {
            c->n = at;
        } else if (c->depth == 0 && c->rows == JSON_BRACKETS) {
            c->nrow++;
            c->last = at + 1;
        }
    } else if (byte == ',' && c->depth == 0 && c->rows == JSON_COMMAS) {
        c->nrow++;
        c->last = at;
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
        } else {
            take(c, c->n, x);
        }
    }
}

/* Bit i of the result: an odd number of bits 0..i are set. */
static inline uint64_t running_xor(uint64_t x)
{
#pragma GCC unroll 6
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

/* As far as whole 64 bytes without an escape go. */
static inline __attribute__((always_inline)) void look_at_masks(struct json_cut *cut, const char *text,
                                                                size_t n, bool commas)
{
    struct json_cut c = *cut; /* in registers */
    while (c.n + 64 <= n && !c.closed && c.nrow < JSON_MAXROWS) {
        size_t at = c.n;
        struct json_masks m;
        find_masks(text + at, &m, commas);
        if (m.escape || c.escape)
            break;
        uint64_t outside = ~running_xor(m.quote) ^ (c.string ? ~(uint64_t)0 : 0);
        uint64_t found = (m.bracket | m.comma) & outside;
        c.n = at + 64;
        for (; found && !c.closed; found &= found - 1) {
            size_t i = at + (unsigned)__builtin_ctzll(found);
            take(&c, i, text[i]);
        }
        c.string = !(outside >> 63);
    }
    *cut = c;
}

void json_cut(struct json_cut *c, const char *text, size_t n)
{
    if (c->rows == JSON_LINES) {
        look_at_lines(c, text, n);
        return;
    }
    while (c->n < n && !c->closed && c->nrow < JSON_MAXROWS) {
        if (c->rows == JSON_COMMAS)
            look_at_masks(c, text, n, true);
        else
            look_at_masks(c, text, n, false);
        if (!c->closed && c->nrow < JSON_MAXROWS)
            look_at_bytes(c, text, n - c->n < 64 ? n : c->n + 64);
    }
}
