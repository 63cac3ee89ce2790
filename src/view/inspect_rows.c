/* The first rows of a table as plain arrays, sorted by series. See inspect.h. */
#include "number/elementary.h"
#include "view/inspect.h"

#include "base/hash.h"
#include "base/name_table.h"
#include "whole/kinds/clock.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    MOST_LABELLED = 8, /* columns that are looked at for the names of series */
    MOST_LABELS = 1000 /* different names of series */
};

/* A column that may distinguish the series. */
struct labels {
    size_t column;
    uint64_t *text; /* [maxrow] a hash of the text in each row; owned */
};

struct reading {
    struct inspect_rows *rows;
    struct inspect_channel *channel;
    struct input *in;
    double rate;                         /* rows per second where rows have no times; 0: not known */
    struct timestamp first, last;        /* the times of the first and of the last row */
    int most_decimals;                   /* most digits of a time after the point */
    int most_digits;                     /* most digits of a time, before and after the point */
    int most_before;                     /* most digits of a time before the point */
    struct labels labels[MOST_LABELLED]; /* [nlabels] */
    size_t nlabels;
    struct cell_text cell; /* the cell that was looked at last; owns its room */
};

/* --- reading --- */

/* Lists the columns that say how sure a detection is, from 0 to 1, by the first row. */
static bool list_qualities(struct inspect_rows *rows, const struct column_plan *plan, struct error *e)
{
    const struct columns *columns = plan->columns;
    size_t max = 0;
    for (size_t i = 0; i < columns->ncolumn; i++) {
        const struct column *column = &columns->column[i];
        const struct column_use *use = plan_use(plan, i);
        const char *name = columns_last_line(columns, i);
        const bool sure = columns_name_means(name, strlen(name), NAME_QUALITY);
        const bool tells = use->reason == REASON_QUALITY && sure && use->cell != COLUMN_NONE &&
                           column->number >= 0 && column->number <= 1;
        if (!tells)
            continue;
        if (rows->nquality == max && !array_grow(&rows->quality, max, &max, sizeof *rows->quality, e))
            return false;
        rows->quality[rows->nquality++] = (struct inspect_quality){ .column = i };
    }
    return true;
}

static bool open_labels(struct reading *reading, size_t column, struct error *e)
{
    uint64_t *text = malloc(reading->rows->maxrow * sizeof *text);
    if (!text)
        return error_memory(e);
    reading->labels[reading->nlabels++] = (struct labels){ column, text };
    return true;
}

/* Looks for the column of dates. A date that may have the day or the month first is not sure enough. */
static void find_dates(struct reading *reading)
{
    const struct columns *columns = &reading->in->reader.columns;
    const size_t like = columns_resembles_time(columns, true);
    struct inspect_rows *rows = reading->rows;
    rows->dates = COLUMN_NONE;
    if (rows->timed || like == COLUMN_NONE)
        return;
    const struct column *column = columns_at(columns, like);
    if (column->form != TIMESTAMP_NUMBER && column->form != TIMESTAMP_CODE && !column->unsure)
        rows->dates = like;
}

static bool open_rows(struct reading *reading, struct error *e)
{
    const struct columns *columns = &reading->in->reader.columns;
    const struct column_plan *plan = reading->in->reader.plan;
    struct inspect_rows *rows = reading->rows;
    if (!list_qualities(rows, plan, e))
        return false;
    size_t most = INSPECT_NUMBERS / (plan->nchannel + rows->nquality + 1);
    most = most > INSPECT_ROWS ? INSPECT_ROWS : most;
    rows->maxrow = most < INSPECT_LEAST_ROWS ? INSPECT_LEAST_ROWS : most;
    rows->nchannel = plan->nchannel;
    rows->grouped = COLUMN_NONE;
    rows->nseries = 1;
    rows->whole_times = true;
    rows->timed = plan->time != COLUMN_NONE || reading->rate > 0;
    find_dates(reading);
    /* Zeroing room for the most rows would be most of the time of a small table. */
    rows->value = malloc(rows->maxrow * (plan->nchannel ? plan->nchannel : 1) * sizeof *rows->value);
    rows->sure = malloc(rows->maxrow * (rows->nquality ? rows->nquality : 1) * sizeof *rows->sure);
    rows->time = malloc(rows->maxrow * sizeof *rows->time);
    rows->number = malloc(rows->maxrow * sizeof *rows->number);
    rows->begins = malloc(rows->maxrow * sizeof *rows->begins);
    if (!rows->value || !rows->sure || !rows->time || !rows->number || !rows->begins)
        return error_memory(e);
    for (size_t i = 0; i < columns->ncolumn && reading->nlabels < MOST_LABELLED; i++) {
        const enum role_reason reason = plan_use(plan, i)->reason;
        if ((reason == REASON_TEXT || reason == REASON_MARK) && plan_use(plan, i)->cell != COLUMN_NONE &&
            !open_labels(reading, i, e))
            return false;
    }
    return true;
}

