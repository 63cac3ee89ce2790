/* The words of the progress line, fitted to a terminal's width. What matters least goes first when there is
 * no room: the name of the file, the bar, bytes, rate. */
#include "run/progress.h"

#include "base/utf8.h"
#include <stdio.h>
#include <string.h>

/* Characters that take two columns, and those that take none: first and last of each range. */
static const unsigned wide[][2] = { { 0x1100, 0x115F },   { 0x2E80, 0x303E },   { 0x3041, 0x33FF },
                                    { 0x3400, 0x4DBF },   { 0x4E00, 0x9FFF },   { 0xA000, 0xA4CF },
                                    { 0xA960, 0xA97C },   { 0xAC00, 0xD7A3 },   { 0xF900, 0xFAFF },
                                    { 0xFE30, 0xFE6F },   { 0xFF00, 0xFF60 },   { 0xFFE0, 0xFFE6 },
                                    { 0x1F300, 0x1F64F }, { 0x1F680, 0x1F6FF }, { 0x1F900, 0x1F9FF },
                                    { 0x1FA70, 0x1FAFF }, { 0x20000, 0x3FFFD } };
static const unsigned none[][2] = { { 0x0300, 0x036F }, { 0x0483, 0x0489 },  { 0x0591, 0x05BD },
                                    { 0x0610, 0x061A }, { 0x064B, 0x065F },  { 0x0E34, 0x0E3A },
                                    { 0x0E47, 0x0E4E }, { 0x1AB0, 0x1AFF },  { 0x1DC0, 0x1DFF },
                                    { 0x200B, 0x200F }, { 0x202A, 0x202E },  { 0x2060, 0x2064 },
                                    { 0x20D0, 0x20FF }, { 0x3099, 0x309A },  { 0xFE00, 0xFE0F },
                                    { 0xFE20, 0xFE2F }, { 0xE0100, 0xE01EF } };

static bool within(const unsigned (*range)[2], size_t n, unsigned c)
{
    for (size_t i = 0; i < n; i++)
        if (c >= range[i][0] && c <= range[i][1])
            return true;
    return false;
}

/* Columns of the character at p; *n its bytes. */
static size_t columns_at(const char *p, size_t *n)
{
    uint32_t c;
    *n = utf8_decode(p, 4, &c);
    if (*n == 0)
        *n = 1; /* the text was cut within a character */
    if (c < 0x300)
        return 1;
    return within(none, sizeof none / sizeof *none, c)   ? 0
           : within(wide, sizeof wide / sizeof *wide, c) ? 2
                                                         : 1;
}

static size_t columns(const char *text)
{
    size_t sum = 0;
    for (size_t n; *text; text += n)
        sum += columns_at(text, &n);
    return sum;
}

/* The end of a name, which says more than its beginning, in at most max columns. Returns its columns. */
static size_t cut_name(const char *name, size_t max, char *buf, size_t maxbuf)
{
    char clean[512];
    const char *text = clean;
    const char *slash = strrchr(name, '/');
    name = slash && slash[1] ? slash + 1 : name;
    error_escape(name, strlen(name), clean, sizeof clean);
    size_t all = columns(text), room = all > max ? max - 1 : max;
    for (size_t n; all > room; text += n)
        all -= columns_at(text, &n);
    /* What takes no column belongs to a character that is cut away. */
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

/* A line under way; a piece that has no room is left out. */
struct line {
    char *buf;
    size_t n, max, columns, room;
};

static void add(struct line *l, const char *piece)
{
    size_t gap = l->columns ? 2 : 0, width = columns(piece);
    if (l->columns + gap + width > l->room || l->n + gap + strlen(piece) >= l->max)
        return;
    l->n += (size_t)snprintf(l->buf + l->n, l->max - l->n, "%*s%s", (int)gap, "", piece);
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
    add(l, piece);
}

size_t progress_line(const struct progress_state *p, size_t width, char *buf, size_t maxbuf)
{
    struct line l = { buf, 0, maxbuf, 0, width > 0 ? width - 1 : 0 };
    char piece[640], a[32], b[32];
    bool known = p->nbyte > 0;
    uint64_t nread = known && p->nread > p->nbyte ? p->nbyte : p->nread;
    double share = known ? (double)nread / (double)p->nbyte : 0;
    buf[0] = 0;
    if (known) {
        snprintf(piece, sizeof piece, "%3d%%", (int)(100 * share));
        add(&l, piece);
    }
    if (p->nfile > 1) {
        snprintf(piece, sizeof piece, "%zu/%zu files", p->ndone, p->nfile);
        add(&l, piece);
    }
    if (known && p->rate > 0 && p->ndone < p->nfile) {
        snprintf(piece, sizeof piece, "%s left", duration((double)(p->nbyte - nread) / p->rate, a, sizeof a));
        add(&l, piece);
    } else {
        snprintf(piece, sizeof piece, "%s", duration(p->seconds, a, sizeof a));
        add(&l, piece);
    }
    snprintf(piece, sizeof piece, "%s/s", amount(p->rate, a, sizeof a));
    add(&l, piece);
    amount((double)nread, a, sizeof a);
    snprintf(piece, sizeof piece, known ? "%s of %s" : "%s", a, amount((double)p->nbyte, b, sizeof b));
    add(&l, piece);
    if (known)
        add_bar(&l, share);
    if (p->name && l.room > l.columns + 2 + 6) {
        cut_name(p->name, l.room - l.columns - 2, piece, sizeof piece);
        add(&l, piece);
    }
    return l.columns;
}
