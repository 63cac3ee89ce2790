/* Inputs and the places of their outputs. See targets.h. */
#include "run/targets.h"

#include "base/array.h"
#include "base/port.h"
#include "formats/format.h"
#include "formats/input.h"

#include <errno.h>
#include <stdlib.h>
#include <strings.h>

enum { MAXREPORT = 10 /* conflicts printed singly */ };

const char *target_name(const struct target *target, bool output)
{
    if (!output)
        return source_shown(target->input);
    return strcmp(target->out.path, "-") == 0 ? "(standard output)" : target->out.path;
}

/* --- the name of an output --- */

/* The path of an output in --output-dir: the folder, the path `below` without its extension, --suffix, and
 * the extension. With --to, the first extension of the format is added unless the name has an extension of
 * the format, and replaces an extension of another format. malloc'ed; NULL: out of memory. */
static char *name_in_folder(const struct output_settings *settings, const char *below)
{
    const char *slash = strrchr(below, '/');
    const char *base = slash ? slash + 1 : below;
    const char *dot = strrchr(base, '.');
    const char *extension = dot && dot != base ? dot : base + strlen(base);
    int nstem = (int)(extension - below);
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
static bool name_output(const struct targets *all, struct target *target, const char *below, struct error *e)
{
    const struct output_settings *settings = all->options;
    target->out.path = settings->in_place ? target->input : "-";
    if (settings->output)
        target->out.path = settings->output;
    if (!settings->output_dir)
        return true;
    if (strcmp(target->input, "-") == 0) {
        error_usage(e, "standard input has no file name to use in --output-dir");
        return error_hint(e, "use --output FILE");
    }
    target->name = name_in_folder(settings, below);
    target->out.path = target->name ? target->name : "-";
    target->out.makes_folders = true;
    return target->name || error_memory(e);
}

/* --- conflicts --- */

/* The path of input `number`, counted from 1; after the inputs come the other files that the command reads.
 */
static const char *input_name(const struct targets *all, size_t number)
{
    const size_t ninput = all->inputs.nfile;
    return number <= ninput ? all->inputs.file[number - 1].path
                            : all->options->reads.text[number - ninput - 1];
}

static int stat_input(const char *name, struct port_status *status)
{
    return strcmp(name, "-") ? port_status_of(name, status) : port_status(PORT_STDIN, status);
}

/* Claims all that the command reads before the first output is checked. */
static bool claim_inputs(struct targets *all, struct error *e)
{
    const size_t n = all->inputs.nfile + all->options->reads.ntext;
    struct port_status status;
    for (size_t number = 1; number <= n; number++)
        if (stat_input(input_name(all, number), &status) == 0 &&
            file_table_claim_input(&all->files, &status, number) == 0)
            return error_memory(e);
    return true;
}

/* Claims the output's name. Refuses an output of an earlier target; but *repeated if an earlier target has
 * both the same input, first_of_input, and the same output. */
static bool claim_output(struct targets *all, const struct target *target, size_t first_of_input,
                         bool *repeated, struct error *e)
{
    const struct outfile *out = &target->out;
    const size_t first = file_table_claim_output(&all->files, out->real ? out->real : out->path, out->number);
    if (first == 0)
        return error_memory(e);
    *repeated = first != out->number && (out->in_place || first == first_of_input);
    if (*repeated || first == out->number)
        return true;
    error_usage(e, "the output %s is also the output of %s", out->path, input_name(all, first));
    return error_hint(e, "filter them separately into two folders, or name their folder with --recursive");
}

/* Checks that the backup is no input and, without --force, does not exist. */
static bool check_backup(const struct targets *all, const struct outfile *out, struct error *e)
{
    struct port_status status;
    if (port_status_of_link(out->backup, &status) != 0)
        return true;
    const size_t input = file_table_find_input(&all->files, &status);
    if (input) {
        error_usage(e, "the backup %s is an input", input_name(all, input));
        return error_hint(e, "choose another suffix");
    }
    if (out->force)
        return true;
    error_usage(e, "the backup %s already exists", out->backup);
    return error_hint(e, "choose another suffix, or add --force to replace it");
}

/* Refuses to write to a file that the command reads, and in --output-dir, without --force and --update, to
 * any existing file. first_of_input: number of the first target with the same input. */
static bool check_replaced(const struct targets *all, const struct target *target, size_t first_of_input,
                           struct error *e)
{
    const struct output_settings *settings = all->options;
    const struct outfile *out = &target->out;
    const size_t input = out->kind == OUTPUT_FILE ? file_table_find_input(&all->files, &out->status) : 0;
    if (input > all->inputs.nfile) {
        error_usage(e, "the output would replace a file that this command reads");
        error_hint(e, "use another name for the output");
    } else if (input) {
        error_usage(e, "the output is %s itself",
                    input == first_of_input ? "the input" : input_name(all, input));
        error_hint(e, "use --in-place to replace a file");
    } else if (target->name && !settings->force && !settings->update && out->kind != OUTPUT_NOTHING) {
        error_usage(e, "the output already exists");
        error_hint(e, "add --force to replace it, or --update to filter only new and changed files");
    } else {
        return true;
    }
    e->at_output = true;
    return false;
}

/* Compares a target with all inputs and with earlier targets. *repeated: an earlier target does the same. */
static bool check_conflicts(struct targets *all, const struct target *target,
                            const struct port_status *status, bool *repeated, struct error *e)
{
    const size_t first = file_table_find_input(&all->files, status);
    if ((target->name || target->out.in_place) && !claim_output(all, target, first, repeated, e))
        return false;
    if (*repeated)
        return true;
    if (target->out.in_place)
        return !target->out.backup || check_backup(all, &target->out, e);
    return check_replaced(all, target, first, e);
}

/* --- a target --- */

/* Looks at the input and the place of the output; opens nothing. */
static bool look(struct targets *all, struct target *target, const struct tree_file *file,
                 struct port_status *status, struct error *e)
{
    const struct output_settings *settings = all->options;
    if (file->errnum)
        return error_system(e, file->errnum, "cannot read the folder");
    if (stat_input(target->input, status) != 0)
        return error_system(e, errno, "cannot open");
    target->regular = status->kind == PORT_REGULAR;
    target->size = target->regular ? status->size : 0;
    if (status->kind == PORT_DIRECTORY && !settings->in_place)
        return source_refuse_directory(target->input, true, e);
    if (!name_output(all, target, file->path + file->below, e))
        return false;
    if (!output_look(&target->out, e)) {
        e->at_output = !settings->in_place;
        return false;
    }
    if (!settings->in_place || !*settings->in_place)
        return true;
    target->out.backup = text_format("%s%s", target->out.real, settings->in_place);
    return target->out.backup || error_memory(e);
}

/* Does the output exist, and was the output modified no earlier than the input? */
static bool up_to_date(const struct target *target, const struct port_status *status)
{
    struct timespec in = status->modified;
    struct timespec out = target->out.status.modified;
    if (target->out.kind != OUTPUT_FILE || !target->regular)
        return false;
    return out.tv_sec != in.tv_sec ? out.tv_sec > in.tv_sec : out.tv_nsec >= in.tv_nsec;
}

static void free_target(struct target *target)
{
    output_close(&target->out);
    free(target->name);
    messages_free(&target->messages);
    free(target->task.report);
}

/* Adds the target of input `number`, counted from 1, unless it is repeated. False: a conflict, which stops
 * the command; the message of the target has the error. */
static bool add_target(struct targets *all, size_t number)
{
    const struct tree_file *file = &all->inputs.file[number - 1];
    struct target *target = &all->target[all->ntarget++];
    struct port_status status;
    struct error failure;
    bool repeated = false;
    target->input = target->out.path = file->path;
    target->out.force = all->options->force;
    target->out.in_place = all->options->in_place;
    target->out.files = &all->files;
    target->out.number = number;
    const bool looked = look(all, target, file, &status, &failure);
    const bool fits = !looked || check_conflicts(all, target, &status, &repeated, &failure);
    if (repeated) {
        free_target(target);
        *target = (struct target){ 0 };
        all->ntarget--;
        return true;
    }
    target->failed = !looked || !fits;
    if (target->failed)
        messages_error(&target->messages, target_name(target, failure.at_output), &failure);
    target->skipped = !target->failed && all->options->update && !all->options->force &&
                      up_to_date(target, &status);
    return fits;
}

/* --- the targets of a command --- */

/* Makes and checks all targets, and prints conflicts. False: there are conflicts. */
static bool add_targets(struct targets *all, struct messages *messages)
{
    struct message_fold fold = { 0 }; /* each hint is printed only once */
    size_t nconflict = 0;
    for (size_t number = 1; number <= all->inputs.nfile; number++)
        if (!add_target(all, number) && nconflict++ < MAXREPORT)
            messages_move(messages, &all->target[all->ntarget - 1].messages, &fold);
    messages_unfold(messages, &fold);
    if (nconflict > MAXREPORT)
        messages_add(messages, NULL, "and %zu more like these", nconflict - MAXREPORT);
    if (nconflict && all->ntarget > 1)
        messages_add(messages, NULL, "nothing was written");
    return nconflict == 0;
}

bool targets_list_inputs(struct tree *inputs, const struct output_settings *options,
                         const struct texts *operands, const struct port_status *except, struct error *e)
{
    const struct tree_choice choice = { &options->include, format_knows, except };
    return tree_add_operands(inputs, operands, options->recursive, &choice, e) &&
           (operands->ntext || tree_add_file(inputs, "-", e));
}

/* Makes --output-dir, if it is missing. */
static bool make_folder(struct targets *all, struct error *e)
{
    if (port_is_directory(all->options->output_dir))
        return true;
    int errnum = output_make_directory(all->options->output_dir);
    all->made_folder = errnum == 0;
    return errnum == 0 || error_system(e, errnum, "cannot create --output-dir");
}

bool targets_open(struct targets *all, const struct output_settings *options, const struct texts *operands,
                  struct messages *messages)
{
    struct error e;
    struct port_status folder;
    const char *output_dir = options->output_dir;
    const char *file = NULL; /* the file that the error names */
    file_table_open(&all->files);
    all->options = options;
    bool good = output_options_check(options, operands, &e);
    bool there = output_dir && port_status_of(output_dir, &folder) == 0;
    if (good && there && folder.kind != PORT_DIRECTORY) {
        file = output_dir;
        good = error_system(&e, ENOTDIR, "cannot use --output-dir");
    }
    good = good && targets_list_inputs(&all->inputs, options, operands, there ? &folder : NULL, &e) &&
           claim_inputs(all, &e) && arrays_make(&e, ARRAY(all->target, all->inputs.nfile));
    if (good && !add_targets(all, messages))
        return false;
    if (good && output_dir && !options->dry_run) {
        file = output_dir;
        good = make_folder(all, &e);
    }
    if (!good)
        messages_error(messages, file, &e);
    return good;
}

void targets_free(struct targets *all)
{
    for (size_t i = 0; i < all->ntarget; i++)
        free_target(&all->target[i]);
    free(all->target);
    if (all->made_folder)
        port_remove_directory(all->options->output_dir); /* fails unless the folder is empty */
    tree_free(&all->inputs);
    file_table_close(&all->files);
}
