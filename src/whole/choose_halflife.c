/* Mallows' Cp (C. L. Mallows, "Some comments on Cp", Technometrics 15, 1973): the half-life is chosen that
 * makes
 *
 *     score = mean((x - y)^2) + 2 s^2 h
 *
 * least, where x is a sample, y the result at the sample, h = dy/dx the weight of the sample in the result,
 * and s^2 the variance of the noise (noise.h). The score is the expected square error of the result plus a
 * constant. Spikes (spikes.h) are left out. (Cross-validation, which needs no s, fails where h is 1/2 or
 * more, as with small noise.) */
#include "whole/choose_halflife.h"

#include "base/array.h"
#include "number/number.h"
#include "whole/sample_way.h"
#include "whole/noise/noise.h"
#include "whole/noise/spikes.h"
#include <math.h>
#include <stdlib.h>

enum {
    DIGITS = 4,   /* significant digits of the chosen half-life */
    PIECES = 8,   /* pieces that stand for a long series */
    PIECE = 2500, /* samples in a piece */
    LONG = PIECES * PIECE,
    ENDS_COUNT = 1000 /* samples in a run: of a shorter run both ends are mended for a trial */
};

/* log(half-life) from the last trial within which the search ends: the score is flat there */
#define WITHIN 0.2

#define COLOURED    4.0   /* times the variance: from every second sample noise that is not white has more */
#define UNSURE      60.0  /* of so few samples, white noise may have twice COLOURED times by chance */
#define STANDS_OUT  6.0   /* scales of residuals: the factor of --despike */
#define FASTEST     0.449 /* of the row rate: the highest cutoff */
#define ROUNDED     1e-9  /* relative rounding error of a step of WITHIN */
#define FAR_SHORTER 0.25  /* of the mean step: a shorter step allows a higher cutoff */
#define QUIET_FROM  0.25  /* of the row rate: a chosen cutoff above it shows that there is hardly any noise */

/* What all samples show. */
struct extent {
    size_t n, nknown; /* samples, and those that are known */
    double time;      /* seconds of all steps */
    double shortest;  /* seconds of the shortest step; INFINITY: there is no step */
    double known[4];  /* the first known sample */
    bool differ;      /* other known samples are different */
};

/* The samples that half-lives are tried on. */
struct trials {
    struct zero_phase *phase;
    const void *settings;
    bool by_cutoff; /* the option that is chosen is --cutoff; else --halflife */
    const struct samples *all;
    const struct sample_run
        *run; /* [nrun] the runs of a short series, or pieces of the runs of a long series */
    size_t nrun;
    double noise; /* variance of the noise */
    bool begun;   /* a trial has been made */
};

/* Room for the pieces of a long series. */
struct pieces {
    struct sample_run run[PIECES];
    double *T, *time, *value; /* [LONG] of all pieces; owned */
};

struct trial {
    double mean_square; /* of the distances of known samples from the result */
    double score;       /* see the head of this file; INFINITY where the filter has no result */
};

/* The value of the option for a time: the half-life, or the cutoff whose wave has this period. */
static double option_value(const struct trials *trials, double seconds)
{
    return trials->by_cutoff ? 1 / seconds : seconds;
}

/* The ends of a long run hardly change its score, and mending them costs as much as smoothing the run. */
static struct zero_phase_part part_of_trial(const struct samples *run)
{
    bool large = run->n >= ENDS_COUNT;
    return (struct zero_phase_part){ .begun = large, .goes_on = large, .values_only = true };
}

static struct trial try_halflife(struct trials *trials, double seconds)
{
    double square = 0, trace = 0, n = 0;
    zero_phase_use(trials->phase, trials->settings, option_value(trials, seconds));
    for (size_t i = 0; i < trials->nrun; i++) {
        const struct samples run = samples_of_run(trials->all, trials->run[i]);
        struct error e;
        size_t nknown;
        bool again = trials->begun && trials->nrun == 1;
        const struct zero_phase_part part = part_of_trial(&run);
        if (!(again ? zero_phase_again(trials->phase, part, &e)
                    : zero_phase_run(trials->phase, &run, part, &e)))
            return (struct trial){ INFINITY, INFINITY };
        square += zero_phase_squares(trials->phase, &nknown);
        n += (double)nknown;
        trace += zero_phase_trace(trials->phase);
    }
    trials->begun = true;
    double mean = square / n, score = mean + 2 * trials->noise * (trace / n);
    return (struct trial){ mean, isfinite(score) ? score : INFINITY };
}

