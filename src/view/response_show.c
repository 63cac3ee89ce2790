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

enum { MAXCOLUMN = 2 + RESPONSE_MOST * FILTER_MAXOUT, BODE_PER_DECADE = 50 };

/* A table that is written to standard output or drawn. */
struct table {
    struct response_request *q;
    char name[MAXCOLUMN][64];
    size_t ncolumn;
    struct text text;
    struct plot plot;
    struct envelope *envelope[MAXCOLUMN];         /* NULL: not drawn */
    double most[MAXCOLUMN];                       /* largest magnitude that is drawn */
    struct response_passes passes[RESPONSE_MOST]; /* of --zero-phase */
    uint64_t nrow;
};

/* Appends a column; of several settings its name ends in the value, as in output@0.05. */
static void name_column(struct table *t, size_t k, const char *name, const char *suffix)
{
    char *to = t->name[t->ncolumn++], number[NUMBER_MAX];
    const struct option_list *list = &t->q->o.list;
    int n = list->param ? (int)number_print(number, list->values.value[k], &number_shortest) : 0;
    snprintf(to, sizeof t->name[0], "%s%s%s%.*s", name, suffix, n ? "@" : "", n, number);
}

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

/* Draws n columns, from first on and each further, in a new panel or, if panel is NULL, in the last one. */
static bool draw_columns(struct table *t, size_t first, size_t each, size_t n, const char *panel,
                         unsigned color, struct error *e)
{
    const struct option_list *list = &t->q->o.list;
    char name[64];
    if (panel && !plot_add_panel(&t->plot, panel, e))
        return false;
    for (size_t k = 0; k < n; k++) {
        size_t i = first + k * each;
        memcpy(name, t->name[i], sizeof name);
        if (list->param && color != PLOT_GREY)
            snprintf(name, sizeof name, "  %.6g", list->values.value[k]);
        t->most[i] = INFINITY;
        t->envelope[i] = plot_add_line(&t->plot.panel[t->plot.npanel - 1], name, color + (unsigned)k, e);
        if (!t->envelope[i])
            return false;
    }
    return true;
}

/* --- tones --- */

/* Gain in decibels and phase in degrees at hz, after the row before. */
static void tone_at(const struct response *r, const struct frequency_response *f, double hz, double *row,
                    bool first)
{
    double _Complex gain = frequency_response_at(f, hz);
    double phase = carg(gain) * 180 / M_PI;
    row[0] = 20 * log10(cabs(gain)) * (r->both ? 2 : 1);
    row[1] = r->both ? 0 : first ? phase : phase - 360 * round((phase - row[1]) / 360);
}

static bool show_tones(struct table *t, struct error *e)
{
    struct response_request *q = t->q;
    struct frequency_response f[RESPONSE_MOST];
    double row[MAXCOLUMN], steps = ceil(BODE_PER_DECADE * log10(q->high / q->low) - 1e-9);
    strcpy(t->name[t->ncolumn++], "frequency");
    for (size_t k = 0; k < q->n; k++) {
        frequency_response_make(&f[k], &q->response[k], q->bode_rate);
        name_column(t, k, "gain_db", "");
        name_column(t, k, "phase_deg", "");
    }
    t->plot.x = "frequency (Hz)";
    t->plot.log_x = true;
    bool good = begin(t, e);
    if (good && q->o.plot)
        good = draw_columns(t, 1, 2, q->n, "gain (dB)", PLOT_BLUE, e) &&
               draw_columns(t, 2, 2, q->n, "phase (degrees)", PLOT_BLUE + (q->n == 1), e);
    for (double i = 0; good && i <= steps; i++) {
        row[0] = i == 0       ? q->low
                 : i == steps ? q->high
                              : number_round(q->low * pow(q->high / q->low, i / steps), 6);
        for (size_t k = 0; k < q->n; k++)
            tone_at(&q->response[k], &f[k], row[0], row + 1 + 2 * k, i == 0);
        good = add_row(t, row, e);
    }
    return good && end(t, e);
}

/* --- curves --- */

/* Row n of all columns; after row n - 1. */
static void make_row(struct table *t, double n, double *row)
{
    struct response_request *q = t->q;
    double goal = response_goal(q->input, q->rate, n);
    *row++ = n / q->rate;
    *row++ = goal;
    for (size_t k = 0; k < q->n; k++) {
        struct response *r = &q->response[k];
        const struct response_passes *p = &t->passes[k];
        if (n == 0 && !r->both)
            response_start(r, q->rate);
        else if (!r->both)
            response_row(r, goal);
        for (size_t o = 0; o < r->shape.nout; o++)
            *row++ = r->both ? p->out[o][(ptrdiff_t)p->zero + (ptrdiff_t)n] : r->out[o];
    }
}

/* Derivatives answer a jump of the input with first rows as high as the rate: values far above all later ones
 * are not drawn, so that these can be seen. */
static void limit_derivatives(struct table *t, double first, double last)
{
    double row[MAXCOLUMN], most[MAXCOLUMN] = { 0 };
    size_t nout = t->q->response[0].shape.nout;
    for (double n = first; n <= last; n++) {
        make_row(t, n, row);
        for (size_t i = 2; i < t->ncolumn && (n < 0 || n > 2); i++)
            most[i] = fmax(most[i], fabs(row[i]));
    }
    for (size_t i = 2; i < t->ncolumn && last > 20; i++)
        if ((i - 2) % nout > 0)
            t->most[i] = 3 * most[i];
}

