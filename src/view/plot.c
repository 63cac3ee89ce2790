/* Pictures: collects the points, runs gnuplot, and writes the file. See plot.h. */
#include "view/plot.h"

#include "base/array.h"
#include "base/port.h"
#include "base/style.h"
#include "io/output.h"
#include "io/tempfile.h"
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <strings.h>

static const struct plot_kind kinds[] = {
    { .suffix = "-" },
    { ".svg", "</svg>", "svg", " fixed rounded font 'Helvetica,Arial,sans-serif,16' background '#ffffff'",
      1 },
    { ".png", "IEND", "pngcairo", " rounded font 'sans,12' fontscale 2 linewidth 2 background '#ffffff'", 2 },
};

/* The kind of picture by the file name; NULL: unknown. */
static const struct plot_kind *kind_of(const char *file)
{
    size_t n = strlen(file);
    for (const struct plot_kind *kind = kinds; kind < kinds + sizeof kinds / sizeof *kinds; kind++)
        if (kind->end ? n > 4 && strcasecmp(file + n - 4, kind->suffix) == 0 : strcmp(file, "-") == 0)
            return kind;
    return NULL;
}

/* --- gnuplot runs without a shell. The descriptors 0 to 2 of gnuplot are files, so that no process waits for
 * a pipe. --- */

/* Runs a command until the command exits. fd and status are those of port_run. */
static bool run_command(char *const argv[], const int fd[3], int *status, struct error *e)
{
    int errnum = port_run(argv, fd, status);
    if (errnum != ENOENT)
        return errnum == 0 || error_system(e, errnum, "cannot run gnuplot");
    error_usage(e, "drawing a picture needs gnuplot, which is not installed");
    return error_hint(
        e, "on Debian: apt-get install gnuplot-nox; without -o the picture is drawn in the terminal");
}

/* The error that gnuplot failed. The excerpt is the last line of gnuplot's messages that is not empty: it
 * names the cause. */
static bool explain_failure(int messages, int status, struct error *e)
{
    char text[2048], *line = NULL, *rest = text;
    int64_t n = port_read_at(messages, text, sizeof text - 1, 0);
    text[n > 0 ? n : 0] = 0;
    for (char *next; (next = strtok_r(rest, "\r\n", &rest));)
        line = next[strspn(next, " \t")] ? next : line;
    if (status < 0)
        error_data(e, "gnuplot was killed by signal %d", -status);
    else
        error_data(e, "gnuplot cannot draw this");
    return line ? error_excerpt(e, line, strlen(line)) : false;
}

/* Checks that the picture is whole. end: a text in the last bytes of a whole picture. */
static bool check_end(int file, const char *end, struct error *e)
{
    char tail[64];
    int64_t size = port_seek(file, 0, SEEK_END);
    int64_t from = size > (int64_t)sizeof tail ? size - (int64_t)sizeof tail : 0;
    int64_t n = size < 0 ? -1 : port_read_at(file, tail, sizeof tail, (uint64_t)from);
    if (n < 0)
        return error_system(e, errno, "cannot read a temporary file");
    const int64_t nend = (int64_t)strlen(end);
    bool whole = false;
    for (int64_t i = 0; i + nend <= n; i++)
        whole = whole || memcmp(tail + i, end, (size_t)nend) == 0;
    if (!whole)
        return error_data(e, n ? "gnuplot wrote only part of the picture: is the disk full?"
                               : "gnuplot wrote nothing");
    return true;
}

/* Runs the script and writes gnuplot's standard output, the picture, to the descriptor out. end as in struct
 * plot_kind: gnuplot does not report a full disk, so the end of the picture is checked. */
static bool run_gnuplot(const char *script, const char *end, int out, struct error *e)
{
    char *const argv[] = { "gnuplot", "-d", "-", NULL };
    struct tempfile file[3] = { { .fd = -1 }, { .fd = -1 }, { .fd = -1 } }; /* script, picture, messages */
    int status;
    bool good = true;
    for (size_t i = 0; good && i < 3; i++)
        good = tempfile_open(&file[i], -1, e);
    file[1].out = out;
    good = good && tempfile_write(&file[0], 0, script, strlen(script), e) &&
           run_command(argv, (const int[]){ file[0].fd, file[1].fd, file[2].fd }, &status, e) &&
           (status == 0 || explain_failure(file[2].fd, status, e)) && check_end(file[1].fd, end, e) &&
           tempfile_finish(&file[1], e);
    for (size_t i = 0; i < 3; i++)
        tempfile_close(&file[i]);
    return good;
}

