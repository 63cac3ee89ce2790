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

void inspect_json_file(struct json_out *json, const struct reader *reader, const char *name);
void inspect_json_table(struct json_out *json, struct cJSON *tables, const struct inspect_table *table);
void inspect_json_advice(struct json_out *json, const struct inspect_advice *advice);

/* The character between cells of a table of text, in words; NULL: the format has a fixed character. */
const char *inspect_delimiter(const struct reader *reader, char buf[8]);

#endif
