/* One input through one filter into one output. See job.h. */
#include "job.h"

#include "angles.h"
#include "changes.h"
#include "cuts.h"
#include "input.h"
#include "layout.h"
#include "picture.h"
#include "pipeline.h"
#include "resample.h"
#include "spool.h"
#include "zero_phase.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

/* All that a job opens, so that one function closes it. */
struct state {
    const struct job_config *c;
    const struct job_task *task;
    struct source source;
    struct reader reader;
    struct reader grid; /* for --resample: makes rows of the reader's */
    double rate;        /* of the rows that are read; 0: by the time column */
    struct writer writer;
    struct layout layout;
    struct cuts cuts;
    struct tunings tunings;
    double *period;
    struct quaternions quaternions;
    struct series *series;
    struct picture picture; /* for --plot */
    struct changes changes; /* for --report and --max-change */
    struct spool held;      /* with task->hold */
    struct block edge;      /* bytes before and after the rows */
    struct derivatives derivatives;
};

/* The output must not be the input: reading would never end, or has been cut short already. */
static bool apart(const struct state *s, int fd, struct error *e)
{
    struct stat in, out;
    if (fstat(s->source.fd, &in) != 0 || fstat(fd, &out) != 0 || !S_ISREG(in.st_mode) ||
        in.st_dev != out.st_dev || in.st_ino != out.st_ino)
        return true;
    error_usage(e, "the output is the input itself");
    return error_hint(e, "write to another file");
}

static bool open_input(struct state *s, int fd, struct notes *notes, struct error *e)
{
    if (!source_open(&s->source, s->task->input, e) || !apart(s, fd, e))
        return false;
    s->reader.notes = s->c->output.quiet ? NULL : notes;
    return input_begin(&s->source, &s->reader, s->task->input, s->c->output.from, &s->c->input, e);
}

static bool choose_columns(struct state *s, struct error *e)
{
    const struct series_options *o = &s->c->series;
    struct table *t = &s->reader.table;
    struct table_choice choice = {
        .time = o->time,
        .columns = o->columns,
        .exclude = o->exclude,
        .group = o->group_by,
        .cut = s->c->cuts.column,
        .rate_given = !isnan(o->rate),
        .all_cells = s->writer.format != s->reader.format || !isnan(o->resample),
    };
    if (!table_select(t, &choice, e))
        return false;
    if (t->rate > 0 && !isnan(o->rate))
        t->rate = o->rate; /* the times of a recording are told anew */
    if (t->ncolumn > 0 && t->time == TABLE_NONE && isnan(o->rate) && t->rate == 0) {
        error_data(e, "there is no time column, and no rate is assumed");
        /* Columns have their positions for names, and the first row has words: it may be a header with a
         * number. */
        for (size_t i = 0; !t->named && i < t->ncolumn; i++)
            if (t->column[i].first == CELL_TEXT)
                return error_hint(
                    e, "if the first line holds the names, say so with --header 1; else give the time "
                       "column with --time, or the rows per second with --rate HZ");
        return error_hint(e, "name the column with --time, or give the rows per second with --rate HZ");
    }
    return !s->reader.format->plan || s->reader.format->plan(&s->reader, e);
}

static struct number_format number_format(const struct job_config *c)
{
    struct number_format n = { NUMBER_SHORTEST, 0, c->input.decimal ? c->input.decimal[0] : '.' };
    if (c->numbers.precision >= 0)
        n = (struct number_format){ NUMBER_PRECISION, (int)c->numbers.precision, n.point };
    if (c->numbers.decimals >= 0)
        n = (struct number_format){ NUMBER_DECIMALS, (int)c->numbers.decimals, n.point };
    return n;
}

static bool wants_changes(const struct job_config *c)
{
    return c->output.report || !isnan(c->output.max_change);
}

