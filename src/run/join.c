/* Several inputs as one. See join.h. */
#include "run/join.h"

#include "base/port.h"
#include "formats/input.h"
#include "formats/splice.h"

#include <stdio.h>
#include <stdlib.h>

/* --- heads --- */

/* Checks that a later input has the format, the rate and the columns of the first input. */
static bool check_columns(const struct join *join, const struct reader *next, struct error *e)
{
    const struct reader *first = join->reader;
    const struct columns *own = &next->columns, *columns = &first->columns;
    const char *name = first->source->name;
    if (next->format != first->format)
        return error_data(e, "this file is %s, but %s is %s", next->format->name, name, first->format->name);
    for (size_t i = 0; i < columns->ncolumn && i < own->ncolumn; i++)
        if (strcmp(own->column[i].name, columns->column[i].name) != 0)
            return error_data(e, "column %zu is \"%.100s\", but in %s it is \"%.100s\"", i + 1,
                              own->column[i].name, name, columns->column[i].name);
    if (own->ncolumn != columns->ncolumn)
        return error_data(e, "this file has %zu column%s, but %s has %zu", own->ncolumn,
                          error_plural(own->ncolumn), name, columns->ncolumn);
    /* With the same columns either both heads state a rate, or neither does. */
    if (own->rate != join->rate) {
        error_data(e, "the header says %.10g rows per second, but that of %s says %.10g", own->rate, name,
                   join->rate);
        return error_hint(e, "resample all inputs to the same rate first, as with --resample 100");
    }
    return first->format->joinable(first, next, e);
}

/* Opens an input, and checks its head. */
static bool open_next(const struct join *join, struct source *source, struct reader *next, const char *name,
                      struct error *e)
{
    source->fd = -1;
    if (!source_open(source, name, e))
        return false;
    if (source_is_file(source, join->output))
        return error_usage(e, "the output would replace this input");
    return input_begin(source, next, name, join->reader->options, e) && check_columns(join, next, e);
}

static void close_next(struct source *source, struct reader *next)
{
    next->messages = NULL;
    if (next->format)
        next->format->close(next);
    columns_free(&next->columns);
    source_close(source);
}

/* Checks the head of an input that is a file; a pipe can be read only once. */
static bool check_head(const struct join *join, const char *name, struct error *e)
{
    struct port_status st;
    struct source source;
    struct reader next = { 0 };
    bool standard = strcmp(name, "-") == 0;
    if (standard || (port_status_of(name, &st) == 0 && st.kind != PORT_REGULAR && st.kind != PORT_DIRECTORY))
        return true;
    bool good = open_next(join, &source, &next, name, e);
    close_next(&source, &next);
    return good || error_in_option(e, "--join", source_shown(name));
}

bool join_open(struct join *join, struct reader *first, const struct texts *inputs, int output,
               struct error *e)
{
    *join = (struct join){
        .reader = first, .inputs = inputs, .rate = first->columns.rate, .ninput = 1, .output = output
    };
    if (!first->format->join) {
        char able[200];
        format_list_joined(able, sizeof able);
        error_usage(e, "--join does not support %s", first->format->name);
        return error_hint(e, "it joins %s; convert with --to csv first", able);
    }
    first->joined = first->followed = true;
    if (!arrays_make(e, ARRAY(join->input, inputs->ntext)))
        return false;
    join->input[0].head = first->nline;
    for (size_t i = 1; i < inputs->ntext; i++)
        if (!check_head(join, inputs->text[i], e))
            return false;
    return true;
}

void join_close(struct join *join)
{
    free(join->input);
    free(join->number);
    free(join->text);
    *join = (struct join){ 0 };
}

/* --- loading --- */

