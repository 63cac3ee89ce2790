/* What sprung inspect reports about a file: facts in order. Programs read the values as JSON; people read the
 * words, in lines with labels, and of channels a table of values. */
#ifndef SPRUNG_VIEW_INSPECT_FACTS_H
#define SPRUNG_VIEW_INSPECT_FACTS_H

#include "base/text.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum fact_kind {
    FACT_OBJECT, /* the facts up to its FACT_END are members of an object */
    FACT_ARRAY,  /* the facts up to its FACT_END are items of an array */
    FACT_END,
    FACT_TEXT,
    FACT_FLAG,
    FACT_COUNT,
    FACT_NUMBER,
    FACT_WORDS, /* for people alone */
    FACT_SPARK  /* for people alone: a picture of a channel's values */
};

struct fact {
    enum fact_kind kind;
    const char *key; /* the member of the JSON, or NULL in an array; of FACT_WORDS: the label of a new line,
                        or NULL to go on with the line */
    char *text;      /* FACT_TEXT; FACT_WORDS and FACT_SPARK, without control bytes; owned; else NULL */
    double number;   /* FACT_FLAG, FACT_COUNT, FACT_NUMBER; NaN: not known */
};

struct facts {
    struct fact *at; /* [n] owned */
    size_t n, max;
    bool failed; /* out of memory: the facts are incomplete */
};

/* key: see struct fact; it is not copied. When out of memory, facts->failed is set. */
void facts_open(struct facts *facts, enum fact_kind kind, const char *key);
void facts_close(struct facts *facts);
void facts_text(struct facts *facts, const char *key, const char *text);
void facts_flag(struct facts *facts, const char *key, bool value);
void facts_count(struct facts *facts, const char *key, uint64_t count);
void facts_number(struct facts *facts, const char *key, double number);
void facts_say(struct facts *facts, const char *label, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
void facts_spark(struct facts *facts, char *spark); /* takes a malloc'ed text, or NULL where out of memory */
void facts_free(struct facts *facts);

/* The report, malloc'ed: a line of JSON, or text for a terminal, where only `all` shows the values of more
 * than a few channels. NULL: out of memory. */
char *facts_json(const struct facts *facts);
char *facts_page(const struct facts *facts, bool all);

/* Sets the characters of names and of each FACT_SPARK in the table of values. longest: those of the longest
 * name. */
void facts_value_widths(size_t longest, size_t *name, size_t *spark);

#endif
