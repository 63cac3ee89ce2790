/* The head of a text of cells: the lines of the names, and what the names and the first row say about
 * columns. Record by record each delimiter and decimal sign is tried; the first record that is a row decides
 * how all is cut. Nothing after the first row is looked at, so that a stream is live, and a pipe and a file
 * agree. */
#include "base/text.h"
#include "formats/csv/csv.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <strings.h>

enum {
    LOOK = 1000, /* most records that are looked at for a row */
    WAYS = 5,
    BLANKS = 0 /* the delimiter: runs of blanks and tabs */
};

/* A record, no blank line, and what its cells hold in one cut. Offsets count from rest, which may move when
 * rest grows. */
struct record {
    size_t at, end;
    size_t ncell;
    size_t filled;  /* cells up to the last that is not empty */
    size_t nnumber; /* numbers; a date or a time of day in the first cell counts */
    size_t ntext;   /* other texts that are no gaps */
    size_t nword;   /* words that mean a gap */
    size_t nnamed;  /* gaps, empty or a word, under a name */
    size_t npoint;  /* numbers with a decimal point */
    size_t ncomma;  /* texts that are numbers with a decimal comma */
    bool quoted;    /* one of these is quoted */
    bool timed;     /* a number or a date is under a name of the time */
    bool hash;      /* the first cell is a # or % alone, as before names between blanks */
    bool label;     /* the first cell is the label CHANNEL_NAMES of Qualisys, and the others are names */
    char mark;      /* #, % or @: a comment, or perhaps the names; 0: no mark */
};

/* A way to cut, and the names above the record that is looked at. */
struct way {
    char delimiter;
    bool comma; /* the record's numbers have a decimal comma */
    bool named; /* names holds a record */
    struct record names, now;
};

/* The heads of known programs, by the first cell of the file. */
struct vendor {
    const char *first;
    const char *rate;  /* the cell before the rows per second; NULL: these are alone in a line */
    const char *names; /* the first cell of the names, above which no line is a row; NULL: a line of a label
                          in capitals, or of one cell, is no row */
};

static const struct vendor vendors[] = {
    { "Format Version", "Export Frame Rate", "Frame" }, /* Motive */
    { "Trajectories", NULL, NULL },                     /* Vicon, and the next four */
    { "Devices", NULL, NULL },
    { "Model Outputs", NULL, NULL },
    { "Joints", NULL, NULL },
    { "Segments", NULL, NULL },
    { "NO_OF_FRAMES", "FREQUENCY", NULL }, /* Qualisys, and the next */
    { "NO_OF_SAMPLES", "FREQUENCY", NULL },
};

struct head {
    struct reader *reader;
    struct csv *csv;
    const struct input_options *options;
    const struct vendor *vendor; /* NULL: none is known */
    size_t at;                   /* offset of the next record in rest */
    struct way way[WAYS];        /* [nway] the first of several that fit is chosen */
    size_t nway;
    char usual;          /* the delimiter of the format */
    struct record *seen; /* [nseen] the records, in the cut that was chosen; room for CSV_MAXLINES + LOOK */
    size_t nseen;
    const struct record *line[CSV_MAXLINES]; /* [nline] the records of the names */
    size_t nline;
    const struct record *row; /* the first row; NULL: the file has none */
    bool motive;              /* the names of a head of Motive are joined */
};

/* The cells of a record that are not read yet; p NULL: all cells are read. */
struct cells {
    const char *p, *end;
};

