/* bvh: a skeleton (HIERARCHY) and its motion, a line of numbers a frame. Each channel of a joint is a column
 * joint.channel; column 1 is the time, which is not in the file but frame * Frame Time. Rotations are angles.
 * The skeleton is written as it was read, so that a bvh file can only be made of one. */
#include "formats/motion/motion.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <strings.h>

enum { MAXDEPTH = 10000 };

/* The walk over the hierarchy, word by word. */
struct walk {
    struct reader *r;
    size_t depth;
    char *name; /* of the joint whose block is open; NULL: none, or an End Site */
    size_t nname;
    bool opening;             /* a '{' must follow */
    bool begun;               /* the word HIERARCHY was there */
    bool counting;            /* the number of channels follows */
    size_t noffset, nchannel; /* so many words of OFFSET, of CHANNELS follow */
    bool over;                /* the word MOTION was there */
};

/* A part of a line. */
struct word {
    const char *at;
    size_t n;
};

static bool is(struct word w, const char *text)
{
    return w.n == strlen(text) && strncasecmp(w.at, text, w.n) == 0;
}

static bool refuse(const struct walk *k, struct word w, struct error *e)
{
    const struct csv *csv = k->r->state;
    return motion_blame(k->r, (size_t)(w.at - csv->rest), w.n, e);
}

static bool expect(const struct walk *k, struct word w, const char *what, struct error *e)
{
    error_data(e, "expected %s", what);
    return refuse(k, w, e);
}

static struct word trim(struct word w)
{
    for (; w.n > 0 && isspace((unsigned char)*w.at); w.n--)
        w.at++;
    while (w.n > 0 && isspace((unsigned char)w.at[w.n - 1]))
        w.n--;
    return w;
}

/* --- the hierarchy --- */

/* Takes what is left of the line, up to a '{', as a name. */
static bool open_joint(struct walk *k, struct word w, struct word *rest, struct error *e)
{
    struct word name = *rest;
    const char *brace = memchr(name.at, '{', name.n);
    name.n = brace ? (size_t)(brace - name.at) : name.n;
    *rest = (struct word){ name.at + name.n, rest->n - name.n };
    name = trim(name);
    k->opening = true;
    free(k->name);
    k->name = NULL;
    if (is(w, "End"))
        return true;
    if (name.n == 0)
        return expect(k, w, "the joint's name", e);
    if (name.n > FORMAT_MAXCELL)
        return expect(k, w, "a shorter name", e);
    k->name = malloc(name.n + 1);
    if (!k->name)
        return error_memory(e);
    memcpy(k->name, name.at, name.n);
    k->nname = name.n;
    return true;
}

static bool add_channel(struct walk *k, struct word w, struct error *e)
{
    struct columns *t = &k->r->columns;
    if (isdigit((unsigned char)*w.at) || strchr("{}+-.", *w.at))
        return expect(k, w, "the name of a channel", e);
    char *name = malloc(k->nname + w.n + 1);
    if (!name)
        return error_memory(e);
    memcpy(name, k->name, k->nname);
    name[k->nname] = '.';
    memcpy(name + k->nname + 1, w.at, w.n);
    bool good = columns_add(t, name, k->nname + 1 + w.n, e);
    free(name);
    if (!good)
        return false;
    struct column *c = &t->column[t->ncolumn - 1];
    c->first = CELL_NUMBER;
    c->period = w.n == 9 && strncasecmp(w.at + 1, "rotation", 8) == 0 ? 360 : 0;
    return true;
}

static bool count_channels(struct walk *k, struct word w, struct error *e)
{
    double n;
    if (number_read(w.at, w.at + w.n, '.', &n) != w.at + w.n || !(n >= 0 && n <= 1e6) || n != floor(n))
        return expect(k, w, "the number of channels", e);
    k->counting = false;
    k->nchannel = (size_t)n;
    return true;
}

/* A word where a statement begins. */
static bool take_statement(struct walk *k, struct word w, struct word *rest, struct error *e)
{
    if ((is(w, "ROOT") && k->depth == 0) || (k->depth > 0 && (is(w, "JOINT") || is(w, "End"))))
        return k->depth < MAXDEPTH ? open_joint(k, w, rest, e) : expect(k, w, "fewer levels", e);
    if (k->depth == 0 && is(w, "MOTION")) {
        k->over = true;
        return true;
    }
    if (k->depth > 0 && is(w, "OFFSET")) {
        k->noffset = 3;
        return true;
    }
    if (k->name && is(w, "CHANNELS")) {
        k->counting = true;
        return true;
    }
    if (k->depth == 0 || !is(w, "}"))
        return expect(k, w, k->depth ? "JOINT, End Site, OFFSET, CHANNELS or '}'" : "ROOT or MOTION", e);
    k->depth--;
    free(k->name);
    k->name = NULL;
    return true;
}

static bool take_word(struct walk *k, struct word w, struct word *rest, struct error *e)
{
    if (!k->begun) {
        k->begun = is(w, "HIERARCHY");
        return k->begun || expect(k, w, "HIERARCHY: this is not a bvh file", e);
    }
    if (k->opening) {
        k->opening = false;
        k->depth++;
        return is(w, "{") || expect(k, w, "'{'", e);
    }
    if (k->noffset) {
        double x;
        k->noffset--;
        return number_read(w.at, w.at + w.n, '.', &x) == w.at + w.n ||
               expect(k, w, "a number of the offset", e);
    }
    if (k->counting)
        return count_channels(k, w, e);
    if (k->nchannel) {
        k->nchannel--;
        return add_channel(k, w, e);
    }
    return take_statement(k, w, rest, e);
}

