/* Looks at the path of an output before anything is written. See output.h. */
#include "io/output.h"

#include "base/port.h"
#include "base/text.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* --- names --- */

const char *output_last_part(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path + port_root(path);
}

char *output_directory(const char *path)
{
    const char *slash = strrchr(path, '/');
    size_t root = port_root(path), n = slash ? (size_t)(slash - path) : 0;
    if (!slash && root == 0)
        return strdup(".");
    return text_copy(path, n < root ? root : n);
}

bool output_is_input(const struct outfile *out, const struct port_status *status)
{
    return out->files && file_table_find_input(out->files, status);
}

/* --- looking --- */

/* Checks that the file at the path, regular or not, may be replaced or written to. */
static bool check_existing(const struct outfile *out, struct error *e)
{
    if (out->status.kind == PORT_DIRECTORY) {
        error_system(e, EISDIR, out->in_place ? "cannot edit in place" : "cannot write");
        return error_hint(e, out->in_place ? "this is a folder: add --recursive, or name the files in it"
                                           : "use --output-dir to write files into it");
    }
    if (out->status.kind != PORT_REGULAR)
        return !out->in_place || error_data(e, "only a regular file can be edited in place");
    bool writable = (out->status.mode & 0222) && port_may_write(out->path) == 0;
    if (!writable && !out->force) {
        error_system(e, (out->status.mode & 0222) ? errno : EACCES, "the file is read-only");
        return error_hint(e, "add --force to replace it");
    }
    if (out->in_place && out->status.nlink > 1) {
        error_data(e, "the file has %llu hard links, and --in-place would change only this one",
                   (unsigned long long)out->status.nlink);
        return error_hint(e, "write to another file with --output, or copy the file first");
    }
    return true;
}

/* Sets real: the path itself for a new file, else the resolved path. */
static bool resolve(struct outfile *out, struct error *e)
{
    out->real = out->kind == OUTPUT_FILE ? port_real_path(out->path) : strdup(out->path);
    return out->real || (errno == ENOMEM ? error_memory(e) : error_system(e, errno, "cannot write"));
}

bool output_look(struct outfile *out, struct error *e)
{
    struct port_status other;
    out->kind = OUTPUT_STDOUT;
    if (strcmp(out->path, "-") == 0)
        return !out->in_place || error_usage(e, "standard input cannot be edited in place");
    if (port_status_of(out->path, &out->status) != 0) {
        out->kind = OUTPUT_NOTHING;
        if (errno != ENOENT || out->in_place)
            return error_system(e, errno, out->in_place ? "cannot open" : "cannot write");
        if (port_status_of_link(out->path, &other) == 0)
            return error_system(e, ENOENT, "this symbolic link is broken");
        return resolve(out, e);
    }
    /* /dev/stdout and the like: the open file is written to, not replaced. */
    if (!out->in_place && port_status(PORT_STDOUT, &other) == 0 && port_same_file(&other, &out->status))
        return true;
    out->kind = out->status.kind == PORT_REGULAR ? OUTPUT_FILE : OUTPUT_STREAM;
    return check_existing(out, e) && resolve(out, e);
}

/* Claims the path of a companion, then checks the file at the path. The claim comes first, since another
 * thread may have written the companion of another input to the same path. */
static bool check_companion(const struct outfile *out, const struct outfile *companion, struct error *e)
{
    const char *path = companion->path;
    if (companion->kind != OUTPUT_NOTHING && companion->kind != OUTPUT_FILE)
        return error_usage(e, "the file %s is not a regular file", path);
    size_t first = file_table_claim_output(out->files, companion->real, out->number);
    if (first != out->number)
        return first > 0 ? error_usage(e, "another input also writes the file %s", path) : error_memory(e);
    bool replaces = companion->kind == OUTPUT_FILE && !out->in_place;
    if (replaces && out->kind == OUTPUT_NOTHING && !out->force) {
        error_usage(e, "the file %s already exists", path);
        return error_hint(e, "add --force to replace it");
    }
    return !(replaces && output_is_input(out, &companion->status)) ||
           error_usage(e, "the file %s is an input", path);
}

bool output_look_companion(struct outfile *out, const char *path, struct error *e)
{
    struct port_status status;
    struct outfile *companion = out->companion = calloc(1, sizeof *companion);
    if (!companion || !(companion->path = strdup(path)))
        return error_memory(e);
    companion->force = out->force;
    companion->in_place = out->in_place;
    companion->makes_folders = out->makes_folders;
    companion->files = out->files;
    companion->number = out->number;
    if (!output_look(companion, e))
        return error_excerpt(e, path, strlen(path));
    if (!check_companion(out, companion, e))
        return false;
    if (!out->backup)
        return true;
    companion->backup = text_format("%s%s", companion->real, out->backup + strlen(out->real));
    if (!companion->backup)
        return error_memory(e);
    if (out->force || port_status_of_link(companion->backup, &status) != 0)
        return true;
    error_usage(e, "the backup %s already exists", companion->backup);
    return error_hint(e, "choose another suffix, or add --force to replace it");
}

bool output_allowed(const struct outfile *out, struct error *e)
{
    if (out->kind != OUTPUT_NOTHING && out->kind != OUTPUT_FILE)
        return true;
    char *directory = output_directory(out->real);
    while (directory && out->makes_folders && !port_exists(directory) && errno == ENOENT) {
        char *above = output_directory(directory);
        free(directory);
        directory = above;
    }
    if (!directory)
        return error_memory(e);
    bool good = port_may_write(directory) == 0 || error_system(e, errno, "cannot write");
    free(directory);
    return good;
}
