/* Finds the names and the first row of a text; what stands before the row is the head. Without
 * --header and --no-header the row is the first record with a number below a name of the time, or in which
 * most cells are numbers; a gap counts as one below a name. The names are in the last record without numbers
 * before it; records of as many cells between the two are rows, too. Only the text up to the first row
 * decides, so that a pipe and a file agree; where there is no such record, the first LOOK records decide. */
#include "formats/csv/header.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>

enum { LOOK = 1000 };

static bool tells_time(enum cell_kind kind, const struct csv_cell *cell)
{
    struct timestamp ignored;
    return kind == CELL_NUMBER ||
           (kind == CELL_TEXT && timestamp_read(cell->at, cell->n, &ignored) != TIMESTAMP_NUMBER);
}

/* Counts what the cells of a record hold. names: the record whose cells are the names above, or NULL. */
static struct csv_summary summarize(const struct csv_header *h, size_t at, size_t end,
                                    const struct csv_summary *names)
{
    const struct csv *csv = h->csv;
    struct csv_summary sum = { .at = at, .end = end };
    const char *stop = csv->rest + end, *p = csv_row_start(csv, csv->rest + at, stop);
    const char *above_end = names ? csv->rest + names->end : NULL;
    const char *above = names ? csv_row_start(csv, csv->rest + names->at, above_end) : NULL;
    while (p) {
        struct csv_cell cell, name;
        double x;
        p = csv_next(csv, p, stop, &cell);
        above = csv_next(csv, above, above_end, &name);
        enum cell_kind kind = csv_kind(h->r, &cell, &x);
        sum.ncell++;
        sum.nnumber += kind == CELL_NUMBER;
        sum.ntext += kind == CELL_TEXT;
        sum.nword += kind == CELL_GAP && cell.n > 0;
        sum.nnamed += kind == CELL_GAP && name.n > 0;
        sum.timed = sum.timed || (columns_means_time(name.at, name.n) && tells_time(kind, &cell));
    }
    return sum;
}

static bool looks_like_row(const struct csv_summary *sum)
{
    size_t numbers = sum->nnumber + sum->nnamed;
    return sum->timed || ((sum->nnumber > 0 || sum->nword > 0) && numbers > sum->ncell - numbers);
}

static bool may_be_names(const struct csv_summary *sum)
{
    return sum->nnumber == 0 && sum->ntext > 0;
}

/* Reads up to the next record at or after *at, and before end, that is no comment and not blank; *at moves
 * behind it. ncell == 0: there is none. names: as above. */
static bool next_row(const struct csv_header *h, size_t *at, size_t end, const struct csv_summary *names,
                     struct csv_summary *row, struct error *e)
{
    for (*row = (struct csv_summary){ .at = *at }; *at < end; row->at = *at) {
        if (!csv_read_record(h->r, row->at, at, e))
            return false;
        const char *p = h->csv->rest + row->at, *stop = h->csv->rest + *at;
        if (p == stop)
            return true;
        if (!csv_is_comment(h->csv, p, stop) && !csv_is_blank_line(h->csv, p, stop)) {
            *row = summarize(h, row->at, *at, names);
            return true;
        }
    }
    return true;
}

/* The same among the records that were read already, which have no errors. */
static bool next_read(const struct csv_header *h, size_t *at, size_t end, struct csv_summary *row)
{
    struct error none;
    return next_row(h, at, end, NULL, row, &none) && row->ncell > 0;
}

/* --- which record holds the names, which is the first row --- */

/* Words between blanks in a record. */
static size_t count_words(const struct csv_header *h, const struct csv_summary *record)
{
    const char *p = h->csv->rest + record->at, *end = csv_without_eol(h->csv, p, h->csv->rest + record->end);
    size_t n = 0;
    for (bool blank = true; p < end; p++) {
        n += blank && !isspace((unsigned char)*p);
        blank = isspace((unsigned char)*p);
    }
    return n;
}

/* An error if blanks cut both records into the same number of words, where the delimiter cuts neither. */
static bool check_blanks(const struct csv_header *h, const struct csv_summary *a, const struct csv_summary *b,
                         struct error *e)
{
    size_t n = count_words(h, a);
    if (h->r->options->delimiter || a->ncell != 1 || b->ncell != 1 || n < 2 || count_words(h, b) != n)
        return true;
    char delimiter[] = { '\'', h->csv->delimiter, '\'', 0 };
    error_data(e, "blanks are between the cells, and %s is the delimiter",
               h->csv->delimiter == '\t' ? "tab" : delimiter);
    error_hint(
        e, "--delimiter ' ' takes one blank; for more: awk -v OFS=, '{ $1 = $1; print }' FILE | sprung ...");
    return csv_error_place(h->csv, h->csv->rest, h->csv->rest + a->at, e);
}

