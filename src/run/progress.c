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
    size_t nfile;                            /* number of inputs */
    uint64_t nbyte;                          /* their size; 0: unknown */
    uint64_t begin;                          /* when counting began, in ms */
    bool shown;                              /* the line is on the terminal */
    atomic_flag lock;
    _Atomic(uint64_t) due; /* when the line is drawn next, in ms; UINT64_MAX: never, as a signal came */
    _Atomic(uint64_t) nread, nrow;
    _Atomic(size_t) ndone, nchannel;
} bar = { .lock = ATOMIC_FLAG_INIT };

/* --- the text --- */

enum { MAXLINE = 200 /* bytes, which are columns */ };

static void add_duration(char buf[MAXLINE], double seconds, const char *what)
{
    const unsigned long s = (unsigned long)(fmin(seconds, 1e9) + 0.5);
    if (s >= 3600)
        text_append(buf, MAXLINE, "%lu:%02lu:%02lu%s", s / 3600, s / 60 % 60, s % 60, what);
    else
        text_append(buf, MAXLINE, "%lu:%02lu%s", s / 60, s % 60, what);
}

/* Adds a number with a comma before each group of three digits. */
static void add_count(char buf[MAXLINE], uint64_t n, const char *what)
{
    if (n >= 1000) {
        add_count(buf, n / 1000, "");
        text_append(buf, MAXLINE, ",%03u%s", (unsigned)(n % 1000), what);
    } else {
        text_append(buf, MAXLINE, "%u%s", (unsigned)n, what);
    }
}

/* Writes the line: " 25%  [######----]  12/50 files  3,000,000 rows  0:15 left", without what is not known
 * yet. */
static void write_line(char buf[MAXLINE], double seconds)
{
    static const char full[] = "########################";
    static const char empty[] = "------------------------";
    const double share = bar.nbyte ? fmin((double)bar.nread / (double)bar.nbyte, 1) : 0;
    const int nfull = (int)(share * (double)(sizeof full - 1));
    if (bar.nbyte)
        text_append(buf, MAXLINE, "%3d%%  [%.*s%s]  ", (int)(100 * share), nfull, full, empty + nfull);
    if (bar.nfile > 1)
        text_append(buf, MAXLINE, "%zu/%zu files  ", bar.ndone, bar.nfile);
    add_count(buf, bar.nrow, " rows  ");
    if (share > 0 && bar.ndone < bar.nfile)
        add_duration(buf, seconds / share * (1 - share), " left");
    else
        add_duration(buf, seconds, "");
}

/* Writes what was done: "3,000,000 rows, 1 channel, 3.2 s". */
static void write_result(char buf[MAXLINE], double seconds)
{
    if (bar.nfile > 1)
        add_count(buf, bar.nfile, " files, ");
    add_count(buf, bar.nrow, bar.nrow == 1 ? " row, " : " rows, ");
    if (bar.nfile == 1 && bar.nchannel > 0)
        add_count(buf, bar.nchannel, bar.nchannel == 1 ? " channel, " : " channels, ");
    if (seconds < 60)
        text_append(buf, MAXLINE, "%.1f s\n", seconds);
    else
        add_duration(buf, seconds, " minutes\n");
}

/* --- counting and drawing --- */

static uint64_t now_ms(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000 + (uint64_t)now.tv_nsec / 1000000;
}

static const char clear_text[] = "\r\033[K";

/* The callers of clear_line, draw and say_result hold the lock. */
static void clear_line(void)
{
    if (bar.shown)
        bar.say(clear_text, sizeof clear_text - 1);
    bar.shown = false;
}

/* A process in the background does not draw on the terminal. */
static void draw(uint64_t now)
{
    char line[MAXLINE] = "", text[MAXLINE + sizeof clear_text];
    const unsigned columns = port_terminal_columns(PORT_STDERR);
    if (port_in_background(PORT_STDERR))
        return;
    write_line(line, (double)(now - bar.begin) / 1000);
    const int n = snprintf(text, sizeof text, "%s%.*s", clear_text, (int)(columns ? columns : 80) - 1, line);
    bar.shown = true;
    bar.say(text, (size_t)n);
}

/* Prints the number of files or rows, if the run took long. */
static void say_result(uint64_t now)
{
    char text[MAXLINE] = "";
    if (now < bar.begin + DELAY_MS || bar.nrow == 0 || port_in_background(PORT_STDERR))
        return;
    write_result(text, (double)(now - bar.begin) / 1000);
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
    bar.nfile = nfile;
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
