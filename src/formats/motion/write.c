/* Writing motion capture. Rows of the same format are their own text with numbers in place of cells, below
 * their own header. Rows of other formats are composed: the time and a number per column, between tabs. Their
 * header has the number of rows, so that they wait in a temporary file until it is known. */
#include "formats/motion/motion.h"

#include "number/timestamp.h"

#include <math.h>
#include <stdlib.h>

/* NULL where the input is not motion capture. */
static const struct motion *motion_of(const struct writer *w)
{
    return w->reader->format->family == FAMILY_MOTION ? w->reader->state : NULL;
}

/* --- the header of the input --- */

void motion_put_added_names(const struct writer *w, struct text *t)
{
    const struct motion_writer *o = w->state;
    for (size_t i = 0; i < w->layout->nadded; i++)
        text_put(t, "%c%s", o->delimiter, w->layout->added[i].name);
}

static void put_field(const struct writer *w, const struct motion *m, enum motion_field f, struct text *t)
{
    const struct motion_writer *o = w->state;
    if (f == MOTION_NAMES)
        motion_put_added_names(w, t);
    else if (f == MOTION_COLUMNS)
        text_put(t, "%zu", w->reader->columns.ncolumn + w->layout->nadded);
    else if (f == MOTION_ROWS)
        text_put(t, "%llu", (unsigned long long)o->nrow);
    else
        text_number(t, m->kind == MOTION_BVH ? 1 / w->rate : w->rate, &number_shortest);
}

/* Puts the input's header with the names of added columns and the new numbers of columns and rows. */
static bool put_input_head(const struct writer *w, struct text *t, struct error *e)
{
    const struct motion *m = motion_of(w);
    size_t from = 0;
    unsigned left = w->layout->nadded ? 1 << MOTION_NAMES : 0; /* fields to change */
    (void)e;
    for (unsigned f = MOTION_COLUMNS; f < MOTION_NFIELD; f++)
        left |= (unsigned)(m->field[f].n && (f == MOTION_COLUMNS ? w->layout->nadded : w->resampled)) << f;
    while (left) {
        unsigned next = (unsigned)__builtin_ctz(left);
        for (unsigned f = next + 1; f < MOTION_NFIELD; f++)
            if (left >> f & 1 && m->field[f].at < m->field[next].at)
                next = f;
        text_add(t, m->csv.head + from, m->field[next].at - from);
        put_field(w, m, next, t);
        from = m->field[next].at + m->field[next].n;
        left &= ~(1U << next);
    }
    text_add(t, m->csv.head + from, m->csv.nhead - from);
    return true;
}

/* --- what can be written --- */

struct motion_writer *motion_accept(struct writer *w, enum motion_kind kind,
                                    bool (*head)(const struct writer *, struct text *, struct error *),
                                    struct error *e)
{
    const struct motion *m = motion_of(w);
    struct motion_writer *o = w->state = calloc(1, sizeof *o);
    if (!o) {
        error_memory(e);
        return NULL;
    }
    o->held.fd = -1;
    o->gap = kind == MOTION_TRC ? "" : "nan";
    o->framed = kind == MOTION_TRC;
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
    bool derived = format_derived(w->layout);
    error_usage(e, "%s: %s", derived ? "derivatives" : "columns that the filter adds", why);
    return error_hint(e, "%swrite them with --to csv",
                      derived ? "leave them out with --derivatives 0, or " : "");
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
        /* Other formats leave those of trc out; trc takes frame numbers unfiltered even if they are a
         * channel. */
        if ((o->framed || t->column[i].frame) && columns_counts_frames(&t->column[i]))
            o->frame = o->frame == COLUMN_NONE ? i : o->frame;
        else if (check_column(w, i, e))
            o->column[o->ncolumn++] = i;
        else
            return false;
    }
    return true;
}

double motion_rate(const struct writer *w)
{
    const struct motion_writer *o = w->state;
    if (w->rate > 0 || w->reader->columns.rate > 0)
        return w->rate > 0 ? w->rate : w->reader->columns.rate;
    double elapsed = o->nrow > 1 ? timestamp_between(&o->first, &o->last, w->reader->columns.unit) : 0;
    return elapsed > 0 ? (double)(o->nrow - 1) / elapsed : 0;
}

