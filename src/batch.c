/* Many inputs, one filter. See batch.h.
 *
 * Each file is one job of a pool; the main thread waits for them in their order, does others meanwhile, and
 * says what each had to say. A file that is alone has all threads to itself, through a pool of its own; so
 * jobs never wait for jobs of their own pool. Only a window of files is under way or waiting to be told, so
 * that memory does not grow with their number.
 */
#include "batch.h"

#include "output.h"
#include "pipeline.h"
#include "plan.h"
#include "progress.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <unistd.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif

enum {
    WINDOW = 256, /* files that are begun before the oldest of them is told of */
    FILE_DESCRIPTORS =
        5, /* that one file takes at most: input, output, what is replaced, directory, cut list */
    OTHER_DESCRIPTORS = 6,
    KEPT = 4 << 20, /* bytes of memory that are not given back between files */
    NAMES = 700     /* bytes of names in the summary */
};

struct batch {
    const struct job_config *config;
    struct plan plan;
    struct notes *notes;
    size_t natonce, nthread; /* files at once, threads for each */
    size_t nfailed, nstored;
    bool trouble; /* beyond single files */
};

/* A file's job. */
struct work {
    struct batch *batch;
    struct plan_item *item;
    struct notes *notes; /* the item's own, or the program's where it is alone */
    uint64_t nread;
};

static size_t processors(void)
{
    long n = sysconf(_SC_NPROCESSORS_ONLN);
    return n < 1 ? 1 : n > 64 ? 64 : (size_t)n;
}

/* --jobs, as far as there are files for it, and descriptors. */
static void share_out(struct batch *b)
{
    size_t jobs = b->config->output.jobs > 0 ? (size_t)b->config->output.jobs : processors();
    struct rlimit limit;
    size_t most = jobs;
    if (getrlimit(RLIMIT_NOFILE, &limit) == 0 && limit.rlim_cur < 1 << 20)
        most = limit.rlim_cur > OTHER_DESCRIPTORS ? (limit.rlim_cur - OTHER_DESCRIPTORS) / FILE_DESCRIPTORS
                                                  : 1;
    b->natonce = jobs < most ? jobs : most;
    b->natonce = b->natonce < b->plan.nwork ? b->natonce : b->plan.nwork;
    b->natonce = b->natonce ? b->natonce : 1;
    b->nthread = jobs / b->natonce;
}

/* A pool for n threads, the caller's own included. Unless their number was asked for, one does as well. */
static struct pool *open_pool(const struct batch *b, size_t n, struct error *e)
{
    struct pool *pool = pool_open(n - 1, e);
    return pool || b->config->output.jobs > 0 ? pool : pool_open(0, e);
}

/* --- one file
 * ---------------------------------------------------------------------------------------------------- */

static void watch(void *closure, uint64_t nbyte)
{
    struct work *w = closure;
    progress_add(nbyte - w->nread, 0);
    w->nread = nbyte;
}

static void unheard(const char *text, size_t n)
{
    (void)text, (void)n;
}

/* Does what is written arrive at once, so that it cannot be taken back? */
static bool at_once(const struct plan_item *item)
{
    return item->place.kind == OUTPUT_STDOUT || item->place.kind == OUTPUT_STREAM;
}

static bool run_job(struct work *w, struct outfile *out, struct error *e)
{
    const struct batch *b = w->batch;
    struct plan_item *item = w->item;
    size_t most = item->regular ? 1 + (size_t)(item->nbyte / FORMAT_BLOCK) : b->nthread;
    struct notes silent = { .say = unheard };
    struct job_task task = {
        .input = item->input,
        .fd = out->fd,
        .output = b->plan.way == PLAN_FILE ? item->want.path : NULL,
        .keep_shape = b->plan.way == PLAN_IN_PLACE,
        .hold = !isnan(b->config->output.max_change) && at_once(item),
        .report = &item->report,
        .dry = b->config->output.dry_run,
        .nthread = b->nthread < most ? b->nthread : most,
        .watch = watch,
        .closure = w,
    };
    task.pool = open_pool(b, task.nthread, e);
    bool good = task.pool && job_run(b->config, &task, b->config->output.quiet ? &silent : w->notes, e);
    pool_close(task.pool);
    return good;
}