/* Goes on with the next input. */
static bool take_input(struct join *join, struct error *e)
{
    struct reader *reader = join->reader, next = { .messages = reader->messages };
    struct source source, *own = reader->source;
    const char *name = join->inputs->text[join->ninput];
    bool good = open_next(join, &source, &next, name, e);
    if (good) {
        reader->format->join(reader, &next);
        reader->followed = join->ninput + 1 < join->inputs->ntext;
        join->input[join->ninput++].head = next.nline;
        const char *first_name = own->name;
        bool whole = own->whole;
        uint64_t nread = own->nread + source.nread;
        source_close(own);
        *own = source;
        own->name = first_name;
        own->whole = whole;
        own->nread = nread;
        source.fd = -1;
    }
    close_next(&source, &next);
    return good || error_in_option(e, "--join", source_shown(name));
}

enum loaded join_load(struct join *join, struct block *block, struct error *e)
{
    enum loaded loaded;
    while ((loaded = join->reader->format->load(join->reader, block, e)) == LOAD_END &&
           join->ninput < join->inputs->ntext)
        if (!take_input(join, e))
            return LOAD_ERROR;
    block->input = join->ninput;
    return loaded;
}

const char *join_place(const struct join *join, uint64_t *line)
{
    size_t i = join->ntaken > 0 ? join->ntaken - 1 : 0;
    while (i > 0 && join->input[i].before >= *line)
        i--;
    if (i > 0)
        *line = *line - join->input[i].before + join->input[i].head;
    return source_shown(join->inputs->text[i]);
}

/* --- numbers that go on --- */

bool join_bind(struct join *join, struct error *e)
{
    const struct columns *columns = &join->reader->columns;
    const struct column_plan *plan = join->reader->plan;
    if (!arrays_make(e, ARRAY(join->number, columns->ncolumn), ARRAY(join->edit, columns->ncolumn)))
        return false;
    for (size_t i = columns->counted; i < columns->ncolumn; i++) {
        const struct column *column = &columns->column[i];
        const struct column_use *use = plan_use(plan, i);
        bool counter = use->role == ROLE_PASS &&
                       (column->frame || columns_counts_rows(column) || use->reason == REASON_CLOCK);
        bool unused_time = i == plan->unused_time && use->role == ROLE_PASS;
        bool time = use->role == ROLE_TIME && plan->form == TIMESTAMP_NUMBER;
        if (counter || unused_time || time)
            join->number[join->nnumber++].column = i;
    }
    return true;
}

/* a + sign * b: exact where a and b are exact and the sum's digits fit, else the rounded sum of the doubles.
 */
static struct timestamp add(const struct timestamp *a, int sign, const struct timestamp *b)
{
    struct number_decimal x = a->decimal, y = b->decimal;
    struct timestamp sum = { a->t + sign * b->t, { 0, 0, false } };
    bool exact = x.exact && y.exact;
    while (exact && x.exp10 != y.exp10) {
        struct number_decimal *coarse = x.exp10 > y.exp10 ? &x : &y;
        exact = !__builtin_mul_overflow(coarse->digits, 10, &coarse->digits);
        coarse->exp10--;
    }
    if (!exact || __builtin_mul_overflow(y.digits, sign, &y.digits) ||
        __builtin_add_overflow(x.digits, y.digits, &x.digits))
        return sum;
    sum.decimal = x;
    sum.t = timestamp_between(NULL, &sum, (struct time_unit){ 0 });
    return sum;
}

static bool is_less(const struct timestamp *a, const struct timestamp *b)
{
    return timestamp_between(a, b, (struct time_unit){ 0 }) > 0;
}

/* Reads the number in a cell. False: the cell holds no number. */
static bool read_number(const struct join *join, const struct block *block, struct span cell,
                        struct timestamp *s)
{
    const char *p = block->text + cell.at, *end = p + cell.n;
    return cell.n > 0 && number_read_decimal(p, end, reader_point(join->reader), &s->t, &s->decimal) == end &&
           isfinite(s->t);
}

/* Sets the shift for an input whose first number is *first: zero where *first is greater than every earlier
 * number; else *first becomes the number a step after the greatest. False: the shift takes a step, and no
 * step is known. */
