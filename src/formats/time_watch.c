/* Warnings of times that cannot be what the user wants: see time_watch.h. */
#include "formats/time_watch.h"

#include "base/text.h"
#include "number/number.h"
#include "whole/kinds/clock.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { LEAST_RATED = 4 /* least rows that show a rate */ };

#define SAME_RATE 0.02 /* relative difference of rates that agree */

/* What the first rows show. */
struct time_watch {
    const struct reader *reader;
    double rate;   /* of --rate, else 0 */
    size_t column; /* of the times */
    struct time_unit unit;
    bool ignored; /* --rate numbers the rows, and the column is read for this warning alone */
    bool assumed; /* nothing says the unit of the times */
    size_t nrow;
    struct timestamp first;       /* the time of the first row */
    double time[TIME_WATCH_ROWS]; /* [nrow] seconds since the first row */
    struct cell_text cell;        /* the last cell read; owned */
    bool done;
};

/* Sets *now to the time of a row. False: the cell holds no time. */
static bool read_time(struct time_watch *watch, const struct block *block, size_t row, struct timestamp *now)
{
    struct cell_text *cell = &watch->cell;
    if (!watch->ignored) {
        *now = block->time[row];
        return isfinite(now->t);
    }
    if (!format_look_cell(watch->reader, block, row, watch->column, cell) || !cell->text)
        return false;
    while (cell->n > 0 && *cell->text == ' ') {
        cell->text++;
        cell->n--;
    }
    const enum timestamp_form form = watch->reader->table.column[watch->column].form;
    if (form != TIMESTAMP_NUMBER)
        return timestamp_read(cell->text, cell->n, now) == form;
    return number_read_decimal(cell->text, cell->text + cell->n, reader_point(watch->reader), &now->t,
                               &now->decimal) != NULL;
}

void time_watch_take(struct time_watch *watch, const struct block *block, size_t row)
{
    struct timestamp now;
    if (!read_time(watch, block, row, &now)) {
        watch->done = true;
        return;
    }
    if (watch->nrow == 0)
        watch->first = now;
    watch->time[watch->nrow++] = timestamp_between(&watch->first, &now, watch->unit);
}

/* Warns where too many rows have the time of the row before. */
static void warn_of_shared_times(const struct time_watch *watch, size_t nshared, struct messages *to)
{
    const double rate = clock_rate(watch->time, watch->nrow);
    char hint[32] = "--rate 100";
    if (rate > 0)
        snprintf(hint, sizeof hint, "--rate %.3g", rate);
    messages_add(
        to, watch->reader->source->name,
        "warning: %zu of %s%zu rows have the same time as the row before: try %s, or --group-by COLUMN if "
        "they are of several series",
        nshared, watch->nrow == TIME_WATCH_ROWS ? "the first " : "", watch->nrow, hint);
}

/* Do the times say another rate than --rate? Where nothing says their unit, a power of 1000 is no difference.
 */
static bool contradicts(const struct time_watch *watch, double rate)
{
    double ratio = rate / watch->rate;
    if (watch->assumed && ratio > 0)
        ratio /= pow(1000, round(log(ratio) / log(1000)));
    return fabs(ratio - 1) > SAME_RATE;
}

void time_watch_judge(struct time_watch *watch, struct messages *to)
{
    const size_t nshared = clock_count_shared(watch->time, watch->nrow);
    if (watch->done)
        return;
    watch->done = true;
    if (!watch->ignored) {
        if (clock_is_coarse(nshared, watch->nrow))
            warn_of_shared_times(watch, nshared, to);
        return;
    }
    const double rate = clock_rate(watch->time, watch->nrow);
    const bool rated = nshared == 0 && watch->nrow >= LEAST_RATED && rate > 0;
    const bool said = watch->reader->table.stated_rate > 0; /* the head's rate was compared before */
    if (rated && !said && watch->rate > 0 && contradicts(watch, rate))
        messages_add(to, watch->reader->source->name,
                     "warning: --rate %.6g is used, but the times in \"%s\" show %.6g rows per second",
                     watch->rate, watch->reader->table.column[watch->column].name, rate);
}

struct time_watch *time_watch_make(const struct reader *reader, double rate, struct error *e)
{
    const struct table *table = &reader->table;
    struct time_watch *watch = calloc(1, sizeof *watch);
    if (!watch) {
        error_memory(e);
        return NULL;
    }
    enum unit_reason reason = table->unit_reason;
    watch->reader = reader;
    watch->rate = rate;
    watch->ignored = table->time == COLUMN_NONE;
    watch->column = watch->ignored ? table->unused_time : table->time;
    watch->unit = table->time_unit;
    watch->done = watch->column == COLUMN_NONE || table->date != COLUMN_NONE || table->ngroup > 0 ||
                  table->counted || table->even;
    if (watch->ignored && !watch->done)
        watch->unit = columns_time_unit(
            columns_choose_unit(&table->column[watch->column], TIME_UNIT_NONE, &reason));
    watch->assumed = reason == UNIT_ASSUMED;
    return watch;
}

void time_watch_free(struct time_watch *watch)
{
    if (!watch)
        return;
    free(watch->cell.room);
    free(watch);
}

bool time_watch_wants(const struct time_watch *watch)
{
    return watch && !watch->done && watch->nrow < TIME_WATCH_ROWS;
}
