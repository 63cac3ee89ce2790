/* The progress line: its text, counting and drawing. See progress.h.
 *
 * Counters are atomic. A lock, which is an atomic flag, guards the terminal: a thread that finds it locked
 * does not draw; only messages wait for it, for as long as one write takes. */
#include "run/progress.h"
#include "base/port.h"

#include <poll.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { EVERY_MS = 100, EVERY_LINE_MS = 1000, DELAY_MS = 1000 };

static struct {
    void (*say)(const char *text, size_t n); /* NULL: no line is drawn */
    bool terminal;
    uint64_t nbyte; /* in all; 0: unknown */
    uint64_t begin; /* the time in ms when counting began */
    size_t shown;   /* columns of the line on the terminal; 0: none */
    atomic_flag lock;
    _Atomic(uint64_t) due; /* the time in ms; UINT64_MAX: a signal came */
    _Atomic(uint64_t) nread, nrow;
    _Atomic(size_t) nfile, ndone;
} bar = { .lock = ATOMIC_FLAG_INIT };

/* --- the text --- */

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

/* Adds a piece to the line in buf, unless it would become longer than room. */
__attribute__((format(printf, 3, 4))) static void add(char *buf, size_t room, const char *format, ...)
{
    char piece[64];
    va_list args;
    va_start(args, format);
    vsnprintf(piece, sizeof piece, format, args);
    va_end(args);
    const char *gap = *buf ? "  " : "";
    if (strlen(buf) + strlen(gap) + strlen(piece) <= room)
        text_append(buf, room + 1, "%s%s", gap, piece);
}

static void add_duration(char *buf, size_t room, double seconds, const char *what)
{
    unsigned long s = seconds < 360000000 ? (unsigned long)(seconds + 0.5) : 360000000;
    if (s < 3600)
        add(buf, room, "%lu:%02lu%s", s / 60, s % 60, what);
    else if (s < 100 * 3600)
        add(buf, room, "%lu:%02lu:%02lu%s", s / 3600, s / 60 % 60, s % 60, what);
    else
        add(buf, room, "%lu days%s", s / 86400, what);
}

static void add_bar(char *buf, size_t room, double share)
{
    enum { MOST = 24, LEAST = 8 };
    char piece[MOST + 3] = "[";
    size_t used = strlen(buf) + 4, n = room < used ? 0 : room - used > MOST ? MOST : room - used;
    size_t full = (size_t)(share * (double)n);
    if (n < LEAST)
        return;
    memset(piece + 1, '#', full);
    memset(piece + 1 + full, '-', n - full);
    piece[1 + n] = ']';
    add(buf, room, "%s", piece);
}

/* Where there is no room the less important pieces are left out: first the bar, then bytes, rate. */
size_t progress_line(const struct progress_state *p, size_t width, char *buf, size_t maxbuf)
{
    size_t room = width == 0 ? 0 : width < maxbuf ? width - 1 : maxbuf - 1;
    char a[32], b[32];
    bool known = p->nbyte > 0;
    uint64_t nread = known && p->nread > p->nbyte ? p->nbyte : p->nread;
    double share = known ? (double)nread / (double)p->nbyte : 0;
    buf[0] = 0;
    if (known)
        add(buf, room, "%3d%%", (int)(100 * share));
    if (p->nfile == SIZE_MAX)
        add(buf, room, "%zu/? files", p->ndone);
    else if (p->nfile > 1)
        add(buf, room, "%zu/%zu files", p->ndone, p->nfile);
    if (known && p->rate > 0 && p->ndone < p->nfile)
        add_duration(buf, room, (double)(p->nbyte - nread) / p->rate, " left");
    else
        add_duration(buf, room, p->seconds, "");
    if (p->nrow)
        add(buf, room, "%llu rows", (unsigned long long)p->nrow);
    add(buf, room, "%s/s", amount(p->rate, a, sizeof a));
    amount((double)nread, a, sizeof a);
    if (known) {
        add(buf, room, "%s of %s", a, amount((double)p->nbyte, b, sizeof b));
        add_bar(buf, room, share);
    } else {
        add(buf, room, "%s", a);
    }
    return strlen(buf);
}

/* --- counting and drawing --- */

static uint64_t now_ms(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000 + (uint64_t)now.tv_nsec / 1000000;
}