static bool filter_file(struct work *w, struct error *e)
{
    struct outfile out;
    e->at_output = false;
    bool opened = output_open(&out, &w->item->want, e), good = opened && run_job(w, &out, e);
    if (good || !opened) {
        good = good && output_commit(&out, e);
        e->at_output = !good;
    }
    output_close(&out);
    return good;
}

/* Reading from a pipe would take from it what a later run wants; a file on standard input is wound back. */
static bool look_at_file(struct work *w, struct error *e)
{
    struct outfile none = { .fd = -1 };
    bool standard = strcmp(w->item->input, "-") == 0;
    e->at_output = !output_allowed(&w->item->place, w->batch->plan.way == PLAN_DIRECTORY, e);
    if (e->at_output)
        return false;
    if (w->item->known && !w->item->regular)
        return true;
    off_t at = standard ? lseek(STDIN_FILENO, 0, SEEK_CUR) : -1;
    bool good = run_job(w, &none, e);
    if (at >= 0)
        lseek(STDIN_FILENO, at, SEEK_SET);
    return good;
}

static void do_work(void *closure)
{
    struct work *w = closure;
    struct plan_item *item = w->item;
    struct error e;
    progress_file(item->input);
    bool good = w->batch->config->output.dry_run ? look_at_file(w, &e) : filter_file(w, &e);
    if (!good) {
        item->failed = true;
        notes_error(w->notes, e.at_output ? plan_output(item) : plan_input(item), &e);
    }
    progress_add(item->nbyte > w->nread ? item->nbyte - w->nread : 0, 1);
}

/* --- all of them
 * --------------------------------------------------------------------------------------------------- */

static void print(struct batch *b, const char *text)
{
    struct error e;
    if (pipeline_write(STDOUT_FILENO, text, strlen(text), &e))
        return;
    notes_error(b->notes, "(standard output)", &e);
    b->trouble = true;
}

/* A report stands apart from the series. */
static void tell_report(struct batch *b, const struct plan_item *item)
{
    struct stat out;
    const struct output_place *place = &item->place;
    bool series = place->kind == OUTPUT_STDOUT ||
                  (place->kind == OUTPUT_STREAM && fstat(STDOUT_FILENO, &out) == 0 &&
                   out.st_dev == place->st.st_dev && out.st_ino == place->st.st_ino);
    if (series)
        notes_text(b->notes, item->report);
    else
        print(b, item->report);
}

/* Says what a file has to say, in its turn. */
static void tell(struct batch *b, struct plan_item *item)
{
    struct error e;
    if (item->failed && item->notes.n == 0 && b->plan.nitem > 1) {
        error_memory(&e); /* what was wrong could not even be kept */
        notes_error(b->notes, plan_input(item), &e);
    }
    notes_move(b->notes, &item->notes);
    b->nfailed += item->failed;
    b->nstored += !item->failed;
    if (b->config->output.dry_run && !item->failed) {
        char text[4096];
        plan_tell(&b->plan, item, text, sizeof text);
        print(b, text);
    }
    if (item->report && !item->failed)
        tell_report(b, item);
    free(item->report);
    item->report = NULL;
}

static bool has_work(const struct plan_item *item)
{
    return !item->repeated && !item->failed;
}