/* An error if another character cuts both records into the same number of cells, where the delimiter does not
 * cut the first at all. */
static bool check_delimiter(const struct csv_header *h, const struct csv_summary *a,
                            const struct csv_summary *b, struct error *e)
{
    const char *rest = h->csv->rest;
    for (const char *c = ";\t|,"; !h->r->options->delimiter && a->ncell == 1 && *c; c++) {
        uint64_t n = block_count(rest + a->at, a->end - a->at, *c);
        if (n == 0 || n != block_count(rest + b->at, b->end - b->at, *c) || *c == h->csv->delimiter)
            continue;
        if (h->csv->delimiter == '\t')
            error_data(e, "no tab is in this line, and tab is the delimiter");
        else
            error_data(e, "no '%c' is in this line, and that is the delimiter", h->csv->delimiter);
        const char *end = csv_without_eol(h->csv, rest + a->at, rest + a->end);
        error_excerpt(e, rest + a->at, (size_t)(end - rest) - a->at);
        error_hint(e, *c == '\t' ? "try --delimiter tab" : "try --delimiter '%c'%s", *c,
                   b->ncell > 1 && h->csv->delimiter == ',' ? " --decimal ," : "");
        csv_error_place(h->csv, rest, rest + a->at, e);
        e->at = 0;
        return false;
    }
    return check_blanks(h, a, b, e);
}

/* Does the record hold nothing but units, as the line below the names in exports of Vicon? */
static bool is_units(const struct csv_header *h, const struct csv_summary *record)
{
    static const char units[] =
        " mm cm m mm/s m/s mm/s^2 mm/s/s mm/s2 m/s^2 m/s2 g deg deg/s deg/s^2 deg/s/s deg/s2 rad rad/s "
        "rad/s^2 rad/s2 N N.m N.mm Nm Nmm N/kg Nm/kg N.mm/kg W W/kg V mV uV Hz s ms us ns % ";
    const char *stop = h->csv->rest + record->end,
               *p = csv_row_start(h->csv, h->csv->rest + record->at, stop);
    for (struct csv_cell cell; p;) {
        char word[16];
        p = csv_next(h->csv, p, stop, &cell);
        bool bracketed = cell.n > 2 && ((cell.at[0] == '[' && cell.at[cell.n - 1] == ']') ||
                                        (cell.at[0] == '(' && cell.at[cell.n - 1] == ')'));
        if (cell.n == 0 || bracketed)
            continue;
        snprintf(word, sizeof word, " %.*s ", cell.n < 12 ? (int)cell.n : 12, cell.at);
        if (cell.n > 10 || !strstr(units, word))
            return false;
    }
    return true;
}

/* The last record that may be names before `before`, with that number of cells (0: any); a line of units
 * below names of as many columns holds none. */
static bool last_names(const struct csv_header *h, size_t before, size_t ncell, struct csv_summary *names)
{
    struct csv_summary look;
    bool found = false;
    for (size_t at = h->csv->start; next_read(h, &at, before, &look);)
        if (may_be_names(&look) && (ncell == 0 || look.ncell == ncell)) {
            if (found && names->ncell == look.ncell && is_units(h, &look))
                continue;
            *names = look;
            found = true;
        }
    return found;
}

/* Finds the names and the first row before a record that is certainly a row. */
static bool detect_names(struct csv_header *h, const struct csv_summary *row, struct error *e)
{
    struct csv_summary last, look;
    if (last_names(h, row->at, 0, &last)) {
        if (!check_delimiter(h, &last, row, e))
            return false;
        if (last.ncell != row->ncell && last.ntext > 1) {
            csv_error_ragged(h->csv, h->csv->rest, h->csv->rest + row->at, h->csv->rest + row->end,
                             last.ncell, e);
            /* With a place it is the error of a quote, which needs no hint. */
            return e->at ? false
                         : error_hint(e, "where another line holds the names, --header LINES says which");
        }
    }
    h->nline = last_names(h, row->at, row->ncell, &h->line[0]);
    size_t at = h->nline ? h->line[0].end : h->csv->start;
    for (bool units = h->nline > 0; next_read(h, &at, row->end, &look); units = false)
        if (look.ncell == row->ncell && !(units && is_units(h, &look))) {
            h->row = look;
            return true;
        }
    return true;
}

