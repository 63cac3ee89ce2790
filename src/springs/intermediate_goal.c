/* Two filters with a critical spring that follows an intermediate goal xi. xi moves to the goal at constant
 * velocity: timed reaches the goal a given time after it changed, velocity approaches it at a given speed.
 * The spring aims at the point where xi will be one lag later (Daniel Holden, "Spring-Roll-Call", 2021).
 * Invariant: neither xi nor the point aimed at passes the goal. */
#include "springs/filter_words.h"
#include "springs/option_groups.h"
#include "springs/run_rows.h"
#include "springs/transition.h"

extern const struct filter filter_timed;

struct settings {
    struct filter_common common;
    double halflife; /* option, s */
    double y;        /* half the damping of a critical spring, 1/s, by check() */
    double apprehension;
    double time;  /* option of the filter timed, s; NaN: not given */
    double speed; /* option of the filter velocity, units/s; NaN: not given */
    bool timed;   /* by check(): the filter is timed, else velocity */
};

/* clang-format off */
#define PARAMS(option, field, unit, text, missing) \
    { HALFLIFE_OPTION("half-life of the spring in seconds, such as 0.1", missing), \
      { .name = option, NUMBER(field, RANGE_POSITIVE, unit), .help = text, \
        .if_missing = missing }, \
      { .name = "apprehension", NUMBER(apprehension, RANGE_NOT_NEGATIVE, "A"), \
        .help = "aim A half-lives ahead, as in Holden's code (default: the spring's lag)", \
        .more = "With A it aims one more time step ahead. The lag is 1.44 half-lives" }, \
      APPROX_OPTION(APPROX_HELP, EACH_METHOD) }
static const struct param timed_params[] =
    PARAMS("time", time, "S", "seconds to reach a new input value, such as 0.5",
           "--halflife and --time are in seconds, for example -H 0.1 --time 0.5");
static const struct param velocity_params[] =
    PARAMS("speed", speed, "U/S",
           "speed of the approach, in units of the channel per second",
           "for example -H 0.1 --speed 2 (units per second); to add columns of velocity: butterworth -d 1");
/* clang-format on */

struct state {
    double goal;
    double e, f; /* x - goal, xi - goal */
    double v;    /* velocity x' */
    double left; /* timed: seconds until xi reaches the goal */
};

struct step {
    double T, ahead; /* seconds of the step; seconds that the spring aims ahead of xi */
    struct transition phi;
};

static bool check(void *settings, struct error *e)
{
    struct settings *set = settings;
    set->timed = set->common.filter == &filter_timed;
    set->common.sized = true;
    (void)e;
    set->y = 2 * M_LN2 / set->halflife;
    set->common.time_scale = 2 / set->y;
    return true;
}

static void step(const void *settings, double T, void *to)
{
    const struct settings *set = settings;
    struct step *step = to;
    double ahead = isnan(set->apprehension) ? set->common.time_scale : T + set->apprehension * set->halflife;
    *step = (struct step){ T, ahead, transition_critical(set->y, T, set->common.approx).add };
}

/* The distance, brought nearer to 0 by at most `length`. size: the length of the vector whose component the
 * distance is; NULL: the distance is a single number. */
static inline double shorter(double distance, double length, const double *size)
{
    if (size)
        return *size <= length ? 0 : distance - distance * (length / *size);
    double taken = distance > length ? length : distance;
    return distance - (taken < -length ? -length : taken);
}

/* The size that a row depends on: of timed the change of the goal, of velocity the distance of xi from the
 * goal. */
static void sizes(const void *settings, const struct sample *sample, const void *of_channel, double *part)
{
    const struct settings *set = settings;
    const struct state *state = of_channel;
    double change = sample->goal - state->goal;
    part[0] = set->timed ? change : state->f - change;
}

