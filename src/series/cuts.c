/* The times of cuts. See series.h. */
#include "series/series.h"

#include "base/array.h"
#include "formats/input.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <strings.h>

/* Adds time[n], counted in steps of 1 / rate seconds. Missing times (NaN) are left out. */
static bool append(struct cuts *cuts, const double *time, size_t n, double rate, struct error *e)
{
    if (!array_reserve(&cuts->time, cuts->ncut + n + 1, &cuts->maxcut, sizeof *cuts->time, e))
        return false;
    for (size_t i = 0; i < n; i++)
        if (!isnan(time[i]))
            cuts->time[cuts->ncut++] = time[i] / rate;
    return true;
}

static int ascending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static bool parse_times(const struct param *param, const char *list, void *field, struct error *e)
{
    struct cut_times *times = field;
    const char *end = list + strlen(list);
    times->cue = strcmp(list, "cue") == 0;
    times->list.ncut = 0;
    for (const char *at = list; !times->cue; at++) {
        double t;
        at = number_read(at, end, '.', &t);
        if (!at || (*at && *at != ',') || !isfinite(t)) {
            error_usage(e,
                        "--%s must be times in seconds separated by commas, such as 1.5,7, or the word cue",
                        param->name);
            return error_excerpt(e, list, strlen(list));
        }
        if (!append(&times->list, &t, 1, 1, e))
            return false;
        if (at == end)
            break;
    }
    return true;
}

static void free_times(void *field)
{
    free(((struct cut_times *)field)->list.time);
}

const struct param_type cut_times_type = { sizeof(struct cut_times), parse_times, free_times };

/* The column of times: the first column named "time", else the first column whose first cell is a number.
 * COLUMN_NONE: there is none. */
static size_t find_column(const struct columns *columns)
{
    size_t chosen = COLUMN_NONE;
    bool named = false;
    for (size_t i = columns->ncolumn; i-- > 0;) {
        bool time = strcasecmp(columns->column[i].name, "time") == 0;
        if (time || (!named && columns->column[i].first == CELL_NUMBER))
            chosen = i;
        named |= time;
    }
    return chosen;
}

/* Plans to read the column of times alone. */
static bool plan_times(struct input *in, struct error *e)
{
    struct reader *reader = &in->reader;
    const size_t time = find_column(&reader->columns);
    if (time == COLUMN_NONE)
        return error_data(e, "no time column found");
    reader->plan = &in->plan;
    return plan_make_single(&in->plan, &reader->columns, time, e) && reader_bind(reader, e);
}

/* Adds every number in the column of times of an open input. */
static bool read_rows(struct cuts *cuts, struct input *in, struct error *e)
{
    struct block block = { 0 };
    enum loaded loaded = LOAD_ERROR;
    if (!plan_times(in, e))
        return false;
    for (bool good = true; good && (loaded = input_load(in, &block, e)) == LOAD_ROWS;)
        good = append(cuts, block_value(&block, 0), block.nrow, 1, e);
    block_free(&block);
    return loaded == LOAD_END;
}

/* Adds the times in a file: of a recording its cue points, of other files every number in the column of
 * times. */
static bool read_file(struct cuts *cuts, const char *file, struct error *e)
{
    static const struct input_options plain = { .needs_cues = true };
    struct input in = { .nline = 0 };
    const struct columns *columns = &in.reader.columns;
    bool good = input_open(&in, file, &plain, e) &&
                (columns->rate > 0 ? append(cuts, columns->cue, columns->ncue, columns->rate, e)
                                   : read_rows(cuts, &in, e));
    input_close(&in);
    return good;
}

bool cuts_collect(struct cuts *cuts, const struct cut_settings *settings, const struct column_plan *input,
                  struct error *e)
{
    const struct cut_times *given = &settings->given;
    if (given->cue && input->rate == 0) {
        error_usage(e, "--cuts cue: the input has no cue points");
        return error_hint(e, "give the times, as in --cuts 1.5,7, or a file with --cuts-from");
    }
    if (!(given->cue ? append(cuts, input->columns->cue, input->columns->ncue, input->rate, e)
                     : append(cuts, given->list.time, given->list.ncut, 1, e)))
        return false;
    if (settings->from && !read_file(cuts, settings->from, e))
        return error_in_option(e, "--cuts-from", settings->from);
    size_t n = 0;
    qsort(cuts->time, cuts->ncut, sizeof *cuts->time, ascending);
    for (size_t i = 0; i < cuts->ncut; i++)
        if (n == 0 || cuts->time[i] != cuts->time[n - 1])
            cuts->time[n++] = cuts->time[i];
    cuts->ncut = n;
    return true;
}
