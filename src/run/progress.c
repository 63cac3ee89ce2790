/* The progress line: counting and drawing, see progress.h; its text is made in progress_line.c.
 *
 * Counters are atomic. A lock, which is an atomic flag, guards the terminal: a thread that finds it locked
 * does not draw; only messages wait for it, for as long as one write takes. */
#include "run/progress.h"

#include <poll.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

enum { EVERY_MS = 100, EVERY_LINE_MS = 1000, DELAY_MS = 1000, HALFLIFE_MS = 3000 };

static struct {
    void (*say)(const char *text, size_t n); /* NULL: no line is drawn */
    bool terminal;
    struct progress_state state; /* as last drawn */
    uint64_t begin, last;        /* times in ms: when counting began, when the line was last drawn */
    size_t shown;                /* columns of the line on the terminal; 0: none */
    atomic_flag lock;
    atomic_bool closed; /* a signal came */
    _Atomic(uint64_t) due, nread, nrow;
    _Atomic(size_t) nfile, ndone;
} bar = { .lock = ATOMIC_FLAG_INIT };

static uint64_t now_ms(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000 + (uint64_t)now.tv_nsec / 1000000;
}

static size_t terminal_width(void)
{
    struct winsize size;
    if (bar.terminal && ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0)
        return size.ws_col;
    return 80;
}

/* A process in the background must not draw on the terminal. */
static bool in_foreground(void)
{
    pid_t group = tcgetpgrp(STDERR_FILENO);
    return group < 0 || group == getpgrp();
}

/* Writes what clears the line into buf. A terminal that has become narrower has wrapped it into several. */
static size_t clear_text(char *buf, size_t maxbuf)
{
    size_t width = terminal_width(), up = bar.shown ? (bar.shown - 1) / width : 0;
    int n = up ? snprintf(buf, maxbuf, "\r\033[%zuA\033[J", up) : snprintf(buf, maxbuf, "\r\033[K");
    return n > 0 ? (size_t)n : 0;
}

/* The caller holds the lock. */
static void clear_line(void)
{
    char text[32];
    if (bar.shown)
        bar.say(text, clear_text(text, sizeof text));
    bar.shown = 0;
}

/* Updates the state and its rate, an average with a half-life. The caller holds the lock. */
static void update_state(uint64_t now)
{
    struct progress_state *s = &bar.state;
    uint64_t nread = atomic_load(&bar.nread);
    double since = (double)(now - bar.begin), step = (double)(now - bar.last);
    if (bar.last == bar.begin || step <= 0)
        s->rate = since > 0 ? 1000 * (double)nread / since : 0;
    else
        s->rate += step / (step + HALFLIFE_MS) * (1000 * (double)(nread - s->nread) / step - s->rate);
    s->nread = nread;
    s->nrow = atomic_load(&bar.nrow);
    s->nfile = atomic_load(&bar.nfile);
    s->ndone = atomic_load(&bar.ndone);
    s->seconds = since / 1000;
    bar.last = now;
}

/* The caller holds the lock. */
static void draw(uint64_t now)
{
    update_state(now);
    char text[2048];
    if (!bar.terminal) {
        progress_line(&bar.state, terminal_width() + 1, text, sizeof text - 1);
        strcat(text, "\n");
        bar.say(text, strlen(text));
        return;
    }
    if (!in_foreground())
        return;
    size_t n = bar.shown ? clear_text(text, sizeof text) : 0;
    text[n] = 0;
    bar.shown = progress_line(&bar.state, terminal_width(), text + n, sizeof text - n);
    bar.say(text, strlen(text));
}

static void draw_if_due(void)
{
    if (!bar.say || atomic_load_explicit(&bar.closed, memory_order_relaxed))
        return;
    uint64_t now = now_ms();
    if (now < atomic_load(&bar.due) || atomic_flag_test_and_set(&bar.lock))
        return;
    if (now >= atomic_load(&bar.due) && !atomic_load(&bar.closed)) {
        draw(now);
        atomic_store(&bar.due, now_ms() + (bar.terminal ? EVERY_MS : EVERY_LINE_MS));
    }
    atomic_flag_clear(&bar.lock);
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
    bar.state = (struct progress_state){ .nbyte = nbyte };
    progress_total(nfile);
    bar.begin = bar.last = now_ms();
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
    draw_if_due();
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
    atomic_store(&bar.closed, true);
    if (!bar.say || !bar.terminal)
        return;
    /* A thread that draws is soon done, unless it is the one that the signal interrupted. */
    for (int i = 0; i < 50 && atomic_flag_test_and_set(&bar.lock); i++)
        poll(NULL, 0, 1);
    if (bar.shown && write(STDERR_FILENO, "\r\033[K", 4) < 0)
        return;
}