static bool make_shift(struct going_on *going_on, const struct timestamp *first)
{
    static const struct timestamp zero = { 0, { 0, 0, true } };
    going_on->shift = zero;
    going_on->shifted = going_on->known && !is_less(&going_on->greatest, first);
    if (!going_on->shifted)
        return true;
    struct timestamp next = add(&going_on->greatest, 1, &going_on->step);
    going_on->shift = add(&next, -1, first);
    return going_on->stepped;
}

/* Takes the number of a row, as the number is printed, as the last number. */
static void follow(struct going_on *going_on, const struct timestamp *now)
{
    if (going_on->known && is_less(&going_on->last, now)) {
        going_on->step = add(now, -1, &going_on->last);
        going_on->stepped = true;
    }
    if (!going_on->known || is_less(&going_on->greatest, now))
        going_on->greatest = *now;
    going_on->last = *now;
    going_on->known = true;
}

/* The error of an input whose first time the inputs before have reached, where no step is known.
 * Returns false. */
static bool refuse_time(const struct join *join, struct block *block, size_t row)
{
    error_data(&block->error, "this file begins before %s ends, and its time step is unknown",
               source_shown(join->inputs->text[block->input - 2]));
    error_column(&block->error, columns_at(&join->reader->columns, join->reader->plan->time)->name);
    error_hint(&block->error, "to ignore the times, give the row rate, as in --rate 100");
    block_end_before(block, row);
    return error_place(&block->error, block_line(block, row));
}

/* Changes *now, the number of a row as read, to the number printed, and takes the new number as the last.
 * False: the block ends with an error. */
static bool take_number(const struct join *join, struct going_on *going_on, struct block *block, size_t row,
                        struct timestamp *now)
{
    bool time = going_on->column == join->reader->plan->time;
    if (join->begins && !make_shift(going_on, now) && time)
        return refuse_time(join, block, row);
    if (going_on->shifted && going_on->stepped)
        *now = add(now, 1, &going_on->shift);
    if (time)
        block->time[row] = *now;
    follow(going_on, now);
    return true;
}

/* --- the text of a block --- */

/* A copy of a block's text under way, with new numbers in changed cells. */
struct rewriting {
    struct join *join;
    struct block *block;
    size_t from;  /* bytes at the beginning of the block's text that were copied or replaced */
    size_t ntext; /* bytes of the new text in join->text */
    size_t nedit; /* number of changed cells in the row under way: join->edit, in the order of the text */
};

/* Copies the block's text up to byte `at`, and makes room for a number behind the copy. */
static bool copy_up_to(struct rewriting *rewriting, size_t at, struct error *e)
{
    size_t n = at - rewriting->from;
    if (!array_reserve(&rewriting->join->text, rewriting->ntext + n + NUMBER_MAX, &rewriting->join->maxtext,
                       1, e))
        return false;
    memcpy(rewriting->join->text + rewriting->ntext, rewriting->block->text + rewriting->from, n);
    rewriting->from = at;
    rewriting->ntext += n;
    return true;
}

/* Inserts a changed cell of a row into join->edit, in the order of the text. */
static void note_edit(struct rewriting *rewriting, struct span cell, const struct timestamp *now)
{
    struct cell_edit *edit = rewriting->join->edit;
    size_t i = rewriting->nedit++;
    for (; i > 0 && edit[i - 1].cell.at > cell.at; i--)
        edit[i] = edit[i - 1];
    edit[i] = (struct cell_edit){ cell, *now, 0 };
}

/* Prints the number of a changed cell, with no fewer digits behind the point than the cell had. Returns the
 * number of bytes. */
