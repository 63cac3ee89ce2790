/* Writing motion capture. Rows of the same format are their own text with numbers in place of cells, below
 * their own header. Rows of other formats are composed: the time and a number per column, between tabs. Their
 * header has the number of rows, so that they wait in a temporary file until it is known. */
#include "formats/motion/motion.h"

#include "number/timestamp.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

bool motion_put(struct block *b, const char *format, ...)
{
    va_list list, again;
    va_start(list, format);
    va_copy(again, list);
    int n = vsnprintf(NULL, 0, format, list);
    bool good = n >= 0 && block_room(b, (size_t)n + 1);
    if (good)
        b->nbyte += (size_t)vsnprintf(b->bytes + b->nbyte, (size_t)n + 1, format, again);
    va_end(again);
    va_end(list);
    return good;
}

/* The reader's state where the input is motion capture, else NULL. */
static const struct motion *motion_of(const struct writer *w)
{
    return w->reader->format->family == FAMILY_MOTION ? w->reader->state : NULL;
}

/* --- the header of the input --- */

/* Text that replaces a span of the head. */
struct field {
    struct span at;
    char text[NUMBER_MAX + 1];
};

bool motion_put_added_names(const struct writer *w, struct block *b)
{
    const struct motion_writer *o = w->state;
    for (size_t i = 0; i < w->layout->nadded; i++)
        if (!motion_put(b, "%c%s", o->delimiter, w->layout->added[i].name))
            return false;
    return true;
}

/* The fields that change, in the order of the head; the one without text is where added names go. */
static size_t list_fields(const struct writer *w, struct field *field)
{
    const struct motion *m = motion_of(w);
    const struct motion_writer *o = w->state;
    size_t n = 0;
    field[n++].at = (struct span){ (uint32_t)m->csv.names, 0 };
    if (w->layout->nadded > 0 && m->field.columns.n > 0) {
        sprintf(field[n].text, "%zu", w->reader->columns.ncolumn + w->layout->nadded);
        field[n++].at = m->field.columns;
    }
    if (w->resampled && m->field.rows.n > 0) {
        sprintf(field[n].text, "%llu", (unsigned long long)o->nrow);
        field[n++].at = m->field.rows;
    }
    if (w->resampled && m->field.rate.n > 0) {
        double rate = m->kind == MOTION_BVH ? 1 / w->rate : w->rate;
        field[n].text[number_print(field[n].text, rate, &number_shortest)] = 0;
        field[n++].at = m->field.rate;
    }
    for (size_t i = 1; i < n; i++)
        for (size_t k = i; k > 0 && field[k].at.at < field[k - 1].at.at; k--) {
            struct field other = field[k];
            field[k] = field[k - 1];
            field[k - 1] = other;
        }
    return n;
}

/* Puts the input's header with the names of added columns and the new numbers of columns and rows. */
static bool put_input_head(const struct writer *w, struct block *b, struct error *e)
{
    const struct motion *m = motion_of(w);
    struct field field[4] = { 0 };
    size_t n = list_fields(w, field), from = 0;
    bool good = true;
    for (size_t i = 0; i < n; i++) {
        const struct span at = field[i].at;
        good = good && block_put(b, m->csv.head + from, at.at - from) &&
               (*field[i].text ? motion_put(b, "%s", field[i].text) : motion_put_added_names(w, b));
        from = at.at + at.n;
    }
    if (good && block_put(b, m->csv.head + from, m->csv.nhead - from))
        return true;
    *e = b->error;
    return false;
}

/* --- what can be written --- */

struct motion_writer *motion_accept(struct writer *w, enum motion_kind kind, const char *gap,
                                    bool (*head)(const struct writer *, struct block *, struct error *),
                                    struct error *e)
{
    const struct motion *m = motion_of(w);
    struct motion_writer *o = w->state = calloc(1, sizeof *o);
    if (!o) {
        error_memory(e);
        return NULL;
    }
    o->held.fd = -1;
    o->gap = gap;
    o->same = m && m->kind == kind;
    o->head = o->same ? put_input_head : head;
    o->frame = COLUMN_NONE;
    o->delimiter = '\t';
    if (o->same && (!m->csv.runs || !memchr(m->csv.head, '\t', m->csv.nhead)))
        o->delimiter = m->csv.delimiter;
    return o;
}

bool motion_refuse_added(const struct writer *w, const char *why, struct error *e)
{
    if (w->layout->nadded == 0)
        return true;
    if (!format_derived(w->layout)) {
        error_usage(e, "columns that the filter adds: %s", why);
        return error_hint(e, "write them with --to csv");
    }
    error_usage(e, "derivatives: %s", why);
    return error_hint(e, "leave them out with --derivatives 0, or write them with --to csv");
}

