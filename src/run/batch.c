/* Many inputs, one filter. Each file is two jobs: one filters it, in a pool of as many threads as shall
 * compute; the other commits it to the disk, in a pool whose threads mostly wait, since a disk takes many
 * files at once as fast as one. The main thread waits for the files in order, filters others meanwhile, and
 * reports each. A single file has all threads to itself, through a pool of its own; so a job never waits for
 * a job of its own pool. Only a window of files is open or waiting, to bound memory and descriptors. */
#include "run/targets.h"

#include "io/tempfile.h"
#include "run/progress.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <unistd.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif

enum {
    MAXWINDOW = 256,         /* files that are begun before the oldest of them is reported */
    FILE_DESCRIPTORS = 4,    /* of a file being filtered: input, output, two temporary files */
    WAITING_DESCRIPTORS = 1, /* of a file waiting for the disk: output */
    OTHER_DESCRIPTORS = 6,
    MAXSTORING = 32,       /* files being committed at once */
    KEPT_MEMORY = 4 << 20, /* bytes that are not given back to the kernel between files */
    NAMES = 700            /* bytes of names in the last message */
};

struct batch {
    const struct filter_job_config *config;
    struct targets targets;
    struct messages *messages;
    struct pool *pool, *disk;
    size_t nfile, nthread; /* files filtered at once, threads for each */
    size_t window;         /* files that may be open */
    size_t nfailed;
    atomic_bool *used; /* with several files: which --set named a channel of one of them */
    bool failed;       /* an error that is not about one of the files */
};

static size_t smaller(size_t a, size_t b)
{
    return a < b ? a : b;
}

/* Divides --jobs among files and threads, as far as files and descriptors go. */
static void divide_jobs(struct batch *b)
{
    long processors = sysconf(_SC_NPROCESSORS_ONLN), given = b->config->output.jobs;
    size_t jobs = given > 0 ? (size_t)given : processors < 1 ? 1 : smaller((size_t)processors, 64);
    size_t most = (FILE_DESCRIPTORS + WAITING_DESCRIPTORS) * MAXWINDOW;
    struct rlimit limit;
    if (getrlimit(RLIMIT_NOFILE, &limit) == 0 && limit.rlim_cur < most + OTHER_DESCRIPTORS)
        most = limit.rlim_cur > OTHER_DESCRIPTORS ? limit.rlim_cur - OTHER_DESCRIPTORS : 0;
    b->nfile = smaller(smaller(jobs, most / FILE_DESCRIPTORS), b->targets.ntarget);
    b->nfile = b->nfile ? b->nfile : 1;
    b->nthread = jobs / b->nfile;
    size_t rest = most > b->nfile * FILE_DESCRIPTORS ? most - b->nfile * FILE_DESCRIPTORS : 0;
    b->window = smaller(b->nfile + rest / WAITING_DESCRIPTORS, MAXWINDOW);
}

/* A pool of n threads besides the caller's own, which is enough unless the others are required. */
static struct pool *open_pool(size_t n, bool required, struct error *e)
{
    struct pool *pool = pool_open(n, e);
    return pool || required ? pool : pool_open(0, e);
}

/* --- one file --- */

static void count_progress(void *closure, uint64_t nbyte, uint64_t nrow)
{
    struct target *t = closure;
    bool resampled = !isnan(t->batch->config->resample);
    progress_add(nbyte - t->nread, resampled ? nrow - t->nrow : 0, 0);
    t->nread = nbyte;
    t->nrow = nrow;
}

static bool run_job(struct target *t, int fd, struct error *e)
{
    const struct batch *b = t->batch;
    const struct output_settings *o = &b->config->output;
    size_t nblock = S_ISREG(t->st.st_mode) ? 1 + (size_t)t->st.st_size / FORMAT_BLOCK : b->nthread;
    struct filter_job_task task = {
        .input = t->input,
        .fd = fd,
        .hold = !isnan(o->max_change) && (t->place.kind == OUTPUT_STDOUT || t->place.kind == OUTPUT_STREAM),
        .used = b->used,
        .report = &t->report,
        .nthread = smaller(b->nthread, nblock),
        .watch = count_progress,
        .closure = t,
    };
    task.pool = open_pool(task.nthread - 1, o->jobs > 0, e);
    bool good = task.pool && filter_job_run(b->config, &task, o->quiet ? NULL : &t->messages, e);
    pool_close(task.pool);
    return good;
}

