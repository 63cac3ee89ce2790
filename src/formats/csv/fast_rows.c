/* Rows of csv the swift way: each in one go, a number read where it stands, and what follows it tells that
 * the cell is whole. Nothing here looks for the end of the text, since a line end follows it (CSV_SLACK).
 * Invariant: a row is taken only if all of it is understood, and then as csv_parse.c would take it. Blanks,
 * quotes, comments, words and faults are not: such a row is left to that. */
#include "formats/csv/csv.h"

#include <math.h>

#include "number/fast_read.h"

#if defined __SSE2__ && !defined SPRUNG_PLAIN
#include <emmintrin.h>
#endif

struct swift {
    const struct csv *csv;
    struct block *b;
    const char *end; /* of the text */
    char delimiter, point;
};

/* --- columns that are passed over ----------------------------------------------------------------------- */

/* What stands in 64 bytes: how many delimiters, and whether there is a line end or a quote. */
struct sight {
    size_t ndelimiter;
    bool others;
};

#if defined __SSE2__ && !defined SPRUNG_PLAIN

static inline struct sight look(const char *p, char delimiter)
{
    const __m128i want = _mm_set1_epi8(delimiter), eol = _mm_set1_epi8('\n'), quote = _mm_set1_epi8('"');
    __m128i others = _mm_setzero_si128(), sum = others;
    for (int i = 0; i < 64; i += 16) {
        __m128i x = _mm_loadu_si128((const __m128i *)(const void *)(p + i));
        sum = _mm_sub_epi8(sum, _mm_cmpeq_epi8(x, want));
        others = _mm_or_si128(others, _mm_or_si128(_mm_cmpeq_epi8(x, eol), _mm_cmpeq_epi8(x, quote)));
    }
    sum = _mm_sad_epu8(sum, _mm_setzero_si128());
    size_t ndelimiter = (size_t)_mm_cvtsi128_si64(sum) + (size_t)_mm_extract_epi16(sum, 4);
    return (struct sight){ ndelimiter, _mm_movemask_epi8(others) };
}

/* One bit for each of 64 bytes that is c, lowest first. */
static inline uint64_t find(const char *p, char c)
{
    const __m128i want = _mm_set1_epi8(c);
    uint64_t found = 0;
    for (int i = 0; i < 64; i += 16) {
        __m128i x = _mm_loadu_si128((const __m128i *)(const void *)(p + i));
        found |= (uint64_t)(unsigned)_mm_movemask_epi8(_mm_cmpeq_epi8(x, want)) << i;
    }
    return found;
}

#else

static inline struct sight look(const char *p, char delimiter)
{
    struct sight sight = { 0, false };
    for (int i = 0; i < 64; i++) {
        sight.ndelimiter += p[i] == delimiter;
        sight.others |= p[i] == '\n' || p[i] == '"';
    }
    return sight;
}

static inline uint64_t find(const char *p, char c)
{
    uint64_t found = 0;
    for (int i = 0; i < 64; i++)
        found |= (uint64_t)(p[i] == c) << i;
    return found;
}

#endif

/* The n-th delimiter from p on, n > 0; NULL if a line end or quote comes before it. */
static inline const char *pass(const struct swift *s, const char *p, size_t n)
{
    struct sight sight = look(p, s->delimiter);
    for (; sight.ndelimiter < n; sight = look(p += 64, s->delimiter)) {
        if (sight.others)
            return NULL;
        n -= sight.ndelimiter;
    }
    uint64_t found = find(p, s->delimiter);
    for (; n > 1; n--)
        found &= found - 1;
    size_t at = (size_t)__builtin_ctzll(found);
    return sight.others && (memchr(p, '\n', at) || memchr(p, '"', at)) ? NULL : p + at;
}

/* The line end after n > 0 cells from p on, without a CR before it. NULL if there are not as many, or a
 * quote. */