static size_t terminal_width(void)
{
    unsigned columns = bar.terminal ? port_terminal_columns(STDERR_FILENO) : 0;
    return columns ? columns : 80;
}

/* Writes what clears the line into buf. A terminal that has become narrower has wrapped it into several. */
static size_t clear_text(char *buf, size_t maxbuf)
{
    size_t up = bar.shown ? (bar.shown - 1) / terminal_width() : 0;
    buf[0] = 0;
    if (up)
        text_append(buf, maxbuf, "\r\033[%zuA\033[J", up);
    else if (bar.shown)
        text_append(buf, maxbuf, "\r\033[K");
    return strlen(buf);
}

/* The caller holds the lock. */
static void clear_line(void)
{
    char text[32];
    if (bar.shown)
        bar.say(text, clear_text(text, sizeof text));
    bar.shown = 0;
}

/* The caller holds the lock. */
static void draw(uint64_t now)
{
    char text[2048];
    struct progress_state s = {
        .nfile = bar.nfile, .ndone = bar.ndone, .nbyte = bar.nbyte, .nread = bar.nread, .nrow = bar.nrow
    };
    pid_t group = bar.terminal ? tcgetpgrp(STDERR_FILENO) : -1;
    if (group >= 0 && group != getpgrp())
        return; /* a process in the background must not draw on the terminal */
    s.seconds = (double)(now - bar.begin) / 1000;
    if (now > bar.begin)
        s.rate = (double)s.nread / s.seconds;
    size_t n = clear_text(text, sizeof text), width = terminal_width() + !bar.terminal;
    size_t columns = progress_line(&s, width, text + n, sizeof text - n - 1);
    if (bar.terminal)
        bar.shown = columns;
    else
        strcat(text, "\n");
    bar.say(text, strlen(text));
}

static void take_lock(void)
{
    while (atomic_flag_test_and_set(&bar.lock))
        poll(NULL, 0, 1);
}

/* Replaces messages->say while the line may be on the terminal. */
static void say_above(const char *text, size_t n)
{
    take_lock();
    clear_line();
    bar.say(text, n);
    atomic_flag_clear(&bar.lock);
}

void progress_open(struct messages *messages, int when, size_t nfile, uint64_t nbyte, bool data_to_terminal)
{
    bool terminal = isatty(STDERR_FILENO) == 1;
    if (!messages->say || when == PROGRESS_NEVER ||
        (when == PROGRESS_AUTO && (!terminal || data_to_terminal)))
        return;
    bar.terminal = terminal;
    bar.nbyte = nbyte;
    progress_total(nfile);
    bar.begin = now_ms();
    atomic_store(&bar.due, bar.begin + (when == PROGRESS_AUTO ? DELAY_MS : 0));
    bar.say = messages->say;
    messages->say = say_above;
}

void progress_total(size_t nfile)
{
    atomic_store(&bar.nfile, nfile);
}

void progress_add(uint64_t nbyte, uint64_t nrow, size_t nfile)
{
    atomic_fetch_add(&bar.nrow, nrow);
    atomic_fetch_add(&bar.nread, nbyte);
    atomic_fetch_add(&bar.ndone, nfile);
    uint64_t now = bar.say ? now_ms() : 0;
    if (!bar.say || now < atomic_load(&bar.due) || atomic_flag_test_and_set(&bar.lock))
        return;
    if (now >= atomic_load(&bar.due)) {
        draw(now);
        atomic_store(&bar.due, now_ms() + (bar.terminal ? EVERY_MS : EVERY_LINE_MS));
    }
    atomic_flag_clear(&bar.lock);
}

void progress_close(struct messages *messages)
{
    if (!bar.say)
        return;
    take_lock();
    if (bar.terminal)
        clear_line();
    else
        draw(now_ms());
    messages->say = bar.say;
    bar.say = NULL;
    atomic_flag_clear(&bar.lock);
}

void progress_abort(void)
{
    atomic_store(&bar.due, UINT64_MAX);
    if (!bar.say || !bar.terminal)
        return;
    /* A thread that draws is soon done, unless it is the one that the signal interrupted. */
    for (int i = 0; i < 50 && atomic_flag_test_and_set(&bar.lock); i++)
        poll(NULL, 0, 1);
    if (bar.shown && write(STDERR_FILENO, "\r\033[K", 4) < 0)
        return;
}