static struct cells cells_of(const struct head *head, const struct record *record)
{
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

/* Adds a cell to what the record holds. name: the cell above it in the record of the names. */
static void count_cell(const struct head *head, struct record *record, struct csv_cell cell,
                       struct csv_cell name)
{
    double x;
    const enum cell_kind kind = csv_kind(head->reader, &cell, &x);
    const bool first = record->ncell == 0, date = kind == CELL_TEXT && is_date(cell);
    const bool number = kind == CELL_NUMBER || (date && first);
    const bool comma = kind == CELL_TEXT && has_decimal_comma(cell);
    record->ncell++;
    if (cell.n > 0)
        record->filled = record->ncell;
    record->nnumber += number;
    record->ntext += kind == CELL_TEXT && !number;
    record->nword += kind == CELL_GAP && cell.n > 0;
    record->nnamed += kind == CELL_GAP && name.n > 0;
    record->npoint += kind == CELL_NUMBER && memchr(cell.at, '.', cell.n);
    record->ncomma += comma;
    record->quoted |= comma && cell.quoted;
    record->timed |= (kind == CELL_NUMBER || date) && columns_means_time(name.at, name.n);
    record->hash |= first && cell.n == 1 && strchr("#%", *cell.at);
    record->label |= first && head->vendor && is_word(cell, "CHANNEL_NAMES");
}

/* What the record from head->at to `end` holds. names: the record with the names above it, or NULL. */
static struct record count_cells(const struct head *head, size_t end, const struct record *names)
{
    struct record record = { .at = head->at, .end = end };
    struct cells cells = cells_of(head, &record), above = { NULL, NULL };
    if (names)
        above = cells_of(head, names);
    if (memchr("#%@", *cells.p, 3))
        record.mark = *cells.p;
    while (cells.p) {
        const struct csv_cell cell = next_cell(head, &cells), name = next_cell(head, &above);
        count_cell(head, &record, cell, name);
    }
    return record;
}

/* Can the record hold the names: text, and no number? A line of @ between blanks is a setting, as in files of
 * Grace. */
static bool may_be_names(const struct head *head, const struct record *record)
{
    return record->nnumber == 0 && record->ntext > 0 && !(record->mark == '@' && head->csv->runs);
}

/* Is the record a row below the names, which may be NULL: has it numbers in at least half of its cells, where
 * a gap under a name counts? A label and its value, two cells, are no row; a number under a name of the time
 * is one. */
static bool is_row(const struct record *record, const struct record *names)
{
    const size_t numbers = record->nnumber + record->nnamed;
    const bool half = names && names->ncell == record->ncell && record->ncell > 2 &&
                      2 * numbers == record->ncell;
    const bool filled = record->nnumber + record->nword > 0 && (2 * numbers > record->ncell || half);
    return !record->mark && (record->timed || filled);
}

/* The number of cells before the first name, where rows have ncell cells. */
static size_t skips(const struct record *names, size_t ncell)
{
    return names->label || (names->hash && names->ncell == ncell + 1);
}

/* Are the cells of the names those of the row? Empty cells at the end of one of them count for nothing. */
static bool fits(const struct record *names, const struct record *row)
{
    const size_t skip = skips(names, row->ncell), ncell = names->ncell - skip;
    return ncell <= row->ncell + 1 && names->filled <= row->ncell + skip && row->filled <= ncell;
}

/* --- the cut --- */

static void set_way(struct head *head, char delimiter, bool comma)
{
    head->csv->bare = delimiter == BLANKS;
    csv_set_delimiter(head->csv, delimiter);
    head->reader->point = comma ? ',' : 0;
}

static void list_ways(struct head *head)
{
    static const char delimiters[] = { ',', '\t', ';', '|', BLANKS };
    head->usual = head->csv->bare ? BLANKS : head->csv->delimiter;
    if (head->options->from || head->options->delimiter) /* --from tsv: tabs win a tie */
        head->way[head->nway++].delimiter = head->usual;
    for (size_t i = 0; i < sizeof delimiters && !head->options->delimiter; i++)
        if (head->nway == 0 || delimiters[i] != head->way[0].delimiter)
            head->way[head->nway++].delimiter = delimiters[i];
}

/* Cuts the record up to `end`. Its numbers have a decimal comma if some would and none has a point. */
static void cut_record(struct head *head, struct way *way, size_t end)
{
    const struct record *names = way->named ? &way->names : NULL;
    set_way(head, way->delimiter, false);
    way->now = count_cells(head, end, names);
    way->comma = !head->options->decimal && way->delimiter != ',' && way->now.ncomma > 0 &&
                 way->now.npoint == 0;
    if (!way->comma)
        return;
    set_way(head, way->delimiter, true);
    way->now = count_cells(head, end, names);
}

static size_t count_words(const struct head *head, const struct record *record)
{
    const char *p = head->csv->rest + record->at, *end = head->csv->rest + record->end;
    size_t n = 0;
    for (const char *q = p; q < end; q++)
        n += !isspace((unsigned char)*q) && (q == p || isspace((unsigned char)q[-1]));
    return n;
}

/* How surely is the record a row in this way? Names of as many cells say it best; then a single name over a
 * single number; then numbers alone, which below words between blanks are not enough; then the format. */
enum sure { NO_ROW, BY_FORMAT, BY_NUMBERS, BY_NAME, BY_NAMES };

static enum sure judge(const struct head *head, const struct way *way)
{
    enum { TITLE = 3 }; /* words of a title, which is no name */
    const struct record *row = &way->now, *names = way->named ? &way->names : NULL;
    const bool blanks = way->delimiter == BLANKS && !head->options->delimiter, numbers = row->ntext == 0;
    const char *text = head->csv->rest + row->at;
    const bool unsure = way->delimiter == (head->options->decimal ? *head->options->decimal : '.') &&
                        !memchr(text, '"', row->end - row->at);
    if (!is_row(row, names) || unsure)
        return NO_ROW;
    if (names && fits(names, row) && row->ncell > 1 && (!blanks || numbers || names->at == head->csv->start))
        return BY_NAMES;
    if (names && names->ncell == 1 && row->ncell == 1 && !names->mark && count_words(head, names) < TITLE)
        return BY_NAME;
    if (row->ncell > 1 && (blanks ? numbers && (!names || names->mark) : numbers || !names))
        return BY_NUMBERS;
    return way->delimiter == head->usual ? BY_FORMAT : NO_ROW;
}

/* The way in which the record up to `end` is most surely a row; NULL: it is none. */
static const struct way *find_way(struct head *head, size_t end)
{
    const struct way *found = NULL;
    enum sure most = NO_ROW;
    for (struct way *way = head->way; way < head->way + head->nway; way++) {
        cut_record(head, way, end);
        const enum sure sure = judge(head, way);
        if (sure > most) {
            most = sure;
            found = way;
        }
    }
    return found;
}

/* Takes the record as the names of the next, in each way in which it may hold them; a comment only where no
 * names are above it. given: --header says so. */
static void take_names(struct head *head, bool given)
{
    for (struct way *way = head->way; way < head->way + head->nway; way++)
        if (given || (may_be_names(head, &way->now) && (!way->now.mark || !way->named || way->names.mark))) {
            way->names = way->now;
            way->named = true;
        }
}

/* --- known programs --- */

/* Does the text begin with this cell? */
static bool begins_with(const char *p, const char *end, const char *cell)
{
    const size_t n = strlen(cell);
    return (size_t)(end - p) > n && memcmp(p, cell, n) == 0 && strchr(",\t;\r\n", p[n]);
}

static bool find_vendor(struct head *head, struct error *e)
{
    size_t stop;
    if (!csv_read_record(head->reader, head->at, &stop, e))
        return false;
    const char *p = head->csv->rest + head->at, *end = head->csv->rest + stop;
    for (size_t i = 0; i < sizeof vendors / sizeof *vendors && !head->options->header; i++)
        if (begins_with(p, end, vendors[i].first))
            head->vendor = &vendors[i];
    return true;
}

/* Is the record at p, which is a row by its cells, a line of the head of a known program? *below: the names
 * came before. */
static bool is_vendor_line(const struct head *head, const char *p, const char *end, size_t ncell, bool *below)
{
    if (!head->vendor)
        return false;
    if (!head->vendor->names)
        return strspn(p, "ABCDEFGHIJKLMNOPQRSTUVWXYZ_") > 2 || ncell == 1;
    const bool above = !*below;
    *below |= begins_with(p, end, head->vendor->names);
    return above;
}

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
    const struct record *types = head->seen + 1, *kinds = names - 1;
    struct csv_cell next;
    while (types < kinds && types->ntext == 0)
        types++;
    const bool known = find_word(head, kinds, "Position", &next) || find_word(head, kinds, "Rotation", &next);
    if (!known || types + 1 >= kinds || types[1].ncell != names->ncell)
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
    struct csv_cell rate;
    const struct record *names = head->nline == 1 ? head->line[0] : NULL;
    for (const struct record *look = head->seen; head->row && look < head->row; look++) {
        const bool alone = !head->vendor->rate && look->nnumber == 1 && look->ntext == 0;
        struct cells cells = cells_of(head, look);
        if (alone)
            take_rate(head, next_cell(head, &cells));
        else if (head->vendor->rate && find_word(head, look, head->vendor->rate, &rate))
            take_rate(head, rate);
    }
    if (!names || names == head->seen)
        return;
    if (head->vendor->names) {
        join_motive(head, names);
    } else if (find_word(head, names, "Sub Frame", &rate) && may_be_names(head, names - 1)) {
        head->line[0] = names - 1;
        head->line[1] = names;
        head->nline = 2;
    }
}

