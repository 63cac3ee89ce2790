/* The progress line: counting and drawing. See progress.h. Counters are atomic. A lock guards the terminal: a
 * thread that finds it locked does not draw; only messages wait for the lock, for the time of one write. */
#include "run/progress.h"

#include "base/port.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <time.h>

enum {
    EVERY_MS = 100,  /* from drawing to drawing */
    DELAY_MS = 1000, /* from the beginning to the first drawing */
    MAXLINE = 200,   /* bytes of the line, which are columns */
    USUAL_COLUMNS = 80
};

static struct {
    void (*say)(const char *text, size_t n); /* prints on standard error; NULL: no line is drawn */
    size_t nfile;                            /* number of inputs */
    uint64_t nbyte;                          /* their size; 0: unknown */
    uint64_t begin;                          /* when counting began, in ms */
    bool shown;                              /* the line is on the terminal */
    pthread_mutex_t lock;
    _Atomic(uint64_t) due; /* when the line is drawn next, in ms; UINT64_MAX: never */
    _Atomic(uint64_t) nread, nrow;
    _Atomic(size_t) ndone;
} bar = { .lock = PTHREAD_MUTEX_INITIALIZER, .due = UINT64_MAX };

static const char clear_text[] = "\r\033[K";

static uint64_t now_ms(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000 + (uint64_t)now.tv_nsec / 1000000;
}

/* Draws " 25%  [######----]  12/50 files  3000000 rows  0:15", without what is not known. */
static void draw(uint64_t now)
{
    static const char full[] = "########################", empty[] = "------------------------";
    const unsigned columns = port_terminal_columns(PORT_STDERR);
    const uint64_t seconds = (now - bar.begin) / 1000;
    const double share = bar.nbyte ? (double)bar.nread / (double)bar.nbyte : 0;
    const int nfull = (int)((share < 1 ? share : 1) * (double)(sizeof full - 1));
    char line[MAXLINE] = "", text[MAXLINE + sizeof clear_text];
    if (bar.nbyte)
        text_append(line, MAXLINE, "%3d%%  [%.*s%s]  ", (int)(100 * share), nfull, full, empty + nfull);
    if (bar.nfile > 1)
        text_append(line, MAXLINE, "%zu/%zu files  ", bar.ndone, bar.nfile);
    text_append(line, MAXLINE, "%llu rows  %llu:%02u", (unsigned long long)bar.nrow,
                (unsigned long long)seconds / 60, (unsigned)(seconds % 60));
    const int n = snprintf(text, sizeof text, "%s%.*s", clear_text,
                           (int)(columns ? columns : USUAL_COLUMNS) - 1, line);
    bar.shown = true;
    bar.say(text, (size_t)n);
}

static void clear_line(void)
{
    if (bar.shown)
        bar.say(clear_text, sizeof clear_text - 1);
    bar.shown = false;
}

/* Replaces messages->say while the line may be on the terminal. */
static void say_above(const char *text, size_t n)
{
    pthread_mutex_lock(&bar.lock);
    clear_line();
    bar.say(text, n);
    pthread_mutex_unlock(&bar.lock);
}

void progress_open(struct messages *messages, size_t nfile, uint64_t nbyte)
{
    if (!messages->say || !port_is_terminal(PORT_STDERR))
        return;
    bar.nbyte = nbyte;
    bar.nfile = nfile;
    bar.begin = now_ms();
    bar.say = messages->say;
    messages->say = say_above;
    atomic_store(&bar.due, bar.begin + DELAY_MS);
}

void progress_add(uint64_t nbyte, uint64_t nrow, size_t nfile)
{
    atomic_fetch_add(&bar.nrow, nrow);
    atomic_fetch_add(&bar.nread, nbyte);
    atomic_fetch_add(&bar.ndone, nfile);
    const uint64_t due = atomic_load(&bar.due), now = due == UINT64_MAX ? 0 : now_ms();
    if (now < due || pthread_mutex_trylock(&bar.lock) != 0)
        return;
    draw(now);
    atomic_store(&bar.due, now + EVERY_MS);
    pthread_mutex_unlock(&bar.lock);
}

void progress_close(struct messages *messages)
{
    if (!bar.say)
        return;
    atomic_store(&bar.due, UINT64_MAX);
    say_above("", 0);
    messages->say = bar.say;
}

void progress_abort(void)
{
    atomic_store(&bar.due, UINT64_MAX);
    if (bar.shown && port_write(PORT_STDERR, clear_text, sizeof clear_text - 1) < 0)
        return;
}
