/* Rows that are held: gathered into arrays, filtered by zero phase, and scattered again. See whole_series.h.
 *
 * Group by group, the rows of one time become one knot, with the first valid value among them. Then, channel
 * by channel and rotation by rotation, the knots fall into runs between known values, which
 * whole/zero_phase.c filters. Nothing here knows how. */
#include "series/whole_series.h"

#include "base/array.h"
#include "series/chunk.h"
#include "whole/choose_halflife.h"
#include "whole/noise.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define LONG_STEP 1.5  /* usual steps; rows are missing in a longer step */
#define ROUNDED   0.01 /* relative error of a rate by times that are rounded in print */

/* A row that is held. */
struct place {
    struct spot at;
    double T; /* seconds since the previous row */
};

/* The rows of one group: group.extra. */
struct held_rows {
    struct place *place; /* [nplace], owned */
    size_t nplace, maxplace;
};

/* The group and the channel or rotation under way, as arrays. */
struct gathered {
    struct series *s;
    struct zero_phase *numbers,
        *rotations; /* the filters for runs of each kind; NULL: no channel is of this kind */
    struct group *group;
    const struct place *place; /* [first[nknot]] the group's rows */

    /* Knots: rows of one time. All arrays have room for the largest group. */
    size_t nknot;
    size_t *first; /* [nknot + 1] the first of the group's rows at each knot */
    double *T;     /* [nknot] seconds since the previous knot */
    double *time;  /* [nknot] time in the unit of the input; not used with a rate */

    /* Of a channel or rotation. */
    const struct unit *unit;
    double *value;          /* [nknot] numbers, or [4 * nknot] quaternions; NaN: not known */
    double *turns;          /* [nknot] of an angle: whole periods that were added to it */
    struct sample_run *run; /* [nrun] */
    size_t nrun;
    double read[4]; /* the cells of the last valid knot, quaternions with the sign nearer to the one before */
    double printed[4]; /* the numbers of a rotation that were printed last */

    /* Channels of groups in which --halflife auto found next to no noise. */
    size_t nquiet;
    char first_quiet[200]; /* the first of them, in words */
};

bool whole_series_check(const struct overrides *overrides, const struct columns *t, struct error *e)
{
    for (size_t i = 0; i < t->ncolumn; i++) {
        const struct column *c = &t->column[i];
        if (c->role == ROLE_CHANNEL &&
            !zero_phase_check_rest(overrides->settings[overrides->of[c->value]], e))
            return error_column(e, c->name);
    }
    return true;
}

/* --- the rows that are held --- */

static bool hold_rows(struct series *s, struct group *g, const struct chunk *w)
{
    struct held_rows *held = g->extra;
    struct spot first = { w->block, new_row(w, 0) };
    struct error e;
    if (!array_reserve(&held->place, held->nplace + w->n, &held->maxplace, sizeof *held->place, &e))
        return series_fail(s, first, first, &e);
    for (size_t j = 0; j < w->n; j++)
        held->place[held->nplace++] = (struct place){ { w->block, new_row(w, j) }, s->steps.T[j] };
    return true;
}

static void free_rows(void *extra)
{
    free(((struct held_rows *)extra)->place);
}

/* Finds the knots of a group. */
static void take_group(struct gathered *w, struct group *g)
{
    struct held_rows *held = g->extra;
    w->group = g;
    w->place = held->place;
    /* Rows that stood behind a fault in the last block do not count. */
    for (; held->nplace; held->nplace--) {
        struct spot last = held->place[held->nplace - 1].at;
        if (last.row < last.block->nrow)
            break;
    }
    w->nknot = 0;
    for (size_t row = 0; row < held->nplace; row++)
        if (row == 0 || held->place[row].T > 0) {
            struct spot at = held->place[row].at;
            w->first[w->nknot] = row;
            w->time[w->nknot] = series_time(&w->s->c.in, at.block, at.row, row).t;
            w->T[w->nknot++] = held->place[row].T;
        }
    w->first[w->nknot] = held->nplace;
}

/* --- cells to samples --- */

/* Reads the cells of a knot into w->read: of the knot's first row in which no cell is missing. False: each
 * row misses a cell. */