/* Panels: input and output together, then each derivative. */
static bool draw_panels(struct table *t, double first, double last, struct error *e)
{
    static const char *const panels[] = { "response to a step", "response to an impulse",
                                          "response to a ramp" };
    /* An impulse is as high as the rate: beside it the output would look flat. */
    bool impulse = t->q->input == RESPONSE_IMPULSE;
    const char *panel = panels[t->q->input];
    size_t nout = t->q->response[0].shape.nout;
    t->plot.x = "time (s)";
    bool good = (impulse || draw_columns(t, 1, 0, 1, panel, PLOT_GREY, e)) &&
                draw_columns(t, 2, nout, t->q->n, impulse ? panel : NULL, PLOT_BLUE, e);
    for (size_t o = 1; good && o < nout; o++)
        good = draw_columns(t, 2 + o, nout, t->q->n, o == 1 ? "output_vel" : "output_acc", PLOT_BLUE, e);
    limit_derivatives(t, first, last);
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
    double last = floor(q->duration * q->rate * (1 + 1e-12)), first = q->o.zero_phase ? -last : 0;
    strcpy(t->name[t->ncolumn++], "time");
    strcpy(t->name[t->ncolumn++], "input");
    for (size_t k = 0; k < q->n; k++) {
        struct response *r = &q->response[k];
        for (size_t o = 0; o < r->shape.nout; o++)
            name_column(t, k, "output", output_columns_output(r->filter, r->settings, o).suffix);
        if (r->both && !response_pass_twice(r, q->input, q->rate, (size_t)last, true, &t->passes[k], e))
            return false;
    }
    bool good = begin(t, e) && (!q->o.plot || draw_panels(t, first, last, e));
    for (double n = first; good && n <= last; n++) {
        double row[MAXCOLUMN];
        make_row(t, n, row);
        good = check_row(t, row, e) && add_row(t, row, e);
    }
    return good && end(t, e);
}

bool response_show(struct response_request *q, struct error *e)
{
    struct table t = { .q = q };
    char title[100];
    if (q->o.list.param) {
        snprintf(title, sizeof title, "%s: %s", q->response[0].filter->name, q->o.list.param->name);
        t.plot.title = title;
    }
    bool good = q->o.bode ? show_tones(&t, e) : show_curve(&t, e);
    for (size_t k = 0; k < q->n; k++)
        free(t.passes[k].out[0]);
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

static void put_object(struct table *t, const double *x)
{
    struct json_out r;
    json_out_open(&r);
    json_out_text(&r, r.root, "filter", t->q->response[0].filter->name);
    json_out_number(&r, r.root, "rate", t->q->o.rate);
    for (size_t i = 0; i < NLINE; i++)
        json_out_number(&r, r.root, lines[i].key, x[i]);
    char *json = json_out_take(&r, false);
    text_put(&t->text, "%s", json ? json : "");
    t->text.failed |= !json;
    free(json);
}

static void put_lines(struct table *t, const double *x)
{
    for (size_t i = 0; i < NLINE; i++) {
        text_put(&t->text, "%-17s", lines[i].name);
        if (isfinite(x[i]))
            text_number(&t->text, x[i] * lines[i].factor,
                        &(struct number_format){ NUMBER_PRECISION, 6, '.' });
        text_put(&t->text, isfinite(x[i]) ? " %s%s\n" : "none%.0s%.0s\n", lines[i].unit, lines[i].note);
    }
}

/* A line for one of several settings, whose value is x[0]; the first one below a head. */
static void put_line(struct table *t, const double *x)
{
    if (t->nrow++ == 0) {
        text_put(&t->text, "%17s   ", t->name[0]);
        for (const struct line *l = lines; l < lines + NLINE; l++)
            text_put(&t->text, "  %s (%s)", l->name, l->unit);
        text_put(&t->text, "\n");
    }
    text_put(&t->text, "%17.6g   ", x[0]);
    for (size_t i = 0; i < NLINE; i++) {
        int width = (int)(strlen(lines[i].name) + strlen(lines[i].unit)) + 5;
        double shown = x[1 + i] * lines[i].factor;
        if (isfinite(shown))
            text_put(&t->text, "%*.6g", width, shown);
        else
            text_put(&t->text, "%*s", width, "none");
    }
    text_put(&t->text, "\n");
}

bool response_show_summary(struct response_request *q, struct error *e)
{
    struct table t = { .q = q };
    struct response_summary s;
    bool listed = q->o.list.param, text = q->o.to == RESPONSE_TEXT, good = true;
    if (listed)
        strcpy(t.name[t.ncolumn++], q->o.list.param->name);
    for (size_t i = 0; i < NLINE; i++)
        strcpy(t.name[t.ncolumn++], lines[i].key);
    if (q->o.to == RESPONSE_CSV)
        put_names(&t);
    for (size_t k = 0; k < q->n && (good = response_summarise(&q->response[k], &s, e)); k++) {
        double value = listed ? q->o.list.values.value[k] : 0;
        const double x[] = { value, s.lag, s.rise, s.overshoot, s.settling, s.frequency };
        if (text)
            (listed ? put_line : put_lines)(&t, x + !listed);
        else if (listed || q->o.to == RESPONSE_CSV)
            put_numbers(&t, x + !listed);
        else
            put_object(&t, x + 1);
    }
    if (listed && q->o.to == RESPONSE_JSON)
        text_put(&t.text, "]\n");
    good = good && flush(&t, 1, e);
    free(t.text.bytes);
    return good;
}
