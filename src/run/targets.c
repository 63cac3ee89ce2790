/* Inputs and the places of their outputs. See targets.h. */
#include "run/targets.h"

#include "base/array.h"
#include "base/hash.h"
#include "base/name_table.h"
#include "base/port.h"
#include "formats/input.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <strings.h>

enum {
    MAXREPORT = 10, /* conflicts printed singly */
    MAXSUFFIX = 7   /* bytes of a suffix that may be a format's, as the help says */
};

const char *target_name(const struct target *target, bool output)
{
    if (!output)
        return source_shown(target->input);
    return strcmp(target->out.path, "-") == 0 ? "(standard output)" : target->out.path;
}

/* --- the options --- */

/* Checks that the options name one place for the output, and a place for every input. */
static bool check_places(const struct output_settings *settings, const struct texts *operands,
                         struct error *e)
{
    const char *first = settings->output ? "--output" : "--output-dir";
    const char *second = settings->in_place ? "--in-place" : "--output-dir";
    const char *last = operands->ntext == 2 ? operands->text[1] : NULL;
    char word[TEXT_WORD];
    if ((settings->output != NULL) + (settings->output_dir != NULL) + (settings->in_place != NULL) > 1)
        return error_usage(e, "%s cannot be combined with %s", first, second);
    if (settings->output_dir || settings->in_place)
        return operands->ntext > 0 || !settings->in_place || error_usage(e, "--in-place needs a file");
    if (settings->recursive) {
        error_usage(e, "--recursive can name several inputs, but there is only one output");
        return error_hint(e, "use --output-dir DIR or --in-place");
    }
    if (operands->ntext < 2)
        return true;
    error_usage(e, "%zu input files, but only one output", operands->ntext);
    if (last && !settings->output && format_by_file(last))
        return error_hint(e, "use --output-dir DIR or --in-place; if the second is the output: -o %s",
                          text_quoted(word, last));
    return error_hint(e, "use --output-dir DIR or --in-place");
}

/* Refuses a name for the output with a suffix that looks like a format's but is unknown: a short word,
 * neither the input's own suffix nor usual for text. */
static bool check_suffix(const char *output, const struct texts *inputs, struct error *e)
{
    static const char usual[] = ".txt .dat .out .log .tmp .asc";
    const char *suffix = format_suffix(output);
    const char *same = inputs->ntext ? format_suffix(inputs->text[0]) : NULL;
    if (!suffix || suffix == output || suffix[-1] == '/' || format_by_file(output) ||
        (same && strcasecmp(suffix, same) == 0) || port_strcasestr(usual, suffix))
        return true;
    size_t n = 0, ndigit = strspn(suffix + 1, "0123456789");
    while (isalnum((unsigned char)suffix[1 + n]))
        n++;
    if (suffix[1 + n] || n == ndigit || n > MAXSUFFIX)
        return true;
    const char *way_out = text_has_word("mp3 m4a aac wma", suffix + 1)
                              ? "for sound, try .flac, .ogg or .wav"
                              : "try a name that ends in .csv, or add --to FORMAT to keep this name; "
                                "for all formats: sprung help formats";
    return input_refuse_format("--output", suffix + 1, way_out, e);
}

static bool check_options(const struct output_settings *settings, const struct texts *operands,
                          struct error *e)
{
    if (!check_places(settings, operands, e))
        return false;
    if (settings->suffix && !settings->output_dir) {
        error_usage(e, "--suffix needs --output-dir");
        return settings->in_place ? error_hint(e, "to keep a backup, use --in-place=SUFFIX") : false;
    }
    if (settings->update && !settings->output_dir)
        return error_usage(e, "--update needs --output-dir");
    if (settings->include.ntext && !settings->recursive)
        return error_usage(e, "--include needs --recursive");
    if ((settings->suffix && strchr(settings->suffix, '/')) ||
        (settings->in_place && strchr(settings->in_place, '/')))
        return error_usage(e, "a suffix cannot contain a slash");
    if (settings->in_place && settings->to) {
        error_usage(e, "--to cannot be combined with --in-place: the file name would not match the format");
        return error_hint(e, "use --output-dir DIR, which changes the suffix too");
    }
    return settings->to || !settings->output || check_suffix(settings->output, operands, e);
}

/* --- one target --- */

/* The path of an output in --output-dir: the folder, the path `below` without its extension, --suffix, and
 * the extension. With --to, the first extension of the format is added unless the name has an extension of
 * the format, and replaces an extension of another format. malloc'ed; NULL: out of memory. */
