/* The first rows of a table as plain arrays, sorted by series. See table.h. */
#include "view/inspect/table.h"

#include "whole/kinds/mixed.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A column that may distinguish the series. */
struct labels {
    size_t column;
    uint32_t *number; /* [maxrow] the number of the text in each row; owned */
};

struct reading {
    struct inspect_rows *rows;
    struct input *in;
    double rate;                         /* rows per second where rows have no times; 0: not known */
    struct timestamp first, last;        /* the times of the first and of the last row */
    int most_decimals;                   /* most digits of a time after the point */
    int most_digits;                     /* most digits of a time, before and after the point */
    int most_before;                     /* most digits of a time before the point */
    struct labels labels[MIXED_COLUMNS]; /* [mixed.ncolumn] */
    struct mixed mixed;
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
        const bool error = columns_name_means(name, strlen(name), NAME_ERROR);
        const bool tells = use->reason == REASON_QUALITY && !error && use->cell != COLUMN_NONE &&
                           column->number >= 0 && column->number <= 1;
        if (!tells)
            continue;
        if (rows->nquality == max && !array_grow(&rows->quality, max, &max, sizeof *rows->quality, e))
            return false;
        rows->quality[rows->nquality++] = (struct inspect_quality){ .column = i };
    }
    return true;
}

/* Lists the columns of text and of marks, which may distinguish the series. */
static bool open_labels(struct reading *reading, struct error *e)
{
    const struct column_plan *plan = reading->in->reader.plan;
    size_t n = 0;
    for (size_t i = 0; i < plan->columns->ncolumn && n < MIXED_COLUMNS; i++) {
        const enum role_reason reason = plan_use(plan, i)->reason;
        if ((reason == REASON_TEXT || reason == REASON_MARK) && plan_use(plan, i)->cell != COLUMN_NONE)
            reading->labels[n++].column = i;
    }
    reading->mixed.ncolumn = n;
    for (size_t k = 0; k < n; k++) {
        reading->labels[k].number = malloc(reading->rows->maxrow * sizeof *reading->labels[k].number);
        if (!reading->labels[k].number)
            return error_memory(e);
    }
    return true;
}

