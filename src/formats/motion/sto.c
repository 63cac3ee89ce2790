/* sto and mot: OpenSim's tables. Header lines up to "endheader", the line of names, then a line per row.
 * Cells are between tabs, blanks, or the commas of a spreadsheet. With DataType=Quaternion, Vec3 or the like
 * each cell after the time holds several numbers between commas, and each is a column; a quaternion is a
 * rotation, w first. A header made for another format's rows has only the numbers of rows and columns; other
 * header lines (inDegrees) are kept from sto and mot inputs. */
#include "formats/motion/motion.h"

#include <ctype.h>

/* True if this line is that word; blanks and commas after it do not count. */
static bool is_word(const char *p, size_t n, const char *word)
{
    while (n > 0 && (isspace((unsigned char)p[n - 1]) || p[n - 1] == ','))
        n--;
    return motion_is(p, n, word);
}

static bool begins(const char *p, size_t n, const char *label)
{
    return n > strlen(label) && strncasecmp(p, label, strlen(label)) == 0;
}

/* A label in the header, and the field behind it. */
static const struct label {
    const char *text;
    enum motion_field field;
} labels[] = {
    { "nRows=", MOTION_ROWS },          { "datarows ", MOTION_ROWS },  { "nColumns=", MOTION_COLUMNS },
    { "datacolumns ", MOTION_COLUMNS }, { "version=", MOTION_NFIELD }, { "inDegrees=", MOTION_NFIELD },
    { "DataType=", MOTION_NFIELD },
};
enum { NLABEL = sizeof labels / sizeof *labels };

/* The letters of the columns NAME.LETTER that a cell of this type is; NULL: it is one number. */
static const char *letters_of(const char *p, size_t n)
{
    static const char *const types[][2] = {
        { "Quaternion", "wxyz" },   { "Vec3", "xyz" },    { "UnitVec3", "xyz" },
        { "SpatialVec", "123456" }, { "Vec6", "123456" },
    };
    for (size_t i = 0; i < sizeof types / sizeof *types; i++)
        if (is_word(p, n, types[i][0]))
            return types[i][1];
    return NULL;
}

/* Finds the numbers of rows and columns in a header line, and the type of its cells. */
static void take_fields(struct motion *m, struct span line, const char **letters)
{
    static const char type[] = "DataType=";
    const char *p = m->csv.rest + line.at;
    if (begins(p, line.n, type))
        *letters = letters_of(p + strlen(type), line.n - strlen(type));
    for (size_t i = 0; i < NLABEL; i++) {
        size_t at = strlen(labels[i].text), n;
        if (labels[i].field == MOTION_NFIELD || !begins(p, line.n, labels[i].text))
            continue;
        at += strspn(p + at, " ");
        n = strspn(p + at, "0123456789");
        if (n > 0)
            m->field[labels[i].field] = (struct span){ line.at + (uint32_t)at, (uint32_t)n };
    }
}

/* Finds the line of the names. *letters: as letters_of. */
static bool find_names(struct reader *r, struct span *line, const char **letters, struct error *e)
{
    struct motion *m = r->state;
    for (bool over = false;;) {
        if (!motion_line(r, line, e))
            return false;
        if (line->n == 0) {
            error_data(e, over ? "the file ends before the names of its columns"
                               : "no line \"endheader\" in it");
            return error_hint(e, "tables without one are read with --from csv or --from tsv");
        }
        if (over)
            return true;
        over = is_word(m->csv.rest + line->at, line->n, "endheader");
        take_fields(m, *line, letters);
    }
}

/* Sets the delimiter to the first of tab, comma and blanks that cuts names and row (n == 0: there is none)
 * into as many cells, and the row into a number first. */
static void find_delimiter(struct reader *r, struct span names, struct span row)
{
    struct csv *csv = r->state;
    const char *p = csv->rest + names.at, *q = csv->rest + row.at;
    for (const char *c = "\t,"; c; c = *c ? c + 1 : NULL) {
        struct csv_cell first;
        double x;
        csv_set_delimiter(csv, *c);
        size_t n = csv_count(csv, p, p + names.n);
        csv_next(csv, q, q + row.n, &first);
        if (*c != csv->point && n > 1 &&
            (row.n == 0 || (csv_kind(r, &first, &x) == CELL_NUMBER && n == csv_count(csv, q, q + row.n))))
            return;
    }
    csv_set_delimiter(csv, memchr(p, '\t', names.n) ? '\t' : 0);
}

static bool read_head(struct reader *r, struct span *line, struct error *e)
{
    struct motion *m = r->state;
    const char *letters = NULL;
    if (!find_names(r, line, &letters, e))
        return false;
    const struct span names = *line;
    if (!motion_line(r, line, e))
        return false;
    find_delimiter(r, names, *line);
    if (m->csv.delimiter != '\t' || m->csv.point == ',' ||
        (line->n && !memchr(m->csv.rest + line->at, ',', line->n)))
        letters = NULL;
    const char *p = m->csv.rest + names.at, *end = p + names.n;
    size_t ncell = csv_count(&m->csv, p, end);
    for (size_t i = 0; i < ncell; i++) {
        struct csv_cell cell;
        p = csv_next(&m->csv, p, end, &cell);
        if (!(i > 0 && letters ? motion_add_vector(r, &cell, i, letters, e)
                               : columns_add(&r->columns, cell.at, cell.n, e)))
            return false;
        m->field[MOTION_NAMES].at = (uint32_t)(cell.at + cell.n - m->csv.rest);
    }
    m->csv.vector = letters ? strlen(letters) : 0;
    csv_set_delimiter(&m->csv, m->csv.runs ? 0 : m->csv.delimiter);
    return true;
}

/* True if there is a line "endheader" in the first bytes, and above it a label of such files. */
static bool sniff(const unsigned char *head, size_t nhead)
{
    const char *p = (const char *)head, *end = p + nhead;
    for (bool labelled = false; p < end;) {
        size_t n = 0;
        while (p + n < end && p[n] != '\n' && p[n] != '\r')
            n++;
        if (labelled && is_word(p, n, "endheader"))
            return true;
        for (size_t i = 0; i < NLABEL; i++)
            labelled = labelled || begins(p, n, labels[i].text);
        p += n + (p + n < end);
    }
    return false;
}

static bool put_head(const struct writer *w, struct text *t, struct error *e)
{
    const struct motion_writer *o = w->state;
    (void)e;
    text_put(t, "sprung\nversion=1\nnRows=%llu\nnColumns=%zu\nendheader\ntime", (unsigned long long)o->nrow,
             1 + o->ncolumn + w->layout->nadded);
    for (size_t i = 0; i < o->ncolumn; i++)
        text_put(t, "\t%s", w->reader->columns.column[o->column[i]].name);
    motion_put_added_names(w, t);
    text_put(t, "\n");
    return true;
}

static const struct motion_kind table = { .read_head = read_head, .put_head = put_head, .gap = "nan" };

#define TABLE                                                                                                \
    .kind = &table, MOTION,                                                                                  \
    .keeps = "Keeps the header, commas inside of cells, and everything but filtered numbers. Derivatives "   \
             "are further columns, but not of cells with several numbers."

const struct format format_sto = {
    .name = "sto",
    .suffixes = (const char *const[]){ ".sto", NULL },
    .summary = "OpenSim storage",
    .sniff = sniff,
    TABLE,
};

const struct format format_mot = {
    .name = "mot",
    .suffixes = (const char *const[]){ ".mot", NULL },
    .summary = "OpenSim motion: as sto, by another name",
    TABLE,
};
