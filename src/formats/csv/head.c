/* The head of a text of cells: the lines of the names, and what the names and the first row say about
 * columns. Each record is cut by each delimiter, and the first that is a row in some cut decides. Nothing
 * after the first row is looked at, so that a stream is live, and a pipe and a file agree. */
#include "base/text.h"
#include "formats/csv/csv.h"

#include <stdio.h>
#include <stdlib.h>
#include <strings.h>

enum {
    LOOK = 1000, /* most records that are looked at for a row */
    CUTS = 5,
    BLANKS = 0 /* the delimiter: runs of blanks and tabs */
};

/* What the cells of a record hold in one cut. */
struct tally {
    size_t ncell;
    size_t filled;  /* cells up to the last that is not empty */
    size_t nnumber; /* numbers; a date or a time of day in the first cell counts */
    size_t ntext;   /* other texts that are no gaps */
    size_t nword;   /* words that mean a gap */
    bool comma;     /* the numbers have a decimal comma */
    bool hash;      /* the first cell is a # or % alone, as before names between blanks */
    bool label;     /* the first cell is the label CHANNEL_NAMES of Qualisys, and the others are names */
};

/* A record, no blank line. Offsets count from rest, which may move when rest grows. */
struct record {
    size_t at, end;
    char mark; /* #, % or @: a comment, or perhaps the names; 0: no mark */
    struct tally in[CUTS];
};

/* The heads of known programs. */
static const struct vendor {
    const char *first; /* the first cell of the file */
    const char *rate;  /* the cell before the rows per second; NULL: these are alone in a line */
    const char *names; /* the first cell of the names, above which no line is a row; NULL: not known */
} vendors[] = {
    { "Format Version", "Export Frame Rate", "Frame" }, /* Motive */
    { "Trajectories", NULL, "Frame" },                  /* Vicon, and the next four */
    { "Devices", NULL, "Frame" },
    { "Model Outputs", NULL, "Frame" },
    { "Joints", NULL, "Frame" },
    { "Segments", NULL, "Frame" },
    { "NO_OF_FRAMES", "FREQUENCY", NULL }, /* Qualisys, and the next */
    { "NO_OF_SAMPLES", "FREQUENCY", NULL },
};

struct head {
    struct reader *reader;
    struct csv *csv;
    const struct input_options *options;
    const struct vendor *vendor; /* NULL: none is known */
    char delimiter[CUTS];        /* [ncut] delimiters to try, that of the format first */
    size_t ncut;
    size_t cut;            /* the cut that is set */
    struct record *record; /* [nrecord] owned; room for CSV_MAXLINES + LOOK */
    size_t nrecord;
    const struct record *line[CSV_MAXLINES]; /* [nline] the records of the names */
    size_t nline;
    const struct record *row; /* the first row; NULL: the file has none */
    bool motive;              /* the names of a head of Motive are joined */
};

/* The cells of a record that are not read yet; p NULL: all cells are read. */
struct cells {
    const char *p, *end;
};

/* record NULL: no cells. */
static struct cells cells_of(const struct head *head, const struct record *record)
{
    if (!record)
        return (struct cells){ NULL, NULL };
    const char *end = head->csv->rest + record->end;
    return (struct cells){ csv_row_start(head->csv, head->csv->rest + record->at, end), end };
}

static struct csv_cell next_cell(const struct head *head, struct cells *cells)
{
    struct csv_cell cell;
    cells->p = csv_next(head->csv, cells->p, cells->end, &cell);
    return cell;
}

static bool is_word(struct csv_cell cell, const char *word)
{
    return cell.n == strlen(word) && strncasecmp(cell.at, word, cell.n) == 0;
}

/* --- what a record holds --- */

static bool is_date(struct csv_cell cell)
{
    struct timestamp ignored;
    return timestamp_read(cell.at, cell.n, &ignored) != TIMESTAMP_NUMBER;
}

static bool has_decimal_comma(struct csv_cell cell)
{
    double ignored;
    const char *end = cell.at + cell.n;
    return memchr(cell.at, ',', cell.n) && number_read(cell.at, end, ',', &ignored) == end;
}

static void set_cut(struct head *head, size_t cut, bool comma)
{
    head->cut = cut;
    head->csv->bare = head->delimiter[cut] == BLANKS;
    csv_set_delimiter(head->csv, head->delimiter[cut]);
    head->reader->point = comma ? ',' : 0;
}

