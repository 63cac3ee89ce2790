/* What the files of json share. A record is read by a tree made from the first one: its members in order, and
 * which of them are wanted. A record laid out as the first one was is read by that layout alone (struct
 * json_slot). Every text that is scanned is followed by JSON_SLACK readable bytes, all 0: no scan looks for
 * the end, since a 0 is good nowhere in JSON. */
#ifndef SPRUNG_JSON_H
#define SPRUNG_JSON_H

#include "formats/format.h"

#include <string.h>

#if defined __SSE2__ && !defined SPRUNG_PLAIN
#include <emmintrin.h>
#endif

enum {
    JSON_SLACK = 64,
    JSON_DEPTH = 1000,  /* arrays and objects in each other */
    JSON_MAXROWS = 4096 /* records in a block, but for a few: a row takes memory even if its text is short */
};

/* --- json_scan.c: tokens and values, strictly by RFC 8259 --- */

/* A scan and its fault. Functions return the byte after what they took, or NULL. */
struct json_scan {
    const char *end;
    bool more;        /* end is not the end of the input: what touches it may go on */
    const char *at;   /* where the fault is; at end: the text stops too early */
    const char *what; /* in words */
    const char *hint; /* or NULL */
    size_t nexcerpt;  /* bytes from at on that show it; 0: a word */
};

/* Sets the fault; returns NULL. */
const char *json_fail(struct json_scan *s, const char *at, const char *what);

static inline const char *json_space(const char *p)
{
    while (*p == ' ' || *p == '\n' || *p == '\t' || *p == '\r')
        p++;
    return p;
}

static inline bool json_digit(char c)
{
    return (unsigned char)(c - '0') < 10;
}

/* The first byte from p on that is a quote, a backslash, a control or not ASCII. Reads at most 15 bytes
 * past it. The first does it without the machine's vectors, for machines that have none, and for tests. */
static inline const char *json_plain_bytes(const char *p)
{
    while ((unsigned char)*p >= 0x20 && (unsigned char)*p < 0x80 && *p != '"' && *p != '\\')
        p++;
    return p;
}

static inline const char *json_plain(const char *p)
{
#if defined __SSE2__ && !defined SPRUNG_PLAIN
    for (;; p += 16) {
        __m128i x = _mm_loadu_si128((const __m128i *)(const void *)p);
        __m128i control = _mm_cmplt_epi8(x, _mm_set1_epi8(0x20)); /* signed: bytes past 127 as well */
        __m128i quote = _mm_cmpeq_epi8(x, _mm_set1_epi8('"'));
        __m128i backslash = _mm_cmpeq_epi8(x, _mm_set1_epi8('\\'));
        int found = _mm_movemask_epi8(_mm_or_si128(control, _mm_or_si128(quote, backslash)));
        if (found)
            return p + __builtin_ctz((unsigned)found);
    }
#else
    return json_plain_bytes(p);
#endif
}

/* The string that begins with the quote at p. */
const char *json_string(const char *p, struct json_scan *s);

/* The number at p. */
const char *json_number(const char *p, struct json_scan *s);

/* Any value; one that stands depth levels deep already. */
const char *json_value(const char *p, size_t depth, struct json_scan *s);

/* Of a good string's inside: one byte, or the *n bytes of one escape. */
const char *json_character(const char *p, char one[4], size_t *n);

/* A good string's inside of n bytes into buf without escapes, max bytes at most. Returns the length. */
size_t json_unescape(const char *p, size_t n, char *buf, size_t max);

/* A walk through nested values that can stop before any token and go on when there is more text. */
struct json_walk {
    uint64_t object[JSON_DEPTH / 64 + 1]; /* bit d: level d + 1 is an object */
    size_t depth;
    enum {
        JSON_AT_VALUE,
        JSON_AT_FIRST_VALUE,
        JSON_AT_FIRST_KEY,
        JSON_AT_KEY,
        JSON_AT_COLON,
        JSON_AT_NEXT
    } state;
    const char *token; /* where it stopped */
    size_t least;      /* the least depth there was since the caller set this */
    /* Called with each key (its inside); false stops with the callee's fault. May be NULL. */
    bool (*key)(const struct json_walk *w, const char *key, size_t nkey, struct json_scan *s);
    const void *closure;
};

