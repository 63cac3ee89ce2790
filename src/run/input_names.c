/* The names of a command's inputs. See input_names.h. */
#include "run/input_names.h"

#include "base/port.h"
#include "formats/format.h"

#include <stdio.h>
#include <string.h>

bool input_names_open(struct input_names *names, const struct output_settings *options,
                      const struct texts *operands, const struct port_status *except, struct error *e)
{
    const struct tree_choice choice = { &options->include, format_knows, except };
    const char *list = options->files_from;
    names->end = options->null ? 0 : '\n';
    if (!tree_add_operands(&names->operands, operands, options->recursive, &choice, e))
        return false;
    if (!list)
        return operands->ntext || tree_add_file(&names->operands, "-", e);
    bool good = source_open(&names->source, list, e);
    names->only_operands = !names->source.regular;
    return good;
}

void input_names_close(struct input_names *names)
{
    if (names->source.name)
        source_close(&names->source);
    tree_free(&names->operands);
}

void input_names_rewind(struct input_names *names)
{
    if (names->source.name)
        port_seek(names->source.fd, -(int64_t)names->source.nread,
                  SEEK_CUR); /* by 0 if the list was not begun */
    names->source.nread = 0;
    names->source.ended = false;
    names->at = names->line = names->begin = names->nbyte = 0;
}

const char *input_names_show(struct input_names *names, size_t number)
{
    size_t noperand = names->operands.nfile;
    if (number >= 1 && number <= noperand)
        return names->operands.file[number - 1].path;
    const char *list = names->source.name ? names->source.name : "the list";
    snprintf(names->shown, sizeof names->shown, "%s %zu of %s", names->end ? "line" : "name",
             number - noperand, list);
    return names->shown;
}

/* --- the list --- */

/* The error of a name in the list. Returns NAMES_ERROR. */
static enum input_named refuse_name(const struct input_names *names, const char *what, struct error *e)
{
    error_usage(e, "%s", what);
    error_place(e, names->line);
    error_hint(e, "write one name per line, or use --null for names that end with NUL");
    return NAMES_ERROR;
}

/* Reads more of the list, behind the incomplete name. NAMES_NAME: text was read, or the list has
 * just ended. wait: as for input_names_next. */
static enum input_named read_more(struct input_names *names, bool wait, struct error *e)
{
    size_t got;
    if (!names->source.name || names->source.ended || names->only_operands)
        return NAMES_END;
    if (!wait && !source_ready(&names->source))
        return NAMES_LATER;
    names->nbyte -= names->begin;
    memmove(names->bytes, names->bytes + names->begin, names->nbyte);
    names->begin = 0;
    size_t room = sizeof names->bytes - names->nbyte - 1; /* 1 for the NUL of the last name */
    if (room == 0)
        return refuse_name(names, "the name after this one is too long", e);
    if (!source_read(&names->source, names->bytes + names->nbyte, room, &got, e))
        return NAMES_ERROR;
    names->nbyte += got;
    if (names->source.ended && names->nbyte)
        names->bytes[names->nbyte++] = names->end; /* the last name may lack its end */
    return NAMES_NAME;
}

/* Takes the next name, which may be empty, from the text read, and sets *length to the number of bytes up to
 * the name's end. NULL: the name is incomplete. */
static char *take_name(struct input_names *names, size_t *length)
{
    char *name = names->bytes + names->begin;
    char *end = memchr(name, names->end, names->nbyte - names->begin);
    if (!end)
        return NULL;
    names->begin += (size_t)(end - name) + 1;
    names->line++;
    if (names->end && end > name && end[-1] == '\r')
        end--;
    *end = 0;
    *length = (size_t)(end - name);
    return name;
}

enum input_named input_names_next(struct input_names *names, bool wait, struct input_name *name,
                                  struct error *e)
{
    size_t noperand = names->operands.nfile;
    if (names->at < noperand) {
        const struct tree_file *file = &names->operands.file[names->at++];
        *name = (struct input_name){ file->path, file->path, names->at, file->errnum };
        name->below += file->errnum ? 0 : file->below;
        return NAMES_NAME;
    }
    for (;;) {
        size_t length;
        char *path = take_name(names, &length);
        if (!path) {
            enum input_named more = read_more(names, wait, e);
            if (more != NAMES_NAME)
                return more;
            continue;
        }
        if (strlen(path) < length)
            return refuse_name(names, "a name with a NUL byte", e);
        if (length == 0)
            continue;
        port_slashes(path);
        const char *file = strcmp(path, "-") == 0 ? "./-" : path; /* in a list "-" is a file */
        const char *slash = strrchr(file, '/');
        *name = (struct input_name){ file, slash ? slash + 1 : file, noperand + names->line, 0 };
        return NAMES_NAME;
    }
}
