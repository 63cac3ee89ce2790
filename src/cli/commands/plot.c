/* sprung plot [OPTION]... FILE...: series as a picture, or in the terminal. */
#include "cli/command.h"

#include "formats/input.h"
#include "view/plot.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { MAXFILE = 8 };

struct drawing {
    const struct plot_options *o;
    const struct filter_job_config *series;
    struct messages *messages;
    size_t nfile;
    struct plot plot;
    char *channel[PLOT_PANELS]; /* names without units */
    size_t nleft;               /* channels for which there is no panel */
    char *left;                 /* the first of them */
};

/* One file being read. */
struct reading {
    struct drawing *d;
    const char *name;
    unsigned number; /* of the file, from 0 */
    struct input in;
    struct block block;
    struct plot_series rows;
};

/* A file's name in the legend, without folder and suffix; buf is room for it. */
static const char *legend_name(const char *path, char *buf, size_t maxbuf)
{
    const char *slash = strrchr(path, '/'), *name = slash && slash[1] ? slash + 1 : path;
    const char *dot = strrchr(name, '.');
    if (strcmp(path, "-") == 0)
        return "standard input";
    snprintf(buf, maxbuf, "%.*s", dot && dot > name ? (int)(dot - name) : (int)strlen(name), name);
    return buf;
}

/* The panel of that channel, perhaps a new one; NULL if there are too many. False if memory is out. */
static bool find_panel(struct drawing *d, const char *name, struct plot_panel **panel, struct error *e)
{
    struct plot *p = &d->plot;
    *panel = NULL;
    for (size_t i = 0; i < p->npanel; i++)
        if (strcmp(d->channel[i], name) == 0) {
            *panel = &p->panel[i];
            return true;
        }
    if (p->npanel == PLOT_DOWN * p->across) {
        if (d->nleft++ == 0)
            d->left = strdup(name);
        return d->left || error_memory(e);
    }
    d->channel[p->npanel] = strdup(name);
    if (!d->channel[p->npanel])
        return error_memory(e);
    *panel = plot_add_panel(p, name, d->o->unit);
    return true;
}

/* Adds a line for each channel. */
static bool add_lines(struct reading *r, struct error *e)
{
    const struct columns *t = &r->in.reader.columns;
    for (size_t i = 0; i < t->ncolumn; i++) {
        const struct column *c = &t->column[i];
        struct plot_panel *panel = NULL;
        char number[32], file[PLOT_NAME];
        snprintf(number, sizeof number, "column %zu", i + 1);
        if (c->role == ROLE_CHANNEL && !find_panel(r->d, c->name[0] ? c->name : number, &panel, e))
            return false;
        if (!panel)
            continue;
        /* Of several files the first is grey; a single one is not. */
        unsigned color = r->d->nfile == 1 ? PLOT_BLUE : r->number;
        r->rows.in[c->value] = plot_add_line(panel, legend_name(r->name, file, sizeof file), color, e);
        if (!r->rows.in[c->value])
            return false;
    }
    return true;
}

static bool choose_columns(struct reading *r, struct error *e)
{
    const struct filter_job_config *o = r->d->series;
    struct columns *t = &r->in.reader.columns;
    struct column_choice choice = o->columns;
    choice.cut = r->number == 0 ? r->d->o->cut_column : NULL;
    choice.rate = isnan(o->series.rate) ? 0 : o->series.rate;
    if (!columns_select(t, &choice, e))
        return false;
    double rate = t->time != COLUMN_NONE ? 0 : choice.rate > 0 ? choice.rate : t->rate;
    if (t->time == COLUMN_NONE && rate == 0)
        return columns_untimed(t, e);
    columns_note_counters(t, r->d->messages, r->name);
    for (size_t i = 0; i < t->ncue && r->number == 0; i++)
        plot_mark(&r->d->plot, t->cue[i]);
    r->rows = (struct plot_series){ .plot = &r->d->plot, .columns = t, .rate = rate };
    return (!r->in.reader.format->bind || r->in.reader.format->bind(&r->in.reader, e)) &&
           plot_series_open(&r->rows, e) && add_lines(r, e);
}

