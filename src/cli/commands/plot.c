/* sprung plot [OPTION]... FILE...: series as a picture, or in the terminal. */
#include "cli/command.h"

#include "view/plot.h"
#include <stdio.h>

enum { MAXFILE = 8 };

struct drawing {
    struct command_line *line;
    struct plot plot;
    size_t nleft;   /* channels for which there is no panel */
    char left[128]; /* name of the first channel without a panel, escaped */

    const char *name;        /* name of the present file */
    unsigned number;         /* number of the present file, from 0 */
    char legend[PLOT_NAME];  /* name of the present file without folder and suffix */
    struct input in;         /* the present file, open */
    struct plot_series rows; /* lines of the present file */
};

/* Adds a line to the panel with the name; makes the panel if it does not exist and there is room. value: the
 * channel's column of numbers in a block. */
static bool add_line(struct drawing *d, const char *name, size_t value, struct error *e)
{
    struct plot *p = &d->plot;
    size_t panel = 0;
    while (panel < p->npanel && strcmp(p->panel[panel], name) != 0)
        panel++;
    if (panel == PLOT_DOWN * p->across) {
        if (d->nleft++ == 0)
            error_escape(name, strlen(name), d->left, sizeof d->left);
        return true;
    }
    /* The first of several files is grey; a single file is blue. */
    unsigned color = d->line->operands.ntext == 1 ? PLOT_BLUE : d->number;
    struct plot_new_line line = { panel, name, d->legend, color, value, false };
    return plot_add_line(p, &line, e);
}

/* Makes the legend of the file and adds a line for every channel. */
static bool add_lines(struct drawing *d, struct error *e)
{
    const struct columns *t = &d->in.reader.columns;
    const char *slash = strrchr(d->name, '/'), *name = slash && slash[1] ? slash + 1 : d->name;
    const char *dot = strrchr(name, '.');
    bool good = true;
    int n = dot && dot > name ? (int)(dot - name) : (int)strlen(name);
    snprintf(d->legend, sizeof d->legend, "%.*s", n, name);
    if (strcmp(name, "-") == 0)
        strcpy(d->legend, "standard input");
    for (size_t i = 0; good && i < t->ncolumn; i++) {
        const struct column *c = &t->column[i];
        char number[32];
        snprintf(number, sizeof number, "column %zu", i + 1);
        if (c->role == ROLE_CHANNEL)
            good = add_line(d, c->name[0] ? c->name : number, c->value, e);
    }
    return good;
}

static bool choose_columns(struct drawing *d, struct error *e)
{
    const struct filter_job_config *o = &d->line->job;
    struct reader *r = &d->in.reader;
    struct columns *t = &r->columns;
    struct column_choice choice = o->columns;
    choice.derivatives = true;
    choice.cut = d->number == 0 ? d->line->plot.cut_column : NULL;
    if (!columns_select(t, &choice, e))
        return false;
    if (r->format->bind && !r->format->bind(r, e))
        return false;
    double rate = choice.rate > 0 ? choice.rate : t->rate;
    if (t->time != COLUMN_NONE)
        rate = 0;
    else if (rate == 0)
        return columns_untimed(t, e);
    columns_note(t, &choice, d->line->messages, d->name);
    for (size_t i = 0; i < t->ncue && d->number == 0; i++)
        plot_mark(&d->plot, t->cue[i] / t->rate);
    d->rows = (struct plot_series){ .plot = &d->plot, .line = d->plot.nline, .columns = t, .rate = rate };
    return add_lines(d, e);
}

static bool read_file(struct drawing *d, struct error *e)
{
    struct block block = { 0 };
    enum loaded loaded = LOAD_ERROR;
    d->in = (struct input){ 0 };
    d->line->job.input.needs_cues = true; /* cues are drawn */
    if (input_open(&d->in, d->name, &d->line->job.input, e) && choose_columns(d, e))
        while ((loaded = input_load(&d->in, &block, e)) == LOAD_ROWS)
            for (size_t i = 0; i < block.nrow; i++)
                plot_series_row(&d->rows, &block, i);
    block_free(&block);
    input_close(&d->in);
    return loaded == LOAD_END;
}

static bool draw_files(struct drawing *d, struct error *e)
{
    struct command_line *line = d->line;
    const char *output = line->plot.output ? line->plot.output : "-";
    d->plot.across = (size_t)line->plot.across;
    if (!plot_check(output, "--output", e))
        return false;
    for (; d->number < line->operands.ntext; d->number++) {
        d->name = line->operands.text[d->number];
        line->file = strcmp(d->name, "-") ? d->name : "(standard input)";
        if (!read_file(d, e))
            return false;
    }
    line->file = NULL;
    d->plot.title = line->plot.title;
    d->plot.x = "time (s)";
    d->plot.unit = line->plot.unit;
    if (d->nleft)
        messages_add(
            line->messages, NULL,
            "the picture holds %zu channels; %zu left out, the first is \"%s\": --columns chooses, --across "
            "holds more",
            d->plot.npanel, d->nleft, d->left);
    if (d->plot.nmark == PLOT_MARKS)
        messages_add(line->messages, NULL, "a picture holds %d cuts: later ones are not marked", PLOT_MARKS);
    return plot_draw(&d->plot, output, e);
}

static bool check_files(const struct command_line *line, struct error *e)
{
    const struct texts *files = &line->operands;
    size_t standard = 0;
    if (files->ntext == 0)
        return error_usage(e, "plot needs a file to draw; - is standard input");
    if (files->ntext > MAXFILE)
        return error_usage(e, "%zu files, and a picture holds %d", files->ntext, MAXFILE);
    for (size_t i = 0; i < files->ntext; i++) {
        if (line->plot.output && plot_is(line->plot.output, files->text[i]))
            return error_usage(e, "the picture would replace %s", files->text[i]);
        standard += strcmp(files->text[i], "-") == 0;
    }
    if (standard > 1)
        return error_usage(e, "only one of the files can be standard input");
    return format_check(&line->job.input, e);
}

static bool run_plot(struct command_line *line, struct error *e)
{
    struct drawing d = { .line = line };
    bool good = check_files(line, e) && draw_files(&d, e);
    plot_free(&d.plot);
    return good;
}

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
    .examples = "sprung plot take.csv clean.csv\n"
                "sprung plot --columns 'hip*' --across 2 -o hips.svg take.csv clean.csv",
    .tables = (const struct option_table *const[]){ &options_plot, &options_channels, &options_input,
                                                    &options_general, NULL },
    .run = run_plot,
};
