/* Many inputs, one filter. Each file is a job of a pool: it is filtered, brought to the disk and named. The
 * main thread goes through the files in order: while it waits for a file it filters later files; then it
 * prints the file's messages and report. The threads within one file are another pool, so a job never waits
 * for a job of its own pool. The number of files begun but not reported is bounded, which bounds memory. */
#include "run/batch.h"

#include "base/port.h"
#include "io/tempfile.h"
#include "run/batch_report.h"
#include "run/progress.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

enum {
    MAXWINDOW = 256,       /* files begun and not yet reported */
    FILE_DESCRIPTORS = 5,  /* of a file: the input, two temporary files, two outputs */
    OTHER_DESCRIPTORS = 8, /* of the program besides */
    MAXFOLDER = 1000,      /* directories brought to the disk together */
    KEPT_MEMORY = 4 << 20  /* bytes of memory kept between files */
};

struct batch {
    const struct filter_job_config *config;
    struct targets targets;
    struct batch_report report;
    struct pool *pool;
    size_t nfile;            /* number of files filtered at once */
    size_t nthread;          /* number of threads for each file */
    struct target *target;   /* [MAXWINDOW]: target number n is at n % MAXWINDOW */
    size_t nsubmitted;       /* targets begun so far */
    char *folder[MAXFOLDER]; /* [nfolder] directories of new files, not synced yet; owned */
    size_t nfolder;
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
    batch->nfile = smaller(smaller(jobs, most / FILE_DESCRIPTORS), batch->targets.ntarget);
    batch->nfile = batch->nfile ? batch->nfile : 1;
    batch->nthread = jobs / batch->nfile;
}

/* --- one file --- */

static bool run_job(struct target *target, int fd, struct error *e)
{
    const struct batch *batch = target->batch;
    const struct output_settings *settings = &batch->config->output;
    size_t nblock = target->st.kind == PORT_REGULAR
                        ? 1 + (size_t)target->st.size / FORMAT_BLOCK
                        : batch->nthread;
    struct filter_job_task *task = &target->task;
    *task = (struct filter_job_task){
        .input = target->input,
        .fd = fd,
        .out = &target->out,
        .nthread = smaller(batch->nthread, nblock),
    };
    task->pool = pool_open(task->nthread - 1);
    struct messages *notes = settings->quiet ? NULL : &target->notes;
    bool good = task->pool ? filter_job_run(batch->config, task, notes, e) : error_memory(e);
    pool_close(task->pool);
    return good;
}

static void fail_file(struct target *target, const struct error *e)
{
    target->failed = true;
    target->high_cutoff = e->high_cutoff;
    messages_error(&target->errors, target_name(target, e->at_output), e);
}

static void finish_file(struct target *target)
{
    uint64_t nbyte = (uint64_t)target->st.size;
    progress_add(nbyte > target->task.nread ? nbyte - target->task.nread : 0, 0, 1);
}

/* In a batch to --output-dir: copies an input that has nothing to filter. With --columns or --to the error
 * stays: they say what the output must hold. False: the file has failed, with *e. */
static bool copy_instead(struct target *target, struct error *e)
{
    const struct output_settings *settings = &target->batch->config->output;
    struct source source;
    const bool copies = settings->output_dir && !settings->to && target->batch->targets.ntarget > 1 &&
                        !target->batch->config->columns.columns;
    if (!e->unfilterable || !copies || strcmp(target->input, "-") == 0)
        return false;
    target->copied = true;
    if (settings->dry_run)
        return true;
    if (!port_empty(target->out.fd))
        return error_system(e, errno, "cannot write");
    if (!source_open(&source, target->input, e))
        return false;
    bool good = tempfile_copy(target->out.fd, &source, e);
    source_close(&source);
    return good;
}

static void filter_file(void *closure)
{
    struct target *target = closure;
    const struct output_settings *settings = &target->batch->config->output;
    struct error e;
    bool good = settings->dry_run ? output_allowed(&target->out, settings->output_dir != NULL, &e)
                                  : output_open(&target->out, &e);
    e.at_output = !good;
    /* --dry-run reads no pipe, since the bytes would be lost, and rewinds a file on standard input. */
    int64_t at = settings->dry_run && strcmp(target->input, "-") == 0 ? port_seek(PORT_STDIN, 0, SEEK_CUR)
                                                                      : -1;
    if (good && (!settings->dry_run || target->st.kind == PORT_REGULAR))
        good = run_job(target, settings->dry_run ? -1 : target->out.fd, &e) || copy_instead(target, &e);
    if (at >= 0)
        port_seek(PORT_STDIN, at, SEEK_SET);
    if (good && !settings->dry_run) {
        good = output_commit(&target->out, &e);
        e.at_output = true;
    }
    if (!good)
        fail_file(target, &e);
    finish_file(target);
}

/* --- directories of new files --- */

