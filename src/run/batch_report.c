/* See batch_report.h. */
#include "run/batch_report.h"

#include "io/tempfile.h"

#include <stdlib.h>
#include <string.h>

enum { MAXNAMES = 20 /* failed files that the last message names */ };

/* --- one file --- */

/* Prints on standard output, and frees the text; after a failure no more. NULL: out of memory. */
static void print(struct batch_report *report, char *text)
{
    struct error e;
    if (!text || report->failed) {
        report->failed = true;
        free(text);
    } else if (!tempfile_print(text, &e)) {
        messages_error(report->messages, "(standard output)", &e);
        report->failed = true;
    }
}

/* --dry-run: prints "a.csv -> out/a.csv", escaped. */
static void print_plan(struct batch_report *report, const struct target *target)
{
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
    print(report, text_take(&line));
}

/* Prints the text of --report. */
static void print_report(struct batch_report *report, struct target *target)
{
    char *text = target->task.report;
    target->task.report = NULL;
    if (target->failed || target->out.kind == OUTPUT_STDOUT) {
        if (text && !target->failed)
            messages_text(report->messages, text); /* the series is on standard output */
        free(text);
    } else if (text) {
        print(report, text);
    }
}

void batch_report_file(struct batch_report *report, struct target *target)
{
    const struct output_settings *settings = &report->config->output;
    const bool folds = report->targets->ntarget > 1 && !settings->verbose;
    print_report(report, target);
    messages_move(report->messages, &target->messages, folds ? &report->fold : NULL);
    if (settings->dry_run) {
        if (!target->failed)
            print_plan(report, target);
    } else if (target->failed && settings->output_dir && target->out.kind == OUTPUT_FILE) {
        messages_add(report->messages, target_name(target, true),
                     "unchanged: it still holds the result of an earlier run");
    }
}

/* --- all files --- */

/* Adds the names of failed files. */
static void list_failed(struct text *line, const struct targets *all, size_t nfailed)
{
    size_t n = 0;
    for (size_t i = 0; i < all->ntarget && n < MAXNAMES; i++)
        if (all->target[i].failed)
            text_put(line, "%s%s", n++ > 0 ? ", " : ": ", target_name(&all->target[i], false));
    if (nfailed > n)
        text_put(line, ", and %zu more", nfailed - n);
}

/* Prints how many files failed, with their names. If files may be skipped, or the number of files was not
 * given, prints also how many files were done, even without a failure unless --quiet is given. */
static void report_summary(const struct batch_report *report, size_t nfailed, size_t nskipped)
{
    const struct output_settings *settings = &report->config->output;
    const size_t n = report->targets->ntarget;
    const bool counts = settings->update || settings->recursive;
    struct text line = { 0 };
    if (nfailed ? !counts && n == 1 : !counts || settings->quiet)
        return;
    if (counts)
        text_put(&line, "%zu done, %zu skipped, ", n - nskipped - nfailed, nskipped);
    text_put(&line, "%zu of %zu files failed", nfailed, n);
    list_failed(&line, report->targets, nfailed);
    if (settings->update && nskipped > 0)
        text_put(&line, "; to filter skipped files again, for example with new options, add --force");
    char *text = text_take(&line);
    if (text)
        messages_add(report->messages, NULL, "%s", text);
    free(text);
}

bool batch_report_finish(struct batch_report *report)
{
    const struct output_settings *settings = &report->config->output;
    size_t nfailed = 0, nskipped = 0, ncopied = 0;
    for (size_t i = 0; i < report->targets->ntarget; i++) {
        const struct target *target = &report->targets->target[i];
        nfailed += target->failed;
        nskipped += target->skipped;
        ncopied += target->copied && !target->failed;
    }
    messages_unfold(report->messages, &report->fold);
    if (ncopied > 0 && !settings->quiet)
        messages_add(report->messages, NULL, "%zu file%s nothing to filter: copied", ncopied,
                     ncopied == 1 ? " has" : "s have");
    report_summary(report, nfailed, nskipped);
    if (settings->dry_run && !settings->quiet && !report->failed)
        messages_add(report->messages, NULL,
                     "--dry-run: checked options, headers and output names; no rows were read");
    return nfailed == 0 && !report->failed;
}
