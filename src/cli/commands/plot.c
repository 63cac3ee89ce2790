/* sprung plot [OPTION]... FILE...: series as a picture, or in the terminal. */
#include "cli/command.h"

#include "base/array.h"
#include "base/name_table.h"
#include "base/text.h"
#include "view/plot.h"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

enum { MAXFILE = 8 };

struct drawing {
    struct command_line *line;
    struct plot plot;
    char **left; /* [nleft] names of the channels that got no panel, each once; owned */
    size_t nleft, maxleft;
    struct name_table is_left; /* finds the names */

    const char *name;        /* name of the present file */
    unsigned number;         /* number of the present file, from 0 */
    char legend[PLOT_NAME];  /* name of the present file in the legend */
    struct input in;         /* the present file, open */
    struct plot_series rows; /* lines of the present file */
};

/* Notes the name of a channel without a panel, once for all files. */
static bool leave_out(struct drawing *drawing, const char *name, struct error *e)
{
    const size_t n = drawing->nleft;
    if (name_table_find(&drawing->is_left, name_key(name, strlen(name))) != NAME_TABLE_NONE)
        return true;
    if (!array_reserve(&drawing->left, n + 1, &drawing->maxleft, sizeof *drawing->left, e))
        return false;
    char *own = drawing->left[n] = strdup(name);
    if (!own)
        return error_memory(e);
    drawing->nleft++;
    return name_table_put(&drawing->is_left, name_key(own, strlen(own)), n, e);
}

/* Adds a line to the panel with the name; makes the panel if it does not exist and there is room. value: the
 * channel's column of numbers in a block. */
static bool add_line(struct drawing *drawing, const char *name, size_t value, struct error *e)
{
    struct plot *plot = &drawing->plot;
    size_t panel = 0;
    while (panel < plot->npanel && strcmp(plot->panel[panel], name) != 0)
        panel++;
    if (panel == PLOT_DOWN * plot->across)
        return leave_out(drawing, name, e);
    if (panel == plot->npanel && !plot_add_panel(plot, name, e))
        return false;
    /* The first of several files is grey; a single file is blue. */
    unsigned color = drawing->line->operands.ntext == 1 ? PLOT_BLUE : drawing->number;
    struct plot_line *line = plot_add_line(plot, panel, drawing->legend, color, e);
    if (line)
        line->column = value;
    return line;
}

/* The part of a file's name behind the last slash, and the number of bytes before its suffix. */
static const char *base_of(const char *name, size_t *stem)
{
    const char *slash = strrchr(name, '/'), *base = slash && slash[1] ? slash + 1 : name;
    const char *dot = strrchr(base, '.');
    *stem = dot && dot > base ? (size_t)(dot - base) : strlen(base);
    return base;
}

/* Makes the legend of the file: its name without folder and suffix. If another file has the same legend, it
 * is the part of the path that differs; with the suffix if the rest is the same. */
static void make_legend(struct drawing *drawing)
{
    size_t stem, others_stem, shared = strlen(drawing->name);
    const char *name = drawing->name, *base = base_of(name, &stem);
    bool alike = false, same_path = false;
    for (size_t i = 0; i < drawing->line->operands.ntext; i++) {
        const char *other = drawing->line->operands.text[i], *others = base_of(other, &others_stem);
        if (i == drawing->number || stem != others_stem || strncmp(base, others, stem) != 0)
            continue;
        size_t n = 0, folder = 0; /* equal bytes, and of equal folders */
        for (; name[n] && name[n] == other[n]; n++)
            folder = name[n] == '/' ? n + 1 : folder;
        alike = true;
        shared = folder < shared ? folder : shared;
        same_path = same_path || n >= (size_t)(base - name) + stem;
    }
    if (strcmp(name, "-") == 0)
        strcpy(drawing->legend, "standard input");
    else if (alike)
        snprintf(drawing->legend, sizeof drawing->legend, "%.*s%s",
                 (int)(base + stem - name - (ptrdiff_t)shared), name + shared, same_path ? base + stem : "");
    else
        snprintf(drawing->legend, sizeof drawing->legend, "%.*s", (int)stem, base);
}