/* The same where no record before end is mostly numbers. */
static bool detect_in_text(struct csv_header *h, size_t end, struct error *e)
{
    struct csv_summary first = { .end = 0 }, second = { .end = 0 }, last = { .end = 0 }, look;
    for (size_t at = h->csv->start; next_read(h, &at, end, &look); last = look) {
        second = !first.end ? second : !second.end ? look : second;
        first = first.end ? first : look;
    }
    if (!first.end)
        return error_data(e,
                          end == h->csv->start ? "the file is empty" : "there is no header and no row in it");
    if (second.end && !check_delimiter(h, &first, &second, e))
        return false;
    for (size_t at = h->csv->start; next_read(h, &at, end, &look);)
        if (look.nnumber > 0 && look.ncell == last.ncell) {
            h->row = look;
            h->nline = last_names(h, look.at, look.ncell, &h->line[0]);
            return true;
        }
    if (!h->csv->ended || end < h->csv->nrest) {
        h->line[h->nline++] = first;
        h->row = second;
    } else if (last_names(h, end, 0, &h->line[0])) {
        h->nline = 1;
    } else {
        h->row = first;
    }
    return true;
}

static bool detect_unasked(struct csv_header *h, struct error *e)
{
    struct csv_summary names = { .end = 0 }, row;
    size_t at = h->csv->start;
    for (size_t n = 1;; n++) {
        if (!next_row(h, &at, SIZE_MAX, names.end ? &names : NULL, &row, e))
            return false;
        if (row.ncell > 0 && looks_like_row(&row))
            return detect_names(h, &row, e);
        if (row.ncell == 0 || n == LOOK || at - h->csv->start > FORMAT_MAXROW)
            return detect_in_text(h, at, e);
        if (may_be_names(&row))
            names = row;
    }
}

/* --no-header: the first record is a row. */
static bool detect_no_header(struct csv_header *h, struct error *e)
{
    size_t at = h->csv->start;
    if (!next_row(h, &at, SIZE_MAX, NULL, &h->row, e))
        return false;
    return h->row.ncell > 0 ? check_delimiter(h, &h->row, &h->row, e) : detect_in_text(h, at, e);
}

/* The first row below the names: a record with a number, or with nothing but gaps. */
static bool detect_row_below(struct csv_header *h, size_t at, struct error *e)
{
    struct csv_summary first = { .end = 0 }, row;
    for (size_t n = 1;; n++) {
        if (!next_row(h, &at, SIZE_MAX, NULL, &row, e))
            return false;
        if (row.ncell == 0)
            return true;
        if (n == 1 && !check_delimiter(h, &h->line[h->nline - 1], &row, e))
            return false;
        first = n == 1 ? row : first;
        if (!may_be_names(&row) || n == LOOK) {
            h->row = n == LOOK ? first : row;
            return true;
        }
    }
}

/* --header LINES */
static bool detect_given(struct csv_header *h, struct error *e)
{
    uint64_t want[CSV_MAXLINES], line = 1;
    size_t nwant, end;
    if (!csv_name_lines(h->r->options->header, want, &nwant, e))
        return false;
    for (size_t at = h->csv->start; h->nline < nwant; at = end) {
        if (!csv_read_record(h->r, at, &end, e))
            return false;
        if (end == at || line > want[h->nline]) {
            error_data(e, end == at ? "--header: there is no line %llu" : "--header: line %llu begins no row",
                       (unsigned long long)want[h->nline]);
            return error_hint(e, end == at ? "the file has %llu line%s" : "it lies within a quoted cell",
                              (unsigned long long)line - 1, error_plural(line - 1));
        }
        if (line == want[h->nline])
            h->line[h->nline++] = summarize(h, at, end, NULL);
        line += block_count(h->csv->rest + at, end - at, h->csv->eol);
    }
    return detect_row_below(h, h->line[nwant - 1].end, e);
}

bool csv_find_header(struct csv_header *h, struct error *e)
{
    const struct input_options *o = h->r->options;
    if (!(o->header ? detect_given : o->no_header ? detect_no_header : detect_unasked)(h, e))
        return false;
    if (!o->header && h->nline == 1)
        last_names(h, h->line[0].at, h->line[0].ncell, &h->above);
    return true;
}
