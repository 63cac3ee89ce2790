/* The two printers of sprung inspect, straight from what was found: for people (page.c) and for programs
 * (json.c). A report that is out of memory fails when its text is taken. */
#ifndef SPRUNG_VIEW_INSPECT_PRINT_H
#define SPRUNG_VIEW_INSPECT_PRINT_H

#include "base/json_out.h"
#include "view/inspect/advice.h"

void inspect_page_file(struct text *page, const struct reader *reader, const char *name);
/* all: each channel has a line, not the first few only. */
void inspect_page_table(struct text *page, const struct inspect_table *table, bool all);
void inspect_page_advice(struct text *page, const struct inspect_advice *advice);

void inspect_json_file(struct json_out *json, const struct input *in, const char *name);
void inspect_json_table(struct json_out *json, struct cJSON *tables, const struct inspect_table *table);
void inspect_json_advice(struct json_out *json, const struct inspect_advice *advice);

/* --- what both say: words.c --- */

enum { INSPECT_WORDS = 400 /* bytes of the words about a column */ };

/* The character between cells of a table of text, in words; NULL: the format has a fixed character. */
const char *inspect_delimiter(const struct reader *reader, char buf[8]);

/* The reason for a kind of numbers in a word or two; "": it needs none, or more. */
const char *inspect_kind_reason(enum inspect_kind kind);

/* What a channel's numbers are; "": any numbers. */
void inspect_kind_words(const struct inspect_meaning *meaning, char words[INSPECT_WORDS]);

/* The reason for the role of column i. */
void inspect_reason(const struct inspect_table *table, size_t i, char reason[INSPECT_WORDS]);

#endif
