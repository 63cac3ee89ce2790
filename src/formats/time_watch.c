/* Warnings of rows and times that cannot be what the user wants: rows
 * that share their time with the row before, and --rate against a column of times that says another rate. The
 * first rows decide; no row waits for a warning.
 */
#include "formats/time_watch.h"

#include "base/text.h"
#include "number/number.h"
#include "whole/kinds/clock.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    LEAST_RATED = 4, /* least rows that show a rate */
    MOST_CLOCKS = 8
};

#define SAME_RATE 0.02 /* relative difference of rates that agree */

/* Another clock, which may give finer times. */
struct finer_clock {
    size_t column;
    double number; /* the number in the row before */
    bool rises;    /* the numbers are greater in each row */
};

/* What the first rows show. */
struct time_watch {
    const struct reader *reader;
    double rate;   /* of --rate, else 0 */
    size_t column; /* of the times; COLUMN_NONE: rows are only numbered */
    struct time_unit unit;
    bool ignored; /* --rate numbers the rows, and the column is read for this warning alone */
    bool assumed; /* nothing says the unit of the times */
    size_t nrow;
    struct timestamp first;       /* the time of the first row */
    double time[TIME_WATCH_ROWS]; /* [nrow] seconds since the first row; without times: numbers of rows */
    struct finer_clock clock[MOST_CLOCKS];
    size_t nclock;
    struct cell_text cell;
    bool done;
};

/* The text of a cell without blanks around it. False: the format keeps no such text. */
static bool look(struct time_watch *watch, const struct block *block, size_t row, size_t column)
{
    struct cell_text *cell = &watch->cell;
    if (!format_look_cell(watch->reader, block, row, column, cell) || !cell->text)
        return false;
    while (cell->n > 0 && *cell->text == ' ') {
        cell->text++;
        cell->n--;
    }
    return true;
}

/* Sets *now to the time of a row. */
static bool read_time(struct time_watch *watch, const struct block *block, size_t row, struct timestamp *now)
{
    const struct columns *columns = &watch->reader->columns;
    const struct cell_text *cell = &watch->cell;
    if (watch->column == COLUMN_NONE) {
        *now = (struct timestamp){ .t = (double)watch->nrow };
        return true;
    }
    if (!watch->ignored) {
        *now = block->time[row];
        return isfinite(now->t);
    }
    if (!look(watch, block, row, watch->column))
        return false;
    const enum timestamp_form form = columns->column[watch->column].form;
    if (form != TIMESTAMP_NUMBER)
        return timestamp_read(cell->text, cell->n, now) == form;
    return number_read_decimal(cell->text, cell->text + cell->n, reader_point(watch->reader), &now->t,
                               &now->decimal) != NULL;
}

/* Takes the number of another clock in the next row. */
static void take_clock(struct time_watch *watch, struct finer_clock *clock, const struct block *block,
                       size_t row)
{
    double number = NAN;
    const bool known = look(watch, block, row, clock->column);
    const char *end = known ? watch->cell.text + watch->cell.n : NULL;
    if (!known || number_read(watch->cell.text, end, reader_point(watch->reader), &number) != end)
        number = NAN;
    clock->rises = clock->rises && (watch->nrow == 0 ? !isnan(number) : number > clock->number);
    clock->number = number;
}

static void take_row(struct time_watch *watch, const struct block *block, size_t row)
{
    struct timestamp now;
    if (!read_time(watch, block, row, &now)) {
        watch->done = true;
        return;
    }
    if (watch->nrow == 0)
        watch->first = now;
    watch->time[watch->nrow] = timestamp_between(&watch->first, &now, watch->unit);
    for (size_t k = 0; k < watch->nclock; k++)
        take_clock(watch, &watch->clock[k], block, row);
    watch->nrow++;
}

/* A finer time: another clock that rises in every row; COLUMN_NONE: no such column. */
static size_t find_finer(const struct time_watch *watch)
{
    for (size_t k = 0; k < watch->nclock; k++)
        if (watch->clock[k].rises)
            return watch->clock[k].column;
    return COLUMN_NONE;
}

