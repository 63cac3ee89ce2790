/* Two folders: pairs the files, and compares and reports pair after pair. See diff_folders.h. */
#include "compare/diff_folders.h"

#include "base/json_out.h"
#include "io/tempfile.h"
#include "io/tree.h"

#include <stdlib.h>

struct comparison {
    struct diff_folders *folders;
    struct json_out json;  /* --report json */
    struct cJSON *results; /* in json */
    struct text xml;       /* --report junit */
};

/* A file that either folder has. */
struct pair {
    const char *below;            /* path below the folders */
    const char *path[DIFF_SIDES]; /* NULL: the side lacks the file */
    int errnum;                   /* errno of a folder at the path that cannot be read; 0: a file */
};

static const char *const verdict_names[DIFF_VERDICTS] = {
    [DIFF_SAME] = "same",
    [DIFF_DIFFERENT] = "different",
    [DIFF_ONLY_EXPECTED] = "only in expected",
    [DIFF_ONLY_ACTUAL] = "only in actual",
    [DIFF_TROUBLE] = "not compared",
};

/* --- one pair of files --- */

/* Counts and reports a file. summary: the difference in a line. text: for JUnit all that differs, or the
 * error. diff: NULL: the files were not compared. */
static bool add_result(struct comparison *comparison, const struct pair *pair, enum diff_verdict verdict,
                       const char *summary, const char *text, const struct diff *diff, struct error *e)
{
    struct diff_folders *folders = comparison->folders;
    const struct diff_options *options = folders->options;
    struct json_out *json = &comparison->json;
    folders->count[verdict]++;
    folders->nfile++;
    if (options->report == REPORT_JUNIT) {
        junit_add(&comparison->xml, pair->below, verdict, summary, text);
        return true;
    }
    if (options->report == REPORT_JSON) {
        struct cJSON *file = json_out_object(json, comparison->results, NULL);
        json_out_text(json, file, "file", pair->below);
        json_out_text(json, file, "result", verdict_names[verdict]);
        if (diff)
            diff_add_json(json, json_out_object(json, file, "differences"), diff);
        else if (text)
            json_out_text(json, file, "error", text);
        return true;
    }
    if (options->quiet || (verdict == DIFF_SAME && !options->verbose))
        return true;
    struct text line = { 0 };
    text_put(&line, "%s: ", verdict_names[verdict]);
    messages_escape(&line, pair->below, strlen(pair->below));
    if (verdict == DIFF_DIFFERENT)
        text_put(&line, ": %s", summary ? summary : "");
    text_put(&line, "\n");
    return tempfile_print(text_take(&line), e);
}

/* Compares the two files of a pair. */
static bool compare_files(struct comparison *comparison, const struct pair *pair, struct error *e)
{
    struct diff_folders *folders = comparison->folders;
    struct diff diff = { .fault = pair->path[DIFF_EXPECTED] ? DIFF_EXPECTED : DIFF_ACTUAL };
    struct messages messages = { 0 };
    struct error fault;
    char *summary = NULL, *text = NULL;
    bool good = false;
    if (pair->errnum != 0)
        error_system(&fault, pair->errnum, "cannot read the folder");
    else
        good = diff_open(&diff, folders->options, folders->input, pair->path, &fault) &&
               diff_run(&diff, &fault);
    if (!good) {
        messages_error(&messages, diff.fault == DIFF_SIDES ? NULL : pair->path[diff.fault], &fault);
        text = messages_plain(&messages);
        messages_move(folders->messages, &messages, NULL);
        good = add_result(comparison, pair, DIFF_TROUBLE, NULL, text, NULL, e);
    } else {
        summary = diff.same ? NULL : diff_summary(&diff);
        text = folders->options->report == REPORT_JUNIT ? diff_text(&diff, true) : NULL;
        if (diff.ntotal == 0 && (folders->options->columns || folders->options->exclude))
            messages_add(folders->messages, pair->below, "no column to compare");
        good = add_result(comparison, pair, diff.same ? DIFF_SAME : DIFF_DIFFERENT, summary, text, &diff, e);
    }
    free(summary);
    free(text);
    messages_free(&messages);
    diff_close(&diff);
    return good;
}

/* Finds and reports the result of a pair. */
static bool judge(struct comparison *comparison, const struct pair *pair, struct error *e)
{
    if (pair->errnum != 0 || (pair->path[0] && pair->path[1]))
        return compare_files(comparison, pair, e);
    const int side = pair->path[DIFF_EXPECTED] ? DIFF_EXPECTED : DIFF_ACTUAL;
    char *only = text_format("only in %s", comparison->folders->folder[side]);
    const bool good = add_result(
        comparison, pair, side == DIFF_EXPECTED ? DIFF_ONLY_EXPECTED : DIFF_ONLY_ACTUAL, only, NULL, NULL, e);
    free(only);
    return good;
}

