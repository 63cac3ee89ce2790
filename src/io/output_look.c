/* What stands at the place of an output, before anything is written. See output.h. */
#include "io/output.h"

#include "base/hash.h"
#include "base/text.h"

#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { NAME_ROOM = 255 - 16 }; /* bytes of a file's own name in its hidden name */

/* --- names --- */

const char *output_last_part(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

char *output_directory(const char *path)
{
    const char *slash = strrchr(path, '/');
    if (!slash)
        return strdup(".");
    return strndup(path, slash == path ? 1 : (size_t)(slash - path));
}

char *output_hidden_name(const char *name)
{
    static atomic_uint count;
    unsigned number = atomic_fetch_add(&count, 1);
    uint64_t hash = hash_bytes((const char *)&number,
                               sizeof number); /* the key of the hash differs from run to run */
    return text_format(".%.*s.sprung-%06x", NAME_ROOM, name, (unsigned)(hash & 0xffffff));
}

const char *output_below_folder(const struct outfile *o)
{
    const char *below = o->path + strlen(o->folder->path);
    return below + strspn(below, "/");
}

bool output_is_input(const struct outfile *o, const struct stat *st)
{
    return o->files && file_table_find(&o->files->inputs, file_key(st));
}

/* --- looking --- */

/* Checks the existing file, regular or not. */
static bool check_there(const struct outfile *o, struct error *e)
{
    if (S_ISDIR(o->st.st_mode)) {
        error_system(e, EISDIR, o->in_place ? "cannot edit in place" : "cannot write");
        return error_hint(e, o->in_place ? "give the files in it, or --recursive"
                                         : "--output-dir writes files into it");
    }
    if (!S_ISREG(o->st.st_mode))
        return !o->in_place || error_data(e, "only a regular file can be edited in place");
    bool writable = (o->st.st_mode & 0222) && faccessat(AT_FDCWD, o->path, W_OK, AT_EACCESS) == 0;
    if (!writable && !o->force) {
        error_system(e, (o->st.st_mode & 0222) ? errno : EACCES, "the file is read-only");
        return error_hint(e, "--force replaces it");
    }
    if (o->in_place && o->st.st_nlink > 1) {
        error_data(e, "the file has %llu hard links; in place would leave the others as they are",
                   (unsigned long long)o->st.st_nlink);
        return error_hint(e, "write to another file with --output, or copy it to break the links");
    }
    return true;
}

/* stat or lstat of the path, by the descriptor of an open folder. */
static int stat_output(const struct outfile *o, struct stat *st, int flags)
{
    bool open = o->folder && o->folder->fd;
    return open ? fstatat(o->folder->fd, output_below_folder(o), st, flags)
                : fstatat(AT_FDCWD, o->path, st, flags);
}

/* Sets real: the path itself for a new file or a file in the folder, else the resolved path. */
static bool resolve(struct outfile *o, struct error *e)
{
    struct stat st;
    bool link = stat_output(o, &st, AT_SYMLINK_NOFOLLOW) == 0 && S_ISLNK(st.st_mode);
    bool itself = o->kind != OUTPUT_FILE || (o->folder && !link);
    o->in_folder = o->folder && itself;
    o->real = itself ? strdup(o->path) : realpath(o->path, NULL);
    return o->real || (errno == ENOMEM ? error_memory(e) : error_system(e, errno, "cannot write"));
}

bool output_look(struct outfile *o, struct error *e)
{
    struct stat other;
    o->kind = OUTPUT_STDOUT;
    if (strcmp(o->path, "-") == 0)
        return !o->in_place || error_usage(e, "standard input cannot be edited in place");
    if (stat_output(o, &o->st, 0) != 0) {
        o->kind = OUTPUT_NOTHING;
        if (errno != ENOENT || o->in_place)
            return error_system(e, errno, o->in_place ? "cannot open" : "cannot write");
        if (stat_output(o, &other, AT_SYMLINK_NOFOLLOW) == 0)
            return error_system(e, ENOENT, "a symbolic link that leads nowhere");
        return resolve(o, e);
    }
    /* /dev/stdout and the like: the open file is written to, not replaced. */
    if (!o->in_place && fstat(STDOUT_FILENO, &other) == 0 && other.st_dev == o->st.st_dev &&
        other.st_ino == o->st.st_ino)
        return true;
    o->kind = S_ISREG(o->st.st_mode) ? OUTPUT_FILE : OUTPUT_STREAM;
    return check_there(o, e) && resolve(o, e);
}

/* Checks the file at the path of a companion, and claims the path. */
static bool check_companion(const struct outfile *o, const struct outfile *companion, struct error *e)
{
    const char *path = companion->path;
    if (companion->kind != OUTPUT_NOTHING && companion->kind != OUTPUT_FILE)
        return error_usage(e, "its %s is no regular file", path);
    bool replaces = companion->kind == OUTPUT_FILE && !o->in_place;
    if (replaces && o->kind == OUTPUT_NOTHING && !o->force) {
        error_usage(e, "its %s exists already", path);
        return error_hint(e, "--force replaces it");
    }
    if (replaces && output_is_input(o, &companion->st))
        return error_usage(e, "its %s is an input", path);
    size_t first = o->number;
    if (o->files)
        first = file_table_claim(&o->files->outputs, file_key_of_name(companion->real), o->number);
    if (o->files && first == 0)
        return error_memory(e);
    return first == o->number || error_usage(e, "its %s is that of another input, too", path);
}

bool output_look_companion(struct outfile *o, const char *path, struct error *e)
{
    struct stat st;
    struct outfile *companion = o->companion = calloc(1, sizeof *companion);
    if (!companion || !(companion->path = strdup(path)))
        return error_memory(e);
    companion->force = o->force;
    companion->in_place = o->in_place;
    companion->folder = o->in_folder ? o->folder : NULL;
    companion->files = o->files;
    companion->number = o->number;
    if (!output_look(companion, e))
        return error_excerpt(e, path, strlen(path));
    if (!check_companion(o, companion, e))
        return false;
    char *hidden = o->backup ? NULL : output_hidden_name(output_last_part(companion->real));
    if (o->backup)
        companion->backup = text_format("%s%s", companion->real, o->backup + strlen(o->real));
    else if (hidden)
        companion->backup = text_format("%.*s%s", (int)(output_last_part(companion->real) - companion->real),
                                        companion->real, hidden);
    free(hidden);
    if (!companion->backup)
        return error_memory(e);
    if (!o->backup || o->force || lstat(companion->backup, &st) != 0)
        return true;
    error_usage(e, "the old file would be kept as %s, which exists already", companion->backup);
    return error_hint(e, "choose another suffix; --force replaces it");
}

bool output_allowed(const struct outfile *o, bool make_directory, struct error *e)
{
    if (o->kind != OUTPUT_NOTHING && o->kind != OUTPUT_FILE)
        return true;
    char *directory = output_directory(o->real);
    for (char *parent; directory && make_directory && access(directory, F_OK) != 0 && errno == ENOENT;
         directory = parent) {
        parent = output_directory(directory);
        free(directory);
    }
    if (!directory)
        return error_memory(e);
    bool good = faccessat(AT_FDCWD, directory, W_OK | X_OK, AT_EACCESS) == 0 ||
                error_system(e, errno, "cannot write");
    free(directory);
    return good;
}
