/* Many inputs, one filter. Each file is a job of a pool: it is opened, filtered, brought to the disk and
 * named. The main thread goes through the files in order: while it waits for a file it works on later files;
 * then it prints the file's messages and report. The threads within one file are another pool, so a job never
 * waits for a job of the same pool. */
#include "run/batch.h"

#include "base/port.h"
#include "io/tempfile.h"
#include "run/progress.h"
#include "run/targets.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_JOBS = 64 /* where --jobs is not given */ };

struct batch {
    const struct filter_job_config *config;
    struct targets targets;
    struct messages *messages;
    struct message_fold fold;
    size_t nthread; /* number of threads for each file */
    bool failed;    /* standard output cannot be written to, or out of memory */
};

static size_t smaller(size_t a, size_t b)
{
    return a < b ? a : b;
}

/* --- one file --- */

static bool run_job(struct target *target, int fd, struct error *e)
{
    const struct batch *batch = target->batch;
    const bool regular = target->status.kind == PORT_REGULAR;
    const size_t nblock = regular ? 1 + (size_t)target->status.size / FORMAT_BLOCK : batch->nthread;
    struct filter_job_task *task = &target->task;
    *task = (struct filter_job_task){
        .input = target->input,
        .fd = fd,
        .out = &target->out,
        .nthread = smaller(batch->nthread, nblock),
        .some = batch->targets.ntarget > 1 && !batch->config->output.in_place,
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
    const bool good = source_open(&source, target->input, e) && tempfile_copy(target->out.fd, &source, e);
    source_close(&source);
    return good;
}

/* Filters a file into its output. --dry-run reads regular files alone, since other bytes would be lost. */
static bool make_output(struct target *target, struct error *e)
{
    const struct output_settings *settings = &target->batch->config->output;
    struct outfile *out = &target->out;
    if (settings->dry_run) {
        const bool reads = target->status.kind == PORT_REGULAR && strcmp(target->input, "-") != 0;
        return !reads || run_job(target, -1, e) || copy_instead(target, e);
    }
    bool good = output_open(out, settings->output_dir != NULL, e);
    e->at_output = !good;
    good = good && (run_job(target, out->fd, e) || copy_instead(target, e));
    if (good && !output_commit(out, e)) {
        e->at_output = true;
        good = false;
    }
    output_close(out);
    return good;
}

static void filter_file(void *closure)
{
    struct target *target = closure;
    struct error e;
    target->failed = !make_output(target, &e);
    if (target->failed)
        messages_error(&target->messages, target_name(target, e.at_output), &e);
    const uint64_t nread = target->task.nread, size = target->status.size;
    progress_add(size > nread ? size - nread : 0, 0, 1);
}

/* --- what is printed of one file --- */

/* Prints on standard output, and frees the text; after a failure no more. NULL: out of memory. */
static void print(struct batch *batch, char *text)
{
    struct error e;
    if (!text || batch->failed) {
        batch->failed = true;
        free(text);
    } else if (!tempfile_print(text, &e)) {
        messages_error(batch->messages, "(standard output)", &e);
        batch->failed = true;
    }
}

/* --dry-run: prints "a.csv -> out/a.csv", escaped. */
static void print_plan(struct batch *batch, const struct target *target)
{
    struct text line = { 0 };
    const char *input = target_name(target, false);
    const char *output = target_name(target, true);
    messages_escape(&line, input, strlen(input));
    if (target->out.in_place) {
        text_put(&line, " in place");
    } else {
        text_put(&line, " -> ");
        messages_escape(&line, output, strlen(output));
    }
    if (target->skipped)
        text_put(&line, ", skipped: the output is up to date");
    text_put(&line, "\n");
    print(batch, text_take(&line));
}

/* Prints the text of --report: on standard error if the series is on standard output. */
static void print_report(struct batch *batch, struct target *target)
{
    char *text = target->task.report;
    if (!text || target->failed)
        return;
    target->task.report = NULL;
    if (target->out.kind != OUTPUT_STDOUT) {
        print(batch, text);
        return;
    }
    messages_text(batch->messages, text);
    free(text);
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
        sized = sized && (target->status.kind == PORT_REGULAR || target->failed);
        nbyte += target->failed || target->skipped ? 0 : target->status.size;
    }
    if (!settings->dry_run && !settings->quiet && !(prints && port_is_terminal(PORT_STDOUT)))
        progress_open(batch->messages, batch->targets.ntarget, sized ? nbyte : 0);
}

static void filter_all(struct batch *batch, struct pool *pool)
{
    const size_t n = batch->targets.ntarget;
    const bool folds = n > 1 && !batch->config->output.verbose;
    for (size_t i = 0; i < n; i++) {
        struct target *target = &batch->targets.target[i];
        target->batch = batch;
        if (n == 1)
            target->messages.say = batch->messages->say; /* printed immediately */
        if (!target->failed && !target->skipped)
            pool_submit(pool, &target->job, filter_file, target);
    }
    for (size_t i = 0; i < n; i++) {
        struct target *target = &batch->targets.target[i];
        if (target->job.work)
            pool_wait(pool, &target->job); /* filters the file on this thread, if no thread has begun */
        print_report(batch, target);
        messages_move(batch->messages, &target->messages, folds ? &batch->fold : NULL);
        if (batch->config->output.dry_run && !target->failed)
            print_plan(batch, target);
    }
    messages_unfold(batch->messages, &batch->fold);
}

