/* Plain rows of csv, the quick way: a short number is read where it stands, and what follows it tells that
 * the cell is whole; columns that are not wanted are passed over 64 bytes at a time. Invariant: a row is
 * taken only if all of it is understood, and then as rows.c takes it. */
#include "formats/csv/csv.h"

#include <math.h>

#include "number/fast_read.h"

/* pass_fast, defined twice: the n-th delimiter from p on, n > 0; NULL if a line end or quote comes before it.
 */

#if defined __SSE2__ && !defined SPRUNG_PLAIN
#include <emmintrin.h>

/* What 64 bytes hold: how many delimiters, and whether there is a line end or a quote. */
struct window {
    size_t ndelimiter;
    bool others;
};

static inline struct window window_at(const char *p, char delimiter, char eol)
{
    const __m128i want = _mm_set1_epi8(delimiter), end = _mm_set1_epi8(eol), quote = _mm_set1_epi8('"');
    __m128i others = _mm_setzero_si128(), sum = others;
    for (int i = 0; i < 64; i += 16) {
        __m128i x = _mm_loadu_si128((const __m128i *)(const void *)(p + i));
        sum = _mm_sub_epi8(sum, _mm_cmpeq_epi8(x, want));
        others = _mm_or_si128(others, _mm_or_si128(_mm_cmpeq_epi8(x, end), _mm_cmpeq_epi8(x, quote)));
    }
    sum = _mm_sad_epu8(sum, _mm_setzero_si128());
    size_t ndelimiter = (size_t)_mm_cvtsi128_si64(sum) + (size_t)_mm_extract_epi16(sum, 4);
    return (struct window){ ndelimiter, _mm_movemask_epi8(others) };
}

/* One bit for each of 64 bytes that is c, lowest first. */
static inline uint64_t bits_of(const char *p, char c)
{
    const __m128i want = _mm_set1_epi8(c);
    uint64_t found = 0;
    for (int i = 0; i < 64; i += 16) {
        __m128i x = _mm_loadu_si128((const __m128i *)(const void *)(p + i));
        found |= (uint64_t)(unsigned)_mm_movemask_epi8(_mm_cmpeq_epi8(x, want)) << i;
    }
    return found;
}

static const char *pass_fast(const char *p, size_t n, char delimiter, char eol)
{
    struct window window = window_at(p, delimiter, eol);
    for (; window.ndelimiter < n; window = window_at(p += 64, delimiter, eol)) {
        if (window.others)
            return NULL;
        n -= window.ndelimiter;
    }
    uint64_t found = bits_of(p, delimiter);
    for (; n > 1; n--)
        found &= found - 1;
    size_t at = (size_t)__builtin_ctzll(found);
    return window.others && (memchr(p, eol, at) || memchr(p, '"', at)) ? NULL : p + at;
}

#else

static const char *pass_fast(const char *p, size_t n, char delimiter, char eol)
{
    for (; *p != eol && *p != '"'; p++)
        if (*p == delimiter && --n == 0)
            return p;
    return NULL;
}

#endif

/* The end of a cell of text that has neither quotes nor blanks around it; NULL for another one. */
static const char *text_cell(const struct csv *csv, const char *cell)
{
    const char *p = cell;
    while (!csv_is(csv, *p, CSV_STOP | CSV_QUOTE))
        p++;
    bool plain = *p != '"' && (p == cell || !(csv_is(csv, *cell, CSV_BLANK) ||
                                              csv_is(csv, p[-1], CSV_BLANK) || p[-1] == '\r'));
    return plain ? p : NULL;
}

/* A long number, one after blanks, or an empty cell, which begins at *cell; its end, or NULL. */
static const char *long_cell(const struct csv_scan *s, const struct csv_want *w, const char **cell, size_t i)
{
    double x = (double)NAN;
    struct number_decimal d = { 0, 0, false };
    while (csv_is(s->csv, **cell, CSV_BLANK))
        ++*cell;
    const char *p = number_read_decimal(*cell, s->end + CSV_SLACK, s->point, &x, &d);
    if (p ? !isfinite(x) : **cell != s->delimiter || w->time)
        return NULL;
    csv_store(s, w, i, x, d);
    return p ? p : *cell;
}

static inline const char *number_cell(const struct csv_scan *s, const struct csv_want *w, const char **cell,
                                      size_t i)
{
    struct number_short number;
    const char *p = number_short_read(*cell, s->point, &number);
    if (!p)
        return long_cell(s, w, cell, i);
    csv_store(s, w, i, number_short_double(number), number_short_decimal(number));
    return p;
}

/* A cell that is text, or a time that is none number. */
static const char *other_cell(const struct csv_scan *s, const struct csv_want *w, const char *cell, size_t i)
{
    const char *p = w->value == COLUMN_NONE ? text_cell(s->csv, cell) : NULL;
    enum timestamp_form form = s->r->columns.form;
    return p && w->time && !timestamp_read_as(form, cell, (size_t)(p - cell), &s->b->time[i]) ? NULL : p;
}

/* Row i from p on, and its spans; returns its end, where a CR or line end is; NULL: it is not plain. */
static inline const char *plain_row(const struct csv_scan *s, const char *p, size_t i, struct span *out)
{
    const struct csv_want *w = s->csv->want, *last = w + s->csv->nwant;
    for (;; p++) {
        if (w->skip) {
            p = pass_fast(p, w->skip, s->delimiter, s->eol);
            if (!p)
                return NULL;
            p++;
        }
        const char *cell = p;
        p = w->plain ? number_cell(s, w, &cell, i) : other_cell(s, w, cell, i);
        if (!p)
            return NULL;
        *out++ = csv_span(s, cell, p);
        if (++w == last)
            break;
        for (; *p != s->delimiter; p++)
            if (!csv_is(s->csv, *p, CSV_BLANK))
                return NULL;
    }
    size_t n = s->csv->ntail;
    if (n == 0)
        return p;
    if (*p != s->delimiter || (n > 1 && !(p = pass_fast(p + 1, n - 1, s->delimiter, s->eol))))
        return NULL;
    for (p++; *p != s->eol; p++)
        if (*p == s->delimiter || *p == '"')
            return NULL;
    p -= p[-1] == '\r';
    return s->csv->bare && csv_is(s->csv, p[-1], CSV_BLANK | CSV_STOP) ? NULL : p;
}

const char *csv_fast_rows(const struct csv_scan *scan, const char *p, size_t *nrow)
{
    const struct csv_scan copy = *scan, *s = &copy; /* without an address elsewhere it stays in registers */
    const size_t ncell = s->csv->nwant;
    size_t i = *nrow;
    struct span *cell = s->b->cell + i * ncell, *row = s->b->row + i;
    while (p < s->end && !csv_is(s->csv, *p, CSV_FIRST)) {
        const char *end = plain_row(s, p, i, cell), *eol = end;
        if (!end || end - p > FORMAT_MAXCELL || (*end != s->eol && (*end != '\r' || *++eol != s->eol)))
            break;
        *row++ = csv_span(s, p, end);
        cell += ncell;
        p = eol + 1;
        i++;
    }
    *nrow = i;
    return p;
}
