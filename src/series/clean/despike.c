/* Judges each row of a unit when the next --despike-window rows are there. Rows are numbered within their
 * group, from 0. See despike.h. */
#include "series/clean/despike.h"

#include "base/array.h"
#include "series/clean/fill.h"
#include "whole/noise/spike_track.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A unit of a group. */
struct judging {
    struct spike_track samples;
    size_t row; /* number of the row that is judged next */
    size_t run; /* number of cuts before that row */
    bool spike; /* the sample that was judged last is a spike */
};

/* A group. Zeroed before its first row. */
struct judged_group {
    struct timestamp begin; /* time of the first row */
    size_t n;               /* rows taken */
    size_t run;             /* number of cuts up to the last of them */
    size_t run_first;       /* number of the first row after the last cut */
    struct judging unit[];  /* of each unit */
};

/* A row under way. */
struct judged_row {
    size_t place;  /* spike_place */
    double second; /* seconds since the first row of the group, rounded once */
};

struct despike {
    struct operator operator;
    struct series_rows in;
    struct spikes_settings settings;
    size_t nwindow; /* rows after a row that are needed to judge it */
    struct operator* fill;
    struct judged_row *row; /* [maxrow] owned */
    size_t maxrow;
    size_t place; /* of the struct judged_group in a group's state */
};

bool despike_check(const struct spikes_settings *settings, struct error *e)
{
    return settings->window < 0 || !isnan(settings->factor) ||
           error_usage(e, "--despike-window needs --despike");
}

/* --- samples --- */

/* The seconds from the first row of a group to row `row`. */
static double second_of(const struct despike *despike, const struct judged_group *group, struct spot at,
                        size_t row)
{
    const struct timestamp time = series_time(&despike->in, at.block, at.row, row);
    return timestamp_between(&group->begin, &time, series_unit(&despike->in));
}

/* Does a row follow a cut? Nothing is before the first row of a group. */
static bool follows_cut(struct spot at, size_t row)
{
    return row > 0 && block_has_mark(at.block, at.row, MARK_CUT);
}

/* Sets despike->row of the next rows of a group. */
static bool find_rows(struct despike *despike, struct judged_group *group, const struct group_rows *rows,
                      struct error *e)
{
    if (!array_reserve(&despike->row, rows->n, &despike->maxrow, sizeof *despike->row, e))
        return false;
    for (size_t k = 0; k < rows->n; k++) {
        const struct spot at = { rows->block, group_row(rows, k) };
        if (group->n == 0)
            group->begin = series_time(&despike->in, at.block, at.row, 0);
        if (follows_cut(at, group->n)) {
            group->run++;
            group->run_first = group->n;
        }
        despike->row[k] = (struct judged_row){ spike_place(group->n, group->run),
                                               second_of(despike, group, at, group->n) };
        group->n++;
    }
    return true;
}

/* Keeps the samples of a unit in the next rows. */
static bool keep_samples(const struct despike *despike, struct judging *own, const struct unit *unit,
                         const struct group_rows *rows, struct error *e)
{
    const struct spike_kind kind = unit_spike_kind(unit);
    struct spike_track *samples = &own->samples;
    const double *goal[4];
    for (size_t c = 0; c < unit->n; c++)
        goal[c] = block_goal(rows->block, unit->channel[c]);
    if (!spike_track_reserve(samples, &kind, rows->n, e))
        return false;
    for (size_t k = 0; k < rows->n; k++) {
        const struct judged_row *row = &despike->row[k];
        const size_t i = group_row(rows, k);
        bool missing = false;
        double number[4], target[4];
        for (size_t c = 0; c < unit->n; c++) {
            number[c] = goal[c][i];
            missing |= isnan(number[c]) != 0;
        }
        if (missing || spike_track_at(samples, samples->series.n, row->place, row->second))
            continue;
        unit_target(unit, number, target);
        spike_track_add(samples, &kind, row->place, row->second, number, target);
    }
    spike_track_measure(samples);
    return true;
}

/* --- verdicts --- */

/* Judges the rows of a unit before row `end`; stops at a row whose verdict needs later rows. The rows up to
 * `end` and their windows are there; end is group->n where no more rows come. */