static inline const char *pass_last(const struct swift *s, const char *p, size_t n)
{
    if (n > 1 && !(p = pass(s, p, n - 1)))
        return NULL;
    for (p += n > 1; *p != '\n'; p++)
        if (*p == s->delimiter || *p == '"')
            return NULL;
    return p[-1] == '\r' ? p - 1 : p;
}

/* --- rows ----------------------------------------------------------------------------------------------- */

/* A cell of text: its end, or NULL for one that has quotes, or blanks or a CR at an end. */
static const char *text_cell(const struct swift *s, const char *cell)
{
    const char *p = cell;
    while (*p != s->delimiter && *p != '\n' && *p != '"')
        p++;
    bool plain = *p != '"' && (p == cell || !(s->csv->blank[(unsigned char)*cell] ||
                                              s->csv->blank[(unsigned char)p[-1]] || p[-1] == '\r'));
    return plain ? p : NULL;
}

static inline void put(const struct swift *s, const struct csv_want *w, size_t i, double x,
                       struct number_decimal d)
{
    if (w->time)
        s->b->stamp[i] = (struct timestamp){ x, d };
    if (w->value != COLUMN_NONE)
        block_value(s->b, w->value)[i] = x;
}

/* A number that is not short, or an empty cell; its end, or NULL. */
static const char *other_cell(const struct swift *s, const struct csv_want *w, const char *cell, size_t i)
{
    double x;
    struct number_decimal d = { 0, 0, false };
    const char *p = number_read_long(cell, s->end + CSV_SLACK, s->point, &x, &d);
    if (p ? !isfinite(x) : *cell != s->delimiter || w->time)
        return NULL;
    put(s, w, i, p ? x : (double)NAN, d);
    return p ? p : cell;
}

static inline const char *number_cell(const struct swift *s, const struct csv_want *w, const char *cell,
                                      size_t i)
{
    struct number_short number;
    const char *p = number_short_read(cell, s->point, &number);
    if (!p)
        return other_cell(s, w, cell, i);
    put(s, w, i, number_short_double(number), number_short_decimal(number));
    return p;
}

static inline struct span span(const struct swift *s, const char *at, const char *end)
{
    return (struct span){ (uint32_t)(at - s->b->text), (uint32_t)(end - at) };
}

/* Row i, which begins at p, and its spans; returns its end, where a CR or LF is, or NULL. */
static inline const char *take_row(const struct swift *s, const char *p, size_t i, struct span *out)
{
    const struct csv_want *w = s->csv->want, *last = w + s->csv->nwant;
    for (;; p++) {
        if (w->skip) {
            p = pass(s, p, w->skip);
            if (!p)
                return NULL;
            p++;
        }
        const char *cell = p;
        p = w->plain ? number_cell(s, w, cell, i) : text_cell(s, cell);
        if (!p)
            return NULL;
        *out++ = span(s, cell, p);
        if (++w == last)
            break;
        if (*p != s->delimiter)
            return NULL;
    }
    if (s->csv->ntail)
        return *p == s->delimiter ? pass_last(s, p + 1, s->csv->ntail) : NULL;
    return p;
}

const char *csv_swift(const struct reader *r, struct block *b, const char *p, size_t *nrow)
{
    const struct csv *csv = r->state;
    const struct swift s = { csv, b, b->text + b->ntext, csv->delimiter, csv->point };
    const char comment = csv->ncomment ? *csv->comment : '\n';
    size_t i = *nrow;
    struct span *cell = b->cell + i * b->ncell, *row = b->row + i;
    while (p < s.end) {
        const char *end = *p == comment ? NULL : take_row(&s, p, i, cell);
        if (!end || end - p > FORMAT_MAXCELL)
            break;
        *row = span(&s, p, end);
        end += *end == '\r';
        if (*end != '\n')
            break;
        cell += csv->nwant;
        row++;
        i++;
        p = end + 1;
    }
    *nrow = i;
    return p;
}