/* Makes the legend of the file and adds a line for every channel. */
static bool add_lines(struct drawing *drawing, struct error *e)
{
    const struct column_plan *plan = drawing->in.reader.plan;
    bool good = true;
    make_legend(drawing);
    for (size_t c = 0; good && c < plan->nchannel; c++) {
        const char *name = plan_channel(plan, c)->name;
        char number[32];
        snprintf(number, sizeof number, "column %zu", plan->channel[c] + 1);
        good = add_line(drawing, name[0] ? name : number, c, e);
    }
    return good;
}

static bool choose_columns(struct drawing *drawing, struct error *e)
{
    const struct filter_job_config *config = &drawing->line->job;
    struct reader *reader = &drawing->in.reader;
    const struct columns *columns = &reader->columns;
    const struct column_plan *plan = &drawing->in.plan;
    struct column_choice choice = config->columns;
    choice.drawing = true;
    choice.cut = drawing->number == 0 ? drawing->line->plot.cut_column : NULL;
    if (!reader_plan(reader, &drawing->in.plan, &choice, e) || !reader_bind(reader, e))
        return false;
    if (plan->time == COLUMN_NONE && plan->row_rate == 0)
        return columns_untimed(columns, e);
    plan_note(plan, &choice, drawing->line->messages, drawing->name);
    for (size_t i = 0; i < columns->ncue && drawing->number == 0; i++)
        plot_mark(&drawing->plot, columns->cue[i] / plan->rate);
    drawing->rows = (struct plot_series){
        .plot = &drawing->plot, .line = drawing->plot.nline, .plan = plan, .rate = plan->row_rate
    };
    return add_lines(drawing, e);
}

static bool read_file(struct drawing *drawing, struct error *e)
{
    struct block block = { 0 };
    enum loaded loaded = LOAD_ERROR;
    drawing->in = (struct input){ 0 };
    struct filter_job_config *config = &drawing->line->job;
    config->input.needs_cues = true; /* cues are drawn */
    config->input.seeks_time = column_choice_seeks_time(&config->columns);
    if (input_open(&drawing->in, drawing->name, &config->input, e) && choose_columns(drawing, e))
        while ((loaded = input_load(&drawing->in, &block, e)) == LOAD_ROWS)
            for (size_t i = 0; i < block.nrow; i++)
                plot_series_row(&drawing->rows, &block, i);
    block_free(&block);
    input_close(&drawing->in);
    return loaded == LOAD_END;
}

static void say_left(const struct drawing *drawing)
{
    const size_t n = drawing->nleft;
    const long across = drawing->line->plot.across;
    char first[128], wider[40] = "";
    if (n == 0)
        return;
    error_escape(drawing->left[0], strlen(drawing->left[0]), first, sizeof first);
    if (across < PLOT_ACROSS)
        snprintf(wider, sizeof wider, ", or add --across %ld", across + 1);
    messages_add(drawing->line->messages, NULL,
                 "the picture shows %zu channels; %zu %s left out, first \"%s\" (choose with --columns%s)",
                 drawing->plot.npanel, n, n == 1 ? "is" : "are", first, wider);
}

static bool draw_files(struct drawing *drawing, struct error *e)
{
    struct command_line *line = drawing->line;
    const char *output = line->plot.output ? line->plot.output : "-";
    drawing->plot.across = (size_t)line->plot.across;
    if (!plot_check(output, "--output", e))
        return false;
    for (; drawing->number < line->operands.ntext; drawing->number++) {
        drawing->name = line->operands.text[drawing->number];
        line->file = source_shown(drawing->name);
        if (!read_file(drawing, e))
            return false;
    }
    line->file = NULL;
    drawing->plot.title = line->plot.title;
    drawing->plot.x = "time (s)";
    drawing->plot.unit = line->plot.unit;
    say_left(drawing);
    if (drawing->plot.nmark == PLOT_MARKS)
        messages_add(line->messages, NULL, "only the first %d cuts are marked", PLOT_MARKS);
    return plot_draw(&drawing->plot, output, e);
}

