/* Errors as values, and how they are printed. */
#include "base/error.h"

#include "base/text.h"
#include "base/utf8.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

bool error_set(struct error *e, enum error_kind kind, int errnum, const char *format, ...)
{
    va_list args;
    *e = (struct error){ .kind = kind, .errnum = errnum };
    va_start(args, format);
    vsnprintf(e->text, sizeof e->text, format, args);
    va_end(args);
    return false;
}

bool error_memory(struct error *e)
{
    return error_set(e, ERROR_MEMORY, 0, "out of memory");
}

bool error_hint(struct error *e, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    vsnprintf(e->hint, sizeof e->hint, format, args);
    va_end(args);
    return false;
}

bool error_place(struct error *e, uint64_t line)
{
    e->line = line;
    return false;
}

bool error_unfilterable(struct error *e)
{
    e->unfilterable = true;
    return false;
}

bool error_column(struct error *e, const char *name)
{
    snprintf(e->column, sizeof e->column, "%s", name);
    return false;
}

bool error_excerpt(struct error *e, const char *bytes, size_t nbyte)
{
    e->excerpt_cut = nbyte > sizeof e->excerpt;
    e->nexcerpt = e->excerpt_cut ? sizeof e->excerpt : nbyte;
    memcpy(e->excerpt, bytes, e->nexcerpt);
    return false;
}

size_t error_escape(const char *bytes, size_t nbyte, char *buf, size_t maxbuf)
{
    static const char controls[] = "\n\t\r", letters[] = "ntr";
    size_t n = 0;
    for (size_t i = 0; i < nbyte;) {
        char escaped[8];
        uint32_t code;
        size_t length = utf8_decode(bytes + i, nbyte - i, &code);
        bool shown = length > 0 && utf8_is_shown(code);
        size_t taken = shown ? length : 1;
        const char *control = memchr(controls, bytes[i], strlen(controls));
        if (control)
            length = (size_t)snprintf(escaped, sizeof escaped, "\\%c", letters[control - controls]);
        else if (code == 0xFFFE || code == 0xFFFF) /* no characters, and not allowed in XML */
            length = (size_t)snprintf(escaped, sizeof escaped, "\xEF\xBF\xBD");
        else if (!shown)
            length = (size_t)snprintf(escaped, sizeof escaped, "\\x%02X", (unsigned char)bytes[i]);
        else
            memcpy(escaped, bytes + i, length);
        if (n + length + 1 > maxbuf)
            break;
        memcpy(buf + n, escaped, length);
        n += length;
        i += taken;
    }
    buf[n] = 0;
    return n;
}

void error_what(const struct error *e, char *buf, size_t maxbuf)
{
    char plain[2 * sizeof e->text] = "";
    const bool path = e->column[0] == '$' && strchr(".[", e->column[1]);
    if (e->column[0])
        snprintf(plain, sizeof plain, path ? "at %s: " : "column \"%s\": ", e->column);
    text_append(plain, sizeof plain, "%s", e->text);
    if (e->kind == ERROR_SYSTEM && e->errnum)
        text_append(plain, sizeof plain, ": %s", strerror(e->errnum));
    error_escape(plain, strlen(plain), buf, maxbuf);
    if (!e->nexcerpt)
        return;
    text_append(buf, maxbuf, ": \"");
    const size_t n = strlen(buf);
    error_escape(e->excerpt, e->nexcerpt, buf + n, maxbuf - n);
    text_append(buf, maxbuf, e->excerpt_cut ? "…\"" : "\"");
}