/* A series in steps, as of an encoder, whose samples mostly are those before: how many samples it takes from
 * change to change, in the mean; 1: most samples change. */
static size_t find_stride(double column[3][PIECE], size_t ncolumn, size_t n)
{
    size_t nchange = 0;
    for (size_t k = 1; k < n; k++) {
        bool changes = false;
        for (size_t c = 0; c < ncolumn; c++)
            changes |= column[c][k] != column[c][k - 1];
        nchange += changes;
    }
    return nchange == 0 || 2 * nchange >= n ? 1 : (n + nchange - 1) / nchange;
}

/* Takes every stride-th of some samples, from the sample `first` on. T and column: [PIECE]. */
static struct noise_samples thin_out(const struct noise_samples *samples, size_t first, size_t stride,
                                     double *T, double column[3][PIECE])
{
    size_t kept = 0;
    double time = 0;
    for (size_t k = first; k < samples->n; k++) {
        time += samples->T[k];
        if ((k - first) % stride != 0)
            continue;
        for (size_t c = 0; c < samples->ncolumn; c++)
            column[c][kept] = samples->column[c][k];
        T[kept++] = time;
        time = 0;
    }
    return (struct noise_samples){ T, { column[0], column[1], column[2] }, samples->ncolumn, kept };
}

/* The variance of the noise from every stride-th sample: the mean over all samples that may be the first.
 * Every sample counts so, also in a short series and where few samples change. */
static double strided_noise(const struct noise_samples *samples, size_t stride)
{
    double T[PIECE], column[3][PIECE], room[PIECE], sum = 0;
    for (size_t first = 0; first < stride; first++) {
        const struct noise_samples part = thin_out(samples, first, stride, T, column);
        sum += noise_variance(&part, room);
    }
    return sum / (double)stride;
}

/* The variance of the noise of the known samples in a piece of at most PIECE samples, from every stride-th of
 * them. Sets *n to the number of known samples. Rotations are turned into vectors: vector k is the sum of the
 * rotation vectors from sample to sample up to sample k. */
static double piece_noise(const struct samples *all, struct sample_kind kind, struct sample_run piece,
                          size_t stride, size_t *n)
{
    double T[PIECE], column[3][PIECE], way[3], time = 0;
    const double *before = NULL;
    size_t ncolumn = kind.rotation ? 3 : all->width;
    *n = 0;
    for (size_t k = piece.first; k <= piece.last; k++) {
        const double *here = all->value + k * all->width;
        time += k > piece.first ? all->T[k] : 0;
        if (!samples_known(all, k))
            continue;
        if (before && kind.rotation)
            sample_way(kind, before, here, way);
        for (size_t c = 0; c < ncolumn; c++) {
            if (!kind.rotation)
                column[c][*n] = here[c];
            else
                column[c][*n] = before ? column[c][*n - 1] + way[c] : 0;
        }
        T[(*n)++] = time;
        time = 0;
        before = here;
    }
    size_t steps = kind.rotation ? 1 : find_stride(column, ncolumn, *n);
    stride *= steps;
    const struct noise_samples samples = { T, { column[0], column[1], column[2] }, ncolumn, *n };
    /* Steps of equal samples count once: as many fewer samples as the stride. */
    return strided_noise(&samples, *n / stride >= NOISE_LEAST ? stride : 1) * (double)steps;
}

/* The mean variance of the noise over the pieces of all runs, weighted by the number of known samples, from
 * every stride-th. */