static char *name_in_folder(const struct output_settings *settings, const char *below)
{
    const char *slash = strrchr(below, '/');
    const char *base = slash ? slash + 1 : below;
    const char *dot = strrchr(base, '.');
    const char *extension = dot && dot != base ? dot : base + strlen(base);
    const int nstem = (int)(extension - below);
    const struct format *to = settings->to ? format_find(settings->to) : NULL;
    const char *added = "";
    if (to && !(*extension && format_has_suffix(to, extension))) {
        added = to->suffixes[0];
        if (format_by_file(base))
            extension = ""; /* the text after any other dot is part of the name */
    }
    const char *slash_after = settings->output_dir[strlen(settings->output_dir) - 1] == '/' ? "" : "/";
    const char *suffix = settings->suffix ? settings->suffix : "";
    return text_format("%s%s%.*s%s%s%s", settings->output_dir, slash_after, nstem, below, suffix, extension,
                       added);
}

/* Chooses the place of the output. below: the part of the input's path kept in --output-dir. */
static bool name_output(const struct output_settings *settings, struct target *target, const char *below,
                        struct error *e)
{
    struct outfile *out = &target->out;
    out->force = settings->force;
    out->in_place = settings->in_place != NULL;
    out->suffix = settings->in_place && *settings->in_place ? settings->in_place : NULL;
    if (settings->in_place)
        out->path = target->input;
    if (settings->output)
        out->path = settings->output;
    if (!settings->output_dir)
        return true;
    if (strcmp(target->input, "-") == 0) {
        error_usage(e, "standard input has no file name to use in --output-dir");
        return error_hint(e, "use --output FILE");
    }
    target->name = name_in_folder(settings, below);
    if (!target->name)
        return error_memory(e);
    out->path = target->name;
    return true;
}

static int stat_input(const char *name, struct port_status *status)
{
    return strcmp(name, "-") ? port_status_of(name, status) : port_status(PORT_STDIN, status);
}

/* Looks at the input and the place of the output; opens nothing. */
static bool look(const struct output_settings *settings, struct target *target, const struct tree_file *file,
                 struct error *e)
{
    if (file->errnum)
        return error_system(e, file->errnum, "cannot read the folder");
    if (target->status.kind == PORT_NOTHING && stat_input(target->input, &target->status) != 0)
        return error_system(e, errno, "cannot open");
    if (target->status.kind == PORT_DIRECTORY && !settings->in_place)
        return source_refuse_directory(target->input, e);
    if (!name_output(settings, target, file->path + file->below, e))
        return false;
    const bool good = output_look(&target->out, e);
    e->at_output = !good && !settings->in_place;
    return good;
}

/* Finds the second file of an output, which the input names: a job that only checks its options looks at it.
 * Errors come again when the file is filtered. */
static void look_for_companion(const struct filter_job_config *config, struct target *target)
{
    struct filter_job_config checks = *config;
    struct filter_job_task task = { .input = target->input, .fd = -1, .out = &target->out, .some = true };
    struct error ignored;
    const struct format *format = format_by_file(target->input);
    checks.output.dry_run = true;
    if (format && format->companions && target->status.kind == PORT_REGULAR)
        filter_job_run(&checks, &task, NULL, &ignored);
}

/* Does the output exist, and was the output modified no earlier than the input? */
static bool up_to_date(const struct target *target)
{
    const struct timespec in = target->status.modified, out = target->out.status.modified;
    if (target->out.kind != OUTPUT_FILE || target->status.kind != PORT_REGULAR)
        return false;
    return out.tv_sec != in.tv_sec ? out.tv_sec > in.tv_sec : out.tv_nsec >= in.tv_nsec;
}

/* --- conflicts --- */

/* The paths that a command reads and writes. */
struct claims {
    struct name_table read;    /* by device and inode: the number of the path in all->inputs, or after those
                                  in options->reads */
    struct name_table written; /* by path: the index of the target */
};

static struct name_key key_of(const struct port_status *status)
{
    const uint64_t both[] = { status->device, status->inode };
    return (struct name_key){ .scope = hash_bytes(both, sizeof both) };
}

/* The path of file i that the command reads. */
static const char *read_path(const struct targets *all, size_t i)
{
    const size_t ninput = all->inputs.nfile;
    return i < ninput ? all->inputs.file[i].path : all->options->reads.text[i - ninput];
}

/* Claims all that the command reads. */
static bool claim_inputs(const struct targets *all, struct claims *claims, struct error *e)
{
    struct port_status other;
    const size_t ninput = all->inputs.nfile;
    for (size_t i = 0; i < ninput + all->options->reads.ntext; i++) {
        struct port_status *status = i < ninput ? &all->target[i].status : &other;
        if (stat_input(read_path(all, i), status) == 0 &&
            !name_table_put(&claims->read, key_of(status), i, e))
            return false;
    }
    return true;
}

