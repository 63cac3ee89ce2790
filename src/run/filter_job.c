/* A job from top to bottom. See filter_job.h; chain.c opens the filters of the job. */
#include "run/filter_job.h"

#include "formats/input.h"
#include "io/tempfile.h"
#include "run/job_summary.h"
#include "run/join.h"
#include "view/change_stats.h"
#include "view/plot.h"
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

/* --- how numbers are printed --- */

static struct number_format number_format(const struct filter_job_config *c, char point)
{
    if (c->decimals >= 0 && c->decimals < LONG_MAX)
        return (struct number_format){ NUMBER_DECIMALS, (int)c->decimals, point };
    if (c->precision >= 0)
        return (struct number_format){ NUMBER_PRECISION, (int)c->precision, point };
    return (struct number_format){ NUMBER_SHORTEST, 0, point };
}

/* Do numbers keep the digits of the input? By --decimals input, and, where no option says how to print, where
 * the output takes the place of the input or is motion capture. */
static bool keeps_digits(const struct filter_job_config *c, const struct format *from,
                         const struct format *to)
{
    if (c->decimals == LONG_MAX)
        return true;
    bool like_input = c->output.in_place || (c->output.output_dir && from == to);
    return c->decimals < 0 && c->precision < 0 && (like_input || to->family == FAMILY_MOTION);
}

/* --- opening --- */

/* Everything that a job opens, and that filter_job_run closes. */
struct job {
    const struct filter_job_config *c;
    struct filter_job_task *task;
    struct source source;
    struct reader reader;
    struct writer writer;
    struct join join; /* of task->joined; else zeroed */
    struct chain chain;
    struct plot_overlay picture; /* for --plot */
    struct change_stats changes; /* for --report and --max-change */
    struct tempfile held;        /* the output while task->hold holds it back */
    const char *name;            /* name of the input in messages */
    char *label; /* name of the input and of the table, where the input has several tables; owned */
};

#define tell(job, ...) messages_add((job)->reader.messages, (job)->source.name, __VA_ARGS__)

/* Refuses an output that is the input: reading would never end, or the input has been truncated already. */
static bool refuse_same_file(const struct job *job, struct error *e)
{
    struct stat in, out;
    if (fstat(job->source.fd, &in) != 0 || fstat(job->task->fd, &out) != 0 || !S_ISREG(in.st_mode) ||
        in.st_dev != out.st_dev || in.st_ino != out.st_ino)
        return true;
    error_usage(e, "the output is the input itself");
    return error_hint(e, "write to another file");
}

/* Refuses options that mean nothing in the input's format. */
static bool check_format_options(const struct job *job, struct error *e)
{
    const struct format *f = job->reader.format;
    const struct input_options *in = &job->c->input;
    if (in->records && !f->document)
        return error_usage(e, "--records: names an array inside a document, and %s has rows alone", f->name);
    if (in->header && f->family != FAMILY_TEXT)
        return error_usage(e, "--header: says which lines hold the names, and in %s no line does", f->name);
    if (in->analog && strcmp(f->name, "c3d") != 0)
        return error_usage(e, "--analog: %s has no analog channels, but c3d has", f->name);
    if (job->c->columns.time_unit > TIME_UNIT_S && job->reader.columns.rate > 0)
        return error_usage(e, "--time-unit: %s has no column of times, but a rate, in seconds", f->name);
    return true;
}

/* Refuses to write a binary format to a terminal, or under a name that means text. */
static bool check_destination(const struct output_settings *o, const struct format *format, struct error *e)
{
    static const char *const text_suffixes[] = { ".txt", ".csv", ".tsv" };
    bool binary = format->family == FAMILY_AUDIO ||
                  (format->family == FAMILY_BINARY && strcmp(format->name, "gltf") != 0);
    if (!binary || o->in_place || o->output_dir || o->dry_run)
        return true;
    const char *output = o->output ? o->output : "-", *suffix = format_suffix(output);
    if (strcmp(output, "-") == 0 && isatty(STDOUT_FILENO) == 1) {
        error_usage(e, "%s is binary, and standard output is a terminal", format->name);
        return error_hint(e, "--output FILE writes to a file, --to csv prints text");
    }
    for (size_t i = 0; suffix && i < sizeof text_suffixes / sizeof *text_suffixes; i++)
        if (strcasecmp(suffix, text_suffixes[i]) == 0) {
            error_usage(e, "--output: %s is binary, and %s is a name for text", format->name, suffix);
            return error_hint(e, "name it FILE%s, or write text with --to csv", format->suffixes[0]);
        }
    return true;
}