static size_t print_number(char *to, const struct cell_edit *edit, const char *text, char point)
{
    enum { MOST_DECIMALS = 17 };
    struct number_format shortest = number_shortest;
    shortest.point = point;
    const struct number_decimal *decimal = &edit->number.decimal;
    size_t n = decimal->exact ? number_print_decimal(to, decimal, point)
                              : number_print(to, edit->number.t, &shortest);
    int had = number_decimals(text + edit->cell.at, edit->cell.n, point);
    int has = number_decimals(to, n, point);
    had = had < MOST_DECIMALS ? had : MOST_DECIMALS;
    if (has == 0 && had > 0)
        to[n++] = point;
    for (; has >= 0 && has < had; has++)
        to[n++] = '0';
    return n;
}

/* Prints the changed cells of a row, and moves the spans of the row and of the row's cells. */
static bool rewrite_row(struct rewriting *rewriting, size_t row, struct error *e)
{
    struct join *join = rewriting->join;
    struct block *block = rewriting->block;
    size_t before = rewriting->ntext - rewriting->from; /* growth of the rows before, modulo size_t's range */
    size_t growth = 0;
    if (rewriting->nedit == 0 && before == 0)
        return true;
    for (struct cell_edit *edit = join->edit; edit < join->edit + rewriting->nedit; edit++) {
        if (!copy_up_to(rewriting, edit->cell.at, e))
            return false;
        size_t n = print_number(join->text + rewriting->ntext, edit, block->text, reader_point(join->reader));
        rewriting->from += edit->cell.n;
        rewriting->ntext += n;
        edit->growth = n - edit->cell.n;
        growth += edit->growth;
    }
    for (struct span *cell = block->cell + row * block->ncell; cell < block->cell + (row + 1) * block->ncell;
         cell++) {
        size_t at = cell->at, n = cell->n, moved = before;
        if (at == SPLICE_ABSENT) /* the row does not have the cell */
            continue;
        for (size_t i = 0; i < rewriting->nedit; i++) {
            if (join->edit[i].cell.at < at)
                moved += join->edit[i].growth;
            else if (join->edit[i].cell.at == at && n > 0)
                cell->n = (uint32_t)(n + join->edit[i].growth);
        }
        cell->at = (uint32_t)(at + moved);
    }
    block->row[row].at += (uint32_t)before;
    block->row[row].n += (uint32_t)growth;
    return true;
}

/* Moves the numbers of a block that go on, and replaces the text of the block if a number changed. */
static bool rewrite_block(struct join *join, struct block *block, struct error *e)
{
    struct rewriting rewriting = { .join = join, .block = block };
    const struct column_plan *plan = join->reader->plan;
    for (size_t row = 0; row < block->nrow; row++) {
        rewriting.nedit = 0;
        for (struct going_on *going_on = join->number; going_on < join->number + join->nnumber; going_on++) {
            struct span cell = block->cell[row * block->ncell + plan_use(plan, going_on->column)->cell];
            struct timestamp now;
            if (!read_number(join, block, cell, &now))
                continue;
            if (!take_number(join, going_on, block, row, &now))
                return true;
            if (going_on->shifted && going_on->stepped)
                note_edit(&rewriting, cell, &now);
        }
        join->begins = false;
        if (!rewrite_row(&rewriting, row, e))
            return false;
    }
    if (rewriting.ntext == 0)
        return true;
    size_t ntext = rewriting.ntext + (block->ntext - rewriting.from);
    if (!copy_up_to(&rewriting, block->ntext + BLOCK_SLACK, e))
        return false;
    char *text = block->text;
    size_t maxtext = block->maxtext;
    block->text = join->text;
    block->maxtext = join->maxtext;
    block->ntext = ntext;
    join->text = text;
    join->maxtext = maxtext;
    return true;
}

void join_take(struct join *join, struct block *block)
{
    struct error e;
    for (; join->ntaken < block->input; join->ntaken++) {
        join->input[join->ntaken].before = block->firstline - 1;
        join->begins = true;
    }
    if (join->nnumber > 0 && !rewrite_block(join, block, &e)) {
        block_end_before(block, 0);
        block->error = e;
    }
}