/* --- pictures --- */

bool plot_draws(const char *file)
{
    const struct plot_kind *kind = kind_of(file);
    return kind && kind->end;
}

bool plot_check(const char *file, struct error *e)
{
    int status;
    const struct plot_kind *kind = kind_of(file);
    if (kind)
        return !kind->end || run_command((char *const[]){ "gnuplot", "--version", NULL },
                                         (const int[]){ -1, -1, -1 }, &status, e);
    error_usage(e, "--output: the name of a picture must end in .svg or .png (- is the terminal)");
    return error_excerpt(e, file, strlen(file));
}

/* Adds the rows of `next` to a part. */
static void merge_parts(struct envelope_part *part, const struct envelope_part *next)
{
    part->gap |= next->gap;
    if (isnan(part->low) || next->low < part->low) {
        part->low = next->low;
        part->low_t = next->low_t;
    }
    if (isnan(part->high) || next->high > part->high) {
        part->high = next->high;
        part->high_t = next->high_t;
    }
}

/* When every part is full, neighbours are merged in pairs, and parts have twice as many rows from then on. */
void envelope_add(struct envelope *envelope, double time, double value)
{
    struct envelope_part row = { time, value, time, value, isnan(value) };
    if (envelope->nrow == 0)
        envelope->each = 1;
    if (envelope->nrow == envelope->each * ENVELOPE_PARTS) {
        for (size_t i = 0; i < ENVELOPE_PARTS / 2; i++) {
            envelope->part[i] = envelope->part[2 * i];
            merge_parts(&envelope->part[i], &envelope->part[2 * i + 1]);
        }
        envelope->npart = ENVELOPE_PARTS / 2;
        envelope->each *= 2;
    }
    if (envelope->nrow++ % envelope->each == 0)
        envelope->part[envelope->npart++] = row;
    else
        merge_parts(&envelope->part[envelope->npart - 1], &row);
}

bool plot_add_panel(struct plot *plot, const char *title, struct error *e)
{
    char *own = plot->panel[plot->npanel] = strdup(title);
    plot->npanel += own != NULL;
    return own || error_memory(e);
}

struct plot_line *plot_add_line(struct plot *plot, size_t panel, const char *name, unsigned color,
                                struct error *e)
{
    struct plot_line *line = NULL;
    if (!array_reserve(&plot->line, plot->nline + 1, &plot->maxline, sizeof *plot->line, e) ||
        !arrays_make(e, ARRAY(line, 1)))
        return NULL;
    snprintf(line->name, sizeof line->name, "%s", name);
    line->panel = panel;
    line->color = color;
    return plot->line[plot->nline++] = line;
}

void plot_free(struct plot *plot)
{
    for (size_t i = 0; i < plot->npanel; i++)
        free(plot->panel[i]);
    for (size_t i = 0; i < plot->nline; i++)
        free(plot->line[i]);
    free(plot->line);
}

/* Draws the picture on standard output. */
static bool draw_dots(const struct plot *plot, struct error *e)
{
    enum { USUAL = 80, LEAST = 40, MOST = 160 };
    unsigned columns = port_terminal_columns(PORT_STDOUT);
    if (columns < LEAST)
        columns = USUAL;
    size_t width = (columns < MOST ? columns : MOST) - 1;
    return tempfile_print(plot_dots(plot, width, style_is_on(PORT_STDOUT)), e);
}

bool plot_draw(const struct plot *plot, const char *file, struct error *e)
{
    const struct plot_kind *kind = kind_of(file);
    if (!kind->end)
        return draw_dots(plot, e);
    char *script = plot_script(plot, kind);
    struct outfile out = { .path = file };
    bool good = (script || error_memory(e)) && output_look(&out, e) && output_open(&out, false, e) &&
                run_gnuplot(script, kind->end, out.fd, e) && output_commit(&out, e);
    output_close(&out);
    if (!good) {
        struct error cause = *e;
        snprintf(e->text, sizeof e->text, "picture %.600s: %.400s", file, cause.text);
    }
    free(script);
    return good;
}