/* xi moves, and the spring makes a step toward goal + aim. */
static inline void row(const void *settings, const void *of_step, const struct sample *sample,
                       void *of_channel, double *out)
{
    const struct settings *set = settings;
    const struct step *step = of_step;
    struct state *state = of_channel;
    double change = sample->goal - state->goal, y = set->y, aim = 0, e;
    state->goal = sample->goal;
    state->e -= change;
    state->f -= change;
    if (set->timed) {
        bool changed = sample->size ? *sample->size > 0 : change != 0;
        if (changed)
            state->left = set->time;
        state->left = state->left > step->T ? state->left - step->T : 0;
        bool last = state->left <= step->T; /* xi arrives with this row */
        if (step->ahead < state->left)
            aim = state->f * (1 - step->ahead / (last ? step->T : state->left));
        state->f = last ? 0 : state->f * (1 - step->T / state->left);
    } else {
        aim = shorter(state->f, set->speed * step->ahead, sample->size);
        state->f = shorter(state->f, set->speed * step->T, sample->size);
    }
    e = state->e - aim;
    transition_apply(&step->phi, &e, &state->v);
    state->e = aim + e;
    filter_put(out, state->goal + state->e, state->v, -y * (y * e + 2 * state->v));
}

/* A start away from the goal counts as a change of the goal. */
static void start(const void *settings, const struct first_row *first, void *of_channel, double *out)
{
    const struct settings *set = settings;
    struct state *state = of_channel;
    double e = first->x - first->goal, v = first->velocity;
    *state = (struct state){ .goal = first->goal, .e = e, .f = e, .v = v, .left = set->time };
    filter_put(out, first->x, v, 2 * set->y * (0 - v));
}

static void run(const struct run *r)
{
    run_rows(r, row, start, DOUBLES(struct state), 3);
}

static const struct filter_words timed_words = {
    .summary = "reaches each new input value a given time after the change",
    .about =
        "When the input (the goal) changes, the spring starts toward it and arrives after about the given "
        "time, so it moves fast to a distant goal and slowly to a near one. It starts and stops smoothly. "
        "Use it for goals that change now and then, such as key poses, gaze targets or camera positions. A "
        "goal that moves in every row restarts the clock in every row: use critical or spring for it.\n\n"
        "The half-life H sets how soft the start and the stop are. In between the spring moves at constant "
        "velocity and is aimed ahead by its own lag of 1.44 H, so it does not arrive late. What is left then "
        "settles to one percent in 4.8 H. Keep H well below a third of --time.",
    .equation = "a change of g sets the time left, r = S; in each row r <- max(r - T, 0)\n"
                "a step of critical toward i + (g - i) lag / max(r, T); g if r <= lag\n"
                "i <- i + (g - i) T / max(r, T)     the intermediate goal     lag = H / ln 2",
    .examples = "sprung timed --halflife 0.1 --time 0.5 keys.csv > arriving.csv\n"
                "sprung timed --halflife 0.1 --time 0.5 --resample 60 keys.csv > curve.csv",
};

const struct filter filter_timed = {
    .name = "timed",
    .words = &timed_words,
    FILTER_OPTIONS(timed_params),
    .shape = { DOUBLES(struct state), DOUBLES(struct step), 3 },
    .check = check,
    .step = step,
    .start = start,
    .run = run,
    .sizes = sizes,
};

static const struct filter_words velocity_words = {
    .summary = "approaches the input at a given speed",
    .about =
        "The spring approaches a distant goal, the input, at a constant speed, in units of the channel per "
        "second, and starts and settles softly, as a lift or a camera dolly does. Twice the distance takes "
        "twice the time.\n\n"
        "The half-life H sets how soft the start and the stop are. The spring is aimed ahead by its own lag "
        "of 1.44 H, so at first it exceeds --speed by up to 14 percent, and by 27 when it reverses at full "
        "speed. It arrives after about distance/speed seconds, and settles to one percent in 4.8 H.\n\n"
        "It does not limit every velocity: small fast motion passes as through a critical spring. If the "
        "goal moves faster than --speed, the spring falls behind and catches up later.",
    .equation = "a step of critical toward i + speed * lag, not past g\n"
                "i moves toward g by speed * T, not past it: the intermediate goal\n"
                "lag = H / ln 2",
    .examples = "sprung velocity --halflife 0.1 --speed 2 keys.csv > moving.csv\n"
                "sprung velocity --halflife 0.1 --speed 2 --resample 60 keys.csv > curve.csv",
};

const struct filter filter_velocity = {
    .name = "velocity",
    .words = &velocity_words,
    FILTER_OPTIONS(velocity_params),
    .shape = { DOUBLES(struct state), DOUBLES(struct step), 3 },
    .check = check,
    .step = step,
    .start = start,
    .run = run,
    .sizes = sizes,
};
