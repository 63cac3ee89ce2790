/* Folders as inputs. See tree.h. */
#include "io/tree.h"

#include "base/array.h"
#include "base/glob.h"
#include "base/text.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Adds a malloc'ed path, which the tree owns from now on; path NULL is the error that memory is out. */
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

/* Adds an entry of the folder `at`, which is open as `folder`: a chosen file to the tree, a folder to the
 * folders to be read. */
static bool add_entry(struct walk *walk, int folder, const struct tree_file *at, const char *name,
                      struct error *e)
{
    struct stat st;
    if (name[0] == '.' || fstatat(folder, name, &st, AT_SYMLINK_NOFOLLOW) != 0)
        return true; /* hidden, or gone meanwhile */
    bool link = S_ISLNK(st.st_mode), dangling = link && fstatat(folder, name, &st, 0) != 0;
    if (link && !dangling && !S_ISREG(st.st_mode))
        return true;
    bool file = (dangling || S_ISREG(st.st_mode)) && is_taken(walk->choice, name);
    const struct stat *except = walk->choice->except;
    bool excepted = except && st.st_dev == except->st_dev && st.st_ino == except->st_ino;
    if (!file && (!S_ISDIR(st.st_mode) || excepted))
        return true;
    bool ends = at->path[strlen(at->path) - 1] == '/';
    char *path = text_format("%s%s%s", at->path, ends ? "" : "/", name);
    return add(file ? walk->tree : &walk->folders, path, at->below, 0, e);
}

/* Opens a folder. follow: path may be a symbolic link. NULL, with errno: the names in the folder cannot be
 * listed, or the files of these names cannot be reached. */
static DIR *open_folder(const char *path, bool follow)
{
    int fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC | (follow ? 0 : O_NOFOLLOW));
    bool searchable = fd >= 0 && faccessat(fd, ".", X_OK, AT_EACCESS) == 0;
    DIR *folder = searchable ? fdopendir(fd) : NULL;
    int errnum = errno;
    if (!folder && fd >= 0)
        close(fd);
    errno = errnum;
    return folder;
}

/* Adds the entries of a folder. A folder that cannot be read becomes an entry of the tree. */
static bool read_folder(struct walk *walk, struct tree_file at, bool follow, struct error *e)
{
    DIR *folder = open_folder(at.path, follow);
    bool good = true;
    int errnum = folder ? 0 : errno;
    while (folder && good) {
        errno = 0;
        struct dirent *entry = readdir(folder);
        errnum = entry ? 0 : errno;
        if (!entry)
            break;
        good = add_entry(walk, dirfd(folder), &at, entry->d_name, e);
    }
    if (folder)
        closedir(folder);
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

bool tree_add_operands(struct tree *tree, const struct texts *operands, bool recursive,
                       const struct tree_choice *choice, struct error *e)
{
    bool good = true;
    for (size_t i = 0; good && i < operands->ntext; i++) {
        struct stat st;
        const char *path = operands->text[i];
        bool folder = recursive && strcmp(path, "-") && stat(path, &st) == 0 && S_ISDIR(st.st_mode);
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