static double find_noise(const struct trials *trials, size_t stride)
{
    const struct sample_kind kind = { .rotation = trials->all->width == SAMPLE_ROTATION };
    double sum = 0, count = 0;
    for (size_t i = 0; i < trials->nrun; i++)
        for (size_t first = trials->run[i].first; first <= trials->run[i].last; first += PIECE) {
            size_t last = first + PIECE - 1, n;
            const struct sample_run piece = { first,
                                              last < trials->run[i].last ? last : trials->run[i].last };
            double noise = piece_noise(trials->all, kind, piece, stride, &n);
            if (n < NOISE_LEAST)
                continue;
            sum += noise * (double)n;
            count += (double)n;
        }
    return count > 0 ? sum / count : 0;
}

/* Three half-lives in ascending order and their scores. No score is less than the score in the middle. */
struct bracket {
    double at[3];    /* log(half-life); at[0] may be at[1] */
    double score[3]; /* INFINITY: no result, or not tried */
};

/* The way from the middle of a bracket to the vertex of the parabola through its three scores; NaN: no such
 * parabola. The vertex is nearer to the middle than to both ends. */
static double vertex_of(const struct bracket *bracket)
{
    double before = bracket->at[1] - bracket->at[0], after = bracket->at[2] - bracket->at[1];
    double fall = (bracket->score[0] - bracket->score[1]) / before;
    double rise = (bracket->score[2] - bracket->score[1]) / after;
    return (fall * after - rise * before) / (2 * (fall + rise));
}

/* Makes a bracket narrower by the score at a half-life between its ends. */
static void narrow(struct bracket *bracket, double at, double score)
{
    bool later = at > bracket->at[1];
    size_t end = later ? 2 : 0;
    if (score < bracket->score[1]) {
        size_t other = later ? 0 : 2;
        bracket->at[other] = bracket->at[1];
        bracket->score[other] = bracket->score[1];
        end = 1;
    }
    bracket->at[end] = at;
    bracket->score[end] = score;
}

/* The half-life with the least score in a bracket: successive parabolic interpolation, in log(half-life). A
 * step of less than WITHIN would leave an end of the bracket far away: WITHIN is stepped towards the farther
 * end instead, as in R. P. Brent, "Algorithms for Minimization without Derivatives" (1973), chapter 5. */
static double search_bracket(struct trials *trials, struct bracket bracket)
{
    for (;;) {
        double before = bracket.at[1] - bracket.at[0], after = bracket.at[2] - bracket.at[1];
        double way = vertex_of(&bracket), direction = before > after ? -1 : 1;
        if (fmax(before, after) <= WITHIN * (1 + ROUNDED))
            return exp(bracket.at[1] + (isnan(way) ? 0 : way));
        if (isnan(way))
            way = direction * fmax(before, after) / 2;
        else if (fabs(way) < WITHIN)
            way = direction * WITHIN;
        double at = bracket.at[1] + way;
        narrow(&bracket, at, try_halflife(trials, exp(at)).score);
    }
}

/* Seconds of a step by which the highest cutoff is chosen: the mean step, or the shortest where it is far
 * shorter, as between the keys of an animation. */
static double find_step(const struct extent *extent)
{
    double mean = extent->n > 1 ? extent->time / (double)(extent->n - 1) : 1;
    return extent->shortest < FAR_SHORTER * mean ? extent->shortest : mean;
}

/* The half-life at which the cutoff of both passes together is half of the row rate. step: seconds. */
static double shortest_time(const struct trials *trials, double step)
{
    zero_phase_use(trials->phase, trials->settings, option_value(trials, 1));
    return step / (zero_phase_period(trials->phase) * FASTEST);
}

/* Tries half-lives from `first` on, each twice the half-life before, and sets bracket to the half-life with
 * the least score and its neighbours. The mean square grows with the half-life and never exceeds the score:
 * once the mean square exceeds the least score, no longer half-life is better. Returns the half-life with the
 * least score. */
static double scan(struct trials *trials, double first, double longest, struct bracket *bracket)
{
    double best = first, least = INFINITY, before = INFINITY;
    for (double halflife = first; halflife <= fmax(first, longest); halflife *= 2) {
        struct trial trial = try_halflife(trials, halflife);
        if (trial.score < least) {
            *bracket = (struct bracket){
                .at = { log(fmax(halflife / 2, first)), log(halflife), log(halflife * 2) },
                .score = { before, trial.score, INFINITY },
            };
            best = halflife;
            least = trial.score;
        } else if (halflife == 2 * best) {
            bracket->score[2] = trial.score;
        }
        before = trial.score;
        if (trial.mean_square > least)
            break;
    }
    return best;
}

