/* sprung plot [OPTION]... FILE...: series as a picture, or in the terminal. */
#include "cli/command.h"

#include "base/text.h"
#include "view/plot.h"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

enum { MAXFILE = 8 };

struct drawing {
    struct command_line *line;
    struct plot plot;
    bool more; /* some channels got no panel */

    const char *name;        /* name of the present file */
    unsigned number;         /* number of the present file, from 0 */
    char legend[PLOT_NAME];  /* name of the present file in the legend */
    struct input in;         /* the present file, open */
    struct plot_series rows; /* lines of the present file */
};

/* Adds a line to the panel with the name; makes the panel if it does not exist and there is room. value: the
 * channel's column of numbers in a block. */
static bool add_line(struct drawing *drawing, const char *name, size_t value, struct error *e)
{
    struct plot *plot = &drawing->plot;
    size_t panel = 0;
    while (panel < plot->npanel && strcmp(plot->panel[panel], name) != 0)
        panel++;
    if (panel == PLOT_PANELS) {
        drawing->more = true;
        return true;
    }
    if (panel == plot->npanel && !plot_add_panel(plot, name, e))
        return false;
    /* The first of several files is grey; a single file is blue. */
    unsigned color = drawing->line->operands.ntext == 1 ? PLOT_BLUE : drawing->number;
    struct plot_line *line = plot_add_line(plot, panel, drawing->legend, color, e);
    if (line)
        line->column = value;
    return line;
}

/* The part of a file's name after the last slash, and the number of bytes before its suffix. */
static const char *base_of(const char *name, size_t *stem)
{
    const char *slash = strrchr(name, '/'), *base = slash && slash[1] ? slash + 1 : name;
    const char *dot = strrchr(base, '.');
    *stem = dot && dot > base ? (size_t)(dot - base) : strlen(base);
    return base;
}

/* Makes the legend of the file: its name without folder and suffix, or its path if another file has that
 * name. */
static void make_legend(struct drawing *drawing)
{
    size_t stem, others_stem;
    const char *base = base_of(drawing->name, &stem);
    bool alike = false;
    for (unsigned i = 0; i < drawing->line->operands.ntext; i++) {
        const char *others = base_of(drawing->line->operands.text[i], &others_stem);
        alike = alike || (i != drawing->number && stem == others_stem && strncmp(base, others, stem) == 0);
    }
    if (strcmp(drawing->name, "-") == 0)
        strcpy(drawing->legend, "standard input");
    else if (alike)
        snprintf(drawing->legend, sizeof drawing->legend, "%s", drawing->name);
    else
        snprintf(drawing->legend, sizeof drawing->legend, "%.*s", (int)stem, base);
}

/* Makes the legend of the file and adds a line for every channel. */
static bool add_lines(struct drawing *drawing, struct error *e)
{
    const struct table *table = &drawing->in.reader.table;
    bool good = true;
    make_legend(drawing);
    for (size_t c = 0; good && c < table->nchannel; c++) {
        const char *name = table_channel(table, c)->name;
        char number[32];
        snprintf(number, sizeof number, "column %zu", table->channel[c] + 1);
        good = add_line(drawing, name[0] ? name : number, c, e);
    }
    return good;
}

static bool choose_columns(struct drawing *drawing, struct error *e)
{
    const struct filter_job_config *config = &drawing->line->job;
    struct reader *reader = &drawing->in.reader;
    const struct table *table = &reader->table;
    struct column_choice choice = config->columns;
    choice.drawing = true;
    if (!table_plan(&reader->table, &choice, e) || !reader_bind(reader, e))
        return false;
    if (table->time == COLUMN_NONE && table->row_rate == 0)
        return columns_untimed(table, e);
    table_note(table, &choice, drawing->line->messages, drawing->name);
    drawing->rows = (struct plot_series){
        .plot = &drawing->plot, .line = drawing->plot.nline, .table = table, .rate = table->row_rate
    };
    return add_lines(drawing, e);
}

