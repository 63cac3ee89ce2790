/* Many inputs, one filter. A file takes two jobs. The first job filters the file, in a pool with one thread
 * for every file filtered at once. The second job brings the result to the disk and names it, in a pool whose
 * threads mostly wait, since a disk stores many files at once as fast as one file. The main thread goes
 * through the files in order: while a file is not done, filters later files; then prints messages and report.
 * The threads within one file are a third pool, so a job never waits for a job of its own pool. The number of
 * files begun but not reported is bounded, which bounds memory and descriptors. The program does not wait for
 * the next name while a file is being filtered. */
#include "run/targets.h"

#include "base/port.h"
#include "io/tempfile.h"
#include "run/progress.h"
#include "run/repeated_notes.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <unistd.h>

enum {
    MAXWINDOW = 256, /* files begun and not yet reported */
    FILE_DESCRIPTORS =
        7, /* of a file being filtered: input, two temporary files, two output files and their directories */
    WAITING_DESCRIPTORS = 4, /* of a file waiting for the disk: two output files and their directories */
    OTHER_DESCRIPTORS = 8,
    MAXFOLDER = 1000,      /* directories brought to the disk together */
    MAXSTORING = 32,       /* files being committed at once */
    KEPT_MEMORY = 4 << 20, /* bytes of memory kept between files */
    NAMES = 700            /* bytes of names in the last message */
};

struct batch {
    const struct filter_job_config *config;
    struct targets targets;
    struct messages *messages;
    struct repeated_notes notes;
    struct pool *pool, *disk;
    size_t nfile, nthread; /* files filtered at once, threads for each */
    size_t window;         /* files begun and not yet reported, at most */
    struct target *target; /* [window]: target number n is at n % window */
    size_t nsubmitted;     /* targets begun so far */
    bool ended;            /* no more targets will come */
    size_t nfailed, nskipped, nnamed;
    char names[NAMES];       /* names of the first nnamed failed files, with commas between */
    char *folder[MAXFOLDER]; /* the first nfolder: directories of new files, not synced yet; owned */
    size_t nfolder;
    bool failed;  /* an error of the batch, not of a file */
    bool stopped; /* standard output cannot be written to */
};

static size_t smaller(size_t a, size_t b)
{
    return a < b ? a : b;
}

