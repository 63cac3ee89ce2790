/* Conflicts between the files of one command: two inputs for one output, an output that is an input, outputs
 * that exist. Names are compared as text, files by device and inode, so that another path to the same file is
 * seen. */
#include "run/targets.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { MOST = 10 }; /* conflicts that are told one by one */

/* A file that somebody reads or would write. */
struct entry {
    const char *name; /* as text; NULL: by inode only */
    dev_t dev;
    ino_t ino;
    size_t item;
};

struct finding {
    struct targets *targets;
    struct messages *messages;
    size_t n;
};

static void found(struct finding *f, const char *file, const struct error *e)
{
    if (f->n++ < MOST)
        messages_error(f->messages, file, e);
}

static int by_item(const struct entry *a, const struct entry *b)
{
    return (a->item > b->item) - (a->item < b->item);
}

static int by_name(const void *va, const void *vb)
{
    const struct entry *a = va, *b = vb;
    int order = strcmp(a->name, b->name);
    return order ? order : by_item(a, b);
}

static int same_file(const struct entry *a, const struct entry *b)
{
    return a->dev != b->dev ? (a->dev > b->dev) - (a->dev < b->dev) : (a->ino > b->ino) - (a->ino < b->ino);
}

static int by_file(const void *va, const void *vb)
{
    const struct entry *a = va, *b = vb;
    int order = same_file(a, b);
    return order ? order : by_item(a, b);
}

static int only_file(const void *va, const void *vb)
{
    return same_file(va, vb);
}

static void two_for_one(struct finding *f, const struct target *first, const struct target *second)
{
    struct error e;
    error_usage(&e, "its output %s is that of %s too", targets_output(second), targets_input(first));
    error_hint(&e, "filter them apart, into two directories");
    found(f, targets_input(second), &e);
}

static bool same_input(const struct target *a, const struct target *b)
{
    return a->known && b->known ? a->dev == b->dev && a->ino == b->ino : strcmp(a->input, b->input) == 0;
}

/* Outputs of one name, where one directory holds them all, or one file. */
static void find_same_names(struct finding *f, struct entry *entry)
{
    struct targets *p = f->targets;
    size_t n = 0;
    for (size_t i = 0; i < p->nitem; i++) {
        const struct target *item = &p->item[i];
        const char *name = p->way == TARGET_IN_PLACE ? item->place.path : item->name;
        if (name || p->way == TARGET_IN_PLACE)
            entry[n++] = (struct entry){ name ? name : item->input, 0, 0, i };
    }
    qsort(entry, n, sizeof *entry, by_name);
    for (size_t i = 1, first = 0; i < n; i++) {
        struct target *a = &p->item[entry[first].item], *b = &p->item[entry[i].item];
        if (strcmp(entry[first].name, entry[i].name) != 0)
            first = i;
        else if (same_input(a, b))
            b->repeated = true;
        else
            two_for_one(f, a, b);
    }
}

/* Outputs that exist under several names; those of one name are found already. */
static void find_same_outputs(struct finding *f, struct entry *entry)
{
    struct targets *p = f->targets;
    size_t n = 0;
    for (size_t i = 0; i < p->nitem; i++) {
        const struct target *item = &p->item[i];
        if (item->place.kind == OUTPUT_FILE && !item->repeated && p->way != TARGET_IN_PLACE)
            entry[n++] = (struct entry){ NULL, item->place.st.st_dev, item->place.st.st_ino, i };
    }
    qsort(entry, n, sizeof *entry, by_file);
    for (size_t i = 1; i < n; i++) {
        const struct target *a = &p->item[entry[i - 1].item], *b = &p->item[entry[i].item];
        if (same_file(&entry[i - 1], &entry[i]) == 0 && strcmp(a->want.path, b->want.path) != 0)
            two_for_one(f, a, b);
    }
}

static const struct target *find_input(const struct targets *p, const struct entry *input, size_t n,
                                          const struct stat *st)
{
    struct entry key = { NULL, st->st_dev, st->st_ino, 0 };
    const struct entry *hit = bsearch(&key, input, n, sizeof *input, only_file);
    return hit ? &p->item[hit->item] : NULL;
}

/* Outputs, and backups, that are inputs; backups that exist. */
static void find_inputs(struct finding *f, struct entry *entry)
{
    struct targets *p = f->targets;
    size_t n = 0;
    for (size_t i = 0; i < p->nitem; i++)
        if (p->item[i].known && p->item[i].regular)
            entry[n++] = (struct entry){ NULL, p->item[i].dev, p->item[i].ino, i };
    qsort(entry, n, sizeof *entry, by_file);
    for (size_t i = 0; i < p->nitem; i++) {
        const struct target *item = &p->item[i], *input = NULL;
        struct stat st;
        struct error e;
        if (item->repeated)
            continue;
        if (item->backup && stat(item->backup, &st) == 0 && (input = find_input(p, entry, n, &st)) != NULL) {
            error_usage(&e, "the old file would be kept as %s, which is an input", targets_input(input));
            error_hint(&e, "choose another suffix");
            found(f, targets_input(item), &e);
        } else if (item->backup && !p->options->force && lstat(item->backup, &st) == 0) {
            error_usage(&e, "the old file would be kept as %s, which exists already", item->backup);
            error_hint(&e, "choose another suffix; --force replaces it");
            found(f, targets_input(item), &e);
        }
        if (p->way != TARGET_IN_PLACE && item->place.kind == OUTPUT_FILE &&
            (input = find_input(p, entry, n, &item->place.st)) != NULL) {
            error_usage(&e, "the output is %s itself",
                        same_input(input, item) ? "the input" : targets_input(input));
            error_hint(&e, "--in-place replaces a file by its filtered self");
            found(f, targets_output(item), &e);
        }
    }
}

static void find_existing(struct finding *f)
{
    struct targets *p = f->targets;
    for (size_t i = 0; i < p->nitem && p->way == TARGET_DIRECTORY && !p->options->force; i++) {
        struct error e;
        const struct target *item = &p->item[i];
        bool stream = item->place.kind == OUTPUT_STREAM &&
                      !item->failed; /* else a directory: that item's fault */
        if (item->repeated || !item->name || (item->place.kind != OUTPUT_FILE && !stream))
            continue;
        error_usage(&e, "the output exists already");
        error_hint(&e, "--force replaces it");
        found(f, targets_output(item), &e);
    }
}

bool targets_conflicts(struct targets *p, struct messages *messages)
{
    struct finding f = { p, messages, 0 };
    struct entry *entry = calloc(p->nitem, sizeof *entry);
    struct error e;
    if (!entry) {
        error_memory(&e);
        messages_error(messages, NULL, &e);
        return false;
    }
    find_same_names(&f, entry);
    find_same_outputs(&f, entry);
    find_inputs(&f, entry);
    if (f.n == 0)
        find_existing(&f);
    free(entry);
    if (f.n > MOST)
        messages_add(messages, NULL, "and %zu more like these", f.n - MOST);
    if (f.n && p->nitem > 1)
        messages_add(messages, NULL, "nothing was done");
    return f.n == 0;
}