/* --- names and first row --- */

/* Appends the record from head->at to `end` to head->seen, and goes on after it. */
static struct record *see(struct head *head, size_t end)
{
    struct record *record = &head->seen[head->nseen++];
    *record = count_cells(head, end, NULL);
    head->at = end;
    return record;
}

/* Is a unit of time below a name of the time? Then all cells are units, also unknown ones. */
static bool has_unit_of_time(const struct head *head, const struct record *names, const struct record *record)
{
    struct cells above = cells_of(head, names), cells = cells_of(head, record);
    while (above.p && cells.p) {
        const struct csv_cell name = next_cell(head, &above), unit = next_cell(head, &cells);
        if (columns_means_time(name.at, name.n))
            return columns_unit_of_text(unit.at, unit.n) != TIME_UNIT_NONE;
    }
    return false;
}

/* Does the record hold nothing but units, as the line below the names in exports of Vicon? */
static bool is_units(const struct head *head, const struct record *names, const struct record *record)
{
    static const char units[] =
        " mm cm m mm/s m/s mm/s^2 mm/s/s mm/s2 m/s^2 m/s2 g deg deg/s deg/s^2 deg/s/s deg/s2 rad rad/s "
        "rad/s^2 rad/s2 N N.m N.mm Nm Nmm N/kg Nm/kg N.mm/kg W W/kg V mV uV Hz s sec ms us ns min h % dps uT "
        "Pa hPa kPa bar degC K bpm kN kg ";
    if (record->nnumber == 0 && names->ncell == record->ncell && has_unit_of_time(head, names, record))
        return true;
    for (struct cells cells = cells_of(head, record); cells.p;) {
        const struct csv_cell cell = next_cell(head, &cells);
        char word[16];
        const bool bracketed = cell.n > 2 && ((cell.at[0] == '[' && cell.at[cell.n - 1] == ']') ||
                                              (cell.at[0] == '(' && cell.at[cell.n - 1] == ')'));
        if (cell.n == 0 || bracketed)
            continue;
        snprintf(word, sizeof word, " %.*s ", cell.n < 12 ? (int)cell.n : 12, cell.at);
        if (cell.n > 10 || !strstr(units, word))
            return false;
    }
    return true;
}

