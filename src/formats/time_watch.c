/* Warnings of times that cannot be what the user wants: rows that share their time with the row before, and
 * --rate against a column of times that says another rate. The first rows decide; no row waits for a warning.
 */
#include "formats/time_watch.h"

#include "base/hash.h"
#include "base/text.h"
#include "number/elementary.h"
#include "number/number.h"
#include "whole/kinds/clock.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    TIME_ROWS = 100, /* rows that the warnings go by */
    LEAST_RATED = 4, /* least rows that show a rate */
    MOST_TIME_LABELS = 8,
    MOST_LABELS = TIME_ROWS / 2
};

#define SAME_RATE 0.02 /* relative difference of rates that agree */

/* A column besides the channels that may distinguish rows with the same time. */
struct time_label {
    size_t column;
    double number;              /* the number in the row before */
    bool rises;                 /* numbers that are greater in each row */
    uint64_t text[MOST_LABELS]; /* [ntext] hashes of different texts */
    size_t ntext;
    uint32_t row[TIME_ROWS]; /* the number of the text in each row */
    bool useless;            /* there are more texts than room, or the format keeps none */
};

/* What the times of the first rows show. */
struct time_watch {
    const struct reader *reader;
    double rate;   /* of --rate, else 0 */
    size_t column; /* of the times */
    struct time_unit unit;
    bool ignored; /* --rate numbers the rows, and the column is read for this warning alone */
    bool assumed; /* nothing says the unit of the times */
    size_t nrow;
    struct timestamp first; /* the time of the first row */
    double time[TIME_ROWS]; /* [nrow] seconds since the first row */
    struct time_label label[MOST_TIME_LABELS];
    size_t nlabel;
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

/* Takes the text of a label in the next row. */
static void take_label(struct time_watch *watch, struct time_label *label, const struct block *block,
                       size_t row)
{
    double number = NAN;
    if (!look(watch, block, row, label->column)) {
        label->useless = true;
        label->rises = false;
        return;
    }
    const char *end = watch->cell.text + watch->cell.n;
    if (number_read(watch->cell.text, end, reader_point(watch->reader), &number) != end)
        number = NAN;
    const uint64_t text = hash_bytes(watch->cell.text, watch->cell.n);
    label->rises = label->rises && (watch->nrow == 0 ? !isnan(number) : number > label->number);
    label->number = number;
    size_t k = 0;
    while (k < label->ntext && label->text[k] != text)
        k++;
    if (k == MOST_LABELS) {
        label->useless = true;
        return;
    }
    if (k == label->ntext)
        label->text[label->ntext++] = text;
    label->row[watch->nrow] = (uint32_t)k;
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
    for (size_t k = 0; k < watch->nlabel; k++)
        take_label(watch, &watch->label[k], block, row);
    watch->time[watch->nrow++] = timestamp_between(&watch->first, &now, watch->unit);
}

/* The label that shows that rows with the same time belong to several series. */
static const struct time_label *find_series(const struct time_watch *watch)
{
    const struct column_plan *plan = watch->reader->plan;
    double last[MOST_LABELS];
    for (const struct time_label *label = watch->label; label < watch->label + watch->nlabel; label++)
        if (plan_use(plan, label->column)->reason != REASON_CLOCK && !label->useless &&
            clock_tells_series(watch->time, label->row, watch->nrow, label->ntext, true, last))
            return label;
    return NULL;
}

/* The label that is a finer time: another clock that rises in every row. */
static size_t find_finer(const struct time_watch *watch)
{
    const struct column_plan *plan = watch->reader->plan;
    for (const struct time_label *label = watch->label; label < watch->label + watch->nlabel; label++)
        if (label->rises && plan_use(plan, label->column)->reason == REASON_CLOCK)
            return label->column;
    return COLUMN_NONE;
}

/* A column as an option names it, for a shell. */
static const char *word_for(const struct columns *columns, size_t column, char word[TEXT_WORD])
{
    char number[COLUMNS_NUMBER];
    return text_quoted(word, columns_entry(columns, column, number));
}

static void warn_of_shared_times(const struct time_watch *watch, struct messages *to)
{
    const struct time_label *apart = find_series(watch);
    const struct columns *columns = &watch->reader->columns;
    const size_t finer = find_finer(watch);
    const double rate = clock_rate(watch->time, watch->nrow);
    const char *all = watch->nrow == TIME_ROWS ? "the first " : "";
    char rows[80], word[TEXT_WORD], hint[120] = "give the row rate, as in --rate 100";
    snprintf(rows, sizeof rows, "%zu of %s%zu rows have the same time as the row before",
             clock_count_shared(watch->time, watch->nrow), all, watch->nrow);
    if (apart) {
        messages_add(to, watch->reader->source->name,
                     "warning: %s but a different \"%s\"; to filter each \"%s\" separately, add --group-by "
                     "%s",
                     rows, columns->column[apart->column].name, columns->column[apart->column].name,
                     word_for(columns, apart->column, word));
        return;
    }
    if (rate > 0)
        snprintf(hint, sizeof hint, "try --rate %.3g", rate);
    messages_add(to, watch->reader->source->name, "warning: %s, so the result has steps; %s%s%s", rows, hint,
                 finer == COLUMN_NONE ? "" : ", or --time ",
                 finer == COLUMN_NONE ? "" : word_for(columns, finer, word));
}

/* Do the times say another rate than --rate? Where nothing says their unit, a power of 1000 is no difference.
 */
static bool contradicts(const struct time_watch *watch, double rate)
{
    double ratio = rate / watch->rate;
    if (watch->assumed && ratio > 0)
        ratio /= elementary_pow(1000, round(elementary_log(ratio) / elementary_log(1000)));
    return fabs(ratio - 1) > SAME_RATE;
}

/* Columns that may distinguish rows with the same time, or give finer times: of text, of marks, of other
 * clocks. */
static void list_labels(struct time_watch *watch, const struct column_plan *plan)
{
    const struct columns *columns = plan->columns;
    for (size_t i = 0; i < columns->ncolumn && watch->nlabel < MOST_TIME_LABELS; i++) {
        const enum role_reason reason = plan_use(plan, i)->reason;
        if (reason == REASON_TEXT || reason == REASON_MARK || reason == REASON_CLOCK)
            watch->label[watch->nlabel++] = (struct time_label){ .column = i, .rises = true };
    }
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
    watch->done = (family != FAMILY_TEXT && family != FAMILY_JSON) || watch->column == COLUMN_NONE ||
                  plan->ngroup > 0;
    if (watch->done)
        return watch;
    enum unit_reason reason = plan->unit_reason;
    watch->unit = plan->unit;
    if (watch->ignored)
        watch->unit = columns_time_unit(
            columns_choose_unit(&columns->column[watch->column], TIME_UNIT_NONE, &reason));
    watch->assumed = reason == UNIT_ASSUMED;
    list_labels(watch, plan);
    return watch;
}

void time_watch_free(struct time_watch *watch)
{
    if (watch)
        free(watch->cell.room);
    free(watch);
}

bool time_watch_wants(const struct time_watch *watch)
{
    return watch && !watch->done && watch->nrow < TIME_ROWS;
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
    if (!watch->ignored && clock_is_coarse(nshared, watch->nrow))
        warn_of_shared_times(watch, to);
    const bool rated = watch->ignored && nshared == 0 && watch->nrow >= LEAST_RATED && rate > 0;
    const double stated = columns_stated_rate(&watch->reader->columns);
    const bool said = stated > 0; /* the rate of the head was compared before */
    if (rated && !said && watch->rate > 0 && contradicts(watch, rate))
        messages_add(to, watch->reader->source->name,
                     "warning: --rate %.6g is used, but the times in \"%s\" show %.6g rows per second",
                     watch->rate, watch->reader->columns.column[watch->column].name, rate);
}