/* Enters an array or object that begins at p. */
const char *json_enter(struct json_walk *w, const char *p, struct json_scan *s);

/* One token, from p on, where no blanks are. NULL: the same token can be tried again. */
const char *json_step(struct json_walk *w, const char *p, struct json_scan *s);

/* Is the walk in an object? */
bool json_in_object(const struct json_walk *w);

/* Goes on at p until a value at the given depth is complete. NULL: w->token is where to go on; it was only
 * for want of text if s->at == s->end. */
const char *json_walk(struct json_walk *w, const char *p, size_t depth, struct json_scan *s);

/* The fault as an error. Its line is counted from text; its path is prefix, then the way from top to the
 * fault. */
bool json_explain(const struct json_scan *s, const char *text, const char *top, const char *prefix,
                  struct error *e);

/* --- json_cut.c: where records end --- */

/* A fast look over text that is taken on trust: strings are told from the rest, brackets are counted. */
struct json_cut {
    enum json_rows { JSON_BRACKETS, JSON_COMMAS, JSON_LINES } rows; /* what a record ends with */
    bool string, escape;
    int64_t depth;
    size_t n;    /* bytes looked at */
    size_t nrow; /* records that ended, and where the last one did (its comma does not belong to it) */
    size_t last;
    bool closed; /* the array that holds them ended too, at byte n */
};

/* Looks at text[c->n .. n), or up to the end of the array, or until JSON_MAXROWS records ended. */
void json_cut(struct json_cut *c, const char *text, size_t n);

/* Bit i: text[i] is such a byte; a bracket, or one of the bytes Y y _ DEL, which only stand in strings. */
struct json_masks {
    uint64_t quote, bracket, comma;
    bool escape; /* there is a backslash */
};

/* Of 64 bytes; the second does it without the machine's vectors, for machines that have none, and for
 * tests. */
void json_masks(const char *text, struct json_masks *m);
void json_masks_plain(const char *text, struct json_masks *m);

/* --- json_tree.c: the first record as a tree --- */

enum json_kind { JSON_LEAF, JSON_OBJECT, JSON_ARRAY, JSON_COLUMN };

struct json_node {
    enum json_kind kind;
    struct json_node *parent, **child;
    size_t nchild, maxchild;
    const char *key; /* as the input spells it, without quotes; of a member */
    size_t nkey;
    char *own;      /* the key's memory where it is not the input's, else NULL */
    bool taken;     /* an added member has this name: no record may have one */
    size_t index;   /* among the parent's children */
    bool nul;       /* the key has \u0000 in it */
    uint32_t *slot; /* children by name: open addressing, child + 1, 0 is empty; NULL: few children */
    size_t nslot;
    /* Where it stands in the text of the first record: its key's quote (its own first byte if it has none),
     * its value */
    const char *start, *at, *end;
    const char *again; /* another value of this name in the same object; or NULL */
    size_t count;  /* elements of a JSON_COLUMN */
    size_t column; /* in the table, or COLUMN_NONE */

    /* set by json_bind */
    bool wanted; /* it or something in it */
    bool time;
    size_t cell, value; /* or COLUMN_NONE */
    size_t anchor; /* recorded cell of an outermost array: its whole span; of a record that is an array: its
                      end */
};

/* The value at p as a tree whose leaves are columns of t, named by their path below the node. columns: arrays
 * of scalars are columns of rows (JSON_COLUMN). */
struct json_node *json_tree(struct columns *t, const char *p, bool columns, struct json_scan *s,
                            struct error *e);
void json_tree_free(struct json_node *n);

/* Do two keys as they are spelled name the same? */
bool json_same_key(const char *a, size_t na, const char *b, size_t nb);

/* The member of that key (as spelled), or NULL. */
struct json_node *json_tree_find(const struct json_node *n, const char *key, size_t nkey);

/* Adds a member of that key, which is not there, as one that no record may have. */
bool json_tree_take(struct json_node *n, const char *key, size_t nkey, struct error *e);