static bool work_through(struct batch *b, struct error *e)
{
    struct plan *p = &b->plan;
    struct work *work = calloc(p->nitem < WINDOW ? p->nitem : WINDOW, sizeof *work);
    struct pool *pool = work ? open_pool(b, b->natonce, e) : NULL;
    size_t nsubmitted = 0;
    for (size_t i = 0; pool && i < p->nitem && !b->trouble; i++) {
        for (; nsubmitted < p->nitem && nsubmitted < i + WINDOW; nsubmitted++) {
            struct plan_item *item = &p->item[nsubmitted];
            struct work *w = &work[nsubmitted % WINDOW];
            *w = (struct work){ b, item, p->nitem > 1 ? &item->notes : b->notes, 0 };
            if (has_work(item))
                pool_submit(pool, &item->job, do_work, w);
        }
        if (p->item[i].job.work)
            pool_wait(pool, &p->item[i].job);
        if (!p->item[i].repeated)
            tell(b, &p->item[i]);
    }
    pool_close(pool);
    free(work);
    return pool || (work ? false : error_memory(e));
}

static void sync_directories(struct batch *b)
{
    for (size_t i = 0; i < b->plan.ndirectory && b->nstored > 0; i++) {
        struct error e;
        if (!output_sync(b->plan.directory[i], &e)) {
            notes_error(b->notes, b->plan.directory[i], &e);
            b->trouble = true;
        }
    }
}

/* Names what failed. */
static void sum_up(const struct batch *b)
{
    const struct plan *p = &b->plan;
    char names[NAMES + 64] = "";
    size_t n = 0, nnamed = 0;
    if (b->nfailed == 0 || p->nwork == 1)
        return;
    for (size_t i = 0; i < p->nitem; i++) {
        char clean[NAMES];
        if (!p->item[i].failed || p->item[i].repeated)
            continue;
        size_t nclean = error_escape(plan_input(&p->item[i]), strlen(plan_input(&p->item[i])), clean,
                                     sizeof clean);
        if (n + nclean + 2 > NAMES)
            break;
        n += (size_t)snprintf(names + n, sizeof names - n, "%s%s", nnamed++ ? ", " : "", clean);
    }
    if (nnamed < b->nfailed)
        snprintf(names + n, sizeof names - n, "%s%zu more", nnamed ? ", and " : "", b->nfailed - nnamed);
    notes_add(b->notes, NULL, "%zu of %zu files failed: %s", b->nfailed, p->nwork, names);
}

static bool run_plan(struct batch *b)
{
    const struct output_options *o = &b->config->output;
    struct error e;
    if (!o->dry_run) {
        if (!plan_begin(&b->plan, &e)) {
            notes_error(b->notes, o->output_dir, &e);
            return false;
        }
        for (size_t i = 0; i < b->plan.ndirectory; i++)
            output_clean(b->plan.directory[i]);
    }
    int when = (o->quiet && o->progress == PROGRESS_AUTO) || o->dry_run ? PROGRESS_NEVER : o->progress;
    bool prints = b->plan.item[0].place.kind == OUTPUT_STDOUT || o->report;
    progress_open(b->notes, when, b->plan.nwork, b->plan.nbyte, prints && isatty(STDOUT_FILENO) == 1);
    bool good = work_through(b, &e);
    if (!o->dry_run)
        sync_directories(b);
    progress_close(b->notes);
    if (!good)
        notes_error(b->notes, NULL, &e);
    sum_up(b);
    return good && b->nfailed == 0 && !b->trouble;
}

/* The memory that one file gives back the next one takes, without the kernel clearing it again. */
static void keep_memory(void)
{
#ifdef __GLIBC__
    mallopt(M_TRIM_THRESHOLD, KEPT);
    mallopt(M_MMAP_THRESHOLD, KEPT);
#endif
}

bool batch_run(const struct job_config *c, const struct texts *inputs, struct notes *notes)
{
    struct batch b = { .config = c, .notes = notes };
    bool good = plan_make(&b.plan, &c->output, inputs, notes);
    if (b.plan.nwork > 1)
        keep_memory();
    if (good) {
        share_out(&b);
        good = run_plan(&b);
    }
    plan_free(&b.plan);
    return good;
}
