/* Where the result of each input goes: see targets.h. Conflicts are found in target_conflicts.c. */
#include "run/targets.h"
#include "base/port.h"

#include "base/signals.h"
#include "formats/input.h"
#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <strings.h>
#include <unistd.h>

enum {
    MAXSUFFIX = 7, /* bytes of a suffix that is taken for a format's: those of mktemp are longer */
    MAXREPORT = 10 /* conflicts that are reported one by one */
};

const char *target_name(const struct target *t, bool output)
{
    const char *path = output ? t->out.path : t->input;
    return strcmp(path, "-") ? path : output ? "(standard output)" : "(standard input)";
}

/* --- the options that say where output goes --- */

static bool check_options(const struct output_settings *o, size_t noperand, struct error *e)
{
    if ((o->output != NULL) + (o->output_dir != NULL) + (o->in_place != NULL) > 1)
        return error_usage(e, "%s and %s: one place for the output is enough",
                           o->output ? "--output" : "--output-dir",
                           o->in_place ? "--in-place" : "--output-dir");
    bool list = o->files_from != NULL;
    if ((noperand > 1 || list) && !o->output_dir && !o->in_place) {
        if (list)
            error_usage(e, "--files-from names several inputs, and there is one output");
        else
            error_usage(e, "%zu inputs, and one output", noperand);
        return error_hint(e, "give --output-dir DIR for a file each, or --in-place to replace the files");
    }
    if (noperand == 0 && !list && o->in_place)
        return error_usage(e, "--in-place: no file is given");
    if (o->suffix && !o->output_dir) {
        error_usage(e, "--suffix belongs to --output-dir");
        return o->in_place ? error_hint(e, "to keep the old file: --in-place=SUFFIX") : false;
    }
    if (o->null && !list)
        return error_usage(e, "--null belongs to --files-from");
    if (o->update && !o->output_dir)
        return error_usage(e, "--update belongs to --output-dir");
    if ((o->suffix && strchr(o->suffix, '/')) || (o->in_place && strchr(o->in_place, '/')))
        return error_usage(e, "a suffix is a part of a name: it has no slash");
    if (o->in_place && o->to) {
        error_usage(e, "--to with --in-place: the file's name would not match its format");
        return error_hint(e, "--output-dir writes files with matching names");
    }
    return true;
}

/* --- the names of the inputs --- */

/* Goes back to the first name. */
static void rewind_names(struct names *n)
{
    lseek(n->source.fd, -(off_t)n->source.nread, SEEK_CUR); /* without a list, or before it is read, by 0 */
    n->source.nread = 0;
    n->source.ended = false;
    n->at = n->line = n->begin = n->nbyte = 0;
}

static enum named refuse_name(const struct names *n, const char *what, struct error *e)
{
    error_usage(e, "%s", what);
    error_place(e, n->line);
    error_hint(e, "each line is a name; --null reads names that end with NUL");
    return NAMES_ERROR;
}

/* Reads more of the list behind the name that is not complete. */
static enum named read_names(struct names *n, bool wait, struct error *e)
{
    size_t got;
    if (!n->source.name || n->source.ended || n->later)
        return NAMES_END;
    if (!wait && !source_ready(&n->source))
        return NAMES_LATER;
    n->nbyte -= n->begin;
    memmove(n->bytes, n->bytes + n->begin, n->nbyte);
    n->begin = 0;
    if (n->nbyte + 1 == sizeof n->bytes)
        return refuse_name(n, "the name after this one is too long", e);
    if (!source_read(&n->source, n->bytes + n->nbyte, sizeof n->bytes - n->nbyte - 1, &got, e))
        return NAMES_ERROR;
    n->nbyte += got;
    if (n->source.ended && n->nbyte)
        n->bytes[n->nbyte++] = n->end; /* the last name may lack it */
    return NAMES_NAME;
}

/* The next name, which stays until the next call; empty ones are skipped. An error is about the list. */
static enum named next_name(struct names *n, bool wait, const char **name, struct error *e)
{
    if (n->at < n->operands->ntext) {
        *name = n->operands->text[n->at++];
        return NAMES_NAME;
    }
    for (;;) {
        char *begin = n->bytes + n->begin, *end = memchr(begin, n->end, n->nbyte - n->begin);
        enum named more = end ? NAMES_NAME : read_names(n, wait, e);
        if (more != NAMES_NAME)
            return more;
        if (!end)
            continue;
        n->begin += (size_t)(end - begin) + 1;
        n->line++;
        if (n->end && end > begin && end[-1] == '\r')
            end--;
        *end = 0;
        *name = begin;
        if (strlen(begin) < (size_t)(end - begin))
            return refuse_name(n, "a name with a NUL byte", e);
        if (end > begin)
            return NAMES_NAME;
    }
}

/* --- the names of the outputs --- */

