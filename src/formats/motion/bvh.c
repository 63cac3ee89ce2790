/* bvh: a skeleton (HIERARCHY) and its motion, a line of numbers a frame. Each channel of a joint is a column
 * joint.channel; column 1 is the time, which is not in the file but frame * Frame Time. Rotations are angles.
 * The skeleton is written as it was read, so that a bvh file can only be made of one. */
#include "formats/motion/motion.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <strings.h>

enum { MAXDEPTH = 10000 };

/* A part of a line. */
struct word {
    const char *at;
    size_t n;
};

/* Reads the header word by word. */
struct header {
    struct reader *r;
    size_t at;         /* the next line, in rest */
    struct word line;  /* what is left of this line */
    struct span joint; /* name of the joint whose block is open; n == 0: none, or an End Site */
    size_t njoint;     /* joints so far */
};

static bool is(struct word w, const char *text)
{
    return w.n == strlen(text) && strncasecmp(w.at, text, w.n) == 0;
}

static bool expected(const struct header *h, struct word w, const char *what, struct error *e)
{
    error_data(e, "expected %s", what);
    return motion_error(h->r, w.at, w.n, e);
}

static struct word trim(struct word w)
{
    for (; w.n > 0 && isspace((unsigned char)*w.at); w.n--)
        w.at++;
    while (w.n > 0 && isspace((unsigned char)w.at[w.n - 1]))
        w.n--;
    return w;
}

static struct word skip(struct word w, size_t n)
{
    return (struct word){ w.at + n, w.n - n };
}

/* Reads the next line; an error where there is none. */
static bool read_line(struct header *h, const char *wanted, struct error *e)
{
    const struct csv *csv = h->r->state;
    struct span span;
    if (!motion_line(h->r, &h->at, &span, e))
        return false;
    h->line = (struct word){ csv->rest + span.at, span.n };
    if (span.n > 0)
        return true;
    error_data(e, "the file ends before %s", wanted);
    return csv_error_place(csv, csv->rest, csv->rest + csv->nrest, e);
}

/* The next word of the line, n == 0: none is left; a brace is a word of its own. */
static struct word word_of_line(struct header *h)
{
    h->line = trim(h->line);
    struct word w = { h->line.at, 0 };
    while (w.n < h->line.n && !isspace((unsigned char)w.at[w.n]) && w.at[w.n] != '{' && w.at[w.n] != '}')
        w.n++;
    w.n += w.n == 0 && h->line.n > 0;
    h->line = skip(h->line, w.n);
    return w;
}

/* The next word of the hierarchy. Words before it become invalid. */
static bool next_word(struct header *h, struct word *w, struct error *e)
{
    while ((*w = word_of_line(h)).n == 0)
        if (!read_line(h, "the line MOTION", e))
            return false;
    return true;
}

/* --- the hierarchy --- */

/* Reads the rest of a statement ROOT, JOINT or End (w): the name, up to a '{' or the line's end, and the '{'.
 */
static bool open_joint(struct header *h, struct word w, struct error *e)
{
    const struct csv *csv = h->r->state;
    struct word name = h->line;
    const char *brace = memchr(name.at, '{', name.n);
    name.n = brace ? (size_t)(brace - name.at) : name.n;
    h->line = skip(h->line, name.n);
    name = trim(name);
    h->joint = (struct span){ 0, 0 };
    if (!is(w, "End")) {
        if (name.n == 0 || name.n > FORMAT_MAXCELL)
            return expected(h, w, name.n ? "a shorter name" : "the joint's name", e);
        h->joint = (struct span){ (uint32_t)(name.at - csv->rest), (uint32_t)name.n };
        h->njoint++;
    }
    return next_word(h, &w, e) && (is(w, "{") || expected(h, w, "'{'", e));
}

static bool read_number(struct header *h, const char *what, struct word *w, double *x, struct error *e)
{
    return next_word(h, w, e) &&
           (number_read(w->at, w->at + w->n, '.', x) == w->at + w->n || expected(h, *w, what, e));
}

static bool add_channel(struct header *h, struct word w, struct error *e)
{
    const struct csv *csv = h->r->state;
    struct columns *t = &h->r->columns;
    if (isdigit((unsigned char)*w.at) || strchr("{}+-.", *w.at))
        return expected(h, w, "the name of a channel", e);
    char *name = text_format("%.*s.%.*s", (int)h->joint.n, csv->rest + h->joint.at, (int)w.n, w.at);
    if (!motion_add_column(h->r, name, e))
        return false;
    struct column *c = &t->column[t->ncolumn - 1];
    c->joint = h->njoint;
    if (w.n == 9 && strncasecmp(w.at + 1, "rotation", 8) == 0) {
        const char *axis = strchr("XYZxyz", *w.at);
        c->period = 360;
        c->axis = axis ? (size_t)(axis - "XYZxyz") % 3 + 1 : 0;
    }
    return true;
}

