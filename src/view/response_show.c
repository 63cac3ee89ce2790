/* How a response is shown: as a table, a picture, or a summary. See response.h. */
#include "view/response.h"

#include "base/json_out.h"
#include "base/text.h"
#include "io/tempfile.h"
#include "series/output_columns.h"
#include "view/plot.h"
#include <complex.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { MAXCOLUMN = 2 + FILTER_MAXOUT, BODE_PER_DECADE = 50 };

/* A table that is written to standard output or drawn. */
struct table {
    struct response_request *q;
    char name[MAXCOLUMN][64];
    size_t ncolumn;
    struct text text;
    struct plot plot;
    struct envelope *envelope[MAXCOLUMN]; /* NULL: not drawn */
    double most[MAXCOLUMN];               /* largest magnitude that is drawn */
    uint64_t nrow;
};

/* --- rows --- */

/* Writes the text once it has least bytes. */
static bool flush(struct table *t, size_t least, struct error *e)
{
    bool good = !t->text.failed || error_memory(e);
    if (good && t->text.n >= least)
        good = tempfile_put(STDOUT_FILENO, t->text.bytes, t->text.n, e), t->text.n = 0;
    return good;
}

static void put_names(struct table *t)
{
    for (size_t i = 0; i < t->ncolumn; i++)
        text_put(&t->text, "%s%s", t->name[i], i + 1 < t->ncolumn ? "," : "\n");
}

/* A row of numbers; those that are not finite are left empty. */
static void put_numbers(struct table *t, const double *x)
{
    bool json = t->q->o.to == RESPONSE_JSON;
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
}

static bool begin(struct table *t, struct error *e)
{
    if (!t->q->o.plot && t->q->o.to != RESPONSE_JSON)
        put_names(t);
    return flush(t, 1, e);
}

static bool add_row(struct table *t, const double *x, struct error *e)
{
    for (size_t i = 0; i < t->ncolumn; i++)
        if (t->envelope[i])
            envelope_add(t->envelope[i], x[0], fabs(x[i]) <= t->most[i] ? x[i] : (double)NAN);
    if (!t->q->o.plot)
        put_numbers(t, x);
    return flush(t, 1 << 16, e);
}

static bool end(struct table *t, struct error *e)
{
    if (t->q->o.plot)
        return plot_draw(&t->plot, t->q->o.plot, e);
    if (t->q->o.to == RESPONSE_JSON)
        text_put(&t->text, "]\n");
    return flush(t, 1, e);
}

/* Draws a column in a new panel or, if panel is NULL, in the last one. */
static bool draw_column(struct table *t, size_t column, const char *panel, unsigned color, struct error *e)
{
    if (panel)
        plot_add_panel(&t->plot, panel, NULL);
    t->most[column] = INFINITY;
    t->envelope[column] = plot_add_line(&t->plot.panel[t->plot.npanel - 1], t->name[column], color, e);
    return t->envelope[column] != NULL;
}

/* --- tones --- */

static bool show_tones(struct table *t, struct error *e)
{
    struct response_request *q = t->q;
    struct frequency_response f;
    double turns = 0, before = 0, steps = ceil(BODE_PER_DECADE * log10(q->high / q->low) - 1e-9);
    strcpy(t->name[0], "frequency");
    strcpy(t->name[1], "gain_db");
    strcpy(t->name[2], "phase_deg");
    t->ncolumn = 3;
    t->plot.x = "frequency (Hz)";
    t->plot.log_x = true;
    bool good = begin(t, e);
    if (good && q->o.plot)
        good = draw_column(t, 1, "gain (dB)", PLOT_BLUE, e) &&
               draw_column(t, 2, "phase (degrees)", PLOT_BLUE + 1, e);
    frequency_response_make(&f, &q->response, q->bode_rate);
    for (double i = 0; good && i <= steps; i++) {
        double hz = i == 0       ? q->low
                    : i == steps ? q->high
                                 : number_round(q->low * pow(q->high / q->low, i / steps), 6);
        double _Complex gain = frequency_response_at(&f, hz);
        double phase = carg(gain) * 180 / M_PI + 360 * turns;
        if (i > 0 && fabs(phase - before) > 180) {
            turns += phase > before ? -1 : 1;
            phase += phase > before ? -360 : 360;
        }
        before = phase;
        good = add_row(t, (double[]){ hz, 20 * log10(cabs(gain)), phase }, e);
    }
    return good && end(t, e);
}

/* --- curves --- */

/* Derivatives answer a jump of the input with first rows as high as the rate: values far above all later ones
 * are not drawn, so that these can be seen. */
static void limit_derivatives(struct table *t, double rows)
{
    struct response *r = &t->q->response;
    double most[FILTER_MAXOUT] = { 0 };
    response_start(r, t->q->rate);
    for (double n = 1; n <= rows; n++) {
        response_row(r, response_goal(t->q->input, r->rate, n));
        for (size_t o = 1; o < r->shape.nout && n > 2; o++)
            most[o] = fmax(most[o], fabs(r->out[o]));
    }
    for (size_t o = 1; o < r->shape.nout && rows > 20; o++)
        t->most[2 + o] = 3 * most[o];
}