/* Refuses an output of target i that an earlier target has. */
static bool claim_output(const struct targets *all, struct claims *claims, size_t i,
                         const struct outfile *out, struct error *e)
{
    if (!out || !out->real || all->options->output)
        return true;
    const struct name_key key = name_key(out->real, strlen(out->real));
    const size_t first = name_table_find(&claims->written, key);
    if (first == NAME_TABLE_NONE)
        return name_table_put(&claims->written, key, i, e);
    error_usage(e, "the output %s is also the output of %s", out->path, all->target[first].input);
    return error_hint(e, "name each file once; filter files of the same name, or with the same file of "
                         "samples, into different folders");
}

/* Checks that the output replaces no file of the command but its own input, and in --output-dir, without
 * --force and --update, no file at all. */
static bool check_replaced(const struct targets *all, const struct claims *claims,
                           const struct target *target, struct error *e)
{
    const struct outfile *out = &target->out;
    struct port_status backup;
    if (out->in_place && out->backup && port_status_of(out->backup, &backup) == 0 &&
        name_table_find(&claims->read, key_of(&backup)) != NAME_TABLE_NONE) {
        error_usage(e, "the backup %s is an input", out->backup);
        return error_hint(e, "choose another suffix");
    }
    if (out->in_place || out->kind != OUTPUT_FILE)
        return true;
    const size_t input = name_table_find(&claims->read, key_of(&out->status));
    if (input != NAME_TABLE_NONE) {
        error_usage(e, "the output is the input %s", source_shown(read_path(all, input)));
        return error_hint(e, "use another name for the output, or --in-place to replace a file");
    }
    if (!target->name || all->options->force || all->options->update)
        return true;
    error_usage(e, "the output already exists");
    return error_hint(e, "add --force to replace it, or --update to filter only new and changed files");
}

static bool check_conflicts(const struct targets *all, struct claims *claims, size_t i, struct error *e)
{
    const struct outfile *out = &all->target[i].out;
    if (!claim_output(all, claims, i, out, e) || !claim_output(all, claims, i, out->companion, e))
        return false;
    const bool good = check_replaced(all, claims, &all->target[i], e);
    e->at_output = !good && !all->options->in_place;
    return good;
}

/* --- the targets of a command --- */

/* Adds a target for each input. Conflicts are printed. False: there are conflicts. */
static bool add_targets(struct targets *all, const struct filter_job_config *config, struct claims *claims,
                        struct messages *messages)
{
    struct message_fold fold = { 0 }; /* each hint is printed only once */
    size_t nconflict = 0;
    for (size_t i = 0; i < all->inputs.nfile; i++) {
        struct target *target = &all->target[all->ntarget++];
        struct error e = { 0 };
        target->input = all->inputs.file[i].path;
        target->out.path = "-";
        const bool looked = look(all->options, target, &all->inputs.file[i], &e);
        if (looked && all->inputs.nfile > 1)
            look_for_companion(config, target);
        const bool fits = !looked || check_conflicts(all, claims, i, &e);
        target->failed = !looked || !fits;
        if (target->failed)
            messages_error(&target->messages, target_name(target, e.at_output), &e);
        target->skipped = !target->failed && all->options->update && !all->options->force &&
                          up_to_date(target);
        if (!fits && nconflict++ < MAXREPORT)
            messages_move(messages, &target->messages, &fold);
    }
    messages_unfold(messages, &fold);
    if (nconflict > MAXREPORT)
        messages_add(messages, NULL, "and %zu more like these", nconflict - MAXREPORT);
    if (nconflict && all->ntarget > 1)
        messages_add(messages, NULL, "nothing was written");
    return nconflict == 0;
}

bool targets_open(struct targets *all, const struct filter_job_config *config, const struct texts *operands,
                  struct messages *messages)
{
    const struct output_settings *options = &config->output;
    struct error e;
    struct port_status folder;
    struct claims claims = { 0 };
    all->options = options;
    const bool there = options->output_dir && port_status_of(options->output_dir, &folder) == 0;
    const struct tree_choice choice = { &options->include, format_knows, there ? &folder : NULL };
    bool good = check_options(options, operands, &e) &&
                tree_add_operands(&all->inputs, operands, options->recursive, &choice, &e) &&
                arrays_make(&e, ARRAY(all->target, all->inputs.nfile)) && claim_inputs(all, &claims, &e);
    if (!good)
        messages_error(messages, NULL, &e);
    good = good && add_targets(all, config, &claims, messages);
    name_table_free(&claims.read);
    name_table_free(&claims.written);
    return good;
}

void targets_free(struct targets *all)
{
    for (size_t i = 0; i < all->ntarget; i++) {
        struct target *target = &all->target[i];
        output_close(&target->out);
        free(target->name);
        messages_free(&target->messages);
        free(target->task.report);
        free(target->task.uses.at);
    }
    free(all->target);
    tree_free(&all->inputs);
}
