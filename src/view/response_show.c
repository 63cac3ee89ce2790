/* How a response is shown: as a table, a picture, or a summary. See response.h. */
#include "view/response.h"

#include "io/tempfile.h"
#include "view/plot.h"
#include <complex.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { MAXCOLUMN = 2 + RESPONSE_MOST * FILTER_MAXOUT, BODE_PER_DECADE = 50 };
#define NO_SETTING SIZE_MAX
#define NO_PANEL   SIZE_MAX

/* A table that is written to standard output or drawn. */
struct table {
    struct response_request *q;
    struct table_column {
        char name[64];
        struct plot_line *line; /* NULL: not drawn */
        double most;            /* largest magnitude that is drawn */
    } column[MAXCOLUMN];
    size_t ncolumn;
    struct frequency_response tones[RESPONSE_MOST]; /* with --bode */
    double last;                                    /* row */
    struct text text;
    struct plot plot;
    uint64_t nrow;
};

/* Adds a column of the setting k; of several settings its name ends in the value, as in output@0.05. It is
 * drawn in that panel, which, if it is the next one, gets the name title. */
static bool add_column(struct table *t, const char *name, const char *suffix, size_t k, size_t panel,
                       const char *title, struct error *e)
{
    struct table_column *c = &t->column[t->ncolumn++];
    const struct option_list *list = &t->q->o.list;
    bool listed = list->param && k != NO_SETTING;
    char number[NUMBER_MAX + 1] = "", legend[64];
    if (listed)
        number[number_print(number, list->values.value[k], &number_shortest)] = 0;
    snprintf(c->name, sizeof c->name, "%s%s%s%.30s", name, suffix, listed ? "@" : "", number);
    c->most = INFINITY;
    if (!t->q->o.plot || panel == NO_PANEL)
        return true;
    snprintf(legend, sizeof legend, "%s", c->name);
    if (listed)
        snprintf(legend, sizeof legend, "  %.6g", list->values.value[k]);
    unsigned color = k == NO_SETTING ? PLOT_GREY : PLOT_BLUE + (unsigned)k;
    if (t->q->o.bode && t->q->n == 1)
        color += (unsigned)panel;
    c->line = plot_add_line(&t->plot, panel, title, legend, color, e);
    return c->line;
}

static bool flush(struct table *t, size_t least, struct error *e)
{
    if (t->text.failed)
        return error_memory(e);
    bool good = t->text.n < least || tempfile_put(STDOUT_FILENO, t->text.bytes, t->text.n, e);
    t->text.n = t->text.n < least ? t->text.n : 0;
    return good;
}

static void put_names(struct table *t)
{
    for (size_t i = 0; i < t->ncolumn; i++)
        text_put(&t->text, "%s%s", t->column[i].name, i + 1 < t->ncolumn ? "," : "\n");
}

/* A number, or what stands for one that is not finite. */
static void put_number(struct table *t, double x, const char *none)
{
    if (isfinite(x))
        text_number(&t->text, x, &number_shortest);
    else
        text_put(&t->text, "%s", none);
}

static void put_numbers(struct table *t, const double *x)
{
    bool json = t->q->o.to == RESPONSE_JSON;
    text_put(&t->text, "%s", json ? t->nrow ? ",\n{" : "[{" : "");
    for (size_t i = 0; i < t->ncolumn; i++) {
        text_put(&t->text, "%s", i ? json ? ", " : "," : "");
        if (json)
            text_put(&t->text, "\"%s\": ", t->column[i].name);
        put_number(t, x[i], json ? "null" : "");
    }
    text_put(&t->text, json ? "}" : "\n");
    t->nrow++;
}

static bool add_tones(struct table *t, struct error *e)
{
    struct response_request *q = t->q;
    bool good = add_column(t, "frequency", "", NO_SETTING, NO_PANEL, NULL, e);
    t->plot.x = "frequency (Hz)";
    t->plot.log_x = true;
    for (size_t k = 0; good && k < q->n; k++) {
        frequency_response_make(&t->tones[k], &q->response[k], q->bode_rate);
        good = add_column(t, "gain_db", "", k, 0, "gain (dB)", e) &&
               add_column(t, "phase_deg", "", k, 1, "phase (degrees)", e);
    }
    return good;
}

/* Row n of --bode, gain in decibels and phase in degrees; after row n - 1, which row still holds. */
static void make_tones(const struct table *t, double n, double *row)
{
    const struct response_request *q = t->q;
    row[0] = n == 0         ? q->low
             : n == t->last ? q->high
                            : number_round(q->low * pow(q->high / q->low, n / t->last), 6);
    for (size_t k = 0; k < q->n; k++) {
        bool both = q->response[k].both;
        double _Complex gain = frequency_response_at(&t->tones[k], row[0]);
        double phase = carg(gain) * 180 / M_PI, *to = row + 1 + 2 * k;
        to[0] = 20 * log10(cabs(gain)) * (both ? 2 : 1);
        to[1] = both ? 0 : n == 0 ? phase : phase - 360 * round((phase - to[1]) / 360);
    }
}

/* Row n of all columns; after row n - 1. */
static void make_row(const struct table *t, double n, double *row)
{
    struct response_request *q = t->q;
    *row++ = n / q->rate;
    *row++ = response_goal(q->input, q->rate, n);
    for (struct response *r = q->response; r < q->response + q->n; r++) {
        response_at(r, n);
        memcpy(row, r->out, r->filter->shape.nout * sizeof *row);
        row += r->filter->shape.nout;
    }
}

/* Derivatives answer a jump of the input with first rows as high as the rate: values far above all later ones
 * are not drawn, so that these can be seen. */