/* Refuses a name for the output whose suffix looks like that of a format, but is of none: a short word, and
 * not the input's own or usual for any text. */
static bool check_suffix(const char *output, const struct texts *inputs, struct error *e)
{
    static const char *const usual[] = { ".txt", ".dat", ".out", ".log", ".tmp", ".asc" };
    const char *suffix = output ? format_suffix(output) : NULL;
    const char *same = suffix && inputs->ntext ? format_suffix(inputs->text[0]) : NULL;
    if (!suffix || suffix == output || suffix[-1] == '/' || format_by_file(output) ||
        (same && strcasecmp(suffix, same) == 0))
        return true;
    for (size_t i = 0; i < sizeof usual / sizeof *usual; i++)
        if (strcasecmp(suffix, usual[i]) == 0)
            return true;
    const char *name = suffix + 1;
    size_t n = 0, ndigit = strspn(name, "0123456789");
    while (isalnum((unsigned char)name[n]))
        n++;
    return name[n] || n == ndigit || n > MAXSUFFIX ||
           input_refuse_format("--output", name, "; --to writes any of them under this name", e);
}

/* DIR/name_suffix.ext; malloc'ed. The extension changes where --to is a format whose it is not. */
static char *name_in_directory(const struct output_settings *o, const char *input)
{
    const char *slash = strrchr(input, '/'), *base = slash ? slash + 1 : input, *dot = strrchr(base, '.');
    size_t nbase = dot && dot != base ? (size_t)(dot - base) : strlen(base), ndir = strlen(o->output_dir);
    const struct format *to = o->to ? format_find(o->to) : NULL;
    const char *old = base + nbase,
               *fresh = !to || (*old && format_has_suffix(to, old)) ? "" : to->suffixes[0];
    if (*fresh && format_by_file(base))
        old = ""; /* another format's extension goes; any other dot is part of the name */
    return text_format("%s%s%.*s%s%s%s", o->output_dir, o->output_dir[ndir - 1] == '/' ? "" : "/", (int)nbase,
                       base, o->suffix ? o->suffix : "", old, fresh);
}

static bool name_output(const struct output_settings *o, struct target *t, struct error *e)
{
    t->out.path = o->in_place ? t->input : o->output ? o->output : "-";
    t->out.force = o->force;
    t->out.in_place = o->in_place;
    if (!o->output_dir)
        return true;
    if (strcmp(t->input, "-") == 0) {
        error_usage(e, "standard input has no name to write under");
        return error_hint(e, "give --output FILE");
    }
    t->name = name_in_directory(o, t->input);
    t->out.path = t->name ? t->name : "-";
    return t->name || error_memory(e);
}

/* --- one target --- */

int target_stat(const char *name, struct stat *st)
{
    int errnum = (strcmp(name, "-") ? stat(name, st) : fstat(STDIN_FILENO, st)) == 0 ? 0 : errno;
    if (errnum)
        *st = (struct stat){ 0 };
    if (!S_ISREG(st->st_mode))
        st->st_size = 0;
    return errnum;
}

/* Looks at the input and the place of the output; opens nothing. */
static bool look(const struct output_settings *o, struct target *t, struct error *e)
{
    int errnum = target_stat(t->input, &t->st);
    if (S_ISDIR(t->st.st_mode) && !o->in_place)
        return source_refuse_directory(t->input, e);
    if (!name_output(o, t, e))
        return false;
    if (!output_look(&t->out, e)) {
        e->at_output = !o->in_place;
        return false;
    }
    if (errnum)
        return error_system(e, errnum, "cannot open");
    if (!o->in_place || !*o->in_place)
        return true;
    t->out.backup = text_format("%s%s", t->out.real, o->in_place);
    return t->out.backup || error_memory(e);
}

/* Is the output there, and was it changed when the input was last changed, or later? */
static bool up_to_date(const struct target *t)
{
    struct timespec in = port_modified(&t->st), out = port_modified(&t->out.st);
    return t->out.kind == OUTPUT_FILE && S_ISREG(t->st.st_mode) &&
           (out.tv_sec != in.tv_sec ? out.tv_sec > in.tv_sec : out.tv_nsec >= in.tv_nsec);
}

enum named targets_next(struct targets *all, bool wait, struct target *t, struct error *e)
{
    const struct output_settings *o = all->options;
    struct error failure;
    const char *name;
    for (;;) {
        enum named named = next_name(&all->names, wait, &name, e);
        if (named != NAMES_NAME)
            return named;
        t->input = strdup(name);
        if (!t->input) {
            error_memory(e);
            return NAMES_ERROR;
        }
        t->failed = !look(o, t, &failure);
        t->conflict = !target_check(all, t, &failure);
        t->failed = t->failed || t->conflict;
        if (t->failed)
            messages_error(&t->messages, target_name(t, failure.at_output), &failure);
        t->skipped = !t->failed && o->update && up_to_date(t);
        if (!t->repeated)
            return NAMES_NAME;
        target_free(t);
    }
}