/* Selects the columns of the choice, and the columns that options with @COLUMN name. */
static bool select_columns(struct job *job, struct column_choice *choice, struct error *e)
{
    bool good = chain_list_parameters(job->c, &choice->parameters, e) &&
                columns_select(&job->reader.columns, choice, e);
    free(choice->parameters.text);
    choice->parameters = (struct texts){ 0 };
    return good;
}

/* Gives each column its role. Output in another format, or with resampled rows, needs all cells. Output in
 * another format has room for a single table, as a picture has: channels in several tables are refused. */
static bool bind_columns(struct job *job, struct error *e)
{
    const struct output_settings *o = &job->c->output;
    struct columns *t = &job->reader.columns;
    job->writer.format = job->reader.format;
    if (o->to)
        job->writer.format = input_format("--to", o->to, e);
    else if (o->output && !format_has_suffix(job->reader.format, o->output) && format_by_file(o->output))
        job->writer.format = format_by_file(o->output);
    if (!job->writer.format || !check_destination(o, job->writer.format, e))
        return false;
    struct column_choice choice = job->c->columns;
    bool other = job->writer.format != job->reader.format;
    choice.all_cells = other || !isnan(job->c->resample) || job->reader.joined;
    if (!select_columns(job, &choice, e))
        return false;
    if (t->ncolumn > 0 && t->time == COLUMN_NONE && !(choice.rate > 0) && t->rate == 0)
        return columns_untimed(t, e);
    if (!isnan(job->c->resample) && !columns_resamplable(t, e))
        return false;
    if (job->reader.joined && !join_bind(&job->join, e))
        return false;
    if (!job->reader.part)
        columns_note(t, &choice, job->reader.messages, job->source.name);
    if (job->reader.format->bind && !job->reader.format->bind(&job->reader, e))
        return false;
    if (job->reader.npart < 2 || !(other || o->plot))
        return true;
    error_usage(e, "%s: the channels are in %zu tables with times of their own, and it shows one",
                other ? job->writer.format->name : "--plot", job->reader.npart);
    return error_hint(e, "choose those of one with --columns");
}

/* Chooses the derivatives; fills in the columns that are added and replaced. */
static bool make_output_columns(struct job *job, struct error *e)
{
    const struct filter_job_config *c = job->c;
    const struct columns *t = &job->reader.columns;
    bool in_place = c->output.in_place != NULL;
    bool several = job->reader.npart > 0 || job->reader.part;
    bool shaped = t->stacked || several || in_place || c->output.output_dir ||
                  job->writer.format->keeps_shape;
    struct output_columns *l = &job->chain.layout;
    struct derivatives *d = &job->chain.derivatives;
    d->printed = shaped ? 0 : 2;
    if (c->derivatives >= 0)
        d->printed = c->derivatives;
    d->computed = filter_job_wants_changes(c) ? 2 : d->printed;
    const struct link *last = chain_last(&job->chain);
    if (d->computed == 0 && chain_resampled_outputs(&job->chain) > 0)
        d->computed = 1; /* points lie on a curve that takes velocities */
    const struct output_columns_config config = {
        t, &last->rotations, last->given->filter, last->given->settings, *d, last->left_out
    };
    if (!output_columns_make(l, &config, e))
        return false;
    if (job->chain.n > 1 || !isnan(c->resample))
        output_columns_add(l, t, !isnan(c->resample));
    job->reader.nout = isnan(c->resample) ? l->nout : t->nchannel * chain_resampled_outputs(&job->chain);
    if (!job->reader.part)
        columns_note_derivatives(t, l->ntaken > 0, job->reader.messages, job->source.name);
    size_t nmotive = job->chain.link[0].rotations.nmotive;
    if (nmotive > 0 && !job->reader.part)
        tell(
            job,
            "X, Y, Z and W of Rotation are filtered as quaternions (%zu); --quaternions none filters numbers",
            nmotive);
    return !keeps_digits(c, job->reader.format, job->writer.format) || input_digits_keep(l, t, e);
}

