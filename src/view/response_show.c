/* How a response is shown: as a table, a picture, or a summary. See response.h. */
#include "view/response.h"

#include "base/port.h"
#include "io/output.h"
#include "io/tempfile.h"
#include "springs/filter_words.h"
#include "view/plot.h"
#include <complex.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { MAXCOLUMN = 8 /* of a curve 5, of a summary 6 */, BODE_PER_DECADE = 50 };
#define NO_PANEL SIZE_MAX

/* A table that is printed or drawn. */
struct response_table {
    struct response_request *request;
    struct table_column {
        char name[64];
        struct plot_line *line; /* in the plot; NULL: the column is not drawn */
        double most;            /* larger magnitudes are not drawn */
    } column[MAXCOLUMN];
    size_t ncolumn;
    struct frequency_response tones; /* --bode */
    double last;                     /* number of the last row */
    struct text text;                /* rows that are not yet written */
    struct plot plot;
    struct outfile out; /* --output */
};

/* A column to add to the table. */
struct new_column {
    const char *name, *suffix; /* the column's name is both joined */
    size_t panel;              /* where the column is drawn; NO_PANEL: not drawn */
    const char *title;         /* name of the panel, if the panel is new */
};

static bool add_column(struct response_table *table, const struct new_column *column, struct error *e)
{
    struct table_column *added = &table->column[table->ncolumn++];
    const size_t panel = column->panel;
    snprintf(added->name, sizeof added->name, "%s%s", column->name, column->suffix);
    added->most = INFINITY;
    if (!table->request->options.draw || panel == NO_PANEL)
        return true;
    unsigned color = PLOT_BLUE + (table->request->options.bode ? (unsigned)panel : 0);
    if (strcmp(column->name, "input") == 0)
        color = PLOT_GREY;
    if (panel == table->plot.npanel && !plot_add_panel(&table->plot, column->title, e))
        return false;
    added->line = plot_add_line(&table->plot, panel, added->name, color, e);
    return added->line;
}

/* Writes the text if the text has at least `least` bytes. */
static bool flush_text(struct response_table *table, size_t least, struct error *e)
{
    if (table->text.failed)
        return error_memory(e);
    bool good = table->text.n < least || tempfile_put(table->out.fd, table->text.bytes, table->text.n, e);
    table->text.n = table->text.n < least ? table->text.n : 0;
    return good;
}

/* Opens the output of a table that is printed. */
static bool open_table(struct response_table *table, struct error *e)
{
    const struct response_options *options = &table->request->options;
    table->out = (struct outfile){ .path = options->draw || !options->output ? "-" : options->output };
    return output_look(&table->out, e) && output_open(&table->out, false, e);
}

/* Writes what is left, unless an error came before, and frees the table. */
static bool close_table(struct response_table *table, bool good, struct error *e)
{
    good = good && flush_text(table, 1, e) && output_commit(&table->out, e);
    output_close(&table->out);
    free(table->text.bytes);
    return good;
}

static void put_names(struct response_table *table)
{
    for (size_t i = 0; i < table->ncolumn; i++)
        text_put(&table->text, "%s%s", table->column[i].name, i + 1 < table->ncolumn ? "," : "\n");
}

/* Writes the numbers of a row, x[ncolumn], as csv. */
static void put_numbers(struct response_table *table, const double *x)
{
    for (size_t i = 0; i < table->ncolumn; i++) {
        text_put(&table->text, "%s", i ? "," : "");
        if (isfinite(x[i]))
            text_number(&table->text, x[i], &number_shortest);
    }
    text_put(&table->text, "\n");
}

/* Adds the columns of --bode: the frequency, and the gain and the phase. */
static bool add_tones(struct response_table *table, struct error *e)
{
    struct response_request *request = table->request;
    table->plot.x = "frequency (Hz)";
    table->plot.log_x = true;
    frequency_response_make(&table->tones, request->response.filter, request->response.settings,
                            1 / request->bode_rate);
    return add_column(table, &(struct new_column){ "frequency", "", NO_PANEL, NULL }, e) &&
           add_column(table, &(struct new_column){ "gain_db", "", 0, "gain (dB)" }, e) &&
           add_column(table, &(struct new_column){ "phase_deg", "", 1, "phase (degrees)" }, e);
}

