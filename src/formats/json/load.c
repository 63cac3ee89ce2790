/* Cuts the input into blocks of whole records. A block ends with the last byte of a record: the comma after
 * the record comes with the next record, so that a record goes out as soon as it is whole. The text after
 * the last record is checked, and passed on in a block without rows. For parse, load sets block->nrow to the
 * number of records (of jsonl: at most as many), and block->firstrow to that of the first. */
#include "formats/json/json.h"

#include "base/array.h"
#include "base/port.h"

#if defined __SSE2__ && !defined SPRUNG_PLAIN
#include <emmintrin.h>
#endif

/* --- where records end ---
 * At the speed of memory: quotes, backslashes and brackets are found 64 bytes at a time as bits, and strings
 * are masked out by a running exclusive or of the quotes' bits (as in Langdale and Lemire, "Parsing gigabytes
 * of JSON per second", 2019). Nothing is checked here: the parser reads each record strictly, and up to the
 * first fault the parser sees the same strings and brackets.
 * Invariant: the result does not depend on the pieces in which the text came. */

/* Bit i: text[i], with the bits of `also` set, is the byte. Reads 64 bytes. */
static inline uint64_t find(const char *text, char also, char byte)
{
    uint64_t found = 0;
#if defined __SSE2__ && !defined SPRUNG_PLAIN
#pragma GCC unroll 4
    for (int i = 0; i < 64; i += 16) {
        const __m128i x = _mm_loadu_si128((const __m128i *)(const void *)(text + i));
        const __m128i equal = _mm_cmpeq_epi8(_mm_or_si128(x, _mm_set1_epi8(also)), _mm_set1_epi8(byte));
        found |= (uint64_t)(unsigned)_mm_movemask_epi8(equal) << i;
    }
#else
    for (int i = 0; i < 64; i++)
        found |= (uint64_t)((text[i] | also) == byte) << i;
#endif
    return found;
}

/* Bit i of the result: an odd number of bits 0..i are set. */
static inline uint64_t running_xor(uint64_t x)
{
#pragma GCC unroll 6
    for (int shift = 1; shift < 64; shift *= 2)
        x ^= x << shift;
    return x;
}

/* Finds the bytes that follow a backslash, unless that backslash follows another; escape: the first of the n
 * bytes does, and is set for the byte after them. */
static inline uint64_t find_escaped(uint64_t backslashes, size_t n, bool *escape)
{
    uint64_t escaped = *escape;
    *escape = false;
    for (backslashes &= ~escaped; backslashes; backslashes &= ~escaped) {
        const uint64_t first = backslashes & (~backslashes + 1);
        escaped |= first << 1;
        *escape = first >> (n - 1);
        backslashes &= ~first;
    }
    return escaped;
}

/* Finds the brackets outside of strings among n bytes, at most 64. Sets whether the byte after them is in a
 * string, and whether it is escaped. */
static inline uint64_t find_brackets(struct json_split *split, const char *text, size_t n)
{
    const uint64_t here = ~(uint64_t)0 >> (64 - n);
    const uint64_t escaped = find_escaped(find(text, 0, '\\') & here, n, &split->escape);
    const uint64_t quotes = find(text, 0, '"') & here & ~escaped;
    const uint64_t inside = running_xor(quotes) ^ (split->string ? ~(uint64_t)0 : 0);
    split->string = inside >> (n - 1) & 1;
    /* Also finds Y y _ DEL, which occur in strings only. */
    return find(text, 0x26, 0x7F) & here & ~inside;
}

/* Counts a bracket, or the line end after a record, at text[at]. Returns whether the search continues. */
static inline bool count_end(struct json_split *split, const char *text, size_t at)
{
    const char byte = (char)(text[at] | 0x20); /* of a bracket: the brace of the same side */
    if (byte == '{') {
        split->depth++;
        return true;
    }
    if (!split->lines && (byte != '}' || --split->depth > 0))
        return true;
    split->closed = split->depth < 0;
    if (!split->closed) {
        split->nrow++;
        split->last = at + 1;
    }
    return !split->closed && split->nrow < split->most;
}