static bool open_rows(struct reading *reading, struct error *e)
{
    const struct column_plan *plan = reading->in->reader.plan;
    struct inspect_rows *rows = reading->rows;
    if (!list_qualities(rows, plan, e))
        return false;
    size_t most = INSPECT_NUMBERS / (plan->nchannel + rows->nquality + 1);
    most = most > INSPECT_ROWS ? INSPECT_ROWS : most;
    rows->maxrow = most < INSPECT_LEAST_ROWS ? INSPECT_LEAST_ROWS : most;
    rows->nchannel = plan->nchannel;
    rows->grouped = rows->lasting = COLUMN_NONE;
    rows->nseries = 1;
    rows->whole_times = true;
    rows->timed = plan->time != COLUMN_NONE || reading->rate > 0;
    /* Zeroing room for the most rows would be most of the time of a small table. */
    rows->value = malloc(rows->maxrow * (plan->nchannel ? plan->nchannel : 1) * sizeof *rows->value);
    rows->texts = calloc(plan->nchannel + 1, sizeof *rows->texts);
    rows->sure = malloc(rows->maxrow * (rows->nquality ? rows->nquality : 1) * sizeof *rows->sure);
    rows->time = malloc(rows->maxrow * sizeof *rows->time);
    rows->number = malloc(rows->maxrow * sizeof *rows->number);
    rows->begins = malloc(rows->maxrow * sizeof *rows->begins);
    if (!rows->value || !rows->texts || !rows->sure || !rows->time || !rows->number || !rows->begins)
        return error_memory(e);
    return open_labels(reading, e);
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
    reading->rows->digit = pow(10, place) * time_unit_seconds(reading->in->reader.plan->unit);
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
    const size_t column = reading->in->reader.plan->channel[channel];
    const double x = block_value(block, channel)[row];
    inspect_value(reading->rows, channel)[reading->rows->nrow] = isfinite(x) ? x : (double)NAN;
    if (isfinite(x))
        return true;
    if (!format_cell_text(&reading->in->reader, block, row, column, &reading->cell))
        return error_memory(e);
    take_missing(reading, &reading->cell, &reading->rows->texts[channel]);
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

/* Takes the labels of the next row, whose time and values are taken. */
static bool take_labels(struct reading *reading, const struct block *block, size_t row, struct error *e)
{
    const struct inspect_rows *rows = reading->rows;
    uint64_t label[MIXED_COLUMNS] = { 0 };
    for (size_t k = 0; k < reading->mixed.ncolumn; k++) {
        if (!format_cell_text(&reading->in->reader, block, row, reading->labels[k].column, &reading->cell))
            return error_memory(e);
        label[k] = mixed_label(reading->cell.text, reading->cell.n);
    }
    if (!mixed_take(&reading->mixed, rows->time[rows->nrow], label, e))
        return false;
    for (size_t k = 0; k < reading->mixed.ncolumn; k++)
        reading->labels[k].number[rows->nrow] = reading->mixed.column[k].now;
    return true;
}

static bool take_row(struct reading *reading, const struct block *block, size_t row, struct error *e)
{
    struct inspect_rows *rows = reading->rows;
    if (!take_time(reading, block, row, e))
        return false;
    for (size_t c = 0; c < rows->nchannel; c++)
        if (!take_value(reading, block, row, c, e))
            return false;
    if (!take_qualities(reading, block, row, e) || !take_labels(reading, block, row, e))
        return false;
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

/* Sorts the rows by label; rows with the same label stay in order. */
static bool sort_rows(struct inspect_rows *rows, const uint32_t *label, size_t nlabel, struct error *e)
{
    size_t n = rows->nrow, *place, start[MIXED_LABELS + 1] = { 0 };
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

/* Takes the numbers of a channel as labels, and sorts the rows by them if they distinguish the series. */
static bool try_channel(struct inspect_rows *rows, const struct labels *labels, size_t channel,
                        struct error *e)
{
    const double *value = inspect_value(rows, channel);
    struct mixed mixed = { .ncolumn = 1 };
    bool good = true, whole = true;
    for (size_t i = 0; i < rows->nrow && good && whole; i++) {
        const double x = value[i] + 0.0; /* -0 is 0 */
        uint64_t label;
        memcpy(&label, &x, sizeof label);
        whole = x == floor(x);
        good = mixed_take(&mixed, rows->time[i], &label, e);
        labels->number[i] = mixed.column[0].now;
    }
    if (good && whole && mixed_judge(&mixed) != MIXED_COLUMNS) {
        rows->grouped = labels->column;
        good = sort_rows(rows, labels->number, mixed.column[0].nlabel, e);
    }
    mixed_free(&mixed);
    return good;
}

/* Where times go backward, a channel of whole numbers may distinguish the series, too, if another channel is
 * left to filter. */
static bool try_channels(const struct reading *reading, struct error *e)
{
    struct inspect_rows *rows = reading->rows;
    struct labels labels;
    bool good = true;
    if (!arrays_make(e, ARRAY(labels.number, rows->nrow)))
        return false;
    for (size_t c = 0; rows->nchannel > 1 && c < rows->nchannel && good && rows->grouped == COLUMN_NONE;
         c++) {
        if (reading->mixed.ncolumn + c == MIXED_COLUMNS)
            break;
        labels.column = reading->in->reader.plan->channel[c];
        good = try_channel(rows, &labels, c, e);
    }
    free(labels.number);
    return good;
}

/* Rows without times are numbered in each series. */
static void number_series(struct inspect_rows *rows, double rate)
{
    size_t first = 0;
    for (size_t i = 0; i < rows->nrow; i++) {
        first = rows->begins[i] ? i : first;
        rows->time[i] = (double)(i - first) / (rate > 0 ? rate : 1);
    }
}

/* Keeps a column of labels if the rows of every label are a single stretch. */
static void keep_lasting(struct reading *reading)
{
    const size_t k = mixed_stretches(&reading->mixed);
    if (k == MIXED_COLUMNS)
        return;
    reading->rows->lasting = reading->labels[k].column;
    reading->rows->label = reading->labels[k].number;
    reading->labels[k].number = NULL;
}

/* Finds the column that distinguishes mixed series, and sorts the rows by series. */
static bool find_series(struct reading *reading, struct error *e)
{
    struct inspect_rows *rows = reading->rows;
    const size_t column = mixed_judge(&reading->mixed);
    if (column == MIXED_COLUMNS && reading->mixed.backward)
        return try_channels(reading, e);
    if (column == MIXED_COLUMNS) {
        keep_lasting(reading);
        return true;
    }
    rows->grouped = reading->labels[column].column;
    if (!sort_rows(rows, reading->labels[column].number, reading->mixed.column[column].nlabel, e))
        return false;
    if (reading->in->reader.plan->time == COLUMN_NONE)
        number_series(rows, reading->rate);
    return true;
}

bool inspect_rows_read(struct inspect_rows *rows, struct input *in, double rate, struct error *e)
{
    struct reading reading = { .rows = rows, .in = in, .rate = rate };
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
    for (size_t k = 0; k < MIXED_COLUMNS; k++)
        free(reading.labels[k].number);
    mixed_free(&reading.mixed);
    free(reading.cell.room);
    return good;
}

void inspect_rows_free(struct inspect_rows *rows)
{
    free(rows->value);
    free(rows->texts);
    free(rows->label);
    free(rows->time);
    free(rows->number);
    free(rows->begins);
    free(rows->quality);
    free(rows->sure);
    *rows = (struct inspect_rows){ 0 };
}
