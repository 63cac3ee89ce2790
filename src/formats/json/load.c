/* Cuts the input into blocks of whole records. A block ends with the last byte of a record: the comma after
 * the record comes with the next record, so that a record goes out as soon as it is whole. The text after
 * the last record is checked and passed on as it comes, in blocks without rows. For parse, load sets
 * block->nrow to the number of records (jsonl: at most so many), and block->firstrow to the number of the
 * first record. */
#include "formats/json/json.h"

#include "base/array.h"
#include "base/port.h"

/* --- where records end ---
 * At the speed of memory: quotes, backslashes and brackets are found 64 bytes at a time as bits, and strings
 * are masked out by a running exclusive or of the quotes' bits (as in Langdale and Lemire, "Parsing gigabytes
 * of JSON per second", 2019). Nothing is checked here: the parser reads each record strictly, and up to the
 * first fault the parser sees the same strings and brackets.
 * Invariant: the result does not depend on the pieces in which the text came. */

/* Counts a byte outside of strings: a bracket or a comma may end a record. */
static inline void count_byte(struct json_split *split, size_t at, char byte)
{
    if ((byte | 0x20) == '{') {
        split->depth++;
    } else if ((byte | 0x20) == '}') {
        split->closed = --split->depth < 0;
        if (split->closed) {
            split->n = at;
        } else if (split->depth == 0 && split->row_end == JSON_BRACKETS) {
            split->nrow++;
            split->last = at + 1;
        }
    } else if (byte == ',' && split->depth == 0 && split->row_end == JSON_COMMAS) {
        split->nrow++;
        split->last = at;
    }
}

/* Searches byte by byte: near escapes, in the last few bytes, and on machines without SSE2. */
static void split_bytes(struct json_split *split, const char *text, size_t n)
{
    for (; split->n < n && !split->closed; split->n += !split->closed) {
        char x = text[split->n];
        if (split->string) {
            split->string = x != '"' || split->escape;
            split->escape = x == '\\' && !split->escape;
        } else if (x == '"') {
            split->string = true;
        } else {
            count_byte(split, split->n, x);
        }
    }
}