static bool read_knot(struct gathered *w, size_t k)
{
    const struct unit *u = w->unit;
    for (size_t row = w->first[k]; row < w->first[k + 1]; row++) {
        struct spot at = w->place[row].at;
        double cell[4];
        for (size_t i = 0; i < u->nchannel; i++)
            cell[i] = block_goal(at.block, u->channel[i])[at.row];
        if (u->rotation)
            rotations_follow(u->rotation, w->read, cell);
        else
            w->read[0] = cell[0];
        if (!isnan(cell[0]))
            return true;
    }
    return false;
}

/* The samples of the channel or rotation under way. */
static struct samples samples_of(const struct gathered *w)
{
    size_t width = w->unit->rotation ? SAMPLE_ROTATION : SAMPLE_NUMBER;
    const double *time = w->s->c.in.rate == 0 ? w->time : NULL;
    return (struct samples){ w->nknot, width, w->T, w->value, time };
}

static void gather(struct gathered *w)
{
    const struct samples all = samples_of(w);
    struct unwrap unwrap = { 0 };
    memset(w->read, 0, sizeof w->read);
    for (size_t k = 0; k < all.n; k++) {
        w->value[k * all.width] = (double)NAN;
        if (read_knot(w, k))
            rotations_target(w->unit->rotation, w->read, w->value + k * all.width);
    }
    memset(w->read, 0, sizeof w->read);
    if (w->unit->period > 0)
        angles_unwrap(&unwrap, w->unit->period, w->value, w->turns, all.n);
}

/* Is the gap between two known knots longer than --max-gap? */
static bool is_long_gap(const struct gathered *w, size_t from, size_t to)
{
    const struct series_rows *in = &w->s->c.in;
    struct spot a = w->place[w->first[from]].at, b = w->place[w->first[to]].at;
    struct timestamp start = series_time(in, a.block, a.row, w->first[from]),
                     end = series_time(in, b.block, b.row, w->first[to]);
    size_t nmissing = 0;
    for (size_t row = w->first[from + 1]; row < w->first[to]; row++)
        nmissing += block_row_read(w->place[row].at.block, w->place[row].at.row);
    return series_long_gap(in, nmissing, &start, &end);
}

/* Does a run end before the gap between two known knots? */
static bool ends_run(const struct gathered *w, size_t from, size_t to)
{
    return to > from + 1 && (w->s->c.in.settings->gaps >= GAPS_LINEAR || is_long_gap(w, from, to));
}

static void find_runs(struct gathered *w)
{
    const struct samples all = samples_of(w);
    w->nrun = 0;
    for (size_t k = 0; k < all.n; k++) {
        if (!samples_known(&all, k))
            continue;
        if (w->nrun > 0 && !ends_run(w, w->run[w->nrun - 1].last, k))
            w->run[w->nrun - 1].last = k;
        else
            w->run[w->nrun++] = (struct sample_run){ k, k };
    }
}

/* --- samples to cells --- */

static bool is_gap(const struct gathered *w, struct spot at)
{
    bool gap = false;
    for (size_t i = 0; i < w->unit->nchannel; i++)
        gap |= isnan(block_goal(at.block, w->unit->channel[i])[at.row]);
    return gap;
}

/* Prints the numbers x, of wanted output o, at a knot. */
static void scatter(const struct gathered *w, size_t o, size_t k, const double x[4])
{
    const struct series *s = w->s;
    for (size_t row = w->first[k]; row < w->first[k + 1]; row++) {
        struct spot at = w->place[row].at;
        bool gap = s->c.in.settings->gaps != GAPS_FILL && is_gap(w, at);
        for (size_t i = 0; i < w->unit->nchannel; i++)
            block_out(at.block, w->unit->channel[i] * s->out.nwant + o)[at.row] = gap ? (double)NAN : x[i];
    }
}

/* Makes cells of a number at a knot. */
static void print_number(struct gathered *w, unsigned derivative, size_t k, double x[4])
{
    if (derivative > 0 || !w->unit->wrap)
        return;
    double cell = read_knot(w, k) ? w->read[0] : (double)NAN;
    x[0] = angles_wrap(x[0], cell, w->turns[k], w->unit->period);
}

