/* A series whose rows are held: stretch by stretch (whole/stretches.h) the rows of a group are smoothed
 * (held_units.h). Where the whole series is needed, there is one stretch, when no more rows come. Auto
 * chooses by all rows of a group. With --lookahead each row leaves when the rows of that time have come. See
 * whole_series.h. */
#include "series/held/whole_series.h"

#include "base/array.h"
#include "series/held/held_units.h"
#include "series/series_state.h"
#include "springs/cutoff.h"
#include "springs/filter_words.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { RATE_STEPS = 4096 /* first steps that the row rate goes by */ };

/* What is said of a kind of channels: their number, and the first one in words. */
struct channel_note {
    size_t n;
    char first[200];
    size_t row; /* STAYS_STANDING_OUT: number of the row in its group that stands out most, from 1 */
};

/* The smoothing of all groups: the operator's own memory. */
struct filtering {
    struct series *series;
    struct halflife_range *chosen; /* [nchannel] in the same allocation */
    struct held_units units;
    bool automatic;             /* a cutoff is chosen by all rows of a group */
    struct stretch_reach reach; /* of a stretch; seconds INFINITY: one stretch takes all rows */
    struct filter_group *group; /* the group under way */

    /* Channels of groups. */
    struct channel_note quiet; /* auto found almost no noise */
    struct channel_note
        stays[STAYS_STANDING_OUT + 1]; /* auto leaves them as they are, by enum cutoff_stays */
};

/* --- the operator's own memory --- */

static struct filtering *filtering_of(const struct series *series)
{
    return series->own;
}

/* Why the curve of a group needs all its rows; NULL: a stretch is enough. */
static const char *needs_whole(const void *of_filter, const struct series_rows *in)
{
    const struct filter_common *settings = of_filter;
    if (settings->loop)
        return "--loop needs all rows at once";
    if (gaps_way(in->settings->gaps)->printed && in->settings->max_gap.kind == GAP_UNLIMITED)
        return "--gaps fill without --max-gap needs all rows at once";
    return in->units->nrotation > 0 ? "rotations need all rows at once" : NULL;
}

const char *whole_series_needs_all(const void *settings, const struct series_rows *in)
{
    const bool automatic = filter_automatic(settings) != NULL;
    return automatic ? "auto needs all rows at once" : needs_whole(settings, in);
}

/* How far stretches reach. Gaps that are filled count no time. cutoff: the lowest. */
static struct stretch_reach find_reach(const struct series_config *config, double cutoff)
{
    const struct gap_rule gaps = series_gaps(&config->in);
    struct stretch_reach reach = { .seconds = INFINITY };
    if (needs_whole(config->settings, &config->in))
        return reach;
    reach.seconds = stretch_seconds(cutoff);
    if (gaps.way->printed && gaps.limit.kind == GAP_SECONDS)
        reach.seconds += gaps.limit.most;
    if (gaps.way->printed && gaps.limit.kind == GAP_ROWS)
        reach.samples = (size_t)gaps.limit.most;
    return reach;
}

bool smoothed_open(struct series *series, struct error *e)
{
    struct filtering *filtering;
    struct halflife_range *chosen;
    if (!arrays_make(e, ARRAY(filtering, 1), ARRAY(chosen, series->nchannel)))
        return false;
    filtering->series = series;
    filtering->chosen = chosen;
    filtering->automatic = filter_automatic(series->config.settings) != NULL;
    filtering->reach.seconds = INFINITY;
    if (!filtering->automatic)
        filtering->reach = find_reach(
            &series->config, ((const struct filter_common *)series->config.settings)->cutoff);
    for (size_t i = 0; i < series->nchannel; i++)
        filtering->chosen[i] = (struct halflife_range){ (double)NAN, (double)NAN };
    series->operator.ahead = true;
    series->own = filtering;
    series->nown = sizeof(struct held_samples);
    return held_units_open(&filtering->units, series, e);
}

static void close_held(struct operator* operator)
{
    struct series *series = series_of(operator);
    struct filtering *filtering = filtering_of(series);
    if (filtering)
        held_units_close(&filtering->units);
    free(filtering);
    series_free(series);
}

const struct halflife_range *whole_series_halflives(const struct operator* operator)
{
    const struct series *series = (const struct series *)operator;
    return series_has_steps(series) ? NULL : filtering_of(series)->chosen;
}

/* --- the cutoff --- */

/* Notes a channel of the group under way. */
static void note_channel(const struct filtering *filtering, struct channel_note *note, const char *name)
{
    char key[GROUP_SHOWN], group[GROUP_SHOWN + 20] = "";
    error_escape(filtering->group->group->key, filtering->group->group->nkey, key, sizeof key);
    if (key[0])
        snprintf(group, sizeof group, " of group \"%s\"", key);
    if (note->n++ == 0)
        snprintf(note->first, sizeof note->first, "\"%s\"%s", name, group);
}