/* The error of a row whose time is no number. */
static bool refuse_time(struct reading *reading, const struct block *block, size_t row, struct error *e)
{
    const struct columns *columns = &reading->in->reader.columns;
    const struct column_plan *plan = reading->in->reader.plan;
    if (!format_cell_text(&reading->in->reader, block, row, plan->time, &reading->cell))
        return error_memory(e);
    error_data(e, reading->cell.n > 0 ? "the time is not a number" : "the time is missing");
    error_column(e, columns_at(columns, plan->time)->name);
    if (reading->cell.n > 0)
        error_excerpt(e, reading->cell.text, reading->cell.n);
    if (block->nline > 0)
        error_place(e, block->firstline - 1 + block_line(block, row));
    return false;
}

static int greater(int a, int b)
{
    return a > b ? a : b;
}

/* Sets rows->digit. Times are taken to be printed with as many decimals as the time with the most decimals,
 * or with as many significant digits, as by %g; then large times have fewer decimals. */
static void take_digits(struct reading *reading, const struct number_decimal *time)
{
    int digits = 0;
    for (int64_t rest = time->digits; rest != 0; rest /= 10)
        digits++;
    reading->most_decimals = greater(reading->most_decimals, -time->exp10);
    reading->most_digits = greater(reading->most_digits, digits);
    reading->most_before = greater(reading->most_before, digits + time->exp10);
    int place = greater(reading->most_before - reading->most_digits, -reading->most_decimals);
    reading->rows->digit = elementary_pow(10, place) * time_unit_seconds(reading->in->reader.plan->unit);
}

/* Sets the time of the next row from a row of a block. */
static bool take_time(struct reading *reading, const struct block *block, size_t row, struct error *e)
{
    const struct column_plan *plan = reading->in->reader.plan;
    struct inspect_rows *rows = reading->rows;
    if (plan->time == COLUMN_NONE) {
        rows->time[rows->nrow] = (double)rows->nrow / (reading->rate > 0 ? reading->rate : 1);
        return true;
    }
    struct timestamp now = block->time[row];
    if (isnan(now.t))
        return refuse_time(reading, block, row, e);
    if (plan->form == TIMESTAMP_CLOCK && rows->nrow > 0)
        timestamp_pass_midnight(&now, &reading->last);
    if (rows->nrow == 0)
        reading->first = now;
    reading->last = now;
    rows->time[rows->nrow] = timestamp_between(&reading->first, &now, plan->unit);
    rows->whole_times = rows->whole_times && now.t == floor(now.t);
    if (now.decimal.exact)
        take_digits(reading, &now.decimal);
    return true;
}

/* Reads the date in the next row. A text that is no later date shows that the column is no time. */
static bool take_date(struct reading *reading, const struct block *block, size_t row, struct error *e)
{
    const struct reader *reader = &reading->in->reader;
    struct inspect_rows *rows = reading->rows;
    struct timestamp now;
    if (rows->dates == COLUMN_NONE)
        return true;
    if (!format_cell_text(reader, block, row, rows->dates, &reading->cell))
        return error_memory(e);
    const struct cell_text *cell = &reading->cell;
    const bool read = cell->text && !timestamp_fault(columns_at(&reader->columns, rows->dates)->form,
                                                     cell->text, cell->n, &now);
    if (!read || (rows->nrow > 0 && !(now.t > reading->last.t))) {
        rows->dates = COLUMN_NONE;
        return true;
    }
    if (rows->nrow == 0)
        reading->first = now;
    else
        rows->date_step = timestamp_between(&reading->first, &now, (struct time_unit){ 0 }) /
                          (double)rows->nrow;
    reading->last = now;
    return true;
}

/* Takes a cell that holds no number: counts the cell if it holds a text. */
static void take_missing(const struct reading *reading, const struct cell_text *cell,
                         struct inspect_texts *texts)
{
    const char *text = cell->text;
    size_t n = cell->n;
    if (!text)
        return;
    for (; n > 0 && (*text == ' ' || *text == '\t'); n--)
        text++;
    while (n > 0 && (text[n - 1] == ' ' || text[n - 1] == '\t'))
        n--;
    if (format_gap(reading->in->reader.options, text, n))
        return;
    char shown[sizeof texts->first];
    error_escape(text, n, shown, sizeof shown);
    if (texts->n++ == 0) {
        memcpy(texts->first, shown, sizeof shown);
        texts->row = reading->rows->nrow + 1;
        texts->differ = n >= sizeof shown;
    } else if (strcmp(texts->first, shown) != 0) {
        texts->differ = true;
    }
}

