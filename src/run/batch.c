/* Many inputs, one filter. Each file is a job of a pool: it is opened, filtered, brought to the disk and
 * named. The pool has more threads than files that may be filtered at once, since the disk takes longer for a
 * small file than the filter. The main thread goes through the files in order: while it waits for a file it
 * works on later files; then it prints the file's messages and report. The threads within one file are
 * another pool, so a job never waits for a job of the same pool. */
#include "run/batch.h"

#include "base/port.h"
#include "io/tempfile.h"
#include "run/batch_report.h"
#include "run/progress.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

enum {
    FILE_DESCRIPTORS = 5,  /* of a file: the input, two temporary files, two outputs */
    OTHER_DESCRIPTORS = 8, /* of the program besides */
    WAITING_FILES = 4      /* that may wait for the disk besides the files that are filtered */
};

struct batch {
    const struct filter_job_config *config;
    struct targets targets;
    struct batch_report report;
    size_t nfile;   /* number of files worked on at once: filtered, or waiting for the disk */
    size_t nthread; /* number of threads for each file */

    pthread_mutex_t lock;
    pthread_cond_t turn; /* a file may be filtered */
    size_t nturn;        /* number of files that may start now */
};

static size_t smaller(size_t a, size_t b)
{
    return a < b ? a : b;
}

/* Divides --jobs among files and threads, limited by the numbers of files and descriptors. */
static void divide_jobs(struct batch *batch)
{
    long given = batch->config->output.jobs;
    size_t jobs = given > 0 ? (size_t)given : smaller(port_processors(), 64);
    size_t most = port_most_descriptors();
    most = most > OTHER_DESCRIPTORS ? most - OTHER_DESCRIPTORS : 0;
    most = smaller(most / FILE_DESCRIPTORS, batch->targets.ntarget);
    most = most ? most : 1;
    batch->nfile = smaller(jobs + WAITING_FILES, most);
    batch->nturn = smaller(jobs, most);
    batch->nthread = jobs / batch->nturn;
}

static void take_turn(struct batch *batch)
{
    pthread_mutex_lock(&batch->lock);
    while (batch->nturn == 0)
        pthread_cond_wait(&batch->turn, &batch->lock);
    batch->nturn--;
    pthread_mutex_unlock(&batch->lock);
}

static void end_turn(struct batch *batch)
{
    pthread_mutex_lock(&batch->lock);
    batch->nturn++;
    pthread_mutex_unlock(&batch->lock);
    pthread_cond_signal(&batch->turn);
}

/* --- one file --- */

static bool run_job(struct target *target, int fd, struct error *e)
{
    const struct batch *batch = target->batch;
    size_t nblock = target->regular ? 1 + (size_t)target->size / FORMAT_BLOCK : batch->nthread;
    struct filter_job_task *task = &target->task;
    *task = (struct filter_job_task){
        .input = target->input,
        .fd = fd,
        .out = &target->out,
        .nthread = smaller(batch->nthread, nblock),
    };
    task->pool = pool_open(task->nthread - 1);
    struct messages *notes = batch->config->output.quiet ? NULL : &target->messages;
    bool good = task->pool ? filter_job_run(batch->config, task, notes, e) : error_memory(e);
    pool_close(task->pool);
    return good;
}

/* In a batch to --output-dir: copies an input that has nothing to filter. With --columns or --to the error
 * stays: they say what the output must hold. False: the file has failed, with *e. */
static bool copy_instead(struct target *target, struct error *e)
{
    const struct filter_job_config *config = target->batch->config;
    struct source source;
    const bool copies = config->output.output_dir && !config->output.to && !config->columns.columns &&
                        target->batch->targets.ntarget > 1;
    if (!e->unfilterable || !copies)
        return false;
    target->copied = true;
    if (config->output.dry_run)
        return true;
    if (!port_empty(target->out.fd))
        return error_system(e, errno, "cannot write");
    if (!source_open(&source, target->input, e))
        return false;
    bool good = tempfile_copy(target->out.fd, &source, e);
    source_close(&source);
    return good;
}

