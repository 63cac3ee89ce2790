/* What each input becomes, and where it goes. See plan.h; conflicts are found in plan_conflict.c. */
#include "run/targets.h"

#include "formats/format.h"
#include "base/signals.h"
#include "base/text.h"
#include "io/source.h"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

const char *targets_input(const struct target *item)
{
    return strcmp(item->input, "-") ? item->input : "(standard input)";
}

const char *targets_output(const struct target *item)
{
    return strcmp(item->want.path, "-") ? item->want.path : "(standard output)";
}

/* --- the command line as a whole --- */

static bool choose_way(struct targets *p, size_t ninput, struct error *e)
{
    const struct output_settings *o = p->options;
    const char *given[3];
    size_t n = 0;
    if (o->output)
        given[n++] = "--output";
    if (o->output_dir)
        given[n++] = "--output-dir";
    if (o->in_place)
        given[n++] = "--in-place";
    if (n > 1)
        return error_usage(e, "%s and %s: one place for the output is enough", given[0], given[1]);
    p->way = o->in_place     ? TARGET_IN_PLACE
             : o->output_dir ? TARGET_DIRECTORY
             : o->output     ? TARGET_FILE
                             : TARGET_STDOUT;
    if (ninput > 1 && (p->way == TARGET_STDOUT || p->way == TARGET_FILE)) {
        error_usage(e, "%zu inputs, and one output", ninput);
        return error_hint(e, "give --output-dir DIR for a file each, or --in-place to replace the files");
    }
    if (o->suffix && p->way != TARGET_DIRECTORY) {
        error_usage(e, "--suffix belongs to --output-dir");
        return o->in_place ? error_hint(e, "to keep the old file: --in-place=SUFFIX") : false;
    }
    if ((o->suffix && strchr(o->suffix, '/')) || (o->in_place && strchr(o->in_place, '/')))
        return error_usage(e, "a suffix is a part of a name: it has no slash");
    if (o->in_place && o->to) {
        error_usage(e, "--to with --in-place: the file would not be what its name says");
        return error_hint(e, "--output-dir writes files with fitting names");
    }
    return true;
}

static bool judge_directory(const char *directory, struct error *e)
{
    struct stat st;
    if (stat(directory, &st) != 0)
        return errno == ENOENT || error_system(e, errno, "--output-dir cannot be used");
    return S_ISDIR(st.st_mode) || error_system(e, ENOTDIR, "--output-dir cannot be used");
}

/* --- names --- */

/* The extension that --to gives a name which ends in extension; "" where it is that format's already. */
static const char *new_extension(const struct output_settings *o, const char *extension)
{
    const struct format *to = o->to ? format_find(o->to) : NULL;
    return !to || (*extension && format_by_file(extension) == to) ? "" : to->suffixes[0];
}

/* DIR/name_suffix.ext; malloc'ed. */
static char *name_in_directory(const struct output_settings *o, const char *input)
{
    const char *slash = strrchr(input, '/'), *base = slash ? slash + 1 : input, *dot = strrchr(base, '.');
    size_t nbase = dot && dot != base ? (size_t)(dot - base) : strlen(base), ndir = strlen(o->output_dir);
    const char *old = base + nbase, *fresh = new_extension(o, old), *suffix = o->suffix ? o->suffix : "";
    if (*fresh && format_by_file(base))
        old = ""; /* another format's extension goes; any other dot is part of the name */
    return text_format("%s%s%.*s%s%s%s", o->output_dir, o->output_dir[ndir - 1] == '/' ? "" : "/", (int)nbase, base,
                       suffix, old, fresh);
}

static bool name_output(struct targets *p, struct target *item, struct error *e)
{
    const struct output_settings *o = p->options;
    switch (p->way) {
    case TARGET_STDOUT:
        item->want.path = "-";
        return true;
    case TARGET_FILE:
        item->want.path = o->output;
        item->want.replace = true;
        return true;
    case TARGET_IN_PLACE:
        item->want.path = item->input;
        item->want.in_place = true;
        item->want.suffix = o->in_place;
        return true;
    case TARGET_DIRECTORY:
        break;
    }
    item->want.replace = true; /* what exists is a conflict, found in its turn */
    if (strcmp(item->input, "-") == 0) {
        item->want.path = "-";
        error_usage(e, "standard input has no name to write under");
        return error_hint(e, "give --output FILE");
    }
    item->name = name_in_directory(o, item->input);
    item->want.path = item->name ? item->name : "-";
    return item->name || error_memory(e);
}

/* --- items --- */

static void look_at_input(struct target *item)
{
    struct stat st;
    item->known = (strcmp(item->input, "-") ? stat(item->input, &st) : fstat(STDIN_FILENO, &st)) == 0;
    if (!item->known)
        return;
    item->dev = st.st_dev;
    item->ino = st.st_ino;
    item->directory = S_ISDIR(st.st_mode);
    item->regular = S_ISREG(st.st_mode);
    item->nbyte = item->regular && st.st_size > 0 ? (uint64_t)st.st_size : 0;
}

static bool name_backup(struct target *item)
{
    const char *suffix = item->want.suffix, *path = item->place.path;
    if (!suffix || !*suffix)
        return true;
    return (item->backup = text_format("%s%s", path, suffix));
}

static bool make_item(struct targets *p, struct target *item, const char *input, struct error *e)
{
    item->input = input;
    look_at_input(item);
    item->want.force = p->options->force;
    e->at_output = false;
    if (item->directory && p->way != TARGET_IN_PLACE)
        return source_refuse_directory(input, e);
    if (!name_output(p, item, e))
        return false;
    if (!output_look(&item->want, &item->place, e)) {
        e->at_output = p->way != TARGET_IN_PLACE;
        return false;
    }
    return p->way != TARGET_IN_PLACE || name_backup(item) || error_memory(e);
}

