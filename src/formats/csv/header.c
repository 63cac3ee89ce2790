/* Finds the names and the first row of a text, and makes columns of them; what stands before the row is the
 * head. Without --header and --no-header the row is the first record with a number below a name of the time,
 * or in which most cells are numbers; a gap counts as one below a name. The names are in the last record
 * without numbers before it; records of as many cells between the two are rows, too. Only the text up to the
 * first row decides, so that a pipe and a file agree; where there is no such record, the first LOOK records
 * decide. */
#include "formats/csv/csv.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <strings.h>

/* Records that are looked at for names. */
enum { LOOK = 1000 };

/* A record, neither comment nor blank line, and what the cells of the record hold. Offsets count from rest,
 * which may move when rest grows. */
struct record {
    size_t at, end;
    size_t ncell;
    size_t nnumber, ntext, nword; /* cells that hold a number, text, a gap word; the others are empty */
    size_t nempty;                /* cells without any text */
    size_t nnamed;                /* gaps under a name */
    size_t npoint, ncomma; /* numbers with a decimal point, texts that are numbers with a decimal comma */
    bool timed;            /* a number stands under a name of the time */
    bool dated;            /* the first cell is a date or a time of day */
    bool whole;            /* all numbers are digits alone, as names may be */
    bool numbered;         /* the record holds the names, although some names are numbers */
    bool trailing;         /* the last cell is empty */
    bool hash;             /* the first cell is a # alone, as before names between blanks */
};

struct header {
    struct reader *r;
    struct csv *csv;
    size_t at;           /* offset of the next record in rest */
    struct record *seen; /* [CSV_MAXLINES + LOOK] all records before `at` */
    size_t nseen;
    const struct record *line[CSV_MAXLINES]; /* [nline] the records of the names */
    size_t nline;
    const struct record *row; /* the first row; NULL: the file has no row */
};

/* The cells of a record that are not read yet; p NULL: all cells are read. */
struct cells {
    const char *p, *end;
};

static struct cells cells_of(const struct header *h, const struct record *record)
{
    const char *end = h->csv->rest + record->end;
    return (struct cells){ csv_row_start(h->csv, h->csv->rest + record->at, end), end };
}

/* Counts what the cells hold of the record from h->at to end. names: the record whose cells are the names
 * above, or NULL. */
static const struct record *summarize(struct header *h, size_t end, const struct record *names)
{
    struct record *sum = &h->seen[h->nseen++];
    *sum = (struct record){ .at = h->at, .end = end, .whole = true };
    const char delimiter = h->csv->delimiter;
    bool tell_point = !h->r->options->decimal && (delimiter == ';' || delimiter == '\t');
    struct cells cells = cells_of(h, sum), above = names ? cells_of(h, names) : (struct cells){ 0 };
    while (cells.p) {
        struct csv_cell cell, name;
        struct timestamp ignored;
        double x;
        cells.p = csv_next(h->csv, cells.p, cells.end, &cell);
        above.p = csv_next(h->csv, above.p, above.end, &name);
        enum cell_kind kind = csv_kind(h->r, &cell, &x);
        const char *cell_end = cell.at + cell.n;
        bool date = kind == CELL_TEXT && timestamp_read(cell.at, cell.n, &ignored) != TIMESTAMP_NUMBER;
        bool comma = tell_point && kind == CELL_TEXT && memchr(cell.at, ',', cell.n);
        sum->dated |= sum->ncell == 0 && date;
        sum->hash |= sum->ncell == 0 && cell.n == 1 && *cell.at == '#';
        sum->trailing = cell.n == 0 && !cell.quoted;
        sum->ncomma += comma && number_read(cell.at, cell_end, ',', &x) == cell_end;
        sum->npoint += kind == CELL_NUMBER && memchr(cell.at, '.', cell.n);
        sum->whole &= kind != CELL_NUMBER || strspn(cell.at, "0123456789") >= cell.n;
        sum->nempty += cell.n == 0;
        sum->ncell++;
        sum->nnumber += kind == CELL_NUMBER;
        sum->ntext += kind == CELL_TEXT;
        sum->nword += kind == CELL_GAP && cell.n > 0;
        sum->nnamed += kind == CELL_GAP && name.n > 0;
        if (kind != CELL_GAP && columns_means_time(name.at, name.n))
            sum->timed |= kind == CELL_NUMBER ||
                          timestamp_read(cell.at, cell.n, &ignored) != TIMESTAMP_NUMBER;
    }
    return sum;
}

