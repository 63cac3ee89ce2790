/* sprung plot [OPTION]... FILE...: series as a picture, or in the terminal. */
#include "cli/command.h"

#include "base/port.h"
#include "view/plot.h"

#include <stdio.h>

/* The panel with the name, or the number of panels. */
static size_t find_panel(const struct plot *plot, const char *name)
{
    size_t panel = 0;
    while (panel < plot->npanel && strcmp(plot->panel[panel], name) != 0)
        panel++;
    return panel;
}

/* Adds a line for every channel, in the panel of its name, and notes if some have no panel. */
static bool add_lines(struct command_line *line, struct plot *plot, const struct table *table,
                      const char *file, unsigned color, struct error *e)
{
    bool more = false;
    for (size_t c = 0; c < table->nchannel; c++) {
        char number[32];
        snprintf(number, sizeof number, "column %zu", table->channel[c] + 1);
        const char *name = table_channel(table, c)->name[0] ? table_channel(table, c)->name : number;
        const size_t panel = find_panel(plot, name);
        more = more || panel == PLOT_PANELS;
        if (panel == PLOT_PANELS)
            continue;
        if (panel == plot->npanel && !plot_add_panel(plot, name, e))
            return false;
        struct plot_line *added = plot_add_line(plot, panel, file, color, e);
        if (!added)
            return false;
        added->column = c;
    }
    if (more)
        messages_add(line->messages, file,
                     "the picture has room for %d channels: to choose them, use --columns", PLOT_PANELS);
    return true;
}

/* The time in seconds of a row of a block, row n of the file. last: the time of the row before, which becomes
 * that of this row. */
static double time_of(const struct table *table, const struct block *block, size_t row, uint64_t n,
                      struct timestamp *last)
{
    const struct timestamp before = *last;
    if (table->row_rate > 0)
        return (double)n / table->row_rate;
    *last = block->time[row];
    if (table->form == TIMESTAMP_CLOCK && n > 0)
        timestamp_pass_midnight(last, &before);
    return timestamp_between(NULL, last, table->time_unit);
}

/* Chooses the columns of the open file, and draws its rows, by the lines that are added. */
static bool draw_rows(struct command_line *line, struct plot *plot, struct input *in, const char *file,
                      unsigned color, struct error *e)
{
    struct column_choice choice = line->job.columns;
    const struct table *table = &in->reader.table;
    struct block block = { 0 };
    enum loaded loaded;
    choice.drawing = true;
    if (!table_plan(&in->reader.table, &choice, e) || !reader_bind(&in->reader, e))
        return false;
    if (table->time == COLUMN_NONE && table->row_rate == 0)
        return columns_untimed(e);
    table_note(table, line->messages, file);
    const size_t first = plot->nline;
    struct timestamp last = { 0 };
    uint64_t nrow = 0;
    if (!add_lines(line, plot, table, file, color, e))
        return false;
    while ((loaded = input_load(in, &block, e)) == LOAD_ROWS)
        for (size_t i = 0; i < block.nrow; i++) {
            const double time = time_of(table, &block, i, nrow++, &last);
            for (size_t k = first; k < plot->nline; k++)
                envelope_add(&plot->line[k]->envelope, time, block_value(&block, plot->line[k]->column)[i]);
        }
    block_free(&block);
    return loaded == LOAD_END;
}

/* The first of several files is grey; a single file is blue. */
static bool draw_file(struct command_line *line, struct plot *plot, unsigned number, struct error *e)
{
    const char *name = line->operands.text[number], *shown = source_shown(name);
    const unsigned color = line->operands.ntext == 1 ? PLOT_BLUE : number;
    struct input in = { 0 };
    const bool good = input_open(&in, name, &line->job.input, e) &&
                      draw_rows(line, plot, &in, shown, color, e);
    line->file = good ? NULL : shown;
    input_close(&in);
    return good;
}

static bool run_plot(struct command_line *line, struct error *e)
{
    const struct texts *files = &line->operands;
    char path[4096];
    struct plot plot = { .npanel = 0 };
    if (files->ntext == 0)
        return error_usage(e, "plot needs a file to draw; - is standard input");
    if (plot_draws(files->text[files->ntext - 1])) {
        error_usage(e, "the last file has the name of a picture");
        return error_hint(e, "to draw into it: -o %.200s", files->text[files->ntext - 1]);
    }
    if (files->ntext > PLOT_COLORS)
        return error_usage(e, "%zu files are too many: a picture shows at most %d", files->ntext,
                           PLOT_COLORS);
    if (!format_check(&line->job.input, e) || !plot_check(line->picture, e))
        return false;
    if (!plot_draws(line->picture) && port_file_of(PORT_STDOUT, path, sizeof path) && plot_draws(path))
        messages_add(line->messages, NULL, "warning: this is text, not a picture: instead of > use -o %s",
                     path);
    bool good = true;
    for (unsigned i = 0; good && i < files->ntext; i++)
        good = draw_file(line, &plot, i, e);
    good = good && plot_draw(&plot, line->picture, e);
    plot_free(&plot);
    return good;
}

const struct command command_plot = {
    .name = "plot",
    .usage = "[OPTION]... FILE...",
    .summary = "draws series, before against after, as a picture or in the terminal",
    .about = "Draws each channel over time in its own panel. Columns with the same name in several files "
             "share a panel: the first file is grey, so plot before.csv after.csv shows what changed. "
             "There are up to 6 panels; choose others with --columns. Without -o it draws Braille dots in "
             "the terminal; files need gnuplot.",
    .examples = "sprung plot take.csv clean.csv\n"
                "sprung plot --columns 'hip*' -o hips.svg take.csv clean.csv",
    .tables = (const struct option_table *const[]){ &options_plot, &options_columns, &options_input,
                                                    &options_general, NULL },
    .run = run_plot,
};