/* Notes the cutoff that was chosen for a unit, or that it stays as it is. */
static void note_choice(struct filtering *filtering, const struct held_samples *held,
                        const struct held_unit *unit)
{
    const struct series_config *config = &filtering->series->config;
    const struct cutoff_choice *choice = &unit->choice;
    struct equivalent equivalent[MAXEQUIVALENT];
    struct filter_room room;
    for (size_t c = 0; c < unit->unit->n; c++) {
        const size_t channel = unit->unit->channel[c];
        const char *name = plan_channel(config->in.plan, channel)->name;
        struct halflife_range *range = filtering->chosen + channel;
        if (choice->stays != STAYS_NOT) {
            struct channel_note *note = &filtering->stays[choice->stays];
            if (choice->stays == STAYS_EMPTY && config->verbose)
                messages_add(config->messages, config->file, "channel \"%s\": no values for auto", name);
            if (note->n == 0)
                note->row = choice->sample < held->n ? (size_t)held->row[choice->sample] + 1 : 0;
            note_channel(filtering, note, name);
            continue;
        }
        filter_equivalents(filter_chosen(config->filter, unit->settings, choice->cutoff, &room), true,
                           equivalent);
        const double halflife = equivalent[EQUIVALENT_HALFLIFE].value;
        range->least = fmin(range->least, halflife); /* fmin and fmax pass over NaN */
        range->most = fmax(range->most, halflife);
        if (config->verbose)
            messages_add(config->messages, config->file, "channel \"%s\": auto chose cutoff %.6g Hz", name,
                         choice->cutoff);
        if (choice->quiet)
            note_channel(filtering, &filtering->quiet, name);
    }
}

/* Writes " and 2 more". */
static void write_more(const struct channel_note *note, char more[60])
{
    more[0] = 0;
    if (note->n > 1)
        snprintf(more, 60, " and %zu more", note->n - 1);
}

/* Warns, in a single message, about the channels where auto found almost no noise. */
static void warn_of_quiet(const struct filtering *filtering)
{
    char more[60];
    write_more(&filtering->quiet, more);
    if (filtering->quiet.n > 0)
        messages_add(
            filtering->series->config.messages, filtering->series->config.file,
            "warning: channel %s%s: auto found almost no noise (was it smoothed already?) and changes "
            "little; to smooth more, give --cutoff HZ instead, and see the change with --report",
            filtering->quiet.first, more);
}

/* Says, in a message for each reason, which channels are left as they are. */
static void note_stays(const struct filtering *filtering)
{
    for (size_t why = STAYS_FEW; why <= STAYS_STANDING_OUT; why++) {
        const struct channel_note *note = &filtering->stays[why];
        struct messages *messages = filtering->series->config.messages;
        const char *file = filtering->series->config.file;
        char more[60];
        write_more(note, more);
        if (note->n == 0)
            continue;
        if (why == STAYS_FEW)
            messages_add(messages, file, "channel %s%s: copied unchanged, as auto needs at least %d values",
                         note->first, more, CHOOSE_LEAST);
        else if (why == STAYS_STATES)
            messages_add(
                messages, file,
                "channel %s%s: copied unchanged, as whole numbers of few values are states; to smooth "
                "them, give --cutoff HZ",
                note->first, more);
        else
            messages_add(messages, file,
                         "channel %s%s: copied unchanged, as every cutoff moves values farther than noise "
                         "reaches, most at row %zu; try --despike 6, or --cutoff HZ",
                         note->first, more, note->row);
    }
}

/* Chooses by the rows of the group under way, and notes what was chosen. After a fault nothing is noted: how
 * many rows of later groups are left depends on the blocks. */
static void choose_for_group(struct filtering *filtering, struct held_samples *held)
{
    const struct operator* operator= & filtering->series->operator;
    const bool faulty = operator->faulty != NULL || operator->broken;
    held_units_choose(&filtering->units, held);
    for (size_t i = 0; i < filtering->units.n && !faulty; i++)
        note_choice(filtering, held, &filtering->units.at[i]);
    double lowest = INFINITY;
    for (size_t i = 0; i < filtering->units.n; i++)
        lowest = fmin(lowest, filtering->units.at[i].cutoff);
    filtering->reach = find_reach(&filtering->series->config, lowest);
}

/* --- groups --- */

/* Rows per second by the first steps; NaN: there is none. */
static double row_rate(const struct filtering *filtering, const struct held_samples *held)
{
    const bool live = !isnan(filtering->series->config.lookahead);
    double step[RATE_STEPS];
    size_t n = held->n - 1 < RATE_STEPS ? held->n - 1 : RATE_STEPS;
    n = live && n > 1 ? 1 : n;
    memcpy(step, held->T + 1, n * sizeof *step);
    return smoothing_row_rate(step, n);
}

