/* What a filter takes, and its equivalent options. See filter_words.h. */
#include "springs/filter_words.h"

#include <math.h>

const char *const filter_abilities[FILTER_ABILITIES] = {
    [FILTER_ZERO_PHASE] = "zero-phase",
    [FILTER_ROTATIONS] = "rotations",
    [FILTER_VELOCITIES] = "goal-velocity-from",
    [FILTER_START_VELOCITY] = "start-velocity",
    [FILTER_CUTS] = "cuts",
};

bool filter_takes(const struct filter *filter, enum filter_ability ability)
{
    const bool takes[FILTER_ABILITIES] = {
        [FILTER_ZERO_PHASE] = filter->linear && !filter->cuts,
        [FILTER_ROTATIONS] = filter->rotations,
        [FILTER_VELOCITIES] = filter->velocities,
        [FILTER_START_VELOCITY] = !filter->no_start_velocity,
        [FILTER_CUTS] = filter->cuts,
    };
    return takes[ability];
}

size_t filter_equivalents(const void *settings, double chosen, struct equivalent *to)
{
    const struct filter_common *common = settings;
    struct continuous q = common->equation;
    /* The equation of auto is that of a half-life of 1 s, or a cutoff of 1 Hz (PARAM_AUTOMATIC). */
    double H = common->automatic ? chosen : 1;
    if (filter_chooses_cutoff(settings))
        H = 1 / chosen;
    double w = sqrt(q.s) / H, z = q.d / H / 2 / w;
    size_t n = 0;
    if (q.count == 0 || isnan(w) || filter_from_columns(settings))
        return 0;
    to[n++] = (struct equivalent){ "halflife", " s", 4 * M_LN2 * q.count / q.d * H };
    to[n++] = (struct equivalent){ "lag", " s", q.count * (1 - q.feed) * q.d / q.s * H };
    to[n++] = (struct equivalent){ "cutoff", common->zero_phase ? " Hz of both passes" : " Hz",
                                   w / (2 * M_PI) * filter_cutoff(z, q.feed, q.count, common->zero_phase) };
    if (q.count < 1) {
        to[n++] = (struct equivalent){ "decay-rate", " 1/s", w };
    } else {
        to[n++] = (struct equivalent){ "frequency", " Hz", w / (2 * M_PI) };
        to[n++] = (struct equivalent){ "damping-ratio", "", z };
        to[n++] = (struct equivalent){ "stiffness", " 1/s^2", q.s / (H * H) };
        to[n++] = (struct equivalent){ "damping", " 1/s", q.d / H };
    }
    if (q.count == 1) {
        to[n++] = (struct equivalent){ "response", "", 2 * q.feed };
        to[n++] = (struct equivalent){ "k1", " s", q.d / q.s * H };
        to[n++] = (struct equivalent){ "k2", " s^2", H * H / q.s };
        to[n++] = (struct equivalent){ "k3", " s", q.feed * q.d / q.s * H };
    }
    return n;
}
