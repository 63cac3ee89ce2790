/* How a response is shown. See response_show.h. */
#include "view/response_show.h"

#include "series/output_columns.h"
#include "view/plot.h"
#include "base/json_out.h"
#include "io/tempfile.h"
#include "base/text.h"
#include <complex.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum {
    MAXOUT = 14, /* columns of a row */
    BODE_PER_DECADE = 50
};

/* A table on its way out: to standard output, or into a picture. */
struct table_out {
    const struct question *q;
    char name[MAXOUT][64];
    size_t ncolumn;
    struct text text;
    struct plot plot;
    struct envelope *curve[MAXOUT]; /* by column; NULL: not drawn */
    double most[MAXOUT];         /* largest magnitude that is drawn */
    uint64_t nrow;
};

/* --- rows --- */

static bool flush(struct table_out *t, size_t least, struct error *e)
{
    bool good = !t->text.failed || error_memory(e);
    if (good && t->text.n >= least)
        good = tempfile_put(STDOUT_FILENO, t->text.bytes, t->text.n, e), t->text.n = 0;
    return good;
}

static bool draw_row(struct table_out *t, const double *x, struct error *e)
{
    for (size_t i = 0; i < t->ncolumn; i++)
        if (t->curve[i] && !envelope_add(t->curve[i], x[0], fabs(x[i]) <= t->most[i] ? x[i] : (double)NAN))
            return error_memory(e);
    return true;
}

/* One row of numbers; NaN: none. */
static bool put_row(struct table_out *t, const double *x, struct error *e)
{
    bool json = t->q->o.to == RESPONSE_JSON;
    if (t->q->o.plot)
        return draw_row(t, x, e);
    text_put(&t->text, "%s", json ? t->nrow ? ",\n{" : "[{" : "");
    for (size_t i = 0; i < t->ncolumn; i++) {
        text_put(&t->text, "%s", i ? json ? ", " : "," : "");
        if (json)
            text_put(&t->text, "\"%s\": ", t->name[i]);
        if (isfinite(x[i]))
            text_number(&t->text, x[i], &number_shortest);
        else if (json)
            text_put(&t->text, "null");
    }
    text_put(&t->text, json ? "}" : "\n");
    t->nrow++;
    return flush(t, 1 << 16, e);
}

static bool put_head(struct table_out *t, struct error *e)
{
    if (t->q->o.plot || t->q->o.to == RESPONSE_JSON)
        return true;
    for (size_t i = 0; i < t->ncolumn; i++)
        text_put(&t->text, "%s%s", i ? "," : "", t->name[i]);
    text_put(&t->text, "\n");
    return flush(t, 1, e);
}

static bool put_tail(struct table_out *t, struct error *e)
{
    if (t->q->o.plot)
        return plot_draw(&t->plot, t->q->o.plot, e);
    if (t->q->o.to == RESPONSE_JSON)
        text_put(&t->text, t->nrow ? "]\n" : "[]\n");
    return flush(t, 1, e);
}

/* A column in a panel of its own, or, with panel NULL, in the one before. */
static bool draw(struct table_out *t, size_t column, const char *panel, unsigned color, struct error *e)
{
    char axis[96];
    if (!t->q->o.plot || (panel && t->plot.npanel == PLOT_DOWN))
        return true;
    if (panel && !plot_add_panel(&t->plot, plot_axis(panel, NULL, axis, sizeof axis), e))
        return false;
    t->most[column] = INFINITY;
    t->curve[column] = plot_add_line(t->plot.panel[t->plot.npanel - 1], t->name[column], color, e);
    return t->curve[column] != NULL;
}

static bool run_tones(struct table_out *t, struct error *e)
{
    static const char *const names[] = { "frequency", "gain_db", "phase_deg" };
    const struct question *q = t->q;
    struct frequency_response tones;
    double turns = 0, before = 0, steps = ceil(BODE_PER_DECADE * log10(q->high / q->low) - 1e-9);
    for (t->ncolumn = 0; t->ncolumn < 3; t->ncolumn++)
        snprintf(t->name[t->ncolumn], sizeof t->name[0], "%s", names[t->ncolumn]);
    t->plot.x = "frequency (Hz)";
    t->plot.log_x = true;
    bool good = put_head(t, e) && draw(t, 1, "gain (dB)", 1, e) && draw(t, 2, "phase (degrees)", 2, e);
    good = frequency_response_open(&tones, q->filter, q->settings, q->bode_rate, e) && good;
    for (double i = 0; good && i <= steps; i++) {
        double f = i == 0       ? q->low
                   : i == steps ? q->high
                                : number_round(q->low * pow(q->high / q->low, i / steps), 6);
        double _Complex gain = frequency_response_at(&tones, f);
        double phase = carg(gain) * 180 / M_PI + 360 * turns;
        if (i > 0 && fabs(phase - before) > 180) {
            turns += phase > before ? -1 : 1;
            phase += phase > before ? -360 : 360;
        }
        before = phase;
        good = put_row(t, (double[]){ f, 20 * log10(cabs(gain)), phase }, e);
    }
    frequency_response_close(&tones);
    return good && put_tail(t, e);
}

/* time, input, output and what the filter adds to it. */
static void name_columns(struct table_out *t, size_t nout)
{
    snprintf(t->name[0], sizeof t->name[0], "time");
    snprintf(t->name[1], sizeof t->name[1], "input");
    for (size_t o = 0; o < nout; o++)
        snprintf(t->name[2 + o], sizeof t->name[0], "output%s",
                 output_columns_output(t->q->filter, t->q->settings, o).suffix);
    t->ncolumn = 2 + nout;
}

/* The derivatives of the first rows answer a jump of the input, and are as high as the rate: what is far
 * above all the others is not drawn, so that these can be seen. */