static void limit_derivatives(struct table *t, double first)
{
    double row[MAXCOLUMN], most[MAXCOLUMN] = { 0 };
    size_t nout = t->q->response[0].filter->shape.nout;
    for (double n = first; n <= t->last; n++) {
        make_row(t, n, row);
        for (size_t i = 2; i < t->ncolumn && (n < 0 || n > 2); i++)
            most[i] = fmax(most[i], fabs(row[i]));
    }
    for (size_t i = 2; i < t->ncolumn && t->last > 20; i++)
        if ((i - 2) % nout > 0)
            t->column[i].most = 3 * most[i];
}

/* Columns, and their panels: input and output together, then each derivative. */
static bool add_curves(struct table *t, struct error *e)
{
    static const char *const titles[] = { "response to a step", "response to an impulse",
                                          "response to a ramp" };
    struct response_request *q = t->q;
    /* An impulse is as high as the rate: beside it the output would look flat. */
    bool impulse = q->input == RESPONSE_IMPULSE;
    const char *title[] = { titles[q->input], "output_vel", "output_acc" };
    bool good = add_column(t, "time", "", NO_SETTING, NO_PANEL, NULL, e) &&
                add_column(t, "input", "", NO_SETTING, impulse ? NO_PANEL : 0, title[0], e);
    t->plot.x = "time (s)";
    for (size_t k = 0; good && k < q->n; k++) {
        struct response *r = &q->response[k];
        for (size_t o = 0; good && o < r->filter->shape.nout; o++)
            good = add_column(t, "output", filter_output(r->filter, r->settings, o).suffix, k, o, title[o],
                              e);
        good = good && response_begin(r, q->input, q->rate, (size_t)t->last, true, e);
    }
    return good;
}

static bool show_rows(struct table *t, struct error *e)
{
    const struct response_request *q = t->q;
    double row[MAXCOLUMN], first = q->o.zero_phase && !q->o.bode ? -t->last : 0;
    if (!q->o.plot && q->o.to != RESPONSE_JSON)
        put_names(t);
    if (q->o.plot && !q->o.bode)
        limit_derivatives(t, first);
    bool good = flush(t, 1, e);
    for (double n = first; good && n <= t->last; n++) {
        (q->o.bode ? make_tones : make_row)(t, n, row);
        for (size_t i = 0; i < t->ncolumn && !q->o.bode; i++)
            if (!isfinite(row[i])) {
                error_data(e, "the response grows without end at %g rows per second", q->rate);
                return error_hint(e,
                                  "the filter is unstable with steps of this length: give a higher --rate");
            }
        for (struct table_column *c = t->column; c < t->column + t->ncolumn; c++)
            if (c->line)
                envelope_add(&c->line->envelope, row[0],
                             fabs(row[c - t->column]) <= c->most ? row[c - t->column] : (double)NAN);
        if (!q->o.plot)
            put_numbers(t, row);
        good = flush(t, 1 << 16, e);
    }
    return good;
}

bool response_show(struct response_request *q, struct error *e)
{
    struct table t = { .q = q };
    char title[100];
    if (q->o.list.param) {
        snprintf(title, sizeof title, "%s: %s", q->response[0].filter->name, q->o.list.param->name);
        t.plot.title = title;
    }
    t.last = q->o.bode ? ceil(BODE_PER_DECADE * log10(q->high / q->low) - 1e-9)
                       : floor(q->duration * q->rate * (1 + 1e-12));
    bool good = (q->o.bode ? add_tones : add_curves)(&t, e) && show_rows(&t, e);
    if (good && q->o.plot)
        good = plot_draw(&t.plot, q->o.plot, e);
    if (good && !q->o.plot && q->o.to == RESPONSE_JSON)
        text_put(&t.text, "]\n");
    good = good && flush(&t, 1, e);
    plot_free(&t.plot);
    free(t.text.bytes);
    return good;
}

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
    text_put(&t->text, "{\n\t\"filter\":\t\"%s\",\n\t\"rate\":\t", t->q->response[0].filter->name);
    put_number(t, t->q->o.rate, "null");
    for (size_t i = 0; i < NLINE; i++) {
        text_put(&t->text, ",\n\t\"%s\":\t", lines[i].key);
        put_number(t, x[i], "null");
    }
    text_put(&t->text, "\n}\n");
}

static void put_lines(struct table *t, const double *x)
{
    for (size_t i = 0; i < NLINE; i++) {
        text_put(&t->text, "%-17s", lines[i].name);
        if (isfinite(x[i]))
            text_put(&t->text, "%.6g %s%s\n", x[i] * lines[i].factor, lines[i].unit, lines[i].note);
        else
            text_put(&t->text, "none\n");
    }
}

/* A line for one of several settings, whose value is x[0]; the first one below a head. */
static void put_line(struct table *t, const double *x)
{
    if (t->nrow++ == 0) {
        text_put(&t->text, "%17s   ", t->column[0].name);
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
        strcpy(t.column[t.ncolumn++].name, q->o.list.param->name);
    for (size_t i = 0; i < NLINE; i++)
        strcpy(t.column[t.ncolumn++].name, lines[i].key);
    if (q->o.to == RESPONSE_CSV)
        put_names(&t);
    for (size_t k = 0; k < q->n && (good = response_summarise(&q->response[k], &s, e)); k++) {
        double value = listed ? q->o.list.values.value[k] : 0;
        const double all[] = { value, s.lag, s.rise, s.overshoot, s.settling, s.frequency };
        const double *x = listed ? all : all + 1;
        if (text)
            (listed ? put_line : put_lines)(&t, x);
        else
            (listed || q->o.to == RESPONSE_CSV ? put_numbers : put_object)(&t, x);
    }
    if (listed && q->o.to == RESPONSE_JSON)
        text_put(&t.text, "]\n");
    good = good && flush(&t, 1, e);
    free(t.text.bytes);
    return good;
}
