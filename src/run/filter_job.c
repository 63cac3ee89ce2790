/* A job from top to bottom. See filter_job.h; stages.c opens its stages. */
#include "run/filter_job.h"

#include "base/port.h"
#include "formats/input.h"
#include "io/tempfile.h"
#include "run/pipeline.h"
#include "run/stages.h"
#include <stdio.h>
#include <stdlib.h>

/* --- how numbers are printed --- */

/* Do numbers keep the decimals of the input? They do with --decimals input; and without --decimals, if the
 * output takes the place of the input or is motion capture. */
static bool keeps_decimals(const struct filter_job_config *config, const struct format *from,
                           const struct format *to)
{
    if (config->decimals == PARAM_WORD)
        return true;
    bool like_input = config->output.in_place || (config->output.output_dir && from == to);
    return config->decimals < 0 && (like_input || to->family == FAMILY_MOTION);
}

/* --- opening --- */

/* Everything that a job opens, and that filter_job_run closes. */
struct job {
    const struct filter_job_config *config;
    struct filter_job_task *task;
    struct source source;
    struct reader input, part; /* of the whole input; of the table at work, where it has several */
    struct reader *reader;     /* of the rows: one of them */
    struct writer writer;
    struct stages stages;
    struct change_stats changes; /* for --report */
    atomic_bool listed;          /* --missing has found a value */
    uint64_t nmasked;            /* values that --mask made missing, in all tables */
    size_t ncut;                 /* number of times of --cuts that a row has reached */
    struct column_choice choice; /* the options about columns */
    const char *name;            /* name of the input in messages */
    char *label; /* name of the input and of the table, where the input has several tables; owned */
};

/* Are the options only checked, over all tables of an input? Rows are read when each table has its turn. */
static bool only_checks(const struct job *job)
{
    return job->reader->npart > 0 && !job->reader->part;
}

/* Refuses to write to the input file: reading would never end, or opening the output has truncated the input
 * already. */
static bool refuse_same_file(const struct job *job, struct error *e)
{
    if (!source_is_file(&job->source, job->task->fd))
        return true;
    error_usage(e, "the output and the input are the same file");
    return error_hint(e, "write to another file");
}

/* Refuses options that mean nothing in the input's format. */
static bool check_format_options(const struct job *job, struct error *e)
{
    const struct table *table = &job->reader->table;
    if (job->config->columns.time_unit > TIME_UNIT_S && (table->counted || table->even || table->owns_time))
        return error_usage(e, "--time-unit does not apply to %s, whose times are in seconds",
                           job->reader->format->name);
    return input_check_options(job->reader, e);
}

/* Refuses to write a binary format to a terminal. */
static bool check_destination(const struct output_settings *settings, const struct format *format,
                              struct error *e)
{
    const bool binary = format->family == FAMILY_AUDIO || format->family == FAMILY_ARRAY ||
                        (format->family == FAMILY_BINARY && strcmp(format->name, "gltf") != 0);
    const bool to_file = settings->output && strcmp(settings->output, "-") != 0;
    if (!binary || to_file || settings->in_place || settings->output_dir || settings->dry_run ||
        !port_is_terminal(PORT_STDOUT))
        return true;
    error_usage(e, "%s is binary, but standard output is a terminal", format->name);
    return error_hint(e, "write to a file with --output FILE, or print text with --to csv");
}

/* Warns where standard output is a file whose name means another format than the one that is written, or one
 * that --in-place leaves empty. */
static void warn_of_redirection(const struct job *job)
{
    const struct output_settings *settings = &job->config->output;
    const struct format *format = job->writer.format;
    char path[4096];
    if (settings->to || settings->output || settings->output_dir || settings->dry_run || settings->report ||
        !port_file_of(PORT_STDOUT, path, sizeof path))
        return;
    const struct format *named = format_by_file(path);
    if (named && settings->in_place)
        messages_add(job->reader->messages, NULL,
                     "warning: nothing is written to standard output, %s: --in-place changes the input",
                     path);
    else if (named && named->family != format->family && !format_has_suffix(format, path))
        messages_add(job->reader->messages, job->source.name,
                     "warning: standard output is %s, but %s is written: for %s, add --to %s", path,
                     format->name, named->name, named->name);
}

/* Chooses the format of the output, and gives each column its role. Output in another format, or with
 * resampled rows, needs all cells. Output in another format has room for one table: channels in several
 * tables are refused. */
