/* --cutoff on rows: the speed of a filter, stepped from row to row, that gives a gain of -3 dB at a
 * frequency. The continuous equation of a filter does not suffice: the goal is held between rows, and holding
 * has a gain, too. */
#ifndef SPRUNG_SPRINGS_CUTOFF_H
#define SPRUNG_SPRINGS_CUTOFF_H

#include "springs/filter.h"

#define CUTOFF_MOST_OF_RATE 0.45 /* highest cutoff, by the row rate */
#define CUTOFF_RATE_ROUNDED 0.01 /* relative error of a rate by times that are rounded in print */

/* The equation of the settings for rows T seconds apart: its rates (1/s) times the factor with which the gain
 * of all passes is 1/sqrt 2 at settings->cutoff. The factor is 1 without a cutoff; with a cutoff above 0.45
 * of the row rate, which is near the Nyquist frequency; and with a cutoff below 1e-5 of the row rate, where
 * the rates of the equation itself suffice. */
struct continuous cutoff_equation(const void *settings, double T);

/* False and *e: a cutoff, NaN for none, is too high for rows at this rate. */
bool cutoff_check(double cutoff, double rate, struct error *e);

#endif