/* What a record holds in the cut that is set. Its numbers have a decimal comma if some would and none has a
 * point. */
static struct tally count_cells(const struct head *head, const struct record *record)
{
    struct tally tally = { 0 };
    size_t npoint = 0, ncomma = 0;
    for (struct cells cells = cells_of(head, record); cells.p;) {
        struct csv_cell cell = next_cell(head, &cells);
        double x;
        const enum cell_kind kind = csv_kind(head->reader, &cell, &x);
        const bool first = tally.ncell == 0;
        const bool number = kind == CELL_NUMBER || (kind == CELL_TEXT && first && is_date(cell));
        tally.ncell++;
        if (cell.n > 0)
            tally.filled = tally.ncell;
        tally.nnumber += number;
        tally.ntext += kind == CELL_TEXT && !number;
        tally.nword += kind == CELL_GAP && cell.n > 0;
        tally.hash |= first && cell.n == 1 && strchr("#%", *cell.at);
        tally.label |= first && head->vendor && is_word(cell, "CHANNEL_NAMES");
        npoint += kind == CELL_NUMBER && memchr(cell.at, '.', cell.n);
        ncomma += kind == CELL_TEXT && has_decimal_comma(cell);
    }
    tally.comma = !head->options->decimal && head->csv->delimiter != ',' && ncomma > 0 && npoint == 0;
    if (tally.comma) {
        tally.nnumber += ncomma;
        tally.ntext -= ncomma;
    }
    return tally;
}

/* Appends a record, counted in every cut. */
static struct record *add_record(struct head *head, size_t at, size_t end)
{
    struct record *record = &head->record[head->nrecord++];
    *record = (struct record){ .at = at, .end = end };
    const char *p = cells_of(head, record).p;
    if (memchr("#%@", *p, 3))
        record->mark = *p;
    for (size_t cut = 0; cut < head->ncut; cut++) {
        set_cut(head, cut, false);
        record->in[cut] = count_cells(head, record);
    }
    return record;
}

/* --- names --- */

/* The number of cells before the first name, where rows have ncell cells. */
static size_t skips(const struct tally *names, size_t ncell)
{
    return names->label || (names->hash && names->ncell == ncell + 1);
}

/* Are the cells of the names those of the row? Empty cells at the end of one of them count for nothing. */
static bool fits(const struct tally *names, const struct tally *row)
{
    const size_t skip = skips(names, row->ncell), ncell = names->ncell - skip;
    return ncell <= row->ncell + 1 && names->filled <= row->ncell + skip && row->filled <= ncell;
}

/* Does the record hold nothing but units of the names? Where a unit of time is below a name of the time, all
 * cells are units, also unknown ones. */
static bool is_units(const struct head *head, const struct record *names, const struct record *record)
{
    static const char units[] =
        " mm cm m mm/s m/s mm/s^2 mm/s/s mm/s2 m/s^2 m/s2 g deg deg/s deg/s^2 deg/s/s deg/s2 rad rad/s "
        "rad/s^2 rad/s2 N N.m N.mm Nm Nmm N/kg Nm/kg N.mm/kg W W/kg V mV uV Hz s sec ms us ns min h % dps uT "
        "Pa hPa kPa bar degC K bpm kN kg ";
    const bool same = names->in[head->cut].ncell == record->in[head->cut].ncell;
    bool known = true;
    struct cells above = cells_of(head, names), cells = cells_of(head, record);
    while (cells.p) {
        const struct csv_cell name = next_cell(head, &above), cell = next_cell(head, &cells);
        char word[16];
        if (same && columns_means_time(name.at, name.n) &&
            columns_unit_of_text(cell.at, cell.n) != TIME_UNIT_NONE)
            return true;
        const bool bracketed = cell.n > 2 && ((cell.at[0] == '[' && cell.at[cell.n - 1] == ']') ||
                                              (cell.at[0] == '(' && cell.at[cell.n - 1] == ')'));
        snprintf(word, sizeof word, " %.*s ", cell.n < 12 ? (int)cell.n : 12, cell.at);
        known &= cell.n == 0 || bracketed || (cell.n <= 10 && strstr(units, word));
    }
    return known;
}