/* Divides --jobs among files and threads, as far as files and descriptors go. */
static void divide_jobs(struct batch *b)
{
    long given = b->config->output.jobs;
    size_t jobs = given > 0 ? (size_t)given : smaller(port_processors(), 64);
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

/* --- one file --- */

static bool run_job(struct target *target, int fd, struct error *e)
{
    const struct batch *b = target->batch;
    const struct output_settings *o = &b->config->output;
    size_t nblock = S_ISREG(target->st.st_mode) && !b->targets.joined
                        ? 1 + (size_t)target->st.st_size / FORMAT_BLOCK
                        : b->nthread;
    struct filter_job_task *task = &target->task;
    *task = (struct filter_job_task){
        .input = target->input,
        .fd = fd,
        .out = &target->out,
        .joined = b->targets.joined,
        .hold = !isnan(o->max_change) &&
                (target->out.kind == OUTPUT_STDOUT || target->out.kind == OUTPUT_STREAM),
        .several = b->targets.ntarget > 1,
        .nthread = smaller(b->nthread, nblock),
    };
    task->pool = pool_open(task->nthread - 1);
    struct messages *notes = o->quiet ? NULL : &target->notes;
    bool good = task->pool ? filter_job_run(b->config, task, notes, e) : error_memory(e);
    pool_close(task->pool);
    return good;
}

static void fail_file(struct target *target, const struct error *e)
{
    target->failed = true;
    const char *failed = e->at_output ? NULL : target->task.failed;
    messages_error(&target->errors, failed ? failed : target_name(target, e->at_output), e);
}

static void finish_file(struct target *target)
{
    uint64_t nbyte = (uint64_t)target->st.st_size;
    progress_add(nbyte > target->task.nread ? nbyte - target->task.nread : 0, 0, 1);
}

/* Is the report printed on standard output? Then the report is printed before the file is named: if printing
 * fails, the old file stays, and a second try does not filter twice. */
static bool reports_first(const struct target *target)
{
    return target->task.report && target->out.kind != OUTPUT_STDOUT;
}

static bool commit_file(struct target *target)
{
    struct error e;
    bool good = output_commit(&target->out, &e);
    e.at_output = true;
    if (!good)
        fail_file(target, &e);
    return good;
}

static void store_file(void *closure)
{
    struct target *target = closure;
    struct error e;
    bool good = output_prepare(&target->out, &e);
    e.at_output = true;
    if (!good)
        fail_file(target, &e);
    else if (!reports_first(target))
        commit_file(target);
    finish_file(target);
}

static void filter_file(void *closure)
{
    struct target *target = closure;
    const struct output_settings *o = &target->batch->config->output;
    struct error e;
    bool good = o->dry_run ? output_allowed(&target->out, o->output_dir != NULL, &e)
                           : output_open(&target->out, &e);
    e.at_output = !good;
    /* --dry-run reads no pipe, since the bytes would be lost, and rewinds a file on standard input. */
    off_t at = o->dry_run && strcmp(target->input, "-") == 0 ? lseek(STDIN_FILENO, 0, SEEK_CUR) : -1;
    if (good && (!o->dry_run || S_ISREG(target->st.st_mode)))
        good = run_job(target, o->dry_run ? -1 : target->out.fd, &e);
    if (at >= 0)
        lseek(STDIN_FILENO, at, SEEK_SET);
    if (!good)
        fail_file(target, &e);
    if (good && !o->dry_run)
        pool_submit(target->batch->disk, &target->store, store_file, target);
    else
        finish_file(target);
}

/* --- all files --- */

static void report_error(struct batch *b, const char *file, const struct error *e)
{
    messages_error(b->messages, file, e);
    b->failed = true;
}

/* Prints on standard output. An error ends the batch. */
static bool print(struct batch *b, const char *text)
{
    struct error e;
    if (tempfile_put(STDOUT_FILENO, text, strlen(text), &e))
        return true;
    report_error(b, "(standard output)", &e);
    b->stopped = true;
    return false;
}

/* --dry-run: prints "a.csv -> out/a.csv", escaped. */
static void print_plan(struct batch *b, const struct target *target)
{
    struct error e;
    struct text line = { 0 };
    const char *input = target_name(target, false);
    const char *output = target_name(target, true);
    messages_escape(&line, input, strlen(input));
    if (b->targets.joined)
        text_put(&line, " and %zu more, joined,", b->targets.joined->ntext - 1);
    if (b->config->output.in_place) {
        text_put(&line, " in place%s", target->out.backup ? ", the old one kept as " : "");
        if (target->out.backup)
            messages_escape(&line, target->out.backup, strlen(target->out.backup));
    } else {
        text_put(&line, " -> ");
        messages_escape(&line, output, strlen(output));
    }
    if (target->skipped)
        text_put(&line, ", skipped: the one there is not older");
    else if (!b->config->output.in_place && target->out.kind == OUTPUT_FILE)
        text_put(&line, ", replaces the one there");
    text_put(&line, "\n");
    char *text = text_take(&line);
    if (text)
        print(b, text);
    else if (!error_memory(&e))
        report_error(b, input, &e);
    free(text);
}

/* Brings the directories of new files to the disk. */
static void sync_folders(struct batch *b)
{
    struct error e;
    for (size_t i = 0; i < b->nfolder; i++) {
        if (!output_sync(b->folder[i], &e))
            report_error(b, b->folder[i], &e);
        free(b->folder[i]);
    }
    b->nfolder = 0;
}

/* Remembers the directory of a path for sync_folders, and returns the directory. NULL: already remembered, or
 * out of memory. */
static const char *keep_folder(struct batch *b, const char *path)
{
    struct error e;
    char *folder = output_directory(path);
    for (size_t i = b->nfolder; folder && i-- > 0;)
        if (strcmp(b->folder[i], folder) == 0) {
            free(folder);
            return NULL;
        }
    if (!folder) {
        error_system(&e, ENOMEM,
                     "the new file is in its place, but the directory cannot be brought to the disk");
        report_error(b, path, &e);
        return NULL;
    }
    if (b->nfolder == MAXFOLDER)
        sync_folders(b);
    return b->folder[b->nfolder++] = folder;
}

/* Remembers the directory of a new file and the directories above, up to --output-dir, which may be new as
 * well. */
static void keep_folders(struct batch *b, const struct outfile *out)
{
    const char *path = keep_folder(b, out->real);
    while (path && out->in_folder && strlen(path) > strlen(out->folder->path))
        path = keep_folder(b, path);
}

/* Prints the report of a filtered file, then names the file if store_file has not. False: the report cannot
 * be printed. */
static bool finish_report(struct batch *b, struct target *target)
{
    if (!reports_first(target)) {
        messages_text(b->messages, target->task.report); /* the series is on standard output */
        return true;
    }
    return print(b, target->task.report) && (b->config->output.dry_run || commit_file(target) || true);
}

/* Counts a failed file, and adds its name to the summary while the summary has room. */
static void count_failed(struct batch *b, const struct target *target)
{
    char name[NAMES];
    const char *input = target_name(target, false);
    size_t n = error_escape(input, strlen(input), name, sizeof name);
    if (b->nnamed == b->nfailed && strlen(b->names) + n + 2 <= sizeof b->names)
        text_append(b->names, sizeof b->names, "%s%s", b->nnamed++ ? ", " : "", name);
    b->nfailed++;
}

/* Finishes a file: prints messages and report, counts failures. */
static void report_file(struct batch *b, struct target *target)
{
    bool dry_run = b->config->output.dry_run;
    bool done = !target->failed && !target->skipped;
    if (done && target->task.report)
        done = finish_report(b, target);
    if (b->targets.ntarget > 1 && !b->config->output.verbose)
        repeated_notes_move(&b->notes, target_name(target, false), b->messages, &target->notes);
    else
        messages_move(b->messages, &target->notes);
    messages_move(b->messages, &target->errors);
    b->nskipped += target->skipped;
    if (target->failed)
        count_failed(b, target);
    if (dry_run && !target->failed)
        print_plan(b, target);
    else if (done && !target->failed &&
             (target->out.kind == OUTPUT_NOTHING || target->out.kind == OUTPUT_FILE))
        keep_folders(b, &target->out);
    target_free(target);
}

/* Begins files until the window is full. oldest: the number of the first target not yet reported. */
static void submit(struct batch *b, size_t oldest)
{
    struct error e;
    while (!b->ended && b->nsubmitted < oldest + b->window) {
        struct target *target = &b->target[b->nsubmitted % b->window];
        enum input_named named = targets_next(&b->targets, b->nsubmitted == oldest, target, &e);
        b->ended = named == NAMES_END || named == NAMES_ERROR;
        if (named == NAMES_ERROR)
            report_error(b, b->targets.names.source.name, &e);
        if (b->ended)
            progress_total(b->nsubmitted);
        if (named != NAMES_NAME)
            return;
        b->nsubmitted++;
        target->batch = b;
        if (b->targets.ntarget == 1)
            target->notes.say = target->errors.say =
                b->messages->say; /* of a single file all is printed at once */
        if (target->failed || target->skipped)
            progress_add(0, 0, 1);
        else
            pool_submit(b->pool, &target->filter, filter_file, target);
    }
}

static void filter_all(struct batch *b)
{
    size_t nfiltered = 0;
    for (size_t i = 0; submit(b, i), i < b->nsubmitted && !b->stopped; i++) {
        struct target *target = &b->target[i % b->window];
        for (; nfiltered <= i || (nfiltered < b->nsubmitted && target->store.work && !target->store.done);
             nfiltered++) {
            struct target *next = &b->target[nfiltered % b->window];
            if (next->filter.work)
                pool_wait(b->pool, &next->filter);
        }
        if (target->store.work)
            pool_wait(b->disk, &target->store);
        report_file(b, target);
    }
}

/* Prints how many files failed, with names. If files may be skipped, or the number of files was not known,
 * prints also how many were done, also without a failure unless --quiet is given. */
static void report_summary(const struct batch *b)
{
    const struct output_settings *o = &b->config->output;
    struct text line = { 0 };
    size_t nfile = b->nsubmitted;
    size_t nmore = b->nfailed - b->nnamed;
    bool counts = o->update || o->files_from || o->recursive;
    bool wanted = counts && !o->quiet;
    if (b->nfailed)
        wanted = counts || nfile > 1;
    if (!wanted)
        return;
    if (counts)
        text_put(&line, "%zu done, %zu skipped, ", nfile - b->nskipped - b->nfailed, b->nskipped);
    text_put(&line, "%zu of %zu files failed", b->nfailed, nfile);
    if (b->nfailed)
        text_put(&line, ": %s", b->names);
    if (nmore)
        text_put(&line, "%s%zu more", b->nnamed ? ", and " : "", nmore);
    char *text = text_take(&line);
    if (text)
        messages_add(b->messages, NULL, "%s", text);
    free(text);
}

/* A --set without a channel in any file is an error. For a single file filter_job has reported the error. */
static void check_used(struct batch *b)
{
    bool several = b->targets.ntarget > 1 && b->nfailed + b->nskipped < b->nsubmitted;
    for (size_t k = 0; several && k < b->config->filters.n; k++) {
        const struct override_list *list = &b->config->filters.at[k].overrides;
        for (size_t i = 0; i < list->n; i++)
            if (!list->at[i].used) {
                struct error e;
                error_data(&e, "--set: no filtered column of any file is like \"%s\"", list->at[i].list);
                report_error(b, NULL, &e);
            }
    }
}

static bool run_batch(struct batch *b)
{
    const struct output_settings *o = &b->config->output;
    struct error e;
    divide_jobs(b);
    int when = (o->quiet && o->progress == PROGRESS_AUTO) || o->dry_run ? PROGRESS_NEVER : o->progress;
    bool prints = b->targets.to_stdout || o->report;
    size_t n = b->targets.ntarget, nstoring = n > 1 ? smaller(smaller(MAXSTORING, b->window), n) : 0;
    progress_open(b->messages, when, n, b->targets.nbyte, prints && isatty(STDOUT_FILENO) == 1);
    /* A single file needs no thread for the disk. */
    b->pool = pool_open(b->nfile - 1);
    b->disk = pool_open(nstoring);
    b->target = calloc(b->window, sizeof *b->target);
    if (b->pool && b->disk && b->target)
        filter_all(b);
    else if (!error_memory(&e))
        report_error(b, NULL, &e);
    pool_close(b->pool);
    pool_close(b->disk);
    sync_folders(b);
    progress_close(b->messages);
    repeated_notes_finish(&b->notes, b->messages);
    report_summary(b);
    check_used(b);
    if (o->dry_run && !o->quiet && !b->failed)
        messages_add(b->messages, NULL,
                     "--dry-run: no rows were read; options, heads and places were checked");
    return b->nfailed == 0 && !b->failed;
}

bool batch_run(const struct filter_job_config *c, const struct texts *inputs, struct messages *messages)
{
    struct batch b = { .config = c, .messages = messages };
    bool good = targets_open(&b.targets, &c->output, inputs, messages);
    /* Memory freed by one file is reused for the next file; the kernel need not clear new memory. */
    if (b.targets.ntarget > 1)
        port_keep_memory(KEPT_MEMORY);
    good = good && run_batch(&b);
    for (size_t i = 0; b.target && i < b.window; i++)
        target_free(&b.target[i]);
    free(b.target);
    targets_free(&b.targets);
    return good;
}
