/* Reading motion capture: opening, blocks and cells. See motion.h. */
#include "formats/motion/motion.h"

#include "number/timestamp.h"

#include <stdlib.h>
#include <strings.h>

/* --- opening --- */

void motion_set_delimiter(struct motion *m, char delimiter)
{
    struct csv *csv = &m->csv;
    m->delimiter = delimiter;
    csv->delimiter = delimiter ? delimiter : ' ';
    memset(csv->blank, 0, sizeof csv->blank);
    csv->blank[' '] = true;
    csv->blank['\t'] = delimiter != '\t';
    /* The half of a line end that does not count lines. */
    csv->blank[csv->eol == '\n' ? '\r' : '\n'] = true;
    for (size_t c = 0; c < 256; c++)
        m->stop[c] = c == (unsigned char)csv->eol ||
                     (delimiter ? c == (unsigned char)delimiter : csv->blank[c]);
}

bool motion_start(struct reader *r, enum motion_kind kind, struct error *e)
{
    struct motion *m = r->state = calloc(1, sizeof *m);
    struct csv_find f = { .r = r, .csv = r->state };
    if (!m)
        return error_memory(e);
    m->kind = kind;
    m->promised = UINT64_MAX;
    if (!csv_options(r, '\t', e))
        return false;
    /* Options about the layout of csv mean nothing here. */
    m->csv.comment = "";
    m->csv.ncomment = 0;
    m->csv.bare = true;
    motion_set_delimiter(m, 0);
    if (!csv_start(&f, e))
        return false;
    motion_set_delimiter(m, 0);
    m->start = f.start;
    r->columns.named = true;
    return m->csv.nrest > f.start || error_data(e, "the file is empty");
}

bool motion_blame(const struct reader *r, size_t at, size_t n, struct error *e)
{
    const struct csv *csv = r->state;
    error_excerpt(e, csv->rest + at, n);
    return csv_place(csv, csv->rest, csv->rest + at, e);
}

/* Is there nothing but blanks and delimiters from p to the end of its line? */
static bool is_blank_line(const struct motion *m, const char *p, const char *end)
{
    while (p < end && (m->csv.blank[(unsigned char)*p] || *p == '\t' || *p == ','))
        p++;
    return p == end || *p == m->csv.eol;
}

bool motion_line(struct reader *r, size_t at, struct span *line, size_t *next, struct error *e)
{
    struct csv *csv = r->state;
    struct csv_find f = { .r = r, .csv = csv };
    size_t start = at, seen = at;
    for (;;) {
        const char *eol = csv->nrest > seen ? memchr(csv->rest + seen, csv->eol, csv->nrest - seen) : NULL;
        size_t end = eol ? (size_t)(eol - csv->rest) : csv->nrest;
        const char *nul = end > seen ? memchr(csv->rest + seen, 0, end - seen) : NULL;
        if (nul)
            return csv_nul(csv, csv->rest, nul, e);
        if (start > FORMAT_MAXROW)
            return error_data(e, "a header of more than %d MiB", FORMAT_MAXROW >> 20);
        if (end - start > FORMAT_MAXROW)
            return csv_too_long(csv, csv->rest, csv->rest + start, csv->rest + end, e);
        bool blank = is_blank_line(r->state, csv->rest + start, csv->rest + end);
        seen = end + (eol != NULL);
        if (eol && blank) {
            start = seen;
        } else if (eol || csv->ended) {
            *line = (struct span){ (uint32_t)start, (uint32_t)(end - start) };
            line->n -= line->n > 0 && csv->rest[end - 1] == '\r';
            *next = blank ? at : seen;
            return true;
        } else if (!csv_read_more(&f, e)) {
            return false;
        }
    }
}

bool motion_begins(const char *p, const char *end, const char *word)
{
    size_t n = strlen(word);
    p += end - p >= 3 && memcmp(p, "\xEF\xBB\xBF", 3) == 0 ? 3 : 0;
    return (size_t)(end - p) > n && strncasecmp(p, word, n) == 0 && strchr(" \t\r\n,", p[n]) && p[n];
}

/* --- cells --- */

const char *motion_next(const struct motion *m, const char *p, const char *end, struct csv_cell *cell)
{
    const bool *blank = m->csv.blank;
    *cell = (struct csv_cell){ .at = end };
    if (!p)
        return NULL;
    while (p < end && blank[(unsigned char)*p])
        p++;
    cell->at = p;
    while (p < end && !m->stop[(unsigned char)*p])
        p++;
    for (cell->n = (size_t)(p - cell->at); cell->n > 0 && blank[(unsigned char)cell->at[cell->n - 1]];)
        cell->n--;
    while (!m->delimiter && p < end && blank[(unsigned char)*p])
        p++;
    return p < end ? p + (m->delimiter != 0) : NULL;
}

size_t motion_count(const struct motion *m, const char *p, const char *end, bool whole)
{
    struct csv_cell cell;
    size_t n = 0;
    for (size_t i = 1; p; i++) {
        p = motion_next(m, p, end, &cell);
        n = whole || cell.n > 0 ? i : n;
    }
    return n;
}