/* Refuses a cutoff that the rows of the group under way do not show. False: the series has ended. */
static bool check_cutoff(const struct filtering *filtering, const struct held_samples *held)
{
    const struct series *series = filtering->series;
    const double rate = row_rate(filtering, held), most = SMOOTHING_MOST_OF_RATE * rate;
    const struct filter_common *settings = series->config.settings;
    const struct spot first = held_spot(held, 0);
    struct error e;
    if (filtering->automatic || !(settings->cutoff > most * (1 + SMOOTHING_RATE_ROUNDED)))
        return true;
    error_usage(&e, "--cutoff %g is too high for these rows: the maximum is %.4g Hz, %g times the row rate",
                settings->cutoff, most, SMOOTHING_MOST_OF_RATE);
    e.high_cutoff = true;
    error_hint(&e, "try --cutoff %.4g for this file%s", cutoff_example(rate),
               series->config.keyed ? ", or leave out sparse channels with --exclude" : "");
    return operator_fail(&filtering->series->operator, first, first, &e);
}

static bool is_first(const struct held_samples *held)
{
    return held->nrow_given == 0;
}

/* Smooths the stretches of the group under way whose rows have come. all: no more rows come. */
static void smooth_stretches(struct filtering *filtering, struct held_samples *held, bool all)
{
    struct stretch stretch = { 0, 0, 0, 0 };
    while (filtering->series->operator.end == UINT64_MAX && held->ngiven<held->n &&
           stretch_find(held->counted, held->n, all, held->ngiven, filtering->reach, &stretch)) {
        if (is_first(held) && !check_cutoff(filtering, held))
            return;
        held_units_smooth(&filtering->units, held, stretch);
    }
    held_drop(held, stretch.begin);
}

/* With --lookahead: takes the samples of the group under way from sample k on. */
static void smooth_live(struct filtering *filtering, struct held_samples *held, size_t k)
{
    for (; k < held->n && filtering->series->operator.end == UINT64_MAX; k++) {
        if (k == 1 && !held->dropped && !check_cutoff(filtering, held))
            return;
        held_units_take_live(&filtering->units, held, k, filtering->series->config.lookahead);
    }
    held_drop(held, held->ngiven);
}

/* Smooths the rest of a group that gets no more rows. */
static uint64_t end_group(struct operator* operator, struct group * of)
{
    struct series *series = series_of(operator);
    struct filtering *filtering = filtering_of(series);
    struct filter_group *group = series_group(series, of);
    struct held_samples *held = group->own;
    filtering->group = group;
    held_leave_faulty(held);
    if (filtering->automatic && held->ngiven < held->n)
        choose_for_group(filtering, held);
    if (isnan(series->config.lookahead))
        smooth_stretches(filtering, held, true);
    else
        held_units_end_live(&filtering->units, held);
    if (filtering->automatic)
        filtering->reach.seconds = INFINITY;
    return group->rows->ntaken;
}

static void forget_group(struct operator* operator, struct group * group)
{
    held_free(series_group(series_of(operator), group)->own);
}

static void finish(struct operator* operator)
{
    warn_of_quiet(filtering_of(series_of(operator)));
    note_stays(filtering_of(series_of(operator)));
    series_finish_warnings(operator);
}

/* --- rows --- */

/* A block that stays to the end gives back the room that it does not use. */
static void prepare(struct operator* operator, struct block * block)
{
    struct series *series = series_of(operator);
    series_prepare(series, block);
    if (isinf(filtering_of(series)->reach.seconds) && block->nrow > 0)
        block_trim(block);
}

/* What is needed of the rows of a block until the last row has come is known now. */
static void pass(struct operator* operator, struct block * block)
{
    series_show_warnings(operator, block);
    if (isinf(filtering_of(series_of(operator))->reach.seconds) && block->pending > 0)
        block_pack(block, false);
}

static uint64_t hold_rows(struct operator* operator, const struct group_rows * rows)
{
    struct series *series = series_of(operator);
    struct filtering *filtering = filtering_of(series);
    struct filter_group *group = series_begin_group(series, rows);
    struct held_samples *held = group->own;
    const struct spot begin = { rows->block, group_row(rows, 0) };
    const bool live = !isnan(series->config.lookahead);
    struct error e;
    bool good = held_begin(held, &series->config.in, group->rows, &e) ||
                operator_fail(operator, begin, begin, &e);
    held->lives = live;
    filtering->group = group;
    for (size_t first = 0, n; first < rows->n && good; first += n) {
        struct chunk chunk = chunk_from(rows, first);
        chunk.n = chunk.n < series->maxrow ? chunk.n : series->maxrow;
        n = chunk.n;
        const size_t k = held->n;
        steps_take(series, group, &chunk);
        warnings_take_chunk(series, group, &chunk);
        good = held_take(held, series, group, &chunk, &e) || operator_fail(operator, begin, begin, &e);
        series_pass(series, group, &chunk);
        if (good && live)
            smooth_live(filtering, held, k);
        else if (good)
            smooth_stretches(filtering, held, false);
    }
    return held->nrow_given;
}

const struct operator_kind series_smoothed = {
    .prepare = prepare,
    .take = hold_rows,
    .end = end_group,
    .forget = forget_group,
    .pass = pass,
    .finish = finish,
    .close = close_held,
};