/* Takes the number of a channel in the next row. */
static bool take_value(struct reading *reading, const struct block *block, size_t row, size_t channel,
                       struct error *e)
{
    struct inspect_channel *inspected = &reading->channel[channel];
    const double x = block_value(block, channel)[row];
    inspect_value(reading->rows, channel)[reading->rows->nrow] = isfinite(x) ? x : (double)NAN;
    if (isfinite(x))
        return true;
    if (!format_cell_text(&reading->in->reader, block, row, inspected->column, &reading->cell))
        return error_memory(e);
    take_missing(reading, &reading->cell, &inspected->texts);
    return true;
}

/* Takes the numbers of the qualities in the next row. */
static bool take_qualities(struct reading *reading, const struct block *block, size_t row, struct error *e)
{
    struct inspect_rows *rows = reading->rows;
    const struct reader *reader = &reading->in->reader;
    for (size_t q = 0; q < rows->nquality; q++) {
        struct inspect_quality *quality = &rows->quality[q];
        double *sure = &rows->sure[q * rows->maxrow + rows->nrow];
        if (!format_cell_text(reader, block, row, quality->column, &reading->cell))
            return error_memory(e);
        const char *text = reading->cell.text, *end = text ? text + reading->cell.n : NULL;
        if (text && number_read(text, end, reader_point(reader), sure) == end && isfinite(*sure))
            continue;
        *sure = NAN;
        take_missing(reading, &reading->cell, &quality->texts);
    }
    return true;
}

static bool take_row(struct reading *reading, const struct block *block, size_t row, struct error *e)
{
    struct inspect_rows *rows = reading->rows;
    if (!take_time(reading, block, row, e) || !take_date(reading, block, row, e))
        return false;
    for (size_t c = 0; c < rows->nchannel; c++)
        if (!take_value(reading, block, row, c, e))
            return false;
    if (!take_qualities(reading, block, row, e))
        return false;
    for (size_t k = 0; k < reading->nlabels; k++) {
        if (!format_cell_text(&reading->in->reader, block, row, reading->labels[k].column, &reading->cell))
            return error_memory(e);
        reading->labels[k].text[rows->nrow] = hash_bytes(reading->cell.text, reading->cell.n);
    }
    rows->number[rows->nrow] = (uint32_t)rows->nrow + 1;
    rows->nrow++;
    return true;
}

static bool read_blocks(struct reading *reading, struct error *e)
{
    struct block block = { 0 };
    enum loaded loaded = LOAD_ROWS;
    bool good = true;
    size_t taken = 0;
    do {
        loaded = input_load(reading->in, &block, e);
        for (taken = 0; loaded == LOAD_ROWS && good && taken < block.nrow; taken++) {
            if (reading->rows->nrow == reading->rows->maxrow)
                break;
            good = take_row(reading, &block, taken, e);
        }
    } while (good && loaded == LOAD_ROWS && taken == block.nrow);
    reading->rows->whole = loaded == LOAD_END;
    block_free(&block);
    return good && loaded != LOAD_ERROR;
}

/* --- series --- */

static bool goes_backward(const struct inspect_rows *rows)
{
    for (size_t i = 1; i < rows->nrow; i++)
        if (rows->time[i] < rows->time[i - 1])
            return true;
    return false;
}

/* Sets row[i] to the number of the text in each row, in the order in which texts come, and *n to the number
 * of texts; 0: there are too many. */
static bool number_labels(const struct labels *labels, size_t nrow, uint32_t *row, size_t *n, struct error *e)
{
    struct name_table table = { 0 };
    bool good = true;
    *n = 0;
    for (size_t i = 0; i < nrow && good && *n <= MOST_LABELS; i++) {
        const struct name_key key = name_key((const char *)&labels->text[i], sizeof labels->text[i]);
        size_t number = name_table_find(&table, key);
        if (number == NAME_TABLE_NONE) {
            number = (*n)++;
            good = name_table_put(&table, key, number, e);
        }
        row[i] = (uint32_t)number;
    }
    name_table_free(&table);
    *n = *n > MOST_LABELS ? 0 : *n;
    return good;
}