/* Does the delimiter that is set cut names and row into as many cells, and the row into a number first? */
static bool delimits(const struct reader *r, struct span names, struct span row)
{
    const struct motion *m = r->state;
    const char *p = m->csv.rest + names.at, *q = m->csv.rest + row.at;
    size_t n = motion_count(m, p, p + names.n, false);
    struct csv_cell first;
    double x;
    if (n < 2 || row.n == 0)
        return n > 1;
    motion_next(m, q, q + row.n, &first);
    return csv_kind(r, &first, &x) == CELL_NUMBER && n == motion_count(m, q, q + row.n, false);
}

void motion_delimit(struct reader *r, struct span names, struct span row)
{
    static const char delimiters[] = { '\t', ',', 0 };
    struct motion *m = r->state;
    for (size_t i = 0; i < sizeof delimiters; i++) {
        motion_set_delimiter(m, delimiters[i]);
        if (delimiters[i] != m->csv.point && delimits(r, names, row))
            return;
    }
    motion_set_delimiter(m, memchr(m->csv.rest + names.at, '\t', names.n) ? '\t' : 0);
}

void motion_kinds(struct reader *r, struct span row)
{
    const struct motion *m = r->state;
    const char *p = m->csv.rest + row.at, *end = p + row.n;
    for (size_t i = 0; i < r->columns.ncolumn; i++) {
        struct csv_cell cell;
        double x;
        p = motion_next(m, row.n ? p : NULL, end, &cell);
        r->columns.column[i].first = row.n ? csv_kind(r, &cell, &x) : CELL_GAP;
    }
}

/* --- blocks --- */

struct timestamp motion_stamp(const struct motion *m, uint64_t row)
{
    struct timestamp s = { (double)row * m->seconds, { 0, m->step.exp10, false } };
    if (m->step.exact && (row == 0 || m->step.digits <= INT64_MAX / (int64_t)row)) {
        s.decimal.digits = (int64_t)row * m->step.digits;
        s.decimal.exact = true;
        s.t = timestamp_seconds(&s, 0);
    }
    return s;
}

bool motion_bind(struct reader *r, struct error *e)
{
    struct motion *m = r->state;
    struct columns *t = &r->columns;
    if (!csv_bind(r, e) || !m->counted)
        return m->csv.want != NULL;
    if (t->group != COLUMN_NONE || (t->time != COLUMN_NONE && t->time != 0)) {
        error_usage(e, "%s: a %s file has its own time, and one series",
                    t->group != COLUMN_NONE ? "--group-by" : "--time", r->format->name);
        return error_hint(e, "convert it with --to csv first");
    }
    if (t->column[0].value != COLUMN_NONE)
        return error_usage(e, "the time of a %s file cannot be filtered", r->format->name);
    /* Column 0 is not in the text. */
    struct csv_want *want = m->csv.want;
    m->timed = m->csv.nwant > 0 && want->column == 0;
    if (m->timed)
        memmove(want, want + 1, --m->csv.nwant * sizeof *want);
    else if (m->csv.nwant > 0)
        want->skip--;
    else
        m->csv.ntail--;
    return true;
}

/* Are there as many rows as the header promises? */
static bool complete(const struct motion *m, struct error *e)
{
    if (m->promised == UINT64_MAX || m->nrow == m->promised)
        return true;
    error_data(e, "the header promises %llu frame%s, and the file has %llu", (unsigned long long)m->promised,
               error_plural(m->promised), (unsigned long long)m->nrow);
    return error_hint(e, m->nrow < m->promised ? "the file is cut off, or its line \"Frames:\" is wrong"
                                               : "its line \"Frames:\" is wrong");
}

enum loaded motion_load(struct reader *r, struct block *b, struct error *e)
{
    struct motion *m = r->state;
    enum loaded loaded = csv_load(r, b, e);
    if (loaded == LOAD_END && !complete(m, e))
        return LOAD_ERROR;
    if (loaded != LOAD_ROWS)
        return loaded;
    b->firstrow = m->nrow;
    const char *p = b->text, *end = p + b->ntext;
    while (p < end) {
        m->nrow += !is_blank_line(m, p, end);
        p = memchr(p, m->csv.eol, (size_t)(end - p));
        p = p ? p + 1 : end;
    }
    return LOAD_ROWS;
}

const struct motion *motion_of(const struct reader *r)
{
    return r->format->parse == motion_parse ? r->state : NULL;
}

const char *motion_cell(const struct reader *r, const struct block *b, size_t row, size_t column, char *buf,
                        size_t maxbuf, size_t *ntext)
{
    const struct motion *m = r->state;
    const struct column *c = &r->columns.column[column];
    *ntext = 0;
    if (c->cell == COLUMN_NONE)
        return NULL;
    if (m->counted && column == 0) {
        struct number_format format = number_shortest;
        format.point = m->csv.point;
        char text[NUMBER_MAX];
        size_t n = number_print(text, motion_stamp(m, b->firstrow + row).t, &format);
        *ntext = n < maxbuf ? n : maxbuf;
        memcpy(buf, text, *ntext);
        return buf;
    }
    struct span span = b->cell[row * b->ncell + c->cell];
    *ntext = span.n;
    return c->value != COLUMN_NONE && format_gap(r->options, b->text + span.at, span.n) ? NULL
                                                                                       : b->text + span.at;
}