static bool open_output(struct job *job, struct error *e)
{
    const struct filter_job_config *c = job->c;
    bool hold = job->task->hold && !c->output.dry_run;
    const struct columns *t = &job->reader.columns;
    if (c->output.subtype >= 0 && job->writer.format->family != FAMILY_AUDIO) {
        error_usage(e, "--subtype is for audio, and the output is %s", job->writer.format->name);
        return error_hint(e, "--to wav writes audio");
    }
    if ((hold && job->held.fd < 0 && !tempfile_hold(&job->held, job->task->fd, e)) ||
        !make_output_columns(job, e))
        return false;
    job->chain.rate = 0;
    if (t->time == COLUMN_NONE)
        job->chain.rate = c->columns.rate > 0 ? c->columns.rate : t->rate;
    /* Records of JSON are written with their own members. */
    bool json = job->reader.format->family == FAMILY_JSON && job->writer.format->family == FAMILY_JSON;
    job->chain.cells_alone = json && !filter_job_wants_changes(c) && !c->output.plot;
    job->writer.joined = job->reader.joined;
    job->writer.resampled = !isnan(c->resample);
    job->writer.reader = &job->reader;
    job->writer.layout = &job->chain.layout;
    job->writer.number = number_format(c, reader_point(&job->reader));
    job->writer.fill = c->series.gaps >= GAPS_FILL && c->series.gaps <= GAPS_CUBIC;
    job->writer.fd = hold ? job->held.fd : job->task->fd;
    job->writer.rate = job->writer.resampled ? c->resample : job->chain.rate;
    job->writer.subtype = c->output.subtype;
    job->writer.messages = job->reader.messages;
    job->writer.out = job->task->out;
    return job->reader.npart > 0 || !job->writer.format->accept ||
           job->writer.format->accept(&job->writer, e);
}

static bool open_observers(struct job *job, struct error *e)
{
    const struct output_settings *o = &job->c->output;
    const struct link *last = chain_last(&job->chain);
    double rate = job->writer.resampled ? 0 : job->chain.rate; /* resampled rows have times */
    if (o->plot && !plot_overlay_open(&job->picture, &job->reader, &job->chain.layout, rate, e))
        return false;
    for (size_t i = 0; o->plot && i < job->chain.cuts.ncut; i++)
        plot_mark(&job->picture.plot, job->chain.cuts.time[i]);
    job->changes = (struct change_stats){
        .reader = &job->reader,
        .filter = last->given->filter,
        .rotations = &last->rotations,
        .rate = rate,
        .limit = o->max_change,
    };
    return !filter_job_wants_changes(job->c) || change_stats_open(&job->changes, last->given->settings, e);
}

static bool observe(void *observer, const struct block *b, struct error *e)
{
    struct job *job = observer;
    return (!job->c->output.plot || plot_overlay_add(&job->picture, b, e)) &&
           (!filter_job_wants_changes(job->c) || change_stats_add(&job->changes, b, e));
}

static bool write_report(struct job *job, struct error *e)
{
    char filters[512] = "";
    for (size_t i = 0; i < job->chain.n; i++)
        text_append(filters, sizeof filters, "%s%s", i ? ", " : "", job->chain.link[i].given->filter->name);
    struct change_report report = {
        .file = job->source.name,
        .filters = filters,
        .count = chain_counted(&job->chain),
        .halflife = chain_chosen_halflives(&job->chain),
        .sets = &chain_last(&job->chain)->overrides,
        .cleaned = job->chain.clean_count,
        .json = strcmp(job->c->output.report, "json") == 0,
        .all = job->c->output.verbose,
    };
    char *before = job->task->report, *now = change_report(&job->changes, &report);
    job->task->report = now && before ? text_format("%s%s", before, now) : now;
    if (before)
        free(now);
    free(before);
    return job->task->report || error_memory(e);
}

