/* Two folders: pairs the files, and compares and reports pair after pair. See diff_folders.h. */
#include "compare/diff_folders.h"

#include "base/array.h"
#include "base/json_out.h"
#include "io/tempfile.h"

#include <stdlib.h>

/* A file that either folder has. */
struct pair {
    const struct diff_folders *folders;
    const char *below; /* path below the folders; not owned */
    const char
        *path[DIFF_SIDES]; /* path of the file on each side; NULL: the side lacks the file; not owned */
    int errnum;            /* errno of a folder at the path that cannot be read; 0: the path is a file */
    enum diff_verdict verdict;
    char *summary;   /* with REPORT_TEXT: the differences in a line; with REPORT_JUNIT: the worst, or the only
                        folder with the file; owned; NULL: equal, or out of memory */
    char *text;      /* with REPORT_JUNIT: the differences; owned; NULL as summary */
    char *hint;      /* of diff_hint; owned */
    bool by_options; /* with DIFF_TROUBLE: the error names an option, which does not fit the file */
    struct json_out json;     /* the report in JSON; root is NULL for other reports */
    struct messages messages; /* the error of a DIFF_TROUBLE */
    char *error;              /* the same as text, for reports; owned; NULL: no error */
};

static const char *const verdict_names[DIFF_VERDICTS] = {
    [DIFF_SAME] = "same",
    [DIFF_DIFFERENT] = "different",
    [DIFF_ONLY_EXPECTED] = "only in expected",
    [DIFF_ONLY_ACTUAL] = "only in actual",
    [DIFF_TROUBLE] = "not compared",
};

/* --- one pair of files --- */

static void fail_pair(struct pair *pair, const char *path, const struct error *e)
{
    pair->verdict = DIFF_TROUBLE;
    pair->by_options = strncmp(e->text, "--", 2) == 0;
    messages_error(&pair->messages, path, e);
    pair->error = messages_plain(&pair->messages);
}

/* Compares the two files of a pair. */
static void compare_files(struct pair *pair)
{
    const struct diff_folders *folders = pair->folders;
    struct diff diff = { 0 };
    struct error e;
    bool good = diff_open(&diff, folders->options, folders->input, pair->path, &e) && diff_run(&diff, &e);
    if (good) {
        pair->verdict = diff.same ? DIFF_SAME : DIFF_DIFFERENT;
        if (!diff.same && folders->options->report <= REPORT_TEXT)
            pair->summary = diff_summary(&diff);
        pair->hint = diff_hint(&diff);
        if (!diff.same && folders->options->report == REPORT_JUNIT) {
            pair->summary = diff_worst(&diff);
            pair->text = diff_text(&diff, true);
        }
        if (folders->options->report == REPORT_JSON) {
            json_out_open(&pair->json);
            diff_add_json(&pair->json, &diff);
        }
    } else {
        fail_pair(pair, diff.fault == DIFF_SIDES ? NULL : pair->path[diff.fault], &e);
    }
    diff_close(&diff);
}

/* Gives the verdict of a file that one folder has. */
static void miss_pair(struct pair *pair)
{
    const int side = pair->path[DIFF_EXPECTED] ? DIFF_EXPECTED : DIFF_ACTUAL;
    pair->verdict = side == DIFF_EXPECTED ? DIFF_ONLY_EXPECTED : DIFF_ONLY_ACTUAL;
    if (pair->folders->options->report == REPORT_JUNIT)
        pair->summary = text_format("only in %s", pair->folders->folder[side]);
}

/* Finds the verdict of a pair. */
static void judge(struct pair *pair)
{
    struct error e;
    if (pair->errnum != 0) {
        error_system(&e, pair->errnum, "cannot read the folder");
        fail_pair(pair, pair->path[DIFF_EXPECTED] ? pair->path[DIFF_EXPECTED] : pair->path[DIFF_ACTUAL], &e);
    } else if (pair->path[DIFF_EXPECTED] && pair->path[DIFF_ACTUAL]) {
        compare_files(pair);
    } else {
        miss_pair(pair);
    }
}

/* --- reports --- */

/* A line of the report for people about a file. */
static bool print_line(const struct pair *pair, struct error *e)
{
    struct text line = { 0 };
    text_put(&line, "%s: ", verdict_names[pair->verdict]);
    messages_escape(&line, pair->below, strlen(pair->below));
    if (pair->summary)
        text_put(&line, ": %s", pair->summary);
    text_put(&line, "\n");
    return tempfile_print(text_take(&line), e);
}

/* "1 of 4 files agrees: 1 different, 1 only in expected, 1 not compared". */
static char *summary_of(const struct diff_folders *folders)
{
    struct text line = { 0 };
    const char *before = ": ";
    text_put(&line, "%zu of %zu file%s %s", folders->count[DIFF_SAME], folders->nfile,
             error_plural(folders->nfile),
             folders->count[DIFF_SAME] == 1 || folders->nfile == 1 ? "agrees" : "agree");
    for (int verdict = DIFF_DIFFERENT; verdict < DIFF_VERDICTS; verdict++) {
        if (folders->count[verdict] == 0)
            continue;
        text_put(&line, "%s%zu %s", before, folders->count[verdict], verdict_names[verdict]);
        before = ", ";
    }
    text_put(&line, "\n");
    return text_take(&line);
}

