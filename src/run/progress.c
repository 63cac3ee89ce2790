/* The progress line: text, counting and drawing. See progress.h.
 *
 * Counters are atomic. A lock, an atomic flag, guards the terminal: a thread that finds the terminal locked
 * does not draw; only messages wait for the lock, for the time of one write. */
#include "run/progress.h"

#include "base/port.h"

#include <math.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

enum {
    EVERY_MS = 100, /* from drawing to drawing */
    DELAY_MS = 1000 /* from the beginning to the first drawing */
};

static struct {
    void (*say)(const char *text, size_t n); /* prints on standard error; NULL: no line is drawn */
    uint64_t nbyte;                          /* size of the inputs; 0: unknown */
    uint64_t begin;                          /* when counting began, in ms */
    bool shown;                              /* the line is on the terminal */
    atomic_flag lock;
    _Atomic(uint64_t) due; /* when the line is drawn next, in ms; UINT64_MAX: never, as a signal came */
    _Atomic(uint64_t) nread, nrow;
    _Atomic(size_t) nfile, ndone, nchannel;
} bar = { .lock = ATOMIC_FLAG_INIT };

/* --- the text --- */

static void add_duration(char *buf, size_t maxbuf, double seconds, const char *what)
{
    unsigned long s = (unsigned long)(fmin(seconds, 1e9) + 0.5);
    if (s >= 3600)
        text_append(buf, maxbuf, "%lu:%02lu:%02lu%s", s / 3600, s / 60 % 60, s % 60, what);
    else
        text_append(buf, maxbuf, "%lu:%02lu%s", s / 60, s % 60, what);
}

/* Adds a rate as 870, 24k or 1.2M rows/s. */
static void add_rate(char *buf, size_t maxbuf, double rate)
{
    static const char *const prefix[] = { "", "k", "M", "G" };
    size_t i = 0;
    for (; rate >= 999.5 && i < 3; i++)
        rate /= 1000;
    text_append(buf, maxbuf, "  %.*f%s rows/s", i > 0 && rate < 9.95, rate, prefix[i]);
}

size_t progress_line(const struct progress_state *progress, size_t width, char *buf, size_t maxbuf)
{
    static const char full[] = "########################";
    static const char empty[] = "------------------------";
    double share = progress->nbyte ? fmin((double)progress->nread / (double)progress->nbyte, 1) : 0;
    bool left = share > 0 && progress->ndone < progress->nfile;
    int nfull = (int)(share * (double)(sizeof full - 1));
    buf[0] = 0;
    maxbuf = width < maxbuf ? width : maxbuf; /* the rest of the line is cut off */
    if (maxbuf == 0)
        return 0;
    if (progress->nbyte)
        text_append(buf, maxbuf, "%3d%%  ", (int)(100 * share));
    if (progress->nfile > 1)
        text_append(buf, maxbuf, "%zu/%zu files  ", progress->ndone, progress->nfile);
    if (left)
        add_duration(buf, maxbuf, progress->seconds / share * (1 - share), " left");
    else
        add_duration(buf, maxbuf, progress->seconds, "");
    text_append(buf, maxbuf, "  %llu rows", (unsigned long long)progress->nrow);
    if (progress->seconds > 0)
        add_rate(buf, maxbuf, (double)progress->nrow / progress->seconds);
    if (progress->nbyte)
        text_append(buf, maxbuf, "  [%.*s%s]", nfull, full, empty + nfull);
    return strlen(buf);
}

/* Adds a number with a comma before each group of three digits. */
static void add_count(char *buf, size_t maxbuf, uint64_t n)
{
    if (n >= 1000) {
        add_count(buf, maxbuf, n / 1000);
        text_append(buf, maxbuf, ",%03u", (unsigned)(n % 1000));
    } else {
        text_append(buf, maxbuf, "%u", (unsigned)n);
    }
}

