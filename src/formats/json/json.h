/* What the files of JSON share: scanning, the shape of the first record, and the reader.
 * Invariant: every text that is scanned is followed by JSON_SLACK readable bytes, all 0. No scan looks for
 * the end of the text, since a 0 is valid nowhere in JSON. */
#ifndef SPRUNG_FORMATS_JSON_JSON_H
#define SPRUNG_FORMATS_JSON_JSON_H

#include "base/name_table.h"
#include "base/text.h"
#include "formats/format.h"
#include "formats/splice.h"
#include "number/word.h"

#include <string.h>

enum {
    JSON_SLACK = 64,           /* zeros after every text that is scanned */
    JSON_DEPTH = 1000,         /* most levels of nested arrays and objects */
    JSON_MAXNAME = 4096,       /* most bytes of a name */
    JSON_MAXROWS = 4096,       /* about the most records in a block */
    JSON_MAXCELLS = 256 * 1024 /* about the most cells and numbers in a block */
};

/* --- lexer.c: tokens and values, strictly by RFC 8259 --- */

/* A scan and the fault of the scan. A function that reads returns the byte after the last one that was read;
 * NULL: there is a fault. */
struct json_scan {
    const char *text;             /* begin of the text, where lines are counted from */
    const char *end;              /* end of the text */
    bool more;                    /* more input may follow end: a number that touches end may continue */
    const char *at;               /* place of the fault; equal to end: the text stops too early */
    const char *what;             /* the fault in words */
    const char *hint;             /* a hint for the user; NULL: no hint */
    size_t nexcerpt;              /* bytes to show from the fault on */
    const struct json_node *leaf; /* the fault is a cell in the place of a number or time; else NULL */
};

/* Set the fault and return NULL. n: bytes to show, else one. */
const char *json_fail(struct json_scan *scan, const char *at, const char *what);
const char *json_fail_showing(struct json_scan *scan, const char *at, size_t n, const char *what,
                              const char *hint);

/* The first byte from p on that is no blank. */
static inline const char *json_space(const char *p)
{
    while (*p == ' ' || *p == '\n' || *p == '\t' || *p == '\r')
        p++;
    return p;
}

/* The first token of a document. */
static inline const char *json_start(const char *p)
{
    return json_space(memcmp(p, "\xEF\xBB\xBF", 3) == 0 ? p + 3 : p);
}

static inline bool json_digit(char c)
{
    return (unsigned char)(c - '0') < 10;
}

/* Does the value at p begin as a number does? */
static inline bool json_is_number(const char *p)
{
    return json_digit(*p) || *p == '-';
}

/* The first byte from p on that is a quote, a backslash, a control or not ASCII. Reads at most 7 bytes past
 * that byte. */
static inline const char *json_plain(const char *p)
{
    const uint64_t each = 0x0101010101010101; /* times a byte: eight of it */
    for (;; p += 8) {
        const uint64_t x = word_get(p, 8, false), quote = x ^ '"' * each, backslash = x ^ '\\' * each;
        /* The top bit of the first such byte is set, and of none before it. */
        const uint64_t found = (x | (x - ' ' * each) | (quote - each) | (backslash - each)) & 0x80 * each;
        if (found)
            return p + __builtin_ctzll(found) / 8;
    }
}

/* The end of the last member or element of the valid object or array from p to end; p + 1: it is empty. */
static inline const char *json_last(const char *p, const char *end)
{
    for (end--; end > p + 1 && (unsigned char)end[-1] <= ' ';)
        end--;
    return end;
}

/* Reads any value. */
const char *json_value(const char *p, struct json_scan *scan);

/* Writes the n bytes inside a valid string to buf, which may be p, without escapes; n bytes are enough.
 * Returns the length. */
size_t json_unescape(const char *p, size_t n, char *buf);

/* A cursor over the members of an object or the elements of an array. */
struct json_items {
    bool object;
    size_t count;    /* number of values so far */
    const char *key; /* [nkey] name of the value as spelled, without quotes; NULL: not read yet */
    size_t nkey;
    const char *end; /* the byte after the closing bracket; NULL: json_next did not read the bracket yet */
};

/* The next value. First call: items is zeroed, p is the opening bracket; later calls: p is the byte after the
 * last value. NULL: the closing bracket was read, and items->end is set; or a fault. */
const char *json_next(struct json_items *items, const char *p, struct json_scan *scan);

/* --- lexer.c: text that was checked before --- */

/* As json_next, but in later calls p is the last value. */
const char *json_each(struct json_items *items, const char *p);

/* The value of the member with a name; NULL: no such member, or `object` is NULL or no object. */
const char *json_member(const char *object, const char *name);

/* The *n bytes inside the quotes of a string; NULL: the value is NULL or no string. */
const char *json_inside(const char *value, size_t *n);

/* Is the value a string that is equal to the word? False for NULL. */
bool json_is(const char *value, const char *word);

/* Gives an error the line of the fault, and the path: prefix, then the way from the value at top to the
 * fault. top NULL: prefix alone. Returns false. */
bool json_place(const struct json_scan *scan, const char *top, const char *prefix, struct error *e);

/* Makes the fault an error with its place. Returns false. */
bool json_explain(const struct json_scan *scan, const char *top, const char *prefix, struct error *e);

/* Adds the step to a member or an element: with the sign / to a JSON Pointer, "/hip/0"; with . to the name of
 * a column, "hip.0", where elements of the record count from 1. */
