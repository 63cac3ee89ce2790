/* Inputs and the places of their outputs. See targets.h. */
#include "run/targets.h"

#include "base/port.h"
#include "base/signals.h"
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

/* The parts of a path without "." and empty parts: "a/b.csv" for "/a//./b.csv". Paths of one file below
 * --output-dir are equal, also where its folders are not made yet. malloc'ed; NULL: out of memory. */
static char *plain_path(const char *path)
{
    char *plain = malloc(strlen(path) + 1), *to = plain;
    for (const char *part = path + port_root(path); plain && *part; part += strspn(part, "/")) {
        size_t n = strcspn(part, "/");
        if (n > 1 || part[0] != '.') {
            if (to > plain)
                *to++ = '/';
            memcpy(to, part, n);
            to += n;
        }
        part += n;
    }
    if (plain)
        *to = '\0';
    return plain;
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
    char *plain = plain_path(below);
    target->name = plain ? name_in_folder(settings, plain) : NULL;
    free(plain);
    target->out.path = target->name ? target->name : "-";
    target->out.folder = all->options->output_dir;
    return target->name || error_memory(e);
}

/* --- conflicts --- */

/* The path of input `number`, counted from 1. */
static const char *input_name(const struct targets *all, size_t number)
{
    return all->inputs.file[number - 1].path;
}

/* The key of the target's input among all inputs; of a file that does not exist the key of the name. */
static uint64_t input_key(const struct target *target)
{
    return target->st.kind != PORT_NOTHING ? file_key(&target->st) : file_key_of_name(target->input);
}

/* Claims the output's name for the target. Refuses an output of an earlier target, and an input that is the
 * output of an earlier target; but if an earlier target has both the same input and the same output, sets
 * target->repeated. first_of_input: number of the first target with the same input. */
static bool claim_output(struct targets *all, struct target *target, size_t first_of_input, struct error *e)
{
    size_t number = target->out.number;
    const char *path = target->out.kind == OUTPUT_FILE && target->out.real ? target->out.real
                                                                           : target->out.path;
    size_t writer = file_table_find(&all->files.outputs, file_key_of_name(target->input));
    size_t first = file_table_claim(&all->files.outputs, file_key_of_name(path), number);
    if (first == 0)
        return error_memory(e);
    bool other = first != number;
    target->repeated = other && (all->options->in_place || first == first_of_input);
    if (target->repeated || (!other && (writer == 0 || writer == number)))
        return true;
    if (other)
        error_usage(e, "the output %s is also the output of %s", target->out.path, input_name(all, first));
    else
        error_usage(e, "this file is also the output of %s", input_name(all, writer));
    return error_hint(e, "filter them separately into two folders, or name their folder with --recursive");
}

/* Checks that the backup is no input and, without --force, does not exist. */
static bool check_backup(struct targets *all, const struct target *target, struct error *e)
{
    struct port_status st;
    size_t input = 0;
    if (port_status_of(target->out.backup, &st) == 0)
        input = file_table_find(&all->files.inputs, file_key(&st));
    if (!input && (all->options->force || port_status_of_link(target->out.backup, &st) != 0))
        return true;
    if (input) {
        error_usage(e, "the backup %s is an input", input_name(all, input));
        return error_hint(e, "choose another suffix");
    }
    error_usage(e, "the backup %s already exists", target->out.backup);
    return error_hint(e, "choose another suffix, or add --force to replace it");
}

/* Refuses an output that is a file of options or cuts of this command. */
static bool check_read(const struct output_settings *settings, const struct outfile *out, struct error *e)
{
    struct port_status st;
    for (size_t i = 0; out->kind == OUTPUT_FILE && i < settings->reads.ntext; i++)
        if (port_status_of(settings->reads.text[i], &st) == 0 && file_key(&st) == file_key(&out->st)) {
            error_usage(e, "the output would replace a file that this command reads");
            error_hint(e, "use another name for the output");
            e->at_output = true;
            return false;
        }
    return true;
}

/* Refuses to write to an input; in --output-dir, without --force and --update, to any existing file. looked:
 * as for check_conflicts. */