/* The nearest record above `below` that may hold names, text and no number, with the cells of `like` (NULL:
 * any number of cells). A line of units is passed over, and a line of @, a setting in files of Grace. NULL:
 * no such record. */
static const struct record *nearest_names(const struct head *head, const struct record *below,
                                          const struct tally *like)
{
    const struct record *found = NULL;
    for (const struct record *look = below; look-- > head->record;) {
        const struct tally *tally = &look->in[head->cut];
        if (tally->nnumber > 0 || tally->ntext == 0 || (look->mark == '@' && head->csv->runs) ||
            (like && !fits(tally, like)))
            continue;
        if (!found)
            found = look;
        else
            return is_units(head, look, found) ? look : found;
    }
    return found;
}

/* Does no delimiter cut the record? */
static bool is_whole(const struct head *head, const struct record *record)
{
    bool whole = true;
    for (size_t cut = 0; cut < head->ncut; cut++)
        whole &= record->in[cut].ncell == 1;
    return whole;
}

/* --- the first row, and the cut by it --- */

/* Has a record numbers in at least half of its cells, where a gap under a name counts? A label and its value
 * are no row; a number under a name of the time is one. names may be NULL. */
static bool is_row(const struct head *head, const struct record *record, const struct record *names)
{
    const struct tally *tally = &record->in[head->cut];
    struct cells cells = cells_of(head, record), above = cells_of(head, names);
    size_t numbers = tally->nnumber;
    bool timed = false, labelled = false;
    for (bool first = true; cells.p; first = false) {
        struct csv_cell cell = next_cell(head, &cells), name = next_cell(head, &above);
        double x;
        const enum cell_kind kind = csv_kind(head->reader, &cell, &x);
        labelled |= first && tally->ncell == 2 && kind != CELL_NUMBER;
        numbers += kind == CELL_GAP && name.n > 0;
        timed |= (kind == CELL_NUMBER || (kind == CELL_TEXT && is_date(cell))) &&
                 columns_means_time(name.at, name.n);
    }
    const bool half = names && names->in[head->cut].ncell == tally->ncell && !labelled &&
                      2 * numbers == tally->ncell;
    return timed || (tally->nnumber + tally->nword > 0 && (2 * numbers > tally->ncell || half));
}

/* How surely is a record a row in a cut? Names of as many cells say it best; then a single name over a single
 * number; then numbers alone, which below words between blanks are not enough; then the format. */
enum sure { NO_ROW, BY_FORMAT, BY_NUMBERS, BY_NAME, BY_NAMES };

static enum sure judge(struct head *head, const struct record *record, size_t cut)
{
    const struct tally *row = &record->in[cut];
    const char *text = head->csv->rest + record->at;
    const char point = head->options->decimal ? *head->options->decimal : '.';
    if (record->mark || (head->delimiter[cut] == point && !memchr(text, '"', record->end - record->at)))
        return NO_ROW;
    set_cut(head, cut, row->comma);
    const struct record *given = head->nline > 0 ? head->line[head->nline - 1] : NULL;
    const struct record *names = given, *any = given;
    if (!given && !head->options->no_header && row->nnumber + row->nword > 0) {
        names = nearest_names(head, record, row);
        any = names ? names : nearest_names(head, record, NULL);
    }
    if (given ? row->nnumber + row->nword == 0 : !is_row(head, record, any))
        return NO_ROW;
    const bool blanks = head->delimiter[cut] == BLANKS && !head->options->delimiter;
    const bool numbers = row->ntext == 0, fit = names && fits(&names->in[cut], row);
    if (fit && row->ncell > 1 && (!blanks || numbers || names == head->record))
        return BY_NAMES;
    if (any && row->ncell == 1 && !any->mark && is_whole(head, any))
        return BY_NAME;
    if (row->ncell > 1 && (blanks ? numbers && (!any || any->mark) : numbers || !any))
        return BY_NUMBERS;
    return cut == 0 ? BY_FORMAT : NO_ROW;
}

/* Is the record a row in some cut? Then it is cut as is surest from here on. */
static bool choose_cut(struct head *head, const struct record *record)
{
    enum sure most = NO_ROW;
    size_t found = 0;
    for (size_t cut = 0; cut < head->ncut; cut++) {
        const enum sure sure = judge(head, record, cut);
        if (sure > most) {
            most = sure;
            found = cut;
        }
    }
    set_cut(head, found, most > NO_ROW && record->in[found].comma);
    return most > NO_ROW;
}

