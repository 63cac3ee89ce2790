/* The line or curve over a gap of a unit, and what its rows become. See bridge.h. */
#include "series/clean/bridge.h"

#include <math.h>
#include <string.h>

/* --- the curve --- */

/* Seconds from the last sample to a time. */
static double seconds_to(const struct filling *at, const struct timestamp *time)
{
    return timestamp_between(&at->own->last.time, time, series_unit(&at->fill->in));
}

/* The curve over the gap from the last sample to own->end. next: the row of the first sample after own->end;
 * 0: not known. */
static struct gap_curve make_curve(const struct filling *at, size_t next)
{
    const struct unit_fill *own = at->own;
    struct valid_sample point[] = {
        own->earlier, own->last, { .row = own->end }, { .row = next ? next : own->end }
    };
    double sample[4][4] = { { 0 } }, time[4];
    for (size_t i = 0; i < 4; i++) {
        if (i >= 2) {
            point[i].time = filling_time(at, point[i].row);
            filling_numbers(at, point[i].row, point[i].number);
        }
        unit_target(at->unit, point[i].number, sample[i]);
        time[i] = seconds_to(at, &point[i].time);
    }
    bool bent = !gaps_way(at->fill->in.settings->gaps)->straight && time[2] > 0;
    time[0] = bent && own->earlier.row != own->last.row ? time[0] : (double)NAN;
    time[3] = bent && next ? time[3] : (double)NAN;
    return gap_curve_make(unit_sample_kind(at->unit), sample, time);
}

struct bridge bridge_make(const struct filling *at, size_t next)
{
    struct bridge bridge = { .curve = make_curve(at, next) };
    memcpy(bridge.printed, at->own->last.number, sizeof bridge.printed);
    return bridge;
}

/* --- how far curves overshoot --- */

static void widen(struct clean_range *range, double x)
{
    range->low = range->any && range->low < x ? range->low : x;
    range->high = range->any && range->high > x ? range->high : x;
    range->any = true;
}

void bridge_measure(const struct filling *at, const double number[4], bool curve)
{
    for (size_t k = 0; k < at->unit->n; k++) {
        struct clean_count *count = &at->fill->count[at->unit->channel[k]];
        widen(curve ? &count->curves : &count->values, number[k]);
    }
}

/* --- the rows of a gap --- */

/* Sets the goals of the unit in a row that is not final. */
static void set_goals(const struct filling *at, size_t row, const double number[4])
{
    const struct spot to = operator_spot(at->rows, row);
    for (size_t k = 0; k < at->unit->n; k++)
        block_goal(to.block, at->unit->channel[k])[to.row] = number[k];
}

/* Counts a spike that is kept as it is: a run begins or, if `last`, ends with the spike. */
static void keep_spike(const struct filling *at, size_t row, bool last)
{
    const struct spot spot = operator_spot(at->rows, row);
    const uint64_t number = spot.block->firstrow + spot.row + 1;
    struct fill_kept *kept = &at->fill->kept;
    const size_t channel = at->unit->channel[0];
    for (size_t k = 0; k < at->unit->n; k++)
        at->fill->count[at->unit->channel[k]].kept++;
    if (kept->row == 0 || number < kept->row || (number == kept->row && channel < kept->channel))
        *kept = (struct fill_kept){ number, channel, last, filling_time(at, row).t, kept->n };
    kept->n++;
}

/* Counts a row that was filled. number: the row's own numbers, NaN where missing. */
static void count_filled(const struct filling *at, const double number[4], bool spike)
{
    for (size_t k = 0; k < at->unit->n; k++) {
        struct clean_count *count = &at->fill->count[at->unit->channel[k]];
        count->spikes += spike;
        count->unbridged -= spike;
        count->filled += isnan(number[k]) != 0;
    }
}

static void fill_row(const struct filling *at, struct bridge *bridge, size_t row)
{
    const struct timestamp time = filling_time(at, row);
    double near[4], sample[4];
    bool still = gap_curve_at(&bridge->curve, seconds_to(at, &time), sample);
    memcpy(near, still ? at->own->last.number : bridge->printed, sizeof near);
    unit_print(at->unit, near, sample, still, bridge->printed);
    set_goals(at, row, bridge->printed);
}

void bridge_settle(const struct filling *at, const struct spike_gap *gap, struct bridge *bridge, size_t end)
{
    static const double missing[4] = { NAN, NAN, NAN, NAN };
    for (size_t row = at->own->final; row < end; row++) {
        double number[4];
        const bool spike = filling_numbers(at, row, number);
        const enum spike_mark mark = spike ? spike_mark_of(gap, at->fill->nwindow, row) : SPIKE_NONE;
        if (mark == SPIKE_BRIDGED || (bridge && gap->filled)) {
            fill_row(at, bridge, row);
            if (filling_may_overshoot(at))
                bridge_measure(at, bridge->printed, true);
            count_filled(at, number, spike);
        } else if (mark == SPIKE_KEPT) {
            keep_spike(at, row, row >= gap->closing);
        } else if (mark == SPIKE_LEFT) {
            set_goals(at, row, missing);
        }
    }
    at->own->final = end;
}
