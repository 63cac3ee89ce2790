/* Conflicts between the files of one command: two inputs for one output, an output or a backup that is an
 * input, an input that is an output, and outputs or backups that exist already. An input is identified by
 * device and inode, whatever its path. An output is identified by its name and that of its directory, since
 * it is another file when it has been written. */
#include "run/targets.h"

#include "base/hash.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The value that is kept with the key; 0: none was, but now value is, unless it is 0, too. */
static uint64_t kept(struct identities *all, uint64_t key, uint64_t value)
{
    if (value && 4 * (all->n + 1) > 3 * all->max) {
        struct identities more = { .max = all->max ? 2 * all->max : 64 };
        more.slot = calloc(more.max, sizeof *more.slot);
        all->failed = !more.slot;
        for (size_t i = 0; i < all->max && more.slot; i++)
            if (all->slot[i].key)
                kept(&more, all->slot[i].key, all->slot[i].value);
        if (more.slot) {
            free(all->slot);
            *all = more;
        }
    }
    if (!all->slot || all->failed)
        return 0;
    size_t i = (key >> 1) & (all->max - 1);
    while (all->slot[i].key && all->slot[i].key != key)
        i = (i + 1) & (all->max - 1);
    uint64_t old = all->slot[i].value;
    if (!old && value) {
        all->slot[i] = (struct identity){ key, value };
        all->n++;
    }
    return old;
}

static uint64_t identity(const void *bytes, size_t n)
{
    return hash_bytes(bytes, n) | 1; /* not 0 */
}

static uint64_t file_identity(const char *name, const struct stat *st)
{
    uint64_t place[] = { st->st_dev, st->st_ino };
    return st->st_mode ? identity(place, sizeof place) : identity(name, strlen(name));
}

static uint64_t path_identity(const char *path)
{
    struct stat st;
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
    char *directory = output_directory(path);
    target_stat(directory ? directory : path, &st);
    uint64_t parts[] = { file_identity(directory ? directory : path, &st), identity(name, strlen(name)) };
    free(directory);
    return identity(parts, sizeof parts);
}

void target_keep_input(struct targets *all, const char *name, const struct stat *st)
{
    kept(&all->inputs, file_identity(name, st), all->names.at + all->names.line);
}

/* The first input with this identity, for messages: a name of the command line, or a line of the list. */
static const char *input_name(struct targets *all, uint64_t input)
{
    size_t n = all->names.operands->ntext, number = kept(&all->inputs, input, 0);
    if (number > n)
        snprintf(all->line, sizeof all->line, "%s %zu of %s", all->names.end ? "line" : "name", number - n,
                 all->names.source.name);
    return number > n ? all->line : number ? all->names.operands->text[number - 1] : "an earlier input";
}

static bool check_output(struct targets *all, struct target *t, uint64_t input, struct error *e)
{
    const char *path = t->out.kind == OUTPUT_FILE && t->out.real ? t->out.real : t->out.path;
    uint64_t made_of = kept(&all->outputs, path_identity(t->input), 0);
    uint64_t first = kept(&all->outputs, path_identity(path), input);
    t->repeated = first && (first == input || all->options->in_place);
    if (t->repeated || (!first && !made_of))
        return true;
    if (first)
        error_usage(e, "its output %s is that of %s too", t->out.path, input_name(all, first));
    else
        error_usage(e, "it is the output of %s", input_name(all, made_of));
    return error_hint(e, "filter them separately, into two directories");
}

static bool check_backup(struct targets *all, const struct target *t, struct error *e)
{
    struct stat st;
    bool input = stat(t->out.backup, &st) == 0 && kept(&all->inputs, file_identity("", &st), 0);
    if (!input && (all->options->force || lstat(t->out.backup, &st) != 0))
        return true;
    error_usage(e, "the old file would be kept as %s, which %s",
                input ? input_name(all, file_identity("", &st)) : t->out.backup,
                input ? "is an input" : "exists already");
    return error_hint(e, "choose another suffix%s", input ? "" : "; --force replaces it");
}

/* Checks an output that is there already. */
static bool check_replaced(struct targets *all, const struct target *t, uint64_t input, struct error *e)
{
    const struct output_settings *o = all->options;
    bool file = t->out.kind == OUTPUT_FILE;
    uint64_t there = file_identity("", &t->out.st);
    if (file && (there == input || kept(&all->inputs, there, 0))) {
        error_usage(e, "the output is %s itself", there == input ? "the input" : input_name(all, there));
        error_hint(e, "--in-place replaces a file by its filtered version");
    } else if (t->name && !o->force && !o->update && (file || (t->out.kind == OUTPUT_STREAM && !t->failed))) {
        error_usage(e, "the output exists already");
        error_hint(e, "--force replaces it");
    } else {
        return true;
    }
    e->at_output = true;
    return false;
}

bool target_check(struct targets *all, struct target *t, struct error *e)
{
    const struct output_settings *o = all->options;
    uint64_t input = file_identity(t->input, &t->st);
    if (o->force || o->update)
        target_keep_input(all, t->input, &t->st);
    if (all->inputs.failed || all->outputs.failed)
        return error_memory(e);
    if ((t->name || o->in_place) && !check_output(all, t, input, e))
        return false;
    return t->repeated ||
           (o->in_place ? !t->out.backup || check_backup(all, t, e) : check_replaced(all, t, input, e));
}
