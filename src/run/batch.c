/* Many inputs, one filter. See batch.h.
 *
 * Each file is two jobs: to filter it, in a pool of as many threads as shall work, and then to bring it to
 * the disk and to its place, in a pool whose threads mostly wait, since disks take many files at once as fast
 * as one. The main thread waits for them in their order, filters others meanwhile, and says what each had to
 * say. A file that is alone has all threads to itself, through a pool of its own; so jobs never wait for jobs
 * of their own pool. Only a window of files is under way or waiting to be told, so that neither memory nor
 * the number of open files grows with theirs.
 */
#include "run/batch.h"

#include "io/output.h"
#include "run/targets.h"
#include "run/progress.h"
#include "io/tempfile.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <unistd.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif

enum {
    CHUNK_ROWS = 256, /* files that are begun before the oldest of them is told of */
    FILE_DESCRIPTORS =
        5, /* that one file takes at most: input, output, what is replaced, directory, cut list */
    WAITING_DESCRIPTORS = 2, /* and one that waits for the disk: output, what is replaced */
    OTHER_DESCRIPTORS = 6,
    STORING = 32,   /* files on their way to the disk */
    KEPT = 4 << 20, /* bytes of memory that are not given back between files */
    NAMES = 700     /* bytes of names in the summary */
};

struct batch {
    const struct filter_job_config *config;
    struct targets targets;
    struct messages *messages;
    struct pool *disk;
    size_t natonce, nthread; /* files at once, threads for each */
    size_t window;           /* files that may be open */
    size_t nfailed, nstored;
    bool trouble; /* beyond single files */
};

/* A file's job. */
struct work {
    struct batch *batch;
    struct target *item;
    struct messages *messages; /* the item's own, or the program's where it is alone */
    struct outfile out;
    uint64_t nread;
};

static size_t processors(void)
{
    long n = sysconf(_SC_NPROCESSORS_ONLN);
    return n < 1 ? 1 : n > 64 ? 64 : (size_t)n;
}

static size_t smaller(size_t a, size_t b)
{
    return a < b ? a : b;
}

/* --jobs, as far as there are files for it, and descriptors. */
static void share_out(struct batch *b)
{
    size_t jobs = b->config->output.jobs > 0 ? (size_t)b->config->output.jobs : processors();
    size_t most = (FILE_DESCRIPTORS + WAITING_DESCRIPTORS) * CHUNK_ROWS;
    struct rlimit limit;
    if (getrlimit(RLIMIT_NOFILE, &limit) == 0 && limit.rlim_cur < most + OTHER_DESCRIPTORS)
        most = limit.rlim_cur > OTHER_DESCRIPTORS ? limit.rlim_cur - OTHER_DESCRIPTORS : 0;
    b->natonce = smaller(smaller(jobs, most / FILE_DESCRIPTORS), b->targets.nwork);
    b->natonce = b->natonce ? b->natonce : 1;
    b->nthread = jobs / b->natonce;
    size_t rest = most > b->natonce * FILE_DESCRIPTORS ? most - b->natonce * FILE_DESCRIPTORS : 0;
    b->window = smaller(b->natonce + rest / WAITING_DESCRIPTORS, CHUNK_ROWS);
}

/* A pool for n threads, the caller's own included. Unless their number was asked for, one does as well. */
static struct pool *open_pool(const struct batch *b, size_t n, struct error *e)
{
    struct pool *pool = pool_open(n - 1, e);
    return pool || b->config->output.jobs > 0 ? pool : pool_open(0, e);
}

