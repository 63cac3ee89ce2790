/* Two folders: pairs the files, and compares and reports pair after pair. See diff_folders.h. */
#include "compare/diff_folders.h"

#include "io/tempfile.h"
#include "io/tree.h"

#include <stdlib.h>

/* A file that either folder has. */
struct pair {
    const char *below;            /* path below the folders */
    const char *path[DIFF_SIDES]; /* NULL: the side lacks the file */
    int errnum;                   /* errno of a folder at the path that cannot be read; 0: a file */
};

/* What is reported of a pair. */
struct result {
    enum diff_verdict verdict;
    char *summary;           /* in a line, what differs or is missing; NULL: nothing; owned */
    char *text;              /* the error; for JUnit all that differs; NULL: neither; owned */
    const struct diff *diff; /* NULL: the files were not compared */
};

static const char *const verdict_names[DIFF_VERDICTS] = {
    [DIFF_SAME] = "same",
    [DIFF_NOTHING] = "nothing to compare",
    [DIFF_DIFFERENT] = "different",
    [DIFF_ONLY_EXPECTED] = "only in expected",
    [DIFF_ONLY_ACTUAL] = "only in actual",
    [DIFF_TROUBLE] = "not compared",
};

/* --- one pair of files --- */

/* Counts and reports a file. */
static bool add_result(struct diff_folders *folders, const struct pair *pair, const struct result *result,
                       struct error *e)
{
    const struct diff_options *options = folders->options;
    const enum diff_verdict verdict = result->verdict;
    const char *what = result->text ? result->text : result->summary;
    struct json_out *json = &folders->json;
    struct text line = { 0 };
    folders->count[verdict]++;
    folders->nfile++;
    if (options->report == REPORT_JUNIT) {
        junit_add(&folders->xml, pair->below, verdict, result->summary, result->text);
        return true;
    }
    if (options->report == REPORT_JSON) {
        struct cJSON *file = json_out_object(json, folders->results, NULL);
        json_out_text(json, file, "file", pair->below);
        json_out_text(json, file, "result", verdict_names[verdict]);
        if (result->diff)
            diff_add_json(json, json_out_object(json, file, "differences"), result->diff);
        else if (result->text)
            json_out_text(json, file, "error", result->text);
        return true;
    }
    if (options->quiet || (verdict == DIFF_SAME && !options->verbose))
        return true;
    text_put(&line, "%s: ", verdict_names[verdict]);
    messages_escape(&line, pair->below, strlen(pair->below));
    if (verdict == DIFF_DIFFERENT)
        text_put(&line, ": %s", what ? what : "");
    text_put(&line, "\n");
    return tempfile_print(text_take(&line), e);
}

/* Compares the two files of a pair. An error about them is added to the messages. */
static void compare_files(struct diff_folders *folders, const struct pair *pair, struct diff *diff,
                          struct result *result)
{
    struct messages messages = { 0 };
    struct error fault;
    if (pair->errnum != 0)
        error_system(&fault, pair->errnum, "cannot read the folder");
    if (pair->errnum == 0 && diff_open(diff, folders->options, folders->input, pair->path, &fault) &&
        diff_run(diff, &fault)) {
        const bool nothing = diff->same && !diff->no_series && (diff->ntotal == 0 || diff->compared == 0);
        result->verdict = nothing ? DIFF_NOTHING : DIFF_SAME;
        result->diff = diff;
        if (!diff->same)
            result->verdict = DIFF_DIFFERENT;
        result->summary = nothing ? text_format("no column or no row to compare") : diff_summary(diff);
        if (folders->options->report == REPORT_JUNIT || folders->options->verbose)
            result->text = diff_text(diff, true);
        return;
    }
    messages_error(&messages, diff->fault == DIFF_SIDES ? NULL : pair->path[diff->fault], &fault);
    result->text = messages_plain(&messages);
    messages_move(folders->messages, &messages, NULL);
    messages_free(&messages);
}