static bool make_items(struct targets *p, const struct texts *inputs, struct error *e)
{
    static const char *const standard[] = { "-" };
    const char *const *text = inputs->ntext ? inputs->text : standard;
    size_t n = inputs->ntext ? inputs->ntext : 1;
    if (!inputs->ntext && p->way == TARGET_IN_PLACE)
        return error_usage(e, "--in-place: no file is given");
    p->item = calloc(n, sizeof *p->item);
    if (!p->item)
        return error_memory(e);
    for (p->nitem = 0; p->nitem < n; p->nitem++) {
        struct target *item = &p->item[p->nitem];
        item->failed = !make_item(p, item, text[p->nitem], e);
        if (item->failed)
            messages_error(&item->messages, e->at_output ? targets_output(item) : targets_input(item), e);
    }
    return true;
}

static void count_work(struct targets *p)
{
    bool known = true;
    for (size_t i = 0; i < p->nitem; i++) {
        const struct target *item = &p->item[i];
        p->nwork += !item->repeated;
        p->nbyte += item->repeated || item->failed ? 0 : item->nbyte;
        known = known && (item->regular || item->failed);
    }
    p->nbyte = known ? p->nbyte : 0;
}

/* --- directories --- */

static int by_text(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

static bool list_directories(struct targets *p, struct error *e)
{
    size_t n = 0;
    p->directory = calloc(p->nitem, sizeof *p->directory);
    if (!p->directory)
        return error_memory(e);
    for (size_t i = 0; i < p->nitem; i++) {
        const struct output_place *place = &p->item[i].place;
        if (p->item[i].failed || (place->kind != OUTPUT_NOTHING && place->kind != OUTPUT_FILE))
            continue;
        char *directory = output_directory(place->path);
        if (!directory)
            return error_memory(e);
        p->directory[p->ndirectory++] = directory;
    }
    qsort(p->directory, p->ndirectory, sizeof *p->directory, by_text);
    for (size_t i = 0; i < p->ndirectory; i++)
        if (n > 0 && strcmp(p->directory[n - 1], p->directory[i]) == 0)
            free(p->directory[i]);
        else
            p->directory[n++] = p->directory[i];
    p->ndirectory = n;
    return true;
}

/* Makes --output-dir itself. A signal that ends the program takes it away again while it is empty. Returns 0 or an errno
 * value. */
static int make_directory(struct targets *p)
{
    struct signals_held held = signals_hold();
    int errnum = mkdir(p->options->output_dir, 0777) == 0 ? 0 : errno;
    p->made_directory = errnum == 0;
    if (p->made_directory)
        signals_keep(p->options->output_dir);
    signals_release(&held);
    return errnum;
}

static void drop_directory(struct targets *p)
{
    struct signals_held held = signals_hold();
    rmdir(p->options->output_dir); /* unless something is in it */
    signals_forget(p->options->output_dir);
    signals_release(&held);
}

bool targets_begin(struct targets *p, struct error *e)
{
    const char *directory = p->options->output_dir;
    int errnum = p->way == TARGET_DIRECTORY ? make_directory(p) : 0;
    if (errnum == 0 || errnum == EEXIST)
        return true;
    if (errnum != ENOENT)
        return error_system(e, errnum, "--output-dir cannot be made");
    char *path = strdup(directory);
    if (!path)
        return error_memory(e);
    /* Parents first; that they exist is no error, and the last one tells what is. */
    for (char *slash = strchr(path + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
        *slash = 0;
        mkdir(path, 0777);
        *slash = '/';
    }
    free(path);
    errnum = make_directory(p);
    return errnum == 0 || errnum == EEXIST || error_system(e, errnum, "--output-dir cannot be made");
}

bool targets_make(struct targets *p, const struct output_settings *options, const struct texts *inputs,
               struct messages *messages)
{
    struct error e;
    p->options = options;
    bool judged = choose_way(p, inputs->ntext, &e);
    if (judged && p->way == TARGET_DIRECTORY && !judge_directory(options->output_dir, &e)) {
        messages_error(messages, options->output_dir, &e);
        return false;
    }
    if (!judged || !make_items(p, inputs, &e)) {
        messages_error(messages, NULL, &e);
        return false;
    }
    if (!targets_conflicts(p, messages))
        return false;
    count_work(p);
    if (!list_directories(p, &e)) {
        messages_error(messages, NULL, &e);
        return false;
    }
    return true;
}

void targets_free(struct targets *p)
{
    if (p->made_directory)
        drop_directory(p);
    for (size_t i = 0; i < p->nitem; i++) {
        free(p->item[i].name);
        free(p->item[i].backup);
        free(p->item[i].place.path);
        messages_free(&p->item[i].messages);
        free(p->item[i].report);
    }
    for (size_t i = 0; i < p->ndirectory; i++)
        free(p->directory[i]);
    free(p->directory);
    free(p->item);
}

char *targets_tell(const struct targets *p, const struct target *item, char *buf, size_t maxbuf)
{
    char in[1100], out[1100], kept[1100];
    const char *backup = item->backup;
    error_escape(targets_input(item), strlen(targets_input(item)), in, sizeof in);
    error_escape(targets_output(item), strlen(targets_output(item)), out, sizeof out);
    error_escape(backup ? backup : "", backup ? strlen(backup) : 0, kept, sizeof kept);
    if (p->way == TARGET_IN_PLACE)
        snprintf(buf, maxbuf, "%s in place%s%s\n", in, backup ? ", the old one kept as " : "", kept);
    else
        snprintf(buf, maxbuf, "%s -> %s%s\n", in, out,
                 item->place.kind == OUTPUT_FILE ? ", replaces the one there" : "");
    return buf;
}
