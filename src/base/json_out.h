/* Reports for programs: a tree of JSON, made with cJSON. Numbers are printed by the number module, so that no
 * digit is lost. When memory is out the tree remembers it, and report_take says so at the end. Invariant:
 * what comes out is valid JSON in UTF-8, whatever the names hold. */
#ifndef SPRUNG_REPORT_H
#define SPRUNG_REPORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct cJSON;

struct report {
    struct cJSON *root; /* an object */
    bool failed;        /* memory was out */
};

void report_open(struct report *r);

/* Each adds to an object under a name, or to an array where name is NULL. Containers are returned to be added
 * to; NULL, which all of these take, when memory is out. */
struct cJSON *report_object(struct report *r, struct cJSON *to, const char *name);
struct cJSON *report_array(struct report *r, struct cJSON *to, const char *name);
void report_text(struct report *r, struct cJSON *to, const char *name, const char *text);
void report_bool(struct report *r, struct cJSON *to, const char *name, bool value);
void report_count(struct report *r, struct cJSON *to, const char *name, uint64_t n);
void report_number(struct report *r, struct cJSON *to, const char *name, double x); /* NaN is null */

/* The text with a newline at its end, malloc'ed; NULL: memory was out. Frees the tree. */
char *report_take(struct report *r);

/* The same as one line. */
char *report_take_line(struct report *r);

#endif
