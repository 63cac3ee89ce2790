/* Folders as inputs. See tree.h. */
#include "io/tree.h"

#include "base/array.h"
#include "base/glob.h"
#include "base/port.h"
#include "base/text.h"
#include "io/output.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* Adds a malloc'ed path, which the tree owns from now on; path NULL is the out-of-memory error. */
static bool add(struct tree *tree, char *path, size_t below, int errnum, struct error *e)
{
    if (!path)
        return error_memory(e);
    if (!array_reserve(&tree->file, tree->nfile + 1, &tree->maxfile, sizeof *tree->file, e)) {
        free(path);
        return false;
    }
    tree->file[tree->nfile++] = (struct tree_file){ path, below, errnum };
    return true;
}

bool tree_add_file(struct tree *tree, const char *path, struct error *e)
{
    const char *slash = strrchr(path, '/');
    return add(tree, strdup(path), slash ? (size_t)(slash + 1 - path) : 0, 0, e);
}

static bool is_taken(const struct tree_choice *choice, const char *name)
{
    if (choice->include->ntext == 0)
        return choice->known(name);
    for (size_t i = 0; i < choice->include->ntext; i++)
        if (glob_matches(choice->include->text[i], name))
            return true;
    return false;
}

/* The state of tree_add_folder. */
struct walk {
    const struct tree_choice *choice;
    struct tree *tree;   /* receives the files */
    struct tree folders; /* folders found so far, read or not */
};

/* Adds an entry of the folder `at`: a chosen file to the tree, a folder to the folders to be read. */
static bool add_entry(struct walk *walk, const struct tree_file *at, const char *name, struct error *e)
{
    struct port_status status;
    if (name[0] == '.')
        return true;
    bool ends = at->path[strlen(at->path) - 1] == '/';
    char *path = text_format("%s%s%s", at->path, ends ? "" : "/", name);
    if (!path)
        return error_memory(e);
    bool exists = port_status_of_link(path, &status) == 0;
    bool link = exists && status.kind == PORT_LINK, dangling = link && port_status_of(path, &status) != 0;
    bool file = (dangling || status.kind == PORT_REGULAR) && is_taken(walk->choice, name);
    const struct port_status *except = walk->choice->except;
    bool excepted = except && port_same_file(&status, except);
    bool folder = status.kind == PORT_DIRECTORY && !link && !excepted;
    if (!exists || (!file && !folder)) {
        free(path);
        return true;
    }
    return add(file ? walk->tree : &walk->folders, path, at->below, 0, e);
}

/* Adds the entries of a folder. A folder that cannot be read becomes an entry of the tree. */
static bool read_folder(struct walk *walk, struct tree_file at, bool follow, struct error *e)
{
    struct port_folder *folder = port_open_folder(at.path, follow);
    bool good = true;
    int errnum = folder ? 0 : errno;
    while (folder && good) {
        const char *name = port_next_name(folder);
        errnum = name ? 0 : errno;
        if (!name)
            break;
        good = add_entry(walk, &at, name, e);
    }
    if (folder)
        port_close_folder(folder);
    if (errnum == ENOMEM)
        return error_memory(e);
    return good && (errnum == 0 || add(walk->tree, strdup(at.path), at.below, errnum, e));
}

static int compare_paths(const void *va, const void *vb)
{
    const struct tree_file *a = va, *b = vb;
    return strcmp(a->path, b->path);
}

bool tree_add_folder(struct tree *tree, const char *folder, const struct tree_choice *choice, struct error *e)
{
    struct walk walk = { .choice = choice, .tree = tree };
    size_t first = tree->nfile;
    size_t n = strlen(folder);
    size_t below = n + (n > 0 && folder[n - 1] != '/');
    bool good = add(&walk.folders, strdup(folder), below, 0, e);
    for (size_t i = 0; good && i < walk.folders.nfile; i++)
        good = read_folder(&walk, walk.folders.file[i], i == 0, e);
    tree_free(&walk.folders);
    if (tree->nfile > first)
        qsort(tree->file + first, tree->nfile - first, sizeof *tree->file, compare_paths);
    return good;
}

static void to_lower(char *text)
{
    for (; *text; text++)
        *text = *text >= 'A' && *text <= 'Z' ? (char)(*text | 32) : *text;
}

bool tree_add_matches(struct tree *tree, const char *pattern, struct error *e)
{
    size_t first = tree->nfile, n = (size_t)(output_last_part(pattern) - pattern);
    char *directory = output_directory(pattern), *last = strdup(pattern + n);
    bool good = (directory && last) || error_memory(e);
    struct port_folder *folder = good ? port_open_folder(directory, true) : NULL;
    if (last)
        to_lower(last);
    for (const char *name; folder && good && (name = port_next_name(folder));) {
        char *low = strdup(name);
        good = low || error_memory(e);
        if (good)
            to_lower(low);
        if (good && name[0] != '.' && glob_matches(last, low))
            good = add(tree, text_format("%.*s%s", (int)n, pattern, name), n, 0, e);
        free(low);
    }
    if (folder)
        port_close_folder(folder);
    free(directory);
    free(last);
    if (tree->nfile > first)
        qsort(tree->file + first, tree->nfile - first, sizeof *tree->file, compare_paths);
    return good;
}

bool tree_add_operands(struct tree *tree, const struct texts *operands, bool recursive,
                       const struct tree_choice *choice, struct error *e)
{
    bool good = true;
    for (size_t i = 0; good && i < operands->ntext; i++) {
        const char *path = operands->text[i];
        bool folder = recursive && strcmp(path, "-") != 0 && port_is_directory(path);
        good = folder ? tree_add_folder(tree, path, choice, e) : tree_add_file(tree, path, e);
    }
    return good;
}

void tree_free(struct tree *tree)
{
    for (size_t i = 0; i < tree->nfile; i++)
        free(tree->file[i].path);
    free(tree->file);
    *tree = (struct tree){ 0 };
}