/* The frequency of row n of --bode. */
static double tone_frequency(const struct response_table *table, double n)
{
    const struct response_request *request = table->request;
    if (n == 0)
        return request->low;
    if (n == table->last)
        return request->high;
    return number_round(request->low * pow(request->high / request->low, n / table->last), 6);
}

/* Sets row to row n of --bode, with gains in decibels and phases in degrees. On entry `row` must hold row n -
 * 1, so that a phase differs from the phase in row n - 1 by at most half a turn. */
static void make_tones(const struct response_table *table, double n, double *row)
{
    const struct response_request *request = table->request;
    row[0] = tone_frequency(table, n);
    if (request->response.both) {
        row[1] = 20 * log10(response_smoothed_gain(&request->response, request->bode_rate, row[0]));
        row[2] = 0;
        return;
    }
    double _Complex gain = frequency_response_at(&table->tones, row[0]);
    double phase = carg(gain) * 180 / M_PI;
    row[1] = 20 * log10(cabs(gain));
    if (n > 0)
        phase -= 360 * round((phase - row[2]) / 360);
    row[2] = phase;
}

/* Sets row to row n of the curves. Rows must be made in order. */
static void make_row(const struct response_table *table, double n, double *row)
{
    struct response *response = &table->request->response;
    row[0] = n / table->request->rate;
    row[1] = response_goal(response, n);
    response_at(response, n);
    memcpy(row + 2, response->out, response->filter->shape.nout * sizeof *row);
}

/* At a jump of the input the first rows of derivatives are as high as the rate. Values of derivatives far
 * above the values in all later rows are not drawn, because the curve of the later rows would look flat. */
static void limit_derivatives(struct response_table *table, double first)
{
    double row[MAXCOLUMN], most[MAXCOLUMN] = { 0 };
    size_t nout = table->request->response.filter->shape.nout;
    for (double n = first; n <= table->last; n++) {
        make_row(table, n, row);
        for (size_t i = 2; i < table->ncolumn && (n < 0 || n > 2); i++)
            most[i] = fmax(most[i], fabs(row[i]));
    }
    for (size_t i = 2; i < table->ncolumn && table->last > 20; i++)
        if ((i - 2) % nout > 0)
            table->column[i].most = 3 * most[i];
}

/* Adds the columns of a curve: time, input, and the outputs. Input and output share a
 * panel; each derivative has a panel. */
static bool add_curves(struct response_table *table, struct error *e)
{
    struct response *response = &table->request->response;
    const char *title[] = { "response to a step", "output_vel", "output_acc" };
    bool good = add_column(table, &(struct new_column){ "time", "", NO_PANEL, NULL }, e) &&
                add_column(table, &(struct new_column){ "input", "", 0, title[0] }, e);
    table->plot.x = "time (s)";
    for (size_t o = 0; good && o < response->filter->shape.nout; o++) {
        const char *suffix = filter_output(response->filter, response->settings, o).suffix;
        good = add_column(table, &(struct new_column){ "output", suffix, o, title[o] }, e);
    }
    response->rate = table->request->rate;
    return good && response_begin(response, (size_t)table->last, true, e);
}

/* The first row of the curves. tracking takes the first step of a series over as it is, so that with limits
 * the step needs two rows at rest before it. */
static double first_row(const struct response_table *table)
{
    const struct response_request *request = table->request;
    const bool rests = ((const struct filter_common *)request->response.settings)->limited;
    if (request->options.bode)
        return 0;
    if (request->options.zero_phase)
        return -table->last;
    return rests ? -1 : 0;
}

