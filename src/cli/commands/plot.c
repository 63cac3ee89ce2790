/* sprung plot [OPTION]... FILE...: series as a picture, or in the terminal. */
#include "cli/command.h"

#include "formats/input.h"
#include "view/plot.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { MAXFILE = 8 };

struct drawing {
    struct command_line *line;
    struct messages *messages;
    struct plot plot;
    size_t nleft;   /* channels for which there is no panel */
    char left[128]; /* the first of them */
};

/* One file being read. */
struct reading {
    struct drawing *d;
    const char *name;
    unsigned number; /* of the file, from 0 */
    char legend[PLOT_NAME];
    struct input in;
    struct block block;
    struct plot_series rows;
};

/* Adds a line to the panel of that name, perhaps a new one, if there is room. */
static bool add_line(struct reading *r, const char *name, size_t value, struct error *e)
{
    struct plot *p = &r->d->plot;
    size_t panel = 0;
    while (panel < p->npanel && strcmp(p->panel[panel], name) != 0)
        panel++;
    if (panel == PLOT_DOWN * p->across) {
        if (r->d->nleft++ == 0)
            error_escape(name, strlen(name), r->d->left, sizeof r->d->left);
        return true;
    }
    if (panel == p->npanel && !plot_add_panel(p, name, e))
        return false;
    /* Of several files the first is grey; a single one is not. */
    unsigned color = r->d->line->operands.ntext == 1 ? PLOT_BLUE : r->number;
    struct plot_line *line = plot_add_line(p, panel, r->legend, color, e);
    if (line)
        line->column = value;
    return line;
}

/* Adds a line for each channel. The legend is the file's name without folder and suffix. */
static bool add_lines(struct reading *r, struct error *e)
{
    const struct columns *t = &r->in.reader.columns;
    const char *slash = strrchr(r->name, '/'), *name = slash && slash[1] ? slash + 1 : r->name;
    const char *dot = strrchr(name, '.');
    bool good = true;
    int n = dot && dot > name ? (int)(dot - name) : (int)strlen(name);
    snprintf(r->legend, sizeof r->legend, "%.*s", n, name);
    if (strcmp(r->name, "-") == 0)
        strcpy(r->legend, "standard input");
    for (size_t i = 0; good && i < t->ncolumn; i++) {
        const struct column *c = &t->column[i];
        char number[32];
        snprintf(number, sizeof number, "column %zu", i + 1);
        if (c->role == ROLE_CHANNEL)
            good = add_line(r, c->name[0] ? c->name : number, c->value, e);
    }
    return good;
}

static bool choose_columns(struct reading *r, struct error *e)
{
    const struct filter_job_config *o = &r->d->line->job;
    struct columns *t = &r->in.reader.columns;
    struct column_choice choice = o->columns;
    choice.cut = r->number == 0 ? r->d->line->plot.cut_column : NULL;
    choice.rate = isnan(o->series.rate) ? 0 : o->series.rate;
    if (!columns_select(t, &choice, e))
        return false;
    double rate = t->time != COLUMN_NONE ? 0 : choice.rate > 0 ? choice.rate : t->rate;
    if (t->time == COLUMN_NONE && rate == 0)
        return columns_untimed(t, e);
    columns_note_counters(t, r->d->messages, r->name);
    for (size_t i = 0; i < t->ncue && r->number == 0; i++)
        plot_mark(&r->d->plot, t->cue[i]);
    r->rows = (struct plot_series){
        .plot = &r->d->plot, .line = r->d->plot.nline, .columns = t, .rate = rate
    };
    return (!r->in.reader.format->bind || r->in.reader.format->bind(&r->in.reader, e)) && add_lines(r, e);
}

static bool read_file(struct drawing *d, const char *name, unsigned number, struct error *e)
{
    struct reading r = { .d = d, .name = name, .number = number };
    bool good = input_open(&r.in, name, d->line->plot.from, &d->line->job.input, e) && choose_columns(&r, e);
    enum loaded loaded = LOAD_ROWS;
    while (good && loaded == LOAD_ROWS) {
        loaded = input_load(&r.in, &r.block, e);
        good = loaded != LOAD_ERROR;
        for (size_t i = 0; loaded == LOAD_ROWS && i < r.block.nrow; i++)
            plot_series_row(&r.rows, &r.block, i);
    }
    block_free(&r.block);
    input_close(&r.in);
    return good;
}

/* Reads all files and draws them. */
static bool draw(struct drawing *d, struct error *e)
{
    struct command_line *line = d->line;
    const char *output = line->plot.output ? line->plot.output : "-";
    d->plot.across = (size_t)line->plot.across;
    if (!plot_check(output, "--output", e))
        return false;
    for (size_t i = 0; i < line->operands.ntext; i++) {
        const char *name = line->operands.text[i];
        line->file = strcmp(name, "-") ? name : "(standard input)";
        if (!read_file(d, name, (unsigned)i, e))
            return false;
    }
    line->file = NULL;
    d->plot.title = line->plot.title;
    d->plot.x = "time (s)";
    d->plot.unit = line->plot.unit;
    if (d->nleft) {
        char more[64] = "";
        if (d->nleft > 1)
            snprintf(more, sizeof more, " and %zu more", d->nleft - 1);
        messages_add(
            d->messages, NULL,
            "the picture holds %zu channels, \"%s\"%s not among them: --columns chooses, --across holds more",
            d->plot.npanel, d->left, more);
    }
    if (d->plot.nmark == PLOT_MARKS)
        messages_add(d->messages, NULL, "a picture holds %d cuts: later ones are not marked", PLOT_MARKS);
    return plot_draw(&d->plot, output, e);
}

static bool check(const struct command_line *line, struct error *e)
{
    const struct texts *files = &line->operands;
    size_t standard = 0;
    for (size_t i = 0; i < files->ntext; i++)
        standard += strcmp(files->text[i], "-") == 0;
    if (files->ntext == 0)
        return error_usage(e, "plot needs a file to draw; - is standard input");
    if (files->ntext > MAXFILE)
        return error_usage(e, "%zu files, and a picture holds %d", files->ntext, MAXFILE);
    for (size_t i = 0; i < files->ntext && line->plot.output; i++)
        if (plot_is(line->plot.output, files->text[i]))
            return error_usage(e, "the picture would replace %s", files->text[i]);
    if (standard > 1)
        return error_usage(e, "only one of the files can be standard input");
    return format_check(&line->job.input, e);
}

static bool run(struct command_line *line, struct messages *messages, struct error *e)
{
    struct drawing d = { .line = line, .messages = messages };
    bool good = check(line, e) && draw(&d, e);
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
