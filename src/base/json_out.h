/* Reports in JSON for other programs, made with cJSON. Numbers are printed by number.h and lose no digit.
 * When out of memory, json_out_take returns NULL; the other functions need no check. Invariant: the text is
 * valid JSON in UTF-8; in names, bytes that are not UTF-8 are replaced by U+FFFD. */
#ifndef SPRUNG_BASE_JSON_OUT_H
#define SPRUNG_BASE_JSON_OUT_H

#include <stdbool.h>
#include <stdint.h>

struct cJSON;

struct json_out {
    struct cJSON *root; /* the object that is the whole report; owned */
    bool failed;        /* out of memory: the report is incomplete */
};

void json_out_open(struct json_out *json_out);

/* Each function adds an item to the object `to` under a name, or to the array `to` where name is NULL. A new
 * object or array is returned and can be the `to` of other calls. When out of memory, NULL is returned; a
 * `to` of NULL is allowed. */
struct cJSON *json_out_object(struct json_out *json_out, struct cJSON *to, const char *name);
struct cJSON *json_out_array(struct json_out *json_out, struct cJSON *to, const char *name);
void json_out_text(struct json_out *json_out, struct cJSON *to, const char *name, const char *text);
void json_out_bool(struct json_out *json_out, struct cJSON *to, const char *name, bool value);
void json_out_count(struct json_out *json_out, struct cJSON *to, const char *name, uint64_t n);
/* Infinite numbers and NaN become null. */
void json_out_number(struct json_out *json_out, struct cJSON *to, const char *name, double x);

/* Frees a report without making its text; safe on a report of zeroes. */
void json_out_close(struct json_out *json_out);

/* The text of the report with a newline at the end, malloc'ed; NULL: out of memory. Frees the report. */
char *json_out_take(struct json_out *json_out, bool one_line);

#endif
