/* The text of the progress line, fitted to the width of the terminal. Where there is no room the less
 * important pieces are left out: first the bar, then bytes, rate. It has characters of one byte only. */
#include "run/progress.h"

#include "base/text.h"
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

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
    char piece[64];
    va_list args;
    va_start(args, format);
    vsnprintf(piece, sizeof piece, format, args);
    va_end(args);
    size_t gap = l->columns ? 2 : 0, width = strlen(piece);
    if (l->columns + gap + width > l->room)
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
    char a[32], b[32];
    bool known = p->nbyte > 0;
    uint64_t nread = known && p->nread > p->nbyte ? p->nbyte : p->nread;
    double share = known ? (double)nread / (double)p->nbyte : 0;
    buf[0] = 0;
    if (known)
        add(&l, "%3d%%", (int)(100 * share));
    if (p->nfile == SIZE_MAX)
        add(&l, "%zu/? files", p->ndone);
    else if (p->nfile > 1)
        add(&l, "%zu/%zu files", p->ndone, p->nfile);
    if (known && p->rate > 0 && p->ndone < p->nfile)
        add(&l, "%s left", duration((double)(p->nbyte - nread) / p->rate, a, sizeof a));
    else
        add(&l, "%s", duration(p->seconds, a, sizeof a));
    if (p->nrow)
        add(&l, "%llu rows", (unsigned long long)p->nrow);
    add(&l, "%s/s", amount(p->rate, a, sizeof a));
    amount((double)nread, a, sizeof a);
    if (known) {
        add(&l, "%s of %s", a, amount((double)p->nbyte, b, sizeof b));
        add_bar(&l, share);
    } else {
        add(&l, "%s", a);
    }
    return l.columns;
}
