/* The first rows of a table as plain arrays, sorted by series. See inspect.h. */
#include "view/inspect.h"

#include "base/name_table.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum {
    MOST_LABELLED = 8, /* columns that are looked at for the names of series */
    MOST_LABELS = 1000 /* different names of series */
};

/* The texts in a column that may tell series apart. */
struct labels {
    size_t column;
    struct name_table table; /* from text to number */
    char *text[MOST_LABELS]; /* owned */
    size_t n;                /* number of different texts */
    uint32_t *row;           /* [maxrow] the number of the text in each row; owned */
    bool useless;            /* the texts are too many, or times go backward in rows of the same text */
};

struct reading {
    struct inspect_rows *rows;
    struct inspect_channel *channel;
    struct input *in;
    double rate;                  /* rows per second where rows have no times; 0: not known */
    struct timestamp first, last; /* the times of the first and of the last row */
    int most_decimals;            /* most digits of a time after the point */
    int most_digits;              /* most digits of a time, before and after the point */
    int most_before;              /* most digits of a time before the point */
    struct labels *labels;        /* [nlabels] */
    size_t nlabels;
    struct cell_text cell; /* the cell that was looked at last; owns its room */
};

/* --- labels --- */

static bool take_label(struct labels *labels, size_t row, const char *text, size_t ntext, struct error *e)
{
    if (labels->useless)
        return true;
    size_t number = name_table_find(&labels->table, name_key(text, ntext));
    if (number == NAME_TABLE_NONE && labels->n == MOST_LABELS) {
        labels->useless = true;
        return true;
    }
    if (number == NAME_TABLE_NONE) {
        char *copy = malloc(ntext + 1);
        if (!copy)
            return error_memory(e);
        memcpy(copy, text, ntext);
        copy[ntext] = 0;
        number = labels->n++;
        labels->text[number] = copy;
        if (!name_table_put(&labels->table, name_key(copy, ntext), number, e))
            return false;
    }
    labels->row[row] = (uint32_t)number;
    return true;
}

static void free_labels(struct reading *r)
{
    for (size_t k = 0; k < r->nlabels; k++) {
        name_table_free(&r->labels[k].table);
        for (size_t i = 0; i < r->labels[k].n; i++)
            free(r->labels[k].text[i]);
        free(r->labels[k].row);
    }
    free(r->labels);
}

static bool open_labels(struct reading *r, size_t column, struct error *e)
{
    struct labels *labels = &r->labels[r->nlabels];
    labels->row = calloc(r->rows->maxrow, sizeof *labels->row);
    if (!labels->row)
        return error_memory(e);
    labels->column = column;
    r->nlabels++;
    return true;
}

/* --- reading --- */

static bool open_rows(struct reading *r, struct error *e)
{
    const struct columns *t = &r->in->reader.columns;
    struct inspect_rows *rows = r->rows;
    size_t most = INSPECT_NUMBERS / (t->nchannel + 1);
    most = most > INSPECT_ROWS ? INSPECT_ROWS : most;
    rows->maxrow = most < INSPECT_LEAST_ROWS ? INSPECT_LEAST_ROWS : most;
    rows->nchannel = t->nchannel;
    rows->grouped = COLUMN_NONE;
    rows->nseries = 1;
    rows->whole_times = true;
    rows->timed = t->time != COLUMN_NONE || r->rate > 0;
    /* Zeroing room for the most rows would be most of the time of a small table. */
    rows->value = malloc(rows->maxrow * (t->nchannel ? t->nchannel : 1) * sizeof *rows->value);
    rows->time = malloc(rows->maxrow * sizeof *rows->time);
    rows->number = malloc(rows->maxrow * sizeof *rows->number);
    rows->begins = calloc(rows->maxrow, sizeof *rows->begins);
    r->labels = calloc(MOST_LABELLED, sizeof *r->labels);
    if (!rows->value || !rows->time || !rows->number || !rows->begins || !r->labels)
        return error_memory(e);
    for (size_t i = 0; i < t->ncolumn && r->nlabels < MOST_LABELLED; i = columns_after(t, i))
        if (t->column[i].reason == REASON_TEXT && t->column[i].cell != COLUMN_NONE && !open_labels(r, i, e))
            return false;
    return true;
}