static bool open_output(struct state *s, int fd, struct error *e)
{
    const struct job_config *c = s->c;
    const struct table *t = &s->reader.table;
    if (c->output.subtype >= 0 && !s->writer.format->samples) {
        error_usage(e, "--subtype is for audio, and the output is %s", s->writer.format->name);
        return error_hint(e, "--to wav writes audio");
    }
    bool shaped = t->stacked || s->task->keep_shape || s->writer.format->keeps_shape;
    s->derivatives.printed = c->series.derivatives >= 0 ? c->series.derivatives : shaped ? 0 : 2;
    s->derivatives.computed = wants_changes(c) ? 2 : s->derivatives.printed;
    if (!quaternions_collect(&s->quaternions, t, &c->series, e) ||
        !layout_make(&s->layout, t, &s->quaternions, c->filter, c->settings, s->derivatives, e))
        return false;
    s->rate = !isnan(c->series.rate) ? c->series.rate : t->time != TABLE_NONE ? 0 : t->rate;
    s->writer.resampled = !isnan(c->series.resample);
    if (s->writer.resampled)
        layout_add_grid(&s->layout, t);
    else
        s->reader.nout = s->layout.nout;
    s->writer.reader = &s->reader;
    s->writer.layout = &s->layout;
    s->writer.number = number_format(c);
    s->writer.fill = c->series.gaps == GAPS_FILL;
    s->writer.fd = fd;
    s->writer.rate = s->writer.resampled ? c->series.resample : s->rate;
    s->writer.time_unit = -3 * c->series.time_unit;
    s->writer.subtype = c->output.subtype;
    s->writer.notes = s->reader.notes;
    return !s->writer.format->accept || s->writer.format->accept(&s->writer, e);
}

static bool open_grid(struct state *s, struct error *e)
{
    struct resample_config config = {
        .from = &s->reader,
        .layout = &s->layout,
        .keeps_cell = s->c->filter->keeps_cell,
        .hz = s->c->series.resample,
        .rate = s->rate,
        .unit = s->writer.time_unit,
        .cut = s->cuts.time,
        .ncut = s->cuts.ncut,
        .period = s->period,
        .quaternions = &s->quaternions,
    };
    return resample_open(&s->grid, &config, e);
}

static bool open_series(struct state *s, struct notes *notes, struct error *e)
{
    const struct job_config *c = s->c;
    if (!tunings_collect(&s->tunings, &s->reader.table, c->filter, &c->series.sets, c->given, c->settings,
                         e) ||
        !cuts_collect(&s->cuts, &s->c->cuts, &s->reader.table, e) ||
        !angles_collect(&s->reader.table, &s->c->series, &s->period, e) ||
        !quaternions_fit(&s->quaternions, &s->reader.table, s->period, s->tunings.of, e))
        return false;
    if (s->writer.resampled && !open_grid(s, e))
        return false;
    bool resampled = s->writer.resampled;
    struct series_config config = {
        .filter = s->c->filter,
        .tunings = &s->tunings,
        .options = &s->c->series,
        .reader = &s->reader,
        .table = &s->reader.table,
        .rate = s->writer.rate,
        .cut = s->cuts.time,
        .ncut = resampled ? 0 : s->cuts.ncut,
        .marked = resampled,
        .detect = s->c->cuts.detect,
        .period = s->period,
        .wrap = s->c->series.wrap,
        .quaternions = &s->quaternions,
        .verbose = s->c->output.verbose,
        .derivatives = s->derivatives,
        .notes = notes,
        .file = s->source.name,
    };
    s->source.whole = s->c->series.zero_phase;
    s->series = series_open(&config, e);
    return s->series != NULL;
}

/* Bytes before the first row, or after the last, written at once. */
static bool edge(struct state *s, bool (*make)(struct writer *, struct block *, struct error *),
                 struct error *e)
{
    s->edge.nbyte = 0;
    if (!make || !make(&s->writer, &s->edge, e))
        return !make;
    bool good = s->writer.format->store ? s->writer.format->store(&s->writer, &s->edge, e)
                                        : pipeline_write(s->writer.fd, s->edge.bytes, s->edge.nbyte, e);
    if (!good)
        e->at_output = true;
    return good;
}