static bool check_replaced(struct targets *all, const struct target *target, bool looked, struct error *e)
{
    const struct output_settings *settings = all->options;
    bool file = target->out.kind == OUTPUT_FILE;
    bool own = file && file_key(&target->out.st) == input_key(target);
    size_t input = file ? file_table_find(&all->files.inputs, file_key(&target->out.st)) : 0;
    if (own || input) {
        error_usage(e, "the output is %s itself", own ? "the input" : input_name(all, input));
        error_hint(e, "use --in-place to replace a file");
    } else if (target->name && !settings->force && !settings->update &&
               (file || (target->out.kind == OUTPUT_STREAM && looked))) {
        error_usage(e, "the output already exists");
        error_hint(e, "add --force to replace it%s",
                   settings->output_dir ? ", or --update to filter only new and changed files" : "");
    } else {
        return check_read(settings, &target->out, e);
    }
    e->at_output = true;
    return false;
}

/* Compares a target with the known inputs and with earlier targets; sets target->repeated. Checking a target
 * twice gives the same result. looked: result of look; *e may hold the error of look, which the error of a
 * conflict replaces. */
static bool check_conflicts(struct targets *all, struct target *target, bool looked, struct error *e)
{
    size_t first = file_table_claim(&all->files.inputs, input_key(target), target->out.number);
    if (first == 0)
        return error_memory(e);
    if ((target->name || all->options->in_place) && !claim_output(all, target, first, e))
        return false;
    if (target->repeated)
        return true;
    if (all->options->in_place)
        return !target->out.backup || check_backup(all, target, e);
    return check_replaced(all, target, looked, e);
}

/* --- a target --- */

/* Looks at an input. Returns 0, or an errno value with *st zero. st_size is 0 unless the input is a regular
 * file. */
static int stat_input(const char *name, struct port_status *st)
{
    int result = strcmp(name, "-") ? port_status_of(name, st) : port_status(PORT_STDIN, st);
    int errnum = result == 0 ? 0 : errno;
    if (errnum)
        *st = (struct port_status){ 0 };
    if (st->kind != PORT_REGULAR)
        st->size = 0;
    return errnum;
}

/* Looks at the input and the place of the output; opens nothing. */
static bool look(struct targets *all, struct target *target, const struct tree_file *file, struct error *e)
{
    const struct output_settings *settings = all->options;
    int errnum = stat_input(target->input, &target->st);
    if (file->errnum)
        return error_system(e, file->errnum, "cannot read the folder");
    if (target->st.kind == PORT_DIRECTORY && !settings->in_place)
        return source_refuse_directory(target->input, true, e);
    if (!name_output(all, target, file->path + file->below, e))
        return false;
    if (!output_look(&target->out, e)) {
        e->at_output = !settings->in_place;
        return false;
    }
    if (errnum)
        return error_system(e, errnum, "cannot open");
    if (!settings->in_place || !*settings->in_place)
        return true;
    target->out.backup = text_format("%s%s", target->out.real, settings->in_place);
    return target->out.backup || error_memory(e);
}

/* Does the output exist, and was the output modified no earlier than the input? */
static bool up_to_date(const struct target *target)
{
    struct timespec in = target->st.modified;
    struct timespec out = target->out.st.modified;
    if (target->out.kind != OUTPUT_FILE || target->st.kind != PORT_REGULAR)
        return false;
    return out.tv_sec != in.tv_sec ? out.tv_sec > in.tv_sec : out.tv_nsec >= in.tv_nsec;
}

/* Makes the target of input `number`, counted from 1. */
static void make_target(struct targets *all, size_t number, struct target *target)
{
    const struct tree_file *file = &all->inputs.file[number - 1];
    struct error failure;
    target->input = file->path;
    target->out.force = all->options->force;
    target->out.in_place = all->options->in_place;
    target->out.files = &all->files;
    target->out.number = number;
    bool looked = look(all, target, file, &failure);
    /* Conflicts are looked for after a failed look, too: later targets are compared with this target. A
     * conflict stops the whole command, so the conflict is the error to report. */
    target->conflict = !file->errnum && !check_conflicts(all, target, looked, &failure);
    target->failed = !looked || target->conflict;
    if (target->failed)
        messages_error(&target->errors, target_name(target, failure.at_output), &failure);
    target->skipped = !target->failed && all->options->update && !all->options->force && up_to_date(target);
}

bool targets_next(struct targets *all, struct target *target)
{
    while (all->at < all->inputs.nfile) {
        make_target(all, ++all->at, target);
        if (!target->repeated)
            return true;
        target_free(target);
    }
    return false;
}

