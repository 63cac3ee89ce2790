/* How a response is shown: as a table in csv, or as a summary. See response.h. */
#include "view/response.h"

#include "base/array.h"
#include "base/text.h"
#include "io/output.h"
#include "io/tempfile.h"
#include "springs/filter_words.h"

#include <complex.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    MAXCOLUMN = 2 + FILTER_MAXOUT,
    BODE_PER_DECADE = 50,
    MAXROW = 10000000, /* of a curve */
    ROW_RATE = 60      /* rows per second for a filter whose equations contain no time */
};

/* --- what is chosen --- */

/* The least number not below x that is an allowed digit times a power of ten. digits: the allowed
 * digits, ascending; '+' means 1.5. */
static double round_up(double x, const char *digits)
{
    double power = pow(10, floor(log10(x)));
    for (const char *d = digits; *d; d++) {
        double step = (*d == '+' ? 1.5 : *d - '0') * power;
        if (step >= x * (1 - 1e-9))
            return step;
    }
    return 10 * power;
}

/* Sets the range of frequencies of --bode by the duration and the rate of a curve. A duration that is chosen
 * to suit the filter is too short for the lowest frequency. */
static bool choose_frequencies(struct response_request *request, struct error *e)
{
    const double longest = isnan(request->options.duration) ? 10 * request->duration : request->duration;
    request->low = number_round(1 / longest, 3);
    request->high = request->rate / 2;
    request->bode_rate = request->response.limit ? 1e5 * request->high : request->rate;
    if (request->low < request->high)
        return true;
    error_usage(e,
                "--bode: the lowest frequency (1/duration, %g Hz) must be below the highest (rate/2, %g Hz)",
                request->low, request->high);
    return error_hint(e, "use a longer --duration or a higher --rate");
}

/* Chooses the duration and the rate, unless they are given. Sets limit and fine of the response. */
static void choose_rows(struct response_request *request)
{
    struct response *response = &request->response;
    const double rate = request->options.rate, duration = request->options.duration;
    const bool timed = response_extent(response, isnan(rate) ? ROW_RATE : rate);
    request->duration = isnan(duration) ? number_round(round_up(response->extent, "1+234568"), 3) : duration;
    request->rate = timed ? number_round(round_up(400 / request->duration, "125"), 3) : ROW_RATE;
    if (!isnan(rate))
        request->rate = rate;
    response->limit = isnan(rate) && timed;
    response->fine = response->limit ? (1 << 16) / response->extent : request->rate;
}

bool response_choose(struct response_request *request, struct error *e)
{
    choose_rows(request);
    if (request->duration * request->rate > MAXROW) {
        error_usage(e, "%g s at %g rows per second are more than %d rows", request->duration, request->rate,
                    MAXROW);
        return error_hint(e, "use a shorter --duration or a lower --rate");
    }
    return !request->options.bode || choose_frequencies(request, e);
}

/* --- rows --- */

/* Adds the numbers of a row, x[n], as csv. */
static void put_numbers(struct text *text, const double *x, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        text_put(text, "%s", i ? "," : "");
        if (isfinite(x[i]))
            text_number(text, x[i], &number_shortest);
    }
    text_put(text, "\n");
}

/* Writes the text if it has at least `least` bytes. */
static bool flush_text(struct text *text, const struct outfile *out, size_t least, struct error *e)
{
    if (text->failed)
        return error_memory(e);
    if (text->n < least)
        return true;
    const bool good = tempfile_put(out->fd, text->bytes, text->n, e);
    text->n = 0;
    return good;
}

/* The frequency of row n of --bode; the last row has the highest one. */
static double tone_frequency(const struct response_request *request, double n, double last)
{
    if (n == 0)
        return request->low;
    if (n == last)
        return request->high;
    return number_round(request->low * pow(request->high / request->low, n / last), 6);
}

/* Adds the table of --bode, with gains in decibels and phases in degrees. A phase differs from the one before
 * by at most half a turn. */