void progress_result(const struct progress_state *progress, char *buf, size_t maxbuf)
{
    buf[0] = 0;
    if (progress->nfile > 1) {
        add_count(buf, maxbuf, progress->nfile);
        text_append(buf, maxbuf, " files, ");
    }
    add_count(buf, maxbuf, progress->nrow);
    text_append(buf, maxbuf, " row%s, ", error_plural(progress->nrow));
    if (progress->nfile == 1 && progress->nchannel > 0) {
        add_count(buf, maxbuf, progress->nchannel);
        text_append(buf, maxbuf, " channel%s, ", error_plural(progress->nchannel));
    }
    if (progress->seconds < 60)
        text_append(buf, maxbuf, "%.1f s\n", progress->seconds);
    else
        add_duration(buf, maxbuf, progress->seconds, " minutes\n");
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
    unsigned columns = port_terminal_columns(PORT_STDERR);
    return columns ? columns : 80;
}

static const char clear_text[] = "\r\033[K";

/* The callers of clear_line and draw hold the lock. */
static void clear_line(void)
{
    if (bar.shown)
        bar.say(clear_text, sizeof clear_text - 1);
    bar.shown = false;
}

static void draw(uint64_t now)
{
    char text[2048];
    struct progress_state state = {
        .nfile = bar.nfile, .ndone = bar.ndone, .nbyte = bar.nbyte, .nread = bar.nread, .nrow = bar.nrow
    };
    if (port_in_background(PORT_STDERR))
        return; /* a process in the background must not draw on the terminal */
    state.seconds = (double)(now - bar.begin) / 1000;
    const size_t n = sizeof clear_text - 1;
    memcpy(text, clear_text, n);
    bar.shown = progress_line(&state, terminal_width(), text + n, sizeof text - n) > 0;
    bar.say(text, strlen(text));
}

/* Says what was done, if it took long. The caller holds the lock. */
static void say_result(uint64_t now)
{
    char text[200];
    struct progress_state state = { .nfile = bar.nfile, .nrow = bar.nrow, .nchannel = bar.nchannel };
    state.seconds = (double)(now - bar.begin) / 1000;
    if (now < bar.begin + DELAY_MS || bar.nrow == 0 || port_in_background(PORT_STDERR))
        return;
    progress_result(&state, text, sizeof text);
    bar.say(text, strlen(text));
}

static void take_lock(void)
{
    while (atomic_flag_test_and_set(&bar.lock))
        nanosleep(&(struct timespec){ 0, 1000000 }, NULL);
}

/* Replaces messages->say while the line may be on the terminal. */
static void say_above(const char *text, size_t n)
{
    take_lock();
    clear_line();
    bar.say(text, n);
    atomic_flag_clear(&bar.lock);
}

void progress_open(struct messages *messages, size_t nfile, uint64_t nbyte)
{
    if (!messages->say || !port_is_terminal(PORT_STDERR))
        return;
    bar.nbyte = nbyte;
    atomic_store(&bar.nfile, nfile);
    bar.begin = now_ms();
    atomic_store(&bar.due, bar.begin + DELAY_MS);
    bar.say = messages->say;
    messages->say = say_above;
}

void progress_channels(size_t nchannel)
{
    atomic_store(&bar.nchannel, nchannel);
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
        atomic_store(&bar.due, now_ms() + EVERY_MS);
    }
    atomic_flag_clear(&bar.lock);
}

void progress_close(struct messages *messages)
{
    if (!bar.say)
        return;
    take_lock();
    clear_line();
    say_result(now_ms());
    messages->say = bar.say;
    bar.say = NULL;
    atomic_flag_clear(&bar.lock);
}

void progress_abort(void)
{
    atomic_store(&bar.due, UINT64_MAX);
    if (!bar.say)
        return;
    /* A thread that draws is soon done, unless the signal interrupted this very thread. */
    for (int i = 0; i < 50 && atomic_flag_test_and_set(&bar.lock); i++)
        nanosleep(&(struct timespec){ 0, 1000000 }, NULL);
    if (bar.shown && port_write(PORT_STDERR, clear_text, sizeof clear_text - 1) < 0)
        return;
}
