/* The rule of --despike. See spikes.h.
 *
 * The residual of a sample is its distance from the curve through four neighbours, by Lagrange: two on each
 * side, or, at an end or a long gap, more on the side that has them. For a run of one, two or three samples
 * the neighbours lie outside the run. The scale of residuals is 1.4826 times the median of their absolute
 * values over the window (F. R. Hampel, "The influence curve and its role in robust estimation", JASA 69,
 * 1974), for each pattern of neighbours by itself. So a scale holds the noise and the bend of the motion, as
 * far as neighbours in these places show both. Residuals next to the judged samples do not count, so that a
 * spike does not raise the scale by which it is judged.
 *
 * A run whose residual exceeds the factor times the scale is a candidate. The candidate with the largest
 * score is tried first. It is a spike if
 * - each of its samples is off, by half as much as the sample that is most off;
 * - without it, the two samples on each side lie on one curve: the series returns. At a step, a corner or an
 *   impact they do not;
 * - neither side alone, continued, explains the nearest sample of the run, as it would at a step or a start.
 * A spike is repaired, which means that the curve takes its place, and the samples beside are judged again.
 * Two spikes close together hide each other: so a candidate is also tried with a second one repaired. */
#include "whole/noise/spikes.h"

#include "whole/noise/spike_residuals.h"

#include <math.h>
#include <string.h>

enum {
    CUBIC = SPIKE_CUBIC,
    REACH = 6,  /* samples on each side of the judged samples that may begin or end a run */
    PAIR = 5,   /* largest distance of two spikes that are tried together */
    ROUNDS = 8, /* spikes that are repaired, at most, in and beside the judged samples */
    RUNS = SPIKES_LENGTHS * (2 * REACH + SPIKES_STRETCH),
    SCORES = 2 * (REACH + PAIR) + SPIKES_STRETCH /* first samples of the runs whose scores are kept */
};

#define EACH_OFF  0.5  /* least residual of a sample of a run, as a part of the largest */
#define RETURNS   0.1  /* a sample beside a run is on the curve if its residual is this part of the run's */
#define STAYS_OFF 0.5  /* and is not on the curve if its residual is a larger part than this */
#define EXPLAINED 0.5  /* a side that comes within this part of the run's residual may explain the run */
#define TELLING   0.25 /* a side whose scale is a larger part of the run's residual is ignored */

/* Samples that may be a spike. */
struct spike_run {
    size_t first, last;
    double score; /* the largest residual of its samples, in scales */
    double off;   /* the largest residual of its samples */
};

/* The score of a run, as long as the samples low to high, from which it was computed, do not change. */
struct score {
    enum { UNKNOWN, NO_CANDIDATE, CANDIDATE } state;
    size_t low, high;
    double score, off;
};

/* A window on its way to a verdict. */
struct judging {
    struct spike_view view;
    double factor;
    bool repaired[SPIKES_MOST_SAMPLES];         /* [view.n] the sample was a spike */
    const struct spike_run *tried;              /* the run that is repaired for a try; or NULL */
    struct score score[SPIKES_LENGTHS][SCORES]; /* by length, and by the first sample; see find_kept */
};

size_t spikes_rows(const struct spikes_settings *settings)
{
    if (isnan(settings->factor))
        return 0;
    return settings->window < 0 ? SPIKES_USUAL_ROWS : (size_t)settings->window;
}

/* --- runs --- */

/* Finds the nearest samples, at most `most`, on one side of sample i that are outside of a run: place[] is
 * the distance from sample i. step: -1 before, 1 after. Returns their number. */
static size_t find_side(const struct spike_view *view, const struct spike_run *run, size_t i, ptrdiff_t step,
                        size_t most, ptrdiff_t place[CUBIC])
{
    size_t n = 0;
    for (ptrdiff_t k = (ptrdiff_t)i + step; k >= 0 && k < (ptrdiff_t)view->n && n < most; k += step) {
        if (view->part[k] != view->part[i])
            break;
        if (k < (ptrdiff_t)run->first || k > (ptrdiff_t)run->last)
            place[n++] = k - (ptrdiff_t)i;
    }
    return n;
}

/* Sets the places of the neighbours that judge sample i, of a run or beside it: the nearest two on each side
 * that are outside of the run; where a side has fewer, more on the other side. False: there are fewer than
 * four in the part of the window. */