/* Makes cells of a rotation at a knot, in place; at_goal: it is the sample. The last three channels of a
 * rotation have x, y and z of velocity and acceleration. */
static void print_rotation(struct gathered *w, unsigned derivative, size_t k, bool at_goal, double x[4])
{
    const struct rotation *r = w->unit->rotation;
    double from[4];
    memcpy(from, x, sizeof from);
    if (derivative > 0) {
        x[0] = 0;
        for (size_t c = 0; c < 3; c++)
            x[r->ncolumn - 3 + c] = rotations_unit(r) * from[c];
        return;
    }
    bool known = read_knot(w, k);
    rotations_print(r, known ? w->read : w->printed, from, known && at_goal, x);
    memcpy(w->printed, x, sizeof w->printed);
}

/* The channel is faulty at a knot of a run. */
static void fail(const struct gathered *w, size_t channel, struct sample_run run, size_t knot,
                 struct error *e)
{
    error_column(e, columns_channel(w->s->c.in.columns, channel)->name);
    series_fail(w->s, w->place[w->first[run.first]].at, w->place[w->first[knot]].at, e);
}

static void fail_too_large(const struct gathered *w, size_t channel, struct sample_run run, size_t knot)
{
    struct error e;
    error_data(&e, "the filtered value is too large for a number here");
    fail(w, channel, run, knot, &e);
}

/* Prints the wanted outputs along a run that was filtered. */
static void put_outputs(struct gathered *w, struct zero_phase *z, struct sample_run run)
{
    const struct series *s = w->s;
    unsigned derived = 0;
    for (size_t o = 0; o < s->out.nwant; o++) {
        unsigned derivative = (unsigned)s->out.want[o];
        while (derived < derivative)
            zero_phase_derive(z, ++derived);
        for (size_t k = run.first; k <= run.last; k++) {
            double x[4] = { 0 };
            zero_phase_get(z, derivative, k - run.first, x);
            if (w->unit->rotation)
                print_rotation(w, derivative, k, derivative == 0 && zero_phase_unchanged(z, k - run.first),
                               x);
            else
                print_number(w, derivative, k, x);
            for (size_t i = 0; i < w->unit->nchannel; i++)
                if (!isfinite(x[i]) && s->out.prints[o]) {
                    fail_too_large(w, w->unit->channel[i], run, k);
                    return;
                }
            scatter(w, o, k, x);
        }
    }
}

/* --- a channel or rotation --- */

/* Are all values of a channel equal? Such a channel has no noise, whatever the half-life is. */
static bool is_constant(const struct gathered *w)
{
    double least = NAN, most = NAN;
    if (w->unit->rotation)
        return false;
    for (size_t k = 0; k < w->nknot; k++) {
        least = fmin(least, w->value[k]); /* fmin and fmax pass over NaN */
        most = fmax(most, w->value[k]);
    }
    return least == most;
}

/* Notes the half-life that was chosen for a channel in a group. */
static void note_choice(struct gathered *w, size_t channel, double halflife)
{
    if (w->s->faulty) /* how many rows of later groups are left depends on the blocks */
        return;
    const struct series_config *c = &w->s->c;
    struct halflife_range *chosen = &w->s->count.halflife[channel];
    chosen->least = fmin(chosen->least, halflife); /* fmin and fmax pass over NaN */
    chosen->most = fmax(chosen->most, halflife);
    char key[GROUP_SHOWN];
    struct equivalent all[MAXEQUIVALENT];
    error_escape(w->group->key, w->group->nkey, key, sizeof key);
    filter_equivalents(c->filter, c->overrides->settings[c->overrides->of[channel]], halflife, all);
    double cutoff = all[EQUIVALENT_CUTOFF].value, time = 0;
    for (size_t k = 1; k < w->nknot; k++)
        time += w->T[k];
    const char *name = columns_channel(c->in.columns, channel)->name, *of = key[0] ? " of group \"" : "";
    if (c->verbose)
        messages_add(c->messages, c->file,
                     "channel \"%s\"%s%s%s: half-life %.15g s by Mallows' Cp, cutoff %.6g Hz", name, of, key,
                     key[0] ? "\"" : "", halflife, cutoff);
    bool quiet = w->nknot > 1 && cutoff * time > 0.25 * (double)(w->nknot - 1) && !is_constant(w);
    if (quiet && w->nquiet++ == 0)
        snprintf(w->first_quiet, sizeof w->first_quiet, "\"%s\"%s%s%s", name, of, key, key[0] ? "\"" : "");
}