/* The nearest record above `below` that may hold names, with the cells of `like` (NULL: any number of cells).
 * A line of units is passed over. NULL: no such record. */
static const struct record *nearest_names(const struct head *head, const struct record *below,
                                          const struct record *like)
{
    const struct record *found = NULL;
    for (const struct record *look = below; look-- > head->seen;) {
        if (!may_be_names(head, look) || (like && !fits(look, like)))
            continue;
        if (!found)
            found = look;
        else
            return is_units(head, look, found) ? look : found;
    }
    return found;
}

static void set_names(struct head *head, const struct record *names)
{
    head->line[0] = names;
    head->nline = names != NULL;
}

/* Finds the names above a record that is a row, and the first row, which may be a record of gaps between the
 * two. */
static bool find_names(struct head *head, const struct record *row, struct error *e)
{
    struct csv *csv = head->csv;
    const struct record *names = nearest_names(head, row, row), *last = nearest_names(head, row, NULL);
    const struct record *look = names ? names + 1 : head->seen;
    set_names(head, names);
    if (!names && last && !last->mark && last->ntext > 1 && !head->vendor) {
        csv_error_ragged(csv, csv->rest, csv->rest + row->at, csv->rest + row->end, last->ncell, e);
        if (row->ncell > last->ncell && strchr(",;|", csv->delimiter))
            return error_hint(e, "to leave out what has no name: cut -d'%c' -f1-%zu FILE | sprung ...",
                              csv->delimiter, last->ncell);
        return error_hint(e, "for names on other lines, use --header LINES");
    }
    if (names && look < row && is_units(head, names, look))
        look++;
    while (look < row && (look->mark || look->ncell != row->ncell || head->vendor))
        look++;
    head->row = look;
    return true;
}

