/* Between rows.c and fast_rows.c: a block while its rows are parsed. */
#ifndef SPRUNG_CSV_ROWS_H
#define SPRUNG_CSV_ROWS_H

#include "formats/csv/csv.h"

struct csv_scan {
    const struct reader *r;
    const struct csv *csv;
    struct block *b;
    const char *end;     /* of the text */
    const char *row;     /* where this row begins */
    const char *row_end; /* and where its text ends, if the format is bare */
    char delimiter, eol, point;
};

static inline struct span csv_span(const struct csv_scan *s, const char *at, const char *end)
{
    return (struct span){ (uint32_t)(at - s->b->text), (uint32_t)(end - at) };
}

static inline void csv_store(const struct csv_scan *s, const struct csv_want *w, size_t i, double x,
                             struct number_decimal d)
{
    if (w->time)
        s->b->stamp[i] = (struct timestamp){ x, d };
    if (w->value != COLUMN_NONE)
        block_value(s->b, w->value)[i] = x;
}

/* Parses rows from p on, where one begins, as long as they are plain: nothing in them needs csv_cell, and
 * none is an error. There is no NUL in the text. Counts them in *nrow; returns where the first begins that is
 * not plain, or the end of the text. */
const char *csv_fast_rows(const struct csv_scan *s, const char *p, size_t *nrow);

/* One bit for each of 16 bytes that may end a cell, or begins or ends a quoted one. */
unsigned csv_marks(const struct csv_scan *s, const char *p);

#endif
