/* Rows of motion capture into spans and numbers: the hot path. A wanted number is read where it stands, and
 * what follows it tells that the cell is whole; whatever is unusual goes the careful way. The text is
 * followed by a line end, so that no loop here looks for the end of the text. Invariant: what is parsed from
 * a line does not depend on where blocks were cut. */
#include "formats/motion/motion.h"

#include <math.h>

struct scan {
    const struct reader *r;
    const struct motion *m;
    struct block *b;
    const char *end;  /* of the text */
    const char *row;  /* the first byte of this row that is neither blank nor delimiter */
    const char *line; /* where its line begins */
    char delimiter, eol, point;
};

static inline const char *skip_blanks(const struct scan *s, const char *p)
{
    while (s->m->csv.blank[(unsigned char)*p])
        p++;
    return p;
}

static inline const char *skip_cell(const struct scan *s, const char *p)
{
    while (!s->m->stop[(unsigned char)*p])
        p++;
    return p;
}

/* From the end of a cell to the beginning of the next; false if there is none. */
static inline bool next_cell(const struct scan *s, const char **p)
{
    const char *q = skip_blanks(s, *p);
    bool more = s->delimiter ? *q == s->delimiter : *q != s->eol;
    *p = more && s->delimiter ? skip_blanks(s, q + 1) : q;
    return more;
}

/* The line end of this row. */
static const char *line_end(const struct scan *s)
{
    return memchr(s->row, s->eol, (size_t)(s->end - s->row) + 1);
}

/* --- faults --- */

static const char *ragged(struct scan *s)
{
    struct error *e = &s->b->error;
    const struct motion *m = s->m;
    size_t expected = s->r->columns.ncolumn - m->counted;
    const char *end = csv_without_eol(&m->csv, s->line, line_end(s));
    error_data(e, "expected %zu cell%s, found %zu", expected, error_plural(expected),
               motion_count(m, s->line, end, true));
    error_excerpt(e, s->line, (size_t)(end - s->line));
    if (m->kind == MOTION_BVH)
        error_hint(e, "the skeleton has as many CHANNELS");
    csv_place(&m->csv, s->b->text, s->line, e);
    e->at = 0;
    return NULL;
}

/* false if a cell of this row is too long. */
static bool check_length(struct scan *s)
{
    const char *p = s->line, *end = line_end(s);
    for (size_t i = s->m->counted; p; i++) {
        struct csv_cell cell;
        p = motion_next(s->m, p, end, &cell);
        if (cell.n <= FORMAT_MAXCELL)
            continue;
        error_data(&s->b->error, "a cell of more than %d MiB", FORMAT_MAXCELL >> 20);
        error_excerpt(&s->b->error, cell.at, cell.n);
        if (i < s->r->columns.ncolumn)
            error_column(&s->b->error, s->r->columns.column[i].name);
        return csv_place(&s->m->csv, s->b->text, cell.at, &s->b->error);
    }
    return true;
}

/* Row i is at fault and b->error says why; what weighs more, a NUL or its length, overrides that. Rows before
 * it stand. */
static void fail(struct scan *s, size_t i)
{
    const char *end = line_end(s);
    size_t n = (size_t)(end - s->line);
    const char *nul = memchr(s->line, 0, n < FORMAT_MAXROW ? n : FORMAT_MAXROW);
    if (nul)
        csv_nul(&s->m->csv, s->b->text, nul, &s->b->error);
    else if (n > FORMAT_MAXROW)
        csv_too_long(&s->m->csv, s->b->text, s->line, end, &s->b->error);
    s->b->nrow = i;
    s->b->ntext = (size_t)(s->line - s->b->text);
}

/* --- rows --- */

static inline struct span span(const struct scan *s, const char *at, size_t n)
{
    return (struct span){ (uint32_t)(at - s->b->text), (uint32_t)n };
}

/* Any wanted cell, the careful way; returns its end, NULL when it is at fault. */
static const char *any_cell(struct scan *s, const struct csv_want *w, const char *p, size_t i,
                            struct span *out)
{
    const char *end = skip_cell(s, p);
    struct csv_cell cell = { .at = p, .n = (size_t)(end - p) };
    while (cell.n > 0 && s->m->csv.blank[(unsigned char)p[cell.n - 1]])
        cell.n--;
    if (!csv_take(s->r, s->b, w, &cell, i))
        return NULL;
    *out = span(s, cell.at, cell.n);
    return end;
}

