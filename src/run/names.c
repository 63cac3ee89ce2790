/* The names of the inputs. See names.h. */
#include "run/names.h"

#include <string.h>
#include <unistd.h>

bool names_open(struct names *n, const struct texts *operands, const char *list, bool null, struct error *e)
{
    n->operands = operands;
    n->end = null ? 0 : '\n';
    bool good = !list || source_open(&n->source, list, e);
    n->known = !list || n->source.regular;
    return good;
}

void names_rewind(struct names *n)
{
    n->at = 0;
    if (!n->known)
        return;
    lseek(n->source.fd, -(off_t)n->source.nread, SEEK_CUR); /* without a list by 0 */
    n->source.nread = 0;
    n->source.ended = false;
    n->line = n->begin = n->nbyte = 0;
}

static enum named refuse(const struct names *n, const char *what, struct error *e)
{
    error_usage(e, "%s", what);
    error_place(e, n->line, 0);
    error_hint(e, "each line is a name; --null reads names that end with NUL");
    return NAMES_ERROR;
}

/* Reads more of the list behind the name that is not complete. */
static enum named read_more(struct names *n, enum names_way way, struct error *e)
{
    size_t got;
    if (!n->source.name || n->source.ended || (way == NAMES_KNOWN && !n->known))
        return NAMES_END;
    if (way == NAMES_READY && !source_ready(&n->source))
        return NAMES_LATER;
    n->nbyte -= n->begin;
    memmove(n->bytes, n->bytes + n->begin, n->nbyte);
    n->begin = 0;
    if (n->nbyte + 1 == sizeof n->bytes)
        return refuse(n, "the name after this one is too long", e);
    if (!source_read(&n->source, n->bytes + n->nbyte, sizeof n->bytes - n->nbyte - 1, &got, e))
        return NAMES_ERROR;
    n->nbyte += got;
    if (n->source.ended && n->nbyte)
        n->bytes[n->nbyte++] = n->end; /* the last name may lack it */
    return NAMES_NAME;
}

enum named names_next(struct names *n, enum names_way way, const char **name, struct error *e)
{
    if (n->at < n->operands->ntext) {
        *name = n->operands->text[n->at++];
        return NAMES_NAME;
    }
    for (;;) {
        char *begin = n->bytes + n->begin, *end = memchr(begin, n->end, n->nbyte - n->begin);
        enum named more = end ? NAMES_NAME : read_more(n, way, e);
        if (more != NAMES_NAME)
            return more;
        if (!end)
            continue;
        n->begin += (size_t)(end - begin) + 1;
        n->line++;
        if (n->end && end > begin && end[-1] == '\r')
            end--;
        *end = 0;
        *name = begin;
        if (strlen(begin) < (size_t)(end - begin))
            return refuse(n, "a name with a NUL byte", e);
        if (end > begin)
            return NAMES_NAME;
    }
}