/* Threads that wait for the disk; none where one file is all there is. */
static struct pool *open_disk(const struct batch *b, struct error *e)
{
    struct pool *pool = b->targets.nwork > 1 ? pool_open(smaller(smaller(STORING, b->window), b->targets.nwork), e)
                                          : NULL;
    return pool ? pool : pool_open(0, e);
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
static bool at_once(const struct target *item)
{
    return item->place.kind == OUTPUT_STDOUT || item->place.kind == OUTPUT_STREAM;
}

static bool run_job(struct work *w, struct outfile *out, struct error *e)
{
    const struct batch *b = w->batch;
    struct target *item = w->item;
    size_t most = item->regular ? 1 + (size_t)(item->nbyte / FORMAT_BLOCK) : b->nthread;
    struct messages silent = { .say = unheard };
    struct filter_job_task task = {
        .input = item->input,
        .fd = out->fd,
        .output = b->targets.way == TARGET_FILE ? item->want.path : NULL,
        .keep_shape = b->targets.way == TARGET_IN_PLACE,
        .hold = !isnan(b->config->output.max_change) && at_once(item),
        .report = &item->report,
        .dry = b->config->output.dry_run,
        .nthread = b->nthread < most ? b->nthread : most,
        .watch = watch,
        .closure = w,
    };
    task.pool = open_pool(b, task.nthread, e);
    bool good = task.pool && filter_job_run(b->config, &task, b->config->output.quiet ? &silent : w->messages, e);
    pool_close(task.pool);
    return good;
}

static void finish(struct work *w, const struct error *e, bool good)
{
    struct target *item = w->item;
    if (!good) {
        item->failed = true;
        messages_error(w->messages, e->at_output ? targets_output(item) : targets_input(item), e);
    }
    progress_add(item->nbyte > w->nread ? item->nbyte - w->nread : 0, 1);
}

static void store_file(void *closure)
{
    struct work *w = closure;
    struct error e;
    if (!w->item->failed) {
        bool good = output_commit(&w->out, &e);
        e.at_output = true;
        finish(w, &e, good);
    }
    output_close(&w->out);
}

/* Its store job follows in any case. */
static void filter_file(struct work *w)
{
    struct error e = { .at_output = false };
    bool opened = output_open(&w->out, &w->item->want, &e);
    e.at_output = !opened;
    if (!opened || !run_job(w, &w->out, &e))
        finish(w, &e, false);
    pool_submit(w->batch->disk, &w->item->store, store_file, w);
}

/* Reading from a pipe would take from it what a later run wants; a file on standard input is wound back. */
static bool look_at_file(struct work *w, struct error *e)
{
    struct outfile none = { .fd = -1 };
    bool standard = strcmp(w->item->input, "-") == 0;
    e->at_output = !output_allowed(&w->item->place, w->batch->targets.way == TARGET_DIRECTORY, e);
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
    struct error e;
    progress_file(w->item->input);
    if (w->batch->config->output.dry_run)
        finish(w, &e, look_at_file(w, &e));
    else
        filter_file(w);
}

/* --- all of them
 * --------------------------------------------------------------------------------------------------- */

static void print(struct batch *b, const char *text)
{
    struct error e;
    if (tempfile_put(STDOUT_FILENO, text, strlen(text), &e))
        return;
    messages_error(b->messages, "(standard output)", &e);
    b->trouble = true;
}

/* A report stands apart from the series. */
static void tell_report(struct batch *b, const struct target *item)
{
    struct stat out;
    const struct output_place *place = &item->place;
    bool series = place->kind == OUTPUT_STDOUT ||
                  (place->kind == OUTPUT_STREAM && fstat(STDOUT_FILENO, &out) == 0 &&
                   out.st_dev == place->st.st_dev && out.st_ino == place->st.st_ino);
    if (series)
        messages_text(b->messages, item->report);
    else
        print(b, item->report);
}

/* Says what a file has to say, in its turn. */
static void tell(struct batch *b, struct target *item)
{
    struct error e;
    if (item->failed && item->messages.n == 0 && b->targets.nitem > 1) {
        error_memory(&e); /* what was wrong could not even be kept */
        messages_error(b->messages, targets_input(item), &e);
    }
    messages_move(b->messages, &item->messages);
    b->nfailed += item->failed;
    b->nstored += !item->failed;
    if (b->config->output.dry_run && !item->failed) {
        char text[4096];
        targets_tell(&b->targets, item, text, sizeof text);
        print(b, text);
    }
    if (item->report && !item->failed)
        tell_report(b, item);
    free(item->report);
    item->report = NULL;
}

static bool has_work(const struct target *item)
{
    return !item->repeated && !item->failed;
}

/* Begins what the window has room for; told is the oldest file in it. */
static void submit(struct batch *b, struct pool *pool, struct work *work, size_t told, size_t *nsubmitted)
{
    for (; *nsubmitted < b->targets.nitem && *nsubmitted < told + b->window; ++*nsubmitted) {
        struct target *item = &b->targets.item[*nsubmitted];
        struct work *w = &work[*nsubmitted % b->window];
        *w = (struct work){ .batch = b, .item = item, .messages = b->targets.nitem > 1 ? &item->messages : b->messages };
        if (has_work(item))
            pool_submit(pool, &item->job, do_work, w);
    }
}

/* Is nothing left to do for a file that was filtered? */
static bool is_stored(const struct batch *b, const struct target *item)
{
    return !item->store.work || pool_done(b->disk, &item->store);
}

static bool work_through(struct batch *b, struct error *e)
{
    struct targets *p = &b->targets;
    struct work *work = calloc(b->window, sizeof *work);
    struct pool *pool = work ? open_pool(b, b->natonce, e) : NULL;
    size_t nsubmitted = 0, nfiltered = 0;
    if (pool)
        b->disk = open_disk(b, e);
    for (size_t i = 0; b->disk && i < p->nitem && !b->trouble; i++) {
        struct target *item = &p->item[i];
        submit(b, pool, work, i, &nsubmitted);
        for (; nfiltered <= i || (nfiltered < nsubmitted && !is_stored(b, item)); nfiltered++)
            if (p->item[nfiltered].job.work)
                pool_wait(pool, &p->item[nfiltered].job);
        if (item->store.work)
            pool_wait(b->disk, &item->store);
        if (!item->repeated)
            tell(b, item);
    }
    pool_close(pool);
    pool_close(b->disk);
    free(work);
    return b->disk || (work ? false : error_memory(e));
}

static void sync_directories(struct batch *b)
{
    for (size_t i = 0; i < b->targets.ndirectory && b->nstored > 0; i++) {
        struct error e;
        if (!output_sync(b->targets.directory[i], &e)) {
            messages_error(b->messages, b->targets.directory[i], &e);
            b->trouble = true;
        }
    }
}

/* Names what failed. */
static void sum_up(const struct batch *b)
{
    const struct targets *p = &b->targets;
    char names[NAMES + 64] = "";
    size_t n = 0, nnamed = 0;
    if (b->nfailed == 0 || p->nwork == 1)
        return;
    for (size_t i = 0; i < p->nitem; i++) {
        char clean[NAMES];
        if (!p->item[i].failed || p->item[i].repeated)
            continue;
        size_t nclean = error_escape(targets_input(&p->item[i]), strlen(targets_input(&p->item[i])), clean,
                                     sizeof clean);
        if (n + nclean + 2 > NAMES)
            break;
        n += (size_t)snprintf(names + n, sizeof names - n, "%s%s", nnamed++ ? ", " : "", clean);
    }
    if (nnamed < b->nfailed)
        snprintf(names + n, sizeof names - n, "%s%zu more", nnamed ? ", and " : "", b->nfailed - nnamed);
    messages_add(b->messages, NULL, "%zu of %zu files failed: %s", b->nfailed, p->nwork, names);
}

static bool run_targets(struct batch *b)
{
    const struct output_settings *o = &b->config->output;
    struct error e;
    if (!o->dry_run) {
        if (!targets_begin(&b->targets, &e)) {
            messages_error(b->messages, o->output_dir, &e);
            return false;
        }
        for (size_t i = 0; i < b->targets.ndirectory; i++)
            output_clean(b->targets.directory[i]);
    }
    int when = (o->quiet && o->progress == PROGRESS_AUTO) || o->dry_run ? PROGRESS_NEVER : o->progress;
    bool prints = b->targets.item[0].place.kind == OUTPUT_STDOUT || o->report;
    progress_open(b->messages, when, b->targets.nwork, b->targets.nbyte, prints && isatty(STDOUT_FILENO) == 1);
    bool good = work_through(b, &e);
    if (!o->dry_run)
        sync_directories(b);
    progress_close(b->messages);
    if (!good)
        messages_error(b->messages, NULL, &e);
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

bool batch_run(const struct filter_job_config *c, const struct texts *inputs, struct messages *messages)
{
    struct batch b = { .config = c, .messages = messages };
    bool good = targets_make(&b.targets, &c->output, inputs, messages);
    if (b.targets.nwork > 1)
        keep_memory();
    if (good) {
        share_out(&b);
        good = run_targets(&b);
    }
    targets_free(&b.targets);
    return good;
}