/* One warning for all channels in which --halflife auto found next to no noise. */
static void warn_of_quiet(const struct gathered *w)
{
    char more[60] = "";
    if (w->nquiet == 0)
        return;
    if (w->nquiet > 1)
        snprintf(more, sizeof more, " and %zu more", w->nquiet - 1);
    messages_add(
        w->s->c.messages, w->s->c.file,
        "warning: channel %s%s: --halflife auto found next to no noise from row to row: the data have "
        "none, were smoothed before, or their noise is not white; --cutoff sets a cutoff",
        w->first_quiet, more);
}

/* The half-life that --halflife auto chooses; NaN where the settings have their own. */
static double choose(struct gathered *w, struct zero_phase *z, const void *settings)
{
    const struct samples all = samples_of(w);
    if (!filter_automatic(w->s->c.filter, settings))
        return (double)NAN;
    double halflife = choose_halflife(z, settings, &all, w->run, w->nrun);
    if (isnan(halflife)) {
        struct error e;
        error_data(&e,
                   "--halflife auto needs at least %d values to tell noise from motion, and there are fewer",
                   CHOOSE_LEAST);
        error_hint(&e, "--halflife and --cutoff set the same for all channels");
        fail(w, w->unit->channel[0], w->run[0], w->run[0].first, &e);
        return halflife;
    }
    for (size_t i = 0; i < w->unit->nchannel; i++)
        note_choice(w, w->unit->channel[i], halflife);
    return halflife;
}

/* Notes the time steps of the run that was filtered last, and whether the goal moves in them. */
static void note_steps(struct gathered *w, const struct zero_phase *z)
{
    double shortest, longest;
    w->s->moving |= !zero_phase_steps(z, &shortest, &longest);
    if (shortest > 0)
        steps_taken_add(&w->s->taken, shortest, longest);
}

static void filter_run(struct gathered *w, struct zero_phase *z, struct sample_run run)
{
    const struct samples all = samples_of(w), part = samples_of_run(&all, run);
    struct zero_phase_fault fault = zero_phase_run(z, &part);
    size_t channel = w->unit->channel[0];
    struct error e;
    switch (fault.reason) {
    case ZERO_PHASE_GOOD:
        note_steps(w, z);
        put_outputs(w, z, run);
        break;
    case ZERO_PHASE_TOO_LARGE:
        fail_too_large(w, channel, run, run.first + fault.sample);
        break;
    case ZERO_PHASE_NO_REST:
        error_data(&e, "--zero-phase takes a filter that comes to rest within a million times the length of "
                       "the series, and with these settings it does not");
        error_hint(&e, "more damping brings it to rest, and --method euler needs short steps");
        fail(w, channel, run, run.first, &e);
        break;
    }
}

/* Filters and prints a channel or a rotation. */
static void filter_unit(struct gathered *w, const struct unit *u)
{
    static const double gap[4] = { NAN, NAN, NAN, NAN };
    const struct series_config *c = &w->s->c;
    const void *settings = c->overrides->settings[c->overrides->of[u->channel[0]]];
    struct zero_phase *z = u->rotation ? w->rotations : w->numbers;
    if (series_leaves(w->s, u->channel[0]))
        return;
    w->unit = u;
    for (size_t row = 0; row < w->first[w->nknot]; row++) {
        struct spot at = w->place[row].at;
        w->s->count.gaps += is_gap(w, at) && block_row_read(at.block, at.row) ? u->nchannel : 0;
    }
    gather(w);
    find_runs(w);
    double halflife = choose(w, z, settings);
    if (isnan(halflife) && filter_automatic(c->filter, settings))
        return;
    zero_phase_use(z, settings, halflife);
    size_t next = 0; /* the knot after the last run */
    for (size_t i = 0; i <= w->nrun; i++) {
        size_t end = i < w->nrun ? w->run[i].first : w->nknot;
        for (size_t k = next; k < end; k++)
            for (size_t o = 0; o < w->s->out.nwant; o++)
                scatter(w, o, k, gap);
        if (i == w->nrun)
            break;
        filter_run(w, z, w->run[i]);
        next = w->run[i].last + 1;
    }
}