/* The error of a row whose time is no number. */
static bool refuse_time(struct reading *r, const struct block *b, size_t row, struct error *e)
{
    const struct columns *t = &r->in->reader.columns;
    if (!format_cell_text(&r->in->reader, b, row, t->time, &r->cell))
        return error_memory(e);
    error_data(e, r->cell.n > 0 ? "the time is not a number" : "the time is missing");
    error_column(e, t->column[t->time].name);
    if (r->cell.n > 0)
        error_excerpt(e, r->cell.text, r->cell.n);
    if (b->nline > 0)
        error_place(e, b->firstline - 1 + block_line(b, row));
    return false;
}

static int greater(int a, int b)
{
    return a > b ? a : b;
}

/* Sets rows->digit. Times are taken to be printed with as many decimals as the time with the most decimals,
 * or with as many significant digits, as by %g; then large times have fewer decimals. */
static void take_digits(struct reading *r, const struct number_decimal *time)
{
    int digits = 0;
    for (int64_t rest = time->digits; rest != 0; rest /= 10)
        digits++;
    r->most_decimals = greater(r->most_decimals, -time->exp10);
    r->most_digits = greater(r->most_digits, digits);
    r->most_before = greater(r->most_before, digits + time->exp10);
    int place = greater(r->most_before - r->most_digits, -r->most_decimals);
    r->rows->digit = pow(10, place) * time_unit_seconds(r->in->reader.columns.unit);
}

/* The time of a row of a block. */
static bool take_time(struct reading *r, const struct block *b, size_t row, struct error *e)
{
    const struct columns *t = &r->in->reader.columns;
    struct inspect_rows *rows = r->rows;
    if (t->time == COLUMN_NONE) {
        rows->time[rows->nrow] = (double)rows->nrow / (r->rate > 0 ? r->rate : 1);
        return true;
    }
    struct timestamp now = b->time[row];
    if (isnan(now.t))
        return refuse_time(r, b, row, e);
    if (t->form == TIMESTAMP_CLOCK && rows->nrow > 0)
        timestamp_pass_midnight(&now, &r->last);
    if (rows->nrow == 0)
        r->first = now;
    r->last = now;
    rows->time[rows->nrow] = timestamp_between(&r->first, &now, t->unit);
    rows->whole_times = rows->whole_times && now.t == floor(now.t);
    if (now.decimal.exact)
        take_digits(r, &now.decimal);
    return true;
}

/* A cell of a channel without a number: missing, or a text. */
static bool take_missing(struct reading *r, const struct block *b, size_t row,
                         struct inspect_channel *channel, struct error *e)
{
    const struct reader *reader = &r->in->reader;
    if (reader->format->family != FAMILY_TEXT && reader->format->family != FAMILY_JSON &&
        reader->format->family != FAMILY_MOTION)
        return true;
    if (!format_cell_text(reader, b, row, channel->column, &r->cell))
        return error_memory(e);
    const char *text = r->cell.text;
    size_t n = r->cell.n;
    if (!text)
        return true;
    for (; n > 0 && (*text == ' ' || *text == '\t'); n--)
        text++;
    while (n > 0 && (text[n - 1] == ' ' || text[n - 1] == '\t'))
        n--;
    if (format_gap(reader->options, text, n))
        return true;
    char shown[sizeof channel->text];
    error_escape(text, n, shown, sizeof shown);
    if (channel->ntext++ == 0) {
        memcpy(channel->text, shown, sizeof shown);
        channel->text_row = r->rows->nrow + 1;
        channel->texts_differ = n >= sizeof shown;
    } else if (strcmp(channel->text, shown) != 0) {
        channel->texts_differ = true;
    }
    return true;
}

static bool take_row(struct reading *r, const struct block *b, size_t row, struct error *e)
{
    struct inspect_rows *rows = r->rows;
    if (!take_time(r, b, row, e))
        return false;
    for (size_t c = 0; c < rows->nchannel; c++) {
        double x = block_value(b, c)[row];
        inspect_value(rows, c)[rows->nrow] = isfinite(x) ? x : (double)NAN;
        if (isnan(x) && !take_missing(r, b, row, &r->channel[c], e))
            return false;
    }
    for (size_t k = 0; k < r->nlabels; k++) {
        if (!format_cell_text(&r->in->reader, b, row, r->labels[k].column, &r->cell))
            return error_memory(e);
        if (!take_label(&r->labels[k], rows->nrow, r->cell.text ? r->cell.text : "", r->cell.n, e))
            return false;
    }
    rows->number[rows->nrow] = (uint32_t)rows->nrow + 1;
    rows->nrow++;
    return true;
}

