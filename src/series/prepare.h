/* The stage after split: masked values (--mask), vectors that miss a component and quaternions of length 0
 * become gaps. Invariant: what is decided of a row depends on this row alone. */
#ifndef SPRUNG_SERIES_PREPARE_H
#define SPRUNG_SERIES_PREPARE_H

#include "series/series.h"
#include "series/stage.h"

/* Checks every --mask without the input. */
bool prepare_check_masks(const struct texts *masks, struct error *e);

struct prepare {
    struct series_rows input;
    struct clean_count *count; /* [nchannel] counts masked values; NULL: there are no masks, and nothing is
                                  filled, so that filters follow the values of the input */
};

/* The stage. take is NULL where the rows need no preparing. */
struct stage prepare_stage(struct prepare *prepare);

#endif