static bool put_tones(struct response_request *request, struct text *text, const struct outfile *out,
                      struct error *e)
{
    struct frequency_response tones;
    const double last = ceil(BODE_PER_DECADE * log10(request->high / request->low) - 1e-9);
    double row[] = { 0, 0, 0 };
    frequency_response_make(&tones, request->response.filter, request->response.settings,
                            1 / request->bode_rate);
    text_put(text, "frequency,gain_db,phase_deg\n");
    for (double n = 0; n <= last; n++) {
        row[0] = tone_frequency(request, n, last);
        double _Complex gain = request->response.both
                                   ? response_smoothed_gain(&request->response, request->bode_rate, row[0])
                                   : frequency_response_at(&tones, row[0]);
        const double phase = carg(gain) * 180 / M_PI;
        row[1] = 20 * log10(cabs(gain));
        row[2] = n > 0 ? phase - 360 * round((phase - row[2]) / 360) : phase;
        put_numbers(text, row, 3);
    }
    return flush_text(text, out, 1, e);
}

/* Adds the table of a step: time, input, and the outputs. With limits there are two rows at rest before the
 * step, since tracking takes the first step of a series over as it is. */
static bool put_step(struct response_request *request, struct text *text, const struct outfile *out,
                     struct error *e)
{
    struct response *response = &request->response;
    const bool limited = ((const struct filter_common *)response->settings)->limited;
    const size_t nout = response->filter->shape.nout;
    const double last = floor(request->duration * request->rate * (1 + 1e-12));
    const double first = response->both ? -last : -(double)limited;
    double row[MAXCOLUMN];
    bool good = true;
    response->rate = request->rate;
    if (!response_begin(response, (size_t)last, true, e))
        return false;
    text_put(text, "time,input");
    for (size_t o = 0; o < nout; o++)
        text_put(text, ",output%s", filter_output(response->filter, response->settings, o).suffix);
    text_put(text, "\n");
    for (double n = first; good && n <= last; n++) {
        row[0] = n / request->rate;
        row[1] = n > 0;
        response_at(response, n);
        memcpy(row + 2, response->out, nout * sizeof *row);
        if (!array_is_finite(row, 2 + nout)) {
            error_data(e, "the filter is unstable at %g rows per second", request->rate);
            return error_hint(e, "use a higher --rate");
        }
        put_numbers(text, row, 2 + nout);
        good = flush_text(text, out, 1 << 16, e);
    }
    return good && flush_text(text, out, 1, e);
}

/* --- the summary --- */

/* The numbers of the summary, in the order of struct response_summary. */
static const struct line {
    const char *name;        /* in text */
    const char *key;         /* in csv */
    const char *unit, *note; /* in text */
    double factor;           /* number in text / number in csv */
    bool linear;             /* only a linear filter has the number */
} lines[] = {
    { "lag", "lag", "s", " behind constant-velocity motion", 1, true },
    { "rise time", "rise_time", "s", " from 10 to 90 %", 1, false },
    { "overshoot", "overshoot", "%", "", 100, false },
    { "settling time", "settling_time", "s", " until within 2 %", 1, false },
    { "-3 dB frequency", "frequency_3db", "Hz", "", 1, true },
};
enum { NLINE = sizeof lines / sizeof *lines };

static bool put_summary(struct response_request *request, struct text *text, const struct outfile *out,
                        struct error *e)
{
    struct response_summary summary;
    if (!response_summarise(&request->response, &summary, e))
        return false;
    const double x[NLINE] = { summary.lag, summary.rise, summary.overshoot, summary.settling,
                              summary.frequency };
    const bool csv = request->options.to == RESPONSE_CSV,
               linear = filter_is_linear(request->response.settings);
    for (size_t i = 0; i < NLINE; i++) {
        if (csv)
            text_put(text, "%s%s", lines[i].key, i + 1 < NLINE ? "," : "\n");
        else if (isfinite(x[i]))
            text_put(text, "%-17s%.6g %s%s\n", lines[i].name, x[i] * lines[i].factor, lines[i].unit,
                     lines[i].note);
        else
            text_put(text, "%-17s%s\n", lines[i].name,
                     lines[i].linear && !linear ? "depends on the motion" : "none");
    }
    if (csv)
        put_numbers(text, x, NLINE);
    return flush_text(text, out, 1, e);
}

bool response_show(struct response_request *request, struct error *e)
{
    const struct response_options *options = &request->options;
    struct outfile out = { .path = options->output ? options->output : "-" };
    struct text text = { 0 };
    bool good = output_look(&out, e) && output_open(&out, false, e);
    if (good && options->summary)
        good = put_summary(request, &text, &out, e);
    else if (good)
        good = (options->bode ? put_tones : put_step)(request, &text, &out, e);
    good = good && output_commit(&out, e);
    output_close(&out);
    free(text.bytes);
    return good;
}
