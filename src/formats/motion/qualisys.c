/* qualisys: positions of markers in the TSV files of Qualisys Track Manager. Lines of a label and its values
 * (FREQUENCY, MARKER_NAMES) come first, then perhaps one with the names of columns, then x, y and z of each
 * marker in a row, with frame number and time before them or not. Channels are named Marker.x, Marker.y,
 * Marker.z. Files of bodies (6D) and of derived data are refused. */
#include "formats/motion/motion.h"

#include <math.h>

/* Reads lines of a label and its values, of which one has the names of columns, up to the first row;
 * *markers: what follows MARKER_NAMES. */
static bool read_labels(struct reader *r, struct span *line, struct span *markers, struct error *e)
{
    struct motion *m = r->state;
    while (motion_line(r, line, e)) {
        const char *p = m->csv.rest + line->at, *end = p + line->n;
        struct csv_cell label, value;
        double x;
        p = csv_next(&m->csv, p, end, &label);
        if (line->n == 0 || csv_kind(r, &label, &x) != CELL_TEXT)
            return true;
        csv_next(&m->csv, p, end, &value);
        struct span field = { (uint32_t)(value.at - m->csv.rest), (uint32_t)value.n };
        if (motion_is(label.at, label.n, "NO_OF_FRAMES"))
            m->field[MOTION_ROWS] = field;
        else if (motion_is(label.at, label.n, "FREQUENCY"))
            m->field[MOTION_RATE] = field;
        else if (motion_is(label.at, label.n, "MARKER_NAMES"))
            *markers = (struct span){ field.at, (uint32_t)(end - value.at) };
        else if (motion_is(label.at, label.n, "DATA_INCLUDED") && !motion_is(value.at, value.n, "3D")) {
            error_data(e, "only 3D data, positions of markers, are read from a Qualisys file");
            error_hint(e,
                       "--from tsv --header LINE reads a table of other data below the names in that line");
            return motion_error(r, value.at, value.n, e);
        }
    }
    return false;
}

/* Takes the rate of rows that have no time. */
static bool take_rate(struct reader *r, struct error *e)
{
    const struct motion *m = r->state;
    struct span field = m->field[MOTION_RATE];
    const char *p = m->csv.rest + field.at;
    double *rate = &r->columns.rate;
    r->columns.counted = true;
    r->columns.owns_time = true;
    if (field.n && number_read(p, p + field.n, '.', rate) == p + field.n && *rate > 0 && isfinite(*rate) &&
        isfinite(1 / *rate))
        return columns_add(&r->columns, "time", 4, e);
    error_data(e, "no line FREQUENCY with the rows per second, and no column Time");
    return field.n && motion_error(r, p, field.n, e);
}

static bool read_head(struct reader *r, struct span *line, struct error *e)
{
    struct motion *m = r->state;
    struct columns *t = &r->columns;
    struct span markers = { 0 };
    csv_set_delimiter(&m->csv, '\t');
    if (!read_labels(r, line, &markers, e))
        return false;
    m->promised = motion_count(m, m->field[MOTION_ROWS]);
    const char *p = m->csv.rest + markers.at, *end = p + markers.n;
    size_t nmarker = csv_count(&m->csv, p, end);
    if (markers.n == 0)
        return error_data(e, "no line MARKER_NAMES above the rows: this is no Qualisys file of markers");
    /* A row has x, y and z of each marker, or also frame and time, and perhaps a tab at its end. */
    bool timed = block_count(m->csv.rest + line->at, line->n, '\t') > 3 * nmarker;
    if (timed ? !columns_add(t, "Frame", 5, e) || !columns_add(t, "Time", 4, e) : !take_rate(r, e))
        return false;
    t->column[0].frame = timed;
    p = m->csv.rest + markers.at;
    for (size_t i = 1; i <= nmarker; i++) {
        struct csv_cell cell;
        p = csv_next(&m->csv, p, end, &cell);
        if (!motion_add_vector(r, &cell, i, "xyz", e))
            return false;
    }
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