/* Searches for line ends. */
static void split_lines(struct json_split *split, const char *text, size_t n)
{
    size_t bytes = split->most > 64 ? split->most : 64; /* a record is of one byte at least */
    for (size_t few; split->n < n && split->nrow < split->most; split->n += few) {
        few = n - split->n < bytes ? n - split->n : bytes;
        const char *last = port_memrchr(text + split->n, '\n', few);
        if (last) {
            split->nrow += block_count(text + split->n, few, '\n');
            split->last = (size_t)(last - text) + 1;
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

/* Searches 64 bytes at a time, up to the first escape. */
static void split_masks(struct json_split *split, const char *text, size_t n)
{
    struct json_split json_split = *split; /* a copy, to keep members in registers */
    const __m128i comma = _mm_set1_epi8(json_split.row_end == JSON_COMMAS ? ',' : '{');
    while (json_split.n + 64 <= n && !json_split.closed && json_split.nrow < json_split.most) {
        size_t at = json_split.n;
        uint64_t quotes = 0, found = 0; /* bit i: text[at + i] is a quote, or a bracket or comma */
        __m128i escape = _mm_setzero_si128();
#pragma GCC unroll 4
        for (int i = 0; i < 64; i += 16) {
            __m128i x = _mm_loadu_si128((const __m128i *)(const void *)(text + at + i));
            /* Finds brackets, and Y y _ DEL, which only occur in strings. */
            __m128i bracket = _mm_cmpeq_epi8(_mm_or_si128(x, _mm_set1_epi8(0x26)), _mm_set1_epi8(0x7F));
            escape = _mm_or_si128(escape, _mm_cmpeq_epi8(x, _mm_set1_epi8('\\')));
            quotes |= bits(_mm_cmpeq_epi8(x, _mm_set1_epi8('"'))) << i;
            found |= bits(_mm_or_si128(bracket, _mm_cmpeq_epi8(x, comma))) << i;
        }
        if (bits(escape) || json_split.escape)
            break;
        uint64_t outside = ~running_xor(quotes) ^ (json_split.string ? ~(uint64_t)0 : 0);
        json_split.n = at + 64;
        for (found &= outside; found && !json_split.closed; found &= found - 1) {
            size_t i = at + (unsigned)__builtin_ctzll(found);
            count_byte(&json_split, i, text[i]);
        }
        json_split.string = !(outside >> 63);
    }
    *split = json_split;
}

#endif

void json_split(struct json_split *split, const char *text, size_t n)
{
    if (split->row_end == JSON_LINES) {
        split_lines(split, text, n);
        return;
    }
    while (split->n < n && !split->closed && split->nrow < split->most) {
#if defined __SSE2__ && !defined SPRUNG_PLAIN
        split_masks(split, text, n);
#endif
        if (!split->closed && split->nrow < split->most)
            split_bytes(split, text, n - split->n < 64 ? n : split->n + 64);
    }
}

/* --- reading --- */

bool json_fill(struct reader *reader, struct error *e)
{
    struct json *json = reader->state;
    if (json->ngiven > 0) {
        memmove(json->rest - json->ngiven, json->rest, json->nrest);
        json->rest -= json->ngiven;
        json->ngiven = 0;
    }
    size_t aim = json->nrest > FORMAT_BLOCK ? json->nrest : FORMAT_BLOCK, got = 0;
    if (!array_reserve(&json->rest, json->nrest + aim + JSON_SLACK, &json->maxrest, 1, e) ||
        (!json->ended && !source_read(reader->source, json->rest + json->nrest, aim, &got, e)))
        return false;
    json->nrest += got;
    json->ended = got == 0;
    memset(json->rest + json->nrest, 0, JSON_SLACK);
    return true;
}

/* Reads on until nrow records, counted in json->split, have ended; or the array or the input has ended. */
static bool await_rows(struct reader *reader, size_t nrow, struct error *e)
{
    struct json *json = reader->state;
    for (;;) {
        json_split(&json->split, json->rest, json->nrest);
        if (json->split.nrow >= nrow || json->split.closed || json->ended ||
            json->nrest - json->split.last > FORMAT_MAXROW)
            return true;
        if (!json_fill(reader, e))
            return false;
    }
}

bool json_await_row(struct reader *reader, struct error *e)
{
    return await_rows(reader, 1, e);
}

bool json_await_record(struct reader *reader, size_t *at, bool *found, struct error *e)
{
    struct json *json = reader->state;
    struct json_split *split = &json->split;
    for (;;) {
        const char *p = json_space(json->rest + *at);
        if (!json->lines && *p == ',')
            p = json_space(p + 1);
        const size_t place = (size_t)(p - json->rest);
        const size_t end = json->lines && json->ended ? json->nrest : split->last;
        *found = place < end;
        if (*found)
            *at = place;
        if (*found || split->closed || json->ended)
            return true;
        const size_t nrow = split->nrow;
        split->most = nrow + 1;
        if (!await_rows(reader, nrow + 1, e))
            return false;
        if (split->nrow == nrow && !split->closed && !json->ended)
            return true; /* the record is too long */
    }
}

struct json_scan json_scan_rest(const struct json *json)
{
    return (struct json_scan){ .end = json->rest + json->nrest, .more = !json->ended };
}

const char *json_ends(const char *p, struct json_scan *scan)
{
    return p == scan->end ? p
                          : json_fail_showing(scan, p, 0, "text after the end of the document",
                                              "for one record per line, try --from jsonl");
}

/* --- blocks --- */

/* Makes rest, which is a whole object of columns, the text of the block: it may be large. */
static void give_document(struct json *json, struct block *block)
{
    char *text = json->rest;
    const size_t maxtext = json->maxrest;
    json->rest = block->text;
    json->maxrest = block->maxtext;
    json->nrest = 0;
    block->text = text;
    block->maxtext = maxtext;
}

/* Copies the first ntext bytes of rest to the block, and a bare number's end: the byte that follows it. */
static bool give_rows(struct json *json, struct block *block, size_t ntext, struct error *e)
{
    const bool bare = json->split.row_end == JSON_COMMAS && json->nrest > ntext;
    if (!block_reserve_text(block, ntext + JSON_SLACK, e))
        return false;
    memcpy(block->text, json->rest, ntext + bare);
    memset(block->text + ntext + bare, 0, JSON_SLACK - bare);
    json->rest += ntext;
    json->nrest -= ntext;
    json->ngiven += ntext;
    return true;
}

/* Gives the first ntext bytes of rest to the block, as text with nrow records. */
static enum loaded give(const struct reader *reader, struct block *block, size_t ntext, size_t nrow,
                        struct error *e)
{
    struct json *json = reader->state;
    const bool columns = json->rows == JSON_COLUMNS;
    block->ntext = ntext;
    if (columns) {
        give_document(json, block);
    } else {
        if (!give_rows(json, block, ntext, e))
            return LOAD_ERROR;
        block->firstrow = json->nrow;
        json->nrow += nrow;
    }
    struct block_shape shape = reader_shape(reader);
    shape.ncell = json->ncell; /* the cells of columns, then the anchor */
    if (!block_reserve(block, nrow, shape, e))
        return LOAD_ERROR;
    block->nrow = nrow;
    return LOAD_ROWS;
}

/* Gives the records that rest holds, at least one, or the text before the end of the records. */
static enum loaded load_rows(struct reader *reader, struct block *block, struct error *e)
{
    struct json *json = reader->state;
    struct json_split *split = &json->split;
    size_t most = JSON_MAXCELLS / (json->ncell + reader->table.nvalue + reader->nout + 1);
    split->most = most > JSON_MAXROWS ? JSON_MAXROWS : most + 1;
    if (!json_await_row(reader, e))
        return LOAD_ERROR;
    size_t nrow = split->nrow, ntext = split->last;
    json->tail = split->closed;
    if (split->closed) {
        /* Text is left before the bracket: a number without a comma, or a fault, which parse reports; it
         * needs the bracket. */
        const char *p = json_space(json->rest + ntext), *close = json->rest + split->n;
        bool text_left = p < close;
        bool is_number = split->row_end == JSON_COMMAS && json_space(p + (*p == ',')) < close;
        nrow += text_left;
        if (text_left)
            ntext = split->n + !is_number;
    } else if (nrow == 0 && !json->ended) {
        struct json_scan scan = json_scan_rest(json);
        scan.more = true;
        json_fail(&scan, json->rest, "a record is longer than 64 MiB");
        json_explain(&scan, json->rest, NULL, "$", &block->error);
        return give(reader, block, 0, 0, e);
    } else if (nrow == 0) {
        /* The last line, or the rest of a document that stops too early. */
        if (json->nrest == 0 && json->lines)
            return LOAD_END;
        nrow = 1;
        ntext = json->nrest;
    }
    split->n = split->closed ? 0 : split->n - ntext;
    split->nrow = split->last = 0;
    split->closed = false;
    return give(reader, block, ntext, nrow, e);
}

/* Gives the text after the records: of a document that was held and checked all of it, else the closing
 * bracket and blanks. */
static enum loaded load_tail(struct reader *reader, struct block *block, struct error *e)
{
    struct json *json = reader->state;
    if (json->nrest == 0 && !json->ended && !json_fill(reader, e))
        return LOAD_ERROR;
    if (json->nrest == 0)
        return LOAD_END;
    struct json_scan scan = json_scan_rest(json);
    const char *p = json_space(json->rest + json->split.last); /* after the head, if there are no rows */
    json->split.last = 0;
    if (!json->inside && !json->closed && *p == ']') {
        json->closed = true;
        p = json_space(p + 1);
    }
    if (json->inside || p == scan.end)
        return give(reader, block, json->nrest, 0, e);
    if (json->closed)
        json_ends(p, &scan);
    else
        json_fail(&scan, p, "expected ',' or ']'");
    scan.more = true; /* how much text follows depends on how the input was cut into pieces */
    json_explain(&scan, json->rest, NULL, "$", &block->error);
    return give(reader, block, (size_t)(p - json->rest), 0, e);
}

enum loaded json_load(struct reader *reader, struct block *block, struct error *e)
{
    struct json *json = reader->state;
    if (json->rows == JSON_COLUMNS)
        return json->nrest == 0 ? LOAD_END : give(reader, block, json->nrest, (size_t)json->nrow, e);
    return json->tail ? load_tail(reader, block, e) : load_rows(reader, block, e);
}