static bool read_channels(struct header *h, struct error *e)
{
    static const char what[] = "the number of channels";
    struct word w;
    double n;
    if (!read_number(h, what, &w, &n, e))
        return false;
    if (!(n >= 0 && n <= 1e6) || n != floor(n))
        return expected(h, w, what, e);
    for (; n > 0; n--)
        if (!next_word(h, &w, e) || !add_channel(h, w, e))
            return false;
    return true;
}

/* Reads the statement that begins with w; *depth counts the open blocks. */
static bool read_statement(struct header *h, struct word w, size_t *depth, struct error *e)
{
    double x;
    if (*depth == 0 ? is(w, "ROOT") : is(w, "JOINT") || is(w, "End")) {
        if ((*depth)++ < MAXDEPTH)
            return open_joint(h, w, e);
        return expected(h, w, "fewer levels", e);
    }
    if (*depth > 0 && is(w, "OFFSET"))
        return read_number(h, "a number of the offset", &w, &x, e) &&
               read_number(h, "a number of the offset", &w, &x, e) &&
               read_number(h, "a number of the offset", &w, &x, e);
    if (h->joint.n && is(w, "CHANNELS"))
        return read_channels(h, e);
    if (*depth == 0 || !is(w, "}"))
        return expected(h, w, *depth ? "JOINT, End Site, OFFSET, CHANNELS or '}'" : "ROOT or MOTION", e);
    --*depth;
    h->joint.n = 0;
    return true;
}

static bool read_hierarchy(struct header *h, struct error *e)
{
    struct word w;
    size_t depth = 0;
    if (!next_word(h, &w, e))
        return false;
    if (!is(w, "HIERARCHY"))
        return expected(h, w, "HIERARCHY: this is not a bvh file", e);
    do {
        if (!next_word(h, &w, e))
            return false;
        if (depth == 0 && is(w, "MOTION")) {
            w = word_of_line(h);
            return w.n == 0 || expected(h, w, "nothing behind MOTION", e);
        }
    } while (read_statement(h, w, &depth, e));
    return false;
}

/* --- the header of the frames --- */

/* The number in the next line, "LABEL number"; blanks in the label may be missing or many. */
static bool read_label(struct header *h, const char *label, double *x, struct number_decimal *d,
                       struct span *field, struct error *e)
{
    const struct csv *csv = h->r->state;
    if (!read_line(h, label, e))
        return false;
    struct word rest = h->line = trim(h->line);
    const char *p = label;
    for (; *p && (*p == ' ' || (rest.n > 0 && strncasecmp(rest.at, p, 1) == 0)); p++)
        if (*p != ' ')
            rest = trim(skip(rest, 1));
    *field = (struct span){ (uint32_t)(rest.at - csv->rest), (uint32_t)rest.n };
    if (!*p && rest.n > 0 && number_read_decimal(rest.at, rest.at + rest.n, '.', x, d) == rest.at + rest.n)
        return true;
    error_data(e, "expected \"%s\" and a number", label);
    return motion_error(h->r, h->line.at, h->line.n, e);
}

static bool read_motion(struct header *h, struct error *e)
{
    struct motion *m = h->r->state;
    struct number_decimal ignored;
    double frames;
    if (!read_label(h, "Frames:", &frames, &ignored, &m->field[MOTION_ROWS], e))
        return false;
    if (!(frames >= 0 && frames <= 1e15 && frames == floor(frames)))
        return expected(h, h->line, "a whole number of frames", e);
    m->promised = (uint64_t)frames;
    if (!read_label(h, "Frame Time:", &m->seconds, &m->step, &m->field[MOTION_RATE], e))
        return false;
    h->r->columns.rate = 1 / m->seconds;
    if (m->seconds > 0 && isfinite(m->seconds) && isfinite(h->r->columns.rate))
        return true;
    return expected(h, h->line, "the seconds of a frame", e);
}

static bool read_head(struct reader *r, size_t *at, struct error *e)
{
    struct header h = { .r = r, .at = *at, .line = { "", 0 } };
    struct motion *m = r->state;
    m->csv.ragged_hint = "the skeleton has as many CHANNELS";
    r->columns.counted = true;
    bool good = columns_add(&r->columns, "time", 4, e) && read_hierarchy(&h, e) && read_motion(&h, e);
    *at = h.at;
    return good;
}

static bool sniff(const unsigned char *head, size_t nhead)
{
    const char *p = (const char *)head, *end = p + nhead;
    p += nhead >= 3 && memcmp(p, "\xEF\xBB\xBF", 3) == 0 ? 3 : 0;
    while (p < end && isspace((unsigned char)*p))
        p++;
    return motion_begins(p, end, "HIERARCHY");
}

const struct format format_bvh = {
    .name = "bvh",
    .suffixes = (const char *const[]){ ".bvh", NULL },
    .summary = "Biovision motion: a skeleton, and its channels frame by frame",
    .sniff = sniff,
    .kind = &(const struct motion_kind){ .read_head = read_head,
                                         .no_added = "a bvh file has no place for them",
                                         .gap = "nan" },
    MOTION,
};