void json_put_step(struct text *path, const struct json_items *items, char sign);

/* --- load.c --- */

/* A quick search for the ends of records in unchecked text: only strings and brackets are recognized. */
struct json_split {
    bool lines;    /* jsonl: a line end ends a record; else the closing bracket of an array or object does */
    bool string;   /* byte n is inside a string */
    bool escape;   /* byte n follows a backslash in a string */
    int64_t depth; /* number of open arrays and objects at byte n, inside the array of records */
    size_t n;      /* bytes that were searched */
    size_t most;   /* the search stops soon after this many records */
    size_t nrow;   /* records that ended */
    size_t last;   /* end of the last record */
    bool closed;   /* the array around the records ended, at byte n */
};

/* Searches text[split->n .. n), or to the end of the array, or until split->most records ended. */
void json_split(struct json_split *split, const char *text, size_t n);

/* Reads on until at least one record has ended, which json.split then counts, or the input or the array has
 * ended. What is left at the end of the input is a record. */
bool json_await_row(struct reader *reader, struct error *e);

/* Appends the bytes of one read to json.rest. */
bool json_fill(struct reader *reader, struct error *e);

/* --- shape.c: the values of the first record --- */

/* A value of the first record, or of the object of columns: a column, or an object or array of other nodes.
 */
struct json_node {
    bool added;         /* a member that the output adds, which no record may have */
    const char *before; /* of a column: end of the column's value before it, or begin of the record */
    const char *at;     /* place in the text of the first record, or of the object of columns */
    size_t count;       /* number of members or elements */
    size_t column;      /* index of the table's column; COLUMN_NONE: the node has other nodes */

    /* set by json_bind */
    bool time;    /* the value is the time of the row */
    bool numeric; /* a number is wanted: of a channel, or of a time that is no date */
    bool full;    /* of an object of columns: the array must have as many elements as there are rows */
    size_t cell;  /* index among the recorded cells of a row; COLUMN_NONE: no cell is recorded */
    size_t value; /* column of numbers in the block; COLUMN_NONE: no number is recorded */
    bool plain;   /* numeric, and no number is in the list of --missing */
};

struct json;

/* Makes the shape, and the reader's columns, of the valid value at p: a record, or with json.columns an
 * object of columns or an array of numbers. */
bool json_shape(struct reader *reader, const char *p, struct error *e);

/* The node of the value that json_next found in the value of `parent`; NULL: the first record has no such
 * value. Not inlined, as callers recurse and it takes much stack. */
__attribute__((noinline)) struct json_node *json_find(const struct json *json, const struct json_node *parent,
                                                      const struct json_items *items);

/* Adds a leaf. A name that the parent has already is an error. */
struct json_node *json_add_node(struct json *json, const struct json_node *parent,
                                const struct json_items *items, struct error *e);

FORMAT_FUNCTIONS(json);

/* --- the reader --- */

struct json {
    size_t nhead;     /* bytes before the first record, or the columns, in the block that has it */
    char prefix[128]; /* path of the records, where paths in messages begin: "$", "$/tracks" */
    bool held;        /* the document was read whole into rest, and checked */

    char *first;             /* owned; the first record with a channel, and JSON_SLACK bytes */
    struct json_node **node; /* [nnode] its values in the order of the text, itself first; then added
                                members; owned. nnode 0: no records */
    size_t nnode, maxnode;
    const char *last, *end;    /* end of its last leaf, and of the first record */
    struct name_table members; /* indices into node, by name or number; scope: the address of the parent */
    size_t time;               /* cell of the time; COLUMN_NONE: rows have no times */
    size_t anchor; /* the last cell, of no bytes, after the last value of a record: members are added here */

    bool columns;  /* the document has columns in place of records */
    size_t length; /* the number of rows */

    char *text; /* owned; what went into blocks, then rest */
    char *rest; /* [nrest] text that is in no block yet, then JSON_SLACK bytes */
    size_t nrest, maxtext;
    bool ended;              /* the input is read to the end */
    struct json_split split; /* of rest */
    uint64_t nrow;           /* records that went into blocks */
};

/* A scan of the text in rest. */
struct json_scan json_scan_rest(const struct json *json);

/* p, if the document ends at p; else NULL and a fault. */
const char *json_ends(const char *p, struct json_scan *scan);

/* Makes the fault in record number i, at p, an error. Returns false. */
bool json_explain_record(const struct reader *reader, const struct json_scan *scan, const char *p, uint64_t i,
                         struct error *e);

/* --- json_rows.c --- */

/* The end of the line of a record of jsonl, which lies from start to end; end NULL: the record has a fault.
 * Returns NULL for a fault. */
const char *json_end_line(struct json_scan *scan, const char *start, const char *end);

/* --- json_write.c --- */

/* Appends a text to the output. */
static inline bool json_put(struct block *block, const char *text)
{
    return block_put(block, text, strlen(text));
}

struct json_writer {
    enum {
        JSON_SAME_TEXT,    /* the reader's text, all of it, with the rows spliced */
        JSON_SAME_COLUMNS, /* the reader's columns */
        JSON_SAME_ROWS,    /* the reader's rows, spliced; the text between rows is rebuilt */
        JSON_COMPOSED      /* rows are rebuilt from their cells */
    } way;
    bool framed; /* the writer puts the rows into an array */
    struct splice splice;
    char **label; /* `, "x": ` of each column, then of each added column; NULL-terminated; owned */
};

#endif