static bool find_neighbours(const struct spike_view *view, const struct spike_run *run, size_t i,
                            struct spike_places *places)
{
    ptrdiff_t before[CUBIC], after[CUBIC];
    if (view->even && i >= run->first && i <= run->last && run->first >= 2 && run->last + 2 < view->n) {
        const ptrdiff_t first = (ptrdiff_t)(run->first - i), last = (ptrdiff_t)(run->last - i);
        *places = (struct spike_places){ CUBIC, { first - 2, first - 1, last + 1, last + 2 } };
        return true;
    }
    size_t nbefore = find_side(view, run, i, -1, CUBIC / 2, before);
    size_t nafter = find_side(view, run, i, 1, CUBIC / 2, after);
    if (nbefore < CUBIC / 2)
        nafter = find_side(view, run, i, 1, CUBIC - nbefore, after);
    else if (nafter < CUBIC / 2)
        nbefore = find_side(view, run, i, -1, CUBIC - nafter, before);
    if (nbefore + nafter < CUBIC)
        return false;
    places->n = CUBIC;
    for (size_t k = 0; k < CUBIC; k++)
        places->at[k] = k < nbefore ? before[nbefore - 1 - k] : after[k - nbefore];
    return true;
}

/* --- scores --- */

/* Adds the samples that a residual depends on to those of a score. */
static void depend_on(struct score *score, size_t i, const struct spike_places *places)
{
    const size_t low = (size_t)((ptrdiff_t)i + places->at[0]);
    const size_t high = (size_t)((ptrdiff_t)i + places->at[CUBIC - 1]);
    score->low = low < score->low ? low : score->low;
    score->high = high > score->high ? high : score->high;
}

/* The residual of sample i of a run. A single sample has two curves with neighbours on both sides; the curve
 * with the smaller scale is the better one. False: too few neighbours. */
static bool judge_sample(struct spike_view *view, const struct spike_run *run, size_t i, struct score *score,
                         struct spike_residual *residual)
{
    static const struct spike_places wide = { CUBIC, { -3, -1, 1, 3 } };
    struct spike_places places;
    if (!find_neighbours(view, run, i, &places))
        return false;
    depend_on(score, i, &places);
    *residual = spike_find_residual(view, i, &places);
    if (run->first == run->last && spike_fits(view, i, &wide)) {
        depend_on(score, i, &wide);
        struct spike_residual other = spike_find_residual(view, i, &wide);
        if (other.scale < residual->scale)
            *residual = other;
    }
    return !isnan(residual->scale);
}

/* Is a sample of a run, or the sample before or after it, a spike already? */
static bool touches_spike(const struct judging *judging, const struct spike_run *run)
{
    size_t first = run->first > 0 ? run->first - 1 : 0;
    for (size_t i = first; i <= run->last + 1 && i < judging->view.n; i++)
        if (judging->repaired[i])
            return true;
    return false;
}

static struct score find_score(struct judging *judging, const struct spike_run *run)
{
    struct spike_view *view = &judging->view;
    struct score score = { .state = NO_CANDIDATE, .low = run->first, .high = run->last };
    double least = INFINITY;
    if (touches_spike(judging, run))
        return score;
    for (size_t i = run->first; i <= run->last; i++) {
        struct spike_residual here;
        if (view->part[i] != view->part[run->first] || !judge_sample(view, run, i, &score, &here) ||
            here.off == 0)
            return score;
        double scales = here.off / here.scale;
        score.score = scales > score.score ? scales : score.score;
        score.off = here.off > score.off ? here.off : score.off;
        least = here.off < least ? here.off : least;
        if (least < EACH_OFF * score.off)
            return score;
    }
    if (score.score > judging->factor)
        score.state = CANDIDATE;
    return score;
}

/* The stored score of a run, which begins at most REACH + PAIR samples from a judged sample. */
static struct score *find_kept(struct judging *judging, const struct spike_run *run)
{
    return &judging->score[run->last - run->first][run->first + REACH + PAIR - judging->view.first];
}

static bool depends_on_try(const struct judging *judging, const struct score *score)
{
    const struct spike_run *tried = judging->tried;
    return tried && score->low <= tried->last && score->high >= tried->first;
}

/* Sets score and off of a run. False: the run is no candidate. */
static bool score_run(struct judging *judging, struct spike_run *run)
{
    struct score *kept = find_kept(judging, run);
    struct score score = *kept;
    if (score.state == UNKNOWN || depends_on_try(judging, &score)) {
        score = find_score(judging, run);
        if (!depends_on_try(judging, &score))
            *kept = score;
    }
    run->score = score.score;
    run->off = score.off;
    return score.state == CANDIDATE;
}

/* --- what tells a spike from a candidate --- */

