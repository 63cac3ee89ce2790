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

/* Counts a byte outside of strings: a bracket may end a record. */
static inline void count_byte(struct json_split *split, size_t at, char byte)
{
    if ((byte | 0x20) == '{') {
        split->depth++;
    } else if ((byte | 0x20) == '}') {
        split->closed = --split->depth < 0;
        if (split->closed) {
            split->n = at;
        } else if (split->depth == 0) {
            split->nrow++;
            split->last = at + 1;
        }
    }
}

/* Searches byte by byte: near escapes, in the last few bytes, and on machines without SSE2. */
static void split_bytes(struct json_split *split, const char *text, size_t n)
{
    for (; split->n < n && !split->closed && split->nrow < split->most; split->n += !split->closed) {
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
    for (size_t few; split->n < n && split->nrow < split->most; split->n += few) {
        few = n - split->n < split->most ? n - split->n : split->most; /* a record is of one byte at least */
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
    while (json_split.n + 64 <= n && !json_split.closed && json_split.nrow < json_split.most) {
        size_t at = json_split.n;
        uint64_t quotes = 0, found = 0; /* bit i: text[at + i] is a quote, or a bracket */
        __m128i escape = _mm_setzero_si128();
#pragma GCC unroll 4
        for (int i = 0; i < 64; i += 16) {
            __m128i x = _mm_loadu_si128((const __m128i *)(const void *)(text + at + i));
            /* Finds brackets, and Y y _ DEL, which only occur in strings. */
            __m128i bracket = _mm_cmpeq_epi8(_mm_or_si128(x, _mm_set1_epi8(0x26)), _mm_set1_epi8(0x7F));
            escape = _mm_or_si128(escape, _mm_cmpeq_epi8(x, _mm_set1_epi8('\\')));
            quotes |= bits(_mm_cmpeq_epi8(x, _mm_set1_epi8('"'))) << i;
            found |= bits(bracket) << i;
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
    if (split->lines) {
        split_lines(split, text, n);
        return;
    }
    while (split->n < n && !split->closed && split->nrow < split->most) {
#if defined __SSE2__ && !defined SPRUNG_PLAIN
        if (split->most > 1)
            split_masks(split, text, n);
#endif
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

/* Reads on until a record has ended; or the array or the input has ended; or the record is too long. */
static bool await_row(struct reader *reader, struct error *e)
{
    struct json *json = reader->state;
    for (;;) {
        json_split(&json->split, json->rest, json->nrest);
        if (json->split.nrow > 0 || json->split.closed || json->ended ||
            json->nrest - json->split.last > FORMAT_MAXROW)
            return true;
        if (!json_fill(reader, e))
            return false;
    }
}

struct json_scan json_scan_rest(const struct json *json)
{
    return (struct json_scan){ .end = json->rest + json->nrest, .more = !json->ended };
}

const char *json_ends(const char *p, struct json_scan *scan)
{
    return p == scan->end ? p
                          : json_fail_showing(scan, p, 1, "text after the end of the document",
                                              "for one record per line, try --from jsonl");
}

/* --- blocks --- */

/* Gives the first ntext bytes of rest to the block, as text with nrow records. */
static enum loaded give(const struct reader *reader, struct block *block, size_t ntext, size_t nrow,
                        struct error *e)
{
    struct json *json = reader->state;
    struct block_shape shape = reader_shape(reader);
    shape.ncell = json->ncell; /* the cells of columns, then the anchor */
    if (!block_reserve_text(block, ntext + JSON_SLACK, e) || !block_reserve(block, nrow, shape, e))
        return LOAD_ERROR;
    memcpy(block->text, json->rest, ntext);
    memset(block->text + ntext, 0, JSON_SLACK);
    block->ntext = ntext;
    block->nrow = nrow;
    block->firstrow = json->nrow;
    json->nrow += nrow;
    json->rest += ntext;
    json->nrest -= ntext;
    json->ngiven += ntext;
    return LOAD_ROWS;
}

/* Gives a block without rows that ends before the fault of a scan. */
static enum loaded give_fault(const struct reader *reader, struct block *block, const struct json_scan *scan,
                              struct error *e)
{
    struct json *json = reader->state;
    json_explain(scan, json->rest, NULL, json->prefix, &block->error);
    return give(reader, block, (size_t)(scan->at - json->rest), 0, e);
}

/* Gives the text after the records, which was checked where the document was held. */
static enum loaded load_tail(struct reader *reader, struct block *block, struct error *e)
{
    struct json *json = reader->state;
    while (!json->ended)
        if (!json_fill(reader, e))
            return LOAD_ERROR;
    if (json->nrest == 0)
        return LOAD_END;
    struct json_scan scan = json_scan_rest(json);
    const char *p = json_space(json->rest + json->split.last); /* after the head, if there are no rows */
    if (*p != ']')
        json_fail(&scan, p, "expected another record, or ']'");
    else if (json->held || json_ends(json_space(p + 1), &scan))
        return give(reader, block, json->nrest, 0, e);
    return give_fault(reader, block, &scan, e);
}

enum loaded json_load(struct reader *reader, struct block *block, struct error *e)
{
    struct json *json = reader->state;
    struct json_split *split = &json->split;
    if (json->columns)
        return json->nrest > 0 ? give(reader, block, json->nrest, json->length, e) : LOAD_END;
    const size_t most = JSON_MAXCELLS / (json->ncell + reader->table.nvalue + reader->nout + 1);
    split->most = most > JSON_MAXROWS ? JSON_MAXROWS : most + 1;
    if (reader_wants_row(reader))
        split->most = 1;
    if (!await_row(reader, e))
        return LOAD_ERROR;
    size_t nrow = split->nrow, ntext = split->last;
    if (nrow == 0 && split->closed)
        return load_tail(reader, block, e);
    if (nrow == 0 && !json->ended) {
        struct json_scan scan = json_scan_rest(json);
        json_fail(&scan, json->rest, "a record is longer than 64 MiB");
        return give_fault(reader, block, &scan, e);
    }
    if (nrow == 0 && json->nrest == 0 && json->lines)
        return LOAD_END;
    if (nrow == 0) { /* the last line, or the rest of a document that stops too early */
        nrow = 1;
        ntext = json->nrest;
    }
    split->n = split->closed ? 0 : split->n - ntext;
    split->nrow = split->last = 0;
    return give(reader, block, ntext, nrow, e);
}
