/* Pictures: what is drawn, and where it is written. */
#include "view/plot.h"

#include "io/output.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

static const struct {
    const char *suffix, *end; /* of the name; of a whole file, in its last bytes */
} files[] = {
    [PLOT_SVG] = { ".svg", "</svg>" },
    [PLOT_PNG] = { ".png", "IEND" },
    [PLOT_PDF] = { ".pdf", "%%EOF" },
};

static enum plot_kind kind_of(const char *file)
{
    size_t n = strlen(file);
    if (strcmp(file, "-") == 0)
        return PLOT_TERMINAL;
    for (size_t i = 0; i < sizeof files / sizeof *files; i++)
        if (n > 4 && strcasecmp(file + n - 4, files[i].suffix) == 0)
            return (enum plot_kind)i;
    return PLOT_UNKNOWN;
}

bool plot_check(const char *file, const char *option, struct error *e)
{
    if (kind_of(file) != PLOT_UNKNOWN)
        return gnuplot_find(e);
    error_usage(
        e, "%s: a picture is drawn into a file whose name ends in .svg, .png or .pdf, or in the terminal (-)",
        option);
    return error_excerpt(e, file, strlen(file));
}

bool plot_is(const char *picture, const char *other)
{
    struct stat a, b;
    if (strcmp(picture, "-") == 0 || strcmp(other, "-") == 0)
        return false;
    if (strcmp(picture, other) == 0)
        return true;
    return stat(picture, &a) == 0 && stat(other, &b) == 0 && S_ISREG(a.st_mode) && a.st_dev == b.st_dev &&
           a.st_ino == b.st_ino;
}

/* --- what is drawn --- */

static void merge(struct envelope_part *a, const struct envelope_part *b)
{
    a->gap |= b->gap;
    if (isnan(a->low) || b->low < a->low) {
        a->low = b->low;
        a->low_t = b->low_t;
    }
    if (isnan(a->high) || b->high > a->high) {
        a->high = b->high;
        a->high_t = b->high_t;
    }
}

/* If all parts are full, each two of them become one. */
void envelope_add(struct envelope *c, double t, double y)
{
    struct envelope_part row = { t, y, t, y, isnan(y) };
    if (c->npart == 0)
        c->each = c->last = 1;
    if (c->last == c->each && c->npart == ENVELOPE_PARTS) {
        for (size_t i = 0; i < ENVELOPE_PARTS / 2; i++) {
            c->part[i] = c->part[2 * i];
            merge(&c->part[i], &c->part[2 * i + 1]);
        }
        c->npart = ENVELOPE_PARTS / 2;
        c->each *= 2;
        c->last = c->each;
    }
    if (c->last == c->each) {
        c->part[c->npart++] = row;
        c->last = 0;
    } else {
        merge(&c->part[c->npart - 1], &row);
    }
    c->last++;
}

struct plot_panel *plot_add_panel(struct plot *p, const char *name, const char *unit)
{
    struct plot_panel *panel = &p->panel[p->npanel++];
    const char *per = strstr(name, "_acc") ? "/s\xC2\xB2" : strstr(name, "_vel") ? "/s" : "";
    if (unit || per[0])
        snprintf(panel->name, sizeof panel->name, "%s (%s%s)", name, unit ? unit : "1", per);
    else
        snprintf(panel->name, sizeof panel->name, "%s", name);
    return panel;
}

struct envelope *plot_add_line(struct plot_panel *panel, const char *name, unsigned color, struct error *e)
{
    struct plot_line *line = panel->nline < PLOT_LINES ? calloc(1, sizeof *line) : NULL;
    if (!line) {
        error_memory(e);
        return NULL;
    }
    snprintf(line->name, sizeof line->name, "%s", name);
    line->color = color;
    panel->line[panel->nline++] = line;
    return &line->envelope;
}

void plot_mark(struct plot *p, double x)
{
    if (p->nmark < PLOT_MARKS)
        p->mark[p->nmark++] = x;
}

void plot_free(struct plot *p)
{
    for (size_t i = 0; i < p->npanel; i++)
        for (size_t k = 0; k < p->panel[i].nline; k++)
            free(p->panel[i].line[k]);
    p->npanel = 0;
}

bool plot_series_open(struct plot_series *s, struct error *e)
{
    s->in = calloc(s->columns->nchannel + s->nout + 1, sizeof *s->in);
    s->out = s->in ? s->in + s->columns->nchannel : NULL;
    return s->in || error_memory(e);
}

/* Seconds of a row. */
static double row_time(struct plot_series *s, const struct block *b, size_t row)
{
    if (s->rate > 0)
        return (double)s->nrow / s->rate;
    struct timestamp now = b->time[row];
    if (s->columns->form == TIMESTAMP_CLOCK && s->nrow > 0)
        timestamp_pass_midnight(&now, &s->last);
    s->last = now;
    return timestamp_between(NULL, &now, s->columns->unit);
}

void plot_series_row(struct plot_series *s, const struct block *b, size_t row)
{
    const struct columns *t = s->columns;
    double time = row_time(s, b, row);
    for (size_t i = 0; i < t->nchannel; i++)
        if (s->in[i])
            envelope_add(s->in[i], time, block_value(b, i)[row]);
    for (size_t i = 0; i < s->nout; i++)
        if (s->out[i])
            envelope_add(s->out[i], time, block_out(b, i)[row]);
    double cut = t->cut == COLUMN_NONE ? 0 : block_value(b, t->column[t->cut].value)[row];
    if (!isnan(cut) && cut != 0)
        plot_mark(s->plot, time);
    s->nrow++;
}

/* --- where it is written --- */

bool plot_draw(const struct plot *p, const char *file, struct error *e)
{
    enum plot_kind kind = kind_of(file);
    char *script = plot_script(p, kind);
    struct output_want want = { .path = file };
    struct outfile out = { 0 };
    char name[200];
    bool good = script || error_memory(e);
    if (good && kind == PLOT_TERMINAL) {
        good = gnuplot_run(script, NULL, STDOUT_FILENO, e);
    } else if (good) {
        good = output_open(&out, &want, e) && gnuplot_run(script, files[kind].end, out.fd, e) &&
               output_commit(&out, e);
        output_close(&out);
        if (!good) {
            struct error cause = *e;
            error_escape(file, strlen(file), name, sizeof name);
            snprintf(e->text, sizeof e->text, "picture %s: %.150s", name, cause.text);
        }
    }
    free(script);
    return good;
}