/* Takes the numbers of a channel as labels. False: they are not whole. */
static bool label_channel(const struct inspect_rows *rows, size_t channel, struct labels *labels)
{
    const double *value = inspect_value(rows, channel);
    for (size_t i = 0; i < rows->nrow; i++) {
        const double x = value[i] + 0.0; /* -0 is 0 */
        if (x != floor(x))
            return false;
        memcpy(&labels->text[i], &x, sizeof x);
    }
    return true;
}

/* Sorts the rows by label; rows with the same label stay in order. */
static bool sort_rows(struct inspect_rows *rows, const uint32_t *label, size_t nlabel, struct error *e)
{
    size_t n = rows->nrow, *place, start[MOST_LABELS + 1] = { 0 };
    double *copy;
    if (!arrays_make(e, ARRAY(place, n), ARRAY(copy, n)))
        return false;
    for (size_t i = 0; i < n; i++)
        start[label[i] + 1]++;
    for (size_t k = 0; k < nlabel; k++)
        start[k + 1] += start[k];
    for (size_t k = 0; k < nlabel; k++)
        rows->begins[start[k]] = true;
    for (size_t i = 0; i < n; i++)
        place[i] = start[label[i]]++;
    for (size_t c = 0; c <= rows->nchannel + rows->nquality; c++) {
        double *column = rows->time;
        if (c < rows->nchannel)
            column = inspect_value(rows, c);
        else if (c > rows->nchannel)
            column = rows->sure + (c - rows->nchannel - 1) * rows->maxrow;
        memcpy(copy, column, n * sizeof *copy);
        for (size_t i = 0; i < n; i++)
            column[place[i]] = copy[i];
    }
    for (size_t i = 0; i < n; i++)
        rows->number[place[i]] = (uint32_t)i + 1;
    rows->nseries = nlabel;
    free(place);
    return true;
}

/* Sorts the rows by series, if the labels distinguish mixed series. rising: times must differ within a
 * series.
 */
static bool try_labels(struct inspect_rows *rows, const struct labels *labels, bool rising, struct error *e)
{
    double last[MOST_LABELS + 1];
    size_t n;
    uint32_t *row = malloc((rows->nrow + 1) * sizeof *row);
    if (!row)
        return error_memory(e);
    bool good = number_labels(labels, rows->nrow, row, &n, e);
    if (good && clock_tells_series(rows->time, row, rows->nrow, n, rising, last)) {
        rows->grouped = labels->column;
        good = sort_rows(rows, row, n, e);
    }
    free(row);
    return good;
}

/* Where times go backward, or many rows share a time, finds the column that distinguishes the mixed series,
 * and sorts the rows by series. */
static bool find_series(struct reading *reading, struct error *e)
{
    struct inspect_rows *rows = reading->rows;
    const bool backward = goes_backward(rows);
    bool good = true;
    if (!backward && !clock_is_coarse(clock_count_shared(rows->time, rows->nrow), rows->nrow))
        return true;
    for (size_t k = 0; k < reading->nlabels && good && rows->grouped == COLUMN_NONE; k++)
        good = try_labels(rows, &reading->labels[k], !backward, e);
    for (size_t c = 0; c < rows->nchannel && good && backward && rows->grouped == COLUMN_NONE; c++) {
        if (reading->nlabels == MOST_LABELLED || !open_labels(reading, reading->channel[c].column, e))
            return reading->nlabels == MOST_LABELLED;
        struct labels *labels = &reading->labels[reading->nlabels - 1];
        good = !label_channel(rows, c, labels) || try_labels(rows, labels, false, e);
    }
    return good;
}

bool inspect_rows_read(struct inspect_rows *rows, struct inspect_channel *channel, struct input *in,
                       double rate, struct error *e)
{
    struct reading reading = { .rows = rows, .channel = channel, .in = in, .rate = rate };
    struct error ignored;
    bool good = open_rows(&reading, e);
    if (good) {
        good = read_blocks(&reading, e);
        for (size_t i = 0; i < rows->nrow; i++)
            rows->begins[i] = false;
        if (!find_series(&reading, good ? e : &ignored))
            good = false;
    }
    for (size_t i = 0; rows->begins && i < rows->nrow; i++)
        rows->begins[i] = rows->begins[i] || i == 0 || rows->time[i] < rows->time[i - 1];
    for (size_t k = 0; k < reading.nlabels; k++)
        free(reading.labels[k].text);
    free(reading.cell.room);
    return good;
}

void inspect_rows_free(struct inspect_rows *rows)
{
    free(rows->value);
    free(rows->time);
    free(rows->number);
    free(rows->begins);
    free(rows->quality);
    free(rows->sure);
    *rows = (struct inspect_rows){ 0 };
}