static bool check_column(const struct writer *w, size_t i, struct error *e)
{
    const struct column *c = &w->reader->columns.column[i];
    if (c->role == ROLE_GROUP)
        error_data(e, "%s holds one series, not one for each value of a column", w->format->name);
    else if (c->role == ROLE_PASS && c->first == CELL_TEXT)
        error_data(e, "%s holds numbers, and this column is text", w->format->name);
    else if (strpbrk(c->name, "\t\r\n"))
        error_data(e, "%s has no way to write this name", w->format->name);
    else
        return true;
    error_column(e, c->name);
    return error_hint(e, "use --to csv or --to json, or take the column out of the input");
}

/* True for the frame numbers of trc. Other formats leave them out; trc takes them unfiltered even if the
 * input has them as a channel. */
static bool is_frame(const struct writer *w, size_t i)
{
    const struct motion_writer *o = w->state;
    const struct column *c = &w->reader->columns.column[i];
    return (o->framed || c->role == ROLE_PASS) && strcmp(c->name, "Frame#") == 0;
}

bool motion_compose(struct writer *w, struct error *e)
{
    struct motion_writer *o = w->state;
    const struct columns *t = &w->reader->columns;
    o->column = malloc((t->ncolumn + 1) * sizeof *o->column);
    if (!o->column)
        return error_memory(e);
    if (t->time == COLUMN_NONE && motion_rate(w) == 0) {
        error_data(e, "there is no time to write");
        return error_hint(e, "name its column with --time");
    }
    for (size_t i = 0; i < t->ncolumn; i++) {
        if (i == t->time || (i == t->passed && t->column[i].role == ROLE_PASS))
            continue;
        if (is_frame(w, i)) {
            o->frame = i;
            continue;
        }
        if (!check_column(w, i, e))
            return false;
        o->column[o->ncolumn++] = i;
    }
    return true;
}

double motion_rate(const struct writer *w)
{
    const struct motion_writer *o = w->state;
    if (w->rate > 0 || w->reader->columns.rate > 0)
        return w->rate > 0 ? w->rate : w->reader->columns.rate;
    double elapsed = o->nrow > 1 ? timestamp_difference(&o->first, &o->last, w->time_unit) : 0;
    return elapsed > 0 ? (double)(o->nrow - 1) / elapsed : 0;
}

/* --- composed --- */

/* A cell of the input as a number with a point: its own text, or the number printed again if it has a decimal
 * comma or another unit. The text is fetched behind the room for the result. */
static bool put_cell(const struct writer *w, struct block *b, size_t row, size_t column, int unit)
{
    const struct motion_writer *o = w->state;
    const struct reader *r = w->reader;
    const struct column *c = &r->columns.column[column];
    char point = r->options->decimal ? *r->options->decimal : '.';
    size_t max = b->ncell ? b->cell[row * b->ncell + c->cell].n : 0, n;
    max = max > NUMBER_MAX ? max : NUMBER_MAX;
    if (!block_room(b, 2 * max))
        return false;
    const char *text = r->format->cell(r, b, row, column, b->bytes + b->nbyte + max, max, &n);
    if (!text || format_gap(r->options, text, n))
        return block_put(b, o->gap, strlen(o->gap));
    struct timestamp s;
    if (number_read_decimal(text, text + n, point, &s.t, &s.decimal) == text + n && isfinite(s.t)) {
        if (unit != 0)
            return block_put_number(b, timestamp_seconds(&s, unit), &number_shortest);
        if (point != '.')
            return block_put_number(b, s.t, &number_shortest);
        return block_put(b, text, n);
    }
    error_data(&b->error, "%s holds numbers, and this is none", w->format->name);
    error_excerpt(&b->error, text, n);
    error_column(&b->error, c->name);
    error_hint(&b->error, "use --to csv or --to json, or take the column out of the input");
    return error_place(&b->error, block_line(b, row), 0);
}

static bool put_out(const struct writer *w, struct block *b, size_t row, size_t out)
{
    const struct motion_writer *o = w->state;
    bool gap = isnan(block_out(b, out)[row]);
    return gap ? block_put(b, o->gap, strlen(o->gap)) : writer_put(w, b, row, out, '.');
}

/* The seconds of a time in units of 10^unit seconds, converted as a decimal so that no digit is lost. */
static double seconds_of(double t, int unit)
{
    struct timestamp s;
    char text[NUMBER_MAX];
    number_read_decimal(text, text + number_print(text, t, &number_shortest), '.', &s.t, &s.decimal);
    return timestamp_seconds(&s, unit);
}

static bool put_decimal(struct block *b, struct number_decimal d, int unit)
{
    d.exp10 += unit; /* seconds */
    if (!block_room(b, NUMBER_MAX))
        return false;
    b->nbyte += number_print_decimal(b->bytes + b->nbyte, &d, '.');
    return true;
}

