/* Pictures: what is drawn, and where it is written. */
#include "view/plot.h"

#include "base/array.h"
#include "base/port.h"
#include "io/output.h"
#include "io/tempfile.h"
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <strings.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static const struct plot_kind kinds[] = {
    { "-", NULL, "dumb", "", "", 1 },
    { ".svg", "</svg>", "svg", "", " fixed rounded font 'Helvetica,Arial,sans-serif,16' background '#ffffff'",
      1 },
    { ".png", "IEND", "pngcairo", "", " rounded font 'sans,12' fontscale 2 linewidth 2 background '#ffffff'",
      2 },
    { ".pdf", "%%EOF", "pdfcairo", "in", " rounded font 'sans,11' linewidth 1.2 background '#ffffff'", 0.01 },
};

/* NULL: unknown. */
static const struct plot_kind *kind_of(const char *file)
{
    size_t n = strlen(file);
    for (const struct plot_kind *kind = kinds; kind < kinds + sizeof kinds / sizeof *kinds; kind++)
        if (kind->end ? n > 4 && strcasecmp(file + n - 4, kind->suffix) == 0 : strcmp(file, "-") == 0)
            return kind;
    return NULL;
}

/* --- gnuplot runs without a shell. Its three descriptors are files, so that neither process waits for the
 * other one's pipe. --- */

/* Runs it until it exits. fd: its descriptors 0 to 2, or -1 for /dev/null; *status as by wait(). */
static bool spawn(char *const argv[], const int fd[3], int *status, struct error *e)
{
    enum { MISSING = 127 };
    pid_t child = fork();
    if (child == 0) {
        for (int to = 0; to < 3; to++)
            if (dup2(fd[to] < 0 ? open("/dev/null", O_RDWR) : fd[to], to) < 0)
                _exit(EXIT_FAILURE);
        execvp(argv[0], argv);
        _exit(MISSING);
    }
    while (child > 0 && waitpid(child, status, 0) < 0)
        if (errno != EINTR)
            child = -1;
    if (child < 0)
        return error_system(e, errno, "cannot run gnuplot, which draws the pictures");
    if (!WIFEXITED(*status) || WEXITSTATUS(*status) != MISSING)
        return true;
    error_usage(e, "gnuplot draws the pictures, and it is not installed");
    return error_hint(e, "on Debian: apt-get install gnuplot-nox");
}

/* The last line of gnuplot's messages that is not empty tells the cause: it becomes the excerpt. */
static bool explain(int messages, int status, struct error *e)
{
    char text[2048], *line = NULL, *rest = text;
    ssize_t n = pread(messages, text, sizeof text - 1, 0);
    text[n > 0 ? n : 0] = 0;
    for (char *next; (next = strtok_r(rest, "\r\n", &rest));)
        line = next[strspn(next, " \t")] ? next : line;
    if (WIFSIGNALED(status))
        error_data(e, "gnuplot was killed by signal %d", WTERMSIG(status));
    else
        error_data(e, "gnuplot cannot draw this");
    return line ? error_excerpt(e, line, strlen(line)) : false;
}

/* True if the picture is whole. */
static bool check_end(int file, const char *end, struct error *e)
{
    char tail[64];
    off_t size = lseek(file, 0, SEEK_END), from = size > (off_t)sizeof tail ? size - (off_t)sizeof tail : 0;
    ssize_t n = size < 0 ? -1 : pread(file, tail, sizeof tail, from);
    if (n < 0)
        return error_system(e, errno, "cannot read a temporary file");
    if (n == 0 || (end && !port_memmem(tail, (size_t)n, end, strlen(end))))
        return error_data(e, n ? "gnuplot has drawn a part only: is the disk full?"
                               : "gnuplot has drawn nothing");
    return true;
}

/* Writes to out what the script draws to standard output. end: what a whole picture has in its last bytes,
 * for gnuplot does not report a full disk; NULL: any bytes. */
