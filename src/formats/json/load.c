/* Cuts the input into blocks of whole records. A block ends with the last byte of a record: the comma behind
 * the record comes with the next record, so that a record goes out as soon as it is whole. The text behind
 * the last record is checked and passed on as it comes, in blocks without rows. For parse, load sets b->nrow
 * to the number of records (jsonl: at most so many), and b->firstrow to the number of the first record. */
#include "formats/json/json.h"

#include "base/array.h"
#include "base/port.h"

/* --- where records end ---
 * At the speed of memory: quotes, backslashes and brackets are found 64 bytes at a time as bits, and strings
 * are masked out by a running exclusive or of the quotes' bits (as in Langdale and Lemire, "Parsing gigabytes
 * of JSON per second", 2019). Nothing is checked here: the parser reads each record strictly, and up to the
 * first fault the parser sees the same strings and brackets.
 * Invariant: the result does not depend on the pieces in which the text came. */

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

/* Byte by byte: near escapes, for the last few bytes, and on machines without SSE2. */
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
    size_t bytes = c->most > 64 ? c->most : 64; /* a record is of one byte at least */
    for (size_t few; c->n < n && c->nrow < c->most; c->n += few) {
        few = n - c->n < bytes ? n - c->n : bytes;
        const char *last = port_memrchr(text + c->n, '\n', few);
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

/* 64 bytes at a time, up to the first escape. */
static void split_masks(struct json_split *split, const char *text, size_t n)
{
    struct json_split c = *split; /* in registers */
    const __m128i comma = _mm_set1_epi8(c.row_end == JSON_COMMAS ? ',' : '{');
    while (c.n + 64 <= n && !c.closed && c.nrow < c.most) {
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
    while (c->n < n && !c->closed && c->nrow < c->most) {
#if defined __SSE2__ && !defined SPRUNG_PLAIN
        split_masks(c, text, n);
#endif
        if (!c->closed && c->nrow < c->most)
            split_bytes(c, text, n - c->n < 64 ? n : c->n + 64);
    }
}

/* --- reading --- */

/* Moves rest to the begin of its allocation. */
static void move_rest(struct json *j)
{
    char *start = j->rest - j->ngiven;
    if (j->ngiven > 0)
        memmove(start, j->rest, j->nrest + JSON_SLACK);
    j->rest = start;
    j->ngiven = 0;
}

bool json_fill(struct reader *r, struct error *e)
{
    struct json *j = r->state;
    if (j->ngiven > 0)
        move_rest(j);
    size_t aim = j->nrest > FORMAT_BLOCK ? j->nrest : FORMAT_BLOCK, got = 0;
    if (!array_reserve(&j->rest, j->nrest + aim + JSON_SLACK, &j->maxrest, 1, e) ||
        (!j->ended && !source_read(r->source, j->rest + j->nrest, aim, &got, e)))
        return false;
    j->nrest += got;
    j->ended = got == 0;
    if (j->ended && r->followed && j->nrest > 0 && j->rest[j->nrest - 1] != '\n')
        j->rest[j->nrest++] = '\n';
    memset(j->rest + j->nrest, 0, JSON_SLACK);
    return true;
}

bool json_await_row(struct reader *r, struct error *e)
{
    struct json *j = r->state;
    for (;;) {
        json_split(&j->split, j->rest, j->nrest);
        if (j->split.nrow > 0 || j->split.closed || j->ended || j->nrest - j->split.last > FORMAT_MAXROW)
            return true;
        if (!json_fill(r, e))
            return false;
    }
}

struct json_scan json_scan_rest(const struct json *j)
{
    return (struct json_scan){ .end = j->rest + j->nrest, .more = !j->ended };
}

const char *json_ends(const char *p, struct json_scan *s)
{
    return p == s->end ? p
                       : json_fail_showing(s, p, 0, "text after the end of the document",
                                           "--from jsonl reads one record a line");
}

/* --- blocks --- */

/* Makes the allocation of rest the text of the block: ntext bytes. The text behind goes to a new rest. */
static bool give_rest(struct json *j, struct block *b, size_t ntext, struct error *e)
{
    const size_t left = j->nrest - ntext, maxtext = j->maxrest;
    if (j->ngiven > 0)
        move_rest(j);
    char *text = j->rest;
    j->rest = b->text;
    j->maxrest = b->maxtext;
    b->text = text;
    b->maxtext = maxtext;
    j->nrest = 0;
    if (j->rows == JSON_COLUMNS)
        return true;
    if (!array_reserve(&j->rest, left + JSON_SLACK, &j->maxrest, 1, e))
        return false;
    memcpy(j->rest, text + ntext, left);
    memset(j->rest + left, 0, JSON_SLACK);
    j->nrest = left;
    return true;
}

/* Copies the first ntext bytes of rest to the block. */
static bool copy_rest(struct json *j, struct block *b, size_t ntext, struct error *e)
{
    if (!block_reserve_text(b, ntext + JSON_SLACK, e))
        return false;
    memcpy(b->text, j->rest, ntext);
    j->rest += ntext;
    j->nrest -= ntext;
    j->ngiven += ntext;
    return true;
}

/* Gives the first ntext bytes of rest to the block, as text with nrow records. The shorter part is copied:
 * the blocks of wide records may have a few bytes each. */
static enum loaded give(const struct reader *r, struct block *b, size_t ntext, size_t nrow, struct error *e)
{
    struct json *j = r->state;
    const bool columns = j->rows == JSON_COLUMNS;
    /* A bare number ends with the byte that follows it. */
    char next = j->nrest > ntext && j->split.row_end == JSON_COMMAS ? j->rest[ntext] : 0;
    bool few = !columns && ntext < j->nrest - ntext;
    if (!(few ? copy_rest(j, b, ntext, e) : give_rest(j, b, ntext, e)))
        return LOAD_ERROR;
    b->ntext = ntext;
    if (!columns) {
        memset(b->text + ntext, 0, JSON_SLACK);
        b->text[ntext] = next;
        b->firstrow = j->nrow;
        j->nrow += nrow;
    }
    struct block_shape shape = reader_shape(r);
    shape.ncell = j->ncell; /* the cells of columns, then anchors */
    if (!block_reserve(b, nrow, shape, e) || (!columns && !block_reserve_present(b, e)))
        return LOAD_ERROR;
    b->nrow = nrow;
    return LOAD_ROWS;
}

/* Gives the text before a fault outside of records: ntext bytes without fault. */
static enum loaded give_fault(struct reader *r, struct block *b, struct json_scan *s, size_t ntext,
                              struct error *e)
{
    const struct json *j = r->state;
    s->more = true; /* for all that is known */
    json_explain(s, j->rest, NULL, "$", &b->error);
    return give(r, b, ntext, 0, e);
}

static enum loaded load_rows(struct reader *r, struct block *b, struct error *e)
{
    struct json *j = r->state;
    struct json_split *c = &j->split;
    size_t most = JSON_MAXCELLS / (j->ncell + r->columns.nvalue + r->nout + 1);
    c->most = most > JSON_MAXROWS ? JSON_MAXROWS : most + 1;
    if (!json_await_row(r, e))
        return LOAD_ERROR;
    size_t nrow = c->nrow, ntext = c->last;
    j->tail = c->closed;
    if (c->closed) {
        /* Text is left before the bracket: a number without a comma, or a fault, which parse reports and for
         * which parse needs the bracket. */
        const char *p = json_space(j->rest + ntext), *close = j->rest + c->n;
        bool more = p < close, record = c->row_end == JSON_COMMAS && json_space(p + (*p == ',')) < close;
        nrow += more;
        ntext = more ? c->n + !record : ntext;
    } else if (nrow == 0 && !j->ended) {
        struct json_scan s = json_scan_rest(j);
        json_fail(&s, j->rest, "a record is longer than 64 MiB");
        return give_fault(r, b, &s, 0, e);
    } else if (nrow == 0) {
        /* The last line, or the rest of a document that stops too early. */
        if (j->nrest == 0 && j->lines)
            return LOAD_END;
        nrow = 1;
        ntext = j->nrest;
    }
    c->n = c->closed ? 0 : c->n - ntext;
    c->nrow = c->last = 0;
    c->closed = false;
    return give(r, b, ntext, nrow, e);
}

/* Walks through the text behind the records, to the end of rest. *token: where the walk can go on after a
 * fault. */
static const char *walk_tail(struct json *j, const char **token, struct json_scan *s)
{
    struct json_walk *w = j->walk;
    const char *p = json_space(j->rest + j->split.last), *q;
    j->split.last = 0;
    for (; w->depth > 0; p = json_space(q)) {
        *token = p;
        q = json_step(w, p, s);
        if (!q)
            return NULL;
        j->level = w->depth < j->level ? w->depth : j->level;
        if (json_on_pointer(j))
            return json_fail(s, p, "--records names this member, and it stands there twice");
    }
    *token = p;
    return json_ends(p, s);
}

static enum loaded load_tail(struct reader *r, struct block *b, struct error *e)
{
    struct json *j = r->state;
    for (;;) {
        struct json_scan s = json_scan_rest(j);
        if (j->tables) /* the document was checked when it was opened */
            return j->nrest > 0 ? give(r, b, j->nrest, 0, e) : LOAD_END;
        const char *token, *p = walk_tail(j, &token, &s);
        size_t ntext = p ? j->nrest : (size_t)(token - j->rest);
        if (!p && (s.at != s.end || j->ended))
            return give_fault(r, b, &s, ntext, e);
        if (ntext > 0)
            return give(r, b, ntext, 0, e);
        if (j->nrest > FORMAT_MAXROW) {
            json_fail(&s, j->rest, "a string or number longer than 64 MiB");
            return give_fault(r, b, &s, 0, e);
        }
        if (j->ended)
            return LOAD_END;
        if (!json_fill(r, e))
            return LOAD_ERROR;
    }
}

enum loaded json_load(struct reader *r, struct block *b, struct error *e)
{
    struct json *j = r->state;
    return j->tables ? json_load_tables(r, b, e) : json_load_table(r, b, e);
}

enum loaded json_load_table(struct reader *r, struct block *b, struct error *e)
{
    struct json *j = r->state;
    if (j->rows == JSON_COLUMNS)
        return j->nrest == 0 ? LOAD_END : give(r, b, j->nrest, (size_t)j->nrow, e);
    return j->tail ? load_tail(r, b, e) : load_rows(r, b, e);
}
