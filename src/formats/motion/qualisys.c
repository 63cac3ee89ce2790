/* qualisys: positions of markers in the TSV files of Qualisys Track Manager. Lines of a label and its values
 * (FREQUENCY, MARKER_NAMES) come first, then perhaps one with the names of columns, then x, y and z of each
 * marker in a row, with frame number and time before them or not. Channels are named Marker.x, Marker.y,
 * Marker.z. Files of bodies (6D) and of derived data are refused. */
#include "formats/motion/motion.h"

#include <math.h>

/* Lines of the header; n == 0: there is none. */
struct head {
    struct span markers; /* what follows MARKER_NAMES */
    size_t nmarker;
    struct span names; /* the names of columns */
    struct span row;   /* the first one */
};

/* Takes a line of a label and its values. */
static bool take_label(struct reader *r, struct head *h, struct span line, const struct csv_cell *label,
                       const char *values, struct error *e)
{
    struct motion *m = r->state;
    const struct csv *csv = &m->csv;
    const char *end = csv->rest + line.at + line.n;
    struct csv_cell value;
    csv_next(csv, values, end, &value);
    struct span field = { (uint32_t)(value.at - csv->rest), (uint32_t)value.n };
    if (motion_is(label->at, label->n, "NO_OF_FRAMES"))
        m->field[MOTION_ROWS] = field;
    else if (motion_is(label->at, label->n, "FREQUENCY"))
        m->field[MOTION_RATE] = field;
    else if (motion_is(label->at, label->n, "DATA_INCLUDED") && !motion_is(value.at, value.n, "3D")) {
        error_data(e, "only 3D data, positions of markers, are read from a Qualisys file");
        error_hint(e, "--from tsv --header LINE reads a table of other data below the names in that line");
        return motion_error(r, value.at, value.n, e);
    } else if (motion_is(label->at, label->n, "MARKER_NAMES") && values) {
        h->markers = (struct span){ (uint32_t)(values - csv->rest), (uint32_t)(end - values) };
        h->nmarker = csv_count(csv, values, end);
    } else if (h->nmarker && csv_count(csv, label->at, end) >= 3 * h->nmarker) {
        h->names = line;
    }
    return true;
}

/* Reads lines up to the first row; *at: where it begins. */
static bool read_labels(struct reader *r, struct head *h, size_t *at, struct error *e)
{
    const struct csv *csv = r->state;
    for (size_t next = *at; motion_line(r, &next, &h->row, e); *at = next) {
        const char *p = csv->rest + h->row.at;
        struct csv_cell label;
        double x;
        const char *values = csv_next(csv, p, p + h->row.n, &label);
        if (h->row.n > 0 && csv_kind(r, &label, &x) == CELL_TEXT) {
            if (!take_label(r, h, h->row, &label, values, e))
                return false;
        } else if (h->nmarker > 0)
            return true;
        else
            return error_data(e,
                              "no line MARKER_NAMES above the rows: this is not a Qualisys file of markers");
    }
    return false;
}

/* Columns before those of markers: none, or frame number and time, which names of columns spell. */
static size_t count_before(const struct csv *csv, const struct head *h)
{
    const char *p = csv->rest + (h->names.n ? h->names.at : h->row.at);
    size_t n = h->names.n ? csv_count(csv, p, p + h->names.n) : 1 + block_count(p, h->row.n, '\t');
    return n < 3 * h->nmarker ? 0 : h->names.n ? n - 3 * h->nmarker : n - 3 * h->nmarker >= 2 ? 2 : 0;
}

static bool read_head(struct reader *r, size_t *at, struct error *e)
{
    struct motion *m = r->state;
    struct csv *csv = &m->csv;
    struct columns *t = &r->columns;
    struct head h = { 0 };
    csv_set_delimiter(csv, '\t');
    if (!read_labels(r, &h, at, e))
        return false;
    m->promised = motion_count(m, m->field[MOTION_ROWS]);
    struct csv_cell before[2] = { { .at = "Frame", .n = 5 }, { .at = "Time", .n = 4 } }, cell;
    size_t nbefore = count_before(csv, &h);
    const char *p = h.names.n ? csv->rest + h.names.at : NULL, *end = p ? p + h.names.n : NULL;
    if (nbefore > 2) {
        error_data(e, "the names of columns are more than a frame, a time and three for each marker");
        return motion_error(r, p, h.names.n, e);
    }
    t->counted = true;
    for (size_t i = 0; i < nbefore; i++) {
        if (p)
            p = csv_next(csv, p, end, &before[i]);
        t->counted &= !columns_means_time(before[i].at, before[i].n);
    }
    if (t->counted && !columns_add(t, "time", 4, e))
        return false;
    for (size_t i = 0; i < nbefore; i++) {
        if (!columns_add(t, before[i].at, before[i].n, e))
            return false;
        t->column[t->ncolumn - 1].frame = columns_counts_frames(&t->column[t->ncolumn - 1]);
    }
    p = csv->rest + h.markers.at;
    end = p + h.markers.n;
    for (size_t i = 1; i <= h.nmarker; i++) {
        p = csv_next(csv, p, end, &cell);
        if (!motion_add_vector(r, &cell, i, "xyz", e))
            return false;
    }
    struct span rate = m->field[MOTION_RATE];
    p = csv->rest + rate.at;
    bool good = rate.n && number_read(p, p + rate.n, '.', &t->rate) == p + rate.n && t->rate > 0 &&
                isfinite(t->rate) && isfinite(1 / t->rate);
    if (t->counted && !good) {
        error_data(e, "no line FREQUENCY with the rows per second, and no column Time");
        return rate.n ? motion_error(r, p, rate.n, e) : false;
    }
    t->rate = t->counted ? t->rate : 0;
    return true;
}

static bool sniff(const unsigned char *head, size_t nhead)
{
    return motion_begins((const char *)head, (const char *)head + nhead, "NO_OF_FRAMES");
}

const struct format format_qualisys = {
    .name = "qualisys",
    .suffixes = (const char *const[]){ ".tsv", NULL },
    .summary = "markers in space, as Qualisys Track Manager exports them to TSV",
    .keeps =
        "Keeps the header, frame numbers, times, and everything but filtered cells. There are no derivatives "
        "in it, and other data than positions are not read.",
    .sniff = sniff,
    .kind = &(const struct motion_kind){ .read_head = read_head,
                                         .no_added = "a Qualisys file has only positions of markers",
                                         .gap = "" },
    MOTION,
};