/* Does the text begin with this cell? */
static bool begins_with(const char *p, const char *end, const char *cell)
{
    const size_t n = strlen(cell);
    return (size_t)(end - p) > n && memcmp(p, cell, n) == 0 && strchr(",\t;\r\n", p[n]);
}

/* Reads records until one is a row, and chooses the cut by it. With --header sets the lines of the names. */
static bool read_records(struct head *head, struct error *e)
{
    struct csv *csv = head->csv;
    uint64_t want[CSV_MAXLINES], line = 1;
    const size_t nwant = head->options->header ? csv_name_lines(head->options->header, want) : 0;
    bool below = true; /* are the names of a known program above? */
    for (size_t at = csv->start, end; !head->row && head->nrecord < LOOK; at = end) {
        if (!csv_read_record(head->reader, at, &end, e))
            return false;
        const char *p = csv->rest + at, *stop = csv->rest + end;
        if (p == stop)
            break;
        const uint64_t here = line;
        line += block_count(p, (size_t)(stop - p), csv->eol);
        for (size_t i = 0; i < sizeof vendors / sizeof *vendors && here == 1 && nwant == 0; i++)
            if (begins_with(p, stop, vendors[i].first)) {
                head->vendor = &vendors[i];
                below = !vendors[i].names;
            }
        const bool given = head->nline < nwant && here == want[head->nline];
        if (head->nline < nwant ? !given : csv_is_blank_line(csv, p, stop))
            continue;
        const struct record *record = add_record(head, at, end);
        const bool label = head->vendor && strspn(p, "ABCDEFGHIJKLMNOPQRSTUVWXYZ_") > 2;
        if (given)
            head->line[head->nline++] = record;
        else if (below && !label && (choose_cut(head, record) || (head->options->no_header && !record->mark)))
            head->row = record;
        else if (head->vendor && head->vendor->names)
            below |= begins_with(p, stop, head->vendor->names);
        if (!head->row)
            set_cut(head, 0, false);
    }
    return head->nline == nwant ||
           error_data(e, "--header: no row begins in line %llu", (unsigned long long)want[head->nline]);
}

static void set_names(struct head *head, const struct record *names)
{
    head->line[0] = names;
    head->nline = names != NULL;
}

/* Finds the names above the first row, which may be a record of gaps between the names and the record that is
 * a row. */
static bool find_names(struct head *head, struct error *e)
{
    struct csv *csv = head->csv;
    const struct record *row = head->row, *last = nearest_names(head, row, NULL);
    const struct tally *tally = &row->in[head->cut];
    const struct record *names = nearest_names(head, row, tally);
    const struct record *look = names ? names + 1 : head->record;
    set_names(head, names);
    if (!names && last && !last->mark && last->in[head->cut].ntext > 1 && !head->vendor) {
        const size_t ncell = last->in[head->cut].ncell;
        csv_error_ragged(csv, csv->rest, csv->rest + row->at, csv->rest + row->end, ncell, e);
        if (tally->ncell > ncell && strchr(",;|", csv->delimiter))
            return error_hint(e, "to leave out what has no name: cut -d'%c' -f1-%zu FILE | sprung ...",
                              csv->delimiter, ncell);
        return error_hint(e, "for names on other lines, use --header LINES");
    }
    if (names && look < row && is_units(head, names, look))
        look++;
    while (look < row && (look->mark || look->in[head->cut].ncell != tally->ncell || head->vendor))
        look++;
    head->row = look;
    return true;
}

/* Finds the names where no record is a row for sure. The first with a number counts, if it has as many cells
 * as the last, as in a table of labels and values. Without one, a lone line holds the names of a file without
 * rows, if a delimiter cuts it or none does, not even a blank. */
