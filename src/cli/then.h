/* --then 'FILTER OPTIONS': one more filter, with options of its own, split like a line of a shell. */
#ifndef SPRUNG_CLI_THEN_H
#define SPRUNG_CLI_THEN_H

#include "run/filter_job.h"

/* Of the option --then: its value is parsed and checked, and is one more filter of the field's struct
 * chained_list. */
extern const struct param_type then_type;

/* Frees what a filter of a command line owns, but for c->sets. */
void chained_free(struct chained *c);

#endif