/* The next word of a line; a brace is a word of its own. */
static bool next_word(struct word *rest, struct word *w)
{
    *rest = trim(*rest);
    *w = (struct word){ rest->at, 0 };
    while (w->n < rest->n && !isspace((unsigned char)w->at[w->n]) && w->at[w->n] != '{' && w->at[w->n] != '}')
        w->n++;
    w->n += w->n == 0 && rest->n > 0;
    *rest = (struct word){ w->at + w->n, rest->n - w->n };
    return w->n > 0;
}

/* The next line, as a word; an error where there is none. */
static bool read_line(struct walk *k, size_t *at, const char *wanted, struct word *line, struct error *e)
{
    const struct csv *csv = k->r->state;
    struct span span;
    size_t next;
    if (!motion_line(k->r, *at, &span, &next, e))
        return false;
    if (next == *at) {
        error_data(e, "the file ends before %s", wanted);
        return csv_place(csv, csv->rest, csv->rest + csv->nrest, e);
    }
    *at = next;
    *line = (struct word){ csv->rest + span.at, span.n };
    return true;
}

static bool read_hierarchy(struct walk *k, size_t *at, struct error *e)
{
    while (!k->over) {
        struct word line, w;
        if (!read_line(k, at, "the line MOTION", &line, e))
            return false;
        while (!k->over && next_word(&line, &w))
            if (!take_word(k, w, &line, e))
                return false;
        if (k->over && next_word(&line, &w))
            return expect(k, w, "nothing behind MOTION", e);
    }
    return true;
}

/* --- the motion's head --- */

/* The number in the next line, "LABEL number"; blanks in the label may be missing or many. */
static bool read_label(struct walk *k, size_t *at, const char *label, struct word *line, double *x,
                       struct number_decimal *d, struct span *field, struct error *e)
{
    const struct csv *csv = k->r->state;
    struct word word, rest;
    const char *p = label;
    if (!read_line(k, at, label, line, e))
        return false;
    rest = *line = trim(*line);
    for (; *p; p++) {
        if (*p == ' ')
            continue;
        rest = trim(rest);
        if (rest.n == 0 || toupper((unsigned char)*rest.at) != toupper((unsigned char)*p))
            break;
        rest = (struct word){ rest.at + 1, rest.n - 1 };
    }
    word = trim(rest);
    *field = (struct span){ (uint32_t)(word.at - csv->rest), (uint32_t)word.n };
    if (!*p && word.n > 0 && number_read_decimal(word.at, word.at + word.n, '.', x, d) == word.at + word.n)
        return true;
    error_data(e, "expected \"%s\" and a number", label);
    return refuse(k, *line, e);
}

static bool read_motion(struct walk *k, size_t *at, struct error *e)
{
    struct motion *m = k->r->state;
    struct number_decimal ignored;
    struct word line;
    double frames;
    if (!read_label(k, at, "Frames:", &line, &frames, &ignored, &m->field.rows, e))
        return false;
    if (!(frames >= 0 && frames <= 1e15 && frames == floor(frames)))
        return expect(k, line, "a whole number of frames", e);
    m->promised = (uint64_t)frames;
    if (!read_label(k, at, "Frame Time:", &line, &m->seconds, &m->step, &m->field.rate, e))
        return false;
    k->r->columns.rate = 1 / m->seconds;
    if (m->seconds > 0 && isfinite(m->seconds) && isfinite(k->r->columns.rate))
        return true;
    return expect(k, line, "the seconds of a frame", e);
}

static bool open_bvh(struct reader *r, struct error *e)
{
    struct walk k = { .r = r };
    struct motion *m;
    if (!motion_start(r, MOTION_BVH, e) || !columns_add(&r->columns, "time", 4, e))
        return false;
    m = r->state;
    m->counted = r->columns.counted = true;
    r->columns.column[0].first = CELL_NUMBER;
    size_t at = m->start;
    bool good = read_hierarchy(&k, &at, e) && read_motion(&k, &at, e);
    free(k.name);
    return good && csv_cut(r, at, e);
}

static bool sniff(const unsigned char *head, size_t nhead)
{
    const char *p = (const char *)head, *end = p + nhead;
    p += nhead >= 3 && memcmp(p, "\xEF\xBB\xBF", 3) == 0 ? 3 : 0;
    while (p < end && isspace((unsigned char)*p))
        p++;
    return motion_begins(p, end, "HIERARCHY");
}

static bool accept(struct writer *w, struct error *e)
{
    if (!motion_accept(w, MOTION_BVH, e))
        return false;
    struct motion_writer *o = w->state;
    o->gap = "nan";
    o->head = motion_put_head;
    if (!o->same) {
        error_usage(e, "--to bvh needs a bvh input: only that has a skeleton");
        return error_hint(e, "--to mot keeps time and channels of any input, and so does --to csv");
    }
    return motion_refuse_added(w, "a bvh file has no place for them", e);
}

static const char *const suffixes[] = { ".bvh", NULL };

const struct format format_bvh = { .name = "bvh",
                                   .suffixes = suffixes,
                                   .summary = "Biovision motion: a skeleton, and its channels frame by frame",
                                   .sniff = sniff,
                                   .open = open_bvh,
                                   MOTION_READER,
                                   .accept = accept,
                                   MOTION_WRITER };