static bool find_unsure_head(struct head *head, struct error *e)
{
    const struct csv *csv = head->csv;
    const struct record *end = head->record + head->nrecord, *last = end - 1;
    if (head->nrecord == 0)
        return error_data(e, "the file %s",
                          csv->nrest == csv->start ? "is empty" : "has no header and no rows");
    for (head->row = head->record; head->row < end; head->row++)
        if (head->row->in[0].nnumber > 0 && head->row->in[0].ncell == last->in[0].ncell)
            return find_names(head, e);
    head->row = NULL;
    for (size_t cut = 0; cut < head->ncut && head->nrecord == 1; cut++) {
        set_cut(head, cut, false);
        const bool named = last->in[cut].ntext > 0 &&
                           (head->delimiter[cut] != BLANKS || head->options->delimiter);
        if (named && (last->in[cut].ncell > 1 || is_whole(head, last))) {
            set_names(head, last);
            return true;
        }
    }
    const char *p = csv->rest + last->at;
    error_data(e, "no line holds numbers in at least half of its cells; last line");
    error_excerpt(e, p, (size_t)(csv_without_eol(csv, p, csv->rest + last->end) - p));
    error_hint(e,
               "if line 1 is the header row, try --header 1; if the comma is the decimal sign, --decimal ,");
    csv_error_place(csv, csv->rest, p, e);
    return error_unfilterable(e);
}

/* --- known programs --- */

/* Takes the rate that a cell of the head states. */
static void take_rate(struct head *head, struct csv_cell cell)
{
    double x;
    if (csv_kind(head->reader, &cell, &x) != CELL_NUMBER || !(x > 0))
        return;
    head->reader->table.stated_rate = x;
    head->csv->rate = (size_t)(cell.at - head->csv->rest);
    head->csv->nrate = cell.n;
}

/* Does the record have a cell of this word? *next: the cell after it. */
static bool find_word(const struct head *head, const struct record *record, const char *word,
                      struct csv_cell *next)
{
    for (struct cells cells = cells_of(head, record); cells.p;)
        if (is_word(next_cell(head, &cells), word)) {
            *next = next_cell(head, &cells);
            return true;
        }
    return false;
}

/* Joins the names of Motive: those of markers and bodies, below the line of types, of kinds of data, and of
 * axes. */
static void join_motive(struct head *head, const struct record *names)
{
    const struct record *types = head->record + 1, *kinds = names - 1;
    struct csv_cell next;
    while (types < kinds && types->in[head->cut].ntext == 0)
        types++;
    const bool known = find_word(head, kinds, "Position", &next) || find_word(head, kinds, "Rotation", &next);
    if (!known || types + 1 >= kinds || types[1].in[head->cut].ncell != names->in[head->cut].ncell)
        return;
    head->line[0] = types + 1;
    head->line[1] = kinds;
    head->line[2] = names;
    head->nline = 3;
    head->motive = true;
}

/* Takes the rate from the head of a known program, and the names of markers, which join the names. */
static void read_vendor(struct head *head)
{
    const char *rate = head->vendor->rate;
    for (const struct record *look = head->record; head->row && look < head->row; look++) {
        const struct tally *tally = &look->in[head->cut];
        struct cells cells = cells_of(head, look);
        struct csv_cell cell;
        if (!rate && tally->nnumber == 1 && tally->ntext == 0)
            take_rate(head, next_cell(head, &cells));
        else if (rate && find_word(head, look, rate, &cell))
            take_rate(head, cell);
    }
    const struct record *names = head->nline == 1 ? head->line[0] : NULL;
    if (!names || names == head->record || !head->vendor->names)
        return;
    if (rate) {
        join_motive(head, names);
    } else if (names[-1].in[head->cut].ntext > 0 && names[-1].in[head->cut].nnumber == 0) {
        head->line[0] = names - 1;
        head->line[1] = names;
        head->nline = 2;
    }
}

/* --- columns --- */

/* One line of names, cell by cell. */
struct names {
    struct cells cells;
    struct csv_cell cell; /* the cell in the column under way */
    struct csv_cell fill; /* the last cell that was not empty; the cell of an empty cell to its right */
};

/* Joins the cells of one column, top to bottom, into buf. An empty cell above the last line takes the cell
 * to its left, unless a line above has a new cell in between. motive: the lines above may have their own
 * names, such as Name, in columns without a kind of data. */