/* One parameter with its value, as ", name value", where it has one. */
static void put_parameter(const struct param *p, const void *settings, char *buf, size_t maxbuf)
{
    const void *field = (const char *)settings + p->offset;
    if (p->kind == PARAM_NUMBER && !isnan(*(const double *)field)) {
        char number[NUMBER_MAX + 1];
        const struct number_format shortest = { NUMBER_SHORTEST, 0, '.' };
        number[number_print(number, *(const double *)field, &shortest)] = 0;
        snprintf(buf, maxbuf, ", %s %s", p->name, number);
    } else if (p->kind == PARAM_COUNT && *(const long *)field >= 0) {
        snprintf(buf, maxbuf, ", %s %ld", p->name, *(const long *)field);
    } else if (p->kind == PARAM_CHOICE && *(const int *)field >= 0) {
        snprintf(buf, maxbuf, ", %s %s", p->name, p->choices[*(const int *)field]);
    } else if (p->kind == PARAM_NUMBERS && ((const struct numbers *)field)->nvalue) {
        snprintf(buf, maxbuf, ", %zu %s", ((const struct numbers *)field)->nvalue, p->name);
    }
}

/* The channels of a tuning, as "; channels …" without the first semicolon: where there are several tunings. */
static void put_channels(const struct state *s, size_t tuning, char *buf, size_t maxbuf)
{
    const struct table *t = &s->reader.table;
    size_t n = 0, nshown = 0;
    for (size_t i = 0; i < t->ncolumn; i++) {
        const struct column *c = &t->column[i];
        size_t at = strlen(buf);
        if (c->role != ROLE_CHANNEL || s->tunings.of[c->value] != tuning || n++ > nshown ||
            at + strlen(c->name) + 30 > maxbuf)
            continue;
        snprintf(buf + at, maxbuf - at, "%s\"%s\"", nshown++ ? ", " : "; channels ", c->name);
    }
    if (nshown < n)
        snprintf(buf + strlen(buf), maxbuf - strlen(buf), "%s%zu", nshown ? " and more, in all " : "; channels: ", n);
    if (n == 0)
        snprintf(buf, maxbuf, "; no channel");
}

/* The filter with its parameters, defaults too; with --set each of its tunings. */
static void tell_parameters(const struct state *s, struct notes *notes)
{
    const struct filter *filter = s->c->filter;
    for (size_t k = 0; k < s->tunings.n; k++) {
        char line[600] = "", channels[400] = "";
        for (size_t i = 0; i < filter->nparam; i++)
            put_parameter(&filter->params[i], s->tunings.settings[k], line + strlen(line),
                          sizeof line - strlen(line));
        if (s->tunings.n > 1)
            put_channels(s, k, channels, sizeof channels);
        notes_add(notes, s->source.name, "%s%s%s%s", filter->name, line[0] ? ":" : "", line[0] ? line + 1 : "",
                  channels);
    }
}

static void tell(const struct state *s, struct notes *notes)
{
    struct series_count n = series_counted(s->series);
    const struct table *t = &s->reader.table;
    char time[160] = "";
    tell_parameters(s, notes);
    if (!isnan(s->c->series.rate) || t->time == TABLE_NONE)
        snprintf(time, sizeof time, "%.15g rows per second",
                 isnan(s->c->series.rate) ? t->rate : s->c->series.rate);
    else if (t->time != TABLE_NONE)
        snprintf(time, sizeof time, "column \"%.100s\"", t->column[t->time].name);
    notes_add(notes, s->source.name, "%s, %zu columns, time: %s", s->reader.format->name, t->ncolumn, time);
    if (s->writer.resampled)
        notes_add(notes, s->source.name, "resampled to %.15g rows per second", s->writer.rate);
    for (size_t i = 0; i < t->ncolumn; i++)
        if (t->column[i].role == ROLE_CHANNEL)
            notes_add(notes, s->source.name, "channel \"%s\" (column %zu)", t->column[i].name, i + 1);
    notes_add(notes, s->source.name, "%llu rows, %llu gaps, %llu cuts, %llu groups",
              (unsigned long long)n.rows, (unsigned long long)n.gaps, (unsigned long long)n.cuts,
              (unsigned long long)n.groups);
}

/* The format of the output: --to, else by name, else as the input. */
static const struct format *output_format(struct state *s, struct error *e)
{
    if (s->c->output.to)
        return input_format("--to", s->c->output.to, e);
    const struct format *f = s->task->output ? format_by_file(s->task->output) : NULL;
    return f ? f : s->reader.format;
}