static void finish_file(struct target *t, const struct error *e, bool good)
{
    uint64_t nbyte = (uint64_t)t->st.st_size;
    if (!good) {
        t->failed = true;
        messages_error(&t->messages, e->at_output ? target_output(t) : target_input(t), e);
    }
    progress_add(nbyte > t->nread ? nbyte - t->nread : 0, 0, 1);
}

static void store_file(void *closure)
{
    struct target *t = closure;
    struct error e;
    if (!t->failed) {
        bool good = output_commit(&t->out, &e);
        e.at_output = true;
        finish_file(t, &e, good);
    }
    output_close(&t->out);
}

/* --dry-run: a pipe is not read, since what is read from it is lost; a file on standard input is rewound. */
static bool look_at_file(struct target *t, struct error *e)
{
    bool standard = strcmp(t->input, "-") == 0;
    e->at_output = !output_allowed(&t->place, t->batch->targets.kind == TARGET_DIRECTORY, e);
    if (e->at_output)
        return false;
    if (t->st.st_mode && !S_ISREG(t->st.st_mode))
        return true;
    off_t at = standard ? lseek(STDIN_FILENO, 0, SEEK_CUR) : -1;
    bool good = run_job(t, -1, e);
    if (at >= 0)
        lseek(STDIN_FILENO, at, SEEK_SET);
    return good;
}

static void filter_file(void *closure)
{
    struct target *t = closure;
    struct error e = { .at_output = false };
    if (t->batch->config->output.dry_run) {
        finish_file(t, &e, look_at_file(t, &e));
        return;
    }
    bool opened = output_open(&t->out, &t->want, &e);
    e.at_output = !opened;
    if (!opened || !run_job(t, t->out.fd, &e))
        finish_file(t, &e, false);
    pool_submit(t->batch->disk, &t->store, store_file, t); /* after an error, too: it closes the output */
}

/* --- all files --- */

static void print(struct batch *b, const char *text)
{
    struct error e;
    if (tempfile_put(STDOUT_FILENO, text, strlen(text), &e))
        return;
    messages_error(b->messages, "(standard output)", &e);
    b->failed = true;
}

/* --dry-run: prints "a.csv -> out/a.csv", escaped. */
static void print_plan(struct batch *b, const struct target *t)
{
    char in[1100], out[1100] = "", line[4096];
    bool in_place = b->targets.kind == TARGET_IN_PLACE;
    const char *to = in_place ? t->want.backup : target_output(t);
    error_escape(target_input(t), strlen(target_input(t)), in, sizeof in);
    if (to)
        error_escape(to, strlen(to), out, sizeof out);
    snprintf(line, sizeof line, "%s%s%s%s\n", in,
             !in_place ? " -> "
             : to      ? " in place, the old one kept as "
                       : " in place",
             out, !in_place && t->place.kind == OUTPUT_FILE ? ", replaces the one there" : "");
    print(b, line);
}

/* Prints a report to standard output, but to standard error where the series goes to standard output. */
static void print_report(struct batch *b, const struct target *t)
{
    struct stat out;
    const struct output_place *place = &t->place;
    bool series = place->kind == OUTPUT_STDOUT ||
                  (place->kind == OUTPUT_STREAM && fstat(STDOUT_FILENO, &out) == 0 &&
                   out.st_dev == place->st.st_dev && out.st_ino == place->st.st_ino);
    if (series)
        messages_text(b->messages, t->report);
    else
        print(b, t->report);
}

/* Prints the messages and the report of a file that is done. */
static void report_file(struct batch *b, struct target *t)
{
    struct error e;
    if (t->failed && t->messages.text.n == 0 && b->targets.ntarget > 1) {
        error_memory(&e); /* there was no memory to keep the message */
        messages_error(b->messages, target_input(t), &e);
    }
    messages_move(b->messages, &t->messages);
    b->nfailed += t->failed;
    if (b->config->output.dry_run && !t->failed)
        print_plan(b, t);
    if (t->report && !t->failed)
        print_report(b, t);
    free(t->report);
    t->report = NULL;
}

/* Begins the files up to target number end. */
static void submit(struct batch *b, size_t *nsubmitted, size_t end)
{
    for (; *nsubmitted < b->targets.ntarget && *nsubmitted < end; ++*nsubmitted) {
        struct target *t = &b->targets.target[*nsubmitted];
        t->batch = b;
        if (b->targets.ntarget == 1)
            t->messages.say = b->messages->say; /* a single file's messages are printed at once */
        if (!t->failed)
            pool_submit(b->pool, &t->filter, filter_file, t);
    }
}

