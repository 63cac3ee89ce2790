/* What a gap is, and how it reaches the filter. See gaps.h. */
#include "whole/gaps.h"

/* --- the options --- */

#define GAP_NAME(number, name, ...) name,
const char *const gap_names[GAPS_WAYS + 1] = { GAP_WAYS(GAP_NAME) NULL };

const struct gap_way *gaps_way(int gaps)
{
#define GAP_ROW(number, name, ...) { __VA_ARGS__ },
    static const struct gap_way way[GAPS_WAYS] = { GAP_WAYS(GAP_ROW) };
    return &way[gaps];
}

static bool parse_limit(const struct param *param, const char *value, void *field, struct error *e)
{
    struct gap_limit *limit = field;
    const char *end = value + strlen(value), *rest = number_read(value, end, '.', &limit->most);
    bool rows = rest && strcmp(rest, "rows") == 0;
    limit->kind = rows ? GAP_ROWS : GAP_SECONDS;
    bool good = rows ? limit->most == floor(limit->most) : param_seconds(value, &limit->most);
    if (good && limit->most >= 0 && isfinite(limit->most))
        return true;
    error_usage(e, "--%s must be a time in seconds, such as 0.25, or a number of rows, such as 10rows",
                param->name);
    return error_excerpt(e, value, strlen(value));
}

const struct param_type gap_limit_type = { .size = sizeof(struct gap_limit), .parse = parse_limit };

/* --- one gap --- */

void gap_add(struct gap *gap, uint64_t nrow, const struct timestamp *before)
{
    if (!gap->open) {
        gap->open = true;
        gap->nrow = 0;
        if (before)
            gap->since = *before;
    }
    gap->nrow += nrow;
}

bool gap_is_long(const struct gap *gap, const struct gap_rule *rule, const struct timestamp *now)
{
    if (rule->limit.kind == GAP_UNLIMITED)
        return false;
    if (rule->limit.kind == GAP_ROWS)
        return (double)gap->nrow > rule->limit.most;
    const struct timestamp *since = &gap->since;
    bool exact = since->decimal.exact && now->decimal.exact;
    struct timestamp error = { .t = exact ? 0 : 2 * DBL_EPSILON * fmax(fabs(since->t), fabs(now->t)) };
    return timestamp_between(since, now, rule->unit) - timestamp_between(NULL, &error, rule->unit) >
           rule->limit.most;
}

/* --- flags for the filter --- */

static unsigned take_missing(struct gap_state *state, const struct gap_rule *rule, const struct gap_row *row)
{
    gap_add(&state->gap, row->nrow, row->before);
    if (rule->way->ends_run || gap_is_long(&state->gap, rule, row->time))
        state->running = false;
    return state->running ? FLAG_GAP : FLAG_NO_VALUE;
}

/* Takes a sample that is the first one, or follows a gap. After a short gap the filter goes on, and sees the
 * sample as the first one behind a cut. */
static unsigned take_first(struct gap_state *state, const struct gap_rule *rule, const struct gap_row *row)
{
    bool after_gap = state->gap.open;
    if (after_gap && state->running && row->same_time)
        return FLAG_ZERO_DT;
    bool goes_on = state->running && !gap_is_long(&state->gap, rule, row->time);
    state->running = true;
    state->gap.open = false;
    state->cut &= goes_on; /* a new run forgets the cuts of the run before */
    return goes_on ? FLAG_CUT : FLAG_START;
}

/* The flags of a row inside a run, whose other flags are given: cuts, and times that are those of the row
 * before. A cut on a row without a time step counts at the next row with one. */
static unsigned take_cut(struct gap_state *state, const struct gap_row *row, unsigned flags)
{
    state->cut |= row->cut;
    if (row->same_time)
        return flags | FLAG_ZERO_DT;
    bool cut = state->cut;
    state->cut = false;
    return cut ? flags | FLAG_CUT : flags;
}

unsigned gaps_take(struct gap_state *state, const struct gap_rule *rule, const struct gap_row *row)
{
    unsigned flags = 0;
    if (row->missing)
        flags = take_missing(state, rule, row);
    else if (!state->running || state->gap.open)
        flags = take_first(state, rule, row);
    return flags & (FLAG_START | FLAG_NO_VALUE) ? flags : take_cut(state, row, flags);
}

size_t gaps_flag(struct gap_state *state, const struct gap_rule *rule, const struct gap_rows *rows,
                 double *goal, double *last, unsigned char *flags)
{
    size_t nmissing = 0;
    for (size_t i = 0; i < rows->n; i++) {
        bool cut = rows->cut && rows->cut[i];
        if (gaps_are_passed(state, isnan(goal[i]), rows->T[i], cut)) {
            *last = goal[i];
            flags[i] = 0;
            continue;
        }
        struct gap_row row = {
            .missing = isnan(goal[i]),
            .same_time = rows->T[i] == 0,
            .cut = cut,
            .nrow = rows->point && rows->point[i] ? 0 : 1,
            .before = rows->before,
        };
        if (rows->time) {
            row.before = i > 0 ? &rows->time[i - 1] : rows->before;
            row.time = &rows->time[i];
        }
        unsigned here = gaps_take(state, rule, &row);
        nmissing += row.missing ? row.nrow : 0;
        if (here & FLAG_NO_VALUE)
            goal[i] = 0;
        else if (gaps_repeat_goal(state, here))
            goal[i] = *last;
        if (!(here & (FLAG_ZERO_DT | FLAG_NO_VALUE)))
            *last = goal[i];
        flags[i] = (unsigned char)here;
    }
    return nmissing;
}

bool gaps_hide_next(unsigned char *flags, size_t n, bool hidden)
{
    bool any = false;
    for (size_t i = n; i-- > 0;) {
        bool flagged = flags[i] != 0;
        flags[i] |= (unsigned char)(hidden ? FLAG_NO_NEXT : 0);
        any = any || hidden;
        hidden = flagged;
    }
    return any;
}
