/* A job from top to bottom. See filter_job.h; chain.c opens the filters of the job. */
#include "run/filter_job.h"

#include "formats/input.h"
#include "io/tempfile.h"
#include "run/chain.h"
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
struct state {
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

#define tell(s, ...) messages_add((s)->reader.messages, (s)->source.name, __VA_ARGS__)

/* Refuses an output that is the input: reading would never end, or the input has been truncated already. */
static bool refuse_same_file(const struct state *s, struct error *e)
{
    struct stat in, out;
    if (fstat(s->source.fd, &in) != 0 || fstat(s->task->fd, &out) != 0 || !S_ISREG(in.st_mode) ||
        in.st_dev != out.st_dev || in.st_ino != out.st_ino)
        return true;
    error_usage(e, "the output is the input itself");
    return error_hint(e, "write to another file");
}

/* Refuses options that mean nothing in the input's format. */
static bool check_format_options(const struct state *s, struct error *e)
{
    const struct format *f = s->reader.format;
    const struct input_options *in = &s->c->input;
    if (in->records && !f->document)
        return error_usage(e, "--records: names an array inside a document, and %s has rows alone", f->name);
    if (in->header && f->family != FAMILY_TEXT)
        return error_usage(e, "--header: says which lines hold the names, and in %s no line does", f->name);
    if (in->analog && strcmp(f->name, "c3d") != 0)
        return error_usage(e, "--analog: %s has no analog channels, but c3d has", f->name);
    if (s->c->columns.time_unit > TIME_UNIT_S && s->reader.columns.rate > 0)
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
static bool select_columns(struct state *s, struct column_choice *choice, struct error *e)
{
    bool good = chain_list_parameters(s->c, &choice->parameters, e) &&
                columns_select(&s->reader.columns, choice, e);
    free(choice->parameters.text);
    choice->parameters = (struct texts){ 0 };
    return good;
}

/* Gives each column its role. Output in another format, or with resampled rows, needs all cells. Output in
 * another format has room for a single table, as a picture has: channels in several tables are refused. */
static bool bind_columns(struct state *s, struct error *e)
{
    const struct output_settings *o = &s->c->output;
    struct columns *t = &s->reader.columns;
    s->writer.format = s->reader.format;
    if (o->to)
        s->writer.format = input_format("--to", o->to, e);
    else if (o->output && !format_has_suffix(s->reader.format, o->output) && format_by_file(o->output))
        s->writer.format = format_by_file(o->output);
    if (!s->writer.format || !check_destination(o, s->writer.format, e))
        return false;
    struct column_choice choice = s->c->columns;
    bool other = s->writer.format != s->reader.format;
    choice.all_cells = other || !isnan(s->c->resample) || s->reader.joined;
    if (!select_columns(s, &choice, e))
        return false;
    if (t->ncolumn > 0 && t->time == COLUMN_NONE && !(choice.rate > 0) && t->rate == 0)
        return columns_untimed(t, e);
    if (!isnan(s->c->resample) && !columns_resamplable(t, e))
        return false;
    if (s->reader.joined && !join_bind(&s->join, e))
        return false;
    if (!s->reader.part)
        columns_note(t, &choice, s->reader.messages, s->source.name);
    if (s->reader.format->bind && !s->reader.format->bind(&s->reader, e))
        return false;
    if (s->reader.npart < 2 || !(other || o->plot))
        return true;
    error_usage(e, "%s: the channels are in %zu tables with times of their own, and it shows one",
                other ? s->writer.format->name : "--plot", s->reader.npart);
    return error_hint(e, "choose those of one with --columns");
}

static bool wants_changes(const struct filter_job_config *c)
{
    return c->output.report || !isnan(c->output.max_change);
}

/* Chooses the derivatives; fills in the columns that are added and replaced. */
static bool make_output_columns(struct state *s, struct error *e)
{
    const struct filter_job_config *c = s->c;
    const struct columns *t = &s->reader.columns;
    bool in_place = c->output.in_place != NULL;
    bool several = s->reader.npart > 0 || s->reader.part;
    bool shaped = t->stacked || several || in_place || c->output.output_dir || s->writer.format->keeps_shape;
    struct output_columns *l = &s->chain.layout;
    struct derivatives *d = &s->chain.derivatives;
    d->printed = shaped ? 0 : 2;
    if (c->derivatives >= 0)
        d->printed = c->derivatives;
    d->computed = wants_changes(c) ? 2 : d->printed;
    const struct link *last = chain_last(&s->chain);
    if (d->computed == 0 && chain_resampled_outputs(&s->chain) > 0)
        d->computed = 1; /* points lie on a curve that takes velocities */
    const struct output_columns_config config = {
        t, &last->rotations, last->given->filter, last->given->settings, *d, last->left_out
    };
    if (!output_columns_make(l, &config, e))
        return false;
    if (s->chain.n > 1 || !isnan(c->resample))
        output_columns_add(l, t, !isnan(c->resample));
    s->reader.nout = isnan(c->resample) ? l->nout : t->nchannel * chain_resampled_outputs(&s->chain);
    if (!s->reader.part)
        columns_note_derivatives(t, l->ntaken > 0, s->reader.messages, s->source.name);
    size_t nmotive = s->chain.link[0].rotations.nmotive;
    if (nmotive > 0 && !s->reader.part)
        tell(
            s,
            "X, Y, Z and W of Rotation are filtered as quaternions (%zu); --quaternions none filters numbers",
            nmotive);
    return !keeps_digits(c, s->reader.format, s->writer.format) || input_digits_keep(l, t, e);
}

static bool open_output(struct state *s, struct error *e)
{
    const struct filter_job_config *c = s->c;
    bool hold = s->task->hold && !c->output.dry_run;
    const struct columns *t = &s->reader.columns;
    if (c->output.subtype >= 0 && s->writer.format->family != FAMILY_AUDIO) {
        error_usage(e, "--subtype is for audio, and the output is %s", s->writer.format->name);
        return error_hint(e, "--to wav writes audio");
    }
    if ((hold && s->held.fd < 0 && !tempfile_hold(&s->held, s->task->fd, e)) || !make_output_columns(s, e))
        return false;
    s->chain.rate = 0;
    if (t->time == COLUMN_NONE)
        s->chain.rate = c->columns.rate > 0 ? c->columns.rate : t->rate;
    /* Records of JSON are written with their own members. */
    s->chain.cells_alone = s->reader.format->family == FAMILY_JSON &&
                           s->writer.format->family == FAMILY_JSON && !wants_changes(c) && !c->output.plot;
    s->writer.joined = s->reader.joined;
    s->writer.resampled = !isnan(c->resample);
    s->writer.reader = &s->reader;
    s->writer.layout = &s->chain.layout;
    s->writer.number = number_format(c, reader_point(&s->reader));
    s->writer.fill = c->series.gaps >= GAPS_FILL && c->series.gaps <= GAPS_CUBIC;
    s->writer.fd = hold ? s->held.fd : s->task->fd;
    s->writer.rate = s->writer.resampled ? c->resample : s->chain.rate;
    s->writer.subtype = c->output.subtype;
    s->writer.messages = s->reader.messages;
    s->writer.out = s->task->out;
    return s->reader.npart > 0 || !s->writer.format->accept || s->writer.format->accept(&s->writer, e);
}

static bool open_observers(struct state *s, struct error *e)
{
    const struct output_settings *o = &s->c->output;
    const struct link *last = chain_last(&s->chain);
    double rate = s->writer.resampled ? 0 : s->chain.rate; /* resampled rows have times */
    if (o->plot && !plot_overlay_open(&s->picture, &s->reader, &s->chain.layout, rate, e))
        return false;
    for (size_t i = 0; o->plot && i < s->chain.cuts.ncut; i++)
        plot_mark(&s->picture.plot, s->chain.cuts.time[i]);
    s->changes = (struct change_stats){
        .reader = &s->reader,
        .filter = last->given->filter,
        .rotations = &last->rotations,
        .rate = rate,
        .limit = o->max_change,
    };
    return !wants_changes(s->c) || change_stats_open(&s->changes, last->given->settings, e);
}

static bool observe(void *observer, const struct block *b, struct error *e)
{
    struct state *s = observer;
    return (!s->c->output.plot || plot_overlay_add(&s->picture, b, e)) &&
           (!wants_changes(s->c) || change_stats_add(&s->changes, b, e));
}

static bool write_report(struct state *s, struct error *e)
{
    char filters[512] = "";
    for (size_t i = 0; i < s->chain.n; i++)
        text_append(filters, sizeof filters, "%s%s", i ? ", " : "", s->chain.link[i].given->filter->name);
    struct change_report report = {
        .file = s->source.name,
        .filters = filters,
        .count = chain_counted(&s->chain),
        .halflife = chain_chosen_halflives(&s->chain),
        .sets = &chain_last(&s->chain)->overrides,
        .cleaned = s->chain.clean_count,
        .json = strcmp(s->c->output.report, "json") == 0,
        .all = s->c->output.verbose,
    };
    char *before = s->task->report, *now = change_report(&s->changes, &report);
    s->task->report = now && before ? text_format("%s%s", before, now) : now;
    if (before)
        free(now);
    free(before);
    return s->task->report || error_memory(e);
}

static bool filter_rows(struct state *s, struct error *e)
{
    struct pipeline p = {
        .reader = &s->reader,
        .join = s->reader.joined ? &s->join : NULL,
        .writer = &s->writer,
        .stage = s->chain.stage,
        .nstage = s->chain.nstage,
        .task = s->task,
        .observe = observe,
        .observer = s,
    };
    if (!open_observers(s, e))
        return false;
    if (!pipeline_run(&p, e)) {
        bool temporary = s->task->hold && e->at_output && e->kind == ERROR_SYSTEM;
        return temporary && tempfile_blame_directory(e);
    }
    if (s->changes.beyond.kind) {
        *e = s->changes.beyond;
        return false;
    }
    if (s->c->output.plot &&
        !plot_overlay_draw(&s->picture, s->c->output.plot, s->reader.messages, s->source.name, e))
        return false;
    return !s->c->output.report || write_report(s, e);
}

/* Prints a range of neighbouring channels that begins in column `first`. All channels of the range are
 * components of rotations, or no channel is. Returns the last column of the range. */
static size_t print_channels(const struct state *s, size_t first)
{
    const struct columns *t = &s->reader.columns;
    const struct rotations *q = &s->chain.link[0].rotations;
    const struct rotation *from = rotations_of(q, t->column[first].value), *to = from;
    char rotation[300] = "";
    size_t last = first;
    for (const struct column *c = &t->column[first + 1]; c < t->column + t->ncolumn; c++, last++) {
        if (c->role != ROLE_CHANNEL || !rotations_of(q, c->value) != !from)
            break;
        to = rotations_of(q, c->value);
    }
    if (from)
        text_append(rotation, sizeof rotation, ", of the rotation%s \"%.100s\"", to == from ? "" : "s",
                    from->name);
    if (to != from)
        text_append(rotation, sizeof rotation, " to \"%.100s\"", to->name);
    if (first == last)
        tell(s, "channel \"%s\" (column %zu)%s", t->column[first].name, first + 1, rotation);
    else
        tell(s, "channels %zu-%zu: \"%s\" to \"%s\"%s", first + 1, last + 1, t->column[first].name,
             t->column[last].name, rotation);
    return last;
}

static void print_cleaned(const struct state *s, const struct column *c)
{
    struct clean_count n = s->chain.clean_count[c->value];
    char left[80] = "";
    if (n.unbridged)
        snprintf(left, sizeof left, ", %llu spike%s left as %s", (unsigned long long)n.unbridged,
                 error_plural(n.unbridged), n.unbridged == 1 ? "a gap" : "gaps");
    if (n.masked || n.spikes || n.filled || n.unbridged)
        tell(s, "channel \"%s\": %llu value%s masked, %llu spike%s bridged, %llu gap%s filled%s", c->name,
             (unsigned long long)n.masked, error_plural(n.masked), (unsigned long long)n.spikes,
             error_plural(n.spikes), (unsigned long long)n.filled, error_plural(n.filled), left);
}

/* Adds a note about vectors if a filter, --despike or the report uses the lengths of vectors. The text is the
 * same for every input, so that a batch shows the note once. */
static void note_vectors(const struct state *s)
{
    const struct rotations *q = chain_sized(&s->chain);
    if (!q && wants_changes(s->c))
        q = &s->chain.link[s->chain.n - 1].rotations;
    if (!q && !isnan(s->c->despike.factor))
        q = &s->chain.link[0].rotations;
    if (q && q->nvector > 0 && !s->c->vectors && !s->reader.part)
        tell(s,
             "positions are vectors, whose lengths speeds, limits, cuts, spikes and changes take: --verbose "
             "names them, --vectors none takes each column by itself");
}

/* Names the vectors of the input. */
static void print_vectors(const struct state *s)
{
    const struct rotations *q = &s->chain.link[0].rotations;
    char to[120] = "";
    if (q->nvector == 0)
        return;
    if (q->nvector > 1)
        snprintf(to, sizeof to, " to \"%.100s\"", q->vector[q->nvector - 1].name);
    tell(s, "%zu vector%s: \"%.100s\"%s", q->nvector, error_plural(q->nvector), q->vector[0].name, to);
}

static void print_summary(const struct state *s)
{
    struct series_count n = chain_counted(&s->chain);
    const struct columns *t = &s->reader.columns;
    char time[200];
    if (t->time == COLUMN_NONE)
        snprintf(time, sizeof time, "%.15g rows per second", s->chain.rate);
    else
        columns_describe_time(t, time, sizeof time);
    tell(s, "%s, %zu column%s, time: %s", s->reader.format->name, t->ncolumn, error_plural(t->ncolumn), time);
    if (s->writer.resampled)
        tell(s, "resampled to %.15g rows per second", s->writer.rate);
    for (size_t i = 0; i < t->ncolumn; i++)
        if (t->column[i].role == ROLE_CHANNEL)
            i = print_channels(s, i);
    print_vectors(s);
    for (size_t i = 0; i < t->ncolumn; i++) {
        const struct column *c = &t->column[i];
        if (c->role == ROLE_CHANNEL && s->chain.clean)
            print_cleaned(s, c);
        if (c->velocity != COLUMN_NONE)
            tell(s, "velocity of \"%s\": column \"%s\"", c->name, t->column[c->velocity].name);
        if (c->reason == REASON_PARAMETER)
            tell(s, "column \"%s\" is no channel: an option has its values from it", c->name);
    }
    tell(s, "%llu row%s, %llu gap%s, %llu cut%s, %llu group%s", (unsigned long long)n.rows,
         error_plural(n.rows), (unsigned long long)n.gaps, error_plural(n.gaps), (unsigned long long)n.cuts,
         error_plural(n.cuts), (unsigned long long)n.groups, error_plural(n.groups));
}

static bool check_velocities(const struct filter_job_config *c, struct error *e)
{
    const struct chained *first = c->filters.at;
    if (c->columns.velocities.ntext == 0)
        return true;
    if (!first->filter->velocities)
        return error_usage(e, "%s does not take --goal-velocity-from", first->filter->name);
    if (first->zero_phase || !isnan(c->resample))
        return error_usage(e,
                           "--goal-velocity-from cannot be combined with --%s, whose rows have no measured "
                           "velocity",
                           first->zero_phase ? "zero-phase" : "resample");
    return true;
}

static bool check_forget(const struct filter_job_config *c, struct error *e)
{
    if (isnan(c->series.forget))
        return true;
    if (!c->columns.group)
        return error_usage(e, "--forget is for --group-by, which is not given");
    if (!isnan(c->resample))
        return error_usage(
            e, "--forget cannot be combined with --resample, whose grid of times goes on from the "
               "first row of a series");
    for (size_t i = 0; i < c->filters.n; i++)
        if (c->filters.at[i].zero_phase)
            return error_usage(
                e, "--forget cannot be combined with --zero-phase, which needs all rows of a series");
    return true;
}

bool filter_job_check(const struct filter_job_config *c, struct error *e)
{
    const struct filter *last = c->filters.at[c->filters.n - 1].filter;
    return check_velocities(c, e) && check_forget(c, e) && clean_check(&c->despike, &c->columns.masks, e) &&
           format_check(&c->input, e) && (!c->input.from || input_format("--from", c->input.from, e)) &&
           (!c->output.to || input_format("--to", c->output.to, e)) &&
           change_stats_check(last, c->output.max_change, e) && chain_check(c, e);
}

/* Filters the rows of a table. The first call for an input of several tables filters no rows, but checks the
 * options against all tables. */
static bool run_table(struct state *s, struct error *e)
{
    bool good = bind_columns(s, e) && chain_bind(&s->chain, s->c, &s->reader, e) && open_output(s, e) &&
                chain_open(&s->chain, s->task->several, e);
    if (good)
        note_vectors(s);
    good = good && (s->c->output.dry_run || s->reader.npart > 0 || filter_rows(s, e));
    bool verbose = good && s->c->output.verbose && s->reader.npart == 0;
    if (good && chain_aliases(&s->chain))
        tell(s,
             "warning: %s removes no waves: those above %.15g Hz come out as slower ones; filter first, as "
             "with critical --cutoff %.3g --zero-phase --resample %.15g",
             s->c->filters.at[0].filter->name, s->c->resample / 2, s->c->resample / 5, s->c->resample);
    chain_say(&s->chain, verbose);
    if (verbose)
        print_summary(s);
    chain_close(&s->chain);
    plot_overlay_close(&s->picture);
    change_stats_close(&s->changes);
    return good;
}

/* Moves on to the next table, and puts the name of the table into messages. False: there is no next table. */
static bool next_table(struct state *s)
{
    if (!s->reader.format->next || s->reader.format->next(&s->reader) != LOAD_ROWS)
        return false;
    s->chain = (struct chain){ 0 };
    s->picture = (struct plot_overlay){ 0 };
    s->changes = (struct change_stats){ 0 };
    free(s->label);
    s->label = text_format("%s: %s", s->name, s->reader.part);
    s->source.name = s->label ? s->label : s->name;
    return true;
}

bool filter_job_run(const struct filter_job_config *c, struct filter_job_task *task,
                    struct messages *messages, struct error *e)
{
    struct state s = { .c = c, .task = task, .reader.messages = messages, .held.fd = -1 };
    bool good = source_open(&s.source, task->input, e) && refuse_same_file(&s, e);
    s.name = s.source.name;
    good = good && input_begin(&s.source, &s.reader, task->input, &c->input, e) &&
           check_format_options(&s, e);
    good = good && (!task->joined || join_open(&s.join, &s.reader, task->joined, task->fd, e));
    do {
        good = good && run_table(&s, e);
    } while (good && next_table(&s));
    if (good && s.held.fd >= 0) {
        good = tempfile_finish(&s.held, e);
        e->at_output = !good;
    }
    if (s.writer.format && s.writer.format->end)
        s.writer.format->end(&s.writer);
    tempfile_close(&s.held);
    if (!good && s.reader.joined && !e->at_output && e->line)
        task->failed = join_place(&s.join, &e->line);
    join_close(&s.join);
    if (!good)
        s.reader.messages = NULL; /* after an error, no message says how far the input was read */
    if (s.reader.format)
        s.reader.format->close(&s.reader);
    columns_free(&s.reader.columns);
    source_close(&s.source);
    free(s.label);
    return good;
}
