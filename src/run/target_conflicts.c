/* Conflicts between the files of one command: two inputs for one output, an output or a backup that is an
 * input, and outputs or backups that exist already. Inputs and outputs are sorted by what identifies a file:
 * device and inode of a file that exists, whatever its path, else its name. So a question is one search. */
#include "run/targets.h"

#include <stdlib.h>
#include <string.h>

enum { MAXREPORT = 10 }; /* conflicts that are reported one by one */

struct file {
    dev_t dev;
    ino_t ino;
    const char *name; /* "" with device and inode */
    bool output;
    size_t target;
};

struct conflicts {
    struct targets *all;
    struct messages *messages;
    struct file *file; /* sorted, each once: for the first target */
    size_t nfile, nfound;
    struct error error; /* of the conflict that was found */
};

static int compare_identity(const void *va, const void *vb)
{
    const struct file *a = va, *b = vb;
    if (a->dev != b->dev)
        return a->dev < b->dev ? -1 : 1;
    if (a->ino != b->ino)
        return a->ino < b->ino ? -1 : 1;
    return a->output != b->output ? a->output - b->output : strcmp(a->name, b->name);
}

static int compare_files(const void *va, const void *vb)
{
    const struct file *a = va, *b = vb;
    int order = compare_identity(a, b);
    return order ? order : (a->target > b->target) - (a->target < b->target);
}

/* Is there an output that no other input may have? */
static bool has_own_output(const struct targets *all, const struct target *t)
{
    return t->name || all->kind == TARGET_IN_PLACE;
}

static struct file output_file(const struct target *t, size_t target)
{
    if (t->place.kind == OUTPUT_FILE && t->place.path)
        return (struct file){ t->place.st.st_dev, t->place.st.st_ino, "", true, target };
    return (struct file){ 0, 0, t->place.path ? t->place.path : t->want.path, true, target };
}

static struct file input_file(const struct stat *st, size_t target)
{
    return (struct file){ st->st_dev, st->st_ino, "", false, target };
}

/* The first target with that file, or NULL. */
static struct target *find_target(const struct conflicts *c, struct file key)
{
    const struct file *file = bsearch(&key, c->file, c->nfile, sizeof key, compare_identity);
    return file ? &c->all->target[file->target] : NULL;
}

/* Reports the error of a conflict. */
static void report(struct conflicts *c, const char *file, const char *hint)
{
    error_hint(&c->error, "%s", hint);
    if (c->nfound++ < MAXREPORT)
        messages_error(c->messages, file, &c->error);
}

static bool same_input(const struct target *a, const struct target *b)
{
    return a->st.st_mode && b->st.st_mode ? a->st.st_dev == b->st.st_dev && a->st.st_ino == b->st.st_ino
                                          : strcmp(a->input, b->input) == 0;
}

/* Is the output that of an earlier target? */
static void check_same_output(struct conflicts *c, struct target *t)
{
    const struct target *first = find_target(c, output_file(t, 0));
    if (first == t)
        return;
    t->repeated = same_input(first, t) &&
                  (c->all->kind == TARGET_IN_PLACE || strcmp(first->want.path, t->want.path) == 0);
    if (t->repeated)
        return;
    error_usage(&c->error, "its output %s is that of %s too", target_output(t), target_input(first));
    report(c, target_input(t), "filter them separately, into two directories");
}

static void check_backup(struct conflicts *c, const struct target *t)
{
    const struct target *input;
    struct stat st;
    if (stat(t->want.backup, &st) == 0 && (input = find_target(c, input_file(&st, 0))) != NULL) {
        error_usage(&c->error, "the old file would be kept as %s, which is an input", target_input(input));
        report(c, target_input(t), "choose another suffix");
    } else if (!c->all->options->force && lstat(t->want.backup, &st) == 0) {
        error_usage(&c->error, "the old file would be kept as %s, which exists already", t->want.backup);
        report(c, target_input(t), "choose another suffix; --force replaces it");
    }
}

static void check_output_is_input(struct conflicts *c, const struct target *t)
{
    const struct target *input = find_target(c, input_file(&t->place.st, 0));
    if (!input)
        return;
    error_usage(&c->error, "the output is %s itself",
                same_input(input, t) ? "the input" : target_input(input));
    report(c, target_output(t), "--in-place replaces a file by its filtered version");
}

static void check_exists(struct conflicts *c, const struct target *t)
{
    if (t->repeated || !t->name ||
        (t->place.kind != OUTPUT_FILE && (t->place.kind != OUTPUT_STREAM || t->failed)))
        return;
    error_usage(&c->error, "the output exists already");
    report(c, target_output(t), "--force replaces it");
}

static void check_all(struct conflicts *c)
{
    struct targets *all = c->all;
    size_t n = 0;
    for (size_t i = 0; i < all->ntarget; i++) {
        if (S_ISREG(all->target[i].st.st_mode))
            c->file[n++] = input_file(&all->target[i].st, i);
        if (has_own_output(all, &all->target[i]))
            c->file[n++] = output_file(&all->target[i], i);
    }
    qsort(c->file, n, sizeof *c->file, compare_files);
    for (size_t i = 0; i < n; i++)
        if (c->nfile == 0 || compare_identity(&c->file[i], &c->file[c->nfile - 1]) != 0)
            c->file[c->nfile++] = c->file[i];
    for (size_t i = 0; i < all->ntarget; i++) {
        struct target *t = &all->target[i];
        if (has_own_output(all, t))
            check_same_output(c, t);
        if (t->want.backup && !t->repeated)
            check_backup(c, t);
        if (all->kind != TARGET_IN_PLACE && t->place.kind == OUTPUT_FILE && !t->repeated)
            check_output_is_input(c, t);
    }
    bool keep = c->nfound == 0 && all->kind == TARGET_DIRECTORY && !all->options->force;
    for (size_t i = 0; i < all->ntarget && keep; i++)
        check_exists(c, &all->target[i]);
}

bool targets_conflicts(struct targets *all, struct messages *messages)
{
    struct conflicts c = { .all = all, .messages = messages };
    c.file = calloc(2 * all->ntarget, sizeof *c.file);
    if (!c.file) {
        error_memory(&c.error);
        messages_error(messages, NULL, &c.error);
        return false;
    }
    check_all(&c);
    free(c.file);
    if (c.nfound > MAXREPORT)
        messages_add(messages, NULL, "and %zu more like these", c.nfound - MAXREPORT);
    if (c.nfound && all->ntarget > 1)
        messages_add(messages, NULL, "nothing was written");
    return c.nfound == 0;
}
