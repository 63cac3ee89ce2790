/* Warnings of times that cannot be what the user wants: rows that share their time with the row before, and
 * --rate against a column of times that says another rate. The first rows decide; no row waits for a
 * warning. */
#ifndef SPRUNG_FORMATS_TIME_WATCH_H
#define SPRUNG_FORMATS_TIME_WATCH_H

#include "formats/format.h"

enum {
    TIME_WATCH_ROWS = 100 /* rows that the warnings go by: the first of the input */
};

struct time_watch;

/* NULL: out of memory. The columns of the reader must have their roles. rate: of --rate, or 0. */
struct time_watch *time_watch_make(const struct reader *reader, double rate, struct error *e);

/* watch may be NULL, also in time_watch_wants. */
void time_watch_free(struct time_watch *watch);

/* True while the warnings go by further rows. */
bool time_watch_wants(const struct time_watch *watch);

/* Takes a row, in the order of the input. The row must have its text and its recorded cells. */
void time_watch_take(struct time_watch *watch, const struct block *block, size_t row);

/* Adds the warnings of the rows taken, once. */
void time_watch_judge(struct time_watch *watch, struct messages *to);

#endif