/* Names the most changed channels of the batch, with their files. */
static void report_most_changed(const struct batch *batch)
{
    struct most_changed most[MOST_CHANGED] = { { .change = 0 } };
    struct text line = { 0 };
    for (size_t i = 0; i < batch->targets.ntarget; i++)
        for (size_t k = 0; k < MOST_CHANGED; k++)
            most_changed_enter(most, &batch->targets.target[i].task.most[k]);
    for (size_t k = 0; k < MOST_CHANGED && most[k].change > 0; k++) {
        text_put(&line, "%s\"", k > 0 ? ", " : "");
        messages_escape(&line, most[k].channel, strlen(most[k].channel));
        text_put(&line, "\" of ");
        messages_escape(&line, most[k].file, strlen(most[k].file));
        text_put(&line, " by %.4g", most[k].change);
    }
    char *named = text_take(&line);
    if (named && named[0])
        messages_add(batch->messages, NULL, "changed most: %s", named);
    free(named);
}

/* Reports entries of LISTs that name nothing: in some files a note, in all an error. False after an error. */
static bool report_lists(const struct batch *batch)
{
    struct list_uses all = { 0 };
    struct error e;
    bool good = true;
    for (size_t i = 0; i < batch->targets.ntarget; i++) {
        const struct target *target = &batch->targets.target[i];
        for (size_t k = 0; k < target->task.uses.n && !target->failed; k++) {
            const struct list_use *use = &target->task.uses.at[k];
            good = list_uses_add(&all, &use->item, use->some > 0, &e) && good;
        }
    }
    for (size_t k = 0; k < all.n; k++) {
        const struct list_use *use = &all.at[k];
        if (use->none > 0 && (use->some == 0 || !batch->config->output.quiet))
            messages_add(batch->messages, NULL, "%s: %.*s names nothing in %zu of %zu files",
                         use->item.option, (int)use->item.ntyped, use->item.typed, use->none,
                         use->none + use->some);
        good = good && use->some > 0;
    }
    free(all.at);
    return good;
}

/* Says how many files failed, were skipped or copied. Returns whether no file failed. */
static bool report_all(const struct batch *batch)
{
    const struct output_settings *settings = &batch->config->output;
    const size_t n = batch->targets.ntarget;
    const bool counts = settings->update || settings->recursive;
    size_t nfailed = 0, nskipped = 0, ncopied = 0;
    const char *copied = NULL; /* the first */
    for (size_t i = 0; i < n; i++) {
        const struct target *target = &batch->targets.target[i];
        nfailed += target->failed;
        nskipped += target->skipped;
        ncopied += target->copied && !target->failed;
        copied = ncopied == 1 && !copied ? target->input : copied;
    }
    const bool named = report_lists(batch);
    if (ncopied > 0 && !settings->quiet)
        messages_add(batch->messages, copied, "nothing to filter: copied (%zu file%s in all)", ncopied,
                     error_plural(ncopied));
    if (counts && (nfailed || !settings->quiet))
        messages_add(batch->messages, NULL, "%zu %s, %zu skipped, %zu of %zu files failed",
                     n - nskipped - nfailed, settings->dry_run ? "to do" : "done", nskipped, nfailed, n);
    else if (nfailed && n > 1)
        messages_add(batch->messages, NULL, "%zu of %zu files failed", nfailed, n);
    if (settings->report && n > 1 && !settings->quiet)
        report_most_changed(batch);
    if (settings->dry_run && !settings->quiet)
        messages_add(batch->messages, NULL,
                     "--dry-run: checked options, headers and output names; no rows were read");
    return nfailed == 0 && named && !batch->failed;
}

static bool run_batch(struct batch *batch)
{
    const long given = batch->config->output.jobs;
    const size_t jobs = given > 0 ? (size_t)given : smaller(port_processors(), MOST_JOBS);
    const size_t ntarget = batch->targets.ntarget;
    const size_t nfile = ntarget ? smaller(jobs, ntarget) : 1; /* files filtered in parallel */
    batch->nthread = jobs / nfile;
    struct pool *pool = pool_open(nfile - 1);
    if (!pool) {
        messages_text(batch->messages, "sprung: out of memory\n");
        return false;
    }
    open_progress(batch);
    filter_all(batch, pool);
    pool_close(pool);
    progress_close(batch->messages);
    return report_all(batch);
}

bool batch_run(const struct filter_job_config *config, const struct texts *inputs, struct messages *messages)
{
    struct batch batch = { .config = config, .messages = messages };
    const bool good = targets_open(&batch.targets, config, inputs, messages) && run_batch(&batch);
    targets_free(&batch.targets);
    return good;
}