static bool read_file(struct drawing *drawing, struct error *e)
{
    struct block block = { 0 };
    enum loaded loaded = LOAD_ERROR;
    drawing->in = (struct input){ 0 };
    struct filter_job_config *config = &drawing->line->job;
    if (input_open(&drawing->in, drawing->name, &config->input, e) && choose_columns(drawing, e))
        while ((loaded = input_load(&drawing->in, &block, e)) == LOAD_ROWS)
            for (size_t i = 0; i < block.nrow; i++)
                plot_series_row(&drawing->rows, &block, i);
    block_free(&block);
    input_close(&drawing->in);
    return loaded == LOAD_END;
}

static bool draw_files(struct drawing *drawing, struct error *e)
{
    struct command_line *line = drawing->line;
    const char *output = line->plot.output ? line->plot.output : "-";
    if (!plot_check(output, e))
        return false;
    for (; drawing->number < line->operands.ntext; drawing->number++) {
        drawing->name = line->operands.text[drawing->number];
        line->file = source_shown(drawing->name);
        if (!read_file(drawing, e))
            return false;
    }
    line->file = NULL;
    drawing->plot.x = "time (s)";
    if (drawing->more)
        messages_add(line->messages, NULL, "the picture shows the first %d channels (choose with --columns)",
                     PLOT_PANELS);
    return plot_draw(&drawing->plot, output, e);
}

/* Refuses operands that are folders. */
static bool check_folders(struct command_line *line, struct error *e)
{
    const struct texts *files = &line->operands;
    for (size_t i = 0; i < files->ntext; i++) {
        if (!port_is_directory(files->text[i]))
            continue;
        line->file = files->text[i];
        error_usage(e, "this is a folder, and plot draws files");
        return error_hint(e, "to compare two folders: sprung diff EXPECTED ACTUAL");
    }
    return true;
}

static bool check_files(struct command_line *line, struct error *e)
{
    const struct texts *files = &line->operands;
    size_t standard = 0;
    if (files->ntext == 0)
        return error_usage(e, "plot needs a file to draw; - is standard input");
    if (files->ntext > MAXFILE)
        return error_usage(e, "%zu files are too many: a picture shows at most %d", files->ntext, MAXFILE);
    for (size_t i = 0; line->plot.output && i < line->files.ntext; i++)
        if (plot_is(line->plot.output, line->files.text[i]))
            return error_usage(e, "the picture would replace %s, which this command reads",
                               line->files.text[i]);
    for (size_t i = 0; i < files->ntext; i++) {
        if (line->plot.output && plot_is(line->plot.output, files->text[i]))
            return error_usage(e, "the picture would replace %s", files->text[i]);
        standard += strcmp(files->text[i], "-") == 0;
    }
    if (standard > 1)
        return error_usage(e, "only one of the files can be standard input");
    return format_check(&line->job.input, e) && check_folders(line, e);
}

static bool run_plot(struct command_line *line, struct error *e)
{
    struct drawing drawing = { .line = line };
    bool good = check_files(line, e) && draw_files(&drawing, e);
    plot_free(&drawing.plot);
    return good;
}

const struct command command_plot = {
    .name = "plot",
    .summary = "draws series, before against after, as a picture or in the terminal",
    .usage = "[OPTION]... FILE...",
    .about = "Draws each channel over time in its own panel. Columns with the same name in several "
             "files share a panel: the first file is grey, so plot before.csv after.csv shows what changed. "
             "Missing values leave a gap. There are up to 6 panels; choose others with --columns. Long "
             "series are reduced to the minimum and maximum of 2000 intervals. In the "
             "terminal it draws with Braille dots; files need gnuplot.",
    .examples = "sprung plot take.csv clean.csv\n"
                "sprung plot --columns 'hip*' -o hips.svg take.csv clean.csv",
    .tables = (const struct option_table *const[]){ &options_plot, &options_columns, &options_input,
                                                    &options_general, NULL },
    .run = run_plot,
};
