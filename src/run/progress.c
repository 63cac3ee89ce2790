/* The progress line: counting and drawing. See progress.h; its words are in progress_line.c.
 *
 * Counters are atomic. The terminal is guarded by a flag: a thread that finds it taken does not draw; only
 * words that must be said wait for it, for as long as one write takes. */
#include "run/progress.h"

#include <errno.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <time.h>
#include <string.h>
#include <unistd.h>

enum { EVERY_MS = 100, EVERY_LINE_MS = 1000, DELAY_MS = 1000, HALFLIFE_MS = 3000 };

static struct {
    void (*say)(const char *text, size_t n); /* NULL: no line is drawn */
    bool terminal;
    size_t nfile;
    uint64_t nbyte;
    uint64_t begin, last; /* times in ms: when counting began, when the line was last drawn */
    uint64_t last_read; /* bytes at the last drawing */
    double rate;
    size_t shown; /* columns of the line that stands there; 0: none */
    atomic_flag busy;
    atomic_bool closed; /* a signal came */
    _Atomic(uint64_t) due, nread;
    _Atomic(size_t) ndone;
    _Atomic(const char *) name;
} bar = { .busy = ATOMIC_FLAG_INIT };

static uint64_t now_ms(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000 + (uint64_t)now.tv_nsec / 1000000;
}

static void doze(void)
{
    struct timespec ms = { 0, 1000000 };
    nanosleep(&ms, NULL);
}

static size_t terminal_width(void)
{
    struct winsize size;
    if (bar.terminal && ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0)
        return size.ws_col;
    return 80;
}

/* In the background a terminal is not ours to draw on. */
static bool foreground(void)
{
    pid_t group = tcgetpgrp(STDERR_FILENO);
    return group < 0 || group == getpgrp();
}

/* Bytes that clear what stands there. A terminal that became narrower has broken the line into several. */
static size_t clearing(char *buf, size_t maxbuf)
{
    size_t width = terminal_width(), up = bar.shown ? (bar.shown - 1) / width : 0;
    int n = up ? snprintf(buf, maxbuf, "\r\033[%zuA\033[J", up) : snprintf(buf, maxbuf, "\r\033[K");
    return n > 0 ? (size_t)n : 0;
}

/* The guard is ours. */
static void wipe(void)
{
    char text[32];
    if (bar.shown && bar.terminal)
        bar.say(text, clearing(text, sizeof text));
    bar.shown = 0;
}

static void learn_rate(uint64_t now, uint64_t nread)
{
    double since = (double)(now - bar.begin), step = (double)(now - bar.last);
    if (bar.last == bar.begin || step <= 0) {
        bar.rate = since > 0 ? 1000 * (double)nread / since : 0;
    } else {
        double fresh = 1000 * (double)(nread - bar.last_read) / step, weight = step / (step + HALFLIFE_MS);
        bar.rate += weight * (fresh - bar.rate);
    }
    bar.last = now;
    bar.last_read = nread;
}

/* The guard is ours. */
static void draw(uint64_t now)
{
    uint64_t nread = atomic_load(&bar.nread);
    learn_rate(now, nread);
    struct progress_state p = { .nfile = bar.nfile,
                                .ndone = atomic_load(&bar.ndone),
                                .nbyte = bar.nbyte,
                                .nread = nread,
                                .seconds = (double)(now - bar.begin) / 1000,
                                .rate = bar.rate,
                                .name = atomic_load(&bar.name) };
    char text[2048];
    if (!bar.terminal) {
        progress_line(&p, terminal_width() + 1, text, sizeof text - 1);
        strcat(text, "\n");
        bar.say(text, strlen(text));
        return;
    }
    if (!foreground())
        return;
    size_t n = bar.shown ? clearing(text, sizeof text) : 0;
    text[n] = 0;
    bar.shown = progress_line(&p, terminal_width(), text + n, sizeof text - n);
    bar.say(text, strlen(text));
}

static void draw_if_due(void)
{
    if (!bar.say || atomic_load_explicit(&bar.closed, memory_order_relaxed))
        return;
    uint64_t now = now_ms();
    if (now < atomic_load(&bar.due) || atomic_flag_test_and_set(&bar.busy))
        return;
    if (now >= atomic_load(&bar.due) && !atomic_load(&bar.closed)) {
        draw(now);
        atomic_store(&bar.due, now_ms() + (bar.terminal ? EVERY_MS : EVERY_LINE_MS));
    }
    atomic_flag_clear(&bar.busy);
}

static void take_guard(void)
{
    while (atomic_flag_test_and_set(&bar.busy))
        doze();
}

/* What messages say while the line may be there. */
static void say_above(const char *text, size_t n)
{
    take_guard();
    wipe();
    bar.say(text, n);
    atomic_flag_clear(&bar.busy);
}

void progress_open(struct messages *messages, int when, size_t nfile, uint64_t nbyte, bool data_to_terminal)
{
    bool terminal = isatty(STDERR_FILENO) == 1;
    if (!messages->say || when == PROGRESS_NEVER || (when == PROGRESS_AUTO && (!terminal || data_to_terminal)))
        return;
    bar.terminal = terminal;
    bar.nfile = nfile;
    bar.nbyte = nbyte;
    bar.begin = bar.last = now_ms();
    bar.last_read = 0;
    bar.rate = 0;
    bar.shown = 0;
    atomic_store(&bar.nread, 0);
    atomic_store(&bar.ndone, 0);
    atomic_store(&bar.name, NULL);
    atomic_store(&bar.due, bar.begin + (when == PROGRESS_AUTO ? DELAY_MS : 0));
    bar.say = messages->say;
    messages->say = say_above;
}

void progress_file(const char *name)
{
    atomic_store(&bar.name, name);
    draw_if_due();
}

void progress_add(uint64_t nbyte, size_t nfile)
{
    atomic_fetch_add(&bar.nread, nbyte);
    atomic_fetch_add(&bar.ndone, nfile);
    draw_if_due();
}

void progress_close(struct messages *messages)
{
    if (!bar.say)
        return;
    take_guard();
    if (bar.terminal)
        wipe();
    else
        draw(now_ms());
    messages->say = bar.say;
    bar.say = NULL;
    atomic_flag_clear(&bar.busy);
}

void progress_abort(void)
{
    atomic_store(&bar.closed, true);
    if (!bar.say || !bar.terminal)
        return;
    /* Whoever draws is soon done, unless it is the very thread that the signal interrupted. */
    for (int i = 0; i < 50 && atomic_flag_test_and_set(&bar.busy); i++)
        doze();
    if (bar.shown) {
        static const char clear[] = "\r\033[K";
        ssize_t ignored = write(STDERR_FILENO, clear, sizeof clear - 1);
        (void)ignored;
    }
}