void target_free(struct target *t)
{
    free(t->input);
    free(t->name);
    free(t->out.backup);
    output_close(&t->out);
    messages_free(&t->messages);
    free(t->task.report);
    *t = (struct target){ 0 };
}

/* Makes --output-dir unless it is there. A signal that ends the program removes it while it is empty. */
static bool make_directory(struct targets *all, struct error *e)
{
    const char *directory = all->options->output_dir;
    struct stat st;
    int errnum = stat(directory, &st) ? errno : S_ISDIR(st.st_mode) ? 0 : ENOTDIR;
    if (errnum != ENOENT || all->options->dry_run)
        return errnum == 0 || errnum == ENOENT || error_system(e, errnum, "--output-dir cannot be used");
    char *path = strdup(directory);
    if (!path)
        return error_memory(e);
    /* The parents, as far as they can be made: what is wrong shows when the directory itself is made. */
    for (char *slash = strchr(path + 1, '/'); slash && slash[strspn(slash, "/")];
         slash = strchr(slash + 1, '/')) {
        *slash = 0;
        mkdir(path, 0777);
        *slash = '/';
    }
    free(path);
    sigset_t held = signals_hold();
    all->made_directory = mkdir(directory, 0777) == 0;
    errnum = errno;
    if (all->made_directory)
        signals_keep(directory);
    signals_release(&held);
    return all->made_directory || errnum == EEXIST || error_system(e, errnum, "--output-dir cannot be made");
}

/* --- all targets --- */

/* Makes all known targets once, before the first is filtered, and reports their conflicts. False: there are
 * some, or an error in the list. */
static bool check_known(struct targets *all, struct messages *messages)
{
    struct target t = { 0 };
    struct error e;
    enum named named;
    size_t nconflict = 0;
    bool known = !all->names.later, sized = known;
    for (const char *name; (named = next_name(&all->names, true, &name, &e)) == NAMES_NAME;) {
        struct stat st;
        target_stat(name, &st);
        target_keep_input(all, name, &st);
    }
    rewind_names(&all->names);
    while (named != NAMES_ERROR && (named = targets_next(all, true, &t, &e)) == NAMES_NAME) {
        if (t.conflict && nconflict++ < MAXREPORT)
            messages_move(messages, &t.messages);
        all->ntarget++;
        all->nbyte += t.failed || t.skipped ? 0 : (uint64_t)t.st.st_size;
        sized = sized && (S_ISREG(t.st.st_mode) || t.failed);
        all->to_stdout = all->to_stdout || t.out.kind == OUTPUT_STDOUT;
        target_free(&t);
    }
    if (named == NAMES_ERROR)
        messages_error(messages, all->names.source.name, &e);
    if (nconflict > MAXREPORT)
        messages_add(messages, NULL, "and %zu more like these", nconflict - MAXREPORT);
    if (nconflict && (all->ntarget > 1 || all->names.source.name))
        messages_add(messages, NULL, "nothing was written");
    rewind_names(&all->names);
    free(all->outputs.slot); /* targets are compared again when their turn comes */
    all->outputs = (struct identities){ 0 };
    all->nbyte = sized ? all->nbyte : 0;
    all->names.later = false;
    all->ntarget = known ? all->ntarget : SIZE_MAX;
    return named == NAMES_END && nconflict == 0;
}

bool targets_open(struct targets *all, const struct output_settings *options, const struct texts *operands,
                  struct messages *messages)
{
    static const char *const standard[] = { "-" };
    static const struct texts standard_input = { (const char **)standard, 1 };
    struct error e;
    struct names *n = &all->names;
    const char *file = NULL, *list = options->files_from;
    all->options = options;
    n->operands = operands->ntext || list ? operands : &standard_input;
    n->end = options->null ? 0 : '\n';
    bool good = check_options(options, operands->ntext, &e) &&
                (options->to || check_suffix(options->output, operands, &e));
    if (good && list) {
        good = source_open(&n->source, list, &e);
        n->later = !n->source.regular;
        file = n->source.name;
    }
    if (good && !check_known(all, messages))
        return false;
    if (good && options->output_dir) {
        file = options->output_dir;
        good = make_directory(all, &e);
    }
    if (!good)
        messages_error(messages, file, &e);
    return good;
}

void targets_free(struct targets *all)
{
    if (all->made_directory) {
        sigset_t held = signals_hold();
        rmdir(all->options->output_dir); /* fails unless it is empty */
        signals_forget(all->options->output_dir);
        signals_release(&held);
    }
    source_close(&all->names.source);
    free(all->inputs.slot);
    free(all->outputs.slot);
}