void target_free(struct target *target)
{
    free(target->name);
    free(target->out.backup);
    output_close(&target->out);
    messages_free(&target->notes);
    messages_free(&target->errors);
    free(target->task.report);
    *target = (struct target){ 0 };
}

/* --- --output-dir --- */

/* Makes the directories above the last part of a path. The caller sees a failure with the last part. */
static bool make_parents(const char *directory, struct error *e)
{
    char *path = strdup(directory);
    if (!path)
        return error_memory(e);
    for (char *slash = strchr(path + 1, '/'); slash && slash[strspn(slash, "/")];
         slash = strchr(slash + 1, '/')) {
        *slash = 0;
        port_make_directory(path);
        *slash = '/';
    }
    free(path);
    return true;
}

/* Makes --output-dir if it is missing; a signal that ends the program then removes the directory, if empty.
 */
static bool make_folder(struct targets *all, struct error *e)
{
    const char *path = all->options->output_dir;
    if (port_is_directory(path))
        return true;
    if (!make_parents(path, e))
        return false;
    signals_hold();
    all->made_folder = port_make_directory(path) == 0;
    int errnum = errno;
    if (all->made_folder)
        signals_keep(path);
    signals_release();
    return all->made_folder || error_system(e, errnum, "cannot create --output-dir");
}

/* --- the targets of a command --- */

/* Claims all inputs before the first target is checked, since a target is compared with later inputs, too. */
static void claim_inputs(struct targets *all)
{
    struct port_status st;
    for (size_t i = 0; i < all->inputs.nfile; i++)
        if (stat_input(all->inputs.file[i].path, &st) == 0)
            file_table_claim(&all->files.inputs, file_key(&st), i + 1);
}

/* Checks all targets before the first file is filtered, and prints conflicts. False: there are conflicts. */
static bool check_all(struct targets *all, struct messages *messages)
{
    struct target target = { 0 };
    struct message_fold fold = { 0 }; /* each hint is printed only once */
    size_t nconflict = 0;
    bool sized = true;
    claim_inputs(all);
    while (targets_next(all, &target)) {
        if (target.conflict && nconflict++ < MAXREPORT)
            messages_move(messages, &target.errors, &fold);
        all->ntarget++;
        all->nbyte += target.failed || target.skipped ? 0 : (uint64_t)target.st.size;
        sized = sized && (target.st.kind == PORT_REGULAR || target.failed);
        all->to_stdout = all->to_stdout || target.out.kind == OUTPUT_STDOUT;
        target_free(&target);
    }
    messages_unfold(messages, &fold);
    if (nconflict > MAXREPORT)
        messages_add(messages, NULL, "and %zu more like these", nconflict - MAXREPORT);
    if (nconflict && all->ntarget > 1)
        messages_add(messages, NULL, "nothing was written");
    all->at = 0;
    all->nbyte = sized ? all->nbyte : 0;
    return nconflict == 0;
}

bool targets_list_inputs(struct tree *inputs, const struct output_settings *options,
                         const struct texts *operands, const struct port_status *except, struct error *e)
{
    const struct tree_choice choice = { &options->include, format_knows, except };
    return tree_add_operands(inputs, operands, options->recursive, &choice, e) &&
           (operands->ntext || tree_add_file(inputs, "-", e));
}

bool targets_open(struct targets *all, const struct output_settings *options, const struct texts *operands,
                  struct messages *messages)
{
    struct error e;
    struct port_status folder;
    const char *output_dir = options->output_dir;
    const char *file = NULL; /* the file that the error names */
    command_files_open(&all->files);
    all->options = options;
    bool good = output_options_check(options, operands, &e);
    bool there = output_dir && port_status_of(output_dir, &folder) == 0;
    if (good && there && folder.kind != PORT_DIRECTORY) {
        file = output_dir;
        good = error_system(&e, ENOTDIR, "cannot use --output-dir");
    }
    if (good) {
        good = targets_list_inputs(&all->inputs, options, operands, there ? &folder : NULL, &e);
        file = NULL;
    }
    if (good && !check_all(all, messages))
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
    if (all->made_folder) {
        signals_hold();
        port_remove_directory(all->options->output_dir); /* fails unless the folder is empty */
        signals_forget(all->options->output_dir);
        signals_release();
    }
    tree_free(&all->inputs);
    if (all->options)
        command_files_close(&all->files);
}