static bool may_be_names(const struct record *sum)
{
    return sum->numbered || (sum->nnumber == 0 && sum->ntext > 0);
}

/* True if a record that may be names takes the place of the names above: where these fill all cells, a record
 * of as many cells with empty ones, or with a date, is a row. */
static bool replaces_names(const struct record *names, const struct record *look)
{
    if (!names || names->ncell != look->ncell)
        return true;
    return !look->dated && (names->nempty > 0 || look->nempty == 0);
}

/* True if the cells of names are those of the row: as many, or one more or less where a tab ends the line of
 * one of the two alone, or a # stands before the names. */
static bool fits(const struct header *h, const struct record *names, const struct record *row)
{
    bool tabs = h->csv->delimiter == '\t';
    if (names->ncell == row->ncell + 1)
        return (tabs && names->trailing) || names->hash;
    return names->ncell == row->ncell || (tabs && row->ncell == names->ncell + 1 && row->trailing);
}

/* Are the numbers in a record names, as the record below is of another kind: does a number, or nothing, stand
 * below a text, and no text below a number? */
static bool names_with_numbers(const struct header *h, const struct record *names, const struct record *below)
{
    if (names->nnumber == 0 || names->ntext == 0 || !names->whole || names->ncell != below->ncell)
        return false;
    bool other = false;
    struct cells upper = cells_of(h, names), lower = cells_of(h, below);
    while (upper.p) {
        struct csv_cell cell, under;
        double x;
        upper.p = csv_next(h->csv, upper.p, upper.end, &cell);
        lower.p = csv_next(h->csv, lower.p, lower.end, &under);
        enum cell_kind kind = csv_kind(h->r, &cell, &x), kind_below = csv_kind(h->r, &under, &x);
        if (kind == CELL_NUMBER && kind_below == CELL_TEXT)
            return false;
        other |= kind == CELL_TEXT && kind_below == CELL_NUMBER;
    }
    return other;
}

/* Reads up to the next record that is no comment and not blank; *row NULL: there is none. names: as above. */
static bool next_row(struct header *h, const struct record *names, const struct record **row, struct error *e)
{
    *row = NULL;
    for (size_t end; !*row; h->at = end) {
        if (!csv_read_record(h->r, h->at, &end, e))
            return false;
        const char *p = h->csv->rest + h->at, *stop = h->csv->rest + end;
        if (p == stop)
            return true;
        if (!csv_is_comment(h->csv, p, stop) && !csv_is_blank_line(h->csv, p, stop))
            *row = summarize(h, end, names);
        /* Decimal commas are told by the first record with a number that has one. */
        bool pointed = false;
        for (size_t i = 0; *row && i < h->nseen; i++)
            pointed |= h->seen[i].npoint > 0;
        if (*row && (*row)->ncomma > 0 && !pointed && h->csv->point == '.') {
            h->csv->point = ',';
            h->nseen--;
            *row = summarize(h, end, names);
        }
    }
    return true;
}

/* --- which record holds the names, which is the first row --- */

/* Words between blanks in a record. */
static size_t count_words(const struct header *h, const struct record *record)
{
    const char *p = h->csv->rest + record->at, *end = h->csv->rest + record->end;
    size_t n = 0;
    for (const char *q = p; q < end; q++)
        n += !isspace((unsigned char)*q) && (q == p || isspace((unsigned char)q[-1]));
    return n;
}

