/* Where the result of each input goes: see targets.h. Conflicts are found in target_conflicts.c. */
#include "run/targets.h"

#include "base/signals.h"
#include "formats/input.h"
#include "io/source.h"
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MAXSUFFIX = 7 }; /* bytes of a suffix that is taken for a format's: those of mktemp are longer */

const char *target_input(const struct target *t)
{
    return strcmp(t->input, "-") ? t->input : "(standard input)";
}

const char *target_output(const struct target *t)
{
    return strcmp(t->want.path, "-") ? t->want.path : "(standard output)";
}

/* --- the options that say where output goes --- */

static bool choose_kind(struct targets *all, size_t ninput, struct error *e)
{
    const struct output_settings *o = all->options;
    if ((o->output != NULL) + (o->output_dir != NULL) + (o->in_place != NULL) > 1)
        return error_usage(e, "%s and %s: one place for the output is enough",
                           o->output ? "--output" : "--output-dir",
                           o->in_place ? "--in-place" : "--output-dir");
    all->kind = o->in_place     ? TARGET_IN_PLACE
                : o->output_dir ? TARGET_DIRECTORY
                : o->output     ? TARGET_FILE
                                : TARGET_STDOUT;
    if (ninput > 1 && (all->kind == TARGET_STDOUT || all->kind == TARGET_FILE)) {
        error_usage(e, "%zu inputs, and one output", ninput);
        return error_hint(e, "give --output-dir DIR for a file each, or --in-place to replace the files");
    }
    if (ninput == 0 && o->in_place)
        return error_usage(e, "--in-place: no file is given");
    if (o->suffix && !o->output_dir) {
        error_usage(e, "--suffix belongs to --output-dir");
        return o->in_place ? error_hint(e, "to keep the old file: --in-place=SUFFIX") : false;
    }
    if ((o->suffix && strchr(o->suffix, '/')) || (o->in_place && strchr(o->in_place, '/')))
        return error_usage(e, "a suffix is a part of a name: it has no slash");
    if (o->in_place && o->to) {
        error_usage(e, "--to with --in-place: the file's name would not match its format");
        return error_hint(e, "--output-dir writes files with matching names");
    }
    return true;
}

static bool check_directory(const char *directory, struct error *e)
{
    struct stat st;
    if (stat(directory, &st) != 0)
        return errno == ENOENT || error_system(e, errno, "--output-dir cannot be used");
    return S_ISDIR(st.st_mode) || error_system(e, ENOTDIR, "--output-dir cannot be used");
}

/* --- names --- */

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

/* The extension that a name needs for --to; "" where its own is one of that format's. */
static const char *new_extension(const struct output_settings *o, const char *extension)
{
    const struct format *to = o->to ? format_find(o->to) : NULL;
    return !to || (*extension && format_has_suffix(to, extension)) ? "" : to->suffixes[0];
}

/* DIR/name_suffix.ext; malloc'ed. */
static char *name_in_directory(const struct output_settings *o, const char *input)
{
    const char *slash = strrchr(input, '/'), *base = slash ? slash + 1 : input, *dot = strrchr(base, '.');
    size_t nbase = dot && dot != base ? (size_t)(dot - base) : strlen(base), ndir = strlen(o->output_dir);
    const char *old = base + nbase, *fresh = new_extension(o, old), *suffix = o->suffix ? o->suffix : "";
    if (*fresh && format_by_file(base))
        old = ""; /* another format's extension goes; any other dot is part of the name */
    return text_format("%s%s%.*s%s%s%s", o->output_dir, o->output_dir[ndir - 1] == '/' ? "" : "/", (int)nbase,
                       base, suffix, old, fresh);
}

static bool name_output(const struct targets *all, struct target *t, struct error *e)
{
    const struct output_settings *o = all->options;
    t->want = (struct output_want){
        .path = all->kind == TARGET_IN_PLACE ? t->input
                : all->kind == TARGET_FILE   ? o->output
                                             : "-",
        .force = o->force,
        .in_place = all->kind == TARGET_IN_PLACE,
    };
    if (all->kind != TARGET_DIRECTORY)
        return true;
    if (strcmp(t->input, "-") == 0) {
        error_usage(e, "standard input has no name to write under");
        return error_hint(e, "give --output FILE");
    }
    t->name = name_in_directory(o, t->input);
    t->want.path = t->name ? t->name : "-";
    return t->name || error_memory(e);
}

/* --- one target for each input --- */