static bool read_blocks(struct reading *r, struct error *e)
{
    struct block block = { 0 };
    enum loaded loaded = LOAD_ROWS;
    bool good = true;
    size_t taken = 0;
    do {
        loaded = input_load(r->in, &block, e);
        for (taken = 0; loaded == LOAD_ROWS && good && taken < block.nrow; taken++) {
            if (r->rows->nrow == r->rows->maxrow)
                break;
            good = take_row(r, &block, taken, e);
        }
    } while (good && loaded == LOAD_ROWS && taken == block.nrow);
    r->rows->whole = loaded == LOAD_END;
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

/* Do times rise in the rows of each label, and has some label two rows or more? */
static bool tells_series(const struct inspect_rows *rows, struct labels *labels)
{
    double last[MOST_LABELS];
    if (labels->useless || labels->n < 2 || rows->nrow < 2 * labels->n)
        return false;
    for (size_t k = 0; k < labels->n; k++)
        last[k] = -(double)INFINITY;
    for (size_t i = 0; i < rows->nrow; i++) {
        double *before = &last[labels->row[i]];
        if (rows->time[i] < *before)
            return false;
        *before = rows->time[i];
    }
    return true;
}

/* The numbers of a channel as labels. */
static bool label_channel(const struct inspect_rows *rows, size_t channel, struct labels *labels,
                          struct error *e)
{
    const double *value = inspect_value(rows, channel);
    for (size_t i = 0; i < rows->nrow && !labels->useless; i++) {
        char number[40];
        if (value[i] != floor(value[i]))
            labels->useless = true;
        snprintf(number, sizeof number, "%.17g", value[i]);
        if (!take_label(labels, i, number, strlen(number), e))
            return false;
    }
    return true;
}

/* Sorts the rows by label; rows with the same label stay in order. */
static bool sort_rows(struct inspect_rows *rows, const struct labels *labels, struct error *e)
{
    size_t n = rows->nrow, *place, start[MOST_LABELS + 1] = { 0 };
    double *copy;
    if (!arrays_make(e, ARRAY(place, n), ARRAY(copy, n)))
        return false;
    for (size_t i = 0; i < n; i++)
        start[labels->row[i] + 1]++;
    for (size_t k = 0; k < labels->n; k++)
        start[k + 1] += start[k];
    for (size_t k = 0; k < labels->n; k++)
        rows->begins[start[k]] = true;
    for (size_t i = 0; i < n; i++)
        place[i] = start[labels->row[i]]++;
    for (size_t c = 0; c <= rows->nchannel; c++) {
        double *column = c < rows->nchannel ? inspect_value(rows, c) : rows->time;
        memcpy(copy, column, n * sizeof *copy);
        for (size_t i = 0; i < n; i++)
            column[place[i]] = copy[i];
    }
    for (size_t i = 0; i < n; i++)
        rows->number[place[i]] = (uint32_t)i + 1;
    rows->grouped = labels->column;
    rows->nseries = labels->n;
    free(place);
    return true;
}

/* Where times go backward, finds the column that tells mixed series apart, and sorts the rows by series. */
static bool find_series(struct reading *r, struct error *e)
{
    struct inspect_rows *rows = r->rows;
    if (!goes_backward(rows))
        return true;
    for (size_t k = 0; k < r->nlabels; k++)
        if (tells_series(rows, &r->labels[k]))
            return sort_rows(rows, &r->labels[k], e);
    for (size_t c = 0; c < rows->nchannel && r->nlabels < MOST_LABELLED; c++) {
        if (!open_labels(r, r->channel[c].column, e))
            return false;
        struct labels *labels = &r->labels[r->nlabels - 1];
        if (!label_channel(rows, c, labels, e))
            return false;
        if (tells_series(rows, labels))
            return sort_rows(rows, labels, e);
    }
    return true;
}

bool inspect_rows_read(struct inspect_rows *rows, struct inspect_channel *channel, struct input *in,
                       double rate, struct error *e)
{
    struct reading r = { .rows = rows, .channel = channel, .in = in, .rate = rate };
    struct error ignored;
    bool good = open_rows(&r, e);
    if (good) {
        good = read_blocks(&r, e);
        if (!find_series(&r, good ? e : &ignored))
            good = false;
    }
    for (size_t i = 0; rows->begins && i < rows->nrow; i++)
        rows->begins[i] = rows->begins[i] || i == 0 || rows->time[i] < rows->time[i - 1];
    free_labels(&r);
    free(r.cell.room);
    return good;
}

void inspect_rows_free(struct inspect_rows *rows)
{
    free(rows->value);
    free(rows->time);
    free(rows->number);
    free(rows->begins);
    *rows = (struct inspect_rows){ 0 };
}
