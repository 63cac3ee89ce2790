/* Settings of a filter from words: the options of the command line without dashes. */
#ifndef SPRUNG_LIBRARY_SETTINGS_H
#define SPRUNG_LIBRARY_SETTINGS_H

#include "springs/filter.h"

/* A filter with checked settings. */
struct library_filter {
    const struct filter *filter;
    void *settings; /* owned */
};

/* Finds the filter and reads its settings; text NULL: defaults. whole: for a whole series with zero phase;
 * else no value can be left to be chosen. On false *to owns nothing. */
bool settings_read(struct library_filter *to, const char *name, const char *text, bool whole,
                   struct error *e);
void settings_free(struct library_filter *filter);

/* The status (enum sprung_status) of an error. Copies its text and hint without dashes before options into
 * message[size], which may be NULL. */
int settings_fail(const struct error *e, char *message, size_t size);

#endif
