/* Folders as inputs. See tree.h. */
#include "io/tree.h"

#include "base/array.h"
#include "base/glob.h"
#include "base/port.h"
#include "base/text.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* Adds a malloc'ed path, which the tree owns from now on; path NULL is the out-of-memory error. */
static bool add(struct tree *tree, char *path, size_t below, bool folder, struct error *e)
{
    if (!path)
        return error_memory(e);
    if (!array_reserve(&tree->file, tree->nfile + 1, &tree->maxfile, sizeof *tree->file, e)) {
        free(path);
        return false;
    }
    tree->file[tree->nfile++] = (struct tree_file){ path, below, folder, 0 };
    return true;
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

/* The folder whose names are added. */
struct walk {
    struct tree *tree;
    const struct tree_choice *choice;
    const char *path;
    size_t below;
    struct error *e;
    bool good;
};

/* Adds a name in the folder: a chosen file, or a folder that is read later. */
static bool add_name(void *closure, const char *name)
{
    struct walk *walk = closure;
    const struct port_status *except = walk->choice->except;
    struct port_status status = { 0 };
    if (name[0] == '.')
        return true;
    const bool slash = walk->path[strlen(walk->path) - 1] == '/';
    char *path = text_format("%s%s%s", walk->path, slash ? "" : "/", name);
    bool folder = path && port_status_of_link(path, &status) == 0 && status.kind == PORT_DIRECTORY;
    folder = folder && !(except && port_same_file(&status, except));
    if (status.kind == PORT_LINK && port_status_of(path, &status) != 0)
        status.kind = PORT_NOTHING;
    const bool file = (status.kind == PORT_REGULAR || status.kind == PORT_NOTHING) &&
                      is_taken(walk->choice, name);
    if (path && !file && !folder) {
        free(path);
        return true;
    }
    walk->good = add(walk->tree, path, walk->below, folder, walk->e);
    return walk->good;
}

static int compare_paths(const void *va, const void *vb)
{
    const struct tree_file *a = va, *b = vb;
    return strcmp(a->path, b->path);
}

bool tree_add_folder(struct tree *tree, const char *folder, const struct tree_choice *choice, struct error *e)
{
    const size_t first = tree->nfile, n = strlen(folder);
    struct walk walk = { .tree = tree, .choice = choice, .below = n + (folder[n - 1] != '/'), .e = e };
    walk.good = add(tree, strdup(folder), walk.below, true, e);
    for (size_t i = first; walk.good && i < tree->nfile; i++) {
        walk.path = tree->file[i].path;
        if (tree->file[i].folder && port_list_directory(walk.path, add_name, &walk) != 0)
            tree->file[i].errnum = errno;
    }
    size_t kept = first;
    for (size_t i = first; i < tree->nfile; i++)
        if (tree->file[i].folder && tree->file[i].errnum == 0)
            free(tree->file[i].path);
        else
            tree->file[kept++] = tree->file[i];
    tree->nfile = kept;
    if (kept > first)
        qsort(tree->file + first, kept - first, sizeof *tree->file, compare_paths);
    return walk.good;
}

bool tree_add_operands(struct tree *tree, const struct texts *operands, bool recursive,
                       const struct tree_choice *choice, struct error *e)
{
    bool good = operands->ntext > 0 || add(tree, strdup("-"), 0, false, e);
    for (size_t i = 0; good && i < operands->ntext; i++) {
        const char *path = operands->text[i], *slash = strrchr(path, '/');
        if (recursive && strcmp(path, "-") != 0 && port_is_directory(path))
            good = tree_add_folder(tree, path, choice, e);
        else
            good = add(tree, strdup(path), slash ? (size_t)(slash + 1 - path) : 0, false, e);
    }
    if (good && tree->nfile == 0 && choice->include->ntext > 0) {
        error_usage(e, "no file matches --include");
        good = error_hint(e, "for several globs repeat it: --include '*.bvh' --include '*.fbx'");
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
