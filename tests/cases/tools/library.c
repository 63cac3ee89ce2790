/* Every function of libsprung with random rows, gaps, cuts, further rows of one time and wrong data, for the
 * sanitizers. The arrays are as long as they must be, so that a step beyond an end is found. */
#include <sprung.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static const char *const filters[] = { "damper halflife=0.1",
                                       "one-euro",
                                       "critical halflife=0.2 hold=linear",
                                       "spring frequency=2 damping-ratio=0.3",
                                       "butterworth cutoff=2",
                                       "second-order frequency=2 damping-ratio=0.5 response=1",
                                       "tracking max-acceleration=20",
                                       "inertialize halflife=0.1",
                                       "double halflife=0.1",
                                       "timed halflife=0.1 time=0.3",
                                       "velocity halflife=0.1 speed=2",
                                       "character halflife=0.1",
                                       "resonance halflife=0.5 frequencies=1,2" };

static unsigned seed = 1;

static double uniform(void)
{
    seed = seed * 1664525u + 1013904223u;
    return (double)(seed >> 8) / (1 << 24);
}

static double *numbers(size_t n, double missing)
{
    double *array = malloc((n + 1) * sizeof *array), *exact = realloc(array, n ? n * sizeof *array : 1);
    for (size_t i = 0; i < n; i++)
        exact[i] = uniform() < missing ? NAN : uniform() * 4 - 2;
    return exact;
}

/* Name and settings of a filter. */
static void split(const char *words, char name[32], const char **settings)
{
    size_t n = 0;
    for (; words[n] && words[n] != ' '; n++)
        name[n] = words[n];
    name[n] = 0;
    *settings = words[n] ? words + n + 1 : NULL;
}

static void rows(const char *words, size_t n, size_t nrow, int rotations)
{
    char name[32], message[80];
    const char *settings;
    size_t width = rotations ? 4 * n : n, rates = rotations ? 3 * n : n;
    sprung *filter;
    split(words, name, &settings);
    int (*open)(sprung **, const char *, const char *, size_t, char *,
                size_t) = rotations ? sprung_open_rotations : sprung_open;
    if (open(&filter, name, settings, n, message, sizeof message) != SPRUNG_OK)
        return;
    double *step = numbers(nrow, 0), *goal = numbers(nrow * width, 0.1), *value = numbers(nrow * width, 0);
    double *velocity = numbers(nrow * rates, 0), *acceleration = numbers(nrow * rates, 0);
    double *later = numbers(width + rates, 0);
    unsigned char *cut = malloc(nrow ? nrow : 1);
    for (size_t i = 0; i < nrow; i++) {
        step[i] = uniform() < 0.2 ? 0 : fabs(step[i]) / 30;
        cut[i] = uniform() < 0.1;
    }
    for (int turn = 0; turn < 4; turn++) {
        sprung_process(filter, nrow, step, goal, cut, turn == 3 ? goal : value, turn > 0 ? velocity : NULL,
                       turn > 1 ? acceleration : NULL);
        sprung_predict(filter, 0.1, later, turn > 0 ? later + width : NULL);
        if (turn == 1)
            sprung_set(filter, settings, message, sizeof message);
        if (turn == 2)
            sprung_reset(filter);
    }
    double *start = numbers(width, 0), gain, phase;
    sprung_start(filter, start, NULL);
    sprung_response(filter, 1, 0.01, &gain, &phase);
    if (nrow > 2) {
        goal[1] = INFINITY;
        if (sprung_process(filter, nrow, step, goal, NULL, value, NULL, NULL) != SPRUNG_BAD_DATA)
            exit(1);
    }
    sprung_close(filter);
    free(start);
    free(later);
    free(cut);
    free(step);
    free(goal);
    free(value);
    free(velocity);
    free(acceleration);
}

static void series(const char *settings, size_t n, size_t nrow, int rotations)
{
    char message[80];
    size_t width = rotations ? 4 * n : n, rates = rotations ? 3 * n : n;
    double *time = numbers(nrow, 0), *goal = numbers(nrow * width, 0.05), *value = numbers(nrow * width, 0);
    double *velocity = numbers(nrow * rates, 0), *acceleration = numbers(nrow * rates, 0);
    unsigned char *mark = malloc(nrow ? nrow : 1);
    for (size_t i = 0; i < nrow; i++)
        time[i] = (double)i / 60 + (i % 7 == 3 ? 0.002 : 0);
    if (rotations)
        sprung_smooth_rotations(settings, nrow, n, time, goal, value, velocity, acceleration, message,
                                sizeof message);
    else
        sprung_smooth(settings, nrow, n, time, goal, value, velocity, acceleration, message,
                      sizeof message);
    if (n == 1 && !rotations) {
        sprung_find_spikes(6, nrow, time, goal, mark);
        sprung_find_cuts(6, nrow, time, goal, mark);
        if (nrow > 0)
            goal[nrow / 2] = INFINITY;
        sprung_find_spikes(6, nrow, nrow ? time : NULL, nrow ? goal : NULL, nrow ? mark : NULL);
        sprung_find_cuts(6, nrow, nrow ? time : NULL, nrow ? goal : NULL, nrow ? mark : NULL);
    }
    free(mark);
    free(time);
    free(goal);
    free(value);
    free(velocity);
    free(acceleration);
}

int main(void)
{
    static const size_t lengths[] = { 0, 1, 2, 3, 40, 300, 2000 };
    sprung *filter;
    for (size_t k = 0; k < sizeof filters / sizeof *filters; k++)
        for (size_t n = 1; n < 70; n = 5 * n + 2)
            for (size_t i = 0; i < 6; i++) {
                rows(filters[k], n, lengths[i], 0);
                rows(filters[k], n, lengths[i], 1);
            }
    /* A list that needs more room than other settings. */
    rows("resonance halflife=0.5 frequencies=0.1:400:1024", 1, 40, 0);
    for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++)
        for (size_t n = 1; n < 4; n += 2) {
            series("cutoff=6", n, lengths[i], 0);
            series("cutoff=6 loop", n, lengths[i], 0);
            series("cutoff=auto", n, lengths[i], 0);
            series("cutoff=6", n, lengths[i], 1);
            series("cutoff=nothing", n, lengths[i], 0);
        }
    char message[4];
    if (sprung_open(&filter, "no filter", NULL, 1, message, sizeof message) == SPRUNG_OK || filter ||
        message[3])
        return 1;
    puts("done");
    return 0;
}
