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

/* The letter after the backslash of a control character that C spells with a letter; 0: no such letter. */
static char escape_letter(uint32_t code)
{
    switch (code) {
    case '\n':
        return 'n';
    case '\t':
        return 't';
    case '\r':
        return 'r';
    default:
        return 0;
    }
}

size_t error_escape(const char *bytes, size_t nbyte, char *buf, size_t maxbuf)
{
    size_t n = 0;
    for (size_t i = 0; i < nbyte;) {
        char escaped[8];
        uint32_t code;
        size_t length = utf8_decode(bytes + i, nbyte - i, &code);
        bool shown = length > 0 && utf8_is_shown(code);
        size_t taken = shown ? length : 1;
        if (escape_letter(code))
            length = (size_t)snprintf(escaped, sizeof escaped, "\\%c", escape_letter(code));
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

/* Appends before, bytes[n] escaped, and after. The text is cut where buf is full. */
static void append_escaped(char *buf, size_t maxbuf, const char *before, const char *bytes, size_t n,
                           const char *after)
{
    text_append(buf, maxbuf, "%s", before);
    size_t used = strlen(buf);
    error_escape(bytes, n, buf + used, maxbuf - used);
    text_append(buf, maxbuf, "%s", after);
}

/* Writes `column "NAME": `, or `at $.tracks[3].x: ` if the column is a path; without a column "". */
enum { MAXCOLUMN = 160 };
static void write_column(const struct error *e, char buf[MAXCOLUMN])
{
    bool path = e->column[0] == '$' && strchr(".[", e->column[1]);
    *buf = 0;
    if (e->column[0])
        snprintf(buf, MAXCOLUMN, path ? "at %s: " : "column \"%s\": ", e->column);
}

void error_what(const struct error *e, char *buf, size_t maxbuf)
{
    char column[MAXCOLUMN];
    *buf = 0;
    write_column(e, column);
    append_escaped(buf, maxbuf, "", column, strlen(column), "");
    append_escaped(buf, maxbuf, "", e->text, strlen(e->text), "");
    if (e->kind == ERROR_SYSTEM && e->errnum)
        text_append(buf, maxbuf, ": %s", strerror(e->errnum));
    if (e->nexcerpt)
        append_escaped(buf, maxbuf, ": \"", e->excerpt, e->nexcerpt, e->excerpt_cut ? "…\"" : "\"");
}