static bool run_gnuplot(const char *script, const char *end, int out, struct error *e)
{
    char *const argv[] = { "gnuplot", "-d", "-", NULL };
    struct tempfile file[3] = { { .fd = -1 }, { .fd = -1 }, { .fd = -1 } }; /* script, picture, messages */
    int status;
    bool good = true;
    for (size_t i = 0; good && i < 3; i++)
        good = tempfile_hold(&file[i], out, e);
    good = good && tempfile_write(&file[0], 0, script, strlen(script), e) &&
           spawn(argv, (const int[]){ file[0].fd, file[1].fd, file[2].fd }, &status, e) &&
           (status == 0 || explain(file[2].fd, status, e)) && check_end(file[1].fd, end, e) &&
           tempfile_finish(&file[1], e);
    for (size_t i = 0; i < 3; i++)
        tempfile_close(&file[i]);
    return good;
}

/* --- pictures --- */

bool plot_check(const char *file, const char *option, struct error *e)
{
    int status;
    if (kind_of(file))
        return spawn((char *const[]){ "gnuplot", "--version", NULL }, (const int[]){ -1, -1, -1 }, &status,
                     e);
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
    if (c->nrow == 0)
        c->each = 1;
    if (c->nrow == c->each * ENVELOPE_PARTS) {
        for (size_t i = 0; i < ENVELOPE_PARTS / 2; i++) {
            c->part[i] = c->part[2 * i];
            merge(&c->part[i], &c->part[2 * i + 1]);
        }
        c->npart = ENVELOPE_PARTS / 2;
        c->each *= 2;
    }
    if (c->nrow++ % c->each == 0)
        c->part[c->npart++] = row;
    else
        merge(&c->part[c->npart - 1], &row);
}

struct plot_line *plot_add_line(struct plot *p, size_t panel, const char *title, const char *name,
                                unsigned color, struct error *e)
{
    struct plot_line *line = NULL;
    if (panel == p->npanel && !(p->panel[p->npanel++] = strdup(title))) {
        error_memory(e);
        return NULL;
    }
    if (!array_reserve(&p->line, p->nline + 1, &p->maxline, sizeof *p->line, e) ||
        !arrays_make(e, ARRAY(line, 1)))
        return NULL;
    snprintf(line->name, sizeof line->name, "%s", name);
    line->panel = panel;
    line->color = color;
    return p->line[p->nline++] = line;
}

void plot_mark(struct plot *p, double x)
{
    if (p->nmark < PLOT_MARKS)
        p->mark[p->nmark++] = x;
}

void plot_free(struct plot *p)
{
    for (size_t i = 0; i < p->npanel; i++)
        free(p->panel[i]);
    for (size_t i = 0; i < p->nline; i++)
        free(p->line[i]);
    free(p->line);
}

void plot_series_row(struct plot_series *s, const struct block *b, size_t row)
{
    const struct columns *t = s->columns;
    double time = s->rate > 0 ? (double)s->nrow / s->rate : 0;
    if (s->rate == 0) {
        struct timestamp before = s->last;
        s->last = b->time[row];
        if (t->form == TIMESTAMP_CLOCK && s->nrow > 0)
            timestamp_pass_midnight(&s->last, &before);
        time = timestamp_between(NULL, &s->last, t->unit);
    }
    for (struct plot_line **l = s->plot->line + s->line; l < s->plot->line + s->plot->nline; l++)
        envelope_add(&(*l)->envelope, time,
                     ((*l)->out ? block_out(b, (*l)->column) : block_value(b, (*l)->column))[row]);
    double cut = t->cut == COLUMN_NONE ? 0 : block_value(b, t->column[t->cut].value)[row];
    if (!isnan(cut) && cut != 0)
        plot_mark(s->plot, time);
    s->nrow++;
}

bool plot_draw(const struct plot *p, const char *file, struct error *e)
{
    const struct plot_kind *kind = kind_of(file);
    char *script = plot_script(p, kind);
    struct outfile out = { .path = file };
    bool good = script || error_memory(e);
    if (good && !kind->end) {
        good = run_gnuplot(script, NULL, STDOUT_FILENO, e);
    } else if (good) {
        good = output_look(&out, e) && output_open(&out, e) && run_gnuplot(script, kind->end, out.fd, e) &&
               output_commit(&out, e);
        output_close(&out);
        if (!good) {
            struct error cause = *e;
            snprintf(e->text, sizeof e->text, "picture %.600s: %.400s", file, cause.text);
        }
    }
    free(script);
    return good;
}