/* Brings the directories of new files to the disk. */
static void sync_folders(struct batch *batch)
{
    struct error e;
    for (size_t i = 0; i < batch->nfolder; i++) {
        if (!output_sync(batch->folder[i], &e))
            batch_report_error(&batch->report, batch->folder[i], &e);
        free(batch->folder[i]);
    }
    batch->nfolder = 0;
}

/* Remembers the directory of a path for sync_folders, and returns the directory. NULL: the directory was
 * remembered before, or out of memory. */
static const char *keep_folder(struct batch *batch, const char *path)
{
    struct error e;
    char *folder = output_directory(path);
    for (size_t i = batch->nfolder; folder && i-- > 0;)
        if (strcmp(batch->folder[i], folder) == 0) {
            free(folder);
            return NULL;
        }
    if (!folder) {
        error_system(&e, ENOMEM, "the new file is in place, but the folder cannot be synced to disk");
        batch_report_error(&batch->report, path, &e);
        return NULL;
    }
    if (batch->nfolder == MAXFOLDER)
        sync_folders(batch);
    batch->folder[batch->nfolder++] = folder;
    return folder;
}

/* Remembers the directory of a new file and the directories above, up to --output-dir, which may be new as
 * well. */
static void keep_folders(struct batch *batch, const struct outfile *out)
{
    const char *path = keep_folder(batch, out->real);
    while (path && out->folder && strlen(path) > strlen(out->folder))
        path = keep_folder(batch, path);
}

/* --- all files --- */

/* Prints the report of a filtered file. */
static void finish_report(struct batch *batch, struct target *target)
{
    if (target->failed || target->skipped || !target->task.report)
        return;
    if (target->out.kind == OUTPUT_STDOUT)
        messages_text(batch->report.messages, target->task.report); /* the series is on standard output */
    else
        batch_report_print(&batch->report, target->task.report);
}

/* Finishes a file that is filtered. */
static void finish_target(struct batch *batch, struct target *target)
{
    finish_report(batch, target);
    batch_report_file(&batch->report, target);
    const bool done = !target->failed && !target->skipped && !batch->report.stopped;
    if (done && !batch->config->output.dry_run &&
        (target->out.kind == OUTPUT_NOTHING || target->out.kind == OUTPUT_FILE))
        keep_folders(batch, &target->out);
    target_free(target);
}

/* Begins files until the window is full. oldest: the number of the first target not yet reported. */
static void submit(struct batch *batch, size_t oldest)
{
    while (batch->nsubmitted < oldest + MAXWINDOW) {
        struct target *target = &batch->target[batch->nsubmitted % MAXWINDOW];
        if (!targets_next(&batch->targets, target))
            return;
        batch->nsubmitted++;
        target->batch = batch;
        if (batch->targets.ntarget == 1)
            target->notes.say = target->errors.say =
                batch->report.messages->say; /* messages about a single file are printed at once */
        if (target->failed || target->skipped)
            progress_add(0, 0, 1);
        else
            pool_submit(batch->pool, &target->filter, filter_file, target);
    }
}

static void filter_all(struct batch *batch)
{
    for (size_t i = 0;; i++) {
        submit(batch, i);
        if (i == batch->nsubmitted || batch->report.stopped)
            return;
        /* The wait filters the file on this thread, if no thread has begun. */
        struct target *target = &batch->target[i % MAXWINDOW];
        if (target->filter.work)
            pool_wait(batch->pool, &target->filter);
        finish_target(batch, target);
    }
}

static bool run_batch(struct batch *batch)
{
    const struct output_settings *settings = &batch->config->output;
    struct error e;
    divide_jobs(batch);
    bool prints = batch->targets.to_stdout || settings->report;
    size_t n = batch->targets.ntarget;
    if (!settings->dry_run && !settings->quiet && !(prints && port_is_terminal(PORT_STDOUT)))
        progress_open(batch->report.messages, n, batch->targets.nbyte);
    batch->pool = pool_open(batch->nfile - 1);
    batch->target = calloc(MAXWINDOW, sizeof *batch->target);
    if (batch->pool && batch->target)
        filter_all(batch);
    else if (!error_memory(&e))
        batch_report_error(&batch->report, NULL, &e);
    pool_close(batch->pool);
    sync_folders(batch);
    progress_close(batch->report.messages);
    batch_report_finish(&batch->report, batch->nsubmitted);
    return batch->report.nfailed == 0 && !batch->report.failed;
}

bool batch_run(const struct filter_job_config *config, const struct texts *inputs, struct messages *messages)
{
    struct batch batch = { .config = config };
    bool good = targets_open(&batch.targets, &config->output, inputs, messages);
    batch.report = (struct batch_report){ .config = config, .targets = &batch.targets, .messages = messages };
    /* Memory freed by one file is reused for the next file; the kernel need not clear new memory. */
    if (batch.targets.ntarget > 1)
        port_keep_memory(KEPT_MEMORY);
    good = good && run_batch(&batch);
    for (size_t i = 0; batch.target && i < MAXWINDOW; i++)
        target_free(&batch.target[i]);
    free(batch.target);
    targets_free(&batch.targets);
    return good;
}