/* An error if another character cuts both records into the same number of cells, or blanks into the same
 * number of words, where the delimiter does not cut the first at all. */
static bool check_delimiter(const struct header *h, const struct record *a, const struct record *b,
                            struct error *e)
{
    const struct csv *csv = h->csv;
    const char *p = csv->rest + a->at, *end = csv_without_eol(csv, p, csv->rest + a->end);
    const char quoted[] = { '\'', csv->delimiter, '\'', 0 };
    const char *delimiter = csv->delimiter == '\t' ? "tab" : quoted;
    if (h->r->options->delimiter || a->ncell != 1)
        return true;
    for (const char *c = ";\t|,"; *c; c++) {
        uint64_t n = block_count(p, a->end - a->at, *c);
        if (n == 0 || n != block_count(csv->rest + b->at, b->end - b->at, *c) || *c == csv->delimiter)
            continue;
        error_data(e, "no %s is in this line, and %s is the delimiter", delimiter,
                   csv->delimiter == '\t' ? delimiter : "that");
        error_excerpt(e, p, (size_t)(end - p));
        error_hint(e, *c == '\t' ? "try --delimiter tab" : "try --delimiter '%c'%s", *c,
                   b->ncell > 1 && csv->delimiter == ',' ? " --decimal ," : "");
        return csv_error_place(csv, csv->rest, p, e);
    }
    size_t n = count_words(h, a);
    if (b->ncell != 1 || n < 2 || count_words(h, b) != n)
        return true;
    error_data(e, "blanks are between the cells, and %s is the delimiter", delimiter);
    error_hint(e, "--delimiter blanks takes any number of blanks and tabs between cells");
    return csv_error_place(csv, csv->rest, p, e);
}