/* A column as an option names it, for a shell. */
static const char *word_for(const struct columns *columns, size_t column, char word[TEXT_WORD])
{
    char number[COLUMNS_NUMBER];
    return text_quoted(word, columns_entry(columns, column, number));
}

static void warn_of_shared_times(const struct time_watch *watch, const char *shared, struct messages *to)
{
    const struct columns *columns = &watch->reader->columns;
    const size_t finer = find_finer(watch);
    const double rate = clock_rate(watch->time, watch->nrow);
    char word[TEXT_WORD], hint[120 + TEXT_WORD] = "give the row rate, as in --rate 100";
    if (rate > 0)
        snprintf(hint, sizeof hint, "try --rate %.3g", rate);
    if (finer != COLUMN_NONE)
        text_append(hint, sizeof hint, ", or --time %s", word_for(columns, finer, word));
    messages_add(to, watch->reader->source->name,
                 "warning: %s, so the result has steps; %s; rows of several series need --group-by COLUMN",
                 shared, hint);
}

/* Warns where too many rows share their time. */
static void judge_rows(const struct time_watch *watch, struct messages *to)
{
    const size_t nshared = clock_count_shared(watch->time, watch->nrow);
    char shared[80];
    if (watch->ignored || !clock_is_coarse(nshared, watch->nrow))
        return;
    snprintf(shared, sizeof shared, "%zu of %s%zu rows have the same time as the row before", nshared,
             watch->nrow == TIME_WATCH_ROWS ? "the first " : "", watch->nrow);
    warn_of_shared_times(watch, shared, to);
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

/* Lists the columns that may give finer times. */
static void list_clocks(struct time_watch *watch, const struct column_plan *plan)
{
    for (size_t i = 0; i < plan->columns->ncolumn && watch->nclock < MOST_CLOCKS; i++)
        if (plan_use(plan, i)->reason == REASON_CLOCK)
            watch->clock[watch->nclock++] = (struct finer_clock){ .column = i, .rises = true };
}

struct time_watch *time_watch_make(const struct reader *reader, double rate, struct error *e)
{
    const struct columns *columns = &reader->columns;
    const struct column_plan *plan = reader->plan;
    struct time_watch *watch = calloc(1, sizeof *watch);
    if (!watch) {
        error_memory(e);
        return NULL;
    }
    const enum family family = reader->format->family;
    watch->reader = reader;
    watch->rate = rate;
    watch->ignored = plan->time == COLUMN_NONE;
    watch->column = watch->ignored ? plan->unused_time : plan->time;
    watch->done = (family != FAMILY_TEXT && family != FAMILY_JSON) || plan->ngroup > 0;
    if (watch->done)
        return watch;
    list_clocks(watch, plan);
    watch->done = watch->column == COLUMN_NONE;
    enum unit_reason reason = plan->unit_reason;
    watch->unit = plan->unit;
    if (watch->ignored && watch->column != COLUMN_NONE)
        watch->unit = columns_time_unit(
            columns_choose_unit(&columns->column[watch->column], TIME_UNIT_NONE, &reason));
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

void time_watch_take(struct time_watch *watch, const struct block *block, size_t row)
{
    if (block_row_read(block, row))
        take_row(watch, block, row);
}

void time_watch_judge(struct time_watch *watch, struct messages *to)
{
    const double rate = clock_rate(watch->time, watch->nrow);
    const size_t nshared = clock_count_shared(watch->time, watch->nrow);
    if (watch->done)
        return;
    watch->done = true;
    judge_rows(watch, to);
    const bool rated = watch->ignored && watch->column != COLUMN_NONE && nshared == 0 &&
                       watch->nrow >= LEAST_RATED && rate > 0;
    const double stated = columns_stated_rate(&watch->reader->columns);
    const bool said = stated > 0; /* the rate of the head was compared before */
    if (rated && !said && watch->rate > 0 && contradicts(watch, rate))
        messages_add(to, watch->reader->source->name,
                     "warning: --rate %.6g is used, but the times in \"%s\" show %.6g rows per second",
                     watch->rate, watch->reader->columns.column[watch->column].name, rate);
}