/* May the names be the only content of a file without rows: are they the only line, or does one mean a time?
 * No other delimiter may cut a single name. */
static bool is_lone_head(const struct head *head, const struct record *names)
{
    enum { SENTENCE = 4 }; /* words in a cell that are no name */
    const char *p = head->csv->rest + names->at;
    bool timed = false;
    for (struct cells cells = cells_of(head, names); cells.p;) {
        const struct csv_cell cell = next_cell(head, &cells);
        timed |= columns_means_time(cell.at, cell.n);
    }
    if (names->ncell > 1)
        return timed || head->nseen == 1;
    for (const char *other = ";\t|,"; *other; other++)
        if (memchr(p, *other, names->end - names->at))
            return false;
    return head->nseen == 1 && count_words(head, names) < SENTENCE;
}

/* The error of a text without a number; last: the last record that may hold names. Returns false. */
static bool fail_without_numbers(const struct head *head, const struct record *last, struct error *e)
{
    const struct csv *csv = head->csv;
    const char *p = csv->rest + last->at, *end = csv_without_eol(csv, p, csv->rest + last->end);
    error_data(e, "no line holds a number; last line with text");
    error_excerpt(e, p, (size_t)(end - p));
    if (head->seen[head->nseen - 1].quoted)
        error_hint(e, "try --decimal ,");
    else
        error_hint(e, "if cells are separated by ';', try --delimiter ';'; if line 1 is the header row, "
                      "--header 1");
    csv_error_place(csv, csv->rest, p, e);
    return error_unfilterable(e);
}

/* Finds names and row where no record is a row for sure: the first with a number counts, if it is cut as the
 * last. */
static bool find_in_text(struct head *head, struct error *e)
{
    const struct record *end = head->seen + head->nseen;
    if (head->nseen == 0)
        return error_data(e, head->at == head->csv->start ? "the file is empty"
                                                          : "the file has no header and no rows");
    for (const struct record *look = head->seen; look < end; look++)
        if (look->nnumber > 0 && look->ncell == end[-1].ncell) {
            set_names(head, nearest_names(head, look, look));
            head->row = look;
            return true;
        }
    if (head->nseen >= LOOK) {
        set_names(head, head->seen);
        head->row = head->seen + 1;
        return true;
    }
    set_names(head, nearest_names(head, end, NULL));
    if (head->nline == 0)
        head->row = head->seen;
    return head->nline == 0 || is_lone_head(head, head->line[0]) ||
           fail_without_numbers(head, head->line[0], e);
}

/* Reads the next record that is no blank line. *end == head->at: there is none. */
static bool next_record(struct head *head, size_t *end, struct error *e)
{
    for (;; head->at = *end) {
        if (!csv_read_record(head->reader, head->at, end, e))
            return false;
        const char *p = head->csv->rest + head->at, *stop = head->csv->rest + *end;
        if (p == stop || !csv_is_blank_line(head->csv, p, stop))
            return true;
    }
}