/* A cell that is likely to be a number. The line end after the text bounds it. */
static inline const char *number_cell(struct scan *s, const struct csv_want *w, const char *p, size_t i,
                                      struct span *out)
{
    const char *limit = s->end + CSV_SLACK, *z;
    double x;
    if (w->time) {
        struct timestamp *stamp = &s->b->stamp[i];
        z = number_read_decimal(p, limit, s->point, &stamp->t, &stamp->decimal);
        x = stamp->t;
    } else {
        z = number_read(p, limit, s->point, &x);
    }
    if (!z || !s->m->stop[(unsigned char)*(s->delimiter ? skip_blanks(s, z) : z)] || !isfinite(x))
        return any_cell(s, w, p, i, out);
    if (w->value != COLUMN_NONE)
        block_value(s->b, w->value)[i] = x;
    *out = span(s, p, (size_t)(z - p));
    return z;
}

/* Passes n cells from *p on; *more: is there one? */
static inline bool pass(const struct scan *s, const char **p, const char **end, size_t n, bool *more)
{
    for (; n > 0; n--) {
        if (!*more)
            return false;
        const char *from = *p;
        *p = skip_cell(s, from);
        for (*end = *p; *end > from && s->m->csv.blank[(unsigned char)(*end)[-1]];)
            --*end;
        *more = next_cell(s, p);
    }
    return true;
}

/* Row i, whose line begins at s->line; returns its line end, or NULL and b->error. */
static inline const char *parse_row(struct scan *s, size_t i)
{
    const struct csv_want *w = s->m->csv.want, *last = w + s->m->csv.nwant;
    struct span *out = s->b->cell + i * s->b->ncell;
    const char *p = skip_blanks(s, s->line), *end = p;
    bool more = true;
    if (s->m->timed)
        *out++ = (struct span){ 0, NUMBER_MAX };
    for (; w < last; w++) {
        if ((w->skip && !pass(s, &p, &end, w->skip, &more)) || !more)
            return ragged(s);
        end = w->plain ? number_cell(s, w, p, i, out) : any_cell(s, w, p, i, out);
        if (!end)
            return NULL;
        p = end;
        end = s->b->text + out->at + out->n;
        out++;
        more = next_cell(s, &p);
    }
    if (!pass(s, &p, &end, s->m->csv.ntail, &more))
        return ragged(s);
    s->b->row[i] = span(s, s->line, (size_t)(end - s->line));
    for (; more; more = next_cell(s, &p))
        if (!s->delimiter || (*p != s->delimiter && *p != s->eol))
            return ragged(s);
    return *p == s->eol ? p : ragged(s);
}

void motion_parse(const struct reader *r, struct block *b)
{
    const struct motion *m = r->state;
    struct scan s = { .r = r,
                      .m = m,
                      .b = b,
                      .end = b->text + b->ntext,
                      .delimiter = m->delimiter,
                      .eol = m->csv.eol,
                      .point = m->csv.point };
    const char *nul = b->ntext ? memchr(b->text, 0, b->ntext) : NULL;
    bool stamps = m->counted && r->columns.time != COLUMN_NONE;
    size_t i = 0;
    for (const char *p = b->text; p < s.end; p++) {
        s.line = csv_row_start(&m->csv, p, s.end);
        for (s.row = skip_blanks(&s, s.line); *s.row == '\t' || *s.row == ',';)
            s.row = skip_blanks(&s, s.row + 1);
        p = s.row;
        if (*s.row == s.eol)
            continue;
        if (stamps)
            b->stamp[i] = motion_stamp(m, b->firstrow + i);
        p = parse_row(&s, i);
        if (!p || (nul && p > nul) || (p - s.line > FORMAT_MAXCELL && !check_length(&s)) ||
            p - s.line > FORMAT_MAXROW) {
            fail(&s, i);
            return;
        }
        i++;
    }
    b->nrow = i;
}