/* Finds and reports the result of a pair. */
static bool judge(struct diff_folders *folders, const struct pair *pair, struct error *e)
{
    const int side = pair->path[DIFF_EXPECTED] ? DIFF_EXPECTED : DIFF_ACTUAL;
    struct diff diff = { .fault = side };
    struct result result = { .verdict = DIFF_TROUBLE };
    if (pair->errnum == 0 && !pair->path[!side]) {
        result.verdict = side == DIFF_EXPECTED ? DIFF_ONLY_EXPECTED : DIFF_ONLY_ACTUAL;
        result.summary = text_format("only in %s", folders->folder[side]);
    } else {
        compare_files(folders, pair, &diff, &result);
    }
    const bool good = add_result(folders, pair, &result, e);
    free(result.summary);
    free(result.text);
    diff_close(&diff);
    return good;
}

/* --- all pairs --- */

/* Merges the files of both sides, which are sorted by path, into pairs. */
static bool judge_all(struct diff_folders *folders, const struct tree side[DIFF_SIDES], struct error *e)
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
        good = judge(folders, &pair, e);
    }
    return good;
}

/* The report that follows the lines of the files: "1 of 4 files agrees: 1 different, 1 not compared". NULL:
 * out of memory. */
static char *report_of(struct diff_folders *folders)
{
    const size_t agree = folders->count[DIFF_SAME];
    struct json_out *json = &folders->json;
    struct text line = { 0 };
    if (folders->options->report == REPORT_JUNIT)
        return junit_take(&folders->xml, folders->count);
    if (folders->options->report == REPORT_JSON) {
        json_out_text(json, json->root, "expected", folders->folder[DIFF_EXPECTED]);
        json_out_text(json, json->root, "actual", folders->folder[DIFF_ACTUAL]);
        json_out_bool(json, json->root, "same", agree + folders->count[DIFF_NOTHING] == folders->nfile);
        json_out_count(json, json->root, "files", folders->nfile);
        json_out_count(json, json->root, "files_agree", agree);
        return json_out_take(json, false);
    }
    text_put(&line, "%zu of %zu file%s %s", agree, folders->nfile, error_plural(folders->nfile),
             agree == 1 || folders->nfile == 1 ? "agrees" : "agree");
    const char *before = ": ";
    for (int verdict = DIFF_NOTHING; verdict < DIFF_VERDICTS; verdict++) {
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
    for (size_t k = 0; k < uses->n; k++) {
        const struct list_use *use = &uses->at[k];
        if (use->some == 0)
            return error_data(e, "%s: %.*s names nothing in any file", use->item.option,
                              (int)use->item.ntyped, use->item.typed);
    }
    return true;
}

/* Refuses folders that were not compared, so that a test does not pass without a comparison. */
static bool check_compared(const struct diff_folders *folders, struct error *e)
{
    if (!check_lists(folders->options->uses, e))
        return false;
    if (folders->count[DIFF_NOTHING] < folders->nfile)
        return true;
    error_data(e, "nothing to compare in \"%.200s\" and \"%.200s\"", folders->folder[DIFF_EXPECTED],
               folders->folder[DIFF_ACTUAL]);
    return error_hint(e, folders->nfile ? "each pair of files lacks rows or the columns that were asked for"
                                        : "only files with the suffix of a known format are compared");
}

bool diff_folders_run(struct diff_folders *folders, struct error *e)
{
    const struct tree_choice choice = { .include = &(struct texts){ 0 }, .known = format_knows };
    struct tree side[DIFF_SIDES] = { { 0 }, { 0 } };
    json_out_open(&folders->json);
    folders->results = json_out_array(&folders->json, folders->json.root, "results");
    bool good = tree_add_folder(&side[0], folders->folder[0], &choice, e) &&
                tree_add_folder(&side[1], folders->folder[1], &choice, e) && judge_all(folders, side, e) &&
                check_compared(folders, e);
    if (good && !folders->options->quiet)
        good = tempfile_print(report_of(folders), e);
    json_out_close(&folders->json);
    free(folders->xml.bytes);
    tree_free(&side[0]);
    tree_free(&side[1]);
    return good;
}