static bool filter_rows(struct job *job, struct error *e)
{
    struct pipeline p = {
        .reader = &job->reader,
        .join = job->reader.joined ? &job->join : NULL,
        .writer = &job->writer,
        .stage = job->chain.stage,
        .nstage = job->chain.nstage,
        .task = job->task,
        .observe = observe,
        .observer = job,
    };
    if (!open_observers(job, e))
        return false;
    if (!pipeline_run(&p, e)) {
        bool temporary = job->task->hold && e->at_output && e->kind == ERROR_SYSTEM;
        return temporary && tempfile_blame_directory(e);
    }
    if (job->changes.beyond.kind) {
        *e = job->changes.beyond;
        return false;
    }
    if (job->c->output.plot &&
        !plot_overlay_draw(&job->picture, job->c->output.plot, job->reader.messages, job->source.name, e))
        return false;
    return !job->c->output.report || write_report(job, e);
}

/* Filters the rows of a table. The first call for an input of several tables filters no rows, but checks the
 * options against all tables. */
static bool run_table(struct job *job, struct error *e)
{
    bool good = bind_columns(job, e) && chain_bind(&job->chain, job->c, &job->reader, e) &&
                open_output(job, e) && chain_open(&job->chain, job->task->several, e);
    if (good)
        job_summary_note_vectors(&job->chain);
    good = good && (job->c->output.dry_run || job->reader.npart > 0 || filter_rows(job, e));
    bool verbose = good && job->c->output.verbose && job->reader.npart == 0;
    if (good && chain_aliases(&job->chain))
        tell(job,
             "warning: %s removes no waves: those above %.15g Hz come out as slower ones; filter first, as "
             "with critical --cutoff %.3g --zero-phase --resample %.15g",
             job->c->filters.at[0].filter->name, job->c->resample / 2, job->c->resample / 5,
             job->c->resample);
    chain_take_messages(&job->chain);
    if (verbose)
        job_summary_print(&job->chain);
    chain_close(&job->chain);
    plot_overlay_close(&job->picture);
    change_stats_close(&job->changes);
    return good;
}

/* Moves on to the next table, and puts the name of the table into messages. False: there is no next table. */
static bool next_table(struct job *job)
{
    if (!job->reader.format->next || job->reader.format->next(&job->reader) != LOAD_ROWS)
        return false;
    job->chain = (struct chain){ 0 };
    job->picture = (struct plot_overlay){ 0 };
    job->changes = (struct change_stats){ 0 };
    free(job->label);
    job->label = text_format("%s: %s", job->name, job->reader.part);
    job->source.name = job->label ? job->label : job->name;
    return true;
}

bool filter_job_run(const struct filter_job_config *c, struct filter_job_task *task,
                    struct messages *messages, struct error *e)
{
    struct job job = { .c = c, .task = task, .reader.messages = messages, .held.fd = -1 };
    bool good = source_open(&job.source, task->input, e) && refuse_same_file(&job, e);
    job.name = job.source.name;
    good = good && input_begin(&job.source, &job.reader, task->input, &c->input, e) &&
           check_format_options(&job, e);
    good = good && (!task->joined || join_open(&job.join, &job.reader, task->joined, task->fd, e));
    do {
        good = good && run_table(&job, e);
    } while (good && next_table(&job));
    if (good && job.held.fd >= 0) {
        good = tempfile_finish(&job.held, e);
        e->at_output = !good;
    }
    if (job.writer.format && job.writer.format->end)
        job.writer.format->end(&job.writer);
    tempfile_close(&job.held);
    if (!good && job.reader.joined && !e->at_output && e->line)
        task->failed = join_place(&job.join, &e->line);
    join_close(&job.join);
    if (!good)
        job.reader.messages = NULL; /* after an error, no message says how far the input was read */
    if (job.reader.format)
        job.reader.format->close(&job.reader);
    columns_free(&job.reader.columns);
    source_close(&job.source);
    free(job.label);
    return good;
}