static size_t join_name(struct names *line, size_t nline, bool motive, char *buf)
{
    size_t n = 0;
    for (size_t i = 0; i < nline; i++) {
        const struct csv_cell *cell = &line[i].cell;
        for (size_t k = i; i + 1 < nline && cell->n > 0 && k < nline; k++)
            line[k].fill = k == i ? *cell : (struct csv_cell){ 0 };
        cell = i + 1 < nline ? &line[i].fill : cell;
        if (motive && i + 1 < nline && line[nline - 2].cell.n == 0)
            continue;
        if (n > 0 && cell->n > 0)
            buf[n++] = '.';
        n += csv_unquote(cell, buf + n);
    }
    return n;
}

/* Adds the columns. buf: room for a joined name. Where a single line holds the names, each column gets the
 * cell of the line above the names, or the last cell on the left of an empty cell. */
static bool add_names(struct head *head, size_t ncolumn, char *buf, struct error *e)
{
    struct names line[CSV_MAXLINES] = { 0 };
    struct table *table = &head->reader->table;
    const struct record *single = head->nline == 1 && !head->options->header ? head->line[0] : NULL;
    struct cells over = cells_of(head, single ? nearest_names(head, single, &single->in[head->cut]) : NULL);
    struct csv_cell last = { 0 };
    for (size_t i = 0; i < head->nline; i++)
        line[i].cells = cells_of(head, head->line[i]);
    if (head->nline == 1 && skips(&head->line[0]->in[head->cut], ncolumn))
        next_cell(head, &line[0].cells);
    for (size_t column = 0; column < ncolumn; column++) {
        for (struct names *names = line; names < line + head->nline; names++) {
            names->cell = next_cell(head, &names->cells);
            if (!csv_error_cell(head->csv, head->csv->rest, &names->cell, e))
                return false;
        }
        size_t n = head->nline ? join_name(line, head->nline, head->motive, buf)
                               : (size_t)sprintf(buf, "%zu", column + 1);
        if (!columns_add(table, buf, n, e))
            return false;
        const struct csv_cell cell = next_cell(head, &over);
        last = cell.n > 0 ? cell : last;
        if (last.n > 0 && !(table->column[column].above = text_copy(last.at, last.n)))
            return error_memory(e);
    }
    return true;
}

/* Sets the units of time by the line of units below the names, if there is one. */
static void read_units(struct head *head)
{
    struct table *table = &head->reader->table;
    if (head->nline == 0 || !head->row)
        return;
    const struct record *names = head->line[head->nline - 1], *units = names + 1;
    if (units >= head->row || units->in[head->cut].ncell > table->ncolumn || !is_units(head, names, units))
        return;
    struct cells cells = cells_of(head, units);
    for (size_t i = 0; i < table->ncolumn; i++) {
        const struct csv_cell cell = next_cell(head, &cells);
        table->column[i].unit = columns_unit_of_text(cell.at, cell.n);
    }
}

bool csv_set_kinds(struct reader *reader, const char *p, const char *end, struct error *e)
{
    const struct csv *csv = reader->state;
    for (size_t i = reader->table.counted; i < reader->table.ncolumn; i++) {
        struct column *column = &reader->table.column[i];
        struct csv_cell cell;
        p = csv_next(csv, p, end, &cell);
        if (!csv_error_cell(csv, csv->rest, &cell, e))
            return error_column(e, column->name);
        column->first = csv_kind(reader, &cell, &column->number);
        if (column->first == CELL_NUMBER)
            column->decimals = number_decimals(cell.at, cell.n, reader_point(reader));
        if (column->first == CELL_TEXT && !columns_set_text(column, cell.at, cell.n, e))
            return false;
    }
    return true;
}

/* The columns X, Y and Z of a marker are a vector. before: what is before these letters. */
static void mark_vectors(struct table *table, const char *before)
{
    const size_t nbefore = strlen(before);
    for (size_t i = 0; i + 3 <= table->ncolumn; i++) {
        struct column *column = &table->column[i];
        const char *dot = strrchr(column->name, '.');
        const size_t stem = dot ? (size_t)(dot - column->name) + 1 : 0;
        bool marker = stem > nbefore && strncmp(column->name + stem - nbefore, before, nbefore) == 0;
        for (size_t k = 0; k < 3 && marker; k++)
            marker = strncmp(column[k].name, column->name, stem) == 0 && column[k].name[stem] == "XYZ"[k] &&
                     !column[k].name[stem + 1];
        for (size_t k = 0; k < 3 && marker; k++)
            column[k].vector = i + 1;
    }
}