static char *json_of(const struct diff_folders *folders, struct pair *pairs)
{
    struct json_out json_out;
    json_out_open(&json_out);
    json_out_text(&json_out, json_out.root, "expected", folders->folder[DIFF_EXPECTED]);
    json_out_text(&json_out, json_out.root, "actual", folders->folder[DIFF_ACTUAL]);
    json_out_bool(&json_out, json_out.root, "same", folders->count[DIFF_SAME] == folders->nfile);
    json_out_count(&json_out, json_out.root, "files", folders->nfile);
    json_out_count(&json_out, json_out.root, "files_agree", folders->count[DIFF_SAME]);
    struct cJSON *list = json_out_array(&json_out, json_out.root, "results");
    for (size_t i = 0; i < folders->nfile; i++) {
        struct cJSON *file = json_out_object(&json_out, list, NULL);
        json_out_text(&json_out, file, "file", pairs[i].below);
        json_out_text(&json_out, file, "result", verdict_names[pairs[i].verdict]);
        if (pairs[i].json.root)
            json_out_move(&json_out, file, "differences", &pairs[i].json);
        if (pairs[i].error)
            json_out_text(&json_out, file, "error", pairs[i].error);
    }
    return json_out_take(&json_out, false);
}

static char *junit_of(const struct diff_folders *folders, const struct pair *pairs)
{
    struct junit_case *cases = calloc(folders->nfile, sizeof *cases);
    if (!cases)
        return NULL;
    for (size_t i = 0; i < folders->nfile; i++) {
        const struct pair *pair = &pairs[i];
        cases[i] = (struct junit_case){ pair->below, pair->verdict, pair->summary,
                                        pair->error ? pair->error : pair->text };
    }
    char *report = junit_report("sprung diff", cases, folders->nfile);
    free(cases);
    return report;
}

/* The report that follows the lines of the files. NULL: out of memory. */
static char *report_of(const struct diff_folders *folders, struct pair *pairs)
{
    switch (folders->options->report) {
    case REPORT_JSON:
        return json_of(folders, pairs);
    case REPORT_JUNIT:
        return junit_of(folders, pairs);
    default:
        return summary_of(folders);
    }
}

/* --- all pairs --- */

/* Merges the files of both sides, which are sorted by path, into pairs[]. */
static size_t pair_files(const struct diff_folders *folders, const struct tree side[DIFF_SIDES],
                         struct pair *pairs)
{
    size_t at[DIFF_SIDES] = { 0, 0 }, npair = 0;
    while (at[0] < side[0].nfile || at[1] < side[1].nfile) {
        struct pair *pair = &pairs[npair++];
        const struct tree_file *file[DIFF_SIDES] = { NULL, NULL };
        for (int i = 0; i < DIFF_SIDES; i++)
            if (at[i] < side[i].nfile)
                file[i] = &side[i].file[at[i]];
        if (file[0] && file[1]) {
            int order = strcmp(file[0]->path + file[0]->below, file[1]->path + file[1]->below);
            if (order < 0)
                file[1] = NULL;
            if (order > 0)
                file[0] = NULL;
        }
        pair->folders = folders;
        for (int i = 0; i < DIFF_SIDES; i++) {
            if (!file[i])
                continue;
            at[i]++;
            pair->path[i] = file[i]->path;
            pair->below = file[i]->path + file[i]->below;
            pair->errnum = file[i]->errnum ? file[i]->errnum : pair->errnum;
        }
    }
    return npair;
}

static bool no_file(const struct diff_folders *folders, struct error *e)
{
    error_data(e, "no files to compare in \"%.200s\" and \"%.200s\"", folders->folder[DIFF_EXPECTED],
               folders->folder[DIFF_ACTUAL]);
    return error_hint(e, "only files with the suffix of a known format are compared");
}

static bool compare_all(struct diff_folders *folders, struct pair *pairs, struct error *e)
{
    const struct diff_options *options = folders->options;
    size_t nrefused = 0;
    const char *hint = NULL; /* the first */
    bool good = true;
    for (size_t i = 0; i < folders->nfile && good; i++) {
        judge(&pairs[i]);
        folders->count[pairs[i].verdict]++;
        nrefused += pairs[i].by_options;
        hint = hint ? hint : pairs[i].hint;
        if (pairs[i].by_options && nrefused > 1)
            continue;
        const bool listed = pairs[i].verdict != DIFF_SAME || options->verbose;
        if (listed && !options->quiet && options->report <= REPORT_TEXT)
            good = print_line(&pairs[i], e);
        messages_move(folders->messages, &pairs[i].messages, NULL);
    }
    if (nrefused > 1)
        messages_add(folders->messages, NULL, "%zu more file%s could not be compared with these options",
                     nrefused - 1, error_plural(nrefused - 1));
    if (hint && !options->quiet)
        messages_add(folders->messages, NULL, "%s", hint);
    return good;
}

bool diff_folders_run(struct diff_folders *folders, struct error *e)
{
    const struct diff_options *options = folders->options;
    const struct tree_choice choice = { .include = &(struct texts){ 0 }, .known = format_knows };
    struct tree side[DIFF_SIDES] = { { 0 }, { 0 } };
    struct pair *pairs = NULL;
    bool good = tree_add_folder(&side[0], folders->folder[0], &choice, e) &&
                tree_add_folder(&side[1], folders->folder[1], &choice, e) &&
                arrays_make(e, ARRAY(pairs, side[0].nfile + side[1].nfile));
    if (good) {
        folders->nfile = pair_files(folders, side, pairs);
        good = folders->nfile > 0 || no_file(folders, e);
    }
    good = good && compare_all(folders, pairs, e);
    if (good && !options->quiet)
        good = tempfile_print(report_of(folders, pairs), e);
    for (size_t i = 0; i < folders->nfile; i++) {
        free(pairs[i].text);
        free(pairs[i].summary);
        free(pairs[i].hint);
        free(pairs[i].error);
        json_out_close(&pairs[i].json);
        messages_free(&pairs[i].messages);
    }
    free(pairs);
    tree_free(&side[0]);
    tree_free(&side[1]);
    return good;
}
