/* Reports in JSON for other programs, made with cJSON. Numbers are printed by number.h, so that no digit is
 * lost. When memory is out, json_out_take returns NULL; other functions need no check. Invariant: the text is
 * valid JSON in UTF-8; in names, bytes that are not UTF-8 are replaced by U+FFFD. */
#ifndef SPRUNG_BASE_JSON_OUT_H
#define SPRUNG_BASE_JSON_OUT_H

#include <stdbool.h>
#include <stdint.h>

struct cJSON;

struct json_out {
    struct cJSON *root; /* an object */
    bool failed;        /* memory was out */
};

void json_out_open(struct json_out *r);

/* Each adds to an object under a name, or to an array where name is NULL. Containers are returned, so that
 * more can be added to them; NULL, which all of these take, when memory is out. */
struct cJSON *json_out_object(struct json_out *r, struct cJSON *to, const char *name);
struct cJSON *json_out_array(struct json_out *r, struct cJSON *to, const char *name);
void json_out_text(struct json_out *r, struct cJSON *to, const char *name, const char *text);
void json_out_bool(struct json_out *r, struct cJSON *to, const char *name, bool value);
void json_out_count(struct json_out *r, struct cJSON *to, const char *name, uint64_t n);
void json_out_number(struct json_out *r, struct cJSON *to, const char *name, double x); /* NaN is null */

/* Adds the root of another report, which is empty afterwards. */
void json_out_move(struct json_out *r, struct cJSON *to, const char *name, struct json_out *from);

/* Frees a report whose text is not wanted; safe on a report of zeroes. */
void json_out_close(struct json_out *r);

/* The text with a newline at its end, malloc'ed; NULL: memory was out. Frees the tree. */
char *json_out_take(struct json_out *r, bool one_line);

#endif