static bool make_columns(struct head *head, struct error *e)
{
    const struct csv *csv = head->csv;
    const struct record *row = head->row;
    struct table *table = &head->reader->table;
    size_t ncolumn = row ? row->in[head->cut].ncell : 0;
    for (size_t i = 0; !row && i < head->nline; i++)
        ncolumn = head->line[i]->in[head->cut].ncell > ncolumn ? head->line[i]->in[head->cut].ncell : ncolumn;
    if (row && head->nline == 1 && !fits(&head->line[0]->in[head->cut], &row->in[head->cut]))
        return csv_error_ragged(csv, csv->rest, csv->rest + row->at, csv->rest + row->end,
                                head->line[0]->in[head->cut].ncell, e);
    char *buf = malloc(csv->nrest + 2 * CSV_MAXLINES); /* all names are in rest */
    bool good = buf ? add_names(head, ncolumn, buf, e) : error_memory(e);
    free(buf);
    if (!good)
        return false;
    table->named = head->nline > 0;
    table->stacked = head->nline > 1;
    if (table->stacked && head->vendor)
        mark_vectors(table, head->motive ? ".Position." : ".");
    read_units(head);
    struct cells cells = row ? cells_of(head, row) : (struct cells){ NULL, csv->rest };
    if (!csv_set_kinds(head->reader, cells.p, cells.end, e))
        return false;
    for (size_t i = 0; head->nline == 0 && !head->options->no_header && i < table->ncolumn; i++)
        table->doubtful |= table->column[i].first == CELL_TEXT;
    if (table->stated_rate > 0 && table->ncolumn > 0 && table->column[0].number == 1)
        table->column[0].frame = columns_counts_rows(&table->column[0]);
    return true;
}

/* Finds where the names of added columns go in each line of the names. */
static bool find_line_ends(struct head *head, struct error *e)
{
    struct csv *csv = head->csv;
    const size_t ncolumn = head->reader->table.ncolumn;
    csv->line = calloc(head->nline + 1, sizeof *csv->line);
    if (!csv->line)
        return error_memory(e);
    for (; csv->nline < head->nline; csv->nline++) {
        const struct record *names = head->line[csv->nline];
        const struct tally *tally = &names->in[head->cut];
        const bool last = csv->nline + 1 == head->nline;
        const size_t ncell = tally->ncell - (last ? skips(tally, ncolumn) : 0);
        const char *p = csv->head + names->at, *stop = csv_without_eol(csv, p, csv->head + names->end);
        while (csv->runs && stop > p && (stop[-1] == ' ' || stop[-1] == '\t'))
            stop--;
        const bool cut = ncell == ncolumn + 1; /* rows do not end in a delimiter, but names do */
        csv->line[csv->nline] = (struct csv_line){
            .at = (size_t)(stop - csv->head) - cut,
            .missing = ncell < ncolumn ? ncolumn - ncell : 0,
        };
    }
    return true;
}

static bool read_head(struct head *head, struct error *e)
{
    if (!read_records(head, e))
        return false;
    if (head->nline == 0 && !head->options->no_header &&
        !(head->row ? find_names(head, e) : find_unsure_head(head, e)))
        return false;
    if (head->vendor)
        read_vendor(head);
    if (!make_columns(head, e) ||
        !csv_set_head(head->reader, head->row ? head->row->at : head->csv->nrest, e))
        return false;
    if (head->reader->point == ',')
        reader_tell(head->reader, "numbers are read with a decimal comma (if that is wrong: --decimal .)");
    return find_line_ends(head, e);
}

bool csv_read_header(struct reader *reader, struct error *e)
{
    static const char delimiters[CUTS] = { ',', ';', '\t', '|', BLANKS };
    struct csv *csv = reader->state;
    struct head head = { .reader = reader, .csv = csv, .options = reader->options };
    head.delimiter[head.ncut++] = csv->bare ? BLANKS : csv->delimiter;
    for (size_t i = 0; i < CUTS && !reader->options->delimiter; i++)
        if (delimiters[i] != head.delimiter[0])
            head.delimiter[head.ncut++] = delimiters[i];
    if (!csv_read_start(reader, e))
        return false;
    head.record = malloc((CSV_MAXLINES + LOOK) * sizeof *head.record);
    const bool good = head.record ? read_head(&head, e) : error_memory(e);
    free(head.record);
    return good;
}
