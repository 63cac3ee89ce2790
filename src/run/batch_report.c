/* See batch_report.h. */
#include "run/batch_report.h"

#include "io/tempfile.h"

#include <stdlib.h>
#include <string.h>

void batch_report_error(struct batch_report *report, const char *file, const struct error *e)
{
    messages_error(report->messages, file, e);
    report->failed = true;
}

bool batch_report_print(struct batch_report *report, const char *text)
{
    struct error e;
    if (tempfile_put(PORT_STDOUT, text, strlen(text), &e))
        return true;
    batch_report_error(report, "(standard output)", &e);
    report->stopped = true;
    return false;
}

/* --- one file --- */

/* --dry-run: prints "a.csv -> out/a.csv", escaped. */
static void print_plan(struct batch_report *report, const struct target *target)
{
    struct error e;
    struct text line = { 0 };
    const char *input = target_name(target, false);
    const char *output = target_name(target, true);
    messages_escape(&line, input, strlen(input));
    if (report->config->output.in_place) {
        text_put(&line, " in place%s", target->out.backup ? ", backup " : "");
        if (target->out.backup)
            messages_escape(&line, target->out.backup, strlen(target->out.backup));
    } else {
        text_put(&line, " -> ");
        messages_escape(&line, output, strlen(output));
    }
    if (target->skipped)
        text_put(&line, ", skipped: the output is up to date");
    else if (!report->config->output.in_place && target->out.kind == OUTPUT_FILE)
        text_put(&line, ", replaces the existing file");
    text_put(&line, "\n");
    char *text = text_take(&line);
    if (text)
        batch_report_print(report, text);
    else if (!error_memory(&e))
        batch_report_error(report, input, &e);
    free(text);
}

/* Says that a failed file's output in --output-dir is an older one, if a file is there. */
static void tell_older(struct batch_report *report, const struct target *target)
{
    const struct output_settings *settings = &report->config->output;
    if (settings->output_dir && !settings->dry_run && !target->conflict && target->out.kind == OUTPUT_FILE)
        messages_add(report->messages, target_name(target, true),
                     "unchanged: it still holds the result of an earlier run");
}

/* Counts a failed file, and adds its name to the summary while the summary has room. */
static void count_failed(struct batch_report *report, const struct target *target)
{
    const struct output_settings *settings = &report->config->output;
    char name[BATCH_NAMES];
    const char *input = target_name(target, false);
    size_t n = error_escape(input, strlen(input), name, sizeof name);
    if (report->nnamed == report->nfailed && strlen(report->names) + n + 2 <= sizeof report->names) {
        text_append(report->names, sizeof report->names, "%s%s", report->nnamed > 0 ? ", " : "", name);
        report->nnamed++;
    }
    report->nfailed++;
    const bool copies = settings->output_dir && !settings->to;
    report->nhigh_cutoff += target->high_cutoff && copies;
    tell_older(report, target);
}

void batch_report_file(struct batch_report *report, struct target *target)
{
    const bool folds = report->targets->ntarget > 1 && !report->config->output.verbose;
    struct message_fold *fold = folds ? &report->fold : NULL;
    messages_move(report->messages, &target->notes, fold);
    messages_move(report->messages, &target->errors, fold);
    report->nskipped += target->skipped;
    report->ncopied += target->copied && !target->failed;
    if (target->failed)
        count_failed(report, target);
    else if (report->config->output.dry_run)
        print_plan(report, target);
}

/* --- all files --- */

/* Prints how many files failed, with their names. If files may be skipped, or the number of files was not
 * given, prints also how many files were done, even without a failure unless --quiet is given. */
static void report_summary(const struct batch_report *report, size_t nfile)
{
    const struct output_settings *settings = &report->config->output;
    struct text line = { 0 };
    size_t nmore = report->nfailed - report->nnamed;
    bool counts = settings->update || settings->recursive;
    bool wanted = counts && !settings->quiet;
    if (report->nfailed)
        wanted = counts || nfile > 1;
    if (!wanted)
        return;
    if (counts)
        text_put(&line, "%zu done, %zu skipped, ", nfile - report->nskipped - report->nfailed,
                 report->nskipped);
    text_put(&line, "%zu of %zu files failed", report->nfailed, nfile);
    if (report->nfailed)
        text_put(&line, ": %s", report->names);
    if (nmore)
        text_put(&line, "%s%zu more", report->nnamed ? ", and " : "", nmore);
    if (settings->update && report->nskipped > 0)
        text_put(&line, "; to filter skipped files again, for example with new options, add --force");
    char *text = text_take(&line);
    if (text)
        messages_add(report->messages, NULL, "%s", text);
    free(text);
}

/* Says how a batch goes through files whose rows need a lower cutoff. */
static void hint_cutoffs(const struct batch_report *report, size_t nfile)
{
    const size_t n = report->nhigh_cutoff;
    const bool wrote = report->nfailed + report->nskipped < nfile;
    const char *force = wrote && !report->config->output.force ? " --force" : "";
    if (n > 0 && nfile > 1)
        messages_add(report->messages, NULL,
                     "%zu file%s a lower cutoff; try --cutoff auto%s, which chooses a cutoff for each file",
                     n, n == 1 ? " needs" : "s need", force);
}

static void report_copies(const struct batch_report *report)
{
    if (report->ncopied > 0 && !report->config->output.quiet)
        messages_add(report->messages, NULL, "%zu file%s nothing to filter: copied", report->ncopied,
                     report->ncopied == 1 ? " has" : "s have");
}

void batch_report_finish(struct batch_report *report, size_t nfile)
{
    const struct output_settings *settings = &report->config->output;
    messages_unfold(report->messages, &report->fold);
    report_copies(report);
    report_summary(report, nfile);
    hint_cutoffs(report, nfile);
    if (settings->dry_run && !settings->quiet && !report->failed)
        messages_add(report->messages, NULL,
                     "--dry-run: checked options, headers and output names; no rows were read");
}