/* --- composed --- */

/* A cell of the input as a number with a point: its own text, or the number printed again if it has a decimal
 * comma or another unit. The text is fetched behind the room for the result. */
static bool put_cell(const struct writer *w, struct block *b, size_t row, size_t column,
                     struct time_unit unit)
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
        bool same = unit.exp10 == 0 && unit.rate == 0;
        if (same && point == '.')
            return block_put(b, text, n);
        return block_put_number(b, same ? s.t : timestamp_between(NULL, &s, unit), &number_shortest);
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

static bool put_time(const struct writer *w, struct block *b, size_t row)
{
    const struct columns *t = &w->reader->columns;
    size_t out = t->time == COLUMN_NONE ? COLUMN_NONE : w->layout->replace[t->time];
    char text[NUMBER_MAX];
    if (out == COLUMN_NONE && t->form != TIMESTAMP_NUMBER)
        return block_put(b, text, timestamp_print(text, &b->time[row]));
    if (out == COLUMN_NONE && t->time != COLUMN_NONE)
        return put_cell(w, b, row, t->time, t->unit);
    if (out == COLUMN_NONE)
        return block_put_number(b, (double)(b->firstrow + row) / motion_rate(w), &number_shortest);
    /* Seconds are made of the decimal, so that no digit is lost. */
    struct timestamp s = b->time[row];
    if (s.decimal.exact) {
        s.decimal.exp10 += t->unit.exp10;
        return block_put(b, text, number_print_decimal(text, &s.decimal, '.'));
    }
    size_t n = number_print(text, block_out(b, out)[row], &number_shortest);
    number_read_decimal(text, text + n, '.', &s.t, &s.decimal);
    return block_put_number(b, timestamp_between(NULL, &s, t->unit), &number_shortest);
}

static bool compose_row(const struct writer *w, struct block *b, size_t row)
{
    const struct motion_writer *o = w->state;
    const struct time_unit as_it_is = { 0 };
    if (o->framed && (o->frame == COLUMN_NONE || w->resampled
                          ? !block_put_number(b, (double)(b->firstrow + row + 1), &number_shortest)
                          : !put_cell(w, b, row, o->frame, as_it_is)))
        return false;
    if ((o->framed && !block_put(b, "\t", 1)) || !put_time(w, b, row))
        return false;
    for (size_t i = 0; i < o->ncolumn; i++) {
        size_t out = w->layout->replace[o->column[i]];
        if (!block_put(b, "\t", 1) ||
            (writer_replaces(w, b, row, o->column[i]) ? !put_out(w, b, row, out)
                                                      : !put_cell(w, b, row, o->column[i], as_it_is)))
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
    if (o->late)
        return o->waiting = tempfile_open(&o->held, -1, e);
    struct text head = { 0 };
    put_input_head(w, &head, e);
    bool good = (!head.failed && block_put(b, head.bytes, head.n)) || error_memory(e);
    free(head.bytes);
    return good;
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

bool motion_store(struct writer *w, struct block *b, struct error *e)
{
    struct motion_writer *o = w->state;
    if (!o->late)
        return tempfile_put(w->fd, b->bytes, b->nbyte, e);
    if (b->nbyte == 0)
        return true;
    if (b->nrow > 0 && b->time && w->reader->columns.time != COLUMN_NONE) {
        o->first = o->nrow == 0 ? b->time[0] : o->first;
        o->last = b->time[b->nrow - 1];
    }
    o->nrow += b->nrow;
    return o->waiting = tempfile_write(&o->held, o->held.size, b->bytes, b->nbyte, e);
}

/* Writes the header, and the rows that waited for it. */
static bool release(struct writer *w, struct error *e)
{
    struct motion_writer *o = w->state;
    struct text head = { 0 };
    o->waiting = false;
    o->held.out = w->fd;
    bool good = o->head(w, &head, e) && (!head.failed || error_memory(e)) &&
                tempfile_put(w->fd, head.bytes, head.n, e) && tempfile_finish(&o->held, e);
    free(head.bytes);
    return good;
}

bool motion_finish(struct writer *w, struct block *b, struct error *e)
{
    const struct motion_writer *o = w->state;
    (void)b;
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