static void filter_all(struct batch *b)
{
    struct targets *all = &b->targets;
    size_t nsubmitted = 0, nfiltered = 0;
    for (size_t i = 0; i < all->ntarget && !b->failed; i++) {
        struct target *t = &all->target[i];
        submit(b, &nsubmitted, i + b->window);
        for (; nfiltered <= i || (nfiltered < nsubmitted && t->store.work && !t->store.done); nfiltered++)
            if (all->target[nfiltered].filter.work)
                pool_wait(b->pool, &all->target[nfiltered].filter);
        if (t->store.work)
            pool_wait(b->disk, &t->store);
        report_file(b, t);
    }
}

static void sync_directories(struct batch *b)
{
    for (size_t i = 0; i < b->targets.ndirectory && b->nfailed < b->targets.ntarget; i++) {
        struct error e;
        if (!output_sync(b->targets.directory[i], &e)) {
            messages_error(b->messages, b->targets.directory[i], &e);
            b->failed = true;
        }
    }
}

/* Names the files that failed. */
static void report_failures(const struct batch *b)
{
    const struct targets *all = &b->targets;
    char names[NAMES + 64] = "", name[NAMES];
    size_t nnamed = 0;
    if (b->nfailed == 0 || all->ntarget == 1)
        return;
    for (const struct target *t = all->target; t < all->target + all->ntarget; t++) {
        if (!t->failed)
            continue;
        size_t n = error_escape(target_input(t), strlen(target_input(t)), name, sizeof name);
        if (strlen(names) + n + 2 > NAMES)
            break;
        text_append(names, sizeof names, "%s%s", nnamed++ ? ", " : "", name);
    }
    if (nnamed < b->nfailed)
        text_append(names, sizeof names, "%s%zu more", nnamed ? ", and " : "", b->nfailed - nnamed);
    messages_add(b->messages, NULL, "%zu of %zu files failed: %s", b->nfailed, all->ntarget, names);
}

/* A --set that names no channel of any file is an error. */
static void check_used(struct batch *b)
{
    const atomic_bool *used = b->used;
    for (size_t k = 0; used && b->nfailed < b->targets.ntarget && k < chain_length(b->config); k++) {
        const struct override_list *list = &chain_filter(b->config, k)->overrides;
        for (size_t i = 0; i < list->n; i++)
            if (!*used++) {
                struct error e;
                error_data(&e, "--set: no filtered column of any file is like \"%s\"", list->at[i].list);
                messages_error(b->messages, NULL, &e);
                b->failed = true;
            }
    }
}

static bool run_batch(struct batch *b)
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
    bool prints = b->targets.target[0].place.kind == OUTPUT_STDOUT || o->report;
    progress_open(b->messages, when, b->targets.ntarget, b->targets.nbyte,
                  prints && isatty(STDOUT_FILENO) == 1);
    /* A single file needs no thread that waits for the disk. */
    size_t n = b->targets.ntarget, nstoring = n > 1 ? smaller(smaller(MAXSTORING, b->window), n) : 0;
    b->pool = open_pool(b->nfile - 1, o->jobs > 0, &e);
    b->disk = b->pool ? open_pool(nstoring, false, &e) : NULL;
    bool opened = b->disk != NULL;
    if (opened)
        filter_all(b);
    pool_close(b->pool);
    pool_close(b->disk);
    if (opened && !o->dry_run)
        sync_directories(b);
    progress_close(b->messages);
    if (!opened)
        messages_error(b->messages, NULL, &e);
    report_failures(b);
    check_used(b);
    return opened && b->nfailed == 0 && !b->failed;
}

bool batch_run(const struct filter_job_config *c, const struct texts *inputs, struct messages *messages)
{
    struct batch b = { .config = c, .messages = messages };
    bool good = targets_make(&b.targets, &c->output, inputs, messages);
#ifdef __GLIBC__
    if (b.targets.ntarget > 1) {
        /* The next file reuses the memory that one file frees, without the kernel clearing it again. */
        mallopt(M_TRIM_THRESHOLD, KEPT_MEMORY);
        mallopt(M_MMAP_THRESHOLD, KEPT_MEMORY);
    }
#endif
    size_t nset = 0;
    for (size_t k = 0; k < chain_length(c); k++)
        nset += chain_filter(c, k)->overrides.n;
    if (good && b.targets.ntarget > 1)
        b.used = calloc(nset + 1, sizeof *b.used);
    if (good) {
        divide_jobs(&b);
        good = run_batch(&b);
    }
    free(b.used);
    targets_free(&b.targets);
    return good;
}