/* The place of one value in a record that is laid out as the first one. */
struct json_slot {
    const char *literal; /* what stands before it */
    size_t nliteral;
    uint64_t word, mask; /* its first eight bytes, and which of these count */
    /* NUMBER: a leaf as TAKE, that had a number in the first record */
    enum { JSON_NUMBER, JSON_TAKE, JSON_SKIP, JSON_OPEN, JSON_CLOSE, JSON_HERE, JSON_LAST } kind;
    const struct json_node *node; /* NUMBER, TAKE: the leaf; OPEN, CLOSE, HERE: the anchored array */
    size_t depth;                 /* of the value */
};

/* --- the reader --- */

enum json_shape { JSON_RECORDS, JSON_ARRAYS, JSON_NUMBERS, JSON_COLUMNS, JSON_NO_ROWS };

struct json {
    bool lines; /* jsonl */
    enum json_shape shape;
    bool missing; /* --missing is given: numbers may be gaps */

    char *head; /* what stands before the first record */
    size_t nhead;
    char prefix[128]; /* of paths: "$", "$.tracks" */
    char **pointer;   /* --records: its parts, written as keys */
    size_t npointer;
    struct json_walk walk;  /* the levels around the records */
    size_t depth;           /* how many those are */
    char *first;            /* the first record, JSON_SLACK bytes more */
    struct json_node *root; /* its tree; NULL when there is none */
    size_t ncell;           /* the table's and anchors */
    struct json_slot *slot;
    size_t nslot;

    char *rest; /* read, but not yet in a block; JSON_SLACK bytes more. JSON_COLUMNS: the whole document */
    size_t nrest, maxrest;
    bool ended;          /* nothing is left to read */
    bool tail;           /* the records are over */
    struct json_cut cut; /* of rest */
    uint64_t nrow;       /* records in blocks so far; JSON_COLUMNS: all */
    size_t whole;        /* JSON_COLUMNS: bytes of the document */
    _Atomic bool hollow; /* a record had null where others have an array or object with wanted cells */
};

/* json_pointer.c */
/* Appends what one read gives to rest. */
bool json_fill(struct reader *r, struct error *e);

/* A scan of rest as far as it was read, and its fault as an error; it has lines and a document before it. */
struct json_scan json_scan_rest(const struct json *j);
bool json_explain_rest(const struct json *j, const struct json_scan *s, const char *top, const char *prefix,
                       struct error *e);

/* Is --records a pointer, if it is given? */
bool json_check(const struct input_options *o, struct error *e);

/* Takes --records, if it is given. */
bool json_read_pointer(struct json *j, const struct input_options *options, struct error *e);

/* Reads on until the value begins that --records names, from rest[*at] on; its place in rest in *at. */
bool json_find_records(struct reader *r, size_t *at, struct error *e);

/* json_open.c */
bool json_open(struct reader *r, bool lines, struct error *e);
void json_close(struct reader *r);

/* json_bind.c: after columns_select; which nodes are wanted, and the slots. */
bool json_bind(struct reader *r, struct error *e);

/* json_load.c */
enum loaded json_load(struct reader *r, struct block *b, struct error *e);

/* json_parse.c */
void json_parse(const struct reader *r, struct block *b);

/* The row that is being parsed. */
struct json_row {
    const struct reader *r;
    const struct json *j;
    struct block *b;
    size_t i;
    struct span *cell; /* of this row */
    struct json_scan s;
};

/* Takes the value at p, which stands depth levels deep, as the cell of leaf n, which is absent: span, value,
 * time. */
const char *json_take(struct json_row *row, const struct json_node *n, const char *p, size_t depth);

/* Makes all cells of the row absent. */
void json_clear(const struct json_row *row);

/* json_layout.c: the record at p, if it is laid out as the first one; NULL if not, or if it has a fault: then
 * nothing is known of its cells. */
const char *json_by_layout(struct json_row *row, const char *p);

/* json_columns.c: objects of columns */
bool json_columns_check(struct reader *r, struct error *e);
void json_columns_parse(const struct reader *r, struct block *b);
enum loaded json_columns_load(struct reader *r, struct block *b, struct error *e);

/* json_write.c */
bool json_accept(struct writer *w, struct error *e);
bool json_begin(struct writer *w, struct block *b, struct error *e);
void json_print(const struct writer *w, struct block *b);
bool json_finish(struct writer *w, struct block *b, struct error *e);
void json_end(struct writer *w);

#endif
