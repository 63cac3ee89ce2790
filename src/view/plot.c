/* Pictures: what is drawn, and where it goes. See plot.h; the script is in plot_script.c. */
#include "view/plot.h"

#include "view/gnuplot.h"
#include "io/output.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

static const char *const suffixes[] = { [PLOT_SVG] = ".svg", [PLOT_PNG] = ".png", [PLOT_PDF] = ".pdf" };

/* What a whole file has at its end. */
static const char *const ends[] = {
    [PLOT_SVG] = "</svg>", [PLOT_PNG] = "IEND", [PLOT_PDF] = "%%EOF", [PLOT_TERMINAL] = NULL
};

static bool kind_of(const char *file, enum plot_kind *kind)
{
    size_t n = strlen(file);
    *kind = PLOT_TERMINAL;
    if (strcmp(file, "-") == 0)
        return true;
    for (size_t i = 0; i < sizeof suffixes / sizeof *suffixes; i++)
        if (n > 4 && strcasecmp(file + n - 4, suffixes[i]) == 0) {
            *kind = (enum plot_kind)i;
            return true;
        }
    return false;
}

bool plot_check(const char *file, const char *option, struct error *e)
{
    enum plot_kind kind;
    if (kind_of(file, &kind))
        return gnuplot_find(e);
    error_usage(
        e, "%s: a picture is drawn into a file whose name ends in .svg, .png or .pdf, or in the terminal (-)",
        option);
    return error_excerpt(e, file, strlen(file));
}

/* --- what is drawn --- */

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

bool plot_add_panel(struct plot *p, const char *name, struct error *e)
{
    struct plot_panel *panel = p->npanel < PLOT_PANELS ? calloc(1, sizeof *panel) : NULL;
    if (panel)
        panel->name = strdup(name);
    if (!panel || !panel->name) {
        free(panel);
        return error_memory(e);
    }
    p->panel[p->npanel++] = panel;
    return true;
}

struct envelope *plot_add_line(struct plot_panel *panel, const char *name, unsigned color, struct error *e)
{
    struct plot_line *line = panel->nline < PLOT_LINES ? calloc(1, sizeof *line) : NULL;
    if (line)
        line->name = strdup(name);
    if (!line || !line->name) {
        free(line);
        error_memory(e);
        return NULL;
    }
    line->color = color;
    panel->line[panel->nline++] = line;
    return &line->curve;
}

void plot_mark(struct plot *p, double x)
{
    if (p->nmark < PLOT_MARKS)
        p->mark[p->nmark++] = x;
}

void plot_free(struct plot *p)
{
    for (size_t i = 0; i < p->npanel; i++) {
        struct plot_panel *panel = p->panel[i];
        for (size_t k = 0; k < panel->nline; k++) {
            envelope_free(&panel->line[k]->curve);
            free(panel->line[k]->name);
            free(panel->line[k]);
        }
        free(panel->name);
        free(panel);
    }
    p->npanel = 0;
}

char *plot_axis(const char *name, const char *unit, char *buf, size_t maxbuf)
{
    const char *per = strstr(name, "_acc") ? "/s\xC2\xB2" : strstr(name, "_vel") ? "/s" : "";
    if (per[0])
        snprintf(buf, maxbuf, "%s (%s%s)", name, unit ? unit : "1", per);
    else if (unit)
        snprintf(buf, maxbuf, "%s (%s)", name, unit);
    else
        snprintf(buf, maxbuf, "%s", name);
    return buf;
}

/* Says of an error which picture it kept from being drawn. */
static bool name_picture(const char *file, struct error *e)
{
    char name[200], text[sizeof e->text];
    error_escape(file, strlen(file), name, sizeof name);
    memcpy(text, e->text, sizeof text);
    snprintf(e->text, sizeof e->text, "picture %s: %.150s", name, text);
    return false;
}

bool plot_draw(const struct plot *p, const char *file, struct error *e)
{
    enum plot_kind kind;
    kind_of(file, &kind);
    char *script = plot_script(p, kind);
    struct output_want want = { .path = file, .replace = true };
    struct outfile out = { .fd = STDOUT_FILENO };
    if (!script)
        return error_memory(e);
    bool good = kind == PLOT_TERMINAL || output_open(&out, &want, e);
    good = good && gnuplot_run(script, strlen(script), ends[kind], out.fd, e);
    if (kind != PLOT_TERMINAL) {
        good = good && output_commit(&out, e);
        output_close(&out);
    }
    free(script);
    return good || kind == PLOT_TERMINAL ? good : name_picture(file, e);
}
