/* libsprung: springs that filter time series, in other programs.
 *
 * A filter is opened by the words of the command line: its name, and its long options without dashes, as
 * name=value, separated by blanks: "halflife=0.1 hold=linear". `sprung help FILTER` lists the options. The
 * numbers are those of the command line, to the last bit for equal steps in time: the command line takes
 * steps from the decimals of a file, where differences of doubles are rounded.
 *
 * Numbers are double. Times and steps are seconds. A missing number is NAN. Arrays of several channels hold
 * row after row: element row * n + channel. A rotation is a unit quaternion w, x, y, z (4 numbers); its
 * velocity and acceleration are 3 numbers in rad/s and rad/s^2, about the axes of the world.
 *
 * Functions print nothing and read no files, no locale and no environment. A filter belongs to one thread at
 * a time; different filters may run in different threads.
 *
 * Link with -lsprung -lm: pkg-config --cflags --libs sprung. C99 and C++. */
#ifndef SPRUNG_H
#define SPRUNG_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* What the functions return. */
enum sprung_status {
    SPRUNG_OK = 0,
    SPRUNG_BAD_SETTINGS = 1, /* the message says what is wrong with the name or the settings */
    SPRUNG_NO_MEMORY = 2,
    SPRUNG_BAD_DATA = 3 /* a step below 0, times that do not rise, an infinite number */
};

/* A filter and its state. */
typedef struct sprung sprung;

/* --- row by row --- */

/* Opens a filter of n channels, n > 0. settings: NULL means defaults. On failure *filter is NULL, and
 * message, which has room for size bytes and may be NULL, says why: a text that ends with NUL, cut to size.
 * Allocates; sprung_close frees. */
int sprung_open(sprung **filter, const char *name, const char *settings, size_t n, char *message,
                size_t size);

/* Opens a filter of n rotations, otherwise as sprung_open. */
int sprung_open_rotations(sprung **filter, const char *name, const char *settings, size_t n, char *message,
                          size_t size);

/* Frees a filter. NULL is allowed. */
void sprung_close(sprung *filter);

/* Changes the settings; the state stays. On failure the filter stays as it was. Options that settings do not
 * name get their defaults. Allocates. */
int sprung_set(sprung *filter, const char *settings, char *message, size_t size);

/* Forgets the state: the next row is a first row. */
void sprung_reset(sprung *filter);

/* Sets a state to continue from, at rest or in motion. position: n numbers or quaternions. velocity: n
 * numbers, or 3 for each rotation; NULL: 0. The step of the next row counts from this state. */
int sprung_start(sprung *filter, const double *position, const double *velocity);

/* Filters rows. Never allocates.
 *
 * step: [rows] seconds since the row before; the step of a first row is ignored. A step of 0 means another
 * row of the same time: both are one sample, to which a row adds the numbers that the rows before it miss.
 * goal: [rows * n] the numbers to filter. cut: [rows] not 0: the goal jumps before this row, for filters that
 * take cuts; NULL: no cuts. value: [rows * n]; may be the array of goal. velocity and acceleration: likewise,
 * or NULL.
 *
 * Where the goal is missing the result is NAN, and the filter continues with the goal before. Results do not
 * depend on how rows are split into calls, but for one case: inertialize looks one row
 * ahead at a cut, and the last row of a call has no next row.
 *
 * SPRUNG_BAD_DATA: nothing was filtered. */
int sprung_process(sprung *filter, size_t rows, const double *step, const double *goal,
                   const unsigned char *cut, double *value, double *velocity, double *acceleration);

/* Where the filter will be some seconds after the last row if the goal stays. value: n numbers or
 * quaternions. velocity: likewise (3 for a rotation), or NULL. NAN before the first row. The state stays. */
int sprung_predict(const sprung *filter, double seconds, double *value, double *velocity);

/* The gain of a tone, and its phase in degrees; negative: the tone comes late. For linear filters. hertz >=
 * 0. step: seconds between rows, where hertz * step <= 0.5; 0: infinitely short steps. gain or phase may be
 * NULL. */
int sprung_response(const sprung *filter, double hertz, double step, double *gain, double *phase);

/* --- whole series --- */

/* Smooths a recorded series without lag, as butterworth --zero-phase does. settings: "cutoff=6",
 * "cutoff=auto", which chooses by the noise of each channel, "cutoff=6 loop". time: [rows] seconds, rising.
 * goal, value, velocity, acceleration: [rows * n]; the last two may be NULL. A channel that auto leaves as it
 * is has the derivatives of the spline through its samples. A missing number stays missing. Allocates, and
 * frees before it returns. */
int sprung_smooth(const char *settings, size_t rows, size_t n, const double *time, const double *goal,
                  double *value, double *velocity, double *acceleration, char *message, size_t size);

/* Smooths a recorded series of n rotations, otherwise as sprung_smooth. */
int sprung_smooth_rotations(const char *settings, size_t rows, size_t n, const double *time,
                            const double *goal, double *value, double *velocity, double *acceleration,
                            char *message, size_t size);

/* Finds the spikes of a series of numbers, as --despike K does: what a series begins or ends with is no
 * spike, as it looks like a step. mark: [rows] becomes 1 at spikes, else 0. Returns the number of
 * spikes, or SIZE_MAX when out of memory. */
size_t sprung_find_spikes(double K, size_t rows, const double *time, const double *value,
                          unsigned char *mark);

/* Finds jumps, as --detect-cuts K does. But the steps to a spike and back, which the filter reports as two
 * cuts, are no jumps. mark: [rows] becomes 1 at rows that follow a jump, else 0. Returns their number. */
size_t sprung_find_cuts(double K, size_t rows, const double *time, const double *value, unsigned char *mark);

/* The version, as "4.0.0". */
const char *sprung_version(void);

#ifdef __cplusplus
}
#endif

#endif