/* Does sample i beside a run lie on the curve through its neighbours, without the run? */
static bool is_on_curve(struct judging *judging, const struct spike_run *run, size_t i)
{
    struct spike_view *view = &judging->view;
    struct spike_places places;
    if (view->part[i] != view->part[run->first] || !find_neighbours(view, run, i, &places))
        return true;
    struct spike_residual here = spike_find_residual(view, i, &places);
    bool between = places.at[CUBIC / 2 - 1] < 0 && places.at[CUBIC / 2] > 0;
    double scales = between ? judging->factor / 2 : judging->factor; /* less sure beside an end */
    double limit = fmin(STAYS_OFF * run->off, scales * here.scale);
    return !(here.off > fmax(RETURNS * run->off, limit));
}

/* Do the two samples on each side of a run lie on one curve? */
static bool returns(struct judging *judging, const struct spike_run *run)
{
    for (size_t k = 1; k <= CUBIC / 2; k++) {
        if (run->first >= k && !is_on_curve(judging, run, run->first - k))
            return false;
        if (run->last + k < judging->view.n && !is_on_curve(judging, run, run->last + k))
            return false;
    }
    return true;
}

/* Do the samples on one side of a run, continued, explain the nearest sample of the run? Of several curves
 * the one with the smallest scale is the best. after: the side after the run. */
static bool is_explained(struct judging *judging, const struct spike_run *run, bool after)
{
    static const struct spike_places curves[] = {
        { 3, { 1, 2, 3 } }, { 3, { 1, 3, 5 } }, { 4, { 1, 2, 3, 4 } }, { 4, { 1, 3, 5, 7 } }
    };
    struct spike_view *view = &judging->view;
    size_t i = after ? run->last : run->first;
    struct spike_residual best = { .scale = INFINITY };
    for (size_t k = 0; k < sizeof curves / sizeof *curves; k++) {
        struct spike_places places = curves[k];
        for (size_t j = 0; j < places.n && !after; j++)
            places.at[j] = -curves[k].at[places.n - 1 - j];
        if (!spike_fits(view, i, &places))
            continue;
        struct spike_residual here = spike_find_residual(view, i, &places);
        if (here.scale < best.scale || (here.scale == best.scale && here.off < best.off))
            best = here;
    }
    return best.scale <= TELLING * run->off &&
           best.off <= fmin(EXPLAINED * run->off, judging->factor / 2 * best.scale);
}

static bool stands_alone(struct judging *judging, const struct spike_run *run)
{
    return returns(judging, run) && !is_explained(judging, run, false) && !is_explained(judging, run, true);
}

/* --- repairs --- */

/* The samples of a run before it was repaired. */
struct repair {
    struct spike_run run;
    double x[SPIKES_LENGTHS][SPIKES_COMPONENTS];
};

/* Puts the curve in the place of a run. */
static struct repair repair_run(struct spike_view *view, const struct spike_run *run)
{
    struct repair repair = { .run = *run };
    double way[SPIKES_LENGTHS][SPIKES_COMPONENTS] = { { 0 } };
    for (size_t i = run->first; i <= run->last; i++) {
        struct spike_places places;
        if (find_neighbours(view, run, i, &places))
            spike_find_way(view, i, &places, way[i - run->first]);
    }
    for (size_t i = run->first; i <= run->last; i++)
        for (size_t c = 0; c < view->ncolumn; c++) {
            repair.x[i - run->first][c] = view->x[c][i];
            view->x[c][i] += way[i - run->first][c];
        }
    return repair;
}

static void undo_repair(struct spike_view *view, const struct repair *repair)
{
    for (size_t i = repair->run.first; i <= repair->run.last; i++)
        for (size_t c = 0; c < view->ncolumn; c++)
            view->x[c][i] = repair->x[i - repair->run.first][c];
}

/* Lists the candidates between samples low and high that lie outside `without`, the largest score first. */
static size_t list_runs(struct judging *judging, size_t low, size_t high, const struct spike_run *without,
                        struct spike_run run[RUNS])
{
    size_t n = 0;
    for (size_t length = 1; length <= SPIKES_LENGTHS; length++)
        for (size_t first = low; first + length <= high + 1; first++) {
            struct spike_run next = { .first = first, .last = first + length - 1 };
            bool apart = !without || next.last + 2 < without->first || next.first > without->last + 2;
            if (!apart || n == RUNS || !score_run(judging, &next))
                continue;
            size_t at = n++;
            for (; at > 0 && run[at - 1].score < next.score; at--)
                run[at] = run[at - 1];
            run[at] = next;
        }
    return n;
}