/* Does the record hold nothing but units, as the line below the names in exports of Vicon? */
static bool is_units(const struct header *h, const struct record *record)
{
    static const char units[] =
        " mm cm m mm/s m/s mm/s^2 mm/s/s mm/s2 m/s^2 m/s2 g deg deg/s deg/s^2 deg/s/s deg/s2 rad rad/s "
        "rad/s^2 rad/s2 N N.m N.mm Nm Nmm N/kg Nm/kg N.mm/kg W W/kg V mV uV Hz s ms us ns % ";
    for (struct cells cells = cells_of(h, record); cells.p;) {
        struct csv_cell cell;
        char word[16];
        cells.p = csv_next(h->csv, cells.p, cells.end, &cell);
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

/* The last record before `before` that may be names, with as many cells as `like` (NULL: any number), or
 * NULL; a line of units below names of as many columns holds none. */
static const struct record *last_names(const struct header *h, const struct record *before,
                                       const struct record *like)
{
    const struct record *names = NULL;
    for (const struct record *look = h->seen; look < before; look++) {
        bool units = names && names->ncell == look->ncell && is_units(h, look);
        if (may_be_names(look) && (!like || fits(h, look, like)) && !units && replaces_names(names, look))
            names = look;
    }
    return names;
}

static bool take_names(struct header *h, const struct record *names)
{
    h->line[0] = names;
    h->nline = names != NULL;
    return names;
}

/* Finds the names and the first row before a record that is certainly a row. */
static bool detect_names(struct header *h, const struct record *row, struct error *e)
{
    const struct csv *csv = h->csv;
    size_t nrow = (size_t)(row - h->seen);
    if (nrow > 0 && row[-1].ncell == row->ncell && !last_names(h, row, row))
        h->seen[nrow - 1].numbered = names_with_numbers(h, row - 1, row);
    const struct record *last = last_names(h, row, NULL), *look = h->seen;
    if (last && !check_delimiter(h, last, row, e))
        return false;
    if (last && !fits(h, last, row) && last->ntext > 1) {
        h->csv->ragged_hint = "where another line holds the names, --header LINES says which";
        return csv_error_ragged(csv, csv->rest, csv->rest + row->at, csv->rest + row->end, last->ncell, e);
    }
    if (take_names(h, last_names(h, row, row)))
        look = h->line[0] + 1 + is_units(h, h->line[0] + 1);
    while (look->ncell != row->ncell)
        look++;
    h->row = look;
    return true;
}

/* May the names be the only content of a file without rows? The names must be the only line, or one name must
 * mean a time; and no other delimiter may cut the line. */
static bool is_lone_header(const struct header *h, const struct record *names)
{
    enum { SENTENCE = 4 }; /* words in a cell that are no name */
    const char *p = h->csv->rest + names->at, *end = h->csv->rest + names->end;
    bool timed = false;
    for (struct cells cells = cells_of(h, names); cells.p;) {
        struct csv_cell cell;
        cells.p = csv_next(h->csv, cells.p, cells.end, &cell);
        timed |= columns_means_time(cell.at, cell.n);
    }
    if (names->ncell > 1)
        return timed || h->nseen == 1;
    for (const char *other = ";\t|,"; *other; other++)
        if (memchr(p, *other, (size_t)(end - p)))
            return false;
    return h->nseen == 1 && count_words(h, names) < SENTENCE;
}

/* The error of a text in which nothing is a number. */
static bool no_numbers(const struct header *h, const struct record *last, struct error *e)
{
    const char *p = h->csv->rest + last->at, *end = csv_without_eol(h->csv, p, h->csv->rest + last->end);
    error_data(e, "no line of it holds a number, so that it is no series; the last line with text");
    error_excerpt(e, p, (size_t)(end - p));
    error_hint(e,
               "--delimiter says what stands between the cells, --header LINES which lines hold the names");
    return csv_error_place(h->csv, h->csv->rest, p, e);
}

/* The same where no record is mostly numbers. */
static bool detect_in_text(struct header *h, struct error *e)
{
    const struct record *first = h->seen, *end = first + h->nseen,
                        *second = first + 1 < end ? first + 1 : NULL;
    if (first == end)
        return error_data(e, h->at == h->csv->start ? "the file is empty"
                                                    : "there is no header and no row in it");
    if (second && !check_delimiter(h, first, second, e))
        return false;
    for (const struct record *look = first; look < end; look++)
        if (look->nnumber > 0 && look->ncell == end[-1].ncell) {
            h->row = look;
            take_names(h, last_names(h, look, look));
            return true;
        }
    if (!h->csv->ended || h->at < h->csv->nrest) {
        take_names(h, first);
        h->row = second;
        return true;
    }
    if (!take_names(h, last_names(h, end, NULL))) {
        h->row = first;
        return true;
    }
    return is_lone_header(h, h->line[0]) || no_numbers(h, h->line[0], e);
}

/* True if a record between blanks is a row of numbers below a line of names that begins with a #, as in files
 * of trajectories: `# timestamp tx ty tz`. The names have as many
 * words as the row; the # may be a word of its own. */
static bool is_trajectory(const struct header *h, const struct record *names, const struct record *row)
{
    const struct csv *csv = h->csv;
    const char *p = csv->rest + names->at, *end = csv_without_eol(csv, p, csv->rest + names->end);
    size_t nword = count_words(h, row);
    bool plain = names->ncell == 1 && row->ncell == 1 && nword > 1 && end - p > 2 && p[0] == '#';
    bool apart = plain && p[1] == ' ';
    if (h->r->options->delimiter || !plain || count_words(h, names) != nword + apart)
        return false;
    const char *time = p + 1 + apart, *stop = time;
    while (stop < end && *stop != ' ' && *stop != '\t')
        stop++;
    if (!columns_means_time(time, (size_t)(stop - time)))
        return false;
    end = csv_without_eol(csv, csv->rest + row->at, csv->rest + row->end);
    for (p = csv->rest + row->at; p < end;) {
        double x;
        while (p < end && (*p == ' ' || *p == '\t'))
            p++;
        const char *next = p < end ? number_read(p, end, csv->point, &x) : end;
        if (!next || (next < end && *next != ' ' && *next != '\t'))
            return false;
        p = next;
    }
    return true;
}

/* Without --header. With --no-header the first record is a row. */
static bool detect_unasked(struct header *h, struct error *e)
{
    const struct record *names = NULL, *row;
    while (next_row(h, names, &row, e)) {
        if (row && h->r->options->no_header) {
            h->row = row;
            return check_delimiter(h, row, row, e);
        }
        if (row && h->nseen > 1 && is_trajectory(h, row - 1, row)) {
            h->csv->bare = true;
            csv_set_delimiter(h->csv, 0);
            h->nseen = 0;
            h->at = h->csv->start;
            names = NULL;
            continue;
        }
        size_t numbers = row ? row->nnumber + row->nnamed : 0;
        bool dated = row && names && row->dated && row->ncell == names->ncell && !names->dated;
        if (row && !names && row->whole && row->ntext > 0 && row->nnumber > 0) {
            /* Names that are numbers, or a row: the record below tells. */
            const struct record *below;
            if (!next_row(h, row, &below, e))
                return false;
            if (below && names_with_numbers(h, row, below))
                return detect_names(h, below, e);
            if (2 * numbers > row->ncell)
                return detect_names(h, row, e);
            row = below ? below : row;
            numbers = row->nnumber + row->nnamed;
        }
        if (row && (row->timed || dated || (row->nnumber + row->nword > 0 && numbers > row->ncell - numbers)))
            return detect_names(h, row, e);
        if (!row || h->nseen == LOOK || h->at - h->csv->start > FORMAT_MAXROW)
            return detect_in_text(h, e);
        names = may_be_names(row) && replaces_names(names, row) ? row : names;
    }
    return false;
}

/* --header LINES */
static bool detect_given(struct header *h, struct error *e)
{
    uint64_t want[CSV_MAXLINES], line = 1;
    size_t nwant = csv_name_lines(h->r->options->header, want);
    for (size_t end; h->nline < nwant; h->at = end) {
        if (!csv_read_record(h->r, h->at, &end, e))
            return false;
        if (end == h->at || line > want[h->nline]) {
            error_data(e,
                       end == h->at ? "--header: there is no line %llu" : "--header: line %llu begins no row",
                       (unsigned long long)want[h->nline]);
            return error_hint(e, end == h->at ? "the file has %llu line%s" : "it lies within a quoted cell",
                              (unsigned long long)line - 1, error_plural(line - 1));
        }
        if (line == want[h->nline])
            h->line[h->nline++] = summarize(h, end, NULL);
        line += block_count(h->csv->rest + h->at, end - h->at, h->csv->eol);
    }
    /* The first row is a record below the names with a number, or with gaps only. */
    const struct record *names = h->line[nwant - 1], *first = names + 1;
    do {
        if (!next_row(h, NULL, &h->row, e) || (h->row == first && !check_delimiter(h, names, first, e)))
            return false;
    } while (h->row && may_be_names(h->row) && h->row < names + LOOK);
    if (h->row == names + LOOK)
        h->row = first;
    return true;
}

/* --- columns -------------------------------------------------------------------------------------------- */

/* One line of names, cell by cell. */
struct names {
    struct cells cells;
    struct csv_cell cell; /* the cell in the column under way */
    struct csv_cell fill; /* the last cell of the line that was not blank */
};

/* Joins the cells of one column, top to bottom, into buf. An empty cell above the last line takes the cell to
 * its left, unless a line above has a new cell in between. */
static size_t join_name(struct names *line, size_t nline, char *buf)
{
    size_t n = 0;
    for (size_t i = 0; i < nline; i++) {
        const struct csv_cell *cell = &line[i].cell;
        for (size_t k = i; i + 1 < nline && cell->n > 0 && k < nline; k++)
            line[k].fill = k == i ? *cell : (struct csv_cell){ 0 };
        cell = i + 1 < nline ? &line[i].fill : cell;
        if (n > 0 && cell->n > 0)
            buf[n++] = '.';
        n += csv_unquote(cell, buf + n);
    }
    return n;
}

/* Adds the columns. buf: room for a joined name. Where one line was found that holds the names, each column
 * gets the cell of the line above it, or the last one to the left of that. */
static bool add_names(struct header *h, size_t ncolumn, char *buf, struct error *e)
{
    struct names line[CSV_MAXLINES] = { 0 }, *l;
    const struct record *above = NULL;
    if (h->nline == 1 && !h->r->options->header)
        above = last_names(h, h->line[0], h->line[0]);
    struct cells over = above ? cells_of(h, above) : (struct cells){ 0 };
    struct csv_cell cell, last = { 0 };
    for (size_t i = 0; i < h->nline; i++)
        line[i].cells = cells_of(h, h->line[i]);
    if (h->nline == 1 && h->line[0]->hash && h->line[0]->ncell == ncolumn + 1) /* # before the names */
        line[0].cells.p = csv_next(h->csv, line[0].cells.p, line[0].cells.end, &cell);
    for (size_t column = 0; column < ncolumn; column++) {
        for (l = line; l < line + h->nline; l++) {
            l->cells.p = csv_next(h->csv, l->cells.p, l->cells.end, &l->cell);
            if (!csv_error_cell(h->csv, h->csv->rest, &l->cell, e))
                return false;
        }
        size_t n = h->nline ? join_name(line, h->nline, buf) : (size_t)sprintf(buf, "%zu", column + 1);
        if (!columns_add(&h->r->columns, buf, n, e))
            return false;
        over.p = csv_next(h->csv, over.p, over.end, &cell);
        last = cell.n > 0 ? cell : last;
        if (last.n > 0 && !(h->r->columns.column[column].above = strndup(last.at, last.n)))
            return error_memory(e);
    }
    return true;
}

bool csv_set_kinds(struct reader *r, const char *p, const char *end, struct error *e)
{
    const struct csv *csv = r->state;
    for (size_t i = r->columns.counted; i < r->columns.ncolumn; i++) {
        struct column *c = &r->columns.column[i];
        struct csv_cell cell;
        struct timestamp ignored;
        p = csv_next(csv, p, end, &cell);
        if (!csv_error_cell(csv, csv->rest, &cell, e))
            return error_column(e, c->name);
        c->first = csv_kind(r, &cell, &c->number);
        if (c->first == CELL_NUMBER)
            c->decimals = number_decimals(cell.at, cell.n, csv->point);
        if (c->first == CELL_TEXT && csv_is_grouped(csv, &cell))
            messages_add(r->messages, r->source->name,
                         "column \"%s\" is not filtered: separators between thousands make its numbers text",
                         c->name);
        if (c->first == CELL_TEXT && !columns_set_text(c, cell.at, cell.n, e))
            return false;
        c->form = c->first == CELL_TEXT ? timestamp_read(cell.at, cell.n, &ignored) : TIMESTAMP_NUMBER;
    }
    return true;
}

/* Finds the first cell of a record that is that word; *next: the cell after it. */
static bool find_label(const struct header *h, const struct record *record, const char *word,
                       struct csv_cell *next)
{
    for (struct cells cells = cells_of(h, record); cells.p;) {
        struct csv_cell cell;
        cells.p = csv_next(h->csv, cells.p, cells.end, &cell);
        if (cell.n == strlen(word) && strncasecmp(cell.at, word, cell.n) == 0) {
            csv_next(h->csv, cells.p, cells.end, next);
            return true;
        }
    }
    return false;
}

/* Takes the rate that a cell of the head states. */
static void take_rate(struct header *h, struct csv_cell cell)
{
    double x;
    if (csv_kind(h->r, &cell, &x) != CELL_NUMBER || !(x > 0))
        return;
    h->r->columns.stated_rate = x;
    h->csv->rate = (size_t)(cell.at - h->csv->rest);
    h->csv->nrate = cell.n;
}

/* What the heads of Vicon and Motive say besides the names. Vicon: two lines above the names stands the rate,
 * and one line above the names the markers, which join the names. Motive: the rate is in the first line. */
static void read_known_head(struct header *h)
{
    const struct record *names = h->nline == 1 && !h->r->options->header ? h->line[0] : NULL;
    struct csv_cell cell, next;
    if (!names)
        return;
    if (find_label(h, h->seen, "Export Frame Rate", &cell)) {
        take_rate(h, cell);
        return;
    }
    csv_next(h->csv, cells_of(h, names).p, cells_of(h, names).end, &cell);
    bool vicon = names - h->seen >= 2 && columns_means_frame(cell.at, cell.n) &&
                 find_label(h, names, "Sub Frame", &next) && may_be_names(names - 1);
    if (!vicon)
        return;
    const struct record *rate = names - 2;
    csv_next(h->csv, cells_of(h, rate).p, cells_of(h, rate).end, &cell);
    if (rate->nnumber == 1 && rate->ntext == 0)
        take_rate(h, cell);
    h->line[0] = names - 1;
    h->line[1] = names;
    h->nline = 2;
}

static bool make_columns(struct header *h, struct error *e)
{
    const struct csv *csv = h->csv;
    const struct record *row = h->row;
    struct columns *t = &h->r->columns;
    size_t ncolumn = row ? row->ncell : 0;
    for (size_t i = 0; !row && i < h->nline; i++)
        ncolumn = h->line[i]->ncell > ncolumn ? h->line[i]->ncell : ncolumn;
    if (row && h->nline == 1 && !fits(h, h->line[0], row))
        return csv_error_ragged(csv, csv->rest, csv->rest + row->at, csv->rest + row->end, h->line[0]->ncell,
                                e);
    char *buf = malloc(csv->nrest + 2 * CSV_MAXLINES); /* all names are in rest */
    bool good = buf ? add_names(h, ncolumn, buf, e) : error_memory(e);
    free(buf);
    t->named = h->nline > 0;
    t->stacked = h->nline > 1;
    t->other_lines = !h->r->options->header && h->nseen > h->nline + (row != NULL);
    struct cells cells = row ? cells_of(h, row) : (struct cells){ NULL, csv->rest };
    if (!good || !csv_set_kinds(h->r, cells.p, cells.end, e))
        return false;
    for (size_t i = 0; h->nline == 0 && !h->r->options->no_header && i < t->ncolumn; i++)
        t->doubtful |= t->column[i].first == CELL_TEXT;
    return true;
}

/* Where the cells of a record stand. */
struct places {
    struct cells cells;
    struct csv_cell cell;
    const char *start; /* of the record */
};

static struct places places_of(const struct header *h, const struct record *record)
{
    struct places places = { .cells = cells_of(h, record) };
    places.start = places.cells.p;
    return places;
}

static void next_place(const struct header *h, struct places *places)
{
    places->cells.p = csv_next(h->csv, places->cells.p, places->cells.end, &places->cell);
}

/* True if two blanks follow each other before the end of the last cell of a line. */
static bool has_wide_gap(const char *p, const char *end)
{
    while (end > p && (end[-1] == ' ' || end[-1] == '\t'))
        end--;
    for (; p + 1 < end; p++)
        if (p[0] == ' ' && p[1] == ' ')
            return true;
    return false;
}

/* Where columns are aligned by blanks: finds the end of the cells that stays in its place, by the first row and
 * the names above, or else by the blanks before the cell. Cells with one blank between are not aligned. */
static bool find_alignment(struct header *h, struct error *e)
{
    const struct csv *csv = h->csv;
    size_t ncolumn = h->r->columns.ncolumn;
    if (!csv->runs || !h->row)
        return true;
    struct places row = places_of(h, h->row), names = { .cell.at = NULL };
    const char *stop = csv_without_eol(csv, row.start, row.cells.end);
    bool wide = row.start < stop && *row.start == ' ';
    wide |= has_wide_gap(row.start, stop);
    const bool named = h->nline > 0;
    if (named) {
        names = places_of(h, h->line[h->nline - 1]);
        const char *end = csv_without_eol(csv, names.start, names.cells.end);
        wide |= has_wide_gap(names.start, end);
        if (h->line[0]->hash && h->line[0]->ncell == ncolumn + 1)
            next_place(h, &names);
    }
    if (!wide)
        return true;
    h->csv->align = calloc(ncolumn + 1, 1);
    if (!h->csv->align)
        return error_memory(e);
    for (size_t i = 0; i < ncolumn; i++) {
        next_place(h, &row);
        if (named)
            next_place(h, &names);
        ptrdiff_t begin = row.cell.at - row.start;
        ptrdiff_t begin_name = named ? names.cell.at - names.start : -1;
        bool ends = named && begin + (ptrdiff_t)row.cell.n == begin_name + (ptrdiff_t)names.cell.n;
        bool begins = begin == begin_name;
        bool blanks = begin > (i > 0) && row.cell.at[-1] == ' ' && (i == 0 || row.cell.at[-2] == ' ');
        bool right = ends || (!begins && blanks);
        h->csv->align[i] = (unsigned char)(right ? SPLICE_RIGHT : SPLICE_LEFT);
    }
    return true;
}

/* Finds where the cells of added columns go in each line of the head that has a cell for each column. */
static bool find_line_ends(struct header *h, struct error *e)
{
    struct csv *csv = h->csv;
    size_t ncolumn = h->r->columns.ncolumn;
    const struct record *end = h->row ? h->row : h->seen + h->nseen;
    csv->line = calloc(h->nseen + 1, sizeof *csv->line);
    if (!csv->line)
        return error_memory(e);
    for (const struct record *look = h->seen; look < end && h->nline > 0; look++) {
        bool names = false, above = false;
        for (size_t i = 0; i < h->nline; i++) {
            names |= h->line[i] == look && i + 1 == h->nline;
            above |= h->line[i] == look && i + 1 < h->nline;
        }
        if (!names && look->ncell != ncolumn)
            continue;
        const char *p = csv->head + look->at, *stop = csv_without_eol(csv, p, csv->head + look->end);
        while (csv->runs && stop > p && (stop[-1] == ' ' || stop[-1] == '\t'))
            stop--;
        size_t at = (size_t)(stop - csv->head);
        bool cut = look->trailing && look->ncell == ncolumn + 1; /* rows do not end in a tab, but names do */
        enum csv_line_kind kind = names ? CSV_NAMES : CSV_OTHER;
        size_t missing = look->ncell < ncolumn ? ncolumn - look->ncell : 0;
        csv->line[csv->nline++] = (struct csv_line){
            .at = at - cut,
            .kind = above && h->nline == 2 ? CSV_ABOVE : kind,
            .missing = missing,
        };
    }
    return true;
}

bool csv_read_header(struct reader *r, struct error *e)
{
    struct csv *csv = r->state;
    struct record seen[CSV_MAXLINES + LOOK];
    struct header h = { .r = r, .csv = csv, .seen = seen };
    if (!csv_read_start(r, e))
        return false;
    h.at = csv->start;
    if (!(r->options->header ? detect_given : detect_unasked)(&h, e))
        return false;
    read_known_head(&h);
    if (!make_columns(&h, e) || !find_alignment(&h, e) ||
        !csv_set_head(r, h.row ? h.row->at : csv->nrest, e))
        return false;
    if (csv->point == ',' && !r->options->decimal) {
        r->point = ',';
        messages_add(
            r->messages, r->source->name,
            "numbers have a decimal comma, as no cell of the first lines has a point: --decimal . says "
            "that commas are none");
    }
    if (r->columns.stated_rate > 0 && r->columns.ncolumn > 0 && r->columns.column[0].number == 1)
        r->columns.column[0].frame = columns_counts_rows(&r->columns.column[0]);
    return find_line_ends(&h, e);
}
