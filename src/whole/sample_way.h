/* Numbers between two samples. Invariant: between equal samples the result is that sample. */
#ifndef SPRUNG_WHOLE_SAMPLE_WAY_H
#define SPRUNG_WHOLE_SAMPLE_WAY_H

/* The number or angle at a fraction from 0 to 1 of the way from a to b; of an angle (period > 0) within half
 * a period of the nearer of a and b. NaN where a or b is missing. */
double sample_between(double a, double b, double fraction, double period);

#endif
