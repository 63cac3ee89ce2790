/* The text of the progress line, fitted to the width of the terminal. Where there is no room the less
 * important pieces are left out: first the name of the file, then the bar, bytes, rate. */
#include "run/progress.h"

#include "base/text.h"
#include "base/utf8.h"
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* The columns of characters that do not take one; the first range that has a character counts. */
static const struct {
    unsigned first, last, columns;
} ranges[] = {
    { 0x0300, 0x036F, 0 },   { 0x0483, 0x0489, 0 },   { 0x0591, 0x05BD, 0 },   { 0x0610, 0x061A, 0 },
    { 0x064B, 0x065F, 0 },   { 0x0E34, 0x0E3A, 0 },   { 0x0E47, 0x0E4E, 0 },   { 0x1AB0, 0x1AFF, 0 },
    { 0x1DC0, 0x1DFF, 0 },   { 0x200B, 0x200F, 0 },   { 0x202A, 0x202E, 0 },   { 0x2060, 0x2064, 0 },
    { 0x20D0, 0x20FF, 0 },   { 0x3099, 0x309A, 0 },   { 0xFE00, 0xFE0F, 0 },   { 0xFE20, 0xFE2F, 0 },
    { 0xE0100, 0xE01EF, 0 }, { 0x1100, 0x115F, 2 },   { 0x2E80, 0x303E, 2 },   { 0x3041, 0x4DBF, 2 },
    { 0x4E00, 0xA4CF, 2 },   { 0xA960, 0xA97C, 2 },   { 0xAC00, 0xD7A3, 2 },   { 0xF900, 0xFAFF, 2 },
    { 0xFE30, 0xFE6F, 2 },   { 0xFF00, 0xFF60, 2 },   { 0xFFE0, 0xFFE6, 2 },   { 0x1F300, 0x1F64F, 2 },
    { 0x1F680, 0x1F6FF, 2 }, { 0x1F900, 0x1F9FF, 2 }, { 0x1FA70, 0x1FAFF, 2 }, { 0x20000, 0x3FFFD, 2 }
};

/* The columns of the character at p, which has *n bytes. */
static size_t columns_at(const char *p, size_t *n)
{
    uint32_t c;
    *n = utf8_decode(p, 4, &c);
    if (*n == 0)
        *n = 1; /* the text was cut within a character */
    for (size_t i = 0; c >= 0x300 && i < sizeof ranges / sizeof *ranges; i++)
        if (c >= ranges[i].first && c <= ranges[i].last)
            return ranges[i].columns;
    return 1;
}

static size_t columns(const char *text)
{
    size_t sum = 0;
    for (size_t n; *text; text += n)
        sum += columns_at(text, &n);
    return sum;
}

/* Writes the end of a name in at most max columns, since it tells more than the beginning. Returns its
 * columns. */
static size_t shorten_name(const char *name, size_t max, char *buf, size_t maxbuf)
{
    char clean[512];
    const char *text = clean;
    const char *slash = strrchr(name, '/');
    name = slash && slash[1] ? slash + 1 : name;
    error_escape(name, strlen(name), clean, sizeof clean);
    size_t all = columns(text), room = all > max ? max - 1 : max;
    for (size_t n; all > room; text += n)
        all -= columns_at(text, &n);
    /* Characters without a column of their own belong to the one that was removed. */
    for (size_t n; text != clean && *text && columns_at(text, &n) == 0;)
        text += n;
    snprintf(buf, maxbuf, "%s%s", text == clean ? "" : "…", text);
    return all + (text == clean ? 0 : 1);
}

/* 1.2 GB, 340 kB: three digits and a unit. */
static const char *amount(double n, char *buf, size_t maxbuf)
{
    static const char *const unit[] = { "B", "kB", "MB", "GB", "TB", "PB" };
    size_t i = 0;
    for (; n >= 999.5 && i < sizeof unit / sizeof *unit - 1; i++)
        n /= 1000;
    snprintf(buf, maxbuf, n < 9.95 && i > 0 ? "%.1f %s" : "%.0f %s", n, unit[i]);
    return buf;
}

static const char *duration(double seconds, char *buf, size_t maxbuf)
{
    unsigned long s = seconds < 360000000 ? (unsigned long)(seconds + 0.5) : 360000000;
    if (s < 3600)
        snprintf(buf, maxbuf, "%lu:%02lu", s / 60, s % 60);
    else if (s < 100 * 3600)
        snprintf(buf, maxbuf, "%lu:%02lu:%02lu", s / 3600, s / 60 % 60, s % 60);
    else
        snprintf(buf, maxbuf, "%lu days", s / 86400);
    return buf;
}

/* A line being written; a piece that has no room is left out. */
struct line {
    char *buf;
    size_t max, columns, room;
};

__attribute__((format(printf, 2, 3))) static void add(struct line *l, const char *format, ...)
{
    char piece[640];
    va_list args;
    va_start(args, format);
    vsnprintf(piece, sizeof piece, format, args);
    va_end(args);
    size_t gap = l->columns ? 2 : 0, width = columns(piece);
    if (l->columns + gap + width > l->room || strlen(l->buf) + gap + strlen(piece) >= l->max)
        return;
    text_append(l->buf, l->max, "%*s%s", (int)gap, "", piece);
    l->columns += gap + width;
}

static void add_bar(struct line *l, double share)
{
    enum { MOST = 24, LEAST = 8 };
    char piece[MOST + 3] = "[";
    size_t room = l->room > l->columns + 4 ? l->room - l->columns - 4 : 0;
    size_t n = room > MOST ? MOST : room, full = (size_t)(share * (double)n);
    if (n < LEAST)
        return;
    memset(piece + 1, '#', full);
    memset(piece + 1 + full, '-', n - full);
    strcpy(piece + 1 + n, "]");
    add(l, "%s", piece);
}

size_t progress_line(const struct progress_state *p, size_t width, char *buf, size_t maxbuf)
{
    struct line l = { buf, maxbuf, 0, width > 0 ? width - 1 : 0 };
    char piece[640], a[32], b[32];
    bool known = p->nbyte > 0;
    uint64_t nread = known && p->nread > p->nbyte ? p->nbyte : p->nread;
    double share = known ? (double)nread / (double)p->nbyte : 0;
    buf[0] = 0;
    if (known)
        add(&l, "%3d%%", (int)(100 * share));
    if (p->nfile > 1)
        add(&l, "%zu/%zu files", p->ndone, p->nfile);
    if (known && p->rate > 0 && p->ndone < p->nfile)
        add(&l, "%s left", duration((double)(p->nbyte - nread) / p->rate, a, sizeof a));
    else
        add(&l, "%s", duration(p->seconds, a, sizeof a));
    add(&l, "%s/s", amount(p->rate, a, sizeof a));
    amount((double)nread, a, sizeof a);
    if (known) {
        add(&l, "%s of %s", a, amount((double)p->nbyte, b, sizeof b));
        add_bar(&l, share);
    } else {
        add(&l, "%s", a);
    }
    if (p->name && l.room > l.columns + 2 + 6) {
        shorten_name(p->name, l.room - l.columns - 2, piece, sizeof piece);
        add(&l, "%s", piece);
    }
    return l.columns;
}