static bool bind_columns(struct job *job, struct error *e)
{
    const struct output_settings *settings = &job->config->output;
    const struct table *table = &job->reader->table;
    job->writer.format = job->reader->format;
    if (settings->to)
        job->writer.format = input_format("--to", settings->to, e);
    else if (settings->output && !format_has_suffix(job->reader->format, settings->output) &&
             format_by_file(settings->output))
        job->writer.format = format_by_file(settings->output);
    if (!job->writer.format || !check_destination(settings, job->writer.format, e))
        return false;
    warn_of_redirection(job);
    bool other = job->writer.format != job->reader->format;
    job->choice = job->config->columns;
    job->choice.uses = job->task->some ? &job->task->uses : NULL;
    job->choice.all_cells = other || !isnan(job->config->resample);
    if (!table_plan(&job->reader->table, &job->choice, e))
        return false;
    bool untimed = table->ncolumn > 0 && table->time == COLUMN_NONE && table->row_rate == 0;
    if (untimed && !table->even) /* else bind says what the header lacks */
        return columns_untimed(e);
    if (!isnan(job->config->resample) && !table_resamplable(table, e))
        return false;
    table_note(table, job->reader->messages, job->source.name);
    if (!reader_bind(job->reader, e))
        return false;
    if (job->reader->npart < 2 || !other)
        return true;
    error_usage(e, "%s: the channels are in %zu tables with different times; only one can be shown",
                job->writer.format->name, job->reader->npart);
    return error_hint(e, "choose the channels of one table with --columns");
}

/* Notes units that only names and the first row show; with --verbose, all units of several columns. */
static void tell_units(const struct job *job)
{
    const struct units *units = &job->stages.units;
    for (const struct unit_kind *const *kind = unit_kinds; *kind; kind++) {
        size_t n = 0;
        for (size_t i = 0; i < units->n; i++) {
            const struct unit *unit = &units->at[i];
            n += unit->kind == *kind && unit->n > 1 && (unit->shown || job->config->output.verbose);
        }
        if (n == 1)
            reader_tell(job->reader, "1 %s is filtered as a %s (%s none: as separate numbers)", (*kind)->noun,
                        (*kind)->name, (*kind)->option);
        else if (n > 1)
            reader_tell(job->reader, "%zu %ss are filtered as %ss (%s none: as separate numbers)", n,
                        (*kind)->noun, (*kind)->name, (*kind)->option);
    }
}

/* Chooses the derivatives; fills in the columns that are added and replaced. */
static bool make_output_columns(struct job *job, struct error *e)
{
    const struct filter_job_config *config = job->config;
    const struct table *table = &job->reader->table;
    const bool elements = job->reader->format->family == FAMILY_JSON && !table->named &&
                          job->writer.format->family == FAMILY_JSON; /* rows are arrays */
    bool shaped = table->stacked || elements || job->reader->npart > 0 || config->output.in_place ||
                  config->output.output_dir || job->writer.format->keeps_shape;
    struct output_columns *layout = &job->stages.layout;
    struct derivatives *derivatives = &job->stages.derivatives;
    derivatives->printed = shaped ? 0 : 2;
    if (config->derivatives >= 0)
        derivatives->printed = config->derivatives;
    derivatives->computed = config->output.report ? 2 : derivatives->printed;
    if (derivatives->computed == 0 && stages_take_curves(config))
        derivatives->computed = 1; /* points lie on a curve that takes velocities */
    const struct output_columns_config wanted = {
        .table = table,
        .units = &job->stages.units,
        .filter = config->filter.filter,
        .settings = config->filter.settings,
        .derivatives = *derivatives,
        .grid = !isnan(config->resample),
    };
    if (!output_columns_make(layout, &wanted, e))
        return false;
    job->reader->nout = layout->nout;
    if (!job->reader->part)
        tell_units(job);
    layout->decimals_of_cells = keeps_decimals(config, job->reader->format, job->writer.format);
    return true;
}

static bool open_output(struct job *job, struct error *e)
{
    const struct filter_job_config *config = job->config;
    if (!make_output_columns(job, e))
        return false;
    job->writer.resampled = !isnan(config->resample);
    job->writer.reader = job->reader;
    job->writer.layout = &job->stages.layout;
    const int decimals = config->decimals >= 0 ? (int)config->decimals : NUMBER_SHORTEST;
    job->writer.number = (struct number_format){ decimals, reader_point(job->reader) };
    job->writer.fd = job->task->fd;
    job->writer.rate = job->writer.resampled ? config->resample : job->reader->table.row_rate;
    job->writer.out = job->task->out;
    return only_checks(job) || !job->writer.format->accept || job->writer.format->accept(&job->writer, e);
}

static bool open_changes(struct job *job, struct error *e)
{
    const struct job_filter *filter = &job->config->filter;
    job->changes = (struct change_stats){
        .reader = job->reader,
        .filter = filter->filter,
        .units = &job->stages.units,
        .rate = job->writer.resampled ? 0 : job->reader->table.row_rate, /* resampled rows have times */
    };
    return !job->config->output.report || change_stats_open(&job->changes, filter->settings, e);
}

static bool observe(void *observer, const struct block *block, struct error *e)
{
    struct job *job = observer;
    return change_stats_add(&job->changes, block, e);
}