static bool put_time(const struct writer *w, struct block *b, size_t row)
{
    const struct columns *t = &w->reader->columns;
    size_t out = t->time == COLUMN_NONE ? COLUMN_NONE : w->layout->replace[t->time];
    if (out != COLUMN_NONE && b->stamp[row].decimal.exact)
        return put_decimal(b, b->stamp[row].decimal, w->time_unit);
    if (out != COLUMN_NONE)
        return block_put_number(b, seconds_of(block_out(b, out)[row], w->time_unit), &number_shortest);
    if (t->time != COLUMN_NONE)
        return put_cell(w, b, row, t->time, w->reader->columns.rate > 0 ? 0 : w->time_unit);
    return block_put_number(b, (double)(b->firstrow + row) / motion_rate(w), &number_shortest);
}

static bool compose_row(const struct writer *w, struct block *b, size_t row)
{
    const struct motion_writer *o = w->state;
    if (o->framed && (o->frame == COLUMN_NONE || w->resampled
                          ? !motion_put(b, "%llu", (unsigned long long)(b->firstrow + row + 1))
                          : !put_cell(w, b, row, o->frame, 0)))
        return false;
    if ((o->framed && !block_put(b, "\t", 1)) || !put_time(w, b, row))
        return false;
    for (size_t i = 0; i < o->ncolumn; i++) {
        size_t out = w->layout->replace[o->column[i]];
        if (!block_put(b, "\t", 1) || (out != COLUMN_NONE && (w->resampled || !isnan(block_out(b, out)[row]))
                                           ? !put_out(w, b, row, out)
                                           : !put_cell(w, b, row, o->column[i], 0)))
            return false;
    }
    for (size_t i = 0; i < w->layout->nadded; i++)
        if (!block_put(b, "\t", 1) || !put_out(w, b, row, w->layout->added[i].out))
            return false;
    return block_put(b, "\n", 1);
}

/* --- the writer --- */

bool motion_begin(struct writer *w, struct block *b, struct error *e)
{
    struct motion_writer *o = w->state;
    o->late = !o->same || w->resampled;
    if (o->same && !csv_splice(&o->splice, w, &o->delimiter, e))
        return false;
    o->splice.gap = o->gap;
    if (!o->late)
        return put_input_head(w, b, e);
    return o->waiting = tempfile_open(&o->held, -1, e);
}

static bool put_row(const struct writer *w, struct block *b, size_t row)
{
    const struct motion_writer *o = w->state;
    return o->same ? csv_splice_row(w, &o->splice, b, row) : compose_row(w, b, row);
}

void motion_print(const struct writer *w, struct block *b)
{
    const struct motion_writer *o = w->state;
    if (!o->late)
        splice_print(&o->splice, b);
    else
        format_print_rows(w, b, put_row);
}

/* Counts rows, and keeps the first and the last time. */
static void count_rows(struct motion_writer *o, const struct writer *w, const struct block *b)
{
    if (b->nrow > 0 && b->stamp && w->reader->columns.time != COLUMN_NONE) {
        o->first = o->nrow == 0 ? b->stamp[0] : o->first;
        o->last = b->stamp[b->nrow - 1];
    }
    o->nrow += b->nrow;
}

bool motion_store(struct writer *w, struct block *b, struct error *e)
{
    struct motion_writer *o = w->state;
    if (!o->late)
        return tempfile_put(w->fd, b->bytes, b->nbyte, e);
    if (b->nbyte == 0)
        return true;
    count_rows(o, w, b);
    return o->waiting = tempfile_write(&o->held, o->held.size, b->bytes, b->nbyte, e);
}

/* Writes the header, and the rows that waited for it. */
static bool release(struct writer *w, struct error *e)
{
    struct motion_writer *o = w->state;
    struct block b;
    block_init(&b);
    o->waiting = false;
    o->held.out = w->fd;
    bool good = o->head(w, &b, e) && tempfile_put(w->fd, b.bytes, b.nbyte, e) && tempfile_finish(&o->held, e);
    if (!good && e->kind == ERROR_NONE)
        *e = b.error;
    block_free(&b);
    return good;
}

bool motion_finish(struct writer *w, struct block *b, struct error *e)
{
    const struct motion_writer *o = w->state;
    (void)b;
    e->kind = ERROR_NONE;
    return !o->late || release(w, e);
}

void motion_end(struct writer *w)
{
    struct motion_writer *o = w->state;
    struct error ignored = { .kind = ERROR_NONE };
    if (!o)
        return;
    /* After an error in the input the rows before it still make a complete file. */
    if (o->waiting)
        release(w, &ignored);
    tempfile_close(&o->held);
    splice_free(&o->splice);
    free(o->column);
    free(o);
    w->state = NULL;
}