/* Finds the lines that --header gives, and the first record below with a number, or with gaps alone. */
static bool find_given(struct head *head, struct error *e)
{
    uint64_t want[CSV_MAXLINES], line = 1;
    const size_t nwant = csv_name_lines(head->options->header, want);
    size_t end;
    while (head->nline < nwant) {
        if (!csv_read_record(head->reader, head->at, &end, e))
            return false;
        const bool past = end == head->at;
        if (past || line > want[head->nline]) {
            error_data(e,
                       past ? "--header: the file has no line %llu"
                            : "--header: line %llu is not the start of a row",
                       (unsigned long long)want[head->nline]);
            return error_hint(e, past ? "the file has %llu line%s" : "it is inside a quoted cell",
                              (unsigned long long)line - 1, error_plural(line - 1));
        }
        const uint64_t here = line;
        line += block_count(head->csv->rest + head->at, end - head->at, head->csv->eol);
        if (here == want[head->nline])
            head->line[head->nline++] = see(head, end);
        else
            head->at = end;
    }
    const struct record *first = head->seen + head->nseen;
    do {
        if (!next_record(head, &end, e))
            return false;
        if (end == head->at || head->nseen >= LOOK) {
            head->row = head->row ? first : NULL;
            return true;
        }
        head->row = see(head, end);
    } while (may_be_names(head, head->row));
    return true;
}

/* Reads records until one is a row, and chooses the cut by it. *at: its place; else that of the end. */
static bool choose_way(struct head *head, size_t *at, struct error *e)
{
    struct csv *csv = head->csv;
    uint64_t lines[CSV_MAXLINES], line = 1;
    const size_t nline = head->options->header ? csv_name_lines(head->options->header, lines) : 0;
    const uint64_t names = nline > 0 ? lines[nline - 1] : 0;
    const struct way *found = NULL;
    bool below = false;
    for (size_t n = 0, end; !found && n < LOOK; head->at = end) {
        set_way(head, head->usual, false);
        if (!csv_read_record(head->reader, head->at, &end, e))
            return false;
        const char *p = csv->rest + head->at, *stop = csv->rest + end;
        if (p == stop || (head->options->no_header && n == 1))
            break;
        const uint64_t here = line;
        line += block_count(p, (size_t)(stop - p), csv->eol);
        const bool comment = head->options->no_header && memchr("#%@", *p, 3);
        if (comment || here < names || csv_is_blank_line(csv, p, stop))
            continue;
        found = find_way(head, end);
        if (here == names || is_vendor_line(head, p, stop, found ? found->now.ncell : 0, &below))
            found = NULL;
        take_names(head, here == names);
        *at = head->at;
        n++;
    }
    const bool one = found && found->comma && found->now.ncell == 1 && !head->options->delimiter;
    char delimiter = head->usual;
    if (one)
        delimiter = ';';
    else if (found)
        delimiter = found->delimiter;
    set_way(head, delimiter, found && found->comma);
    *at = found ? *at : SIZE_MAX;
    head->at = csv->start;
    return true;
}

/* Finds the names and the first row, in the cut that was chosen. row: place of the record that is a row;
 * SIZE_MAX: none is for sure. */