void json_split(struct json_split *json_split, const char *text, size_t n)
{
    struct json_split split = *json_split; /* a copy, to keep members in registers */
    while (split.n < n && !split.closed && split.nrow < split.most) {
        const size_t at = split.n, few = n - at < 64 ? n - at : 64;
        const uint64_t here = ~(uint64_t)0 >> (64 - few);
        uint64_t found = split.lines ? find(text + at, 0, '\n') & here
                                     : find_brackets(&split, text + at, few);
        split.n = at + few;
        for (; found; found &= found - 1) {
            const size_t place = at + (unsigned)__builtin_ctzll(found);
            if (count_end(&split, text, place))
                continue;
            split.n = place + !split.closed;
            split.string = split.escape = false;
            break;
        }
    }
    *json_split = split;
}

/* --- reading --- */

bool json_fill(struct reader *reader, struct error *e)
{
    struct json *json = reader->state;
    if (json->rest != json->text)
        memmove(json->text, json->rest, json->nrest);
    size_t aim = json->nrest > FORMAT_BLOCK ? json->nrest : FORMAT_BLOCK, got = 0;
    const bool good = array_reserve(&json->text, json->nrest + aim + JSON_SLACK, &json->maxtext, 1, e);
    json->rest = json->text;
    if (!good || (!json->ended && !source_read(reader->source, json->rest + json->nrest, aim, &got, e)))
        return false;
    json->nrest += got;
    json->ended = got == 0;
    memset(json->rest + json->nrest, 0, JSON_SLACK);
    return true;
}

bool json_await_row(struct reader *reader, struct error *e)
{
    struct json *json = reader->state;
    struct json_split *split = &json->split;
    for (;;) {
        json_split(split, json->rest, json->nrest);
        if (split->nrow > 0 || split->closed)
            return true;
        if (json->ended)
            break;
        if (json->nrest - split->last > FORMAT_MAXROW) {
            struct json_scan scan = json_scan_rest(json);
            json_fail(&scan, json->rest + split->last, "a record is longer than 64 MiB");
            return json_explain(&scan, NULL, json->prefix, e);
        }
        if (!json_fill(reader, e))
            return false;
    }
    split->nrow = !split->lines || split->last < json->nrest;
    split->last = json->nrest;
    return true;
}

struct json_scan json_scan_rest(const struct json *json)
{
    return (struct json_scan){ .text = json->rest, .end = json->rest + json->nrest, .more = !json->ended };
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
    shape.ncell = json->anchor + 1;
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
    return LOAD_ROWS;
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
    p = *p == ']' ? json_space(p + 1) : json_fail(&scan, p, "expected another record, or ']'");
    if (p && (json->held || json_ends(p, &scan)))
        return give(reader, block, json->nrest, 0, e);
    json_explain(&scan, NULL, json->prefix, &block->error);
    return give(reader, block, (size_t)(scan.at - json->rest), 0, e);
}

enum loaded json_load(struct reader *reader, struct block *block, struct error *e)
{
    struct json *json = reader->state;
    struct json_split *split = &json->split;
    if (json->columns)
        return json->nrest > 0 ? give(reader, block, json->nrest, json->length, e) : LOAD_END;
    const size_t most = JSON_MAXCELLS / (json->anchor + 2 + reader->table.nvalue + reader->nout);
    split->most = most > JSON_MAXROWS ? JSON_MAXROWS : most + 1;
    if (reader_wants_row(reader))
        split->most = 1;
    if (!json_await_row(reader, e))
        return LOAD_ERROR;
    const size_t nrow = split->nrow, ntext = split->last;
    if (nrow == 0)
        return split->closed ? load_tail(reader, block, e) : LOAD_END;
    split->n = split->closed ? 0 : split->n - ntext;
    split->nrow = split->last = 0;
    return give(reader, block, ntext, nrow, e);
}