/* Is a run a spike beside a second spike that hides the return to the curve? */
static bool is_spike_beside_another(struct judging *judging, const struct spike_run *run)
{
    struct spike_view *view = &judging->view;
    struct spike_run other[RUNS];
    size_t low = run->first > PAIR ? run->first - PAIR : 0;
    size_t high = run->last + PAIR < view->n ? run->last + PAIR : view->n - 1;
    struct repair repair = repair_run(view, run);
    judging->tried = run;
    size_t n = list_runs(judging, low, high, run, other);
    judging->tried = NULL;
    bool found = false;
    for (size_t k = 0; k < n && !found; k++) {
        if (!stands_alone(judging, &other[k]))
            continue;
        undo_repair(view, &repair);
        struct repair second = repair_run(view, &other[k]);
        found = stands_alone(judging, run);
        undo_repair(view, &second);
        repair_run(view, run);
    }
    undo_repair(view, &repair);
    return found;
}

static bool is_spike(struct judging *judging, const struct spike_run *run)
{
    return stands_alone(judging, run) || is_spike_beside_another(judging, run);
}

/* Is a judged sample in a candidate? */
static bool is_in_candidate(struct judging *judging)
{
    const struct spike_view *view = &judging->view;
    for (size_t length = 1; length <= SPIKES_LENGTHS; length++)
        for (size_t end = view->first + 1; end <= view->last + length && end <= view->n; end++) {
            struct spike_run run = { .first = end - length, .last = end - 1 };
            if (end >= length && score_run(judging, &run))
                return true;
        }
    return false;
}

/* Repairs a spike for good. */
static void settle_spike(struct judging *judging, const struct spike_run *run)
{
    repair_run(&judging->view, run);
    for (size_t i = run->first; i <= run->last; i++)
        judging->repaired[i] = true;
    memset(judging->score, 0, sizeof judging->score);
}

/* Repairs the spikes among the judged samples, and those beside them. */
static void find_spikes(struct judging *judging)
{
    const struct spike_view *view = &judging->view;
    size_t low = view->first > REACH ? view->first - REACH : 0;
    size_t high = view->last + REACH < view->n ? view->last + REACH : view->n - 1;
    bool more = true;
    for (size_t round = 0; round < ROUNDS && more && is_in_candidate(judging); round++) {
        struct spike_run run[RUNS];
        size_t nrun = list_runs(judging, low, high, NULL, run);
        more = false;
        for (size_t k = 0; k < nrun && !more; k++) {
            more = is_spike(judging, &run[k]);
            if (more)
                settle_spike(judging, &run[k]);
        }
    }
}

/* --- stretches --- */

static bool is_ruled_out(const struct spikes_series *series, const struct spikes_settings *settings,
                         size_t own, const struct spikes_window *window)
{
    return window->high - window->low < SPIKES_LEAST ||
           spike_ruled_out(series, settings->factor, own, *window);
}

/* Adds the samples after the first to a stretch, and the samples of their windows to *window. In a window of
 * few samples each is judged by itself, as the residuals of the others tell the scale. known: as in
 * spikes_judge. False: the end is not known yet. */
static bool find_end(const struct spikes_series *series, const struct spikes_settings *settings, size_t known,
                     struct spikes_stretch *stretch, struct spikes_window *window)
{
    struct spikes_window last = *window;
    if (window->high - window->low < SPIKES_MANY)
        return true;
    while (stretch->end - stretch->first < SPIKES_STRETCH) {
        const size_t next = stretch->end, place = series->place[next - 1] + 1;
        if (place >= known)
            return false;
        if (next == series->n || series->place[next] != place)
            return true;
        spikes_move_window(series, &last, next, spikes_rows(settings));
        if (is_ruled_out(series, settings, next, &last))
            return true;
        window->high = last.high;
        stretch->end++;
    }
    return true;
}

bool spikes_judge(const struct spikes_series *series, const struct spikes_settings *settings,
                  struct spikes_window *window, size_t own, size_t known, struct spikes_stretch *stretch)
{
    struct judging judging;
    spikes_move_window(series, window, own, spikes_rows(settings));
    *stretch = (struct spikes_stretch){ .first = own, .end = own + 1 };
    if (is_ruled_out(series, settings, own, window))
        return true;
    struct spikes_window all = *window;
    if (!find_end(series, settings, known, stretch, &all))
        return false;
    judging.factor = settings->factor;
    spike_view_open(&judging.view, series, &all, stretch);
    judging.tried = NULL;
    memset(judging.repaired, 0, judging.view.n * sizeof *judging.repaired);
    memset(judging.score, 0, sizeof judging.score);
    find_spikes(&judging);
    for (size_t i = stretch->first; i < stretch->end; i++)
        stretch->spike[i - stretch->first] = judging.repaired[i - all.low];
    return true;
}