static bool write_report(struct job *job, struct error *e)
{
    const struct job_filter *filter = &job->config->filter;
    struct change_report report = {
        .file = job->source.name,
        .groups = job->stages.groups.ngroup,
        .count = job->stages.channel_count,
        .cleaned = stages_clean(&job->stages),
        .chosen = filter_automatic(filter->settings),
        .json = strcmp(job->config->output.report, "json") == 0,
        .all = job->config->output.verbose,
    };
    change_stats_most(&job->changes, job->task->input, job->task->most);
    char *before = job->task->report, *now = change_report(&job->changes, &report);
    job->task->report = now && before ? text_format("%s%s", before, now) : now;
    if (before)
        free(now);
    free(before);
    return job->task->report || error_memory(e);
}

static bool filter_rows(struct job *job, struct error *e)
{
    struct pipeline pipeline = {
        .reader = job->reader,
        .writer = &job->writer,
        .stage = job->stages.at,
        .nstage = job->stages.n,
        .task = job->task,
        .observe = job->config->output.report ? observe : NULL,
        .observer = job,
    };
    if (!open_changes(job, e))
        return false;
    if (!pipeline_run(&pipeline, e))
        return false;
    return !job->config->output.report || write_report(job, e);
}

/* Counts what --mask and --cuts have touched in a table. */
static void count_touched(struct job *job)
{
    const struct groups *groups = &job->stages.groups;
    for (size_t channel = 0; channel < job->reader->table.nchannel; channel++)
        job->nmasked += job->stages.channel_count[channel].masked;
    for (size_t i = 0; i < groups->ngroup; i++)
        job->ncut = groups->at[i]->ncut > job->ncut ? groups->at[i]->ncut : job->ncut;
}

/* Says which options have touched nothing in any table. */
static void warn_of_untouched(const struct job *job)
{
    const char *missing = job->config->input.missing;
    const struct texts *masks = &job->config->columns.masks;
    const struct numbers *cuts = &job->config->cuts.given;
    double last = -INFINITY;
    for (size_t i = 0; i < cuts->nvalue; i++)
        last = fmax(last, cuts->value[i]);
    if (missing && !atomic_load(&job->listed))
        messages_add(job->input.messages, job->name, "warning: --missing %s: found in no channel", missing);
    if (masks->ntext > 0 && job->nmasked == 0)
        messages_add(
            job->input.messages, job->name,
            "warning: --mask %s: no value becomes missing; check the limit and its direction, < or >",
            masks->text[0]);
    if (job->ncut < cuts->nvalue)
        messages_add(job->input.messages, job->name,
                     "warning: --cuts %.15g: no row has this time or a later one", last);
}

/* Filters the rows of the reader. For the reader of an input of several tables the call checks the options
 * over the columns of all tables; then each table has one call. */
static bool run_reader(struct job *job, struct error *e)
{
    bool good = stages_bind(&job->stages, job->config, job->reader, e) && open_output(job, e) &&
                stages_open(&job->stages, job->task, e);
    const bool filters = !job->config->output.dry_run && !only_checks(job);
    good = good && (!filters || filter_rows(job, e));
    if (good)
        count_touched(job);
    if (good)
        job_summary_warn(&job->stages);
    if (good && job->config->output.verbose && !only_checks(job))
        job_summary_print(&job->stages);
    stages_close(&job->stages);
    change_stats_close(&job->changes);
    return good;
}

/* Moves on to the next table, and puts the name of the table into messages. *more: there is a next table. */
static bool next_table(struct job *job, bool *more, struct error *e)
{
    const enum loaded loaded = input_next_part(&job->input, &job->part, e);
    *more = loaded == LOAD_ROWS;
    if (!*more)
        return loaded == LOAD_END;
    job->reader = &job->part;
    job->stages = (struct stages){ 0 };
    job->changes = (struct change_stats){ 0 };
    free(job->label);
    job->label = text_format("%s: %s", job->name, job->reader->part);
    job->source.name = job->label ? job->label : job->name;
    return true;
}

bool filter_job_run(const struct filter_job_config *config, struct filter_job_task *task,
                    struct messages *messages, struct error *e)
{
    struct job job = { .config = config, .task = task, .input.messages = messages };
    job.reader = &job.input;
    job.input.listed = &job.listed;
    bool good = source_open(&job.source, task->input, e) && refuse_same_file(&job, e);
    job.name = job.source.name;
    good = good && input_begin(&job.source, &job.input, task->input, &config->input, e) &&
           check_format_options(&job, e) && bind_columns(&job, e);
    for (bool more = true; good && more;)
        good = run_reader(&job, e) && next_table(&job, &more, e);
    if (good && !config->output.dry_run)
        warn_of_untouched(&job);
    if (job.writer.format && job.writer.format->end)
        job.writer.format->end(&job.writer);
    if (!good)
        job.input.messages = NULL; /* after an error, no message says how far the input was read */
    if (job.input.format)
        job.input.format->close(&job.input);
    table_free(&job.part.table);
    table_free(&job.input.table);
    source_close(&job.source);
    free(job.label);
    return good;
}