/* Filters a file into its output. */
static bool make_output(struct target *target, struct error *e)
{
    struct outfile *out = &target->out;
    take_turn(target->batch);
    bool good = output_open(out, e);
    e->at_output = !good;
    good = good && (run_job(target, out->fd, e) || copy_instead(target, e));
    end_turn(target->batch);
    if (good && !output_commit(out, e)) {
        e->at_output = true;
        good = false;
    }
    output_close(out);
    return good;
}

/* --dry-run reads no pipe, since the bytes would be lost, and rewinds a file on standard input. */
static bool try_file(struct target *target, struct error *e)
{
    const bool rewinds = strcmp(target->input, "-") == 0;
    const int64_t at = rewinds ? port_seek(PORT_STDIN, 0, SEEK_CUR) : -1;
    bool good = output_allowed(&target->out, e);
    e->at_output = !good;
    good = good && (!target->regular || run_job(target, -1, e) || copy_instead(target, e));
    if (at >= 0)
        port_seek(PORT_STDIN, at, SEEK_SET);
    return good;
}

static void filter_file(void *closure)
{
    struct target *target = closure;
    struct error e;
    const bool good = target->batch->config->output.dry_run ? try_file(target, &e) : make_output(target, &e);
    if (!good) {
        target->failed = true;
        messages_error(&target->messages, target_name(target, e.at_output), &e);
    }
    const uint64_t nread = target->task.nread;
    progress_add(target->size > nread ? target->size - nread : 0, 0, 1);
}

/* --- all files --- */

/* Draws the progress line, unless standard output is the same terminal. */
static void open_progress(const struct batch *batch)
{
    const struct output_settings *settings = &batch->config->output;
    bool prints = settings->report != NULL, sized = true;
    uint64_t nbyte = 0;
    for (size_t i = 0; i < batch->targets.ntarget; i++) {
        const struct target *target = &batch->targets.target[i];
        prints = prints || target->out.kind == OUTPUT_STDOUT;
        sized = sized && (target->regular || target->failed);
        nbyte += target->failed || target->skipped ? 0 : target->size;
    }
    if (!settings->dry_run && !settings->quiet && !(prints && port_is_terminal(PORT_STDOUT)))
        progress_open(batch->report.messages, batch->targets.ntarget, sized ? nbyte : 0);
}

static void filter_all(struct batch *batch, struct pool *pool)
{
    const size_t n = batch->targets.ntarget;
    for (size_t i = 0; i < n; i++) {
        struct target *target = &batch->targets.target[i];
        target->batch = batch;
        if (n == 1)
            target->messages.say = batch->report.messages->say; /* printed immediately */
        if (target->failed || target->skipped)
            progress_add(0, 0, 1);
        else
            pool_submit(pool, &target->filter, filter_file, target);
    }
    for (size_t i = 0; i < n; i++) {
        struct target *target = &batch->targets.target[i];
        if (target->filter.work)
            pool_wait(pool, &target->filter); /* filters the file on this thread, if no thread has begun */
        batch_report_file(&batch->report, target);
    }
}

static bool run_batch(struct batch *batch)
{
    struct messages *messages = batch->report.messages;
    divide_jobs(batch);
    open_progress(batch);
    struct pool *pool = pool_open(batch->nfile - 1);
    if (pool) {
        filter_all(batch, pool);
    } else {
        struct error e;
        error_memory(&e);
        messages_error(messages, NULL, &e);
        batch->report.failed = true;
    }
    pool_close(pool);
    progress_close(messages);
    return batch_report_finish(&batch->report);
}

bool batch_run(const struct filter_job_config *config, const struct texts *inputs, struct messages *messages)
{
    struct batch batch = { .config = config,
                           .lock = PTHREAD_MUTEX_INITIALIZER,
                           .turn = PTHREAD_COND_INITIALIZER };
    batch.report = (struct batch_report){ .config = config, .targets = &batch.targets, .messages = messages };
    const bool good = targets_open(&batch.targets, &config->output, inputs, messages) && run_batch(&batch);
    targets_free(&batch.targets);
    return good;
}