/* --- all pairs --- */

/* Merges the files of both sides, which are sorted by path, into pairs. */
static bool judge_all(struct comparison *comparison, const struct tree side[DIFF_SIDES], struct error *e)
{
    size_t at[DIFF_SIDES] = { 0, 0 };
    bool good = true;
    while (good && (at[0] < side[0].nfile || at[1] < side[1].nfile)) {
        struct pair pair = { .errnum = 0 };
        const struct tree_file *file[DIFF_SIDES] = { NULL, NULL };
        for (int i = 0; i < DIFF_SIDES; i++)
            if (at[i] < side[i].nfile)
                file[i] = &side[i].file[at[i]];
        int order = file[0] ? -1 : 1;
        if (file[0] && file[1])
            order = strcmp(file[0]->path + file[0]->below, file[1]->path + file[1]->below);
        for (int i = 0; i < DIFF_SIDES; i++) {
            if (i == DIFF_EXPECTED ? order > 0 : order < 0)
                continue;
            at[i]++;
            pair.path[i] = file[i]->path;
            pair.below = file[i]->path + file[i]->below;
            pair.errnum = file[i]->errnum ? file[i]->errnum : pair.errnum;
        }
        good = judge(comparison, &pair, e);
    }
    return good;
}

/* The report that follows the lines of the files: "1 of 4 files agrees: 1 different, 1 not compared". NULL:
 * out of memory. */
static char *report_of(struct comparison *comparison)
{
    const struct diff_folders *folders = comparison->folders;
    const size_t agree = folders->count[DIFF_SAME];
    struct json_out *json = &comparison->json;
    struct text line = { 0 };
    if (folders->options->report == REPORT_JUNIT)
        return junit_take(&comparison->xml, folders->count);
    if (folders->options->report == REPORT_JSON) {
        json_out_text(json, json->root, "expected", folders->folder[DIFF_EXPECTED]);
        json_out_text(json, json->root, "actual", folders->folder[DIFF_ACTUAL]);
        json_out_bool(json, json->root, "same", agree == folders->nfile);
        json_out_count(json, json->root, "files", folders->nfile);
        json_out_count(json, json->root, "files_agree", agree);
        return json_out_take(json, false);
    }
    text_put(&line, "%zu of %zu file%s %s", agree, folders->nfile, error_plural(folders->nfile),
             agree == 1 || folders->nfile == 1 ? "agrees" : "agree");
    const char *before = ": ";
    for (int verdict = DIFF_DIFFERENT; verdict < DIFF_VERDICTS; verdict++) {
        if (folders->count[verdict] == 0)
            continue;
        text_put(&line, "%s%zu %s", before, folders->count[verdict], verdict_names[verdict]);
        before = ", ";
    }
    text_put(&line, "\n");
    return text_take(&line);
}

/* An error if an entry of a list names nothing in any file. */
static bool check_lists(const struct list_uses *uses, struct error *e)
{
    for (const struct list_use *use = uses->at; use < uses->at + uses->n; use++)
        if (use->some == 0)
            return error_data(e, "%s: %.*s names nothing in any file", use->item.option,
                              (int)use->item.ntyped, use->item.typed);
    return true;
}

bool diff_folders_run(struct diff_folders *folders, struct error *e)
{
    const struct tree_choice choice = { .include = &(struct texts){ 0 }, .known = format_knows };
    struct comparison comparison = { .folders = folders };
    struct tree side[DIFF_SIDES] = { { 0 }, { 0 } };
    json_out_open(&comparison.json);
    comparison.results = json_out_array(&comparison.json, comparison.json.root, "results");
    bool good = tree_add_folder(&side[0], folders->folder[0], &choice, e) &&
                tree_add_folder(&side[1], folders->folder[1], &choice, e) && judge_all(&comparison, side, e);
    if (good && folders->nfile == 0) {
        error_data(e, "no files to compare in \"%.200s\" and \"%.200s\"", folders->folder[DIFF_EXPECTED],
                   folders->folder[DIFF_ACTUAL]);
        good = error_hint(e, "only files with the suffix of a known format are compared");
    }
    good = good && check_lists(folders->options->uses, e);
    if (good && !folders->options->quiet)
        good = tempfile_print(report_of(&comparison), e);
    json_out_close(&comparison.json);
    free(comparison.xml.bytes);
    tree_free(&side[0]);
    tree_free(&side[1]);
    return good;
}