/* Who looks on. */
static bool open_observers(struct state *s, struct observer *observer, size_t *n, struct error *e)
{
    const struct output_options *o = &s->c->output;
    double rate = s->writer.resampled ? 0 : s->rate; /* points tell their times */
    *n = 0;
    if (o->plot) {
        observer[(*n)++] = (struct observer){ picture_take, &s->picture };
        if (!picture_open(&s->picture, &s->reader, &s->layout, rate, s->writer.time_unit, s->cuts.time,
                          s->cuts.ncut, e))
            return false;
    }
    if (wants_changes(s->c)) {
        observer[(*n)++] = (struct observer){ changes_take, &s->changes };
        return changes_open(&s->changes, &s->reader, s->c->filter, s->c->settings, s->period,
                            &s->quaternions, rate,
                            o->max_change, e);
    }
    return true;
}

static bool write_report(struct state *s, struct error *e)
{
    struct series_count n = series_counted(s->series);
    uint64_t *cuts = calloc(s->reader.table.nchannel + 1, sizeof *cuts);
    struct changes_story story = { s->source.name, n.rows, n.groups, cuts };
    if (cuts) {
        series_cuts(s->series, cuts);
        *s->task->report =
            (strcmp(s->c->output.report, "json") == 0 ? changes_json : changes_text)(&s->changes, &story);
    }
    free(cuts);
    return *s->task->report || error_memory(e);
}

/* Bytes that were held back go where they are to go. */
static bool release(struct state *s, struct error *e)
{
    if (!s->task->hold || spool_release(&s->held, e))
        return true;
    e->at_output = true;
    return false;
}

static bool filter_rows(struct state *s, struct notes *notes, struct error *e)
{
    const struct job_task *task = s->task;
    struct observer observer[2];
    struct pipeline p = {
        .reader = s->writer.resampled ? &s->grid : &s->reader,
        .writer = &s->writer,
        .series = s->series,
        .pool = task->pool,
        .nthread = task->nthread,
        .watch = task->watch,
        .closure = task->closure,
        .observer = observer,
    };
    if (!open_observers(s, observer, &p.nobserver, e) || !edge(s, s->writer.format->begin, e) ||
        !pipeline_run(&p, e) || !edge(s, s->writer.format->finish, e) || !release(s, e))
        return false;
    if (s->c->output.plot && !picture_draw(&s->picture, s->c->output.plot, notes, s->source.name, e))
        return false;
    return !s->c->output.report || write_report(s, e);
}

static bool run(struct state *s, struct notes *notes, struct error *e)
{
    const struct job_task *task = s->task;
    bool hold = task->hold && !task->dry;
    if (!open_input(s, task->fd, notes, e) || (hold && !spool_hold(&s->held, task->fd, e)))
        return false;
    s->writer.format = output_format(s, e);
    if (!s->writer.format || !choose_columns(s, e) || !open_output(s, hold ? s->held.fd : task->fd, e) ||
        !open_series(s, notes, e) || (!task->dry && !filter_rows(s, notes, e)))
        return false;
    if (s->c->output.verbose)
        tell(s, notes);
    return true;
}

bool job_check(const struct job_config *c, struct error *e)
{
    double start;
    return (!c->output.from || input_format("--from", c->output.from, e)) &&
           (!c->output.to || input_format("--to", c->output.to, e)) && series_start(&c->series, &start, e) &&
           tunings_check(c->filter, &c->series.sets, e) &&
           changes_check(c->filter, c->output.max_change, e) && zero_phase_check(c->filter, &c->series, e) &&
           quaternions_check(c->filter, &c->series, e);
}

bool job_run(const struct job_config *c, const struct job_task *task, struct notes *notes, struct error *e)
{
    struct state s = { .c = c, .task = task, .held.fd = -1 };
    bool good = run(&s, notes, e);
    if (s.writer.format && s.writer.format->end)
        s.writer.format->end(&s.writer);
    series_close(s.series);
    tunings_free(&s.tunings);
    resample_close(&s.grid);
    cuts_free(&s.cuts);
    free(s.period);
    quaternions_free(&s.quaternions);
    layout_free(&s.layout);
    block_free(&s.edge);
    picture_close(&s.picture);
    changes_close(&s.changes);
    spool_close(&s.held);
    if (s.reader.format)
        s.reader.format->close(&s.reader);
    table_free(&s.reader.table);
    source_close(&s.source);
    return good;
}