static bool make_target(struct targets *all, struct target *t, struct error *e)
{
    bool in_place = all->kind == TARGET_IN_PLACE;
    if ((strcmp(t->input, "-") ? stat(t->input, &t->st) : fstat(STDIN_FILENO, &t->st)) != 0)
        t->st = (struct stat){ 0 };
    if (!S_ISREG(t->st.st_mode))
        t->st.st_size = 0;
    e->at_output = false;
    if (S_ISDIR(t->st.st_mode) && !in_place)
        return source_refuse_directory(t->input, e);
    if (!name_output(all, t, e))
        return false;
    if (!output_look(&t->want, &t->place, e)) {
        e->at_output = !in_place;
        return false;
    }
    if (!in_place || !*all->options->in_place)
        return true;
    t->want.backup = text_format("%s%s", t->place.path, all->options->in_place);
    return t->want.backup || error_memory(e);
}

static bool make_all(struct targets *all, const struct texts *inputs, struct error *e)
{
    size_t n = inputs->ntext ? inputs->ntext : 1;
    all->target = calloc(n, sizeof *all->target);
    if (!all->target)
        return error_memory(e);
    for (; all->ntarget < n; all->ntarget++) {
        struct target *t = &all->target[all->ntarget];
        t->input = inputs->ntext ? inputs->text[all->ntarget] : "-";
        t->failed = !make_target(all, t, e);
        if (t->failed)
            messages_error(&t->messages, e->at_output ? target_output(t) : target_input(t), e);
    }
    return true;
}

static void free_target(struct target *t)
{
    free(t->name);
    free(t->want.backup);
    free(t->place.path);
    messages_free(&t->messages);
    free(t->report);
}

/* Takes repeated targets out, and counts the bytes of the others. */
static void keep_distinct(struct targets *all)
{
    size_t n = 0;
    bool known = true;
    for (struct target *t = all->target; t < all->target + all->ntarget; t++) {
        if (t->repeated) {
            free_target(t);
            continue;
        }
        all->nbyte += t->failed ? 0 : (uint64_t)t->st.st_size;
        known = known && (S_ISREG(t->st.st_mode) || t->failed);
        all->target[n++] = *t;
    }
    all->ntarget = n;
    all->nbyte = known ? all->nbyte : 0;
}

/* --- directories --- */

static int by_text(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

static bool list_directories(struct targets *all, struct error *e)
{
    all->directory = calloc(all->ntarget, sizeof *all->directory);
    bool good = all->directory != NULL;
    for (size_t i = 0; i < all->ntarget && good; i++) {
        const struct output_place *place = &all->target[i].place;
        if (!all->target[i].failed && (place->kind == OUTPUT_NOTHING || place->kind == OUTPUT_FILE))
            good = (all->directory[all->ndirectory++] = output_directory(place->path)) != NULL;
    }
    if (!good)
        return error_memory(e);
    size_t n = all->ndirectory;
    qsort(all->directory, n, sizeof *all->directory, by_text);
    all->ndirectory = 0;
    for (size_t i = 0; i < n; i++)
        if (i + 1 < n && strcmp(all->directory[i], all->directory[i + 1]) == 0)
            free(all->directory[i]);
        else
            all->directory[all->ndirectory++] = all->directory[i];
    return true;
}

/* A signal that ends the program removes the directory while it is empty. */
bool targets_begin(struct targets *all, struct error *e)
{
    if (all->kind != TARGET_DIRECTORY)
        return true;
    char *path = strdup(all->options->output_dir);
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
    int errnum = mkdir(all->options->output_dir, 0777) == 0 ? 0 : errno;
    all->made_directory = errnum == 0;
    if (all->made_directory)
        signals_keep(all->options->output_dir);
    signals_release(&held);
    return errnum == 0 || errnum == EEXIST || error_system(e, errnum, "--output-dir cannot be made");
}

/* --- all targets --- */

bool targets_make(struct targets *all, const struct output_settings *options, const struct texts *inputs,
                  struct messages *messages)
{
    struct error e;
    const char *directory = options->output_dir;
    all->options = options;
    bool good = choose_kind(all, inputs->ntext, &e) &&
                (options->to || check_suffix(options->output, inputs, &e));
    if (good && all->kind == TARGET_DIRECTORY && !check_directory(directory, &e)) {
        messages_error(messages, directory, &e);
        return false;
    }
    good = good && make_all(all, inputs, &e);
    if (good && !targets_conflicts(all, messages))
        return false;
    if (good)
        keep_distinct(all);
    good = good && list_directories(all, &e);
    if (!good)
        messages_error(messages, NULL, &e);
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
    for (size_t i = 0; i < all->ntarget; i++)
        free_target(&all->target[i]);
    for (size_t i = 0; i < all->ndirectory; i++)
        free(all->directory[i]);
    free(all->directory);
    free(all->target);
}
