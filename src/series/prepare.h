/* The stage behind split: what is decided of rows before an operator sees them. Masked values (--mask) and
 * vectors that miss a component become gaps. A fault ends the block before its row. Faults are a rotation of
 * length 0.
 * Invariants: what is decided of a row depends on the rows before it alone; no operator sees a row behind a
 * fault. */
#ifndef SPRUNG_SERIES_PREPARE_H
#define SPRUNG_SERIES_PREPARE_H

#include "series/series.h"
#include "series/stage.h"

/* Checks every --mask without the input. */
bool prepare_check_masks(const struct texts *masks, struct error *e);

struct prepare {
    struct series_rows in;
    struct clean_count *count; /* [nchannel] counts masked values; NULL: there are no masks, and nothing is
                                  filled, so that filters follow the values of the input */
};

/* The stage. take is NULL where the rows need no preparing. */
struct stage prepare_stage(struct prepare *prepare);

#endif