static bool show_rows(struct response_table *table, struct error *e)
{
    const struct response_request *request = table->request;
    double row[MAXCOLUMN], first = first_row(table);
    if (!request->options.draw)
        put_names(table);
    if (request->options.draw && !request->options.bode)
        limit_derivatives(table, first);
    bool good = flush_text(table, 1, e);
    for (double n = first; good && n <= table->last; n++) {
        (request->options.bode ? make_tones : make_row)(table, n, row);
        for (size_t i = 0; i < table->ncolumn && !request->options.bode; i++)
            if (!isfinite(row[i])) {
                error_data(e, "the filter is unstable at %g rows per second", request->rate);
                return error_hint(e, "use a higher --rate");
            }
        for (size_t i = 0; i < table->ncolumn; i++)
            if (table->column[i].line)
                envelope_add(&table->column[i].line->envelope, row[0],
                             fabs(row[i]) <= table->column[i].most ? row[i] : (double)NAN);
        if (!request->options.draw)
            put_numbers(table, row);
        good = flush_text(table, 1 << 16, e);
    }
    return good;
}

bool response_show(struct response_request *request, struct error *e)
{
    struct response_table table = { .request = request };
    table.last = request->options.bode ? ceil(BODE_PER_DECADE * log10(request->high / request->low) - 1e-9)
                                       : floor(request->duration * request->rate * (1 + 1e-12));
    bool good = open_table(&table, e) && (request->options.bode ? add_tones : add_curves)(&table, e) &&
                show_rows(&table, e);
    if (good && request->options.draw)
        good = plot_draw(&table.plot, request->options.draw, e);
    plot_free(&table.plot);
    return close_table(&table, good, e);
}

enum { NLINE = 6 };

/* The numbers of the summary, in the order of struct response_summary. */
static const struct line {
    const char *name;        /* in text */
    const char *key;         /* in csv */
    const char *unit, *note; /* in text */
    double factor;           /* number in text / number in csv */
    bool linear;             /* only a linear filter has the number */
} lines[NLINE] = {
    { "lag", "lag", "s", " behind constant-velocity motion", 1, true },
    { "rise time", "rise_time", "s", " from 10 to 90 %", 1, false },
    { "overshoot", "overshoot", "%", "", 100, false },
    { "settling time", "settling_time", "s", " until within 2 %", 1, false },
    { "-3 dB frequency", "frequency_3db", "Hz", "", 1, true },
    { "noise left", "noise_left", "%", " of white noise", 100, true },
};

/* The number of lines that are shown: the noise left depends on the row rate, and is not shown without one.
 */
static size_t count_lines(const struct response_table *table)
{
    return table->request->response.limit ? NLINE - 1 : NLINE;
}

/* Has the filter no number of this line, since the number depends on the motion? */
static bool depends_on_motion(const struct response *response, const struct line *line)
{
    return line->linear && !filter_is_linear(response->settings);
}

/* Writes the summary as text; x[i] is the number lines[i]. */
static void put_lines(struct response_table *table, const struct response *response, const double *x)
{
    for (size_t i = 0; i < count_lines(table); i++) {
        text_put(&table->text, "%-17s", lines[i].name);
        if (isfinite(x[i]))
            text_put(&table->text, "%.6g %s%s\n", x[i] * lines[i].factor, lines[i].unit, lines[i].note);
        else
            text_put(&table->text,
                     depends_on_motion(response, &lines[i]) ? "depends on the motion\n" : "none\n");
    }
}

bool response_show_summary(struct response_request *request, struct error *e)
{
    struct response_table table = { .request = request };
    struct response_summary summary;
    bool good = open_table(&table, e) && response_summarise(&request->response, &summary, e);
    for (size_t i = 0; i < count_lines(&table); i++)
        strcpy(table.column[table.ncolumn++].name, lines[i].key);
    if (good) {
        const double numbers[] = { summary.lag,      summary.rise,      summary.overshoot,
                                   summary.settling, summary.frequency, summary.noise };
        if (request->options.to == RESPONSE_CSV) {
            put_names(&table);
            put_numbers(&table, numbers);
        } else {
            put_lines(&table, &request->response, numbers);
        }
    }
    return close_table(&table, good, e);
}