static bool read_file(struct drawing *d, const char *name, unsigned number, struct error *e)
{
    struct reading r = { .d = d, .name = name, .number = number };
    bool good = input_open(&r.in, name, d->o->from, &d->series->input, e) && choose_columns(&r, e);
    enum loaded loaded = LOAD_ROWS;
    while (good && loaded == LOAD_ROWS) {
        loaded = input_load(&r.in, &r.block, e);
        good = loaded != LOAD_ERROR;
        for (size_t i = 0; loaded == LOAD_ROWS && i < r.block.nrow; i++)
            plot_series_row(&r.rows, &r.block, i);
    }
    block_free(&r.block);
    free(r.rows.in);
    input_close(&r.in);
    return good;
}

/* Reads all files and draws them. */
static bool draw(struct drawing *d, struct command_line *line, struct error *e)
{
    const char *output = d->o->output ? d->o->output : "-";
    d->plot.across = (size_t)d->o->across;
    if (!plot_check(output, "--output", e))
        return false;
    for (size_t i = 0; i < d->nfile; i++) {
        const char *name = line->operands.text[i];
        line->file = strcmp(name, "-") ? name : "(standard input)";
        if (!read_file(d, name, (unsigned)i, e))
            return false;
    }
    line->file = NULL;
    d->plot.title = d->o->title;
    d->plot.x = "time (s)";
    if (d->nleft) {
        char name[128], more[64] = "";
        error_escape(d->left, strlen(d->left), name, sizeof name);
        if (d->nleft > 1)
            snprintf(more, sizeof more, " and %zu more", d->nleft - 1);
        messages_add(
            d->messages, NULL,
            "the picture holds %zu channels, \"%s\"%s not among them: --columns chooses, --across holds more",
            d->plot.npanel, name, more);
    }
    if (d->plot.nmark == PLOT_MARKS)
        messages_add(d->messages, NULL, "a picture holds %d cuts: later ones are not marked", PLOT_MARKS);
    return plot_draw(&d->plot, output, e);
}

static bool check(const struct drawing *d, const struct texts *files, struct error *e)
{
    size_t standard = 0;
    for (size_t i = 0; i < files->ntext; i++)
        standard += strcmp(files->text[i], "-") == 0;
    if (files->ntext == 0)
        return error_usage(e, "plot needs a file to draw; - is standard input");
    if (files->ntext > MAXFILE)
        return error_usage(e, "%zu files, and a picture holds %d", files->ntext, MAXFILE);
    for (size_t i = 0; i < files->ntext && d->o->output; i++)
        if (plot_is(d->o->output, files->text[i]))
            return error_usage(e, "the picture would replace %s", files->text[i]);
    if (standard > 1)
        return error_usage(e, "only one of the files can be standard input");
    return format_check(&d->series->input, e);
}

static bool run(struct command_line *line, struct messages *messages, struct error *e)
{
    struct drawing d = {
        .o = &line->plot, .series = &line->job, .messages = messages, .nfile = line->operands.ntext
    };
    bool good = check(&d, &line->operands, e) && draw(&d, line, e);
    for (size_t i = 0; i < PLOT_PANELS; i++)
        free(d.channel[i]);
    free(d.left);
    plot_free(&d.plot);
    return good;
}

static const struct option_table *const plot_tables[] = { &options_plot, &options_channels, &options_input,
                                                          &options_general, NULL };

const struct command command_plot = {
    .name = "plot",
    .summary = "draws series, before against after, as a picture or in the terminal",
    .operands = "FILE...",
    .about = "Draws each channel over time in a panel of its own. Columns with the same name in several "
             "files share a panel: the first file is grey, so that plot before.csv after.csv shows what "
             "changed. Missing values leave a gap, cuts are marked by dotted lines. There are up to 6 "
             "panels, or 6 times --across; a message names the channels that are left out, and --columns "
             "chooses. Long series are drawn by the minimum and maximum of 2000 intervals, in little "
             "memory. It needs gnuplot (on Debian: apt-get install gnuplot-nox).",
    .tables = plot_tables,
    .run = run,
};