static bool find_row(struct head *head, size_t row, struct error *e)
{
    const bool no_names = head->options->no_header;
    const struct record *last;
    do {
        size_t end;
        if (!next_record(head, &end, e))
            return false;
        if (end == head->at || head->nseen >= LOOK)
            return find_in_text(head, e);
        last = see(head, end);
    } while (no_names ? last->mark != 0 : last->at < row);
    if (no_names) {
        head->row = last;
        return true;
    }
    return find_names(head, last, e);
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
    const struct record *above = single ? nearest_names(head, single, single) : NULL;
    struct cells over = { NULL, NULL };
    struct csv_cell last = { 0 };
    if (above)
        over = cells_of(head, above);
    for (size_t i = 0; i < head->nline; i++)
        line[i].cells = cells_of(head, head->line[i]);
    if (head->nline == 1 && skips(head->line[0], ncolumn))
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
    const struct record *names = head->nline > 0 ? head->line[head->nline - 1] : NULL;
    struct table *table = &head->reader->table;
    if (!names || !head->row || names + 1 >= head->row || names[1].ncell > table->ncolumn ||
        !is_units(head, names, names + 1))
        return;
    struct cells cells = cells_of(head, names + 1);
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

/* The axis that the name of a column of markers ends in: X, Y or Z; 0: the name ends in something else. */
static char axis_of(const struct column *column)
{
    size_t n = strlen(column->name);
    bool axis = n > 2 && column->name[n - 2] == '.' && strchr("XYZ", column->name[n - 1]);
    return axis ? column->name[n - 1] : 0;
}

/* The columns X, Y and Z of a marker are a vector. */
static void mark_vectors(struct table *table)
{
    for (size_t i = 0; i + 3 <= table->ncolumn; i++) {
        struct column *column = &table->column[i];
        size_t stem = strlen(column->name) - 1;
        bool marker = axis_of(column) == 'X' && axis_of(column + 1) == 'Y' && axis_of(column + 2) == 'Z' &&
                      strncmp(column[1].name, column->name, stem) == 0 &&
                      strncmp(column[2].name, column->name, stem) == 0;
        for (size_t k = 0; k < 3 && marker; k++)
            column[k].vector = i + 1;
    }
}

static bool make_columns(struct head *head, struct error *e)
{
    const struct csv *csv = head->csv;
    const struct record *row = head->row;
    struct table *table = &head->reader->table;
    size_t ncolumn = row ? row->ncell : 0;
    for (size_t i = 0; !row && i < head->nline; i++)
        ncolumn = head->line[i]->ncell > ncolumn ? head->line[i]->ncell : ncolumn;
    if (row && head->nline == 1 && !fits(head->line[0], row))
        return csv_error_ragged(csv, csv->rest, csv->rest + row->at, csv->rest + row->end,
                                head->line[0]->ncell, e);
    char *buf = malloc(csv->nrest + 2 * CSV_MAXLINES); /* all names are in rest */
    bool good = buf ? add_names(head, ncolumn, buf, e) : error_memory(e);
    free(buf);
    if (!good)
        return false;
    table->delimiter = csv->delimiter;
    table->named = head->nline > 0;
    table->stacked = head->nline > 1;
    table->other_lines = !head->options->header && head->nseen > head->nline + (row != NULL);
    if (table->stacked && head->vendor && !head->motive)
        mark_vectors(table);
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
        const size_t below = head->nline - 1 - csv->nline;
        const size_t ncell = names->ncell - (below == 0 ? skips(names, ncolumn) : 0);
        const char *p = csv->head + names->at, *stop = csv_without_eol(csv, p, csv->head + names->end);
        while (csv->runs && stop > p && (stop[-1] == ' ' || stop[-1] == '\t'))
            stop--;
        const bool cut = ncell == ncolumn + 1; /* rows do not end in a delimiter, but names do */
        csv->line[csv->nline] = (struct csv_line){
            .at = (size_t)(stop - csv->head) - cut,
            .missing = ncell < ncolumn ? ncolumn - ncell : 0,
            .below = below,
        };
    }
    return true;
}

bool csv_read_header(struct reader *reader, struct error *e)
{
    struct csv *csv = reader->state;
    struct record seen[CSV_MAXLINES + LOOK];
    struct head head = { .reader = reader, .csv = csv, .options = reader->options, .seen = seen };
    size_t row;
    if (!csv_read_start(reader, e))
        return false;
    head.at = csv->start;
    list_ways(&head);
    if (!find_vendor(&head, e) || !choose_way(&head, &row, e))
        return false;
    if (!(head.options->header ? find_given(&head, e) : find_row(&head, row, e)))
        return false;
    if (head.vendor)
        read_vendor(&head);
    if (!make_columns(&head, e) || !csv_set_head(reader, head.row ? head.row->at : csv->nrest, e))
        return false;
    if (reader->point == ',')
        reader_tell(reader, "numbers are read with a decimal comma (if that is wrong: --decimal .)");
    return find_line_ends(&head, e);
}