/* Looks at the next samples of a series. */
static void look_at(struct extent *extent, const struct samples *part)
{
    for (size_t k = 0; k < part->n; k++) {
        const double *here = part->value + k * part->width;
        double T = extent->n++ > 0 ? part->T[k] : 0;
        extent->time += T;
        if (T > 0) /* the first row of a part may have the time of the row before */
            extent->shortest = T < extent->shortest ? T : extent->shortest;
        if (!samples_known(part, k))
            continue;
        for (size_t c = 0; c < part->width && !extent->differ; c++) {
            extent->known[c] = extent->nknown == 0 ? here[c] : extent->known[c];
            extent->differ = here[c] != extent->known[c];
        }
        extent->nknown++;
    }
}

/* Adds a run of a part to the pieces. */
static void add_piece(struct choice_part *to, struct pieces *pieces, const struct samples *from,
                      struct sample_run run)
{
    const size_t n = run.last - run.first + 1, at = to->all.n, width = from->width;
    pieces->run[to->nrun++] = (struct sample_run){ at, at + n - 1 };
    memcpy(pieces->value + at * width, from->value + run.first * width, n * width * sizeof *from->value);
    for (size_t k = 0; k < n; k++) {
        pieces->T[at + k] = from->T[run.first + k];
        pieces->time[at + k] = from->time ? from->time[run.first + k] : 0;
    }
    to->all.n += n;
    to->all.time = from->time ? pieces->time : NULL;
}

/* PIECES pieces of a long series, evenly spread over the series: of each part the longest run. */
static struct choice_part take_pieces(const struct choice_series *series, struct pieces *pieces)
{
    struct choice_part taken = { .all = { .width = series->width, .T = pieces->T, .value = pieces->value },
                                 .run = pieces->run };
    for (size_t i = 0; i < PIECES; i++) {
        const size_t first = (series->n - PIECE) / (PIECES - 1) * i;
        const struct choice_part part = series->read(series->closure, first, PIECE);
        struct sample_run longest = { 0, 0 };
        for (size_t k = 0; k < part.nrun; k++)
            if (part.run[k].last - part.run[k].first > longest.last - longest.first)
                longest = part.run[k];
        if (longest.last > longest.first)
            add_piece(&taken, pieces, &part.all, longest);
    }
    return taken;
}

/* Looks at all samples of a series. Returns all samples, or pieces of a long series; where no piece has known
 * samples, all samples. */
static struct choice_part take_samples(const struct choice_series *series, struct pieces *pieces,
                                       struct extent *extent)
{
    struct choice_part part = { .nrun = 0 };
    for (size_t first = 0; first < series->n; first += LONG) {
        const size_t left = series->n - first;
        part = series->read(series->closure, first, left < LONG ? left : LONG);
        look_at(extent, &part.all);
    }
    if (series->n > LONG)
        part = take_pieces(series, pieces);
    return part.all.n > 0 ? part : series->read(series->closure, 0, series->n);
}

/* Room for the runs that spikes are sought in. */
struct spike_room {
    double *time;        /* [most] seconds since the first sample of the run. Owned, with the others */
    double *number;      /* [width][most] the components of the samples */
    unsigned char *mark; /* [most] */
    size_t most;         /* samples of the longest run */
};

/* Marks the spikes of a run of numbers or vectors as missing in `without`. */
static bool leave_out_of_run(const struct samples *all, struct sample_run run, const struct spike_room *room,
                             double *without, struct error *e)
{
    double since = 0;
    const struct spike_kind kind = { .nnumber = all->width };
    struct spike_rows rows = { .n = run.last - run.first + 1, .time = room->time };
    for (size_t c = 0; c < all->width; c++)
        rows.number[c] = room->number + c * room->most;
    for (size_t k = 0; k < rows.n; k++) {
        since += k > 0 ? all->T[run.first + k] : 0;
        room->time[k] = since;
        for (size_t c = 0; c < all->width; c++)
            room->number[c * room->most + k] = all->value[(run.first + k) * all->width + c];
    }
    if (!spikes_find(STANDS_OUT, &kind, &rows, room->mark, e))
        return false;
    for (size_t k = 1; k + 1 < rows.n; k++) /* a run begins and ends with a known sample */
        if (room->mark[k] == SPIKE)
            without[(run.first + k) * all->width] = (double)NAN;
    return true;
}