/* --- the series --- */

/* Refuses a cutoff above half of the row rate of a group. The rate is that of the rows that were read,
 * without the steps over missing rows: those longer than 1.5 usual steps. False: the series has ended. */
static bool check_cutoff(struct gathered *w)
{
    const struct overrides *sets = w->s->c.overrides;
    double *step = w->value, *sorted = w->turns, since = 0, time = 0;
    size_t nstep = 0, nusual = 0;
    struct error e;
    for (size_t k = 0; k < w->nknot; k++) {
        struct spot at = w->place[w->first[k]].at;
        since += w->T[k];
        if (!block_row_read(at.block, at.row))
            continue;
        if (since > 0)
            step[nstep++] = since;
        since = 0;
    }
    if (nstep == 0)
        return true;
    memcpy(sorted, step, nstep * sizeof *step);
    double usual = noise_median(sorted, nstep);
    for (size_t i = 0; i < nstep; i++)
        if (step[i] <= LONG_STEP * usual) {
            time += step[i];
            nusual++;
        }
    double rate = (double)nusual / time;
    for (size_t i = 0; i < sets->n; i++) {
        const struct filter_common *common = sets->settings[i];
        if (common->cutoff <= rate / 2 * (1 + ROUNDED))
            continue;
        error_usage(&e, "--cutoff %g: above half of the row rate, %.4g Hz by the times, rows show no waves",
                    common->cutoff, rate / 2);
        return series_fail(w->s, w->place[0].at, w->place[0].at, &e);
    }
    return true;
}

/* Makes the arrays, with room for the largest group. */
static bool make_arrays(struct gathered *w, struct error *e)
{
    const struct series *s = w->s;
    bool number = false, rotation = false;
    size_t n = 0;
    for (const struct group *g = s->groups.first; g; g = g->after) {
        const struct held_rows *held = g->extra;
        n = held->nplace < n ? n : held->nplace;
    }
    for (size_t i = 0; i < s->c.in.rotations->nunit; i++) {
        bool is_rotation = s->c.in.rotations->unit[i].rotation != NULL;
        number |= !is_rotation;
        rotation |= is_rotation;
    }
    size_t width = rotation ? SAMPLE_ROTATION : SAMPLE_NUMBER;
    if (!arrays_make(e, ARRAY(w->first, n + 1), ARRAY(w->T, n), ARRAY(w->time, n), ARRAY(w->value, n * width),
                     ARRAY(w->turns, n), ARRAY(w->run, n)))
        return false;
    if (number && !(w->numbers = zero_phase_make(s->c.filter, n, SAMPLE_NUMBER, e)))
        return false;
    return !rotation || (w->rotations = zero_phase_make(s->c.filter, n, SAMPLE_ROTATION, e));
}

/* Filters all groups: first numbers, then rotations, in order. */
static void filter_held(struct series *s)
{
    struct gathered w = { .s = s };
    struct error e;
    const struct rotations *all = s->c.in.rotations;
    bool good = make_arrays(&w, &e);
    struct group *first = s->groups.first;
    for (struct group *g = first; g && good; g = g->after) {
        take_group(&w, g);
        if (w.nknot > 0 && !check_cutoff(&w))
            break;
        for (size_t i = 0; i <= all->n; i++)
            for (size_t k = 0; k < all->nunit; k++)
                if (all->unit[k].rotation == (i ? &all->at[i - 1] : NULL))
                    filter_unit(&w, &all->unit[k]);
    }
    warn_of_quiet(&w);
    const struct held_rows *held = first ? first->extra : NULL;
    if (!good && held && held->nplace)
        series_fail(s, held->place[0].at, held->place[0].at, &e);
    zero_phase_free(w.numbers);
    zero_phase_free(w.rotations);
    free(w.first);
}

const struct series_mode series_held = {
    .take = hold_rows,
    .finish = filter_held,
    .holds = true,
    .group_bytes = sizeof(struct held_rows),
    .free_group = free_rows,
};