static void limit_derivatives(struct table_out *t, struct response *r, double rows)
{
    const struct question *q = t->q;
    double most[MAXOUT] = { 0 };
    response_rest(r);
    for (double n = 1; n <= rows; n++) {
        response_row(r, response_goal(q->input, q->rate, n));
        for (size_t i = 3; i < t->ncolumn && n > 2; i++)
            most[i] = fmax(most[i], fabs(r->out[i - 2]));
    }
    for (size_t i = 3; i < t->ncolumn; i++)
        t->most[i] = rows > 20 ? 3 * most[i] : INFINITY;
    response_rest(r);
}

/* Panels: input and output together, then each derivative. */
static bool lay_out(struct table_out *t, struct response *r, double rows, struct error *e)
{
    static const char *const panels[] = { "response to a step", "response to an impulse",
                                          "response to a ramp" };
    bool blow = t->q->input == RESPONSE_IMPULSE; /* as high as the rate: it would press the output flat */
    if (!t->q->o.plot)
        return true;
    t->plot.x = "time (s)";
    if (!draw(t, blow ? 2 : 1, panels[t->q->input], !blow ? 0 : 1, e) || (!blow && !draw(t, 2, NULL, 1, e)))
        return false;
    for (size_t i = 3; i < t->ncolumn; i++)
        if (!draw(t, i, t->name[i], 1, e))
            return false;
    limit_derivatives(t, r, rows);
    return true;
}

static bool check_row(const struct question *q, const double *row, size_t n, struct error *e)
{
    for (size_t i = 0; i < n; i++)
        if (!isfinite(row[i])) {
            error_data(e, "the response grows without end at %g rows per second", q->rate);
            return error_hint(e, "the filter is unstable with steps of this length: give a higher --rate");
        }
    return true;
}

static bool run_curve(struct table_out *t, struct error *e)
{
    const struct question *q = t->q;
    double rows = floor(q->duration * q->rate * (1 + 1e-12));
    struct response r;
    bool good = response_open(&r, q->filter, q->settings, q->rate, e);
    if (good)
        name_columns(t, r.shape.nout < MAXOUT - 2 ? r.shape.nout : MAXOUT - 2);
    good = good && put_head(t, e) && lay_out(t, &r, rows, e);
    for (double n = 0; good && n <= rows; n++) {
        double row[MAXOUT] = { n / q->rate, response_goal(q->input, q->rate, n) };
        if (n > 0)
            response_row(&r, row[1]);
        memcpy(row + 2, r.out, (t->ncolumn - 2) * sizeof *row);
        good = check_row(q, row, t->ncolumn, e) && put_row(t, row, e);
    }
    response_close(&r);
    return good && put_tail(t, e);
}

bool response_show(const struct question *q, struct error *e)
{
    struct table_out t = { .q = q };
    bool good = q->o.bode ? run_tones(&t, e) : run_curve(&t, e);
    plot_free(&t.plot);
    free(t.text.bytes);
    return good;
}

/* --- summary --- */

struct line {
    const char *name, *key, *unit, *note;
    double x, factor; /* factor: of the text */
};

static void put_line(struct text *t, const struct line *l)
{
    const struct number_format format = { NUMBER_PRECISION, 6, '.' };
    text_put(t, "%-17s", l->name);
    if (isfinite(l->x))
        text_number(t, l->x * l->factor, &format);
    text_put(t, isfinite(l->x) ? " %s%s\n" : "none%.0s%.0s\n", l->unit, l->note);
}

static char *summary_json(const struct question *q, const struct line *line, size_t nline)
{
    struct json_out r;
    json_out_open(&r);
    json_out_text(&r, r.root, "filter", q->filter->name);
    json_out_number(&r, r.root, "rate", q->o.rate);
    for (size_t i = 0; i < nline; i++)
        json_out_number(&r, r.root, line[i].key, line[i].x);
    return json_out_take(&r, false);
}

static char *summary_csv(const struct line *line, size_t nline)
{
    struct text t = { 0 };
    for (size_t i = 0; i < nline; i++)
        text_put(&t, "%s%s", line[i].key, i + 1 < nline ? "," : "\n");
    for (size_t i = 0; i < nline; i++) {
        if (isfinite(line[i].x))
            text_number(&t, line[i].x, &number_shortest);
        text_put(&t, "%s", i + 1 < nline ? "," : "\n");
    }
    return text_take(&t);
}

bool response_show_summary(const struct question *q, struct error *e)
{
    struct response_summary s;
    if (!response_summarise(q->filter, q->settings, q->fine, q->fine != q->rate, &s, e))
        return false;
    const struct line line[] = {
        { "lag", "lag", "s", " behind an even motion", s.lag, 1 },
        { "rise time", "rise_time", "s", " from 10 to 90 %", s.rise, 1 },
        { "overshoot", "overshoot", "%", "", s.overshoot, 100 },
        { "settling time", "settling_time", "s", " until within 2 %", s.settling, 1 },
        { "-3 dB frequency", "frequency_3db", "Hz", "", s.frequency, 1 },
    };
    enum { NLINE = sizeof line / sizeof *line };
    struct text t = { 0 };
    for (size_t i = 0; i < NLINE; i++)
        put_line(&t, &line[i]);
    char *lines = text_take(&t);
    char *text = q->o.to == RESPONSE_JSON  ? summary_json(q, line, NLINE)
                 : q->o.to == RESPONSE_CSV ? summary_csv(line, NLINE)
                                           : lines;
    bool good = text ? tempfile_put(STDOUT_FILENO, text, strlen(text), e) : error_memory(e);
    if (text != lines)
        free(text);
    free(lines);
    return good;
}