/* Copies the samples of the runs into `without`, and leaves the spikes among numbers and vectors out: they
 * have no part in a choice. */
static bool leave_out_spikes(const struct trials *trials, double *without, struct error *e)
{
    const struct samples *all = trials->all;
    struct spike_room room = { .most = 0 };
    for (size_t i = 0; i < trials->nrun; i++) {
        const struct sample_run run = trials->run[i];
        const size_t n = run.last - run.first + 1, at = run.first * all->width;
        memcpy(without + at, all->value + at, n * all->width * sizeof *without);
        room.most = n > room.most ? n : room.most;
    }
    if (all->width == SAMPLE_ROTATION || !(trials->noise > 0))
        return true;
    if (!arrays_make(e, ARRAY(room.time, room.most), ARRAY(room.number, room.most * all->width),
                     ARRAY(room.mark, room.most)))
        return false;
    bool good = true;
    for (size_t i = 0; i < trials->nrun && good; i++)
        good = leave_out_of_run(all, trials->run[i], &room, without, e);
    free(room.time);
    return good;
}

/* Is the noise from row to row white? White noise has the same variance in every second sample. */
static bool is_noise_white(const struct trials *trials, size_t nknown)
{
    double coloured = COLOURED * (1 + UNSURE / (double)nknown);
    return find_noise(trials, 2) < coloured * trials->noise;
}

/* Chooses by the trials. */
static bool choose(struct trials *trials, const struct extent *extent, struct choice *choice, struct error *e)
{
    const struct samples *all = trials->all;
    struct samples without = *all;
    struct bracket bracket = { .score = { INFINITY, INFINITY, INFINITY } };
    double *kept;
    trials->noise = find_noise(trials, 1);
    if (!arrays_make(e, ARRAY(kept, all->n * all->width)))
        return false;
    if (!leave_out_spikes(trials, kept, e)) {
        free(kept);
        return false;
    }
    without.value = kept;
    trials->all = &without;
    double first = shortest_time(trials, find_step(extent));
    double best = scan(trials, first, extent->time, &bracket);
    if (bracket.score[1] < INFINITY && trials->noise > 0)
        best = search_bracket(trials, bracket);
    choice->value = number_round(option_value(trials, best), DIGITS);
    zero_phase_use(trials->phase, trials->settings, choice->value);
    trials->all = all;
    double quick = QUIET_FROM * (double)(extent->n - 1) * zero_phase_period(trials->phase);
    choice->quiet = extent->time > quick && extent->differ && !is_noise_white(trials, extent->nknown);
    free(kept);
    return true;
}

bool choose_halflife(struct zero_phase *phase, const void *settings, const struct choice_series *series,
                     struct choice *choice, struct error *e)
{
    const size_t most = series->n > LONG ? LONG : 0;
    struct extent extent = { .shortest = INFINITY };
    struct pieces pieces;
    if (!arrays_make(e, ARRAY(pieces.T, most), ARRAY(pieces.time, most),
                     ARRAY(pieces.value, most * series->width)))
        return false;
    const struct choice_part part = take_samples(series, &pieces, &extent);
    struct trials trials = {
        .phase = phase, .settings = settings, .all = &part.all, .run = part.run, .nrun = part.nrun
    };
    trials.by_cutoff = filter_chooses_cutoff(settings);
    *choice = (struct choice){ .value = (double)NAN, .empty = extent.nknown == 0 };
    const bool few = extent.nknown > 1 && extent.nknown < CHOOSE_LEAST;
    const bool good = few || choose(&trials, &extent, choice, e);
    free(pieces.T);
    return good;
}

bool choose_halflife_few(const char *what, struct error *e)
{
    return error_data(e, "auto needs at least %d values to measure the noise; %s has fewer", CHOOSE_LEAST,
                      what);
}
