/* Reports for programs: a tree of JSON, made with cJSON. Numbers are printed by the number module, so that no
 * digit is lost. When memory is out the tree remembers it, and json_out_take says so at the end. Invariant:
 * what comes out is valid JSON in UTF-8, whatever the names hold. */
#ifndef SPRUNG_JSON_OUT_H
#define SPRUNG_JSON_OUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct cJSON;

struct json_out {
    struct cJSON *root; /* an object */
    bool failed;        /* memory was out */
};

void json_out_open(struct json_out *r);

/* Each adds to an object under a name, or to an array where name is NULL. Containers are returned to be added
 * to; NULL, which all of these take, when memory is out. */
struct cJSON *json_out_object(struct json_out *r, struct cJSON *to, const char *name);
struct cJSON *json_out_array(struct json_out *r, struct cJSON *to, const char *name);
void json_out_text(struct json_out *r, struct cJSON *to, const char *name, const char *text);
void json_out_bool(struct json_out *r, struct cJSON *to, const char *name, bool value);
void json_out_count(struct json_out *r, struct cJSON *to, const char *name, uint64_t n);
void json_out_number(struct json_out *r, struct cJSON *to, const char *name, double x); /* NaN is null */

/* The text with a newline at its end, malloc'ed; NULL: memory was out. Frees the tree. */
char *json_out_take(struct json_out *r);

/* The same as one line. */
char *json_out_take_line(struct json_out *r);

#endif