/* Panels: input and output together, then each derivative. */
static bool draw_columns(struct table *t, double rows, struct error *e)
{
    static const char *const panels[] = { "response to a step", "response to an impulse",
                                          "response to a ramp" };
    /* An impulse is as high as the rate: beside it the output would look flat. */
    bool impulse = t->q->input == RESPONSE_IMPULSE;
    const char *panel = panels[t->q->input];
    t->plot.x = "time (s)";
    bool good = (impulse || draw_column(t, 1, panel, PLOT_GREY, e)) &&
                draw_column(t, 2, impulse ? panel : NULL, PLOT_BLUE, e);
    for (size_t i = 3; good && i < t->ncolumn; i++)
        good = draw_column(t, i, t->name[i], PLOT_BLUE, e);
    limit_derivatives(t, rows);
    return good;
}

static bool check_row(const struct table *t, const double *row, struct error *e)
{
    for (size_t i = 0; i < t->ncolumn; i++)
        if (!isfinite(row[i])) {
            error_data(e, "the response grows without end at %g rows per second", t->q->rate);
            return error_hint(e, "the filter is unstable with steps of this length: give a higher --rate");
        }
    return true;
}

static bool show_curve(struct table *t, struct error *e)
{
    struct response_request *q = t->q;
    struct response *r = &q->response;
    double rows = floor(q->duration * q->rate * (1 + 1e-12));
    strcpy(t->name[0], "time");
    strcpy(t->name[1], "input");
    for (size_t o = 0; o < r->shape.nout; o++)
        snprintf(t->name[2 + o], sizeof t->name[0], "output%s",
                 output_columns_output(r->filter, r->settings, o).suffix);
    t->ncolumn = 2 + r->shape.nout;
    bool good = begin(t, e) && (!q->o.plot || draw_columns(t, rows, e));
    response_start(r, q->rate);
    for (double n = 0; good && n <= rows; n++) {
        double row[MAXCOLUMN] = { n / q->rate, response_goal(q->input, q->rate, n) };
        if (n > 0)
            response_row(r, row[1]);
        memcpy(row + 2, r->out, sizeof r->out);
        good = check_row(t, row, e) && add_row(t, row, e);
    }
    return good && end(t, e);
}

bool response_show(struct response_request *q, struct error *e)
{
    struct table t = { .q = q };
    bool good = q->o.bode ? show_tones(&t, e) : show_curve(&t, e);
    plot_free(&t.plot);
    free(t.text.bytes);
    return good;
}

/* --- summary --- */

enum { NLINE = 5 };

static const struct line {
    const char *name, *key, *unit, *note;
    double factor; /* of the text */
} lines[NLINE] = {
    { "lag", "lag", "s", " behind constant-velocity motion", 1 },
    { "rise time", "rise_time", "s", " from 10 to 90 %", 1 },
    { "overshoot", "overshoot", "%", "", 100 },
    { "settling time", "settling_time", "s", " until within 2 %", 1 },
    { "-3 dB frequency", "frequency_3db", "Hz", "", 1 },
};

bool response_show_summary(struct response_request *q, struct error *e)
{
    struct response_summary s = response_summarise(&q->response, q->fine, q->fine != q->rate);
    const double x[NLINE] = { s.lag, s.rise, s.overshoot, s.settling, s.frequency };
    struct table t = { .q = q, .ncolumn = NLINE };
    for (size_t i = 0; i < NLINE; i++)
        strcpy(t.name[i], lines[i].key);
    if (q->o.to == RESPONSE_JSON) {
        struct json_out r;
        json_out_open(&r);
        json_out_text(&r, r.root, "filter", q->response.filter->name);
        json_out_number(&r, r.root, "rate", q->o.rate);
        for (size_t i = 0; i < NLINE; i++)
            json_out_number(&r, r.root, lines[i].key, x[i]);
        char *json = json_out_take(&r, false);
        text_put(&t.text, "%s", json ? json : "");
        t.text.failed |= !json;
        free(json);
    } else if (q->o.to == RESPONSE_CSV) {
        put_names(&t);
        put_numbers(&t, x);
    } else {
        for (size_t i = 0; i < NLINE; i++) {
            text_put(&t.text, "%-17s", lines[i].name);
            if (isfinite(x[i]))
                text_number(&t.text, x[i] * lines[i].factor,
                            &(struct number_format){ NUMBER_PRECISION, 6, '.' });
            text_put(&t.text, isfinite(x[i]) ? " %s%s\n" : "none%.0s%.0s\n", lines[i].unit, lines[i].note);
        }
    }
    bool good = flush(&t, 1, e);
    free(t.text.bytes);
    return good;
}