/* The first file of a tree that the folder `other` has at the same place, by its path there; *file is its
 * number. Owned by the caller; NULL: no such file, or out of memory. */
static char *find_pair(const struct tree *tree, const char *other, size_t *file)
{
    const size_t n = strlen(other);
    const char *slash = n > 0 && other[n - 1] == '/' ? "" : "/";
    for (*file = 0; *file < tree->nfile; ++*file) {
        struct port_status st;
        char *pair = text_format("%s%s%s", other, slash, tree->file[*file].path + tree->file[*file].below);
        if (pair && port_status_of(pair, &st) == 0 && st.kind == PORT_REGULAR)
            return pair;
        free(pair);
    }
    return NULL;
}

/* Adds a command with the two words behind it; NULL: no word. */
static void put_command(struct text *hint, const char *command, const char *first, const char *second)
{
    text_put(hint, "sprung %s ", command);
    text_word(hint, first);
    text_put(hint, "%s", second ? " " : "");
    if (second)
        text_word(hint, second);
}

/* Refuses a folder. The hint plots a file in it, or where `other` is a folder, too, a file that both have;
 * other NULL: no other folder. */
static bool refuse_folder(const char *folder, const char *other, struct error *e)
{
    struct texts none = { 0 };
    const struct tree_choice choice = { &none, format_knows, NULL };
    struct tree tree = { 0 };
    struct text hint = { 0 };
    size_t file;
    if (!tree_add_folder(&tree, folder, &choice, e)) {
        tree_free(&tree);
        return false;
    }
    error_system(e, EISDIR, "cannot read");
    char *pair = other ? find_pair(&tree, other, &file) : NULL;
    if (pair) {
        put_command(&hint, "plot", tree.file[file].path, pair);
        text_put(&hint, "; for all files: ");
    }
    if (other)
        put_command(&hint, "diff", folder, other);
    else if (tree.nfile > 0)
        put_command(&hint, "plot", tree.file[0].path, NULL);
    if (hint.n > 0 && !hint.failed)
        error_hint(e, "try %.*s", (int)hint.n, hint.bytes);
    free(hint.bytes);
    free(pair);
    tree_free(&tree);
    return false;
}

/* Refuses operands that are folders. */
static bool check_folders(struct command_line *line, struct error *e)
{
    const struct texts *files = &line->operands;
    for (size_t i = 0; i < files->ntext; i++) {
        if (!port_is_directory(files->text[i]))
            continue;
        line->file = files->text[i];
        const char *other = files->ntext == 2 && i == 0 && port_is_directory(files->text[1]) ? files->text[1]
                                                                                             : NULL;
        return refuse_folder(files->text[i], other, e);
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
    for (size_t i = 0; line->plot.output && i < line->files.n; i++)
        if (plot_is(line->plot.output, line->files.file[i].name))
            return error_usage(e, "the picture would replace %s, which this command reads",
                               line->files.file[i].name);
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
    for (size_t i = 0; i < drawing.nleft; i++)
        free(drawing.left[i]);
    free(drawing.left);
    name_table_free(&drawing.is_left);
    return good;
}

const struct command command_plot = {
    .name = "plot",
    .summary = "draws series, before against after, as a picture or in the terminal",
    .operands = "FILE...",
    .about = "Draws each channel over time in a panel of its own. Columns with the same name in several "
             "files share a panel: the first file is grey, so plot before.csv after.csv shows what changed. "
             "Missing values leave a gap, cuts are marked by dotted lines. There are up to 6 panels, or 6 "
             "times --across; a message lists the channels left out, and you can choose others with "
             "--columns. Long series are reduced to the minimum and maximum of 2000 intervals. In the "
             "terminal it draws with Braille dots; files need gnuplot.",
    .examples = "sprung plot take.csv clean.csv\n"
                "sprung plot --columns 'hip*' --across 2 -o hips.svg take.csv clean.csv",
    .tables = (const struct option_table *const[]){ &options_plot, &options_columns, &options_input,
                                                    &options_general, NULL },
    .run = run_plot,
};