static void judge_rows(const struct despike *despike, const struct group *of, size_t unit, size_t end)
{
    const struct operator_rows *rows = operator_rows_of(&despike->operator, of);
    struct judged_group *group = group_state(of, despike->place);
    struct judging *own = &group->unit[unit];
    struct spike_track *samples = &own->samples;
    while (own->row < end) {
        const struct spot at = operator_spot(rows, own->row);
        const size_t run = own->run + follows_cut(at, own->row), place = spike_place(own->row, run);
        const bool over = own->row < group->run_first || end == group->n; /* of the run, no more rows come */
        size_t n = spike_track_pass(samples, &despike->settings, place, end - own->row);
        double number[4];
        own->spike = own->spike && n == 0;
        if (n == 0 && series_goals(&despike->in.units->at[unit], at, number)) {
            bool same = spike_track_at(samples, samples->next, place,
                                       second_of(despike, group, at, own->row));
            if (!same && !spike_track_judge(samples, &despike->settings,
                                            over ? SIZE_MAX : spike_place(end, run), &own->spike))
                return;
            if (own->spike)
                fill_expect_spike(despike->fill, of, unit, own->row);
        }
        own->run = run;
        own->row += n > 0 ? n : 1;
    }
}

/* Judges the rows of a group before row `end`. Returns the number of rows that are judged in all units. */
static size_t judge(const struct despike *despike, const struct group *of, size_t end)
{
    const struct judged_group *group = group_state(of, despike->place);
    size_t judged = group->n;
    for (size_t i = 0; i < despike->in.units->n; i++) {
        judge_rows(despike, of, i, end);
        judged = group->unit[i].row < judged ? group->unit[i].row : judged;
    }
    return judged;
}

/* --- the operator --- */

static uint64_t take(struct operator* operator, const struct group_rows * rows)
{
    struct despike *despike = (struct despike *)operator;
    struct judged_group *group = group_state(rows->group, despike->place);
    const struct spot first = { rows->block, 0 };
    struct error e;
    bool good = find_rows(despike, group, rows, &e);
    for (size_t i = 0; good && i < despike->in.units->n; i++)
        good = keep_samples(despike, &group->unit[i], &despike->in.units->at[i], rows, &e);
    if (!good) {
        operator_fail(operator, first, first, &e);
        return judge(despike, rows->group, 0);
    }
    const size_t nwhole = group->n > despike->nwindow ? group->n - despike->nwindow : 0; /* with windows */
    return judge(despike, rows->group, nwhole > group->run_first ? nwhole : group->run_first);
}

/* Out of memory, samples may lack, and nothing is judged. */
static uint64_t end(struct operator* operator, struct group * of)
{
    const struct despike *despike = (const struct despike *)operator;
    const struct judged_group *group = group_state(of, despike->place);
    judge(despike, of, operator->end == UINT64_MAX ? group->n : 0);
    return group->n;
}

static size_t size_of_group(const struct despike *despike)
{
    return sizeof(struct judged_group) + despike->in.units->n * sizeof(struct judging);
}

static void forget(struct operator* operator, struct group * of)
{
    const struct despike *despike = (const struct despike *)operator;
    struct judged_group *group = group_state(of, despike->place);
    for (size_t i = 0; i < despike->in.units->n; i++)
        spike_track_free(&group->unit[i].samples);
    memset(group, 0, size_of_group(despike));
}

static void close(struct operator* operator)
{
    free(((struct despike *)operator)->row);
    free(operator); /* the first member of the struct despike */
}

static const struct operator_kind despiking = { .take = take, .end = end, .forget = forget, .close = close };

struct operator* despike_open(const struct series_rows *in, const struct spikes_settings *settings,
                              struct operator* fill, struct error *e)
{
    struct despike *despike;
    if (!arrays_make(e, ARRAY(despike, 1)))
        return NULL;
    despike->in = *in;
    despike->settings = *settings;
    despike->nwindow = spikes_rows(settings);
    despike->fill = fill;
    operator_open(&despike->operator, & despiking, in->groups);
    despike->operator.ahead = true;
    despike->place = groups_reserve(in->groups, size_of_group(despike));
    return &despike->operator;
}
